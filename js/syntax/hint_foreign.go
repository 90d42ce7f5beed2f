package syntax

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// maxHintLine bounds the lines that patterns are tried on.
const maxHintLine = 500

// placeholder: dots that stand for code which was left out.
func (m *mistake) placeholder() string {
	const write = "... stands for something that was left out: write the code"
	switch {
	case m.tok == "...":
		if m.prev == "" || m.prev == "{" || m.prev == "}" || m.prev == ";" || m.startsLine() {
			return write
		}
	case m.prev == "..." && (m.tok == ")" || m.tok == "]" || m.tok == "}" || m.tok == ""):
		return "... needs a value to spread, as in ...rest; if it stands for something that was left out, write that"
	}
	if strings.HasPrefix(m.src[min(m.at, len(m.src)):], "{{") || m.at > 0 && strings.HasPrefix(m.src[m.at-1:], "{{") || m.tok == "}" && strings.HasPrefix(m.src[m.at:], "}}") {
		if p := braces.FindString(m.line); p != "" && len(m.line) < maxHintLine {
			return "put the value in the place of the placeholder " + p
		}
	}
	return ""
}

var braces = regexp.MustCompile(`\{\{\s*[\w.]+\s*\}\}`)

// startsLine: the place is the first of its line.
func (m *mistake) startsLine() bool { return strings.TrimLeft(m.line[:m.col], " \t") == "" }

// A dialect is a pattern for the line of the mistake and what to write.
type dialect struct {
	pattern *regexp.Regexp
	hint    string
}

func dialects(list ...string) []dialect {
	var out []dialect
	for i := 0; i < len(list); i += 2 {
		out = append(out, dialect{regexp.MustCompile(list[i]), list[i+1]})
	}
	return out
}

// foreignLines are other languages' statements, by the whole line up to and
// behind the mistake. They are asked only for texts that don't parse.
var foreignLines = sync.OnceValue(func() []dialect {
	return dialects(
		`^\s*(async\s+)?def\s+\w+\s*\(`, "def is Python's; write function name(a, b) { … }",
		`^\s*(public\s+|private\s+|protected\s+)*static\s+(void|int|String)\s+\w+\s*\(`, "this is Java's; write function name(a, b) { … }",
		`^\s*(pub\s+)?fn\s+\w+\s*[(<]`, "fn is Rust's; write function name(a, b) { … }",
		`^\s*func\s+(\(.*?\)\s*)?\w+\s*\(`, "func is Go's or Swift's; write function name(a, b) { … }",
		`^\s*fun\s+\w+\s*\(`, "fun is Kotlin's; write function name(a, b) { … }",
		`^\s*def\s+\w+`, "def is Ruby's; write function name(a, b) { … }",
		`^\s*let\s+mut\s+`, "let is mutable here; write let without mut",
		`^\s*(#\s*include|using\s+namespace|package\s+\w+\s*;?$)`, "this is no JavaScript; write the program in JavaScript",
		`^\s*<\?php`, "this is PHP; write the program in JavaScript",
		`^\s*#(\s|$)`, "# begins no comment here; use //",
		`^\s*--\s`, "-- begins no comment here; use //",
		`^\s*from\s+[\w.]+\s+import\s`, `this is Python's import; write import { name } from "module"`,
		`^\s*import\s+[\w.]+(\s+as\s+\w+)?\s*(,.*)?;?$`, `write import name from "module"; only what the host offers can be imported`,
		`(^|\})\s*(elif|elsif|elseif)\b`, "write else if",
		`^\s*\}?\s*except\b`, "write catch (e) { … }",
		`\bcatch\s*\(\s*\w+(\s*\|\s*\w+)*\s+\w+\s*\)`, "a catch takes a name without a type: catch (e)",
		`^\s*raise\s`, "write throw new Error(…)",
		`^\s*(puts|echo)\s`, "write console.log(…)",
		`^\s*print(ln|f)?\s+["'\w]`, "write console.log(…)",
		`^\s*(println|print|printf|format|vec|panic)!`, "macros are Rust's; write console.log(…)",
		`^\s*console\.\w+\s+["'\w]`, "a call needs parentheses: console.log(…)",
		`^\s*foreach\s*\(`, "write for (const item of list)",
		`^\s*for\s*\(\s*(?:const |let |var )?\w+\s*:\s*\w+\s*\)`, "write for (const item of list)",
		`^\s*for\s+.+\s+in\s+.+:\s*(#.*)?$`, "this is Python's loop; write for (const item of list) { … }",
		`^\s*for\s+\w+(\s*,\s*\w+)?\s*:=\s*range\b`, "this is Go's loop; write for (const item of list) { … }",
		`^\s*for\s+\w+\s+(of|in)\s`, "for needs parentheses: for (const item of list) { … }",
		`^\s*(if|while)\s+.+:\s*(#.*)?$`, "this is Python's; write if (…) { … } and while (…) { … }",
		`^\s*(else|try|finally)\s*:\s*$`, "blocks stand between braces: else { … }",
		`^\s*class\s+\w+(\(.*\))?\s*:\s*$`, "this is Python's class; write class Name extends Base { … }",
		`^\s*(unless|until)\b`, "write if (!…) or while (!…)",
		`^\s*with\s+.+\s+as\s+\w+\s*:`, "this is Python's with; write the steps one after the other, with try and finally",
		`\blambda\s+[\w, ]*:`, "lambda is Python's; write (a, b) => …",
		`^\s*local\s+\w+`, "write let or const instead of local",
		`^\s*(int|float|double|char|bool|boolean|string|String|long|short|byte|auto|final|val|dim|Dim)\s+\w+\s*(=|;|$)`, "a declaration has no type in front; write let or const",
		`^\s*(del)\s+\w`, "write delete object.key",
		`^\s*(SELECT|INSERT|UPDATE|DELETE)\s`, "SQL can't stand here; give it as a string to a function of the host",
	)
})

