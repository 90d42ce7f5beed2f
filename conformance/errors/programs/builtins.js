//// array-length-negative
function main() { return new Array(-1); }
main();
//// array-length-fraction
new Array(1.5);
//// array-length-assign
const a = [];
a.length = -1;
//// array-length-call
Array(-5);
//// array-with
[1].with(5, 1);
//// array-flat-null
Array.prototype.flat.call(null);
//// array-concat-undefined
Array.prototype.concat.call(undefined);
//// array-from-undefined
Array.from();
//// array-of
Array.prototype.map.call(undefined, x => x);
//// array-copywithin
Array.prototype.at.call(null, 1);
//// array-includes
Array.prototype.includes.call(undefined, 1);
//// array-tosorted
[1].toSorted('x');
//// array-tospliced
[].toSpliced.call(null);
//// array-join-symbol
[Symbol('x')].join();
//// string-repeat-negative
function main() { return 'x'.repeat(-1); }
main();
//// string-repeat-infinity
'x'.repeat(Infinity);
//// string-repeat-huge
'x'.repeat(2 ** 30);
//// string-padstart
'x'.padStart(2 ** 30);
//// string-concat-long
let s = 'x'.repeat(2 ** 28); s = s + s; s = s + s;
//// string-normalize
'x'.normalize('NFX');
//// string-codepoint
String.fromCodePoint(-1);
//// string-codepoint-fraction
String.fromCodePoint(1.5);
//// string-raw
String.raw();
//// string-replaceall
'a'.replaceAll(/a/, 'b');
//// string-matchall
'a'.matchAll(/a/);
//// string-startswith
'a'.startsWith(/a/);
//// string-includes
'a'.includes(/a/);
//// string-trim-null
String.prototype.trim.call(null);
//// string-split-undefined
String.prototype.split.call(undefined, ',');
//// string-tostring
String.prototype.toString.call(1);
//// string-symbol
'' + Symbol('x');
//// template-symbol
`${Symbol('x')}`;
//// string-at-null
String.prototype.at.call(null);
//// string-localecompare-null
String.prototype.localeCompare.call(null, 'a');
//// number-tofixed
function main() { return (1).toFixed(101); }
main();
//// number-toprecision
(1).toPrecision(0);
//// number-toexponential
(1).toExponential(-1);
//// number-radix
(10).toString(1);
//// number-tofixed-receiver
Number.prototype.toFixed.call('a', 1);
//// number-valueof
Number.prototype.valueOf.call('a');
//// number-symbol
+Symbol('x');
//// number-symbol-multiply
Symbol('x') * 2;
//// number-of-bigint
+1n;
//// math-symbol
Math.abs(Symbol('x'));
//// math-bigint
Math.max(1n, 2);
//// bigint-mix
function main() { return 1n + 1; }
main();
//// bigint-mix-multiply
2n * 3;
//// bigint-compare-ok
(1n < 2) && (1n - '1');
//// bigint-divide-zero
1n / 0n;
//// bigint-mod-zero
1n % 0n;
//// bigint-exponent
2n ** -1n;
//// bigint-from-fraction
BigInt(1.5);
//// bigint-from-string
BigInt('1x');
//// bigint-from-undefined
BigInt(undefined);
//// bigint-from-null
BigInt(null);
//// bigint-from-nan
BigInt(NaN);
//// bigint-from-symbol
BigInt(Symbol('s'));
//// bigint-unsigned-shift
1n >>> 0n;
//// bigint-asintn
BigInt.asIntN(-1, 1n);
//// bigint-asuintn-number
BigInt.asUintN(8, 1);
//// bigint-tostring
BigInt.prototype.toString.call(1);
//// bigint-json
JSON.stringify({ a: 1n });
//// bigint-radix
(1n).toString(99);
//// bigint-too-big
1n << 2n ** 40n;
//// date-iso
function main() { return new Date(NaN).toISOString(); }
main();
//// date-iso-parse
new Date('garbage').toISOString();
//// date-receiver
Date.prototype.getTime.call({});
//// date-toprimitive
Date.prototype[Symbol.toPrimitive].call(new Date(0), 'x');
//// date-toprimitive-receiver
Date.prototype[Symbol.toPrimitive].call(1);
//// date-symbol
new Date(Symbol('x'));
//// date-bigint
new Date(1n);
//// symbol-description
Symbol.prototype.toString.call('x');
//// symbol-keyfor
Symbol.keyFor('x');
//// symbol-subtract
Symbol('a') - 1;
//// symbol-concat
Symbol('a') + 'b';
//// symbol-call-json
Symbol.for(Symbol('x'));
//// json-empty
JSON.parse('');
//// json-undefined
JSON.parse(undefined);
//// json-object
function main() { return JSON.parse({}); }
main();
//// json-html
JSON.parse('<!doctype html><html></html>');
//// json-trailing-comma
JSON.parse('{"a":1,}');
//// json-trailing-comma-array
JSON.parse('[1,2,]');
//// json-single-quotes
JSON.parse("{'a':1}");
//// json-unquoted
JSON.parse('{a:1}');
//// json-unterminated
JSON.parse('{"a":1');
//// json-unterminated-string
JSON.parse('"abc');
//// json-unterminated-array
JSON.parse('[1, 2');
//// json-bad-escape
JSON.parse('"\\x"');
//// json-bad-unicode
JSON.parse('"\\u12"');
//// json-control
JSON.parse('"a\nb"');
//// json-number
JSON.parse('01');
//// json-number-dot
JSON.parse('1.');
//// json-number-minus
JSON.parse('-');
//// json-number-exponent
JSON.parse('1e');
//// json-extra
JSON.parse('{} x');
//// json-two-values
JSON.parse('{"a":1}{"b":2}');
//// json-nan
JSON.parse('{"a": NaN}');
//// json-undefined-value
JSON.parse('{"a": undefined}');
//// json-literal
JSON.parse('tru');
//// json-colon
JSON.parse('{"a" 1}');
//// json-comma-missing
JSON.parse('[1 2]');
//// json-long
JSON.parse('{"name":"this is a very long string that goes on","items":[1,2,3,4,5,6,7,8,9,10,}');
//// json-long-start
JSON.parse('This is not JSON at all, but a long sentence of plain text which goes on.');
//// json-multiline
JSON.parse('{\n  "a": 1,\n  "b": oops\n}');
//// json-fence
JSON.parse('```json\n{"a":1}\n```');
//// json-number-value
JSON.parse('nul');
//// json-symbol
JSON.parse(Symbol('x'));
//// json-cycle
const o = {}; o.self = o;
function main() { return JSON.stringify(o); }
main();
//// json-cycle-long
class Node { constructor() { this.child = { parent: this }; } }
JSON.stringify({ root: new Node() });
//// json-cycle-array
const a = [1]; a.push({ list: a });
JSON.stringify(a);
//// json-cycle-deep
const o = { a: { b: { c: { d: {} } } } }; o.a.b.c.d.e = o.a;
JSON.stringify(o);
//// json-cycle-index
const o = { list: [1, 2, {}] }; o.list[2].back = o;
JSON.stringify(o);
//// regexp-flags
new RegExp('a', 'xx');
//// regexp-duplicate-flags
new RegExp('a', 'gg');
//// regexp-unterminated-group
function main() { return new RegExp('(a'); }
main();
//// regexp-unmatched
new RegExp('a)');
//// regexp-nothing-to-repeat
new RegExp('*a');
//// regexp-class
new RegExp('[a');
//// regexp-range
new RegExp('[z-a]');
//// regexp-backslash
new RegExp('\\');
//// regexp-group-name
new RegExp('(?<a');
//// regexp-duplicate-name
new RegExp('(?<a>x)(?<a>y)');
//// regexp-reference
new RegExp('\\k<b>(?<a>x)');
//// regexp-quantifier
new RegExp('a{2,1}');
//// regexp-lone-quantifier
new RegExp('{', 'u');
//// regexp-escape
new RegExp('\\p{Foo}', 'u');
//// regexp-unicode-escape
new RegExp('\\u{110000}', 'u');
//// regexp-invalid-escape
new RegExp('\\-', 'u');
//// regexp-lookbehind
new RegExp('(?<=a)+', 'u');
//// regexp-group
new RegExp('(?x)');
//// regexp-class-escape
new RegExp('[\\d-z]', 'u');
//// regexp-exec-receiver
RegExp.prototype.exec.call({}, 'a');
//// regexp-test-receiver
RegExp.prototype.test.call(1, 'a');
//// regexp-flags-getter
Object.getOwnPropertyDescriptor(RegExp.prototype, 'global').get.call({});
//// regexp-tostring
RegExp.prototype.toString.call(1);
//// regexp-v-flag
new RegExp('[a--b&&c]', 'v');
//// typedarray-length
function main() { return new Uint8Array(-1); }
main();
//// typedarray-call
Uint8Array(1);
//// typedarray-offset
new Uint16Array(new ArrayBuffer(4), 1);
//// typedarray-buffer-length
new Uint16Array(new ArrayBuffer(3));
//// typedarray-bounds
new Uint8Array(new ArrayBuffer(3), 5);
//// typedarray-bounds-length
new Uint8Array(new ArrayBuffer(3), 1, 5);
//// typedarray-set
new Uint8Array(1).set([1, 2, 3]);
//// typedarray-set-offset
new Uint8Array(1).set([1], -1);
//// typedarray-bigint
new BigInt64Array([1]);
//// typedarray-number-bigint
new Uint8Array([1n]);
//// typedarray-receiver
Uint8Array.prototype.fill.call([], 1);
//// typedarray-abstract
new (Object.getPrototypeOf(Uint8Array))();
//// typedarray-from
Uint8Array.from(null);
//// typedarray-with
new Uint8Array(1).with(4, 1);
//// typedarray-huge
new Float64Array(2 ** 40);
//// arraybuffer-length
new ArrayBuffer(-1);
//// arraybuffer-huge
new ArrayBuffer(2 ** 53);
//// arraybuffer-receiver
ArrayBuffer.prototype.slice.call({}, 1);
//// arraybuffer-resize
new ArrayBuffer(1).resize(2);
//// dataview-bounds
function main() { new DataView(new ArrayBuffer(2)).getInt32(0); }
main();
//// dataview-negative
new DataView(new ArrayBuffer(2)).getInt8(-1);
//// dataview-set
new DataView(new ArrayBuffer(2)).setUint8(5, 1);
//// dataview-offset
new DataView(new ArrayBuffer(2), 5);
//// dataview-length
new DataView(new ArrayBuffer(2), 1, 5);
//// dataview-not-buffer
new DataView({});
//// dataview-bigint
new DataView(new ArrayBuffer(8)).setBigInt64(0, 1);
//// dataview-call
DataView(new ArrayBuffer(2));
//// map-receiver
Map.prototype.get.call({}, 1);
//// map-size
Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.call([]);
//// set-receiver
function main() { Set.prototype.add.call(new Map(), 1); }
main();
//// weakmap-receiver
WeakMap.prototype.get.call(new Map(), 1);
//// set-iterator-next
new Set().values().next.call({});
//// uri-decode
decodeURIComponent('%');
//// uri-decode-uri
function main() { return decodeURI('%E0%A4%A'); }
main();
//// uri-encode
encodeURIComponent('\uD800');
//// uri-decode-utf8
decodeURIComponent('%C0%80');
//// promise-resolve-receiver
Promise.resolve.call(1);
//// promise-then-receiver
Promise.prototype.then.call(1);
//// promise-chain-cycle
const p = new Promise(r => setTimeoutLike(r)); function setTimeoutLike(r) { Promise.resolve().then(() => r(p)); }
//// promise-any
Promise.any([Promise.reject(1), Promise.reject(2)]);
//// promise-any-empty
Promise.any([]);
//// promise-executor-throws
new Promise(() => { throw new Error('in executor'); });
//// promise-custom
class P { constructor(e) { e(1, 2); } }
Promise.all.call(P, []);
//// proxy-call
Proxy({}, {});
//// proxy-target
new Proxy(1, {});
//// proxy-revoked
const { proxy, revoke } = Proxy.revocable({}, {}); revoke();
proxy.x;
//// proxy-revoked-set
const { proxy, revoke } = Proxy.revocable({}, {}); revoke();
proxy.x = 1;
//// proxy-trap-not-function
new Proxy({}, { get: 1 }).x;
//// proxy-set-false
'use strict';
new Proxy({}, { set() { return false; } }).x = 1;
//// proxy-set-invariant
new Proxy(Object.freeze({ a: 1 }), { set() { return true; } }).a = 2;
//// proxy-get-invariant
new Proxy(Object.freeze({ a: 1 }), { get() { return 2; } }).a;
//// proxy-has-invariant
'a' in new Proxy(Object.freeze({ a: 1 }), { has() { return false; } });
//// proxy-delete-false
'use strict';
delete new Proxy({}, { deleteProperty() { return false; } }).x;
//// proxy-delete-invariant
delete new Proxy(Object.freeze({ a: 1 }), { deleteProperty() { return true; } }).a;
//// proxy-define-false
Object.defineProperty(new Proxy({}, { defineProperty() { return false; } }), 'x', {});
//// proxy-ownkeys
Object.keys(new Proxy({}, { ownKeys() { return [1]; } }));
//// proxy-ownkeys-object
Object.keys(new Proxy({}, { ownKeys() { return 1; } }));
//// proxy-ownkeys-missing
Object.keys(new Proxy(Object.freeze({ a: 1 }), { ownKeys() { return []; } }));
//// proxy-ownkeys-duplicate
Reflect.ownKeys(new Proxy({}, { ownKeys() { return ['a', 'a']; } }));
//// proxy-getprototypeof
Object.getPrototypeOf(new Proxy({}, { getPrototypeOf() { return 1; } }));
//// proxy-getprototypeof-invariant
Object.getPrototypeOf(new Proxy(Object.freeze({}), { getPrototypeOf() { return null; } }));
//// proxy-setprototypeof-false
Object.setPrototypeOf(new Proxy({}, { setPrototypeOf() { return false; } }), {});
//// proxy-preventextensions
Object.preventExtensions(new Proxy({}, { preventExtensions() { return true; } }));
//// proxy-preventextensions-false
Object.preventExtensions(new Proxy({}, { preventExtensions() { return false; } }));
//// proxy-isextensible
Object.isExtensible(new Proxy({}, { isExtensible() { return false; } }));
//// proxy-getowndescriptor
Object.getOwnPropertyDescriptor(new Proxy({}, { getOwnPropertyDescriptor() { return 1; } }), 'a');
//// proxy-getowndescriptor-missing
Object.getOwnPropertyDescriptor(new Proxy(Object.freeze({ a: 1 }), { getOwnPropertyDescriptor() {} }), 'a');
//// proxy-apply-trap
new Proxy(function () {}, { apply() { throw new Error('apply trap'); } })();
//// proxy-construct-primitive
new (new Proxy(function () {}, { construct() { return 1; } }))();
//// proxy-not-callable
const p = new Proxy({}, {});
p();
//// proxy-not-constructor
new (new Proxy({}, {}))();
//// structuredclone-function
structuredClone(() => {});
//// structuredclone-symbol
structuredClone({ s: Symbol('x') });
//// error-tostring
Error.prototype.toString.call(1);
//// capturestacktrace
Error.captureStackTrace(1);
//// function-constructor-syntax
new Function('a', 'return )');
//// function-constructor-params
function main() { return new Function('a b', 'return 1'); }
main();
//// eval-syntax
function main() { return eval('let 1'); }
main();
//// eval-reference
eval('missingInEval');
//// iterator-helper
[].values().next.call(1);
//// atomics
Atomics.add([], 0, 1);
//// aggregate-iterable
new AggregateError(5);
//// finalization
new FinalizationRegistry(1);
//// generator-function-new
new (Object.getPrototypeOf(function* () {}).constructor)('yield )');
//// parse-symbol
parseInt(Symbol('x'));
//// set-methods
Reflect.set(1, 'a', 1);
//// array-iterator-next
[][Symbol.iterator]().next.call({});
//// boolean-receiver
Boolean.prototype.valueOf.call(1);
//// object-valueof-null
Object.prototype.valueOf.call(null);
//// object-hasown
Object.hasOwn(null, 'a');
//// hasownproperty-undefined
let o;
Object.prototype.hasOwnProperty.call(o, 'a');
//// define-getter
({}).__defineGetter__('x', 1);
//// species
class A extends Array { static get [Symbol.species]() { return 1; } }
new A(3).map(x => x);
//// array-fill-huge
[].concat.call({ length: 2 ** 53 }, 1).push.call({ length: 2 ** 53 - 1 }, 1);
