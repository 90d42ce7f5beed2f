package vm

import (
	"math"
	"math/big"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
)

var negZero = math.Copysign(0, -1)

// ToBoolean is ToBoolean (§7.1.2).
func (m *Machine) ToBoolean(v Value) bool {
	switch {
	case v == heap.True:
		return true
	case v == heap.False, v == Undefined, v == Null:
		return false
	case v.IsInt():
		return v.AsInt() != 0
	case v.IsDouble():
		f := v.AsDouble()
		return f != 0 && f == f
	case v.IsString():
		return m.H.Len(v.AsStr()) != 0
	case v.IsBigInt():
		_, limbs := m.H.BigInt(v.AsStr())
		return len(limbs) != 0
	}
	return true
}

// Hint is the preferred type of ToPrimitive.
type Hint int

// The hints.
const (
	HintDefault Hint = iota
	HintString
	HintNumber
)

// ToPrimitive is ToPrimitive (§7.1.1).
func (m *Machine) ToPrimitive(v Value, hint Hint) (Value, error) { //meter: only for objects, which become primitives; what a script does on the way enters
	if !v.IsObject() {
		return v, nil
	}
	exotic, err := m.GetMethod(v, m.N.SymToPrimitive)
	if err != nil {
		return Undefined, err
	}
	if exotic != Undefined {
		name := m.N.StrDefault
		switch hint {
		case HintString:
			name = m.N.StrString
		case HintNumber:
			name = m.N.StrNumber
		}
		r, err := m.Call(exotic, v, heap.StringValue(name))
		if err != nil {
			return Undefined, err
		}
		if r.IsObject() {
			return Undefined, m.TypeError("Cannot convert object to primitive value")
		}
		return r, nil
	}
	first, second := m.N.ValueOf, m.N.ToString
	if hint == HintString {
		first, second = second, first
	}
	for _, k := range [2]Key{first, second} {
		f, err := m.Get(v.AsObj(), k)
		if err != nil {
			return Undefined, err
		}
		if m.IsCallable(f) {
			r, err := m.Call(f, v)
			if err != nil {
				return Undefined, err
			}
			if !r.IsObject() {
				return r, nil
			}
		}
	}
	return Undefined, m.TypeError("Cannot convert object to primitive value")
}

// ToNumeric is ToNumeric (§7.1.3): a number or a BigInt.
func (m *Machine) ToNumeric(v Value) (Value, error) {
	if v.IsNumber() {
		return v, nil
	}
	p, err := m.ToPrimitive(v, HintNumber)
	if err != nil {
		return Undefined, err
	}
	if p.IsBigInt() {
		return p, nil
	}
	return m.ToNumber(p)
}

// ToNumber is ToNumber (§7.1.4): a number value.
func (m *Machine) ToNumber(v Value) (Value, error) { //meter: once: ToPrimitive returns no object
	switch {
	case v.IsNumber():
		return v, nil
	case v == Undefined:
		return heap.NaN, nil
	case v == Null, v == heap.False:
		return heap.Int(0), nil
	case v == heap.True:
		return heap.Int(1), nil
	case v.IsString():
		f, err := m.StringToNumber(v.AsStr())
		return heap.Number(f), err
	case v.IsSymbol():
		return Undefined, m.TypeError("Cannot convert a Symbol value to a number")
	case v.IsBigInt():
		return Undefined, m.TypeError("Cannot convert a BigInt value to a number")
	}
	p, err := m.ToPrimitive(v, HintNumber)
	if err != nil {
		return Undefined, err
	}
	if p.IsObject() {
		return Undefined, m.TypeError("Cannot convert object to primitive value")
	}
	return m.ToNumber(p)
}

// ToFloat is ToNumber as a Go float.
func (m *Machine) ToFloat(v Value) (float64, error) {
	if v.IsNumber() {
		return v.AsFloat(), nil
	}
	n, err := m.ToNumber(v)
	if err != nil {
		return 0, err
	}
	return n.AsFloat(), nil
}

// StringToNumber is StringToNumber (§7.1.4.1.1).
func (m *Machine) StringToNumber(s Str) (float64, error) {
	b, u, err := m.H.Units16(s)
	if err != nil {
		return 0, err
	}
	if u != nil {
		return conv.StringToNumber(m.meter, u)
	}
	return conv.StringToNumber(m.meter, b)
}

