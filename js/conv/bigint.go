package conv

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/pinfold-js/pinfold/meter"
)

// MaxBigIntBits is the greatest length of a BigInt's magnitude.
const MaxBigIntBits = 1 << 30

// The RangeErrors of BigInt operations; a script sees their text.
var (
	ErrTooBig      = errors.New("Maximum BigInt size exceeded")
	ErrDivZero     = errors.New("Division by zero")
	ErrNegExponent = errors.New("Exponent must be non-negative")
)

// nat is a magnitude: limbs from the lowest, without leading zeros.
type nat = []big.Word

const limbBits = bits.UintSize

// directLimbs bounds what one linear operation of math/big is given, about
// 0.1 ms of work. Longer operands take the loops of this package.
const directLimbs = 1 << 16

// limbCost charges a linear pass over n limbs.
//
//meter:charges
func limbCost(m *meter.Meter, n int) error {
	if m == nil {
		return nil
	}
	return m.Charge(int64(n/8 + 1))
}

func maxLen(x, y *big.Int) int { return max(len(x.Bits()), len(y.Bits())) }

// setNat makes z the value of limbs a, which z keeps, with the given sign.
func setNat(z *big.Int, a nat, neg bool) *big.Int {
	z.SetBits(a)
	if neg {
		z.Neg(z)
	}
	return z
}

// checkSize refuses a result that is too long.
func checkSize(z *big.Int) error {
	if z.BitLen() > MaxBigIntBits {
		return ErrTooBig
	}
	return nil
}

// All operations set z to the result; z may be one of the operands.

// BigAdd is BigInt::add (§6.1.6.2.7).
func BigAdd(m *meter.Meter, z, x, y *big.Int) error {
	n := maxLen(x, y)
	if n <= directLimbs {
		if err := limbCost(m, n); err != nil {
			return err
		}
		z.Add(x, y)
		return nil
	}
	return addLong(m, z, x, y, y.Sign() < 0)
}

// BigSub is BigInt::subtract (§6.1.6.2.8).
func BigSub(m *meter.Meter, z, x, y *big.Int) error {
	n := maxLen(x, y)
	if n <= directLimbs {
		if err := limbCost(m, n); err != nil {
			return err
		}
		z.Sub(x, y)
		return nil
	}
	return addLong(m, z, x, y, y.Sign() > 0)
}

func addLong(m *meter.Meter, z, x, y *big.Int, yneg bool) error {
	a, b, neg := x.Bits(), y.Bits(), x.Sign() < 0
	if err := reserve(m, int64(max(len(a), len(b))+1)*8); err != nil {
		return err
	}
	var r nat
	var err error
	if neg == yneg {
		r, err = addNat(m, a, b)
	} else {
		if cmpNat(a, b) < 0 {
			a, b, neg = b, a, yneg
		}
		r, err = subNat(m, a, b)
	}
	if err != nil {
		return err
	}
	setNat(z, r, neg)
	return checkSize(z)
}

// BigNeg is BigInt::unaryMinus (§6.1.6.2.1).
func BigNeg(m *meter.Meter, z, x *big.Int) error {
	if err := limbCost(m, len(x.Bits())); err != nil {
		return err
	}
	z.Neg(x)
	return nil
}

var bigOne = big.NewInt(1)

// BigInc is x + 1n.
func BigInc(m *meter.Meter, z, x *big.Int) error { return BigAdd(m, z, x, bigOne) }

// BigDec is x - 1n.
func BigDec(m *meter.Meter, z, x *big.Int) error { return BigSub(m, z, x, bigOne) }

// BigMul is BigInt::multiply (§6.1.6.2.4).
func BigMul(m *meter.Meter, z, x, y *big.Int) error {
	a, b := x.Bits(), y.Bits()
	if len(a)+len(b) <= 8 {
		if err := charge(m, 1+len(a)); err != nil {
			return err
		}
		z.Mul(x, y)
		return nil
	}
	if x.BitLen()+y.BitLen()-1 > MaxBigIntBits {
		return ErrTooBig
	}
	neg := (x.Sign() < 0) != (y.Sign() < 0)
	r, err := mulNat(m, a, b)
	if err != nil {
		return err
	}
	setNat(z, r, neg)
	return checkSize(z)
}

// BigDiv is BigInt::divide (§6.1.6.2.5): the quotient is truncated.
func BigDiv(m *meter.Meter, z, x, y *big.Int) error { return quoRem(m, z, nil, x, y) }

// BigRem is BigInt::remainder (§6.1.6.2.6): the sign is the dividend's.
func BigRem(m *meter.Meter, z, x, y *big.Int) error { return quoRem(m, nil, z, x, y) }

