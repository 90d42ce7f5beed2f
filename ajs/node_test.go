package ajs_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/pinfold-js/pinfold/ajs"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// Operators and builtins give what they give in JavaScript. The values of
// testdata/node.json come from node v20.20.2.
func TestLikeNode(t *testing.T) {
	b, err := os.ReadFile("testdata/node.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Expr, Want string }
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		res := ajs.Eval(context.Background(), ajs.EvalOptions{Code: r.Expr})
		got := ""
		switch v := res.Result.(type) {
		case float64:
			switch {
			case v != v:
				got = "NaN"
			case math.IsInf(v, 1):
				got = "Infinity"
			case math.IsInf(v, -1):
				got = "-Infinity"
			case v == 0 && math.Signbit(v):
				got = "-0"
			default:
				got = js(t, v)
			}
		default:
			got = js(t, v)
			if v == vm.Undefined {
				got = "undefined"
			}
		}
		if res.Err != nil {
			got = "throws " + res.Err.Error()
		}
		if got != r.Want {
			t.Errorf("%s\n got %s\nwant %s", r.Expr, got, r.Want)
		}
	}
}

// Programs of the language give what the same text gives as JavaScript. The
// results of testdata/programs.json come from node v20.20.2.
func TestProgramsLikeNode(t *testing.T) {
	b, err := os.ReadFile("testdata/programs.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Source, Want string
		Args         json.RawMessage
	}
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		a, err := ajs.CreateAgent(r.Source, vm.MustNew())
		if err != nil {
			t.Errorf("%s\n%v", r.Source, err)
			continue
		}
		res := a.Run(context.Background(), r.Args, vm.WithFuel(1e5))
		if got := js(t, res.Value); got != r.Want {
			t.Errorf("%s\n got %s\nwant %s", r.Source, got, r.Want)
		}
	}
}
