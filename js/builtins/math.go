package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupMath makes the Math object (§21.3).
func setupMath(b *vm.Builder) {
	o := b.Set(vm.MathObject, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.GlobalObj("Math", o)
	for _, e := range []struct {
		name string
		v    float64
	}{
		{"E", math.E}, {"LN10", math.Ln10}, {"LN2", math.Ln2}, {"LOG10E", math.Log10E}, {"LOG2E", math.Log2E},
		{"PI", math.Pi}, {"SQRT1_2", math.Sqrt2 / 2}, {"SQRT2", math.Sqrt2},
	} {
		b.Const(o, e.name, heap.Float(e.v))
	}
	b.Tag(o, "Math")
	b.Method(o, "abs", 1, mathAbs)
	for _, e := range []struct {
		name string
		f    func(float64) float64
	}{
		{"acos", conv.Acos}, {"acosh", conv.Acosh}, {"asin", conv.Asin}, {"asinh", conv.Asinh}, {"atan", conv.Atan},
		{"atanh", conv.Atanh},
	} {
		b.Method(o, e.name, 1, mathFunction(e.f))
	}
	b.Method(o, "atan2", 2, mathAtan2)
	b.Method(o, "cbrt", 1, mathFunction(conv.Cbrt))
	b.Method(o, "ceil", 1, mathInteger(math.Ceil))
	b.Method(o, "clz32", 1, mathClz32)
	for _, e := range []struct {
		name string
		f    func(float64) float64
	}{
		{"cos", conv.Cos}, {"cosh", conv.Cosh}, {"exp", conv.Exp}, {"expm1", conv.Expm1},
	} {
		b.Method(o, e.name, 1, mathFunction(e.f))
	}
	b.Method(o, "floor", 1, mathInteger(math.Floor))
	b.Method(o, "fround", 1, mathFunction(conv.Fround))
	b.Method(o, "f16round", 1, mathFunction(conv.F16round))
	b.Method(o, "hypot", 2, mathHypot)
	b.Method(o, "imul", 2, mathImul)
	for _, e := range []struct {
		name string
		f    func(float64) float64
	}{
		{"log", conv.Log}, {"log1p", conv.Log1p}, {"log10", conv.Log10}, {"log2", conv.Log2},
	} {
		b.Method(o, e.name, 1, mathFunction(e.f))
	}
	b.Method(o, "max", 2, mathMax)
	b.Method(o, "min", 2, mathMin)
	b.Method(o, "pow", 2, mathPow)
	b.Method(o, "random", 0, mathRandom)
	b.Method(o, "round", 1, mathInteger(conv.Round))
	for _, e := range []struct {
		name string
		f    func(float64) float64
	}{
		{"sign", conv.Sign}, {"sin", conv.Sin}, {"sinh", conv.Sinh}, {"sqrt", math.Sqrt},
	} {
		b.Method(o, e.name, 1, mathFunction(e.f))
	}
	b.Method(o, "sumPrecise", 1, mathSumPrecise)
	b.Method(o, "tan", 1, mathFunction(conv.Tan))
	b.Method(o, "tanh", 1, mathFunction(conv.Tanh))
	b.Method(o, "trunc", 1, mathInteger(math.Trunc))
}

// mathFunction makes a built-in of a function of one Number.
func mathFunction(f func(float64) float64) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if len(c.Args) > 0 && c.Args[0].IsNumber() {
			return heap.Number(f(c.Args[0].AsFloat())), nil
		}
		x, err := m.ToFloat(c.Arg(0))
		if err != nil {
			return vm.Undefined, err
		}
		return heap.Number(f(x)), nil
	}
}

// mathInteger is mathFunction for a function that leaves integers as they are.
func mathInteger(f func(float64) float64) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if len(c.Args) > 0 && c.Args[0].IsInt() {
			return c.Args[0], nil
		}
		x, err := m.ToFloat(c.Arg(0))
		if err != nil {
			return vm.Undefined, err
		}
		return heap.Number(f(x)), nil
	}
}

