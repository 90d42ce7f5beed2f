package plural

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Category is a plural category.
type Category uint8

const (
	Other Category = iota
	Zero
	One
	Two
	Few
	Many
	NumCategories
)

var names = [NumCategories]string{"other", "zero", "one", "two", "few", "many"}

func (c Category) String() string { return names[c] }

func parseCategory(s string) Category {
	for i, n := range names { //meter: six
		if n == s {
			return Category(i)
		}
	}
	return Other
}

// Operands are what rules look at, of the absolute value of a number as it is
// written (TR 35, Operands). Of I the last 18 digits count, of F and T the first.
type Operands struct {
	I uint64 // the integer part
	F uint64 // the fraction digits, with trailing zeros
	T uint64 // the fraction digits, without
	V int    // how many fraction digits there are, with trailing zeros
	W int    // and without
	E int    // the exponent of a compact or scientific form
	// Special is set for infinities and for what is no number: they are Other.
	Special bool
}

// Rules are the rules of a language for one type, cardinal or ordinal.
type Rules struct {
	rules  []rule
	ranges string
}

type rule struct {
	category Category
	any      [][]relation // one of them must hold, in all its relations
}

// relation is "operand % mod = ranges", or != if not is set.
type relation struct {
	operand byte
	mod     uint64
	not     bool
	ranges  [][2]uint64
}

//go:embed data/plurals.txt
var data string

// index maps "cardinal en" and the like to the text of the rules.
var index = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(data, "\n") { //meter: fixed data
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			continue
		}
		for lang := range strings.SplitSeq(f[1], " ") { //meter: fixed data
			m[f[0]+" "+lang] = f[2]
		}
	}
	return m
})

// lookup finds the text for the longest prefix of a locale that has one.
func lookup(kind, locale string) string {
	for { //meter: as many times as the locale has subtags
		if text, ok := index()[kind+" "+locale]; ok {
			return text
		}
		i := strings.LastIndexByte(locale, '-')
		if i < 0 {
			return ""
		}
		locale = locale[:i]
	}
}

// Has reports whether there are rules for a language.
func Has(language string) bool {
	_, ok := index()["cardinal "+language]
	return ok
}

// For returns the rules of a locale; those of an unknown one give Other for
// every number.
func For(locale string, ordinal bool) *Rules {
	kind := "cardinal"
	if ordinal {
		kind = "ordinal"
	}
	r := &Rules{ranges: lookup("range", locale)}
	text := lookup(kind, locale)
	if text == "" {
		return r
	}
	for part := range strings.SplitSeq(text, "; ") { //meter: fixed data
		name, cond, _ := strings.Cut(part, ": ")
		ru := rule{category: parseCategory(name)}
		for alt := range strings.SplitSeq(cond, " or ") { //meter: fixed data
			var all []relation
			for rel := range strings.SplitSeq(alt, " and ") { //meter: fixed data
				all = append(all, parseRelation(rel))
			}
			ru.any = append(ru.any, all)
		}
		r.rules = append(r.rules, ru)
	}
	// Where two rules hold, as for negative exponents, ICU takes the first by
	// name.
	slices.SortFunc(r.rules, func(a, b rule) int { return strings.Compare(a.category.String(), b.category.String()) })
	return r
}

func parseRelation(s string) relation {
	f := strings.Fields(s) // n [% 10] = 1..3,5
	r := relation{operand: f[0][0]}
	if f[1] == "%" {
		r.mod = number(f[2])
		f = f[2:]
	}
	r.not = f[1] == "!="
	for x := range strings.SplitSeq(f[2], ",") { //meter: fixed data
		lo, hi, ok := strings.Cut(x, "..")
		if !ok {
			hi = lo
		}
		r.ranges = append(r.ranges, [2]uint64{number(lo), number(hi)})
	}
	return r
}

func number(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}

// Select returns the category of a number.
func (r *Rules) Select(o *Operands) Category {
	if o.Special {
		return Other
	}
	for i := range r.rules { //meter: at most five
		for _, all := range r.rules[i].any { //meter: a language's few conditions
			if holds(all, o) {
				return r.rules[i].category
			}
		}
	}
	return Other
}

func holds(all []relation, o *Operands) bool {
	for i := range all { //meter: a condition's few relations
		if all[i].holds(o) == all[i].not {
			return false
		}
	}
	return true
}

// holds leaves not to the caller.
func (r *relation) holds(o *Operands) bool {
	var v uint64
	switch r.operand {
	case 'n':
		if o.T != 0 {
			return false
		}
		v = o.I
	case 'i':
		v = o.I
	case 'f':
		v = o.F
	case 't':
		v = o.T
	case 'v':
		v = uint64(o.V)
	case 'w':
		v = uint64(o.W)
	default: // e, c
		v = uint64(o.E)
	}
	if r.mod != 0 {
		v %= r.mod
	}
	for _, x := range r.ranges { //meter: a relation's few ranges
		if v >= x[0] && v <= x[1] {
			return true
		}
	}
	return false
}

// Range returns the category of a range between numbers of two categories.
func (r *Rules) Range(from, to Category) Category {
	want := from.String() + "+" + to.String() + "="
	for f := range strings.SplitSeq(r.ranges, " ") { //meter: fixed data
		if rest, ok := strings.CutPrefix(f, want); ok {
			return parseCategory(rest)
		}
	}
	return Other
}

// Categories are the categories that the rules tell apart, in the order of
// their names with other last.
func (r *Rules) Categories() []string {
	var list []string
	for i := range r.rules { //meter: at most five
		list = append(list, r.rules[i].category.String())
	}
	return append(list, Other.String())
}
