package ajs

import (
	"context"
	"errors"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/transpile"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

// An Agent is transpiled source that a VM can run.
type Agent struct {
	Program   *ast.Program
	Signature *ast.Signature
	Warnings  []transpile.Warning

	loaded *vm.Program
	opts   []vm.Option
}

// CreateAgent transpiles source for a VM; opts are those of all its runs. The
// source isn't bounded in size: it is the host's own. The error is a
// *transpile.Error.
func CreateAgent(source string, machine *vm.VM, opts ...vm.Option) (*Agent, error) {
	res, err := transpile.Transpile(source, transpile.Options{Atoms: machine.Atoms()})
	if err != nil {
		return nil, err
	}
	p, err := machine.Load(res.Program)
	if err != nil {
		return nil, err
	}
	return &Agent{Program: res.Program, Signature: res.Signature, Warnings: res.Warnings, loaded: p, opts: opts}, nil
}

// Run runs the agent with its arguments, one object. What the agent does is in
// the result, its failures too.
func (a *Agent) Run(ctx context.Context, args any, opts ...vm.Option) *vm.Result {
	res, err := a.loaded.Run(ctx, args, append(a.opts[:len(a.opts):len(a.opts)], opts...)...)
	if err != nil {
		e := &vm.AgentError{Message: err.Error(), Op: "vm.run", Kind: vm.KindRefused, Cause: err}
		res = &vm.Result{Value: e, Err: e}
	}
	return res
}

// A Tool is an agent, or anything else with a signature, under the name that a
// model calls it by.
type Tool struct {
	Name      string
	Signature *ast.Signature
}

// GetToolDefinitions returns what a model is told of tools: for each one
// { type: "function", function: { name, description, parameters } }.
func GetToolDefinitions(tools ...Tool) []any {
	out := make([]any, len(tools))
	for i, t := range tools {
		f := ast.Object{{Key: "name", Value: t.Name}}
		if t.Signature.Description != "" {
			f = append(f, ast.Entry{Key: "description", Value: t.Signature.Description})
		}
		f = append(f, ast.Entry{Key: "parameters", Value: t.Signature.ToolSchema()})
		out[i] = ast.Object{{Key: "type", Value: "function"}, {Key: "function", Value: f}}
	}
	return out
}

// Code is the capability that lets programs run source: runCode and
// transpileCode.
func Code(machine *vm.VM) vm.Coder { return coder{machine} }

type coder struct{ machine *vm.VM }

// maxParseWork bounds the work of parsing guest-built source, which nothing
// meters.
const maxParseWork = 5_000_000

var errParseWork = errors.New("the source takes too long to read")

func (c coder) Transpile(source string) (*ast.Program, error) {
	res, err := transpile.Transpile(source, transpile.Options{
		Atoms: c.machine.Atoms(), MaxSourceBytes: vm.DefaultMaxSourceBytes, AnyResult: true, Check: parseWork(context.Background()),
	})
	if err != nil {
		return nil, err
	}
	return res.Program, nil
}

// parseWork bounds parsing by work and by a context.
func parseWork(ctx context.Context) func(n int) error {
	left := maxParseWork
	return func(n int) error {
		if left -= n; left < 0 {
			return errParseWork
		}
		return ctx.Err()
	}
}
