package hostile_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// The hunt for holes: random programs over all built-ins, with huge and odd
// arguments, under small limits. Each ends within its limits, panics nothing,
// leaves a whole heap, and repeats itself to the unit of fuel. A long one:
//
//	go test ./hostile -run Hunt -hunt 10m
//
// prints the seeds of what it finds; -seed N -v runs one of them again and
// prints the program.

var (
	hunt = flag.Duration("hunt", 0, "how long TestHunt hunts; 0 is some hundred programs")
	seed = flag.Uint64("seed", 0, "the program of TestHunt that is run alone")
)

var huntLimits = meter.Limits{Fuel: 1_000_000, LiveBytes: 8 << 20, RequestedBytes: 64 << 20, Depth: 200, NativeDepth: 100, Timeout: 30 * time.Second}

// What a program may take at most under huntLimits. Programs at the limit of fuel
// take some milliseconds, so these find work and memory that nothing charges.
const (
	huntTime      = 600 * time.Millisecond
	huntAllocated = 3*64<<20 + 16<<20 // bytes that Go allocates
	huntLate      = 60 * time.Millisecond
)

type ending struct {
	what  string // "value", "throw", a limit's kind, "fault"
	text  string
	usage meter.Usage
	m     *vm.Machine
	cpu   time.Duration
	alloc uint64
}

func (e ending) String() string {
	return fmt.Sprintf("%s %q, %+v, %v of processor time, %d MiB allocated", e.what, e.text, e.usage, e.cpu, e.alloc>>20)
}

