package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/meter"
)

// Status is how a test ended.
type Status string

// The statuses. Crash and Hang are failures, too.
const (
	Pass        Status = "pass"
	Fail        Status = "fail"
	Skip        Status = "skip"
	CrashStatus Status = "crash"
	HangStatus  Status = "hang"
)

// Result is the outcome of one test.
type Result struct {
	Test     string
	Status   Status
	Skip     string // what the test was left out for
	Reason   string // why
	Outside  bool   // … and whether that puts it out of scope
	Mode     string // the modes it failed in: "sloppy", "strict", "sloppy+strict", "module", "raw"
	Expected string
	Got      string
	Trace    string // a script's or Go's stack
	Duration time.Duration
}

// Config is how tests are run.
type Config struct {
	Fuel    int64
	Memory  int64
	Timeout time.Duration
	Stress  bool
	Every   int  // safepoints from one collection to the next under Stress
	Intl    bool // run the tests of ECMA-402
}

// Runner runs tests against an engine.
type Runner struct {
	Suite  *Suite
	Engine Engine
	Config Config
}

// Run runs a test in all its modes. It doesn't panic.
func (r *Runner) Run(ctx context.Context, name string) (res Result) {
	start := time.Now()
	res.Test = name
	defer func() {
		if p := recover(); p != nil {
			res.Status, res.Got, res.Trace = CrashStatus, fmt.Sprintf("panic: %v", p), string(debug.Stack())
		}
		res.Duration = time.Since(start)
	}()
	t, err := r.Suite.Read(name)
	if err != nil {
		res.Status, res.Expected, res.Got = Fail, "a readable test", err.Error()
		return res
	}
	if rule, what := skip(r.Engine, t, r.Config.Intl); rule != nil {
		res.Status, res.Skip, res.Reason, res.Outside = Skip, what, rule.reason, rule.outside
		return res
	}
	res.Status, res.Expected = Pass, expected(t.Meta)
	var failed []string
	for _, m := range modes(t.Meta) {
		status, got, trace := r.runMode(ctx, t, m)
		if status == Pass {
			continue
		}
		failed = append(failed, string(m))
		if len(failed) == 1 || status == CrashStatus && res.Status != CrashStatus {
			res.Status, res.Got, res.Trace = status, got, trace
		}
	}
	res.Mode = strings.Join(failed, "+")
	return res
}

// mode is a way of running a test.
type mode string

const (
	sloppy mode = "sloppy"
	strict mode = "strict"
	module mode = "module"
	raw    mode = "raw"
)

// modes returns the ways a test is to be run (INTERPRETING.md of the suite).
func modes(m *Meta) []mode {
	switch {
	case m.Has("module"):
		return []mode{module}
	case m.Has("raw"):
		return []mode{raw}
	case m.Has("onlyStrict"):
		return []mode{strict}
	case m.Has("noStrict"):
		return []mode{sloppy}
	}
	return []mode{sloppy, strict}
}

const (
	asyncComplete = "Test262:AsyncTestComplete"
	asyncFailure  = "Test262:AsyncTestFailure:"
)

func expected(m *Meta) string {
	switch {
	case m.Negative != nil:
		return fmt.Sprintf("%s in phase %s", m.Negative.Type, m.Negative.Phase)
	case m.Has("async"):
		return "completion without error"
	}
	return "no error"
}

// runMode runs a test once, in a realm of its own.
func (r *Runner) runMode(ctx context.Context, t *Test, m mode) (status Status, got, trace string) {
	defer func() {
		if p := recover(); p != nil {
			status, got, trace = CrashStatus, fmt.Sprintf("panic: %v", p), string(debug.Stack())
		}
	}()
	var printed []string
	async := t.Meta.Has("async")
	err := r.evaluate(ctx, t, m, func(text string) {
		// Only the messages of doneprintHandle.js matter; a test that prints
		// without end must not fill the memory of the runner.
		if len(printed) < 100 {
			printed = append(printed, text)
		}
	})
	var crash *Crash
	if errors.As(err, &crash) {
		return CrashStatus, crash.Error(), crash.Stack
	}
	var thrown *Thrown
	isThrown := errors.As(err, &thrown)
	if n := t.Meta.Negative; n != nil {
		switch {
		case err == nil:
			return Fail, "no error", ""
		case !isThrown:
			return Fail, describe(err), ""
		case thrown.Phase != n.Phase || thrown.Constructor != n.Type:
			return Fail, fmt.Sprintf("%s in phase %s (%s)", orNone(thrown.Constructor), thrown.Phase, thrown.Text), thrown.Stack
		}
		return Pass, "", ""
	}
	if err != nil {
		if isThrown {
			trace = thrown.Stack
		}
		return Fail, describe(err), trace
	}
	if !async {
		return Pass, "", ""
	}
	complete := false
	for _, p := range printed {
		if rest, ok := strings.CutPrefix(p, asyncFailure); ok {
			return Fail, "async: " + rest, ""
		}
		complete = complete || p == asyncComplete
	}
	if !complete {
		return Fail, "async: $DONE was never called", ""
	}
	return Pass, "", ""
}

func orNone(name string) string {
	if name == "" {
		return "a value without a constructor"
	}
	return name
}

func describe(err error) string {
	var limit *meter.LimitError
	if errors.As(err, &limit) {
		return "limit: " + limit.Kind.String() + ": " + limit.Error()
	}
	var thrown *Thrown
	if errors.As(err, &thrown) {
		if thrown.Phase != PhaseRuntime {
			return fmt.Sprintf("%s (phase %s)", thrown.Text, thrown.Phase)
		}
		return thrown.Text
	}
	return "engine: " + err.Error()
}

// errHarness marks a failure of a harness file, which is never what a test
// expects.
type errHarness struct {
	name string
	err  error
}

func (e *errHarness) Error() string { return "harness/" + e.name + ": " + describe(e.err) }

// evaluate runs the harness and the test in a fresh realm and then all jobs.
func (r *Runner) evaluate(ctx context.Context, t *Test, m mode, print func(string)) error {
	// Parse errors first: they need no realm.
	var program Program
	if m != module {
		source := t.Source
		if m == strict {
			source = "\"use strict\";\n" + source
		}
		var err error
		if program, err = r.Engine.Compile(t.Name, source); err != nil {
			return err
		}
	}
	realm, err := r.Engine.NewRealm(RealmOptions{
		Context: ctx,
		Fuel:    r.Config.Fuel,
		Memory:  r.Config.Memory,
		Timeout: r.Config.Timeout,
		Stress:  r.Config.Stress,
		Every:   r.Config.Every,
		Print:   print,
		Load:    r.Suite.Load,
	})
	if err != nil {
		return fmt.Errorf("new realm: %w", err)
	}
	defer realm.Close()
	if !t.Meta.Has("raw") {
		names := []string{"assert.js", "sta.js"}
		if t.Meta.Has("async") {
			names = append(names, "doneprintHandle.js")
		}
		for _, name := range append(names, t.Meta.Includes...) {
			p, err := r.Suite.Harness(r.Engine, name)
			if err == nil {
				err = realm.Script(p)
			}
			var crash *Crash
			if errors.As(err, &crash) {
				return err
			}
			if err != nil {
				return &errHarness{name, err}
			}
		}
	}
	if m == module {
		err = realm.Module(t.Name, t.Source)
	} else {
		err = realm.Script(program)
	}
	if err != nil {
		return err
	}
	return realm.Jobs()
}
