package vm

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/ajs/regex"
	"github.com/pinfold-js/pinfold/js/conv"
)

// kind is the kind of a guest value. The zero kind marks a slot that no
// declaration has filled yet.
type kind uint8

const (
	unset kind = iota
	undefinedKind
	nullKind
	boolKind
	numberKind
	stringKind
	arrayKind  // and Sets
	objectKind // and Dates and regexes
	spaceKind  // a builtin namespace, never more than the receiver of a call
)

// A value is a guest value. For a bool n is 0 or 1.
type value struct {
	kind  kind
	fixed bool // of a slot: the variable is const
	n     float64
	r     any // *str, *array, *object or *space
}

var (
	undefinedValue = value{kind: undefinedKind}
	nullValue      = value{kind: nullKind}
)

func number(f float64) value { return value{kind: numberKind, n: f} }
func boolean(b bool) value {
	if b {
		return value{kind: boolKind, n: 1}
	}
	return value{kind: boolKind}
}
func text(s string) value         { return value{kind: stringKind, r: newStr(s)} }
func stringOf(s *str) value       { return value{kind: stringKind, r: s} }
func arrayOf(a *array) value      { return value{kind: arrayKind, r: a} }
func objectOf(o *object) value    { return value{kind: objectKind, r: o} }
func listOf(v []value) value      { return arrayOf(&array{elems: v}) }
func (v value) str() *str         { return v.r.(*str) }
func (v value) array() *array     { return v.r.(*array) }
func (v value) object() *object   { return v.r.(*object) }
func (v value) isNullish() bool   { return v.kind == undefinedKind || v.kind == nullKind }
func (v value) isContainer() bool { return v.kind == arrayKind || v.kind == objectKind }
func (v value) isPrim() bool      { return v.kind >= undefinedKind && v.kind <= stringKind }
func (v value) isSet() bool       { return v.kind == arrayKind && v.array().set != nil }
func (v value) isDate() bool      { return v.kind == objectKind && v.object().tag == dateTag }
func (v value) isRegex() bool     { return v.kind == objectKind && v.object().tag == regexTag }
func (v value) isArray() bool     { return v.kind == arrayKind && v.array().set == nil }
func (v value) same(w value) bool { return v.kind == w.kind && v.r == w.r && v.n == w.n }

// truthy is ToBoolean, ECMA-262 §7.1.2.
func (v value) truthy() bool {
	switch v.kind {
	case boolKind:
		return v.n != 0
	case numberKind:
		return v.n != 0 && v.n == v.n
	case stringKind:
		return v.str().len() > 0
	case arrayKind, objectKind, spaceKind:
		return true
	}
	return false
}

// strictEqual is IsStrictlyEqual, ECMA-262 §7.2.15.
func strictEqual(a, b value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case numberKind, boolKind:
		return a.n == b.n
	case stringKind:
		return a.str().equal(b.str())
	case arrayKind, objectKind:
		return a.r == b.r
	}
	return true
}

// looseEqual is == of AJS: no coercion; null and undefined are equal, and NaN
// equals itself.
func looseEqual(a, b value) bool {
	if a.isNullish() && b.isNullish() {
		return true
	}
	if a.kind == numberKind && b.kind == numberKind && a.n != a.n && b.n != b.n {
		return true
	}
	return strictEqual(a, b)
}

// sameValueZero, ECMA-262 §7.2.11.
func sameValueZero(a, b value) bool {
	if a.kind == numberKind && b.kind == numberKind && a.n != a.n && b.n != b.n {
		return true
	}
	return strictEqual(a, b)
}

func (v value) typeOf() string {
	switch v.kind {
	case undefinedKind, unset:
		return "undefined"
	case boolKind:
		return "boolean"
	case numberKind:
		return "number"
	case stringKind:
		return "string"
	}
	return "object"
}

// noun names a value's kind in messages: a string, an array.
func (v value) noun() string {
	switch v.kind {
	case undefinedKind, unset:
		return "undefined"
	case nullKind:
		return "null"
	case boolKind:
		return "a boolean"
	case numberKind:
		return "a number"
	case stringKind:
		return "a string"
	case arrayKind:
		if v.isSet() {
			return "a Set"
		}
		return "an array"
	case spaceKind:
		return v.r.(*space).name
	}
	switch v.object().tag {
	case dateTag:
		return "a Date"
	case regexTag:
		return "a regex"
	}
	return "an object"
}

