package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
)

// memoryCases are the rows of B that need more than a script.
var memoryCases = []Case{
	// What one run leaves is garbage while the next one takes its memory.
	{ID: "B60", Scenario: func(s *Scene) { fillInTurn(s, false) }},
	{ID: "B60b", Scenario: func(s *Scene) { fillInTurn(s, true) }},
	{ID: "B17", Source: "typeof SharedArrayBuffer", Want: "value=undefined"},
	{ID: "B17b", Scenario: func(s *Scene) {
		// Bytes that the host passes in are charged, and free again when dropped.
		block := make([]byte, 1<<20)
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 16 << 20, HostCalls: 2000, Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "block", Func: func() []byte { return block }}}})
		s.Check(sb, "const a=[]; for(;;) a.push(block())", nil, "limit:memory")
		s.Check(sb, "let n=0; for(let i=0;i<300;i++) n+=block().length; return n", nil, "value=314572800")
	}},
	{ID: "B19b", Source: "while(true) console.log('x')", Want: "limit:output"},
	{ID: "B19c", Source: "console.log('x'.repeat(50000000))", Want: "limit:output"},
	{ID: "B19d", Source: "const a=Array.from({length:100000},()=>({a:'x'.repeat(100)})); console.log(a,a,a); console.table(a); console.error(new Map(a.map(x=>[x,x]))); for(;;) console.log(a)", Want: "limit:output|" + timeLimit},
	{ID: "B19e", Source: "let o={}; for(let i=0;i<100000;i++) o={o}; for(;;) console.log(o)", Want: "limit:output|" + timeLimit},
	{ID: "B19f", Source: "let o={}; for(let i=0;i<40;i++) o={a:o,b:o,c:[o,o]}; for(;;) console.log(o)", Want: "limit:output|" + timeLimit},
	{ID: "B19g", Source: "for(let i=0;;i++) { console.time('t'+i); console.count('c'+i) }", Want: "throw:RangeError|limit:output|" + anyLimit},
	{ID: "B19h", Source: "for(let i=0;;i++) console.group('g'.repeat(1000))", Want: "limit:output|" + anyLimit},
	{ID: "B19i", Source: "const s='%s'.repeat(1e6); for(;;) console.log(s,...Array(1e5).fill('x'))", Want: "limit:output|" + anyLimit},
	{ID: "B20", Scenario: func(s *Scene) {
		// A module larger than the memory limit, in a sweep of limits and sizes.
		for _, memory := range []int64{64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20} {
			for lines := 1000; lines <= 5000; lines += 1000 {
				src := strings.Repeat("export const x"+"=1; function f(a){ return a+1 }\n", 1)
				var b strings.Builder
				for i := range lines {
					fmt.Fprintf(&b, "export const x%d = %d; function f%d(a) { return a + %d }\n", i, i, i, i)
				}
				sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: memory, Timeout: DefaultWall}, Modules: map[string]string{"big": b.String(), "small": src}})
				s.Check(sb, "import * as m from 'big'; export default Object.keys(m).length", nil, "limit:memory|limit:source|value")
				s.Check(sb, b.String(), nil, "limit:memory|limit:source|value")
			}
		}
	}},
	{ID: "B21", Scenario: func(s *Scene) {
		// The smallest memory: a typed failure, or a value, at each step.
		for n := int64(1); n < 1<<20; n += n/16 + 1 {
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: n, Timeout: DefaultWall}})
			s.Check(sb, "return [1,2,3].map(x => ({x})).length", nil, "limit:memory|value=3")
		}
	}},
	{ID: "B27", Scenario: func(s *Scene) {
		big := `["` + strings.Repeat("x", 50<<20) + `"]`
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 16 << 20, Timeout: DefaultWall}, Functions: []pinfold.Function{
			{Name: "big", Func: func() string { return big }}, {Name: "raw", Func: func() json.RawMessage { return json.RawMessage(big) }},
			{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func() string { return big }},
		}})
		s.Check(sb, "return big().length", nil, "throw:Error")
		s.Check(sb, "return raw().length", nil, "throw:Error")
		s.Check(sb, "return (await later()).length", nil, "throw:Error")
		s.Check(sb, "return input.length", big, "limit:result|limit:memory")
		// The script may go on: nothing was copied.
		s.Check(sb, "try { big() } catch { return 'caught' }", nil, "value=caught")
	}, Growth: 160 << 20},
	{ID: "B31", Source: "for (let i = 0; i < 3; i++) console.log(Array(1e6).fill('line').join('\\n'))", Want: "limit:output"},
	{ID: "B50", Source: "const a=[]; for(;;) a.push(crypto.getRandomValues(new Uint8Array(60000)))", Want: anyLimit},
	{ID: "B50b", Source: "const a=[]; for(;;) a.push(new URLSearchParams('a=b&'.repeat(1000)))", Want: anyLimit},
	{ID: "B50c", Source: "const a=[]; for(let i=0;;i++) a.push(Symbol.for('x'.repeat(10000)+i))", Want: anyLimit},
	{ID: "B50d", Source: "const a=[]; for(let i=0;;i++) a.push(Object.defineProperty(()=>1,'name',{value:'n'.repeat(5000)+i}))", Want: anyLimit},
	{ID: "B50e", Source: "const a=[]; for(;;) { const {promise,resolve}=Promise.withResolvers(); a.push(resolve); promise.then(()=>{}) }", Want: anyLimit},
	{ID: "B50f", Source: "const a=[]; for(;;) a.push(structuredClone(new Map([[1,{a:[1,2,3]}],[2,new Set([1])]])))", Want: anyLimit},
	{ID: "B50g", Source: "const a=[]; for(let i=0;;i++) a.push(Object.freeze(Object.fromEntries([['k'+i,i]])))", Want: anyLimit},
	{ID: "B50h", Source: "const a=[]; for(let i=0;;i++) a.push((class { static x=i; #p=i; m(){ return this.#p } get g(){ return 1 } }))", Want: anyLimit},
	{ID: "B50i", Source: "const a=[]; for(let i=0;;i++) a.push(String.raw`x${i}`, `${i}y`.repeat(50), (i+'').padStart(300,'ab'))", Want: anyLimit},
	{ID: "B50j", Source: "const a=[]; for(let i=0;;i++) a.push(new DataView(new ArrayBuffer(64)), new Int16Array([1,2,i]), new Uint8Array(4).subarray(1))", Want: anyLimit},
	{ID: "B50k", Source: "const a=[]; for(let i=0;;i++) { const f=async function*(){ try { yield i } finally {} }; const g=f(); g.next(); a.push(g) }", Want: anyLimit},
	{ID: "B50l", Source: "const m=new Map(); for(let i=0;;i++) { m.set(i,1); if (i>1000) m.delete(i-1000); if (i%100000===0) m.it=m.entries() }", Want: anyLimit},
	{ID: "B50m", Source: "const m=new Map(), its=[]; for(let i=0;;i++) { m.set(i,i); its.push(m.keys()); its[i].next() }", Want: anyLimit},
	{ID: "B50n", Source: "const s=new Set(); for(;;) { for(let i=0;i<100000;i++) s.add(i); s.clear() }", Want: anyLimit},
	{ID: "B50o", Source: "const a=[]; for(let i=0;;i++) a.push(new Proxy(()=>{}, {get:()=>i, [Symbol('x'+i)]:1}))", Want: anyLimit},
	{ID: "B50p", Source: "const a=[]; for(let i=0;;i++) a.push(Iterator.from({next:()=>({done:false,value:i})}).map(x=>x).filter(x=>x).take(5))", Want: anyLimit},
	{ID: "B50q", Source: "const r=[]; for(let i=0;;i++) r.push('a'.repeat(1000).match(/(a)(a)(a)/))", Want: anyLimit},
	{ID: "B50r", Source: "const r=[]; for(let i=0;;i++) { const m=/(?<x>a)(?<y>b)?/d.exec('a'+i); r.push(m, m.indices) }", Want: anyLimit},
	{ID: "B50s", Source: "const r=[]; const base='x'.repeat(1<<20); for(let i=0;;i++) r.push((base+i).substring(1))", Want: anyLimit},
	{ID: "B50t", Source: "const r=[]; const base='é'.repeat(1<<20); for(let i=0;;i++) r.push(base.substring(0, (1<<20)-i%100).toUpperCase())", Want: anyLimit},
	{ID: "B50u", Source: "let s='x'; for(;;) s=JSON.stringify(s)", Want: bounded},
	{ID: "B50v", Source: "let s='%'; for(;;) s=encodeURIComponent(s)", Want: bounded},
	{ID: "B50w", Source: "let o=[1]; for(;;) o=structuredClone([o,o])", Want: "limit:stack|" + bounded},
	{ID: "B50x", Source: "let s='a'; for(;;) s=s.replace(/./gs,'$&$&')", Want: bounded},
	{ID: "B50y", Source: "let s='a,'; for(;;) { s=s.split(',').join(',b,') + s }", Want: bounded},
	{ID: "B50z", Source: "let b=new Uint8Array(1000); for(;;) { const n=new Uint8Array(b.length*2); n.set(b); n.set(b,b.length); b=Uint8Array.fromHex(n.toHex()) }", Want: bounded},
}

