// Lazy sequences: infinite generators, delegation, early exit, two-way talk.
function* naturals(from = 1) {
  for (let n = from; ; n++) yield n;
}

function* primes() {
  const composites = new Map();
  for (const n of naturals(2)) {
    const factors = composites.get(n);
    if (!factors) {
      composites.set(n * n, [n]);
      yield n;
    } else {
      for (const p of factors) composites.set(n + p, [...(composites.get(n + p) ?? []), p]);
      composites.delete(n);
    }
  }
}

const take = function* (iterable, count) {
  if (count <= 0) return;
  for (const x of iterable) {
    yield x;
    if (--count === 0) return;
  }
};
const map = function* (iterable, fn) { for (const x of iterable) yield fn(x); };
const filter = function* (iterable, keep) { for (const x of iterable) if (keep(x)) yield x; };
const pipe = (source, ...stages) => stages.reduce((it, stage) => stage(it), source);

function* walk(tree, depth = 0) {
  const [label, ...children] = tree;
  yield `${'  '.repeat(depth)}${label}`;
  for (const child of children) yield* walk(child, depth + 1);
  return children.length;
}

function* average() {
  let sum = 0;
  let count = 0;
  let value;
  try {
    while (true) {
      value = yield count ? sum / count : undefined;
      sum += value;
      count++;
    }
  } finally {
    console.log(`average closed after ${count} values`);
  }
}

console.log([...take(primes(), 15)].join(' '));
for (const line of walk(['root', ['src', ['main'], ['util', ['text']]], ['docs']])) console.log(line);

const avg = average();
avg.next();
const running = [10, 20, 60].map((n) => avg.next(n).value);
const closed = avg.return('done');

class Range {
  constructor(from, to, step = 1) { Object.assign(this, { from, to, step }); }
  *[Symbol.iterator]() { for (let i = this.from; i <= this.to; i += this.step) yield i; }
}

const [first, second, ...rest] = new Range(1, 10, 3);
return {
  squaresOfOdd: [...take(pipe(naturals(), (s) => filter(s, (n) => n % 2), (s) => map(s, (n) => n * n)), 5)],
  running,
  closed,
  afterwards: avg.next(1),
  range: { first, second, rest, max: Math.max(...new Range(0, 9, 2)) },
  zipped: Object.fromEntries(function* () { const it = primes(); for (const k of 'abc') yield [k, it.next().value]; }()),
};
