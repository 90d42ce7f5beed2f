package examples

import (
	"encoding/json"
	"path/filepath"

	"github.com/pinfold-js/pinfold"
)

// run evaluates one example: the program, its input and its host functions go
// in, the console lines and the returned value come out; an uncaught exception
// or a limit is the error.
var run = func(p program) (output, error) { return runIn(p, pinfold.InProcess) }

// runIn is run in a tier of isolation.
func runIn(p program, tier pinfold.Isolation) (output, error) {
	opt := pinfold.Options{Deterministic: true, Isolation: tier}
	for name, answer := range p.hosts {
		opt.Functions = append(opt.Functions, pinfold.Function{
			Name: name, Async: true, Cancel: pinfold.Cooperative,
			Func: func(args ...json.RawMessage) (json.RawMessage, error) { return answer(args) },
		})
	}
	sandbox, err := pinfold.New(opt)
	if err != nil {
		return output{}, err
	}
	defer sandbox.Close()
	var input any
	if p.input != nil {
		input = p.input
	}
	o := sandbox.Eval(nil, filepath.Base(p.path), p.source, input)
	if o.Failure != nil {
		return output{}, o.Failure
	}
	var out output
	for _, l := range o.Console {
		out.console = append(out.console, l.Text)
	}
	out.value, err = o.Value.Plain()
	return out, err
}
