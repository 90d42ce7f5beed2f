package url

import (
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/meter"
)

// A set is a percent-encode set (§1.3). Bytes above 0x7E are in all of them.
type set uint16

const (
	setC0 set = 1 << iota
	setFragment
	setQuery
	setSpecialQuery
	setPath
	setUserinfo
	setForm
	forbiddenHost   // forbidden host code points (§3.2)
	forbiddenDomain // forbidden domain code points
	stopPath        // what ends a path's segment
	stopOpaque      // what ends an opaque path
	stopQuery       // what ends a query
)

// sets says of each ASCII byte which sets have it.
var sets = func() (t [256]set) {
	add := func(s set, chars string) {
		for i := range len(chars) { //meter: a table
			t[chars[i]] |= s
		}
	}
	add(setFragment, " \"<>`")
	add(setQuery|setSpecialQuery, " \"#<>")
	add(setSpecialQuery, "'")
	add(setPath, " \"#<>?`{}")
	add(setUserinfo, " \"#<>?`{}/:;=@[\\]^|")
	add(forbiddenHost, "\x00\t\n\r #/:<>?@[\\]^|")
	add(stopPath, "/\\?#")
	add(stopOpaque, "?#")
	add(stopQuery, "#")
	for c := range t { //meter: a table
		switch {
		case c < 0x20 || c == 0x7F:
			t[c] |= forbiddenDomain
			fallthrough
		case c > 0x7F:
			t[c] |= setC0 | setFragment | setQuery | setSpecialQuery | setPath | setUserinfo | setForm
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("*-._", byte(c)) >= 0:
		default:
			t[c] |= setForm
		}
		if t[c]&forbiddenHost != 0 || c == '%' {
			t[c] |= forbiddenDomain
		}
	}
	return t
}()

const upperHex = "0123456789ABCDEF"

// appendEncoded is UTF-8 percent-encode of text that is UTF-8.
func appendEncoded(dst []byte, s string, in set) []byte {
	from := 0
	for i := range len(s) { //meter: the callers charge by length
		if c := s[i]; sets[c]&in != 0 {
			dst = append(dst, s[from:i]...)
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
			from = i + 1
		}
	}
	return append(dst, s[from:]...)
}

func unhex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// percentDecode is percent-decode (§1.3), and turns + into a space if plus is
// set.
func percentDecode(s string, plus bool) string {
	if strings.IndexByte(s, '%') < 0 && (!plus || strings.IndexByte(s, '+') < 0) {
		return s
	}
	dst := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ { //meter: the callers charge by length
		c := s[i]
		if plus && c == '+' {
			c = ' '
		}
		if c == '%' && i+2 < len(s) {
			hi, ok := unhex(s[i+1])
			lo, ok2 := unhex(s[i+2])
			if ok && ok2 {
				c = hi<<4 | lo
				i += 2
			}
		}
		dst = append(dst, c)
	}
	return string(dst)
}

// decodeUTF8 is UTF-8 decode without BOM: what is invalid becomes U+FFFD, as
// the Encoding Standard divides it.
func decodeUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	dst := make([]byte, 0, len(s)+len(s)/2)
	for len(s) > 0 { //meter: the callers charge by length
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			n = InvalidPrefix(s)
		}
		dst = utf8.AppendRune(dst, r)
		s = s[n:]
	}
	return string(dst)
}

// InvalidPrefix returns how many bytes of s, which does not begin with a
// character, become one U+FFFD: the longest beginning of a character, or one.
func InvalidPrefix[S ~string | ~[]byte](s S) int {
	need, lo, hi := 0, byte(0x80), byte(0xBF)
	switch c := s[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(s) && s[n] >= lo && s[n] <= hi { //meter: at most three
		lo, hi = 0x80, 0xBF
		n++
	}
	return n
}

// ParseForm is the application/x-www-form-urlencoded parser (§5.1): it calls
// add with every pair. The error is add's or the meter's.
func ParseForm(m *meter.Meter, s string, add func(name, value string) error) error {
	for len(s) > 0 {
		part := s
		if i := strings.IndexByte(s, '&'); i >= 0 {
			part, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if m != nil {
			if err := m.Charge(int64(len(part)/4) + 8); err != nil {
				return err
			}
		}
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if err := add(decodeUTF8(percentDecode(name, true)), decodeUTF8(percentDecode(value, true))); err != nil {
			return err
		}
	}
	return nil
}

// AppendForm appends a name or a value as the
// application/x-www-form-urlencoded serializer (§5.2) does.
func AppendForm(dst []byte, s string) []byte {
	for i := range len(s) { //meter: the callers charge by length
		switch c := s[i]; {
		case c == ' ':
			dst = append(dst, '+')
		case sets[c]&setForm != 0:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
