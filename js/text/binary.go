package text

import (
	"encoding/base64"
	"errors"

	"github.com/pinfold-js/pinfold/meter"
)

// The SyntaxErrors of Uint8Array's base64 and hex functions.
var (
	ErrBase64Char    = errors.New("Found a character that cannot be part of a valid base64 string.")
	ErrBase64Padding = errors.New("Found padding that is misplaced or incomplete in a base64 string.")
	ErrBase64Partial = errors.New("The base64 input terminates with an incomplete chunk.")
	ErrBase64Bits    = errors.New("The base64 input terminates with non-zero padding bits.")
	ErrHexLength     = errors.New("Input string must contain hex characters in even length")
	ErrHexChar       = errors.New("Input string must contain hex characters in even length")
)

// LastChunk is the lastChunkHandling option of fromBase64.
type LastChunk uint8

// The ways to treat a last chunk of fewer than four characters.
const (
	Loose LastChunk = iota
	Strict
	StopBeforePartial
)

// base64Values maps the characters of both alphabets; the two last ones of
// base64url are told apart by the caller.
var base64Values = func() (t [128]byte) {
	for i := range t {
		t[i] = 0xFF
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") { //meter: a constant of 64 characters
		t[c] = byte(i)
	}
	t['-'], t['_'] = 62, 63
	return
}()

// skipASCIISpace is SkipAsciiWhitespace.
func skipASCIISpace[C Char](m *meter.Meter, s []C, i int) (int, error) {
	for ; i < len(s); i++ {
		switch s[i] {
		case '\t', '\n', '\f', '\r', ' ':
			if err := stride(m, i); err != nil {
				return 0, err
			}
			continue
		}
		break
	}
	return i, nil
}

// FromBase64 is the abstract operation of that name in ECMA-262's text for
// Uint8Array.fromBase64 and setFromBase64: it appends at most max bytes to dst
// (max < 0: no bound) and returns how many units of s they came from. After a
// syntax error, dst still has the bytes before it.
func FromBase64[C Char](m *meter.Meter, dst []byte, s []C, url bool, last LastChunk, max int) (read int, _ []byte, err error) {
	if max == 0 {
		return 0, dst, nil
	}
	room := len(s)/4*3 + 3
	if max > 0 {
		room = min(room, max)
	}
	if dst, err = extend(m, dst, room); err != nil {
		return 0, dst, err
	}
	if err := begin(m, len(s), 8); err != nil {
		return 0, dst, err
	}
	start := len(dst)
	var acc uint32 // the present chunk
	k := 0         // its characters
	for i, next := 0, chunk; ; {
		if i >= next {
			if err := charge(m, chunk/8); err != nil {
				return read, dst, err
			}
			next += chunk
		}
		if i < len(s) && (s[i] == ' ' || uint32(s[i])-9 <= 4) {
			if i, err = skipASCIISpace(m, s, i); err != nil {
				return read, dst, err
			}
		}
		if i == len(s) {
			switch {
			case k == 0:
				return len(s), dst, nil
			case last == StopBeforePartial:
				return read, dst, nil
			case last == Strict || k == 1:
				return read, dst, ErrBase64Partial
			}
			return len(s), finalChunk(dst, acc, k), nil
		}
		c := uint32(s[i])
		i++
		if c == '=' {
			return lastPadded(m, dst, s, i, read, acc, k, last)
		}
		v := byte(0xFF)
		if c < 128 && !(url && (c == '+' || c == '/')) && !(!url && (c == '-' || c == '_')) {
			v = base64Values[c]
		}
		if v == 0xFF {
			return read, dst, ErrBase64Char
		}
		if max > 0 {
			if left := max - (len(dst) - start); left == 1 && k == 2 || left == 2 && k == 3 {
				return read, dst, nil
			}
		}
		acc = acc<<6 | uint32(v)
		if k++; k == 4 {
			dst = append(dst, byte(acc>>16), byte(acc>>8), byte(acc))
			acc, k = 0, 0
			read = i
			if len(dst)-start == max {
				return read, dst, nil
			}
		}
	}
}

