package number

import (
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/intl/plural"
)

type kind uint8

const (
	finite kind = iota
	infinite
	notANumber
)

// Decimal is an Intl mathematical value (ECMA-402 §16.5.16): an exact decimal
// number, an infinity, NaN or negative zero.
type Decimal struct {
	digits []byte // 0 to 9; neither the first nor the last is 0
	point  int    // the value is 0.digits × 10^point
	neg    bool
	kind   kind
}

// IsNaN reports whether d is no number.
func (d *Decimal) IsNaN() bool { return d.kind == notANumber }

// IsFinite reports whether d is neither an infinity nor NaN.
func (d *Decimal) IsFinite() bool { return d.kind == finite }

// IsZero reports whether d is 0 or −0.
func (d *Decimal) IsZero() bool { return d.kind == finite && len(d.digits) == 0 }

// Negative reports whether d has a minus sign.
func (d *Decimal) Negative() bool { return d.neg }

// Size is about how many digits it takes to write d.
func (d *Decimal) Size() int { return max(len(d.digits), d.point, len(d.digits)-d.point) }

// Abs returns d without its sign.
func (d Decimal) Abs() Decimal {
	d.neg = false
	return d
}

// NaN, and infinity with a sign.
func NaN() Decimal              { return Decimal{kind: notANumber} }
func Infinity(neg bool) Decimal { return Decimal{kind: infinite, neg: neg} }

// FromFloat returns a Number's value, by its shortest decimal form.
func FromFloat(f float64) Decimal {
	if f != f {
		return NaN()
	}
	if math.IsInf(f, 0) {
		return Infinity(f < 0)
	}
	d := Decimal{neg: math.Signbit(f)}
	if f == 0 {
		return d
	}
	if i := math.Abs(f); i < 1<<53 && i == math.Trunc(i) {
		n := uint64(i)
		var buf [17]byte
		at := len(buf)
		for n > 0 { //meter: at most 16
			at--
			buf[at] = byte(n % 10)
			n /= 10
		}
		d.digits = append(make([]byte, 0, 20), buf[at:]...)
		d.point = len(d.digits)
		d.trim()
		return d
	}
	var buf [64]byte
	return Parse(conv.ToExponential(buf[:0], f, -1))
}

// FromDigits returns an integer of ASCII digits.
func FromDigits(neg bool, digits []byte) Decimal {
	d := Decimal{neg: neg, digits: make([]byte, len(digits)), point: len(digits)}
	for i, c := range digits { //meter: the caller's
		d.digits[i] = c - '0'
	}
	d.trim()
	return d
}

// Parse reads a StrDecimalLiteral of ASCII text: the caller knows that it is
// one, and that its value as a Number is finite.
func Parse(s []byte) Decimal {
	var d Decimal
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		d.neg = s[0] == '-'
		s = s[1:]
	}
	d.digits = make([]byte, 0, len(s))
	whole, exp := -1, 0
	for i, c := range s { //meter: the caller's
		if c == '.' {
			whole = len(d.digits)
		} else if c >= '0' && c <= '9' {
			d.digits = append(d.digits, c-'0')
		} else {
			exp = parseExponent(s[i+1:])
			break
		}
	}
	if whole < 0 {
		whole = len(d.digits)
	}
	d.point = whole + exp
	d.trim()
	return d
}

func parseExponent(s []byte) int {
	n, neg := 0, false
	for _, c := range s { //meter: the caller's
		switch {
		case c == '-':
			neg = true
		case c >= '0' && c <= '9' && n < 1<<40:
			n = n*10 + int(c-'0')
		}
	}
	if neg {
		return -n
	}
	return n
}

// trim takes off zeros at both ends.
func (d *Decimal) trim() {
	i := 0
	for i < len(d.digits) && d.digits[i] == 0 { //meter: as long as the digits
		i++
	}
	d.digits, d.point = d.digits[i:], d.point-i
	n := len(d.digits)
	for n > 0 && d.digits[n-1] == 0 { //meter: as long as the digits
		n--
	}
	d.digits = d.digits[:n]
	if n == 0 {
		d.point = 0
	}
}

// magnitude is the power of ten of the first digit; 0 for zero.
func (d *Decimal) magnitude() int {
	if len(d.digits) == 0 {
		return 0
	}
	return d.point - 1
}

// digit returns the digit of a power of ten.
func (d *Decimal) digit(power int) byte {
	if i := d.point - 1 - power; i >= 0 && i < len(d.digits) {
		return d.digits[i]
	}
	return 0
}

// equal reports whether two values are the same; 0 and −0 are.
func (d *Decimal) equal(e *Decimal) bool {
	return d.kind == e.kind && (d.neg == e.neg || d.IsZero()) && d.point == e.point && string(d.digits) == string(e.digits)
}

