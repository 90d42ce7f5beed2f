package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
)

func newLimiter(t testing.TB, c limiter.Config) *limiter.Limiter {
	t.Helper()
	l, err := limiter.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func as(ctx context.Context, caller string) context.Context {
	return limiter.With(ctx, limiter.Request{Caller: limiter.NewCaller(caller)})
}

// idle reports what a limiter should not have when nothing runs.
func idle(t testing.TB, l *limiter.Limiter, when string) {
	t.Helper()
	s := l.Stats()
	s.AdmittedRuns = 0
	if s != (limiter.Stats{}) {
		t.Errorf("%s: %+v", when, s)
	}
}

// A run that gets no slot fails as busy: with what is full, who is in it, and
// when to try again. It hasn't begun.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{MaxRunsPerCaller: 2})
		calls := 0
		s := sandbox(t, pinfold.Options{Limiter: l, Functions: []pinfold.Function{{Name: "call", Func: func() { calls++ }}}})
		p := program(t, s, "call()")
		ctx := as(t.Context(), "root")
		var held []*limiter.Slot
		for range 2 {
			slot, err := l.Acquire(ctx, limiter.Request{Caller: limiter.NewCaller("root").Child("x")})
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, slot)
		}
		for name, run := range map[string]func() *pinfold.Outcome{
			"Run":  func() *pinfold.Outcome { return s.Run(ctx, p, nil) },
			"Eval": func() *pinfold.Outcome { return s.Eval(ctx, "test", "call()", nil) },
		} {
			begin := time.Now()
			o := run()
			f := o.Failure
			var busy *limiter.BusyError
			if f == nil || !errors.Is(o.Err(), pinfold.ErrBusy) || !errors.As(o.Err(), &busy) || busy.Cap != limiter.CapCaller || len(busy.Holders) != 2 || busy.Holders[0].Instance != "x" ||
				o.Usage.Waited != 10*time.Second || o.Usage.Fuel != 0 || f.Limit != 2 || f.Used != 2 || f.File != "test" || time.Since(begin) != 10*time.Second || f.Kind.IsLimit() {
				t.Errorf("%s: %+v after %v", name, f, time.Since(begin))
				continue
			}
			if !strings.HasPrefix(f.Message, `busy: the caller "root" already has 2 runs, the most for one caller; waited 10s; try again in about `) || !strings.Contains(f.Hint, "MaxRunsPerCaller") {
				t.Errorf("%s: %s\n%s", name, f.Message, f.Hint)
			}
		}
		// Another caller isn't held up, and the same one isn't once there is room.
		if o := s.Run(as(t.Context(), "other"), p, nil); o.Failure != nil || o.Usage.Waited != 0 {
			t.Errorf("%v, waited %v", o.Failure, o.Usage.Waited)
		}
		time.AfterFunc(4*time.Second, held[0].Release)
		if o := s.Run(ctx, p, nil); o.Failure != nil || o.Usage.Waited != 4*time.Second || o.Usage.Wall != 0 {
			t.Errorf("%v, %+v", o.Failure, o.Usage)
		}
		// A context that ends while it waits, or has ended before.
		held[0], _ = l.Acquire(ctx, limiter.Request{Caller: limiter.NewCaller("root")})
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		for range 2 {
			if o := s.Run(short, p, nil); !errors.Is(o.Err(), pinfold.ErrCancelled) || !errors.Is(o.Err(), context.DeadlineExceeded) {
				t.Errorf("%v", o.Failure)
			}
		}
		if calls != 2 {
			t.Errorf("%d calls", calls)
		}
		held[0].Release()
		held[1].Release()
		idle(t, l, "at the end")
	})
}

