package pinfold

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// SnapshotReason says why a snapshot was refused. Each reason is also an error,
// for errors.Is.
type SnapshotReason string

// The reasons.
const (
	SnapshotDamaged   SnapshotReason = "damaged"   // it is not what Suspend wrote
	SnapshotVersion   SnapshotReason = "version"   // another version of the format
	SnapshotEngine    SnapshotReason = "engine"    // another engine: use the run's journal
	SnapshotProgram   SnapshotReason = "program"   // of another program
	SnapshotFunctions SnapshotReason = "functions" // the sandbox has other host functions or options
	SnapshotKey       SnapshotReason = "key"       // not signed with Options.SnapshotKey
	SnapshotTooLarge  SnapshotReason = "too large" // larger than the limits allow
)

// Error returns the reason in words.
func (r SnapshotReason) Error() string { return "pinfold: snapshot refused: " + string(r) }

// SnapshotError is the error of Resume for a snapshot that it can't go on with.
type SnapshotError struct {
	Reason SnapshotReason
	Detail string
}

// Error says what is wrong.
func (e *SnapshotError) Error() string { return "pinfold: the snapshot can't be resumed: " + e.Detail }

// Is matches the reason.
func (e *SnapshotError) Is(target error) bool {
	r, ok := target.(SnapshotReason)
	return ok && r == e.Reason
}

func refuseSnapshot(r SnapshotReason, format string, args ...any) error {
	return &SnapshotError{Reason: r, Detail: fmt.Sprintf(format, args...)}
}

// Resume goes on with a run that Run.Suspend wrote, of the program p. The
// sandbox must have the same host functions, in the same order, and the same
// options as far as programs can notice them; its limits apply, and what the run
// had used counts. The error is a *SnapshotError, or a *Failure of a limit.
//
// With Options.SnapshotKey the snapshot must be signed with the key. Without
// one, bytes of any origin may be given: everything in them is checked before
// the run goes on, which takes longer. What passes the checks can be another run
// than the one that was written, but it is held by the same limits and reaches
// nothing that a program of the sandbox couldn't reach.
func (s *Sandbox) Resume(ctx context.Context, p *Program, rd io.Reader) (*Run, error) {
	if f := s.cannotWait(); f != nil {
		return nil, f
	}
	limit := s.limits.MemoryBytes + s.limits.MemoryBytes/4 + s.limits.OutputBytes + 1<<20
	b, err := readUpTo(rd, limit+1)
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, refuseSnapshot(SnapshotTooLarge, "it has more than %d bytes", limit)
	}
	body, err := s.open(p, b, limit)
	if err != nil {
		return nil, err
	}
	x, err := s.revive(ctx, p, body, len(s.opt.SnapshotKey) > 0)
	if err != nil {
		return nil, err
	}
	return x.journaled()
}

// journaled opens the journal of a run that goes on.
func (x *Run) journaled() (*Run, error) {
	if err := x.r.openSink(x.r.journal.clock); err != nil {
		x.Cancel()
		return nil, err
	}
	return x, nil
}

// readUpTo reads at most n bytes. A reader that knows how many there are says
// how much room they need.
func readUpTo(rd io.Reader, n int64) ([]byte, error) {
	buf := bytes.Buffer{}
	if l, ok := rd.(interface{ Len() int }); ok {
		buf.Grow(int(min(int64(max(l.Len(), 0)), n)) + bytes.MinRead) //meter: at most n, and what the reader holds already
	}
	_, err := buf.ReadFrom(io.LimitReader(rd, n))
	return buf.Bytes(), err
}

