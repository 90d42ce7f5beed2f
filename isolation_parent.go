package pinfold

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/pinfold-js/pinfold/internal/worker"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// outside is a run whose program is in a worker, seen from here. Of its run it
// uses what belongs to host functions: the context, the calls at work, the
// closing. Its machines run no script: each only carries the values of one call
// across, so that host functions see what they see in process.
type outside struct {
	*run
	w       *worker.Worker
	tag     uint64
	info    *Worker
	clock   *time.Timer // kills the worker
	until   time.Time   // when it does
	overdue chan struct{}
	calls   map[*asyncCall]uint64 // the worker's names of calls at work
	held    int64                 // bytes of calls that have not been answered
	lines   []ConsoleLine
	granted int64 // of the limiter's bytes
	refused error // why no more of them were
	buf     []byte
}

// sourceFlags say how a source is compiled.
func sourceFlags(legacy, refuse, completion bool) (b byte) {
	if completion {
		b |= flagCompletion
	}
	if legacy {
		b |= flagLegacy
	}
	if refuse {
		b |= flagRefuse
	}
	return b
}

// runOutside runs a program in a worker.
func (s *Sandbox) runOutside(ctx context.Context, p *Program, slot *limiter.Slot, flags byte, e entry, input any) (out *Outcome) {
	out = &Outcome{Tier: Process}
	waited := time.Now()
	w, f := s.worker(ctx)
	if f != nil {
		f.File = p.name
		out.Failure = f
		if slot != nil {
			slot.Release()
		}
		return out
	}
	o := &outside{
		run: &run{sb: s, ctx: ctx, p: p, slot: slot, entry: e}, w: w, tag: rand.Uint64(), overdue: make(chan struct{}),
		info: &Worker{PID: w.PID(), Runs: w.Runs(), Applied: w.Report.Applied, Missing: w.Report.Missing},
	}
	wait := time.Since(waited)
	o.mt = meter.New(ctx, meter.Limits{Timeout: s.limits.Timeout})
	o.until = time.Now().Add(s.limits.Timeout + s.workers.Grace)
	o.clock = time.AfterFunc(s.limits.Timeout+s.workers.Grace, func() { close(o.overdue); w.Kill() })
	fit := false
	defer func() {
		if p := recover(); p != nil {
			fit, out.Failure = false, internalFailure(fmt.Sprintf("a bug in the library: %v", p), p, debug.Stack())
		}
		o.clock.Stop()
		o.end()
		s.pool.Put(w, fit)
		out.Tier, out.Worker = Process, o.info
		out.Notes = o.close()
		out.Calls = o.records
		u := o.mt.Usage()
		out.Usage.Wall, out.Usage.Stragglers, out.Usage.Waited = u.Wall, len(o.active), wait
		o.mt.Close()
		if slot != nil {
			slot.Give(o.granted)
			out.Usage.Waited += slot.Waited()
			o.leave()
		}
		if out.Failure != nil {
			out.Value = Value{}
		}
	}()
	out, fit = o.do(flags, input)
	return out
}

// worker gets a worker.
func (s *Sandbox) worker(ctx context.Context) (*worker.Worker, *Failure) {
	w, err := s.pool.Get(ctx)
	switch {
	case err == nil:
		return w, nil
	case errors.Is(err, worker.ErrBusy):
		return nil, &Failure{
			Kind: ErrBusy, Message: fmt.Sprintf("busy: all %d worker processes were at work for %v", s.workers.Max, s.workers.Wait),
			Hint: "wait for other runs to end; the host can raise Workers.Max", Limit: int64(s.workers.Max), Used: int64(s.workers.Max), cause: err,
		}
	case ctx.Err() != nil:
		return nil, limitFailure(&meter.LimitError{Kind: meter.Cancelled, Cause: ctx.Err()})
	case errors.Is(err, worker.ErrClosed):
		return nil, &Failure{Kind: ErrInternal, Message: "the sandbox is closed", cause: err}
	}
	return nil, &Failure{Kind: ErrInternal, Message: cut(err.Error()), cause: err}
}

