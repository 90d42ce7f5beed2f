package pinfold

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// Run is an execution that Sandbox.Start began and that may wait for the host:
// for answers to the calls of Deferred functions. While it waits for nothing
// else, no goroutine works for it and its time stands still, and it can be
// written out. Its methods may be called from any goroutine; the program runs in
// the one that calls Start, Answer or Wait.
type Run struct {
	mu      sync.Mutex
	doing   atomic.Pointer[string] // what the goroutine that holds mu does
	r       *run
	out     *Outcome // once it is over
	written bool     // Suspend has taken it
	idle    time.Time
	changed chan struct{} // closed when something happens, and made anew
	unwatch func() bool
}

// PendingCall is a call of a Deferred function that is to be answered, or, after
// Sandbox.Replay, a call of another asynchronous function whose outcome the
// journal doesn't have.
type PendingCall struct {
	// ID is the call's number in the order in which the program made its calls,
	// from 1 on: for a run that is resumed or replayed it is the same.
	ID        int64
	Name      string
	Arguments []Value
	// IdempotencyKey is the same for the call wherever and however often the
	// run is resumed, and no other call has it.
	IdempotencyKey string
	// Unknown says that the call may have been made already: the journal says
	// that it began, and not how it ended.
	Unknown bool
}

// ErrNotPending is what Answer fails with for a call that isn't pending.
var ErrNotPending = errors.New("pinfold: no such call is pending")

// ErrNotWaiting is what Suspend and Fork fail with for a run that can't be
// written out now; the message says what it is doing.
var ErrNotWaiting = errors.New("pinfold: the run is not waiting")

func notWaiting(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNotWaiting, fmt.Sprintf(format, args...))
}

// waiting is what a run that Start began has beside others.
type waiting struct {
	id       string // part of idempotency keys
	forks    []fork // runs that it was forked from, the first one first
	calls    int64  // numbers given to calls
	deferred []*deferredCall
	inAt     int // of the input in the machine's root stack
	mainAt   int // … and of the promise that the run waits for
	journal  journal
	again    *again // nil unless a journal is being replayed
}

// deferredCall is a call that the host answers.
type deferredCall struct {
	id      int64
	fn      *hostFunc
	args    []Value
	slot    int // of its promise
	number  int // as it is recorded
	bytes   int64
	unknown bool
	passage *passage // nil if nothing watches it, or the run was resumed
}

func newRunID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Start begins a run, and goes on with it until it is over or waits for answers
// to calls of Deferred functions. The input is as for Sandbox.Run. The context
// cancels the run, also while it waits. Limits.Timeout doesn't count time in
// which the run only waits for answers.
//
// It never returns nil: what goes wrong is in the run's outcome. A run that isn't
// over must be ended by Cancel or Suspend, or its context. It holds its slot of
// Options.Limiter until then.
func (s *Sandbox) Start(ctx context.Context, p *Program, input any) *Run {
	x, f := s.newRun(ctx, p, newRunID())
	if f != nil {
		return x
	}
	x.start(input)
	return x
}

// newRun makes a run. When there is a failure the run is over.
func (s *Sandbox) newRun(ctx context.Context, p *Program, id string) (*Run, *Failure) {
	x := &Run{changed: make(chan struct{})}
	ctx, slot, f := s.admit(ctx, false)
	if f == nil {
		if f = s.cannotWait(); f != nil && slot != nil {
			slot.Release()
		}
	}
	if f == nil {
		p, f = s.loaded(ctx, p, slot)
	}
	if f != nil {
		f.File = p.name
		x.out = &Outcome{Failure: f}
		return x, f
	}
	x.r = &run{sb: s, ctx: ctx, p: p, slot: slot, waiting: &waiting{id: id}}
	x.r.mt = meter.New(ctx, x.r.meterLimits())
	if !s.opt.NoExplain {
		x.r.rec = &x.r.recording
	}
	return x, nil
}

// cannotWait is the failure of runs that can wait of a sandbox that has none.
func (s *Sandbox) cannotWait() *Failure {
	if s.pool == nil {
		return nil
	}
	return &Failure{
		Kind: ErrInternal, Message: "a run that can wait works in this process, and the sandbox isolates its programs in others (Isolation: Process)",
		Hint: "the host starts, resumes and replays runs with a Sandbox whose Isolation is InProcess, and keeps this one for Run and Eval",
	}
}