// foreignTokens are other languages' operators, by the text before and from the
// mistake on, which a \x00 parts.
var foreignTokens = sync.OnceValue(func() []dialect {
	return dialects(
		`:\x00=`, "there is no := here; write let x = … or x = …",
		`-\x00>`, "there is no -> here; write => for arrow functions and . for members",
		`=\x00<`, "write <= ",
		`<\x00>`, "write !==",
		`:\x00:|\w\s*\x00::`, "there is no :: here; write .",
		`(^|[^\w$.])not\s+\x00[\w$(\[{"']`, "write ! instead of not",
		`\x00and\b`, "write && instead of and",
		`\x00or\b`, "write || instead of or",
		`\x00not\s+in\b`, "write !list.includes(x), or !(key in object)",
		`\x00is(\s+not)?\b`, "write === or !== instead of is",
		`[\w)\]"'`+"`"+`]\s*\x00if\b.*\belse\b`, "write condition ? a : b",
		`[\w)\]"'`+"`"+`]\s+\x00for\s+\w.*\bin\b`, "this is Python's comprehension; write list.map(…) and list.filter(…)",
		`(^|[^\w$])[fFrRbu]\x00["']`, "there is no string prefix here; write a template: `… ${value}`",
		`(^|[^\w$])\$\x00["']`, "there is no string prefix here; write a template: `… ${value}`",
		`\d\.\x00\.?\d|\.\x00\.\.?\d|\d\s*\x00\.\.`, "there are no ranges here; use a for loop",
		`"""\x00|'''\x00|""\x00"|''\x00'`, "triple quotes are Python's; put a text of several lines between backticks: `…`",
		`\bexcept\s*\x00|\bexcept\s+\w+\s*\x00`, "write catch (e) { … }",
		`(["'])\s*\x00assert\b`, "write with instead of assert",
		`\x00then\b`, "there is no then here; put the condition in parentheses and the block in braces",
		`\x00mut\b|\bmut\s+\x00\w`, "let is mutable here; write let without mut",
		`[(,]\s*(int|float|double|string|String|bool|boolean|char|long|object|var|let|const|final)\s+\x00\w`, "parameters have nothing but their names: (a, b)",
	)
})

// foreign: a construct of another language.
func (m *mistake) foreign() string {
	if len(m.line) > maxHintLine {
		return ""
	}
	for _, d := range foreignLines() {
		if d.pattern.MatchString(m.line) {
			return d.hint
		}
	}
	text := m.line[:m.col] + "\x00" + m.line[m.col:]

	for _, d := range foreignTokens() {
		if d.pattern.MatchString(text) {
			return strings.TrimSpace(d.hint)
		}
	}
	return ""
}

