package regexp

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// A setOperation is what joins the operands of a class with the flag v.
type setOperation uint8

const (
	opUnset setOperation = iota
	opUnion
	opIntersection
	opSubtraction
)

// classSets parses a class with the flag v, after its bracket: ECMA-262
// ClassContents with ClassSetExpressions.
func (p *parser) classSets() (classValue, bool) {
	var v classValue
	if !p.enter() {
		return v, false
	}
	neg := p.eat('^')
	op := opUnset
	full := tidyAt
	for n := 0; ; n++ {
		if p.dead() {
			return v, false
		}
		v.ranges = p.tidy(v.ranges, &full)
		c := p.at(0)
		if c < 0 {
			p.fail(errUnterminatedSet)
			return v, false
		}
		if c == ']' {
			p.pos++
			break
		}
		if n > 0 {
			joint := opUnion
			if c == '&' && p.at(1) == '&' {
				joint = opIntersection
			} else if c == '-' && p.at(1) == '-' {
				joint = opSubtraction
			}
			if op != opUnset && joint != op {
				p.fail(errSetOperation)
				return v, false
			}
			op = joint
			if joint != opUnion {
				p.pos += 2
				if joint == opIntersection && p.at(0) == '&' {
					p.fail(errSetCharacter)
					return v, false
				}
				w, _, _ := p.setOperand()
				if p.dead() {
					return v, false
				}
				p.finish(&v)
				p.finish(&w)
				p.combine(&v, w, op)
				continue
			}
		}
		w, r, isChar := p.setOperand()
		if p.dead() {
			return v, false
		}
		if p.at(0) == '-' && p.at(1) != '-' {
			if !isChar {
				p.fail(errClass)
				return v, false
			}
			if op != opUnion && op != opUnset {
				p.fail(errSetOperation)
				return v, false
			}
			op = opUnion
			p.pos++
			hi := p.rangeEnd()
			if p.dead() {
				return v, false
			}
			if r > hi {
				p.fail(errClassOrder)
				return v, false
			}
			p.grow(16)
			v.ranges = append(v.ranges, ucd.Range{Lo: r, Hi: hi})
			continue
		}
		if isChar {
			p.grow(16)
			v.ranges = append(v.ranges, ucd.Range{Lo: r, Hi: r})
			continue
		}
		p.grow(16*len(w.ranges) + 24*len(w.strs))
		p.work(len(w.ranges)/4 + len(w.strs)/4)
		if p.dead() {
			return v, false
		}
		v.mayStrings = v.mayStrings || w.mayStrings
		v.ranges = append(v.ranges, w.ranges...)
		v.strs = append(v.strs, w.strs...)
	}
	p.finish(&v)
	if neg {
		if v.mayStrings {
			p.fail(errNegatedStrings)
			return v, false
		}
		p.grow(8*len(v.ranges) + 8)
		v.ranges = invert(v.ranges, ucd.MaxRune)
	}
	p.depth--
	return v, !p.dead()
}

// finish puts a value built by appending in order, and closes it.
func (p *parser) finish(v *classValue) {
	if p.check {
		return
	}
	p.work(len(v.ranges) + 4*len(v.strs))
	v.ranges = p.closed(normalize(v.ranges))
	slices.SortFunc(v.strs, slices.Compare[[]rune])
	v.strs = slices.CompactFunc(v.strs, slices.Equal[[]rune])
}

// combine narrows v, both being finished.
func (p *parser) combine(v *classValue, w classValue, op setOperation) {
	if op == opIntersection {
		v.mayStrings = v.mayStrings && w.mayStrings
	}
	if p.check {
		return
	}
	p.work(len(v.ranges) + len(w.ranges) + 4*(len(v.strs)+len(w.strs)))
	p.grow(8*(len(v.ranges)+2*len(w.ranges)) + 24*len(v.strs))
	if p.err != nil {
		return
	}
	var strs [][]rune
	for _, s := range v.strs {
		if _, found := slices.BinarySearchFunc(w.strs, s, slices.Compare[[]rune]); found == (op == opIntersection) {
			strs = append(strs, s)
		}
	}
	v.strs = strs
	other := w.ranges
	if op == opSubtraction {
		other = invert(other, ucd.MaxRune)
	}
	v.ranges = intersect(v.ranges, other)
}

