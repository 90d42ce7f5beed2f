package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Where the results are that the document is made of, below the repository's
// root.
const (
	resultsFile  = "conformance/results/test262.json"
	stressFile   = "conformance/results/stress.json"
	slowFile     = "conformance/results/stress-slow.json"
	intlFile     = "conformance/results/intl402.json"
	packagesFile = "conformance/packages/results.json"
)

// packageResult is one package of packagesFile.
type packageResult struct {
	Name, Package, Version string
	OK                     bool
	LoadMS, RunMS          float64 // of this engine: load includes compiling
	NodeLoadMS, NodeRunMS  float64
}

type packageResults struct {
	Node     string
	Runs     int
	Packages []packageResult
}

// cause says why tests fail that got a message.
type cause struct{ got, words string }

var causes = []cause{
	{"SharedArrayBuffer is not defined", "the test uses `SharedArrayBuffer` without naming the feature; there is no shared memory"},
	{"Expected a TypeError but got a ReferenceError", "the same, in a callback"},
}

func causeOf(f Failure) string {
	for _, c := range causes {
		if strings.Contains(f.Got, c.got) && strings.Contains(f.Test, "/Atomics/") {
			return c.words
		}
	}
	if f.Kind == HangStatus {
		return "does not end"
	}
	if strings.HasPrefix(f.Got, "limit: time") {
		return "ran out of time"
	}
	return groupKey(f)
}