// context: what is only right in another place.
func (m *mistake) context() string {
	switch msg := m.err.Message; {
	case strings.HasPrefix(msg, "await is only valid"):
		return "write async in front of the function around it; instead of forEach use for (const item of list)"
	case msg == "Illegal return statement":
		if m.goal == Module {
			return "a file with import or export is a module, whose value is what it exports: write export default …"
		}
		return "return stands inside of a function"
	case msg == "Cannot use import statement outside a module":
		return "import declarations stand at the top of the file, outside of functions and blocks; inside of them use await import(…)"
	case m.tok == "import" && strings.HasPrefix(msg, "Unexpected token"), m.prev == "import" && m.goal == Module:
		return "import declarations stand at the top of the file, outside of functions and blocks; inside of them use await import(…)"
	case msg == "Unexpected token 'export'":
		return "export stands at the top of a module, outside of functions and blocks"
	case msg == "Illegal break statement" || strings.HasPrefix(msg, "Illegal continue statement: no"):
		return "it stands inside of a loop; to leave a callback such as forEach's use return, or a for loop"
	case msg == "Unexpected strict mode reserved word" || msg == "Unexpected reserved word":
		return reservedHint(wordAt(m.src, m.at))
	case msg == "Unexpected eval or arguments in strict mode":
		return "choose another name"
	case strings.HasPrefix(msg, "Missing initializer in const"):
		return "give it a value, or write let"
	case msg == "Invalid shorthand property initializer":
		return "write : between a key and its value; = gives defaults in patterns only"
	case msg == "Malformed arrow function parameter list":
		return "names stand in front of =>; to compare write >="
	case msg == "Delete of an unqualified identifier in strict mode.":
		return "only properties can be deleted; set the variable to undefined"
	case msg == "Strict mode code may not include a with statement":
		return "there is no with here; name the object"
	case strings.HasPrefix(msg, "Octal literals") || strings.HasPrefix(msg, "Decimals with leading"):
		return "a number has no leading zero; write 0o17 for octal, or a string"
	case msg == "Missing catch or finally after try":
		return "add catch (e) { … }"
	case strings.HasPrefix(msg, "Private field '#") && m.startsLine():
		return "# begins no comment here; use //"
	case msg == "Illegal newline after throw":
		return "the value stands in the line of throw"
	case msg == "Invalid left-hand side in assignment":
		return "only a variable or a property can be assigned to; to compare write ==="
	}
	return ""
}

func reservedHint(word string) string {
	switch word {
	case "", "await", "let", "interface", "enum", "implements", "private", "public", "protected":
		return "" // more likely TypeScript, or Java
	}
	return word + " is a reserved word; choose another name"
}

// declared: a name is declared twice.
func (m *mistake) declared() string {
	name, ok := strings.CutSuffix(m.err.Message, "' has already been declared")
	name, is := strings.CutPrefix(name, "Identifier '")
	if !ok || !is || name == "" || len(name) > 60 {
		return ""
	}
	if name[0] == '#' {
		return "choose another name"
	}
	const assign = "to change it, assign without let or const; else choose another name"
	pattern, err := regexp.Compile(`(?:^|[^\w$.])(?:let|const|var|class|function\*?|using)\s+(` + regexp.QuoteMeta(name) + `)(?:[^\w$]|$)`)
	if err != nil {
		return ""
	}
	at := pattern.FindStringSubmatchIndex(m.src[:m.at])
	if at == nil || pattern.FindStringIndex(m.src[at[3]:m.at]) != nil {
		return assign
	}
	m.relate(at[2], at[3])
	return fmt.Sprintf("%s is declared at %s already; %s", name, m.place(at[2]), assign)
}

