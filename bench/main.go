package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	pf "github.com/pinfold-js/pinfold"
)

func main() {
	pf.WorkerMain()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 0, 1 when engines disagree or
// fail, 2 for wrong usage.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		only     = flags.String("only", "", "measure only these `NAMES`, with commas: programs, fresh, worker, waiting, door, snippet, host")
		which    = flags.String("engines", "", "measure only these engines, with commas; node stands for both ways of calling it")
		runs     = flags.Int("runs", 5, "calls of main that are measured")
		limit    = flags.Duration("limit", 10*time.Second, "a call that takes longer is stopped and counts as that long")
		markdown = flags.String("markdown", "", "write the table to `FILE` as Markdown, too")
	)
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 2
	}
	if flags.NArg() > 0 || *runs < 1 {
		return fail(fmt.Errorf("wrong arguments; see --help"))
	}
	t, err := measure(wanted(*only), wanted(*which), *runs, *limit, stderr)
	if err != nil {
		return fail(err)
	}
	t.writeText(stdout)
	if *markdown != "" {
		f, err := os.Create(*markdown)
		if err != nil {
			return fail(err)
		}
		t.writeMarkdown(f)
		if err := f.Close(); err != nil {
			return fail(err)
		}
	}
	if bad := t.mismatches(); len(bad) > 0 {
		fmt.Fprintf(stdout, "\n%s\n", strings.Join(bad, "\n"))
		return 1
	}
	return 0
}

// wanted returns a test of names against a list with commas; an empty list
// means everything.
func wanted(list string) func(string) bool {
	if list == "" {
		return func(string) bool { return true }
	}
	set := map[string]bool{}
	for _, s := range strings.Split(list, ",") {
		set[strings.TrimSpace(s)] = true
	}
	return func(name string) bool { return set[name] }
}

func measure(only, which func(string) bool, runs int, limit time.Duration, progress io.Writer) (*table, error) {
	all, err := programs()
	if err != nil {
		return nil, err
	}
	t := &table{}
	var inside []engine
	for _, e := range engines() {
		if which(e.Name()) {
			inside = append(inside, e)
			t.engines = append(t.engines, e.Name())
		}
	}
	var outside []node
	version := nodeVersion()
	if version != "" && which("node") {
		for _, n := range nodes {
			outside = append(outside, n)
			t.engines = append(t.engines, n.name)
		}
	}
	if len(t.engines) == 0 {
		return nil, fmt.Errorf("no such engine")
	}
	t.about = []string{
		fmt.Sprintf("%s %s/%s, %d processors%s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor()),
		fmt.Sprintf("goja %s, modernc.org/quickjs %s, node %s", moduleVersion("github.com/dop251/goja"), moduleVersion("modernc.org/quickjs"), orNone(version)),
		fmt.Sprintf("median of %d calls after one to warm up, ± half the spread; ratios are times of the other engine in times of %s", runs, t.engines[0]),
	}
	add := func(r row) {
		for len(r.samples) < len(t.engines) {
			r.samples = append(r.samples, sample{})
		}
		t.rows = append(t.rows, r)
	}
	for _, p := range all {
		if !only(p.name) {
			continue
		}
		fmt.Fprintf(progress, "%s\n", p.name)
		r := row{name: p.name, samples: measureProgram(inside, p, runs, limit)}
		for _, n := range outside {
			s, err := n.measure(p, runs, limit)
			s.err = err
			r.samples = append(r.samples, s)
		}
		add(r)
	}
	if only("fresh") {
		fmt.Fprintln(progress, "fresh")
		r := row{name: "fresh run, prepared, limits on", micro: true}
		for _, e := range inside {
			fresh, err := e.Prepare(trivialSource)
			if err != nil {
				r.samples = append(r.samples, sample{err: err})
				continue
			}
			r.samples = append(r.samples, measureCalls(fresh, runs))
		}
		add(r)
	}
	if only("worker") && which("pinfold") {
		for _, w := range workerPrograms {
			fmt.Fprintln(progress, w.name)
			add(row{name: w.name, micro: true, samples: []sample{measureWorker(w.source, runs)}})
		}
	}
	if only("waiting") && which("pinfold") {
		fmt.Fprintln(progress, "waiting")
		for _, r := range measureWaiting(runs) {
			add(r)
		}
	}
	if only("door") && which("pinfold") {
		fmt.Fprintln(progress, "door")
		rows, err := measureDoors(runs, len(t.engines) > 1 && t.engines[1] == "goja")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if len(t.engines) == 1 {
				r.samples = r.samples[:1]
			}
			add(r)
		}
	}
	if only("snippet") {
		fmt.Fprintln(progress, "snippet")
		r := row{name: "compile + run, 200 characters", micro: true}
		for _, e := range inside {
			r.samples = append(r.samples, measureCalls(func() (string, error) { return e.Snippet(snippetSource) }, runs))
		}
		add(r)
	}
	if only("host") {
		for _, p := range hostPrograms {
			fmt.Fprintln(progress, p.name)
			r := row{name: p.name, micro: true}
			for _, s := range measureProgram(inside, p, runs, limit) {
				r.samples = append(r.samples, s.perCall(hostCalls))
			}
			add(r)
		}
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("nothing of that name")
	}
	return t, nil
}

func orNone(s string) string {
	if s == "" {
		return "not installed"
	}
	return s
}

// processor names the processor where the system tells.
func processor() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for _, l := range strings.Split(string(b), "\n") {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == "model name" {
			return ", " + strings.TrimSpace(v)
		}
	}
	return ""
}
