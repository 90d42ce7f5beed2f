package conv

import (
	"math"
	"math/big"
	"sync"
)

// pi/2 in parts: the first two have so few bits that their products with
// numbers below 2^20 are exact.
const (
	halfPi1 = 0x1.921fb544p0
	halfPi2 = 0x0.42d18469p-32
)

var (
	halfPi3 = dd{0x898cc51701b83p-116, 0x9a252049c1114p-168}
	piDD    = dd{0x1.921fb54442d18p1, 0x1.1a62633145c07p-53}
	halfPi  = dd{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54}
)

// sin32 and cos32 hold the values at i/32, atan32 likewise.
var sin32, cos32 = func() (s, c [28]dd) {
	for i := range s {
		x := dd{float64(i) / 32, 0}
		z := mulDD(x, x)
		z = dd{-z.hi, -z.lo}
		p, q := invFact[23], invFact[22]
		for n := 21; n >= 1; n -= 2 {
			p = addDD(mulDD(p, z), invFact[n])
			q = addDD(mulDD(q, z), invFact[n-1])
		}
		s[i], c[i] = mulDD(p, x), q
	}
	return
}()

var atan32 = func() (t [34]dd) {
	one := dd{1, 0}
	for i := range t {
		x := dd{float64(i) / 32, 0}
		// atan x = 2 atan(x / (1 + √(1+x²))), four times.
		for range 4 {
			x = divDD(x, addDD(one, sqrtDD(addDD(one, mulDD(x, x)))))
		}
		z := mulDD(x, x)
		z = dd{-z.hi, -z.lo}
		p := dd{}
		for n := 31; n >= 1; n -= 2 {
			p = addDD(mulDD(p, z), divDD(one, dd{float64(n), 0}))
		}
		p = mulDD(p, x)
		t[i] = dd{16 * p.hi, 16 * p.lo}
	}
	return
}()

// reduce returns x - q × π/2 in [-π/4, π/4] and q modulo 4.
func reduce(x float64) (dd, int) {
	a := math.Abs(x)
	if a <= 0.785398 {
		return dd{x, 0}, 0
	}
	if a > 1<<20 {
		return reduceLarge(x)
	}
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	h := x - float64(k*halfPi1)
	r := twoSum(h, -float64(k*halfPi2))
	r = addDD(r, mulDD(halfPi3, dd{-k, 0}))
	return r, int(k) & 3
}

// invPiBits is the number of bits of 2/π that reduceLarge needs: enough for
// the largest exponent, the bits of a Number, and 128 more.
const invPiBits = 1024 + 64 + 128

// twoOverPi is 2/π × 2^invPiBits, from Machin's formula.
var twoOverPi = sync.OnceValue(func() *big.Int {
	const extra = 64
	one := new(big.Int).Lsh(big.NewInt(1), invPiBits+extra)
	atanInv := func(n int64) *big.Int {
		t := new(big.Int).Div(one, big.NewInt(n))
		sum := new(big.Int).Set(t)
		sq := big.NewInt(n * n)
		for k := int64(3); t.Sign() != 0; k += 2 { //meter: a fixed number of steps
			t.Div(t, sq)
			term := new(big.Int).Div(t, big.NewInt(k))
			if k%4 == 3 {
				sum.Sub(sum, term)
			} else {
				sum.Add(sum, term)
			}
		}
		return sum
	}
	pi := new(big.Int).Mul(atanInv(5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(atanInv(239), big.NewInt(4)))
	num := new(big.Int).Lsh(big.NewInt(1), 2*invPiBits+extra+1)
	return num.Div(num, pi)
})

// reduceLarge is reduce for |x| > 2^20: it multiplies with as many bits of 2/π
// as it takes.
func reduceLarge(x float64) (dd, int) {
	frac, e := math.Frexp(math.Abs(x))
	p := new(big.Int).SetUint64(uint64(math.Ldexp(frac, 53)))
	p.Mul(p, twoOverPi())
	// The product counts units of 2^(e-53-invPiBits).
	unit := invPiBits + 53 - e
	q := int(new(big.Int).Rsh(p, uint(unit)).Uint64() & 3)
	p.And(p, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(unit)), big.NewInt(1)))
	neg := false
	if p.Bit(unit-1) != 0 { // more than a half: from the other side
		p.Sub(new(big.Int).Lsh(big.NewInt(1), uint(unit)), p)
		q, neg = q+1, true
	}
	n := p.BitLen()
	if n > 106 {
		p.Rsh(p, uint(n-106))
		unit -= n - 106
	}
	hi := new(big.Int).Rsh(p, 53)
	lo := new(big.Int).Sub(p, new(big.Int).Lsh(hi, 53))
	f := fastSum(math.Ldexp(float64(hi.Uint64()), 53-unit), math.Ldexp(float64(lo.Uint64()), -unit))
	r := mulDD(f, halfPi)
	if neg {
		r = dd{-r.hi, -r.lo}
	}
	if x < 0 {
		r, q = dd{-r.hi, -r.lo}, -q
	}
	return r, q & 3
}