// do hands the program over and answers the worker until it tells the outcome.
// fit says whether the worker can go on.
func (o *outside) do(flags byte, input any) (out *Outcome, fit bool) {
	if err := o.ctx.Err(); err != nil {
		f := limitFailure(&meter.LimitError{Kind: meter.Cancelled, Cause: err})
		f.File = o.p.name
		return &Outcome{Failure: f}, true
	}
	in, f := o.input(input)
	if f != nil {
		return &Outcome{Failure: f}, true
	}
	if f := o.grant(); f != nil {
		f.File = o.p.name
		return &Outcome{Failure: f}, true
	}
	info, err := json.Marshal(o.about())
	if err != nil {
		return &Outcome{Failure: internalFailure(err.Error(), err, nil)}, true
	}
	head := appendBytes(appendEntry(appendBytes(binary.AppendUvarint([]byte{flags}, uint64(o.granted)), info), o.entry), o.p.name)
	head = binary.AppendUvarint(head, uint64(len(o.p.source)))
	if err := o.w.Send(frameRun, o.tag, head, []byte(o.p.source), in); err != nil {
		return o.lost(), false
	}
	out, err = o.serve()
	switch {
	case err != nil:
		return &Outcome{Console: o.lines, Failure: &Failure{Kind: ErrInternal, Message: "the worker process broke the rules: " + cut(err.Error()), File: o.p.name, cause: err}}, false
	case out == nil:
		return o.lost(), false
	}
	if at := out.Failure; at != nil && (o.panic != nil || at.Kind == ErrBusy) {
		switch {
		case o.panic != nil:
			out.Failure = o.panicFailure(o.panic)
		default:
			out.Failure = limitFailure(&meter.LimitError{Kind: meter.Busy, What: "the memory of all runs", Cause: o.refused})
			out.Failure.File, out.Failure.Notes = at.File, at.Notes
		}
		out.Failure.Line, out.Failure.Column, out.Failure.Frames = at.Line, at.Column, at.Frames
	}
	return out, true
}

// lost is the outcome of a run whose worker is no more.
func (o *outside) lost() *Outcome {
	o.w.Kill()
	<-o.w.Gone
	out := &Outcome{Console: o.lines}
	select {
	case <-o.overdue:
		if err := o.ctx.Err(); err != nil {
			out.Failure = limitFailure(&meter.LimitError{Kind: meter.Cancelled, Cause: err})
		} else {
			out.Failure = overdueFailure(o.sb.limits.Timeout, time.Since(o.until)+o.sb.limits.Timeout+o.sb.workers.Grace)
		}
	default:
		out.Failure = &Failure{Kind: ErrInternal, Message: "the worker process was lost: " + o.w.How(), stack: o.w.Stderr()}
		out.Failure.cause = errors.New(out.Failure.Message)
	}
	out.Failure.File = o.p.name
	return out
}

// serve answers the worker. The outcome is nil when it was lost; an error says
// which rule it broke.
func (o *outside) serve() (*Outcome, error) {
	cancelled := o.ctx.Done()
	for { //meter: a frame of the worker each, whose time is limited
		var done chan settled
		if o.inflight != nil {
			done = o.inflight.done
		}
		select {
		case f := <-o.w.Frames:
			if f.Tag != o.tag {
				return nil, errors.New("a frame that doesn't belong to the run")
			}
			if f.Kind == frameOutcome {
				r := fields{b: f.Data, refused: o.refused, poll: o.poll}
				cancelled := o.ctx.Err()
				if o.panic != nil {
					cancelled = o.panic
				}
				out, err := r.outcome(cancelled, o.p.source, o.sb.limits.OutputLines-len(o.lines))
				if err == nil {
					out.Console = append(o.lines, out.Console...)
				}
				return out, err
			}
			if err := o.frame(f); err != nil {
				return nil, err
			}
		case s := <-done:
			if o.arrived(s) {
				o.settled(s)
				o.launchNext()
			}
		case <-cancelled:
			cancelled = nil
			o.cancelWorker()
		case <-o.w.Gone:
			return nil, nil
		}
	}
}

