package collate

import (
	"cmp"
	"unicode"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/meter"
	"golang.org/x/text/unicode/norm"
)

// Sensitivity says which differences count (ECMA-402 §10.1.2).
type Sensitivity uint8

// The sensitivities.
const (
	Variant Sensitivity = iota
	Base
	Accent
	Case
)

// CaseFirst says which case comes first where nothing else differs.
type CaseFirst uint8

// The values of caseFirst.
const (
	CaseOff CaseFirst = iota
	UpperFirst
	LowerFirst
)

// Options are those of Intl.Collator. Tailoring is "", "es", "es-trad", "pl",
// "tr", "sv", "da", "de-phonebk", "zh", "zh-unihan", "ja", "ja-unihan", "ru" or
// "el".
type Options struct {
	Tailoring         string
	Sensitivity       Sensitivity
	IgnorePunctuation bool
	Numeric           bool
	CaseFirst         CaseFirst
}

// Collator compares strings. It is immutable.
type Collator struct {
	opt    Options
	tailor *tailoring // nil for the root collation
	plain  bool       // ASCII can be compared character by character
}

// New makes a Collator.
func New(opt Options) *Collator {
	c := &Collator{opt: opt, tailor: tailoringOf(opt.Tailoring)}
	c.plain = opt.Sensitivity == Variant && !opt.IgnorePunctuation && !opt.Numeric && opt.CaseFirst != UpperFirst &&
		(c.tailor == nil || !c.tailor.ascii)
	return c
}

// step is how many characters are paid for at once.
const step = 1024

// Compare returns the sign of the comparison of a and b.
func Compare[A, B text.Char](c *Collator, m *meter.Meter, a []A, b []B) (int, error) {
	if c.plain {
		if r, ok, err := compareASCII(m, a, b); ok || err != nil {
			return r, err
		}
	}
	an, aw, err := prepare(m, a)
	if err != nil {
		return 0, err
	}
	bn, bw, err := prepare(m, b)
	if err != nil {
		return 0, err
	}
	switch {
	case aw == nil && bw == nil:
		return compareLevels(c, m, an, bn)
	case aw == nil:
		return compareLevels(c, m, an, bw)
	case bw == nil:
		return compareLevels(c, m, aw, bn)
	}
	return compareLevels(c, m, aw, bw)
}

// compareASCII compares as long as the strings differ in visible ASCII only. ok
// is false if that doesn't decide.
func compareASCII[A, B text.Char](m *meter.Meter, a []A, b []B) (r int, ok bool, err error) {
	n := min(len(a), len(b))
	tertiary := 0
	for i := range n {
		if i&4095 == 4095 {
			if err := m.Charge(512); err != nil {
				return 0, false, err
			}
		}
		x, y := uint32(a[i]), uint32(b[i])
		// What is equal before a difference between characters of ASCII weighs
		// the same, whatever it is.
		if x == y {
			continue
		}
		if (x|y) >= 0x7F || x < ' ' || y < ' ' {
			return 0, false, nil
		}
		p, q := asciiWeights[x], asciiWeights[y]
		if p>>8 != q>>8 {
			// A mark that follows belongs to the next level, but a contraction
			// might not: none begins with two characters of ASCII.
			return cmp.Compare(p, q), plainNext(a, i) && plainNext(b, i), nil
		}
		if tertiary == 0 {
			tertiary = cmp.Compare(p, q)
		}
	}
	if len(a) > n && len(b) > n {
		return 0, false, nil
	}
	switch {
	case len(a) > n:
		return 1, visible(uint32(a[n])), nil
	case len(b) > n:
		return -1, visible(uint32(b[n])), nil
	}
	return tertiary, true, nil
}

// asciiOrder are the visible characters of ASCII in their order; capitals
// follow their small letters.
const asciiOrder = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

// asciiWeights are the places in asciiOrder in the high byte, and 1 for capitals.
var asciiWeights = func() (t [128]uint16) {
	for i := range len(asciiOrder) { //meter: once
		c := asciiOrder[i]
		t[c] = uint16(i+1) << 8
		if c >= 'a' && c <= 'z' {
			t[c-'a'+'A'] = uint16(i+1)<<8 | 1
		}
	}
	return t
}()

func visible(c uint32) bool { return c-' ' < 0x7F-' ' }

