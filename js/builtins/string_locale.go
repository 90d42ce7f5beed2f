package builtins

import (
	"cmp"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/vm"
)

// localeCompare orders like the root collation of CLDR does for Latin text:
// punctuation, symbols, digits, letters; then accents; then lower case before
// upper case. Scripts other than Latin are ordered by code point without
// regard to case. Canonically equivalent strings are equal.

// weight is a collation element: what a character counts for at each of the
// three levels, 0 for nothing.
type weight struct {
	primary   uint32
	secondary uint16
	tertiary  uint8
}

const (
	plainSecondary = 1
	plainTertiary  = 1
	upperTertiary  = 2
	otherTertiary  = 3

	symbolPrimary = 0x1000   // plus code point
	digitPrimary  = 0x200000 // plus the digit
	letterPrimary = 0x200100 // a, b, …: each 16 further
	otherPrimary  = 0x201000 // plus code point in lower case
)

// collationSymbols are the characters of Latin-1 that are no letters or digits,
// in their order.
const collationSymbols = "\t\n\v\f\r\u0085 _-,;:!¡?¿.·'\"«»()[]{}§¶@*/\\&#%`´^¯¨¸°©®+±÷×<=>¬|¦~¤¢$£¥"

// collationMarks are the combining marks whose order is not that of their code
// points.
var collationMarks = [...]uint16{0x301, 0x300, 0x306, 0x302, 0x30C, 0x30A, 0x308, 0x30B, 0x303, 0x307, 0x338, 0x327, 0x328, 0x304}

var collationTable = func() (t [256]weight) {
	n := uint32(1)
	for _, r := range collationSymbols {
		t[r] = weight{n, plainSecondary, plainTertiary}
		n++
	}
	t[0xA0] = weight{t[' '].primary, plainSecondary, otherTertiary}
	for c := range uint32(10) {
		t['0'+c] = weight{digitPrimary + c, plainSecondary, plainTertiary}
	}
	t[0xB9] = weight{digitPrimary + 1, plainSecondary, otherTertiary}
	t[0xB2] = weight{digitPrimary + 2, plainSecondary, otherTertiary}
	t[0xB3] = weight{digitPrimary + 3, plainSecondary, otherTertiary}
	for c := range uint32(26) {
		t['a'+c] = weight{letterPrimary + 16*c, plainSecondary, plainTertiary}
		t['A'+c] = weight{letterPrimary + 16*c, plainSecondary, upperTertiary}
	}
	t[0xAA] = weight{t['a'].primary, plainSecondary, otherTertiary}
	t[0xBA] = weight{t['o'].primary, plainSecondary, otherTertiary}
	t[0xFE] = weight{letterPrimary + 16*26, plainSecondary, plainTertiary} // þ
	t[0xDE] = weight{letterPrimary + 16*26, plainSecondary, upperTertiary}
	t[0xB5] = weight{otherPrimary + 0x3BC, plainSecondary, otherTertiary} // µ
	return
}()

// collationExpansion returns what stands for a character that counts as
// several: ligatures, fractions, and letters with a stroke, whose second part
// is the mark U+0338.
func collationExpansion(r uint32) string {
	switch r {
	case 0xE6:
		return "ae"
	case 0xC6:
		return "AE"
	case 0x153:
		return "oe"
	case 0x152:
		return "OE"
	case 0xDF:
		return "ss"
	case 0x1E9E:
		return "SS"
	case 0x133:
		return "ij"
	case 0x132:
		return "IJ"
	case 0xFB00:
		return "ff"
	case 0xFB01:
		return "fi"
	case 0xFB02:
		return "fl"
	case 0xBC:
		return "1\u20444"
	case 0xBD:
		return "1\u20442"
	case 0xBE:
		return "3\u20444"
	case 0xF8:
		return "o\u0338"
	case 0xD8:
		return "O\u0338"
	case 0xF0, 0x111:
		return "d\u0338"
	case 0xD0, 0x110:
		return "D\u0338"
	case 0x142:
		return "l\u0338"
	case 0x141:
		return "L\u0338"
	case 0x127:
		return "h\u0338"
	case 0x126:
		return "H\u0338"
	case 0x167:
		return "t\u0338"
	case 0x166:
		return "T\u0338"
	}
	return ""
}

