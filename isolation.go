package pinfold

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/internal/worker"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/meter"
)

// Isolation says where programs run.
type Isolation uint8

// The tiers of isolation.
const (
	// InProcess runs programs in the goroutine that asks for it. The engine keeps
	// them from everything; nothing else does.
	InProcess Isolation = iota
	// Process runs programs in worker processes of the same binary, which have
	// given up files, network, processes and most system calls where the system
	// allows it: see WorkerMain, Workers and docs/THREATS.md. Host functions run
	// in this process, as ever. The sandbox must be closed.
	Process
)

var isolationNames = [...]string{InProcess: "in-process", Process: "process"}

// String returns the tier's name.
func (i Isolation) String() string {
	if int(i) < len(isolationNames) {
		return isolationNames[i]
	}
	return fmt.Sprintf("Isolation(%d)", uint8(i))
}

// ParseIsolation finds a tier by its name.
func ParseIsolation(name string) (Isolation, error) {
	for i, n := range isolationNames {
		if n == name {
			return Isolation(i), nil
		}
	}
	return 0, fmt.Errorf("there is no tier %q: there are %s", name, strings.Join(isolationNames[:], " and "))
}

// Workers configure the tier Process. A zero field means its default.
type Workers struct {
	// Max is how many workers there are at most: each runs one program at a time.
	// Default: the number of processors. A program whose host function runs
	// another one with the same sandbox needs two.
	Max int
	// MaxRuns is after how many runs a worker is replaced. 1 gives each run a
	// process of its own, for some milliseconds more. Default 1000.
	MaxRuns int
	// Wait bounds how long a run waits for a worker when all are busy; then it
	// fails with the kind busy. Default 10 s.
	Wait time.Duration
	// Idle is after how long a worker that does nothing is ended. Default 1 min.
	Idle time.Duration
	// Grace is how long after Limits.Timeout, or after the context's end, a worker
	// that has not answered is killed. Default 1 s.
	Grace time.Duration
	// MemoryBytes is the ceiling that the system enforces on a worker's writable
	// memory, where it has one. Default: twice Limits.MemoryBytes and 1 GiB. A
	// worker that runs into it is lost.
	MemoryBytes int64
}

var defaultWorkers = Workers{MaxRuns: 1000, Wait: 10 * time.Second, Idle: time.Minute, Grace: time.Second}

func (w Workers) withDefaults(l *Limits) (Workers, error) {
	if w.Max < 0 || w.MaxRuns < 0 || w.Wait < 0 || w.Idle < 0 || w.Grace < 0 || w.MemoryBytes < 0 {
		return w, errors.New("a field of Workers is negative: 0 means the default")
	}
	if w.Max == 0 {
		w.Max = runtime.NumCPU()
	}
	if w.MaxRuns == 0 {
		w.MaxRuns = defaultWorkers.MaxRuns
	}
	orDefault(&w.Wait, defaultWorkers.Wait)
	orDefault(&w.Idle, defaultWorkers.Idle)
	orDefault(&w.Grace, defaultWorkers.Grace)
	if w.MemoryBytes == 0 && l.MemoryBytes < 1<<60 {
		w.MemoryBytes = 2*l.MemoryBytes + 1<<30
	}
	return w, nil
}

// Worker describes the process that a program ran in.
type Worker struct {
	PID  int
	Runs int // that it had before
	// Applied names what the process has given up, such as "seccomp"; Missing
	// what the system didn't let it give up, with reasons.
	Applied []string
	Missing []string
}

// What a worker may say at most beside the values and lines that the limits
// bound, and by how much it may have grown after a run.
const (
	frameRoom   = 16 << 20
	growthBytes = 256 << 20
	startWait   = 20 * time.Second
)

// isolate makes the sandbox's pool of workers.
func (s *Sandbox) isolate() error {
	if worker.Started() {
		return errors.New("this process was started as a worker: main must call pinfold.WorkerMain before anything else")
	}
	if err := worker.Supported(); err != nil {
		return fmt.Errorf("Isolation Process: %w", err)
	}
	for _, h := range s.functions { //meter: the host's functions
		if h.deferred {
			return fmt.Errorf("Isolation Process: the function %s is Deferred, and a run that waits for answers works in this process: make it Async here, or use a Sandbox whose Isolation is InProcess for programs that call it", h.name)
		}
	}
	if s.opt.Journal != nil {
		return errors.New("Isolation Process: Journal is for runs that Start begins, and those work in this process: leave it out here, or use a Sandbox whose Isolation is InProcess")
	}
	var err error
	if s.workers, err = s.opt.Workers.withDefaults(&s.limits); err != nil {
		return err
	}
	c, err := s.workerConfig()
	if err != nil {
		return err
	}
	// Host calls pass through machines here: the first shouldn't wait for the realm.
	if _, err := s.realm(); err != nil {
		return err
	}
	child, err := json.Marshal(c)
	if err != nil {
		return err
	}
	// Processor time is counted for a worker's whole life, on two processors: the
	// ceiling is for one that doesn't end, the parent's clock for one that does.
	perRun := 2 * int64((s.limits.Timeout+s.workers.Grace)/time.Second+1)
	s.pool = worker.NewPool(worker.Config{
		Max: s.workers.Max, Keep: 1, MaxRuns: s.workers.MaxRuns, Growth: growthBytes,
		Idle: s.workers.Idle, Wait: s.workers.Wait, Start: startWait,
		FrameBytes: min(2*s.limits.ResultBytes+2*s.limits.OutputBytes+frameRoom, 1<<32-1),
		Ceilings:   worker.Ceilings{Data: s.workers.MemoryBytes, CPU: perRun * int64(min(s.workers.MaxRuns, 1000))},
		Child:      child,
	})
	return nil
}

// Close ends the workers of a sandbox whose Isolation is Process, also those at
// work, and waits for their end. Runs that come later fail. Other sandboxes have
// nothing to close.
func (s *Sandbox) Close() error {
	if s.pool != nil {
		s.pool.Close()
	}
	return nil
}

// WorkerMain makes this process a worker if it was started as one by a sandbox
// whose Isolation is Process, and then never returns. In any other process it
// does nothing. A program that uses that tier calls it first thing in main, and
// in the TestMain of its tests:
//
//	func main() {
//		pinfold.WorkerMain()
//		…
//
// A worker is known by its argument together with a nonce that it gets through
// an inherited pipe.
func WorkerMain() {
	if c, ok := worker.Open(); ok {
		work(c)
	}
}

// overdueFailure is for a run whose worker didn't end it in time.
func overdueFailure(limit, used time.Duration) *Failure {
	f := limitFailure(&meter.LimitError{Kind: meter.Time, What: "wall time", Limit: int64(limit), Used: int64(used)})
	f.Notes = append(f.Notes, "the worker process did not end the run by itself and was killed")
	return f
}

// loaded returns a program that has its code here.
func (s *Sandbox) loaded(ctx context.Context, p *Program, slot *limiter.Slot) (*Program, *Failure) {
	if p.code != nil {
		return p, nil
	}
	q, err := s.compile(&guard{ctx: ctx, start: time.Now(), limits: &s.limits, legacy: p.legacy, completion: p.completion}, p.name, p.source)
	if err == nil {
		return q, nil
	}
	if slot != nil {
		slot.Release()
	}
	return nil, asFailure(err)
}
