package membrane_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

func machine(t testing.TB) *vm.Machine {
	t.Helper()
	m, err := js.NewMachine(meter.New(nil, meter.Limits{Fuel: 1 << 30, LiveBytes: 64 << 20, Depth: 1000, NativeDepth: 500}), vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// eval returns the completion value of a script.
func eval(t testing.TB, m *vm.Machine, src string) vm.Value {
	t.Helper()
	p, err := js.Compile("test", src, js.CompileOptions{Completion: true})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	v, err := m.RunScript(p)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	m.Root(v)
	return v
}

func TestEncode(t *testing.T) {
	tests := []struct{ src, want string }{
		{"undefined", `{"$js":"undefined"}`},
		{"null", "null"},
		{"true", "true"},
		{"42", "42"},
		{"-1.5e300", "-1.5e+300"},
		{"1e21", "1e+21"},
		{"0.1", "0.1"},
		{"NaN", `{"$js":"number","v":"NaN"}`},
		{"-Infinity", `{"$js":"number","v":"-Infinity"}`},
		{"-0", `{"$js":"number","v":"-0"}`},
		{"'a\"b\\\\c\\n\\u0001é€😀'", `"a\"b\\c\n\u0001é€😀"`},
		{"'\\ud800 \\udc00'", `"\ud800 \udc00"`},
		{"12345678901234567890n", `{"$js":"bigint","v":"12345678901234567890"}`},
		{"-1n", `{"$js":"bigint","v":"-1"}`},
		{"new Date(0)", `{"$js":"date","v":"1970-01-01T00:00:00.000Z"}`},
		{"new Date(NaN)", `{"$js":"date","v":null}`},
		{"new Map([['a', 1], [{}, [2]]])", `{"$js":"map","v":[["a",1],[{},[2]]]}`},
		{"new Set([1, 'x', undefined])", `{"$js":"set","v":[1,"x",{"$js":"undefined"}]}`},
		{"new Uint8Array([1, 2, 255])", `{"$js":"bytes","v":"AQL/","type":"Uint8Array"}`},
		{"new Uint16Array([1, 2]).subarray(1)", `{"$js":"bytes","v":"AgA=","type":"Uint16Array"}`},
		{"new Uint8Array([9, 8, 7]).buffer", `{"$js":"bytes","v":"CQgH","type":"ArrayBuffer"}`},
		{"new DataView(new Uint8Array([1, 2, 3]).buffer, 1)", `{"$js":"bytes","v":"AgM=","type":"DataView"}`},
		{"[1, , 3]", `[1,{"$js":"undefined"},3]`},
		{"({b: 1, a: 2, 1: 3})", `{"1":3,"b":1,"a":2}`},
		{"JSON.parse('{\"__proto__\": 1, \"constructor\": 2}')", `{"__proto__":1,"constructor":2}`},
		{"Object.create({inherited: 1}, {own: {value: 2, enumerable: true}, hidden: {value: 3}})", `{"own":2}`},
		{"class A { #p = 1; x = 2; get y() { return 3 } } new A", `{"x":2}`},
		{"({[Symbol('s')]: 1, a: 1})", `{"a":1}`},
		{"[Object(1), Object('s'), Object(true), Object(2n)]", `[1,"s",true,{"$js":"bigint","v":"2"}]`},
		{"(function () { return arguments })(1, 2)", `{"0":1,"1":2}`},
		{"({$js: 'date', v: 1})", `{"$js":"object","v":{"$js":"date","v":1}}`},
		{"var shared = {x: 1}; [shared, {y: shared}]", `[{"x":1},{"y":{"$js":"ref","path":[0]}}]`},
		{"var cyc = {a: [1]}; cyc.self = cyc; cyc.a.push(cyc.a); cyc", `{"a":[1,{"$js":"ref","path":["a"]}],"self":{"$js":"ref","path":[]}}`},
		{"var k = {}; [new Map([[k, {z: k}]]), k]", `[{"$js":"map","v":[[{},{"z":{"$js":"ref","path":[0,0,0]}}]]},{"$js":"ref","path":[0,0,0]}]`},
		{"var e = new RangeError('bad', {cause: 'why'}); e.code = 'E'; delete e.stack; e.stack = undefined; e", `{"$js":"error","name":"RangeError","message":"bad","cause":"why","props":{"code":"E"}}`},
		{"({toJSON: 1})", `{"toJSON":1}`},
	}
	for _, tt := range tests {
		m := machine(t)
		got, err := membrane.Encode(m, eval(t, m, tt.src), "result", membrane.Limits{})
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if got.String() != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
		// What came out goes in and comes out the same.
		n := machine(t)
		back, err := membrane.Import(n, got, "value", membrane.Limits{})
		if err != nil {
			t.Errorf("%s: back in: %v", tt.src, err)
			continue
		}
		again, err := membrane.Encode(n, back, "result", membrane.Limits{})
		if err != nil || again.String() != tt.want {
			t.Errorf("%s: after a round trip\n got %s, %v\nwant %s", tt.src, again, err, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct{ src, want string }{
		{"({items: [1, 2, 3, {fn() {}}]})", "result.items[3].fn: a function can't be returned"},
		{"Symbol('x')", "result: a symbol can't be returned"},
		{"({get x() { throw 1 }})", "result.x: an accessor can't be returned"},
		{"[Object.defineProperty([], 0, {get() {}, enumerable: true})]", "result[0][0]: an accessor can't be returned"},
		{"({p: Promise.resolve(1)})", "result.p: a promise (await it first) can't be returned"},
		{"[new Proxy({}, {ownKeys() { throw 1 }})]", "result[0]: a proxy can't be returned"},
		{"new Map([[1, new WeakMap]])", "result[0][1]: a weak collection can't be returned"},
		{"[/x/]", "result[0]: a regular expression (use its source) can't be returned"},
		{"({g: (function* () {})()})", "result.g: a generator (spread it into an array first) can't be returned"},
		{"[[1].values()]", "result[0]: an iterator (spread it into an array first) can't be returned"},
		{"({'a b': {'c': class {}}})", `result["a b"].c: a function can't be returned`},
		{"globalThis", "result: the global object can't be returned"},
		{"new Error('x', {cause: () => 1})", "result.cause: a function can't be returned"},
	}
	for _, tt := range tests {
		m := machine(t)
		v := eval(t, m, tt.src)
		if _, err := membrane.Encode(m, v, "result", membrane.Limits{}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.src, err, tt.want)
		}
		if _, err := membrane.Export(m, v, "args[0]", membrane.Limits{}); err == nil {
			t.Errorf("%s: Export took it", tt.src)
		}
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		src  string
		lim  membrane.Limits
		want string
	}{
		{"var a = []; for (let i = 0; i < 64; i++) a = [a]; a", membrane.Limits{}, "depth"},
		{"Array(100).fill(1)", membrane.Limits{Nodes: 50}, "values"},
		{"new Array(1e9)", membrane.Limits{}, "values"},
		{"'x'.repeat(1000)", membrane.Limits{Bytes: 100}, "bytes"},
		{"['\\x01'.repeat(100)]", membrane.Limits{Bytes: 300}, "bytes"},
		{"new Uint8Array(1000)", membrane.Limits{Bytes: 100}, "bytes"},
	}
	for _, tt := range tests {
		m := machine(t)
		v := eval(t, m, tt.src)
		live := m.Meter().Live()
		_, err := membrane.Encode(m, v, "result", tt.lim)
		var l *meter.LimitError
		if !errors.As(err, &l) || l.Kind != meter.Result || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", tt.src, err)
		}
		if now := m.Meter().Live(); now > live+4096 {
			t.Errorf("%s: %d bytes stay charged", tt.src, now-live)
		}
		if m.Meter().Err() != nil {
			t.Errorf("%s: the run has ended: %v", tt.src, m.Meter().Err())
		}
	}
	m := machine(t)
	if v := eval(t, m, "var a = []; for (let i = 0; i < 63; i++) a = [a]; a"); true {
		if _, err := membrane.Encode(m, v, "result", membrane.Limits{}); err != nil {
			t.Errorf("64 levels: %v", err)
		}
	}
}

func TestToJSON(t *testing.T) {
	tests := []struct{ src, want string }{
		{"class Money { #c = 5n; toJSON() { return String(this.#c) } } ({a: [new Money], m: new Map([[1, new Money]])})", `{"a":["5"],"m":{"$js":"map","v":[[1,"5"]]}}`},
		{"({toJSON(k) { return {k, again: {toJSON(k) { return k }}} }})", `{"k":"","again":"again"}`},
		{"BigInt.prototype.toJSON = function () { return this.toString() }; [1n]", `["1"]`},
		{"[new Date(0)]", `[{"$js":"date","v":"1970-01-01T00:00:00.000Z"}]`},
		{"({toJSON() {}})", `{"$js":"undefined"}`},
		{"({toJSON: 1})", `{"toJSON":1}`},
	}
	for _, tt := range tests {
		m := machine(t)
		got, err := membrane.EncodeResult(m, eval(t, m, tt.src), "result", membrane.Limits{})
		if err != nil || got.String() != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.src, got, err, tt.want)
		}
	}
	m := machine(t)
	_, err := membrane.EncodeResult(m, eval(t, m, "({a: {toJSON() { throw new TypeError('no') }}})"), "result", membrane.Limits{})
	if exc, ok := m.Caught(err); !ok {
		t.Errorf("an exception in toJSON: %v", err)
	} else if name, msg, _, _ := membrane.ErrorHead(m, exc); name != "TypeError" || msg != "no" {
		t.Errorf("an exception in toJSON: %s: %s", name, msg)
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ src, want string }{
		{"({a: undefined, b: [undefined, NaN, -0], c: new Date(0)})", `{"b":[null,null,0],"c":"1970-01-01T00:00:00.000Z"}`},
		{"var s = {x: 1}; [s, s]", `[{"x":1},{"x":1}]`},
		{"({$js: 1})", `{"$js":1}`},
		{"[1n, new Set([1])]", `[{"$js":"bigint","v":"1"},{"$js":"set","v":[1]}]`},
		{"'\\ud800'", `"\ud800"`},
		{"[undefined, '\\ud800']", `[null,"\ud800"]`},
	}
	for _, tt := range tests {
		m := machine(t)
		v, err := membrane.Encode(m, eval(t, m, tt.src), "result", membrane.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.Plain(); err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.src, got, err, tt.want)
		}
	}
}

