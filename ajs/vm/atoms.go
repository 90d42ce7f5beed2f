package vm

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
)

// An Atom is an operation of a VM.
type Atom struct {
	atom.Atom

	// InputSchema and OutputSchema are JSON Schemas in the words that programs
	// may use, too; nil is anything.
	InputSchema  any
	OutputSchema any

	// CostOf and TimeoutOf, if they are set, take the place of Cost and Timeout.
	CostOf    func(in ast.Object) float64
	TimeoutOf func(in ast.Object) time.Duration

	// Run does the work. It gets a copy of the inputs and returns plain data
	// (see package membrane rules in the documentation of the VM). It is called
	// on a goroutine beside the run's; c.Context ends with the atom's time, and with
	// the run.
	Run func(c *Call, in ast.Object) (any, error)

	// Direct calls Run on the goroutine of the run: for what is quick and never
	// waits, since nothing can cut it off.
	Direct bool

	// Heeds calls Run on the goroutine of the run, too, but with the atom's
	// time: for what watches c.Context and returns when that ends.
	Heeds bool

	num     int
	native  func(r *run, st *step, in inputs) (value, bool)
	input   *schema
	output  *schema
	declare string // the type the output declares
}

// A Call is one call of an atom of the host.
type Call struct {
	Context      context.Context
	Op           string
	Fuel         float64 // what the run has left
	Capabilities *Capabilities
	Policy       Policy

	mu       sync.Mutex
	warnings []string
}

// Warn adds a warning to the run's result.
func (c *Call) Warn(message string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.warnings) < 100 {
		c.warnings = append(c.warnings, clip(message, maxMessage))
	}
}

// inputs are the resolved inputs of a step.
type inputs struct {
	names    []string
	values   []value
	distinct bool // no name comes twice
}

func (in inputs) get(name string) value {
	for i, n := range in.names {
		if n == name {
			return in.values[i]
		}
	}
	return undefinedValue
}

func (in inputs) object() *object {
	if n := len(in.names); n <= smallObject && in.distinct {
		return &object{keys: in.names[:n:n], vals: append(make([]value, 0, n), in.values...)}
	}
	o := newObject(len(in.names))
	for i, n := range in.names {
		o.set(n, in.values[i])
	}
	return o
}

// prepare checks and admits the schemas of an atom.
func (a *Atom) prepare() error {
	if a.Name == "" || forbidden(a.Name) {
		return fmt.Errorf("ajs: an atom needs a name")
	}
	if a.Timeout < 0 {
		return fmt.Errorf("ajs: atom %s: Invalid timeout: %v", a.Name, a.Timeout)
	}
	if a.Cost < 0 || a.Cost != a.Cost {
		return fmt.Errorf("ajs: Invalid fuel cost for '%s': %v — a cost must be a non-negative number", a.Name, a.Cost)
	}
	if a.Run != nil && a.Effects == atom.IO && a.InputSchema == nil && len(a.Inputs) == 0 && a.Open {
		return fmt.Errorf("ajs: atom %s reaches outside and needs an input schema", a.Name)
	}
	if a.InputSchema == nil {
		a.InputSchema = inputSchema(&a.Atom)
	}
	s, err := admit(a.InputSchema)
	if err != nil {
		return fmt.Errorf("ajs: atom %s: %w", a.Name, err)
	}
	a.input = s
	if a.OutputSchema == nil && a.Returns != "" && a.Returns != "none" {
		a.OutputSchema = typeSchema(a.Returns)
	}
	if a.OutputSchema != nil {
		if a.output, err = admit(a.OutputSchema); err != nil {
			return fmt.Errorf("ajs: atom %s: %w", a.Name, err)
		}
		a.declare = a.output.declares
	}
	return nil
}

