package collate

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed data/root.txt
var rootText string

//go:embed data/han.txt
var hanText string

//go:embed data/zh.txt
var zhText string

//go:embed data/ja.txt
var jaText string

// element is a collation element (UTS #10 §3.1): the primary weight in the high
// half, then 16 bits of secondary weight, 8 of case and 8 of tertiary weight.
type element uint64

// The cases.
const (
	lowerCase = iota
	mixedCase
	upperCase
)

func makeElement(primary uint32, secondary uint16, tertiary uint8, letterCase uint8) element {
	return element(primary)<<32 | element(secondary)<<16 | element(letterCase)<<8 | element(tertiary)
}

func (e element) primary() uint32    { return uint32(e >> 32) }
func (e element) secondary() uint32  { return uint32(e >> 16 & 0xFFFF) }
func (e element) tertiary() uint32   { return uint32(e & 0xFF) }
func (e element) letterCase() uint32 { return uint32(e >> 8 & 0xFF) }

// Primary weights. Characters with an entry in the table have their rank times
// rankStep; between them there is room for tailorings.
const (
	rankStep    = 4
	tangutBase  = 0x1000000 // plus the code point
	nushuBase   = 0x2000000
	khitanBase  = 0x3000000
	hanBase     = 0x4000000 // plus the rank
	unknownBase = 0x5000000 // plus the code point: unassigned and private use
	specialBase = 0x6000000 // U+FFFD, U+FFFF
	raised      = 0x8000000 // added to what a tailoring moves behind the ideographs

	plainSecondary  = 16 // what lies before and after is for tailorings
	firstMark       = 40
	beyondSecondary = 0x1000 // more than any mark's
	plainTertiary   = 2
)

// An entry of the trie: 0 for none, the elements' place and number in the pool,
// or the primary weight of a plain letter.
const (
	inPool      = 1 << 31
	ignorable   = inPool // no elements
	secondFlag  = 1 << 30
	entryMask   = 1<<30 - 1
	poolBits    = 5 // for the number
	pageBits    = 7
	pageMask    = 1<<pageBits - 1
	entryOfPage = 1 << pageBits
)

type contraction struct {
	rest  [2]uint32 // what follows the first character; the second may be 0
	elems []element
}

// table is the root collation.
type table struct {
	pages        [0x110000 >> pageBits][]uint32
	pool         []element
	contractions map[uint32][]contraction
	latin        [256][]element // of Latin-1, canonical decompositions included

	lastVariable uint32 // the greatest primary weight of white space and punctuation
	digit0       uint32 // primary weights
	firstLetter  uint32
	firstGreek   uint32
	firstKana    uint32
	afterKana    uint32
}

func (t *table) set(c uint32, v uint32) {
	p := &t.pages[c>>pageBits]
	if *p == nil {
		*p = make([]uint32, entryOfPage)
	}
	(*p)[c&pageMask] = v | (*p)[c&pageMask]&secondFlag
}

func (t *table) entry(c uint32) uint32 {
	p := t.pages[c>>pageBits]
	if p == nil {
		return 0
	}
	return p[c&pageMask]
}

func (t *table) setElements(c uint32, elems []element) {
	t.set(c, inPool|uint32(len(t.pool))<<poolBits|uint32(len(elems)))
	t.pool = append(t.pool, elems...)
}

// elements returns the elements of a character that has an entry. buf is for a
// plain letter's.
func (t *table) elements(v uint32, buf *[4]element) []element {
	if v&inPool == 0 {
		buf[0] = makeElement(v&entryMask, plainSecondary, plainTertiary, lowerCase)
		return buf[:1]
	}
	n := v & (1<<poolBits - 1)
	at := v & entryMask >> poolBits
	return t.pool[at : at+n : at+n]
}

// parseLevel reads "8", "8~" or "8^".
func parseLevel(s string) (level, letterCase uint8) {
	letterCase = lowerCase
	if l, ok := strings.CutSuffix(s, "~"); ok {
		s, letterCase = l, mixedCase
	} else if l, ok := strings.CutSuffix(s, "^"); ok {
		s, letterCase = l, upperCase
	}
	return uint8(hexNumber(s)), letterCase
}

func hexNumber(s string) uint32 {
	n, _ := strconv.ParseUint(s, 16, 32)
	return uint32(n)
}

// eachRun calls f for the code points of tokens like "41" and "41+19".
func eachRun(line string, f func(c uint32)) {
	for tok := range strings.FieldsSeq(line) { //meter: embedded data, once
		from, count, _ := strings.Cut(tok, "+")
		c := hexNumber(from)
		for i := range hexNumber(count) + 1 { //meter: embedded data, once
			f(c + i)
		}
	}
}

