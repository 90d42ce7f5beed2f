package conv

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/pinfold-js/pinfold/meter"
)

// leafLimbs is the length up to which products and quotients are math/big's;
// one of them takes a few 0.1 ms at most.
const leafLimbs = 512

func norm(a nat) nat {
	for len(a) > 0 && a[len(a)-1] == 0 { //meter: the zeros that an operation left at the top, which charged for all limbs
		a = a[:len(a)-1]
	}
	return a
}

func bitLen(a nat) int {
	if len(a) == 0 {
		return 0
	}
	return len(a)*limbBits - bits.LeadingZeros(uint(a[len(a)-1]))
}

// trailingZeros returns the number of zero bits below the lowest set one.
func trailingZeros(a nat) int {
	for i, w := range a { //meter: one pass over limbs, charged by the caller
		if w != 0 {
			return i*limbBits + bits.TrailingZeros(uint(w))
		}
	}
	return 0
}

// log2Nat returns log2 of a > 0, not rounded up by more than 2^-40.
func log2Nat(a nat) float64 {
	f, exp := topBits(a)
	return math.Log2(f) + float64(exp)
}

// topBits returns the leading bits of a > 0 as f × 2^exp, f in [0.5, 1].
func topBits(a nat) (f float64, exp int) {
	mant, n, sticky := topWord(a)
	if sticky {
		mant |= 1
	}
	return math.Ldexp(float64(mant), -64), n
}

// topWord returns the highest 64 bits of a > 0, left aligned, its length in
// bits, and whether lower bits are set.
func topWord(a nat) (mant uint64, n int, sticky bool) {
	n = bitLen(a)
	i := len(a) - 1
	shift := 64 - (n - i*limbBits)
	mant = uint64(a[i]) << shift
	for i--; i >= 0; i-- { //meter: one pass over limbs, charged by the caller
		shift -= limbBits
		if shift < 0 {
			if shift > -limbBits {
				mant |= uint64(a[i]) >> -shift
				sticky = uint64(a[i])<<(64+shift) != 0
			} else {
				sticky = a[i] != 0
			}
			break
		}
		mant |= uint64(a[i]) << shift
	}
	for i--; i >= 0 && !sticky; i-- { //meter: one pass over limbs, charged by the caller
		sticky = a[i] != 0
	}
	return mant, n, sticky
}

func cmpNat(a, b nat) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	for i := len(a) - 1; i >= 0; i-- { //meter: one pass over limbs, charged by the caller
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// addNat returns a + b in new memory.
func addNat(m *meter.Meter, a, b nat) (nat, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	r := make(nat, len(a)+1)
	var carry uint
	for i := range a {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, min(len(a)-i, directLimbs)); err != nil {
				return nil, err
			}
		}
		var w big.Word
		if i < len(b) {
			w = b[i]
		}
		var s uint
		s, carry = bits.Add(uint(a[i]), uint(w), carry)
		r[i] = big.Word(s)
	}
	r[len(a)] = big.Word(carry)
	return norm(r), nil
}

// addAt adds b to r at limb offset at, in place; the sum must fit.
func addAt(m *meter.Meter, r, b nat, at int) error {
	var carry uint
	r = r[at:]
	for i := 0; i < len(b) || carry != 0; i++ {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, max(0, min(len(b)-i, directLimbs))); err != nil {
				return err
			}
		}
		var w big.Word
		if i < len(b) {
			w = b[i]
		}
		var s uint
		s, carry = bits.Add(uint(r[i]), uint(w), carry)
		r[i] = big.Word(s)
	}
	return nil
}

// subNat returns a - b ≥ 0 in new memory.
func subNat(m *meter.Meter, a, b nat) (nat, error) {
	r := make(nat, len(a))
	var borrow uint
	for i := range a {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, min(len(a)-i, directLimbs)); err != nil {
				return nil, err
			}
		}
		var w big.Word
		if i < len(b) {
			w = b[i]
		}
		var s uint
		s, borrow = bits.Sub(uint(a[i]), uint(w), borrow)
		r[i] = big.Word(s)
	}
	return norm(r), nil
}

// shlNat returns a << n in new memory.
func shlNat(m *meter.Meter, a nat, n int) (nat, error) {
	if len(a) == 0 {
		return nil, nil
	}
	whole, s := n/limbBits, n%limbBits
	if err := reserve(m, int64(len(a)+whole+1)*8); err != nil {
		return nil, err
	}
	r := make(nat, len(a)+whole+1) //meter: reserved above
	if err := limbCost(m, whole); err != nil {
		return nil, err
	}
	var last big.Word
	for i, w := range a {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, min(len(a)-i, directLimbs)); err != nil {
				return nil, err
			}
		}
		r[i+whole] = w<<s | last>>(limbBits-s)
		last = w
	}
	r[len(a)+whole] = last >> (limbBits - s)
	return norm(r), nil
}

