//// public
class P { constructor(public x: number, public y: number) {} sum() { return this.x + this.y; } }
console.log(new P(1, 2).sum(), Object.keys(new P(1, 2)).join());
//// every modifier
class P { constructor(public a: number, private b: number, protected c: number, readonly d: number, public readonly e: number, private readonly f: number, protected readonly g: number, h: number) {} }
console.log(JSON.stringify(new P(1, 2, 3, 4, 5, 6, 7, 8)));
//// default values
class P { constructor(public a = 1, private b: string = "b" + a, readonly c?: boolean) {} get all() { return [this.a, this.b, this.c].join(); } }
console.log(new P().all, new P(5).all, new P(1, "z", true).all, P.length);
//// mixed with plain parameters
class P { z: number; constructor(public a: number, b: number, ...rest: number[]) { this.z = b + rest.length; } }
const p = new P(1, 2, 3, 4);
console.log(JSON.stringify(p));
//// before the body
class P { constructor(public a: number) { console.log(this.a); this.a = 9; } }
console.log(new P(1).a);
//// after directives
class P { constructor(public a: number) { "use strict"; "other"; console.log(this.a); } }
new P(3);
//// field initialisers run first
class P { b = this.a; constructor(public a: number) {} }
const p = new P(1);
console.log(p.b, p.a, Object.keys(p).join());
//// field initialisers in arrow functions see them later
class P { b = () => this.a; constructor(public a: number) {} }
console.log(new P(6).b());
//// after super
class A { constructor(readonly n: string) {} }
class B extends A { constructor(n: string, public m: string) { super(n + "!"); console.log(this.m, this.n); } }
console.log(JSON.stringify(new B("n", "m")));
//// statements before super
class A { constructor(readonly n: number) {} }
class B extends A { constructor(public m: number) { const d = m * 2; super(d); } }
console.log(JSON.stringify(new B(4)));
//// super in try
class A { constructor(readonly n: number) { if (n < 0) throw new RangeError("neg"); } }
class B extends A { constructor(public m: number) { try { super(m); } finally { console.log("done"); } console.log(this.m); } }
new B(1);
try { new B(-1); } catch (e) { console.log(String(e)); }
//// overriding a parent's property
class A { constructor(public v: number) {} }
class B extends A { constructor(public override v: number) { super(1); } }
console.log(new B(5).v, Object.keys(new B(5)).join());
//// with explicit fields
class A { first = 1; constructor(public second: number) {} third = 3; }
console.log(Object.keys(new A(2)).join());
//// with private names
class A { #h = 5; constructor(private readonly x: number) {} sum() { return this.#h + this.x; } }
console.log(new A(2).sum());
//// with accessors of the parent
class A { set v(x: number) { console.log("setter", x); } }
class B extends A { constructor(public v: number) { super(); } }
console.log(new B(3).v);
//// class expression
const C = class { constructor(public a: string) {} };
console.log(new C("x").a);
//// export default class
export default class { constructor(public a: string) {} }
//// anonymous class name
const K = class { constructor(protected z = 1) {} };
console.log(K.name, K.length);
//// generic
class Box<T> { constructor(public readonly value: T) {} map<U>(f: (t: T) => U): Box<U> { return new Box<U>(f(this.value)); } }
console.log(new Box(2).map(x => `n${x}`).value);
//// abstract
abstract class Shape { constructor(protected readonly name: string) {} abstract area(): number; toString() { return `${this.name}:${this.area()}`; } }
class Sq extends Shape { constructor(private s: number) { super("sq"); } area() { return this.s ** 2; } }
console.log(String(new Sq(3)));
//// constructor overloads
class P { constructor(a: string); constructor(a: number, b: number); constructor(public a: any, public b?: any) {} }
console.log(JSON.stringify(new P("x")), JSON.stringify(new P(1, 2)));
//// the parameter and the field are apart
class P { constructor(public a: number) { a = 10; console.log(a, this.a); } }
new P(1);
//// closures over the parameter
class P { f; constructor(public a: number) { this.f = () => a++; } }
const p = new P(1); p.f(); p.f();
console.log(p.a, p.f());
//// arguments
class P { constructor(public a: number, b?: number) { console.log(arguments.length, arguments[0]); } }
new P(1); new P(1, 2);
//// var named like a parameter
class P { constructor(public a: number) { var a; console.log(a, this.a); a = 5; } }
console.log(new P(1).a);
//// nested classes
class O { inner; constructor(public a: number) { this.inner = new (class { constructor(public b: number) {} })(a + 1); } }
console.log(new O(1).inner.b);
//// implements and static
interface Named { name: string }
class P implements Named { static make = (n: string) => new P(n); constructor(readonly name: string) {} }
console.log(P.make("z").name);
//// computed default that reads this throws not
class P { constructor(public a: number, public f = () => this.a) {} }
console.log(new P(4).f());
//// frozen prototypes are defined over
Object.defineProperty(Object.prototype, "locked", { value: 1, writable: false, configurable: true });
class P { constructor(public locked: number) {} }
console.log(new P(2).locked);
//// property descriptor
class P { constructor(readonly a: number) {} }
const d = Object.getOwnPropertyDescriptor(new P(1), "a")!;
console.log(d.writable, d.enumerable, d.configurable);
//// dependency injection
class Log { out: string[] = []; say(s: string) { this.out.push(s); } }
class Svc { constructor(private readonly log: Log, private readonly opt: { loud?: boolean } = {}) {} run() { this.log.say(this.opt.loud ? "RUN" : "run"); return this; } }
const l = new Log(); new Svc(l).run(); new Svc(l, { loud: true }).run();
console.log(l.out.join());
//// error subclass
class HttpError extends Error { constructor(public readonly status: number, message?: string) { super(message ?? `HTTP ${status}`); this.name = "HttpError"; } }
const e = new HttpError(404);
console.log(String(e), e.status, e instanceof Error);
//// derived without own statements
class A { constructor(public a: number) {} }
class B extends A { constructor(private readonly b: number) { super(b); } get() { return this.b + this.a; } }
console.log(new B(2).get());
//// in a namespace
namespace N { export const d = 3; export class C { constructor(public v = d, readonly w = v + d) {} } }
console.log(JSON.stringify(new N.C()));
//// awaiting around
async function f() { class P { constructor(public v: number) {} } return new P(await Promise.resolve(3)).v; }
f().then(v => console.log(v));