// start begins the program.
func (x *Run) start(input any) {
	x.lock("starting")
	defer x.unlock()
	x.idle = time.Now()
	r := x.r
	r.journal.given = input
	x.do(func() (Value, bool, *Failure) {
		if err := r.ctx.Err(); err != nil {
			return Value{}, true, limitFailure(&meter.LimitError{Kind: meter.Cancelled, Cause: err})
		}
		in, f := r.prepare(input)
		if f != nil {
			return Value{}, true, f
		}
		if err := r.noteInput(in); err != nil {
			return Value{}, true, r.failure(err)
		}
		var clock []reading
		if r.again != nil {
			clock = slices.Clone(r.again.clock)
		}
		if err := r.openSink(clock); err != nil {
			return Value{}, true, r.failure(err)
		}
		r.inAt = r.m.Root(in)
		r.mainAt = r.m.Root(vm.Undefined)
		r.m.NamePaths(in, "input")
		v, f := r.begin(in)
		if f != nil {
			return Value{}, true, f
		}
		r.m.SetRootAt(r.mainAt, v)
		return r.pump()
	})
	x.watch()
}

// watch ends the run when its context ends while it waits.
func (x *Run) watch() {
	if x.out == nil && x.r.ctx.Done() != nil {
		x.unwatch = context.AfterFunc(x.r.ctx, func() {
			x.lock("ending")
			defer x.unlock()
			if x.over() == nil {
				x.do(x.r.pump)
			}
		})
	}
}

func (x *Run) lock(what string) {
	x.mu.Lock()
	x.doing.Store(&what)
}

func (x *Run) unlock() {
	x.doing.Store(nil)
	x.mu.Unlock()
}

// over says why nothing can be done with the run any more.
func (x *Run) over() error {
	switch {
	case x.written:
		return notWaiting("it was written out")
	case x.out != nil:
		return notWaiting("it is over")
	}
	return nil
}

// do works for the run: f says whether it is over, and with what.
func (x *Run) do(f func() (Value, bool, *Failure)) {
	r := x.r
	r.mt.Skip(time.Since(x.idle))
	if r.hostCtx != nil && len(r.active) == 0 {
		r.cancel() // it ends when the run would have, without having waited
		r.hostCtx, r.cancel = nil, nil
	}
	v, over, fail := x.safely(f)
	x.idle = time.Now()
	if over {
		x.finish(v, fail)
	}
	close(x.changed)
	x.changed = make(chan struct{})
}

// safely makes a failure of a bug in the engine.
func (x *Run) safely(f func() (Value, bool, *Failure)) (v Value, over bool, fail *Failure) {
	defer func() {
		if p := recover(); p != nil {
			v, over, fail = Value{}, true, internalFailure(fmt.Sprintf("a bug in the engine: %v", p), p, debug.Stack())
		}
	}()
	return f()
}

// finish closes the run and makes its outcome.
func (x *Run) finish(v Value, f *Failure) {
	out := &Outcome{}
	_, _, bug := x.safely(func() (Value, bool, *Failure) {
		x.r.conclude(out, v, f, x.r.journal.given)
		return Value{}, true, nil
	})
	if bug != nil {
		out.Value, out.Failure = Value{}, bug
	}
	x.r.leaveWith(out)
	x.r.closeSink()
	x.out = out
	if x.unwatch != nil {
		x.unwatch()
	}
}

