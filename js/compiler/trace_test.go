package compiler_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/bytecode"
)

// Code compiled for tracing is the same code with Trace operations in it: jumps
// aside, which go to other numbers.
func TestTracedCode(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src, _, _ := strings.Cut(string(text), divider)
			plain, err := compileText(t, src, false)
			if err != nil {
				t.Skip("it has no code: the test is of an error")
			}
			traced, err := compileText(t, src, true)
			if err != nil {
				t.Fatal(err)
			}
			if len(plain.Funcs) != len(traced.Funcs) {
				t.Fatalf("%d functions, %d with tracing", len(plain.Funcs), len(traced.Funcs))
			}
			for i, f := range plain.Funcs {
				compareTraced(t, f, traced.Funcs[i])
			}
		})
	}
}

func compareTraced(t *testing.T, plain, traced *bytecode.Function) {
	t.Helper()
	if plain.Debug != nil || traced.Debug == nil {
		t.Fatal("tables for tracing where there should be none, or none where there should be")
	}
	if traced.Code[0] != (bytecode.Instr{Op: bytecode.Trace, A: 1}) {
		t.Errorf("%q begins with %v", traced.Name, traced.Code[0])
	}
	at := make([]int, len(traced.Code)+1) // the instruction's number without tracing
	n := 0
	for pc, in := range traced.Code {
		at[pc] = n
		if in.Op == bytecode.Trace {
			if pc > 0 && skipsNext(traced.Code[pc-1].Op) || traced.Code[pc+1].Op == bytecode.Ext {
				t.Errorf("%q: a Trace at %d stands between instructions that belong together", traced.Name, pc)
			}
			continue
		}
		if n >= len(plain.Code) {
			t.Fatalf("%q has %d instructions, more with tracing", plain.Name, len(plain.Code))
		}
		want := plain.Code[n]
		if in.Op >= bytecode.Jump && in.Op <= bytecode.Switch {
			in.B, in.C, want.B, want.C = 0, 0, 0, 0
		}
		if in != want {
			t.Errorf("%q: %v with tracing, %v without, at %d", plain.Name, in, want, n)
		}
		n++
	}
	if at[len(traced.Code)] = n; n != len(plain.Code) {
		t.Errorf("%q: %d instructions with tracing, %d without", plain.Name, n, len(plain.Code))
	}
	for pc, in := range traced.Code {
		if in.Op == bytecode.Trace {
			continue
		}
		if a, b := traced.PositionOf(pc), plain.PositionOf(at[pc]); a != b {
			t.Errorf("%q: instruction %d is at offset %d with tracing, %d without", plain.Name, at[pc], a, b)
		}
		if a, b := target(traced, pc), target(plain, at[pc]); a >= 0 && at[a] != b {
			t.Errorf("%q: instruction %d jumps to %d with tracing, %d without", plain.Name, at[pc], at[a], b)
		}
	}
	for i, h := range plain.Handlers {
		g := traced.Handlers[i]
		if at[g.From] != int(h.From) || at[g.To] != int(h.To) || at[g.Target] != int(h.Target) || g.Reg != h.Reg {
			t.Errorf("%q: handler %+v with tracing, %+v without", plain.Name, g, h)
		}
	}
	for i, x := range plain.TDZNames {
		if y := traced.TDZNames[i]; at[y.PC] != int(x.PC) || traced.Code[y.PC].Op == bytecode.Trace {
			t.Errorf("%q: name of a variable at %d with tracing, at %d without", plain.Name, y.PC, x.PC)
		}
	}
}

// target is where a jump goes, -1 for other instructions.
func target(f *bytecode.Function, pc int) int {
	in := f.Code[pc]
	switch {
	case in.Op >= bytecode.JLt && in.Op <= bytecode.JNGeI:
		return pc + 1 + int(int16(in.C))
	case in.Op >= bytecode.Jump && in.Op < bytecode.JLt:
		return int(in.BC())
	}
	return -1
}
