const r = x => console.log(JSON.stringify(x, (k, v) => v === undefined ? 'undefined' : v));
const { a, b: { c, d = 4 } = {}, e: f = 'def', ...rest } = { a: 1, b: { c: 3 }, g: 7, h: 8 }; r([a, c, d, f, rest]);
let x, y; ({ x, y = 2 } = { x: 1 }); r([x, y]); ({ x: y, y: x } = { x: 'X', y: 'Y' }); r([x, y]); r({ x } = { x: 9, z: 1 });
const key = 'dyn'; const { [key]: dyn, [key + '2']: dyn2 = 'd2', ...others } = { dyn: 1, other: 2 }; r([dyn, dyn2, others]);
const { length, 0: first, [length - 1]: last } = 'word'; r([length, first, last]); const { toFixed } = 1; r(typeof toFixed); const {} = 5;
const arr = []; ({ a: arr[0], b: arr[1] = 'x', ...arr.rest } = { a: 1, q: 2 }); r([arr, arr.rest]); const o = { s: {} }; ({ k: o.s.deep, ...o.s.more } = { k: 'v', l: 'w' }); r(o);
const sym = Symbol('z'); const { [sym]: sv, ...noSym } = { [sym]: 's', t: 1, [Symbol.for('kept')]: 2 }; r([sv, Object.keys(noSym), noSym[Symbol.for('kept')]]);
const log = []; const src = { get a() { log.push('get a'); return undefined }, get b() { log.push('get b'); return 2 } }; const { b: bb, a: aa = log.push('default a') } = src; r([aa, bb, log]);
for (const bad of [null, undefined]) { try { const { q } = bad; r('ok') } catch (e) { r(e.name) } try { const {} = bad; r('ok') } catch (e) { r(e.name) } try { ({ ...q } = bad) } catch (e) { r(e.name) } }
const f1 = ({ a = 1, b: { c = 2 } = {} } = {}) => a + c; r([f1(), f1({}), f1({ a: 5, b: { c: 6 } })]); r([{ n: 1 }, { n: 2 }].map(({ n }) => n)); const f2 = ({ a, ...r }, ...[z]) => [a, r, z]; r(f2({ a: 1, b: 2 }, 3)); r([f1.length, f2.length]);
const { prototype: { constructor: { name } } } = Array; r(name); const { a: { ...copy } } = { a: { z: 1 } }; r(copy); for (const { i, j = i } of [{ i: 1 }, { i: 2, j: 3 }]) r([i, j]); for (let { length: n } in { abc: 1 }) r(n);
const { f: fnName = function () {}, g: arrow = () => {}, h: cls = class {}, i: named = class Named {} } = {}; r([fnName.name, arrow.name, cls.name, named.name]); const proxy = new Proxy({}, { get: (t, k) => `got ${String(k)}` }); const { anything, [1 + 1]: two } = proxy; r([anything, two]); class P { get g() { return 'proto getter' } } const { g, ...own } = new P; r([g, own]);
const { ...shallow } = Object.create({ inh: 1 }, { own: { value: 2, enumerable: true }, hid: { value: 3 } }); r(shallow); var { v1 = v2, v2 = 2 } = { v2: 3 }; r([v1, v2]); try { throw { code: 42, info: { m: 'msg' } } } catch ({ code, info: { m } }) { r([code, m]) }
