package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/toolcall"
)

// MaxDepth is how many tools may call each other in a chain.
const MaxDepth = 8

// Callable makes tools what programs can call with ctx.callTool: see
// pinfold.Grants.Tools. A call is one as any other: arguments are checked,
// approval is asked for, and the run counts for the caller of the program that
// makes it.
func Callable(tools ...Tool) (toolcall.Caller, error) {
	c := &callable{byName: map[string]Tool{}}
	var errs []error
	for _, t := range tools {
		d := t.Definition()
		if c.byName[d.Name] != nil {
			errs = append(errs, fmt.Errorf("tool: there are two tools of the name %s: rename one of them", d.Name))
			continue
		}
		c.byName[d.Name] = t
		c.list = append(c.list, toolcall.Tool{Name: d.Name, Description: d.Description, InputSchema: d.InputSchema, OutputSchema: d.OutputSchema})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

type callable struct {
	list   []toolcall.Tool
	byName map[string]Tool
}

type depthKey struct{}

func (c *callable) Tools(context.Context) ([]toolcall.Tool, error) { return slices.Clone(c.list), nil }

func (c *callable) Call(ctx context.Context, call toolcall.Call) (*toolcall.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, toolcall.AsError(err)
	}
	t := c.byName[call.Name]
	if t == nil {
		var names []string
		for _, d := range c.list {
			names = append(names, d.Name)
		}
		return nil, &toolcall.Error{Code: toolcall.UnknownTool, Reason: fmt.Sprintf("there is no tool %s; %s", quote(call.Name), meant(call.Name, names))}
	}
	depth, _ := ctx.Value(depthKey{}).(int)
	if depth >= MaxDepth {
		return nil, &toolcall.Error{Code: toolcall.Failed, Reason: fmt.Sprintf("tools call each other more than %d deep", MaxDepth)}
	}
	caller := pinfold.CallerFrom(ctx)
	caller.CallID = call.ID
	if caller.CallID == "" {
		caller.CallID = call.IdempotencyKey
	}
	r := t.Call(pinfold.WithCaller(context.WithValue(ctx, depthKey{}, depth+1), caller), call.Input)
	switch {
	case r.IsError:
		out := toolcall.TextResult(strings.TrimPrefix(r.Text, "Error: "))
		out.IsError = true
		return out, nil
	case r.Value.IsUndefined() && r.Text == "":
		return &toolcall.Result{}, nil
	case r.Value.IsUndefined():
		return toolcall.TextResult(r.Text), nil
	}
	// Also of texts: they stay what they are, also if they look like JSON.
	text, err := r.Value.Plain()
	if err != nil {
		return nil, &toolcall.Error{Code: toolcall.Failed, Reason: "the result can't be read", Cause: err}
	}
	return toolcall.JSONResult(text), nil
}
