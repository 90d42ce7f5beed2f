package syntax_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js/syntax"
)

func TestExamples(t *testing.T) {
	src := "function f({ a: 'x' | null, b?: { n?: 1, get?: 2 }, c = 2, d }, e?: [1], ...r): { out: 0 } { return { a } }\n" +
		"function g(x) { return x }\nasync function h({ a } = {}): string { return a }"
	prog, err := syntax.Parse("t", src, syntax.Options{Goal: syntax.Module, Examples: true})
	if err != nil {
		t.Fatal(err)
	}
	sig := prog.Body[0].(*syntax.FunctionDeclaration).Func.Examples
	if len(sig.Params) != 3 || len(sig.Params[0].Members) != 4 || sig.Params[2].Other == nil || sig.Return == nil {
		t.Fatalf("%+v", sig)
	}
	m := sig.Params[0].Members
	if m[0].Example == nil || !m[1].Optional || m[2].Default == nil || m[3].Example != nil || src[m[1].Start:m[1].End] != "b?: { n?: 1, get?: 2 }" {
		t.Errorf("%+v", m)
	}
	if o := m[1].Example.(*syntax.ObjectExpression); !o.Properties[0].Optional || !o.Properties[1].Optional {
		t.Error("members are not optional")
	}
	// await stands in every function then.
	src = "function f(x) { await g(); return x.map(y => await h(y)) }"
	if _, err := syntax.Parse("t", src, syntax.Options{Goal: syntax.Module, Examples: true}); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{
		"function f({ a?: 1 }) {}",           // fine with examples only
		"function f(a: 1) { x = { b?: 1 } }", // only in examples
		"function f(a: 1 = 2) {}",
		"function f(a?: ) {}",
		"function f({ a, a: 1 }) {}",
		"function f(): {",
		"function f({ 'a': 1 }) {}",
		"let f = function (a: 1) {}; function (",
	} {
		_, plain := syntax.Parse("t", bad, syntax.Options{Goal: syntax.Module})
		_, with := syntax.Parse("t", bad, syntax.Options{Goal: syntax.Module, Examples: true})
		if plain == nil || with == nil && bad[:16] != "function f({ a?:" {
			t.Errorf("%s: %v, with examples: %v", bad, plain, with)
		}
	}
}
