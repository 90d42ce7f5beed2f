package evaluate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/evaluate"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	goleak.VerifyTestMain(m)
}

// onTiers runs a test where guests run in this process, and in workers.
func onTiers(t *testing.T, cfg func() evaluate.Config, test func(t *testing.T, e *evaluate.Evaluator)) {
	t.Helper()
	for _, tier := range []pinfold.Isolation{pinfold.InProcess, pinfold.Process} {
		t.Run(tier.String(), func(t *testing.T) {
			c := cfg()
			if c.Gate == nil {
				c.Gate = evaluate.AllowAll
			}
			c.Sandbox.Isolation = tier
			e, err := evaluate.New(c)
			if err != nil {
				if tier == pinfold.Process && strings.Contains(err.Error(), "Isolation Process") {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			test(t, e)
		})
	}
}

func plain() evaluate.Config { return evaluate.Config{} }

var reDuration = regexp.MustCompile(`"durationMs":[0-9.e-]+`)

// outcome evaluates and returns the outcome as JSON without its duration, or the
// error.
func outcome(t *testing.T, e *evaluate.Evaluator, source string) string {
	t.Helper()
	o, err := e.Evaluate(context.Background(), source, 5*time.Second)
	if err != nil {
		return "error: " + err.Error()
	}
	b, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return reDuration.ReplaceAllString(string(b), `"durationMs":0`)
}

// TestOutcomes has the shape that the specification of the outcome gives, and its
// honest encoding.
func TestOutcomes(t *testing.T) {
	const tail = `,"durationMs":0,"logs":[],"logsCapped":false,"logsComplete":true}`
	ok := func(result string) string { return `{"ok":true,"result":` + result + `,"encoding":"encoder"` + tail }
	partial := func(result string, paths string) string {
		return `{"ok":true,"result":` + result + `,"encoding":"partial","partialPaths":[` + paths + `]` + tail
	}
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		for _, tt := range []struct{ source, want string }{
			{`({a:1,b:[2,3]})`, ok(`{"a":1,"b":[2,3]}`)},
			{`{a: 1}`, ok(`{"a":1}`)},
			{`const x = 1; x`, ok(`1`)},
			{`return 5`, ok(`5`)},
			{`await Promise.resolve(7)`, ok(`7`)},
			{`1))(),(async()=>(2`, `{"ok":false,"thrown":{"kind":"syntax","name":"SyntaxError","message":"Unexpected token ')'"`},
			{`undefined`, ok(`{"$js":"undefined"}`)},
			{`123n`, ok(`{"$js":"bigint","v":"123"}`)},
			{`new Map([[1,2]])`, ok(`{"$js":"map","v":[[1,2]]}`)},
			{`[NaN,Infinity,-0]`, ok(`[{"$js":"number","v":"NaN"},{"$js":"number","v":"Infinity"},{"$js":"number","v":"-0"}]`)},
			{`new Date(0)`, ok(`{"$js":"date","v":"1970-01-01T00:00:00.000Z"}`)},
			{`new Uint8Array([1,2,3])`, ok(`{"$js":"bytes","v":"AQID","type":"Uint8Array"}`)},
			{`new Set([1])`, ok(`{"$js":"set","v":[1]}`)},
			{`let o = {}; o.self = o; o`, ok(`{"self":{"$js":"ref","path":[]}}`)},
			{`({$js: 'x'})`, ok(`{"$js":"object","v":{"$js":"x"}}`)},
			{`() => 1`, partial(`{"$js":"opaque","type":"function"}`, `"result"`)},
			{`Symbol()`, partial(`{"$js":"opaque","type":"symbol"}`, `"result"`)},
			{`({get x() { return 1 }, y: 2})`, partial(`{"x":{"$js":"opaque","type":"accessor"},"y":2}`, `"result.x"`)},
			{`let d = 1; for (let i = 0; i < 40; i++) d = [d]; d`, `"encoding":"partial","partialPaths":["result[0][0]`},
			{`Array(20000).fill(1)`, `{"$js":"cut","reason":"nodes"}],"encoding":"partial"`},
			{`console.log('before'); throw Error('boom')`, `{"ok":false,"thrown":{"kind":"error","name":"Error","message":"boom","stack":"Error: boom\n    at`},
			{`console.log('before'); throw Error('boom')`, `"line":1,"column":30,"sourceLine":"console.log('before'); throw Error('boom')"}`},
			{`console.log('before'); throw Error('boom')`, `"logs":[{"seq":1,"level":"log","text":"before","truncated":false}]`},
			{`throw {code:7}`, `{"ok":false,"thrown":{"kind":"value","encoded":{"code":7},"encoding":"encoder","line":1`},
			{`throw undefined`, `"thrown":{"kind":"value","encoded":{"$js":"undefined"}`},
			{`throw () => 1`, `"thrown":{"kind":"opaque","line":1`},
			{`1 +`, `"thrown":{"kind":"syntax","name":"SyntaxError","message":"Unexpected end of input","line":1,"column":4`},
			{`console.error("x"); console.warn({a: [1]})`, `"logs":[{"seq":1,"level":"error","text":"x","truncated":false},{"seq":2,"level":"warn","text":"{ a: [ 1 ] }","truncated":false}]`},
			{`"<!-- x"`, ok(`"\u003c!-- x"`)},
			{`"call import(x) here"`, ok(`"call import(x) here"`)},
			{`const n: number = 2; n`, ok(`2`)},
			{`nothing`, `"message":"nothing is not defined"`},
		} {
			got := outcome(t, e, tt.source)
			if strings.HasPrefix(tt.want, `{"ok":true`) && got != tt.want || !strings.Contains(got, tt.want) {
				t.Errorf("%s\ngives %s\nwant  %s", tt.source, got, tt.want)
			}
		}
	})
}