func within(r, lo, hi uint32) bool { return r-lo <= hi-lo }

// collationWeight returns the weight of a character that is no expansion.
func collationWeight(r uint32) weight {
	switch {
	case r < 256:
		return collationTable[r]
	case within(r, 0x300, 0x36F), within(r, 0x483, 0x489), within(r, 0x591, 0x5BD), within(r, 0x610, 0x61A),
		within(r, 0x64B, 0x65F), within(r, 0x1AB0, 0x1AFF), within(r, 0x1DC0, 0x1DFF), within(r, 0x20D0, 0x20FF),
		r == 0x3099, r == 0x309A, within(r, 0xFE20, 0xFE2F):
		for i, m := range collationMarks {
			if uint32(m) == r {
				return weight{0, uint16(2 + i), plainTertiary}
			}
		}
		return weight{0, uint16(r), plainTertiary}
	case within(r, 0x200B, 0x200F), within(r, 0x202A, 0x202E), within(r, 0x2060, 0x206F), within(r, 0xFE00, 0xFE0F), r == 0xFEFF:
		return weight{}
	case within(r, 0x2000, 0x200A), r == 0x202F, r == 0x205F, r == 0x3000:
		return weight{collationTable[' '].primary, plainSecondary, otherTertiary}
	case within(r, 0x2010, 0x2BFF), within(r, 0x3001, 0x303F), within(r, 0xFE30, 0xFE6F), within(r, 0x1F000, 0x1FAFF):
		return weight{symbolPrimary + r, plainSecondary, plainTertiary}
	case within(r, 0xFF10, 0xFF19):
		return weight{digitPrimary + r - 0xFF10, plainSecondary, otherTertiary}
	case within(r, 0xFF21, 0xFF3A):
		return weight{letterPrimary + 16*(r-0xFF21), plainSecondary, otherTertiary + 1}
	case within(r, 0xFF41, 0xFF5A):
		return weight{letterPrimary + 16*(r-0xFF41), plainSecondary, otherTertiary}
	case within(r, 0x30A1, 0x30F6): // katakana counts as hiragana
		return weight{otherPrimary + r - 0x60, plainSecondary, upperTertiary}
	}
	if l := text.SimpleLower(r); l != r {
		return weight{otherPrimary + l, plainSecondary, upperTertiary}
	}
	return weight{otherPrimary + r, plainSecondary, plainTertiary}
}

// weights goes through the collation elements of a string in NFD.
type weights[C text.Char] struct {
	m    *vm.Machine
	s    []C
	i    int
	rest string // of an expansion
}

// next returns the next weight at a level, 0 at the end.
func (w *weights[C]) next(level int) (uint32, error) {
	for {
		var e weight
		switch {
		case w.rest != "":
			r, n := rune(w.rest[0]), 1
			if r >= 0x80 { // the only characters beyond ASCII there are U+0338 and U+2044
				r, n = 0x338, 2
				if w.rest[0] == 0xE2 {
					r, n = 0x2044, 3
				}
			}
			w.rest = w.rest[n:]
			e = collationWeight(uint32(r))
			if e.tertiary == plainTertiary && e.primary != 0 {
				e.tertiary = otherTertiary
			}
		case w.i >= len(w.s):
			return 0, nil
		default:
			if w.i&1023 == 1023 {
				if err := w.m.Charge(256); err != nil {
					return 0, err
				}
			}
			r := uint32(w.s[w.i])
			w.i++
			if r&0xFC00 == 0xD800 && w.i < len(w.s) && uint32(w.s[w.i])&0xFC00 == 0xDC00 {
				r = text.Pair(uint16(r), uint16(w.s[w.i]))
				w.i++
			}
			if r >= 0x80 {
				if x := collationExpansion(r); x != "" {
					w.rest = x
					continue
				}
			}
			e = collationWeight(r)
		}
		switch level {
		case 0:
			if e.primary != 0 {
				return e.primary, nil
			}
		case 1:
			if e.secondary != 0 {
				return uint32(e.secondary), nil
			}
		default:
			if e.tertiary != 0 {
				return uint32(e.tertiary), nil
			}
		}
	}
}

