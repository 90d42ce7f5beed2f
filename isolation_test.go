package pinfold_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

// isolated makes a sandbox whose programs run in worker processes.
func isolated(t testing.TB, opt pinfold.Options) *pinfold.Sandbox {
	t.Helper()
	switch runtime.GOOS {
	case "windows", "js", "wasip1", "plan9":
		t.Skip("worker processes inherit pipes, which " + runtime.GOOS + " has not")
	}
	opt.Isolation = pinfold.Process
	s, err := pinfold.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// tiered makes a sandbox of a tier.
func tiered(t testing.TB, tier pinfold.Isolation, opt pinfold.Options) *pinfold.Sandbox {
	t.Helper()
	if tier == pinfold.Process {
		return isolated(t, opt)
	}
	return sandbox(t, opt)
}

type orderItem struct {
	ID    string  `json:"id"`
	Price float64 `json:"price"`
}

// bothOptions are options that every case of TestTiersAgree runs with, in both
// tiers.
func bothOptions() pinfold.Options {
	var calls atomic.Int64
	return pinfold.Options{
		Limits:        pinfold.Limits{Fuel: 2_000_000, MemoryBytes: 16 << 20, HostCalls: 50, OutputLines: 20},
		Deterministic: true, Timers: true,
		Modules: map[string]string{"lib.ts": "export const twice = (n: number): number => 2 * n", "data.json": `{"a":[1,2]}`},
		Functions: []pinfold.Function{
			{Name: "add", Func: func(a, b float64) float64 { return a + b }},
			{Name: "find", Func: func(id string) (*orderItem, error) {
				if id == "" {
					return nil, &pinfold.Error{Code: "E_NONE", Message: "no id", Retryable: true, Data: map[string]any{"id": id}}
				}
				return &orderItem{id, 2.5}, nil
			}},
			{Name: "total", Func: func(list []orderItem) (t float64) {
				for _, x := range list {
					t += x.Price
				}
				return t
			}},
			{Name: "any.echo", Func: func(x pinfold.Value) pinfold.Value { return x }},
			{Name: "path", Func: func() error { _, err := os.Open("/none/such"); return err }},
			{Name: "bad", Func: func() any { return make(chan int) }},
			{Name: "boom", Func: func() { panic("no reason") }},
			{Name: "join", Func: func(sep string, parts ...string) string { return strings.Join(parts, sep) }},
			{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, n int) (int, error) {
				if n < 0 {
					return 0, fmt.Errorf("%d is negative", n)
				}
				calls.Add(1)
				return n * n, nil
			}},
			{Name: "explode", Async: true, Cancel: pinfold.Atomic, Func: func() { panic(errors.New("async reason")) }},
		},
	}
}

