package vm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
	"github.com/pinfold-js/pinfold/ajs/regex"
	"github.com/pinfold-js/pinfold/meter"
)

// A VM is a set of atoms, and what runs share: procedures and compiled
// patterns. It may be used by many goroutines.
type VM struct {
	atoms      map[string]*Atom
	list       []*Atom
	table      *atom.Table
	seq        *Atom
	regexes    cache[*regex.Program]
	procedures procedures
	slowest    time.Duration
}

// New returns a VM with the core atoms and the given ones, of which one may take
// a core atom's place. Operations of the language itself can't be replaced.
func New(atoms ...*Atom) (*VM, error) {
	vm := &VM{atoms: map[string]*Atom{}}
	for _, n := range atom.Core().Names() {
		a := &Atom{Atom: *atom.Core().Lookup(n)}
		a.native = natives[n]
		if err := a.prepare(); err != nil {
			return nil, err
		}
		vm.atoms[n] = a
	}
	for _, b := range atoms {
		if old := vm.atoms[b.Name]; old != nil && old.Flow {
			return nil, fmt.Errorf("ajs: %s is an operation of the language and can't be replaced", b.Name)
		}
		if b.Run == nil {
			return nil, fmt.Errorf("ajs: atom %s has no Run", b.Name)
		}
		a := *b
		if err := a.prepare(); err != nil {
			return nil, err
		}
		vm.atoms[a.Name] = &a
	}
	descs := make([]atom.Atom, 0, len(vm.atoms))
	for _, a := range vm.atoms {
		descs = append(descs, a.Atom)
	}
	vm.table = atom.NewTable(descs...)
	for i, n := range vm.table.Names() {
		a := vm.atoms[n]
		a.num = i
		vm.list = append(vm.list, a)
		vm.slowest = max(vm.slowest, a.Timeout)
	}
	vm.seq = vm.atoms["seq"]
	return vm, nil
}

// MustNew is New for atoms that are known to be right.
func MustNew(atoms ...*Atom) *VM {
	vm, err := New(atoms...)
	if err != nil {
		panic(err)
	}
	return vm
}

// Atoms returns the descriptions of the VM's atoms, for a transpiler to check
// calls against.
func (vm *VM) Atoms() *atom.Table { return vm.table }

// Atom returns an atom by its name, or nil.
func (vm *VM) Atom(name string) *Atom { return vm.atoms[name] }

// A Result is the end of a run.
type Result struct {
	// Value is the returned data: nil, bool, float64, string, []any, ast.Object,
	// Undefined; the *AgentError when the run failed.
	Value    any
	Err      *AgentError
	FuelUsed float64
	Trace    []Event // with WithTrace
	Warnings []string
	Usage    Usage
}

// Usage counts what a run asked of its host, the programs it ran inline among
// it.
type Usage struct {
	Calls    map[string]int // by atom
	BytesOut float64        // as the membrane counts them
	BytesIn  float64
	Tokens   float64 // that models reported with an Answer
}

// OK reports that the run did not fail.
func (r *Result) OK() bool { return r.Err == nil }

// JSON writes the value as JSON: without what is undefined, null for what is
// not finite.
func (r *Result) JSON() ([]byte, error) {
	if r.Err != nil {
		return ast.AppendData(nil, r.Err.Data())
	}
	return ast.AppendData(nil, JSONData(r.Value))
}

// JSONData turns data that crossed into what JSON can hold, as JSON.stringify
// does.
func JSONData(v any) any {
	switch v := v.(type) {
	case undefinedType:
		return nil
	case float64:
		if !isFinite(v) {
			return nil
		}
	case *AgentError:
		return v.Data()
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = JSONData(v[i])
		}
		return out
	case ast.Object:
		out := make(ast.Object, 0, len(v))
		for _, e := range v {
			if e.Value != Undefined {
				out = append(out, ast.Entry{Key: e.Key, Value: JSONData(e.Value)})
			}
		}
		return out
	}
	return v
}

// Run loads and runs a program. The error is for what is no program; everything
// an agent does is in the Result.
func (vm *VM) Run(ctx context.Context, p *ast.Program, args any, opts ...Option) (*Result, error) {
	prog, err := vm.Load(p)
	if err != nil {
		return nil, err
	}
	return prog.Run(ctx, args, opts...)
}

