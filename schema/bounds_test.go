package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/schema"
)

// What authors of tools read when their schema can't be used.
func TestCompileErrors(t *testing.T) {
	tests := []struct{ schema, want string }{
		{``, `schema (line 1, column 1): the JSON text ends too early`},
		{`{"type":"object"`, `schema (line 1, column 17): the JSON text ends too early`},
		{`{"type":}`, "it isn't JSON"},
		{`{} {}`, `there is more text after the end of the JSON`},
		{`"string"`, `schema (line 1, column 1): a schema is an object, or true or false`},
		{`[]`, `schema (line 1, column 1): a schema is an object, or true or false`},
		{`{"a":1,"a":2}`, `the key "a" is there twice`},
		{"{\n  \"properties\": {\n    \"a\": {\"type\": \"int\"}\n  }\n}", `schema /properties/a/type (line 3, column 19): must be one of "string", "number", "integer", "boolean", "object", "array" or "null", or an array of them, got string "int"; write "integer"`},
		{`{"type":"strng"}`, `did you mean "string"?`},
		{`{"type":["string",5]}`, `schema /type`},
		{`{"properties":{"a":{"minimum":"5"}}}`, `schema /properties/a/minimum (line 1, column 31): must be number, got string "5"`},
		{`{"properties":{"b":{"minLength":-1},"a":{"minimum":"5"}}}`, `schema /properties/b/minLength (line 1, column 33): must not be negative, got number -1`},
		{`{"properties":{"a":5}}`, `schema /properties/a (line 1, column 20): must be a schema (an object, true or false), got number 5`},
		{`{"properties":[]}`, `schema /properties (line 1, column 15): must be object, got array of 0`},
		{`{"required":"a"}`, `schema /required (line 1, column 13): must be array, got string "a"`},
		{`{"required":["a","a"]}`, `schema /required (line 1, column 13): its items must differ: [0] and [1] are the same`},
		{`{"enum":5}`, `schema /enum (line 1, column 9): must be array, got number 5`},
		{`{"multipleOf":0}`, `schema /multipleOf (line 1, column 15): must be more than 0, got number 0`},
		{`{"anyOf":[]}`, `schema /anyOf (line 1, column 10): must not be empty`},
		{`{"properties":{"a":{"pattern":"(?=a)"}}}`, `schema /properties/a/pattern (line 1, column 31): the regular expression "(?=a)" can't be used: (?=…) looks around`},
		{`{"pattern":"(a)\\1"}`, `refers back`},
		{`{"pattern":"("}`, `can't be used: missing closing )`},
		{`{"patternProperties":{"(":{}}}`, `the regular expression "(" can't be used`},
		{`{"pattern":"(((((x{50}){4}){4}){1}){1}y{999}){2}"}`, `can't be used`},
		{`{"pattern":"x{1001}"}`, `{1001} repeats more than 1000 times, which isn't supported; use minLength and maxLength`},
		{`{"pattern":"(abcde){999}"}`, `it is too large with its repetitions written out`},
		{`{"$ref":"#/$defs/adress","$defs":{"address":{}}}`, `schema /$ref (line 1, column 9): there is nothing at #/$defs/adress; did you mean #/$defs/address?`},
		{`{"properties":{"a":{"$ref":"#/$defs/x"}}}`, `schema /properties/a/$ref (line 1, column 28): there is nothing at #/$defs/x`},
		{`{"$ref":"#name"}`, `there is no anchor "name"`},
		{`{"$ref":"file:///etc/passwd"}`, `it refers to "file:///etc/passwd", which isn't loaded`},
		{`{"$ref":"other.json#/a"}`, `it refers to "other.json", which isn't loaded`},
		{`{"$ref":"/etc/passwd"}`, `it refers to "etc/passwd", which isn't loaded`},
		{`{"$ref":"http://169.254.169.254/"}`, `which isn't loaded`},
		{`{"$id":"file:///etc/","$ref":"passwd"}`, `which isn't loaded`},
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `references must lead to places inside the schema`},
		{`{"$schema":"http://example.com/mine"}`, `schema /$schema (line 1, column 12): "http://example.com/mine" isn't known`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, `isn't known`},
		{`{"$ref":"#"}`, `it leads back to itself for the same value`},
		{`{"anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#"}]}}}`, `it leads back to itself for the same value`},
		{`{"$id":"a","$defs":{"b":{"$id":"b","$dynamicRef":"#x","$dynamicAnchor":"x"}}}`, `a dynamic reference in a schema with several $id isn't supported`},
		{`{"minimum":1e999}`, `a number of a schema has at most 300 digits`},
		{`{"minimum":1e-999999999}`, `a number of a schema has at most 300 digits`},
		{`{"maxLength":1e300}`, ``},
		{`{"maximum":` + strings.Repeat("9", 301) + `}`, `a number of a schema has at most 300 digits`},
		{strings.Repeat(`{"not":`, 200) + `true` + strings.Repeat(`}`, 200), `it is nested deeper than 100`},
		{`{"description":"` + strings.Repeat("x", schema.MaxBytes) + `"}`, `it is larger than 262144 bytes`},
		{"{\"a\":\"\xff\"}", `the text isn't UTF-8`},
	}
	for _, test := range tests {
		_, err := schema.Compile(test.schema)
		if test.want == "" {
			if err != nil {
				t.Errorf("%.100s: %v", test.schema, err)
			}
			continue
		}
		var e *schema.CompileError
		if err == nil || !strings.Contains(err.Error(), test.want) || !errors.As(err, &e) {
			t.Errorf("%.100s\n got %v\nwant %s", test.schema, err, test.want)
		}
	}
}