func quoRem(m *meter.Meter, q, r, x, y *big.Int) error {
	if y.Sign() == 0 {
		return ErrDivZero
	}
	a, b := x.Bits(), y.Bits()
	if len(a) <= 4 {
		if err := charge(m, 1+len(a)); err != nil {
			return err
		}
		if q != nil {
			q.Quo(x, y)
		} else {
			r.Rem(x, y)
		}
		return nil
	}
	xneg, yneg := x.Sign() < 0, y.Sign() < 0
	qn, rn, err := divNat(m, a, b)
	if err != nil {
		return err
	}
	if q != nil {
		setNat(q, qn, xneg != yneg)
	} else {
		setNat(r, rn, xneg)
	}
	return nil
}

// BigExp is BigInt::exponentiate (§6.1.6.2.3).
func BigExp(m *meter.Meter, z, x, y *big.Int) error {
	if y.Sign() < 0 {
		return ErrNegExponent
	}
	if err := charge(m, 1); err != nil {
		return err
	}
	a := x.Bits()
	neg := x.Sign() < 0 && y.Bit(0) == 1
	switch {
	case y.Sign() == 0:
		z.SetInt64(1)
		return nil
	case len(a) == 0:
		z.SetInt64(0)
		return nil
	case len(a) == 1 && a[0] == 1:
		setNat(z, nat{1}, neg)
		return nil
	case !y.IsInt64() || y.Int64() > MaxBigIntBits:
		return ErrTooBig
	}
	n := int(y.Int64())
	// The power of two in x is a shift of the result.
	if err := limbCost(m, len(a)); err != nil {
		return err
	}
	tz := trailingZeros(a)
	odd, err := shrNat(m, a, tz)
	if err != nil {
		return err
	}
	if float64(n)*(log2Nat(odd)+float64(tz)) > MaxBigIntBits+1 {
		return ErrTooBig
	}
	r := nat{1}
	for i := bits.Len(uint(n)) - 1; i >= 0 && len(odd) > 0; i-- { //meter: the logarithm of the exponent
		if r, err = mulNat(m, r, r); err != nil {
			return err
		}
		if n>>i&1 != 0 {
			if r, err = mulNat(m, r, odd); err != nil {
				return err
			}
		}
	}
	if bitLen(r)+tz*n > MaxBigIntBits {
		return ErrTooBig
	}
	if r, err = shlNat(m, r, tz*n); err != nil {
		return err
	}
	setNat(z, r, neg)
	return nil
}

// BigShl is BigInt::leftShift (§6.1.6.2.9).
func BigShl(m *meter.Meter, z, x, y *big.Int) error {
	if y.Sign() < 0 {
		return shiftRight(m, z, x, y)
	}
	return shiftLeft(m, z, x, y)
}

// BigShr is BigInt::signedRightShift (§6.1.6.2.10).
func BigShr(m *meter.Meter, z, x, y *big.Int) error {
	if y.Sign() < 0 {
		return shiftLeft(m, z, x, y)
	}
	return shiftRight(m, z, x, y)
}

// shiftLeft shifts by the magnitude of y.
func shiftLeft(m *meter.Meter, z, x, y *big.Int) error {
	if x.Sign() == 0 || y.Sign() == 0 {
		z.Set(x)
		return limbCost(m, len(x.Bits()))
	}
	yb := y.Bits()
	if len(yb) > 1 || yb[0] > MaxBigIntBits || x.BitLen()+int(yb[0]) > MaxBigIntBits {
		return ErrTooBig
	}
	neg := x.Sign() < 0
	r, err := shlNat(m, x.Bits(), int(yb[0]))
	if err != nil {
		return err
	}
	setNat(z, r, neg)
	return nil
}

// shiftRight shifts by the magnitude of y, rounding towards -∞.
func shiftRight(m *meter.Meter, z, x, y *big.Int) error {
	neg := x.Sign() < 0
	yb := y.Bits()
	if len(yb) > 1 || len(yb) == 1 && yb[0] >= big.Word(x.BitLen()) {
		z.SetInt64(0)
		if neg {
			z.SetInt64(-1)
		}
		return charge(m, 1)
	}
	n := 0
	if len(yb) == 1 {
		n = int(yb[0])
	}
	a := x.Bits()
	// A negative value whose lost bits are not all zero is one further down.
	if err := limbCost(m, len(a)); err != nil {
		return err
	}
	down := neg && trailingZeros(a) < n
	r, err := shrNat(m, a, n)
	if err != nil {
		return err
	}
	if down {
		if r, err = addNat(m, r, nat{1}); err != nil {
			return err
		}
	}
	setNat(z, r, neg)
	return nil
}

// bitOp is one of the bitwise operations on two's complement limbs.
type bitOp uint8

const (
	opAnd bitOp = iota
	opOr
	opXor
)

// BigAnd is BigInt::bitwiseAND (§6.1.6.2.18).
func BigAnd(m *meter.Meter, z, x, y *big.Int) error { return bitwise(m, opAnd, z, x, y) }

