package js_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

// corpus returns the programs of the differential test.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	programs := map[string]string{}
	err := filepath.WalkDir("../conformance/corpus", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".js" {
			return err
		}
		b, err := os.ReadFile(path)
		programs[path] = string(b)
		return err
	})
	if err != nil || len(programs) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	return programs
}

// The heap's invariants hold after every program of the corpus, between its
// collections and after one, with the collector at every safepoint and without.
func TestHeapInvariants(t *testing.T) {
	programs := corpus(t)
	for i, path := range sortedKeys(programs) {
		if quick() && i%10 != 0 {
			continue
		}
		// A loose console: what is printed isn't the matter here.
		src := "globalThis.console = new Proxy({}, {get: () => String}); " + programs[path]
		goal := js.Script
		if _, err := js.Compile(path, src, js.CompileOptions{}); err != nil {
			goal = js.Module
		}
		for _, stress := range []bool{false, true} {
			lim := meter.Limits{LiveBytes: 256 << 20, Depth: 2000, NativeDepth: testNativeDepth, Timeout: 5 * time.Second}
			if stress {
				lim.Fuel = 200_000 // every safepoint collects
			}
			e := run(job{src: src, goal: goal, limits: lim, opt: vm.Options{Stress: stress}})
			if e.kind == "fault" {
				t.Errorf("%s, stress %v: %v", path, stress, e)
			}
			if e.m == nil {
				continue
			}
			if err := e.m.Verify(); err != nil {
				t.Errorf("%s, stress %v, at the end: %v", path, stress, err)
			}
			if err := e.m.CollectGarbage(); err != nil && e.kind != "limit" {
				t.Errorf("%s, stress %v: %v", path, stress, err)
			}
			if err := e.m.Verify(); err != nil {
				t.Errorf("%s, stress %v, after a collection: %v", path, stress, err)
			}
		}
	}
}
