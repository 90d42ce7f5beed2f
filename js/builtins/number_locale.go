package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// numberStyle is what the options of toLocaleString ask for, in en-US.
type numberStyle struct {
	minFraction, maxFraction       int
	minInteger                     int
	minSignificant, maxSignificant int // 0: not asked for
	grouping                       bool
	percent                        bool
	prefix                         string // currency
}

// currencySigns are how en-US writes amounts; others get their code and a
// no-break space.
var currencySigns = map[string]string{
	"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥", "KRW": "₩", "BRL": "R$", "CAD": "CA$",
	"AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "HKD": "HK$", "TWD": "NT$", "ILS": "₪", "VND": "₫", "PHP": "₱",
}

var noCents = map[string]bool{"JPY": true, "KRW": true, "VND": true, "CLP": true}

// readNumberStyle reads the options argument of toLocaleString: those of
// Intl.NumberFormat that decide about digits, percent and currency.
func readNumberStyle(m *vm.Machine, v vm.Value) (numberStyle, error) {
	st := numberStyle{maxFraction: 3, minInteger: 1, grouping: true}
	if v == vm.Undefined {
		return st, nil
	}
	o, err := m.ToObject(v)
	if err != nil {
		return st, err
	}
	get := func(name string) (vm.Value, error) {
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return vm.Undefined, err
		}
		return m.Get(o, k)
	}
	text := func(name string) (string, error) {
		v, err := get(name)
		if err != nil || v == vm.Undefined {
			return "", err
		}
		return optionText(m, v)
	}
	number := func(name string, lo, hi, def int) (int, bool, error) {
		v, err := get(name)
		if err != nil || v == vm.Undefined {
			return def, false, err
		}
		f, err := m.ToFloat(v)
		if err != nil {
			return def, false, err
		}
		if !(f >= float64(lo) && f <= float64(hi)) {
			return def, false, m.RangeError("%s value is out of range.", name)
		}
		return int(f), true, nil
	}
	style, err := text("style")
	if err != nil {
		return st, err
	}
	switch style {
	case "percent":
		st.percent, st.maxFraction = true, 0
	case "currency":
		code, err := text("currency")
		if err != nil {
			return st, err
		}
		if code == "" {
			return st, m.TypeError("Currency code is required with currency style.")
		}
		code = strings.ToUpper(code)
		if len(code) != 3 {
			return st, m.RangeError("Invalid currency code : %s", code)
		}
		st.prefix = currencySigns[code]
		if st.prefix == "" {
			st.prefix = code + "\u00a0"
		}
		if !noCents[code] {
			st.minFraction, st.maxFraction = 2, 2
		} else {
			st.maxFraction = 0
		}
	case "", "decimal", "unit":
	default:
		return st, m.RangeError("Value %s out of range for Intl.NumberFormat options property style", style)
	}
	if st.minInteger, _, err = number("minimumIntegerDigits", 1, 21, 1); err != nil {
		return st, err
	}
	lo, hasLo, err := number("minimumFractionDigits", 0, 100, st.minFraction)
	if err != nil {
		return st, err
	}
	hi, hasHi, err := number("maximumFractionDigits", 0, 100, st.maxFraction)
	if err != nil {
		return st, err
	}
	switch {
	case hasLo && hasHi && lo > hi:
		return st, m.RangeError("maximumFractionDigits value is out of range.")
	case hasLo && !hasHi:
		hi = max(hi, lo)
	case hasHi && !hasLo:
		lo = min(lo, hi)
	}
	st.minFraction, st.maxFraction = lo, hi
	lo, hasLo, err = number("minimumSignificantDigits", 1, 21, 1)
	if err != nil {
		return st, err
	}
	hi, hasHi, err = number("maximumSignificantDigits", lo, 21, 21)
	if err != nil {
		return st, err
	}
	if hasLo || hasHi {
		st.minSignificant, st.maxSignificant = lo, hi
	}
	g, err := get("useGrouping")
	if err != nil {
		return st, err
	}
	if g == vm.False {
		st.grouping = false
	}
	return st, nil
}

// optionText is ToString of an option as Go text. No option's value is long:
// of one that is, the beginning will do for the message.
func optionText(m *vm.Machine, v vm.Value) (string, error) {
	s, err := m.ToString(v)
	if err != nil {
		return "", err
	}
	if m.H.Len(s) > 64 {
		if s, err = m.H.Substring(s, 0, 64); err != nil {
			return "", err
		}
	}
	return m.H.GoString(s), nil
}

// numberToLocaleString is Number.prototype.toLocaleString (§21.1.3.4) in
// en-US.
func numberToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisNumber(m, &c, "toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	st, err := readNumberStyle(m, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	return m.NewString(formatLocale(v.AsFloat(), &st))
}

