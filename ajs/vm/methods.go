package vm

import (
	"strconv"
	"strings"
)

// argType is what an argument of a method may be.
type argType uint8

const (
	argAny argType = iota
	argStr
	argNum
	argPrim
	argNullish
	argPattern
	argObjOrArr
	argArray
	argSetLike
	argSetSource
	argDateLike
	argAmounts
	argEntries
	argArrayLike
)

var argTypes = map[string]argType{
	"any": argAny, "str": argStr, "num": argNum, "prim": argPrim, "nullish": argNullish, "pattern": argPattern,
	"objOrArr": argObjOrArr, "array": argArray, "setLike": argSetLike, "setSource": argSetSource,
	"dateLike": argDateLike, "amounts": argAmounts, "entries": argEntries, "arrayLike": argArrayLike,
}

var argNouns = [...]string{
	argAny:       "anything",
	argStr:       "a string",
	argNum:       "a number",
	argPrim:      "a string, number, boolean or null",
	argNullish:   "null",
	argPattern:   "a string or a regex",
	argObjOrArr:  "an object or an array",
	argArray:     "an array",
	argSetLike:   "a Set or an array",
	argSetSource: "an array, a string or a Set",
	argDateLike:  "a Date, a number or a string (a stored date works too)",
	argAmounts:   "an object of numbers",
	argEntries:   "an array of [key, value] pairs",
	argArrayLike: "an array, a string, a Set or { length: number }",
}

func (t argType) accepts(v value) bool {
	switch t {
	case argStr:
		return v.kind == stringKind
	case argNum:
		return v.kind == numberKind
	case argPrim:
		return v.kind >= nullKind && v.kind <= stringKind
	case argNullish:
		return v.isNullish()
	case argPattern:
		return v.kind == stringKind || v.isRegex()
	case argObjOrArr:
		return v.isContainer()
	case argArray:
		return v.kind == arrayKind
	case argSetLike:
		return v.kind == arrayKind
	case argSetSource:
		return v.kind == arrayKind || v.kind == stringKind
	case argDateLike:
		if v.kind == objectKind {
			_, ok := dateTime(v)
			return ok
		}
		return v.kind == numberKind || v.kind == stringKind
	case argAmounts:
		if v.kind != objectKind {
			return false
		}
		for _, w := range v.object().vals {
			if w.kind != numberKind {
				return false
			}
		}
	case argEntries:
		if v.kind != arrayKind {
			return false
		}
		for _, w := range v.array().elems {
			if w.kind != arrayKind {
				return false
			}
			e := w.array().elems
			if len(e) < 1 || e[0].kind != stringKind && e[0].kind != numberKind {
				return false
			}
		}
	case argArrayLike:
		if v.kind == objectKind {
			n, _ := v.object().get("length")
			return n.kind == numberKind
		}
		return v.kind == arrayKind || v.kind == stringKind
	}
	return true
}

// A method is a method, a static function or a global function.
type method struct {
	name  string
	op    string
	args  []argType
	need  int  // arguments that have to be there
	rest  bool // the last type may repeat
	scan  bool // checking an argument goes over its members
	bound func(r *run, this value, args []value) float64
	extra float64 // for each bound byte: what it takes in the process beyond
	fn    func(r *run, this value, args []value) (value, bool)
}

type (
	boundFunc = func(r *run, this value, args []value) float64
	bodyFunc  = func(r *run, this value, args []value) (value, bool)
)

// bulky are the methods that make arrays and objects of many members: their
// bounds count 8 bytes for a slot that takes 32.
var bulky = map[string]float64{
	"concat": 3, "slice": 3, "splice": 3, "toSpliced": 3, "toReversed": 3, "with": 3, "flat": 3,
	"from": 3, "of": 3, "assign": 3, "values": 3, "fromEntries": 3, "entries": 1.5, "keys": 1, "parse": 1,
}

// define reads a signature such as "slice(num?,num?)" or "concat(...any)".
func define(signature string, bound boundFunc, fn bodyFunc) *method {
	name, list, _ := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
	m := &method{name: name, op: "expr." + name, bound: bound, extra: bulky[name], fn: fn}
	if list != "" {
		for i, a := range strings.Split(list, ",") {
			a, m.rest = strings.CutPrefix(a, "...")
			a, optional := strings.CutSuffix(a, "?")
			if !optional && !m.rest {
				m.need = i + 1
			}
			t := argTypes[a]
			m.scan = m.scan || t == argAmounts || t == argEntries || t == argDateLike
			m.args = append(m.args, t)
		}
	}
	return m
}

func methods(ms ...*method) map[string]*method {
	out := make(map[string]*method, len(ms))
	for _, m := range ms {
		out[m.name] = m
	}
	return out
}