var tierCases = []struct {
	name, source string
	input        any
}{
	{"value", "return 1 + 2", nil},
	{"undefined", "return undefined", nil},
	{"input", "return input.map(x => x * 2)", []int{1, 2, 3}},
	{"kinds", "return [new Date(0), new Map([[1, {a: 1}]]), new Set('ab'), 10n ** 30n, NaN, -0, new Uint8Array([1, 2]), undefined, '\\ud800', {__proto__: null, b: 1, 2: 0}]", nil},
	{"shared", "const o = {}; o.self = o; return [o, o]", nil},
	{"echo", "const o = {a: [1]}; o.o = o; return any.echo([o, o.a, new Map([[o, 1]]), '\\udfff', -0, undefined])", nil},
	{"console", "console.log('a', {b: 1}); console.warn('c\\nd'); console.table([{x: 1}]); return console.error('é<&>\\u2028')", nil},
	{"throws", "function f(x) { throw new TypeError('no ' + x) } f('way')", nil},
	{"explained", "const r = {a: 1};\nconst u = r.b;\nreturn u.c", nil},
	{"syntax", "return 1 +", nil},
	{"typescript", "const x: number = 3; return x", nil},
	{"module", "import { twice } from 'lib.ts'; import d from 'data.json'; export default n => [twice(n), d.a]", 4},
	{"no module", "import { x } from 'none.ts'; export default 1", nil},
	{"fuel", "for (;;);", nil},
	{"memory", "const a = []; for (;;) a.push('x'.repeat(1000) + a.length)", nil},
	{"stack", "const f = () => f(); f()", nil},
	{"output", "for (;;) console.log('x')", nil},
	{"result", "return { f() {} }", nil},
	{"depth", "let a = []; for (let i = 0; i < 100; i++) a = [a]; return a", nil},
	{"add", "return [add(1, 2), add.length, add.name]", nil},
	{"wrong argument", "try { add('1', 2) } catch (e) { return [e.name, e.message, e.code, e instanceof TypeError, Object.keys(e)] }", nil},
	{"wrong item", "try { total([{id: 'a', price: 'b'}]) } catch (e) { return [e.name, e.message, e.code] }", nil},
	{"struct", "return [find('x'), total([{id: 'a', price: 1}, {id: 'b', price: 2}]), find.length]", nil},
	{"host error", "try { find('') } catch (e) { return [e.name, e.message, e.code, e.retryable, e.data, Object.keys(e)] }", nil},
	{"uncaught host error", "find('')", nil},
	{"hidden error", "try { path() } catch (e) { return [e.message, e.code] }", nil},
	{"bad result", "try { bad() } catch (e) { return [e.message, e.code] }", nil},
	{"panic", "boom()", nil},
	{"async panic", "await explode()", nil},
	{"variadic", "return [join('-'), join('-', 'a', 'b'), join.length]", nil},
	{"extra arguments", "return ['x'].map(find)", nil},
	{"missing argument", "try { find() } catch (e) { return [e.message, e.code] }", nil},
	{"async", "return await Promise.all([1, 2, 3].map(n => later(n)))", nil},
	{"async error", "return await Promise.allSettled([later(-1), later('x').catch(e => { throw e.message + e.code }), later(2)])", nil},
	{"host calls", "for (let i = 0; ; i++) add(i, 1)", nil},
	{"timers", "await new Promise(r => setTimeout(r, 1e6)); return Date.now()", nil},
	{"never", "await new Promise(() => {})", nil},
	{"random", "return [Math.random(), new Date().toISOString(), new Intl.DateTimeFormat('de', {timeZone: 'Europe/Berlin', dateStyle: 'full'}).format(0)]", nil},
	{"input error", "return 1", make(chan int)},
	{"eval", "return [eval('1+1'), new Function('a', 'return a * 2')(4)]", nil},
	{"escape", "return [typeof process, typeof require, typeof globalThis.fetch, (() => {}).constructor('return this')() === globalThis]", nil},
}

// A program ends the same way in both tiers: value, console, failure with its
// place and report, and what was used.
func TestTiersAgree(t *testing.T) {
	opt := bothOptions()
	outside := isolated(t, opt)
	inside, err := pinfold.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tierCases {
		a := inside.Eval(t.Context(), c.name, c.source, c.input)
		b := outside.Eval(t.Context(), c.name, c.source, c.input)
		if a.Value.String() != b.Value.String() {
			t.Errorf("%s: the value is %s, want %s", c.name, b.Value, a.Value)
		}
		if !reflect.DeepEqual(a.Console, b.Console) {
			t.Errorf("%s: the console is %q, want %q", c.name, b.Console, a.Console)
		}
		if fa, fb := reportOf(a), reportOf(b); fa != fb {
			t.Errorf("%s: the failure is\n%s\nwant\n%s", c.name, fb, fa)
		}
		// Arguments and results of host functions are charged in the worker as what
		// crosses, so that calls cost some units more or less.
		if a.Usage.HostCalls != b.Usage.HostCalls || a.Usage.OutputBytes != b.Usage.OutputBytes || a.Usage.HostCalls == 0 && a.Usage.Fuel != b.Usage.Fuel {
			t.Errorf("%s: used %+v, want %+v", c.name, b.Usage, a.Usage)
		}
		for _, kind := range []error{context.DeadlineExceeded, context.Canceled, pinfold.ErrInternal, pinfold.ErrResult} {
			if errors.Is(a.Err(), kind) != errors.Is(b.Err(), kind) {
				t.Errorf("%s: the error is %v, want %v", c.name, b.Err(), a.Err())
			}
		}
		if a.Tier != pinfold.InProcess || a.Worker != nil || b.Tier != pinfold.Process || b.Worker == nil || b.Worker.PID == os.Getpid() {
			t.Errorf("%s: the tiers are %v and %v, the worker is %v", c.name, a.Tier, b.Tier, b.Worker)
		}
		pa, erra := inside.Compile(c.name, c.source)
		pb, errb := outside.Compile(c.name, c.source)
		if (erra == nil) != (errb == nil) {
			t.Errorf("%s: compiling: %v, want %v", c.name, errb, erra)
		} else if erra == nil {
			if pa.Hash() != pb.Hash() || pa.IsModule() != pb.IsModule() || pa.IsTypeScript() != pb.IsTypeScript() {
				t.Errorf("%s: the programs differ", c.name)
			}
			// Each runs in the other tier too.
			if x, y := inside.Run(t.Context(), pb, c.input), outside.Run(t.Context(), pa, c.input); x.Value.String() != a.Value.String() || y.Value.String() != a.Value.String() {
				t.Errorf("%s: the other's program gives %s and %s, want %s", c.name, x.Value, y.Value, a.Value)
			}
		}
	}
}

