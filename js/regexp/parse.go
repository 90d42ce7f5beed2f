package regexp

import (
	"math"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

const (
	maxDepth    = 1000      // nesting of groups and classes
	maxCaptures = 1<<16 - 1 // V8's limit
)

// A parser turns a pattern into a tree: ECMA-262 §22.2.1 with its early errors
// and, without u and v, the grammar of Annex B §B.1.2.
type parser struct {
	src     []uint16
	pos     int
	flags   Flags
	unicode bool // u or v
	sets    bool // v
	check   bool // only the syntax: character sets are not built
	behind  bool // inside a lookbehind

	icase, multiline, dotAll bool // as the modifiers around pos say

	depth    int
	captures int  // groups opened so far
	total    int  // groups in the pattern, once scanned
	named    bool // the pattern has a named group, once scanned
	scanned  bool

	misordered bool // the last interval's bounds

	scopes   []nameScope
	ids      map[string]int32
	names    []GroupName
	active   []bool     // by id: on the path to pos
	pending  []namedRef // named references to resolve at the end
	backrefs bool

	properties map[propertyKey]classValue

	setsSeen map[uint64][]*set
	cases    *ucd.Cases
	slab     []node
	ledger
}

// A nameScope is a disjunction being parsed: the names in its current
// alternative and in those before it.
type nameScope struct{ cur, done []int32 }

type namedRef struct {
	n    *node
	name string
	at   int
}

// A ledger collects charges, and keeps the first error.
type ledger struct {
	m     Meter
	err   error
	spent int64
	grown int64
}

// work charges fuel, in batches.
//
//meter:charges
func (l *ledger) work(n int) {
	l.spent += int64(n)
	if l.spent >= 256 {
		l.settle()
	}
}

func (l *ledger) settle() {
	if l.m != nil && l.err == nil {
		l.err = l.m.Charge(l.spent)
	}
	l.spent = 0
}

// grow charges memory that release gives back.
func (l *ledger) grow(n int) {
	if l.m == nil || l.err != nil {
		return
	}
	if err := l.m.Grow(int64(n)); err != nil {
		l.err = err
		return
	}
	l.grown += int64(n)
}

func (l *ledger) release() {
	if l.m != nil && l.grown > 0 {
		l.m.Shrink(l.grown)
	}
	l.grown = 0
}

func newParser(src []uint16, flags Flags, m Meter) *parser {
	p := &parser{
		src: src, flags: flags, unicode: flags.FullUnicode(), sets: flags&UnicodeSets != 0,
		icase: flags&IgnoreCase != 0, multiline: flags&Multiline != 0, dotAll: flags&DotAll != 0,
	}
	p.m = m
	if p.unicode {
		p.cases = ucd.FoldedCases()
	} else {
		p.cases = ucd.UpperCases()
	}
	p.grow(len(src) * 8)
	p.work(len(src)/16 + 1)
	return p
}

// fail records the first syntax error and moves to the end, where every loop
// stops.
func (p *parser) fail(reason string) *node {
	p.failAt(reason, p.pos)
	return nil
}

func (p *parser) failAt(reason string, at int) {
	if p.grow(4 * len(p.src)); p.err == nil {
		p.err = syntaxError(p.src, p.flags, reason, min(at, len(p.src)))
	}
	p.pos = len(p.src)
}

// dead reports whether parsing is over for good.
func (p *parser) dead() bool {
	if p.err != nil {
		p.pos = len(p.src)
		return true
	}
	return false
}

// at returns the code unit n units ahead, or -1.
func (p *parser) at(n int) int {
	if p.pos+n < len(p.src) {
		return int(p.src[p.pos+n])
	}
	return -1
}

func (p *parser) eat(c uint16) bool {
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// next takes one character: a code point in Unicode mode, else a code unit.
// There is one.
func (p *parser) next() rune {
	p.work(1)
	if p.unicode {
		return p.nextPoint()
	}
	u := p.src[p.pos]
	p.pos++
	return rune(u)
}

func (p *parser) nextPoint() rune {
	u := p.src[p.pos]
	p.pos++
	if isLead(u) && p.pos < len(p.src) && isTrail(p.src[p.pos]) {
		p.pos++
		return combine(u, p.src[p.pos-1])
	}
	return rune(u)
}

//meter:guards
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(errTooLarge)
		return false
	}
	return true
}

