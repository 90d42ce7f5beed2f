package segment

import (
	"unicode"

	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/meter"
)

// Granularity is what a string is divided into.
type Granularity uint8

// The granularities.
const (
	Grapheme Granularity = iota
	Word
	Sentence
)

// reader goes through the characters of a string and pays for them.
type reader[C text.Char] struct {
	m *meter.Meter
	s []C
	t *tables
}

const step = 256

func (r *reader[C]) at(i int) (c uint32, n int) {
	c = uint32(r.s[i])
	if c&0xFC00 == 0xD800 && i+1 < len(r.s) && uint32(r.s[i+1])&0xFC00 == 0xDC00 {
		return text.Pair(uint16(c), uint16(r.s[i+1])), 2
	}
	return c, 1
}

func (r *reader[C]) before(i int) (c uint32, n int) {
	c = uint32(r.s[i-1])
	if c&0xFC00 == 0xDC00 && i > 1 && uint32(r.s[i-2])&0xFC00 == 0xD800 {
		return text.Pair(uint16(r.s[i-2]), uint16(c)), 2
	}
	return c, 1
}

//meter:charges
func (r *reader[C]) pay(i, n int) error {
	if i&(step-1) >= step-n {
		return r.m.Charge(step)
	}
	return nil
}

// Next returns the boundary after from, which is one and before the end, and
// whether the segment is like a word.
func Next[C text.Char](m *meter.Meter, g Granularity, s []C, from int) (end int, wordLike bool, err error) {
	r := &reader[C]{m: m, s: s, t: load()}
	switch g {
	case Word:
		return r.word(from)
	case Sentence:
		end, err = r.sentence(from)
	default:
		end, err = r.grapheme(from)
	}
	return end, false, err
}

// Before returns a boundary at or before i, from which Next finds the segment
// that i is in.
func Before[C text.Char](m *meter.Meter, g Granularity, s []C, i int) (int, error) {
	r := &reader[C]{m: m, s: s, t: load()}
	for i > 0 {
		if err := r.pay(i, 1); err != nil {
			return 0, err
		}
		c, n := r.before(i)
		next := uint32(0)
		if i < len(s) {
			next, _ = r.at(i)
		}
		switch g {
		case Grapheme:
			// Between two characters of ASCII, and after a control.
			if c < 0x300 && next < 0x300 && (c != '\r' || next != '\n') && c != 0xAD && c != 0xA9 && c != 0xAE {
				return i, nil
			}
		case Word:
			// After the end of a line, and between punctuation and a letter.
			if c == '\n' || c < 0x80 && r.t.word.of(c) == other && next < 0x80 && r.t.word.of(next) == aLetter {
				return i, nil
			}
		default:
			if c == '\n' || c == 0x2029 {
				return i, nil
			}
		}
		i -= n
	}
	return 0, nil
}

// grapheme finds the end of a grapheme cluster (UAX #29 §3.1.1).
func (r *reader[C]) grapheme(from int) (int, error) {
	c, n := r.at(from)
	i := from + n
	prev := graphemeClass(r.t, c)
	conjunct := r.t.conjunct.of(c) // conjunctLinker: a consonant, marks, and a linker among them
	linked := false
	emoji := prev&pictographic != 0 // after a pictograph and marks
	flags := 0                      // regional indicators so far
	if prev&classMask == regional {
		flags = 1
	}
	for i < len(r.s) {
		c, n := r.at(i)
		if err := r.pay(i, n); err != nil {
			return 0, err
		}
		cur := graphemeClass(r.t, c)
		if !r.graphemeJoins(prev, cur, c, conjunct == conjunctConsonant && linked, emoji, flags) {
			break
		}
		switch ic := r.t.conjunct.of(c); ic {
		case conjunctConsonant:
			conjunct, linked = ic, false
		case conjunctLinker:
			linked = true
		case conjunctExtend:
		default:
			conjunct, linked = other, false
		}
		switch {
		case cur&pictographic != 0:
			emoji = true
		case cur&classMask == extend, cur&classMask == zwj:
		default:
			emoji = false
		}
		if cur&classMask == regional {
			flags++
		} else {
			flags = 0
		}
		prev = cur
		i += n
	}
	return i, nil
}

