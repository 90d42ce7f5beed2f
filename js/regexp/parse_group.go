package regexp

import (
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// groupLike parses what starts with a parenthesis.
func (p *parser) groupLike() (n *node, isLook bool) {
	p.pos++
	icase, multiline, dotAll, behind := p.icase, p.multiline, p.dotAll, p.behind
	group := 0
	if p.eat('?') {
		switch c := p.at(0); {
		case c == ':':
			p.pos++
		case c == '=' || c == '!':
			p.pos++
			n, isLook = p.node(nLook), true
			n.neg = c == '!'
			p.behind = false
		case c == '<' && (p.at(1) == '=' || p.at(1) == '!'):
			n, isLook = p.node(nLook), true
			n.neg, n.behind = p.at(1) == '!', true
			p.behind = true
			p.pos += 2
		case c == '<':
			p.pos++
			at := p.pos
			name, ok := p.groupName()
			if !ok {
				return p.fail(errGroupName), false
			}
			group = p.openGroup()
			p.declare(name, group, at)
		default:
			p.modifiers()
		}
	} else {
		group = p.openGroup()
	}
	if p.dead() {
		return nil, false
	}
	body := p.disjunction()
	if p.dead() {
		return nil, false
	}
	if !p.eat(')') {
		return p.fail(errUnterminated), false
	}
	p.icase, p.multiline, p.dotAll, p.behind = icase, multiline, dotAll, behind
	switch {
	case isLook:
		n.kids = []*node{body}
		return n, true
	case group > 0:
		n = p.node(nGroup)
		n.group = int32(group)
		n.kids = []*node{body}
		return n, false
	}
	// A string that ends here must not be appended to: a quantifier after the
	// group is for the whole of it.
	n = p.node(nSeq)
	n.kids = []*node{body}
	return n, false
}

func (p *parser) openGroup() int {
	if p.captures >= maxCaptures {
		p.fail(errTooManyCaptures)
		return 0
	}
	p.captures++
	return p.captures
}

// declare records a named group. A name may come again only in another
// alternative (the early error with MightBothParticipate).
func (p *parser) declare(name string, group, at int) {
	if p.err != nil {
		return
	}
	if p.ids == nil {
		p.ids = map[string]int32{}
	}
	id, known := p.ids[name]
	if !known {
		p.grow(len(name) + 64)
		id = int32(len(p.names))
		p.ids[name] = id
		p.names = append(p.names, GroupName{Name: name})
		p.active = append(p.active, false)
	}
	if p.active[id] {
		p.failAt(errDuplicateName, at)
		return
	}
	p.active[id] = true
	p.names[id].Groups = append(p.names[id].Groups, int32(group))
	s := &p.scopes[len(p.scopes)-1]
	s.cur = append(s.cur, id)
}

// modifiers parses the flags of (?ims-ims: up to and with the colon.
func (p *parser) modifiers() {
	var add, remove Flags
	dash := false
	for { //meter: at most seven: a letter that repeats ends it
		var bit Flags
		switch p.at(0) {
		case 'i':
			bit = IgnoreCase
		case 'm':
			bit = Multiline
		case 's':
			bit = DotAll
		case '-':
			if dash {
				p.fail(errManyDashes)
				return
			}
			dash = true
			p.pos++
			continue
		case ':':
			if dash && add|remove == 0 {
				p.fail(errFlagGroup)
				return
			}
			p.pos++
			p.icase = p.icase && remove&IgnoreCase == 0 || add&IgnoreCase != 0
			p.multiline = p.multiline && remove&Multiline == 0 || add&Multiline != 0
			p.dotAll = p.dotAll && remove&DotAll == 0 || add&DotAll != 0
			return
		default:
			p.fail(errGroup)
			return
		}
		if (add|remove)&bit != 0 {
			p.fail(errRepeatedFlag)
			return
		}
		if dash {
			remove |= bit
		} else {
			add |= bit
		}
		p.pos++
	}
}

// groupName parses a RegExpIdentifierName and the > after it.
func (p *parser) groupName() (string, bool) {
	var name []byte
	for p.pos < len(p.src) {
		p.work(1)
		r := p.nextPoint()
		if r == '>' {
			return string(name), len(name) > 0
		}
		if r == '\\' {
			if !p.eat('u') {
				return "", false
			}
			var ok bool
			if r, ok = p.unicodeEscape(true); !ok {
				p.fail(errUnicodeEscape)
				return "", false
			}
		}
		start := r == '$' || r == '_' || ucd.IsIDStart(r)
		if !start && (len(name) == 0 || r != 0x200C && r != 0x200D && !ucd.IsIDContinue(r)) {
			return "", false
		}
		name = utf8.AppendRune(name, r)
	}
	return "", false
}

// scan counts the groups of the whole pattern and looks for a named one, since
// what an escape means may depend on groups that come later.
func (p *parser) scan() {
	if p.scanned {
		return
	}
	p.scanned = true
	p.work(len(p.src)/4 + 1)
	s := p.src
	for i := 0; i < len(s); i++ { //meter: charged above
		switch s[i] {
		case '\\':
			i++
		case '[':
			for i++; i < len(s) && s[i] != ']'; i++ { //meter: charged above
				if s[i] == '\\' {
					i++
				}
			}
		case '(':
			if i+1 < len(s) && s[i+1] == '?' {
				if i+3 >= len(s) || s[i+2] != '<' || s[i+3] == '=' || s[i+3] == '!' {
					continue
				}
				p.named = true
			}
			p.total++
		}
	}
}
