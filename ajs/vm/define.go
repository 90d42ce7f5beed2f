package vm

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
)

// An AtomOption changes what Define makes.
type AtomOption func(*Atom)

// Describe sets the text that tells models what an atom does.
func Describe(text string) AtomOption { return func(a *Atom) { a.Docs = text } }

// Cost sets an atom's fuel; 1 without it.
func Cost(fuel float64) AtomOption { return func(a *Atom) { a.Cost = fuel } }

// CostBy sets an atom's fuel by its inputs.
func CostBy(f func(in ast.Object) float64) AtomOption { return func(a *Atom) { a.CostOf = f } }

// Timeout sets an atom's time; a second without it, 0 is any.
func Timeout(d time.Duration) AtomOption { return func(a *Atom) { a.Timeout = d } }

// Direct calls the function on the goroutine of the run, without a timeout: for
// what is quick and never waits, since nothing can cut it off.
func Direct() AtomOption { return func(a *Atom) { a.Direct, a.Timeout = true, 0 } }

// Heeds calls the function on the goroutine of the run, with the atom's time: it
// watches its context and returns when that ends. A run is held up by one that
// doesn't; others are called on a goroutine beside the run's.
func Heeds() AtomOption { return func(a *Atom) { a.Heeds = true } }

// Pure says that an atom reaches nothing outside of its inputs: they don't pay
// for the membrane.
func Pure() AtomOption { return func(a *Atom) { a.Effects = atom.Pure } }

// Define makes an atom of a function. In is a struct; its fields with the tag
//
//	`ajs:"name"`  or  `ajs:"name,optional"`
//
// are the inputs, and a tag `doc:"…"` describes one. A field is a bool, a
// number, a string, a slice or a map with string keys of these, another such
// struct, any (plain data), or a pointer to one of them (an optional input that
// may be absent). Out is what the program gets: a type of the same kinds, any,
// or struct{} for nothing.
//
//	type In struct {
//		City string `ajs:"city" doc:"where"`
//		Days int    `ajs:"days,optional"`
//	}
//	weather, err := vm.Define("weather", func(c *vm.Call, in In) (Forecast, error) { … })
func Define[In, Out any](name string, f func(c *Call, in In) (Out, error), opts ...AtomOption) (*Atom, error) {
	in, out := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if in.Kind() != reflect.Struct {
		return nil, fmt.Errorf("ajs: atom %s: the inputs are a struct, not %v", name, in)
	}
	s, err := typeToSchema(in, 0)
	if err != nil {
		return nil, fmt.Errorf("ajs: atom %s: %w", name, err)
	}
	a := &Atom{Atom: atom.Atom{Name: name, Cost: 1, Timeout: time.Second, Effects: atom.IO}, InputSchema: s}
	for i := range in.NumField() {
		n, optional, ok := fieldName(in.Field(i))
		if !ok {
			continue
		}
		props, _ := s.Get("properties")
		p, _ := props.(ast.Object).Get(n)
		a.Inputs = append(a.Inputs, atom.Input{Name: n, Required: !optional, Type: str1(p.(ast.Object), "type")})
	}
	if out.Kind() == reflect.Struct && out.NumField() == 0 && out != reflect.TypeFor[time.Time]() {
		a.Returns = "none"
	} else if out.Kind() != reflect.Interface {
		o, err := typeToSchema(out, 0)
		if err != nil {
			return nil, fmt.Errorf("ajs: atom %s: %w", name, err)
		}
		if len(o) > 0 {
			a.OutputSchema = o
			a.Returns = str1(o, "type")
		}
	}
	a.Run = func(c *Call, data ast.Object) (any, error) {
		var v In
		if err := fill(reflect.ValueOf(&v).Elem(), data); err != nil {
			return nil, err
		}
		res, err := f(c, v)
		if err != nil || a.Returns == "none" {
			return nil, err
		}
		return fromGo(reflect.ValueOf(&res).Elem(), 0)
	}
	for _, o := range opts {
		o(a)
	}
	return a, nil
}

