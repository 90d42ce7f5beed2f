package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupAtomics makes the Atomics object (§25.4). There are no shared buffers:
// an operation of one run is atomic as it is, and nobody can wait.
func setupAtomics(b *vm.Builder) {
	o := b.Set(vm.AtomicsObject, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.GlobalObj("Atomics", o)
	op := func(name string, f func(old, v uint64) uint64) {
		b.Method(o, name, 3, atomicOperation(name, f))
	}
	op("add", func(old, v uint64) uint64 { return old + v })
	op("and", func(old, v uint64) uint64 { return old & v })
	b.Method(o, "compareExchange", 4, atomicsCompareExchange)
	op("exchange", func(_, v uint64) uint64 { return v })
	b.Method(o, "isLockFree", 1, atomicsIsLockFree)
	b.Method(o, "load", 2, atomicsLoad)
	b.Method(o, "notify", 3, atomicsNotify)
	op("or", func(old, v uint64) uint64 { return old | v })
	b.Method(o, "pause", 0, atomicsPause)
	b.Method(o, "store", 3, atomicsStore)
	op("sub", func(old, v uint64) uint64 { return old - v })
	b.Method(o, "wait", 4, atomicsWait("wait"))
	b.Method(o, "waitAsync", 4, atomicsWait("waitAsync"))
	op("xor", func(old, v uint64) uint64 { return old ^ v })
	b.Tag(o, "Atomics")
}

// integerTyped is ValidateIntegerTypedArray (§25.4.3.1); waitable allows only
// the element types that Atomics.wait takes, write no immutable buffer.
func integerTyped(m *vm.Machine, v vm.Value, method string, waitable, write bool) (vm.Obj, int, error) {
	if !m.IsTypedArray(v) {
		return 0, 0, m.TypeError("%s is not an integer typed array.", objectWord(m, v))
	}
	o := v.AsObj()
	if write && m.IsImmutable(m.ViewBuffer(o)) {
		return 0, 0, immutableError(m, "Atomics."+method)
	}
	n, err := typedBounds(m, o, "Atomics."+method)
	if err != nil {
		return 0, 0, err
	}
	switch m.TypedElem(o) {
	case vm.ElemInt32, vm.ElemBigInt64:
		return o, n, nil
	case vm.ElemUint8Clamped, vm.ElemFloat16, vm.ElemFloat32, vm.ElemFloat64:
	default:
		if !waitable {
			return o, n, nil
		}
	}
	if waitable {
		return 0, 0, m.TypeError("%s is not an int32 or BigInt64 typed array.", objectWord(m, v))
	}
	return 0, 0, m.TypeError("%s is not an integer typed array.", objectWord(m, v))
}

// objectWord renders a value as "[object Int32Array]".
func objectWord(m *vm.Machine, v vm.Value) string {
	switch {
	case m.IsTypedArray(v):
		return "[object " + m.TypedElem(v.AsObj()).String() + "Array]"
	case v.IsObject() && m.H.Obj(v.AsObj()).Class != heap.ClassArray:
		return m.Describe(v)
	}
	return "[object Array]"
}

// atomicAccess is ValidateAtomicAccess (§25.4.3.2): the index of the element.
func atomicAccess(m *vm.Machine, n int, v vm.Value) (int, error) {
	i, err := toIndex(m, v, "Invalid atomic access index")
	if err != nil {
		return 0, err
	}
	if i >= float64(n) {
		return 0, m.RangeError("Invalid atomic access index")
	}
	return int(i), nil
}

// atomicValue converts an operand: to an integer of unbounded size first, as
// the store operation returns it.
func atomicValue(m *vm.Machine, t vm.ElemType, v vm.Value) (bits uint64, value vm.Value, err error) {
	if t.IsBigInt() {
		if value, err = m.ToBigInt(v); err != nil {
			return 0, vm.Undefined, err
		}
		return m.BigBits(value), value, nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, vm.Undefined, err
	}
	value = heap.Number(f)
	return vm.NumberBits(t, value), value, nil
}

// atomicCell revalidates the array after conversions (RevalidateAtomicAccess,
// §25.4.3.4) and views the element's bytes.
func atomicCell(m *vm.Machine, o vm.Obj, i int, method string) ([]byte, error) {
	n, err := typedBounds(m, o, "Atomics."+method)
	if err != nil {
		return nil, err
	}
	if i >= n {
		return nil, m.RangeError("Invalid atomic access index")
	}
	if m.IsImmutable(m.ViewBuffer(o)) {
		return m.TypedBytes(o)[i<<m.TypedElem(o).Shift():], nil
	}
	return m.TypedBytesW(o)[i<<m.TypedElem(o).Shift():], nil
}

// atomicOperation is AtomicReadModifyWrite (§25.4.3.17).
func atomicOperation(name string, f func(old, v uint64) uint64) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, n, err := integerTyped(m, c.Arg(0), name, false, true)
		if err != nil {
			return vm.Undefined, err
		}
		i, err := atomicAccess(m, n, c.Arg(1))
		if err != nil {
			return vm.Undefined, err
		}
		t := m.TypedElem(o)
		bits, _, err := atomicValue(m, t, c.Arg(2))
		if err != nil {
			return vm.Undefined, err
		}
		b, err := atomicCell(m, o, i, name)
		if err != nil {
			return vm.Undefined, err
		}
		old := vm.GetBits(b, t, true)
		vm.PutBits(b, t, f(old, bits), true)
		return m.ElemValue(t, old), nil
	}
}

