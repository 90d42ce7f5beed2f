package schema

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/membrane"
)

// literal writes a value as a type of that value alone.
func (w *writer) literal(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return quote(clip(v, 2000))
	case float64:
		return formatFloat(v)
	case bool, json.Number:
		return short(v, 300)
	case []any:
		if depth > 4 || len(v) > maxLiterals {
			return "unknown[]"
		}
		var items []string
		for _, it := range v {
			items = append(items, w.literal(it, depth+1))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *membrane.Object:
		if depth > 4 || v.Len() > maxLiterals {
			return "Record<string, unknown>"
		}
		var items []string
		for i := range v.Len() {
			k, it := v.At(i)
			items = append(items, label(k)+": "+w.literal(it, depth+1))
		}
		if len(items) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(items, "; ") + " }"
	}
	return "unknown"
}

// doc writes the comment in front of a declaration or property.
func (w *writer) doc(n *node, depth int) string {
	limit, lines := 600, 12
	if w.compact {
		limit, lines = 80, 1
	}
	text := n.description
	if text == "" {
		text = n.title
	}
	// A reference without words of its own has those of what it refers to.
	for m, i := n.ref, 0; text == "" && m != nil && i < 4; m, i = m.ref, i+1 {
		if w.prefix != "" {
			break // it stands in front of the declaration
		}
		if text = m.description; text == "" {
			text = m.title
		}
	}
	var out []string
	for _, l := range strings.Split(clip(strings.TrimSpace(text), limit), "\n") {
		if l = commentText(l); l != "" && len(out) < lines {
			out = append(out, l)
		}
	}
	notes := w.notes(n)
	if w.compact {
		if len(notes) > 0 {
			out = append(out, strings.Join(notes, ", "))
		}
		if len(out) == 0 {
			return ""
		}
		s := "/** " + strings.Join(out, "; ") + " */ "
		w.left -= len(s)
		return s
	}
	out = append(out, notes...)
	indent := strings.Repeat("  ", depth)
	s := ""
	switch {
	case len(out) == 0:
	case len(out) == 1 && len(out[0]) <= 100:
		s = "/** " + out[0] + " */\n" + indent
	default:
		s = "/**\n" + indent
		for _, l := range out {
			s += " * " + l + "\n" + indent
		}
		s += " */\n" + indent
	}
	w.left -= len(s)
	return s
}

// notes are the default and the bounds of a value.
func (w *writer) notes(n *node) []string {
	var out []string
	note := func(tag, text string) {
		if w.compact {
			out = append(out, tag+" "+commentText(text))
		} else {
			out = append(out, "@"+tag+" "+commentText(text))
		}
	}
	number := func(tag string, b *bound) {
		if b != nil {
			note(tag, b.String())
		}
	}
	size := func(tag string, i *int) {
		if i != nil {
			note(tag, short(float64(*i), 40))
		}
	}
	if n.hasDefault {
		note("default", short(n.defaultValue, 100))
	}
	if n.types&^typeNull == typeInteger {
		if w.compact {
			out = append(out, "integer")
		} else {
			note("type", "integer")
		}
	}
	number("minimum", n.minimum)
	number("maximum", n.maximum)
	number("exclusiveMinimum", n.moreThan)
	number("exclusiveMaximum", n.lessThan)
	number("multipleOf", n.multipleOf)
	size("minLength", n.minLength)
	size("maxLength", n.maxLength)
	if n.pattern != nil {
		note("pattern", clip(n.pattern.source, 120))
	}
	if n.formatName != "" {
		note("format", clip(n.formatName, 60))
	}
	if n.encoding != "" {
		note("contentEncoding", clip(n.encoding, 60))
	}
	size("minItems", n.minItems)
	size("maxItems", n.maxItems)
	if n.unique {
		if w.compact {
			out = append(out, "unique")
		} else {
			out = append(out, "@uniqueItems")
		}
	}
	if n.deprecated {
		if w.compact {
			out = append(out, "deprecated")
		} else {
			out = append(out, "@deprecated")
		}
	}
	return out
}

// commentText makes a text that can't end a comment or begin a line.
func commentText(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(strings.ReplaceAll(s, "*/", "*\\/"))
}

// reserved are words that can't name a type.
var reserved = map[string]bool{
	"any": true, "unknown": true, "never": true, "string": true, "number": true, "boolean": true, "object": true,
	"symbol": true, "bigint": true, "null": true, "undefined": true, "void": true, "true": true, "false": true,
	"this": true, "typeof": true, "keyof": true, "infer": true, "readonly": true, "unique": true, "asserts": true,
	"is": true, "in": true, "class": true, "enum": true, "function": true, "var": true, "new": true, "import": true,
	"export": true, "default": true, "if": true, "else": true, "for": true, "while": true, "do": true, "return": true,
	"break": true, "continue": true, "case": true, "catch": true, "const": true, "debugger": true, "delete": true,
	"extends": true, "finally": true, "instanceof": true, "super": true, "switch": true, "throw": true, "try": true,
	"with": true, "implements": true, "interface": true, "let": true, "package": true, "private": true,
	"protected": true, "public": true, "static": true, "yield": true, "await": true, "async": true, "type": true,
}

// identifier makes a name of a type of any text.
func identifier(s string) string {
	if isIdentifier(s) && !reserved[s] {
		return clipName(s)
	}
	if s = pascal(clipName(s)); s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "T" + s
	}
	if reserved[s] {
		s += "_"
	}
	return s
}

func clipName(s string) string {
	for len(s) > 100 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s
}

// pascal joins the words of a text with capital letters: get-weather is
// GetWeather. What isn't a letter or digit of ASCII parts words.
func pascal(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
			if up {
				r = unicode.ToUpper(r)
			}
			up = false
			b.WriteRune(r)
		case r == '$' || r == '_' && !up:
			up = true
		default:
			up = true
		}
	}
	return b.String()
}
