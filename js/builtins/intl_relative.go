package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/relative"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.RelativeTimeFormat is its locale, data locale, style,
// numeric option and numbering system, with line feeds between them.

const relativeTimeFormatName = "Intl.RelativeTimeFormat"

// relativeTimeFormat is what is built from the text.
type relativeTimeFormat struct {
	locale, style, numeric, numberingSystem string
	*relative.Formatter
}

// setupIntlRelativeTimeFormat makes Intl.RelativeTimeFormat (ECMA-402 §18).
func setupIntlRelativeTimeFormat(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "RelativeTimeFormat", 0, relativeTimeFormatConstructor, vm.IntlRelativeTimeFormatConstructor, vm.IntlRelativeTimeFormatPrototype)
	setupSupportedLocalesIn(b, c, relativeTimeFormatName, numberLocales)
	b.Method(p, "resolvedOptions", 0, relativeTimeFormatResolvedOptions)
	b.Method(p, "format", 2, relativeTimeFormatFormat)
	b.Method(p, "formatToParts", 2, relativeTimeFormatToParts)
}

// relativeTimeFormatConstructor is Intl.RelativeTimeFormat (§18.1.1).
func relativeTimeFormatConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, newNeeded(m, relativeTimeFormatName)
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.IntlRelativeTimeFormatPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	requested, err := canonicalizeLocaleList(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := coerceOptionsToObject(m, relativeTimeFormatName, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	r, err := resolveNumberLocale(m, o, requested, relativeTimeFormatName)
	if err != nil {
		return vm.Undefined, err
	}
	style, err := getOption(m, o, relativeTimeFormatName, "style", []string{"long", "short", "narrow"}, "long")
	if err != nil {
		return vm.Undefined, err
	}
	numeric, err := getOption(m, o, relativeTimeFormatName, "numeric", []string{"always", "auto"}, "always")
	if err != nil {
		return vm.Undefined, err
	}
	obj, err := newIntl(m, proto, intlRelativeTimeFormat, strings.Join([]string{r.locale, r.data, style, numeric, r.values[0]}, "\n"))
	return heap.ObjectValue(obj), err
}

// thisRelativeTimeFormat returns what a method's this value stands for.
func thisRelativeTimeFormat(m *vm.Machine, c *vm.Call, method string) (*relativeTimeFormat, error) {
	o, err := thisIntl(m, c, intlRelativeTimeFormat, relativeTimeFormatName+".prototype."+method)
	if err != nil {
		return nil, err
	}
	return intlCached(m, o, func(text string) (*relativeTimeFormat, error) {
		if err := m.Charge(1500); err != nil {
			return nil, err
		}
		f := strings.Split(text, "\n")
		return &relativeTimeFormat{f[0], f[2], f[3], f[4], relative.New(f[1], f[4], f[2], f[3] == "auto")}, nil
	})
}

// relativeTime reads the arguments of format and formatToParts.
func relativeTime(m *vm.Machine, c *vm.Call, method string) (f *relativeTimeFormat, value float64, unit string, err error) {
	if f, err = thisRelativeTimeFormat(m, c, method); err != nil {
		return nil, 0, "", err
	}
	if value, err = m.ToFloat(c.Arg(0)); err != nil {
		return nil, 0, "", err
	}
	s, err := m.ToString(c.Arg(1))
	if err != nil {
		return nil, 0, "", err
	}
	if m.H.Len(s) > maxOption {
		if s, err = m.H.Substring(s, 0, maxOption); err != nil {
			return nil, 0, "", err
		}
	}
	text := m.H.GoString(s)
	unit, ok := relative.Unit(text)
	if !ok {
		return nil, 0, "", m.RangeError("Invalid unit argument for %s.prototype.%s() '%s'", relativeTimeFormatName, method, text)
	}
	if !isFinite(value) {
		return nil, 0, "", m.RangeError("Value need to be finite number for %s.prototype.%s()", relativeTimeFormatName, method)
	}
	return f, value, unit, m.Charge(100)
}

// relativeTimeFormatFormat is Intl.RelativeTimeFormat.prototype.format
// (§18.3.3).
func relativeTimeFormatFormat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, value, unit, err := relativeTime(m, &c, "format")
	if err != nil {
		return vm.Undefined, err
	}
	return m.NewString(f.Format(value, unit))
}

// relativeTimeFormatToParts is Intl.RelativeTimeFormat.prototype.formatToParts
// (§18.3.4).
func relativeTimeFormatToParts(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, value, unit, err := relativeTime(m, &c, "formatToParts")
	if err != nil {
		return vm.Undefined, err
	}
	return numberParts(m, f.FormatToParts(value, unit), unit)
}

// relativeTimeFormatResolvedOptions is
// Intl.RelativeTimeFormat.prototype.resolvedOptions (§18.3.5).
func relativeTimeFormatResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, err := thisRelativeTimeFormat(m, &c, "resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	o := m.NewPlain()
	w := optionWriter{m: m, o: o}
	w.text("locale", f.locale)
	w.text("style", f.style)
	w.text("numeric", f.numeric)
	w.text("numberingSystem", f.numberingSystem)
	return heap.ObjectValue(o), w.err
}