// Compiling what is not in the cache takes a slot too.
func TestCompileTakesASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{MaxInterceptorsPerOwner: 1})
		admission := limiter.Request{Class: limiter.Hook, Owner: "audit"}
		s := sandbox(t, pinfold.Options{Limiter: l, Admission: admission})
		program(t, s, "1")
		if n := l.Stats().AdmittedRuns; n != 1 {
			t.Errorf("%d slots", n)
		}
		slot, err := l.Acquire(t.Context(), admission)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Compile("test", "1"); err != nil {
			t.Errorf("from the cache: %v", err)
		}
		_, err = s.Compile("test", "2")
		var busy *limiter.BusyError
		if !errors.Is(err, pinfold.ErrBusy) || !errors.As(err, &busy) || busy.Cap != limiter.CapOwner || busy.Who != "audit" || busy.Class != limiter.Hook {
			t.Errorf("%v", err)
		}
		// The context may say for whom.
		if _, err := s.CompileContext(as(t.Context(), "root"), "test", "2"); err != nil {
			t.Error(err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.CompileContext(ended, "test", "3"); !errors.Is(err, pinfold.ErrCancelled) {
			t.Error(err)
		}
		slot.Release()
		if _, err := s.Compile("test", "2 +"); !errors.Is(err, pinfold.ErrSyntax) {
			t.Error(err)
		}
		if o := s.Eval(t.Context(), "test", "2 +", nil); !errors.Is(o.Err(), pinfold.ErrSyntax) {
			t.Error(o.Err())
		}
		idle(t, l, "at the end")
	})
	if _, err := pinfold.New(pinfold.Options{Admission: limiter.Request{Owner: "x"}}); err == nil {
		t.Error("Admission without a Limiter is taken")
	}
}

// A run that a host function starts counts for the same caller.
func TestNestedRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{})
		var s *pinfold.Sandbox
		nest := func(ctx context.Context, depth int) (string, error) {
			if r, ok := limiter.From(ctx); !ok || r.Caller.Root() != "root" {
				t.Errorf("the host function is called for %+v", r)
			}
			o := s.Eval(ctx, "test", "await nest(input)", depth+1)
			return fmt.Sprint(depth, " ", o.Value), o.Err()
		}
		s = sandbox(t, pinfold.Options{Limiter: l, Limits: pinfold.Limits{Timeout: time.Minute}, Admission: limiter.Request{Caller: limiter.NewCaller("root")},
			Functions: []pinfold.Function{{Name: "nest", Async: true, Cancel: pinfold.Cooperative, Func: nest}}})
		begin := time.Now()
		o := s.Eval(t.Context(), "test", "try { return await nest(input) } catch (e) { return e.message }", 1)
		if d := time.Since(begin); d != 10*time.Second || o.Failure != nil || l.Stats().AdmittedRuns != 3 {
			t.Errorf("after %v: %s, %v; %d slots", d, o.Value, o.Failure, l.Stats().AdmittedRuns)
		}
		idle(t, l, "at the end")
	})
}

// On every way out a run gives its slot and its bytes back, and nothing is
// abandoned.
func TestSlotsComeBack(t *testing.T) {
	for _, way := range waysOut {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(t, limiter.Config{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			wait := func(ctx context.Context) { <-ctx.Done() }
			s := sandbox(t, pinfold.Options{Limits: way.limits, Limiter: l, Functions: []pinfold.Function{
				{Name: "act", Async: true, Cancel: pinfold.Cooperative, Func: wait},
				{Name: "pause", Async: true, Cancel: pinfold.Cooperative, Func: func() {
					if s := l.Stats(); s.ActiveRuns != 1 || s.ChargedBytes <= 0 {
						t.Errorf("%s: while it runs: %+v", way.name, s)
					}
					time.Sleep(time.Second)
				}},
				{Name: "never", Async: true, Cancel: pinfold.Cooperative, Func: wait},
				{Name: "boomLater", Async: true, Cancel: pinfold.Cooperative, Func: func() { panic("boom") }},
				{Name: "boom", Func: func() { panic("boom") }},
				{Name: "cancel", Func: func() { cancel() }},
				{Name: "noop", Func: func() {}},
				{Name: "exit", Func: func() { runtime.Goexit() }},
			}})
			o := s.Eval(ctx, "test", way.source, nil)
			if (o.Failure == nil) != (way.want == "") || o.Failure != nil && o.Failure.Kind != way.want {
				t.Errorf("%s: %v", way.name, o.Failure)
			}
			idle(t, l, way.name)
			done := make(chan struct{})
			go func() {
				defer close(done)
				s.Eval(t.Context(), "test", "exit()", nil)
			}()
			<-done
			idle(t, l, "after a goroutine was ended")
			for _, source := range []string{"1 +", "import 'nothing'", "(((((("} {
				s.Eval(t.Context(), "test", source, nil)
				idle(t, l, source)
			}
		})
	}
}

