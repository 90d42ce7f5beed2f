package ast

// InputSchema is the contract of a program's arguments. Without parameters
// every argument passes.
func (s *Signature) InputSchema() Object { return ParametersSchema(s.Parameters) }

// ParametersSchema is InputSchema of a list of parameters.
func ParametersSchema(params []Parameter) Object {
	props := Object{}
	var required []any
	for _, p := range params {
		props = append(props, Entry{p.Name, p.Type.schema(inContract)})
		if p.Required {
			required = append(required, p.Name)
		}
	}
	o := Object{{"type", "object"}, {"properties", props}}
	if required != nil {
		o = append(o, Entry{"required", required})
	}
	if len(params) > 0 {
		o = append(o, Entry{"additionalProperties", false})
	}
	return o
}

// OutputSchema is the contract of the result; ok is false when nothing is
// declared or anything goes.
func (s *Signature) OutputSchema() (schema Object, ok bool) {
	if s.Returns == nil || s.Returns.open() {
		return nil, false
	}
	return s.Returns.schema(outContract), true
}

// open reports a type that takes every value.
func (t *Type) open() bool {
	return t.Kind == Any || t.Kind == Undefined
}

// ToolSchema is the JSON Schema of the parameters for a tool definition: with
// the parameters' descriptions, and nested members required unless they are
// marked optional.
func (s *Signature) ToolSchema() Object {
	props := Object{}
	required := []any{}
	for _, p := range s.Parameters {
		d := p.Type.schema(toolDefinition)
		if p.Description != "" {
			d = append(d, Entry{"description", p.Description})
		}
		props = append(props, Entry{p.Name, d})
		if p.Required {
			required = append(required, p.Name)
		}
	}
	return Object{{"type", "object"}, {"properties", props}, {"required", required}}
}

// dialect is what a schema is for.
type dialect uint8

const (
	inContract dialect = iota
	outContract
	toolDefinition
)

// Schema is the contract of one value of the type, as it stands in an
// inputSchema.
func (t *Type) Schema() Object { return t.schema(inContract) }

func (t *Type) schema(d dialect) Object {
	if !t.Nullable {
		return t.plain(d)
	}
	s := t.plain(d)
	if len(s) == 0 {
		return s
	}
	return Object{{"anyOf", []any{s, Object{{"type", "null"}}}}}
}

func (t *Type) plain(d dialect) Object {
	switch t.Kind {
	case String, Number, Boolean, Integer:
		return Object{{"type", string(t.Kind)}}
	case Unsigned:
		return Object{{"type", "integer"}, {"minimum", 0.0}}
	case Null:
		if d == toolDefinition {
			return Object{{"type", "null"}}
		}
	case Array:
		items := Object{}
		if t.Items != nil {
			items = t.Items.schema(d)
		}
		return Object{{"type", "array"}, {"items", items}}
	case ObjectKind:
		return t.object(d)
	case Union:
		ms := make([]any, len(t.Members))
		for i, m := range t.Members {
			ms[i] = m.schema(d)
		}
		// Types that overlap (integer and number) would never pass a oneOf.
		if d == toolDefinition || !t.disjoint() {
			return Object{{"anyOf", ms}}
		}
		return Object{{"oneOf", ms}}
	case LiteralUnion:
		return Object{{"enum", append([]any(nil), t.Values...)}}
	}
	return Object{}
}

// object is the schema of an object type. An input contract says that every
// member is there by the number of members, which in a closed object is the
// same and weighs nothing in a validation's cost; once a member is optional it
// needs the list.
func (t *Type) object(d dialect) Object {
	if len(t.Shape) == 0 {
		return Object{{"type", "object"}}
	}
	props := Object{}
	required := []any{}
	for _, f := range t.Shape {
		props = append(props, Entry{f.Name, f.Type.schema(d)})
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	o := Object{{"type", "object"}, {"properties", props}}
	if d != toolDefinition {
		o = append(o, Entry{"additionalProperties", false})
	}
	switch {
	case len(required) == 0:
	case d == inContract && len(required) == len(t.Shape):
		o = append(o, Entry{"minProperties", float64(len(required))})
	default:
		o = append(o, Entry{"required", required})
	}
	return o
}

// disjoint reports a union no value of which fits two members.
func (t *Type) disjoint() bool {
	seen := map[string]bool{}
	for _, m := range t.Members {
		k := string(m.Kind)
		switch m.Kind {
		case Integer, Unsigned, Number:
			k = "number"
		case String, Boolean, Array, ObjectKind:
		default:
			return false
		}
		if seen[k] || m.Nullable {
			return false
		}
		seen[k] = true
	}
	return true
}