// shift multiplies by a power of ten.
func (d *Decimal) shift(n int) {
	if len(d.digits) > 0 {
		d.point += n
	}
}

// up decides whether a magnitude is rounded up when something is cut off, which
// is less than half a unit (half < 0), half a unit or more; even is whether the
// smaller neighbour is even.
func (r RoundingMode) up(neg bool, half int, even bool) bool {
	switch r {
	case Ceil:
		return !neg
	case Floor:
		return neg
	case Expand:
		return true
	case Trunc:
		return false
	case HalfCeil:
		return half > 0 || half == 0 && !neg
	case HalfFloor:
		return half > 0 || half == 0 && neg
	case HalfTrunc:
		return half > 0
	case HalfEven:
		return half > 0 || half == 0 && !even
	}
	return half >= 0 // HalfExpand
}

// cut compares the digits from index i on with half a unit of the digit before.
func (d *Decimal) cut(i int) int {
	switch {
	case i < 0 || i >= len(d.digits) || d.digits[i] < 5:
		return -1
	case d.digits[i] > 5 || i+1 < len(d.digits):
		return 1
	}
	return 0
}

// roundTo rounds to a multiple of 10^power. It may write to the digits.
func (d *Decimal) roundTo(power int, mode RoundingMode) {
	keep := d.point - power
	if d.kind != finite || len(d.digits) == 0 || keep >= len(d.digits) {
		return
	}
	up := mode.up(d.neg, d.cut(keep), keep <= 0 || d.digits[keep-1]%2 == 0)
	switch {
	case !up:
		d.digits = d.digits[:max(keep, 0)]
	case keep <= 0:
		d.digits, d.point = append(d.digits[:0], 1), power+1
	default:
		i := keep - 1
		for i >= 0 && d.digits[i] == 9 { //meter: as long as the digits
			i--
		}
		if i < 0 {
			d.digits, d.point = append(d.digits[:0], 1), d.point+1
		} else {
			d.digits[i]++
			d.digits = d.digits[:i+1]
		}
	}
	d.trim()
}

// roundToIncrement rounds to a multiple of inc × 10^power.
func (d *Decimal) roundToIncrement(inc, power int, mode RoundingMode) {
	if d.kind != finite || len(d.digits) == 0 {
		return
	}
	// The value is q units of 10^power and a fraction of one.
	keep := d.point - power
	rest := 0
	for i := range max(keep, 0) { //meter: as long as the digits, or a few hundred
		rest = rest * 10 % (2 * inc)
		if i < len(d.digits) {
			rest = (rest + int(d.digits[i])) % (2 * inc)
		}
	}
	even := rest < inc
	rest %= inc
	fraction := keep < len(d.digits)
	if rest == 0 && !fraction {
		return
	}
	half := -1
	switch h := 2*rest - inc; {
	case h > 0 || h == 0 && fraction:
		half = 1
	case h == 0:
		half = 0
	case h == -1 && fraction:
		half = d.cut(keep)
	}
	delta := -rest
	if mode.up(d.neg, half, even) {
		delta += inc
	}
	const room = 5                       // more than inc has digits
	q := make([]byte, room+max(keep, 0)) //meter: as long as the digits
	if keep > 0 {
		copy(q[room:], d.digits[:min(keep, len(d.digits))])
	}
	for i := len(q) - 1; i >= 0 && delta != 0; i-- { //meter: as long as the digits
		v := int(q[i]) + delta
		delta = v / 10
		if v %= 10; v < 0 {
			v, delta = v+10, delta-1
		}
		q[i] = byte(v)
	}
	d.digits, d.point = q, len(q)+power
	d.trim()
}

// shown is a number as it is written: rounded, with the least digits of each
// side and the exponent of its notation, which is not part of the Decimal.
type shown struct {
	Decimal
	minInteger, minFraction int
	exp                     int
}

// operands are the plural operands.
func (s *shown) operands() plural.Operands {
	var o plural.Operands
	if s.kind != finite {
		o.Special = true
		return o
	}
	o.E = s.exp
	lowest := 0 // power of the last digit written
	if len(s.digits) > 0 {
		lowest = min(0, s.point-len(s.digits))
	}
	written := min(lowest, -s.minFraction)
	o.V = max(0, -written-s.exp)
	d := s.Decimal
	d.shift(s.exp)
	if len(d.digits) == 0 {
		return o
	}
	o.W = max(0, len(d.digits)-d.point)
	for p := min(d.point-1, 17); p >= 0; p-- { //meter: at most 18
		o.I = o.I*10 + uint64(d.digit(p))
	}
	for p := 1; p <= min(o.W, 18); p++ { //meter: at most 18
		o.T = o.T*10 + uint64(d.digit(-p))
	}
	o.F = o.T
	for i := o.W; i < o.V && i < 18; i++ { //meter: at most 18
		o.F *= 10
	}
	return o
}
