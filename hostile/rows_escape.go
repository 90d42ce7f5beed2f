package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/pinfold-js/pinfold"
)

// tools are host functions of the shapes that scripts might climb out by.
func tools() []pinfold.Function {
	return []pinfold.Function{
		{Name: "tool.list", Func: func() []any { return []any{1, "two", map[string]any{"a": []int{1, 2}}} }},
		{Name: "tool.fail", Func: func() error { return errors.New("host says no") }},
		{Name: "tool.leak", Func: func() error {
			_, err := os.Open("/secret/path/of/the/host")
			return fmt.Errorf("reading the configuration: %w", err)
		}},
		{Name: "tool.coded", Func: func() error {
			return &pinfold.Error{Code: "E_ROW", Message: "no such row", Data: map[string]any{"row": 3}}
		}},
		{Name: "tool.echo", Func: func(x any) any { return x }},
		{Name: "tool.text", Func: func(s string) string { return s }},
		{Name: "tool.count", Func: func(n int) int { return n }},
		{Name: "tool.later", Async: true, Cancel: pinfold.Cooperative, Func: func(x any) (any, error) { return x, nil }},
		{Name: "tool.failLater", Async: true, Cancel: pinfold.Cooperative, Func: func() (any, error) { return nil, errors.New("host says no, later") }},
		{Name: "bytes", Func: func() []byte { return []byte{1, 2, 3} }},
	}
}

func withTools(o *pinfold.Options) { o.Functions = append(o.Functions, tools()...) }

// hosts are the objects that the host gives a script, as expressions.
var hosts = []string{
	"this", "globalThis", "input", "input.list", "tool", "tool.list", "tool.list()", "tool.list()[2]", "tool.echo({a:1})", "bytes", "bytes()", "console", "console.log", "touched",
	"(()=>{ try { tool.fail() } catch (e) { return e } })()", "(()=>{ try { tool.coded() } catch (e) { return e.data } })()", "tool.later(1)", "await tool.later([1])", "await tool.failLater().catch(e => e)", "new Error().stack",
	"crypto", "Intl", "new URL('http://h')", "new TextEncoder", "(function(){}).constructor", "(async()=>{}).constructor", "(function*(){}).constructor", "structuredClone({})", "Reflect", "import.meta", "arguments",
}

