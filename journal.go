package pinfold

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// A journal is lines of JSON: what a run was given and what it saw, in the order
// in which it saw it. Its values are in the tagged form of package membrane, so
// that it outlives the engine that wrote it. The first line is a journalHead;
// those after it are journalLines.

// journalVersion is the version of the form.
const journalVersion = 1

type journalHead struct {
	Pinfold   string `json:"pinfold"` // "journal"
	Version   int    `json:"version"`
	Run       string `json:"run"`
	Forks     []fork `json:"forks,omitempty"`
	Program   string `json:"program"`   // its hash
	Functions string `json:"functions"` // hash of the declarations
	Seed      string `json:"seed"`
	Input     Value  `json:"input"`
	Given     bool   `json:"given"` // there was an input
	Lines     int    `json:"lines"` // that follow at once; others may come later
}

type journalLine struct {
	Call int64   `json:"call,omitempty"` // a call begins
	Kind string  `json:"kind,omitempty"`
	Name string  `json:"name,omitempty"`
	Key  string  `json:"key,omitempty"` // its idempotency key, for readers
	Args []Value `json:"args,omitempty"`

	Done  int64         `json:"done,omitempty"` // a call has ended, with a value or an error
	Value *Value        `json:"value,omitempty"`
	Error *journalError `json:"error,omitempty"`

	Timer int32 `json:"timer,omitempty"` // a timer fires

	Clock []float64 `json:"clock,omitempty"` // what the clock said, and how often in a row

	At int64 `json:"at,omitempty"` // milliseconds since the epoch, for readers
}

// journalError is an error that a host call threw.
type journalError struct {
	Type    int      `json:"type"` // of errorPrototypes; -1: Value is what was thrown
	Message string   `json:"message,omitempty"`
	Names   []string `json:"names,omitempty"` // of properties
	Values  []Value  `json:"values,omitempty"`
}

// Kinds of calls.
const (
	kindSync     = "sync"
	kindAsync    = "async"
	kindDeferred = "deferred"
)

// journal is what a run keeps. Its bytes count as the run's memory.
type journal struct {
	seed  uint64
	input Value
	given any // the input as the host gave it
	any   bool
	lines []byte
	clock []reading
	sink  *journalSink // nil unless Options.Journal is set

	inHeap int // bytes of the input that a snapshot has in its heap alone
}

// jsonLine is a line of a journal. Values keep the text that they have.
func jsonLine(x any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return b.Bytes(), err
}

// note appends a line.
func (r *run) note(l journalLine) error {
	if r.waiting == nil || r.replay != nil {
		return nil
	}
	l.At = time.Now().UnixMilli()
	b, err := jsonLine(l)
	if err != nil {
		return err
	}
	if err := r.m.Charge(len(b) / 64); err != nil {
		return err
	}
	if err := r.mt.Grow(int64(len(b))); err != nil {
		return err
	}
	if err := r.journal.sink.note(b); err != nil {
		return err
	}
	r.journal.lines = append(r.journal.lines, b...)
	return nil
}

// noteInput notes what the run begins with.
func (r *run) noteInput(in vm.Value) error {
	j := &r.journal
	j.seed = r.recording.seed
	if in == vm.Undefined {
		return nil
	}
	v, err := membrane.Encode(r.m, in, "input", r.sb.entering)
	if err != nil {
		return err
	}
	j.input, j.any = v, true
	return r.mt.Grow(int64(len(v.JSON())))
}

func (r *run) noteCall(id int64, kind, name string, args []Value) error {
	return r.note(journalLine{Call: id, Kind: kind, Name: name, Key: r.key(id), Args: args})
}

// noteOutcome notes how a call ended. A replayed one is noted already.
func (r *run) noteOutcome(id int64, v vm.Value, threw bool) error {
	if r.waiting == nil || r.replay != nil || id == 0 {
		return nil
	}
	l := journalLine{Done: id}
	if threw {
		e := r.thrownOutcome(v)
		l.Error = &e
	} else {
		x, err := membrane.Encode(r.m, v, "", membrane.Limits{Bytes: math.MaxInt64, Depth: maxInputDepth})
		if err != nil {
			if meter.IsLimit(err) {
				return err
			}
			x = Value{}
		}
		l.Value = &x
	}
	return r.note(l)
}

