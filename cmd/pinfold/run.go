package main

import (
	"context"
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

	grants grantFlags
	tape   tapeFlags
}

func (f *flags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.input, "input", "", "the program's input: a JSON `FILE`, - for standard input, or JSON text")
	f.addCommon(cmd)
	_ = cmd.MarkFlagFilename("input", "json")
}

// addCommon adds the flags that calls of tools have, too.
func (f *flags) addCommon(cmd *cobra.Command) {
	d := (pinfold.Limits{}).WithDefaults()
	f.memory, f.output, f.source = size(d.MemoryBytes), size(d.OutputBytes), size(d.SourceBytes)
	f.fuel, f.stack = count(d.Fuel), count(d.CallDepth)
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.json, "json", false, "print one JSON object with value, console, failure and usage")
	fs.BoolVar(&f.explain, "explain", false, "report a failure in full: where the wrong value came from, variables, stack")
	f.grants.add(cmd)
	f.tape.add(cmd)
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
	_ = cmd.RegisterFlagCompletionFunc("isolation", cobra.FixedCompletions([]string{pinfold.InProcess.String(), pinfold.Process.String()}, cobra.ShellCompDirectiveNoFileComp))
}

// apply sets the options that flags say, over those of a configuration.
func (f *flags) apply(cmd *cobra.Command, opt *pinfold.Options) error {
	set := func(name string) bool { return cmd.Flags().Changed(name) }
	l := &opt.Limits
	for name, into := range map[string]func(){
		"memory": func() { l.MemoryBytes = int64(f.memory) }, "timeout": func() { l.Timeout = f.timeout }, "fuel": func() { l.Fuel = int64(f.fuel) },
		"stack": func() { l.CallDepth = int(f.stack) }, "output-limit": func() { l.OutputBytes = int64(f.output) },
		"source-limit": func() { l.SourceBytes = int64(f.source) }, "deterministic": func() { opt.Deterministic = f.deterministic },
		"seed": func() { opt.Seed = f.seed }, "timers": func() { opt.Timers = f.timers }, "legacy-decorators": func() { opt.LegacyDecorators = f.legacy },
	} {
		if set(name) {
			into()
		}
	}
	if set("isolation") {
		tier, err := pinfold.ParseIsolation(f.isolation)
		if err != nil {
			return fmt.Errorf("--isolation: %w", err)
		}
		opt.Isolation = tier
	}
	if opt.Isolation == pinfold.Process {
		opt.Workers.Max = 1
	}
	if set("timeout") && f.timeout <= 0 {
		return fmt.Errorf("--timeout: %v is not a time to run: give one like 2s or 500ms", f.timeout)
	}
	if f.time != "" {
		t, err := time.Parse(time.RFC3339Nano, f.time)
		if err != nil {
			return fmt.Errorf("--time: %q is not a time: write it like 2026-01-31T09:00:00Z", f.time)
		}
		opt.FixedTime = t
	}
	return nil
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

The program can compute and nothing else, but for what --allow-read, --allow-write,
--allow-net, --store and --config grant: ctx has functions for it.

Files named .ts are TypeScript. Console lines are printed as they come, then the
value after "=> ". Errors, and the lines of console.warn and console.error, go
to standard error.`,
		Example: `  pinfold run report.ts --input orders.json
  pinfold run - --input '{"n": 3}' --timeout 500ms < program.js
  pinfold run fetch.js --allow-net api.example.com --record calls.jsonl
  pinfold run fetch.js --replay calls.jsonl`,
		Args:              oneArg("FILE"),
		ValidArgsFunction: sourceFiles,
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
	return f.once(cmd.Context(), cmd, name, source)
}

// once is run with a context of its own. When that ends before the command's, nobody
// wants to hear of the run any more.
func (f *flags) once(ctx context.Context, cmd *cobra.Command, name, source string) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	logs := errs
	if f.json {
		logs = nil
	}
	s, err := f.grants.open(cmd, &f.tape, f, logs)
	if err != nil {
		return err
	}
	defer s.close()
	input, err := f.readInput(cmd.InOrStdin())
	if err != nil {
		return err
	}
	if !f.json {
		s.opt.Console = func(l pinfold.ConsoleLine) {
			w := out
			if l.Level == "warn" || l.Level == "error" {
				w = errs
			}
			fmt.Fprintln(w, l.Text)
		}
	}
	x := &target{name: name, source: source, input: input}
	mine := ctx
	if ctx, err = s.begin(ctx, &f.tape, x); err != nil {
		return err
	}
	sandbox, err := pinfold.New(s.opt)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "pinfold: "))
	}
	defer sandbox.Close()
	o := sandbox.Eval(ctx, name, source, x.input)
	if err := s.end(o); err != nil {
		return err
	}
	if mine.Err() != nil && cmd.Context().Err() == nil {
		return mine.Err()
	}
	hintGrant(o.Failure)
	if f.json {
		err = printJSON(out, o, s)
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

// sourceFiles completes the names of programs.
func sourceFiles(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"js", "ts", "mjs", "mts", "cjs", "cts"}, cobra.ShellCompDirectiveFilterFileExt
}
