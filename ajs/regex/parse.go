package regex

import (
	"fmt"
	"slices"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// A parser reads patterns whose syntax was checked already, so it only has to
// understand them and to refuse what the engine can't do.
type parser struct {
	src   []uint16
	pos   int
	flags Flags
	prog  *Program
	total int  // capturing groups in the whole pattern
	named bool // it has named groups
}

// scanGroups counts the groups: \2 is a back reference only if there is a
// second one, and \k only if one has a name.
func (p *parser) scanGroups() {
	class := false
	for i := 0; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			if i+1 >= len(p.src) || p.src[i+1] != '?' {
				p.total++
			} else if i+3 < len(p.src) && p.src[i+2] == '<' && p.src[i+3] != '=' && p.src[i+3] != '!' {
				p.total++
				p.named = true
			}
		}
	}
}

func (p *parser) peek(d int) int32 {
	if p.pos+d < len(p.src) {
		return int32(p.src[p.pos+d])
	}
	return -1
}

func (p *parser) refuse(what string) error {
	return &Error{fmt.Sprintf("%s not supported in AsyncJS regexes (/%s/)", what, clip(string(utf16.Decode(p.src))))}
}

// next returns the next character: a code point in Unicode mode.
func (p *parser) next() int32 {
	c := int32(p.src[p.pos])
	p.pos++
	if p.flags&Unicode != 0 && c >= 0xD800 && c < 0xDC00 && p.pos < len(p.src) {
		if t := int32(p.src[p.pos]); t >= 0xDC00 && t < 0xE000 {
			p.pos++
			return 0x10000 + (c-0xD800)<<10 + (t - 0xDC00)
		}
	}
	return c
}

func (p *parser) alternatives(depth int) (*node, error) {
	if depth > MaxNesting {
		return nil, &Error{"The regex nests too deeply"}
	}
	var alts []*node
	for {
		var seq []*node
		for p.pos < len(p.src) && p.src[p.pos] != '|' && p.src[p.pos] != ')' {
			n, err := p.term(depth)
			if err != nil {
				return nil, err
			}
			seq = append(seq, n)
		}
		switch len(seq) {
		case 1:
			alts = append(alts, seq[0])
		default:
			alts = append(alts, &node{kind: nCat, kids: seq})
		}
		if p.peek(0) != '|' {
			break
		}
		p.pos++
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	return &node{kind: nAlt, kids: alts}, nil
}

func (p *parser) term(depth int) (*node, error) {
	before := p.prog.Groups
	n, err := p.atom(depth)
	if err != nil {
		return nil, err
	}
	lo, hi, ok, err := p.quantifier()
	if err != nil || !ok {
		return n, err
	}
	r := &node{kind: nRepeat, kids: []*node{n}, min: lo, max: hi, lo: before, hi: p.prog.Groups}
	if p.peek(0) == '?' {
		p.pos++
		r.lazy = true
	}
	return r, nil
}

func (p *parser) quantifier() (lo, hi int, ok bool, err error) {
	switch p.peek(0) {
	case '*':
		p.pos++
		return 0, -1, true, nil
	case '+':
		p.pos++
		return 1, -1, true, nil
	case '?':
		p.pos++
		return 0, 1, true, nil
	case '{':
		at := p.pos
		p.pos++
		lo, ok := p.number()
		if !ok {
			p.pos = at
			return 0, 0, false, nil
		}
		hi := lo
		if p.peek(0) == ',' {
			p.pos++
			if hi, ok = p.number(); !ok {
				hi = -1
			}
		}
		if p.peek(0) != '}' {
			p.pos = at
			return 0, 0, false, nil
		}
		p.pos++
		if lo > MaxCount || hi > MaxCount {
			return 0, 0, false, &Error{fmt.Sprintf("A count in a regex is at most %d", MaxCount)}
		}
		return lo, hi, true, nil
	}
	return 0, 0, false, nil
}

func (p *parser) number() (int, bool) {
	n, any := 0, false
	for c := p.peek(0); c >= '0' && c <= '9'; c = p.peek(0) {
		n, any = min(n*10+int(c-'0'), MaxCount+1), true
		p.pos++
	}
	return n, any
}

func (p *parser) atom(depth int) (*node, error) {
	c := p.next()
	switch c {
	case '^':
		return &node{kind: nBegin}, nil
	case '$':
		return &node{kind: nEnd}, nil
	case '.':
		if p.flags&DotAll != 0 {
			return p.setNode(rangeSet{{Lo: 0, Hi: ucd.MaxRune}}), nil
		}
		return p.setNode(invert(lineRanges)), nil
	case '(':
		return p.group(depth)
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	}
	return p.charNode(c), nil
}

func (p *parser) group(depth int) (*node, error) {
	number := 0
	if p.peek(0) != '?' {
		number = p.prog.Groups
		p.prog.Groups++
	} else {
		switch p.peek(1) {
		case ':':
			p.pos += 2
		case '=', '!':
			return nil, p.refuse("Lookahead and lookbehind are")
		case '<':
			if q := p.peek(2); q == '=' || q == '!' {
				return nil, p.refuse("Lookahead and lookbehind are")
			}
			p.pos += 2
			name := p.groupName()
			number = p.prog.Groups
			p.prog.Groups++
			p.prog.Names = append(p.prog.Names, Name{name, number})
		default:
			return nil, p.refuse("Inline flags are")
		}
	}
	if p.prog.Groups > MaxCaptures {
		return nil, &Error{fmt.Sprintf("A regex has at most %d groups", MaxCaptures)}
	}
	n, err := p.alternatives(depth + 1)
	if err != nil {
		return nil, err
	}
	p.pos++ // the parenthesis
	return &node{kind: nGroup, kids: []*node{n}, group: number}, nil
}

func (p *parser) groupName() string {
	var name []rune
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		p.pos++
		if c == '>' {
			break
		}
		if c == '\\' && p.peek(0) == 'u' {
			p.pos++
			if r, ok := p.unicodeEscape(true); ok {
				name = append(name, r)
			}
			continue
		}
		if utf16.IsSurrogate(rune(c)) && p.pos < len(p.src) {
			if r := utf16.DecodeRune(rune(c), rune(p.src[p.pos])); r != 0xFFFD {
				name = append(name, r)
				p.pos++
				continue
			}
		}
		name = append(name, rune(c))
	}
	return string(name)
}

