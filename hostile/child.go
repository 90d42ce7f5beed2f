package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
)

// Report is what a child process tells of its case.
type Report struct {
	// Outcome is "value", "throw:NAME", "limit:KIND", "result" (a value that can't
	// leave), "unsettled", "cancelled", "fault", or a scenario's "held" or
	// "failed".
	Outcome   string
	Value     string
	Text      string // the failure's headline
	Problems  []string
	WallMs    float64
	LateMs    float64 // past the time limit, the less of wall time and processor time
	StartKB   int64
	PeakKB    int64 // 0 where it isn't measured
	PeakBytes int64 // charged
	Fuel      int64
}

// reportPrefix begins the line that holds a child's report.
const reportPrefix = "REPORT "

// sloppyRunner runs a sloppy script, and says when the script got control back by
// an exception. What it needs it takes before the script runs.
const sloppyRunner = `
const run = eval, back = touched, text = String;
let ok = false;
try {
	const v = (0, run)(input);
	ok = true;
	switch (typeof v) {
	case 'string': return v.length > 65536 ? 'a string of ' + v.length + ' units' : v;
	case 'number': return v;
	case 'boolean': return v;
	case 'object': case 'function': return v instanceof Promise ? v.then(() => undefined) : undefined;
	}
} catch (e) { back(); throw e } finally { if (!ok) back() }
`

// RunChild runs a case in this process, under a timeout, and writes its report.
// The process ought to do nothing else.
func RunChild(w io.Writer, id string, timeout time.Duration) error {
	c, err := Find(id)
	if err != nil {
		return err
	}
	var r Report
	if c.Scenario != nil {
		warmUp()
		r = runScenario(c, timeout)
	} else {
		r = runProgram(c, timeout)
	}
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", reportPrefix, b)
	return err
}

// warmUp builds what a process builds once.
func warmUp() {
	s, err := pinfold.New(pinfold.Options{})
	if err == nil {
		s.Eval(context.Background(), "warm-up", "1", nil)
	}
}

// begin forgets the peak of the process's memory, and returns its size.
func begin() int64 {
	debug.FreeOSMemory()
	resetPeak()
	return resident()
}

func runProgram(c *Case, timeout time.Duration) Report {
	var touches, lateTouches, after, deadline atomic.Int64
	var ended atomic.Bool
	late := func() {
		if ended.Load() {
			after.Add(1)
		}
	}
	slots := newLimiter()
	opt := pinfold.Options{
		Limits:  c.limits(timeout),
		Limiter: slots,
		Console: func(pinfold.ConsoleLine) { late() },
		Functions: []pinfold.Function{
			{Name: "touched", Func: func() {
				touches.Add(1)
				if time.Now().UnixNano() > deadline.Load() {
					lateTouches.Add(1)
				}
				late()
			}},
			{Name: "callback", Func: func(x any) any { late(); return x }},
		},
	}
	if c.Options != nil {
		c.Options(&opt)
	}
	source, input, name := c.Text(), c.Input, c.ID+".js"
	switch {
	case c.TypeScript:
		name = c.ID + ".ts"
	case c.Script:
		source, input = sloppyRunner, source
	}
	inTier(&opt)
	s, err := pinfold.New(opt)
	if err != nil {
		return Report{Outcome: "fault", Text: err.Error()}
	}
	defer s.Close()
	warmUp()
	r := Report{StartKB: begin()}
	pid := workerOf(s)
	if pid != 0 {
		r.StartKB = status(pid, "VmHWM") // nobody can make it start anew
	}
	// The clock of the child's lateness starts with the run's own.
	var used atomic.Int64
	start := time.Now()
	deadline.Store(start.Add(s.Limits().Timeout).UnixNano())
	alarm := time.AfterFunc(s.Limits().Timeout, func() { used.Store(int64(cpuTime() + cpuOf(pid))) })
	o := s.Eval(context.Background(), name, source, input)
	wall := time.Since(start)
	alarm.Stop()
	ended.Store(true)
	r.WallMs = ms(wall)
	if past := wall - s.Limits().Timeout; past > 0 {
		r.LateMs = ms(past)
		if at := time.Duration(used.Load()); at > 0 {
			if now := cpuTime() + cpuOf(pid); now > at { // a worker that was lost has none
				r.LateMs = min(r.LateMs, ms(now-at))
			}
		}
	}
	r.PeakKB = peak()
	if pid != 0 {
		r.PeakKB = status(pid, "VmHWM") // 0 if the worker has been replaced
	}
	r.PeakBytes, r.Fuel = o.Usage.PeakBytes, o.Usage.Fuel
	r.Outcome, r.Value, r.Text = describe(o)
	touched := touches.Load()
	if Outside() && r.Outcome == timeLimit {
		// A call takes so long there that the time of a script that has caught an
		// exception of its own, and says so, may pass meanwhile.
		touched = lateTouches.Load()
	}
	if strings.HasPrefix(r.Outcome, "limit:") && touched > 0 {
		r.Problems = append(r.Problems, "the script got control back after the limit")
	}
	if r.Outcome == "fault" {
		r.Problems = append(r.Problems, o.Failure.GoStack())
	}
	if left := leftBehind(slots); left != "" {
		r.Problems = append(r.Problems, left)
	}
	time.Sleep(5 * time.Millisecond)
	if after.Load() > 0 {
		r.Problems = append(r.Problems, "the script acted after its outcome was there")
	}
	return r
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// noLimit stands for a limit that no case reaches.
const noLimit = 1 << 60

// limits fills in the table's limits.
func (c *Case) limits(timeout time.Duration) pinfold.Limits {
	l := c.Limits
	set(&l.MemoryBytes, memory)
	set(&l.AllocatedBytes, noLimit)
	set(&l.Fuel, noLimit)
	set(&l.SourceBytes, memory)
	if l.Timeout == 0 {
		l.Timeout = c.Timeout(timeout)
	}
	return l
}

func set(v *int64, d int64) {
	if *v == 0 {
		*v = d
	}
}

// Timeout returns the time limit of the case's run when the runner's is t: cases
// that end otherwise get the time they need, on any machine.
func (c *Case) Timeout(t time.Duration) time.Duration {
	if c.timed() {
		return t
	}
	return max(c.Wall, DefaultWall)
}

// describe names an outcome.
func describe(o *pinfold.Outcome) (outcome, value, text string) {
	f := o.Failure
	if f == nil {
		value = o.Value.String()
		var s string
		if json.Unmarshal([]byte(value), &s) == nil {
			value = s
		}
		return "value", clip(value, 300), ""
	}
	text = clip(f.Error(), 300)
	switch {
	case f.Kind == pinfold.ErrScript && strings.HasPrefix(f.Message, "the promise returned by the program can never settle"):
		return "unsettled", "", text
	case f.Kind == pinfold.ErrScript, f.Kind == pinfold.ErrSyntax:
		return "throw:" + clip(f.Name, 40), "", text
	case f.Kind == pinfold.ErrInternal:
		return "fault", "", text
	case f.Kind == pinfold.ErrResult && f.Limit == 0:
		return "result", "", text
	case f.Kind.IsLimit():
		return "limit:" + string(f.Kind), "", text
	}
	return string(f.Kind), "", text
}

func clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
