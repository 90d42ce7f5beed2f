package membrane

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"reflect"

	"github.com/pinfold-js/pinfold/js/conv"
)

// Value is a script value on the host's side: a copy, in the tagged form. The
// zero Value is undefined. A Value can be given to another run as it is.
// Values are immutable and safe for use by many goroutines.
type Value struct{ text []byte }

// ParseValue checks a text in the tagged form, such as one that was stored.
func ParseValue(text []byte) (Value, error) { return ParseValuePolling(text, nil) }

// ParseValuePolling is ParseValue for long texts: it asks poll now and then
// whether to go on, and returns its error unchanged.
func ParseValuePolling(text []byte, poll func() error) (Value, error) {
	g, err := readGraphPolling(string(text), poll)
	if err != nil {
		return Value{}, err
	}
	if _, ok := g.(Undefined); ok {
		return Value{}, nil
	}
	return Value{text: bytes.Clone(text)}, nil
}

// IsUndefined reports whether the value is undefined.
func (v Value) IsUndefined() bool { return v.text == nil }

const undefinedText = `{"$js":"undefined"}`

// JSON returns the tagged form: for values that JSON can hold, plain JSON with
// the properties in the script's order. The caller must not change it.
func (v Value) JSON() json.RawMessage {
	if v.text == nil {
		return json.RawMessage(undefinedText)
	}
	return v.text
}

// MarshalJSON returns the tagged form.
func (v Value) MarshalJSON() ([]byte, error) { return v.JSON(), nil }

// UnmarshalJSON reads the tagged form.
func (v *Value) UnmarshalJSON(text []byte) error {
	x, err := ParseValue(text)
	if err == nil {
		*v = x
	}
	return err
}

// String returns the tagged form.
func (v Value) String() string { return string(v.JSON()) }

// hasTags reports whether something in the text may not be plain JSON.
func (v Value) hasTags() bool { return v.text == nil || bytes.Contains(v.text, []byte(`"$js"`)) }

// Plain returns JSON for readers that know no tags, as JSON.stringify would
// write it: properties that are undefined are left out, undefined elements, NaN
// and the infinities are null, dates are their ISO text, and a shared object is
// written each time. What JSON.stringify refuses or loses altogether (BigInt,
// Map, Set, bytes, errors, cycles) keeps its tag. Undefined itself is nil.
func (v Value) Plain() (json.RawMessage, error) {
	if v.text == nil {
		return nil, nil
	}
	if !v.hasTags() {
		return v.text, nil
	}
	g, err := readGraph(string(v.text))
	if err != nil {
		return nil, err
	}
	p := plainWriter{limit: 8*len(v.text) + DefaultBytes}
	if err := p.value(g); err != nil {
		return nil, err
	}
	return p.out, nil
}

// Any returns the value as Go data: nil, bool, float64, string, *big.Int,
// time.Time, []byte, []any, *Object, *Map, *Set, *Bytes, *ErrorValue, Undefined
// or InvalidDate. An object that is shared comes out once for each reference; a
// cyclic one is an error.
func (v Value) Any() (any, error) {
	if v.text == nil {
		return Undefined{}, nil
	}
	g, err := readGraph(string(v.text))
	if err != nil {
		return nil, err
	}
	x := expander{limit: DefaultNodes}
	t, err := x.expand(g)
	if err != nil {
		return nil, rooted(err, "value")
	}
	return t, nil
}

// Decode stores the value in *into, as json.Unmarshal does with JSON: structs
// by their json tags, maps, slices, pointers. Beyond JSON, time.Time takes a
// Date, *big.Int a BigInt, []byte the bytes of a buffer, and any, *Object, *Map
// and *Set what Any returns. Undefined leaves *into as it is.
func (v Value) Decode(into any) error {
	rv := reflect.ValueOf(into)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return &Error{Path: "value", Reason: "Decode needs a pointer to store to"}
	}
	if dst, ok := into.(*Value); ok {
		*dst = v
		return nil
	}
	if v.text == nil && rv.Elem().Kind() != reflect.Interface {
		return nil
	}
	t, err := v.Any()
	if err != nil {
		return err
	}
	return rooted(assign(t, rv.Elem()), "value")
}

// plainWriter writes a graph as Plain describes.
type plainWriter struct {
	out   []byte
	limit int
	depth int
}

