const r = x => console.log(JSON.stringify(x, (k, v) => v === undefined ? 'undefined' : v));
let [a, , b = 5, ...c] = [1, 2, undefined, 4, 5]; r([a, b, c]);
[a, b] = [b, a]; r([a, b]); [a, [b, [c]]] = [1, [2, [3]]]; r([a, b, c]);
const [x = 1, y = x + 1, z = (() => x + y)()] = []; r([x, y, z]); const [p = 'd'] = [null]; r(p);
const [h, ...[i, ...j]] = 'hello'; r([h, i, j]); const [k, ...{ length, 0: first }] = [1, 2, 3]; r([k, length, first]);
const o = {}; [o.a, o['b'], ...o.rest] = new Set([1, 2, 3, 4]); r(o); const arr = []; [arr[2], arr[0] = 9] = [7]; r(arr);
const [m, n] = new Map([['k', 'v'], ['k2', 'v2']]); r([m, n]); const [] = []; const [, ,] = [1]; [] = 'x';
let closed = 0; const iter = { [Symbol.iterator]() { let v = 0; return { next: () => ({ value: v++, done: v > 3 }), return() { closed++; return {} } } } };
const [q] = iter; r([q, closed]); const [q1, q2, q3, q4] = iter; r([q1, q2, q3, q4, closed]); const [...all] = iter; r([all, closed]); const [] = iter; r(closed);
try { [o.z = (() => { throw new Error('d') })()] = iter } catch (e) { r([e.message, closed]) }
for (const bad of [null, undefined, 1, {}]) { try { const [t] = bad; r('ok') } catch (e) { r(e.name) } }
const swap = ([a, b]) => [b, a]; r(swap('xy')); r((([a, b] = [1, 2], { c } = { c: 3 }) => a + b + c)()); r([[1, [2]], [3, [4]]].map(([a, [b]]) => a * b));
let u, v; r([u, v] = [1, 2, 3]); r([u, v]); ([u, v] = [v, u]); r([u, v]); for ([u, v] of [[5, 6]]) r(u + v); for (const [[s], t = s] of [[[1]]]) r([s, t]); const fn = function ([a] = [1], ...[b]) { return [a, b, arguments.length] }; r(fn()); r(fn([2], 3)); r(fn.length);
