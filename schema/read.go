package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/membrane"
)

// A document is the tree of a schema: nil, bool, json.Number, string, []any and
// *membrane.Object, which keeps the order of keys.

// readSchema makes the document of a schema and its JSON text.
// Its lines are known to the caller when it was given as text.
func readSchema(x any) (doc any, text []byte, given bool, err error) {
	switch x := x.(type) {
	case string:
		text = []byte(x)
	case []byte:
		text = bytes.Clone(x)
	case json.RawMessage:
		text = bytes.Clone(x)
	case nil:
		return nil, nil, false, &CompileError{Reason: "there is no schema"}
	default:
		d := documenter{left: MaxBytes}
		doc, err := d.document(x, 0)
		if err != nil {
			return nil, nil, false, err
		}
		text, err = json.Marshal(doc)
		if err != nil {
			return nil, nil, false, &CompileError{Reason: "it can't be written as JSON"}
		}
		if len(text) > MaxBytes {
			return nil, nil, false, tooLarge()
		}
		return doc, text, false, nil
	}
	if len(text) > MaxBytes {
		return nil, nil, false, tooLarge()
	}
	if !utf8.Valid(text) {
		return nil, nil, false, &CompileError{Reason: "the text isn't UTF-8"}
	}
	doc, err = parse(text, MaxDepth)
	if err != nil {
		return nil, nil, false, err
	}
	return doc, text, true, nil
}

func tooLarge() error {
	return &CompileError{Reason: fmt.Sprintf("it is larger than %d bytes", MaxBytes)}
}

// documenter makes a document of Go data.
type documenter struct {
	left int // bytes, about
	at   path
}

func (d *documenter) fail(reason string) error {
	return &CompileError{Pointer: d.at.pointer(), Reason: reason}
}

func (d *documenter) document(x any, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, d.fail(fmt.Sprintf("it is nested deeper than %d", MaxDepth))
	}
	if d.left -= 2; d.left < 0 {
		return nil, tooLarge()
	}
	switch x := x.(type) {
	case nil, bool:
		return x, nil
	case string:
		d.left -= len(x)
		return membrane.ValidString(x), nil
	case json.Number:
		if !goodNumber(string(x)) {
			return nil, d.fail(badNumber)
		}
		d.left -= len(x)
		return x, nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, d.fail(badNumber)
		}
		return json.Number(formatFloat(x)), nil
	case *membrane.Object:
		if x == nil {
			return nil, nil
		}
		out := membrane.NewObject()
		for i := range x.Len() {
			k, v := x.At(i)
			if _, undefined := v.(membrane.Undefined); undefined {
				continue
			}
			if err := d.member(out, k, v, depth); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		out := membrane.NewObject()
		for _, k := range keys {
			if err := d.member(out, k, x[k], depth); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		out := make([]any, 0, min(len(x), MaxBytes))
		for i, v := range x {
			d.at = append(d.at, step{index: i, isIndex: true})
			v, err := d.document(v, depth+1)
			if err != nil {
				return nil, err
			}
			d.at = d.at[:len(d.at)-1]
			out = append(out, v)
		}
		return out, nil
	case membrane.Value:
		tree, err := x.Any()
		if err != nil {
			return nil, d.fail("it isn't plain data")
		}
		return d.document(tree, depth)
	case membrane.Undefined, *membrane.Map, *membrane.Set, *membrane.Bytes, *membrane.ErrorValue, membrane.InvalidDate:
		return nil, d.fail("a schema is JSON: " + describe(x) + " isn't")
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return json.Number(strconv.FormatInt(v.Int(), 10)), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return json.Number(strconv.FormatUint(v.Uint(), 10)), nil
	}
	text, err := json.Marshal(x)
	if err != nil {
		return nil, d.fail(fmt.Sprintf("a %T can't be written as JSON", x))
	}
	if d.left -= len(text); d.left < 0 {
		return nil, tooLarge()
	}
	tree, err := parse(text, MaxDepth-depth)
	if err != nil {
		return nil, d.fail(err.(*CompileError).Reason)
	}
	return tree, nil
}

func (d *documenter) member(out *membrane.Object, k string, v any, depth int) error {
	d.left -= len(k)
	d.at = append(d.at, step{key: k})
	v, err := d.document(v, depth+1)
	if err != nil {
		return err
	}
	d.at = d.at[:len(d.at)-1]
	out.Set(membrane.ValidString(k), v)
	return nil
}

const badNumber = "a number of a schema has at most 300 digits and a size up to 1e308"

// goodNumber reports whether a number of JSON text is of a size that exact
// arithmetic can take.
func goodNumber(s string) bool {
	if len(s) > 300 {
		return false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return false
	}
	// 1e-999999999 is a float of 0 and an enormous fraction.
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		return err == nil && e > -400 && e < 400
	}
	return true
}

func formatFloat(f float64) string {
	b, err := json.Marshal(f)
	if err != nil {
		return "0"
	}
	return string(b)
}

// parser reads JSON text into a document.
type parser struct {
	dec  *json.Decoder
	text []byte
	max  int
	at   path
}

