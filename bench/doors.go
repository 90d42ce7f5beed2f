package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/dop251/goja"

	pf "github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/evaluate"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/snippet"
)

// What a front door costs: the whole way from the arguments of a tool's call to
// the text of its result, and awaited host calls in it. goja has the same bindings
// and a loop that waits for them, and no limits but a timer.

// doorCalls is how many host calls a program of this kind makes.
const doorCalls = 100

// doorPrograms are the programs, as bodies of async functions.
var doorPrograms = []struct{ name, source, want string }{
	{"front door: trivial snippet", "return 1 + 1", "2"},
	{"front door: 100 awaited host calls", "let s = 0; for (let i = 0; i < 100; i++) s += await ask(i); return s", "5050"},
	{"front door: 100 host calls in Promise.all", "return (await Promise.all(Array.from({length: 100}, (_, i) => ask(i)))).reduce((a, b) => a + b)", "5050"},
}

func ask(_ context.Context, n int64) (int64, error) { return n + 1, nil }

// doors returns what makes one call through each door, by engine.
func doors() (names []string, calls []func(source string) (string, error), done func(), err error) {
	free, err := limiter.New(limiter.Config{MaxConcurrentRuns: 64, MaxRunsPerCaller: 32})
	if err != nil {
		return nil, nil, nil, err
	}
	s, err := snippet.New(snippet.Config{Options: pf.Options{
		Limits: pf.Limits{Fuel: limitFuel, MemoryBytes: limitMemory, Timeout: limitTime}, Limiter: free,
		Functions: []pf.Function{{Name: "ask", Func: ask, Async: true, Cancel: pf.Cooperative}},
	}})
	if err != nil {
		return nil, nil, nil, err
	}
	e, err := evaluate.New(evaluate.Config{
		Gate: evaluate.AllowAll, Sandbox: pf.Options{Limiter: free},
		Quotas: evaluate.Quotas{MaxConcurrentHostcalls: doorCalls},
		Globals: map[string]evaluate.Global{"ask": {Cancellation: pf.Cooperative, Func: func(ctx context.Context, args []any) (any, error) {
			n, _ := args[0].(float64)
			return ask(ctx, int64(n))
		}}},
	})
	if err != nil {
		return nil, nil, nil, err
	}
	run := func(source string) (string, error) {
		args, err := json.Marshal(map[string]string{"code": source})
		if err != nil {
			return "", err
		}
		r := s.Call(context.Background(), args)
		if r.IsError {
			return "", errors.New(r.Text)
		}
		return r.Value.String(), nil
	}
	evaluation := func(source string) (string, error) {
		o, err := e.Evaluate(context.Background(), source, time.Second)
		switch {
		case err != nil:
			return "", err
		case !o.OK:
			return "", errors.New(o.Thrown.Message)
		}
		if _, err := json.Marshal(o); err != nil {
			return "", err
		}
		return string(o.Result), nil
	}
	names = []string{"run_javascript", "evaluate_javascript", "goja"}
	return names, []func(string) (string, error){run, evaluation, gojaDoor}, func() { _, _ = s.Close(), e.Close() }, nil
}

// gojaDoor does the same with goja.
func gojaDoor(source string) (string, error) {
	vm := goja.New()
	timer := time.AfterFunc(limitTime, func() { vm.Interrupt("time") })
	defer timer.Stop()
	type settled struct {
		resolve func(any) error
		value   int64
	}
	done := make(chan settled, doorCalls)
	pending := 0
	err := vm.Set("ask", func(c goja.FunctionCall) goja.Value {
		p, resolve, _ := vm.NewPromise()
		n := c.Argument(0).ToInteger()
		pending++
		go func() {
			v, _ := ask(context.Background(), n)
			done <- settled{func(x any) error { return resolve(x) }, v}
		}()
		return vm.ToValue(p)
	})
	if err != nil {
		return "", err
	}
	v, err := vm.RunString("(async () => {" + source + "\n})()")
	if err != nil {
		return "", err
	}
	p, ok := v.Export().(*goja.Promise)
	if !ok {
		return "", errors.New("no promise")
	}
	for p.State() == goja.PromiseStatePending && pending > 0 {
		s := <-done
		pending--
		if err := s.resolve(s.value); err != nil {
			return "", err
		}
	}
	if p.State() != goja.PromiseStateFulfilled {
		return "", errors.New("the promise isn't fulfilled")
	}
	return p.Result().String(), nil
}

// measureDoors measures them. The columns are those of the engines: goja's is its
// own, the others are rows of their own.
func measureDoors(runs int, goja bool) ([]row, error) {
	names, calls, done, err := doors()
	if err != nil {
		return nil, err
	}
	defer done()
	var rows []row
	for _, p := range doorPrograms {
		check := func(call func(string) (string, error)) func() (string, error) {
			return func() (string, error) {
				got, err := call(p.source)
				if err == nil && got != p.want {
					err = errors.New(got + " instead of " + p.want)
				}
				return got, err
			}
		}
		theirs := sample{}
		if goja {
			theirs = measureCalls(check(calls[2]), runs)
		}
		for i, name := range names[:2] {
			rows = append(rows, row{name: p.name + ", " + name, micro: true, samples: []sample{measureCalls(check(calls[i]), runs), theirs}})
		}
	}
	return rows, nil
}
