package meter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// Kind says which ceiling ended a run.
type Kind uint8

// The ceilings.
const (
	Fuel      Kind = iota + 1 // work units used up
	Memory                    // live bytes, or bytes requested over the whole run
	Time                      // wall time
	Stack                     // script call depth or native nesting
	Output                    // console bytes or lines
	Source                    // source text bytes
	Result                    // size or depth of the value handed out
	HostCalls                 // number of host calls
	Cancelled                 // the caller's context ended
	Busy                      // the bytes that all runs share
)

var kindNames = [...]string{
	Fuel: "fuel", Memory: "memory", Time: "time", Stack: "stack", Output: "output",
	Source: "source", Result: "result", HostCalls: "hostcalls", Cancelled: "cancelled", Busy: "busy",
}

// String returns the kind's name as reports and JSON use it.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "unknown"
}

// LimitError ends a run. A script can never observe it.
type LimitError struct {
	Kind  Kind
	What  string // which ceiling, in words: "live memory", "call depth"
	Limit int64  // the ceiling, in the kind's unit (bytes, units, nanoseconds, frames, calls)
	Used  int64  // what was used, or would have been
	Cause error  // the context's error for Cancelled and Time, the budget's for Busy, else nil
}

// Error says which ceiling was passed, in one line.
func (e *LimitError) Error() string { //meter: the cause of Busy is another package's error
	switch e.Kind {
	case Cancelled:
		return "the run was cancelled"
	case Busy:
		if e.Cause != nil {
			return "busy: " + e.Cause.Error()
		}
		return "busy: the runs together hold all the memory that they may"
	case Time:
		return fmt.Sprintf("time limit: the run took longer than %v", time.Duration(e.Limit))
	case Memory:
		return fmt.Sprintf("memory limit: %s would reach %d bytes, %d are allowed", e.What, e.Used, e.Limit)
	case Stack:
		return fmt.Sprintf("stack limit: %s passed %d", e.What, e.Limit)
	case Fuel:
		return fmt.Sprintf("fuel limit: the run used its %d units", e.Limit)
	}
	return fmt.Sprintf("%s limit: %s passed %d", e.Kind, e.What, e.Limit)
}

// Unwrap returns the context's error, so that errors.Is(err,
// context.DeadlineExceeded) holds for a timeout.
func (e *LimitError) Unwrap() error { return e.Cause }

// Is matches another *LimitError of the same Kind.
func (e *LimitError) Is(target error) bool {
	t, ok := target.(*LimitError)
	return ok && t.Kind == e.Kind
}

// Limits are the ceilings the meter itself watches. A zero field means no
// ceiling of that kind; package pinfold turns its own zero values into the
// documented defaults before they come here.
type Limits struct {
	Fuel           int64         // work units
	LiveBytes      int64         // bytes alive at once
	RequestedBytes int64         // bytes asked for over the whole run
	Depth          int           // script call frames
	NativeDepth    int           // nesting of native code that calls back into script: one to three kilobytes of Go stack each
	Timeout        time.Duration // wall time

	// Started is when the time began to count; zero is when the meter is made.
	Started time.Time

	// Budget is what live bytes are taken from before they are used, beside
	// LiveBytes; nil is none.
	Budget Budget
}

// sliceFuel is how much fuel may be used between two looks at the clock: about
// 0.1 ms of bytecode.
const sliceFuel = 20_000

// kickedFuel is what a charge counts beside its own units towards the next
// look at the clock while the meter is kicked.
const kickedFuel = 64

// unlimited stands for "no ceiling" in the counters.
const unlimited = int64(1) << 62

// A Meter counts one run. It belongs to the run's goroutine; only Stop may be
// called from another one.
type Meter struct {
	slice int64 // fuel left before the next look at the clock
	left  int64 // fuel left beyond the slice

	live, liveLimit           int64
	ceiling                   int64 // of live: liveLimit is below it until more is taken from the budget
	granted                   int64 // taken from the budget
	requested, requestedLimit int64
	peak                      int64
	lookAt                    int64 // bytes requested at which Grow looks at the process, or fails

	depth, depthLimit   int
	native, nativeLimit int

	deadline time.Time
	start    time.Time
	limits   Limits
	rec      reclaiming
	stop     atomic.Pointer[LimitError]
	kicked   bool  // every charge goes to Refill until Unkick
	quiet    int64 // fuel used since the last look at the clock while kicked
	ctx      context.Context
	unwatch  func() bool
	err      error
}

