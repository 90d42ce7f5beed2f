package vm

import (
	"encoding/binary"
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/meter"
)

// An ArrayBuffer's Data is a block of values: the bytes (RawValue, Undefined
// once the buffer is detached), byteLength, and maxByteLength (Undefined for a
// buffer of fixed length, True for an immutable one). The block stays the same for the buffer's life. The
// bytes' own block may be longer than byteLength; what lies beyond is zero.
//
// The Data of typed arrays and DataViews is a block too: the buffer,
// byteOffset, length (of typed arrays in elements, of DataViews in bytes;
// Undefined when it follows the buffer's length), and, for speed, the buffer's
// own block as ValuesValue. A typed array's Length is its ElemType.
const (
	bufBytes = iota
	bufLength
	bufMax
	bufWords
)

const (
	viewBuffer = iota
	viewOffset
	viewLength
	viewBlock
	viewWords
)

// MaxByteLength is the greatest length of an ArrayBuffer. All lengths and
// offsets inside buffers are int32 values therefore.
const MaxByteLength = 1<<31 - 8

// ElemType is a typed array's element type, in the order of the intrinsics.
type ElemType uint32

// The element types.
const (
	ElemInt8 ElemType = iota
	ElemUint8
	ElemUint8Clamped
	ElemInt16
	ElemUint16
	ElemInt32
	ElemUint32
	ElemFloat16
	ElemFloat32
	ElemFloat64
	ElemBigInt64
	ElemBigUint64
	NumElemTypes
)

var elemShift = [16]uint8{0, 0, 0, 1, 1, 2, 2, 1, 2, 3, 3, 3}

var elemNames = [NumElemTypes]string{
	"Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32",
	"Float16", "Float32", "Float64", "BigInt64", "BigUint64",
}

// Shift is the base-2 logarithm of Size.
func (t ElemType) Shift() uint { return uint(elemShift[t&15]) }

// Size is the element's length in bytes.
func (t ElemType) Size() int { return 1 << t.Shift() }

// IsBigInt reports whether the elements are BigInts rather than Numbers.
func (t ElemType) IsBigInt() bool { return t >= ElemBigInt64 }

// String is the element type's name, without "Array".
func (t ElemType) String() string { return elemNames[t] }

// Buffers ---------------------------------------------------------------------

// NewArrayBuffer makes a zeroed ArrayBuffer with the given prototype of n
// bytes, 0 ≤ n ≤ MaxByteLength; max < 0 is a fixed length.
func (m *Machine) NewArrayBuffer(proto Obj, n, max int) (Obj, error) {
	if err := m.Charge(n / 64); err != nil {
		return 0, err
	}
	raw, err := m.H.NewRaw(n)
	if err != nil {
		return 0, err
	}
	return m.bufferOf(proto, heap.RawValue(raw), n, max), nil
}

func (m *Machine) bufferOf(proto Obj, raw Value, n, max int) Obj {
	b := m.H.NewSmallValues(bufWords)
	w := m.H.ValuesW(b)
	w[bufBytes], w[bufLength], w[bufMax] = raw, heap.Int(int32(n)), Undefined
	if max >= 0 {
		w[bufMax] = heap.Int(int32(max))
	}
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassArrayBuffer)
	m.H.ObjW(o).Data = heap.ValuesValue(b)
	return o
}

func (m *Machine) bufWord(buf Obj, i int) Value {
	return m.H.Word(m.H.Obj(buf).Data.AsBlock(), i)
}

// IsDetached is IsDetachedBuffer (§25.1.3.3).
func (m *Machine) IsDetached(buf Obj) bool { return m.bufWord(buf, bufBytes) == Undefined }

// ByteLength returns the length of a buffer, 0 when it is detached.
func (m *Machine) ByteLength(buf Obj) int { return int(m.bufWord(buf, bufLength).AsInt()) }

// MaxByteLength returns the greatest length of a resizable buffer; ok is false
// for a buffer of fixed length.
func (m *Machine) MaxByteLength(buf Obj) (n int, ok bool) {
	v := m.bufWord(buf, bufMax)
	if !v.IsInt() {
		return 0, false
	}
	return int(v.AsInt()), true
}

