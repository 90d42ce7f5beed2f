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

func TestParse(t *testing.T) {
	for _, text := range []string{
		`[{"type":"function","function":{"name":"weather","description":"d","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}}}]`,
		`[{"name":"weather","description":"d","inputSchema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}}]`,
		`{"weather":{"description":"d","inputSchema":{"properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}}}`,
	} {
		table, err := atom.Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		a := table.Lookup("weather")
		if a == nil || a.Docs != "d" || a.Open || len(a.Inputs) != 2 || a.Inputs[0] != (atom.Input{Name: "city", Required: true, Type: "string"}) || a.Inputs[1] != (atom.Input{Name: "days", Type: "integer"}) {
			t.Errorf("%s: %+v", text, a)
		}
	}
	if table, err := atom.Parse([]byte(`{"any":{}}`)); err != nil || !table.Lookup("any").Open {
		t.Error(table, err)
	}
	for _, bad := range []string{`5`, `[5]`, `[{}]`, `{"a":5}`, `{"a":{"inputSchema":1}}`, `{"a":{"inputSchema":{"properties":1}}}`, `{"a":{"inputSchema":{"required":["x"]}}}`, `{`, `[{"function":1}]`} {
		if _, err := atom.Parse([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