func reportOf(o *pinfold.Outcome) string {
	if o.Failure == nil {
		return ""
	}
	f := o.Failure
	j, _ := f.MarshalJSON()
	return fmt.Sprintf("%s%s%v %v %d/%d", f.FullReport(), j, f.Thrown, f.Notes, f.Used, f.Limit)
}

// A worker that is lost in the middle of a run fails that run, and the next one
// has a new worker.
func TestWorkerLost(t *testing.T) {
	var pid atomic.Int64
	s := isolated(t, pinfold.Options{
		Workers: pinfold.Workers{Max: 1},
		Console: func(pinfold.ConsoleLine) {},
		Functions: []pinfold.Function{
			{Name: "kill", Func: func() { kill(t, int(pid.Load())) }},
			{Name: "killAsync", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { kill(t, int(pid.Load())); <-ctx.Done() }},
		},
	})
	for _, source := range []string{"console.log('before'); kill(); for (;;);", "console.log('before'); await killAsync(); return 1"} {
		first := s.Eval(t.Context(), "a.js", "return 1", nil)
		if first.Failure != nil {
			t.Fatal(first.Failure)
		}
		pid.Store(int64(first.Worker.PID))
		o := s.Eval(t.Context(), "b.js", source, nil)
		if !errors.Is(o.Err(), pinfold.ErrInternal) || !strings.Contains(o.Failure.Message, "the worker process was lost") {
			t.Errorf("%s: %v", source, o.Err())
		}
		if len(o.Console) != 1 || o.Console[0].Text != "before" {
			t.Errorf("%s: the console is %v", source, o.Console)
		}
		next := s.Eval(t.Context(), "c.js", "return 2", nil)
		if next.Failure != nil || next.Value.String() != "2" || next.Worker.PID == first.Worker.PID {
			t.Errorf("after it: %v %v, worker %+v", next.Value, next.Err(), next.Worker)
		}
	}
}

func kill(t *testing.T, pid int) {
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Errorf("killing the worker: %v", err)
	}
}

// What a run had printed is known although its worker is lost: what is much at
// once, the rest a moment later.
func TestWorkerLostConsole(t *testing.T) {
	var pid atomic.Int64
	wait := 30 * time.Millisecond
	s := isolated(t, pinfold.Options{
		Workers:   pinfold.Workers{Max: 1},
		Functions: []pinfold.Function{{Name: "killLater", Func: func() { time.Sleep(wait); kill(t, int(pid.Load())) }}},
	})
	lost := func() *pinfold.Outcome {
		first := s.Eval(t.Context(), "a.js", "console.log('other'); return 1", nil)
		if first.Failure != nil || len(first.Console) != 1 {
			t.Fatal(first.Failure, first.Console)
		}
		pid.Store(int64(first.Worker.PID))
		return s.Eval(t.Context(), "b.js", "for (let i = 0; i < 20; i++) console.warn(i + 'x'.repeat(1000)); console.log('last'); killLater(); for (;;);", nil)
	}
	o := lost()
	if !errors.Is(o.Err(), pinfold.ErrInternal) || len(o.Console) < 16 || !strings.HasPrefix(o.Console[15].Text, "15x") || o.Console[15].Level != "warn" {
		t.Errorf("%v, %d lines", o.Err(), len(o.Console))
	}
	for len(o.Console) < 21 { // the machine may be busy
		if wait *= 2; wait > 10*time.Second {
			t.Fatalf("%d lines", len(o.Console))
		}
		o = lost()
	}
	if o.Console[20].Text != "last" {
		t.Errorf("the last line is %q", o.Console[20])
	}
	// The lines of a run that ends are all there, once.
	o = s.Eval(t.Context(), "c.js", "for (let i = 0; i < 30; i++) console.log(i + 'x'.repeat(1000)); const t = Date.now(); while (Date.now() < t + 50); console.log('late'); return 1", nil)
	if o.Failure != nil || len(o.Console) != 31 || !strings.HasPrefix(o.Console[29].Text, "29x") || o.Console[30].Text != "late" {
		t.Errorf("%v, %d lines", o.Failure, len(o.Console))
	}
}

