package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/number"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.NumberFormat is its locale, a line feed, and the encoded
// options.

const numberFormatName = "Intl.NumberFormat"

// numberLocales are the locales of Intl.NumberFormat and
// Intl.RelativeTimeFormat: more than the common ones.
var numberLocales = localeSet{number.BestAvailable, number.DataLocale}

// numberFormatter is what is built from the text.
type numberFormatter struct {
	locale string
	*number.Formatter
}

// setupIntlNumberFormat makes Intl.NumberFormat (ECMA-402 §16).
func setupIntlNumberFormat(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "NumberFormat", 0, numberFormatConstructor, vm.IntlNumberFormatConstructor, vm.IntlNumberFormatPrototype)
	setupSupportedLocalesIn(b, c, numberFormatName, numberLocales)
	b.Method(p, "resolvedOptions", 0, numberFormatResolvedOptions)
	b.Method(p, "formatToParts", 1, numberFormatToParts)
	b.Getter(p, "format", numberFormatGetFormat, nil)
	b.Method(p, "formatRange", 2, numberFormatRange)
	b.Method(p, "formatRangeToParts", 2, numberFormatRangeToParts)
	b.Set(vm.IntlNumberFormatFormat, b.Func("", 1, numberFormatFormat))
}

// numberFormatConstructor is Intl.NumberFormat (§16.1.1).
func numberFormatConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	newTarget := c.NewTarget
	if newTarget == vm.Undefined {
		newTarget = heap.ObjectValue(m.Intrinsic(vm.IntlNumberFormatConstructor))
	}
	proto, err := m.PrototypeFromConstructor(newTarget, vm.IntlNumberFormatPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	text, err := numberFormatText(m, c.Arg(0), c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := newIntl(m, proto, intlNumberFormat, text)
	if err != nil {
		return vm.Undefined, err
	}
	return chainIntl(m, &c, o, vm.IntlNumberFormatConstructor)
}

// numberFormatText resolves the arguments of the constructor to the text of an
// object.
func numberFormatText(m *vm.Machine, locales, options vm.Value) (string, error) {
	requested, err := canonicalizeLocaleList(m, locales)
	if err != nil {
		return "", err
	}
	o, err := coerceOptionsToObject(m, numberFormatName, options)
	if err != nil {
		return "", err
	}
	r, err := resolveNumberLocale(m, o, requested, numberFormatName)
	if err != nil {
		return "", err
	}
	opt := number.Default(r.data)
	opt.NumberingSystem = r.values[0]
	if err := readNumberOptions(m, o, &opt); err != nil {
		return "", err
	}
	return r.locale + "\n" + opt.Encode(), nil
}

// resolveNumberLocale reads localeMatcher and numberingSystem and resolves the
// locale by them.
func resolveNumberLocale(m *vm.Machine, o vm.Obj, requested []string, service string) (resolvedLocale, error) {
	if _, err := localeMatcher(m, o, service); err != nil {
		return resolvedLocale{}, err
	}
	system, err := getOption(m, o, service, "numberingSystem", nil, notGiven)
	if err != nil {
		return resolvedLocale{}, err
	}
	if system == notGiven {
		system = ""
	} else if !isUnicodeType(system) {
		return resolvedLocale{}, m.RangeError("Invalid numberingSystem : %s", system)
	}
	return resolveLocaleIn(m, numberLocales, requested, localeKey{"nu", number.NumberingSystemsOf, strings.ToLower(system)})
}

// buildNumberFormat makes a formatter of an object's text.
func buildNumberFormat(m *vm.Machine) func(text string) (*numberFormatter, error) {
	return func(text string) (*numberFormatter, error) {
		if err := m.Charge(500); err != nil {
			return nil, err
		}
		locale, encoded, _ := strings.Cut(text, "\n")
		o, err := number.Decode(encoded)
		if err != nil {
			return nil, err
		}
		return &numberFormatter{locale, number.New(o)}, nil
	}
}

func numberFormatOf(m *vm.Machine, o vm.Obj) (*numberFormatter, error) {
	return intlCached(m, o, buildNumberFormat(m))
}

// numberFormatGetFormat is get Intl.NumberFormat.prototype.format (§16.3.3).
func numberFormatGetFormat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := unwrapIntl(m, c.This, intlNumberFormat, vm.IntlNumberFormatConstructor, "get Intl.NumberFormat.prototype.format")
	if err != nil {
		return vm.Undefined, err
	}
	return intlBound(m, o, vm.IntlNumberFormatFormat, 1), nil
}

