const rnd = (s => () => (s = s * 48271 % 2147483647) / 2147483647)(7);
const data = Array.from({ length: 300 }, () => Math.floor(rnd() * 1000));
const quick = a => a.length < 2 ? a : [...quick(a.slice(1).filter(x => x < a[0])), a[0], ...quick(a.slice(1).filter(x => x >= a[0]))];
const merge = a => { if (a.length < 2) return a; const m = a.length >> 1, l = merge(a.slice(0, m)), r = merge(a.slice(m)), out = []; while (l.length && r.length) out.push(l[0] <= r[0] ? l.shift() : r.shift()); return [...out, ...l, ...r] };
const heap = src => { const a = src.slice(), sift = (i, n) => { for (let c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && a[c + 1] > a[c]) c++; if (a[i] >= a[c]) return; [a[i], a[c]] = [a[c], a[i]] } }; for (let i = a.length >> 1; i--;) sift(i, a.length); for (let n = a.length; --n > 0;) { [a[0], a[n]] = [a[n], a[0]]; sift(0, n) } return a };
const shell = src => { const a = [...src]; for (let g = a.length >> 1; g > 0; g >>= 1) for (let i = g; i < a.length; i++) { const t = a[i]; let j = i; for (; j >= g && a[j - g] > t; j -= g) a[j] = a[j - g]; a[j] = t } return a };
const radix = src => { let a = [...src]; for (let s = 0; s < 12; s += 4) { const b = Array.from({ length: 16 }, () => []); for (const x of a) b[x >> s & 15].push(x); a = b.flat() } return a };
const ref = data.toSorted((x, y) => x - y).join();
console.log(String([quick, merge, heap, shell, radix].map(f => f(data).join() === ref)), String(data.slice(0, 5)), ref.slice(0, 20));
