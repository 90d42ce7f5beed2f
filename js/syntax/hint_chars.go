package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charNames are characters that get into programs by editors, chats and
// keyboards, and what to write instead.
var charNames = map[rune][2]string{
	'‘': {"left single quotation mark", "'"}, '’': {"right single quotation mark", "'"}, '‚': {"single low quotation mark", "'"}, '‛': {"single high quotation mark", "'"},
	'“': {"left double quotation mark", `"`}, '”': {"right double quotation mark", `"`}, '„': {"double low quotation mark", `"`}, '‟': {"double high quotation mark", `"`},
	'«': {"left guillemet", `"`}, '»': {"right guillemet", `"`}, '‹': {"left single guillemet", "'"}, '›': {"right single guillemet", "'"},
	'′': {"prime", "'"}, '″': {"double prime", `"`}, '´': {"acute accent", "'"}, '「': {"left corner bracket", `"`}, '」': {"right corner bracket", `"`},
	'『': {"left white corner bracket", `"`}, '』': {"right white corner bracket", `"`},
	'‐': {"hyphen", "-"}, '‑': {"non-breaking hyphen", "-"}, '‒': {"figure dash", "-"}, '–': {"en dash", "-"}, '—': {"em dash", "-"}, '―': {"horizontal bar", "-"}, '−': {"minus sign", "-"},
	'×': {"multiplication sign", "*"}, '⋅': {"dot operator", "*"}, '·': {"middle dot", "*"}, '∗': {"asterisk operator", "*"}, '÷': {"division sign", "/"}, '∕': {"division slash", "/"}, '⁄': {"fraction slash", "/"},
	'≠': {"not equal to", "!=="}, '≤': {"less than or equal to", "<="}, '≥': {"greater than or equal to", ">="}, '≡': {"identical to", "==="}, '¬': {"not sign", "!"},
	'∧': {"logical and", "&&"}, '∨': {"logical or", "||"}, '→': {"rightwards arrow", "=>"}, '⇒': {"rightwards double arrow", "=>"}, '←': {"leftwards arrow", "="},
	'…': {"horizontal ellipsis", "..."}, '‥': {"two dot leader", "..."}, '⋯': {"midline horizontal ellipsis", "..."},
	'。': {"ideographic full stop", "."}, '、': {"ideographic comma", ","}, '،': {"Arabic comma", ","}, '؛': {"Arabic semicolon", ";"}, 0x037E: {"Greek question mark", ";"},
	'【': {"left black lenticular bracket", "["}, '】': {"right black lenticular bracket", "]"}, '〈': {"left angle bracket", "<"}, '〉': {"right angle bracket", ">"},
	'《': {"left double angle bracket", "<"}, '》': {"right double angle bracket", ">"}, '〔': {"left tortoise shell bracket", "["}, '〕': {"right tortoise shell bracket", "]"},
	'¦': {"broken bar", "|"}, '²': {"superscript two", "**2"}, '³': {"superscript three", "**3"},
}

// invisible are characters that no one sees.
var invisible = map[rune]string{
	0x00AD: "soft hyphen", 0x061C: "Arabic letter mark", 0x115F: "Hangul filler", 0x180E: "Mongolian vowel separator",
	0x200B: "zero width space", 0x200C: "zero width non-joiner", 0x200D: "zero width joiner", 0x200E: "left-to-right mark", 0x200F: "right-to-left mark",
	0x202A: "left-to-right embedding", 0x202B: "right-to-left embedding", 0x202C: "pop directional formatting", 0x202D: "left-to-right override", 0x202E: "right-to-left override",
	0x2060: "word joiner", 0x2061: "function application", 0x2062: "invisible times", 0x2063: "invisible separator", 0x2064: "invisible plus",
	0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "pop directional isolate",
	0xFE0E: "variation selector", 0xFE0F: "variation selector", 0xFFF9: "interlinear annotation anchor",
}

// replacement returns what a character is called and what to write for it.
func replacement(r rune) (name, instead string) {
	if n, ok := charNames[r]; ok {
		return n[0], n[1]
	}
	if r >= 0xFF01 && r <= 0xFF5E {
		return "fullwidth " + asciiName(r-0xFEE0), string(r - 0xFEE0)
	}
	return "", ""
}

