package js_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

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

// Every handler shape runs boom() where a script might hope to get control
// back: touched() says that it did.
var handlerShapes = map[string]string{
	"catch":                     "try { boom() } catch { touched() } touched()",
	"finally":                   "try { boom() } finally { touched() }",
	"finally return":            "(function(){ try { boom() } finally { touched(); return 1 } })(); touched()",
	"finally break":             "for(;;) { try { boom() } finally { touched(); break } } touched()",
	"nested":                    "try { try { boom() } finally { touched() } } catch { touched() } finally { touched() }",
	"catch in callee":           "function f(){ try { boom() } catch { touched() } } try { f() } catch { touched() } touched()",
	"then":                      "Promise.resolve().then(boom).then(touched,touched)",
	"then catch":                "Promise.resolve().then(boom).catch(touched).finally(touched)",
	"promise finally":           "Promise.resolve().finally(boom).finally(touched)",
	"earlier reaction":          "Promise.resolve().then(boom); Promise.resolve().then(touched)",
	"executor":                  "new Promise(boom).catch(touched); touched()",
	"thenable":                  "Promise.resolve({then(){ boom() }}).catch(touched)",
	"then getter":               "Promise.resolve({get then(){ boom() }}).catch(touched); touched()",
	"async":                     "(async()=>{ try { boom() } catch { touched() } finally { touched() } })().catch(touched)",
	"await":                     "(async()=>{ try { await null; boom() } catch { touched() } finally { touched() } })().catch(touched)",
	"await rejected":            "(async()=>{ try { await (async()=>{ await 1; boom() })() } catch { touched() } finally { touched() } })()",
	"microtask":                 "queueMicrotask(boom); queueMicrotask(touched)",
	"generator":                 "const g=(function*(){ try { yield; boom() } catch { touched() } finally { touched() } })(); g.next(); try { g.next() } catch { touched() }",
	"generator in for-of":       "for (const x of (function*(){ try { yield 1 } finally { touched() } })()) boom()",
	"generator return":          "const g=(function*(){ try { yield 1 } finally { boom(); touched() } })(); g.next(); try { g.return() } catch { touched() }",
	"generator throw":           "const g=(function*(){ try { yield 1 } catch { boom() } finally { touched() } })(); g.next(); try { g.throw(1) } catch { touched() }",
	"yield star":                "const inner={[Symbol.iterator](){ return this }, next(){ boom() }, return(){ touched() }, throw(){ touched() }}; const g=(function*(){ try { yield* inner } finally { touched() } })(); try { g.next() } finally { touched() }",
	"async generator":           "const g=(async function*(){ try { yield 1; boom() } catch { touched() } finally { touched() } })(); g.next().then(()=>g.next()).catch(touched)",
	"for await":                 "(async()=>{ try { for await (const x of (async function*(){ try { yield 1 } finally { touched() } })()) boom() } catch { touched() } finally { touched() } })()",
	"async yield star":          "(async()=>{ try { for await (const x of (async function*(){ yield* {[Symbol.asyncIterator](){ return {next(){ boom() }, return(){ touched() }} }} })()); } catch { touched() } })()",
	"iterator close":            "for (const x of ITER) boom()",
	"iterator next":             "for (const x of {[Symbol.iterator]:()=>({next(){ boom() }, return(){ touched() }})}) touched()",
	"iterator value":            "for (const x of {[Symbol.iterator]:()=>({next(){ return {get value(){ boom() },done:false} }, return(){ touched() }})}) touched()",
	"destructuring default":     "const [a=boom()]=ITERU; touched()",
	"destructuring target":      "const o={set x(v){ boom() }}; [o.x]=ITER; touched()",
	"object default":            "const {a=boom()}={}; touched()",
	"parameter default":         "try { (function(a=boom()){ touched() })() } catch { touched() }",
	"spread":                    "try { [...{[Symbol.iterator]:()=>({next(){ boom() }, return(){ touched() }})}] } catch { touched() }",
	"Array.from":                "Array.from(ITER, boom); touched()",
	"Array.fromAsync":           "Array.fromAsync(ITER, boom).catch(touched)",
	"new Map":                   "Map.prototype.set=boom; new Map({[Symbol.iterator]:()=>({next:()=>({value:[1,2],done:false}), return(){ touched() }})})",
	"new Set":                   "Set.prototype.add=boom; new Set(ITER)",
	"new WeakSet":               "WeakSet.prototype.add=boom; new WeakSet(ITER)",
	"Object.fromEntries":        "Object.fromEntries({[Symbol.iterator]:()=>({next:()=>({value:{get 0(){ boom() }},done:false}), return(){ touched() }})})",
	"Object.groupBy":            "Object.groupBy(ITER,boom)",
	"Map.groupBy":               "Map.groupBy(ITER,boom)",
	"Promise.all":               "Promise.resolve=boom; Promise.all(ITER).catch(touched)",
	"Promise.all then":          "Promise.all({[Symbol.iterator]:()=>({next:()=>({value:{get then(){ boom() }},done:false}), return(){ touched() }})}).catch(touched)",
	"Promise.race":              "Promise.race({[Symbol.iterator]:()=>({next(){ boom() }, return(){ touched() }})}).catch(touched)",
	"Promise.any":               "Promise.any([1]).then(boom).catch(touched); Promise.any([Promise.reject(1)]).catch(boom).finally(touched)",
	"Promise.try":               "Promise.try(boom).catch(touched)",
	"Promise.withResolvers":     "const {promise,resolve}=Promise.withResolvers(); promise.catch(touched); resolve({get then(){ boom() }}); touched()",
	"helper map":                "ITERH.map(boom).next(); touched()",
	"helper filter":             "ITERH.filter(boom).next(); touched()",
	"helper flatMap":            "ITERH.flatMap(boom).next(); touched()",
	"helper reduce":             "ITERH.reduce(boom); touched()",
	"helper forEach":            "ITERH.forEach(boom); touched()",
	"helper some":               "ITERH.some(boom); touched()",
	"helper take":               "ITERH.take({valueOf:boom}); touched()",
	"Iterator.concat":           "Iterator.concat({[Symbol.iterator]:()=>({next(){ boom() }, return(){ touched() }})}).next(); touched()",
	"using":                     "{ using x={[Symbol.dispose](){ touched() }}; boom() }",
	"using block":               "try { using a={[Symbol.dispose](){ touched() }}, b={[Symbol.dispose](){ boom() }}; } catch { touched() }",
	"await using":               "(async()=>{ await using x={[Symbol.asyncDispose](){ touched() }}; boom() })().catch(touched)",
	"DisposableStack":           "const d=new DisposableStack(); d.defer(touched); d.defer(boom); try { d.dispose() } catch { touched() }",
	"AsyncDisposableStack":      "const d=new AsyncDisposableStack(); d.defer(touched); d.defer(boom); d.disposeAsync().catch(touched)",
	"getter":                    "try { ({get x(){ boom() }}).x } catch { touched() }",
	"setter":                    "try { ({set x(v){ boom() }}).x=1 } catch { touched() }",
	"toString":                  "try { `${{toString(){ boom() }}}` } catch { touched() }",
	"valueOf":                   "try { 1+{valueOf(){ boom() }} } catch { touched() }",
	"toPrimitive":               "try { +{[Symbol.toPrimitive](){ boom() }} } catch { touched() }",
	"fallback toString":         "try { +{valueOf(){ boom() }, toString(){ touched(); return 1 }} } catch { touched() }",
	"proxy get":                 "try { new Proxy({},{get(){ boom() }}).x } catch { touched() }",
	"proxy has":                 "try { 'x' in new Proxy({},{has(){ boom() }}) } catch { touched() }",
	"proxy ownKeys":             "try { Object.keys(new Proxy({},{ownKeys(){ boom() }})) } catch { touched() }",
	"proxy apply":               "try { new Proxy(()=>1,{apply(){ boom() }})() } catch { touched() }",
	"proxy construct":           "try { new (new Proxy(class{},{construct(){ boom() }})) } catch { touched() }",
	"sort":                      "try { [3,2,1].sort(boom) } catch { touched() }",
	"typed sort":                "try { new Uint8Array(3).sort(boom) } catch { touched() }",
	"map":                       "try { [1].map(boom) } catch { touched() }",
	"reduce":                    "try { [1,2].reduce(boom) } catch { touched() }",
	"replace":                   "try { 'x'.replace('x',boom) } catch { touched() }",
	"replace regexp":            "try { 'x'.replace(/x/g,boom) } catch { touched() }",
	"exec":                      "const r=/x/; r.exec=boom; try { r.test('x') } catch { touched() }",
	"split":                     "try { 'x'.split({[Symbol.split]:boom}) } catch { touched() }",
	"toJSON":                    "try { JSON.stringify({toJSON:boom}) } catch { touched() }",
	"replacer":                  "try { JSON.stringify({a:1},boom) } catch { touched() }",
	"reviver":                   "try { JSON.parse('[1]',boom) } catch { touched() }",
	"join":                      "try { [{toString:boom}].join() } catch { touched() } try { [{toString:boom}]+'' } catch { touched() }",
	"Reflect.apply":             "try { Reflect.apply(boom,null,[]) } catch { touched() }",
	"Reflect.construct":         "try { Reflect.construct(function(){ boom() },[]) } catch { touched() }",
	"call":                      "try { boom.call() } catch { touched() }",
	"apply":                     "try { boom.apply() } catch { touched() }",
	"apply arguments":           "try { touched.apply(null,{length:1,get 0(){ boom() }}) } catch { touched() }",
	"bound":                     "try { boom.bind()() } catch { touched() }",
	"new":                       "try { new (class { constructor(){ boom() } }) } catch { touched() }",
	"super":                     "try { new (class extends class { constructor(){ boom() } } { constructor(){ try { super() } finally { touched() } } }) } catch { touched() }",
	"field":                     "try { new (class { x=boom() }) } catch { touched() }",
	"static block":              "try { class A { static { boom() } } } catch { touched() }",
	"computed key":              "try { class A { [boom()](){} } } catch { touched() }",
	"tagged template":           "try { boom`x` } catch { touched() }",
	"hasInstance":               "try { ({}) instanceof {[Symbol.hasInstance]:boom} } catch { touched() }",
	"species":                   "const a=[1]; a.constructor={[Symbol.species]:function(){ boom() }}; try { a.map(x=>x) } catch { touched() }",
	"eval":                      "try { eval('boom()') } catch { touched() }",
	"indirect eval":             "try { (0,eval)('boom()') } catch { touched() }",
	"Function":                  "try { new Function('boom()')() } catch { touched() }",
	"with":                      "try { with({get x(){ boom() }}) x } catch { touched() }",
	"unscopables":               "try { with({x:1,get [Symbol.unscopables](){ boom() }}) x } catch { touched() }",
	"switch":                    "try { switch(1) { case boom(): touched() } } catch { touched() }",
	"label":                     "a: try { boom() } finally { touched(); break a }",
	"structuredClone":           "try { structuredClone({get x(){ boom() }}) } catch { touched() }",
	"URL":                       "try { new URL({toString:boom}) } catch { touched() }",
	"URL setter":                "try { new URL('http://h').search={toString:boom} } catch { touched() }",
	"URLSearchParams":           "try { new URLSearchParams({get x(){ boom() }}) } catch { touched() }",
	"URLSearchParams iterable":  "try { new URLSearchParams({[Symbol.iterator]:()=>({next(){ boom() }, return(){ touched() }})}) } catch { touched() }",
	"URLSearchParams.forEach":   "try { new URLSearchParams('a').forEach(boom) } catch { touched() }",
	"TextDecoder":               "try { new TextDecoder('utf-8',{get fatal(){ boom() }}) } catch { touched() }",
	"TextDecoder.decode":        "try { new TextDecoder().decode(new Uint8Array(1),{get stream(){ boom() }}) } catch { touched() }",
	"atob":                      "try { atob({toString:boom}) } catch { touched() }",
	"DOMException":              "try { new DOMException('m',{get name(){ boom() }}) } catch { touched() }",
	"captureStackTrace":         "try { Error.captureStackTrace({set stack(v){ boom() }}) ; boom() } catch { touched() }",
	"error toString":            "const e=new Error; Object.defineProperty(e,'message',{get(){ boom() }}); try { String(e) } catch { touched() }",
	"error cause":               "try { new Error('x',{get cause(){ boom() }}) } catch { touched() }",
	"AggregateError":            "try { new AggregateError({[Symbol.iterator]:()=>({next(){ boom() }, return(){ touched() }})}) } catch { touched() }",
	"Atomics":                   "try { Atomics.add(new Int32Array(1),0,{valueOf:boom}) } catch { touched() }",
	"typed from":                "try { Uint8Array.from([1,2],boom) } catch { touched() }",
	"typed set":                 "try { new Uint8Array(2).set([{valueOf:boom}]) } catch { touched() }",
	"Date":                      "try { new Date({valueOf:boom}) } catch { touched() }",
	"BigInt":                    "try { BigInt({valueOf:boom}) } catch { touched() }",
	"Symbol.for":                "try { Symbol.for({toString:boom}) } catch { touched() }",
	"Set methods":               "try { new Set([1]).union({size:1,has:boom,keys:boom}) } catch { touched() }",
	"defineProperty":            "try { Object.defineProperty({},'x',{get value(){ boom() }}) } catch { touched() }",
	"for in":                    "try { for (const k in new Proxy({},{ownKeys:boom})) touched() } catch { touched() }",
	"delete":                    "try { delete new Proxy({},{deleteProperty:boom}).x } catch { touched() }",
	"uncaught handler":          "Promise.reject(1).finally(boom).catch(touched)",
	"optional call":             "try { boom?.() } catch { touched() }",
	"logical":                   "try { null ?? boom(); touched() } catch { touched() }",
	"comma":                     "boom(), touched()",
	"argument":                  "touched(boom())",
	"return value of generator": "try { [...(function*(){ return boom() })()] } catch { touched() }",
	"finalization":              "(()=>{ const r=globalThis.r=new FinalizationRegistry(touched); for(let i=0;i<100;i++) r.register({},1) })(); try { boom() } catch { touched() }",
}

