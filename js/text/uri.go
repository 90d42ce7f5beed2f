package text

import (
	"errors"

	"github.com/pinfold-js/pinfold/meter"
)

// ErrURI is the URIError of §19.2.6.
var ErrURI = errors.New("URI malformed")

const (
	alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	hexUp = "0123456789ABCDEF"
)

// asciiSet is a set of ASCII characters.
type asciiSet [2]uint64

func newSet(s string) (t asciiSet) {
	for _, c := range []byte(s) { //meter: a constant
		t[c>>6] |= 1 << (c & 63)
	}
	return
}

func (t *asciiSet) has(c uint32) bool { return c < 128 && t[c>>6]>>(c&63)&1 != 0 }

// The sets of §19.2.6.1 to §19.2.6.4 and of escape (§B.2.1.1).
var (
	uriComponentSet = newSet(alnum + "-_.!~*'()")
	uriSet          = newSet(alnum + "-_.!~*'();/?:@&=+$,#")
	uriReserved     = newSet(";/?:@&=+$,#")
	escapeSet       = newSet(alnum + "@*_+-./")
)

// EncodeURI appends encodeURI(s), or encodeURIComponent(s) with component
// (Encode, §19.2.6.5). The error is ErrURI or the meter's.
func EncodeURI[C Char](m *meter.Meter, dst []byte, s []C, component bool) ([]byte, error) {
	set := &uriSet
	if component {
		set = &uriComponentSet
	}
	return encodeWith(m, dst, s, func(dst []byte, i int) ([]byte, int, error) {
		c := uint32(s[i])
		if set.has(c) {
			return append(dst, byte(c)), 1, nil
		}
		n := 1
		if c&0xF800 == 0xD800 {
			if c >= 0xDC00 || i+1 >= len(s) || uint32(s[i+1])&0xFC00 != 0xDC00 {
				return dst, 0, ErrURI
			}
			c = Pair(uint16(c), uint16(s[i+1]))
			n = 2
		}
		var buf [4]byte
		for _, b := range appendWTF8(buf[:0], c) { //meter: at most 4 bytes
			dst = append(dst, '%', hexUp[b>>4], hexUp[b&15])
		}
		return dst, n, nil
	})
}

// Escape appends escape(s) (§B.2.1.1).
func Escape[C Char](m *meter.Meter, dst []byte, s []C) ([]byte, error) {
	return encodeWith(m, dst, s, func(dst []byte, i int) ([]byte, int, error) {
		c := uint32(s[i])
		switch {
		case escapeSet.has(c):
			return append(dst, byte(c)), 1, nil
		case c < 256:
			return append(dst, '%', hexUp[c>>4], hexUp[c&15]), 1, nil
		}
		return append(dst, '%', 'u', hexUp[c>>12], hexUp[c>>8&15], hexUp[c>>4&15], hexUp[c&15]), 1, nil
	})
}

// encodeWith calls one for each unit that it has not taken yet; one appends at
// most twelve bytes.
func encodeWith[C Char](m *meter.Meter, dst []byte, s []C, one func(dst []byte, i int) ([]byte, int, error)) ([]byte, error) {
	const step = chunk / 16
	for i, next := 0, 0; i < len(s); {
		if i >= next {
			k := min(len(s)-i, step)
			if err := charge(m, k/8+1); err != nil {
				return dst, err
			}
			next += step
			var err error
			if dst, err = extendBy(m, dst, min(12*k, k+k/2+64), 0); err != nil {
				return dst, err
			}
		}
		if cap(dst)-len(dst) < 12 {
			var err error
			if dst, err = extendBy(m, dst, 12*min(len(s)-i, step), 0); err != nil {
				return dst, err
			}
		}
		d, n, err := one(dst, i)
		if err != nil {
			return dst, err
		}
		dst = d
		i += n
	}
	return dst, nil
}

// hexAt returns the value of n hex digits at i, or -1.
func hexAt[C Char](s []C, i, n int) int {
	if len(s)-i < n {
		return -1
	}
	v := 0
	for _, c := range s[i : i+n] { //meter: n is 2 or 4
		d := hexDigit(uint32(c))
		if d > 15 {
			return -1
		}
		v = v<<4 | int(d)
	}
	return v
}

func hexDigit(c uint32) uint32 {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|0x20-'a' < 6 && c < 0x80:
		return c | 0x20 - 'a' + 10
	}
	return 99
}

// DecodeURI is decodeURI(s), or decodeURIComponent(s) with component (Decode,
// §19.2.6.6). The error is ErrURI or the meter's.
func DecodeURI[C Char](m *meter.Meter, s []C, component bool) (Text, error) {
	if err := begin(m, len(s), 8); err != nil {
		return Text{}, err
	}
	b := NewBuilder(m, len(s))
	for i, next := 0, chunk; i < len(s); {
		if i >= next {
			if err := charge(m, chunk/8); err != nil {
				return Text{}, err
			}
			next += chunk
		}
		if s[i] != '%' {
			b.Unit(uint16(s[i]))
			i++
			continue
		}
		var buf [4]byte
		v := hexAt(s, i+1, 2)
		n := 1
		switch {
		case v < 0, v >= 0x80 && v < 0xC2, v >= 0xF5:
			return b.fail()
		case v >= 0xF0:
			n = 4
		case v >= 0xE0:
			n = 3
		case v >= 0xC0:
			n = 2
		}
		buf[0] = byte(v)
		for j := 1; j < n; j++ { //meter: at most 3
			k := i + 3*j
			if k >= len(s) || s[k] != '%' {
				return b.fail()
			}
			if v = hexAt(s, k+1, 2); v < 0 {
				return b.fail()
			}
			buf[j] = byte(v)
		}
		r, k, ok := decode(buf[:n], 0, false)
		if !ok || k != n {
			return b.fail()
		}
		if !component && uriReserved.has(r) {
			for _, c := range s[i : i+3] { //meter: three
				b.Unit(uint16(c))
			}
		} else {
			b.Rune(r)
		}
		i += 3 * n
	}
	return b.Text()
}

// fail drops what was built and returns ErrURI.
func (b *Builder) fail() (Text, error) {
	_, err := b.Text()
	if err == nil {
		err = ErrURI
	}
	return Text{}, err
}

// Unescape is unescape(s) (§B.2.1.2).
func Unescape[C Char](m *meter.Meter, s []C) (Text, error) {
	if err := begin(m, len(s), 8); err != nil {
		return Text{}, err
	}
	b := NewBuilder(m, len(s))
	for i, next := 0, chunk; i < len(s); {
		if i >= next {
			if err := charge(m, chunk/8); err != nil {
				return Text{}, err
			}
			next += chunk
		}
		if s[i] == '%' {
			if i+1 < len(s) && s[i+1] == 'u' {
				if v := hexAt(s, i+2, 4); v >= 0 {
					b.Unit(uint16(v))
					i += 6
					continue
				}
			} else if v := hexAt(s, i+1, 2); v >= 0 {
				b.Unit(uint16(v))
				i += 3
				continue
			}
		}
		b.Unit(uint16(s[i]))
		i++
	}
	return b.Text()
}
