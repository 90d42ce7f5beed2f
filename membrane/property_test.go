package membrane_test

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/membrane"
	"pgregory.net/rapid"
)

// trees generates Go data as Value.Any returns it, without shared parts.
func trees(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 8
		if depth > 0 {
			kinds = 13
		}
		switch rapid.IntRange(0, kinds).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return membrane.Undefined{}
		case 2:
			return rapid.Bool().Draw(t, "bool")
		case 3:
			return rapid.Float64().Draw(t, "number")
		case 4:
			return rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1 << 53, 0.1}).Draw(t, "special")
		case 5:
			return rapid.String().Draw(t, "string")
		case 6:
			x := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "limbs"))
			if rapid.Bool().Draw(t, "negative") {
				x.Neg(x)
			}
			return x
		case 7:
			return time.UnixMilli(rapid.Int64Range(-8.64e15, 8.64e15).Draw(t, "time")).UTC()
		case 8:
			b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
			if rapid.Bool().Draw(t, "typed") {
				return &membrane.Bytes{Type: "Int8Array", Data: b}
			}
			return b
		case 9:
			return rapid.SliceOfN(trees(depth-1), 0, 4).Draw(t, "array")
		case 10:
			m := &membrane.Map{Entries: [][2]any{}}
			for i, v := range rapid.SliceOfN(trees(depth-1), 0, 3).Draw(t, "map") {
				m.Entries = append(m.Entries, [2]any{float64(i), v})
			}
			return m
		case 11:
			s := &membrane.Set{Items: []any{}}
			for i := range rapid.IntRange(0, 3).Draw(t, "set") {
				s.Items = append(s.Items, []any{float64(i)})
			}
			return s
		case 12:
			e := &membrane.ErrorValue{
				Name:    rapid.SampledFrom([]string{"Error", "TypeError", "Odd", ""}).Draw(t, "name"),
				Message: rapid.String().Draw(t, "message"),
				Stack:   "Error: somewhere",
			}
			if rapid.Bool().Draw(t, "cause") {
				e.HasCause, e.Cause = true, trees(depth-1).Draw(t, "cause")
			}
			return e
		}
		o := membrane.NewObject()
		keys := rapid.OneOf(rapid.StringMatching(`[a-z$ é]{0,6}`), rapid.SampledFrom([]string{"__proto__", "$js", "constructor", "toJSON", "length", "-1", "01"}))
		for range rapid.IntRange(0, 20).Draw(t, "properties") {
			o.Set(keys.Draw(t, "key"), trees(depth-1).Draw(t, "value"))
		}
		return o
	})
}

// Go data that goes into a script, comes out, and is decoded is the same.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := trees(4).Draw(rt, "tree")
		lim := membrane.Limits{Depth: 100}
		want, err := membrane.FromTree(tree)
		if err != nil {
			rt.Fatal(err)
		}
		m := machine(t)
		v, err := membrane.Import(m, tree, "input", lim)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := membrane.Encode(m, v, "result", lim)
		if err != nil {
			rt.Fatal(err)
		}
		if got.String() != want.String() {
			rt.Fatalf("out of the script came\n%s\nwent in\n%s", got, want)
		}
		if !json.Valid(got.JSON()) {
			rt.Fatalf("not JSON: %s", got)
		}
		exported, err := membrane.Export(m, v, "args[0]", lim)
		if err != nil {
			rt.Fatal(err)
		}
		decoded, err := got.Any()
		if err != nil {
			rt.Fatal(err)
		}
		if !sameTree(exported, decoded) {
			rt.Fatalf("Export gave\n%#v\nAny gave\n%#v", exported, decoded)
		}
		again, err := membrane.FromTree(decoded)
		if err != nil || again.String() != want.String() {
			rt.Fatalf("after decoding: %s, %v\nwant %s", again, err, want)
		}
		// The same from the text, with its references.
		w, err := membrane.Import(m, got, "input", lim)
		if err != nil {
			rt.Fatal(err)
		}
		if text, err := membrane.Encode(m, w, "result", lim); err != nil || text.String() != want.String() {
			rt.Fatalf("the Value came back as %s, %v", text, err)
		}
	})
}

// sameTree is DeepEqual for trees whose NaN equal each other.
func sameTree(a, b any) bool {
	x, err := membrane.FromTree(a)
	if err != nil {
		return false
	}
	y, err := membrane.FromTree(b)
	return err == nil && x.String() == y.String() && reflect.TypeOf(a) == reflect.TypeOf(b)
}

// Plain JSON goes through a script as encoding/json reads it.
func TestJSONProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text, err := json.Marshal(plainTrees(4).Draw(rt, "tree"))
		if err != nil {
			rt.Fatal(err)
		}
		m := machine(t)
		v, err := membrane.Import(m, json.RawMessage(text), "input", membrane.Limits{})
		if err != nil {
			rt.Fatal(err)
		}
		out, err := membrane.Encode(m, v, "result", membrane.Limits{})
		if err != nil {
			rt.Fatal(err)
		}
		var want, got any
		if err := json.Unmarshal(text, &want); err != nil {
			rt.Fatal(err)
		}
		if err := json.Unmarshal(out.JSON(), &got); err != nil {
			rt.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("%s became %s", text, out)
		}
	})
}

func plainTrees(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 3
		if depth > 0 {
			kinds = 5
		}
		switch rapid.IntRange(0, kinds).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			f := rapid.Float64().Draw(t, "number")
			if f == 0 || f-f != 0 {
				return 0
			}
			return f
		case 3:
			return rapid.String().Draw(t, "string")
		case 4:
			return rapid.SliceOfN(plainTrees(depth-1), 0, 5).Draw(t, "array")
		}
		return rapid.MapOfN(rapid.StringMatching(`[a-z0-9_]{0,5}`), plainTrees(depth-1), 0, 5).Draw(t, "object")
	})
}

// FuzzValue: no text makes the reader fail otherwise than with an error, and
// what it takes goes through a script unchanged.
func FuzzValue(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2.5e3,"x",null,true]}`, `{"$js":"undefined"}`, `{"$js":"map","v":[[1,{"$js":"ref","path":[]}]]}`,
		`[{"x":1},{"$js":"ref","path":[0]}]`, `{"$js":"error","name":"E","message":"m","cause":{"$js":"ref","path":[]},"props":{"code":1}}`,
		`{"$js":"object","v":{"$js":1}}`, `{"$js":"bytes","v":"AQI=","type":"Int16Array"}`, `{"$js":"date","v":"2026-01-01T00:00:00.000Z"}`,
		`{"$js":"bigint","v":"-12"}`, `"\ud800\udc00\ud83d"`, `{"$js":"set","v":[{"$js":"number","v":"-0"}]}`, `[[[[`, `{"a":1,"a":2}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := membrane.ParseValue([]byte(s))
		if err != nil {
			return
		}
		_, _ = v.Plain()
		_, _ = v.Any()
		m := machine(t)
		x, err := membrane.Import(m, v, "input", membrane.Limits{})
		if err != nil {
			return
		}
		out, err := membrane.Encode(m, x, "result", membrane.Limits{})
		if err != nil {
			t.Fatalf("%q went in and doesn't come out: %v", s, err)
		}
		y, err := membrane.Import(m, out, "input", membrane.Limits{})
		if err != nil {
			t.Fatalf("%q came out as %s, which doesn't go in: %v", s, out, err)
		}
		if again, err := membrane.Encode(m, y, "result", membrane.Limits{}); err != nil || again.String() != out.String() {
			t.Fatalf("%q came out as %s, then as %s, %v", s, out, again, err)
		}
	})
}
