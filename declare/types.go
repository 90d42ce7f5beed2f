package declare

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/membrane"
)

// maxInline is how deep types are written inside each other.
const maxInline = 6

var (
	typeContext = reflect.TypeFor[interface {
		Deadline() (time.Time, bool)
		Done() <-chan struct{}
		Err() error
		Value(any) any
	}]()
	typeErr = reflect.TypeFor[error]()
	plain   = map[reflect.Type]string{
		reflect.TypeFor[time.Time]():            "Date",
		reflect.TypeFor[big.Int]():              "bigint",
		reflect.TypeFor[json.Number]():          "number",
		reflect.TypeFor[json.RawMessage]():      "any",
		reflect.TypeFor[membrane.Value]():       "any",
		reflect.TypeFor[membrane.Object]():      "{ [key: string]: any }",
		reflect.TypeFor[membrane.Map]():         "Map<any, any>",
		reflect.TypeFor[membrane.Set]():         "Set<any>",
		reflect.TypeFor[membrane.Bytes]():       "ArrayBuffer | ArrayBufferView",
		reflect.TypeFor[membrane.ErrorValue]():  "Error",
		reflect.TypeFor[membrane.Undefined]():   "undefined",
		reflect.TypeFor[membrane.InvalidDate](): "Date",
	}
	marshals   = reflect.TypeFor[json.Marshaler]()
	unmarshals = reflect.TypeFor[json.Unmarshaler]()
	texts      = reflect.TypeFor[encoding.TextMarshaler]()
	untexts    = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// ofType is the form of a function that its Go type gives.
func ofType(f pinfold.FunctionInfo) form {
	if f.Type == nil {
		return form{params: "(...args: any[])", result: "Promise<any>", whole: "(...args: any[]) => Promise<any>"}
	}
	var params []string
	t := f.Type
	optional := true
	for i := t.NumIn() - 1; i >= 0; i-- {
		in := t.In(i)
		if i == 0 && in.Kind() == reflect.Interface && in.Implements(typeContext) {
			break
		}
		n := i + 1
		if t.In(0).Kind() == reflect.Interface && t.In(0).Implements(typeContext) {
			n = i
		}
		p := ""
		if t.IsVariadic() && i == t.NumIn()-1 {
			p = fmt.Sprintf("...args: %s", array(typeOf(in.Elem(), true, nil)))
		} else {
			mark := ""
			switch in.Kind() {
			case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			default:
				optional = optional && in == reflect.TypeFor[membrane.Value]()
			}
			if optional {
				mark = "?"
			}
			p = fmt.Sprintf("arg%d%s: %s", n, mark, typeOf(in, true, nil))
		}
		params = append([]string{p}, params...)
	}
	result := "void"
	if t.NumOut() > 0 && t.Out(0) != typeErr {
		out := t.Out(0)
		if f.Stream {
			result = "AsyncIterable<" + typeOf(out.In(0).In(0), false, nil) + ">"
		} else {
			result = typeOf(out, false, nil)
		}
	}
	if f.Async {
		result = "Promise<" + result + ">"
	}
	x := form{params: "(" + strings.Join(params, ", ") + ")", result: result}
	x.whole = x.params + " => " + x.result
	return x
}

func array(of string) string {
	if strings.HasPrefix(of, "{") && strings.HasSuffix(of, "}") {
		return of + "[]"
	}
	if strings.ContainsAny(of, "|&") || strings.Contains(of, "=>") {
		return "(" + of + ")[]"
	}
	return of + "[]"
}

// typeOf writes a Go type as what its values are in programs: see package
// membrane.
func typeOf(t reflect.Type, in bool, open []reflect.Type) string {
	if s, ok := plain[t]; ok {
		return s
	}
	if len(open) > maxInline {
		return "any"
	}
	for _, o := range open {
		if o == t {
			return "any" // it contains itself
		}
	}
	open = append(open, t)
	if t.Kind() == reflect.Pointer {
		s := typeOf(t.Elem(), in, open)
		if s == "any" || plain[t.Elem()] != "" {
			return s
		}
		return s + " | null"
	}
	if in && reflect.PointerTo(t).Implements(untexts) || !in && t.Implements(texts) {
		return "string"
	}
	if in && reflect.PointerTo(t).Implements(unmarshals) || !in && t.Implements(marshals) {
		return "any"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && t.Kind() == reflect.Slice {
			return "Uint8Array"
		}
		return array(typeOf(t.Elem(), in, open))
	case reflect.Map:
		return "Record<string, " + typeOf(t.Elem(), in, open) + ">"
	case reflect.Struct:
		return object(t, in, open)
	}
	return "any"
}

// object writes a struct.
func object(t reflect.Type, in bool, open []reflect.Type) string {
	var fields []string
	for _, f := range reflect.VisibleFields(t) {
		tag, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Tag.Get("json") == "-" || len(f.Index) > 1 && hidden(t, f.Index) {
			continue
		}
		if f.Anonymous && tag == "" {
			ft := f.Type
			if ft.Kind() == reflect.Pointer {
				ft = ft.Elem()
			}
			if ft.Kind() == reflect.Struct && plain[ft] == "" {
				continue // its own fields follow
			}
		}
		if tag == "" {
			tag = f.Name
		}
		mark := ""
		if strings.Contains(opts, "omit") || in && f.Type.Kind() == reflect.Pointer {
			mark = "?"
		}
		fields = append(fields, name(tag)+mark+": "+typeOf(f.Type, in, open))
	}
	if len(fields) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(fields, "; ") + " }"
}

// hidden reports whether a promoted field is that of an embedded struct which has
// a name of its own.
func hidden(t reflect.Type, index []int) bool {
	for i := 1; i < len(index); i++ {
		if n, _, _ := strings.Cut(t.FieldByIndex(index[:i]).Tag.Get("json"), ","); n != "" {
			return true
		}
	}
	return false
}
