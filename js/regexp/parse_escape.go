package regexp

import (
	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// atomEscape parses an escape outside of a class. atom tells whether a
// quantifier may follow.
func (p *parser) atomEscape(items []*node) (_ []*node, atom bool) {
	if p.pos+1 >= len(p.src) {
		p.fail(errEscapeAtEnd)
		return items, false
	}
	switch c := p.src[p.pos+1]; c {
	case 'b', 'B':
		p.pos += 2
		n := p.node(nWord)
		n.neg = c == 'B'
		n.icase = p.icase && p.unicode
		return append(items, n), false
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		start := p.pos
		p.pos++
		group := p.number(p.digits())
		p.scan()
		if int(group) <= p.total {
			n := p.node(nBackref)
			n.refs = []int32{group}
			n.icase = p.icase
			p.backrefs = true
			return append(items, n), true
		}
		if p.unicode {
			p.fail(errEscape)
			return items, false
		}
		p.pos = start + 1
		return p.addChar(items, p.legacyDigits()), true
	case '0':
		p.pos++
		if p.unicode {
			p.pos++
			if d := p.at(0); d >= '0' && d <= '9' {
				p.fail(errDecimalEscape)
			}
			return p.addChar(items, 0), true
		}
		return p.addChar(items, p.legacyDigits()), true
	case 'k':
		p.scan()
		if p.unicode || p.named {
			p.pos += 2
			return p.namedReference(items), true
		}
	case 'd', 'D', 's', 'S', 'w', 'W':
		p.pos += 2
		n := p.node(nSet)
		n.set = classEscape(c, p.icase && p.unicode)
		return append(items, n), true
	case 'p', 'P':
		if p.unicode {
			p.pos += 2
			v, ok := p.property(c == 'P')
			if !ok {
				p.fail(errPropertyName)
				return items, false
			}
			return append(items, p.classNode(v)), true
		}
	}
	p.pos++
	return p.addChar(items, p.characterEscape(false)), true
}

// legacyDigits parses what follows \ when it is a digit and neither a
// reference nor Unicode mode: LegacyOctalEscapeSequence, or 8 or 9 as itself.
func (p *parser) legacyDigits() rune {
	r := rune(p.src[p.pos])
	p.pos++
	if r >= '8' {
		return r
	}
	r -= '0'
	for range 2 {
		d := p.at(0)
		if d < '0' || d > '7' || r*8+rune(d-'0') > 0o377 {
			break
		}
		r = r*8 + rune(d-'0')
		p.pos++
	}
	return r
}

func (p *parser) namedReference(items []*node) []*node {
	at := p.pos
	if !p.eat('<') {
		p.fail(errNamedReference)
		return items
	}
	name, ok := p.groupName()
	if !ok {
		p.fail(errGroupName)
		return items
	}
	n := p.node(nBackref)
	n.icase = p.icase
	p.pending = append(p.pending, namedRef{n, name, at})
	p.grow(len(name) + 48)
	p.backrefs = true
	return append(items, n)
}

// characterEscape parses a CharacterEscape after its backslash.
func (p *parser) characterEscape(inClass bool) rune {
	if p.pos >= len(p.src) {
		p.fail(errEscapeAtEnd)
		return 0
	}
	switch c := p.src[p.pos]; c {
	case 'f':
		p.pos++
		return '\f'
	case 'n':
		p.pos++
		return '\n'
	case 'r':
		p.pos++
		return '\r'
	case 't':
		p.pos++
		return '\t'
	case 'v':
		p.pos++
		return '\v'
	case 'c':
		d := p.at(1)
		if d|0x20 >= 'a' && d|0x20 <= 'z' || inClass && !p.unicode && (d >= '0' && d <= '9' || d == '_') {
			p.pos += 2
			return rune(d & 31)
		}
		if p.unicode {
			p.fail(errUnicodeEscape)
			return 0
		}
		return '\\' // and c follows as itself
	case 'x':
		p.pos++
		if r, ok := p.hex(2); ok {
			return r
		}
		if p.unicode {
			p.fail(errEscape)
			return 0
		}
		return 'x'
	case 'u':
		p.pos++
		if r, ok := p.unicodeEscape(p.unicode); ok {
			return r
		}
		if p.unicode {
			p.fail(errUnicodeEscape)
			return 0
		}
		return 'u'
	case '0':
		if d := p.at(1); p.unicode && (d < '0' || d > '9') {
			p.pos++
			return 0
		}
	}
	// IdentityEscape
	if p.unicode {
		switch c := p.src[p.pos]; c {
		case '^', '$', '\\', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/':
			p.pos++
			return rune(c)
		case '-':
			if inClass {
				p.pos++
				return '-'
			}
		}
		p.fail(errEscape)
		return 0
	}
	if p.src[p.pos] == 'k' {
		if p.scan(); p.named {
			p.fail(errEscape)
			return 0
		}
	}
	return p.next()
}

// hex takes exactly n hexadecimal digits, or nothing.
func (p *parser) hex(n int) (rune, bool) {
	r := rune(0)
	for i := range n { //meter: two or four
		d := hexDigit(p.at(i))
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
	}
	p.pos += n
	return r, true
}

func hexDigit(c int) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// unicodeEscape parses what follows \u: four digits and, when full, a second
// escape that makes a surrogate pair of them, or digits in braces. When there
// is none the position stays.
func (p *parser) unicodeEscape(full bool) (rune, bool) {
	start := p.pos
	if full && p.eat('{') {
		r, n := rune(0), 0
		for { //meter: goes on in the pattern, whose length was charged
			d := hexDigit(p.at(0))
			if d < 0 {
				break
			}
			p.pos++
			n++
			if r = r<<4 | d; r > ucd.MaxRune {
				p.pos = start
				return 0, false
			}
		}
		p.work(n / 8)
		if n == 0 || !p.eat('}') {
			p.pos = start
			return 0, false
		}
		return r, true
	}
	r, ok := p.hex(4)
	if !ok || !full || r&0xFC00 != 0xD800 || p.at(0) != '\\' || p.at(1) != 'u' {
		return r, ok
	}
	p.pos += 2
	if t, ok := p.hex(4); ok && t&0xFC00 == 0xDC00 {
		return combine(uint16(r), uint16(t)), true
	}
	p.pos = start + 4
	return r, true
}

// property parses the braces of \p or \P and returns its value.
func (p *parser) property(negated bool) (classValue, bool) {
	var v classValue
	if !p.eat('{') {
		return v, false
	}
	word := func() string {
		start := p.pos
		for { //meter: charged below
			c := p.at(0)
			if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_') {
				break
			}
			p.pos++
		}
		p.work((p.pos - start) / 4)
		return string(appendWTF8(nil, p.src[start:p.pos]))
	}
	name, value := word(), ""
	hasValue := p.eat('=')
	if hasValue {
		value = word()
	}
	if !p.eat('}') {
		return v, false
	}
	key := propertyKey{name, value, hasValue, negated, p.icase}
	if v, ok := p.properties[key]; ok {
		return v, true
	}
	v, ok := p.propertyValue(key)
	if ok && !p.check && p.err == nil {
		if p.properties == nil {
			p.properties = map[propertyKey]classValue{}
		}
		p.grow(len(name) + len(value) + 128)
		p.properties[key] = v
	}
	return v, ok
}