// timeCases are the rows of C that need more than a script, and their relatives.
var timeCases = []Case{
	{ID: "C1", Scenario: func(s *Scene) {
		s.Check(s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 20 * time.Millisecond}}), "while (true) {}", nil, "limit:time")
		s.Check(s.New(pinfold.Options{Limits: pinfold.Limits{Fuel: 1_000_000, Timeout: DefaultWall}}), "while (true) {}", nil, "limit:fuel")
	}},
	{ID: "C2b", Scenario: func(s *Scene) {
		// One processor, and Go's collector at work all the time.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		stop := make(chan struct{})
		var gc sync.WaitGroup
		gc.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runtime.GC()
				}
			}
		})
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 50 * time.Millisecond}})
		for _, src := range []string{"for(;;);", "export default function () { for (;;); }", "for(;;) [].indexOf.call({length:2**53-1})"} {
			s.Check(sb, src, nil, "limit:time")
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(10*time.Millisecond, cancel)
		if got := s.EvalContext(ctx, s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}}), "for(;;);", nil); got != "cancelled" {
			s.Errorf("cancelling: %s", got)
		}
		close(stop)
		gc.Wait()
	}},
	{ID: "C5", Make: func() string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "function f%d() { f%d(); f%d() }\n", i, i+1, i+1)
		}
		return b.String() + "function f40() {}\nf0()"
	}, Want: timeLimit},
	{ID: "C5b", Make: func() string { return "let x = 0;" + strings.Repeat("x = x + 1;", 20_000) + "return x" }, Want: "value=20000", Wall: 10 * time.Second},
	{ID: "C5c", Make: func() string { return "let x = 0; for (;;) {" + strings.Repeat("x = x + 1;", 20_000) + "}" }, Want: timeLimit},
	{ID: "C19", Scenario: func(s *Scene) {
		wait := func(ctx context.Context, ms int) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Duration(ms) * time.Millisecond):
				return nil
			}
		}
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 60 * time.Millisecond}, Functions: []pinfold.Function{{Name: "sleep", Async: true, Cancel: pinfold.Cooperative, Func: wait}, {Name: "block", Func: wait}}})
		for _, src := range []string{
			"await sleep(60000)", "block(60000)", "try { block(60000) } catch {} for(;;);", "await (async () => { await sleep(60000) })()", "sleep(60000); await sleep(60000)", "await Promise.race([sleep(60000), sleep(70000)])",
			"await Promise.all([sleep(60000), 1])", "await Promise.any([sleep(60000).then(() => { throw 1 })])", "await Promise.race([])", "for await (const x of [sleep(60000)]);", "for (;;) await sleep(1)", "await sleep(60000).catch(() => {}).finally(() => { for (;;); })",
		} {
			s.Check(sb, src, nil, "limit:time|unsettled")
		}
	}},
	{ID: "C21", Scenario: func(s *Scene) {
		// Slow calls, each within itself: the limit shows at the call that passes it.
		var calls atomic.Int64
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 100 * time.Millisecond}, Functions: []pinfold.Function{{Name: "slow", Func: func() { calls.Add(1); time.Sleep(30 * time.Millisecond) }}}})
		s.Check(sb, "for (;;) { try { slow() } catch {} }", nil, "limit:time")
		if n := calls.Load(); n > 5 {
			s.Errorf("%d calls of 30 ms under a limit of 100 ms", n)
		}
	}},
	{ID: "C22", Scenario: func(s *Scene) {
		// One budget spans all that the run does, also across host calls and awaits.
		fuel := int64(1_000_000)
		if Outside() {
			fuel = 50_000 // a call takes a hundred times as long
		}
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Fuel: fuel, HostCalls: noLimit, Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "pass", Func: func(n int) int { return n }}, {Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func(n int) int { return n }}}})
		s.Check(sb, "for (let i = 0; ; i++) pass(i)", nil, "limit:fuel")
		s.Check(sb, "for (let i = 0; ; i++) await later(i)", nil, "limit:fuel")
		s.Check(sb, "export default function () { for (let i = 0; ; i++) pass(i) }", nil, "limit:fuel")
	}},
	{ID: "C23", Scenario: func(s *Scene) {
		// Sandboxes of one options value, and runs of one sandbox, side by side:
		// each has its own limits.
		opt := pinfold.Options{Limits: pinfold.Limits{Fuel: 3_000_000, Timeout: DefaultWall}}
		a, b := s.New(opt), s.New(opt)
		want := a.Eval(context.Background(), "p.js", "let s=0; for (let i=0;i<100000;i++) s+=i; return s", nil).Usage.Fuel
		var wg sync.WaitGroup
		for i := range 16 {
			sb := []*pinfold.Sandbox{a, b}[i%2]
			wg.Go(func() {
				for range 3 {
					o := sb.Eval(context.Background(), "p.js", "let s=0; for (let i=0;i<100000;i++) s+=i; return s", nil)
					if o.Usage.Fuel != want || o.Failure != nil {
						s.Errorf("fuel %d, alone %d: %v", o.Usage.Fuel, want, o.Failure)
					}
					if got := s.Eval(sb, "for (;;);", nil); got != "limit:fuel" {
						s.Errorf("%s", got)
					}
				}
			})
		}
		wg.Wait()
	}},
	{ID: "C24", Scenario: func(s *Scene) {
		short := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 20 * time.Millisecond}})
		long := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 200 * time.Millisecond}})
		src := "for (;;);"
		for _, sb := range []*pinfold.Sandbox{short, long, short} {
			start := time.Now()
			s.Check(sb, src, nil, "limit:time")
			if d := time.Since(start); d < sb.Limits().Timeout {
				s.Errorf("ended after %v, its limit is %v", d, sb.Limits().Timeout)
			}
		}
	}},
	{ID: "C26", Scenario: func(s *Scene) {
		// A deadline of the caller's context counts, and so does one of the options.
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		if got := s.EvalContext(ctx, s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}}), "for (;;);", nil); got != "cancelled" && got != "limit:time" {
			s.Errorf("%s", got)
		}
		for _, l := range []pinfold.Limits{{Timeout: -1}, {Fuel: -1}, {MemoryBytes: -1}, {CallDepth: -1}, {NativeDepth: 1 << 20}, {ResultDepth: 1 << 20}, {HostCalls: -1}} {
			if _, err := pinfold.New(pinfold.Options{Limits: l}); err == nil {
				s.Errorf("%+v is accepted", l)
			}
		}
	}},
	{ID: "C27", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 50 * time.Millisecond}, Functions: []pinfold.Function{
			{Name: "never", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { <-ctx.Done() }}, {Name: "deaf", Async: true, Cancel: pinfold.Cooperative, Func: func() { time.Sleep(400 * time.Millisecond) }},
		}})
		s.Check(sb, "await never()", nil, "limit:time")
		s.Check(sb, "await deaf()", nil, "limit:time")
		s.Check(sb, "try { await never() } finally { for (;;); }", nil, "limit:time")
	}},
	{ID: "C28", Source: "while(true){}", Want: timeLimit},
	{ID: "C29", Make: func() string { return "return [" + strings.Repeat("[1,{a:(x)=>x*2}],", 40_000) + "].length" }, Want: "value=40000|" + memLimit, Wall: 10 * time.Second},
	{ID: "C29b", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 5 * time.Millisecond}})
		s.Check(sb, strings.Repeat("(() => { let a = 1; return a + 1 })();", 100_000), nil, "limit:time|limit:memory")
		sb = s.New(pinfold.Options{Limits: pinfold.Limits{SourceBytes: 1000}})
		s.Check(sb, strings.Repeat("1;", 1000), nil, "limit:source")
		s.Check(sb, "return eval(' '.repeat(5000)+1)", nil, "limit:source|throw:RangeError|throw:SyntaxError")
		s.Check(sb, "return new Function(' '.repeat(5000))()", nil, "limit:source|throw:RangeError|throw:SyntaxError")
	}},
	{ID: "C30b", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Deterministic: true, Timers: true, Limits: pinfold.Limits{Fuel: 5_000_000, Timeout: DefaultWall}})
		s.Check(sb, "const t=Date.now()+1000; while(Date.now()<t){}", nil, "limit:fuel")
		s.Check(sb, "const t=new Date(+new Date()+1000); while(new Date()<t){}", nil, "limit:fuel")
		s.Check(sb, "const f=()=>setTimeout(f,1e9); f(); await new Promise(()=>{})", nil, "limit:fuel")
		s.Check(sb, "setInterval(()=>{},1); await new Promise(()=>{})", nil, "limit:fuel")
	}},
}