// A worker that doesn't answer is killed when its time and the grace are over,
// and when its run was cancelled and the grace is over.
func TestWorkerHangs(t *testing.T) {
	var pid atomic.Int64
	s := isolated(t, pinfold.Options{
		Limits:    pinfold.Limits{Timeout: 50 * time.Millisecond},
		Workers:   pinfold.Workers{Max: 1, Grace: 50 * time.Millisecond},
		Functions: []pinfold.Function{{Name: "stop", Func: func() { stopProcess(t, int(pid.Load())) }}},
	})
	for _, source := range []string{"stop(); return 1", "for (;;);"} {
		first := s.Eval(t.Context(), "a.js", "return 1", nil)
		if first.Failure != nil {
			t.Fatal(first.Failure)
		}
		pid.Store(int64(first.Worker.PID))
		o := s.Eval(t.Context(), "b.js", source, nil)
		if !errors.Is(o.Err(), pinfold.ErrTime) || !errors.Is(o.Err(), context.DeadlineExceeded) || o.Failure.Limit != 50 || o.Failure.Used < 50 {
			t.Errorf("%s: %v", source, o.Err())
		}
	}
}

func TestWorkerCancelled(t *testing.T) {
	started := make(chan struct{}, 1)
	s := isolated(t, pinfold.Options{
		Functions: []pinfold.Function{
			{Name: "begin", Func: func() { started <- struct{}{} }},
			{Name: "wait", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }},
		},
	})
	for _, source := range []string{"begin(); for (;;);", "begin(); await wait()", "wait(); begin(); for (;;);"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-started; cancel() }()
		o := s.Eval(ctx, "a.js", source, nil)
		if !errors.Is(o.Err(), pinfold.ErrCancelled) || !errors.Is(o.Err(), context.Canceled) {
			t.Errorf("%s: %v", source, o.Err())
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if o := s.Eval(ctx, "a.js", "return 1", nil); !errors.Is(o.Err(), pinfold.ErrCancelled) || !errors.Is(o.Err(), context.DeadlineExceeded) {
		t.Errorf("a context that was over: %v", o.Err())
	}
}

// The end of a run in a worker is the end of its host functions, by their class.
func TestWorkerClosing(t *testing.T) {
	release := make(chan struct{})
	var causes sync.Map
	s := isolated(t, pinfold.Options{
		Limits: pinfold.Limits{AtomicGrace: 10 * time.Millisecond},
		Functions: []pinfold.Function{
			{Name: "good", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) {
				<-ctx.Done()
				causes.Store("good", context.Cause(ctx))
			}},
			{Name: "stuck", Async: true, Cancel: pinfold.Atomic, Func: func(ctx context.Context) { <-release }},
		},
	})
	o := s.Eval(t.Context(), "a.js", "good(); stuck(); await null; return 5", nil)
	if o.Value.String() != "5" || o.Usage.Stragglers != 1 || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "the atomic host function stuck was still at work") {
		t.Errorf("%v %v, notes %q, usage %+v", o.Value, o.Err(), o.Notes, o.Usage)
	}
	if c, _ := causes.Load("good"); c != pinfold.ErrEnded {
		t.Errorf("the cause is %v", c)
	}
	if n := s.Stragglers(); n.Running != 1 {
		t.Errorf("%+v", n)
	}
	close(release)
	for s.Stragglers().Running > 0 {
		time.Sleep(time.Millisecond)
	}
}