func (p *plainWriter) value(g any) error {
	if len(p.out) > p.limit {
		return &Error{Path: "value", Reason: "its shared objects make the text too long"}
	}
	switch g := g.(type) {
	case nil:
		p.out = append(p.out, "null"...)
	case Undefined:
		p.out = append(p.out, "null"...)
	case bool:
		if g {
			p.out = append(p.out, "true"...)
		} else {
			p.out = append(p.out, "false"...)
		}
	case float64:
		if s, special := specialNumber(g); special {
			if s == "-0" {
				p.out = append(p.out, '0')
			} else {
				p.out = append(p.out, "null"...)
			}
			break
		}
		p.out = conv.FormatNumber(p.out, g)
	case string:
		p.quote(g)
	case *big.Int:
		p.tag("bigint")
		p.quote(g.String())
		p.out = append(p.out, '}')
	case *Placeholder:
		g.write(&p.out, p.quote)
	case *node:
		if g.open {
			p.out = append(p.out, `{"$js":"cyclic"}`...)
			return nil
		}
		if p.depth++; p.depth > graphDepth {
			return &Error{Path: "value", Reason: "its shared objects nest too deep"}
		}
		g.open = true
		defer func() { p.depth--; g.open = false }()
		return p.node(g)
	}
	return nil
}

// tag begins a tagged value.
func (p *plainWriter) tag(name string) {
	p.out = append(p.out, `{"$js":"`...)
	p.out = append(p.out, name...)
	p.out = append(p.out, `","v":`...)
}

func (p *plainWriter) node(n *node) error {
	switch n.kind {
	case whatArray:
		return p.list(n.items)
	case whatDate:
		if n.date == "" {
			p.out = append(p.out, "null"...)
		} else {
			p.quote(n.date)
		}
		return nil
	case whatBytes:
		p.tag("bytes")
		p.out = append(p.out, '"')
		p.out = base64.StdEncoding.AppendEncode(p.out, n.bytes.Data)
		p.out = append(p.out, `","type":`...)
		p.quote(n.bytes.Type)
	case whatSet:
		p.tag("set")
		if err := p.list(n.items); err != nil {
			return err
		}
	case whatMap:
		p.tag("map")
		p.out = append(p.out, '[')
		for i := 0; i < len(n.items); i += 2 { //meter: on the host's time
			if i > 0 {
				p.out = append(p.out, ',')
			}
			if err := p.list(n.items[i : i+2]); err != nil {
				return err
			}
		}
		p.out = append(p.out, ']')
	case whatError:
		p.out = append(p.out, `{"$js":"error","name":`...)
		p.quote(n.err.name)
		p.out = append(p.out, `,"message":`...)
		p.quote(n.err.message)
		if n.err.hasCause {
			p.out = append(p.out, `,"cause":`...)
			if err := p.value(n.err.cause); err != nil {
				return err
			}
		}
		if n.err.errors != nil {
			p.out = append(p.out, `,"errors":`...)
			if err := p.value(n.err.errors); err != nil {
				return err
			}
		}
		if len(n.keys) > 0 {
			p.out = append(p.out, `,"props":`...)
			if err := p.members(n); err != nil {
				return err
			}
		}
	default:
		return p.members(n)
	}
	p.out = append(p.out, '}')
	return nil
}

func (p *plainWriter) list(items []any) error {
	p.out = append(p.out, '[')
	for i, it := range items { //meter: on the host's time
		if i > 0 {
			p.out = append(p.out, ',')
		}
		if err := p.value(it); err != nil {
			return err
		}
	}
	p.out = append(p.out, ']')
	return nil
}

func (p *plainWriter) members(n *node) error {
	p.out = append(p.out, '{')
	first := true
	for i, k := range n.keys { //meter: on the host's time
		if _, undefined := n.items[i].(Undefined); undefined {
			continue
		}
		if !first {
			p.out = append(p.out, ',')
		}
		first = false
		p.quote(k)
		p.out = append(p.out, ':')
		if err := p.value(n.items[i]); err != nil {
			return err
		}
	}
	p.out = append(p.out, '}')
	return nil
}

// quote writes a WTF-8 string as JSON.
func (p *plainWriter) quote(s string) {
	p.out = append(p.out, '"')
	start := 0
	for i := 0; i < len(s); i++ { //meter: on the host's time
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c != 0xED {
			continue
		}
		if c == 0xED {
			if i+2 < len(s) && s[i+1]&0xE0 == 0xA0 {
				p.out = append(p.out, s[start:i]...)
				p.out = appendUnit(p.out, uint16(c&0xF)<<12|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
				start = i + 3
				i += 2
			}
			continue
		}
		p.out = append(p.out, s[start:i]...)
		p.out = appendUnit(p.out, uint16(c))
		start = i + 1
	}
	p.out = append(p.out, s[start:]...)
	p.out = append(p.out, '"')
}
