package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// typedAt is %TypedArray%.prototype.at (§23.2.3.1).
func typedAt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "at")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if f < 0 {
		f += float64(n)
	}
	if f < 0 || f >= float64(n) {
		return vm.Undefined, nil
	}
	return m.TypedAt(o, int(f)), nil
}

// typedRange reads relative start and end arguments.
func typedRange(m *vm.Machine, start, end vm.Value, n int) (from, to int, err error) {
	a, err := relativeIndex(m, start, int64(n), 0)
	if err != nil {
		return 0, 0, err
	}
	b, err := relativeIndex(m, end, int64(n), int64(n))
	return int(a), int(b), err
}

// typedCopyWithin is %TypedArray%.prototype.copyWithin (§23.2.3.6).
func typedCopyWithin(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTypedW(m, &c, "copyWithin")
	if err != nil {
		return vm.Undefined, err
	}
	target, err := relativeIndex(m, c.Arg(0), int64(n), 0)
	if err != nil {
		return vm.Undefined, err
	}
	to := int(target)
	from, end, err := typedRange(m, c.Arg(1), c.Arg(2), n)
	if err != nil {
		return vm.Undefined, err
	}
	count := min(end-from, n-to)
	if count <= 0 {
		return c.This, nil
	}
	if n, err = typedBounds(m, o, "%TypedArray%.prototype.copyWithin"); err != nil {
		return vm.Undefined, err
	}
	if count = min(count, n-from, n-to); count > 0 {
		shift := m.TypedElem(o).Shift()
		return c.This, moveBytes(m, m.TypedBytesW(o), to<<shift, from<<shift, count<<shift)
	}
	return c.This, nil
}

