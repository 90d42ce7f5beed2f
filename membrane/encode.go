package membrane

import (
	"encoding/base64"
	"strconv"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Encode copies a script value out as the tagged form. root names the value in
// the paths of errors: "result". The error is an *Error, or a limit of the
// meter.
func Encode(m *vm.Machine, v vm.Value, root string, lim Limits) (Value, error) {
	return encode(m, v, root, lim, false)
}

// EncodeResult is Encode for the value that a program returns: methods toJSON
// are called, as JSON.stringify does, so that an instance of a class can say what
// it is as data. They are the script's code and run under its meter. The error
// can also be an exception that one of them threw. Dates and errors cross by
// themselves, their toJSON isn't called.
func EncodeResult(m *vm.Machine, v vm.Value, root string, lim Limits) (Value, error) {
	return encode(m, v, root, lim, true)
}

func encode(m *vm.Machine, v vm.Value, root string, lim Limits, toJSON bool) (Value, error) {
	if v.IsUndefined() {
		return Value{}, nil
	}
	e := encoder{m: m, lim: lim.withDefaults(), toJSON: toJSON}
	err := e.value(v, -1, m.N.Empty, 0)
	m.Meter().Shrink(e.charged)
	if err != nil {
		return Value{}, rooted(err, root)
	}
	if string(e.out) == undefinedText {
		return Value{}, nil
	}
	return Value{text: e.out}, nil
}

// tagKey is the reserved key of the tagged form.
const tagKey = "$js"

// place says where an object was met first: the place of what holds it, and
// the step from there.
type place struct {
	parent int32
	key    vm.Key
	obj    vm.Obj // what is there; 0 for an entry of a map
}

const (
	placeBytes = 64 // of an entry of seen and places
	propBytes  = 24 // of an entry of props
	firstBytes = 64
)

type encoder struct {
	m       *vm.Machine
	lim     Limits
	out     []byte
	charged int64
	nodes   int
	toJSON  bool
	tag     vm.Key
	seen    map[vm.Obj]int32
	places  []place
	props   []prop // a stack

	// Of a partial copy.
	partial *Partial // nil for a whole one
	root    string
	reserve int64
	full    bool // nothing more is copied
}

// room makes sure that n more bytes can be appended, and may be.
func (e *encoder) room(n int) error {
	want := len(e.out) + n
	if int64(want) > e.lim.Bytes {
		return over("the size in bytes", e.lim.Bytes, int64(want))
	}
	if want <= cap(e.out) {
		return nil
	}
	size := max(want, 2*cap(e.out), firstBytes)
	if err := e.grow(int64(size - cap(e.out))); err != nil {
		return err
	}
	out := make([]byte, len(e.out), size)
	copy(out, e.out)
	e.out = out
	return nil
}

func (e *encoder) grow(n int64) error {
	if err := e.m.Meter().Grow(n); err != nil {
		return err
	}
	e.charged += n
	return nil
}

func (e *encoder) raw(s string) error {
	if err := e.room(len(s)); err != nil {
		return err
	}
	e.out = append(e.out, s...)
	return nil
}

// value writes v, which is reached from the object at place parent by key.
//
//meter:charges
func (e *encoder) value(v vm.Value, parent int32, key vm.Key, depth int) error {
	if e.partial != nil {
		return e.tolerant(v, parent, key, depth)
	}
	return e.node(v, parent, key, depth)
}

func (e *encoder) node(v vm.Value, parent int32, key vm.Key, depth int) error {
	m := e.m
	if err := m.Charge(1); err != nil {
		return err
	}
	if e.nodes++; e.nodes > e.lim.Nodes {
		return over(whatNodes, int64(e.lim.Nodes), int64(e.nodes))
	}
	w, inner, reason := classify(m, v)
	if e.toJSON && w >= whatBigInt && w != whatDate && w != whatError {
		if f, ok := jsonMethod(m, v); ok {
			var err error
			if v, err = e.call(f, v, key); err != nil {
				return err
			}
			w, inner, reason = classify(m, v)
		}
	}
	switch w {
	case whatUndefined:
		return e.raw(undefinedText)
	case whatNull:
		return e.raw("null")
	case whatBool:
		if inner == vm.True {
			return e.raw("true")
		}
		return e.raw("false")
	case whatNumber:
		return e.number(inner)
	case whatString:
		return e.quote(inner.AsStr())
	case whatBigInt:
		s, err := m.BigIntToString(inner, 10)
		if err != nil {
			return err
		}
		if err := e.raw(`{"$js":"bigint","v":`); err != nil {
			return err
		}
		if err := e.quote(s); err != nil {
			return err
		}
		return e.raw("}")
	case whatRefused:
		return refuse(reason + " can't be returned")
	}
	o := v.AsObj()
	if at, ok := e.seen[o]; ok {
		return e.ref(at)
	}
	if depth >= e.lim.Depth {
		return over(whatDepth, int64(e.lim.Depth), int64(depth)+1)
	}
	if err := e.grow(placeBytes); err != nil {
		return err
	}
	if e.seen == nil {
		e.seen = make(map[vm.Obj]int32)
	}
	at := int32(len(e.places))
	e.seen[o] = at
	e.places = append(e.places, place{parent, key, o})
	switch w {
	case whatArray:
		return e.array(o, at, depth)
	case whatDate:
		return e.date(o)
	case whatMap:
		return e.table(o, at, depth, true)
	case whatSet:
		return e.table(o, at, depth, false)
	case whatBytes:
		return e.bytes(o)
	case whatError:
		return e.error(o, at, depth)
	}
	return e.object(o, at, depth)
}

// jsonMethod finds the method toJSON of an object or a BigInt.
func jsonMethod(m *vm.Machine, v vm.Value) (vm.Value, bool) {
	o := m.Intrinsic(vm.BigIntPrototype)
	if v.IsObject() {
		o = v.AsObj()
		if m.H.Obj(o).Flags&heap.Callable != 0 {
			return v, false
		}
	}
	f, ok := dataProperty(m, o, m.N.ToJSON)
	return f, ok && m.IsCallable(f)
}

// call calls a method toJSON. Nothing is collected meanwhile: the objects met
// before keep their handles.
func (e *encoder) call(f, v vm.Value, key vm.Key) (vm.Value, error) {
	k, err := e.m.KeyValue(key)
	if err != nil {
		return v, err
	}
	return e.m.Call(f, v, k)
}

func (e *encoder) number(v vm.Value) error {
	if err := e.room(32); err != nil {
		return err
	}
	if v.IsInt() {
		e.out = strconv.AppendInt(e.out, int64(v.AsInt()), 10)
		return nil
	}
	f := v.AsFloat()
	if s, special := specialNumber(f); special {
		return e.raw(`{"$js":"number","v":"` + s + `"}`)
	}
	e.out = conv.FormatNumber(e.out, f)
	return nil
}

const hexDigits = "0123456789abcdef"

// quote writes a string as JSON, as QuoteJSONString (§25.5.4.3) does.
func (e *encoder) quote(s vm.Str) error {
	n := e.m.H.Len(s)
	if err := e.room(n + 2); err != nil {
		return err
	}
	if err := e.m.Charge(n / 16); err != nil {
		return err
	}
	b, u, err := e.m.H.Units16(s)
	if err != nil {
		return err
	}
	out := appendQuoted(e.out, b, u)
	// What doesn't stand for itself may have made the text longer than asked
	// for; the growth is charged after the fact, at most sixfold.
	if cap(out) > cap(e.out) {
		if err := e.grow(int64(cap(out) - cap(e.out))); err != nil {
			return err
		}
	}
	e.out = out
	return e.room(0)
}

// appendQuoted appends a string of Latin-1 characters, or of UTF-16 units, in
// quotes.
func appendQuoted(out, b []byte, u []uint16) []byte {
	out = append(out, '"')
	start := 0
	for i, c := range b { //meter: the caller charges for the string
		if c >= ' ' && c < 0x80 && c != '"' && c != '\\' {
			continue
		}
		out = append(out, b[start:i]...)
		out = appendUnit(out, uint16(c))
		start = i + 1
	}
	out = append(out, b[start:]...)
	for i := 0; i < len(u); i++ { //meter: as above
		c := u[i]
		if c&0xFC00 == 0xD800 && i+1 < len(u) && u[i+1]&0xFC00 == 0xDC00 {
			r := rune(c-0xD800)<<10 + rune(u[i+1]-0xDC00) + 0x10000
			out = append(out, string(r)...)
			i++
			continue
		}
		out = appendUnit(out, c)
	}
	return append(out, '"')
}

// appendUnit appends a code unit inside a JSON string, surrogates escaped.
func appendUnit(out []byte, c uint16) []byte {
	switch {
	case c == '"', c == '\\':
		return append(out, '\\', byte(c))
	case c == '\n':
		return append(out, '\\', 'n')
	case c == '\r':
		return append(out, '\\', 'r')
	case c == '\t':
		return append(out, '\\', 't')
	case c == '\b':
		return append(out, '\\', 'b')
	case c == '\f':
		return append(out, '\\', 'f')
	case c < ' ', c&0xF800 == 0xD800:
		return append(out, '\\', 'u', hexDigits[c>>12], hexDigits[c>>8&15], hexDigits[c>>4&15], hexDigits[c&15])
	case c < 0x80:
		return append(out, byte(c))
	}
	return append(out, string(rune(c))...)
}

func (e *encoder) quoteGo(s string) error {
	v, err := e.m.H.NewString(s)
	if err != nil {
		return err
	}
	return e.quote(v)
}

func (e *encoder) key(k vm.Key) error {
	if k.IsIndex() {
		if err := e.room(16); err != nil {
			return err
		}
		e.out = append(e.out, '"')
		e.out = strconv.AppendUint(e.out, uint64(k.Index()), 10)
		e.out = append(e.out, '"')
		return nil
	}
	return e.quote(k.Name())
}

// ref writes a reference to the object at a place.
func (e *encoder) ref(at int32) error {
	var steps []vm.Key
	for ; e.places[at].parent >= 0; at = e.places[at].parent { //meter: at most Depth
		steps = append(steps, e.places[at].key)
	}
	if err := e.raw(`{"$js":"ref","path":[`); err != nil {
		return err
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if err := e.m.Charge(1); err != nil {
			return err
		}
		var err error
		if steps[i].IsIndex() {
			if err = e.room(16); err == nil {
				e.out = strconv.AppendUint(e.out, uint64(steps[i].Index()), 10)
			}
		} else {
			err = e.quote(steps[i].Name())
		}
		if err == nil && i > 0 {
			err = e.raw(",")
		}
		if err != nil {
			return err
		}
	}
	return e.raw("]}")
}

func (e *encoder) array(o vm.Obj, at int32, depth int) error {
	n := int(e.m.H.Obj(o).Length)
	if n > e.lim.Nodes && e.partial == nil {
		return over(whatNodes, int64(e.lim.Nodes), int64(n))
	}
	if err := e.raw("["); err != nil {
		return err
	}
	for i := range n {
		if e.full {
			break
		}
		if i > 0 {
			if err := e.raw(","); err != nil {
				return err
			}
		}
		v, a, ok := e.m.H.GetElem(o, uint32(i))
		var err error
		switch {
		case !ok:
			v = vm.Undefined
			fallthrough
		case a&heap.Accessor == 0:
			err = e.value(v, at, heap.IndexKey(uint32(i)), depth+1)
		case e.partial != nil:
			err = e.opaque(vm.Undefined, at, heap.IndexKey(uint32(i)), "an accessor")
		default:
			err = refuse("an accessor can't be returned")
		}
		if err != nil {
			return underIndex(err, i)
		}
	}
	return e.raw("]")
}

func (e *encoder) object(o vm.Obj, at int32, depth int) error {
	base := len(e.props)
	var err error
	room := cap(e.props)
	if e.props, err = properties(e.m, o, e.props); err != nil {
		return err
	}
	if err = e.grow(int64(cap(e.props)-room) * propBytes); err != nil {
		return err
	}
	if e.tag == 0 {
		if e.tag, err = e.m.H.KeyOfName(tagKey); err != nil {
			return err
		}
	}
	_, _, escape := e.m.H.GetNamed(o, e.tag.Name())
	if escape {
		err = e.raw(`{"$js":"object","v":`)
	}
	if err == nil {
		err = e.members(base, at, depth)
	}
	e.props = e.props[:base]
	if err == nil && escape {
		err = e.raw("}")
	}
	return err
}

// members writes the properties that lie on the stack from base on.
func (e *encoder) members(base int, at int32, depth int) error {
	if err := e.raw("{"); err != nil {
		return err
	}
	for i := base; i < len(e.props); i++ {
		p := e.props[i]
		if e.full {
			break
		}
		if e.tight(p.key) {
			return over("the size in bytes", e.lim.Bytes, e.lim.Bytes+1)
		}
		if i > base {
			if err := e.raw(","); err != nil {
				return err
			}
		}
		if err := e.key(p.key); err != nil {
			return err
		}
		if err := e.raw(":"); err != nil {
			return err
		}
		// The stack may move while the value is written.
		err := refuse("an accessor can't be returned")
		switch {
		case p.accessor && e.partial != nil:
			err = e.opaque(vm.Undefined, at, p.key, "an accessor")
		case !p.accessor:
			top := len(e.props)
			err = e.value(p.val, at, p.key, depth+1)
			e.props = e.props[:top]
		}
		if err != nil {
			return e.underKey(err, p.key)
		}
	}
	return e.raw("}")
}

func (e *encoder) underKey(err error, k vm.Key) error {
	if _, ok := err.(*Error); !ok {
		return err
	}
	if k.IsIndex() {
		return underIndex(err, int(k.Index()))
	}
	s, e2 := keyString(e.m, k)
	if e2 != nil {
		return e2
	}
	return underKey(err, s)
}

func (e *encoder) date(o vm.Obj) error {
	if err := e.room(64); err != nil {
		return err
	}
	e.out = append(e.out, `{"$js":"date","v":`...)
	var buf [32]byte
	if s, ok := appendISO(buf[:0], e.m, o); ok {
		e.out = append(e.out, '"')
		e.out = append(e.out, s...)
		e.out = append(e.out, '"', '}')
	} else {
		e.out = append(e.out, "null}"...)
	}
	return nil
}

func (e *encoder) table(o vm.Obj, at int32, depth int, isMap bool) error {
	head := `{"$js":"set","v":[`
	if isMap {
		head = `{"$js":"map","v":[`
	}
	if err := e.raw(head); err != nil {
		return err
	}
	b := e.m.H.Obj(o).Data.AsBlock()
	seq := 0.0
	for i := 0; !e.full; i++ {
		key, val, next, ok, err := e.m.H.TableNext(b, seq)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		seq = next
		if i > 0 {
			if err := e.raw(","); err != nil {
				return err
			}
		}
		step := heap.IndexKey(uint32(i))
		if isMap {
			err = e.entry(key, val, at, step, depth)
		} else {
			err = e.value(key, at, step, depth+1)
		}
		if err != nil {
			return underIndex(err, i)
		}
	}
	return e.raw("]}")
}

// entry writes the entry of a Map. It is a place of its own, so that paths can
// lead to its key and its value.
func (e *encoder) entry(key, val vm.Value, parent int32, step vm.Key, depth int) error {
	at := int32(len(e.places))
	if key.IsObject() || val.IsObject() {
		if err := e.grow(placeBytes); err != nil {
			return err
		}
		e.places = append(e.places, place{parent, step, 0})
	}
	if err := e.raw("["); err != nil {
		return err
	}
	if err := e.value(key, at, heap.IndexKey(0), depth+1); err != nil {
		return underIndex(err, 0)
	}
	if err := e.raw(","); err != nil {
		return err
	}
	if err := e.value(val, at, heap.IndexKey(1), depth+1); err != nil {
		return underIndex(err, 1)
	}
	return e.raw("]")
}

func (e *encoder) bytes(o vm.Obj) error {
	data, typ := viewBytes(e.m, o)
	n := base64.StdEncoding.EncodedLen(len(data))
	if err := e.room(n + 64); err != nil {
		return err
	}
	if err := e.m.Charge(len(data) / 16); err != nil {
		return err
	}
	e.out = append(e.out, `{"$js":"bytes","v":"`...)
	e.out = base64.StdEncoding.AppendEncode(e.out, data)
	e.out = append(e.out, `","type":"`...)
	e.out = append(e.out, typ...)
	e.out = append(e.out, `"}`...)
	return nil
}

func (e *encoder) error(o vm.Obj, at int32, depth int) error {
	p, err := readError(e.m, o, e.lim.Bytes)
	if err != nil {
		return err
	}
	if err := e.raw(`{"$js":"error","name":`); err != nil {
		return err
	}
	if err := e.quoteGo(p.name); err != nil {
		return err
	}
	if err := e.raw(`,"message":`); err != nil {
		return err
	}
	if err := e.quoteGo(p.message); err != nil {
		return err
	}
	if p.stack != "" {
		if err := e.raw(`,"stack":`); err != nil {
			return err
		}
		if err := e.quoteGo(p.stack); err != nil {
			return err
		}
	}
	if p.hasCause {
		if err := e.raw(`,"cause":`); err != nil {
			return err
		}
		if err := e.value(p.cause, at, e.m.N.Cause, depth+1); err != nil {
			return under(err, ".cause")
		}
	}
	if p.errors != 0 {
		if err := e.raw(`,"errors":`); err != nil {
			return err
		}
		if err := e.value(heap.ObjectValue(p.errors), at, e.m.N.Errors, depth+1); err != nil {
			return under(err, ".errors")
		}
	}
	base := len(e.props)
	if e.props, err = errorProps(e.m, o, e.props); err != nil {
		return err
	}
	if len(e.props) > base {
		if err = e.raw(`,"props":`); err == nil {
			err = e.members(base, at, depth)
		}
		e.props = e.props[:base]
		if err != nil {
			return err
		}
	}
	return e.raw("}")
}
