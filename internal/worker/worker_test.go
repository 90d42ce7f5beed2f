//go:build unix

package worker

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/quick"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if c, ok := Open(); ok {
		childMain(c)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

const (
	kindAsk byte = iota + 1
	kindAnswer
)

// childMain answers frames: each names what the worker tries to do.
func childMain(c *Child) {
	switch string(c.Config) {
	case "refuse":
		_ = c.Refuse("out of order")
		return
	case "silent":
		time.Sleep(time.Minute)
	}
	if err := c.Ready(); err != nil {
		return
	}
	for {
		f, err := c.Read()
		if err != nil {
			return
		}
		if err := c.Send(kindAnswer, f.Tag, []byte(try(string(f.Data)))); err != nil {
			return
		}
	}
}

// try does one thing and says how it went.
func try(what string) string {
	said := func(err error) string {
		if err != nil {
			return "refused: " + err.Error()
		}
		return "done"
	}
	switch what {
	case "open":
		_, err := os.Open("/etc/passwd")
		return said(err)
	case "create":
		return said(os.WriteFile("/tmp/pinfold-worker-test", nil, 0o600))
	case "socket":
		_, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		return said(err)
	case "exec":
		return said(syscall.Exec("/bin/true", nil, nil))
	case "fork":
		_, err := syscall.ForkExec("/bin/true", nil, nil)
		return said(err)
	case "kill":
		return said(unix.Kill(os.Getppid(), 0))
	case "mapcode":
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
		return said(err)
	case "memory":
		var all [][]byte
		for range 64 {
			b := make([]byte, 64<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			all = append(all, b)
		}
		return said(nil) + strings.Repeat(" ", len(all)-64)
	case "environment":
		return strings.Join(os.Environ(), ",")
	case "exit":
		os.Exit(7)
	case "panic":
		panic("on purpose")
	case "hang":
		select {}
	case "long":
		return strings.Repeat("x", 2<<20)
	case "goroutines":
		// Threads, timers and the collector go on working.
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				for range 20 {
					time.Sleep(time.Millisecond)
					_ = make([]byte, 1<<20)
				}
				runtime.GC()
			})
		}
		wg.Wait()
		return said(nil)
	}
	return "echo " + what
}

func pool(t testing.TB, change func(*Config)) *Pool {
	c := Config{Max: 2, Keep: 1, MaxRuns: 100, Growth: 256 << 20, Idle: time.Minute, Wait: 10 * time.Second, Start: 20 * time.Second, FrameBytes: 1 << 20, Ceilings: Ceilings{Data: 1 << 30, CPU: 60}}
	if change != nil {
		change(&c)
	}
	p := NewPool(c)
	t.Cleanup(p.Close)
	return p
}

// ask sends a frame and returns the answer, or how the worker ended.
func ask(t testing.TB, p *Pool, what string) string {
	t.Helper()
	w, err := p.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.Put(w, true) }()
	if err := w.Send(kindAsk, 5, []byte(what)); err != nil {
		t.Fatal(err)
	}
	select {
	case f := <-w.Frames:
		if f.Kind != kindAnswer || f.Tag != 5 {
			t.Errorf("%s: an answer of kind %d with the tag %d", what, f.Kind, f.Tag)
		}
		return string(f.Data)
	case <-w.Gone:
		return "gone: " + w.How() + "\n" + w.Stderr()
	}
}

func TestEcho(t *testing.T) {
	p := pool(t, nil)
	for _, what := range []string{"a", "", strings.Repeat("long ", 200_000/5)} {
		if got := ask(t, p, what); got != "echo "+what {
			t.Errorf("got %.40q, want the echo of %.40q", got, what)
		}
	}
	if got := ask(t, p, "goroutines"); got != "done" {
		t.Errorf("goroutines: %s", got)
	}
	if got := ask(t, p, "environment"); got != "" {
		t.Errorf("the environment is %s", got)
	}
	if n, lost := p.Counts(); n != 1 || lost != 0 {
		t.Errorf("%d workers, %d lost", n, lost)
	}
}

// What a worker has given up it can't do. On systems without some of it, what it
// says is missing is not looked at.
func TestGivenUp(t *testing.T) {
	p := pool(t, nil)
	w, err := p.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	report := w.Report
	p.Put(w, true)
	t.Logf("%+v", report)
	if runtime.GOOS != "linux" {
		return
	}
	if slices.Contains(report.Applied, "seccomp") {
		for _, what := range []string{"open", "create", "socket", "exec", "fork", "kill", "mapcode"} {
			if got := ask(t, p, what); !strings.HasPrefix(got, "gone: it made a system call") {
				t.Errorf("%s: %s", what, got)
			}
		}
	}
	if slices.Contains(report.Applied, "memory") {
		if got := ask(t, p, "memory"); !strings.HasPrefix(got, "gone: it ran out of memory") {
			t.Errorf("memory: %.300s", got)
		}
	}
	if got := ask(t, p, "still"); got != "echo still" {
		t.Errorf("after lost workers: %s", got)
	}
}

// Workers that end, in whatever way, are told apart and replaced.
func TestLost(t *testing.T) {
	p := pool(t, nil)
	for _, c := range []struct{ what, want string }{
		{"exit", "gone: exit status 7"},
		{"panic", "gone: exit status 2\npanic: on purpose"},
		{"long", "gone: it ended"},
		{"echo", "echo echo"},
	} {
		got := ask(t, p, c.what)
		if c.what == "long" {
			// It is killed, by the parent, for its frame.
			if !strings.HasPrefix(got, "gone: ") {
				t.Errorf("%s: %.100s", c.what, got)
			}
		} else if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %.300s, want %s", c.what, got, c.want)
		}
	}
}

