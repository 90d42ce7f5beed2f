package builtins

import (
	"math/big"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupBigInt makes the BigInt constructor and its prototype (§21.2).
func setupBigInt(b *vm.Builder) {
	p := b.Set(vm.BigIntPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := b.Set(vm.BigIntConstructor, b.Ctor("BigInt", 1, bigintConstructor, p, 0))
	b.GlobalObj("BigInt", c)
	b.Method(c, "asIntN", 2, bigintAsIntN)
	b.Method(c, "asUintN", 2, bigintAsUintN)
	b.Method(p, "toLocaleString", 0, bigintToLocaleString)
	b.Method(p, "toString", 0, bigintToString)
	b.Method(p, "valueOf", 0, bigintValueOf)
	b.Tag(p, "BigInt")
}

// bigintConstructor is BigInt(value) (§21.2.1.1).
func bigintConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget != vm.Undefined {
		return vm.Undefined, m.TypeError("BigInt is not a constructor")
	}
	p, err := m.ToPrimitive(c.Arg(0), vm.HintNumber)
	if err != nil {
		return vm.Undefined, err
	}
	if !p.IsNumber() {
		return m.ToBigInt(p)
	}
	f := p.AsFloat()
	if !conv.IsIntegral(f) {
		return vm.Undefined, m.RangeError("The number %s cannot be converted to a BigInt because it is not an integer", m.Describe(p))
	}
	var z big.Int
	return m.NewBig(conv.BigFromFloat(&z, f))
}

func bigintAsN(m *vm.Machine, c *vm.Call) (int64, *big.Int, error) {
	bits, err := toIndex(m, c.Arg(0), "Invalid value: not (convertible to) a safe integer")
	if err != nil {
		return 0, nil, err
	}
	v, err := m.ToBigInt(c.Arg(1))
	if err != nil {
		return 0, nil, err
	}
	var z big.Int
	x, err := m.BigOf(v, &z)
	return int64(bits), x, err
}

// bigintAsIntN is BigInt.asIntN (§21.2.2.1).
func bigintAsIntN(m *vm.Machine, c vm.Call) (vm.Value, error) {
	bits, x, err := bigintAsN(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	var z big.Int
	if err := conv.BigAsIntN(m.Meter(), &z, bits, x); err != nil {
		return vm.Undefined, err
	}
	return m.NewBig(&z)
}

// bigintAsUintN is BigInt.asUintN (§21.2.2.2).
func bigintAsUintN(m *vm.Machine, c vm.Call) (vm.Value, error) {
	bits, x, err := bigintAsN(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	var z big.Int
	if err := conv.BigAsUintN(m.Meter(), &z, bits, x); err != nil {
		return vm.Undefined, err
	}
	return m.NewBig(&z)
}

// thisBigInt is ThisBigIntValue (§21.2.3.4.1).
func thisBigInt(m *vm.Machine, c *vm.Call, method string) (vm.Value, error) {
	if c.This.IsBigInt() {
		return c.This, nil
	}
	if c.This.IsObject() {
		if rec := m.H.Obj(c.This.AsObj()); rec.Class == heap.ClassBigInt {
			return rec.Data, nil
		}
	}
	return vm.Undefined, m.TypeError("BigInt.prototype.%s requires that 'this' be a BigInt", method)
}

// bigintToString is BigInt.prototype.toString (§21.2.3.3).
func bigintToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisBigInt(m, &c, "toString")
	if err != nil {
		return vm.Undefined, err
	}
	radix, err := radixArg(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.BigIntToString(v, radix)
	return heap.StringValue(s), err
}

func bigintValueOf(m *vm.Machine, c vm.Call) (vm.Value, error) { return thisBigInt(m, &c, "valueOf") }
