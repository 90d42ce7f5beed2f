package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pinfold-js/pinfold"
)

// waysOut are programs that end in each way there is. They call act first,
// without awaiting it.
var waysOut = []struct {
	name, source string
	limits       pinfold.Limits
	want         pinfold.Kind // "" is a value
}{
	{"return", "act(); return 1", pinfold.Limits{}, ""},
	{"return after the call has begun", "act(); await pause(); return 1", pinfold.Limits{}, ""},
	{"throw", "act(); await pause(); throw new Error('x')", pinfold.Limits{}, pinfold.ErrScript},
	{"reject", "act(); await pause(); await Promise.reject(1)", pinfold.Limits{}, pinfold.ErrScript},
	{"unhandled rejection", "act(); await pause(); Promise.reject(1); return 1", pinfold.Limits{}, pinfold.ErrScript},
	{"module", "act(); await pause(); export default 1", pinfold.Limits{}, ""},
	{"fuel", "act(); await pause(); for (;;);", pinfold.Limits{Fuel: 100_000}, pinfold.ErrFuel},
	{"memory", "act(); await pause(); const a = []; for (;;) a.push({})", pinfold.Limits{MemoryBytes: 2 << 20}, pinfold.ErrMemory},
	{"time", "act(); await never()", pinfold.Limits{Timeout: time.Minute}, pinfold.ErrTime},
	{"stack", "act(); await pause(); (function f() { f() })()", pinfold.Limits{}, pinfold.ErrStack},
	{"output", "act(); await pause(); for (;;) console.log(1)", pinfold.Limits{OutputLines: 10}, pinfold.ErrOutput},
	{"source of eval", "act(); await pause(); eval(' '.repeat(1000))", pinfold.Limits{SourceBytes: 500}, pinfold.ErrScript},
	{"result", "act(); await pause(); return 'x'.repeat(1000)", pinfold.Limits{ResultBytes: 100}, pinfold.ErrResult},
	{"a function as result", "act(); await pause(); return () => 1", pinfold.Limits{}, pinfold.ErrResult},
	{"host calls", "act(); await pause(); for (;;) noop()", pinfold.Limits{HostCalls: 50}, pinfold.ErrHostCalls},
	{"cancel", "act(); await pause(); cancel(); for (;;);", pinfold.Limits{}, pinfold.ErrCancelled},
	{"cancel while waiting", "act(); await pause(); cancel(); await never()", pinfold.Limits{}, pinfold.ErrCancelled},
	{"panic", "act(); await pause(); boom()", pinfold.Limits{}, pinfold.ErrInternal},
	{"asynchronous panic", "act(); await pause(); await boomLater()", pinfold.Limits{}, pinfold.ErrInternal},
}

// fakeChild ends what waits for it when it is stopped, or only when it is killed.
type fakeChild struct {
	stubborn        bool
	stopped, killed atomic.Int32
	over            chan struct{}
}

func newFakeChild(stubborn bool) *fakeChild {
	return &fakeChild{stubborn: stubborn, over: make(chan struct{})}
}

func (c *fakeChild) Stop() error {
	if c.stopped.Add(1) == 1 && !c.stubborn {
		close(c.over)
	}
	return nil
}

func (c *fakeChild) Kill() error {
	if c.killed.Add(1) == 1 && (c.stubborn || c.stopped.Load() == 0) {
		close(c.over)
	}
	return nil
}

