//// call-in-default
function bad() { throw new Error('x'); }
const { a = bad() } = {};
//// call-in-array-default
function bad() { throw new Error('x'); }
const [a = bad()] = [];
//// call-in-computed-key
function bad() { throw new Error('x'); }
const o = { [bad()]: 1 };
//// call-in-spread-object
function bad() { throw new Error('x'); }
const o = { a: 1, ...bad() };
//// call-in-template-tag
const o = { tag() { throw new Error('x'); } };
o.tag`a${1}`;
//// call-in-for-head
function bad() { throw new Error('x'); }
for (let i = bad(); i < 1; i++) {}
//// call-in-for-test
function bad() { throw new Error('x'); }
for (let i = 0; bad(); i++) {}
//// call-in-for-update
function bad() { throw new Error('x'); }
for (let i = 0; i < 2; bad()) {}
//// call-in-do-while
function bad() { throw new Error('x'); }
do {} while (bad());
//// call-in-for-of
function bad() { throw new Error('x'); }
for (const x of [bad()]) {}
//// call-in-for-in
function bad() { throw new Error('x'); }
for (const k in bad()) {}
//// call-in-case
function bad() { throw new Error('x'); }
switch (1) { case 1: bad(); }
//// call-in-throw
function bad() { throw new Error('x'); }
function f() { throw bad(); }
f();
//// call-in-return-paren
function bad() { throw new Error('x'); }
function f() {
  return (
    bad()
  );
}
f();
//// call-in-conditional
function bad() { throw new Error('x'); }
const r = false ? 1 : bad();
//// call-in-logical
function bad() { throw new Error('x'); }
const r = null ?? bad();
//// call-in-new-args
function bad() { throw new Error('x'); }
new Map(bad());
//// call-in-index
function bad() { throw new Error('x'); }
[1][bad()];
//// call-in-assign
function bad() { throw new Error('x'); }
let v;
v = bad();
//// call-in-member-assign
function bad() { throw new Error('x'); }
const o = {};
o.p = bad();
//// call-in-compound
function bad() { throw new Error('x'); }
let n = 1;
n += 2 * bad();
//// call-in-delete
function bad() { throw new Error('x'); }
delete bad().x;
//// call-in-typeof
function bad() { throw new Error('x'); }
typeof bad();
//// call-in-comma
function bad() { throw new Error('x'); }
1, bad(), 2;
//// call-in-arrow-object
const bad = () => { throw new Error('x'); };
const f = () => ({ a: bad() });
f();
//// call-in-static-field
function bad() { throw new Error('x'); }
class A { static a = 1; static b = bad(); }
//// call-in-class-extends
function bad() { throw new Error('x'); }
class A extends bad() {}
//// call-in-getter-default
class A { get v() { return this.w ?? this.bad(); } bad() { throw new Error('x'); } }
new A().v;
//// call-super-getter
class A { get v() { throw new Error('x'); } }
class B extends A { get v() { return super.v; } }
new B().v;
//// call-super-setter
class A { set v(x) { throw new Error('x'); } }
class B extends A { set v(x) { super.v = x; } }
new B().v = 1;
//// call-static-super
class A { static make() { throw new Error('x'); } }
class B extends A { static make() { return super.make(); } }
B.make();
//// call-object-super
const base = { hi() { throw new Error('x'); } };
const o = { __proto__: base, hi() { super.hi(); } };
o.hi();
//// call-closure-loop
const fs = [];
for (let i = 0; i < 2; i++) fs.push(() => { throw new Error('n' + i); });
fs[1]();
//// call-class-in-function
function make() { return class Inner { go() { throw new Error('x'); } }; }
const K = make();
new K().go();
//// call-anonymous-class-in-function
function make() { return class { go() { throw new Error('x'); } }; }
const K = make();
new K().go();
//// call-method-via-var
const o = { m() { throw new Error('x'); } };
const m = o.m.bind(o);
m();
//// call-after-await
async function f() { await null; const g = () => { throw new Error('x'); }; g(); }
f();
//// call-in-catch
function bad() { throw new Error('second'); }
try { throw new Error('first'); } catch { bad(); }
//// call-in-finally
function bad() { throw new Error('second'); }
function f() { try { return 1; } finally { bad(); } }
f();
//// call-labelled
function bad() { throw new Error('x'); }
outer: for (;;) { for (;;) { bad(); break outer; } }
//// call-block
function bad() { throw new Error('x'); }
{ const x = 1; { bad(x); } }
//// call-chained-methods
class P { constructor() { this.n = 0; } a() { this.n++; return this; } b() { throw new Error('x'); } }
new P().a().a().b().a();
//// call-chained-lines
const p = { then1(f) { f(); return this; } };
p
  .then1(() => 1)
  .then1(() => { throw new Error('x'); })
  .then1(() => 2);
