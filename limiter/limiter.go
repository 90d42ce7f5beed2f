package limiter

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Limiter shares slots and bytes among runs. Any number of goroutines may use
// it. It holds no goroutine and need not be closed.
type Limiter struct {
	cfg Config

	mu        sync.Mutex
	adm       admission
	slots     map[*Slot]struct{} // that are held
	bytes     int64
	total     int64         // slots given since the beginning
	abandoned int64         // runs abandoned since the beginning
	still     int           // … that hold their slot yet
	mean      time.Duration // about how long a slot is held
}

// New makes a Limiter. The error names everything that is wrong with the
// configuration.
func New(c Config) (*Limiter, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("limiter: %w", err)
	}
	c = c.WithDefaults()
	return &Limiter{cfg: c, adm: newAdmission(c), slots: map[*Slot]struct{}{}}, nil
}

var shared = sync.OnceValue(func() *Limiter {
	l, err := New(Config{})
	if err != nil {
		panic(err) // the defaults are right
	}
	return l
})

// Shared returns the process's own Limiter, with the defaults.
func Shared() *Limiter { return shared() }

// Config returns the configuration, defaults filled in.
func (l *Limiter) Config() Config { return l.cfg }

// Acquire takes a slot. If there is none it waits, up to MaxWait and as long as
// the context lasts. The error is a *BusyError, the context's, or says that the
// request makes no sense. A slot must be released.
func (l *Limiter) Acquire(ctx context.Context, r Request) (*Slot, error) {
	if r.Class >= classes {
		return nil, fmt.Errorf("limiter: there is no class %d", r.Class)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Slot{l: l, request: r}
	begin := l.cfg.Clock.Now()
	l.mu.Lock()
	g := l.adm.group(r.key())
	// Whoever waits can't be admitted now, so nobody is overtaken who could be.
	if l.adm.refusal(g) == "" {
		l.hold(g, s, begin)
		l.mu.Unlock()
		return s, nil
	}
	t := &ticket{wake: make(chan struct{}), slot: s}
	l.adm.enqueue(g, t)
	l.mu.Unlock()

	fired, stop := l.cfg.Clock.Timer(l.cfg.MaxWait)
	defer stop()
	var ended <-chan struct{} = ctx.Done()
	select {
	case <-t.wake:
	case <-ended:
	case <-fired:
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.cfg.Clock.Now()
	admitted := s.group != nil
	switch err := ctx.Err(); {
	case err != nil && admitted:
		l.release(s, now)
		return nil, err
	case err != nil:
		l.adm.dequeue(t)
		return nil, err
	case admitted:
		s.waited = now.Sub(begin)
		return s, nil
	}
	busy := l.busy(l.adm.refusal(g), g, now)
	busy.Waited = now.Sub(begin)
	l.adm.dequeue(t)
	return nil, busy
}

// hold gives a slot to a group.
func (l *Limiter) hold(g *group, s *Slot, now time.Time) {
	l.adm.hold(g)
	s.group, s.since = g, now
	l.slots[s] = struct{}{}
	l.total++
}

// release takes a slot back and admits who can be admitted now.
func (l *Limiter) release(s *Slot, now time.Time) {
	s.released = true
	delete(l.slots, s)
	l.bytes -= s.bytes
	s.bytes = 0
	if s.abandoned {
		l.still--
	}
	if held := now.Sub(s.since); l.mean == 0 {
		l.mean = held
	} else {
		l.mean += (held - l.mean) / 8
	}
	l.adm.release(s.group)
	for t := l.adm.next(); t != nil; t = l.adm.next() { //meter: each takes a slot
		g := t.group
		l.hold(g, t.slot, now)
		l.adm.dequeue(t)
		close(t.wake)
	}
}

// Slot is the right to run. It belongs to the one who acquired it.
type Slot struct {
	l         *Limiter
	request   Request
	group     *group
	since     time.Time
	waited    time.Duration
	bytes     int64
	abandoned bool
	released  bool
}

// Request returns what the slot was acquired for.
func (s *Slot) Request() Request { return s.request }

// Waited returns how long the slot was waited for.
func (s *Slot) Waited() time.Duration { return s.waited }

// Release gives the slot and its bytes back. Only the first call counts.
func (s *Slot) Release() {
	now := s.l.cfg.Clock.Now()
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	if !s.released {
		s.l.release(s, now)
	}
}

// Take charges n more bytes, n ≥ 0, before they are used. The error is a
// *BusyError if the bytes of all runs would pass their budget; nothing is
// charged then.
func (s *Slot) Take(n int64) error {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.released:
		return errReleased
	case n < 0:
		return fmt.Errorf("limiter: %d bytes can't be taken", n)
	case n > l.cfg.MaxTotalBytes-l.bytes:
		b := l.busy(CapBytes, s.group, l.cfg.Clock.Now())
		b.Wanted = n
		return b
	}
	s.bytes += n
	l.bytes += n
	return nil
}

// Give gives n bytes back, at most those that were taken.
func (s *Slot) Give(n int64) {
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	n = min(max(n, 0), s.bytes)
	s.bytes -= n
	s.l.bytes -= n
}

// Abandon says that the caller waits no longer for a run that doesn't end. The
// slot stays held, and counts, until Release is called when the run has ended.
func (s *Slot) Abandon() {
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	if !s.released && !s.abandoned {
		s.abandoned = true
		s.l.abandoned++
		s.l.still++
	}
}

// Stats is the state of a Limiter at one instant.
type Stats struct {
	ActiveRuns                int   // slots held
	Tools, Hooks, Deciders    int   // … by class
	Waiting                   int   // requests that wait
	AdmittedRuns              int64 // slots given since the beginning
	ChargedBytes              int64 // that the runs have taken
	AbandonedRuns             int64 // since the beginning
	AbandonedRunsStillRunning int   // that hold their slot yet
}

// Stats returns the state.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{
		ActiveRuns: l.adm.held, Tools: l.adm.byClass[Tool], Hooks: l.adm.byClass[Hook], Deciders: l.adm.byClass[Decider],
		Waiting: l.adm.waiting, AdmittedRuns: l.total, ChargedBytes: l.bytes,
		AbandonedRuns: l.abandoned, AbandonedRunsStillRunning: l.still,
	}
}

// ActiveRuns, ChargedBytes, AbandonedRuns and AbandonedRunsStillRunning are the
// fields of Stats.
func (l *Limiter) ActiveRuns() int                { return l.Stats().ActiveRuns }
func (l *Limiter) ChargedBytes() int64            { return l.Stats().ChargedBytes }
func (l *Limiter) AbandonedRuns() int64           { return l.Stats().AbandonedRuns }
func (l *Limiter) AbandonedRunsStillRunning() int { return l.Stats().AbandonedRunsStillRunning }
