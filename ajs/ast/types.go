package ast

// Kind is the kind of a Type.
type Kind string

// The kinds of types.
const (
	Any          Kind = "any"
	Null         Kind = "null"
	Undefined    Kind = "undefined"
	String       Kind = "string"
	Number       Kind = "number"
	Integer      Kind = "integer"
	Unsigned     Kind = "non-negative-integer"
	Boolean      Kind = "boolean"
	Array        Kind = "array"
	ObjectKind   Kind = "object"
	Union        Kind = "union"
	LiteralUnion Kind = "literal-union"
)

// Type is the type an example stands for.
type Type struct {
	Kind     Kind
	Items    *Type       // of an array
	Shape    []TypeField // of an object
	Members  []*Type     // of a union
	Values   []any       // of a literal union: all of one JSON type
	Nullable bool
}

// TypeField is one member of an object type.
type TypeField struct {
	Name     string
	Type     *Type
	Optional bool
}

// Signature is what a program says of itself.
type Signature struct {
	Name        string
	Description string
	Parameters  []Parameter
	Returns     *Type // nil if nothing is declared
}

// Parameter is one parameter. HasExample: an example or a default was written;
// for an optional parameter Example and Default both hold the default.
type Parameter struct {
	Name        string
	Type        *Type
	Required    bool
	HasDefault  bool
	Default     any
	HasExample  bool
	Example     any
	Description string
}

// Data returns the type's descriptor.
func (t *Type) Data() Object {
	o := Object{{"kind", string(t.Kind)}}
	if t.Items != nil {
		o = append(o, Entry{"items", t.Items.Data()})
	}
	if t.Kind == ObjectKind {
		shape := Object{}
		var optional []any
		for _, f := range t.Shape {
			shape = append(shape, Entry{f.Name, f.Type.Data()})
			if f.Optional {
				optional = append(optional, f.Name)
			}
		}
		o = append(o, Entry{"shape", shape})
		if optional != nil {
			o = append(o, Entry{"optional", optional})
		}
	}
	if t.Kind == Union {
		ms := make([]any, len(t.Members))
		for i, m := range t.Members {
			ms[i] = m.Data()
		}
		o = append(o, Entry{"members", ms})
	}
	if t.Kind == LiteralUnion {
		o = append(o, Entry{"values", append([]any(nil), t.Values...)})
	}
	if t.Nullable {
		o = append(o, Entry{"nullable", true})
	}
	return o
}

// Data returns the signature as JSON data.
func (s *Signature) Data() Object {
	o := Object{{"name", s.Name}}
	if s.Description != "" {
		o = append(o, Entry{"description", s.Description})
	}
	ps := Object{}
	for _, p := range s.Parameters {
		d := Object{{"name", p.Name}, {"type", p.Type.Data()}, {"required", p.Required}}
		switch {
		case p.HasDefault:
			d = append(d, Entry{"default", p.Default})
		case p.HasExample:
			d = append(d, Entry{"default", nil})
		}
		if p.HasExample {
			d = append(d, Entry{"example", p.Example})
		}
		if p.Description != "" {
			d = append(d, Entry{"description", p.Description})
		}
		ps = append(ps, Entry{p.Name, d})
	}
	o = append(o, Entry{"parameters", ps})
	if s.Returns != nil {
		o = append(o, Entry{"returns", s.Returns.Data()})
	}
	return o
}

// MarshalJSON writes the signature.
func (s *Signature) MarshalJSON() ([]byte, error) { return AppendData(nil, s.Data()) }

// MarshalJSON writes the descriptor.
func (t *Type) MarshalJSON() ([]byte, error) { return AppendData(nil, t.Data()) }

// Equal reports whether two types are the same.
func (t *Type) Equal(u *Type) bool {
	a, err1 := AppendData(nil, t.Data())
	b, err2 := AppendData(nil, u.Data())
	return err1 == nil && err2 == nil && string(a) == string(b)
}
