package conv

import "math"

// The elementary functions of §21.3.2. Each value is computed to about 60 bits
// from a table and a short polynomial, then rounded once: the result is the
// nearest Number but in one case of a hundred or so, and the same everywhere.

// ln2Hi and ln2Lo are ln 2 / 32 with so few bits in the first part that its
// product with an exponent is exact.
var (
	ln2Hi = math.Float64frombits(math.Float64bits(ln2DD.hi)&^(1<<20-1)) / 32
	ln2Lo = (ln2DD.hi/32 - ln2Hi) + ln2DD.lo/32
)

// exp32 holds 2^(i/32); log64 holds log((i+45)/64).
var exp32 = func() (t [32]dd) {
	for i := range t {
		r, k := expReduced(mulDD(ln2DD, dd{float64(i) / 32, 0}))
		t[i] = dd{math.Ldexp(r.hi, k), math.Ldexp(r.lo, k)}
	}
	return
}()

var log64 = func() (t [47]dd) {
	for i := range t {
		t[i] = logDD(float64(i+45) / 64)
	}
	return
}()

var (
	log2E  = divDD(dd{1, 0}, ln2DD)
	log10E = divDD(dd{1, 0}, addDD(mulDD(ln2DD, dd{3, 0}), logDD(1.25)))
)

// expCore returns e^(x + lo) as r × 2^k for |x| < 800 and tiny lo.
func expCore(x, lo float64) (r dd, k int) {
	n := math.Floor(float64(x*(32/math.Ln2)) + 0.5)
	hi := x - float64(n*ln2Hi)
	z := hi + (lo - float64(n*ln2Lo))
	p := 1.0 / 5040
	p = float64(p*z) + 1.0/720
	p = float64(p*z) + 1.0/120
	p = float64(p*z) + 1.0/24
	p = float64(p*z) + 1.0/6
	p = float64(p*z) + 0.5
	p = float64(float64(p*z)*z) + z
	i := int(n)
	t := exp32[i&31]
	return fastSum(t.hi, t.lo+float64(t.hi*p)), i >> 5
}

// Exp is Math.exp (§21.3.2.14).
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.8:
		return math.Inf(1)
	case x < -745.2:
		return 0
	case math.Abs(x) < 0x1p-54:
		return 1 + x
	}
	r, k := expCore(x, 0)
	if k > -1020 && k < 1023 {
		return math.Float64frombits(math.Float64bits(r.hi) + uint64(k)<<52)
	}
	return ldexp(r, k)
}

// expm1DD returns e^x - 1 for |x| < 40.
func expm1DD(x float64) dd {
	if math.Abs(x) < 0.3 {
		p := invFact[14].hi
		for n := 13; n >= 3; n-- {
			p = float64(p*x) + invFact[n].hi
		}
		sq := float64(x * x)
		err := math.FMA(x, x, -sq)
		s := fastSum(x, sq/2)
		return fastSum(s.hi, s.lo+(err/2+float64(float64(p*x)*sq)))
	}
	r, k := expCore(x, 0)
	return addDD(dd{math.Ldexp(r.hi, k), math.Ldexp(r.lo, k)}, dd{-1, 0})
}

// Expm1 is Math.expm1 (§21.3.2.15).
func Expm1(x float64) float64 {
	switch {
	case x != x || math.Abs(x) < 0x1p-54:
		return x
	case x > 39:
		return Exp(x)
	case x < -39:
		return -1
	}
	r := expm1DD(x)
	return r.hi + r.lo
}

// log1pSeries returns log(1 + z) for |z| < 0.012.
func log1pSeries(z dd) dd {
	h := z.hi
	p := 1.0 / 9
	p = float64(p*h) - 1.0/8
	p = float64(p*h) + 1.0/7
	p = float64(p*h) - 1.0/6
	p = float64(p*h) + 1.0/5
	p = float64(p*h) - 1.0/4
	p = float64(p*h) + 1.0/3
	p = float64(p*h) - 0.5
	return fastSum(h, (z.lo-float64(z.lo*h))+float64(float64(p*h)*h))
}