// finalChunk appends the one or two bytes of a chunk of two or three
// characters.
func finalChunk(dst []byte, acc uint32, k int) []byte {
	if k == 2 {
		return append(dst, byte(acc>>4))
	}
	return append(dst, byte(acc>>10), byte(acc>>2))
}

// lastPadded handles what follows the first = of the padding.
func lastPadded[C Char](m *meter.Meter, dst []byte, s []C, i, read int, acc uint32, k int, last LastChunk) (int, []byte, error) {
	if k < 2 {
		return read, dst, ErrBase64Padding
	}
	i, err := skipASCIISpace(m, s, i)
	if err != nil {
		return read, dst, err
	}
	if k == 2 {
		if i == len(s) {
			if last == StopBeforePartial {
				return read, dst, nil
			}
			return read, dst, ErrBase64Padding
		}
		if s[i] == '=' {
			if i, err = skipASCIISpace(m, s, i+1); err != nil {
				return read, dst, err
			}
		}
	}
	if i < len(s) {
		return read, dst, ErrBase64Padding
	}
	// Bits that belong to no byte must be zero in strict mode.
	if extra := acc & (1<<(2*(4-k)) - 1); extra != 0 && last == Strict {
		return read, dst, ErrBase64Bits
	}
	return len(s), finalChunk(dst, acc, k), nil
}

// AppendBase64 appends src in base64, as Uint8Array.prototype.toBase64 does.
func AppendBase64(m *meter.Meter, dst, src []byte, url, omitPadding bool) ([]byte, error) {
	enc := base64.StdEncoding
	if url {
		enc = base64.URLEncoding
	}
	if omitPadding {
		enc = enc.WithPadding(base64.NoPadding)
	}
	dst, err := extend(m, dst, enc.EncodedLen(len(src)))
	if err != nil {
		return dst, err
	}
	const step = chunk / 4 * 3 // whole groups of three
	for {
		part := src[:min(len(src), step)]
		if err := charge(m, len(part)/16+1); err != nil {
			return dst, err
		}
		dst = enc.AppendEncode(dst, part)
		if src = src[len(part):]; len(src) == 0 {
			return dst, nil
		}
	}
}

// FromHex is the abstract operation of that name: it appends at most max bytes
// to dst (max < 0: no bound) and returns how many units of s they came from.
// After a syntax error, dst still has the bytes before it.
func FromHex[C Char](m *meter.Meter, dst []byte, s []C, max int) (read int, _ []byte, err error) {
	if len(s)%2 != 0 {
		return 0, dst, ErrHexLength
	}
	n := len(s) / 2
	if max >= 0 {
		n = min(n, max)
	}
	if dst, err = extend(m, dst, n); err != nil {
		return 0, dst, err
	}
	if err := begin(m, 2*n, 16); err != nil {
		return 0, dst, err
	}
	for ; read < 2*n; read += 2 {
		if err := tick(m, read|1); err != nil {
			return read, dst, err
		}
		hi, lo := hexDigit(uint32(s[read])), hexDigit(uint32(s[read+1]))
		if hi|lo > 15 {
			return read, dst, ErrHexChar
		}
		dst = append(dst, byte(hi<<4|lo))
	}
	return read, dst, nil
}

// AppendHex appends src as Uint8Array.prototype.toHex does.
func AppendHex(m *meter.Meter, dst, src []byte) ([]byte, error) {
	dst, err := extend(m, dst, 2*len(src))
	if err != nil {
		return dst, err
	}
	if err := begin(m, len(src), 16); err != nil {
		return dst, err
	}
	for i, c := range src {
		if err := tick(m, i); err != nil {
			return dst, err
		}
		dst = append(dst, hexLow[c>>4], hexLow[c&15])
	}
	return dst, nil
}
