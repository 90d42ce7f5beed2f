package conv

import (
	"math"
	"math/bits"
	"strconv"
)

const digits36 = "0123456789abcdefghijklmnopqrstuvwxyz"

// appendSpecial appends NaN and the infinities; ok is false for any other f.
func appendSpecial(dst []byte, f float64) (_ []byte, ok bool) {
	switch {
	case f != f:
		return append(dst, "NaN"...), true
	case f > math.MaxFloat64:
		return append(dst, "Infinity"...), true
	case f < -math.MaxFloat64:
		return append(dst, "-Infinity"...), true
	}
	return dst, false
}

// FormatNumber appends Number::toString(f, 10) (§6.1.6.1.20).
func FormatNumber(dst []byte, f float64) []byte {
	if f > -1e15 && f < 1e15 {
		if i := int64(f); float64(i) == f {
			return appendInt(dst, i)
		}
	}
	if d, ok := appendSpecial(dst, f); ok {
		return d
	}
	if f < 0 {
		dst = append(dst, '-')
		f = -f
	}
	var buf [32]byte
	digits, n := splitE(strconv.AppendFloat(buf[:0], f, 'e', -1, 64))
	k := len(digits)
	switch {
	case k <= n && n <= 21:
		dst = append(dst, digits...)
		return appendZeros(dst, n-k)
	case 0 < n && n <= 21:
		dst = append(dst, digits[:n]...)
		dst = append(dst, '.')
		return append(dst, digits[n:]...)
	case -6 < n && n <= 0:
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -n)
		return append(dst, digits...)
	}
	return appendExponential(dst, digits, n-1)
}

func appendInt(dst []byte, i int64) []byte {
	if uint64(i) < 10 {
		return append(dst, byte('0'+i))
	}
	return strconv.AppendInt(dst, i, 10)
}

// splitE takes strconv's 'e' format of a positive number apart, in place: the
// digits, and n such that the value is 0.digits × 10^n.
func splitE(b []byte) (digits []byte, n int) {
	i := len(b) - 1
	for b[i] != 'e' { //meter: at most 800 bytes
		i--
	}
	e := 0
	for _, c := range b[i+2:] { //meter: at most 3 digits
		e = e*10 + int(c-'0')
	}
	if b[i+1] == '-' {
		e = -e
	}
	if i == 1 {
		return b[:1], e + 1
	}
	b[1] = b[0]
	return b[1:i], e + 1
}

const zeros = "0000000000000000000000000000000000000000"

func appendZeros(dst []byte, n int) []byte {
	for n > len(zeros) { //meter: zeros of a number's notation: at most 1100
		dst = append(dst, zeros...)
		n -= len(zeros)
	}
	if n > 0 {
		dst = append(dst, zeros[:n]...)
	}
	return dst
}

// appendExponential appends d.ddde±x.
func appendExponential(dst, digits []byte, e int) []byte {
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(dst, '.')
		dst = append(dst, digits[1:]...)
	}
	if e < 0 {
		dst = append(dst, "e-"...)
		e = -e
	} else {
		dst = append(dst, "e+"...)
	}
	return strconv.AppendInt(dst, int64(e), 10)
}

// lowBit returns the exponent of the lowest set bit of f > 0.
func lowBit(f float64) int {
	b := math.Float64bits(f)
	e := int(b>>52) & 0x7FF
	mant := b & (1<<52 - 1)
	if e == 0 {
		e = 1
	} else {
		mant |= 1 << 52
	}
	return e - 1075 + bits.TrailingZeros64(mant)
}

// ToFixed appends Number.prototype.toFixed (§21.1.3.3) for 0 ≤ digits ≤ 100.
func ToFixed(dst []byte, f float64, digits int) []byte {
	if f != f || f >= 1e21 || f <= -1e21 {
		return FormatNumber(dst, f)
	}
	if f < 0 {
		dst = append(dst, '-')
		f = -f
	}
	if f == 0 {
		dst = append(dst, '0')
		if digits > 0 {
			dst = append(dst, '.')
			dst = appendZeros(dst, digits)
		}
		return dst
	}
	if digits < len(pow10) {
		if n, ok := scaled(f, digits); ok {
			return appendPoint(dst, n, digits)
		}
	}
	// strconv rounds the exact value, ties to even; the larger n is wanted. The
	// value is a tie exactly if its lowest bit is one half in the last place.
	if lowBit(f) == -(digits + 1) {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', digits+1, 64)
		dst = dst[:len(dst)-1]
		if digits == 0 {
			dst = dst[:len(dst)-1]
		}
		return increment(dst, start)
	}
	return strconv.AppendFloat(dst, f, 'f', digits, 64)
}

var pow10 = func() (t [20]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] * 10
	}
	return
}()

