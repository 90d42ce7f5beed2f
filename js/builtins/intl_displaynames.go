package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/intl/names"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.DisplayNames is "locale style type fallback", and
// languageDisplay if the type is language.

// setupIntlDisplayNames makes Intl.DisplayNames (ECMA-402 §12).
func setupIntlDisplayNames(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "DisplayNames", 2, displayNamesConstructor, vm.IntlDisplayNamesConstructor, vm.IntlDisplayNamesPrototype)
	setupSupportedLocales(b, c, "Intl.DisplayNames")
	b.Method(p, "resolvedOptions", 0, displayNamesResolvedOptions)
	b.Method(p, "of", 1, displayNamesOf)
}

// displayNamesConstructor is Intl.DisplayNames (§12.1.1).
func displayNamesConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	const service = "Intl.DisplayNames"
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, newNeeded(m, service)
	}
	if err := m.Charge(200); err != nil {
		return vm.Undefined, err
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.IntlDisplayNamesPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	requested, err := canonicalizeLocaleList(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if !c.Arg(1).IsObject() {
		return vm.Undefined, m.TypeError("invalid_argument")
	}
	o := c.Arg(1).AsObj()
	if _, err := localeMatcher(m, o, service); err != nil {
		return vm.Undefined, err
	}
	r, err := resolveLocale(m, requested)
	if err != nil {
		return vm.Undefined, err
	}
	style, err := getOption(m, o, service, "style", []string{"narrow", "short", "long"}, "long")
	if err != nil {
		return vm.Undefined, err
	}
	typ, err := getOption(m, o, service, "type", []string{"language", "region", "script", "currency", "calendar", "dateTimeField"}, "")
	if err != nil {
		return vm.Undefined, err
	}
	if typ == "" {
		return vm.Undefined, m.TypeError("invalid_argument")
	}
	fallback, err := getOption(m, o, service, "fallback", []string{"code", "none"}, "code")
	if err != nil {
		return vm.Undefined, err
	}
	display, err := getOption(m, o, service, "languageDisplay", []string{"dialect", "standard"}, "dialect")
	if err != nil {
		return vm.Undefined, err
	}
	text := r.locale + " " + style + " " + typ + " " + fallback
	if typ == "language" {
		text += " " + display
	}
	obj, err := newIntl(m, proto, intlDisplayNames, text)
	return heap.ObjectValue(obj), err
}

// displayNamesResolvedOptions is Intl.DisplayNames.prototype.resolvedOptions
// (§12.3.4).
func displayNamesResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlDisplayNames, "Intl.DisplayNames.prototype.resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	return resolvedTexts(m, intlText(m, o), "locale", "style", "type", "fallback", "languageDisplay")
}

type displayNames struct {
	names *names.Names
	opts  []string
}

func newDisplayNames(text string) (*displayNames, error) {
	f := strings.Split(text, " ")
	return &displayNames{names.For(locale.DataLocale(f[0])), f}, nil
}

// displayNamesOf is Intl.DisplayNames.prototype.of (§12.3.3).
func displayNamesOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlDisplayNames, "Intl.DisplayNames.prototype.of")
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Charge(50); err != nil {
		return vm.Undefined, err
	}
	if m.H.Len(s) > locale.MaxLength || m.H.IsWide(s) {
		return vm.Undefined, m.RangeError("invalid_argument")
	}
	d, err := intlCached(m, o, newDisplayNames)
	if err != nil {
		return vm.Undefined, err
	}
	name, code, ok := d.of(m.H.GoString(s))
	switch {
	case !ok:
		return vm.Undefined, m.RangeError("invalid_argument")
	case name != "":
		return m.NewString(name)
	case d.opts[3] == "none":
		return vm.Undefined, nil
	}
	return m.NewString(code)
}

// of returns the name of a code, its canonical form (§12.5.1,
// CanonicalCodeForDisplayNames), and whether it is well-formed.
func (d *displayNames) of(code string) (name, canonical string, ok bool) {
	low, style := locale.Lower(code), names.Style(d.opts[1])
	switch d.opts[2] {
	case "language":
		t, ok := locale.Parse(code)
		if !ok || t.Base() != t.String() || strings.EqualFold(code, "root") {
			return "", "", false
		}
		t.Canonicalize()
		name, complete := d.names.Language(&t, style, d.opts[4] == "dialect")
		if !complete && (d.opts[3] == "none" || t.Base() == t.Language) {
			name = ""
		}
		return name, t.String(), true
	case "region":
		code = strings.ToUpper(code)
		return d.names.Region(code, style), code, locale.IsRegion(low)
	case "script":
		if !locale.IsScript(low) {
			return "", "", false
		}
		code = strings.ToUpper(low[:1]) + low[1:]
		return d.names.Script(code, style), code, true
	case "currency":
		code = strings.ToUpper(code)
		return d.names.Currency(code), code, len(low) == 3 && locale.IsLanguage(low)
	case "calendar":
		if !locale.IsType(low) {
			return "", "", false
		}
		code = locale.CanonicalType("ca", low)
		return d.names.Calendar(code), code, true
	}
	switch code {
	case "era", "year", "quarter", "month", "weekOfYear", "weekday", "day", "dayPeriod", "hour", "minute", "second", "timeZoneName":
		return d.names.Field(code, style), code, true
	}
	return "", "", false
}
