package syntax

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Hints say in a line how to mend a text that doesn't parse: they know what
// programs written by language models and pasted from other places hold. They
// are looked for once, after the parse has failed, in time linear in the text;
// only what is all but certain gets one.

// A mistake is the place where a parse failed.
type mistake struct {
	src     string
	err     *SyntaxError
	at      int    // offset of what is wrong
	tok     string // the text there
	prev    string // the token before it, as far as one line has it
	prevEnd int
	line    string // the line of it
	col     int    // offset in line
	lines   *LineTable
	goal    Goal
	brack   *brackets // filled in by brackets()
}

// explain adds a hint to an error that has none.
func (p *parser) explain(e *SyntaxError) {
	if e.Hint != "" || e.TooLarge || p.opt.Goal == Eval || p.bare {
		return
	}
	m := &mistake{src: p.src, err: e, at: int(min(e.Start, int32(len(p.src)))), lines: p.prog.lines, goal: p.opt.Goal}
	start, end := lineBounds(m.src, m.at)
	m.line, m.col = m.src[start:end], m.at-start
	if p.typ.angle > 0 && int(p.typ.angle-1) <= m.at && p.element(e, p.typ.angle-1) {
		return
	}
	m.tok = m.src[m.at:max(m.at, min(int(e.End), len(m.src)))]
	m.prevEnd = m.at
	for m.prevEnd > 0 && strings.IndexByte(" \t\r\n", m.src[m.prevEnd-1]) >= 0 {
		m.prevEnd--
	}
	m.prev = lastToken(m.src[:m.prevEnd])
	for _, f := range hinters {
		if e.Hint = f(m); e.Hint != "" {
			return
		}
	}
}

// hinters are asked in turn; what is surer comes first.
var hinters = [...]func(*mistake) string{
	(*mistake).fence,
	(*mistake).pasted,
	(*mistake).character,
	(*mistake).entity,
	(*mistake).escapes,
	(*mistake).quotes,
	(*mistake).placeholder,
	(*mistake).foreign,
	(*mistake).misnested,
	(*mistake).context,
	(*mistake).declared,
	(*mistake).shape,
	(*mistake).unclosed,
}

// place names an offset.
func (m *mistake) place(off int) string {
	pos := m.lines.Position(int32(off))
	return fmt.Sprintf("%d:%d", pos.Line, pos.UTF16Column)
}

// relate notes the other place that a hint is about.
func (m *mistake) relate(start, end int) {
	m.err.Related = Span{int32(start), int32(end)}
}

// lineBounds returns the line around an offset without its end.
func lineBounds(src string, at int) (start, end int) {
	start, end = at, at
	for start > 0 && !lineEnds(src, start-1) {
		start--
	}
	for end < len(src) && !lineEnds(src, end) {
		end++
	}
	return start, end
}

func lineEnds(src string, i int) bool {
	switch src[i] {
	case '\n', '\r':
		return true
	case 0xA8, 0xA9:
		return i >= 2 && isLineSeparator(src, i-2)
	}
	return false
}

// lastToken returns the word or the operator that a text ends with.
func lastToken(s string) string {
	i := len(s)
	for i > 0 && len(s)-i < 32 && isWordByte(s[i-1]) {
		i--
	}
	if i < len(s) {
		return s[i:]
	}
	for i > 0 && len(s)-i < 3 && strings.IndexByte("=<>!&|+-*/%^~?:.,;", s[i-1]) >= 0 {
		i--
	}
	if i < len(s) {
		return s[i:]
	}
	_, n := utf8.DecodeLastRuneInString(s)
	return s[len(s)-n:]
}

func isWordByte(c byte) bool { return charClass[c]&chIDPart != 0 || c >= utf8.RuneSelf }

// wordAt returns the word that begins at an offset.
func wordAt(s string, i int) string {
	j := i
	for j < len(s) && j-i < 64 && isWordByte(s[j]) {
		j++
	}
	return s[i:j]
}

