package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/intl/number"
	"github.com/pinfold-js/pinfold/js/intl/plural"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.PluralRules is its locale, type and encoded digit
// options, with line feeds between them. Rules exist for more languages than
// the other constructors have data for.

const pluralRulesName = "Intl.PluralRules"

// pluralRules is what is built from the text.
type pluralRules struct {
	locale, kind string
	digits       number.Digits
	*plural.Rules
}

// setupIntlPluralRules makes Intl.PluralRules (ECMA-402 §17).
func setupIntlPluralRules(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "PluralRules", 0, pluralRulesConstructor, vm.IntlPluralRulesConstructor, vm.IntlPluralRulesPrototype)
	setupSupportedLocalesIn(b, c, pluralRulesName, pluralLocales)
	b.Method(p, "resolvedOptions", 0, pluralRulesResolvedOptions)
	b.Method(p, "select", 1, pluralRulesSelect)
	b.Method(p, "selectRange", 2, pluralRulesSelectRange)
}

// pluralLocale returns the available locale that a requested one stands for, or
// "". As in V8 these are languages, with a region only if it has rules of its
// own.
func pluralLocale(tag string) string {
	t, ok := locale.Parse(tag)
	switch {
	case !ok:
		return ""
	case t.Region != "" && plural.Has(t.Language+"-"+t.Region):
		return t.Language + "-" + t.Region
	case plural.Has(t.Language):
		return t.Language
	}
	return ""
}

// pluralLocales are the locales of Intl.PluralRules.
var pluralLocales = localeSet{pluralLocale, pluralLocale}

// pluralRulesConstructor is Intl.PluralRules (§17.1.1).
func pluralRulesConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, newNeeded(m, pluralRulesName)
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.IntlPluralRulesPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	requested, err := canonicalizeLocaleList(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := coerceOptionsToObject(m, pluralRulesName, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	if _, err := localeMatcher(m, o, pluralRulesName); err != nil {
		return vm.Undefined, err
	}
	kind, err := getOption(m, o, pluralRulesName, "type", []string{"cardinal", "ordinal"}, "cardinal")
	if err != nil {
		return vm.Undefined, err
	}
	var d number.Digits
	if err := readDigitOptions(m, o, pluralRulesName, &d, 0, 3, false); err != nil {
		return vm.Undefined, err
	}
	r, err := resolveLocaleIn(m, pluralLocales, requested)
	if err != nil {
		return vm.Undefined, err
	}
	obj, err := newIntl(m, proto, intlPluralRules, r.locale+"\n"+kind+"\n"+d.Encode())
	return heap.ObjectValue(obj), err
}

// thisPluralRules returns what a method's this value stands for.
func thisPluralRules(m *vm.Machine, c *vm.Call, method string) (*pluralRules, error) {
	o, err := thisIntl(m, c, intlPluralRules, pluralRulesName+".prototype."+method)
	if err != nil {
		return nil, err
	}
	return intlCached(m, o, func(text string) (*pluralRules, error) {
		if err := m.Charge(500); err != nil {
			return nil, err
		}
		r := &pluralRules{}
		r.locale, text, _ = strings.Cut(text, "\n")
		r.kind, text, _ = strings.Cut(text, "\n")
		r.Rules = plural.For(r.locale, r.kind == "ordinal")
		var err error
		r.digits, err = number.DecodeDigits(text)
		return r, err
	})
}

// category is ResolvePlural (§17.5.2).
func (r *pluralRules) category(f float64) plural.Category {
	o := r.digits.Operands(number.FromFloat(f))
	return r.Select(&o)
}

// pluralRulesSelect is Intl.PluralRules.prototype.select (§17.3.3).
func pluralRulesSelect(m *vm.Machine, c vm.Call) (vm.Value, error) {
	r, err := thisPluralRules(m, &c, "select")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToFloat(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Charge(20); err != nil {
		return vm.Undefined, err
	}
	return m.NewString(r.category(f).String())
}

// pluralRulesSelectRange is Intl.PluralRules.prototype.selectRange (§17.3.4).
func pluralRulesSelectRange(m *vm.Machine, c vm.Call) (vm.Value, error) {
	r, err := thisPluralRules(m, &c, "selectRange")
	if err != nil {
		return vm.Undefined, err
	}
	names := [...]string{"startRange", "endRange"}
	for i, name := range names { //meter: two
		if c.Arg(i) == vm.Undefined {
			return vm.Undefined, m.TypeError("Invalid %s : %s", name, m.Describe(vm.Undefined))
		}
	}
	var f [2]float64
	for i := range f { //meter: two
		if f[i], err = m.ToFloat(c.Arg(i)); err != nil {
			return vm.Undefined, err
		}
	}
	for i, name := range names { //meter: two
		if f[i] != f[i] {
			return vm.Undefined, m.RangeError("Invalid %s : %s", name, m.Describe(c.Arg(i)))
		}
	}
	if err := m.Charge(60); err != nil {
		return vm.Undefined, err
	}
	return m.NewString(r.Range(r.category(f[0]), r.category(f[1])).String())
}

// pluralRulesResolvedOptions is Intl.PluralRules.prototype.resolvedOptions
// (§17.3.5), with the properties that V8 gives it.
func pluralRulesResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	r, err := thisPluralRules(m, &c, "resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Charge(100); err != nil {
		return vm.Undefined, err
	}
	categories, err := newStringArray(m, r.Categories())
	if err != nil {
		return vm.Undefined, err
	}
	o := m.NewPlain()
	w := optionWriter{m: m, o: o}
	w.text("locale", r.locale)
	w.text("type", r.kind)
	w.digits(&r.digits)
	w.value("pluralCategories", categories)
	return heap.ObjectValue(o), w.err
}
