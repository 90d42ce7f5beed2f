// A loop that doesn't end.
function drain(queue) {
  while (queue.length > 0) {
    queue[0].done = true;
  }
}
drain(input.rows);
