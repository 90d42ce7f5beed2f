package regex

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// A rangeSet is a set of characters: sorted ranges that don't touch.
type rangeSet []ucd.Range

func normalize(s rangeSet) rangeSet {
	slices.SortFunc(s, func(a, b ucd.Range) int { return int(a.Lo) - int(b.Lo) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

func invert(s rangeSet) rangeSet {
	var out rangeSet
	at := rune(0)
	for _, r := range s {
		if r.Lo > at {
			out = append(out, ucd.Range{Lo: at, Hi: r.Lo - 1})
		}
		at = r.Hi + 1
	}
	if at <= ucd.MaxRune {
		out = append(out, ucd.Range{Lo: at, Hi: ucd.MaxRune})
	}
	return out
}

// A set answers quickly for ASCII.
type set struct {
	low    [2]uint64
	ranges rangeSet
}

func newSet(s rangeSet) *set {
	t := &set{ranges: s}
	for c := rune(0); c < 128; c++ {
		if ucd.In(s, c) {
			t.low[c>>6] |= 1 << (c & 63)
		}
	}
	return t
}

func (t *set) has(c int32) bool {
	if c < 128 {
		return t.low[c>>6]&(1<<(c&63)) != 0
	}
	return ucd.In(t.ranges, c)
}

// CompileToCharSet of the escapes, ECMA-262 §22.2.2.9.
var (
	digitRanges    = rangeSet{{Lo: '0', Hi: '9'}}
	wordRanges     = rangeSet{{Lo: '0', Hi: '9'}, {Lo: 'A', Hi: 'Z'}, {Lo: '_', Hi: '_'}, {Lo: 'a', Hi: 'z'}}
	wordFoldRanges = rangeSet{{Lo: '0', Hi: '9'}, {Lo: 'A', Hi: 'Z'}, {Lo: '_', Hi: '_'}, {Lo: 'a', Hi: 'z'},
		{Lo: 0x17F, Hi: 0x17F}, {Lo: 0x212A, Hi: 0x212A}}
	spaceRanges = rangeSet{{Lo: 9, Hi: 13}, {Lo: ' ', Hi: ' '}, {Lo: 0xA0, Hi: 0xA0}, {Lo: 0x1680, Hi: 0x1680},
		{Lo: 0x2000, Hi: 0x200A}, {Lo: 0x2028, Hi: 0x2029}, {Lo: 0x202F, Hi: 0x202F}, {Lo: 0x205F, Hi: 0x205F},
		{Lo: 0x3000, Hi: 0x3000}, {Lo: 0xFEFF, Hi: 0xFEFF}}
	lineRanges = rangeSet{{Lo: '\n', Hi: '\n'}, {Lo: '\r', Hi: '\r'}, {Lo: 0x2028, Hi: 0x2029}}
)
