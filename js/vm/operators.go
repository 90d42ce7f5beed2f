package vm

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
)

// SameValue is SameValue (§7.2.10).
func (m *Machine) SameValue(a, b Value) (bool, error) {
	if a.IsNumber() && b.IsNumber() {
		x, y := a.AsFloat(), b.AsFloat()
		if x != x && y != y {
			return true, nil
		}
		return x == y && math.Signbit(x) == math.Signbit(y), nil
	}
	return m.StrictEquals(a, b)
}

// SameValueZero is SameValueZero (§7.2.11).
func (m *Machine) SameValueZero(a, b Value) (bool, error) {
	if a.IsNumber() && b.IsNumber() {
		x, y := a.AsFloat(), b.AsFloat()
		return x == y || x != x && y != y, nil
	}
	return m.StrictEquals(a, b)
}

// StrictEquals is IsStrictlyEqual (§7.2.14).
func (m *Machine) StrictEquals(a, b Value) (bool, error) {
	switch {
	case a.IsNumber() && b.IsNumber():
		return a.AsFloat() == b.AsFloat(), nil
	case a == b:
		return true, nil
	case a.IsString() && b.IsString():
		return m.H.StringEqual(a.AsStr(), b.AsStr())
	case a.IsBigInt() && b.IsBigInt():
		return m.H.BigIntEqual(a.AsStr(), b.AsStr())
	}
	return false, nil
}

// LooseEquals is IsLooselyEqual (§7.2.13).
func (m *Machine) LooseEquals(a, b Value) (bool, error) {
	for { //meter: each turn turns an object or a boolean into something simpler: five at most
		switch {
		case a.IsNumber() && b.IsNumber(), a.IsString() && b.IsString(), a.IsBigInt() && b.IsBigInt(),
			a.IsObject() && b.IsObject(), a.IsBool() && b.IsBool(), a.IsSymbol() && b.IsSymbol():
			return m.StrictEquals(a, b)
		case a.IsNullish() || b.IsNullish():
			return a.IsNullish() && b.IsNullish(), nil
		case a.IsNumber() && b.IsString():
			f, err := m.StringToNumber(b.AsStr())
			return a.AsFloat() == f, err
		case a.IsString() && b.IsNumber():
			a, b = b, a
		case a.IsBigInt() && b.IsString():
			x, ok, err := m.StringToBigInt(b.AsStr())
			if !ok || err != nil {
				return false, err
			}
			c, err := m.compareBigs(a, x)
			return c == 0, err
		case a.IsString() && b.IsBigInt():
			a, b = b, a
		case a.IsBool():
			a = heap.Int(boolInt(a))
		case b.IsBool():
			b = heap.Int(boolInt(b))
		case b.IsObject():
			p, err := m.ToPrimitive(b, HintDefault)
			if err != nil {
				return false, err
			}
			b = p
		case a.IsObject():
			p, err := m.ToPrimitive(a, HintDefault)
			if err != nil {
				return false, err
			}
			a = p
		case a.IsBigInt() && b.IsNumber():
			return m.compareBigFloat(a, b.AsFloat()) == 0, nil
		case a.IsNumber() && b.IsBigInt():
			a, b = b, a
		default:
			return false, nil
		}
	}
}

func boolInt(v Value) int32 {
	if v == heap.True {
		return 1
	}
	return 0
}

// unordered is what compareBigFloat and Less answer for NaN.
const unordered = 2

func (m *Machine) compareBigFloat(a Value, f float64) int {
	if f != f {
		return unordered
	}
	if neg, limbs := m.H.BigInt(a.AsStr()); len(limbs) > maxFloatLimbs {
		switch {
		case f > math.MaxFloat64, neg && f >= -math.MaxFloat64:
			return -1
		}
		return 1
	}
	var z big.Int
	return conv.BigCmpFloat(m.shortBig(a, &z), f)
}

// maxFloatLimbs is how many limbs every BigInt within the range of numbers has
// room in: longer ones are beyond every finite number.
const maxFloatLimbs = 1024 / 64

// compareBigs compares a BigInt value with x.
func (m *Machine) compareBigs(a Value, x *big.Int) (int, error) {
	var z big.Int
	y, err := m.BigOf(a, &z)
	if err != nil {
		return unordered, err
	}
	return conv.BigCmp(m.meter, y, x)
}