// open checks the head of a snapshot and returns the body.
func (s *Sandbox) open(p *Program, b []byte, limit int64) ([]byte, error) {
	if len(b) < snapshotHead || !strings.HasPrefix(string(b[:len(snapshotMagic)]), snapshotMagic) {
		return nil, refuseSnapshot(SnapshotDamaged, "it doesn't begin as one")
	}
	if key := s.opt.SnapshotKey; len(key) > 0 {
		if len(b) < snapshotHead+32 {
			return nil, refuseSnapshot(SnapshotKey, "it isn't signed")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(b[:len(b)-32])
		if !hmac.Equal(mac.Sum(nil), b[len(b)-32:]) {
			return nil, refuseSnapshot(SnapshotKey, "it isn't signed with the key of the sandbox")
		}
		b = b[:len(b)-32]
	}
	head := b[len(snapshotMagic):]
	if head[0] != snapshotVersion {
		return nil, refuseSnapshot(SnapshotVersion, "it is of version %d, this is version %d", head[0], snapshotVersion)
	}
	engine, decl := engineHash(), s.declared()
	switch {
	case !bytes.Equal(head[2:34], engine[:]):
		return nil, refuseSnapshot(SnapshotEngine, "another version of the engine wrote it: replay the run's journal")
	case !bytes.Equal(head[34:66], p.hash[:]):
		return nil, refuseSnapshot(SnapshotProgram, "it is of another program than %s", p.name)
	case !bytes.Equal(head[66:98], decl[:]):
		return nil, refuseSnapshot(SnapshotFunctions, "the sandbox has other host functions, or another clock, time zone, NoEval or Timers")
	}
	body := b[snapshotHead:]
	switch head[1] {
	case bodyPlain:
		return body, nil
	case bodyFlate:
		z := flate.NewReader(bytes.NewReader(body))
		body, err := io.ReadAll(io.LimitReader(z, limit+1))
		switch {
		case err != nil:
			return nil, refuseSnapshot(SnapshotDamaged, "its compression is broken")
		case int64(len(body)) > limit:
			return nil, refuseSnapshot(SnapshotTooLarge, "it unfolds to more than %d bytes", limit)
		}
		return body, nil
	}
	return nil, refuseSnapshot(SnapshotDamaged, "its body is of kind %d", head[1])
}

// revive makes a run from the body of a snapshot.
func (s *Sandbox) revive(ctx context.Context, p *Program, body []byte, trusted bool) (*Run, error) {
	x, f := s.newRun(ctx, p, "")
	if f != nil {
		return nil, f
	}
	r := x.r
	l := &heap.SnapReader{B: body}
	var err error
	_, _, bug := x.safely(func() (Value, bool, *Failure) {
		err = r.read(l, trusted)
		return Value{}, false, nil
	})
	if err == nil && bug != nil {
		err = refuseSnapshot(SnapshotDamaged, "%s", bug.Message)
	}
	if err != nil {
		r.leaveWith(&Outcome{})
		var limit *meter.LimitError
		switch {
		case errors.As(err, &limit):
			return nil, limitFailure(limit)
		case errors.Is(err, vm.ErrSnapshotProgram):
			return nil, refuseSnapshot(SnapshotEngine, "the programs in it compile to other code than they did: replay the run's journal")
		case errors.Is(err, heap.ErrSnapshot):
			return nil, refuseSnapshot(SnapshotDamaged, "%v", err)
		}
		return nil, err
	}
	x.idle = time.Now()
	x.watch()
	return x, nil
}

// read fills the run from a snapshot.
func (r *run) read(l *heap.SnapReader, trusted bool) error {
	r.id = l.Text()
	for range l.Len(2) { //meter: as long as its text
		r.forks = append(r.forks, fork{l.Text(), l.Int()})
	}
	var u meter.Usage
	r.phase = phase(l.Int())
	r.calls, r.hostCalls = l.Int(), l.Int()
	u.Fuel, u.PeakBytes, u.Requested = l.Int(), l.Int(), l.Int()
	u.Wall = time.Duration(l.Int())
	r.inAt, r.mainAt = int(l.Int()), int(l.Int())
	r.promises = heap.Obj(l.Int())
	if r.phase > phaseDefault || r.calls < 0 || r.hostCalls < 0 || u.Fuel < 0 || u.PeakBytes < 0 || u.Requested < 0 || u.Wall < 0 || len(r.id) > 100 {
		l.Fail("its counters are wrong")
	}
	for range l.Len(1) { //meter: as long as its text
		r.free = append(r.free, int(l.Uint()))
	}
	r.readUses(l)
	for range l.Len(4) { //meter: as long as its text, and charged
		r.readCall(l)
	}
	r.readConsole(l)
	if r.sb.opt.Timers {
		r.readTimers(l)
	}
	r.journal.read(l, r)
	r.readRecording(l)
	if l.Err != nil {
		return l.Err
	}
	template, err := r.sb.realm()
	if err != nil {
		return err
	}
	r.m, err = template.LoadMachine(r.mt, r.options(), l, vm.LoadOptions{
		Main: r.p.code, Hosts: r.hosts(), Trusted: trusted,
		Module: func(name, source string) (*bytecode.Program, error) {
			p, err := r.sb.compileModule(r.ctx, name, source)
			if err != nil {
				return nil, err
			}
			return p.code, nil
		},
	})
	if err != nil {
		return err
	}
	r.recording.seed = r.journal.seed
	if l.Left() > 0 {
		l.Fail("something follows it")
		return l.Err
	}
	if r.p.module {
		r.module, _ = r.m.Module(0)
	}
	if err := r.fits(l); err != nil {
		return err
	}
	if r.journal.takeInput(l, r.m, r.m.RootAt(r.inAt)); l.Err != nil {
		return l.Err
	}
	r.mt.Restore(u)
	return nil
}

// fits checks that what the run holds of its machine is there.
func (r *run) fits(l *heap.SnapReader) error {
	m := r.m
	n := m.Roots()
	isArray := func(o vm.Obj) bool { return m.H.IsObj(o) && m.H.Obj(o).Class == heap.ClassArray }
	switch {
	case r.inAt < 0 || r.inAt >= n || r.mainAt < 0 || r.mainAt >= n || !m.IsPromise(m.RootAt(r.mainAt)):
		l.Fail("it waits for nothing")
	case r.sb.async && !isArray(r.promises):
		l.Fail("it has no pending promises")
	case r.sb.opt.Timers && !isArray(r.timers.calls):
		l.Fail("it has no timers")
	}
	if l.Err != nil {
		return l.Err
	}
	seen := map[int]bool{}
	for _, d := range r.deferred { //meter: calls that wait
		v, _, _ := m.H.GetElem(r.promises, uint32(d.slot))
		if !m.IsPromise(v) || seen[d.slot] || d.id < 1 || d.id > r.calls {
			l.Fail("a call that waits is none")
		}
		seen[d.slot] = true
	}
	for _, slot := range r.free { //meter: slots of calls
		if slot < 0 || seen[slot] || uint64(slot) >= uint64(max(1, len(m.H.Elems(r.promises)))) {
			l.Fail("a free place isn't free")
			break
		}
		seen[slot] = true
	}
	taken := map[uint32]bool{}
	for _, t := range r.timers.queue { //meter: timers
		v, _, _ := m.H.GetElem(r.timers.calls, t.slot)
		if taken[t.slot] || !v.IsObject() || !isArray(v.AsObj()) || len(m.H.Elems(v.AsObj())) == 0 {
			l.Fail("a timer calls nothing")
			break
		}
		taken[t.slot] = true
	}
	for _, slot := range r.timers.free { //meter: slots of timers
		if taken[slot] || int64(slot) >= int64(len(m.H.Elems(r.timers.calls))) {
			l.Fail("a free place isn't free")
			break
		}
	}
	if len(r.deferred) == 0 {
		l.Fail("it waits for no call")
	}
	return l.Err
}

func (r *run) readCall(l *heap.SnapReader) {
	d := &deferredCall{id: l.Int(), bytes: deferredBytes}
	fn := l.Uint()
	d.slot = int(l.Uint())
	d.number = int(min(l.Uint(), 1<<30))
	for range l.Len(1) { //meter: as long as its text
		text := l.Bytes(l.Len(1))
		v, err := membrane.ParseValue(text)
		if err != nil { //meter: the reader keeps the failure, and its caller passes it up
			l.Fail("an argument can't be read")
		}
		d.bytes += int64(len(text)) + 32
		d.args = append(d.args, v)
	}
	if fn >= uint64(len(r.sb.functions)) || !r.sb.functions[fn].deferred || d.slot < 0 || d.slot > 1<<30 {
		l.Fail("a call is of no function")
		return
	}
	d.fn = r.sb.functions[fn]
	if l.Err == nil {
		l.Err = r.mt.Grow(d.bytes)
	}
	if l.Err == nil {
		r.pending++
		r.resumed(d)
		r.deferred = append(r.deferred, d)
	}
}

// hosts are the host functions in the order in which defineGlobals makes them.
func (r *run) hosts() (list []vm.HostFunc) {
	if r.sb.opt.Timers {
		for _, f := range r.timerFunctions() { //meter: the host's functions
			list = append(list, vm.HostFunc{Name: f.name, Func: f.fn})
		}
	}
	for _, h := range r.sb.functions { //meter: the host's functions
		list = append(list, vm.HostFunc{Name: h.name, Func: h.native(r)})
	}
	return list
}
