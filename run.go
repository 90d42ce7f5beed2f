package pinfold

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// Run runs a program with an input to its end. The input is Go data that can
// cross (see package membrane): nil is undefined, json.RawMessage is the value
// that the JSON text describes, a Value is what another run returned. The
// context cancels the run; a nil context never does.
//
// Run works on the caller's goroutine and returns when the run is closed. It
// never panics and never returns nil.
func (s *Sandbox) Run(ctx context.Context, p *Program, input any) *Outcome {
	return s.run(ctx, p, entry{}, input)
}

func (s *Sandbox) run(ctx context.Context, p *Program, e entry, input any) *Outcome {
	ctx, slot, f := s.admit(ctx, false)
	if f != nil {
		return refused(f, p.name)
	}
	if s.pool != nil {
		return s.runOutside(ctx, p, slot, sourceFlags(p.legacy, false, p.completion), e, input)
	}
	p, f = s.loaded(ctx, p, slot)
	if f != nil {
		return &Outcome{Failure: f}
	}
	r := &run{sb: s, ctx: ctx, p: p, slot: slot, entry: e}
	return r.do(input)
}

// Eval compiles a source and runs it: Compile and Run in one call. A source that
// doesn't compile is the outcome's failure. Limits.Timeout bounds both together.
func (s *Sandbox) Eval(ctx context.Context, name, source string, input any) *Outcome {
	ctx, slot, f := s.admit(ctx, false)
	if f != nil {
		return refused(f, name)
	}
	if s.pool != nil {
		p := &Program{name: name, source: source}
		return s.runOutside(ctx, p, slot, sourceFlags(s.opt.LegacyDecorators, s.opt.RefuseNonErasable, s.opt.Completion), entry{}, input)
	}
	held := slot
	defer func() {
		if held != nil {
			held.Release()
		}
	}()
	began := time.Now()
	p, err := s.compileCached(ctx, name, source)
	if err != nil {
		var f *Failure
		if !errors.As(err, &f) {
			f = &Failure{Kind: ErrInternal, Message: err.Error(), cause: err}
		}
		return &Outcome{Failure: f}
	}
	held = nil // the run's
	r := &run{sb: s, ctx: ctx, p: p, slot: slot, compiled: began}
	return r.do(input)
}

// run is one execution. It belongs to the goroutine that called Run; the
// goroutines of asynchronous host functions see only its context and the
// channels.
type run struct {
	sb  *Sandbox
	ctx context.Context // the caller's
	p   *Program
	m   *vm.Machine
	mt  *meter.Meter

	compiled time.Time       // start of the time limit, where that is before the run: compiling counts
	slot     *limiter.Slot   // nil without a limiter
	budget   meter.Budget    // of a worker's run, if there is a limiter
	hostCtx  context.Context // of host functions; made when one wants it
	cancel   func()

	hostCalls int64
	pending   int             // asynchronous calls that have not reported
	active    []*asyncCall    // … that are at work
	working   [Atomic + 1]int // … of each class
	queue     []*asyncCall    // … that wait until there are fewer
	inflight  *inflight       // what their goroutines see of the run
	promises  vm.Obj          // array of the promises of pending calls, by slot
	free      []int           // slots
	timers    timers
	ended     bool // it acts no more
	endedAt   time.Time

	entry    entry
	info     *ctxInfo
	ctxAt    int        // one more than the place of ctx in the machine's root stack; 0 if there is none
	zero     float64    // when it began, by the program's clock; 0 without ctx
	name     string     // begins the idempotency keys of its calls; made when one is asked for
	passing  *passage   // whose arguments or result cross
	passages []*passage // calls that were admitted and have not ended
	uses     []use      // of capabilities
	records  []HostCall
	streams  *streams
	locals   locals
	timeout  *time.Timer // of wait; kept for the next one
	partial  *membrane.Partial

	console consoleState
	panic   *hostPanic
	phase   phase
	module  vm.LoadedModule // the program, when it is one

	*waiting // of a run that Start began: nil for others

	rec       *recording // nil when nothing is recorded
	replay    *replay    // nil unless this run repeats another one
	recording recording
	uncaught  vm.Value // what failed the run
}

func (r *run) do(input any) (out *Outcome) {
	out = &Outcome{}
	r.mt = meter.New(r.ctx, r.meterLimits())
	defer func() {
		if p := recover(); p != nil {
			out.Value = Value{}
			out.Failure = internalFailure(fmt.Sprintf("a bug in the engine: %v", p), p, debug.Stack())
		}
		r.leaveWith(out)
	}()
	if !r.sb.opt.NoExplain {
		r.rec = &r.recording
	}
	v, f := r.execute(input)
	r.conclude(out, v, f, input)
	return out
}

