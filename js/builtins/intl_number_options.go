package builtins

import (
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/js/intl/number"
	"github.com/pinfold-js/pinfold/js/vm"
)

// notGiven is a default for options of type string that no script can give:
// it tells undefined from "".
const notGiven = "\x00"

var (
	numberStyles       = []string{"decimal", "percent", "currency", "unit"}
	currencyDisplays   = []string{"code", "symbol", "narrowSymbol", "name"}
	currencySigns      = []string{"standard", "accounting"}
	unitDisplays       = []string{"short", "narrow", "long"}
	notations          = []string{"standard", "scientific", "engineering", "compact"}
	compactDisplays    = []string{"short", "long"}
	signDisplays       = []string{"auto", "never", "always", "exceptZero", "negative"}
	roundingPriorities = []string{"auto", "morePrecision", "lessPrecision"}
	trailingZeros      = []string{"auto", "stripIfInteger"}
	groupings          = []string{"min2", "auto", "always", "true", "false"}
	roundingIncrements = []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000}
)

// readNumberOptions reads the options of Intl.NumberFormat after the locale's
// (ECMA-402 §16.1.1 from step 13 on).
func readNumberOptions(m *vm.Machine, o vm.Obj, opt *number.Options) error {
	if err := readUnitOptions(m, o, opt); err != nil {
		return err
	}
	var err error
	if opt.Notation, err = getOption(m, o, numberFormatName, "notation", notations, "standard"); err != nil {
		return err
	}
	least, most := 0, 3
	switch opt.Style {
	case "currency": // in all notations, as V8 has it
		least = number.CurrencyDigits(opt.Currency)
		most = least
	case "percent":
		most = 0
	}
	if err := readDigitOptions(m, o, numberFormatName, &opt.Digits, least, most, opt.Notation == "compact"); err != nil {
		return err
	}
	if opt.CompactDisplay, err = getOption(m, o, numberFormatName, "compactDisplay", compactDisplays, "short"); err != nil {
		return err
	}
	grouping := "auto"
	if opt.Notation == "compact" {
		grouping = "min2"
	} else {
		opt.CompactDisplay = ""
	}
	if opt.Grouping, err = groupingOption(m, o, grouping); err != nil {
		return err
	}
	opt.SignDisplay, err = getOption(m, o, numberFormatName, "signDisplay", signDisplays, "auto")
	return err
}

// readUnitOptions is SetNumberFormatUnitOptions (§16.1.2).
func readUnitOptions(m *vm.Machine, o vm.Obj, opt *number.Options) error {
	style, err := getOption(m, o, numberFormatName, "style", numberStyles, "decimal")
	if err != nil {
		return err
	}
	opt.Style = style
	currency, err := getOption(m, o, numberFormatName, "currency", nil, notGiven)
	switch {
	case err != nil:
		return err
	case currency == notGiven:
		if style == "currency" {
			return m.TypeError("Currency code is required with currency style.")
		}
	case !isCurrencyCode(currency):
		return m.RangeError("Invalid currency code : %s", currency)
	}
	display, err := getOption(m, o, numberFormatName, "currencyDisplay", currencyDisplays, "symbol")
	if err != nil {
		return err
	}
	sign, err := getOption(m, o, numberFormatName, "currencySign", currencySigns, "standard")
	if err != nil {
		return err
	}
	unit, err := getOption(m, o, numberFormatName, "unit", nil, notGiven)
	switch {
	case err != nil:
		return err
	case unit == notGiven:
		if style == "unit" {
			return m.TypeError("Invalid unit argument for Intl.NumberFormat() ''")
		}
	case !number.IsUnit(unit):
		return m.RangeError("Invalid unit argument for Intl.NumberFormat() '%s'", unit)
	}
	unitDisplay, err := getOption(m, o, numberFormatName, "unitDisplay", unitDisplays, "short")
	if err != nil {
		return err
	}
	switch style {
	case "currency":
		opt.Currency, opt.CurrencyDisplay, opt.CurrencySign = strings.ToUpper(currency), display, sign
	case "unit":
		opt.Unit, opt.UnitDisplay = unit, unitDisplay
	}
	return nil
}

