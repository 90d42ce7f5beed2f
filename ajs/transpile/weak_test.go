package transpile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
)

// TestWeakPoints is the part of section 26 (and of the "improve" notes of
// section 2) that is decided when a source is read: row by row, what the
// original does and what happens here.
func TestWeakPoints(t *testing.T) {
	for _, c := range []struct {
		row    string // the row, and what the original does
		source string
		code   transpile.Code // refused with this code, or
		holds  string         // compiled to a program that holds this
	}{
		{"2 an atom call in an expression fails when it runs", "{ return { r: llmPredict({ prompt: 'x' }).trim() } }", "", `"op":"llmPredict","prompt":"x","result":"#1"`},
		{"2 a helper call in an expression is refused", "{ return { r: h(a) + 1 } }", "", `"op":"callLocal"`},
		{"2 a chain of callbacks is refused", "{ return { r: a.map(x => x).filter(x => x) } }", "", `"op":"filter"`},
		{"2 a short circuit is honoured", "{ return { r: a && storeGet({ key: 'k' }) } }", "", `"then":[{"op":"storeGet"`},
		{"3 | compiles and fails when it runs", "{ return { r: a | 1 } }", transpile.CodeOperator, ""},
		{"3 & compiles and fails when it runs", "{ return { r: a & 1 } }", transpile.CodeOperator, ""},
		{"3 in compiles and fails when it runs", "{ return { r: 'x' in a } }", transpile.CodeOperator, ""},
		{"3 instanceof compiles and fails when it runs", "{ return { r: a instanceof Set } }", transpile.CodeOperator, ""},
		{"3 ~ compiles and fails when it runs", "{ return { r: ~a } }", transpile.CodeOperator, ""},
		{"3 finally is dropped", "{ try { a = 1 } finally { a = 2 }\n return {} }", transpile.CodeFinally, ""},
		{"3 a computed key becomes the key's name", "{ const k = 'z'\n return { [k]: a } }", "", `"method":"fromEntries"`},
		{"3 o[k]() calls a method named k", "{ const k = 'trim'\n return { r: a[k]() } }", transpile.CodeMethod, ""},
		{"3 a pattern in catch is ignored", "{ try { a = 1 } catch ({ message }) { a = message }\n return {} }", transpile.CodeCatch, ""},
		{"3 the index of a callback is undefined", "{ return { r: a.map((x, i) => i) } }", "", `"key":"i","value":{"$expr":"ident","name":"#`},
		{"3 a pattern as a callback's parameter takes a default name", "{ return { r: a.map(({ id }) => id) } }", "", `"key":"id","value":{"$expr":"member"`},
		{"3 a top-level const is ignored", "const K = 5\nfunction f({ a }) { return { a } }", transpile.CodeTopLevel, ""},
		{"3 yield is dropped", "function* f({ a }) { yield a }", transpile.CodeFunctionKind, ""},
		{"3 delete is dropped", "{ delete a.b\n return { a } }", transpile.CodeOperator, ""},
		{"3 an unknown name is undefined", "{ return { r: nope } }", transpile.CodeName, ""},
		{"3 an assignment to an unknown name makes a variable", "{ nope = 1\n return {} }", transpile.CodeName, ""},
		{"3 a constant is reassigned when it runs", "{ const b = 1\n b = 2\n return {} }", transpile.CodeConst, ""},
		{"3 an unknown atom fails when it runs", "{ frobnicate({})\n return {} }", transpile.CodeAtom, ""},
		{"3 a namespace as a value fails when it runs", "{ const m = Math\n return { m } }", transpile.CodeNotAValue, ""},
		{"3 an unknown method fails when it runs", "{ return { r: a.frob() } }", transpile.CodeMethod, ""},
		{"3 a scalar result fails when it runs", "{ return 42 }", transpile.CodeReturn, ""},
		{"4 the argument of Error is not evaluated", "{ Error('no ' + a)\n return {} }", "", `"op":"Error","args":[{"$expr":"binary"`},
		{"5 console.log does nothing", "{ console.log(a)\n return {} }", "", `"op":"consoleLog","message":{"$expr":"ident","name":"a"}`},
		{"5 console.warn does nothing", "{ console.warn('n', a)\n return {} }", "", `"op":"consoleWarn","message":{"$expr":"methodCall"`},
		{"5 console.error does nothing", "{ console.error('bad')\n return {} }", "", `"op":"consoleError","message":"bad"`},
		{"8 {} is a closed empty object", "function f({ o: {} }) { return { o } }", "", `"o":{"type":"object"}`},
		{"8 nested members may be left out", "function f({ o: { a: 1 } }) { return { o } }", "", `"additionalProperties":false,"minProperties":1`},
		{"8 optional members can't be marked", "function f({ o: { a: 1, b?: 2 } }) { return { o } }", "", `"required":["a"]`},
		{"8 unsigned has no contract", "function f({ n: +1 }) { return { n } }", "", `"n":{"type":"integer","minimum":0}`},
		{"8 a literal union has no contract", "function f({ m: 'a' | 'b' }) { return { m } }", "", `"m":{"enum":["a","b"]}`},
		{"8 nullability is dropped", "function f({ s: '' | null }) { return { s } }", "", `"s":{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"9 helpers have no contracts", "function g(n: 1): 0.5 { return n / 2 }\nfunction f({ a: 1 }) { return { r: g(a) } }", "", `"paramNames":["n"],"inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"number"}`},
		{"17 sort takes no comparator", "{ return { r: a.sort((x, y) => x - y) } }", "", `"method":"splice"`},
		{"17 some", "{ return { r: a.some(x => x > 1) } }", "", `"loop":true`},
		{"17 every", "{ return { r: a.every(x => x > 1) } }", "", `"loop":true`},
		{"17 forEach", "{ let n = 0\n a.forEach(x => { n = n + x })\n return { n } }", "", `"loop":true`},
		{"17 flatMap", "{ return { r: a.flatMap(x => [x, x]) } }", "", `"method":"flat"`},
		{"17 findIndex", "{ return { r: a.findIndex(x => x > 1) } }", "", `"loop":true`},
		{"await is refused", "{ const r = await llmPredict({ prompt: 'x' })\n return { r } }", "", `"op":"llmPredict","prompt":"x","result":"r","resultConst":true`},
		{"a bigint doesn't survive", "{ return { r: 1n } }", transpile.CodeLiteral, ""},
		{"a condition in front of a call is dropped", "{ a && consoleLog({ message: 'x' })\n return {} }", "", `"then":[{"op":"consoleLog"`},
		{"a catch without a name hides a variable named error", "{ let error = 0\n try { a = 1 } catch { error = 1 }\n return { error } }", "", `"catchParam":"#1"`},
	} {
		src := c.source
		if strings.HasPrefix(c.row, "3 delete") || strings.HasPrefix(c.row, "3 finally") || strings.HasPrefix(c.row, "3 a top-level") || strings.HasPrefix(c.row, "3 o[k]") || strings.HasPrefix(c.row, "3 a pattern in catch") || strings.HasPrefix(c.row, "3 yield") {
			// Refused even where the original's reading is asked for.
			if _, err := transpile.Transpile(wrap(src), transpile.Options{Original: true}); err == nil {
				t.Errorf("%s: compiled with Original", c.row)
			}
		}
		if strings.HasPrefix(src, "{") {
			src = "function h(x) { return x }\nfunction f({ a }) " + src
		}
		res, err := transpile.Transpile(src, transpile.Options{Atoms: hostAtoms()})
		if c.code != "" {
			var e *transpile.Error
			if !errors.As(err, &e) || e.Code != c.code {
				t.Errorf("%s: got %v, want %s", c.row, err, c.code)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.row, err)
			continue
		}
		if len(res.Warnings) > 0 {
			t.Errorf("%s: %v", c.row, res.Warnings)
		}
		text, _ := res.Program.MarshalJSON()
		if !strings.Contains(string(text), c.holds) {
			t.Errorf("%s: %s\ndoesn't hold %s", c.row, text, c.holds)
		}
	}
}

// TestPositionsOfSteps is row 6: every step knows its place in the source.
func TestPositionsOfSteps(t *testing.T) {
	res, err := transpile.Transpile("function f({ a }) {\n  const r = a.map(x => {\n    storeSet({ key: 'k', value: x })\n    return x\n  })\n  return { r }\n}", transpile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []ast.Pos
	res.Program.Walk(func(s *ast.Step) { got = append(got, s.Pos) })
	want := []ast.Pos{{Line: 1, Column: 13}, {Line: 2, Column: 8}, {Line: 3, Column: 4}, {Line: 4, Column: 4}, {Line: 6, Column: 2}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("step %d at %v, want %v", i, got[i], want[i])
		}
	}
	text, err := res.Program.AppendJSON(nil, true)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ast.Decode(text, ast.Options{})
	if err != nil || back.Steps[4-2].Pos != want[4] {
		t.Errorf("%v %v", back.Steps[2].Pos, err)
	}
}

// TestDocComments is row 18, and section 3.3.
func TestDocComments(t *testing.T) {
	for _, c := range []struct{ comment, text, param string }{
		{"/** One line. */", "One line.", ""},
		{"/**\n * Two lines\n * of text.\n *\n * Not this.\n * @param {string} a - the a\n */", "Two lines of text.", "the a"},
		{"/**\n * Text.\n * @param a the a\n * @returns nothing\n */", "Text.", "the a"},
		{"/*#\n  # Title\n\n    indented\n  text\n*/\n// a line", "# Title\n\n  indented\ntext", ""},
		{"/* plain */", "", ""},
		{"/** far */\nfunction g() { return 1 }\n", "", ""},
		{"/** not mine */ // x\n", "", ""},
		{"/***/", "", ""},
		{"/** a /* b */", "a /* b", ""},
	} {
		res, err := transpile.Transpile(c.comment+"\nfunction f({ a: '' }) { return { a } }", transpile.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.comment, err)
			continue
		}
		if s := res.Signature; s.Description != c.text || s.Parameters[0].Description != c.param {
			t.Errorf("%s: %q, %q", c.comment, s.Description, s.Parameters[0].Description)
		}
	}
}

