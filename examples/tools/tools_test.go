package tools

import (
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/tool"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	goleak.VerifyTestMain(m)
}

// TestTools runs each tool's own tests, on both tiers.
func TestTools(t *testing.T) {
	var names []string
	for _, pattern := range []string{"*.js", "*.ts"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range list {
			if name != "ctx.d.ts" {
				names = append(names, name)
			}
		}
	}
	if len(names) < 10 {
		t.Errorf("there are %d tools", len(names))
	}
	for _, name := range names {
		for _, tier := range []pinfold.Isolation{pinfold.InProcess, pinfold.Process} {
			t.Run(name+"/"+tier.String(), func(t *testing.T) {
				r, err := tool.Test(name, tool.Config{Options: pinfold.Options{Isolation: tier}, LoadTimeout: 20 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Cases) < 4 {
					t.Errorf("it has %d tests", len(r.Cases))
				}
				for _, c := range r.Cases {
					for _, p := range c.Problems {
						t.Errorf("%s:%d: %s: %s", c.File, c.Line, c.Name, p)
					}
				}
			})
		}
	}
}