// conclude puts into the outcome what the run came to.
func (r *run) conclude(out *Outcome, v Value, f *Failure, input any) {
	r.end()
	if f != nil {
		r.explain(f, input)
		r.teach(f)
		out.Failure = f
		return
	}
	out.Value = v
}

// leaveWith closes the run and completes its outcome.
func (r *run) leaveWith(out *Outcome) {
	out.Notes = r.close()
	u := r.mt.Usage()
	out.Usage = Usage{
		Fuel: u.Fuel, PeakBytes: u.PeakBytes, AllocatedBytes: u.Requested, Wall: u.Wall,
		HostCalls: r.hostCalls, OutputBytes: r.console.bytes,
		Stragglers: len(r.active),
	}
	out.Console = r.console.lines
	out.Calls = r.records
	out.Dropped, out.Partial = r.console.dropped, r.partial
	if out.Failure != nil {
		out.Failure.Notes = r.nearLimits(out)
	}
	r.mt.Close()
	if r.slot != nil {
		out.Usage.Waited = r.slot.Waited()
		r.leave()
	}
}

// nearLimits tells which limits were nearly used up: an error may be how a
// program ends that had no room left. Time is no part of it, so that equal runs
// have equal reports.
func (r *run) nearLimits(o *Outcome) []string {
	var notes []string
	l, u := r.sb.limits, o.Usage
	for _, x := range []struct {
		kind        Kind
		what        string
		used, limit int64
	}{
		{ErrFuel, "units of fuel", u.Fuel, l.Fuel},
		{ErrMemory, "bytes of memory", u.PeakBytes, l.MemoryBytes},
		{ErrMemory, "bytes asked for", u.AllocatedBytes, l.AllocatedBytes},
		{ErrHostCalls, "host calls", u.HostCalls, l.HostCalls},
		{ErrOutput, "bytes of output", u.OutputBytes, l.OutputBytes},
		{ErrOutput, "lines of output", int64(len(o.Console)), int64(l.OutputLines)},
	} {
		if o.Failure.Kind != x.kind && x.used >= x.limit/5*4 {
			notes = append(notes, fmt.Sprintf("%d of %d %s were used", x.used, x.limit, x.what))
		}
	}
	return notes
}

func internalFailure(message string, cause any, stack []byte) *Failure {
	f := &Failure{Kind: ErrInternal, Message: cut(message), stack: fmt.Sprintf("panic: %v\n\n%s", cause, stack)}
	if err, ok := cause.(error); ok {
		f.cause = err
	}
	return f
}

// execute runs the program and takes its value out.
func (r *run) execute(input any) (Value, *Failure) {
	// A context that is over ends the run before it begins.
	if err := r.ctx.Err(); err != nil {
		return Value{}, limitFailure(&meter.LimitError{Kind: meter.Cancelled, Cause: err})
	}
	in, f := r.prepare(input)
	if f != nil {
		return Value{}, f
	}
	m := r.m
	at := m.Root(in)
	m.NamePaths(in, "input")
	v, f := r.evaluate(in)
	m.PopRoots(at)
	if f != nil {
		return Value{}, f
	}
	return r.result(v)
}

// prepare makes the machine and takes the input in.
func (r *run) prepare(input any) (vm.Value, *Failure) {
	template, err := r.sb.realm()
	if err != nil {
		return vm.Undefined, r.failure(err)
	}
	r.m = template.NewMachine(r.mt, r.options())
	if err := r.defineGlobals(); err != nil {
		return vm.Undefined, r.failure(err)
	}
	in := vm.Undefined
	if input != nil {
		if in, err = membrane.Import(r.m, input, "input", r.sb.entering); err != nil {
			return vm.Undefined, r.failure(err)
		}
	}
	return in, nil
}

// options are those of the run's machine.
func (r *run) options() vm.Options {
	return vm.Options{
		Host: r,
		Now:  r.clock(), Location: r.sb.opt.Location, Seed: r.seed(), NoEval: r.sb.opt.NoEval, Override: r.sb.opt.Hardened, Trace: r.traceOptions(),
		MaxSourceBytes: int(min(r.sb.limits.SourceBytes, 1<<30)), LoadModule: r.loadModule,
		Stress: r.sb.stress,
	}
}

// result takes the run's value out.
func (r *run) result(v vm.Value) (Value, *Failure) {
	r.m.Root(v)
	if r.sb.opt.PartialResults {
		out, partial, err := membrane.EncodePartial(r.m, v, "result", r.sb.crossing)
		if err != nil {
			return Value{}, r.failure(err)
		}
		r.partial = partial
		return out, nil
	}
	out, err := membrane.EncodeResult(r.m, v, "result", r.sb.crossing)
	if err != nil {
		return Value{}, r.failure(err)
	}
	return out, nil
}

