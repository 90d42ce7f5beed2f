package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/schema"
)

// reference compiles a schema with the library alone; nil if it can't.
func reference(text string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if c.AddResource("https://schema.invalid/schema", doc) != nil {
		return nil
	}
	s, err := c.Compile("https://schema.invalid/schema")
	if err != nil {
		return nil
	}
	return s
}

// generator draws schemas and values that have something to do with each other.
func drawSchema(t *rapid.T, depth int) any {
	sub := func() any { return drawSchema(t, depth-1) }
	if depth <= 0 {
		return rapid.SampledFrom([]any{true, map[string]any{"type": "string"}, map[string]any{"type": "integer"}, map[string]any{"const": 1}, false, map[string]any{"$ref": "#/$defs/d"}}).Draw(t, "leaf")
	}
	o := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		switch rapid.IntRange(0, 27).Draw(t, "keyword") {
		case 0, 1:
			o["type"] = rapid.SampledFrom([]any{"string", "number", "integer", "boolean", "null", "array", "object", []any{"string", "null"}, []any{"object", "integer"}}).Draw(t, "type")
		case 2:
			o["enum"] = []any{drawValue(t, 1), drawValue(t, 1), 1}
		case 3:
			o["const"] = drawValue(t, 1)
		case 4, 5:
			o["properties"] = map[string]any{"a": sub(), "b": sub()}
		case 6:
			o["required"] = []any{"a"}
		case 7:
			o["additionalProperties"] = sub()
		case 8:
			o["patternProperties"] = map[string]any{"^[ab]": sub()}
		case 9:
			o["items"] = sub()
		case 10:
			o["prefixItems"] = []any{sub(), sub()}
		case 11:
			o["contains"] = sub()
			if rapid.Bool().Draw(t, "bounds") {
				o["minContains"], o["maxContains"] = rapid.IntRange(0, 2).Draw(t, "min"), rapid.IntRange(0, 2).Draw(t, "max")
			}
		case 12:
			o["allOf"] = []any{sub(), sub()}
		case 13, 14:
			o["anyOf"] = []any{sub(), sub()}
		case 15, 16:
			o["oneOf"] = []any{sub(), sub()}
		case 17:
			o["not"] = sub()
		case 18:
			o["if"], o["then"], o["else"] = sub(), sub(), sub()
		case 19:
			o["minimum"], o["exclusiveMaximum"] = rapid.IntRange(-1, 2).Draw(t, "min"), 2.5
		case 20:
			o["multipleOf"] = rapid.SampledFrom([]any{1, 0.5, 0.1, 2}).Draw(t, "multiple")
		case 21:
			o["minLength"], o["maxLength"] = 1, 2
		case 22:
			o["uniqueItems"] = true
		case 23:
			o["propertyNames"] = sub()
		case 24:
			o["dependentSchemas"] = map[string]any{"a": sub()}
			o["dependentRequired"] = map[string]any{"b": []any{"a"}}
		case 25:
			o["unevaluatedProperties"] = sub()
		case 26:
			o["unevaluatedItems"] = sub()
		case 27:
			o["minItems"], o["maxProperties"] = 1, 2
		}
	}
	return o
}

func drawValue(t *rapid.T, depth int) any {
	n := 4
	if depth > 0 {
		n = 7
	}
	switch rapid.IntRange(0, n).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.SampledFrom([]any{0, 1, 2, -1, 0.5, 1.5, 0.1, 0.3, 1e300}).Draw(t, "number")
	case 3, 4:
		return rapid.SampledFrom([]any{"", "a", "ab", "abc", "é"}).Draw(t, "string")
	case 5:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	o := map[string]any{}
	for _, k := range []string{"a", "b", "c"} {
		if rapid.Bool().Draw(t, k) {
			o[k] = drawValue(t, depth-1)
		}
	}
	return o
}

// Whether a value is valid is what the library says that has nothing in common
// with the check here but the compiled schema.
func TestAgreesWithLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := drawSchema(t, 3)
		if o, ok := root.(map[string]any); ok {
			o["$defs"] = map[string]any{"d": drawSchema(t, 1)}
		}
		text, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		s, err := schema.Compile(text)
		if err != nil {
			return
		}
		ref := reference(string(text))
		if ref == nil {
			t.Fatalf("only one compiles %s", text)
		}
		for range 4 {
			v, err := json.Marshal(drawValue(t, 3))
			if err != nil {
				t.Fatal(err)
			}
			doc, _ := jsonschema.UnmarshalJSON(bytes.NewReader(v))
			got, want := s.Validate(json.RawMessage(v)), ref.Validate(doc)
			if (got == nil) != (want == nil) {
				t.Fatalf("%s of %s:\nhere %v\nthere %v", v, text, got, want)
			}
		}
	})
}

func FuzzValidate(f *testing.F) {
	for _, s := range []string{weather, `{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#"}}}}`, `{"anyOf":[{"pattern":"^a"},{"const":1e5}]}`, `{"unevaluatedProperties":false,"allOf":[{"properties":{"a":true}}]}`} {
		for _, v := range []string{`{"city":"Oslo","days":1}`, `[[[]]]`, `"a"`, `1e5`, `{"a":{}}`} {
			f.Add(s, v)
		}
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := schema.Compile(text)
		if err != nil {
			var e *schema.CompileError
			if !errors.As(err, &e) || e.Reason == "" || len(err.Error()) > 2000 {
				t.Fatalf("Compile: %v", err)
			}
			return
		}
		err = s.Validate(json.RawMessage(value))
		again := s.Validate(json.RawMessage(value))
		if err == nil {
			if again != nil {
				t.Fatalf("valid once: %v", again)
			}
			return
		}
		var e *schema.Error
		switch {
		case !errors.As(err, &e) || len(e.Problems) == 0 || len(e.Problems) > schema.MaxProblems:
			t.Fatalf("Validate: %v", err)
		case len(err.Error()) > schema.MaxErrorBytes+2000:
			t.Fatalf("an error of %d bytes", len(err.Error()))
		case again == nil || again.Error() != err.Error():
			t.Fatalf("not the same twice: %v\n%v", err, again)
		}
		for _, p := range e.Problems {
			if p.Message == "" || p.Keyword == "" || strings.ContainsAny(p.Message, "\n\r") {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func FuzzDeclaration(f *testing.F) {
	for _, s := range []string{weather, `{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#"}}}}`, `{"description":"*/","enum":["*/",{"a":1}]}`, `{"prefixItems":[{"anyOf":[{},{"type":"null"}]}],"items":{"type":["string","object"],"properties":{"":{"title":"\n"}}}}`} {
		f.Add(s, "Name")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		s, err := schema.Compile(text)
		if err != nil {
			return
		}
		got := all(s, name)
		if got != all(s, name) {
			t.Fatal("not the same twice")
		}
		if len(got) > 3*(math.MaxUint16+schema.MaxBytes)+2000 {
			t.Fatalf("%d bytes", len(got))
		}
		prog, err := syntax.Parse("x.ts", got, syntax.Options{Goal: syntax.Module, TypeScript: true, MaxDepth: 100_000})
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		for _, n := range prog.Body {
			switch n.(type) {
			case *syntax.TSInterfaceDeclaration, *syntax.TSTypeAliasDeclaration:
			default:
				t.Fatalf("%T in\n%s", n, got)
			}
		}
	})
}
