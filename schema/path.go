package schema

import (
	"strconv"
	"strings"
)

// step is one step from a value to a value in it.
type step struct {
	key     string
	index   int
	isIndex bool
}

// path leads from the root to a value.
type path []step

// pointer returns the path as a JSON pointer (RFC 6901).
func (p path) pointer() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte('/')
		if s.isIndex {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escape(s.key))
		}
	}
	return b.String()
}

// String returns the path as a program writes it.
func (p path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.isIndex:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		case isIdentifier(s.key):
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.key)
		default:
			b.WriteByte('[')
			b.WriteString(quote(s.key))
			b.WriteByte(']')
		}
	}
	return b.String()
}

// isIdentifier reports whether a name can be written without quotes. Names
// beyond ASCII are quoted, so that they read the same everywhere.
func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '$':
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}
