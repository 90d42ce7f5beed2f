package pinfold

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/internal/inspect"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// replay is what a run that repeats another one gets instead of the world.
type replay struct {
	rec     *recording
	of      *Failure // what the run is expected to end with
	calls   []byte   // of the recording, what is left
	settled []byte
	clock   []reading
	slots   []int // of the promises of asynchronous calls, by number
	funcs   []*hostFunc
	strayed bool // the run asked for something that the recording doesn't hold
}

// What bounds a replay.
const (
	replayFuel      = 20_000_000
	replayFuelExtra = 200_000 // beside twice what the run used: tracing and reporting
	replayMemory    = 64 << 20

	replayLeastMemory = 256 << 10             // a replay isn't begun with less memory
	replayUnit        = 100 * time.Nanosecond // about what a unit of fuel takes
	replayLeast       = 2 * time.Millisecond  // a replay isn't begun with less time
)

// Why there is no explanation.
const (
	whyBudget  = "the explanation exceeded its work budget"
	whyMemory  = "the explanation exceeded its memory budget"
	whyTime    = "no time was left for it"
	whyStrayed = "the replay took another course"
	whyBug     = "the replay failed"
)

// explain runs a failed run again, with tracing, to find out where the value
// that it stumbled over came from.
func (r *run) explain(f *Failure, input any) {
	if r.rec == nil || r.replay != nil || r.m == nil || f.Kind != ErrScript || f.Line == 0 {
		return
	}
	e, why := r.explanation(f, input)
	if why != "" {
		e = &Explanation{Unavailable: why}
	}
	f.Explanation = e
}

func (r *run) explanation(f *Failure, input any) (e *Explanation, why string) {
	if r.rec.why != "" {
		return nil, r.rec.why
	}
	used := r.mt.Usage()
	if used.Fuel > replayFuel {
		return nil, whyBudget
	}
	l := r.meterLimits()
	l.Started = time.Now()
	l.Fuel = min(2*used.Fuel+replayFuelExtra, replayFuel)
	// The heap of the failed run is there until its outcome is made: both
	// together stay within the limit.
	if l.LiveBytes = min(l.LiveBytes-used.LiveBytes, replayMemory); l.LiveBytes < replayLeastMemory {
		return nil, whyMemory
	}
	if d, ok := r.mt.Deadline(); ok {
		if l.Timeout = time.Until(d); l.Timeout < replayLeast {
			return nil, whyTime
		}
	}
	again := &run{sb: r.sb, ctx: r.ctx, entry: r.entry, info: r.info, replay: &replay{
		rec: r.rec, of: f, calls: r.rec.calls, settled: r.rec.settled, clock: r.rec.clock,
	}}
	if l.Timeout > 0 && time.Duration(used.Fuel)*replayUnit > l.Timeout {
		return nil, whyTime
	}
	defer func() {
		if p := recover(); p != nil {
			e, why = nil, whyBug
			if r.sb.stress {
				why = fmt.Sprintf("%s: %v\n%s", whyBug, p, debug.Stack())
			}
		}
	}()
	p, err := again.replay.compile(r.sb, r.ctx, r.p.name, r.p.source, language{r.p.module, r.p.typed}, l.Timeout)
	if err != nil { //meter: a second run of its own meter, or a report: a limit ends the explanation alone
		return nil, whyBudget
	}
	again.p = p
	again.mt = meter.New(r.ctx, l)
	defer again.mt.Close()
	_, g := again.execute(input)
	if again.replay.strayed || g == nil {
		return nil, whyStrayed
	}
	var limit *meter.LimitError
	if errors.As(again.mt.Err(), &limit) {
		switch limit.Kind {
		case meter.Fuel:
			return nil, whyBudget
		case meter.Memory, meter.Busy:
			return nil, whyMemory
		}
		return nil, whyTime
	}
	switch {
	case g.Kind != f.Kind || g.Name != f.Name || g.Message != f.Message || g.File != f.File || g.Line != f.Line || g.Column != f.Column:
		return nil, whyStrayed
	}
	return again.explained(), ""
}

// compile compiles a text for tracing. The programs are not kept.
func (p *replay) compile(sb *Sandbox, ctx context.Context, name, source string, l language, left time.Duration) (*Program, error) {
	limits := sb.limits
	if left > 0 {
		limits.Timeout = left
	}
	g := &guard{trace: true, ctx: ctx, start: time.Now(), limits: &limits, refuse: sb.opt.RefuseNonErasable, legacy: sb.opt.LegacyDecorators, completion: sb.opt.Completion}
	return compileAs(g, name, source, l)
}

func (p *replay) compileModule(sb *Sandbox) func(context.Context, string, string) (*Program, error) {
	return func(ctx context.Context, name, source string) (*Program, error) {
		return p.compile(sb, ctx, name, source, language{true, tsName.MatchString(name)}, 0)
	}
}

// seed returns the seed of Math.random.
func (r *run) seed() uint64 {
	if r.replay != nil {
		return r.replay.rec.seed
	}
	s := r.sb.seed()
	if r.waiting != nil && r.again != nil {
		s = r.again.seed
	}
	r.recording.seed = s
	return s
}