// thrownOutcome copies an exception of a host call.
func (r *run) thrownOutcome(exc vm.Value) journalError {
	h := r.m.H
	data := func(v vm.Value) Value {
		x, err := membrane.Encode(r.m, v, "", membrane.Limits{Bytes: maxRecording, Depth: maxSnapshotDepth})
		if err != nil { //meter: a journal without it is made; a limit is sticky
			return Value{}
		}
		return x
	}
	if !exc.IsObject() || h.Obj(exc.AsObj()).Class != heap.ClassError {
		return journalError{Type: -1, Values: []Value{data(exc)}}
	}
	o := exc.AsObj()
	e := journalError{}
	for i, p := range errorPrototypes { //meter: a fixed number
		if h.Proto(o) == r.m.Intrinsic(p) {
			e.Type = i
		}
	}
	_, e.Message, _, _ = membrane.ErrorHead(r.m, exc)
	for _, p := range h.Named(o, nil) { //meter: the few properties that errors of host calls have
		if name := h.GoString(p.Name); p.Attrs&heap.Accessor == 0 && name != "message" && len(e.Names) < 100 {
			e.Names = append(e.Names, name)
			e.Values = append(e.Values, data(h.Slot(h.Obj(o), p.Slot)))
		}
	}
	return e
}

func (r *run) noteFire(id int32) error {
	if r.waiting == nil || r.again != nil {
		return nil // the journal has it
	}
	return r.note(journalLine{Timer: id})
}

// notedClock is the clock of a run that keeps a journal.
func (r *run) notedClock() float64 {
	ms := 0.0
	again := false
	if a := r.again; a != nil && len(a.clock) > 0 {
		again = true
		ms = a.clock[0].ms
		if a.clock[0].n--; a.clock[0].n == 0 {
			a.clock = a.clock[1:]
		}
	} else if r.rec != nil {
		ms = r.readClock()
	} else if r.sb.now != nil {
		ms = r.sb.now()
	} else {
		ms = float64(time.Now().UnixMilli())
	}
	j := &r.journal
	if !again {
		j.sink.read(ms)
	}
	if n := len(j.clock); n > 0 && j.clock[n-1].ms == ms {
		j.clock[n-1].n++
	} else if n < maxRecording/16 {
		_ = r.mt.Grow(16) //meter: sticky: the next charge ends the run
		j.clock = append(j.clock, reading{ms, 1})
	}
	return ms
}

// callNoted makes a synchronous call of a run that keeps a journal.
func (r *run) callNoted(h *hostFunc, c *vm.Call) (vm.Value, error) {
	args := r.notedArguments(c)
	r.calls++
	id := r.calls
	if r.again != nil {
		v, served, err := r.again.called(r, h, id, args)
		if served || err != nil {
			return v, err
		}
	}
	if err := r.noteCall(id, kindSync, h.name, args); err != nil {
		return vm.Undefined, err
	}
	return r.noteResult(id, func() (vm.Value, error) { return h.call(r, c) })
}

// noteResult makes a call and notes its outcome.
func (r *run) noteResult(id int64, call func() (vm.Value, error)) (vm.Value, error) {
	v, err := call()
	if err == nil {
		at := r.m.Root(v)
		err = r.noteOutcome(id, v, false)
		r.m.PopRoots(at)
		return v, err
	}
	exc, ok := r.m.Caught(err)
	if !ok {
		return v, err
	}
	if err := r.noteOutcome(id, exc, true); err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, r.m.Throw(exc)
}

// notedArguments copies arguments for the journal. What can't be copied is
// undefined there: the function itself says what is wrong with it.
func (r *run) notedArguments(c *vm.Call) []Value {
	var args []Value
	for _, v := range c.Args { //meter: each copy charges
		x, err := membrane.Encode(r.m, v, "", r.sb.crossing)
		if err != nil {
			_, _ = r.m.Caught(err) // a limit is sticky
			x = Value{}
		}
		args = append(args, x)
	}
	return args
}

// began notes that an asynchronous call begins. served says that a journal has
// what comes of it.
func (r *run) began(a *asyncCall, c *vm.Call) (served bool, err error) {
	r.calls++
	a.id = r.calls
	args := r.notedArguments(c)
	if r.again != nil {
		d := &deferredCall{id: a.id, fn: a.fn, args: args, slot: a.slot, number: a.number, bytes: a.bytes, passage: a.passage}
		return true, r.again.asked(r, d)
	}
	return false, r.noteCall(a.id, kindAsync, a.fn.name, args)
}

