package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

func timerSandbox(t *testing.T, opt pinfold.Options) *pinfold.Sandbox {
	t.Helper()
	opt.Timers = true
	s, err := pinfold.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const sleepSource = "const sleep = (ms, ...a) => new Promise(r => setTimeout(r, ms, ...a)); "

// The order and the messages are node's, which has no virtual clock: what the
// clock shows is what the delays add up to.
func TestTimersVirtual(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"due time, then creation", `const log = []; setTimeout(() => log.push('c'), 20); setTimeout(() => log.push('a'), 10); setTimeout(() => log.push('b'), 10); setTimeout(() => log.push('d'), 20); await sleep(30); return log.join('')`, `"abcd"`},
		{"delays that count as one", `const log = []; for (const d of [2, 1, 0, -5, NaN, undefined, 'x', 2147483648, 1.9, '1', null, {}]) setTimeout(() => log.push(String(d)), d); await sleep(2); return log.join()`,
			`"1,0,-5,NaN,undefined,x,2147483648,1.9,1,null,[object Object],2"`},
		{"jobs run between timers", `const log = []; setTimeout(() => { log.push(1); Promise.resolve().then(() => log.push('job')); queueMicrotask(() => log.push('micro')) }, 1); setTimeout(() => log.push(2), 1); await sleep(5); return log.join()`, `"1,job,micro,2"`},
		{"nested timers", `const log = []; setTimeout(() => { log.push('a'); setTimeout(() => log.push('c'), 0) }, 5); setTimeout(() => log.push('b'), 5); await sleep(10); return log.join('')`, `"abc"`},
		{"arguments", `return await sleep(1, 'x', 'y')`, `"x"`},
		{"all arguments", `return await new Promise(r => setTimeout((...a) => r(a), 1, 1, 2, 3))`, `[1,2,3]`},
		{"the clock goes on by what was waited", `const at = Date.now(), log = []; await sleep(1000); log.push(Date.now() - at); await sleep(86400000); log.push(Date.now() - at); return log`, `[1000,86401000]`},
		{"computing takes no time", `const at = Date.now(); for (let i = 0; i < 1e5; i++); await sleep(5); return Date.now() - at`, `5`},
		{"an interval", `const at = Date.now(), log = []; await new Promise(r => { const id = setInterval(() => { log.push(Date.now() - at); if (log.length === 3) { clearInterval(id); r() } }, 10) }); await sleep(50); return log`, `[10,20,30]`},
		{"clearing", `const log = []; const id = setTimeout(() => log.push('no'), 1); clearTimeout(id); clearTimeout(id); clearTimeout(undefined); clearTimeout(null); clearTimeout({}); clearTimeout('x'); clearTimeout(-1); clearTimeout(1e300); const i2 = setInterval(() => log.push('no'), 1); clearTimeout(i2); const i3 = setTimeout(() => log.push('no'), 1); clearInterval(String(i3)); await sleep(10); return log`, `[]`},
		{"clearing another that is due", `const log = []; let b; setTimeout(() => clearTimeout(b), 1); b = setTimeout(() => log.push('no'), 1); await sleep(5); return log`, `[]`},
		{"ids", `return [typeof setTimeout(() => 0), setTimeout(() => 0) !== setTimeout(() => 0)]`, `["number",true]`},
		{"pending timers are dropped", `setTimeout(() => { throw new Error('never') }, 1); return 'done'`, `"done"`},
		{"no callback", `const log = []; for (const f of [undefined, 'x()', 5, {}, null]) try { setTimeout(f, 1) } catch (e) { log.push(e.name + ' ' + e.code + ': ' + e.message) } return log`,
			`["TypeError ERR_INVALID_ARG_TYPE: The \"callback\" argument must be of type function. Received undefined","TypeError ERR_INVALID_ARG_TYPE: The \"callback\" argument must be of type function. Received type string ('x()')","TypeError ERR_INVALID_ARG_TYPE: The \"callback\" argument must be of type function. Received type number (5)","TypeError ERR_INVALID_ARG_TYPE: The \"callback\" argument must be of type function. Received an instance of Object","TypeError ERR_INVALID_ARG_TYPE: The \"callback\" argument must be of type function. Received null"]`},
		{"a delay that is no number", `const log = []; for (const d of [1n, Symbol()]) try { setTimeout(() => 0, d) } catch (e) { log.push(e.message) } return log`, `["Cannot mix BigInt and other types, use explicit conversions","Cannot convert a Symbol value to a number"]`},
		{"a race", `return await Promise.race([sleep(20, 'slow'), sleep(10, 'fast')])`, `"fast"`},
		{"many", `let n = 0; for (let i = 0; i < 1000; i++) setTimeout(() => n++, i * 7919 % 1000); await sleep(1000); return n`, `1000`},
		{"in order", `const seen = []; for (let i = 0; i < 2000; i++) { const d = i * 7919 % 1009 + 1; const id = setTimeout(() => seen.push([d, i]), d); if (i % 3 === 0) clearTimeout(id) } await sleep(2000); return [seen.length, seen.every(([d, i], k) => !k || seen[k - 1][0] < d || seen[k - 1][0] === d && seen[k - 1][1] < i)]`, `[1333,true]`},
	}
	// Collecting at every safepoint is slow under the race detector.
	opt := pinfold.Options{Deterministic: true, Limits: pinfold.Limits{Timeout: 5 * time.Minute}}
	plain, stressed := timerSandbox(t, opt), timerSandbox(t, opt)
	stressed.Stress()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range []*pinfold.Sandbox{plain, stressed} {
				o := s.Eval(context.Background(), "test", sleepSource+tt.src, nil)
				if o.Failure != nil {
					t.Fatal(o.Failure)
				}
				if got := string(o.Value.JSON()); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			}
		})
	}
}