func (r *reader[C]) graphemeJoins(prev, cur class, c uint32, linked, emoji bool, flags int) bool {
	p, q := prev&classMask, cur&classMask
	switch {
	case p == cr:
		return q == lf // GB3
	case p == control, p == lf, q == control, q == cr, q == lf:
		return false // GB4, GB5
	case q == extend, q == zwj, q == spacingMark, p == prepend:
		return true // GB9, GB9a, GB9b
	}
	switch p { // GB6 to GB8
	case hangulL:
		if q == hangulL || q == hangulV || q == hangulLV || q == hangulLVT {
			return true
		}
	case hangulLV, hangulV:
		if q == hangulV || q == hangulT {
			return true
		}
	case hangulLVT, hangulT:
		if q == hangulT {
			return true
		}
	}
	if linked && r.t.conjunct.of(c) == conjunctConsonant {
		return true // GB9c
	}
	if p == zwj && emoji && cur&pictographic != 0 {
		return true // GB11
	}
	return p == regional && q == regional && flags&1 == 1 // GB12, GB13
}

// word finds the end of a word, or of what is between words (UAX #29 §4.1.1).
func (r *reader[C]) word(from int) (end int, wordLike bool, err error) {
	t := r.t
	c, n := r.at(from)
	i := from + n
	raw := wordClass(t, c)
	if t.complex.of(c) != 0 && raw&classMask == other {
		return r.complexRun(i)
	}
	wordLike = isWordLike(raw&classMask, c)
	// prev and beforePrev are the last two that are not Extend, Format or ZWJ.
	prev, beforePrev := raw&classMask, other
	flags, underscores := 1, 0 // flags counts only after a regional indicator
	if prev == extendNumLet {
		underscores = 1
	}
	for i < len(r.s) {
		c, n := r.at(i)
		if err := r.pay(i, n); err != nil {
			return 0, false, err
		}
		cur := wordClass(t, c)
		q := cur & classMask
		switch last := raw & classMask; {
		case last == cr:
			if q != lf {
				return i, wordLike, nil
			}
			return i + n, wordLike, nil // WB3
		case last == lf, last == control, q == cr, q == lf, q == control:
			return i, wordLike, nil // WB3a, WB3b
		case last == zwj && cur&pictographic != 0: // WB3c
			prev, beforePrev, raw, wordLike = q, other, cur, false
			i += n
			continue
		case last == wSegSpace && q == wSegSpace: // WB3d
			prev, raw = q, cur
			i += n
			continue
		case q == extend, q == format, q == zwj: // WB4
			if prev == hangulLVT || prev == extendNumLet {
				wordLike = false // as ICU says
			}
			raw = cur
			i += n
			continue
		}
		joins := false
		switch {
		case ahLetter(prev) && ahLetter(q): // WB5
			joins = true
		case ahLetter(prev) && (q == midLetter || q == midNumLet || q == singleQuote): // WB6
			if joins, err = r.following(i+n, ahLetter); err != nil {
				return 0, false, err
			}
			if prev == hebrew && q == singleQuote { // WB7a
				joins = true
			}
		case ahLetter(beforePrev) && (prev == midLetter || prev == midNumLet || prev == singleQuote) && ahLetter(q): // WB7
			joins = true
		case prev == hebrew && q == doubleQuote: // WB7b
			if joins, err = r.following(i+n, func(c class) bool { return c == hebrew }); err != nil {
				return 0, false, err
			}
		case beforePrev == hebrew && prev == doubleQuote && q == hebrew: // WB7c
			joins = true
		case (prev == numeric || ahLetter(prev)) && q == numeric, prev == numeric && ahLetter(q): // WB8 to WB10
			joins = true
		case beforePrev == numeric && (prev == midNum || prev == midNumLet || prev == singleQuote) && q == numeric: // WB11
			joins = true
		case prev == numeric && (q == midNum || q == midNumLet || q == singleQuote): // WB12
			if joins, err = r.following(i+n, func(c class) bool { return c == numeric }); err != nil {
				return 0, false, err
			}
		case prev == katakana && q == katakana, prev == hangulLVT && q == hangulLVT: // WB13
			joins = true
		case q == extendNumLet && (ahLetter(prev) || prev == numeric || prev == katakana || prev == extendNumLet): // WB13a
			joins = true
		case prev == extendNumLet && (ahLetter(q) || q == numeric || q == katakana): // WB13b
			joins = true
		case prev == regional && q == regional && flags&1 == 1: // WB15, WB16
			joins = true
			flags++
		}
		if !joins {
			return i, wordLike, nil
		}
		if q == extendNumLet {
			if underscores++; underscores > 1 {
				wordLike = true
			}
		}
		wordLike = wordLike || isWordLike(q, c)
		beforePrev, prev, raw = prev, q, cur
		i += n
	}
	return i, wordLike, nil
}