// clock returns what the program takes the time from. A clock that stands goes
// on by what the program has waited for timers.
func (r *run) clock() func() float64 {
	switch {
	case r.sb.opt.FixedTime.IsZero() && r.sb.opt.Hardened:
		return noClock
	case r.sb.opt.FixedTime.IsZero() && r.waiting != nil && r.replay == nil:
		return r.notedClock
	case r.sb.opt.FixedTime.IsZero():
		return r.recordedClock()
	case !r.sb.opt.Timers:
		return r.sb.now
	}
	return func() float64 { return r.sb.now() + r.timers.elapsed }
}

// evaluate runs the program with its input and waits for its value.
func (r *run) evaluate(in vm.Value) (vm.Value, *Failure) {
	v, f := r.begin(in)
	for done := false; f == nil && !done; { //meter: phases of a run: at most four
		if v, f = r.settle(v); f == nil {
			v, done, f = r.next(v, in)
		}
	}
	return v, f
}

// phase is what the run's promise is the promise of.
type phase uint8

const (
	phaseBody    phase = iota // a function body
	phaseModule               // the evaluation of a module
	phaseDefault              // the call of the module's default export
)

// begin starts the program and returns the promise to wait for.
func (r *run) begin(in vm.Value) (vm.Value, *Failure) {
	m := r.m
	if !r.p.module {
		if r.entry.kind != entryDefault {
			return vm.Undefined, &Failure{
				Kind: ErrScript, Message: "the program exports nothing", File: r.p.name,
				Hint: "write a module, with export: export function invoke(inputs, ctx) { … }",
			}
		}
		v, err := m.RunFunctionBody(r.p.code, in)
		if err != nil {
			return v, r.failure(err)
		}
		return v, nil
	}
	r.phase = phaseModule
	mod, err := m.AddModule(vm.ModuleSource{Key: r.p.name, Program: r.p.code})
	if err == nil {
		err = m.Link(mod)
	}
	if err != nil {
		return vm.Undefined, r.failure(err)
	}
	promise, err := m.Evaluate(mod)
	if err != nil {
		return vm.Undefined, r.failure(err)
	}
	r.module = mod
	return heap.ObjectValue(promise), nil
}

// next goes on when the promise is fulfilled with v: done says that v is the
// program's value, otherwise it is another promise to wait for.
func (r *run) next(v, in vm.Value) (next vm.Value, done bool, f *Failure) {
	if r.phase != phaseModule {
		return v, true, nil
	}
	m := r.m
	r.phase = phaseDefault
	ns, err := m.Namespace(r.module)
	if err != nil {
		return vm.Undefined, true, r.failure(err)
	}
	if v, f = r.enter(ns, in); f != nil {
		return v, true, f
	}
	p, err := m.PromiseResolve(heap.ObjectValue(m.Intrinsic(vm.PromiseConstructor)), v)
	if err != nil {
		return v, true, r.failure(err)
	}
	return p, false, nil
}

// settle runs jobs, and waits for host functions, until the promise v is
// settled.
func (r *run) settle(v vm.Value) (vm.Value, *Failure) {
	m := r.m
	at := m.Root(v)
	defer m.PopRoots(at)
	p := v.AsObj()
	for { //meter: each turn runs jobs, which charge, or waits until a deadline
		if err := m.RunJobs(); err != nil {
			return vm.Undefined, r.failure(err)
		}
		state, result := m.PromiseStateOf(p)
		switch {
		case state == vm.PromiseRejected:
			m.MarkHandled(p)
			return vm.Undefined, r.thrown(result, "")
		case state == vm.PromiseFulfilled:
			if f := r.unhandled(p); f != nil {
				return vm.Undefined, f
			}
			return result, nil
		}
		if r.pending == 0 && len(r.timers.queue) == 0 {
			return vm.Undefined, r.neverSettles(p)
		}
		if r.replay != nil {
			if err := r.replay.settle(r); err != nil {
				return vm.Undefined, r.failure(err)
			}
			continue
		}
		if err := r.wait(); err != nil {
			return vm.Undefined, r.failure(err)
		}
	}
}

// unhandled reports the first rejection that nobody has handled.
func (r *run) unhandled(main vm.Obj) *Failure {
	for _, q := range r.m.Unhandled() { //meter: ends at the first that isn't the run's own promise
		if q == main {
			continue
		}
		_, reason := r.m.PromiseStateOf(q)
		return r.thrown(reason, "a promise was rejected and nothing handled it: await it, or add .catch")
	}
	return nil
}

