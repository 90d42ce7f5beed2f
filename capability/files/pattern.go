package files

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds on patterns: programs write them too.
const (
	maxPatternBytes        = 1024
	maxPatternAlternatives = 64
)

// pattern is a compiled glob.
type pattern struct {
	source string
	alts   [][]segment
}

// segment matches one name of a path, or, if deep, any number of names.
type segment struct {
	deep   bool
	text   string
	tokens []token
}

type tokenKind uint8

const (
	tokenRune tokenKind = iota
	tokenAny            // ?
	tokenStar           // *
	tokenClass
)

type token struct {
	kind   tokenKind
	r      rune
	negate bool
	ranges [][2]rune
}

// compilePattern reads a glob. transform, unless nil, is applied to what stands for
// itself, and must be to the names that are matched.
func compilePattern(source string, transform func(string) string) (pattern, error) {
	p := pattern{source: source}
	text := source
	switch {
	case text == "":
		return p, fmt.Errorf("a pattern is empty: ** means all files")
	case len(text) > maxPatternBytes:
		return p, fmt.Errorf("a pattern is longer than %d bytes", maxPatternBytes)
	case !utf8.ValidString(text):
		return p, fmt.Errorf("a pattern isn't UTF-8")
	case strings.HasPrefix(text, "!"):
		return p, fmt.Errorf("a pattern can't begin with !: patterns only grant")
	}
	for _, r := range text {
		if r == '\\' || isControl(r) {
			return p, fmt.Errorf("a pattern has a backslash or a control character: separate folders with /, and write [*] for a star")
		}
	}
	if transform != nil {
		text = transform(text)
	}
	alts, err := expandBraces(text)
	if err != nil {
		return p, err
	}
	for _, a := range alts {
		segs, err := compileSegments(a)
		if err != nil {
			return p, err
		}
		p.alts = append(p.alts, segs)
	}
	return p, nil
}

// expandBraces writes out {a,b}. Braces may be inside each other.
func expandBraces(text string) ([]string, error) {
	work, done := []string{text}, []string(nil)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		open, end, err := innerBraces(t)
		if err != nil {
			return nil, err
		}
		if open < 0 {
			done = append(done, t)
		} else {
			choices := strings.Split(t[open+1:end], ",")
			for i := len(choices) - 1; i >= 0; i-- {
				work = append(work, t[:open]+choices[i]+t[end+1:])
			}
		}
		if len(work)+len(done) > maxPatternAlternatives {
			return nil, fmt.Errorf("a pattern has more than %d alternatives", maxPatternAlternatives)
		}
	}
	return done, nil
}

// innerBraces finds the first pair of braces that has none inside; open is -1
// if there is none.
func innerBraces(t string) (open, end int, err error) {
	open = -1
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '[':
			if n := classEnd(t[i:]); n > 0 {
				i += n
			}
		case '{':
			open = i
		case '}':
			if open < 0 {
				return 0, 0, fmt.Errorf("a pattern has } without {")
			}
			return open, i, nil
		}
	}
	if open >= 0 {
		return 0, 0, fmt.Errorf("a pattern has { without }")
	}
	return -1, 0, nil
}

// classEnd returns where the class at the beginning of t ends: the index of its
// "]", or 0.
func classEnd(t string) int {
	i := 1
	if i < len(t) && (t[i] == '!' || t[i] == '^') {
		i++
	}
	if i < len(t) && t[i] == ']' {
		i++
	}
	for ; i < len(t) && t[i] != '/'; i++ {
		if t[i] == ']' {
			return i
		}
	}
	return 0
}

func compileSegments(text string) ([]segment, error) {
	var segs []segment
	if strings.HasSuffix(text, "/") {
		text += "**"
	}
	for s := range strings.SplitSeq(text, "/") {
		switch s {
		case "", ".":
		case "..":
			return nil, fmt.Errorf("a pattern has ..: patterns are relative to the root")
		case "**":
			if len(segs) == 0 || !segs[len(segs)-1].deep {
				segs = append(segs, segment{deep: true, text: s})
			}
		default:
			tokens, err := compileTokens(s)
			if err != nil {
				return nil, err
			}
			segs = append(segs, segment{text: s, tokens: tokens})
		}
	}
	if len(segs) == 0 {
		return nil, fmt.Errorf("a pattern names nothing: ** means all files")
	}
	if len(segs) > maxPathDepth {
		return nil, fmt.Errorf("a pattern has more than %d folders", maxPathDepth)
	}
	if segs[len(segs)-1].deep {
		// What is below a folder isn't the folder.
		segs = append(segs, segment{text: "*", tokens: []token{{kind: tokenStar}}})
	}
	return segs, nil
}

func compileTokens(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		switch s[i] {
		case '*':
			if len(out) == 0 || out[len(out)-1].kind != tokenStar {
				out = append(out, token{kind: tokenStar})
			}
			i++
		case '?':
			out = append(out, token{kind: tokenAny})
			i++
		case '[':
			end := classEnd(s[i:])
			if end == 0 {
				return nil, fmt.Errorf("a pattern has [ without ]: write [[] for the character")
			}
			t, err := compileClass(s[i+1 : i+end])
			if err != nil {
				return nil, err
			}
			out = append(out, t)
			i += end + 1
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			out = append(out, token{kind: tokenRune, r: r})
			i += n
		}
	}
	return out, nil
}