// typedFill is %TypedArray%.prototype.fill (§23.2.3.9).
func typedFill(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTypedW(m, &c, "fill")
	if err != nil {
		return vm.Undefined, err
	}
	t := m.TypedElem(o)
	bits, err := m.ElemBits(t, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	from, to, err := typedRange(m, c.Arg(1), c.Arg(2), n)
	if err != nil {
		return vm.Undefined, err
	}
	if n, err = typedBounds(m, o, "%TypedArray%.prototype.fill"); err != nil {
		return vm.Undefined, err
	}
	if to = min(to, n); from >= to {
		return c.This, nil
	}
	b := m.TypedBytesW(o)[from<<t.Shift() : to<<t.Shift()]
	vm.PutBits(b, t, bits, true)
	for have := t.Size(); have < len(b); {
		k := min(have, byteChunk, len(b)-have)
		if err := m.Charge(k / 64); err != nil {
			return vm.Undefined, err
		}
		copy(b[have:], b[:k])
		have += k
	}
	return c.This, nil
}

// typedReverse is %TypedArray%.prototype.reverse (§23.2.3.25).
func typedReverse(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, _, err := thisTypedW(m, &c, "reverse")
	if err != nil {
		return vm.Undefined, err
	}
	return c.This, reverseElements(m, m.TypedBytesW(o), m.TypedElem(o))
}

func reverseElements(m *vm.Machine, b []byte, t vm.ElemType) error {
	size := t.Size()
	for i, j := 0, len(b)-size; i < j; {
		if err := m.Charge(chunk / 16); err != nil {
			return err
		}
		for k := 0; k < chunk && i < j; k++ { //meter: charged above
			x, y := vm.GetBits(b[i:], t, true), vm.GetBits(b[j:], t, true)
			vm.PutBits(b[i:], t, y, true)
			vm.PutBits(b[j:], t, x, true)
			i, j = i+size, j-size
		}
	}
	return nil
}

// typedSet is %TypedArray%.prototype.set (§23.2.3.26).
func typedSet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsTypedArray(c.This) {
		return vm.Undefined, m.TypeError("this is not a typed array.")
	}
	o := c.This.AsObj()
	if m.IsImmutable(m.ViewBuffer(o)) {
		return vm.Undefined, immutableError(m, "%TypedArray%.prototype.set")
	}
	offset, err := m.ToInteger(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	if offset < 0 {
		return vm.Undefined, m.RangeError("offset is out of bounds")
	}
	n, err := typedBounds(m, o, "%TypedArray%.prototype.set")
	if err != nil {
		return vm.Undefined, err
	}
	if m.IsTypedArray(c.Arg(0)) {
		return vm.Undefined, setFromTyped(m, o, n, offset, c.Arg(0).AsObj())
	}
	// SetTypedArrayFromArrayLike (§23.2.3.26.2).
	src, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	k, err := m.LengthOf(src)
	if err != nil {
		return vm.Undefined, err
	}
	if float64(k)+offset > float64(n) {
		return vm.Undefined, m.RangeError("offset is out of bounds")
	}
	if now, ok := m.TypedLength(o); !ok || int(offset)+int(k) > now {
		// It shrank while the length was asked for: element by element.
		for i := int64(0); i < k; i++ {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			v, err := getAt(m, src, i)
			if err != nil {
				return vm.Undefined, err
			}
			if err := m.TypedSet(o, offset+float64(i), v); err != nil {
				return vm.Undefined, err
			}
		}
		return vm.Undefined, nil
	}
	return vm.Undefined, putArrayLike(m, o, int(offset), src, k)
}

// setFromTyped is SetTypedArrayFromTypedArray (§23.2.3.26.1).
func setFromTyped(m *vm.Machine, o vm.Obj, n int, offset float64, src vm.Obj) error {
	k, err := typedBounds(m, src, "%TypedArray%.prototype.set")
	if err != nil {
		return err
	}
	t, st := m.TypedElem(o), m.TypedElem(src)
	if t.IsBigInt() != st.IsBigInt() {
		return mixedTypes(m)
	}
	if float64(k)+offset > float64(n) {
		return m.RangeError("offset is out of bounds")
	}
	dst := m.TypedBytesW(o)[int(offset)<<t.Shift():]
	dst = dst[:k<<t.Shift()]
	from := m.TypedBytes(src)
	same := m.ViewBuffer(o) == m.ViewBuffer(src)
	if sameBits(t, st) {
		if same {
			to := m.ViewOffset(o) + int(offset)<<t.Shift()
			return moveBytes(m, m.BufferBytesW(m.ViewBuffer(o)), to, m.ViewOffset(src), len(dst))
		}
		return copyBytes(m, dst, from)
	}
	if same {
		// The ranges may overlap: a copy of the source.
		if err := m.Meter().Grow(int64(len(from))); err != nil {
			return err
		}
		defer m.Meter().Shrink(int64(len(from)))
		tmp := make([]byte, len(from))
		if err := copyBytes(m, tmp, from); err != nil {
			return err
		}
		from = tmp
	}
	return convertElements(m, dst, t, from, st)
}

// typedSlice is %TypedArray%.prototype.slice (§23.2.3.27).
func typedSlice(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "slice")
	if err != nil {
		return vm.Undefined, err
	}
	from, to, err := typedRange(m, c.Arg(0), c.Arg(1), n)
	if err != nil {
		return vm.Undefined, err
	}
	count := max(to-from, 0)
	a, err := typedSpeciesLength(m, o, count)
	if err != nil {
		return vm.Undefined, err
	}
	if count == 0 {
		return heap.ObjectValue(a), nil
	}
	if n, err = typedBounds(m, o, "%TypedArray%.prototype.slice"); err != nil {
		return vm.Undefined, err
	}
	if count = min(to, n) - from; count <= 0 {
		return heap.ObjectValue(a), nil
	}
	t, at := m.TypedElem(o), m.TypedElem(a)
	if t != at {
		for i := range count {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if err := m.TypedSet(a, float64(i), m.TypedAt(o, from+i)); err != nil {
				return vm.Undefined, err
			}
		}
		return heap.ObjectValue(a), nil
	}
	dst := m.TypedBytesW(a)
	src := m.TypedBytes(o)[from<<t.Shift() : (from+count)<<t.Shift()]
	dst = dst[:min(len(dst), len(src))]
	if m.ViewBuffer(o) != m.ViewBuffer(a) {
		return heap.ObjectValue(a), copyBytes(m, dst, src)
	}
	// In one buffer the bytes are copied in ascending order, whatever overlaps.
	for len(dst) > 0 {
		k := min(len(dst), chunk)
		if err := m.Charge(k / 8); err != nil {
			return vm.Undefined, err
		}
		for i := range k { //meter: charged above
			dst[i] = src[i]
		}
		dst, src = dst[k:], src[k:]
	}
	return heap.ObjectValue(a), nil
}