func (p *parser) node(op nodeOp) *node {
	if len(p.slab) == 0 {
		p.work(16)
		p.grow(16 * nodeBytes)
		p.slab = make([]node, 16)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.op = op
	return n
}

// pattern parses the whole of it.
func (p *parser) pattern() *node {
	n := p.disjunction()
	if p.err == nil && p.pos < len(p.src) {
		p.fail(errUnmatchedParen) // nothing else stops a disjunction
	}
	for _, r := range p.pending { //meter: references, each charged as a term
		if p.err != nil {
			break
		}
		id, ok := p.ids[r.name]
		if !ok {
			p.failAt(errNameReferenced, r.at)
			break
		}
		r.n.refs = p.names[id].Groups
	}
	p.settle()
	if p.err != nil {
		return nil
	}
	return n
}

func (p *parser) disjunction() *node {
	if !p.enter() {
		return nil
	}
	p.scopes = append(p.scopes, nameScope{})
	var alts []*node
	for {
		alts = append(alts, p.alternative())
		if p.dead() {
			return nil
		}
		if !p.eat('|') {
			break
		}
		s := &p.scopes[len(p.scopes)-1]
		p.work(len(s.cur))
		for _, id := range s.cur {
			p.active[id] = false
		}
		s.done = append(s.done, s.cur...)
		s.cur = s.cur[:0]
	}
	p.closeScope()
	p.depth--
	if p.dead() {
		return nil
	}
	if len(alts) == 1 {
		return alts[0]
	}
	n := p.node(nAlt)
	n.kids = alts
	return n
}

// closeScope hands the names of a finished disjunction to the alternative
// around it.
func (p *parser) closeScope() {
	top := len(p.scopes) - 1
	s := p.scopes[top]
	p.scopes = p.scopes[:top]
	p.work(len(s.done) + len(s.cur)/8)
	for _, id := range s.done {
		p.active[id] = true
	}
	if top == 0 {
		return
	}
	up := &p.scopes[top-1]
	if len(up.cur) == 0 {
		// Nobody else has the longer list: the other one is put to its end.
		if len(s.done) < len(s.cur) {
			s.done, s.cur = s.cur, s.done
		}
		up.cur = append(s.done, s.cur...)
		return
	}
	up.cur = append(append(up.cur, s.done...), s.cur...)
}

// alternative parses terms up to | or ) or the end.
func (p *parser) alternative() *node {
	var items []*node
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case '|', ')':
			return p.sequence(items)
		}
		items = p.term(items)
		if p.dead() {
			return nil
		}
	}
	return p.sequence(items)
}

func (p *parser) sequence(items []*node) *node {
	switch len(items) {
	case 0:
		return p.node(nEmpty)
	case 1:
		return items[0]
	}
	n := p.node(nSeq)
	n.kids = items
	return n
}

// addChar appends one character, to the string before it if there is one.
func (p *parser) addChar(items []*node, r rune) []*node {
	if p.unicode && r >= 0xD800 && r <= 0xDFFF {
		// A lone surrogate must not match half of a pair.
		n := p.node(nSet)
		n.set = p.setOf(rangeSet{{Lo: r, Hi: r}})
		return append(items, n)
	}
	if k := len(items); k > 0 && items[k-1].open && items[k-1].icase == p.icase {
		items[k-1].runes = append(items[k-1].runes, r)
		return items
	}
	n := p.node(nStr)
	n.open, n.icase = true, p.icase
	n.runes = append(n.runes, r)
	return append(items, n)
}

