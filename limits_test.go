package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

func TestEveryLimit(t *testing.T) {
	noop := []pinfold.Function{{Name: "f", Func: func() {}}, {Name: "g", Async: true, Cancel: pinfold.Cooperative, Func: func() {}}}
	tests := []struct {
		name, source string
		limits       pinfold.Limits
		want         pinfold.Kind
		limit        int64
	}{
		{"fuel", "for (;;);", pinfold.Limits{Fuel: 1_000_000}, pinfold.ErrFuel, 1_000_000},
		{"fuel in a built-in", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)", pinfold.Limits{Fuel: 1_000_000}, pinfold.ErrFuel, 1_000_000},
		{"fuel in a regular expression", "/^(a+)+$/.test('a'.repeat(40) + '!')", pinfold.Limits{Fuel: 1_000_000}, pinfold.ErrFuel, 1_000_000},
		{"fuel in microtasks", "(function f() { Promise.resolve().then(f) })()", pinfold.Limits{Fuel: 1_000_000}, pinfold.ErrFuel, 1_000_000},
		{"fuel in toJSON", "return { toJSON() { for (;;); } }", pinfold.Limits{Fuel: 1_000_000}, pinfold.ErrFuel, 1_000_000},
		{"memory", "const a = []; for (;;) a.push({})", pinfold.Limits{MemoryBytes: 8 << 20}, pinfold.ErrMemory, 8 << 20},
		{"memory of strings", "const a = []; for (let i = 0; ; i++) a.push('x'.repeat(1 << 20) + i, a.join().length)", pinfold.Limits{MemoryBytes: 8 << 20}, pinfold.ErrMemory, 8 << 20},
		{"memory at once", "new ArrayBuffer(1 << 30)", pinfold.Limits{MemoryBytes: 8 << 20}, pinfold.ErrMemory, 8 << 20},
		{"memory of the input", "input", pinfold.Limits{MemoryBytes: 1 << 20}, pinfold.ErrMemory, 1 << 20},
		{"total allocation", "for (;;) new Array(1000).fill(0)", pinfold.Limits{AllocatedBytes: 20 << 20}, pinfold.ErrMemory, 20 << 20},
		{"time", "for (;;);", pinfold.Limits{Timeout: 30 * time.Millisecond}, pinfold.ErrTime, 30},
		{"stack", "(function f() { f() })()", pinfold.Limits{CallDepth: 100}, pinfold.ErrStack, 100},
		{"stack of built-ins", "const o = { toString() { return `${o}` } }; `${o}`", pinfold.Limits{NativeDepth: 50}, pinfold.ErrStack, 50},
		{"output bytes", "for (;;) console.log('x'.repeat(100))", pinfold.Limits{OutputBytes: 5000}, pinfold.ErrOutput, 5000},
		{"output in one line", "console.log(Array(10000).fill('xxxxxxxxxx').join())", pinfold.Limits{OutputBytes: 5000}, pinfold.ErrOutput, 5000},
		{"output of an object", "console.log(Array(90).fill('x'.repeat(1000)))", pinfold.Limits{OutputBytes: 5000}, pinfold.ErrOutput, 5000},
		{"output lines", "for (;;) console.log()", pinfold.Limits{OutputLines: 10}, pinfold.ErrOutput, 10},
		{"source", "return 1 // " + strings.Repeat("x", 1000), pinfold.Limits{SourceBytes: 100}, pinfold.ErrSource, 100},
		{"source nested deeply", strings.Repeat("(", 100_000), pinfold.Limits{}, pinfold.ErrSource, 0},
		{"result bytes", "'x'.repeat(1000)", pinfold.Limits{ResultBytes: 100}, pinfold.ErrResult, 100},
		{"result depth", "let a = []; for (let i = 0; i < 100; i++) a = [a]; return a", pinfold.Limits{}, pinfold.ErrResult, 64},
		{"result values", "Array(2e6).fill(1)", pinfold.Limits{ResultBytes: 1 << 30}, pinfold.ErrResult, 1_000_000},
		{"host calls", "for (;;) f()", pinfold.Limits{HostCalls: 10}, pinfold.ErrHostCalls, 10},
		{"asynchronous host calls", "for (;;) g()", pinfold.Limits{HostCalls: 10}, pinfold.ErrHostCalls, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sandbox(t, pinfold.Options{Limits: tt.limits, Functions: noop})
			o := s.Eval(context.Background(), "test", tt.source, make([]int, 200_000))
			f := o.Failure
			if f == nil {
				t.Fatalf("no failure, value %.100s", o.Value)
			}
			if f.Kind != tt.want || !errors.Is(o.Err(), tt.want) || f.Limit != tt.limit || tt.limit > 0 && f.Used <= 0 {
				t.Errorf("got %s, limit %d, used %d: %v", f.Kind, f.Limit, f.Used, f)
			}
			if f.File != "test" {
				t.Errorf("the file is %q", f.File)
			}
		})
	}
}