// setOperand parses a ClassSetOperand: a character (isChar), or a value.
func (p *parser) setOperand() (v classValue, r rune, isChar bool) {
	if p.at(0) == '[' {
		p.pos++
		v, _ = p.classSets()
		return v, 0, false
	}
	if p.at(0) == '\\' {
		switch c := p.at(1); c {
		case 'd', 'D', 's', 'S', 'w', 'W':
			p.pos += 2
			v.ranges = classEscape(uint16(c), p.icase).ranges
			return v, 0, false
		case 'p', 'P':
			p.pos += 2
			v, ok := p.property(c == 'P')
			if !ok {
				p.fail(errPropertyInClass)
			}
			return v, 0, false
		case 'q':
			if p.at(2) == '{' {
				p.pos += 3
				return p.stringDisjunction(), 0, false
			}
		}
	}
	r = p.setCharacter()
	if !p.check && p.err == nil {
		v.ranges = rangeSet{{Lo: r, Hi: r}}
	}
	return v, r, true
}

// rangeEnd parses the character after the dash of a range.
func (p *parser) rangeEnd() rune {
	if p.at(0) == '\\' {
		switch p.at(1) {
		case 'd', 'D', 's', 'S', 'w', 'W', 'p', 'P':
			p.fail(errClass)
			return 0
		case 'q':
			if p.at(2) == '{' {
				p.fail(errClass)
				return 0
			}
		}
	}
	if p.at(0) == '[' {
		p.fail(errClass)
		return 0
	}
	return p.setCharacter()
}

// setCharacter parses a ClassSetCharacter.
func (p *parser) setCharacter() rune {
	c := p.at(0)
	switch c {
	case -1:
		p.fail(errUnterminatedSet)
		return 0
	case '\\':
		p.pos++
		switch d := p.at(0); d {
		case -1:
			p.fail(errEscapeAtEnd)
			return 0
		case 'b':
			p.pos++
			return '\b'
		case '&', '-', '!', '#', '%', ',', ':', ';', '<', '=', '>', '@', '`', '~': // ClassSetReservedPunctuator
			p.pos++
			return rune(d)
		case '1', '2', '3', '4', '5', '6', '7':
			p.fail(errClassEscape)
			return 0
		case '0':
			if e := p.at(1); e >= '0' && e <= '9' {
				p.fail(errClassEscape)
				return 0
			}
		}
		return p.characterEscape(true)
	case '(', ')', '[', ']', '{', '}', '/', '-', '|': // ClassSetSyntaxCharacter
		p.fail(errSetCharacter)
		return 0
	case '&', '!', '#', '$', '%', '*', '+', ',', '.', ':', ';', '<', '=', '>', '?', '@', '^', '`', '~':
		if p.at(1) == c { // ClassSetReservedDoublePunctuator
			p.fail(errSetOperation)
			return 0
		}
	}
	return p.next()
}

// stringDisjunction parses \q{…} after the brace.
func (p *parser) stringDisjunction() classValue {
	var v classValue
	var s []rune
	for { //meter: goes on in the pattern, whose length was charged
		if p.dead() {
			return v
		}
		c := p.at(0)
		if c < 0 {
			p.fail(errUnterminatedSet)
			return v
		}
		if c != '|' && c != '}' {
			r := p.setCharacter()
			p.grow(8)
			s = append(s, r)
			continue
		}
		p.pos++
		p.grow(32)
		if len(s) == 1 {
			v.ranges = append(v.ranges, ucd.Range{Lo: s[0], Hi: s[0]})
		} else {
			v.mayStrings = true
			if !p.check {
				v.strs = append(v.strs, p.foldString(s))
			}
		}
		s = nil
		if c == '}' {
			p.finish(&v)
			return v
		}
	}
}

