package text

import "github.com/pinfold-js/pinfold/meter"

// bytesLike is UTF-8 as a slice or a string.
type bytesLike interface{ ~[]byte | ~string }

// AppendUTF8Latin1 appends Latin-1 text as UTF-8.
func AppendUTF8Latin1(m *meter.Meter, dst, s []byte) ([]byte, error) {
	if err := begin(m, len(s), 16); err != nil {
		return dst, err
	}
	for len(s) > 0 {
		part := s[:min(len(s), chunk)]
		s = s[len(part):]
		if len(part) == chunk {
			if err := charge(m, chunk/16); err != nil {
				return dst, err
			}
		}
		high := countHigh(part)
		var err error
		if dst, err = extendBy(m, dst, len(part)+high, len(s)); err != nil {
			return dst, err
		}
		if high == 0 {
			dst = append(dst, part...)
			continue
		}
		for _, c := range part { //meter: one chunk, charged above
			if c < 0x80 {
				dst = append(dst, c)
			} else {
				dst = append(dst, 0xC0|c>>6, 0x80|c&0x3F)
			}
		}
	}
	return dst, nil
}

// extendBy gives dst room for n more bytes, and for more to come.
func extendBy(m *meter.Meter, dst []byte, n, more int) ([]byte, error) {
	if cap(dst)-len(dst) >= n {
		return dst, nil
	}
	return extend(m, dst, max(n+more, min(len(dst)/2, 1<<26)))
}

// AppendWTF8 appends UTF-16 text as WTF-8: UTF-8 in which a lone surrogate has
// the three bytes that its code point would have.
func AppendWTF8(m *meter.Meter, dst []byte, s []uint16) ([]byte, error) {
	if err := begin(m, len(s), 16); err != nil {
		return dst, err
	}
	for i, next := 0, 0; i < len(s); {
		if i >= next {
			if err := charge(m, min(len(s)-i, chunk)/16); err != nil {
				return dst, err
			}
			next += chunk
			var err error
			if dst, err = extendBy(m, dst, 3*min(len(s)-i, chunk+2), 0); err != nil {
				return dst, err
			}
		}
		r, n := CodePointAt(s, i)
		dst = appendWTF8(dst, r)
		i += n
	}
	return dst, nil
}

func appendWTF8(dst []byte, r uint32) []byte {
	switch {
	case r < 0x80:
		return append(dst, byte(r))
	case r < 0x800:
		return append(dst, byte(0xC0|r>>6), byte(0x80|r&0x3F))
	case r < 0x10000:
		return append(dst, byte(0xE0|r>>12), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return append(dst, byte(0xF0|r>>18), byte(0x80|r>>12&0x3F), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
}

// decode reads one code point of UTF-8 at i. If the bytes are ill-formed, ok is
// false, r is U+FFFD and n is how many bytes one replacement stands for (the
// maximal subpart, as the Encoding standard says). With surrogates, the three
// bytes of a surrogate are read as it.
func decode[B bytesLike](s B, i int, surrogates bool) (r uint32, n int, ok bool) {
	c := uint32(s[i])
	lo, hi := uint32(0x80), uint32(0xBF)
	need := 0
	switch {
	case c < 0x80:
		return c, 1, true
	case c < 0xC2:
		return 0xFFFD, 1, false
	case c < 0xE0:
		need, r = 1, c&0x1F
	case c < 0xF0:
		need, r = 2, c&0xF
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED && !surrogates {
			hi = 0x9F
		}
	case c < 0xF5:
		need, r = 3, c&7
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	default:
		return 0xFFFD, 1, false
	}
	n = 1
	for ; need > 0; need-- { //meter: at most 3
		if i+n >= len(s) {
			return 0xFFFD, n, false
		}
		c := uint32(s[i+n])
		if c < lo || c > hi {
			return 0xFFFD, n, false
		}
		lo, hi = 0x80, 0xBF
		r = r<<6 | c&0x3F
		n++
	}
	return r, n, true
}

// DecodeWTF8 returns WTF-8 as a Text. Other ill-formed bytes become U+FFFD.
func DecodeWTF8[B bytesLike](m *meter.Meter, s B) (Text, error) {
	t, _, err := decodeAll(m, s, true)
	return t, err
}

// DecodeUTF8 returns UTF-8 as a Text. Ill-formed bytes, surrogates among them,
// become U+FFFD; valid says that there were none.
func DecodeUTF8[B bytesLike](m *meter.Meter, s B) (t Text, valid bool, err error) {
	return decodeAll(m, s, false)
}

func decodeAll[B bytesLike](m *meter.Meter, s B, surrogates bool) (t Text, valid bool, err error) {
	if err := begin(m, len(s), 8); err != nil {
		return Text{}, false, err
	}
	// First how long and how wide, then the units.
	units := 0
	wide := false
	valid = true
	for i, next := 0, chunk; i < len(s); units++ {
		if i >= next {
			if err := charge(m, chunk/8); err != nil {
				return Text{}, false, err
			}
			next += chunk
		}
		if s[i] < 0x80 {
			i++
			continue
		}
		r, n, ok := decode(s, i, surrogates)
		i += n
		valid = valid && ok
		if r > 0xFF {
			wide = true
			if r > 0xFFFF {
				units++
			}
		}
	}
	if !wide {
		out, err := extend[byte](m, nil, units)
		if err != nil {
			return Text{}, false, err
		}
		if units == len(s) {
			return Text{Latin1: append(out, s...)}, valid, nil
		}
		for i := 0; i < len(s); {
			if err := tick(m, len(out)); err != nil {
				return Text{}, false, err
			}
			r, n, _ := decode(s, i, surrogates)
			out = append(out, byte(r))
			i += n
		}
		return Text{Latin1: out}, valid, nil
	}
	out, err := extend[uint16](m, nil, units)
	if err != nil {
		return Text{}, false, err
	}
	for i, next := 0, chunk; i < len(s); {
		if i >= next {
			if err := charge(m, 1); err != nil {
				return Text{}, false, err
			}
			next += chunk
		}
		if c := s[i]; c < 0x80 {
			out = append(out, uint16(c))
			i++
			continue
		}
		r, n, _ := decode(s, i, surrogates)
		out = AppendCodePoint(out, r)
		i += n
	}
	return Text{Wide: out}, valid, nil
}
