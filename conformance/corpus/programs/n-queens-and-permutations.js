const queens = n => { let count = 0; const put = (r, c, d1, d2) => { if (r === n) { count++; return } for (let a = ~(c | d1 | d2) & (1 << n) - 1; a; a &= a - 1) { const b = a & -a; put(r + 1, c | b, (d1 | b) << 1, (d2 | b) >> 1) } }; put(0, 0, 0, 0); return count };
console.log([1, 2, 3, 4, 5, 6, 7].map(queens).join());
const perms = ([h, ...t]) => h === undefined ? [[]] : perms(t).flatMap(p => p.concat(h).map((_, i) => [...p.slice(0, i), h, ...p.slice(i)])); console.log(perms([1, 2, 3]).map(p => p.join('')).join());
const combos = (a, k) => k === 0 ? [[]] : a.flatMap((x, i) => combos(a.slice(i + 1), k - 1).map(c => [x, ...c])); console.log(combos([..."abcd"], 2).map(c => c.join('')).join());
const subsets = a => a.reduce((s, x) => s.concat(s.map(y => [...y, x])), [[]]); console.log(subsets([1, 2, 3]).map(s => s.join('') || '-').join());
const product = (...s) => s.reduce((a, b) => a.flatMap(x => b.map(y => [...x, y])), [[]]); console.log(product([1, 2], 'ab'.split(''), [true]).map(x => x.join('')).join());
const hanoi = (n, a = 'A', b = 'B', c = 'C') => n ? [...hanoi(n - 1, a, c, b), a + c, ...hanoi(n - 1, b, a, c)] : []; console.log(hanoi(3).join()); const gray = n => n ? [...gray(n - 1).map(x => '0' + x), ...gray(n - 1).reverse().map(x => '1' + x)] : ['']; console.log(gray(3).join());
