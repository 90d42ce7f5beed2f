package pinfold_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
)

func journal(t testing.TB, x *pinfold.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := x.Journal(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A run that is replayed from its journal wherever it waits is the run that
// isn't, and calls nothing twice.
func TestReplay(t *testing.T) {
	calls := map[string]int{}
	s := asker(t, func(o *pinfold.Options) {
		o.Functions = append(askers[:len(askers):len(askers)],
			pinfold.Function{Name: "count", Func: func(name string) (int, error) {
				calls[name]++
				if strings.HasPrefix(name, "bad") {
					return 0, &pinfold.Error{Code: "BAD", Message: name + " <&>", Retryable: true, Data: []int{1}}
				}
				return calls[name], nil
			}},
			pinfold.Function{Name: "fetch", Async: true, Cancel: pinfold.Cooperative, Func: func(_ context.Context, name string) (string, error) {
				if name == "bad" {
					return "", errors.New("not there")
				}
				return "got " + name, nil
			}})
	})
	p := compiled(t, s, `
		const log = [count('a'), count('a')]; try { count('bad') } catch (e) { log.push([e.message, e.code, e.retryable, e.data]) } try { count({}) } catch (e) { log.push(e.name) }
		const [x, y] = await Promise.all([ask('x'), fetch('y')]); log.push(x, y, await fetch('bad').catch(e => e.message), Math.random());
		await new Promise(ok => setTimeout(ok, 10)); log.push(await ask({m: new Map([[1, 2n]]), s: 'a<b>&\u2028'}), count('b'), Date.now(), input.q);
		console.log('late'); return log`)
	in := map[string]any{"q": "in & out"}
	want := answerAll(t, s.Start(nil, p, in), nil)
	if want.Failure != nil {
		t.Fatal(want.Failure)
	}
	first := fmt.Sprint(calls)
	clear(calls)
	got := answerAll(t, s.Start(nil, p, in), func(x *pinfold.Run) *pinfold.Run {
		text := journal(t, x)
		x.Cancel()
		y, err := s.Replay(nil, p, bytes.NewReader(text), pinfold.ReplayOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if y.ID() != x.ID() {
			t.Fatal("another ID")
		}
		if again := journal(t, y); lines(again) != lines(text) {
			t.Fatalf("the journal was\n%s\nand is\n%s", text, again)
		}
		return y
	})
	if got.Value.String() != want.Value.String() || !reflect.DeepEqual(got.Console, want.Console) || got.Usage.HostCalls != want.Usage.HostCalls {
		t.Errorf("%s %v\nwant %s", got.Value, got.Failure, want.Value)
	}
	if second := fmt.Sprint(calls); second != first {
		t.Errorf("calls %s, want %s", second, first)
	}
}

// lines are the lines of a journal but for those about the clock.
func lines(text []byte) string {
	var b strings.Builder
	for l := range strings.Lines(string(text)) {
		if !strings.HasPrefix(l, `{"clock"`) {
			b.WriteString(l)
		}
	}
	return b.String()
}

// A journal and a snapshot are of the same run: the one continues the other.
func TestReplayAfterResume(t *testing.T) {
	s := asker(t, nil)
	p := compiled(t, s, everything)
	want := answerAll(t, s.Start(nil, p, "in"), nil)
	n := 0
	got := answerAll(t, s.Start(nil, p, "in"), func(x *pinfold.Run) *pinfold.Run {
		var y *pinfold.Run
		var err error
		switch n++; n % 3 {
		case 0:
			y, err = s.Resume(nil, p, bytes.NewReader(suspend(t, x)))
		case 1:
			y, err = s.Replay(nil, p, bytes.NewReader(journal(t, x)), pinfold.ReplayOptions{})
			x.Cancel()
		default:
			y, err = x.Fork()
			x.Cancel()
		}
		if err != nil {
			t.Fatal(err)
		}
		return y
	})
	if got.Value.String() != want.Value.String() || !reflect.DeepEqual(got.Console, want.Console) {
		t.Errorf("%s %v\nwant %s", got.Value, got.Failure, want.Value)
	}
}

// What was under way when the journal ended is of unknown outcome, and isn't
// done again.
func TestReplayUnknown(t *testing.T) {
	made := 0
	var asked []string
	block := make(chan struct{})
	var written bytes.Buffer
	s := asker(t, func(o *pinfold.Options) {
		o.Journal = func(string) (io.Writer, error) { written.Reset(); return &written, nil }
		o.Functions = append(askers[:len(askers):len(askers)],
			pinfold.Function{Name: "pay", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, n int) (int, error) {
				made++
				<-block
				return n, nil
			}},
			pinfold.Function{Name: "send", Func: func(s string) string { made++; return "sent " + s }})
	})
	p := compiled(t, s, "const late = ask('later'); const n = await pay(5); return [n, send('done'), await late, send('again')]")
	x := s.Start(nil, compiled(t, s, "return ask(1)"), nil)
	x.Cancel()
	close(block)
	x = s.Start(nil, p, nil)
	text := bytes.Clone(written.Bytes())
	if whole := journal(t, x); lines(whole[bytes.IndexByte(whole, '\n'):]) != lines(text[1+bytes.IndexByte(text[1:], '\n'):]) {
		t.Errorf("the journal is\n%s\nand was written as\n%s", whole, text)
	}
	if _, err := s.Replay(nil, p, bytes.NewReader(journal(t, x)[:len(text)-20]), pinfold.ReplayOptions{}); !errors.Is(err, pinfold.ErrJournal) {
		t.Error(err)
	}
	x.Cancel()
	if made != 2 {
		t.Fatalf("%d calls", made)
	}
	key := ""
	for l := range strings.Lines(string(text)) {
		// The process ends here: after the beginning of pay, and of send.
		cut := text[:bytes.Index(text, []byte(l))+len(l)]
		switch {
		case strings.Contains(l, `"name":"pay"`):
			y, err := s.Replay(nil, p, bytes.NewReader(cut), pinfold.ReplayOptions{})
			if err != nil {
				t.Fatal(err)
			}
			calls := y.Pending()
			if len(calls) != 2 || calls[0].Unknown || !calls[1].Unknown || calls[1].Name != "pay" || calls[1].ID != 2 {
				t.Fatalf("%+v", calls)
			}
			if err := y.Suspend(new(bytes.Buffer)); !errors.Is(err, pinfold.ErrNotWaiting) {
				t.Error(err)
			}
			key = calls[1].IdempotencyKey
			if err := errors.Join(y.Answer(2, 5, nil), y.Answer(1, "L", nil)); err != nil {
				t.Fatal(err)
			}
			if out := y.Outcome(); out == nil || out.Value.String() != `[5,"sent done","L","sent again"]` {
				t.Errorf("%+v", out)
			}
			if made -= 2; made != 2 {
				t.Errorf("%d calls", made)
			}
		case strings.Contains(l, `"name":"send"`):
			_, err := s.Replay(nil, p, bytes.NewReader(cut), pinfold.ReplayOptions{})
			var unknown *pinfold.UnknownOutcomeError
			if !errors.As(err, &unknown) || unknown.Call.Name != "send" || unknown.Call.ID != 3 || unknown.Call.IdempotencyKey == key {
				t.Fatal(err)
			}
			y, err := s.Replay(nil, p, bytes.NewReader(cut), pinfold.ReplayOptions{Unknown: func(c pinfold.PendingCall) (any, error) {
				asked = append(asked, c.Name)
				return nil, errors.New("it was lost")
			}})
			if err != nil || made != 2 || len(asked) != 1 {
				t.Fatal(err, made, asked)
			}
			if out := y.Outcome(); out == nil || out.Failure == nil || out.Failure.Message != "it was lost" {
				t.Errorf("%+v", out)
			}
		}
	}
	if key == "" || len(asked) == 0 {
		t.Error("the journal lacks a call")
	}
	// A line that was being written is left out.
	if _, err := s.Replay(nil, p, bytes.NewReader(append(text, `{"call":4,"kind":"sy`...)), pinfold.ReplayOptions{}); err != nil {
		t.Error(err)
	}
}

func TestReplayDivergence(t *testing.T) {
	n := 0
	s := asker(t, func(o *pinfold.Options) {
		o.Modules = map[string]string{"m.js": "export const to = 'a'"}
	})
	p := compiled(t, s, "import {to} from 'm.js'; export default async () => { await ask(to); await tools.ask(to); return 1 }")
	x := s.Start(nil, p, nil)
	if err := x.Answer(1, nil, nil); err != nil {
		t.Fatal(err)
	}
	text := journal(t, x)
	x.Cancel()
	// The module has changed since.
	for src, want := range map[string][2]string{
		"export const to = 'b'":                                             {`ask("a")`, `ask("b")`},
		"export let to = 'a'; await ask('a'); await ask('more')":            {`tools.ask("a")`, `ask("more")`},
		"export let to = 'a'; await new Promise(ok => setTimeout(ok, 1e6))": {`ask("a")`, `no call`},
	} {
		s := asker(t, func(o *pinfold.Options) { o.Modules = map[string]string{"m.js": src} })
		y, err := s.Replay(nil, compiled(t, s, p.Source()), bytes.NewReader(text), pinfold.ReplayOptions{})
		var d *pinfold.DivergenceError
		if !errors.As(err, &d) || y != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if d.Recorded.String() != want[0] || d.Made.String() != want[1] {
			t.Errorf("%s: %v", src, err)
		}
		n++
	}
	if n != 3 {
		t.Error(n)
	}
	for _, bad := range []string{"", "{}\n", "hello\n", strings.Replace(string(text), `"version":1`, `"version":2`, 1), strings.Replace(string(text), `"call":1`, `"call":"x"`, 1)} {
		if _, err := s.Replay(nil, p, strings.NewReader(bad), pinfold.ReplayOptions{}); !errors.Is(err, pinfold.ErrJournal) {
			t.Errorf("%.40q: %v", bad, err)
		}
	}
}

// Journals of any origin are refused or make a run that ends like any other.
func FuzzReplay(f *testing.F) {
	s := asker(f, func(o *pinfold.Options) {
		o.Limits = pinfold.Limits{MemoryBytes: 8 << 20, Fuel: 500_000, HostCalls: 50}
	})
	p := compiled(f, s, everything)
	x := s.Start(nil, p, "in")
	for x.Outcome() == nil {
		f.Add(string(journal(f, x)))
		c := x.Pending()[0]
		if err := x.Answer(c.ID, c.Arguments[0], nil); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(string(journal(f, x)))
	f.Fuzz(func(t *testing.T, text string) {
		x, err := s.Replay(nil, p, strings.NewReader(text), pinfold.ReplayOptions{})
		if err != nil {
			return
		}
		for n := 0; x.Outcome() == nil && n < 60; n++ {
			calls := x.Pending()
			if len(calls) == 0 {
				break
			}
			_ = x.Answer(calls[0].ID, 1, nil)
		}
		if out := x.Cancel(); out.Failure != nil && out.Failure.Kind == pinfold.ErrInternal {
			t.Fatal(out.Failure, out.Failure.GoStack())
		}
	})
}
