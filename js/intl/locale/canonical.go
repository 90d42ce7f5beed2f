package locale

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/aliases.txt
var aliasText string

// rule replaces the subtags of from, where a tag has all of them, by those of to.
type rule struct{ from, to Tag }

type aliases struct {
	languages   map[string][]rule // by language
	scripts     map[string]string
	territories map[string][]string
	variants    map[string]string
	subdivision map[string]string
	types       map[string]string // "key from" of keywords and transform fields
}

var aliasData = sync.OnceValue(func() *aliases {
	a := &aliases{
		languages: map[string][]rule{}, scripts: map[string]string{}, territories: map[string][]string{},
		variants: map[string]string{}, subdivision: map[string]string{}, types: map[string]string{},
	}
	section := ""
	for line := range strings.Lines(aliasText) { //meter: embedded data, once
		f := strings.Fields(line)
		if f[0][0] == '[' {
			section = f[0]
			continue
		}
		switch section {
		case "[language]":
			from, ok1 := Parse(f[0])
			to, ok2 := Parse(f[1])
			if !ok1 || !ok2 {
				continue // no identifier, such as en-GB-oed
			}
			a.languages[from.Language] = append(a.languages[from.Language], rule{from, to})
		case "[script]":
			a.scripts[f[0]] = f[1]
		case "[territory]":
			a.territories[f[0]] = f[1:]
		case "[variant]":
			a.variants[f[0]] = f[1]
		case "[subdivision]":
			a.subdivision[f[0]] = f[1]
		default:
			a.types[f[0]+" "+f[1]] = f[2]
		}
	}
	for _, rules := range a.languages { //meter: embedded data, once
		// The rules with most subtags are tried first (UTS #35, Annex C).
		slices.SortStableFunc(rules, func(x, y rule) int { return x.from.weight() - y.from.weight() })
	}
	return a
})

func (t *Tag) weight() int {
	n := -16 * len(t.Variants)
	if t.Script != "" {
		n -= 2
	}
	if t.Region != "" {
		n--
	}
	return n
}

// Canonicalize returns the canonical form of an identifier (UTS #35, Annex C,
// as ECMA-402 §6.2.3 asks). ok is false if it is not structurally valid.
func Canonicalize(s string) (canonical string, ok bool) {
	if len(s) == 2 && alpha(s[0]) && alpha(s[1]) && known[s] {
		return s, true
	}
	t, ok := Parse(s)
	if !ok {
		return "", false
	}
	t.Canonicalize()
	return t.String(), true
}

// known are languages that no alias replaces, for speed.
var known = map[string]bool{"en": true, "de": true, "fr": true, "es": true, "pt": true, "ja": true, "zh": true}

// Canonicalize brings a parsed tag into canonical form.
func (t *Tag) Canonicalize() {
	t.canonicalizeBase()
	a := aliasData()
	slices.Sort(t.Attributes)
	t.Attributes = slices.Compact(t.Attributes)
	slices.SortStableFunc(t.Keywords, func(x, y Field) int { return strings.Compare(x.Key, y.Key) })
	for i := range t.Keywords { //meter: keywords of a bounded string
		f := &t.Keywords[i]
		f.Value = canonicalType(a, f.Key, f.Value)
	}
	if tr := t.Transform; tr != nil {
		if tr.Source != nil {
			tr.Source.canonicalizeBase()
		}
		slices.SortStableFunc(tr.Fields, func(x, y Field) int { return strings.Compare(x.Key, y.Key) })
		for i := range tr.Fields { //meter: fields of a bounded string
			f := &tr.Fields[i]
			if to, ok := a.types[f.Key+" "+f.Value]; ok {
				f.Value = to
			}
		}
	}
	slices.Sort(t.Other)
}

// CanonicalType returns the canonical value of a keyword, in lower case; that
// of "true" is empty.
func CanonicalType(key, value string) string {
	return canonicalType(aliasData(), key, Lower(value))
}

func canonicalType(a *aliases, key, value string) string {
	if to, ok := a.types[key+" "+value]; ok {
		value = to
	}
	switch key {
	case "rg", "sd":
		if to, ok := a.subdivision[value]; ok {
			if value = strings.ToLower(to); len(value) == 2 {
				value += "zzzz"
			}
		}
	}
	if value == "true" {
		return ""
	}
	return value
}

// canonicalizeBase replaces the aliases in language, script, region and
// variants.
func (t *Tag) canonicalizeBase() {
	a := aliasData()
	slices.Sort(t.Variants)
	for range 8 { //meter: fixed; the rules are no deeper
		if !t.replaceLanguage(a) {
			break
		}
	}
	if to, ok := a.scripts[t.Script]; ok {
		t.Script = to
	}
	if to, ok := a.territories[t.Region]; ok {
		r := to[0]
		if len(to) > 1 {
			// Several successors: the likely one of the language and script.
			likely := Tag{Language: t.Language, Script: t.Script}
			if likely.Maximize() && slices.Contains(to, likely.Region) {
				r = likely.Region
			}
		}
		t.Region = r
	}
	for i, v := range t.Variants { //meter: variants of a bounded string
		if to, ok := a.variants[v]; ok {
			t.Variants[i] = to
		}
	}
	slices.Sort(t.Variants)
	t.Variants = slices.Compact(t.Variants)
}

func (t *Tag) replaceLanguage(a *aliases) bool {
	for _, lang := range [2]string{t.Language, "und"} { //meter: fixed
		for i := range a.languages[lang] { //meter: embedded data, a few rules a language
			r := &a.languages[lang][i]
			if r.from.Script != "" && r.from.Script != t.Script || r.from.Region != "" && r.from.Region != t.Region {
				continue
			}
			if lang == "und" && len(r.from.Variants) == 0 {
				continue
			}
			if slices.ContainsFunc(r.from.Variants, func(v string) bool { return !slices.Contains(t.Variants, v) }) {
				continue
			}
			if r.to.Language != "und" {
				t.Language = r.to.Language
			}
			if r.from.Script != "" {
				t.Script = ""
			}
			if r.from.Region != "" {
				t.Region = ""
			}
			if t.Script == "" {
				t.Script = r.to.Script
			}
			if t.Region == "" {
				t.Region = r.to.Region
			}
			if len(r.from.Variants) > 0 || len(r.to.Variants) > 0 {
				t.Variants = slices.DeleteFunc(slices.Clone(t.Variants), func(v string) bool { return slices.Contains(r.from.Variants, v) })
				t.Variants = append(t.Variants, r.to.Variants...)
				slices.Sort(t.Variants)
			}
			return true
		}
	}
	return false
}
