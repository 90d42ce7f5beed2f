package pinfold_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
)

// FuzzProgram: whatever the source is, the run ends within its limits, and is
// never an internal failure.
func FuzzProgram(f *testing.F) {
	for _, pattern := range []string{"examples/*/*.ts", "examples/*/*.js", "conformance/corpus/*/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			if b, err := os.ReadFile(name); err == nil && len(b) < 4000 {
				f.Add(string(b))
			}
		}
	}
	for _, trap := range traps {
		f.Add("function hit() { for (;;); } function escaped() {}\n" + trap.source)
	}
	limits := pinfold.Limits{
		MemoryBytes: 16 << 20, AllocatedBytes: 64 << 20, Fuel: 2_000_000, Timeout: time.Second, CallDepth: 300, NativeDepth: 100,
		OutputBytes: 16 << 10, SourceBytes: 16 << 10, ResultBytes: 64 << 10, HostCalls: 50,
	}
	s, err := pinfold.New(pinfold.Options{Limits: limits, Deterministic: true, Functions: []pinfold.Function{
		{Name: "echo", Func: func(x any) any { return x }},
		{Name: "later", Async: true, Cancel: pinfold.Cooperative, Func: func(x json.RawMessage) json.RawMessage { return x }},
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, source string) {
		begin := time.Now()
		o := s.Eval(context.Background(), "fuzz", source, map[string]any{"n": 1, "list": []int{3, 1, 2}})
		if d := time.Since(begin); d > 3*time.Second+2*slack {
			t.Errorf("it took %v: %v", d, o.Failure)
		}
		if f := o.Failure; f != nil && f.Kind == pinfold.ErrInternal {
			t.Errorf("%v\n%s", f, f.GoStack())
		}
		if u := o.Usage; u.PeakBytes > limits.MemoryBytes+1<<20 || u.Fuel > limits.Fuel+200_000 || u.HostCalls > limits.HostCalls || u.OutputBytes > limits.OutputBytes {
			t.Errorf("past the limits: %+v", u)
		}
	})
}
