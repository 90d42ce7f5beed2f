package pinfold_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

var kills = flag.Int("kills", 50, "how many processes TestJournalKilled kills")

// killedProgram makes calls of every kind, some at once. What it passes depends
// on the clock and on chance.
const killedProgram = `
let n = 0;
for (let i = 0; i < 8; i++) {
	const name = c => c + i + '@' + Date.now() + '~' + Math.random();
	const [a, b, c] = await Promise.all([act(name('a')), act(name('b')), ask(name('c')), (async () => { await act(name('d')); return step(name('e')) })()]);
	n += (a + b + c).length > 0; step(name('f'));
}
return n`

// effects is a file with a line for each thing that host functions have done.
type effects string

func (e effects) lines() []string {
	b, err := os.ReadFile(string(e))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

// do does something, which takes some time.
func (e effects) do(name string) string {
	time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
	f, err := os.OpenFile(string(e), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	if _, err := f.WriteString(name + "\n"); err != nil {
		panic(err)
	}
	if err := f.Close(); err != nil {
		panic(err)
	}
	time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
	return "did " + name
}

// settle says what became of a call that may have been made, as a service would
// that knows it by its key; and makes it if it wasn't.
func (e effects) settle(c pinfold.PendingCall) (any, error) {
	name := ""
	if err := c.Arguments[0].Decode(&name); err != nil {
		return nil, err
	}
	if slices.Contains(e.lines(), name) {
		return "did " + name, nil
	}
	return e.do(name), nil
}

// The child of TestJournalKilled: it begins the run of a directory, or goes on
// with it, and writes what came of it.
func TestJournalKilledChild(t *testing.T) {
	dir := os.Getenv("PINFOLD_TEST_KILLED")
	if dir == "" {
		t.Skip("it is run by TestJournalKilled")
	}
	e := effects(filepath.Join(dir, "effects"))
	file := filepath.Join(dir, "journal")
	s := sandbox(t, pinfold.Options{
		Journal: func(string) (io.Writer, error) {
			return os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		},
		Functions: []pinfold.Function{
			{Name: "act", Async: true, Cancel: pinfold.Cooperative, Func: func(_ context.Context, name string) string { return e.do(name) }},
			{Name: "step", Func: e.do},
			{Name: "ask", Deferred: true},
		},
	})
	p := compiled(t, s, killedProgram)
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	fmt.Fprintln(os.Stderr, "begun")
	x, err := s.Replay(nil, p, bytes.NewReader(text), pinfold.ReplayOptions{Unknown: e.settle})
	switch {
	case errors.Is(err, pinfold.ErrNotBegun):
		x = s.Start(nil, p, nil)
	case err != nil:
		t.Fatalf("%v\n%s", err, text)
	}
	for x.Outcome() == nil {
		for _, c := range x.Pending() {
			v, err := e.settle(c)
			if err == nil {
				err = x.Answer(c.ID, v, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	out := x.Outcome()
	if err := os.WriteFile(filepath.Join(dir, "out"), fmt.Appendf(nil, "%v %v", out.Value, out.Failure), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A process that is killed at any moment leaves a journal from which another one
// goes on, and nothing is done twice.
func TestJournalKilled(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector a process is killed before it has come anywhere")
	}
	var want []string
	for i := range 8 {
		for _, c := range "abcdef" {
			want = append(want, fmt.Sprintf("%c%d", c, i))
		}
	}
	slices.Sort(want)
	killed, unknown := 0, 0
	for killed < *kills {
		dir := t.TempDir()
		for attempt := 1; ; attempt++ { // on a slow machine each one lives longer
			cmd := exec.Command(os.Args[0], "-test.run=^TestJournalKilledChild$", "-test.count=1")
			cmd.Env = append(os.Environ(), "PINFOLD_TEST_KILLED="+dir)
			var output bytes.Buffer
			cmd.Stdout = &output
			pipe, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(pipe, make([]byte, len("begun\n"))); err != nil {
				t.Fatal(err, output.String())
			}
			kill := time.AfterFunc(time.Duration(rand.IntN(30_000*attempt))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			_, _ = io.Copy(io.Discard, pipe) // until its end
			kill.Stop()
			err = cmd.Wait()
			if err == nil {
				break
			}
			if cmd.ProcessState.Exited() {
				t.Fatalf("%v\n%s", err, output.String())
			}
			killed++
			if file := filepath.Join(dir, "journal"); rand.IntN(2) == 0 {
				// It was about to write another record.
				f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
				if err == nil {
					_, err = f.WriteString(`{"call":99,"kind":"as`)
					err = errors.Join(err, f.Close())
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		out, err := os.ReadFile(filepath.Join(dir, "out"))
		if err != nil || string(out) != "8 <nil>" {
			t.Fatalf("%s %v", out, err)
		}
		got := effects(filepath.Join(dir, "effects")).lines()
		for i := range got {
			got[i], _, _ = strings.Cut(got[i], "@")
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("done were\n%v, want\n%v", got, want)
		}
		text, err := os.ReadFile(filepath.Join(dir, "journal"))
		if err != nil {
			t.Fatal(err)
		}
		unknown += bytes.Count(text, []byte(`{"pinfold":"journal"`)) - 1
	}
	t.Logf("%d processes were killed, %d replays", killed, unknown)
}

// A run whose journal can't be written ends before it does what it can't record.
func TestJournalUnwritable(t *testing.T) {
	for failing := range 8 {
		made, writes := 0, 0
		s := asker(t, func(o *pinfold.Options) {
			o.Journal = func(string) (io.Writer, error) {
				if failing == 0 {
					return nil, errors.New("no such place")
				}
				return writer(func(b []byte) (int, error) {
					if writes++; writes == failing {
						return 3, errors.New("the disk is full")
					}
					return len(b), nil
				}), nil
			}
			o.Functions = append(askers[:len(askers):len(askers)],
				pinfold.Function{Name: "send", Func: func(int) { made++ }},
				pinfold.Function{Name: "post", Async: true, Cancel: pinfold.Cooperative, Func: func(_ context.Context, _ int) error { made++; return errors.New("no") }})
		})
		p := compiled(t, s, "try { send(1) } catch {} await post(2).catch(() => 0); const x = await ask(3); for (;;) { try { send(x); return 1 } catch {} }")
		x := s.Start(nil, p, nil)
		if calls := x.Pending(); len(calls) > 0 {
			if err := x.Answer(calls[0].ID, 1, nil); err != nil {
				t.Fatal(err)
			}
		}
		out := x.Outcome()
		if out == nil || !errors.Is(out.Failure, pinfold.ErrInternal) || !strings.Contains(out.Failure.Message, "journal") {
			t.Errorf("writing %d fails: %+v, %v", failing, out, out.Failure)
		}
		// The writes: the beginning, send, its end, post, its end, ask, its end.
		if want := []int{0, 0, 0, 1, 1, 2, 2, 2}[failing]; made != want {
			t.Errorf("writing %d fails: %d calls were made, want %d", failing, made, want)
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
