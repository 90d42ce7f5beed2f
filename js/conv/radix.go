package conv

import "math"

// FormatRadix appends Number::toString(f, radix) for 2 ≤ radix ≤ 36. §6.1.6.1.20
// leaves the digits of a fraction to the implementation; these are the ones
// that V8 prints: as many as are needed to tell f from its neighbours.
func FormatRadix(dst []byte, f float64, radix int) []byte {
	if radix == 10 {
		return FormatNumber(dst, f)
	}
	if d, ok := appendSpecial(dst, f); ok {
		return d
	}
	if f < 0 {
		dst = append(dst, '-')
		f = -f
	}
	whole := math.Floor(f)
	var fracBuf [1100]byte
	frac := fracBuf[:0]
	if rest := f - whole; rest > 0 {
		var carry bool
		if frac, carry = fraction(frac, f, rest, radix); carry {
			whole++
		}
	}
	dst = appendWhole(dst, whole, radix)
	if len(frac) > 0 {
		dst = append(dst, '.')
		for _, d := range frac { //meter: at most 1100 digits
			dst = append(dst, digits36[d])
		}
	}
	return dst
}

// fraction produces the digit values of rest, the fraction of f, until what is
// left is smaller than half the distance to f's upper neighbour. carry says
// that rounding went past the point.
func fraction(digits []byte, f, rest float64, radix int) (_ []byte, carry bool) {
	r := float64(radix)
	delta := 0.5 * (math.Nextafter(f, math.Inf(1)) - f)
	delta = max(delta, math.SmallestNonzeroFloat64)
	for rest >= delta { //meter: a number's binary digits: at most 1100
		rest = float64(rest * r)
		delta = float64(delta * r)
		d := byte(rest)
		digits = append(digits, d)
		rest -= float64(d)
		if (rest > 0.5 || rest == 0.5 && d&1 == 1) && rest+delta > 1 {
			// Round up; digits that overflow are dropped.
			for len(digits) > 0 { //meter: at most 1100
				last := &digits[len(digits)-1]
				if int(*last)+1 < radix {
					*last++
					return digits, false
				}
				digits = digits[:len(digits)-1]
			}
			return digits, true
		}
	}
	return digits, false
}

// appendWhole appends the integer f. Digits below its precision are zeros.
func appendWhole(dst []byte, f float64, radix int) []byte {
	r := float64(radix)
	low := 0
	for f/r >= 1<<53 { //meter: a number's binary digits: at most 1100
		f /= r
		low++
	}
	var buf [64]byte
	i := len(buf)
	for { //meter: a number's binary digits: at most 1100
		d := math.Mod(f, r)
		i--
		buf[i] = digits36[int(d)]
		f = (f - d) / r
		if f <= 0 {
			break
		}
	}
	dst = append(dst, buf[i:]...)
	return appendZeros(dst, low)
}