// New returns a meter for one run. The clock starts now. ctx may be nil.
func New(ctx context.Context, lim Limits) *Meter {
	m := &Meter{}
	m.Reset(ctx, lim)
	return m
}

// Reset makes the meter new again for another run, keeping its memory.
func (m *Meter) Reset(ctx context.Context, lim Limits) {
	m.Close()
	*m = Meter{limits: lim, start: lim.Started, ctx: ctx}
	if m.start.IsZero() {
		m.start = time.Now()
	}
	m.left = orUnlimited(lim.Fuel)
	m.liveLimit = orUnlimited(lim.LiveBytes)
	m.ceiling = m.liveLimit
	if lim.Budget != nil {
		m.liveLimit = 0
	}
	m.requestedLimit = orUnlimited(lim.RequestedBytes)
	m.nextLook()
	m.depthLimit = int(orUnlimited(int64(lim.Depth)))
	m.nativeLimit = int(orUnlimited(int64(lim.NativeDepth)))
	m.rec.last = m.start
	if lim.Timeout > 0 {
		m.deadline = m.start.Add(lim.Timeout)
	}
	m.nextSlice()
	if ctx != nil && ctx.Done() != nil {
		m.unwatch = context.AfterFunc(ctx, func() {
			m.Stop(&LimitError{Kind: Cancelled, What: "the caller's context ended", Cause: ctx.Err()})
		})
	}
}

// Close stops watching the context and gives the budget back what was taken.
// The counters stay readable.
func (m *Meter) Close() {
	m.giveBack()
	if m.unwatch != nil {
		m.unwatch()
		m.unwatch = nil
	}
}

func orUnlimited(n int64) int64 {
	if n <= 0 {
		return unlimited
	}
	return n
}

// Charge takes n units of fuel, n ≥ 0. Its fast path is one subtraction.
func (m *Meter) Charge(n int64) error {
	m.slice -= n
	if m.slice >= 0 {
		return nil
	}
	return m.Refill()
}

// Slice gives the interpreter direct access to the fuel left in the current
// slice: it subtracts from it and calls Refill when it falls below zero.
func (m *Meter) Slice() *int64 { return &m.slice }

// Refill looks at the clock and the stop flag and takes the next slice of
// fuel. It is called when the slice has fallen below zero.
func (m *Meter) Refill() error {
	if m.err != nil {
		m.slice = -1
		return m.err
	}
	if m.quiet += kickedFuel - m.slice; !m.kicked || m.quiet >= sliceFuel {
		m.quiet = 0
		if err := m.Poll(); err != nil {
			return err
		}
	}
	// A bulk charge may be larger than a slice: what is missing comes from left.
	m.left += m.slice
	m.slice = 0
	if m.left < 0 {
		return m.Fail(&LimitError{Kind: Fuel, What: "work", Limit: m.limits.Fuel, Used: m.limits.Fuel - m.left})
	}
	if !m.kicked {
		m.nextSlice()
	}
	return nil
}

// Kick sends every charge through Refill until Unkick is called: the heap asks
// so for the interpreter's attention at the next safepoint. It uses no fuel.
func (m *Meter) Kick() {
	if m.slice > 0 {
		m.left += m.slice
		m.slice = 0
	}
	m.kicked = true
}

// Kicked reports whether Kick was called since the last Unkick.
func (m *Meter) Kicked() bool { return m.kicked }

// Unkick ends what Kick began.
func (m *Meter) Unkick() { m.kicked = false }

func (m *Meter) nextSlice() {
	m.slice = min(m.left, sliceFuel)
	m.left -= m.slice
}

// Poll looks at the stop flag and the clock without charging. Host calls use
// it on entry and exit.
func (m *Meter) Poll() error {
	if m.err != nil {
		return m.err
	}
	if e := m.stop.Load(); e != nil {
		return m.Fail(e)
	}
	if m.granted-m.live > spare(m.live) {
		m.giveSpare()
	}
	if !m.deadline.IsZero() {
		now := time.Now()
		if now.After(m.deadline) {
			return m.Fail(m.timeError(now.Sub(m.start)))
		}
		if now.Sub(m.rec.last) >= lookEvery {
			m.rec.last = now
			m.look(0)
		}
	}
	return nil
}

func (m *Meter) timeError(used time.Duration) *LimitError {
	return &LimitError{Kind: Time, What: "wall time", Limit: int64(m.limits.Timeout), Used: int64(used), Cause: context.DeadlineExceeded}
}

