package conv

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/pinfold-js/pinfold/meter"
)

// BigFromFloat sets z to the integral Number f (NumberToBigInt, §21.2.1.1.1).
func BigFromFloat(z *big.Int, f float64) *big.Int {
	if f >= -1<<63 && f < 1<<63 {
		return z.SetInt64(int64(f))
	}
	b := math.Float64bits(f)
	z.SetUint64(b&(1<<52-1) | 1<<52)
	z.Lsh(z, uint(b>>52)&0x7FF-1075)
	if f < 0 {
		z.Neg(z)
	}
	return z
}

// BigToFloat is Number(x): x rounded to nearest, ties to even.
func BigToFloat(x *big.Int) float64 {
	a := x.Bits()
	if len(a) == 0 {
		return 0
	}
	mant, n, sticky := topWord(a)
	f := roundBits(mant, n-64, sticky)
	if x.Sign() < 0 {
		return -f
	}
	return f
}

// BigCmpFloat compares x with f exactly: -1, 0 or 1. f must not be NaN.
func BigCmpFloat(x *big.Int, f float64) int {
	switch {
	case f > math.MaxFloat64:
		return -1
	case f < -math.MaxFloat64:
		return 1
	}
	s := x.Sign()
	if t := Sign(f); float64(s) != t {
		if float64(s) < t {
			return -1
		}
		return 1
	}
	if x.BitLen() > 1024 {
		return s
	}
	var z big.Int
	whole := math.Trunc(f)
	if c := x.Cmp(BigFromFloat(&z, whole)); c != 0 {
		return c
	}
	return -int(Sign(f - whole))
}

// BigCmp compares x and y: -1, 0 or 1.
func BigCmp(m *meter.Meter, x, y *big.Int) (int, error) {
	if err := limbCost(m, min(len(x.Bits()), len(y.Bits()))); err != nil {
		return 0, err
	}
	return x.Cmp(y), nil
}

// BigToUint64 returns x modulo 2^64 (ToBigUint64, §7.1.16).
func BigToUint64(x *big.Int) uint64 {
	var n uint64
	a := x.Bits()
	for i := 0; i < len(a) && i*limbBits < 64; i++ { //meter: at most two limbs
		n |= uint64(a[i]) << (i * limbBits)
	}
	if x.Sign() < 0 {
		return -n
	}
	return n
}

// BigToInt64 returns x modulo 2^64 as a signed value (ToBigInt64, §7.1.15).
func BigToInt64(x *big.Int) int64 { return int64(BigToUint64(x)) }

// leafDigits is how many digits math/big is given at once.
const leafDigits = 2048

// StringToBigInt is StringToBigInt (§7.1.14). ok is false where it gives
// undefined. The error is the meter's or ErrTooBig.
func StringToBigInt[C Char](m *meter.Meter, s []C) (x *big.Int, ok bool, err error) {
	if s, err = trim(m, s); err != nil {
		return nil, false, err
	}
	if len(s) == 0 {
		return new(big.Int), true, nil
	}
	radix := prefixRadix(s)
	neg := false
	switch {
	case radix != 0:
		s = s[2:]
	case s[0] == '-' || s[0] == '+':
		neg = s[0] == '-'
		s = s[1:]
		radix = 10
	default:
		radix = 10
	}
	x, ok, err = parseBig(m, s, radix)
	if neg && ok {
		x.Neg(x)
	}
	return x, ok, err
}

// ParseBigIntLiteral returns the value of a BigInt literal without its
// separators and its n. The error is the meter's or ErrTooBig.
func ParseBigIntLiteral(m *meter.Meter, text string) (*big.Int, bool, error) {
	s := []byte(text)
	if radix := prefixRadix(s); radix != 0 {
		return parseBig(m, s[2:], radix)
	}
	return parseBig(m, s, 10)
}

