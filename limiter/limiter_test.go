package limiter_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pinfold-js/pinfold/limiter"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newLimiter(t testing.TB, c limiter.Config) *limiter.Limiter {
	t.Helper()
	l, err := limiter.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func acquire(t testing.TB, l *limiter.Limiter, r limiter.Request) *limiter.Slot {
	t.Helper()
	s, err := l.Acquire(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tool(name string) limiter.Request { return limiter.Request{Caller: limiter.NewCaller(name)} }
func hook(owner string) limiter.Request {
	return limiter.Request{Class: limiter.Hook, Owner: owner}
}

func TestConfig(t *testing.T) {
	l := newLimiter(t, limiter.Config{})
	c := l.Config()
	c.Clock = nil
	if want := (limiter.Config{MaxConcurrentRuns: 8, MaxTotalBytes: 2 << 30, MaxWait: 10 * time.Second, ReservedForInterceptors: 2, MaxRunsPerCaller: 3, MaxInterceptorsPerOwner: 2, MaxRunsPerDecider: 2}); c != want {
		t.Errorf("the defaults are %+v", c)
	}
	for _, tt := range []struct {
		c    limiter.Config
		want string
	}{
		{limiter.Config{MaxConcurrentRuns: 3}, "at least two slots more than are reserved"},
		{limiter.Config{MaxConcurrentRuns: 4}, ""},
		{limiter.Config{ReservedForInterceptors: 6}, ""},
		{limiter.Config{ReservedForInterceptors: 7}, "at least two slots more than are reserved"},
		{limiter.Config{MaxConcurrentRuns: -1}, "MaxConcurrentRuns is -1"},
		{limiter.Config{MaxWait: -1, MaxTotalBytes: -5}, "MaxTotalBytes is -5"},
		{limiter.Config{MaxConcurrentRuns: 1 << 40}, "at most"},
	} {
		_, err := limiter.New(tt.c)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.c, err, tt.want)
		}
	}
	if a, b := limiter.Shared(), limiter.Shared(); a != b {
		t.Error("Shared gives two limiters")
	}
}

// Children count for the root of their tree, and equal names are one caller.
func TestCallerIsTheRoot(t *testing.T) {
	root := limiter.NewCaller("root")
	leaf := root.Child("a").Child("b")
	if leaf.Root() != "root" || leaf.ID() != "b" || leaf.Parent().ID() != "a" || root.Parent() != nil {
		t.Errorf("the leaf is %q of %q", leaf.ID(), leaf.Root())
	}
	var none *limiter.Caller
	if none.Root() != "" || none.ID() != "" || none.Parent() != nil || none.Child("x").Child("y").Root() != "" {
		t.Error("the caller without a name has one")
	}
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{})
		var held []*limiter.Slot
		for _, c := range []*limiter.Caller{root, leaf, limiter.NewCaller("root").Child("c")} {
			held = append(held, acquire(t, l, limiter.Request{Caller: c}))
		}
		_, err := l.Acquire(context.Background(), limiter.Request{Caller: root.Child("d")})
		var busy *limiter.BusyError
		if !errors.As(err, &busy) || busy.Cap != limiter.CapCaller || busy.Who != "root" || busy.Limit != 3 || busy.Used != 3 || busy.Waited != 10*time.Second || len(busy.Holders) != 3 {
			t.Errorf("a fourth: %+v", err)
		}
		for _, s := range held {
			s.Release()
		}
	})
}

func TestContext(t *testing.T) {
	if _, ok := limiter.From(context.Background()); ok {
		t.Error("an empty context says who runs")
	}
	r := limiter.Request{Class: limiter.Hook, Owner: "o", Loading: true}
	ctx, cancel := context.WithCancel(limiter.With(context.Background(), r))
	defer cancel()
	if got, ok := limiter.From(ctx); !ok || got != r {
		t.Errorf("got %+v, %v", got, ok)
	}
}