// traps are the ways in which a program may try to go on after a limit.
var traps = []struct{ name, source string }{
	{"catch", "try { hit() } catch { escaped() }"},
	{"finally", "try { hit() } finally { escaped() }"},
	{"return in finally", "for (;;) { try { hit() } finally { escaped(); continue } }"},
	{"promise reaction", "await Promise.resolve().then(hit).then(escaped, escaped)"},
	{"finally of a promise", "await Promise.resolve().then(hit).finally(escaped)"},
	{"async catch", "await (async () => { await 0; hit() })().catch(escaped)"},
	{"catch in a loop", "while (true) { try { await (async () => hit())() } catch { escaped() } }"},
	{"generator return", "function* g() { try { yield 1 } finally { escaped() } } for (const x of g()) hit()"},
	{"iterator close", "const it = { [Symbol.iterator]() { return this }, next() { return { value: 1 } }, return() { escaped() } }; for (const x of it) hit()"},
	{"destructuring close", "const it = { [Symbol.iterator]() { return this }, next() { return { get value() { hit() } } }, return() { escaped() } }; const [a] = it"},
	{"async iterator close", "const it = { [Symbol.asyncIterator]() { return this }, async next() { return { value: 1 } }, async return() { escaped() } }; for await (const x of it) hit()"},
	{"toString", "try { `${{ toString: hit }}` } catch (e) { escaped() }"},
	{"getter in a proxy", "try { new Proxy({}, { get: hit }).x } catch (e) { escaped() }"},
	{"sort comparator", "try { [3, 2, 1].sort(hit) } catch (e) { escaped() }"},
	{"replace callback", "try { 'a'.replace(/a/, hit) } catch (e) { escaped() }"},
	{"JSON reviver", "try { JSON.parse('[1]', hit) } catch (e) { escaped() }"},
	{"toJSON", "try { JSON.stringify({ toJSON: hit }) } catch (e) { escaped() }"},
	{"Promise executor", "await new Promise(hit).catch(escaped)"},
	{"thenable", "await Promise.resolve({ then: hit }).catch(escaped)"},
	{"Promise.all", "await Promise.all([1].map(async () => hit())).catch(escaped)"},
	{"class static block", "try { class A { static { hit() } } } catch { escaped() }"},
	{"eval", "try { eval('hit()') } catch { escaped() }"},
	{"Function", "try { new Function('f', 'f()')(hit) } catch { escaped() }"},
	{"queueMicrotask", "queueMicrotask(hit); queueMicrotask(escaped); await 0"},
	{"await using", "try { hit() } catch { escaped() }"},
	{"Reflect.apply", "try { Reflect.apply(hit, null, []) } catch { escaped() }"},
	{"host call in between", "try { noop(); hit() } catch { noop(); escaped() }"},
	{"Array.fromAsync", "await Array.fromAsync([1], hit).catch(escaped)"},
	{"iterator helper", "try { [1].values().map(hit).toArray() } catch { escaped() }"},
}

// The ways to hit a limit.
var hits = []struct {
	kind   pinfold.Kind
	source string
	limits pinfold.Limits
}{
	{pinfold.ErrFuel, "for (;;);", pinfold.Limits{Fuel: 100_000}},
	{pinfold.ErrMemory, "const a = []; for (;;) a.push([1, 2, 3, 4])", pinfold.Limits{MemoryBytes: 2 << 20}},
	{pinfold.ErrStack, "(function f() { f() })()", pinfold.Limits{CallDepth: 100}},
	{pinfold.ErrOutput, "for (;;) console.log('x')", pinfold.Limits{OutputLines: 20}},
	{pinfold.ErrHostCalls, "for (;;) noop()", pinfold.Limits{HostCalls: 20}},
	{pinfold.ErrTime, "for (;;);", pinfold.Limits{Timeout: 3 * time.Millisecond}},
	{pinfold.ErrInternal, "boom()", pinfold.Limits{}},
}

func TestLimitsCannotBeCaught(t *testing.T) {
	for _, hit := range hits {
		t.Run(string(hit.kind), func(t *testing.T) {
			escaped := ""
			s := sandbox(t, pinfold.Options{Limits: hit.limits, Functions: []pinfold.Function{
				{Name: "noop", Func: func() {}},
				{Name: "boom", Func: func() { panic("boom") }},
				{Name: "escaped", Func: func() { escaped = "escaped" }},
			}})
			for _, trap := range traps {
				escaped = ""
				o := s.Eval(context.Background(), "test", "let times = 0; function hit() { if (times++ > 0) escaped();"+hit.source+" }\n"+trap.source, nil)
				if o.Failure == nil || o.Failure.Kind != hit.kind || escaped != "" {
					t.Errorf("%s: %s %v", trap.name, escaped, o.Failure)
				}
			}
		})
	}
}