// numberFormatFormat is a number format function (§16.5.2).
func numberFormatFormat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	d, err := toMathematicalValue(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	f, err := numberFormatOf(m, m.NativeData(c.Callee).AsObj())
	if err != nil {
		return vm.Undefined, err
	}
	return formatNumber(m, f, d)
}

// chargeNumber charges for writing a number: perDigit is how many bytes a digit
// of a long one may take meanwhile.
func chargeNumber(m *vm.Machine, f *numberFormatter, d *number.Decimal, perDigit int64) error {
	n := d.Size() + f.Options().MaxFraction
	if n < 64 {
		return m.Charge(40)
	}
	if err := m.Charge(40 + n); err != nil {
		return err
	}
	return m.Hold(int64(n) * perDigit)
}

func formatNumber(m *vm.Machine, f *numberFormatter, d number.Decimal) (vm.Value, error) {
	if err := chargeNumber(m, f, &d, 16); err != nil {
		return vm.Undefined, err
	}
	var buf [64]byte
	b := f.Append(buf[:0], d)
	for _, c := range b { //meter: charged with the number
		if c >= 0x80 {
			return m.NewString(string(b))
		}
	}
	return latin1Value(m, b)
}

// toMathematicalValue is ToIntlMathematicalValue (§16.5.16).
func toMathematicalValue(m *vm.Machine, v vm.Value) (number.Decimal, error) {
	if v.IsNumber() {
		return number.FromFloat(v.AsFloat()), nil
	}
	v, err := m.ToPrimitive(v, vm.HintNumber)
	if err != nil {
		return number.Decimal{}, err
	}
	switch {
	case v.IsBigInt():
		return bigintDecimal(m, v)
	case v.IsString():
		return stringDecimal(m, v.AsStr())
	}
	f, err := m.ToFloat(v)
	return number.FromFloat(f), err
}

func bigintDecimal(m *vm.Machine, v vm.Value) (number.Decimal, error) {
	s, err := m.BigIntToString(v, 10)
	if err != nil {
		return number.Decimal{}, err
	}
	b, _, err := m.H.Units16(s)
	if err != nil {
		return number.Decimal{}, err
	}
	if err := m.Charge(len(b) / 16); err != nil {
		return number.Decimal{}, err
	}
	if err := m.Hold(int64(len(b))); err != nil {
		return number.Decimal{}, err
	}
	neg := b[0] == '-'
	if neg {
		b = b[1:]
	}
	return number.FromDigits(neg, b), nil
}

// stringDecimal is StringToIntlMathematicalValue: exact, unless the value as a
// Number is 0 or no finite one.
func stringDecimal(m *vm.Machine, s vm.Str) (number.Decimal, error) {
	f, err := m.StringToNumber(s)
	if err != nil || f == 0 || !isFinite(f) {
		return number.FromFloat(f), err
	}
	n := m.H.Len(s)
	if err := m.Charge(n / 4); err != nil {
		return number.Decimal{}, err
	}
	if err := m.Hold(int64(n) * 4); err != nil {
		return number.Decimal{}, err
	}
	// What is not white space is ASCII, or it would be no number.
	text := make([]byte, 0, n)
	b, wide, err := m.H.Units16(s)
	if err != nil {
		return number.Decimal{}, err
	}
	for _, c := range b { //meter: charged above
		if c > ' ' && c < 0x7f {
			text = append(text, c)
		}
	}
	for _, c := range wide { //meter: charged above
		if c > ' ' && c < 0x7f {
			text = append(text, byte(c))
		}
	}
	if len(text) > 2 && text[0] == '0' && text[1] > '9' {
		x, ok, err := conv.StringToBigInt(m.Meter(), text)
		if err != nil || !ok {
			return number.FromFloat(f), err
		}
		v, err := m.NewBig(x)
		if err != nil {
			return number.Decimal{}, err
		}
		return bigintDecimal(m, v)
	}
	return number.Parse(text), nil
}