// IsImmutable is IsImmutableBuffer (TC39 proposal "Immutable ArrayBuffers").
func (m *Machine) IsImmutable(buf Obj) bool { return m.bufWord(buf, bufMax) == True }

// FreezeBuffer makes a new buffer of fixed length immutable.
func (m *Machine) FreezeBuffer(buf Obj) {
	m.H.SetWord(m.H.Obj(buf).Data.AsBlock(), bufMax, True)
}

// BufferBytes views a buffer's bytes; nil when it is detached.
func (m *Machine) BufferBytes(buf Obj) []byte {
	w := m.H.Values(m.H.Obj(buf).Data.AsBlock())
	if w[bufBytes] == Undefined {
		return nil
	}
	return m.H.Bytes(w[bufBytes].AsBlock())[:w[bufLength].AsInt()]
}

// BufferBytesW is BufferBytes for writing.
func (m *Machine) BufferBytesW(buf Obj) []byte {
	w := m.H.Values(m.H.Obj(buf).Data.AsBlock())
	if w[bufBytes] == Undefined {
		return nil
	}
	return m.H.BytesW(w[bufBytes].AsBlock())[:w[bufLength].AsInt()]
}

// DetachBuffer is DetachArrayBuffer (§25.1.3.4). The bytes are given back.
func (m *Machine) DetachBuffer(buf Obj) {
	w := m.H.ValuesW(m.H.Obj(buf).Data.AsBlock())
	raw := w[bufBytes]
	m.forgetBytes(w)
	if raw != Undefined {
		m.H.FreeRaw(raw.AsBlock())
	}
}

func (m *Machine) forgetBytes(w []Value) {
	w[bufBytes], w[bufLength] = Undefined, heap.Int(0)
	if w[bufMax].IsInt() {
		w[bufMax] = heap.Int(0)
	}
}

// TransferBuffer detaches buf and makes a buffer of n bytes with its content;
// max < 0 is a fixed length. Bytes move without a copy where they can.
func (m *Machine) TransferBuffer(proto, buf Obj, n, max int) (Obj, error) {
	w := m.H.ValuesW(m.H.Obj(buf).Data.AsBlock())
	raw, old := w[bufBytes], int(w[bufLength].AsInt())
	if n == old {
		m.forgetBytes(w)
		return m.bufferOf(proto, raw, n, max), nil
	}
	o, err := m.NewArrayBuffer(proto, n, max)
	if err != nil {
		return 0, err
	}
	if err := m.Charge(min(n, old) / 64); err != nil {
		return 0, err
	}
	from, to := m.BufferBytes(buf), m.BufferBytesW(o)
	if err := meter.Copy(m.meter, to, from[:min(len(from), len(to))]); err != nil {
		return 0, err
	}
	m.DetachBuffer(buf)
	return o, nil
}

// ResizeBuffer gives a resizable buffer that isn't detached n bytes,
// 0 ≤ n ≤ its maxByteLength.
func (m *Machine) ResizeBuffer(buf Obj, n int) error {
	b := m.H.Obj(buf).Data.AsBlock()
	w := m.H.ValuesW(b)
	raw := w[bufBytes].AsBlock()
	old := int(w[bufLength].AsInt())
	if err := m.Charge(max(old-n, n-old) / 64); err != nil {
		return err
	}
	if n < old {
		clear(m.H.BytesW(raw)[n:old])
	} else if have := m.H.BlockSize(raw) * 8; n > have {
		if err := m.Charge(old / 64); err != nil {
			return err
		}
		to, err := m.H.NewRaw(min(int(w[bufMax].AsInt()), max(n, have+have/2)))
		if err != nil {
			return err
		}
		if err := meter.Copy(m.meter, m.H.BytesW(to), m.H.Bytes(raw)[:old]); err != nil {
			return err
		}
		w = m.H.ValuesW(b)
		w[bufBytes] = heap.RawValue(to)
		m.H.FreeRaw(raw)
	}
	w[bufLength] = heap.Int(int32(n))
	return nil
}

