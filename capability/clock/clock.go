package clock

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"
)

// Clock tells the time and waits. Clocks are safe for use by many goroutines.
type Clock interface {
	// Now returns the time.
	Now() time.Time
	// Delay returns nil when d has passed, or the context's error if that ends
	// first.
	Delay(ctx context.Context, d time.Duration) error
}

// System is the clock of the machine.
func System() Clock { return system{} }

type system struct{}

func (system) Now() time.Time { return time.Now() }

func (system) Delay(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Fixed is a clock that stands still: waiting takes no time.
func Fixed(t time.Time) Clock { return &stepped{now: t} }

// Stepped is a clock that goes on by step with each look, from t on; waiting
// sets it forward at once.
func Stepped(t time.Time, step time.Duration) Clock { return &stepped{now: t, step: step, moves: true} }

type stepped struct {
	mu    sync.Mutex
	now   time.Time
	step  time.Duration
	moves bool
}

func (s *stepped) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.now
	s.now = s.now.Add(s.step)
	return t
}

func (s *stepped) Delay(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moves && d > 0 {
		s.now = s.now.Add(d)
	}
	return nil
}

// Manual is a clock that a test sets. The zero Manual stands at the zero time.
type Manual struct {
	mu      sync.Mutex
	now     time.Time
	waiting map[*waiter]struct{}
}

type waiter struct {
	until time.Time
	done  chan struct{}
}

// NewManual makes a clock that stands at t.
func NewManual(t time.Time) *Manual { return &Manual{now: t} }

// Now returns the time that was set.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance sets the clock forward and ends the waits that are over.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
	for w := range m.waiting {
		if !w.until.After(m.now) {
			close(w.done)
			delete(m.waiting, w)
		}
	}
}

// Waiting returns how many waits haven't ended.
func (m *Manual) Waiting() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.waiting)
}

// Delay waits until the clock was set forward by d.
func (m *Manual) Delay(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	m.mu.Lock()
	w := &waiter{until: m.now.Add(d), done: make(chan struct{})}
	if m.waiting == nil {
		m.waiting = map[*waiter]struct{}{}
	}
	m.waiting[w] = struct{}{}
	m.mu.Unlock()
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		m.mu.Lock()
		delete(m.waiting, w)
		m.mu.Unlock()
		return ctx.Err()
	}
}

// Sleep waits for a number of milliseconds that a script gave, at most max if
// max isn't 0. The error is an *Error.
func Sleep(ctx context.Context, c Clock, ms float64, max time.Duration) error {
	if math.IsNaN(ms) || ms < 0 {
		return &Error{Code: BadArgument, Reason: "bad argument: ms, which must be a number from 0 on"}
	}
	d := time.Duration(math.MaxInt64)
	if ms < float64(math.MaxInt64)/float64(time.Millisecond) {
		d = time.Duration(ms * float64(time.Millisecond))
	}
	if max > 0 && d > max {
		return &Error{Code: TooLong, Reason: fmt.Sprintf("too long (limit %d ms)", max.Milliseconds())}
	}
	if err := c.Delay(ctx, d); err != nil {
		return &Error{Code: Cancelled, Reason: "cancelled", cause: err}
	}
	return nil
}

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is.
type Code string

// The codes.
const (
	BadArgument Code = "bad_argument"
	TooLong     Code = "too_long"
	Cancelled   Code = "cancelled"
)

// Error returns the code in words.
func (c Code) Error() string { return "clock: " + string(c) }

// Error says why a wait failed. Code and Reason may be shown to a script.
type Error struct {
	Code   Code
	Reason string // "too long (limit 1000 ms)"

	cause error // the context's
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns the context's error.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}