// typedSubarray is %TypedArray%.prototype.subarray (§23.2.3.30).
func typedSubarray(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsTypedArray(c.This) {
		return vm.Undefined, m.TypeError("this is not a typed array.")
	}
	o := c.This.AsObj()
	n, _ := m.TypedLength(o)
	t := m.TypedElem(o)
	from, err := relativeIndex(m, c.Arg(0), int64(n), 0)
	if err != nil {
		return vm.Undefined, err
	}
	length := vm.Undefined
	if !m.ViewTracking(o) || c.Arg(1) != vm.Undefined {
		to, err := relativeIndex(m, c.Arg(1), int64(n), int64(n))
		if err != nil {
			return vm.Undefined, err
		}
		length = heap.Int64(max(to-from, 0))
	}
	buf := m.ViewBuffer(o)
	offset := heap.Int64(int64(m.ViewOffset(o)) + from<<t.Shift())
	ctor, plain, err := typedSpecies(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	if plain {
		a, err := typedFromBuffer(m, typedProto(m, t), t, buf, offset, length)
		return heap.ObjectValue(a), err
	}
	args := []vm.Value{heap.ObjectValue(buf), offset, length}
	if length == vm.Undefined {
		args = args[:2]
	}
	a, err := typedConstruct(m, ctor, -1, args...)
	if err != nil {
		return vm.Undefined, err
	}
	if m.TypedElem(a).IsBigInt() != t.IsBigInt() {
		return vm.Undefined, m.TypeError("Content type of the source and the created typed arrays differ")
	}
	return heap.ObjectValue(a), nil
}

// typedCopy is TypedArrayCreateSameType (§23.2.4.3) with o's elements.
func typedCopy(m *vm.Machine, o vm.Obj, n int) (vm.Obj, error) {
	t := m.TypedElem(o)
	a, err := typedOfLength(m, typedProto(m, t), t, float64(n))
	if err != nil {
		return 0, err
	}
	return a, copyBytes(m, m.TypedBytesW(a), m.TypedBytes(o))
}

// typedToReversed is %TypedArray%.prototype.toReversed (§23.2.3.32).
func typedToReversed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "toReversed")
	if err != nil {
		return vm.Undefined, err
	}
	a, err := typedCopy(m, o, n)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(a), reverseElements(m, m.TypedBytesW(a), m.TypedElem(a))
}

// typedWith is %TypedArray%.prototype.with (§23.2.3.36).
func typedWith(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "with")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if f < 0 {
		f += float64(n)
	}
	t := m.TypedElem(o)
	bits, err := m.ElemBits(t, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	now, _ := m.TypedLength(o)
	if !(f >= 0 && f < float64(now)) {
		return vm.Undefined, m.RangeError("Invalid typed array index")
	}
	a, err := typedOfLength(m, typedProto(m, t), t, float64(n))
	if err != nil {
		return vm.Undefined, err
	}
	if err := copyBytes(m, m.TypedBytesW(a), m.TypedBytes(o)); err != nil {
		return vm.Undefined, err
	}
	// Elements that are gone read as undefined.
	for i := now; i < n; i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := m.TypedSet(a, float64(i), vm.Undefined); err != nil {
			return vm.Undefined, err
		}
	}
	if i := int(f); i < n {
		vm.PutBits(m.TypedBytesW(a)[i<<t.Shift():], t, bits, true)
	}
	return heap.ObjectValue(a), nil
}

// exactBits returns the bits of the element of type t that equals v, if any
// may. For -0 and +0 of floats the bits are +0's.
func exactBits(m *vm.Machine, t vm.ElemType, v vm.Value) (uint64, bool, error) {
	if t.IsBigInt() {
		if !v.IsBigInt() {
			return 0, false, nil
		}
		bits := m.BigBits(v)
		same, err := m.StrictEquals(m.ElemValue(t, bits), v)
		return bits, same, err
	}
	if !v.IsNumber() {
		return 0, false, nil
	}
	f := v.AsFloat() + 0
	bits := vm.NumberBits(t, heap.CanonicalFloat(f))
	back := m.ElemValue(t, bits).AsFloat()
	if size := t.Size(); size < 8 {
		bits &= 1<<(8*size) - 1
	}
	return bits, back == f, nil
}