// pump runs the program until it is over or waits for answers alone.
func (r *run) pump() (out Value, over bool, f *Failure) {
	m := r.m
	for {
		if err := m.RunJobs(); err != nil {
			return Value{}, true, r.failure(err)
		}
		if err := r.poll(); err != nil {
			return Value{}, true, r.failure(err)
		}
		p := m.RootAt(r.mainAt).AsObj()
		state, result := m.PromiseStateOf(p)
		switch {
		case state == vm.PromiseRejected:
			m.MarkHandled(p)
			return Value{}, true, r.thrown(result, "")
		case state == vm.PromiseFulfilled:
			if f := r.unhandled(p); f != nil {
				return Value{}, true, f
			}
			v, done, f := r.next(result, m.RootAt(r.inAt))
			if f == nil && done {
				out, f = r.result(v)
			}
			if f != nil || done {
				return out, true, f
			}
			m.SetRootAt(r.mainAt, v)
			continue
		case r.pending == 0 && len(r.timers.queue) == 0:
			return Value{}, true, r.neverSettles(p)
		case r.again != nil:
			if err := r.again.settle(r); err != nil {
				return Value{}, true, r.failure(err)
			}
			continue
		case r.waits():
			return Value{}, false, nil
		}
		if err := r.wait(); err != nil {
			return Value{}, true, r.failure(err)
		}
	}
}

// waits reports whether only answers can make the run go on, or a timer that
// isn't due.
func (r *run) waits() bool {
	if len(r.deferred) == 0 || r.pending != len(r.deferred) {
		return false
	}
	left, timer := r.untilTimer()
	return !timer || r.timers.virtual || left > 0
}

// deferCall is a call of a Deferred function.
func (r *run) deferCall(h *hostFunc, c *vm.Call) (vm.Value, error) {
	if err := r.enterHost(h); err != nil {
		return vm.Undefined, err
	}
	m := r.m
	if r.waiting == nil {
		return vm.Undefined, r.throwCode(vm.ErrorPrototype, CodeHost, h.name+" is answered later, and this run can't wait for it: the host must begin it with Sandbox.Start")
	}
	p := m.NewPromise()
	var t *passage
	var args []Value
	var bytes int64
	var err error
	if h.watched {
		t, err = r.admitCall(h)
	}
	if err == nil {
		if args, bytes, err = r.copyArguments(h.name, c); err == nil && t != nil {
			err = r.took(t, bytes)
		}
		if err != nil {
			err = r.passed(t, err)
		}
	}
	if err != nil {
		return r.refuse(p, err)
	}
	r.beginCall(t)
	d := &deferredCall{fn: h, args: args, bytes: bytes + deferredBytes, passage: t}
	if d.slot, d.number, err = r.expect(p, d.bytes); err != nil {
		return vm.Undefined, err
	}
	r.calls++
	d.id = r.calls
	if r.again != nil {
		return heap.ObjectValue(p), r.again.asked(r, d)
	}
	r.deferred = append(r.deferred, d)
	return heap.ObjectValue(p), r.noteCall(d.id, kindDeferred, h.name, args)
}

// deferredBytes is what a deferred call is charged beside its arguments.
const deferredBytes = 512

// copyArguments copies what a program passed.
func (r *run) copyArguments(name string, c *vm.Call) (args []Value, bytes int64, err error) {
	for i, v := range c.Args { //meter: each copy charges
		x, err := membrane.Encode(r.m, v, "", r.sb.crossing)
		if err != nil {
			return nil, 0, r.argumentError(name, i, err)
		}
		bytes += int64(len(x.JSON())) + 32
		args = append(args, x)
	}
	return args, bytes, nil
}

// ID identifies the run: Suspend and Resume keep it, and it begins the
// idempotency keys of its calls.
func (x *Run) ID() string {
	if x.r == nil {
		return ""
	}
	return x.r.id
}

// Pending returns the calls that wait for an answer, in the order in which they
// were made.
func (x *Run) Pending() []PendingCall {
	x.lock("listing its calls")
	defer x.unlock()
	if x.over() != nil {
		return nil
	}
	var list []PendingCall
	for _, d := range x.r.deferred { //meter: the calls that wait: their number is limited
		list = append(list, x.r.pendingCall(d))
	}
	return list
}

func (r *run) pendingCall(d *deferredCall) PendingCall {
	return PendingCall{ID: d.id, Name: d.fn.name, Arguments: slices.Clone(d.args), IdempotencyKey: r.key(d.id), Unknown: d.unknown}
}

// key is a call's idempotency key: calls that were made before a fork have the
// one of the run that made them.
func (r *run) key(id int64) string {
	run := r.id
	for _, f := range r.forks { //meter: the forks around a run, each made by the host
		if id <= f.Calls {
			run = f.Run
			break
		}
	}
	return run + "-" + strconv.FormatInt(id, 10)
}