func plainNext[C text.Char](s []C, i int) bool { return i+1 >= len(s) || visible(uint32(s[i+1])) }

// prepare brings a string into canonical order if its marks may be out of it.
// One of the results is nil.
func prepare[C text.Char](m *meter.Meter, s []C) (narrow []byte, wide []uint16, err error) {
	switch s := any(s).(type) {
	case []byte:
		if s == nil {
			s = []byte{}
		}
		return s, nil, nil
	case []uint16:
		wide = s
	}
	if wide == nil {
		return nil, []uint16{}, nil
	}
	prev := uint32(0)
	for i := 0; i < len(wide); i++ {
		if i&(step-1) == step-1 {
			if err := m.Charge(step / 8); err != nil {
				return nil, nil, err
			}
		}
		r := uint32(wide[i])
		if r&0xFC00 == 0xD800 && i+1 < len(wide) && uint32(wide[i+1])&0xFC00 == 0xDC00 {
			r = text.Pair(uint16(r), wide[i+1])
			i++
		}
		if mayCombine(r) && prev >= 0xC0 && combiningClass(r) != 0 && (combiningClass(prev) != 0 || decomposes(prev)) {
			t, changed, err := text.Normalize(m, wide, text.NFD)
			if err != nil || !changed {
				return nil, wide, err
			}
			if t.Wide == nil {
				return t.Latin1, nil, nil
			}
			return nil, t.Wide, nil
		}
		prev = r
	}
	return nil, wide, nil
}

// mayCombine is false for most characters without a combining class.
func mayCombine(r uint32) bool {
	switch {
	case r < 0x300, r >= 0x370 && r < 0x483, r >= 0x3100 && r < 0xA66F, r >= 0xAC00 && r < 0xFB1E:
		return false
	}
	return true
}

func properties(r uint32) norm.Properties {
	var b [4]byte
	return norm.NFD.Properties(b[:utf8.EncodeRune(b[:], rune(r))])
}

func combiningClass(r uint32) uint8 {
	if !mayCombine(r) {
		return 0
	}
	return properties(r).CCC()
}

func decomposes(r uint32) bool { return properties(r).Decomposition() != nil }

// level is what a pass over both strings compares.
type level uint8

const (
	primaryLevel level = iota
	secondaryLevel
	caseLevel
	tertiaryLevel
)

var levelsOf = [...][]level{
	Variant: {primaryLevel, secondaryLevel, tertiaryLevel},
	Base:    {primaryLevel},
	Accent:  {primaryLevel, secondaryLevel},
	Case:    {primaryLevel, caseLevel},
}

func compareLevels[A, B text.Char](c *Collator, m *meter.Meter, a []A, b []B) (int, error) {
	t := root()
	for _, l := range levelsOf[c.opt.Sensitivity] { //meter: at most three
		x, y := source[A]{c: c, t: t, m: m, s: a}, source[B]{c: c, t: t, m: m, s: b}
		for { //meter: weight charges
			p, err := x.weight(l) // charges
			if err != nil {
				return 0, err
			}
			q, err := y.weight(l)
			if err != nil {
				return 0, err
			}
			if p != q {
				return cmp.Compare(p, q), nil
			}
			if p == 0 {
				break
			}
		}
	}
	return 0, nil
}

// source goes through the collation elements of a string.
type source[C text.Char] struct {
	c        *Collator
	t        *table
	m        *meter.Meter
	s        []C
	i        int
	skip     int        // > 0: the place of a mark that a contraction has taken
	pend     []element  // of the last character
	buf      [4]element // those not in the table: from at to end
	at, end  int
	digits   int  // of a number being read digit by digit, with numeric
	variable bool // after a variable element, with ignorePunctuation
}

