package examples

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pinfold-js/pinfold"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	os.Exit(m.Run())
}

// The examples print the same from worker processes.
func TestExamplesInWorkers(t *testing.T) {
	switch runtime.GOOS {
	case "windows", "js", "wasip1", "plan9":
		t.Skip("worker processes inherit pipes, which " + runtime.GOOS + " has not")
	}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		p, ok := load(t, f.Name())
		if !ok {
			continue
		}
		want := string(read(t, filepath.Join(filepath.Dir(p.path), "expected.txt")))
		out, err := runIn(p, pinfold.Process)
		if err != nil {
			t.Errorf("%s: %v", p.path, err)
		} else if got := text(t, out); got != want {
			t.Errorf("%s: %s", p.path, firstDifference(got, want))
		}
	}
}
