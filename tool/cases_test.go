package tool

import (
	"errors"
	"testing"
)

// FuzzCases reads any text as cases: there are some, or an error with a place.
func FuzzCases(f *testing.F) {
	for _, s := range []string{
		"cases: [{input: {a: 1}, output: {b: [1, 2.5, null]}, writes: {a: b}}]", "fetch: [{url: 'https://a.example/*', json: {}, headers: {a: 1}}]\ncases: [{error: true}]",
		`{"cases": [{"files": {"a": {"base64": "AA=="}}, "llm": ["x", {"error": "y"}], "seed": 1, "now": "2026-01-01T00:00:00Z"}]}`, "cases: [{cost: 1e-3, logs: [x], approve: no}]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := readCases("t.tool.test.yaml", text)
		var bad *LoadError
		if err == nil && len(cases) == 0 || err != nil && (!errors.As(err, &bad) || bad.File != "t.tool.test.yaml") {
			t.Fatalf("%d cases, %v", len(cases), err)
		}
	})
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"a*", "a", true}, {"a*", "abc", true}, {"*c", "abc", true}, {"a*c", "abc", true}, {"a*b*c", "axxbyyc", true},
		{"a*b*c", "ac", false}, {"*", "", true}, {"a*a", "a", false}, {"**", "x", true}, {"a*b", "ba", false},
	} {
		if got := glob(tt.pattern, tt.s); got != tt.want {
			t.Errorf("glob(%q, %q) is %v", tt.pattern, tt.s, got)
		}
	}
}
