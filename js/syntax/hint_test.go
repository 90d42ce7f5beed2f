package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// hints are texts that don't parse, where that is found out, a part of the hint,
// and the text at the related place if there is one. The texts are read as
// function bodies.
var hints = []struct {
	src          string
	line, column int
	hint         string
	related      string
}{
	// Markdown.
	{"```js\nconst a = 1\nreturn a\n```", 1, 1, "remove the Markdown fence", "```"},
	{"\n  ```\nreturn `x${1}`\n  ```", 2, 3, "remove the Markdown fence", "```"},
	{"```typescript\r\nreturn 1\r\n```\r\n", 1, 1, "remove the Markdown fence", "```"},
	{"\ufeff```\nreturn 1\n```", 1, 2, "remove the Markdown fence", "```"},
	{"Here is the code:\n```js\nconst a = 1\n```", 1, 6, "remove the Markdown: send only the code, without the fence at 2:1", "```"},
	{"const a = 1\nreturn a\n```", 3, 1, "remove the Markdown fence", "```"},
	{"f(a);\n```\nThat's all", 2, 1, "remove the Markdown fence", "```"},
	{"const s = a\\_b", 1, 12, "Markdown's", ""},
	// Characters.
	{"const s = “hello”", 1, 11, `“ (U+201C, left double quotation mark) means nothing in JavaScript; write "`, ""},
	{"f(‘a’)", 1, 3, "‘ (U+2018, left single quotation mark) means nothing in JavaScript; write '", ""},
	{"const s = \"hello”;", 1, 11, `” (U+201D, right double quotation mark) at 1:17 doesn't end the string; use "`, "”"},
	{"const s = 'a’ + b;", 1, 11, "’ (U+2019, right single quotation mark) at 1:13 doesn't end the string; use '", "’"},
	{"const a = b – c", 1, 13, "– (U+2013, en dash) means nothing in JavaScript; write -", ""},
	{"a — b", 1, 3, "— (U+2014, em dash)", ""},
	{"a − b", 1, 3, "− (U+2212, minus sign)", ""},
	{"foo（1）；", 1, 4, "（ (U+FF08, fullwidth left parenthesis) means nothing in JavaScript; write (", ""},
	{"f(1)；", 1, 5, "； (U+FF1B, fullwidth semicolon)", ""},
	{"f(1，2)", 1, 4, "， (U+FF0C, fullwidth comma)", ""},
	{"[1, …rest]", 1, 5, "… (U+2026, horizontal ellipsis) means nothing in JavaScript; write ...", ""},
	{"a ≤ b", 1, 3, "write <=", ""},
	{"x → x", 1, 3, "write =>", ""},
	{"const a\u200b = 1", 1, 8, "U+200B (zero width space); delete it", ""},
	{"\u2060f()", 1, 1, "U+2060 (word joiner)", ""},
	{"const a = 1\x00;", 1, 12, "NUL character (U+0000)", ""},
	{"a \x1b b", 1, 3, "control character (U+001B)", ""},
	{"a \ufffd b", 1, 3, "replacement character (U+FFFD)", ""},
	{"a \U0001F389 b", 1, 3, "\U0001F389 (U+1F389) can stand in strings and comments only", ""},
	{"a\U0001F389b ‘", 1, 2, "(U+1F389)", ""},
	{"'\U0001F389'; ‘", 1, 7, "U+2018", ""},
	{"f(1) # comment", 1, 6, "use //", ""},
	{"# comment\nf()", 1, 1, "use //", ""},
	{"#!/bin/node\n#!/bin/node", 2, 1, "the first one of the text", ""},
	// Escapes and entities.
	{`const a = 1;\nreturn a`, 1, 13, "send real line breaks", ""},
	{`const a = \"x\"`, 1, 11, `send " as it is`, ""},
	{"a + \\\nb", 1, 5, `needs no \`, ""},
	{"if (a &lt; b) { }", 1, 10, "&lt; is HTML's way to write <", "&lt;"},
	{"if (a &amp;&amp; b) { }", 1, 11, "&amp; is HTML's way to write &", "&amp;"},
	{"f(&quot;a&quot;)", 1, 3, "&quot; is HTML's way", "&quot;"},
	// Strings, templates, comments, regular expressions.
	{"const s = 'it's'", 1, 15, "the string ended at the ' before this", ""},
	{"const s = `a ` + `b`c`", 1, 21, "the string ended at the ` before this", ""},
	{"const s = \"abc\nd\"", 1, 11, "the string isn't closed in its line: add \"", ""},
	{`const s = "C:\dir\";`, 1, 11, "the string isn't closed", ""},
	{"const s = `abc", 1, 11, "a ` is missing", ""},
	{"f(); /* abc", 1, 6, "*/ is missing", ""},
	{"const r = /abc", 1, 11, "isn't closed in its line", ""},
	{"const s = \"\"\"x\ny\"\"\"", 1, 13, "triple quotes are Python's", ""},
	// Brackets.
	{"function f() {\n  if (a) {\n    b();\n\n  return 1;\n}", 6, 2, "the { at 2:10 is not closed", "{"},
	{"function f() {\n  g(function() {\n    h();\n  });", 4, 6, "the { at 1:14 is not closed", "{"},
	{"const a = (1 + 2", 1, 17, "the ( at 1:11 is not closed", "("},
	{"const {a, b", 1, 12, "the { at 1:7 is not closed", "{"},
	{"const x = `${f(`${a}`}`", 1, 22, "the ( at 1:15 is not closed", "("},
	{"const x = `${a", 1, 15, "the ${ at 1:12 is not closed", "$"},
	{"f(1\nconst a = 2", 2, 1, "the ( at 1:2 is not closed", "("},
	{"f({a: 1, b: 2)", 1, 14, "the { at 1:3 is not closed before this )", "{"},
	{"(a]", 1, 3, "the ( at 1:1 is not closed before this ]", "("},
	{"const a = [1, 2\nconst b = 3", 2, 1, "the [ at 1:11 is not closed", "["},
	{"f(/[)]/, \"(\", `)${'('}`", 1, 24, "the ( at 1:2 is not closed", "("},
	{"if (x) {\n  y()\nelse {\n  z()\n}", 3, 1, "the { at 1:8 is not closed before this else", "{"},
	{"if (a && (b) {\n}", 1, 14, "the ( at 1:4 is not closed before this {", "("},
	{"f((a, b => 1)\ng()", 2, 1, "the ( at 1:2 is not closed", "("},
	{"const f = (a, (b) => 1", 1, 23, "the ( at 1:11 is not closed", "("},
	{"if (a) {\n  if (b) {\n    c();\n} else {\n  d();\n}\n", 7, 1, "the { at 2:10 is not closed", "{"},
	{"f({\n  a: 1,\n  b: {\n    c: 2,\n});", 5, 2, "the { at 3:6 is not closed before this )", "{"},
	{"g(() => {\n  if (a) {\n    b();\n});\n", 4, 2, "the { at 2:10 is not closed before this )", "{"},
	{"class A {\n  m() {\n    if (a) {\n  }\n}\nconst l = 1;", 6, 7, "the { at 3:12 is not closed before this", "{"},
	{"function f() {\n  g();\n\nexport const x = 1;", 4, 1, "the { at 1:14 is not closed before this", "{"},
	{"g(a, f(1)\nh(2)", 2, 1, "the ( at 1:2 is not closed", "("},
	{"const x = `a ${f(b)`;", 1, 20, "the ${ at 1:14 is not closed", "$"},
	{"f() }", 1, 5, "nothing opens this }", ""},
	{"f(1))", 1, 5, "nothing opens this )", ""},
	// Commas.
	{"f(a b)", 1, 5, "a comma is missing before this, or the ) for the ( at 1:2", "("},
	{"const o = {\n  a: 1\n  b: 2\n}", 3, 3, "a comma is missing at the end of line 2", "1"},
	{"const l = [\n  \"a\"\n  \"b\"\n]", 3, 3, "a comma is missing at the end of line 2", "\""},
	{"f(\n  1\n  2)", 3, 3, "a comma is missing at the end of line 2", "1"},
	{"const a = {\"a\": 1, \"b\" 2}", 1, 24, "a : is missing", ""},
	{"let s = \"a\" \"b\"", 1, 13, "a comma or an operator is missing", ""},
	// JSX and placeholders.
	{"return <div>hello</div>", 1, 8, "plain objects instead of elements", ""},
	{"return <Foo.Bar a=\"x\">{x}</Foo.Bar>", 1, 8, "plain objects instead of elements", ""},
	{"const x = <><p/></>", 1, 11, "plain objects instead of elements", ""},
	{"const k = <YOUR_API_KEY>;", 1, 11, "placeholder <YOUR_API_KEY>", ""},
	{"const k = {{name}};", 1, 12, "placeholder {{name}}", ""},
	{"function f() {\n  ...\n}", 2, 3, "write the code", ""},
	{"const a = [1, 2, ...]", 1, 21, "... needs a value to spread", ""},
	{"const a = { ... }", 1, 17, "... needs a value to spread", ""},
	// Pasted along.
	{"<<<<<<< HEAD\nf()\n=======", 1, 1, "merge conflict", ""},
	{">>> x = 1", 1, 1, "prompt >>>", ""},
	{"+ const a = 1\n+ const b = 2\n- const c = 3", 1, 3, "marks + and - of a diff", ""},
	{" const z = 1\n-const a = 1\n+const b = 2", 2, 2, "marks + and - of a diff", ""},
	{"@@ -1,2 +1,2 @@\n-a\n+b", 1, 2, "this is a diff", ""},
	{"1 | const a = 1\n2 | return a", 1, 5, "line numbers", ""},
	{"10: const a = 1\n11: return a", 1, 3, "line numbers", ""},
	{"  1\tconst a = 1\n  2\treturn a", 1, 5, "line numbers", ""},
	{"<code>\nconst a = 1\n</code>\n", 1, 1, "without <code> and </code>", ""},
	{"<script>f()</script>", 1, 1, "without <script> and </script>", ""},
	{"f();\n</code>", 2, 1, "without the tag </code>", ""},
	{"return f()\n</function_calls>", 2, 2, "without the tag </function_calls>", ""},
	{"<!DOCTYPE html>\n<p>", 1, 1, "without the document", ""},
	// Other languages.
	{"def f(x):\n    return x", 1, 5, "write function name(a, b) { … }", ""},
	{"if x > 1:\n    y = 2", 1, 4, "this is Python's", ""},
	{"for x in items:\n    print(x)", 1, 5, "for (const item of list)", ""},
	{"if (a) { b() } elif (c) { d() }", 1, 25, "write else if", ""},
	{"print \"x\"", 1, 7, "console.log", ""},
	{"const f = lambda x: x + 1", 1, 18, "lambda is Python's", ""},
	{"const y = not x", 1, 15, "write ! instead of not", ""},
	{"if (a and b) { }", 1, 7, "write && instead of and", ""},
	{"const x = 5 if y else 3", 1, 13, "condition ? a : b", ""},
	{"const s = f\"hello {x}\"", 1, 12, "write a template", ""},
	{"const a = [x for x in y]", 1, 14, "list.map", ""},
	{"from x import y", 1, 6, "Python's import", ""},
	{"let mut x = 5", 1, 9, "without mut", ""},
	{"fn main() { }", 1, 4, "fn is Rust's", ""},
	{"println!(\"a\")", 1, 8, "macros are Rust's", ""},
	{"func main() { }", 1, 6, "func is Go's", ""},
	{"x := 5", 1, 4, "there is no :=", ""},
	{"int x = 5;", 1, 5, "let or const", ""},
	{"function f(int a) { }", 1, 16, "their names", ""},
	{"try { f() } catch (Exception e) { }", 1, 30, "catch (e)", ""},
	{"x->y", 1, 3, "there is no ->", ""},
	{"std::cout", 1, 5, "there is no ::", ""},
	{"if (a =< b) { }", 1, 8, "write <=", ""},
	{"for (i in 1..10) { }", 1, 13, "no ranges", ""},
	{"SELECT * FROM x", 1, 15, "SQL", ""},
	// JavaScript in the wrong place.
	{"items.forEach(x => { await f(x) })", 1, 22, "write async in front of the function", ""},
	{"function f() { import x from \"y\" }", 1, 16, "top of the file", ""},
	{"function f() { export const x = 1 }", 1, 16, "top of a module", ""},
	{"list.forEach(x => { if (x) break })", 1, 28, "inside of a loop", ""},
	{"const class = 1", 1, 7, "class is a reserved word", ""},
	{"let x = 1; x++; let x = 2", 1, 21, "x is declared at 1:5 already", "x"},
	{"if x > 1 { }", 1, 4, "if needs parentheses", ""},
	{"while true { }", 1, 7, "while needs parentheses", ""},
	{"class A { function foo() {} }", 1, 20, "without function", ""},
	{"class A { const x = 1 }", 1, 17, "without const", ""},
	{"const f = () => { a: 1, b: 2 }", 1, 26, "=> ({ … })", "{"},
	{"class extends B {}", 1, 7, "give the class a name", ""},
	{"function f() { for await (const x of y) {} }", 1, 20, "write async", ""},
	{"const o = {a = 1}", 1, 14, "write : between", ""},
	{"const x", 1, 7, "write let", ""},
	{"x ?? y || z", 1, 8, "parentheses", ""},
	{"console.log \"x\"", 1, 13, "needs parentheses", ""},
}

func TestHints(t *testing.T) {
	for _, tt := range hints {
		_, err := syntax.ParseExpressionOrBody("a.js", tt.src, syntax.Options{Strict: true})
		var e *syntax.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", tt.src, err)
			continue
		}
		if e.Line != tt.line || e.Column != tt.column || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%q\n\t%s at %d:%d, hint %q\n\twant %d:%d, hint %q", tt.src, e.Message, e.Line, e.Column, e.Hint, tt.line, tt.column, tt.hint)
		}
		if got := tt.src[e.Related.Start:e.Related.End]; got != tt.related {
			t.Errorf("%q: the related place is %q, want %q", tt.src, got, tt.related)
		}
	}
}

