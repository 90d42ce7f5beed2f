//// unexpected-token
let a = ;
//// unexpected-end
function f() {
//// unexpected-end-paren
f(1, 2
//// missing-brace
if (true) { x = 1;
//// extra-brace
function f() { } }
//// extra-paren
f(1));
//// missing-paren
if (a { }
//// missing-comma
const o = { a: 1 b: 2 };
//// missing-comma-array
const a = [1 2];
//// missing-argument-comma
f(a b);
//// unexpected-identifier
let x y;
//// unexpected-string
let x 'a';
//// unexpected-number
let x 5;
//// unexpected-template
let x `a`;
//// unexpected-reserved
let class = 1;
//// unexpected-strict-reserved
'use strict';
let let1 = 1, interface = 2;
//// unexpected-eval
'use strict';
let eval = 1;
//// unexpected-arguments-assign
'use strict';
arguments = 1;
//// keyword-property
const x = { if };
//// enum
enum A { B }
//// invalid-token
let a = 1 @ 2;
//// invalid-hash
let a = #b;
//// invalid-character
let a = “hello”;
//// invalid-backslash
let a = \x;
//// unterminated-string
let s = 'abc
let t = 1;
//// unterminated-template
let s = `abc
//// unterminated-template-expression
let s = `a${
//// unterminated-template-brace
let s = `a${b`;
//// unterminated-comment
/* abc
//// unterminated-regexp
let r = /abc
//// regexp-flags
let r = /a/xyz;
//// regexp-invalid
let r = /(a/;
//// regexp-invalid-class
function f() { return /[z-a]/; }
//// regexp-nothing-to-repeat
const r = /+/;
//// lone-at
@
//// decorator-statement
@foo let x;
//// array-pattern-arrow
[a, b] => 1;
//// object-pattern-arrow
({a}, 5) => 1;
//// arrow-newline
const f = (a)
=> a;
//// arrow-call
f() => 1;
//// const-without-value
const a;
//// const-destructure-without-value
let { a };
//// redeclare-let
let a; let a;
//// redeclare-var-let
var a; let a;
//// redeclare-function-let
let f; function f() {}
//// redeclare-parameter
function f(a) { let a; }
//// redeclare-class
class A {} class A {}
//// redeclare-import-like
const x = 1; var x = 2;
//// redeclare-catch
try {} catch (e) { let e; }
//// duplicate-parameter
'use strict'; function f(a, a) {}
//// duplicate-parameter-arrow
(a, a) => 1;
//// duplicate-proto
({ __proto__: 1, __proto__: 2 });
//// duplicate-constructor
class A { constructor() {} constructor() {} }
//// duplicate-private
class A { #a; #a; }
//// duplicate-label
a: a: 1;
//// undefined-label
break foo;
//// illegal-break
break;
//// illegal-continue
continue;
//// illegal-continue-label
a: { continue a; }
//// illegal-return
return 1;
//// illegal-return-module module
return 1;
//// await-outside
function f() { await g(); }
//// await-outside-top
await g();
//// await-in-arrow
[1].map(x => await x);
//// await-parameter
async function f(a = await 1) {}
//// yield-outside-strict
'use strict';
function f() { yield 1; }
//// yield-parameter
function* g(a = yield) {}
//// for-await-outside
function f() { for await (const x of y) {} }
//// async-arrow-newline
async
(x) => await x;
//// super-outside
super();
//// super-property-outside
function f() { super.x; }
//// super-call-method
class A { m() { super(); } }
//// super-call-base
class A { constructor() { super(); } }
//// new-target-outside
new.target;
//// import-meta-script
import.meta;
//// import-in-script
import x from 'y';
//// export-in-script
export const a = 1;
//// import-in-function
function f() { import x from 'y'; }
//// import-duplicate module
import a from 'x'; import a from 'y';
//// export-undefined module
export { missing };
//// export-duplicate module
export const a = 1; export { a };
//// export-default-twice module
export default 1; export default 2;
//// import-reserved module
import { default } from 'x';
//// import-no-from module
import { a };
//// import-string module
import { 'a' } from 'x';
//// assign-to-call
f() = 1;
//// assign-to-literal
1 = 2;
//// assign-to-this
this = 1;
//// assign-to-expression
a + b = c;
//// assign-to-optional
a?.b = 1;
//// assign-to-new-target
function f() { new.target = 1; }
//// compound-destructuring
[a] += 1;
//// increment-literal
5++;
//// increment-call
++f();
//// for-in-initializer
for (let i = 1 in {}) {}
//// for-of-initializer
for (let i = 1 of []) {}
//// for-of-multiple
for (let a, b of []) {}
//// for-of-let
for (let of []) {}
//// for-in-literal
for (1 in {}) {}
//// for-missing
for (let i = 0; i < 1) {}
//// rest-not-last
function f(...a, b) {}
//// rest-not-last-pattern
const [...a, b] = [];
//// rest-trailing-comma
const [...a,] = [];
//// rest-default
function f(...a = []) {}
//// rest-object-pattern
({ ...{ a } } = {});
//// spread-outside
...a;
//// getter-parameters
({ get a(b) {} });
//// setter-parameters
({ set a() {} });
//// setter-rest
({ set a(...b) {} });
//// class-getter-constructor
class A { get constructor() {} }
//// class-generator-constructor
class A { *constructor() {} }
//// class-async-constructor
class A { async constructor() {} }
//// class-static-prototype
class A { static prototype() {} }
//// class-private-constructor
class A { #constructor() {} }
//// class-field-constructor
class A { constructor = 1; }
//// class-missing-brace
class A { m() {}
//// class-comma
class A { a() {}, b() {} }
//// class-let
class A { let x = 1; }
//// class-function
class A { function m() {} }
//// class-name-missing
class { }
//// class-colon
class A { x: 1 }
//// private-undeclared
class A { m() { this.#y; } }
//// private-outside
o.#x;
//// private-delete
class A { #x; m() { delete this.#x; } }
//// private-in-alone
class A { #x; m() { #x; } }
//// function-name-missing
function () {}
//// function-statement-if
while (1) function f() {}
//// let-statement-position
if (1) let x = 1;
//// class-statement-position
if (1) class A {}
//// const-statement-position
while (0) const a = 1;
//// label-function-strict
'use strict'; a: function f() {}
//// octal-strict
'use strict'; 010;
//// octal-escape-strict
'use strict'; '\01';
//// octal-template
`\01`;
//// octal-literal-bad
0o9;
//// binary-literal-bad
0b12;
//// hex-literal-bad
0x;
//// number-identifier
3in [];
//// number-letter
const n = 5px;
//// number-separator
1__0;
//// number-separator-end
1_;
//// number-separator-leading
0_1;
//// bigint-decimal
1.5n;
//// bigint-octal
01n;
//// exponent-missing
1e;
//// hex-escape
'\xg1';
//// unicode-escape
'\u12';
//// unicode-escape-range
'\u{110000}';
//// unicode-escape-unterminated
'\u{12';
//// identifier-escape-keyword
var v\u0061r = 1;
//// with-strict
'use strict'; with (a) {}
//// delete-strict-identifier
'use strict'; delete x;
//// use-strict-parameters
function f(a = 1) { 'use strict'; }
//// try-alone
try {}
//// catch-alone
catch (e) {}
//// else-alone
else {}
//// else-twice
if (a) {} else {} else {}
//// case-alone
case 1: break;
//// switch-default-twice
switch (1) { default: default: }
//// switch-statement
switch (1) { foo(); }
//// throw-newline
throw
new Error('x');
//// throw-nothing
throw;
//// do-while
do { } x;
//// new-import
new import('x');
//// import-no-argument
import();
//// nullish-mix
a ?? b || c;
//// nullish-mix-and
a && b ?? c;
//// exponent-unary
-1 ** 2;
//// optional-template
a?.`x`;
//// optional-new
new a?.b();
//// optional-super
class A extends B { m() { super?.x; } }
//// object-missing-value
const o = { a: };
//// object-missing-colon
const o = { 'a' };
//// object-number-shorthand
const o = { 1 };
//// object-semicolon
const o = { a: 1; b: 2 };
//// object-initializer
const o = { a = 1 };
//// object-spread-missing
const o = { ... };
//// object-equals
const o = { a = 1, b: 2 };
//// object-await
const o = { async };  const p = { async x };
//// array-missing-bracket
const a = [1, 2;
//// call-missing-paren
console.log('a';
//// string-concat-missing
const s = 'a' 'b';
//// dot-end
o.;
//// dot-number
o.5;
//// double-dot
o..x;
//// question-colon
a ? b;
//// arrow-body-missing
const f = () => ;
//// arrow-no-params
const f = => 1;
//// arrow-rest-middle
(...a, b) => 1;
//// arrow-destructure-literal
([1]) => 1;
//// arrow-strict-params
(a = 1) => { 'use strict'; };
//// arrow-parenthesized
((a)) => 1;
//// arrow-member
(a.b) => 1;
//// async-missing
async function () {}
//// async-generator-star
async * f() {}
//// generator-star-method
({ *() {} });
//// typescript-type
let x: number = 1;
//// typescript-as
const y = x as any;
//// typescript-generic
function f<T>(a) {}
//// typescript-interface
interface A { b: string }
//// typescript-parameter
function f(a: string) {}
//// typescript-nonnull
const z = x!.y;
//// typescript-optional-parameter
function f(a?: string) {}
//// typescript-arrow-return
const f = (a): string => a;
//// jsx
const e = <div>hello</div>;
//// python-def
def f(x):
//// python-print
print "hello"
//// python-elif
elif (x) {}
//// python-comment
# comment
//// python-dict-comprehension
const a = [x for x of y];
//// java-type
int x = 5;
//// markdown-fence
```js
let a = 1;
```
//// html-tag
<script>
//// html-entity
if (a &lt; b) {}
//// json-top
{ "a": 1, "b": 2 }
//// async-function-expression-newline
let await1 = await;
//// await-module-identifier module
const await = 1;
//// yield-identifier-strict
'use strict'; const yield = 1;
//// static-block-await
class A { static { await 1; } }
//// static-block-arguments
class A { static { arguments; } }
//// static-block-return
class A { static { return 1; } }
//// field-arguments
class A { x = arguments; }
//// html-comment-module module
<!-- a
//// with-module module
with (a) {}
//// delete-module module
delete x;
//// let-array-newline
let
[a] = 1, b =;
//// let-let
let let = 1;
//// destructure-call
const { f() } = o;
//// destructure-string
const { 'a' } = o;
//// destructure-assign-literal
({ a: 1 } = o);
//// destructure-missing-init-for
for (const { a };;) {}
//// label-let
a: let x = 1;
//// async-label
async: await: 1; await x;
//// strict-function-name
function eval() { 'use strict'; }
//// strict-parameter-name
function f(eval) { 'use strict'; }
//// strict-octal-function
function f() { 'use strict'; 017; }
//// import-attributes-duplicate module
import a from 'a' with { type: 'json', type: 'json' };
//// import-default-star module
import a, b from 'x';
//// import-star-as module
import * from 'x';
//// export-star-as module
export * as from 'x';
//// export-expression module
export a + b;
//// export-let-only module
export a;
//// unexpected-eof-string-concat
const s = 'a' +
//// unexpected-eof-object
const o = {
//// unexpected-eof-array
const o = [1,
//// unexpected-eof-arrow
const f = () =>
//// unexpected-eof-class
class A extends B
//// unexpected-eof-ternary
a ?
//// deep-place
function outer() {
  const inner = () => {
    if (true) {
      let x = 1;
      let y = x +* 2;
    }
  };
}