// Journal writes the run's journal: what it was given, every call with its
// outcome, and what the clock said, up to now, as lines of JSON. Sandbox.Replay
// goes on from it, also with another version of the engine. It may be called at
// any time, also when the run is over.
func (x *Run) Journal(w io.Writer) error {
	x.lock("writing its journal")
	defer x.unlock()
	if x.r == nil {
		return notWaiting("it never began")
	}
	b, err := x.r.journalSoFar(x.r.journal.clock)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// How the input stands in a snapshot.
const (
	inputNone   = iota
	inputText   // as text
	inputInHeap // the heap has it as it was: it is made of that, and so long
)

// body writes the journal into a snapshot. in is the input in the heap.
func (j *journal) body(w *heap.SnapWriter, m *vm.Machine, in vm.Value) {
	w.Uint(j.seed)
	text := j.input.JSON()
	switch {
	case !j.any:
		w.Byte(inputNone)
	case len(text) >= inputOnce && plainIs(m, in, text):
		w.Byte(inputInHeap)
		w.Uint(uint64(len(text)))
	default:
		w.Byte(inputText)
		w.Text(string(text))
	}
	w.Text(string(j.lines))
	w.Uint(uint64(len(j.clock)))
	for _, c := range j.clock { //meter: readings of the clock
		w.Uint(math.Float64bits(c.ms))
		w.Uint(uint64(c.n))
	}
}

// inputOnce is from which length on an input isn't written twice.
const inputOnce = 256

func plainIs(m *vm.Machine, v vm.Value, text []byte) bool {
	_, ok := membrane.PlainText(m, v, text, len(text))
	return ok
}

// takeInput takes the input that a snapshot has in its heap alone.
func (j *journal) takeInput(l *heap.SnapReader, m *vm.Machine, in vm.Value) {
	if j.inHeap == 0 {
		return
	}
	text, ok := membrane.PlainText(m, in, nil, j.inHeap)
	if !ok || len(text) != j.inHeap {
		l.Fail("its input isn't what it was")
		return
	}
	j.setInput(l, text)
}

func (j *journal) setInput(l *heap.SnapReader, text []byte) {
	v, err := membrane.ParseValue(text)
	if err != nil { //meter: a journal without it is made; a limit is sticky
		l.Fail("its input can't be read")
	}
	j.input, j.any, j.given = v, true, v
}

func (j *journal) read(l *heap.SnapReader, r *run) {
	j.seed = l.Uint()
	grow := func(n int) {
		if l.Err == nil {
			l.Err = r.mt.Grow(int64(n))
		}
	}
	switch l.Byte() {
	case inputNone:
	case inputText:
		text := l.Bytes(l.Len(1))
		grow(len(text))
		j.setInput(l, text)
	case inputInHeap:
		n := l.Uint()
		if n < inputOnce || n > 1<<31 {
			l.Fail("its input has %d bytes", n)
			return
		}
		grow(int(n))
		j.inHeap = int(n)
	default:
		l.Fail("its input is of no kind")
	}
	lines := l.Bytes(l.Len(1))
	grow(len(lines))
	j.lines = bytes.Clone(lines)
	n := l.Len(2)
	grow(n * 16)
	for range n { //meter: charged above
		if l.Err != nil {
			return
		}
		j.clock = append(j.clock, reading{math.Float64frombits(l.Uint()), int(l.Uint())})
	}
}

// Call is a host call as a divergence shows it.
type Call struct {
	ID        int64
	Name      string
	Arguments []Value
}

// String renders the call.
func (c *Call) String() string {
	if c == nil {
		return "no call"
	}
	var args []string
	for _, a := range c.Arguments { //meter: on the host's time
		args = append(args, cutTo(a.String(), 80))
	}
	return fmt.Sprintf("%s(%s)", c.Name, strings.Join(args, ", "))
}

// DivergenceError says that a program that is replayed does something else than
// it did: the call that the journal has, and the one that the program makes,
// nil being none.
type DivergenceError struct {
	Recorded, Made *Call
	At             string // when, in words
}

// Error names the two calls.
func (e *DivergenceError) Error() string {
	return fmt.Sprintf("pinfold: the replay diverges %s: the journal has %v, the program makes %v", e.At, e.Recorded, e.Made)
}

// UnknownOutcomeError says that the journal ends within a call of a function
// that isn't asynchronous: it may have had its effect or not.
type UnknownOutcomeError struct{ Call PendingCall }

// Error names the call.
func (e *UnknownOutcomeError) Error() string {
	c := Call{e.Call.ID, e.Call.Name, e.Call.Arguments}
	return fmt.Sprintf("pinfold: the outcome of call %d, %v, is unknown: find out with its idempotency key, and say what it was with ReplayOptions.Unknown", c.ID, &c)
}

// ReplayOptions say how a journal is replayed.
type ReplayOptions struct {
	// Unknown says what the outcome was of a call of a function that isn't
	// asynchronous and that the journal ends within. nil: Replay fails with an
	// *UnknownOutcomeError.
	Unknown func(PendingCall) (any, error)
}

// ErrJournal is what is wrong with a journal that can't be read.
var ErrJournal = errors.New("pinfold: the journal can't be replayed")

// ErrNotBegun is what Replay fails with for a journal that is empty, or that
// ends within its first record: the run had not begun, and Start may begin it.
var ErrNotBegun = fmt.Errorf("%w: it is empty: the run had not begun", ErrJournal)

func badJournal(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrJournal, fmt.Sprintf(format, args...))
}

