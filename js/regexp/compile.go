package regexp

import (
	"math"
	"slices"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// maxCode bounds the number of instructions.
const maxCode = 1 << 22

// Compile compiles a pattern. Its error is a *SyntaxError or the meter's. What
// compiling takes is charged and given back; the program's Size is the
// holder's to charge. m may be nil.
func Compile(pattern []uint16, flags Flags, m Meter) (*Program, error) {
	p := newParser(pattern, flags, m)
	c := &compiler{cases: p.cases, unicode: p.unicode}
	defer p.release()
	defer c.release()
	root := p.pattern()
	if p.err != nil {
		return nil, p.err
	}
	c.m = m
	c.p = &Program{Flags: flags, NumCaptures: p.captures + 1, Names: p.names, cases: p.cases}
	c.regs = 2 * c.p.NumCaptures
	c.analyze(root)
	c.emit(inst{op: opSave, a: 0})
	c.compile(root, accepted, false)
	c.emit(inst{op: opSave, a: 1})
	c.emit(inst{op: opMatch})
	if c.err == nil && len(c.p.code) >= maxCode {
		c.err = syntaxError(pattern, flags, errTooLarge, len(pattern))
	}
	if c.err == nil {
		c.hints(root, p.backrefs)
	}
	c.settle()
	if c.err != nil {
		return nil, c.err
	}
	c.seal()
	return c.p, nil
}

// CheckSyntax reports the early errors of a regular expression literal. The
// pattern is WTF-8; m, if it isn't nil, is charged for the work and for the memory
// that it takes, which is given back. The error is a *SyntaxError, or m's.
func CheckSyntax(pattern, flags string, m Meter) error {
	f, ok := ParseFlags(flags)
	if !ok {
		return &SyntaxError{Message: errInvalidFlagsText, Reason: errInvalidFlagsText, Offset: len(pattern)}
	}
	src, offsets := fromWTF8(pattern)
	p := newParser(src, f, m)
	defer p.release()
	p.check = true
	p.pattern()
	if e, ok := p.err.(*SyntaxError); ok {
		e.Offset = int(offsets[e.Offset])
	}
	return p.err
}

// A compiler turns a tree into instructions. Inside a lookbehind they are laid
// out so that the last node is matched first.
type compiler struct {
	p       *Program
	cases   *ucd.Cases
	unicode bool
	regs    int
	setIDs  map[*set]int32
	filters map[filter]int32
	singles map[[2]rune]*set
	ledger
}

func (c *compiler) emit(i inst) int {
	n := len(c.p.code)
	if c.err != nil || n >= maxCode {
		return 0
	}
	if n == cap(c.p.code) {
		c.grow((n + 8) * instBytes)
		if c.err != nil {
			return 0
		}
		c.p.code = slices.Grow(c.p.code, n+8) //meter: grow has charged for it
	}
	c.work(1)
	c.p.code = append(c.p.code, i)
	return n
}

// here is the index of the next instruction.
func (c *compiler) here() int32 { return int32(len(c.p.code)) }

// aim sets the target of a jump emitted before.
func (c *compiler) aim(at int) {
	if c.err == nil && at < len(c.p.code) {
		c.p.code[at].a = c.here()
	}
}

// reg allots n registers.
func (c *compiler) reg(n int) int32 {
	r := c.regs
	c.regs += n
	return int32(r)
}

func (c *compiler) set(s *set) int32 {
	if id, ok := c.setIDs[s]; ok {
		return id
	}
	if c.setIDs == nil {
		c.setIDs = map[*set]int32{}
	}
	id := int32(len(c.p.sets))
	c.setIDs[s] = id
	c.grow(48)
	c.p.sets = append(c.p.sets, s)
	return id
}

// filter returns the index of what f lets pass, or -1 when that is everything.
func (c *compiler) filter(f firstInfo) int32 {
	if f.empty {
		return -1
	}
	k := filter{f.bits, f.high, f.end}
	if id, ok := c.filters[k]; ok {
		return id
	}
	if c.filters == nil {
		c.filters = map[filter]int32{}
	}
	id := int32(len(c.p.filters))
	c.filters[k] = id
	c.grow(128)
	c.p.filters = append(c.p.filters, k)
	return id
}

// compile emits n. follow is how what comes after it can start.
func (c *compiler) compile(n *node, follow firstInfo, back bool) { //meter: as deep as the parser counted
	if c.err != nil {
		return
	}
	switch n.op {
	case nEmpty:
	case nStr:
		c.str(n, back)
	case nSet:
		c.one(n.set, back)
	case nSeq:
		c.seq(n, follow, back)
	case nAlt:
		c.alt(n, follow, back)
	case nGroup:
		first := 2 * n.group
		last := first + 1
		if back {
			first, last = last, first
		}
		c.emit(inst{op: opSave, a: first})
		c.compile(n.kids[0], follow, back)
		c.emit(inst{op: opSave, a: last})
	case nLoop:
		c.loop(n, follow, back)
	case nBOL:
		if n.multiline {
			c.emit(inst{op: opBOLMulti})
		} else {
			c.emit(inst{op: opBOL})
		}
	case nEOL:
		if n.multiline {
			c.emit(inst{op: opEOLMulti})
		} else {
			c.emit(inst{op: opEOL})
		}
	case nWord:
		c.emit(inst{op: opWord, flag: n.neg, end: n.icase})
	case nLook:
		c.look(n)
	case nBackref:
		at := int32(len(c.p.refs))
		c.grow(4 * len(n.refs))
		if c.err != nil {
			return
		}
		c.p.refs = append(c.p.refs, n.refs...)
		i := inst{op: opBackref, a: at, b: int32(len(n.refs)), flag: n.icase}
		if back {
			i.op = opBackrefBehind
		}
		c.emit(i)
	}
}

func (c *compiler) seq(n *node, follow firstInfo, back bool) {
	k := len(n.kids)
	if back {
		for i := k - 1; i >= 0; i-- { //meter: each emits, which charges
			c.compile(n.kids[i], anything, true)
		}
		return
	}
	c.work(k)
	c.grow(k * 48)
	if c.err != nil {
		return
	}
	follows := make([]firstInfo, k)
	for i := k - 1; i >= 0; i-- {
		follows[i] = follow
		follow = n.kids[i].first.then(follow)
	}
	for i, kid := range n.kids { //meter: each emits, which charges
		c.compile(kid, follows[i], false)
	}
}

func (c *compiler) alt(n *node, follow firstInfo, back bool) {
	k := len(n.kids)
	c.grow(k * 56)
	if c.err != nil {
		return
	}
	ways := make([]firstInfo, k) //meter: charged above; how a branch and all after it can start
	if !back {
		var f firstInfo
		for i := k - 1; i >= 0; i-- { //meter: the kids that are compiled below, which charges
			f = f.or(n.kids[i].first.then(follow))
			ways[i] = f
		}
	}
	ends := make([]int, 0, k)    //meter: grow has charged for it
	for i, kid := range n.kids { //meter: each emits, which charges
		if i == k-1 {
			c.compile(kid, follow, back)
			break
		}
		split := inst{op: opSplit}
		if !back {
			split = c.split(opSplitNext, kid.first.then(follow), ways[i+1])
		}
		at := c.emit(split)
		c.compile(kid, follow, back)
		ends = append(ends, c.emit(inst{op: opJmp}))
		c.aim(at)
	}
	for _, e := range ends { //meter: each emits, which charges
		c.aim(e)
	}
}

// split makes a split instruction; next and jump say how the two ways start.
func (c *compiler) split(op opcode, next, jump firstInfo) inst {
	b, d := c.filter(next), c.filter(jump)
	if op == opSplitNext && b < 0 && d < 0 {
		return inst{op: opSplit}
	}
	return inst{op: op, b: b, c: d}
}

// look emits a lookaround.
func (c *compiler) look(n *node) {
	if n.neg {
		r := c.reg(1)
		at := c.emit(inst{op: opNegBegin, a: r})
		c.compile(n.kids[0], accepted, n.behind)
		c.emit(inst{op: opNegEnd, a: r})
		if c.err == nil && at < len(c.p.code) {
			c.p.code[at].b = c.here()
		}
		return
	}
	r := c.reg(2)
	c.emit(inst{op: opLookBegin, a: r})
	c.compile(n.kids[0], accepted, n.behind)
	c.emit(inst{op: opLookEnd, a: r})
}

// one emits a match of one character.
func (c *compiler) one(s *set, back bool) {
	i := inst{op: opSet, a: c.set(s)}
	step := inst{op: opBack, a: 1}
	if c.unicode && s.wide {
		i.op = opSetU
		step = inst{op: opBackU}
	}
	if back {
		c.emit(step)
	}
	c.emit(i)
	if back {
		c.emit(step)
	}
}

// others returns the set of r's equals when it takes a set to match them: more
// than two, or two that are no single units. Else it returns r and its one
// equal, or r twice.
func (c *compiler) others(r rune, icase bool) (a, b rune, s *set) {
	if !icase {
		return r, r, nil
	}
	class := c.cases.Class(r)
	switch {
	case class == nil:
		return r, r, nil
	case len(class) == 2 && class[1] <= 0xFFFF:
		return class[0], class[1], nil
	}
	var ranges rangeSet
	for _, e := range class { //meter: a class of case: at most four
		ranges = append(ranges, ucd.Range{Lo: e, Hi: e})
	}
	c.grow(setBytes)
	c.work(16)
	return r, r, newSet(normalize(ranges))
}

// str emits a string: runs of plain units, runs of units with one equal each,
// and sets.
func (c *compiler) str(n *node, back bool) {
	parts := c.strParts(n)
	if back {
		slices.Reverse(parts)
	}
	for _, p := range parts { //meter: each emits, which charges
		if c.err != nil {
			return
		}
		if p.set != nil {
			c.one(p.set, back)
			continue
		}
		if back {
			c.emit(inst{op: opBack, a: p.len})
		}
		c.emit(p.inst)
		if back {
			c.emit(inst{op: opBack, a: p.len})
		}
	}
}

type strPart struct {
	inst inst
	len  int32
	set  *set
}

func (c *compiler) strParts(n *node) []strPart {
	var parts []strPart
	var plain, pairs []uint16
	flush := func() {
		switch {
		case len(plain) == 1:
			parts = append(parts, strPart{inst: inst{op: opChar, a: int32(plain[0])}, len: 1})
		case len(plain) > 1:
			parts = append(parts, strPart{inst: c.lit(opStr, plain, 1), len: int32(len(plain))})
		case len(pairs) == 2:
			parts = append(parts, strPart{inst: inst{op: opChar2, a: int32(pairs[0]), b: int32(pairs[1])}, len: 1})
		case len(pairs) > 2:
			parts = append(parts, strPart{inst: c.lit(opStr2, pairs, 2), len: int32(len(pairs) / 2)})
		}
		plain, pairs = plain[:0], pairs[:0]
	}
	c.work(len(n.runes) / 2)
	c.grow(8 * len(n.runes))
	for _, r := range n.runes {
		a, b, s := c.others(r, n.icase)
		if c.err != nil {
			return nil
		}
		switch {
		case s != nil:
			flush()
			parts = append(parts, strPart{set: s})
		case a != b:
			if len(plain) > 0 {
				flush()
			}
			pairs = append(pairs, uint16(a), uint16(b))
		case r > 0xFFFF:
			if len(pairs) > 0 {
				flush()
			}
			plain = append(plain, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF))
		case len(pairs) > 0 && r <= 0xFF:
			pairs = append(pairs, uint16(r), uint16(r))
		default:
			if len(pairs) > 0 {
				flush()
			}
			plain = append(plain, uint16(r))
		}
	}
	flush()
	return parts
}