// A tree has places as pointers, without lines.
func TestCompileTrees(t *testing.T) {
	tests := []struct {
		schema any
		want   string
	}{
		{nil, "schema: there is no schema"},
		{map[string]any{"properties": map[string]any{"a": map[string]any{"type": "strng"}}}, `schema /properties/a/type: must be one of`},
		{map[string]any{"enum": []any{1, 2.5, uint8(3), json.Number("4"), nil, true, "x"}, "minimum": 1}, ""},
		{membrane.NewObject("type", "string", "x", membrane.Undefined{}), ""},
		{map[string]any{"const": func() {}}, `schema /const: a func() can't be written as JSON`},
		{map[string]any{"const": &membrane.Map{}}, `schema /const: a schema is JSON: a Map isn't`},
		{map[string][]string{"required": {"a", "b"}}, ""},
		{struct {
			Type string `json:"type"`
		}{"string"}, ""},
		{true, ""}, {false, ""}, {5, "a schema is an object, or true or false"},
		{json.RawMessage(`{"type":"string"}`), ""}, {[]byte(`{"type":"string"}`), ""},
	}
	for _, test := range tests {
		_, err := schema.Compile(test.schema)
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%v: %v, want %q", test.schema, err, test.want)
		}
	}
	loop := map[string]any{}
	loop["not"] = loop
	if _, err := schema.Compile(loop); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Error(err)
	}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "MustCompile") {
			t.Errorf("panic %v", p)
		}
	}()
	schema.MustCompile(`{"type":5}`)
}

// Schemas that are small and would take for ever, or all memory, elsewhere.
func hostile() map[string]string {
	var doubling, tree, ids, refs, wide, anyOf strings.Builder
	doubling.WriteString(`{"$ref":"#/$defs/a0","$defs":{`)
	anyOf.WriteString(`{"$ref":"#/$defs/a0","$defs":{`)
	for i := range 60 {
		fmt.Fprintf(&doubling, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
		fmt.Fprintf(&anyOf, `"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	doubling.WriteString(`"a60":{}}}`)
	anyOf.WriteString(`"a60":false}}`)
	tree.WriteString(`{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}},{"patternProperties":{"a":{"$ref":"#"},"^a":{"$ref":"#"}}}]}`)
	ids.WriteString(`{"$defs":{`)
	refs.WriteString(`{"examples":[`)
	for i := range 2500 {
		if i > 0 {
			ids.WriteByte(',')
			refs.WriteByte(',')
		}
		fmt.Fprintf(&ids, `"d%d":{"$id":"i%d"}`, i, i)
		refs.WriteString(`{}`)
	}
	ids.WriteString(`}}`)
	refs.WriteString(`],"allOf":[`)
	for i := range 2000 {
		if i > 0 {
			refs.WriteByte(',')
		}
		fmt.Fprintf(&refs, `{"$ref":"#/examples/%d"}`, i)
	}
	refs.WriteString(`]}`)
	wide.WriteString(`{"type":"array","uniqueItems":true,"items":{"enum":[`)
	for i := range 20_000 {
		fmt.Fprintf(&wide, `%d,`, i)
	}
	wide.WriteString(`0]}}`)
	deep := strings.Repeat(`{"properties":{"`+strings.Repeat("k", 2000)+`":`, 45) + `{"enum":[` + strings.Repeat(`[0],`, 3000) + `0]}` + strings.Repeat(`}}`, 45)
	return map[string]string{
		"doubling": doubling.String(), "anyOf": anyOf.String(), "tree": tree.String(), "ids": ids.String(),
		"refs": refs.String(), "wide": wide.String(), "deep keys": deep,
		"pattern":     `{"type":"array","items":{"pattern":"^(([a-z])+.)+[A-Z]([a-z])+$"}}`,
		"nested":      `{"not":{"not":{"items":{"$ref":"#"},"additionalProperties":{"$ref":"#"}}}}`,
		"unevaluated": `{"$ref":"#/$defs/t","$defs":{"t":{"anyOf":[{"properties":{"a":{"$ref":"#/$defs/t"}}},{"properties":{"a":{"$ref":"#/$defs/t"}}}],"unevaluatedProperties":{"type":"string"}}}}`,
	}
}

// Each ends within the bounds: by an answer, a refusal or the limit of steps.
// The bound on the steps is what the test looks at: without one, most of these
// don't end.
func TestHostileSchemas(t *testing.T) {
	nested := any("x")
	for range 400 {
		nested = membrane.NewObject("a", nested)
	}
	long := make([]any, 30_000)
	for i := range long {
		long[i] = strings.Repeat("a", 50)
	}
	for name, text := range hostile() {
		s, err := schema.Compile(text)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		limited := 0
		for _, v := range []any{nested, long, 1.0, membrane.NewObject()} {
			err := s.Validate(v)
			var e *schema.Error
			if errors.As(err, &e) && e.Problems[0].Keyword == "limit" {
				limited++
			}
		}
		text := s.Declaration("T") + s.Type() + s.Compact(0)
		if len(text) > 400<<10 {
			t.Errorf("%s: declarations of %d bytes", name, len(text))
		}
		t.Logf("%s: %d of 4 values took too many steps, %d bytes of declarations", name, limited, len(text))
		if (name == "doubling" || name == "tree") && limited == 0 {
			t.Errorf("%s ended: it has more steps than there is time", name)
		}
	}
}
