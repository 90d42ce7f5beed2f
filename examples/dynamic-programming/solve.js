// Memoization and tables: knapsack, edit distance, coins, paths, partitions.
function memoize(fn, key = (...args) => args.join(',')) {
  const cache = new Map();
  const memo = (...args) => {
    const k = key(...args);
    if (!cache.has(k)) {
      memo.misses++;
      cache.set(k, fn(...args));
    }
    return cache.get(k);
  };
  memo.misses = 0;
  return memo;
}

function knapsack({ capacity, items }) {
  const best = Array.from({ length: items.length + 1 }, () => new Int32Array(capacity + 1));
  for (const [i, { weight, value }] of items.entries()) {
    for (let c = 0; c <= capacity; c++) {
      best[i + 1][c] = Math.max(best[i][c], c >= weight ? best[i][c - weight] + value : 0);
    }
  }
  const chosen = [];
  for (let i = items.length, c = capacity; i > 0; i--) {
    if (best[i][c] === best[i - 1][c]) continue;
    chosen.unshift(items[i - 1].name);
    c -= items[i - 1].weight;
  }
  return { value: best[items.length][capacity], chosen };
}

function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
    }
    row = next;
  }
  return row[b.length];
}

function change({ amount, coins }) {
  const table = [[]];
  for (let n = 1; n <= amount; n++) {
    for (const coin of coins) {
      const rest = table[n - coin];
      if (rest && (!table[n] || rest.length + 1 < table[n].length)) table[n] = [...rest, coin];
    }
  }
  return table[amount] ?? null;
}

const paths = memoize((grid, r, c) => {
  if (r < 0 || c < 0 || grid[r][c] === '#') return 0;
  return r + c === 0 ? 1 : paths(grid, r - 1, c) + paths(grid, r, c - 1);
}, (_, r, c) => `${r}:${c}`);

const partitions = memoize((n, max = n) => {
  if (n === 0) return 1n;
  let total = 0n;
  for (let k = Math.min(n, max); k > 0; k--) total += partitions(n - k, k);
  return total;
});

const fib = memoize((n) => (n < 2 ? BigInt(n) : fib(n - 1) + fib(n - 2)));

console.log(`fib(150) = ${fib(150)} with ${fib.misses} steps`);
console.log(`partitions(60) = ${partitions(60, 60)}`);
const bag = knapsack(input.knapsack);
console.log(`knapsack ${bag.value}: ${bag.chosen.join(' + ')}`);
return {
  bag,
  distances: Object.fromEntries(input.words.map(([a, b]) => [`${a}/${b}`, distance(a, b)])),
  change: change(input.coins),
  paths: paths(input.grid, 3, 3),
};
