package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupArray makes the Array constructor, Array.prototype (§23.1) and
// %ArrayIteratorPrototype% (§23.1.5).
func setupArray(b *vm.Builder) {
	proto := b.H.NewObject(b.H.RootShape(b.Intrinsic(vm.ObjectPrototype)), heap.ClassArray)
	b.Set(vm.ArrayPrototype, proto)
	ctor := b.Ctor("Array", 1, arrayConstructor, proto, 0)
	b.Set(vm.ArrayConstructor, ctor)
	b.Method(ctor, "from", 1, arrayFrom)
	b.Method(ctor, "isArray", 1, arrayIsArray)
	b.Method(ctor, "of", 0, arrayOf)
	b.Getter(ctor, "@@species", returnThis, nil)
	if v, _, ok := b.H.GetNamed(ctor, b.N.SymSpecies.Name()); ok {
		get, _ := b.H.Pair(v)
		b.Set(vm.ArraySpeciesGetter, get.AsObj())
	}

	b.Method(proto, "at", 1, arrayAt)
	b.Method(proto, "concat", 1, arrayConcat)
	b.Method(proto, "copyWithin", 2, arrayCopyWithin)
	b.Method(proto, "entries", 0, arrayEntries)
	b.Method(proto, "every", 1, arrayEvery)
	b.Method(proto, "fill", 1, arrayFill)
	b.Method(proto, "filter", 1, arrayFilter)
	b.Method(proto, "find", 1, arrayFind)
	b.Method(proto, "findIndex", 1, arrayFindIndex)
	b.Method(proto, "findLast", 1, arrayFindLast)
	b.Method(proto, "findLastIndex", 1, arrayFindLastIndex)
	b.Method(proto, "flat", 0, arrayFlat)
	b.Method(proto, "flatMap", 1, arrayFlatMap)
	b.Method(proto, "forEach", 1, arrayForEach)
	b.Method(proto, "includes", 1, arrayIncludes)
	b.Method(proto, "indexOf", 1, arrayIndexOf)
	b.Method(proto, "join", 1, arrayJoin)
	b.Method(proto, "keys", 0, arrayKeys)
	b.Method(proto, "lastIndexOf", 1, arrayLastIndexOf)
	b.Method(proto, "map", 1, arrayMap)
	b.Method(proto, "pop", 0, arrayPop)
	b.Method(proto, "push", 1, arrayPush)
	b.Method(proto, "reduce", 1, arrayReduce)
	b.Method(proto, "reduceRight", 1, arrayReduceRight)
	b.Method(proto, "reverse", 0, arrayReverse)
	b.Method(proto, "shift", 0, arrayShift)
	b.Method(proto, "slice", 2, arraySlice)
	b.Method(proto, "some", 1, arraySome)
	b.Method(proto, "sort", 1, arraySort)
	b.Method(proto, "splice", 2, arraySplice)
	b.Method(proto, "toLocaleString", 0, arrayToLocaleString)
	b.Method(proto, "toReversed", 0, arrayToReversed)
	b.Method(proto, "toSorted", 1, arrayToSorted)
	b.Method(proto, "toSpliced", 2, arrayToSpliced)
	if v, _, ok := b.H.GetNamed(b.Intrinsic(vm.ObjectPrototype), b.N.ToString.Name()); ok && v.IsObject() {
		b.Set(vm.ObjectProtoToString, v.AsObj())
	}
	b.Set(vm.ArrayProtoToString, b.Method(proto, "toString", 0, arrayToString))
	b.Method(proto, "unshift", 1, arrayUnshift)
	values := b.Set(vm.ArrayProtoValues, b.Method(proto, "values", 0, arrayValues))
	b.Method(proto, "with", 2, arrayWith)
	b.Prop(proto, "@@iterator", heap.ObjectValue(values), heap.HiddenAttrs)

	unscopables := b.Object(0)
	for _, name := range []string{
		"at", "copyWithin", "entries", "fill", "find", "findIndex", "findLast", "findLastIndex", "flat", "flatMap",
		"includes", "keys", "toReversed", "toSorted", "toSpliced", "values",
	} {
		b.Prop(unscopables, name, vm.True, heap.DefaultAttrs)
	}
	b.Prop(proto, "@@unscopables", heap.ObjectValue(unscopables), heap.Configurable)
	b.GlobalObj("Array", ctor)

	ip := b.Set(vm.ArrayIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.MarkStep(b.Set(vm.ArrayIteratorNext, b.Method(ip, "next", 0, arrayIteratorNext)))
	b.Tag(ip, "Array Iterator")
}

// returnThis is the getter of @@species and the method @@iterator of
// iterators.
func returnThis(_ *vm.Machine, c vm.Call) (vm.Value, error) { return c.This, nil }

// arrayConstructor is Array(…values) (§23.1.1.1).
func arrayConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	proto := m.Intrinsic(vm.ArrayPrototype)
	if c.NewTarget != vm.Undefined && c.NewTarget != heap.ObjectValue(c.Callee) {
		var err error
		if proto, err = m.PrototypeFromConstructor(c.NewTarget, vm.ArrayPrototype); err != nil {
			return vm.Undefined, err
		}
	}
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassArray)
	if len(c.Args) == 1 {
		if v := c.Args[0]; v.IsNumber() {
			f := v.AsFloat()
			n := uint32(int64(f))
			if f < 0 || f > maxArrayLength || float64(n) != f {
				return vm.Undefined, m.RangeError("Invalid array length")
			}
			m.H.ObjW(o).Length = n
			return heap.ObjectValue(o), nil
		}
	}
	if err := appendValues(m, o, c.Args); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), nil
}

