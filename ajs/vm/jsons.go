package vm

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/conv"
)

// A jsonReader reads JSON text into values, with Go frames no deeper than
// maxDepth.
type jsonReader struct {
	r   *run
	s   *str
	pos int
}

func parseJSON(r *run, _ value, args []value) (value, bool) {
	p := &jsonReader{r: r, s: args[0].str()}
	v, ok := p.value(0)
	if !ok {
		return value{}, false
	}
	p.space()
	if p.pos < p.s.len() {
		return value{}, p.fail(fmt.Sprintf("Unexpected non-whitespace character after JSON at position %d", p.pos))
	}
	return v, true
}

func (p *jsonReader) fail(m string) bool { return p.r.fail(KindType, "", m) }

// peek returns the unit at the position, -1 at the end.
func (p *jsonReader) peek() int {
	if p.pos < p.s.len() {
		return int(p.s.at(p.pos))
	}
	return -1
}

func (p *jsonReader) space() {
	for {
		switch p.peek() {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// unexpected says it as node does.
func (p *jsonReader) unexpected() bool {
	c := p.peek()
	if c < 0 {
		return p.fail("Unexpected end of JSON input")
	}
	snippet := p.s.slice(max(p.pos-10, 0), min(p.pos+10, p.s.len())).text()
	dots := [2]string{}
	if p.pos > 10 {
		dots[0] = "..."
	}
	if p.pos+10 < p.s.len() {
		dots[1] = "..."
	}
	return p.fail(fmt.Sprintf("Unexpected token '%s', %s\"%s\"%s is not valid JSON", p.s.slice(p.pos, p.pos+1).text(), dots[0], snippet, dots[1]))
}

func (p *jsonReader) word(w string, v value) (value, bool) {
	for i := 0; i < len(w); i++ {
		if p.peek() != int(w[i]) {
			return value{}, p.unexpected()
		}
		p.pos++
	}
	return v, true
}

func (p *jsonReader) value(depth int) (value, bool) {
	if depth > maxDepth {
		return value{}, p.fail("The JSON nests too deeply")
	}
	if !p.r.poll(8) {
		return value{}, false
	}
	p.space()
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		p.pos++
		a := []value{}
		p.space()
		if p.peek() == ']' {
			p.pos++
			return listOf(a), true
		}
		for {
			v, ok := p.value(depth + 1)
			if !ok {
				return value{}, false
			}
			a = append(a, v)
			p.space()
			switch p.peek() {
			case ',':
				p.pos++
			case ']':
				p.pos++
				return listOf(a), true
			case -1:
				return value{}, p.unexpected()
			default:
				return value{}, p.fail(fmt.Sprintf("Expected ',' or ']' after array element in JSON at position %d", p.pos))
			}
		}
	case c == '"':
		s, ok := p.str()
		return stringOf(s), ok
	case c == 't':
		return p.word("true", boolean(true))
	case c == 'f':
		return p.word("false", boolean(false))
	case c == 'n':
		return p.word("null", nullValue)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	return value{}, p.unexpected()
}

func (p *jsonReader) object(depth int) (value, bool) {
	p.pos++
	o := newObject(0)
	p.space()
	if p.peek() == '}' {
		p.pos++
		return objectOf(o), true
	}
	for first := true; ; first = false {
		p.space()
		if p.peek() != '"' {
			switch {
			case p.peek() < 0:
				return value{}, p.unexpected()
			case first:
				return value{}, p.fail(fmt.Sprintf("Expected property name or '}' in JSON at position %d", p.pos))
			}
			return value{}, p.fail(fmt.Sprintf("Expected double-quoted property name in JSON at position %d", p.pos))
		}
		k, ok := p.str()
		if !ok {
			return value{}, false
		}
		p.space()
		if p.peek() != ':' {
			if p.peek() < 0 {
				return value{}, p.unexpected()
			}
			return value{}, p.fail(fmt.Sprintf("Expected ':' after property name in JSON at position %d", p.pos))
		}
		p.pos++
		v, ok := p.value(depth + 1)
		if !ok {
			return value{}, false
		}
		o.set(k.text(), v)
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return objectOf(o), true
		case -1:
			return value{}, p.unexpected()
		default:
			return value{}, p.fail(fmt.Sprintf("Expected ',' or '}' after property value in JSON at position %d", p.pos))
		}
	}
}

func (p *jsonReader) number() (value, bool) {
	start := p.pos
	digits := func() bool {
		at := p.pos
		for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
			p.pos++
		}
		return p.pos > at
	}
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if !digits() {
		return value{}, p.fail(fmt.Sprintf("No number after minus sign in JSON at position %d", p.pos))
	}
	if p.peek() == '.' {
		p.pos++
		if !digits() {
			return value{}, p.fail(fmt.Sprintf("Unterminated fractional number in JSON at position %d", p.pos))
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !digits() {
			return value{}, p.fail(fmt.Sprintf("Exponent part is missing a number in JSON at position %d", p.pos))
		}
	}
	f, _ := strconv.ParseFloat(p.s.slice(start, p.pos).text(), 64)
	return number(f), p.r.poll(p.pos - start)
}

func (p *jsonReader) str() (*str, bool) {
	p.pos++
	start := p.pos
	for {
		c := p.peek()
		if c == '"' {
			s := p.s.slice(start, p.pos)
			p.pos++
			return s, p.r.poll(p.pos - start)
		}
		if c == '\\' || c < ' ' {
			break
		}
		p.pos++
	}
	var b builder
	b.add(p.s.slice(start, p.pos))
	for {
		c := p.peek()
		p.pos++
		switch {
		case c < 0:
			return nil, p.fail(fmt.Sprintf("Unterminated string in JSON at position %d", p.pos-1))
		case c == '"':
			return b.str(), p.r.poll(p.pos - start)
		case c < ' ':
			return nil, p.fail(fmt.Sprintf("Bad control character in string literal in JSON at position %d", p.pos-1))
		case c != '\\':
			b.unit(uint16(c))
			continue
		}
		e := p.peek()
		p.pos++
		switch e {
		case '"', '\\', '/':
			b.unit(uint16(e))
		case 'b':
			b.unit('\b')
		case 'f':
			b.unit('\f')
		case 'n':
			b.unit('\n')
		case 'r':
			b.unit('\r')
		case 't':
			b.unit('\t')
		case 'u':
			u := 0
			for range 4 {
				d := hexValue(p.peek())
				if d < 0 {
					return nil, p.fail(fmt.Sprintf("Bad Unicode escape in JSON at position %d", p.pos))
				}
				u = u<<4 | d
				p.pos++
			}
			b.unit(uint16(u))
		case -1:
			return nil, p.fail(fmt.Sprintf("Unterminated string in JSON at position %d", p.pos-1))
		default:
			return nil, p.fail(fmt.Sprintf("Bad escaped character in JSON at position %d", p.pos-1))
		}
	}
}

func hexValue(c int) int {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return -1
}

// jsonLen is the length of a text once its characters are escaped.
func jsonLen(s *str) int {
	n := s.len()
	for i := range s.len() {
		switch c := s.at(i); {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			n++
		case c < ' ' || c >= 0xD800 && c < 0xE000:
			n += 5
		}
	}
	return n
}

// A jsonWriter writes JSON as JSON.stringify does.
type jsonWriter struct {
	r      *run
	b      builder
	indent string
}

// stringify writes a value; undefined gives undefined, as a nil text.
func (r *run) stringify(v value, indent, op string) (*str, bool) {
	t, ok := r.tree(v, true)
	if !ok {
		return nil, false
	}
	bytes := t.bytes + 64
	if indent != "" {
		bytes += float64(t.nodes) * (2 + float64(len(indent)*t.depth)) * 2
	}
	if t.bytes > r.maxHeap && cyclic(v) {
		return nil, r.fail(KindType, "", "Converting circular structure to JSON")
	}
	if !r.allocate(bytes, op) {
		return nil, false
	}
	if v.kind == undefinedKind {
		return nil, true
	}
	w := &jsonWriter{r: r, indent: indent}
	if !w.value(v, 0) {
		return nil, false
	}
	return w.b.str(), true
}

// cyclic reports whether an array contains itself. Only arrays can.
func cyclic(v value) bool {
	on := map[any]bool{}
	var walk func(v value, depth int) bool
	budget := 1 << 20
	walk = func(v value, depth int) bool {
		if !v.isContainer() || depth > maxDepth {
			return false
		}
		if budget--; budget < 0 || on[v.r] {
			return on[v.r]
		}
		on[v.r] = true
		defer delete(on, v.r)
		kids := []value(nil)
		if v.kind == arrayKind {
			kids = v.array().elems
		} else {
			kids = v.object().vals
		}
		for _, k := range kids {
			if walk(k, depth+1) {
				return true
			}
		}
		return false
	}
	return walk(v, 0)
}

func (w *jsonWriter) newline(depth int) {
	if w.indent != "" {
		w.b.ascii("\n")
		for range depth {
			w.b.add(newStr(w.indent))
		}
	}
}

func (w *jsonWriter) value(v value, depth int) bool {
	if depth > maxDepth {
		return w.r.fail(KindType, "", "The value nests too deeply for JSON")
	}
	if !w.r.poll(8) {
		return false
	}
	switch v.kind {
	case stringKind:
		w.str(v.str())
		return w.r.poll(v.str().len())
	case numberKind:
		if v.n != v.n || math.IsInf(v.n, 0) {
			w.b.ascii("null")
		} else {
			w.b.ascii(formatNumber(v.n))
		}
	case arrayKind:
		a := v.array()
		if len(a.elems) == 0 {
			w.b.ascii("[]")
			return true
		}
		w.b.ascii("[")
		for i, e := range a.elems {
			if i > 0 {
				w.b.ascii(",")
			}
			w.newline(depth + 1)
			if e.kind == undefinedKind {
				e = nullValue
			}
			if !w.value(e, depth+1) {
				return false
			}
		}
		w.newline(depth)
		w.b.ascii("]")
	case objectKind:
		o := v.object()
		any := false
		w.b.ascii("{")
		for i, e := range o.vals {
			if e.kind == undefinedKind {
				continue
			}
			if any {
				w.b.ascii(",")
			}
			any = true
			w.newline(depth + 1)
			w.str(newStr(o.keys[i]))
			w.b.ascii(":")
			if w.indent != "" {
				w.b.ascii(" ")
			}
			if !w.value(e, depth+1) {
				return false
			}
		}
		if any {
			w.newline(depth)
		}
		w.b.ascii("}")
	default:
		w.b.add(v.toStr())
	}
	return true
}

const hexDigits = "0123456789abcdef"

// str is QuoteJSONString, ECMA-262 §25.5.4.3.
func (w *jsonWriter) str(s *str) {
	w.b.ascii(`"`)
	for i := 0; i < s.len(); i++ {
		c := s.at(i)
		switch {
		case c == '"' || c == '\\':
			w.b.ascii("\\" + string(rune(c)))
		case c == '\n':
			w.b.ascii(`\n`)
		case c == '\r':
			w.b.ascii(`\r`)
		case c == '\t':
			w.b.ascii(`\t`)
		case c == '\b':
			w.b.ascii(`\b`)
		case c == '\f':
			w.b.ascii(`\f`)
		case c >= 0xD800 && c < 0xE000:
			if c < 0xDC00 && i+1 < s.len() && utf16.IsSurrogate(rune(s.at(i+1))) && s.at(i+1) >= 0xDC00 {
				w.b.unit(c)
				i++
				w.b.unit(s.at(i))
				continue
			}
			fallthrough
		case c < ' ':
			w.b.ascii(`\u` + string([]byte{hexDigits[c>>12], hexDigits[c>>8&15], hexDigits[c>>4&15], hexDigits[c&15]}))
		default:
			w.b.unit(c)
		}
	}
	w.b.ascii(`"`)
}

func stringifyMethod(r *run, _ value, args []value) (value, bool) {
	indent := ""
	switch v := arg(args, 2); v.kind {
	case numberKind:
		for range int(min(max(conv.ToIntegerOrInfinity(v.n), 0), 10)) {
			indent += " "
		}
	case stringKind:
		s := v.str()
		indent = s.slice(0, min(s.len(), 10)).text()
	}
	s, ok := r.stringify(arg(args, 0), indent, "expr.stringify")
	if !ok {
		return value{}, false
	}
	if s == nil {
		return undefinedValue, true
	}
	return stringOf(s), true
}
