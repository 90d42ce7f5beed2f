const bs = (a, x, lo = 0, hi = a.length - 1) => { while (lo <= hi) { const m = (lo + hi) >>> 1; if (a[m] === x) return m; if (a[m] < x) lo = m + 1; else hi = m - 1 } return ~lo };
const a = Array.from({ length: 50 }, (_, i) => i * 3);
console.log([0, 3, 147, 148, -1, 75].map(x => bs(a, x)).join());
const lower = (a, x) => { let l = 0, h = a.length; while (l < h) { const m = l + h >> 1; a[m] < x ? l = m + 1 : h = m } return l };
console.log(String([lower([1, 2, 2, 2, 3], 2), lower([], 1), lower([1], 5)]));