// lit stores a literal and makes its instruction. A position of it is width
// units of which either may match.
func (c *compiler) lit(op opcode, units []uint16, width int) inst {
	i := inst{op: op, a: int32(len(c.p.units)), b: int32(len(units) / width)}
	c.grow(4 * len(units))
	if c.err != nil {
		return i
	}
	for k := 0; k < len(units); k += width { //meter: the units of a part, charged when it was parsed
		low := false
		for _, u := range units[k : k+width] { //meter: one or two
			low = low || u <= 0xFF
		}
		if !low {
			i.flag = true
		}
	}
	for k, u := range units { //meter: the units of a part, charged when it was parsed
		c.p.units = append(c.p.units, u)
		if u > 0xFF { // an equal that Latin-1 input can't have
			u = units[k^1&(width-1)]
		}
		c.p.bytes = append(c.p.bytes, byte(u))
	}
	return i
}

// seal trims the program and adds up its size.
func (c *compiler) seal() {
	p := c.p
	p.code = slices.Clip(p.code)
	p.regs = c.regs - 2*p.NumCaptures
	p.size = int64(len(p.code)*instBytes + len(p.filters)*48 + len(p.units)*3 + len(p.refs)*4 + 320)
	for _, s := range p.sets { //meter: once, over what was charged when it was made
		p.size += setBytes + int64(len(s.ranges))*8
	}
	for _, n := range p.Names { //meter: once, over what was charged when it was made
		p.size += int64(len(n.Name) + 48 + 4*len(n.Groups))
	}
}