// shrNat returns a >> n in new memory.
func shrNat(m *meter.Meter, a nat, n int) (nat, error) {
	whole, s := n/limbBits, n%limbBits
	if whole >= len(a) {
		return nil, nil
	}
	a = a[whole:]
	if err := reserve(m, int64(len(a))*8); err != nil {
		return nil, err
	}
	r := make(nat, len(a))
	for i := range a {
		if i&(directLimbs-1) == 0 {
			if err := limbCost(m, min(len(a)-i, directLimbs)); err != nil {
				return nil, err
			}
		}
		var next big.Word
		if i+1 < len(a) {
			next = a[i+1]
		}
		r[i] = a[i]>>s | next<<(limbBits-s)
	}
	return norm(r), nil
}

// leafMul multiplies with math/big.
func leafMul(m *meter.Meter, a, b nat) (nat, error) {
	if m != nil {
		if err := m.Charge(int64(len(a))*int64(len(b))/32 + int64(len(a)+len(b))/4 + 1); err != nil {
			return nil, err
		}
	}
	var x, y, z big.Int
	x.SetBits(a)
	y.SetBits(b)
	return z.Mul(&x, &y).Bits(), nil
}

// mulNat returns a × b in new memory. Operands of more than leafLimbs limbs are
// split (Karatsuba), so that the meter is looked at between products of leaves.
func mulNat(m *meter.Meter, a, b nat) (nat, error) {
	if err := reserve(m, int64(len(a)+len(b))*3*8); err != nil {
		return nil, err
	}
	return mul(m, a, b)
}

func mul(m *meter.Meter, a, b nat) (nat, error) { //meter: the depth is the logarithm of the length, which a level or two halve
	if len(a) < len(b) {
		a, b = b, a
	}
	switch {
	case len(b) == 0:
		return nil, nil
	case len(a) <= leafLimbs, len(a) <= directLimbs && len(b) <= 4:
		return leafMul(m, a, b)
	case len(b) <= leafLimbs/2 || len(a) >= 2*len(b):
		return mulBlocks(m, a, b)
	}
	// b is longer than half of a, so both have a high part.
	h := (len(a) + 1) / 2
	if len(b) <= h {
		return mulBlocks(m, a, b)
	}
	a0, a1 := norm(a[:h]), a[h:]
	b0, b1 := norm(b[:h]), b[h:]
	z0, err := mul(m, a0, b0)
	if err != nil {
		return nil, err
	}
	z2, err := mul(m, a1, b1)
	if err != nil {
		return nil, err
	}
	sa, err := addNat(m, a0, a1)
	if err != nil {
		return nil, err
	}
	sb, err := addNat(m, b0, b1)
	if err != nil {
		return nil, err
	}
	z1, err := mul(m, sa, sb)
	if err != nil {
		return nil, err
	}
	if z1, err = subNat(m, z1, z0); err != nil {
		return nil, err
	}
	if z1, err = subNat(m, z1, z2); err != nil {
		return nil, err
	}
	r := make(nat, len(a)+len(b))
	copy(r, z0)
	copy(r[2*h:], z2)
	if err := addAt(m, r, z1, h); err != nil {
		return nil, err
	}
	return norm(r), nil
}

// mulBlocks multiplies a long a by a shorter b, block by block.
func mulBlocks(m *meter.Meter, a, b nat) (nat, error) {
	block := max(len(b), leafLimbs*leafLimbs/len(b))
	block = min(block, directLimbs)
	block = max(block, len(b))
	r := make(nat, len(a)+len(b))
	for i := 0; i < len(a); i += block { //meter: each turn multiplies, which charges
		part := norm(a[i:min(i+block, len(a))])
		var p nat
		var err error
		if len(b) <= leafLimbs {
			p, err = leafMul(m, part, b)
		} else {
			p, err = mul(m, part, b)
		}
		if err != nil {
			return nil, err
		}
		if err := addAt(m, r, p, i); err != nil {
			return nil, err
		}
	}
	return norm(r), nil
}

// leafDiv divides with math/big.
func leafDiv(m *meter.Meter, a, b nat) (q, r nat, err error) {
	if m != nil {
		n := int64(max(len(a)-len(b), 0)+1)*int64(len(b))/16 + int64(len(a))/4 + 1
		if err := m.Charge(n); err != nil {
			return nil, nil, err
		}
	}
	var x, y, zq, zr big.Int
	x.SetBits(a)
	y.SetBits(b)
	zq.QuoRem(&x, &y, &zr)
	return zq.Bits(), zr.Bits(), nil
}

