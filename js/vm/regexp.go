package vm

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/regexp"
)

// RegExp objects are of ClassRegExp. lastIndex is their first property, in
// slot 0. Data is a block of values: the pattern as it was written and the
// flags, both strings. Length is the number of the compiled pattern in the
// run. The flag heap.Derived says that a subclass made the object: its matches
// don't show in RegExp.$1 and its like.

const (
	regExpSource = iota
	regExpFlags
	regExpSize
)

// regExps is what a run keeps for its regular expressions.
type regExps struct {
	shape  heap.ShapeID // of an object as RegExpAlloc makes it
	result heap.ShapeID // of the array that exec returns

	// table holds the compiled patterns by number; 0 is none. A pattern that
	// was dropped is nil and compiled again when it is needed.
	table []*compiledRegExp
	index map[string]uint32 // number of pattern and flags
	live  []uint32          // numbers of those that are not dropped
	bytes int64             // charged for them
	key   []byte

	matcher regexp.Matcher
	last    LastMatch
}

type compiledRegExp struct {
	prog *regexp.Program
	key  string // in index; "" if it isn't
	size int64
	used bool // since the last time that patterns were dropped
}

const (
	// maxRegExpBytes is how much compiled patterns may take before the ones
	// not used lately are dropped.
	maxRegExpBytes = 4 << 20
	// maxRegExpKey is the longest pattern that is looked for in the index.
	maxRegExpKey = 4096
	// compileFuel is charged for a pattern beside what its parts cost.
	compileFuel = 300
	// regExpOverhead is about what the tables take for a pattern.
	regExpOverhead = 200
)

// LastMatch is the match that RegExp.$1 and its like show. Input 0 is none.
type LastMatch struct {
	Input  Str
	Shown  Str       // RegExp.input, which can be set
	Caps   [20]int32 // as the matcher's; -1 where a group took no part
	Last   [2]int32  // of the last group, where there are more
	Groups int       // of the pattern, the whole match included
	Valid  bool      // false after a match of a subclass's object
}

// LastMatch returns the record of the last match, for changing too.
func (m *Machine) LastMatch() *LastMatch { return &m.regexps.last }

func (l *LastMatch) mark(h *heap.Heap) {
	if l.Input != 0 {
		h.Mark(heap.StringValue(l.Input))
	}
	if l.Shown != 0 {
		h.Mark(heap.StringValue(l.Shown))
	}
}

// regExpLiteral evaluates a regular expression literal; pattern and flags are
// numbers of constants.
func (m *Machine) regExpLiteral(fn *fnState, pattern, flags uint32) (Value, error) {
	p := fn.prog
	pv, err := m.constant(p, pattern)
	if err != nil {
		return Undefined, err
	}
	fv, err := m.constant(p, flags)
	if err != nil {
		return Undefined, err
	}
	if p.literals == nil {
		if err := m.meter.Grow(int64(len(p.consts)) * 8); err != nil {
			return Undefined, err
		}
		p.literals = make([]regExpLiteral, len(p.consts))
	}
	l := &p.literals[pattern]
	if l.number == 0 || l.flags != flags || m.regexps.table[l.number] == nil {
		n, err := m.compileRegExp(pv.AsStr(), fv.AsStr())
		if err != nil {
			return Undefined, err
		}
		l.number, l.flags = n, flags
	}
	o := m.plainRegExp()
	m.fillRegExp(o, pv.AsStr(), fv.AsStr(), l.number)
	return heap.ObjectValue(o), nil
}

// regExpLiteral is the compiled pattern of a constant together with the flags
// it was last seen with.
type regExpLiteral struct {
	number, flags uint32
}

// plainRegExp allocates an object with %RegExp.prototype%.
func (m *Machine) plainRegExp() Obj {
	r := &m.regexps
	if r.shape == 0 {
		// The realm's template has this shape already: it is never freed.
		o := m.H.NewObject(m.H.RootShape(m.intrinsics[RegExpPrototype]), heap.ClassRegExp)
		m.H.AddNamed(o, m.N.LastIndex.Name(), heap.Int(0), heap.Writable)
		r.shape = m.H.Obj(o).Shape
		return o
	}
	o := m.H.NewObject(r.shape, heap.ClassRegExp)
	w := m.H.ObjW(o)
	w.Realm = m.current
	w.Inline[0] = heap.Int(0)
	return o
}

