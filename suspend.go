package pinfold

import (
	"bytes"
	"compress/flate"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/js/heap"
)

// A snapshot is a head (magic, version, the hashes of what it fits, whether the
// body is compressed), the body, and with Options.SnapshotKey a HMAC-SHA-256 of
// both.
const (
	snapshotMagic   = "pinfold run\x00"
	snapshotVersion = 3
	snapshotHead    = len(snapshotMagic) + 2 + 3*32
)

// How a body is written.
const (
	bodyPlain = iota
	bodyFlate
)

// compressFrom is the length from which on a body is compressed: a shorter one
// is compact already, and soon written.
const compressFrom = 256 << 10

// engineHash identifies the engine.
var engineHash = sync.OnceValue(func() [32]byte {
	r, err := realm()
	if err != nil { //meter: the built-ins' realm: it has no meter
		return [32]byte{}
	}
	return r.Hash()
})

// declarationsHash identifies what programs find in the sandbox beside the
// language: host functions and options that they can notice.
func (s *Sandbox) declarationsHash() [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "pinfold host 2\x00%v %v %v %v %v\x00", s.opt.Hardened, s.opt.Timers, s.opt.NoEval, s.opt.FixedTime.UnixNano(), s.opt.Location)
	for _, f := range s.functions { //meter: the host's functions
		fmt.Fprintf(h, "%s\x00%v %v %d %s\x00", f.name, f.async, f.deferred, f.length, f.capability)
	}
	return [32]byte(h.Sum(nil))
}

var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.BestSpeed) // the level is one
	return w
}}

// Suspend writes the run to w and ends it here: Sandbox.Resume goes on with it,
// in this process or another one. Only a run that waits for answers to calls of
// Deferred functions can be written; otherwise the error wraps ErrNotWaiting and
// says what the run is doing. When writing fails the run stays as it is.
//
// The same bytes may be resumed more than once: the calls that the runs make
// have the same idempotency keys then. Fork is for runs that are to differ.
func (x *Run) Suspend(w io.Writer) error {
	if !x.mu.TryLock() {
		what := "working"
		if p := x.doing.Load(); p != nil {
			what = *p
		}
		return notWaiting("it is %s in another goroutine", what)
	}
	what := "being written out"
	x.doing.Store(&what)
	defer x.unlock()
	if err := x.writeTo(w); err != nil {
		return err
	}
	x.written = true
	x.r.passages = nil // its calls go on where it is resumed
	x.r.leaveWith(&Outcome{})
	x.r.closeSink()
	if x.unwatch != nil {
		x.unwatch()
	}
	close(x.changed)
	x.changed = make(chan struct{})
	return nil
}

// snapWriters keep the room that snapshots are made in.
var snapWriters = sync.Pool{New: func() any { return heap.NewSnapWriter(nil) }}

// keepSnapshot is how long a snapshot may be for its room to be kept.
const keepSnapshot = 1 << 20

// writeTo writes a snapshot of the run.
func (x *Run) writeTo(w io.Writer) error {
	if err := x.writable(); err != nil {
		return err
	}
	r := x.r
	sw := snapWriters.Get().(*heap.SnapWriter)
	defer func() {
		if cap(sw.Bytes()) <= keepSnapshot {
			snapWriters.Put(sw)
		}
	}()
	sw.Reset(r.head(sw.Bytes()[:0]))
	if err := r.body(sw); err != nil {
		return notWaiting("%v", err)
	}
	b := sw.Bytes()
	if len(b) >= compressFrom+snapshotHead {
		var err error
		if b, err = deflated(b); err != nil {
			return err
		}
	}
	b = r.sb.sign(b)
	sw.Reset(b)
	_, err := w.Write(b)
	return err
}

// head appends the head of a snapshot.
func (r *run) head(b []byte) []byte {
	engine, decl := engineHash(), r.sb.declared()
	b = append(b, snapshotMagic...)
	b = append(b, snapshotVersion, bodyPlain)
	b = append(b, engine[:]...)
	b = append(b, r.p.hash[:]...)
	return append(b, decl[:]...)
}

// deflated returns a snapshot with its body compressed.
func deflated(b []byte) ([]byte, error) {
	buf := bytes.NewBuffer(append(make([]byte, 0, len(b)/2), b[:snapshotHead]...))
	buf.Bytes()[len(snapshotMagic)+1] = bodyFlate
	z := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(z)
	z.Reset(buf)
	_, err := z.Write(b[snapshotHead:])
	if e := z.Close(); err == nil {
		err = e
	}
	return buf.Bytes(), err
}