// parseBig reads digits and nothing else.
func parseBig[C Char](m *meter.Meter, s []C, radix int) (*big.Int, bool, error) {
	if len(s) == 0 {
		return nil, false, nil
	}
	start := 0
	for i := range s {
		if err := tick(m, i); err != nil {
			return nil, false, err
		}
		if digitOf(uint32(s[i])) >= uint32(radix) {
			return nil, false, nil
		}
		if start == i && s[i] == '0' {
			start++
		}
	}
	s = s[start:]
	if err := charge(m, 1); err != nil {
		return nil, false, err
	}
	if len(s) <= 18 {
		n := int64(0)
		if radix <= 10 || len(s) <= 15 {
			for _, c := range s { //meter: at most 18
				n = n*int64(radix) + int64(digitOf(uint32(c)))
			}
			return big.NewInt(n), true, nil
		}
	}
	if float64(len(s)-1)*math.Log2(float64(radix)) > MaxBigIntBits {
		return nil, false, ErrTooBig
	}
	z := new(big.Int)
	var a nat
	var err error
	if radix&(radix-1) == 0 {
		a, err = parsePow2(m, s, bits.TrailingZeros(uint(radix)))
	} else {
		// The digits as bytes, and about four numbers of the result's length.
		if err := reserve(m, int64(len(s))*3); err != nil {
			return nil, false, err
		}
		p := powers{radix: radix}
		a, err = parseSplit(m, s, &p)
	}
	if err != nil {
		return nil, false, err
	}
	setNat(z, a, false)
	if err := checkSize(z); err != nil {
		return nil, false, err
	}
	return z, true, nil
}

// parsePow2 packs digits of shift bits.
func parsePow2[C Char](m *meter.Meter, s []C, shift int) (nat, error) {
	n := (len(s)*shift + limbBits - 1) / limbBits
	if err := reserve(m, int64(n)*8); err != nil {
		return nil, err
	}
	r := make(nat, n) //meter: reserved above
	bit := 0
	for i := len(s) - 1; i >= 0; i-- {
		if err := tick(m, i); err != nil {
			return nil, err
		}
		d := big.Word(digitOf(uint32(s[i])))
		w, o := bit/limbBits, bit%limbBits
		r[w] |= d << o
		if o+shift > limbBits && w+1 < n {
			r[w+1] |= d >> (limbBits - o)
		}
		bit += shift
	}
	return norm(r), nil
}

// powers holds radix^(leafDigits × 2^i), made when needed.
type powers struct {
	radix int
	p     []nat
}

func (p *powers) get(m *meter.Meter, i int) (nat, error) {
	if len(p.p) == 0 {
		var x big.Int
		if err := charge(m, leafDigits/2); err != nil {
			return nil, err
		}
		x.Exp(big.NewInt(int64(p.radix)), big.NewInt(leafDigits), nil)
		p.p = append(p.p, x.Bits())
	}
	for len(p.p) <= i { //meter: the logarithm of the number's length: each squares the last
		last := p.p[len(p.p)-1]
		next, err := mulNat(m, last, last)
		if err != nil {
			return nil, err
		}
		p.p = append(p.p, next)
	}
	return p.p[i], nil
}

// parseSplit halves the digits until math/big can take them.
func parseSplit[C Char](m *meter.Meter, s []C, p *powers) (nat, error) { //meter: the depth is the logarithm of the length
	if len(s) <= leafDigits {
		if err := charge(m, len(s)); err != nil {
			return nil, err
		}
		var buf [leafDigits]byte
		for i, c := range s {
			buf[i] = byte(c)
		}
		x, ok := new(big.Int).SetString(string(buf[:len(s)]), p.radix)
		if !ok {
			return nil, nil
		}
		return x.Bits(), nil
	}
	i, n := 0, leafDigits
	for n*2 < len(s) { //meter: the logarithm of the length
		n *= 2
		i++
	}
	hi, err := parseSplit(m, s[:len(s)-n], p)
	if err != nil {
		return nil, err
	}
	lo, err := parseSplit(m, s[len(s)-n:], p)
	if err != nil {
		return nil, err
	}
	pow, err := p.get(m, i)
	if err != nil {
		return nil, err
	}
	if hi, err = mul(m, hi, pow); err != nil {
		return nil, err
	}
	return addNat(m, hi, lo)
}