// asyncCases are the rows of D that need the host.
var asyncCases = []Case{
	{ID: "D6", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		for range 3 {
			s.Check(sb, "Promise.reject(new Error('x')); return 1", nil, "throw:Error")
			s.Check(sb, "return 1", nil, "value=1")
		}
	}},
	{ID: "D8T", Scenario: func(s *Scene) {
		var beats atomic.Int64
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 40 * time.Millisecond, HostCalls: noLimit}, Functions: []pinfold.Function{{Name: "beat", Func: func() { beats.Add(1) }}}})
		s.Check(sb, "(async () => { for (;;) { await null; beat() } })(); await new Promise(() => {})", nil, "limit:time")
		n := beats.Load()
		time.Sleep(50 * time.Millisecond)
		if beats.Load() != n {
			s.Errorf("the script goes on after its outcome")
		}
	}},
	{ID: "D9", Scenario: func(s *Scene) {
		// A request that the script doesn't wait for ends with the run.
		var arrived, cancelled atomic.Int64
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 100 * time.Millisecond}, Functions: []pinfold.Function{{Name: "request", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				cancelled.Add(1)
				return ctx.Err()
			case <-time.After(500 * time.Millisecond):
				arrived.Add(1)
				return nil
			}
		}}}})
		for _, src := range []string{"request(); return 1", "await request()", "request(); for(;;);", "request(); throw new Error('x')", "request(); request(); request(); return 1"} {
			s.Eval(sb, src, nil)
		}
		time.Sleep(600 * time.Millisecond)
		if arrived.Load() != 0 || cancelled.Load() != 7 {
			s.Errorf("%d requests arrived, %d were cancelled", arrived.Load(), cancelled.Load())
		}
	}},
	{ID: "D11", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{HostCalls: 20_000, Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "tool", Async: true, Cancel: pinfold.Cooperative, Func: func(n int) int { return n + 1 }}}})
		s.Check(sb, "let n = 0; for (let i = 0; i < 10000; i++) n = await tool(n); return n", nil, "value=10000")
		s.Check(sb, "return (await Promise.all(Array.from({length: 1000}, (_, i) => tool(i)))).reduce((a, b) => a + b)", nil, "value=500500")
	}},
	{ID: "D12", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Timers: true, Limits: pinfold.Limits{Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "wait", Async: true, Cancel: pinfold.Cooperative, Func: func() { time.Sleep(5 * time.Millisecond) }}}})
		s.Check(sb, "await wait(); await new Promise(r => setTimeout(r, 5)); return 'done'", nil, "value=done")
	}},
	{ID: "D13", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func() int { time.Sleep(time.Millisecond); return 7 }}}, Modules: map[string]string{"dep": "export const x = await later()"}})
		s.Check(sb, "import { x } from 'dep'; export default x + await later()", nil, "value=14")
	}},
	{ID: "D14", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "never", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { <-ctx.Done() }}}, Modules: map[string]string{"dep": "export const x = await never()"}})
		for _, src := range []string{"import { x } from 'dep'; export default x", "await never()", "const m = await import('dep')"} {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(20*time.Millisecond, cancel)
			start := time.Now()
			if got := s.EvalContext(ctx, sb, src, nil); got != "cancelled" {
				s.Errorf("%s: %s", src, got)
			}
			if d := time.Since(start); d > 5*time.Second {
				s.Errorf("%s: cancelled after %v", src, d)
			}
			cancel()
		}
	}},
	{ID: "D15", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 16 << 20, HostCalls: noLimit, Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func() {}}}})
		s.Check(sb, "const a = []; for (;;) { await later(); a.push(new Array(1000).fill(1)) }", nil, "limit:memory")
	}},
	{ID: "D16", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 60 * time.Millisecond}, Functions: []pinfold.Function{
			{Name: "fails", Async: true, Cancel: pinfold.Cooperative, Func: func() error { return errors.New("x") }}, {Name: "panics", Async: true, Cancel: pinfold.Cooperative, Func: func() { panic("x") }}, {Name: "block", Func: func(ctx context.Context) { <-ctx.Done() }},
		}})
		s.Check(sb, "await fails()", nil, "throw:Error")
		s.Check(sb, "fails(); return 1", nil, "value=1|throw:Error")
		if got := describeOnly(sb, "await panics()"); got != "fault" {
			s.Errorf("a panic in an asynchronous host function: %s", got)
		}
		s.Check(sb, "[1].map(() => block())", nil, "limit:time")
		s.Check(sb, "return 1", nil, "value=1")
	}},
	{ID: "D17", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: tools(), Limits: pinfold.Limits{Timeout: DefaultWall}})
		s.Check(sb, "return 1", nil, "value=1")
		before := runtime.NumGoroutine()
		for range 2000 {
			if got := s.Eval(sb, "const a = tool.list(); tool.later(1); return a.length", nil); got != "value=3" {
				s.Errorf("%s", got)
			}
		}
		time.Sleep(20 * time.Millisecond)
		if n := runtime.NumGoroutine(); n > before+2 {
			s.Errorf("%d goroutines before, %d after", before, n)
		}
	}},
	{ID: "D18", Scenario: func(s *Scene) {
		var cancelled atomic.Int64
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "long", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) { <-ctx.Done(); cancelled.Add(1) }}}})
		s.Check(sb, "for (let i = 0; i < 50; i++) long(); return 'early'", nil, "value=early")
		if cancelled.Load() != 50 {
			s.Errorf("%d of 50 calls were cancelled", cancelled.Load())
		}
	}},
	{ID: "D19", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}})
		p, err := sb.Compile("p.js", "if (input) for (;;); return typeof globalThis.leak")
		if err != nil {
			s.Errorf("%v", err)
			return
		}
		for range 20 {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(time.Millisecond, cancel)
			if o := sb.Run(ctx, p, true); !errors.Is(o.Err(), pinfold.ErrCancelled) {
				s.Errorf("%v", o.Err())
			}
			cancel()
			if got := s.words(sb.Run(context.Background(), p, false)); got != "value=undefined" {
				s.Errorf("the next run: %s", got)
			}
		}
	}},
	{ID: "D20", Scenario: func(s *Scene) {
		var landed atomic.Int64
		sb := s.New(pinfold.Options{Timers: true, Limits: pinfold.Limits{Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "write", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(300 * time.Millisecond):
				landed.Add(1)
				return nil
			}
		}}}})
		s.Check(sb, "return await Promise.race([write(), new Promise(r => setTimeout(r, 5, 'timeout'))])", nil, "value=timeout")
		time.Sleep(400 * time.Millisecond)
		if landed.Load() != 0 {
			s.Errorf("the write landed after the run had ended")
		}
	}},
	{ID: "D21", Scenario: func(s *Scene) {
		// More concurrent calls than anyone wants, and their results in a flood.
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{HostCalls: 5000, MemoryBytes: 16 << 20, Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "big", Async: true, Cancel: pinfold.Cooperative, Func: func() string { return strings.Repeat("x", 100_000) }}}})
		s.Check(sb, "for (;;) big()", nil, "limit:hostcalls|limit:memory")
		s.Check(sb, "const a = []; for (;;) a.push(await big())", nil, "limit:memory")
	}},
}

