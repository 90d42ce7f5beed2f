package pinfold

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// What a sandbox and its workers say to each other: see package internal/worker
// for the frames.

// Kinds of frames, from the sandbox …
const (
	frameRun     byte = 1 + iota // a program and its input
	frameCompile                 // a source
	frameReply                   // to a call
	frameCancel                  // the run's context has ended
)

// … and from the worker.
const (
	frameCall    byte = 0x41 + iota // of a host function
	frameClock                      // of Options.Clock
	frameLines                      // of the console
	frameOutcome                    // of a run
	frameProgram                    // what was compiled
	frameTake                       // of the budget of all runs
	frameGive                       // to it
)

// workerConfig is what a worker's sandbox is made of.
type workerConfig struct {
	Limits    Limits
	Functions []workerFunction
	Modules   []workerModule
	Console   bool
	Clock     bool
	FixedTime time.Time
	Zone      string
	Offset    *int // of a zone without rules, in seconds
	Seed      uint64

	Deterministic, Timers, RefuseNonErasable, LegacyDecorators, NoEval, NoExplain, Completion, DropOutput, Hardened, PartialResults bool

	CacheBytes    int64
	Ctx           bool // programs have it
	MissingModule string
}

type workerFunction struct {
	Name     string
	Length   int
	Variadic bool
	Async    bool
	Hidden   bool
	Shape    shape
}

type workerModule struct{ Name, Text []byte }

func (s *Sandbox) workerConfig() (*workerConfig, error) {
	o := &s.opt
	c := &workerConfig{
		Limits: s.limits, Console: o.Console != nil, Clock: o.Clock != nil, FixedTime: o.FixedTime, Seed: o.Seed,
		Deterministic: o.Deterministic, Timers: o.Timers, RefuseNonErasable: o.RefuseNonErasable, LegacyDecorators: o.LegacyDecorators,
		NoEval: o.NoEval, NoExplain: o.NoExplain, CacheBytes: o.CacheBytes, Ctx: s.hasCtx(), MissingModule: o.MissingModule,
		Completion: o.Completion, DropOutput: o.DropOutput, Hardened: o.Hardened, PartialResults: o.PartialResults,
	}
	for _, h := range s.functions { //meter: the host's functions
		f := workerFunction{Name: h.name, Length: h.length, Async: h.async, Hidden: h.hidden, Shape: h.shape}
		if n := len(h.args); n > 0 {
			f.Variadic = h.args[n-1].variadic
		}
		c.Functions = append(c.Functions, f)
	}
	for _, name := range s.modules { //meter: the host's modules
		c.Modules = append(c.Modules, workerModule{[]byte(name), []byte(o.Modules[name])})
	}
	if l := o.Location; l != nil && l != time.UTC {
		c.Zone = l.String()
		if _, err := time.LoadLocation(c.Zone); err != nil || l == time.Local {
			offset, ok := fixedOffset(l)
			if !ok {
				return nil, fmt.Errorf("Isolation Process: the time zone %s has no name that a worker could find it by: use time.LoadLocation or time.FixedZone", l)
			}
			c.Offset = &offset
		}
	}
	return c, nil
}

// fixedOffset returns the offset of a zone that always has the same.
func fixedOffset(l *time.Location) (int, bool) {
	_, first := time.Unix(0, 0).In(l).Zone()
	for at := int64(-5e9); at < 5e9; at += 30 * 86400 { //meter: some 4000 months, once for a sandbox
		if _, o := time.Unix(at, 0).In(l).Zone(); o != first {
			return 0, false
		}
	}
	return first, true
}

func (c *workerConfig) location() (*time.Location, error) {
	switch {
	case c.Offset != nil:
		return time.FixedZone(c.Zone, *c.Offset), nil
	case c.Zone == "":
		return nil, nil
	}
	return time.LoadLocation(c.Zone)
}

// fields reads the parts of a frame. What is missing is zero, and remembered.
type fields struct {
	b       []byte
	bad     bool
	refused error        // a run may end as busy: more memory was refused to it
	poll    func() error // whether to go on reading a long value; nil is always
}

