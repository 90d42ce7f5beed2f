package hostile_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/hostile"
	"github.com/pinfold-js/pinfold/limiter"
)

// The acceptance list of the runtime's specification, as far as it is about files,
// the network, and many calls at once; the numbers are the list's. Package tool has
// the others.

// onBothTiers runs rows of the table on each tier.
func onBothTiers(t *testing.T, rows string) {
	if testing.Short() || raceEnabled {
		t.Skip("a process for each row, as in TestAttackTable")
	}
	for _, tier := range hostile.Tiers() {
		t.Run(tier.String(), func(t *testing.T) {
			runTable(t, &hostile.Runner{Command: child, Tier: tier, Timeout: 40 * time.Millisecond, Jobs: runtime.NumCPU()}, hostile.Select(rows))
		})
	}
}

// Links that are exchanged between check and open, pipes, special files, other names
// of protected files.
func TestAcceptance6Files(t *testing.T) { onBothTiers(t, "I1,I9,I12*,I13,I14*") }

// Redirects inward, answers with a private address among others, addresses of IPv4 in
// those of IPv6.
func TestAcceptance7Network(t *testing.T) { onBothTiers(t, "H1,H3,H4,H7*") }

// A flood of runs of one root and its children: three are held, the others are
// refused as busy in time, and hooks run all the while.
func TestAcceptance8Flood(t *testing.T) {
	for _, tier := range hostile.Tiers() {
		t.Run(tier.String(), func(t *testing.T) {
			l, err := limiter.New(limiter.Config{MaxWait: 200 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			release := make(chan struct{})
			var inside, most, entered atomic.Int64
			s, err := pinfold.New(pinfold.Options{Isolation: tier, Limiter: l, Workers: pinfold.Workers{Max: 8}, Functions: []pinfold.Function{{Name: "hold", Func: func() {
				entered.Add(1)
				for n, m := inside.Add(1), most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				<-release
				inside.Add(-1)
			}}}})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			root := limiter.NewCaller("root")
			var busy, done atomic.Int64
			var runs sync.WaitGroup
			for i := range 100 {
				who := root
				if i%2 == 1 {
					who = root.Child("child").Child(strings.Repeat("x", i))
				}
				runs.Go(func() {
					o := s.Eval(limiter.With(context.Background(), limiter.Request{Caller: who}), "p.js", "hold(); return 1", nil)
					switch {
					case errors.Is(o.Err(), pinfold.ErrBusy):
						busy.Add(1)
					case o.Failure == nil:
						done.Add(1)
					default:
						t.Errorf("%v", o.Failure)
					}
				})
			}
			for entered.Load() < 3 || busy.Load() < 97 { // go test's own timeout ends it
				o := s.Eval(limiter.With(context.Background(), limiter.Request{Class: limiter.Hook, Owner: "hook"}), "h.js", "return 2", nil)
				if o.Failure != nil {
					t.Fatalf("a hook: %v", o.Failure)
				}
				time.Sleep(5 * time.Millisecond)
			}
			close(release)
			runs.Wait()
			if most.Load() != 3 || done.Load() != 3 || busy.Load() != 97 {
				t.Errorf("%d at once, %d done, %d busy", most.Load(), done.Load(), busy.Load())
			}
			if st := l.Stats(); st.ActiveRuns != 0 {
				t.Errorf("%+v", st)
			}
		})
	}
}
