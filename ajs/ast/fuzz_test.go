package ast_test

import (
	"bytes"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// FuzzDecode: nothing that comes in panics, and what is read comes out as the
// same program again.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"$ajs":2,"op":"seq","steps":[{"op":"varSet","key":"x","value":{"$expr":"ident","name":"y"}}]}`,
		`{"op":"seq","steps":[{"op":"if","condition":"a","then":[],"else":null},{"op":"x","a":["b",{"$kind":"arg","path":"c"}]}]}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"return","value":[{"$expr":7},{"$expr":"member","object":{"$expr":"literal"},"property":"p"}]}],"$pos":[1,0]}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"evaluate","value":"\ud83d\ude00\ud83d"}],"helpers":{"":{"steps":[],"paramNames":[""]}}}`,
		`{"$ajs":2,"op":"seq","steps":[{"op":"","":-0,"result":""}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ast.Decode(text, ast.Options{})
		if err != nil {
			return
		}
		one, err := p.AppendJSON(nil, true)
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		q, err := ast.Decode(one, ast.Options{Limits: ast.Limits{MaxBytes: 1 << 30}})
		if err != nil {
			t.Fatalf("written but not read: %v\n%s", err, one)
		}
		two, err := q.AppendJSON(nil, true)
		if err != nil || !bytes.Equal(one, two) {
			t.Fatalf("unstable: %v\n%s\n%s", err, one, two)
		}
	})
}
