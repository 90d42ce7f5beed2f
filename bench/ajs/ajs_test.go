package ajs

import (
	"context"
	"testing"

	"github.com/dop251/goja"
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// The programs: one text for AJS, one for goja, and what a host function gives.
var programs = []struct {
	name, agent, script string
	want                float64
}{
	{"while", `function f() {
  let i = 0
  while (i < 100000) { i = i + 1 }
  return { i }
}`, `function f() {
  let i = 0
  while (i < 100000) { i = i + 1 }
  return i
}`, 100000},
	{"sum", `function f() {
  let i = 0
  let t = 0
  while (i < 100000) {
    if (i % 3 == 0) { t = t + i * 2 }
    i++
  }
  return { t }
}`, `function f() {
  let i = 0
  let t = 0
  while (i < 100000) {
    if (i % 3 == 0) { t = t + i * 2 }
    i++
  }
  return t
}`, 3333366666},
	{"atoms", `function f() {
  let i = 0
  let n = 0
  while (i < 10000) {
    n = add({ a: n, b: i })
    i++
  }
  return { n }
}`, `function f() {
  let i = 0
  let n = 0
  while (i < 10000) {
    n = add({ a: n, b: i })
    i++
  }
  return n
}`, 49995000},
}

type addIn struct {
	A float64 `ajs:"a"`
	B float64 `ajs:"b"`
}

func machine(t testing.TB) *vm.VM {
	add, err := vm.Define("add", func(_ *vm.Call, in addIn) (float64, error) { return in.A + in.B, nil }, vm.Describe("adds two numbers"), vm.Direct())
	if err != nil {
		t.Fatal(err)
	}
	return vm.MustNew(add)
}

func load(t testing.TB, m *vm.VM, source string) *vm.Program {
	res, err := transpile.Transpile(source, transpile.Options{Atoms: m.Atoms()})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Load(res.Program)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func runAgent(t testing.TB, p *vm.Program) float64 {
	res, err := p.Run(context.Background(), ast.Object{}, vm.WithFuel(1e6))
	if err != nil || res.Err != nil {
		t.Fatal(err, res.Err)
	}
	f, _ := res.Value.(ast.Object)[0].Value.(float64)
	return f
}

func loadGoja(t testing.TB, source string) func() float64 {
	r := goja.New()
	if err := r.Set("add", func(c goja.FunctionCall) goja.Value {
		o := c.Argument(0).ToObject(r)
		return r.ToValue(o.Get("a").ToFloat() + o.Get("b").ToFloat())
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.RunString(source); err != nil {
		t.Fatal(err)
	}
	f, ok := goja.AssertFunction(r.Get("f"))
	if !ok {
		t.Fatal("no function")
	}
	return func() float64 {
		v, err := f(goja.Undefined())
		if err != nil {
			t.Fatal(err)
		}
		return v.ToFloat()
	}
}

func TestSameResults(t *testing.T) {
	m := machine(t)
	for _, p := range programs {
		if got := runAgent(t, load(t, m, p.agent)); got != p.want {
			t.Errorf("%s: AJS gives %v, want %v", p.name, got, p.want)
		}
		if got := loadGoja(t, p.script)(); got != p.want {
			t.Errorf("%s: goja gives %v, want %v", p.name, got, p.want)
		}
	}
}

func Benchmark(b *testing.B) {
	m := machine(b)
	for _, p := range programs {
		b.Run(p.name+"/ajs", func(b *testing.B) {
			prog := load(b, m, p.agent)
			b.ReportAllocs()
			for b.Loop() {
				runAgent(b, prog)
			}
		})
		b.Run(p.name+"/goja", func(b *testing.B) {
			f := loadGoja(b, p.script)
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