// fieldName reads the tag of a field.
func fieldName(f reflect.StructField) (name string, optional, ok bool) {
	tag, ok := f.Tag.Lookup("ajs")
	if !ok || tag == "-" || !f.IsExported() {
		return "", false, false
	}
	name, rest, _ := strings.Cut(tag, ",")
	return name, rest == "optional" || f.Type.Kind() == reflect.Pointer, name != ""
}

const maxTypeDepth = 32

// typeToSchema is the schema of a Go type.
func typeToSchema(t reflect.Type, depth int) (ast.Object, error) {
	if depth > maxTypeDepth {
		return nil, fmt.Errorf("%v contains itself, or nests too deeply", t)
	}
	switch t {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[ast.Object]():
		return typeSchema("object"), nil
	case reflect.TypeFor[json.RawMessage]():
		return ast.Object{}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeToSchema(t.Elem(), depth+1)
	case reflect.Bool:
		return typeSchema("boolean"), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return typeSchema("integer"), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return append(typeSchema("integer"), ast.Entry{Key: "minimum", Value: 0.0}), nil
	case reflect.Float32, reflect.Float64:
		return typeSchema("number"), nil
	case reflect.String:
		return typeSchema("string"), nil
	case reflect.Interface:
		return ast.Object{}, nil
	case reflect.Slice, reflect.Array:
		e, err := typeToSchema(t.Elem(), depth+1)
		return append(typeSchema("array"), ast.Entry{Key: "items", Value: e}), err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("the keys of %v are no strings", t)
		}
		e, err := typeToSchema(t.Elem(), depth+1)
		return append(typeSchema("object"), ast.Entry{Key: "additionalProperties", Value: e}), err
	case reflect.Struct:
		props, req := ast.Object{}, []any{}
		for i := range t.NumField() {
			f := t.Field(i)
			n, optional, ok := fieldName(f)
			if !ok {
				continue
			}
			s, err := typeToSchema(f.Type, depth+1)
			if err != nil {
				return nil, err
			}
			if d := f.Tag.Get("doc"); d != "" {
				s = append(s, ast.Entry{Key: "description", Value: d})
			}
			props = append(props, ast.Entry{Key: n, Value: s})
			if !optional {
				req = append(req, n)
			}
		}
		out := append(typeSchema("object"), ast.Entry{Key: "properties", Value: props})
		if len(req) > 0 {
			out = append(out, ast.Entry{Key: "required", Value: req})
		}
		return append(out, ast.Entry{Key: "additionalProperties", Value: false}), nil
	}
	return nil, fmt.Errorf("a %v can't be an input or a result: it is no plain data", t)
}

