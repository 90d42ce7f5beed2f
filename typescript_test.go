package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
)

// TestNonErasable: TypeScript that needs code is compiled, in function bodies
// and in modules, unless the host refuses it.
func TestNonErasable(t *testing.T) {
	sources := []struct{ name, file, src, construct string }{
		{"enum", "", "enum E { A = 1, B }\nreturn E.B + E[1]", "enum"},
		{"namespace", "a.ts", "namespace N { export const x = 1; export const y = x + 1 }\nreturn N.y + 'A'", "namespace"},
		{"parameter property", "a.ts", "class C { constructor(readonly v: string) {} }\nreturn new C('2A').v", "parameter property"},
		{"module", "a.mts", "export enum E { A = 2 }\nexport default E.A + E[2]", "enum"},
		{"alias", "a.ts", "namespace N { export const x = '2A' }\nimport y = N.x\nreturn y", "namespace"},
	}
	compiles, err := pinfold.New(pinfold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refuses, err := pinfold.New(pinfold.Options{RefuseNonErasable: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range sources {
		t.Run(tt.name, func(t *testing.T) {
			out := compiles.Eval(context.Background(), tt.file, tt.src, nil)
			if err := out.Err(); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(out.Value); got != `"2A"` {
				t.Errorf("value %s", got)
			}
			_, err := refuses.Compile(tt.file, tt.src)
			var f *pinfold.Failure
			if !errors.As(err, &f) || !strings.Contains(f.Message, tt.construct) || f.Hint == "" {
				t.Errorf("refused with %v", err)
			}
		})
	}
}

// TestRefusals: what can't be erased is refused with its name, its place and
// the line to write instead.
func TestRefusals(t *testing.T) {
	refuses, err := pinfold.New(pinfold.Options{RefuseNonErasable: true})
	if err != nil {
		t.Fatal(err)
	}
	const before = "type A = {\n  x: 1\n}\n  "
	for _, tt := range []struct{ src, want string }{
		{"enum E { A, B }", "SyntaxError: TypeScript's enum is not supported: it can't be erased | a.ts:4:3 | const E = {A: 0, B: 1} as const"},
		{"const enum E { A }", "SyntaxError: TypeScript's enum is not supported: it can't be erased | a.ts:4:3 | const E = {A: 0, B: 1} as const"},
		{"namespace N { export const x = 1 }", "SyntaxError: TypeScript's namespace is not supported: it can't be erased | a.ts:4:3 | const N = {x: 1}"},
		{"class C { constructor(private x: A) {} }", "SyntaxError: TypeScript's parameter property is not supported: it can't be erased | a.ts:4:25 | declare x: T as a field and write this.x = x"},
		{"import x = require('m'); x()", "SyntaxError: TypeScript's import = is not supported: it can't be erased | a.ts:4:3 | use an import declaration, or remove it"},
		{"import y = N.y; y()", "SyntaxError: TypeScript's import = is not supported: it can't be erased | a.ts:4:3 | use an import declaration, or remove it"},
		{"export = f", "SyntaxError: TypeScript's export = is not supported: it can't be erased | a.ts:4:3 | export default f, or a named export"},
		{"const a = <A>f", "SyntaxError: TypeScript's type assertion is not supported: it can't be erased | a.ts:4:13 | x as T"},
		{"class C { m(@d x) {} }", "SyntaxError: TypeScript's parameter decorator is not supported: it can't be erased | a.ts:4:15 | call the wrapper function by hand"},
		{"@d class C {}", "SyntaxError: decorators are not supported | a.ts:4:3 | call the wrapper function by hand"},
	} {
		_, err := refuses.Compile("a.ts", before+tt.src)
		var f *pinfold.Failure
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if got := fmt.Sprintf("%s: %s | %s:%d:%d | %s", f.Name, f.Message, f.File, f.Line, f.Column, f.Hint); got != tt.want {
			t.Errorf("%s\n\t%s\n\twant %s", tt.src, got, tt.want)
		}
	}
	// What is types only is no concern of it.
	out := refuses.Eval(context.Background(), "a.ts", before+`declare enum E { A } declare namespace N { const x: 1 }
namespace T { export type X = 1 } abstract class C { declare y: number; constructor(x?: A) {} }
return (new (C as any)(), 1) satisfies number`, nil)
	if err := out.Err(); err != nil {
		t.Error(err)
	}
}

// TestLegacyDecorators: the option gives decorators TypeScript's experimental
// meaning.
func TestLegacyDecorators(t *testing.T) {
	const src = `const seen: string[] = []
function d(...a: any[]): any { seen.push(a.length + ":" + String(a[1])) }
@d class C { @d m(@d x: number) {} @d f = 1 }
return seen.join(" ")`
	legacy, err := pinfold.New(pinfold.Options{LegacyDecorators: true})
	if err != nil {
		t.Fatal(err)
	}
	out := legacy.Eval(context.Background(), "a.ts", src, nil)
	if err := out.Err(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(out.Value); got != `"3:m 3:m 3:f 1:undefined"` {
		t.Errorf("value %s", got)
	}
}

// TestTypeScriptPositions: places are the author's, however much is erased or
// compiled in front of them.
func TestTypeScriptPositions(t *testing.T) {
	s, err := pinfold.New(pinfold.Options{LegacyDecorators: true})
	if err != nil {
		t.Fatal(err)
	}
	const before = `interface Long {
	a: string
	b?: <T>(x: T) => void
}
enum E { A = 1, B = A << 2 }
namespace N { export const x: number = E.B; export function f(o: any): void { o!.p.q } }
function d(...a: any[]): any {}
@d abstract class C<T> { @d declare z: T; constructor(@d private x?: T, public y: number = 2) {} @d m(@d o: any): void { o.p.q } }
import al = N.f
`
	for _, tt := range []struct {
		name, src, message string
		line, column       int
		frames             string
	}{
		{"top", "const v = null as any; return <any>(v as Long)!.a", "Cannot read properties of null (reading 'a')", 10, 49, ":10:49"},
		{"namespace", "N.f({})", "Cannot read properties of undefined (reading 'q')", 6, 84, "f:6:84 :10:3"},
		{"alias", "al<Long>({} as any)", "Cannot read properties of undefined (reading 'q')", 6, 84, "f:6:84 :10:1"},
		{"class", "new (C as any)<Long>(1)!.m({} satisfies Long)", "Cannot read properties of undefined (reading 'q')", 8, 126, "m:8:126 :10:26"},
		{"arrow", "const f = async <T,>(x: T): Promise<\n  T\n> => (x as any).y.z\nawait f<{}>({})", "Cannot read properties of undefined (reading 'z')", 12, 19, "f:12:19 :13:7"},
		{"syntax", "type X = { a: 1 }; let y: X = ;", "Unexpected token ';'", 10, 31, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := s.Eval(context.Background(), "a.ts", before+tt.src, nil).Err()
			var f *pinfold.Failure
			if !errors.As(err, &f) {
				t.Fatalf("%v", err)
			}
			if f.Message != tt.message || f.Line != tt.line || f.Column != tt.column {
				t.Errorf("%s at %d:%d, want %d:%d", f.Message, f.Line, f.Column, tt.line, tt.column)
			}
			var frames []string
			for _, fr := range f.Frames {
				name := fr.Function[strings.LastIndexByte(fr.Function, '.')+1:]
				frames = append(frames, fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(name, "async "), fr.Line, fr.Column))
			}
			if got := strings.Join(frames, " "); got != tt.frames {
				t.Errorf("frames %s, want %s", got, tt.frames)
			}
		})
	}
}

// TestDecoratorStack: the functions that apply decorators have plain names.
func TestDecoratorStack(t *testing.T) {
	const src = "function d(...a: any[]): any {\n  throw new Error('x')\n}\nclass C {\n  @d m() {}\n}"
	for _, legacy := range []bool{false, true} {
		s, err := pinfold.New(pinfold.Options{LegacyDecorators: legacy})
		if err != nil {
			t.Fatal(err)
		}
		var f *pinfold.Failure
		if err := s.Eval(context.Background(), "a.ts", src, nil).Err(); !errors.As(err, &f) {
			t.Fatalf("%v", err)
		}
		if len(f.Frames) < 3 || f.Frames[0].Function != "d" || f.Frames[0].Line != 2 || f.Frames[1].Function != "decorate" || f.Frames[1].Line != 4 {
			t.Errorf("legacy %v: %v", legacy, f.Frames)
		}
		for _, fr := range f.Frames {
			if strings.ContainsAny(fr.Function, "%$") {
				t.Errorf("legacy %v: a frame is called %q", legacy, fr.Function)
			}
		}
	}
}