// TestHintsTypeScript: the same for texts read as TypeScript.
func TestHintsTypeScript(t *testing.T) {
	for _, tt := range []struct {
		src, message string
		line, column int
		hint         string
	}{
		{"const x: number = 1\nreturn <div>hello</div>", "JSX isn't supported", 2, 8, "plain objects"},
		{"const el = <Foo bar={1} />;", "JSX isn't supported", 1, 12, "plain objects"},
		{"const el = <Foo bar={1}>text</Foo>;", "JSX isn't supported", 1, 12, "plain objects"},
		{"const x = <any>y; return <>{x}</>", "JSX isn't supported", 1, 26, "plain objects"},
		{"const f = <T>(x: T) => x; f(1 2)", "missing ) after argument list", 1, 31, "a comma is missing"},
		{"const s: string = ‘a’", "Invalid or unexpected token", 1, 19, "U+2018"},
		{"function f(a: number { }", "Unexpected token '{'", 1, 22, ""},
	} {
		_, err := syntax.ParseExpressionOrBody("a.ts", tt.src, syntax.Options{Strict: true, TypeScript: true})
		var e *syntax.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", tt.src, err)
			continue
		}
		if e.Message != tt.message || e.Line != tt.line || e.Column != tt.column || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%q\n\t%s at %d:%d, hint %q", tt.src, e.Message, e.Line, e.Column, e.Hint)
		}
	}
}