// The one-line programs that other engines run on with, or die of: each ends by
// its limit, or with a value, within 50 ms past the timeout.
func TestHostilePrograms(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("takes some seconds, and measures time")
	}
	timeout := 300 * time.Millisecond
	for _, source := range []string{
		"Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
		"Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)",
		"new Array(2 ** 28).join('xx').length",
		"const s = 'x'.repeat(1 << 20), a = []; for (let i = 0; i < 1000; i++) a.push(s + i); JSON.stringify(a)",
		"let s = ''; for (let i = 0; i < 300000; i++) s += 'x' + i; return s.length",
		"Array.prototype.every.call({ length: 2 ** 32 - 1 }, () => true)",
		"11n ** 711111111n",
		"'x'.padStart(2147483647).length",
		"let s = 'ab'; for (;;) s += s",
		"const a = []; a[0] = a; String(a) + a.join()",
		"const o = { get x() { return this.x } }; o.x",
		"JSON.parse('['.repeat(5e6))",
		"let a = []; for (let i = 0; i < 2e5; i++) a = [a]; JSON.stringify(a)",
		"let p = {}; for (let i = 0; i < 3e5; i++) p = Object.create(p); p.missing",
		"let p = {}; for (let i = 0; i < 3e5; i++) p = new Proxy(p, {}); p.missing",
		"let f = () => 1; for (let i = 0; i < 3e5; i++) f = f.bind(null); f()",
		"eval('('.repeat(5e5))",
		"/^(a+)+\\1$/.test('a'.repeat(40) + '!')",
		"Reflect.apply(() => 1, null, { length: 2 ** 32 - 1 })",
		"Array.from({ length: 2 ** 53 - 1 })",
		"const a = Array.from({ length: 1e6 }, (_, i) => i); a.sort(() => 1)",
		"structuredClone(Array.from({ length: 1e6 }, () => ({})))",
		"let e = new Error('x'); for (let i = 0; i < 1e5; i++) e = new Error('y', { cause: e }); throw e",
		"const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
		"for (let i = 0; ; i++) Symbol.for('s' + i)",
		"async function f() { await 0; for (;;); } while (true) f().catch(() => {})",
	} {
		s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{Timeout: timeout, MemoryBytes: 64 << 20, Fuel: 1 << 60}})
		begin := time.Now()
		o := s.Eval(context.Background(), "test", source, nil)
		if d := time.Since(begin) - timeout; d > slack {
			t.Errorf("%s: %v past the timeout: %v", source, d, o.Failure)
		}
		if o.Failure != nil && o.Failure.Kind == pinfold.ErrInternal {
			t.Errorf("%s: %v\n%s", source, o.Failure, o.Failure.GoStack())
		}
	}
}

// A thousand runs started at once: each has the fuel, the memory and the value
// that it has alone.
func TestManyRunsAtOnce(t *testing.T) {
	s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 16 << 20, Timeout: 5 * time.Minute}, Functions: []pinfold.Function{
		{Name: "twice", Func: func(x float64) float64 { return 2 * x }},
	}})
	p := program(t, s, `
		const items = [];
		for (let i = 0; i < 10000; i++) items.push({ id: i, name: 'item ' + i, tags: [i % 7] });
		const byTag = Object.groupBy(items, (x) => x.tags[0]);
		return [items.length, Object.keys(byTag).length, twice(byTag[3].length)]`)
	alone := s.Run(nil, p, nil)
	if alone.Failure != nil {
		t.Fatal(alone.Failure)
	}
	const runs = 1000
	start := make(chan struct{})
	outs := make([]*pinfold.Outcome, runs)
	var wg sync.WaitGroup
	for i := range outs {
		wg.Go(func() {
			<-start
			outs[i] = s.Run(context.Background(), p, nil)
		})
	}
	close(start)
	wg.Wait()
	for i, o := range outs {
		if o.Failure != nil {
			t.Fatalf("run %d: %v", i, o.Failure)
		}
		if o.Usage.Fuel != alone.Usage.Fuel || o.Usage.PeakBytes != alone.Usage.PeakBytes || o.Value.String() != alone.Value.String() {
			t.Fatalf("run %d: %s, %+v\nalone: %s, %+v", i, o.Value, o.Usage, alone.Value, alone.Usage)
		}
	}
}

