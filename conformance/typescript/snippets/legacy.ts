//// class decorator
function c(t: any) { console.log(typeof t, t.name); }
@c class A {}
console.log(A.name, typeof A);
//// class decorator replaces the class
function wrap<T extends new (...a: any[]) => object>(t: T) { return class extends t { extra = 1; }; }
@wrap class A { x = 2; clone() { return new A(); } static make() { return new A(); } }
const a: any = new A();
console.log(a.x, a.extra, (a.clone() as any).extra, (A.make() as any).extra, A.name === "", a instanceof A);
//// statics of a replaced class refer to it
function rep(t: any): any { return class extends t { static tag = "new"; }; }
@rep class A { static tag = "old"; static self = A; get() { return (A as any).tag; } }
console.log(A.tag, A.self === A, new A().get(), (A.self as any).tag);
//// method decorator
function log(t: any, k: string, d: PropertyDescriptor) {
  const f = d.value;
  d.value = function (...a: any[]) { const r = f.apply(this, a); console.log(k, a.join(), r); return r; };
}
class M { n = 2; @log mul(a: number) { return a * this.n; } @log static twice(x: number) { return x * 2; } }
new M().mul(4); M.twice(5);
//// method decorator returns a descriptor
function ro(t: any, k: any, d: any) { return { value: () => k + "!", enumerable: true }; }
class M { @ro go() { return 1; } }
console.log(new M().go(), Object.keys(M.prototype).join());
//// arguments of decorators
function show(...a: any[]) { console.log(a.length, a.map(x => typeof x === "object" ? (x === null ? "null" : "object") : typeof x === "function" ? "f:" + x.name : String(x)).join(" ")); }
class C { @show m() {} @show f = 1; @show static s() {} @show static t = 2; @show get g() { return 1; } @show accessor a = 3; }
@show class D {}
console.log(new C().f);
//// parameter decorators
function p(t: any, k: any, i: number) { console.log(typeof t, k, i); }
class C { constructor(@p a: number, @p b: string) {} m(x: any, @p y: any) {} static s(@p z: any) {} }
console.log(new C(1, "") instanceof C);
//// order
const d = (s: string) => { console.log("eval " + s); return (...a: any[]) => { console.log("call " + s); }; };
@d("c1") @d("c2") class C {
  @d("s") static s() {}
  @d("m1") @d("m2") m(@d("p0") a: any, @d("p1a") @d("p1b") b: any) {}
  @d("f") f = 1;
  @d("sf") static sf = console.log("static field");
  constructor(@d("k0") a?: any, @d("k1") b?: any) {}
}
console.log("end");
//// computed keys
const k = (s: string) => { console.log("key " + s); return s; };
function d(t: any, key: any, x?: any) { console.log("d", String(key), x === undefined ? "undefined" : typeof x); }
class C { @d [k("a")]() {} @d ["lit"]() {} @d 12() {} @d [k("b")] = 1; @d static [k("c")] = 2; @d [Symbol.iterator]() {} }
console.log(Object.keys(new C()).join());
//// property decorator with accessors on the prototype
function upper(t: any, k: string) {
  const m = new WeakMap();
  Object.defineProperty(t, k, { get() { return m.get(this); }, set(v) { m.set(this, v.toUpperCase()); }, configurable: true });
}
class A { @upper declare name: string; constructor() { this.name = "ann"; } }
class B { @upper name: string = "bob"; }
console.log(new A().name, new B().name);
//// accessor pair
function trace(t: any, k: string, d: PropertyDescriptor) {
  const { get, set } = d;
  console.log(typeof get, typeof set);
  return { ...d, get(this: any) { return "<" + get!.call(this) + ">"; } };
}
class A { private v = 1; @trace get x(): any { return this.v; } set x(v) { this.v = v; } }
const a = new A(); a.x = 5; console.log(a.x);
//// metadata registry
const reg = new Map<any, Record<string, string[]>>();
const rule = (r: string) => (t: any, k: string) => { const m = reg.get(t.constructor) ?? {}; (m[k] ??= []).push(r); reg.set(t.constructor, m); };
class User { @rule("min") @rule("max") name = "x"; @rule("int") age = 1; }
console.log(JSON.stringify(reg.get(User)));
//// dependency injection
const tokens = new Map<any, any[]>();
const Inject = (t: string) => (target: any, _k: any, i: number) => { const l = tokens.get(target) ?? []; l[i] = t; tokens.set(target, l); };
const Injectable = () => (t: any) => { console.log("injectable", t.name, tokens.get(t)?.join()); };
@Injectable() class S { constructor(@Inject("db") private db: any, @Inject("log") public readonly log: any) {} use() { return this.db + this.log; } }
console.log(new S("d", "l").use(), Object.keys(new S(1, 2)).join());
//// export decorated
function d(t: any) { t.tag = 1; }
@d export class A {}
export @d class B {}
export default @d class C {}
console.log((A as any).tag, (B as any).tag, (C as any).tag, C.name);
//// export default without a name
function d(t: any, k: string) { console.log("m", k, typeof t.constructor); }
function c(t: any) { console.log("c", typeof t); }
export default @c class { @d m() {} }
//// export default named, members only
function d(t: any, k: string) { console.log("m", k); }
export default class N { @d m() {} }
console.log(N.name);
//// in a function and a block
function d(t: any) { t.n = (t.n ?? 0) + 1; }
function f() { @d class L {} return L as any; }
{ @d class I { static x = I; } console.log((I as any).n, I.x === I); }
console.log(f().n, f() === f());
for (let i = 0; i < 2; i++) { @d class X { i = i; } console.log(new X().i); }
//// in a namespace
function d(t: any) { t.tag = "t"; }
namespace N { @d export class A { static n = 1; } @d class B {} export const b: any = B; export class E { @m x() { return A.n; } } function m(t: any, k: string) { console.log(k); } }
console.log((N.A as any).tag, N.b.tag, new N.E().x());
//// inheritance and super
function d(t: any, k: string, x: any) { const f = x.value; x.value = function () { return "d" + f.call(this); }; }
class A { m() { return "a"; } }
class B extends A { @d m() { return super.m() + "b"; } }
console.log(new B().m());
//// falsy decorators are skipped
let undef: any; const no: any = null;
class A { @undef m() { return 1; } @no f = 2; }
console.log(new A().m(), new A().f);
//// not a function throws
const five: any = 5;
class A { @five m() {} }
//// Reflect.decorate is used
(Reflect as any).decorate = (list: any[], t: any, k?: any, x?: any) => { console.log(list.length, typeof t, k, typeof x); return k === undefined ? t : x; };
function d() { console.log("no"); }
@(d as any) class A { @(d as any) m() {} @(d as any) f = 1; }
console.log(typeof A);
//// decorated generators, async and private names inside
function d(t: any, k: string, x: any) { console.log(k, Object.prototype.toString.call(x.value)); }
class A { #v = 3; @d *g() { yield this.#v; } @d async a() { return this.#v; } @d async *ag() {} }
console.log([...new A().g()].join()); new A().a().then(v => console.log(v));
//// nested decorated classes
function d(t: any, k?: any) { console.log(k ?? t.name); }
@d class A { @d m() { @d class B { @d [this.k()]() {} } return B.name; } k() { return "dyn"; } }
console.log(new A().m());
//// class name stays and reassignment
function d(t: any) {}
@d class A { static f() { return A.name; } }
console.log(A.f(), A.name, Object.getOwnPropertyNames(A).sort().join());
//// abstract, overloads and index signatures
function d(t: any, k: string) { console.log(k); }
abstract class A { [k: string]: any; abstract x(): void; @d m(a: number): void; @d m(a: string): void; @d m(a: any) {} abstract y: number; }
class B extends A { x() {} y = 1; }
console.log(new B().y);
//// memoise
function memo(t: any, k: string, x: any) { const f = x.value; const c = new Map(); x.value = function (n: number) { if (!c.has(n)) c.set(n, f.call(this, n)); return c.get(n); }; }
class F { calls = 0; @memo fib(n: number): number { this.calls++; return n < 2 ? n : this.fib(n - 1) + this.fib(n - 2); } }
const f = new F(); console.log(f.fib(20), f.calls);
//// error in a decorator throws
function d(t: any, k: string): any { throw new Error("bad " + k); }
class A { @d m() {} }