// appendValues adds values to the end of a plain array whose elements are all
// initialised.
func appendValues(m *vm.Machine, o vm.Obj, vals []vm.Value) error {
	if len(vals) == 0 {
		return nil
	}
	if err := m.Charge(len(vals) / 4); err != nil {
		return err
	}
	n := int(m.H.Obj(o).ElemLen)
	if err := m.H.EnsureElems(o, n+len(vals)); err != nil {
		return err
	}
	w := m.H.ObjW(o)
	copy(m.H.ValuesW(w.Elems)[n:], vals)
	w.ElemLen += uint32(len(vals))
	w.Length = w.ElemLen
	return nil
}

// arrayIsArray is Array.isArray (§23.1.2.2).
func arrayIsArray(m *vm.Machine, c vm.Call) (vm.Value, error) {
	ok, err := m.IsArray(c.Arg(0))
	return heap.Bool(ok), err
}

// arrayOf is Array.of (§23.1.2.3).
func arrayOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	n := int64(len(c.Args))
	if c.This == heap.ObjectValue(m.Intrinsic(vm.ArrayConstructor)) || !m.IsConstructor(c.This) {
		o := m.NewArrayLen(0)
		return heap.ObjectValue(o), appendValues(m, o, c.Args)
	}
	v, err := m.Construct(c.This, c.This, heap.Int64(n))
	if err != nil {
		return vm.Undefined, err
	}
	o := v.AsObj()
	for i, x := range c.Args {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := createAt(m, o, int64(i), x); err != nil {
			return vm.Undefined, err
		}
	}
	return v, putLength(m, o, n)
}

// arrayFrom is Array.from (§23.1.2.1).
func arrayFrom(m *vm.Machine, c vm.Call) (vm.Value, error) {
	items, mapFn, thisArg := c.Arg(0), c.Arg(1), c.Arg(2)
	if mapFn != vm.Undefined {
		if err := callable(m, mapFn); err != nil {
			return vm.Undefined, err
		}
	}
	if items.IsNullish() {
		return vm.Undefined, m.TypeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", m.CallSite(items))
	}
	using, err := m.GetV(items, m.N.SymIterator)
	if err != nil {
		return vm.Undefined, err
	}
	switch {
	case using.IsNullish():
		using = vm.Undefined
	case !m.IsCallable(using):
		return vm.Undefined, m.TypeError("%Array%.from requires that the property of the first argument, items[Symbol.iterator], when exists, be a function")
	}
	plain := c.This == heap.ObjectValue(m.Intrinsic(vm.ArrayConstructor)) || !m.IsConstructor(c.This)
	if using != vm.Undefined {
		return arrayFromIterable(m, &c, items, using, plain)
	}
	src, err := m.ToObject(items)
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(heap.ObjectValue(src))
	defer m.PopRoots(at)
	n, err := m.LengthOf(src)
	if err != nil {
		return vm.Undefined, err
	}
	var dst vm.Obj
	if plain {
		if dst, err = arrayCreate(m, n); err != nil {
			return vm.Undefined, err
		}
	} else {
		v, err := m.Construct(c.This, c.This, heap.Int64(n))
		if err != nil {
			return vm.Undefined, err
		}
		dst = v.AsObj()
	}
	m.Root(heap.ObjectValue(dst))
	for i := int64(0); i < n; i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, err := getAt(m, src, i)
		if err != nil {
			return vm.Undefined, err
		}
		if mapFn != vm.Undefined {
			if v, err = m.CallRooted(mapFn, thisArg, v, heap.Int64(i)); err != nil {
				return vm.Undefined, err
			}
		}
		if err := createAt(m, dst, i, v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(dst), putLength(m, dst, n)
}

func arrayFromIterable(m *vm.Machine, c *vm.Call, items, using vm.Value, plain bool) (vm.Value, error) {
	mapFn, thisArg := c.Arg(1), c.Arg(2)
	var dst vm.Obj
	if plain {
		dst = m.NewArrayLen(0)
	} else {
		v, err := m.Construct(c.This, c.This)
		if err != nil {
			return vm.Undefined, err
		}
		dst = v.AsObj()
	}
	at := m.Root(heap.ObjectValue(dst))
	defer m.PopRoots(at)
	if plain && mapFn == vm.Undefined && using == heap.ObjectValue(m.Intrinsic(vm.ArrayProtoValues)) {
		if done, err := copyWholeArray(m, dst, items); done || err != nil {
			return heap.ObjectValue(dst), err
		}
	}
	it, err := m.IteratorFromMethod(items, using)
	if err != nil {
		return vm.Undefined, err
	}
	m.Root(it.Obj)
	m.Root(it.Next)
	for k := int64(0); ; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, ok, err := m.StepRooted(&it)
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			return heap.ObjectValue(dst), putLength(m, dst, k)
		}
		if mapFn != vm.Undefined {
			if v, err = m.CallRooted(mapFn, thisArg, v, heap.Int64(k)); err != nil {
				return vm.Undefined, m.CloseIterator(&it, err)
			}
		}
		if err := createAt(m, dst, k, v); err != nil {
			return vm.Undefined, m.CloseIterator(&it, err)
		}
	}
}

