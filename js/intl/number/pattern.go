package number

import (
	"cmp"
	"strings"
)

// pattern is a number pattern of CLDR (TR 35, part 3, Number Format Patterns)
// in its parts. Affixes are unparsed: they may have placeholders and quotes.
type pattern struct {
	prefix, suffix       string
	negPrefix, negSuffix string
	hasNegative          bool // a subpattern of its own for negative numbers
	primary, secondary   int  // sizes of the groups, 0 if there are none
	zeros                int  // integer digits asked for
	body                 bool // there is a place for the number
}

func parsePattern(s string) pattern {
	var p pattern
	pos, neg, found := cutUnquoted(s, ';')
	var body string
	p.prefix, body, p.suffix = splitBody(pos)
	p.body = body != ""
	whole, _, _ := strings.Cut(body, ".")
	p.zeros = strings.Count(whole, "0")
	if i := strings.LastIndexByte(whole, ','); i >= 0 {
		p.primary = len(whole) - i - 1
		p.secondary = p.primary
		if j := strings.LastIndexByte(whole[:i], ','); j >= 0 {
			p.secondary = i - j - 1
		}
	}
	if found {
		p.hasNegative = true
		p.negPrefix, _, p.negSuffix = splitBody(neg)
	}
	return p
}

// cutUnquoted is strings.Cut at a byte that is not between apostrophes.
func cutUnquoted(s string, sep byte) (before, after string, found bool) {
	quoted := false
	for i := range len(s) { //meter: fixed data
		switch {
		case s[i] == '\'':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// splitBody splits a subpattern around its digits.
func splitBody(s string) (prefix, body, suffix string) {
	start, quoted := -1, false
	for i := range len(s) { //meter: fixed data
		c := s[i]
		digit := !quoted && (c == '#' || c == '0' || c == ',' || c == '.')
		switch {
		case c == '\'':
			quoted = !quoted
		case digit && start < 0:
			start = i
		}
		if start >= 0 && !digit {
			return s[:start], s[start:i], s[i:]
		}
	}
	if start < 0 {
		return s, "", ""
	}
	return s[:start], s[start:], ""
}

// symbols are the characters of a locale and numbering system.
type symbols struct {
	decimal, group, percent, plus, minus, approximately, exponential, infinity, nan string
	digits                                                                          [10]string
}

// The Arabic numbering systems have symbols of their own in all locales.
var arabicSymbols = map[string]symbols{
	"arab":    {"٫", "٬", "٪\u061c", "\u061c+", "\u061c-", "~", "اس", "∞", "NaN", [10]string{}},
	"arabext": {"٫", "٬", "٪", "\u200e+\u200e", "\u200e-\u200e", "~", "×۱۰^", "∞", "NaN", [10]string{}},
}

// symbolsOf returns them; money is whether amounts of it are to be written,
// for which a few locales have other separators.
func symbolsOf(data, system string, money bool) symbols {
	s, ok := arabicSymbols[system]
	if !ok {
		get := func(name string) string { return text(data, "s."+name) }
		s = symbols{get("decimal"), get("group"), get("percent"), get("plus"), get("minus"), get("approx"), get("exp"), get("inf"), get("nan"), [10]string{}}
		if money {
			s.decimal = cmp.Or(get("curdecimal"), s.decimal)
			s.group = cmp.Or(get("curgroup"), s.group)
		}
	}
	if system == "arab" && data == "fr" {
		s.plus = "\u200f+"
	}
	i := 0
	for _, r := range common()["nu."+system] { //meter: ten digits
		s.digits[i%10] = string(r)
		i++
	}
	return s
}

// patternOf returns a locale's pattern: decimal, percent, currency or
// accounting.
func patternOf(data, system, name string) string {
	if system == "arab" { // for which the root locale has its own
		switch name {
		case "percent":
			return "#,##0%"
		case "currency", "accounting":
			return "#,##0.00\u00a0¤"
		}
	}
	return text(data, "p."+name)
}
