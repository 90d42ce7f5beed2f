package ast

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// JSON data is held as nil, bool, float64, string, []any and Object. Strings
// are UTF-8 that may also carry lone surrogates (three bytes ED xx xx), since
// the language's strings are UTF-16.

// Object is a JSON object, its members in the order they were written.
type Object []Entry

// Entry is one member of an Object.
type Entry struct {
	Key   string
	Value any
}

// Get returns the value of a member.
func (o Object) Get(key string) (any, bool) {
	for i := range o {
		if o[i].Key == key {
			return o[i].Value, true
		}
	}
	return nil, false
}

// Limits bound what is read. A zero field is the default.
type Limits struct {
	MaxBytes int // of the JSON text
	MaxDepth int // of containers in containers
	MaxNodes int // values of every kind, and object members
}

// The defaults of Limits. DefaultMaxDepth also bounds what a transpiler builds.
const (
	DefaultMaxBytes = 4 << 20
	DefaultMaxDepth = 4096
	DefaultMaxNodes = 1_000_000
)

func (l Limits) withDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	if l.MaxDepth <= 0 {
		l.MaxDepth = DefaultMaxDepth
	}
	if l.MaxNodes <= 0 {
		l.MaxNodes = DefaultMaxNodes
	}
	return l
}

// ParseData reads one JSON text (RFC 8259) under limits. A key that stands
// twice in one object is refused: two readers could understand two programs.
func ParseData(text []byte, lim Limits) (any, error) {
	lim = lim.withDefaults()
	if len(text) > lim.MaxBytes {
		return nil, &Error{Kind: KindLimit, Message: fmt.Sprintf("the JSON is %d bytes, over the %d-byte limit", len(text), lim.MaxBytes)}
	}
	p := &jsonParser{src: text, lim: lim}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.src) {
		return nil, p.unexpected()
	}
	return v, nil
}

type jsonParser struct {
	src   []byte
	pos   int
	nodes int
	lim   Limits
}

func (p *jsonParser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *jsonParser) fail(at int, msg string) error {
	line, col := 1, 0
	for i := 0; i < at && i < len(p.src); i++ {
		if p.src[i] == '\n' {
			line, col = line+1, 0
		} else {
			col++
		}
	}
	return &Error{Kind: KindSyntax, Message: fmt.Sprintf("%s in the JSON, line %d column %d", msg, line, col+1)}
}

func (p *jsonParser) unexpected() error {
	if p.pos >= len(p.src) {
		return p.fail(p.pos, "unexpected end")
	}
	r, n := utf8.DecodeRune(p.src[p.pos:])
	if r == utf8.RuneError && n <= 1 {
		return p.fail(p.pos, "invalid UTF-8")
	}
	return p.fail(p.pos, "unexpected "+strconv.QuoteRune(r))
}

func (p *jsonParser) node() error {
	if p.nodes++; p.nodes > p.lim.MaxNodes {
		return &Error{Kind: KindLimit, Message: fmt.Sprintf("the JSON has over %d values", p.lim.MaxNodes)}
	}
	return nil
}

func (p *jsonParser) value(depth int) (any, error) {
	if depth > p.lim.MaxDepth {
		return nil, tooDeep(p.lim.MaxDepth)
	}
	if err := p.node(); err != nil {
		return nil, err
	}
	p.space()
	if p.pos >= len(p.src) {
		return nil, p.unexpected()
	}
	switch c := p.src[p.pos]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.str()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't' && p.word("true"):
		return true, nil
	case c == 'f' && p.word("false"):
		return false, nil
	case c == 'n' && p.word("null"):
		return nil, nil
	}
	return nil, p.unexpected()
}

func (p *jsonParser) word(w string) bool {
	if len(p.src)-p.pos >= len(w) && string(p.src[p.pos:p.pos+len(w)]) == w {
		p.pos += len(w)
		return true
	}
	return false
}