func (m *Machine) fillRegExp(o Obj, pattern, flags Str, number uint32) {
	b := m.H.NewSmallValues(regExpSize)
	w := m.H.ValuesW(b)
	w[regExpSource], w[regExpFlags] = heap.StringValue(pattern), heap.StringValue(flags)
	rec := m.H.ObjW(o)
	rec.Data, rec.Length = heap.ValuesValue(b), number
}

// AllocRegExp is RegExpAlloc (§22.2.3.2).
func (m *Machine) AllocRegExp(newTarget Value) (Obj, error) {
	if newTarget == Undefined || newTarget == heap.ObjectValue(m.intrinsics[RegExpConstructor]) {
		return m.plainRegExp(), nil
	}
	o, err := m.NewFrom(newTarget, RegExpPrototype, heap.ClassRegExp)
	if err != nil {
		return 0, err
	}
	m.H.ObjW(o).Flags |= heap.Derived
	m.H.AddNamed(o, m.N.LastIndex.Name(), heap.Int(0), heap.Writable)
	return o, nil
}

// newRegExp is RegExpCreate (§22.2.3.1).
func (m *Machine) newRegExp(pattern, flags Value) (Value, error) {
	p, f := m.N.StrEmpty, m.N.StrEmpty
	var err error
	if pattern != Undefined {
		if p, err = m.ToString(pattern); err != nil {
			return Undefined, err
		}
	}
	if flags != Undefined {
		if f, err = m.ToString(flags); err != nil {
			return Undefined, err
		}
	}
	n, err := m.compileRegExp(p, f)
	if err != nil {
		return Undefined, err
	}
	o := m.plainRegExp()
	m.fillRegExp(o, p, f, n)
	return heap.ObjectValue(o), nil
}

// NewRegExp is RegExpCreate (§22.2.3.1) for built-ins.
func (m *Machine) NewRegExp(pattern, flags Value) (Value, error) { return m.newRegExp(pattern, flags) }

// SetRegExp is RegExpInitialize (§22.2.3.3) with the strings already made.
func (m *Machine) SetRegExp(o Obj, pattern, flags Str) error {
	n, err := m.compileRegExp(pattern, flags)
	if err != nil {
		return err
	}
	m.fillRegExp(o, pattern, flags, n)
	return m.SetLastIndex(o, 0)
}

// SetLastIndex is Set(R, "lastIndex", i, true) for a RegExp object.
func (m *Machine) SetLastIndex(o Obj, i int) error {
	rec := m.H.Obj(o)
	if rec.Shape != m.regexps.shape {
		if _, a, _ := m.H.Lookup(rec.Shape, m.N.LastIndex.Name()); a&heap.Writable == 0 {
			return m.readOnlyError(heap.ObjectValue(o), m.N.LastIndex)
		}
	}
	m.H.ObjW(o).Inline[0] = heap.Int(int32(i))
	return nil
}

// RegExpSource returns the pattern and the flags of a RegExp object.
func (m *Machine) RegExpSource(o Obj) (pattern, flags Str) {
	w := m.H.Values(m.H.Obj(o).Data.AsBlock())
	return w[regExpSource].AsStr(), w[regExpFlags].AsStr()
}

// RegExpProgram returns the compiled pattern of a RegExp object.
func (m *Machine) RegExpProgram(o Obj) (*regexp.Program, error) {
	r := &m.regexps
	if n := m.H.Obj(o).Length; int(n) < len(r.table) {
		if c := r.table[n]; c != nil {
			c.used = true
			return c.prog, nil
		}
	}
	n, err := m.compileRegExp(m.RegExpSource(o))
	if err != nil {
		return nil, err
	}
	m.H.ObjW(o).Length = n
	return r.table[n].prog, nil
}