// compare is IsLessThan (§7.2.12) for both orders at once: -1, 0, 1 or
// unordered. leftFirst says which operand is converted first.
func (m *Machine) compare(a, b Value) (int, error) {
	if a.IsObject() {
		p, err := m.ToPrimitive(a, HintNumber)
		if err != nil {
			return 0, err
		}
		a = p
	}
	if b.IsObject() {
		p, err := m.ToPrimitive(b, HintNumber)
		if err != nil {
			return 0, err
		}
		b = p
	}
	if a.IsString() && b.IsString() {
		return m.H.StringCompare(a.AsStr(), b.AsStr())
	}
	if a.IsBigInt() || b.IsBigInt() {
		return m.compareBig(a, b)
	}
	x, err := m.ToFloat(a)
	if err != nil {
		return 0, err
	}
	y, err := m.ToFloat(b)
	if err != nil {
		return 0, err
	}
	switch {
	case x < y:
		return -1, nil
	case x > y:
		return 1, nil
	case x == y:
		return 0, nil
	}
	return unordered, nil
}

func (m *Machine) compareBig(a, b Value) (int, error) { //meter: once: with the operands the other way round
	if a.IsBigInt() && b.IsString() {
		x, ok, err := m.StringToBigInt(b.AsStr())
		if err != nil || !ok {
			return unordered, err
		}
		return m.compareBigs(a, x)
	}
	if a.IsString() && b.IsBigInt() {
		c, err := m.compareBig(b, a)
		return invert(c), err
	}
	a, err := m.ToNumeric(a)
	if err != nil {
		return 0, err
	}
	b, err = m.ToNumeric(b)
	if err != nil {
		return 0, err
	}
	switch {
	case a.IsBigInt() && b.IsBigInt():
		var z big.Int
		x, err := m.BigOf(b, &z)
		if err != nil {
			return 0, err
		}
		return m.compareBigs(a, x)
	case a.IsBigInt():
		return m.compareBigFloat(a, b.AsFloat()), nil
	}
	return invert(m.compareBigFloat(b, a.AsFloat())), nil
}

func invert(c int) int {
	if c == unordered {
		return c
	}
	return -c
}

// relational answers one of <, <=, >, >= from compare's result.
func relational(op bytecode.Op, c int) bool {
	if c == unordered {
		return false
	}
	switch op {
	case bytecode.Lt:
		return c < 0
	case bytecode.Le:
		return c <= 0
	case bytecode.Gt:
		return c > 0
	}
	return c >= 0
}

// add is the addition operator (§13.8.1) when its operands are not both
// numbers.
func (m *Machine) add(a, b Value) (Value, error) {
	if a.IsString() && b.IsString() {
		s, err := m.H.Concat(a.AsStr(), b.AsStr())
		return heap.StringValue(s), err
	}
	if a.IsObject() {
		p, err := m.ToPrimitive(a, HintDefault)
		if err != nil {
			return Undefined, err
		}
		a = p
	}
	if b.IsObject() {
		p, err := m.ToPrimitive(b, HintDefault)
		if err != nil {
			return Undefined, err
		}
		b = p
	}
	if a.IsString() || b.IsString() {
		x, err := m.ToString(a)
		if err != nil {
			return Undefined, err
		}
		y, err := m.ToString(b)
		if err != nil {
			return Undefined, err
		}
		s, err := m.H.Concat(x, y)
		return heap.StringValue(s), err
	}
	return m.arith(bytecode.Add, a, b)
}

// arith is ApplyStringOrNumericBinaryOperator (§13.15.3) for the numeric part
// of all operators.
func (m *Machine) arith(op bytecode.Op, a, b Value) (Value, error) {
	a, err := m.ToNumeric(a)
	if err != nil {
		return Undefined, err
	}
	b, err = m.ToNumeric(b)
	if err != nil {
		return Undefined, err
	}
	if a.IsBigInt() || b.IsBigInt() {
		if !a.IsBigInt() || !b.IsBigInt() {
			return Undefined, m.TypeError("Cannot mix BigInt and other types, use explicit conversions")
		}
		return m.bigArith(op, a, b)
	}
	x, y := a.AsFloat(), b.AsFloat()
	switch op {
	case bytecode.Add:
		return heap.Number(x + y), nil
	case bytecode.Sub:
		return heap.Number(x - y), nil
	case bytecode.Mul:
		return heap.Number(x * y), nil
	case bytecode.Div:
		return heap.Number(x / y), nil
	case bytecode.Mod:
		return heap.Number(mod(x, y)), nil
	case bytecode.Exp:
		return heap.Number(conv.Pow(x, y)), nil
	case bytecode.BitAnd:
		return heap.Int(conv.ToInt32(x) & conv.ToInt32(y)), nil
	case bytecode.BitOr:
		return heap.Int(conv.ToInt32(x) | conv.ToInt32(y)), nil
	case bytecode.BitXor:
		return heap.Int(conv.ToInt32(x) ^ conv.ToInt32(y)), nil
	case bytecode.Shl:
		return heap.Int(conv.ToInt32(x) << (conv.ToUint32(y) & 31)), nil
	case bytecode.Shr:
		return heap.Int(conv.ToInt32(x) >> (conv.ToUint32(y) & 31)), nil
	}
	return heap.Int64(int64(conv.ToUint32(x) >> (conv.ToUint32(y) & 31))), nil
}

