package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/ajs"
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atoms"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
	"github.com/spf13/cobra"
)

// ajsRun are the flags of ajs run.
type ajsRun struct {
	args         string
	options      string
	fuel         string
	timeout      time.Duration
	quotas       []string
	trace        bool
	allowNet     []string
	capabilities string
	code         bool
	original     bool
	seed         uint64
	time         string
	json         bool
}

func newAJSRun() *cobra.Command {
	f := &ajsRun{}
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run AJS source or a JSON program",
		Long: `Run AJS source, or a JSON program (a file that begins with {), or standard input
with -. The result is printed as JSON, warnings and errors on standard error.

Nothing is in reach but what the flags give: no network without --allow-net, no
model, no other agents, a store that lasts for the run. --capabilities has
answers written down, to try a program out:

  { "llm": { "returns": "yes" }, "fetch": { "throws": "no network" },
    "store": {}, "agent": { "hangs": true } }

--options has run options by their own names: fuel, timeoutMs, maxHeapBytes,
membraneMaxBytes, argsMaxBytes, maxSourceBytes, quotas, quotaUsed,
costOverrides, timeoutOverrides, trace, context. Flags count more.

With --json one object is printed: ok, result, error (message, op, kind),
transpileError, fuelUsed, trace, warnings. In the result {"$undefined": true} is
undefined and {"$number": "NaN"} a number that isn't finite; without --json the
result is what JSON.stringify makes of it.`,
		Example: `  pinfold ajs run agent.ajs --args '{"city": "Oslo"}' --allow-net api.example.com
  pinfold ajs run agent.json --args args.json --fuel 500 --quota llmPredict=2 --json`,
		Args: oneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.args, "args", "", "the arguments, one object: JSON text, or a JSON `FILE`")
	fs.StringVar(&f.options, "options", "", "run options: a JSON `FILE`, or JSON text")
	fs.StringVar(&f.fuel, "fuel", "", "most fuel; 1000 without it, \"unlimited\" for no bound but time")
	fs.DurationVar(&f.timeout, "timeout", 0, "longest time the run may take")
	fs.StringArrayVar(&f.quotas, "quota", nil, "most calls of an atom, as `ATOM=N`; 0 forbids it; may be given several times")
	fs.BoolVar(&f.trace, "trace", false, "record each step")
	fs.StringArrayVar(&f.allowNet, "allow-net", nil, "let httpFetch reach a `HOST`: api.example.com, host:port or *.example.com; may be given several times")
	fs.StringVar(&f.capabilities, "capabilities", "", "answers of capabilities: a JSON `FILE`, or JSON text")
	fs.BoolVar(&f.code, "code", false, "let programs run source: runCode and transpileCode")
	fs.BoolVar(&f.original, "original", false, "read source as the original tool does: no calls inside expressions")
	fs.Uint64Var(&f.seed, "seed", 0, "make chance a function of a seed, and stop the clock; 0 is real chance")
	fs.StringVar(&f.time, "time", "", "with --seed: where the clock stands, a `TIME` such as 2026-01-31T09:00:00Z")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// readData reads JSON text, or a JSON file.
func readData(flag, s string) (any, error) {
	text := []byte(s)
	if t := strings.TrimLeft(s, " \t\r\n"); t == "" || !strings.ContainsRune(`{["-0123456789tfn`, rune(t[0])) || fileExists(s) {
		var err error
		if text, err = os.ReadFile(s); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, fileError(s, err))
		}
	}
	d, err := ast.ParseData(text, ast.Limits{MaxBytes: 256 << 20, MaxNodes: math.MaxInt32, MaxDepth: 10_000})
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return d, nil
}

func fileExists(path string) bool {
	i, err := os.Stat(path)
	return err == nil && !i.IsDir()
}

func readObject(flag, s string) (ast.Object, error) {
	d, err := readData(flag, s)
	if err != nil {
		return nil, err
	}
	o, ok := d.(ast.Object)
	if !ok {
		return nil, fmt.Errorf("--%s: expected a JSON object", flag)
	}
	return o, nil
}