// fill puts data that was checked against a type's schema into a value of it.
func fill(dst reflect.Value, d any) error {
	if d == nil || d == Undefined {
		return nil
	}
	bad := func() error { return &Refusal{fmt.Sprintf("the value does not fit into %v", dst.Type())} }
	switch dst.Type() {
	case reflect.TypeFor[time.Time]():
		o, _ := d.(ast.Object)
		ms, ok := o.Get("timestamp")
		f, isNum := ms.(float64)
		if !ok || !isNum || math.Abs(f) > maxTime {
			return bad()
		}
		dst.Set(reflect.ValueOf(time.UnixMilli(int64(f)).UTC()))
		return nil
	case reflect.TypeFor[ast.Object]():
		o, ok := d.(ast.Object)
		if !ok {
			return bad()
		}
		dst.Set(reflect.ValueOf(o))
		return nil
	case reflect.TypeFor[json.RawMessage]():
		b, err := ast.AppendData(nil, JSONData(d))
		dst.SetBytes(b)
		return err
	}
	switch dst.Kind() {
	case reflect.Pointer:
		p := reflect.New(dst.Type().Elem())
		if err := fill(p.Elem(), d); err != nil {
			return err
		}
		dst.Set(p)
		return nil
	case reflect.Interface:
		v := reflect.ValueOf(d)
		if !v.Type().AssignableTo(dst.Type()) {
			return bad()
		}
		dst.Set(v)
		return nil
	case reflect.Bool:
		b, ok := d.(bool)
		if !ok {
			return bad()
		}
		dst.SetBool(b)
		return nil
	case reflect.String:
		s, ok := d.(string)
		if !ok {
			return bad()
		}
		dst.SetString(s)
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f, ok := d.(float64)
		if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<63 || dst.OverflowInt(int64(f)) {
			return bad()
		}
		dst.SetInt(int64(f))
		return nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		f, ok := d.(float64)
		if !ok || f != math.Trunc(f) || f < 0 || f >= 1<<64 || dst.OverflowUint(uint64(f)) {
			return bad()
		}
		dst.SetUint(uint64(f))
		return nil
	case reflect.Float32, reflect.Float64:
		f, ok := d.(float64)
		if !ok {
			return bad()
		}
		dst.SetFloat(f)
		return nil
	case reflect.Slice, reflect.Array:
		a, ok := d.([]any)
		if !ok || dst.Kind() == reflect.Array && len(a) != dst.Len() {
			return bad()
		}
		if dst.Kind() == reflect.Slice {
			dst.Set(reflect.MakeSlice(dst.Type(), len(a), len(a)))
		}
		for i := range a {
			if err := fill(dst.Index(i), a[i]); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		o, ok := d.(ast.Object)
		if !ok {
			return bad()
		}
		dst.Set(reflect.MakeMapWithSize(dst.Type(), len(o)))
		for _, e := range o {
			v := reflect.New(dst.Type().Elem()).Elem()
			if err := fill(v, e.Value); err != nil {
				return err
			}
			dst.SetMapIndex(reflect.ValueOf(e.Key).Convert(dst.Type().Key()), v)
		}
		return nil
	case reflect.Struct:
		o, ok := d.(ast.Object)
		if !ok {
			return bad()
		}
		t := dst.Type()
		for i := range t.NumField() {
			n, _, ok := fieldName(t.Field(i))
			if !ok {
				continue
			}
			if v, ok := o.Get(n); ok {
				if err := fill(dst.Field(i), v); err != nil {
					return fmt.Errorf("%s: %w", n, err)
				}
			}
		}
		return nil
	}
	return bad()
}

// fromGo turns what a function returned into plain data: its tagged structs
// become objects; what else is in there is the membrane's to judge.
func fromGo(v reflect.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the returned value nests too deeply")
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		if e := v.Elem(); e.Kind() == reflect.Struct || v.Kind() == reflect.Interface {
			return fromGo(e, depth+1)
		}
		return fromGo(v.Elem(), depth+1)
	case reflect.Struct:
		t := v.Type()
		if t == reflect.TypeFor[time.Time]() || !tagged(t) {
			return v.Interface(), nil
		}
		o := ast.Object{}
		for i := range t.NumField() {
			n, optional, ok := fieldName(t.Field(i))
			if !ok || optional && v.Field(i).IsZero() {
				continue
			}
			d, err := fromGo(v.Field(i), depth+1)
			if err != nil {
				return nil, err
			}
			o = append(o, ast.Entry{Key: n, Value: d})
		}
		return o, nil
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[ast.Object]() || v.Type().Elem().Kind() == reflect.Uint8 || v.IsNil() {
			if v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
				return []any{}, nil
			}
			return v.Interface(), nil
		}
		out := make([]any, v.Len())
		for i := range out {
			d, err := fromGo(v.Index(i), depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = d
		}
		return out, nil
	}
	return v.Interface(), nil
}

func tagged(t reflect.Type) bool {
	for i := range t.NumField() {
		if _, _, ok := fieldName(t.Field(i)); ok {
			return true
		}
	}
	return false
}
