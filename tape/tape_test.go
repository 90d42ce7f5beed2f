package tape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	goleak.VerifyTestMain(m)
}

// world are host functions whose ends come in an order that the program doesn't
// choose, and which say how often they were called.
func world(calls *int) []pinfold.Function {
	var names []string
	return []pinfold.Function{
		{Name: "slow", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, name string, ms int) (map[string]any, error) {
			select {
			case <-time.After(time.Duration(ms) * time.Millisecond):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return map[string]any{"name": name, "bytes": []byte{1, 2, 255}}, nil
		}},
		{Name: "fails", Async: true, Cancel: pinfold.Cooperative, Func: func() error {
			return &pinfold.Error{Code: "E_GONE", Message: "it is gone", Retryable: true, Data: map[string]any{"at": 3}}
		}},
		{Name: "count", Func: func(name string) (int, error) {
			*calls++
			names = append(names, name)
			if name == "odd" {
				return 0, errors.New("odd names aren't counted")
			}
			return len(names), nil
		}},
		{Name: "steps", Async: true, Cancel: pinfold.Cooperative, Func: func(_ context.Context, n int) (func(func(int, error) bool), error) {
			return func(yield func(int, error) bool) {
				for i := range n {
					if !yield(i*i, nil) {
						return
					}
				}
				yield(0, errors.New("no more steps"))
			}, nil
		}},
	}
}

const program = `
const log = [];
await Promise.all([['a', 30], ['b', 1], ['c', 15]].map(async ([n, ms]) => {
	const r = await slow(n, ms);
	log.push(r.name, r.bytes.length, count(n));
}));
try { await fails() } catch (e) { log.push(e.message, e.code, e.retryable, e.data.at) }
try { count('odd') } catch (e) { log.push(e.message) }
try { for await (const s of await steps(3)) log.push(s) } catch (e) { log.push(e.message) }
log.push(Date.now(), Math.random(), new Date().getTime(), input.q);
slow('never', 100000);
return log;
`

func tiers(t *testing.T, f func(t *testing.T, opt pinfold.Options)) {
	for _, tier := range []pinfold.Isolation{pinfold.InProcess, pinfold.Process} {
		t.Run(tier.String(), func(t *testing.T) { f(t, pinfold.Options{Isolation: tier, Workers: pinfold.Workers{Max: 1}}) })
	}
}

func run(t *testing.T, ctx context.Context, opt pinfold.Options, source string, input any) *pinfold.Outcome {
	t.Helper()
	s, err := pinfold.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.Eval(ctx, "p.js", source, input)
}

