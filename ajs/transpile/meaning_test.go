package transpile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// pair is a source and its program, to be run side by side.
type pair struct {
	Source string          `json:"source"`
	AST    json.RawMessage `json:"ast"`
}

// compare runs sources as JavaScript and their programs by the oracle: the
// results and the atoms called, with their inputs and in their order, have to
// be the same.
func compare(t *testing.T, sources []string) {
	t.Helper()
	oracle, err := os.ReadFile("testdata/interpreter.js")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	var programs []*ast.Program
	for _, src := range sources {
		res, err := transpile.Transpile(src, transpile.Options{})
		if err != nil {
			t.Fatalf("%s\n%v", src, err)
		}
		text, err := res.Program.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, pair{src, text})
		programs = append(programs, res.Program)
	}
	sandbox, err := pinfold.New(pinfold.Options{Limits: pinfold.Limits{Timeout: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	program := string(oracle) + `
const out = [];
let threw = 0, ran = 0;
const results = [];
const args = () => ({ a: 3, b: 0, c: null, xs: [4, 1, 3, 1], ys: [], os: [{ id: 1, n: [7, 8] }, { id: 2 }] });
const show = v => JSON.stringify(v, (k, x) => x === undefined ? 'undefined' : x !== x || x === Infinity || x === -Infinity ? String(x) : x);
for (const { source, ast } of input) {
  let log = [];
  const call = (op, o) => {
    log.push(op + show(o));
    if (log.length > 500) throw new Error('too long');
    switch (op) {
      case 'get': return o.k === 'none' ? null : typeof o.k === 'number' ? o.k * 2 % 7 : 5;
      case 'jsonParse': return [2, 5, 3];
    }
    return null;
  };
  const one = f => {
    log = [];
    let r;
    try { r = f(); } catch (e) { r = 'threw ' + e.message; }
    return show(r) + ' after ' + log.join(' ');
  };
  const js = new Function('get', 'storeSet', 'jsonParse', 'console', source + '\nreturn f')(
    o => call('get', o), o => call('storeSet', o), o => call('jsonParse', o),
    { log: (...m) => { call('consoleLog', { message: m.length === 1 ? m[0] : m.join(' ') }); } });
  const was = one(() => js(args()));
  const is = one(() => interpret(ast, args(), call));
  ran++;
  results.push(was);
  if (was.startsWith('"threw')) threw++;
  if (was !== is) out.push(source + '\nas JavaScript: ' + was + '\nas a program:  ' + is + '\n' + JSON.stringify(ast));
}
return { out, threw, ran, results };`
	o := sandbox.Eval(context.Background(), "compare.js", program, pairs)
	if o.Failure != nil {
		t.Fatal(o.Failure.Report())
	}
	var got struct {
		Out     []string `json:"out"`
		Threw   int      `json:"threw"`
		Ran     int      `json:"ran"`
		Results []string `json:"results"`
	}
	if err := o.Value.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Ran != len(pairs) {
		t.Fatalf("ran %d of %d", got.Ran, len(pairs))
	}
	wrong := got.Out
	if got.Threw > len(pairs)/10 {
		t.Errorf("%d of %d end by an error: they say little", got.Threw, len(pairs))
	}
	for i, p := range programs {
		if was := got.Results[i]; !strings.HasPrefix(was, `"threw`) {
			if is := onVM(t, p); is != was {
				wrong = append(wrong, fmt.Sprintf("%s\nas JavaScript: %s\non the VM:     %s", pairs[i].Source, was, is))
			}
		}
	}
	for i, w := range wrong {
		if i < 5 {
			t.Error(w)
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d differ", len(wrong), len(pairs))
	}
}

// onVM runs a program on the VM, with the atoms that compare gives to the
// sources, and writes what comes out as compare does.
func onVM(t *testing.T, p *ast.Program) string {
	t.Helper()
	var log []string
	note := func(op string, in ast.Object) { log = append(log, op+show(t, in)) }
	// The stubs answer one after the other: a run is one goroutine at a time.
	stub := func(name, inputs string, answer func(in ast.Object) any) *vm.Atom {
		a := &vm.Atom{Run: func(_ *vm.Call, in ast.Object) (any, error) {
			note(name, in)
			return answer(in), nil
		}}
		a.Name, a.Effects, a.Cost = name, atom.IO, 1
		for _, n := range strings.Fields(inputs) {
			a.Inputs = append(a.Inputs, atom.Input{Name: n, Required: true})
		}
		return a
	}
	nothing := func(ast.Object) any { return nil }
	machine, err := vm.New(
		stub("get", "k", func(in ast.Object) any {
			switch k, _ := in.Get("k"); k := k.(type) {
			case string:
				if k == "none" {
					return nil
				}
			case float64:
				return math.Mod(k*2, 7)
			}
			return 5.0
		}),
		stub("storeSet", "key value", nothing), stub("consoleLog", "message", nothing))
	if err != nil {
		t.Fatal(err)
	}
	item := func(id float64, n ...any) ast.Object {
		o := ast.Object{{Key: "id", Value: id}}
		if n != nil {
			o = append(o, ast.Entry{Key: "n", Value: n})
		}
		return o
	}
	args := ast.Object{{Key: "a", Value: 3.0}, {Key: "b", Value: 0.0}, {Key: "c", Value: nil}, {Key: "xs", Value: []any{4.0, 1.0, 3.0, 1.0}},
		{Key: "ys", Value: []any{}}, {Key: "os", Value: []any{item(1, 7.0, 8.0), item(2)}}}
	if in, _ := p.InputSchema.(ast.Object).Get("properties"); len(in.(ast.Object)) == 4 {
		args = ast.Object{args[0], args[1], args[3], args[4]}
	}
	res, err := machine.Run(context.Background(), p, args, vm.WithFuel(1e9), vm.WithTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if res.Err != nil {
		return res.Err.Error()
	}
	return show(t, res.Value) + " after " + strings.Join(log, " ")
}

// show writes data as compare's show does.
func show(t *testing.T, v any) string {
	t.Helper()
	var plain func(v any) any
	plain = func(v any) any {
		switch v := v.(type) {
		case float64:
			switch {
			case v != v:
				return "NaN"
			case math.IsInf(v, 1):
				return "Infinity"
			case math.IsInf(v, -1):
				return "-Infinity"
			}
			return v + 0
		case []any:
			out := make([]any, len(v))
			for i, e := range v {
				out[i] = plain(e)
			}
			return out
		case ast.Object:
			out := make(ast.Object, len(v))
			for i, e := range v {
				out[i] = ast.Entry{Key: e.Key, Value: plain(e.Value)}
			}
			return out
		}
		if v == vm.Undefined {
			return "undefined"
		}
		return v
	}
	text, err := ast.AppendData(nil, plain(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLiftedMeaning: programs that the original refuses mean here what they
// mean in JavaScript.
func TestLiftedMeaning(t *testing.T) {
	bodies := []string{
		// Calls inside expressions, in their order.
		"return { r: get({ k: a }) + 1 }",
		"return { r: a + get({ k: 1 }) * get({ k: 2 }), s: [get({ k: 3 }), b] }",
		"return { r: get({ k: get({ k: a }) }) }",
		"const r = `x${get({ k: a })}y${b}`\nreturn { r }",
		"return { r: os[get({ k: 'none' }) ?? 0].id }",
		"let n = 0\nn += get({ k: 3 })\nn += 1\nreturn { n }",
		"if (get({ k: a }) > 5) { return { r: 1 } } else if (get({ k: 2 }) > 3) { return { r: 2 } }\nreturn { r: 3 }",
		// Short circuits.
		"return { r: b && get({ k: 1 }), s: a && get({ k: 2 }) }",
		"return { r: b || get({ k: 1 }), s: a || get({ k: 2 }) }",
		"return { r: c ?? get({ k: 1 }), s: b ?? get({ k: 2 }) }",
		"return { r: a && (b || get({ k: 1 })) && get({ k: 2 }) }",
		"return { r: a ? get({ k: 1 }) : get({ k: 2 }), s: b ? get({ k: 3 }) : 4 }",
		"let s = 'x'\na && storeSet({ key: 'k', value: a })\nb && storeSet({ key: 'k', value: a })\nreturn { s }",
		"let s = 'x'\ns &&= get({ k: 2 })\ns ||= get({ k: 3 })\nreturn { s }",
		"return { r: c?.at(get({ k: 1 })) ?? 'no' }",
		// Conditions of loops.
		"let n = 0\nwhile (get({ k: n }) != 6) { n = n + 1 }\nreturn { n }",
		"let n = 1\nwhile (n < 4 && get({ k: n }) < 6) { let n2 = n\n n = n2 + 1 }\nreturn { n }",
		"let n = 0\nwhile (xs.some(x => x == n + 1)) { let xs2 = 1\n n = n + xs2 }\nreturn { n }",
		"for (const x of xs.map(x => x + 1).filter(x => x > 2)) { storeSet({ key: 'x', value: x }) }\nreturn { a }",
		// Chains and callbacks.
		"return { r: xs.map(x => x * 2).filter(x => x > 2).reduce((s, x) => s + x, 0) }",
		"return { r: xs.filter(x => get({ k: x }) > 2).length }",
		"return { r: xs.map((x, i) => x * 10 + i), s: xs.map((x, i, all) => all.length - i) }",
		"return { r: xs.filter((x, i) => i % 2 == 0), s: xs.find((x, i) => i == 2), t: xs.findIndex(x => x == 3), u: xs.findIndex(x => x > 9) }",
		"return { r: xs.some(x => x > 3), s: xs.every(x => x > 0), t: ys.some(x => x), u: ys.every(x => x), v: xs.every(x => get({ k: x }) < 3) }",
		"return { r: xs.find(x => get({ k: x }) == 6) }",
		"let n = 0\nxs.forEach(x => { n = n + x })\nxs.forEach((x, i) => { if (i == 1) { return }\n n += i * 100 })\nxs.forEach(x => n++)\nreturn { n }",
		"return { r: xs.flatMap(x => [x, x + 1]), s: os.flatMap(o => o.n ?? []) }",
		"return { r: os.map(({ id, n = [1] }) => id + n.length), s: os.map(({ n: [first] = [0] }) => first) }",
		"return { r: Object.entries({ p: 1, q: 2 }).map(([k, v]) => k + v).join('-'), s: Object.entries({ p: 1 }).map(([k, ...vs]) => vs.length) }",
		"return { r: [3, 1, 2].sort((x, y) => y - x), s: xs.toSorted((x, y) => x - y), xs }",
		"xs.sort((x, y) => { if (x < y) { return 1 }\n return -1 })\nreturn { xs }",
		"return { r: os.toSorted((x, y) => y.id - x.id).map(o => o.id) }",
		"return { r: xs.filter(x => { if (x > 3) { return false }\n const y = x * 2\n return y > 2 }) }",
		"return { r: xs.map(x => { const y = get({ k: x })\n if (y > 4) { return 'big' }\n return y }) }",
		"return { r: xs.filter(function (x) { return x > 1 }).map(function (x, i) { return x + i }) }",
		"return { r: c?.map(x => x) ?? 'none', s: xs?.map(x => x + 1) }",
		"return { r: Array.from({ length: 3 }, (_, i) => i * i), s: Array.from(xs, x => x + 1) }",
		"return { r: xs.map(dbl), s: xs.map(x => dbl(x) + 1), t: dbl(dbl(a)) - dbl(1), u: xs.filter(Boolean).length }",
		"return { r: xs.reduce((s, x, i) => s + x * i, 0), s: os.reduce((acc, { id }) => ({ ...acc, [id]: 1 }), {}) }",
		"return { r: xs.map(x => ys.concat(xs).map(y => x * y).reduce((s, y) => s + y, 0)) }",
		"return { r: xs.map(x => xs.filter(y => y < x).length) }",
		// Order: what was read before a callback assigns stays as it was.
		"let n = 1\nconst r = n + xs.map(x => { n = n + x\n return n }).length + n\nreturn { r, n }",
		"let n = 1\nconst r = [n, xs.reduce((s, x) => { n = n * 2\n return s + n }, 0), n]\nreturn { r }",
		"const m = [1, 2]\nconst r = m.length + xs.map(x => m.push(x)).length + m.length\nreturn { r, m }",
		"const m = [1]\nreturn { r: [m.concat([2]), m.push(get({ k: 1 })), m] }",
		// Names that the form of a program uses too.
		"let result = 7\nlet item = 8\nlet acc = 9\nreturn { r: xs.map(x => result + x), s: xs.map(() => item), t: xs.reduce(() => acc, 0), result }",
		"let error = 1\ntry { storeSet({ key: 'k', value: 1 }) } catch { error = 2 }\nreturn { error }",
		"return { r: xs.map(x => { let result = x }).length, s: xs.map(x => { const result = x\n if (x > 3) { return 'big' } })[1] ?? 'none' }",
		// Keys, spreads, console, await.
		"const k = 'z'\nreturn { [k]: a, [k + 1]: get({ k: 1 }), ...os[0], b }",
		"return { ...{ p: get({ k: 1 }) }, q: [...xs, get({ k: 2 })] }",
		"console.log('a', a)\nconsole.log(b)\nreturn { a }",
		"var v = xs.map(x => { var w = x\n return w + 1 })\nif (a) { var u = get({ k: v[0] }) }\nreturn { v, u }",
	}
	var sources []string
	for _, b := range bodies {
		sources = append(sources, "function dbl(x) { return x * 2 }\nfunction f({ a, b, c, xs, ys, os }) {\n"+b+"\n}")
	}
	compare(t, sources)
}

// writer makes random programs of what is lifted.
type writer struct {
	r    *rand.Rand
	vars []string
	n    int
}

func (w *writer) pick(s ...string) string { return s[w.r.Intn(len(s))] }

func (w *writer) name() string { w.n++; return fmt.Sprintf("v%d", w.n) }

func (w *writer) with(names []string, f func() string) string {
	saved := w.vars
	w.vars = append(append([]string{}, w.vars...), names...)
	out := f()
	w.vars = saved
	return out
}

// number is an expression whose value is a number or a boolean.
func (w *writer) number(d int) string {
	if d <= 0 {
		return w.pick("1", "2", "0", w.pick(w.vars...), w.pick(w.vars...))
	}
	switch w.r.Intn(13) {
	case 0, 1:
		return "get({ k: " + w.number(d-1) + " })"
	case 2:
		return "dbl(" + w.number(d-1) + ")"
	case 3, 4:
		return "(" + w.number(d-1) + w.pick(" + ", " - ", " * ", " < ", " === ") + w.number(d-1) + ")"
	case 5:
		return "(" + w.number(d-1) + w.pick(" && ", " || ", " ?? ") + w.number(d-1) + ")"
	case 6:
		return "(" + w.number(d-1) + " ? " + w.number(d-1) + " : " + w.number(d-1) + ")"
	case 7:
		return w.list(d-1) + ".length"
	case 8:
		x, s := w.name(), w.name()
		return w.list(d-1) + ".reduce((" + s + ", " + x + ") => " + w.with([]string{x, s}, func() string { return w.number(d - 1) }) + ", " + w.number(d-1) + ")"
	case 9:
		return w.list(d-1) + w.pick(".some", ".every", ".findIndex") + "(" + w.callback(d-1) + ")"
	case 10:
		return "(" + w.list(d-1) + ".find(" + w.callback(d-1) + ") ?? 0)"
	case 11:
		return "(" + w.pick("!", "-") + w.number(d-1) + ")"
	}
	return "(" + w.list(d-1) + "[" + w.pick("0", "1", w.number(d-1)) + "] ?? 0)"
}

func (w *writer) callback(d int) string {
	x, i := w.name(), w.name()
	switch w.r.Intn(4) {
	case 0:
		return "(" + x + ", " + i + ") => " + w.with([]string{x, i}, func() string { return w.number(d) })
	case 1:
		return x + " => {\n" + w.with([]string{x}, func() string {
			return w.block(d-1, true) + "\n" + w.pick("n", "m") + " += " + w.pick(x, "1") + "\nreturn " + w.number(d)
		}) + " }"
	}
	return x + " => " + w.with([]string{x}, func() string { return w.number(d) })
}

func (w *writer) list(d int) string {
	if d <= 0 {
		return w.pick("xs", "ys", "[1, 2, 3]")
	}
	switch w.r.Intn(6) {
	case 0:
		return "[" + w.number(d-1) + ", " + w.number(d-1) + "]"
	case 1, 2:
		return w.list(d-1) + ".map(" + w.callback(d-1) + ")"
	case 3:
		return w.list(d-1) + ".filter(" + w.callback(d-1) + ")"
	case 4:
		return "[..." + w.list(d-1) + ", " + w.number(d-1) + "]"
	}
	return w.list(d-1) + ".slice(+" + w.number(d-1) + ")"
}

func (w *writer) block(d int, inner bool) string {
	var out []string
	for k := 1 + w.r.Intn(2); k > 0; k-- {
		switch w.r.Intn(6) {
		case 0, 1:
			n := w.name()
			out = append(out, "let "+n+" = "+w.number(d))
			w.vars = append(append([]string{}, w.vars...), n)
		case 2:
			out = append(out, w.pick("n", "m")+w.pick(" = ", " += ")+w.number(d))
		case 3:
			s := "if (" + w.number(d) + ") {\n" + w.with(nil, func() string { return w.block(d-1, inner) })
			if w.r.Intn(3) == 0 && inner {
				s += "\nreturn " + w.number(d-1)
			}
			out = append(out, s+"\n}")
		case 4:
			x := w.name()
			out = append(out, "for (const "+x+" of "+w.list(d)+") {\n"+w.with([]string{x}, func() string { return w.block(d-1, inner) })+"\n}")
		case 5:
			x := w.name()
			out = append(out, "let "+x+" = 0\nwhile ("+x+" < 3 && ("+w.number(d)+") !== 77) {\n"+x+" = "+x+" + 1\n"+w.with([]string{x}, func() string { return w.block(d-1, inner) })+"\n}")
		}
	}
	return strings.Join(out, "\n")
}

// TestRandomMeaning: random programs of calls, short circuits, callbacks that
// assign and loops mean the same lifted.
func TestRandomMeaning(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 50
	}
	var sources []string
	for seed := 0; len(sources) < n; seed++ {
		w := &writer{r: rand.New(rand.NewSource(int64(seed))), vars: []string{"a", "b", "n", "m"}}
		body := w.block(3, false)
		src := "function dbl(x) { return x * 2 }\nfunction f({ a, b, xs, ys }) {\nlet n = 1\nlet m = 2\n" + body + "\nreturn { r: " + w.number(3) + ", n, m }\n}"
		if len(src) < 4000 {
			sources = append(sources, src)
		}
	}
	compare(t, sources)
}