// shape: a construct that lacks a part.
func (m *mistake) shape() string {
	tok := m.tok
	switch m.prev {
	case "if", "while", "for", "switch", "catch":
		if tok == "await" {
			return "write async in front of the function around it"
		}
		if tok != "" && tok != "(" && m.err.Message != "Unexpected end of input" && (isWordByte(tok[0]) || tok == "!" || tok == "{") {
			if m.prev == "catch" && tok != "(" {
				return "write catch (e) { … }"
			}
			return m.prev + " needs parentheses around what follows: " + m.prev + " (…) { … }"
		}
	case "const", "let", "var", "function", "class":
		if strings.HasPrefix(m.err.Message, "Unexpected token '") && keyword(tok).isReserved() {
			if tok == "extends" {
				return "give the class a name"
			}
			return reservedHint(tok)
		}
		if strings.HasPrefix(m.err.Message, "Unexpected identifier") && tok != "yield" && tok != "await" && m.prevWordCloses() {
			if m.prev == "function" {
				return "methods stand without function"
			}
			if m.prev != "class" {
				return "fields and properties stand without " + m.prev
			}
		}
	case "async":
		if strings.HasPrefix(m.err.Message, "Unexpected identifier") {
			return "async stands in front of function, or of an arrow function's parameters"
		}
	}
	if tok == ":" && strings.HasPrefix(m.err.Message, "Unexpected token") {
		b := m.brackets()
		if n := len(b.open); n > 0 && b.open[n-1].char == '{' && strings.HasSuffix(strings.TrimRight(m.src[:b.open[n-1].at], " \t\r\n"), "=>") {
			m.relate(b.open[n-1].at, b.open[n-1].at+1)
			return "an object that an arrow function returns stands in parentheses: => ({ … })"
		}
	}
	switch {
	case tok == "else" || tok == "catch" || tok == "finally":
		b := m.brackets()
		if n := len(b.open); n > 0 && b.open[n-1].char == '{' && (m.prev != "}" || b.suspect.char == '{') {
			o := b.open[n-1]
			if m.prev == "}" {
				o = b.suspect
			}
			m.relate(o.at, o.at+1)
			return fmt.Sprintf("the { at %s is not closed before this %s", m.place(o.at), tok)
		}
		if tok == "else" {
			return "an else follows the one statement or the block of an if"
		}
	case m.err.Message == "Function statements require a function name":
		return "give the function a name, or assign it to a variable"
	case m.err.Message == "Unexpected number" || m.err.Message == "Unexpected string":
		// Two values on one line.
		if m.prevEnd > 0 && !strings.ContainsAny(m.src[m.prevEnd:m.at], "\r\n") && m.at > m.prevEnd {
			c := m.src[m.prevEnd-1]
			b := m.brackets()
			if n := len(b.open); c == '"' && n > 0 && b.open[n-1].char == '{' {
				return "a : is missing between the key and the value"
			}
			if charClass[m.prev[0]]&chDigit != 0 || strings.IndexByte(")]\"'`", c) >= 0 {
				return "a comma or an operator is missing before this"
			}
		}
	}
	// A list goes on without a comma: where a line break would end a statement,
	// this is an object, an array or a list of arguments.
	if m.at > m.prevEnd && strings.ContainsAny(m.src[m.prevEnd:m.at], "\r\n") && m.prevEnd > 0 && m.err.Message != "Unexpected end of input" {
		starts := strings.HasPrefix(m.err.Message, "Unexpected identifier") || m.err.Message == "Unexpected string" || m.err.Message == "Unexpected number" ||
			m.err.Message == "missing ) after argument list" && tok != "" && (isWordByte(tok[0]) && !startsStatement(tok) || tok[0] == '"' || tok[0] == '\'' || tok[0] == '{')
		if c := m.src[m.prevEnd-1]; starts && (isWordByte(c) || strings.IndexByte(")]}\"'`", c) >= 0) {
			b := m.brackets()
			if n := len(b.open); n > 0 && b.extra < 0 && b.wrong < 0 && !startsStatement(m.prev) {
				if o := b.open[n-1]; m.outdented(o) {
					o = b.likely(o)
					m.relate(o.at, o.at+1)
					return fmt.Sprintf("the %c at %s is not closed before this", o.char, m.place(o.at))
				}
				m.relate(m.prevEnd-1, m.prevEnd)
				return fmt.Sprintf("a comma is missing at the end of line %d", m.lines.LineOf(int32(m.prevEnd-1)))
			}
		}
	}
	return ""
}

// prevWordCloses: the word before the mistake stands in a class body or an
// object, where no statement can.
func (m *mistake) prevWordCloses() bool {
	b := m.brackets()
	n := len(b.open)
	return n > 0 && b.open[n-1].char == '{'
}