// escapeCases are the rows of A: ways out by objects, prototypes, errors and
// reflection.
var escapeCases = func() []Case {
	var cases []Case
	outside := []string{"process", "require", "module", "exports", "__dirname", "Deno", "Bun", "global", "window", "self", "WebAssembly", "SharedArrayBuffer", "fetch", "XMLHttpRequest", "Worker", "importScripts", "Buffer", "setImmediate", "Go", "runtime", "load", "print", "quit", "gc", "std", "os"}
	for i, h := range hosts {
		if h == "import.meta" || h == "arguments" || h == "this" {
			continue
		}
		// Whatever is reached from the object, by constructors and prototypes, is the
		// script's own world.
		cases = append(cases, Case{ID: fmt.Sprintf("A1-%d", i), Options: withTools, Input: map[string]any{"list": []int{1}}, Want: "value=ok", Source: fmt.Sprintf(`
			const X = %s;
			const seen = [];
			for (let o = X, n = 0; o != null && n < 9; o = Object.getPrototypeOf(Object(o)), n++) for (const k of ['constructor', '__proto__', 'caller', 'callee', 'arguments', 'valueOf'])
				try { seen.push(o[k]) } catch (e) { if (!(e instanceof TypeError)) throw e }
			for (const f of seen) if (typeof f === 'function') {
				let c; try { c = f.constructor } catch { continue }
				if (c !== Function && !(typeof c === 'function' && c.constructor === Function)) return 'another Function: ' + String(c);
				let g; try { g = c('return globalThis')() } catch (e) { if (!(e instanceof TypeError || e instanceof SyntaxError || e instanceof RangeError)) throw e; continue }
				if (typeof g === 'object' && g !== globalThis && !(g instanceof Promise) && Object(g) === g && g.Object && g.Object !== Object) return 'another global';
			}
			for (const n of %s) {
				let t; try { t = Function('return typeof ' + n)() } catch (e) { t = 'undefined' }
				if (t !== 'undefined') return n + ' is ' + t;
				try { Function('return ' + n)(); return n + ' can be read' } catch (e) { if (!(e instanceof ReferenceError)) throw e }
			}
			return 'ok'`, h, jsonText(outside))})
	}
	cases = append(cases, []Case{
		{ID: "A3", Source: `const out=[]; const f=()=>{ const e=new Error('x'); e.name=Symbol('s'); try { out.push(typeof e.stack) } catch (x) { out.push(x instanceof TypeError, x.constructor.constructor===Function) } try { String(e) } catch (x) { out.push(x instanceof TypeError) } return e };
			f(); await (async()=>f())(); [...(function*(){ yield f() })()]; return out.join()`, Want: "value=string,true,string,true,string,true"},
		{ID: "A3b", Source: `const e=new Error('x'); e.name=Symbol('s'); throw e`, Want: "throw:"},
		{ID: "A3c", Source: `throw {get name(){ touched() }, get message(){ touched() }, toString(){ touched() }}`, Want: "throw:"},
		{ID: "A5", Options: withTools, Want: "value=ok", Source: `
			const mine = e => e instanceof Error && e.constructor.constructor === Function && !/\.go|\/|goroutine/.test(e.message + e.stack.replace(/A5\.js/g, ''));
			const e1 = await Promise.any([tool.failLater(), tool.failLater()]).catch(e => e);
			if (!(e1 instanceof AggregateError) || !e1.errors.every(mine)) return 'any';
			const e2 = await Promise.all([tool.failLater()]).catch(e => e);
			if (!mine(e2)) return 'all';
			let e3; try { using x = {[Symbol.dispose]() { tool.leak() }}; tool.fail() } catch (e) { e3 = e }
			if (!(e3 instanceof SuppressedError) || !mine(e3.error) || !mine(e3.suppressed)) return 'suppressed';
			let e4; try { try { tool.leak() } catch (e) { throw new Error('outer', {cause: e}) } } catch (e) { e4 = e }
			return mine(e4) && mine(e4.cause) && e4.cause.code === 'E_HOST' ? 'ok' : 'cause ' + e4.cause.message`},
		{ID: "A7", Source: `typeof WebAssembly + '/' + (()=>{ try { WebAssembly } catch (e) { return e.name } })()`, Want: "value=undefined/ReferenceError"},
		{ID: "A8", Options: withTools, Want: "value=ok", Source: `
			const ways = [a => { a.constructor = C }, a => Object.assign(a, {constructor: C}), a => Object.defineProperty(a, 'constructor', {value: C})];
			let made = 0; const C = {[Symbol.species]: function (n) { made++; this.length = 0 }};
			for (const w of ways) for (const m of ['map', 'filter', 'concat', 'slice', 'splice', 'flat', 'flatMap']) { const a = tool.list(); w(a); a[m](x => x) }
			if (made !== 21) return 'made ' + made;
			const b = tool.list(); return b.constructor === Array && b.length === 3 ? 'ok' : 'changed'`},
		{ID: "A8b", Options: withTools, Source: `Object.defineProperty(Array, Symbol.species, {get(){ touched(); return function(){ for(;;); } }}); const r=tool.list(); tool.echo([1,2]); return r.length`, Want: "value=3"},
		{ID: "A9", Options: withTools, Input: map[string]any{"list": []int{1, 2}}, Want: "value=ok", Source: `
			const hits = [];
			for (const k of [0, 1, 2, 'a', 'b', 'length2', 'then', 'value', 'done', 'get', 'set', 'name', 'message', 'code', 'data', 'cause', 'errors', 'constructor2', 'toJSON', 'writable'])
				for (const P of [Object.prototype, Array.prototype]) Object.defineProperty(P, k, {__proto__: null, set(v) { hits.push(k) }, get() { return undefined }, configurable: true});
			tool.echo([1, 2, {a: 1, b: [2]}]); tool.list(); try { tool.coded() } catch (e) { if (e.data.row !== 3) return 'data' }
			await tool.later({a: [1], then2: 1}); console.log({a: 1, b: [1, 2]}); structuredClone({a: [1]}); bytes();
			return hits.length ? hits.join() : 'ok'`},
		{ID: "A9b", Options: withTools, Source: `Object.defineProperty(Object.prototype,'then',{get(){ return (r)=>r('stolen') }, configurable:true}); const v=await tool.later({a:1}); delete Object.prototype.then; return v==='stolen'?'the script\'s own thenable':v`, Want: "value"},
		{ID: "A11", Options: withTools, Want: "value=ok", Source: `
			const odd = [Symbol.for('nodejs.util.inspect.custom'), Symbol.toStringTag, Symbol.toPrimitive, 'inspect', 'toString', 'toJSON', 'valueOf', 'constructor'];
			let ran = 0; const o = {}; for (const k of odd) Object.defineProperty(o, k, {get() { ran++; return () => { ran++; return 'x' } }, enumerable: false, configurable: true});
			for (const x of [globalThis, tool, tool.list, console, console.log, touched]) for (const s of Object.getOwnPropertySymbols(x)) if (Symbol.keyFor(s)) return 'a registered symbol on a host object: ' + String(s);
			console.log(o, [o], {o}, new Map([[o, o]]), new Set([o])); console.error(o); console.table?.([o]); console.dir?.(o);
			return ran ? 'ran ' + ran : 'ok'`},
		{ID: "A12", Options: withTools, Want: "value=ok", Source: `
			let traps = 0; const h = new Proxy({}, {get(t, k) { traps++; return undefined }});
			console.log(new Proxy({a: 1}, h), [new Proxy([], h)], new Proxy(() => 1, h)); console.table?.([new Proxy({}, h)]);
			return traps ? 'traps ' + traps : 'ok'`},
		{ID: "A13", Options: withTools, Want: "value=ok", Source: `
			const bad = s => /\.go\b|\/usr|\/home|\/root|\/tmp|goroutine|runtime\.|0xc0|pinfold|reflect\./.test(s);
			let e; try { tool.fail() } catch (x) { e = x } if (bad(e.stack) || bad(e.message)) return e.stack;
			try { tool.leak() } catch (x) { e = x } if (bad(e.stack) || bad(e.message) || e.message.includes('secret')) return e.stack + e.message;
			let frames; Error.prepareStackTrace = (e, f) => { frames = f; return 'x' }; try { tool.fail() } catch (x) { x.stack } new Error().stack;
			if (frames) for (const f of frames) { const t = f.getThis?.(), fn = f.getFunction?.(); if (t !== undefined || bad(String(f.getFileName?.()) + f.getEvalOrigin?.())) return 'frame' }
			return 'ok'`},
		{ID: "A16", Options: withTools, Want: "value=ok", Source: `
			const throwing = new Proxy({}, {getPrototypeOf() { throw new RangeError('inner') }, get() { throw new RangeError('inner') }, ownKeys() { throw 1 }, getOwnPropertyDescriptor() { throw 1 }});
			const args = [{valueOf() { throw throwing }}, new Proxy(class {}, {construct() { return () => 1 }}), throwing, {get a() { throw throwing }}, Symbol(), 1n, () => 1, new (class { #x = 1 }), {toJSON() { throw throwing }}];
			Object.defineProperty(args[3], 'b', {get() { Object.prototype.get = () => 1; return 1 }, enumerable: true});
			for (const f of [tool.text, tool.count]) for (const a of args) { try { f(a); return 'called' } catch (e) { if (!(e instanceof Error) || e.constructor.constructor !== Function) return 'not an error of the script' } }
			return 'ok'`},
		{ID: "A16b", Options: withTools, Source: `let n=0; const o={get a(){ n++; return 1 }, get b(){ n++; throw 1 }}; try { tool.echo(o) } catch (e) {} return n`, Want: "value=0"},
		{ID: "A20", Options: withTools, Want: "value=ok", Source: `
			const known = new Set(input), extra = Reflect.ownKeys(globalThis).filter(k => !known.has(String(k)) && !/^Symbol/.test(String(k)));
			for (const k of ['__pinfold', '$js', '__host', '__run', '__machine', 'VM2_INTERNAL', '\u005f\u005finternal', '__bridge']) if (k in globalThis || Reflect.get(globalThis, k)) return k;
			return extra.length ? 'unknown globals: ' + extra.map(String).join() : 'ok'`, Input: documentedGlobals},
		{ID: "A24", Want: "held", Scenario: func(s *Scene) {
			// The type system refuses to give a script something of the host.
			sb := s.New(pinfold.Options{})
			for _, v := range []any{sb, make(chan int), func() {}, os.Stdin, context.Background(), reflect.ValueOf(1), &atomic.Int64{}} {
				if got := s.Eval(sb, "return typeof input + Object.keys(input ?? {}).length", v); !strings.HasPrefix(got, "result") && got != "value=object0" {
					s.Errorf("an input of type %T: %s", v, got)
				}
			}
			for _, f := range []any{func() *pinfold.Sandbox { return sb }, func(chan int) {}, func() func() { return nil }, func() *os.File { return nil }} {
				_, err := pinfold.New(pinfold.Options{Functions: []pinfold.Function{{Name: "leak", Func: f}}})
				if err == nil {
					got := s.Eval(s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "leak", Func: f}}}), "try { const x=leak(); return x === null || Object.keys(x).length === 0 } catch (e) { return true }", nil)
					if got != "value=true" && !strings.HasPrefix(got, "result") {
						s.Errorf("a function of type %T is accepted: %s", f, got)
					}
				}
			}
		}},
		{ID: "A25", Source: `const b=new ArrayBuffer(8), d=new DataView(b), f=new Float64Array(b); d.setBigUint64(0,0xfff4000012345678n,true); const x=f[0]; f[0]=x; return [x!==x, Object.is(x,NaN), new Map([[x,1]]).get(NaN), [x].includes(NaN)].join()`, Want: "value=true,true,1,true"},
		{ID: "A25b", Want: "value=ok", Source: `
			// NaNs whose bits are those of the engine's own tagged values must stay numbers.
			const b = new ArrayBuffer(8), u = new BigUint64Array(b), f = new Float64Array(b), f32 = new Float32Array(b), u32 = new Uint32Array(b), dv = new DataView(b);
			for (let hi = 0x7ff0n; hi <= 0xffffn; hi++) for (const lo of [0n, 1n, 2n, 7n, 8n, 0x10000n, 0xffffffffffffn, 0x800000000001n]) {
				u[0] = (hi << 48n) | lo; const v = f[0]; if (typeof v !== 'number' || v === v && Number.isFinite(v) && hi >= 0x7ff0n && hi < 0x8000n) return 'at ' + u[0].toString(16);
				const w = dv.getFloat64(0, true); if (typeof w !== 'number' || typeof [v, w][1] !== 'number' || typeof ({v}).v !== 'number' || JSON.stringify([v]) !== (Number.isFinite(v) ? '[' + v + ']' : '[null]')) return 'at ' + u[0].toString(16);
				u32[0] = Number((hi << 16n) | (lo & 0xffffn)); if (typeof f32[0] !== 'number') return 'single at ' + u32[0];
			}
			return 'ok'`},
		{ID: "A28", Want: "held", Scenario: func(s *Scene) {
			// Every entry point: body, expression, module, imported module, TypeScript, eval.
			sb := s.New(pinfold.Options{Modules: map[string]string{"m": "export default typeof process + typeof require + typeof globalThis.Deno"}})
			const probe = "typeof process + typeof require + typeof globalThis.Deno"
			for _, src := range []string{probe, "return " + probe, "export default " + probe, "import x from 'm'; export default x", "return (await import('m')).default", "return eval(input)", "return Function('return ' + input)()", "return (0, eval)(input)", "const x: string = " + probe + "; return x"} {
				if got := s.Eval(sb, src, probe); got != "value=undefinedundefinedundefined" && !strings.Contains(src, ": string") {
					s.Errorf("%s: %s", src, got)
				}
			}
			for _, src := range []string{"import 'fs'", "import 'node:fs'", "await import('child_process')", "import x from '../../etc/passwd'", "import x from 'file:///etc/passwd'", "import x from 'http://127.0.0.1/x.js'", "import x from 'data:text/javascript,1'"} {
				if got := s.Eval(sb, src, nil); !strings.HasPrefix(got, "throw:") {
					s.Errorf("%s: %s", src, got)
				}
			}
		}},
		{ID: "A29", Options: withTools, Want: "value=ok", Source: `
			if (Object.getPrototypeOf(tool) !== null || !Object.isFrozen(tool)) return 'tool is open';
			for (const k of Reflect.ownKeys(tool)) { const f = tool[k]; const own = Reflect.ownKeys(f).filter(x => x !== 'name' && x !== 'length'); if (own.length) return k + ' has ' + own.map(String).join() }
			try { tool.list.constructor('return 1')(); tool.extra = 1; return 'extended' } catch (e) { if (!(e instanceof TypeError)) return e.name }
			try { new tool.list; return 'constructed' } catch (e) { return e instanceof TypeError ? 'ok' : e.name }`},
		{ID: "A30", Want: "held", Scenario: func(s *Scene) {
			// What comes out is data: decoding it runs nothing, whatever it says.
			sb := s.New(pinfold.Options{})
			for _, src := range []string{`return {"$js":"function","v":"x"}`, `return {"$js":"error","name":"X","v":1}`, `return {__proto__:null,["__proto__"]:{polluted:1},constructor:1}`, `return JSON.parse('{"__proto__":{"a":1}}')`, `return {$js:'bytes',v:'AAAA'}`, `return {$js:'ref',path:['a']}`, `return {a:{$js:'date',v:'x'}}`} {
				o := s.Check(sb, src, nil, "value:|value")
				if o.Failure == nil {
					v, err := o.Value.Any()
					if err != nil {
						s.Errorf("%s: %v", src, err)
					}
					if _, ok := v.(error); ok {
						s.Errorf("%s: forged as %T", src, v)
					}
					if _, err := json.Marshal(o.Value); err != nil {
						s.Errorf("%s: %v", src, err)
					}
				}
			}
		}},
		{ID: "A34", Want: "held", Scenario: func(s *Scene) {
			// A host function that is still at work when its run ends reports to nobody.
			release := make(chan struct{})
			var done atomic.Int64
			sb := s.New(pinfold.Options{Functions: []pinfold.Function{{Name: "slow", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context) string {
				select {
				case <-ctx.Done():
				case <-release:
				}
				done.Add(1)
				return "late"
			}}, {Name: "mark", Func: func() { s.Errorf("a reaction ran after the end") }}}})
			if got := s.Eval(sb, "slow().then(mark); return 1", nil); got != "value=1" {
				s.Errorf("%s", got)
			}
			if done.Load() != 1 {
				s.Errorf("the host function's context did not end with the run")
			}
			close(release)
		}},
	}...)
	// A18, A19: what a run changes of the built-ins, the next one doesn't see.
	for i, change := range []string{
		`'x'.__proto__.__proto__.__defineGetter__('leak', () => 1)`, `Object.prototype.leak = 1`, `Array.prototype.map = () => 'no'`, `delete Array.prototype.filter`, `Object.preventExtensions(Object.prototype)`,
		`Object.freeze(Function.prototype)`, `Object.setPrototypeOf(Array.prototype, null)`, `Function.prototype.call = Function.prototype.apply = () => 1`, `Object.defineProperty(Object.prototype, 'get', {get() { for (;;); }})`,
		`Promise.prototype.then = () => {}`, `Promise.resolve = () => {}`, `Map.prototype.get = () => 'no'`, `JSON.stringify = () => 'no'; JSON.parse = () => 1`, `Math.max = () => 1`, `Symbol.prototype[Symbol.toPrimitive]?.call; Symbol.for('leak')`, `Intl.NumberFormat.prototype.format = 1`, `delete globalThis.Array`, `globalThis.undefined2 = 1; globalThis.console = null`,
		`Reflect.ownKeys(globalThis).forEach(k => { try { delete globalThis[k] } catch {} })`, `for (const k of Reflect.ownKeys(String.prototype)) try { String.prototype[k] = null } catch {}`, `RegExp.prototype.exec = () => null; /(a)/.exec('a')`, `tool.list.leak = 1`, `Object.defineProperty(globalThis, 'tool', {value: 1})`, `URL.prototype.constructor = 1; crypto.leak = 1`, `Error.stackTraceLimit = 0; Error.prepareStackTrace = () => 'x'`, `Date.prototype.getTime = () => 0; Date.now = () => 0`,
	} {
		id := "A19"
		if i == 0 {
			id = "A18"
		} else if i > 1 {
			id = fmt.Sprintf("A19-%d", i)
		}
		cases = append(cases, Case{ID: id, Scenario: func(s *Scene) { leaks(s, change) }})
	}
	return cases
}()