// formatLocale formats a Number. Rounding is half away from zero on the
// shortest decimal form.
func formatLocale(f float64, st *numberStyle) string {
	percent := ""
	if st.percent {
		percent = "%"
	}
	if f != f {
		return st.prefix + "NaN" + percent
	}
	var buf [64]byte
	s := conv.FormatNumber(buf[:0], f)
	sign := ""
	if s[0] == '-' {
		sign = "-"
	} else if f == 0 && 1/f < 0 {
		sign = "-"
	}
	if !isFinite(f) {
		return sign + st.prefix + "∞" + percent
	}
	s = conv.ToExponential(buf[:0], f, -1)
	if s[0] == '-' {
		s = s[1:]
	}
	mant, e, _ := strings.Cut(string(s), "e")
	digits := []byte(strings.Replace(mant, ".", "", 1))
	exp, neg := 0, e[0] == '-'
	for _, ch := range []byte(e[1:]) { //meter: at most three digits
		exp = exp*10 + int(ch-'0')
	}
	if neg {
		exp = -exp
	}
	point := exp + 1 // digits before the decimal point
	if st.percent {
		point += 2
	}
	return sign + st.prefix + localeDigits(digits, point, st)
}

// localeDigits lays out decimal digits, of which the first point are before
// the decimal point.
func localeDigits(digits []byte, point int, st *numberStyle) string {
	minFrac, maxFrac := st.minFraction, st.maxFraction
	keep := point + maxFrac
	if st.maxSignificant > 0 {
		keep = st.maxSignificant
		minFrac = max(0, st.minSignificant-point)
		maxFrac = max(0, keep-point)
	}
	if keep < len(digits) {
		up := keep >= 0 && digits[keep] >= '5'
		digits = digits[:max(keep, 0)]
		if up {
			i := len(digits) - 1
			for i >= 0 && digits[i] == '9' { //meter: at most 100 digits
				digits[i] = '0'
				i--
			}
			if i >= 0 {
				digits[i]++
			} else {
				digits = append([]byte{'1'}, digits...)
				point++
			}
		}
	}
	var whole, frac []byte
	for i := range max(point, 0) { //meter: at most 310
		if i < len(digits) {
			whole = append(whole, digits[i])
		} else {
			whole = append(whole, '0')
		}
	}
	for range -point { //meter: at most 330
		frac = append(frac, '0')
	}
	if point < len(digits) {
		frac = append(frac, digits[max(point, 0):]...)
	}
	if len(frac) > maxFrac {
		frac = frac[:maxFrac]
	}
	for len(frac) > minFrac && frac[len(frac)-1] == '0' { //meter: as long as the digits
		frac = frac[:len(frac)-1]
	}
	for len(frac) < minFrac { //meter: at most 100
		frac = append(frac, '0')
	}
	for len(whole) > 1 && whole[0] == '0' { //meter: as long as the digits
		whole = whole[1:]
	}
	for len(whole) < st.minInteger { //meter: at most 21
		whole = append([]byte{'0'}, whole...)
	}
	var out strings.Builder
	for i, ch := range whole { //meter: as long as the digits
		if i > 0 && st.grouping && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteByte(ch)
	}
	if len(frac) > 0 {
		out.WriteByte('.')
		out.Write(frac)
	}
	if st.percent {
		out.WriteByte('%')
	}
	return out.String()
}

// bigintToLocaleString is BigInt.prototype.toLocaleString (§21.2.3.2).
func bigintToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisBigInt(m, &c, "toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.BigIntToString(v, 10)
	if err != nil {
		return vm.Undefined, err
	}
	st, err := readNumberStyle(m, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	b, _, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	sign := ""
	if len(b) > 0 && b[0] == '-' {
		sign, b = "-", b[1:]
	}
	if len(b) <= 512 {
		return m.NewString(sign + st.prefix + localeDigits(append([]byte(nil), b...), len(b), &st))
	}
	// Long ones are grouped digits only.
	if err := m.Charge(len(b) / 8); err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	if err := sb.ascii(sign); err != nil {
		return vm.Undefined, err
	}
	for i := 0; i < len(b); { //meter: charged above
		n := (len(b)-i-1)%3 + 1
		if i > 0 && st.grouping {
			if err := sb.unit(','); err != nil {
				return vm.Undefined, err
			}
		}
		if err := sb.latin1(b[i : i+n]); err != nil {
			return vm.Undefined, err
		}
		i += n
	}
	out, err := sb.finish()
	return heap.StringValue(out), err
}