// fork is a run that another one was forked from, and how many calls it had made
// then.
type fork struct {
	Run   string `json:"run"`
	Calls int64  `json:"calls"`
}

// Answer answers a pending call: with a value that can cross, or with an error,
// which the program gets as it gets those of other host functions. The program
// goes on until the run is over or waits again.
func (x *Run) Answer(id int64, value any, err error) error {
	x.lock("answering a call")
	defer x.unlock()
	if e := x.over(); e != nil {
		return e
	}
	i := slices.IndexFunc(x.r.deferred, func(d *deferredCall) bool { return d.id == id })
	if i < 0 {
		return fmt.Errorf("%w: %d", ErrNotPending, id)
	}
	r, d := x.r, x.r.deferred[i]
	x.do(func() (Value, bool, *Failure) {
		if e := r.poll(); e != nil {
			return Value{}, true, r.failure(e)
		}
		r.deferred = slices.Delete(r.deferred, i, i+1)
		if e := r.answer(d, value, err); e != nil {
			return Value{}, true, r.failure(e)
		}
		return r.pump()
	})
	return nil
}

// takePromise takes the promise of a call that has an outcome, and counts the
// call as no longer pending.
func (r *run) takePromise(slot int) vm.Value {
	r.pending--
	return r.vacate(slot)
}

// answer settles the promise of a deferred call.
func (r *run) answer(d *deferredCall, value any, err error) error {
	m := r.m
	r.timers.fired = false
	r.mt.Shrink(d.bytes)
	v := r.takePromise(d.slot)
	at := m.Root(v)
	defer m.PopRoots(at)
	result := vm.Undefined
	if err != nil {
		err = r.hostError(d.fn.name, err)
	} else if value != nil {
		if d.passage != nil {
			err = r.gives(d.passage, sizeOf(reflect.ValueOf(value)))
		}
		if err == nil {
			if result, err = membrane.Import(m, value, "", r.sb.crossing); err != nil {
				err = r.importError(d.fn.name, err)
			}
		}
	}
	if err == nil {
		m.Root(result)
	}
	if err = r.passed(d.passage, err); err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		r.recordSettled(d.number, exc, true)
		m.RejectPromise(v.AsObj(), exc)
		return r.noteOutcome(d.id, exc, true)
	}
	r.recordSettled(d.number, result, false)
	m.Root(result)
	if err := r.noteOutcome(d.id, result, false); err != nil {
		return err
	}
	return r.deliver(d.fn, v.AsObj(), result)
}

// Outcome returns how the run ended, nil if it hasn't.
func (x *Run) Outcome() *Outcome {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out
}

// Wait waits until the run is over, for answers that other goroutines give and
// for timers. The error is the context's, or says that the run was written out.
func (x *Run) Wait(ctx context.Context) (*Outcome, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	for { //meter: each turn waits for a change, a timer or the context
		out, changed, left, timer, err := x.look()
		if out != nil || err != nil {
			return out, err
		}
		var due <-chan time.Time
		if timer {
			t := time.NewTimer(left)
			due = t.C
			defer t.Stop()
		}
		select {
		case <-changed:
		case <-due:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look fires timers that are due and says what there is to wait for.
func (x *Run) look() (out *Outcome, changed chan struct{}, left time.Duration, timer bool, err error) {
	x.lock("firing timers")
	defer x.unlock()
	if x.written {
		return nil, nil, 0, false, x.over()
	}
	if x.out == nil && !x.r.waits() {
		x.do(x.r.pump)
	}
	if x.out != nil {
		return x.out, nil, 0, false, nil
	}
	if !x.r.timers.virtual {
		left, timer = x.r.untilTimer()
	}
	return nil, x.changed, left, timer, nil
}

// Cancel ends the run, if it isn't over, and returns its outcome.
func (x *Run) Cancel() *Outcome {
	x.lock("ending")
	defer x.unlock()
	if x.over() == nil {
		x.r.mt.Stop(&meter.LimitError{Kind: meter.Cancelled, What: "the host ended the run", Cause: context.Canceled})
		x.do(x.r.pump)
	}
	return x.out
}
