// Closures: counters, currying, composition, memo tables and callbacks.
const compose = (...fs) => (x) => fs.reduce((v, f) => f(v), x);
const add = (a) => (b) => a + b;
const modulo = (m) => (x) => x % m;

function counter(step) {
  let n = 0;
  return { next: () => (n += step), reset: () => { n = 0; }, get value() { return n; } };
}

function memo(f) {
  const table = new Map();
  return (n) => {
    let v = table.get(n);
    if (v === undefined) {
      v = f(n);
      table.set(n, v);
    }
    return v;
  };
}

function each(n, f) {
  for (let i = 0; i < n; i++) f(i);
}

function main() {
  let sum = 0;
  const counters = [1, 2, 3, 5].map(counter);
  each(150000, (i) => {
    const c = counters[i & 3];
    sum = (sum + c.next()) % 1000003;
    if (c.value > 5000) c.reset();
  });
  const steps = compose(add(3), modulo(1009), add(11), modulo(503));
  each(60000, (i) => { sum = (sum + steps(i)) % 1000003; });
  const lazy = memo((n) => (n < 2 ? n : (lazy(n - 1) + lazy(n - 2)) % 1000003));
  each(1000, (i) => { sum = (sum + lazy(i)) % 1000003; });
  const made = [];
  for (let i = 0; i < 50000; i++) made.push(() => i);
  for (const f of made) sum = (sum + f()) % 1000003;
  return sum;
}
