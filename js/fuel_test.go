package js_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/meter"
)

// What each program does $K times takes work in proportion to $N, though little
// of the program text does it: at least so many units of fuel each time. Each of
// them once cost a fraction of that.
var proportional = []struct {
	name, src string
	n, least  int
}{
	{"eval among variables", `new Function(many(i => 'let a' + i + '=1;') + 'for (let i = 0; i < $K; i++) eval("1")')()`, 3000, 20000},
	{"eval among private names", `new Function('class A {' + many(i => '#a' + i + ';') + 'static { for (let i = 0; i < $K; i++) eval("1") } }')()`, 3000, 20000},
	{"a name of many groups", `const r = new RegExp(many(i => '(?<a>b' + i + ')|') + '(?<a>c)'); for (let i = 0; i < $K; i++) 'c'.replace(r, '$<a>'.repeat(16))`, 3000, 12000},
	{"try statements", `new Function('for (let i = 0; i < $K; i++) { if (i < 0) {' + many(i => 'try { i++ } catch {}') + '} try { throw 1 } catch {} }')()`, 3000, 187},
	{"registers", `const f = new Function('x', 'if (x) return;' + many(i => 'let a' + i + '=x;') + 'return () => x'); for (let i = 0; i < $K; i++) f(1)`, 3000, 93},
	{"registers of a generator", `const g = new Function('return (function*(x) { if (x) for (;;) yield 1;' + many(i => 'let a' + i + '=x;') + '})(1)')(); for (let i = 0; i < $K; i++) g.next()`, 3000, 187},
	{"variables of a closure", `const f = new Function('x', many(i => 'let a' + i + ';') + 'if (x) return; return () => [' + many(i => 'a' + i + ',') + ']'); for (let i = 0; i < $K; i++) f(1)`, 3000, 6300},
	{"variables of a loop", `new Function('let g; for (let i = 0,' + many(i => 'a' + i + ',') + 'z; i < $K; i++) g = () => i' + many(i => '+a' + i))()`, 250, 31},
	{"functions in functions", `new Function('let v = 1, g;' + many(i => 'return (() => { let a' + i + ' = 1; g = () => a' + i + ';') + 'for (let i = 0; i < $K; i++) v;' + '})()'.repeat($N))()`, 150, 37},
	{"variants of a locale", `const v = many(i => '-a' + (10000 + i)).slice(1); for (let i = 0; i < $K; i++) new Intl.Locale('en', {variants: v})`, 150, 2000},
	{"prototypes", `let o = {}; for (let i = 0; i < $N; i++) o = Object.create(o); for (let i = 0; i < $K; i++) o.missing`, 1000, 400},
	{"prototypes of for-in", `let o = {}; for (let i = 0; i < $N; i++) o = Object.create(o); for (let i = 0; i < $K; i++) for (const k in o);`, 1000, 40000},
	{"proxies", `let o = {}; for (let i = 0; i < $N; i++) o = new Proxy(o, {}); for (let i = 0; i < $K; i++) o.missing`, 100, 350},
	{"deleted elements", `const a = []; a[1e7] = 1; for (let i = 0; i < $N; i++) a[i * 1000] = i; for (let i = 0; i < $N; i++) delete a[i * 1000]; for (let i = 0; i < $K; i++) Object.keys(a)`, 3000, 375},
	{"alternatives in alternatives", `let p = 'a'; for (let i = 0; i < 100; i++) p = '(?:' + '^|'.repeat($N) + p + ')'; for (let i = 0; i < $K; i++) new RegExp(p + 'b'.repeat(i))`, 100, 400000},
	{"messages with long names", `const x = 'x'.repeat($N); new Function('class ' + x + '{}; for (let i = 0; i < $K; i++) try { ' + x + '() } catch {}')()`, 3000, 375},
	{"classes in a sloppy function", `new Function('const o = Object.freeze({a: 1}); for (let i = 0; i < $K; i++) o.a = 2;' + many(i => '(class {});'))()`, 3000, 93},
}

func TestFuelFollowsWork(t *testing.T) {
	const few, often = 3, 13
	for _, p := range proportional {
		t.Run(p.name, func(t *testing.T) {
			fuel := func(k int) int64 {
				src := "const many = f => { let s = ''; for (let i = 0; i < $N; i++) s += f(i); return s };\n" + p.src
				src = strings.NewReplacer("$N", strconv.Itoa(p.n), "$K", strconv.Itoa(k)).Replace(src)
				e := run(job{src: src, limits: meter.Limits{NativeDepth: testNativeDepth, Depth: 1000}})
				if e.kind != "value" {
					t.Fatalf("%v: %s", e, e.text)
				}
				return e.usage.Fuel
			}
			each := (fuel(often) - fuel(few)) / (often - few)
			if each < int64(p.least) {
				t.Errorf("%d units each time, %d are right for %d", each, p.least, p.n)
			}
		})
	}
}
