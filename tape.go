package pinfold

import (
	"context"
	"iter"
	"reflect"

	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// Tape sees the calls of host functions, or answers them in their place: see
// package tape, which records runs and repeats them. A Tape is for one run at a
// time. Its methods are called on the run's goroutine.
type Tape interface {
	// Call is told of a call that was admitted, before it is made, in the program's
	// order. Steps of streams are calls, too. If answer isn't nil it says how the
	// call ends, and the function isn't called; that of an asynchronous function is
	// called in a goroutine of its own, and ends when its context does.
	Call(name string, args []Value, async bool) (id int64, answer func(ctx context.Context) (Value, error))
	// Ended is told how a call ended, in the order in which the program comes to
	// know: err is what it was thrown, nil if it got the result.
	Ended(id int64, result Value, err *Error)
}

// taped is a call that a Tape knows.
type taped struct {
	id     int64
	answer func(ctx context.Context) (Value, error)
}

// tapeAll makes all calls pass where a Tape sees them.
func (s *Sandbox) tapeAll() {
	if s.opt.Tape == nil {
		return
	}
	for _, h := range s.functions { //meter: the host's functions
		if h.watched = true; !h.deferred {
			h.call = h.reflectCall
		}
	}
}

// tape shows a call to the Tape, if there is one.
func (r *run) tape(t *passage, h *hostFunc, c *vm.Call) error {
	if r.sb.opt.Tape == nil || t == nil {
		return nil
	}
	n := len(c.Args)
	if k := len(h.args); k == 0 || !h.args[k-1].variadic {
		n = min(n, k)
	}
	args := make([]Value, n) //meter: as many as the call has arguments, which its window of registers was charged for
	for i := range args {    //meter: Encode charges for what it copies
		v, err := membrane.Encode(r.m, c.Args[i], "", r.sb.entering)
		if err != nil {
			return err
		}
		args[i] = v
	}
	// An argument that is undefined is one that is left out: workers fill them up.
	for n > 0 && n <= h.length && args[n-1].IsUndefined() { //meter: as many as were just encoded
		n--
	}
	args = args[:n]
	t.taped.id, t.taped.answer = r.sb.opt.Tape.Call(h.name, args, h.async)
	return nil
}

// play is the answer of the Tape in the place of a function's. For a stream it is
// an empty one: its steps are answered each.
func (t *passage) play(ctx context.Context, h *hostFunc) (reflect.Value, error) {
	v, err := t.taped.answer(ctx)
	if err == nil && h.shape == stream {
		return reflect.ValueOf(iter.Seq2[any, error](func(func(any, error) bool) {})), nil
	}
	return reflect.ValueOf(v), err
}

// tapeEnd tells the Tape how a call ended: with a value, or what was thrown. It
// returns its arguments.
func (r *run) tapeEnd(t *passage, x vm.Value, err error) (vm.Value, error) {
	if t == nil || t.taped.id == 0 {
		return x, err
	}
	tape := r.sb.opt.Tape
	if err == nil {
		at := r.m.Root(x)
		defer r.m.PopRoots(at)
		v, e := membrane.Encode(r.m, x, "", r.sb.entering)
		if e != nil {
			return vm.Undefined, e
		}
		tape.Ended(t.taped.id, v, nil)
		return x, nil
	}
	exc, ok := r.m.Caught(err)
	if !ok {
		return x, err
	}
	at := r.m.Root(exc)
	defer r.m.PopRoots(at)
	e := &Error{}
	if v, is := exportError(r.m, exc, r.sb.entering); is {
		e.Message = v.Message
		for i := 0; v.Props != nil && i < v.Props.Len(); i++ { //meter: the few properties that errors of host calls have
			switch k, p := v.Props.At(i); k {
			case "code":
				e.Code, _ = p.(string)
			case "retryable":
				e.Retryable = p == true
			case "data":
				e.Data = p
			}
		}
	}
	tape.Ended(t.taped.id, Value{}, e)
	return x, r.m.Throw(exc)
}

func exportError(m *vm.Machine, exc vm.Value, lim membrane.Limits) (*ErrorValue, bool) {
	x, err := membrane.Export(m, exc, "", lim)
	if err != nil { //meter: an error that can't be copied is recorded without its parts; a limit is sticky
		return nil, false
	}
	v, ok := x.(*ErrorValue)
	return v, ok
}