// term parses one term with its quantifier.
func (p *parser) term(items []*node) []*node {
	p.work(1)
	start := p.captures
	quantifiable := true
	switch c := p.src[p.pos]; c {
	case '^', '$':
		p.pos++
		n := p.node(nBOL)
		if c == '$' {
			n.op = nEOL
		}
		n.multiline = p.multiline
		return append(items, n)
	case '(':
		n, isLook := p.groupLike()
		if p.dead() {
			return items
		}
		items = append(items, n)
		// QuantifiableAssertion: lookaheads only, and only in Annex B.
		quantifiable = !isLook || !p.unicode && !n.behind
	case '*', '+', '?':
		p.fail(errNothingToRepeat)
		return items
	case '.':
		p.pos++
		n := p.node(nSet)
		n.set = dotSet
		if p.dotAll {
			n.set = anySet
		}
		items = append(items, n)
	case '[':
		p.pos++
		n := p.class()
		if p.dead() {
			return items
		}
		items = append(items, n)
	case '\\':
		var atom bool
		items, atom = p.atomEscape(items)
		if !atom || p.dead() {
			return items
		}
	case '{':
		if _, _, ok := p.interval(); ok {
			p.fail(errNothingToRepeat)
			return items
		}
		if p.unicode {
			p.fail(errLoneBrackets)
			return items
		}
		items = p.addChar(items, p.next())
	case '}', ']':
		if p.unicode {
			p.fail(errLoneBrackets)
			return items
		}
		items = p.addChar(items, p.next())
	default:
		items = p.addChar(items, p.next())
	}
	return p.quantify(items, start, quantifiable)
}

// quantify parses a quantifier, if there is one, and applies it to the last
// item, or to the last character of a string.
func (p *parser) quantify(items []*node, start int, quantifiable bool) []*node {
	lo, hi := int32(0), int32(inf)
	switch p.at(0) {
	case '*':
		p.pos++
	case '+':
		p.pos++
		lo = 1
	case '?':
		p.pos++
		hi = 1
	case '{':
		var ok bool
		lo, hi, ok = p.interval()
		if !ok {
			if p.unicode {
				p.fail(errIncomplete)
			}
			return items
		}
		if p.misordered {
			p.fail(errQuantifierOrder)
			return items
		}
	default:
		return items
	}
	lazy := p.eat('?')
	if !quantifiable {
		p.fail(errQuantifier)
		return items
	}
	body := items[len(items)-1]
	if k := len(body.runes); body.op == nStr && k > 1 {
		one := p.node(nStr)
		one.icase = body.icase
		one.runes = body.runes[k-1 : k : k]
		body.runes = body.runes[: k-1 : k-1]
		body.open = false
		body = one
		items = append(items, nil)
	}
	body.open = false
	n := p.node(nLoop)
	n.min, n.max, n.lazy = lo, hi, lazy
	n.kids = []*node{body}
	n.lo, n.hi = int32(start+1), int32(p.captures+1)
	items[len(items)-1] = n
	return items
}

// interval parses {n}, {n,} or {n,m}. When there is none the position stays.
func (p *parser) interval() (lo, hi int32, ok bool) {
	start := p.pos
	p.pos++
	a := p.digits()
	b, bounded := a, true
	if a[0] == a[1] {
		p.pos = start
		return 0, 0, false
	}
	if p.eat(',') {
		b = p.digits()
		bounded = b[0] != b[1]
	}
	if !p.eat('}') {
		p.pos = start
		return 0, 0, false
	}
	lo, hi = p.number(a), inf
	p.misordered = false
	if bounded {
		p.misordered = p.compareDigits(a, b) > 0
		if hi = p.number(b); hi == math.MaxInt32 {
			hi = inf
		}
	}
	return lo, hi, true
}

// digits takes a run of digits and returns where it is.
func (p *parser) digits() [2]int {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' { //meter: charged below
		p.pos++
	}
	p.work((p.pos - start) / 8)
	return [2]int{start, p.pos}
}

// number returns a run of digits as a number that stops at MaxInt32.
func (p *parser) number(d [2]int) int32 {
	n := int64(0)
	for _, c := range p.src[d[0]:d[1]] { //meter: ten digits beyond leading zeros, which were charged
		if n = n*10 + int64(c-'0'); n >= math.MaxInt32 {
			return math.MaxInt32
		}
	}
	return int32(n)
}

// compareDigits compares two runs of digits as numbers of any size.
func (p *parser) compareDigits(a, b [2]int) int {
	x, y := p.src[a[0]:a[1]], p.src[b[0]:b[1]]
	for len(x) > 0 && x[0] == '0' { //meter: digits, which were charged
		x = x[1:]
	}
	for len(y) > 0 && y[0] == '0' { //meter: digits, which were charged
		y = y[1:]
	}
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	for i := range x { //meter: digits, which were charged
		if x[i] != y[i] {
			return int(x[i]) - int(y[i])
		}
	}
	return 0
}