// inputSchema is the schema of the inputs an atom lists.
func inputSchema(a *atom.Atom) ast.Object {
	props, req := ast.Object{}, []any{}
	for _, in := range a.Inputs {
		s := ast.Object{}
		if in.Type != "" {
			s = typeSchema(in.Type)
		}
		if a.Name == "httpFetch" && in.Name == "headers" {
			s = append(s, ast.Entry{Key: "additionalProperties", Value: typeSchema("string")})
		}
		props = append(props, ast.Entry{Key: in.Name, Value: s})
		if in.Required {
			req = append(req, in.Name)
		}
	}
	out := ast.Object{{Key: "type", Value: "object"}, {Key: "properties", Value: props}}
	if len(req) > 0 {
		out = append(out, ast.Entry{Key: "required", Value: req})
	}
	if !a.Open {
		out = append(out, ast.Entry{Key: "additionalProperties", Value: false})
	}
	return out
}

// an returns a type with its article.
func an(t string) string {
	switch t {
	case "":
		return "another type"
	case "array", "integer", "object":
		return "an " + t
	}
	return "a " + t
}

// different counts the different names.
func different(names []string) int {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return len(m)
}

// atomStep compiles the call of an atom.
func (c *compiler) atomStep(st *step, s *ast.Step, b *ast.Atom) func(r *run) {
	a := st.atom
	in := inputs{names: make([]string, len(b.Inputs))}
	items := make([]expr, len(b.Inputs))
	for i, f := range b.Inputs {
		in.names[i] = f.Name
		items[i] = c.expr(f.Value)
	}
	in.distinct = different(in.names) == len(in.names)
	store := c.result(s)
	wants := s.Result != ""
	return func(r *run) {
		r.step = st
		base := len(r.stack)
		defer func() {
			clear(r.stack[base:])
			r.stack = r.stack[:base]
			r.end()
		}()
		for _, x := range items {
			v, ok := x(r)
			if !ok {
				return
			}
			r.stack = append(r.stack, v)
		}
		args := in
		args.values = r.stack[base:len(r.stack):len(r.stack)]
		if r.slow {
			r.inputs = args.object()
		}
		if !r.payAtom(a, args) {
			return
		}
		r.stepSeq++
		if a.native != nil {
			v, ok := a.native(r, st, args)
			r.step = st
			if ok {
				store(r, v)
			}
			return
		}
		v, ok := r.callHost(a, args, wants)
		if ok {
			store(r, v)
		}
	}
}

// payAtom takes the cost of an atom's call.
func (r *run) payAtom(a *Atom, in inputs) bool {
	cost := r.costs[a.num]
	f := a.CostOf
	if o := r.opts.costFuncs[a.Name]; o != nil {
		f = o
	} else if _, ok := r.opts.costs[a.Name]; ok {
		f = nil
	}
	if f != nil {
		d, err := r.export(objectOf(in.object()), exportLimits{bytes: r.opts.membraneMax, depth: maxDepth})
		if err != nil {
			return r.fail(KindType, "", err.reason)
		}
		cost = f(d.(ast.Object))
		if cost < 0 || cost != cost {
			return r.failf(KindRefused, "", "Invalid fuel cost for '%s': %s — a cost must be a non-negative number", a.Name, formatNumber(cost))
		}
	}
	return r.spend(cost)
}

// timeoutOf returns the time an atom has in this run; 0 is any.
func (r *run) timeoutOf(a *Atom) time.Duration { return r.timeouts[a.num] }

