package js_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// A thousand machines at once run a program that keeps ten thousand objects,
// touches the shared realm in many places, compiles patterns and source, and
// changes intrinsics. Each gives the same value and uses the same fuel and
// memory, and none sees what another has done.
func TestManyMachines(t *testing.T) {
	const src = `
		if (Array.prototype.mark || globalThis.mark || Object.prototype.x) throw new Error('somebody else was here');
		Array.prototype.mark = globalThis.mark = 1;
		Object.defineProperty(Object.prototype, 'x', {value: 1, configurable: true});
		String.prototype.trim = function () { return 'trimmed' };
		delete Map.prototype.forEach;
		Math.max = Math.min;
		const a = [];
		for (let i = 0; i < 10000; i++) a.push({id: i, name: 'object'});
		for (const o of a.slice(0, 200)) o.name += ' ' + o.id % 97;
		class P { #v; constructor(v) { this.#v = v } get v() { return this.#v } }
		function* g() { for (const o of a) if (o.id % 100 == 0) yield new P(o.id) }
		const groups = Object.groupBy(a.slice(0, 200), o => o.name.replace(/object (\d+)/, '$1'));
		const s = JSON.stringify(a.slice(0, 50)) + [...g()].map(p => p.v) + Object.keys(groups).length;
		const f = new Function('n', 'return n * 2');
		let h = 0;
		for (const c of s + eval('1+1') + f(21) + Math.max(1, 2)) h = (h * 31 + c.charCodeAt(0)) | 0;
		h
	`
	n := 1000
	if testing.Short() {
		n = 100
	}
	p, err := js.Compile("test.js", src, js.CompileOptions{Completion: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	one := func() ending {
		e := ending{mt: meter.New(ctx, meter.Limits{Fuel: 100_000_000, LiveBytes: 64 << 20, Depth: 2000, NativeDepth: testNativeDepth})}
		defer e.mt.Close()
		e = runProgram(e, p, job{})
		e.m = nil // a thousand heaps at once are not needed afterwards
		return e
	}
	want := one()
	if want.kind != "value" {
		t.Fatal(want, want.text)
	}
	t.Logf("value %s, usage %+v", want.what, want.usage)
	start := make(chan struct{})
	errs := make(chan error, n)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			<-start
			e := one()
			e.usage.Wall, e.mt = want.usage.Wall, want.mt
			if e.String() != want.String() || e.what != want.what || e.usage != want.usage {
				errs <- fmt.Errorf("%v %s %s %+v, not %+v", e, e.what, e.text, e.usage, want.usage)
			}
		})
	}
	close(start)
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
		break
	}
}

// A machine that panics in its host's function, is stopped, or hits a limit
// takes nothing with it.
func TestMachinesFailAlone(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			switch i % 4 {
			case 0:
				e := run(job{src: "const a=[]; for(;;) a.push({})", limits: meter.Limits{LiveBytes: 4 << 20}})
				if e.String() != "limit:memory" {
					t.Error(e)
				}
			case 1:
				e := run(job{src: "for(;;);", limits: meter.Limits{Fuel: 1_000_000}})
				if e.String() != "limit:fuel" {
					t.Error(e)
				}
			case 2:
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				run(job{src: "[3,2,1].sort(boom)", setup: func(m *vm.Machine) {
					host(m, "boom", func(*vm.Machine, vm.Call) (vm.Value, error) { panic("host") })
				}})
			default:
				e := run(job{src: "let s=0; for(let i=0;i<50000;i++) s+=i; s"})
				if e.what != "1249975000" {
					t.Error(e, e.what)
				}
			}
		})
	}
	wg.Wait()
}
