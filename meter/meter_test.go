package meter_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/meter"
	"pgregory.net/rapid"
)

func TestFuelIsExact(t *testing.T) {
	for _, limit := range []int64{1, 7, 19_999, 20_000, 20_001, 1_000_000} {
		for _, step := range []int64{1, 3, 1000, 19_999, 20_001, 70_000} {
			m := meter.New(nil, meter.Limits{Fuel: limit})
			used := int64(0)
			for used+step <= limit {
				if err := m.Charge(step); err != nil {
					t.Fatalf("limit %d, step %d: %v after %d", limit, step, err, used)
				}
				used += step
				if got := m.Usage().Fuel; got != used {
					t.Fatalf("limit %d, step %d: used %d, says %d", limit, step, used, got)
				}
			}
			if rest := limit - used; rest > 0 {
				if err := m.Charge(rest); err != nil {
					t.Errorf("limit %d, step %d: the last %d: %v", limit, step, rest, err)
				}
			}
			if got := m.Usage().Fuel; got != limit {
				t.Errorf("limit %d, step %d: says %d", limit, step, got)
			}
			err := m.Charge(1)
			var l *meter.LimitError
			if !errors.As(err, &l) || l.Kind != meter.Fuel || l.Limit != limit || l.Used != limit+1 {
				t.Errorf("limit %d, step %d: %v", limit, step, err)
			}
		}
	}
}

// Kicks, looks at the clock and direct use of the slice change nothing about
// the fuel.
func TestFuelProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(1, 200_000).Draw(t, "limit")
		m := meter.New(nil, meter.Limits{Fuel: limit})
		slice := m.Slice()
		used := int64(0)
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				m.Kick()
			case 1:
				m.Unkick()
			case 2:
				if err := m.Poll(); err != nil {
					t.Fatal(err)
				}
			case 3: // as the interpreter does
				n := rapid.Int64Range(0, 300).Draw(t, "n")
				var err error
				if *slice -= n; *slice < 0 {
					err = m.Refill()
				}
				used += n
				check(t, m, err, used, limit)
			default:
				n := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, 30_000)).Draw(t, "n")
				used += n
				check(t, m, m.Charge(n), used, limit)
			}
			if used > limit {
				return
			}
		}
	})
}

func check(t *rapid.T, m *meter.Meter, err error, used, limit int64) {
	if used <= limit {
		if err != nil {
			t.Fatalf("%v at %d of %d", err, used, limit)
		}
		if got := m.Usage().Fuel; got != used {
			t.Fatalf("used %d, says %d", used, got)
		}
		return
	}
	if err == nil {
		t.Fatalf("no error at %d of %d", used, limit)
	}
	if got := m.Usage().Fuel; got != used {
		t.Fatalf("used %d, says %d", used, got)
	}
	for range 3 {
		if again := m.Charge(1); again != err {
			t.Fatalf("then %v, not %v", again, err)
		}
	}
}

func TestErrorsStick(t *testing.T) {
	fail := map[string]struct {
		lim  meter.Limits
		do   func(m *meter.Meter) error
		kind meter.Kind
	}{
		"fuel":      {meter.Limits{Fuel: 10}, func(m *meter.Meter) error { return m.Charge(11) }, meter.Fuel},
		"bulk fuel": {meter.Limits{Fuel: 10}, func(m *meter.Meter) error { return m.Charge(1 << 50) }, meter.Fuel},
		"live":      {meter.Limits{LiveBytes: 10}, func(m *meter.Meter) error { return m.Grow(11) }, meter.Memory},
		"requested": {meter.Limits{RequestedBytes: 10}, func(m *meter.Meter) error { return m.Grow(11) }, meter.Memory},
		"again":     {meter.Limits{RequestedBytes: 10}, func(m *meter.Meter) error { return m.Request(11) }, meter.Memory},
		"depth":     {meter.Limits{Depth: 1}, func(m *meter.Meter) error { return errors.Join(m.Enter(), m.Enter()) }, meter.Stack},
		"native":    {meter.Limits{NativeDepth: 1}, func(m *meter.Meter) error { return errors.Join(m.EnterNative(), m.EnterNative()) }, meter.Stack},
		"time": {meter.Limits{Timeout: time.Nanosecond}, func(m *meter.Meter) error {
			time.Sleep(time.Millisecond)
			return m.Poll()
		}, meter.Time},
		"stop": {meter.Limits{}, func(m *meter.Meter) error {
			m.Stop(&meter.LimitError{Kind: meter.Output})
			m.Stop(&meter.LimitError{Kind: meter.Result})
			return m.Poll()
		}, meter.Output},
	}
	for name, f := range fail {
		m := meter.New(nil, f.lim)
		err := f.do(m)
		if err == nil || !meter.IsLimit(err) || !errors.Is(err, &meter.LimitError{Kind: f.kind}) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		first := m.Err()
		if first == nil {
			t.Errorf("%s: the error doesn't stick", name)
		}
		later := map[string]error{
			"Charge": m.Charge(1), "Refill": m.Refill(), "Poll": m.Poll(), "Grow": m.Grow(1 << 40),
			"Fail": m.Fail(&meter.LimitError{Kind: meter.HostCalls}),
		}
		for what, err := range later {
			if err != first {
				t.Errorf("%s: then %s gives %v", name, what, err)
			}
		}
		if u := m.Usage(); u.Fuel < 0 || u.PeakBytes < 0 {
			t.Errorf("%s: usage %+v", name, u)
		}
	}
}