func TestWorkerConsoleAndClock(t *testing.T) {
	var lines []string
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	s := isolated(t, pinfold.Options{
		Console:  func(l pinfold.ConsoleLine) { lines = append(lines, l.Level+" "+l.Text) },
		Clock:    func() time.Time { at = at.Add(time.Second); return at },
		Location: time.FixedZone("X", 5400),
		Functions: []pinfold.Function{
			{Name: "count", Func: func() int { return len(lines) }},
		},
	})
	o := s.Eval(t.Context(), "a.js", "console.log('a'); console.error('b'); return [count(), new Date().toISOString(), new Date().getHours()]", nil)
	if got, want := o.Value.String(), `[2,"2026-01-02T03:04:06.006Z",4]`; got != want {
		t.Errorf("got %s %v, want %s", got, o.Err(), want)
	}
	if want := []string{"log a", "error b"}; !reflect.DeepEqual(lines, want) || len(o.Console) != 2 {
		t.Errorf("the lines are %q and %q, want %q", lines, o.Console, want)
	}
	bad := isolated(t, pinfold.Options{Console: func(pinfold.ConsoleLine) { panic("full") }})
	o = bad.Eval(t.Context(), "a.js", "console.log('a'); for (;;);", nil)
	if !errors.Is(o.Err(), pinfold.ErrInternal) || !strings.Contains(o.Err().Error(), "Options.Console panicked") || o.Failure.GoStack() == "" {
		t.Errorf("a console that panics: %v", o.Err())
	}
}

// Many runs share few workers; each has its own worker, nothing is mixed up.
func TestWorkersShared(t *testing.T) {
	s := isolated(t, pinfold.Options{
		Workers: pinfold.Workers{Max: 3, MaxRuns: 20},
		Functions: []pinfold.Function{
			{Name: "same", Func: func(n int) int { return n }},
			{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func(n int) int { return n }},
		},
	})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 15 {
				n := 100*g + i
				o := s.Eval(t.Context(), "a.js", "let s = 0; for (let i = 0; i < 5; i++) s += same(input) + await later(input); return s", n)
				if o.Failure != nil || o.Value.String() != fmt.Sprint(10*n) {
					t.Errorf("%d: %v %v", n, o.Value, o.Err())
				}
			}
		})
	}
	wg.Wait()
}

