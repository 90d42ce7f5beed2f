package schema

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/pinfold-js/pinfold/membrane"
)

// explainInvalid says what makes a document no schema: the first of the deepest
// causes that says something.
func explainInvalid(doc any, e *jsonschema.SchemaValidationError) error {
	top, ok := e.Err.(*jsonschema.ValidationError)
	if !ok {
		return &CompileError{Reason: "it isn't a schema"}
	}
	var best *CompileError
	var look func(e *jsonschema.ValidationError, depth int)
	look = func(e *jsonschema.ValidationError, depth int) {
		if depth > 200 {
			return
		}
		// The forms of a value are told together: see formsOf.
		if forms := formsOf(doc, e); forms != nil {
			best = earlier(doc, best, forms)
			return
		}
		if k, ok := e.ErrorKind.(*kind.PropertyNames); ok {
			reason := "the name " + quote(clip(k.Property, 80)) + " isn't allowed here"
			if _, err := newPattern(k.Property); err != nil {
				reason = "the regular expression " + quote(clip(k.Property, 80)) + " can't be used: " + err.Error()
			}
			best = earlier(doc, best, &CompileError{Pointer: pointerTo(e.InstanceLocation), Reason: reason})
			return
		}
		for _, c := range e.Causes {
			look(c, depth+1)
		}
		if len(e.Causes) == 0 {
			best = earlier(doc, best, &CompileError{Pointer: pointerTo(e.InstanceLocation), Reason: invalidReason(doc, e)})
		}
	}
	look(top, 0)
	if best == nil {
		return &CompileError{Reason: "it isn't a schema"}
	}
	return best
}

// formsOf explains a value that may have one of several forms, such as type,
// which is a name or a list of names.
func formsOf(doc any, e *jsonschema.ValidationError) *CompileError {
	if _, ok := e.ErrorKind.(*kind.AnyOf); !ok {
		return nil
	}
	p := pointerTo(e.InstanceLocation)
	if !strings.HasSuffix(p, "/type") {
		return nil
	}
	v, _ := at(doc, p)
	types := []string{"string", "number", "integer", "boolean", "object", "array", "null"}
	reason := "must be one of " + list(quoteAll(types), "or") + ", or an array of them, got " + describe(v)
	if s, ok := v.(string); ok {
		if near := closest(s, types); len(near) > 0 {
			reason += "; did you mean " + quote(near[0]) + "?"
		} else if near := foreignTypes[strings.ToLower(s)]; near != "" {
			reason += "; write " + quote(near)
		}
	}
	return &CompileError{Pointer: p, Reason: reason}
}

// foreignTypes are types of other languages.
var foreignTypes = map[string]string{
	"int": "integer", "long": "integer", "int64": "integer", "float": "number", "double": "number", "decimal": "number",
	"str": "string", "text": "string", "date": "string", "bool": "boolean", "list": "array", "tuple": "array",
	"dict": "object", "map": "object", "record": "object", "none": "null", "nil": "null", "undefined": "null",
}

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return out
}

func pointerTo(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(escape(t))
	}
	return b.String()
}

// earlier returns the one of two errors that comes first in the document.
func earlier(doc any, a, b *CompileError) *CompileError {
	if a == nil {
		return b
	}
	ta, tb := strings.Split(a.Pointer, "/")[1:], strings.Split(b.Pointer, "/")[1:]
	for i := 0; i < len(ta) && i < len(tb); i++ {
		if ta[i] == tb[i] {
			if v, ok := at(doc, "/"+ta[i]); ok {
				doc = v
			}
			continue
		}
		if o, ok := doc.(*membrane.Object); ok {
			for j := range o.Len() {
				switch k, _ := o.At(j); escape(k) {
				case ta[i]:
					return a
				case tb[i]:
					return b
				}
			}
		}
		if len(ta[i]) != len(tb[i]) && len(ta[i]) > len(tb[i]) || len(ta[i]) == len(tb[i]) && ta[i] > tb[i] {
			return b
		}
		return a
	}
	switch {
	case len(tb) < len(ta):
		return b
	case len(tb) == len(ta) && b.Reason < a.Reason:
		return b
	}
	return a
}

// invalidReason says what is wrong with one keyword.
func invalidReason(doc any, e *jsonschema.ValidationError) string {
	v, _ := at(doc, pointerTo(e.InstanceLocation))
	got := ", got " + describe(v)
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		want := k.Want
		if len(want) == 2 && (want[0] == "object" && want[1] == "boolean" || want[0] == "boolean" && want[1] == "object") {
			return "must be a schema (an object, true or false)" + got
		}
		return "must be " + list(want, "or") + got
	case *kind.Enum:
		var want []string
		for _, w := range k.Want {
			want = append(want, short(w, 60))
		}
		return "must be one of " + list(want, "or") + got
	case *kind.Minimum:
		return "must not be negative" + got
	case *kind.ExclusiveMinimum:
		return "must be more than 0" + got
	case *kind.MinItems:
		return "must not be empty"
	case *kind.UniqueItems:
		return fmt.Sprintf("its items must differ: [%d] and [%d] are the same", k.Duplicates[0], k.Duplicates[1])
	case *kind.Pattern:
		return "must match " + clip(k.Want, 100) + got
	case *kind.Format:
		if k.Want == "regex" {
			s, _ := v.(string)
			if _, err := newPattern(s); err != nil {
				return "the regular expression " + quote(clip(s, 80)) + " can't be used: " + err.Error()
			}
		}
		return wrongFormat(k.Want, v)
	case *kind.Required:
		return "the key " + list(k.Missing, "and") + " is missing"
	case *kind.FalseSchema:
		return "isn't allowed here"
	}
	return "isn't as JSON Schema has it" + got
}