// divNat returns the quotient and remainder of a by b > 0 in new memory.
func divNat(m *meter.Meter, a, b nat) (q, r nat, err error) {
	switch {
	case len(a) < len(b) || cmpNat(a, b) < 0:
		return nil, append(nat(nil), a...), limbCost(m, len(a))
	case len(a) <= 2*leafLimbs, len(a) <= directLimbs && len(b) <= 4:
		return leafDiv(m, a, b)
	}
	if err := reserve(m, int64(len(a)+2*len(b))*4*8); err != nil {
		return nil, nil, err
	}
	if len(b) <= leafLimbs {
		return divBlocks(m, a, b, min(max(len(b), leafLimbs*leafLimbs/len(b)), directLimbs))
	}
	// The divisor gets leafSize × 2^j limbs, the highest bit set, so that it can
	// be halved down to a leaf (Burnikel and Ziegler).
	n := len(b)
	j := 0
	for n > leafLimbs { //meter: the logarithm of the length
		n = (n + 1) / 2
		j++
	}
	n <<= j
	s := n*limbBits - bitLen(b)
	if a, err = shlNat(m, a, s); err != nil {
		return nil, nil, err
	}
	if b, err = shlNat(m, b, s); err != nil {
		return nil, nil, err
	}
	if q, r, err = divBlocks(m, a, b, n); err != nil {
		return nil, nil, err
	}
	r, err = shrNat(m, r, s)
	return q, r, err
}

// divBlocks is long division with blocks of limbs as digits. If b is longer
// than a leaf, block must be its length.
func divBlocks(m *meter.Meter, a, b nat, block int) (q, r nat, err error) {
	q = make(nat, len(a))
	for i := (len(a) - 1) / block * block; i >= 0; i -= block { //meter: each turn divides, which charges
		part := a[i:min(i+block, len(a))]
		if r, err = join(m, r, part); err != nil {
			return nil, nil, err
		}
		var d nat
		if len(b) <= leafLimbs {
			d, r, err = leafDiv(m, r, b)
		} else {
			d, r, err = div21(m, r, b)
		}
		if err != nil {
			return nil, nil, err
		}
		copy(q[i:], d)
	}
	return norm(q), r, nil
}

// join returns hi × B^len(lo) + lo in new memory; lo need not be normalised.
func join(m *meter.Meter, hi, lo nat) (nat, error) {
	r := make(nat, len(lo)+len(hi))
	for i := 0; i < len(r); i += directLimbs {
		if err := limbCost(m, min(len(r)-i, directLimbs)); err != nil {
			return nil, err
		}
	}
	copy(r, lo)
	copy(r[len(lo):], hi)
	return norm(r), nil
}

// div21 divides a < b × B^len(b) by b, whose highest bit is set and whose
// length is a leaf's times a power of two.
func div21(m *meter.Meter, a, b nat) (q, r nat, err error) { //meter: the depth is the logarithm of the length, which every two levels halve
	n := len(b)
	if len(a) < n {
		return nil, a, nil
	}
	if n <= leafLimbs || n&1 != 0 {
		return leafDiv(m, a, b)
	}
	h := n / 2
	q1, r, err := div32(m, norm(a[h:]), b)
	if err != nil {
		return nil, nil, err
	}
	if r, err = join(m, r, a[:h]); err != nil {
		return nil, nil, err
	}
	q0, r, err := div32(m, r, b)
	if err != nil {
		return nil, nil, err
	}
	q = make(nat, h, n) //meter: half of b, an operand that exists
	copy(q, q0)
	return norm(append(q, q1...)), r, nil
}

// div32 divides a < b × B^(len(b)/2) by b.
func div32(m *meter.Meter, a, b nat) (q, r nat, err error) {
	h := len(b) / 2
	if len(a) < len(b) {
		return nil, a, nil
	}
	b1, b0 := b[h:], norm(b[:h])
	top := a[h:] // the high two thirds
	var c nat
	if cmpNat(top[min(h, len(top)):], b1) < 0 {
		if q, c, err = div21(m, top, b1); err != nil {
			return nil, nil, err
		}
	} else {
		// The quotient digit is the greatest; c = top - (B^h - 1) × b1.
		q = make(nat, h)   //meter: half of b, an operand that exists
		for i := range q { //meter: half of b, an operand that exists
			q[i] = ^big.Word(0)
		}
		shifted := make(nat, h, len(b)) //meter: half of b, an operand that exists
		shifted = append(shifted, b1...)
		if c, err = subNat(m, top, shifted); err != nil {
			return nil, nil, err
		}
		if c, err = addNat(m, c, b1); err != nil {
			return nil, nil, err
		}
	}
	d, err := mul(m, q, b0)
	if err != nil {
		return nil, nil, err
	}
	if r, err = join(m, c, a[:h]); err != nil {
		return nil, nil, err
	}
	// The estimate is at most two too large.
	for cmpNat(r, d) < 0 { //meter: twice at most
		if r, err = addNat(m, r, b); err != nil {
			return nil, nil, err
		}
		if q, err = subNat(m, q, nat{1}); err != nil {
			return nil, nil, err
		}
	}
	r, err = subNat(m, r, d)
	return q, r, err
}
