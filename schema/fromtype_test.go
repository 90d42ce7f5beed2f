package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/schema"
)

type (
	Tree struct {
		Name     string  `json:"name"`
		Children []*Tree `json:"children,omitempty" jsonschema:"those below"`
	}
	Base struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	}
	hidden struct {
		Shown int `json:"shown"`
	}
	Outer struct {
		Base
		*hidden
		Kind  int    `json:"kind"`
		Skip  string `json:"-"`
		Dash  string `json:"-,"` //lint:ignore SA5008 package json takes it for the name -
		Plain string
		priv  int
	}
	Left  struct{ X, Both int }
	Right struct{ Y, Both int }
	Sides struct {
		Left
		Right
	}
	Celsius     float64
	Even        struct{ A *Odd }
	Odd         struct{ B []Even }
	Page[T any] struct {
		Items []T      `json:"items"`
		Next  *Page[T] `json:"next,omitempty"`
	}
	selfMade struct{ X int }
)

func (selfMade) MarshalJSON() ([]byte, error) { return []byte(`[]`), nil }

func TestFromType(t *testing.T) {
	_ = Outer{priv: 0}.priv
	tests := []struct {
		typ  any
		want string
	}{
		{true, `{"type":"boolean"}`},
		{int8(0), `{"type":"integer"}`},
		{uint(0), `{"type":"integer","minimum":0}`},
		{Celsius(0), `{"type":"number"}`},
		{"", `{"type":"string"}`},
		{time.Time{}, `{"type":"string","format":"date-time"}`},
		{&time.Time{}, `{"type":["string","null"],"format":"date-time"}`},
		{time.Second, `{"type":"integer","description":"in nanoseconds"}`},
		{[]byte{}, `{"type":"string","contentEncoding":"base64"}`},
		{[]string{}, `{"type":"array","items":{"type":"string"}}`},
		{[2]int{}, `{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2}`},
		{map[string][]int{}, `{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}`},
		{map[int]bool{}, `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		{map[netip.Addr]bool{}, `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		{netip.Addr{}, `{"type":"string"}`},
		{json.RawMessage{}, `{}`}, {json.Number(""), `{"type":"number"}`}, {big.Int{}, `{"type":"integer"}`},
		{membrane.Object{}, `{"type":"object"}`}, {membrane.Value{}, `{}`}, {selfMade{}, `{}`},
		{new(*string), `{"type":["string","null"]}`},
		{[]any{}, `{"type":"array","items":{}}`},
		{struct{}{}, `{"type":"object","properties":{},"additionalProperties":false}`},
		{
			Outer{},
			`{"type":"object","properties":{"id":{"type":"string"},"shown":{"type":"integer"},"kind":{"type":"integer"},"-":{"type":"string"},"Plain":{"type":"string"}},"required":["id","shown","kind","-","Plain"],"additionalProperties":false}`,
		},
		{Sides{}, `{"type":"object","properties":{"X":{"type":"integer"},"Y":{"type":"integer"}},"required":["X","Y"],"additionalProperties":false}`},
		{
			Tree{},
			`{"type":"object","properties":{"name":{"type":"string"},"children":{"description":"those below","type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}},"required":["name"],"additionalProperties":false}`,
		},
		{
			[]Tree{},
			`{"type":"array","items":{"$ref":"#/$defs/Tree"},"$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},"children":{"description":"those below","type":"array","items":{"anyOf":[{"$ref":"#/$defs/Tree"},{"type":"null"}]}}},"required":["name"],"additionalProperties":false}}}`,
		},
		{
			Even{},
			`{"type":"object","properties":{"A":{"type":["object","null"],"properties":{"B":{"type":"array","items":{"$ref":"#"}}},"required":["B"],"additionalProperties":false}},"required":["A"],"additionalProperties":false}`,
		},
		{
			struct {
				P Page[int]  `json:"p"`
				Q *Page[int] `json:"q" jsonschema:"more"`
			}{},
			`{"type":"object","properties":{"p":{"$ref":"#/$defs/Page"},"q":{"description":"more","anyOf":[{"$ref":"#/$defs/Page"},{"type":"null"}]}},"required":["p","q"],"additionalProperties":false,"$defs":{"Page":{"type":"object","properties":{"items":{"type":"array","items":{"type":"integer"}},"next":{"anyOf":[{"$ref":"#/$defs/Page"},{"type":"null"}]}},"required":["items"],"additionalProperties":false}}}`,
		},
		{struct {
			A int    `json:"a,string"`
			B string `json:",omitzero"`
		}{}, `{"type":"object","properties":{"a":{"type":"string"},"B":{"type":"string"}},"required":["a"],"additionalProperties":false}`},
		// Tags.
		{struct {
			A string `json:"a" jsonschema:"the city, in English (required=no key)"`
		}{}, `{"type":"object","properties":{"a":{"description":"the city, in English (required=no key)","type":"string"}},"required":["a"],"additionalProperties":false}`},
		{struct {
			A int `json:"a" jsonschema:"title=T,description=from 1, to 9,minimum=1,maximum=9,default=3,example=4,example=5,optional"`
		}{}, `{"type":"object","properties":{"a":{"title":"T","description":"from 1, to 9","type":"integer","minimum":1,"maximum":9,"default":3,"examples":[4,5]}},"additionalProperties":false}`},
		{struct {
			A uint `json:"a,omitempty" jsonschema:"required,minimum=3"`
		}{}, `{"type":"object","properties":{"a":{"type":"integer","minimum":3}},"required":["a"],"additionalProperties":false}`},
		{struct {
			A string   `json:"a" jsonschema:"enum=x|y"`
			B *string  `json:"b" jsonschema:"enum=x,enum=y"`
			C []string `json:"c" jsonschema:"enum=x|y,minItems=1,uniqueItems"`
			D float64  `json:"d" jsonschema:"enum=1|2.5"`
			E string   `json:"e" jsonschema:"nullable,format=email,pattern=^a,b$,maxLength=5"`
			F bool     `json:"f" jsonschema:"default=true,deprecated"`
			G []int    `json:"g" jsonschema:"default=[1]"`
		}{}, `{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]},"b":{"type":["string","null"],"enum":["x","y",null]},"c":{"type":"array","items":{"type":"string","enum":["x","y"]},"minItems":1,"uniqueItems":true},"d":{"type":"number","enum":[1,2.5]},"e":{"type":["string","null"],"format":"email","pattern":"^a,b$","maxLength":5},"f":{"type":"boolean","default":true,"deprecated":true},"g":{"type":"array","items":{"type":"integer"},"default":[1]}},"required":["a","b","c","d","e","f","g"],"additionalProperties":false}`},
	}
	for _, test := range tests {
		typ := reflect.TypeOf(test.typ)
		if typ.Kind() == reflect.Pointer && typ.Elem().Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		s, err := schema.FromType(typ)
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		if got := string(s.JSON()); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", typ, got, test.want)
		}
		parses(t, typ.String(), all(s, "T"))
		again, err := schema.FromType(typ)
		if err != nil || string(again.JSON()) != string(s.JSON()) {
			t.Errorf("%s differs the second time: %v", typ, err)
		}
	}
}