// sinDD and cosDD are for |r| ≤ π/4.
func sinDD(r dd) dd {
	a := math.Abs(r.hi)
	if a < 0.25 {
		z := float64(r.hi * r.hi)
		p := invFact[13].hi
		p = float64(p*z) - invFact[11].hi
		p = float64(p*z) + invFact[9].hi
		p = float64(p*z) - invFact[7].hi
		p = float64(p*z) + invFact[5].hi
		p = float64(p*z) - invFact[3].hi
		return dd{r.hi, float64(float64(p*z)*r.hi) + (r.lo - float64(float64(r.lo*z)/2))}
	}
	i, s, c := near32(r)
	s32, c32 := sin32[i], cos32[i]
	v := fastSum(s32.hi, (s32.lo-float64(s32.hi*c))+float64(c32.hi*s))
	if r.hi < 0 {
		return dd{-v.hi, -v.lo}
	}
	return v
}

func cosDD(r dd) dd {
	i, s, c := near32(r)
	s32, c32 := sin32[i], cos32[i]
	return fastSum(c32.hi, (c32.lo-float64(c32.hi*c))-float64(s32.hi*s))
}

// near32 returns the nearest i/32 to |r|, and the sine and 1 - cosine of the
// difference.
func near32(r dd) (i int, s, c float64) {
	if r.hi < 0 {
		r = dd{-r.hi, -r.lo}
	}
	i = int(float64(r.hi*32) + 0.5)
	d := (r.hi - float64(i)/32) + r.lo
	z := float64(d * d)
	s = float64(float64(float64(float64(z*invFact[5].hi)-invFact[3].hi)*z)*d) + d
	c = float64((float64((float64(z*invFact[6].hi)-invFact[4].hi)*z) + 0.5) * z)
	return i, s, c
}

// Sin is Math.sin (§21.3.2.30).
func Sin(x float64) float64 {
	if !(math.Abs(x) >= 0x1p-27) {
		return x
	}
	if math.Abs(x) > math.MaxFloat64 {
		return math.NaN()
	}
	r, q := reduce(x)
	var v dd
	if q&1 == 0 {
		v = sinDD(r)
	} else {
		v = cosDD(r)
	}
	if q&2 != 0 {
		return -(v.hi + v.lo)
	}
	return v.hi + v.lo
}

// Cos is Math.cos (§21.3.2.12).
func Cos(x float64) float64 {
	if !(math.Abs(x) <= math.MaxFloat64) {
		return math.NaN()
	}
	r, q := reduce(x)
	var v dd
	if q&1 == 0 {
		v = cosDD(r)
	} else {
		v = sinDD(r)
	}
	if q == 1 || q == 2 {
		return -(v.hi + v.lo)
	}
	return v.hi + v.lo
}

// Tan is Math.tan (§21.3.2.33).
func Tan(x float64) float64 {
	if !(math.Abs(x) >= 0x1p-27) {
		return x
	}
	if math.Abs(x) > math.MaxFloat64 {
		return math.NaN()
	}
	r, q := reduce(x)
	s, c := sinDD(r), cosDD(r)
	s = fastSum(s.hi, s.lo)
	if q&1 != 0 {
		s, c = dd{-c.hi, -c.lo}, s
	}
	v := divDD(s, c)
	return v.hi + v.lo
}