// ToInteger is ToIntegerOrInfinity (§7.1.5).
func (m *Machine) ToInteger(v Value) (float64, error) {
	if v.IsInt() {
		return float64(v.AsInt()), nil
	}
	f, err := m.ToFloat(v)
	if err != nil {
		return 0, err
	}
	return conv.ToIntegerOrInfinity(f), nil
}

// ToInt32 is ToInt32 (§7.1.6).
func (m *Machine) ToInt32(v Value) (int32, error) {
	if v.IsInt() {
		return v.AsInt(), nil
	}
	f, err := m.ToFloat(v)
	return conv.ToInt32(f), err
}

// ToUint32 is ToUint32 (§7.1.7).
func (m *Machine) ToUint32(v Value) (uint32, error) {
	i, err := m.ToInt32(v)
	return uint32(i), err
}

// ToLength is ToLength (§7.1.20).
func (m *Machine) ToLength(v Value) (int64, error) {
	if v.IsInt() {
		return max(int64(v.AsInt()), 0), nil
	}
	f, err := m.ToFloat(v)
	return conv.ToLength(f), err
}

// ToIndex is ToIndex (§7.1.22).
func (m *Machine) ToIndex(v Value) (int64, error) {
	if v == Undefined {
		return 0, nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, err
	}
	if f < 0 || f > maxSafeInteger {
		return 0, m.RangeError("Invalid index")
	}
	return int64(f), nil
}

const maxSafeInteger = 1<<53 - 1

// LengthOf is LengthOfArrayLike (§7.3.18).
func (m *Machine) LengthOf(o Obj) (int64, error) {
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray {
		return int64(rec.Length), nil
	}
	v, err := m.Get(o, m.N.Length)
	if err != nil {
		return 0, err
	}
	return m.ToLength(v)
}

// ToString is ToString (§7.1.17).
func (m *Machine) ToString(v Value) (Str, error) { //meter: once: ToPrimitive returns no object
	switch {
	case v.IsString():
		return v.AsStr(), nil
	case v.IsNumber():
		return m.NumberToString(v)
	case v == Undefined:
		return m.N.StrUndefined, nil
	case v == Null:
		return m.N.StrNull, nil
	case v == heap.True:
		return m.N.StrTrue, nil
	case v == heap.False:
		return m.N.StrFalse, nil
	case v.IsSymbol():
		return 0, m.TypeError("Cannot convert a Symbol value to a string")
	case v.IsBigInt():
		return m.BigIntToString(v, 10)
	}
	p, err := m.ToPrimitive(v, HintString)
	if err != nil {
		return 0, err
	}
	if p.IsObject() {
		return 0, m.TypeError("Cannot convert object to primitive value")
	}
	return m.ToString(p)
}

// NumberToString is Number::toString with radix 10.
func (m *Machine) NumberToString(v Value) (Str, error) {
	if v.IsInt() && v.AsInt() >= 0 && v.AsInt() < 10 {
		return m.H.Char(uint16('0' + v.AsInt())), nil
	}
	var buf [32]byte
	return m.H.NewLatin1(conv.FormatNumber(buf[:0], v.AsFloat()))
}

// BigIntToString is BigInt::toString.
func (m *Machine) BigIntToString(v Value, radix int) (Str, error) {
	var z big.Int
	x, err := m.BigOf(v, &z)
	if err != nil {
		return 0, err
	}
	b, err := conv.FormatBigInt(m.meter, nil, x, radix)
	if err != nil {
		return 0, err
	}
	return m.H.NewLatin1(b)
}

// GoString is ToString as a Go string (WTF-8), for messages and the host.
func (m *Machine) GoString(v Value) (string, error) {
	s, err := m.ToString(v)
	if err != nil {
		return "", err
	}
	b, err := m.H.AppendString(nil, s)
	return string(b), err
}

// NewString makes a string value of WTF-8.
func (m *Machine) NewString(s string) (Value, error) {
	x, err := m.H.NewString(s)
	return heap.StringValue(x), err
}

