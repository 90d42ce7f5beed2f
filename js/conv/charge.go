package conv

import (
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/meter"
)

// Char is a code unit of a string: a Latin-1 byte or a UTF-16 unit.
type Char interface{ text.Char }

// chunk is how many units a loop handles between two charges.
const chunk = 1 << 16

// charge takes n units of fuel; a nil meter has no end.
//
//meter:charges
func charge(m *meter.Meter, n int) error {
	if m == nil {
		return nil
	}
	return m.Charge(int64(n))
}

// reserve checks that n bytes of temporary memory fit. Small ones pass.
func reserve(m *meter.Meter, n int64) error {
	if m == nil || n < chunk {
		return nil
	}
	if err := m.Grow(n); err != nil {
		return err
	}
	m.Shrink(n)
	return nil
}

// pace is how many units a loop over code units handles between two charges: fewer
// cost nothing, and a script may have as many such texts read as it likes.
const pace = 1 << 10

// tick charges for a loop over code units each time i passes a multiple of pace.
//
//meter:charges
func tick(m *meter.Meter, i int) error {
	if i&(pace-1) == pace-1 && m != nil {
		return m.Charge(pace / 16)
	}
	return nil
}

// skipSpace returns the index of the first unit at or after i that is no white
// space.
func skipSpace[C Char](m *meter.Meter, s []C, i int) (int, error) {
	for i < len(s) && text.IsSpace(uint32(s[i])) {
		if err := tick(m, i); err != nil {
			return 0, err
		}
		i++
	}
	return i, nil
}

// trim returns s without white space at both ends.
func trim[C Char](m *meter.Meter, s []C) ([]C, error) {
	i, err := skipSpace(m, s, 0)
	if err != nil {
		return nil, err
	}
	j := len(s)
	for j > i && text.IsSpace(uint32(s[j-1])) {
		if err := tick(m, j); err != nil {
			return nil, err
		}
		j--
	}
	return s[i:j], nil
}

// digitOf returns the value of c as a digit in radix 36, or 36 and more.
func digitOf(c uint32) uint32 {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|0x20-'a' < 26 && c < 0x80:
		return c | 0x20 - 'a' + 10
	}
	return 99
}
