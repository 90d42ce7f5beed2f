package builtins

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

func checkComparator(m *vm.Machine, v vm.Value) error {
	if v != vm.Undefined && !m.IsCallable(v) {
		return m.TypeError("The comparison function must be either a function or undefined")
	}
	return nil
}

// typedSort is %TypedArray%.prototype.sort (§23.2.3.29).
func typedSort(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := checkComparator(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	o, n, err := thisTypedW(m, &c, "sort")
	if err != nil {
		return vm.Undefined, err
	}
	return c.This, sortTyped(m, o, n, c.Arg(0))
}

// typedToSorted is %TypedArray%.prototype.toSorted (§23.2.3.33).
func typedToSorted(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if err := checkComparator(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	o, n, err := thisTyped(m, &c, "toSorted")
	if err != nil {
		return vm.Undefined, err
	}
	a, err := typedCopy(m, o, n)
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(heap.ObjectValue(a))
	defer m.PopRoots(at)
	return heap.ObjectValue(a), sortTyped(m, a, n, c.Arg(0))
}

// sortTyped sorts o's n elements: by value, or with a comparator.
func sortTyped(m *vm.Machine, o vm.Obj, n int, compare vm.Value) error {
	if n < 2 {
		return nil
	}
	if compare == vm.Undefined {
		return sortElements(m, m.TypedBytesW(o), m.TypedElem(o))
	}
	if d, ok := m.DifferenceOf(compare); ok && d.Key == 0 && m.TypedElem(o) <= vm.ElemUint32 {
		// Integers that compare equal are the same.
		b := m.TypedBytesW(o)
		err := sortElements(m, b, m.TypedElem(o))
		if err == nil && d.Descending {
			err = reverseElements(m, b, m.TypedElem(o))
		}
		return err
	}
	if err := m.Charge(n); err != nil {
		return err
	}
	bytes := int64(n) * 12
	if err := m.Meter().Grow(bytes); err != nil {
		return err
	}
	defer m.Meter().Shrink(bytes)
	vals := make([]vm.Value, n)
	for i := range vals { //meter: charged above
		vals[i] = m.TypedAt(o, i)
	}
	if m.TypedElem(o).IsBigInt() {
		keep, err := m.NewArray(vals)
		if err != nil {
			return err
		}
		at := m.Root(heap.ObjectValue(keep))
		defer m.PopRoots(at)
	}
	err := mergeSort(m, vals, func(a, b vm.Value) (bool, error) {
		r, err := m.CallRooted(compare, vm.Undefined, a, b)
		if err != nil {
			return false, err
		}
		if r.IsInt() {
			return r.AsInt() < 0, nil
		}
		f, err := m.ToFloat(r)
		return f < 0, err
	})
	if err != nil {
		return err
	}
	now, _ := m.TypedLength(o)
	t := m.TypedElem(o)
	b := m.TypedBytesW(o)
	for i, v := range vals[:min(n, now)] { //meter: charged above
		bits, err := m.ElemBits(t, v)
		if err != nil {
			return err
		}
		vm.PutBits(b[i<<t.Shift():], t, bits, true)
	}
	return nil
}

// sortElements sorts elements by value, -0 before +0 and NaN last
// (CompareTypedArrayElements, §23.2.4.7).
func sortElements(m *vm.Machine, b []byte, t vm.ElemType) error {
	size := t.Size()
	n := len(b) / size
	if size == 1 {
		return countingSort(m, b, t)
	}
	bytes := int64(n) * 16
	if err := m.Meter().Grow(bytes); err != nil {
		return err
	}
	defer m.Meter().Shrink(bytes)
	keys := make([]uint64, n)
	for i := range keys {
		if i%chunk == 0 {
			if err := m.Charge(chunk / 4); err != nil {
				return err
			}
		}
		keys[i] = orderKey(t, vm.GetBits(b[i*size:], t, true))
	}
	if n <= 256 {
		if err := m.Charge(n); err != nil {
			return err
		}
		slices.Sort(keys)
	} else if err := radixSort(m, &keys, size); err != nil {
		return err
	}
	for i, k := range keys {
		if i%chunk == 0 {
			if err := m.Charge(chunk / 4); err != nil {
				return err
			}
		}
		vm.PutBits(b[i*size:], t, orderBits(t, k), true)
	}
	return nil
}

// orderKey maps an element's bits so that the keys' order is the values'.
func orderKey(t vm.ElemType, bits uint64) uint64 {
	width := uint(8 * t.Size())
	sign := uint64(1) << (width - 1)
	mask := sign<<1 - 1
	switch t {
	case vm.ElemInt8, vm.ElemInt16, vm.ElemInt32, vm.ElemBigInt64:
		return bits ^ sign
	case vm.ElemFloat16, vm.ElemFloat32, vm.ElemFloat64:
		inf := uint64(0x7C00)
		switch t {
		case vm.ElemFloat32:
			inf = 0x7F800000
		case vm.ElemFloat64:
			inf = 0x7FF << 52
		}
		if bits&^sign > inf { // NaN, of either sign
			return mask
		}
		if bits&sign != 0 {
			return ^bits & mask
		}
		return bits | sign
	}
	return bits
}

// orderBits is the inverse of orderKey.
func orderBits(t vm.ElemType, key uint64) uint64 {
	sign := uint64(1) << (8*t.Size() - 1)
	switch t {
	case vm.ElemInt8, vm.ElemInt16, vm.ElemInt32, vm.ElemBigInt64:
		return key ^ sign
	case vm.ElemFloat16, vm.ElemFloat32, vm.ElemFloat64:
		if key == sign<<1-1 {
			switch t {
			case vm.ElemFloat16:
				return 0x7E00
			case vm.ElemFloat32:
				return 0x7FC00000
			}
			return 0x7FF8 << 48
		}
		if key&sign != 0 {
			return key &^ sign
		}
		return ^key
	}
	return key
}

func countingSort(m *vm.Machine, b []byte, t vm.ElemType) error {
	var counts [256]int
	for rest := b; len(rest) > 0; {
		k := min(len(rest), byteChunk)
		if err := m.Charge(k / 16); err != nil {
			return err
		}
		for _, x := range rest[:k] { //meter: charged above
			counts[orderKey(t, uint64(x))]++
		}
		rest = rest[k:]
	}
	for k, n := range counts {
		x := byte(orderBits(t, uint64(k)))
		for n > 0 {
			part := min(n, byteChunk)
			if err := m.Charge(part/16 + 1); err != nil {
				return err
			}
			for i := range b[:part] { //meter: charged above
				b[i] = x
			}
			b, n = b[part:], n-part
		}
	}
	return nil
}

// radixSort sorts keys of size bytes, 11 bits a pass.
func radixSort(m *vm.Machine, keys *[]uint64, size int) error {
	const digit = 11
	from, to := *keys, make([]uint64, len(*keys))
	for shift := 0; shift < 8*size; shift += digit {
		var counts [1 << digit]int
		for i := 0; i < len(from); i += chunk {
			if err := m.Charge(chunk / 8); err != nil {
				return err
			}
			for _, k := range from[i:min(i+chunk, len(from))] { //meter: charged above
				counts[k>>shift&(1<<digit-1)]++
			}
		}
		if counts[from[0]>>shift&(1<<digit-1)] == len(from) {
			continue // all the same here
		}
		at := 0
		for d, n := range counts { //meter: 2048 steps
			counts[d] = at
			at += n
		}
		for i := 0; i < len(from); i += chunk {
			if err := m.Charge(chunk / 4); err != nil {
				return err
			}
			for _, k := range from[i:min(i+chunk, len(from))] { //meter: charged above
				d := k >> shift & (1<<digit - 1)
				to[counts[d]] = k
				counts[d]++
			}
		}
		from, to = to, from
	}
	*keys = from
	return nil
}