// save writes what the document needs of a report.
func (r *Report) save(path string) error {
	s := *r
	s.Slowest = nil
	s.Failures = nil
	for _, f := range r.Failures {
		s.Failures = append(s.Failures, Failure{Test: f.Test, Mode: f.Mode, Expected: f.Expected, Got: clip(f.Got, 200), Kind: f.Kind})
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return s.writeJSON(path)
}

// document makes docs/CONFORMANCE.md of the results below root.
func document(root string) (string, error) {
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	full, err := readReport(at(resultsFile))
	if err != nil {
		return "", err
	}
	stress, err := readReport(at(stressFile))
	if err != nil {
		return "", err
	}
	slow, err := readReport(at(slowFile))
	if err != nil {
		return "", err
	}
	intl, err := readReport(at(intlFile))
	if errors.Is(err, fs.ErrNotExist) {
		intl, err = nil, nil
	}
	if err != nil {
		return "", err
	}
	var packages packageResults
	b, err := os.ReadFile(at(packagesFile))
	if err == nil {
		err = json.Unmarshal(b, &packages)
	}
	if err != nil {
		return "", err
	}
	d := &page{}
	d.line("# Conformance")
	d.line("")
	d.line("Made by `go run ./conformance --write docs/CONFORMANCE.md` of the results in `conformance/results` and")
	d.line("`conformance/packages/results.json`. A test compares it with them: don't edit it.")
	d.line("")
	d.suite(full)
	d.areas("Areas", full)
	d.failures(full)
	d.skips(full)
	d.stress(stress, slow)
	if intl != nil {
		d.line("## ECMA-402")
		d.line("")
		d.line("`go run ./conformance --test262 DIR --intl --save %s` runs `test/intl402`: %s of the tests that were run passed (%s of %s), %s were left out.",
			intlFile, percent(intl.percent()), group(intl.Passed), group(intl.Passed+intl.Failed), group(intl.Skipped))
		d.line("")
		d.areas("", intl)
	}
	d.packages(&packages)
	return d.String(), nil
}

type page struct{ strings.Builder }

func (d *page) line(format string, args ...any) {
	if len(args) == 0 {
		d.WriteString(format)
	} else {
		fmt.Fprintf(d, format, args...)
	}
	d.WriteByte('\n')
}

// group writes 48619 as 48 619.
func group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// percent rounds down: 99.99 % is not 100 %.
func percent(p float64) string { return fmt.Sprintf("%.2f %%", float64(int(p*100+1e-6))/100) }

func (d *page) suite(r *Report) {
	inScope := r.Passed + r.Failed + r.Skipped - r.Outside
	d.line("## test262")
	d.line("")
	d.line("| | tests | |")
	d.line("|---|---:|---|")
	d.line("| `test/language`, `test/built-ins`, `test/annexB` | %s | tc39/test262 at %s |", group(r.Passed+r.Failed+r.Skipped), orDash(r.Suite))
	d.line("| out of scope | %s | Temporal, ShadowRealm, shared memory: see [Left out](#left-out) |", group(r.Outside))
	d.line("| in scope | %s | |", group(inScope))
	d.line("| passed | %s | |", group(r.Passed))
	d.line("| failed | %s | of them %d crashed, %d hung |", group(r.Failed), r.Crashed, r.Hung)
	d.line("| in scope, but left out | %s | counted as failed in the rate below |", group(r.Skipped-r.Outside))
	d.line("| **rate in scope** | **%s** | passed of all in scope |", percent(r.strict()))
	d.line("| rate of those that were run | %s | passed of passed and failed |", percent(r.percent()))
	d.line("")
	d.line("A test counts as passed when it passes in each mode it is to be run in (sloppy and strict, or as its flags say). Out of")
	d.line("scope is a test whose frontmatter names the feature `Temporal`, `ShadowRealm`, `SharedArrayBuffer` or `Atomics.waitAsync`,")
	d.line("that has the flag `CanBlockIsTrue`, or whose text uses `$262.agent`; nothing else is. Tests that use `SharedArrayBuffer`")
	d.line("without naming the feature are in scope, and fail.")
	d.line("")
	d.line("```sh")
	d.line("go run ./conformance --test262 DIR --jobs 2 --save %s   # the whole suite, %.0f s here", resultsFile, r.Seconds)
	d.line("go run ./conformance --test262 DIR --area built-ins/Array --by-message --list-failures   # one area")
	d.line("```")
	d.line("")
}

func (d *page) areas(title string, r *Report) {
	if title != "" {
		d.line("## %s", title)
		d.line("")
	}
	d.line("| area | passed | failed | left out | out of scope | of run | in scope |")
	d.line("|---|---:|---:|---:|---:|---:|---:|")
	row := func(name string, c Count) {
		run, in := "–", "–"
		if c.Passed+c.Failed > 0 {
			run = percent(c.percent())
		}
		if c.Passed+c.Failed+c.Skipped > c.Outside {
			in = percent(c.strict())
		}
		d.line("| %s | %s | %s | %s | %s | %s | %s |", name, group(c.Passed), group(c.Failed), group(c.Skipped-c.Outside), group(c.Outside), run, in)
	}
	top := map[string]Count{}
	names := make([]string, 0, len(r.Areas))
	for a, c := range r.Areas {
		names = append(names, a)
		first, _, _ := strings.Cut(a, "/")
		t := top[first]
		t.Passed += c.Passed
		t.Failed += c.Failed
		t.Skipped += c.Skipped
		t.Outside += c.Outside
		top[first] = t
	}
	sort.Strings(names)
	last := ""
	for _, a := range names {
		if first, _, _ := strings.Cut(a, "/"); first != last {
			last = first
			row("**"+first+"**", top[first])
		}
		if strings.Contains(a, "/") {
			row(a, *r.Areas[a])
		}
	}
	d.line("")
}

func (d *page) failures(r *Report) {
	d.line("## Failures by cause")
	d.line("")
	byCause := map[string][]string{}
	var order []string
	for _, f := range r.Failures {
		c := causeOf(f)
		if byCause[c] == nil {
			order = append(order, c)
		}
		byCause[c] = append(byCause[c], f.Test)
	}
	if len(order) == 0 {
		d.line("None.")
		d.line("")
		return
	}
	sort.SliceStable(order, func(i, j int) bool { return len(byCause[order[i]]) > len(byCause[order[j]]) })
	for _, c := range order {
		tests := byCause[c]
		d.line("- **%d**: %s", len(tests), c)
		for _, t := range tests {
			d.line("  - `%s`", t)
		}
	}
	d.line("")
}

func (d *page) skips(r *Report) {
	d.line("## Left out")
	d.line("")
	for _, outside := range []bool{false, true} {
		if outside {
			d.line("Out of scope:")
		} else {
			d.line("In scope; counted strictly, these fail:")
		}
		d.line("")
		d.line("| tests | for | why |")
		d.line("|---:|---|---|")
		for _, s := range r.Skips {
			if s.Outside == outside {
				d.line("| %s | `%s` | %s |", group(s.Tests), s.What, s.Reason)
			}
		}
		d.line("")
	}
}

func (d *page) stress(r, slow *Report) {
	d.line("## Collecting at every safepoint")
	d.line("")
	d.line("The same suite with a garbage collection at every point where there may be one, and what is freed overwritten: %s passed,", group(r.Passed))
	d.line("%s failed, %s were left out as above. %s", group(r.Failed), group(r.Skipped), stressWords(r))
	args := ""
	if r.Except != "" {
		args = " --except " + r.Except
		d.line("The %s tests of folders where most go through all code points, which would take hours, were run with a collection at", group(slow.Passed+slow.Failed))
		d.line("every %dth such point: %s passed, %s failed.", slow.Every, group(slow.Passed), group(slow.Failed))
	}
	d.line("")
	d.line("```sh")
	d.line("go run ./conformance --test262 DIR --jobs 2 --stress --timeout %s%s --save %s   # %.0f min here", orDash(r.Timeout), args, stressFile, r.Seconds/60)
	if r.Again != "" {
		d.line("go run ./conformance --test262 DIR --jobs 2 --stress --timeout %s --rerun %s --save %s   # what ran out of time", r.Again, stressFile, stressFile)
	}
	d.line("go run ./conformance --test262 DIR --jobs 2 --stress --stress-every %d --timeout %s --area %s --save %s", slow.Every, slow.Timeout, slow.Only, slowFile)
	d.line("```")
	d.line("")
	if len(r.Failures) == 0 {
		return
	}
	byCause := map[string]int{}
	var order []string
	for _, f := range r.Failures {
		c := causeOf(f)
		if byCause[c]++; byCause[c] == 1 {
			order = append(order, c)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return byCause[order[i]] > byCause[order[j]] })
	d.line("| failed | why |")
	d.line("|---:|---|")
	for _, c := range order {
		d.line("| %d | %s |", byCause[c], strings.ReplaceAll(c, "|", "\\|"))
	}
	d.line("")
}

// stressWords says what the failures of a stress run have in common.
func stressWords(r *Report) string {
	slow := 0
	for _, f := range r.Failures {
		if causeOf(f) == "ran out of time" {
			slow++
		}
	}
	if r.Crashed+r.Hung > 0 {
		return fmt.Sprintf("%d crashed and %d hung.", r.Crashed, r.Hung)
	}
	return fmt.Sprintf("None crashed or hung; %s of the failures are tests that were too slow for their time.", group(slow))
}

func (d *page) packages(p *packageResults) {
	ok := 0
	distinct := map[string]bool{}
	for _, r := range p.Packages {
		if r.OK {
			ok++
		}
		distinct[r.Package] = true
	}
	d.line("## npm packages")
	d.line("")
	d.line("Published builds of %d packages, loaded unchanged, each driven by a program of its own and some by a second one with much", len(distinct))
	d.line("work (`conformance/packages/drivers`): %d of %d print what node prints. Times are in ms, the best of %d, each run in a fresh", ok, len(p.Packages), p.Runs)
	d.line("machine or context: load is parsing, compiling and running the files, drive the driver. node is %s, with its", p.Node)
	d.line("just-in-time compilers.")
	d.line("")
	d.line("| package | version | as node | load | node | drive | node |")
	d.line("|---|---|---|---:|---:|---:|---:|")
	for _, r := range p.Packages {
		agrees := "yes"
		if !r.OK {
			agrees = "**no**"
		}
		name := r.Name
		d.line("| %s | %s | %s | %.1f | %.1f | %.1f | %.1f |", name, r.Version, agrees, r.LoadMS, r.NodeLoadMS, r.RunMS, r.NodeRunMS)
	}
	d.line("")
	d.line("```sh")
	d.line("conformance/packages/fetch.sh DIR   # installs them with npm")
	d.line("go run ./conformance/packages --dir DIR --runs %d --save %s", p.Runs, packagesFile)
	d.line("```")
}
