// A thrown value that is no error.
class Queue {
  items = [];
  take() {
    if (this.items.length === 0) throw { status: 404, detail: "queue is empty" };
    return this.items.shift();
  }
}
return new Queue().take();