func compileClass(s string) (token, error) {
	t := token{kind: tokenClass}
	if s[0] == '!' || s[0] == '^' {
		t.negate, s = true, s[1:]
	}
	rs := []rune(s)
	for i := 0; i < len(rs); i++ {
		if i+2 < len(rs) && rs[i+1] == '-' {
			if rs[i] > rs[i+2] {
				return t, fmt.Errorf("a pattern has a range that is out of order")
			}
			t.ranges = append(t.ranges, [2]rune{rs[i], rs[i+2]})
			i += 2
		} else {
			t.ranges = append(t.ranges, [2]rune{rs[i], rs[i]})
		}
	}
	if len(t.ranges) == 0 {
		return t, fmt.Errorf("a pattern has an empty class")
	}
	return t, nil
}

func (t *token) one(r rune) bool {
	switch t.kind {
	case tokenRune:
		return r == t.r
	case tokenAny:
		return true
	}
	for _, g := range t.ranges {
		if r >= g[0] && r <= g[1] {
			return !t.negate
		}
	}
	return t.negate
}

// matchName reports whether the segment matches a name. It goes back only to the
// last star: the time is at most the product of the lengths.
func (s *segment) matchName(name string) bool {
	ti, ni := 0, 0
	star, from := -1, 0
	for ni < len(name) {
		if ti < len(s.tokens) {
			t := &s.tokens[ti]
			if t.kind == tokenStar {
				star, from = ti, ni
				ti++
				continue
			}
			if r, n := utf8.DecodeRuneInString(name[ni:]); t.one(r) {
				ti++
				ni += n
				continue
			}
		}
		if star < 0 {
			return false
		}
		_, n := utf8.DecodeRuneInString(name[from:])
		from += n
		ti, ni = star+1, from
	}
	for ti < len(s.tokens) && s.tokens[ti].kind == tokenStar {
		ti++
	}
	return ti == len(s.tokens)
}

// match reports whether the pattern matches a path. prefix, if not empty, is one more
// name before the others.
func (p *pattern) match(prefix string, names []string) bool {
	path := joined{prefix, names}
	for _, segs := range p.alts {
		if matchSegments(segs, path) {
			return true
		}
	}
	return false
}

// joined is a path with or without one more name before it.
type joined struct {
	prefix string
	names  []string
}

func (j joined) len() int {
	if j.prefix != "" {
		return len(j.names) + 1
	}
	return len(j.names)
}

func (j joined) at(i int) string {
	if j.prefix != "" {
		if i == 0 {
			return j.prefix
		}
		i--
	}
	return j.names[i]
}

func matchSegments(segs []segment, path joined) bool {
	si, pi := 0, 0
	deep, from := -1, 0
	for pi < path.len() {
		if si < len(segs) {
			if segs[si].deep {
				deep, from = si, pi
				si++
				continue
			}
			if segs[si].matchName(path.at(pi)) {
				si++
				pi++
				continue
			}
		}
		if deep < 0 {
			return false
		}
		from++
		si, pi = deep+1, from
	}
	for si < len(segs) && segs[si].deep {
		si++
	}
	return si == len(segs)
}

// below reports whether the pattern can match a path below a folder.
func (p *pattern) below(prefix string, names []string) bool {
	path := joined{prefix, names}
	for _, segs := range p.alts {
		if belowSegments(segs, path) {
			return true
		}
	}
	return false
}

func belowSegments(segs []segment, path joined) bool {
	for i := range path.len() {
		if i >= len(segs) {
			return false
		}
		if segs[i].deep {
			return true // it takes the rest of the folder's path, and then what it needs
		}
		if !segs[i].matchName(path.at(i)) {
			return false
		}
	}
	return len(segs) > path.len()
}

// covers reports whether the pattern surely matches all that q matches. It may be
// false although it does.
func (p *pattern) covers(q *pattern) bool {
	for _, b := range q.alts {
		covered := false
		for _, a := range p.alts {
			if coversSegments(a, b) {
				covered = true
				break
			}
		}
		if !covered {
			return false
		}
	}
	return true
}

func coversSegments(a, b []segment) bool {
	// can[j] says whether a[i:] covers b[j:], for i from the end on.
	can, next := make([]bool, len(b)+1), make([]bool, len(b)+1)
	next[len(b)] = true
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			case a[i].deep:
				can[j] = next[j] || j < len(b) && can[j+1]
			case j == len(b) || b[j].deep:
				can[j] = false
			default:
				can[j] = next[j+1] && a[i].coversName(&b[j])
			}
		}
		can, next = next, can
	}
	return next[0]
}

func (s *segment) coversName(q *segment) bool {
	if s.text == q.text || len(s.tokens) == 1 && s.tokens[0].kind == tokenStar {
		return true
	}
	for _, t := range q.tokens {
		if t.kind != tokenRune {
			return false
		}
	}
	return s.matchName(q.text)
}

// literal returns the names at the beginning of the pattern that stand for
// themselves, and whether these are all.
func (p *pattern) literal() (names []string, all bool) {
	if len(p.alts) != 1 {
		return nil, false
	}
	for _, s := range p.alts[0] {
		if s.deep {
			return names, false
		}
		for _, t := range s.tokens {
			if t.kind != tokenRune {
				return names, false
			}
		}
		names = append(names, s.text)
	}
	return names, true
}

// compose is what search patterns and names are compared in: systems differ in
// how they store the same accented letter.
func compose(s string) string { return norm.NFC.String(s) }
