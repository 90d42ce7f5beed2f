package regexp

// maxPrefix bounds the literal that a search looks for.
const maxPrefix = 64

// hints works out where a match can start.
func (c *compiler) hints(root *node, backrefs bool) {
	h := &c.p.start
	h.anchored = c.startsWith(root, func(n *node) bool { return n.op == nBOL && !n.multiline })
	h.lines = c.startsWith(root, func(n *node) bool { return n.op == nBOL && n.multiline })
	c.prefix(root)
	h.latin1 = true
	for _, u := range h.prefix { //meter: at most maxPrefix
		h.latin1 = h.latin1 && u <= 0xFF
		h.prefix8 = append(h.prefix8, byte(u))
	}
	if f := root.first; !f.empty {
		h.filter = &filter{f.bits, f.high, f.end}
	}
	if !backrefs {
		h.run = c.leadingRun(root)
	}
}

// startsWith reports whether every way through n starts with a node that is.
func (c *compiler) startsWith(n *node, is func(*node) bool) bool { //meter: as deep as the parser counted
	// leadingRun asks for each level of groups again.
	if c.work(1); c.err != nil {
		return false
	}
	switch n.op {
	case nSeq, nGroup:
		return c.startsWith(n.kids[0], is)
	case nAlt:
		for _, k := range n.kids {
			if !c.startsWith(k, is) {
				return false
			}
		}
		return true
	case nLoop:
		return n.min > 0 && c.startsWith(n.kids[0], is)
	}
	return is(n)
}

// prefix collects the literal that every match of n starts with, and reports
// whether that is all of n.
func (c *compiler) prefix(n *node) bool { //meter: as deep as the parser counted
	h := &c.p.start
	switch n.op {
	case nEmpty, nBOL, nEOL, nWord, nLook:
		return true
	case nSeq:
		for _, k := range n.kids { //meter: nodes, each charged when it was made
			if !c.prefix(k) {
				return false
			}
		}
		return true
	case nGroup:
		return c.prefix(n.kids[0])
	case nLoop:
		if n.min > 0 {
			c.prefix(n.kids[0])
		}
		return false
	case nStr:
		for _, r := range n.runes { //meter: at most maxPrefix
			if len(h.prefix) >= maxPrefix || n.icase && c.cases.Class(r) != nil {
				return false
			}
			if r > 0xFFFF {
				h.prefix = append(h.prefix, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF))
			} else {
				h.prefix = append(h.prefix, uint16(r))
			}
		}
		return true
	}
	return false
}

// leadingRun returns the set of an unbounded loop over characters that n
// starts with. When an attempt at i fails and i … j are in the set, attempts
// at i+1 … j+1 fail too: all that they could go on from has been tried. (There
// must be no back reference, through which it could matter where the loop
// began.) Alternatives that only match at 0 don't disturb this.
func (c *compiler) leadingRun(n *node) *set { //meter: as deep as the parser counted
	switch n.op {
	case nSeq, nGroup:
		return c.leadingRun(n.kids[0])
	case nLoop:
		if n.max == inf {
			return c.single(n.kids[0])
		}
	case nAlt:
		var run *set
		for _, k := range n.kids { //meter: nodes, each charged when it was made
			if c.startsWith(k, func(n *node) bool { return n.op == nBOL && !n.multiline }) {
				continue
			}
			s := c.leadingRun(k)
			if s == nil || run != nil {
				return nil
			}
			run = s
		}
		return run
	}
	return nil
}