// following reports whether the next character that is not Extend, Format or
// ZWJ is of a class.
func (r *reader[C]) following(i int, is func(class) bool) (bool, error) {
	for i < len(r.s) {
		c, n := r.at(i)
		if err := r.pay(i, n); err != nil {
			return false, err
		}
		switch k := wordClass(r.t, c) & classMask; k {
		case extend, format, zwj:
			i += n
		default:
			return is(k), nil
		}
	}
	return false, nil
}

// complexRun finds the end of text that only a dictionary could divide.
func (r *reader[C]) complexRun(i int) (int, bool, error) {
	for i < len(r.s) {
		c, n := r.at(i)
		if err := r.pay(i, n); err != nil {
			return 0, false, err
		}
		k := wordClass(r.t, c) & classMask
		if r.t.complex.of(c) == 0 && k != extend && k != format && k != zwj {
			break
		}
		i += n
	}
	return i, true, nil
}

func ahLetter(c class) bool { return c == aLetter || c == hebrew }

func isWordLike(c class, r uint32) bool {
	switch c {
	case aLetter, hebrew, numeric, katakana, hangulLVT:
		return true
	}
	return r >= 0x3005 && (unicode.Is(unicode.Han, rune(r)) || unicode.Is(unicode.Hiragana, rune(r)))
}

// sentence finds the end of a sentence (UAX #29 §5.1.1).
func (r *reader[C]) sentence(from int) (int, error) {
	// phase is how much of SATerm Close* Sp* ParaSep? has been seen.
	const (
		inside = iota
		afterTerm
		afterClose
		afterSpace
	)
	t := r.t
	phase := inside
	aTermSeen := false
	prev, beforePrev := other, other // without Extend and Format
	raw := other
	for i := from; i < len(r.s); {
		c, n := r.at(i)
		if err := r.pay(i, n); err != nil {
			return 0, err
		}
		q := t.sentence.of(c)
		if i > from {
			switch {
			case raw == cr && q == lf: // SB3
			case raw == cr, raw == lf, raw == control: // SB4
				return i, nil
			case q == extend, q == format: // SB5
				raw = q
				i += n
				continue
			default:
				breaks, err := false, error(nil)
				switch {
				case phase == inside:
				case q == cr, q == lf, q == control: // SB9 to SB11
				case phase == afterTerm && aTermSeen && q == numeric: // SB6
					phase = inside
				case phase == afterTerm && aTermSeen && (beforePrev == upper || beforePrev == lower) && q == upper: // SB7
					phase = inside
				case q == sContinue, q == aTerm, q == sTerm: // SB8a
				case phase <= afterClose && (q == closeMark || q == sp): // SB9
				case q == sp: // SB10
				default:
					breaks = true
					if aTermSeen { // SB8
						var lowerFollows bool
						lowerFollows, err = r.lowerFollows(i)
						breaks = !lowerFollows
					}
				}
				if err != nil {
					return 0, err
				}
				if breaks {
					return i, nil
				}
			}
		}
		switch q {
		case extend, format:
			if i == from {
				raw, prev = q, other
				i += n
				continue
			}
		case aTerm, sTerm:
			phase, aTermSeen = afterTerm, q == aTerm
		case closeMark:
			if phase == afterTerm || phase == afterClose {
				phase = afterClose
			} else {
				phase = inside
			}
		case sp:
			if phase != inside {
				phase = afterSpace
			}
		case cr, lf, control:
		default:
			phase = inside
		}
		beforePrev, prev, raw = prev, q, q
		i += n
	}
	return len(r.s), nil
}

// lowerFollows looks for the letter of SB8.
func (r *reader[C]) lowerFollows(i int) (bool, error) {
	for i < len(r.s) {
		c, n := r.at(i)
		if err := r.pay(i, n); err != nil {
			return false, err
		}
		switch r.t.sentence.of(c) {
		case lower:
			return true, nil
		case oLetter, upper, cr, lf, control, aTerm, sTerm:
			return false, nil
		}
		i += n
	}
	return false, nil
}
