package hostile

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
)

// Scene is where a scenario acts: it makes sandboxes, and says what is wrong.
type Scene struct {
	mu       sync.Mutex
	problems []string
	made     []*pinfold.Sandbox
	workers  map[int]int64 // what the sandboxes' workers had at first, in kB
	ends     []func()
	// Timeout is the time limit that a scenario's hostile runs should have.
	Timeout time.Duration
	late    time.Duration // the worst one
	slots   *limiter.Limiter
}

// Errorf says that something isn't as it must be.
func (s *Scene) Errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.problems) < 20 {
		s.problems = append(s.problems, clip(fmt.Sprintf(format, args...), 1000))
	}
}

// New makes a sandbox with the table's limits where opt sets none.
func (s *Scene) New(opt pinfold.Options) *pinfold.Sandbox {
	c := Case{Limits: opt.Limits, Want: timeLimit}
	opt.Limits = c.limits(s.Timeout)
	if opt.Limiter == nil {
		opt.Limiter = s.slots
	}
	inTier(&opt)
	sb, err := pinfold.New(opt)
	if err != nil {
		s.Errorf("New: %v", err)
		sb, _ = pinfold.New(pinfold.Options{})
	}
	pid := workerOf(sb)
	s.mu.Lock()
	s.made = append(s.made, sb)
	if pid != 0 {
		if s.workers == nil {
			s.workers = map[int]int64{}
		}
		s.workers[pid] = status(pid, "VmHWM")
	}
	s.mu.Unlock()
	return sb
}

// Eval runs a program and returns its outcome in words, with the value: for
// example "value=3" or "limit:fuel".
func (s *Scene) Eval(sb *pinfold.Sandbox, source string, input any) string {
	return s.EvalContext(context.Background(), sb, source, input)
}

// EvalContext is Eval with a context.
func (s *Scene) EvalContext(ctx context.Context, sb *pinfold.Sandbox, source string, input any) string {
	start := time.Now()
	o := sb.Eval(ctx, "program.js", source, input)
	s.timed(time.Since(start) - sb.Limits().Timeout)
	return s.words(o)
}

func (s *Scene) timed(late time.Duration) {
	s.mu.Lock()
	s.late = max(s.late, late)
	s.mu.Unlock()
}

func (s *Scene) words(o *pinfold.Outcome) string {
	outcome, value, text := describe(o)
	switch {
	case outcome == "value":
		return "value=" + value
	case outcome == "fault":
		s.Errorf("%s\n%s", text, o.Failure.GoStack())
	}
	return outcome
}

// Want runs programs, each on a line of its own divided by "=>" from what it must
// end as, and says which don't.
func (s *Scene) Want(sb *pinfold.Sandbox, table string) {
	for line := range strings.SplitSeq(table, "\n") {
		source, want, ok := strings.Cut(line, " ==> ")
		if !ok {
			continue
		}
		s.Check(sb, strings.TrimSpace(source), nil, want)
	}
}

// Check runs a program and says when it doesn't end as it must.
func (s *Scene) Check(sb *pinfold.Sandbox, source string, input any, want string) *pinfold.Outcome {
	start := time.Now()
	o := sb.Eval(context.Background(), "program.js", source, input)
	s.timed(time.Since(start) - sb.Limits().Timeout)
	s.words(o)
	outcome, value, text := describe(o)
	if !matches(outcome, value, want) {
		s.Errorf("%s\nended as %s %s%s, want %s", clip(source, 300), outcome, value, text, want)
	}
	return o
}

func runScenario(c *Case, timeout time.Duration) Report {
	r := Report{StartKB: begin()}
	s := &Scene{Timeout: timeout, slots: newLimiter()}
	start := time.Now()
	func() {
		defer func() {
			if p := recover(); p != nil {
				s.Errorf("panic: %v", p)
			}
		}()
		c.Scenario(s)
	}()
	r.WallMs = ms(time.Since(start))
	if s.late > 0 {
		r.LateMs = ms(s.late)
	}
	r.PeakKB = peak()
	for pid, had := range s.workers {
		if now := status(pid, "VmHWM"); now > 0 && had > 0 { // else it is gone
			r.PeakKB = max(r.PeakKB, r.StartKB+now-had)
		}
	}
	for _, sb := range s.made {
		if err := sb.Close(); err != nil {
			s.Errorf("Close: %v", err)
		}
	}
	s.end()
	if left := leftBehind(s.slots); left != "" {
		s.Errorf("%s", left)
	}
	r.Outcome = "held"
	if r.Problems = s.problems; len(r.Problems) > 0 {
		r.Outcome = "failed"
	}
	return r
}