func wantCode(t *testing.T, err error, code evaluate.Code, narration evaluate.Narration, message string) {
	t.Helper()
	var x *evaluate.Error
	if !errors.As(err, &x) || x.Code != code || x.Narration != narration || !strings.Contains(x.Message, message) || !errors.Is(err, code) || x.Status() == 0 {
		t.Errorf("%v (%+v), want %s, %s, %q", err, x, code, narration, message)
	}
}

// The promises that the first table of the evaluator's specification lists, and
// the suite that every way to run guests must pass.

func TestPromiseLoopIsContained(t *testing.T) {
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		for _, source := range []string{
			`while (true) {}`, `(()=>{while(1){}})()`, `new Promise(()=>{ for (;;); })`, `/(a+)+$/.test('a'.repeat(40) + '!')`,
			`function f() { Promise.resolve().then(f) } f(); await new Promise(() => {})`, `try { while (1) {} } finally { while (1) {} }`,
		} {
			_, err := e.Evaluate(context.Background(), source, 200*time.Millisecond)
			wantCode(t, err, evaluate.Failed, evaluate.TimedOut, "Evaluation timed out after 0.2 seconds (kind: timed-out).")
		}
		if got := outcome(t, e, `1`); !strings.HasPrefix(got, `{"ok":true`) {
			t.Error(got)
		}
	})
}

func TestPromiseMemoryIsContained(t *testing.T) {
	onTiers(t, func() evaluate.Config {
		return evaluate.Config{Sandbox: pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 16 << 20}}}
	}, func(t *testing.T, e *evaluate.Evaluator) {
		for _, source := range []string{
			`let a = []; while (true) a.push(new Array(1000).fill('x'))`, `let a = []; for (let i = 0; i < 20; i++) a.push(new ArrayBuffer(64 << 20))`,
			`let s = 'x'; while (true) s += s + s.length`, `let a = []; for (;;) a.push(new Promise(() => {}))`,
		} {
			o, err := e.Evaluate(context.Background(), source, 10*time.Second)
			if err == nil && !o.OK && o.Thrown.Name == "RangeError" {
				continue // refused before it was made
			}
			wantCode(t, err, evaluate.GuestOOM, evaluate.OverBudget, "ran out of memory")
		}
	})
}

func TestPromiseRecursionIsContained(t *testing.T) {
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		_, err := e.Evaluate(context.Background(), `function f() { f() } f()`, time.Second)
		wantCode(t, err, evaluate.Failed, evaluate.OverBudget, "call depth")
	})
}

// A guest that waits for ever is ended, and the wait costs nothing afterwards.
func TestPromiseNeverSettlesIsReported(t *testing.T) {
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		if got := outcome(t, e, `new Promise(()=>{})`); !strings.Contains(got, "never settle") {
			t.Error(got)
		}
	})
}

func TestPromiseTurnsAbortStopsIt(t *testing.T) {
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err := e.Evaluate(ctx, `while (true) {}`, 30*time.Second)
		wantCode(t, err, evaluate.Terminated, evaluate.Aborted, "aborted")
	})
}

func TestPromiseNothingAmbient(t *testing.T) {
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		for _, tt := range []struct{ source, want string }{
			{`['fetch','process','require','setTimeout','WebAssembly','SharedArrayBuffer','ctx'].map(k => typeof globalThis[k]).join()`, `"undefined,undefined,undefined,undefined,undefined,undefined,undefined"`},
			{`try { Date.now() } catch (e) { e.name }`, `"TypeError"`},
			{`try { Math.random() } catch (e) { e.name }`, `"TypeError"`},
			{`Object.isFrozen(Array.prototype) && Object.isFrozen(Object.getPrototypeOf(async () => {}))`, `true`},
			{`(() => {}).constructor('return typeof process')()`, `"undefined"`},
		} {
			if got := outcome(t, e, tt.source); !strings.Contains(got, `"result":`+tt.want) {
				t.Errorf("%s gives %s", tt.source, got)
			}
		}
	})
}

