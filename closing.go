package pinfold

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold/js/vm"
)

// Cancellation says what happens to the calls of an asynchronous host function
// that are at work when the run ends, in whatever way it does. What such a call
// returns is dropped in any case.
type Cancellation uint8

// The classes of cancellation.
const (
	// Killable functions work with something that can be ended from outside,
	// such as a process: they register it with RegisterChild. It is asked to
	// stop, and killed if the function has not returned a second later. A call
	// that has registered nothing is treated as cooperative, and noted.
	Killable Cancellation = iota + 1
	// Cooperative functions end when their context does. One that doesn't may
	// outlive the run: the run waits for it for a second, and then counts it as
	// a straggler.
	Cooperative
	// Atomic functions are not interrupted: their context never ends, and the
	// run waits for them up to Limits.AtomicGrace. If one is still at work then,
	// it is noted, and the run's slot of the Limiter stays held until it returns.
	Atomic
)

var cancellationNames = [...]string{Killable: "killable", Cooperative: "cooperative", Atomic: "atomic"}

// String returns the class's name.
func (c Cancellation) String() string {
	if int(c) < len(cancellationNames) && c > 0 {
		return cancellationNames[c]
	}
	return fmt.Sprintf("Cancellation(%d)", uint8(c))
}

// ErrEnded is what a call for a run that has ended fails with. It is the cause
// (context.Cause) of the contexts of host functions whose run has ended, unless
// the caller's own context or the run's deadline had ended them before.
var ErrEnded = errors.New("the run has ended")

// What the end of a run waits for.
const (
	closeWait = time.Second            // for cooperative and killable functions
	killWait  = 100 * time.Millisecond // after what a killable function works with was killed
)

// maxStragglers is how many calls of one function may be at work for runs that
// are closed before further ones are refused.
const maxStragglers = 8

// Child is what a Killable function works with. Neither method may block.
type Child interface {
	// Stop asks it to end, as SIGTERM does. It may be called more than once.
	Stop() error
	// Kill ends it, as SIGKILL does.
	Kill() error
}

// RegisterChild says what the call of a Killable function works with. The
// context is the one that the function was called with. When the run ends c is
// stopped, and then killed; if it has ended already, c is killed at once, and
// the error is ErrEnded. The function calls forget when c has ended by itself.
func RegisterChild(ctx context.Context, c Child) (forget func(), err error) {
	if forget, err = register(ctx, c); err == ErrEnded {
		_ = c.Kill() //meter: the host's own error; the function sees ErrEnded
	}
	return forget, err
}

func register(ctx context.Context, c Child) (forget func(), err error) {
	l, _ := ctx.Value(childrenKey{}).(*children)
	if l == nil {
		return nil, errors.New("pinfold: the context is not that of a killable host function")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.any = true
	if l.ended {
		return func() {}, ErrEnded
	}
	e := &child{c}
	l.list = append(l.list, e)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for i, x := range l.list { //meter: what the host has registered
			if x == e {
				l.list = append(l.list[:i], l.list[i+1:]...)
				return
			}
		}
	}, nil
}

type childrenKey struct{}

// children are what one call works with.
type children struct {
	mu    sync.Mutex
	list  []*child
	any   bool // one was registered
	ended bool
}

type child struct{ Child }

// take returns what is registered. What comes later is killed at once.
func (l *children) take() []*child {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	return slices.Clone(l.list)
}

// careless reports whether a killable function was called and has registered
// nothing.
func (c *asyncCall) careless() bool {
	c.children.mu.Lock()
	defer c.children.mu.Unlock()
	return c.state.Load() == callBegan && !c.children.any
}

// signal calls Stop or Kill for all that the run's functions work with. They are
// the host's: a panic in one is nothing to the run, and one that blocks is not
// waited for longer than until an instant.
func (r *run) signal(until time.Time, f func(Child) error) {
	var all []*child
	for _, c := range r.active { //meter: Limits.ConcurrentHostCalls
		if c.children != nil {
			all = append(all, c.children.take()...)
		}
	}
	if len(all) == 0 {
		return
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		for _, c := range all { //meter: what the host has registered
			func() {
				defer func() { _ = recover() }()
				_ = f(c.Child) //meter: the host's own error: it is gone already
			}()
		}
	}()
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-told:
	case <-t.C:
	}
}

// Stragglers counts the calls of host functions that their run had to leave at
// work when it was closed.
type Stragglers struct {
	Running      int64 // that have not returned yet
	Total        int64 // since the sandbox was made
	Unregistered int64 // calls of killable functions that were to be stopped and had registered nothing
}

// Stragglers returns the counters.
func (s *Sandbox) Stragglers() Stragglers {
	c := &s.closing
	return Stragglers{c.running.Load(), c.total.Load(), c.unregistered.Load()}
}