// fence: the program stands between the marks of a code block, or the text
// around it came along.
func (m *mistake) fence() string {
	at := fenceLine(m.src)
	if at < 0 {
		return ""
	}
	if strings.HasPrefix(m.err.Message, "Unterminated template") && m.at >= at && m.at <= at+3 || m.at > at && m.at <= at+3 {
		m.err.Start, m.err.End = int32(at), int32(at+3)
	}
	m.relate(at, at+3)
	if strings.TrimSpace(m.src[:at]) == "" || m.lines.LineOf(int32(at)) == m.lines.LineOf(m.err.Start) {
		return "remove the Markdown fence: send only the code between the lines with ```"
	}
	return fmt.Sprintf("remove the Markdown: send only the code, without the fence at %s and the text around it", m.place(at))
}

// fenceLine returns the offset of the first ``` that begins a line, or -1.
func fenceLine(src string) int {
	for from := 0; ; {
		i := strings.Index(src[from:], "```")
		if i < 0 {
			return -1
		}
		i += from
		if isFence(src, int32(i)) {
			return i
		}
		for from = i + 3; from < len(src) && src[from] == '`'; from++ {
		}
	}
}

// isFence reports whether the template that begins at an offset is the mark of
// a code block.
func isFence(src string, at int32) bool {
	if !strings.HasPrefix(src[at:], "```") {
		return false
	}
	i := int(at)
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') {
		i--
	}
	i = len(strings.TrimSuffix(src[:i], "\ufeff"))
	return i == 0 || lineEnds(src, i-1)
}

// refuseFence: a template tagged with an empty template at the start of a line
// is the mark of a Markdown code block, and not a program that could run: the
// text as a whole is often an expression that would fail with a message that
// tells nobody what is wrong.
func (p *parser) refuseFence(tag Expr) {
	t, ok := tag.(*TemplateLiteral)
	if !ok || p.bare || p.opt.Goal == Eval || p.opt.Goal == Script || !isFence(p.src, t.Start) {
		return
	}
	p.fail(t.Start, t.Start+3, "Unexpected template string")
}

// pasted: marks that come along when code is copied out of a diff, a listing or
// a session.
func (m *mistake) pasted() string {
	text := strings.TrimLeft(m.line, " \t")
	switch {
	case strings.HasPrefix(text, "<<<<<<<") || strings.HasPrefix(text, ">>>>>>>") || strings.HasPrefix(text, "======="):
		return "resolve the merge conflict: remove the marks <<<<<<<, ======= and >>>>>>> and one of the versions"
	case strings.HasPrefix(text, ">>> ") || text == ">>>":
		return "remove the prompt >>> in front of the lines"
	case strings.HasPrefix(text, "> ") && m.col <= len(m.line)-len(text)+2:
		return "remove the mark > in front of the lines"
	case strings.HasPrefix(text, "@@ -") || strings.HasPrefix(text, "diff --git ") || strings.HasPrefix(text, "--- a/") || strings.HasPrefix(text, "+++ b/") || strings.HasPrefix(text, "*** Begin Patch"):
		return "this is a diff: send the whole program as it is after the change"
	}
	if rest := m.src[m.at:]; !strings.ContainsAny(m.line, "`'\"") && (strings.HasPrefix(rest, "</") || m.at > 0 && strings.HasPrefix(m.src[m.at-1:], "</")) {
		if tag := closingTag.FindString(m.src[m.at-min(m.at, 1) : min(len(m.src), m.at+80)]); tag != "" {
			return "send only the program's text, without the tag " + tag
		}
	}
	if strings.HasPrefix(text, "<!DOCTYPE") || strings.HasPrefix(text, "<!doctype") || strings.HasPrefix(text, "<?xml") {
		return "send only the program's text, without the document around it"
	}
	line := m.lines.LineOf(int32(m.at))
	if mark := diffMark(m.line); mark != 0 {
		marked, other := 0, 0
		for l := max(1, line-20); l <= min(m.lines.Count(), line+20); l++ {
			switch s := m.lineText(l); {
			case diffMark(s) != 0:
				marked++
			case s != "" && s[0] != ' ' && s[0] != '@':
				other++
			}
		}
		if marked >= 2 && other == 0 {
			return "remove the marks + and - of a diff in front of the lines, and the lines with -"
		}
	}
	if n, rest := lineNumber(m.line); n >= 0 && m.col <= len(m.line)-len(rest)+len(wordAt(rest, 0))+1 {
		before, after := -1, -1
		if line > 1 {
			before, _ = lineNumber(m.lineText(line - 1))
		}
		if line < m.lines.Count() {
			after, _ = lineNumber(m.lineText(line + 1))
		}
		if after == n+1 || before >= 0 && before == n-1 {
			return "remove the line numbers in front of the lines"
		}
	}
	return ""
}