func TestTimersFail(t *testing.T) {
	s := timerSandbox(t, pinfold.Options{Deterministic: true, Limits: pinfold.Limits{Fuel: 20_000_000, MemoryBytes: 32 << 20}})
	for _, tt := range []struct {
		name, src string
		want      error
		message   string
	}{
		{"an error in a callback", `setTimeout(() => { throw new RangeError('in a timer') }, 5); await sleep(10)`, pinfold.ErrScript, "in a timer"},
		{"a rejection in a callback", `setTimeout(async () => { throw new RangeError('rejected') }, 5); await sleep(10)`, pinfold.ErrScript, "rejected"},
		{"nothing is left", `setTimeout(() => 0, 5); await new Promise(() => 0)`, pinfold.ErrScript, "never settle"},
		{"an interval for ever", `setInterval(() => 0, 1); await new Promise(() => 0)`, pinfold.ErrFuel, ""},
		{"a chain for ever", `(function f() { setTimeout(f) })(); await new Promise(() => 0)`, pinfold.ErrFuel, ""},
		{"ten million", `for (let i = 0; i < 1e7; i++) setTimeout(() => 0, 1e6); await sleep(1)`, pinfold.ErrMemory, ""},
		{"ten million set and cleared", `for (let i = 0; i < 1e7; i++) clearTimeout(setTimeout(sleep, 1e6)); await sleep(1)`, pinfold.ErrFuel, ""},
		{"large arguments", `for (;;) setTimeout(() => 0, 1, 'x'.repeat(1e5) + Math.random(), new Uint8Array(1e5))`, pinfold.ErrMemory, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := s.Eval(context.Background(), "test", sleepSource+tt.src, nil)
			if o.Failure == nil || !errors.Is(o.Err(), tt.want) || !strings.Contains(o.Failure.Message, tt.message) {
				t.Errorf("got %v, %s; want %v %s", o.Failure, o.Value.JSON(), tt.want, tt.message)
			}
		})
	}
}

// TestTimersReal waits on the system's clock, for as short as it can.
func TestTimersReal(t *testing.T) {
	s := timerSandbox(t, pinfold.Options{})
	begin := time.Now()
	o := s.Eval(context.Background(), "test", sleepSource+`const at = Date.now(), log = []; setTimeout(() => log.push('b'), 20); setTimeout(() => log.push('a'), 1); await sleep(40); return [log.join(''), Date.now() - at >= 39]`, nil)
	if o.Failure != nil || string(o.Value.JSON()) != `["ab",true]` {
		t.Errorf("got %s, %v", o.Value.JSON(), o.Failure)
	}
	if d := time.Since(begin); d < 40*time.Millisecond {
		t.Errorf("it took %v, less than it waits", d)
	}
}

func TestTimersEndWithTheRun(t *testing.T) {
	s := timerSandbox(t, pinfold.Options{Limits: pinfold.Limits{Timeout: 30 * time.Millisecond}})
	if o := s.Eval(context.Background(), "test", sleepSource+`await sleep(1e9)`, nil); !errors.Is(o.Err(), pinfold.ErrTime) {
		t.Errorf("got %v, want a timeout", o.Failure)
	}
	s = timerSandbox(t, pinfold.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if o := s.Eval(ctx, "test", sleepSource+`await sleep(1e9)`, nil); !errors.Is(o.Err(), pinfold.ErrCancelled) {
		t.Errorf("got %v, want a cancelled run", o.Failure)
	}
}

// TestTimersAndHostCalls waits for both kinds at once: on the system's clock
// whichever comes first, on a virtual clock the host functions first.
func TestTimersAndHostCalls(t *testing.T) {
	release := make(chan struct{})
	slow := pinfold.Function{Name: "slow", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) (string, error) {
		select {
		case <-release:
			return "host", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}}
	real := timerSandbox(t, pinfold.Options{Functions: []pinfold.Function{slow}})
	o := real.Eval(context.Background(), "test", sleepSource+`return await Promise.race([slow(), sleep(1, 'timer')])`, nil)
	if o.Failure != nil || string(o.Value.JSON()) != `"timer"` {
		t.Errorf("real clock: got %s, %v", o.Value.JSON(), o.Failure)
	}
	close(release)
	virtual := timerSandbox(t, pinfold.Options{Functions: []pinfold.Function{slow}, Deterministic: true})
	o = virtual.Eval(context.Background(), "test", sleepSource+`return [await Promise.race([slow(), sleep(1, 'timer')]), await slow(), await sleep(5, 'timer'), Date.now()]`, nil)
	if want := fmt.Sprintf(`["host","host","timer",%d]`, time.Date(2000, 1, 1, 0, 0, 0, 5e6, time.UTC).UnixMilli()); o.Failure != nil || string(o.Value.JSON()) != want {
		t.Errorf("virtual clock: got %s, %v", o.Value.JSON(), o.Failure)
	}
}

func TestTimersOff(t *testing.T) {
	s, err := pinfold.New(pinfold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := s.Eval(context.Background(), "test", `setTimeout(() => 0, 1)`, nil)
	if o.Failure == nil || !strings.Contains(o.Failure.Hint, "Options.Timers") {
		t.Errorf("got %+v", o.Failure)
	}
	f := pinfold.Function{Name: "setTimeout", Func: func(int) int { return 1 }}
	if _, err := pinfold.New(pinfold.Options{Functions: []pinfold.Function{f}}); err != nil {
		t.Error(err)
	}
	if _, err := pinfold.New(pinfold.Options{Functions: []pinfold.Function{f}, Timers: true}); err == nil || !strings.Contains(err.Error(), "setTimeout") {
		t.Errorf("got %v", err)
	}
}