// mod is Number::remainder (§6.1.6.1.6).
func mod(x, y float64) float64 {
	// Integers of moderate size are the usual case; math.Mod is slow.
	if math.Abs(x) < 1<<63 && math.Abs(y) < 1<<63 && y != 0 {
		xi, yi := int64(x), int64(y)
		if float64(xi) == x && float64(yi) == y {
			r := xi % yi
			if r == 0 && math.Signbit(x) {
				return negZero
			}
			return float64(r)
		}
	}
	return math.Mod(x, y)
}

// unary applies Neg, BitNot, Inc or Dec to a value that is no number.
func (m *Machine) unary(op bytecode.Op, v Value) (Value, error) {
	v, err := m.ToNumeric(v)
	if err != nil {
		return Undefined, err
	}
	if v.IsBigInt() {
		var z, r big.Int
		x, err := m.BigOf(v, &z)
		if err != nil {
			return Undefined, err
		}
		switch op {
		case bytecode.Neg:
			err = conv.BigNeg(m.meter, &r, x)
		case bytecode.BitNot:
			err = conv.BigNot(m.meter, &r, x)
		case bytecode.Inc:
			err = conv.BigInc(m.meter, &r, x)
		default:
			err = conv.BigDec(m.meter, &r, x)
		}
		if err != nil {
			return Undefined, err
		}
		return m.NewBig(&r)
	}
	x := v.AsFloat()
	switch op {
	case bytecode.Neg:
		return heap.Number(-x), nil
	case bytecode.BitNot:
		return heap.Int(^conv.ToInt32(x)), nil
	case bytecode.Inc:
		return heap.Number(x + 1), nil
	}
	return heap.Number(x - 1), nil
}

func (m *Machine) bigArith(op bytecode.Op, a, b Value) (Value, error) {
	var x, y, z big.Int
	p, err := m.BigOf(a, &x)
	if err != nil {
		return Undefined, err
	}
	q, err := m.BigOf(b, &y)
	if err != nil {
		return Undefined, err
	}
	switch op {
	case bytecode.Add:
		err = conv.BigAdd(m.meter, &z, p, q)
	case bytecode.Sub:
		err = conv.BigSub(m.meter, &z, p, q)
	case bytecode.Mul:
		err = conv.BigMul(m.meter, &z, p, q)
	case bytecode.Div:
		err = conv.BigDiv(m.meter, &z, p, q)
	case bytecode.Mod:
		err = conv.BigRem(m.meter, &z, p, q)
	case bytecode.Exp:
		err = conv.BigExp(m.meter, &z, p, q)
	case bytecode.BitAnd:
		err = conv.BigAnd(m.meter, &z, p, q)
	case bytecode.BitOr:
		err = conv.BigOr(m.meter, &z, p, q)
	case bytecode.BitXor:
		err = conv.BigXor(m.meter, &z, p, q)
	case bytecode.Shl:
		err = conv.BigShl(m.meter, &z, p, q)
	case bytecode.Shr:
		err = conv.BigShr(m.meter, &z, p, q)
	default:
		return Undefined, m.TypeError("BigInts have no unsigned right shift, use >> instead")
	}
	if err != nil {
		return Undefined, err
	}
	return m.NewBig(&z)
}

// BigOf reads a BigInt value into z and returns z, which shares no memory with
// the heap. It charges for one pass over the number.
func (m *Machine) BigOf(v Value, z *big.Int) (*big.Int, error) {
	_, limbs := m.H.BigInt(v.AsStr())
	if n := int64(len(limbs)) * 8; n > heldApart {
		if err := m.meter.Grow(n); err != nil {
			return nil, err
		}
		m.meter.Shrink(n)
	}
	if err := m.Charge(len(limbs) / 8); err != nil {
		return nil, err
	}
	return m.shortBig(v, z), nil
}

