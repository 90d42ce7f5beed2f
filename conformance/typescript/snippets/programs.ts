//// stack of a generic type
class Stack<T> { private readonly items: T[] = []; push(...xs: T[]): this { this.items.push(...xs); return this; } pop(): T | undefined { return this.items.pop(); } get size(): number { return this.items.length; } }
const s = new Stack<number>().push(1, 2, 3); s.pop(); console.log(s.size, s.pop()!);
//// linked list with iterator
class Node_<T> { constructor(public readonly value: T, public next: Node_<T> | null = null) {} }
class List<T> implements Iterable<T> { private head: Node_<T> | null = null; add(v: T) { this.head = new Node_(v, this.head); return this; } *[Symbol.iterator](): IterableIterator<T> { for (let n = this.head; n; n = n.next) yield n.value; } }
console.log([...new List<string>().add("a").add("b")].join());
//// state machine by enum
enum State { Idle = "IDLE", Busy = "BUSY", Done = "DONE" }
enum Event_ { Start, Finish }
const table: Record<State, Partial<Record<Event_, State>>> = { [State.Idle]: { [Event_.Start]: State.Busy }, [State.Busy]: { [Event_.Finish]: State.Done }, [State.Done]: {} };
let st: State = State.Idle; for (const e of [Event_.Finish, Event_.Start, Event_.Finish]) { st = table[st][e] ?? st; console.log(Event_[e], st); }
//// token kinds and a lexer
const enum Kind { Num, Op, Paren } interface Token { kind: Kind; text: string }
function lex(src: string): Token[] { const out: Token[] = []; for (const m of src.matchAll(/(\d+)|([-+*/])|([()])/g)) out.push({ kind: m[1] ? Kind.Num : m[2] ? Kind.Op : Kind.Paren, text: m[0]! }); return out; }
console.log(lex("1+(22*3)").map(t => `${t.kind}:${t.text}`).join(" "));
//// expression parser
namespace Calc { type Env = Map<string, number>; let src = "", i = 0; function peek(): string { return src[i] ?? ""; } function num(): number { let s = ""; while (/\d/.test(peek())) s += src[i++]; return Number(s); } function factor(): number { if (peek() === "(") { i++; const v = sum(); i++; return v; } return num(); } function product(): number { let v = factor(); while (peek() === "*") { i++; v *= factor(); } return v; } function sum(): number { let v = product(); while (peek() === "+") { i++; v += product(); } return v; } export function run(s: string, env?: Env): number { src = s; i = 0; return sum(); } }
console.log(Calc.run("2*(3+4)+5"));
//// visitor over a union
type Expr = { t: "num"; v: number } | { t: "add"; l: Expr; r: Expr } | { t: "neg"; e: Expr };
const evalE = (e: Expr): number => { switch (e.t) { case "num": return e.v; case "add": return evalE(e.l) + evalE(e.r); case "neg": return -evalE(e.e); } };
console.log(evalE({ t: "add", l: { t: "num", v: 5 }, r: { t: "neg", e: { t: "num", v: 2 } } }));
//// repository pattern
interface Entity { readonly id: number } abstract class Repo<T extends Entity> { protected store = new Map<number, T>(); abstract validate(x: T): boolean; save(x: T): T { if (!this.validate(x)) throw new TypeError(`invalid ${x.id}`); this.store.set(x.id, x); return x; } find(id: number): T | undefined { return this.store.get(id); } }
class User implements Entity { constructor(public readonly id: number, public name: string) {} } class Users extends Repo<User> { override validate(u: User): boolean { return u.name.length > 0; } }
const repo = new Users(); repo.save(new User(1, "ann")); try { repo.save(new User(2, "")); } catch (e) { console.log((e as Error).message); } console.log(repo.find(1)?.name, repo.find(2)?.name);
//// event bus in a namespace
namespace Bus { type H<T> = (p: T) => void; const hs: Record<string, H<any>[]> = {}; export let count = 0; export const on = <T>(n: string, h: H<T>) => { (hs[n] ??= []).push(h); }; export const emit = <T>(n: string, p: T) => { count++; hs[n]?.forEach(h => h(p)); }; }
Bus.on<number>("x", n => console.log("got", n)); Bus.emit("x", 4); Bus.emit("y", 5); console.log(Bus.count);
//// units with branded types
declare const brand: unique symbol; type Brand<T, B> = T & { readonly [brand]: B }; type Meters = Brand<number, "m">; const m = (n: number) => n as Meters; const add = (a: Meters, b: Meters): Meters => ((a as number) + (b as number)) as Meters;
console.log(add(m(1), m(2)));
//// deep readonly and freeze
type Deep<T> = T extends object ? { readonly [K in keyof T]: Deep<T[K]> } : T; function freeze<T extends object>(o: T): Deep<T> { for (const v of Object.values(o)) if (typeof v === "object" && v) freeze(v as object); return Object.freeze(o) as Deep<T>; }
const f = freeze({ a: { b: [1] } }); try { (f as any).a.b.push(2); } catch (e) { console.log((e as Error).name); } console.log(f.a.b.length);
//// pipe with overloads
function pipe<A, B>(a: A, f: (a: A) => B): B; function pipe<A, B, C>(a: A, f: (a: A) => B, g: (b: B) => C): C; function pipe(a: unknown, ...fs: Array<(x: any) => unknown>): unknown { return fs.reduce((x, f) => f(x), a); }
console.log(pipe(2, x => x + 1, x => `n${x}`));
//// curry
type Fn = (...a: any[]) => any; const curry = (f: Fn, ...a: any[]): any => (a.length >= f.length ? f(...a) : (...b: any[]) => curry(f, ...a, ...b)); const add3 = (a: number, b: number, c: number): number => a + b + c;
console.log(curry(add3)(1)(2)(3), curry(add3, 1)(2, 3));
//// promise pool
async function pool<T, R>(xs: readonly T[], n: number, f: (x: T) => Promise<R>): Promise<R[]> { const out: R[] = []; let i = 0; const work = async (): Promise<void> => { while (i < xs.length) { const k = i++; out[k] = await f(xs[k]!); } }; await Promise.all(Array.from({ length: n }, work)); return out; }
pool([1, 2, 3, 4], 2, async x => x * x).then(r => console.log(r.join()));
//// retry with typed errors
class Retryable extends Error { constructor(public readonly after: number) { super(`after ${after}`); } } async function retry<T>(f: (n: number) => Promise<T>, max = 3): Promise<T> { for (let n = 0; ; n++) try { return await f(n); } catch (e: unknown) { if (!(e instanceof Retryable) || n >= max) throw e; console.log(e.message); } }
console.log(await retry(async n => { if (n < 2) throw new Retryable(n * 10); return "ok" + n; }));
//// matrix
class Matrix { static readonly id = (n: number): Matrix => new Matrix(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)))); constructor(private readonly rows: ReadonlyArray<ReadonlyArray<number>>) {} mul(o: Matrix): Matrix { return new Matrix(this.rows.map(r => o.rows[0]!.map((_, j) => r.reduce((s, v, k) => s + v * o.rows[k]![j]!, 0)))); } toString(): string { return this.rows.map(r => r.join(" ")).join("|"); } }
console.log(String(new Matrix([[1, 2], [3, 4]]).mul(new Matrix([[0, 1], [1, 0]]))), String(Matrix.id(2)));
//// lru cache
class LRU<K, V> { #m = new Map<K, V>(); constructor(private readonly cap: number) {} get(k: K): V | undefined { const v = this.#m.get(k); if (v !== undefined) { this.#m.delete(k); this.#m.set(k, v); } return v; } set(k: K, v: V): void { this.#m.delete(k); this.#m.set(k, v); if (this.#m.size > this.cap) this.#m.delete(this.#m.keys().next().value as K); } get keys(): string { return [...this.#m.keys()].join(); } }
const c = new LRU<string, number>(2); c.set("a", 1); c.set("b", 2); c.get("a"); c.set("c", 3); console.log(c.keys);
//// bit flags with a namespace of helpers
enum Flag { None = 0, A = 1, B = 2, C = 4, AB = A | B } namespace Flag { export function names(f: Flag): string { return Object.keys(Flag).filter(k => typeof (Flag as any)[k] === "number" && (f & (Flag as any)[k]) !== 0).join("|") || "None"; } export const has = (f: Flag, x: Flag) => (f & x) === x; }
console.log(Flag.names(Flag.AB), Flag.has(Flag.AB, Flag.C), Flag.names(0));
//// class with a namespace of types and defaults
class Server { constructor(private readonly o: Server.Options = Server.defaults) {} url(): string { return `${this.o.host}:${this.o.port ?? 80}`; } } namespace Server { export interface Options { host: string; port?: number } export const defaults: Options = { host: "localhost" }; }
console.log(new Server().url(), new Server({ host: "h", port: 1 }).url());
//// function with a namespace of settings
function greet(n: string): string { return `${greet.prefix} ${n}${greet.Mark.End}`; } namespace greet { export let prefix = "hi"; export enum Mark { End = "!" } }
greet.prefix = "hello"; console.log(greet("bob"));
//// json types
type Json = string | number | boolean | null | Json[] | { [k: string]: Json }; const walk = (j: Json, depth = 0): number => Array.isArray(j) ? Math.max(depth, ...j.map(x => walk(x, depth + 1))) : typeof j === "object" && j !== null ? Math.max(depth, ...Object.values(j).map(x => walk(x, depth + 1))) : depth;
console.log(walk({ a: [1, { b: [2] }] } satisfies Json));
//// typed csv
interface Row { name: string; qty: number } const parse = (s: string): Row[] => s.trim().split("\n").slice(1).map((l): Row => { const [name, qty] = l.split(",") as [string, string]; return { name, qty: +qty }; });
console.log(parse("name,qty\na,1\nb,2").reduce((n, r) => n + r.qty, 0));
//// dijkstra
type Graph = Record<string, Record<string, number>>; function dist(g: Graph, s: string): Record<string, number> { const d: Record<string, number> = { [s]: 0 }; const todo = new Set<string>(Object.keys(g)); while (todo.size) { let u: string | undefined; for (const v of todo) if (d[v] !== undefined && (u === undefined || d[v]! < d[u]!)) u = v; if (u === undefined) break; todo.delete(u); for (const [v, w] of Object.entries(g[u]!)) d[v] = Math.min(d[v] ?? Infinity, d[u]! + w); } return d; }
console.log(JSON.stringify(dist({ a: { b: 1, c: 5 }, b: { c: 2 }, c: {} }, "a")));
//// observable with private state
class Cell<T> { #v: T; #subs = new Set<(v: T, old: T) => void>(); constructor(v: T) { this.#v = v; } get value(): T { return this.#v; } set value(v: T) { const old = this.#v; this.#v = v; for (const s of this.#subs) s(v, old); } watch(f: (v: T, old: T) => void): () => void { this.#subs.add(f); return () => void this.#subs.delete(f); } }
const cell = new Cell<number>(1); const off = cell.watch((v, o) => console.log(o, "->", v)); cell.value++; off(); cell.value = 9; console.log(cell.value);
//// typed reducer
type Action = { type: "inc"; by?: number } | { type: "set"; v: number } | { type: "reset" }; const reducer = (s: number, a: Action): number => { switch (a.type) { case "inc": return s + (a.by ?? 1); case "set": return a.v; case "reset": return 0; } };
console.log((<Action[]>[{ type: "inc" }, { type: "inc", by: 5 }, { type: "set", v: 3 }]).map((a, i, all) => all.slice(0, i + 1).reduce(reducer, 0)).join());
//// option type with methods
abstract class Opt<T> { abstract map<U>(f: (t: T) => U): Opt<U>; abstract or(d: T): T; static some<T>(v: T): Opt<T> { return new Some(v); } static none<T = never>(): Opt<T> { return new None<T>(); } } class Some<T> extends Opt<T> { constructor(private readonly v: T) { super(); } map<U>(f: (t: T) => U): Opt<U> { return Opt.some(f(this.v)); } or(_: T): T { return this.v; } } class None<T> extends Opt<T> { map<U>(_: (t: T) => U): Opt<U> { return Opt.none<U>(); } or(d: T): T { return d; } }
console.log(Opt.some(2).map(x => x * 2).or(0), Opt.none<number>().map(x => x * 2).or(7));
//// dates and regular expressions with types
const re: RegExp = /(?<y>\d{4})-(?<m>\d\d)/u; const g = re.exec("on 2024-05")?.groups as { y: string; m: string } | undefined; const d: Date = new Date(Date.UTC(+g!.y, +g!.m - 1));
console.log(d.toISOString());
//// weak maps for private data
const priv = new WeakMap<object, { n: number }>(); class P { constructor(n: number) { priv.set(this, { n }); } get n(): number { return priv.get(this)!.n; } }
console.log(new P(3).n);
//// proxies with types
const logged = <T extends object>(o: T, log: string[]): T => new Proxy(o, { get(t, k: string | symbol, r): unknown { log.push(String(k)); return Reflect.get(t, k, r) as unknown; } }); const log: string[] = []; const p = logged({ a: 1, b: { c: 2 } }, log);
console.log(p.a + p.b.c, log.join());
//// tagged union of enums
enum Suit { Clubs = "♣", Hearts = "♥" } enum Rank { Two = 2, Three, Ace = 14 } type Card = readonly [Rank, Suit]; const show = ([r, s]: Card): string => `${Rank[r]}${s}`; const deck = Object.values(Suit).flatMap(s => (Object.values(Rank).filter(r => typeof r === "number") as Rank[]).map((r): Card => [r, s]));
console.log(deck.map(show).join(" "));
//// abstract factory in namespaces
namespace Shapes { export interface Shape { area(): number } export namespace Round { export class Circle implements Shape { constructor(readonly r: number) {} area() { return 3 * this.r ** 2; } } } export namespace Flat { export class Sq implements Shape { constructor(protected a: number) {} area() { return this.a ** 2; } } } export const make = (k: keyof typeof makers, n: number): Shape => makers[k](n); const makers = { c: (n: number) => new Round.Circle(n), s: (n: number) => new Flat.Sq(n) }; }
console.log(Shapes.make("c", 2).area(), Shapes.make("s", 3).area()); import Round = Shapes.Round; console.log(new Round.Circle(1).r);
//// iterator helpers by hand
function* take<T>(n: number, xs: Iterable<T>): Generator<T, void, undefined> { let i = 0; for (const x of xs) { if (i++ >= n) return; yield x; } } function* nat(from = 0): Generator<number, never, void> { for (;;) yield from++; }
console.log([...take(3, nat(5))].join());
//// comma, semicolon and newline separators in types
interface A { a: number, b: string; c: boolean
 d?: A } type B = { a: 1; b: 2, c: 3
 d: 4 }
const a: A = { a: 1, b: "b", c: true, d: { a: 2, b: "", c: false } }; console.log(a.d!.a);
//// index access through generics
function pluck<T, K extends keyof T>(xs: T[], k: K): T[K][] { return xs.map((x) => x[k]); } const get = <T, const K extends readonly (keyof T)[]>(o: T, ...ks: K): { [I in keyof K]: T[K[I] & keyof T] } => ks.map(k => o[k]) as any;
console.log(pluck([{ a: 1 }, { a: 2 }], "a").join(), get({ x: 1, y: "z" }, "y", "x").join());
//// async generators and for await
async function* chunks(s: string, n: number): AsyncGenerator<string> { for (let i = 0; i < s.length; i += n) { await null; yield s.slice(i, i + n); } }
const parts: string[] = []; for await (const c of chunks("abcdefg", 3)) parts.push(c); console.log(parts.join("|"));
//// error causes and aggregate
try { try { JSON.parse("{" as string); } catch (e) { throw new Error("wrapped", { cause: e as SyntaxError }); } } catch (e) { const c = (e as Error).cause as Error; console.log((e as Error).message, c.name); }
//// labelled tuple and rest types
type Args = [first: string, second?: number, ...others: boolean[]]; const f = (...[a, b = 2, ...c]: Args): string => `${a}${b}${c.length}`; console.log(f("x"), f("y", 3, true, false));
//// accessors with decorators and enums
enum Level { Low = 1, High = 10 } const clamp = (lo: number, hi: number) => (t: ClassAccessorDecoratorTarget<any, number>, _: unknown): ClassAccessorDecoratorResult<any, number> => ({ set(v: number) { t.set.call(this, Math.min(hi, Math.max(lo, v))); } });
class Knob { @clamp(Level.Low, Level.High) accessor v: number = Level.Low; constructor(readonly name: string) {} } const k = new Knob("k"); k.v = 99; console.log(k.v, k.name); k.v = -5; console.log(Level[k.v]);
//// injectables
const registry = new Map<string, unknown>(); function Injectable(name: string) { return <T extends new (...a: any[]) => any>(c: T, _: ClassDecoratorContext<T>): void => { registry.set(name, c); }; }
@Injectable("db") class Db { constructor(public readonly url = "mem") {} } @Injectable("svc") class Svc { constructor(private readonly db: Db = new (registry.get("db") as typeof Db)()) {} info() { return this.db.url; } }
console.log([...registry.keys()].join(), new (registry.get("svc") as typeof Svc)().info());
//// tables of functions with enum keys
enum Op { Add = "+", Sub = "-", Mul = "*" } const ops: { readonly [K in Op]: (a: number, b: number) => number } = { [Op.Add]: (a, b) => a + b, [Op.Sub]: (a, b) => a - b, [Op.Mul]: (a, b) => a * b };
console.log((Object.values(Op) as Op[]).map(o => `6${o}3=${ops[o](6, 3)}`).join(" "));
//// nested enums of merged namespaces as constants
namespace Cfg { export enum Size { S = 1, M, L } } namespace Cfg { export enum Price { S = Size.S * 10, M = Size.M * 10, L = Cfg.Size.L * 10, Next } }
console.log(JSON.stringify(Cfg.Price));
//// module pattern with private class and enum
namespace Store { enum Kind { A, B } class Item { constructor(readonly kind: Kind, readonly n: number) {} } const items: Item[] = []; export type Handle = Item; export function add(k: keyof typeof Kind, n: number): Handle { const it = new Item(Kind[k], n); items.push(it); return it; } export const total = (): number => items.reduce((s, i) => s + i.n, 0); }
const h: Store.Handle = Store.add("B", 4); Store.add("A", 6); console.log(h.kind, Store.total(), Object.keys(Store).join());
//// getters through namespaces stay live
namespace Live { export let n = 0; export const o = { get n() { return n; }, set n(v) { n = v; } }; } Live.o.n = 5; console.log(Live.n, Live.o.n); Live.n = 6; console.log(Live.o.n);
//// closures over loop enums
const out: string[] = []; for (const name of ["x", "y"]) { enum E { A = name.length, B = name as any } namespace N1 { } out.push(String(E.B) + E.A); } console.log(out.join());
//// var hoisting around enums
function f() { if (true) { var v = 1; } enum E { A = v + 1 } return E.A; } console.log(f());
//// eval order of namespace, enum and class
const log: string[] = []; const t = (s: string): any => (log.push(s), s.length);
enum E1 { A = t("enum") } namespace N1 { t("ns"); export const x = t("ns.x"); } class C1 { static s = t("static"); constructor(public p = t("param")) { t("ctor"); } f = t("field"); } new C1(); console.log(log.join());
//// strings with type-like text
const s = "type A = <T>(x: T) => T; enum E {}" as string; const r = /enum|namespace/g; console.log(s.match(r)!.join(), `interface ${"x" as string} {}`);
//// comments with type-like text
// enum E { A } namespace N { }
/* interface X { } type Y = <T>() => void */
const x = 1; /* as */ console.log(x /* : number */);
//// regular expression after a type assertion
const n = 6 as number
/2/1; console.log(n); const m = (8 as number) /2/ 1; console.log(m);
//// arithmetic with non-null
const o: { n?: number } = { n: 4 }; console.log(o.n!+1, o.n!/2, o.n! > 3, -o.n!, o.n!**2, !o.n!, o.n!== undefined);
//// conditional types in generics of calls
function f<T>(x: T extends string ? number : boolean): any { return x; } console.log(f<"a">(1), f<number>(true));
//// arrow chains with types
const add = (a: number) => (b: number): ((c: number) => number) => (c: number): number => a + b + c; console.log(add(1)(2)(3));
//// object destructuring in for-of with types
for (const { a, b: [c] } of [{ a: 1, b: [2] }] as Array<{ a: number; b: number[] }>) console.log(a, c); for (const [k, v] of Object.entries({ x: 1 }) as [string, number][]) console.log(k, v);
//// default exports with types
interface Opts { a?: number } export default function run({ a = 1 }: Opts = {}): number { return a; } console.log(run(), run({ a: 2 }));
//// export list with types and enums
type T = number; interface I {} enum E { A } namespace N { export const x = 1; } class C {} export { type T, type I, E, N as M, C }; console.log(E.A, N.x);
//// export default abstract class
export default abstract class A { abstract x: number; static make() { return "made"; } } console.log(A.make());
//// overloads exported
export function f(a: string): void; export function f(a: number): void; export function f(a: any) { console.log(typeof a); } f("a"); f(1);
//// declare then define
declare function later(x: number): string; declare let v: number; declare namespace NS { type T = string; } const x: NS.T = "t"; console.log(x, typeof later);
//// interface merging with an enum-like class
interface Color { hex(): string } class Color { static readonly RED = new Color("f00"); private constructor(private readonly c: string) {} } Color.prototype.hex = function (this: any) { return "#" + this.c; }; console.log(Color.RED.hex());
//// assertion in template and tag
const t = (s: TemplateStringsArray, ...v: unknown[]): string => s.join("_") + v.join(); console.log(`${1 as number}${<any>2}${[3 as number]!}`, t`a${1 as any}b`, t<string>`c`);
//// in operator narrowing
type F = { swim(): string }; type B = { fly(): string }; const go = (a: F | B): string => ("swim" in a ? a.swim() : a.fly()); console.log(go({ swim: () => "s" }), go({ fly: () => "f" }));
//// symbols and well-known methods with types
class R { constructor(private lo: number, private hi: number) {} [Symbol.iterator](): Iterator<number> { let i = this.lo; const hi = this.hi; return { next: (): IteratorResult<number> => (i < hi ? { value: i++, done: false } : { value: undefined as any, done: true }) }; } [Symbol.toPrimitive](h: string): any { return h === "number" ? this.hi - this.lo : `R${this.lo}`; } } console.log([...new R(1, 4)].join(), +new R(1, 4), `${new R(1, 4)}`);
//// generators with typed next
function* acc(): Generator<number, string, number> { let t = 0; for (let i = 0; i < 2; i++) t += yield t; return `t${t}`; } const g = acc(); g.next(); console.log(g.next(5).value, JSON.stringify(g.next(6)));
//// abstract property and accessor
abstract class A { abstract get v(): number; abstract set v(x: number); abstract readonly w: string; show() { return `${this.v}${this.w}`; } } class B extends A { #v = 1; get v() { return this.#v; } set v(x) { this.#v = x; } readonly w = "w"; } const b = new B(); b.v = 4; console.log(b.show());
//// optional call chains with generics
const api: { get?<T>(k: string): T | undefined } = { get: <T,>(k: string) => k as unknown as T }; console.log(api.get?.<string>("k"), (api as any).put?.<number>("k"), api?.get!<string>("z"));
//// enum comparison and arithmetic
enum P { Low, Mid, High } const max = (a: P, b: P): P => (a > b ? a : b); let p = P.Low; p++; console.log(P[max(P.Low, p)], p === P.Mid, P.High - P.Low, P.High < P.Mid);
//// enum as a set and map key
enum K { A, B } const m = new Map<K, string>([[K.A, "a"]]); m.set(K.B, "b"); const s = new Set<K>([K.A, K.A]); console.log(m.get(K.B), s.size, m.has(K[0] as any));
//// enum default parameter and destructuring
enum D { N = "n", S = "s" } function go({ d = D.N, n = D.S.length }: { d?: D; n?: number } = {}, e: D = D.S) { return d + n + e; } console.log(go(), go({ d: D.S }, D.N)); const { N: nn, S } = D; console.log(nn, S);
//// parameter properties with inheritance chains
class A { constructor(protected a: string) {} } class B extends A { constructor(a: string, protected b: string) { super(a + "1"); } } class C extends B { constructor(a: string, b: string, readonly c: string) { super(a, b + "2"); } show() { return [this.a, this.b, this.c].join(); } } console.log(new C("x", "y", "z").show(), Object.keys(new C("x", "y", "z")).join());
//// arrow in a parameter property default
class A { constructor(private f: (x: number) => number = x => x * 2, public g = (): number => this.f(4)) {} } console.log(new A().g(), new A(x => x + 1).g());
//// private parameter property used in a field arrow
class A { run = () => this.dep.go(); constructor(private readonly dep: { go(): string }) {} } console.log(new A({ go: () => "went" }).run());
//// class field order with parameter properties and statics
class A { static order: string[] = []; x = A.order.push("x"); constructor(public p: number, q = A.order.push("q")) { A.order.push("body"); } y = A.order.push("y"); } new A(1); console.log(A.order.join(), Object.keys(new A(1)).join());
//// error in a namespace function has the message
namespace N { export function f(x: any) { return x.a.b; } } try { N.f({}); } catch (e) { console.log((e as Error).message); }
//// undefined member of an enum
enum E { A } const e: any = E; console.log(e.B, e[5], "A" in E); try { e.B.c; } catch (x) { console.log((x as Error).message); }
//// computed enum access
enum E { A = "a", B = "b" } const pick = <K extends keyof typeof E>(k: K): (typeof E)[K] => E[k]; console.log(pick("B"), (Object.keys(E) as (keyof typeof E)[]).map(k => E[k]).join());
//// assignment destructuring into namespace members
namespace N { export let x = 0, y = 0, rest: any; export function set() { ({ a: x, b: { c: y } = { c: 9 }, ...rest } = { a: 1, z: 2 } as any); [x, , ...rest] = [x + 1, 0, 5]; for ({ x } of [{ x: 7 }]); for (y in { k: 1 } as any); } } N.set(); console.log(N.x, N.y, JSON.stringify(N.rest));
//// using a namespace as a value
namespace N { export const a = 1; export const b = 2; } const f = (n: typeof N) => Object.entries(n).map(([k, v]) => k + v).join(); console.log(f(N), typeof N, JSON.stringify({ ...N }));
//// spread of decorators on accessors and statics
const seen: string[] = []; const tag = (t: string) => (_: unknown, c: DecoratorContext): void => { seen.push(`${t}:${c.kind}:${String(c.name)}`); }; class A { @tag("1") static accessor s = 1; @tag("2") @tag("3") get g() { return 1; } @tag("4") static #p = 2; static read() { return A.#p; } } console.log(seen.join(), A.s, A.read());
//// debounce types without timers
function once<A extends any[], R>(f: (...a: A) => R): (...a: A) => R { let done = false, r!: R; return (...a) => (done ? r : ((done = true), (r = f(...a)))); } let n = 0; const o = once((x: number) => (n += x)); o(1); o(5); console.log(n, o(9));
//// mapped object from entries
const inv = <K extends string, V extends string>(o: Record<K, V>): Record<V, K> => Object.fromEntries(Object.entries(o).map(([k, v]) => [v, k])) as any; console.log(JSON.stringify(inv({ a: "x", b: "y" })));
