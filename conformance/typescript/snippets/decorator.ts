//// class decorator
const log: any[] = [];
function dec(v: any, c: any) { log.push(typeof v, c.kind, c.name, typeof c.addInitializer, "access" in c, "static" in c); }
@dec class C { x = 1; }
console.log(log.join(), new C().x, C.name);
//// class decorator replaces the class
function sub(v: any, c: any) { return class extends v { extra = 2; }; }
@sub class C { x = 1; me() { return C; } }
const c = new C() as any;
console.log(c.x, c.extra, c.me() === C);
//// order of class decorators
const log: string[] = [];
const d = (n: string) => { log.push("eval " + n); return (v: any, c: any) => { log.push("call " + n); }; };
@d("a") @d("b") class C { @d("m1") @d("m2") m() {} @d("f") f = 1; @d("s") static s() {} @d("sf") static sf = 1; }
console.log(log.join("\n"));
//// method decorator wraps
function logged(f: any, c: ClassMethodDecoratorContext) { return function (this: any, ...a: any[]) { return `${String(c.name)}(${a})=${f.apply(this, a)}`; }; }
class C { k = 10; @logged add(x: number) { return this.k + x; } @logged static twice(x: number) { return x * 2; } }
console.log(new C().add(5), C.twice(4));
//// method context
const seen: any[] = [];
function d(f: any, c: any) { seen.push(c.kind, c.name, c.static, c.private, Object.keys(c.access).sort().join("/"), f?.name); }
class C { @d m() {} @d static s() {} @d get g() { return 1; } @d set w(v: any) {} @d f = 1; @d static sf = 2; @d accessor a = 3; @d "quoted name"() {} @d 12() {} }
console.log(seen.join("\n"));
//// access of members
let acc: any = {};
function d(f: any, c: any) { acc[c.name] = c.access; }
class C { @d m() { return "m"; } @d f = 1; @d get g() { return "g"; } @d set s(v: any) { this.f = v; } @d accessor a = 3; }
const c = new C();
console.log(acc.m.has(c), acc.m.get(c)(), acc.f.get(c), acc.g.get(c), acc.a.get(c));
acc.f.set(c, 7); acc.a.set(c, 8); acc.s.set(c, 9);
console.log(c.f, c.a, acc.f.has({}));
//// field decorator
function double(_: undefined, c: any) { return (v: number) => v * 2; }
class C { @double x = 5; @double static y = 6; @double z: any; @double @double w = 1; }
console.log(new C().x, C.y, new C().z, new C().w);
//// field initialiser has this
function d(_: any, c: any) { return function (this: any, v: any) { return [typeof this, this.a, v].join(); }; }
class C { a = 1; @d b = 2; @d static s = 3; }
console.log(new C().b, C.s);
//// getter and setter decorators
function get(f: any, c: any) { return function (this: any) { return f.call(this) + 1; }; }
function set(f: any, c: any) { return function (this: any, v: any) { f.call(this, v * 10); }; }
class C { v = 1; @get get x() { return this.v; } @set set x(n) { this.v = n; } }
const c = new C(); c.x = 3;
console.log(c.v, c.x);
//// accessor decorator
function d(t: any, c: any) { return { get(this: any) { return "got " + t.get.call(this); }, set(this: any, v: any) { t.set.call(this, v + "!"); }, init(v: any) { return v + "?"; } }; }
class C { @d accessor x = "a"; @d static accessor y = "b"; @d accessor z: any; }
const c = new C(); console.log(c.x, C.y, c.z); c.x = "n"; console.log(c.x);
//// accessor decorator with parts
const d = (t: any, c: any) => ({ init: (v: any) => v + 1 }); const e = (t: any, c: any) => undefined;
class C { @d @e accessor x = 1; }
console.log(new C().x);
//// add initializer on methods
function bound(f: any, c: any) { c.addInitializer(function (this: any) { this[c.name] = this[c.name].bind(this); }); }
class C { v = 3; @bound m() { return this.v; } }
const { m } = new C();
console.log(m());
//// add initializer on a class and statics
const log: string[] = [];
function d(v: any, c: any) { c.addInitializer(function (this: any) { log.push(c.kind + " " + String(c.name) + " " + (typeof this)); }); }
@d class C { @d static m() {} @d static f = log.push("static field"); @d x = log.push("field"); @d n() {} static { log.push("block"); } @d accessor a = 1; }
console.log(log.join("\n")); log.length = 0; new C(); console.log(log.join("\n"));
//// order of initialisers
const log: string[] = [];
const d = (n: string) => (v: any, c: any) => { c.addInitializer(() => log.push("extra " + n)); return c.kind === "field" ? (x: any) => (log.push("init " + n), x) : undefined; };
class C { @d("a") a = log.push("a"); b = log.push("b"); @d("m") m() {} @d("c") @d("c2") c = log.push("c"); }
new C(); console.log(log.join());
//// late initializer throws
let late: any;
class C { @((f: any, c: any) => { late = c.addInitializer; }) m() {} }
try { late(() => {}); } catch (e) { console.log((e as Error).name); }
//// wrong results throw
for (const r of [1, "x", {}, null] as any[]) { try { class C { @(() => r) m() {} } console.log("fine"); } catch (e) { console.log((e as Error).name); } }
try { class C { @((() => 5) as any) accessor a = 1; } } catch (e) { console.log((e as Error).name); }
//// not a function throws
try { const d: any = 5; class C { @d m() {} } } catch (e) { console.log((e as Error).name); }
//// computed keys
const log: string[] = []; const k = (s: string) => (log.push("key " + s), s); const d = (s: string) => (log.push("dec " + s), (f: any, c: any) => { log.push("call " + c.name); });
class C { @d("1") [k("a")]() {} [k("plain")]() {} @d("2") b() {} @d("3") [k("c")] = 1; @d("4") static [k("s")]() {} @d("5") z = 1; }
console.log(log.join("\n"), Object.keys(new C()).join());
//// symbol keys
const s = Symbol("sym"); let name: any;
class C { @((f: any, c: any) => { name = c.name; return () => "wrapped"; }) [s]() {} }
console.log(name === s, (new C() as any)[s]());
//// private fields
let acc: any; function d(v: any, c: any) { acc = c.access; return (x: number) => x + (c.private ? 100 : 0); }
class C { @d #x = 1; get() { return this.#x; } }
const c = new C(); console.log(c.get(), acc.has(c), acc.has({}), acc.get(c)); acc.set(c, 5); console.log(c.get());
//// name of a private field
let n: any; class C { @((v: any, c: any) => { n = c.name; }) #x = 1; }
console.log(n);
//// class expressions
const d = (v: any, c: any) => { console.log(c.kind, c.name); };
const A = @d class {}; const B = @d class Named {}; const f = () => { return @d class { @d m() {} }; };
console.log(A.name, B.name, f().name);
//// export default decorated
const d = (v: any, c: any) => { console.log(c.name); };
export default @d class C {}
//// export decorated
const d = (v: any, c: any) => { console.log(c.name); };
@d export class A {} export @d class B {}
console.log(A.name, B.name);
//// factories and members
const lib = { tag: (t: string) => (v: any, c: any) => { v.tag = t; }, plain: (v: any, c: any) => { v.plain = true; } };
@lib.plain @lib.tag("x") class C {}
console.log((C as any).tag, (C as any).plain);
//// generic decorators
function typed<T>(x: T) { return (v: any, c: any) => { v.x = x; }; }
@typed<number>(5) class C<T> { t?: T; }
console.log((C as any).x);
//// inheritance
const log: string[] = []; const d = (f: any, c: any) => function (this: any, ...a: any[]) { log.push("in " + c.name); return f.apply(this, a); };
class A { @d m() { return "A"; } } class B extends A { @d override m() { return super.m() + "B"; } }
console.log(new B().m(), log.join());
//// with parameter properties
const d = (v: any, c: any) => (x: any) => x + "!";
class C { @d f = "f"; constructor(public p: string) {} }
console.log(new C("p").f, new C("p").p);
//// static this in decorated classes
const d = (v: any, c: any) => {};
@d class C { static a = 1; static b = C.a + 1; static m() { return this.b; } }
console.log(C.b, C.m());
//// statics of a replaced class
const d = (v: any, c: any) => class extends v { static extra = "e"; };
@d class C { static a = "a"; static m() { return C; } }
console.log(C.a, (C as any).extra, C.m() === C);
//// functions in decorated fields
const d = (v: any, c: any) => {};
class C { v = 4; @d f = () => this.v; @d g = function () { return 2; }; @d static h = class { k = 3; }; }
console.log(new C().f(), new C().g(), new C.h().k);
//// decorated async and generator methods
const d = (f: any, c: any) => f;
class C { @d async a() { return "async"; } @d *g() { yield 1; yield 2; } }
new C().a().then(v => console.log(v)); console.log([...new C().g()].join());
//// in functions and loops
const out: string[] = []; const d = (n: number) => (v: any, c: any) => { out.push(c.name + n); };
for (let i = 0; i < 3; i++) { @d(i) class L {} }
(() => { @d(9) class F { @d(8) m() {} } })();
console.log(out.join());
//// in a namespace
const d = (v: any, c: any) => { v.seen = true; };
namespace N { export const k = 1; @d export class C { @((v: any, c: any) => (x: any) => x + k) f = 1; } }
console.log((N.C as any).seen, new N.C().f);
//// merged with a namespace
const d = (v: any, c: any) => { v.seen = true; };
@d class C { static a = 1; } namespace C { export const b = C.a + 1; }
console.log(C.b, (C as any).seen);
//// nested decorated classes
const d = (n: string) => (v: any, c: any) => { console.log(n, c.name); };
@d("outer") class O { @d("m") m() { @d("inner") class I { @d("f") f = 1; } return new I().f; } }
console.log(new O().m());
//// memoise
function memo(f: any, c: any) { const m = new WeakMap<object, Map<any, any>>(); return function (this: any, x: any) { let t = m.get(this); if (!t) m.set(this, (t = new Map())); if (!t.has(x)) t.set(x, f.call(this, x)); return t.get(x); }; }
class F { calls = 0; @memo fib(n: number): number { this.calls++; return n < 2 ? n : this.fib(n - 1) + this.fib(n - 2); } }
const f = new F(); console.log(f.fib(20), f.calls);
//// registry and validation
const routes: string[] = []; const get = (p: string) => (f: any, c: any) => { routes.push(`GET ${p} ${String(c.name)}`); };
const min = (n: number) => (t: any, c: any) => ({ set(this: any, v: number) { if (v < n) throw new RangeError(`${String(c.name)} < ${n}`); t.set.call(this, v); } });
class Api { @get("/a") a() {} @get("/b") b() {} @min(3) accessor size = 5; }
const a = new Api(); a.size = 4; try { a.size = 1; } catch (e) { console.log(String(e)); } console.log(routes.join(";"), a.size);
//// abstract classes and declared members
const d = (v: any, c: any) => { console.log(c.kind, c.name); };
@d abstract class A { declare x: number; abstract m(): void; @d n() {} [k: string]: any; }
console.log(Object.keys(new (class extends A { m() {} })()).join());
//// descriptors stay
const d = (f: any, c: any) => () => 1;
class C { @d m() {} }
const p = Object.getOwnPropertyDescriptor(C.prototype, "m")!;
console.log(p.writable, p.enumerable, p.configurable, Object.keys(new C()).length);
//// getter replaced, setter kept
const d = (f: any, c: any) => () => "new";
class C { v = 0; @d get x() { return "old"; } set x(n: any) { this.v = n; } }
const c = new C(); c.x = 4; console.log(c.x, c.v);
//// private methods
function d(f: any, c: any) { console.log(c.kind, c.name, c.private, c.static, Object.keys(c.access).join()); return function (this: any, ...a: any[]) { return "<" + f.apply(this, a) + ">"; }; }
class A { v = 1; @d #m(x: number) { return this.v + x; } @d static #s(x: number) { return x * 2; } run() { return this.#m(2) + A.#s(3); } has(o: any) { return #m in o; } }
console.log(new A().run(), new A().has(new A()), new A().has({}));
//// private method access and name
let acc: any;
function d(f: any, c: any) { acc = c.access; console.log(f.name, f.length); }
class A { @d async #m(a: any, b: any) { return "m" + a; } run() { return this.#m(1, 2); } }
const a = new A(); a.run().then(v => console.log(v)); console.log(acc.has(a), acc.has({}), typeof acc.get(a), "set" in acc);
//// private getters and setters
function g(f: any, c: any) { console.log(c.kind, c.name, f.name, Object.keys(c.access).join()); return function (this: any) { return f.call(this) + 1; }; }
function s(f: any, c: any) { console.log(c.kind, c.name, f.name, Object.keys(c.access).join()); return function (this: any, v: any) { f.call(this, v * 10); }; }
class A { #v = 0; @g get #x() { return this.#v; } @s set #x(n) { this.#v = n; } @g static get #y() { return 5; } run(n: number) { this.#x = n; return [this.#x, A.#y].join(); } }
console.log(new A().run(3));
//// private getter alone, setter plain
function g(f: any) { return function (this: any) { return "g" + f.call(this); }; }
class A { #v = 0; @g get #x(): any { return this.#v; } set #x(n: any) { this.#v = n + 1; } run() { this.#x = 1; this.#x += ""; return this.#v; } }
console.log(new A().run());
//// private accessors
function d(t: any, c: any) { console.log(c.kind, c.name, c.private, t.get.name, t.set.name, Object.keys(c.access).join()); return { get(this: any) { return "got " + t.get.call(this); }, set(this: any, v: any) { t.set.call(this, v + 1); }, init(v: number) { return v * 100; } }; }
class A { @d accessor #x = 1; @d static accessor #y = 2; run() { const a = this.#x; this.#x = 5; return [a, this.#x, A.#y].join(); } }
console.log(new A().run());
//// private names like the ones of the code around
function d(f: any, c: any) { return c.kind === "field" ? (v: any) => v + 1 : undefined; }
class A { @d #after1 = 1; @d #before = 2; @d #store2 = 3; @d #u_x = 4; @d #m() { return this.#after1 + this.#before + this.#store2 + this.#u_x; } run() { return this.#m(); } }
console.log(new A().run());
//// initialisers on private methods
function d(f: any, c: any) { c.addInitializer(function (this: any) { console.log("init", c.name, typeof this === (c.static ? "function" : "object")); }); }
class A { @d #m() {} @d static #s() {} @d accessor #a = 1; x = console.log("field"); }
new A();
//// metadata
(Symbol as any).metadata ??= Symbol.for("Symbol.metadata");
function d(v: any, c: any) { c.metadata[c.name] = c.kind; }
@d class A { @d m() {} @d static f = 1; @d accessor a = 1; @d get g() { return 1; } @d #p = 1; @d #q() {} }
@d class B extends A { @d n() {} }
const meta = (c: any) => c[(Symbol as any).metadata];
console.log(JSON.stringify(meta(A)), JSON.stringify(meta(B)), Object.getPrototypeOf(meta(B)) === meta(A), meta(B).m);
//// metadata without the symbol
function d(v: any, c: any) { console.log(typeof c.metadata, "metadata" in c); }
@d class A { @d m() {} }
