package hostile

import (
	"fmt"
	"strings"
)

// A Shape is source text that nests as deep as one likes: Open n times, Mid,
// Close n times.
type Shape struct {
	Name, Open, Mid, Close string
	TypeScript             bool
}

// Make nests the shape n deep.
func (s Shape) Make(n int) string {
	return strings.Repeat(s.Open, n) + s.Mid + strings.Repeat(s.Close, n)
}

// Shapes are all the ways in which source text nests.
var Shapes = []Shape{
	{Name: "arrow-defaults", Open: "(a=", Mid: "1", Close: ")=>1"},
	{Name: "arrow-defaults-open", Open: "(a=", Mid: "1"},
	{Name: "arrow-patterns", Open: "([a=", Mid: "1", Close: "])=>1"},
	{Name: "arrow-objects", Open: "({a=", Mid: "1", Close: "})=>1"},
	{Name: "async-arrows", Open: "async(a=", Mid: "1", Close: ")=>1"},
	{Name: "blocks", Open: "{", Mid: "", Close: "}"},
	{Name: "blocks-open", Open: "{"},
	{Name: "arrows", Open: "a=>", Mid: "1"},
	{Name: "arrow-bodies", Open: "()=>{", Mid: "1", Close: "}"},
	{Name: "parens", Open: "(", Mid: "1", Close: ")"},
	{Name: "parens-open", Open: "("},
	{Name: "arrays", Open: "[", Mid: "1", Close: "]"},
	{Name: "arrays-open", Open: "["},
	{Name: "array-patterns", Open: "[a=[", Mid: "1", Close: "]]"},
	{Name: "objects", Open: "({a:", Mid: "1", Close: "})"},
	{Name: "functions", Open: "(function(){", Mid: "", Close: "})"},
	{Name: "classes", Open: "(class{a=", Mid: "1", Close: "})"},
	{Name: "class-extends", Open: "(class extends ", Mid: "x", Close: "{})"},
	{Name: "class-keys", Open: "(class{[", Mid: "1", Close: "]=1})"},
	{Name: "unary", Open: "!", Mid: "1"},
	{Name: "minus", Open: "- ", Mid: "1"},
	{Name: "typeof", Open: "typeof ", Mid: "1"},
	{Name: "new", Open: "new ", Mid: "x"},
	{Name: "await", Open: "await ", Mid: "x"},
	{Name: "ternary", Open: "1?1:", Mid: "1"},
	{Name: "ternary-left", Open: "1?", Mid: "1", Close: ":1"},
	{Name: "plus", Open: "1+", Mid: "1"},
	{Name: "power", Open: "1**", Mid: "1"},
	{Name: "coalesce", Open: "1??", Mid: "1"},
	{Name: "comma", Open: "1,", Mid: "1"},
	{Name: "assign", Open: "a=", Mid: "1"},
	{Name: "member", Open: "", Mid: "a", Close: ".a"},
	{Name: "index", Open: "", Mid: "a", Close: "[a]"},
	{Name: "index-in", Open: "a[", Mid: "1", Close: "]"},
	{Name: "call", Open: "", Mid: "(()=>{})", Close: "()"},
	{Name: "call-in", Open: "String(", Mid: "1", Close: ")"},
	{Name: "optional", Open: "", Mid: "globalThis", Close: "?.a"},
	{Name: "templates", Open: "`${", Mid: "1", Close: "}`"},
	{Name: "tagged", Open: "", Mid: "a", Close: "``"},
	{Name: "if", Open: "if(1)", Mid: ";"},
	{Name: "else", Open: "if(0);else ", Mid: ";"},
	{Name: "for", Open: "for(;0;)", Mid: ";"},
	{Name: "for-of", Open: "for(x of [])", Mid: ";"},
	{Name: "while", Open: "while(0)", Mid: ";"},
	{Name: "do", Open: "do ", Mid: ";", Close: " while(0)\n"},
	{Name: "label", Open: "a", Mid: ":", Close: "1"},
	{Name: "try", Open: "try{", Mid: "", Close: "}finally{}"},
	{Name: "switch", Open: "switch(1){case 1:", Mid: "", Close: "}"},
	{Name: "with", Open: "with(a)", Mid: ";"},
	{Name: "yield", Open: "function*g(){yield ", Mid: "1", Close: "}"},
	{Name: "let-patterns", Open: "", Mid: "let [", Close: "["},
	{Name: "regex-groups", Open: "/(/;", Mid: "1"},
	{Name: "labels", Open: "x:{", Mid: "", Close: "}"},
	{Name: "ts-generics", Open: "a<", Mid: "b", Close: ">", TypeScript: true},
	{Name: "ts-generics-open", Open: "<", TypeScript: true},
	{Name: "ts-types", Open: "type a=Array<", Mid: "b", Close: ">", TypeScript: true},
	{Name: "ts-arrow", Open: "<T>(", Mid: "a", Close: ")=>1", TypeScript: true},
	{Name: "ts-conditional", Open: "type A=B extends C?", Mid: "D", Close: ":E", TypeScript: true},
	{Name: "ts-paren", Open: "let x:(", Mid: "A", Close: ")", TypeScript: true},
	{Name: "ts-fn", Open: "let x:(a:", Mid: "A", Close: ")=>B", TypeScript: true},
	{Name: "ts-as", Open: "", Mid: "1", Close: " as any", TypeScript: true},
	{Name: "ts-array", Open: "let x:", Mid: "A", Close: "[]", TypeScript: true},
	{Name: "ts-object", Open: "type A={a:", Mid: "B", Close: "}", TypeScript: true},
	{Name: "ts-cast", Open: "<any>", Mid: "1", TypeScript: true},
	{Name: "ts-nonnull", Open: "", Mid: "a", Close: "!", TypeScript: true},
	{Name: "ts-namespace", Open: "namespace A{", Mid: "", Close: "}", TypeScript: true},
	{Name: "ts-cond-arrow", Open: "a?(b):", Mid: "c", Close: "=>1", TypeScript: true},
}