func (f *fields) uint() uint64 {
	n, w := binary.Uvarint(f.b)
	if w <= 0 {
		f.b, f.bad = nil, true
		return 0
	}
	f.b = f.b[w:]
	return n
}

func (f *fields) int() int64 { return int64(f.uint() &^ (1 << 63)) }

func (f *fields) bytes() []byte {
	n := f.uint()
	if n > uint64(len(f.b)) {
		f.b, f.bad = nil, true
		return nil
	}
	b := f.b[:n:n]
	f.b = f.b[n:]
	return b
}

func (f *fields) text() string { return string(f.bytes()) }

// value reads a value, checking it all: nil bytes are undefined.
func (f *fields) value() (Value, error) {
	b := f.bytes()
	if len(b) == 0 {
		return Value{}, nil
	}
	return membrane.ParseValuePolling(b, f.poll)
}

func appendBytes[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendValue(b []byte, v Value) []byte {
	if v.IsUndefined() {
		return append(b, 0)
	}
	return appendBytes(b, []byte(v.JSON()))
}

// Flags of a program.
const (
	flagLegacy     = 1 << iota // decorators are the experimental ones
	flagCompletion             // as Options.Completion
	flagRefuse                 // TypeScript that needs code is an error
)

// How a call ended.
const (
	replyValue = iota
	replyError
	replyPanic
	replyEnded // the run's time or its context is over: there was no call
)

// remoteError is an exception on its way to a worker's script.
type remoteError struct {
	Class     string // "TypeError", "RangeError" or another
	Message   string
	Code      string
	Retryable bool
	Data      *Value
}

func (e *remoteError) Error() string { return e.Message }

var consoleLevels = []string{"log", "info", "warn", "error", "debug"}

// plainFailure is a Failure without its methods.
type plainFailure Failure

// failureRoom bounds a failure's text.
const failureRoom = 4 << 20

// wireFailure is a failure on its way from a worker.
type wireFailure struct {
	F         *plainFailure
	Stack     string
	Source    string
	Same      bool // Source is the program's
	Offset    int
	Path, Why string // of a value that can't cross
}

func appendFailure(b []byte, f *Failure, source string) []byte {
	if f == nil {
		return append(b, 0)
	}
	w := wireFailure{F: (*plainFailure)(f), Stack: f.stack, Offset: f.offset}
	if w.Same = f.source == source; !w.Same {
		w.Source = f.source
	}
	var me *membrane.Error
	if errors.As(f.cause, &me) {
		w.Path, w.Why = me.Path, me.Reason
	}
	text, err := marshalPlain(w)
	if err == nil && len(text) > failureRoom {
		// What isn't the failure itself gives way.
		f := *w.F
		f.Explanation, f.Thrown = nil, Value{}
		f.Frames = f.Frames[:min(len(f.Frames), 100)]
		w.F, w.Source, w.Same = &f, "", false
		text, err = marshalPlain(w)
	}
	if err != nil {
		text, _ = marshalPlain(wireFailure{F: &plainFailure{Kind: ErrInternal, Message: "the failure can't be told: " + err.Error()}}) //meter: text of the host, without a meter
	}
	return appendBytes(b, text)
}

var kinds = []Kind{
	ErrScript, ErrSyntax, ErrFuel, ErrMemory, ErrTime, ErrStack, ErrOutput, ErrSource, ErrResult, ErrHostCalls, ErrCancelled, ErrInternal,
}

// failure reads a failure. cancelled is why the run was cancelled, if it was.
func (f *fields) failure(cancelled error, source string) (*Failure, error) {
	text := f.bytes()
	if len(text) == 0 {
		return nil, nil
	}
	if len(text) > failureRoom {
		return nil, errors.New("a failure that is too long")
	}
	var w wireFailure
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, err
	}
	if w.F == nil || !slices.Contains(kinds, w.F.Kind) && (w.F.Kind != ErrBusy || f.refused == nil) {
		return nil, errors.New("a failure of no kind")
	}
	o := (*Failure)(w.F)
	o.Message = cut(o.Message)
	o.stack, o.source = w.Stack, w.Source
	if w.Same {
		o.source = source
	}
	o.offset = max(0, min(w.Offset, len(o.source)))
	switch o.Kind {
	case ErrTime:
		o.cause = context.DeadlineExceeded
	case ErrCancelled:
		if o.cause = cancelled; o.cause == nil {
			return nil, errors.New("it was cancelled, and nobody had asked for that")
		}
		if o.cause == context.DeadlineExceeded {
			o.Message = "the run was cancelled: its context's deadline passed"
		}
	case ErrResult:
		if w.Why != "" {
			o.cause = &membrane.Error{Path: w.Path, Reason: w.Why}
		}
	case ErrInternal:
		o.cause = errors.New(o.Message)
	}
	return o, nil
}