// Replay runs a program again from a journal, up to where the journal ends: what
// the host calls gave is taken from the journal, and none of the calls is made.
// Then the run goes on as any that Start began. Calls that were pending are so
// again, with their numbers and idempotency keys; those of Async functions that
// had begun are pending too, as of unknown outcome: the host finds out what
// became of them and answers.
//
// A program that makes other calls than the journal has is ended; the error is a
// *DivergenceError then. A last line that was not written whole is left out. With
// Options.Journal the run's journal is written anew, and goes on: what it is
// appended to may be the one that is replayed.
func (s *Sandbox) Replay(ctx context.Context, p *Program, rd io.Reader, opt ReplayOptions) (*Run, error) {
	if f := s.cannotWait(); f != nil {
		return nil, f
	}
	limit := s.limits.MemoryBytes + 1<<20
	text, err := io.ReadAll(io.LimitReader(rd, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, badJournal("it has more than %d bytes", limit)
	}
	head, a, kept, err := s.readJournal(p, text)
	if err != nil {
		return nil, err
	}
	a.unknown = opt.Unknown
	x, f := s.newRun(ctx, p, head.Run)
	if f != nil {
		return nil, f
	}
	r := x.r
	r.again, r.forks = a, head.Forks
	a.seed, _ = strconv.ParseUint(head.Seed, 10, 64)
	var input any
	if head.Given {
		input = head.Input
	}
	r.journal.given = input
	r.journal.lines = kept
	if err := r.mt.Grow(int64(len(kept))); err != nil { //meter: the run is cancelled and its failure returned
		out := x.Cancel()
		return nil, out.Failure
	}
	x.start(input)
	if a.err != nil {
		return nil, a.err
	}
	return x, nil
}

// readJournal reads the lines of a journal, and returns those of calls too. A
// head within it begins the journal again, if it is there whole: the run was
// resumed or replayed.
func (s *Sandbox) readJournal(p *Program, text []byte) (head journalHead, a *again, kept []byte, err error) {
	type part struct {
		head journalHead
		a    *again
		kept []byte
		n    int   // lines
		err  error // of a line that is none
	}
	var now part
	var whole *part                  // the last part that is there whole
	for n := 1; len(text) > 0; n++ { //meter: a line of the journal each, on the host's time
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			break // what isn't a whole line was being written
		}
		line := text[:end+1]
		text = text[end+1:]
		if end == 0 {
			continue
		}
		if bytes.HasPrefix(line, []byte(`{"pinfold":`)) {
			if now.a != nil && now.n >= now.head.Lines {
				former := now
				whole = &former
			}
			now = part{a: &again{open: map[int64]*deferredCall{}}}
			if json.Unmarshal(line, &now.head) != nil || now.head.Pinfold != "journal" {
				now.err = badJournal("line %d: a beginning that is none", n)
			}
			continue
		}
		if now.a == nil || now.err != nil {
			now.err = cmp.Or(now.err, badJournal("it doesn't begin as one"))
			continue
		}
		var l journalLine
		if now.err = readLine(n, line, &l); now.err != nil {
			continue
		}
		now.n++
		if len(l.Clock) > 0 {
			now.a.clock = append(now.a.clock, reading{l.Clock[0], int(l.Clock[1])})
			continue
		}
		now.a.lines = append(now.a.lines, l)
		now.kept = append(now.kept, line...)
	}
	switch {
	case now.a == nil && now.err != nil:
		return head, nil, nil, now.err
	case now.a == nil:
		return head, nil, nil, ErrNotBegun
	case now.n < now.head.Lines && whole != nil:
		now = *whole
	case now.err == nil && now.n < now.head.Lines:
		now.err = badJournal("it ends after %d of %d lines", now.n, now.head.Lines)
	}
	head = now.head
	decl := s.declared()
	switch {
	case head.Version != journalVersion:
		err = badJournal("it is of version %d, this is version %d", head.Version, journalVersion)
	case head.Program != p.Hash():
		err = badJournal("it is of another program than %s", p.name)
	case head.Functions != hex.EncodeToString(decl[:]):
		err = badJournal("the sandbox has other host functions, or another clock, time zone, NoEval or Timers")
	case len(head.Run) > 100:
		err = badJournal("its run's name is too long")
	default:
		err = now.err
	}
	return head, now.a, now.kept, err
}

