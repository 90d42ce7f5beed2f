package vm_test

import (
	"context"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// The worked example of the specification (§16): what its rows give, for
// requests and answers of the sizes it has.
func TestWorkedExample(t *testing.T) {
	res := run(t, `function report({ city: '' }): { city: '', summary: '' } {
  const data = httpFetch({ url: 'https://api.example.com/w?city=' + city })
  const summary = llmPredict({ prompt: 'Sum up: ' + JSON.stringify(data) })
  return { city, summary }
}`, ast.Object{{Key: "city", Value: "Oslo"}}, vm.WithTrace(), vm.WithCapabilities(vm.Capabilities{
		Fetch: vm.FetchFunc(func(_ context.Context, r *vm.Request) (any, error) {
			if r.URL != "https://api.example.com/w?city=Oslo" || js(r.Headers) != `{"X-Agent-Depth":"1"}` {
				t.Errorf("%+v", r)
			}
			return ast.Object{{Key: "temp", Value: 3.0}, {Key: "wind", Value: 5.0}, {Key: "sky", Value: "rainy day"}}, nil
		}),
		LLM: vm.LLMFunc(func(_ context.Context, prompt string, _ ast.Object) (any, error) {
			if prompt != `Sum up: {"temp":3,"wind":5,"sky":"rainy day"}` {
				t.Errorf("%s", prompt)
			}
			return "Cold and wet.", nil
		}),
	}))
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	want := []struct {
		op            string
		before, after float64
	}{
		{"varsImport", 999.878, 999.677},
		{"httpFetch", 999.677, 994.6289},
		{"llmPredict", 994.6289, 0},
		{"return", 0, 0},
		{"seq", 999.978, 0},
	}
	if len(res.Trace) != len(want) {
		t.Fatalf("%d events", len(res.Trace))
	}
	for i, w := range want {
		e := res.Trace[i]
		if e.Op != w.op || w.before != 0 && !close6(e.FuelBefore, w.before) || w.after != 0 && !close6(e.FuelAfter, w.after) {
			t.Errorf("%s: %v to %v, want %s: %v to %v", e.Op, e.FuelBefore, e.FuelAfter, w.op, w.before, w.after)
		}
	}
	ret := res.Trace[3]
	if !close6(ret.FuelBefore-ret.FuelAfter, 0.12) {
		t.Errorf("return costs %v", ret.FuelBefore-ret.FuelAfter)
	}
	// The contract of the result: 6 nodes × 3 paths × 0.002 and the walk.
	if contract := ret.FuelAfter - (1000 - res.FuelUsed); !close6(contract, 0.039) {
		t.Errorf("the contract costs %v", contract)
	}
	if res.FuelUsed < 105.5 || res.FuelUsed > 105.7 {
		t.Errorf("fuel %v, about 105.6 in the specification", res.FuelUsed)
	}
}

// The tables of what the membrane counts, and of the nodes of schemas.
func TestCountingTables(t *testing.T) {
	cases := readCases(t)
	for _, row := range list(obj(cases, "membraneBytes"), "rows") {
		row := row.(ast.Object)
		v := get(row, "value")
		if v == "{ d: Date(0) }" {
			v = ast.Object{{Key: "d", Value: vm.DateOf(0)}}
		}
		if got, want := vm.MembraneBytes(v), get(row, "bytes").(float64); got != want {
			t.Errorf("%s: %v bytes, want %v", js(get(row, "value")), got, want)
		}
	}
	for _, row := range list(obj(cases, "schemaNodeCounts"), "rows") {
		row := row.(ast.Object)
		if got, want := vm.SchemaNodes(get(row, "schema")), get(row, "nodes").(float64); float64(got) != want {
			t.Errorf("%s: %v nodes, want %v", js(get(row, "schema")), got, want)
		}
	}
}
