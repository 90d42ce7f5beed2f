package js_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// newRealm is a host function: another realm's global object.
func newRealm(m *vm.Machine) {
	host(m, "newRealm", func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
		n, err := m.CreateRealm()
		if err != nil {
			return vm.Undefined, err
		}
		v := vm.Undefined
		err = m.InRealm(n, func() error {
			v = heap.ObjectValue(m.Global())
			return nil
		})
		return v, err
	})
}

// TestRealms runs programs with two realms. What they give is ECMA-262's word
// on the realm of functions (§10.2.1.1, §10.3.3, §7.3.25).
func TestRealms(t *testing.T) {
	const two = "const o = newRealm(); const of = x => x instanceof TypeError ? 'here' : x instanceof o.TypeError ? 'there' : 'else';"
	tests := []struct{ src, want string }{
		{"o !== globalThis && o.Array !== Array && o.Array.name", "Array"},
		{"o.eval('[1,2]') instanceof o.Array", "true"},
		{"o.eval('[1,2]') instanceof Array || Array.isArray(o.eval('[1,2]'))", "true"},
		{"o.x = 5; o.eval('x') + typeof x", "5undefined"},
		{"const f = o.Function('return this'); f() === o", "true"},
		{"const f = o.Function('g', 'return g()'); f(() => [] instanceof Array)", "true"},
		{"const f = o.Function('g', 'try { return g() } finally { this.t = [] instanceof Array }'); f(() => new o.Function('return [] instanceof Array')()) && o.t && [] instanceof Array", "true"},
		{"try { o.Function('null.x')() } catch (e) { of(e) }", "there"},
		{"try { o.Object.defineProperty(1) } catch (e) { of(e) }", "there"},
		{"const F = o.eval('class A {}; A'); try { F() } catch (e) { of(e) }", "there"},
		{"const F = o.eval('class B {}; class A extends B { constructor() { return 1 } }; A'); try { new F() } catch (e) { of(e) }", "here"},
		{"o.eval('(function f() { try { throw new TypeError() } catch (e) { return e instanceof TypeError } })')() && [] instanceof Array", "true"},
		{"const C = new o.Function(); C.prototype = 1; Object.getPrototypeOf(Reflect.construct(Map, [], C)) === o.Map.prototype", "true"},
		{"const b = o.Function.prototype.bind.call(function () {}); Object.getPrototypeOf(b) === Function.prototype", "true"},
		{"const C = new o.Function(); Object.getPrototypeOf(C.prototype) === o.Object.prototype", "true"},
		{"const a = [1]; a.constructor = o.Array; a.map(x => x) instanceof Array", "true"},
		{"const g = o.eval('(function* () { try { yield [] } finally { yield [] } })')(); const r = [g.next().value, g.next().value]; r.every(x => x instanceof o.Array) && [] instanceof Array", "true"},
		{"let n = 0; for (const x of o.eval('(function* () { yield* [1, 2] })')()) n += x; for (const x of o.eval('[3]')) n += x; n", "6"},
		{"Symbol.for('a') === o.Symbol.for('a') && Symbol.iterator === o.Symbol.iterator", "true"},
		{"/a(b)/.exec('ab'); o.eval('/x/.exec(\"x\")'); RegExp.$1 + o.RegExp.lastMatch", "bx"},
		{"const p = o.eval('(async () => { await null; return [] })')(); let r; p.then(v => { r = v instanceof o.Array && p instanceof o.Promise && [] instanceof Array }); Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => r)", "true"},
		{"const g = () => { throw new RangeError('x') }; try { o.Function('g', 'g()')(g) } catch (e) { e instanceof RangeError && [] instanceof Array }", "true"},
		{"[3, 1, 2].sort(o.eval('(a, b) => ([] instanceof Array) ? a - b : 0')).join() + ([] instanceof Array)", "1,2,3true"},
	}
	for _, stress := range []bool{false, true} {
		for _, tt := range tests {
			e := run(job{src: two + tt.src, setup: newRealm, opt: vm.Options{Stress: stress}, limits: meter.Limits{LiveBytes: 64 << 20, Depth: 2000, NativeDepth: 200}})
			if e.kind != "value" || e.what != tt.want {
				t.Errorf("%s\ngot %s %s %s, want %s", tt.src, e.kind, e.what, e.text, tt.want)
			}
		}
	}
}

// TestRealmLimits: making realms is charged, and a run that ends in another
// realm ends as usual.
func TestRealmLimits(t *testing.T) {
	for src, want := range map[string]string{
		"for (;;) newRealm()":                 "limit:memory",
		"newRealm().Function('for (;;) ;')()": "limit:fuel",
		"const f = newRealm().eval('(function f(g, n) { return g(f, n) })'); const g = (f, n) => f(g, n + 1); g(f, 0)": "limit:stack",
	} {
		e := run(job{src: src, setup: newRealm, limits: meter.Limits{Fuel: 20_000_000, LiveBytes: 16 << 20, Depth: 1000, NativeDepth: 200}})
		if e.String() != want {
			t.Errorf("%s: %v %s, want %s", src, e, e.text, want)
		}
	}
}
