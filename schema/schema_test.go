package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const weather = `{
	"type": "object",
	"properties": {
		"city": {"type": "string", "minLength": 1, "description": "where"},
		"days": {"type": "integer", "minimum": 1, "maximum": 14},
		"unit": {"enum": ["celsius", "fahrenheit"]},
		"exact": {"type": "boolean"},
		"tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true},
		"at": {"type": "string", "format": "date"},
		"where": {
			"oneOf": [
				{"type": "string"},
				{"title": "by place", "type": "object", "properties": {"kind": {"const": "place"}, "name": {"type": "string"}}, "required": ["kind", "name"]},
				{"title": "by point", "type": "object", "properties": {"kind": {"const": "point"}, "lat": {"type": "number"}, "lon": {"type": "number"}}, "required": ["kind", "lat", "lon"]}
			]
		},
		"filter": {
			"anyOf": [
				{"type": "object", "properties": {"min": {"type": "number"}}, "required": ["min"], "additionalProperties": false},
				{"type": "object", "properties": {"max": {"type": "number"}, "soft": {"type": "boolean"}}, "required": ["max", "soft"], "additionalProperties": false}
			]
		}
	},
	"required": ["city", "days"],
	"additionalProperties": false
}`

// What a model reads when its arguments are wrong.
func TestProblems(t *testing.T) {
	s := schema.MustCompile(weather)
	tests := []struct{ value, want string }{
		{`{"city":"Oslo","days":3,"unit":"celsius","tags":["a","b"],"at":"2026-01-31","where":"x"}`, ""},
		{`{"city":"Oslo","days":3.0}`, ""},
		{`{"city":"Oslo","days":"12"}`, `days: expected integer, got string "12"; write 12`},
		{`{"city":"Oslo","days":"1.5"}`, `days: expected integer, got string "1.5"`},
		{`{"city":"Oslo","days":1.5}`, `days: expected integer, got number 1.5; it must be whole, such as 2`},
		{`{"city":12,"days":1}`, `city: expected string, got number 12; write "12"`},
		{`{"city":["Oslo"],"days":1}`, `city: expected string, got array of 1; write "Oslo" without the array`},
		{`{"city":"","days":1}`, `city: must not be empty`},
		{`{"city":"Oslo","days":0}`, `days: must be at least 1, got 0`},
		{`{"city":"Oslo","days":1e300}`, `days: must be at most 14, got 1e+300`},
		{`{"city":"Oslo"}`, `the key days is missing (integer); required are city and days`},
		{`{"days":1}`, `the key city is missing (string: where); required are city and days`},
		{`{"city":"Oslo","days":1,"Unit":"celsius"}`, `there is no key Unit; did you mean unit?`},
		{`{"city":"Oslo","days":1,"tgas":["a"]}`, `there is no key tgas; did you mean tags?`},
		{`{"city":"Oslo","days":1,"temperature":1}`, `there is no key temperature; there are city, days, unit, exact, tags, at, where and filter`},
		{`{"city":"Oslo","days":1,"unit":"Celsius"}`, `unit: must be one of "celsius" or "fahrenheit", got string "Celsius"; did you mean "celsius"?`},
		{`{"city":"Oslo","days":1,"unit":null}`, `unit: must be one of "celsius" or "fahrenheit", got null; leave the key out if there is no value`},
		{`{"city":null,"days":1,"exact":null}`, "city: expected string, got null\nexact: expected boolean, got null; leave the key out if there is no value"},
		{`{"city":"Oslo","days":1,"exact":"yes"}`, `exact: expected boolean, got string "yes"; write true`},
		{`{"city":"Oslo","days":1,"exact":0}`, `exact: expected boolean, got number 0; write false`},
		{`{"city":"Oslo","days":1,"tags":"a"}`, `tags: expected array, got string "a"; write ["a"]`},
		{`{"city":"Oslo","days":1,"tags":"[\"a\"]"}`, `tags: expected array, got string "[\"a\"]"; pass the value itself, not its JSON text`},
		{`{"city":"Oslo","days":1,"tags":["a",1]}`, `tags[1]: expected string, got number 1; write "1"`},
		{`{"city":"Oslo","days":1,"tags":["a","b","a"]}`, "tags: must have at most 2 items, has 3\ntags: items must differ: [0] and [2] are both \"a\""},
		{`{"city":"Oslo","days":1,"at":"31.1.2026"}`, `at: must be a date such as "2026-01-31", got string "31.1.2026"`},
		{`[1]`, `expected object, got array of 1; write {city: string, days: integer, …}`},
		{`"{\"city\":\"Oslo\"}"`, `expected object, got string "{\"city\":\"Oslo\"}"; pass the value itself, not its JSON text`},
		{`null`, `expected object, got null; write {city: string, days: integer, …}`},
		// Forms: by type, by the key that tells them apart, by the fewest problems.
		{`{"city":"Oslo","days":1,"where":5}`, `where: expected string or object, got number 5; write "5"`},
		{`{"city":"Oslo","days":1,"where":{"kind":"point","lat":1,"lon":"2"}}`, `where.lon: expected number, got string "2"; write 2`},
		{`{"city":"Oslo","days":1,"where":{"kind":"pint"}}`, `where.kind: must be one of "place" or "point", got string "pint"; did you mean "point"?`},
		{`{"city":"Oslo","days":1,"where":{"lat":1,"lon":2}}`, "where: matches none of the 3 allowed forms; the closest is form 3 (by point)\nwhere: the key kind is missing (\"point\"); required are kind, lat and lon"},
		{`{"city":"Oslo","days":1,"filter":{"min":1,"max":2}}`, "filter: matches none of the 2 allowed forms; the closest is form 1\nfilter: there is no key max; there are min"},
	}
	for _, test := range tests {
		err := s.Validate(json.RawMessage(test.value))
		if got := fmt.Sprint(err); got != test.want && (err != nil || test.want != "") {
			t.Errorf("%s\n got %s\nwant %s", test.value, got, test.want)
		}
	}
}

