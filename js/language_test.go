package js_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// printed runs scripts one after the other in one realm, then the jobs, and
// returns what they gave to print: a line for each call.
func printed(t *testing.T, stress bool, scripts ...string) string {
	t.Helper()
	mt := meter.New(context.Background(), meter.Limits{Fuel: 50_000_000, LiveBytes: 64 << 20, Depth: 2000, NativeDepth: 200})
	m, err := js.NewMachine(mt, vm.Options{Stress: stress})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	f, err := m.NewHostFunction("print", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		var line []string
		for _, a := range c.Args {
			s, err := m.GoString(a)
			if err != nil {
				return vm.Undefined, err
			}
			line = append(line, s)
		}
		out = append(out, strings.Join(line, " "))
		return vm.Undefined, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.H.KeyOfName("print")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Put(m.Global(), k, heap.ObjectValue(f)); err != nil {
		t.Fatal(err)
	}
	thrown := func(err error) string {
		exc, ok := m.Caught(err)
		if !ok {
			return "ended by " + err.Error()
		}
		h, err := m.Headline(exc)
		if err != nil {
			return "ended by " + err.Error()
		}
		return "Uncaught " + m.H.GoString(h)
	}
	for _, src := range scripts {
		p, err := js.Compile("test.js", src, js.CompileOptions{})
		if err != nil {
			out = append(out, "SyntaxError: "+err.Error())
			continue
		}
		if _, err := m.RunScript(p); err != nil {
			out = append(out, thrown(err))
		}
	}
	for m.HasJobs() {
		if err := m.RunJobs(); err != nil {
			out = append(out, thrown(err))
			if meter.IsLimit(err) {
				break
			}
		}
	}
	return strings.Join(out, "\n")
}

type program struct {
	name, src, want string
}

// scriptsOf splits the text of several scripts.
func scriptsOf(src string) []string {
	var out []string
	for _, s := range strings.Split(src, "---") {
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

func runPrograms(t *testing.T, list []program) {
	t.Helper()
	for _, p := range list {
		t.Run(p.name, func(t *testing.T) {
			for _, stress := range []bool{false, true} {
				if got := printed(t, stress, scriptsOf(p.src)...); got != p.want {
					t.Errorf("stress %v\n%s\ngot\n%s\nwant\n%s", stress, p.src, got, p.want)
				}
			}
		})
	}
}

// TestLanguage runs small programs. What they print is what node 20 prints,
// unless a comment says otherwise. Scripts of one realm are separated by ---.
func TestLanguage(t *testing.T) {
	runPrograms(t, []program{
		{"class heritage is strict", `
			var frozen = Object.freeze({ x: 1 });
			try { class A extends (frozen.x = 2, Object) {} print('no error') } catch (e) { print(e.name) }
			try { class A { [frozen.x = 2]() {} } print('no error') } catch (e) { print(e.name) }
			try { class A { [undeclared = 2]() {} } print('no error') } catch (e) { print(e.name) }
			try { class A { static [(function () { return this })()] = 1 } print(Object.keys(A)) } catch (e) { print(e.name) }
			frozen.x = 3; print(frozen.x)`,
			"TypeError\nTypeError\nReferenceError\nundefined\n1"},
		{"eval called with spread arguments", `
			var n = 1; function f() { var n = 2; return eval(...['n', 'x']) } print(f());
			function g(eval) { return eval(...[1, 2, 3]) } print(g((...a) => a.length));
			print(eval(...[]), eval(...[5]))`,
			"2\n3\nundefined 5"},
		{"global function hoisting skips a lexical binding", `
			let f = 1; const g = 2
			---
			{ function f() {} function g() {} function h() {} } print(f, g, typeof h)
			---
			if (true) function f() {} print(f); eval('{ function f() {} function k() {} }'); print(f, typeof k)`,
			"1 2 function\n1\n1 function"},
		{"a function named arguments in a block", `
			(function () { print(typeof arguments); { function arguments() {} } print(typeof arguments) })();
			(() => { { function arguments() {} } print(typeof arguments) })();
			(function () { function arguments() { return 1 } { function arguments() { return 2 } } print(arguments()) })()`,
			"object\nobject\nfunction\n2"},
		{"eval can't redeclare arguments of a function with parameter expressions", `
			function f(p = eval("var arguments = 1")) {} try { f(); print('no error') } catch (e) { print(e.name) }
			const g = (p = eval("var arguments = 1")) => arguments; print(g());
			function h(p) { eval("var arguments = 1"); return arguments } print(h())`,
			"SyntaxError\n1\n1"},
		{"a strict assignment resolves the name first", `
			'use strict'; try { undeclared = (globalThis.undeclared = 5); print('no error') } catch (e) { print(e.message) }`,
			"undeclared is not defined"},
		{"super looks the prototype up before it converts the key", `
			var a = { p: 1 }, b = { p: -1 };
			var key = { toString() { Object.setPrototypeOf(o, b); return 'p' } };
			var o = { __proto__: a, get() { return super[key] }, add() { return super[key] += 1 }, inc() { return super[key]++ } };
			print(o.get()); Object.setPrototypeOf(o, a); print(o.add()); Object.setPrototypeOf(o, a); print(o.inc())`,
			"1\n2\n1"},
		{"blocks without declarations", `
			{ ; } { { print(1) } } l: { break l } for (var i = 0; i < 2; i++) { { if (i) { continue } } print('i', i) }
			{ let x = 1; { x = 2 } print(x) } { var v = 3 } print(v); try { throw 1 } catch { } finally { print('f') }`,
			"1\ni 0\n2\n3\nf"},
		{"await using falls back to a sync method without awaiting its result", `
			(async () => {
				const never = new Promise(() => {});
				{ await using x = { [Symbol.dispose]() { print('disposed'); return never } }; print('body') }
				print('after');
				{ await using a = null, b = undefined; } print('nothing');
				try { await using y = { [Symbol.dispose]() { throw new Error('d') } }; throw new Error('b') }
				catch (e) { print(e.name, e.error.message, e.suppressed.message) }
			})()`,
			"body\ndisposed\nafter\nnothing\nSuppressedError d b"}, // ES2026
		{"promise combinators", `
			const show = n => v => print(n, JSON.stringify(v));
			Promise.all([1, Promise.resolve(2), { then(f) { f(3) } }]).then(show('all'));
			Promise.allSettled([Promise.reject(1), 2]).then(show('settled'));
			Promise.any([Promise.reject(1), Promise.reject(2)]).catch(e => print(e.name, e.message, e.errors));
			Promise.any([]).catch(e => print('empty', e.errors.length));
			Promise.race([new Promise(() => {}), 7]).then(show('race'));
			Promise.try((a, b) => a + b, 1, 2).then(show('try')); Promise.try(() => { throw 5 }).catch(show('try threw'));
			const w = Promise.withResolvers(); w.resolve(w.promise.constructor === Promise); w.promise.then(show('resolvers'));
			Promise.resolve(1).finally(() => 2).then(show('finally')); Promise.reject(1).finally(() => { throw 2 }).catch(show('finally threw'));
			class P extends Promise {} print(P.resolve(1) instanceof P, P.all([]) instanceof P, P.resolve(1).then() instanceof P)`,
			"true true true\nempty 0\ntry 3\ntry threw 5\nresolvers true\nsettled [{\"status\":\"rejected\",\"reason\":1},{\"status\":\"fulfilled\",\"value\":2}]\nAggregateError All promises were rejected 1,2\nrace 7\nfinally threw 2\nall [1,2,3]\nfinally 1"},
		{"Array.fromAsync", `
			(async () => {
				print(await Array.fromAsync([1, Promise.resolve(2)], async x => x * 2));
				print(await Array.fromAsync({ length: 2, 0: 'a', 1: Promise.resolve('b') }));
				async function* g() { try { yield 1; yield 2 } finally { print('closed') } }
				print(await Array.fromAsync(g()));
				try { await Array.fromAsync(g(), () => { throw new Error('m') }) } catch (e) { print(e.message) }
				try { await Array.fromAsync(null) } catch (e) { print(e.name) }
			})()`,
			"2,4\na,b\nclosed\n1,2\nclosed\nm\nTypeError"}, // ES2026
	})
}

// TestMessages holds the messages of errors that quote source text. The
// expected texts are node 20's.
func TestMessages(t *testing.T) {
	const prelude = "var o = { f() { return {} }, p: 1 }, a = [1, 2], i = 1, u, b = 0, f = () => {};\n"
	for _, c := range [][2]string{
		{"u()", "u is not a function"},
		{"o.foo()", "o.foo is not a function"},
		{"o['foo']()", "o.foo is not a function"},
		{"a[0]()", "a[0] is not a function"},
		{"a[i]()", "a[i] is not a function"},
		{"o[i + 1]()", "o[(i + 1)] is not a function"},
		{"o.f(1, 2)()", "o.f(...) is not a function"},
		{"o.f().g()", "o.f(...).g is not a function"},
		{"(function () {})()()", "(intermediate value)(...) is not a function"},
		{"({ a: 1 }).x()", "{(intermediate value)}.x is not a function"},
		{"[1, 2].x()", "[1,2].x is not a function"},
		{"'abc'.foo()", "\"abc\".foo is not a function"},
		{"this.foo()", "this.foo is not a function"},
		{"(a || b)()", "(a || b) is not a function"},
		{"(typeof a)()", "(typeof a) is not a function"},
		{"o?.foo()", "o?.foo is not a function"},
		{"o.nope`x`", "o.nope is not a function"},
		{"u(...a)", "u is not a function"},
		{"new u()", "u is not a constructor"},
		{"new (o.f())()", "o.f(...) is not a constructor"},
		{"new (() => {})", "(intermediate value) is not a constructor"},
		{"class A { static m() { super.zz() } } A.m()", "(intermediate value).zz is not a function"},
		{"[...u]", "u is not iterable"},
		{"[...o.nope()]", "o.nope is not a function or its return value is not iterable"},
		{"f(...i)", "Spread syntax requires ...iterable[Symbol.iterator] to be a function"},
		{"for (var x of o.p);", "o.p is not iterable"},
		{"for (var x of o.f());", "o.f is not a function or its return value is not iterable"},
		{"for (var x of o.nope());", "o.nope is not a function or its return value is not iterable"},
		{"for (var [q] of [u]);", ".for is not iterable"},
		{"var [q] = u", "u is not iterable"},
		{"var [q] = o.zz", "undefined is not iterable (cannot read property Symbol(Symbol.iterator))"},
		{"var [q] = o.nope()", "o.nope is not a function or its return value is not iterable"},
		{"[q] = {}", "object is not iterable (cannot read property Symbol(Symbol.iterator))"},
		{"(([q]) => {})(5)", "number 5 is not iterable (cannot read property Symbol(Symbol.iterator))"},
		{"var { q } = u", "Cannot destructure property 'q' of 'u' as it is undefined."},
		{"var { q } = o.zz", "Cannot destructure property 'q' of 'o.zz' as it is undefined."},
		{"({ q } = null)", "Cannot destructure property 'q' of 'null' as it is null."},
		{"var { q: { z } } = o", "Cannot read properties of undefined (reading 'z')"},
		{"var {} = u", "Cannot destructure 'u' as it is undefined."},
		{"(({ q }) => {})()", "Cannot destructure property 'q' of 'undefined' as it is undefined."},
		{"(({ q }) => {})(null)", "Cannot destructure property 'q' of 'object null' as it is null."},
		{"for (var { q } of [u]);", "Cannot destructure property 'q' of '.for' as it is undefined."},
		{"try { throw null } catch ({ q }) {}", "Cannot destructure property 'q' of '.catch' as it is null."},
		{"class B extends null {} new B", "Super constructor null of B is not a constructor"},
		{"(class {})()", "Class constructors cannot be invoked without 'new'"},
		{"class A { #m() {} static t(o) { o.#m() } } A.t({})", "Receiver must be an instance of class A"},
		{"class A { static #m() {} static t(o) { o.#m() } } A.t({})", "Receiver must be class A"},
		{"class A { #x; m() { this.#x() } } new A().m()", "this[#x] is not a function"},
		{"u[Symbol.iterator]", "undefined is not iterable (cannot read property Symbol(Symbol.iterator))"},
		{"u[{}]", "Cannot read properties of undefined"},
		{"f(1, ...o.p)", "Spread syntax requires ...iterable[Symbol.iterator] to be a function"},
		{"[1].map('x')", "x is not a function"},
		{"new Map(5)", "number 5 is not iterable (cannot read property Symbol(Symbol.iterator))"},
	} {
		got := printed(t, false, prelude+"try {\n"+c[0]+"\nprint('no error') } catch (e) { print(e.message) }")
		if got != c[1] {
			t.Errorf("%s\ngot  %s\nwant %s", c[0], got, c[1])
		}
	}
}

// TestCompileIsMetered compiles programs whose size is their only trouble: the
// compiler's work counts as fuel.
func TestCompileIsMetered(t *testing.T) {
	src := strings.Repeat("{let x=1}", 50_000)
	total := int64(0)
	if _, err := js.Compile("big.js", src, js.CompileOptions{Charge: func(n int64) error { total += n; return nil }}); err != nil {
		t.Fatal(err)
	}
	stop := total * 3 / 4
	at := int64(0)
	_, err := js.Compile("big.js", src, js.CompileOptions{Charge: func(n int64) error {
		if at += n; at > stop {
			return context.Canceled
		}
		return nil
	}})
	if err != context.Canceled {
		t.Errorf("compiling ended with %v, want the error of Charge", err)
	}
}