// weight returns the next weight at a level, 0 at the end.
func (w *source[C]) weight(l level) (uint32, error) {
	for { //meter: load charges
		var e element
		switch {
		case w.at < w.end:
			e = w.buf[w.at]
			w.at++
		case len(w.pend) > 0:
			e = w.pend[0]
			w.pend = w.pend[1:]
		default:
			if w.i >= len(w.s) && w.digits == 0 {
				return 0, nil
			}
			if err := w.load(); err != nil {
				return 0, err
			}
			continue
		}
		p := e.primary()
		if w.c.opt.IgnorePunctuation {
			switch {
			case p == 0:
				if w.variable {
					continue
				}
			case p <= w.t.lastVariable && p != 1:
				w.variable = true
				continue
			default:
				w.variable = false
			}
		}
		switch l {
		case primaryLevel:
			if p != 0 {
				if w.c.tailor != nil {
					p = w.c.tailor.place(w.t, p)
				}
				return p, nil
			}
		case secondaryLevel:
			if s := e.secondary(); s != 0 {
				return s, nil
			}
		case caseLevel:
			if p != 0 {
				return 1 + w.caseWeight(e), nil
			}
		default:
			if t := e.tertiary(); t != 0 {
				if w.c.opt.CaseFirst != CaseOff && p != 0 {
					t |= w.caseWeight(e) << 8
				}
				return t, nil
			}
		}
	}
}

func (w *source[C]) caseWeight(e element) uint32 {
	if w.c.opt.CaseFirst == UpperFirst {
		return upperCase - e.letterCase()
	}
	return e.letterCase()
}

// char returns the character at i and its length.
func (w *source[C]) char(i int) (r uint32, n int) {
	r = uint32(w.s[i])
	if r&0xFC00 == 0xD800 && i+1 < len(w.s) && uint32(w.s[i+1])&0xFC00 == 0xDC00 {
		return text.Pair(uint16(r), uint16(w.s[i+1])), 2
	}
	return r, 1
}

// load puts the elements of the next character, or contraction, into pend.
func (w *source[C]) load() error {
	if w.digits > 0 {
		return w.digit()
	}
	r, n := w.char(w.i)
	if w.i&(step-1) >= step-n {
		if err := w.m.Charge(step); err != nil {
			return err
		}
	}
	if w.c.opt.Numeric && isDigit(r) {
		return w.number()
	}
	w.i += n
	if w.skip > 0 && w.i-n == w.skip {
		w.skip = 0
		return nil
	}
	t := w.t
	if tr := w.c.tailor; tr != nil {
		if elems, used := tailored(w, tr, r); elems != nil {
			w.pend, w.i = elems, w.i+used
			return nil
		}
		if tr.kana && japaneseMark(w, r) {
			return nil
		}
	}
	if r < 0x100 && (w.i >= len(w.s) || uint32(w.s[w.i]) < 0x300 && uint32(w.s[w.i]) != 0xB7) {
		w.pend = t.latin[r]
		return nil
	}
	v := t.entry(r)
	if w.i < len(w.s) {
		if k, used := w.contraction(r); k != nil {
			w.pend, w.i = k, w.i+used
			return nil
		}
		if logicalOrderException(r) {
			// The vowel is written before the consonant it follows.
			next, n := w.char(w.i)
			if unicode.Is(unicode.Lo, rune(next)) && !logicalOrderException(next) && next>>7 == r>>7 {
				var b1, b2 [4]element
				e1, e2 := t.elements(t.entry(next), &b1), t.elements(v, &b2)
				if len(e1) == 1 && len(e2) == 1 {
					w.buf[0], w.buf[1] = e1[0], e2[0]
					w.at, w.end, w.i = 0, 2, w.i+n
					return nil
				}
			}
		}
	}
	if v&^secondFlag != 0 {
		if v&inPool == 0 {
			w.buf[0] = makeElement(v&entryMask&^secondFlag, plainSecondary, plainTertiary, lowerCase)
			w.at, w.end = 0, 1
			return nil
		}
		n := v & (1<<poolBits - 1)
		at := v & entryMask >> poolBits
		w.pend = t.pool[at : at+n]
		return nil
	}
	if r-0xAC00 < 11172 {
		w.hangul(r - 0xAC00)
		return nil
	}
	if r >= 0xC0 {
		if elems := t.decomposed(r); elems != nil {
			w.pend = elems
			return nil
		}
	}
	w.buf[0] = makeElement(implicit(r), plainSecondary, plainTertiary, lowerCase)
	w.at, w.end = 0, 1
	return nil
}

// hangul gives the jamo of a syllable.
func (w *source[C]) hangul(i uint32) {
	t := w.t
	jamo := [3]uint32{0x1100 + i/588, 0x1161 + i%588/28, 0x11A7 + i%28}
	n := 0
	for _, j := range jamo { //meter: fixed
		if j == 0x11A7 {
			break
		}
		w.buf[n] = makeElement(t.entry(j)&entryMask, plainSecondary, plainTertiary, lowerCase)
		n++
	}
	w.at, w.end = 0, n
}