func TestWorkersBusyAndClosed(t *testing.T) {
	var s *pinfold.Sandbox
	s = isolated(t, pinfold.Options{
		Workers: pinfold.Workers{Max: 1, Wait: 10 * time.Millisecond},
		Functions: []pinfold.Function{{Name: "nested", Func: func(ctx context.Context) string {
			return string(s.Eval(ctx, "b.js", "return 1", nil).Failure.Kind)
		}}},
	})
	if o := s.Eval(t.Context(), "a.js", "return nested()", nil); o.Value.String() != `"busy"` {
		t.Errorf("a run inside the only one: %v %v", o.Value, o.Err())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if o := s.Eval(t.Context(), "a.js", "return 1", nil); !errors.Is(o.Err(), pinfold.ErrInternal) || !strings.Contains(o.Err().Error(), "closed") {
		t.Errorf("after Close: %v", o.Err())
	}
	if _, err := s.Compile("c.js", "1"); !errors.Is(err, pinfold.ErrInternal) {
		t.Errorf("compiling after Close: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// What a program leaves behind in the realm of its run isn't there in the next
// one of the same worker.
func TestWorkerRunsAreFresh(t *testing.T) {
	s := isolated(t, pinfold.Options{Workers: pinfold.Workers{Max: 1}})
	a := s.Eval(t.Context(), "a.js", "Array.prototype.map = () => 'stolen'; globalThis.x = 1; Object.freeze(Object.prototype); return 1", nil)
	b := s.Eval(t.Context(), "b.js", "return [[1].map(x => x + 1), typeof x, Object.isFrozen(Object.prototype)]", nil)
	if b.Value.String() != `[[2],"undefined",false]` || a.Worker.PID != b.Worker.PID || b.Worker.Runs != 1 {
		t.Errorf("%v %v, %+v after %+v", b.Value, b.Err(), b.Worker, a.Worker)
	}
}

func TestIsolationOptions(t *testing.T) {
	for _, c := range []struct {
		opt  pinfold.Options
		want string
	}{
		{pinfold.Options{Isolation: 7}, "there is no Isolation 7"},
		{pinfold.Options{Isolation: pinfold.Process, Workers: pinfold.Workers{Max: -1}}, "negative"},
		{pinfold.Options{Isolation: pinfold.Process, Functions: []pinfold.Function{{Name: "ask", Deferred: true}}}, "Deferred"},
	} {
		if _, err := pinfold.New(c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.opt.Workers, err)
		}
	}
	if pinfold.InProcess.String() != "in-process" || pinfold.Process.String() != "process" {
		t.Error("the names of the tiers")
	}
	pinfold.WorkerMain() // is nothing here

	// A worker whose main forgot WorkerMain must not make workers in its turn.
	old := os.Args
	defer func() { os.Args = old }()
	os.Args = []string{old[0], "pinfold-worker:00"}
	if _, err := pinfold.New(pinfold.Options{Isolation: pinfold.Process}); err == nil || !strings.Contains(err.Error(), "WorkerMain") {
		t.Errorf("a worker that makes workers: %v", err)
	}
}

// BenchmarkIsolated is a run, and a run with a host call, in a warm worker.
func BenchmarkIsolated(b *testing.B) {
	s := isolated(b, pinfold.Options{Functions: []pinfold.Function{{Name: "add", Func: func(a, b float64) float64 { return a + b }}}})
	for _, c := range []struct{ name, source string }{{"trivial", "return 1 + 2"}, {"call", "return add(1, 2)"}} {
		p, err := s.Compile(c.name+".js", c.source)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if o := s.Run(nil, p, nil); o.Failure != nil {
					b.Fatal(o.Failure)
				}
			}
		})
	}
}

// Runs that can wait work in this process: whoever wants one of a sandbox that
// isolates its programs is told so, and what to do.
func TestIsolationRefusesWaiting(t *testing.T) {
	for name, opt := range map[string]pinfold.Options{
		"the function ask is Deferred": {Functions: askers[:1]},
		"Journal is for runs":          {Journal: func(string) (io.Writer, error) { return nil, nil }},
	} {
		opt.Isolation = pinfold.Process
		if _, err := pinfold.New(opt); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "InProcess") {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := isolated(t, pinfold.Options{})
	here := sandbox(t, pinfold.Options{})
	p := compiled(t, s, "return 7")
	waiter := asker(t, nil)
	q := compiled(t, waiter, "return ask(1)")
	x := waiter.Start(nil, q, nil)
	text := journal(t, x)
	snapshot := suspend(t, x)
	x = s.Start(nil, p, nil)
	_, resumed := s.Resume(nil, q, bytes.NewReader(snapshot))
	_, replayed := s.Replay(nil, q, bytes.NewReader(text), pinfold.ReplayOptions{})
	for what, err := range map[string]error{"Start": x.Outcome().Failure, "Resume": resumed, "Replay": replayed} {
		var f *pinfold.Failure
		if !errors.As(err, &f) || f.Kind != pinfold.ErrInternal || !strings.Contains(f.Message, "Isolation: Process") || !strings.Contains(f.Hint, "InProcess") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// The run is over, whatever is asked of it.
	if x.ID() != "" || len(x.Pending()) != 0 || !errors.Is(x.Suspend(nil), pinfold.ErrNotWaiting) || !errors.Is(x.Answer(1, nil, nil), pinfold.ErrNotWaiting) || !errors.Is(x.Journal(nil), pinfold.ErrNotWaiting) || x.Cancel() != x.Outcome() {
		t.Error("a run that never began does something")
	}
	if _, err := x.Fork(); !errors.Is(err, pinfold.ErrNotWaiting) {
		t.Error(err)
	}
	if out, err := x.Wait(nil); err != nil || out.Failure == nil {
		t.Error(out, err)
	}
	// A program that was compiled in a worker is compiled again where it starts.
	if out := here.Start(nil, p, nil).Outcome(); out == nil || out.Value.String() != "7" {
		t.Errorf("%+v", out)
	}
}
