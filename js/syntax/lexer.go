package syntax

import (
	"unicode"
	"unicode/utf8"
)

// lexer holds the current token and the place behind it. It is copied to look
// ahead and to try a parse.
type lexer struct {
	pos     int32 // behind the current token
	start   int32 // of the current token
	prevEnd int32 // end of the token before
	op      Op    // of tAssignOp
	tok     token
	nl      bool  // a line terminator stands before the current token
	esc     bool  // a name written with an escape
	tail    bool  // template: ends with `
	invalid bool  // template: has an escape that is only allowed in tagged templates
	octal   uint8 // legacy syntax that strict code forbids: octalEscape, …
	illegal string
	errPos  int32 // place of what is wrong in an illegal token or invalid template
	octPos  int32
	val     string // name, string value, cooked template, digits of a BigInt
	num     float64
}

// Values of lexer.octal.
const (
	octalEscape = iota + 1
	octalEscape89
	octalNumber
	octalDecimal
)

var octalMessages = [...]string{
	octalEscape:   "Octal escape sequences are not allowed in strict mode.",
	octalEscape89: "\\8 and \\9 are not allowed in strict mode.",
	octalNumber:   "Octal literals are not allowed in strict mode.",
	octalDecimal:  "Decimals with leading zeros are not allowed in strict mode.",
}

const (
	msgInvalidToken         = "Invalid or unexpected token"
	msgUnterminatedTemplate = "Unterminated template literal"
)

// Character classes of ASCII.
const (
	chIDStart = 1 << iota
	chIDPart
	chDigit
	chHex
)

var charClass = buildCharClass()

func buildCharClass() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= chIDStart | chIDPart
		t[c-32] |= chIDStart | chIDPart
	}
	for c := '0'; c <= '9'; c++ {
		t[c] |= chIDPart | chDigit | chHex
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] |= chHex
		t[c-32] |= chHex
	}
	t['$'] |= chIDStart | chIDPart
	t['_'] |= chIDStart | chIDPart
	return t
}

func isIDStart(r rune) bool {
	if r < 128 {
		return charClass[r]&chIDStart != 0
	}
	if unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r) {
		return !unicode.Is(unicode.Pattern_Syntax, r) && !unicode.Is(unicode.Pattern_White_Space, r)
	}
	return unicode.Is(newIDStart, r)
}

func isIDPart(r rune) bool {
	if r < 128 {
		return charClass[r]&chIDPart != 0
	}
	if isIDStart(r) || r == 0x200C || r == 0x200D {
		return true
	}
	if unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) {
		return !unicode.Is(unicode.Pattern_Syntax, r) && !unicode.Is(unicode.Pattern_White_Space, r)
	}
	return unicode.Is(newIDContinue, r)
}

// workStep is how much work is done between two calls of Options.Check.
const workStep = 2048

// next moves to the next token.
//
//meter:charges
func (p *parser) next() {
	p.prevEnd = p.pos
	p.skipSpace()
	p.scan()
	p.work += 1 + int(p.pos-p.prevEnd)>>6
	if p.work >= workStep {
		p.checkWork()
	}
}

// skipSpace skips white space and comments and notes line terminators.
func (p *parser) skipSpace() {
	src, i := p.src, int(p.pos)
	nl := false
	for i < len(src) {
		switch c := src[i]; c {
		case ' ', '\t', '\v', '\f':
			i++
		case '\n', '\r':
			nl = true
			i++
		case '/':
			if i+1 < len(src) && src[i+1] == '/' {
				i = p.lineComment(i + 2)
				continue
			}
			if i+1 < len(src) && src[i+1] == '*' {
				start := i
				i += 2
				for {
					if i+1 >= len(src) {
						p.pos, p.nl = int32(len(src)), nl
						p.start = int32(start)
						// Fatal, since no other reading of the text could be right.
						panic(&SyntaxError{Message: msgInvalidToken, Start: int32(start), End: int32(len(src)), fatal: true})
					}
					if src[i] == '*' && src[i+1] == '/' {
						i += 2
						break
					}
					if src[i] == '\n' || src[i] == '\r' || src[i] == 0xE2 && isLineSeparator(src, i) {
						nl = true
					}
					i++
				}
				continue
			}
			p.pos, p.nl = int32(i), nl
			return
		case '<':
			if p.html && i+3 < len(src) && src[i+1] == '!' && src[i+2] == '-' && src[i+3] == '-' {
				i = p.lineComment(i + 4)
				continue
			}
			p.pos, p.nl = int32(i), nl
			return
		case '-':
			if p.html && (nl || p.pos == p.begin) && i+2 < len(src) && src[i+1] == '-' && src[i+2] == '>' {
				i = p.lineComment(i + 3)
				continue
			}
			p.pos, p.nl = int32(i), nl
			return
		default:
			if c < utf8.RuneSelf {
				p.pos, p.nl = int32(i), nl
				return
			}
			r, n := decodeWTF8(src[i:])
			switch {
			case r == 0x2028 || r == 0x2029:
				nl = true
			case r == 0xA0 || r == 0xFEFF || r > 0xFF && unicode.Is(unicode.Zs, r):
			default:
				p.pos, p.nl = int32(i), nl
				return
			}
			i += n
		}
	}
	p.pos, p.nl = int32(i), nl
}