// recordedClock returns a clock whose answers are recorded, or that repeats a
// recording.
func (r *run) recordedClock() func() float64 {
	switch {
	case r.replay != nil:
		return r.replay.read
	case r.rec != nil:
		return r.readClock
	}
	return r.sb.now
}

func (r *run) readClock() float64 {
	if r.sb.now != nil {
		return r.rec.read(r.sb.now())
	}
	return r.rec.read(float64(time.Now().UnixMilli()))
}

// read repeats an answer of the clock.
func (p *replay) read() float64 {
	if len(p.clock) == 0 {
		p.strayed = true
		return 0
	}
	c := p.clock[0]
	if c.n > 1 {
		// The recording stays as it is: the rest of this answer is a copy.
		p.clock = append([]reading{{c.ms, c.n - 1}}, p.clock[1:]...)
	} else {
		p.clock = p.clock[1:]
	}
	return c.ms
}

// stray ends a replay that does what the run didn't do.
func (p *replay) stray(r *run) error {
	p.strayed = true
	return r.mt.Fail(&meter.LimitError{Kind: meter.Cancelled, What: "the replay took another course"})
}

// call repeats the outcome of a host call.
func (p *replay) call(r *run, h *hostFunc) (vm.Value, error) {
	if err := r.mt.Poll(); err != nil {
		return vm.Undefined, err
	}
	if len(p.calls) == 0 {
		return vm.Undefined, p.stray(r)
	}
	if h.async {
		promise := r.m.NewPromise()
		v := heap.ObjectValue(promise)
		if p.calls[0] == recPending {
			p.calls = p.calls[1:]
			slot, err := r.keep(promise)
			if err != nil {
				return vm.Undefined, err
			}
			p.slots = append(p.slots, slot)
			p.funcs = append(p.funcs, h)
			r.pending++
			return v, nil
		}
		at := r.m.Root(v)
		defer r.m.PopRoots(at)
		_, err := p.outcome(r, &p.calls, h.name)
		exc, ok := r.m.Caught(err)
		if !ok {
			return vm.Undefined, p.stray(r)
		}
		r.m.RejectPromise(promise, exc)
		return v, nil
	}
	return p.outcome(r, &p.calls, h.name)
}

// settle repeats the next report of an asynchronous call, or the next timer.
func (p *replay) settle(r *run) error {
	n, k := binary.Uvarint(p.settled)
	if k <= 0 {
		return p.stray(r)
	}
	p.settled = p.settled[k:]
	if n == 0 {
		id, k := binary.Uvarint(p.settled)
		x := r.timers.byID[int32(id)]
		if k <= 0 || x == nil {
			return p.stray(r)
		}
		p.settled = p.settled[k:]
		r.m.ForgetPassed()
		return r.fire(x)
	}
	if n--; n >= uint64(len(p.slots)) {
		return p.stray(r)
	}
	m := r.m
	v := r.takePromise(p.slots[n])
	at := m.Root(v)
	defer m.PopRoots(at)
	if err := r.mt.Poll(); err != nil {
		return err
	}
	result, err := p.outcome(r, &p.settled, p.funcs[n].name)
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		m.RejectPromise(v.AsObj(), exc)
		return nil
	}
	return r.deliver(p.funcs[n], v.AsObj(), result)
}

// outcome takes a value, or an exception, off a recording.
func (p *replay) outcome(r *run, b *[]byte, name string) (vm.Value, error) {
	d := decoder{r: r, b: *b}
	if len(d.b) > 0 && d.b[0] == recThrown {
		d.b = d.b[1:]
		exc, err := d.thrown()
		*b = d.b
		if err != nil {
			return vm.Undefined, p.stray(r)
		}
		r.m.NameHostError(exc, name)
		return vm.Undefined, r.m.Throw(exc)
	}
	v, err := d.value(0)
	*b = d.b
	if err != nil {
		if meter.IsLimit(err) {
			return vm.Undefined, err
		}
		return vm.Undefined, p.stray(r)
	}
	r.m.NamePaths(v, name+"(…)")
	r.m.NameHostResult(v, name)
	return v, nil
}

// errRecording is for a recording that can't be read.
var errRecording = fmt.Errorf("pinfold: the recording is damaged")

// decoder reads values off a recording.
type decoder struct {
	r *run
	b []byte
}

func (d *decoder) length() (int, error) {
	n, k := binary.Uvarint(d.b)
	if k <= 0 || n > maxRecording {
		return 0, errRecording
	}
	d.b = d.b[k:]
	return int(n), nil
}