// Many asynchronous calls, one after the other and all at once.
func TestManyHostCalls(t *testing.T) {
	s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{HostCalls: 20_000}, Functions: []pinfold.Function{
		{Name: "next", Async: true, Cancel: pinfold.Cooperative, Func: func(i int) int { return i + 1 }},
	}})
	o := s.Eval(nil, "test", "let n = 0; for (let i = 0; i < 5000; i++) n = await next(n); const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => next(i))); return [n, all.length, all[999]]", nil)
	if o.Failure != nil || o.Value.String() != "[5000,1000,1000]" {
		t.Errorf("%s, %v", o.Value, o.Failure)
	}
}

// One run's changes are gone in the next.
func TestRunsShareNothing(t *testing.T) {
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{{Name: "tool.f", Func: func() {}}}})
	probe := `
		const seen = [];
		const look = (o, path) => { for (const k of Reflect.ownKeys(o)) seen.push(path + '.' + String(k)) };
		look(globalThis, 'globalThis');
		for (const k of ['Object', 'Array', 'Function', 'Promise', 'Map', 'Math', 'JSON', 'console', 'tool'])
			{ look(globalThis[k], k); if (globalThis[k].prototype) look(globalThis[k].prototype, k + '.prototype') }
		return [seen.join(' '), [1, 2].map((x) => x * 2).join(), JSON.stringify({ a: 1 }), typeof tool.f, typeof console.log]`
	p := program(t, s, probe)
	before := s.Run(nil, p, nil)
	if before.Failure != nil {
		t.Fatal(before.Failure)
	}
	for _, change := range []string{
		"globalThis.leak = 1", "Object.prototype.leak = 1", "Array.prototype.map = 1", "delete Array.prototype.map", "delete globalThis.Map",
		"JSON.stringify = () => 'no'", "console.log = 1", "delete globalThis.console", "Object.freeze(Object.prototype)", "globalThis.tool = 1",
		"Object.setPrototypeOf(Array.prototype, null)", "Function.prototype.call = 1", "Promise.prototype.then = 1", "Math.leak = 1",
		"Object.defineProperty(Array.prototype, 0, { set() {} })", "Symbol.for('leak')", "console.leak = 1", "Object.assign = 1",
	} {
		s.Eval(nil, "test", change, nil)
		if after := s.Run(nil, p, nil); after.Failure != nil || after.Value.String() != before.Value.String() {
			t.Errorf("after %q the next run is another: %v", change, after.Failure)
		}
	}
}

func ExampleLimits() {
	l := pinfold.Limits{MemoryBytes: 64 << 20}.WithDefaults()
	fmt.Println(l.MemoryBytes, l.AllocatedBytes, l.Fuel, l.Timeout)
	// Output: 67108864 1073741824 200000000 10s
}

// Compiling is bounded by time, context and memory.
func TestCompileIsBounded(t *testing.T) {
	source := strings.Repeat("(() => { let a = 1; return a + 1 })();", 20_000)
	s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{Timeout: time.Millisecond}})
	if _, err := s.Compile("test", source); !errors.Is(err, pinfold.ErrTime) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("time: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s = sandbox(t, pinfold.Options{})
	if o := s.Eval(ctx, "test", source, nil); !errors.Is(o.Err(), pinfold.ErrCancelled) {
		t.Errorf("context: %v", o.Err())
	}
	s = sandbox(t, pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 1 << 20}})
	if _, err := s.Compile("test", source); !errors.Is(err, pinfold.ErrMemory) {
		t.Errorf("memory: %v", err)
	}
	for _, nest := range []string{"(", "[", "{", "a=>", "(a=", "`${", "<", "new ", "!", "a?b:", "function f(){", "class A extends ", "if(a)", "async a=>", "a**", "-", "({a:", "[a,..."} {
		begin := time.Now()
		_, err := s.Compile("test.ts", strings.Repeat(nest, 1<<20/len(nest)))
		if d := time.Since(begin); err == nil || d > time.Second+slack {
			t.Errorf("%s: %v after %v", nest, err, d)
		}
	}
}

// What asynchronous calls hold while they are pending counts as memory.
func TestPendingCallsAreCharged(t *testing.T) {
	s := sandbox(t, pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 32 << 20}, Functions: []pinfold.Function{
		{Name: "hold", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, _ string) { <-ctx.Done() }},
	}})
	if o := s.Eval(nil, "test", "const s = 'x'.repeat(1 << 20); for (let i = 0; i < 500; i++) hold(s)", nil); !errors.Is(o.Err(), pinfold.ErrMemory) {
		t.Errorf("%s, %v", o.Value, o.Err())
	}
}