var closingTag = regexp.MustCompile(`</[A-Za-z_][\w:.-]*>`)

// lineText returns a line by its number from 1.
func (m *mistake) lineText(n int) string {
	start := int(m.lines.starts[n-1])
	_, end := lineBounds(m.src, start)
	return m.src[start:end]
}

// diffMark returns the mark of a line of a diff, 0 if it has none.
func diffMark(line string) byte {
	if len(line) > 1 && (line[0] == '+' || line[0] == '-') && line[1] != line[0] && line[1] != '=' {
		return line[0]
	}
	return 0
}

// lineNumber returns the number in front of a line of a listing and what stands
// behind it, or -1.
func lineNumber(line string) (int, string) {
	s := strings.TrimLeft(line, " \t")
	n, i := 0, 0
	for i < len(s) && i < 6 && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return -1, line
	}
	rest := s[i:]
	for _, mark := range []string{" | ", "| ", "|", ": ", ". ", ") ", "\t", "→", "  ", " "} {
		if r, ok := strings.CutPrefix(rest, mark); ok {
			return n, strings.TrimLeft(r, " \t")
		}
	}
	if rest == "" || rest == "|" || rest == ":" {
		return n, ""
	}
	return -1, line
}

// jsxMessage refuses JSX.
const (
	jsxMessage = "JSX isn't supported"
	jsxHint    = "build the text with a template literal, or return plain objects instead of elements"
)

// element makes an error the one about what begins with `<` at an offset, if that
// is an element of JSX or a placeholder such as <YOUR_KEY>.
func (p *parser) element(e *SyntaxError, at int32) bool {
	end := at + 1
	for int(end) < len(p.src) && (isWordByte(p.src[end]) || p.src[end] == '.') {
		end++
	}
	name := p.src[at+1 : end]
	switch {
	case strings.TrimLeft(p.src[:at], " \t\r\n\ufeff") == "" && strings.HasPrefix(p.src[end:], ">") && strings.ToLower(name) == name &&
		strings.HasSuffix(strings.TrimRight(p.src, " \t\r\n"), "</"+name+">") || name == "html" || name == "script":
		e.Message = "Unexpected token '<'"
		e.Hint = "send only the program's text, without <" + name + "> and </" + name + "> around it"
	case likeJSX(p.src, int(at)):
		e.Message, e.Hint = jsxMessage, jsxHint
	case len(name) > 2 && strings.ToUpper(name) == name && strings.HasPrefix(p.src[end:], ">"):
		e.Message = "Unexpected token '<'"
		e.Hint = "put the value in the place of the placeholder <" + name + ">"
	default:
		return false
	}
	e.Start, e.End = at, end
	return true
}

// likeJSX: what begins with `<` is an element rather than a type assertion or a
// comparison.
func likeJSX(src string, at int) bool {
	rest := src[at+1:]
	if strings.HasPrefix(rest, ">") {
		return strings.Contains(rest, "</>")
	}
	i := 0
	for i < len(rest) && (isWordByte(rest[i]) || rest[i] == '.' || rest[i] == '-') {
		i++
	}
	name := rest[:i]
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	rest = strings.TrimLeft(rest[i:], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, "/>"):
		return true
	case strings.HasPrefix(rest, ">"):
		return strings.Contains(rest, "</"+name)
	}
	// An attribute.
	j := 0
	for j < len(rest) && (isWordByte(rest[j]) || rest[j] == '-') {
		j++
	}
	if strings.HasPrefix(rest, "{...") {
		return true
	}
	word := rest[:j]
	rest = rest[j:]
	return j > 0 && word != "extends" && word != "keyof" && (strings.HasPrefix(rest, "=\"") || strings.HasPrefix(rest, "={") || strings.HasPrefix(rest, "='") || strings.HasPrefix(rest, "/>") || strings.HasPrefix(rest, ">"))
}

// jsx refuses an element where an operand should stand, in JavaScript.
func (p *parser) jsx() {
	e := &SyntaxError{}
	if p.opt.Goal != Eval && !p.bare && p.element(e, p.start) {
		panic(e)
	}
}
