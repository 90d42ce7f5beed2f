package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"sort"
	"strings"
	"time"
)

// Count is how many tests ended how. Crashed and hung tests are failed ones,
// too.
type Count struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
	Outside int `json:"outside,omitempty"` // of the skipped ones, those out of scope
	Crashed int `json:"crashed,omitempty"`
	Hung    int `json:"hung,omitempty"`
}

func (c *Count) add(s Status) {
	switch s {
	case Pass:
		c.Passed++
	case Skip:
		c.Skipped++
	case CrashStatus:
		c.Failed++
		c.Crashed++
	case HangStatus:
		c.Failed++
		c.Hung++
	default:
		c.Failed++
	}
}

// strict is the percentage of passed tests in scope, with the skipped ones
// counted as failed.
func (c Count) strict() float64 {
	n := c.Passed + c.Failed + c.Skipped - c.Outside
	if n == 0 {
		return 100
	}
	return 100 * float64(c.Passed) / float64(n)
}

// percent is the percentage of passed tests of those that were run.
func (c Count) percent() float64 {
	if c.Passed+c.Failed == 0 {
		return 100
	}
	return 100 * float64(c.Passed) / float64(c.Passed+c.Failed)
}

// Failure is a failed test.
type Failure struct {
	Test     string `json:"test"`
	Mode     string `json:"mode"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Kind     Status `json:"kind"` // fail, crash or hang
	Trace    string `json:"trace,omitempty"`
}

// Skipped is a reason to skip tests, with the number of tests.
type Skipped struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
	Tests  int    `json:"tests"`

	// Outside says that the tests are out of scope.
	Outside bool `json:"outside,omitempty"`
}

// Slow is a test that took long.
type Slow struct {
	Test string  `json:"test"`
	Ms   float64 `json:"ms"`
}

// Report is what a run of the suite found.
type Report struct {
	Engine string `json:"engine"`
	Stress bool   `json:"stress"`
	Count
	Suite    string            `json:"suite,omitempty"`    // the commit of the suite
	Revision string            `json:"revision,omitempty"` // … and of the engine
	Timeout  string            `json:"timeout,omitempty"`
	Only     string            `json:"only,omitempty"`   // folders that were run, if not all
	Except   string            `json:"except,omitempty"` // folders that were left out
	Every    int               `json:"every,omitempty"`  // safepoints from one collection to the next
	Again    string            `json:"again,omitempty"`  // the time that failures got in a second run
	Percent  float64           `json:"percent"`          // of the tests that were run
	Seconds  float64           `json:"seconds"`
	Areas    map[string]*Count `json:"areas"`
	Skips    []Skipped         `json:"skippedBy"`
	Slowest  []Slow            `json:"slowest"`
	Failures []Failure         `json:"failures"`

	skips map[string]*Skipped
	slow  []Slow
}

func newReport(engine string, stress bool) *Report {
	return &Report{Engine: engine, Stress: stress, Areas: map[string]*Count{}, skips: map[string]*Skipped{}}
}

func (r *Report) add(res Result) {
	r.Count.add(res.Status)
	area := areaOf(res.Test)
	if r.Areas[area] == nil {
		r.Areas[area] = &Count{}
	}
	r.Areas[area].add(res.Status)
	if res.Outside {
		r.Outside++
		r.Areas[area].Outside++
	}
	switch res.Status {
	case Skip:
		if r.skips[res.Skip] == nil {
			r.skips[res.Skip] = &Skipped{What: res.Skip, Reason: res.Reason, Outside: res.Outside}
		}
		r.skips[res.Skip].Tests++
		return
	case Fail, CrashStatus, HangStatus:
		r.Failures = append(r.Failures, Failure{
			Test: res.Test, Mode: res.Mode, Expected: res.Expected, Got: clip(res.Got, 2000), Kind: res.Status, Trace: clip(res.Trace, 8000),
		})
	}
	r.slow = append(r.slow, Slow{res.Test, float64(res.Duration.Microseconds()) / 1000})
}

// finish sorts what was added.
func (r *Report) finish(took time.Duration, slowest int) {
	r.Percent = r.percent()
	r.Seconds = took.Seconds()
	sort.Slice(r.Failures, func(i, j int) bool { return r.Failures[i].Test < r.Failures[j].Test })
	r.Skips = make([]Skipped, 0, len(r.skips))
	for _, s := range r.skips {
		r.Skips = append(r.Skips, *s)
	}
	sort.Slice(r.Skips, func(i, j int) bool {
		if r.Skips[i].Tests != r.Skips[j].Tests {
			return r.Skips[i].Tests > r.Skips[j].Tests
		}
		return r.Skips[i].What < r.Skips[j].What
	})
	sort.Slice(r.slow, func(i, j int) bool {
		if r.slow[i].Ms != r.slow[j].Ms {
			return r.slow[i].Ms > r.slow[j].Ms
		}
		return r.slow[i].Test < r.slow[j].Test
	})
	r.Slowest = r.slow[:min(slowest, len(r.slow))]
	if r.Failures == nil {
		r.Failures = []Failure{}
	}
}

// passAgain takes over what passed when the failures of r were run again.
func (r *Report) passAgain(again *Report) {
	r.Again = again.Timeout
	r.Seconds += again.Seconds
	failed := map[string]bool{}
	for _, f := range again.Failures {
		failed[f.Test] = true
	}
	ran := map[string]bool{}
	for _, s := range again.slow {
		ran[s.Test] = true
	}
	var left []Failure
	for _, f := range r.Failures {
		if !ran[f.Test] || failed[f.Test] {
			left = append(left, f)
			continue
		}
		for _, c := range []*Count{&r.Count, r.Areas[areaOf(f.Test)]} {
			c.Failed--
			c.Passed++
			switch f.Kind {
			case CrashStatus:
				c.Crashed--
			case HangStatus:
				c.Hung--
			}
		}
	}
	r.Failures = left
	r.Percent = r.percent()
}

func (r *Report) writeJSON(path string) error {
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

func readReport(path string) (*Report, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// show says which parts are printed.
type show struct {
	failures  bool
	byMessage int // number of groups
	verbose   bool
	baseline  *Report
}

func (r *Report) print(w io.Writer, s show) {
	if s.failures {
		for _, f := range r.Failures {
			fmt.Fprintf(w, "FAIL %s (%s)\n     expected %s\n     got      %s\n", f.Test, orDash(f.Mode), f.Expected, clip(f.Got, 300))
			if s.verbose && f.Trace != "" {
				fmt.Fprintf(w, "       %s\n", strings.ReplaceAll(strings.TrimRight(f.Trace, "\n"), "\n", "\n       "))
			}
		}
		if len(r.Failures) > 0 {
			fmt.Fprintln(w)
		}
	}
	if s.byMessage > 0 {
		r.printGroups(w, s.byMessage)
	}
	fmt.Fprintf(w, "%-40s %8s %8s %8s\n", "area", "passed", "failed", "skipped")
	areas := make([]string, 0, len(r.Areas))
	for a := range r.Areas {
		areas = append(areas, a)
	}
	sort.Strings(areas)
	for _, a := range areas {
		c := r.Areas[a]
		percent := "-"
		if c.Passed+c.Failed > 0 {
			percent = fmt.Sprintf("%.1f%%", c.percent())
		}
		fmt.Fprintf(w, "%-40s %8d %8d %8d %8s%s\n", a, c.Passed, c.Failed, c.Skipped, percent, crashes(*c))
	}
	if len(r.Skips) > 0 {
		fmt.Fprintln(w, "\nskipped by")
		for _, k := range r.Skips {
			fmt.Fprintf(w, "%8d  %-36s %s\n", k.Tests, k.What, k.Reason)
		}
	}
	if len(r.Slowest) > 0 {
		fmt.Fprintln(w, "\nslowest")
		for _, k := range r.Slowest {
			fmt.Fprintf(w, "%8.0f ms  %s\n", k.Ms, k.Test)
		}
	}
	if s.baseline != nil {
		r.printChanges(w, s.baseline)
	}
	for _, kind := range []Status{CrashStatus, HangStatus} {
		n := 0
		for _, f := range r.Failures {
			if f.Kind != kind {
				continue
			}
			if n++; n == 1 {
				fmt.Fprintf(w, "\n%s\n", map[Status]string{CrashStatus: "crashed", HangStatus: "hung"}[kind])
			}
			if n <= 50 {
				fmt.Fprintf(w, "  %s: %s\n", f.Test, clip(f.Got, 160))
			}
		}
		if n > 50 {
			fmt.Fprintf(w, "  and %d more\n", n-50)
		}
	}
	stress := ""
	if r.Stress {
		stress = ", collecting at every safepoint"
	}
	fmt.Fprintf(w, "\n%d passed, %d failed, %d skipped (%.2f%% of %d%s; %.2f%% of %d in scope; %s%s; %.1f s)\n",
		r.Passed, r.Failed, r.Skipped, r.percent(), r.Passed+r.Failed, crashes(r.Count), r.strict(), r.Passed+r.Failed+r.Skipped-r.Outside, r.Engine, stress, r.Seconds)
}

func crashes(c Count) string {
	out := ""
	if c.Crashed > 0 {
		out += fmt.Sprintf(", %d crashed", c.Crashed)
	}
	if c.Hung > 0 {
		out += fmt.Sprintf(", %d hung", c.Hung)
	}
	return out
}

// printGroups prints the most frequent failure messages.
func (r *Report) printGroups(w io.Writer, n int) {
	type group struct {
		message string
		tests   []string
		areas   map[string]int
	}
	byMessage := map[string]*group{}
	for _, f := range r.Failures {
		m := groupKey(f)
		g := byMessage[m]
		if g == nil {
			g = &group{message: m, areas: map[string]int{}}
			byMessage[m] = g
		}
		g.tests = append(g.tests, f.Test)
		g.areas[areaOf(f.Test)]++
	}
	groups := make([]*group, 0, len(byMessage))
	for _, g := range byMessage {
		groups = append(groups, g)
	}
	sort.Slice(groups, func(i, j int) bool {
		if len(groups[i].tests) != len(groups[j].tests) {
			return len(groups[i].tests) > len(groups[j].tests)
		}
		return groups[i].message < groups[j].message
	})
	fmt.Fprintf(w, "%d failures in %d groups\n", len(r.Failures), len(groups))
	for _, g := range groups[:min(n, len(groups))] {
		areas := make([]string, 0, len(g.areas))
		for a := range g.areas {
			areas = append(areas, a)
		}
		sort.Slice(areas, func(i, j int) bool {
			if g.areas[areas[i]] != g.areas[areas[j]] {
				return g.areas[areas[i]] > g.areas[areas[j]]
			}
			return areas[i] < areas[j]
		})
		for i, a := range areas {
			areas[i] = fmt.Sprintf("%s %d", a, g.areas[a])
		}
		if len(areas) > 4 {
			areas = append(areas[:4], "…")
		}
		fmt.Fprintf(w, "%6d  %s\n        %s\n        %s\n", len(g.tests), g.message, g.tests[0], strings.Join(areas, ", "))
	}
	fmt.Fprintln(w)
}

var (
	groupValues = regexp.MustCompile(`«[^»]*»`)
	groupDigits = regexp.MustCompile(`\d+(\.\d+)?`)
	groupInfo   = regexp.MustCompile(`\(([A-Za-z]*Error: .*)\)$`)
)

// groupKey is what failures of the same cause have in common, as far as their
// text tells.
func groupKey(f Failure) string {
	line, _, _ := strings.Cut(f.Got, "\n")
	if f.Kind == CrashStatus {
		if place := enginePlace(f.Trace); place != "" {
			line += " at " + place
		}
	}
	line = groupValues.ReplaceAllString(line, "«…»")
	if f.Kind != CrashStatus {
		line = groupDigits.ReplaceAllString(line, "N")
	}
	if strings.Contains(f.Expected, " in phase ") {
		line = "expected " + f.Expected + ", got " + groupInfo.ReplaceAllString(line, "($1)")
	}
	return clip(line, 160)
}

// enginePlace returns the first place below a panic in a Go stack that lies in
// this module.
func enginePlace(trace string) string {
	_, below, ok := strings.Cut(trace, "panic(")
	if !ok {
		below = trace
	}
	for _, l := range strings.Split(below, "\n") {
		l = strings.TrimSpace(l)
		if i := strings.Index(l, "/js/"); i >= 0 && strings.Contains(l, ".go:") {
			place, _, _ := strings.Cut(l[i+1:], " ")
			return place
		}
	}
	return ""
}

// printChanges prints what fails now and passed before, and the other way round,
// among the tests that failed in either run.
func (r *Report) printChanges(w io.Writer, before *Report) {
	failed := map[string]bool{}
	for _, f := range before.Failures {
		failed[f.Test] = true
	}
	ran := map[string]bool{}
	for _, s := range r.slow {
		ran[s.Test] = true
	}
	var broken []string
	fixed := 0
	for _, f := range r.Failures {
		if !failed[f.Test] {
			broken = append(broken, fmt.Sprintf("%s: %s", f.Test, clip(f.Got, 160)))
		}
		delete(failed, f.Test)
	}
	for t := range failed {
		if ran[t] {
			fixed++
		}
	}
	fmt.Fprintf(w, "\nagainst the baseline: %d fixed, %d newly failing\n", fixed, len(broken))
	for _, b := range broken {
		fmt.Fprintf(w, "  %s\n", b)
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