func record(t *testing.T, opt pinfold.Options, source string) (string, *pinfold.Outcome) {
	t.Helper()
	var b bytes.Buffer
	calls := 0
	opt.Functions, opt.Seed = world(&calls), 42
	r, err := NewRecorder(&b, Head{Program: "p.js", Hash: Hash(source), Seed: 42, Started: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	opt.Tape, opt.Clock = r, r.Clock
	o := run(t, t.Context(), opt, source, map[string]any{"q": "?"})
	if err := r.Close(o); err != nil {
		t.Fatal(err)
	}
	return b.String(), o
}

func play(t *testing.T, opt pinfold.Options, recording, source string) (*pinfold.Outcome, error) {
	t.Helper()
	rec, err := Read(strings.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	p, ctx := rec.Player(t.Context(), source)
	opt.Functions, opt.Seed, opt.Tape, opt.Clock = world(&calls), uint64(rec.Head.Seed), p, p.Clock
	o := run(t, ctx, opt, source, map[string]any{"q": "?"})
	if calls > 0 {
		t.Errorf("the host was called %d times", calls)
	}
	return o, p.Close(o)
}

func TestReplay(t *testing.T) {
	tiers(t, func(t *testing.T, opt pinfold.Options) {
		text, o := record(t, opt, program)
		if o.Failure != nil {
			t.Fatal(o.Failure.Report())
		}
		if want := `["b",3,1,"c",3,2,"a",3,3,"it is gone","E_GONE",true,3,"odd names aren't counted",0,1,4,"no more steps",`; !strings.HasPrefix(string(o.Value.JSON()), want) {
			t.Fatalf("recorded %s\nwant     %s…", o.Value.JSON(), want)
		}
		for range 5 {
			again, err := play(t, opt, text, program)
			if err != nil {
				t.Fatal(err)
			}
			if again.Failure != nil {
				t.Fatal(again.Failure.Report())
			}
			if a, b := string(again.Value.JSON()), string(o.Value.JSON()); a != b {
				t.Fatalf("replayed %s\nrecorded %s", a, b)
			}
		}
	})
}

// A recording that was made on one tier is replayed on the other.
func TestReplayElsewhere(t *testing.T) {
	text, o := record(t, pinfold.Options{}, program)
	again, err := play(t, pinfold.Options{Isolation: pinfold.Process, Workers: pinfold.Workers{Max: 1}}, text, program)
	if err != nil || again.Failure != nil || string(again.Value.JSON()) != string(o.Value.JSON()) {
		t.Fatalf("%v %v\n%s\n%s", err, again.Failure, again.Value.JSON(), o.Value.JSON())
	}
}

func TestDiverged(t *testing.T) {
	const recorded = `const a = count('x'); const b = (await slow('y', 1)).name; return [a, b]`
	for _, c := range []struct{ name, source, want string }{
		{"another function", `count('x'); await fails(); return 1`, `the replay takes another course at call 2: the recording has slow("y", 1), the program calls fails()`},
		{"another argument", `try { count('z') } catch {} return 1`, `the replay takes another course at call 1: the recording has count("x"), the program calls count("z")`},
		{"a call more", `count('x'); await slow('y', 1); count('w'); return 1`, `the replay takes another course at call 3: the recording ends before it, the program calls count("w")`},
		{"a call less", `count('x'); return 1`, `the replay takes another course: the recording goes on with call 2, slow("y", 1), and the program has ended without it`},
		{"caught, and it goes on", `try { count('q') } catch {} for (;;);`, `the replay takes another course at call 1: the recording has count("x"), the program calls count("q")`},
		{"the clock", `count('x'); await slow('y', 1); return Date.now()`, `the replay takes another course: the program reads the clock more often than the recording has it`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tiers(t, func(t *testing.T, opt pinfold.Options) {
				text, o := record(t, opt, recorded)
				if o.Failure != nil {
					t.Fatal(o.Failure.Report())
				}
				_, err := play(t, opt, text, c.source)
				var d *DivergedError
				if !errors.As(err, &d) || err.Error() != c.want+"; the program's text has changed since" {
					t.Fatalf("%v\nwant %s", err, c.want)
				}
			})
		})
	}
}

// A run that fails by itself need not make all the calls.
func TestReplayOfFailure(t *testing.T) {
	const source = `count('x'); null.f`
	text, o := record(t, pinfold.Options{}, source)
	again, err := play(t, pinfold.Options{}, text, source)
	if err != nil || again.Failure == nil || again.Failure.Message != o.Failure.Message || again.Failure.Line != 1 {
		t.Fatalf("%v %v", err, again.Failure)
	}
}

func TestReadRefuses(t *testing.T) {
	head := `{"pinfold":"recording","version":1,"program":"p.js","hash":"","seed":"1","started":"2026-01-31T09:00:00Z"}` + "\n"
	done := `{"done":{"ok":true,"calls":%d}}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the file is empty"},
		{"hello\n", "line 1: this is no recording"},
		{`{"pinfold":"journal","version":1}`, "line 1: this is no recording"},
		{`{"pinfold":"recording","version":2}`, "line 1: it is of version 2, and this pinfold reads version 1"},
		{strings.Replace(head, `"1"`, `"x"`, 1), "line 1: "},
		{head, "line 2: the end is missing"},
		{head + `{"call":2,"name":"f"}`, "line 2: call 2 is out of order"},
		{head + `{"call":1}`, "line 2: call 1 is out of order"},
		{head + `{"end":1,"value":1}`, "line 2: the end of call 1 is out of place"},
		{head + `{"end":-1,"value":1}`, "line 2: the end of call -1 is out of place"},
		{head + `{"call":1,"name":"f"}` + "\n" + `{"end":1}`, "line 3: the end of call 1 is out of place"},
		{head + `{"clock":[1]}`, "line 2: what the clock said is incomplete"},
		{head + `{"clock":[1,0]}`, "line 2: what the clock said is wrong"},
		{head + `{"what":1}`, "line 2: it isn't a line of a recording"},
		{head + `{}`, "line 2: it isn't a line of a recording"},
		{head + fmt.Sprintf(done, 1), "line 2: it says that it has 1 calls, and has 0"},
		{head + fmt.Sprintf(done, 0) + fmt.Sprintf(done, 0), "line 3: there is more behind the end"},
	} {
		_, err := Read(strings.NewReader(c.text))
		var f *FormatError
		if !errors.As(err, &f) || !strings.HasPrefix(f.Error(), "the recording can't be used: "+c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
		if strings.Contains(c.want, "version 2") != errors.Is(err, ErrVersion) {
			t.Errorf("%q: ErrVersion is wrong", c.text)
		}
	}
	if _, err := Read(strings.NewReader(head + fmt.Sprintf(done, 0))); err != nil {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestWriteFails(t *testing.T) {
	if _, err := NewRecorder(broken{}, Head{}); err == nil {
		t.Error("no error")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"pinfold":"recording","version":1,"program":"p.js","hash":"","seed":"1","started":"2026-01-31T09:00:00Z"}` + "\n" + `{"call":1,"name":"f","args":[1]}` + "\n" + `{"end":1,"value":{"$js":"undefined"}}` + "\n" + `{"clock":[1,2]}` + "\n" + `{"done":{"ok":true,"calls":1}}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(strings.NewReader(text))
		if err == nil && len(r.order) > len(r.calls) {
			t.Error("more ends than calls")
		}
	})
}
