package heap

import "math"

// Value is any JavaScript value in one word. A double is its own bits; the
// rest lives in the space of negative quiet NaNs that arithmetic never makes.
type Value uint64

// Handles. Zero is never a valid one.
type (
	Obj     uint32 // Object record
	Str     uint32 // Cell record: string, symbol, BigInt
	ShapeID uint32 // Shape record
	Block   uint32 // words
)

const (
	tagInt      = 0xFFF9
	tagSpecial  = 0xFFFA
	tagObject   = 0xFFFB
	tagString   = 0xFFFC
	tagSymbol   = 0xFFFD
	tagBigInt   = 0xFFFE
	tagInternal = 0xFFFF

	tagShift = 48
)

// The special values.
const (
	Undefined Value = tagSpecial<<tagShift | iota
	Null
	False
	True
	// Empty is an array hole, a variable in its temporal dead zone, or
	// "absent" in internal fields. Scripts never see it.
	Empty
)

// NaN is the only NaN that is stored.
const NaN Value = 0x7FF8 << tagShift

// Kinds of internal values: references that scripts never see but the
// collector follows.
const (
	subEnv    = 0 // environment: block of values, word 0 the parent
	subValues = 1 // block of values
	subRaw    = 2 // block of raw words
	subPair   = 3 // accessor: block of two values, getter and setter
	subNumber = 4 // a plain 32-bit number
)

// Int makes an int32 value.
func Int(i int32) Value { return tagInt<<tagShift | Value(uint32(i)) }

// Bool makes a boolean value.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Float makes the value of a double that came out of arithmetic. Doubles whose
// bits come from outside (typed arrays, the host) go through CanonicalFloat.
func Float(f float64) Value { return Value(math.Float64bits(f)) }

// CanonicalFloat is Float for a double of unknown origin: every NaN becomes
// the one NaN, so that no bit pattern can be read as a handle.
func CanonicalFloat(f float64) Value {
	if f != f {
		return NaN
	}
	return Value(math.Float64bits(f))
}

// Number makes a number value: an int32 where f is one (and not -0).
func Number(f float64) Value {
	if i := int32(f); float64(i) == f && (i != 0 || !math.Signbit(f)) {
		return Int(i)
	}
	return CanonicalFloat(f)
}

// Int64 makes a number value of an integer of magnitude up to 2**53.
func Int64(i int64) Value {
	if int64(int32(i)) == i {
		return Int(int32(i))
	}
	return Float(float64(i))
}

// ObjectValue, StringValue, SymbolValue and BigIntValue tag handles.
func ObjectValue(o Obj) Value { return tagObject<<tagShift | Value(o) }
func StringValue(s Str) Value { return tagString<<tagShift | Value(s) }
func SymbolValue(s Str) Value { return tagSymbol<<tagShift | Value(s) }
func BigIntValue(s Str) Value { return tagBigInt<<tagShift | Value(s) }

func internalValue(sub uint64, x uint32) Value {
	return Value(tagInternal<<tagShift | sub<<32 | uint64(x))
}

// EnvValue, ValuesValue and RawValue make internal references to blocks;
// PairValue to an accessor's getter and setter; NumberValue an internal
// number.
func EnvValue(b Block) Value     { return internalValue(subEnv, uint32(b)) }
func ValuesValue(b Block) Value  { return internalValue(subValues, uint32(b)) }
func RawValue(b Block) Value     { return internalValue(subRaw, uint32(b)) }
func PairValue(b Block) Value    { return internalValue(subPair, uint32(b)) }
func NumberValue(n uint32) Value { return internalValue(subNumber, n) }

func (v Value) tag() uint64 { return uint64(v) >> tagShift }

// Type tests.
func (v Value) IsInt() bool       { return v.tag() == tagInt }
func (v Value) IsDouble() bool    { return v.tag() < tagInt }
func (v Value) IsNumber() bool    { return v.tag() <= tagInt }
func (v Value) IsObject() bool    { return v.tag() == tagObject }
func (v Value) IsString() bool    { return v.tag() == tagString }
func (v Value) IsSymbol() bool    { return v.tag() == tagSymbol }
func (v Value) IsBigInt() bool    { return v.tag() == tagBigInt }
func (v Value) IsInternal() bool  { return v.tag() == tagInternal }
func (v Value) IsBool() bool      { return v == True || v == False }
func (v Value) IsUndefined() bool { return v == Undefined }
func (v Value) IsNull() bool      { return v == Null }

// IsNullish reports undefined or null.
func (v Value) IsNullish() bool { return v == Undefined || v == Null }

// IsEnv, IsPair: kinds of internal values.
func (v Value) IsEnv() bool  { return uint64(v)>>32 == tagInternal<<16|subEnv }
func (v Value) IsPair() bool { return uint64(v)>>32 == tagInternal<<16|subPair }

// BothInt reports whether a and b are both int32.
func BothInt(a, b Value) bool { return a.tag() == tagInt && b.tag() == tagInt }

// AsInt, AsObj, AsStr, AsBlock and AsNumber take the payload without checking
// the tag.
func (v Value) AsInt() int32     { return int32(v) }
func (v Value) AsObj() Obj       { return Obj(v) }
func (v Value) AsStr() Str       { return Str(v) }
func (v Value) AsBlock() Block   { return Block(v) }
func (v Value) AsNumber() uint32 { return uint32(v) }

// AsDouble takes a double without checking the tag.
func (v Value) AsDouble() float64 { return math.Float64frombits(uint64(v)) }

// AsFloat returns the number in v, which must be an int32 or a double.
func (v Value) AsFloat() float64 {
	if v.tag() == tagInt {
		return float64(int32(v))
	}
	return math.Float64frombits(uint64(v))
}