// invoke evaluates the arguments, checks and charges them, and calls.
func (r *run) invoke(m *method, this value, exprs []expr) (value, bool) {
	base := len(r.stack)
	for _, x := range exprs {
		v, ok := x(r)
		if !ok {
			r.stack = r.stack[:base]
			return value{}, false
		}
		r.stack = append(r.stack, v)
	}
	v, ok := r.apply(m, this, r.stack[base:len(r.stack):len(r.stack)])
	clear(r.stack[base:])
	r.stack = r.stack[:base]
	return v, ok
}

func (r *run) apply(m *method, this value, args []value) (value, bool) {
	if len(args) > len(m.args) && !m.rest {
		return value{}, r.failf(KindType, m.op, "%s() takes at most %d argument(s)", m.name, len(m.args))
	}
	for i := range max(len(args), m.need) {
		t := m.args[min(i, len(m.args)-1)]
		v := undefinedValue
		if i < len(args) {
			v = args[i]
		}
		if v.kind == undefinedKind && i >= m.need && !m.rest {
			continue
		}
		if m.scan && v.isContainer() && !r.scanned(t, v) {
			return value{}, false
		}
		if !t.accepts(v) {
			hint := ""
			if v.isContainer() && (t == argStr || t == argNum || t == argPrim || t == argPattern) {
				hint = convertHint
			}
			return value{}, r.failf(KindType, m.op, "%s()'s argument %d must be %s%s", m.name, i+1, argNouns[t], hint)
		}
	}
	for len(args) < m.need {
		args = append(args, undefinedValue)
	}
	if m.bound != nil {
		bytes := m.bound(r, this, args)
		extra := bytes * m.extra
		if this.kind == stringKind || len(args) > 0 && args[0].kind == stringKind && m.name == "from" {
			extra = 0
		}
		if !r.allocateMore(bytes, extra, m.op) {
			return value{}, false
		}
	}
	if r.err != nil {
		return value{}, false
	}
	return m.fn(r, this, args)
}

// scanned pays for checking an argument that is gone over.
func (r *run) scanned(t argType, v value) bool {
	n := 0
	switch {
	case t == argDateLike:
		n = 1
	case t == argAmounts && v.kind == objectKind:
		n = 1 + len(v.object().vals)
	case t == argEntries && v.kind == arrayKind:
		n = 1 + len(v.array().elems)
	}
	return r.spend(walkFuel*float64(n)) && r.poll(n)
}

// A methodSet is the methods of one name by the kind of their receiver.
type methodSet struct {
	str, num, boolean, array, set, object, date, regex *method
	space                                              map[string]*method
}

func (s *methodSet) of(v value) *method {
	switch v.kind {
	case stringKind:
		return s.str
	case numberKind:
		return s.num
	case boolKind:
		return s.boolean
	case arrayKind:
		if v.array().set != nil {
			return s.set
		}
		return s.array
	case objectKind:
		switch v.object().tag {
		case dateTag:
			return s.date
		case regexTag:
			return s.regex
		}
		return s.object
	case spaceKind:
		return s.space[v.r.(*space).name]
	}
	return nil
}

// A space is a builtin namespace.
type space struct {
	name      string
	constants map[string]any
	methods   map[string]*method
}

func methodsNamed(name string) methodSet {
	s := methodSet{
		str: stringMethods[name], num: numberMethods[name], boolean: booleanMethods[name], array: arrayMethods[name],
		set: setMethods[name], object: objectMethods[name], date: dateMethods[name], regex: regexMethods[name],
	}
	for n, sp := range spaces {
		if m := sp.methods[name]; m != nil {
			if s.space == nil {
				s.space = map[string]*method{}
			}
			s.space[n] = m
		}
	}
	return s
}

// methodNames are the names in any table: others are no methods at all.
var methodNames = func() map[string]bool {
	out := map[string]bool{}
	tables := []map[string]*method{stringMethods, numberMethods, booleanMethods, arrayMethods, setMethods, objectMethods, dateMethods, regexMethods}
	for _, s := range spaces {
		tables = append(tables, s.methods)
	}
	for _, t := range tables {
		for n := range t {
			out[n] = true
		}
	}
	return out
}()

// MethodNames reports whether a name is a method's of any kind of receiver, for
// those who check programs before they run.
func IsMethodName(name string) bool { return methodNames[name] }

// hasAny reports whether JavaScript has the method on such a receiver, though
// AJS doesn't.
func hasAny(v value, name string) bool {
	switch v.kind {
	case arrayKind:
		switch name {
		case "keys", "values", "entries", "hasOwnProperty", "propertyIsEnumerable":
			return true
		}
		return arrayMethods[name] != nil
	case stringKind, numberKind, boolKind:
		return name == "hasOwnProperty" || name == "propertyIsEnumerable"
	case objectKind:
		return objectMethods[name] != nil
	case spaceKind:
		if name == "toString" || name == "valueOf" || name == "hasOwnProperty" {
			return true
		}
	}
	return false
}

