// A function without a return.
function newest(rows) {
  rows.toSorted((a, b) => b.id - a.id)[0];
}
return newest(input.rows).id;