// writable says why the run can't be written now.
func (x *Run) writable() error {
	if err := x.over(); err != nil {
		return err
	}
	r := x.r
	switch {
	case r.pending > len(r.deferred):
		name := ""
		if len(r.active) > 0 {
			name = r.active[0].fn.name
		}
		return notWaiting("%d host functions are at work, such as %s", r.pending-len(r.deferred), name)
	case !r.waits():
		return notWaiting("a timer is due")
	case slices.ContainsFunc(r.deferred, func(d *deferredCall) bool { return d.unknown }):
		return notWaiting("the outcome of a call is unknown: answer it first")
	}
	if err := r.poll(); err != nil {
		return notWaiting("it is to end: %v", err)
	}
	return nil
}

// sign appends the code that Options.SnapshotKey gives.
func (s *Sandbox) sign(b []byte) []byte {
	if len(s.opt.SnapshotKey) == 0 {
		return b
	}
	mac := hmac.New(sha256.New, s.opt.SnapshotKey)
	mac.Write(b)
	return mac.Sum(b)
}

// body writes what the run is.
func (r *run) body(w *heap.SnapWriter) error {
	u := r.mt.Usage()
	w.Text(r.id)
	w.Uint(uint64(len(r.forks)))
	for _, f := range r.forks { //meter: forks that the run goes back to
		w.Text(f.Run)
		w.Int(f.Calls)
	}
	for _, n := range []int64{
		int64(r.phase), r.calls, r.hostCalls, u.Fuel, u.PeakBytes, u.Requested, int64(u.Wall),
		int64(r.inAt), int64(r.mainAt), int64(r.promises),
	} { //meter: a fixed number
		w.Int(n)
	}
	w.Uint(uint64(len(r.free)))
	for _, slot := range r.free { //meter: slots of calls
		w.Uint(uint64(slot))
	}
	r.usesBody(w)
	w.Uint(uint64(len(r.deferred)))
	for _, d := range r.deferred { //meter: calls that wait
		w.Int(d.id)
		w.Uint(uint64(slices.Index(r.sb.functions, d.fn)))
		w.Uint(uint64(d.slot))
		w.Uint(uint64(d.number))
		w.Uint(uint64(len(d.args)))
		for _, a := range d.args { //meter: arguments of a call
			w.Text(string(a.JSON()))
		}
	}
	r.consoleBody(w)
	if r.sb.opt.Timers {
		r.timersBody(w)
	}
	r.journal.body(w, r.m, r.m.RootAt(r.inAt))
	r.recordingBody(w)
	return r.m.Snapshot(w, r.p.code)
}

// recordingBody writes what the explanation of a failure needs.
func (r *run) recordingBody(w *heap.SnapWriter) {
	rec := r.rec
	if rec == nil {
		w.Byte(0)
		return
	}
	w.Byte(1)
	w.Text(rec.why)
	if rec.why != "" {
		return
	}
	w.Uint(uint64(rec.started))
	w.Text(string(rec.calls))
	w.Text(string(rec.settled))
	w.Uint(uint64(len(rec.clock)))
	for _, c := range rec.clock { //meter: readings of the clock
		w.Uint(math.Float64bits(c.ms))
		w.Uint(uint64(c.n))
	}
}

func (r *run) readRecording(l *heap.SnapReader) {
	if l.Byte() == 0 {
		r.rec = nil
		return
	}
	rec := &r.recording
	if rec.why = l.Text(); rec.why != "" {
		rec.why = cutTo(rec.why, 200)
		return
	}
	rec.started = int(l.Uint())
	rec.calls = append(rec.buf[:0], l.Bytes(l.Len(1))...)
	rec.settled = append([]byte(nil), l.Bytes(l.Len(1))...)
	for range l.Len(2) { //meter: as long as its text
		rec.clock = append(rec.clock, reading{math.Float64frombits(l.Uint()), int(min(l.Uint(), 1<<30))})
	}
	if len(rec.calls) > maxRecording || len(rec.settled) > maxRecording || len(rec.clock) > maxRecording/16 {
		l.Fail("it has recorded too much")
	}
}

func (r *run) consoleBody(w *heap.SnapWriter) {
	c := &r.console
	w.Uint(uint64(len(c.lines)))
	for _, l := range c.lines { //meter: lines of output
		w.Text(l.Level)
		w.Text(l.Text)
	}
	w.Int(c.bytes)
	w.Uint(uint64(len(c.indent)))
	w.Uint(uint64(len(c.counts)))
	for _, k := range slices.Sorted(maps.Keys(c.counts)) { //meter: labels, of which there are few
		w.Text(k)
		w.Int(int64(c.counts[k]))
	}
	w.Uint(uint64(len(c.timers)))
	for _, k := range slices.Sorted(maps.Keys(c.timers)) { //meter: labels, of which there are few
		w.Text(k)
		w.Uint(math.Float64bits(c.timers[k]))
	}
}