// An atomic function that goes on past the grace keeps the slot of its run.
func TestAtomicKeepsTheSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, limiter.Config{})
		s := sandbox(t, pinfold.Options{Limiter: l, Limits: pinfold.Limits{AtomicGrace: 2 * time.Second}, Functions: []pinfold.Function{
			{Name: "pay", Async: true, Cancel: pinfold.Atomic, Func: func(seconds int) { time.Sleep(time.Duration(seconds) * time.Second) }},
		}})
		begin := time.Now()
		o := s.Eval(t.Context(), "test", "pay(1); pay(5); pay(9); return 1", nil)
		if d := time.Since(begin); d != 2*time.Second || o.Value.String() != "1" || o.Usage.Stragglers != 2 || len(o.Notes) != 2 ||
			o.Notes[0] != "the atomic host function pay was still at work 2s after the run had ended; the run's slot stays held until it returns" {
			t.Errorf("after %v: %s, %v, notes %q", d, o.Value, o.Failure, o.Notes)
		}
		for _, want := range []struct {
			at   time.Duration
			runs int
		}{{3 * time.Second, 1}, {6 * time.Second, 1}, {10 * time.Second, 0}} {
			time.Sleep(want.at - time.Since(begin))
			if st := l.Stats(); st.ActiveRuns != want.runs || st.ChargedBytes != 0 || st.AbandonedRuns != 0 {
				t.Errorf("after %v: %+v", want.at, st)
			}
		}
		if o := s.Eval(t.Context(), "test", "await pay(1); return 2", nil); o.Value.String() != "2" || o.Usage.Stragglers != 0 {
			t.Errorf("%s, %v", o.Value, o.Failure)
		}
		idle(t, l, "at the end")
	})
}

// Runs share their bytes: the one that would pass the budget ends as busy,
// which no program can catch, and the others go on.
func TestBytesOfAllRuns(t *testing.T) {
	for _, tier := range []pinfold.Isolation{pinfold.InProcess, pinfold.Process} {
		t.Run(tier.String(), func(t *testing.T) { bytesOfAllRuns(t, tier) })
	}
}

