package pinfold

import (
	"encoding/json"
	"reflect"
	"sync/atomic"

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
}

// settled is the report of an asynchronous call.
type settled struct {
	call  *asyncCall
	value reflect.Value
	err   error
	panic any
	stack []byte
}

// pendingBytes is what a call in progress is charged beside its arguments: a
// goroutine and what belongs to it.
const pendingBytes = 4 << 10

// start begins an asynchronous call and returns its promise. Only the Go
// function runs in the other goroutine: arguments are converted before, the
// result after, here.
func (h *hostFunc) start(r *run, c *vm.Call) (vm.Value, error) {
	if err := r.enterHost(); err != nil {
		return vm.Undefined, err
	}
	m := r.m
	p := m.NewPromise()
	a := &asyncCall{fn: h}
	err := r.tooManyStragglers(h)
	if err == nil {
		a.in, a.bytes, err = h.arguments(r, c, a)
	}
	if err != nil {
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
	a.bytes += pendingBytes
	if err := r.mt.Grow(a.bytes); err != nil {
		return vm.Undefined, err
	}
	if a.slot, err = r.keep(p); err != nil {
		return vm.Undefined, err
	}
	r.pending++
	a.number = r.recordStart()
	if r.waiting != nil {
		if served, err := r.began(a, c); served || err != nil {
			return heap.ObjectValue(p), err
		}
	}
	if len(r.active) < r.sb.limits.ConcurrentHostCalls {
		r.launch(a)
	} else {
		r.queue = append(r.queue, a)
	}
	return heap.ObjectValue(p), nil
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

// report settles the promise of a call that has returned.
func (r *run) report(s settled) error {
	m, c := r.m, s.call
	r.mt.Shrink(c.bytes)
	if err := r.poll(); err != nil {
		return err
	}
	v, _, _ := m.H.GetElem(r.promises, uint32(c.slot))
	m.H.SetElem(r.promises, uint32(c.slot), vm.Undefined)
	r.free = append(r.free, c.slot)
	p := v.AsObj()
	at := m.Root(v)
	defer m.PopRoots(at)
	if s.panic != nil {
		return r.panicked(c.fn.name, s.panic, s.stack)
	}
	result, err := r.hostResult(c.fn, s.value, s.err)
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
	return m.ResolvePromise(p, result)
}

// rawJSON is a text that holds JSON.
func rawJSON(s string) json.RawMessage { return json.RawMessage(s) }