func globals(release chan struct{}, calls *atomic.Int64) map[string]evaluate.Global {
	return map[string]evaluate.Global{
		"echo": {Cancellation: pinfold.Cooperative, Doc: "Gives back what it gets.", Type: "(x: unknown) => Promise<unknown>", Func: func(_ context.Context, args []any) (any, error) {
			calls.Add(1)
			return args, nil
		}},
		"fail":     {Cancellation: pinfold.Cooperative, Func: func(context.Context, []any) (any, error) { return nil, errors.New("the host says no") }},
		"obedient": {Cancellation: pinfold.Cooperative, Func: func(ctx context.Context, _ []any) (any, error) { <-ctx.Done(); return nil, ctx.Err() }},
		"stubborn": {Cancellation: pinfold.Cooperative, Func: func(context.Context, []any) (any, error) { <-release; return 1, nil }},
		"large":    {Cancellation: pinfold.Cooperative, Func: func(context.Context, []any) (any, error) { return strings.Repeat("x", 10_000), nil }},
	}
}

func TestHostcalls(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	var calls atomic.Int64
	onTiers(t, func() evaluate.Config {
		return evaluate.Config{
			Globals: globals(release, &calls), Limits: evaluate.Limits{MaxHostcallBytes: 4096},
			Quotas: evaluate.Quotas{HostcallTimeoutMs: 200, MaxHostcallsPerEvaluation: 5, MaxConcurrentHostcalls: 2},
		}
	}, func(t *testing.T, e *evaluate.Evaluator) {
		for _, tt := range []struct{ source, want string }{
			{`await echo(1, {a: [2n]})`, `"result":[1,{"a":[{"$js":"bigint","v":"2"}]}]`},
			{`await echo().then(x => x.length)`, `"result":0`},
			{`try { await fail() } catch (e) { [e.name, e.message] }`, `"result":["Error","the host says no"]`},
			{`let n = 0, m; for (let i = 0; i < 9; i++) try { await echo(i); n++ } catch (e) { m = [e.code, e.message] } [n, ...m]`, `"result":[5,"E_HOSTCALL_QUOTA","Hostcall quota exceeded: echo: too many requests (limit 5)"]`},
			{`(await Promise.allSettled([obedient(), obedient(), echo(3)])).map(r => r.reason.code)`, `"result":["E_HOSTCALL_TIMEOUT","E_HOSTCALL_TIMEOUT","E_HOSTCALL_QUOTA"]`},
			{`let r = []; for (let i = 0; i < 3; i++) await stubborn().catch(e => r.push(e.code)); r`, `"result":["E_HOSTCALL_TIMEOUT","E_HOSTCALL_TIMEOUT","E_HOSTCALL_QUOTA"]`},
			{`try { await echo('x'.repeat(5000)) } catch (e) { [e.code, e.message] }`, `"result":["E_HOSTCALL_TOO_LARGE","Hostcall arguments exceed byte limit (4096)"]`},
			{`try { await large() } catch (e) { [e.code, e.message] }`, `"result":["E_HOSTCALL_TOO_LARGE","Hostcall result exceeds byte limit (4096)"]`},
			{`await echo(1); 2`, `"hostcalls":[{"id":1,"name":"echo","result":"ok","bytesIn":`},
			{`echo(1); 2`, `"result":2`},
			{`nope(1)`, `"hint":`},
		} {
			if got := outcome(t, e, tt.source); !strings.Contains(got, tt.want) {
				t.Errorf("%s\ngives %s\nwant  %s", tt.source, got, tt.want)
			}
		}
	})
}

// TestPromiseHostFunctionsAreCopies: nothing of the host is reachable through what
// it returns.
func TestPromiseHostFunctionsAreCopies(t *testing.T) {
	shared := map[string]any{"n": 1.0, "list": []any{1.0}}
	onTiers(t, func() evaluate.Config {
		return evaluate.Config{Globals: map[string]evaluate.Global{"fetchRow": {Cancellation: pinfold.Cooperative, Func: func(context.Context, []any) (any, error) { return shared, nil }}}}
	}, func(t *testing.T, e *evaluate.Evaluator) {
		outcome(t, e, `let x = await fetchRow(); x.n = 5; x.list.push(2); x.evil = 1; x`)
		if fmt.Sprint(shared) != "map[list:[1] n:1]" {
			t.Error(shared)
		}
		if got := outcome(t, e, `Reflect.ownKeys(fetchRow).join() + typeof fetchRow.constructor('return this')().process`); !strings.Contains(got, `"result":"length,nameundefined"`) {
			t.Error(got)
		}
	})
}

