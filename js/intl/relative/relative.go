package relative

import (
	"embed"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold/js/intl/number"
	"github.com/pinfold-js/pinfold/js/intl/plural"
)

//go:embed data/*.txt
var files embed.FS

// tables has the data of each data locale, read on first use.
var tables = func() map[string]func() map[string]string {
	t := map[string]func() map[string]string{}
	entries, _ := files.ReadDir("data") // embedded: it is there
	for _, e := range entries {         //meter: fixed
		t[strings.TrimSuffix(e.Name(), ".txt")] = sync.OnceValue(func() map[string]string {
			b, _ := files.ReadFile("data/" + e.Name())
			m := map[string]string{}
			for line := range strings.SplitSeq(string(b), "\n") { //meter: fixed data
				if key, value, ok := strings.Cut(line, "\t"); ok {
					m[key] = value
				}
			}
			return m
		})
	}
	return t
}()

// find looks a key up in a locale and its parents.
func find(data, key string) string {
	for data != "" { //meter: at most three
		if t := tables[data]; t != nil {
			if v, ok := t()[key]; ok {
				return v
			}
		}
		data = number.Parent(data)
	}
	return ""
}

// units are the units, in the order of their lengths.
var units = [...]string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// Unit is SingularRelativeTimeUnit (ECMA-402 §18.5.1).
func Unit(s string) (unit string, ok bool) {
	for _, u := range units { //meter: eight
		if s == u || len(s) == len(u)+1 && s[:len(u)] == u && s[len(u)] == 's' {
			return u, true
		}
	}
	return "", false
}

// Formatter writes relative times by some options.
type Formatter struct {
	number *number.Formatter
	rules  *plural.Rules
	digits number.Digits
	auto   bool
	fields map[string]*field
}

// field is how a unit is written: patterns of the past and the future, by
// category, and names of some numbers.
type field struct {
	past, future [plural.NumCategories]string
	names        map[string]string
}

// New makes a Formatter for a data locale. style is long, short or narrow; auto
// is whether words such as tomorrow are used.
func New(data, numberingSystem, style string, auto bool) *Formatter {
	o := number.Default(data)
	o.NumberingSystem = numberingSystem
	o.Mode = number.HalfEven
	f := &Formatter{number: number.New(o), rules: plural.For(data, false), digits: o.Digits, auto: auto, fields: map[string]*field{}}
	suffix := "-" + style
	if style == "long" {
		suffix = ""
	}
	for _, u := range units { //meter: eight
		list := strings.Split(find(data, u+suffix), "|")
		if len(list) < 2 {
			continue
		}
		fd := &field{past: patterns(list[0]), future: patterns(list[1]), names: map[string]string{}}
		for _, n := range list[2:] { //meter: fixed data
			k, v, _ := strings.Cut(n, "=")
			fd.names[k] = v
		}
		f.fields[u] = fd
	}
	return f
}

// patterns reads "other~one=…~…".
func patterns(s string) (p [plural.NumCategories]string) {
	forms := strings.Split(s, "~")
	for c := range p { //meter: six
		p[c] = forms[0]
		for _, f := range forms[1:] { //meter: fixed data
			if v, ok := strings.CutPrefix(f, plural.Category(c).String()+"="); ok {
				p[c] = v
			}
		}
	}
	return p
}

// name returns the word for a number that has one. Numbers count as equal that
// differ by less than half a hundredth.
func (f *Formatter) name(fd *field, value float64) (string, bool) {
	if !f.auto || !(value > -2.1 && value < 2.1) {
		return "", false
	}
	hundredths := int(math.Trunc(value*100 + math.Copysign(0.5, value)))
	if hundredths%100 != 0 {
		return "", false
	}
	s, ok := fd.names[strconv.Itoa(hundredths/100)]
	return s, ok
}

// pattern picks the pattern for a number.
func (f *Formatter) pattern(fd *field, value float64) (pattern string, abs number.Decimal) {
	o := f.digits.Operands(number.FromFloat(math.Abs(value)))
	c := f.rules.Select(&o)
	abs = number.FromFloat(math.Abs(value))
	if math.Signbit(value) {
		return fd.past[c], abs
	}
	return fd.future[c], abs
}

// Format writes a finite number of a unit that Unit returned.
func (f *Formatter) Format(value float64, unit string) string {
	fd := f.fields[unit]
	if s, ok := f.name(fd, value); ok {
		return s
	}
	pattern, abs := f.pattern(fd, value)
	return strings.Replace(pattern, "{0}", f.number.Format(abs), 1)
}

// FormatToParts writes it in parts. Those that are not literal belong to the
// unit.
func (f *Formatter) FormatToParts(value float64, unit string) []number.Part {
	fd := f.fields[unit]
	if s, ok := f.name(fd, value); ok {
		return []number.Part{{Type: "literal", Value: s}}
	}
	pattern, abs := f.pattern(fd, value)
	before, after, found := strings.Cut(pattern, "{0}")
	var list []number.Part
	if before != "" {
		list = append(list, number.Part{Type: "literal", Value: before})
	}
	if found {
		list = append(list, f.number.FormatToParts(abs)...)
	}
	if after != "" {
		list = append(list, number.Part{Type: "literal", Value: after})
	}
	return list
}