func TestKillAndReplace(t *testing.T) {
	p := pool(t, func(c *Config) { c.Max = 1 })
	w, err := p.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	first := w.PID()
	if err := w.Send(kindAsk, 1, []byte("hang")); err != nil {
		t.Fatal(err)
	}
	w.Kill()
	<-w.Gone
	p.Put(w, false)
	if w, err = p.Get(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.PID() == first {
		t.Error("the killed worker came back")
	}
	// One that is killed by somebody while it is idle isn't given out.
	second := w.PID()
	p.Put(w, true)
	if err := unix.Kill(second, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-w.Gone
	if got := ask(t, p, "x"); got != "echo x" {
		t.Error(got)
	}
}

func TestMaxRuns(t *testing.T) {
	p := pool(t, func(c *Config) { c.MaxRuns = 2; c.Max = 1 })
	pids := map[int]int{}
	for range 6 {
		w, err := p.Get(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		pids[w.PID()]++
		p.Put(w, true)
	}
	if len(pids) != 3 {
		t.Errorf("6 runs of at most 2 each took the workers %v", pids)
	}
}

func TestBusy(t *testing.T) {
	p := pool(t, func(c *Config) { c.Max = 1; c.Wait = time.Millisecond })
	w, err := p.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Get(context.Background()); !errors.Is(err, ErrBusy) {
		t.Errorf("a second worker of one: %v", err)
	}
	p.Put(w, true)
	if got := ask(t, p, "x"); got != "echo x" {
		t.Error(got)
	}
}

func TestIdle(t *testing.T) {
	p := pool(t, func(c *Config) { c.Idle = 20 * time.Millisecond })
	w, err := p.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p.Put(w, true)
	select {
	case <-w.Gone:
	case <-time.After(20 * time.Second):
		t.Fatal("an idle worker was not ended")
	}
	if n, lost := p.Counts(); n != 0 || lost != 0 {
		t.Errorf("%d workers, %d lost", n, lost)
	}
}

func TestStart(t *testing.T) {
	p := pool(t, func(c *Config) { c.Child = []byte("refuse") })
	if _, err := p.Get(context.Background()); err == nil || err.Error() != "out of order" {
		t.Errorf("a worker that refuses: %v", err)
	}
	p = pool(t, func(c *Config) { c.Child = []byte("silent"); c.Start = 100 * time.Millisecond })
	if _, err := p.Get(context.Background()); err == nil || !strings.Contains(err.Error(), "WorkerMain") {
		t.Errorf("a worker that says nothing: %v", err)
	}
	if n, _ := p.Counts(); n != 0 {
		t.Errorf("%d workers are left", n)
	}
}

// Close ends everything: processes too.
func TestClose(t *testing.T) {
	p := pool(t, func(c *Config) { c.Max = 3 })
	var all []*Worker
	for range 3 {
		w, err := p.Get(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	p.Put(all[0], true)
	p.Close()
	p.Close()
	for _, w := range all {
		<-w.Gone
		if err := unix.Kill(w.PID(), 0); !errors.Is(err, unix.ESRCH) {
			t.Errorf("the process %d is still there: %v", w.PID(), err)
		}
	}
	p.Put(all[1], true)
	p.Put(all[2], false)
	if _, err := p.Get(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("a worker of a closed pool: %v", err)
	}
}

// A process with the argument alone is no worker, and one whose parent doesn't
// know the nonce doesn't go on.
func TestImpostors(t *testing.T) {
	old := os.Args
	defer func() { os.Args = old }()
	os.Args = []string{"x", argPrefix + "00"}
	if inherited(fdIn) && inherited(fdOut) {
		t.Skip("the test was started with pipes where a worker has them")
	}
	if _, ok := Open(); ok {
		t.Error("the argument was enough")
	}

	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	p, err := os.StartProcess("/proc/self/exe", []string{"x", argPrefix + strings.Repeat("0", 64)}, &os.ProcAttr{Files: []*os.File{nil, nil, nil, in, out}})
	if err != nil {
		t.Skip("it takes /proc/self/exe: " + err.Error())
	}
	in.Close()
	out.Close()
	w := writer{w: to}
	if err := w.send(kindHello, 0, make([]byte, nonceBytes), []byte("{}")); err != nil {
		t.Error(err)
	}
	s, err := p.Wait()
	if err != nil || s.ExitCode() != 2 {
		t.Errorf("a process with a wrong nonce ended with %v, %v", s, err)
	}
	to.Close()
}

func TestFrames(t *testing.T) {
	check := func(kind byte, tag uint64, a, b []byte) bool {
		var buf bytes.Buffer
		w := writer{w: &buf}
		if err := w.send(kind, tag, a, b); err != nil {
			return false
		}
		f, err := readFrame(bufio.NewReader(&buf), 1<<20)
		return err == nil && f.Kind == kind && f.Tag == tag && bytes.Equal(f.Data, append(slices.Clone(a), b...)) && buf.Len() == 0
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
	if _, err := readFrame(bufio.NewReader(strings.NewReader("\xff\xff\xff\xff\x0112345678")), 1<<20); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a frame that is too long: %v", err)
	}
	if _, err := readFrame(bufio.NewReader(strings.NewReader("\xff\xff\xff\xff\x0112345678")), math.MaxUint32); err == nil {
		t.Error("a frame whose data never comes")
	}
}