// contraction finds the longest contraction of r with what follows.
func (w *source[C]) contraction(r uint32) (elems []element, used int) {
	t := w.t
	second, n := w.char(w.i)
	if t.entry(second)&secondFlag == 0 {
		if second >= 0x300 && w.skip == 0 && t.contractions[r] != nil {
			return w.discontiguous(r), 0
		}
		return nil, 0
	}
	for _, k := range t.contractions[r] { //meter: embedded data, a few
		if k.rest[0] != second {
			continue
		}
		if k.rest[1] == 0 {
			if elems == nil {
				elems, used = k.elems, n
			}
			continue
		}
		if w.i+n < len(w.s) {
			if third, n3 := w.char(w.i + n); third == k.rest[1] {
				elems, used = k.elems, n+n3
			}
		}
	}
	return elems, used
}

// discontiguous finds a contraction of r with a mark that other marks do not
// block (UTS #10 §7.1 S2.1).
func (w *source[C]) discontiguous(r uint32) []element {
	t := w.t
	last := uint8(0)
	for i, tries := w.i, 0; i < len(w.s) && tries < 8; tries++ { //meter: at most eight
		c, n := w.char(i)
		class := combiningClass(c)
		if class == 0 {
			return nil
		}
		if class > last {
			if w.c.tailor != nil {
				if e := w.c.tailor.pairs[[2]uint32{r, c}]; e != nil {
					w.skip = i
					return e
				}
			}
			if t.entry(c)&secondFlag != 0 {
				for _, k := range t.contractions[r] { //meter: embedded data, a few
					if k.rest == [2]uint32{c, 0} {
						w.skip = i
						return k.elems
					}
				}
			}
		}
		last = max(last, class)
		i += n
	}
	return nil
}

// logicalOrderException is the property of that name: vowels written before
// their consonant.
func logicalOrderException(r uint32) bool {
	switch {
	case r < 0xE40:
		return false
	case r <= 0xE44, r >= 0xEC0 && r <= 0xEC4, r >= 0x19B5 && r <= 0x19B7, r == 0x19BA,
		r == 0xAAB5, r == 0xAAB6, r == 0xAAB9, r == 0xAABB, r == 0xAABC:
		return true
	}
	return false
}

func isDigit(r uint32) bool {
	return r-'0' < 10 || r >= 0x660 && unicode.Is(unicode.Nd, rune(r))
}

// digitValue returns the value of a decimal digit: the weights of digits of all
// scripts are those of ASCII's.
func (w *source[C]) digitValue(r uint32) uint32 {
	if r-'0' < 10 {
		return r - '0'
	}
	var buf [4]element
	v := w.t.entry(r) &^ secondFlag
	if v == 0 || v == ignorable {
		return 0
	}
	return (w.t.elements(v, &buf)[0].primary() - w.t.digit0) / rankStep
}

// number begins a run of digits that counts as one number: a weight
// before that of 0, then how many digits there are after leading zeros, then each.
func (w *source[C]) number() error {
	count, from, zeros := 0, w.i, true
	for i := w.i; i < len(w.s); {
		r, n := w.char(i)
		if !isDigit(r) {
			break
		}
		if i&(step-1) >= step-n {
			if err := w.m.Charge(step); err != nil {
				return err
			}
		}
		if zeros && w.digitValue(r) != 0 {
			zeros, from = false, i
		}
		if !zeros {
			count++
		}
		i += n
		if zeros {
			from = i
		}
	}
	w.i, w.digits = from, count
	w.buf[0] = makeElement(w.t.digit0-1, plainSecondary, plainTertiary, lowerCase)
	w.buf[1] = makeElement(uint32(count)+1, 0, 0, lowerCase)
	w.at, w.end = 0, 2
	return nil
}

func (w *source[C]) digit() error {
	r, n := w.char(w.i)
	if w.i&(step-1) >= step-n {
		if err := w.m.Charge(step); err != nil {
			return err
		}
	}
	w.i += n
	w.digits--
	w.buf[0] = makeElement(w.digitValue(r)+1, 0, 0, lowerCase)
	w.at, w.end = 0, 1
	return nil
}
