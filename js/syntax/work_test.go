package syntax_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// work parses and returns the work that Check was told of.
func work(t *testing.T, src string, opt syntax.Options) (int, error) {
	t.Helper()
	n := 0
	opt.Check = func(k int) error { n += k; return nil }
	_, err := syntax.Parse("w", src, opt)
	return n, err
}

// nest repeats open n times, then mid, then shut n times.
func nest(open, mid, shut string) func(int) string {
	return func(n int) string { return strings.Repeat(open, n) + mid + strings.Repeat(shut, n) }
}

// shapes are inputs on which parsers that look ahead, parse again or recurse
// come to grief. ok: the text is right at 200 levels.
var shapes = []struct {
	name string
	ts   bool
	ok   bool
	gen  func(int) string
}{
	{"parens", false, true, nest("(", "1", ")")},
	{"open parens", false, false, nest("(", "", "")},
	{"open braces", false, false, nest("{", "", "")},
	{"open brackets", false, false, nest("[", "", "")},
	{"blocks", false, true, nest("{", "", "}")},
	{"arrays", false, true, nest("[", "", "]")},
	{"array patterns", false, true, func(n int) string { return nest("[", "a", "]")(n) + "=b" }},
	{"array patterns with defaults", false, true, nest("[", "a", "=1]")},
	{"object patterns", false, true, func(n int) string { return "(" + nest("{a:", "a", "}")(n) + "=b)" }},
	{"objects", false, true, func(n int) string { return "x=" + nest("{a:", "1", "}")(n) }},
	{"shorthand defaults", false, true, nest("({a=", "1", "}={})")},
	{"arrow defaults", false, true, nest("(a=", "1", ")=>1")},
	{"arrow chain", false, true, nest("a=>", "1", "")},
	{"arrow parens", false, true, nest("(a)=>(", "1", ")")},
	{"arrow bodies", false, true, nest("()=>{", "", "}")},
	{"arrow destructuring", false, true, nest("({a:[b=", "1", "]})=>1")},
	{"async arrows", false, true, nest("async(a=", "1", ")=>1")},
	{"async calls", false, true, nest("async(", "1", ")")},
	{"async words", false, false, nest("async ", "", "")},
	{"templates", false, true, nest("`${", "1", "}`")},
	{"functions", false, true, nest("(function(){", "", "})")},
	{"classes", false, true, nest("(class{a=", "1", "})")},
	{"heritage", false, true, nest("class a extends ", "b", "{}")},
	{"calls", false, true, nest("f(", "1", ")")},
	{"new", false, true, nest("new ", "a", "")},
	{"unary", false, true, nest("- ", "1", "")},
	{"typeof", false, true, nest("typeof ", "1", "")},
	{"increments", false, false, nest("++", "a", "")},
	{"conditionals", false, true, nest("a?", "1", ":2")},
	{"conditional chain", false, true, nest("a?b:", "1", "")},
	{"powers", false, true, nest("a**", "1", "")},
	{"assignments", false, true, nest("a=", "1", "")},
	{"else if", false, true, nest("if(a);else ", ";", "")},
	{"ifs", false, true, nest("if(a)", ";", "")},
	{"loops", false, true, nest("for(;;)", ";", "")},
	{"for heads", false, true, nest("for(a of function(){", "", "});")},
	{"labels", false, true, func(n int) string {
		var b strings.Builder
		for i := 0; i < n; i++ {
			b.WriteString("l" + strconv.Itoa(i) + ":")
		}
		return b.String() + ";"
	}},
	{"members", false, true, nest("", "a", ".b")},
	{"indexes", false, true, nest("a[", "1", "]")},
	{"index chain", false, true, nest("", "a", "[1]")},
	{"call chain", false, true, nest("", "a", "()")},
	{"optional chain", false, true, nest("", "a", "?.b")},
	{"tag chain", false, true, nest("", "a", "``")},
	{"sums", false, true, nest("", "a", "+a")},
	{"mixed sums", false, true, nest("", "a", "+a*b")},
	{"commas", false, true, nest("", "a", ",a")},
	{"ands", false, true, nest("", "a", "&&a")},
	{"strings", false, true, nest("", "'a'", "+'\\u0061'")},
	{"comments", false, true, nest("/*a*/", "a", "//b\n")},
	{"vars", false, true, nest("var a;", "", "")},
	{"same functions", false, true, func(n int) string { return "{" + nest("function f(){}", "", "")(n) + "}" }},
	{"nested functions and lets", false, true, func(n int) string { return nest("{function f(){}", "", "}let g;")(1) + nest("{", "var x", "}")(n) }},
	{"catches", false, true, nest("try{}catch(e){", "var e", "}")},
	{"private names", false, true, func(n int) string { return nest("class A{#a;b=class{c=this.#a;d=", "1", "}}")(n/2 + 1) }},
	{"let words", false, false, nest("let ", "", "")},
	{"regexps", false, true, nest("", "a", "+/a/")},

	{"type args", true, true, func(n int) string { return "let x:" + nest("A<", "B", ">")(n) }},
	{"open type args", true, false, nest("a<", "", "")},
	{"open angles", true, false, nest("<", "", "")},
	{"half closed type args", true, false, func(n int) string { return nest("a<", "b", "")(n) + strings.Repeat(">", n/2) + "1" }},
	{"closed type args", true, false, func(n int) string { return nest("a<", "b", ">")(n) + "1" }},
	{"generic calls", true, true, nest("a<b>(", "1", ")")},
	{"comparisons", true, true, nest("", "a", "<b")},
	{"comparisons that look generic", true, true, nest("", "a", "<b|c")},
	{"paren types", true, true, func(n int) string { return "let x:" + nest("(", "A", ")")(n) }},
	{"function types", true, true, func(n int) string { return "let x:" + nest("(a:", "A", ")=>B")(n) }},
	{"function type chain", true, true, func(n int) string { return "let x:" + nest("()=>", "A", "")(n) }},
	{"open type parens", true, false, nest("a<(", "", "")},
	{"open type comments", true, false, func(n int) string { return nest("a<(", "/*", "")(n) }},
	{"tuples", true, true, func(n int) string { return "let x:" + nest("[", "A", "]")(n) }},
	{"object types", true, true, func(n int) string { return "let x:" + nest("{a:", "A", "}")(n) }},
	{"conditional types", true, true, func(n int) string { return "let x:" + nest("A extends B?C:", "D", "")(n) }},
	{"conditional types inside", true, true, func(n int) string { return "let x:" + nest("A extends ", "B", "?C:D")(1) + nest("", "", "")(n) }},
	{"array types", true, true, func(n int) string { return "let x:A" + nest("", "", "[]")(n) }},
	{"union types", true, true, func(n int) string { return "let x:A" + nest("", "", "|A")(n) }},
	{"keyof", true, true, func(n int) string { return "let x:" + nest("keyof ", "A", "")(n) }},
	{"template types", true, true, func(n int) string { return "let x:" + nest("`${", "A", "}`")(n) }},
	{"infer", true, true, func(n int) string { return "let x:" + nest("infer A extends ", "B", "")(n) }},
	{"generic arrows", true, true, nest("<T>(a:T=", "1", ")=>1")},
	{"generic arrow bodies", true, true, nest("<T>(a:T)=>", "1", "")},
	{"assertions", true, true, nest("<T>", "1", "")},
	{"assertions of parens", true, true, nest("<T>(", "1", ")")},
	{"type parameters", true, false, nest("<T extends ", "", "")},
	{"generic function types in args", true, false, nest("a<<T>(x:", "", "")},
	{"typed arrows in conditionals", true, true, nest("a?(b:T):U=>", "1", ":2")},
	{"plain parens in conditionals", true, true, nest("a?(b):", "1", "")},
	{"return types in conditionals", true, true, nest("a?(b):Promise<T>=>(", "1", "):2")},
	{"parens and conditionals", true, true, nest("a?(b):(", "1", ")")},
	{"brackets and conditionals", true, true, nest("a?(b):[", "1", "]")},
	{"as", true, true, nest("", "a", " as A")},
	{"non-null", true, true, nest("", "a", "!")},
	{"typed defaults", true, true, nest("(a:A=", "1", "):B=>1")},
	{"async generics", true, true, nest("async<T>(a=", "1", ")=>1")},
	{"async generic calls", true, true, nest("async<T>(", "1", ")")},
	{"interfaces", true, true, func(n int) string { return nest("interface A{a:B}", "", "")(n) }},
	{"namespaces", true, true, nest("namespace A{", "", "}")},
}