// cancelWorker asks the worker to end the run, and gives it its grace.
func (o *outside) cancelWorker() {
	if until := time.Now().Add(o.sb.workers.Grace); until.Before(o.until) {
		o.until = until
		o.clock.Reset(o.sb.workers.Grace)
	}
	_ = o.w.Send(frameCancel, o.tag) // if it fails the worker is gone
}

// frame does what a frame asks for. The error says which rule it breaks.
func (o *outside) frame(f worker.Frame) error {
	r := fields{b: f.Data, poll: o.poll}
	switch f.Kind {
	case frameLines:
		return o.told(&r)
	case frameTake:
		return o.take(&r)
	case frameGive:
		return o.give(&r)
	case frameClock:
		id := r.uint()
		if r.bad || o.sb.opt.Clock == nil {
			return errors.New("a question for the clock that has no form")
		}
		b := append(o.reply(id), replyValue)
		b = binary.AppendVarint(b, o.sb.opt.Clock().UnixMilli())
		_ = o.w.Send(frameReply, o.tag, b)
		return nil
	case frameCall:
		return o.call(&r)
	}
	return fmt.Errorf("a frame of kind %d", f.Kind)
}

func (o *outside) reply(id uint64) []byte { return binary.AppendUvarint(o.buf[:0], id) }

// call makes a call of a host function.
func (o *outside) call(f *fields) error {
	id, index, n := f.uint(), f.uint(), f.uint()
	if f.bad || index >= uint64(len(o.sb.functions)) || n > uint64(len(f.b)) {
		return errors.New("a call of the wrong form")
	}
	h := o.sb.functions[index]
	args := make([]Value, n) //meter: n is at most the bytes of the frame
	for i := range args {    //meter: the arguments in a frame, whose length is limited
		var err error
		if args[i], err = f.value(); meter.IsLimit(err) { //meter: the run has ended: the worker is told so
			_ = o.w.Send(frameReply, o.tag, append(o.reply(id), replyEnded))
			return nil
		} else if err != nil {
			return fmt.Errorf("an argument: %w", err)
		}
	}
	if f.bad || len(f.b) > 0 {
		return errors.New("a call of the wrong form")
	}
	if h.hidden {
		o.hostCalls--
	}
	if o.hostCalls++; o.hostCalls > o.sb.limits.HostCalls {
		return errors.New("more host calls than are allowed")
	}
	if err := o.poll(); err != nil { //meter: the run has ended: the worker is told so
		_ = o.w.Send(frameReply, o.tag, append(o.reply(id), replyEnded))
		return nil
	}
	if h.async {
		if o.held > o.sb.limits.MemoryBytes {
			return errors.New("more bytes in host calls than the memory limit allows")
		}
		o.begin(h, id, args)
		return nil
	}
	// Until the function returns, its time isn't the worker's.
	o.clock.Stop()
	v, err := o.convert(args, func(c *vm.Call) (v vm.Value, err error) {
		defer func() {
			if p := recover(); p != nil {
				v, err = vm.Undefined, o.panicked(h.name, p, debug.Stack())
			}
		}()
		return o.callSync(h, c)
	})
	o.clock.Reset(max(time.Until(o.until), o.sb.workers.Grace))
	o.answer(id, v, err)
	return nil
}

// begin begins a call of an asynchronous function.
func (o *outside) begin(h *hostFunc, id uint64, args []Value) {
	a := &asyncCall{fn: h}
	_, err := o.convert(args, func(c *vm.Call) (_ vm.Value, err error) {
		if err = o.tooManyStragglers(h); err == nil && h.watched {
			a.passage, err = o.admitCall(h)
		}
		if err == nil {
			err = o.takeArguments(a, c)
		}
		return vm.Undefined, err
	})
	if err != nil {
		o.answer(id, Value{}, err)
		return
	}
	if o.calls == nil {
		o.calls = map[*asyncCall]uint64{}
	}
	o.calls[a] = id
	o.pending++
	o.held += a.bytes + pendingBytes
	o.launchOrQueue(a)
}

