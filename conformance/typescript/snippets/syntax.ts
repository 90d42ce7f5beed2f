//// export = of a type vanishes
interface I { a: number }
export default I;
console.log("no default");
//// import of nothing vanishes
import {} from "nowhere";
import { type A, type B } from "nowhere";
export { type C } from "nowhere";
export type { D } from "nowhere"; export type * from "nowhere"; export type * as E from "nowhere";
import type F, { type G } from "nowhere";
console.log("ran");
//// import alias in a script-like module
namespace A { export namespace B { export const c = 1; export type T = number } }
import B = A.B; import c = A.B.c; import T = A.B.T;
let t: T = c; console.log(B.c, c, t);
//// use strict in a namespace
namespace N { "use strict"; export function f(this: any) { return this === undefined; } }
console.log(N.f.call(undefined));
//// names of asserted functions
const o = { a: (() => {}) as any, b: <any>(function () {}), c: (class {})!, d: (() => 1) satisfies Function };
let e = (() => {}) as any, f: any; f = (() => {}) as any;
class C { x = (() => {}) as any; static y = <any>(() => {}); ["z"] = (() => {})!; }
const { g = (() => {}) as any, h = (function () {})! } = {} as any;
console.log(o.a.name, o.b.name, o.c.name, o.d.name, e.name, f.name, new C().x.name, C.y.name, new C().z.name, g.name, h.name);
//// asserted keys
const m: any = { a: 1, ["b" as string]: 2 }; m["c" as any] = 3; m["d" as any]! += 4;
console.log(m["a" as keyof typeof m], m["b" as any], JSON.stringify(m), m["toString" as any]().length, delete m["a" as any]);
//// optional chains through assertions
const o: any = null;
console.log(o?.a!.b, o?.a!.b.c!.d, (o?.a as any)?.b, o?.[0]!.x);
try { (o?.a)!.b; } catch (e) { console.log((e as Error).message); }
try { (o?.a as any).b; } catch (e) { console.log((e as Error).message); }
//// this of asserted calls
const o = { v: 1, f() { return this?.v; } };
console.log((o.f as any)(), o.f!(), (o.f)!(), (<any>o.f)(), (o["f"] as () => number)(), (o?.f)!());
//// const type parameters and variance
function id<const T extends readonly unknown[]>(x: T): T { return x; }
interface V<in T, out U, in out W> { f(t: T): U; w: W }
class K<out T, in const U> { v?: T }
type Fn = <const A>(a: A) => A;
console.log(id([1, 2]).length, new K<1, 2>().v);
//// assertion signatures
function isS(x: unknown): asserts x is string { if (typeof x !== "string") throw new TypeError("not a string"); }
function ok(x: unknown): asserts x {}
class A { assert(): asserts this is A {} is(): this is A { return true; } get asserts() { return 1; } }
const asserts = (is: any): is is string => true; type Is = (x: any) => asserts x;
isS("a"); ok(1); new A().assert(); console.log(new A().is(), new A().asserts, asserts(1));
//// unique symbols and symbol keys
declare const tag: unique symbol; const s: unique symbol = Symbol("s");
interface X { [s]: number; [Symbol.iterator]?(): void; readonly [tag]?: 1 }
class Y { static readonly k: unique symbol = Symbol("k"); [s] = 2; }
const x: X = { [s]: 1 }; console.log(x[s], new Y()[s], Y.k.toString());
//// template literal types
type Ev<T extends string> = `on${Capitalize<T>}` | `${T}-${number}`; type P = `a${`b${"c" | "d"}`}e`;
const h: Record<Ev<"x">, number> = { onX: 1, "x-1": 2 } as any; let p: `${string}px` = "3px"; console.log(h.onX, p);
//// accessor fields of every kind
class A { accessor x = 1; static accessor y: number = 2; private accessor z; accessor #w = 4; accessor; readonly accessor2 = 5; declare accessor3: number;
  accessor ["k"] = 6; get w() { return this.#w; } override accessor toString2: any = 7; }
const a: any = new A(); a.x++; console.log(a.x, A.y, a.z, a.w, a.accessor, a.accessor2, "accessor3" in a, a.k, Object.keys(a).join());
//// abstract accessors and classes as expressions
abstract class A { abstract get x(): number; abstract set x(v: number); abstract accessor y: number; protected abstract readonly z?: string; abstract m?(): void; }
const B = class<T> extends A { x = 1; y = 2 as number; z = "z"; };
console.log(new B<number>().x, Object.keys(new B()).join());
//// overloads everywhere
class A { constructor(); constructor(a: number); constructor(a?: any) {} static f(): void; static f(a: 1): void; static f(a?: any) { return a; } get: any; set; async; m(): void; m(a?: 1) { return a; } }
function g(): void
function g(a: string): string
function g(a?: any) { return a }
console.log(g("x"), new A().m(1), A.f(1));
//// index signatures of every kind
class A { [k: string]: any; static [k: number]: string; readonly [k: symbol]: 1; [x: `a${string}`]: number; y = 1 }
interface I { [k: string]: any; readonly [i: number]: string; readonly?: 1; get: 1; set?: 2; new: 3; static: 4 }
console.log(Object.keys(new A()).join());
//// satisfies everywhere
const a = { k: [1, 2] } satisfies Record<string, number[]>, b = [1] satisfies number[] as readonly number[];
const satisfies = 1; function f(x = 1 satisfies number, { y } = { y: 2 } satisfies object) { return x + y satisfies number; }
console.log(a.k.length, b.length, satisfies satisfies number, f(), `${1 satisfies 1}`);
//// satisfies before a line break
const satisfies = (x: number) => console.log("called " + x)
const y = 1
satisfies(y)
//// declarations that vanish keep statements apart
let log: string[] = []
type A = string
;(log).push("a")
interface B { x: 1 }
(log).push("b")
declare const q: number
;[1].forEach(x => log.push("c"))
const g = () => log
declare function dd(): void
g()
type C = () => void
`x`.length
console.log(log.join())
//// type alias before a bracket or template
const o: any = { a: 1 }
let k = o
type X = number;
["a"].forEach(n => console.log(o[n]))
declare let z: number;
`t`.split("").forEach(c => console.log(c))
//// import type before a parenthesis
const a = [1]
import type { T } from "t"
(() => console.log("iife"))()
export type { T } from "t"
[2].forEach(x => console.log(x))
//// overload before an expression
function f(a: string): void
function f(a: number): void
function f(a: any) { console.log(a) }
f(1)
declare function g(): void
(f)(2)
//// arrow return types over several lines
const f = (a: number): {
  x: number,
  y: Array<
    string
  >
} => ({ x: a, y: [] })
const g = async (
  a: number,
): Promise<
  number
> => a
const h = <
  T,
>(x: T): x is
  T => true
console.log(f(1).x, h(1)); g(2).then(v => console.log(v));
//// fields and ASI
class A {
  a: number
  b?: string
  ["c"]: number
  static d: any
  readonly e
  f!: () => void
  declare g
  private h
  get: string
  set
  *gen() {}
  i = 1;
  ["j"] = 2
}
console.log(Object.keys(new A()).join());
//// modifiers on lines of their own
class A {
  declare
  public
  static
  readonly
  abstract
  override
  async
  x = 1
}
console.log(Object.keys(new A()).join());
//// generics that look like comparisons
const a = 3, b = 2, c = 1; function f(...x: any[]) { return x.join(); } const g: any = (x: any) => x;
console.log(f(a < b, b > c), a < b || b > (c), f(a < (b), (c) > a), [a < b, b > c].join(), a<b?b>c:c);
console.log(g<number>(1), g<typeof a>(2), g<{ x: 1 }>(3), g<[a: 1]>(4), g<() => void>(5), g<string | number>?.(6), g<Array<Array<1>>>(7), g<1 extends 2 ? 3 : 4>(8));
//// generic calls at the ends of things
const g: any = function (x?: any) { return g; }; let r = g<string>
console.log(typeof r, typeof g<1>, [g<1>, g<2>].length, { g: g<1> }.g === g, (g<1>) === g, (g<1>)?.name, g<1> as any === g)
//// arrows with types in conditionals
const t = true as boolean, x: any = 1, y: any = 2;
const a = t ? (x): number => x : (y): number => y;
const b = t ? (x) : y; const c = t ? (x: any) => x : y; const d = t ? x : (y: any): any => y; const e = t ? ({ p }: any): any => p : 0;
const f = t ? async (q: number): Promise<number> => q : null; const h = !t ? 1 : t ? (z: any) => ({ z }) : (w) => w;
console.log(a(5), b, c(6), d, e({ p: 7 }), typeof f, (h as any)(8).z);
//// parameter forms
function f(this: any, { a, b: [c] = [1] }: { a?: number; b?: number[] } = {}, [d, ...e]: number[] = [], g?: string, ...h: any[]) { return [a, c, d, e.length, g, h.length].join(); }
const k = ({ a }: { a: number }, [b]: [number], c?, d: string = "d", ...r: any[]): string => a + b + c + d + r.length;
console.log(f({ a: 9 }, [1, 2, 3], "s", 1, 2), f(), k({ a: 1 }, [2], 3));
//// catch, for and using with types
try { throw 1; } catch (e: unknown) { console.log(e as number); }
for (const x of [1, 2] as const satisfies readonly number[]) console.log(x);
for (let i: number = 0, n: number = 2; i < n; i++); for (var k in { a: 1 } as any) console.log(k!);
//// contextual words as names
const type = 1, of = 2, as = 3, is = 4, keyof = 5, infer = 6, readonly = 7, abstract = 8, declare = 9, namespace = 10, module = 11, global = 12, unique = 13, asserts = 14, out = 15, override = 16, satisfies = 17, any = 18, accessor = 19, async = 20, get = 21, using = 22, defer = 23, source = 24, require = 25;
type T = { type: 1; of: 2; as: 3; readonly readonly: 4; get: 5; set: 6; static: 7; new?: 8; in: 9 };
console.log(type + of + as + is + keyof + infer + readonly + abstract + declare + namespace + module + global + unique + asserts + out + override + satisfies + any + accessor + async + get + using + defer + source + require);
abstract
class A {}
type
X
= 1
function X() {}
//// labels and objects that look like types
const o = { as: 1, satisfies: 2, type: 3, async: 4, get: 5, set: 6, readonly: 7, declare: 8 };
a: for (;;) { break a; } type: { break type; } async: { break async; } declare: for (const x of []) continue declare;
console.log(Object.keys(o).length, ((o) as any).as, o.as as number);
//// enums in odd places
enum E { A = 1 << 2, B = A | 1, C = "x".length as any, D = `t`, "e-f" = 3, G = E.A + E["e-f"], H = -G, I = ~H, J = +"3" as any }
namespace N { export const enum K { X = E.A, Y } export enum K2 { Z = K.Y } }
function f() { enum L { P = E.B } return L.P; }
console.log(E.A, E.B, E.C, E.D, E["e-f"], E.G, E.H, E.I, N.K.Y, N.K2.Z, f(), E[3]);
export {};
//// const enum members
const enum C { A, B = "b", D = A + 2, F = B + "c" } enum R { X = C.D, Y = C["A"], Z }
console.log(C.A, C.B, C.D, C["F"], R.X, R.Y, R.Z);
//// namespaces merge with everything
function f() { return f.x; } namespace f { export let x = 1; } namespace f { export const y = x + 1; x = 5; }
class C { static s = 1; } namespace C { export const t = C.s + 1; } enum E { A } namespace E { export function of(n: number) { return E[n]; } }
namespace M { export namespace In { export const v = 1 } } namespace M.In { export const w = v + 1 } namespace M { export const z = In.w + 1 }
console.log(f(), f.y, C.t, E.of(0), M.In.w, M.z);
//// declared things vanish
declare var a: any, b; declare let c: number; declare const d: 1, e: 2; declare function f(): void; declare function* g(): any; declare async function h(): any;
declare class K<T> extends Object implements Y { constructor(a: 1); private x; static y: 1; get z(): 1; m<T>(): void; [k: string]: any; static {} }
declare abstract class L { abstract x: 1 } declare enum E { A = 1, B } declare const enum F { A } declare namespace N { let x: 1; export { x as y }; namespace M {} export default x; }
declare module "m" { export const q: 1; export default q; import x = require("y"); export = x; export * from "z"; } declare module "n"; declare module "*.css"; declare global { interface Array<T> { x: T } var y: 1; export {} }
declare type T = 1; declare interface Y {} declare import Z = N.M;
export as namespace Lib; export declare const ex: 1; export declare function ef(): void; export declare class EC {} export declare namespace EN {} export declare type ET = 1; export abstract class EA { abstract q: 1 }
console.log(typeof a, typeof K, typeof E, typeof N);
//// using with types
const d = (n: string): Disposable => ({ [Symbol.dispose]() { console.log("dispose " + n); } });
{ using a: Disposable = d("a"), b = d("b") as Disposable; console.log("body"); }
const using = [1]; console.log(using[0], using as any === using);
//// casts before operators
let x: any = 5; const y = <number>x + <number>x * 2, z = -<number>x, w = !<any>x, v = typeof <any>x, u = <any>x++ + 1;
console.log(y, z, w, v, u, x, (<any>x)++, x, (<any>[1, 2])[1], <any>x ? 1 : 2, <string>"a" + "b", (<any>(() => 1))());
//// casts of arrows and objects
const f = <(x: number) => number>(x => x + 1), g = <T,>(x: T) => <any>x, h = <any>{ a: 1 }, i = <any>async function () {}, j = (<{ a: number }>{ a: 2 }).a;
console.log(f(1), g(2), h.a, i.constructor.name, j);
//// object methods with types
const o = { m<T>(this: any, x: T): T { return x; }, async *g<T>(): AsyncGenerator<T> {}, get p(): number { return 1; }, set p(v: number) {}, async a(): Promise<void> {}, [`k${1}`](x?: number) { return x; }, async: 1, get: <T>(x: T) => x, "s"(): void {}, 1(): void {} };
console.log(o.m<number>(1), o.p, o["k1" as "k1"](2), o.get(3), Object.keys(o).join());
//// class heritage with types
class A<T> { v: T; constructor(v: T) { this.v = v; } } class B extends A<string> implements Iterable<any>, PromiseLike<any> { [Symbol.iterator](): any {} then(): any {} }
class C extends (A as new <T>(x: T) => A<T>)<number> {} class D extends (class<T> { x?: T })<string> {} function mix<T>(b: T) { return b; } class E extends mix<any>(A)<number> {}
console.log(new B("b").v, new C(1).v, new D().x, new E(2).v);
//// regular expressions after types
let a: RegExp = /x/g, b = "x" as string; const f = (x: string): boolean => /\/[/]</.test(x); type T = 1
/y/.test("y") && console.log("re"); const g = <RegExp>/z/; let c = 8 as any / 2 / 2;
console.log(a.test("x"), f("//<"), g.source, c);
//// comments in odd places
const f /* a */ = /* b */ async /* c */ <T /* d */, U /* > */>( /* e */ x /* f */ ?: /* g */ T /* ) */, // h
  y?: U): Promise< /* > */ any> /* i */ => /* j */ x;
type /* k */ A /* l */ = /* ; */ 1; let z /* m */ ! /* n */ : /* = */ number; z = 1; let w = z /* o */ ! /* p */ as /* q */ any /* r */;
f(1).then(v => console.log(v, w));
//// errors after erased code
interface Long { a: string; b: number }
type Gone = { x: 1 }
function fail(this: void, a: number, b?: string): never { const e: any = null as unknown as object; return e!.boom; }
try { fail<never>(1); } catch (e) { console.log((e as Error).message); }
enum Em { A = 1 } namespace Nm { export const q = 1; export function thrower(x: any): void { throw new Error("n" + x!); } }
try { Nm.thrower(Em.A as number); } catch (e) { console.log((e as Error).message); }
//// arrows or parentheses in conditionals
const t = true as boolean, f = !t, x: any = 1, y: any = 2, q = [1];
const a = t ? (x) : y => x; const b = f ? (x) : (y): any => y; const c = t ? (x): any => { return x ? 1 : 2; } : y;
const d = t ? (x): any => /:/.test(x) ? `${x ? ":" : 1}:` : "no" : y; const e = t ? (x): any => x
  : (y): any => y
const g = t ? f ? (x) : (y) : x; const h = t ? (x): any => (y): any => x + y : null; const i = f ? (x) : y => t ? (x) : y;
l: for (;;) break l; const j = t ? (x)
  : y => x; switch (1 as any) { case (x): console.log("case"); case t ? (x) : y: console.log("second"); }
console.log(a, b(3), c(1), d(":"), e(4), g, h!(1)(2), i(5), j, { k: t ? (x): any => x : y }.k(6), [f ? (x) : y => y].length);
//// operators after assertions
console.log(1 * 2 as number * 3, 1 + 1 as number + 2, 8 >> 1 as number >> 1, 1 < 2 as any < 3, 1 << 1 as any << 2, 7 as number - 2, 2 as any ** 3 as any, "a" as any in { a: 1 }, 6 as unknown as number / 2);
//// type arguments of new and calls that begin with a shift
const f: any = function (this: any, x?: any) { return x ?? f; };
console.log(typeof new f<<T>(v: T) => void>(), typeof f<<T>(v: T) => void>(1), typeof new f<string,>(), typeof new f<1>, new f < 1 > (2) === undefined);
const async = <T>(x?: T) => x ?? 0; console.log(async<number>() == 0, async<string>("q") + "!", async < (1 as any), new (f<string>)(3) instanceof f);
//// tagged templates behind new
function tag(s: TemplateStringsArray) { return class { s = s.join("|"); }; }
console.log(new tag<string>`a${1}b`().s, new tag`c`().s);
//// namespaces that declare values exist
namespace A { declare const x: number; } namespace B { export declare function f(): void } namespace C { declare namespace D { const y: 1 } }
console.log(typeof A, typeof B, typeof C);
//// aliases keep and drop imports
import unused from "nowhere"; import type T from "nowhere";
import a = unused.b; import c = a.d;
namespace N { export const v = 1; export namespace M { export const w = 2 } }
import m = N.M; import w = m.w; import gone = m;
console.log(w);
//// members that are strings by their form
const s = (() => "q")();
enum E { A = `${s}`, B = "x" + s, C = s + "y" + 1, D = (`${s}!`), F = s.length }
console.log(Object.keys(E).join(), E.A, E.B, E.C, E.D, E.F);
//// rest with a trailing comma in ambient code
declare function f(...a: any[],): void; declare class C { m(...a: any[],): void }
console.log("ran");
//// const enums merged and exported
export const enum A { x, y } export const enum A { z = 5 } enum B { q = A.z }
console.log(A.x, A["y"], A.z, B.q);
