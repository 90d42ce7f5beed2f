package transpile_test

import (
	"bytes"
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
)

// properties holds for every source: the same one is the same program, which
// reads back as itself; a refusal names a place in the source and a remedy.
func properties(t *testing.T, src string, opt transpile.Options) {
	t.Helper()
	one, err := transpile.Transpile(src, opt)
	two, err2 := transpile.Transpile(src, opt)
	if err != nil {
		var e *transpile.Error
		if !errors.As(err, &e) {
			t.Fatalf("%q: %v", src, err)
		}
		if err2 == nil || err.Error() != err2.Error() {
			t.Fatalf("%q: %v, then %v", src, err, err2)
		}
		if e.Fix == "" || e.Line < 1 || e.Line > 1+strings.Count(src, "\n")+strings.Count(src, "\r")+strings.Count(src, "\u2028")+strings.Count(src, "\u2029") || e.Column < 0 || e.Column > len(src) {
			t.Fatalf("%q: %+v", src, e)
		}
		return
	}
	a, err := one.Program.AppendJSON(nil, true)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	if b, _ := two.Program.AppendJSON(nil, true); !bytes.Equal(a, b) {
		t.Fatalf("%q: two programs", src)
	}
	back, err := ast.Decode(a, ast.Options{Limits: ast.Limits{MaxBytes: 1 << 30, MaxNodes: 1 << 30}})
	if err != nil {
		t.Fatalf("%q: %v\n%s", src, err, a)
	}
	if b, err := back.AppendJSON(nil, true); err != nil || !bytes.Equal(a, b) {
		t.Fatalf("%q: %v\n%s\n%s", src, err, a, b)
	}
	s1, err := one.Signature.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if s2, _ := two.Signature.MarshalJSON(); !bytes.Equal(s1, s2) {
		t.Fatalf("%q: two signatures", src)
	}
}

// TestProperties checks them on the cases, the mistakes and on what comes of
// both by cutting and joining.
func TestProperties(t *testing.T) {
	var all []string
	for _, c := range cases(t).Cases {
		all = append(all, c.Source)
	}
	for _, m := range mistakes {
		if len(m) < 500 {
			all = append(all, wrap(m))
		}
	}
	r := rand.New(rand.NewSource(1))
	for i := 0; i < 3000; i++ {
		a, b := all[r.Intn(len(all))], all[r.Intn(len(all))]
		src := a
		switch r.Intn(4) {
		case 0:
			k := r.Intn(len(a) + 1)
			src = a[:k] + b[min(len(b), k):]
		case 1:
			k, n := r.Intn(len(a)+1), r.Intn(8)
			src = a[:k] + a[min(len(a), k+n):]
		case 2:
			toks := []string{"?.", "=>", "...", "await ", "`${", "}", "(", "[", " = ", ": ", "? ", "|", "\u2028", "😀", "\\u0061", "#", "async ", "...a"}
			k := r.Intn(len(a) + 1)
			src = a[:k] + toks[r.Intn(len(toks))] + a[k:]
		}
		properties(t, src, transpile.Options{})
		properties(t, src, transpile.Options{Original: true, Atoms: hostAtoms()})
	}
}

