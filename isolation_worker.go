package pinfold

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/internal/worker"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// inside is a worker process: an in-process sandbox whose host functions are
// calls of the parent.
type inside struct {
	c      *worker.Child
	sb     *Sandbox
	config workerConfig

	mu      sync.Mutex
	tag     uint64 // of the run
	ctx     context.Context
	cancel  context.CancelFunc
	next    uint64
	pending map[uint64]chan []byte // replies that are waited for, by call

	lines *lineBatch // of the run
}

// work is a worker's whole life.
func work(c *worker.Child) {
	w := &inside{c: c, pending: map[uint64]chan []byte{}}
	if err := w.prepare(); err != nil {
		_ = c.Refuse("the worker process can't be made ready: " + err.Error()) // the parent may be gone
		os.Exit(1)
	}
	if c.Ready() != nil {
		os.Exit(1)
	}
	jobs := make(chan worker.Frame)
	go func() {
		for f := range jobs { //meter: a job of the parent each
			w.job(f)
		}
	}()
	for { //meter: a frame of the parent each
		f, err := c.Read()
		if err != nil {
			os.Exit(0) // the parent is gone, or wants no more
		}
		switch f.Kind {
		case frameRun, frameCompile:
			ctx, cancel := context.WithCancel(context.Background())
			w.mu.Lock()
			w.tag, w.ctx, w.cancel = f.Tag, ctx, cancel
			w.mu.Unlock()
			jobs <- f
		case frameReply:
			w.reply(f)
		case frameCancel:
			w.mu.Lock()
			if w.cancel != nil && w.tag == f.Tag {
				w.cancel()
			}
			w.mu.Unlock()
		}
	}
}

// prepare makes the sandbox and everything that is made once.
func (w *inside) prepare() error {
	c := &w.config
	if err := json.Unmarshal(w.c.Config, c); err != nil {
		return err
	}
	opt := Options{
		Limits: c.Limits, FixedTime: c.FixedTime, Seed: c.Seed, Deterministic: c.Deterministic, Timers: c.Timers,
		RefuseNonErasable: c.RefuseNonErasable, LegacyDecorators: c.LegacyDecorators, NoEval: c.NoEval, NoExplain: c.NoExplain, Completion: c.Completion, DropOutput: c.DropOutput, Hardened: c.Hardened, PartialResults: c.PartialResults, MissingModule: c.MissingModule,
		CacheBytes: c.CacheBytes, Modules: map[string]string{},
	}
	opt.ctxIn = c.Ctx
	var err error
	if opt.Location, err = c.location(); err != nil {
		return err
	}
	for _, m := range c.Modules { //meter: the host's modules
		opt.Modules[string(m.Name)] = string(m.Text)
	}
	for i, f := range c.Functions { //meter: the host's functions
		opt.Functions = append(opt.Functions, w.function(i, f))
	}
	opt.Console = func(l ConsoleLine) { w.lines.add(l) }
	if c.Clock {
		opt.Clock = w.clock
	}
	if w.sb, err = New(opt); err != nil {
		return err
	}
	// The first run of a process builds the realm, and what its built-ins build on
	// first use.
	for range 2 {
		if o := w.sb.Eval(context.Background(), "warm-up.js", `return [new Date(0).toLocaleString(), 'a'.localeCompare('b'), /a/u.test('a'), (1.5).toLocaleString()].length`, nil); o.Failure != nil && o.Failure.Kind == ErrInternal {
			return o.Failure
		}
	}
	return nil
}

var (
	typeOfValue  = reflect.TypeFor[Value]()
	typeOfValues = reflect.TypeFor[[]Value]()
)

