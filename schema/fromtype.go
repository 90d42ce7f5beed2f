package schema

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/membrane"
)

// For makes the schema of a Go type: see FromType.
func For[T any]() (*Schema, error) { return FromType(reflect.TypeFor[T]()) }

// FromType makes the schema of a Go type, as package json writes and reads it:
//
//   - A struct is an object with its exported fields in their order, by their
//     json tags, and no other keys. A field is required unless it has omitempty
//     or omitzero, or the tag jsonschema says optional.
//   - A pointer may be null; a slice or map may not.
//   - time.Time is a string of the format date-time, []byte one with base64,
//     *big.Int an integer, any and json.RawMessage anything. Types with a method
//     MarshalText are strings, those with MarshalJSON anything.
//   - Types that contain themselves become definitions, but for the type itself.
//
// The tag jsonschema is described with the package. The error names the field
// whose type or tag can't be taken; it is a *CompileError.
func FromType(t reflect.Type) (*Schema, error) {
	g := generator{names: map[reflect.Type]string{}, open: map[reflect.Type]bool{}, defs: membrane.NewObject()}
	if t == nil {
		return nil, &CompileError{Reason: "there is no type"}
	}
	if t.Kind() == reflect.Struct {
		// An object at the top stays one there: protocols ask for it.
		g.root = t
	}
	doc, err := g.schema(t, 0)
	if err != nil {
		return nil, err
	}
	if g.defs.Len() > 0 {
		if o, ok := doc.(*membrane.Object); ok {
			o.Set("$defs", g.defs)
		}
	}
	return Compile(doc)
}

// generator makes the document of a type.
type generator struct {
	at    []string
	names map[reflect.Type]string // of definitions
	open  map[reflect.Type]bool   // structs that are being made
	defs  *membrane.Object
	root  reflect.Type // a struct at the top, which references call #
}

func (g *generator) fail(format string, args ...any) error {
	reason := fmt.Sprintf(format, args...)
	if len(g.at) > 0 {
		reason = "the field " + strings.Join(g.at, ".") + ": " + reason
	}
	return &CompileError{Reason: reason}
}

var (
	goTime     = reflect.TypeFor[time.Time]()
	goBig      = reflect.TypeFor[big.Int]()
	goRaw      = reflect.TypeFor[json.RawMessage]()
	goNumber   = reflect.TypeFor[json.Number]()
	goDuration = reflect.TypeFor[time.Duration]()
	goObject   = reflect.TypeFor[membrane.Object]()
	goValue    = reflect.TypeFor[membrane.Value]()

	goMarshaler = reflect.TypeFor[json.Marshaler]()
	goText      = reflect.TypeFor[encoding.TextMarshaler]()
)

// maxTypeDepth bounds how deep types may nest without containing themselves.
const maxTypeDepth = 40

func typed(name string, more ...any) *membrane.Object {
	return membrane.NewObject(append([]any{"type", name}, more...)...)
}

