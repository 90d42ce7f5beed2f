package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/membrane"
)

// maxValueDepth is how deep a value may nest. Values of scripts nest less.
const maxValueDepth = 500

// normaliser brings a value into the form that is checked: nil, bool, float64,
// json.Number (whole numbers that a float64 doesn't hold, or numbers of JSON
// text), string, []any, *membrane.Object without undefined. What is in that form
// already isn't copied.
type normaliser struct {
	at    path
	bad   *collector
	nodes int
}

// maxNodes bounds the values in a value: those of scripts have fewer, but Go data
// can refer to a part of itself again and again.
const maxNodes = 4_000_000

// full reports whether no more has to be looked at: enough is wrong.
func (z *normaliser) full() bool { return z.nodes > maxNodes || len(z.bad.found) >= MaxProblems }

func (z *normaliser) refuse(msg string) any {
	z.bad.add(found{at: z.at, keyword: "value", msg: msg})
	return nil
}

// value returns the value and whether it differs from x.
func (z *normaliser) value(x any) (any, bool) {
	if z.full() {
		return nil, true
	}
	if z.nodes++; z.nodes > maxNodes {
		return z.refuse(fmt.Sprintf("it has more than %d values", maxNodes)), true
	}
	switch x := x.(type) {
	case nil, bool, string:
		return x, false
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return z.refuse(describe(x) + " isn't JSON; write null or leave it out"), true
		}
		return x, false
	case *membrane.Object:
		if x == nil {
			return nil, true
		}
		return z.object(x)
	case []any:
		if len(z.at) >= maxValueDepth {
			return z.refuse(fmt.Sprintf("it is nested deeper than %d", maxValueDepth)), true
		}
		out, changed := x, false
		for i, v := range x {
			z.at = append(z.at, step{index: i, isIndex: true})
			w, differs := z.value(v)
			z.at = z.at[:len(z.at)-1]
			if differs && !changed {
				out, changed = slices.Clone(x), true
			}
			if differs {
				out[i] = w
			}
			if z.full() {
				break
			}
		}
		return out, changed
	case membrane.Undefined:
		return z.refuse("undefined isn't JSON; write null or a value"), true
	case *membrane.Map:
		return z.refuse("a Map isn't JSON; write Object.fromEntries(map)"), true
	case *membrane.Set:
		return z.refuse("a Set isn't JSON; write [...set]"), true
	case []byte:
		return z.refuse("bytes aren't JSON; write them as a string, in base64 if they aren't text"), true
	case *membrane.Bytes:
		return z.refuse("bytes aren't JSON; write an array of numbers or a string"), true
	case *big.Int:
		if x == nil {
			return nil, true
		}
		return z.refuse("a BigInt isn't JSON; write " + bigHint(x)), true
	case time.Time:
		return z.refuse("a Date isn't JSON; write " + quote(x.UTC().Format("2006-01-02T15:04:05.000Z")) + " (date.toISOString())"), true
	case membrane.InvalidDate:
		return z.refuse("an invalid Date isn't JSON; write null or a text"), true
	case *membrane.ErrorValue:
		return z.refuse("an Error isn't JSON; write its message"), true
	}
	return z.foreign(x), true
}

// bigHint says how to write a BigInt.
func bigHint(x *big.Int) string {
	if x.IsInt64() && x.Int64() > -1<<53 && x.Int64() < 1<<53 {
		return "the number " + x.String()
	}
	return "it as a string"
}

