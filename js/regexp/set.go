package regexp

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// A rangeSet is a set of characters: sorted ranges that don't touch. A set
// that has been handed on is never written to again: it may be one of ucd's.
type rangeSet []ucd.Range

// normalize sorts and joins the ranges of a set under construction, in place.
func normalize(s rangeSet) rangeSet {
	sorted := true
	for i := 1; i < len(s); i++ { //meter: the ranges of a set: its makers charge by them
		if s[i].Lo <= s[i-1].Hi+1 {
			sorted = false
			break
		}
	}
	if sorted {
		return s
	}
	slices.SortFunc(s, func(a, b ucd.Range) int { return int(a.Lo) - int(b.Lo) })
	out := s[:0]
	for _, r := range s { //meter: the ranges of a set: its makers charge by them
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// invert returns the characters up to top that are not in s.
func invert(s rangeSet, top rune) rangeSet {
	out := make(rangeSet, 0, len(s)+1)
	at := rune(0)
	for _, r := range s { //meter: the ranges of a set: its makers charge by them
		if r.Lo > top {
			break
		}
		if r.Lo > at {
			out = append(out, ucd.Range{Lo: at, Hi: r.Lo - 1})
		}
		at = r.Hi + 1
	}
	if at <= top {
		out = append(out, ucd.Range{Lo: at, Hi: top})
	}
	return out
}

// intersect returns the characters in both sets.
func intersect(a, b rangeSet) rangeSet {
	var out rangeSet
	for i, j := 0, 0; i < len(a) && j < len(b); { //meter: the ranges of a set: its makers charge by them
		lo, hi := max(a[i].Lo, b[j].Lo), min(a[i].Hi, b[j].Hi)
		if lo <= hi {
			out = append(out, ucd.Range{Lo: lo, Hi: hi})
		}
		if a[i].Hi < b[j].Hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// closeOver returns the characters that equal a member of s when case is
// ignored, with the number of steps it took.
func closeOver(s rangeSet, c *ucd.Cases) (rangeSet, int) {
	var extra rangeSet
	steps := 0
	for _, r := range s { //meter: its caller charges for the steps
		steps += 12
		for i := c.From(r.Lo); i < len(c.Members) && c.Members[i].Rune <= r.Hi; i++ { //meter: its caller charges for the steps
			steps++
			for _, e := range c.Members[i].Class { //meter: its caller charges for the steps
				if e < r.Lo || e > r.Hi {
					extra = append(extra, ucd.Range{Lo: e, Hi: e})
				}
			}
		}
	}
	if len(extra) == 0 {
		return s, steps
	}
	extra = append(extra, s...)
	return normalize(extra), steps + len(extra)
}

// A set is a character set ready for matching.
type set struct {
	latin1 [256]bool
	bits   [4]uint64 // the same
	high   rangeSet  // what lies above 0xFF (the first range may begin below)
	all    bool      // every character above 0xFF
	wide   bool      // has surrogates or characters above 0xFFFF
	ranges rangeSet
}

func newSet(s rangeSet) *set {
	t := &set{ranges: s}
	for i, r := range s { //meter: the ranges of a set: its makers charge by them
		for c := r.Lo; c <= min(r.Hi, 255); c++ { //meter: at most 256
			t.latin1[c] = true
			t.bits[c>>6] |= 1 << (c & 63)
		}
		if r.Hi > 255 && t.high == nil {
			t.high = s[i:]
		}
		if r.Hi >= 0xD800 && r.Lo <= 0xDFFF || r.Hi > 0xFFFF {
			t.wide = true
		}
	}
	t.all = len(t.high) == 1 && t.high[0].Lo <= 256 && t.high[0].Hi >= ucd.MaxRune
	return t
}

// setBytes is the memory of a set without its ranges.
const setBytes = 400

// hasHigh reports whether c, above 0xFF, is in the set.
func (t *set) hasHigh(c rune) bool {
	if t.all {
		return true
	}
	h := t.high
	if len(h) <= 8 {
		for i := range h { //meter: at most eight
			if c <= h[i].Hi {
				return c >= h[i].Lo
			}
		}
		return false
	}
	lo, hi := 0, len(h)
	for lo < hi { //meter: a binary search
		mid := int(uint(lo+hi) >> 1)
		if h[mid].Hi < c {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(h) && h[lo].Lo <= c
}

func (t *set) has(c rune) bool {
	if c < 256 {
		return t.latin1[c]
	}
	return t.hasHigh(c)
}

// CompileToCharSet of the escapes, ECMA-262 §22.2.2.9.
var (
	digitRanges = rangeSet{{Lo: '0', Hi: '9'}}
	wordRanges  = rangeSet{{Lo: '0', Hi: '9'}, {Lo: 'A', Hi: 'Z'}, {Lo: '_', Hi: '_'}, {Lo: 'a', Hi: 'z'}}
	// WordCharacters with i and u or v: what folds to a basic word character.
	wordFoldRanges = rangeSet{{Lo: '0', Hi: '9'}, {Lo: 'A', Hi: 'Z'}, {Lo: '_', Hi: '_'}, {Lo: 'a', Hi: 'z'},
		{Lo: 0x17F, Hi: 0x17F}, {Lo: 0x212A, Hi: 0x212A}}
	spaceRanges = rangeSet{{Lo: 9, Hi: 13}, {Lo: ' ', Hi: ' '}, {Lo: 0xA0, Hi: 0xA0}, {Lo: 0x1680, Hi: 0x1680},
		{Lo: 0x2000, Hi: 0x200A}, {Lo: 0x2028, Hi: 0x2029}, {Lo: 0x202F, Hi: 0x202F}, {Lo: 0x205F, Hi: 0x205F},
		{Lo: 0x3000, Hi: 0x3000}, {Lo: 0xFEFF, Hi: 0xFEFF}}
	lineRanges = rangeSet{{Lo: '\n', Hi: '\n'}, {Lo: '\r', Hi: '\r'}, {Lo: 0x2028, Hi: 0x2029}}
	anyRanges  = rangeSet{{Lo: 0, Hi: ucd.MaxRune}}
)

// Sets that most patterns use, built once.
var (
	digitSet     = newSet(digitRanges)
	notDigitSet  = newSet(invert(digitRanges, ucd.MaxRune))
	wordSet      = newSet(wordRanges)
	notWordSet   = newSet(invert(wordRanges, ucd.MaxRune))
	spaceSet     = newSet(spaceRanges)
	notSpaceSet  = newSet(invert(spaceRanges, ucd.MaxRune))
	dotSet       = newSet(invert(lineRanges, ucd.MaxRune))
	anySet       = newSet(anyRanges)
	wordFoldSet  = newSet(wordFoldRanges)
	notFoldWords = newSet(invert(wordFoldRanges, ucd.MaxRune))
)

// classEscape returns the set of d, D, s, S, w or W.
func classEscape(c uint16, fold bool) *set {
	switch c {
	case 'd':
		return digitSet
	case 'D':
		return notDigitSet
	case 's':
		return spaceSet
	case 'S':
		return notSpaceSet
	case 'w':
		if fold {
			return wordFoldSet
		}
		return wordSet
	}
	if fold {
		return notFoldWords
	}
	return notWordSet
}
