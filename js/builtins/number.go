package builtins

import (
	"math"
	"math/big"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupNumber makes the Number constructor and its prototype (§21.1).
// parseFloat and parseInt are added by setupGlobals.
func setupNumber(b *vm.Builder) {
	p := b.Set(vm.NumberPrototype, b.H.NewObject(b.H.RootShape(b.Intrinsic(vm.ObjectPrototype)), heap.ClassNumber))
	b.H.ObjW(p).Data = heap.Int(0)
	c := b.Set(vm.NumberConstructor, b.Ctor("Number", 1, numberConstructor, p, 0))
	b.GlobalObj("Number", c)
	b.Const(c, "EPSILON", heap.Float(0x1p-52))
	b.Method(c, "isFinite", 1, numberIsFinite)
	b.Method(c, "isInteger", 1, numberIsInteger)
	b.Method(c, "isNaN", 1, numberIsNaN)
	b.Method(c, "isSafeInteger", 1, numberIsSafeInteger)
	b.Const(c, "MAX_SAFE_INTEGER", heap.Float(maxLength))
	b.Const(c, "MAX_VALUE", heap.Float(math.MaxFloat64))
	b.Const(c, "MIN_SAFE_INTEGER", heap.Float(-maxLength))
	b.Const(c, "MIN_VALUE", heap.Float(math.SmallestNonzeroFloat64))
	b.Const(c, "NaN", heap.NaN)
	b.Const(c, "NEGATIVE_INFINITY", heap.Float(math.Inf(-1)))
	b.Const(c, "POSITIVE_INFINITY", heap.Float(math.Inf(1)))

	b.Method(p, "toExponential", 1, numberToExponential)
	b.Method(p, "toFixed", 1, numberToFixed)
	b.Method(p, "toLocaleString", 0, numberToLocaleString)
	b.Method(p, "toPrecision", 1, numberToPrecision)
	b.Method(p, "toString", 1, numberToString)
	b.Method(p, "valueOf", 0, numberValueOf)
}

// numberConstructor is Number(value) (§21.1.1.1).
func numberConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := heap.Int(0)
	if len(c.Args) > 0 {
		var err error
		if v, err = m.ToNumeric(c.Args[0]); err != nil {
			return vm.Undefined, err
		}
		if v.IsBigInt() {
			var z big.Int
			x, err := m.BigOf(v, &z)
			if err != nil {
				return vm.Undefined, err
			}
			v = heap.Number(conv.BigToFloat(x))
		}
	}
	if c.NewTarget == vm.Undefined {
		return v, nil
	}
	o, err := m.NewFrom(c.NewTarget, vm.NumberPrototype, heap.ClassNumber)
	if err != nil {
		return vm.Undefined, err
	}
	m.H.ObjW(o).Data = v
	return heap.ObjectValue(o), nil
}

func numberIsFinite(_ *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	return heap.Bool(v.IsNumber() && math.Abs(v.AsFloat()) <= math.MaxFloat64), nil
}

func numberIsInteger(_ *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	return heap.Bool(v.IsInt() || v.IsNumber() && conv.IsIntegral(v.AsFloat())), nil
}

func numberIsNaN(_ *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	return heap.Bool(v.IsDouble() && v.AsDouble() != v.AsDouble()), nil
}

func numberIsSafeInteger(_ *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	return heap.Bool(v.IsInt() || v.IsNumber() && conv.IsIntegral(v.AsFloat()) && math.Abs(v.AsFloat()) <= maxLength), nil
}

// thisNumber is ThisNumberValue (§21.1.3.7.1).
func thisNumber(m *vm.Machine, c *vm.Call, method string) (vm.Value, error) {
	if c.This.IsNumber() {
		return c.This, nil
	}
	if c.This.IsObject() {
		if rec := m.H.Obj(c.This.AsObj()); rec.Class == heap.ClassNumber {
			return rec.Data, nil
		}
	}
	return vm.Undefined, m.TypeError("Number.prototype.%s requires that 'this' be a Number", method)
}