func (p *parser) charNode(c int32) *node {
	if p.prog.cases != nil {
		if i := p.prog.cases.From(c); i < len(p.prog.cases.Members) && p.prog.cases.Members[i].Rune == c {
			return p.setNode(rangeSet{{Lo: c, Hi: c}})
		}
	}
	return &node{kind: nChar, char: c}
}

func (p *parser) setNode(s rangeSet) *node {
	if c := p.prog.cases; c != nil {
		var extra rangeSet
		for _, r := range s {
			for i := c.From(r.Lo); i < len(c.Members) && c.Members[i].Rune <= r.Hi; i++ {
				p.prog.work++
				for _, e := range c.Members[i].Class {
					extra = append(extra, ucd.Range{Lo: e, Hi: e})
				}
			}
		}
		if len(extra) > 0 {
			s = normalize(append(extra, s...))
		}
	}
	p.prog.work += len(s)
	p.prog.sets = append(p.prog.sets, newSet(s))
	return &node{kind: nSet, set: int32(len(p.prog.sets) - 1)}
}

// escape reads what follows a backslash outside of a class.
func (p *parser) escape() (*node, error) {
	c := p.peek(0)
	switch {
	case c == 'b':
		p.pos++
		return &node{kind: nWord}, nil
	case c == 'B':
		p.pos++
		return &node{kind: nNotWord}, nil
	case c == 'k' && (p.named || p.flags&Unicode != 0):
		return nil, p.refuse("Backreferences are")
	case c >= '1' && c <= '9':
		at := p.pos
		n, _ := p.number()
		if n <= p.total || p.flags&Unicode != 0 {
			return nil, p.refuse("Backreferences are")
		}
		p.pos = at
	}
	if s, ok, err := p.classEscape(); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return p.setNode(s), nil
	}
	return p.charNode(p.characterEscape(false)), nil
}

// classEscape reads d, D, s, S, w or W.
func (p *parser) classEscape() (rangeSet, bool, error) {
	var s rangeSet
	switch c := p.peek(0); c {
	case 'd', 'D':
		s = digitRanges
	case 's', 'S':
		s = spaceRanges
	case 'w', 'W':
		s = wordRanges
		if p.flags&(Unicode|IgnoreCase) == Unicode|IgnoreCase {
			s = wordFoldRanges
		}
	case 'p', 'P':
		if p.flags&Unicode != 0 {
			return nil, false, p.refuse("Property escapes (\\p{…}) are")
		}
		return nil, false, nil
	default:
		return nil, false, nil
	}
	if c := p.peek(0); c < 'a' {
		s = invert(s)
	}
	p.pos++
	return s, true, nil
}