// TestSourceForms: what programs look like when they come from elsewhere, and
// parse all the same.
func TestSourceForms(t *testing.T) {
	for _, tt := range []struct{ name, src string }{
		{"byte order mark", "\ufeffreturn 1"},
		{"hashbang", "#!/usr/bin/env node\nreturn 1"},
		{"byte order mark and hashbang", "\ufeff#!/usr/bin/env node\r\nreturn 1"},
		{"CRLF", "const a = 1\r\nreturn a\r\n"},
		{"CR alone", "const a = 1 // x\rreturn a\r"},
		{"line separators", "const a = 1 // x\u2028return a\u2029"},
		{"line separators in strings", "return 'a\u2028b' + \"\u2029\""},
		{"no-break spaces", "const\u00a0a\u00a0=\u00a01\nreturn\u00a0a"},
		{"other spaces", "const\u2003a =\u3000\u202f1\nreturn a"},
		{"comments of HTML in strings", "return '<!-- a -->' + `<!-- b -->`"},
		{"comments of HTML", "let a = 1 <!-- x\n--> y\nreturn a"},
		{"smart quotes in strings", "return '‘’“”…–' + /‘/ // “"},
		{"entities in strings", "return '&lt;' + a & lt"},
		{"fences in strings", "return '```js' + `\\`\\`\\`\n\\`\\`\\``"},
		{"zero width characters in strings", "return 'a\u200bb'"},
		{"NUL in strings", "return 'a\x00b'"},
		{"form feeds and vertical tabs", "return\f1\v+ 2"},
		{"semicolons", ";;return 1;;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := syntax.ParseExpressionOrBody("a.js", tt.src, syntax.Options{}); err != nil {
				t.Error(err)
			}
			if _, err := syntax.ParseExpressionOrBody("a.ts", tt.src, syntax.Options{TypeScript: true}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLinePositions: places in texts with all kinds of line ends, and far out in
// a long line.
func TestLinePositions(t *testing.T) {
	long := strings.Repeat("a=1;", 1<<18)
	for _, tt := range []struct {
		name, src    string
		line, column int
	}{
		{"LF", "a\n\n !;", 3, 3},
		{"CRLF", "a\r\n\r\n !;", 3, 3},
		{"CR", "a\r\r !;", 3, 3},
		{"separators", "a\u2028\u2029 !;", 3, 3},
		{"mixed", "a\r\n\n\r !;", 4, 3},
		{"in a comment", "/*\r\n\u2028*/ !;", 3, 5},
		{"in a template", "`\r\n\r`; !;", 3, 5},
		{"after wide characters", "'\U0001F600é'; !;", 1, 9},
		{"byte order mark", "\ufeff!;", 1, 3},
		{"a mebibyte in one line", long + "!;", 1, len(long) + 2},
		{"a mebibyte of a string", "'" + long + "'+;", 1, len(long) + 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := syntax.ParseExpressionOrBody("a.js", tt.src, syntax.Options{})
			var e *syntax.SyntaxError
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			if e.Line != tt.line || e.Column != tt.column {
				t.Errorf("%s at %d:%d, want %d:%d", e.Message, e.Line, e.Column, tt.line, tt.column)
			}
		})
	}
}

// TestHintsOfLongTexts: hints are found in time linear in the text; were one of
// these quadratic, the test would not end.
func TestHintsOfLongTexts(t *testing.T) {
	const n = 1 << 15
	for _, tt := range []struct{ name, src string }{
		{"fences in a line", strings.Repeat("a``` ", n) + "!"},
		{"spaces before fences", "x" + strings.Repeat("   ```", n) + "!"},
		{"quotes", "'" + strings.Repeat("”’", n)},
		{"open brackets", strings.Repeat("[", 900) + strings.Repeat("a,", n)},
		{"lines of a diff", strings.Repeat("+ const\n", n)},
		{"long lines of a diff", strings.Repeat("+ 'const"+strings.Repeat(" ", n)+"'\n", 20) + "+ const"},
		{"declarations", strings.Repeat("let\na;", n)},
		{"regular expressions", strings.Repeat("/a[/]/.b(", 300) + strings.Repeat("/a[/]/,", n)},
		{"holes", strings.Repeat("`${a}`;", n) + "!"},
		{"comments", strings.Repeat("/**/", n) + "("},
		{"one line", "f(" + strings.Repeat("1,", n) + "1 2)"},
		{"elements", strings.Repeat("<any>a;", n) + "<p>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, ts := range []bool{false, true} {
				if _, err := syntax.ParseExpressionOrBody("a.js", tt.src, syntax.Options{TypeScript: ts}); err == nil {
					t.Error("it parses")
				}
			}
		})
	}
}