func describeOnly(sb *pinfold.Sandbox, src string) string {
	outcome, _, _ := describe(sb.Eval(context.Background(), "program.js", src, nil))
	return outcome
}

// outputCases are the rows of J.
var outputCases = []Case{
	{ID: "J1", Limits: pinfold.Limits{OutputBytes: 16}, Source: "for (let i = 0; i < 300000; i++) console.log('line ' + i)", Want: "limit:output"},
	{ID: "J1b", Limits: pinfold.Limits{OutputLines: 5}, Source: "for (;;) console.log()", Want: "limit:output"},
	{ID: "J1c", Limits: pinfold.Limits{OutputBytes: 16}, Source: "for (const m of ['log','info','warn','error','debug','dir','table','trace','assert','count','group']) { try { console[m]?.('x'.repeat(1e6)) } catch { touched() } }", Want: "limit:output"},
	{ID: "J3", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{OutputLines: 10}})
		s.Check(sb, "for (;;) console.log('x')", nil, "limit:output")
		if o := s.Check(sb, "console.log('quiet'); return 1", nil, "value=1"); len(o.Console) != 1 || o.Console[0].Text != "quiet" {
			s.Errorf("the quiet run's console: %v", o.Console)
		}
	}},
	{ID: "J4", Scenario: func(s *Scene) {
		// Nothing of the console reaches the process's own output: the report of
		// this case would not be the only line.
		sb := s.New(pinfold.Options{})
		o := s.Check(sb, "console.log('REPORT {}'); console.error('x'); console.table([1]); console.trace?.('x'); return 1", nil, "value=1")
		if len(o.Console) < 3 {
			s.Errorf("%v", o.Console)
		}
	}},
	{ID: "J5", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: 50 * time.Millisecond, OutputLines: 100}})
		for src, want := range map[string]string{"console.log('a'); throw new Error('x')": "throw:Error", "console.log('a'); for (;;);": "limit:time", "console.log('a'); return 1": "value=1", "console.log('a'); (function f() { f() })()": "limit:stack", "console.log('a'); return () => 1": "result"} {
			if o := s.Check(sb, src, nil, want); len(o.Console) != 1 || o.Console[0].Text != "a" {
				s.Errorf("%s: %v", src, o.Console)
			}
		}
	}},
	{ID: "J7", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		secret := "marker" + strings.Repeat("y", 20)
		for _, src := range []string{"/* " + secret + " */\n\nthrow new Error('x')", "/* " + secret + " */\n\nreturn 1", "/* " + secret + " */\n\nlet x = ;"} {
			o := sb.Eval(context.Background(), "p.js", src, nil)
			if b, _ := json.Marshal(o.Failure); strings.Contains(string(b), secret) || strings.Contains(o.Value.String(), secret) {
				s.Errorf("%q comes back", src)
			}
		}
	}},
}

