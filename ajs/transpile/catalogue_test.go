package transpile_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/atom"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/js/syntax"
)

var update = flag.Bool("update", false, "write testdata/errors.golden")

// mistakes are sources with one mistake each; {} stands for the body around.
var mistakes = []string{
	// Section 4.4 of the specification.
	"{for (let i = 0; i < 3; i++) {}}",
	"{for (const k in o) {}}",
	"{switch (a) { case 1: return {} }}",
	"{do { a = 1 } while (a)}",
	"{while (a) { break }}",
	"{while (a) { continue }}",
	"{l: while (a) {}}",
	"{debugger}",
	"{function g() {}}",
	"{class A {}}",
	"{for (var x of a) {}}",
	"{let x; for (x of a) {}}",
	"{for (const [k, v] of a) {}}",
	"{throw new Error('x')}",
	"import x from 'y'\nfunction f() {}",
	"export function f() {}",
	"class A {}\nfunction f() {}",
	"let x = 1",
	"",
	"function h({ a }) { return a }\nfunction f() {}",
	"function f() {}\nfunction f() {}",
	"function h() {}\nfunction h() {}\nfunction f() {}",
	"function h(a) { return a }\nfunction f({ a }) { return h(a, 1) }",
	"function h(a) { return a }\nfunction f({ a }) { return h(...a) }",
	"function h(a, b, c, d) { return a }\nfunction f({ a }) { return { r: a.map(h) } }",
	"function f(...a) {}",
	"function f([a]) {}",
	"function f({ a } = { a: 1 }) {}",
	"function f({ a = g({ x: 1 }) }) {}",
	"function f({ a: { b() {} } }) {}",
	"function f({ a: [...b] }) {}",
	"{a.forEach2(x => x)}",
	"{const r = a.reduceRight((x, y) => x, 0)}",
	"{const r = a.matchAll('x')}",
	"{const r = a.trimm()}",
	"{const r = a.reduce((x, y) => x + y)}",
	"{const r = a.map(parseInt)}",
	"{const r = a.map()}",
	"{const r = /b+/.test(a)}",
	"{const r = new Date(a)}", "{const r = new Set()}", "{const r = new Map()}", "{const r = new Array(3)}", "{const r = new Object()}",
	"{return new Error('x')}", "{const r = new RegExp('a')}", "{const r = new Promise(f)}", "{const r = new Foo()}",
	"{RegExp('a')}", "{Promise.all([a])}", "{Map()}", "{Function('a')}", "{eval('a')}", "{setTimeout(a, 1)}", "{setInterval(a, 1)}",
	"{fetch('u')}", "{require('fs')}", "{WeakSet()}", "{WeakMap()}", "{Symbol('a')}", "{Proxy(a, a)}", "{Reflect.get(a)}",
	"{const r = process.env.KEY}", "{const r = window.x}", "{const r = document.x}", "{const r = global.x}", "{const r = globalThis}",
	"{const x}", "{const { b } = a}", "{let [b, c] = a}", "{a.b++}", "{a.b += 1}", "{a.b = 1}", "{a[0] = 1}", "{a[b] = 1}", "{({ b } = a)}",
	"{const r = a['trim']()}", "{const k = 'x'; const r = a[k]()}", "{f2()()}", "{(x => x)(1)}",
	"{return { __proto__: 1 }}", "{return { b: 1, b: 2 }}", "{const r = (a++)}", "{const r = (a = 1)}",
	// What the original compiles to something else, or to what fails.
	"{a | 1}", "{const r = a & 1}", "{const r = a ^ 2}", "{const r = a << 1}", "{const r = a >> 1}", "{const r = ~a}", "{const r = 'x' in a}",
	"{const r = a instanceof Date}", "{const r = void a}", "{delete a.b}", "{a |= 1}", "{a >>>= 1}",
	"{try { a = 1 } finally { a = 2 }}", "{try { a = 1 } catch ({ message }) {}}",
	"const K = 5\nfunction f() { return { K } }",
	"function* f() { yield 1 }",
	"{const r = nope}", "{const limit = 1; return { r: limt }}", "function h(x) { return secret }\nfunction f({ a }) { return h(a) }",
	"{b = 1}", "{const b = 1; b = 2}", "{for (const x of a) { x = 1 }}",
	"{const r = Math}", "{const r = parseInt}", "{const r = Math.max}", "{const r = Math.nope(1)}", "{const r = Math.flor(1)}", "{const r = httpFetch}",
	"{const r = arguments}", "{let constructor = 1}", "{const r = a.__proto__}", "{let __returnVal__ = 1}", "{let errorOp = 1}",
	"{return 42}", "{return 'x'}", "{return [a]}", "{return a * 2}", "{return !a}",
	"{const r = 1n}", "{const r = 1e999}", "{const r = f2`x`}", "{const r = this}", "{const r = (a, a)}", "{const r = class {}}", "{const r = function () {}}",
	"{const r = x => x}", "{const r = { m() {} }}", "{const r = { get m() { return 1 } }}", "{const r = import('x')}", "{const r = [1, , 2] + 1}",
	"{const r = /(?=a)/}", "{const r = /(a)\\1/}", "{const r = /\\p{L}/u}", "{const r = /a/v}", "{const r = /(/}",
	"{const r = a.map(({ ...b }) => b)}", "{const r = a.map((...b) => b)}", "{const r = a.map(function* () {})}", "{const r = Math.max(...a)}", "{a.push(...a)}",
	"{f()}", "{const g = 1; g()}", "{const r = Number(a)}", "{const r = String(a)}", "{const r = Boolean(a)}", "{const r = BigInt(a)}", "{const r = Array(3)}",
	"{const r = structuredClone(a)}", "{console.table(a)}", "{console.log(...a)}",
	// Atom calls, 4.2.
	"{llmPredict(a)}", "{storeSet('k', a)}", "{httpFetch({ ...a })}", "{httpFetch({ url: a, cache: true })}", "{httpFetch({})}", "{uuid({ x: 1 })}",
	"{httpFetch({ url: 5 })}", "{llmPredict({ prompt: 'a', options: [] })}", "{httpFetch({ [a]: 1 })}", "{foo({ result: 1 })}", "{Error(...a)}",
	"{varSet({ key: 'a', value: 1 })}", "{memoize({ key: 'a', steps: [] })}", "{map({ items: a, as: 'x', steps: [] })}",
	// Syntax and limits.
	"function f( { return {} }", "{const a b}", "{if (a { return {} }}", "{return { a: 1 }", "function f({ a: 1 = 2 }) {}", "function f(): { return {} }",
	"{const r = " + strings.Repeat("(", 2000) + "a" + strings.Repeat(")", 2000) + "}",
	"{const r = " + strings.Repeat("!", 3000) + "a}",
	"{const r = " + strings.Repeat("a + ", 5000) + "a}",
}