// compileRegExp returns the number of a compiled pattern.
func (m *Machine) compileRegExp(pattern, flags Str) (uint32, error) {
	r := &m.regexps
	b, u, err := m.H.Units16(pattern)
	if err != nil {
		return 0, err
	}
	fb, _, err := m.H.Units16(flags)
	if err != nil {
		return 0, err
	}
	f, ok := regexp.Flags(0), false
	if n := m.H.Len(flags); n == len(fb) && n <= 8 {
		f, ok = regexp.ParseFlags(string(fb))
	}
	if !ok {
		return 0, m.SyntaxError("Invalid flags supplied to RegExp constructor '%s'", m.short(flags))
	}
	n := max(len(b), len(u))
	if err := m.Charge(n / 16); err != nil {
		return 0, err
	}
	cached := n <= maxRegExpKey
	if cached {
		k := append(r.key[:0], byte(f), byte(f>>8))
		if u != nil {
			k[1] |= 0x80
			for _, c := range u { //meter: charged above
				k = append(k, byte(c), byte(c>>8))
			}
		} else {
			k = append(k, b...)
		}
		r.key = k
		if i, ok := r.index[string(k)]; ok {
			r.table[i].used = true
			return i, nil
		}
	}
	if err := m.Charge(compileFuel); err != nil {
		return 0, err
	}
	if err := m.meter.Grow(int64(n) * 2); err != nil {
		return 0, err
	}
	src := make([]uint16, n)
	copy(src, u)
	for i, c := range b { //meter: charged above
		src[i] = uint16(c)
	}
	prog, err := regexp.Compile(src, f, m.meter)
	m.meter.Shrink(int64(n) * 2)
	if err != nil {
		return 0, err
	}
	c := &compiledRegExp{prog: prog, size: prog.Size() + regExpOverhead, used: true}
	if cached {
		c.size += int64(len(r.key))
	}
	if r.bytes+c.size > maxRegExpBytes {
		m.dropRegExps()
	}
	if err := m.meter.Grow(c.size); err != nil {
		return 0, err
	}
	if len(r.table) == 0 {
		r.table = append(r.table, nil)
		r.index = map[string]uint32{}
	}
	i := uint32(len(r.table))
	r.table = append(r.table, c)
	r.live = append(r.live, i)
	r.bytes += c.size
	if cached {
		c.key = string(r.key)
		r.index[c.key] = i
	}
	return i, nil
}

// compiledPattern compiles what a key of the index describes.
func (m *Machine) compiledPattern(key string) (*compiledRegExp, error) {
	f := regexp.Flags(key[0]) | regexp.Flags(key[1]&^0x80)<<8
	wide, text := key[1]&0x80 != 0, key[2:]
	n := len(text)
	if wide {
		n /= 2
	}
	src := make([]uint16, n) //meter: as long as the key, of which there are at most maxRegExpKey units
	for i := range src {     //meter: as above
		if wide {
			src[i] = uint16(text[2*i]) | uint16(text[2*i+1])<<8
		} else {
			src[i] = uint16(text[i])
		}
	}
	prog, err := regexp.Compile(src, f, m.meter)
	if err != nil {
		return nil, err
	}
	return &compiledRegExp{prog: prog, key: key, size: prog.Size() + regExpOverhead + int64(len(key))}, nil
}

// dropRegExps drops the patterns that were not used since the last time, or
// all if those are few. What a dropped one's slot in the table takes stays
// charged.
func (m *Machine) dropRegExps() {
	r := &m.regexps
	before := r.bytes
	for range 2 {
		keep := r.live[:0]
		for _, i := range r.live { //meter: each was compiled, which costs more
			c := r.table[i]
			if c.used {
				c.used = false
				keep = append(keep, i)
				continue
			}
			if c.key != "" {
				delete(r.index, c.key)
			}
			r.table[i] = nil
			size := c.size - 16
			r.bytes -= size
			m.meter.Shrink(size)
		}
		r.live = keep
		if r.bytes <= before/2 {
			break
		}
	}
}

// MatchRegExp matches prog against s at an index, or at it or after with
// search. caps has room for 2*prog.NumCaptures.
func (m *Machine) MatchRegExp(prog *regexp.Program, s Str, at int, search bool, caps []int32) (bool, error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return false, err
	}
	x := &m.regexps.matcher
	switch {
	case u != nil && search:
		return x.SearchUTF16(prog, u, at, caps, m.meter)
	case u != nil:
		return x.MatchUTF16(prog, u, at, caps, m.meter)
	case search:
		return x.SearchLatin1(prog, b, at, caps, m.meter)
	}
	return x.MatchLatin1(prog, b, at, caps, m.meter)
}