// function makes the worker's form of a host function: one with as many
// parameters, whose types the parent checks.
func (w *inside) function(index int, f workerFunction) Function {
	in := []reflect.Type{typeContext}
	for range f.Length { //meter: the parameters of a host function
		in = append(in, typeOfValue)
	}
	if f.Variadic {
		in = append(in, typeOfValues)
	}
	send := func(in []reflect.Value) func() (reflect.Value, error) {
		b := binary.AppendUvarint(binary.AppendUvarint(make([]byte, 0, 128), uint64(index)), uint64(len(in)-1))
		for _, a := range in[1:] { //meter: the arguments of a call, which were charged for
			b = appendValue(b, a.Interface().(Value))
		}
		wait := w.call(in[0].Interface().(context.Context), f.Async, b)
		return func() (reflect.Value, error) {
			v, err := wait()
			return reflect.ValueOf(v), err
		}
	}
	fn := reflect.MakeFunc(reflect.FuncOf(in, []reflect.Type{typeOfValue, typeErr}, f.Variadic), func(in []reflect.Value) []reflect.Value {
		args := in[:1+f.Length]
		if f.Variadic {
			for _, a := range in[len(in)-1].Interface().([]Value) { //meter: the arguments of a call, which were charged for
				args = append(args, reflect.ValueOf(a))
			}
		}
		v, err := send(args)()
		errv := reflect.Zero(typeErr)
		if err != nil {
			errv = reflect.ValueOf(err)
		}
		return []reflect.Value{v, errv}
	})
	h := Function{Name: f.Name, Func: fn.Interface(), Async: f.Async, hidden: f.Hidden, shape: f.Shape, elsewhere: true}
	if f.Async {
		h.Cancel = Cooperative // the parent has the class
		h.send = send
	}
	return h
}

// ask sends a question. What it returns waits for the reply, when it has a
// context until that ends.
func (w *inside) ask(ctx context.Context, kind byte, b []byte) (wait func() ([]byte, error)) {
	ch := make(chan []byte, 1)
	w.mu.Lock()
	w.next++
	id, tag := w.next, w.tag
	w.pending[id] = ch
	w.mu.Unlock()
	if err := w.c.Send(kind, tag, binary.AppendUvarint(nil, id), b); err != nil {
		os.Exit(1) // there is no parent
	}
	return func() ([]byte, error) {
		var ended <-chan struct{}
		if ctx != nil {
			ended = ctx.Done()
		}
		select {
		case r := <-ch:
			return r, nil
		case <-ended:
			w.mu.Lock()
			delete(w.pending, id)
			w.mu.Unlock()
			return nil, context.Cause(ctx)
		}
	}
}

// reply passes a reply on. One that nobody waits for any more is dropped.
func (w *inside) reply(f worker.Frame) {
	r := fields{b: f.Data}
	id := r.uint()
	w.mu.Lock()
	ch := w.pending[id]
	delete(w.pending, id)
	w.mu.Unlock()
	if ch != nil {
		ch <- r.b
	}
}

// call asks the parent to call a host function. An asynchronous call is left when
// the run ends.
func (w *inside) call(ctx context.Context, async bool, b []byte) (wait func() (Value, error)) {
	if most := w.most(); int64(len(b)) > most {
		err := &remoteError{Class: "RangeError", Message: fmt.Sprintf("the arguments have %d bytes together, at most %d can be passed", len(b), most), Code: CodeArgument}
		return func() (Value, error) { return Value{}, err }
	}
	var leave context.Context
	if async {
		leave = ctx
	}
	reply := w.ask(leave, frameCall, b)
	return func() (Value, error) {
		r, err := reply()
		if err != nil || len(r) == 0 {
			return Value{}, err
		}
		return called(ctx, r)
	}
}

// called is what a reply says.
func called(ctx context.Context, r []byte) (Value, error) {
	switch how, r := r[0], r[1:]; how {
	case replyValue:
		if len(r) == 0 {
			return Value{}, nil
		}
		v, err := trustedValue(r, ctx.Err)
		if err != nil && ctx.Err() != nil {
			err = ErrEnded
		}
		return v, err
	case replyError:
		e := &remoteError{}
		if err := json.Unmarshal(r, e); err != nil {
			return Value{}, err
		}
		return Value{}, e
	case replyEnded:
		// This process learns of it in a moment. The script must not act before.
		<-ctx.Done()
		for d, ok := ctx.Deadline(); ok && time.Until(d) > -time.Millisecond; { //meter: until the deadline, which has come all but a millisecond
			time.Sleep(100 * time.Microsecond)
			if errors.Is(ctx.Err(), context.Canceled) {
				break
			}
		}
		return Value{}, ErrEnded
	default:
		panic("the host function panicked")
	}
}

// most is how long the arguments of a call may be together.
func (w *inside) most() int64 { return 2*w.config.Limits.ResultBytes + frameRoom/2 }

// clock asks the parent for the time.
func (w *inside) clock() time.Time {
	w.mu.Lock()
	idle := w.ctx == nil
	w.mu.Unlock()
	if idle {
		return time.Time{} // the process warms up: nobody listens yet
	}
	r, err := w.ask(nil, frameClock, nil)()
	if err != nil || len(r) < 2 {
		return time.Time{}
	}
	ms, _ := binary.Varint(r[1:])
	return time.UnixMilli(ms)
}