// withAtoms are mistakes that show only to who knows the host's atoms.
var withAtoms = []string{
	"{frobnicate({ a: 1 })}",
	"{weathr({ city: 'Oslo' })}",
	"{weather({ town: 'Oslo' })}",
	"{weather({})}",
	"{weather('Oslo')}",
	"{weather({ city: 7 })}",
}

func wrap(s string) string {
	if strings.HasPrefix(s, "{") {
		return "function f({ a }) " + s
	}
	return s
}

func hostAtoms() *atom.Table {
	return atom.NewTable(atom.Atom{Name: "weather", Inputs: []atom.Input{{Name: "city", Required: true, Type: "string"}, {Name: "days", Type: "number"}}, Cost: 1, Effects: atom.IO})
}

// TestCatalogue keeps every message, its place and its remedy. Each remedy is
// code that parses.
func TestCatalogue(t *testing.T) {
	var out strings.Builder
	codes := map[transpile.Code]bool{}
	row := func(src string, opt transpile.Options) {
		_, err := transpile.Transpile(wrap(src), opt)
		var e *transpile.Error
		if !errors.As(err, &e) {
			t.Errorf("%.80s: %v", src, err)
			return
		}
		codes[e.Code] = true
		if e.Fix == "" || e.Line < 1 || e.Column < 0 || e.Message == "" {
			t.Errorf("%.80s: %+v", src, e)
		}
		if _, err := syntax.Parse("fix", e.Fix, syntax.Options{Goal: syntax.FunctionBody, Examples: true}); err != nil {
			t.Errorf("%.80s: the remedy is no code: %v\n%s", src, err, e.Fix)
		}
		if len(src) > 100 {
			src = src[:40] + "… (" + fmt.Sprint(len(src)) + " bytes)"
		}
		fmt.Fprintf(&out, "%s\n  %s %d:%d: %s\n", src, e.Code, e.Line, e.Column, strings.ReplaceAll(e.Message, "\n", "\n      "))
		fmt.Fprintf(&out, "    > %s\n", strings.ReplaceAll(e.Fix, "\n", "\n    > "))
	}
	for _, m := range mistakes {
		row(m, transpile.Options{})
	}
	for _, m := range withAtoms {
		row(m, transpile.Options{Atoms: hostAtoms()})
	}
	row("{return {} }// a comment that makes it longer", transpile.Options{MaxSourceBytes: 20})
	row("{return {} }", transpile.Options{MaxSourceBytes: -1})
	if !codes[transpile.CodeTooLarge] || len(codes) != 37 {
		t.Errorf("%d codes are shown: %v", len(codes), codes)
	}
	const golden = "testdata/errors.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the catalogue is another one; look at it, then: go test ./ajs/transpile -run Catalogue -update\n%s", firstDifference(out.String(), string(want)))
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			other := ""
			if i < len(y) {
				other = y[i]
			}
			return fmt.Sprintf("line %d:\n got  %s\n want %s", i+1, x[i], other)
		}
	}
	return "shorter"
}