//// call-nested-args
const add = (a, b) => { if (b === undefined) throw new Error('x'); return a + b; };
add(add(1, 2), add(3));
//// call-reduce-right
['a'].reduceRight((acc, k) => acc[k].x, {});
//// read-element-variable
function f(list, i) { return list[i].name; }
f([{}], 3);
//// read-element-deep
function f(grid, y, x) { return grid[y][x]; }
f([[1]], 2, 0);
//// read-element-call
function f(m) { return m['get']('x').y; }
f(new Map());
//// read-length-deep
function f(o) { if (o.list.length) return 1; }
f({});
//// read-in-condition
function f(o) { while (o.next.more) o = o.next; }
f({});
//// read-in-argument
function f(o) { return String(o.a.b); }
f({});
//// read-in-object-literal
function f(o) { return { x: 1, y: o.a.b }; }
f({});
//// read-in-array-literal
function f(o) { return [1, o.a.b]; }
f({});
//// read-in-template
function f(o) { return `x ${o.a.b} y`; }
f({});
//// read-in-new
function f(o) { return new Date(o.a.b); }
f({});
//// read-in-throw
function f(o) { throw o.a.b; }
f({});
//// read-in-spread
function f(o) { return [...o.a.b]; }
f({});
//// read-in-default
function f(o, p = o.a.b) {}
f({});
//// read-in-comparison
function f(o) { return o.a.b > 1; }
f({});
//// read-in-comparison-right
function f(o) { return 1 > o.a.b; }
f({});
//// read-in-arithmetic-right
function f(o, n) { return n * o.a.b; }
f({});
//// read-in-logical
function f(o) { return o.x || o.a.b; }
f({});
//// read-after-local-call
function f(o) { const g = o.get(); return g.x; }
f({ get() {} });
//// set-element-deep
function f(o) { o.a['k'] = 1; }
f({});
//// set-element-variable
function f(o, k) { o.a[k] = 1; }
f({}, 'z');
//// set-on-call-result
function f(o) { o.get().x = 1; }
f({ get() {} });
//// set-this-undefined
'use strict';
function F() { this.x = 1; }
F();
//// destructure-local
function f(o) { const { a } = o.b; return a; }
f({});
//// destructure-local-assign
function f(o) { let a; ({ a } = o.b); return a; }
f({});
//// destructure-return-call
function f(o) { const { a, b } = o.get(); }
f({ get() {} });
//// destructure-array-local
function f(o) { const [a] = o.b; }
f({});
//// destructure-array-local-variable
function f(list) { const [a, b] = list; }
f(7);
//// for-of-local
function f(list) { for (const x of list) {} }
f(7);
//// for-of-member-local
function f(o) { for (const x of o.list) {} }
f({});
//// for-of-call-local
function f(o) { for (const x of o.list()) {} }
f({ list() {} });
//// for-of-entries
for (const [k, v] of Object.entries(undefined)) {}
//// for-of-destructure-call
function f(o) { for (const { a: { b } } of o) b; }
f([{}]);
//// const-in-closure
const n = 1;
const inc = () => { n++; };
inc();
//// tdz-in-closure
const f = () => later + 1;
f();
let later = 1;
//// tdz-class-method
class A { static make() { return new B(); } }
A.make();
class B {}
//// undeclared-in-return
function f() { return 1 + nope; }
f();
//// undeclared-in-call-arg
function f(x) { f2(x, nope); }
function f2() {}
f(1);
//// undeclared-in-condition
function f() { if (nope) return 1; }
f();
//// undeclared-in-condition-right
function f(x) { if (x && nope) return 1; }
f(1);
//// undeclared-method-call
function f() { nope.run(); }
f();
//// undeclared-in-template
function f() { return `a ${nope}`; }
f();
//// undeclared-in-object
function f() { return { a: nope }; }
f();
//// undeclared-in-array
function f() { return [nope]; }
f();
//// undeclared-in-variable
function f() { const v = nope; }
f();
//// undeclared-in-assignment
function f() { let v; v = nope; }
f();
//// undeclared-in-loop
function f() { for (let i = 0; i < nope; i++) {} }
f();
//// undeclared-in-return-member
function f(o) { return o.x(nope); }
f({});
//// undeclared-in-throw
function f() { throw new Nope('x'); }
f();
//// undeclared-in-await
async function f() { await nope(); }
f();
//// not-a-function-local
function f(cb) { cb(); }
f(1);
//// not-a-function-result
function f(o) { const r = o.a.b(); return r; }
f({ a: {} });
//// not-a-function-argument
function f(o) { return Math.max(o.a(), 1); }
f({});
//// not-a-function-return
function f(o) { return o.run(); }
f({});
//// not-a-function-await
async function f(o) { const r = await o.load(); }
f({});
//// not-a-function-index
function f(o, k) { return o[k](); }
f({}, 'x');
//// not-a-function-new
function f(o) { return new o.Thing(); }
f({});
//// not-a-function-condition
function f(o) { if (o.ok()) return 1; }
f({});
//// not-a-function-template
function f(o) { return `x${o.name()}`; }
f({ name: 'n' });
