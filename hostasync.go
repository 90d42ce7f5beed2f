package pinfold

import (
	"encoding/json"
	"reflect"
	"runtime/debug"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// settled is the report of an asynchronous call.
type settled struct {
	slot  int
	call  int // number of the call, as it is recorded
	fn    *hostFunc
	bytes int64 // charged for the arguments while the call is pending
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
	r.context()
	in, size, err := h.arguments(r, c)
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
	size += pendingBytes
	if err := r.mt.Grow(size); err != nil {
		return vm.Undefined, err
	}
	slot, err := r.keep(p)
	if err != nil {
		return vm.Undefined, err
	}
	if r.done == nil {
		r.done = make(chan settled)
		r.gone = make(chan struct{})
	}
	r.pending++
	call := r.recordStart()
	done, gone := r.done, r.gone
	go func() {
		s := settled{slot: slot, call: call, fn: h, bytes: size}
		returned := false
		defer func() {
			if v := recover(); v != nil {
				s.panic, s.stack = v, debug.Stack()
			} else if !returned {
				s.panic, s.stack = "the goroutine of the host function was ended (runtime.Goexit)", debug.Stack()
			}
			select {
			case done <- s:
			case <-gone:
			}
		}()
		s.value, s.err = h.invoke(in)
		returned = true
	}()
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
	m := r.m
	r.mt.Shrink(s.bytes)
	if err := r.poll(); err != nil {
		return err
	}
	v, _, _ := m.H.GetElem(r.promises, uint32(s.slot))
	m.H.SetElem(r.promises, uint32(s.slot), vm.Undefined)
	r.free = append(r.free, s.slot)
	p := v.AsObj()
	at := m.Root(v)
	defer m.PopRoots(at)
	if s.panic != nil {
		return r.panicked(s.fn.name, s.panic, s.stack)
	}
	result, err := r.hostResult(s.fn, s.value, s.err)
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		r.recordSettled(s.call, exc, true)
		m.RejectPromise(p, exc)
		return nil
	}
	r.recordSettled(s.call, result, false)
	return m.ResolvePromise(p, result)
}

// rawJSON is a text that holds JSON.
func rawJSON(s string) json.RawMessage { return json.RawMessage(s) }