// shortBig is BigOf for a BigInt that is known to be short, or charged for.
func (m *Machine) shortBig(v Value, z *big.Int) *big.Int {
	neg, limbs := m.H.BigInt(v.AsStr())
	words := make([]big.Word, 0, len(limbs)*64/bits.UintSize)
	for _, l := range limbs { //meter: the caller has charged, or knows that they are few
		words = append(words, big.Word(l))
		if bits.UintSize == 32 {
			words = append(words, big.Word(l>>32))
		}
	}
	z.SetBits(words)
	if neg {
		z.Neg(z)
	}
	return z
}

// NewBig makes a BigInt value.
func (m *Machine) NewBig(x *big.Int) (Value, error) {
	words := x.Bits()
	s, limbs, err := m.H.MakeBigInt(x.Sign() < 0, (len(words)*bits.UintSize+63)/64)
	if err != nil {
		return Undefined, err
	}
	for i, w := range words { //meter: the operators charge by limbs
		if bits.UintSize == 32 {
			limbs[i/2] |= uint64(w) << (i % 2 * 32)
		} else {
			limbs[i] = uint64(w)
		}
	}
	return heap.BigIntValue(s), nil
}

// StringToBigInt is StringToBigInt (§7.1.14).
func (m *Machine) StringToBigInt(s Str) (*big.Int, bool, error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return nil, false, err
	}
	if u != nil {
		return conv.StringToBigInt(m.meter, u)
	}
	return conv.StringToBigInt(m.meter, b)
}

// ToBigInt is ToBigInt (§7.1.13).
func (m *Machine) ToBigInt(v Value) (Value, error) {
	p, err := m.ToPrimitive(v, HintNumber)
	if err != nil {
		return Undefined, err
	}
	switch {
	case p.IsBigInt():
		return p, nil
	case p.IsBool():
		return m.NewBig(big.NewInt(int64(boolInt(p))))
	case p.IsString():
		x, ok, err := m.StringToBigInt(p.AsStr())
		if err != nil {
			return Undefined, err
		}
		if !ok {
			return Undefined, m.SyntaxError("Cannot convert %s to a BigInt", m.Describe(p))
		}
		return m.NewBig(x)
	}
	return Undefined, m.TypeError("Cannot convert %s to a BigInt", m.Describe(p))
}

// InstanceOf is InstanceofOperator (§13.10.2).
func (m *Machine) InstanceOf(v, target Value) (bool, error) { //meter: each bound function enters
	if !target.IsObject() {
		return false, m.TypeError("Right-hand side of 'instanceof' is not an object")
	}
	h, err := m.GetMethod(target, m.N.SymHasInstance)
	if err != nil {
		return false, err
	}
	if h != Undefined {
		r, err := m.Call(h, target, v)
		return m.ToBoolean(r), err
	}
	if !m.IsCallable(target) {
		return false, m.TypeError("Right-hand side of 'instanceof' is not callable")
	}
	return m.OrdinaryHasInstance(target, v)
}

// OrdinaryHasInstance is OrdinaryHasInstance (§7.3.21).
func (m *Machine) OrdinaryHasInstance(c, v Value) (bool, error) {
	if !m.IsCallable(c) {
		return false, nil
	}
	if rec := m.H.Obj(c.AsObj()); rec.Class == heap.ClassBound {
		if err := m.meter.EnterNative(); err != nil {
			return false, err
		}
		defer m.meter.LeaveNative()
		return m.InstanceOf(v, m.H.Word(rec.Data.AsBlock(), 0))
	}
	if !v.IsObject() {
		return false, nil
	}
	p, err := m.Get(c.AsObj(), m.N.Prototype)
	if err != nil {
		return false, err
	}
	if !p.IsObject() {
		return false, m.TypeError("Function has non-object prototype '%s' in instanceof check", m.Describe(p))
	}
	o := v.AsObj()
	for n := 0; ; n++ {
		if o, err = m.GetPrototypeOf(o); err != nil {
			return false, err
		}
		if o == 0 {
			return false, nil
		}
		if o == p.AsObj() {
			return true, nil
		}
		if n%chainStep == chainStep-1 {
			if err := m.Charge(chainFuel); err != nil {
				return false, err
			}
		}
	}
}