func asciiName(r rune) string {
	switch r {
	case '(':
		return "left parenthesis"
	case ')':
		return "right parenthesis"
	case '{':
		return "left brace"
	case '}':
		return "right brace"
	case '[':
		return "left bracket"
	case ']':
		return "right bracket"
	case ';':
		return "semicolon"
	case ':':
		return "colon"
	case ',':
		return "comma"
	case '.':
		return "full stop"
	case '=':
		return "equals sign"
	case '\'', '"', '`':
		return "quotation mark"
	}
	if r >= '0' && r <= '9' {
		return "digit"
	}
	return "form of " + string(r)
}

func quoteChar(r rune) string {
	if r == '`' {
		return "a backtick"
	}
	return string(r)
}

// character names what isn't a character of programs.
func (m *mistake) character() string {
	if m.at >= len(m.src) {
		return ""
	}
	r, n := utf8.DecodeRuneInString(m.src[m.at:])
	if r == utf8.RuneError && n == 1 {
		if s, _ := decodeWTF8(m.src[m.at:]); s >= 0xD800 && s <= 0xDFFF {
			return fmt.Sprintf("half of a character (U+%04X, a surrogate) stands here; send the text as valid Unicode", s)
		}
		return "the text isn't valid UTF-8 here"
	}
	if hint := charHint(r); hint != "" {
		return hint
	}
	// A string that begins with a plain quote and ends with a smart one.
	if m.err.Message == msgInvalidToken && (r == '"' || r == '\'') {
		text := m.tok[1:]
		for i, c := range text {
			name, instead := replacement(c)
			if instead != string(r) {
				continue
			}
			m.relate(m.at+1+i, m.at+1+i+utf8.RuneLen(c))
			return fmt.Sprintf("%c (U+%04X, %s) at %s doesn't end the string; use %s", c, c, name, m.place(m.at+1+i), quoteChar(r))
		}
	}
	return ""
}

// charHint says what to do about a character that programs may not hold.
func charHint(r rune) string {
	if name, instead := replacement(r); name != "" {
		return fmt.Sprintf("%c (U+%04X, %s) means nothing in JavaScript; write %s", r, r, name, instead)
	}
	if name, ok := invisible[r]; ok {
		return fmt.Sprintf("an invisible character stands here: U+%04X (%s); delete it", r, name)
	}
	switch {
	case r == 0:
		return "a NUL character (U+0000) stands here; delete it"
	case r < 0x20 && r != '\t' && r != '\n' && r != '\r' && r != '\v' && r != '\f' || r >= 0x7F && r < 0xA0:
		return fmt.Sprintf("a control character (U+%04X) stands here; delete it", r)
	case r == 0xFFFD:
		return "a replacement character (U+FFFD) stands here: the text was damaged on its way; write the character again"
	case r >= 0xE000 && r <= 0xF8FF:
		return fmt.Sprintf("a private use character (U+%04X) stands here; delete it", r)
	case r >= utf8.RuneSelf && !isIDPart(r) && !unicode.IsSpace(r) && r != 0xFEFF:
		return fmt.Sprintf("%c (U+%04X) can stand in strings and comments only", r, r)
	}
	return ""
}

var entities = map[string]string{
	"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'", "nbsp": "a space", "#39": "'", "#34": `"`, "#60": "<", "#62": ">", "#38": "&",
	"#x27": "'", "#x22": `"`, "#x3C": "<", "#x3E": ">", "#x3c": "<", "#x3e": ">", "#x26": "&", "#x60": "`", "#96": "`", "ldquo": `"`, "rdquo": `"`, "lsquo": "'", "rsquo": "'",
	"hellip": "...", "ndash": "-", "mdash": "-",
}

// entity: HTML's way of writing a character stands around the place.
func (m *mistake) entity() string {
	for i := min(m.col, len(m.line)); i >= 0 && m.col-i <= 12; i-- {
		if i >= len(m.line) || m.line[i] != '&' {
			continue
		}
		end := strings.IndexByte(m.line[i:min(len(m.line), i+10)], ';')
		if end < 2 || i+end+1 < m.col {
			continue
		}
		name := m.line[i+1 : i+end]
		if c, ok := entities[name]; ok {
			at := m.at - m.col + i
			m.relate(at, at+end+1)
			return fmt.Sprintf("&%s; is HTML's way to write %s: send the program without HTML's escapes", name, c)
		}
	}
	return ""
}

