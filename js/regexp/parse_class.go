package regexp

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// A classValue is the set of characters and strings that a class stands for.
// With i it is closed: it has every equal of its members.
type classValue struct {
	ranges     rangeSet
	strs       [][]rune // none of one character; sorted; with i each is folded
	mayStrings bool     // MayContainStrings, which the early error asks for
}

// setOf returns the set of normalized ranges, the same one for the same ranges.
func (p *parser) setOf(r rangeSet) *set {
	if p.check {
		return anySet
	}
	h := uint64(14695981039346656037)
	for _, e := range r { //meter: charged below
		h = (h ^ uint64(e.Lo)) * 1099511628211
		h = (h ^ uint64(e.Hi)) * 1099511628211
	}
	p.work(len(r)/4 + 4)
	for _, s := range p.setsSeen[h] {
		p.work(1)
		if slices.Equal(s.ranges, r) {
			return s
		}
	}
	p.grow(setBytes)
	p.work(16)
	if p.err != nil {
		return anySet
	}
	if p.setsSeen == nil {
		p.setsSeen = map[uint64][]*set{}
	}
	s := newSet(r)
	p.setsSeen[h] = append(p.setsSeen[h], s)
	return s
}

// closed adds the equals of the members of normalized ranges when case is
// ignored.
func (p *parser) closed(r rangeSet) rangeSet {
	if !p.icase || p.check {
		return r
	}
	out, steps := closeOver(r, p.cases)
	p.work(2 * steps)
	p.grow(8 * (len(out) - len(r) + steps/8))
	return out
}

// classNode makes the node of a class: its strings from the longest down, each
// way of CompileAtom's, then its characters, then the empty string.
func (p *parser) classNode(v classValue) *node {
	chars := p.node(nSet)
	chars.set = p.setOf(v.ranges)
	if len(v.strs) == 0 {
		return chars
	}
	n := p.node(nAlt)
	long := v.strs
	if len(long[0]) == 0 {
		long = long[1:]
	}
	if len(long) > 0 {
		n.kids = append(n.kids, p.trie(long))
	}
	if len(v.ranges) > 0 {
		n.kids = append(n.kids, chars)
	}
	if len(long) < len(v.strs) {
		n.kids = append(n.kids, p.node(nEmpty))
	}
	return n
}

// class parses a class after its bracket.
func (p *parser) class() *node {
	if p.sets {
		v, ok := p.classSets()
		if !ok {
			return nil
		}
		return p.classNode(v)
	}
	neg := p.eat('^')
	var r rangeSet
	full := tidyAt
	for { //meter: goes on in the pattern, whose length was charged
		if p.dead() {
			return nil
		}
		r = p.tidy(r, &full)
		if p.pos >= len(p.src) {
			return p.fail(errUnterminatedSet)
		}
		if p.eat(']') {
			break
		}
		lo, loSet, isSet := p.classAtom()
		if p.dead() {
			return nil
		}
		if p.at(0) != '-' || p.at(1) == ']' || p.at(1) < 0 {
			r = p.addAtom(r, lo, loSet, isSet)
			continue
		}
		p.pos++
		hi, hiSet, hiIsSet := p.classAtom()
		if p.dead() {
			return nil
		}
		if isSet || hiIsSet {
			if p.unicode {
				return p.fail(errClass)
			}
			// Annex B: the dash stands for itself.
			r = p.addAtom(r, lo, loSet, isSet)
			r = p.addAtom(r, '-', nil, false)
			r = p.addAtom(r, hi, hiSet, hiIsSet)
			continue
		}
		if lo > hi {
			return p.fail(errClassOrder)
		}
		p.grow(16)
		r = append(r, ucd.Range{Lo: lo, Hi: hi})
	}
	n := p.node(nSet)
	p.work(len(r))
	r = p.closed(normalize(r))
	if neg {
		p.grow(8 * len(r))
		r = invert(r, ucd.MaxRune)
	}
	n.set = p.setOf(r)
	if p.dead() {
		return nil
	}
	return n
}

const tidyAt = 4096

// tidy joins the ranges of a set under construction once there are many, so
// that repeating a class's members costs no memory and no long sort.
func (p *parser) tidy(r rangeSet, full *int) rangeSet {
	if len(r) < *full {
		return r
	}
	p.work(len(r))
	r = normalize(r)
	*full = max(tidyAt, 2*len(r))
	return r
}

func (p *parser) addAtom(r rangeSet, c rune, s rangeSet, isSet bool) rangeSet {
	if isSet {
		p.grow(16 * len(s))
		p.work(len(s) / 4)
		if p.err != nil {
			return r
		}
		return append(r, s...)
	}
	p.grow(16)
	return append(r, ucd.Range{Lo: c, Hi: c})
}

// classAtom parses one character or class escape.
func (p *parser) classAtom() (r rune, s rangeSet, isSet bool) {
	if p.pos >= len(p.src) {
		p.fail(errUnterminatedSet)
		return
	}
	if p.src[p.pos] != '\\' {
		return p.next(), nil, false
	}
	if s, isSet = p.classEscapeAtom(errPropertyInClass); isSet || p.dead() {
		return
	}
	p.pos++
	switch c := p.at(0); {
	case c < 0:
		p.fail(errEscapeAtEnd)
		return
	case c == 'b':
		p.pos++
		return '\b', nil, false
	case c >= '0' && c <= '9':
		if !p.unicode {
			return p.legacyDigits(), nil, false
		}
		if d := p.at(1); c < '8' && (c != '0' || d >= '0' && d <= '9') {
			p.fail(errClassEscape)
			return
		}
	}
	return p.characterEscape(true), nil, false
}

// classEscapeAtom parses a class escape or property that the position is at
// the backslash of, if it is one.
func (p *parser) classEscapeAtom(reason string) (rangeSet, bool) {
	switch c := p.at(1); c {
	case 'd', 'D', 's', 'S', 'w', 'W':
		p.pos += 2
		return classEscape(uint16(c), p.icase && p.unicode).ranges, true
	case 'p', 'P':
		if !p.unicode {
			return nil, false
		}
		p.pos += 2
		v, ok := p.property(c == 'P')
		if !ok {
			p.fail(reason)
		}
		return v.ranges, true
	}
	return nil, false
}