// logCore returns log(x × 2^e) without the exponent's part, and e, for finite
// x > 0.
func logCore(x dd) (l dd, e int) {
	frac, e := math.Frexp(x.hi)
	lo := 0.0
	if x.lo != 0 {
		lo = math.Ldexp(x.lo, -e)
	}
	if frac < math.Sqrt2/2 {
		frac, lo = frac*2, lo*2
		e--
	}
	j := int(float64(frac*64) + 0.5)
	f := float64(j) / 64
	d := frac - f
	if j == 64 {
		return log1pSeries(fastSum2(d, lo)), e
	}
	q := d / f
	z := fastSum(q, (math.FMA(-q, f, d)+lo)/f)
	s := log1pSeries(z)
	t := log64[j-45]
	h := twoSum(t.hi, s.hi)
	return fastSum(h.hi, h.lo+(t.lo+s.lo)), e
}

// fastSum2 is fastSum for a that may be zero.
func fastSum2(a, b float64) dd {
	if a == 0 {
		return dd{b, 0}
	}
	return fastSum(a, b)
}

// powFast returns (frac × 2^e)^y for frac in [0.5, 1), when it can be sure
// that the result is rounded right.
func powFast(frac float64, e int, y float64) (float64, bool) {
	// The logarithm needs some bits more than logCore gives: its argument's
	// square is kept in two parts.
	if frac < math.Sqrt2/2 {
		frac *= 2
		e--
	}
	j := int(float64(frac*64) + 0.5)
	f := float64(j) / 64
	d := frac - f
	q := d / f
	z := dd{q, math.FMA(-q, f, d) / f}
	h := z.hi
	p := 1.0 / 11
	p = float64(p*h) - 1.0/10
	p = float64(p*h) + 1.0/9
	p = float64(p*h) - 1.0/8
	p = float64(p*h) + 1.0/7
	p = float64(p*h) - 1.0/6
	p = float64(p*h) + 1.0/5
	p = float64(p*h) - 1.0/4
	p = float64(p*h) + 1.0/3
	sq := float64(h * h)
	sqLo := math.FMA(h, h, -sq)
	cube := float64(float64(p*h) * sq)
	s := twoSum(h, -sq/2)
	l := fastSum2(s.hi, s.lo+(cube+((z.lo-float64(z.lo*h))-sqLo/2)))
	t := log64[j-45]
	if j != 64 {
		u := twoSum(t.hi, l.hi)
		l = fastSum(u.hi, u.lo+(t.lo+l.lo))
	}
	if e != 0 {
		l = addDD(mulDD(ln2DD, dd{float64(e), 0}), l)
	}
	l = mulDD(l, dd{y, 0})
	if !(math.Abs(l.hi) < 700) {
		return 0, false
	}
	r, k := expCore(l.hi, l.lo)
	// Rounded right if an error of 2^-57 changes nothing.
	err := float64(r.hi * 0x1p-57)
	v := r.hi + (r.lo + err)
	if v != r.hi+(r.lo-err) {
		return 0, false
	}
	return math.Ldexp(v, k), true
}

// logFull returns log(x) for finite x > 0.
func logFull(x dd) dd {
	l, e := logCore(x)
	if e == 0 {
		return l
	}
	return addDD(mulDD(ln2DD, dd{float64(e), 0}), l)
}

// logSpecial answers the arguments that the logarithms have in common.
func logSpecial(x float64) (float64, bool) {
	switch {
	case x < 0:
		return math.NaN(), true
	case x == 0:
		return math.Inf(-1), true
	case x != x || x > math.MaxFloat64:
		return x, true
	}
	return 0, false
}

// Log is Math.log (§21.3.2.20).
func Log(x float64) float64 {
	if r, ok := logSpecial(x); ok {
		return r
	}
	l := logFull(dd{x, 0})
	return l.hi + l.lo
}

// Log2 is Math.log2 (§21.3.2.23).
func Log2(x float64) float64 {
	if r, ok := logSpecial(x); ok {
		return r
	}
	l, e := logCore(dd{x, 0})
	r := addDD(dd{float64(e), 0}, mulDD(l, log2E))
	return r.hi + r.lo
}

// Log10 is Math.log10 (§21.3.2.22).
func Log10(x float64) float64 {
	if r, ok := logSpecial(x); ok {
		return r
	}
	r := mulDD(logFull(dd{x, 0}), log10E)
	return r.hi + r.lo
}

