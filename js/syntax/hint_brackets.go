package syntax

import (
	"fmt"
	"strings"
)

// An opening is a bracket that has been read and not yet closed.
type opening struct {
	at     int
	char   byte // `$` for ${ of a template
	indent int  // of its line
}

// brackets is what a look over the text finds out about its brackets. It knows
// strings, templates, comments and, by what stands before them, regular
// expressions, and goes up to the place of the mistake or the end.
type brackets struct {
	open    []opening // not closed
	suspect opening   // closed by a bracket of a line that is indented less; char 0 if none
	extra   int       // a closing bracket that nothing opens, -1 if none
	wrong   int       // a closing bracket of the wrong kind, -1 if none
	wrongBy opening   // what it can't close
}

func closing(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

func (m *mistake) brackets() *brackets {
	if m.brack == nil {
		m.brack = matchBrackets(m.src, m.at)
	}
	return m.brack
}

// matchBrackets reads the text up to end.
func matchBrackets(src string, end int) *brackets {
	b := &brackets{extra: -1, wrong: -1}
	indent, atStart := 0, true
	operand := true // a `/` begins a regular expression
	end = min(end, len(src))
	for i := 0; i < end; {
		c := src[i]
		switch {
		case c == '\n' || c == '\r':
			indent, atStart = 0, true
			i++
			continue
		case c == ' ' || c == '\t':
			if atStart {
				indent++
			}
			i++
			continue
		case c == '/' && i+1 < end && src[i+1] == '/':
			for i < end && src[i] != '\n' && src[i] != '\r' {
				i++
			}
			continue
		case c == '/' && i+1 < end && src[i+1] == '*':
			j := strings.Index(src[i+2:end], "*/")
			if j < 0 {
				return b
			}
			i += j + 4
			atStart = false
			continue
		}
		first := atStart
		atStart = false
		switch c {
		case '"', '\'':
			i = skipString(src, i, end)
			operand = false
		case '`':
			var hole bool
			i, hole = skipTemplate(src, i+1, end)
			if hole {
				b.open = append(b.open, opening{i - 2, '$', indent})
			}
			operand = hole
		case '/':
			if operand {
				i = skipRegExpText(src, i, end)
				operand = false
			} else {
				i++
				operand = true
			}
		case '(', '[', '{':
			b.open = append(b.open, opening{i, c, indent})
			operand = true
			i++
		case ')', ']', '}':
			n := len(b.open)
			if n == 0 {
				b.extra = i
				return b
			}
			o := b.open[n-1]
			if o.char == '$' && c == '}' {
				b.open = b.open[:n-1]
				var hole bool
				i, hole = skipTemplate(src, i+1, end)
				if hole {
					b.open = append(b.open, opening{i - 2, '$', o.indent})
				}
				operand = hole
				continue
			}
			if closing(o.char) != c {
				b.wrong, b.wrongBy = i, o
				return b
			}
			if first && indent < o.indent && b.suspect.char == 0 {
				b.suspect = o
			}
			b.open = b.open[:n-1]
			operand = c == '}'
			i++
		default:
			if isWordByte(c) {
				w := i
				for i < end && isWordByte(src[i]) {
					i++
				}
				switch src[w:i] {
				case "return", "typeof", "case", "do", "else", "in", "instanceof", "new", "of", "void", "delete", "throw", "await", "yield":
					operand = true
				default:
					operand = false
				}
				continue
			}
			operand = true
			i++
		}
	}
	return b
}

func skipString(src string, i, end int) int {
	q := src[i]
	for i++; i < end; i++ {
		switch src[i] {
		case '\\':
			i++
		case q:
			return i + 1
		case '\n', '\r':
			return i
		}
	}
	return end
}

// skipTemplate goes behind the ` that ends a template or the ${ of a hole.
func skipTemplate(src string, i, end int) (int, bool) {
	for ; i < end; i++ {
		switch src[i] {
		case '\\':
			i++
		case '`':
			return i + 1, false
		case '$':
			if i+1 < end && src[i+1] == '{' {
				return i + 2, true
			}
		}
	}
	return end, false
}

func skipRegExpText(src string, i, end int) int {
	class := false
	for i++; i < end; i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		case '\n', '\r':
			return i
		}
	}
	return end
}

