package transpile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
)

// agent is a program of a hundred lines.
func agent(tb testing.TB) string {
	tb.Helper()
	text, err := os.ReadFile("testdata/agent.ajs")
	if err != nil {
		tb.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 100 {
		tb.Fatalf("%d lines", n)
	}
	return string(text)
}

func TestAgent(t *testing.T) {
	res, err := transpile.Transpile(agent(t), transpile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Program.Helpers) != 4 || len(res.Warnings) != 0 {
		t.Errorf("%d helpers, %v", len(res.Program.Helpers), res.Warnings)
	}
}

func BenchmarkTranspile(b *testing.B) {
	src := agent(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := transpile.Transpile(src, transpile.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	res, err := transpile.Transpile(agent(b), transpile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	text, err := res.Program.MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ast.Decode(text, ast.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	res, err := transpile.Transpile(agent(b), transpile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := res.Program.MarshalJSON(); err != nil {
			b.Fatal(err)
		}
	}
}