// escapes: the text of the program was escaped once too often.
func (m *mistake) escapes() string {
	if strings.HasPrefix(m.src[m.at:], "#!") {
		return "a line that begins with #! can only be the first one of the text"
	}
	if strings.HasPrefix(m.src[m.at:], "#") && m.err.Message == msgInvalidToken && m.prev != "." && m.prev != "?." {
		return "# begins no comment here; use //"
	}
	if !strings.HasPrefix(m.src[m.at:], `\`) {
		return ""
	}
	rest := m.src[m.at+1:]
	switch {
	case strings.HasPrefix(rest, "n") || strings.HasPrefix(rest, "r") || strings.HasPrefix(rest, "t"):
		return `\` + rest[:1] + " stands outside of a string: the program's text is escaped; send real line breaks and tabs"
	case strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "`") || strings.HasPrefix(rest, "$"):
		return `\` + rest[:1] + " stands outside of a string: the program's text is escaped; send " + rest[:1] + " as it is"
	case rest == "" || rest[0] == '\n' || rest[0] == '\r':
		return `a statement needs no \ to go on in the next line; remove it`
	case rest[0] == '_' || rest[0] == '*' || rest[0] == '[' || rest[0] == ']' || rest[0] == '(' || rest[0] == ')' || rest[0] == '#':
		return `the \ in front of ` + rest[:1] + " is Markdown's; remove it"
	}
	return ""
}

// quotes: a string that isn't closed, or is closed too early.
func (m *mistake) quotes() string {
	if m.at >= len(m.src) {
		return ""
	}
	c := m.src[m.at]
	if strings.HasPrefix(m.err.Message, "Unterminated template") || strings.HasPrefix(m.err.Message, "Missing } in template") {
		// What was meant to end the template begins another one in its hole.
		if b := m.brackets(); len(b.open) > 0 {
			if o := b.open[len(b.open)-1]; o.char == '$' && (m.err.Message[0] == 'M' || m.lines.LineOf(int32(o.at)) == m.lines.LineOf(int32(m.at))) {
				m.relate(o.at, o.at+1)
				return "the ${ at " + m.place(o.at) + " is not closed"
			}
		}
	}
	switch {
	case m.err.Message == msgInvalidToken && (c == '"' || c == '\'') && strings.HasPrefix(m.src[m.at:], strings.Repeat(string(c), 3)),
		(c == '"' || c == '\'') && m.prevEnd == m.at && strings.HasSuffix(m.src[:m.at], string(c)+string(c)):
		return "triple quotes are Python's; put a text of several lines between backticks: `…`"
	case m.err.Message == msgInvalidToken && (c == '"' || c == '\''):
		if m.tok != "" && strings.HasSuffix(strings.TrimRight(m.tok, " \t"), `\`+string(c)) {
			return fmt.Sprintf(`the string isn't closed: its last %c is escaped by the \ before it; write \\ for a backslash`, c)
		}
		return fmt.Sprintf("the string isn't closed in its line: add %c, write \\n for a line break, or put the text between backticks", c)
	case strings.HasPrefix(m.err.Message, "Unterminated template"):
		return "the template isn't closed: a ` is missing"
	case m.err.Message == msgInvalidToken && strings.HasPrefix(m.src[m.at:], "/*"):
		return "the comment isn't closed: */ is missing"
	case m.err.Message == "Invalid regular expression: missing /":
		return "the regular expression that begins here isn't closed in its line; a / inside of it is written \\/"
	}
	// 'it's': a word right behind what ends a string.
	if m.prevEnd == m.at && m.at > 1 && isWordByte(c) {
		switch q := m.src[m.at-1]; q {
		case '\'', '"', '`':
			if before := m.src[m.at-2]; before == q && !(m.at > 2 && isWordByte(m.src[m.at-3])) {
				break // an empty string
			}
			return fmt.Sprintf("the string ended at the %c before this; write \\%c inside of it, or use other quotes around it", q, q)
		}
	}
	return ""
}