func (r *run) neverSettles(main vm.Obj) *Failure {
	if f := r.unhandled(main); f != nil {
		return f
	}
	return &Failure{
		Kind: ErrScript, Message: "the promise returned by the program can never settle", File: r.p.name,
		Hint: "nothing is left that could resolve what the program awaits: look for a promise whose resolve is never called",
	}
}

// wait waits for the report of an asynchronous call, or for a timer, and does
// what it asks for. On a virtual clock, no time passes while host functions
// are at work.
func (r *run) wait() error {
	left, timer := r.untilTimer()
	if timer && (r.timers.virtual && r.pending == 0 || !r.timers.virtual && left == 0) {
		// Reports and timers take turns when both are ready.
		if r.timers.fired && r.inflight != nil {
			select {
			case s := <-r.inflight.done:
				return r.receive(s)
			default:
			}
		}
		if err := r.poll(); err != nil {
			return err
		}
		return r.fire(r.timers.queue[0])
	}
	var timeout, due <-chan time.Time
	if d, ok := r.mt.Deadline(); ok {
		if r.timeout == nil {
			r.timeout = time.NewTimer(time.Until(d))
		} else {
			r.timeout.Reset(time.Until(d))
		}
		defer r.timeout.Stop()
		timeout = r.timeout.C
	}
	if timer && !r.timers.virtual {
		t := time.NewTimer(left)
		defer t.Stop()
		due = t.C
	}
	var done chan settled
	if r.inflight != nil {
		done = r.inflight.done
	}
	select {
	case s := <-done:
		return r.receive(s)
	case <-due:
		return r.poll() // the timer is due the next time
	case <-r.ctx.Done():
	case <-timeout:
		// The meter's clock may be a moment behind the timer's.
		for range 100 {
			if err := r.mt.Poll(); err != nil {
				return err
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	return r.poll()
}

// receive takes the report of an asynchronous call.
func (r *run) receive(s settled) error {
	r.timers.fired = false
	if !r.arrived(s) {
		return nil
	}
	err := r.report(s)
	r.launchNext()
	return err
}

// arrived takes note of a report. It says whether the call's promise is to be
// settled, which it is only once.
func (r *run) arrived(s settled) bool {
	c := s.call
	if !s.early {
		r.finished(c)
	}
	if c.reported {
		if !s.early {
			r.leavePassage(c.passage)
			r.launchNext()
		}
		return false
	}
	c.reported = true
	r.pending--
	if c.passage != nil {
		c.passage.recorded = s.early
	}
	return true
}

func (r *run) countHostCall() error {
	r.hostCalls++
	if r.hostCalls > r.sb.limits.HostCalls {
		r.hostCalls--
		return r.mt.Fail(&meter.LimitError{Kind: meter.HostCalls, What: "the number of host calls", Limit: r.sb.limits.HostCalls, Used: r.sb.limits.HostCalls + 1})
	}
	return nil
}

// loadModule finds an importable module: by its specifier, or, if that is a
// relative one, from the folder of the module that it stands in.
func (r *run) loadModule(referrer, specifier string, _ [][2]string) (vm.ModuleSource, error) {
	src, ok := r.sb.opt.Modules[specifier]
	if !ok && (strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")) {
		specifier = path.Join(path.Dir(referrer), specifier)
		if specifier == r.p.name && r.p.module {
			return vm.ModuleSource{Key: specifier, Program: r.p.code}, nil
		}
		src, ok = r.sb.opt.Modules[specifier]
	}
	if !ok {
		if words := r.sb.opt.MissingModule; words != "" {
			return vm.ModuleSource{}, &vm.ModuleError{Message: strings.NewReplacer("{specifier}", specifier, "{available}", r.sb.available()).Replace(words)}
		}
		return vm.ModuleSource{}, errors.New(r.sb.available())
	}
	if strings.HasSuffix(specifier, ".json") {
		return vm.ModuleSource{Key: specifier, Default: func(m *vm.Machine) (vm.Value, error) {
			v, err := membrane.Import(m, rawJSON(src), specifier, r.sb.crossing)
			var se *membrane.SyntaxError
			if errors.As(err, &se) {
				return v, m.SyntaxError("%s: %s", specifier, se.Error())
			}
			return v, err
		}}, nil
	}
	compile := r.sb.compileModule
	if r.replay != nil {
		compile = r.replay.compileModule(r.sb)
	}
	p, err := compile(r.ctx, specifier, src)
	if err != nil {
		return vm.ModuleSource{}, err
	}
	return vm.ModuleSource{Key: specifier, Program: p.code}, nil
}
