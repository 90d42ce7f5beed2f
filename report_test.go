package pinfold_test

import (
	"encoding/json"
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
		{"frames", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 1, SourceLine: "f()", Frames: []pinfold.Frame{{Function: "g", File: "a.js", Line: 1, Column: 1}, {Function: "", File: "a.js", Line: 2, Column: 3}}},
			"x\n --> a.js:1:1\n  1 | f()\n    | ^\n"},
		{"a limit", pinfold.Failure{Message: "x", File: "a.js", Line: 1, Column: 1, SourceLine: "f()", Limit: 1, Frames: []pinfold.Frame{{Function: "g", File: "a.js", Line: 1, Column: 1}}},
			"x\n --> a.js:1:1 in g\n  1 | f()\n    | ^\n"},
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
		{"require('fs')", "there is no require here; what the host offers are plain functions and import"},
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

func TestFullReport(t *testing.T) {
	f := pinfold.Failure{
		Name: "TypeError", Message: "x", File: "a.js", Line: 1, Column: 1, SourceLine: "f()", Hint: "h", Suggestions: []string{"usr"},
		Frames: []pinfold.Frame{{Function: "g", File: "a.js", Line: 1, Column: 1}, {Function: "Array.map", File: "<anonymous>"}, {Function: "load", File: "a.js", Line: 3, Column: 4, Async: true}, {Function: "", File: "a.js", Line: 2, Column: 3}},
		Notes:  []string{"9 of 10 host calls were used"},
		Explanation: &pinfold.Explanation{
			Subject: "r.user", Value: "undefined",
			Origins: []pinfold.Origin{{Text: "missing key 'user' of items[2]", Key: "user", Keys: []string{"id", "usr"}, File: "a.js", Line: 1, Column: 2}, {Text: "given as input.items[2]"}},
			Locals:  []pinfold.FrameLocals{{Function: "g", File: "a.js", Line: 1, Column: 1, Locals: []pinfold.Local{{"r", "{ id: 1 }"}}}, {File: "a.js", Line: 2, Column: 3}},
		},
	}
	want := `TypeError: x
 --> a.js:1:1
  1 | f()
    | ^
 hint: h
 value origin:
    r.user is undefined
    - missing key 'user' of items[2] (a.js:1:2)
    - given as input.items[2]
 did you mean:
    usr
 locals:
    g (a.js:1:1)
      r = { id: 1 }
 stack:
    at g (a.js:1:1)
    at Array.map (<anonymous>)
    at async load (a.js:3:4)
    at a.js:2:3
 notes:
    9 of 10 host calls were used
`
	if got := f.FullReport(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	f.Explanation = &pinfold.Explanation{Unavailable: "it took too long"}
	if got := f.FullReport(); !strings.HasSuffix(got, "    explanation unavailable: it took too long\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestReportIsBounded: no report has more than MaxMessageChars characters, and
// what matters most stays.
func TestReportIsBounded(t *testing.T) {
	long := strings.Repeat("é word, ", 3000)
	f := pinfold.Failure{Name: "Error", Message: long, File: "a.js", Line: 1, Column: 1, SourceLine: long, Hint: "do less"}
	for range 50 {
		f.Frames = append(f.Frames, pinfold.Frame{Function: long, File: "a.js", Line: 1, Column: 1})
	}
	for name, got := range map[string]string{"Report": f.Report(), "FullReport": f.FullReport()} {
		if n := len([]rune(got)); n > pinfold.MaxMessageChars {
			t.Errorf("%s has %d characters", name, n)
		}
		for _, part := range []string{" --> a.js:1:1\n", " hint: do less\n", "é word,… ["} {
			if !strings.Contains(got, part) {
				t.Errorf("%s has no %q", name, part)
			}
		}
	}
}

// TestMessageCut: a message ends at a border, and says how much is missing.
func TestMessageCut(t *testing.T) {
	s := sandbox(t, pinfold.Options{})
	for source, want := range map[string]string{
		"throw new Error(Array.from({length: 4000}, (_, i) => 'line ' + i).join('\\n'))": "\n… [",
		"throw new Error(Array.from({length: 4000}, (_, i) => 'item' + i).join(','))":    ",… [",
		"throw new Error(Array.from({length: 4000}, (_, i) => 'word' + i).join(' '))":    " … [",
		"throw new Error('x'.repeat(20000))":                                             "x… [9808 more characters left out]",
		"throw new Error('\\u{1F600}'.repeat(20000))":                                    "😀… [9808 more characters left out]",
	} {
		f := s.Eval(nil, "test", source, nil).Failure
		if n := len([]rune(f.Message)); n > pinfold.MaxMessageChars || !strings.Contains(f.Message, want) {
			t.Errorf("%s: %d characters, end %q, want %q", source, n, f.Message[len(f.Message)-60:], want)
		}
	}
}

// TestLimitReport: a limit says which, where, and in which function.
func TestLimitReport(t *testing.T) {
	s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{Fuel: 100_000, MemoryBytes: 128 << 10, CallDepth: 100, HostCalls: 3},
		Functions: []pinfold.Function{{Name: "ask", Func: func() int { return 1 }}}})
	for source, want := range map[string]string{
		"function crunch() {\n  for (;;) { }\n}\ncrunch()":                                            "fuel limit: the run used its 100000 units\n --> test:2:3 in crunch\n  2 |   for (;;) { }\n    |   ^^^\n hint: look for a loop that doesn't end or that does too much; the host can raise Limits.Fuel\n",
		"const dig = (n) => dig(n + 1) + 1\ndig(0)":                                                   "stack limit: call depth passed 100\n --> test:1:20 in dig\n",
		"function more() { ask(); more() }\n[1].forEach(() => more())":                                "hostcalls limit: the number of host calls passed 3\n --> test:1:19 in more\n",
		"class A { fill() { const a = []; for (let i = 0; i < 1e6; i++) a[i] = i } }\nnew A().fill()": "memory limit: live memory would reach ",
	} {
		f := s.Eval(nil, "test", source, nil).Failure
		if got := f.Report(); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %q\nwant %q", source, got, want)
		}
		if len(f.Frames) == 0 || f.Limit == 0 || f.Used == 0 {
			t.Errorf("%s: %d frames, limit %d, used %d", source, len(f.Frames), f.Limit, f.Used)
		}
	}
}

