package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// maxLength is 2**53 - 1, the largest length of an array-like.
const maxLength = 1<<53 - 1

// maxArrayLength is the largest length of an array.
const maxArrayLength = math.MaxUint32

// notPlain are the flags of arrays whose elements can't be written without
// asking the object model.
const notPlain = heap.Sparse | heap.NonExtensible | heap.ElemsSealed | heap.ElemsFrozen | heap.LengthReadOnly | heap.IsProto | heap.Exotic

// bareChain reports whether no prototype of o has indexed properties, so that
// a hole of o reads as undefined and nothing intercepts a write.
func bareChain(m *vm.Machine, o vm.Obj) bool {
	for range 8 {
		if o = m.H.Proto(o); o == 0 {
			return true
		}
		if rec := m.H.Obj(o); rec.ElemLen != 0 || rec.Flags&(heap.Sparse|heap.Exotic) != 0 {
			return false
		}
	}
	return false
}

// plainArray reports whether o is an array with dense elements that may be
// read and written in place, with holes that read as undefined.
func plainArray(m *vm.Machine, o vm.Obj) bool {
	rec := m.H.Obj(o)
	return rec.Class == heap.ClassArray && rec.Flags&notPlain == 0 && bareChain(m, o)
}

// readableArray is plainArray for reading only.
func readableArray(m *vm.Machine, o vm.Obj) bool {
	rec := m.H.Obj(o)
	return rec.Class == heap.ClassArray && rec.Flags&heap.Sparse == 0 && bareChain(m, o)
}

// wholeArray is readableArray for an array whose elements are all initialised:
// m.H.Elems(o) has its length.
func wholeArray(m *vm.Machine, o vm.Obj) bool {
	rec := m.H.Obj(o)
	return rec.ElemLen == rec.Length && readableArray(m, o)
}

// indexKey is the key of an index below 2**53. Beyond the array indices it is an
// interned string, which costs more than the step that the caller charges.
func indexKey(m *vm.Machine, i int64) (vm.Key, error) {
	if i < maxArrayLength {
		return heap.IndexKey(uint32(i)), nil
	}
	if err := m.Charge(15); err != nil {
		return 0, err
	}
	return m.KeyOfInt64(i)
}

// getAt is Get(o, i).
func getAt(m *vm.Machine, o vm.Obj, i int64) (vm.Value, error) {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassArray && rec.Flags&heap.Sparse == 0 && i < int64(rec.ElemLen) {
		if v := m.H.Word(rec.Elems, int(i)); v != vm.Empty {
			return v, nil
		}
	}
	k, err := indexKey(m, i)
	if err != nil {
		return vm.Undefined, err
	}
	return m.Get(o, k)
}

// presentAt is HasProperty(o, i) followed by Get(o, i) if there is one.
func presentAt(m *vm.Machine, o vm.Obj, i int64) (vm.Value, bool, error) {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassArray && rec.Flags&heap.Sparse == 0 && i < int64(rec.ElemLen) {
		if v := m.H.Word(rec.Elems, int(i)); v != vm.Empty {
			return v, true, nil
		}
	}
	k, err := indexKey(m, i)
	if err != nil {
		return vm.Undefined, false, err
	}
	ok, err := m.HasProperty(o, k)
	if err != nil || !ok {
		return vm.Undefined, false, err
	}
	v, err := m.Get(o, k)
	return v, err == nil, err
}

// hasAt is HasProperty(o, i).
func hasAt(m *vm.Machine, o vm.Obj, i int64) (bool, error) {
	k, err := indexKey(m, i)
	if err != nil {
		return false, err
	}
	return m.HasProperty(o, k)
}

// putAt is Set(o, i, v, true).
func putAt(m *vm.Machine, o vm.Obj, i int64, v vm.Value) error {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassArray && rec.Flags&notPlain == 0 && i < int64(rec.ElemLen) && m.H.Word(rec.Elems, int(i)) != vm.Empty {
		m.H.SetWord(rec.Elems, int(i), v)
		return nil
	}
	k, err := indexKey(m, i)
	if err != nil {
		return err
	}
	return m.Put(o, k, v)
}

// createAt is CreateDataPropertyOrThrow(o, i, v).
func createAt(m *vm.Machine, o vm.Obj, i int64, v vm.Value) error {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassArray && rec.Flags&notPlain == 0 && i <= int64(rec.ElemLen) && i < maxArrayLength {
		if i < int64(rec.ElemLen) {
			m.H.SetWord(rec.Elems, int(i), v)
			return nil
		}
		if rec.Elems == 0 || int(i) >= m.H.BlockSize(rec.Elems) {
			if err := m.H.EnsureElems(o, int(i)+1); err != nil {
				return err
			}
		}
		w := m.H.ObjW(o)
		m.H.SetWord(w.Elems, int(i), v)
		w.ElemLen++
		w.Length = max(w.Length, w.ElemLen)
		return nil
	}
	k, err := indexKey(m, i)
	if err != nil {
		return err
	}
	return m.CreateDataOrThrow(o, k, v)
}