// FormatBigInt appends BigInt::toString(x, radix) (§6.1.6.2.21). The error is
// the meter's.
func FormatBigInt(m *meter.Meter, dst []byte, x *big.Int, radix int) ([]byte, error) {
	a := x.Bits()
	if len(a) <= 16 {
		if err := charge(m, 1+len(a)*8); err != nil {
			return dst, err
		}
		return x.Append(dst, radix), nil
	}
	n := int64(float64(bitLen(a))/math.Log2(float64(radix))) + 2
	// The digits, the string that is made of them, and the halves in between.
	if err := reserve(m, 2*n+int64(len(a))*24); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, int(n)) //meter: reserved above
	if x.Sign() < 0 {
		dst = append(dst, '-')
	}
	if radix&(radix-1) == 0 {
		return formatPow2(m, dst, a, bits.TrailingZeros(uint(radix)))
	}
	p := powers{radix: radix}
	return formatSplit(m, dst, a, &p, len(dst))
}

// formatPow2 unpacks digits of shift bits.
func formatPow2(m *meter.Meter, dst []byte, a nat, shift int) ([]byte, error) {
	n := (bitLen(a) + shift - 1) / shift
	for i := n - 1; i >= 0; i-- {
		if err := tick(m, i); err != nil {
			return dst, err
		}
		bit := i * shift
		w, o := bit/limbBits, bit%limbBits
		d := a[w] >> o
		if o+shift > limbBits && w+1 < len(a) {
			d |= a[w+1] << (limbBits - o)
		}
		dst = append(dst, digits36[d&(1<<shift-1)])
	}
	return dst, nil
}

// formatSplit appends a's digits; after start they are padded with zeros, so
// that only the number's highest part has none in front.
func formatSplit(m *meter.Meter, dst []byte, a nat, p *powers, start int) ([]byte, error) {
	// The greatest power that is not longer than half of a.
	i := 0
	pow, err := p.get(m, 0)
	if err != nil {
		return dst, err
	}
	for 2*len(pow)*2 <= len(a)+1 { //meter: the logarithm of the length
		i++
		if pow, err = p.get(m, i); err != nil {
			return dst, err
		}
	}
	return formatPart(m, dst, a, p, i, start)
}

// formatPart appends a, splitting at power i, then at lower ones. If anything
// was written since start, it has twice the digits of power i.
func formatPart(m *meter.Meter, dst []byte, a nat, p *powers, i, start int) ([]byte, error) { //meter: the depth is the logarithm of the length
	if i < 0 {
		if err := charge(m, 32+len(a)*len(a)/4); err != nil {
			return dst, err
		}
		var x big.Int
		x.SetBits(a)
		if len(dst) == start {
			if len(a) == 0 {
				return dst, nil
			}
			return x.Append(dst, p.radix), nil
		}
		var buf [leafDigits + 1]byte
		d := x.Append(buf[:0], p.radix)
		for n := len(d); n < leafDigits; n++ { //meter: fewer than leafDigits, charged above
			dst = append(dst, '0')
		}
		return append(dst, d...), nil
	}
	pow, err := p.get(m, i)
	if err != nil {
		return dst, err
	}
	q, r, err := divNat(m, a, pow)
	if err != nil {
		return dst, err
	}
	if cmpNat(q, pow) >= 0 {
		// The top part can be longer than the power.
		if dst, err = formatPart(m, dst, q, p, i, start); err != nil {
			return dst, err
		}
	} else if dst, err = formatPart(m, dst, q, p, i-1, start); err != nil {
		return dst, err
	}
	return formatPart(m, dst, r, p, i-1, start)
}