// Typed arrays ----------------------------------------------------------------

// NewTypedArray makes a typed array with the given prototype over a buffer;
// length < 0 follows the buffer's length. The caller has checked the bounds.
func (m *Machine) NewTypedArray(proto Obj, t ElemType, buf Obj, offset, length int) Obj {
	o := m.newView(proto, heap.ClassTypedArray, buf, offset, length)
	w := m.H.ObjW(o)
	w.Length = uint32(t)
	w.Flags |= heap.Exotic
	return o
}

// NewDataView makes a DataView, likewise.
func (m *Machine) NewDataView(proto, buf Obj, offset, length int) Obj {
	return m.newView(proto, heap.ClassDataView, buf, offset, length)
}

func (m *Machine) newView(proto Obj, class heap.Class, buf Obj, offset, length int) Obj {
	b := m.H.NewSmallValues(viewWords)
	w := m.H.ValuesW(b)
	w[viewBuffer], w[viewOffset], w[viewLength] = heap.ObjectValue(buf), heap.Int(int32(offset)), Undefined
	if length >= 0 {
		w[viewLength] = heap.Int(int32(length))
	}
	w[viewBlock] = heap.ValuesValue(m.H.Obj(buf).Data.AsBlock())
	o := m.H.NewObject(m.H.RootShape(proto), class)
	m.H.ObjW(o).Data = heap.ValuesValue(b)
	return o
}

// IsTypedArray reports whether v is a typed array.
func (m *Machine) IsTypedArray(v Value) bool {
	return v.IsObject() && m.H.Obj(v.AsObj()).Class == heap.ClassTypedArray
}

// TypedElem returns the element type of a typed array.
func (m *Machine) TypedElem(o Obj) ElemType { return ElemType(m.H.Obj(o).Length) }

// ViewBuffer returns the buffer of a typed array or DataView.
func (m *Machine) ViewBuffer(o Obj) Obj {
	return m.H.Word(m.H.Obj(o).Data.AsBlock(), viewBuffer).AsObj()
}

// ViewOffset returns the [[ByteOffset]] of a typed array or DataView.
func (m *Machine) ViewOffset(o Obj) int {
	return int(m.H.Word(m.H.Obj(o).Data.AsBlock(), viewOffset).AsInt())
}

// ViewTracking reports whether a typed array or DataView follows the length of
// its buffer.
func (m *Machine) ViewTracking(o Obj) bool {
	return m.H.Word(m.H.Obj(o).Data.AsBlock(), viewLength) == Undefined
}

// TypedLength is TypedArrayLength (§10.4.5.13) of a typed array that is not
// out of bounds; ok is false, and the length 0, if it is (§10.4.5.12), as it
// is when the buffer is detached.
func (m *Machine) TypedLength(o Obj) (n int, ok bool) {
	return m.viewLen(m.H.Obj(o), m.TypedElem(o).Shift())
}

// DataViewLength is TypedLength for a DataView, in bytes.
func (m *Machine) DataViewLength(o Obj) (n int, ok bool) { return m.viewLen(m.H.Obj(o), 0) }

func (m *Machine) viewLen(rec *heap.Object, shift uint) (int, bool) {
	w := m.H.Values(rec.Data.AsBlock())
	bw := m.H.Values(w[viewBlock].AsBlock())
	off, have := int(w[viewOffset].AsInt()), int(bw[bufLength].AsInt())
	if bw[bufBytes] == Undefined || off > have {
		return 0, false
	}
	if w[viewLength] == Undefined {
		return (have - off) >> shift, true
	}
	n := int(w[viewLength].AsInt())
	if off+n<<shift > have {
		return 0, false
	}
	return n, true
}

// TypedBytes views the bytes of a typed array's elements; nil when it is out
// of bounds.
func (m *Machine) TypedBytes(o Obj) []byte {
	n, ok := m.TypedLength(o)
	if !ok {
		return nil
	}
	off := m.ViewOffset(o)
	return m.BufferBytes(m.ViewBuffer(o))[off : off+n<<m.TypedElem(o).Shift()]
}