// lineComment returns the offset of the line terminator that ends a comment.
func (p *parser) lineComment(i int) int {
	src := p.src
	for i < len(src) {
		c := src[i]
		if c == '\n' || c == '\r' || c == 0xE2 && isLineSeparator(src, i) {
			break
		}
		i++
	}
	return i
}

// scan reads the token at pos.
func (p *parser) scan() {
	src, i := p.src, int(p.pos)
	p.start = int32(i)
	p.esc = false
	if i >= len(src) {
		p.tok = tEOF
		return
	}
	c := src[i]
	if charClass[c]&chIDStart != 0 {
		for i++; i < len(src) && charClass[src[i]]&chIDPart != 0; i++ {
		}
		if i >= len(src) || src[i] != '\\' && src[i] < utf8.RuneSelf {
			p.pos = int32(i)
			p.val = src[p.start:i]
			p.tok = keyword(p.val)
			return
		}
		p.scanName(p.start)
		return
	}
	at := func(k int) byte {
		if i+k < len(src) {
			return src[i+k]
		}
		return 0
	}
	switch c {
	case '{':
		p.punct(tLBrace, 1)
	case '}':
		p.punct(tRBrace, 1)
	case '(':
		p.punct(tLParen, 1)
	case ')':
		p.punct(tRParen, 1)
	case '[':
		p.punct(tLBrack, 1)
	case ']':
		p.punct(tRBrack, 1)
	case ';':
		p.punct(tSemi, 1)
	case ',':
		p.punct(tComma, 1)
	case ':':
		p.punct(tColon, 1)
	case '~':
		p.punct(tTilde, 1)
	case '@':
		p.punct(tAt, 1)
	case '.':
		switch {
		case charClass[at(1)]&chDigit != 0:
			p.scanNumber()
		case at(1) == '.' && at(2) == '.':
			p.punct(tEllipsis, 3)
		default:
			p.punct(tDot, 1)
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		p.scanNumber()
	case '"', '\'':
		p.scanString(c)
	case '`':
		p.scanTemplate()
	case '#':
		if c := at(1); c != 0 && charClass[c]&chIDStart == 0 && c != '\\' && c < utf8.RuneSelf || c == 0 {
			p.setIllegal(msgInvalidToken, p.start, p.start+1)
			return
		}
		p.pos++
		p.scanName(p.start + 1)
		if p.tok != tIllegal {
			p.tok = tPrivate
		}
	case '\\':
		p.scanName(p.start)
	case '=':
		switch {
		case at(1) == '=' && at(2) == '=':
			p.punct(tEqEqEq, 3)
		case at(1) == '=':
			p.punct(tEqEq, 2)
		case at(1) == '>':
			p.punct(tArrow, 2)
		default:
			p.punct(tAssign, 1)
		}
	case '!':
		switch {
		case at(1) == '=' && at(2) == '=':
			p.punct(tNotEqEq, 3)
		case at(1) == '=':
			p.punct(tNotEq, 2)
		default:
			p.punct(tBang, 1)
		}
	case '+':
		switch at(1) {
		case '+':
			p.punct(tInc, 2)
		case '=':
			p.assignOp(OpAdd, 2)
		default:
			p.punct(tPlus, 1)
		}
	case '-':
		switch at(1) {
		case '-':
			p.punct(tDec, 2)
		case '=':
			p.assignOp(OpSub, 2)
		default:
			p.punct(tMinus, 1)
		}
	case '*':
		switch {
		case at(1) == '*' && at(2) == '=':
			p.assignOp(OpExp, 3)
		case at(1) == '*':
			p.punct(tStarStar, 2)
		case at(1) == '=':
			p.assignOp(OpMul, 2)
		default:
			p.punct(tStar, 1)
		}
	case '/':
		if at(1) == '=' {
			p.assignOp(OpDiv, 2)
		} else {
			p.punct(tSlash, 1)
		}
	case '%':
		if at(1) == '=' {
			p.assignOp(OpMod, 2)
		} else {
			p.punct(tPercent, 1)
		}
	case '<':
		switch {
		case at(1) == '!' && !p.html && !p.ts && at(2) == '-' && at(3) == '-':
			p.setIllegal("HTML comments are not allowed in modules", p.start, p.start+4)
		case at(1) == '<' && at(2) == '=':
			p.assignOp(OpShl, 3)
		case at(1) == '<':
			p.punct(tShl, 2)
		case at(1) == '=':
			p.punct(tLE, 2)
		default:
			p.punct(tLT, 1)
		}
	case '>':
		switch {
		case at(1) == '>' && at(2) == '>' && at(3) == '=':
			p.assignOp(OpUShr, 4)
		case at(1) == '>' && at(2) == '>':
			p.punct(tUShr, 3)
		case at(1) == '>' && at(2) == '=':
			p.assignOp(OpShr, 3)
		case at(1) == '>':
			p.punct(tShr, 2)
		case at(1) == '=':
			p.punct(tGE, 2)
		default:
			p.punct(tGT, 1)
		}
	case '&':
		switch {
		case at(1) == '&' && at(2) == '=':
			p.assignOp(OpLogicalAnd, 3)
		case at(1) == '&':
			p.punct(tAndAnd, 2)
		case at(1) == '=':
			p.assignOp(OpBitAnd, 2)
		default:
			p.punct(tBitAnd, 1)
		}
	case '|':
		switch {
		case at(1) == '|' && at(2) == '=':
			p.assignOp(OpLogicalOr, 3)
		case at(1) == '|':
			p.punct(tOrOr, 2)
		case at(1) == '=':
			p.assignOp(OpBitOr, 2)
		default:
			p.punct(tBitOr, 1)
		}
	case '^':
		if at(1) == '=' {
			p.assignOp(OpBitXor, 2)
		} else {
			p.punct(tBitXor, 1)
		}
	case '?':
		switch {
		case at(1) == '?' && at(2) == '=':
			p.assignOp(OpNullish, 3)
		case at(1) == '?':
			p.punct(tNullish, 2)
		case at(1) == '.' && charClass[at(2)]&chDigit == 0:
			p.punct(tQDot, 2)
		default:
			p.punct(tQuestion, 1)
		}
	default:
		if c >= utf8.RuneSelf {
			p.scanName(p.start)
			return
		}
		p.setIllegal(msgInvalidToken, p.start, p.start+1)
	}
}

func (p *parser) punct(t token, n int32) {
	p.tok = t
	p.pos += n
}

func (p *parser) assignOp(op Op, n int32) {
	p.tok = tAssignOp
	p.op = op
	p.pos += n
}

// setIllegal makes the current token one that no rule accepts.
func (p *parser) setIllegal(msg string, pos, end int32) {
	p.tok = tIllegal
	p.illegal = msg
	p.errPos = pos
	p.pos = max(end, p.start)
}

// scanName reads an IdentifierName at from that has escapes or characters
// beyond ASCII.
func (p *parser) scanName(from int32) {
	src := p.src
	i := int(from)
	chunk := i
	var buf []byte
	first := true
	for i < len(src) {
		c := src[i]
		if charClass[c]&chIDPart != 0 && (!first || charClass[c]&chIDStart != 0) {
			i++
			first = false
			continue
		}
		if c == '\\' {
			p.esc = true
			buf = append(buf, src[chunk:i]...)
			if i+1 >= len(src) || src[i+1] != 'u' {
				p.setIllegal(msgInvalidToken, int32(i), int32(i+1))
				return
			}
			r, n := unicodeEscape(src[i+2:])
			if n == 0 {
				p.setIllegal("Invalid Unicode escape sequence", int32(i), int32(i+2))
				return
			}
			if first && !isIDStart(r) || !first && !isIDPart(r) {
				p.setIllegal("Invalid Unicode escape sequence", int32(i), int32(i+2+n))
				return
			}
			buf = utf8.AppendRune(buf, r)
			i += 2 + n
			chunk = i
			first = false
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := decodeWTF8(src[i:])
		if first && !isIDStart(r) || !first && !isIDPart(r) {
			break
		}
		i += n
		first = false
	}
	if first {
		_, n := decodeWTF8(src[i:])
		p.setIllegal(msgInvalidToken, p.start, int32(i+n))
		return
	}
	p.pos = int32(i)
	if !p.esc {
		p.val = src[from:i]
		p.tok = keyword(p.val)
		return
	}
	p.val = string(append(buf, src[chunk:i]...))
	p.tok = tIdent
	if keyword(p.val).isReserved() {
		p.tok = tEscKeyword
	}
}

// unicodeEscape reads what follows `\u`: four hex digits or a code point in
// braces. It returns the length read, 0 if it is malformed. The value of a
// surrogate is returned as it is.
func unicodeEscape(s string) (rune, int) {
	if len(s) > 0 && s[0] == '{' {
		v, i := rune(0), 1
		for ; i < len(s) && charClass[s[i]]&chHex != 0; i++ {
			if v = v<<4 | rune(hexValue(s[i])); v > utf8.MaxRune {
				return 0, 0
			}
		}
		if i == 1 || i >= len(s) || s[i] != '}' {
			return 0, 0
		}
		return v, i + 1
	}
	if len(s) < 4 {
		return 0, 0
	}
	v := rune(0)
	for i := 0; i < 4; i++ {
		if charClass[s[i]]&chHex == 0 {
			return 0, 0
		}
		v = v<<4 | rune(hexValue(s[i]))
	}
	return v, 4
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}