// seekBits searches elements from (inclusive) to to (exclusive), backwards
// when to < from. It returns -1 when there is none. zero asks for -0 too.
func seekBits(m *vm.Machine, b []byte, t vm.ElemType, want uint64, zero bool, from, to int) (int, error) {
	size := t.Size()
	other := want
	if zero {
		other = want | 1<<(8*size-1)
	}
	step := 1
	if to < from {
		step = -1
	}
	for i := from; i != to; {
		if err := m.Charge(chunk / 16); err != nil {
			return -1, err
		}
		for k := 0; k < chunk && i != to; k++ { //meter: charged above
			if x := vm.GetBits(b[i*size:], t, true); x == want || x == other {
				return i, nil
			}
			i += step
		}
	}
	return -1, nil
}

func isFloatElem(t vm.ElemType) bool { return t >= vm.ElemFloat16 && t <= vm.ElemFloat64 }

// typedSearch is what includes, indexOf and lastIndexOf have in common: it
// searches the elements that there still are.
func typedSearch(m *vm.Machine, o vm.Obj, v vm.Value, from, to int) (int, error) {
	t := m.TypedElem(o)
	want, ok, err := exactBits(m, t, v)
	if !ok || err != nil {
		return -1, err
	}
	return seekBits(m, m.TypedBytes(o), t, want, isFloatElem(t) && want == 0, from, to)
}

// typedIncludes is %TypedArray%.prototype.includes (§23.2.3.16).
func typedIncludes(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "includes")
	if err != nil || n == 0 {
		return vm.False, err
	}
	from, err := relativeIndex(m, c.Arg(1), int64(n), 0)
	if err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	now, _ := m.TypedLength(o)
	if v == vm.Undefined {
		return heap.Bool(int(from) < n && n > now), nil
	}
	end := min(n, now)
	if int(from) >= end {
		return vm.False, nil
	}
	if v.IsDouble() && v.AsDouble() != v.AsDouble() {
		return typedHasNaN(m, o, int(from), end)
	}
	i, err := typedSearch(m, o, v, int(from), end)
	return heap.Bool(i >= 0), err
}

func typedHasNaN(m *vm.Machine, o vm.Obj, from, to int) (vm.Value, error) {
	if !isFloatElem(m.TypedElem(o)) {
		return vm.False, nil
	}
	for i := from; i < to; i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if f := m.TypedAt(o, i).AsFloat(); f != f {
			return vm.True, nil
		}
	}
	return vm.False, nil
}

// typedIndexOf is %TypedArray%.prototype.indexOf (§23.2.3.17).
func typedIndexOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "indexOf")
	if err != nil || n == 0 {
		return heap.Int(-1), err
	}
	from, err := relativeIndex(m, c.Arg(1), int64(n), 0)
	if err != nil {
		return vm.Undefined, err
	}
	now, _ := m.TypedLength(o)
	end := min(n, now)
	if int(from) >= end {
		return heap.Int(-1), nil
	}
	i, err := typedSearch(m, o, c.Arg(0), int(from), end)
	return heap.Int(int32(i)), err
}

// typedLastIndexOf is %TypedArray%.prototype.lastIndexOf (§23.2.3.20).
func typedLastIndexOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "lastIndexOf")
	if err != nil || n == 0 {
		return heap.Int(-1), err
	}
	f := float64(n) - 1
	if len(c.Args) > 1 {
		if f, err = m.ToInteger(c.Args[1]); err != nil {
			return vm.Undefined, err
		}
		if f < 0 {
			f += float64(n)
		} else {
			f = math.Min(f, float64(n)-1)
		}
	}
	now, _ := m.TypedLength(o)
	if f = math.Min(f, float64(now)-1); f < 0 {
		return heap.Int(-1), nil
	}
	i, err := typedSearch(m, o, c.Arg(0), int(f), -1)
	return heap.Int(int32(i)), err
}