func (p *jsonParser) object(depth int) (any, error) {
	p.pos++
	o := Object{}
	var seen map[string]bool
	p.space()
	if p.pos < len(p.src) && p.src[p.pos] == '}' {
		p.pos++
		return o, nil
	}
	for {
		p.space()
		if p.pos >= len(p.src) || p.src[p.pos] != '"' {
			return nil, p.unexpected()
		}
		at := p.pos
		key, err := p.str()
		if err != nil {
			return nil, err
		}
		dup := false
		if seen != nil {
			dup = seen[key]
		} else {
			_, dup = o.Get(key)
		}
		if dup {
			return nil, p.fail(at, "the key "+strconv.Quote(key)+" stands twice in one object")
		}
		if err := p.node(); err != nil {
			return nil, err
		}
		p.space()
		if p.pos >= len(p.src) || p.src[p.pos] != ':' {
			return nil, p.unexpected()
		}
		p.pos++
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if len(o) == 0 {
			o = make(Object, 0, 4)
		}
		o = append(o, Entry{key, v})
		if seen != nil {
			seen[key] = true
		} else if len(o) == 12 {
			seen = make(map[string]bool, 32)
			for _, e := range o {
				seen[e.Key] = true
			}
		}
		p.space()
		if p.pos >= len(p.src) {
			return nil, p.unexpected()
		}
		switch p.src[p.pos] {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return o, nil
		default:
			return nil, p.unexpected()
		}
	}
}

func (p *jsonParser) array(depth int) (any, error) {
	p.pos++
	a := []any{}
	p.space()
	if p.pos < len(p.src) && p.src[p.pos] == ']' {
		p.pos++
		return a, nil
	}
	for {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
		p.space()
		if p.pos >= len(p.src) {
			return nil, p.unexpected()
		}
		switch p.src[p.pos] {
		case ',':
			p.pos++
		case ']':
			p.pos++
			return a, nil
		default:
			return nil, p.unexpected()
		}
	}
}

func (p *jsonParser) number() (any, error) {
	start := p.pos
	digits := func() int {
		n := 0
		for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
			p.pos++
			n++
		}
		return n
	}
	if p.src[p.pos] == '-' {
		p.pos++
	}
	first := p.pos
	if digits() == 0 {
		return nil, p.unexpected()
	}
	if p.src[first] == '0' && p.pos > first+1 {
		p.pos = first + 1
		return nil, p.unexpected()
	}
	if p.pos < len(p.src) && p.src[p.pos] == '.' {
		p.pos++
		if digits() == 0 {
			return nil, p.unexpected()
		}
	}
	if p.pos < len(p.src) && (p.src[p.pos] == 'e' || p.src[p.pos] == 'E') {
		p.pos++
		if p.pos < len(p.src) && (p.src[p.pos] == '+' || p.src[p.pos] == '-') {
			p.pos++
		}
		if digits() == 0 {
			return nil, p.unexpected()
		}
	}
	f, err := strconv.ParseFloat(string(p.src[start:p.pos]), 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, p.fail(start, "the number is too large")
	}
	return f, nil
}

