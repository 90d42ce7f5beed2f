package clock_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSystem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.System()
		begin := c.Now()
		if err := c.Delay(t.Context(), time.Hour); err != nil || c.Now().Sub(begin) != time.Hour {
			t.Errorf("%v after %v", err, c.Now().Sub(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin = c.Now()
		if err := c.Delay(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || c.Now().Sub(begin) != time.Minute {
			t.Errorf("%v after %v", err, c.Now().Sub(begin))
		}
		if err := c.Delay(ctx, 0); err == nil {
			t.Error("a context that has ended isn't looked at")
		}
		if err := c.Delay(t.Context(), -time.Second); err != nil {
			t.Error(err)
		}
	})
}

func TestFixedAndStepped(t *testing.T) {
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	fixed, stepped := clock.Fixed(noon), clock.Stepped(noon, time.Second)
	for i := range 3 {
		if err := fixed.Delay(t.Context(), time.Hour); err != nil || !fixed.Now().Equal(noon) {
			t.Errorf("%v, %v", fixed.Now(), err)
		}
		if got := stepped.Now(); !got.Equal(noon.Add(time.Duration(i) * time.Second)) {
			t.Errorf("look %d: %v", i, got)
		}
	}
	if err := stepped.Delay(t.Context(), time.Hour); err != nil {
		t.Error(err)
	}
	if got := stepped.Now(); !got.Equal(noon.Add(3*time.Second + time.Hour)) {
		t.Errorf("after a delay: %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fixed.Delay(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestManual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := clock.NewManual(time.Unix(0, 0))
		done := make(chan int, 4)
		for i := 1; i <= 3; i++ {
			go func() {
				if err := m.Delay(t.Context(), time.Duration(i)*time.Second); err != nil {
					t.Error(err)
				}
				done <- i
			}()
			synctest.Wait()
		}
		if m.Waiting() != 3 {
			t.Errorf("%d wait", m.Waiting())
		}
		m.Advance(2 * time.Second)
		synctest.Wait()
		if len(done) != 2 || m.Waiting() != 1 {
			t.Errorf("%d have ended, %d wait", len(done), m.Waiting())
		}
		m.Advance(time.Second)
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if err := m.Delay(ctx, time.Second); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			done <- 0
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if len(done) != 4 || m.Waiting() != 0 {
			t.Errorf("%d have ended, %d wait", len(done), m.Waiting())
		}
	})
}

func TestSleep(t *testing.T) {
	c := clock.Fixed(time.Unix(0, 0))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		ctx  context.Context
		ms   float64
		code error
	}{
		{t.Context(), 0, nil}, {t.Context(), 0.5, nil}, {t.Context(), 1000, nil}, {t.Context(), 1001, clock.TooLong},
		{t.Context(), math.NaN(), clock.BadArgument}, {t.Context(), -1, clock.BadArgument}, {t.Context(), math.Inf(1), clock.TooLong},
		{t.Context(), 1e300, clock.TooLong}, {ended, 1, clock.Cancelled}, {ended, 1, context.Canceled},
	}
	for _, test := range tests {
		if err := clock.Sleep(test.ctx, c, test.ms, time.Second); !errors.Is(err, test.code) {
			t.Errorf("%v ms: %v, want %v", test.ms, err, test.code)
		}
	}
	if err := clock.Sleep(t.Context(), c, 1e300, 0); err != nil {
		t.Error(err)
	}
}

func Example() {
	c := clock.Stepped(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), time.Second)
	fmt.Println(c.Now().Format(time.TimeOnly), c.Now().Format(time.TimeOnly))
	fmt.Println(clock.Sleep(context.Background(), c, 60_000, 10*time.Second))
	// Output:
	// 12:00:00 12:00:01
	// too long (limit 10000 ms)
}
