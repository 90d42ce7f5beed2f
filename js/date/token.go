package date

import "github.com/pinfold-js/pinfold/js/text"

// Char is a code unit of a string: a Latin-1 byte or a UTF-16 unit.
type Char interface{ text.Char }

// kind says what a token of a date string is.
type kind uint8

const (
	end     kind = iota
	number       // decimal digits
	sign         // + or -
	colon        // :
	dot          // .
	closing      // )
	space        // white space
	word         // letters and everything above them
	junk         // other characters; a parenthesised comment
)

// token is one token of a date string.
type token struct {
	kind  kind
	class class // of a word
	n     int   // number, ±1 of a sign, or the word's value
	start int   // of a number: index of the first digit
	size  int   // units
}

// class says what a word means.
type class uint8

const (
	unknown class = iota
	month         // value 1 to 12
	half          // AM or PM; value is the hours to add
	zone          // value is the hours ahead of UTC
	timeT         // the T between date and time
)

// keywords are looked up by a word's first three letters in lower case. Only
// months may have more letters.
var keywords = []struct {
	text  string
	class class
	n     int
}{
	{"jan", month, 1}, {"feb", month, 2}, {"mar", month, 3}, {"apr", month, 4},
	{"may", month, 5}, {"jun", month, 6}, {"jul", month, 7}, {"aug", month, 8},
	{"sep", month, 9}, {"oct", month, 10}, {"nov", month, 11}, {"dec", month, 12},
	{"am", half, 0}, {"pm", half, 12},
	{"ut", zone, 0}, {"utc", zone, 0}, {"z", zone, 0}, {"gmt", zone, 0},
	{"est", zone, -5}, {"edt", zone, -4}, {"cst", zone, -6}, {"cdt", zone, -5},
	{"mst", zone, -7}, {"mdt", zone, -6}, {"pst", zone, -8}, {"pdt", zone, -7},
	{"t", timeT, 0},
}

func isDigit(c uint32) bool { return c-'0' <= 9 }

// scanner splits a date string into tokens, one ahead.
type scanner[C Char] struct {
	s    []C
	i    int
	next token
}

func newScanner[C Char](s []C) *scanner[C] {
	sc := &scanner[C]{s: s}
	sc.next = sc.scan()
	return sc
}

// take returns the next token and moves on.
func (sc *scanner[C]) take() token {
	t := sc.next
	sc.next = sc.scan()
	return t
}

// skip takes the next token if it is of kind k.
func (sc *scanner[C]) skip(k kind) bool {
	if sc.next.kind != k {
		return false
	}
	sc.take()
	return true
}

// skipDash takes a minus sign.
func (sc *scanner[C]) skipDash() bool {
	if sc.next.kind != sign || sc.next.n > 0 {
		return false
	}
	sc.take()
	return true
}

// digits says whether the next token is a number of exactly n digits within
// bounds.
func (sc *scanner[C]) digits(n, lo, hi int) bool {
	t := sc.next
	return t.kind == number && t.size == n && t.n >= lo && t.n <= hi
}

func (sc *scanner[C]) scan() token {
	if sc.i >= len(sc.s) {
		return token{kind: end}
	}
	start := sc.i
	c := uint32(sc.s[sc.i])
	switch {
	case isDigit(c):
		return sc.scanNumber()
	case c == '-':
		sc.i++
		return token{kind: sign, n: -1, size: 1}
	case c == '+':
		sc.i++
		return token{kind: sign, n: 1, size: 1}
	case c == ':':
		sc.i++
		return token{kind: colon, size: 1}
	case c == '.':
		sc.i++
		return token{kind: dot, size: 1}
	case c == ')':
		sc.i++
		return token{kind: closing, size: 1}
	case c == '(':
		depth := 0
		for sc.i < len(sc.s) { //meter: at most maxInput units, see Parse
			switch sc.s[sc.i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			sc.i++
			if depth == 0 {
				break
			}
		}
		return token{kind: junk, size: sc.i - start}
	case text.IsSpace(c):
		for sc.i < len(sc.s) && text.IsSpace(uint32(sc.s[sc.i])) { //meter: at most maxInput units, see Parse
			sc.i++
		}
		return token{kind: space, size: sc.i - start}
	case c >= 'A':
		return sc.scanWord()
	}
	sc.i++
	return token{kind: junk, size: 1}
}

// scanNumber reads digits. Nine significant ones count.
func (sc *scanner[C]) scanNumber() token {
	start := sc.i
	n, sig := 0, 0
	for ; sc.i < len(sc.s) && isDigit(uint32(sc.s[sc.i])); sc.i++ { //meter: at most maxInput units, see Parse
		if n == 0 && sc.s[sc.i] == '0' {
			continue
		}
		if sig++; sig <= 9 {
			n = n*10 + int(sc.s[sc.i]-'0')
		}
	}
	return token{kind: number, n: n, start: start, size: sc.i - start}
}

func (sc *scanner[C]) scanWord() token {
	start := sc.i
	var pre [3]byte
	for ; sc.i < len(sc.s); sc.i++ { //meter: at most maxInput units, see Parse
		c := uint32(sc.s[sc.i])
		if c < 'A' || text.IsSpace(c) {
			break
		}
		if k := sc.i - start; k < 3 {
			if c <= 'Z' {
				c |= 0x20
			}
			if c > 0x7F {
				c = 0x7F
			}
			pre[k] = byte(c)
		}
	}
	t := token{kind: word, size: sc.i - start}
	p := string(pre[:min(t.size, 3)])
	for _, k := range keywords {
		if k.text == p && (t.size <= 3 || k.class == month) {
			t.class, t.n = k.class, k.n
			break
		}
	}
	return t
}
