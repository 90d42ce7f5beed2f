package builtins

import (
	"math"
	"slices"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// jsonParser turns JSON text into values on the heap. It runs no script and
// uses no recursion: open arrays and objects are frames of a stack. The text is
// a view of a string, which nothing can change or free meanwhile.
type jsonParser[C text.Char] struct {
	m       *vm.Machine
	h       *heap.Heap
	s       []C
	i       int
	paid    int // units of s that fuel was charged for
	vals    []vm.Value
	frames  []jsonFrame
	buf     []uint16
	charged int64
	keys    []jsonKey
	steps   []jsonStep
	notes   *jsonNotes // for a reviver; else nil
	nodes   []*jsonNode
}

// jsonFrame is an open container. An array's elements are on the stack of
// values from start on; an object gets its properties as they come.
type jsonFrame struct {
	obj   vm.Obj // 0 for an array
	start int
	key   vm.Key // of the property whose value is next
	node  *jsonNode
}

// jsonKey remembers where a property name was seen, and its key. jsonStep
// remembers which hidden class follows which by a property.
type jsonKey struct {
	start, end int
	key        vm.Key
}

type jsonStep struct {
	from, to heap.ShapeID
	key      vm.Key
	slot     int
}

const (
	jsonKeys  = 256
	jsonSteps = 256
	// jsonShaped is how many properties an object has at most whose hidden
	// classes are remembered: far below the size at which it has one of its own.
	jsonShaped = 128
	// jsonTally is how many units are read for one look at the meter.
	jsonTally = 4096
)

// account charges for Go memory: n bytes in all.
func (p *jsonParser[C]) account(n int64) error {
	if n <= p.charged {
		return nil
	}
	if err := p.m.Meter().Grow(n - p.charged); err != nil {
		return err
	}
	p.charged = n
	return nil
}

func (p *jsonParser[C]) memory() int64 {
	return int64(cap(p.vals))*8 + int64(cap(p.frames))*40 + int64(cap(p.buf))*2
}

func (p *jsonParser[C]) release() { p.m.Meter().Shrink(p.charged) }

// tally charges for what was read since the last time.
func (p *jsonParser[C]) tally() error {
	n := p.i - p.paid
	p.paid = p.i
	return p.m.Charge(n / 8)
}

func (p *jsonParser[C]) pushVal(v vm.Value) error {
	if len(p.vals) == cap(p.vals) {
		n := max(64, cap(p.vals)*2)
		if err := p.account(p.memory() + int64(n-cap(p.vals))*8); err != nil {
			return err
		}
		p.vals = slices.Grow(p.vals, n-len(p.vals)) //meter: account has charged for it
	}
	p.vals = append(p.vals, v)
	return nil
}

func (p *jsonParser[C]) pushFrame(f jsonFrame) error {
	if len(p.frames) == cap(p.frames) {
		n := max(16, cap(p.frames)*2)
		if err := p.m.Charge(n / 4); err != nil { // copied as they grow
			return err
		}
		if err := p.account(p.memory() + int64(n-cap(p.frames))*40); err != nil {
			return err
		}
		p.frames = slices.Grow(p.frames, n-len(p.frames)) //meter: account has charged for it
	}
	p.frames = append(p.frames, f)
	return nil
}

// space skips white space.
func (p *jsonParser[C]) space() error {
	for {
		end := min(len(p.s), p.i+jsonTally)
		for p.i < end { //meter: by chunk
			switch p.s[p.i] {
			case ' ', '\n', '\r', '\t':
				p.i++
				continue
			}
			return nil
		}
		if p.i >= len(p.s) {
			return nil
		}
		if err := p.tally(); err != nil {
			return err
		}
	}
}

// at returns the unit at i, 0 at the end.
func (p *jsonParser[C]) at(i int) C {
	if i < len(p.s) {
		return p.s[i]
	}
	return 0
}

// parse reads the whole text.
func (p *jsonParser[C]) parse() (vm.Value, error) {
	p.keys = make([]jsonKey, jsonKeys)
	p.steps = make([]jsonStep, jsonSteps)
	v := vm.Undefined
	for {
		open, err := p.value(&v)
		if err != nil {
			return v, err
		}
		if open {
			continue
		}
		// v is complete; close what it ends.
		for {
			if len(p.frames) == 0 {
				if err := p.space(); err != nil {
					return v, err
				}
				if p.i < len(p.s) {
					return v, p.fail("Unexpected non-whitespace character after JSON", p.i)
				}
				return v, p.tally()
			}
			more, err := p.member(&v)
			if err != nil {
				return v, err
			}
			if more {
				break
			}
		}
	}
}

// value reads the beginning of a value, or all of it if it is a primitive or
// empty. open says that a container was opened.
func (p *jsonParser[C]) value(v *vm.Value) (open bool, err error) {
	if p.i-p.paid > jsonTally {
		if err := p.tally(); err != nil {
			return false, err
		}
	}
	if err := p.space(); err != nil {
		return false, err
	}
	start := p.i
	switch c := p.at(p.i); {
	case c == '{':
		p.i++
		if err := p.space(); err != nil {
			return false, err
		}
		o := p.m.NewPlain()
		*v = heap.ObjectValue(o)
		if p.at(p.i) == '}' {
			p.i++
			return false, p.note(*v, start)
		}
		f := jsonFrame{obj: o}
		if f.key, err = p.name(true); err != nil {
			return false, err
		}
		if p.notes != nil {
			if f.node, err = p.notes.node(*v, start, start); err != nil {
				return false, err
			}
		}
		return true, p.pushFrame(f)
	case c == '[':
		p.i++
		if err := p.space(); err != nil {
			return false, err
		}
		if p.at(p.i) == ']' {
			p.i++
			*v = heap.ObjectValue(p.m.NewArrayLen(0))
			return false, p.note(*v, start)
		}
		return true, p.pushFrame(jsonFrame{start: len(p.vals)})
	case c == '"':
		p.i++
		s, err := p.str()
		*v = heap.StringValue(s)
		if err != nil {
			return false, err
		}
	case c == '-' || c >= '0' && c <= '9':
		if *v, err = p.number(); err != nil {
			return false, err
		}
	case c == 't':
		*v, err = vm.True, p.literal("true")
	case c == 'f':
		*v, err = vm.False, p.literal("false")
	case c == 'n':
		*v, err = vm.Null, p.literal("null")
	default:
		return false, p.unexpected(p.i)
	}
	if err == nil && p.notes != nil {
		err = p.note(*v, start)
	}
	return false, err
}

// note records a complete value for a reviver.
func (p *jsonParser[C]) note(v vm.Value, start int) error {
	if p.notes == nil {
		return nil
	}
	n, err := p.notes.node(v, start, p.i)
	if err == nil {
		p.nodes = append(p.nodes, n)
	}
	return err
}

// member puts a complete value into the innermost container and reads on to
// the next value (more is true) or closes the container, which becomes v.
func (p *jsonParser[C]) member(v *vm.Value) (more bool, err error) {
	f := &p.frames[len(p.frames)-1]
	if f.obj == 0 {
		if err := p.pushVal(*v); err != nil {
			return false, err
		}
		if err := p.space(); err != nil {
			return false, err
		}
		switch p.at(p.i) {
		case ',':
			p.i++
			return true, nil
		case ']':
			p.i++
		default:
			return false, p.fail("Expected ',' or ']' after array element in JSON", p.i)
		}
		elems := p.vals[f.start:]
		if err := p.m.Charge(len(elems) / 4); err != nil {
			return false, err
		}
		a, err := p.m.NewArray(elems)
		if err != nil {
			return false, err
		}
		*v = heap.ObjectValue(a)
		if p.notes != nil {
			n, err := p.notes.node(*v, 0, 0)
			if err != nil {
				return false, err
			}
			from := len(p.nodes) - len(elems)
			n.elems = append([]*jsonNode(nil), p.nodes[from:]...)
			p.nodes = append(p.nodes[:from], n)
		}
		p.vals = p.vals[:f.start]
		p.frames = p.frames[:len(p.frames)-1]
		return false, nil
	}
	if err := p.put(f.obj, f.key, *v); err != nil {
		return false, err
	}
	if p.notes != nil {
		f.node.set(f.key, p.nodes[len(p.nodes)-1])
		p.nodes = p.nodes[:len(p.nodes)-1]
	}
	if err := p.space(); err != nil {
		return false, err
	}
	switch p.at(p.i) {
	case ',':
		p.i++
		if err := p.space(); err != nil {
			return false, err
		}
		f.key, err = p.name(false)
		return true, err
	case '}':
		p.i++
		*v = heap.ObjectValue(f.obj)
		if p.notes != nil {
			p.nodes = append(p.nodes, f.node)
		}
		p.frames = p.frames[:len(p.frames)-1]
		return false, nil
	}
	return false, p.fail("Expected ',' or '}' after property value in JSON", p.i)
}

// put is CreateDataProperty on an object that this parser made.
func (p *jsonParser[C]) put(o vm.Obj, k vm.Key, v vm.Value) error {
	if k.IsIndex() {
		return p.m.CreateDataOrThrow(o, k, v)
	}
	from := p.h.Obj(o).Shape
	t := &p.steps[(uint32(from)*31+uint32(k.Name()))%jsonSteps]
	if t.from == from && t.key == k {
		p.h.AddSlot(o, t.to, t.slot, v)
		return nil
	}
	if slot, _, ok := p.h.Lookup(from, k.Name()); ok {
		p.h.SetSlot(o, slot, v)
		return nil
	}
	n := p.h.NumNamed(o)
	p.h.AddNamed(o, k.Name(), v, heap.DefaultAttrs)
	if n < jsonShaped {
		*t = jsonStep{from: from, to: p.h.Obj(o).Shape, key: k, slot: n}
	}
	return nil
}

// name reads a property name and the colon; first says that it is an object's
// first one, for which V8 has other words.
func (p *jsonParser[C]) name(first bool) (vm.Key, error) {
	if p.at(p.i) != '"' {
		if first {
			return 0, p.fail("Expected property name or '}' in JSON", p.i)
		}
		return 0, p.fail("Expected double-quoted property name in JSON", p.i)
	}
	p.i++
	k, err := p.key()
	if err != nil {
		return 0, err
	}
	if p.at(p.i) != ':' {
		if err := p.space(); err != nil {
			return 0, err
		}
		if p.at(p.i) != ':' {
			if first {
				return 0, p.fail("Expected ':' after property name in JSON", p.i)
			}
			return 0, p.unexpected(p.i)
		}
	}
	p.i++
	return k, nil
}

// key reads a property name after its first quote. Names repeat: the places
// where some were seen are remembered by a cheap hash.
func (p *jsonParser[C]) key() (vm.Key, error) {
	start := p.i
	end := min(len(p.s), start+64)
	for j := start; j < end; j++ { //meter: at most 64
		c := p.s[j]
		if c == '\\' || c < ' ' {
			break
		}
		if c != '"' {
			continue
		}
		p.i = j + 1
		n := j - start
		if n == 0 {
			return p.m.N.Empty, nil
		}
		x := uint32(n) + uint32(p.s[start])*7 + uint32(p.s[j-1])*31 + uint32(p.s[start+n/2])*97
		e := &p.keys[x%jsonKeys]
		if e.end-e.start == n && slices.Equal(p.s[e.start:e.end], p.s[start:j]) {
			return e.key, nil
		}
		s, err := p.newString(p.s[start:j])
		if err != nil {
			return 0, err
		}
		k, err := p.h.KeyOf(s)
		if err == nil {
			*e = jsonKey{start, j, k}
		}
		return k, err
	}
	s, err := p.str()
	if err != nil {
		return 0, err
	}
	return p.h.KeyOf(s)
}

func (p *jsonParser[C]) newString(s []C) (vm.Str, error) {
	switch s := any(s).(type) {
	case []byte:
		return p.h.NewLatin1(s)
	case []uint16:
		return p.h.NewUTF16(s)
	}
	return 0, nil
}

// str reads a string after its first quote.
func (p *jsonParser[C]) str() (vm.Str, error) {
	start := p.i
	for {
		j, stop := p.plain()
		p.i = j
		if !stop {
			if j >= len(p.s) {
				return 0, p.fail("Unterminated string in JSON", j)
			}
			if err := p.tally(); err != nil {
				return 0, err
			}
			continue
		}
		switch c := p.s[j]; {
		case c == '"':
			p.i++
			return p.newString(p.s[start:j])
		case c != '\\':
			return 0, p.fail("Bad control character in string literal in JSON", j)
		}
		return p.escaped(start)
	}
}

// plain looks for the next unit that is not simply part of a string, a chunk
// ahead at most.
func (p *jsonParser[C]) plain() (at int, found bool) {
	end := min(len(p.s), p.i+1<<16)
	for j := p.i; j < end; j++ { //meter: the caller charges by chunk
		if c := p.s[j]; c == '"' || c == '\\' || c < ' ' {
			return j, true
		}
	}
	return end, false
}

// escaped reads a string whose first escape is at p.i.
func (p *jsonParser[C]) escaped(start int) (vm.Str, error) {
	p.buf = p.buf[:0]
	for {
		if err := p.keep(p.s[start:p.i]); err != nil {
			return 0, err
		}
		switch c := p.at(p.i); {
		case p.i >= len(p.s):
			return 0, p.fail("Unterminated string in JSON", p.i)
		case c == '"':
			p.i++
			return p.h.NewUTF16(p.buf)
		case c < ' ':
			return 0, p.fail("Bad control character in string literal in JSON", p.i)
		case c == '\\':
			u, err := p.escape()
			if err != nil {
				return 0, err
			}
			p.buf = append(p.buf, u)
		}
		start = p.i
		p.i, _ = p.plain()
		if p.i-p.paid > jsonTally {
			if err := p.tally(); err != nil {
				return 0, err
			}
		}
	}
}

// keep appends units to the buffer, which always has room for one more after
// it.
func (p *jsonParser[C]) keep(s []C) error {
	need := len(p.buf) + len(s) + 1
	if need > cap(p.buf) {
		n := max(256, need, cap(p.buf)*2)
		if err := p.account(p.memory() + int64(n)*2); err != nil {
			return err
		}
		p.buf = append(make([]uint16, 0, n), p.buf...) //meter: account has charged for it
	}
	for _, c := range s { //meter: a chunk at most, charged when it was read
		p.buf = append(p.buf, uint16(c))
	}
	return nil
}

// escape reads an escape sequence.
func (p *jsonParser[C]) escape() (uint16, error) {
	p.i++
	if p.i >= len(p.s) {
		return 0, p.unexpected(p.i)
	}
	c := p.s[p.i]
	p.i++
	switch c {
	case '"', '\\', '/':
		return uint16(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		x := uint16(0)
		for range 4 {
			d := hexDigit(uint32(p.at(p.i)))
			if p.i >= len(p.s) || d < 0 {
				return 0, p.fail("Bad Unicode escape in JSON", p.i)
			}
			x = x<<4 | uint16(d)
			p.i++
		}
		return x, nil
	}
	return 0, p.fail("Bad escaped character in JSON", p.i-1)
}

func hexDigit(c uint32) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func (p *jsonParser[C]) literal(word string) error {
	for k := range len(word) { //meter: at most five
		if p.at(p.i) != C(word[k]) {
			return p.unexpected(p.i)
		}
		p.i++
	}
	return nil
}

// powersOf10 are exact.
var powersOf10 = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// number reads a number. Up to 15 digits and small powers of ten give the
// right double by one operation; the rest is StringToNumber's.
func (p *jsonParser[C]) number() (vm.Value, error) {
	start := p.i
	neg := p.s[p.i] == '-'
	if neg {
		p.i++
		if c := p.at(p.i); c < '0' || c > '9' {
			return vm.Undefined, p.fail("No number after minus sign in JSON", p.i)
		}
	}
	mant, digits, frac, simple := int64(0), 0, 0, true
	if p.at(p.i) == '0' {
		p.i++
		if c := p.at(p.i); c >= '0' && c <= '9' {
			return vm.Undefined, p.fail("Unexpected number in JSON", p.i)
		}
	} else if err := p.digits(&mant, &digits); err != nil {
		return vm.Undefined, err
	}
	integer := true
	if p.at(p.i) == '.' {
		integer = false
		p.i++
		if c := p.at(p.i); c < '0' || c > '9' {
			return vm.Undefined, p.fail("Unterminated fractional number in JSON", p.i)
		}
		from := p.i
		if err := p.digits(&mant, &digits); err != nil {
			return vm.Undefined, err
		}
		frac = p.i - from
	}
	if c := p.at(p.i); c|0x20 == 'e' {
		integer, simple = false, false
		p.i++
		if c := p.at(p.i); c == '+' || c == '-' {
			p.i++
		}
		if c := p.at(p.i); c < '0' || c > '9' {
			return vm.Undefined, p.fail("Exponent part is missing a number in JSON", p.i)
		}
		var x int64
		var n int
		if err := p.digits(&x, &n); err != nil {
			return vm.Undefined, err
		}
	}
	if simple && digits <= 15 {
		if integer {
			if neg {
				if mant == 0 {
					return heap.Float(math.Copysign(0, -1)), nil
				}
				mant = -mant
			}
			return heap.Int64(mant), nil
		}
		if frac < len(powersOf10) {
			f := float64(mant) / powersOf10[frac]
			if neg {
				f = -f
			}
			return heap.Number(f), nil
		}
	}
	f, err := conv.StringToNumber(p.m.Meter(), p.s[start:p.i])
	return heap.Number(f), err
}

// digits reads decimal digits into mant as long as it can hold them.
func (p *jsonParser[C]) digits(mant *int64, n *int) error {
	for p.i < len(p.s) {
		c := p.s[p.i]
		if c < '0' || c > '9' {
			return nil
		}
		if *n < 16 {
			*mant = *mant*10 + int64(c-'0')
		}
		if *mant != 0 {
			*n++
		}
		p.i++
		if p.i-p.paid > jsonTally {
			if err := p.tally(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail makes a SyntaxError about a position, in V8's words.
func (p *jsonParser[C]) fail(what string, at int) error {
	line, column := 1, 1
	for from := 0; from < at; from += jsonTally {
		if err := p.m.Charge(jsonTally / 16); err != nil {
			return err
		}
		for _, c := range p.s[from:min(at, from+jsonTally)] { //meter: charged above
			if column++; c == '\n' {
				line, column = line+1, 1
			}
		}
	}
	return p.m.SyntaxError("%s at position %d (line %d column %d)", what, at, line, column)
}

// jsonContext is how many units around a bad token a message quotes.
const jsonContext = 10

// unexpected is the SyntaxError for a token that can't be there.
func (p *jsonParser[C]) unexpected(at int) error {
	if at >= len(p.s) {
		return p.m.SyntaxError("Unexpected end of JSON input")
	}
	switch c := p.s[at]; {
	case c >= '0' && c <= '9' || c == '-':
		return p.fail("Unexpected number in JSON", at)
	case c == '"':
		return p.fail("Unexpected string in JSON", at)
	}
	n := len(p.s)
	if n <= 15 {
		switch w := p.quote(0, n); w {
		case "NaN", "Infinity", "undefined", "[object Object]":
			return p.m.SyntaxError("\"%s\" is not valid JSON", w)
		}
	}
	from, to, before, after := 0, n, "", ""
	if n > 2*jsonContext {
		if at >= jsonContext {
			from, before = at-jsonContext, "..."
		}
		if at < jsonContext || at < n-jsonContext {
			to, after = at+jsonContext, "..."
		}
	}
	return p.m.SyntaxError("Unexpected token '%s', %s\"%s\"%s is not valid JSON", p.quote(at, at+1), before, p.quote(from, to), after)
}

func (p *jsonParser[C]) quote(from, to int) string {
	u := make([]uint16, 0, 2*jsonContext)
	for _, c := range p.s[from:to] { //meter: at most 21
		u = append(u, uint16(c))
	}
	return string(heap.AppendWTF8(nil, u))
}