// On every way out, for each class of function: the call that is at work ends
// as its class says, Run returns after it, nothing acts afterwards, and what
// calls for the run then fails.
func TestEveryWayOut(t *testing.T) {
	type state struct {
		calls, returned, sawEnd atomic.Int32
		child                   *fakeChild
	}
	acts := []struct {
		class pinfold.Cancellation
		act   func(s *state) any
		check func(t *testing.T, s *state, way string, o *pinfold.Outcome, after time.Duration)
	}{
		{pinfold.Cooperative, func(s *state) any {
			return func(ctx context.Context) error {
				s.calls.Add(1)
				defer s.returned.Add(1)
				<-ctx.Done()
				if cause := context.Cause(ctx); cause == pinfold.ErrEnded && cause.Error() == "the run has ended" ||
					errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, context.Canceled) {
					s.sawEnd.Add(1)
				}
				return ctx.Err()
			}
		}, func(t *testing.T, s *state, way string, o *pinfold.Outcome, after time.Duration) {
			if s.sawEnd.Load() != s.calls.Load() {
				t.Errorf("%s: the context didn't end", way)
			}
			if after > time.Millisecond {
				t.Errorf("%s: closing took %v", way, after)
			}
		}},
		{pinfold.Killable, func(s *state) any {
			return func(ctx context.Context) error {
				s.calls.Add(1)
				defer s.returned.Add(1)
				forget, err := pinfold.RegisterChild(ctx, s.child)
				if err != nil {
					s.sawEnd.Add(1)
					return err
				}
				defer forget()
				<-s.child.over
				s.sawEnd.Add(1)
				return errors.New("signal: terminated")
			}
		}, func(t *testing.T, s *state, way string, o *pinfold.Outcome, after time.Duration) {
			if s.calls.Load() > 0 && s.child.stopped.Load()+s.child.killed.Load() != 1 {
				t.Errorf("%s: stopped %d times, killed %d times", way, s.child.stopped.Load(), s.child.killed.Load())
			}
			if after > time.Millisecond {
				t.Errorf("%s: closing took %v", way, after)
			}
		}},
		{pinfold.Atomic, func(s *state) any {
			return func(ctx context.Context) error {
				s.calls.Add(1)
				defer s.returned.Add(1)
				select {
				case <-ctx.Done():
					s.sawEnd.Add(1)
				case <-time.After(2 * time.Minute): // longer than any of the programs
				}
				return nil
			}
		}, func(t *testing.T, s *state, way string, o *pinfold.Outcome, after time.Duration) {
			if s.sawEnd.Load() != 0 {
				t.Errorf("%s: the context of an atomic function ended", way)
			}
			if after < time.Minute {
				t.Errorf("%s: closing took %v", way, after)
			}
		}},
	}
	for _, a := range acts {
		for _, way := range waysOut {
			t.Run(a.class.String()+"/"+way.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &state{child: newFakeChild(false)}
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					limits := way.limits
					limits.AtomicGrace = time.Hour
					sb := sandbox(t, pinfold.Options{Limits: limits, Functions: []pinfold.Function{
						{Name: "act", Async: true, Cancel: a.class, Func: a.act(s)},
						{Name: "pause", Async: true, Cancel: pinfold.Cooperative, Func: func() { time.Sleep(time.Second) }},
						{Name: "never", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { <-ctx.Done() }},
						{Name: "boomLater", Async: true, Cancel: pinfold.Cooperative, Func: func() { panic("boom") }},
						{Name: "boom", Func: func() { panic("boom") }},
						{Name: "cancel", Func: func() { cancel() }},
						{Name: "noop", Func: func() {}},
					}})
					p := program(t, sb, way.source)
					begin := time.Now()
					o, call := sb.RunKeeping(ctx, p)
					took := time.Since(begin)
					if (o.Failure == nil) != (way.want == "") || o.Failure != nil && o.Failure.Kind != way.want {
						t.Fatalf("got %v", o.Failure)
					}
					calls, returned := s.calls.Load(), s.returned.Load()
					if calls != returned || strings.Contains(way.source, "await") && calls != 1 || o.Usage.Stragglers != 0 || len(o.Notes) > 0 {
						t.Errorf("called %d times, returned %d times, notes %q", calls, returned, o.Notes)
					}
					ran := time.Duration(0)
					switch {
					case way.want == pinfold.ErrTime:
						ran = time.Minute
					case strings.Contains(way.source, "pause"):
						ran = time.Second
					}
					if calls > 0 {
						a.check(t, s, way.name, o, took-ran)
					}
					for _, name := range []string{"noop", "act"} {
						if err := call(name); err == nil || err.Error() != "the run has ended" || !errors.Is(err, pinfold.ErrEnded) {
							t.Errorf("%s after the end: %v", name, err)
						}
					}
					time.Sleep(24 * time.Hour)
					if s.calls.Load() != calls || s.returned.Load() != returned || sb.Stragglers() != (pinfold.Stragglers{}) {
						t.Errorf("something acts after the end: %+v", sb.Stragglers())
					}
				})
			})
		}
	}
}

