package ast_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// TestRoundTrip reads programs and writes them again, byte for byte.
func TestRoundTrip(t *testing.T) {
	for _, text := range []string{
		`{"$ajs":2,"op":"seq","steps":[]}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"varsImport","keys":["a","b"]},{"op":"return","value":{"s":{"$expr":"binary","op":"+","left":{"$expr":"ident","name":"a"},"right":{"$expr":"literal","value":1}}}}],"inputSchema":{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"if","condition":{"$expr":"ident","name":"a"},"then":[],"else":[{"op":"varAssign","key":"x","value":null}]},{"op":"while","condition":{"$expr":"literal","value":true},"body":[]}]}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"map","items":{"$expr":"ident","name":"xs"},"as":"x","steps":[],"loop":true},{"op":"reduce","items":[1,{"$expr":"ident","name":"y"}],"as":"x","accumulator":"acc","initial":0,"steps":[],"result":"t","resultConst":true}]}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"try","try":[{"op":"Error","args":["x"]}],"catch":[],"catchParam":"e"},{"op":"httpFetch","url":"u","headers":{"a":{"$expr":"regex","pattern":"a","flags":"g"}},"result":"r","resultAssign":true}],"helpers":{"h":{"steps":[{"op":"return"}],"paramNames":["x"]}}}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"return","value":{"a":{"$expr":"member","object":{"$expr":"ident","name":"o"},"property":{"$expr":"ident","name":"k"},"computed":true,"optional":true},"b":{"$expr":"methodCall","object":{"$expr":"literal","value":"x"},"method":"trim","arguments":[],"optional":true},"c":{"$expr":"wat","z":[{"$expr":"ident"}]}}}]}`,
		`{"op":"seq","steps":[{"op":"varSet","key":"x","value":"y"},{"op":"varsImport","keys":{"z":"a"}},{"op":"return","value":{"v":{"$kind":"arg","path":"n"}}},{"op":"return","schema":{"type":"object"}},{"op":"memoize","key":"k","steps":[{"op":"push","list":"x","item":2,"result":"y"}],"result":"a"}]}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"varSet","key":"s","value":"\ud800 \u0001 é 😀 \"\\ \n"},{"op":"varSet","key":"n","value":[1e21,1e-7,0.1,-5,123456789012]}]}`,
	} {
		p, err := ast.Decode([]byte(text), ast.Options{})
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		got, err := p.AppendJSON(nil, false)
		want := strings.ReplaceAll(strings.ReplaceAll(text, `1e21`, `1e+21`), ``, ``)
		if err != nil || string(got) != want {
			t.Errorf("got  %s\nwant %s (%v)", got, want, err)
		}
	}
}

// TestPositions: the side table comes back onto the steps, and must fit.
func TestPositions(t *testing.T) {
	text := `{"$ajs":2,"op":"seq","steps":[{"op":"scope","steps":[{"op":"return"}]}],"helpers":{"h":{"steps":[{"op":"return"}],"paramNames":[]}},"$pos":[1,2,3,4,5,6]}`
	p, err := ast.Decode([]byte(text), ast.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Steps[0].Body.(*ast.Block).Steps[0].Pos; got != (ast.Pos{Line: 3, Column: 4}) {
		t.Errorf("position %v", got)
	}
	if got, _ := p.AppendJSON(nil, true); string(got) != text {
		t.Errorf("got %s", got)
	}
	for _, pos := range []string{"[1,2]", "[1,2,3,4,5,6,7]", "{}", `[1,2,3,4,5,"6"]`, "[1,2,3,4,5,-6]"} {
		if _, err := ast.Decode([]byte(strings.Replace(text, "[1,2,3,4,5,6]", pos, 1)), ast.Options{}); err == nil {
			t.Errorf("%s was read", pos)
		}
	}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat(`{"$expr":"unary","op":"!","argument":`, 5000) + `{"$expr":"literal","value":1}` + strings.Repeat("}", 5000)
	for _, c := range []struct {
		text string
		kind ast.ErrorKind
		want string
	}{
		{`{"$ajs":3}`, ast.KindVersion, "AgentVM.run: This AST declares format version 3, but this build of tjs-lang understands at most 2. Refusing to run it rather than guess at ops it may use that this interpreter does not implement. Upgrade tjs-lang, or re-transpile the source with this version."},
		{`{"$ajs":2.5,"op":"seq","steps":[]}`, ast.KindVersion, "format version 2.5,"},
		{`{"op":"return","value":{}}`, ast.KindRoot, ast.MsgRoot},
		{`null`, ast.KindRoot, ast.MsgRoot},
		{`[]`, ast.KindRoot, ast.MsgRoot},
		{`{"op":"seq"}`, ast.KindShape, "invalid AST at steps: a seq has an array of steps"},
		{`{"op":"seq","steps":{}}`, ast.KindShape, "invalid AST at steps: expected an array of steps"},
		{`{"op":"seq","steps":[{"op":"if","then":[{"op":"varSet","key":1}]}]}`, ast.KindShape, "invalid AST at steps[0].then[0].key: expected a string"},
		{`{"op":"seq","steps":[5]}`, ast.KindShape, "invalid AST at steps[0]: expected a step"},
		{`{"op":"seq","steps":[{"op":"callLocal","name":"h"}]}`, ast.KindShape, "steps[0].args: expected an array"},
		{`{"op":"seq","steps":[{"op":"x","a":[{"$expr":"binary","op":"+"}]}]}`, ast.KindShape, "steps[0].a[0].left: expected an expression node"},
		{`{"op":"seq","op":"seq","steps":[]}`, ast.KindSyntax, `the key "op" stands twice in one object in the JSON, line 1 column 13`},
		{`{"op":"seq","steps":[]} x`, ast.KindSyntax, "unexpected 'x' in the JSON, line 1 column 25"},
		{"{\n\"op\":01}", ast.KindSyntax, "line 2 column 7"},
		{`{"op":"seq","steps":[{"op":"varSet","key":"a","value":1e999}]}`, ast.KindSyntax, "the number is too large"},
		{"{\"op\":\"\xff\"}", ast.KindSyntax, "invalid UTF-8"},
		{`{"op":"seq","steps":[],"helpers":{"h":{"steps":[]}}}`, ast.KindShape, "helpers.h.paramNames: expected an array of names"},
		{`{"$ajs":2,"op":"seq","steps":[{"op":"evaluate","value":` + deep + `}]}`, ast.KindLimit, "nested over 4096 levels deep"},
		{strings.Repeat("[", 100000), ast.KindLimit, "nested over 4096 levels deep"},
	} {
		_, err := ast.Decode([]byte(c.text), ast.Options{Where: "AgentVM.run"})
		var e *ast.Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: got %v, want %s (%s)", c.text, err, c.want, c.kind)
		}
	}
}

func TestLimits(t *testing.T) {
	text := []byte(`{"op":"seq","steps":[{"op":"x","a":[1,2,3]}]}`)
	for _, l := range []ast.Limits{{MaxBytes: len(text) - 1}, {MaxNodes: 9}, {MaxDepth: 2}} {
		var e *ast.Error
		if _, err := ast.Decode(text, ast.Options{Limits: l}); !errors.As(err, &e) || e.Kind != ast.KindLimit {
			t.Errorf("%+v: %v", l, err)
		}
	}
	if _, err := ast.Decode(text, ast.Options{Limits: ast.Limits{MaxBytes: len(text), MaxNodes: 40, MaxDepth: 6}}); err != nil {
		t.Error(err)
	}
}