// TestTypes is the table of section 3.2.
func TestTypes(t *testing.T) {
	for _, c := range []struct{ example, kind, input, tool string }{
		{"'x'", `{"kind":"string"}`, `{"type":"string"}`, ""},
		{"string", `{"kind":"string"}`, `{"type":"string"}`, ""},
		{"1.5", `{"kind":"number"}`, `{"type":"number"}`, ""},
		{"40.0", `{"kind":"number"}`, `{"type":"number"}`, ""},
		{"-1.5", `{"kind":"number"}`, `{"type":"number"}`, ""},
		{"float", `{"kind":"number"}`, `{"type":"number"}`, ""},
		{"40", `{"kind":"integer"}`, `{"type":"integer"}`, ""},
		{"-2", `{"kind":"integer"}`, `{"type":"integer"}`, ""},
		{"1e3", `{"kind":"integer"}`, `{"type":"integer"}`, ""},
		{"int", `{"kind":"integer"}`, `{"type":"integer"}`, ""},
		{"+1", `{"kind":"non-negative-integer"}`, `{"type":"integer","minimum":0}`, ""},
		{"uint", `{"kind":"non-negative-integer"}`, `{"type":"integer","minimum":0}`, ""},
		{"true", `{"kind":"boolean"}`, `{"type":"boolean"}`, ""},
		{"null", `{"kind":"null"}`, `{}`, `{"type":"null"}`},
		{"any", `{"kind":"any"}`, `{}`, ""},
		{"whatever", `{"kind":"any"}`, `{}`, ""},
		{"[]", `{"kind":"array","items":{"kind":"any"}}`, `{"type":"array","items":{}}`, ""},
		{"[1, 2]", `{"kind":"array","items":{"kind":"integer"}}`, `{"type":"array","items":{"type":"integer"}}`, ""},
		{"['a', 1]", `{"kind":"array","items":{"kind":"union","members":[{"kind":"string"},{"kind":"integer"}]}}`, `{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"integer"}]}}`, `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`},
		{"['a', null]", `{"kind":"array","items":{"kind":"string","nullable":true}}`, `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}}`, ""},
		{"{}", `{"kind":"object","shape":{}}`, `{"type":"object"}`, ""},
		{"{ k: 1, o: { s: '' } }", `{"kind":"object","shape":{"k":{"kind":"integer"},"o":{"kind":"object","shape":{"s":{"kind":"string"}}}}}`,
			`{"type":"object","properties":{"k":{"type":"integer"},"o":{"type":"object","properties":{"s":{"type":"string"}},"additionalProperties":false,"minProperties":1}},"additionalProperties":false,"minProperties":2}`,
			`{"type":"object","properties":{"k":{"type":"integer"},"o":{"type":"object","properties":{"s":{"type":"string"}},"required":["s"]}},"required":["k","o"]}`},
		{"{ k: 1, s?: '' }", `{"kind":"object","shape":{"k":{"kind":"integer"},"s":{"kind":"string"}},"optional":["s"]}`,
			`{"type":"object","properties":{"k":{"type":"integer"},"s":{"type":"string"}},"additionalProperties":false,"required":["k"]}`,
			`{"type":"object","properties":{"k":{"type":"integer"},"s":{"type":"string"}},"required":["k"]}`},
		{"1 | 'a'", `{"kind":"union","members":[{"kind":"integer"},{"kind":"string"}]}`, `{"oneOf":[{"type":"integer"},{"type":"string"}]}`, `{"anyOf":[{"type":"integer"},{"type":"string"}]}`},
		{"1 | 1.5", `{"kind":"literal-union","values":[1,1.5]}`, `{"enum":[1,1.5]}`, ""},
		{"[1] | number", `{"kind":"union","members":[{"kind":"array","items":{"kind":"integer"}},{"kind":"number"}]}`, `{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"number"}]}`, `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"number"}]}`},
		{"int | number", `{"kind":"union","members":[{"kind":"integer"},{"kind":"number"}]}`, `{"anyOf":[{"type":"integer"},{"type":"number"}]}`, ""},
		{"'a' | 'b' | 'a'", `{"kind":"literal-union","values":["a","b"]}`, `{"enum":["a","b"]}`, ""},
		{"'a' | 'b' | null", `{"kind":"literal-union","values":["a","b"],"nullable":true}`, `{"anyOf":[{"enum":["a","b"]},{"type":"null"}]}`, ""},
		{"'' | null", `{"kind":"string","nullable":true}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, ""},
		{"'' || 1", `{"kind":"string"}`, `{"type":"string"}`, ""},
		{"x ?? 1", `{"kind":"integer"}`, `{"type":"integer"}`, ""},
	} {
		res, err := transpile.Transpile("function f({ p: "+c.example+" }) { return { p } }", transpile.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.example, err)
			continue
		}
		typ := res.Signature.Parameters[0].Type
		kind, _ := typ.MarshalJSON()
		in, _ := ast.AppendData(nil, typ.Schema())
		props, _ := res.Signature.ToolSchema().Get("properties")
		p, _ := props.(ast.Object).Get("p")
		tool, _ := ast.AppendData(nil, p)
		if c.tool == "" {
			c.tool = c.input
		}
		if string(kind) != c.kind || string(in) != c.input || string(tool) != c.tool {
			t.Errorf("%s:\n %s\n %s\n %s", c.example, kind, in, tool)
		}
	}
}