// TestNearLimits: an error says which limits were nearly used up.
func TestNearLimits(t *testing.T) {
	s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{HostCalls: 5}, Functions: []pinfold.Function{{Name: "ask", Func: func() int { return 1 }}}})
	f := s.Eval(nil, "test", "ask(); ask(); ask(); ask(); null.x", nil).Failure
	if want := "4 of 5 host calls were used"; len(f.Notes) != 1 || f.Notes[0] != want {
		t.Errorf("notes %q, want %q", f.Notes, want)
	}
	if f := s.Eval(nil, "test", "ask(); null.x", nil).Failure; len(f.Notes) != 0 {
		t.Errorf("notes %q, want none", f.Notes)
	}
}

func TestFailureJSON(t *testing.T) {
	f := &pinfold.Failure{
		Kind: pinfold.ErrScript, Name: "TypeError", Message: "<x>", File: "a.js", Line: 1, Column: 1, EndColumn: 2, SourceLine: "f()", Hint: "h",
		Frames: []pinfold.Frame{{Function: "g", File: "a.js", Line: 1, Column: 1}},
		Explanation: &pinfold.Explanation{
			Subject: "r", Value: "null", Origins: []pinfold.Origin{{Text: "t", File: "a.js", Line: 3, Column: 4}},
			Locals: []pinfold.FrameLocals{{Function: "g", File: "a.js", Line: 1, Column: 1, Locals: []pinfold.Local{{"r", "null"}}}, {Function: "h", File: "a.js", Line: 9, Column: 1, Locals: []pinfold.Local{{"q", "1"}}}},
		},
	}
	got, err := json.Marshal(f)
	want := `{"version":1,"kind":"script","name":"TypeError","message":"\u003cx\u003e","code":"","file":"a.js","line":1,"column":1,"endColumn":2,"sourceLine":"f()","hint":"h","suggestions":[],"limit":0,"used":0,"subject":"r","value":"null","origins":[{"text":"t","file":"a.js","line":3,"column":4}],"frames":[{"function":"g","file":"a.js","line":1,"column":1,"locals":[{"name":"r","value":"null"}]},{"function":"h","file":"a.js","line":9,"column":1,"locals":[{"name":"q","value":"1"}]}],"notes":[],"explanationUnavailable":""}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}
