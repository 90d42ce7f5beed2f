package ajs_test

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/ajs"
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

func data(t *testing.T, text string) any {
	t.Helper()
	d, err := ast.ParseData([]byte(text), ast.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func js(t *testing.T, v any) string {
	t.Helper()
	b, err := ast.AppendData(nil, vm.JSONData(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func cases(t *testing.T, group string) []ast.Object {
	t.Helper()
	b, err := os.ReadFile("testdata/ajs-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	v, _ := data(t, string(b)).(ast.Object).Get(group)
	var out []ast.Object
	for _, c := range v.([]any) {
		out = append(out, c.(ast.Object))
	}
	return out
}

// The cases of Eval and SafeFunction, by the rules they give for this version.
func TestEvalCases(t *testing.T) {
	n := 0
	for _, c := range cases(t, "evalCases") {
		want, _ := c.Get("expectBy_0_14_rules")
		w := want.(ast.Object)
		var res *ajs.EvalResult
		o, isEval := c.Get("options")
		if isEval {
			opts := o.(ast.Object)
			code, _ := opts.Get("code")
			e := ajs.EvalOptions{Code: code.(string)}
			if v, ok := opts.Get("context"); ok {
				e.Context = v.(ast.Object)
			}
			if f, ok := opts.Get("fuel"); ok {
				e.Fuel = f.(float64)
			}
			res = ajs.Eval(context.Background(), e)
		} else {
			f, err := ajs.SafeFunction(ajs.SafeOptions{Body: "return a + b", Params: []string{"a", "b"}})
			if err != nil {
				t.Fatal(err)
			}
			res = f.Call(context.Background(), 2.0, 3.0)
		}
		n++
		if r, ok := w.Get("result"); ok {
			if res.Err != nil || js(t, res.Result) != js(t, r) {
				t.Errorf("%s: %s %v, want %s", js(t, c), js(t, res.Result), res.Err, js(t, r))
			}
			continue
		}
		e, _ := w.Get("error")
		if m, ok := e.(ast.Object).Get("message"); ok {
			var ae *vm.AgentError
			if !errors.As(res.Err, &ae) || ae.Message != m {
				t.Errorf("%s: %v, want %s", js(t, c), res.Err, m)
			}
			continue
		}
		var te *transpile.Error
		if !errors.As(res.Err, &te) || res.FuelUsed != 1000 {
			t.Errorf("%s: %v, fuel %v", js(t, c), res.Err, res.FuelUsed)
		}
	}
	if n != 8 {
		t.Errorf("%d cases", n)
	}
}

// The tool definitions of the cases, with the types that the original leaves
// out (§26.8 of the specification).
func TestToolDefinitionCases(t *testing.T) {
	better := map[string]string{
		"plan": `{"days":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},"opts":{"type":"object","properties":{"fast":{"type":"boolean"}},"required":["fast"]}}`,
		"u":    `{"mode":{"enum":["a","b"]},"note":{"anyOf":[{"type":"string"},{"type":"null"}]},"n":{"type":"integer","minimum":0}}`,
		"pos":  `{"a":{"type":"integer"},"b":{"type":"string"}}`,
		"ret":  `{"n":{"type":"integer"}}`,
	}
	for _, c := range cases(t, "toolDefinitionCases") {
		src, _ := c.Get("source")
		a, err := ajs.CreateAgent(src.(string), vm.MustNew())
		if err != nil {
			t.Fatal(err)
		}
		got := ajs.GetToolDefinitions(ajs.Tool{Name: a.Signature.Name, Signature: a.Signature})
		want, _ := c.Get("toolDefinitions")
		def := want.([]any)[0].(ast.Object)
		f, _ := def.Get("function")
		fo := f.(ast.Object)
		if props, ok := better[a.Signature.Name]; ok {
			for i := range fo {
				if fo[i].Key == "parameters" {
					p := fo[i].Value.(ast.Object)
					for j := range p {
						if p[j].Key == "properties" {
							p[j].Value = data(t, props)
						}
					}
				}
			}
		}
		if a.Signature.Name == "u" {
			// The original keeps the end of a one-line comment.
			for i := range fo {
				if fo[i].Key == "description" {
					fo[i].Value = "One line."
				}
			}
		}
		if js(t, got) != js(t, want) {
			t.Errorf("%s\n got %s\nwant %s", a.Signature.Name, js(t, got), js(t, want))
		}
	}
}

func TestEval(t *testing.T) {
	ctx := context.Background()
	big := strings.Repeat("1 + ", 3000) + "1"
	for _, c := range []struct {
		name string
		o    ajs.EvalOptions
		want string
	}{
		{"unused context is not passed", ajs.EvalOptions{Code: "a", Context: ast.Object{{Key: "a", Value: 1.0}, {Key: "b", Value: func() {}}}}, `{"result":1,"fuelUsed":`},
		{"any value", ajs.EvalOptions{Code: "[1, 'x', null]"}, `{"result":[1,"x",null],`},
		{"null", ajs.EvalOptions{Code: "null"}, `{"result":null,`},
		{"no return", ajs.EvalOptions{Code: "let x = 1"}, `{"result":null,`},
		{"callbacks aren't boxed", ajs.EvalOptions{Code: "let ys = xs.map(x => x * 2)\nreturn ys", Context: ast.Object{{Key: "xs", Value: []any{1.0, 2.0}}}}, `{"result":[2,4],`},
		{"too large", ajs.EvalOptions{Code: big}, `{"result":null,"fuelUsed":1000,"error":{"message":"Eval source is 12001 bytes, over the 8192-byte limit. Transpilation runs BEFORE fuel and timeout apply, so oversized source is refused rather than metered. Raise or disable it with maxSourceBytes if the source is trusted."}}`},
		{"too large, but trusted", ajs.EvalOptions{Code: big, Limits: ajs.Limits{MaxSourceBytes: -1}}, `{"result":3001,`},
		{"policy", ajs.EvalOptions{Code: "let d = httpFetch({ url: 'https://b.example/' })\nreturn d", Limits: ajs.Limits{FetchPolicy: ajs.FetchPolicy{Domains: []string{"a.example"}},
			Capabilities: vm.Capabilities{Fetch: vm.FetchFunc(func(context.Context, *vm.Request) (any, error) { return 1, nil })}}}, `{"result":{"$error":true,"message":"Fetch blocked: domain not in allowlist. Allowed: a.example",`},
	} {
		if got := js(t, ajs.Eval(ctx, c.o).Data()); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	if _, err := ajs.SafeFunction(ajs.SafeOptions{Body: "return a +"}); err == nil {
		t.Error("a body that is none was taken")
	}
	f, err := ajs.SafeFunction(ajs.SafeOptions{Body: "while (true) { }", Limits: ajs.Limits{Fuel: math.Inf(1), Timeout: 20 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	var e *vm.AgentError
	if res := f.Call(ctx); !errors.As(res.Err, &e) || e.Kind != vm.KindTimeout {
		t.Errorf("%v", res.Err)
	}
}

func TestRunCode(t *testing.T) {
	m := vm.MustNew()
	caps := vm.WithCapabilities(vm.Capabilities{Code: ajs.Code(m)})
	for _, c := range []struct{ source, args, want string }{
		{`function f({ code: '' }) { let r = runCode({ code, args: { n: 4 } })
 return { r } }`, `{"code":"function g({ n: 1 }) { return n * 2 }"}`, `{"r":8}`},
		{`function f({ code: '' }) { let r = runCode({ code, args: { n: 'x' } })
 return { r } }`, `{"code":"function g({ n: 1 }) { return n * 2 }"}`, `runCode: Input validation failed: args do not match expected schema`},
		{`function f({ code: '' }) { let secret = 5
 let r = runCode({ code, args: {} })
 return { r } }`, `{"code":"function g() { return nope({}) }"}`, `runCode: Code transpilation failed: `},
		{`function f({ code: '' }) { let r = runCode({ code, args: { code } })
 return { r } }`, `{"code":"function g({ code: '' }) { let r = runCode({ code, args: { code } })\n return { r } }"}`, `runCode: runCode recursion limit exceeded (max 10)`},
		{`function f({ code: '' }) { let r = transpileCode({ code })
 let o = agentRun({ agentId: r, input: { n: 21 } })
 return { v: r.op, o } }`, `{"code":"function g({ n: 1 }) { return { twice: n * 2 } }"}`, `{"v":"seq","o":{"twice":42}}`},
		{`function f({ code: '' }) { let r = runCode({ code, args: {} })
 return { r } }`, `{"code":"` + strings.Repeat(" ", 8193) + `"}`, `runCode: runCode: source is over the 8192-byte limit.`},
	} {
		a, err := ajs.CreateAgent(c.source, m, caps)
		if err != nil {
			t.Fatal(err)
		}
		res := a.Run(context.Background(), data(t, c.args))
		got := js(t, res.Value)
		if res.Err != nil {
			got = res.Err.Op + ": " + res.Err.Message
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}