// leaks checks that a change made by one run is gone in the next.
func leaks(s *Scene, change string) {
	sb := s.New(pinfold.Options{Functions: tools(), Limits: pinfold.Limits{Timeout: DefaultWall}})
	before := s.Eval(sb, stateProbe, nil)
	if !strings.HasPrefix(before, "value=") {
		s.Errorf("the probe: %s", before)
	}
	s.Eval(sb, change, nil)
	s.Eval(sb, "(0, eval)(input)", change)
	if after := s.Eval(sb, stateProbe, nil); after != before {
		s.Errorf("after %q the next run sees %s", change, after)
	}
}

// stateProbe hashes all that a program can see of its realm.
const stateProbe = `
	const seen = new Map(), out = [];
	const walk = (o, depth) => {
		if (Object(o) !== o) return out.push(typeof o + (typeof o === 'symbol' ? o.description : typeof o === 'number' || typeof o === 'string' ? o : ''));
		if (seen.has(o)) return out.push('#' + seen.get(o));
		seen.set(o, seen.size);
		if (depth > 8) return;
		out.push(typeof o, Object.isExtensible(o), Object.isFrozen(o));
		for (const k of Reflect.ownKeys(o)) {
			const d = Object.getOwnPropertyDescriptor(o, k);
			out.push(String(k), d.writable, d.enumerable, d.configurable);
			if ('value' in d) { if (k !== 'input') walk(d.value, depth + 1) } else { walk(d.get, depth + 1); walk(d.set, depth + 1) }
		}
		walk(Object.getPrototypeOf(o), depth + 1);
	};
	walk(globalThis, 0);
	let h = 0; for (const x of out) { const t = String(x); for (let i = 0; i < t.length; i++) h = (Math.imul(h, 31) + t.charCodeAt(i)) | 0 }
	return h + ' ' + seen.size + ' ' + new Error('x').stack.length + [3, 1, 2].sort().map(x => x * 2).join() + 'ab'.replace(/a/, 'b') + JSON.stringify({a: [1]}) + (await Promise.resolve(5)) + new Map([[1, 2]]).get(1)`

func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// documentedGlobals are the names on the global object.
var documentedGlobals = strings.Fields(`
	globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI
	encodeURIComponent escape unescape AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean
	DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Int8Array Int16Array
	Int32Array Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String
	SuppressedError DisposableStack AsyncDisposableStack Symbol SyntaxError TypeError Uint8Array Uint8ClampedArray Uint16Array
	Uint32Array URIError WeakMap WeakRef WeakSet structuredClone queueMicrotask console Intl URL URLSearchParams TextEncoder
	TextDecoder atob btoa crypto Crypto DOMException touched callback tool bytes`)
