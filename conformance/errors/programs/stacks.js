//// plain-functions
function a() { b(); }
function b() { c(); }
function c() { throw new Error('deep'); }
a();
//// methods
const o = { m() { throw new Error('m'); }, f: function () { this.m(); }, a: () => o.f() };
o.a();
//// alias
const o = { m() { throw new Error('m'); } };
o.other = o.m;
o.other();
//// alias-class
class A { m() { throw new Error('m'); } }
A.prototype.n = A.prototype.m;
new A().n();
//// constructors
class A { constructor() { throw new Error('c'); } }
class B extends A { constructor() { super(); } }
class C extends B {}
new C();
//// function-constructor
function Foo() { this.init(); }
Foo.prototype.init = function () { throw new Error('init'); };
new Foo();
//// this-method-assigned
function Foo() { this.run = function () { throw new Error('run'); }; }
new Foo().run();
//// prototype-arrow
function Foo() {}
Foo.prototype.a = { b: () => { throw new Error('ab'); } };
new Foo().a.b();
//// static-method
class Foo { static make() { return new Foo(); } constructor() { throw new Error('made'); } }
Foo.make();
//// static-private
class Foo { static #p() { throw new Error('p'); } static run() { this.#p(); } }
Foo.run();
//// static-on-function
function Foo() {}
Foo.make = function () { throw new Error('made'); };
Foo.make();
//// getter-setter
const o = { get a() { this.b = 1; }, set b(v) { throw new Error('set'); } };
o.a;
//// class-getter
class A { get value() { return this.compute(); } compute() { throw new Error('v'); } }
class B extends A {}
new B().value;
//// static-getter
class A { static get value() { throw new Error('v'); } }
A.value;
//// private-method
class A { #p() { throw new Error('p'); } q() { this.#p(); } }
new A().q();
//// private-getter
class A { get #p() { throw new Error('p'); } q() { return this.#p; } }
new A().q();
//// computed-method
const k = 'dyn';
const o = { [k]() { throw new Error('d'); }, [Symbol.iterator]() { return this.dyn(); } };
for (const x of o) {}
//// symbol-method-class
class A { [Symbol.toPrimitive]() { throw new Error('p'); } }
`${new A()}`;
//// symbol-other
const s = Symbol('mine');
const o = { [s]() { throw new Error('s'); } };
o[s]();
//// symbol-getter
const o = { get [Symbol.toStringTag]() { throw new Error('s'); } };
Object.prototype.toString.call(o);
//// field-initializer
class A { x = fail(); }
function fail() { throw new Error('field'); }
new A();
//// field-arrow
class A { handler = () => { throw new Error('arrow'); }; }
new A().handler();
//// field-function
class A { handler = function () { throw new Error('fn'); }; }
new A().handler();
//// static-block
class A { static { A.init(); } static init() { throw new Error('i'); } }
//// static-field
class A { static x = A.init(); static init() { throw new Error('i'); } }
//// computed-key-throws
class A { [fail()]() {} }
function fail() { throw new Error('key'); }
//// anonymous
(function () { (() => { throw new Error('x'); })(); })();
//// anonymous-argument
function call(f) { return f(); }
call(function () { call(() => { throw new Error('x'); }); });
//// named-by-variable
const f = function () { g(); };
let g;
g = () => { h(); };
var h = class { static m() { throw new Error('x'); } }.m;
f();
//// named-by-default
function run(cb = () => { throw new Error('x'); }) { cb(); }
run();
//// named-by-destructuring
const { f = () => { throw new Error('x'); } } = {};
f();
//// named-by-property
const o = { a: { b: { c: function () { throw new Error('x'); } } } };
o.a.b.c();
//// inferred-member
const ns = {};
ns.util = {};
ns.util.run = function () { throw new Error('x'); };
ns.util.run();
//// inferred-element
const t = {};
t['a-b'] = function () { throw new Error('x'); };
t['a-b']();
//// inferred-computed
const t = {}; const k = 'kk';
t[k] = function () { throw new Error('x'); };
t.kk();
//// inferred-computed-number
const t = [];
t[0] = () => { throw new Error('x'); };
t[0]();
//// inferred-arrow
const t = {};
t.go = () => { throw new Error('x'); };
t.go();
//// inferred-in-function
function setup(target) { target.act = function () { throw new Error('x'); }; return target; }
setup({}).act();
//// inferred-in-constructor
function Widget() { this.parts = {}; this.parts.paint = () => { throw new Error('x'); }; }
new Widget().parts.paint();
//// inferred-window
var App = App || {};
App.start = function () { App.util.log(); };
App.util = { log: function () { throw new Error('x'); } };
App.start();
//// inferred-class
const ns = {};
ns.Thing = class { go() { throw new Error('x'); } };
new ns.Thing().go();
//// inferred-class-ctor
const ns = {};
ns.Thing = class { constructor() { throw new Error('x'); } };
new ns.Thing();
//// inferred-function-ctor
const ns = {};
ns.Thing = function () { throw new Error('x'); };
new ns.Thing();
//// anonymous-ctor
new (class { constructor() { throw new Error('x'); } })();
//// anonymous-function-ctor
new (function () { throw new Error('x'); })();
//// returned-function
function make() { return function () { throw new Error('x'); }; }
const f = make();
f();
//// returned-arrow
const make = n => m => { throw new Error('x' + n + m); };
make(1)(2);
//// returned-object
const make = () => ({ run() { throw new Error('x'); } });
make().run();
//// array-of-functions
const list = [function () { throw new Error('x'); }, () => list[0]()];
list[1]();
//// name-property
function f() { throw new Error('x'); }
Object.defineProperty(f, 'name', { value: 'renamed' });
f();
//// name-property-not-string
function f() { throw new Error('x'); }
Object.defineProperty(f, 'name', { value: 5 });
f();
//// static-name
class A { static name = 'Other'; constructor() { throw new Error('x'); } static run() { new A(); } }
A.run();
//// constructor-name-removed
class A { run() { throw new Error('x'); } }
delete A.prototype.constructor;
new A().run();
//// constructor-overridden
class A { run() { throw new Error('x'); } }
const a = new A();
a.constructor = function Fake() {};
a.run();
//// tostringtag
class A { get [Symbol.toStringTag]() { return 'Tagged'; } run() { throw new Error('x'); } }
new A().run();
//// null-prototype
const o = { __proto__: null, run() { throw new Error('x'); } };
o.run();
//// primitive-receiver
String.prototype.shout = function () { 'use strict'; throw new Error(this + '!'); };
'hi'.shout();
//// primitive-receiver-sloppy
Number.prototype.twice = function () { throw new Error('x'); };
(5).twice();
//// array-receiver
Array.prototype.last = function () { throw new Error('x'); };
[1].last();
//// call-with-receiver
function f() { throw new Error('x'); }
f.call([]);
//// apply-with-receiver
function f() { throw new Error('x'); }
f.apply(new Map(), [1]);
//// bound
const f = function inner() { throw new Error('x'); }.bind({ a: 1 });
f();
//// bound-method
class A { run() { throw new Error('x'); } }
const run = new A().run.bind(new A());
[1].forEach(run);
//// method-detached
const { m } = { m() { throw new Error('x'); } };
m();
//// method-detached-strict
'use strict';
const { m } = { m() { throw new Error('x'); } };
m();
//// global-this-method
globalThis.go = function () { throw new Error('x'); };
globalThis.go();
//// map-callback
[1, 2].map(function double(x) { throw new Error('x'); });
//// nested-callbacks
[[1]].forEach(row => row.forEach(cell => { throw new Error('cell'); }));
//// reduce-callback
function sum(list) { return list.reduce((a, b) => { throw new Error('x'); }, 0); }
sum([1]);
//// sort-callback
[2, 1].sort(function compare(a, b) { return a.x.y; });
//// find-callback
[1].find(x => x.a.b);
//// filter-some-every
[1].filter(() => [1].some(() => [1].every(() => { throw new Error('x'); })));
//// flatmap
[1].flatMap(x => { throw new Error('x'); });
//// findlast
[1].findLastIndex(x => { throw new Error('x'); });
//// reduceright
[1, 2].reduceRight((a, b) => { throw new Error('x'); });
//// array-from-callback
Array.from([1], x => { throw new Error('x'); });
//// array-from-class
class List extends Array {}
List.from([1], x => { throw new Error('x'); });
//// typedarray-callback
new Uint8Array(2).map(x => { throw new Error('x'); });
//// typedarray-sort
new Uint8Array(2).sort((a, b) => { throw new Error('x'); });
//// typedarray-from
Uint8Array.from([1], x => { throw new Error('x'); });
//// map-foreach
new Map([[1, 2]]).forEach((v, k) => { throw new Error('x'); });
//// set-foreach
new Set([1]).forEach(v => { throw new Error('x'); });
//// map-constructor-iterates
new Map({ *[Symbol.iterator]() { throw new Error('x'); } });
//// replace-callback
'abc'.replace(/b/g, m => { throw new Error(m); });
//// replace-string-callback
'abc'.replace('b', m => { throw new Error(m); });
//// replaceall-callback
'abc'.replaceAll('b', m => { throw new Error(m); });
//// split-symbol
'abc'.split({ [Symbol.split]() { throw new Error('x'); } });
//// json-stringify-replacer
JSON.stringify({ a: 1 }, function replacer(k, v) { if (k) throw new Error(k); return v; });
//// json-stringify-tojson
class A { toJSON() { throw new Error('x'); } }
JSON.stringify({ list: [new A()] });
//// json-stringify-getter
JSON.stringify({ get a() { throw new Error('x'); } });
//// json-parse-reviver
JSON.parse('[1]', (k, v) => { throw new Error('x'); });
//// object-entries-getter
Object.entries({ get a() { throw new Error('x'); } });
//// object-assign-getter
Object.assign({}, { get a() { throw new Error('x'); } });
//// object-assign-setter
Object.assign({ set a(v) { throw new Error('x'); } }, { a: 1 });
//// spread-getter
const o = { ...{ get a() { throw new Error('x'); } } };
//// destructure-getter
const { a } = { get a() { throw new Error('x'); } };
//// object-defineproperty-trap
Object.defineProperty(new Proxy({}, { defineProperty() { throw new Error('x'); } }), 'a', {});
//// proxy-get
const p = new Proxy({}, { get(t, k) { throw new Error(String(k)); } });
p.thing;
//// proxy-set
const handler = { set(t, k, v) { throw new Error(k); } };
new Proxy({}, handler).thing = 1;
//// proxy-construct
new (new Proxy(class A {}, { construct(t, args) { throw new Error('c'); } }))();
//// proxy-apply
new Proxy(() => {}, { apply: (t, self, args) => { throw new Error('a'); } })(1);
//// proxy-apply-forward
function target() { throw new Error('t'); }
new Proxy(target, {})();
//// proxy-receiver
const p = new Proxy({ m() { throw new Error('x'); } }, {});
p.m();
//// reflect-apply
function f() { throw new Error('x'); }
Reflect.apply(f, { a: 1 }, []);
//// reflect-construct
class A { constructor() { throw new Error('x'); } }
Reflect.construct(A, []);
//// reflect-get-getter
Reflect.get({ get a() { throw new Error('x'); } }, 'a');
//// function-apply-nested
function f() { throw new Error('x'); }
Function.prototype.apply.call(f, undefined, []);
//// tostring-in-concat
class Money { toString() { throw new Error('x'); } }
'' + new Money();
//// valueof-in-compare
const o = { valueOf() { throw new Error('x'); } };
o < 1;
//// tostring-in-join
[{ toString() { throw new Error('x'); } }].join();
//// tostring-in-string
String({ toString() { throw new Error('x'); } });
//// tostring-in-key
({})[{ toString() { throw new Error('x'); } }];
//// valueof-in-math
Math.max({ valueOf() { throw new Error('x'); } });
//// valueof-in-number-method
(1).toFixed({ valueOf() { throw new Error('x'); } });
//// tostring-in-error
new Error({ toString() { throw new Error('x'); } });
//// hasinstance
class A { static [Symbol.hasInstance]() { throw new Error('x'); } }
({}) instanceof A;
//// iterator-close
const it = { [Symbol.iterator]() { return this; }, next() { return { value: 1, done: false }; }, return() { throw new Error('closed'); } };
for (const x of it) break;
//// iterator-next
class It { [Symbol.iterator]() { return this; } next() { throw new Error('next'); } }
for (const x of new It()) {}
//// generator-for-of
function* numbers() { yield 1; throw new Error('gen'); }
function main() { for (const n of numbers()) {} }
main();
//// generator-next
function* numbers() { throw new Error('gen'); }
const it = numbers();
it.next();
//// generator-return-finally
function* g() { try { yield 1; } finally { throw new Error('finally'); } }
const it = g(); it.next();
it.return(5);
//// generator-yield-star
function* inner() { throw new Error('inner'); }
function* outer() { yield* inner(); }
[...outer()];
//// generator-destructure
function* g() { throw new Error('x'); }
const [a] = g();
//// generator-method
const o = { *g() { throw new Error('x'); } };
o.g().next();
//// generator-expression
const g = function* () { throw new Error('x'); };
Array.from(g());
//// generator-in-map
function* g() { throw new Error('x'); }
new Map(g());
//// generator-in-set-spread
function* g() { throw new Error('x'); }
Math.max(...g());
//// eval-direct
function main() { eval('throw new Error("in eval")'); }
main();
//// eval-function
eval('function inEval() { throw new Error("x"); }');
function main() { inEval(); }
main();
//// eval-indirect
const e = eval;
function main() { e('throw new Error("in eval")'); }
main();
//// eval-nested
function main() { eval('(function f() { eval("throw new Error(1)"); })()'); }
main();
//// eval-multiline
eval('const a = 1;\nfunction g() {\n  throw new Error("x");\n}\ng();');
//// new-function
const f = new Function('a', 'throw new Error("x");');
function main() { f(1); }
main();
//// new-function-method
const o = { f: new Function('this.g()'), g() { throw new Error('x'); } };
o.f();
//// error-created-elsewhere
function make() { return new Error('made'); }
const e = make();
function raise() { throw e; }
raise();
//// rethrown
function risky() { throw new TypeError('first'); }
try { risky(); } catch (e) { throw e; }
//// rethrown-changed
function risky() { throw new TypeError('first'); }
try { risky(); } catch (e) { e.message = 'changed'; throw e; }
//// rethrown-read-first
function risky() { throw new TypeError('first'); }
try { risky(); } catch (e) { e.stack; e.message = 'changed'; e.name = 'N'; throw e; }
//// cause
function risky() { null.x; }
try { risky(); } catch (e) { throw new Error('wrapped', { cause: e }); }
//// finally
function f() { try { throw new Error('a'); } finally { g(); } }
function g() { throw new Error('b'); }
f();
//// custom-class
class ValidationError extends Error { constructor(m) { super(m); this.name = 'ValidationError'; } }
function check() { throw new ValidationError('bad'); }
check();
//// custom-class-plain
class MyError extends Error {}
throw new MyError('plain');
//// custom-class-name-getter
class MyError extends Error { get name() { return 'Getter'; } }
throw new MyError('plain');
//// custom-class-prototype-name
class MyError extends TypeError {}
MyError.prototype.name = 'MyError';
throw new MyError('plain');
//// custom-class-field
class MyError extends Error { name = 'FieldName'; code = 5; }
throw new MyError('plain');
//// custom-class-constructor-name
class MyError extends Error { constructor(m) { super(m); this.name = this.constructor.name; } }
class Sub extends MyError {}
throw new Sub('s');
//// custom-capture
class MyError extends Error { constructor(m) { super(m); Error.captureStackTrace(this, MyError); this.name = 'My'; } }
function f() { throw new MyError('x'); }
f();
//// custom-capture-target
class MyError extends Error { constructor(m) { super(m); Error.captureStackTrace(this, new.target); } }
class Sub extends MyError {}
function f() { throw new Sub('x'); }
f();
//// custom-old-style
function OldError(message) { this.message = message; this.name = 'OldError'; Error.captureStackTrace(this, OldError); }
OldError.prototype = Object.create(Error.prototype);
function f() { throw new OldError('old'); }
f();
//// capture-plain-object
const o = { name: 'Plain', message: 'object' };
function f() { Error.captureStackTrace(o); throw o; }
f();
//// capture-above
function outer() { inner(); }
function inner() { const o = {}; Error.captureStackTrace(o, inner); throw o; }
outer();
//// capture-not-running
function other() {}
function f() { const o = {}; Error.captureStackTrace(o, other); throw o; }
f();
//// stack-trace-limit
Error.stackTraceLimit = 2;
function a() { b(); } function b() { c(); } function c() { throw new Error('x'); }
a();
//// stack-trace-limit-zero
Error.stackTraceLimit = 0;
function a() { throw new Error('x'); }
a();
//// stack-trace-limit-more
Error.stackTraceLimit = 20;
function f(n) { if (n === 0) throw new Error('x'); f(n - 1); }
f(14);
//// stack-trace-limit-bad
Error.stackTraceLimit = 'a';
function a() { throw new Error('x'); }
a();
//// stack-trace-limit-deleted
delete Error.stackTraceLimit;
function a() { throw new Error('x'); }
a();
//// deep-recursion-ten
function f(n) { if (n === 0) throw new Error('x'); f(n - 1); }
f(30);
//// stack-assigned
const e = new Error('x');
e.stack = 'my own stack';
throw e;
//// no-message
function f() { throw new Error(); }
f();
//// message-empty-name-empty
const e = new Error('');
e.name = '';
throw e;
//// multi-line-message
throw new Error('line one\nline two');
//// message-object
throw new Error({ a: 1 });
//// message-symbol-name
const e = new Error('x');
e.name = 5;
throw e;
//// error-call
function f() { throw Error('called'); }
f();
//// aggregate
throw new AggregateError([new Error('a'), new TypeError('b')], 'many');
//// aggregate-no-message
throw new AggregateError([]);
//// throw-string
function f() { throw 'text'; }
f();
//// throw-number
throw 42;
//// throw-undefined
throw undefined;
//// throw-null
throw null;
//// throw-object
throw { code: 1, toString() { return 'custom'; } };
//// throw-symbol
throw Symbol('s');
//// throw-function
throw function named() {};
//// throw-array
throw [1, 2];
//// throw-error-like
throw { name: 'Fake', message: 'not an error', stack: 'Fake: not an error\n    at nowhere' };
//// proto-error
throw Object.create(new Error('proto'));
//// position-throw
function f(x) {
  if (x) {
    const e = new Error('x'); throw e;
  }
}
f(1);
//// position-chain
const o = { a: { b() { return { c() { throw new Error('x'); } }; } } };
o
  .a
  .b()
  .c();
//// position-arguments
function id(x) { return x; }
function bad() { throw new Error('x'); }
id(id(1), id(bad()));
//// position-binary
function bad() { throw new Error('x'); }
1 + 2 * bad();
//// position-template
function bad() { throw new Error('x'); }
`a ${1} b ${bad()}`;
//// position-return
function bad() { throw new Error('x'); }
function f() { return bad(); }
f();
//// position-arrow-expression
const bad = () => { throw new Error('x'); };
const f = () => bad();
f();
//// position-new
class A { constructor() { throw new Error('x'); } }
function f() { return   new A(1, 2); }
f();
//// position-new-member
const ns = { A: class A { constructor() { throw new Error('x'); } } };
const x = new ns.A();
//// position-tagged
function tag() { throw new Error('x'); }
const s = tag`a${1}`;
//// position-optional
const o = { f() { throw new Error('x'); } };
o?.f?.();
//// position-element-call
const o = { f() { throw new Error('x'); } };
o['f']();
//// position-spread-call
function f() { throw new Error('x'); }
f(...[1, 2]);
//// position-spread-new
class A { constructor() { throw new Error('x'); } }
new A(...[1]);
//// position-super-call
class A { constructor() { throw new Error('x'); } }
class B extends A { constructor() { const a = 1; super(a); } }
new B();
//// position-super-method
class A { m() { throw new Error('x'); } }
class B extends A { m() { return super.m(); } }
new B().m();
//// position-getter
const o = { get a() { throw new Error('x'); } };
const v = 1 + o.a;
//// position-setter
const o = { set a(v) { throw new Error('x'); } };
o.a = 5;
//// position-element-getter
const o = { get a() { throw new Error('x'); } };
o['a'];
//// position-increment
const o = { valueOf() { throw new Error('x'); } };
let p = o;
p++;
//// position-compound
const o = { valueOf() { throw new Error('x'); } };
let p = 1;
p += o;
//// position-unary
const o = { valueOf() { throw new Error('x'); } };
const q = -o;
//// position-compare
const o = { valueOf() { throw new Error('x'); } };
if (1 < o) {}
//// position-loose-equal
const o = { valueOf() { throw new Error('x'); } };
if (o == 1) {}
//// position-for-of
const it = { [Symbol.iterator]() { throw new Error('x'); } };
for (const x of it) {}
//// position-for-of-next
const it = { [Symbol.iterator]() { return { next() { throw new Error('x'); } }; } };
for (const x of it) {
}
//// position-spread
const it = { [Symbol.iterator]() { throw new Error('x'); } };
const a = [1, ...it];
//// position-destructure
const it = { [Symbol.iterator]() { throw new Error('x'); } };
const [a] = it;
//// position-destructure-parameter
const it = { [Symbol.iterator]() { throw new Error('x'); } };
function f([a]) {}
f(it);
//// position-default-parameter
function bad() { throw new Error('x'); }
function f(a, b = bad()) {}
f(1);
//// position-in
1 in new Proxy({}, { has() { throw new Error('x'); } });
//// position-delete
delete new Proxy({}, { deleteProperty() { throw new Error('x'); } }).abc;
//// position-for-in
for (const k in new Proxy({}, { ownKeys() { throw new Error('x'); } })) {}
//// position-throw-expression
function f() { throw g(); }
function g() { return new RangeError('x'); }
f();
//// position-unicode
const s = '𝒳é'; function f() { throw new Error('x'); } f();
//// position-tabs
	function f() {
		throw new Error('x');
	}
	f();
//// position-instanceof
const o = { a: 1 };
const r = 1 + (o instanceof o.a);
//// position-in-operator
const o = 'x';
const r = 1 + ('a' in o);
//// position-class-extends
const o = {};
const C = class Foo extends o.Base {};
//// position-yield
function* g() { const x = yield 1; x.y.z; }
const it = g(); it.next();
it.next({});
//// position-switch
function f() { throw new Error('x'); }
switch (1) { case f(): }
//// position-while
function f() { throw new Error('x'); }
while (f()) {}
//// position-object-literal
function f() { throw new Error('x'); }
const o = {
  a: 1,
  b: f(),
};
//// position-array-literal
function f() { throw new Error('x'); }
const o = [
  1,
  f(),
];
//// position-multi-line-call
function f() { throw new Error('x'); }
f(
  1,
  2,
);
//// position-multi-line-member-read
let o = {};
o.a
  .b
  .c;
//// position-const-assign
function f() {
  const a = 1;
  if (a)   a = 2;
}
f();
//// position-iife-arrow
(() => {
  (async () => {
    throw new Error('x');
  })();
})();
