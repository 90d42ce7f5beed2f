package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// watching runs pinfold watch in this process, until the test ends.
type watching struct {
	t     testing.TB
	lines chan string
}

func watch(t testing.TB, args ...string) *watching {
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	root := newRoot()
	root.SetArgs(append([]string{"watch"}, args...))
	root.SetIn(strings.NewReader(""))
	out := &locked{w: w}
	root.SetOut(out)
	root.SetErr(out)
	done := make(chan error, 1)
	go func() {
		err := root.ExecuteContext(ctx)
		_ = w.Close()
		done <- err
	}()
	x := &watching{t: t, lines: make(chan string, 1000)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		s := bufio.NewScanner(r)
		for s.Scan() {
			x.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		<-read
	})
	return x
}

// locked is a writer for several goroutines.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// until waits for a line that has a text in it, and returns those up to it.
func (x *watching) until(text string) string {
	x.t.Helper()
	var seen bytes.Buffer
	late := time.After(20 * time.Second)
	for {
		select {
		case l := <-x.lines:
			seen.WriteString(l + "\n")
			if strings.Contains(l, text) {
				return seen.String()
			}
		case <-late:
			x.t.Fatalf("no line with %q came, only:\n%s", text, seen.String())
		}
	}
}

func save(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	file, input := filepath.Join(dir, "p.js"), filepath.Join(dir, "in.json")
	save(t, file, "return input.n + 1")
	save(t, input, `{"n": 1}`)
	w := watch(t, file, "--input", input)
	if s := w.until("waiting for changes"); !strings.HasPrefix(s, "=> 2\n") || !strings.Contains(s, "-- p.js: ok in ") || strings.Contains(s, "\x1b") {
		t.Fatal(s)
	}
	save(t, file, "return input.n + 100")
	w.until("=> 101")
	w.until("waiting for changes")

	// The input, too.
	save(t, input, `{"n": 5}`)
	w.until("=> 105")
	w.until("waiting for changes")

	// An editor that puts another file in the place of the old one.
	save(t, file+".tmp", "null.f")
	if err := os.Rename(file+".tmp", file); err != nil {
		t.Fatal(err)
	}
	if s := w.until("waiting for changes"); !strings.Contains(s, "TypeError: Cannot read properties of null") || !strings.Contains(s, "-- p.js: failed in ") {
		t.Fatal(s)
	}

	// Another file of the folder is nobody's business; a run that goes on is given up.
	save(t, filepath.Join(dir, "other.js"), "x")
	save(t, file, "console.log('begun'); for (;;);")
	w.until("begun")
	save(t, file, "return 'after'")
	if s := w.until("waiting for changes"); !strings.Contains(s, `=> "after"`) || strings.Contains(s, "cancelled") {
		t.Fatal(s)
	}

	// A file that is gone, and comes back.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.until("there is no file")
	w.until("waiting for changes")
	save(t, file, "return 'back'")
	w.until(`=> "back"`)
}

func TestWatchJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.js")
	save(t, file, "return 1")
	w := watch(t, file, "--json")
	for i := 1; i <= 2; i++ {
		var o jsonOutcome
		if err := json.Unmarshal([]byte(w.until("{")), &o); err != nil || !o.OK || string(o.Value) != string(rune('0'+i)) {
			t.Fatalf("run %d: %+v %v", i, o, err)
		}
		save(t, file, "return 2")
	}
}

func TestWatchRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"nowhere.js"}, "there is no file nowhere.js"},
		{[]string{"-"}, "standard input can be read only once"},
		{[]string{"p.js", "--record", "x"}, "watch records nothing"},
	} {
		var errs bytes.Buffer
		if code := execute(append([]string{"watch"}, c.args...), strings.NewReader(""), io.Discard, &errs); code != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errs.String())
		}
	}
}

// BenchmarkWatch measures the time from a save to the printed result.
func BenchmarkWatch(b *testing.B) {
	file := filepath.Join(b.TempDir(), "p.js")
	save(b, file, "return -1")
	w := watch(b, file)
	w.until("waiting for changes")
	texts := []string{"return 1", "return 2"}
	for i := 0; b.Loop(); i++ {
		save(b, file, texts[i%2])
		w.until("=> " + texts[i%2][7:])
	}
}