// TestLinear compares the work for n and 10n levels. Depth stops the larger
// text early in many shapes, so the bound is per byte that was read.
func TestLinear(t *testing.T) {
	for _, s := range shapes {
		opt := syntax.Options{TypeScript: s.ts}
		_, err := work(t, s.gen(80), opt)
		if s.ok && err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if !s.ok && err == nil {
			t.Errorf("%s: accepted", s.name)
		}
		opt.MaxDepth = 20_000
		small, _ := work(t, s.gen(400), opt)
		large, _ := work(t, s.gen(4000), opt)
		if large > 13*small+20_000 {
			t.Errorf("%s: work %d for 400, %d for 4000", s.name, small, large)
		}
	}
}

// TestDepth: however deep, the answer is a tree or an error, and trees built by
// loops are bounded too.
func TestDepth(t *testing.T) {
	for _, s := range shapes {
		for _, depth := range []int{0, 1 << 30} {
			src := s.gen(60_000)
			_, err := work(t, src, syntax.Options{TypeScript: s.ts, MaxDepth: depth})
			if err == nil {
				continue
			}
			se, ok := err.(*syntax.SyntaxError)
			if !ok {
				t.Errorf("%s: %v", s.name, err)
				continue
			}
			if s.ok && (!se.TooLarge || se.Message != "the program is nested too deeply") {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
	// Towers of towers.
	tower := nest("", "a", "+a")(15_000)
	if _, err := syntax.Parse("t", "("+tower+")"+tower[1:], syntax.Options{}); err == nil {
		t.Error("a tree of height 30 000 was accepted")
	}
	if _, err := syntax.Parse("t", "["+tower+","+tower+"]", syntax.Options{}); err != nil {
		t.Error(err)
	}
}

func TestCheckAborts(t *testing.T) {
	stop := errors.New("stop")
	calls := 0
	_, err := syntax.Parse("t", nest("a;", "", "")(100_000), syntax.Options{Check: func(int) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	}})
	if err != stop || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	// Also from inside a trial parse.
	_, err = syntax.Parse("t", "a<"+nest("A<", "B", ">")(900)+">(1)", syntax.Options{TypeScript: true, Check: func(int) error { return stop }})
	if err != stop {
		t.Error(err)
	}
	// Long tokens are work.
	n, _ := work(t, "'"+strings.Repeat("a", 1<<20)+"'", syntax.Options{})
	if n < 1<<13 {
		t.Errorf("a string of 1 MiB was %d units", n)
	}
}

func TestMaxBytes(t *testing.T) {
	_, err := syntax.Parse("t", "aaaaaaaaaaa", syntax.Options{MaxBytes: 10})
	if se, ok := err.(*syntax.SyntaxError); !ok || !se.TooLarge {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range shapes {
		f.Add(s.gen(3))
		f.Add(s.gen(30))
	}
	f.Add("class A extends B { #x = 1; static { this.#x } get [y]() {} }")
	f.Add("label: for await (const [a, {b = 1}] of c) continue label")
	f.Add("import a, {b as c} from 'd' with {e: 'f'}; export * as g from 'h'")
	for _, h := range hints {
		f.Add(h.src)
	}
	f.Add("a ? (b): c => d : e; async<T>(x) => y; new f<<T>(v: T) => void>(); a < b > (c); <T>x")
	f.Add("declare module 'm' { export = x } namespace A.B { import C = D.E; export abstract class F { declare g; h!: i } }")
	f.Add("enum E { A = `${b}`, C } import x = require('y'); export = x; @d class G { @h accessor #i; constructor(@j private k?) {} }")
	f.Fuzz(func(t *testing.T, src string) {
		for goal := syntax.Script; goal <= syntax.Eval; goal++ {
			for _, ts := range []bool{false, true} {
				n, err := work(t, src, syntax.Options{Goal: goal, TypeScript: ts})
				if limit := 40*len(src) + 200; n > limit {
					t.Errorf("work %d for %d bytes", n, len(src))
				}
				if se, ok := err.(*syntax.SyntaxError); ok {
					if se.Start < 0 || int(se.End) > len(src) || se.End < se.Start || se.Line < 1 || se.Column < 1 {
						t.Errorf("place %+v in %d bytes", se, len(src))
					}
					if r := se.Related; r.Start < 0 || r.End < r.Start || int(r.End) > len(src) {
						t.Errorf("related place %+v in %d bytes", r, len(src))
					}
				}
			}
		}
		syntax.ParseExpressionOrBody("f", src, syntax.Options{})
		syntax.ParseFunction("f", src, src, true, true, syntax.Options{})
	})
}

// benchSource is a synthetic program with a bit of everything.
func benchSource(n int) string {
	const unit = `
/** Adds up what passes the filter. */
export async function total@(rows, { limit = 100, filter = (r) => r.ok } = {}) {
  let sum = 0, count = 0;
  for (const row of rows) {
    if (!filter(row) || row.user?.email === undefined) continue;
    const { price, qty = 1, ...rest } = row;
    sum += price * qty * (1 - (rest.discount ?? 0) / 100);
    if (++count >= limit) break;
  }
  try {
    await fetch("https://example.com/" + encodeURIComponent(rows.length), { method: 'POST', body: JSON.stringify({ sum, count }) });
  } catch (e) {
    console.log(` + "`failed: ${e.message} after ${count} of ${rows.length}`" + `);
  }
  return { sum, mean: count ? sum / count : 0, names: rows.map(r => r.name.replace(/\s+/g, ' ').trim()).sort((a, b) => a < b ? -1 : 1) };
}
class Account@ extends Base {
  #balance = 0;
  static count = 0;
  constructor(owner, opts) { super(owner); this.opts = opts; Account@.count++; }
  get balance() { return this.#balance; }
  deposit(amount) { if (amount <= 0) throw new RangeError("bad amount"); this.#balance += amount; return this; }
}
`
	var b strings.Builder
	for i := 0; i < n; i++ {
		b.WriteString(strings.ReplaceAll(unit, "@", strconv.Itoa(i)))
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	src := benchSource(400)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.Parse("bench.js", src, syntax.Options{Goal: syntax.Module}); err != nil {
			b.Fatal(err)
		}
	}
}