// A cooperative function that ignores its context is waited for a second, then
// counted until it returns. Too many of them keep the function from being called.
func TestStragglers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
			{Name: "deaf", Async: true, Cancel: pinfold.Cooperative, Func: func(int) { time.Sleep(time.Hour) }},
			{Name: "other", Async: true, Cancel: pinfold.Cooperative, Func: func() int { return 7 }},
		}})
		begin := time.Now()
		o := s.Eval(t.Context(), "test", "for (let i = 0; i < 5; i++) deaf(i); return 1", nil)
		if d := time.Since(begin); d != time.Second || o.Failure != nil || o.Usage.Stragglers != 5 || len(o.Notes) != 5 ||
			o.Notes[0] != "the cooperative host function deaf was still at work 1s after the run had ended" {
			t.Errorf("after %v: %v, %d stragglers, notes %q", d, o.Failure, o.Usage.Stragglers, o.Notes)
		}
		if got := s.Stragglers(); got != (pinfold.Stragglers{Running: 5, Total: 5}) {
			t.Errorf("%+v", got)
		}
		s.Eval(t.Context(), "test", "for (let i = 0; i < 3; i++) deaf(i); throw 1", nil)
		const source = "try { await deaf(1); return 'called' } catch (e) { return [e.code, e.message, await other()] }"
		o = s.Eval(t.Context(), "test", source, nil)
		if want := `["E_BUSY","deaf can't be called now: 8 of its calls by ended runs have not returned",7]`; o.Value.String() != want || o.Usage.Stragglers != 0 {
			t.Errorf("%s, %v", o.Value, o.Failure)
		}
		time.Sleep(2 * time.Hour)
		if got := s.Stragglers(); got != (pinfold.Stragglers{Total: 8}) {
			t.Errorf("%+v", got)
		}
		if o = s.Eval(t.Context(), "test", source, nil); !errors.Is(o.Err(), pinfold.ErrTime) || o.Usage.Stragglers != 1 {
			t.Errorf("%s, %v", o.Value, o.Failure)
		}
		time.Sleep(2 * time.Hour)
	})
}

// A call whose goroutine comes to run when the run is closed already is not made.
func TestClosedBeforeTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
			{Name: "cooperative", Async: true, Cancel: pinfold.Cooperative, Func: func() { calls++ }},
			{Name: "atomic", Async: true, Cancel: pinfold.Atomic, Func: func() { calls++ }},
		}})
		for name, wait := range map[string]time.Duration{"cooperative": time.Second, "atomic": 30 * time.Second} {
			begin := time.Now()
			if notes := s.CloseBeforeCall(name); len(notes) > 0 || calls > 0 || time.Since(begin) != wait || s.Stragglers() != (pinfold.Stragglers{}) {
				t.Errorf("%s: %d calls after %v, notes %q, %+v", name, calls, time.Since(begin), notes, s.Stragglers())
			}
		}
	})
}

// Stragglers that panic or end their goroutine are counted like others, and
// harm nobody.
func TestStragglersThatPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
			{Name: "bomb", Async: true, Cancel: pinfold.Atomic, Func: func() { time.Sleep(time.Hour); panic("late") }},
		}})
		if o := s.Eval(t.Context(), "test", "bomb(); return 1", nil); o.Value.String() != "1" || o.Usage.Stragglers != 1 || o.Usage.Wall < 30*time.Second {
			t.Errorf("%s, %v, %+v", o.Value, o.Failure, o.Usage)
		}
		time.Sleep(2 * time.Hour)
		if got := s.Stragglers(); got != (pinfold.Stragglers{Total: 1}) {
			t.Errorf("%+v", got)
		}
	})
}