// valueCases are the rows of F: values that cross the boundary.
var valueCases = []Case{
	{ID: "F1", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: tools()})
		s.Check(sb, `const s=JSON.parse('"\\uD800"'); return s.length+','+s.charCodeAt(0)+','+JSON.stringify(s)+','+(s==='\ud800')+','+({[s]:1})['\ud800']`, nil, `value=1,55296,"\ud800",true,1`)
		s.Check(sb, `return tool.text('a\ud800b').codePointAt(1)`, nil, "value=65533")
		s.Check(sb, `return tool.echo({['\ud800']:'\udc00'}) !== null`, nil, "value=true")
		for _, src := range []string{`return '\ud800'`, `return {['\ud800']:1}`, `console.log('\ud800'); throw new Error('\ud800')`, `throw '\udfff'`} {
			o := sb.Eval(context.Background(), "p.js", src, nil)
			s.words(o)
			if _, err := json.Marshal(o.Failure); err != nil {
				s.Errorf("%s: %v", src, err)
			}
			if o.Failure == nil && !json.Valid(o.Value.JSON()) {
				s.Errorf("%s: %s isn't JSON", src, o.Value)
			}
		}
	}},
	{ID: "F5", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		for src, want := range map[string]string{"return NaN": "NaN", "return Infinity": "Infinity", "return -Infinity": "-Infinity", "return -0": "-0", "return [undefined]": "undefined"} {
			if got := s.Eval(sb, src, nil); !strings.Contains(got, want) {
				s.Errorf("%s: %s", src, got)
			}
		}
		if o := sb.Eval(context.Background(), "p.js", "return undefined", nil); !o.Value.IsUndefined() {
			s.Errorf("undefined: %s", o.Value)
		}
	}},
	{ID: "F6", Source: "return 123456789012345678901234567890n", Want: `value={"$js":"bigint","v":"123456789012345678901234567890"}`},
	{ID: "F7", Source: "return [2**53+2, new Set([1,NaN]), new Map([['a',1]]), new Uint8Array([1,2])]", Want: `value=[9007199254740994,{"$js":"set","v":[1,{"$js":"number","v":"NaN"}]},{"$js":"map","v":[["a",1]]},{"$js":"bytes","v":"AQI=","type":"Uint8Array"}]`},
	{ID: "F8", Options: withTools, Want: "value=3,4;5,6;-1;2", Source: `
		const b = new Uint8Array([1, 2, 3, 4, 5, 6]).buffer;
		const w = tool.echo(new Uint8Array(b, 2, 2)), d = tool.echo(new DataView(b, 4, 2));
		const r = new ArrayBuffer(4, {maxByteLength: 16}), v = new Uint8Array(r); v.set([9, 9, 9, 9]); r.resize(2);
		const q = tool.echo(new BigInt64Array([-1n]));
		return [...w] + ';' + [...(d instanceof DataView ? new Uint8Array(d.buffer, d.byteOffset, d.byteLength) : new Uint8Array(d.buffer ?? d))] + ';' + q[0] + ';' + tool.echo(v).length`},
	{ID: "F9", Options: withTools, Source: "const u = tool.echo(new Uint8Array([0, 255, 128])); return (u instanceof Uint8Array) + ',' + u", Want: "value=true,0,255,128"},
	{ID: "F10", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "three", Func: func(a int, b string, c []int) string { return fmt.Sprint(a, b, c) }}, {Name: "rest", Func: func(a string, more ...any) int { return len(more) }}}})
		s.Check(sb, "return three(1, 'two', [3, 4])", nil, "value=1two[3 4]|value=1 two [3 4]")
		s.Check(sb, "return three('1', 2, 3)", nil, "throw:TypeError")
		s.Check(sb, "return rest('a', 1, null, undefined, {})", nil, "value=4")
		s.Check(sb, "return three(1.5, 'two', [])", nil, "throw:TypeError|throw:RangeError")
	}},
	{ID: "F12", Options: withTools, Want: "result|value|throw:", Source: "const o = {}; o.o = o; const m = new Map(); m.set(m, m); o.m = m; tool.echo(1); return o"},
	{ID: "F12b", Options: withTools, Want: "value=ok", Source: "const o = {}; o.o = o; try { tool.echo(o); return 'passed' } catch (e) { return e instanceof TypeError ? 'ok' : e.name }"},
	{ID: "F12c", Source: "let o = {}; for (let i = 0; i < 40; i++) o = [o, o]; return o", Want: "value|limit:result|" + anyLimit},
	{ID: "F12d", Source: "const a = []; a.length = 2**32-1; return a", Want: "limit:result|" + anyLimit},
	{ID: "F12e", Source: "return new Proxy([], {get(t, k) { return k === 'length' ? 2**53-1 : 1 }})", Want: "result|limit:result|" + anyLimit},
	{ID: "F12f", Source: "let o = {}; for (let i = 0; i < 1e5; i++) o = {o}; return o", Want: "limit:result"},
	{ID: "F12g", Source: "return {toJSON() { for (;;); }}", Want: timeLimit},
	{ID: "F12h", Source: "return {toJSON() { return this }}", Want: "value|result|limit:stack|limit:result|" + anyLimit},
	{ID: "F12i", Source: "const f = () => ({toJSON: f, a: {toJSON: f}}); return {toJSON: f}", Want: "result|limit:result|limit:stack|value|" + anyLimit},
	{ID: "F12j", Options: withTools, Source: "for (;;) tool.echo(Array.from({length: 1e5}, (_, i) => ({i})))", Want: "limit:result|limit:hostcalls|" + anyLimit},
	{ID: "F12k", Options: withTools, Source: "const a = new Array(1e6).fill('x'.repeat(1e4)); for (;;) { try { tool.echo(a) } catch (e) { if (!(e instanceof TypeError)) touched() } }", Want: "limit:result|limit:hostcalls|" + anyLimit},
	{ID: "F12l", Source: "const b = new ArrayBuffer(8); const u = new Uint8Array(b); b.transfer(); return u", Want: "value|result"},
	{ID: "F12m", Source: "return new Uint8Array(5e6)", Want: "limit:result"},
	{ID: "F12n", Source: "return '\\u0001'.repeat(1e6)", Want: "limit:result"},
	{ID: "F12o", Source: "return 1n << 40000000n", Want: "limit:result|" + anyLimit},
	{ID: "F12p", Source: "const e = new Error('x'); e.cause = e; return e", Want: "value|result"},
	{ID: "F12q", Source: "let e = new Error('x'); for (let i = 0; i < 1e5; i++) e = new Error('y', {cause: e}); return e", Want: "limit:result|value|" + anyLimit},
	{ID: "F12r", Source: "return Object.fromEntries(Array.from({length: 2e5}, (_, i) => ['k' + i, i]))", Want: "limit:result|value|" + anyLimit},
	{ID: "F13", Scenario: func(s *Scene) {
		type node struct {
			Name string
			Next *node
		}
		n := &node{Name: "a"}
		n.Next = n
		m := map[string]any{}
		m["self"] = m
		l := []any{nil}
		l[0] = l
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "cycle", Func: func() any { return m }}}})
		for _, in := range []any{n, m, l} {
			if got := s.Eval(sb, "return 1", in); !strings.HasPrefix(got, "result") && !strings.HasPrefix(got, "limit") {
				s.Errorf("a cyclic %T: %s", in, got)
			}
		}
		s.Check(sb, "try { cycle(); return 'passed' } catch (e) { return 'caught' }", nil, "value=caught|limit:result|result|fault|throw:")
	}},
	{ID: "F14", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "bad", Func: func() any { return badJSON{} }}}})
		if got := s.Eval(sb, "return 1", badJSON{}); got != "result" {
			s.Errorf("%s", got)
		}
		s.Eval(sb, "try { return bad() } catch (e) { return e.message }", nil)
		if o := sb.Eval(context.Background(), "p.js", "return 1", badJSON{}); !errors.Is(o.Err(), errBadJSON) {
			s.Errorf("%v doesn't wrap the cause", o.Err())
		}
	}},
	{ID: "F15", Scenario: func(s *Scene) {
		type row struct{ A int }
		rows := []row{{1}, {2}}
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "rows", Func: func() []row { return rows }}}})
		s.Check(sb, "const a = rows(); a[0] = a[1]; a[1].A = 9; a.length = 0; input[0].A = 7; return rows()[0].A + rows()[1].A", rows, "value=3")
		if rows[0].A != 1 || rows[1].A != 2 {
			s.Errorf("the host's data changed: %v", rows)
		}
	}},
	{ID: "F16", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "b", Func: func(b []byte) int { return len(b) }}, {Name: "m", Func: func(m map[string]int) int { return len(m) }}, {Name: "p", Func: func(p *int) bool { return p == nil }}, {Name: "nils", Func: func() (*int, map[string]int, []int) { return nil, nil, nil }}}[:3]})
		s.Want(sb, `
			return b(new Uint8Array(3)) ==> value=3
			try { return b('text') } catch (e) { return e.name } ==> value=3
			return m({a: 1, b: 2}) ==> value=2
			try { return m(new Map([['a', 1]])) } catch (e) { return e.name } ==> value=TypeError|value=1
			return p(null) && p(undefined) && p() && !p(3) ==> value=true
			try { return m({a: 'x'}) } catch (e) { return e.name } ==> value=TypeError
			try { return m([1]) } catch (e) { return e.name } ==> value=TypeError|value=1
		`)
	}},
	{ID: "F17", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "v", Func: func(a ...any) int { return len(a) }}, {Name: "n", Func: func(a ...int) int { return len(a) }}}})
		s.Want(sb, `
			return v(null, undefined) + v() + v(...[1, null]) ==> value=4
			try { return n(null) } catch (e) { return e.name } ==> value=TypeError|value=1
			try { return v(...new Array(1e5)) } catch (e) { return e.name } ==> value=100000|limit:time|limit:result|value=RangeError
		`)
	}},
	{ID: "F23", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: tools()})
		for _, x := range []string{"() => 1", "Symbol('s')", "new WeakMap", "(function*(){})()", "/a/", "new Proxy({}, {})", "Promise.resolve(1)", "globalThis", "class {}", "new WeakRef({})", "Intl", "new Intl.NumberFormat()", "new DisposableStack"} {
			if got := s.Eval(sb, "return {items: [1, {x: "+x+"}]}", nil); got != "result" && !strings.HasPrefix(got, "value=") {
				s.Errorf("returning %s: %s", x, got)
			}
			s.Check(sb, "try { tool.echo({a: ["+x+"]}); return 'passed' } catch (e) { return e instanceof TypeError ? 'TypeError' : e.name }", nil, "value=TypeError|value=passed")
			s.Check(sb, "throw "+x, nil, "throw:")
			s.Check(sb, "console.log("+x+"); return 1", nil, "value=1")
		}
		o := sb.Eval(context.Background(), "p.js", "return {items: [1, 2, 3, {when: () => 1}]}", nil)
		if o.Failure == nil || !strings.Contains(o.Failure.Message, "result.items[3].when") {
			s.Errorf("the path isn't named: %v", o.Failure)
		}
	}},
	{ID: "F24", Scenario: func(s *Scene) {
		// Numbers of Go that JavaScript hasn't.
		sb := s.New(pinfold.Options{})
		for _, in := range []any{math.MaxInt64, uint64(math.MaxUint64), math.NaN(), math.Inf(1), math.MinInt64} {
			s.Check(sb, "return typeof input", in, "value=number|value=bigint|result")
		}
	}},
}

type badJSON struct{}

var errBadJSON = errors.New("this doesn't marshal")

func (badJSON) MarshalJSON() ([]byte, error) { return nil, errBadJSON }
