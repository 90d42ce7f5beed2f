package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

func invalidTypedLength(m *vm.Machine, n float64) error {
	return m.RangeError("Invalid typed array length: %s", m.Describe(heap.Number(n)))
}

// typedOfLength is AllocateTypedArray (§23.2.5.1.1) with a length: a typed
// array over a new buffer.
func typedOfLength(m *vm.Machine, proto vm.Obj, t vm.ElemType, n float64) (vm.Obj, error) {
	if n*float64(t.Size()) > vm.MaxByteLength {
		return 0, invalidTypedLength(m, n)
	}
	buf, err := m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), int(n)<<t.Shift(), -1)
	if err != nil {
		return 0, err
	}
	return m.NewTypedArray(proto, t, buf, 0, int(n)), nil
}

// typedConstructor makes Int8Array(…args) and its like (§23.2.5.1).
func typedConstructor(t vm.ElemType) vm.NativeFunc {
	def := vm.Int8ArrayPrototype + vm.Intrinsic(t)
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if c.NewTarget == vm.Undefined {
			return vm.Undefined, m.TypeError("Constructor %sArray requires 'new'", t)
		}
		first := c.Arg(0)
		if !first.IsObject() {
			n, err := m.ToInteger(first)
			if err != nil {
				return vm.Undefined, err
			}
			if !(n >= 0 && n <= maxLength) {
				return vm.Undefined, invalidTypedLength(m, n)
			}
			p, err := m.PrototypeFromConstructor(c.NewTarget, def)
			if err != nil {
				return vm.Undefined, err
			}
			if err := m.MakeRoom(int64(min(n*float64(t.Size()), vm.MaxByteLength)), heap.ObjectValue(p)); err != nil {
				return vm.Undefined, err
			}
			o, err := typedOfLength(m, p, t, n)
			return heap.ObjectValue(o), err
		}
		p, err := m.PrototypeFromConstructor(c.NewTarget, def)
		if err != nil {
			return vm.Undefined, err
		}
		var o vm.Obj
		switch m.H.Obj(first.AsObj()).Class {
		case heap.ClassTypedArray:
			o, err = typedFromTyped(m, p, t, first.AsObj())
		case heap.ClassArrayBuffer:
			o, err = typedFromBuffer(m, p, t, first.AsObj(), c.Arg(1), c.Arg(2))
		default:
			o, err = typedFromObject(m, p, t, first)
		}
		return heap.ObjectValue(o), err
	}
}

// mixedTypes is the TypeError for arrays of Numbers and of BigInts together.
func mixedTypes(m *vm.Machine) error {
	return m.TypeError("Cannot mix BigInt and other types, use explicit conversions")
}

// typedFromTyped is InitializeTypedArrayFromTypedArray (§23.2.5.1.2).
func typedFromTyped(m *vm.Machine, p vm.Obj, t vm.ElemType, src vm.Obj) (vm.Obj, error) {
	n, ok := m.TypedLength(src)
	if !ok {
		return 0, detachedError(m, "Construct")
	}
	st := m.TypedElem(src)
	if n<<t.Shift() > vm.MaxByteLength {
		return 0, invalidTypedLength(m, float64(n))
	}
	if t.IsBigInt() != st.IsBigInt() {
		return 0, mixedTypes(m)
	}
	o, err := typedOfLength(m, p, t, float64(n))
	if err != nil {
		return 0, err
	}
	return o, convertElements(m, m.TypedBytesW(o), t, m.TypedBytes(src), st)
}

// convertElements fills dst with the elements of src, which are as many and in
// other memory.
func convertElements(m *vm.Machine, dst []byte, dt vm.ElemType, src []byte, st vm.ElemType) error {
	if sameBits(dt, st) {
		return copyBytes(m, dst, src)
	}
	ds, ss := dt.Size(), st.Size()
	for len(src) > 0 {
		k := min(len(src)/ss, chunk)
		if err := m.Charge(k / 4); err != nil {
			return err
		}
		for i := range k { //meter: charged above
			bits := vm.GetBits(src[i*ss:], st, true)
			if !dt.IsBigInt() {
				bits = vm.NumberBits(dt, m.ElemValue(st, bits))
			}
			vm.PutBits(dst[i*ds:], dt, bits, true)
		}
		src, dst = src[k*ss:], dst[k*ds:]
	}
	return nil
}

