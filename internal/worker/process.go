package worker

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Worker is the parent's end of a worker.
type Worker struct {
	Frames chan Frame    // what it says
	Gone   chan struct{} // closed when it has ended and nothing is left of it
	Report Report        // what it has given up

	pool   *Pool
	cmd    *exec.Cmd
	pipe   *os.File
	out    writer
	errs   head
	killed chan struct{}
	told   atomic.Bool // it was told to end
	once   sync.Once
	broke  error // why its frames could not be read

	runs  int
	since time.Time // when it was given back
	size  int64     // bytes when it was ready
}

func newWorker(p *Pool) *Worker {
	return &Worker{pool: p, Frames: make(chan Frame), Gone: make(chan struct{}), killed: make(chan struct{})}
}

// begin starts the process and tells it what it is.
func (w *Worker) begin() error {
	exe, err := executable()
	if err != nil {
		return err
	}
	nonce := make([]byte, nonceBytes)
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	hash := sha256.Sum256(nonce)
	b, err := json.Marshal(hello{w.pool.c.Ceilings, w.pool.c.Child})
	if err != nil {
		return err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, childIn.Close(), in.Close())
	}
	w.pipe, w.out.w = in, in
	w.cmd = &exec.Cmd{
		Path: exe, Args: []string{os.Args[0], argPrefix + hex.EncodeToString(hash[:])},
		Env: []string{arenas}, ExtraFiles: []*os.File{childIn, childOut}, Stderr: &w.errs,
		SysProcAttr: attributes(), WaitDelay: time.Second,
	}
	err = w.cmd.Start()
	err = errors.Join(err, childIn.Close(), childOut.Close())
	if err != nil {
		return errors.Join(fmt.Errorf("a worker could not be started: %w", err), in.Close(), out.Close())
	}
	w.pool.work.Go(func() { w.read(out) })
	// The configuration may be longer than a pipe holds.
	w.pool.work.Go(func() {
		if err := w.Send(kindHello, 0, nonce, b); err != nil { //meter: of a pipe; there is no meter here
			w.Kill()
		}
	})
	return nil
}

// arenas keeps the C library, in a binary that has C code, from reading how many
// processors there are when many threads have allocated: it would be killed for
// that. It is read before main; Open clears the environment.
const arenas = "MALLOC_ARENA_MAX=4"

// read passes frames on until the worker has ended, and then buries it.
func (w *Worker) read(out *os.File) {
	r := bufio.NewReaderSize(out, 64<<10)
	for { //meter: a frame of the worker each, and none is read before the last is taken: the parent's run is timed
		f, err := readFrame(r, w.pool.c.FrameBytes)
		if err != nil {
			w.broke = err
			break
		}
		select {
		case w.Frames <- f:
			continue
		case <-w.killed:
		}
		break
	}
	// The end of the pipe may come a moment before that of the process.
	told := w.told.Load()
	if !told {
		t := time.AfterFunc(100*time.Millisecond, w.stop)
		_ = w.cmd.Wait() // its state says how it ended
		t.Stop()
	} else {
		w.stop()
		_ = w.cmd.Wait()
	}
	w.Kill()
	_ = out.Close()
	w.pool.ended(w, told)
	close(w.Gone)
}

// ready takes the frame that a worker begins with.
func (w *Worker) ready(f Frame) error {
	switch f.Kind {
	case kindReady:
		if err := json.Unmarshal(f.Data, &w.Report); err != nil {
			return fmt.Errorf("a worker's report can't be read: %w", err)
		}
		w.size = resident(w.cmd.Process.Pid)
		return nil
	case kindFail:
		return errors.New(string(f.Data))
	}
	return fmt.Errorf("a worker began with a frame of kind %d", f.Kind)
}

// Send writes a frame.
func (w *Worker) Send(kind byte, tag uint64, data ...[]byte) error {
	return w.out.send(kind, tag, data...)
}

// PID returns the id of the process.
func (w *Worker) PID() int { return w.cmd.Process.Pid }

// Runs returns how many runs the worker has had.
func (w *Worker) Runs() int { return w.runs }

// Kill ends the process, if it has not ended. It doesn't wait.
func (w *Worker) Kill() {
	w.told.Store(true)
	w.stop()
}

func (w *Worker) stop() {
	w.once.Do(func() {
		close(w.killed)
		_ = w.cmd.Process.Kill() // it may have ended
		_ = w.pipe.Close()
	})
}

func (w *Worker) ended() bool {
	select {
	case <-w.killed:
		return true
	case <-w.Gone:
		return true
	default:
		return false
	}
}

// How says how a worker ended. It may be called when Gone is closed.
func (w *Worker) How() string {
	s := w.cmd.ProcessState.String()
	text := w.errs.String()
	switch {
	case strings.Contains(s, "bad system call"):
		s = "it made a system call that it has given up (" + s + ")"
	case strings.Contains(text, "out of memory"), strings.Contains(text, "cannot allocate memory"), strings.Contains(text, "failed to allocate"):
		s = "it ran out of memory (" + s + ")"
	case strings.Contains(s, "CPU time limit"):
		s = "it used up its processor time (" + s + ")"
	case strings.Contains(s, "killed"):
		s = "it was killed, perhaps because the system ran out of memory (" + s + ")"
	case strings.Contains(s, "exit status 0") && w.broke != nil:
		s = "it ended (" + w.broke.Error() + ")"
	}
	return s
}

// Stderr returns the beginning of what the worker wrote to standard error, such
// as a crash report of Go's runtime.
func (w *Worker) Stderr() string { return w.errs.String() }

// grown reports whether the worker takes more memory than it did by more than
// most bytes.
func (w *Worker) grown(most int64) bool {
	if w.size == 0 {
		return false
	}
	n := resident(w.PID())
	return n > w.size+most
}

// head keeps the beginning of what is written to it: the first lines of a crash
// report say what happened.
type head struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// headKeep is how much is kept.
const headKeep = 16 << 10

func (t *head) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := headKeep - t.buf.Len(); room > 0 {
		t.buf.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

func (t *head) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}
