package js_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// eval runs a script and returns its completion value as a string.
func eval(t testing.TB, src string, stress bool) string {
	t.Helper()
	p, err := js.Compile("test.js", src, js.CompileOptions{Completion: true})
	if err != nil {
		return err.Error()
	}
	mt := meter.New(nil, meter.Limits{Fuel: 1 << 32, LiveBytes: 512 << 20, Depth: 2000, NativeDepth: 1000})
	m, err := js.NewMachine(mt, vm.Options{Stress: stress})
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.RunScript(p)
	m.Root(v)
	if err == nil {
		err = m.RunJobs()
	}
	if err != nil {
		if exc, ok := m.Caught(err); ok {
			s, err := m.GoString(exc)
			if err != nil {
				return "uncaught " + m.Describe(exc)
			}
			return "uncaught " + s
		}
		return err.Error()
	}
	s, err := m.GoString(v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEvaluate(t *testing.T) {
	tests := []struct{ src, want string }{
		{"1 + 2", "3"},
		{"'a' + 'b'.length", "a1"},
		{"function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } fib(20)", "6765"},
		{"let s = 0; for (let i = 0; i < 1000; i++) s = (s + i * 3) % 1009; s", "135"},
		{"let o = {a: 1, b: {c: [1, 2, 3]}}; o.b.c[2] + o.a", "4"},
		{"class A { #x = 1; get x() { return this.#x } static s = 5; m() { return this.x + A.s } } class B extends A { m() { return super.m() * 2 } } new B().m()", "12"},
		{"let r = []; for (const x of [1, 2, 3]) r.push(x * 2); r.join()", "2,4,6"},
		{"function* g() { let x = yield 1; yield x * 2; return 9 } const it = g(); [it.next().value, it.next(21).value, it.next().value, it.next().done].join()", "1,42,9,true"},
		{"let r = []; function* g() { for (let i = 0; i < 3; i++) yield i } for (const x of g()) r.push(x); r.join()", "0,1,2"},
		{"try { null.foo } catch (e) { e.message }", "Cannot read properties of null (reading 'foo')"},
		{"try { x; let x = 1 } catch (e) { e.name + ': ' + e.message }", "ReferenceError: Cannot access 'x' before initialization"},
		{"const {a, ...rest} = {a: 1, b: 2, c: 3}; Object.keys(rest).join() + a", "b,c1"},
		{"[1, 2, 3].map(x => x * x).reduce((a, b) => a + b)", "14"},
		{"`${1 + 1}-${[1, 2]}`", "2-1,2"},
		{"let f = (...a) => a.length; f(...[1, 2], 3)", "3"},
		{"label: for (let i = 0; i < 3; i++) { for (;;) { if (i == 1) break label; continue label } } 'done'", "done"},
		{"(function () { try { return 'a' } finally { return 'b' } })()", "b"},
		{"var x = 1; eval('var y = x + 1; y') + y", "4"},
		{"[..." + "'héllo'].length", "5"},
		{"let log = ''; async function f() { log += 1; await null; log += 3 } f(); log += 2; log", "12"},
		{"typeof undefinedThing", "undefined"},
		{"new (class { constructor() { this.a = [..." + "new Set([1, 1, 2])].length } })().a", "2"},
	}
	for _, tt := range tests {
		for _, stress := range []bool{false, true} {
			if got := eval(t, tt.src, stress); got != tt.want {
				t.Errorf("stress %v: %s\n got %s\nwant %s", stress, tt.src, got, tt.want)
			}
		}
	}
}