func (p *parser) hex(n int) (int32, bool) {
	var v int32
	if p.pos+n > len(p.src) {
		return 0, false
	}
	for i := range n {
		d, ok := hexDigit(p.src[p.pos+i])
		if !ok {
			return 0, false
		}
		v = v<<4 | d
	}
	p.pos += n
	return v, true
}

func hexDigit(c uint16) (int32, bool) {
	switch {
	case c >= '0' && c <= '9':
		return int32(c - '0'), true
	case c >= 'a' && c <= 'f':
		return int32(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return int32(c-'A') + 10, true
	}
	return 0, false
}

// unicodeEscape reads what follows \u.
func (p *parser) unicodeEscape(unicode bool) (int32, bool) {
	if unicode && p.peek(0) == '{' {
		at := p.pos
		p.pos++
		var v int32
		for p.pos < len(p.src) {
			c := p.src[p.pos]
			p.pos++
			if c == '}' {
				return v, true
			}
			d, ok := hexDigit(c)
			if !ok || v > ucd.MaxRune {
				break
			}
			v = v<<4 | d
		}
		p.pos = at
		return 0, false
	}
	v, ok := p.hex(4)
	if ok && unicode && v >= 0xD800 && v < 0xDC00 && p.peek(0) == '\\' && p.peek(1) == 'u' {
		at := p.pos
		p.pos += 2
		if t, ok := p.hex(4); ok && t >= 0xDC00 && t < 0xE000 {
			return 0x10000 + (v-0xD800)<<10 + (t - 0xDC00), true
		}
		p.pos = at
	}
	return v, ok
}

// characterEscape reads an escape that stands for one character, with the
// liberties of Annex B §B.1.2.
func (p *parser) characterEscape(class bool) int32 {
	c := p.next()
	switch c {
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'b':
		if class {
			return '\b'
		}
	case 'c':
		d := p.peek(0)
		if d|0x20 >= 'a' && d|0x20 <= 'z' || class && p.flags&Unicode == 0 && (d >= '0' && d <= '9' || d == '_') {
			p.pos++
			return d & 31
		}
		p.pos--
		return '\\'
	case 'x':
		if v, ok := p.hex(2); ok {
			return v
		}
	case 'u':
		if v, ok := p.unicodeEscape(p.flags&Unicode != 0); ok {
			return v
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := c - '0'
		for range 2 {
			d := p.peek(0)
			if d < '0' || d > '7' || v*8+d-'0' > 0o377 {
				break
			}
			v = v*8 + d - '0'
			p.pos++
		}
		return v
	}
	return c
}

func (p *parser) class() (*node, error) {
	negate := false
	if p.peek(0) == '^' {
		p.pos++
		negate = true
	}
	var s rangeSet
	// item reads one member: a character, or a set of several.
	item := func() (int32, rangeSet, error) {
		c := p.next()
		if c != '\\' {
			return c, nil, nil
		}
		if t, ok, err := p.classEscape(); ok || err != nil {
			return -1, t, err
		}
		return p.characterEscape(true), nil, nil
	}
	for p.pos < len(p.src) && p.src[p.pos] != ']' {
		lo, set, err := item()
		if err != nil {
			return nil, err
		}
		if p.peek(0) != '-' || p.peek(1) == ']' || p.peek(1) < 0 {
			if lo >= 0 {
				set = rangeSet{{Lo: lo, Hi: lo}}
			}
			s = append(s, set...)
			continue
		}
		p.pos++
		hi, other, err := item()
		if err != nil {
			return nil, err
		}
		if lo >= 0 && hi >= 0 {
			s = append(s, ucd.Range{Lo: lo, Hi: hi})
			continue
		}
		// Annex B: a hyphen beside a set is itself.
		s = append(append(append(s, set...), other...), ucd.Range{Lo: '-', Hi: '-'})
		if lo >= 0 {
			s = append(s, ucd.Range{Lo: lo, Hi: lo})
		}
		if hi >= 0 {
			s = append(s, ucd.Range{Lo: hi, Hi: hi})
		}
	}
	p.pos++
	p.prog.work += len(s)
	s = normalize(slices.Clone(s))
	n := p.setNode(s)
	if negate {
		p.prog.sets[n.set] = newSet(invert(p.prog.sets[n.set].ranges))
	}
	return n, nil
}
