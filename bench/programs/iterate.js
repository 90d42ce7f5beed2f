// Iteration: generators, iterators of our own, destructuring, spread, entries.
function* range(from, to) {
  for (let i = from; i < to; i++) yield i;
}

function* filter(source, keep) {
  for (const x of source) if (keep(x)) yield x;
}

function* zip(a, b) {
  const ib = b[Symbol.iterator]();
  for (const x of a) {
    const { value, done } = ib.next();
    if (done) return;
    yield [x, value];
  }
}

class Ring {
  constructor(items, n) {
    this.items = items;
    this.n = n;
  }
  [Symbol.iterator]() {
    let i = 0;
    return { next: () => (i < this.n ? { value: this.items[i++ % this.items.length], done: false } : { value: undefined, done: true }) };
  }
}

function main() {
  let sum = 0;
  for (const x of filter(range(0, 60000), (n) => n % 3 === 1)) sum = (sum + x) % 1000003;
  for (const [a, b] of zip(range(0, 20000), new Ring([1, 2, 3, 5, 8], 20000))) sum = (sum + a * b) % 1000003;
  for (let i = 0; i < 10000; i++) {
    const [first, , third = 7, ...rest] = [i, i + 1, undefined, i + 3, i + 4];
    const { x, y: { z = 4 } = {}, ...others } = { x: first, w: third, v: rest.length };
    sum = (sum + x + z + others.w + others.v + Math.max(...rest)) % 1000003;
  }
  const table = Object.fromEntries(Array.from({ length: 500 }, (_, i) => ['key' + i, i]));
  for (let round = 0; round < 20; round++) {
    for (const [k, v] of Object.entries(table)) sum = (sum + k.length * v) % 1000003;
    for (const k in table) sum = (sum + table[k]) % 1000003;
  }
  return sum;
}