// RunJSON decodes a program from JSON text and runs it.
func (vm *VM) RunJSON(ctx context.Context, text []byte, args any, opts ...Option) (*Result, error) {
	if t := bytes.TrimLeft(text, " \t\r\n"); len(t) > 0 && t[0] != '{' {
		return nil, errors.New("This VM accepts an AST, not source: no transpiler is wired in. Transpile the source where parsing is safe (package ajs/transpile, or pinfold ajs transpile) and run the JSON that it gives.")
	}
	p, err := ast.Decode(text, ast.Options{Where: "AgentVM.run"})
	if err != nil {
		return nil, err
	}
	return vm.Run(ctx, p, args, opts...)
}

// RunToken runs a stored procedure.
func (vm *VM) RunToken(ctx context.Context, token string, args any, opts ...Option) (*Result, error) {
	p, err := vm.procedures.get(token, time.Now())
	if err != nil {
		return nil, err
	}
	return p.Run(ctx, args, opts...)
}

// Run runs the program.
func (p *Program) Run(ctx context.Context, args any, opts ...Option) (*Result, error) {
	o := newOptions(p.vm)
	for _, f := range opts {
		f(o)
	}
	return p.run(ctx, args, o)
}

func refused(kind Kind, message string, used float64, o *options) *Result {
	e := &AgentError{Message: clip(message, maxMessage), Op: "vm.run", Kind: kind}
	res := &Result{Value: e, Err: e, FuelUsed: used}
	if o.trace {
		res.Trace = []Event{}
	}
	return res
}

func (p *Program) run(ctx context.Context, args any, o *options) (*Result, error) {
	if o.fatal != nil {
		return nil, o.fatal
	}
	if o.bad != "" {
		return refused(KindRefused, o.bad, 0, o), nil
	}
	vm := p.vm
	fuel := o.fuel
	if math.IsInf(fuel, 1) || fuel > unlimited {
		fuel = unlimited
	}
	r := &run{vm: vm, opts: o, caller: ctx, budget: fuel, fuel: fuel, maxHeap: o.maxHeap, maxReal: 2*o.maxHeap + realFloor, random: o.random, clock: o.clock}
	r.step = p.root.block.self
	r.costs = make([]float64, len(vm.list))
	r.timeouts = make([]time.Duration, len(vm.list))
	for i, a := range vm.list {
		r.costs[i], r.timeouts[i] = a.Cost, a.Timeout
		if c, ok := o.costs[a.Name]; ok {
			r.costs[i] = c
		}
		if t, ok := o.timeouts[a.Name]; ok {
			r.timeouts[i] = millis(t)
		}
	}
	// The arguments.
	if o, ok := args.(ast.Object); args == nil || ok && o == nil {
		args = ast.Object{}
	}
	budget := min(o.argsMax, fuel*argsPerFuel)
	guest, bytes, cerr := bring(args, "run argument", budget, func(int) bool { return true })
	if cerr != nil {
		if !cerr.shape && fuel*argsPerFuel < o.argsMax {
			return refused(KindFuel, "Out of Fuel", fuel, o), nil
		}
		kind := KindInput
		if cerr.shape {
			kind = KindMembraneIn
		}
		return refused(kind, "Capability boundary rejected the run arguments: "+cerr.reason, min(fuel, budget/argsPerFuel), o), nil
	}
	if guest.kind == nullKind {
		guest = objectOf(newObject(0))
	}
	if guest.kind != objectKind {
		return refused(KindInput, "Input validation failed: args do not match expected schema", 0, o), nil
	}
	r.guest = guest.object()
	price := bytes / argsPerFuel
	if p.bad != "" {
		return refused(KindRefused, p.bad, 0, o), nil
	}
	if s := p.input; s != nil {
		bound := int(min(maxPaths, maxPathSteps/float64(max(s.nodes, 1))))
		n, _ := r.paths(guest, bound)
		if n > bound {
			return refused(KindInput, fmt.Sprintf("Arguments too large to validate against the inputSchema (over %d paths for a %d-node schema): validate in the host, or pass fewer, smaller arguments", bound, s.nodes), 0, o), nil
		}
		price += checkFuel * float64(s.nodes) * float64(n)
		if price >= fuel {
			return refused(KindFuel, "Out of Fuel", 0, o), nil
		}
		if !s.check(r, guest) {
			return refused(KindInput, "Input validation failed: args do not match expected schema", 0, o), nil
		}
	}
	if price >= fuel {
		return refused(KindFuel, "Out of Fuel", 0, o), nil
	}
	r.fuel -= price

	// The clock.
	deadline := time.Duration(math.MaxInt64)
	if !math.IsInf(o.timeoutMs, 1) {
		deadline = millis(min(o.timeoutMs, math.MaxInt32))
	}
	var cancel context.CancelFunc
	if o.timeoutMs == 0 || math.IsInf(o.timeoutMs, 1) {
		r.ctx, cancel = context.WithCancel(ctx)
	} else {
		r.ctx, cancel = context.WithTimeout(ctx, deadline)
	}
	defer cancel()
	unwatch := context.AfterFunc(r.ctx, func() { r.stop.Store(true) })
	defer unwatch()
	if o.timeoutMs == 0 || ctx.Err() != nil {
		r.stop.Store(true)
	}
	r.quotas = o.quotaList(vm)
	if r.quotas != nil {
		r.used = make([]float64, len(vm.list))
	}
	if o.trace {
		r.trace = newTracer(o)
	}
	r.slow = o.trace || r.quotas != nil || len(o.costFuncs) > 0
	r.program = p
	r.memo = nil
	defer r.closeHost()
	res := r.guarded(p)
	res.Warnings = r.warnings
	res.Usage = r.usage
	if r.trace != nil {
		res.Trace = r.trace.events
	}
	return res, nil
}