// ToKey is ToPropertyKey (§7.1.19).
func (m *Machine) ToKey(v Value) (Key, error) { //meter: once: ToPrimitive returns no object
	switch {
	case v.IsInt() && v.AsInt() >= 0:
		return heap.IndexKey(uint32(v.AsInt())), nil
	case v.IsString():
		return m.H.KeyOf(v.AsStr())
	case v.IsSymbol():
		return heap.SymbolKey(v.AsStr()), nil
	case v.IsDouble():
		if f := v.AsDouble(); f >= 0 && f < math.MaxUint32 && f == math.Trunc(f) {
			return heap.IndexKey(uint32(f)), nil
		}
	case v.IsObject():
		p, err := m.ToPrimitive(v, HintString)
		if err != nil {
			return 0, err
		}
		if p.IsObject() {
			return 0, m.TypeError("Cannot convert object to primitive value")
		}
		return m.ToKey(p)
	}
	s, err := m.ToString(v)
	if err != nil {
		return 0, err
	}
	return m.H.KeyOf(s)
}

// KeyOfInt64 returns the key of a non-negative integer below 2**53.
func (m *Machine) KeyOfInt64(i int64) (Key, error) {
	if i < math.MaxUint32 {
		return heap.IndexKey(uint32(i)), nil
	}
	return m.ToKey(heap.Float(float64(i)))
}

// KeyValue returns a key as a value: a string or a symbol.
func (m *Machine) KeyValue(k Key) (Value, error) {
	switch {
	case k.IsIndex():
		s, err := m.NumberToString(heap.Int64(int64(k.Index())))
		return heap.StringValue(s), err
	case k.IsSymbol():
		return heap.SymbolValue(k.Name()), nil
	}
	return heap.StringValue(k.Name()), nil
}

// ToObject is ToObject (§7.1.18).
func (m *Machine) ToObject(v Value) (Obj, error) {
	if v.IsObject() {
		return v.AsObj(), nil
	}
	var class heap.Class
	var p Intrinsic
	switch {
	case v.IsString():
		class, p = heap.ClassString, StringPrototype
	case v.IsNumber():
		class, p = heap.ClassNumber, NumberPrototype
	case v.IsBool():
		class, p = heap.ClassBoolean, BooleanPrototype
	case v.IsSymbol():
		class, p = heap.ClassSymbol, SymbolPrototype
	case v.IsBigInt():
		class, p = heap.ClassBigInt, BigIntPrototype
	default:
		return 0, m.TypeError("Cannot convert undefined or null to object")
	}
	o := m.H.NewObject(m.H.RootShape(m.intrinsics[p]), class)
	w := m.H.ObjW(o)
	w.Data = v
	if class == heap.ClassString {
		w.Flags |= heap.Exotic
	}
	return o, nil
}

// IsCallable is IsCallable (§7.2.3).
func (m *Machine) IsCallable(v Value) bool {
	return v.IsObject() && m.H.Obj(v.AsObj()).Flags&heap.Callable != 0
}

// IsConstructor is IsConstructor (§7.2.4).
func (m *Machine) IsConstructor(v Value) bool {
	return v.IsObject() && m.H.Obj(v.AsObj()).Flags&heap.Constructor != 0
}

// IsArray is IsArray (§7.2.2).
func (m *Machine) IsArray(v Value) (bool, error) {
	for n := 0; v.IsObject(); n++ {
		rec := m.H.Obj(v.AsObj())
		if rec.Class != heap.ClassProxy {
			return rec.Class == heap.ClassArray, nil
		}
		target := m.H.Word(rec.Data.AsBlock(), 0)
		if target == Null {
			return false, m.TypeError("Cannot perform 'IsArray' on a proxy that has been revoked")
		}
		v = target
		if n%chainStep == chainStep-1 {
			if err := m.Charge(chainFuel); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// TypeOf is the typeof operator.
func (m *Machine) TypeOf(v Value) Str {
	switch {
	case v.IsString():
		return m.N.StrString
	case v.IsNumber():
		return m.N.StrNumber
	case v.IsBool():
		return m.N.StrBoolean
	case v == Undefined:
		return m.N.StrUndefined
	case v.IsSymbol():
		return m.N.StrSymbol
	case v.IsBigInt():
		return m.N.StrBigInt
	case v.IsObject():
		if f := m.H.Obj(v.AsObj()).Flags; f&heap.Callable != 0 {
			return m.N.StrFunction
		}
	}
	return m.N.StrObject
}