func latin1Value(m *vm.Machine, b []byte) (vm.Value, error) {
	s, err := m.H.NewLatin1(b)
	return heap.StringValue(s), err
}

// numberDigits reads this and the argument of toFixed and its like.
func numberDigits(m *vm.Machine, c *vm.Call, method string) (x, digits float64, err error) {
	v, err := thisNumber(m, c, method)
	if err != nil {
		return 0, 0, err
	}
	digits, err = m.ToInteger(c.Arg(0))
	return v.AsFloat(), digits, err
}

func isFinite(f float64) bool { return math.Abs(f) <= math.MaxFloat64 }

// numberToExponential is Number.prototype.toExponential (§21.1.3.2).
func numberToExponential(m *vm.Machine, c vm.Call) (vm.Value, error) {
	x, f, err := numberDigits(m, &c, "toExponential")
	if err != nil {
		return vm.Undefined, err
	}
	var buf [160]byte
	if !isFinite(x) {
		return latin1Value(m, conv.FormatNumber(buf[:0], x))
	}
	if !(f >= 0 && f <= 100) {
		return vm.Undefined, m.RangeError("toExponential() argument must be between 0 and 100")
	}
	digits := int(f)
	if c.Arg(0) == vm.Undefined {
		digits = -1
	}
	return latin1Value(m, conv.ToExponential(buf[:0], x, digits))
}

// numberToFixed is Number.prototype.toFixed (§21.1.3.3).
func numberToFixed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	x, f, err := numberDigits(m, &c, "toFixed")
	if err != nil {
		return vm.Undefined, err
	}
	if !(f >= 0 && f <= 100) {
		return vm.Undefined, m.RangeError("toFixed() digits argument must be between 0 and 100")
	}
	var buf [160]byte
	if !isFinite(x) {
		return latin1Value(m, conv.FormatNumber(buf[:0], x))
	}
	return latin1Value(m, conv.ToFixed(buf[:0], x, int(f)))
}

// numberToPrecision is Number.prototype.toPrecision (§21.1.3.5).
func numberToPrecision(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisNumber(m, &c, "toPrecision")
	if err != nil {
		return vm.Undefined, err
	}
	var buf [160]byte
	x := v.AsFloat()
	if c.Arg(0) == vm.Undefined {
		return latin1Value(m, conv.FormatNumber(buf[:0], x))
	}
	p, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if !isFinite(x) {
		return latin1Value(m, conv.FormatNumber(buf[:0], x))
	}
	if !(p >= 1 && p <= 100) {
		return vm.Undefined, m.RangeError("toPrecision() argument must be between 1 and 100")
	}
	return latin1Value(m, conv.ToPrecision(buf[:0], x, int(p)))
}

// radixArg reads the argument of toString; 10 when it is undefined.
func radixArg(m *vm.Machine, v vm.Value) (int, error) {
	if v == vm.Undefined {
		return 10, nil
	}
	r, err := m.ToInteger(v)
	if err != nil {
		return 0, err
	}
	if !(r >= 2 && r <= 36) {
		return 0, m.RangeError("toString() radix argument must be between 2 and 36")
	}
	return int(r), nil
}

// numberToString is Number.prototype.toString (§21.1.3.6).
func numberToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisNumber(m, &c, "toString")
	if err != nil {
		return vm.Undefined, err
	}
	radix, err := radixArg(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if radix == 10 {
		s, err := m.NumberToString(v)
		return heap.StringValue(s), err
	}
	if err := m.Charge(8); err != nil {
		return vm.Undefined, err
	}
	var buf [128]byte
	return latin1Value(m, conv.FormatRadix(buf[:0], v.AsFloat(), radix))
}

func numberValueOf(m *vm.Machine, c vm.Call) (vm.Value, error) { return thisNumber(m, &c, "valueOf") }