func (d *decoder) text() (string, error) {
	n, err := d.length()
	if err != nil || n > len(d.b) {
		return "", errRecording
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s, d.r.m.Charge(n / 16)
}

func (d *decoder) value(depth int) (vm.Value, error) {
	m := d.r.m
	if err := m.Charge(1); err != nil {
		return vm.Undefined, err
	}
	if len(d.b) == 0 || depth > maxSnapshotDepth {
		return vm.Undefined, errRecording
	}
	kind := d.b[0]
	d.b = d.b[1:]
	switch kind {
	case recUndefined:
		return vm.Undefined, nil
	case recNull:
		return vm.Null, nil
	case recTrue, recFalse:
		return heap.Bool(kind == recTrue), nil
	case recNumber:
		if len(d.b) < 8 {
			return vm.Undefined, errRecording
		}
		v := vm.Value(binary.LittleEndian.Uint64(d.b))
		d.b = d.b[8:]
		if !v.IsNumber() {
			return vm.Undefined, errRecording
		}
		return v, nil
	case recString:
		s, err := d.text()
		if err != nil {
			return vm.Undefined, err
		}
		return m.NewString(s)
	case recArray:
		n, err := d.length()
		if err != nil {
			return vm.Undefined, err
		}
		o := m.NewArrayLen(0)
		for range n { //meter: each element charges
			v, err := d.value(depth + 1)
			if err == nil {
				err = m.H.Push(o, v)
			}
			if err != nil {
				return vm.Undefined, err
			}
		}
		return heap.ObjectValue(o), nil
	case recObject:
		n, err := d.length()
		if err != nil {
			return vm.Undefined, err
		}
		o := m.NewPlain()
		return heap.ObjectValue(o), d.properties(o, n, depth)
	case recEncoded:
		s, err := d.text()
		if err != nil {
			return vm.Undefined, err
		}
		v, err := membrane.ParseValue(json.RawMessage(s))
		if err != nil {
			return vm.Undefined, err
		}
		return membrane.Import(m, v, "", membrane.Limits{Bytes: maxRecording, Depth: maxSnapshotDepth})
	}
	return vm.Undefined, errRecording
}

func (d *decoder) properties(o vm.Obj, n, depth int) error {
	for range n { //meter: each property charges
		name, err := d.text()
		if err != nil {
			return err
		}
		v, err := d.value(depth + 1)
		if err != nil {
			return err
		}
		if err := d.r.set(heap.ObjectValue(o), name, v); err != nil {
			return err
		}
	}
	return nil
}

// thrown reads an exception.
func (d *decoder) thrown() (vm.Value, error) {
	if len(d.b) == 0 || d.b[0] != recError {
		return d.value(0)
	}
	if len(d.b) < 2 || int(d.b[1]) >= len(errorPrototypes) {
		return vm.Undefined, errRecording
	}
	proto := errorPrototypes[d.b[1]]
	d.b = d.b[2:]
	message, err := d.text()
	if err != nil || len(d.b) == 0 {
		return vm.Undefined, errRecording
	}
	v, err := d.r.m.NewError(proto, message)
	if err != nil {
		return v, err
	}
	n := int(d.b[0])
	d.b = d.b[1:]
	return v, d.properties(v.AsObj(), n, 0)
}

// What an explanation shows of values.
const (
	shownChars  = 80
	shownBudget = 4 << 10 // bytes that are looked at to show one
)

// traceOptions says what a replay looks for.
func (r *run) traceOptions() *vm.TraceOptions {
	if r.replay == nil {
		return nil
	}
	f := r.replay.of
	return &vm.TraceOptions{
		Wanted: func(at vm.Frame) bool { return at.Line == f.Line && at.Column == f.Column && at.File == f.File },
		Show:   showValue,
	}
}

// showValue renders a value in one short line. No script code runs.
func showValue(m *vm.Machine, v vm.Value) string {
	for depth := 2; ; depth-- { //meter: twice
		text, err := inspect.Value(m, v, inspect.Options{Depth: depth, Items: 12, MaxBytes: shownBudget})
		if err != nil { //meter: a second run of its own meter, or a report: a limit ends the explanation alone
			return m.Describe(v)
		}
		text = strings.Join(strings.Fields(text), " ")
		switch chars := []rune(text); {
		case len(chars) <= shownChars:
			return text
		case depth == 1:
			return string(chars[:shownChars-1]) + "…"
		}
	}
}

// explained gives the explanation that the replay has found.
func (r *run) explained() *Explanation {
	x, ok := r.m.Explained(r.uncaught)
	if !ok {
		return &Explanation{}
	}
	e := &Explanation{Subject: x.Subject, Value: x.Value, Names: x.Names, Keys: x.Keys}
	for _, s := range x.Steps { //meter: at most five
		e.Origins = append(e.Origins, Origin{Text: s.Text, Key: s.Key, Keys: s.Keys, Of: s.Of, File: s.At.File, Line: s.At.Line, Column: s.At.Column})
	}
	for _, l := range x.Locals { //meter: at most four
		fl := FrameLocals{Function: l.At.Function, File: l.At.File, Line: l.At.Line, Column: l.At.Column}
		for _, v := range l.Vars { //meter: at most eight
			fl.Locals = append(fl.Locals, Local{Name: v.Name, Value: v.Value})
		}
		e.Locals = append(e.Locals, fl)
	}
	return e
}
