package hostile

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold"
)

// sourceCases are the rows of G: parsing, TypeScript, positions, reports.
var sourceCases = []Case{
	{ID: "G1", TypeScript: true, Source: "enum Color { Red, Green = 'g' } const enum K { A = 1 << 2 } namespace X { export const y = 3 } return Color.Red + Color.Green + K.A + X.y", Want: "value=0g43"},
	{ID: "G1b", TypeScript: true, Options: func(o *pinfold.Options) { o.RefuseNonErasable = true }, Source: "enum Color { Red } return Color.Red", Want: "throw:SyntaxError"},
	{ID: "G3", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		for name, src := range map[string]string{"p.ts": "const x: number = 1; return x", "p.js": "const x = 1; return x", "p": "const x: number = 1; return x"} {
			if o := sb.Eval(context.Background(), name, src, nil); o.Value.String() != "1" {
				s.Errorf("%s: %v", name, o.Failure)
			}
		}
	}},
	{ID: "G4", TypeScript: true, Want: "value=1,2,3,4,5,6", Source: `
		interface A { x: number } type B<T> = { [K in keyof T]?: T[K] }; declare const nothing: unique symbol; declare function ambient(): void;
		function f<T extends A>(x: T): T; function f(x: any) { return x }
		abstract class C<T> { private readonly y?: T; protected abstract m(): void; constructor(public z: number) {} }
		class D extends C<string> { override m(): void {} declare q: number }
		const g = <T,>(x: T) => x, h = (x?: number, ...r: string[]): x is number => true;
		const k = { a: 1 } satisfies A | object, l = [1, 2] as const, m = (<number>2), n = (k as any)!.a!, o = k?.a!;
		return [n, m, f({x: 3}).x, new D(4).z, g<number>(5), (6 as unknown as number)].join()`},
	{ID: "G9", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		for _, url := range []string{"/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:1/x y.map", "data:application/json,{bad", "data:application/json;base64,!!!!", "../../x.map\x00"} {
			for _, tail := range []string{"//# sourceMappingURL=" + url, "//@ sourceMappingURL=" + url, "/*# sourceMappingURL=" + url + " */"} {
				s.Check(sb, "return 1\n"+tail, nil, "value=1")
				if o := sb.Eval(context.Background(), "p.js", "throw new Error('x')\n"+tail, nil); o.Failure.Line != 1 || o.Failure.Column != 7 {
					s.Errorf("%s moves the place: %v", tail, o.Failure)
				}
			}
		}
	}},
	{ID: "G10", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		for _, tt := range []struct {
			name, src string
			line      int
		}{
			{"p.js", "let a = 1\nconst { b = c } = {}", 2}, {"p.js", "try {\n throw new Error('1') } catch (e) {\n throw e }", 2}, {"p.js", "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }),\n return() { null.x } }) })\n break", 2},
			{"p.js", "const o = {\n get x() {\n return null.y } }\no.x", 3}, {"p.js", "const f = () =>\n undefined.x\nf()", 2}, {"p.ts", "interface A {\n x: number }\nenum E { A,\n B }\nconst x: A = null!\nx.x", 6}, {"p.ts", "type T = {\n a: 1 }\nclass C<T> {\n constructor(private a: number) {} m(): void { (null as any).x } }\nnew C(1).m()", 4},
			{"p.js", "import { x } from 'm'\nexport default x.y.z", 2},
		} {
			o := s.New(pinfold.Options{Modules: map[string]string{"m": "export const x = {}"}}).Eval(context.Background(), tt.name, tt.src, nil)
			if o.Failure == nil || o.Failure.Line != tt.line {
				s.Errorf("%q: %v, want line %d", tt.src, o.Failure, tt.line)
			}
		}
		_ = sb
	}},
	{ID: "G12", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Functions: append(tools(), pinfold.Function{Name: "panics", Func: func() { panic("secret of the host /srv/x") }})})
		for _, src := range []string{"tool.leak()", "tool.fail()", "panics()", "await tool.failLater()"} {
			o := sb.Eval(context.Background(), "p.js", src, nil)
			if o.Failure == nil {
				s.Errorf("%s: no failure", src)
				continue
			}
			if text := o.Failure.Report() + o.Failure.FullReport(); strings.Contains(text, ".go:") || strings.Contains(text, "goroutine") || strings.Contains(text, "/secret/path") {
				s.Errorf("%s: the report shows the host: %s", src, text)
			}
		}
	}},
	{ID: "G13", Source: "export default 1; null.x", Want: "throw:TypeError"},
	{ID: "G15", Scenario: func(s *Scene) {
		for name, near := range map[string]string{"fetchh": "", "consol": "console", "JSN": "JSON", "tols": "tool"} {
			o := s.New(pinfold.Options{Functions: tools()}).Eval(context.Background(), "p.js", "return "+name+".x", nil)
			if o.Failure == nil || o.Failure.Name != "ReferenceError" {
				s.Errorf("%s: %v", name, o.Failure)
			} else if near != "" && !strings.Contains(strings.Join(o.Failure.Suggestions, " ")+o.Failure.Hint, near) {
				s.Errorf("%s: no mention of %s: %s %v", name, near, o.Failure.Hint, o.Failure.Suggestions)
			}
		}
	}},
	{ID: "G16", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}})
		for _, src := range longFailures {
			o := sb.Eval(context.Background(), "p.js", src, nil)
			s.words(o)
			if o.Failure == nil {
				s.Errorf("%s: no failure", src)
				continue
			}
			if n := len(o.Failure.Report()); n > 40_000 {
				s.Errorf("%s: a report of %d bytes", src, n)
			}
			if n := len(o.Failure.FullReport()); n > 80_000 {
				s.Errorf("%s: a full report of %d bytes", src, n)
			}
		}
	}},
	{ID: "G18", Script: true, Want: "value=1,2,true,7,3", Source: `
		const r = []; out: for (;;) { try { throw 1 } finally { r.push(1); break out } }
		function* g() { try { yield 0 } finally { yield 2 } } const it = g(); it.next(); r.push(it.return(5).value);
		const a = undefined; r.push(delete a?.b);
		r.push((() => { try { return 5 } finally { let x = 7; return x } })());
		r.push((() => { for (let i = 0; i < 5; i++) try { if (i === 3) return i; continue } finally { r.x = i } })()); r.join()`},
	{ID: "G18b", Source: "with ({}) {}", Want: "throw:SyntaxError"},
	{ID: "G19", Scenario: func(s *Scene) {
		o := s.New(pinfold.Options{}).Eval(context.Background(), "p.ts", "type A = { a?: { b?: number } }\nconst x: A = {}\nconst y = x.a?.b ?? 1\nconst z = (x as any).q.r", nil)
		if o.Failure == nil || o.Failure.Line != 4 || o.Failure.Column != 24 {
			s.Errorf("%v, want 4:24", o.Failure)
		}
	}},
	{ID: "G20", Make: func() string { return "return " + strings.Repeat("\n", 200_000) + "nope" }, Want: "throw:ReferenceError|value", Wall: 10 * time.Second},
	{ID: "G21", Make: func() string { return "const " + strings.Repeat("x", 500_000) + " = ; " }, Want: "throw:SyntaxError", Wall: 10 * time.Second},
	{ID: "G22", Make: func() string { return "'" + strings.Repeat("\\u0041", 100_000) + "' + " }, Want: "throw:SyntaxError", Wall: 10 * time.Second},
	{ID: "G23", Make: func() string { return strings.Repeat("/*", 300_000) }, Want: "throw:SyntaxError", Wall: 10 * time.Second},
	{ID: "G24", Make: func() string {
		return "return /" + strings.Repeat("(?:a|", 300) + strings.Repeat(")", 300) + "/.test('b')"
	}, Want: "value=true", Wall: 10 * time.Second},
	{ID: "G25", Make: func() string { return strings.Repeat("let a; ", 2) + "return 1" }, Want: "throw:SyntaxError"},
	{ID: "G26", Source: "\x00\x01\x02", Want: "throw:SyntaxError"},
	{ID: "G27", Source: "return '\xff\xfe'", Want: "throw:SyntaxError|value"},
	{ID: "G28", Make: func() string {
		return strings.Repeat("{ ", 200) + strings.Repeat("undefinedName; ", 20_000) + strings.Repeat("} ", 200)
	}, Want: "throw:ReferenceError", Wall: 10 * time.Second},
	// Each part of a merged namespace or enum sees the names of all of them.
	{ID: "G33", TypeScript: true, Make: func() string {
		return manyParts("namespace N { export let x%d = 1; let y = x0; }\n") + "return Object.keys(N).length"
	}, Want: "value=10000", Wall: 10 * time.Second},
	{ID: "G33b", TypeScript: true, Make: func() string { return manyParts("enum E { A%d = %[1]d }\n") + "return Object.keys(E).length" }, Want: "value=20000", Wall: 10 * time.Second},
	{ID: "G29", TypeScript: true, Make: func() string {
		return "let x: " + strings.Repeat("{a:", 500) + "1" + strings.Repeat("}", 500) + "; return 1"
	}, Want: nested, Wall: 10 * time.Second},
	{ID: "G30", TypeScript: true, Make: func() string { return strings.Repeat("a<b<c<d>(", 3000) }, Want: nested, Wall: 10 * time.Second},
	{ID: "G31", TypeScript: true, Make: func() string { return "return " + strings.Repeat("(a?:b<c>,", 3000) }, Want: nested, Wall: 10 * time.Second},
}

