package js_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/hostile"
	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// A trigger is script that runs into a limit.
type trigger struct {
	kind   meter.Kind
	what   string // of the LimitError; "" for any
	src    string // the body of boom()
	limits meter.Limits
	cancel bool // the host function cancel() cancels the context
	stop   bool // the host function cancel() stops the meter
}

var triggers = map[string]trigger{
	"fuel":      {kind: meter.Fuel, src: "for(;;);", limits: meter.Limits{Fuel: 300_000}},
	"fuel bulk": {kind: meter.Fuel, src: "Array.prototype.indexOf.call({length:2**53-1},1)", limits: meter.Limits{Fuel: 300_000}},
	"live":      {kind: meter.Memory, what: "live memory", src: "const a=[]; for(;;) a.push({})", limits: meter.Limits{LiveBytes: 3 << 20}},
	"live bulk": {kind: meter.Memory, what: "live memory", src: "const a=[]; for(;;) a.push('x'.repeat(1<<20).padEnd(3<<20))", limits: meter.Limits{LiveBytes: 8 << 20}},
	"requested": {kind: meter.Memory, what: "total allocation", src: "for(;;) new Array(1000).fill(0)", limits: meter.Limits{RequestedBytes: 8 << 20}},
	"stack":     {kind: meter.Stack, what: "call depth", src: "boom()", limits: meter.Limits{Depth: 200}},
	"native":    {kind: meter.Stack, what: "native nesting", src: "const o={get x(){ return Reflect.get(o,'x') }}; o.x", limits: meter.Limits{NativeDepth: 100}},
	"time":      {kind: meter.Time, src: "for(;;);", limits: meter.Limits{Timeout: 15 * time.Millisecond}},
	"time bulk": {kind: meter.Time, src: "Array.prototype.lastIndexOf.call({length:2**53-1},1)", limits: meter.Limits{Timeout: 15 * time.Millisecond}},
	"cancelled": {kind: meter.Cancelled, src: "cancel(); for(;;);", cancel: true},
	"stopped":   {kind: meter.Cancelled, src: "cancel(); for(;;);", stop: true},
}

func TestLimitsCannotBeCaught(t *testing.T) {
	for _, tn := range sortedKeys(triggers) {
		tr := triggers[tn]
		t.Run(tn, func(t *testing.T) {
			if quick() && tn != "fuel" && tn != "live" {
				t.Skip("a sample is enough")
			}
			for _, hn := range sortedKeys(hostile.Handlers) {
				touches := 0
				lim := tr.limits
				lim.Fuel, lim.LiveBytes = cmp.Or(lim.Fuel, 1<<30), cmp.Or(lim.LiveBytes, 256<<20) // should boom never be called
				ctx, cancel := context.WithCancel(context.Background())
				src := hostile.HandlerPrelude + "function boom(){ " + tr.src + " }\n" + hostile.Handlers[hn]
				e := run(job{src: src, ctx: ctx, limits: lim, setup: func(m *vm.Machine) {
					host(m, "touched", func(*vm.Machine, vm.Call) (vm.Value, error) {
						touches++
						return heap.Undefined, nil
					})
					host(m, "cancel", func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
						if tr.stop {
							m.Meter().Stop(&meter.LimitError{Kind: meter.Cancelled})
						} else {
							cancel()
						}
						return heap.Undefined, nil
					})
				}})
				cancel()
				var l *meter.LimitError
				switch {
				case !errors.As(e.err, &l):
					t.Errorf("%s: ended as %v %q", hn, e, e.text)
				case l.Kind != tr.kind || tr.what != "" && l.What != tr.what:
					t.Errorf("%s: ended by %v (%s)", hn, l, l.What)
				case !errors.Is(e.err, &meter.LimitError{Kind: tr.kind}):
					t.Errorf("%s: errors.Is doesn't know the limit", hn)
				}
				if touches > 0 {
					t.Errorf("%s: the script got control back %d times", hn, touches)
				}
				if e.m == nil {
					continue
				}
				// What waits when the limit comes never runs.
				for range 3 {
					if err := e.m.RunJobs(); err != nil && !meter.IsLimit(err) {
						t.Errorf("%s: later jobs: %v", hn, err)
					}
				}
				if touches > 0 {
					t.Errorf("%s: later jobs ran script", hn)
				}
			}
		})
	}
}