func bytesOfAllRuns(t *testing.T, tier pinfold.Isolation) {
	const total = 24 << 20
	l := newLimiter(t, limiter.Config{MaxTotalBytes: total})
	full, release := make(chan struct{}), make(chan struct{})
	escaped := 0
	opt := pinfold.Options{Limiter: l, Workers: pinfold.Workers{Max: 2}, Functions: []pinfold.Function{
		{Name: "wait", Func: func() { close(full); <-release }},
		{Name: "noop", Func: func() {}},
		{Name: "escaped", Func: func() { escaped++ }},
	}}
	s := tiered(t, tier, opt)
	var wg sync.WaitGroup
	wg.Go(func() {
		o := s.Eval(as(context.Background(), "big"), "test", "const a = new Uint8Array(18 << 20).fill(7); wait(); return a.at(-1)", nil)
		if o.Value.String() != "7" {
			t.Errorf("the one that holds much: %v", o.Failure)
		}
	})
	<-full
	if n := l.ChargedBytes(); n < 18<<20 || n > total {
		t.Errorf("%d bytes are charged", n)
	}
	for _, trap := range traps {
		o := s.Eval(as(context.Background(), "small"), "test", "let times = 0; function hit() { if (times++ > 0) escaped(); const a = []; for (;;) a.push([1, 2, 3, 4]) }\n"+trap.source, nil)
		var busy *limiter.BusyError
		if !errors.Is(o.Err(), pinfold.ErrBusy) || !errors.As(o.Err(), &busy) || busy.Cap != limiter.CapBytes || busy.Limit != total || busy.Who != "small" || escaped > 0 {
			t.Errorf("%s: %v, escaped %d times", trap.name, o.Failure, escaped)
		}
	}
	if o := s.Eval(context.Background(), "test", "new Uint8Array(10 << 20).length", nil); !errors.Is(o.Err(), pinfold.ErrBusy) || !strings.Contains(o.Failure.Hint, "MaxTotalBytes") {
		t.Errorf("a large block: %v", o.Failure)
	}
	close(release)
	wg.Wait()
	if o := s.Eval(context.Background(), "test", "new Uint8Array(10 << 20).length", nil); o.Value.String() != "10485760" {
		t.Errorf("afterwards: %v", o.Failure)
	}
	idle(t, l, "at the end")
}

// What a run uses is the same with a limiter as without.
func TestLimiterChangesNoRun(t *testing.T) {
	source := "const a = []; for (let i = 0; i < 20000; i++) { a.push({ i, s: 'x' + i }); if (i % 5000 == 0) a.length = 0 } return [a.length, a.map((x) => x.s).join().length]"
	without := eval(t, pinfold.Options{}, source, nil)
	with := eval(t, pinfold.Options{Limiter: newLimiter(t, limiter.Config{})}, source, nil)
	a, b := without.Usage, with.Usage
	if without.Failure != nil || with.Value.String() != without.Value.String() || a.Fuel != b.Fuel || a.PeakBytes != b.PeakBytes || a.AllocatedBytes != b.AllocatedBytes {
		t.Errorf("%s, %+v\n%s, %+v", without.Value, a, with.Value, b)
	}
}

// Many runs of many callers through one limiter: all end with their value, and
// no cap is passed.
func TestFloodOfRuns(t *testing.T) {
	const runs, callers = 2000, 64
	l := newLimiter(t, limiter.Config{MaxWait: time.Hour})
	var all atomic.Int64
	var each [callers]atomic.Int64
	s := sandbox(t, pinfold.Options{Limiter: l, Functions: []pinfold.Function{
		{Name: "enter", Func: func(who int) error {
			if n, k := all.Add(1), each[who].Add(1); n > 6 || k > 3 {
				return fmt.Errorf("%d runs at once, %d of caller %d", n, k, who)
			}
			return nil
		}},
		{Name: "leave", Func: func(who int) { all.Add(-1); each[who].Add(-1) }},
	}})
	p := program(t, s, "enter(input); const a = Array.from({ length: 100 }, (_, i) => ({ i })); leave(input); return a.length")
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() {
			if o := s.Run(as(context.Background(), fmt.Sprint(i%callers)), p, i%callers); o.Value.String() != "100" {
				t.Error(o.Failure)
			}
		})
	}
	wg.Wait()
	if n := l.Stats().AdmittedRuns; n != runs+1 { // one to compile
		t.Errorf("%d were admitted", n)
	}
	idle(t, l, "at the end")
}

func BenchmarkRunWithLimiter(b *testing.B) {
	l := newLimiter(b, limiter.Config{})
	s := sandbox(b, pinfold.Options{Limiter: l})
	p := program(b, s, "1")
	b.ReportAllocs()
	for b.Loop() {
		s.Run(context.Background(), p, nil)
	}
}