// sameBits reports whether converting an element from st to dt leaves its bits
// as they are.
func sameBits(dt, st vm.ElemType) bool {
	if dt == st || dt.IsBigInt() && st.IsBigInt() {
		return true
	}
	if dt > vm.ElemUint32 || st > vm.ElemUint32 || dt.Size() != st.Size() {
		return false
	}
	return dt != vm.ElemUint8Clamped || st == vm.ElemUint8
}

// byteChunk is how many bytes are moved between two looks at the meter.
const byteChunk = 1 << 18

// copyBytes is copy for long slices of different memory, charged.
func copyBytes(m *vm.Machine, dst, src []byte) error {
	src = src[:min(len(src), len(dst))]
	for len(src) > 0 {
		k := min(len(src), byteChunk)
		if err := m.Charge(k / 64); err != nil {
			return err
		}
		copy(dst, src[:k])
		dst, src = dst[k:], src[k:]
	}
	return nil
}

// moveBytes moves n bytes inside b, which may overlap.
func moveBytes(m *vm.Machine, b []byte, to, from, n int) error {
	for done := 0; done < n; {
		k := min(n-done, byteChunk)
		if err := m.Charge(k / 64); err != nil {
			return err
		}
		at := done
		if to > from {
			at = n - done - k
		}
		copy(b[to+at:to+at+k], b[from+at:from+at+k])
		done += k
	}
	return nil
}

// typedFromBuffer is InitializeTypedArrayFromArrayBuffer (§23.2.5.1.3).
func typedFromBuffer(m *vm.Machine, p vm.Obj, t vm.ElemType, buf vm.Obj, offsetArg, lengthArg vm.Value) (vm.Obj, error) {
	size := float64(t.Size())
	offset, err := toIndex(m, offsetArg, "Start offset is too large:")
	if err != nil {
		return 0, err
	}
	if off := int64(offset); off&int64(t.Size()-1) != 0 {
		return 0, m.RangeError("start offset of %sArray should be a multiple of %d", t, t.Size())
	}
	length := -1.0
	if lengthArg != vm.Undefined {
		n, err := m.ToInteger(lengthArg)
		if err != nil {
			return 0, err
		}
		if !(n >= 0 && n <= maxLength) {
			return 0, invalidTypedLength(m, n)
		}
		length = n
	}
	if m.IsDetached(buf) {
		return 0, detachedError(m, "Construct")
	}
	have := float64(m.ByteLength(buf))
	if length >= 0 {
		if offset+length*size > have {
			return 0, invalidTypedLength(m, length)
		}
		return m.NewTypedArray(p, t, buf, int(offset), int(length)), nil
	}
	if _, resizable := m.MaxByteLength(buf); resizable {
		if offset > have {
			return 0, m.RangeError("Start offset %s is outside the bounds of the buffer", m.Describe(heap.Number(offset)))
		}
		return m.NewTypedArray(p, t, buf, int(offset), -1), nil
	}
	if int(have)&(t.Size()-1) != 0 {
		return 0, m.RangeError("byte length of %sArray should be a multiple of %d", t, t.Size())
	}
	if offset > have {
		return 0, m.RangeError("Start offset %s is outside the bounds of the buffer", m.Describe(heap.Number(offset)))
	}
	return m.NewTypedArray(p, t, buf, int(offset), int(have-offset)>>t.Shift()), nil
}

// typedFromObject is InitializeTypedArrayFromList (§23.2.5.1.4) and
// InitializeTypedArrayFromArrayLike (§23.2.5.1.5).
func typedFromObject(m *vm.Machine, p vm.Obj, t vm.ElemType, v vm.Value) (vm.Obj, error) {
	using, err := m.GetMethod(v, m.N.SymIterator)
	if err != nil {
		return 0, err
	}
	src := v.AsObj()
	var n int64
	if using != vm.Undefined {
		whole := false
		if using == heap.ObjectValue(m.Intrinsic(vm.ArrayProtoValues)) && m.ArrayIterationIntact() {
			if whole, err = allNumbers(m, src); err != nil {
				return 0, err
			}
		}
		if !whole {
			if src, err = iterableToArray(m, v, using); err != nil {
				return 0, err
			}
		}
		n = int64(m.H.Obj(src).Length)
	} else if n, err = m.LengthOf(src); err != nil {
		return 0, err
	}
	o, err := typedOfLength(m, p, t, float64(n))
	if err != nil {
		return 0, err
	}
	return o, putArrayLike(m, o, 0, src, n)
}