func (p *jsonParser) str() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == '"' {
			s := string(p.src[start:p.pos])
			p.pos++
			if !validText(s) {
				return "", p.fail(start, "invalid UTF-8")
			}
			return s, nil
		}
		if c == '\\' || c < ' ' {
			break
		}
		p.pos++
	}
	buf := append([]byte(nil), p.src[start:p.pos]...)
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '"':
			p.pos++
			s := joinSurrogates(string(buf))
			if !validText(s) {
				return "", p.fail(start, "invalid UTF-8")
			}
			return s, nil
		case c < ' ':
			return "", p.fail(p.pos, "a control character in a string")
		case c != '\\':
			buf = append(buf, c)
			p.pos++
		default:
			if p.pos+1 >= len(p.src) {
				p.pos++
				return "", p.unexpected()
			}
			p.pos += 2
			switch e := p.src[p.pos-1]; e {
			case '"', '\\', '/':
				buf = append(buf, e)
			case 'b':
				buf = append(buf, '\b')
			case 'f':
				buf = append(buf, '\f')
			case 'n':
				buf = append(buf, '\n')
			case 'r':
				buf = append(buf, '\r')
			case 't':
				buf = append(buf, '\t')
			case 'u':
				if len(p.src)-p.pos < 4 {
					return "", p.fail(p.pos-2, "a bad escape")
				}
				n, err := strconv.ParseUint(string(p.src[p.pos:p.pos+4]), 16, 32)
				if err != nil {
					return "", p.fail(p.pos-2, "a bad escape")
				}
				p.pos += 4
				buf = appendUnit(buf, uint16(n))
			default:
				return "", p.fail(p.pos-2, "a bad escape")
			}
		}
	}
	return "", p.unexpected()
}

// appendUnit adds a UTF-16 code unit: a surrogate as three bytes.
func appendUnit(b []byte, u uint16) []byte {
	if u >= 0xD800 && u <= 0xDFFF {
		return append(b, 0xED, 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
	}
	return utf8.AppendRune(b, rune(u))
}

// surrogate reads a surrogate in three bytes at i.
func surrogate(s string, i int) (uint16, bool) {
	if i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2] >= 0x80 && s[i+2] <= 0xBF {
		return 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F), true
	}
	return 0, false
}

// joinSurrogates combines pairs that stand as two three-byte surrogates.
func joinSurrogates(s string) string {
	var out []byte
	last := 0
	for i := 0; i < len(s); i++ {
		if s[i] != 0xED {
			continue
		}
		hi, ok := surrogate(s, i)
		if !ok || hi >= 0xDC00 {
			continue
		}
		lo, ok := surrogate(s, i+3)
		if !ok || lo < 0xDC00 {
			continue
		}
		out = append(out, s[last:i]...)
		out = utf8.AppendRune(out, 0x10000+(rune(hi)-0xD800)<<10+rune(lo)-0xDC00)
		last = i + 6
		i += 5
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}

// validText reports UTF-8 that may carry lone surrogates.
func validText(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		if _, ok := surrogate(s, i); ok {
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return false
		}
		i += n
	}
	return true
}

// AppendData writes JSON data as JSON.stringify would, without spaces. Data of
// other Go types, non-finite numbers and data nested over DefaultMaxDepth are
// errors.
func AppendData(dst []byte, v any) ([]byte, error) { return appendData(dst, v, 0) }

func appendData(dst []byte, v any, depth int) ([]byte, error) {
	if depth > DefaultMaxDepth {
		return nil, tooDeep(DefaultMaxDepth)
	}
	var err error
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, &Error{Kind: KindShape, Message: "JSON has no " + strconv.FormatFloat(v, 'g', -1, 64)}
		}
		return AppendNumber(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendData(dst, e, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case Object:
		dst = append(dst, '{')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, e.Key), ':')
			if dst, err = appendData(dst, e.Value, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	return nil, &Error{Kind: KindShape, Message: fmt.Sprintf("a %T is no JSON data", v)}
}

// AppendNumber writes a finite number the way the language prints it, but for
// negative zero, which stays one.
func AppendNumber(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
		// The language writes e-7, not e-07.
		if n := len(dst); n-start >= 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

const hexDigits = "0123456789abcdef"

// AppendString writes a JSON string; lone surrogates become escapes.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	last := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c != 0xED {
			continue
		}
		if c == 0xED {
			u, ok := surrogate(s, i)
			if !ok {
				continue
			}
			dst = append(dst, s[last:i]...)
			dst = append(dst, '\\', 'u', 'd', hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
			i += 2
			last = i + 1
			continue
		}
		dst = append(dst, s[last:i]...)
		last = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(dst, s[last:]...), '"')
}