// loop emits a quantifier: ECMA-262 RepeatMatcher.
func (c *compiler) loop(n *node, follow firstInfo, back bool) {
	body := n.kids[0]
	if n.max == 0 {
		return
	}
	if s := c.single(body); s != nil && !back {
		c.singleLoop(n, s, follow)
		return
	}
	if zeroWidth(body) {
		// An iteration past the minimum would be empty, and so fails; those
		// before it are all the same.
		if n.min > 0 {
			c.compile(body, anything, back)
		}
		return
	}
	bodyFirst := body.first
	around := anything
	again, leave := anything, anything
	if !back {
		around = bodyFirst.or(follow).unsure()
		again, leave = bodyFirst.then(follow), follow
	}
	splitOp := opSplitNext
	if n.lazy {
		splitOp = opSplitJump
	}
	groups := n.hi > n.lo
	nullable := body.nullable
	switch {
	case n.min == 0 && n.max == 1:
		at := c.emit(c.split(splitOp, again, leave))
		c.body(body, around, back, nullable, false, n)
		c.aim(at)
	case n.min == 0 && n.max == inf:
		top := c.emit(c.split(splitOp, again, leave))
		c.body(body, around, back, nullable, groups, n)
		c.emit(inst{op: opJmp, a: int32(top)})
		c.aim(top)
	case n.min == 1 && n.max == inf && !nullable:
		top := c.here()
		c.body(body, around, back, false, groups, n)
		var i inst
		if n.lazy {
			i = c.split(opSplitNext, leave, again)
		} else {
			i = c.split(opSplitJump, leave, again)
		}
		i.a = top
		c.emit(i)
	default:
		count := c.reg(1)
		mark := int32(-1)
		if nullable {
			mark = c.reg(1)
		}
		c.emit(inst{op: opSetReg, a: count})
		high := n.max
		if high == inf {
			high = math.MaxInt32
		}
		top := c.emit(inst{op: opLoopTop, b: count, c: n.min, d: high, flag: n.lazy})
		c.emit(inst{op: opCount, a: count, b: mark})
		if groups {
			c.emit(inst{op: opReset, a: 2 * n.lo, b: 2 * n.hi})
		}
		c.compile(body, around, back)
		if nullable {
			c.emit(inst{op: opNonEmptyMin, a: mark, b: count, c: n.min})
		}
		c.emit(inst{op: opJmp, a: int32(top)})
		c.aim(top)
	}
}