// TypedBytesW is TypedBytes for writing.
func (m *Machine) TypedBytesW(o Obj) []byte {
	n, ok := m.TypedLength(o)
	if !ok {
		return nil
	}
	off := m.ViewOffset(o)
	return m.BufferBytesW(m.ViewBuffer(o))[off : off+n<<m.TypedElem(o).Shift()]
}

// typedFixedLength is IsTypedArrayFixedLength (§10.4.5.16).
func (m *Machine) typedFixedLength(o Obj) bool {
	if m.ViewTracking(o) {
		return false
	}
	_, resizable := m.MaxByteLength(m.ViewBuffer(o))
	return !resizable
}

// typedIndex is IsValidIntegerIndex (§10.4.5.14) with the index as an int.
func (m *Machine) typedIndex(o Obj, index float64) (int, bool) {
	n, _ := m.TypedLength(o)
	if !(index >= 0 && index < float64(n)) || index != math.Trunc(index) || math.Signbit(index) {
		return 0, false
	}
	return int(index), true
}

func (m *Machine) typedValidIndex(o Obj, index float64) bool {
	_, ok := m.typedIndex(o, index)
	return ok
}

// TypedGet is TypedArrayGetElement (§10.4.5.17); ok is false where it gives
// undefined.
func (m *Machine) TypedGet(o Obj, index float64) (v Value, ok bool) {
	i, ok := m.typedIndex(o, index)
	if !ok {
		return Undefined, false
	}
	t := m.TypedElem(o)
	b := m.BufferBytes(m.ViewBuffer(o))[m.ViewOffset(o)+i<<t.Shift():]
	return m.ElemValue(t, GetBits(b, t, true)), true
}

// TypedAt is TypedGet for an int: undefined when there is no such element.
func (m *Machine) TypedAt(o Obj, i int) Value {
	if v, ok := m.typedFast(m.H.Obj(o), uint32(i)); ok && i >= 0 {
		return v
	}
	v, _ := m.TypedGet(o, float64(i))
	return v
}

// typedAttrs returns the attributes of a typed array's elements.
func (m *Machine) typedAttrs(o Obj) heap.Attrs {
	if m.IsImmutable(m.ViewBuffer(o)) {
		return heap.Enumerable
	}
	return heap.DefaultAttrs
}

// TypedSet is TypedArraySetElement (§10.4.5.18) of an array whose buffer is not
// immutable.
func (m *Machine) TypedSet(o Obj, index float64, v Value) error {
	t := m.TypedElem(o)
	bits, err := m.ElemBits(t, v)
	if err != nil {
		return err
	}
	if i, ok := m.typedIndex(o, index); ok {
		b := m.BufferBytesW(m.ViewBuffer(o))[m.ViewOffset(o)+i<<t.Shift():]
		PutBits(b, t, bits, true)
	}
	return nil
}

// typedDefine is [[DefineOwnProperty]] of a typed array for a numeric key
// (§10.4.5.3).
func (m *Machine) typedDefine(o Obj, index float64, d Desc) (bool, error) {
	if m.IsImmutable(m.ViewBuffer(o)) {
		cur, ok := m.TypedGet(o, index)
		if !ok {
			return false, nil
		}
		return m.validateDesc(d, cur, heap.Enumerable)
	}
	if !m.typedValidIndex(o, index) || d.IsAccessor() || d.Has&^d.Attrs&heap.DefaultAttrs != 0 {
		return false, nil
	}
	if d.Value != Empty {
		return true, m.TypedSet(o, index, d.Value)
	}
	return true, nil
}

// typedKeys appends the indices of a typed array's elements.
func (m *Machine) typedKeys(o Obj, keys []Key) ([]Key, error) {
	n, _ := m.TypedLength(o)
	if err := m.ChargeKeys(n); err != nil {
		return nil, err
	}
	for i := range n { //meter: charged above
		keys = append(keys, heap.IndexKey(uint32(i)))
	}
	return keys, nil
}