// misnested: a statement that is indented like one further out stands inside of
// braces, where it is an error: the braces are what is wrong.
func (m *mistake) misnested() string {
	switch msg := m.err.Message; {
	case strings.HasSuffix(msg, "' has already been declared"), strings.HasPrefix(msg, "Cannot use import statement"),
		msg == "Unexpected token 'export'", msg == "Unexpected token 'import'",
		strings.HasPrefix(msg, "Unexpected identifier") && startsDeclaration(m.prev):
	default:
		return ""
	}
	start := m.indent()
	if start != m.col && !startsDeclaration(wordAt(m.line, start)) {
		return ""
	}
	b := m.brackets()
	n := len(b.open)
	if n == 0 || b.extra >= 0 || b.wrong >= 0 {
		return ""
	}
	o := b.open[n-1]
	if o.char == '$' || o.indent < start || m.lines.LineOf(int32(o.at)) == m.lines.LineOf(int32(m.at)) {
		return ""
	}
	o = b.likely(o)
	m.relate(o.at, o.at+1)
	return fmt.Sprintf("the %c at %s is not closed before this", o.char, m.place(o.at))
}

// likely returns the bracket that isn't closed, given the innermost one that is
// open: where the brackets pair up differently from how the lines are indented,
// it is where that begins.
func (b *brackets) likely(o opening) opening {
	if b.suspect.char == o.char && b.suspect.at > o.at {
		return b.suspect
	}
	return o
}

// indent returns how far the line of the mistake is indented.
func (m *mistake) indent() int { return len(m.line) - len(strings.TrimLeft(m.line, " \t")) }

// outdented: the mistake begins a line that is indented no more than the line of
// an opening bracket, so that it was meant to stand behind what that begins.
func (m *mistake) outdented(o opening) bool {
	return m.startsLine() && m.indent() <= o.indent && m.lines.LineOf(int32(o.at)) != m.lines.LineOf(int32(m.at))
}

func startsDeclaration(word string) bool {
	switch word {
	case "const", "let", "var", "function", "class", "import", "export", "async":
		return true
	}
	return false
}

// unclosed says which opening bracket has no end, where that is what is wrong.
func (m *mistake) unclosed() string {
	name := func(o opening) string {
		if o.char == '$' {
			return "${"
		}
		return string(o.char)
	}
	not := func(o opening) string {
		m.relate(o.at, o.at+1)
		return fmt.Sprintf("the %s at %s is not closed", name(o), m.place(o.at))
	}
	switch {
	case m.err.Message == "Missing } in template expression":
		if b := m.brackets(); len(b.open) > 0 && b.open[len(b.open)-1].char == '$' {
			return not(b.open[len(b.open)-1])
		}
	case m.err.Message == "Unexpected end of input" || m.tok == "" && m.at >= len(m.src):
		b := m.brackets()
		if b.wrong >= 0 {
			return not(b.wrongBy)
		}
		if n := len(b.open); n > 0 && b.extra < 0 {
			return not(b.likely(b.open[n-1]))
		}
	case m.err.Message == "missing ) after argument list":
		b := m.brackets()
		if n := len(b.open); n > 0 && b.open[n-1].char == '(' {
			o := b.open[n-1]
			m.relate(o.at, o.at+1)
			if m.tok == "}" || m.tok == "]" || m.tok == ";" || startsStatement(m.tok) || m.outdented(o) {
				return not(o)
			}
			return fmt.Sprintf("a comma is missing before this, or the ) for the ( at %s", m.place(o.at))
		}
	case m.tok == ")" || m.tok == "]" || m.tok == "}":
		b := m.brackets()
		n := len(b.open)
		if b.extra >= 0 || b.wrong >= 0 {
			break
		}
		if n == 0 {
			return fmt.Sprintf("nothing opens this %s: remove it, or look for a bracket that was closed too early", m.tok)
		}
		if o := b.open[n-1]; o.char != '$' && string(closing(o.char)) != m.tok {
			return not(b.likely(o)) + " before this " + m.tok
		}
	case m.tok == "=>" || m.tok == "from" || m.tok == "{" && m.prev != "" && (isWordByte(m.prev[0]) || m.prev == ")" || m.prev == "]"):
		// The end of parameters, of a condition or of what is imported.
		b := m.brackets()
		if n := len(b.open); n > 0 && b.extra < 0 && b.wrong < 0 {
			if o := b.open[n-1]; (o.char == '(') == (m.tok != "from") && o.char != '[' && o.char != '$' {
				return not(o) + " before this " + m.tok
			}
		}
	case startsStatement(m.tok):
		// A statement where an expression or a list goes on.
		b := m.brackets()
		if n := len(b.open); n > 0 && b.extra < 0 && b.wrong < 0 && (b.open[n-1].char == '(' || b.open[n-1].char == '[') && m.prev != "=" {
			return not(b.open[n-1])
		}
	}
	return ""
}

// startsStatement: a keyword that only begins statements.
func startsStatement(tok string) bool {
	switch tok {
	case "const", "var", "return", "if", "for", "while", "switch", "throw", "try", "do", "break", "continue", "else", "catch", "case", "export":
		return true
	}
	return false
}
