package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/spf13/cobra"
)

// flags are those of run and eval.
type flags struct {
	input         string
	json          bool
	explain       bool
	memory        size
	timeout       time.Duration
	fuel          count
	stack         count
	output        size
	source        size
	deterministic bool
	time          string
	seed          uint64
	timers        bool
	legacy        bool
	isolation     string
}

func (f *flags) add(cmd *cobra.Command) {
	d := (pinfold.Limits{}).WithDefaults()
	f.memory, f.output, f.source = size(d.MemoryBytes), size(d.OutputBytes), size(d.SourceBytes)
	f.fuel, f.stack = count(d.Fuel), count(d.CallDepth)
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.input, "input", "", "the program's input: a JSON `FILE`, - for standard input, or JSON text")
	fs.BoolVar(&f.json, "json", false, "print one JSON object with value, console, failure and usage")
	fs.BoolVar(&f.explain, "explain", false, "report a failure in full: where the wrong value came from, variables, stack")
	fs.Var(&f.memory, "memory", "most memory that may be alive at once")
	fs.DurationVar(&f.timeout, "timeout", d.Timeout, "longest time the run may take")
	fs.Var(&f.fuel, "fuel", "most units of work")
	fs.Var(&f.stack, "stack", "most calls inside each other")
	fs.Var(&f.output, "output-limit", "most bytes of console output")
	fs.Var(&f.source, "source-limit", "most bytes of source text")
	fs.BoolVar(&f.deterministic, "deterministic", false, "same input, same run: a clock that stands, UTC, seeded Math.random")
	fs.StringVar(&f.time, "time", "", "stop the program's clock at a `TIME` such as 2026-01-31T09:00:00Z")
	fs.BoolVar(&f.timers, "timers", false, "give the program setTimeout, setInterval, clearTimeout and clearInterval")
	fs.StringVar(&f.isolation, "isolation", pinfold.InProcess.String(), "where the program runs: in-process, or process for a worker process without files, network and most system calls")
	fs.BoolVar(&f.legacy, "legacy-decorators", false, "decorators are those of TypeScript's experimentalDecorators")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of Math.random; 0 is a new one for each run, unless --deterministic is set")
}

// options turns the flags into options of a sandbox.
func (f *flags) options() (pinfold.Options, error) {
	opt := pinfold.Options{
		Limits: pinfold.Limits{
			MemoryBytes: int64(f.memory), Timeout: f.timeout, Fuel: int64(f.fuel), CallDepth: int(f.stack),
			OutputBytes: int64(f.output), SourceBytes: int64(f.source),
		},
		Deterministic: f.deterministic,
		Seed:          f.seed,
		Timers:        f.timers,

		LegacyDecorators: f.legacy,
	}
	tier, err := pinfold.ParseIsolation(f.isolation)
	if err != nil {
		return opt, fmt.Errorf("--isolation: %w", err)
	}
	if opt.Isolation = tier; tier == pinfold.Process {
		opt.Workers.Max = 1
	}
	if f.timeout <= 0 {
		return opt, fmt.Errorf("--timeout: %v is not a time to run: give one like 2s or 500ms", f.timeout)
	}
	if f.time != "" {
		t, err := time.Parse(time.RFC3339Nano, f.time)
		if err != nil {
			return opt, fmt.Errorf("--time: %q is not a time: write it like 2026-01-31T09:00:00Z", f.time)
		}
		opt.FixedTime = t
	}
	return opt, nil
}

func newRun() *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program from a file, or from standard input with -",
		Long: `Run a program. FILE is the body of an async function with input and console in
scope: its return is the value, and a lone expression is its own value. A file
with import or export is a module: its default export is the value, or, if that
is a function, what it returns when it is called with the input.

Files named .ts are TypeScript. Console lines are printed as they come, then the
value after "=> ". Errors, and the lines of console.warn and console.error, go
to standard error.`,
		Example: `  pinfold run report.ts --input orders.json
  pinfold run - --input '{"n": 3}' --timeout 500ms < program.js`,
		Args: oneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "-" && f.input == "-" {
				return errors.New("the program and --input can't both come from standard input")
			}
			name, source, err := readSource(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			return f.run(cmd, name, source)
		},
	}
	f.add(cmd)
	return cmd
}

func newEval() *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:   "eval CODE",
		Short: "Run a program given on the command line",
		Example: `  pinfold eval '[3, 1, 2].toSorted()'
  pinfold eval 'return input.map(x => x * 2)' --input '[1, 2, 3]'`,
		Args: oneArg("CODE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, "eval", args[0]) },
	}
	f.add(cmd)
	return cmd
}

func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one argument, %s, not %d; see pinfold %s --help", cmd.Name(), what, len(args), cmd.Name())
		}
		return nil
	}
}

// readSource reads a program. Its name is the file's own, never its path: the
// program can see it in stack traces.
func readSource(path string, in io.Reader) (name, source string, err error) {
	if path == "-" {
		b, err := io.ReadAll(in)
		return "stdin", string(b), err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", "", fileError(path, err)
	}
	return filepath.Base(path), string(b), nil
}

func fileError(path string, err error) error {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", path)
	case errors.As(err, &pe):
		return fmt.Errorf("%s: %v", path, pe.Err)
	}
	return err
}

// readInput returns the input as JSON; nil when there is none.
func (f *flags) readInput(in io.Reader) (any, error) {
	text := []byte(f.input)
	what := "--input"
	switch {
	case f.input == "":
		return nil, nil
	case f.input == "-":
		b, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		text, what = b, "standard input"
	case !json.Valid(text):
		b, err := os.ReadFile(f.input)
		switch {
		case err == nil:
			text, what = b, f.input
		case strings.ContainsAny(f.input[:1], `{["`):
			// Meant as JSON: the reason why it isn't is below.
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("--input: %q is neither a file nor JSON", f.input)
		default:
			return nil, fileError(f.input, err)
		}
	}
	if err := checkJSON(text); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w", what, err)
	}
	return json.RawMessage(text), nil
}

// checkJSON reports where a text isn't JSON.
func checkJSON(text []byte) error {
	if json.Valid(text) {
		return nil
	}
	var v any
	err := json.Unmarshal(text, &v)
	var se *json.SyntaxError
	if !errors.As(err, &se) {
		return err
	}
	before := string(text[:max(0, min(int(se.Offset)-1, len(text)))])
	line := 1 + strings.Count(before, "\n")
	column := 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	return fmt.Errorf("%w at line %d, column %d", err, line, column)
}

// run runs a program and prints its outcome.
func (f *flags) run(cmd *cobra.Command, name, source string) error {
	opt, err := f.options()
	if err != nil {
		return err
	}
	input, err := f.readInput(cmd.InOrStdin())
	if err != nil {
		return err
	}
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if !f.json {
		opt.Console = func(l pinfold.ConsoleLine) {
			w := out
			if l.Level == "warn" || l.Level == "error" {
				w = errs
			}
			fmt.Fprintln(w, l.Text)
		}
	}
	sandbox, err := pinfold.New(opt)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "pinfold: "))
	}
	defer sandbox.Close()
	o := sandbox.Eval(cmd.Context(), name, source, input)
	if f.json {
		err = printJSON(out, o)
	} else {
		err = printText(out, errs, o, f.explain)
	}
	if err != nil {
		return err
	}
	if o.Failure != nil && o.Failure.GoStack() != "" {
		fmt.Fprintln(errs, o.Failure.GoStack())
	}
	if code := exitCode(o.Failure); code != exitOK {
		return exitError(code)
	}
	return nil
}
