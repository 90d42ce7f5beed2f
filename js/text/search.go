package text

import (
	"bytes"
	"cmp"

	"github.com/pinfold-js/pinfold/meter"
)

// shortNeedle is the length up to which a needle is looked for by its first
// unit; a longer one by the two-way algorithm, which is linear.
const shortNeedle = 16

// Index returns the least index ≥ from at which needle occurs in hay, or -1
// (StringIndexOf, §6.1.4.1). 0 ≤ from ≤ len(hay). The time is linear in the
// lengths.
func Index[H, N Char](m *meter.Meter, hay []H, needle []N, from int) (int, error) {
	k := len(needle)
	if err := charge(m, k/16+1); err != nil {
		return 0, err
	}
	switch {
	case k == 0:
		return from, nil
	case len(hay)-from < k:
		return -1, nil
	}
	if hb, ok := any(hay).([]byte); ok && k <= shortNeedle {
		var buf [shortNeedle]byte
		for i, c := range needle { //meter: at most shortNeedle
			if uint32(c) > 0xFF {
				return -1, nil
			}
			buf[i] = byte(c)
		}
		return indexBytes(m, hb, buf[:k], from)
	}
	if k <= shortNeedle {
		return indexShort(m, hay, needle, from)
	}
	t := newTwoWay(hay[from:], needle, false)
	i, err := t.find(m)
	if i >= 0 {
		i += from
	}
	return i, err
}

// indexBytes looks chunk by chunk.
func indexBytes(m *meter.Meter, hay, needle []byte, from int) (int, error) {
	for {
		end := min(from+chunk, len(hay))
		part := hay[from:min(end+len(needle)-1, len(hay))]
		var i int
		if len(needle) == 1 {
			i = bytes.IndexByte(part, needle[0])
		} else {
			i = bytes.Index(part, needle)
		}
		done := end - from
		if i >= 0 {
			done = i
		}
		if err := charge(m, done/32); err != nil {
			return 0, err
		}
		switch {
		case i >= 0:
			return from + i, nil
		case end == len(hay):
			return -1, nil
		}
		from = end
	}
}

// indexShort compares at most shortNeedle units at each place.
func indexShort[H, N Char](m *meter.Meter, hay []H, needle []N, from int) (int, error) {
	first := uint32(needle[0])
	last := len(hay) - len(needle)
	rest := needle[1:]
	for from <= last {
		end := min(from+chunk/8, last+1)
	places:
		for i, c := range hay[from:end] {
			if uint32(c) != first {
				continue
			}
			at := hay[from+i+1:]
			for j, d := range rest { //meter: shorter than shortNeedle
				if uint32(at[j]) != uint32(d) {
					continue places
				}
			}
			return from + i, charge(m, i/16)
		}
		if err := charge(m, (end-from)/8); err != nil {
			return 0, err
		}
		from = end
	}
	return -1, nil
}

// LastIndex returns the greatest index ≤ from at which needle occurs in hay, or
// -1 (StringLastIndexOf, §6.1.4.2).
func LastIndex[H, N Char](m *meter.Meter, hay []H, needle []N, from int) (int, error) {
	k := len(needle)
	if err := charge(m, k/16+1); err != nil {
		return 0, err
	}
	from = min(from, len(hay)-k)
	if from < 0 {
		return -1, nil
	}
	if k == 0 {
		return from, nil
	}
	if k <= shortNeedle {
		first := uint32(needle[0])
	places:
		for i := from; i >= 0; i-- {
			if i&(chunk/8-1) == 0 {
				if err := charge(m, min(from-i, chunk/8)/8); err != nil {
					return 0, err
				}
			}
			if uint32(hay[i]) != first {
				continue
			}
			for j := 1; j < k; j++ { //meter: shorter than shortNeedle
				if uint32(hay[i+j]) != uint32(needle[j]) {
					continue places
				}
			}
			return i, nil
		}
		return -1, nil
	}
	t := newTwoWay(hay[:from+k], needle, true)
	i, err := t.find(m)
	if i >= 0 {
		i = from - i
	}
	return i, err
}

// twoWay is a search by the two-way algorithm of Crochemore and Perrin. With
// back, both strings are read from their ends.
type twoWay[H, N Char] struct {
	hay    []H
	needle []N
	back   bool
	cut    int        // the needle's critical position
	period int        // of the needle's right part
	skip   [256]int32 // by the last unit's low byte: how far the needle may move
}

func newTwoWay[H, N Char](hay []H, needle []N, back bool) *twoWay[H, N] {
	return &twoWay[H, N]{hay: hay, needle: needle, back: back}
}

func (t *twoWay[H, N]) h(i int) uint32 {
	if t.back {
		i = len(t.hay) - 1 - i
	}
	return uint32(t.hay[i])
}

func (t *twoWay[H, N]) n(i int) uint32 {
	if t.back {
		i = len(t.needle) - 1 - i
	}
	return uint32(t.needle[i])
}