// settled answers a call of an asynchronous function.
func (o *outside) settled(s settled) {
	id := o.calls[s.call]
	o.held -= s.call.bytes + pendingBytes
	delete(o.calls, s.call)
	if s.panic != nil {
		o.answer(id, Value{}, o.passed(s.call.passage, o.panicked(s.call.fn.name, s.panic, s.stack)))
		return
	}
	v, err := o.convert(nil, func(*vm.Call) (vm.Value, error) {
		o.passing = s.call.passage
		v, err := o.hostResult(s.call.fn, s.value, s.err)
		o.passing = nil
		if err == nil {
			o.m.Root(v)
		}
		return v, o.passed(s.call.passage, err)
	})
	o.answer(id, v, err)
}

// machine makes a machine that carries values across. What it throws is in its
// heap, so it lasts until close is called.
func (o *outside) machine() (m *vm.Machine, close func(), err error) {
	template, err := o.sb.realm()
	if err != nil {
		return nil, nil, err
	}
	l := o.sb.limits.meter()
	l.Timeout = 0
	if d, ok := o.mt.Deadline(); ok {
		l.Timeout = max(time.Until(d), time.Millisecond)
	}
	mt := meter.New(nil, l)
	m = template.NewMachine(mt, vm.Options{Host: o.run})
	o.m = m
	return m, func() { o.m = nil; mt.Close() }, nil
}

// convert calls f with arguments in a machine and takes out what it returns. An
// exception comes out as a *remoteError.
func (o *outside) convert(args []Value, f func(c *vm.Call) (vm.Value, error)) (Value, error) {
	m, done, err := o.machine()
	if err != nil {
		return Value{}, err
	}
	defer done()
	c := vm.Call{This: vm.Undefined, NewTarget: vm.Undefined, Args: make([]vm.Value, len(args))}
	for i, a := range args { //meter: the arguments in a frame, whose length is limited
		// Text counts with the bytes that it stands for; the function's own limits
		// are looked at when it takes them.
		if c.Args[i], err = membrane.Import(m, a, "", o.sb.entering); err != nil {
			return Value{}, o.exception(m, err)
		}
		m.Root(c.Args[i])
	}
	v, err := f(&c)
	if err != nil {
		return Value{}, o.exception(m, err)
	}
	m.Root(v)
	// What the limits say was looked at when it came in.
	out, err := membrane.Encode(m, v, "", o.sb.entering)
	if err != nil {
		return Value{}, o.exception(m, err)
	}
	return out, nil
}

// exception makes an exception of a carrying machine one for the worker.
func (o *outside) exception(m *vm.Machine, err error) error {
	var hp *hostPanic
	if errors.As(err, &hp) {
		return hp
	}
	var limit *meter.LimitError
	if errors.As(err, &limit) && limit.Kind == meter.Time {
		return ErrEnded // the worker notices it as well
	}
	exc, ok := m.Caught(err)
	if !ok {
		// A limit of the machine: what crosses is too much.
		return &remoteError{Class: "RangeError", Message: cut(err.Error()), Code: CodeHost}
	}
	m.Root(exc)
	x, err := membrane.Export(m, exc, "", membrane.Limits{Depth: o.sb.crossing.Depth + 2, Bytes: o.sb.crossing.Bytes + 1<<20})
	e, ok := x.(*ErrorValue)
	if err != nil || !ok {
		return &remoteError{Class: "Error", Message: "a host function failed", Code: CodeHost}
	}
	r := &remoteError{Class: e.Name, Message: e.Message}
	if e.Props != nil {
		if c, ok := e.Props.Get("code"); ok {
			r.Code, _ = c.(string)
		}
		if c, ok := e.Props.Get("retryable"); ok {
			r.Retryable, _ = c.(bool)
		}
		if d, ok := e.Props.Get("data"); ok {
			if v, err := membrane.FromTree(d); err == nil {
				r.Data = &v
			}
		}
	}
	return r
}