// outbound copies an atom's inputs for the host: fuel for the bytes, and every
// refusal ends the run.
func (r *run) outbound(a *Atom, v value, s *schema) (any, bool) {
	op := a.Name
	budget := min(r.opts.membraneMax, max(r.fuel, 0)/byteFuel)
	d, bytes, err := r.exportCounted(v, exportLimits{bytes: budget, depth: maxDepth})
	if err != nil {
		if r.err != nil {
			return nil, false
		}
		if r.fuel -= err.bytes * byteFuel; r.fuel <= 0 {
			r.outOfFuel(op)
			r.halt(KindFuel, op, "Out of Fuel", nil)
			return nil, false
		}
		suffix := ""
		if !err.shape && budget < r.opts.membraneMax {
			suffix = ", set by the remaining fuel"
		}
		return nil, r.halt(KindMembraneOut, op, fmt.Sprintf("'%s': %s%s", op, err.reason, suffix), nil)
	}
	if q, ok := r.opts.byteQuotas[op]; ok {
		if r.sent[op]+bytes > q {
			return nil, r.failf(KindQuota, op, "Quota exceeded for '%s': %s bytes allowed", op, formatNumber(q))
		}
		set(&r.sent, op, r.sent[op]+bytes)
	}
	r.usage.BytesOut += bytes
	if !r.allocate(bytes, op) {
		if r.halted == nil {
			e := r.err
			r.err = nil
			r.halt(e.Kind, op, e.Message, nil)
		}
		return nil, false
	}
	if s != nil && !r.fits(s, v) {
		if r.err != nil {
			return nil, false
		}
		return nil, r.halt(KindMembraneOut, op, fmt.Sprintf("'%s': its input does not have the shape the atom declares", op), nil)
	}
	return d, true
}

// inbound copies what the host returned: fuel for the bytes walked, whether it
// is taken or not. A shape ends the run.
func (r *run) inbound(a *Atom, d any) (value, bool) {
	op := a.Name
	v, bytes, err := bring(d, "capability return", r.opts.membraneMax, r.poll)
	if r.err != nil {
		return value{}, false
	}
	r.fuel -= bytes * byteFuel
	r.usage.BytesIn += bytes
	if err != nil {
		m := fmt.Sprintf("Capability boundary rejected the return of '%s': %s", op, err.reason)
		if err.shape {
			return value{}, r.halt(KindMembraneIn, op, m, nil)
		}
		if r.fuel <= 0 {
			return value{}, r.outOfFuel(op)
		}
		return value{}, r.fail(KindMembraneIn, op, m)
	}
	if r.fuel <= 0 {
		return value{}, r.outOfFuel(op)
	}
	if !r.allocateHeld(bytes, op) {
		return value{}, false
	}
	return v, true
}

// allocateHeld is allocate for bytes whose fuel is paid.
func (r *run) allocateHeld(bytes float64, op string) bool {
	if bytes > r.maxHeap {
		return r.heapError(r.holds(bytes, 0), op)
	}
	if r.over(bytes, 0) && !r.gate(bytes, 0, op) {
		return false
	}
	r.transient.add(bytes, 0)
	r.asks(bytes)
	return true
}

// fits checks a value, but for one that has more paths than anybody would look
// at.
func (r *run) fits(s *schema, v value) bool {
	if v.isContainer() && !flat(v) {
		if n, ok := r.paths(v, maxPaths); !ok || n > maxPaths {
			return false
		}
	}
	return s.check(r, v)
}

// flat reports a small container without containers in it.
func flat(v value) bool {
	vs := []value(nil)
	if v.kind == arrayKind {
		vs = v.array().elems
	} else {
		vs = v.object().vals
	}
	if len(vs) > 64 {
		return false
	}
	for _, w := range vs {
		if w.isContainer() {
			return false
		}
	}
	return true
}

// outputOK checks what an atom returns against what it declares.
func (r *run) outputOK(a *Atom, v value) bool {
	if a.output == nil || v.kind == undefinedKind || r.fits(a.output, v) {
		return r.err == nil
	}
	if r.err != nil {
		return false
	}
	return r.failf(KindOutput, a.Name, "Output validation failed for '%s' (it declares %s)", a.Name, an(a.declare))
}