// atanDD returns atan(y) for 0 ≤ y ≤ 1.
func atanDD(y dd) dd {
	if y.hi < 0.125 {
		z := float64(y.hi * y.hi)
		p := 1.0 / 21
		for n := 19; n >= 3; n -= 2 {
			p = oddRecip[min(n/2, 9)].hi - float64(p*z)
		}
		return fastSum2(y.hi, (y.lo-float64(y.lo*z))-float64(float64(p*z)*y.hi))
	}
	i := int(float64(y.hi*32) + 0.5)
	c := float64(i) / 32
	t := divDD(addDD(y, dd{-c, 0}), addDD(dd{1, 0}, mulDD(y, dd{c, 0})))
	z := float64(t.hi * t.hi)
	p := float64(float64((float64(z/7)-1.0/5)*z)+1.0/3) * z
	h := twoSum(atan32[i].hi, t.hi)
	return fastSum(h.hi, h.lo+(atan32[i].lo+(t.lo-float64(p*t.hi))))
}

// Atan is Math.atan (§21.3.2.6).
func Atan(x float64) float64 {
	a := math.Abs(x)
	if !(a >= 0x1p-28) {
		return x
	}
	var r dd
	switch {
	case a > 0x1p60:
		r = halfPi
	case a > 1:
		r = atanDD(divDD(dd{1, 0}, dd{a, 0}))
		r = addDD(halfPi, dd{-r.hi, -r.lo})
	default:
		r = atanDD(dd{a, 0})
	}
	return math.Copysign(r.hi+r.lo, x)
}

// angle returns the angle of the point (x, y) in the first quadrant.
func angle(y, x dd) dd {
	if y.hi <= x.hi {
		return atanDD(divDD(y, x))
	}
	r := atanDD(divDD(x, y))
	return addDD(halfPi, dd{-r.hi, -r.lo})
}

// Atan2 is Math.atan2 (§21.3.2.8).
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ay, ax := math.Abs(y), math.Abs(x)
	if y == 0 || x == 0 || ay > math.MaxFloat64 || ax > math.MaxFloat64 {
		r := 0.0
		switch {
		case ay > math.MaxFloat64 && ax > math.MaxFloat64:
			r = math.Pi / 4
			if x < 0 {
				r = 3 * math.Pi / 4
			}
		case y == 0 || ax > math.MaxFloat64:
			if math.Signbit(x) {
				r = math.Pi
			}
		default:
			r = math.Pi / 2
		}
		return math.Copysign(r, y)
	}
	fy, ey := math.Frexp(ay)
	fx, ex := math.Frexp(ax)
	var r dd
	switch e := ey - ex; {
	case e > 80:
		r = halfPi
	case e < -80 && x > 0:
		return y / x
	case e < -80:
		r = piDD
	default:
		r = angle(dd{math.Ldexp(fy, e), 0}, dd{fx, 0})
		if x < 0 {
			r = addDD(piDD, dd{-r.hi, -r.lo})
		}
	}
	return math.Copysign(r.hi+r.lo, y)
}

// Asin is Math.asin (§21.3.2.4).
func Asin(x float64) float64 {
	a := math.Abs(x)
	if !(a >= 0x1p-27) {
		return x
	}
	if a > 1 {
		return math.NaN()
	}
	r := angle(dd{a, 0}, legOf(a))
	return math.Copysign(r.hi+r.lo, x)
}

// Acos is Math.acos (§21.3.2.2).
func Acos(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	if x == 1 {
		return 0
	}
	r := angle(legOf(a), dd{a, 0})
	if x < 0 {
		r = addDD(piDD, dd{-r.hi, -r.lo})
	}
	return r.hi + r.lo
}

// legOf returns √(1 - a²).
func legOf(a float64) dd { return sqrtDD(mulDD(twoSum(1, -a), twoSum(1, a))) }