// isMethod reports whether reading the member gives a function in JavaScript.
func isMethod(v value, name string) bool {
	s := methodSet{
		str: stringMethods[name], num: numberMethods[name], boolean: booleanMethods[name], array: arrayMethods[name],
		set: setMethods[name], object: objectMethods[name], date: dateMethods[name], regex: regexMethods[name],
	}
	if v.kind == spaceKind {
		return v.r.(*space).methods[name] != nil
	}
	if s.of(v) != nil || hasAny(v, name) {
		return true
	}
	switch v.kind {
	case arrayKind:
		switch name {
		case "map", "filter", "find", "reduce", "forEach", "some", "every", "flatMap", "findIndex", "findLast", "findLastIndex", "reduceRight":
			return true
		}
	case stringKind:
		return name == "matchAll"
	}
	switch name {
	case "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf":
		return true
	}
	return false
}

// Bounds that many methods share.

func free(*run, value, []value) float64 { return 0 }

func fixed(n float64) boundFunc { return func(*run, value, []value) float64 { return n } }

// perUnit is f bytes for each unit of the receiver's text, and n more.
func perUnit(f, n float64) boundFunc {
	return func(_ *run, this value, _ []value) float64 { return f*float64(this.str().len()) + n }
}

func perElem(base, f float64) boundFunc {
	return func(_ *run, this value, _ []value) float64 { return base + f*float64(len(this.array().elems)) }
}

// shallow is the size of a value without what it refers to.
func shallow(v value) float64 {
	switch v.kind {
	case stringKind:
		return 2 * float64(v.str().len())
	case arrayKind:
		return 16 + 8*float64(len(v.array().elems))
	case objectKind:
		o := v.object()
		n := 16.0
		for _, k := range o.keys {
			n += float64(2*len16(k) + 8)
		}
		return n
	}
	return 8
}

// relative is ToAbsoluteIndex of an optional argument.
func relative(args []value, i, length, missing int) int {
	if i >= len(args) || args[i].kind == undefinedKind {
		return missing
	}
	return clampIndex(args[i].toNumber(), length)
}

func clampIndex(f float64, length int) int {
	switch {
	case f != f:
		return 0
	case f < 0:
		return int(max(float64(length)+trunc(f), 0))
	}
	return int(min(trunc(f), float64(length)))
}

func trunc(f float64) float64 {
	if f > 1e15 || f < -1e15 {
		return f
	}
	return float64(int64(f))
}

func arg(args []value, i int) value {
	if i < len(args) {
		return args[i]
	}
	return undefinedValue
}

// tree bounds the text of a value along all its paths (§11.4 of the
// specification): a price for each value visited.
type treeSize struct {
	bytes float64
	slots float64
	json  bool
	nodes int
	depth int
}

func (r *run) tree(v value, json bool) (treeSize, bool) {
	t := treeSize{json: json}
	type frame struct {
		v     value
		depth int
	}
	room := r.maxHeap - r.transient.bytes
	path := []frame{{v, 0}}
	for len(path) > 0 {
		f := path[len(path)-1]
		path = path[:len(path)-1]
		t.nodes++
		t.depth = max(t.depth, f.depth)
		if t.nodes%4096 == 0 && !r.poll(4096) {
			return t, false
		}
		if r.fuel -= walkFuel; r.fuel <= 0 {
			return t, r.outOfFuel("expr.measure")
		}
		if t.bytes > room || f.depth > maxDepth {
			// A cycle, too, ends here.
			t.bytes = r.maxHeap + 1
			return t, true
		}
		switch f.v.kind {
		case stringKind:
			n := f.v.str().len()
			if json {
				n = jsonLen(f.v.str())
			}
			t.bytes += 2*float64(n) + 4
		case arrayKind:
			a := f.v.array()
			t.bytes += 8
			t.slots += float64(len(a.elems))
			t.bytes += 2 * float64(len(a.elems))
			for i := len(a.elems) - 1; i >= 0; i-- {
				path = append(path, frame{a.elems[i], f.depth + 1})
			}
		case objectKind:
			o := f.v.object()
			t.bytes += 8
			for i := len(o.vals) - 1; i >= 0; i-- {
				t.bytes += float64(2*len16(o.keys[i]) + 8)
				path = append(path, frame{o.vals[i], f.depth + 1})
			}
		default:
			t.bytes += 64
		}
	}
	return t, true
}

// itoa writes an index.
func itoa(i int) string { return strconv.Itoa(i) }
