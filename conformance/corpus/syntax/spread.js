const r = x => console.log(JSON.stringify(x)); const f = (...a) => a.length + ':' + a.join('');
r([...'añ😀', ...[1, , 2], ...new Set([1, 1, 2]), ...new Map([[1, 2]]), ...(function* () { yield 7 })()]);
r(f(...'abc', 1, ...[], ...[2, 3], 4)); r(Math.max(...[1, 5, 3], 9, ...[2])); r(new Date(...[2020, 0, 15]).getDate()); r(new Array(...[3]).length); r(new Array(...[1, 2]));
r({ ...{ a: 1, b: 2 }, b: 3, ...null, ...undefined, ...5, ...'hi', ...[9], ...true }); r({ a: 1, ...{ a: 2 } }); r({ ...{ get g() { return 'got' } } });
const sym = Symbol('s'); const src = Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true }, hidden: { value: 2 }, [sym]: { value: 3, enumerable: true } }); const cp = { ...src }; r(cp); r(cp[sym]); r(Object.getPrototypeOf(cp) === Object.prototype);
const order = []; const px = new Proxy({ a: 1, b: 2 }, { ownKeys(t) { order.push('ownKeys'); return Reflect.ownKeys(t) }, getOwnPropertyDescriptor(t, k) { order.push('gopd ' + k); return Reflect.getOwnPropertyDescriptor(t, k) }, get(t, k) { order.push('get ' + k); return t[k] } }); r({ ...px }); r(order);
for (const bad of [null, undefined, 5, {}, true]) { try { [...bad]; r('ok') } catch (e) { r(e.name) } try { f(...bad); r('ok') } catch (e) { r(e.name) } }
class A { constructor(...a) { this.a = a } } class B extends A { constructor(...x) { super(...x, 'last') } } r(new B(1, 2).a); r(Object.keys({ ...class { static s = 1 } })); const arr = [1, 2, 3]; r([...arr, ...arr.entries()]); r([...[...[...'xy']]]);
let setter = 0; const withSetter = { set x(v) { setter++ }, ...{ x: 1 } }; r(setter); r(withSetter.x); r({ __proto__: { p: 1 }, ...{ ['__proto__']: 2 } }); const { length } = f; r(length);
r(String.raw(...[{ raw: ['a', 'b', 'c'] }, 1, 2])); console.log(String([].concat(...[[1], [2, [3]]]))); r((function () { return arguments.length })(...Array(5)));
