package syntax_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/syntax"
)

func message(err error) string {
	var se *syntax.SyntaxError
	if errors.As(err, &se) {
		return se.Message
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func checkRegExp(pattern, flags string) (string, error) {
	if pattern == "(" {
		return fmt.Sprintf("Invalid regular expression: /(/%s: Unterminated group", flags), nil
	}
	return "", nil
}

func TestMessages(t *testing.T) {
	for _, c := range messages {
		_, err := syntax.Parse("m", c[0], syntax.Options{CheckRegExp: checkRegExp})
		if got := message(err); got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
}

// Cases beyond those messages; by ECMA-262 2025.
func TestGoals(t *testing.T) {
	const script, module, body, eval = syntax.Script, syntax.Module, syntax.FunctionBody, syntax.Eval
	for _, c := range []struct {
		goal syntax.Goal
		src  string
		want string
	}{
		{script, "await", ""},
		{script, "await = 1", ""},
		{script, "<!-- a\n--> b", ""},
		{script, "a\n/* \n */ --> b", ""},
		{script, "#!/bin/x\na", ""},
		{script, " #!/bin/x", "Invalid or unexpected token"},
		{script, "{ using x = y }", ""},
		{script, "using x = y", "Unexpected identifier 'using'"},
		{script, "using\nx = y", ""},
		{script, "using = 1; using[x] = 1", ""},
		{script, "switch (a) { case 1: using x = y }", "Unexpected identifier 'using'"},
		{script, "for (using x of y);", ""},
		{script, "for (using of of);", ""},
		{script, "for (using of of of);", "Unexpected identifier 'of'"},
		{script, "{ using x }", "Missing initializer in using declaration"},
		{script, "{ using [x] = y }", ""},
		{script, "{ using {x} = y }", "Unexpected token '{'"},
		{script, "async function f() { await using x = y; for (await using z of w); }", ""},
		{script, "`abc", "Unexpected end of input"},
		{script, "async(x=await 1)=>1", "await is only valid in async functions and the top level bodies of modules"},
		{script, "f() = 1; f()++; for (f() in x);", ""},
		{script, "'use strict'; f() = 1", "Invalid left-hand side in assignment"},
		{script, "[f()] = 1", "Invalid destructuring assignment target"},
		{script, "var a, b; { function a() {} } for (;;) { let b; { var c } }", ""},
		{script, "{ { var x } let x }", "Identifier 'x' has already been declared"},
		{script, "{ let x; { var x } }", "Identifier 'x' has already been declared"},
		{script, "let x; { let x; { let x } } function f() { var x }", ""},
		{script, "function f() { var x } let x; function g(x) {} (x) => 1", ""},
		{script, "try {} catch (e) { var e; { var e } for (var e;;); }", ""},
		{script, "try {} catch (e) { { let e } }", ""},
		{script, "try {} catch ({e}) { { var e } }", "Identifier 'e' has already been declared"},
		{script, "try {} catch ([e, e]) {}", "Identifier 'e' has already been declared"},
		{script, "let e; try {} catch (e) { var e }", "Identifier 'e' has already been declared"},
		{script, "function f() { { function g() {} function g() {} } }", ""},
		{script, "'use strict'; { function g() {} function g() {} }", "Identifier 'g' has already been declared"},
		{script, "switch (a) { case 1: let x; case 2: let x }", "Identifier 'x' has already been declared"},
		{script, "function f(a) { { let a } var a; function a() {} }", ""},
		{script, "(a, [b, {c}]) => { let c }", "Identifier 'c' has already been declared"},
		{script, "class A { static { var x; let x } }", "Identifier 'x' has already been declared"},
		{script, "class A { #x; m() { return #x in this && #x in {} } }", ""},
		{script, "class A { #x; m() { return 1 + #x in this } }", "Unexpected identifier '#x'"},
		{script, "class A { #x; m() { (#x) in this } }", "Unexpected identifier '#x'"},
		{script, "class A { m() { class B { n() { this.#x } } } #x }", ""},
		{script, "class A extends (o.#x) { #x }", "Private field '#x' must be declared in an enclosing class"},
		{script, "class A { get #x() {} set #x(v) {} }", ""},
		{script, "class A { static get #x() {} set #x(v) {} }", "Identifier '#x' has already been declared"},
		{script, "class A { static async *#m() {} 'constructor'() {} }", ""},
		{script, "class A { get\nx() {} static\ny = 1; async\nz() {} }", ""},
		{script, "class A { static { await: ; } }", "Unexpected reserved word"},
		{script, "class A { static { (() => { await }) } }", ""},
		{script, "class A { static { function f() { return arguments } } x = () => { function g() { arguments } } }", ""},
		{script, "class A { x = () => arguments }", "'arguments' is not allowed in class field initializer or static initialization block"},
		{script, "a\n++b; a\n--\nb", ""},
		{script, "if (a) function f() {} else function g() {}", ""},
		{script, "if (a) l: function f() {}", "In non-strict mode code, functions can only be declared at top level, inside a block, or as the body of an if statement."},
		{script, "l: function f() {}", ""},
		{script, "l: m: function f() {}", ""},
		{script, "l: { break l } l: for (;;) { m: for (;;) continue l }", ""},
		{script, "l: m: for (;;) { continue l; continue m }", ""},
		{script, "l: { for (;;) { continue l } }", "Illegal continue statement: 'l' does not denote an iteration statement"},
		{script, "l: for (;;) { (() => { break l }) }", "Undefined label 'l'"},
		{script, "while (1) { function f() { break } }", "Illegal break statement"},
		{script, "do;while(0) x", ""},
		{script, "var x = 1 var y", "Unexpected token 'var'"},
		{script, "for (var i = 0 in []);", ""},
		{script, "for (async of => {};;);", ""},
		{script, "for (let in o);", ""},
		{script, "for (let of of os);", ""},
		{script, "for (let;;);", ""},
		{script, "for (x of a, b);", "Unexpected token ','"},
		{script, "for (let x of []) { var x }", "Identifier 'x' has already been declared"},
		{script, "async function f() { for await (async of x); for await (x of y); }", ""},
		{script, "let\nx", ""},
		{script, "yield = 1; function yield() {} var let_, async, of, get, set, static", ""},
		{script, "async\nfunction f() {}", ""},
		{script, "var x = async\n(y)", ""},
		{script, "({async *f() {}, get a() {}, set a(v) {}, get, set, async, await, static: 1, if: 2, 'x'() {}, 1() {}, [y]: 1})", ""},
		{script, "({__proto__: 1, __proto__() {}, ['__proto__']: 2, __proto__})", ""},
		{script, "({__proto__: a, __proto__: b} = {})", ""},
		{script, "({a = 1}) => 1; ({a = 1} = {}); [{a = 1}] = []; for ({a = 1} of []);", ""},
		{script, "({a = 1}).x", "Invalid shorthand property initializer"},
		{script, "[{a = 1}.x] = 1", "Invalid shorthand property initializer"},
		{script, "f({a = 1})", "Invalid shorthand property initializer"},
		{script, "[a, ...[b, ...c]] = d; ({a, ...b.c} = d)", ""},
		{script, "[(a), (b.c), ((d))] = e; ({a: (b)} = c)", ""},
		{script, "({a: ({b})} = c)", "Invalid destructuring assignment target"},
		{script, "(a, b) = 1", "Invalid left-hand side in assignment"},
		{script, "([a]) = 1", "Invalid left-hand side in assignment"},
		{script, "a?.b?.[c]?.(d).e", ""},
		{script, "a ? .5 : 1; a?.5:1", ""},
		{script, "new a.b.c(d).e(f); new new a()(); new (a?.b)()", ""},
		{script, "function f() { new.target; () => new.target }", ""},
		{script, "a ?? (b || c); (a && b) ?? c", ""},
		{script, "a || b ?? c", "Unexpected token '??'"},
		{script, "(-1) ** 2; 2 ** -1; a ** b ** c", ""},
		{script, "`a${`b${c}`}d` + t`\\u`", ""},
		{script, "`\\u`", "Invalid Unicode escape sequence"},
		{script, "a\u2028b\u2029c; '\u2028'", ""},
		{script, "\\u0061\\u{62}c = 1; ({}).\\u0069f", ""},
		{script, "v\\u0061r", "Keyword must not contain escaped characters"},
		{script, "l\\u0065t\nx", ""},
		{script, "'use strict'; l\\u0065t = 1", "Unexpected strict mode reserved word"},
		{script, "({g\\u0065t a() {}})", "Unexpected identifier 'a'"},
		{script, "𝒜 = ℮ = a\u200d", ""},
		{script, "1_0.0_1e1_0; 0xA_B; 0b1_0n; 010; 08.5; .5; 5.; 1e-5", ""},
		{script, "01n", "Invalid or unexpected token"},
		{script, "0b12", "Invalid or unexpected token"},
		{script, "/[/]/.test(a / b / c)", ""},
		{script, "a = b\n/re/g.exec(c)", ""},
		{script, "a\n/re/x", ""},
		{script, "/a/uv", "Invalid regular expression flags"},
		{script, "x = function() {}\n/1/g", ""},
		{script, "a => {}\n/re/", ""},
		{script, "@dec class A { @a.b @(c) @d() x }", ""},
		{script, "import('x', {with: {}})", ""},
		{script, "import.defer('x'); import.source('y')", ""},
		{script, "import(...x)", "Unexpected token '...'"},
		{script, "/*", "Invalid or unexpected token"},
		{script, "a\xffb", "Invalid or unexpected token"},

		{module, "await 1; for await (x of y); await using z = w; using v = u", ""},
		{module, "await", "Unexpected end of input"},
		{module, "function f() { await }", "Unexpected reserved word"},
		{module, "async () => await 1; () => await 1", "Unexpected reserved word"},
		{module, "<!-- a", "HTML comments are not allowed in modules"},
		{module, "import.meta.url; import('a')", ""},
		{module, "new.target", "new.target expression is not allowed here"},
		{module, "return", "Illegal return statement"},
		{module, "import a, {b as c, default as d, 'e f' as g} from 'h'; import * as i from 'j'; import 'k'", ""},
		{module, "import a, * as b from 'c' with {type: 'json', 'x': 'y'}", ""},
		{module, "import a from 'b' with {x: 'y', 'x': 'z'}", "Import attributes has a duplicate key 'x'"},
		{module, "import defer * as a from 'b'; import source c from 'd'; import defer from 'e'; import source from 'f'", ""},
		{module, "import source from from 'a'", ""},
		{module, "import {a, a} from 'b'", "Identifier 'a' has already been declared"},
		{module, "import {eval} from 'b'", "Unexpected eval or arguments in strict mode"},
		{module, "import {if} from 'b'", "Unexpected reserved word"},
		{module, "{ import a from 'b' }", "Unexpected identifier 'a'"},
		{module, "export {a as b, a as 'c d', a as default}; var a; export * from 'e'; export * as f from 'g'; export {if as while} from 'h'", ""},
		{module, "export {a}", "Export 'a' is not defined in module"},
		{module, "export {a as b, c as b}; var a, c", "Duplicate export of 'b'"},
		{module, "export default 1; export default 2", "Duplicate export of 'default'"},
		{module, "export var a; export {a}", "Duplicate export of 'a'"},
		{module, "export {'a'}", "Unexpected string"},
		{module, "export {'\\uD800'} from 'x'", "Invalid module export name: contains unpaired surrogate character"},
		{module, "export {if}", "Unexpected token 'if'"},
		{module, "export default function() {} export default_", "Unexpected token 'export'"},
		{module, "export default class {} export async function f() {} export const {a, b: [c]} = d", ""},
		{module, "export default async () => 1", ""},
		{module, "export default (a, b)", ""},
		{module, "export default a, b", "Unexpected token ','"},
		{module, "function f() {} function f() {}", "Identifier 'f' has already been declared"},
		{module, "var f; function f() {}", "Identifier 'f' has already been declared"},
		{module, "with (a) b", "Strict mode code may not include a with statement"},

		{body, "const r = await f(); return r", ""},
		{body, "for await (const x of y) await using z = x", "Lexical declaration cannot appear in a single-statement context"},
		{body, "function f() { await = 1 }", ""},
		{body, "() => await x", "await is only valid in async functions and the top level bodies of modules"},
		{body, "let await", "Unexpected reserved word"},
		{body, "import a from 'b'", "Cannot use import statement outside a module"},
		{eval, "new.target", "new.target expression is not allowed here"},
		{eval, "return", "Illegal return statement"},
	} {
		_, err := syntax.Parse("g", c.src, syntax.Options{Goal: c.goal})
		if got := message(err); got != c.want && !(c.want == "" && err == nil) {
			t.Errorf("%s: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestEvalContext(t *testing.T) {
	const src = "new.target; super.x; super(); this.#a; (() => arguments)"
	opt := syntax.Options{Goal: syntax.Eval, AllowNewTarget: true, AllowSuperCall: true, AllowSuperProperty: true, PrivateNames: []string{"a"}}
	if _, err := syntax.Parse("e", src, opt); err != nil {
		t.Error(err)
	}
	opt.InClassFieldInit = true
	if _, err := syntax.Parse("e", src, opt); err == nil {
		t.Error("arguments was accepted in a field initializer")
	}
	opt.InClassFieldInit = false
	opt.PrivateNames = nil
	if _, err := syntax.Parse("e", src, opt); message(err) != "Private field '#a' must be declared in an enclosing class" {
		t.Error(err)
	}
	p, err := syntax.Parse("e", "010", syntax.Options{Goal: syntax.Eval, Strict: true})
	if err == nil {
		t.Error(p)
	}
}

func TestParseFunction(t *testing.T) {
	// Messages by node 20's Function constructor.
	for _, c := range []struct{ params, body, want string }{
		{"a,b", "return a", ""},
		{"a //", "b", ""},
		{"/*", "*/){", "Unexpected end of arg string"},
		{"a){}, (b", "c", "Arg string terminates parameters early"},
		{"", "}); (function(){", "Single function literal required"},
		{"", "}/*", "Invalid or unexpected token"},
		{"*/", "/*", "Unexpected token '*'"},
		{"a,a", "'use strict'", "Duplicate parameter name not allowed in this context"},
		{"-->", "", "Unexpected token '--'"},
		{"", "-->", ""},
		{"", "super()", "'super' keyword unexpected here"},
		{"a", "let a", "Identifier 'a' has already been declared"},
		{"...a", "return new.target", ""},
		{"", "await 1", "await is only valid in async functions and the top level bodies of modules"},
	} {
		p, err := syntax.ParseFunction("f", c.params, c.body, false, false, syntax.Options{})
		if got := message(err); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.params, c.body, got, c.want)
		}
		if err == nil {
			f := p.Body[0].(*syntax.ExpressionStatement).Expression.(*syntax.FunctionExpression).Func
			if got, want := p.Source[f.Start:f.End], "function anonymous("+c.params+"\n) {\n"+c.body+"\n}"; got != want {
				t.Errorf("source %q, want %q", got, want)
			}
		}
	}
	if _, err := syntax.ParseFunction("f", "a=`", "`", false, false, syntax.Options{}); err == nil {
		t.Error("a template across parameters and body was accepted")
	}
	if _, err := syntax.ParseFunction("f", "", "await 1; yield 2", true, true, syntax.Options{}); err != nil {
		t.Error(err)
	}
}

func TestExpressionOrBody(t *testing.T) {
	for src, lone := range map[string]bool{
		"{a: 1}": true, "{a: 1};": true, "{}": true, "{ let x = 1; return x }": false, "a": true, "await f()": true,
		"return 1": false, "'x'": true, "function f() {}": false, "{a: 1}.b": true, "{a; b}": false, "let x = 1; x": false,
		"/*c*/ {b: [1]} // d": true, "": false, "{a, b}": true, "{ f() }": false, "{f(); g()}": false,
	} {
		p, err := syntax.ParseExpressionOrBody("s", src, syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", src, err)
		} else if (p.LoneExpression != nil) != lone {
			t.Errorf("%s: lone %v", src, p.LoneExpression)
		}
	}
	if _, err := syntax.ParseExpressionOrBody("s", "{a: 1", syntax.Options{}); message(err) != "Unexpected end of input" {
		t.Error(err)
	}
}

func TestStrings(t *testing.T) {
	for src, want := range map[string]string{
		`'a\n\x41\u0042\u{43}\0\
b'`: "a\nABC\x00b",
		`'\uD83D\uDE00'`:        "😀",
		`'\u{D83D}\u{DE00}'`:    "😀",
		`'\uD83D'`:              "\xed\xa0\xbd",
		`'\uDE00\uD83D'`:        "\xed\xb8\x80\xed\xa0\xbd",
		"'\xed\xa0\xbd\\uDE00'": "😀",
		"'\\uD83D\xed\xb8\x80'": "😀",
		`'\101\7\08\8'`:         "A\x07\x008" + "8",
		`'\'\"\q'`:              `'"q`,
	} {
		p, err := syntax.Parse("s", "x="+src, syntax.Options{})
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		got := p.Body[0].(*syntax.ExpressionStatement).Expression.(*syntax.AssignmentExpression).Right.(*syntax.StringLiteral).Value
		if got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
	p, err := syntax.Parse("s", "t`a\r\nb\rc\\u${x}\\n`", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := p.Body[0].(*syntax.ExpressionStatement).Expression.(*syntax.TaggedTemplateExpression).Quasi.Quasis
	if q[0].Raw != "a\nb\nc\\u" || !q[0].Invalid || q[1].Raw != `\n` || q[1].Cooked != "\n" || q[1].Invalid {
		t.Errorf("%+v %+v", q[0], q[1])
	}
}

func TestNumbers(t *testing.T) {
	// Values by node 20.
	for src, want := range map[string]float64{
		"0": 0, "123": 123, "1_000": 1000, ".5": 0.5, "5.": 5, "1e3": 1000, "1E-7": 1e-7, "0x1F": 31, "0b101": 5, "0o17": 15,
		"017": 15, "08": 8, "09.5": 9.5, "1e400": math.Inf(1), "1e-400": 0, "9007199254740993": 9007199254740992,
		"0x20000000000001": 9007199254740992, "0x20000000000003": 9007199254740996, "0x200000000000010000001": 2.4178516392292588e24,
		"0b" + strings.Repeat("1", 60): 1152921504606846976, "123456789012345678901234567890": 1.2345678901234568e29,
		"0x" + strings.Repeat("f", 300): math.Inf(1), "0777777777777777777777": 9223372036854775808,
	} {
		p, err := syntax.Parse("n", "x="+src, syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		got := p.Body[0].(*syntax.ExpressionStatement).Expression.(*syntax.AssignmentExpression).Right.(*syntax.NumericLiteral).Value
		if got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
	for src, want := range map[string]string{"1_0n": "10", "0xF_Fn": "0xff", "0O7n": "0o7", "0B1n": "0b1", "0n": "0"} {
		p, err := syntax.Parse("n", src, syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := p.Body[0].(*syntax.ExpressionStatement).Expression.(*syntax.BigIntLiteral).Digits; got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// flags lists the flags of a function that are set.
func flags(f *syntax.Function) string {
	var l []string
	for _, x := range []struct {
		name string
		on   bool
	}{{"args", f.UsesArguments}, {"this", f.UsesThis}, {"super.", f.UsesSuperProp}, {"super()", f.UsesSuperCall}, {"target", f.UsesNewTarget},
		{"await", f.ContainsAwait}, {"yield", f.ContainsYield}, {"with", f.ContainsWith}, {"eval", f.HasDirectEval},
		{"inner-eval", f.InnerEval}, {"inner-with", f.InnerWith}, {"strict", f.Strict}, {"simple", f.SimpleParams}} {
		if x.on {
			l = append(l, x.name)
		}
	}
	return strings.Join(l, " ")
}

func TestFunctionFlags(t *testing.T) {
	for _, c := range [][2]string{
		// The flags of the function f, then those of the program.
		{"function f() { arguments; this }", "args this simple|simple"},
		{"function f() { () => { this; arguments; new.target } }", "args this target simple|simple"},
		{"function f() { function g() { this; eval('') } }", "inner-eval simple|inner-eval simple"},
		{"function f() { () => eval('') }", "eval inner-eval simple|inner-eval simple"},
		{"function f(a = eval('')) {}", "eval inner-eval|inner-eval simple"},
		{"function f() { (a = this) => 1 }", "this simple|simple"},
		{"function f() { (a, this) }", "this simple|simple"},
		{"function f() { (eval)('') }", "eval inner-eval simple|inner-eval simple"},
		{"function f() { eval?.(''); x.eval('') }", "simple|simple"},
		{"function f() { with (a) b }", "with inner-with simple|inner-with simple"},
		{"function f() { 'use strict' }", "strict simple|simple"},
		{"async function f() { await 1 }", "await simple|simple"},
		{"async function f() { for await (a of b); }", "await simple|simple"},
		{"async function f() { async () => { await 1 } }", "simple|simple"},
		{"function* f() { yield }", "yield simple|simple"},
		{"function f() { class A extends this.x { [arguments]() {} m() { this } x = this } }", "args this simple|simple"},
		{"function f(a, b = 1) {}", "|simple"},
		{"function f(...a) { return a }", "|simple"},
		{"function f() {} this", "simple|this simple"},
		{"function f() {} x => { this }", "simple|this simple"},
		{"function f() {} ((a = eval('')) => 1)", "simple|eval inner-eval simple"},
	} {
		p, err := syntax.Parse("f", c[0], syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		got := flags(p.Body[0].(*syntax.FunctionDeclaration).Func) + "|" + flags(p.Func)
		if got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
	p, err := syntax.Parse("f", "x = {m() { super.a }}; class A extends B { constructor() { (() => super())() } }", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	syntax.Walk(p, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.Function); ok {
			got = append(got, fmt.Sprint(f.Kind, " ", flags(f)))
		}
		return true
	})
	want := "2 this super. simple;6 this super() strict simple;1 this super() strict simple"
	if s := strings.Join(got, ";"); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// B.3.2: which functions in blocks also make var bindings.
func TestAnnexBHoist(t *testing.T) {
	for src, want := range map[string]string{
		"{ function f() {} }":                              "true",
		"'use strict'; { function f() {} }":                "false",
		"{ async function f() {} }":                        "false",
		"{ function* f() {} }":                             "false",
		"let f; { function f() {} }":                       "false",
		"{ function f() {} } let f":                        "false",
		"{ { function f() {} } let f }":                    "false",
		"{ let f; { function f() {} } }":                   "false",
		"{ function f() {} { function f() {} } }":          "true false",
		"{ { function f() {} } function f() {} }":          "false true",
		"{ function f() {} function f() {} }":              "true true",
		"{ function f() {} } { function f() {} }":          "true true",
		"function g(f) { { function f() {} } }":            "false false",
		"function g(a, [f]) { { function f() {} } }":       "false false",
		"function g() { { function f() {} } } let f":       "false true",
		"var f; { function f() {} }":                       "true",
		"try {} catch (f) { { function f() {} } }":         "true",
		"try {} catch ({f}) { { function f() {} } }":       "false",
		"if (a) function f() {}":                           "true",
		"switch (a) { case 1: function f() {} }":           "true",
		"for (let f;;) { function f() {} }":                "false",
		"{ l: function f() {} }":                           "true",
		"{ (function () { { function f() {} } }); let f }": "true",
		"(f) => { { function f() {} } }":                   "false",
		"class A { static { { function f() {} } } }":       "false",
	} {
		p, err := syntax.Parse("h", src, syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		var got []string
		syntax.Walk(p, func(n syntax.Node) bool {
			if d, ok := n.(*syntax.FunctionDeclaration); ok {
				got = append(got, fmt.Sprint(d.AnnexBHoist))
			}
			return true
		})
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", src, s, want)
		}
	}
}

func TestModuleRecords(t *testing.T) {
	p, err := syntax.Parse("m", `
import d, {a as b, 'x y' as c} from 'm1';
export * from 'm2';
import * as ns from 'm1' with {type: 'json'};
export {b as B, ns, local, local as 'l l', z as default} from 'm3';
export {b as bb, ns as nn, local};
export const {p, q: [r]} = 1;
export function fn() {}
export default class {}
export * as all from 'm2';
var local;
`, syntax.Options{Goal: syntax.Module})
	if err == nil || message(err) != "Duplicate export of 'local'" {
		t.Fatal(p, err)
	}
	p, err = syntax.Parse("m", `
import d, {a as b, 'x y' as c} from 'm1';
export * from 'm2';
import * as ns from 'm1' with {type: 'json'};
export {b as B, z as Z} from 'm3';
export {b as bb, ns as nn, local};
export const {p, q: [r]} = 1;
export function fn() {}
export default class {}
export * as all from 'm2';
var local;
`, syntax.Options{Goal: syntax.Module})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range p.Requests {
		got = append(got, fmt.Sprintf("%s/%d", r.Specifier, len(r.Attributes)))
	}
	for _, e := range p.Imports {
		got = append(got, fmt.Sprintf("i%d:%s:%v:%s", e.Request, e.ImportName, e.Namespace, e.LocalName))
	}
	for _, list := range [][]syntax.ExportEntry{p.LocalExports, p.IndirectExports, p.StarExports} {
		for _, e := range list {
			got = append(got, fmt.Sprintf("e%d:%s:%v:%s:%s", e.Request, e.ImportName, e.Namespace, e.LocalName, e.ExportName))
		}
	}
	want := "m1/0 m2/0 m1/1 m3/0 " +
		"i0:default:false:d i0:a:false:b i0:x y:false:c i2::true:ns " +
		"e-1::false:ns:nn e-1::false:local:local e-1::false:p:p e-1::false:r:r e-1::false:fn:fn e-1::false:*default*:default " +
		"e3:b:false::B e3:z:false::Z e0:a:false::bb e1::true::all e1::false::"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestLineTable(t *testing.T) {
	const src = "a\r\nbé😀c\rd\u2028e\n"
	lt := syntax.NewLineTable(src)
	if lt.Count() != 5 {
		t.Fatal(lt.Count())
	}
	for i, want := range []string{"a", "bé😀c", "d", "e", ""} {
		if got := lt.Line(i + 1); got != want {
			t.Errorf("line %d: %q", i+1, got)
		}
	}
	off := int32(strings.Index(src, "c"))
	if got := lt.Position(off); got != (syntax.Position{Line: 2, ByteColumn: 8, RuneColumn: 4, UTF16Column: 5}) {
		t.Errorf("%+v", got)
	}
	if got := lt.Position(0); got != (syntax.Position{Line: 1, ByteColumn: 1, RuneColumn: 1, UTF16Column: 1}) {
		t.Errorf("%+v", got)
	}
	_, err := syntax.Parse("x.js", "a;\n  😀", syntax.Options{})
	se := err.(*syntax.SyntaxError)
	if se.Line != 2 || se.Column != 3 || se.Start != 5 || se.Error() != "SyntaxError: Invalid or unexpected token (x.js:2:3)" {
		t.Errorf("%+v", se)
	}
}

func TestTree(t *testing.T) {
	p, err := syntax.Parse("t", "(a) = function() {}; a = (b?.c).d; x = b?.c.d", syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	expr := func(i int) *syntax.AssignmentExpression {
		return p.Body[i].(*syntax.ExpressionStatement).Expression.(*syntax.AssignmentExpression)
	}
	if !expr(0).LeftParen || expr(1).LeftParen {
		t.Error("LeftParen")
	}
	m := expr(1).Right.(*syntax.MemberExpression)
	if _, ok := m.Object.(*syntax.ChainExpression); !ok {
		t.Errorf("%T", m.Object)
	}
	if _, ok := expr(2).Right.(*syntax.ChainExpression); !ok {
		t.Errorf("%T", expr(2).Right)
	}
	if got := p.Source[m.Start:m.End]; got != "(b?.c).d" {
		t.Error(got)
	}
}
