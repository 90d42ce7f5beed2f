package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/meter"
)

func TestParseMeta(t *testing.T) {
	tests := []struct {
		name, src string
		want      Meta
	}{
		{"flow lists", "// c\n/*---\ndescription: >\n  text: with\n  flags: [no]\nflags: [module, async]\nfeatures: [a.b, Symbol.iterator]\n---*/\nx", Meta{Flags: []string{"module", "async"}, Features: []string{"a.b", "Symbol.iterator"}}},
		{"block lists", "/*---\nfeatures:\n  - one\n  - two # comment\nincludes:\n- 'x.js'\n- y.js\n---*/", Meta{Features: []string{"one", "two"}, Includes: []string{"x.js", "y.js"}}},
		{"flow over lines", "/*---\nincludes: [a.js,\n  b.js]\nflags: []\n---*/", Meta{Includes: []string{"a.js", "b.js"}}},
		{"negative", "/*---\nnegative:\n  phase: parse\n  type: SyntaxError\nflags: [raw]\n---*/", Meta{Flags: []string{"raw"}, Negative: &Negative{PhaseParse, "SyntaxError"}}},
		{"carriage returns", "/*---\r\nflags: [raw]\r\nnegative:\r\n  phase: runtime\r\n  type: Test262Error\r\n---*/\r\n", Meta{Flags: []string{"raw"}, Negative: &Negative{PhaseRuntime, "Test262Error"}}},
		{"lone carriage returns", "/*---\rflags: [raw]\rdescription: d\r---*/\r", Meta{Flags: []string{"raw"}}},
		{"info with keys", "/*---\ninfo: |\n  negative:\n    phase: parse\n  1. Let x: y\nesid: sec-x\n---*/", Meta{}},
		{"indented", "/*---\n  flags: [onlyStrict]\n  negative:\n    type: TypeError\n    phase: resolution\n---*/", Meta{Flags: []string{"onlyStrict"}, Negative: &Negative{PhaseResolution, "TypeError"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseMeta(tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*got, tt.want) {
				t.Errorf("got %+v, want %+v", *got, tt.want)
			}
		})
	}
	for _, src := range []string{"", "/*---\nflags: []\n", "/*---\nnegative:\n  phase: parse\n---*/"} {
		if _, err := parseMeta(src); err == nil {
			t.Errorf("parseMeta(%q): no error", src)
		}
	}
}

// fakeEngine understands one word a test. The word stands in the last line.
type fakeEngine struct{ can map[Capability]bool }

func (e *fakeEngine) Name() string          { return "fake" }
func (e *fakeEngine) Can(c Capability) bool { return e.can[c] }

func (e *fakeEngine) Compile(name, source string) (Program, error) {
	word := lastLine(source)
	if word == "bad syntax" {
		return nil, &Thrown{Phase: PhaseParse, Constructor: "SyntaxError", Text: "SyntaxError: bad"}
	}
	if word == "strict only" && !strings.HasPrefix(source, "\"use strict\";\n") {
		return "throw", nil
	}
	return word, nil
}

func (e *fakeEngine) NewRealm(o RealmOptions) (Realm, error) { return &fakeRealm{o: o}, nil }

type fakeRealm struct {
	o       RealmOptions
	harness []string
	pending func()
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func (r *fakeRealm) Script(p Program) error {
	switch word := p.(string); word {
	case "throw":
		return &Thrown{Phase: PhaseRuntime, Constructor: "TypeError", Text: "TypeError: x"}
	case "panic":
		var none []int
		_ = none[len(r.harness)]
	case "crash":
		return &Crash{Value: "boom", Stack: "stack"}
	case "limit":
		return &meter.LimitError{Kind: meter.Fuel, Limit: r.o.Fuel}
	case "done":
		r.pending = func() { r.o.Print(asyncComplete) }
	case "failed":
		r.pending = func() { r.o.Print(asyncFailure + "Test262Error: no") }
	case "hang":
		select {}
	case "assert", "sta", "done handle", "extra":
		r.harness = append(r.harness, word)
	case "needs harness":
		if got := strings.Join(r.harness, ","); got != "assert,sta,done handle,extra" {
			return errors.New("harness is " + got)
		}
		r.o.Print(asyncComplete)
	case "needs none":
		if len(r.harness) > 0 {
			return errors.New("a raw test got a harness")
		}
	}
	return nil
}

func (r *fakeRealm) Module(name, source string) error {
	src, err := r.o.Load(name, "./dep_FIXTURE.js", nil)
	if err != nil {
		return err
	}
	if src.Name != "language/dep_FIXTURE.js" || src.Text != "fixture" {
		return errors.New("wrong fixture " + src.Name)
	}
	_, err = r.o.Load(name, "./missing.js", nil)
	if err == nil {
		return errors.New("a missing module loads")
	}
	return &Thrown{Phase: PhaseResolution, Constructor: "SyntaxError", Text: "SyntaxError: no export"}
}

func (r *fakeRealm) Jobs() error {
	if r.pending != nil {
		r.pending()
	}
	return nil
}

func (r *fakeRealm) Close() {}

func fakeSuite(t *testing.T, tests map[string]string) *Suite {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"harness/assert.js": "assert", "harness/sta.js": "sta", "harness/doneprintHandle.js": "done handle",
		"harness/extra.js": "extra", "test/language/dep_FIXTURE.js": "fixture",
	}
	for name, src := range tests {
		files["test/"+name] = src
	}
	for name, src := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := openSuite(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRun(t *testing.T) {
	const negative = "/*---\nnegative:\n  phase: %\n  type: %\nflags: [%]\n---*/\n"
	neg := func(phase, typ, flags string) string {
		s := strings.Replace(negative, "%", phase, 1)
		s = strings.Replace(s, "%", typ, 1)
		return strings.Replace(s, "%", flags, 1)
	}
	tests := []struct {
		name, src string
		status    Status
		mode, got string
	}{
		{"language/pass.js", "/*---\n---*/\nfine", Pass, "", ""},
		{"language/fail.js", "/*---\n---*/\nthrow", Fail, "sloppy+strict", "TypeError: x"},
		{"language/strict.js", "/*---\n---*/\nstrict only", Fail, "sloppy", "TypeError: x"},
		{"language/onlystrict.js", "/*---\nflags: [onlyStrict]\n---*/\nstrict only", Pass, "", ""},
		{"language/nostrict.js", "/*---\nflags: [noStrict]\n---*/\nthrow", Fail, "sloppy", "TypeError: x"},
		{"language/parse.js", neg("parse", "SyntaxError", "") + "bad syntax", Pass, "", ""},
		{"language/noparse.js", neg("parse", "SyntaxError", "") + "throw", Fail, "sloppy+strict", "TypeError in phase runtime (TypeError: x)"},
		{"language/wrongphase.js", neg("runtime", "SyntaxError", "") + "bad syntax", Fail, "sloppy+strict", "SyntaxError in phase parse (SyntaxError: bad)"},
		{"language/runtime.js", neg("runtime", "TypeError", "") + "throw", Pass, "", ""},
		{"language/noerror.js", neg("runtime", "TypeError", "") + "fine", Fail, "sloppy+strict", "no error"},
		{"language/limit.js", neg("runtime", "TypeError", "raw") + "limit", Fail, "raw", "limit: fuel: fuel limit: the run used its 7 units"},
		{"language/module.js", neg("resolution", "SyntaxError", "module") + "x", Pass, "", ""},
		{"language/async.js", "/*---\nflags: [async, noStrict]\n---*/\ndone", Pass, "", ""},
		{"language/asyncfail.js", "/*---\nflags: [async, noStrict]\n---*/\nfailed", Fail, "sloppy", "async: Test262Error: no"},
		{"language/asyncnever.js", "/*---\nflags: [async, noStrict]\n---*/\nfine", Fail, "sloppy", "async: $DONE was never called"},
		{"language/harness.js", "/*---\nflags: [async]\nincludes: [extra.js]\n---*/\nneeds harness", Pass, "", ""},
		{"language/include.js", neg("runtime", "TypeError", "noStrict") + "x", Fail, "sloppy", "no error"},
		{"language/raw.js", "/*---\nflags: [raw]\n---*/\nneeds none", Pass, "", ""},
		{"language/panic.js", "/*---\nflags: [noStrict]\n---*/\npanic", CrashStatus, "sloppy", "panic: runtime error: index out of range [2] with length 0"},
		{"language/crash.js", "/*---\nflags: [noStrict]\n---*/\ncrash", CrashStatus, "sloppy", "panic: boom"},
		{"language/noinclude.js", "/*---\nflags: [noStrict]\nincludes: [none.js]\n---*/\nx", Fail, "sloppy", ""},
		{"language/nometa.js", "x", Fail, "", "language/nometa.js: no frontmatter"},
		{"language/temporal.js", "/*---\nfeatures: [Temporal]\n---*/\nthrow", Skip, "", ""},
		{"language/intl.js", "/*---\nfeatures: [Intl.Segmenter]\n---*/\nthrow", Skip, "", ""},
		{"language/agent.js", "/*---\n---*/\n$262.agent.start()", Skip, "", ""},
		{"language/realm.js", "/*---\nfeatures: [cross-realm]\n---*/\nthrow", Fail, "sloppy+strict", "TypeError: x"},
	}
	files := map[string]string{}
	for _, tt := range tests {
		files[tt.name] = tt.src
	}
	r := &Runner{
		Suite: fakeSuite(t, files), Engine: &fakeEngine{can: map[Capability]bool{CanCreateRealm: true}},
		Config: Config{Fuel: 7, Timeout: time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := r.Run(context.Background(), tt.name)
			if res.Status != tt.status || res.Mode != tt.mode || tt.got != "" && res.Got != tt.got {
				t.Errorf("got %s %q %q, want %s %q %q", res.Status, res.Mode, res.Got, tt.status, tt.mode, tt.got)
			}
		})
	}
}

func TestWatchdog(t *testing.T) {
	r := &Runner{Suite: fakeSuite(t, map[string]string{"language/x/hang.js": "/*---\nflags: [noStrict]\n---*/\nhang", "language/x/ok.js": "/*---\n---*/\nfine"}), Engine: &fakeEngine{}}
	// The watchdog is grace plus twice the time limit.
	r.Config.Timeout = (50*time.Millisecond - grace) / 2
	report := newReport("fake", false)
	runAll(context.Background(), []string{"language/x/hang.js", "language/x/ok.js"}, 1, func() executor { return &inProcess{r} }, report.add)
	report.finish(time.Second, 1)
	if report.Hung != 1 || report.Failed != 1 || report.Passed != 1 {
		t.Errorf("got %+v", report.Count)
	}
	var out bytes.Buffer
	report.print(&out, show{failures: true, byMessage: 5})
	for _, want := range []string{"language/x ", "1 passed, 1 failed, 0 skipped", "hung\n  language/x/hang.js"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestReportJSON(t *testing.T) {
	r := newReport("fake", false)
	r.add(Result{Test: "language/a/x.js", Status: Pass})
	r.add(Result{Test: "language/a/y.js", Status: Fail, Mode: "strict", Expected: "no error", Got: "TypeError"})
	r.add(Result{Test: "built-ins/b/z.js", Status: Skip, Skip: "f", Reason: "r"})
	r.finish(time.Second, 5)
	p := filepath.Join(t.TempDir(), "r.json")
	if err := r.writeJSON(p); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Passed, Failed, Skipped int
		Areas                   map[string]struct{ Passed, Failed, Skipped int }
		Failures                []struct{ Test, Mode, Expected, Got string }
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Passed != 1 || got.Failed != 1 || got.Skipped != 1 || got.Areas["language/a"].Failed != 1 || got.Areas["built-ins/b"].Skipped != 1 ||
		len(got.Failures) != 1 || got.Failures[0].Test != "language/a/y.js" || got.Failures[0].Mode != "strict" || got.Failures[0].Got != "TypeError" {
		t.Errorf("got %s", b)
	}
}

// TestPassAgain: what passes when it is run again with more time is no failure
// of the report that is kept.
func TestPassAgain(t *testing.T) {
	r := newReport("fake", true)
	r.add(Result{Test: "language/a/x.js", Status: Pass})
	r.add(Result{Test: "language/a/y.js", Status: Fail})
	r.add(Result{Test: "language/b/z.js", Status: HangStatus})
	again := newReport("fake", true)
	again.add(Result{Test: "language/a/y.js", Status: Fail})
	again.add(Result{Test: "language/b/z.js", Status: Pass})
	r.passAgain(again)
	if want := (Count{Passed: 2, Failed: 1}); r.Count != want || *r.Areas["language/b"] != (Count{Passed: 1}) || len(r.Failures) != 1 || r.Failures[0].Test != "language/a/y.js" {
		t.Errorf("got %+v, %v", r.Count, r.Failures)
	}
}

func TestSampleIsStable(t *testing.T) {
	names := []string{"a/1.js", "a/2.js", "a/3.js", "b/1.js", "b/2.js", "b/3.js"}
	if a, b := sample(names, 3), sample(names, 3); !reflect.DeepEqual(a, b) || len(a) != 3 {
		t.Errorf("%v, %v", a, b)
	}
}

func TestUsage(t *testing.T) {
	t.Setenv("TEST262_DIR", "")
	for _, args := range [][]string{{}, {"--test262", "/nowhere"}, {"--no-such-flag"}, {"--engine", "x", "--test262", fakeSuite(t, nil).dir}} {
		var out, err bytes.Buffer
		if code := run(context.Background(), args, nil, &out, &err); code != 2 || err.Len() == 0 {
			t.Errorf("%v: exit %d, %q", args, code, err.String())
		}
	}
}

// suiteDir returns the checkout of test262 that the environment names.
func suiteDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TEST262_DIR")
	if dir == "" {
		t.Skip("TEST262_DIR is not set: it would name a checkout of https://github.com/tc39/test262 to run a sample of")
	}
	return dir
}

// TestFrontmatterOfSuite reads every test of the scope.
func TestFrontmatterOfSuite(t *testing.T) {
	s, err := openSuite(suiteDir(t))
	if err != nil {
		t.Fatal(err)
	}
	names, err := s.Select(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, err := s.Read(name); err != nil {
			t.Error(err)
		}
	}
}

// TestNodePassesSample shows that the runner is right about a sample: V8
// implements nearly all of it. (95 % with node 20, which lacks iterator helpers
// and later additions.)
func TestNodePassesSample(t *testing.T) {
	dir := suiteDir(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"--test262", dir, "--engine", "node", "--sample", "400", "--jobs", "2", "--min", "90", "--by-message"}, nil, &out, &errs); code != 0 {
		t.Errorf("exit %d\n%s\n%s", code, out.String(), errs.String())
	}
}

// TestSample runs a part of the suite on the engine, also collecting garbage at
// every safepoint.
func TestSample(t *testing.T) {
	dir := suiteDir(t)
	for _, args := range [][]string{{"--sample", "2000"}, {"--sample", "500", "--stress"}} {
		var out, errs bytes.Buffer
		args = append(args, "--test262", dir, "--jobs", "2", "--min", "80", "--by-message", "--groups", "10")
		if code := run(context.Background(), args, nil, &out, &errs); code != 0 {
			t.Errorf("%v: exit %d\n%s\n%s", args, code, out.String(), errs.String())
		}
	}
}