func TestUnlimited(t *testing.T) {
	m := meter.New(nil, meter.Limits{})
	for range 1000 {
		if err := errors.Join(m.Charge(1<<40), m.Grow(1<<40), m.Enter(), m.EnterNative(), m.Poll()); err != nil {
			t.Fatal(err)
		}
	}
	if u := m.Usage(); u.Fuel != 1000<<40 || u.LiveBytes != 1000<<40 {
		t.Errorf("%+v", u)
	}
}

func TestMemory(t *testing.T) {
	m := meter.New(nil, meter.Limits{LiveBytes: 100, RequestedBytes: 1000})
	for i := range 10 {
		if err := m.Grow(100); err != nil {
			t.Fatal(i, err)
		}
		if m.Headroom() != 0 || m.Live() != 100 {
			t.Errorf("live %d, headroom %d", m.Live(), m.Headroom())
		}
		m.Shrink(100)
	}
	var l *meter.LimitError
	if err := m.Grow(1); !errors.As(err, &l) || l.Kind != meter.Memory || l.What != "total allocation" || l.Limit != 1000 {
		t.Error(err)
	}
	if u := m.Usage(); u.PeakBytes != 100 || u.Requested < 1000 {
		t.Errorf("%+v", u)
	}
	m = meter.New(nil, meter.Limits{LiveBytes: 100})
	if err := m.Grow(60); err != nil {
		t.Error(err)
	}
	err := m.Grow(41)
	if !errors.As(err, &l) || l.What != "live memory" || l.Limit != 100 || l.Used != 101 {
		t.Error(err)
	}
	if m.Live() != 60 {
		t.Errorf("what failed is live: %d", m.Live())
	}
	m = meter.New(nil, meter.Limits{LiveBytes: 100})
	if err := m.Grow(math.MaxInt64); !errors.As(err, &l) {
		t.Error("an enormous request passes:", err)
	}
	m = meter.New(nil, meter.Limits{LiveBytes: 100})
	if err := errors.Join(m.Grow(50), m.Grow(math.MaxInt64)); !errors.As(err, &l) {
		t.Error("an enormous request passes where the sum overflows:", err)
	}
}

// Memory given back is Go's garbage: the meter doesn't let it pile up.
func TestReclaim(t *testing.T) {
	const limit = 32 << 20
	m := meter.New(nil, meter.Limits{LiveBytes: limit})
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	worst := uint64(0)
	for i := range 200 {
		if err := m.Grow(limit / 4); err != nil {
			t.Fatal(err)
		}
		block := make([]byte, limit/4)
		block[i] = 1
		m.Shrink(limit / 4)
		runtime.ReadMemStats(&after)
		worst = max(worst, after.HeapAlloc-min(after.HeapAlloc, before.HeapAlloc))
	}
	if worst > limit*5/4 {
		t.Errorf("%d bytes at once of %d alive, limit %d", worst, limit/4, limit)
	}
}

func TestDepth(t *testing.T) {
	m := meter.New(nil, meter.Limits{Depth: 3, NativeDepth: 2})
	for range 5 {
		for range 3 {
			if err := m.Enter(); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := m.EnterNative(); err != nil {
				t.Fatal(err)
			}
		}
		if s, n := m.Depth(); s != 3 || n != 2 {
			t.Errorf("depth %d, %d", s, n)
		}
		m.Leave()
		m.LeaveNative()
		m.SetDepth(0, 0)
	}
	m.SetDepth(3, 0)
	var l *meter.LimitError
	if err := m.Enter(); !errors.As(err, &l) || l.Kind != meter.Stack || l.What != "call depth" || l.Limit != 3 || l.Used != 4 {
		t.Error(err)
	}
	m.Reset(nil, meter.Limits{Depth: 3, NativeDepth: 2})
	m.SetDepth(0, 2)
	if err := m.EnterNative(); !errors.As(err, &l) || l.What != "native nesting" {
		t.Error(err)
	}
}

func TestKick(t *testing.T) {
	m := meter.New(nil, meter.Limits{Fuel: 1000})
	if m.Kicked() {
		t.Error("kicked from the start")
	}
	_ = m.Charge(10)
	before := m.Usage().Fuel
	m.Kick()
	if !m.Kicked() || m.Usage().Fuel != before {
		t.Error("a kick uses fuel")
	}
	if *m.Slice() != 0 {
		t.Error("a kick leaves fuel in the slice:", *m.Slice())
	}
	for range 5 {
		if err := m.Charge(1); err != nil || *m.Slice() != 0 || !m.Kicked() {
			t.Error(err, *m.Slice())
		}
	}
	m.Unkick()
	if err := m.Charge(1); err != nil || *m.Slice() <= 0 {
		t.Error("the slice isn't filled again:", err, *m.Slice())
	}
	if got := m.Usage().Fuel; got != 16 {
		t.Error(got)
	}
}

