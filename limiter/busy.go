package limiter

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// errReleased is for bytes that are taken after the slot was released.
var errReleased = errors.New("limiter: the slot has been released")

// BusyError says why a request got no slot, or a run no bytes.
//
// Its text names the caller, owner or decider that asked, and of the others
// only how many they are: it may be shown to any of them. Holders is for the
// host.
type BusyError struct {
	Cap        Cap
	Class      Class
	Who        string // the caller's root, the owner or the decider that asked
	Limit      int64  // the cap: slots, or bytes
	Used       int64  // what was held of it
	Wanted     int64  // bytes asked for, with CapBytes
	Waited     time.Duration
	Waiting    int           // others that wait: for the same cap if it is one's own, else all
	RetryAfter time.Duration // when to try again: an estimate
	Holders    []Holder      // who holds what was wanted, the longest first
}

// Holder is a run that holds a slot.
type Holder struct {
	Class     Class
	Who       string
	Instance  string // the caller's own name, for tools
	Loading   bool
	Abandoned bool
	Held      time.Duration
	Bytes     int64
}

// Error says which cap refused, and when to try again.
func (e *BusyError) Error() string {
	var b strings.Builder
	switch e.Cap {
	case CapCaller:
		fmt.Fprintf(&b, "%s already has %s, the most for one caller", named("caller", e.Who), runs(e.Used))
	case CapOwner:
		fmt.Fprintf(&b, "%s already has %s of its hooks, the most for one owner", named("owner", e.Who), runs(e.Used))
	case CapDecider:
		fmt.Fprintf(&b, "%s already has %s, the most for one decider", named("decider", e.Who), runs(e.Used))
	case CapReserve:
		fmt.Fprintf(&b, "tools have %s, and the other slots are reserved for hooks and deciders", runs(e.Used))
	case CapDeciders:
		fmt.Fprintf(&b, "deciders have %s, half of the slots", runs(e.Used))
	case CapLastSlot:
		b.WriteString("the last free slot is reserved for hooks of owners that have no run")
	case CapBytes:
		fmt.Fprintf(&b, "%d more bytes are wanted, and all runs together hold %d of %d", e.Wanted, e.Used, e.Limit)
	default:
		fmt.Fprintf(&b, "all %d slots are taken (%s)", e.Limit, e.byClass())
	}
	if e.Waited > 0 {
		fmt.Fprintf(&b, "; waited %v", short(e.Waited))
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, "; try again in about %v", short(e.RetryAfter))
	}
	return b.String()
}

func named(what, name string) string {
	if name == "" {
		return "the " + what + " without a name"
	}
	return fmt.Sprintf("the %s %q", what, name)
}

func runs(n int64) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}

func (e *BusyError) byClass() string {
	var n [classes]int
	for _, h := range e.Holders { //meter: at most MaxConcurrentRuns
		n[h.Class]++
	}
	var parts []string
	for c, k := range n {
		switch {
		case k == 1:
			parts = append(parts, "1 "+Class(c).String())
		case k > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", k, Class(c)))
		}
	}
	return strings.Join(parts, ", ")
}

// short rounds a time to what one wants to read.
func short(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Microsecond)
}

// The shortest and the longest time to try again after.
const (
	leastRetry = 10 * time.Millisecond
	mostRetry  = time.Hour
)

// busy describes why a group was refused.
func (l *Limiter) busy(c Cap, g *group, now time.Time) *BusyError {
	e := &BusyError{Cap: c, Class: g.class, Who: g.name}
	share := int64(1) // slots that become free for those who wait here
	counts := func(*Slot) bool { return true }
	e.Waiting = l.adm.waiting
	switch c {
	case CapCaller, CapOwner, CapDecider:
		n, _ := l.adm.own(g.class)
		e.Limit, e.Used, share = int64(n), int64(g.held), int64(n)
		counts = func(s *Slot) bool { return s.group == g }
		e.Waiting = g.waiting
	case CapReserve, CapDeciders:
		e.Limit, e.Used = int64(l.adm.slots-l.adm.reserved), int64(l.adm.byClass[g.class])
		if c == CapDeciders {
			e.Limit = int64(l.adm.slots / 2)
		}
		share = e.Limit
		counts = func(s *Slot) bool { return s.group.class == g.class }
	case CapBytes:
		e.Limit, e.Used, e.Waiting = l.cfg.MaxTotalBytes, l.bytes, 0
	default:
		e.Limit, e.Used, share = int64(l.adm.slots), int64(l.adm.held), int64(l.adm.slots)
	}
	e.Waiting = max(e.Waiting-1, 0) // without the one that is told
	var longest time.Duration
	for s := range l.slots { //meter: at most MaxConcurrentRuns; the order doesn't matter
		if counts(s) {
			h := Holder{
				Class: s.group.class, Who: s.group.name, Loading: s.request.Loading, Abandoned: s.abandoned,
				Held: now.Sub(s.since), Bytes: s.bytes,
			}
			if h.Class == Tool {
				h.Instance = s.request.Caller.ID()
			}
			longest = max(longest, h.Held)
			e.Holders = append(e.Holders, h)
		}
	}
	slices.SortFunc(e.Holders, func(a, b Holder) int {
		if a.Held != b.Held {
			return int(min(max(b.Held-a.Held, -1), 1))
		}
		return strings.Compare(a.Who+"\x00"+a.Instance, b.Who+"\x00"+b.Instance)
	})
	mean := l.mean
	if mean == 0 {
		mean = longest // no run has ended yet
	}
	turns := (int64(e.Waiting) + share) / share
	if e.RetryAfter = mostRetry; mean < mostRetry/time.Duration(turns) {
		e.RetryAfter = max(mean*time.Duration(turns), leastRetry)
	}
	return e
}