// readLine reads a line that isn't a head.
func readLine(n int, text []byte, l *journalLine) error {
	if err := json.Unmarshal(text, l); err != nil {
		return badJournal("line %d: %v", n, err)
	}
	if len(l.Clock) > 0 && (len(l.Clock) != 2 || l.Clock[1] < 1 || l.Clock[1] > math.MaxInt32) {
		return badJournal("line %d: a reading of the clock is none", n)
	}
	if e := l.Error; e != nil && (e.Type < -1 || e.Type >= len(errorPrototypes) || len(e.Names) != len(e.Values) && e.Type >= 0 || e.Type < 0 && len(e.Values) != 1) {
		return badJournal("line %d: an error is none", n)
	}
	return nil
}

// again is a journal that is being replayed.
type again struct {
	seed    uint64
	lines   []journalLine // what is left
	clock   []reading
	open    map[int64]*deferredCall // asynchronous calls without an outcome so far
	order   []int64                 // … in the order in which they were made
	unknown func(PendingCall) (any, error)
	err     error
}

// fail ends the run.
func (a *again) fail(r *run, err error) error {
	if a.err == nil {
		a.err = err
	}
	return r.mt.Fail(&meter.LimitError{Kind: meter.Cancelled, What: "the replay ended", Cause: err})
}

func (a *again) diverge(r *run, made *Call) error {
	e := &DivergenceError{Made: made, At: "at its end"}
	if made != nil {
		e.At = fmt.Sprintf("at call %d", made.ID)
	}
	for _, l := range a.lines { //meter: the calls of a journal, on the host's time
		if l.Call != 0 {
			e.Recorded = &Call{l.Call, l.Name, l.Args}
			if made == nil {
				e.At = fmt.Sprintf("at call %d", l.Call)
			}
			break
		}
	}
	return a.fail(r, e)
}

// take takes the line of a call that the program makes. False: the journal has
// ended, and the call is a new one.
func (a *again) take(r *run, kind, name string, id int64, args []Value) (bool, error) {
	if len(a.lines) == 0 {
		a.over(r)
		return false, nil
	}
	l := a.lines[0]
	if l.Call != id || l.Kind != kind || l.Name != name || !sameValues(l.Args, args) {
		return false, a.diverge(r, &Call{id, name, args})
	}
	a.lines = a.lines[1:]
	return true, nil
}

func sameValues(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a { //meter: the calls of a journal, on the host's time
		if !bytes.Equal(a[i].JSON(), b[i].JSON()) {
			return false
		}
	}
	return true
}

// called serves a synchronous call.
func (a *again) called(r *run, h *hostFunc, id int64, args []Value) (v vm.Value, served bool, err error) {
	if ok, err := a.take(r, kindSync, h.name, id, args); !ok {
		return vm.Undefined, false, err
	}
	if len(a.lines) > 0 {
		l := a.lines[0]
		if l.Done != id {
			return vm.Undefined, true, a.diverge(r, &Call{id, h.name, args})
		}
		a.lines = a.lines[1:]
		v, err := a.outcome(r, h.name, &l)
		return v, true, err
	}
	call := PendingCall{ID: id, Name: h.name, Arguments: args, IdempotencyKey: r.key(id), Unknown: true}
	if a.unknown == nil {
		return vm.Undefined, true, a.fail(r, &UnknownOutcomeError{call})
	}
	a.over(r)
	v, err = r.noteResult(id, func() (vm.Value, error) {
		x, err := a.unknown(call)
		if err != nil {
			return vm.Undefined, r.hostError(h.name, err)
		}
		v, err := membrane.Import(r.m, x, "", r.sb.crossing)
		if err != nil {
			return v, r.importError(h.name, err)
		}
		return v, nil
	})
	return v, true, err
}