// What a killable function works with is stopped, and killed when that doesn't
// help.
func TestKillable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var child pinfold.Child
		var wait func(ctx context.Context)
		var registered error
		s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
			{Name: "work", Async: true, Cancel: pinfold.Killable, Func: func(ctx context.Context) error {
				if child == nil {
					wait(ctx)
					return nil
				}
				forget, err := pinfold.RegisterChild(ctx, child)
				if registered = err; err != nil {
					return err
				}
				wait(ctx)
				forget()
				return nil
			}},
			{Name: "late", Async: true, Cancel: pinfold.Killable, Func: func(ctx context.Context) error {
				<-ctx.Done()
				_, registered = pinfold.RegisterChild(ctx, child)
				return registered
			}},
			{Name: "pause", Async: true, Cancel: pinfold.Cooperative, Func: func() { time.Sleep(time.Second) }},
		}})
		run := func(source string) (*pinfold.Outcome, time.Duration) {
			t.Helper()
			begin := time.Now()
			o := s.Eval(t.Context(), "test", source, nil)
			return o, time.Since(begin)
		}

		c := newFakeChild(true)
		child, wait = c, func(context.Context) { <-c.over }
		if o, d := run("work(); await pause(); return 1"); d != 2*time.Second || o.Value.String() != "1" || c.stopped.Load() != 1 || c.killed.Load() != 1 || o.Usage.Stragglers != 0 {
			t.Errorf("stubborn: after %v: %s, stopped %d times, killed %d times, %q", d, o.Value, c.stopped.Load(), c.killed.Load(), o.Notes)
		}

		c = newFakeChild(false)
		child, wait = c, func(ctx context.Context) { <-ctx.Done(); time.Sleep(time.Hour) }
		if o, d := run("work(); await pause(); return 1"); d != 2100*time.Millisecond || o.Usage.Stragglers != 1 || c.killed.Load() != 1 ||
			fmt.Sprint(o.Notes) != "[the killable host function work was still at work 1.1s after the run had ended]" {
			t.Errorf("a function that doesn't return: after %v: %d killed, %q", d, c.killed.Load(), o.Notes)
		}
		time.Sleep(2 * time.Hour)

		// One whose child has ended before leaves nothing to stop.
		c = newFakeChild(false)
		child, wait = c, func(context.Context) {}
		if o, d := run("await work(); await pause(); return 1"); d != time.Second || o.Value.String() != "1" || c.stopped.Load()+c.killed.Load() != 0 {
			t.Errorf("ended before: after %v: %s, %d stopped", d, o.Value, c.stopped.Load())
		}

		// Registered after the end: killed at once.
		c = newFakeChild(false)
		child = c
		if o, d := run("late(); await pause(); return 1"); d != time.Second || o.Value.String() != "1" || c.killed.Load() != 1 || registered != pinfold.ErrEnded {
			t.Errorf("late: after %v: %s, %d killed, %v", d, o.Value, c.killed.Load(), registered)
		}

		// Nothing registered: as if it were cooperative, and noted.
		child, wait = nil, func(ctx context.Context) { <-ctx.Done() }
		if o, d := run("work(); await pause(); return 1"); d != time.Second || fmt.Sprint(o.Notes) != "[the killable host function work had registered nothing that could be killed]" || s.Stragglers().Unregistered != 1 {
			t.Errorf("careless: after %v: %q, %+v", d, o.Notes, s.Stragglers())
		}

		// Stop and Kill that block or panic hold nothing up for longer than the
		// run waits anyway.
		release := make(chan struct{})
		child, wait = blockingChild{release}, func(ctx context.Context) { <-ctx.Done() }
		if o, d := run("work(); await pause(); return 1"); d != 2*time.Second || o.Value.String() != "1" {
			t.Errorf("blocking: after %v: %s", d, o.Value)
		}
		close(release)
		child = panickingChild{}
		if o, d := run("work(); await pause(); return 1"); d != time.Second || o.Value.String() != "1" {
			t.Errorf("panicking: after %v: %s", d, o.Value)
		}
		if _, err := pinfold.RegisterChild(t.Context(), child); err == nil {
			t.Error("any context takes children")
		}
	})
}