// foreign takes values of Go that package membrane doesn't hand out.
func (z *normaliser) foreign(x any) any {
	switch x := x.(type) {
	case membrane.Value:
		tree, err := x.Any()
		if err != nil {
			return z.refuse("it can't be copied: " + clip(err.Error(), 200))
		}
		v, _ := z.value(tree)
		return v
	case json.Number:
		if !validNumber(string(x)) || !goodNumber(string(x)) {
			return z.refuse("the number " + clip(string(x), 40) + " is too large or too long")
		}
		return simplest(x)
	case json.RawMessage:
		return z.text(x)
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		o := membrane.NewObject()
		for _, k := range keys {
			o.Set(k, x[k])
		}
		v, _ := z.object(o)
		return v
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if _, special := x.(json.Marshaler); !special {
			return simplest(json.Number(strconv.FormatInt(v.Int(), 10)))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if _, special := x.(json.Marshaler); !special {
			return simplest(json.Number(strconv.FormatUint(v.Uint(), 10)))
		}
	}
	text, err := json.Marshal(x)
	if err != nil {
		return z.refuse(fmt.Sprintf("a Go value of type %T isn't JSON", x))
	}
	return z.text(text)
}

func (z *normaliser) text(text []byte) any {
	p := parser{dec: json.NewDecoder(bytes.NewReader(text)), text: text, max: maxValueDepth - len(z.at)}
	p.dec.UseNumber()
	tree, err := p.value(0)
	if err != nil {
		return z.refuse(err.(*CompileError).Reason)
	}
	v, _ := z.value(tree)
	return v
}

func (z *normaliser) object(x *membrane.Object) (any, bool) {
	if len(z.at) >= maxValueDepth {
		return z.refuse(fmt.Sprintf("it is nested deeper than %d", maxValueDepth)), true
	}
	var copied *membrane.Object
	for i := range x.Len() {
		if z.full() {
			break
		}
		k, v := x.At(i)
		_, undefined := v.(membrane.Undefined)
		var w any
		differs := undefined
		if !undefined {
			z.at = append(z.at, step{key: k})
			w, differs = z.value(v)
			z.at = z.at[:len(z.at)-1]
		}
		if differs && copied == nil {
			copied = membrane.NewObject()
			for j := range i {
				copied.Set(x.At(j))
			}
		}
		if copied != nil && !undefined {
			copied.Set(k, w)
		}
	}
	if copied == nil {
		return x, false
	}
	return copied, true
}

// validNumber reports whether s is a number of JSON.
func validNumber(s string) bool {
	return s != "" && strings.IndexByte("-0123456789", s[0]) >= 0 && json.Valid([]byte(s))
}

// simplest makes a float64 of a number if that is the same number.
func simplest(n json.Number) any {
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return n
	}
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		if i > -1<<53 && i < 1<<53 {
			return f
		}
		return n
	}
	if formatFloat(f) == string(n) || rational(f).Cmp(rational(n)) == 0 {
		return f
	}
	return n
}

// rational is the number that a value's shortest decimal text stands for: 0.1 is
// a tenth.
func rational(v any) *big.Rat {
	s := ""
	switch v := v.(type) {
	case float64:
		s = strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		s = string(v)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return new(big.Rat)
	}
	return r
}

func isNumber(v any) bool {
	switch v.(type) {
	case float64, json.Number:
		return true
	}
	return false
}

func isWhole(v any) bool {
	switch v := v.(type) {
	case float64:
		return v == math.Trunc(v)
	case json.Number:
		return rational(v).IsInt()
	}
	return false
}

// compare compares a number with a bound.
func compare(v any, b *bound) int {
	if f, ok := v.(float64); ok {
		// Rounding keeps the order.
		switch {
		case f < b.near:
			return -1
		case f > b.near:
			return 1
		}
	}
	return rational(v).Cmp(b.exact)
}

// isMultiple reports whether a number is a multiple of a bound, which is
// positive.
func isMultiple(v any, b *bound) bool {
	if f, ok := v.(float64); ok && b.small && math.Abs(f) < 1<<53 {
		if f != math.Trunc(f) {
			return false
		}
		return int64(f)%b.whole == 0
	}
	return new(big.Rat).Quo(rational(v), b.exact).IsInt()
}