// copyWholeArray appends the elements of an array whose iteration is the
// original one. It reports whether it did.
func copyWholeArray(m *vm.Machine, dst vm.Obj, src vm.Value) (bool, error) {
	if !src.IsObject() || !wholeArray(m, src.AsObj()) || !m.ArrayIterationIntact() {
		return false, nil
	}
	if err := appendValues(m, dst, m.H.Elems(src.AsObj())); err != nil {
		return false, err
	}
	return true, fillHoles(m, dst, 0)
}

// fillHoles turns the holes of a plain array from element i on into undefined.
func fillHoles(m *vm.Machine, o vm.Obj, i int) error {
	w := m.H.ElemsW(o)
	for ; i < len(w); i += chunk {
		end := min(i+chunk, len(w))
		if err := m.Charge(chunk / 16); err != nil {
			return err
		}
		for k := i; k < end; k++ { //meter: charged by chunk
			if w[k] == vm.Empty {
				w[k] = vm.Undefined
			}
		}
	}
	return nil
}

// Array iterators are of ClassIterator; Length and Data are as
// vm.NewArrayIterator says: the kind, and a block of these.
const (
	arrayIterObject = iota
	arrayIterIndex
	arrayIterSize
)

// Kinds of array, Map and Set iterators.
const (
	kindKeys    = vm.ArrayIterKeys
	kindValues  = vm.ArrayIterValues
	kindEntries = vm.ArrayIterEntries
)

// newArrayIterator is CreateArrayIterator (§23.1.5.1).
func newArrayIterator(m *vm.Machine, o vm.Obj, kind uint32) vm.Value {
	b := m.H.NewSmallValues(arrayIterSize)
	w := m.H.ValuesW(b)
	w[arrayIterObject], w[arrayIterIndex] = heap.ObjectValue(o), heap.Int(0)
	return newIteratorObject(m, vm.ArrayIteratorPrototype, kind, b)
}

func arrayKeys(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "keys")
	if err != nil {
		return vm.Undefined, err
	}
	return newArrayIterator(m, o, kindKeys), nil
}

func arrayValues(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "values")
	if err != nil {
		return vm.Undefined, err
	}
	return newArrayIterator(m, o, kindValues), nil
}

func arrayEntries(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "entries")
	if err != nil {
		return vm.Undefined, err
	}
	return newArrayIterator(m, o, kindEntries), nil
}

// arrayIteratorNext is %ArrayIteratorPrototype%.next (§23.1.5.2.1).
func arrayIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !isArrayIterator(m, c.This) {
		return vm.Undefined, m.TypeError("Method Array Iterator.prototype.next called on incompatible receiver %s", m.Describe(c.This))
	}
	rec := m.H.Obj(c.This.AsObj())
	b, kind := rec.Data.AsBlock(), rec.Length
	a := m.H.Word(b, arrayIterObject)
	if !a.IsObject() {
		return m.StepResult(&c, vm.Undefined, true), nil
	}
	o := a.AsObj()
	i := int64(m.H.Word(b, arrayIterIndex).AsFloat())
	n, err := iteratedLength(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	if i >= n {
		m.H.SetWord(b, arrayIterObject, vm.Undefined)
		return m.StepResult(&c, vm.Undefined, true), nil
	}
	m.H.SetWord(b, arrayIterIndex, heap.Int64(i+1))
	if kind == kindKeys {
		return m.StepResult(&c, heap.Int64(i), false), nil
	}
	v, err := getAt(m, o, i)
	if err != nil {
		return vm.Undefined, err
	}
	if kind == kindEntries {
		pair, err := m.NewArray([]vm.Value{heap.Int64(i), v})
		if err != nil {
			return vm.Undefined, err
		}
		v = heap.ObjectValue(pair)
	}
	return m.StepResult(&c, v, false), nil
}

func isArrayIterator(m *vm.Machine, v vm.Value) bool {
	if !v.IsObject() {
		return false
	}
	rec := m.H.Obj(v.AsObj())
	return rec.Class == heap.ClassIterator && rec.Length <= vm.ArrayIterEntries
}

// iteratedLength is the length that an array iterator sees.
func iteratedLength(m *vm.Machine, o vm.Obj) (int64, error) {
	if m.H.Obj(o).Class == heap.ClassTypedArray {
		n, ok := m.TypedLength(o)
		if !ok {
			return 0, m.TypeError("Cannot perform %%ArrayIteratorPrototype%%.next on a detached ArrayBuffer")
		}
		return int64(n), nil
	}
	return m.LengthOf(o)
}