// numberFormatToParts is Intl.NumberFormat.prototype.formatToParts (§16.3.5).
func numberFormatToParts(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlNumberFormat, "Intl.NumberFormat.prototype.formatToParts")
	if err != nil {
		return vm.Undefined, err
	}
	d, err := toMathematicalValue(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	f, err := numberFormatOf(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	if err := chargeNumber(m, f, &d, 96); err != nil {
		return vm.Undefined, err
	}
	return numberParts(m, f.FormatToParts(d), "")
}

// numberParts makes an array of parts. unit is of relative times.
func numberParts(m *vm.Machine, parts []number.Part, unit string) (vm.Value, error) {
	return newPartsArray(m, len(parts), func(i int) intlPart {
		p := intlPart{Type: parts[i].Type, Value: parts[i].Value}
		switch {
		case parts[i].Source != "":
			p.More, p.MoreValue = "source", parts[i].Source
		case unit != "" && p.Type != "literal":
			p.More, p.MoreValue = "unit", unit
		}
		return p
	})
}

// numberRange reads the arguments of formatRange and its like.
func numberRange(m *vm.Machine, c *vm.Call, method string) (f *numberFormatter, a, b number.Decimal, err error) {
	o, err := thisIntl(m, c, intlNumberFormat, "Intl.NumberFormat.prototype."+method)
	if err != nil {
		return nil, a, b, err
	}
	names := [...]string{"start", "end"}
	for i, name := range names { //meter: two
		if c.Arg(i) == vm.Undefined {
			return nil, a, b, m.TypeError("Invalid %s : %s", name, m.Describe(vm.Undefined))
		}
	}
	var d [2]number.Decimal
	for i := range d { //meter: two
		if d[i], err = toMathematicalValue(m, c.Arg(i)); err != nil {
			return nil, a, b, err
		}
	}
	for i, name := range names { //meter: two
		if d[i].IsNaN() {
			return nil, a, b, m.RangeError("Invalid %s : %s", name, m.Describe(c.Arg(i)))
		}
	}
	if f, err = numberFormatOf(m, o); err != nil {
		return nil, a, b, err
	}
	for i := range d { //meter: two
		if err := chargeNumber(m, f, &d[i], 96); err != nil {
			return nil, a, b, err
		}
	}
	return f, d[0], d[1], nil
}

// numberFormatRange is Intl.NumberFormat.prototype.formatRange (§16.3.6).
func numberFormatRange(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, a, b, err := numberRange(m, &c, "formatRange")
	if err != nil {
		return vm.Undefined, err
	}
	return m.NewString(f.FormatRange(a, b))
}

// numberFormatRangeToParts is Intl.NumberFormat.prototype.formatRangeToParts
// (§16.3.7).
func numberFormatRangeToParts(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, a, b, err := numberRange(m, &c, "formatRangeToParts")
	if err != nil {
		return vm.Undefined, err
	}
	return numberParts(m, f.FormatRangeToParts(a, b), "")
}

// numberFormatResolvedOptions is Intl.NumberFormat.prototype.resolvedOptions
// (§16.3.8). The order of the digit options is V8's.
func numberFormatResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	obj, err := unwrapIntl(m, c.This, intlNumberFormat, vm.IntlNumberFormatConstructor, "Intl.NumberFormat.prototype.resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := numberFormatOf(m, obj)
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Charge(100); err != nil {
		return vm.Undefined, err
	}
	o := f.Options()
	r := m.NewPlain()
	w := optionWriter{m: m, o: r}
	w.text("locale", f.locale)
	w.text("numberingSystem", o.NumberingSystem)
	w.text("style", o.Style)
	w.text("currency", o.Currency)
	w.text("currencyDisplay", o.CurrencyDisplay)
	w.text("currencySign", o.CurrencySign)
	w.text("unit", o.Unit)
	w.text("unitDisplay", o.UnitDisplay)
	w.digits(&o.Digits)
	if o.Grouping == "false" {
		w.value("useGrouping", vm.False)
	} else {
		w.text("useGrouping", o.Grouping)
	}
	w.text("notation", o.Notation)
	w.text("compactDisplay", o.CompactDisplay)
	w.text("signDisplay", o.SignDisplay)
	w.text("roundingMode", number.RoundingModes[o.Mode])
	w.value("roundingIncrement", heap.Int(int32(o.Increment)))
	if o.StripIfInteger {
		w.text("trailingZeroDisplay", "stripIfInteger")
	} else {
		w.text("trailingZeroDisplay", "auto")
	}
	switch o.Type {
	case number.MorePrecision:
		w.text("roundingPriority", "morePrecision")
	case number.LessPrecision:
		w.text("roundingPriority", "lessPrecision")
	default:
		w.text("roundingPriority", "auto")
	}
	return heap.ObjectValue(r), w.err
}

// optionWriter adds properties to what resolvedOptions returns; the first error
// stays.
type optionWriter struct {
	m   *vm.Machine
	o   vm.Obj
	err error
}

func (w *optionWriter) text(name, text string) {
	if w.err == nil {
		w.err = addText(w.m, w.o, name, text)
	}
}

func (w *optionWriter) value(name string, v vm.Value) {
	if w.err == nil {
		w.err = addValue(w.m, w.o, name, v)
	}
}

func (w *optionWriter) digits(d *number.Digits) {
	w.value("minimumIntegerDigits", heap.Int(int32(d.MinInteger)))
	if d.Type != number.FractionDigits {
		w.value("minimumSignificantDigits", heap.Int(int32(d.MinSignificant)))
		w.value("maximumSignificantDigits", heap.Int(int32(d.MaxSignificant)))
	}
	if d.Type != number.SignificantDigits {
		w.value("minimumFractionDigits", heap.Int(int32(d.MinFraction)))
		w.value("maximumFractionDigits", heap.Int(int32(d.MaxFraction)))
	}
}

// numberToLocaleString is Number.prototype.toLocaleString (§19.2.1).
func numberToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisNumber(m, &c, "toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := localeNumberFormat(m, &c, "Number.prototype.toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	return formatNumber(m, f, number.FromFloat(v.AsFloat()))
}

// bigintToLocaleString is BigInt.prototype.toLocaleString (§19.3.1).
func bigintToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisBigInt(m, &c, "toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := localeNumberFormat(m, &c, "BigInt.prototype.toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	d, err := bigintDecimal(m, v)
	if err != nil {
		return vm.Undefined, err
	}
	return formatNumber(m, f, d)
}

// localeNumberFormat is Construct(%Intl.NumberFormat%, « locales, options »)
// without an object. What the locale alone decides is remembered by its name.
func localeNumberFormat(m *vm.Machine, c *vm.Call, method string) (*numberFormatter, error) {
	locales, options := c.Arg(0), c.Arg(1)
	if options == vm.Null {
		return nil, m.TypeError("%s called on null or undefined", method)
	}
	if options == vm.Undefined && (locales == vm.Undefined || locales.IsString() && m.H.Len(locales.AsStr()) <= 16) {
		name := []byte(nil)
		if locales != vm.Undefined {
			b, wide, err := m.H.Units16(locales.AsStr())
			if err != nil {
				return nil, err
			}
			if wide != nil {
				return nil, m.RangeError(badLocale)
			}
			name = b
		}
		var buf [17]byte
		key := append(append(buf[:0], '@'), name...)
		return intlCachedText(m, intlNumberFormat, key, func(string) (*numberFormatter, error) {
			text, err := numberFormatText(m, locales, options)
			if err != nil {
				return nil, err
			}
			return buildNumberFormat(m)(text)
		})
	}
	text, err := numberFormatText(m, locales, options)
	if err != nil {
		return nil, err
	}
	return intlCachedText(m, intlNumberFormat, text, buildNumberFormat(m))
}