func mathAbs(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if len(c.Args) > 0 && c.Args[0].IsInt() {
		i := int64(c.Args[0].AsInt())
		return heap.Int64(max(i, -i)), nil
	}
	x, err := m.ToFloat(c.Arg(0))
	return heap.Number(math.Abs(x)), err
}

// twoNumbers converts the first two arguments.
func twoNumbers(m *vm.Machine, c *vm.Call) (x, y float64, err error) {
	if x, err = m.ToFloat(c.Arg(0)); err == nil {
		y, err = m.ToFloat(c.Arg(1))
	}
	return x, y, err
}

func mathAtan2(m *vm.Machine, c vm.Call) (vm.Value, error) {
	y, x, err := twoNumbers(m, &c)
	return heap.Number(conv.Atan2(y, x)), err
}

func mathPow(m *vm.Machine, c vm.Call) (vm.Value, error) {
	x, y, err := twoNumbers(m, &c)
	return heap.Number(conv.Pow(x, y)), err
}

func mathClz32(m *vm.Machine, c vm.Call) (vm.Value, error) {
	x, err := m.ToUint32(c.Arg(0))
	return heap.Int(int32(conv.Clz32(x))), err
}

func mathImul(m *vm.Machine, c vm.Call) (vm.Value, error) {
	x, err := m.ToUint32(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	y, err := m.ToUint32(c.Arg(1))
	return heap.Int(conv.Imul(x, y)), err
}

// mathHypot is Math.hypot (§21.3.2.19).
func mathHypot(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := m.ChargeKeys(len(c.Args)); err != nil {
		return vm.Undefined, err
	}
	var buf [8]float64
	xs := buf[:0]
	for _, v := range c.Args {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		x, err := m.ToFloat(v)
		if err != nil {
			return vm.Undefined, err
		}
		xs = append(xs, x)
	}
	return heap.Number(conv.Hypot(xs...)), nil
}

func mathMax(m *vm.Machine, c vm.Call) (vm.Value, error) { return extreme(m, &c, true) }
func mathMin(m *vm.Machine, c vm.Call) (vm.Value, error) { return extreme(m, &c, false) }

// extreme is Math.max (§21.3.2.24) and Math.min (§21.3.2.25).
func extreme(m *vm.Machine, c *vm.Call, greatest bool) (vm.Value, error) {
	if len(c.Args) == 2 && heap.BothInt(c.Args[0], c.Args[1]) {
		if (c.Args[0].AsInt() > c.Args[1].AsInt()) == greatest {
			return c.Args[0], nil
		}
		return c.Args[1], nil
	}
	if err := m.Charge(len(c.Args) / 4); err != nil {
		return vm.Undefined, err
	}
	best := math.Inf(1)
	if greatest {
		best = math.Inf(-1)
	}
	for _, v := range c.Args {
		if v.IsObject() { // whose script may take its time
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
		}
		x, err := m.ToFloat(v)
		if err != nil {
			return vm.Undefined, err
		}
		switch {
		case best != best:
		case x != x:
			best = x
		case x == 0 && best == 0:
			if math.Signbit(best) == greatest {
				best = x
			}
		case (x > best) == greatest:
			best = x
		}
	}
	return heap.Number(best), nil
}

// mathRandom is Math.random (§21.3.2.27), from the run's own generator.
func mathRandom(m *vm.Machine, _ vm.Call) (vm.Value, error) {
	return heap.Float(float64(m.RandomBits()>>11) * 0x1p-53), nil
}

// mathSumPrecise is Math.sumPrecise (§21.3.2.35).
func mathSumPrecise(m *vm.Machine, c vm.Call) (vm.Value, error) {
	var sum conv.PreciseSum
	if c.Arg(0).IsNullish() {
		return vm.Undefined, m.TypeError("%s is not iterable", m.Describe(c.Arg(0)))
	}
	err := m.Iterate(c.Arg(0), func(v vm.Value) (bool, error) {
		if !v.IsNumber() {
			return false, m.TypeError("Math.sumPrecise: %s is not a number", m.Describe(v))
		}
		sum.Add(v.AsFloat())
		return false, nil
	})
	return heap.Number(sum.Result()), err
}