// TestLargeSources: time and memory go with the size of the source, and depth
// is bounded.
func TestLargeSources(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct {
		name, src string
		ok        bool
	}{
		{"calls in calls", "function f({ a }) { return { r: " + rep("h(", 300) + "a" + rep(")", 300) + " } }\nfunction z(){}", false},
		{"nested lifts", "function h(x) { return x }\nfunction f({ a }) { return { r: " + rep("h(", 300) + "a" + rep(")", 300) + " } }", true},
		{"nested callbacks", "function f({ a }) { return { r: " + rep("a.map(x => ", 150) + "a" + rep(")", 150) + " } }", true},
		{"nested searches", "function f({ a }) { return { r: " + rep("a.some((x, i) => ", 120) + "a" + rep(")", 120) + " } }", true},
		{"nested conditions", "function f({ a }) { " + rep("while (a.some(x => x)) { ", 150) + rep("}", 150) + " return {} }", true},
		{"a long chain", "function f({ a }) { return { r: a" + rep(".map(x => x)", 3000) + " } }", true},
		{"a long sum", "function f({ a }) { return { r: a" + rep(" + a", 3000) + " } }", true},
		{"a longer sum", "function f({ a }) { return { r: a" + rep(" + a", 15000) + " } }", false},
		{"a long logical", "function h(x) { return x }\nfunction f({ a }) { return { r: a" + rep(" && h(a)", 1500) + " } }", true},
		{"a long union", "function f({ a: 1" + rep(" | 1", 10000) + " }) { return { a } }", true},
		{"a long or", "function f({ a: 1" + rep(" || 1", 10000) + " }) { return { a } }", true},
		{"many statements", "function f({ a }) {" + rep("a = a + 1\n", 20000) + "return {} }", true},
		{"many helpers", rep("", 0) + manyHelpers(3000) + "function f({ a }) { const r = h2999(a)\n return { r } }", true},
		{"nested ifs", "function f({ a }) { " + rep("if (a) { ", 450) + rep("}", 450) + " return {} }", true},
		{"else ifs", "function f({ a }) { if (a) {} " + rep("else if (a) {} ", 400) + " return {} }", true},
		{"nested examples", "function f({ a: " + rep("[", 900) + rep("]", 900) + " }) { return { a } }", true},
		{"many regexes", "function f({ a }) { const r = [" + manyRegexes(2000) + "]\n return {} }", false},
	} {
		res, err := transpile.Transpile(c.src, transpile.Options{})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err != nil {
			continue
		}
		text, err := res.Program.MarshalJSON()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n := len(text); n > 2000*len(c.src)/10 {
			t.Errorf("%s: %d bytes of source become %d", c.name, len(c.src), n)
		}
		if _, err := ast.Decode(text, ast.Options{Limits: ast.Limits{MaxBytes: 1 << 30, MaxNodes: 1 << 30}}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func manyHelpers(n int) string {
	var b strings.Builder
	b.WriteString("function h0(x) { return x }\n")
	for i := 1; i < n; i++ {
		b.WriteString("function h" + itoa(i) + "(x) { const r = h" + itoa(i-1) + "(x)\n return r }\n")
	}
	return b.String()
}

func manyRegexes(n int) string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		b.WriteString("/(a|b){2000}" + itoa(i) + "/,")
	}
	return b.String()
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

func TestOptions(t *testing.T) {
	stop := errors.New("stop")
	src := "function f({ a }) {" + strings.Repeat("a = a + 1\n", 5000) + "return {} }"
	if _, err := transpile.Transpile(src, transpile.Options{Check: func(int) error { return stop }}); err != stop {
		t.Errorf("got %v", err)
	}
	_, err := transpile.Transpile("function f() {\n  throw 1 }", transpile.Options{Filename: "agent.ajs"})
	if err == nil || err.Error() != "'throw' is not supported in AsyncJS. Use Error('message') to trigger error flow at agent.ajs:2:2" {
		t.Errorf("got %v", err)
	}
	res, err := transpile.Transpile("function f({ a }) { a + 1\n return {} }", transpile.Options{})
	if err != nil || len(res.Warnings) != 1 || res.Warnings[0] != (transpile.Warning{Message: "Expression statement has no effect", Line: 1, Column: 20}) {
		t.Errorf("%v %v", res, err)
	}
	if _, err := transpile.Transpile("#!/usr/bin/env ajs\n// c\nfunction f() { return { a: 1 } }", transpile.Options{}); err != nil {
		t.Error(err)
	}
	if _, err := transpile.Transpile("function f() { return 1 }", transpile.Options{AnyResult: true}); err != nil {
		t.Error(err)
	}
}

func TestEval(t *testing.T) {
	for _, c := range []struct {
		code  string
		names []string
		all   bool
		want  string
	}{
		{"1 + 2", nil, false, `[{"op":"varSet","key":"__returnVal__","value":{"$expr":"binary","op":"+","left":{"$expr":"literal","value":1},"right":{"$expr":"literal","value":2}}},{"op":"return","value":{"__result":{"$expr":"ident","name":"__returnVal__"}}}]`},
		{"\"just a string\"", nil, false, `[{"op":"return","value":{"__result":"just a string"}}]`},
		{"a", []string{"a", "b", "Math", "constructor"}, false, `[{"op":"varsImport","keys":["a"]},{"op":"return","value":{"__result":{"$expr":"ident","name":"a"}}}]`},
		{"return 1", []string{"a"}, true, `[{"op":"varsImport","keys":["a"]},{"op":"return","value":{"__result":1}}]`},
		{"{ ok: true }", nil, false, `[{"op":"return","value":{"__result":{"ok":true}}}]`},
		{"let t = 0\nfor (const x of [1]) { t = t + x }\nreturn t", nil, false, `{"__result":{"$expr":"ident","name":"t"}}`},
		{"return [1].map(x => { return x })", nil, false, `[{"op":"map","items":[1],"as":"x","steps":[{"op":"return","value":{"$expr":"ident","name":"x"}}],"result":"__returnVal__"},{"op":"return","value":{"__result":{"$expr":"ident","name":"__returnVal__"}}}]`},
	} {
		res, err := transpile.Eval(c.code, c.names, c.all, transpile.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		text, _ := res.Program.MarshalJSON()
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %s", c.code, text)
		}
	}
	var e *transpile.Error
	if _, err := transpile.Eval("nope(", nil, false, transpile.Options{}); !errors.As(err, &e) || e.Code != transpile.CodeSyntax {
		t.Errorf("got %v", err)
	}
}
