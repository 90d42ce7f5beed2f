package list

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/patterns.txt
var patternText string

// Patterns are how a list is joined (UTS #35, List Patterns): each has its
// first and its second element as {0} and {1}.
type Patterns struct {
	Pair, Start, Middle, End string
	spanish                  bool
}

var all = sync.OnceValue(func() map[string]*Patterns {
	m := map[string]*Patterns{}
	for line := range strings.Lines(patternText) { //meter: embedded data, once
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for l := range strings.FieldsSeq(f[0]) { //meter: embedded data, once
			m[l+" "+f[1]+" "+f[2]] = &Patterns{f[3], f[4], f[5], f[6], l == "es" || strings.HasPrefix(l, "es-")}
		}
	}
	return m
})

// For returns the patterns of a data locale, a type (conjunction, disjunction,
// unit) and a style (long, short, narrow).
func For(data, typ, style string) *Patterns { return all()[data+" "+typ+" "+style] }

// Separators returns the texts before, between and after the elements of a
// pattern. next is the beginning of the element that follows, at least four
// characters of it if it has as many: in Spanish, y and o change before like
// sounds.
func (p *Patterns) Separators(pattern, next string) (before, between, after string) {
	before, rest, _ := strings.Cut(pattern, "{0}")
	between, after, _ = strings.Cut(rest, "{1}")
	if p.spanish {
		switch between {
		case " y ":
			if soundsLikeI(next) {
				between = " e "
			}
		case " o ":
			if soundsLikeO(next) {
				between = " u "
			}
		}
	}
	return before, between, after
}

func soundsLikeI(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case 'i', 'I':
		return true
	case 'h', 'H':
		return len(s) > 1 && (s[1] == 'i' || s[1] == 'I') && (len(s) == 2 || !strings.ContainsRune("aAeE", rune(s[2])))
	}
	return false
}

func soundsLikeO(s string) bool {
	switch {
	case s == "":
		return false
	case s[0] == 'o', s[0] == 'O', s[0] == '8':
		return true
	case s[0] == 'h', s[0] == 'H':
		return len(s) > 1 && (s[1] == 'o' || s[1] == 'O')
	}
	return s == "11" || strings.HasPrefix(s, "11 ")
}