// job does what a frame asks for, and tells the parent.
func (w *inside) job(f worker.Frame) {
	r := fields{b: f.Data}
	if len(r.b) == 0 {
		os.Exit(1)
	}
	flags := r.b[0]
	r.b = r.b[1:]
	var e entry
	info := &ctxInfo{}
	granted := uint64(0)
	if f.Kind == frameRun {
		granted = r.uint()
		if json.Unmarshal(r.bytes(), info) != nil {
			os.Exit(1)
		}
		e = r.entry()
	}
	name, source := r.text(), r.text()
	if r.bad {
		os.Exit(1)
	}
	w.mu.Lock()
	ctx, cancel := w.ctx, w.cancel
	w.mu.Unlock()
	defer cancel()
	if f.Kind == frameCompile {
		p, err := w.compile(ctx, name, source, flags)
		var b []byte
		if err != nil {
			b = appendFailure([]byte{0, 0, 0}, asFailure(err), source)
		} else {
			b = binary.AppendUvarint([]byte{bit(p.module), bit(p.typed)}, uint64(p.size))
			b = append(b, 0)
		}
		w.send(frameProgram, f.Tag, b)
		return
	}
	w.lines = &lineBatch{send: func(b []byte) { w.send(frameLines, f.Tag, b) }, atOnce: w.config.Console}
	o := w.run(ctx, name, source, flags, e, info, granted, r.b)
	w.mu.Lock()
	clear(w.pending)
	w.mu.Unlock()
	o.Console = o.Console[min(w.lines.end(), len(o.Console)):]
	w.send(frameOutcome, f.Tag, appendOutcome(make([]byte, 0, 256), o, source))
}

func (w *inside) run(ctx context.Context, name, source string, flags byte, e entry, info *ctxInfo, granted uint64, in []byte) *Outcome {
	began := time.Now()
	p, err := w.compile(ctx, name, source, flags)
	if err != nil {
		return &Outcome{Failure: asFailure(err)}
	}
	var input any
	if len(in) > 0 {
		g := &guard{ctx: ctx, start: began, limits: &w.sb.limits}
		var limit *meter.LimitError
		if input, err = trustedValue(in, func() error { return g.charge(0) }); errors.As(err, &limit) {
			return &Outcome{Failure: limitFailure(limit)}
		} else if err != nil {
			return &Outcome{Failure: internalFailure(err.Error(), err, nil)}
		}
	}
	r := &run{sb: w.sb, ctx: ctx, p: p, entry: e, info: info, compiled: began}
	if granted > 0 {
		r.budget = &remoteBudget{w: w, left: int64(granted)}
	}
	return r.do(input)
}

// compile compiles a source as its sandbox would have, or finds it in the cache.
func (w *inside) compile(ctx context.Context, name, source string, flags byte) (*Program, error) {
	key := programKey(name, source)
	key[0] ^= flags
	if p := w.sb.cache.get(key); p != nil {
		return p, nil
	}
	p, err := w.sb.compile(&guard{ctx: ctx, start: time.Now(), limits: &w.sb.limits, refuse: flags&flagRefuse != 0, legacy: flags&flagLegacy != 0, completion: flags&flagCompletion != 0}, name, source)
	if err != nil {
		return nil, err
	}
	p.hash = key
	w.sb.cache.put(p)
	return p, nil
}

func (w *inside) send(kind byte, tag uint64, b []byte) {
	if w.c.Send(kind, tag, b) != nil {
		os.Exit(1) // there is no parent
	}
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func asFailure(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return &Failure{Kind: ErrInternal, Message: err.Error(), cause: err}
}

// trustedValue is a value that the parent sent.
func trustedValue(text []byte, poll func() error) (Value, error) {
	return membrane.ParseValuePolling(text, poll)
}

// throwRemote throws the exception that a call in the parent ended with.
func (r *run) throwRemote(e *remoteError) error {
	switch e.Class {
	case "TypeError":
		return r.throwCode(vm.TypeErrorPrototype, e.Code, e.Message)
	case "RangeError":
		return r.throwCode(vm.RangeErrorPrototype, e.Code, e.Message)
	}
	own := &Error{Code: e.Code, Message: e.Message, Retryable: e.Retryable}
	if e.Data != nil {
		own.Data = *e.Data
	}
	v, err := r.guestError("", own)
	if err != nil {
		return err
	}
	return r.m.Throw(v)
}