func TestFromTypeErrors(t *testing.T) {
	type deep struct {
		A struct {
			B []map[string]chan int `json:"b"`
		} `json:"a"`
	}
	for _, test := range []struct {
		typ  any
		want string
	}{
		{nil, "there is no type"},
		{func() {}, "a value of type func() isn't JSON"},
		{complex(1, 1), "a value of type complex128 isn't JSON"},
		{map[[2]int]int{}, "a map with keys of type [2]int isn't JSON"},
		{deep{}, "the field a.b: a value of type chan int isn't JSON"},
		{struct {
			A int `jsonschema:"minimum=x"`
		}{}, `the field A: minimum: "x" isn't a number`},
		{struct {
			A int `jsonschema:"enum=1|x"`
		}{}, `the field A: enum: "x" isn't a number`},
		{struct {
			A bool `jsonschema:"default=yes"`
		}{}, `the field A: default: "yes" isn't true or false`},
		{struct {
			A string `jsonschema:"pattern=("`
		}{}, `can't be used: missing closing )`},
		{struct {
			A struct{ X int } `jsonschema:"default={"`
		}{}, `the field A: default: it isn't JSON`},
	} {
		_, err := schema.FromType(reflect.TypeOf(test.typ))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T: %v, want %q", test.typ, err, test.want)
		}
	}
}

// What package json writes of a Go value is what the schema of its type takes.
func TestFromTypeTakesItsValues(t *testing.T) {
	n := 5
	values := []any{
		Tree{Name: "a", Children: []*Tree{{Name: "b"}, nil}},
		Outer{Base: Base{ID: "1"}, hidden: &hidden{}},
		Page[Celsius]{Items: []Celsius{1.5}, Next: &Page[Celsius]{Items: []Celsius{}}},
		Even{A: &Odd{B: []Even{{}}}},
		struct {
			T time.Time
			N *int
			B []byte
			D time.Duration
			M map[int]*int
			A [2]uint8
			S string `json:",string"`
			R json.RawMessage
		}{T: time.Unix(0, 0), N: &n, B: []byte("x"), M: map[int]*int{1: nil}, R: json.RawMessage(`[1]`)},
	}
	for _, v := range values {
		s, err := schema.FromType(reflect.TypeOf(v))
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%T: %v\n%s", v, err, s.JSON())
		}
	}
}
