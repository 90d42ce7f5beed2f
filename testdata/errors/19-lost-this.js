// A method that lost its this.
class Counter {
  count = 0;
  add() {
    this.count += 1;
  }
}
const { add } = new Counter();
add();