// Each cap says what it is, who holds, and when to try again.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{MaxWait: 3 * time.Second})
		// A first run, so that there is a time that runs take.
		s := acquire(t, l, tool("first"))
		time.Sleep(2 * time.Second)
		s.Release()

		var held []*limiter.Slot
		hold := func(n int, r limiter.Request) {
			for range n {
				held = append(held, acquire(t, l, r))
			}
		}
		refused := func(r limiter.Request, want limiter.Cap, text string) *limiter.BusyError {
			t.Helper()
			begin := time.Now()
			s, err := l.Acquire(context.Background(), r)
			var busy *limiter.BusyError
			if s != nil || !errors.As(err, &busy) || busy.Cap != want || err.Error() != text || busy.Waited != 3*time.Second || time.Since(begin) != 3*time.Second {
				t.Fatalf("got  %v\nwant %s", err, text)
			}
			return busy
		}
		decider := func(name string) limiter.Request { return limiter.Request{Class: limiter.Decider, Owner: name} }
		hold(2, decider("d"))
		refused(decider("d"), limiter.CapDecider, `the decider "d" already has 2 runs, the most for one decider; waited 3s; try again in about 2s`)
		hold(2, decider("e"))
		refused(decider("f"), limiter.CapDeciders, `deciders have 4 runs, half of the slots; waited 3s; try again in about 2s`)
		for _, s := range held[2:] {
			s.Release()
		}
		held = held[:2]
		hold(3, limiter.Request{Caller: limiter.NewCaller("a").Child("helper")})
		b := refused(tool("a"), limiter.CapCaller, `the caller "a" already has 3 runs, the most for one caller; waited 3s; try again in about 2.2s`)
		if h := b.Holders; len(h) != 3 || h[0].Who != "a" || h[0].Instance != "helper" || h[0].Class != limiter.Tool || h[0].Held != 3*time.Second {
			t.Errorf("holders: %+v", h)
		}
		hold(2, hook("o"))
		refused(hook("o"), limiter.CapOwner, `the owner "o" already has 2 runs of its hooks, the most for one owner; waited 3s; try again in about 2.2s`)
		held[0].Release()
		held[1].Release()
		held = held[2:]
		hold(3, tool("b"))
		refused(tool("c"), limiter.CapSlots, `all 8 slots are taken (6 tools, 2 hooks); waited 3s; try again in about 4.5s`)
		held[3].Release() // a hook's
		held = append(held[:3:3], held[4:]...)
		refused(tool("c"), limiter.CapReserve, `tools have 6 runs, and the other slots are reserved for hooks and deciders; waited 3s; try again in about 4.7s`)
		refused(decider("d"), limiter.CapLastSlot, `the last free slot is reserved for hooks of owners that have no run; waited 3s; try again in about 4.7s`)
		for _, s := range held {
			s.Release()
		}
		if got := l.Stats(); got.ActiveRuns != 0 || got.Waiting != 0 || got.ChargedBytes != 0 {
			t.Errorf("%+v", got)
		}
	})
}

// Who waits is served as soon as there is room, hooks before deciders before
// tools, in order; who is held up by its own cap holds up nobody else.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{MaxConcurrentRuns: 4, MaxRunsPerCaller: 1, MaxWait: time.Hour})
		var held []*limiter.Slot
		for _, r := range []limiter.Request{tool("a"), tool("b"), hook("o"), hook("p")} {
			held = append(held, acquire(t, l, r))
		}
		begin := time.Now()
		var mu sync.Mutex
		var got []string
		for _, r := range []limiter.Request{
			tool("a"), tool("c"), tool("d"), {Class: limiter.Decider, Owner: "x"}, hook("q"), hook("r"),
		} {
			go func() {
				s, err := l.Acquire(context.Background(), r)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				got = append(got, fmt.Sprintf("%4.0f %v %s", time.Since(begin).Seconds(), r.Class, r.Caller.Root()+r.Owner))
				mu.Unlock()
				time.Sleep(time.Minute)
				s.Release()
			}()
			synctest.Wait()
		}
		if n := l.Stats().Waiting; n != 6 {
			t.Errorf("%d wait", n)
		}
		held[1].Release() // the tool of b: nobody's cap but the slots'
		time.Sleep(time.Second)
		held[2].Release()
		time.Sleep(10 * time.Minute)
		held[0].Release()
		held[3].Release()
		time.Sleep(time.Hour)
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(got) // those of one instant have no order among them
		// The decider waits until more than the last slot is free.
		want := "   0 hook q,    1 hook r,   60 tool c,  120 decider x,  120 tool d,  601 tool a"
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("got  %s\nwant %s", s, want)
		}
	})
}

// A context that ends while its request waits, or that has ended before, is the
// error, and leaves nothing behind.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{MaxRunsPerCaller: 1})
		s := acquire(t, l, tool("a"))
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		begin := time.Now()
		if _, err := l.Acquire(ctx, tool("a")); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		if _, err := l.Acquire(ctx, tool("b")); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if got := l.Stats(); got.ActiveRuns != 1 || got.Waiting != 0 {
			t.Errorf("%+v", got)
		}
		s.Release()
		s.Release()
		if n := l.ActiveRuns(); n != 0 {
			t.Errorf("%d runs", n)
		}
	})
	if _, err := newLimiter(t, limiter.Config{}).Acquire(nil, limiter.Request{Class: 9}); err == nil {
		t.Error("there is a class 9")
	}
}

