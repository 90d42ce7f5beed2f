package pinfold_test

import (
	"testing"

	"github.com/pinfold-js/pinfold"
)

// TestReportsRunNoScript: making a report, its explanation included, calls
// nothing of the program: what getters, proxies, toString and inspectors would
// do to the reported values is seen by the host function.
func TestReportsRunNoScript(t *testing.T) {
	for _, source := range []string{
		"const e = new Error('x'); Object.defineProperty(e, 'message', {get() { hit(); return 'y' }}); throw e",
		"const e = new Error('x'); Object.defineProperty(e, 'name', {get() { hit(); return 'y' }}); throw e",
		"const e = new Error('x'); Object.defineProperty(e, 'stack', {get() { hit(); return 'y' }}); throw e",
		"const e = new Error('x'); Object.defineProperty(e, 'code', {get() { hit(); return 'y' }}); throw e",
		"throw {toString() { hit(); return 'y' }, valueOf() { hit() }, toJSON() { hit() }, get name() { hit() }, [Symbol.toPrimitive]() { hit() }}",
		"throw {[Symbol.for('nodejs.util.inspect.custom')]() { hit() }, get [Symbol.toStringTag]() { hit() }}",
		"throw new Proxy(new Error('x'), {get() { hit() }, has() { hit() }, ownKeys() { hit(); return [] }, getPrototypeOf() { hit(); return null }, getOwnPropertyDescriptor() { hit() }})",
		"const p = new Proxy({}, {get(t, k) { return k === 'then' ? undefined : hit && undefined }, ownKeys() { hit(); return [] }}); p.a.b",
		"const row = {get other() { hit(); return 1 }, toString() { hit(); return '' }}; row.missing.x",
		"class A { get size() { hit(); return 1 } toString() { hit(); return '' } } const a = new A(); a.sise.x",
		"Array.prototype.toString = Object.prototype.toString = Function.prototype.toString = hit; const list = [1]; list.foo()",
		"Error.prototype.toString = hit; Error.prepareStackTrace = hit; throw new TypeError('x')",
		"class E extends Error { get name() { hit(); return 'E' } } throw new E('x')",
		"Promise.reject({get message() { hit() }, get constructor() { hit() }})",
		"const {a: {b}} = {get a() { return undefined }, get c() { hit() }}",
		"Object.defineProperty(Object.prototype, 'cause', {get() { hit() }, configurable: true}); throw new Error('x')",
		"throw new AggregateError([{get message() { hit() }}], 'x')",
	} {
		hits := 0
		s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{{Name: "hit", Func: func() { hits++ }}}})
		o := s.Eval(t.Context(), "test", source, nil)
		if o.Failure == nil {
			t.Errorf("%s: no failure", source)
			continue
		}
		calls := o.Usage.HostCalls
		_, _ = o.Failure.Report(), o.Failure.FullReport()
		if hits != 0 || calls != 0 {
			t.Errorf("%s: the program was called %d times", source, hits)
		}
	}
}