// A propertyKey is what the value of a property escape depends on.
type propertyKey struct {
	name, value              string
	hasValue, negated, icase bool
}

func (p *parser) propertyValue(k propertyKey) (v classValue, ok bool) {
	if p.sets && !k.hasValue && ucd.IsStrings(k.name) {
		if k.negated {
			return v, false
		}
		v.mayStrings = true
		if !p.check {
			p.sequences(&v, k.name)
		}
		return v, true
	}
	ranges, ok := ucd.Property(k.name, k.value, k.hasValue)
	if !ok || p.check {
		return v, ok
	}
	v.ranges = ranges
	// With v the set is closed before it is inverted, with u after.
	if p.sets {
		v.ranges = p.closed(v.ranges)
	}
	if k.negated {
		p.grow(8*len(v.ranges) + 8)
		p.work(len(v.ranges) / 4)
		v.ranges = invert(v.ranges, ucd.MaxRune)
	}
	v.ranges = p.closed(v.ranges)
	return v, true
}

// sequences adds the strings of a property of strings.
func (p *parser) sequences(v *classValue, name string) {
	list, _ := ucd.Strings(name)
	p.work(2 * len(list))
	p.grow(32 * len(list))
	if p.err != nil {
		return
	}
	for _, s := range list {
		if len(s) == 1 {
			v.ranges = append(v.ranges, ucd.Range{Lo: s[0], Hi: s[0]})
		} else {
			v.strs = append(v.strs, p.foldString(s))
		}
	}
	p.finish(v)
}
