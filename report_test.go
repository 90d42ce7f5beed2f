package pinfold_test

import (
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
)

func TestReport(t *testing.T) {
	long := strings.Repeat("abcdefghi ", 60)
	tests := []struct {
		name string
		f    pinfold.Failure
		want string
	}{
		{"no place", pinfold.Failure{Message: "out of fuel", Hint: "do less"}, "out of fuel\n hint: do less\n"},
		{"no line", pinfold.Failure{Name: "TypeError", Message: "x", File: "a.js"}, "TypeError: x\n --> a.js\n"},
		{"caret", pinfold.Failure{Name: "E", Message: "x", File: "a.js", Line: 1, Column: 5, EndColumn: 8, SourceLine: "let foo = 1"},
			"E: x\n --> a.js:1:5\n  1 | let foo = 1\n    |     ^^^\n"},
		{"tabs", pinfold.Failure{Message: "x", File: "a.js", Line: 12, Column: 3, EndColumn: 4, SourceLine: "\t\tf()"},
			"x\n --> a.js:12:3\n 12 | \t\tf()\n    | \t\t^\n"},
		{"wide characters", pinfold.Failure{Message: "x", File: "a.js", Line: 1000, Column: 6, EndColumn: 8, SourceLine: "'日本'+ab"},
			"x\n --> a.js:1000:6\n1000 | '日本'+ab\n     |        ^^\n"},
		{"surrogate pairs", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 5, EndColumn: 6, SourceLine: "'😀'+a"},
			"x\n --> a.js:1:5\n  1 | '😀'+a\n    |     ^\n"},
		{"combining characters", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 5, EndColumn: 6, SourceLine: "'e\u0301'+a"},
			"x\n --> a.js:1:5\n  1 | 'e\u0301'+a\n    |    ^\n"},
		{"end of the line", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 4, EndColumn: 5, SourceLine: "f(1"},
			"x\n --> a.js:1:4\n  1 | f(1\n    |    ^\n"},
		{"control characters", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 3, EndColumn: 4, SourceLine: "a\x1bb"},
			"x\n --> a.js:1:3\n  1 | a?b\n    |   ^\n"},
		{"frames", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 1, SourceLine: "f()", Frames: []pinfold.Frame{{"g", "a.js", 1, 1}, {"", "a.js", 2, 3}}},
			"x\n --> a.js:1:1\n  1 | f()\n    | ^\n    at g (a.js:1:1)\n    at a.js:2:3\n"},
	}
	for _, tt := range tests {
		if got := tt.f.Report(); got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
	f := pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 301, EndColumn: 310, SourceLine: long}
	lines := strings.Split(f.Report(), "\n")
	if n := len([]rune(lines[2])); n > 160 || !strings.Contains(lines[2], "| …") || !strings.HasSuffix(lines[2], "…") {
		t.Errorf("a long line: %d characters\n%s", n, lines[2])
	}
	at := strings.Index(lines[3], "^")
	if got := string([]rune(lines[2])[at : at+9]); got != "abcdefghi" {
		t.Errorf("the caret stands under %q\n%s\n%s", got, lines[2], lines[3])
	}
}

func TestHints(t *testing.T) {
	tests := []struct{ source, want string }{
		{"const total = 1; return totl", "did you mean total?"},
		{"lookpu('x')", "did you mean lookup?"},
		{"jSON.parse('1')", "did you mean JSON?"},
		{"result = 5", "declare it first: let result = …"},
		{"require('fs')", "there is no module system with require here; what the host offers are plain functions and import"},
		{"return len([1])", "use .length"},
		{"return [1].append(2)", "there is no append on this value; use push"},
		{"return 'x'.strip()", "there is no strip on this value; use trim"},
		{"for (const x of { a: 1 }) ;", "only arrays, strings, Map, Set and iterators can be spread or looped over; for an object use Object.entries()"},
		{"find(1)", "did you mean db.find?"},
		{"qqqqqqqqqqqq()", "the host offers lookup, db.find"},
	}
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "lookup", Func: func(string) string { return "" }}, {Name: "db.find", Func: func(int) int { return 0 }},
	}})
	for _, tt := range tests {
		o := s.Eval(nil, "test", tt.source, nil)
		if o.Failure == nil || o.Failure.Hint != tt.want {
			t.Errorf("%s: %v\n got %q\nwant %q", tt.source, o.Failure, o.Failure.Hint, tt.want)
		}
	}
}
