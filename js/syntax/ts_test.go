package syntax_test

import (
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// erase blanks what Program.Erased lists; enough to see what would run.
func erase(p *syntax.Program) string {
	b := []byte(p.Source)
	for _, e := range p.Erased {
		for i := e.Start; i < e.End; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// squeeze drops white space, so that tables are easy to write.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestErasable(t *testing.T) {
	// Left: TypeScript; right: what is left of it. By the syntax of TypeScript 5.
	for _, c := range [][2]string{
		{`let x: number = 1`, `let x = 1`},
		{`let x!: number`, `let x`},
		{`const {a, b}: {a: string; b?: number} = o`, `const {a, b} = o`},
		{`let f: (a: number, ...b: string[]) => void = g`, `let f = g`},
		{`let f: new () => X, g: abstract new (x: T) => Y`, `let f , g`},
		{`let t: [a: string, b?: number, ...rest: boolean[]]`, `let t`},
		{`let t: [string, number?, ...X[]]`, `let t`},
		{`let u: | 'a' | 'b' | 1 | -1 | 1n | true | null | undefined`, `let u`},
		{"let u: `a${string}b${number}`", `let u`},
		{`let c: A extends B ? C : D extends infer U extends string ? U : never`, `let c`},
		{`let c: T extends (infer U extends number ? 1 : 0) ? 1 : 2`, `let c`},
		{`type E<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false`, ``},
		{`type R<T> = T extends (...a: any) => infer R ? R : never`, ``},
		{`let m: {readonly [K in keyof T]?: T[K]}`, `let m`},
		{`let m: {-readonly [K in keyof T as Uppercase<K>]-?: T[K]}`, `let m`},
		{`let i: {[key: string]: number; readonly [k: number]: string}`, `let i`},
		{`let o: {a: 1, b?(): void; get c(): string; set c(v: string); new (x: T): U; (y: V): W; [Symbol.iterator](): X}`, `let o`},
		{`let q: typeof a.b.c<string>[]`, `let q`},
		{`let q: typeof import('x')`, `let q`},
		{`let q: import('x').Y<Z>`, `let q`},
		{`let k: keyof typeof x`, `let k`},
		{`let s: unique symbol`, `let s`},
		{`let r: readonly string[]`, `let r`},
		{`let g: Map<string, Map<string, Array<number>>> = new Map<string, Map<string, Array<number>>>()`, `let g = new Map ()`},
		{`let n: Foo.Bar.Baz<X>`, `let n`},
		{`let p: (A | B)[]`, `let p`},
		{`let p: ({a}: X, [b]: Y) => void`, `let p`},
		{`let p: ((a: string) => void) | null`, `let p`},
		{`let p: <T>(x: T) => T`, `let p`},
		{`type A = B`, ``},
		{`type A<T extends object = {}, const U = T> = {a: T}`, ``},
		{`type = 1`, `type = 1`},
		{"type\nA = 1", "type A = 1"},
		{`interface A<T> extends B, C.D<T> { x: number; m<U>(a: U): void }`, ``},
		{"interface\nA\n{}", "interface A {}"},
		{`declare const x: number, y`, ``},
		{`declare function f(x: number): string`, ``},
		{`declare class A extends B { x: number; m(): void; constructor(private y: string) }`, ``},
		{`declare namespace N { const x: number; function f(): void }`, ``},
		{`declare module 'm' { export default function f(): void; export = f }`, ``},
		{`declare global { interface Window { x: 1 } }`, ``},
		{`declare enum E { A }`, ``},
		{`declare\nx`, `declare\nx`},
		{`namespace N { export type A = 1; interface B {} }`, ``},
		{`namespace = 1; module = 2; declare = 3; abstract = 4; global = 5`, `namespace = 1; module = 2; declare = 3; abstract = 4; global = 5`},
		{`function f(a: string, b?: number, c: T = 1, ...d: U[]): void {}`, `function f(a , b , c = 1, ...d ) {}`},
		{`function f(this: Window, a) {}`, `function f( a) {}`},
		{`function f(this: Window) {}`, `function f( ) {}`},
		{`function f<T extends U = V>(x: T): x is string {}`, `function f (x ) {}`},
		{`function f(x): asserts x is string {}`, `function f(x) {}`},
		{`function f(x): asserts x {}`, `function f(x) {}`},
		{`function f(a: string): void; function f(a: number): void; function f(a) {}`, `function f(a) {}`},
		{`let f = (a: string): number => 1`, `let f = (a ) => 1`},
		{`let f = (a?: string, b?) => 1`, `let f = (a , b ) => 1`},
		{`let f = ({a}: X, [b]: Y = []) => 1`, `let f = ({a} , [b] = []) => 1`},
		{`let f = (...a: X[]) => 1`, `let f = (...a ) => 1`},
		{`let f = (this: X, a) => 1`, `let f = ( a) => 1`},
		{`let f = (): void => {}`, `let f = () => {}`},
		{`let f = async (a: string): Promise<void> => {}`, `let f = async (a ) => {}`},
		{`let f = <T>(x: T) => x`, `let f = (x ) => x`},
		{`let f = <T,>(x: T): T => x`, `let f = (x ) => x`},
		{`let f = async <T extends U>(x: T) => x`, `let f = async (x ) => x`},
		{`let f = (x): x is string => true`, `let f = (x) => true`},
		{`a ? (b: T) => c : d`, `a ? (b ) => c : d`},
		{`a ? (b) : c => d`, `a ? (b) : c => d`},
		{`a ? (b, c) : d`, `a ? (b, c) : d`},
		{`a ? b : (c): d => e`, `a ? b : (c) => e`},
		{`a ? (b): void => c : d`, `a ? (b) => c : d`},
		{`a ? async (b): Promise<c> => d : e`, `a ? async (b) => d : e`},
		{`a ? (b) : (c) => d`, `a ? (b) : (c) => d`},
		{`a ? (b) : async (c) => d`, `a ? (b) : async (c) => d`},
		{`a ? b ? (c) : (d) : e`, `a ? b ? (c) : (d) : e`},
		{`switch (a) { case (b): c }`, `switch (a) { case (b): c }`},
		{`x as any as string`, `x`},
		{`x as const`, `x`},
		{`(x as any).y = 1`, `(x ).y = 1`},
		{`(x as any) = 1`, `(x ) = 1`},
		{`x! = 1`, `x = 1`},
		{`x!.y!.z![0]!()`, `x .y .z [0] ()`},
		{`x satisfies Y`, `x`},
		{`[x as T, y!] = z`, `[x , y ] = z`},
		{`for (x as T of y);`, `for (x of y);`},
		{`(a + b as number) < c`, `(a + b ) < c`},
		{`a < b as T`, `a < b`},
		{`f<string>(x)`, `f (x)`},
		{`f<string, Map<a, b>>(x)`, `f (x)`},
		{"f<T>`x`", "f `x`"},
		{`new Map<string, number>`, `new Map`},
		{`new Map<string, () => void>()`, `new Map ()`},
		{`let g = f<string>;`, `let g = f ;`},
		{`a?.<T>(x)`, `a?. (x)`},
		{`a?.b<T>(x)`, `a?.b (x)`},
		{`a < b`, `a < b`},
		{`a < b > c`, `a < b > c`},
		{`f(a < b, c > d)`, `f(a < b, c > d)`},
		{`if (a < b && c > d) {}`, `if (a < b && c > d) {}`},
		{`i < n; i >> 1; a >= b; a >>>= 2`, `i < n; i >> 1; a >= b; a >>>= 2`},
		{`a < b >> c`, `a < b >> c`},
		{`a<b>>c`, `a<b>>c`},
		{`a << b`, `a << b`},
		{`class A<T> extends B<T> implements C, D<T> {}`, `class A extends B {}`},
		{`class A { private x: number = 1; static readonly y?: string; declare z: number; override m(): void {} w!: T }`,
			`class A { x = 1; static y ; m() {} w }`},
		{`abstract class A { abstract m(): void; abstract x: number; n() {} }`, `class A { n() {} }`},
		{`class A { [key: string]: number; static [k: number]: T; [x] = 1; ['y']: T = 2 }`, `class A { [x] = 1; ['y'] = 2 }`},
		{`class A { constructor(x: number); constructor(x: string); constructor(x) {} }`, `class A { constructor(x) {} }`},
		{`class A { m?(): void; get x(): T { return 1 } set x(v: T) {} async f<T>(): Promise<T> {} *g() {} }`,
			`class A { get x() { return 1 } set x(v ) {} async f () {} *g() {} }`},
		{`class A { public async x() {} private static y = 1; protected get z() { return 1 } accessor w: T = 1 }`,
			`class A { async x() {} static y = 1; get z() { return 1 } accessor w = 1 }`},
		{`class A { readonly; declare; abstract; public = 1; private() {} static static: T }`,
			`class A { readonly; declare; abstract; public = 1; private() {} static static }`},
		{`class A { #x?: number; static { } }`, `class A { #x ; static { } }`},
		{`try {} catch (e: unknown) {}`, `try {} catch (e ) {}`},
		{`let x = {m<T>(a: T): void {}, async n<T>() {}, get p(): T { return 1 }}`, `let x = {m (a ) {}, async n () {}, get p() { return 1 }}`},
		{`for (const x of y as T[]) {}`, `for (const x of y ) {}`},
		{`let x: A.B\n[c] = d`, `let x \n[c] = d`},
		{`a ? b as T : c`, `a ? b : c`},
		{`(a, b as T)`, `(a, b )`},
		{`let as = 1, type = 2, of = 3, is = 4; as as any`, `let as = 1, type = 2, of = 3, is = 4; as`},
		{`async function f() { await using x: T = y }`, `async function f() { await using x = y }`},
		{`export {}; x<T>`, `export {}; x`},
	} {
		src := strings.ReplaceAll(c[0], `\n`, "\n")
		want := strings.ReplaceAll(c[1], `\n`, "\n")
		goal := syntax.Script
		if strings.HasPrefix(src, "export") || strings.Contains(src, "export =") || strings.HasPrefix(src, "namespace N") {
			goal = syntax.Module
		}
		p, err := syntax.Parse("t.ts", src, syntax.Options{Goal: goal, TypeScript: true})
		if err != nil {
			t.Errorf("%s\n\t%v", src, err)
			continue
		}
		if got := squeeze(erase(p)); got != squeeze(want) {
			t.Errorf("%s\n\tleft %q\n\twant %q", src, got, squeeze(want))
		}
		if len(p.NonErasable) != 0 {
			t.Errorf("%s: refused %v", src, p.NonErasable)
		}
		// What is left has to be the same program without TypeScript.
		if _, err := syntax.Parse("t.js", erase(p), syntax.Options{Goal: goal}); err != nil {
			t.Errorf("%s\n\terased: %v", src, err)
		}
	}
}

func TestErasableModules(t *testing.T) {
	for _, c := range [][2]string{
		{`import type A from 'a'`, ``},
		{`import type {A, B} from 'a'`, ``},
		{`import type * as A from 'a'`, ``},
		{`import {type A, b, type C as D} from 'a'; b`, `import { b, } from 'a'; b`},
		{`import type from 'a'; type`, `import type from 'a'; type`},
		{`import type, {a} from 'a'; type(a)`, `import type, {a} from 'a'; type(a)`},
		{`import type from from 'a'`, ``},
		{`import {type} from 'a'; type`, `import {type} from 'a'; type`},
		{`import {A, B} from 'a'; let x: A | B`, `let x`},
		{`import a, * as b from 'a'`, ``},
		{`import a from 'a'; eval('a')`, `import a from 'a'; eval('a')`},
		{`import 'a'; import {} from 'b'`, `import 'a';`},
		{`export {type A} from 'a'; export {} from 'b'`, ``},
		{`interface A {} export default A`, ``},
		{`import {type as as} from 'a'; as`, `import {type as as} from 'a'; as`},
		{`export type A = 1`, ``},
		{`export interface A {}`, ``},
		{`export type {A} from 'a'`, ``},
		{`export type * from 'a'`, ``},
		{`export type * as T from 'a'`, ``},
		{`type A = 1; export type {A}`, ``},
		{`let b; export {type A, b}`, `let b; export { b}`},
		{`export declare const x: number`, ``},
		{`export default interface A {}`, ``},
		{`export default abstract class A {}`, `export default class A {}`},
		{`export abstract class A {}`, `export class A {}`},
		{`export function f(x: number): void; export function f(x) {}`, `export function f(x) {}`},
		{`export default function f(): void; export default function f() {}`, `export default function f() {}`},
		{`export as namespace N`, ``},
		{`import type A = require('a')`, ``},
	} {
		p, err := syntax.Parse("t.ts", c[0], syntax.Options{Goal: syntax.Module, TypeScript: true})
		if err != nil {
			t.Errorf("%s\n\t%v", c[0], err)
			continue
		}
		if got := squeeze(erase(p)); got != squeeze(c[1]) {
			t.Errorf("%s\n\tleft %q\n\twant %q", c[0], got, c[1])
		}
	}
}

func TestNonErasable(t *testing.T) {
	for _, c := range [][2]string{
		{`enum E {A, B = 2, 'c'}`, "enum"},
		{`const enum E {A}`, "enum"},
		{`export enum E {A}`, "enum"},
		{`namespace N { export const x = 1 }`, "namespace"},
		{`namespace A.B { f() }`, "namespace"},
		{`class A { constructor(private x: T) {} }`, "parameter property"},
		{`class A { constructor(readonly x = 1) {} }`, "parameter property"},
		{`import x = require('m')`, "import ="},
		{`import x = A.B`, "import ="},
		{`export import x = A.B`, "import ="},
		{`export = f`, "export ="},
		{`let y = <T>x`, "type assertion"},
		{`let y = <const>['a']`, "type assertion"},
		{`let y = <T>(x)`, "type assertion"},
		{`let y = 1 + <T>x.y`, "type assertion"},
		{`@dec class A {}`, "decorator"},
		{`class A { @dec() x; }`, "decorator"},
		{`class A { m(@dec x) {} }`, "parameter decorator"},
	} {
		p, err := syntax.Parse("t.ts", c[0], syntax.Options{Goal: syntax.Module, TypeScript: true})
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if len(p.NonErasable) != 1 || p.NonErasable[0].Construct != c[1] || p.NonErasable[0].Hint == "" {
			t.Errorf("%s: %+v, want %s", c[0], p.NonErasable, c[1])
		}
	}
}

func TestTypeScriptErrors(t *testing.T) {
	for _, c := range [][2]string{
		{`let x: = 1`, "Unexpected token '='"},
		{`let x: number = `, "Unexpected end of input"},
		{`type A = `, "Unexpected end of input"},
		{`interface A { x: }`, "Unexpected token '}'"},
		{`(a: T)`, "Unexpected token ':'"},
		{`f(a: T)`, "missing ) after argument list"},
		{`x as`, "Unexpected end of input"},
		{`let x: {a: 1 b: 2}`, "Unexpected identifier 'b'"},
		{`function f()`, ""},
		{`let f = function()`, "Unexpected end of input"},
		{`enum E {1}`, "An enum member cannot have a numeric name."},
		{`let x = 1; let x: number`, "Identifier 'x' has already been declared"},
		{`f<<T>(x: T) => U>(y)`, ""},
		{`export {x}`, "Export 'x' is not defined in module"},
	} {
		_, err := syntax.Parse("t.ts", c[0], syntax.Options{Goal: syntax.Module, TypeScript: true})
		got := ""
		if err != nil {
			got = err.(*syntax.SyntaxError).Message
		}
		if got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
}