func (g *generator) schema(t reflect.Type, depth int) (any, error) {
	if depth > maxTypeDepth {
		return nil, g.fail("types nest deeper than %d", maxTypeDepth)
	}
	switch t {
	case goTime:
		return typed("string", "format", "date-time"), nil
	case goBig:
		return typed("integer"), nil
	case goNumber:
		return typed("number"), nil
	case goDuration:
		return typed("integer", "description", "in nanoseconds"), nil
	case goObject:
		return typed("object"), nil
	case goRaw, goValue:
		return membrane.NewObject(), nil
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		p := reflect.PointerTo(t)
		switch {
		case p.Implements(goMarshaler):
			return membrane.NewObject(), nil
		case p.Implements(goText):
			return typed("string"), nil
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return typed("boolean"), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return typed("integer"), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return typed("integer", "minimum", json.Number("0")), nil
	case reflect.Float32, reflect.Float64:
		return typed("number"), nil
	case reflect.String:
		return typed("string"), nil
	case reflect.Interface:
		return membrane.NewObject(), nil
	case reflect.Pointer:
		s, err := g.schema(t.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		return nullable(s), nil
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && t.Kind() == reflect.Slice {
			return typed("string", "contentEncoding", "base64"), nil
		}
		items, err := g.schema(t.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		s := typed("array", "items", items)
		if t.Kind() == reflect.Array {
			n := json.Number(strconv.Itoa(t.Len()))
			s.Set("minItems", n)
			s.Set("maxItems", n)
		}
		return s, nil
	case reflect.Map:
		switch k := t.Key(); k.Kind() {
		case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		default:
			if !k.Implements(goText) {
				return nil, g.fail("a map with keys of type %s isn't JSON", k)
			}
		}
		values, err := g.schema(t.Elem(), depth+1)
		if err != nil {
			return nil, err
		}
		return typed("object", "additionalProperties", values), nil
	case reflect.Struct:
		return g.structure(t, depth)
	}
	return nil, g.fail("a value of type %s isn't JSON", t)
}

// nullable lets a schema take null as well.
func nullable(s any) any {
	o, ok := s.(*membrane.Object)
	if !ok || o.Len() == 0 {
		return s
	}
	if _, isEnum := o.Get("enum"); !isEnum {
		switch t, _ := o.Get("type"); t := t.(type) {
		case string:
			if t != "null" {
				o.Set("type", []any{t, "null"})
			}
			return o
		case []any:
			if !slices.Contains(t, any("null")) {
				o.Set("type", append(t, "null"))
			}
			return o
		}
	}
	return membrane.NewObject("anyOf", []any{o, typed("null")})
}

// structure makes the schema of a struct, or a reference to it when it contains
// itself.
func (g *generator) structure(t reflect.Type, depth int) (any, error) {
	ref := func() any {
		if t == g.root {
			return membrane.NewObject("$ref", "#")
		}
		return membrane.NewObject("$ref", "#/$defs/"+escape(g.names[t]))
	}
	if g.open[t] {
		if g.names[t] == "" && t != g.root {
			g.names[t] = g.free(t)
		}
		return ref(), nil
	}
	if g.names[t] != "" {
		return ref(), nil
	}
	g.open[t] = true
	defer delete(g.open, t)
	props, required := membrane.NewObject(), []any{}
	for _, f := range fieldsOf(t) {
		g.at = append(g.at, f.name)
		s, err := g.schema(f.typ, depth+1)
		if err != nil {
			return nil, err
		}
		if f.asString {
			s = typed("string")
		}
		need := !f.omit
		if f.tag != "" {
			if s, need, err = g.tagged(s, f, need); err != nil {
				return nil, err
			}
		}
		g.at = g.at[:len(g.at)-1]
		props.Set(f.name, s)
		if need {
			required = append(required, f.name)
		}
	}
	s := typed("object", "properties", props)
	if len(required) > 0 {
		s.Set("required", required)
	}
	s.Set("additionalProperties", false)
	if g.names[t] == "" {
		return s, nil
	}
	g.defs.Set(g.names[t], s)
	return ref(), nil
}

// free returns a name for a definition that no other type has.
func (g *generator) free(t reflect.Type) string {
	name := t.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i] // of a generic type
	}
	if name == "" {
		name = "Type"
	}
	taken := func(s string) bool {
		for _, n := range g.names {
			if n == s {
				return true
			}
		}
		return false
	}
	out := name
	for i := 2; taken(out); i++ {
		out = name + strconv.Itoa(i)
	}
	return out
}

// structField is a field of a struct as package json sees it.
type structField struct {
	name     string
	typ      reflect.Type
	tag      string
	omit     bool
	asString bool
	named    bool // by a tag
	depth    int
	order    []int
}

// fieldsOf returns the fields that package json writes, in the order of the
// source: those of embedded structs count as fields of the outer one, and of
// several with one name the least nested counts.
func fieldsOf(t reflect.Type) []structField {
	var all []structField
	type embedded struct {
		t     reflect.Type
		order []int
	}
	seen := map[reflect.Type]bool{}
	for level, depth := []embedded{{t, nil}}, 0; len(level) > 0; depth++ {
		var next []embedded
		for _, e := range level {
			if seen[e.t] {
				continue
			}
			seen[e.t] = true
			for i := range e.t.NumField() {
				f := e.t.Field(i)
				tag := f.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, opts, _ := strings.Cut(tag, ",")
				order := append(slices.Clone(e.order), i)
				ft := f.Type
				if f.Anonymous {
					if ft.Kind() == reflect.Pointer {
						ft = ft.Elem()
					}
					if !f.IsExported() && ft.Kind() != reflect.Struct {
						continue
					}
					if name == "" && ft.Kind() == reflect.Struct && ft != goTime && ft != goBig {
						next = append(next, embedded{ft, order})
						continue
					}
				}
				if !f.IsExported() {
					continue
				}
				sf := structField{name: name, typ: f.Type, tag: f.Tag.Get("jsonschema"), named: name != "", depth: depth, order: order}
				if name == "" {
					sf.name = f.Name
				}
				for _, o := range strings.Split(opts, ",") {
					switch o {
					case "omitempty", "omitzero":
						sf.omit = true
					case "string":
						sf.asString = f.Type.Kind() <= reflect.Float64 || f.Type.Kind() == reflect.String
					}
				}
				all = append(all, sf)
			}
		}
		level = next
	}
	// Of fields with one name the least nested counts, then the one with a tag;
	// if that isn't one alone, none.
	best := map[string][]structField{}
	for _, f := range all {
		b := best[f.name]
		switch {
		case len(b) == 0 || f.depth == b[0].depth && f.named == b[0].named:
			best[f.name] = append(b, f)
		case f.depth < b[0].depth || f.depth == b[0].depth && f.named:
			best[f.name] = []structField{f}
		}
	}
	var out []structField
	for _, f := range all {
		if b := best[f.name]; len(b) == 1 && slices.Equal(b[0].order, f.order) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b structField) int { return slices.Compare(a.order, b.order) })
	return out
}