func (f *ajsRun) runOptions(cmd *cobra.Command, machine *vm.VM) ([]vm.Option, error) {
	var opts []vm.Option
	if f.options != "" {
		o, err := readObject("options", f.options)
		if err != nil {
			return nil, err
		}
		opts = append(opts, vm.OptionsFromData(o))
	}
	if f.fuel != "" {
		n, err := strconv.ParseFloat(f.fuel, 64)
		if f.fuel == "unlimited" {
			n, err = math.Inf(1), nil
		}
		if err != nil || n < 0 || n != n {
			return nil, fmt.Errorf("--fuel: %q is no amount of fuel: give a number that is not negative, or unlimited", f.fuel)
		}
		opts = append(opts, vm.WithFuel(n))
	}
	if cmd.Flags().Changed("timeout") {
		if f.timeout < 0 {
			return nil, fmt.Errorf("--timeout: %v is not a time to run: give one like 2s or 500ms", f.timeout)
		}
		opts = append(opts, vm.WithTimeout(f.timeout))
	}
	for _, q := range f.quotas {
		name, n, ok := strings.Cut(q, "=")
		v, err := strconv.ParseFloat(n, 64)
		if !ok || err != nil || v < 0 || v != v {
			return nil, fmt.Errorf("--quota: %q is no quota: write it like llmPredict=2", q)
		}
		if machine.Atom(name) == nil {
			return nil, fmt.Errorf("--quota: there is no atom %q", name)
		}
		opts = append(opts, vm.WithQuota(name, v))
	}
	if f.trace {
		opts = append(opts, vm.WithTrace())
	}
	var caps vm.Capabilities
	if f.capabilities != "" {
		o, err := readObject("capabilities", f.capabilities)
		if err != nil {
			return nil, err
		}
		if caps, err = atoms.Canned(o); err != nil {
			return nil, fmt.Errorf("--capabilities: %w", err)
		}
	}
	if len(f.allowNet) > 0 {
		caps.Client = &atoms.Client{}
		opts = append(opts, vm.WithDomains(f.allowNet...))
	}
	if f.code {
		caps.Code = ajs.Code(machine)
	}
	opts = append(opts, vm.WithCapabilities(caps))
	if f.seed != 0 {
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		if f.time != "" {
			t, err := time.Parse(time.RFC3339Nano, f.time)
			if err != nil {
				return nil, fmt.Errorf("--time: %q is not a time: write it like 2026-01-31T09:00:00Z", f.time)
			}
			start = t
		}
		opts = append(opts, vm.WithDeterminism(f.seed, start))
	} else if f.time != "" {
		return nil, errors.New("--time needs --seed")
	}
	return opts, nil
}

func (f *ajsRun) run(cmd *cobra.Command, path string) error {
	machine, err := vm.New()
	if err != nil {
		return err
	}
	name, source, err := readSource(path, cmd.InOrStdin())
	if err != nil {
		return err
	}
	opts, err := f.runOptions(cmd, machine)
	if err != nil {
		return err
	}
	var args any = ast.Object{}
	if f.args != "" {
		if args, err = readData("args", f.args); err != nil {
			return err
		}
	}
	var program *ast.Program
	if strings.HasPrefix(strings.TrimLeft(source, " \t\r\n"), "{") {
		program, err = ast.Decode([]byte(source), ast.Options{Where: "AgentVM.run"})
		if err != nil {
			return f.print(cmd, &ajsOutcome{err: &vm.AgentError{Message: err.Error(), Op: "vm.run", Kind: vm.KindRefused}})
		}
	} else {
		res, err := transpile.Transpile(source, transpile.Options{Original: f.original})
		if err != nil {
			var e *transpile.Error
			if !errors.As(err, &e) {
				return err
			}
			return f.print(cmd, &ajsOutcome{refused: e})
		}
		for _, w := range res.Warnings {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s at %s:%d:%d\n", w.Message, name, w.Line, w.Column)
		}
		program = res.Program
	}
	res, err := machine.Run(cmd.Context(), program, args, opts...)
	if err != nil {
		return f.print(cmd, &ajsOutcome{err: &vm.AgentError{Message: err.Error(), Op: "vm.run", Kind: vm.KindRefused}})
	}
	return f.print(cmd, &ajsOutcome{err: res.Err, result: res})
}

// An ajsOutcome is how a run ended, or why there was none.
type ajsOutcome struct {
	refused *transpile.Error
	err     *vm.AgentError
	result  *vm.Result
}