// asked serves a call of an asynchronous or deferred function.
func (a *again) asked(r *run, d *deferredCall) error {
	kind := kindAsync
	if d.fn.deferred {
		kind = kindDeferred
	}
	ok, err := a.take(r, kind, d.fn.name, d.id, d.args)
	switch {
	case err != nil:
		return err
	case ok:
		a.open[d.id] = d
		a.order = append(a.order, d.id)
		return nil
	case d.fn.deferred:
		r.deferred = append(r.deferred, d)
		return r.noteCall(d.id, kind, d.fn.name, d.args)
	}
	return r.launchNew(d)
}

// launchNew makes a call that the journal doesn't have: the program has come
// past its end.
func (r *run) launchNew(d *deferredCall) error {
	if err := r.noteCall(d.id, kindAsync, d.fn.name, d.args); err != nil {
		return err
	}
	c := &asyncCall{fn: d.fn, slot: d.slot, number: d.number, id: d.id, bytes: d.bytes, passage: d.passage}
	var call vm.Call
	at := r.m.Roots()
	defer r.m.PopRoots(at)
	for _, a := range d.args { //meter: each import charges
		v, err := membrane.Import(r.m, a, "", r.sb.crossing)
		if err != nil {
			return err
		}
		r.m.Root(v)
		call.Args = append(call.Args, v)
	}
	in, _, err := d.fn.arguments(r, &call, c)
	if err != nil {
		return err
	}
	c.in = in
	r.launchOrQueue(c)
	return nil
}

// over ends the replay: calls without an outcome are the host's to answer.
func (a *again) over(r *run) {
	for _, id := range a.order { //meter: the calls of a journal, on the host's time
		if d := a.open[id]; d != nil {
			d.unknown = !d.fn.deferred
			r.deferred = append(r.deferred, d)
		}
	}
	r.again = nil
}

// settle does what the journal has next, when the program has nothing left to
// do by itself.
func (a *again) settle(r *run) error {
	if len(a.lines) == 0 {
		a.over(r)
		return nil
	}
	l := a.lines[0]
	m := r.m
	switch {
	case l.Timer != 0:
		x := r.timers.byID[l.Timer]
		if x == nil || x.firing {
			return a.fail(r, badJournal("a timer fires that there isn't"))
		}
		a.lines = a.lines[1:]
		return r.fire(x)
	case l.Done == 0 || a.open[l.Done] == nil:
		return a.diverge(r, nil)
	}
	a.lines = a.lines[1:]
	d := a.open[l.Done]
	delete(a.open, l.Done)
	r.mt.Shrink(d.bytes)
	p := r.takePromise(d.slot)
	at := m.Root(p)
	defer m.PopRoots(at)
	v, err := a.outcome(r, d.fn.name, &l)
	if err == nil {
		m.Root(v)
	}
	if err = r.passed(d.passage, err); err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		r.recordSettled(d.number, exc, true)
		m.RejectPromise(p.AsObj(), exc)
		return nil
	}
	r.recordSettled(d.number, v, false)
	return r.deliver(d.fn, p.AsObj(), v)
}

// outcome makes the value, or throws the error, of a line.
func (a *again) outcome(r *run, name string, l *journalLine) (vm.Value, error) {
	lim := membrane.Limits{Bytes: math.MaxInt64, Depth: maxInputDepth}
	e := l.Error
	if e == nil {
		if l.Value == nil {
			return vm.Undefined, a.fail(r, badJournal("call %d has no outcome", l.Done))
		}
		return membrane.Import(r.m, *l.Value, "", lim)
	}
	if e.Type < 0 {
		v, err := membrane.Import(r.m, e.Values[0], "", lim)
		if err != nil {
			return v, err
		}
		return vm.Undefined, r.m.Throw(v)
	}
	v, err := r.m.NewError(errorPrototypes[e.Type], e.Message)
	if err != nil {
		return v, err
	}
	at := r.m.Root(v)
	defer r.m.PopRoots(at)
	for i, k := range e.Names { //meter: each import charges
		x, err := membrane.Import(r.m, e.Values[i], "", lim)
		if err == nil {
			err = r.set(v, k, x)
		}
		if err != nil {
			return v, err
		}
	}
	r.m.NameHostError(v, name)
	return vm.Undefined, r.m.Throw(v)
}
