package builtins

import (
	"math"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The abstract operations of ECMA-402 §9.2 that all constructors use. service
// is the constructor's name with "Intl.", for messages.

const badLocale = "Incorrect locale information provided"

// canonicalizeLocaleList is CanonicalizeLocaleList (§9.2.1).
func canonicalizeLocaleList(m *vm.Machine, v vm.Value) ([]string, error) {
	if v == vm.Undefined {
		return nil, nil
	}
	if v.IsString() || isIntl(m, v, intlLocale) {
		tag, err := canonicalLocale(m, v)
		if err != nil {
			return nil, err
		}
		return []string{tag}, nil
	}
	o, err := m.ToObject(v)
	if err != nil {
		return nil, err
	}
	n, err := m.LengthOf(o)
	if err != nil {
		return nil, err
	}
	var list []string
	seen := map[string]bool{}
	for k := range n {
		if err := m.Charge(4); err != nil {
			return nil, err
		}
		v, ok, err := presentAt(m, o, k)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if !v.IsString() && !v.IsObject() {
			return nil, m.TypeError("Language ID should be string or object.")
		}
		tag, err := canonicalLocale(m, v)
		if err != nil {
			return nil, err
		}
		if !seen[tag] {
			if err := m.Hold(int64(2*len(tag) + 96)); err != nil {
				return nil, err
			}
			seen[tag] = true
			list = append(list, tag)
		}
	}
	return list, nil
}

// canonicalLocale returns the canonical form of one element of a locale list:
// a string or an object.
func canonicalLocale(m *vm.Machine, v vm.Value) (string, error) {
	if isIntl(m, v, intlLocale) {
		return localeTag(m, v.AsObj()), nil
	}
	s, err := m.ToString(v)
	if err != nil {
		return "", err
	}
	return canonicalTag(m, s)
}

// localeTag returns the identifier of an Intl.Locale.
func localeTag(m *vm.Machine, o vm.Obj) string { return intlText(m, o) }

// canonicalTag is IsStructurallyValidLanguageTag and
// CanonicalizeUnicodeLocaleId (§6.2).
func canonicalTag(m *vm.Machine, s vm.Str) (string, error) {
	if m.H.Len(s) > locale.MaxLength || m.H.IsWide(s) {
		return "", m.RangeError(badLocale)
	}
	if err := m.Charge(16 + m.H.Len(s)); err != nil {
		return "", err
	}
	tag, ok := locale.Canonicalize(m.H.GoString(s))
	if !ok {
		return "", m.RangeError(badLocale)
	}
	return tag, nil
}

// localeSet are a constructor's available locales: best is BestAvailableLocale
// among them, data tells whose data one uses.
type localeSet struct{ best, data func(locale string) string }

// commonLocales are those of most constructors.
var commonLocales = localeSet{locale.BestAvailable, locale.DataLocale}

// supportedLocales is FilterLocales (§9.2.11).
func supportedLocales(m *vm.Machine, set localeSet, service string, requested []string, options vm.Value) (vm.Value, error) {
	o, err := coerceOptionsToObject(m, service, options)
	if err != nil {
		return vm.Undefined, err
	}
	if _, err := localeMatcher(m, o, service); err != nil {
		return vm.Undefined, err
	}
	var list []string
	for _, tag := range requested {
		if err := m.Charge(8); err != nil {
			return vm.Undefined, err
		}
		if set.best(locale.WithoutExtensions(tag)) != "" {
			list = append(list, tag)
		}
	}
	return newStringArray(m, list)
}

// coerceOptionsToObject is CoerceOptionsToObject (§9.2.9). No object, 0, stands
// for undefined options.
func coerceOptionsToObject(m *vm.Machine, service string, v vm.Value) (vm.Obj, error) {
	switch v {
	case vm.Undefined:
		return 0, nil
	case vm.Null:
		return 0, m.TypeError("%s called on null or undefined", service)
	}
	return m.ToObject(v)
}

// getOptionsObject is GetOptionsObject (§9.2.10); 0 stands for undefined.
func getOptionsObject(m *vm.Machine, v vm.Value) (vm.Obj, error) {
	switch {
	case v == vm.Undefined:
		return 0, nil
	case !v.IsObject():
		return 0, m.TypeError("invalid_argument")
	}
	return v.AsObj(), nil
}

// optionValue reads an option, undefined if there are no options.
func optionValue(m *vm.Machine, o vm.Obj, name string) (vm.Value, error) {
	if o == 0 {
		return vm.Undefined, nil
	}
	key, err := m.H.KeyOfName(name)
	if err != nil {
		return vm.Undefined, err
	}
	return m.Get(o, key)
}

// maxOption is the longest option that is looked at whole.
const maxOption = 1000

// getOption is GetOption (§9.2.12) of type string. No allowed values: any
// string. def is returned for undefined.
func getOption(m *vm.Machine, o vm.Obj, service, name string, allowed []string, def string) (string, error) {
	v, err := optionValue(m, o, name)
	if err != nil || v == vm.Undefined {
		return def, err
	}
	s, err := m.ToString(v)
	if err != nil {
		return def, err
	}
	if m.H.Len(s) > maxOption {
		if s, err = m.H.Substring(s, 0, maxOption); err != nil {
			return def, err
		}
	}
	text := m.H.GoString(s)
	if allowed != nil && !slices.Contains(allowed, text) {
		return def, m.RangeError("Value %s out of range for %s options property %s", text, service, name)
	}
	return text, nil
}

// getBooleanOption is GetOption of type boolean.
func getBooleanOption(m *vm.Machine, o vm.Obj, name string) (value, present bool, err error) {
	v, err := optionValue(m, o, name)
	if err != nil || v == vm.Undefined {
		return false, false, err
	}
	return m.ToBoolean(v), true, nil
}

// getNumberOption is GetNumberOption (§9.2.15).
func getNumberOption(m *vm.Machine, o vm.Obj, name string, lo, hi, def int) (n int, present bool, err error) {
	v, err := optionValue(m, o, name)
	if err != nil {
		return def, false, err
	}
	return defaultNumberOption(m, v, name, lo, hi, def)
}

// defaultNumberOption is DefaultNumberOption (§9.2.14).
func defaultNumberOption(m *vm.Machine, v vm.Value, name string, lo, hi, def int) (n int, present bool, err error) {
	if v == vm.Undefined {
		return def, false, nil
	}
	f, err := m.ToFloat(v)
	if err != nil {
		return def, false, err
	}
	if !(f >= float64(lo) && f <= float64(hi)) {
		return def, false, m.RangeError("%s value is out of range.", name)
	}
	return int(math.Floor(f)), true, nil
}

var localeMatchers = []string{"lookup", "best fit"}

// localeMatcher reads the option of that name. Both algorithms are the same
// here.
func localeMatcher(m *vm.Machine, o vm.Obj, service string) (string, error) {
	return getOption(m, o, service, "localeMatcher", localeMatchers, "best fit")
}

// localeKey is one of a constructor's relevant extension keys. values are those
// supported in a data locale, the default first; "" is null, "true" may be
// among them. Option is what the options say, "" if nothing.
type localeKey struct {
	key    string
	values func(data string) []string
	option string
}

// resolvedLocale is what ResolveLocale returns: the locale, where its data come
// from, and a value for each key.
type resolvedLocale struct {
	locale, data string
	values       []string
}

// resolveLocale is ResolveLocale (§9.2.7) among the common locales.
func resolveLocale(m *vm.Machine, requested []string, keys ...localeKey) (resolvedLocale, error) {
	return resolveLocaleIn(m, commonLocales, requested, keys...)
}

// resolveLocaleIn is ResolveLocale among a set of locales.
func resolveLocaleIn(m *vm.Machine, set localeSet, requested []string, keys ...localeKey) (resolvedLocale, error) {
	found, match := locale.Default, ""
	for _, tag := range requested {
		if err := m.Charge(8); err != nil {
			return resolvedLocale{}, err
		}
		if best := set.best(locale.WithoutExtensions(tag)); best != "" {
			found, match = best, tag
			break
		}
	}
	r := resolvedLocale{data: set.data(found)}
	var tag locale.Tag
	if strings.Contains(match, "-u-") {
		tag, _ = locale.Parse(match)
	}
	var ext strings.Builder
	for _, k := range keys { //meter: a constructor's few keys
		values := k.values(r.data)
		value, fromTag := values[0], ""
		if want, ok := tag.Keyword(k.key); ok {
			switch {
			case want != "" && slices.Contains(values, want):
				value, fromTag = want, "-"+k.key+"-"+want
			case want == "" && slices.Contains(values, "true"):
				value, fromTag = "true", "-"+k.key
			}
		}
		if k.option != "" {
			option := locale.CanonicalType(k.key, k.option)
			if option == "" {
				option = "true"
			}
			if option != value && slices.Contains(values, option) {
				value, fromTag = option, ""
			}
		}
		r.values = append(r.values, value)
		ext.WriteString(fromTag)
	}
	r.locale = found
	if ext.Len() > 0 {
		full, ok := locale.Canonicalize(found + "-u" + ext.String())
		if ok {
			r.locale = full
		}
	}
	return r, nil
}

// isUnicodeType reports whether an option has the form of a keyword's value.
func isUnicodeType(s string) bool { return locale.IsType(locale.Lower(s)) }

// addText adds a property to the object that resolvedOptions returns; an empty
// text is left out.
func addText(m *vm.Machine, o vm.Obj, name, text string) error {
	if text == "" {
		return nil
	}
	key, err := m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	return putText(m, o, key, text)
}

// addValue adds a property to the object that resolvedOptions returns.
func addValue(m *vm.Machine, o vm.Obj, name string, v vm.Value) error {
	key, err := m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	return m.CreateDataOrThrow(o, key, v)
}

// newNeeded is the error of a constructor called without new.
func newNeeded(m *vm.Machine, service string) error {
	return m.TypeError("Constructor %s requires 'new'", service)
}
