package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/collate"
	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.Collator is its resolved options in the order of
// collatorFields, separated by spaces.
const (
	collatorLocale = iota
	collatorUsage
	collatorSensitivity
	collatorPunctuation
	collatorCollation
	collatorNumeric
	collatorCaseFirst
	collatorFields
)

// collatorLocales are the common locales and those of languages that keep the
// root order, put their script first or have a few letters of their own.
var collatorLocales = localeSet{
	func(tag string) string {
		common := locale.BestAvailable(tag)
		own := locale.Best(tag, func(l string) bool { return collatorLanguage(l) != "" })
		if len(own) > len(common) {
			return own
		}
		return common
	},
	func(tag string) string {
		if l := collatorLanguage(tag); l != "" {
			return l
		}
		return locale.DataLocale(tag)
	},
}

// collatorLanguage returns the language of a locale that only Intl.Collator
// has, "" for another.
func collatorLanguage(tag string) string {
	lang, _, _ := strings.Cut(tag, "-")
	switch tag {
	case "ca", "ga", "id", "it", "lb", "ms", "nl", "sw", "xh", "zu", "gl", "ru", "uk", "bg", "el", "da", "nb", "nn", "no", "pl", "sv", "tr",
		"da-DK", "nb-NO", "pl-PL", "sv-SE", "tr-TR", "id-ID", "it-IT", "nl-NL", "ru-RU", "uk-UA", "bg-BG", "el-GR", "de-AT", "pt-PT", "en-AU", "en-CA", "en-IN", "en-NZ":
		return lang
	}
	return ""
}

// setupIntlCollator makes Intl.Collator (ECMA-402 §10).
func setupIntlCollator(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "Collator", 0, collatorConstructor, vm.IntlCollatorConstructor, vm.IntlCollatorPrototype)
	setupSupportedLocalesIn(b, c, "Intl.Collator", collatorLocales)
	b.Method(p, "resolvedOptions", 0, collatorResolvedOptions)
	b.Getter(p, "compare", collatorCompareGetter, nil)
	b.Set(vm.IntlCollatorCompare, b.Func("", 2, collatorCompare))
}

