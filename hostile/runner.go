package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
)

// Runner executes cases, each in a child process.
type Runner struct {
	// Command returns the command of a child: a process that calls RunChild with
	// the id and the timeout, on its standard output.
	Command func(ctx context.Context, id string, timeout time.Duration) *exec.Cmd
	Timeout time.Duration // of each run; zero is 100 ms
	Jobs    int           // processes side by side; zero is one
	Tier    pinfold.Isolation
	Late    time.Duration // bar: how long past its limit a run may end; zero is none
	Growth  int64         // bar: by how many bytes the process may grow; zero is none
}

// The bars of the project.
const (
	LateBar   = 10 * time.Millisecond
	GrowthBar = memory/4*5 + 16<<20
)

// Result is how a case went.
type Result struct {
	ID       string   `json:"id"`
	Tier     string   `json:"tier"` // in-process or process
	Group    string   `json:"group"`
	Passed   bool     `json:"passed"`
	Outcome  string   `json:"outcome"`
	Want     string   `json:"want"`
	WallMs   float64  `json:"wallMs"`
	LateMs   float64  `json:"lateMs"`  // past the time limit; 0 for runs that ended by another one
	Growth   int64    `json:"growth"`  // bytes; -1 where it isn't measured
	Charged  int64    `json:"charged"` // bytes of the run's heap at its peak
	Fuel     int64    `json:"fuel"`
	Problems []string `json:"problems,omitempty"` // what is wrong
	Missed   []string `json:"missed,omitempty"`   // the bars that weren't held
}

// grace is how much longer than allowed a child may live before it counts as
// hung.
const grace = 20 * time.Second

// Run executes cases and hands each result to report, in the order in which they
// end. It returns all of them in the order of cases.
func (r *Runner) Run(ctx context.Context, cases []Case, report func(Result)) []Result {
	results := make([]Result, len(cases))
	next := make(chan int)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range max(r.Jobs, 1) {
		workers.Go(func() {
			for i := range next {
				res := r.one(ctx, &cases[i])
				mu.Lock()
				results[i] = res
				if report != nil && ctx.Err() == nil {
					report(res)
				}
				mu.Unlock()
			}
		})
	}
	done := 0
feed:
	for i := range cases {
		select {
		case next <- i:
			done++
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
	return results[:done]
}

func (r *Runner) one(ctx context.Context, c *Case) Result {
	timeout := r.Timeout
	if timeout == 0 {
		timeout = 100 * time.Millisecond
	}
	res := Result{ID: c.ID, Tier: r.Tier.String(), Group: c.Group(), Outcome: "died", Want: c.Want, Growth: -1}
	if c.Scenario != nil {
		res.Want = "held"
	}
	rep, err := r.spawn(ctx, c, timeout)
	if err != nil {
		res.Problems = []string{err.Error()}
		return res
	}
	res.Outcome, res.WallMs, res.LateMs, res.Charged, res.Fuel, res.Problems = rep.Outcome, rep.WallMs, rep.LateMs, rep.PeakBytes, rep.Fuel, rep.Problems
	if rep.PeakKB > 0 && rep.StartKB > 0 {
		res.Growth = max(rep.PeakKB-rep.StartKB, 0) << 10
	}
	if !matches(rep.Outcome, rep.Value, res.Want) {
		what := strings.TrimSpace(rep.Value + " " + rep.Text)
		res.Problems = append(res.Problems, strings.TrimSpace(fmt.Sprintf("%s\nended as %s %s, want %s", clip(c.Text(), 300), rep.Outcome, what, res.Want)))
	}
	most := c.Wall
	if most == 0 {
		most = DefaultWall
	}
	if c.timed() {
		most = timeout + DefaultWall // the clock of a busy machine; Late is the bar
	}
	if wall := time.Duration(rep.WallMs * 1e6); wall > most {
		res.Problems = append(res.Problems, fmt.Sprintf("it took %v, at most %v are allowed", wall.Round(time.Millisecond), most))
	}
	res.Passed = len(res.Problems) == 0
	if late := time.Duration(rep.LateMs * 1e6); r.Late > 0 && late > r.Late && c.timed() {
		res.Missed = append(res.Missed, fmt.Sprintf("%.1f ms past the time limit, at most %v are allowed", rep.LateMs, r.Late))
	}
	allowed := r.Growth
	if c.Growth > 0 {
		allowed = c.Growth
	}
	if r.Growth > 0 && res.Growth > allowed {
		res.Missed = append(res.Missed, fmt.Sprintf("the process grew by %.1f MiB, at most %.0f are allowed", mib(res.Growth), mib(allowed)))
	}
	return res
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

// spawn runs a case in a child. The error says how the child died.
func (r *Runner) spawn(ctx context.Context, c *Case, timeout time.Duration) (rep Report, err error) {
	most := max(c.Wall, DefaultWall, timeout) + grace
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := r.Command(ctx, c.ID, timeout)
	cmd.Env = environment(r.Tier)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &head{buf: &errs}
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	for line := range strings.SplitSeq(out.String(), "\n") {
		if s, ok := strings.CutPrefix(line, reportPrefix); ok {
			return rep, json.Unmarshal([]byte(s), &rep)
		}
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return rep, fmt.Errorf("hung: the process was still running after %v", most)
	case ctx.Err() != nil:
		return rep, ctx.Err()
	case err == nil:
		err = errors.New("no report")
	}
	return rep, fmt.Errorf("the process died: %w: %s", err, clip(errs.String()+out.String(), 3000))
}

// head keeps the beginning of what is written to it: in Go's crash reports it
// says what happened.
type head struct{ buf *bytes.Buffer }

func (h *head) Write(b []byte) (int, error) {
	if room := 8<<10 - h.buf.Len(); room > 0 {
		h.buf.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// Select returns the cases whose id matches one of the patterns, divided by
// commas: an id, the beginning of one before "*", or a group's letter.
func Select(patterns string) []Case {
	if patterns == "" {
		return Cases()
	}
	return slices.DeleteFunc(slices.Clone(Cases()), func(c Case) bool {
		for p := range strings.SplitSeq(patterns, ",") {
			p = strings.TrimSpace(p)
			prefix, star := strings.CutSuffix(p, "*")
			if p == c.ID || p == c.Group() || star && strings.HasPrefix(c.ID, prefix) {
				return false
			}
		}
		return true
	})
}