// A slot that becomes free at the instant at which the waiting ends goes to
// somebody: to the one that waited, or back.
func TestNoSlotIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{MaxRunsPerCaller: 1, MaxWait: time.Second})
		for i := range 200 {
			s := acquire(t, l, tool("a"))
			ctx, cancel := context.WithTimeout(context.Background(), time.Second+time.Duration(i%2)*time.Hour)
			time.AfterFunc(time.Second, s.Release)
			if s, err := l.Acquire(ctx, tool("a")); err == nil {
				s.Release()
			}
			cancel()
			time.Sleep(time.Second)
			if got := l.Stats(); got.ActiveRuns != 0 || got.Waiting != 0 {
				t.Fatalf("%d: %+v", i, got)
			}
		}
	})
}

func TestBytes(t *testing.T) {
	l := newLimiter(t, limiter.Config{MaxTotalBytes: 1000})
	a, b := acquire(t, l, tool("a")), acquire(t, l, tool("b"))
	if err := errors.Join(a.Take(600), b.Take(400)); err != nil {
		t.Fatal(err)
	}
	err := b.Take(1)
	var busy *limiter.BusyError
	if !errors.As(err, &busy) || busy.Cap != limiter.CapBytes || busy.Limit != 1000 || busy.Used != 1000 || busy.Wanted != 1 || busy.Who != "b" || len(busy.Holders) != 2 {
		t.Fatalf("%+v", err)
	}
	if !strings.HasPrefix(err.Error(), "1 more bytes are wanted, and all runs together hold 1000 of 1000; try again in about ") {
		t.Error(err)
	}
	if b.Take(1<<62+1<<61) == nil || b.Take(-1) == nil {
		t.Error("what can't be had was given")
	}
	a.Give(100)
	if err := b.Take(100); err != nil || l.ChargedBytes() != 1000 {
		t.Errorf("%v, %d", err, l.ChargedBytes())
	}
	a.Give(1 << 60) // more than it has
	a.Give(-5)
	if n := l.ChargedBytes(); n != 500 {
		t.Errorf("%d bytes", n)
	}
	b.Release()
	if n := l.ChargedBytes(); n != 0 {
		t.Errorf("%d bytes are left", n)
	}
	if b.Take(1) == nil {
		t.Error("a slot that was released takes bytes")
	}
	b.Give(10)
	a.Release()
	if n := l.ChargedBytes(); n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}

// An abandoned run keeps its slot, and counts for its caller, until it ends.
func TestAbandoned(t *testing.T) {
	l := newLimiter(t, limiter.Config{MaxRunsPerCaller: 1, MaxWait: time.Millisecond})
	s := acquire(t, l, tool("a"))
	s.Abandon()
	s.Abandon()
	_, err := l.Acquire(context.Background(), tool("a"))
	var busy *limiter.BusyError
	if !errors.As(err, &busy) || !busy.Holders[0].Abandoned {
		t.Errorf("%+v", err)
	}
	if l.AbandonedRuns() != 1 || l.AbandonedRunsStillRunning() != 1 || l.ActiveRuns() != 1 {
		t.Errorf("%+v", l.Stats())
	}
	s.Release()
	s.Abandon()
	if l.AbandonedRuns() != 1 || l.AbandonedRunsStillRunning() != 0 || l.ActiveRuns() != 0 {
		t.Errorf("%+v", l.Stats())
	}
}