const handlerPrelude = `
const touching = v => ({[Symbol.iterator]: () => ({next: () => ({value: v, done: false}), return() { touched(); return {} }})});
const ITER = touching(1), ITERU = touching(undefined);
const ITERH = {__proto__: Iterator.prototype, next: () => ({value: 1, done: false}), return() { touched(); return {} }};
`

func TestLimitsCannotBeCaught(t *testing.T) {
	for _, tn := range sortedKeys(triggers) {
		tr := triggers[tn]
		t.Run(tn, func(t *testing.T) {
			if quick() && tn != "fuel" && tn != "live" {
				t.Skip("a sample is enough")
			}
			for _, hn := range sortedKeys(handlerShapes) {
				touches := 0
				lim := tr.limits
				lim.Fuel, lim.LiveBytes = cmp.Or(lim.Fuel, 1<<30), cmp.Or(lim.LiveBytes, 256<<20) // should boom never be called
				ctx, cancel := context.WithCancel(context.Background())
				src := handlerPrelude + "function boom(){ " + tr.src + " }\n" + handlerShapes[hn]
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
	for _, hn := range sortedKeys(handlerShapes) {
		touches := 0
		src := handlerPrelude + "function boom(){ throw 1 }\n" + handlerShapes[hn]
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

// The ways into unbounded recursion: a script's call depth or the nesting of
// native code bounds each, and neither can be caught.
var recursions = map[string]string{
	"call":                  "function f(){ f() } f()",
	"call with arguments":   "function f(a,b,c){ return 1+f(a+1,b,c) } f(1,2,3)",
	"method":                "const o={f(){ this.f() }}; o.f()",
	"arrow":                 "const f=()=>f(); f()",
	"new":                   "function F(){ new F } new F",
	"new class":             "class A { constructor(){ new A } } new A",
	"super":                 "class A { constructor(){ new B } } class B extends A {} new B",
	"getter":                "const o={get x(){ return o.x }}; o.x",
	"setter":                "const o={set x(v){ o.x=v }}; o.x=1",
	"inherited getter":      "const p={get x(){ return this.x }}; Object.create(p).x",
	"valueOf":               "const o={valueOf(){ return +o }}; +o",
	"toString":              "const o={toString(){ return ''+o }}; ''+o",
	"template":              "const o={toString(){ return `${o}` }}; `${o}`",
	"toPrimitive":           "const o={[Symbol.toPrimitive](){ return o*1 }}; o*1",
	"compare":               "const o={valueOf(){ return o<1 }}; o<1",
	"equality":              "const o={valueOf(){ return o==1 }}; o==1",
	"key":                   "const o={toString(){ return ({})[o] }}; ({})[o]",
	"proxy get":             "const p=new Proxy({},{get(t,k,r){ return r[k] }}); p.x",
	"proxy set":             "const p=new Proxy({},{set(t,k,v,r){ r[k]=v; return true }}); p.x=1",
	"proxy has":             "const p=new Proxy({},{has(t,k){ return k in p }}); 'x' in p",
	"proxy delete":          "const p=new Proxy({},{deleteProperty(t,k){ return delete p[k] }}); delete p.x",
	"proxy ownKeys":         "const p=new Proxy({},{ownKeys(){ return Object.keys(p) }}); Object.keys(p)",
	"proxy descriptor":      "const p=new Proxy({},{getOwnPropertyDescriptor(t,k){ return Object.getOwnPropertyDescriptor(p,k) }}); Object.getOwnPropertyDescriptor(p,'x')",
	"proxy define":          "const p=new Proxy({},{defineProperty(t,k,d){ return Reflect.defineProperty(p,k,d) }}); p.x=1",
	"proxy prototype":       "const p=new Proxy({},{getPrototypeOf(){ return Object.getPrototypeOf(p) }}); Object.getPrototypeOf(p)",
	"proxy set prototype":   "const p=new Proxy({},{setPrototypeOf(t,x){ return Reflect.setPrototypeOf(p,x) }}); Object.setPrototypeOf(p,null)",
	"proxy extensible":      "const p=new Proxy({},{isExtensible(){ return Object.isExtensible(p) }}); Object.isExtensible(p)",
	"proxy prevent":         "const p=new Proxy({},{preventExtensions(){ return Reflect.preventExtensions(p) }}); Object.preventExtensions(p)",
	"proxy apply":           "const p=new Proxy(()=>1,{apply(){ return p() }}); p()",
	"proxy construct":       "const p=new Proxy(class{},{construct(){ return new p }}); new p",
	"proxy of itself":       "const h={}; const p=new Proxy({},h); Object.setPrototypeOf(h,p); p.x",
	"iterator":              "const o={[Symbol.iterator](){ return [...o][Symbol.iterator]() }}; [...o]",
	"iterator next":         "const o={[Symbol.iterator](){ return {next(){ for(const x of o); return {done:true} }} }}; for(const x of o);",
	"iterator return":       "const o={[Symbol.iterator](){ return {next(){ return {done:false} }, return(){ for(const x of o) break; return {} }} }}; for(const x of o) break;",
	"generator":             "function* g(){ yield* g() } [...g()]",
	"generator next":        "function* g(){ for(const x of g()) yield x } g().next()",
	"generator resume":      "function* g(){ g().next(); yield } g().next()",
	"async":                 "async function f(){ await f() } f()",
	"async generator":       "async function* g(){ for await(const x of g()); } g().next()",
	"hasInstance":           "const C={[Symbol.hasInstance](x){ return x instanceof C }}; ({}) instanceof C",
	"JSON reviver":          "const f=()=>JSON.parse('[1]',f); f()",
	"toJSON":                "const o={toJSON(){ return JSON.stringify(o) }}; JSON.stringify(o)",
	"replacer":              "const f=(k,v)=>JSON.stringify({a:1},f); f()",
	"sort":                  "const f=()=>[2,1].sort(f); f()",
	"toSorted":              "const f=()=>[2,1].toSorted(f); f()",
	"forEach":               "const f=()=>[1].forEach(f); f()",
	"map":                   "const f=()=>[1].map(f); f()",
	"reduce":                "const f=()=>[1,2].reduce(f); f()",
	"Array.from":            "const f=()=>Array.from([1],f); f()",
	"flatMap":               "const f=()=>[1].flatMap(f); f()",
	"replace":               "const f=()=>'x'.replace('x',f); f()",
	"replace regexp":        "const f=()=>'x'.replace(/x/g,f); f()",
	"exec":                  "const r=/x/; r.exec=()=>r.test('x'); r.test('x')",
	"match":                 "const o={[Symbol.match](){ return 'x'.match(o) }}; 'x'.match(o)",
	"tagged template":       "const f=()=>f`x`; f()",
	"destructuring default": "const f=()=>{ const {a=f()}={} }; f()",
	"array default":         "const f=()=>{ const [a=f()]=[] }; f()",
	"parameter default":     "const f=(a=f())=>a; f()",
	"class field":           "class A { x=new A } new A",
	"static field":          "let n=0; const f=()=>{ class A { static x=f() } }; f()",
	"static block":          "const f=()=>{ class A { static { f() } } }; f()",
	"computed key":          "const f=()=>({[f()]:1}); f()",
	"private method":        "class A { #m(){ this.#m() } go(){ this.#m() } } new A().go()",
	"private getter":        "class A { get #x(){ return this.#x } go(){ return this.#x } } new A().go()",
	"spread":                "const f=(...a)=>f(...a); f(1,2)",
	"spread object":         "const o={get a(){ return {...o} }}; ({...o})",
	"apply":                 "function f(){ f.apply() } f()",
	"apply list":            "const f=()=>f.apply(null,{length:1,get 0(){ return f() }}); f()",
	"call method":           "function f(){ f.call() } f()",
	"bind":                  "const f=()=>f.bind()(); f()",
	"Reflect.apply":         "const f=()=>Reflect.apply(f,null,[]); f()",
	"Reflect.construct":     "function F(){ Reflect.construct(F,[]) } new F",
	"eval":                  "const f=()=>eval('f()'); f()",
	"eval of itself":        "var s='eval(s)'; eval(s)",
	"Function":              "globalThis.f=()=>new Function('f()')(); f()",
	"with":                  "const o={get x(){ with(o) return x }}; o.x",
	"promise executor":      "const f=()=>new Promise(f); f()",
	"then getter":           "const o={get then(){ Promise.resolve(o); return ()=>{} }}; Promise.resolve(o)",
	"species":               "const a=[1]; a.constructor={[Symbol.species]:function(){ a.map(x=>x) }}; a.map(x=>x)",
	"array length":          "const o={valueOf(){ [].length=o; return 1 }}; [].length=o",
	"typed array":           "const o={valueOf(){ new Uint8Array(1)[0]=o; return 1 }}; new Uint8Array(1)[0]=o",
	"Date":                  "const o={valueOf(){ return +new Date(o) }}; new Date(o)",
	"Map":                   "const f=()=>new Map([[1,2]]).forEach(f); f()",
	"Map.groupBy":           "const f=()=>Map.groupBy([1],f); f()",
	"computed":              "const f=()=>new Map().getOrInsertComputed?.(1,f) ?? f(); f()",
	"structuredClone":       "const o={get x(){ return structuredClone(o) }}; structuredClone(o)",
	"URL":                   "const o={toString(){ return new URL(o) }}; new URL(o)",
	"URL setter":            "const u=new URL('http://h'), o={toString(){ u.hash=o }}; u.hash=o",
	"URLSearchParams":       "const f=()=>new URLSearchParams('a').forEach(f); f()",
	"params getter":         "const o={get x(){ return new URLSearchParams(o) }}; new URLSearchParams(o)",
	"TextEncoder":           "const o={toString(){ return new TextEncoder().encode(o) }}; new TextEncoder().encode(o)",
	"TextDecoder":           "const o={get stream(){ return new TextDecoder().decode(new Uint8Array,o) }}; new TextDecoder().decode(new Uint8Array,o)",
	"dispose":               "const f=()=>{ using x={[Symbol.dispose]:f} }; f()",
	"DisposableStack":       "const f=()=>{ const d=new DisposableStack; d.defer(f); d.dispose() }; f()",
	"iterator helper":       "const f=()=>[1].values().map(f).next(); f()",
	"join":                  "const o={toString(){ return [o]+'' }}; [o].join()",
	"toLocaleString":        "const o={toLocaleString(){ return [o].toLocaleString() }}; [o].toLocaleString()",
	"concat":                "const o={get [Symbol.isConcatSpreadable](){ return [].concat(o) }}; [].concat(o)",
	"error cause":           "const o={get cause(){ return new Error('x',o) }}; new Error('x',o)",
	"error name":            "const e={get name(){ return Error.prototype.toString.call(e) }}; Error.prototype.toString.call(e)",
	"stack":                 "const f=()=>{ new Error().stack; f() }; f()",
	"assign":                "const o={get a(){ return Object.assign({},o) }}; Object.assign({},o)",
	"entries":               "const o={get a(){ return Object.entries(o) }}; Object.entries(o)",
	"defineProperties":      "const o={a:{get value(){ return Object.defineProperties({},o) }}}; Object.defineProperties({},o)",
	"host callback":         "const f=()=>callback(f); f()",
	"mixed":                 "const o={get x(){ return [1].map(()=>`${{toString:()=>JSON.stringify({toJSON:()=>o.x})}}`) }}; o.x",
}

func TestRecursionIsBounded(t *testing.T) {
	for _, name := range sortedKeys(recursions) {
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
			e := run(job{src: "try { " + recursions[name] + " } catch { caught() } finally { caught() }", limits: lim, setup: func(m *vm.Machine) {
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