type inner struct {
	Tags []string `json:"tags"`
}

type order struct {
	ID      int               `json:"id"`
	Name    string            `json:"name,omitempty"`
	Price   float64           `json:"price"`
	When    time.Time         `json:"when"`
	Big     *big.Int          `json:"big"`
	Data    []byte            `json:"data"`
	Extra   any               `json:"extra"`
	Labels  map[string]string `json:"labels"`
	Next    *order            `json:"next"`
	Raw     json.RawMessage   `json:"raw"`
	private int
	Skipped string `json:"-"`
	inner
	Pair [2]int8
}

func TestGoRoundTrip(t *testing.T) {
	in := order{
		ID: 7, Name: "x", Price: 1.5, When: time.Date(2026, 1, 31, 9, 0, 0, 123e6, time.UTC), Big: big.NewInt(1).Lsh(big.NewInt(-3), 100),
		Data: []byte{1, 2}, Extra: []any{1.0, "a", nil, true}, Labels: map[string]string{"b": "2", "a": "1"}, Raw: json.RawMessage(`{"z":1,"a":[2]}`),
		Next: &order{ID: 8, Raw: json.RawMessage("null"), When: time.Unix(0, 0).UTC()}, inner: inner{Tags: []string{"t"}}, Pair: [2]int8{1, -128}, private: 3,
	}
	m := machine(t)
	v, err := membrane.Import(m, &in, "input", membrane.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := membrane.Encode(m, v, "result", membrane.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"id":7,"name":"x","price":1.5,"when":{"$js":"date","v":"2026-01-31T09:00:00.123Z"},"big":{"$js":"bigint","v":"-3802951800684688204490109616128"},"data":{"$js":"bytes","v":"AQI=","type":"Uint8Array"},"extra":[1,"a",null,true],"labels":{"a":"1","b":"2"},"next":{"id":8,`; !strings.HasPrefix(got.String(), want) {
		t.Errorf("got  %s\nwant %s…", got, want)
	}
	var out order
	if err := got.Decode(&out); err != nil {
		t.Fatal(err)
	}
	in.private = 0
	if !reflect.DeepEqual(in, out) {
		t.Errorf("got  %+v\nwant %+v", out, in)
	}
}

func TestImportRefused(t *testing.T) {
	type node struct{ Next *node }
	loop := &node{}
	loop.Next = loop
	for _, tt := range []struct {
		in   any
		want string
	}{
		{map[string]any{"a": []any{1, make(chan int)}}, "input.a[1]: a Go chan int can't be passed to a script"},
		{struct{ F func() }{func() {}}, "input.F: a Go func() can't be passed to a script"},
		{int64(1 << 60), "input: the integer 1152921504606846976 is beyond 2**53: pass a *big.Int or a string"},
		{[]any{json.RawMessage(`{"a" 1}`)}, "not JSON: unexpected '1' at line 1, column 6"},
		{map[bool]int{true: 1}, "input: the keys of a map[bool]int can't be property names"},
	} {
		if _, err := membrane.Import(machine(t), tt.in, "input", membrane.Limits{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%T: got %v, want %s", tt.in, err, tt.want)
		}
	}
	if _, err := membrane.Import(machine(t), loop, "input", membrane.Limits{}); err == nil {
		t.Error("a cycle of pointers was taken")
	}
	var self any
	self = &self
	if _, err := membrane.Import(machine(t), self, "input", membrane.Limits{}); err == nil || !strings.Contains(err.Error(), "depth") {
		t.Errorf("a pointer to itself: %v", err)
	}
	for _, typ := range []any{make(chan int), func() {}, map[float64]int{}, complex(1, 1), struct{ A []chan int }{}} {
		if membrane.CheckType(reflect.TypeOf(typ), membrane.ToScript) == nil {
			t.Errorf("CheckType took %T", typ)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct {
		json string
		into any
		want string
	}{
		{`{"id":"x"}`, new(order), "value.id: an integer is wanted, this is a string"},
		{`{"next":{"next":{"price":true}}}`, new(order), "value.next.next.price: a number is wanted, this is a boolean"},
		{`{"Pair":[1]}`, new(order), "value.Pair: an array of 2 elements is wanted, this one has 1"},
		{`{"Pair":[1,300]}`, new(order), "value.Pair[1]: 300 is out of the range of int8"},
		{`1.5`, new(int), "value: an integer is wanted, this is the number 1.5"},
		{`-1`, new(uint), "value: an integer from 0 on is wanted, this is the number -1"},
	} {
		v, err := membrane.ParseValue([]byte(tt.json))
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Decode(tt.into); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.json, err, tt.want)
		}
	}
}

// A value whose shared objects double at each level is small as a Value and
// must not become large on the host's side.
func TestManyReferences(t *testing.T) {
	m := machine(t)
	v, err := membrane.Encode(m, eval(t, m, "var a = [1]; for (let i = 0; i < 50; i++) a = [a, a]; a"), "result", membrane.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Any(); err == nil {
		t.Error("Any expanded 2**50 values")
	}
	if _, err := v.Plain(); err == nil {
		t.Error("Plain expanded 2**50 values")
	}
	var x [][]any
	if err := v.Decode(&x); err == nil {
		t.Error("Decode expanded 2**50 values")
	}
	if _, err := membrane.Export(m, eval(t, m, "a"), "args[0]", membrane.Limits{}); err == nil {
		t.Error("Export expanded 2**50 values")
	}
}

func TestSpecialNumbers(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)} {
		v, err := membrane.FromTree(f)
		if err != nil {
			t.Fatal(err)
		}
		x, err := v.Any()
		if g, ok := x.(float64); err != nil || !ok || math.Float64bits(g) != math.Float64bits(f) && f == f {
			t.Errorf("%v: %v, %v", f, x, err)
		}
	}
}

// Shared objects nest in each other beyond the depth of the text they are in.
func TestSharedObjectsNestDeep(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		if b.WriteString(",["); i > 0 {
			fmt.Fprintf(&b, `%s{"$js":"ref","path":[%d]}%s`, strings.Repeat("[", 60), i-1, strings.Repeat("]", 60))
		}
		b.WriteByte(']')
	}
	v, err := membrane.ParseValue([]byte("[" + b.String()[1:] + "]"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Any(); err == nil || !strings.Contains(err.Error(), "depth") {
		t.Errorf("Any of 18 000 levels: %.200v", err)
	}
	if _, err := v.Plain(); err == nil || !strings.Contains(err.Error(), "nest too deep") {
		t.Errorf("Plain of 18 000 levels: %.200v", err)
	}
}

// References to properties of an object that has very many of them: looking each
// up from the end would take 5e9 steps.
func TestReferencesIntoManyProperties(t *testing.T) {
	const n = 100_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":{},`, i)
	}
	refs := strings.Repeat(`,{"$js":"ref","path":["k1"]}`, n)
	v, err := membrane.ParseValue([]byte("{" + b.String() + `"k1":{"last":1},"refs":[` + refs[1:] + "]}"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Any()
	if err != nil {
		t.Fatal(err)
	}
	list, _ := x.(*membrane.Object).Get("refs")
	for _, i := range []int{0, n - 1} {
		if o, ok := list.([]any)[i].(*membrane.Object); !ok || o.Len() != 1 {
			t.Errorf("reference %d leads to %v, want the last property of that name", i, list.([]any)[i])
		}
	}
}
