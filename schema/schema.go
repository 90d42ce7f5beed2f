package schema

import (
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The bounds on schemas. What is beyond one is refused by Compile.
const (
	MaxBytes      = 256 << 10 // of the JSON text
	MaxDepth      = 100       // nesting of arrays and objects in the text
	MaxSubschemas = 3000
	MaxPatterns   = 300
)

// Schema is a compiled schema. It is immutable and safe for use by many
// goroutines.
type Schema struct {
	text []byte // the schema as JSON, keys in the order of the source
	root *node
}

// Compile compiles a schema: JSON text as []byte, string or json.RawMessage, or
// a tree of Go data (map[string]any, []any, *membrane.Object, …), or a bool. The
// order of properties, which shows in declarations and messages, is that of the
// text or of the Object; maps have their keys sorted.
//
// The error is a *CompileError.
func Compile(schema any) (*Schema, error) {
	doc, text, given, err := readSchema(schema)
	if err != nil {
		return nil, err
	}
	root, err := lower(doc)
	if err != nil && given {
		err = locate(err, text)
	}
	if err != nil {
		return nil, err
	}
	return &Schema{text: text, root: root}, nil
}

// MustCompile is Compile for schemas that are part of a program: it panics when
// the schema isn't valid.
func MustCompile(schema any) *Schema {
	s, err := Compile(schema)
	if err != nil {
		panic(fmt.Sprintf("schema: MustCompile: %v", err))
	}
	return s
}

// JSON returns the schema as JSON text, in the order of its source. The caller
// must not change it.
func (s *Schema) JSON() json.RawMessage { return s.text }

// MarshalJSON returns the schema as JSON text.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.text, nil }

// Description returns the description of the schema, or its title.
func (s *Schema) Description() string {
	if s.root.description != "" {
		return s.root.description
	}
	return s.root.title
}

// IsObject reports whether the schema takes objects and nothing else, as the
// schema of a tool's input must.
func (s *Schema) IsObject() bool {
	n := s.root
	for i := 0; i < 32 && n != nil; i++ {
		if n.types != 0 {
			return n.types == typeObject
		}
		n = n.ref
	}
	return false
}

// Validate checks a value. The error is an *Error.
func (s *Schema) Validate(v any) error { return s.validate(v) }

// CompileError says why a schema can't be used, and where in it.
type CompileError struct {
	Pointer string // JSON pointer into the schema, "" for the whole
	Reason  string
	// Line and Column lead to the place in the text, from 1, columns in bytes;
	// 0 when the schema wasn't given as text.
	Line, Column int
}

// Error returns the place and the reason.
func (e *CompileError) Error() string {
	where := "schema"
	if e.Pointer != "" {
		where += " " + quotePointer(e.Pointer)
	}
	if e.Line > 0 {
		where = fmt.Sprintf("%s (line %d, column %d)", where, e.Line, e.Column)
	}
	return where + ": " + e.Reason
}

// quotePointer shortens a pointer for a message.
func quotePointer(p string) string { return clip(p, 200) }

// Error says what is wrong with a value.
type Error struct {
	Problems []Problem // at least one, at most MaxProblems, in a stable order
	More     int       // how many problems were left out, at least
}

// The bounds on what an Error holds.
const (
	MaxProblems   = 10
	MaxErrorBytes = 4 << 10 // of the messages together
)

// Problem is one thing wrong with a value.
type Problem struct {
	Pointer string // JSON pointer into the value, "" for the whole: "/items/3/name"
	Path    string // the same as a program would write it: "items[3].name"
	Keyword string // the keyword of the schema that isn't met: "type", "required", …
	Message string // "expected number, got string \"12\"; write 12"
}

// String returns the path and the message.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Error returns the problems, one a line.
func (e *Error) Error() string {
	var b []byte
	for i, p := range e.Problems {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, p.String()...)
	}
	if e.More > 0 {
		b = fmt.Appendf(b, "\n… and %d more", e.More)
	}
	return string(b)
}

// draft is what a schema follows that names none.
var draft = jsonschema.Draft2020
