package conv

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/pinfold-js/pinfold/meter"
)

// ParseNumber is StringToNumber (§7.1.4.1.1); ok is false where it gives NaN.
// It is for short strings; StringToNumber charges long ones.
func ParseNumber[C Char](s []C) (f float64, ok bool) {
	f, _ = StringToNumber(nil, s) //meter: without a meter there is no limit
	return f, f == f
}

// StringToNumber is StringToNumber (§7.1.4.1.1). The error is the meter's.
func StringToNumber[C Char](m *meter.Meter, s []C) (float64, error) {
	// Most strings are short plain integers.
	if n := len(s); n > 0 && n <= 15 {
		i := int64(0)
		for j := 0; ; j++ { //meter: at most 15
			if j == n {
				return float64(i), nil
			}
			d := uint32(s[j]) - '0'
			if d > 9 {
				break
			}
			i = i*10 + int64(d)
		}
	}
	s, err := trim(m, s)
	if err != nil {
		return 0, err
	}
	if len(s) == 0 {
		return 0, nil
	}
	if radix := prefixRadix(s); radix != 0 {
		f, n, err := parseBits(m, s[2:], radix)
		if n != len(s)-2 || n == 0 {
			return math.NaN(), err
		}
		return f, err
	}
	f, n, err := scanDecimal(m, s)
	if n != len(s) {
		return math.NaN(), err
	}
	return f, err
}

// prefixRadix returns the radix that 0x, 0o or 0b at the start of s says, or 0.
func prefixRadix[C Char](s []C) int {
	if len(s) < 2 || s[0] != '0' {
		return 0
	}
	switch s[1] | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// ParseFloatPrefix is parseFloat (§19.2.4): the longest prefix of s, without
// leading white space, that is a StrDecimalLiteral, or NaN.
func ParseFloatPrefix[C Char](m *meter.Meter, s []C) (float64, error) {
	i, err := skipSpace(m, s, 0)
	if err != nil {
		return 0, err
	}
	f, n, err := scanDecimal(m, s[i:])
	if n == 0 {
		return math.NaN(), err
	}
	return f, err
}

// maxDigits is how many significant digits can decide how a decimal numeral
// rounds (767), and some more. Of the rest matters only whether all are zeros.
// strconv misplaces the point of integers of more than 800 digits.
const maxDigits = 780

// decimal is what scanDigits finds out about a numeral's digits.
type decimal struct {
	mant  uint64 // the first significant digits, up to 19
	nd    int    // significant digits in all, trailing zeros included
	exp   int    // the value is mant × 10^exp, and a little more if nd > 19
	first int    // index of the first significant digit
	end   int    // index after the last digit or point
	any   bool   // there is a digit
}

// scanDigits reads digits with at most one point.
func scanDigits[C Char](m *meter.Meter, s []C, i int) (d decimal, err error) {
	point := false
	for ; i < len(s); i++ {
		if err := tick(m, i); err != nil {
			return d, err
		}
		c := uint32(s[i]) - '0'
		if c > 9 {
			if s[i] != '.' || point {
				break
			}
			point = true
			continue
		}
		d.any = true
		switch {
		case d.nd == 0 && c == 0:
			if point {
				d.exp--
			}
			continue
		case d.nd == 0:
			d.first = i
		}
		if d.nd++; d.nd <= 19 {
			d.mant = d.mant*10 + uint64(c)
			if point {
				d.exp--
			}
		} else if !point {
			d.exp++
		}
	}
	d.end = i
	return d, nil
}

// scanDecimal reads the longest StrDecimalLiteral at the start of s and returns
// its value and length, which is 0 if there is none.
func scanDecimal[C Char](m *meter.Meter, s []C) (f float64, n int, err error) {
	i := 0
	neg := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		i = 1
	}
	if hasPrefix(s[i:], "Infinity") {
		f, i = math.Inf(1), i+8
	} else {
		d, err := scanDigits(m, s, i)
		if err != nil {
			return 0, 0, err
		}
		if !d.any {
			return 0, 0, nil
		}
		var exp int
		exp, i, err = scanExponent(m, s, d.end)
		if err != nil {
			return 0, 0, err
		}
		if f, err = d.value(m, exp, func(j int) uint32 { return uint32(s[j]) }); err != nil {
			return 0, 0, err
		}
	}
	if neg {
		f = -f
	}
	return f, i, nil
}

func hasPrefix[C Char](s []C, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) { //meter: the length of a literal
		if uint32(s[i]) != uint32(prefix[i]) {
			return false
		}
	}
	return true
}

// scanExponent reads an ExponentPart at i, if there is one, and returns its
// value, held below 10^12, and the index after it.
func scanExponent[C Char](m *meter.Meter, s []C, i int) (exp, end int, err error) {
	end = i
	if i >= len(s) || s[i]|0x20 != 'e' {
		return 0, end, nil
	}
	i++
	neg := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	for ; i < len(s) && uint32(s[i])-'0' <= 9; i++ {
		if err := tick(m, i); err != nil {
			return 0, 0, err
		}
		if exp < 1e11 {
			exp = exp*10 + int(s[i]-'0')
		}
		end = i + 1
	}
	if neg {
		exp = -exp
	}
	return exp, end, nil
}

