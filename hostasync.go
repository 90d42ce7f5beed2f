package pinfold

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// asyncCall is a call of an asynchronous function that has not reported.
type asyncCall struct {
	fn       *hostFunc
	slot     int   // of its promise
	number   int   // as it is recorded
	id       int64 // in the journal
	bytes    int64 // charged while it is pending
	in       []reflect.Value
	at       int // in run.active
	state    atomic.Int32
	children *children // of a killable function
	passage  *passage  // nil if nothing watches it
	reported bool      // its promise is settled: it ran out of its own time
	cancel   func()    // of its context, if it has one of its own
	timer    *time.Timer
	wait     func() (reflect.Value, error) // of a call that is made in another process
}

// settled is the report of an asynchronous call.
type settled struct {
	call  *asyncCall
	value reflect.Value
	err   error
	panic any
	stack []byte
	early bool // it ran out of its own time, and is still at work
}

// pendingBytes is what a call in progress is charged beside its arguments: a
// goroutine and what belongs to it.
const pendingBytes = 4 << 10

// start begins an asynchronous call and returns its promise. Only the Go
// function runs in the other goroutine: arguments are converted before, the
// result after, here.
func (h *hostFunc) start(r *run, c *vm.Call) (vm.Value, error) {
	if err := r.enterHost(h); err != nil {
		return vm.Undefined, err
	}
	m := r.m
	p := m.NewPromise()
	a := &asyncCall{fn: h}
	err := r.tooManyStragglers(h)
	if err == nil && h.watched {
		a.passage, err = r.admitCall(h)
	}
	if err == nil {
		err = r.takeArguments(a, c)
	}
	if err != nil {
		return r.refuse(p, err)
	}
	a.bytes += pendingBytes
	if a.slot, a.number, err = r.expect(p, a.bytes); err != nil {
		return vm.Undefined, err
	}
	if r.waiting != nil {
		if served, err := r.began(a, c); served || err != nil {
			return heap.ObjectValue(p), err
		}
	}
	r.launchOrQueue(a)
	return heap.ObjectValue(p), nil
}

// refuse rejects the promise of a call that isn't made with what was thrown.
func (r *run) refuse(p vm.Obj, err error) (vm.Value, error) {
	m := r.m
	exc, ok := m.Caught(err)
	if !ok {
		return vm.Undefined, err
	}
	if r.rec != nil {
		_, err = r.recordCall(vm.Undefined, m.Throw(exc))
		if exc, ok = m.Caught(err); !ok {
			return vm.Undefined, err
		}
	}
	m.RejectPromise(p, exc)
	return heap.ObjectValue(p), nil
}

// expect keeps the promise of a call that will have an outcome, charges what the
// call takes meanwhile, and numbers it for the recording.
func (r *run) expect(p vm.Obj, bytes int64) (slot, number int, err error) {
	if err := r.mt.Grow(bytes); err != nil {
		return 0, 0, err
	}
	if slot, err = r.keep(p); err != nil {
		return 0, 0, err
	}
	r.pending++
	return slot, r.recordStart(), nil
}

// takeArguments converts the arguments of a call. If that fails the call has
// ended.
func (r *run) takeArguments(a *asyncCall, c *vm.Call) (err error) {
	a.in, a.bytes, err = a.fn.arguments(r, c, a)
	if err == nil && a.passage != nil {
		if err = r.took(a.passage, a.bytes); err == nil {
			err = r.tape(a.passage, a.fn, c)
		}
	}
	if t := a.passage; err == nil && t != nil && t.taped.answer != nil {
		ctx := r.context()
		a.wait = func() (reflect.Value, error) { return t.play(ctx, a.fn) }
	}
	if err != nil {
		err = r.passed(a.passage, err)
		a.release()
	}
	return err
}

// launchOrQueue begins a call, or puts it in the queue when too many are at work.
func (r *run) launchOrQueue(a *asyncCall) {
	if a.fn.elsewhere || len(r.active) < r.sb.limits.ConcurrentHostCalls && r.roomFor(a.passage) {
		r.launch(a) // what is made elsewhere waits there
		return
	}
	r.queue = append(r.queue, a)
}

// launchNext begins the calls in the queue that there is room for now.
func (r *run) launchNext() {
	for i := 0; i < len(r.queue) && len(r.active) < r.sb.limits.ConcurrentHostCalls; { //meter: as many as wait, whose number is limited
		if a := r.queue[i]; r.roomFor(a.passage) {
			r.queue = slices.Delete(r.queue, i, i+1)
			r.launch(a)
		} else {
			i++
		}
	}
}

// release lets go of what a call has beside its promise.
func (c *asyncCall) release() {
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.cancel != nil {
		c.cancel()
	}
}

// keep holds a promise until its call reports.
func (r *run) keep(p vm.Obj) (int, error) {
	v := heap.ObjectValue(p)
	if n := len(r.free); n > 0 {
		slot := r.free[n-1]
		r.free = r.free[:n-1]
		r.m.H.SetElem(r.promises, uint32(slot), v)
		return slot, nil
	}
	slot := int(r.m.H.Obj(r.promises).Length)
	return slot, r.m.H.Push(r.promises, v)
}

// vacate gives the promise of a call, whose place is free then.
func (r *run) vacate(slot int) vm.Value {
	v, _, _ := r.m.H.GetElem(r.promises, uint32(slot))
	r.m.H.SetElem(r.promises, uint32(slot), vm.Undefined)
	r.free = append(r.free, slot)
	return v
}

// report settles the promise of a call that has returned.
func (r *run) report(s settled) error {
	m, c := r.m, s.call
	r.mt.Shrink(c.bytes)
	if err := r.poll(); err != nil {
		return err
	}
	v := r.vacate(c.slot)
	p := v.AsObj()
	at := m.Root(v)
	defer m.PopRoots(at)
	if s.panic != nil {
		return r.passed(c.passage, r.panicked(c.fn.name, s.panic, s.stack))
	}
	r.passing = c.passage
	result, err := r.hostResult(c.fn, s.value, s.err)
	r.passing = nil
	if err == nil {
		at := m.Root(result)
		err = r.passed(c.passage, nil)
		m.PopRoots(at)
	} else {
		err = r.passed(c.passage, err)
	}
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		r.recordSettled(c.number, exc, true)
		if err := r.noteOutcome(c.id, exc, true); err != nil {
			return err
		}
		m.RejectPromise(p, exc)
		return nil
	}
	r.recordSettled(c.number, result, false)
	if err := r.noteOutcome(c.id, result, false); err != nil {
		return err
	}
	return r.deliver(c.fn, p, result)
}

// rawJSON is a text that holds JSON.
func rawJSON(s string) json.RawMessage { return json.RawMessage(s) }
