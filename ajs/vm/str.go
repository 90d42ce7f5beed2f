package vm

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A str is a string of UTF-16 code units, immutable: ASCII as a Go string, else
// wide.
type str struct {
	s    string
	wide []uint16
}

// newStr takes WTF-8; bytes that are none become U+FFFD.
func newStr(s string) *str {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return &str{wide: decodeWTF8(s)}
		}
	}
	return &str{s: s}
}

// decodeWTF8 turns WTF-8 into UTF-16.
func decodeWTF8(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			out = append(out, uint16(s[i]))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2]&0xC0 == 0x80 {
				out = append(out, 0xD000|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
				i += 3
				continue
			}
		}
		out = utf16.AppendRune(out, r)
		i += n
	}
	return out
}

// ofUnits makes a string of code units that nobody writes to afterwards.
func ofUnits(u []uint16) *str {
	for _, c := range u {
		if c >= utf8.RuneSelf {
			return &str{wide: u}
		}
	}
	b := make([]byte, len(u))
	for i, c := range u {
		b[i] = byte(c)
	}
	return &str{s: string(b)}
}

func (s *str) len() int {
	if s.wide != nil {
		return len(s.wide)
	}
	return len(s.s)
}

func (s *str) at(i int) uint16 {
	if s.wide != nil {
		return s.wide[i]
	}
	return uint16(s.s[i])
}

// slice returns the units from lo to hi. A part shares the memory of the whole
// if it is a good deal of it; a small one is copied, lest it keep alive what
// nobody counts.
func (s *str) slice(lo, hi int) *str {
	n := hi - lo
	switch {
	case n == s.len():
		return s
	case n == 0:
		return emptyStr
	case s.wide == nil && n == 1:
		return asciiStr[s.s[lo]]
	case s.wide == nil && n*4 >= len(s.s):
		return &str{s: s.s[lo:hi]}
	case s.wide == nil:
		return &str{s: strings.Clone(s.s[lo:hi])}
	case n*4 >= len(s.wide):
		return ofUnits(s.wide[lo:hi:hi])
	}
	return ofUnits(slices.Clone(s.wide[lo:hi]))
}

// asciiStr are the strings of one ASCII character.
var asciiStr = func() (out [utf8.RuneSelf]*str) {
	for i := range out {
		out[i] = &str{s: string(rune(i))}
	}
	return out
}()

// units returns the code units as UTF-16.
func (s *str) units() []uint16 {
	if s.wide != nil {
		return s.wide
	}
	u := make([]uint16, len(s.s))
	for i := range u {
		u[i] = uint16(s.s[i])
	}
	return u
}

// text returns the string as WTF-8: UTF-8, but for lone surrogates.
func (s *str) text() string {
	if s.wide == nil {
		return s.s
	}
	b := make([]byte, 0, len(s.wide)+len(s.wide)/2)
	for i := 0; i < len(s.wide); i++ {
		c := s.wide[i]
		if c >= 0xD800 && c < 0xE000 {
			if c < 0xDC00 && i+1 < len(s.wide) && s.wide[i+1] >= 0xDC00 && s.wide[i+1] < 0xE000 {
				b = utf8.AppendRune(b, utf16.DecodeRune(rune(c), rune(s.wide[i+1])))
				i++
				continue
			}
			b = append(b, 0xED, 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F))
			continue
		}
		b = utf8.AppendRune(b, rune(c))
	}
	return string(b)
}

// key is the same for equal strings and no others.
func (s *str) key() any {
	if s.wide == nil {
		return s.s
	}
	return s.text()
}

func (s *str) equal(t *str) bool {
	if s == t {
		return true
	}
	if s.wide == nil && t.wide == nil {
		return s.s == t.s
	}
	if s.wide == nil || t.wide == nil || len(s.wide) != len(t.wide) {
		return false
	}
	for i := range s.wide {
		if s.wide[i] != t.wide[i] {
			return false
		}
	}
	return true
}

// compare orders by code units.
func (s *str) compare(t *str) int {
	if s.wide == nil && t.wide == nil {
		switch {
		case s.s < t.s:
			return -1
		case s.s > t.s:
			return 1
		}
		return 0
	}
	n, m := s.len(), t.len()
	for i := 0; i < n && i < m; i++ {
		if a, b := s.at(i), t.at(i); a != b {
			return int(a) - int(b)
		}
	}
	return n - m
}

// index finds sub at from or after it.
func (s *str) index(sub *str, from int) int {
	n, m := s.len(), sub.len()
	if s.wide == nil && sub.wide == nil {
		if i := indexString(s.s[from:], sub.s); i >= 0 {
			return from + i
		}
		return -1
	}
	if s.wide == nil {
		return -1
	}
	for i := from; i+m <= n; i++ {
		if s.hasAt(sub, i) {
			return i
		}
	}
	return -1
}

// lastIndex finds sub at from or before it.
func (s *str) lastIndex(sub *str, from int) int {
	for i := min(from, s.len()-sub.len()); i >= 0; i-- {
		if s.hasAt(sub, i) {
			return i
		}
	}
	return -1
}

func (s *str) hasAt(sub *str, at int) bool {
	m := sub.len()
	if at < 0 || at+m > s.len() {
		return false
	}
	if s.wide == nil && sub.wide == nil {
		return s.s[at:at+m] == sub.s
	}
	for i := range m {
		if s.at(at+i) != sub.at(i) {
			return false
		}
	}
	return true
}

// A builder gathers a string.
type builder struct {
	b    []byte
	wide []uint16
	isW  bool
}

func (b *builder) widen() {
	b.isW = true
	b.wide = make([]uint16, len(b.b), 2*len(b.b)+16)
	for i, c := range b.b {
		b.wide[i] = uint16(c)
	}
	b.b = nil
}

func (b *builder) add(s *str) {
	if s.wide != nil {
		if !b.isW {
			b.widen()
		}
		b.wide = append(b.wide, s.wide...)
		return
	}
	b.ascii(s.s)
}

// ascii adds ASCII text.
func (b *builder) ascii(s string) {
	if !b.isW {
		b.b = append(b.b, s...)
		return
	}
	for i := 0; i < len(s); i++ {
		b.wide = append(b.wide, uint16(s[i]))
	}
}

func (b *builder) unit(c uint16) {
	if !b.isW {
		if c < utf8.RuneSelf {
			b.b = append(b.b, byte(c))
			return
		}
		b.widen()
	}
	b.wide = append(b.wide, c)
}

func (b *builder) str() *str {
	if b.isW {
		return ofUnits(b.wide)
	}
	return &str{s: string(b.b)}
}
