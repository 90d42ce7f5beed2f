package js_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/hostile"
	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// flatShapes are long texts that don't nest but have invited quadratic work:
// open and close once, mid n times.
var flatShapes = []hostile.Shape{
	{Name: "statements", Mid: "a=b+1;"},
	{Name: "empty statements", Mid: ";"},
	{Name: "blocks", Mid: "{}"},
	{Name: "functions", Mid: "function f(a,b){return a+b}"},
	{Name: "arrows", Mid: "(a,b)=>a;"},
	{Name: "arrow cover", Open: "x=[", Mid: "(a,b,c),", Close: "1]"},
	{Name: "arguments", Open: "f(", Mid: "a,", Close: "1)"},
	{Name: "parameters", Open: "(", Mid: "a,", Close: "b)=>1"},
	{Name: "async parameters", Open: "async(", Mid: "a=1,", Close: "b)=>1"},
	{Name: "async call", Open: "async(", Mid: "a,", Close: "b)"},
	{Name: "array", Open: "[", Mid: "1,", Close: "]"},
	{Name: "holes", Open: "[", Mid: ",", Close: "]"},
	{Name: "array pattern", Open: "[", Mid: "a,", Close: "]=b"},
	{Name: "object", Open: "({", Mid: "a:1,", Close: "})"},
	{Name: "object pattern", Open: "({", Mid: "a:b,", Close: "}=c)"},
	{Name: "shorthand defaults", Open: "({", Mid: "a=1,", Close: "}=c)"},
	{Name: "template", Open: "`", Mid: "${a}x", Close: "`"},
	{Name: "string", Open: "'", Mid: "\\u0041b", Close: "'"},
	{Name: "regexp", Mid: "/a(b|c)*[d-f]/g;"},
	{Name: "long regexp", Open: "/", Mid: "a(?:b|c)*", Close: "/"},
	{Name: "regexp class", Open: "/[", Mid: "a-c\\d", Close: "]/u"},
	{Name: "comments", Mid: "/* */"},
	{Name: "line comments", Mid: "//x\n"},
	{Name: "html comments", Mid: "<!-- x\n"},
	{Name: "spaces", Mid: " \t", Close: "1"},
	{Name: "newlines", Mid: "\n", Close: "1"},
	{Name: "asi", Mid: "a\n"},
	{Name: "vars", Mid: "var a;"},
	{Name: "switch cases", Open: "switch(a){", Mid: "case 1:b;", Close: "}"},
	{Name: "catches", Mid: "try{}catch(e){}"},
	{Name: "ifs", Mid: "if(a)b;"},
	{Name: "class members", Open: "class A{", Mid: "m(){}", Close: "}"},
	{Name: "commas", Open: "(", Mid: "a,", Close: "b)"},
	{Name: "and", Open: "a", Mid: "&&a"},
	{Name: "plus strings", Open: "''", Mid: "+'a'"},
	{Name: "member chain", Open: "a", Mid: ".b"},
	{Name: "call chain", Open: "a", Mid: "()"},
	{Name: "index chain", Open: "a", Mid: "[0]"},
	{Name: "optional chain", Open: "a", Mid: "?.b"},
	{Name: "number", Mid: "1", Close: ";"},
	{Name: "bigint", Mid: "1", Close: "n;"},
	{Name: "identifier", Mid: "a", Close: ";"},
	{Name: "escaped identifier", Mid: "\\u0061", Close: ";"},
	{Name: "less", Open: "a", Mid: "<b"},
	{Name: "greater", Open: "a", Mid: ">b"},
	{Name: "question", Open: "a", Mid: "?b:c;a"},
	{Name: "ts less", Open: "a", Mid: "<b", TypeScript: true},
	{Name: "ts generic calls", Mid: "f<a>(b);", TypeScript: true},
	{Name: "ts almost generic", Mid: "f<a>b;", TypeScript: true},
	{Name: "ts type arguments", Open: "f<", Mid: "a,", Close: "b>(c)", TypeScript: true},
	{Name: "ts union", Open: "type A=", Mid: "B|", Close: "C", TypeScript: true},
	{Name: "ts interface", Open: "interface A{", Mid: "b:C;", Close: "}", TypeScript: true},
	{Name: "ts annotations", Mid: "var a:B;", TypeScript: true},
	{Name: "ts casts", Mid: "(a as B);", TypeScript: true},
	{Name: "ts arrow types", Mid: "(a:B):C=>a;", TypeScript: true},
	{Name: "ts conditional arrows", Mid: "a?(b):c=>d;", TypeScript: true},
	{Name: "ts open parens", Mid: "(a", TypeScript: true},
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
	for _, s := range hostile.Shapes {
		check(t, "nested "+s.Name, s.TypeScript, s.Make, 13, 10, 40, 100, 1000, 20_000)
	}
	for _, s := range flatShapes {
		check(t, "long "+s.Name, s.TypeScript, flat(s), 20, 100, 10_000)
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

func flat(s hostile.Shape) func(int) string {
	return func(n int) string { return s.Open + strings.Repeat(s.Mid, n) + s.Close }
}

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
	for _, s := range hostile.Shapes {
		for _, n := range []int{50, 10_000} {
			check("nested "+s.Name, s.TypeScript, s.Make, n)
		}
	}
	for _, s := range flatShapes {
		check("long "+s.Name, s.TypeScript, flat(s), 5000)
	}
	for _, format := range []string{"var v%d;", "let l%d;", "function f%d(){}", "x.p%d=1;", "({p%[1]d:1});", "g%d();", "'s%d';", "%d.5;"} {
		check("distinct "+format, false, func(n int) string { return distinct(n, format) }, 5000)
	}
}

func BenchmarkCompileNested(b *testing.B) {
	for _, s := range hostile.Shapes {
		for _, n := range []int{50, 500} {
			src := s.Make(n)
			b.Run(fmt.Sprint(s.Name, "/", n), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					_, _, _ = work(src, s.TypeScript)
				}
			})
		}
	}
}