// Stop asks the run to end with e at its next look at the clock. The first
// reason wins. It may be called from any goroutine.
func (m *Meter) Stop(e *LimitError) { m.stop.CompareAndSwap(nil, e) }

// Fail makes e the meter's sticky error and returns it. Every later charge
// fails with it.
func (m *Meter) Fail(e *LimitError) error {
	if m.err == nil {
		m.err = e
		// What was left of the slice goes back, so that Usage stays right; every
		// charge from now on goes to Refill or growFail.
		m.left += m.slice + 1
		m.slice = -1
		m.liveLimit, m.ceiling = -1, -1
	}
	return m.err
}

// Err returns the sticky error, or nil.
func (m *Meter) Err() error { return m.err }

// IsLimit reports whether err ends the run, that is, must not be offered to a
// script.
func IsLimit(err error) bool {
	var l *LimitError
	return errors.As(err, &l)
}

// Request counts n bytes that were asked for again without the live bytes
// growing: memory that a collection freed and the run may use once more.
func (m *Meter) Request(n int64) error {
	m.requested += n
	if m.requested > m.requestedLimit {
		return m.growFail(0)
	}
	return nil
}

// Grow charges n more live bytes, n ≥ 0, before they are allocated.
func (m *Meter) Grow(n int64) error {
	if n >= 0 && n <= m.liveLimit-m.live {
		m.live += n
		m.requested += n
		if m.live > m.peak {
			m.peak = m.live
		}
		if m.requested < m.lookAt {
			return nil
		}
		if m.requested <= m.requestedLimit {
			m.look(n)
			return nil
		}
	}
	return m.growFail(n)
}

func (m *Meter) growFail(n int64) error { //meter: Grow comes here again only after take has made room for n
	if m.err != nil {
		return m.err
	}
	if m.requested > m.requestedLimit {
		return m.Fail(&LimitError{Kind: Memory, What: "total allocation", Limit: m.limits.RequestedBytes, Used: m.requested})
	}
	if m.limits.Budget != nil && n >= 0 && n <= m.ceiling-m.live {
		if err := m.take(n); err != nil {
			return err
		}
		return m.Grow(n)
	}
	used := m.live + max(n, 0)
	if used < 0 {
		used = math.MaxInt64
	}
	return m.Fail(&LimitError{Kind: Memory, What: "live memory", Limit: m.limits.LiveBytes, Used: used})
}

// Shrink gives n live bytes back.
func (m *Meter) Shrink(n int64) {
	m.live -= n
}

// Live returns the live bytes now, Headroom how many more may be had.
func (m *Meter) Live() int64     { return m.live }
func (m *Meter) Headroom() int64 { return m.ceiling - m.live }

// Enter counts one more script frame; Leave takes it back.
func (m *Meter) Enter() error {
	m.depth++
	if m.depth <= m.depthLimit {
		return nil
	}
	return m.Fail(&LimitError{Kind: Stack, What: "call depth", Limit: int64(m.limits.Depth), Used: int64(m.depth)})
}

// Leave ends a frame that Enter began.
func (m *Meter) Leave() { m.depth-- }

// EnterNative counts native code that may recurse (a built-in that calls back
// into script, a conversion, a proxy trap, a nested parse); LeaveNative takes
// it back. It bounds the Go stack.
func (m *Meter) EnterNative() error {
	m.native++
	if m.native <= m.nativeLimit {
		return nil
	}
	return m.Fail(&LimitError{Kind: Stack, What: "native nesting", Limit: int64(m.limits.NativeDepth), Used: int64(m.native)})
}

// LeaveNative ends what EnterNative began.
func (m *Meter) LeaveNative() { m.native-- }

// Depth and NativeDepth return the current depths; SetDepth restores them when
// an exception unwinds several frames at once.
func (m *Meter) Depth() (script, native int) { return m.depth, m.native }
func (m *Meter) SetDepth(script, native int) { m.depth, m.native = script, native }

// Usage is what a run has used.
type Usage struct {
	Fuel      int64
	LiveBytes int64
	PeakBytes int64
	Requested int64
	Wall      time.Duration
}

// Usage returns what has been used until now.
func (m *Meter) Usage() Usage {
	return Usage{
		Fuel:      orUnlimited(m.limits.Fuel) - m.left - m.slice,
		LiveBytes: m.live,
		PeakBytes: m.peak,
		Requested: m.requested,
		Wall:      time.Since(m.start),
	}
}

// Deadline returns the instant the run must end at, if it has one.
func (m *Meter) Deadline() (time.Time, bool) { return m.deadline, !m.deadline.IsZero() }
