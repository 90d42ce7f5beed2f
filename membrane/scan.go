package membrane

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// scanner reads JSON text (RFC 8259). Strings come out as WTF-8: a \u escape
// of a lone surrogate becomes its three bytes.
type scanner struct {
	src string
	pos int
}

func (s *scanner) fail(format string, args ...any) error {
	line, col := 1, 1
	for _, c := range s.src[:min(s.pos, len(s.src))] { //meter: once, by the length of the text
		if col++; c == '\n' {
			line, col = line+1, 1
		}
	}
	return &SyntaxError{Message: fmt.Sprintf(format, args...), Line: line, Column: col}
}

// SyntaxError says where a text isn't JSON.
type SyntaxError struct {
	Message      string
	Line, Column int // from 1; columns in characters
}

// Error returns the message with its place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON: %s at line %d, column %d", e.Message, e.Line, e.Column)
}

func (s *scanner) space() {
	for s.pos < len(s.src) { //meter: the text's length is charged by its reader
		switch s.src[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// unexpected is the error of the byte at pos.
func (s *scanner) unexpected() error {
	if s.pos >= len(s.src) {
		return s.fail("unexpected end")
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return s.fail("unexpected %q", r)
}

func (s *scanner) expect(c byte) error {
	if s.peek() != c {
		return s.unexpected()
	}
	s.pos++
	return nil
}

func (s *scanner) word(w string) error {
	if len(s.src)-s.pos < len(w) || s.src[s.pos:s.pos+len(w)] != w {
		return s.unexpected()
	}
	s.pos += len(w)
	return nil
}

// number reads a number.
func (s *scanner) number() (float64, error) {
	start := s.pos
	digits := func() bool {
		from := s.pos
		for s.pos < len(s.src) && s.src[s.pos]-'0' <= 9 { //meter: as space
			s.pos++
		}
		return s.pos > from
	}
	at := func(c byte) bool {
		if s.pos < len(s.src) && s.src[s.pos] == c {
			s.pos++
			return true
		}
		return false
	}
	at('-')
	first := s.pos
	if !digits() || s.src[first] == '0' && s.pos > first+1 {
		if s.pos > first {
			s.pos = first + 1
		}
		return 0, s.unexpected()
	}
	if n := s.pos - start; n < 10 && (s.pos == len(s.src) || s.src[s.pos] != '.' && s.src[s.pos]|0x20 != 'e') {
		i, neg := 0, false
		for _, c := range s.src[start:s.pos] { //meter: at most nine
			if c == '-' {
				neg = true
				continue
			}
			i = i*10 + int(c-'0')
		}
		if !neg {
			return float64(i), nil
		} else if i != 0 {
			return float64(-i), nil
		}
	}
	if at('.') && !digits() {
		return 0, s.unexpected()
	}
	if at('e') || at('E') {
		if !at('+') {
			at('-')
		}
		if !digits() {
			return 0, s.unexpected()
		}
	}
	f, err := strconv.ParseFloat(s.src[start:s.pos], 64)
	if err != nil && f == 0 {
		return 0, s.fail("%q is not a number", s.src[start:s.pos])
	}
	return f, nil
}

// string reads a string, whose opening quote is next.
func (s *scanner) string() (string, error) {
	if err := s.expect('"'); err != nil {
		return "", err
	}
	start := s.pos
	for s.pos < len(s.src) { //meter: as space
		c := s.src[s.pos]
		if c == '"' {
			s.pos++
			return valid(s.src[start : s.pos-1]), nil
		}
		if c == '\\' {
			return s.escaped(start)
		}
		if c < ' ' {
			return "", s.fail("a control character in a string")
		}
		s.pos++
	}
	return "", s.unexpected()
}

// valid replaces what isn't UTF-8: the WTF-8 decoder of the heap would take
// surrogates that stand there as bytes.
func valid(str string) string {
	if utf8.ValidString(str) {
		return str
	}
	return toValid(str)
}

// escaped goes on reading a string at its first backslash.
func (s *scanner) escaped(start int) (string, error) {
	out := append(make([]byte, 0, s.pos-start+32), valid(s.src[start:s.pos])...) //meter: as long as what was read
	lead := rune(0)                                                              // a high surrogate that waits for its other half
	flush := func() {
		if lead != 0 {
			out = appendSurrogate(out, lead)
			lead = 0
		}
	}
	for s.pos < len(s.src) { //meter: as space
		c := s.src[s.pos]
		switch {
		case c == '"':
			s.pos++
			flush()
			return string(out), nil
		case c < ' ':
			return "", s.fail("a control character in a string")
		case c != '\\':
			flush()
			_, n := utf8.DecodeRuneInString(s.src[s.pos:])
			if n == 1 && c >= utf8.RuneSelf {
				out = utf8.AppendRune(out, utf8.RuneError)
			} else {
				out = append(out, s.src[s.pos:s.pos+n]...)
			}
			s.pos += n
			continue
		}
		if s.pos+1 >= len(s.src) {
			s.pos = len(s.src)
			break
		}
		e := s.src[s.pos+1]
		if e == 'u' {
			u, err := s.hex4(s.pos + 2)
			if err != nil {
				return "", err
			}
			s.pos += 6
			switch {
			case u&0xFC00 == 0xD800:
				flush()
				lead = u
			case u&0xFC00 == 0xDC00 && lead != 0:
				out = utf8.AppendRune(out, (lead-0xD800)<<10+(u-0xDC00)+0x10000)
				lead = 0
			case u&0xFC00 == 0xDC00:
				out = appendSurrogate(out, u)
			default:
				flush()
				out = utf8.AppendRune(out, u)
			}
			continue
		}
		flush()
		switch e {
		case '"', '\\', '/':
		case 'b':
			e = '\b'
		case 'f':
			e = '\f'
		case 'n':
			e = '\n'
		case 'r':
			e = '\r'
		case 't':
			e = '\t'
		default:
			return "", s.fail("an unknown escape in a string")
		}
		out = append(out, e)
		s.pos += 2
	}
	return "", s.unexpected()
}

func (s *scanner) hex4(at int) (rune, error) {
	if at+4 > len(s.src) {
		s.pos = len(s.src)
		return 0, s.unexpected()
	}
	u, err := strconv.ParseUint(s.src[at:at+4], 16, 16)
	if err != nil {
		return 0, s.fail("an unknown escape in a string")
	}
	return rune(u), nil
}

// appendSurrogate appends a surrogate's three bytes of WTF-8.
func appendSurrogate(dst []byte, r rune) []byte {
	return append(dst, byte(0xE0|r>>12), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
}

// toValid makes UTF-8 of WTF-8 and anything else: U+FFFD for each surrogate,
// and for each byte that belongs to no character.
func toValid(s string) string {
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); { //meter: the string's length was charged
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 && s[i] == 0xED && i+2 < len(s) && s[i+1]&0xE0 == 0xA0 && s[i+2]&0xC0 == 0x80 {
			n = 3
		}
		if n == 3 && r == utf8.RuneError || n == 1 && r == utf8.RuneError {
			out = utf8.AppendRune(out, utf8.RuneError)
		} else {
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return string(out)
}