// The handlers above do get control when boom only throws: the test would see
// it.
func TestHandlersTouch(t *testing.T) {
	for _, hn := range sortedKeys(hostile.Handlers) {
		touches := 0
		src := hostile.HandlerPrelude + "function boom(){ throw 1 }\n" + hostile.Handlers[hn]
		run(job{src: src, limits: meter.Limits{Fuel: 10_000_000, LiveBytes: 64 << 20}, setup: func(m *vm.Machine) {
			host(m, "touched", func(*vm.Machine, vm.Call) (vm.Value, error) {
				touches++
				return heap.Undefined, nil
			})
		}})
		switch hn {
		case "comma", "argument", "microtask", "object default", "finalization", "iterator next", "iterator value", "Iterator.concat", "Promise.all then":
			continue // an exception ends these, too
		}
		if touches == 0 {
			t.Errorf("%s: nothing noticed the exception", hn)
		}
	}
}

func TestRecursionIsBounded(t *testing.T) {
	for _, name := range sortedKeys(hostile.Recursions) {
		t.Run(name, func(t *testing.T) { recurse(t, name) })
	}
}

func recurse(t *testing.T, name string) {
	{
		for _, lim := range []meter.Limits{
			{Depth: 2000, NativeDepth: testNativeDepth, Timeout: 20 * time.Second, LiveBytes: 256 << 20},
			{Depth: 1 << 30, NativeDepth: testNativeDepth, Timeout: 300 * time.Millisecond, LiveBytes: 64 << 20},
			{Depth: 1 << 30, NativeDepth: 10_000, Timeout: 300 * time.Millisecond, LiveBytes: 64 << 20},
		} {
			if quick() && lim.Depth > 1<<20 {
				continue
			}
			e := run(job{src: "try { " + hostile.Recursions[name] + " } catch { caught() } finally { caught() }", limits: lim, setup: func(m *vm.Machine) {
				host(m, "callback", func(m *vm.Machine, c vm.Call) (vm.Value, error) { return m.Call(c.Arg(0), heap.Undefined) })
				host(m, "caught", func(*vm.Machine, vm.Call) (vm.Value, error) {
					t.Errorf("%s: the limit was caught", name)
					return heap.Undefined, nil
				})
			}})
			want := "limit:stack"
			if lim.Depth > 1<<20 {
				want = "limit:stack|limit:memory|limit:time"
			}
			if !within(e, want) {
				t.Errorf("%s: %v %q, want %s", name, e, e.text, want)
			}
		}
	}
}

// The same program under the same limits uses the same fuel and the same
// memory, whether it ends by itself or by a limit.
func TestFuelIsExact(t *testing.T) {
	programs := []string{
		"let s=0; for(let i=0;i<1000;i++) s+=i; s",
		"const a=[]; for(let i=0;i<500;i++) a.push({i,s:'x'+i}); JSON.stringify(a.map(x=>x.i).sort((x,y)=>y-x))",
		"[...'hello world'].map(c=>c.charCodeAt(0)).reduce((a,b)=>a+b)",
		"const m=new Map(); for(let i=0;i<300;i++) m.set('k'+i%50,i); [...m].length",
		"'a1b22c333'.replace(/\\d+/g,x=>x.length)",
		"let f=n=>n<2?n:f(n-1)+f(n-2); f(15)",
		"(async()=>{ let s=0; for(let i=0;i<50;i++) s+=await i; return s })()",
	}
	for _, src := range programs {
		free := run(job{src: src})
		if free.kind != "value" {
			t.Errorf("%s: %v %q", src, free, free.text)
			continue
		}
		n := free.usage.Fuel
		if again := run(job{src: src}); again.usage.Fuel != n || again.usage.PeakBytes != free.usage.PeakBytes || again.usage.Requested != free.usage.Requested {
			t.Errorf("%s: used %+v, then %+v", src, free.usage, again.usage)
		}
		if e := run(job{src: src, limits: meter.Limits{Fuel: n}}); e.kind != "value" || e.usage.Fuel != n {
			t.Errorf("%s: with exactly %d fuel: %v, used %d", src, n, e, e.usage.Fuel)
		}
		for _, less := range []int64{1, n / 2, n - 1} {
			e := run(job{src: src, limits: meter.Limits{Fuel: n - less}})
			if e.String() != "limit:fuel" {
				t.Errorf("%s: with %d of %d fuel: %v", src, n-less, n, e)
			}
			if again := run(job{src: src, limits: meter.Limits{Fuel: n - less}}); again.usage.Fuel != e.usage.Fuel {
				t.Errorf("%s: with %d of %d fuel: used %d, then %d", src, n-less, n, e.usage.Fuel, again.usage.Fuel)
			}
		}
	}
}