// closing is what a sandbox knows of closed runs.
type closing struct{ running, total, unregistered atomic.Int64 }

// inflight is what a run shares with the goroutines of its asynchronous host
// functions. It holds nothing of the run's memory, so that a straggler doesn't
// either.
type inflight struct {
	done    chan settled
	tasks   chan *asyncCall // for goroutines that have made a call and wait for another
	gone    chan struct{}   // closed when nobody receives any more
	closing *closing

	// Set before gone is closed.
	atomics atomic.Int64 // stragglers that keep the slot
	release func()       // it
}

// launch lets a call begin.
func (r *run) launch(c *asyncCall) {
	if r.inflight == nil {
		r.inflight = &inflight{done: make(chan settled), tasks: make(chan *asyncCall), gone: make(chan struct{}), closing: &r.sb.closing}
	}
	c.at = len(r.active)
	r.active = append(r.active, c)
	r.working[c.fn.cancel]++
	r.beginCall(c.passage)
	if d := c.fn.timeout; d > 0 {
		f := r.inflight
		c.timer = time.AfterFunc(d, func() {
			select {
			case f.done <- settled{call: c, err: context.DeadlineExceeded, early: true}:
			case <-f.gone:
			}
		})
	}
	if c.fn.send != nil && c.wait == nil {
		c.wait = c.fn.send(c.in) // so that calls are made in the program's order
	}
	select {
	case r.inflight.tasks <- c:
	default:
		go r.inflight.serve(c)
	}
}

// finished takes a call that has returned off the list.
func (r *run) finished(c *asyncCall) {
	c.release()
	n := len(r.active) - 1
	last := r.active[n]
	r.active[c.at], last.at = last, c.at
	r.active[n] = nil
	r.active = r.active[:n]
	r.working[c.fn.cancel]--
}

// States of a call.
const (
	callMade    = iota // by the script; its goroutine has not come to it
	callBegan          // the function was called
	callRefused        // the run was closed before: the function is never called
)

// serve makes a call, and then others of the run: a goroutine whose stack has grown
// once makes the next call in half the time.
func (f *inflight) serve(c *asyncCall) {
	for { //meter: a call each, whose number is limited
		f.work(c)
		select {
		case c = <-f.tasks:
		case <-f.gone:
			return
		}
	}
}

// work makes the call.
func (f *inflight) work(c *asyncCall) {
	s := settled{call: c, err: ErrEnded}
	began, returned := false, false
	defer func() {
		if v := recover(); v != nil {
			s.panic, s.stack = v, debug.Stack()
		} else if !returned {
			s.panic, s.stack = "the goroutine of the host function was ended (runtime.Goexit)", debug.Stack()
		}
		select {
		case f.done <- s:
		case <-f.gone:
			if began {
				f.straggled(c)
			}
		}
	}()
	if began = c.state.CompareAndSwap(callMade, callBegan); began {
		if c.wait != nil {
			s.value, s.err = c.wait()
		} else {
			s.value, s.err = c.fn.invoke(c.in)
		}
	}
	returned = true
}

// straggled counts a straggler that has returned.
func (f *inflight) straggled(c *asyncCall) {
	c.fn.stragglers.Add(-1)
	f.closing.running.Add(-1)
	if c.fn.cancel == Atomic && f.atomics.Add(-1) == 0 && f.release != nil {
		f.release()
	}
}

// tooManyStragglers throws if too many calls of a function were left at work.
func (r *run) tooManyStragglers(h *hostFunc) error {
	if n := h.stragglers.Load(); n >= maxStragglers {
		return r.throwCode(vm.ErrorPrototype, CodeBusy, fmt.Sprintf("%s can't be called now: %d of its calls by ended runs have not returned", h.name, n))
	}
	return nil
}

// context returns the context of host functions. It ends with the run.
func (r *run) context() context.Context {
	if r.hostCtx == nil {
		ctx, cancel := context.WithCancelCause(r.ctx)
		r.cancel = func() { cancel(ErrEnded) }
		if d, ok := r.mt.Deadline(); ok {
			var stop func()
			ctx, stop = context.WithDeadline(ctx, d)
			r.cancel = func() { cancel(ErrEnded); stop() }
		}
		r.hostCtx = ctx
	}
	return r.hostCtx
}