// Ten thousand runs of 64 callers, really at once: all are served, no cap is
// passed, no total is ever negative.
func TestFlood(t *testing.T) {
	l := newLimiter(t, limiter.Config{MaxWait: time.Hour, MaxTotalBytes: 800})
	const runs, callers = 10_000, 64
	var total, tools, deciders atomic.Int64
	var perCaller [callers]atomic.Int64
	var served [callers]atomic.Int64
	var bytes, busy atomic.Int64
	within := func(n *atomic.Int64, most int, what string) func() {
		if k := n.Add(1); k > int64(most) || k < 1 {
			t.Errorf("%s: %d", what, k)
		}
		return func() { n.Add(-1) }
	}
	stop := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			s := l.Stats()
			if s.ActiveRuns < 0 || s.ActiveRuns > 8 || s.Waiting < 0 || s.ChargedBytes < 0 || s.ChargedBytes > 800 || s.Tools < 0 || s.Tools > 6 || s.Deciders > 4 || s.AbandonedRuns != 0 {
				t.Errorf("%+v", s)
			}
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() {
			who := i % callers
			r := limiter.Request{Caller: limiter.NewCaller(fmt.Sprint("root ", who)).Child(fmt.Sprint("child ", i))}
			switch i / callers % 8 {
			case 0:
				r = hook(fmt.Sprint("owner ", who))
			case 1:
				r = limiter.Request{Class: limiter.Decider, Owner: fmt.Sprint("decider ", who%5)}
			}
			s, err := l.Acquire(context.Background(), r)
			if err != nil {
				t.Error(err)
				return
			}
			done := []func(){within(&total, 8, "slots")}
			switch r.Class {
			case limiter.Tool:
				done = append(done, within(&tools, 6, "tools"), within(&perCaller[who], 3, "a caller"))
			case limiter.Decider:
				done = append(done, within(&deciders, 4, "deciders"))
			}
			for range 3 {
				n := rand.Int64N(120)
				switch err := s.Take(n); {
				case err == nil:
					if k := bytes.Add(n); k > 800 || k < 0 {
						t.Errorf("%d bytes", k)
					}
					if i%2 == 0 {
						bytes.Add(-n)
						s.Give(n)
					} else {
						done = append(done, func() { bytes.Add(-n) })
					}
				case !errors.As(err, new(*limiter.BusyError)):
					t.Error(err)
				default:
					busy.Add(1)
				}
			}
			served[who].Add(1)
			for _, f := range done {
				f()
			}
			s.Release()
		})
	}
	wg.Wait()
	close(stop)
	<-watched
	for i := range served {
		if n := served[i].Load(); n != runs/callers && n != runs/callers+1 {
			t.Errorf("caller %d was served %d times", i, n)
		}
	}
	s := l.Stats()
	if s.AdmittedRuns != runs || s.ActiveRuns != 0 || s.Waiting != 0 || s.ChargedBytes != 0 || s.Tools != 0 || s.Hooks != 0 || s.Deciders != 0 {
		t.Errorf("%+v", s)
	}
}

// Whatever is done with slots and bytes in one goroutine, the totals are those
// of the slots.
func TestTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, err := limiter.New(limiter.Config{MaxTotalBytes: 1000, MaxWait: 1})
		if err != nil {
			t.Fatal(err)
		}
		bytes := map[*limiter.Slot]int64{}
		var slots []*limiter.Slot
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			pick := func() *limiter.Slot {
				if len(slots) == 0 {
					return nil
				}
				return slots[rapid.IntRange(0, len(slots)-1).Draw(t, "slot")]
			}
			switch n := rapid.Int64Range(0, 500).Draw(t, "n"); rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				r := limiter.Request{Class: limiter.Class(n % 3), Owner: fmt.Sprint(n % 5), Caller: limiter.NewCaller(fmt.Sprint(n % 5))}
				if s, err := l.Acquire(context.Background(), r); err == nil {
					slots = append(slots, s)
					bytes[s] = 0
				}
			case 1:
				if s := pick(); s != nil {
					if _, held := bytes[s]; s.Take(n) == nil {
						if !held {
							t.Fatal("a released slot took bytes")
						}
						bytes[s] += n
					}
				}
			case 2:
				if s := pick(); s != nil {
					s.Give(n)
					if _, held := bytes[s]; held {
						bytes[s] -= min(n, bytes[s])
					}
				}
			default:
				if s := pick(); s != nil {
					s.Release()
					delete(bytes, s)
				}
			}
			sum := int64(0)
			for _, n := range bytes {
				sum += n
			}
			if got := l.Stats(); got.ChargedBytes != sum || sum > 1000 || got.ActiveRuns != len(bytes) || got.ActiveRuns > 8 || got.Waiting != 0 {
				t.Fatalf("%+v, held: %d slots, %d bytes", got, len(bytes), sum)
			}
		}
	})
}

func BenchmarkAcquire(b *testing.B) {
	l := newLimiter(b, limiter.Config{})
	r := tool("a")
	b.ReportAllocs()
	for b.Loop() {
		s, err := l.Acquire(context.Background(), r)
		if err != nil {
			b.Fatal(err)
		}
		s.Release()
	}
}
