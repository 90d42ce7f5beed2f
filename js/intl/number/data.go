package number

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold/js/intl/locale"
)

//go:embed data/*.txt
var files embed.FS

func read(name string) map[string]string {
	b, _ := files.ReadFile("data/" + name + ".txt") // a locale that is like its parent has no file
	text := string(b)
	m := make(map[string]string, strings.Count(text, "\n")) //meter: embedded data, once
	for line := range strings.SplitSeq(text, "\n") {        //meter: fixed data
		if key, value, ok := strings.Cut(line, "\t"); ok {
			m[key] = value
		}
	}
	return m
}

var common = sync.OnceValue(func() map[string]string { return read("common") })

// A place is an available locale: where its data come from, and what those
// inherit from.
type place struct{ data, parent string }

// places are the locales of number formats: more than those of js/intl/locale,
// which are among them.
var places = sync.OnceValue(func() map[string]place {
	b, _ := files.ReadFile("data/locales.txt")
	m := map[string]place{}
	for line := range strings.SplitSeq(string(b), "\n") { //meter: fixed data
		if f := strings.Split(line, "\t"); len(f) == 3 {
			m[f[0]] = place{f[1], f[2]}
		}
	}
	return m
})

// BestAvailable is BestAvailableLocale (ECMA-402 §9.2.2) among the locales of
// number formats: the longest prefix of an identifier that is available, or "".
func BestAvailable(tag string) string {
	best := locale.BestAvailable(tag)
	for len(tag) > len(best) { //meter: subtags of a bounded string
		if _, ok := places()[tag]; ok {
			return tag
		}
		i := strings.LastIndexByte(tag, '-')
		if i < 0 {
			break
		}
		if i >= 2 && tag[i-2] == '-' {
			i -= 2
		}
		tag = tag[:i]
	}
	return best
}

// DataLocale returns the locale whose data an available locale uses.
func DataLocale(available string) string {
	if p, ok := places()[available]; ok {
		return p.data
	}
	return locale.DataLocale(available)
}

// Parent returns the data locale that a data locale inherits from, or "".
func Parent(data string) string { return places()[data].parent }

// tables has the data of each data locale, read on first use.
var tables = func() map[string]func() map[string]string {
	t := map[string]func() map[string]string{}
	entries, _ := files.ReadDir("data") // embedded: it is there
	for _, e := range entries {         //meter: fixed
		if name := strings.TrimSuffix(e.Name(), ".txt"); name != "common" && name != "locales" {
			t[name] = sync.OnceValue(func() map[string]string { return read(name) })
		}
	}
	return t
}()

// find looks a key up in a locale and its parents.
func find(data, key string) (string, bool) {
	for data != "" { //meter: at most three
		if t := tables[data]; t != nil {
			if v, ok := t()[key]; ok {
				return v, true
			}
		}
		data = Parent(data)
	}
	return "", false
}

func text(data, key string) string {
	s, _ := find(data, key)
	return s
}

// form picks one of the forms of a value "other~one=…~…": exact is whether
// only that form will do.
func form(value, name string, exact bool) (string, bool) {
	other, rest, more := strings.Cut(value, "~")
	for more { //meter: a value's few forms
		var f string
		f, rest, more = strings.Cut(rest, "~")
		if v, ok := strings.CutPrefix(f, name); ok && len(v) > 0 && v[0] == '=' {
			return v[1:], true
		}
	}
	if exact {
		return "", false
	}
	return other, true
}

// CurrencyDigits is CurrencyDigits (ECMA-402 §16.5.1).
func CurrencyDigits(code string) int {
	if i := strings.Index(common()["fractions"], code+"="); i >= 0 {
		return int(common()["fractions"][i+len(code)+1] - '0')
	}
	return 2
}

// currencySymbol returns how a currency is written: display is symbol,
// narrowSymbol or code.
func currencySymbol(data, code, display string) string {
	if display == "code" {
		return code
	}
	f := strings.SplitN(text(data, "$"+code), "|", 3)
	if len(f) < 3 {
		return code
	}
	if display == "narrowSymbol" && f[1] != "" {
		return f[1]
	}
	if f[0] != "" {
		return f[0]
	}
	return code
}

// currencyNames returns a currency's names, with forms.
func currencyNames(data, code string) string {
	for d := data; d != ""; d = Parent(d) { //meter: at most three
		v, _ := find(d, "$"+code)
		if f := strings.SplitN(v, "|", 3); len(f) == 3 && f[2] != "" {
			return f[2]
		}
	}
	return code
}

// Currencies returns the codes that English has a name for, in order.
func Currencies() []string {
	var list []string
	for key := range tables["en"]() { //meter: fixed data
		if key[0] == '$' {
			list = append(list, key[1:])
		}
	}
	slices.Sort(list)
	return list
}

// Units are the single units that ECMA-402 sanctions (§6.6.2), in order.
var Units = strings.Fields("acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch kilobit " +
	"kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter millimeter millisecond minute month nanosecond ounce " +
	"percent petabyte pound second stone terabit terabyte week yard year")

// IsUnit is IsWellFormedUnitIdentifier (ECMA-402 §6.6.1).
func IsUnit(s string) bool {
	if simpleUnit(s) {
		return true
	}
	a, b, ok := strings.Cut(s, "-per-")
	return ok && simpleUnit(a) && simpleUnit(b)
}

func simpleUnit(s string) bool {
	_, ok := slices.BinarySearch(Units, s)
	return ok
}

// DefaultNumberingSystem returns a locale's numbering system.
func DefaultNumberingSystem(data string) string { return text(data, "nu") }

// numberingSystems are the ones with simple digits, in order.
var numberingSystems = sync.OnceValue(func() []string {
	var list []string
	for key := range common() { //meter: fixed data
		if name, ok := strings.CutPrefix(key, "nu."); ok {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
})

// NumberingSystems returns all numbering systems with simple digits, in order.
func NumberingSystems() []string { return slices.Clone(numberingSystems()) }

// NumberingSystemsOf returns the numbering systems of a locale, its default
// first.
func NumberingSystemsOf(data string) []string {
	return append([]string{DefaultNumberingSystem(data)}, numberingSystems()...)
}
