//// call-undefined-variable
let f;
function main() { return f(1); }
main();
//// call-member
const a = {};
function main() { a.b(); }
main();
//// call-member-chain
const a = { b: {} };
function main() { a.b.c.d(); }
main();
//// call-member-missing-deep
const a = { b: {} };
function main() { return a.b.c(); }
main();
//// call-element
const a = {};
a['b']();
//// call-element-number
const list = [1];
list[0]();
//// call-computed
const a = {}; const k = 'key';
function main() { a[k](); }
main();
//// call-computed-symbol
const a = {};
a[Symbol.iterator]();
//// call-optional-not-function
const a = { b: 1 };
a?.b();
//// call-optional-call
const a = { b: 1 };
a.b?.();
//// call-optional-null-base
const a = null;
a?.b.c; a.b?.c();
//// call-result
function f() { return 1; }
f()();
//// call-method-result
const o = { m() { return null; } };
function main() { o.m()(); }
main();
//// call-literal
function main() { 'abc'(); }
main();
//// call-number
const n = 5;
n();
//// call-object-literal
({})();
//// call-array-literal
[1, 2]();
//// call-missing-semicolon
function main() {
  const x = 1
  (function () {})()
}
main();
//// call-this
function main() { this.go(); }
main.call({});
//// call-this-undefined
'use strict';
function main() { this.go(); }
main();
//// call-super-method
class A {}
class B extends A { m() { super.m(); } }
new B().m();
//// call-private
class A { #x = 1; m() { this.#x(); } }
new A().m();
//// call-tagged-template
const tag = undefined;
function main() { return tag`a${1}b`; }
main();
//// call-tagged-member
const o = {};
o.tag`x`;
//// call-parenthesized
const o = {};
(o.f)();
//// call-comma
const o = {};
(0, o.f)();
//// call-conditional
let a, b;
(true ? a : b)();
//// call-logical
let a, b;
(a || b)();
//// call-await
async function main() { const x = 1; (await x)(); }
main();
//// call-new-result
function F() {}
new F()();
//// call-arrow-body
const run = cb => cb();
run();
//// call-default-argument
function f(cb = null) { cb(); }
f();
//// call-in-argument
const o = {};
Math.max(1, o.value());
//// call-spread
const o = {};
o.push(...[1, 2]);
//// call-long-chain
const s = [1, 2, 3];
s.map(x => x).filter(x => x).toList().first();
//// call-function-then-member
function get() { return {}; }
get().run();
//// call-nested-call
function get() { return { a: {} }; }
get().a.b();
//// call-import-like
const mod = { default: {} };
mod.default();
//// call-class-without-new
class Foo {}
function main() { Foo(); }
main();
//// call-anonymous-class
(class {})();
//// call-class-expression-name
const A = class B {};
A();
//// call-builtin-without-new
function main() { return Map(); }
main();
//// call-promise-without-new
Promise(() => {});
//// call-symbol-new
new Symbol();
//// call-bigint-new
new BigInt(1);
//// new-undefined
let F;
new F();
//// new-member
const ns = {};
function main() { return new ns.Foo(1); }
main();
//// new-arrow
const F = () => {};
new F();
//// new-method
const o = { m() {} };
new o.m();
//// new-number
new (5)();
//// new-builtin-method
new Math.max(1);
//// new-parseInt
new parseInt('1');
//// new-async
async function f() {}
new f();
//// new-generator
function* g() {}
new g();
//// new-call-result
function f() { return 1; }
new (f())();
//// new-spread
const F = 1;
new F(...[1]);
//// extends-undefined
let Base;
class A extends Base {}
//// extends-object
class A extends ({}) {}
//// extends-arrow
const f = () => {};
class A extends f {}
//// extends-generator-proto
function f() {}
f.prototype = 3;
class A extends f {}
//// super-not-called
class A {}
class B extends A { constructor() { this.x = 1; } }
new B();
//// super-not-called-empty
class A {}
class B extends A { constructor() {} }
new B();
//// super-twice
class A {}
class B extends A { constructor() { super(); super(); } }
new B();
//// super-null
class A extends null { constructor() { super(); } }
new A();
//// derived-returns-primitive
class A {}
class B extends A { constructor() { super(); return 1; } }
new B();
//// super-changed-proto
class A {}
class B extends A { constructor() { super(); } }
Object.setPrototypeOf(B, {});
new B();
//// callback-map
[1].map(undefined);
//// callback-map-value
function main() { return [1].map(3); }
main();
//// callback-foreach-object
[1].forEach({ a: 1 });
//// callback-sort
[1, 2].sort('asc');
//// callback-reduce
[].reduce((a, b) => a + b);
//// callback-reduce-none
[1].reduce();
//// callback-find-string
[1].find('x');
//// callback-filter-array
[1].filter([1]);
//// callback-from
Array.from([1], 'x');
//// callback-map-object
new Map().forEach(null);
//// callback-then
Promise.resolve().then(() => { undefinedFunction(); });
//// callback-promise-executor
new Promise(1);
//// callback-replace
'abc'.replace(/b/, () => missing());
//// callback-getter
const o = { get x() { return this.y.z; } };
function main() { return o.x; }
main();
//// callback-setter
const o = { set x(v) { v.a.b; } };
o.x = {};
//// callback-valueof
const o = { valueOf() { throw new Error('valueOf'); } };
o + 1;
//// callback-tostring
const o = { toString: () => { throw new TypeError('no string'); } };
`${o}`;
//// callback-toprimitive
const o = { [Symbol.toPrimitive]: 1 };
+o;
//// callback-iterator-not-function
const o = { [Symbol.iterator]: 1 };
[...o];
//// callback-json-tojson
JSON.stringify({ a: { toJSON() { throw new Error('json'); } } });
//// callback-reviver
JSON.parse('{"a":1}', function (k, v) { return v.x.y; });
//// callback-apply
Math.max.apply(null, 5);
//// callback-bind
Function.prototype.bind.call(5);
//// callback-call
Function.prototype.call.call(5);
//// callback-reflect-apply
Reflect.apply(1, null, []);
//// callback-reflect-construct
Reflect.construct(() => {}, []);
//// function-prototype-tostring
Function.prototype.toString.call({});