// equal reports whether two values of JSON are the same. work is called with
// the cost of each step.
func equal(a, b any, work func(int)) bool {
	if work != nil {
		work(1)
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case string:
		b, ok := b.(string)
		return ok && a == b
	case float64, json.Number:
		if !isNumber(b) {
			return false
		}
		if x, ok := a.(float64); ok {
			if y, ok := b.(float64); ok {
				return x == y
			}
		}
		if a == b {
			return true
		}
		return rational(a).Cmp(rational(b)) == 0
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i], work) {
				return false
			}
		}
		return true
	case *membrane.Object:
		b, ok := b.(*membrane.Object)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			k, v := a.At(i)
			w, ok := b.Get(k)
			if !ok || !equal(v, w, work) {
				return false
			}
		}
		return true
	}
	return false
}

// appendKey appends a text that is the same for equal values only.
func appendKey(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 'n')
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return strconv.AppendQuote(b, v)
	case float64:
		if v == 0 {
			v = 0 // not -0
		}
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case json.Number:
		r := rational(v)
		if f, _ := r.Float64(); rational(f).Cmp(r) == 0 {
			return appendKey(b, f)
		}
		return append(b, r.String()...)
	case []any:
		b = append(b, '[')
		for _, it := range v {
			b = append(appendKey(b, it), ',')
		}
		return append(b, ']')
	case *membrane.Object:
		keys := v.Keys()
		slices.Sort(keys)
		b = append(b, '{')
		for _, k := range keys {
			it, _ := v.Get(k)
			b = append(strconv.AppendQuote(b, k), ':')
			b = append(appendKey(b, it), ',')
		}
		return append(b, '}')
	}
	return b
}

// quote writes a string as JSON, as programs write it.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return directions.Replace(strings.TrimSuffix(b.String(), "\n"))
}

// directions escapes the characters that change the order in which a text is
// shown, so that a reader sees what is there.
var directions = func() *strings.Replacer {
	var pairs []string
	for _, r := range "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff" {
		pairs = append(pairs, string(r), fmt.Sprintf(`\u%04x`, r))
	}
	return strings.NewReplacer(pairs...)
}()

// clip cuts a text after at most n bytes, at the border of a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// short writes a value as JSON, cut to about n bytes.
func short(v any, n int) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return formatFloat(v)
	case json.Number:
		return clip(string(v), n)
	case string:
		return quote(clip(v, n))
	case []any:
		out := "["
		for i, it := range v {
			if i > 0 {
				out += ","
			}
			if len(out) > n {
				return out + "…]"
			}
			out += short(it, n/2)
		}
		return out + "]"
	case *membrane.Object:
		out := "{"
		for i := range v.Len() {
			if i > 0 {
				out += ","
			}
			if len(out) > n {
				return out + "…}"
			}
			k, it := v.At(i)
			out += quote(clip(k, n)) + ":" + short(it, n/2)
		}
		return out + "}"
	}
	return "?"
}

// describe says what a value is, for messages: string "12", array of 3.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean " + strconv.FormatBool(v)
	case float64:
		switch {
		case math.IsNaN(v):
			return "NaN"
		case math.IsInf(v, 1):
			return "Infinity"
		case math.IsInf(v, -1):
			return "-Infinity"
		}
		return "number " + formatFloat(v)
	case json.Number:
		return "number " + clip(string(v), 40)
	case string:
		return "string " + quote(clip(v, 40))
	case []any:
		return fmt.Sprintf("array of %d", len(v))
	case *membrane.Object:
		if v.Len() == 0 {
			return "object {}"
		}
		out := "object with "
		for i := range v.Len() {
			k, _ := v.At(i)
			switch {
			case i == 4:
				return out + ", …"
			case i > 0:
				out += ", "
			}
			out += label(clip(k, 40))
		}
		return out
	case membrane.Undefined:
		return "undefined"
	case *membrane.Map:
		return "a Map"
	case *membrane.Set:
		return "a Set"
	case *membrane.Bytes, []byte:
		return "bytes"
	case *membrane.ErrorValue:
		return "an Error"
	case time.Time, membrane.InvalidDate:
		return "a Date"
	case *big.Int:
		return "a BigInt"
	}
	return fmt.Sprintf("%T", v)
}

// label writes a key as it is, or quoted if it isn't an identifier.
func label(k string) string {
	if isIdentifier(k) {
		return k
	}
	return quote(k)
}
