package vm

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// The caps of a schema that comes from a program.
const (
	maxSchemaNodes  = 10_000
	maxSchemaLevels = 64
)

// A schema is an admitted one: it has only keywords that take bounded time.
type schema struct {
	never      bool // the schema false
	types      uint8
	props      []property
	items      *schema
	tuple      []*schema
	additional *schema
	anyOf      []*schema
	oneOf      []*schema
	required   []string
	enum       []value
	constant   *value
	limits     []limit
	format     string
	optional   bool // x-tjs-undefined: undefined passes
	nodes      int
	declares   string // the type, for messages
}

type property struct {
	name string
	s    *schema
}

type limit struct {
	word string
	n    float64
}

const (
	typeString uint8 = 1 << iota
	typeNumber
	typeInteger
	typeBoolean
	typeObject
	typeArray
	typeNull
)

var typeBits = map[string]uint8{
	"string": typeString, "number": typeNumber, "integer": typeInteger, "boolean": typeBoolean,
	"object": typeObject, "array": typeArray, "null": typeNull,
}

var formats = []string{"email", "uuid", "uri", "ipv4", "date", "date-time", "emoji"}

var limitWords = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
	"minItems", "maxItems", "minProperties", "maxProperties"}

type schemaError struct{ path, why string }

func (e *schemaError) Error() string {
	path := e.path
	if path == "" {
		path = "the schema"
	}
	return "This schema is not available in AsyncJS (" + path + ": " + e.why + "). Guest schemas may use only the validation keywords the VM admits; for a pattern, use regexMatch (it runs on the VM's regex engine)."
}

type admitter struct{ nodes int }

// admit reads a schema, JSON data, and counts its nodes.
func admit(data any) (*schema, error) {
	a := &admitter{}
	s, err := a.schema(data, "", 0)
	if err != nil {
		return nil, err
	}
	s.nodes = a.nodes
	return s, nil
}

func (a *admitter) count(path string, n int) error {
	if a.nodes += n; a.nodes > maxSchemaNodes {
		return &schemaError{path, fmt.Sprintf("it has over %d nodes", maxSchemaNodes)}
	}
	return nil
}