// collatorConstructor is Intl.Collator (§10.1.1).
func collatorConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	newTarget := c.NewTarget
	if newTarget == vm.Undefined {
		newTarget = heap.ObjectValue(c.Callee)
	}
	proto, err := m.PrototypeFromConstructor(newTarget, vm.IntlCollatorPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	text, err := resolveCollator(m, "Intl.Collator", c.Arg(0), c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := newIntl(m, proto, intlCollator, text)
	return heap.ObjectValue(o), err
}

// collationsOf are the collations of a data locale; "" is the usual one.
func collationsOf(data string) []string {
	switch data {
	case "de":
		return []string{"", "phonebk"}
	case "es":
		return []string{"", "trad"}
	case "ja":
		return []string{"", "unihan"}
	case "zh":
		return []string{"", "pinyin", "unihan"}
	}
	return []string{""}
}

// resolveCollator is the rest of the constructor: it returns the text. service
// is who asks.
func resolveCollator(m *vm.Machine, service string, locales, options vm.Value) (string, error) {
	if err := m.Charge(200); err != nil {
		return "", err
	}
	requested, err := canonicalizeLocaleList(m, locales)
	if err != nil {
		return "", err
	}
	o, err := coerceOptionsToObject(m, service, options)
	if err != nil {
		return "", err
	}
	usage, err := getOption(m, o, service, "usage", []string{"sort", "search"}, "sort")
	if err != nil {
		return "", err
	}
	if _, err := localeMatcher(m, o, service); err != nil {
		return "", err
	}
	// An option that is there but empty is not well-formed.
	const absent = "\x00"
	collation, err := getOption(m, o, service, "collation", nil, absent)
	if err != nil {
		return "", err
	}
	if collation == absent {
		collation = ""
	} else if !isUnicodeType(collation) {
		return "", m.RangeError("Invalid collation : %s", collation)
	}
	numeric := ""
	if v, ok, err := getBooleanOption(m, o, "numeric"); err != nil {
		return "", err
	} else if ok {
		numeric = boolText(v)
	}
	caseFirst, err := getOption(m, o, service, "caseFirst", []string{"upper", "lower", "false"}, "")
	if err != nil {
		return "", err
	}
	collations := collationsOf
	if usage == "search" {
		collations = func(string) []string { return []string{""} }
	}
	r, err := resolveLocaleIn(m, collatorLocales, requested,
		localeKey{"co", collations, collation},
		localeKey{"kn", func(string) []string { return []string{"false", "true"} }, numeric},
		localeKey{"kf", func(data string) []string {
			if data == "da" {
				return []string{"upper", "false", "lower"}
			}
			return []string{"false", "lower", "upper"}
		}, caseFirst})
	if err != nil {
		return "", err
	}
	sensitivity, err := getOption(m, o, service, "sensitivity", []string{"base", "accent", "case", "variant"}, "variant")
	if err != nil {
		return "", err
	}
	punctuation, _, err := getBooleanOption(m, o, "ignorePunctuation")
	if err != nil {
		return "", err
	}
	co := r.values[0]
	if co == "" {
		co = "default"
	}
	return strings.Join([]string{r.locale, usage, sensitivity, boolText(punctuation), co, r.values[1], r.values[2]}, " "), nil
}

func boolText(v bool) string {
	if v {
		return "true"
	}
	return "false"
}

// collatorOptions takes the text of a collator apart. A text that was tampered
// with does not exist.
func collatorOptions(text string) (f [collatorFields]string) {
	copy(f[:], strings.Split(text, " "))
	return f
}

// newCollator makes what compares for a text.
func newCollator(text string) (*collate.Collator, error) {
	f := collatorOptions(text)
	opt := collate.Options{IgnorePunctuation: f[collatorPunctuation] == "true", Numeric: f[collatorNumeric] == "true"}
	switch f[collatorSensitivity] {
	case "base":
		opt.Sensitivity = collate.Base
	case "accent":
		opt.Sensitivity = collate.Accent
	case "case":
		opt.Sensitivity = collate.Case
	}
	switch f[collatorCaseFirst] {
	case "upper":
		opt.CaseFirst = collate.UpperFirst
	case "lower":
		opt.CaseFirst = collate.LowerFirst
	}
	lang := collatorLocales.data(locale.WithoutExtensions(f[collatorLocale]))
	switch co := f[collatorCollation]; {
	case co == "phonebk", lang == "de" && f[collatorUsage] == "search":
		opt.Tailoring = "de-phonebk"
	case co == "trad":
		opt.Tailoring = "es-trad"
	case co == "unihan":
		opt.Tailoring = lang + "-unihan"
	case lang == "gl":
		opt.Tailoring = "es"
	case lang == "uk", lang == "bg":
		opt.Tailoring = "ru"
	case lang == "nb", lang == "nn", lang == "no":
		opt.Tailoring = "da"
	case lang == "da", lang == "pl", lang == "sv", lang == "tr", lang == "es", lang == "ja", lang == "zh", lang == "ru", lang == "el":
		opt.Tailoring = lang
	}
	return collate.New(opt), nil
}

// collatorResolvedOptions is Intl.Collator.prototype.resolvedOptions (§10.3.3).
func collatorResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlCollator, "Intl.Collator.prototype.resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	f := collatorOptions(intlText(m, o))
	r := m.NewPlain()
	properties := [...]struct {
		name  string
		field int
		flag  bool
	}{
		{"locale", collatorLocale, false}, {"usage", collatorUsage, false}, {"sensitivity", collatorSensitivity, false},
		{"ignorePunctuation", collatorPunctuation, true}, {"collation", collatorCollation, false},
		{"numeric", collatorNumeric, true}, {"caseFirst", collatorCaseFirst, false},
	}
	for _, p := range properties { //meter: fixed
		if p.flag {
			err = addValue(m, r, p.name, heap.Bool(f[p.field] == "true"))
		} else {
			err = addText(m, r, p.name, f[p.field])
		}
		if err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(r), nil
}

// collatorCompareGetter is get Intl.Collator.prototype.compare (§10.3.4).
func collatorCompareGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlCollator, "get Intl.Collator.prototype.compare")
	if err != nil {
		return vm.Undefined, err
	}
	return intlBound(m, o, vm.IntlCollatorCompare, 2), nil
}

// collatorCompare is a Collator Compare Function (§10.3.3.1).
func collatorCompare(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o := m.NativeData(c.Callee)
	if !isIntl(m, o, intlCollator) { // the template itself
		return vm.Undefined, incompatibleIntl(m, o, "Intl.Collator.prototype.compare")
	}
	x, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	y, err := m.ToString(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	col, err := intlCached(m, o.AsObj(), newCollator)
	if err != nil {
		return vm.Undefined, err
	}
	return compareStrings(m, col, x, y)
}

// compareStrings is CompareStrings (§10.3.3.2).
func compareStrings(m *vm.Machine, c *collate.Collator, a, b vm.Str) (vm.Value, error) {
	if a == b {
		return heap.Int(0), nil
	}
	if err := m.Charge(2); err != nil {
		return vm.Undefined, err
	}
	ab, au, err := m.H.Units16(a)
	if err != nil {
		return vm.Undefined, err
	}
	bb, bu, err := m.H.Units16(b)
	if err != nil {
		return vm.Undefined, err
	}
	var r int
	switch {
	case au == nil && bu == nil:
		r, err = collate.Compare(c, m.Meter(), ab, bb)
	case au == nil:
		r, err = collate.Compare(c, m.Meter(), ab, bu)
	case bu == nil:
		r, err = collate.Compare(c, m.Meter(), au, bb)
	default:
		r, err = collate.Compare(c, m.Meter(), au, bu)
	}
	return heap.Int(int32(r)), err
}