// allNumbers reports whether o is a dense array of Numbers.
func allNumbers(m *vm.Machine, o vm.Obj) (bool, error) {
	if m.H.Obj(o).Class != heap.ClassArray || !wholeArray(m, o) {
		return false, nil
	}
	for e := m.H.Elems(o); len(e) > 0; {
		k := min(len(e), chunk)
		if err := m.Charge(k / 16); err != nil {
			return false, err
		}
		for _, v := range e[:k] { //meter: charged above
			if !v.IsNumber() {
				return false, nil
			}
		}
		e = e[k:]
	}
	return true, nil
}

// putArrayLike sets elements at of o and following to those of an array-like
// of n elements.
func putArrayLike(m *vm.Machine, o vm.Obj, at int, src vm.Obj, n int64) error {
	t := m.TypedElem(o)
	plain, err := allNumbers(m, src)
	if err != nil {
		return err
	}
	if plain && !t.IsBigInt() {
		elems := m.H.Elems(src)
		elems = elems[:min(int64(len(elems)), n)]
		b := m.TypedBytesW(o)
		size := t.Size()
		for i := 0; i < len(elems); i += chunk {
			part := elems[i:min(i+chunk, len(elems))]
			if err := m.Charge(len(part) / 4); err != nil {
				return err
			}
			for k, v := range part { //meter: charged above
				vm.PutBits(b[(at+i+k)*size:], t, vm.NumberBits(t, v), true)
			}
		}
		return nil
	}
	for i := int64(0); i < n; i++ {
		if err := m.Charge(1); err != nil {
			return err
		}
		v, err := getAt(m, src, i)
		if err != nil {
			return err
		}
		if err := m.TypedSet(o, float64(int64(at)+i), v); err != nil {
			return err
		}
	}
	return nil
}

// typedFromCtor is TypedArrayCreateFromCtor (§23.2.4.2) with a length.
func typedFromCtor(m *vm.Machine, ctor vm.Value, n int) (vm.Obj, error) {
	if t, ok := intrinsicElem(m, ctor); ok {
		return typedOfLength(m, typedProto(m, t), t, float64(n))
	}
	return typedConstruct(m, ctor, n, heap.Int(int32(n)))
}

// intrinsicElem tells which of the twelve constructors ctor is.
func intrinsicElem(m *vm.Machine, ctor vm.Value) (vm.ElemType, bool) {
	for t := range vm.NumElemTypes { //meter: twelve
		if ctor == heap.ObjectValue(m.Intrinsic(vm.Int8ArrayConstructor+vm.Intrinsic(t))) {
			return t, true
		}
	}
	return 0, false
}

// typedConstruct calls a constructor that must give a typed array of at least
// n elements that can be written; n < 0 for any length and any buffer.
func typedConstruct(m *vm.Machine, ctor vm.Value, n int, args ...vm.Value) (vm.Obj, error) {
	v, err := m.Construct(ctor, ctor, args...)
	if err != nil {
		return 0, err
	}
	if !m.IsTypedArray(v) {
		return 0, m.TypeError("this is not a typed array.")
	}
	if n >= 0 && m.IsImmutable(m.ViewBuffer(v.AsObj())) {
		return 0, immutableError(m, "Construct")
	}
	have, err := typedBounds(m, v.AsObj(), "Construct")
	if err != nil {
		return 0, err
	}
	if have < n {
		return 0, m.TypeError("Derived TypedArray constructor created an array which was too small")
	}
	return v.AsObj(), nil
}

// typedSpecies finds the constructor of TypedArraySpeciesCreate (§23.2.4.1);
// plain says that it is the intrinsic one for o's own element type.
func typedSpecies(m *vm.Machine, o vm.Obj) (ctor vm.Value, plain bool, err error) {
	def := vm.Int8ArrayConstructor + vm.Intrinsic(m.TypedElem(o))
	ctor, err = speciesConstructor(m, o, def)
	return ctor, ctor == heap.ObjectValue(m.Intrinsic(def)), err
}

// typedSpeciesLength is TypedArraySpeciesCreate with a length.
func typedSpeciesLength(m *vm.Machine, o vm.Obj, n int) (vm.Obj, error) {
	ctor, plain, err := typedSpecies(m, o)
	if err != nil {
		return 0, err
	}
	t := m.TypedElem(o)
	if plain {
		return typedOfLength(m, typedProto(m, t), t, float64(n))
	}
	a, err := typedFromCtor(m, ctor, n)
	if err != nil {
		return 0, err
	}
	if m.TypedElem(a).IsBigInt() != t.IsBigInt() {
		return 0, m.TypeError("Content type of the source and the created typed arrays differ")
	}
	return a, nil
}