func (r *run) timersBody(w *heap.SnapWriter) {
	t := &r.timers
	w.Int(t.start.UnixNano())
	w.Uint(math.Float64bits(t.elapsed))
	w.Int(t.seq)
	w.Int(int64(t.lastID))
	w.Uint(uint64(t.calls))
	w.Uint(uint64(len(t.free)))
	for _, slot := range t.free { //meter: slots of timers
		w.Uint(uint64(slot))
	}
	w.Uint(uint64(len(t.queue)))
	for _, x := range t.queue { //meter: timers
		w.Uint(math.Float64bits(x.due))
		w.Uint(math.Float64bits(x.every))
		w.Int(x.seq)
		w.Int(int64(x.id))
		w.Uint(uint64(x.slot))
	}
}

// Fork makes a second run from the state of one that waits. It has an ID of its
// own: what it calls from here on has other idempotency keys, while the calls
// that are pending now keep theirs, in both. The two share nothing.
func (x *Run) Fork() (*Run, error) {
	if !x.mu.TryLock() {
		return nil, notWaiting("it is working in another goroutine")
	}
	what := "being forked"
	x.doing.Store(&what)
	defer x.unlock()
	if err := x.writable(); err != nil {
		return nil, err
	}
	w := heap.NewSnapWriter(nil)
	if err := x.r.body(w); err != nil {
		return nil, notWaiting("%v", err)
	}
	f, err := x.r.sb.revive(x.r.ctx, x.r.p, w.Bytes(), true)
	if err != nil {
		return nil, err
	}
	f.r.forks = append(f.r.forks, fork{f.r.id, f.r.calls})
	f.r.id = newRunID()
	return f.journaled()
}

// readConsole and readTimers read what consoleBody and timersBody wrote.
func (r *run) readConsole(l *heap.SnapReader) {
	c := &r.console
	n := l.Len(2)
	if n > r.sb.limits.OutputLines {
		l.Fail("it has %d lines of output", n)
		return
	}
	for range n { //meter: lines of output, within their limit
		level := strings.Clone(l.Text())
		text := l.Text()
		if l.Err == nil {
			l.Err = r.mt.Grow(lineBytes + int64(len(text)))
		}
		if l.Err != nil {
			return
		}
		c.lines = append(c.lines, ConsoleLine{Level: level, Text: text})
	}
	if c.bytes = l.Int(); c.bytes < 0 || c.bytes > r.sb.limits.OutputBytes {
		l.Fail("it has %d bytes of output", c.bytes)
	}
	if n := l.Uint(); n <= 1000 {
		c.indent = strings.Repeat(" ", int(n))
	} else {
		l.Fail("its output is indented by %d", n)
	}
	for range l.Len(2) { //meter: as long as its text
		if c.counts == nil {
			c.counts = map[string]int{}
		}
		k := l.Text()
		c.counts[k] = int(l.Int())
	}
	for range l.Len(2) { //meter: as long as its text
		if c.timers == nil {
			c.timers = map[string]float64{}
		}
		k := l.Text()
		c.timers[k] = math.Float64frombits(l.Uint())
	}
	if len(c.counts) > maxLabels || len(c.timers) > maxLabels {
		l.Fail("its console has too many labels")
	}
}

func (r *run) readTimers(l *heap.SnapReader) {
	t := &r.timers
	t.virtual = !r.sb.opt.FixedTime.IsZero()
	t.byID = map[int32]*timer{}
	t.start = time.Unix(0, l.Int())
	t.elapsed = math.Float64frombits(l.Uint())
	t.seq, t.lastID = l.Int(), int32(l.Int())
	t.calls = heap.Obj(l.Uint())
	for range l.Len(1) { //meter: as long as its text
		t.free = append(t.free, uint32(l.Uint()))
	}
	n := l.Len(8)
	if l.Err == nil {
		l.Err = r.mt.Grow(int64(n) * timerBytes)
	}
	for range n { //meter: charged above
		if l.Err != nil {
			return
		}
		x := &timer{due: math.Float64frombits(l.Uint()), every: math.Float64frombits(l.Uint()), seq: l.Int(), id: int32(l.Int()), slot: uint32(l.Uint()), at: len(t.queue)}
		if t.byID[x.id] != nil || x.every != x.every || x.due != x.due || x.every < 0 || x.every > maxDelay {
			l.Fail("a timer is none")
			return
		}
		t.queue = append(t.queue, x)
		t.up(x.at)
		t.byID[x.id] = x
	}
	if t.elapsed != t.elapsed || t.elapsed < 0 {
		l.Fail("its clock stands nowhere")
	}
}
