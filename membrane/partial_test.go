package membrane_test

import (
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

func TestEncodePartial(t *testing.T) {
	for _, tt := range []struct {
		source string
		lim    membrane.Limits
		want   string
		paths  string
		more   int
	}{
		{`({a: 1, b: [2, 3]})`, membrane.Limits{}, `{"a":1,"b":[2,3]}`, "", 0},
		{`undefined`, membrane.Limits{}, `{"$js":"undefined"}`, "", 0},
		{`(function named() {})`, membrane.Limits{}, `{"$js":"opaque","type":"function","name":"named"}`, "r", 0},
		{`Symbol('x')`, membrane.Limits{}, `{"$js":"opaque","type":"symbol"}`, "r", 0},
		{`Promise.resolve(1)`, membrane.Limits{}, `{"$js":"opaque","type":"promise"}`, "r", 0},
		{`new Proxy({}, {})`, membrane.Limits{}, `{"$js":"opaque","type":"proxy"}`, "r", 0},
		{`class A {}; ({a: A, b: 1})`, membrane.Limits{}, `{"a":{"$js":"opaque","type":"function","name":"A"},"b":1}`, "r.a", 0},
		{`({get x() { throw 1 }, y: 2})`, membrane.Limits{}, `{"x":{"$js":"opaque","type":"accessor"},"y":2}`, "r.x", 0},
		{`let a = [1]; Object.defineProperty(a, 1, {get() { return 1 }, enumerable: true}); a`, membrane.Limits{}, `[1,{"$js":"opaque","type":"accessor"}]`, "r[1]", 0},
		{`let o = {n: 1}; o.self = o; o`, membrane.Limits{}, `{"n":1,"self":{"$js":"ref","path":[]}}`, "", 0},
		{`[[[[1]]], 2]`, membrane.Limits{Depth: 2}, `[[{"$js":"cut","reason":"depth"}],2]`, "r[0][0]", 0},
		{`[1, 2, 3, 4, 5]`, membrane.Limits{Nodes: 3}, `[1,2,{"$js":"cut","reason":"nodes"}]`, "r[2]", 0},
		{`({a: [1, 2, 3], b: 2, c: 3})`, membrane.Limits{Nodes: 3}, `{"a":[1,{"$js":"cut","reason":"nodes"}]}`, "r.a[1]", 0},
		{`new Map([['k', () => 1], [2, 3]])`, membrane.Limits{}, `{"$js":"map","v":[["k",{"$js":"opaque","type":"function"}],[2,3]]}`, "r[0][1]", 0},
		{`new Set([1, Symbol.iterator])`, membrane.Limits{}, `{"$js":"set","v":[1,{"$js":"opaque","type":"symbol"}]}`, "r[1]", 0},
		{`[10n, new Date(0), NaN]`, membrane.Limits{}, `[{"$js":"bigint","v":"10"},{"$js":"date","v":"1970-01-01T00:00:00.000Z"},{"$js":"number","v":"NaN"}]`, "", 0},
		// The deep object that is cut and met again elsewhere isn't a reference to what was left out.
		{`let d = {x: {y: 1}}; [[d], d]`, membrane.Limits{Depth: 2}, `[[{"$js":"cut","reason":"depth"}],{"x":{"$js":"cut","reason":"depth"}}]`, "r[0][0] r[1].x", 0},
		{`Array.from({length: 30}, () => () => 1)`, membrane.Limits{}, "", "r[0]", 10},
		{`({$js: 'mine', f() {}})`, membrane.Limits{}, `{"$js":"object","v":{"$js":"mine","f":{"$js":"opaque","type":"function","name":"f"}}}`, "r.f", 0},
	} {
		mt := meter.New(nil, meter.Limits{Fuel: 50_000_000, LiveBytes: 64 << 20})
		m, err := js.NewMachine(mt, vm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := js.Compile("p.js", tt.source, js.CompileOptions{Goal: js.Script, Completion: true})
		if err != nil {
			t.Fatal(err)
		}
		v, err := m.RunScript(p)
		if err != nil {
			t.Fatalf("%s: %v", tt.source, err)
		}
		m.Root(v)
		got, part, err := membrane.EncodePartial(m, v, "r", tt.lim)
		if err != nil {
			t.Fatalf("%s: %v", tt.source, err)
		}
		if tt.want != "" && got.String() != tt.want {
			t.Errorf("%s\ngives %s\nwant  %s", tt.source, got, tt.want)
		}
		paths, more := "", 0
		if part != nil {
			paths, more = strings.Join(part.Paths, " "), part.More
		}
		if tt.more == 0 && paths != tt.paths || more != tt.more {
			t.Errorf("%s: paths %q and %d more, want %q and %d", tt.source, paths, more, tt.paths, tt.more)
		}
		// What a worker sends must be readable.
		if !got.IsUndefined() {
			back, err := membrane.ParseValue([]byte(got.String()))
			if err != nil || back.String() != got.String() {
				t.Errorf("%s comes back as %s, %v", got, back, err)
			}
		}
		mt.Close()
	}
}

// TestEncodePartialBytes cuts values of many shapes to each size: the text stays
// within it and can be read.
func TestEncodePartialBytes(t *testing.T) {
	for _, source := range []string{
		`'x'.repeat(5000)`, `Array(500).fill('abc')`, `Object.fromEntries(Array.from({length: 300}, (_, i) => ['key' + i, i]))`,
		`let d = 1; for (let i = 0; i < 30; i++) d = {['deep' + i]: d, pad: 'p'.repeat(40)}; d`, `new Map(Array.from({length: 200}, (_, i) => [i, {i}]))`,
		`({['k'.repeat(3000)]: 1, b: 2})`, `new Uint8Array(3000)`, `Object.assign(new Error('m'.repeat(900)), {cause: Array(200).fill(1)})`, `Array(300).fill(() => 1)`,
	} {
		for size := int64(300); size < 4200; size += 137 {
			mt := meter.New(nil, meter.Limits{Fuel: 50_000_000, LiveBytes: 64 << 20})
			m, err := js.NewMachine(mt, vm.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := js.Compile("p.js", source, js.CompileOptions{Goal: js.Script, Completion: true})
			if err != nil {
				t.Fatal(err)
			}
			v, err := m.RunScript(p)
			if err != nil {
				t.Fatal(err)
			}
			m.Root(v)
			got, part, err := membrane.EncodePartial(m, v, "r", membrane.Limits{Bytes: size, Depth: 16})
			if err != nil {
				t.Fatalf("%s at %d: %v", source, size, err)
			}
			if n := int64(len(got.String())); n > size {
				t.Errorf("%s at %d has %d bytes", source, size, n)
			}
			if _, err := membrane.ParseValue([]byte(got.String())); err != nil {
				t.Fatalf("%s at %d: %v: %s", source, size, err, got)
			}
			if part == nil {
				whole, err := membrane.Encode(m, v, "r", membrane.Limits{})
				if err != nil || whole.String() != got.String() {
					t.Errorf("%s at %d seems whole and isn't", source, size)
				}
			}
			mt.Close()
		}
	}
}