func formatNumber(f float64) string {
	if i := int64(f); float64(i) == f && i > -1e15 && i < 1e15 {
		return strconv.FormatInt(i, 10)
	}
	var buf [32]byte
	return string(conv.FormatNumber(buf[:0], f))
}

// toStr is ToString of a primitive.
func (v value) toStr() *str {
	switch v.kind {
	case stringKind:
		return v.str()
	case numberKind:
		return &str{s: formatNumber(v.n)}
	case boolKind:
		if v.n != 0 {
			return trueStr
		}
		return falseStr
	case nullKind:
		return nullStr
	}
	return undefinedStr
}

var (
	emptyStr     = &str{}
	trueStr      = &str{s: "true"}
	falseStr     = &str{s: "false"}
	nullStr      = &str{s: "null"}
	undefinedStr = &str{s: "undefined"}
)

// toNumber is ToNumber of a primitive, ECMA-262 §7.1.4.
func (v value) toNumber() float64 {
	switch v.kind {
	case numberKind, boolKind:
		return v.n
	case nullKind:
		return 0
	case stringKind:
		s := v.str()
		var f float64
		var ok bool
		if s.wide == nil {
			f, ok = conv.ParseNumber([]byte(s.s))
		} else {
			f, ok = conv.ParseNumber(s.wide)
		}
		if ok {
			return f
		}
	}
	return math.NaN()
}

// An array is an array or, with an index of its members, a Set.
type array struct {
	elems []value
	set   *setIndex
	known int    // one more than the elements that were measured when it was bound; 0: never
	mark  uint32 // of the last walk that saw it
}

// A setIndex finds the members of a Set. Containers are found by identity.
type setIndex struct {
	at map[any]int // key of a member → its place
}

// setKey is equal for values that are SameValueZero.
func setKey(v value) any {
	switch v.kind {
	case numberKind:
		if v.n != v.n {
			return nanKey{}
		}
		return v.n + 0
	case boolKind:
		return v.n != 0
	case stringKind:
		return v.str().key()
	case arrayKind, objectKind:
		return v.r
	}
	return v.kind
}

type nanKey struct{}

func newSet() *array { return &array{set: &setIndex{at: map[any]int{}}} }

func (a *array) has(v value) bool {
	_, ok := a.set.at[setKey(v)]
	return ok
}

// add adds a member and reports whether it is new.
func (a *array) add(v value) bool {
	k := setKey(v)
	if _, ok := a.set.at[k]; ok {
		return false
	}
	a.set.at[k] = len(a.elems)
	a.elems = append(a.elems, v)
	return true
}

// remove takes a member out and reports whether it was there.
func (a *array) remove(v value) bool {
	k := setKey(v)
	i, ok := a.set.at[k]
	if !ok {
		return false
	}
	delete(a.set.at, k)
	a.elems = append(a.elems[:i], a.elems[i+1:]...)
	for ; i < len(a.elems); i++ {
		a.set.at[setKey(a.elems[i])] = i
	}
	return true
}

// tag is what an object is beside a plain one.
type tag uint8

const (
	plainTag tag = iota
	dateTag
	regexTag
)

// An object has its members in the order of their insertion. AJS has no way to
// write one after it is made, so objects are shared freely.
type object struct {
	keys  []string // WTF-8
	vals  []value
	index map[string]int // of more than a few keys
	tag   tag
	known bool // it was measured when it was bound
	mark  uint32
	time  float64 // of a Date
	prog  *regex.Program
}

const smallObject = 12

func newObject(n int) *object {
	return &object{keys: make([]string, 0, n), vals: make([]value, 0, n)}
}

func (o *object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.keys {
		if o.keys[i] == key {
			return i
		}
	}
	return -1
}

func (o *object) get(key string) (value, bool) {
	if i := o.find(key); i >= 0 {
		return o.vals[i], true
	}
	return undefinedValue, false
}

// set is only for objects under construction.
func (o *object) set(key string, v value) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	if o.index != nil {
		o.index[key] = len(o.keys)
	}
	o.keys = append(o.keys, key)
	o.vals = append(o.vals, v)
	if o.index == nil && len(o.keys) > smallObject {
		o.index = make(map[string]int, len(o.keys)+1)
		for i, k := range o.keys {
			o.index[k] = i
		}
	}
}

// len16 is the length of WTF-8 in UTF-16 code units.
func len16(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return newStr(s).len()
		}
	}
	return len(s)
}
