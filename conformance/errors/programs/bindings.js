//// const-assign
const x = 1;
function main() { x = 2; }
main();
//// const-compound
const x = 1;
x += 2;
//// const-increment
const x = 1;
x++;
//// const-for-of
for (const x of [1]) { x = 2; }
//// const-for-loop
for (const i = 0; i < 2; i++) {}
//// const-destructure
const a = 1;
[a] = [2];
//// const-destructure-object
const a = 1;
({ a } = { a: 2 });
//// const-logical
const x = null;
x ??= 1;
//// const-function-name
'use strict';
const f = function g() { g = 1; };
f();
//// const-class-name
class A { static m() { A = 1; } }
A.m();
//// const-for-in
for (const k in { a: 1 }) k = 1;
//// tdz-let
function main() { use(); let v = 1; function use() { return v; } }
main();
//// tdz-const
x;
const x = 1;
//// tdz-class
new A();
class A {}
//// tdz-self
let a = a;
//// tdz-typeof
typeof z;
let z;
//// tdz-default
function f(a = b, b = 1) {}
f();
//// tdz-default-self
const f = (a = a) => a;
f();
//// tdz-assign
q = 1;
let q;
//// tdz-closure
const get = () => value;
get();
const value = 1;
//// tdz-loop
for (let i = i; i < 1;) {}
//// tdz-extends
class A extends A {}
//// tdz-static
const C = class D { static x = D.y.z; };
//// tdz-switch
switch (1) { case 0: let s; case 1: s; }
//// undeclared
function main() { return missing; }
main();
//// undeclared-call
missing();
//// undeclared-new
new Missing();
//// undeclared-member
missing.x.y;
//// undeclared-assign-member
missing.x = 1;
//// undeclared-template
`a${missing}`;
//// undeclared-shorthand
const o = { missing };
//// undeclared-argument
[1].map(x => x + missing);
//// undeclared-increment
missing++;
//// undeclared-compound
missing += 1;
//// undeclared-default
function f(a = missing) {}
f();
//// undeclared-computed-key
const o = { [missing]: 1 };
//// undeclared-extends
class A extends Missing {}
//// undeclared-spread
[...missing];
//// undeclared-require
const fs2 = requires('fs');
//// undeclared-in-nested
function a() { b(); }
function b() { c(); }
const c = () => { d; };
a();
//// undeclared-iife
(function () { (() => { undefinedThing; })(); })();
//// undeclared-named-iife
(function outer() { (function inner() { undefinedThing; })(); })();
//// destructure-undefined
let o;
const { a } = o;
//// destructure-null
const { a } = null;
//// destructure-no-property
const {} = null;
//// destructure-nested
const { a: { b } } = {};
//// destructure-nested-deep
const { a: { b: { c } } } = { a: {} };
//// destructure-parameter
function f({ a, b }) {}
f();
//// destructure-parameter-null
const f = ({ name }) => name;
f(null);
//// destructure-parameter-nested
function f({ a: { b } }) {}
f({});
//// destructure-default
function f({ a } = null) {}
f();
//// destructure-array-undefined
let o;
const [x] = o;
//// destructure-array-object
const [x] = {};
//// destructure-array-number
const [x, y] = 5;
//// destructure-array-null
const [x] = null;
//// destructure-array-call
function useState() {}
const [state, setState] = useState();
//// destructure-array-call-object
function useState() { return {}; }
const [state, setState] = useState();
//// destructure-array-parameter
function f([a]) {}
f();
//// destructure-array-parameter-object
const f = ([a]) => a;
f({});
//// destructure-assign
let a;
({ a } = undefined);
//// destructure-assign-array
let a;
[a] = undefined;
//// destructure-for-of
for (const { a } of [1, null]) {}
//// destructure-for-of-array
for (const [k, v] of [1]) {}
//// destructure-for-of-entries
for (const [k, v] of { a: 1 }) {}
//// destructure-callback
Object.entries({ a: 1 }).map(([k, [v]]) => v);
//// destructure-rest
const { ...rest } = undefined;
//// destructure-computed
const k = 'q';
const { [k]: v } = undefined;
//// destructure-catch
try { throw undefined; } catch ({ message }) {}
//// destructure-await
async function f() { const { data } = await undefined; }
f();
//// destructure-member
const s = {};
const { a } = s.config;
//// destructure-call
function get() { return null; }
const { a, b } = get();
//// destructure-with-default
const { a = 1 } = null;
//// iterate-object
for (const x of { a: 1 }) {}
//// iterate-number
for (const x of 5) {}
//// iterate-undefined
let list;
function main() { for (const x of list) {} }
main();
//// iterate-member
const o = {};
for (const x of o.items) {}
//// iterate-call
function get() { return 1; }
for (const x of get()) {}
//// iterate-null
for (const x of null) {}
//// iterate-function
for (const x of function () {}) {}
//// spread-undefined
let a;
const b = [...a];
//// spread-object
const b = [...{}];
//// spread-number-member
const o = { n: 5 };
[...o.n];
//// spread-call-undefined
let args;
Math.max(...args);
//// spread-call-object
Math.max(...{});
//// spread-call-number
function f() {}
f(...5);
//// spread-new
new Date(...5);
//// spread-call-result
function get() {}
[...get()];
//// spread-middle
let a;
[1, ...a, 2];
//// spread-call-middle
let a;
Math.max(1, ...a, 2);
//// new-map-number
new Map(5);
//// new-map-entries
new Map([1, 2]);
//// new-map-object
new Map({ a: 1 });
//// new-set-number
new Set(5);
//// new-set-object
new Set({});
//// new-weakset
new WeakSet([1]);
//// weakmap-key
new WeakMap().set('a', 1);
//// weakset-key
new WeakSet().add(1);
//// weakref
new WeakRef(1);
//// promise-all-number
Promise.all(5);
//// promise-all-undefined
async function main() { await Promise.all(); }
main();
//// yield-star-number
function* g() { yield* 5; }
[...g()];
//// yield-star-undefined
function* g() { yield* undefined; }
g().next();
//// iterator-result-number
const o = { [Symbol.iterator]() { return { next() { return 1; } }; } };
for (const x of o) {}
//// iterator-no-next
const o = { [Symbol.iterator]() { return {}; } };
for (const x of o) {}
//// iterator-returns-number
const o = { [Symbol.iterator]() { return 1; } };
[...o];
//// iterator-next-throws
const o = { [Symbol.iterator]() { return { next() { throw new Error('next'); } }; } };
function main() { return [...o]; }
main();
//// iterator-return-not-object
const o = { [Symbol.iterator]() { return { next() { return { value: 1 }; }, return() { return 1; } }; } };
for (const x of o) break;
//// async-iterate-number
async function main() { for await (const x of 5) {} }
main();
//// async-iterate-object
async function main() { for await (const x of {}) {} }
main();
//// array-from-number-next
Array.from({ [Symbol.iterator]: 5 });
//// generator-running
let it;
function* g() { it.next(); yield 1; }
it = g();
it.next();
//// generator-receiver
function* g() {}
g.prototype.next.call({});
//// generator-throw
function* g() { yield 1; }
const it = g();
it.next();
it.throw(new RangeError('thrown in'));
//// generator-error
function* g() { yield 1; missing(); }
function main() { for (const x of g()) {} }
main();
//// generator-spread
function* g() { yield 1; throw new Error('inside'); }
const list = [...g()];
//// generator-delegate
function* a() { yield 1; null.x; }
function* b() { yield* a(); }
function main() { return Array.from(b()); }
main();
//// generator-method
class A { *items() { yield this.x.y; } *[Symbol.iterator]() { yield* this.items(); } }
[...new A()];
