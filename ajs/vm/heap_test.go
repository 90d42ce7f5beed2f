package vm_test

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// What a run keeps takes at most twice its ceiling of the process, and 8 MB,
// whatever the values are: small objects count a fraction of what they take.
func TestHeapOfTheProcess(t *testing.T) {
	const ceiling = 16 << 20
	var ms runtime.MemStats
	alive := func() float64 {
		runtime.GC()
		runtime.ReadMemStats(&ms)
		return float64(ms.HeapAlloc)
	}
	look, err := vm.Define("look", func(*vm.Call, struct{}) (float64, error) { return alive(), nil }, vm.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	m := vm.MustNew(look)
	for _, item := range []string{"1", "{}", "[]", "{ a: i }", "{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 1, k: 2, l: 3, m: 4, n: 5 }", "Date(i)", "'' + i", "Set([i])", "[[i], i]"} {
		before := alive()
		res, err := m.Run(context.Background(), program(t, `function f() {
  let kept = []
  let i = 0
  let op = ''
  try { while (true) { kept.push(`+item+`)
    i++ } } catch (e) { op = e.slice(0, 10) }
  const size = look({})
  return { size, n: kept.length, op }
}`), nil, vm.WithFuel(math.Inf(1)), vm.WithMaxHeapBytes(ceiling), vm.WithTimeout(time.Minute), vm.WithAtomTimeout("evaluate", 0))
		if err != nil {
			t.Fatal(err)
		}
		if res.Err != nil && res.Err.Kind == vm.KindHeap && res.Err.Op == "catch" {
			continue // not even the error's text found room
		}
		o, ok := res.Value.(ast.Object)
		if !ok || str(o, "op") != "Heap limit" {
			t.Errorf("%s: %s", item, js(res.Value))
			continue
		}
		if took := get(o, "size").(float64) - before; took > 2*ceiling+8<<20+4<<20 {
			t.Errorf("%s: %.0f MB are alive", item, took/(1<<20))
		}
	}
}