// atomicsCompareExchange is Atomics.compareExchange (§25.4.6).
func atomicsCompareExchange(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := integerTyped(m, c.Arg(0), "compareExchange", false, true)
	if err != nil {
		return vm.Undefined, err
	}
	i, err := atomicAccess(m, n, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	t := m.TypedElem(o)
	expected, _, err := atomicValue(m, t, c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	replacement, _, err := atomicValue(m, t, c.Arg(3))
	if err != nil {
		return vm.Undefined, err
	}
	b, err := atomicCell(m, o, i, "compareExchange")
	if err != nil {
		return vm.Undefined, err
	}
	old := vm.GetBits(b, t, true)
	mask := ^uint64(0) >> (64 - 8*uint(t.Size()))
	if old == expected&mask {
		vm.PutBits(b, t, replacement, true)
	}
	return m.ElemValue(t, old), nil
}

// atomicsIsLockFree is Atomics.isLockFree (§25.4.8).
func atomicsIsLockFree(m *vm.Machine, c vm.Call) (vm.Value, error) {
	n, err := m.ToInteger(c.Arg(0))
	return heap.Bool(n == 1 || n == 2 || n == 4 || n == 8), err
}

// atomicsLoad is Atomics.load (§25.4.9).
func atomicsLoad(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := integerTyped(m, c.Arg(0), "load", false, false)
	if err != nil {
		return vm.Undefined, err
	}
	i, err := atomicAccess(m, n, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	b, err := atomicCell(m, o, i, "load")
	if err != nil {
		return vm.Undefined, err
	}
	t := m.TypedElem(o)
	return m.ElemValue(t, vm.GetBits(b, t, true)), nil
}

// atomicsStore is Atomics.store (§25.4.11).
func atomicsStore(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := integerTyped(m, c.Arg(0), "store", false, true)
	if err != nil {
		return vm.Undefined, err
	}
	i, err := atomicAccess(m, n, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	t := m.TypedElem(o)
	bits, v, err := atomicValue(m, t, c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	b, err := atomicCell(m, o, i, "store")
	if err != nil {
		return vm.Undefined, err
	}
	vm.PutBits(b, t, bits, true)
	return v, nil
}

// atomicsNotify is Atomics.notify (§25.4.15): there are no waiters.
func atomicsNotify(m *vm.Machine, c vm.Call) (vm.Value, error) {
	_, n, err := integerTyped(m, c.Arg(0), "notify", true, false)
	if err != nil {
		return vm.Undefined, err
	}
	if _, err := atomicAccess(m, n, c.Arg(1)); err != nil {
		return vm.Undefined, err
	}
	if c.Arg(2) != vm.Undefined {
		if _, err := m.ToInteger(c.Arg(2)); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.Int(0), nil
}

// atomicsWait is DoWait (§25.4.3.14) of a buffer that is not shared.
func atomicsWait(name string) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, _, err := integerTyped(m, c.Arg(0), name, true, false)
		if err != nil {
			return vm.Undefined, err
		}
		return vm.Undefined, m.TypeError("%s is not a shared typed array.", objectWord(m, heap.ObjectValue(o)))
	}
}

// atomicsPause is Atomics.pause (§25.4.10).
func atomicsPause(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if v := c.Arg(0); v != vm.Undefined {
		if !v.IsNumber() || v.IsDouble() && v.AsDouble() != float64(int64(v.AsDouble())) {
			return vm.Undefined, m.TypeError("Atomics.pause: %s is not an integer", m.Describe(v))
		}
	}
	return vm.Undefined, m.Charge(1)
}
