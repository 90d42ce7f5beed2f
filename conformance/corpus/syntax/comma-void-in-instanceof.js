const r = (...x) => console.log(x.map(String).join(' '));
r((1, 2), void 'x', 'a' in { a: 1 }, 0 in [1], 1 in [1], 'length' in [], Symbol.iterator in [], 'toString' in {});
class A { static [Symbol.hasInstance](x) { return x === 1 || Function.prototype[Symbol.hasInstance].call(this, x) } } r(1 instanceof A, 2 instanceof A, new A instanceof A);
r([] instanceof Array, [] instanceof Object, Object.create(null) instanceof Object, (() => 1) instanceof Function, 5 instanceof Number, new Number(5) instanceof Number);
const bound = A.bind(null); r(new A instanceof bound); function F() {} const f = new F; r(f instanceof F); F.prototype = {}; r(f instanceof F, new F instanceof F);
for (const bad of [1, 'x', null, undefined, {}, []]) { try { ({}) instanceof bad; r('ok') } catch (e) { r(e.name) } try { 'k' in bad; r('ok') } catch (e) { r(e.name) } }
const arrow = () => 1; try { ({}) instanceof arrow } catch (e) { r(e.name) } try { r(1 instanceof arrow) } catch (e) { r(e.name) }
r(delete [].length, delete {}.x, delete 5, delete (() => 1)(), (function () { var x = 1; return delete x })(), (function (a) { return delete a })(1));
var gv = 1; gx = 2; r(delete gv, delete gx, typeof gx); const o = { a: [1, 2, 3] }; r(delete o.a[1], o.a.length, 1 in o.a, delete o.a, 'a' in o);
r(typeof undeclared, typeof Symbol(), typeof 1n, typeof class {}, typeof new Proxy(() => 1, {}), typeof new Proxy({}, {}), typeof /r/, typeof new String('')); r([typeof Math, typeof JSON, typeof globalThis, typeof async function () {}].join());