// maxSuffix returns where the needle's greatest suffix begins, less one, and
// its period, under the order of units or its reverse.
func (t *twoWay[H, N]) maxSuffix(m *meter.Meter, reverse bool) (at, period int, err error) {
	k := len(t.needle)
	at = -1
	j, step := 0, 1
	period = 1
	for work := 0; j+step < k; work++ {
		if err := stride(m, work); err != nil {
			return 0, 0, err
		}
		a, b := t.n(j+step), t.n(at+step)
		if reverse {
			a, b = b, a
		}
		switch {
		case a < b:
			j += step
			step = 1
			period = j - at
		case a > b:
			at = j
			j = at + 1
			step, period = 1, 1
		case step == period:
			j += period
			step = 1
		default:
			step++
		}
	}
	return at, period, nil
}

// prepare finds the critical position and fills the skip table. It says
// whether the whole needle has the period.
func (t *twoWay[H, N]) prepare(m *meter.Meter) (periodic bool, err error) {
	k := len(t.needle)
	a, p, err := t.maxSuffix(m, false)
	if err != nil {
		return false, err
	}
	b, q, err := t.maxSuffix(m, true)
	if err != nil {
		return false, err
	}
	if b > a {
		a, p = b, q
	}
	t.cut, t.period = a+1, p
	periodic = t.cut+p <= k
	for i := 0; i < t.cut && periodic; i++ {
		if err := stride(m, i); err != nil {
			return false, err
		}
		periodic = t.n(i) == t.n(i+p)
	}
	if !periodic {
		t.period = max(t.cut, k-t.cut) + 1
		for i := range t.skip {
			t.skip[i] = int32(min(k, 1<<30))
		}
		for i := range k {
			if err := stride(m, i); err != nil {
				return false, err
			}
			t.skip[t.n(i)&0xFF] = int32(min(k-1-i, 1<<30))
		}
	}
	return periodic, nil
}

// find returns the first match, counted in the direction of reading, or -1.
func (t *twoWay[H, N]) find(m *meter.Meter) (int, error) {
	periodic, err := t.prepare(m)
	if err != nil {
		return 0, err
	}
	k, n := len(t.needle), len(t.hay)
	work := 0
	known := 0 // units at the needle's start that are known to match
	for j := 0; j <= n-k; {
		if work >= chunk/4 {
			if err := charge(m, chunk/32); err != nil {
				return 0, err
			}
			work = 0
		}
		work++
		if !periodic {
			if s := int(t.skip[t.h(j+k-1)&0xFF]); s > 0 {
				j += s
				continue
			}
		}
		i := max(t.cut, known)
		start := i
		for i < k && t.n(i) == t.h(j+i) {
			if i-start > chunk { // very long needles
				start = i
				if err := charge(m, chunk/8); err != nil {
					return 0, err
				}
			}
			i++
		}
		work += i - start
		if i < k {
			j += i - t.cut + 1
			known = 0
			continue
		}
		i = t.cut - 1
		start = i
		for i >= known && t.n(i) == t.h(j+i) {
			if start-i > chunk {
				start = i
				if err := charge(m, chunk/8); err != nil {
					return 0, err
				}
			}
			i--
		}
		work += start - i
		if i < known {
			return j, charge(m, work/8)
		}
		j += t.period
		if periodic {
			known = k - t.period
		}
	}
	return -1, charge(m, work/8)
}

// HasPrefixAt says whether needle occurs in hay at index at.
func HasPrefixAt[H, N Char](m *meter.Meter, hay []H, needle []N, at int) (bool, error) {
	if at < 0 || len(hay)-at < len(needle) {
		return false, nil
	}
	return Equal(m, hay[at:at+len(needle)], needle)
}

// Equal says whether a and b have the same units.
func Equal[A, B Char](m *meter.Meter, a []A, b []B) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	c, err := Compare(m, a, b)
	return c == 0, err
}

// Compare orders by code units (IsLessThan, §7.2.12): -1, 0 or 1.
func Compare[A, B Char](m *meter.Meter, a []A, b []B) (int, error) {
	if x, ok := any(a).([]byte); ok {
		if y, ok := any(b).([]byte); ok {
			return compareBytes(m, x, y)
		}
	}
	n := min(len(a), len(b))
	for i := 0; i < n; {
		end := min(i+chunk, n)
		x, y := a[i:end], b[i:end]
		for j, c := range x {
			if d := y[j]; uint32(c) != uint32(d) {
				return cmp.Compare(uint32(c), uint32(d)), charge(m, j/16)
			}
		}
		if err := charge(m, (end-i)/16); err != nil {
			return 0, err
		}
		i = end
	}
	return cmp.Compare(len(a), len(b)), nil
}

func compareBytes(m *meter.Meter, a, b []byte) (int, error) {
	for len(a) > chunk && len(b) > chunk {
		if c := bytes.Compare(a[:chunk], b[:chunk]); c != 0 {
			return c, nil
		}
		if err := charge(m, chunk/64); err != nil {
			return 0, err
		}
		a, b = a[chunk:], b[chunk:]
	}
	c := bytes.Compare(a[:min(len(a), chunk)], b[:min(len(b), chunk)])
	if c == 0 {
		c = cmp.Compare(len(a), len(b))
	}
	return c, charge(m, min(len(a), len(b), chunk)/64)
}