// contextOf returns the context of a call, nil being a synchronous one.
func (r *run) contextOf(c *asyncCall) context.Context {
	ctx, t := r.context(), r.passing
	switch {
	case c == nil:
	case c.fn.cancel == Atomic:
		ctx = context.WithoutCancel(r.ctx)
	case c.fn.cancel == Killable:
		c.children = &children{}
		ctx = context.WithValue(ctx, childrenKey{}, c.children)
	}
	if c != nil {
		t = c.passage
		if d := c.fn.timeout; d > 0 && c.fn.cancel != Atomic {
			ctx, c.cancel = context.WithTimeout(ctx, d)
		}
	}
	if t != nil {
		t.ctx.key, t.ctx.ctx = r.callKey(t.ID), ctx
		ctx = context.WithValue(ctx, callKey{}, &t.ctx)
	}
	if c != nil && c.fn.hidden {
		ctx = context.WithValue(ctx, streamsKey{}, r.streams)
	}
	return ctx
}

// callKey is a call's idempotency key.
func (r *run) callKey(id int64) string {
	if r.waiting != nil {
		return r.key(id)
	}
	if r.name == "" {
		r.name = newRunID()
	}
	return r.name + "-" + strconv.FormatInt(id, 10)
}

// end is the first half of closing a run: from here on it makes no calls,
// those that wait for others to end are dropped, contexts end, and what killable
// functions work with is stopped.
func (r *run) end() {
	if r.ended {
		return
	}
	r.ended, r.endedAt = true, time.Now()
	if r.cancel != nil {
		r.cancel()
	}
	for _, c := range r.queue { //meter: calls that wait: their number is limited
		c.release()
	}
	r.queue = nil
	r.signal(r.endedAt.Add(closeWait), Child.Stop)
}

// close is the second half: host functions get their time to return, and their
// results are dropped. It returns what the host should know. When it has
// returned, those still at work stand in r.active.
func (r *run) close() (notes []string) {
	r.end()
	defer r.closeCalls()
	f := r.inflight
	if f == nil {
		return nil
	}
	if n := r.closeStreams(); n > 0 {
		notes = append(notes, fmt.Sprintf("%d streams of host functions did not stop within %v", n, closeWait))
	}
	var killable []*asyncCall
	for _, c := range r.active { //meter: Limits.ConcurrentHostCalls
		if c.fn.cancel == Killable {
			killable = append(killable, c)
		}
	}
	others := func() bool { return r.atWork(Killable) || r.atWork(Cooperative) }
	r.await(r.endedAt.Add(closeWait), others)
	if r.atWork(Killable) {
		until := time.Now().Add(killWait)
		r.signal(until, Child.Kill)
		r.await(until, func() bool { return r.atWork(Killable) })
	}
	r.await(r.endedAt.Add(r.sb.limits.AtomicGrace), func() bool { return r.atWork(Atomic) })
	note := func(format string, args ...any) {
		if len(notes) < maxNotes {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	for _, c := range killable { //meter: Limits.ConcurrentHostCalls
		if c.careless() {
			f.closing.unregistered.Add(1)
			note("the killable host function %s had registered nothing that could be killed", c.fn.name)
		}
	}
	for _, c := range slices.Clone(r.active) { //meter: Limits.ConcurrentHostCalls
		if c.state.CompareAndSwap(callMade, callRefused) {
			r.finished(c)
		}
	}
	atomics := int64(0)
	for _, c := range r.active { //meter: Limits.ConcurrentHostCalls
		c.fn.stragglers.Add(1)
		f.closing.total.Add(1)
		f.closing.running.Add(1)
		held := ""
		if c.fn.cancel == Atomic {
			if atomics++; r.slot != nil {
				held = "; the run's slot stays held until it returns"
			}
		}
		note("the %s host function %s was still at work %v after the run had ended%s", c.fn.cancel, c.fn.name, time.Since(r.endedAt).Round(time.Millisecond), held)
	}
	if atomics > 0 && r.slot != nil {
		f.release = r.slot.Release
		f.atomics.Store(atomics)
	}
	close(f.gone)
	return notes
}

// maxNotes is how many notes an outcome has at most.
const maxNotes = 16

// leave gives the run's slot back, unless an atomic function keeps it.
func (r *run) leave() {
	if r.inflight == nil || r.inflight.release == nil {
		r.slot.Release()
	}
}

func (r *run) atWork(class Cancellation) bool { return r.working[class] > 0 }

// await receives reports until nothing that is waited for is at work, or until
// an instant.
func (r *run) await(until time.Time, left func() bool) {
	if !left() {
		return
	}
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	for left() { //meter: each report is a call's last; Limits.ConcurrentHostCalls
		select {
		case s := <-r.inflight.done:
			if s.early {
				continue
			}
			r.finished(s.call)
			if t := s.call.passage; t != nil && t.End == "" {
				if t.End = CallDropped; s.err != nil || s.panic != nil {
					t.End = CallCancelled
				}
			}
		case <-t.C:
			return
		}
	}
}