// typedFast reads element i of a typed array in bounds whose elements are
// Numbers and whose length is fixed; ok is false for anything else.
func (m *Machine) typedFast(rec *heap.Object, i uint32) (v Value, ok bool) {
	w := m.H.Values(rec.Data.AsBlock())
	_ = w[viewBlock]
	bw := m.H.Values(w[viewBlock].AsBlock())
	_ = bw[bufLength]
	t := ElemType(rec.Length)
	shift := elemShift[t&15] & 3
	n := w[viewLength]
	at := uint64(uint32(w[viewOffset]))
	if !n.IsInt() || i >= uint32(n) || at+uint64(uint32(n))<<shift > uint64(uint32(bw[bufLength])) {
		return Undefined, false
	}
	b := m.H.Bytes(bw[bufBytes].AsBlock())[at+uint64(i)<<shift:]
	switch t {
	case ElemInt8:
		return heap.Int(int32(int8(b[0]))), true
	case ElemUint8, ElemUint8Clamped:
		return heap.Int(int32(b[0])), true
	case ElemInt16:
		return heap.Int(int32(int16(binary.LittleEndian.Uint16(b)))), true
	case ElemUint16:
		return heap.Int(int32(binary.LittleEndian.Uint16(b))), true
	case ElemInt32:
		return heap.Int(int32(binary.LittleEndian.Uint32(b))), true
	case ElemUint32:
		return heap.Int64(int64(binary.LittleEndian.Uint32(b))), true
	case ElemFloat64:
		return heap.CanonicalFloat(math.Float64frombits(binary.LittleEndian.Uint64(b))), true
	case ElemFloat32:
		return heap.CanonicalFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))), true
	case ElemFloat16:
		return heap.CanonicalFloat(conv.Float16ToFloat64(binary.LittleEndian.Uint16(b))), true
	}
	return Undefined, false
}

// typedFastSet writes a number under the same conditions.
func (m *Machine) typedFastSet(rec *heap.Object, i uint32, v Value) bool {
	w := m.H.Values(rec.Data.AsBlock())
	_ = w[viewBlock]
	bw := m.H.Values(w[viewBlock].AsBlock())
	_ = bw[bufMax]
	t := ElemType(rec.Length)
	shift := elemShift[t&15] & 3
	n := w[viewLength]
	at := uint64(uint32(w[viewOffset]))
	if !n.IsInt() || i >= uint32(n) || t.IsBigInt() || bw[bufMax] == True || at+uint64(uint32(n))<<shift > uint64(uint32(bw[bufLength])) {
		return false
	}
	b := m.H.BytesW(bw[bufBytes].AsBlock())[at+uint64(i)<<shift:]
	var x int32
	if v.IsInt() {
		x = v.AsInt()
	} else if t <= ElemUint32 && t != ElemUint8Clamped {
		x = conv.ToInt32(v.AsDouble())
	}
	switch t {
	case ElemInt8, ElemUint8:
		b[0] = byte(x)
	case ElemInt16, ElemUint16:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case ElemInt32, ElemUint32:
		binary.LittleEndian.PutUint32(b, uint32(x))
	case ElemFloat64:
		binary.LittleEndian.PutUint64(b, math.Float64bits(v.AsFloat()))
	case ElemFloat32:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(v.AsFloat())))
	case ElemFloat16:
		binary.LittleEndian.PutUint16(b, conv.Float16FromFloat64(v.AsFloat()))
	case ElemUint8Clamped:
		if v.IsInt() {
			b[0] = byte(min(max(x, 0), 255))
		} else {
			b[0] = conv.ToUint8Clamp(v.AsDouble())
		}
	}
	return true
}

// Elements as bits ------------------------------------------------------------

