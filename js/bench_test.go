package js_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

var programs = map[string]string{
	"fib27":   "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } fib(27)",
	"loop3M":  "function f() { let s = 0; for (let i = 0; i < 3000000; i++) s = (s + i * 3) % 1000003; return s } f()",
	"concat":  "let s = ''; for (let i = 0; i < 300000; i++) s += 'x' + i; s.length",
	"objects": "const a = []; for (let i = 0; i < 100000; i++) a.push({id: i, v: i % 7, name: 'n' + i}); a.filter(o => o.v > 2).map(o => o.id + o.v).reduce((x, y) => x + y, 0)",
	"class":   "class P { constructor(x, y) { this.x = x; this.y = y } add(o) { return new P(this.x + o.x, this.y + o.y) } get len() { return this.x * this.x + this.y * this.y } } let p = new P(0, 0); const q = new P(1, 2); let t = 0; for (let i = 0; i < 300000; i++) { p = p.add(q); t += p.len % 7 } t",
	"closure": "function mk(n) { let c = 0; return { inc: () => { c += n; return c }, get: () => c } } let t = 0; for (let i = 0; i < 100000; i++) { const m = mk(i % 5); m.inc(); m.inc(); t += m.get() } t",
	"sort":    "let x = 12345; const a = []; for (let i = 0; i < 100000; i++) { x = (x * 1103515245 + 12345) % 2147483648; a.push(x) } a.sort((p, q) => p - q); a[5000]",
	"typed":   "const a = new Float64Array(10000); let s = 0; for (let k = 0; k < 30; k++) { for (let i = 0; i < a.length; i++) a[i] = a[i] * 0.5 + i; for (let i = 0; i < a.length; i++) s += a[i] } s",
	"forof":   "let s = 0; for (let k = 0; k < 30; k++) for (const x of Array.from({length: 10000}, (_, i) => i)) s += x; s",
	"gen":     "function* g(n) { for (let i = 0; i < n; i++) yield i } let s = 0; for (const x of g(300000)) s += x; s",
}

func BenchmarkPrograms(b *testing.B) {
	for name, src := range programs {
		b.Run(name, func(b *testing.B) {
			p, err := js.Compile("bench.js", src, js.CompileOptions{Completion: true})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for range b.N {
				mt := meter.New(nil, meter.Limits{Fuel: 1 << 40, LiveBytes: 512 << 20, Depth: 2000, NativeDepth: 1000})
				m, err := js.NewMachine(mt, vm.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := m.RunScript(p); err != nil {
					exc, _ := m.Caught(err)
					b.Fatal(err, m.Describe(exc))
				}
			}
		})
	}
}

func BenchmarkFreshRun(b *testing.B) {
	p, err := js.Compile("bench.js", "1 + 2", js.CompileOptions{Completion: true})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for range b.N {
		mt := meter.New(nil, meter.Limits{Fuel: 1 << 40, LiveBytes: 64 << 20, Depth: 2000, NativeDepth: 1000})
		m, err := js.NewMachine(mt, vm.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.RunScript(p); err != nil {
			b.Fatal(err)
		}
	}
}

const snippet = `const xs = [3, 1, 2, 4];
const total = xs.map((x) => x * 2).reduce((a, b) => a + b, 0);
function show(n) { return 'total: ' + n.toFixed(2); }
const out = { sum: show(total), count: xs.length }; out.sum`

func BenchmarkCompileSnippet(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if _, err := js.Compile("bench.js", snippet, js.CompileOptions{Completion: true}); err != nil {
			b.Fatal(err)
		}
	}
}
