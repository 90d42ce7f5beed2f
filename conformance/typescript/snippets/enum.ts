//// numeric
enum E { A, B, C }
console.log(E.A, E.B, E.C, E[0], E[1], E[2], JSON.stringify(E));
//// start value
enum E { A = 5, B, C = 10, D }
console.log(JSON.stringify(E));
//// string
enum S { Up = "UP", Down = 'DOWN' }
console.log(JSON.stringify(S), S["UP" as any]);
//// heterogeneous
enum H { No = 0, Yes = "YES", Maybe = 3, Other }
console.log(JSON.stringify(H), Object.keys(H).join());
//// computed length
enum F { None, Read = 1 << 1, Write = 1 << 2, RW = Read | Write, G = "123".length }
console.log(JSON.stringify(F));
//// refer to earlier members
enum E { A = 1, B = A * 2, C = A + B, D = -C, F = ~D, G = A << 3, H = B ** 5, I = 7 % 4, J = 7 / 2, K = 1 ^ 3, L = -1 >>> 28, M = -8 >> 1 }
console.log(JSON.stringify(E));
//// refer by qualified name
enum E { A = 3, B = E.A, C = E["B"] + 1, D }
console.log(JSON.stringify(E));
//// refer in a function
const twice = (n: number) => n * 2;
enum E { A = 4, B = twice(A), C = [A, A].length }
console.log(JSON.stringify(E));
//// shadowed member in an initialiser
enum E { A = 4, B = ((A: number) => A + 1)(10) , C = (() => A)() }
console.log(JSON.stringify(E));
//// member hides a variable
const A = 100;
enum E { A = 1, B = A }
console.log(E.B);
//// const variable
const base = 40;
enum E { A = base, B, C = base * 2, D }
console.log(JSON.stringify(E));
//// const variable holding a string
const pre = "x-";
enum E { A = pre, B = `${pre}y`, C = pre + 1 }
console.log(JSON.stringify(E));
//// another enum's member
enum A { X = 7, S = "s" }
enum B { P = A.X, Q, R = A.S }
console.log(JSON.stringify(B));
//// template
enum T { A = `a`, B = `${A}b`, C = `n${1 + 1}` }
console.log(JSON.stringify(T));
//// string concatenation
enum T { A = "a" + "b", B = A + "c", C = "n" + 1 }
console.log(JSON.stringify(T));
//// quoted names
enum E { 'a-b', "c d" = 4, 'e' }
console.log(JSON.stringify(E), E['a-b'], E["c d"]);
//// keyword names
enum E { default, class, if = 5, new }
console.log(JSON.stringify(E), E.class, E.new);
//// negative and fraction
enum E { A = -1, B, C = 0.5, D, Z = -0 }
console.log(JSON.stringify(E), Object.keys(E).join("|"), Object.is(E.Z, -0));
//// duplicates in the reverse mapping
enum E { A = 1, B = 1, C }
console.log(E[1], E[2], JSON.stringify(E));
//// merged declarations
enum E { A }
enum E { B = 1 }
enum E { C = A + B + 1 }
console.log(JSON.stringify(E));
//// const enum
const enum C { A = 1, B, S = "s" }
console.log(C.A, C.B, C.S);
//// export enum
export enum E { A, B }
console.log(E.A, E[1]);
//// export merged enum
export enum E { A }
export enum E { B = 5 }
console.log(JSON.stringify(E));
//// export const enum
export const enum E { A = 2 }
console.log(E.A);
//// exported later
enum E { A }
export { E, E as F };
console.log(E.A);
//// export default
enum E { A = 9 }
export default E;
console.log(E.A);
//// declare enum
declare enum D { A }
declare const enum D2 { A }
console.log(typeof D);
//// in a function
function f() { enum L { A = 1, B } return L.B + L[1]; }
console.log(f(), f());
//// in a block
{
  enum L { A = "block" }
  console.log(L.A);
}
{
  enum L { A = "other" }
  console.log(L.A);
}
//// in a loop
const fs: (() => number)[] = [];
for (let i = 0; i < 3; i++) { enum L { A = i } fs.push(() => L.A); }
console.log(fs.map(f => f()).join());
//// in a switch case
switch (1 as number) { case 1: enum L { A = "case" } console.log(L.A); }
//// in an arrow function
const f = () => { enum L { A, B } return Object.keys(L).length; };
console.log(f());
//// in a generator and an async function
function* g() { enum L { A = 3 } yield L.A; }
async function h() { enum L { A = 4 } await null; return L.A; }
console.log([...g()].join());
h().then(v => console.log(v));
//// in a static block
class C { static n: number; static { enum L { A = 6 } C.n = L.A; } }
console.log(C.n);
//// before its declaration
console.log(typeof E);
enum E { A }
console.log(typeof E);
//// used before its declaration throws
console.log(E.A);
enum E { A }
//// in a block before its declaration throws
{
  console.log(typeof E);
  enum E { A }
}
//// is an object
enum E { A }
console.log(typeof E, Object.getPrototypeOf(E) === Object.prototype, "A" in E, 0 in E, E.hasOwnProperty("A"));
//// property descriptors
enum E { A }
const d = Object.getOwnPropertyDescriptor(E, "A")!;
console.log(d.writable, d.enumerable, d.configurable);
//// iteration
enum E { A, B = "b", C = 5 }
for (const k in E) console.log(k, (E as any)[k]);
console.log(Object.values(E).join(), Object.entries(E).join(";"));
//// as a type
enum E { A, B }
function f(e: E): string { return E[e]; }
const r: Record<E, string> = { [E.A]: "a", [E.B]: "b" };
console.log(f(E.B), r[E.A], r[E.B]);
type K = keyof typeof E;
const k: K = "A";
console.log(k);
//// switch over an enum
enum Shape { Circle, Square }
const area = (s: Shape) => { switch (s) { case Shape.Circle: return "c"; case Shape.Square: return "s"; } };
console.log(area(Shape.Circle), area(Shape.Square));
//// flags
enum Perm { R = 1 << 0, W = 1 << 1, X = 1 << 2, All = R | W | X }
let p: Perm = Perm.R | Perm.X;
console.log(p, (p & Perm.W) !== 0, (p & Perm.X) !== 0, Perm.All & ~p, Perm[7]);
//// empty
enum E {}
console.log(JSON.stringify(E));
//// trailing comma and comments
enum E {
  A, // first
  /* second */ B,
}
console.log(E.B);
//// this of an initialiser
enum E { A = (function (this: any) { return typeof this; })().length }
console.log(E.A);
//// not constant then automatic
const f = () => 5;
enum E { A = f(), B = 2, C }
console.log(JSON.stringify(E));
//// side effects run in order
const log: string[] = [];
const say = (s: string, n: number) => { log.push(s); return n; };
enum E { A = say("a", 1), B = say("b", 2) }
console.log(log.join(), E.A + E.B);
//// initialiser throws
const boom = (): number => { throw new RangeError("no"); };
try { (() => { enum E { A = boom() } })(); } catch (e) { console.log(String(e)); }
//// parenthesised constants
enum E { A = (1 + 2) * 3, B, C = ((("x"))), D = +(4), F }
console.log(JSON.stringify(E));
//// hex, octal, binary, separators
enum E { A = 0xff, B = 0o17, C = 0b101, D = 1_000, F }
console.log(JSON.stringify(E));
//// reassign the object
enum E { A }
(E as any).Z = 26;
console.log((E as any).Z);
//// frozen copy
enum E { A = "a" }
const c = Object.freeze({ ...E });
console.log(JSON.stringify(c));
//// name shadowed by a parameter
enum E { A = 1 }
function f(E: { A: number }) { return E.A; }
console.log(f({ A: 2 }), E.A);
//// member named like the enum
enum E { E = 3, F = E }
console.log(JSON.stringify(E));
//// regular expression and object initialisers
enum E { A = /a+/.source.length, B = { x: 4 }.x, C = [1, 2, 3].length }
console.log(JSON.stringify(E));
//// conditional initialiser
const deep = Math.random() >= 0;
enum E { A = deep ? 1 : 2, B = A > 0 ? A : 0 }
console.log(JSON.stringify(E));
//// class expression in an initialiser
enum E { A = new (class { v = 8 })().v }
console.log(E.A);
//// wide values
enum E { A = 1e21, B = 4294967295, C = A }
console.log(JSON.stringify(E), E[1e21]);
//// unicode names
enum Größe { klein, groß = "ß", "日本" = 3 }
console.log(JSON.stringify(Größe), Größe.klein, Größe["日本"]);
//// computed literal names
enum E { [`a`] = 1, ["b"], [`c`] }
console.log(JSON.stringify(E));
