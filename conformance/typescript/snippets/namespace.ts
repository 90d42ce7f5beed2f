//// exported variables
namespace N { export const a = 1; export let b = "two"; export var c = [3]; }
console.log(N.a, N.b, N.c, Object.keys(N).join());
//// private variables
namespace N { const hidden = 1; let h2 = 2; export const sum = hidden + h2; }
console.log(JSON.stringify(N));
//// exported functions
namespace N { export function f(x: number) { return g(x) + 1; } function g(x: number) { return x * 2; } }
console.log(N.f(3), Object.keys(N).join(), N.f.name);
//// exported class
namespace N { export class C { constructor(public v = 4) {} m() { return this.v; } } export const c = new C(); }
console.log(new N.C(7).m(), N.c.m(), N.C.name);
//// exported enum
namespace N { export enum E { A, B } export const x = E.B; }
console.log(N.E.B, N.x, N.E[0]);
//// nested
namespace A { export namespace B { export namespace C { export const x = "deep"; } export const y = C.x + "!"; } }
console.log(A.B.C.x, A.B.y);
//// dotted
namespace A.B.C { export const x = 1; }
namespace A.B { export const y = C.x + 1; }
namespace A { export const z = B.y + B.C.x; }
console.log(JSON.stringify(A));
//// private nested
namespace A { namespace P { export const x = 5; } export const y = P.x; }
console.log(JSON.stringify(A));
//// merged blocks see each other's exports
namespace N { export const a = 1; export function f() { return a + b; } }
namespace N { export const b = a + 1; }
console.log(N.f(), N.b);
//// merged blocks don't see private names
const p = "outer";
namespace N { const p = "inner"; export const q = p; }
namespace N { export const r = p; }
console.log(N.q, N.r);
//// assignment to an exported variable
namespace N { export let n = 0; export function inc() { n++; n += 10; return ++n; } }
console.log(N.inc(), N.n);
N.n = 100;
console.log(N.inc());
//// exported variable without value
namespace N { export let x: number; export function set(v: number) { x = v; } export function get() { return x; } }
console.log("x" in N, N.get()); N.set(3); console.log(N.x, N.get());
//// destructuring export
namespace N { export const { a, b: { c }, ...rest } = { a: 1, b: { c: 2 }, d: 3, e: 4 }; export const [x, , y = 9, ...z] = [1, 2, undefined, 4, 5]; }
console.log(JSON.stringify(N));
//// destructuring assignment
namespace N { export let a = 1, b = 2; export function swap() { [a, b] = [b, a]; ({ a, b: b = 7 } = { a: a * 10, b }); for (a of [5, 6]); return a + "," + b; } }
console.log(N.swap(), N.a);
//// shorthand property
namespace N { export const a = 1; export const f = () => ({ a, b: a, [`${a}`]: a }); }
console.log(JSON.stringify(N.f()));
//// shadowing by parameters
namespace N { export const x = 1; export const f = (x: number) => x; export function g(y = x, { x: z } = { x: 5 }) { return y + z; } }
console.log(N.f(9), N.g());
//// shadowing by locals
namespace N { export const x = 1; export function f() { { const x = 2; if (x !== 2) return "bad"; } return x; } export function g() { var r = typeof x; var x = 3; return r; } }
console.log(N.f(), N.g());
//// shadowing by loops and catch
namespace N { export const e = "e"; export function f() { const out: any[] = []; for (const e of [1]) out.push(e); for (let e = 2; e < 3; e++) out.push(e); try { throw 4 } catch (e) { out.push(e) } out.push(e); return out.join(); } }
console.log(N.f());
//// shadowing by function and class names
namespace N { export const h = 1; export const a = (function h() { return typeof h; })(); export const b = (class h { static t = typeof h }).t; export const c = h; }
console.log(N.a, N.b, N.c);
//// typeof and calls
namespace N { export const f = function () { return 1; }; export const t = typeof f; export const v = f(); export const tag = (s: TemplateStringsArray) => s[0]; export const w = tag`hi`; export const n = new (class { k = v })().k; }
console.log(N.t, N.v, N.w, N.n);
//// this of a called member
namespace N { export const who = function (this: any) { return this === N; }; export const r = who(); }
console.log(N.r);
//// name of an exported arrow
namespace N { export const f = () => 1; export const c = class {}; const g = () => 2; export const names = [f.name, c.name, g.name].join("|"); }
console.log(N.names);
//// merging with a function
function f() { return f.count++; }
namespace f { export let count = 10; }
console.log(f(), f(), f.count);
//// merging with a class
class C { static a = 1; m() { return C.helper(2); } }
namespace C { export const b = a2(); export function helper(n: number) { return n + C.a; } function a2() { return C.a + 1; } }
console.log(C.b, new C().m());
//// merging with an enum
enum E { A = 1, B }
namespace E { export function parse(s: string) { return (E as any)[s]; } }
console.log(E.parse("B"), E.A);
//// class inside a namespace merged with it
namespace N { export class C { static x = 1 } export namespace C { export const y = C.x + 1; } }
console.log(N.C.x, N.C.y);
//// function inside a namespace merged with it
namespace N { export function f() { return f.x; } export namespace f { export const x = 3; } }
console.log(N.f());
//// type-only namespaces vanish
namespace T { export interface I { a: number } export type U = I | string; }
const v: T.U = "s";
console.log(v);
try { (0, eval)("T"); console.log("there"); } catch (e) { console.log((e as Error).name); }
//// declared namespaces vanish
declare namespace D { const x: number; function f(): void; namespace E { let y: string } }
declare module "m" { export const z: number; }
console.log(typeof D);
//// types inside
namespace N { export interface I { v: number } export type A = I[]; export const mk = (v: number): I => ({ v }); const xs: A = [mk(1)]; export const n = xs[0]!.v as number; }
const i: N.I = N.mk(5);
console.log(i.v, N.n);
//// export namespace
export namespace N { export const x = 1; }
export namespace N { export const y = 2; }
console.log(JSON.stringify(N));
//// export function and namespace
export function f() { return f.x; }
export namespace f { export const x = 8; }
console.log(f());
//// export class and namespace
export class C {}
export namespace C { export const x = 8; }
console.log(C.x);
//// module keyword
module N { export const x = 2; }
console.log(N.x);
//// private class, exported instance
namespace N { class K { v = 1 } export const k = new K(); export type KT = K; }
console.log(N.k.v, Object.keys(N).join());
//// name hidden inside
namespace N { export class N { v = 3 } export const n = new N(); export function f() { return N.name; } }
console.log(N.n.v, N.f(), Object.keys(N).join());
//// parameter named like the namespace
namespace N { export const x = 1; export function f(N: string) { return N + x; } }
console.log(N.f("p"));
//// nested namespace with the same name
namespace A { export const x = 1; export namespace A { export const y = x + 1; export namespace A { export const z = x + y; } } }
console.log(A.x, A.A.y, A.A.A.z);
//// inner hides outer member
namespace A { export const x = "outer"; export namespace B { export const x = "inner"; export const y = x; } export const z = x; }
console.log(A.B.y, A.z);
//// inner sees a later block of the outer namespace
namespace A { export namespace B { export const f = () => later; } }
namespace A { export const later = "later"; }
console.log(A.B.f());
//// outer variable is not a member
const y = "global";
namespace A { export const x = y; }
console.log(A.x, "y" in A);
//// closures over members see changes
namespace N { export let v = 1; export const get = () => v; }
N.v = 2;
console.log(N.get());
//// order of evaluation
const log: string[] = [];
namespace A { log.push("a"); export const x = log.push("x"); }
log.push("between");
namespace A { log.push("b"); }
console.log(log.join());
//// function hoisting inside
namespace N { export const a = f(); export function f() { return "hoisted"; } }
console.log(N.a);
//// member is set where the function stands
namespace N { export const before = "f" in N_(); function N_() { return (globalThis as any).seen ?? {}; } export function f() {} }
console.log(N.before);
//// statements inside
namespace N { export let s = ""; for (const c of "abc") { if (c === "b") continue; s += c; } try { throw s; } catch (e) { s = e + "!"; } switch (s.length) { case 3: s += "3"; } }
console.log(N.s);
//// labelled loops inside
namespace N { export let n = 0; outer: for (;;) { for (;;) { n++; if (n > 3) break outer; } } }
console.log(N.n);
//// optional chaining and non-null
namespace N { export let o: { p?: { q: number } } | undefined = { p: { q: 1 } }; export const a = o?.p?.q; export const b = o!.p!.q; o = undefined; export const c = o?.p; }
console.log(N.a, N.b, N.c);
//// compound logical assignment
namespace N { export let a: any = null, b: any = 0, c: any = 1; a ??= 5; b ||= 6; c &&= 7; export let d = 2; d **= 5; d <<= 1; }
console.log(N.a, N.b, N.c, N.d);
//// update expressions
namespace N { export let i = 1; export const r = [i++, i, ++i, i--, --i].join(); }
console.log(N.r, N.i);
//// delete, void, in
namespace N { export const k = "a"; export const r = [k in { a: 1 }, void k, typeof k, -k].join(); }
console.log(N.r);
//// async and generators
namespace N { export const d = 3; export async function f() { await null; return d; } export function* g() { yield d; yield* [d + 1]; } }
N.f().then(v => console.log("async", v));
console.log([...N.g()].join());
//// getters in classes refer to members
namespace N { export let n = 1; export class C { get v() { return n; } set v(x) { n = x; } static s = n; [`k${n}`] = n; } }
const c = new N.C(); c.v = 9;
console.log(c.v, N.n, N.C.s, (c as any).k1);
//// extends an exported class
namespace Animals { export class Animal { constructor(public name: string) {} speak() { return this.name; } } export class Dog extends Animal { speak() { return super.speak() + " barks"; } } }
console.log(new Animals.Dog("Rex").speak());
class Cat extends Animals.Animal {}
console.log(new Cat("Tom").speak());
//// extends from another block
namespace N { export class B { m() { return 1; } } }
namespace N { export class D extends B { m() { return super.m() + 1; } } }
console.log(new N.D().m());
//// computed keys and templates
namespace N { export const k = "key"; export const o = { [k]: `${k}=${k.length}` }; }
console.log(JSON.stringify(N.o));
//// spread of members
namespace N { export const xs = [1, 2]; export const ys = [...xs, ...xs]; export const o = { ...xs }; export const m = Math.max(...xs); }
console.log(N.ys.join(), JSON.stringify(N.o), N.m);
//// default parameters refer to members
namespace N { export const d = 4; export const f = (a = d, b = () => d) => a + b(); }
console.log(N.f());
//// import alias
namespace A { export namespace B { export const x = 1; export class C { v = 2 } } }
import B = A.B;
import C = A.B.C;
console.log(B.x, new C().v);
//// import alias of a type
namespace A { export interface T { v: number } export const x = 1; }
import T = A.T;
const t: T = { v: 3 };
console.log(t.v);
//// import alias of a type-only namespace
namespace A { export interface T { v: number } }
import T = A.T;
const t: T = { v: 3 };
console.log(t.v);
//// import alias inside a namespace
namespace A.B { export const x = 7; }
namespace N { import b = A.B; export const y = b.x; }
console.log(N.y, Object.keys(N).join());
//// export import inside a namespace
namespace A.B { export const x = 7; }
namespace N { export import Z = A.B; export const y = Z.x; }
console.log(N.y, N.Z.x);
//// export import of a module
namespace A.B { export const x = 7; }
export import Z = A.B;
console.log(Z.x);
//// import alias of an enum
namespace N { export enum E { A = 5 } }
import E = N.E;
console.log(E.A, E[5]);
//// import alias takes the value once
namespace N { export let x = 1; }
import x = N.x;
N.x = 2;
console.log(x);
//// enum of a namespace in constants
namespace N { export enum E { A = 5, S = "s" } }
enum F { B = N.E.A, C, D = N.E.S }
console.log(JSON.stringify(F));
//// namespace in a namespace in a class body
class Outer { static make() { return Outer.Inner.x; } }
namespace Outer { export namespace Inner { export const x = "in"; } }
console.log(Outer.make());
//// empty namespace is type-only
namespace E {}
console.log((() => { try { return typeof (0, eval)("E"); } catch { return "gone"; } })());
//// only statements
const log: number[] = [];
namespace S { log.push(1); }
console.log(log.join(), typeof S);
//// strict inside
namespace N { export const t = (function (this: any) { return this; })(); }
console.log(N.t);
//// declared members inside
namespace N { export declare const ghost: number; declare function h(): void; export const x = 1; export abstract class A { abstract m(): void } }
console.log(Object.keys(N).join());
//// overloads inside
namespace N { export function f(a: string): string; export function f(a: number): number; export function f(a: any) { return a; } }
console.log(N.f(1), N.f("a"), Object.keys(N).join());
//// before its declaration throws
console.log(N.x);
namespace N { export const x = 1; }
//// a throw inside leaves the object
try { (() => {})(); } catch {}
namespace N { export const a = 1; try { null!.x; } catch (e) { console.log((e as Error).constructor.name); } export const b = 2; }
console.log(JSON.stringify(N));
//// var in a block of a namespace
namespace N { if (true) { var inner = 5; } export const r = inner; }
console.log(N.r);
//// exported var redeclared
namespace N { export var v = 1; export var v = 2; export const w = v; }
console.log(N.w);
//// members in nested functions and arrows
namespace N { export const a = 1; export const f = () => () => function () { return [a].map(x => x + a)[0]; }; }
console.log(N.f()()());
//// object methods and accessors
namespace N { export const a = 1; export const o = { m() { return a; }, get g() { return a + 1; }, a() { return typeof a; } }; }
console.log(N.o.m(), N.o.g, N.o.a());
//// chain through members
namespace N { export const list = { items: [1, 2, 3], map(f: (n: number) => number) { return this.items.map(f); } }; export const r = list.map(x => x * list.items.length).join(); }
console.log(N.r);
