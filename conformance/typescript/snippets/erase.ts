//// annotations
const a: number = 1, b: string = "x"; let c: boolean; var d: any[] = []; c = true;
function f(x: number, y?: string, ...z: boolean[]): string { return `${x}${y}${z.length}`; }
console.log(a, b, c, d.length, f(1), f(1, "s", true, false));
//// interfaces and aliases
interface A { x: number; m(): void; readonly [k: string]: any; new (x: number): A; (y: string): number; get v(): string; set v(s: string) }
interface B<T extends A = A> extends A, Partial<T> { y?: T[] }
type U = A | B | null; type F = (x: number) => void; type C = new () => A; type T1 = [a: number, b?: string, ...rest: boolean[]];
type M = { readonly [K in keyof A]?: A[K] }; type M2 = { -readonly [K in keyof A as `get${string & K}`]-?: () => A[K] };
type Cond<T> = T extends (infer U extends string)[] ? U : never;
console.log("ran");
//// as and satisfies
const x = { a: 1 } as { a: number } satisfies object;
const y = (x as any as string[]).length as unknown;
const z = "lit" as const;
console.log(x.a, y, z, [1, 2] as const satisfies readonly number[]);
//// angle assertions
const x = <number>5; const y = <any>{ a: <string>"s" }; const z = (<number[]>[1, 2]).length;
console.log(x, y.a, z, <const>"c");
//// angle assertion of an arrow function
const f = <(n: number) => number>((n: number) => n + 1);
console.log(f(1));
//// non-null
const o: { p?: { q?: () => number } } = { p: { q: () => 3 } };
console.log(o.p!.q!(), o!.p!!.q!()!, o.p![("q")]!());
let n: number | undefined = 1; n!++; n! += 2; (n!) = n! + 1;
console.log(n);
//// non-null before a line break
let v: number | undefined = 4
const w = v!
const u = v!
console.log(w + u)
//// generic functions
function id<T>(x: T): T { return x; }
const arrow = <T,>(x: T): T => x; const arrow2 = <T extends object>(x: T) => x;
console.log(id<number>(1), id<Array<Array<string>>>([["a"]])[0][0], arrow<string>("b"), arrow2({ c: 1 }).c);
//// async generic arrow
const f = async <T>(x: T): Promise<T> => { await null; return x; };
f<string>("a").then(v => console.log(v));
//// generic call or comparison throws
const a = 1, b = 2, c = 3; function f(...xs: any[]) { return xs.join(); }
console.log(f(a < b, c > (1)), f(a < b, c >= 1), (a < b) as any);
//// comparison chain
const a: any = 1, b: any = 2, c: any = 3;
console.log(a < b > c, a < (b >> 1), a<b&&c>b);
//// generic new
class Box<T> { v?: T; constructor(v?: T) { this.v = v; } }
console.log(new Box<string>("s").v, new Box<Map<string, number[]>>().v, new Box<number>, typeof new Box<number>);
//// instantiation expressions
function mk<T>(x: T) { return [x]; }
const mkS = mk<string>; const M = Map<string, number>;
console.log(mkS("a")[0], new M([["k", 1]]).get("k"));
//// generic tagged templates
function tag<T>(s: TemplateStringsArray, ...v: T[]) { return s.raw.join("|") + v.join(); }
console.log(tag<number>`a${1}b${2}c`);
//// optional call with type arguments
const o: any = { f: (x: any) => x };
console.log(o?.f<string>?.("q"), o.f?.<number>(3));
//// this parameter
function f(this: { v: number }, x: number) { return this.v + x; }
console.log(f.call({ v: 1 }, 2), f.length);
//// overloads
function f(x: string): string;
function f(x: number): number;
function f(x: any) { return x; }
class C { m(x: string): void; m(x: number): void; m(x: any) { return x; } static s(): void; static s(a?: any) { return a; } }
console.log(f(1), f("a"), new C().m(1 as any), C.s());
//// abstract classes
abstract class A { abstract x: number; abstract m(): void; abstract get g(): string; protected abstract readonly r: number; n() { return 1; } static abstract?: number; }
class B extends A { x = 1; m() {} get g() { return "g"; } r = 2; }
console.log(new B().n(), new B().g, Object.keys(new B()).join());
//// declare fields vanish, typed fields stay
class A { declare d: number; t: number; u?: string; v!: boolean; static s: number; declare readonly q: string; }
console.log(Object.keys(new A()).join(), Object.keys(A).join(), "d" in new A());
//// declare field keeps the parent's value
class A { v: any = 1; } class B extends A { declare v: number; } class C extends A { v: number; }
console.log(new B().v, new C().v);
//// modifiers
class A { public a = 1; private b = 2; protected c = 3; readonly d = 4; static readonly e = 5; private static f = 6; public static async *g(): AsyncGenerator<number> { yield 1; } protected get h(): number { return this.b; } override toString(): string { return "A"; } }
console.log(JSON.stringify(new A()), A.e, String(new A()), (new A() as any).h);
//// modifiers as names
class A { public = 1; private = 2; static static = 3; readonly = 4; declare = 5; abstract = 6; override = 7; get = 8; set = 9; async = 10; type = 11; accessor = 12; }
console.log(JSON.stringify(new A()), A.static);
//// modifiers as methods
class A { public() { return 1; } private() { return 2; } readonly() { return 3; } declare() { return 4; } get() { return 5; } static() { return 6; } async() { return 7; } abstract<T>(x: T) { return x; } }
const a = new A();
console.log(a.public(), a.private(), a.readonly(), a.declare(), a.get(), a.static(), a.async(), a.abstract(8));
//// index signatures
class A { [k: string]: any; static [s: string]: number | any; x = 1; readonly [n: number]: string; }
console.log(JSON.stringify(new A()));
//// implements
interface I { m(): void } interface J<T> { v: T }
class A implements I, J<string> { v = "v"; m() {} } const B = class<T> implements I { m() {} };
console.log(new A().v, typeof new B<string>().m);
//// extends with type arguments
class G<T> { v!: T; } class H extends G<Array<string>> {} class I2 extends (G as any)<number> {}
console.log(new H() instanceof G, "v" in new H(), new I2() instanceof G);
//// type predicates
function isS(x: unknown): x is string { return typeof x === "string"; }
function assertS(x: unknown): asserts x is string { if (!isS(x)) throw new TypeError("not"); }
function assertT(x: unknown): asserts x {}
class Q { isQ(): this is Q { return true; } }
console.log(isS("a"), isS(1), new Q().isQ()); assertT(1);
try { assertS(1); } catch (e) { console.log(String(e)); }
//// unique symbol, keyof, typeof, indexed
declare const us: unique symbol;
const k = { a: 1 }; type K = keyof typeof k; type V = (typeof k)[K]; let z: K = "a"; let w: typeof k.a = 2; let im: import("fs").Stats | undefined; let ro: readonly string[] = [];
console.log(z, w, im, ro.length);
//// template literal types
type E = `on${Capitalize<"a" | "b">}`; type P = `${number}px`; let e: E = "onA"; let p: P = `${1}px`;
console.log(e, p);
//// function types
let f: (a: number, b?: string, ...c: any[]) => void = (a) => { console.log(a); }; let g: new (x: number) => object; let h: abstract new () => object; let i: { (x: number): string; p: number } | undefined; let j: typeof f = f;
f(1); j(2);
//// arrow return types
const f = (x: number): number => x; const g = (): { a: number } => ({ a: 1 }); const h = async (x: string): Promise<string> => x; const p = (x: any): x is string => true; const q = (): (() => number) => () => 5;
console.log(f(1), g().a, p(1), q()());
h("h").then(v => console.log(v));
//// arrow return type over lines
const f = (
  a: number,
): {
  x: number;
} => ({ x: a });
const g = <
  T,