func TestTimeoutIsADeadline(t *testing.T) {
	e := run(job{src: "for(;;);", limits: meter.Limits{Timeout: 5 * time.Millisecond}})
	if !errors.Is(e.err, context.DeadlineExceeded) {
		t.Error(e.err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	e = run(job{src: "for(;;);", ctx: ctx})
	if !errors.Is(e.err, context.DeadlineExceeded) || e.String() != "limit:cancelled" && e.String() != "limit:time" {
		t.Error(e, e.err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	e = run(job{src: "for(;;);", ctx: ctx})
	if !errors.Is(e.err, context.Canceled) || e.String() != "limit:cancelled" {
		t.Error(e, e.err)
	}
}

// Values that are deeply nested end a run by a limit or an exception at the
// most, wherever they are walked.
func TestDeepValues(t *testing.T) {
	builders := map[string]string{
		"array":          "let v=1; for(let i=0;i<DEEP;i++) v=[v];",
		"object":         "let v=1; for(let i=0;i<DEEP;i++) v={a:v};",
		"map":            "let v=1; for(let i=0;i<DEEP;i++) v=new Map([[1,v]]);",
		"set":            "let v=1; for(let i=0;i<DEEP;i++) v=new Set([v]);",
		"error":          "let v=1; for(let i=0;i<DEEP;i++) v=new Error('x',{cause:v});",
		"aggregate":      "let v=1; for(let i=0;i<DEEP;i++) v=new AggregateError([v]);",
		"prototype":      "let v={}; for(let i=0;i<DEEP;i++) v=Object.create(v);",
		"proxy":          "let v={}; for(let i=0;i<DEEP;i++) v=new Proxy(v,{});",
		"array proxy":    "let v=[]; for(let i=0;i<DEEP;i++) v=new Proxy(v,{});",
		"function proxy": "let v=()=>1; for(let i=0;i<DEEP;i++) v=new Proxy(v,{});",
		"bound":          "let v=()=>1; for(let i=0;i<DEEP;i++) v=v.bind();",
		"rope":           "let v='x'; for(let i=0;i<DEEP;i++) v=v+'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy';",
		"rope right":     "let v='x'; for(let i=0;i<DEEP;i++) v='yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'+v;",
		"closure":        "let v=()=>1; for(let i=0;i<DEEP;i++) { const w=v; v=()=>w }",
		"promise":        "let v=Promise.resolve(1); for(let i=0;i<DEEP;i++) v=v.then(x=>x);",
		"iterator":       "let v=[1].values(); for(let i=0;i<DEEP;i++) v=v.map(x=>x);",
		"weakmap":        "let v={}; for(let i=0;i<DEEP;i++) { const k={}; v=new WeakMap([[k,v]]); v.k=k }",
	}
	uses := []string{
		"String(v)", "v+''", "JSON.stringify(v)", "structuredClone(v)", "v.x", "'x' in v", "v.x=1", "delete v.x", "typeof v", "Object.keys(v)", "Object.entries(v)", "({...v})", "[...v]",
		"Array.isArray(v)", "Object.prototype.toString.call(v)", "v instanceof Object", "v()", "new v", "v.flat?.(Infinity)", "v.join?.()", "v.toLocaleString?.()", "v.next?.()", "for(const k in v);",
		"Object.freeze(v)", "Object.getPrototypeOf(v)", "Object.setPrototypeOf({},v)", "[].concat(v)", "Array.from(v)", "new Map([[v,v]]).get(v)", "v==1", "v<1", "`${v}`", "throw v", "Reflect.ownKeys(v)",
		"Promise.resolve(v).then(x=>x)", "new Error(v)", "v.length", "v.charCodeAt?.(3)", "Object.groupBy([1],()=>v)", "Symbol(v)", "Number(v)", "parseInt(v)", "/x/.test(v)", "'x'.replace('x',v)", "eval(v)", "console", "v.stack",
	}
	n := 20_000
	if quick() {
		n = 2000
	}
	for _, b := range sortedKeys(builders) {
		t.Run(b, func(t *testing.T) {
			for _, u := range uses {
				src := strings.ReplaceAll(builders[b], "DEEP", fmt.Sprint(n)) + u
				e := run(job{src: src, limits: meter.Limits{LiveBytes: 256 << 20, Timeout: 10 * time.Second, Depth: 2000, NativeDepth: testNativeDepth}})
				if e.kind == "fault" || e.String() == "limit:time" {
					t.Errorf("%s: %v", u, e)
				}
			}
		})
	}
}

// A module whose evaluation runs into a limit doesn't turn it into a rejection.
func TestLimitsInModules(t *testing.T) {
	for _, src := range []string{
		"for(;;);",
		"await null; for(;;);",
		"try { await import('x') } catch { touched() } ",
		"import('x').catch(touched)",
		"export default (()=>{ for(;;); })()",
	} {
		touches := 0
		dep, err := js.Compile("x", "for(;;);", js.CompileOptions{Goal: js.Module})
		if err != nil {
			t.Fatal(err)
		}
		e := run(job{src: src, goal: js.Module, limits: meter.Limits{Fuel: 100_000}, setup: func(m *vm.Machine) {
			host(m, "touched", func(*vm.Machine, vm.Call) (vm.Value, error) {
				touches++
				return heap.Undefined, nil
			})
		}, opt: vm.Options{LoadModule: func(_, s string, _ [][2]string) (vm.ModuleSource, error) {
			return vm.ModuleSource{Key: s, Program: dep}, nil
		}}})
		if e.String() != "limit:fuel" || touches > 0 {
			t.Errorf("%s: %v, %d touches", src, e, touches)
		}
	}
}

// The smallest limits end a run before it has begun, and nothing worse.
func TestTinyLimits(t *testing.T) {
	programs := []string{
		"1+1", "[1,2,3].map(x=>x*2).join()", "class A { x=1 } new A().x", "throw new TypeError('x')", "JSON.stringify({a:[1,{b:2}]})", "eval('1+1')", "new Error('x').stack",
		"'abc'.replace(/b/,x=>x+x)", "new Map([[1,2]]).get(1)", "Promise.resolve(1).then(x=>x)", "(function f(n){ return n?f(n-1):0 })(3)", "10n**20n+''", "`${{toString:()=>1}}`", "[3,1,2].sort((a,b)=>a-b)",
		"let s=''; for(let i=0;i<100;i++) s+='x'+i; s.length", "(async()=>{ await 1; return 2 })()", "[...(function*(){ yield 1 })()]", "new Proxy({},{get:()=>1}).x", "new Uint8Array(10).fill(1).join()", "new Function('return 1')()",
	}
	for _, src := range programs {
		for n := int64(1); n < 200_000; n += 1 + n/9 {
			if quick() && n > 3000 {
				break
			}
			for _, lim := range []meter.Limits{{LiveBytes: n}, {RequestedBytes: n}, {Fuel: n}, {Depth: int(n)}, {NativeDepth: int(n)}} {
				e := run(job{src: src, limits: lim})
				if e.kind == "fault" || e.kind == "throw" && !strings.HasPrefix(src, "throw") {
					t.Fatalf("%s under %+v: %v %q", src, lim, e, e.text)
				}
				if e.m == nil {
					continue
				}
				if err := e.m.Verify(); err != nil {
					t.Fatalf("%s under %+v: %v: %v", src, lim, e, err)
				}
			}
		}
	}
}

// Whatever the point at which a run is stopped, its heap stays whole and no
// script runs any more.
func TestStoppedAnywhere(t *testing.T) {
	programs := corpus(t)
	for i, path := range sortedKeys(programs) {
		if i%9 != 0 || quick() && i%54 != 0 {
			continue
		}
		src := "globalThis.console = new Proxy({}, {get: () => String}); " + programs[path]
		whole := run(job{src: src, limits: meter.Limits{Fuel: 2_000_000, LiveBytes: 64 << 20, Depth: 2000, NativeDepth: testNativeDepth}})
		if whole.kind == "fault" {
			t.Fatalf("%s: %v", path, whole)
		}
		for k := int64(1); k <= 8; k++ {
			lim := meter.Limits{Fuel: max(1, whole.usage.Fuel*k/9), Depth: 2000, NativeDepth: testNativeDepth}
			if k%2 == 0 {
				lim = meter.Limits{LiveBytes: max(1, whole.usage.PeakBytes*k/9), Depth: 2000, NativeDepth: testNativeDepth, Fuel: 4_000_000}
			}
			e := run(job{src: src, limits: lim})
			if e.kind == "fault" {
				t.Fatalf("%s under %+v: %v", path, lim, e)
			}
			if e.m == nil {
				continue
			}
			if err := e.m.Verify(); err != nil {
				t.Errorf("%s under %+v: %v: %v", path, lim, e, err)
			}
			if e.kind == "limit" {
				if err := e.m.RunJobs(); err != nil && !meter.IsLimit(err) {
					t.Errorf("%s under %+v: %v, then %v", path, lim, e, err)
				}
			}
		}
	}
}