// Long are texts that don't nest but have invited quadratic work: open and close
// once, mid as often as one likes.
var Long = []Shape{
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

// Named are the same with a name of its own in each mid, which every table has to
// hold: mid is a format for a number.
var Named = []Shape{
	{Name: "var v%d;", Mid: "var v%d;"},
	{Name: "let l%d;", Mid: "let l%d;"},
	{Name: "function f%d(){}", Mid: "function f%d(){}"},
	{Name: "x.p%d=1;", Mid: "x.p%d=1;"},
	{Name: "({p%[1]d:1});", Mid: "({p%[1]d:1});"},
	{Name: "class C%d{}", Mid: "class C%d{}"},
	{Name: "l%d:;", Mid: "l%d:;"},
	{Name: "g%d();", Mid: "g%d();"},
	{Name: "{let a%d;}", Mid: "{let a%d;}"},
	{Name: "'s%d';", Mid: "'s%d';"},
	{Name: "%d.5;", Mid: "%d.5;"},
	{Name: "(a%d)=>1;", Mid: "(a%d)=>1;"},
	{Name: "/r%d/;", Mid: "/r%d/;"},
	{Name: "function f(){var v%d;", Open: "function f(){", Mid: "var v%d;", Close: "}"},
	{Name: "function f(){let v%d;", Open: "function f(){", Mid: "let v%d;", Close: "}"},
	{Name: "function f(){function g%d(){}", Open: "function f(){", Mid: "function g%d(){}", Close: "}"},
	{Name: "({p%d:1,", Open: "({", Mid: "p%d:1,", Close: "})"},
	{Name: "class A{#p%d;", Open: "class A{", Mid: "#p%d;", Close: "}"},
	{Name: "class A{m%d(){}", Open: "class A{", Mid: "m%d(){}", Close: "}"},
	{Name: "function f(){ eval('');let v%d;", Open: "function f(){ eval('');", Mid: "let v%d;", Close: "}"},
	{Name: "with(a){v%d;", Open: "with(a){", Mid: "v%d;", Close: "}"},
	{Name: "switch(a){case %d:;", Open: "switch(a){", Mid: "case %d:;", Close: "}"},
	{Name: "`${a%d}", Open: "`", Mid: "${a%d}", Close: "`"},
	{Name: "function f(a%d,", Open: "function f(", Mid: "a%d,", Close: "b){}"},
	{Name: "/(?<n%d>a)", Open: "/", Mid: "(?<n%d>a)", Close: "/"},
	{Name: "function f(){let v%[1]d=()=>v%[1]d;", Open: "function f(){", Mid: "let v%[1]d=()=>v%[1]d;", Close: "}"},
}

// Repeat makes a Long text, or one of Named, with n mids.
func (s Shape) Repeat(n int) string {
	if !strings.Contains(s.Mid, "%") {
		return s.Open + strings.Repeat(s.Mid, n) + s.Close
	}
	var b strings.Builder
	b.WriteString(s.Open)
	for i := range n {
		fmt.Fprintf(&b, s.Mid, i)
	}
	b.WriteString(s.Close)
	return b.String()
}