// answer replies to a call. That a worker is gone is noticed elsewhere.
func (o *outside) answer(id uint64, v Value, err error) {
	b := o.reply(id)
	var text []byte
	var re *remoteError
	if errors.As(err, &re) && o.ctx.Err() != nil {
		err = ErrEnded // that is why the function gave up: the script must not see it
	}
	switch {
	case err == ErrEnded:
		b = append(b, replyEnded)
	case err == nil:
		b = append(b, replyValue)
		if !v.IsUndefined() {
			text = v.JSON()
		}
	case errors.As(err, &re):
		b = append(b, replyError)
		if text, err = marshalPlain(re); err != nil { //meter: text of the host, without a meter
			text, _ = json.Marshal(&remoteError{Class: "Error", Message: "a host function failed", Code: CodeHost})
		}
	default:
		b = appendBytes(append(b, replyPanic), err.Error())
	}
	o.buf = b
	_ = o.w.Send(frameReply, o.tag, b, text)
}

// input makes the input what crosses to the worker.
func (o *outside) input(input any) ([]byte, *Failure) {
	switch x := input.(type) {
	case nil:
		return nil, nil
	case Value:
		if x.IsUndefined() {
			return nil, nil
		}
		return x.JSON(), nil
	}
	m, done, err := o.machine()
	if err != nil {
		return nil, o.failure(err)
	}
	defer done()
	v, err := membrane.Import(m, input, "input", o.sb.entering)
	if err != nil {
		return nil, o.failure(err)
	}
	at := m.Root(v)
	defer m.PopRoots(at)
	text, err := membrane.Encode(m, v, "input", o.sb.entering)
	if err != nil {
		return nil, o.failure(err)
	}
	if heap.Undefined == v {
		return nil, nil
	}
	return text.JSON(), nil
}

// compileOutside compiles a source in a worker. The program that it returns has
// no code here.
func (s *Sandbox) compileOutside(ctx context.Context, name, source string) (*Program, error) {
	w, f := s.worker(ctx)
	if f != nil {
		f.File = name
		return nil, f
	}
	fit := false
	defer func() { s.pool.Put(w, fit) }()
	tag := rand.Uint64()
	clock := time.AfterFunc(s.limits.Timeout+s.workers.Grace, w.Kill)
	defer clock.Stop()
	head := appendBytes([]byte{sourceFlags(s.opt.LegacyDecorators, s.opt.RefuseNonErasable, s.opt.Completion)}, name)
	head = binary.AppendUvarint(head, uint64(len(source)))
	if err := w.Send(frameCompile, tag, head, []byte(source)); err == nil {
		stop := context.AfterFunc(ctx, func() {
			clock.Reset(s.workers.Grace)
			_ = w.Send(frameCancel, tag) // if it fails the worker is gone
		})
		defer stop()
		select {
		case f := <-w.Frames:
			r := fields{b: f.Data}
			module, typed, size := r.uint(), r.uint(), r.int()
			failure, err := r.failure(ctx.Err(), source)
			if f.Kind != frameProgram || f.Tag != tag || r.bad || err != nil {
				return nil, &Failure{Kind: ErrInternal, Message: "the worker process broke the rules", File: name}
			}
			fit = true
			if failure != nil {
				return nil, failure
			}
			return &Program{name: name, source: source, module: module != 0, typed: typed != 0, size: size}, nil
		case <-w.Gone:
		}
	}
	w.Kill()
	<-w.Gone
	return nil, &Failure{Kind: ErrInternal, Message: "the worker process was lost: " + w.How(), File: name, stack: w.Stderr()}
}