// isCurrencyCode is IsWellFormedCurrencyCode (§6.3.1).
func isCurrencyCode(s string) bool {
	if len(s) != 3 {
		return false
	}
	for _, c := range []byte(s) { //meter: three
		if c |= 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// groupingOption is GetBooleanOrStringNumberFormatOption (§16.5.17) of
// useGrouping.
func groupingOption(m *vm.Machine, o vm.Obj, def string) (string, error) {
	v, err := optionValue(m, o, "useGrouping")
	switch {
	case err != nil:
		return "", err
	case v == vm.Undefined:
		return def, nil
	case v == vm.True:
		return "always", nil
	case !m.ToBoolean(v):
		return "false", nil
	}
	s, err := m.ToString(v)
	if err != nil {
		return "", err
	}
	if m.H.Len(s) > maxOption {
		if s, err = m.H.Substring(s, 0, maxOption); err != nil {
			return "", err
		}
	}
	text := m.H.GoString(s)
	switch {
	case !slices.Contains(groupings, text):
		return "", m.RangeError("Value %s out of range for %s options property useGrouping", text, numberFormatName)
	case text == "true" || text == "false":
		return def, nil
	}
	return text, nil
}

// digitService is what V8 calls the operation that reads digit options.
const digitService = "SetNumberFormatDigitOptions"

// readDigitOptions is SetNumberFormatDigitOptions (§16.1.3); least and most are
// the default numbers of fraction digits.
func readDigitOptions(m *vm.Machine, o vm.Obj, service string, d *number.Digits, least, most int, compact bool) error {
	var err error
	if d.MinInteger, _, err = getNumberOption(m, o, "minimumIntegerDigits", 1, 21, 1); err != nil {
		return err
	}
	var given [4]vm.Value
	for i, name := range [...]string{"minimumFractionDigits", "maximumFractionDigits", "minimumSignificantDigits", "maximumSignificantDigits"} { //meter: four
		if given[i], err = optionValue(m, o, name); err != nil {
			return err
		}
	}
	if d.Increment, _, err = getNumberOption(m, o, "roundingIncrement", 1, 5000, 1); err != nil {
		return err
	}
	if !slices.Contains(roundingIncrements, d.Increment) {
		return m.RangeError("roundingIncrement value is out of range.")
	}
	mode, err := getOption(m, o, service, "roundingMode", number.RoundingModes, "halfExpand")
	if err != nil {
		return err
	}
	d.Mode = number.RoundingMode(slices.Index(number.RoundingModes, mode))
	priority, err := getOption(m, o, digitService, "roundingPriority", roundingPriorities, "auto")
	if err != nil {
		return err
	}
	zeros, err := getOption(m, o, service, "trailingZeroDisplay", trailingZeros, "auto")
	if err != nil {
		return err
	}
	d.StripIfInteger = zeros == "stripIfInteger"
	if d.Increment != 1 {
		most = least
	}
	hasFraction := given[0] != vm.Undefined || given[1] != vm.Undefined
	hasSignificant := given[2] != vm.Undefined || given[3] != vm.Undefined
	needFraction, needSignificant := true, true
	if priority == "auto" {
		needSignificant = hasSignificant
		needFraction = !needSignificant && (hasFraction || !compact)
	}
	d.MinSignificant, d.MaxSignificant = 0, 0
	d.MinFraction, d.MaxFraction = 0, 0
	if needSignificant {
		if d.MinSignificant, _, err = defaultNumberOption(m, given[2], "minimumSignificantDigits", 1, 21, 1); err != nil {
			return err
		}
		if d.MaxSignificant, _, err = defaultNumberOption(m, given[3], "maximumSignificantDigits", d.MinSignificant, 21, 21); err != nil {
			return err
		}
	}
	if needFraction {
		if err := fractionOptions(m, d, given[0], given[1], least, most); err != nil {
			return err
		}
	}
	switch {
	case !needSignificant && !needFraction:
		d.MinSignificant, d.MaxSignificant, d.Type = 1, 2, number.MorePrecision
	case priority == "morePrecision":
		d.Type = number.MorePrecision
	case priority == "lessPrecision":
		d.Type = number.LessPrecision
	case needSignificant:
		d.Type = number.SignificantDigits
	default:
		d.Type = number.FractionDigits
	}
	if d.Increment != 1 {
		if d.Type != number.FractionDigits {
			return m.TypeError("RoundingType is not fractionDigits")
		}
		if d.MinFraction != d.MaxFraction {
			return m.RangeError("maximumFractionDigits not equal to minimumFractionDigits")
		}
	}
	return nil
}

// maxFraction is the greatest number of fraction digits.
const maxFraction = 100

// fractionOptions sets the numbers of fraction digits.
func fractionOptions(m *vm.Machine, d *number.Digits, lo, hi vm.Value, least, most int) error {
	from, hasFrom, err := defaultNumberOption(m, lo, "minimumFractionDigits", 0, maxFraction, least)
	if err != nil {
		return err
	}
	to, hasTo, err := defaultNumberOption(m, hi, "maximumFractionDigits", 0, maxFraction, most)
	if err != nil {
		return err
	}
	switch {
	case !hasFrom:
		from = min(least, to)
	case !hasTo:
		to = max(most, from)
	case from > to:
		return m.RangeError("maximumFractionDigits value is out of range.")
	}
	d.MinFraction, d.MaxFraction = from, to
	return nil
}
