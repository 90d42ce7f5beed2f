package atom_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/ajs/atom"
)

func TestCore(t *testing.T) {
	c := atom.Core()
	if n := len(c.Names()); n != 54 {
		t.Errorf("%d core atoms", n)
	}
	f := c.Lookup("httpFetch")
	if f == nil || f.Effects != atom.IO || f.OwnInputs || f.Cost != 5 || len(f.Inputs) != 5 || !f.Inputs[0].Required || f.Inputs[1].Required {
		t.Errorf("httpFetch: %+v", f)
	}
	// Atoms that run programs aren't cut off by a timeout of one second.
	for _, n := range []string{"agentRun", "runCode", "memoize", "cache"} {
		if a := c.Lookup(n); a.Timeout != 0 || !a.OwnInputs {
			t.Errorf("%s: %+v", n, a)
		}
	}
	if c.Lookup("nope") != nil || (*atom.Table)(nil).Lookup("if") != nil {
		t.Error("found what isn't there")
	}
}
