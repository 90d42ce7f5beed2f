package pinfold_test

import (
	"context"
	"testing"

	"github.com/pinfold-js/pinfold"
)

func sandbox(tb testing.TB, opt pinfold.Options) *pinfold.Sandbox {
	tb.Helper()
	s, err := pinfold.New(opt)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func program(tb testing.TB, s *pinfold.Sandbox, source string) *pinfold.Program {
	tb.Helper()
	p, err := s.Compile("test", source)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// BenchmarkRun is a fresh run, every limit on, of a prepared trivial program.
func BenchmarkRun(b *testing.B) {
	s := sandbox(b, pinfold.Options{})
	p := program(b, s, "1 + 1")
	b.ReportAllocs()
	for b.Loop() {
		if o := s.Run(context.Background(), p, nil); o.Failure != nil {
			b.Fatal(o.Failure)
		}
	}
}

// BenchmarkHostCall is a call of a host function: scalar, string, object.
func BenchmarkHostCall(b *testing.B) {
	type point struct {
		X, Y float64
		Name string `json:"name"`
	}
	for _, bm := range []struct {
		name, call string
		fn         any
	}{
		{"float", "f(1.5)", func(x float64) float64 { return x * 2 }},
		{"int", "f(3)", func(x int) int { return x * 2 }},
		{"string", "f('abc')", func(s string) string { return s }},
		{"reflect", "f(1, 2)", func(x float64, y int) float64 { return x * float64(y) }},
		{"object", "f(p)", func(p point) point { return p }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			s := sandbox(b, pinfold.Options{
				Limits:    pinfold.Limits{HostCalls: 1 << 60, Fuel: 1 << 60, Timeout: 1 << 60, AllocatedBytes: 1 << 60},
				Functions: []pinfold.Function{{Name: "f", Func: bm.fn}},
			})
			p := program(b, s, "const p = {X: 1, Y: 2, name: 'p'}; for (let i = 0; i < input; i++) "+bm.call)
			b.ReportAllocs()
			b.ResetTimer()
			if o := s.Run(context.Background(), p, b.N); o.Failure != nil {
				b.Fatal(o.Failure)
			}
		})
	}
}
