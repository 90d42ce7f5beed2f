package vm_test

import (
	"context"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

func program(t testing.TB, source string) *ast.Program {
	t.Helper()
	res, err := transpile.Transpile(source, transpile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Program
}

func benchmark(b *testing.B, source string, args any, opts ...vm.Option) {
	p, err := vm.MustNew().Load(program(b, source))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		res, err := p.Run(context.Background(), args, opts...)
		if err != nil || res.Err != nil {
			b.Fatal(err, res.Err)
		}
	}
}

// BenchmarkWhile is 100 000 passes of a loop.
func BenchmarkWhile(b *testing.B) {
	benchmark(b, `function f() {
  let i = 0
  while (i < 100000) { i = i + 1 }
  return { i }
}`, ast.Object{}, vm.WithFuel(1e6))
}

// BenchmarkSum is a loop with some more in it.
func BenchmarkSum(b *testing.B) {
	benchmark(b, `function f() {
  let i = 0
  let total = 0
  while (i < 100000) {
    if (i % 3 == 0) { total = total + i * 2 }
    i++
  }
  return { total }
}`, ast.Object{}, vm.WithFuel(1e6))
}

// BenchmarkAtoms is 10 000 calls of an atom of the host.
func BenchmarkAtoms(b *testing.B) {
	benchmark(b, `function f() {
  let i = 0
  while (i < 10000) {
    let v = storeGet({ key: 'k' })
    i++
  }
  return { i }
}`, ast.Object{}, vm.WithFuel(1e6), vm.WithCapabilities(vm.Capabilities{Store: &mapStore{m: map[string]any{"k": 1.0}}}))
}

// BenchmarkPureAtoms is 10 000 calls of an atom of the VM.
func BenchmarkPureAtoms(b *testing.B) {
	benchmark(b, `function f() {
  let i = 0
  let n = 0
  while (i < 10000) {
    n = len({ list: 'abc' })
    i++
  }
  return { n }
}`, ast.Object{}, vm.WithFuel(1e6))
}

const worked = `function report({ city: 'Oslo' }): { city: '', summary: '' } {
  const data = httpFetch({ url: 'https://api.example.com/weather/' + city })
  const summary = llmPredict({ prompt: 'Sum up: ' + JSON.stringify(data) })
  return { city, summary }
}`

// BenchmarkWorked is the specification's example end to end: a fetch and a
// model's answer, both canned.
func BenchmarkWorked(b *testing.B) {
	benchmark(b, worked, ast.Object{{Key: "city", Value: "Oslo"}}, vm.WithCapabilities(vm.Capabilities{
		Fetch: vm.FetchFunc(func(context.Context, *vm.Request) (any, error) {
			return ast.Object{{Key: "temp", Value: 3.0}, {Key: "sky", Value: "clear"}}, nil
		}),
		LLM: vm.LLMFunc(func(context.Context, string, ast.Object) (any, error) { return "Cold and clear.", nil }),
	}))
}