// longFailures fail with long texts (G16).
var longFailures = []string{
	"throw 'x'.repeat(5e7)",
	"throw new Error('x'.repeat(5e7))",
	"const e = new Error('x'); e.name = 'y'.repeat(5e6); throw e",
	"throw {message: 'x'.repeat(5e6)}",
	"throw new Error('x', {cause: new Error('y'.repeat(5e6))})",
	"const e = new Error('x'); e.stack = 'z'.repeat(5e6); throw e",
	"eval('(' + '\"' + 'x'.repeat(5e5))",
	"globalThis['x'.repeat(1e6)].y",
	"throw Array(1e6).fill('xyz')",
	"throw new AggregateError(Array(1e5).fill(new Error('x'.repeat(1000))))",
}

// stateCases are the row K16, and those of L that need threads.
func stateCases() []Case {
	var cases []Case
	for i, src := range longFailures {
		cases = append(cases, Case{ID: fmt.Sprintf("G16-%d", i), Source: src, Want: "throw:|" + anyLimit})
	}
	add := func(name string, changes []string) {
		cases = append(cases, Case{ID: "K16-" + name, Scenario: func(s *Scene) {
			sb := s.New(pinfold.Options{Functions: tools(), Limits: pinfold.Limits{Fuel: 20_000_000, Timeout: DefaultWall}})
			before := s.Eval(sb, stateProbe, nil)
			for _, change := range changes {
				s.Eval(sb, change, nil)
			}
			if after := s.Eval(sb, stateProbe, nil); after != before {
				s.Errorf("the next run sees %s, before %s", after, before)
			}
		}})
	}
	// Every method of every built-in replaced, then deleted, then made a getter, then
	// the run ended in each way.
	const all = `const each = f => { for (const n of Object.getOwnPropertyNames(globalThis)) { let o; try { o = globalThis[n] } catch { continue } for (const t of [o, o?.prototype]) if (Object(t) === t) for (const k of Reflect.ownKeys(t)) try { f(t, k) } catch {} } };`
	add("replace", []string{all + "each((o, k) => o[k] = 1)"})
	add("delete", []string{all + "each((o, k) => delete o[k])"})
	add("getters", []string{all + "const d = Object.defineProperty; each((o, k) => d(o, k, {get() { return 1 }, configurable: true}))"})
	add("freeze", []string{all + "const f = Object.freeze; each((o, k) => f(o[k]))"})
	add("prototypes", []string{all + "const p = Object.setPrototypeOf; each((o, k) => p(o[k], null))"})
	add("extend", []string{all + "each((o, k) => { if (Object(o[k]) === o[k]) o[k].leak = o })"})
	add("limits", []string{"for(;;);", "(function f(){ f() })()", "const a=[]; for(;;) a.push(new Array(10000).fill(1))", "for(;;) console.log('x')", "for(;;) tool.list()", "throw 1", "return () => 1", "let x = ;", "await new Promise(() => {})"})
	add("microtasks", []string{"globalThis.x = 1; queueMicrotask(() => { Object.prototype.leak = 1 }); throw 1", "Promise.resolve().then(() => { globalThis.leak = 1; for (;;); }); return 1"})
	add("symbols", []string{"for (let i = 0; i < 1000; i++) Symbol.for('leak' + i)", "globalThis[Symbol.for('x')] = 1"})
	add("regexp", []string{"'leak'.match(/(l)(e)/); RegExp.prototype.compile?.call(/x/, 'y')", "RegExp.$1; RegExp.input = 'leak'"})
	add("console", []string{"console.group('a'); console.group('b'); console.time('t'); console.count('c'); console.count('c')"})
	cases = append(cases, Case{ID: "K16-console-state", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{})
		s.Eval(sb, "console.group('a'); console.count('c'); console.time('t')", nil)
		o := s.Check(sb, "console.log('x'); console.count('c'); return 1", nil, "value=1")
		if len(o.Console) != 2 || o.Console[0].Text != "x" || o.Console[1].Text != "c: 1" {
			s.Errorf("%v", o.Console)
		}
	}}, Case{ID: "K16-random", Scenario: func(s *Scene) {
		sb := s.New(pinfold.Options{Deterministic: true})
		a := s.Eval(sb, "return [Math.random(), Date.now(), crypto.randomUUID()]", nil)
		s.Eval(sb, "for (let i = 0; i < 1000; i++) { Math.random(); crypto.getRandomValues(new Uint8Array(9)) }", nil)
		if b := s.Eval(sb, "return [Math.random(), Date.now(), crypto.randomUUID()]", nil); a != b {
			s.Errorf("%s, then %s", a, b)
		}
	}})
	cases = append(cases,
		Case{ID: "L13", Wall: 60 * time.Second, Growth: 256 << 20, Scenario: func(s *Scene) {
			n := 10_000
			if Outside() {
				n = 100 // each with a process of its own
			}
			for range n {
				sb := s.New(pinfold.Options{})
				if got := s.Eval(sb, "return 1", nil); got != "value=1" {
					s.Errorf("%s", got)
				}
				if err := sb.Close(); err != nil {
					s.Errorf("%v", err)
				}
			}
		}},
		Case{ID: "L13b", Wall: 60 * time.Second, Growth: 1 << 30, Scenario: func(s *Scene) {
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 8 << 20, Timeout: DefaultWall}})
			var wg sync.WaitGroup
			for range 1000 {
				wg.Go(func() {
					if got := s.Eval(sb, "const a = Array.from({length: 2000}, (_, i) => ({i})); return a.length", nil); got != "value=2000" {
						s.Errorf("%s", got)
					}
				})
			}
			wg.Wait()
		}},
		Case{ID: "L13c", Wall: 60 * time.Second, Growth: 1 << 30, Scenario: func(s *Scene) {
			// Many runs that all end by a limit, side by side.
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 4 << 20, Fuel: 2_000_000, Timeout: DefaultWall}})
			var wg sync.WaitGroup
			for i := range 200 {
				src := []string{"for(;;);", "const a=[]; for(;;) a.push({})", "(function f(){ f() })()", "throw new Error('x')"}[i%4]
				want := []string{"limit:fuel", "limit:memory", "limit:stack", "throw:Error"}[i%4]
				wg.Go(func() { s.Check(sb, src, nil, want) })
			}
			wg.Wait()
		}},
		Case{ID: "L14", Scenario: func(s *Scene) {
			// Cancelled from another thread at any moment.
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}})
			for i := range 60 {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(time.Duration(i*50)*time.Microsecond, cancel)
				o := sb.Eval(ctx, "p.js", "const a=[]; for (let i=0;;i++) { a.push({i}); if (i%5000===0) { a.length=0; [3,1,2].sort(() => 1); JSON.stringify(a) } }", nil)
				if !errors.Is(o.Err(), pinfold.ErrCancelled) {
					s.Errorf("%v", o.Err())
				}
				cancel()
			}
		}},
		Case{ID: "L15", Scenario: func(s *Scene) {
			// One program, with regular expressions and templates, on many threads.
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}})
			p, err := sb.Compile("p.js", "const r=/(\\w+)\\s(\\w+)/g; const t=s=>s.raw[0]; let n=0; for (let i=0;i<200;i++) { r.lastIndex=0; n+=r.exec('john smith '+i).length; n+='aXbX'.replace(/x/gi,()=>t`q`).length } return n")
			if err != nil {
				s.Errorf("%v", err)
				return
			}
			var wg sync.WaitGroup
			for range 64 {
				wg.Go(func() {
					for range 5 {
						if got := s.words(sb.Run(context.Background(), p, nil)); got != "value=1400" {
							s.Errorf("%s", got)
						}
					}
				})
			}
			wg.Wait()
		}},
		Case{ID: "L16", Scenario: func(s *Scene) {
			// Results of host functions arrive from many threads while the run works.
			sb := s.New(pinfold.Options{Limits: pinfold.Limits{HostCalls: 10_000, Timeout: DefaultWall}, Functions: []pinfold.Function{{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func(i int) []int {
				for range i % 7 {
					runtime.Gosched()
				}
				return make([]int, i%50)
			}}}})
			s.Check(sb, "let n = 0; const all = []; for (let i = 0; i < 2000; i++) { all.push(later(i).then(a => { n += a.length })); if (i % 10 === 0) await null; [i].map(x => ({x})) } await Promise.all(all); return n", nil, "value=49000")
		}},
		Case{ID: "L10", Scenario: func(s *Scene) {
			// Nothing that a script holds is taken for code or for a snapshot.
			sb := s.New(pinfold.Options{})
			for _, in := range []any{[]byte("\x00pinfold program 1\x00"), strings.Repeat("\x02\xff", 1000), map[string]any{"$js": "program"}} {
				s.Check(sb, "try { return typeof eval(input) } catch (e) { return e.name }", in, "value")
			}
		}},
		Case{ID: "L12", Scenario: func(s *Scene) {
			mods := map[string]string{"throws": "throw new Error('x')", "cycle-a": "import 'cycle-b'; export const a = 1", "cycle-b": "import 'cycle-a'; export const b = 1", "bad": "let x = ;", "self": "import * as s from 'self'; export default s", "missing": "import { nope } from 'cycle-a'", "loop": "for(;;);", "data.json": `{"a":[1,2]}`, "bad.json": `{"a":`}
			for i := range 2000 {
				mods[fmt.Sprintf("chain%d", i)] = fmt.Sprintf("import 'chain%d'; export default %d", i+1, i)
			}
			mods["chain2000"] = "export default 2000"
			sb := s.New(pinfold.Options{Modules: mods, Limits: pinfold.Limits{Timeout: 300 * time.Millisecond}})
			s.Want(sb, `
				import 'throws' ==> throw:Error
				await import('throws').catch(() => import('throws')) ==> throw:Error
				import 'cycle-a'; export default 1 ==> value=1
				import 'bad' ==> throw:SyntaxError
				import 'missing' ==> throw:SyntaxError
				import x from 'self'; export default typeof x ==> value=object
				import 'loop' ==> limit:time
				try { await import('loop') } catch { return 'caught' } ==> limit:time
				import x from 'data.json' with { type: 'json' }; export default x.a[1] ==> value=2
				import x from 'bad.json' with { type: 'json' }; export default x ==> throw:SyntaxError
				import 'chain0'; export default 1 ==> value=1|limit:stack|limit:time|throw:RangeError
				const a = []; for (let i = 0; i < 2000; i++) a.push(import('chain' + i)); return (await Promise.all(a)).length ==> value=2000|limit:stack|limit:time|throw:RangeError
				for (let i = 0; ; i++) await import('nothing' + i).catch(() => {}) ==> limit:time|limit:memory
			`)
		}},
		Case{ID: "L1b", Script: true, Source: "const a=[0]; for(let i=0;i<3000;i++) { a.length=245+i; a.push(2); a.pop(); a.shift(); a.unshift(1); a.length=i%3 } a.length", Want: "value=2"},
		Case{ID: "L6b", Script: true, Source: "const a=[1,2,3,4]; delete a[1]; a.sort(()=>{ a.length=0; return 1 }); a.reverse(); a.copyWithin(0,1); a.fill(1); a.splice(0,2); a.concat(a).flat().length>=0", Want: "value=true"},
		Case{ID: "L7b", Script: true, Source: "function f(a,b,c){ const g=arguments; delete g[0]; g[0]=7; a=8; Object.defineProperty(g,1,{value:9,writable:false}); b=3; g.length=1e6; return [g[0],g[1],Array.prototype.slice.call(g).length,[...f.apply.call(()=>g,null,g)].length].length } f(1,2,3)", Want: "value=4|throw:RangeError"},
	)
	return cases
}

// manyParts repeats a declaration 10 000 times, each with a number.
func manyParts(format string) string {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
