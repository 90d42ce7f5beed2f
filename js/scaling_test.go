package js_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// flatShapes are long texts that don't nest but have invited quadratic work:
// open and close once, mid n times.
var flatShapes = []nestingShape{
	{name: "statements", mid: "a=b+1;"},
	{name: "empty statements", mid: ";"},
	{name: "blocks", mid: "{}"},
	{name: "functions", mid: "function f(a,b){return a+b}"},
	{name: "arrows", mid: "(a,b)=>a;"},
	{name: "arrow cover", open: "x=[", mid: "(a,b,c),", close: "1]"},
	{name: "arguments", open: "f(", mid: "a,", close: "1)"},
	{name: "parameters", open: "(", mid: "a,", close: "b)=>1"},
	{name: "async parameters", open: "async(", mid: "a=1,", close: "b)=>1"},
	{name: "async call", open: "async(", mid: "a,", close: "b)"},
	{name: "array", open: "[", mid: "1,", close: "]"},
	{name: "holes", open: "[", mid: ",", close: "]"},
	{name: "array pattern", open: "[", mid: "a,", close: "]=b"},
	{name: "object", open: "({", mid: "a:1,", close: "})"},
	{name: "object pattern", open: "({", mid: "a:b,", close: "}=c)"},
	{name: "shorthand defaults", open: "({", mid: "a=1,", close: "}=c)"},
	{name: "template", open: "`", mid: "${a}x", close: "`"},
	{name: "string", open: "'", mid: "\\u0041b", close: "'"},
	{name: "regexp", mid: "/a(b|c)*[d-f]/g;"},
	{name: "long regexp", open: "/", mid: "a(?:b|c)*", close: "/"},
	{name: "regexp class", open: "/[", mid: "a-c\\d", close: "]/u"},
	{name: "comments", mid: "/* */"},
	{name: "line comments", mid: "//x\n"},
	{name: "html comments", mid: "<!-- x\n"},
	{name: "spaces", mid: " \t", close: "1"},
	{name: "newlines", mid: "\n", close: "1"},
	{name: "asi", mid: "a\n"},
	{name: "vars", mid: "var a;"},
	{name: "switch cases", open: "switch(a){", mid: "case 1:b;", close: "}"},
	{name: "catches", mid: "try{}catch(e){}"},
	{name: "ifs", mid: "if(a)b;"},
	{name: "class members", open: "class A{", mid: "m(){}", close: "}"},
	{name: "commas", open: "(", mid: "a,", close: "b)"},
	{name: "and", open: "a", mid: "&&a"},
	{name: "plus strings", open: "''", mid: "+'a'"},
	{name: "member chain", open: "a", mid: ".b"},
	{name: "call chain", open: "a", mid: "()"},
	{name: "index chain", open: "a", mid: "[0]"},
	{name: "optional chain", open: "a", mid: "?.b"},
	{name: "number", mid: "1", close: ";"},
	{name: "bigint", mid: "1", close: "n;"},
	{name: "identifier", mid: "a", close: ";"},
	{name: "escaped identifier", mid: "\\u0061", close: ";"},
	{name: "less", open: "a", mid: "<b"},
	{name: "greater", open: "a", mid: ">b"},
	{name: "question", open: "a", mid: "?b:c;a"},
	{name: "ts less", open: "a", mid: "<b", ts: true},
	{name: "ts generic calls", mid: "f<a>(b);", ts: true},
	{name: "ts almost generic", mid: "f<a>b;", ts: true},
	{name: "ts type arguments", open: "f<", mid: "a,", close: "b>(c)", ts: true},
	{name: "ts union", open: "type A=", mid: "B|", close: "C", ts: true},
	{name: "ts interface", open: "interface A{", mid: "b:C;", close: "}", ts: true},
	{name: "ts annotations", mid: "var a:B;", ts: true},
	{name: "ts casts", mid: "(a as B);", ts: true},
	{name: "ts arrow types", mid: "(a:B):C=>a;", ts: true},
	{name: "ts conditional arrows", mid: "a?(b):c=>d;", ts: true},
	{name: "ts open parens", mid: "(a", ts: true},
}

