package ajs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// A FetchPolicy says where code may fetch from, and with what.
type FetchPolicy struct {
	Domains []string // host, host:port, *.host
	Methods []string // beside GET and HEAD
	Headers []string // beside those that every agent may set
}

// Limits are the options of Eval and SafeFunction.
type Limits struct {
	Fuel         float64       // 0 is 1000
	Timeout      time.Duration // 0 is the VM's default
	Capabilities vm.Capabilities
	FetchPolicy  FetchPolicy
	// MaxSourceBytes bounds the source: 0 is 8192, negative is no bound.
	MaxSourceBytes int
	ArgsMaxBytes   float64 // 0 is the VM's default
	VM             *vm.VM  // nil is one with the core atoms
	Options        []vm.Option
}

// EvalOptions are the code of an Eval and its variables.
type EvalOptions struct {
	Code    string
	Context ast.Object // the variables the code may read
	Limits
}

// An EvalResult is the end of an Eval.
type EvalResult struct {
	Result   any
	FuelUsed float64
	Err      error // a *transpile.Error, a *vm.AgentError, a *SourceError
	Warnings []string
}

// Data returns the result as JSON data: { result, fuelUsed, error? }.
func (r *EvalResult) Data() ast.Object {
	o := ast.Object{{Key: "result", Value: vm.JSONData(r.Result)}, {Key: "fuelUsed", Value: r.FuelUsed}}
	if r.Err != nil {
		m := r.Err.Error()
		if e, ok := r.Err.(*vm.AgentError); ok {
			m = e.Message
		}
		o = append(o, ast.Entry{Key: "error", Value: ast.Object{{Key: "message", Value: m}}})
	}
	return o
}

// A SourceError is source that is too large to be read.
type SourceError struct{ Message string }

// Error returns the message.
func (e *SourceError) Error() string { return e.Message }

// Eval runs code: one expression, or statements with return. It may give any
// value. It never fails but in its result.
func Eval(ctx context.Context, o EvalOptions) *EvalResult {
	names := make([]string, len(o.Context))
	for i, e := range o.Context {
		names[i] = e.Key
	}
	f, err := o.compile(ctx, "Eval", o.Code, names, false)
	if err != nil {
		// Nothing metered what reading took: all of the budget counts as used.
		return &EvalResult{Result: vm.Undefined, FuelUsed: o.fuel(), Err: err}
	}
	return f.run(ctx, o.Context)
}

// SafeOptions are the body of a function and its parameters.
type SafeOptions struct {
	Body   string
	Params []string
	Limits
}

// A Function is code that was checked once and runs many times.
type Function struct {
	params  []string
	program *vm.Program
	opts    []vm.Option
}

// SafeFunction makes a function of its body. The error is that of a body that
// can't be transpiled.
func SafeFunction(o SafeOptions) (*Function, error) {
	return o.compile(context.Background(), "SafeFunction", o.Body, o.Params, true)
}

// Call calls the function. Arguments that are missing are undefined.
func (f *Function) Call(ctx context.Context, args ...any) *EvalResult {
	var in ast.Object
	for i, p := range f.params {
		if i < len(args) {
			in = append(in, ast.Entry{Key: p, Value: args[i]})
		} else {
			in = append(in, ast.Entry{Key: p, Value: vm.Undefined})
		}
	}
	return f.run(ctx, in)
}

func (f *Function) run(ctx context.Context, vars ast.Object) *EvalResult {
	in := ast.Object{}
	for _, e := range vars {
		if slices.Contains(f.params, e.Key) {
			in = append(in, e)
		}
	}
	res, err := f.program.Run(ctx, in, f.opts...)
	if err != nil {
		return &EvalResult{Result: vm.Undefined, Err: err}
	}
	out := &EvalResult{Result: res.Value, FuelUsed: res.FuelUsed, Warnings: res.Warnings}
	switch {
	case res.Err != nil:
		out.Err = res.Err
	default:
		if o, ok := res.Value.(ast.Object); ok {
			if v, ok := o.Get(transpile.BoxKey); ok {
				out.Result = v
			}
		}
	}
	return out
}

func (l *Limits) fuel() float64 {
	if l.Fuel == 0 {
		return vm.DefaultFuel
	}
	return l.Fuel
}

// coreVM is the VM of those who name none.
var coreVM = sync.OnceValue(func() *vm.VM { return vm.MustNew() })

// compile checks the size of the source, transpiles it, and makes it ready.
func (l *Limits) compile(ctx context.Context, what, code string, names []string, all bool) (*Function, error) {
	limit := l.MaxSourceBytes
	if limit == 0 {
		limit = vm.DefaultMaxSourceBytes
	}
	size := len(code)
	if all {
		for _, n := range names {
			size += len(n) + 2
		}
	}
	if limit > 0 && size > limit {
		return nil, &SourceError{fmt.Sprintf("%s source is %d bytes, over the %d-byte limit. Transpilation runs BEFORE fuel and timeout apply, so oversized source is refused rather than metered. Raise or disable it with maxSourceBytes if the source is trusted.", what, size, limit)}
	}
	machine := l.VM
	if machine == nil {
		machine = coreVM()
	}
	opt := transpile.Options{Atoms: machine.Atoms()}
	if limit > 0 {
		opt.Check = parseWork(ctx)
	}
	res, err := transpile.Eval(code, names, all, opt)
	if err != nil {
		return nil, err
	}
	p, err := machine.Load(res.Program)
	if err != nil {
		return nil, err
	}
	f := &Function{program: p, opts: []vm.Option{
		vm.WithFuel(l.fuel()), vm.WithCapabilities(l.Capabilities),
		vm.WithPolicy(vm.Policy{Domains: l.FetchPolicy.Domains, Methods: l.FetchPolicy.Methods, Headers: l.FetchPolicy.Headers}),
	}}
	for _, q := range res.Signature.Parameters {
		f.params = append(f.params, q.Name)
	}
	if l.Timeout > 0 {
		f.opts = append(f.opts, vm.WithTimeout(l.Timeout))
	}
	if l.ArgsMaxBytes > 0 && !math.IsInf(l.ArgsMaxBytes, 1) {
		f.opts = append(f.opts, vm.WithArgsMaxBytes(l.ArgsMaxBytes))
	}
	f.opts = append(f.opts, l.Options...)
	return f, nil
}