// root is the parsed root collation.
var root = sync.OnceValue(func() *table {
	t := &table{contractions: map[uint32][]contraction{}}
	rank, mark := uint32(0), uint16(firstMark)
	section := ""
	level, letterCase := uint8(0), uint8(lowerCase)
	for line := range strings.Lines(rootText) { //meter: embedded data, once
		line = strings.TrimSuffix(line, "\n")
		if line[0] == '[' {
			if section == "[variable]" {
				t.lastVariable = rank * rankStep
			}
			section = line
			if l, ok := strings.CutPrefix(line, "[level "); ok {
				l = strings.TrimSuffix(l, "]")
				level, letterCase = parseLevel(l)
			}
			continue
		}
		switch section {
		case "[ignorable]":
			eachRun(line, func(c uint32) { t.set(c, ignorable) })
		case "[marks]":
			eachRun(line, func(c uint32) {
				mark++
				t.setElements(c, []element{makeElement(0, mark, plainTertiary, lowerCase)})
			})
		case "[variable]", "[regular]":
			eachRun(line, func(c uint32) {
				rank++
				t.set(c, rank*rankStep)
			})
		case "[contractions]":
			t.readContraction(line)
		default:
			t.readLevel(line, level, letterCase)
		}
	}
	weight := func(c rune) uint32 {
		var buf [4]element
		return t.elements(t.entry(uint32(c)), &buf)[0].primary()
	}
	t.digit0, t.firstLetter, t.firstGreek = weight('0'), weight('a'), weight('α')
	t.firstKana, t.afterKana = weight('ぁ'), weight('ㄅ')
	t.set(0xFFFD, specialBase)
	t.set(0xFFFE, 1)
	t.set(0xFFFF, specialBase+1)
	// Canonical decompositions of the commonest characters; others are looked
	// up when they are met.
	for _, r := range [...][2]uint32{{0xC0, 0x24F}, {0x374, 0x4FF}, {0x1E00, 0x1FFF}, {0x304C, 0x30FE}} { //meter: once
		for c := r[0]; c <= r[1]; c++ { //meter: once
			if t.entry(c) == 0 {
				if elems := t.decomposed(c); elems != nil {
					t.setElements(c, elems)
				}
			}
		}
	}
	for c := range t.latin { //meter: once
		var buf [4]element
		t.latin[c] = append([]element(nil), t.elements(t.entry(uint32(c)), &buf)...)
	}
	return t
})

// decomposed returns the elements of the canonical decomposition of a
// character, nil if it has none.
func (t *table) decomposed(c uint32) []element {
	var src [4]byte
	d := norm.NFD.Properties(src[:utf8.EncodeRune(src[:], rune(c))]).Decomposition()
	if d == nil {
		return nil
	}
	var out []element
	for len(d) > 0 { //meter: at most four characters
		r, n := utf8.DecodeRune(d)
		d = d[n:]
		var buf [4]element
		if v := t.entry(uint32(r)); v != 0 {
			out = append(out, t.elements(v, &buf)...)
		} else {
			out = append(out, makeElement(implicit(uint32(r)), plainSecondary, plainTertiary, lowerCase))
		}
	}
	return out
}

// parseElements reads elements: "61", "61.8^", or "*" for a secondary weight
// beyond all marks. Ideographs have the weight of their place.
func (t *table) parseElements(fields []string, level, letterCase uint8) []element {
	var out []element
	for _, f := range fields { //meter: embedded data, once
		if f == "*" {
			out = append(out, makeElement(0, beyondSecondary, plainTertiary, lowerCase))
			continue
		}
		c, l, own := strings.Cut(f, ".")
		lv, lc := level, letterCase
		if own {
			lv, lc = parseLevel(l)
		}
		var buf [4]element
		var e element
		if v := t.entry(hexNumber(c)); v != 0 && v != ignorable {
			e = t.elements(v, &buf)[0]
		} else {
			e = makeElement(implicit(hexNumber(c)), plainSecondary, 0, lowerCase)
		}
		if e.primary() == 0 {
			lc = lowerCase
		}
		out = append(out, makeElement(e.primary(), uint16(e.secondary()), lv, lc))
	}
	return out
}

// readLevel reads "c elements…" or "c+n e d": n + 1 characters, each one
// element, whose characters advance by d ("/2" if the first advance by 2).
func (t *table) readLevel(line string, level, letterCase uint8) {
	f := strings.Fields(line)
	first, count, run := strings.Cut(f[0], "+")
	c := hexNumber(first)
	if !run {
		t.setElements(c, t.parseElements(f[1:], level, letterCase))
		return
	}
	count, even := strings.CutSuffix(count, "/2")
	step := uint32(1)
	if even {
		step = 2
	}
	e := int(hexNumber(f[1]))
	d, _ := strconv.Atoi(f[2])
	for range hexNumber(count) + 1 { //meter: embedded data, once
		t.setElements(c, t.parseElements([]string{strconv.FormatInt(int64(e), 16)}, level, letterCase))
		c += step
		e += d
	}
}

// readContraction reads "438-306 439 439": a sequence, the character it
// composes to, and the elements; without elements they are the character's.
func (t *table) readContraction(line string) {
	f := strings.Fields(line)
	chars := strings.Split(f[0], "-")
	composed := hexNumber(f[1])
	var k contraction
	if len(f) > 2 {
		k.elems = t.parseElements(f[2:], plainTertiary, lowerCase)
		t.setElements(composed, k.elems)
	} else {
		k.elems = append(k.elems, t.elements(t.entry(composed)&^secondFlag, new([4]element))...)
	}
	k.rest[0] = hexNumber(chars[1])
	if len(chars) > 2 {
		k.rest[1] = hexNumber(chars[2])
	}
	t.addContraction(hexNumber(chars[0]), k)
}

func (t *table) addContraction(first uint32, k contraction) {
	t.contractions[first] = append(t.contractions[first], k)
	second := k.rest[0]
	if p := &t.pages[second>>pageBits]; *p == nil {
		*p = make([]uint32, entryOfPage)
	}
	t.pages[second>>pageBits][second&pageMask] |= secondFlag
}
