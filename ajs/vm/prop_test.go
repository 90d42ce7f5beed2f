package vm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// A gen makes programs of all steps and nodes, sensible and not.
type gen struct {
	r     *rand.Rand
	depth int
	v1    bool
}

func (g *gen) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *gen) name() string {
	return g.pick("a", "b", "c", "d", "i", "xs", "result", "error", "errorOp", "undefined", "Math", "__proto__", "h")
}

func o(kv ...any) ast.Object {
	var out ast.Object
	for i := 0; i < len(kv); i += 2 {
		out = append(out, ast.Entry{Key: kv[i].(string), Value: kv[i+1]})
	}
	return out
}

func (g *gen) data() any {
	if g.depth > 5 {
		return float64(g.r.IntN(5))
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.r.IntN(9) {
	case 0:
		return nil
	case 1:
		return g.r.IntN(2) == 0
	case 2:
		return g.pick("", "a", "abc", "a.b", "args.n", "12", "é😀", "2024-03-05", `{"k":[1]}`)
	case 3:
		return []any{g.data(), g.data()}
	case 4:
		return o("k", g.data(), "n", g.data())
	case 5:
		return []any{}
	}
	return float64(g.r.IntN(2000)-1000) / float64(1+g.r.IntN(3))
}

func (g *gen) nodes(n int) []any {
	out := []any{}
	for range g.r.IntN(n + 1) {
		out = append(out, g.node())
	}
	return out
}

func (g *gen) node() any {
	if g.depth > 6 {
		return o("$expr", "ident", "name", g.name())
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.r.IntN(14) {
	case 0, 1:
		return o("$expr", "literal", "value", g.data())
	case 2, 3:
		return o("$expr", "ident", "name", g.name())
	case 4:
		return o("$expr", "member", "object", g.node(), "property", g.pick("length", "k", "0", "trim", "size", "constructor", "PI", "value"))
	case 5:
		return o("$expr", "member", "object", g.node(), "property", g.node(), "computed", true)
	case 6, 7:
		return o("$expr", "binary", "op", g.pick("+", "+", "-", "*", "/", "%", "**", "<", ">", "<=", ">=", "==", "!=", "===", "!==", "|"), "left", g.node(), "right", g.node())
	case 8:
		return o("$expr", "unary", "op", g.pick("!", "-", "+", "typeof", "~"), "argument", g.node())
	case 9:
		return o("$expr", "logical", "op", g.pick("&&", "||", "??"), "left", g.node(), "right", g.node())
	case 10:
		return o("$expr", "conditional", "test", g.node(), "consequent", g.node(), "alternate", g.node())
	case 11:
		if g.r.IntN(2) == 0 {
			return o("$expr", "array", "elements", g.nodes(3))
		}
		return o("$expr", "object", "properties", []any{o("key", g.pick("k", "n", "a"), "value", g.node())})
	case 12:
		return o("$expr", "call", "callee", g.pick("parseInt", "parseFloat", "isNaN", "Set", "Date", "encodeURIComponent", "decodeURI", "filter", "Error", "llmPredict", "nope", "fetch"), "arguments", g.nodes(2))
	default:
		if g.r.IntN(8) == 0 {
			return o("$expr", "regex", "pattern", g.pick("a+", "(", "(a|b)*c", "(?=a)", "[^x]"), "flags", g.pick("", "g", "gi", "v"))
		}
		recv := g.node()
		if g.r.IntN(3) == 0 {
			recv = o("$expr", "ident", "name", g.pick("Math", "JSON", "Object", "Array", "String", "Number", "Date", "Schema", "console"))
		}
		return o("$expr", "methodCall", "object", recv, "method", g.pick("slice", "split", "join", "push", "pop", "concat", "repeat", "trim", "toUpperCase",
			"indexOf", "replace", "replaceAll", "match", "search", "sort", "toSorted", "splice", "flat", "with", "fill", "add", "has", "union", "diff", "format", "isBefore",
			"toString", "toFixed", "keys", "entries", "assign", "fromEntries", "from", "of", "parse", "stringify", "max", "floor", "random", "isArray", "object", "isValid",
			"union", "enum", "fromCodePoint", "padStart", "normalize", "localeCompare", "at", "charCodeAt", "toLocaleString", "valueOf", "call", "nope", "constructor"),
			"arguments", g.nodes(3), "optional", g.r.IntN(4) == 0)
	}
}

func (g *gen) value() any {
	switch g.r.IntN(4) {
	case 0:
		return g.data()
	case 1:
		return o("k", g.node(), "n", g.data())
	}
	return g.node()
}

func (g *gen) steps() []any {
	if g.depth > 4 {
		return []any{}
	}
	g.depth++
	defer func() { g.depth-- }()
	out := []any{}
	for range g.r.IntN(5) {
		out = append(out, g.step())
	}
	return out
}

func (g *gen) step() any {
	var s ast.Object
	switch g.r.IntN(24) {
	case 0, 1, 2, 3:
		s = o("op", g.pick("varSet", "varAssign", "constSet"), "key", g.name(), "value", g.value())
	case 4, 5:
		s = o("op", "if", "condition", g.node(), "then", g.steps(), "else", g.steps())
	case 6:
		s = o("op", "while", "condition", g.node(), "body", g.steps())
	case 7, 8:
		s = o("op", "map", "items", g.value(), "as", g.name(), "steps", g.steps(), "loop", g.r.IntN(2) == 0)
	case 9:
		s = o("op", g.pick("filter", "find"), "items", g.value(), "as", g.name(), "condition", g.node())
	case 10:
		s = o("op", "reduce", "items", g.value(), "as", g.name(), "accumulator", g.name(), "initial", g.value(), "steps", g.steps())
	case 11, 12:
		s = o("op", "try", "try", g.steps(), "catch", g.steps(), "catchParam", g.name())
	case 13:
		s = o("op", "scope", "steps", g.steps())
	case 14:
		s = o("op", "return", "value", g.value())
	case 15:
		s = o("op", "evaluate", "value", g.node())
	case 16:
		s = o("op", "callLocal", "name", g.pick("h", "g", "nope"), "args", g.nodes(2))
	case 17:
		s = o("op", "varsImport", "keys", []any{g.name(), "n"})
	case 18:
		s = o("op", "varsExport", "keys", o("z", g.name()))
	case 19:
		s = o("op", "memoize", "key", g.value(), "steps", g.steps())
	case 20:
		s = o("op", g.pick("storeGet", "storeSet", "llmPredict", "httpFetch", "agentRun", "hash", "template", "pick", "merge", "len", "push", "split", "join", "regexMatch",
			"jsonParse", "jsonStringify", "random", "uuid", "consoleWarn", "consoleError", "consoleLog", "storeProcedure", "nope"),
			"key", g.value(), "value", g.value(), "list", g.value(), "item", g.value())
	case 21:
		s = o("op", g.pick("storeGet", "storeSet"), "key", "k", "value", g.value())
	case 22:
		s = o("op", "Error", "args", g.nodes(1))
	default:
		s = o("op", "cache", "key", g.value(), "steps", g.steps())
	}
	if g.r.IntN(3) == 0 {
		s = append(s, o("result", g.name())...)
		if g.r.IntN(3) == 0 {
			s = append(s, o(g.pick("resultConst", "resultAssign"), true)...)
		}
	}
	return s
}

func (g *gen) program() ast.Object {
	p := o("op", "seq", "steps", g.steps())
	if !g.v1 {
		p = append(o("$ajs", 2.0), p...)
	}
	return append(p, o("helpers", o("h", o("steps", g.steps(), "paramNames", []any{"a", "b"}), "g", o("steps", g.steps(), "paramNames", []any{})))...)
}

// Random programs never panic and end; they use the same fuel twice, traced or
// not, never more than they had, and the same with more of it.
func TestRandomPrograms(t *testing.T) {
	n := 6000
	if testing.Short() {
		n = 500
	}
	m := vm.MustNew()
	caps := func() vm.Capabilities {
		return vm.Capabilities{
			Store: &mapStore{m: map[string]any{"k": ast.Object{{Key: "n", Value: 1.0}}}},
			LLM:   vm.LLMFunc(func(context.Context, string, ast.Object) (any, error) { return "ok", nil }),
			Fetch: vm.FetchFunc(func(context.Context, *vm.Request) (any, error) { return map[int]int{}, nil }),
		}
	}
	ended := map[vm.Kind]int{}
	for i := range n {
		g := &gen{r: rand.New(rand.NewPCG(uint64(i), 5)), v1: i%4 == 0}
		d := g.program()
		p, err := ast.FromData(d, ast.Options{})
		if err != nil {
			t.Fatalf("program %d: %v", i, err)
		}
		exec := func(fuel float64, more ...vm.Option) *vm.Result {
			opts := append([]vm.Option{vm.WithFuel(fuel), vm.WithTimeout(20 * time.Second), vm.WithMaxHeapBytes(1 << 20), vm.WithCapabilities(caps()),
				vm.WithDeterminism(uint64(i), time.Unix(0, 0))}, more...)
			res, err := m.Run(context.Background(), p, o("n", 3.0, "xs", []any{1.0, "b", nil}), opts...)
			if err != nil {
				t.Fatalf("program %d: %v", i, err)
			}
			if res.FuelUsed > fuel || res.FuelUsed < 0 || res.FuelUsed != res.FuelUsed {
				t.Fatalf("program %d: fuel %v of %v", i, res.FuelUsed, fuel)
			}
			if res.Err != nil && res.Err.Message == "Internal error of the VM" {
				t.Fatalf("program %d: %v\n%s", i, res.Err.Cause, js(d))
			}
			if _, err := res.JSON(); err != nil {
				t.Fatalf("program %d: %v", i, err)
			}
			return res
		}
		a := exec(60)
		b := exec(60, vm.WithTrace())
		if a.FuelUsed != b.FuelUsed || (a.Err == nil) != (b.Err == nil) || js(a.Value) != js(b.Value) {
			t.Fatalf("program %d differs from run to run:\n%s\n%v %s\n%v %s", i, js(d), a.FuelUsed, js(a.Value), b.FuelUsed, js(b.Value))
		}
		last := math.Inf(1)
		for _, e := range b.Trace {
			if e.FuelAfter > e.FuelBefore || e.FuelAfter > last {
				t.Fatalf("program %d: fuel grew at %s", i, e.Path)
			}
			last = e.FuelAfter
		}
		if a.Err == nil {
			c := exec(1e6)
			if !close6(a.FuelUsed, c.FuelUsed) || js(a.Value) != js(c.Value) {
				t.Fatalf("program %d: %v with 60, %v with more", i, a.FuelUsed, c.FuelUsed)
			}
			ended[""]++
		} else {
			if a.Err.Kind == "" || a.Err.Message == "" || a.Err.Op == "" {
				t.Fatalf("program %d: %+v", i, a.Err)
			}
			ended[a.Err.Kind]++
		}
	}
	if ended[""] < n/10 || ended[vm.KindFuel] == 0 || ended[vm.KindType] == 0 {
		t.Errorf("how they ended: %v", ended)
	}
}

// What a host hands over is copied: later changes on one side don't show on the
// other.
func TestMembraneCopies(t *testing.T) {
	inner := map[string]any{"n": 1.0}
	shared := []any{inner, inner}
	var sent []any
	caps := vm.WithCapabilities(vm.Capabilities{Store: &hookStore{
		get: func(string) any { return ast.Object{{Key: "a", Value: shared}} },
		set: func(_ string, v any) {
			sent = append(sent, v)
			// The program's copy has crossed by now.
			inner["n"] = 2.0
			shared[1] = "changed"
			if a, ok := v.([]any); ok {
				a[0] = "written by the host"
			}
		},
	}})
	args := ast.Object{{Key: "xs", Value: []any{1.0, 2.0}}}
	res := run(t, `function f({ xs: [1] }) {
  let v = storeGet({ key: 'k' })
  let before = JSON.stringify(v)
  storeSet({ key: 'k', value: xs })
  xs.push(3)
  return { same: before == JSON.stringify(v), shared: v.a[0] === v.a[1], xs, before }
}`, args, caps)
	want := `{"same":true,"shared":true,"xs":[1,2,3],"before":"{\"a\":[{\"n\":1},{\"n\":1}]}"}`
	if got := js(res.Value); got != want {
		t.Errorf("%s\nwant %s %v", got, want, res.Err)
	}
	if js(args) != `{"xs":[1,2]}` || js(sent[0]) != `["written by the host",2]` {
		t.Errorf("%s %s", js(args), js(sent))
	}
	// The result is a copy, too: two runs of one program share nothing.
	p, err := vm.MustNew().Load(program(t, `function f() { let xs = [[1], [2]]
 return { xs } }`))
	if err != nil {
		t.Fatal(err)
	}
	r1, _ := p.Run(context.Background(), nil)
	r1.Value.(ast.Object)[0].Value.([]any)[0].([]any)[0] = "changed"
	r2, _ := p.Run(context.Background(), nil)
	if js(r2.Value) != `{"xs":[[1],[2]]}` {
		t.Errorf("%s", js(r2.Value))
	}
}

type hookStore struct {
	get func(string) any
	set func(string, any)
}

func (s *hookStore) Get(_ context.Context, k string) (any, error) { return s.get(k), nil }
func (s *hookStore) Set(_ context.Context, k string, v any) error { s.set(k, v); return nil }

type secret struct{ token string }

func (secret) String() string { return "" }

// Live values of the host are refused wherever they are, and end the run; what
// JSON could hold crosses.
func TestMembraneRefuses(t *testing.T) {
	loop := map[string]any{}
	loop["self"] = loop
	deep := any(1.0)
	for range 10_001 {
		deep = []any{deep}
	}
	live := []any{func() {}, make(chan int), &secret{"t"}, secret{"t"}, map[int]string{1: "a"}, []byte("x"), errFor("x"), complex(1, 2), struct{ A int }{1}, new(int)}
	for i, v := range live {
		for _, where := range []any{v, []any{1.0, v}, map[string]any{"a": []any{v}}, ast.Object{{Key: "k", Value: v}}} {
			res := run(t, `function f() { try { let v = storeGet({ key: 'k' }) } catch (e) { return { e } } return {} }`, nil,
				vm.WithCapabilities(vm.Capabilities{Store: &hookStore{get: func(string) any { return where }}}))
			if res.Err == nil || res.Err.Kind != vm.KindMembraneIn || res.Err.Catchable || !strings.HasPrefix(res.Err.Message, "Capability boundary rejected the return of 'storeGet': ") {
				t.Errorf("%d (%T): %v %s", i, v, res.Err, js(res.Value))
			}
			res = run(t, `function f({ x }) { return { x } }`, ast.Object{{Key: "x", Value: where}})
			if res.Err == nil || res.Err.Kind != vm.KindMembraneIn || res.Err.Op != "vm.run" {
				t.Errorf("argument %d (%T): %v", i, v, res.Err)
			}
		}
	}
	// Too much is a failure like others.
	for name, v := range map[string]any{"depth": deep, "bytes": strings.Repeat("x", 3<<20)} {
		res := run(t, `function f() { try { let v = storeGet({ key: 'k' }) } catch (e) { return { e } } return {} }`, nil,
			vm.WithFuel(1e6), vm.WithCapabilities(vm.Capabilities{Store: &hookStore{get: func(string) any { return v }}}))
		if res.Err != nil || !strings.Contains(js(res.Value), "the value exceeds the") {
			t.Errorf("%s: %v %s", name, res.Err, js(res.Value))
		}
	}
	// A cycle comes in, as in the original, and can't go out again.
	res := run(t, `function f() { let v = storeGet({ key: 'k' })
 let ok = v.self.self.self === v
 return { ok } }`, nil, vm.WithCapabilities(vm.Capabilities{Store: &hookStore{get: func(string) any { return loop }}}))
	if js(res.Value) != `{"ok":true}` {
		t.Errorf("%s %v", js(res.Value), res.Err)
	}
	res = run(t, `function f() { let xs = [1]
 xs.push(xs)
 return { xs } }`, nil)
	wantErr(t, res, vm.KindOutput, "contains itself")
	res = run(t, `function f() { let xs = [1]
 xs.push(xs)
 try { storeSet({ key: 'k', value: xs }) } catch (e) { return { e } } }`, nil)
	wantErr(t, res, vm.KindMembraneOut, "contains itself")
	res = run(t, `function f() { let xs = [1]
 xs.push(xs)
 try { let s = JSON.stringify(xs) } catch (e) { return { e } } }`, nil)
	if js(res.Value) != `{"e":"Converting circular structure to JSON"}` {
		t.Errorf("%s %v", js(res.Value), res.Err)
	}
	for _, v := range []any{nil, true, 1, int64(2), float32(1.5), uint8(3), "s", []string{"a"}, map[string]int{"b": 1, "a": 2}, []map[string]any{{"x": nil}}, time.Unix(0, 0)} {
		res := run(t, `function f({ x }) { return { x } }`, ast.Object{{Key: "x", Value: v}})
		if res.Err != nil {
			t.Errorf("%T: %v", v, res.Err)
		}
	}
}

type errFor string

func (e errFor) Error() string { return string(e) }

// FuzzRun runs whatever decodes.
func FuzzRun(f *testing.F) {
	for i := range 20 {
		g := &gen{r: rand.New(rand.NewPCG(uint64(i), 9)), v1: i%4 == 0}
		f.Add([]byte(js(g.program())))
	}
	m := vm.MustNew()
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ast.Decode(text, ast.Options{})
		if err != nil {
			return
		}
		res, err := m.Run(context.Background(), p, o("n", 3.0), vm.WithFuel(50), vm.WithMaxHeapBytes(1<<20), vm.WithTimeout(10*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if res.FuelUsed > 50 || res.FuelUsed != res.FuelUsed {
			t.Fatal(res.FuelUsed)
		}
		if res.Err != nil && res.Err.Message == "Internal error of the VM" {
			t.Fatal(res.Err.Cause)
		}
		if _, err := res.JSON(); err != nil {
			t.Fatal(err)
		}
	})
}