// ElemBits converts a value to an element type: ToNumber or ToBigInt, then the
// conversion of table 71; the element's bits are the low ones of the result.
func (m *Machine) ElemBits(t ElemType, v Value) (uint64, error) {
	if t.IsBigInt() {
		z, err := m.ToBigInt(v)
		if err != nil {
			return 0, err
		}
		return m.BigBits(z), nil
	}
	f, err := m.ToNumber(v)
	if err != nil {
		return 0, err
	}
	return NumberBits(t, f), nil
}

// BigBits is ToBigUint64 (§7.1.16) of a BigInt.
func (m *Machine) BigBits(v Value) uint64 {
	neg, limbs := m.H.BigInt(v.AsStr())
	if len(limbs) == 0 {
		return 0
	}
	if neg {
		return -limbs[0]
	}
	return limbs[0]
}

// NumberBits is ElemBits for a value that is a number already.
func NumberBits(t ElemType, v Value) uint64 {
	switch t {
	case ElemFloat64:
		return math.Float64bits(v.AsFloat())
	case ElemFloat32:
		return uint64(math.Float32bits(float32(v.AsFloat())))
	case ElemFloat16:
		return uint64(conv.Float16FromFloat64(v.AsFloat()))
	case ElemUint8Clamped:
		return uint64(conv.ToUint8Clamp(v.AsFloat()))
	}
	if v.IsInt() {
		return uint64(uint32(v.AsInt()))
	}
	return uint64(uint32(conv.ToInt32(v.AsDouble())))
}

// ElemValue turns an element's bits into a value.
func (m *Machine) ElemValue(t ElemType, bits uint64) Value {
	switch t {
	case ElemInt8:
		return heap.Int(int32(int8(bits)))
	case ElemUint8, ElemUint8Clamped:
		return heap.Int(int32(uint8(bits)))
	case ElemInt16:
		return heap.Int(int32(int16(bits)))
	case ElemUint16:
		return heap.Int(int32(uint16(bits)))
	case ElemInt32:
		return heap.Int(int32(bits))
	case ElemUint32:
		return heap.Int64(int64(uint32(bits)))
	case ElemFloat16:
		return heap.CanonicalFloat(conv.Float16ToFloat64(uint16(bits)))
	case ElemFloat32:
		return heap.CanonicalFloat(float64(math.Float32frombits(uint32(bits))))
	case ElemFloat64:
		return heap.CanonicalFloat(math.Float64frombits(bits))
	}
	neg := t == ElemBigInt64 && int64(bits) < 0
	if neg {
		bits = -bits
	}
	var limbs []uint64
	if bits != 0 {
		limbs = []uint64{bits}
	}
	s, _ := m.H.NewBigInt(neg, limbs) //meter: one limb is a small block, which can't fail
	return heap.BigIntValue(s)
}

// GetBits reads an element from the front of b.
func GetBits(b []byte, t ElemType, little bool) uint64 {
	var o binary.ByteOrder = binary.LittleEndian
	if !little {
		o = binary.BigEndian
	}
	switch t.Shift() {
	case 0:
		return uint64(b[0])
	case 1:
		return uint64(o.Uint16(b))
	case 2:
		return uint64(o.Uint32(b))
	}
	return o.Uint64(b)
}

// PutBits writes an element to the front of b.
func PutBits(b []byte, t ElemType, bits uint64, little bool) {
	var o binary.ByteOrder = binary.LittleEndian
	if !little {
		o = binary.BigEndian
	}
	switch t.Shift() {
	case 0:
		b[0] = byte(bits)
	case 1:
		o.PutUint16(b, uint16(bits))
	case 2:
		o.PutUint32(b, uint32(bits))
	default:
		o.PutUint64(b, bits)
	}
}

// MoveBuffer detaches the buffer from and gives its bytes to the buffer to,
// which becomes of the same kind.
func (m *Machine) MoveBuffer(to, from Obj) {
	w := m.H.ValuesW(m.H.Obj(to).Data.AsBlock())
	old := w[bufBytes]
	f := m.H.ValuesW(m.H.Obj(from).Data.AsBlock())
	copy(w[:bufWords], f[:bufWords])
	m.forgetBytes(f)
	if old != Undefined {
		m.H.FreeRaw(old.AsBlock())
	}
}