// tagKeys are the keys of the tag jsonschema; true for those without a value.
var tagKeys = map[string]bool{
	"title": false, "description": false, "enum": false, "default": false, "example": false, "const": false,
	"format": false, "pattern": false, "minimum": false, "maximum": false, "exclusiveMinimum": false,
	"exclusiveMaximum": false, "multipleOf": false, "minLength": false, "maxLength": false, "minItems": false,
	"maxItems": false, "uniqueItems": true, "required": true, "optional": true, "nullable": true, "deprecated": true,
}

// tagPart is one key of a tag.
type tagPart struct{ key, value string }

// splitTag reads a tag: a description, or keys with values.
func splitTag(tag string) []tagPart {
	keyOf := func(s string) (tagPart, bool) {
		k, v, hasValue := strings.Cut(s, "=")
		flag, known := tagKeys[strings.TrimSpace(k)]
		return tagPart{strings.TrimSpace(k), v}, known && (hasValue || flag)
	}
	pieces := strings.Split(tag, ",")
	if _, ok := keyOf(pieces[0]); !ok {
		return []tagPart{{"description", tag}}
	}
	var out []tagPart
	for _, piece := range pieces {
		p, ok := keyOf(piece)
		if !ok {
			out[len(out)-1].value += "," + piece
			continue
		}
		out = append(out, p)
	}
	return out
}

// tagged adds what a field's tag says to its schema.
func (g *generator) tagged(schema any, f structField, need bool) (any, bool, error) {
	o, ok := schema.(*membrane.Object)
	if !ok {
		return schema, need, nil
	}
	var enum, examples []any
	null := false
	// Words for the reader stand first.
	var words, rest []any
	for _, p := range splitTag(f.tag) {
		switch p.key {
		case "title", "description":
			words = append(words, p.key, p.value)
		case "format", "pattern":
			rest = append(rest, p.key, p.value)
		case "required":
			need = p.value != "false"
		case "optional":
			need = false
		case "nullable":
			null = true
		case "deprecated", "uniqueItems":
			rest = append(rest, p.key, true)
		case "enum":
			for _, s := range strings.Split(p.value, "|") {
				v, err := literalOf(o, s)
				if err != nil {
					return nil, false, g.fail("enum: %v", err)
				}
				enum = append(enum, v)
			}
		case "default", "const", "example":
			v, err := literalOf(o, p.value)
			if err != nil {
				return nil, false, g.fail("%s: %v", p.key, err)
			}
			if p.key == "example" {
				examples = append(examples, v)
			} else {
				rest = append(rest, p.key, v)
			}
		default:
			n := strings.TrimSpace(p.value)
			if !validNumber(n) || !goodNumber(n) {
				return nil, false, g.fail("%s: %q isn't a number", p.key, p.value)
			}
			rest = append(rest, p.key, json.Number(n))
		}
	}
	out := membrane.NewObject()
	for i := 0; i < len(words); i += 2 {
		out.Set(words[i].(string), words[i+1])
	}
	for i := range o.Len() {
		k, v := o.At(i)
		if _, twice := out.Get(k); !twice {
			out.Set(k, v)
		}
	}
	for i := 0; i < len(rest); i += 2 {
		out.Set(rest[i].(string), rest[i+1])
	}
	// The values of a slice are what an enum is about.
	target := out
	if items, ok := out.Get("items"); ok && enum != nil {
		if it, ok := items.(*membrane.Object); ok {
			target = it
		}
	}
	if enum != nil {
		if t, _ := target.Get("type"); target == out && isNullable(t) {
			enum = append(enum, nil)
		}
		target.Set("enum", enum)
	}
	if examples != nil {
		out.Set("examples", examples)
	}
	if null {
		return nullable(out), need, nil
	}
	return out, need, nil
}

func isNullable(t any) bool {
	list, ok := t.([]any)
	return ok && slices.Contains(list, any("null"))
}

// literalOf reads a value of a tag as the type of the field has it.
func literalOf(o *membrane.Object, s string) (any, error) {
	t, _ := o.Get("type")
	if list, ok := t.([]any); ok && len(list) > 0 {
		t = list[0]
	}
	switch t {
	case "string":
		return s, nil
	case "integer", "number":
		if n := strings.TrimSpace(s); validNumber(n) && goodNumber(n) {
			return json.Number(n), nil
		}
		return nil, fmt.Errorf("%q isn't a number", s)
	case "boolean":
		switch strings.TrimSpace(s) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("%q isn't true or false", s)
	case "array":
		if items, ok := o.Get("items"); ok && !strings.HasPrefix(strings.TrimSpace(s), "[") {
			if it, ok := items.(*membrane.Object); ok {
				return literalOf(it, s)
			}
		}
	}
	v, err := parse([]byte(s), MaxDepth)
	if err != nil {
		return nil, errors.New("it isn't JSON")
	}
	return v, nil
}
