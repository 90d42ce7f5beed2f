package ajs

import (
	"context"
	"fmt"
	"strings"
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

func machine(t testing.TB, opts ...vm.AtomOption) *vm.VM {
	add, err := vm.Define("add", func(_ *vm.Call, in addIn) (float64, error) { return in.A + in.B, nil }, append(opts, vm.Describe("adds two numbers"))...)
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
	m := machine(t, vm.Direct())
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
	m := machine(b, vm.Direct())
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

// BenchmarkAtoms is the program with 10 000 calls, by the ways to call the
// host's function: on a goroutine beside the run's, which is how it is unless an
// atom says otherwise, or on the run's.
func BenchmarkAtoms(b *testing.B) {
	for _, way := range []struct {
		name string
		opts []vm.AtomOption
	}{{"beside", nil}, {"heeds", []vm.AtomOption{vm.Heeds()}}, {"direct", []vm.AtomOption{vm.Direct()}}} {
		b.Run(way.name, func(b *testing.B) {
			m := machine(b, way.opts...)
			prog := load(b, m, programs[2].agent)
			b.ReportAllocs()
			for b.Loop() {
				runAgent(b, prog)
			}
		})
	}
}

// BenchmarkWorked is the specification's example end to end: arguments checked,
// a fetch and a model's answer, both canned, the result checked.
func BenchmarkWorked(b *testing.B) {
	const body = `
  const data = httpFetch({ url: 'https://api.example.com/w?city=' + city })
  const summary = llmPredict({ prompt: 'Sum up: ' + JSON.stringify(data) })
  return { city, summary }
}`
	answer := ast.Object{{Key: "temp", Value: 3.0}, {Key: "wind", Value: 5.0}, {Key: "sky", Value: "rainy day"}}
	b.Run("ajs", func(b *testing.B) {
		p := load(b, vm.MustNew(), "function f({ city: '' }): { city: '', summary: '' } {"+body)
		caps := vm.WithCapabilities(vm.Capabilities{
			Fetch: vm.FetchFunc(func(context.Context, *vm.Request) (any, error) { return answer, nil }),
			LLM:   vm.LLMFunc(func(context.Context, string, ast.Object) (any, error) { return "Cold and wet.", nil }),
		})
		args := ast.Object{{Key: "city", Value: "Oslo"}}
		b.ReportAllocs()
		for b.Loop() {
			if res, err := p.Run(context.Background(), args, caps); err != nil || res.Err != nil {
				b.Fatal(err, res.Err)
			}
		}
	})
	b.Run("goja", func(b *testing.B) {
		prog := goja.MustCompile("f.js", "(function f({ city }) {"+body+")", true)
		b.ReportAllocs()
		for b.Loop() {
			// A run shares nothing with the one before.
			r := goja.New()
			_ = r.Set("httpFetch", func(goja.FunctionCall) goja.Value {
				return r.ToValue(map[string]any{"temp": 3, "wind": 5, "sky": "rainy day"})
			})
			_ = r.Set("llmPredict", func(goja.FunctionCall) goja.Value { return r.ToValue("Cold and wet.") })
			v, err := r.RunProgram(prog)
			if err != nil {
				b.Fatal(err)
			}
			f, _ := goja.AssertFunction(v)
			if _, err := f(goja.Undefined(), r.ToValue(map[string]any{"city": "Oslo"})); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// hundred is an agent of a hundred lines that is JavaScript, too.
var hundred = func() string {
	var s strings.Builder
	s.WriteString("function f({ rows, limit }) {\n  let total = 0\n  let out = []\n")
	for i := range 12 {
		fmt.Fprintf(&s, `  for (const row of rows) {
    const value%[1]d = row.price * row.amount
    if (value%[1]d > limit && row.kind === 'k%[1]d') {
      total = total + Math.round(value%[1]d * 100) / 100
      out.push({ name: row.name, text: 'row ' + value%[1]d })
    } else {
      total += %[1]d
    }
  }
`, i)
	}
	s.WriteString("  return { total, out }\n}\n")
	return s.String()
}()

// BenchmarkTranspile reads an agent of about a hundred lines.
func BenchmarkTranspile(b *testing.B) {
	b.Run("ajs", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := transpile.Transpile(hundred, transpile.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("goja", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := goja.Compile("f.js", hundred, true); err != nil {
				b.Fatal(err)
			}
		}
	})
}
