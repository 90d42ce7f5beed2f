package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 0, 1 for crashed or hung
// tests or too few passed, 2 for wrong usage.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		dir        = flags.String("test262", os.Getenv("TEST262_DIR"), "the checkout of test262, `DIR`; $TEST262_DIR if not given")
		area       = flags.String("area", "", "run only this folder or file below test/; several with commas")
		except     = flags.String("except", "", "leave out these folders below test/, with commas")
		filter     = flags.String("filter", "", "run only tests whose name contains `SUBSTR`")
		sampleN    = flags.Int("sample", 0, "run only `N` tests, spread over all, the same every time")
		rerun      = flags.String("rerun", "", "run only the tests that failed in the report `FILE`")
		jsonOut    = flags.String("json", "", "write the report to `FILE` as JSON")
		baseline   = flags.String("baseline", "", "compare with the report `FILE`: what is fixed, what fails newly")
		jobs       = flags.Int("jobs", runtime.GOMAXPROCS(0), "tests run side by side")
		stress     = flags.Bool("stress", false, "collect garbage at every safepoint")
		every      = flags.Int("stress-every", 1, "with --stress, collect at every `N`-th safepoint only")
		fuel       = flags.Int64("fuel", 500_000_000, "fuel of one run of a test")
		memory     = flags.String("memory", "512MiB", "live memory of one run of a test")
		timeout    = flags.Duration("timeout", 10*time.Second, "time of one run of a test")
		intl       = flags.Bool("intl", false, "run the tests of ECMA-402: without --area, test/intl402")
		list       = flags.Bool("list-failures", false, "print every failure")
		groups     = flags.Bool("by-message", false, "print the most frequent failure messages, with an example each")
		groupN     = flags.Int("groups", 60, "number of messages that --by-message prints")
		slowest    = flags.Int("slowest", 10, "number of slowest tests that are printed")
		minimum    = flags.Float64("min", 0, "exit with 1 when fewer than this `PERCENT` of the tests that ran passed")
		isolate    = flags.Bool("isolate", false, "run the tests in child processes, which may die")
		engineName = flags.String("engine", "pinfold", "pinfold, or node to see how the installed node does")
		saveFile   = flags.String("save", "", "write to `FILE` what docs/CONFORMANCE.md needs of the report; with --rerun, of that report and what passes now")
		commit     = flags.String("commit", "", "the commit of the suite, if DIR does not tell")
		writeDoc   = flags.String("write", "", "make the document `FILE` of the saved results, and run nothing")
		verbose    = flags.Bool("v", false, "print every failure with its stack, of the script or, for a crash, of Go")
		profile    = flags.String("cpuprofile", "", "write a CPU profile to `FILE`")
		worker     = flags.Bool("worker", false, "read names of tests, write results: the other side of --isolate")
	)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: conformance --test262 DIR [flags] [TEST ...]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "conformance: %v\n", err)
		return 2
	}
	if *writeDoc != "" {
		text, err := document(".")
		if err == nil {
			err = os.WriteFile(*writeDoc, []byte(text), 0o644)
		}
		if err != nil {
			return fail(err)
		}
		return 0
	}
	if *dir == "" {
		return fail(fmt.Errorf("no suite: give --test262 DIR, a checkout of https://github.com/tc39/test262"))
	}
	suite, err := openSuite(*dir)
	if err != nil {
		return fail(err)
	}
	bytes, err := parseBytes(*memory)
	if err != nil {
		return fail(fmt.Errorf("--memory: %w", err))
	}
	engine, closeEngine, err := openEngine(*engineName, *dir)
	if err != nil {
		return fail(err)
	}
	defer closeEngine()
	runner := &Runner{Suite: suite, Engine: engine, Config: Config{Fuel: *fuel, Memory: bytes, Timeout: *timeout, Stress: *stress, Every: *every, Intl: *intl}}
	if *worker {
		if err := serve(ctx, runner, stdin, stdout); err != nil {
			return fail(err)
		}
		return 0
	}
	if *intl && *area == "" {
		*area = "intl402"
	}
	sel := Selection{Area: *area, Except: *except, Filter: *filter, Sample: *sampleN}
	for _, name := range flags.Args() {
		if i := strings.LastIndex(name, "test262/test/"); i >= 0 {
			name = name[i+len("test262/test/"):]
		}
		sel.Names = append(sel.Names, strings.TrimPrefix(strings.TrimPrefix(name, suite.dir+"/"), "test/"))
	}
	var old *Report
	if *rerun != "" {
		if old, err = readReport(*rerun); err != nil {
			return fail(err)
		}
		for _, f := range old.Failures {
			if strings.Contains(f.Test, *filter) {
				sel.Names = append(sel.Names, f.Test)
			}
		}
		if len(sel.Names) == 0 {
			return fail(fmt.Errorf("--rerun: the report has no such failure"))
		}
	}
	names, err := suite.Select(sel)
	if err != nil {
		return fail(err)
	}
	if len(names) == 0 {
		return fail(fmt.Errorf("no test matches"))
	}
	shown := show{failures: *list || *verbose, verbose: *verbose}
	if *groups {
		shown.byMessage = *groupN
	}
	if *baseline != "" {
		if shown.baseline, err = readReport(*baseline); err != nil {
			return fail(err)
		}
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return fail(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fail(err)
		}
		defer pprof.StopCPUProfile()
	}

	newExecutor := func() executor { return &inProcess{runner} }
	if *isolate {
		childArgs := []string{"--worker", "--engine", *engineName, "--test262", *dir, "--fuel", strconv.FormatInt(*fuel, 10),
			"--memory", *memory, "--timeout", timeout.String(), "--stress=" + strconv.FormatBool(*stress), "--stress-every", strconv.Itoa(*every), "--intl=" + strconv.FormatBool(*intl)}
		newExecutor = func() executor {
			return &childProcess{args: childArgs, watchdog: runner.Config.watchdog()}
		}
	}
	report := newReport(engine.Name(), *stress)
	start := time.Now()
	lastLine := start
	done := 0
	runAll(ctx, names, *jobs, newExecutor, func(res Result) {
		report.add(res)
		done++
		if res.Status == HangStatus || *verbose && res.Status == CrashStatus {
			fmt.Fprintf(stderr, "%s %s: %s\n", res.Status, res.Test, clip(res.Got, 300))
		}
		if now := time.Now(); now.Sub(lastLine) > 10*time.Second {
			lastLine = now
			fmt.Fprintf(stderr, "%d of %d tests, %d failed, %.0f s\n", done, len(names), report.Failed, now.Sub(start).Seconds())
		}
	})
	report.finish(time.Since(start), *slowest)
	report.print(stdout, shown)
	if *jsonOut != "" {
		if err := report.writeJSON(*jsonOut); err != nil {
			return fail(err)
		}
	}
	if *saveFile != "" {
		report.Suite, report.Revision, report.Timeout, report.Except = *commit, revision("."), timeout.String(), *except
		report.Only = *area
		if *stress && *every > 1 {
			report.Every = *every
		}
		if report.Suite == "" {
			report.Suite = revision(*dir)
		}
		saved := report
		if old != nil {
			old.passAgain(report)
			saved = old
		}
		if err := saved.save(*saveFile); err != nil {
			return fail(err)
		}
	}
	if ctx.Err() != nil {
		fmt.Fprintf(stderr, "conformance: interrupted after %d of %d tests\n", done, len(names))
		return 1
	}
	if report.Crashed > 0 || report.Hung > 0 {
		return 1
	}
	if report.percent() < *minimum {
		fmt.Fprintf(stderr, "conformance: %.2f%% passed, %.2f%% asked for\n", report.percent(), *minimum)
		return 1
	}
	return 0
}

// revision returns the commit of a checkout, "" if dir is none.
func revision(dir string) string {
	out, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// parseBytes reads 512MiB, 64KiB, 1GiB or a plain number.
func parseBytes(s string) (int64, error) {
	num, shift := s, 0
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		if rest, ok := strings.CutSuffix(s, unit); ok {
			num, shift = rest, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(num), 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("%q is not a size such as 512MiB", s)
	}
	return n << shift, nil
}

// openEngine opens an engine by name.
func openEngine(name, dir string) (e Engine, closeIt func(), err error) {
	switch name {
	case "pinfold":
		e, err = openPinfold()
		return e, func() {}, err
	case "node":
		n, err := openNode(dir)
		if err != nil {
			return nil, nil, err
		}
		return n, n.Close, nil
	}
	return nil, nil, fmt.Errorf("--engine: %q is neither pinfold nor node", name)
}