// log1pDD returns log(1 + z) for z > -1.
func log1pDD(z dd) dd {
	if math.Abs(z.hi) < 0.0117 {
		return log1pSeries(z)
	}
	return logFull(addDD(dd{1, 0}, z))
}

// Log1p is Math.log1p (§21.3.2.21).
func Log1p(x float64) float64 {
	switch {
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case !(math.Abs(x) >= 0x1p-54) || x > math.MaxFloat64:
		return x
	}
	r := log1pDD(dd{x, 0})
	return r.hi + r.lo
}

// sinhSmall returns sinh(x) for |x| < 0.3.
func sinhSmall(x float64) dd {
	z := float64(x * x)
	p := invFact[15].hi
	for n := 13; n >= 3; n -= 2 {
		p = float64(p*z) + invFact[n].hi
	}
	return fastSum(x, float64(float64(p*z)*x))
}

// Sinh is Math.sinh (§21.3.2.31).
func Sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a >= 0x1p-28) || a > math.MaxFloat64:
		return x
	case a < 0.3:
		r := sinhSmall(x)
		return r.hi + r.lo
	}
	return math.Copysign(expHalves(a, -1), x)
}

// Cosh is Math.cosh (§21.3.2.13).
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if !(a <= math.MaxFloat64) {
		return a
	}
	return expHalves(a, 1)
}

// expHalves returns (e^a + sign × e^-a) / 2 for a ≥ 0.
func expHalves(a, sign float64) float64 {
	if a > 711 {
		return math.Inf(1)
	}
	r, k := expCore(a, 0)
	if a > 40 {
		return ldexp(r, k-1)
	}
	r = dd{math.Ldexp(r.hi, k), math.Ldexp(r.lo, k)}
	i := divDD(dd{1, 0}, r)
	r = addDD(r, dd{sign * i.hi, sign * i.lo})
	return (r.hi + r.lo) / 2
}

// Tanh is Math.tanh (§21.3.2.34).
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a >= 0x1p-28):
		return x
	case a > 22:
		return math.Copysign(1, x)
	}
	e := expm1DD(2 * a)
	r := divDD(e, addDD(e, dd{2, 0}))
	return math.Copysign(r.hi+r.lo, x)
}

func sqrtDD(a dd) dd {
	s := math.Sqrt(a.hi)
	if s == 0 {
		return dd{}
	}
	rest := (math.FMA(-s, s, a.hi) + a.lo) / (2 * s)
	return fastSum(s, rest)
}

// Asinh is Math.asinh (§21.3.2.5).
func Asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a >= 0x1p-28) || a > math.MaxFloat64:
		return x
	case a > 0x1p30:
		r := addDD(logFull(dd{a, 0}), ln2DD)
		return math.Copysign(r.hi+r.lo, x)
	}
	// x + (√(1+x²) - 1), the second part as x² / (1 + √(1+x²)).
	sq := mulDD(dd{a, 0}, dd{a, 0})
	s := addDD(dd{1, 0}, sqrtDD(addDD(dd{1, 0}, sq)))
	r := log1pDD(addDD(dd{a, 0}, divDD(sq, s)))
	return math.Copysign(r.hi+r.lo, x)
}

// Acosh is Math.acosh (§21.3.2.3).
func Acosh(x float64) float64 {
	switch {
	case x < 1:
		return math.NaN()
	case x == 1:
		return 0
	case !(x <= math.MaxFloat64):
		return x
	case x > 0x1p30:
		r := addDD(logFull(dd{x, 0}), ln2DD)
		return r.hi + r.lo
	}
	t := twoSum(x, -1)
	r := log1pDD(addDD(t, sqrtDD(mulDD(t, addDD(t, dd{2, 0})))))
	return r.hi + r.lo
}

// Atanh is Math.atanh (§21.3.2.7).
func Atanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a > 1:
		return math.NaN()
	case a == 1:
		return x / 0x1p-1074 // an infinity
	case !(a >= 0x1p-28):
		return x
	}
	r := log1pDD(divDD(dd{2 * a, 0}, twoSum(1, -a)))
	return math.Copysign((r.hi+r.lo)/2, x)
}
