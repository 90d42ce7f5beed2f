package syntax

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendWTF8 appends a code point, joining a low surrogate to a high one that
// stands right before it.
func appendWTF8(buf []byte, r rune) []byte {
	if r < 0xD800 || r > 0xDFFF {
		return utf8.AppendRune(buf, r)
	}
	if r >= 0xDC00 {
		if n := len(buf); n >= 3 && buf[n-3] == 0xED && buf[n-2] >= 0xA0 && buf[n-2] < 0xB0 {
			hi := rune(0xD000) | rune(buf[n-2]&0x3F)<<6 | rune(buf[n-1]&0x3F)
			return utf8.AppendRune(buf[:n-3], (hi-0xD800)<<10+(r-0xDC00)+0x10000)
		}
	}
	return append(buf, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// scanString reads a string literal (12.9.4).
func (p *parser) scanString(quote byte) {
	src := p.src
	i := int(p.start) + 1
	p.octal = 0
	chunk := i
	var buf []byte
	for {
		if i >= len(src) {
			p.setIllegal(msgInvalidToken, p.start, int32(i))
			return
		}
		c := src[i]
		switch {
		case c == quote:
			p.tok = tString
			if buf == nil {
				p.val = src[chunk:i]
			} else {
				p.val = string(appendChunk(buf, src[chunk:i]))
			}
			p.pos = int32(i + 1)
			return
		case c == '\n' || c == '\r':
			p.setIllegal(msgInvalidToken, p.start, int32(i))
			return
		case c == '\\':
			buf = appendChunk(buf, src[chunk:i])
			if buf == nil {
				buf = make([]byte, 0, 16)
			}
			esc := i
			var oct uint8
			var msg string
			buf, i, oct, msg = escape(src, i+1, buf)
			if msg != "" {
				p.setIllegal(msg, int32(esc), int32(min(i, len(src))))
				return
			}
			if oct != 0 && p.octal == 0 {
				p.octal, p.octPos = oct, int32(esc)
			}
			chunk = i
		default:
			i++
		}
	}
}

// appendChunk appends source text, joining surrogates at the seam.
func appendChunk(buf []byte, s string) []byte {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xB0 && len(buf) >= 3 {
		r, _ := decodeWTF8(s)
		buf = appendWTF8(buf, r)
		s = s[3:]
	}
	return append(buf, s...)
}

// escape reads what follows a backslash at i. It returns the buffer with the
// value, the offset behind the escape, what strict code or templates forbid
// about it, and a message if it is malformed.
func escape(src string, i int, buf []byte) ([]byte, int, uint8, string) {
	if i >= len(src) {
		return buf, i, 0, msgInvalidToken
	}
	c := src[i]
	switch c {
	case 'n':
		return append(buf, '\n'), i + 1, 0, ""
	case 't':
		return append(buf, '\t'), i + 1, 0, ""
	case 'r':
		return append(buf, '\r'), i + 1, 0, ""
	case 'b':
		return append(buf, '\b'), i + 1, 0, ""
	case 'f':
		return append(buf, '\f'), i + 1, 0, ""
	case 'v':
		return append(buf, '\v'), i + 1, 0, ""
	case '\r':
		if i+1 < len(src) && src[i+1] == '\n' {
			return buf, i + 2, 0, ""
		}
		return buf, i + 1, 0, ""
	case '\n':
		return buf, i + 1, 0, ""
	case 'x':
		if i+2 < len(src) && charClass[src[i+1]]&chHex != 0 && charClass[src[i+2]]&chHex != 0 {
			return appendWTF8(buf, rune(hexValue(src[i+1]))<<4|rune(hexValue(src[i+2]))), i + 3, 0, ""
		}
		return buf, i + 1, 0, "Invalid hexadecimal escape sequence"
	case 'u':
		r, n := unicodeEscape(src[i+1:])
		if n == 0 {
			msg := "Invalid Unicode escape sequence"
			if i+1 < len(src) && src[i+1] == '{' {
				k := i + 2
				for k < len(src) && charClass[src[k]]&chHex != 0 {
					k++
				}
				if k > i+2 && k < len(src) && src[k] == '}' {
					msg = "Undefined Unicode code-point"
				}
			}
			return buf, i + 1, 0, msg
		}
		return appendWTF8(buf, r), i + 1 + n, 0, ""
	case '0', '1', '2', '3', '4', '5', '6', '7':
		if c == '0' && (i+1 >= len(src) || charClass[src[i+1]]&chDigit == 0) {
			return append(buf, 0), i + 1, 0, ""
		}
		if c == '0' && src[i+1] >= '8' {
			return append(buf, 0), i + 1, octalEscape, ""
		}
		v, n := rune(0), 0
		for n < 3 && i+n < len(src) && src[i+n] >= '0' && src[i+n] <= '7' && v<<3|rune(src[i+n]-'0') <= 255 {
			v = v<<3 | rune(src[i+n]-'0')
			n++
		}
		return appendWTF8(buf, v), i + n, octalEscape, ""
	case '8', '9':
		return append(buf, c), i + 1, octalEscape89, ""
	}
	if c < utf8.RuneSelf {
		return append(buf, c), i + 1, 0, ""
	}
	r, n := decodeWTF8(src[i:])
	if r == 0x2028 || r == 0x2029 {
		return buf, i + n, 0, ""
	}
	return appendChunk(buf, src[i:i+n]), i + n, 0, ""
}

// scanTemplate reads a chunk of a template that begins at start with ` or }.
func (p *parser) scanTemplate() {
	src := p.src
	i := int(p.start) + 1
	p.tok = tTemplate
	p.invalid = false
	p.tail = false
	chunk := i
	var buf []byte
	for {
		if i >= len(src) {
			p.setIllegal(msgUnterminatedTemplate, p.start, int32(i))
			return
		}
		c := src[i]
		switch {
		case c == '`' || c == '$' && i+1 < len(src) && src[i+1] == '{':
			if buf == nil {
				p.val = src[chunk:i]
			} else {
				p.val = string(appendChunk(buf, src[chunk:i]))
			}
			p.tail = c == '`'
			p.pos = int32(i + 1)
			if !p.tail {
				p.pos++
			}
			return
		case c == '\r':
			buf = append(appendChunk(buf, src[chunk:i]), '\n')
			if i++; i < len(src) && src[i] == '\n' {
				i++
			}
			chunk = i
		case c == '\\':
			buf = appendChunk(buf, src[chunk:i])
			if buf == nil {
				buf = make([]byte, 0, 16)
			}
			esc := i
			var oct uint8
			var msg string
			buf, i, oct, msg = escape(src, i+1, buf)
			if oct != 0 && msg == "" {
				msg = "Octal escape sequences are not allowed in template strings."
			}
			if msg != "" && !p.invalid {
				if i >= len(src) {
					p.setIllegal(msgUnterminatedTemplate, p.start, int32(i))
					return
				}
				p.invalid = true
				p.illegal = msg
				p.errPos = int32(esc)
			}
			chunk = i
		default:
			i++
		}
	}
}

// templateRaw returns the raw text of the current chunk.
func (p *parser) templateRaw() string {
	end := p.pos - 1
	if !p.tail {
		end--
	}
	s := p.src[p.start+1 : end]
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// scanRegExp reads a regular expression whose `/` is the current token. It
// returns pattern and flags and leaves pos behind them.
func (p *parser) scanRegExp() (pattern, flags string) {
	src := p.src
	i := int(p.start) + 1
	class := false
	for {
		if i >= len(src) || src[i] == '\n' || src[i] == '\r' || src[i] == 0xE2 && isLineSeparator(src, i) {
			p.fail(p.start, int32(i), "Invalid regular expression: missing /")
		}
		switch src[i] {
		case '[':
			class = true
		case ']':
			class = false
		case '\\':
			if i+1 < len(src) && src[i+1] != '\n' && src[i+1] != '\r' && !isLineSeparator(src, i+1) {
				i++
			}
		case '/':
			if !class {
				pattern = src[p.start+1 : i]
				i++
				f := i
				for i < len(src) {
					if charClass[src[i]]&chIDPart != 0 {
						i++
						continue
					}
					if src[i] == '\\' {
						p.fail(p.start, int32(i+1), "Invalid regular expression flags")
					}
					if src[i] < utf8.RuneSelf {
						break
					}
					r, n := decodeWTF8(src[i:])
					if !isIDPart(r) {
						break
					}
					i += n
				}
				flags = src[f:i]
				p.pos = int32(i)
				p.work += (i - int(p.start)) >> 6
				return pattern, flags
			}
		}
		i++
	}
}

// scanNumber reads a numeric literal (12.9.3).
func (p *parser) scanNumber() {
	src, i := p.src, int(p.start)
	p.octal = 0
	if src[i] == '0' && i+1 < len(src) {
		switch src[i+1] {
		case 'x', 'X':
			p.scanRadix(4, "0x")
			return
		case 'o', 'O':
			p.scanRadix(3, "0o")
			return
		case 'b', 'B':
			p.scanRadix(1, "0b")
			return
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			p.scanLegacyNumber()
			return
		case '_':
			p.setIllegal("Numeric separator can not be used after leading 0.", int32(i+1), int32(i+2))
			return
		}
	}
	sep := false
	ok := true
	digits := func() {
		from := i
		for i < len(src) {
			if charClass[src[i]]&chDigit != 0 {
				i++
				continue
			}
			if src[i] != '_' {
				break
			}
			sep = true
			if i == from || src[i-1] == '_' {
				ok = false
			}
			i++
		}
		if i > from && src[i-1] == '_' {
			ok = false
		}
	}
	digits()
	isInt := true
	if i < len(src) && src[i] == 'n' && ok {
		p.pos = int32(i + 1)
		p.val = strings.ReplaceAll(src[p.start:i], "_", "")
		p.endNumber(tBigInt)
		return
	}
	if ok && i < len(src) && src[i] == '.' {
		isInt = false
		i++
		digits()
	}
	if ok && i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		isInt = false
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if i >= len(src) || charClass[src[i]]&chDigit == 0 {
			p.setIllegal(msgInvalidToken, p.start, int32(i))
			return
		}
		digits()
	}
	if !ok {
		p.setIllegal(separatorMessage(src, i), int32(i-1), int32(i))
		return
	}
	text := src[p.start:i]
	if sep {
		text = strings.ReplaceAll(text, "_", "")
	}
	p.num = decimalValue(text, isInt)
	p.pos = int32(i)
	p.endNumber(tNumber)
}

func separatorMessage(src string, i int) string {
	if i >= 2 && src[i-1] == '_' && src[i-2] != '_' {
		return "Numeric separators are not allowed at the end of numeric literals"
	}
	return "Only one underscore is allowed as numeric separator"
}

func decimalValue(text string, isInt bool) float64 {
	if isInt && len(text) <= 15 {
		v := int64(0)
		for k := 0; k < len(text); k++ {
			v = v*10 + int64(text[k]-'0')
		}
		return float64(v)
	}
	// An out of range exponent gives the infinity or zero that is wanted.
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// endNumber checks that no name or digit follows a number directly.
func (p *parser) endNumber(t token) {
	p.tok = t
	if int(p.pos) >= len(p.src) {
		return
	}
	c := p.src[p.pos]
	bad := charClass[c]&chIDPart != 0 || c == '\\'
	if c >= utf8.RuneSelf {
		r, _ := decodeWTF8(p.src[p.pos:])
		bad = isIDStart(r)
	}
	if bad {
		msg := msgInvalidToken
		if c == '_' {
			msg = "Numeric separators are not allowed here"
		}
		p.setIllegal(msg, p.start, p.pos+1)
	}
}

// scanRadix reads the digits of a literal with a prefix; bits per digit.
func (p *parser) scanRadix(bits uint, prefix string) {
	src := p.src
	from := int(p.start) + 2
	i := from
	sep := false
	for i < len(src) {
		c := src[i]
		if c == '_' {
			sep = true
			if i == from || src[i-1] == '_' {
				p.setIllegal("Only one underscore is allowed as numeric separator", int32(i), int32(i+1))
				return
			}
			i++
			continue
		}
		if charClass[c]&chHex == 0 || uint(hexValue(c)) >= 1<<bits {
			break
		}
		i++
	}
	if i == from {
		p.setIllegal(msgInvalidToken, p.start, int32(i))
		return
	}
	if src[i-1] == '_' {
		p.setIllegal("Numeric separators are not allowed at the end of numeric literals", int32(i-1), int32(i))
		return
	}
	text := src[from:i]
	if sep {
		text = strings.ReplaceAll(text, "_", "")
	}
	if i < len(src) && src[i] == 'n' {
		p.val = prefix + strings.ToLower(text)
		p.pos = int32(i + 1)
		p.endNumber(tBigInt)
		return
	}
	p.num = radixValue(text, bits)
	p.pos = int32(i)
	p.endNumber(tNumber)
}

// radixValue rounds a number in a power-of-two radix to the nearest double.
func radixValue(text string, bits uint) float64 {
	m := uint64(0)
	exp := 0
	for k := 0; k < len(text); k++ {
		d := uint64(hexValue(text[k]))
		if m < 1<<58 {
			m = m<<bits | d
			continue
		}
		// Beyond 58 bits digits only matter as a sticky bit.
		if d != 0 {
			m |= 1
		}
		exp += int(bits)
	}
	return math.Ldexp(float64(m), exp)
}

// scanLegacyNumber reads 0 followed by digits: octal, or decimal if there is an
// 8 or 9 (B.1.1).
func (p *parser) scanLegacyNumber() {
	src, i := p.src, int(p.start)
	dec := false
	for i < len(src) && charClass[src[i]]&chDigit != 0 {
		if src[i] >= '8' {
			dec = true
		}
		i++
	}
	p.octPos = p.start
	if !dec {
		p.octal = octalNumber
		p.num = radixValue(src[p.start+1:i], 3)
		p.pos = int32(i)
		p.endNumber(tNumber)
		return
	}
	p.octal = octalDecimal
	digits := func() bool {
		k := i
		for i < len(src) && charClass[src[i]]&chDigit != 0 {
			i++
		}
		return i > k
	}
	if i < len(src) && src[i] == '.' {
		i++
		digits()
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if !digits() {
			p.setIllegal(msgInvalidToken, p.start, int32(i))
			return
		}
	}
	p.num = decimalValue(src[p.start:i], false)
	p.pos = int32(i)
	p.endNumber(tNumber)
}