var exactPow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// value rounds the digits times 10^exp. at gives the unit at an index.
func (d *decimal) value(m *meter.Meter, exp int, at func(int) uint32) (float64, error) {
	if d.mant == 0 {
		return 0, nil
	}
	exp += d.exp
	switch {
	case exp > 310:
		return math.Inf(1), nil
	case exp < -400:
		return 0, nil
	}
	var buf [maxDigits + 16]byte
	b := buf[:0]
	if d.nd <= 19 {
		if d.mant < 1<<53 {
			switch f := float64(d.mant); {
			case exp == 0:
				return f, nil
			case 0 < exp && exp <= 22:
				return f * exactPow10[exp], nil
			case -22 <= exp && exp < 0:
				return f / exactPow10[-exp], nil
			}
		}
		b = strconv.AppendUint(b, d.mant, 10)
	} else {
		sticky := false
		for i, n := d.first, d.nd; n > 0; i++ {
			if err := tick(m, i); err != nil {
				return 0, err
			}
			c := at(i)
			if c == '.' {
				continue
			}
			n--
			if len(b) < maxDigits {
				b = append(b, byte(c))
			} else if c != '0' {
				sticky = true
				break
			}
		}
		exp += 19 - len(b)
		if sticky {
			b = append(b, '1')
			exp--
		}
	}
	b = append(b, 'e')
	b = strconv.AppendInt(b, int64(exp), 10)
	f, _ := strconv.ParseFloat(string(b), 64)
	return f, nil
}

// parseBits reads digits of a radix that is a power of two and rounds them
// exactly. n is how many units it read.
func parseBits[C Char](m *meter.Meter, s []C, radix int) (f float64, n int, err error) {
	shift := bits.TrailingZeros(uint(radix))
	var mant uint64
	exp := 0
	sticky := false
	for ; n < len(s); n++ {
		if err := tick(m, n); err != nil {
			return 0, 0, err
		}
		d := digitOf(uint32(s[n]))
		if d >= uint32(radix) {
			break
		}
		// Up to 59 bits and the digit fit; beyond, only whether any is set counts.
		if mant>>59 == 0 {
			mant = mant<<shift | uint64(d)
		} else {
			exp += shift
			sticky = sticky || d != 0
		}
	}
	return roundBits(mant, exp, sticky), n, nil
}

// roundBits returns mant × 2^exp, and a little more if sticky, rounded to
// nearest even. If sticky, mant must have more than 54 bits.
func roundBits(mant uint64, exp int, sticky bool) float64 {
	if sticky {
		mant |= 1
	}
	if exp > 1024 {
		return math.Inf(1)
	}
	return math.Ldexp(float64(mant), exp)
}

// ParseIntPrefix is parseInt (§19.2.5) after the radix went through ToInt32.
// The value is the numeral's, rounded once, however long it is.
func ParseIntPrefix[C Char](m *meter.Meter, s []C, radix int32) (float64, error) {
	i, err := skipSpace(m, s, 0)
	if err != nil {
		return 0, err
	}
	s = s[i:]
	neg := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	if radix == 0 || radix == 16 {
		if len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x' {
			s = s[2:]
			radix = 16
		} else if radix == 0 {
			radix = 10
		}
	}
	if radix < 2 || radix > 36 {
		return math.NaN(), nil
	}
	f, n, err := parseDigits(m, s, int(radix))
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return math.NaN(), nil
	}
	if neg {
		f = -f
	}
	return f, nil
}

func parseDigits[C Char](m *meter.Meter, s []C, radix int) (f float64, n int, err error) {
	if radix&(radix-1) == 0 {
		return parseBits(m, s, radix)
	}
	// Digits that fit 53 bits need no rounding.
	var mant uint64
	for ; n < len(s); n++ {
		d := digitOf(uint32(s[n]))
		if d >= uint32(radix) {
			return float64(mant), n, nil
		}
		next := mant*uint64(radix) + uint64(d)
		if next >= 1<<53 {
			break
		}
		mant = next
		if err := tick(m, n); err != nil {
			return 0, 0, err
		}
	}
	if n == len(s) {
		return float64(mant), n, nil
	}
	start := 0
	for s[start] == '0' { //meter: zeros that were counted above
		start++
	}
	if radix == 10 {
		d := decimal{first: start}
		for n = start; n < len(s) && uint32(s[n])-'0' <= 9; n++ {
			if err := tick(m, n); err != nil {
				return 0, 0, err
			}
			if d.nd++; d.nd <= 19 {
				d.mant = d.mant*10 + uint64(s[n]-'0')
			} else {
				d.exp++
			}
		}
		f, err = d.value(m, 0, func(j int) uint32 { return uint32(s[j]) })
		return f, n, err
	}
	// 3^647 > 2^1024: more digits than that are infinite in any radix.
	var buf [700]byte
	b := buf[:0]
	for n = start; n < len(s) && digitOf(uint32(s[n])) < uint32(radix); n++ { //meter: at most 700
		if len(b) == cap(b) {
			return math.Inf(1), n, nil
		}
		b = append(b, byte(s[n]))
	}
	x, _ := new(big.Int).SetString(string(b), radix)
	return BigToFloat(x), n, nil
}

// ParseLiteral returns the value of a NumericLiteral (§12.9.3) whose separators
// are gone: decimal, 0x, 0o, 0b, and the legacy forms 0777 and 089. It is NaN
// if text is none.
func ParseLiteral(m *meter.Meter, text string) (float64, error) {
	s := []byte(text)
	if radix := prefixRadix(s); radix != 0 {
		f, n, err := parseBits(m, s[2:], radix)
		if n == 0 || n+2 != len(s) {
			f = math.NaN()
		}
		return f, err
	}
	if len(s) == 0 || s[0] != '.' && s[0]-'0' > 9 {
		return math.NaN(), nil
	}
	if len(s) > 1 && s[0] == '0' {
		if f, n, err := parseBits(m, s[1:], 8); err != nil || n == len(s)-1 {
			return f, err
		}
	}
	f, n, err := scanDecimal(m, s)
	if n != len(s) {
		f = math.NaN()
	}
	return f, err
}
