package hostile

import "strings"

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