func (o *ajsOutcome) data() ast.Object {
	var result, failure, refused, trace any
	fuel := 0.0
	warnings := []any{}
	if o.refused != nil {
		refused = o.refused.Error()
	}
	if o.err != nil {
		failure = ast.Object{{Key: "message", Value: o.err.Message}, {Key: "op", Value: o.err.Op}, {Key: "kind", Value: string(o.err.Kind)}}
	}
	if r := o.result; r != nil {
		fuel = r.FuelUsed
		if r.Err == nil {
			result = exact(r.Value)
		}
		for _, w := range r.Warnings {
			warnings = append(warnings, w)
		}
		if r.Trace != nil {
			events := []any{}
			for i := range r.Trace {
				events = append(events, r.Trace[i].Data())
			}
			trace = events
		}
	}
	return ast.Object{
		{Key: "ok", Value: o.refused == nil && o.err == nil}, {Key: "result", Value: result}, {Key: "error", Value: failure},
		{Key: "transpileError", Value: refused}, {Key: "fuelUsed", Value: fuel}, {Key: "trace", Value: trace}, {Key: "warnings", Value: warnings},
	}
}

// exact writes what JSON can't hold as --capabilities reads it: {"$undefined":
// true}, {"$number": "NaN"}.
func exact(v any) any {
	switch v := v.(type) {
	case float64:
		switch {
		case v != v:
			return ast.Object{{Key: "$number", Value: "NaN"}}
		case math.IsInf(v, 1):
			return ast.Object{{Key: "$number", Value: "Infinity"}}
		case math.IsInf(v, -1):
			return ast.Object{{Key: "$number", Value: "-Infinity"}}
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = exact(v[i])
		}
		return out
	case ast.Object:
		out := make(ast.Object, len(v))
		for i, e := range v {
			out[i] = ast.Entry{Key: e.Key, Value: exact(e.Value)}
		}
		return out
	}
	if v == any(vm.Undefined) {
		return ast.Object{{Key: "$undefined", Value: true}}
	}
	return v
}

func printData(w io.Writer, d any) error {
	b, err := ast.AppendData(nil, d)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// print prints an outcome and returns its exit code.
func (f *ajsRun) print(cmd *cobra.Command, o *ajsOutcome) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	switch {
	case f.json:
		if err := printData(out, o.data()); err != nil {
			return err
		}
	case o.refused != nil:
		fmt.Fprintln(errs, o.refused.Explain())
	default:
		if o.result != nil {
			for _, w := range o.result.Warnings {
				fmt.Fprintln(errs, "warning:", w)
			}
			for i := range o.result.Trace {
				if err := printData(errs, o.result.Trace[i].Data()); err != nil {
					return err
				}
			}
		}
		if o.err != nil {
			at := ""
			if o.err.Pos.Line > 0 {
				at = fmt.Sprintf(" at line %d, column %d", o.err.Pos.Line, o.err.Pos.Column+1)
			}
			fmt.Fprintf(errs, "%s: %s (%s)%s\n", o.err.Op, o.err.Message, o.err.Kind, at)
		} else {
			if err := printData(out, vm.JSONData(o.result.Value)); err != nil {
				return err
			}
			fmt.Fprintf(errs, "fuel used: %.6g\n", o.result.FuelUsed)
		}
	}
	switch {
	case o.refused != nil:
		return exitError(exitFailed)
	case o.err == nil:
		return nil
	}
	switch o.err.Kind {
	case vm.KindFuel, vm.KindTimeout, vm.KindAbort, vm.KindHeap, vm.KindQuota:
		return exitError(exitLimit)
	}
	return exitError(exitFailed)
}

func newAJSTools() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools [FILE…]",
		Short: "Print tool definitions: of AJS agents, or of the VM's atoms",
		Long: `Print what a model is told of tools, as JSON: of the agents in the files, each by
the name of its function; without files, of the VM's own atoms.`,
		Example: `  pinfold ajs tools weather.ajs convert.ajs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return printData(cmd.OutOrStdout(), vm.MustNew().Tools())
			}
			var tools []ajs.Tool
			seen := map[string]string{}
			for _, path := range args {
				name, source, err := readSource(path, cmd.InOrStdin())
				if err != nil {
					return err
				}
				res, err := transpile.Transpile(source, transpile.Options{Filename: name})
				if err != nil {
					var e *transpile.Error
					if !errors.As(err, &e) {
						return err
					}
					fmt.Fprintln(cmd.ErrOrStderr(), e.Explain())
					return exitError(exitFailed)
				}
				n := res.Signature.Name
				if other, ok := seen[n]; ok {
					return fmt.Errorf("%s and %s both have an agent %s", other, path, n)
				}
				seen[n] = path
				tools = append(tools, ajs.Tool{Name: n, Signature: res.Signature})
			}
			return printData(cmd.OutOrStdout(), ajs.GetToolDefinitions(tools...))
		},
	}
	return cmd
}