// BigOr is BigInt::bitwiseOR (§6.1.6.2.20).
func BigOr(m *meter.Meter, z, x, y *big.Int) error { return bitwise(m, opOr, z, x, y) }

// BigXor is BigInt::bitwiseXOR (§6.1.6.2.19).
func BigXor(m *meter.Meter, z, x, y *big.Int) error { return bitwise(m, opXor, z, x, y) }

func bitwise(m *meter.Meter, op bitOp, z, x, y *big.Int) error {
	n := maxLen(x, y)
	if n <= directLimbs {
		if err := limbCost(m, 2*n); err != nil {
			return err
		}
		switch op {
		case opAnd:
			z.And(x, y)
		case opOr:
			z.Or(x, y)
		default:
			z.Xor(x, y)
		}
		return nil
	}
	if err := reserve(m, int64(n+1)*8); err != nil {
		return err
	}
	a, b := newTwos(x), newTwos(y)
	r := make(nat, n+1)
	for i := range r {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, 2*directLimbs); err != nil {
				return err
			}
		}
		u, v := a.limb(i), b.limb(i)
		switch op {
		case opAnd:
			u &= v
		case opOr:
			u |= v
		default:
			u ^= v
		}
		r[i] = u
	}
	neg := r[n]>>(limbBits-1) != 0
	if neg {
		if err := negateNat(m, r); err != nil {
			return err
		}
	}
	setNat(z, norm(r), neg)
	return checkSize(z)
}

// BigNot is BigInt::bitwiseNOT (§6.1.6.2.2): -x - 1.
func BigNot(m *meter.Meter, z, x *big.Int) error {
	if err := BigInc(m, z, x); err != nil {
		return err
	}
	z.Neg(z)
	return nil
}

// twos yields the limbs of a value in two's complement, from the lowest.
type twos struct {
	a     nat
	neg   bool
	carry big.Word
}

func newTwos(x *big.Int) *twos { return &twos{a: x.Bits(), neg: x.Sign() < 0, carry: 1} }

// limb returns limb i; calls must be for 0, 1, 2, … in turn.
func (t *twos) limb(i int) big.Word {
	var w big.Word
	if i < len(t.a) {
		w = t.a[i]
	}
	if !t.neg {
		return w
	}
	s, c := bits.Add(^uint(w), uint(t.carry), 0)
	t.carry = big.Word(c)
	return big.Word(s)
}

// negateNat replaces a by its two's complement, in place.
func negateNat(m *meter.Meter, a nat) error {
	carry := uint(1)
	for i := range a {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, directLimbs); err != nil {
				return err
			}
		}
		var s uint
		s, carry = bits.Add(^uint(a[i]), carry, 0)
		a[i] = big.Word(s)
	}
	return nil
}

// BigAsUintN is BigInt.asUintN (§21.2.2.2) for 0 ≤ n < 2^53.
func BigAsUintN(m *meter.Meter, z *big.Int, n int64, x *big.Int) error {
	switch {
	case n == 0 || x.Sign() == 0:
		z.SetInt64(0)
		return charge(m, 1)
	case x.Sign() > 0 && int64(x.BitLen()) <= n:
		z.Set(x)
		return limbCost(m, len(x.Bits()))
	case n > MaxBigIntBits:
		return ErrTooBig
	}
	r, err := lowBits(m, newTwos(x), int(n))
	if err != nil {
		return err
	}
	setNat(z, norm(r), false)
	return nil
}

// BigAsIntN is BigInt.asIntN (§21.2.2.1) for 0 ≤ n < 2^53.
func BigAsIntN(m *meter.Meter, z *big.Int, n int64, x *big.Int) error {
	switch {
	case n == 0:
		z.SetInt64(0)
		return charge(m, 1)
	case int64(x.BitLen()) < n:
		z.Set(x)
		return limbCost(m, len(x.Bits()))
	}
	r, err := lowBits(m, newTwos(x), int(n))
	if err != nil {
		return err
	}
	top := int(n - 1)
	neg := r[top/limbBits]>>(top%limbBits)&1 != 0
	if neg {
		if err := negateNat(m, r); err != nil {
			return err
		}
		maskTop(r, int(n))
	}
	setNat(z, norm(r), neg)
	return nil
}

// lowBits returns the low n bits of t, not normalised.
func lowBits(m *meter.Meter, t *twos, n int) (nat, error) {
	k := (n + limbBits - 1) / limbBits
	if err := reserve(m, int64(k)*8); err != nil {
		return nil, err
	}
	r := make(nat, k) //meter: reserved above
	for i := range r {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, min(k-i, directLimbs)); err != nil {
				return nil, err
			}
		}
		r[i] = t.limb(i)
	}
	maskTop(r, n)
	return r, nil
}

func maskTop(r nat, n int) {
	if s := n % limbBits; s != 0 {
		r[len(r)-1] &= 1<<s - 1
	}
}