// callHost calls an atom of the host.
func (r *run) callHost(a *Atom, in inputs, wants bool) (value, bool) {
	var data ast.Object
	v := objectOf(in.object())
	if a.Effects == atom.IO && !a.OwnInputs {
		d, ok := r.outbound(a, v, a.input)
		if !ok {
			return value{}, false
		}
		data = d.(ast.Object)
	} else {
		d, err := r.export(v, exportLimits{bytes: r.opts.membraneMax, depth: maxDepth})
		if err != nil {
			return value{}, r.fail(KindType, "", "'"+a.Name+"': "+err.reason)
		}
		if a.input != nil && !r.fits(a.input, v) {
			if r.err != nil {
				return value{}, false
			}
			return value{}, r.failf(KindType, "", "'%s': its input does not have the shape the atom declares", a.Name)
		}
		data = d.(ast.Object)
	}
	timeout := r.timeoutOf(a)
	if a.TimeoutOf != nil && !r.opts.timeoutSet[a.Name] {
		timeout = a.TimeoutOf(data)
		if timeout < 0 {
			return value{}, r.failf(KindRefused, "", "Invalid timeout: %v", timeout)
		}
	}
	if f := r.opts.timeoutFuncs[a.Name]; f != nil {
		ms := f(data)
		if ms < 0 || ms != ms {
			return value{}, r.failf(KindRefused, "", "Invalid timeout: %s", formatNumber(ms))
		}
		timeout = millis(ms)
	}
	call := func(c *Call) (any, error) { return a.Run(c, data) }
	var d any
	var ok bool
	switch {
	case a.Direct:
		d, ok = r.direct(a.Name, call)
	case a.Heeds:
		d, ok = r.attend(a.Name, timeout, call)
	default:
		d, ok = r.await(a.Name, timeout, call)
	}
	if !ok {
		return value{}, false
	}
	return r.accept(a, d, wants)
}

// accept brings what an atom returned into the program.
func (r *run) accept(a *Atom, d any, wants bool) (value, bool) {
	if ans, ok := d.(Answer); ok {
		d = ans.Value
		if isFinite(ans.Tokens) && ans.Tokens > 0 {
			r.usage.Tokens += ans.Tokens
		}
	}
	if !wants || a.Returns == "none" && d == nil {
		return undefinedValue, true
	}
	if a.Effects == atom.Pure {
		v, bytes, err := bring(d, "capability return", r.opts.membraneMax, r.poll)
		if err != nil {
			return value{}, r.failf(KindOutput, "", "'%s': %s", a.Name, err.reason)
		}
		return v, r.allocateHeld(bytes, a.Name) && r.outputOK(a, v)
	}
	v, ok := r.inbound(a, d)
	if !ok || !r.outputOK(a, v) {
		return value{}, false
	}
	return v, true
}

func (r *run) count(op string) {
	if r.usage.Calls == nil {
		r.usage.Calls = map[string]int{}
	}
	r.usage.Calls[op]++
}

// An Answer is what a capability returns that knows what it cost in tokens.
type Answer struct {
	Value  any
	Tokens float64
}

// direct runs f at once.
func (r *run) direct(op string, f func(c *Call) (any, error)) (d any, ok bool) {
	c := &Call{Context: r.ctx, Op: op, Fuel: max(r.fuel, 0), Capabilities: &r.opts.caps, Policy: r.opts.policy}
	r.count(op)
	d, err := protected(f, c)
	for _, w := range c.warnings {
		r.warn(w)
	}
	if err != nil {
		return nil, r.hostError(op, err)
	}
	return d, true
}

// protected turns a panic of the host's code into an error.
func protected(f func(c *Call) (any, error), c *Call) (d any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
	}()
	return f(c)
}

// hostError makes a failure of a host's error: its text, no more.
func (r *run) hostError(op string, err error) bool {
	var e *AgentError
	kind := KindCapability
	message := err.Error()
	if errors.As(err, &e) {
		message = e.Message
	}
	var refused *Refusal
	if errors.As(err, &refused) {
		kind = KindRefused
	}
	var p *panicError
	if errors.As(err, &p) {
		message = "an atom failed with a value that is not a message"
	}
	r.fail(kind, op, message)
	if r.err != nil && r.err.Cause == nil {
		r.err.Cause = err
	}
	return false
}

// A Refusal is an error of an atom that refuses what it was asked for, such as
// a URL that no policy allows.
type Refusal struct{ Message string }

// Error returns the message.
func (e *Refusal) Error() string { return e.Message }

// A panicError is a panic of the host's code.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

const maxWarnings = 1000

func (r *run) warn(m string) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, clip(m, maxMessage))
	}
}