// The clock is looked at in time however the fuel is charged, kicked or not.
func TestClockIsLookedAt(t *testing.T) {
	for _, step := range []int64{1, 100, 5000, 30_000} {
		for _, kicked := range []bool{false, true} {
			m := meter.New(nil, meter.Limits{})
			if kicked {
				m.Kick()
			}
			_ = m.Charge(1)
			m.Stop(&meter.LimitError{Kind: meter.Cancelled})
			fuel := int64(0)
			for m.Charge(step) == nil {
				if fuel += step; fuel > 200_000 {
					t.Errorf("step %d, kicked %v: not noticed", step, kicked)
					break
				}
			}
			if limit := max(2*20_000, 2*step); fuel > limit {
				t.Errorf("step %d, kicked %v: noticed after %d fuel", step, kicked, fuel)
			}
		}
	}
}

func TestStopFromAnotherGoroutine(t *testing.T) {
	m := meter.New(nil, meter.Limits{})
	var wg sync.WaitGroup
	started := make(chan struct{})
	for i := range 8 {
		wg.Go(func() {
			<-started
			m.Stop(&meter.LimitError{Kind: meter.Output, Used: int64(i)})
		})
	}
	close(started)
	var err error
	for err == nil {
		err = m.Charge(100)
	}
	wg.Wait()
	if !errors.Is(err, &meter.LimitError{Kind: meter.Output}) {
		t.Error(err)
	}
	if again := m.Charge(1); again != err {
		t.Error("another reason:", again)
	}
}

func TestContexts(t *testing.T) {
	spin := func(m *meter.Meter) error {
		for {
			if err := m.Charge(1000); err != nil {
				return err
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := meter.New(ctx, meter.Limits{})
	time.AfterFunc(2*time.Millisecond, cancel)
	if err := spin(m); !errors.Is(err, context.Canceled) || !errors.Is(err, &meter.LimitError{Kind: meter.Cancelled}) {
		t.Error(err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 2*time.Millisecond)
	defer cancel()
	if err := spin(meter.New(ctx, meter.Limits{})); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := spin(meter.New(context.Background(), meter.Limits{Timeout: 2 * time.Millisecond})); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, &meter.LimitError{Kind: meter.Time}) {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	m = meter.New(ctx, meter.Limits{})
	for m.Poll() == nil {
		runtime.Gosched()
	}
	// A closed meter watches its context no more, and one used again is new.
	ctx, cancel = context.WithCancel(context.Background())
	m = meter.New(ctx, meter.Limits{Fuel: 100})
	m.Close()
	cancel()
	time.Sleep(time.Millisecond)
	if err := m.Poll(); err != nil {
		t.Error(err)
	}
	m.Reset(nil, meter.Limits{Fuel: 7})
	if err := m.Charge(7); err != nil {
		t.Error(err)
	}
	if err := m.Charge(1); err == nil {
		t.Error("no limit after Reset")
	}
	m.Reset(nil, meter.Limits{})
	if m.Err() != nil || m.Usage().Fuel != 0 || m.Live() != 0 {
		t.Errorf("after Reset: %v %+v", m.Err(), m.Usage())
	}
}

func TestDeadline(t *testing.T) {
	if _, ok := meter.New(nil, meter.Limits{}).Deadline(); ok {
		t.Error("a deadline without a timeout")
	}
	at, ok := meter.New(nil, meter.Limits{Timeout: time.Hour}).Deadline()
	if d := time.Until(at); !ok || d > time.Hour || d < 59*time.Minute {
		t.Error(at, ok)
	}
}

func TestErrorText(t *testing.T) {
	for k := meter.Fuel; k <= meter.Cancelled; k++ {
		if s := k.String(); s == "unknown" || strings.ToLower(s) != s {
			t.Errorf("kind %d is called %q", k, s)
		}
		e := &meter.LimitError{Kind: k, What: "x", Limit: 5, Used: 6}
		if s := e.Error(); s == "" || strings.Contains(s, "%!") || strings.Contains(s, "\n") {
			t.Errorf("kind %v: %q", k, s)
		}
		if !errors.Is(fmt.Errorf("run: %w", e), &meter.LimitError{Kind: k}) || errors.Is(e, &meter.LimitError{Kind: k + 1}) {
			t.Errorf("kind %v: errors.Is", k)
		}
		if !meter.IsLimit(fmt.Errorf("run: %w", e)) {
			t.Errorf("kind %v: IsLimit", k)
		}
	}
	if meter.IsLimit(errors.New("x")) || meter.IsLimit(nil) || meter.Kind(99).String() != "unknown" {
		t.Error("what is no limit")
	}
}

func BenchmarkCharge(b *testing.B) {
	m := meter.New(nil, meter.Limits{Fuel: 1 << 60, Timeout: time.Hour})
	for b.Loop() {
		if err := m.Charge(3); err != nil {
			b.Fatal(err)
		}
	}
}