// deleteAt is DeletePropertyOrThrow(o, i).
func deleteAt(m *vm.Machine, o vm.Obj, i int64) error {
	k, err := indexKey(m, i)
	if err != nil {
		return err
	}
	return m.DeleteOrThrow(o, k)
}

// putLength is Set(o, "length", n, true).
func putLength(m *vm.Machine, o vm.Obj, n int64) error {
	return m.Put(o, m.N.Length, heap.Int64(n))
}

// moveAt is the step that shifts array-likes: the property at from is set at
// to, or deleted there when there is none.
func moveAt(m *vm.Machine, o vm.Obj, from, to int64) error {
	v, ok, err := presentAt(m, o, from)
	if err != nil {
		return err
	}
	if ok {
		return putAt(m, o, to, v)
	}
	return deleteAt(m, o, to)
}

// arrayCreate is ArrayCreate(n) (§10.4.2.2).
func arrayCreate(m *vm.Machine, n int64) (vm.Obj, error) {
	if n > maxArrayLength {
		return 0, m.RangeError("Invalid array length")
	}
	return m.NewArrayLen(uint32(n)), nil
}

// thisArray is ToObject(this) and LengthOfArrayLike for a method of
// Array.prototype.
func thisArray(m *vm.Machine, c *vm.Call, method string) (vm.Obj, int64, error) {
	o, err := thisObject(m, c, method)
	if err != nil {
		return 0, 0, err
	}
	n, err := m.LengthOf(o)
	return o, n, err
}

func thisObject(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	if c.This.IsObject() {
		return c.This.AsObj(), nil
	}
	if c.This.IsNullish() {
		switch method {
		case "concat", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "forEach", "indexOf", "map",
			"reduce", "reduceRight", "some":
			return 0, m.TypeError("Array.prototype.%s called on null or undefined", method)
		}
		return 0, m.TypeError("Cannot convert undefined or null to object")
	}
	return m.ToObject(c.This)
}

// relativeIndex is the usual treatment of a start or end argument: an integer,
// from the end when it is negative, clamped to 0..n; def when it is undefined.
func relativeIndex(m *vm.Machine, v vm.Value, n, def int64) (int64, error) {
	if v == vm.Undefined {
		return def, nil
	}
	f, err := m.ToInteger(v)
	if err != nil {
		return 0, err
	}
	if f < 0 {
		return int64(math.Max(f+float64(n), 0)), nil
	}
	return int64(math.Min(f, float64(n))), nil
}

// plainSpecies reports whether ArraySpeciesCreate for o makes a plain array:
// o's constructor is the original Array with the original @@species.
func plainSpecies(m *vm.Machine, o vm.Obj) bool {
	ap := m.Intrinsic(vm.ArrayPrototype)
	if m.H.Proto(o) != ap {
		return false
	}
	if m.H.NumNamed(o) != 0 {
		if _, _, own := m.H.GetNamed(o, m.N.Constructor.Name()); own {
			return false
		}
	}
	ctor := m.Intrinsic(vm.ArrayConstructor)
	if v, _, _ := m.H.GetNamed(ap, m.N.Constructor.Name()); v != heap.ObjectValue(ctor) {
		return false
	}
	v, a, _ := m.H.GetNamed(ctor, m.N.SymSpecies.Name())
	if a&heap.Accessor == 0 {
		return false
	}
	get, _ := m.H.Pair(v)
	return get == heap.ObjectValue(m.Intrinsic(vm.ArraySpeciesGetter))
}

// arraySpeciesCreate is ArraySpeciesCreate (§23.1.3.1.1).
func arraySpeciesCreate(m *vm.Machine, o vm.Obj, n int64) (vm.Obj, error) {
	rec := m.H.Obj(o)
	if rec.Class != heap.ClassProxy && rec.Class != heap.ClassArray || rec.Class == heap.ClassArray && plainSpecies(m, o) {
		return arrayCreate(m, n)
	}
	is, err := m.IsArray(heap.ObjectValue(o))
	if err != nil {
		return 0, err
	}
	if !is {
		return arrayCreate(m, n)
	}
	ctor, err := m.Get(o, m.N.Constructor)
	if err != nil {
		return 0, err
	}
	if m.IsConstructor(ctor) {
		foreign, err := m.IsForeign(ctor.AsObj(), vm.ArrayConstructor)
		if err != nil {
			return 0, err
		}
		if foreign {
			ctor = vm.Undefined
		}
	}
	if ctor.IsObject() {
		if ctor, err = m.Get(ctor.AsObj(), m.N.SymSpecies); err != nil {
			return 0, err
		}
		if ctor == vm.Null {
			ctor = vm.Undefined
		}
	}
	if ctor == vm.Undefined {
		return arrayCreate(m, n)
	}
	if !m.IsConstructor(ctor) {
		return 0, m.TypeError("object.constructor[Symbol.species] is not a constructor")
	}
	v, err := m.Construct(ctor, ctor, heap.Int64(n))
	return v.AsObj(), err
}

// callable checks the callback argument of a method.
func callable(m *vm.Machine, f vm.Value) error {
	if m.IsCallable(f) {
		return nil
	}
	return m.TypeError("%s is not a function", m.Describe(f))
}

// chunk is how many elements a scan looks at between two charges.
const chunk = 2048
