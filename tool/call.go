package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/schema"
)

// Call makes a call: it checks the arguments, asks for approval if that is
// required, runs the file afresh and calls its function invoke, and checks what
// that returns. A text is the result as it is, undefined is no text, anything
// else is JSON.
func (f *File) Call(ctx context.Context, arguments json.RawMessage) (r *Result) {
	defer func() {
		if p := recover(); p != nil {
			r = Failed(fmt.Sprintf("a bug in the host: the call of %s panicked", f.def.Name))
			r.Outcome = &pinfold.Outcome{Failure: &pinfold.Failure{Kind: pinfold.ErrInternal, Message: fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}}
		}
	}()
	if ctx == nil {
		ctx = context.Background()
	}
	arguments, err := f.arguments(arguments)
	if err != nil {
		return Failed(err.Error())
	}
	caller := pinfold.CallerFrom(ctx)
	caller.Tool = f.def.Name
	if r := f.approved(ctx, &caller, arguments); r != nil {
		return r
	}
	if !f.def.ParallelSafe {
		key := turnKey{f, caller.InstanceID}
		if ctx.Value(key) != nil {
			return Failed(fmt.Sprintf("%s was called by itself; only one call of it may be at work at a time", f.def.Name))
		}
		leave, err := f.turns.enter(ctx, caller.InstanceID)
		if err != nil {
			return Failed(fmt.Sprintf("the call of %s was cancelled while another one was at work; it was not made", f.def.Name))
		}
		defer leave()
		ctx = context.WithValue(ctx, key, true)
	}
	o := f.sandbox.Invoke(pinfold.WithCaller(ctx, caller), f.program, "invoke", arguments)
	return f.result(o)
}

// arguments checks the arguments of a call; none are an empty object.
func (f *File) arguments(arguments json.RawMessage) (json.RawMessage, error) {
	text := bytes.TrimSpace(arguments)
	if len(text) == 0 || string(text) == "null" {
		text = []byte("{}")
	}
	if limit := f.sandbox.Limits().ResultBytes; int64(len(text)) > limit {
		return nil, fmt.Errorf("the arguments of %s have %d bytes, %d are allowed", f.def.Name, len(text), limit)
	}
	if text[0] != '{' {
		return nil, fmt.Errorf(`the arguments of %s must be a JSON object, such as {"key": "value"}`, f.def.Name)
	}
	err := f.input.Validate(json.RawMessage(text))
	var bad *schema.Error
	switch {
	case err == nil:
		return text, nil
	case errors.As(err, &bad):
		return nil, fmt.Errorf("the arguments of %s don't fit its inputSchema:\n%s", f.def.Name, problems(bad))
	}
	return nil, fmt.Errorf("the arguments of %s can't be read: %v", f.def.Name, err)
}

func problems(e *schema.Error) string {
	var b strings.Builder
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "- %s\n", p)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "- and %d more\n", e.More)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// result shapes the outcome of a run.
func (f *File) result(o *pinfold.Outcome) *Result {
	r := &Result{Outcome: o}
	text, failure := "", o.Failure
	if failure == nil {
		text, failure = f.shape(o.Value)
	}
	if failure != nil {
		o.Failure, o.Value = failure, pinfold.Value{}
		r.IsError = true
		r.Text = strings.TrimSuffix(failure.Report(), "\n")
		if !strings.HasPrefix(r.Text, "Error: ") {
			r.Text = "Error: " + r.Text
		}
		return r
	}
	r.Text, r.Value, r.EndsLoop = text, o.Value, f.def.EndsLoop
	return r
}

// shape checks a value and writes it for the model.
func (f *File) shape(v pinfold.Value) (string, *pinfold.Failure) {
	refused := func(hint, format string, args ...any) (string, *pinfold.Failure) {
		return "", &pinfold.Failure{Kind: pinfold.ErrResult, Message: fmt.Sprintf(format, args...), File: f.name, Hint: hint}
	}
	if f.output != nil {
		err := f.output.Validate(v)
		var bad *schema.Error
		switch {
		case errors.As(err, &bad):
			return refused("the tool's code must return what its outputSchema describes", "the result of %s doesn't fit its outputSchema:\n%s", f.def.Name, problems(bad))
		case err != nil:
			return refused("", "the result of %s can't be checked: %v", f.def.Name, err)
		}
	}
	if v.IsUndefined() {
		return "", nil
	}
	text := v.JSON()
	if bytes.Contains(text, []byte(`"$js"`)) {
		tree, err := v.Any()
		var crossing *membrane.Error
		switch {
		case errors.As(err, &crossing):
			return refused("return data that JSON can hold", "result%s: %s", strings.TrimPrefix(crossing.Path, "value"), crossing.Reason)
		case err != nil:
			return refused("", "%v", err)
		}
		if bad := notJSON(tree, "result"); bad != "" {
			return refused("return data that JSON can hold", "%s", bad)
		}
		if text, err = v.Plain(); err != nil {
			return refused("", "%v", err)
		}
	}
	if len(text) > 0 && text[0] == '"' {
		var s string
		if err := json.Unmarshal(text, &s); err == nil {
			return s, nil
		}
	}
	return string(text), nil
}

// notJSON says what in a value JSON can't hold, and where; "" if there is
// nothing. A value is as deep as Limits.ResultDepth allows.
func notJSON(x any, path string) string {
	kind := ""
	switch x := x.(type) {
	case []any:
		for i, e := range x {
			if bad := notJSON(e, fmt.Sprintf("%s[%d]", path, i)); bad != "" {
				return bad
			}
		}
	case *membrane.Object:
		for i := range x.Len() {
			k, e := x.At(i)
			if bad := notJSON(e, path+"."+k); bad != "" {
				return bad
			}
		}
	case *big.Int:
		kind = "a BigInt can't be returned: return String(x)"
	case *membrane.Map:
		kind = "a Map can't be returned: return Object.fromEntries(x)"
	case *membrane.Set:
		kind = "a Set can't be returned: return [...x]"
	case []byte, *membrane.Bytes:
		kind = "binary data can't be returned: return base64"
	case *membrane.ErrorValue:
		kind = "an Error can't be returned: throw it, or return String(x)"
	}
	if kind == "" {
		return ""
	}
	return path + ": " + kind
}

// turns let one call of an instance work at a time.
type turns struct {
	mu   sync.Mutex
	open map[string]*turn
}

type turn struct {
	free  chan struct{} // holds a value while nobody works
	users int           // that work or wait
}

// turnKey marks the contexts of calls that have their turn.
type turnKey struct {
	f        *File
	instance string
}

// enter waits for the turn of an instance. The error is the context's.
func (t *turns) enter(ctx context.Context, instance string) (leave func(), err error) {
	t.mu.Lock()
	if t.open == nil {
		t.open = map[string]*turn{}
	}
	x := t.open[instance]
	if x == nil {
		x = &turn{free: make(chan struct{}, 1)}
		x.free <- struct{}{}
		t.open[instance] = x
	}
	x.users++
	t.mu.Unlock()
	gone := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if x.users--; x.users == 0 {
			delete(t.open, instance)
		}
	}
	select {
	case <-x.free:
		return func() { x.free <- struct{}{}; gone() }, nil
	case <-ctx.Done():
		gone()
		return nil, ctx.Err()
	}
}
