package pinfold

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// cut shortens a message to MaxMessageChars.
func cut(s string) string { return cutTo(s, MaxMessageChars) }

// cutMarker is room for the words that say how much was left out.
const cutMarker = 48

// cutTo shortens a text to at most limit characters, the words about how much
// was left out included. It cuts at a border of the text's structure if one is
// near: the end of a line, else behind a comma, a semicolon or a closing
// bracket, else between words.
func cutTo(s string, limit int) string { return cutMore(s, 0, limit) }

// cutMore is cutTo for the beginning of a text, whose other more characters are
// not in s.
func cutMore(s string, more, limit int) string {
	if len(s)+more <= limit {
		return s
	}
	n := utf8.RuneCountInString(s) + more
	if n <= limit {
		return s
	}
	i := 0
	for range max(limit-cutMarker, 0) { //meter: at most the characters of the text, which was made and charged for
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	i = border(s[:i])
	return s[:i] + fmt.Sprintf("… [%d more characters left out]", n-utf8.RuneCountInString(s[:i]))
}

// border returns where to end a text that goes on: at most a quarter of it, and
// at most 1000 bytes, are given up for a clean cut.
func border(s string) int {
	from := len(s) - min(len(s)/4, 1000)
	tail := s[from:]
	if i := strings.LastIndexByte(tail, '\n'); i >= 0 {
		return from + i + 1
	}
	if i := strings.LastIndexAny(tail, ",;)]}"); i >= 0 {
		return from + i + 1
	}
	if i := strings.LastIndexAny(tail, " \t"); i >= 0 {
		return from + i + 1
	}
	return len(s)
}