// NewMatchResult makes the array that exec returns, with the elements in vals.
func (m *Machine) NewMatchResult(vals []Value, index int, input Str, groups Value) (Obj, error) {
	r := &m.regexps
	if r.result == 0 {
		// As for shape, the template has it.
		o, err := m.H.NewArrayOf(m.H.RootShape(m.intrinsics[ArrayPrototype]), vals)
		if err != nil {
			return 0, err
		}
		m.H.AddNamed(o, m.N.Index.Name(), heap.Int(int32(index)), heap.DefaultAttrs)
		m.H.AddNamed(o, m.N.Input.Name(), heap.StringValue(input), heap.DefaultAttrs)
		m.H.AddNamed(o, m.N.Groups.Name(), groups, heap.DefaultAttrs)
		r.result = m.H.Obj(o).Shape
		return o, nil
	}
	o, err := m.H.NewArrayOf(r.result, vals)
	if err != nil {
		return 0, err
	}
	w := m.H.ObjW(o)
	w.Inline[0], w.Inline[1], w.Inline[2] = heap.Int(int32(index)), heap.StringValue(input), groups
	return o, nil
}

// SealRegExp ends the setup of RegExp in a realm: it makes the hidden classes
// that matching uses part of the template and notes what an untouched
// %RegExp.prototype% is like.
func (b *Builder) SealRegExp() {
	b.plainRegExp()
	_, err := b.NewMatchResult(nil, 0, b.N.StrEmpty, Undefined)
	b.Fail(err)
	if b.again {
		b.regexps.last = LastMatch{}
	} else {
		b.regexps = regExps{}
	}
	proto := b.intrinsics[RegExpPrototype]
	n := b.H.NumNamed(proto)
	blk, err := b.H.NewValues(n + 2)
	b.Fail(err)
	rec := b.H.Obj(proto)
	w := b.H.ValuesW(blk)
	w[0], w[1] = heap.NumberValue(uint32(rec.Shape)), heap.NumberValue(uint32(n))
	for i := range n { //meter: building the template
		w[i+2] = b.H.Slot(rec, i)
	}
	o := b.H.NewObject(b.H.RootShape(0), heap.ClassHost)
	b.H.ObjW(o).Data = heap.ValuesValue(blk)
	b.intrinsics[RegExpPristine] = o
}

// RegExpPristine reports whether o is a RegExp object without properties of
// its own, and nothing in %RegExp.prototype% was changed: then no method of it
// need be looked up.
func (m *Machine) RegExpPristine(o Obj) bool {
	rec := m.H.Obj(o)
	if rec.Shape != m.regexps.shape || rec.Class != heap.ClassRegExp {
		return false
	}
	w := m.H.Values(m.H.Obj(m.intrinsics[RegExpPristine]).Data.AsBlock())
	p := m.H.Obj(m.intrinsics[RegExpPrototype])
	if w[0].AsNumber() != uint32(p.Shape) {
		return false
	}
	n := int(w[1].AsNumber())
	w = w[2 : 2+n]
	for i := range min(n, heap.InlineSlots) { //meter: a fixed number
		if p.Inline[i] != w[i] {
			return false
		}
	}
	if n > heap.InlineSlots {
		w = w[heap.InlineSlots:]
		for i, v := range m.H.Values(p.Slots)[:len(w)] { //meter: a fixed number
			if v != w[i] {
				return false
			}
		}
	}
	return true
}

// RegExpSpeciesPristine reports whether RegExp[Symbol.species] is the original
// accessor. Together with RegExpPristine it says that SpeciesConstructor gives
// %RegExp%.
func (m *Machine) RegExpSpeciesPristine() bool {
	v, a, ok := m.H.GetNamed(m.intrinsics[RegExpConstructor], m.N.SymSpecies.Name())
	if !ok || a&heap.Accessor == 0 {
		return false
	}
	g, _ := m.H.Pair(v)
	return g == heap.ObjectValue(m.intrinsics[RegExpSpeciesGetter])
}