// appendOutcome writes what a worker knows of an outcome.
func appendOutcome(b []byte, o *Outcome, source string) []byte {
	u := &o.Usage
	for _, n := range []int64{u.Fuel, u.PeakBytes, u.AllocatedBytes, int64(u.Wall), u.HostCalls, u.OutputBytes, int64(len(o.Console))} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, l := range o.Console { //meter: the lines of an outcome, which were charged for
		b = appendLine(b, l)
	}
	b = appendPartial(append(b, bit(o.Dropped)), o.Partial)
	b = appendValue(b, o.Value)
	return appendFailure(b, o.Failure, source)
}

// appendPartial writes what a value lacks.
func appendPartial(b []byte, p *membrane.Partial) []byte {
	if p == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(p.Paths)))
	for _, s := range p.Paths { //meter: at most MaxPartialPaths
		b = appendBytes(b, s)
	}
	return binary.AppendUvarint(b, uint64(p.More))
}

func (f *fields) partial() *membrane.Partial {
	n := f.uint()
	if n == 0 {
		return nil
	}
	if n > membrane.MaxPartialPaths {
		f.bad = true
		return nil
	}
	p := &membrane.Partial{}
	for ; n > 0 && !f.bad; n-- { //meter: at most MaxPartialPaths
		p.Paths = append(p.Paths, strings.ToValidUTF8(f.text(), "\uFFFD"))
	}
	p.More = int(min(f.uint(), 1<<31))
	return p
}

func appendLine(b []byte, l ConsoleLine) []byte {
	return appendBytes(append(b, byte(max(0, slices.Index(consoleLevels, l.Level)))), l.Text)
}

func (f *fields) line() ConsoleLine {
	level := int(f.uint())
	if level >= len(consoleLevels) {
		f.bad, level = true, 0
	}
	return ConsoleLine{consoleLevels[level], strings.ToValidUTF8(f.text(), "\uFFFD")}
}

// outcome reads an outcome that has at most so many console lines.
func (f *fields) outcome(cancelled error, source string, lines int) (*Outcome, error) {
	o := &Outcome{}
	u := &o.Usage
	u.Fuel, u.PeakBytes, u.AllocatedBytes, u.Wall, u.HostCalls, u.OutputBytes = f.int(), f.int(), f.int(), time.Duration(f.int()), f.int(), f.int()
	n := f.uint()
	if n > uint64(lines) {
		return nil, errors.New("too many console lines")
	}
	for ; n > 0 && !f.bad; n-- { //meter: at most lines
		o.Console = append(o.Console, f.line())
	}
	o.Dropped, o.Partial = f.uint() != 0, f.partial()
	var err error
	var late *meter.LimitError
	if o.Value, err = f.value(); errors.As(err, &late) {
		o.Value = Value{}
	} else if err != nil {
		return nil, err
	}
	if o.Failure, err = f.failure(cancelled, source); err != nil {
		return nil, err
	}
	if o.Failure == nil && late != nil {
		o.Failure = limitFailure(late)
	}
	if f.bad || len(f.b) > 0 {
		return nil, errors.New("an outcome of the wrong form")
	}
	return o, nil
}
