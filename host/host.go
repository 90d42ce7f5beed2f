package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/schema"
)

// CodeSchema is the code of the error that a program gets for an argument that
// doesn't fit the schema. Its data has the problems.
const CodeSchema = "E_SCHEMA"

// Options are what more can be said of a function. The zero value is a function
// of no capability that is called while the program waits in its own way: it is
// asynchronous and Cooperative.
type Options struct {
	// Capability is as in pinfold.Function.
	Capability string
	// Sync makes the program wait for the function: no promise.
	Sync bool
	// Cancel is as in pinfold.Function; 0 is Cooperative.
	Cancel pinfold.Cancellation
	// Timeout is as in pinfold.Function.
	Timeout time.Duration
}

// Spec is a host function and its schemas.
type Spec struct {
	pinfold.Function
	Input  *schema.Schema
	Output *schema.Schema // nil if the result is a stream or nothing
}

// Function makes a host function of fn. Programs call it with an object that has
// A's fields, by their json tags; A must be a struct. What R is crosses as
// membrane says; an iter.Seq or iter.Seq2 with errors is a stream, which the
// program gets as an async iterable; struct{} is no result. Errors are as with
// pinfold.Function: a *pinfold.Error says a code, whether to try again, and data.
//
// doc is a sentence for the declaration. The error says what can't be taken in
// the types or their tags.
func Function[A, R any](name, doc string, fn func(ctx context.Context, args A) (R, error), opt Options) (Spec, error) {
	fail := func(err error) (Spec, error) { return Spec{}, fmt.Errorf("function %q: %w", name, err) }
	in, err := schema.For[A]()
	if err != nil {
		return fail(fmt.Errorf("arguments: %w", err))
	}
	if reflect.TypeFor[A]().Kind() != reflect.Struct {
		return fail(fmt.Errorf("its arguments are a %v: they must be a struct", reflect.TypeFor[A]()))
	}
	s := Spec{Input: in, Function: pinfold.Function{
		Name: name, Doc: doc, Capability: opt.Capability, Async: !opt.Sync, Cancel: opt.Cancel, Timeout: opt.Timeout,
	}}
	if s.Async && s.Cancel == 0 {
		s.Cancel = pinfold.Cooperative
	}
	result := "void"
	rt := reflect.TypeFor[R]()
	nothing := rt == reflect.TypeFor[struct{}]()
	switch item, ok := stream(rt); {
	case nothing:
	case ok:
		t, err := schema.FromType(item)
		if err != nil {
			return fail(fmt.Errorf("result: %w", err))
		}
		result = "AsyncIterable<" + t.Compact(0) + ">"
	default:
		if s.Output, err = schema.FromType(rt); err != nil {
			return fail(fmt.Errorf("result: %w", err))
		}
		result = s.Output.Compact(0)
	}
	if s.Async {
		result = "Promise<" + result + ">"
	}
	optional := "?"
	if required(in) {
		optional = ""
	}
	s.Declaration = "(args" + optional + ": " + in.Compact(0) + ") => " + result
	defaults, err := defaultsOf(in)
	if err != nil {
		return fail(err)
	}
	take := func(ctx context.Context, v pinfold.Value) (out R, err error) {
		var args A
		if err := arguments(name, in, defaults, v, &args); err != nil {
			return out, err
		}
		return fn(ctx, args)
	}
	s.Func = take
	if nothing {
		s.Func = func(ctx context.Context, v pinfold.Value) error {
			_, err := take(ctx, v)
			return err
		}
	}
	return s, nil
}

// Must is Function for functions that are part of a program: it panics when the
// types can't be taken.
func Must[A, R any](name, doc string, fn func(ctx context.Context, args A) (R, error), opt Options) Spec {
	s, err := Function(name, doc, fn, opt)
	if err != nil {
		panic(err)
	}
	return s
}

// stream reports whether a type is a stream, and of what.
func stream(t reflect.Type) (item reflect.Type, ok bool) {
	if t.Kind() != reflect.Func || t.NumIn() != 1 || t.NumOut() != 0 || t.In(0).Kind() != reflect.Func {
		return nil, false
	}
	yield := t.In(0)
	if n := yield.NumIn(); yield.NumOut() != 1 || yield.Out(0).Kind() != reflect.Bool || n != 1 && n != 2 {
		return nil, false
	}
	return yield.In(0), true
}

// required reports whether an object must have some property.
func required(s *schema.Schema) bool { return s.Validate(membrane.NewObject()) != nil }

// arguments checks what the program passed, and stores it. No argument is an
// empty object.
func arguments(name string, in *schema.Schema, defaults json.RawMessage, v pinfold.Value, into any) error {
	if v.IsUndefined() {
		v = empty
	}
	if err := in.Validate(v); err != nil {
		var e *schema.Error
		if !errors.As(err, &e) {
			return err
		}
		list := make([]any, 0, len(e.Problems))
		lines := make([]string, 0, len(e.Problems))
		for _, p := range e.Problems {
			list = append(list, membrane.NewObject("path", p.Path, "message", p.Message))
			lines = append(lines, p.String())
		}
		return &pinfold.Error{Code: CodeSchema, Message: name + ": " + strings.Join(lines, "; "), Data: membrane.NewObject("problems", list)}
	}
	text, err := v.Plain()
	if err != nil {
		return &pinfold.Error{Code: CodeSchema, Message: name + ": " + err.Error()}
	}
	if defaults != nil {
		if err := json.Unmarshal(defaults, into); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &pinfold.Error{Code: CodeSchema, Message: name + ": " + err.Error()}
	}
	return nil
}

var empty = func() pinfold.Value {
	v, err := membrane.ParseValue([]byte("{}"))
	if err != nil {
		panic(err) // a constant
	}
	return v
}()

// defaultsOf returns the properties that have a default, as JSON; nil if there
// are none.
func defaultsOf(in *schema.Schema) (json.RawMessage, error) {
	var s struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(in.JSON(), &s); err != nil {
		return nil, err
	}
	set := map[string]json.RawMessage{}
	for k, p := range s.Properties {
		if p.Default != nil {
			set[k] = p.Default
		}
	}
	if len(set) == 0 {
		return nil, nil
	}
	return json.Marshal(set)
}

// All returns the functions of some specs, for pinfold.Options.
func All(specs ...Spec) []pinfold.Function {
	out := make([]pinfold.Function, len(specs))
	for i, s := range specs {
		out[i] = s.Function
	}
	return out
}