// foldString is MaybeSimpleCaseFolding of a string.
func (p *parser) foldString(s []rune) []rune {
	if !p.icase {
		return s
	}
	p.grow(4 * len(s))
	p.work(4 * len(s))
	out := make([]rune, len(s))
	for i, r := range s {
		out[i] = p.cases.Canonical(r)
	}
	return out
}

// trie makes a node that tries strings from the longest down. They are sorted,
// differ, and have two characters or more. Inside a lookbehind they are read
// from their ends.
func (p *parser) trie(strs [][]rune) *node {
	if p.behind {
		total := 0
		for _, s := range strs { //meter: charged when the strings were read
			total += len(s)
		}
		p.grow(24*len(strs) + 4*total)
		p.work(4*len(strs) + total/4)
		if p.err != nil {
			return p.node(nEmpty)
		}
		back := make([][]rune, len(strs))
		for i, s := range strs {
			back[i] = slices.Clone(s)
			slices.Reverse(back[i])
		}
		slices.SortFunc(back, slices.Compare[[]rune])
		strs = back
	}
	return p.branch(strs, 0, 0)
}

// branch makes the node of what strs, which agree in their first at
// characters, have after them. Going on is tried before stopping, so longer
// strings come first.
func (p *parser) branch(strs [][]rune, at, depth int) *node {
	p.work(len(strs)/4 + 1)
	if depth > maxDepth {
		p.fail(errTooLarge)
	}
	if p.err != nil {
		return p.node(nEmpty)
	}
	first, last := strs[0], strs[len(strs)-1]
	end := at
	for end < len(first) && end < len(last) && first[end] == last[end] { //meter: charged below
		end++
	}
	p.work((end - at) / 8)
	items := p.literal(nil, first[at:end])
	stop := len(first) == end
	if stop {
		strs = strs[1:]
	}
	if len(strs) > 0 {
		alt := p.node(nAlt)
		type child struct {
			runes rangeSet
			rest  [][]rune
		}
		var kids []child
		for len(strs) > 0 {
			r, n := strs[0][end], 1
			for n < len(strs) && strs[n][end] == r { //meter: the strings, each once for a level of the trie
				n++
			}
			group := strs[:n]
			strs = strs[n:]
			p.grow(96)
			// Characters with the same continuations share one branch.
			merged := false
			for i := range kids {
				p.work(1)
				if p.sameTails(kids[i].rest, group, end+1) {
					kids[i].runes = append(kids[i].runes, ucd.Range{Lo: r, Hi: r})
					merged = true
					break
				}
			}
			if !merged {
				kids = append(kids, child{rangeSet{{Lo: r, Hi: r}}, group})
			}
		}
		for _, k := range kids {
			var head []*node
			if len(k.runes) == 1 {
				head = p.literal(nil, []rune{k.runes[0].Lo})
			} else {
				n := p.node(nSet)
				n.set = p.setOf(p.closed(normalize(k.runes)))
				head = []*node{n}
			}
			if tail := p.branch(k.rest, end+1, depth+1); tail.op != nEmpty {
				head = append(head, tail)
			}
			alt.kids = append(alt.kids, p.inOrder(head))
		}
		if stop {
			alt.kids = append(alt.kids, p.node(nEmpty))
		}
		items = append(items, alt)
	}
	return p.inOrder(items)
}

// inOrder makes a sequence of items in the order in which they are matched.
func (p *parser) inOrder(items []*node) *node {
	if p.behind {
		slices.Reverse(items)
	}
	return p.sequence(items)
}

// literal appends nodes for characters that are matched in this order.
func (p *parser) literal(items []*node, s []rune) []*node {
	if p.behind && len(s) > 1 {
		s = slices.Clone(s)
		slices.Reverse(s)
	}
	for _, r := range s { //meter: a string, charged when it was read
		p.grow(4)
		items = p.addChar(items, r)
	}
	if p.behind {
		slices.Reverse(items)
	}
	return items
}

// sameTails reports whether two groups agree from the index at on.
func (p *parser) sameTails(a, b [][]rune, at int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		p.work(1)
		p.work(len(a[i]) / 16)
		if !slices.Equal(a[i][at:], b[i][at:]) {
			return false
		}
	}
	return true
}
