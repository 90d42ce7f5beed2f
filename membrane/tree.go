package membrane

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// Undefined is JavaScript's undefined.
type Undefined struct{}

// InvalidDate is a Date whose time value is NaN. Other dates are time.Time.
type InvalidDate struct{}

// Object is a plain object: its own properties in their order.
type Object struct {
	keys  []string
	vals  []any
	index map[string]int // made when the object is large
}

// NewObject makes an object of keys and values in turn:
// NewObject("id", 1, "name", "x"). It panics when a key isn't a string or the
// number of arguments is odd: that is a mistake of the program, not of data.
func NewObject(pairs ...any) *Object {
	if len(pairs)%2 != 0 {
		panic("membrane: NewObject needs keys and values in turn")
	}
	o := &Object{}
	for i := 0; i < len(pairs); i += 2 { //meter: a call of the host
		k, ok := pairs[i].(string)
		if !ok {
			panic("membrane: NewObject: a key isn't a string")
		}
		o.Set(k, pairs[i+1])
	}
	return o
}

// largeObject is from how many properties on an Object keeps an index.
const largeObject = 12

func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range o.keys { //meter: fewer than largeObject
		if k == key {
			return i
		}
	}
	return -1
}

// Get returns a property.
func (o *Object) Get(key string) (any, bool) {
	if i := o.find(key); i >= 0 {
		return o.vals[i], true
	}
	return nil, false
}

// Set adds a property at the end, or changes one where it stands.
func (o *Object) Set(key string, v any) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.keys = append(o.keys, key)
	o.vals = append(o.vals, v)
	switch {
	case o.index != nil:
		o.index[key] = len(o.keys) - 1
	case len(o.keys) >= largeObject:
		o.index = make(map[string]int, 2*largeObject)
		for i, k := range o.keys { //meter: once, largeObject keys
			o.index[k] = i
		}
	}
}

// Len returns the number of properties, At the one at position i.
func (o *Object) Len() int               { return len(o.keys) }
func (o *Object) At(i int) (string, any) { return o.keys[i], o.vals[i] }

// Keys returns the names of the properties in their order.
func (o *Object) Keys() []string { return append([]string(nil), o.keys...) }

// MarshalJSON writes the properties in their order.
func (o *Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys { //meter: a tree of the host, on the host's time
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		v, err := json.Marshal(o.vals[i])
		if err != nil {
			return nil, err
		}
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Map is a Map: its entries, key and value, in their order.
type Map struct{ Entries [][2]any }

// Set is a Set: its items in their order.
type Set struct{ Items []any }

// Bytes are the bytes of a typed array other than Uint8Array, which is []byte.
type Bytes struct {
	Type string // "Float64Array", "DataView", …
	Data []byte
}

// ErrorValue is an error object.
type ErrorValue struct {
	Name    string
	Message string
	Stack   string
	Cause   any     // nil if there is none; an absent cause and a null one are told apart by HasCause
	Errors  []any   // of an AggregateError
	Props   *Object // other own enumerable properties, such as code; nil if there are none

	HasCause bool
}

// Error returns "name: message".
func (e *ErrorValue) Error() string {
	switch {
	case e.Message == "":
		return e.Name
	case e.Name == "":
		return e.Message
	}
	return e.Name + ": " + e.Message
}

// specialNumber names a number that JSON can't hold.
func specialNumber(f float64) (string, bool) {
	switch {
	case f != f:
		return "NaN", true
	case math.IsInf(f, 1):
		return "Infinity", true
	case math.IsInf(f, -1):
		return "-Infinity", true
	case f == 0 && math.Signbit(f):
		return "-0", true
	}
	return "", false
}

func parseSpecial(s string) (float64, bool) {
	switch s {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	case "-0":
		return math.Copysign(0, -1), true
	}
	return 0, false
}

func formatIndex(i int) string { return strconv.Itoa(i) }
