package conv

import (
	"math"
	"math/bits"
)

// Round is Math.round (§21.3.2.28): ties go towards +∞.
func Round(x float64) float64 {
	r := math.Floor(x)
	if x-r >= 0.5 {
		r++
	}
	return math.Copysign(r, x)
}

// Sign is Math.sign (§21.3.2.29).
func Sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// Fround is Math.fround (§21.3.2.17).
func Fround(x float64) float64 { return float64(float32(x)) }

// F16round is Math.f16round (§21.3.2.18).
func F16round(x float64) float64 { return Float16ToFloat64(Float16FromFloat64(x)) }

// Clz32 is Math.clz32 (§21.3.2.11) after ToUint32.
func Clz32(x uint32) int { return bits.LeadingZeros32(x) }

// Imul is Math.imul (§21.3.2.20) after ToUint32.
func Imul(x, y uint32) int32 { return int32(x * y) }

// Cbrt is Math.cbrt (§21.3.2.9), correctly rounded but for the rarest cases.
func Cbrt(x float64) float64 {
	a := math.Abs(x)
	if a == 0 || !(a <= math.MaxFloat64) {
		return x
	}
	// a = m × 8^k with m in [1, 8): the root is found for m.
	frac, e := math.Frexp(a)
	k := (e + 3*400 - 1) / 3
	m := math.Ldexp(frac, e+3*400-3*k)
	k -= 400
	// A quadratic through the range, then Newton's steps.
	y := 0.6042 + float64(m*0.4531)
	if m > 2.5 {
		y = 0.9683 + float64(m*0.1562)
	}
	for range 4 {
		y -= (float64(float64(y*y)*y) - m) / float64(3*float64(y*y))
	}
	// One step with the residue in double-double precision.
	y2 := mulDD(dd{y, 0}, dd{y, 0})
	y3 := mulDD(y2, dd{y, 0})
	y -= (float64(y3.hi-m) + y3.lo) / float64(3*float64(y*y))
	return math.Copysign(math.Ldexp(y, k), x)
}

// Hypot is Math.hypot (§21.3.2.19) of any number of arguments after ToNumber.
func Hypot(xs ...float64) float64 {
	largest := 0.0
	nan := false
	for _, x := range xs { //meter: arguments, charged by the caller
		a := math.Abs(x)
		switch {
		case a > math.MaxFloat64:
			return math.Inf(1)
		case a != a:
			nan = true
		case a > largest:
			largest = a
		}
	}
	if nan {
		return math.NaN()
	}
	if largest == 0 {
		return 0
	}
	// Scaled, with the rounding errors of the sum carried along.
	sum, lost := 0.0, 0.0
	for _, x := range xs { //meter: arguments, charged by the caller
		q := x / largest
		term := float64(q*q) - lost
		next := sum + term
		lost = (next - sum) - term
		sum = next
	}
	return float64(math.Sqrt(sum) * largest)
}

// Pow is Number::exponentiate (§6.1.6.1.3), correctly rounded but for the
// rarest cases.
func Pow(x, y float64) float64 {
	switch {
	case y == 2:
		return x * x
	case y == 1:
		return x
	case y == 0:
		return 1
	case x != x || y != y:
		return math.NaN()
	}
	ax := math.Abs(x)
	if ax == 1 && y-y != 0 {
		return math.NaN() // unlike C
	}
	if x == 0 || ax > math.MaxFloat64 || y-y != 0 {
		return math.Pow(x, y) // the table of special values only
	}
	neg := false
	if x < 0 {
		if math.Trunc(y) != y {
			return math.NaN()
		}
		neg = math.Abs(y) < 1<<53 && int64(y)&1 != 0
	}
	r := powPositive(ax, y)
	if neg {
		return -r
	}
	return r
}

// powPositive returns x^y for finite x > 0 and finite y ≠ 0.
func powPositive(x, y float64) float64 {
	if x == 1 {
		return 1
	}
	if y == -1 {
		return 1 / x
	}
	if y == 0.5 {
		return math.Sqrt(x)
	}
	frac, e := math.Frexp(x)
	if i := int64(y); float64(i) == y && i <= 64 && i >= -64 {
		return powInt(frac, e, int(i))
	}
	// log2(x) × y decides overflow and underflow.
	if l := float64(math.Abs(y) * math.Abs(float64(e)-0.5)); l > 1e5 && e != 0 && e != 1 {
		return limit(y > 0 == (e > 1))
	}
	if r, ok := powFast(frac, e, y); ok {
		return r
	}
	if frac < math.Sqrt2/2 {
		frac *= 2
		e--
	}
	// |frac-1| is 2^-53 at least, so that larger exponents pass every bound.
	if math.Abs(y) > 0x1p64 {
		return limit(y > 0 == (x > 1))
	}
	l := logDD(frac)
	l = addDD(l, mulDD(ln2DD, dd{float64(e), 0}))
	l = mulDD(l, dd{y, 0})
	return expDD(l)
}

func limit(up bool) float64 {
	if up {
		return math.Inf(1)
	}
	return 0
}

// powInt returns (frac × 2^e)^n for 1 ≤ |n| ≤ 64 and frac in [0.5, 1).
func powInt(frac float64, e, n int) float64 {
	k := n
	if k < 0 {
		k = -k
	}
	// An odd part that stays within 64 bits gives the exact power.
	odd := math.Float64bits(frac)&(1<<52-1) | 1<<52
	tz := bits.TrailingZeros64(odd)
	odd >>= tz
	if bits.Len64(odd)*k <= 64 {
		p := uint64(1)
		for range k { //meter: at most 64
			p *= odd
		}
		shift := (e - 53 + tz) * k
		if n > 0 {
			return ldexp(dd{float64(p), 0}, shift)
		}
		if p < 1<<53 {
			return ldexp(divDD(dd{1, 0}, dd{float64(p), 0}), -shift)
		}
	}
	r := dd{1, 0}
	b := dd{frac * 2, 0}
	for i := k; ; { //meter: at most 7
		if i&1 != 0 {
			r = mulDD(r, b)
		}
		if i >>= 1; i == 0 {
			break
		}
		b = mulDD(b, b)
	}
	if n < 0 {
		r = divDD(dd{1, 0}, r)
	}
	return ldexp(r, (e-1)*n)
}