// many distinct names, which every table has to hold.
func distinct(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// work returns the units that compiling a text is charged, and whether it was
// refused for its nesting. An error of another kind stops the measurement.
func work(src string, ts bool) (units int64, refused bool, err error) {
	_, err = js.Compile("test.js", src, js.CompileOptions{TypeScript: ts, Completion: true, Charge: func(n int64) error {
		units += n
		return nil
	}})
	var se *syntax.SyntaxError
	if errors.As(err, &se) && strings.Contains(se.Message, "too deeply") {
		return units, true, nil
	}
	if errors.As(err, &se) {
		err = nil // refused for what it is: the work until then counts
	}
	return units, false, err
}

// Ten times the text costs at most thirteen times the work, or is refused. (For
// texts that are only long a step is allowed: from some size on jumps are long, and the function is compiled again.)
func TestCompileScales(t *testing.T) {
	check := func(t *testing.T, name string, ts bool, text func(n int) string, limit int64, sizes ...int) {
		for _, n := range sizes {
			if quick() && n > 1000 {
				continue
			}
			a, refusedA, err := work(text(n), ts)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			b, refusedB, err := work(text(10*n), ts)
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case refusedA && !refusedB:
				t.Errorf("%s: %d are nested too deeply, %d not", name, n, 10*n)
			case !refusedB && b > limit*(a+1000):
				t.Errorf("%s: %d units for %d, %d for %d: %.1f times", name, a, n, b, 10*n, float64(b)/float64(a))
			}
			if !ts && b > int64(100*len(text(10*n))+10_000) {
				t.Errorf("%s: %d units for %d bytes", name, b, len(text(10*n)))
			}
		}
	}
	for _, s := range nestingShapes {
		check(t, "nested "+s.name, s.ts, s.make, 13, 10, 40, 100, 1000, 20_000)
	}
	for _, s := range flatShapes {
		check(t, "long "+s.name, s.ts, s.flat, 20, 100, 10_000)
	}
	for _, format := range []string{
		"var v%d;", "let l%d;", "function f%d(){}", "x.p%d=1;", "({p%[1]d:1});", "class C%d{}", "l%d:;", "g%d();", "{let a%d;}", "'s%d';", "%d.5;", "(a%d)=>1;", "/r%d/;",
	} {
		check(t, "distinct "+format, false, func(n int) string { return distinct(n, format) }, 20, 100, 5000)
	}
	for _, s := range []struct{ open, format, close string }{
		{"function f(){", "var v%d;", "}"}, {"function f(){", "let v%d;", "}"}, {"function f(){", "function g%d(){}", "}"}, {"({", "p%d:1,", "})"}, {"class A{", "#p%d;", "}"}, {"class A{", "m%d(){}", "}"},
		{"function f(){ eval('');", "let v%d;", "}"}, {"with(a){", "v%d;", "}"}, {"switch(a){", "case %d:;", "}"}, {"`", "${a%d}", "`"}, {"function f(", "a%d,", "b){}"}, {"/", "(?<n%d>a)", "/"}, {"function f(){", "let v%[1]d=()=>v%[1]d;", "}"},
	} {
		check(t, "distinct "+s.open+s.format, false, func(n int) string { return s.open + distinct(n, s.format) + s.close }, 20, 100, 5000)
	}
}

func (s nestingShape) flat(n int) string { return s.open + strings.Repeat(s.mid, n) + s.close }

// The same in time, which only a quiet machine can measure.
func TestCompileTimeScales(t *testing.T) {
	if os.Getenv("PINFOLD_TIMING") == "" {
		t.Skip("measures time: set PINFOLD_TIMING=1 on a machine that does nothing else")
	}
	best := func(src string, ts bool) time.Duration {
		d := time.Hour
		for range 3 {
			runtime.GC()
			start := time.Now()
			if _, _, err := work(src, ts); err != nil {
				t.Fatal(err)
			}
			d = min(d, time.Since(start))
		}
		return d
	}
	check := func(name string, ts bool, text func(n int) string, n int) {
		a := best(text(n), ts)
		b := best(text(10*n), ts)
		ratio := float64(b) / float64(max(a, 200*time.Microsecond))
		if ratio > 13 {
			t.Logf("%s: %v for %d, %v for %d: %.1f times", name, a, n, b, 10*n, ratio)
		}
		if ratio > 40 {
			t.Errorf("%s: %v for %d, %v for %d: %.1f times", name, a, n, b, 10*n, ratio)
		}
	}
	for _, s := range nestingShapes {
		for _, n := range []int{50, 10_000} {
			check("nested "+s.name, s.ts, s.make, n)
		}
	}
	for _, s := range flatShapes {
		check("long "+s.name, s.ts, s.flat, 5000)
	}
	for _, format := range []string{"var v%d;", "let l%d;", "function f%d(){}", "x.p%d=1;", "({p%[1]d:1});", "g%d();", "'s%d';", "%d.5;"} {
		check("distinct "+format, false, func(n int) string { return distinct(n, format) }, 5000)
	}
}

func BenchmarkCompileNested(b *testing.B) {
	for _, s := range nestingShapes {
		for _, n := range []int{50, 500} {
			src := s.make(n)
			b.Run(fmt.Sprint(s.name, "/", n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					_, _, _ = work(src, s.ts)
				}
			})
		}
	}
}
