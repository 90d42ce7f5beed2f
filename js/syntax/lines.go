package syntax

import (
	"sort"
	"unicode/utf8"
)

// Position is a place in a text. Line and the columns count from 1.
type Position struct {
	Line        int
	ByteColumn  int
	RuneColumn  int
	UTF16Column int
}

// LineTable finds lines and columns of byte offsets. Lines end at LF, CR, CRLF,
// U+2028 and U+2029 (12.3).
type LineTable struct {
	src    string
	starts []int32
	marks  []mark // of long lines
}

// A mark says how many characters and UTF-16 units of its line are in front of
// an offset.
type mark struct{ off, runes, units int32 }

// markStep is how many bytes of a long line are between two marks.
const markStep = 1024

// NewLineTable builds the table of a source text.
func NewLineTable(src string) *LineTable {
	t := &LineTable{src: src, starts: []int32{0}}
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\n':
			t.starts = append(t.starts, int32(i+1))
		case c == '\r':
			if i+1 < len(src) && src[i+1] == '\n' {
				i++
			}
			t.starts = append(t.starts, int32(i+1))
		case c == 0xE2 && isLineSeparator(src, i):
			i += 2
			t.starts = append(t.starts, int32(i+1))
		}
	}
	for i, start := range t.starts {
		end := int32(len(src))
		if i+1 < len(t.starts) {
			end = t.starts[i+1]
		}
		m := mark{off: start}
		for end-m.off > 2*markStep {
			m = t.skip(m, m.off+markStep)
			t.marks = append(t.marks, m)
		}
	}
	return t
}

// skip goes on from a mark to an offset.
func (t *LineTable) skip(m mark, off int32) mark {
	for m.off < off {
		_, n := decodeWTF8(t.src[m.off:])
		m.off += int32(n)
		m.runes++
		m.units++
		if n == 4 {
			m.units++
		}
	}
	return m
}

// isLineSeparator reports U+2028 or U+2029 at i.
func isLineSeparator(src string, i int) bool {
	return i+2 < len(src) && src[i] == 0xE2 && src[i+1] == 0x80 && src[i+2]&^1 == 0xA8
}

// Count returns the number of lines.
func (t *LineTable) Count() int { return len(t.starts) }

// LineOf returns the line of an offset, from 1.
func (t *LineTable) LineOf(off int32) int {
	return sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > off })
}

// Position returns the place of an offset; offsets outside of the text are
// moved to its ends.
func (t *LineTable) Position(off int32) Position {
	off = max(0, min(off, int32(len(t.src))))
	line := t.LineOf(off)
	start := t.starts[line-1]
	m := mark{off: start}
	if off-start > markStep {
		if i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].off > off }); i > 0 && t.marks[i-1].off > start {
			m = t.marks[i-1]
		}
	}
	m = t.skip(m, off)
	return Position{Line: line, ByteColumn: int(off-start) + 1, RuneColumn: int(m.runes) + 1, UTF16Column: int(m.units) + 1}
}

// Line returns the text of a line (from 1) without its terminator.
func (t *LineTable) Line(line int) string {
	if line < 1 || line > len(t.starts) {
		return ""
	}
	start, end := int(t.starts[line-1]), len(t.src)
	if line < len(t.starts) {
		end = int(t.starts[line])
	}
	s := t.src[start:end]
	for len(s) > 0 {
		if c := s[len(s)-1]; c == '\n' || c == '\r' {
			s = s[:len(s)-1]
			continue
		}
		if len(s) >= 3 && isLineSeparator(s, len(s)-3) {
			s = s[:len(s)-3]
			continue
		}
		break
	}
	return s
}

// decodeWTF8 reads one code point of generalised UTF-8: as utf8.DecodeRune, but
// a lone surrogate in three bytes is that surrogate. A byte that fits nothing
// is utf8.RuneError with length 1.
func decodeWTF8(s string) (rune, int) {
	if len(s) == 0 {
		return utf8.RuneError, 0
	}
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	if s[0] == 0xED && len(s) >= 3 && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}
