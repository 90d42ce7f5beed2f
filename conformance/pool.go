package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// grace is how long after its time limit a test may take to end before it
// counts as hung.
const grace = 10 * time.Second

// watchdog is how long a test may take in all its modes.
func (c Config) watchdog() time.Duration { return 2*c.Timeout + grace }

// executor runs one test after the other.
type executor interface {
	run(ctx context.Context, name string) Result
	close()
}

// runAll runs tests with several executors side by side and hands each result
// to report, in the order in which they end.
func runAll(ctx context.Context, names []string, jobs int, newExecutor func() executor, report func(Result)) {
	next := make(chan string)
	results := make(chan Result)
	var workers sync.WaitGroup
	for range max(jobs, 1) {
		workers.Go(func() {
			e := newExecutor()
			defer e.close()
			for name := range next {
				results <- e.run(ctx, name)
			}
		})
	}
	go func() {
		defer close(next)
		for _, name := range names {
			select {
			case next <- name:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(results)
	}()
	for res := range results {
		report(res)
	}
}

func hung(name string, after time.Duration) Result {
	return Result{
		Test: name, Status: HangStatus, Expected: "an end", Duration: after,
		Got: fmt.Sprintf("hang: still running after %v", after),
	}
}

// inProcess runs tests in goroutines of this process. A test that hangs is
// abandoned.
type inProcess struct{ runner *Runner }

func (p *inProcess) run(ctx context.Context, name string) Result {
	done := make(chan Result, 1)
	go func() { done <- p.runner.Run(ctx, name) }()
	timer := time.NewTimer(p.runner.Config.watchdog())
	defer timer.Stop()
	select {
	case res := <-done:
		return res
	case <-timer.C:
		return hung(name, p.runner.Config.watchdog())
	}
}

func (p *inProcess) close() {}

// childProcess runs tests in a child that reads names from its standard input
// and writes results, one JSON object a line. A child that dies, as by an
// overflow of Go's stack, fails the test it was running and is replaced; so is
// one that hangs.
type childProcess struct {
	args     []string
	watchdog time.Duration

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan []byte
	stderr *head
}

func (p *childProcess) start() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	p.cmd = exec.Command(exe, p.args...)
	p.stderr = &head{}
	p.cmd.Stderr = p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.lines = make(chan []byte)
	go func(lines chan<- []byte) {
		defer close(lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}(p.lines)
	return nil
}

func (p *childProcess) run(ctx context.Context, name string) Result {
	start := time.Now()
	fail := func(got, trace string) Result {
		return Result{Test: name, Status: CrashStatus, Expected: "an end", Got: got, Trace: trace, Duration: time.Since(start)}
	}
	if p.cmd == nil {
		if err := p.start(); err != nil {
			p.cmd = nil
			return fail("cannot start a child process: "+err.Error(), "")
		}
	}
	// A failed write shows up as the end of the child's output.
	_, _ = io.WriteString(p.stdin, name+"\n")
	timer := time.NewTimer(p.watchdog)
	defer timer.Stop()
	select {
	case line, ok := <-p.lines:
		var res Result
		if ok && json.Unmarshal(line, &res) == nil {
			return res
		}
		p.stop()
		return fail("the process died: "+p.stderr.headline(), p.stderr.String())
	case <-timer.C:
		p.stop()
		return hung(name, p.watchdog)
	case <-ctx.Done():
		p.stop()
		return fail("cancelled", "")
	}
}

func (p *childProcess) stop() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill()
	for range p.lines { // until its reader has ended
	}
	_ = p.cmd.Wait()
	p.cmd = nil
}

func (p *childProcess) close() { p.stop() }

// serve is the child's side.
func serve(ctx context.Context, r *Runner, in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	names := bufio.NewScanner(in)
	for names.Scan() {
		line, err := json.Marshal(r.Run(ctx, names.Text()))
		if err != nil {
			return err
		}
		w.Write(line)
		w.WriteByte('\n')
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return names.Err()
}

// head keeps the beginning of what is written to it, which in Go's crash
// reports is the part that says what happened, and drops the rest.
type head struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *head) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 16<<10 - t.buf.Len(); room > 0 {
		t.buf.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

func (t *head) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}

// headline returns the line of a Go crash report that names the cause.
func (t *head) headline() string {
	first := ""
	for _, l := range strings.Split(t.String(), "\n") {
		if first == "" {
			first = strings.TrimSpace(l)
		}
		if strings.HasPrefix(l, "fatal error: ") || strings.HasPrefix(l, "panic: ") {
			return l
		}
	}
	return first
}