type blockingChild struct{ release chan struct{} }

func (c blockingChild) Stop() error { <-c.release; return nil }
func (c blockingChild) Kill() error { <-c.release; return nil }

type panickingChild struct{}

func (panickingChild) Stop() error { panic("stop") }
func (panickingChild) Kill() error { panic("kill") }

// No more asynchronous calls are at work than ConcurrentHostCalls; the others
// begin in order, and not at all once the run has ended.
func TestConcurrentHostCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most, begun atomic.Int32
		var order []int
		var next atomic.Int32
		s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{ConcurrentHostCalls: 3, Timeout: time.Hour}, Functions: []pinfold.Function{
			{Name: "work", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, i int) (int, error) {
				begun.Add(1)
				n := now.Add(1)
				defer now.Add(-1)
				for {
					old := most.Load()
					if n <= old || most.CompareAndSwap(old, n) {
						break
					}
				}
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
				}
				return i * i, ctx.Err()
			}},
			{Name: "single", Async: true, Cancel: pinfold.Cooperative, Func: func(i int) {
				time.Sleep(time.Duration(1+i%3) * time.Second)
				_ = next.Add(1)
			}},
			{Name: "seen", Func: func(i int) { order = append(order, i) }},
		}})
		begin := time.Now()
		o := s.Eval(t.Context(), "test", "const all = await Promise.all(Array.from({ length: 20 }, (_, i) => work(i))); return all.join()", nil)
		if d := time.Since(begin); o.Value.String() != `"0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289,324,361"` || most.Load() != 3 || d != 7*time.Second {
			t.Errorf("%s, %v; %d at once, %v", o.Value, o.Failure, most.Load(), d)
		}
		o = s.Eval(t.Context(), "test", "await Promise.all(Array.from({ length: 9 }, async (_, i) => { await single(i); seen(i) }))", nil)
		if o.Failure != nil || next.Load() != 9 || len(order) != 9 {
			t.Errorf("%v, %v", o.Failure, order)
		}
		begun.Store(0)
		o = s.Eval(t.Context(), "test", "for (let i = 0; i < 20; i++) work(i); return 1", nil)
		if o.Value.String() != "1" || begun.Load() != 3 || now.Load() != 0 {
			t.Errorf("%s, %v; %d begun, %d at work", o.Value, o.Failure, begun.Load(), now.Load())
		}
	})
}

// What a class of cancellation is for is checked when the sandbox is made.
func TestCancellationIsDeclared(t *testing.T) {
	none, ctx := func() {}, func(context.Context) {}
	for _, tt := range []struct {
		f    pinfold.Function
		want string
	}{
		{pinfold.Function{Name: "f", Func: none}, ""},
		{pinfold.Function{Name: "f", Func: none, Async: true}, "set Cancel to Cooperative, Killable or Atomic"},
		{pinfold.Function{Name: "f", Func: none, Async: true, Cancel: pinfold.Cooperative}, ""},
		{pinfold.Function{Name: "f", Func: none, Async: true, Cancel: pinfold.Atomic}, ""},
		{pinfold.Function{Name: "f", Func: none, Async: true, Cancel: pinfold.Killable}, "no parameter of type context.Context"},
		{pinfold.Function{Name: "f", Func: ctx, Async: true, Cancel: pinfold.Killable}, ""},
		{pinfold.Function{Name: "f", Func: ctx, Cancel: pinfold.Atomic}, "Cancel is for asynchronous functions"},
		{pinfold.Function{Name: "f", Func: ctx, Async: true, Cancel: 9}, "there is no cancellation class 9"},
	} {
		_, err := pinfold.New(pinfold.Options{Functions: []pinfold.Function{tt.f}})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.f.Cancel, err, tt.want)
		}
	}
	if s := fmt.Sprint(pinfold.Killable, pinfold.Cooperative, pinfold.Atomic, pinfold.Cancellation(0)); s != "killable cooperative atomic Cancellation(0)" {
		t.Error(s)
	}
}
