package compiler_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/compiler"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func compileTS(src string, goal syntax.Goal) error {
	p, err := syntax.Parse("a.ts", src, syntax.Options{Goal: goal, TypeScript: true})
	if err != nil {
		return err
	}
	_, err = compiler.Compile(p, compiler.Options{NonErasable: compiler.CompileNonErasable})
	return err
}

// TestNonErasableErrors: what has no meaning outside of CommonJS or inside of
// the function that an enum or a decorated class becomes.
func TestNonErasableErrors(t *testing.T) {
	tests := []struct {
		name, src, message string
		line, column       int
		hint               bool
	}{

		{"parameter decorator", "class C { m(@d x) {} }", "TypeScript's parameter decorator is not supported", 1, 13, true},
		{"await in an enum", "async function f() { enum E { A = await 1 } }", "await is not allowed here", 1, 35, false},
		{"yield in an enum", "function* f() { enum E { A = yield 1 } }", "Yield expression not allowed here", 1, 30, false},
		{"super in an enum", "class C { m() { enum E { A = super.x } } }", "'super' keyword unexpected here", 1, 30, false},
		{"await in a decorator", "@(await d) class C {}", "await is not allowed here", 1, 3, false},
		{"await in a member's decorator", "class C { @(await d) m() {} }", "await is not allowed here", 1, 13, false},
		{"decorated constructor", "class C { @d constructor() {} }", "Classes may not have a decorated constructor", 1, 11, false},
		{"no super call", "class C extends D { constructor(public a) { if (a) super() } }", "A 'super' call must be a root-level statement within a constructor of a derived class that contains parameter properties", 1, 21, false},
		{"pattern", "class C { constructor(public [a]) {} }", "A parameter property may not be declared using a binding pattern", 1, 30, false},
		{"many parts", "namespace " + strings.Repeat("a.", 1000) + "a { x() }", "The name of the namespace has too many parts", 1, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := compileTS(tt.src, syntax.Module)
			var e *syntax.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("compiled: %v", err)
			}
			if e.Message != tt.message || e.Line != tt.line || e.Column != tt.column {
				t.Errorf("%q at %d:%d, want %q at %d:%d", e.Message, e.Line, e.Column, tt.message, tt.line, tt.column)
			}
			if tt.hint != (e.Hint != "") {
				t.Errorf("hint %q", e.Hint)
			}
		})
	}
}

// TestNonErasableDeep: nesting ends in an error or a program, never in a crash.
func TestNonErasableDeep(t *testing.T) {
	tests := []struct{ name, src string }{
		{"namespaces", strings.Repeat("namespace N { export const x = 1; ", 3000) + strings.Repeat("}", 3000)},
		{"constants", "enum E { A = " + strings.Repeat("(1+", 5000) + "1" + strings.Repeat(")", 5000) + " }"},
		{"sums", "enum E { A = 1" + strings.Repeat("+1", 15000) + " }"},
		{"const variables", "const c0 = 1" + chain(2000) + "; enum E { A = c1999, B }"},
		{"cycle", "const a = b, b = a; enum E { A = a, B = E.B, C = C }"},
		{"text", "enum E { A = 'aaaaaaaaaaaaaaaa', B = A+A+A+A, C = B+B+B+B, D = C+C+C+C, F = D+D+D+D, G = F+F+F+F, H = G+G+G+G, I = H+H+H+H, J = I+I+I+I, K = J+J+J+J, L = K+K+K+K }"},
		{"decorated classes", strings.Repeat("@d class C { @d m() { ", 200) + strings.Repeat("} }", 200)},
		{"decorators", strings.Repeat("@d ", 2000) + "class C { " + strings.Repeat("@d [k]() {} ", 500) + "}"},
		{"merged", strings.Repeat("namespace N { export let x = x + 1; } enum E { A }\n", 500)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, goal := range []syntax.Goal{syntax.Script, syntax.Module, syntax.FunctionBody} {
				err := compileTS(tt.src, goal)
				var e *syntax.SyntaxError
				if err != nil && !errors.As(err, &e) {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

func chain(n int) string {
	var b strings.Builder
	for i := 1; i < n; i++ {
		b.WriteString(", c" + strconv.Itoa(i) + " = c" + strconv.Itoa(i-1) + " + 1")
	}
	return b.String()
}

// FuzzLower: whatever the text, compiling TypeScript that needs code ends in a
// program or in an error with a place.
func FuzzLower(f *testing.F) {
	files, _ := filepath.Glob("../../conformance/typescript/snippets/*.ts")
	if len(files) == 0 {
		f.Fatal("there are no snippets")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for i, s := range strings.Split(string(text), "\n//// ") {
			if _, src, ok := strings.Cut(s, "\n"); ok && i%4 == 0 {
				f.Add(src)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4000 {
			return
		}
		for _, goal := range []syntax.Goal{syntax.Script, syntax.Module, syntax.FunctionBody} {
			for _, legacy := range []bool{false, true} {
				p, err := syntax.Parse("a.ts", src, syntax.Options{Goal: goal, TypeScript: true})
				if err != nil {
					break
				}
				_, err = compiler.Compile(p, compiler.Options{NonErasable: compiler.CompileNonErasable, LegacyDecorators: legacy})
				var e *syntax.SyntaxError
				if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1) {
					t.Errorf("%v", err)
				}
			}
		}
	})
}
