package pinfold

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// A host function whose result is an iter.Seq or an iter.Seq2 with errors gives
// the program an async iterable: each step of it is a call of a hidden host
// function, by the same way as any other.

// CodeStream is the code of the error that a stream gives which is no longer
// there.
const CodeStream = "E_STREAM"

// streams are the open streams of a run.
type streams struct {
	mu   sync.Mutex
	last int64
	open map[int64]*puller
}

// puller is one of them.
type puller struct {
	turn chan struct{} // closed when the last step that was asked for is done
	next func() (v reflect.Value, err error, ok bool)
	stop func()
}

// step makes a step when those that were asked for before are done. It is called
// in the program's order.
func (s *streams) step(id int64, remove bool, f func(p *puller) (streamItem, error)) (wait func() (streamItem, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.open[id]
	if p == nil {
		return func() (streamItem, error) { return f(nil) }
	}
	if remove {
		delete(s.open, id)
	}
	mine := make(chan struct{})
	before := p.turn
	p.turn = mine
	return func() (streamItem, error) {
		<-before
		defer close(mine)
		return f(p)
	}
}

type streamsKey struct{}

// streamed reports whether a type is that of a stream, and of what.
func streamed(t reflect.Type) (item reflect.Type, errs, ok bool) {
	if t.Kind() != reflect.Func || t.NumIn() != 1 || t.NumOut() != 0 || t.IsVariadic() {
		return nil, false, false
	}
	yield := t.In(0)
	if yield.Kind() != reflect.Func || yield.NumOut() != 1 || yield.Out(0).Kind() != reflect.Bool || yield.NumIn() == 0 {
		return nil, false, false
	}
	switch {
	case yield.NumIn() == 1:
		return yield.In(0), false, true
	case yield.NumIn() == 2 && yield.In(1) == typeErr:
		return yield.In(0), true, true
	}
	return nil, false, false
}

// hideStreams adds the hidden functions if some function needs them.
func (s *Sandbox) hideStreams() error {
	needed := false
	for _, h := range s.functions { //meter: the host's functions
		needed = needed || h.shape == stream
		switch {
		case h.hidden && h.name == "stream.next":
			s.streamNext = h
		case h.hidden:
			s.streamStop = h
		}
	}
	if !needed || s.streamNext != nil {
		return nil
	}
	list, err := prepareAll(streamFunctions())
	if err != nil {
		return err
	}
	s.functions = append(s.functions, list...)
	s.streamNext, s.streamStop = list[0], list[1]
	return nil
}

// openStream keeps a stream for the program.
func (r *run) openStream(v reflect.Value) (vm.Value, error) {
	if v.IsNil() {
		return vm.Undefined, nil
	}
	if r.streams == nil {
		r.streams = &streams{open: map[int64]*puller{}}
	}
	p := &puller{turn: make(chan struct{})}
	close(p.turn)
	if _, errs, _ := streamed(v.Type()); errs {
		next, stop := iter.Pull2(v.Seq2())
		p.stop = stop
		p.next = func() (reflect.Value, error, bool) {
			v, e, ok := next()
			if !ok {
				return v, nil, false
			}
			err, _ := e.Interface().(error)
			return v, err, true
		}
	} else {
		next, stop := iter.Pull(v.Seq())
		p.stop = stop
		p.next = func() (reflect.Value, error, bool) {
			v, ok := next()
			return v, nil, ok
		}
	}
	s := r.streams
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.open[s.last] = p
	return membrane.Import(r.m, membrane.NewObject("stream", s.last), "", r.sb.crossing)
}

// streamItem is a step of a stream, as iterators have it.
type streamItem struct {
	Value any  `json:"value"`
	Done  bool `json:"done"`
}

// streamFunctions are the hidden host functions.
func streamFunctions() []Function {
	done := streamItem{Value: Undefined{}, Done: true}
	function := func(name string, remove bool, f func(s *streams, id int64, p *puller) (streamItem, error)) Function {
		send := func(in []reflect.Value) func() (reflect.Value, error) {
			s, _ := in[0].Interface().(context.Context).Value(streamsKey{}).(*streams)
			id := in[1].Int()
			if s == nil {
				s = &streams{}
			}
			wait := s.step(id, remove, func(p *puller) (streamItem, error) { return f(s, id, p) })
			return func() (reflect.Value, error) {
				x, err := wait()
				return reflect.ValueOf(x), err
			}
		}
		return Function{Name: name, hidden: true, Async: true, Cancel: Cooperative, send: send, Func: func(context.Context, int64) (streamItem, error) { return done, nil }}
	}
	return []Function{
		function("stream.next", false, func(s *streams, id int64, p *puller) (streamItem, error) {
			switch {
			case p == nil && id <= s.last:
				return done, nil
			case p == nil:
				return done, &Error{Code: CodeStream, Message: "the stream isn't there any more: the run was resumed after it had been opened"}
			}
			v, err, ok := p.next()
			if ok && err == nil {
				return streamItem{Value: v.Interface()}, nil
			}
			s.mu.Lock()
			delete(s.open, id)
			s.mu.Unlock()
			p.stop()
			return done, err
		}),
		function("stream.stop", true, func(_ *streams, _ int64, p *puller) (streamItem, error) {
			if p != nil {
				p.stop()
			}
			return done, nil
		}),
	}
}

// shapeStream makes the async iterable.
func (r *run) shapeStream(_ *hostFunc, o vm.Obj) (vm.Value, error) {
	m := r.m
	t, err := r.sb.realm()
	if err != nil {
		return vm.Undefined, err
	}
	k, err := m.H.KeyOfName("stream")
	if err != nil {
		return vm.Undefined, err
	}
	id, err := m.Get(o, k)
	if err != nil {
		return vm.Undefined, err
	}
	x := m.NewPlain()
	at := m.Root(heap.ObjectValue(x))
	defer m.PopRoots(at)
	next, err := m.H.KeyOfName("next")
	if err != nil {
		return vm.Undefined, err
	}
	stop, err := m.H.KeyOfName("return")
	if err != nil {
		return vm.Undefined, err
	}
	if err = r.method(x, next, t.next, id, 0); err == nil {
		if err = r.method(x, stop, t.stop, id, 0); err == nil {
			err = r.method(x, m.N.SymAsyncIterator, t.itself, vm.Undefined, 0)
		}
	}
	return heap.ObjectValue(x), err
}

// streamStep is next, or return, of a stream.
func streamStep(m *vm.Machine, c vm.Call, stop bool) (vm.Value, error) {
	r := m.Options().Host.(*run)
	h := r.sb.streamNext
	if stop {
		h = r.sb.streamStop
	}
	id := m.NativeData(c.Callee)
	return h.native(r)(m, vm.Call{This: vm.Undefined, NewTarget: vm.Undefined, Args: []vm.Value{id}})
}

// closeStreams stops what is left of streams when the run has ended. A stream
// whose step doesn't return is that call's straggler.
func (r *run) closeStreams() (late int) {
	if r.streams == nil {
		return 0
	}
	r.streams.mu.Lock()
	open := r.streams.open
	r.streams.open = map[int64]*puller{}
	r.streams.mu.Unlock()
	if len(open) == 0 {
		return 0
	}
	done := make(chan struct{}, len(open)) //meter: the streams that host functions opened
	for _, p := range open {               //meter: the streams that host functions opened
		go func() {
			defer func() { done <- struct{}{} }()
			defer func() { _ = recover() }() // the host's function, for nobody any more
			<-p.turn
			p.stop()
		}()
	}
	t := time.NewTimer(closeWait)
	defer t.Stop()
	for n := range len(open) { //meter: the streams that host functions opened
		select {
		case <-done:
		case <-t.C:
			return len(open) - n
		}
	}
	return 0
}

// checkStream says what is wrong with a function that returns a stream.
func checkStream(f Function) error {
	switch {
	case !f.Async || f.Cancel != Cooperative:
		return errors.New("it returns a stream: it must be Async, and its Cancel Cooperative")
	case f.Timeout != 0:
		return errors.New("it returns a stream, which a Timeout can't bound: the run's own does")
	}
	return nil
}