// parse reads JSON text that nests at most max deep.
func parse(text []byte, max int) (any, error) {
	p := parser{dec: json.NewDecoder(bytes.NewReader(text)), text: text, max: max}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, p.fail("there is more text after the end of the JSON")
	}
	return v, nil
}

func (p *parser) fail(reason string) error {
	line, col := place(p.text, int(p.dec.InputOffset()))
	return &CompileError{Pointer: p.at.pointer(), Reason: reason, Line: line, Column: col}
}

func (p *parser) syntax(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return p.fail("the JSON text ends too early")
	}
	if e, ok := err.(*json.SyntaxError); ok {
		line, col := place(p.text, int(e.Offset)-1)
		return &CompileError{Pointer: p.at.pointer(), Reason: "it isn't JSON: " + e.Error(), Line: line, Column: col}
	}
	return p.fail("it isn't JSON")
}

func (p *parser) value(depth int) (any, error) {
	t, err := p.dec.Token()
	if err != nil {
		return nil, p.syntax(err)
	}
	switch t := t.(type) {
	case json.Number:
		if !goodNumber(string(t)) {
			return nil, p.fail(badNumber)
		}
		return t, nil
	case json.Delim:
		if depth >= p.max {
			return nil, p.fail(fmt.Sprintf("it is nested deeper than %d", MaxDepth))
		}
		if t == '[' {
			list := []any{}
			for p.dec.More() {
				p.at = append(p.at, step{index: len(list), isIndex: true})
				v, err := p.value(depth + 1)
				if err != nil {
					return nil, err
				}
				p.at = p.at[:len(p.at)-1]
				list = append(list, v)
			}
			_, err := p.dec.Token()
			if err != nil {
				return nil, p.syntax(err)
			}
			return list, nil
		}
		obj := membrane.NewObject()
		for p.dec.More() {
			k, err := p.dec.Token()
			if err != nil {
				return nil, p.syntax(err)
			}
			key, ok := k.(string)
			if !ok {
				return nil, p.fail("a key must be a string")
			}
			if _, twice := obj.Get(key); twice {
				return nil, p.fail("the key " + quote(key) + " is there twice")
			}
			p.at = append(p.at, step{key: key})
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			p.at = p.at[:len(p.at)-1]
			obj.Set(key, v)
		}
		if _, err := p.dec.Token(); err != nil {
			return nil, p.syntax(err)
		}
		return obj, nil
	}
	return t, nil
}

// place returns the line and the column of an offset.
func place(text []byte, off int) (line, col int) {
	off = max(0, min(off, len(text)))
	before := text[:off]
	return 1 + bytes.Count(before, []byte{'\n'}), off - bytes.LastIndexByte(before, '\n')
}

// locate adds the place in the text that an error's pointer leads to.
func locate(err error, text []byte) error {
	e, ok := err.(*CompileError)
	if !ok || e.Line > 0 {
		return err
	}
	if off, ok := offsetOf(text, e.Pointer); ok {
		e.Line, e.Column = place(text, off)
	}
	return e
}

// offsetOf finds where the value of a pointer begins in a JSON text.
func offsetOf(text []byte, pointer string) (int, bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	tokens := strings.Split(pointer, "/")[1:]
	next := func() int {
		off := int(dec.InputOffset())
		for off < len(text) && strings.IndexByte(" \t\r\n:,", text[off]) >= 0 {
			off++
		}
		return off
	}
	for _, want := range tokens {
		t, err := dec.Token()
		if err != nil {
			return 0, false
		}
		found := false
		for i := 0; dec.More() && !found; i++ {
			key := strconv.Itoa(i)
			if t == json.Delim('{') {
				k, err := dec.Token()
				if err != nil {
					return 0, false
				}
				key = escape(k.(string))
			}
			if found = key == want; !found && skip(dec) != nil {
				return 0, false
			}
		}
		if !found {
			return 0, false
		}
	}
	return next(), true
}

// skip passes one value.
func skip(dec *json.Decoder) error {
	for depth := 0; ; {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// escape makes a token of a JSON pointer (RFC 6901).
func escape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func unescape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// at returns the value of a document that a pointer leads to.
func at(doc any, pointer string) (any, bool) {
	if pointer == "" {
		return doc, true
	}
	for _, t := range strings.Split(pointer, "/")[1:] {
		switch d := doc.(type) {
		case *membrane.Object:
			v, ok := d.Get(unescape(t))
			if !ok {
				return nil, false
			}
			doc = v
		case []any:
			i, err := strconv.Atoi(t)
			if err != nil || i < 0 || i >= len(d) {
				return nil, false
			}
			doc = d[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// plain makes the maps of a document that the compiler of schemas takes.
func plain(doc any) any {
	switch d := doc.(type) {
	case *membrane.Object:
		m := make(map[string]any, d.Len())
		for i := range d.Len() {
			k, v := d.At(i)
			m[k] = plain(v)
		}
		return m
	case []any:
		list := make([]any, len(d))
		for i, v := range d {
			list[i] = plain(v)
		}
		return list
	}
	return doc
}