func compareWeights[A, B text.Char](m *vm.Machine, a []A, b []B) (int, error) {
	for level := range 3 {
		x, y := weights[A]{m: m, s: a}, weights[B]{m: m, s: b}
		for {
			p, err := x.next(level) // charges
			if err != nil {
				return 0, err
			}
			q, err := y.next(level)
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

// compareASCII compares as long as both strings are of visible ASCII. ok is
// false if that doesn't decide.
func compareASCII(m *vm.Machine, a, b []byte) (c int, ok bool, err error) {
	n := min(len(a), len(b))
	for i := range n {
		if i&4095 == 4095 {
			if err := m.Charge(256); err != nil {
				return 0, false, err
			}
		}
		x, y := a[i], b[i]
		if (x|y) >= 0x80 || x < ' ' || y < ' ' {
			return 0, false, nil
		}
		if x == y {
			continue
		}
		p, q := &collationTable[x], &collationTable[y]
		if p.primary != q.primary {
			return cmp.Compare(p.primary, q.primary), p.primary != 0 && q.primary != 0, nil
		}
		if c == 0 {
			c = cmp.Compare(p.tertiary, q.tertiary)
		}
	}
	switch {
	case len(a) > n:
		return 1, a[n] < 0x7F && a[n] >= ' ', nil
	case len(b) > n:
		return -1, b[n] < 0x7F && b[n] >= ' ', nil
	}
	return c, true, nil
}

// compareLocale compares two strings in the order of localeCompare.
func compareLocale(m *vm.Machine, a, b vm.Str) (int, error) {
	if a == b {
		return 0, nil
	}
	ab, au, err := m.H.Units16(a)
	if err != nil {
		return 0, err
	}
	bb, bu, err := m.H.Units16(b)
	if err != nil {
		return 0, err
	}
	if au == nil && bu == nil {
		c, ok, err := compareASCII(m, ab, bb)
		if ok || err != nil {
			return c, err
		}
	}
	if ab, au, err = decomposed(m, ab, au); err != nil {
		return 0, err
	}
	if bb, bu, err = decomposed(m, bb, bu); err != nil {
		return 0, err
	}
	switch {
	case au == nil && bu == nil:
		return compareWeights(m, ab, bb)
	case au == nil:
		return compareWeights(m, ab, bu)
	case bu == nil:
		return compareWeights(m, au, bb)
	}
	return compareWeights(m, au, bu)
}

// decomposed returns the NFD of a string.
func decomposed(m *vm.Machine, b []byte, u []uint16) ([]byte, []uint16, error) {
	var t text.Text
	var changed bool
	var err error
	if u != nil {
		t, changed, err = text.Normalize(m.Meter(), u, text.NFD)
	} else {
		t, changed, err = text.Normalize(m.Meter(), b, text.NFD)
	}
	if err != nil || !changed {
		return b, u, err
	}
	return t.Latin1, t.Wide, nil
}

// stringLocaleCompare is String.prototype.localeCompare (§22.1.3.12).
func stringLocaleCompare(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisString(m, &c, "localeCompare")
	if err != nil {
		return vm.Undefined, err
	}
	t, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	r, err := compareLocale(m, s, t)
	return heap.Int(int32(r)), err
}
