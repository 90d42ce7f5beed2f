var out = [];
with ({ a: 1, b: 2 }) { out.push(a + b); var c = a; b = 7; }
out.push(c, typeof b);
var scope = { x: 'scoped', f() { return this === scope } };
var x = 'outer';
with (scope) { out.push(x, f()); x = 'changed'; var x = 'again'; }
out.push(x, scope.x);
var unscoped = { y: 1, [Symbol.unscopables]: { y: true } }, y = 'global y';
with (unscoped) out.push(y);
with ([1, 2, 3]) out.push(length, join('-'), typeof values);
with ('str') out.push(length, toUpperCase());
function shadow(o) { with (o) { return function () { return v } } }
var o = { v: 1 }, g = shadow(o); o.v = 2; out.push(g()); delete o.v;
try { g() } catch (e) { out.push(e.name) }
with ({ get p() { return 'getter' } }) out.push(p);
with (Object.create({ inherited: 'yes' })) out.push(inherited);
try { with (null) ; } catch (e) { out.push(e.name) }
console.log(out.map(String).join('\n'));