// guarded is execute; a bug in the VM fails the run, not the host.
func (r *run) guarded(p *Program) (res *Result) {
	defer func() {
		if x := recover(); x != nil {
			e := &AgentError{Message: "Internal error of the VM", Op: "vm.run", Kind: KindRefused, Cause: &panicError{x, debug.Stack()}}
			res = &Result{Value: e, Err: e, FuelUsed: r.fuelUsed()}
		}
	}()
	return r.execute(p)
}

// execute runs the root of a program and checks its result.
func (r *run) execute(p *Program) *Result {
	r.act = &activation{body: p.root, slots: make([]value, len(p.root.names))}
	r.slots = r.act.slots
	if r.stop.Load() {
		r.stopped()
	} else if r.nest(p.depth) {
		r.runBlock(p.root.block)
	}
	out := undefinedValue
	if r.err == nil && r.done {
		out = r.out
	}
	if r.err == nil && p.output != nil {
		r.step = p.root.block.self
		r.checkResult(p, out)
	}
	var data any = Undefined
	if r.err == nil && out.kind != undefinedKind {
		// What is handed out can be written as JSON.
		d, err := r.export(out, exportLimits{bytes: math.Inf(1), depth: ast.DefaultMaxDepth - 8, undefined: true})
		switch {
		case r.err != nil:
		case err != nil:
			r.fail(KindOutput, "vm.run", "The result can't be handed out: "+err.reason)
		default:
			data = d
		}
	}
	if r.err != nil {
		e := r.err
		if e.Kind == KindFuel {
			e.Catchable = false
		}
		return &Result{Value: e, Err: e, FuelUsed: r.fuelUsed()}
	}
	return &Result{Value: data, FuelUsed: r.fuelUsed()}
}

// checkResult checks a result against the declared type.
func (r *run) checkResult(p *Program, out value) bool {
	s := p.output
	bound := int(min(maxPaths, maxPathSteps/float64(max(s.nodes, 1))))
	n, ok := r.paths(out, bound)
	if !ok {
		return false
	}
	if n > bound {
		return r.failf(KindOutput, "vm.run", "The result is too large to validate (over %d paths for a %d-node schema)", bound, s.nodes)
	}
	if r.fuel -= checkFuel*float64(s.nodes)*float64(n) + walkFuel*float64(n); r.fuel <= 0 {
		return r.outOfFuel("vm.run")
	}
	if !s.check(r, out) && r.err == nil {
		return r.fail(KindOutput, "vm.run", "Result does not match the declared result type")
	}
	return r.err == nil
}

// meter is for the functions of the engine's packages: their work is paid by
// the bounds of the methods that call them, so this one has no ceiling but the
// run's end.
func (r *run) meter() *meter.Meter {
	if r.native == nil {
		r.native = meter.New(r.ctx, meter.Limits{})
	}
	return r.native
}

// A cache keeps a bounded number of values.
type cache[V any] struct {
	mu sync.Mutex
	m  map[string]V
}

const maxCached = 64

func (c *cache[V]) get(k string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	return v, ok
}

func (c *cache[V]) put(k string, v V) {
	if len(k) > 4096 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= maxCached {
		c.m = map[string]V{}
	}
	c.m[k] = v
}