func TestProblemFields(t *testing.T) {
	s := schema.MustCompile(`{"properties": {"a/b~c": {"type": "array", "items": {"properties": {"x y": {"type": "null"}}}}}}`)
	err := s.Validate(json.RawMessage(`{"a/b~c": [{}, {"x y": 1}]}`))
	var e *schema.Error
	if !errors.As(err, &e) || len(e.Problems) != 1 || e.More != 0 {
		t.Fatalf("%v", err)
	}
	want := schema.Problem{Pointer: "/a~1b~0c/1/x y", Path: `["a/b~c"][1]["x y"]`, Keyword: "type", Message: "expected null, got number 1"}
	if e.Problems[0] != want {
		t.Errorf("%+v, want %+v", e.Problems[0], want)
	}
}

// The other keywords.
func TestKeywords(t *testing.T) {
	tests := []struct{ schema, value, want string }{
		{`{"not":{"type":"string"}}`, `"a"`, `must not be string, got string "a"`},
		{`{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, `the key b is missing`},
		{`{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":2}`, `the key c is missing`},
		{`{"contains":{"type":"string"},"minContains":2}`, `["a",1]`, `must have at least 2 items matching string, has 1`},
		{`{"contains":{"type":"string"},"maxContains":1}`, `["a","b"]`, `must have at most 1 item matching string, has 2`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `the key b is missing; it is required with a`},
		{`{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"a":1}`, `the key b is missing`},
		{`{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"A":1}`, `the name of the key "A" isn't allowed: must match the pattern ^[a-z]+$, got string "A"`},
		{`{"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, `{"x-a":1,"y":2}`, "x-a"},
		{`{"allOf":[{"properties":{"a":{}}}],"properties":{"b":{}},"unevaluatedProperties":false}`, `{"a":1,"b":2,"c":3}`, `there is no key c; there are b and a`},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, `the array must have at most 1 item`},
		{`{"prefixItems":[{"type":"string"}],"unevaluatedItems":{"type":"number"}}`, `["a","b"]`, `[1]: expected number, got string "b"`},
		{`{"minProperties":2}`, `{"a":1}`, `must have at least 2 keys, has 1`},
		{`{"maxProperties":0}`, `{"a":1}`, `must have at most 0 keys, has 1`},
		{`{"minItems":1}`, `[]`, `must have at least 1 item, has 0`},
		{`{"minLength":2}`, `"é"`, `must have at least 2 characters, has 1`},
		{`{"maxLength":1}`, `"😀"`, ``},
		{`{"maxLength":1}`, `"ab"`, `must have at most 1 character, has 2`},
		{`{"exclusiveMinimum":0}`, `0`, `must be more than 0, got 0`},
		{`{"exclusiveMaximum":1.5}`, `1.5`, `must be less than 1.5, got 1.5`},
		{`{"multipleOf":0.01}`, `1.15`, ``},
		{`{"multipleOf":0.01}`, `1.155`, `must be a multiple of 0.01, got 1.155`},
		{`{"multipleOf":3}`, `1e308`, `must be a multiple of 3, got 1e+308`},
		{`{"const":{"a":[1,null]}}`, `{"a":[1.0,null]}`, ``},
		{`{"const":5}`, `"5"`, `must be 5, got string "5"; write 5`},
		{`{"enum":[1,"b",null]}`, `"1"`, `must be one of 1, "b" or null, got string "1"; write 1`},
		{`{"enum":[]}`, `1`, `nothing is allowed here, got number 1`},
		{`false`, `1`, `nothing is allowed here, got number 1`},
		{`true`, `1`, ``},
		{`{}`, `1`, ``},
		{`{"type":["integer","null"]}`, `"x"`, `expected integer or null, got string "x"`},
		{`{"type":["number","integer"]}`, `"x"`, `expected number, got string "x"`},
		{`{"anyOf":[{"type":"null"},{"$ref":"#/$defs/n"}],"$defs":{"n":{"type":"number"}}}`, `"5"`, `expected null or number, got string "5"; write 5`},
		{`{"oneOf":[{"type":"number"},{"minimum":3}]}`, `5`, `matches more than one of the allowed forms: 1 and 2`},
		{`{"$ref":"#/$defs/a","maxLength":1,"$defs":{"a":{"type":"string"}}}`, `"ab"`, `must have at most 1 character, has 2`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}}`, `"ab"`, ``},
		{`{"$schema":"http://json-schema.org/draft-07/schema","items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, `the array must have at most 1 item`},
		{`{"pattern":"^\\p{Letter}+\\u0020\\d[^]$"}`, `"é 1\n"`, ``},
		{`{"pattern":"^[\\s[]$"}`, `"\u00a0"`, ``},
		{`{"pattern":"^\\S\\s$"}`, `"\ufeff "`, "must match the pattern ^\\S\\s$, got string \"\\ufeff \""},
		{`{"format":"uuid"}`, `"x"`, `must be a UUID such as "123e4567-e89b-12d3-a456-426614174000", got string "x"`},
		{`{"format":"never-heard-of"}`, `"x"`, ``},
		{`{"maximum":9007199254740992}`, `9007199254740993`, `must be at most 9007199254740992, got 9007199254740993`},
		{`{"type":"string"}`, `1e999`, `a number of a schema has at most 300 digits and a size up to 1e308`},
	}
	for _, test := range tests {
		s, err := schema.Compile(test.schema)
		if err != nil {
			t.Errorf("%s: %v", test.schema, err)
			continue
		}
		err = s.Validate(json.RawMessage(test.value))
		got := fmt.Sprint(err)
		if test.want == "x-a" {
			test.want = "[\"x-a\"]: expected string, got number 1; write \"1\"\nthere is no key y; leave it out"
		}
		if got != test.want && (err != nil || test.want != "") {
			t.Errorf("%s of %s\n got %s\nwant %s", test.value, test.schema, got, test.want)
		}
	}
}

type inner struct {
	N int `json:"n"`
}

// The forms that values come in.
func TestValues(t *testing.T) {
	any1 := schema.MustCompile(`{"type":"object","properties":{"v":{"type":["number","string","array","object","null"]}},"additionalProperties":false}`)
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	tests := []struct {
		value any
		want  string
	}{
		{1, ""}, {int64(math.MaxInt64), ""}, {uint64(math.MaxUint64), ""}, {float32(1.5), ""}, {json.Number("1e5"), ""},
		{[]any{1, "a", nil}, ""}, {[]int{1, 2}, ""}, {map[string]any{"a": 1}, ""}, {map[string]int{"a": 1}, ""},
		{membrane.NewObject("a", membrane.Undefined{}), ""}, {inner{1}, ""}, {&inner{1}, ""}, {json.RawMessage(`{"a":[1]}`), ""},
		{membrane.Undefined{}, ""}, // an absent property
		{math.NaN(), "v: NaN isn't JSON; write null or leave it out"},
		{math.Inf(-1), "v: -Infinity isn't JSON; write null or leave it out"},
		{big.NewInt(12), "v: a BigInt isn't JSON; write the number 12"},
		{big1, "v: a BigInt isn't JSON; write it as a string"},
		{[]byte("x"), "v: bytes aren't JSON; write them as a string, in base64 if they aren't text"},
		{&membrane.Bytes{Type: "Float64Array"}, "v: bytes aren't JSON; write an array of numbers or a string"},
		{time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), `v: a Date isn't JSON; write "2026-01-31T00:00:00.000Z" (date.toISOString())`},
		{membrane.InvalidDate{}, "v: an invalid Date isn't JSON; write null or a text"},
		{&membrane.Map{}, "v: a Map isn't JSON; write Object.fromEntries(map)"},
		{&membrane.Set{}, "v: a Set isn't JSON; write [...set]"},
		{&membrane.ErrorValue{}, "v: an Error isn't JSON; write its message"},
		{[]any{1, membrane.Undefined{}}, "v[1]: undefined isn't JSON; write null or a value"},
		{func() {}, "v: a Go value of type func() isn't JSON"},
		{json.Number("x"), "v: the number x is too large or too long"},
		{json.RawMessage(`{"a":1,"a":2}`), `v: the key "a" is there twice`},
	}
	for _, test := range tests {
		for _, v := range []any{membrane.NewObject("v", test.value), map[string]any{"v": test.value}} {
			err := any1.Validate(v)
			if got := fmt.Sprint(err); got != test.want && (err != nil || test.want != "") {
				t.Errorf("%T: %s, want %s", test.value, got, test.want)
			}
		}
	}
	if err := any1.Validate(membrane.Undefined{}); err == nil || err.Error() != "undefined isn't JSON; write null or a value" {
		t.Error(err)
	}
	v, err := membrane.ParseValue([]byte(`{"v":{"$js":"bigint","v":"5"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := any1.Validate(v); err == nil || err.Error() != "v: a BigInt isn't JSON; write the number 5" {
		t.Error(err)
	}
	// A value that contains itself ends.
	loop := []any{nil}
	loop[0] = loop
	if err := any1.Validate(loop); err == nil || !strings.Contains(err.Error(), "nested deeper than 500") {
		t.Error(err)
	}
	both := []any{nil, nil}
	both[0], both[1] = both, both
	if err := any1.Validate(both); err == nil || !strings.Contains(err.Error(), "nested deeper than 500") {
		t.Error(err)
	}
	wide := any("x")
	for range 25 {
		wide = []any{wide, wide}
	}
	if err := any1.Validate(wide); err == nil || !strings.HasSuffix(err.Error(), "it has more than 4000000 values") {
		t.Error(err)
	}
	// What is given isn't changed.
	o := membrane.NewObject("v", 1, "u", membrane.Undefined{})
	if err := any1.Validate(o); err != nil || o.Len() != 2 {
		t.Errorf("%v, %d keys", err, o.Len())
	}
}

func TestManyProblems(t *testing.T) {
	s := schema.MustCompile(`{"additionalProperties":{"type":"string"}}`)
	o := membrane.NewObject()
	for i := range 100 {
		o.Set(fmt.Sprintf("k%d", i), i)
	}
	var e *schema.Error
	err := s.Validate(o)
	if !errors.As(err, &e) || len(e.Problems) != 10 || e.More != 90 {
		t.Fatalf("%v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 11 || lines[0] != `k0: expected string, got number 0; write "0"` || lines[10] != "… and 90 more" {
		t.Errorf("%s", err)
	}
	// Long keys and values.
	long := strings.Repeat("é", 100_000)
	o = membrane.NewObject()
	for i := range 100 {
		o.Set(fmt.Sprint(i)+long, []any{long})
	}
	if err := s.Validate(o); len(err.Error()) > schema.MaxErrorBytes+1000 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

// The same value gives the same text each time, from maps too.
func TestStable(t *testing.T) {
	s := schema.MustCompile(weather)
	v := map[string]any{"x": 1, "y": 2, "z": 3, "days": "a", "unit": 5, "tags": []any{1, 2, 3}, "where": map[string]any{"b": 1, "a": 2}}
	want := s.Validate(v).Error()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got := s.Validate(v).Error(); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func Example() {
	s := schema.MustCompile(`{
		"type": "object",
		"properties": {
			"city": {"type": "string", "description": "in English"},
			"days": {"type": "integer", "minimum": 1, "default": 3}
		},
		"required": ["city"],
		"additionalProperties": false
	}`)
	fmt.Println(s.Validate(map[string]any{"citty": "Oslo", "days": "2"}))
	fmt.Print(s.Declaration("WeatherInput"))
	// Output:
	// the key city is missing (string: in English)
	// there is no key citty; did you mean city?
	// days: expected integer, got string "2"; write 2
	// interface WeatherInput {
	//   /** in English */
	//   city: string;
	//   /**
	//    * @default 3
	//    * @type integer
	//    * @minimum 1
	//    */
	//   days?: number;
	// }
}

func ExampleFor() {
	type Input struct {
		City string `json:"city" jsonschema:"the city, in English"`
		Days int    `json:"days,omitempty" jsonschema:"description=how far ahead,minimum=1,maximum=14"`
		Unit string `json:"unit,omitempty" jsonschema:"enum=celsius|fahrenheit"`
	}
	s, err := schema.For[Input]()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Compact(0))
	// Output:
	// { /** the city, in English */ city: string; /** how far ahead; integer, minimum 1, maximum 14 */ days?: number; unit?: "celsius" | "fahrenheit" }
}

func BenchmarkValidate(b *testing.B) {
	s := schema.MustCompile(weather)
	v := membrane.NewObject("city", "Oslo", "days", 3.0, "unit", "celsius", "tags", []any{"a", "b"}, "where", membrane.NewObject("kind", "point", "lat", 1.0, "lon", 2.0))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Validate(v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		schema.MustCompile(weather)
	}
}
