const g = { a: ['b', 'c'], b: ['d'], c: ['d', 'e'], d: ['f'], e: ['f'], f: [], z: ['a'] };
const bfs = (s, goal) => { const q = [[s]], seen = new Set([s]); while (q.length) { const p = q.shift(), n = p.at(-1); if (n === goal) return p; for (const m of g[n]) if (!seen.has(m)) { seen.add(m); q.push([...p, m]) } } return null };
const dfs = (n, seen = new Set) => { if (seen.has(n)) return seen; seen.add(n); for (const m of g[n]) dfs(m, seen); return seen };
const topo = () => { const out = [], st = {}; const v = n => { if (st[n] === 1) throw new Error('cycle at ' + n); if (st[n]) return; st[n] = 1; g[n].forEach(v); st[n] = 2; out.unshift(n) }; Object.keys(g).forEach(v); return out };
const paths = (a, b, p = [a]) => a === b ? [p.join('')] : g[a].flatMap(m => paths(m, b, [...p, m]));
console.log(String(bfs('a', 'f')), String(bfs('f', 'a')), [...dfs('c')].join(''), topo().join(''), paths('a', 'f').join());
g.f.push('a'); try { topo() } catch (e) { console.log(e.message) }
const uf = n => { const p = [...Array(n).keys()], find = x => p[x] === x ? x : p[x] = find(p[x]); return { union: (a, b) => p[find(a)] = find(b), find, groups: () => new Set(p.map((_, i) => find(i))).size } }; const u = uf(6); u.union(0, 1); u.union(1, 2); u.union(4, 5); console.log(String([u.find(0) === u.find(2), u.find(0) === u.find(3), u.groups()]));
