package toolcall

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// Canned has tools for tests. It is safe for use by many goroutines.
type Canned struct {
	// List describes the tools; Answers makes their results. A tool needs
	// only one of them.
	List    []Tool
	Answers map[string]func(c Call) (*Result, error)
	// Progress are told before a result when a call is streamed.
	Progress []Progress

	mu    sync.Mutex
	calls []Call
}

// Tools returns the List, and after it the tools that have answers only.
func (c *Canned) Tools(context.Context) ([]Tool, error) {
	out := slices.Clone(c.List)
	var more []string
	for name := range c.Answers {
		if !slices.ContainsFunc(out, func(t Tool) bool { return t.Name == name }) {
			more = append(more, name)
		}
	}
	slices.Sort(more)
	for _, name := range more {
		out = append(out, Tool{Name: name})
	}
	return out, nil
}

// Call gives the answer of a tool. One without an answer gives no parts.
func (c *Canned) Call(ctx context.Context, call Call) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, AsError(err)
	}
	if err := call.Check(0); err != nil {
		return nil, err
	}
	tools, _ := c.Tools(ctx)
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	if !slices.Contains(names, call.Name) {
		return nil, unknown(call.Name, names)
	}
	c.mu.Lock()
	c.calls = append(c.calls, call)
	c.mu.Unlock()
	if answer := c.Answers[call.Name]; answer != nil {
		return answer(call)
	}
	return &Result{}, nil
}

// Stream gives the progress, the parts and the result.
func (c *Canned) Stream(ctx context.Context, call Call) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := c.Call(ctx, call)
		if err != nil {
			yield(Event{}, err)
			return
		}
		for i := range c.Progress {
			if err := ctx.Err(); err != nil {
				yield(Event{}, AsError(err))
				return
			}
			if !yield(Event{Progress: &c.Progress[i]}, nil) {
				return
			}
		}
		for i := range r.Parts {
			if !yield(Event{Part: &r.Parts[i]}, nil) {
				return
			}
		}
		yield(Event{Result: r}, nil)
	}
}

// Calls returns the calls that were made, in their order.
func (c *Canned) Calls() []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}