// body emits one iteration of a loop without a counter.
func (c *compiler) body(body *node, around firstInfo, back, nullable, reset bool, n *node) {
	mark := int32(-1)
	if nullable {
		mark = c.reg(1)
		c.emit(inst{op: opMark, a: mark})
	}
	if reset {
		c.emit(inst{op: opReset, a: 2 * n.lo, b: 2 * n.hi})
	}
	c.compile(body, around, back)
	if nullable {
		c.emit(inst{op: opNonEmpty, a: mark})
	}
}

// single returns the set of a node that matches exactly one character and
// captures nothing, or nil.
func (c *compiler) single(n *node) *set {
	for n.op == nSeq && len(n.kids) == 1 { //meter: as deep as the parser counted
		n = n.kids[0]
	}
	switch n.op {
	case nSet:
		return n.set
	case nStr:
		if len(n.runes) != 1 {
			return nil
		}
		a, b, s := c.others(n.runes[0], n.icase)
		if s != nil {
			return s
		}
		if s = c.singles[[2]rune{a, b}]; s != nil {
			return s
		}
		c.grow(setBytes)
		c.work(16)
		s = newSet(normalize(rangeSet{{Lo: a, Hi: a}, {Lo: b, Hi: b}}))
		if c.singles == nil {
			c.singles = map[[2]rune]*set{}
		}
		c.singles[[2]rune{a, b}] = s
		return s
	}
	return nil
}

// singleLoop emits a loop over one set of characters.
func (c *compiler) singleLoop(n *node, s *set, follow firstInfo) {
	i := inst{op: opLoop, a: c.set(s), b: n.min, c: n.max, d: c.filter(follow), flag: c.unicode && s.wide}
	if n.max == inf {
		i.c = math.MaxInt32
	}
	switch {
	case n.lazy:
		i.op = opLoopLazy
	case n.min == n.max, follow.sure, !follow.empty && disjoint(s, follow):
		// Giving back could not help: what is given back can't start what
		// follows, or what follows has succeeded already.
		i.op = opLoopAll
	}
	c.emit(i)
}

func disjoint(s *set, f firstInfo) bool {
	for i := range f.bits {
		if f.bits[i]&s.bits[i] != 0 {
			return false
		}
	}
	return !(f.high && s.high != nil)
}

// zeroWidth reports whether n cannot consume anything. It looks at the first
// levels only: a wrong no just costs time.
func zeroWidth(n *node) bool { //meter: as deep as the parser counted
	switch n.op {
	case nEmpty, nBOL, nEOL, nWord, nLook:
		return true
	case nSeq, nGroup:
		return len(n.kids) == 1 && zeroWidth(n.kids[0])
	}
	return false
}