// execute runs a sloppy script on a machine of its own.
func execute(src string, lim meter.Limits, stress bool) (e ending) {
	start, before := cpuTime(), allocated()
	mt := meter.New(nil, lim)
	defer mt.Close()
	defer func() {
		if p := recover(); p != nil {
			e.what, e.text = "fault", fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
		e.usage = mt.Usage()
		e.cpu, e.alloc = cpuTime()-start, allocated()-before
	}()
	p, err := js.Compile("hunt.js", src, js.CompileOptions{Goal: js.Script, Completion: true, Charge: mt.Charge})
	if err == nil {
		e.m, err = js.NewMachine(mt, vm.Options{Stress: stress, Seed: 7, Now: func() float64 { return 1.7e12 }})
	}
	if err == nil {
		_, err = e.m.RunScript(p)
	}
	for err == nil && e.m.HasJobs() {
		err = e.m.RunJobs()
	}
	var l *meter.LimitError
	var se *syntax.SyntaxError
	switch {
	case err == nil:
		e.what = "value"
	case errors.As(err, &l):
		e.what, e.text = l.Kind.String(), l.Error()
	case errors.As(err, &se):
		e.what, e.text = "syntax", se.Message
	default:
		if e.m == nil {
			e.what, e.text = "fault", err.Error()
			break
		}
		exc, ok := e.m.Caught(err)
		if !ok {
			e.what, e.text = "fault", err.Error()
			break
		}
		e.what, e.text = "throw", e.m.Describe(exc)
	}
	return e
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// examine holds a program against the properties and returns what is wrong.
func examine(src string) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	a := execute(src, huntLimits, false)
	switch {
	case a.what == "fault":
		say("%v", a)
		return problems
	case a.what == "time":
		say("still running after %v: %v", huntLimits.Timeout, a)
		return problems
	case a.cpu > huntTime:
		// Once more: the first time may be the collector's, or another program's.
		if again := execute(src, huntLimits, false); again.cpu > huntTime {
			say("slow for its fuel: %v", again)
		}
	}
	if a.alloc > huntAllocated {
		say("allocates more than it is charged: %v", a)
	}
	if a.m != nil {
		if err := a.m.Verify(); err != nil {
			say("%v: %v", a, err)
			return problems
		}
		if a.what == "value" || a.what == "throw" {
			if err := a.m.CollectGarbage(); err != nil && !meter.IsLimit(err) {
				say("%v: %v", a, err)
			}
			if err := a.m.Verify(); err != nil {
				say("%v: after a collection: %v", a, err)
				return problems
			}
		}
	}
	b := execute(src, huntLimits, false)
	if a.what != b.what || a.text != b.text || a.usage.Fuel != b.usage.Fuel || a.usage.PeakBytes != b.usage.PeakBytes || a.usage.Requested != b.usage.Requested {
		say("%v, then %v", a, b)
	}
	if a.usage.Fuel < 60_000 && a.what != "memory" && !strings.Contains(src, "Weak") && !strings.Contains(src, "Finalization") {
		c := execute(src, huntLimits, true)
		if a.what != c.what || a.usage.Fuel != c.usage.Fuel {
			say("%v, but collecting at every safepoint %v", a, c)
		}
		if c.m != nil {
			if err := c.m.Verify(); err != nil {
				say("collecting at every safepoint: %v: %v", c, err)
			}
		}
	}
	if a.what == "fuel" {
		lim := huntLimits
		lim.Fuel, lim.Timeout, lim.RequestedBytes = 0, 15*time.Millisecond, 0
		late := func() time.Duration {
			start, at := time.Now(), cpuTime()
			e := execute(src, lim, false)
			if e.what != "time" {
				return 0
			}
			return min(time.Since(start), cpuTime()-at) - lim.Timeout
		}
		if d := late(); d > huntLate {
			if d = min(d, late()); d > huntLate {
				say("%v past a timeout of %v", d, lim.Timeout)
			}
		}
	}
	problems = append(problems, examineLibrary(src)...)
	return problems
}

// examineLibrary runs the program through the library, with the explanation of its
// failure.
func examineLibrary(src string) (problems []string) {
	l := huntLimits
	start := cpuTime()
	s, err := pinfold.New(pinfold.Options{Deterministic: true, Timers: true, Limits: pinfold.Limits{
		Fuel: 1_200_000, MemoryBytes: l.LiveBytes, AllocatedBytes: l.RequestedBytes, CallDepth: l.Depth, NativeDepth: l.NativeDepth, Timeout: l.Timeout,
	}, Functions: []pinfold.Function{{Name: "echo", Func: func(x any) any { return x }}}})
	if err != nil {
		return []string{err.Error()}
	}
	var last string
	for range 2 {
		o := s.Eval(context.Background(), "hunt.js", "const u=[undefined,1]; for (const k of u) { try { console.log(k, (0,eval)(input)); if (typeof echo==='function') echo(V) } finally { if (k) return V[1].x.y } }", src)
		text := o.Value.String()
		if f := o.Failure; f != nil {
			if f.Kind == pinfold.ErrInternal {
				return append(problems, "the library: "+f.FullReport()+f.GoStack())
			}
			text = f.FullReport()
		}
		text += fmt.Sprintf(" fuel %d, peak %d", o.Usage.Fuel, o.Usage.PeakBytes)
		if last != "" && text != last {
			problems = append(problems, "the library: "+last+"\nthen "+text)
		}
		last = text
	}
	if d := cpuTime() - start; d > 4*huntTime {
		problems = append(problems, fmt.Sprintf("the library took %v of processor time", d))
	}
	return problems
}

// workerArg is the first argument of a process that hunts.
const workerArg = "hostile-hunt"

// work examines the programs of seeds from first on, and prints what it finds.
func work(first, last uint64) {
	for s := first; s < last; s++ {
		fmt.Printf("S %d\n", s)
		for _, p := range examine(generate(seeded(s))) {
			fmt.Printf("X %d %s\n", s, strconv.Quote(p))
		}
		if s%256 == 0 {
			runtime.GC()
		}
	}
}

func TestHunt(t *testing.T) {
	switch {
	case *seed != 0:
		src := generate(seeded(*seed))
		t.Log(src)
		for _, p := range examine(src) {
			t.Error(p)
		}
		return
	case *hunt == 0:
		n := uint64(150)
		if testing.Short() || raceEnabled {
			n = 10
		}
		for s := range n {
			for _, p := range examine(generate(seeded(s + 1))) {
				t.Errorf("-seed %d: %s", s+1, p)
			}
		}
		return
	}
	// Long hunts work in processes of their own, which may die.
	first := uint64(time.Now().Unix()) << 20
	deadline := time.Now().Add(*hunt)
	done := make(chan int)
	jobs := runtime.NumCPU()
	for j := range jobs {
		go func() {
			n := 0
			next := first + uint64(j)<<40
			for time.Now().Before(deadline) {
				tried, found := chase(next, next+2000, deadline)
				for _, f := range found {
					t.Errorf("-seed %s", f)
					fmt.Fprintf(os.Stderr, "-seed %s\n", f)
				}
				n += int(tried - next)
				next = tried
			}
			done <- n
		}()
	}
	total := 0
	for range jobs {
		total += <-done
	}
	t.Logf("%d programs in %v, from seed %d on", total, *hunt, first)
	fmt.Fprintf(os.Stderr, "%d programs in %v\n", total, *hunt)
}

// chase runs a worker and returns the seed to go on with.
func chase(first, last uint64, deadline time.Time) (next uint64, found []string) {
	cmd := exec.Command(os.Args[0], workerArg, fmt.Sprint(first), fmt.Sprint(last))
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return last, []string{err.Error()}
	}
	next = first
	watch := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	defer watch.Stop()
	ended := false
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		watch.Reset(3 * time.Minute)
		switch text := in.Text(); {
		case strings.HasPrefix(text, "S "):
			next, _ = strconv.ParseUint(text[2:], 10, 64)
			if time.Now().After(deadline) {
				ended = true
				_ = cmd.Process.Kill()
			}
		case strings.HasPrefix(text, "X "):
			found = append(found, text[2:])
		}
	}
	err = cmd.Wait()
	if err != nil && !ended {
		e := errs.String()
		found = append(found, fmt.Sprintf("%d the process died: %v: %s", next, err, e[:min(len(e), 3000)]))
	}
	return next + 1, found
}

func FuzzHunt(f *testing.F) {
	for s := range uint64(30) {
		c := seeded(s)
		data := make([]byte, 200)
		for i := range data {
			data[i] = byte(c.n(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4000 {
			return
		}
		src := generate(&chooser{data: data})
		for _, p := range examine(src) {
			t.Errorf("%s\n%s", p, src)
		}
	})
}

// What hunts have found stays found.
func TestFound(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range examine(string(b)) {
			t.Errorf("%s: %s", name, p)
		}
	}
}

func TestBuiltinsAreFound(t *testing.T) {
	if n := len(builtins()); n < 700 {
		t.Errorf("only %d built-ins were found", n)
	}
}