>(
  x: T,
):
  T => x;
console.log(f(1).x, g(2));
//// conditional and arrow
const t = true as boolean; const a = t ? (x: number) => x : (y: number): number => y + 1; const b = t ? (1) : (2); const c = !t ? (3) : ((4));
console.log(a(1), b, c);
//// conditional with a parenthesised arrow body
const t = true as boolean; const x = 1, y = 2;
const r = t ? (x) : (y); const s = t ? x => x : (z: any) => z;
console.log(r, (s as any)(9));
//// removed statement before a parenthesis
const log: any[] = []
type A = string
(log.push("paren"))
interface B { x: number }
[1, 2].forEach(x => log.push(x))
declare const q: number
`t`.length
console.log(log.join())
//// removed declaration between lines
let a = 1
type T = number
;[a] = [5]
console.log(a)
//// as before a new line
const a = 1 as number
const b = [2] as any
console.log(a, b[0])
//// type as an identifier
var type = 1; type = 2; const as = 3; const satisfies = 4; let of = 5, is = 6, keyof = 7, infer = 8, asserts = 9, declare = 10, namespace = 11, module = 12, abstract = 13, unique = 14;
type
A = "x"; var A;
console.log(type, as, satisfies, of, is, keyof, infer, asserts, declare, namespace, module, abstract, unique, A);
//// contextual words as calls
function type(x: any) { return x; } function declare(x: any) { return x; } function namespace(x: any) { return x; } const abstract = { class: 1 };
console.log(type(1), declare(2), namespace(3), abstract.class);
//// as as an identifier
const as = 5; const x = as as any; const o = { as, satisfies: 1, type: 2, declare: 3 };
console.log(x, o.as, JSON.stringify(o));
//// import type vanishes
import type { A } from "nowhere"; import { type B, type C as D } from "nowhere2"; import type E from "nowhere3"; import type * as F from "nowhere4";
let a: A | B | D | E | F.X = 1 as any;
console.log(a);
//// export type vanishes
type A = 1; interface B {} export type { A, B }; export type C = A; export interface D {} export { type A as E };
export const v = 1;
console.log(v);
//// export of types with values
type A = 1; const b = 2; export { type A, b };
console.log(b);
//// definite assignment
let x!: number; x = 1; var y!: string; class A { z!: number; }
console.log(x, y, "z" in new A());
//// optional methods and properties
class A { m?(): void; p?: number; ["c"]?: string; }
console.log(Object.keys(new A()).join(), typeof new A().m);
//// catch types
try { throw 1; } catch (e: unknown) { console.log(e); } try { throw 2; } catch (e: any) { console.log(e); }
//// for with types
for (const x of [1, 2] as number[]) console.log(x); for (let i: number = 0; i < 1; i++) console.log("i", i); for (const k in { a: 1 } as any) console.log(k);
//// destructuring with types
const { a, b: { c } = { c: 2 } }: { a: number; b?: { c: number } } = { a: 1 }; const [x, y = 3]: [number, number?] = [1]; function f({ p, q = 1 }: { p: number; q?: number }, [r]: number[] = [7]) { return p + q + r; }
console.log(a, c, x, y, f({ p: 1 }));
//// assignment targets
let a: any, o: any = {}; (a as number) = 1; (<any>a) = a + 1; [(a as any), o.x!] = [a * 10, 5]; ({ y: (o.y as number) } = { y: 6 }); (o.x as number)++;
console.log(a, o.x, o.y);
//// getters and setters with types
class A { #v = 1; get v(): number { return this.#v; } set v(x: number | string) { this.#v = Number(x); } }
const a = new A(); a.v = "5"; console.log(a.v);
//// object literal with types
const o = { m<T>(x: T): T { return x; }, async *g(): AsyncGenerator<number> {}, get p(): number { return 1; }, set p(v: number) {}, f: <T>(x: T) => x, [`k` as string]: 1 as number };
console.log(o.m<number>(1), o.p, o.f("f"), o.k);
//// enum-like const
const E = { A: 0, B: 1 } as const; type E = (typeof E)[keyof typeof E]; const e: E = E.B;
console.log(e);
//// class with type and value of one name
interface A { extra?: number } class A { v = 1; } function mk(): A { return new A(); }
console.log(mk().v);
//// function with type of the same name
type F = number; function F(): F { return 1; } console.log(F());
//// declare global
declare global { interface Window { x: number } var gx: number; }
export {};
console.log(typeof gx);
//// declarations of every kind
declare const a: number, b: string; declare let c: any; declare var d: any; declare function e(x: number): void; declare class F { m(): void; x: number } declare abstract class G {} declare type H = 1; declare interface I {} declare async function j(): Promise<void>;
console.log(typeof a, typeof e, typeof F);
//// satisfies in calls
function f(o: { a: number }) { return o.a; }
console.log(f({ a: 1 } satisfies { a: number }), [1, 2].map((x) => (x + 1) satisfies number).join());
//// types with regular expressions nearby
const x = 4 as number; const r = /a</g; const y = x / 2 / (1 as number);
console.log(r.source, y);
//// shift operators and type arguments
const f = <T>(x: T) => x; const a = f<Array<Array<number>>>([[8]])[0][0] >> 1; const b = 16 >>> 2 >> 1; let g: Array<Array<Array<number>>> = [];
console.log(a, b, g.length);
//// less than and parentheses
const i = 1, n = 5; let hits = 0; for (let k = 0; k < (n); k++) hits++; if (i < n && n > (i)) hits += 10;
console.log(hits);
//// less than in arguments
const a = 1, b = 2; const f = (...x: any[]) => x.join();
console.log(f(a < b), f(a < b, b > a), f(a<b));
//// object type in an arrow parameter
const f = ({ a, b }: { a: number; b: string }): string => a + b, g = ([x]: [number]) => x, h = (x: { y: { z: number } }) => x.y.z;
console.log(f({ a: 1, b: "b" }), g([2]), h({ y: { z: 3 } }));
//// optional parameters of arrows
const f = (x?: number, y?: string) => x ?? y, g = (x: number | undefined, ...r: number[]) => r.length;
console.log(f(), f(undefined, "y"), g(1, 2, 3), f.length);
//// optional parameter and conditional
const x = 1 as any; const r = x ? (y?: number) => y : null; const s = x ? (x) : null; const t = x ? (x, 2) : 3;
console.log(typeof r, s, t);
//// generic class members
class A<T, U extends T[] = T[]> { m<V>(this: A<T, U>, v: V): V { return v; } static of<T>(x: T): A<T> { return new A<T>(); } f = <W,>(w: W): W => w; }
console.log(new A<number>().m(1), A.of(2) instanceof A, new A().f(3));
//// const and variance type parameters
function f<const T extends readonly unknown[]>(x: T): T { return x; } interface V<in out T> { x: T } class W<out T> { t?: T; }
console.log(f([1, 2]).length, new W<string>().t);
//// types with line breaks
type A =
  | "a"
  | "b"
const x:
  A = "a"
console.log(x)
//// comments in types
const x: /* c1 */ number /* c2 */ = /* c3 */ 1; function f(/* a */ a /* b */ : /* c */ string /* d */ ): /* e */ void {}
console.log(x, f.length);
//// ASI after types
let a: number
let b: string = "b"
type C = { x: number }
const d: C = { x: 1 }
console.log(a!, b, d.x)
//// keyword property names
const o = { type: 1, interface: 2, enum: 3, as: 4, number: 5 }; const { type, interface: i, enum: e } = o;
console.log(type, i, e, o.as, o.number);
//// accessor fields
class A { accessor x = 1; static accessor y = 2; accessor #z = 3; accessor w: number | undefined; z() { return this.#z++; } accessor [`k${1}`] = 4; }
const a = new A(); a.x = 5; A.y++; a.z();
console.log(a.x, A.y, a.z(), a.w, a.k1, Object.keys(a).join(), Object.getOwnPropertyNames(A.prototype).join());
//// using declarations
{ using r = { [Symbol.dispose ?? "d"]() { console.log("disposed"); } } as any; console.log("body"); }
//// decorators named words
const o = { "@": 1 } as const; console.log(o["@"]);
//// class fields with arrow and generics
class A { handlers: Array<(x: number) => void> = []; on = (f: (x: number) => void): this => { this.handlers.push(f); return this; }; fire(x: number): void { for (const h of this.handlers) h(x); } }
new A().on(x => console.log(x)).fire(7);
//// discriminated unions
type S = { kind: "c"; r: number } | { kind: "s"; s: number };
function area(s: S): number { switch (s.kind) { case "c": return 3 * s.r ** 2; case "s": return s.s ** 2; default: { const never: never = s; return never; } } }
console.log(area({ kind: "c", r: 1 }), area({ kind: "s", s: 2 }));
//// builder with this types
class Q { private parts: string[] = []; where(s: string): this { this.parts.push(s); return this; } build(): string { return this.parts.join(" AND "); } }
console.log(new Q().where("a=1").where("b=2").build());
//// mixins
type Ctor<T = {}> = new (...args: any[]) => T;
function Timed<B extends Ctor>(Base: B) { return class extends Base { stamp = 5; }; }
class U { name = "u"; } const T = Timed(U); const t = new T();
console.log(t.stamp, t.name);
//// event emitter
type Ev = { a: [number]; b: [string, number] };
class Em<E extends Record<string, any[]>> { private m = new Map<keyof E, Array<(...a: any) => void>>(); on<K extends keyof E>(k: K, f: (...a: E[K]) => void): void { (this.m.get(k) ?? this.m.set(k, []).get(k)!).push(f); } emit<K extends keyof E>(k: K, ...a: E[K]) { this.m.get(k)?.forEach(f => f(...a)); } }
const e = new Em<Ev>(); e.on("b", (s, n) => console.log(s, n)); e.emit("b", "x", 1); e.emit("a", 1);
//// result type
type Ok<T> = { ok: true; value: T }; type Err<E> = { ok: false; error: E }; type Res<T, E = Error> = Ok<T> | Err<E>;
const parse = (s: string): Res<number, string> => { const n = Number(s); return Number.isNaN(n) ? { ok: false, error: `bad ${s}` } : { ok: true, value: n }; };
for (const s of ["1", "x"]) { const r = parse(s); console.log(r.ok ? r.value : r.error); }
//// generic reduce
const groupBy = <T, K extends PropertyKey>(xs: readonly T[], key: (x: T) => K): Record<K, T[]> => xs.reduce((acc, x) => { (acc[key(x)] ||= []).push(x); return acc; }, {} as Record<K, T[]>);
console.log(JSON.stringify(groupBy([1, 2, 3, 4], x => (x % 2 ? "odd" : "even"))));
//// async iteration with types
async function* gen(n: number): AsyncGenerator<number, void, unknown> { for (let i = 0; i < n; i++) yield i; }
(async (): Promise<void> => { const out: number[] = []; for await (const x of gen(3)) out.push(x as number); console.log(out.join()); })();
//// top-level await
const v = await Promise.resolve<number>(3);
console.log(v as number);
//// symbols as keys with types
const s: unique symbol = Symbol("s") as any; class A { [s]: number = 1; get [Symbol.toStringTag](): string { return "TT"; } *[Symbol.iterator](): Iterator<number> { yield this[s]; } }
console.log(String(new A()), [...new A()].join());
//// nested ternaries with types
const f = (n: number): string => n < 0 ? "neg" : n > (100 as number) ? "big" : n === 0 ? ("zero" as const) : `${n as number}`;
console.log(f(-1), f(101), f(0), f(5));
//// label and type
outer: for (const a of [1, 2] as const) { for (const b of [1, 2]) { if (b === a) continue outer; console.log(a, b); } }
//// stack position is the author's
function f(x: Array<Record<string, number>>): never { type Local = { a: number }; throw new Error(`at ${x.length}`); }
try { f([] as Array<Record<string, number>>); } catch (e) { console.log((e as Error).message); }
//// abstract constructor types
abstract class A { abstract m(): string; static create<T extends A>(this: new () => T): T { return new this(); } } class B extends A { m() { return "B"; } }
console.log(B.create().m());
//// private constructor
class S { private static inst?: S; private constructor() {} static get(): S { return S.inst ??= new S(); } }
console.log(S.get() === S.get());
//// assertion functions and narrowing
function must<T>(x: T | null | undefined, m = "missing"): asserts x is T { if (x == null) throw new Error(m); }
try { must(null); } catch (e) { if (e instanceof Error) console.log(e.message); }
//// tuple spread
const t: [string, ...number[]] = ["a", 1, 2]; const [h, ...r] = t; function f(...[a, b]: [number, string]) { return a + b; }
console.log(h, r.length, f(1, "b"), f.length);
//// bigint and numeric types
const b: bigint = 10n ** 3n; const n: 1_000 = 1_000; type H = 0xff | -1;
console.log(b, n);
//// string enums by union
const dirs = ["up", "down"] as const; type Dir = (typeof dirs)[number]; const d: Dir = dirs[1];
console.log(d, dirs.includes("up" as Dir));
//// optional chaining with assertions
const o = { a: { b: [{ c: 1 }] } } as any; console.log((o?.a as any)?.b?.[0]!.c, (o.x as any)?.y, o?.a!.b.length);
//// void and comma with types
const x = (0, (1 as number)); const y = void (0 as any); console.log(x, y);
//// class private methods with types
class A { #m<T>(x: T): T { return x; } static #s(this: typeof A, n: number): number { return n; } run() { return this.#m<number>(1) + A.#s(2); } has(o: object): o is A { return #m in o; } }
console.log(new A().run(), new A().has({}), new A().has(new A()));
//// new target and super with types
class A { constructor() { console.log((new.target as any).name); } m(): number { return 1; } } class B extends A { override m(): number { return (super.m() as number) + 1; } }
console.log(new B().m());
//// spread of asserted values
const a = [...([1, 2] as number[])], o = { ...({ x: 1 } as object), ...(null as any) }; console.log(a.join(), JSON.stringify(o), Math.max(...(a as number[])));
//// instanceof and in with assertions
console.log(([] as any) instanceof Array, "a" in ({ a: 1 } as any), typeof ([] as any), !(0 as any), -(1 as any));
//// arrow return types in parentheses
const f = (): (string | null) => null; const g = (x: number): (typeof x) => x; const h = (): (() => number) => () => 5; const i = (): ((a: string) => void)[] => []; const k = (): (keyof { a: 1 }) => "a";
console.log(f(), g(2), h()(), i().length, k());
//// function types in odd places
let a: ((x: number) => void) | null = null; let b: (() => void)[] = []; let c: Array<(this: any, ...r: any[]) => [a: number]> = []; let d: (x?: number) => (y: string) => void = () => () => {}; let e: ({ a }: { a: number }) => void = () => {}; let g: ([a]: number[]) => void = () => {}; let h: (string) = "s"; let i: (string | number)[] = [];
console.log(a, b.length, c.length, typeof d, typeof e, typeof g, h, i.length);
//// async generic arrow over lines
const f = async <
  T,
>(
  x: T,
): Promise<
  T
> => x;
f("late").then(v => console.log(v));
//// async as a name before type arguments
const async = (x: any) => x; const a = async (1); const b = (async as any)(2); const c = async<number>(3);
console.log(a, b, c);
//// type arguments before a template and a new line
function t<T>(s: TemplateStringsArray | number): any { return typeof s; }
const a = t<string>
`x`
const b = t<string>
(1)
console.log(a, b)
//// fields and modifiers over lines
class A {
  static
  x = 1
  readonly
  y = 2
  private
  z = 3
  get
  a() { return 4 }
  declare
  w: number
  "quoted"?: string
  ;["computed"]: number = 5
}
console.log(A.x, Object.keys(new A()).join(), new A().a)
//// return of a removed type
function f() {
  return <any>
    5;
}
function g(): (
  number | undefined
) { return undefined }
console.log(f(), g());
//// interface and type as statements after expressions
let x = 1
interface I { a: number }
x++
type T = I["a"]
x++
console.log(x)
//// imports that are used as types vanish
import { A, B as C } from "nowhere"; import D from "nowhere1"; import * as E from "nowhere2"; import F, { G } from "nowhere3";
function f(a: A, c?: C<D>): E.X | F | undefined { return undefined as G as any; } class K implements A { A = 1; m(): C { return { D: 1 } as any; } } interface L extends A {}
console.log(f(1 as any), Object.keys(new K()).join());
//// imports that nothing uses vanish
import { A } from "nowhere"; import B from "nowhere";
console.log("ran");