func TestLogs(t *testing.T) {
	onTiers(t, func() evaluate.Config {
		return evaluate.Config{Limits: evaluate.Limits{MaxLogEvents: 3, MaxLogEventBytes: 32}}
	}, func(t *testing.T, e *evaluate.Evaluator) {
		got := outcome(t, e, `for (let i = 0; i < 1e6; i++) console.log('line', i); 'done'`)
		if want := `"result":"done","encoding":"encoder","durationMs":0,"logs":[{"seq":1,"level":"log","text":"line 0","truncated":false},{"seq":2,"level":"log","text":"line 1","truncated":false},{"seq":3,"level":"log","text":"line 2","truncated":false}],"logsCapped":true,"logsComplete":true`; !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
		got = outcome(t, e, `console.log('x'.repeat(100))`)
		if !strings.Contains(got, `… [cut]","truncated":true}`) || strings.Contains(got, strings.Repeat("x", 25)) {
			t.Error(got)
		}
		_, err := e.Evaluate(context.Background(), `console.log('kept'); while (1) {}`, 100*time.Millisecond)
		var x *evaluate.Error
		if !errors.As(err, &x) || len(x.Logs) != 1 || x.Logs[0].Text != "kept" {
			t.Errorf("%v %+v", err, x)
		}
	})
}

// TestTerminalPayload: a result of 50 MB is cut and the logs stay.
func TestTerminalPayload(t *testing.T) {
	onTiers(t, plain, func(t *testing.T, e *evaluate.Evaluator) {
		o, err := e.Evaluate(context.Background(), `console.log('kept'); 'x'.repeat(50e6)`, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(o)
		if o.Encoding != evaluate.Part || len(b) > 10_000_000 || !strings.Contains(string(b), `{"$js":"cut","reason":"bytes"}`) || len(o.Logs) != 1 {
			t.Errorf("%s, %d bytes, %d logs", o.Encoding, len(b), len(o.Logs))
		}
	})
}

func TestManyHostcalls(t *testing.T) {
	var calls atomic.Int64
	onTiers(t, func() evaluate.Config {
		calls.Store(0)
		return evaluate.Config{Globals: globals(nil, &calls), Quotas: evaluate.Quotas{MaxHostcallsPerEvaluation: 20_000}}
	}, func(t *testing.T, e *evaluate.Evaluator) {
		o, err := e.Evaluate(context.Background(), `let n = 0; for (let i = 0; i < 10000; i++) n += (await echo(i)).length; n`, 60*time.Second)
		if err != nil || string(o.Result) != "10000" || calls.Load() != 10_000 {
			t.Errorf("%v %v, %d calls", o, err, calls.Load())
		}
	})
}

func TestModules(t *testing.T) {
	onTiers(t, func() evaluate.Config {
		return evaluate.Config{Modules: map[string]evaluate.Module{
			"prices":   {Data: json.RawMessage(`{"tea": 3, "list": [1]}`), Doc: "what things cost"},
			"sums":     {Source: `import prices from 'prices'; export const double = n => prices.tea * n * 2`},
			"typed.ts": {Source: `export const n: number = 4`},
			"raw.json": {Data: json.RawMessage(`[1, 2]`)},
		}}
	}, func(t *testing.T, e *evaluate.Evaluator) {
		for _, tt := range []struct{ source, want string }{
			{`(await import('prices')).default.tea`, `"result":3`},
			{`(await import('prices')).tea`, `"result":3`},
			{`let p = (await import('prices')).default; [Object.isFrozen(p), Object.isFrozen(p.list)]`, `"result":[true,true]`},
			{`import { double } from 'sums'; export default double(5)`, `"result":30`},
			{`(await import('typed.ts')).n`, `"result":4`},
			{`(await import('other')).x`, `module \"other\" is not available (available: prices, raw.json, sums, typed.ts)`},
			{`import x from 'other'; export default x`, `module \"other\" is not available (available: prices, raw.json, sums, typed.ts)`},
		} {
			if got := outcome(t, e, tt.source); !strings.Contains(got, tt.want) {
				t.Errorf("%s\ngives %s\nwant  %s", tt.source, got, tt.want)
			}
		}
		if d := e.Definition().Description; !strings.Contains(d, "- prices – what things cost\n- raw.json") {
			t.Error(d)
		}
	})
}