func (a *admitter) schema(data any, path string, depth int) (*schema, error) {
	if depth > maxSchemaLevels {
		return nil, &schemaError{clip(path, 100), fmt.Sprintf("it nests over %d levels", maxSchemaLevels)}
	}
	if err := a.count(path, 1); err != nil {
		return nil, err
	}
	if b, ok := data.(bool); ok {
		return &schema{never: !b}, nil
	}
	o, ok := data.(ast.Object)
	if !ok {
		return nil, &schemaError{path, "a schema is an object or a boolean"}
	}
	s := &schema{}
	for _, e := range o {
		at := strings.TrimPrefix(path+"."+clip(e.Key, 60), ".")
		var err error
		bad := func(why string) error { return &schemaError{clip(at, 300), why} }
		subs := func() (out []*schema, err error) {
			list, ok := e.Value.([]any)
			if !ok {
				return nil, bad("expected an array of schemas")
			}
			if err := a.count(at, len(list)); err != nil {
				return nil, err
			}
			for i, d := range list {
				sub, err := a.schema(d, fmt.Sprintf("%s[%d]", at, i), depth+1)
				if err != nil {
					return nil, err
				}
				out = append(out, sub)
			}
			return out, nil
		}
		switch e.Key {
		case "type":
			switch t := e.Value.(type) {
			case string:
				if s.types = typeBits[t]; s.types == 0 {
					return nil, bad("unknown type")
				}
				s.declares = t
			case []any:
				if err := a.count(at, len(t)); err != nil {
					return nil, err
				}
				for _, n := range t {
					name, _ := n.(string)
					if typeBits[name] == 0 {
						return nil, bad("unknown type")
					}
					s.types |= typeBits[name]
				}
				if s.types == 0 {
					return nil, bad("no type")
				}
			default:
				return nil, bad("expected a type's name")
			}
		case "properties":
			p, ok := e.Value.(ast.Object)
			if !ok {
				return nil, bad("expected an object of schemas")
			}
			for _, f := range p {
				sub, err := a.schema(f.Value, at+"."+clip(f.Key, 60), depth+1)
				if err != nil {
					return nil, err
				}
				s.props = append(s.props, property{f.Key, sub})
			}
		case "items":
			if _, ok := e.Value.([]any); ok {
				s.tuple, err = subs()
			} else {
				s.items, err = a.schema(e.Value, at, depth+1)
			}
		case "additionalProperties":
			s.additional, err = a.schema(e.Value, at, depth+1)
		case "anyOf":
			s.anyOf, err = subs()
		case "oneOf":
			s.oneOf, err = subs()
		case "required":
			list, ok := e.Value.([]any)
			if !ok {
				return nil, bad("expected an array of names")
			}
			if err := a.count(at, len(list)); err != nil {
				return nil, err
			}
			for _, n := range list {
				name, ok := n.(string)
				if !ok {
					return nil, bad("expected an array of names")
				}
				s.required = append(s.required, name)
			}
		case "enum":
			list, ok := e.Value.([]any)
			if !ok {
				return nil, bad("expected an array")
			}
			if err := a.count(at, len(list)); err != nil {
				return nil, err
			}
			for _, d := range list {
				if !isPrimData(d) {
					return nil, bad("only strings, numbers, booleans and null")
				}
				s.enum = append(s.enum, fromData(d))
			}
			if s.enum == nil {
				s.enum = []value{}
			}
		case "const":
			if !isPrimData(e.Value) {
				return nil, bad("only strings, numbers, booleans and null")
			}
			v := fromData(e.Value)
			s.constant = &v
		case "format":
			f, _ := e.Value.(string)
			if !slices.Contains(formats, f) {
				return nil, bad("unknown format (known: " + strings.Join(formats, ", ") + ")")
			}
			s.format = f
		case "title", "description":
			if _, ok := e.Value.(string); !ok {
				return nil, bad("expected a string")
			}
		case "default", "examples":
			err = a.count(at, dataSize(e.Value))
		case "x-tjs-undefined":
			s.optional = e.Value == true
		default:
			n, ok := e.Value.(float64)
			if !slices.Contains(limitWords, e.Key) {
				return nil, bad("the keyword is not admitted")
			}
			if !ok || !isFinite(n) {
				return nil, bad("expected a finite number")
			}
			s.limits = append(s.limits, limit{e.Key, n})
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func isPrimData(d any) bool {
	switch d.(type) {
	case nil, bool, float64, string:
		return true
	}
	return false
}

// paths counts the data paths of a value, up to a bound. Its work is the count.
func (r *run) paths(v value, bound int) (int, bool) {
	n := 0
	todo := []value{v}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n++; n > bound {
			return n, true
		}
		if n%4096 == 0 && !r.poll(4096) {
			return n, false
		}
		switch v.kind {
		case arrayKind:
			if n+len(todo)+len(v.array().elems) > bound {
				return bound + 1, true
			}
			todo = append(todo, v.array().elems...)
		case objectKind:
			if n+len(todo)+len(v.object().vals) > bound {
				return bound + 1, true
			}
			todo = append(todo, v.object().vals...)
		}
	}
	return n, true
}

// check validates a value. Undefined members count as absent.
func (s *schema) check(r *run, v value) bool {
	if s == nil {
		return true
	}
	if s.never {
		return false
	}
	if !r.poll(8) {
		return false
	}
	if v.kind == undefinedKind && s.optional {
		return true
	}
	if s.types != 0 && s.types&typeOfValue(v) == 0 {
		return false
	}
	if s.constant != nil && !strictEqual(*s.constant, v) {
		return false
	}
	if s.enum != nil {
		if !r.poll(len(s.enum)) || !slices.ContainsFunc(s.enum, func(e value) bool { return strictEqual(e, v) }) {
			return false
		}
	}
	for _, l := range s.limits {
		if !l.holds(v) {
			return false
		}
	}
	if s.format != "" && v.kind == stringKind && (!r.poll(v.str().len()) || !hasFormat(s.format, v.str().text())) {
		return false
	}
	switch v.kind {
	case objectKind:
		o := v.object()
		for _, name := range s.required {
			if w, ok := o.get(name); !ok || w.kind == undefinedKind {
				return false
			}
		}
		if s.props == nil && s.additional == nil {
			break
		}
		for i, k := range o.keys {
			w := o.vals[i]
			if !r.poll(len(s.props)) {
				return false
			}
			if p := s.prop(k); p != nil {
				if w.kind != undefinedKind && !p.check(r, w) {
					return false
				}
			} else if s.additional != nil && w.kind != undefinedKind && !s.additional.check(r, w) {
				return false
			}
		}
	case arrayKind:
		for i, e := range v.array().elems {
			t := s.items
			if i < len(s.tuple) {
				t = s.tuple[i]
			}
			if t != nil && !t.check(r, e) {
				return false
			}
		}
	}
	return s.any(r, s.anyOf, v) && s.any(r, s.oneOf, v)
}

// any: a union holds if one of its members does. For oneOf, too: the members
// of a union of examples overlap, as an integer is also a number.
func (s *schema) any(r *run, list []*schema, v value) bool {
	return list == nil || slices.ContainsFunc(list, func(t *schema) bool { return t.check(r, v) })
}

func (s *schema) prop(name string) *schema {
	for i := range s.props {
		if s.props[i].name == name {
			return s.props[i].s
		}
	}
	return nil
}

func typeOfValue(v value) uint8 {
	switch v.kind {
	case stringKind:
		return typeString
	case numberKind:
		if isFinite(v.n) && v.n == math.Trunc(v.n) {
			return typeNumber | typeInteger
		}
		return typeNumber
	case boolKind:
		return typeBoolean
	case arrayKind:
		return typeArray
	case objectKind:
		return typeObject
	case nullKind:
		return typeNull
	}
	return 0
}

func (l limit) holds(v value) bool {
	switch v.kind {
	case numberKind:
		switch l.word {
		case "minimum":
			return v.n >= l.n
		case "maximum":
			return v.n <= l.n
		case "exclusiveMinimum":
			return v.n > l.n
		case "exclusiveMaximum":
			return v.n < l.n
		case "multipleOf":
			q := v.n / l.n
			return q == math.Trunc(q)
		}
	case stringKind:
		switch l.word {
		case "minLength":
			return float64(v.str().len()) >= l.n
		case "maxLength":
			return float64(v.str().len()) <= l.n
		}
	case arrayKind:
		switch l.word {
		case "minItems":
			return float64(len(v.array().elems)) >= l.n
		case "maxItems":
			return float64(len(v.array().elems)) <= l.n
		}
	case objectKind:
		switch l.word {
		case "minProperties":
			return float64(len(v.object().keys)) >= l.n
		case "maxProperties":
			return float64(len(v.object().keys)) <= l.n
		}
	}
	return true
}

var (
	emailFormat = regexp.MustCompile(`^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$`)
	uuidFormat  = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	uriFormat   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$`)
	ipv4Format  = regexp.MustCompile(`^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$`)
)

func hasFormat(format, s string) bool {
	switch format {
	case "email":
		return emailFormat.MatchString(s)
	case "uuid":
		return uuidFormat.MatchString(s)
	case "uri":
		return uriFormat.MatchString(s)
	case "ipv4":
		return ipv4Format.MatchString(s) && !strings.HasSuffix(s, ".")
	case "date":
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339Nano, s)
		return err == nil
	}
	// emoji: characters above the basic plane's text, and what joins them.
	if s == "" {
		return false
	}
	for _, c := range s {
		if c < 0x2190 && c != 0x200D && c != 0xA9 && c != 0xAE && c != 0x203C && c != 0x2049 || c == utf8.RuneError {
			return false
		}
	}
	return true
}

// toSchema reads a schema or an example that a program made: one that has a
// type name as its type, or another keyword and nothing else, is a schema.
func (r *run) toSchema(v value, op string) (*schema, any, bool) {
	d, err := r.export(v, exportLimits{bytes: 4 << 20, depth: maxSchemaLevels * 4})
	if err != nil {
		return nil, nil, r.fail(KindRefused, op, (&schemaError{"", err.Error()}).Error())
	}
	if !isSchemaData(d) {
		d = exampleSchema(d)
	}
	s, aerr := admit(d)
	if aerr != nil {
		return nil, nil, r.fail(KindRefused, op, aerr.Error())
	}
	return s, d, true
}

func isSchemaData(d any) bool {
	o, ok := d.(ast.Object)
	if !ok {
		_, isBool := d.(bool)
		return isBool && false
	}
	if t, ok := o.Get("type"); ok {
		switch t := t.(type) {
		case string:
			return typeBits[t] != 0
		case []any:
			for _, n := range t {
				if s, ok := n.(string); !ok || typeBits[s] == 0 {
					return false
				}
			}
			return len(t) > 0
		}
		return false
	}
	for _, k := range []string{"anyOf", "oneOf", "enum", "const", "$ref", "pattern", "patternProperties", "x-tjs-undefined"} {
		if _, ok := o.Get(k); ok {
			return true
		}
	}
	return len(o) == 0
}

// exampleSchema is the schema of an example.
func exampleSchema(d any) ast.Object {
	t := func(name string) ast.Object { return ast.Object{{Key: "type", Value: name}} }
	switch d := d.(type) {
	case string:
		return t("string")
	case float64:
		if d == math.Trunc(d) {
			return t("integer")
		}
		return t("number")
	case bool:
		return t("boolean")
	case []any:
		o := t("array")
		if len(d) > 0 {
			o = append(o, ast.Entry{Key: "items", Value: memberSchema(d[0])})
		}
		return o
	case ast.Object:
		props, req := ast.Object{}, []any{}
		for _, e := range d {
			props = append(props, ast.Entry{Key: e.Key, Value: memberSchema(e.Value)})
			req = append(req, e.Key)
		}
		return append(t("object"), ast.Entry{Key: "properties", Value: props}, ast.Entry{Key: "required", Value: req})
	}
	return t("null")
}

// memberSchema takes what is a schema already as it is.
func memberSchema(d any) any {
	if o, ok := d.(ast.Object); ok && len(o) > 0 && isSchemaData(o) {
		return o
	}
	return exampleSchema(d)
}

// project keeps of a value what the schema declares.
func (r *run) project(s *schema, v value) (value, bool) {
	if s == nil || !r.poll(4) {
		return v, r.err == nil
	}
	if r.fuel -= walkFuel; r.fuel <= 0 {
		return value{}, r.outOfFuel("filter")
	}
	switch v.kind {
	case objectKind:
		if s.props == nil {
			return v, true
		}
		o := newObject(len(s.props))
		for _, p := range s.props {
			if w, ok := v.object().get(p.name); ok {
				w, ok := r.project(p.s, w)
				if !ok {
					return value{}, false
				}
				o.set(p.name, w)
			}
		}
		return objectOf(o), true
	case arrayKind:
		if s.items == nil {
			return v, true
		}
		out := make([]value, 0, len(v.array().elems))
		for _, e := range v.array().elems {
			w, ok := r.project(s.items, e)
			if !ok {
				return value{}, false
			}
			out = append(out, w)
		}
		return listOf(out), true
	}
	return v, true
}

// validate charges for the check of a value and does it.
func (r *run) validate(s *schema, v value, op string) (holds, ok bool) {
	bound := min(maxPaths, maxPathSteps/max(s.nodes, 1))
	n, ok := r.paths(v, bound)
	if !ok {
		return false, false
	}
	if n > bound {
		return false, r.failf(KindInput, op, "The data is too large to validate (over %d paths for a %d-node schema)", bound, s.nodes)
	}
	if r.fuel -= checkFuel * float64(n) * float64(max(s.nodes, 1)); r.fuel <= 0 {
		return false, r.outOfFuel(op)
	}
	holds = s.check(r, v)
	return holds, r.err == nil
}

func filterGlobal(r *run, _ value, args []value) (value, bool) {
	s, _, ok := r.toSchema(args[1], "filter")
	if !ok {
		return value{}, false
	}
	holds, ok := r.validate(s, args[0], "filter")
	if !ok {
		return value{}, false
	}
	if !holds {
		return value{}, r.fail(KindType, "filter", "filter: the data does not match the schema")
	}
	t, ok := r.tree(args[0], false)
	if !ok || !r.allocate(t.bytes+64, "filter") {
		return value{}, false
	}
	return r.project(s, args[0])
}

// The Schema namespace.

var schemaSpace = &space{name: "Schema", constants: map[string]any{
	"string":    typeSchema("string"),
	"number":    typeSchema("number"),
	"integer":   typeSchema("integer"),
	"boolean":   typeSchema("boolean"),
	"null":      typeSchema("null"),
	"any":       ast.Object{},
	"undefined": ast.Object{{Key: "x-tjs-undefined", Value: true}},
	"email":     formatSchema("email"),
	"uuid":      formatSchema("uuid"),
	"ipv4":      formatSchema("ipv4"),
	"url":       formatSchema("uri"),
	"datetime":  formatSchema("date-time"),
	"date":      formatSchema("date"),
	"emoji":     formatSchema("emoji"),
}, methods: methods(
	define("object(any)", schemaBound, schemaMake("Schema.object", func(d []any) any {
		o, _ := d[0].(ast.Object)
		props, req := ast.Object{}, []any{}
		for _, e := range o {
			props = append(props, ast.Entry{Key: e.Key, Value: memberSchema(e.Value)})
			if m, ok := e.Value.(ast.Object); ok {
				if u, _ := m.Get("x-tjs-undefined"); u == true {
					continue
				}
			}
			req = append(req, e.Key)
		}
		out := ast.Object{{Key: "type", Value: "object"}, {Key: "properties", Value: props}}
		if len(req) > 0 {
			out = append(out, ast.Entry{Key: "required", Value: req})
		}
		return append(out, ast.Entry{Key: "additionalProperties", Value: false})
	})),
	define("array(any)", schemaBound, schemaMake("Schema.array", func(d []any) any {
		return ast.Object{{Key: "type", Value: "array"}, {Key: "items", Value: orSchema(d[0])}}
	})),
	define("record(any)", schemaBound, schemaMake("Schema.record", func(d []any) any {
		return ast.Object{{Key: "type", Value: "object"}, {Key: "additionalProperties", Value: orSchema(d[0])}}
	})),
	define("union(...any)", schemaBound, schemaMake("Schema.union", func(d []any) any {
		return ast.Object{{Key: "anyOf", Value: orSchemas(d)}}
	})),
	define("tuple(...any)", schemaBound, schemaMake("Schema.tuple", func(d []any) any {
		items := orSchemas(d)
		n := float64(len(items))
		return ast.Object{{Key: "type", Value: "array"}, {Key: "items", Value: items}, {Key: "minItems", Value: n}, {Key: "maxItems", Value: n}}
	})),
	define("enum(...any)", schemaBound, schemaMake("Schema.enum", func(d []any) any {
		return ast.Object{{Key: "enum", Value: spread(d)}}
	})),
	define("const(any)", schemaBound, schemaMake("Schema.const", func(d []any) any {
		return ast.Object{{Key: "const", Value: d[0]}}
	})),
	define("fromExample(any)", schemaBound, schemaMake("Schema.fromExample", func(d []any) any { return exampleSchema(d[0]) })),
	define("infer(any)", schemaBound, schemaMake("Schema.infer", func(d []any) any { return exampleSchema(d[0]) })),
	define("response(str,any)", schemaBound, responseSchema),
	define("isValid(any,any)", nil, func(r *run, _ value, args []value) (value, bool) {
		s, _, ok := r.toSchema(args[1], "Schema.isValid")
		if !ok {
			return value{}, false
		}
		holds, ok := r.validate(s, args[0], "Schema.isValid")
		return boolean(holds), ok
	}),
)}

func typeSchema(t string) ast.Object { return ast.Object{{Key: "type", Value: t}} }
func formatSchema(f string) ast.Object {
	return ast.Object{{Key: "type", Value: "string"}, {Key: "format", Value: f}}
}

func schemaBound(r *run, _ value, args []value) float64 {
	n := 256.0
	for _, a := range args {
		t, ok := r.tree(a, false)
		if !ok {
			return 0
		}
		n += 4 * t.bytes
	}
	return n
}

// orSchema takes a schema as it is, and an example as its schema.
func orSchema(d any) any {
	if isSchemaData(d) {
		return d
	}
	return exampleSchema(d)
}

// spread takes one array for its members.
func spread(d []any) []any {
	if len(d) == 1 {
		if a, ok := d[0].([]any); ok {
			return a
		}
	}
	return d
}

func orSchemas(d []any) []any {
	out := []any{}
	for _, e := range spread(d) {
		out = append(out, orSchema(e))
	}
	return out
}

// schemaMake wraps a maker of schemas: what it makes has to be admitted.
func schemaMake(op string, f func(d []any) any) bodyFunc {
	return func(r *run, _ value, args []value) (value, bool) {
		data := make([]any, len(args))
		for i, a := range args {
			d, err := r.export(a, exportLimits{bytes: 4 << 20, depth: maxSchemaLevels * 4})
			if err != nil {
				return value{}, r.fail(KindRefused, op, (&schemaError{"", err.Error()}).Error())
			}
			data[i] = d
		}
		d := f(data)
		if _, err := admit(d); err != nil {
			return value{}, r.fail(KindRefused, op, err.Error())
		}
		return fromData(d), true
	}
}

func responseSchema(r *run, this value, args []value) (value, bool) {
	s, d, ok := r.toSchema(args[1], "Schema.response")
	if !ok || s == nil {
		return value{}, false
	}
	name := args[0].str().text()
	return fromData(ast.Object{{Key: "type", Value: "json_schema"}, {Key: "json_schema", Value: ast.Object{
		{Key: "name", Value: name}, {Key: "strict", Value: true}, {Key: "schema", Value: d}}}}), true
}