// dd is a number as the unevaluated sum of two, |lo| ≤ ulp(hi)/2.
type dd struct{ hi, lo float64 }

var ln2DD = dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

func fastSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

func addDD(a, b dd) dd {
	s := twoSum(a.hi, b.hi)
	t := twoSum(a.lo, b.lo)
	s = fastSum(s.hi, s.lo+t.hi)
	return fastSum(s.hi, s.lo+t.lo)
}

func mulDD(a, b dd) dd {
	p := float64(a.hi * b.hi)
	e := math.FMA(a.hi, b.hi, -p)
	e += float64(a.hi*b.lo) + float64(a.lo*b.hi)
	return fastSum(p, e)
}

func divDD(a, b dd) dd {
	q := a.hi / b.hi
	r := addDD(a, mulDD(b, dd{-q, 0}))
	q2 := r.hi / b.hi
	r = addDD(r, mulDD(b, dd{-q2, 0}))
	s := fastSum(q, q2)
	return addDD(s, dd{r.hi / b.hi, 0})
}

// ldexp rounds (a.hi + a.lo) × 2^e once, also where the result is subnormal.
func ldexp(a dd, e int) float64 {
	f := a.hi + a.lo
	_, exp := math.Frexp(f)
	if exp+e > -1021 {
		return math.Ldexp(f, e)
	}
	if exp+e < -1076 {
		return 0
	}
	// The lowest bit of the result is 2^(-1074-e) before scaling: adding 2^52
	// of it rounds there.
	unit := math.Ldexp(1, -1074-e)
	big := unit * 0x1p52
	s := twoSum(big, a.hi)
	// s.hi is rounded already; what was lost and a.lo may move it by one unit.
	r := s.hi - big
	switch rest := s.lo + a.lo; {
	case rest > unit/2, rest == unit/2 && a.lo > 0 && s.lo > 0:
		r += unit
	case rest < -unit/2:
		r -= unit
	case s.lo == unit/2 && a.lo > 0:
		r += unit
	case s.lo == -unit/2 && a.lo < 0:
		r -= unit
	}
	return math.Ldexp(r, e)
}

// invFact holds 1/n! for n ≥ 2.
var invFact = func() (t [24]dd) {
	f := dd{1, 0}
	t[0], t[1] = f, f
	for n := 2; n < len(t); n++ {
		f = divDD(f, dd{float64(n), 0})
		t[n] = f
	}
	return
}()

// expDD returns e^a rounded.
func expDD(a dd) float64 {
	switch {
	case a.hi > 710:
		return math.Inf(1)
	case a.hi < -746:
		return 0
	}
	r, k := expReduced(a)
	return ldexp(r, k)
}

// expReduced returns e^a as r × 2^k, |a| < 800.
func expReduced(a dd) (dd, int) {
	k := math.Floor(float64(a.hi*(1/math.Ln2)) + 0.5)
	r := addDD(a, mulDD(ln2DD, dd{-k, 0}))
	// |r| ≤ 0.35; its 1/256 needs nine terms. e^r - 1 is squared eight times:
	// (1+s)² - 1 = 2s + s².
	r = dd{r.hi / 256, r.lo / 256}
	s := invFact[9]
	for n := 8; n >= 1; n-- {
		s = addDD(mulDD(s, r), invFact[n])
	}
	s = mulDD(s, r)
	for range 8 {
		s = addDD(dd{2 * s.hi, 2 * s.lo}, mulDD(s, s))
	}
	return addDD(dd{1, 0}, s), int(k)
}

// logDD returns log(x) for x in [0.7, 1.5].
func logDD(x float64) dd {
	if x == 1 {
		return dd{}
	}
	// log x = 2 artanh(z) with z = (x-1)/(x+1), after x is divided by a power
	// of 2^(1/16) near it.
	d := x - 1
	est := float64(d*(16/math.Ln2)) * (1 - float64(d*(0.5-float64(d/3))))
	n := math.Floor(est + 0.5)
	m := dd{x, 0}
	if n != 0 {
		m = mulDD(m, root16[int(n)+16])
	}
	one := dd{1, 0}
	z := divDD(addDD(m, dd{-1, 0}), addDD(m, one))
	z2 := mulDD(z, z)
	// The estimate is within 0.2, so |z| < 0.016: z^20 is below 2^-119.
	s := oddRecip[9]
	for i := 8; i >= 0; i-- {
		s = addDD(mulDD(s, z2), oddRecip[i])
	}
	s = mulDD(s, z)
	s = dd{2 * s.hi, 2 * s.lo}
	return addDD(mulDD(ln2DD, dd{n / 16, 0}), s)
}

// oddRecip holds 1/(2i+1); root16 holds 2^(-(i-16)/16).
var oddRecip = func() (t [10]dd) {
	for i := range t {
		t[i] = divDD(dd{1, 0}, dd{float64(2*i + 1), 0})
	}
	return
}()

var root16 = func() (t [33]dd) {
	for i := range t {
		r, k := expReduced(mulDD(ln2DD, dd{float64(16-i) / 16, 0}))
		t[i] = dd{math.Ldexp(r.hi, k), math.Ldexp(r.lo, k)}
	}
	return
}()