// scaled returns f × 10^digits rounded to an integer, ties up, if that is less
// than 10^19 and f is less than 2^53.
func scaled(f float64, digits int) (uint64, bool) {
	b := math.Float64bits(f)
	e := int(b >> 52)
	mant := b & (1<<52 - 1)
	if e == 0 {
		e = 1
	} else {
		mant |= 1 << 52
	}
	s := 1075 - e // f = mant / 2^s
	if s <= 0 {
		return 0, false
	}
	hi, lo := bits.Mul64(mant, pow10[digits])
	switch {
	case s > 118: // the product has at most 117 bits
		return 0, true
	case s > 64:
		hi += 1 << (s - 65)
		return hi >> (s - 64), true
	default:
		var c uint64
		lo, c = bits.Add64(lo, 1<<(s-1), 0)
		hi += c
		if s == 64 {
			return hi, true
		}
		if hi>>(s) != 0 {
			return 0, false
		}
		n := hi<<(64-s) | lo>>s
		return n, n < pow10[19]
	}
}

// appendPoint appends n with a decimal point before its last digits.
func appendPoint(dst []byte, n uint64, digits int) []byte {
	if digits == 0 {
		return strconv.AppendUint(dst, n, 10)
	}
	p := pow10[digits]
	dst = strconv.AppendUint(dst, n/p, 10)
	dst = append(dst, '.')
	n %= p
	var buf [20]byte
	for i := digits - 1; i >= 0; i-- { //meter: at most 17
		buf[i] = byte('0' + n%10)
		n /= 10
	}
	return append(dst, buf[:digits]...)
}

// increment adds one in the last place of the decimal numeral dst[start:].
func increment(dst []byte, start int) []byte {
	for i := len(dst) - 1; i >= start; i-- { //meter: the digits of one number: at most 130
		switch c := dst[i]; c {
		case '.':
		case '9':
			dst[i] = '0'
		default:
			dst[i] = c + 1
			return dst
		}
	}
	dst = append(dst, 0)
	copy(dst[start+1:], dst[start:])
	dst[start] = '1'
	return dst
}

// rounded returns the first p digits of f > 0, ties up, and n such that the
// value is 0.digits × 10^n.
func rounded(buf []byte, f float64, p int) (digits []byte, n int) {
	digits, n = splitE(strconv.AppendFloat(buf, f, 'e', p-1, 64))
	// The last place is 10^(n-p). A tie is an odd multiple of half of it.
	k := n - p
	if lowBit(f) != k-1 {
		return digits, n
	}
	if k > 0 {
		// f = odd × 2^(k-1) must be a multiple of 5^k as well.
		odd := math.Float64bits(f)&(1<<52-1) | 1<<52
		odd >>= bits.TrailingZeros64(odd)
		for range k { //meter: at most 323
			if odd%5 != 0 {
				return digits, n
			}
			odd /= 5
		}
	}
	// One more digit is exact, and a 5.
	digits, n = splitE(strconv.AppendFloat(buf, f, 'e', p, 64))
	digits = digits[:p]
	for i := p - 1; ; i-- { //meter: the digits of one number: at most 130
		if digits[i] < '9' {
			digits[i]++
			return digits, n
		}
		digits[i] = '0'
		if i == 0 {
			digits[0] = '1'
			return digits, n + 1
		}
	}
}

// ToExponential appends Number.prototype.toExponential (§21.1.3.2) for
// 0 ≤ digits ≤ 100, or with as many digits as needed if digits is negative.
func ToExponential(dst []byte, f float64, digits int) []byte {
	if d, ok := appendSpecial(dst, f); ok {
		return d
	}
	if f < 0 {
		dst = append(dst, '-')
		f = -f
	}
	var buf [128]byte
	if f == 0 {
		b := append(buf[:0], '0')
		return appendExponential(dst, appendZeros(b, digits), 0)
	}
	if digits < 0 {
		d, n := splitE(strconv.AppendFloat(buf[:0], f, 'e', -1, 64))
		return appendExponential(dst, d, n-1)
	}
	d, n := rounded(buf[:0], f, digits+1)
	return appendExponential(dst, d, n-1)
}

// ToPrecision appends Number.prototype.toPrecision (§21.1.3.5) for
// 1 ≤ p ≤ 100.
func ToPrecision(dst []byte, f float64, p int) []byte {
	if d, ok := appendSpecial(dst, f); ok {
		return d
	}
	if f < 0 {
		dst = append(dst, '-')
		f = -f
	}
	var buf [128]byte
	var d []byte
	n := 1
	if f == 0 {
		d = appendZeros(buf[:0], p)
	} else {
		d, n = rounded(buf[:0], f, p)
	}
	e := n - 1
	switch {
	case e < -6 || e >= p:
		return appendExponential(dst, d, e)
	case e == p-1:
		return append(dst, d...)
	case e >= 0:
		dst = append(dst, d[:n]...)
		dst = append(dst, '.')
		return append(dst, d[n:]...)
	}
	dst = append(dst, "0."...)
	dst = appendZeros(dst, -n)
	return append(dst, d...)
}
