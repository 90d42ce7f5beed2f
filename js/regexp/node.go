package regexp

// A nodeOp is a kind of node of a pattern's tree.
type nodeOp uint8

const (
	nEmpty   nodeOp = iota
	nStr            // runes
	nSet            // set
	nSeq            // kids
	nAlt            // kids
	nGroup          // capture group: kids[0]
	nLoop           // quantifier: kids[0], min, max, lazy
	nBOL            // ^
	nEOL            // $
	nWord           // \b and, with neg, \B
	nLook           // lookaround: kids[0], behind, neg
	nBackref        // refs
)

// inf is a quantifier without an upper bound.
const inf = -1

// A node of a pattern's tree. In Unicode mode runes are code points (lone
// surrogates are sets), else code units.
type node struct {
	op        nodeOp
	icase     bool // nStr, nBackref, nWord
	multiline bool // nBOL, nEOL
	neg       bool
	behind    bool
	lazy      bool
	nullable  bool  // it may match without consuming anything
	open      bool  // nStr that the parser may still append to
	group     int32 // nGroup
	lo, hi    int32 // nLoop: the groups inside are lo ≤ g < hi
	min, max  int32
	runes     []rune
	set       *set
	kids      []*node
	refs      []int32
	first     firstInfo
}

const nodeBytes = 200

// A firstInfo says, conservatively, how a match of a node going forwards can
// start: the characters it may look at first.
type firstInfo struct {
	bits  [4]uint64 // characters up to 0xFF
	high  bool      // characters above
	end   bool      // it may succeed at the end of the input
	empty bool      // it may succeed without looking at a character
	sure  bool      // empty, and that way cannot fail
}

// then returns how a followed by b can start.
func (a firstInfo) then(b firstInfo) firstInfo {
	if !a.empty {
		return a
	}
	r := a.or(b)
	r.empty = b.empty
	r.sure = a.sure && b.sure
	return r
}

// or returns how either a or b can start.
func (a firstInfo) or(b firstInfo) firstInfo {
	for i := range a.bits {
		a.bits[i] |= b.bits[i]
	}
	a.high = a.high || b.high
	a.end = a.end || b.end
	a.empty = a.empty || b.empty
	a.sure = a.sure || b.sure
	return a
}

func (a firstInfo) unsure() firstInfo {
	a.sure = false
	return a
}

var (
	anything  = firstInfo{bits: [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}, high: true, end: true, empty: true}
	assertion = firstInfo{empty: true}
	nothing   = firstInfo{empty: true, sure: true}
	accepted  = firstInfo{empty: true, sure: true, end: true}
)

// analyze fills in first and nullable, from the leaves up. The depth is the parser's.
func (c *compiler) analyze(n *node) { //meter: as deep as the parser counted
	c.work(1)
	some, all := false, true
	for _, k := range n.kids {
		c.analyze(k)
		some = some || k.nullable
		all = all && k.nullable
	}
	switch n.op {
	case nStr, nSet:
	case nSeq:
		n.nullable = all
	case nAlt, nGroup:
		n.nullable = some
	case nLoop:
		n.nullable = some || n.min == 0
	default:
		n.nullable = true
	}
	switch n.op {
	case nEmpty:
		n.first = nothing
	case nStr:
		r := n.runes[0]
		n.first.add(r)
		if n.icase {
			for _, e := range c.cases.Class(r) { //meter: a class of case: at most four
				n.first.add(e)
			}
		}
	case nSet:
		n.first.bits = n.set.bits
		n.first.high = n.set.high != nil
	case nSeq:
		f := nothing
		for i := len(n.kids) - 1; i >= 0; i-- { //meter: the kids that were gone over above, which charged
			f = n.kids[i].first.then(f)
		}
		n.first = f
	case nAlt:
		for _, k := range n.kids { //meter: the kids that were gone over above, which charged
			n.first = n.first.or(k.first)
		}
	case nGroup:
		n.first = n.kids[0].first
	case nLoop:
		n.first = n.kids[0].first
		if n.max == 0 {
			n.first = nothing
		} else if n.min == 0 {
			n.first.empty, n.first.sure = true, true
		}
	case nBOL, nWord:
		n.first = assertion
	case nEOL:
		n.first.end = true
		if n.multiline {
			for _, r := range lineRanges {
				n.first.add(r.Lo)
			}
		}
	case nLook:
		n.first = assertion
		if f := n.kids[0].first; !n.behind && !n.neg && !f.empty {
			n.first = f
		}
	case nBackref:
		n.first = anything
	}
}

func (a *firstInfo) add(r rune) {
	if r < 256 {
		a.bits[r>>6] |= 1 << (r & 63)
	} else {
		a.high = true
	}
}
