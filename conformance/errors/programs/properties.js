//// read-undefined
let user;
function main() { return user.name; }
main();
//// read-null
const user = null;
user.name;
//// read-chain
const data = { user: {} };
function main() { return data.user.address.street.name; }
main();
//// read-element-string
let o;
o['a b'];
//// read-element-number
let o;
o[0];
//// read-element-computed
let o; const key = 'kk';
o[key];
//// read-element-symbol
let o;
o[Symbol.iterator];
//// read-element-symbol-named
let o;
o[Symbol('my')];
//// read-element-object-key
let o;
o[{ toString() { return 'k'; } }];
//// read-call-result
function get() {}
get().value;
//// read-method-result
const m = new Map();
function main() { return m.get('k').value; }
main();
//// read-array-index
const a = [];
a[0].x;
//// read-array-element-chain
const rows = [[1]];
rows[1][0];
//// read-this
'use strict';
function f() { return this.x; }
f();
//// read-argument
function f(options) { return options.depth; }
f();
//// read-arrow-argument
const f = ({}) => 1, g = o => o.p;
g(null);
//// read-optional
const o = {};
o?.a.b;
//// read-in-callback
[{ a: 1 }, null].map(x => x.a);
//// read-in-sort
[1, undefined, 3].map(x => x).sort((a, b) => a.v - b.v) && [null, null].sort((a, b) => a.v - b.v);
//// read-length
let s;
s.length;
//// read-awaited
async function load() {}
async function main() { const r = await load(); return r.data; }
main();
//// read-destructured
const { a } = {};
a.b;
//// read-regexp-match
'abc'.match(/x/)[0];
//// read-find
[{ id: 1 }].find(x => x.id === 2).id;
//// read-super
class A { constructor() { this.v = super.x.y; } }
new A();
//// read-template
let v;
`value: ${v.x}`;
//// read-new-target
function F() { return new.target.name; }
F();
//// write-undefined
let o;
function main() { o.x = 1; }
main();
//// write-null-element
const o = null;
o[0] = 1;
//// write-chain
const o = {};
o.a.b = 1;
//// write-compound
let o;
o.x += 1;
//// write-increment
let o;
o.count++;
//// write-element-string
let o;
o['a-b'] = 1;
//// write-symbol
let o;
o[Symbol.iterator] = 1;
//// write-logical
let o;
o.x ??= 1;
//// delete-undefined
let o;
delete o.x;
//// delete-null-element
const o = null;
delete o['x'];
//// delete-strict
'use strict';
const o = Object.freeze({ a: 1 });
delete o.a;
//// delete-strict-array-length
'use strict';
delete [].length;
//// write-primitive-strict
'use strict';
const s = 'abc';
s.x = 1;
//// write-string-index-strict
'use strict';
const s = 'abc';
s[0] = 'x';
//// write-string-length-strict
'use strict';
'abc'.length = 1;
//// write-number-strict
'use strict';
(5).x = 1;
//// write-symbol-strict
'use strict';
Symbol.iterator.x = 1;
//// write-frozen
'use strict';
const o = Object.freeze({ a: 1 });
function main() { o.a = 2; }
main();
//// write-frozen-array
'use strict';
const o = Object.freeze([1]);
o[0] = 2;
//// push-frozen
const o = Object.freeze([1]);
o.push(2);
//// pop-frozen
Object.freeze([1]).pop();
//// sort-frozen
Object.freeze([2, 1]).sort();
//// write-new-non-extensible
'use strict';
const o = Object.preventExtensions({});
o.b = 2;
//// write-getter-only
'use strict';
const o = { get x() { return 1; } };
o.x = 2;
//// write-getter-only-class
class A { get x() { return 1; } }
class B { static run() { new A().x = 2; } }
B.run();
//// write-function-name
'use strict';
function f() {}
f.name = 'g';
//// write-nonwritable-global
'use strict';
undefined = 1;
//// write-nan
'use strict';
NaN = 1;
//// write-undeclared-strict
'use strict';
function main() { counter = 1; }
main();
//// write-inherited-readonly
'use strict';
const p = Object.freeze({ a: 1 });
const o = Object.create(p);
o.a = 1;
//// private-read
class A { #x = 1; static get(o) { return o.#x; } }
A.get({});
//// private-write
class A { #x = 1; static set(o) { o.#x = 1; } }
A.set({});
//// private-method
class A { #m() {} static run(o) { o.#m(); } }
A.run({});
//// private-method-write
class A { #m() {} w() { this.#m = 1; } }
new A().w();
//// private-getter-only
class A { get #x() { return 1; } w() { this.#x = 1; } }
new A().w();
//// private-setter-only
class A { set #x(v) {} r() { return this.#x; } }
new A().r();
//// private-static
class A { static #x = 1; static get() { return this.#x; } }
class B extends A {}
B.get();
//// private-in
class A { #x; static has(o) { return #x in o; } }
A.has(1);
//// private-null
class A { #x; static get(o) { return o.#x; } }
A.get(null);
//// private-twice
class Base { constructor(o) { return o; } }
class A extends Base { #x = 1; }
const o = {};
new A(o); new A(o);
//// in-operator
'a' in 'abc';
//// in-operator-undefined
let o;
function main() { return 'a' in o; }
main();
//// in-symbol
Symbol('x') in 5;
//// instanceof-object
({}) instanceof {};
//// instanceof-undefined
let C;
({}) instanceof C;
//// instanceof-arrow
const f = () => {};
({}) instanceof f;
//// instanceof-number
1 instanceof 5;
//// object-define-nonobject
Object.defineProperty(1, 'x', {});
//// object-define-descriptor
Object.defineProperty({}, 'x', 1);
//// object-define-both
Object.defineProperty({}, 'x', { get() {}, value: 1 });
//// object-define-getter
Object.defineProperty({}, 'x', { get: 1 });
//// object-define-setter
Object.defineProperty({}, 'x', { set: 'a' });
//// object-redefine
const o = Object.freeze({ x: 1 });
function main() { Object.defineProperty(o, 'x', { value: 2 }); }
main();
//// object-define-non-extensible
Object.defineProperty(Object.preventExtensions({}), 'x', { value: 2 });
//// object-define-properties
Object.defineProperties({}, { a: 1 });
//// object-create
Object.create(1);
//// object-create-undefined
Object.create();
//// object-setprototypeof
Object.setPrototypeOf({}, 1);
//// object-setprototypeof-undefined
Object.setPrototypeOf(undefined, {});
//// object-setprototypeof-cycle
const a = {}; const b = Object.create(a);
Object.setPrototypeOf(a, b);
//// object-setprototypeof-frozen
Object.setPrototypeOf(Object.freeze({}), {});
//// object-proto-cycle
const a = {}; const b = Object.create(a);
a.__proto__ = b;
//// object-keys-undefined
let config;
function main() { return Object.keys(config); }
main();
//// object-entries-null
Object.entries(null);
//// object-assign-null
Object.assign(null, {});
//// object-assign-readonly
Object.assign(Object.freeze({ a: 1 }), { a: 2 });
//// object-fromentries
Object.fromEntries([1]);
//// object-fromentries-undefined
Object.fromEntries();
//// object-groupby
Object.fromEntries(5);
//// object-tostring-null
const o = Object.create(null);
`${o}`;
//// object-toprimitive
const o = { toString: null, valueOf: null };
o + '';
//// object-getownpropertydescriptor
Object.getOwnPropertyDescriptor(undefined, 'a');
//// reflect-ownkeys
Reflect.ownKeys(1);
//// reflect-defineproperty
Reflect.defineProperty(1, 'a', {});
//// reflect-getprototypeof
Reflect.getPrototypeOf('a');
//// reflect-setprototypeof
Reflect.setPrototypeOf({}, 1);
//// reflect-has
Reflect.has(1, 'x');
//// reflect-get
Reflect.get(1, 'x');
//// arguments-callee
'use strict';
function f() { return arguments.callee; }
f();
//// function-caller
'use strict';
function f() { return f.caller; }
f();
