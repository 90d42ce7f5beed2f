package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupTypedArray makes %TypedArray%, its prototype and the twelve
// constructors (§23.2).
func setupTypedArray(b *vm.Builder) {
	p := b.Set(vm.TypedArrayPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := b.Set(vm.TypedArrayConstructor, b.Ctor("TypedArray", 0, abstractTypedArray, p, 0))
	b.Method(c, "from", 1, typedFrom)
	b.Method(c, "of", 0, typedOf)
	b.Getter(c, "@@species", returnThis, nil)

	b.Method(p, "at", 1, typedAt)
	b.Getter(p, "buffer", typedGetBuffer, nil)
	b.Getter(p, "byteLength", typedGetByteLength, nil)
	b.Getter(p, "byteOffset", typedGetByteOffset, nil)
	b.Method(p, "copyWithin", 2, typedCopyWithin)
	b.Method(p, "entries", 0, typedIterator("entries", kindEntries))
	b.Method(p, "every", 1, typedEvery)
	b.Method(p, "fill", 1, typedFill)
	b.Method(p, "filter", 1, typedFilter)
	b.Method(p, "find", 1, typedFind)
	b.Method(p, "findIndex", 1, typedFindIndex)
	b.Method(p, "findLast", 1, typedFindLast)
	b.Method(p, "findLastIndex", 1, typedFindLastIndex)
	b.Method(p, "forEach", 1, typedForEach)
	b.Method(p, "includes", 1, typedIncludes)
	b.Method(p, "indexOf", 1, typedIndexOf)
	b.Method(p, "join", 1, typedJoin)
	b.Method(p, "keys", 0, typedIterator("keys", kindKeys))
	b.Method(p, "lastIndexOf", 1, typedLastIndexOf)
	b.Getter(p, "length", typedGetLength, nil)
	pair, _, _ := b.H.GetNamed(p, b.N.Length.Name())
	getter, _ := b.H.Pair(pair)
	b.Set(vm.TypedArrayLengthGetter, getter.AsObj())
	b.Method(p, "map", 1, typedMap)
	b.Method(p, "reduce", 1, typedReduce)
	b.Method(p, "reduceRight", 1, typedReduceRight)
	b.Method(p, "reverse", 0, typedReverse)
	b.Method(p, "set", 1, typedSet)
	b.Method(p, "slice", 2, typedSlice)
	b.Method(p, "some", 1, typedSome)
	b.Method(p, "sort", 1, typedSort)
	b.Method(p, "subarray", 2, typedSubarray)
	b.Method(p, "toLocaleString", 0, typedToLocaleString)
	b.Method(p, "toReversed", 0, typedToReversed)
	b.Method(p, "toSorted", 1, typedToSorted)
	b.Prop(p, "toString", heap.ObjectValue(b.Intrinsic(vm.ArrayProtoToString)), heap.HiddenAttrs)
	values := b.Method(p, "values", 0, typedIterator("values", kindValues))
	b.Method(p, "with", 2, typedWith)
	b.Prop(p, "@@iterator", heap.ObjectValue(values), heap.HiddenAttrs)
	b.Getter(p, "@@toStringTag", typedTag, nil)

	for t := range vm.NumElemTypes { //meter: twelve
		tp := b.Set(vm.Int8ArrayPrototype+vm.Intrinsic(t), b.Object(p))
		tc := b.Set(vm.Int8ArrayConstructor+vm.Intrinsic(t), b.Ctor(t.String()+"Array", 3, typedConstructor(t), tp, c))
		size := heap.Int(int32(t.Size()))
		b.Const(tc, "BYTES_PER_ELEMENT", size)
		b.Const(tp, "BYTES_PER_ELEMENT", size)
		b.GlobalObj(t.String()+"Array", tc)
	}
	setupUint8Array(b, b.Intrinsic(vm.Uint8ArrayConstructor), b.Intrinsic(vm.Uint8ArrayPrototype))
}

func abstractTypedArray(m *vm.Machine, _ vm.Call) (vm.Value, error) {
	return vm.Undefined, m.TypeError("Abstract class TypedArray not directly constructable")
}

// typedProto is the intrinsic prototype for an element type.
func typedProto(m *vm.Machine, t vm.ElemType) vm.Obj {
	return m.Intrinsic(vm.Int8ArrayPrototype + vm.Intrinsic(t))
}

// typedBounds is the length of a typed array that is not out of bounds, or a
// TypeError.
func typedBounds(m *vm.Machine, o vm.Obj, what string) (int, error) {
	n, ok := m.TypedLength(o)
	if !ok {
		return 0, detachedError(m, what)
	}
	return n, nil
}

// thisTyped is ValidateTypedArray (§23.2.4.4) of the receiver.
func thisTyped(m *vm.Machine, c *vm.Call, method string) (vm.Obj, int, error) {
	if !m.IsTypedArray(c.This) {
		return 0, 0, m.TypeError("this is not a typed array.")
	}
	o := c.This.AsObj()
	n, ok := m.TypedLength(o)
	if !ok {
		return 0, 0, detachedError(m, "%TypedArray%.prototype."+method)
	}
	return o, n, nil
}

func typedReceiver(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	if !m.IsTypedArray(c.This) {
		return 0, m.TypeError("Receiver of get TypedArray.prototype.%s is not a typed array", method)
	}
	return c.This.AsObj(), nil
}

func typedGetBuffer(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := typedReceiver(m, &c, "buffer")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(m.ViewBuffer(o)), nil
}

func typedGetByteLength(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := typedReceiver(m, &c, "byteLength")
	if err != nil {
		return vm.Undefined, err
	}
	n, _ := m.TypedLength(o)
	return heap.Int(int32(n << m.TypedElem(o).Shift())), nil
}

func typedGetByteOffset(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := typedReceiver(m, &c, "byteOffset")
	if err != nil {
		return vm.Undefined, err
	}
	if _, ok := m.TypedLength(o); !ok {
		return heap.Int(0), nil
	}
	return heap.Int(int32(m.ViewOffset(o))), nil
}

func typedGetLength(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := typedReceiver(m, &c, "length")
	if err != nil {
		return vm.Undefined, err
	}
	n, _ := m.TypedLength(o)
	return heap.Int(int32(n)), nil
}

// thisTypedW is thisTyped for a method that writes to the array.
func thisTypedW(m *vm.Machine, c *vm.Call, method string) (vm.Obj, int, error) {
	if m.IsTypedArray(c.This) && m.IsImmutable(m.ViewBuffer(c.This.AsObj())) {
		return 0, 0, immutableError(m, "%TypedArray%.prototype."+method)
	}
	return thisTyped(m, c, method)
}

// typedTag is get %TypedArray%.prototype[@@toStringTag] (§23.2.3.38).
func typedTag(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsTypedArray(c.This) {
		return vm.Undefined, nil
	}
	return m.NewString(m.TypedElem(c.This.AsObj()).String() + "Array")
}

func typedIterator(method string, kind uint32) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, _, err := thisTyped(m, &c, method)
		if err != nil {
			return vm.Undefined, err
		}
		return newArrayIterator(m, o, kind), nil
	}
}

// typedOf is %TypedArray%.of (§23.2.2.2).
func typedOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsConstructor(c.This) {
		return vm.Undefined, m.TypeError("%s is not a constructor", m.Describe(c.This))
	}
	o, err := typedFromCtor(m, c.This, len(c.Args))
	if err != nil {
		return vm.Undefined, err
	}
	for i, v := range c.Args {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := m.TypedSet(o, float64(i), v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

// typedFrom is %TypedArray%.from (§23.2.2.1).
func typedFrom(m *vm.Machine, c vm.Call) (vm.Value, error) {
	source, mapFn, thisArg := c.Arg(0), c.Arg(1), c.Arg(2)
	if !m.IsConstructor(c.This) {
		return vm.Undefined, m.TypeError("%s is not a constructor", m.Describe(c.This))
	}
	if mapFn != vm.Undefined {
		if err := callable(m, mapFn); err != nil {
			return vm.Undefined, err
		}
	}
	if source.IsNullish() {
		return vm.Undefined, m.TypeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", m.CallSite(source))
	}
	using, err := m.GetMethod(source, m.N.SymIterator)
	if err != nil {
		return vm.Undefined, err
	}
	var src vm.Obj
	var n int64
	if using != vm.Undefined {
		if src, err = iterableToArray(m, source, using); err != nil {
			return vm.Undefined, err
		}
		n = int64(m.H.Obj(src).Length)
	} else {
		if src, err = m.ToObject(source); err != nil {
			return vm.Undefined, err
		}
		if n, err = m.LengthOf(src); err != nil {
			return vm.Undefined, err
		}
	}
	at := m.Root(heap.ObjectValue(src))
	defer m.PopRoots(at)
	if n > vm.MaxByteLength {
		return vm.Undefined, invalidTypedLength(m, float64(n))
	}
	o, err := typedFromCtor(m, c.This, int(n))
	if err != nil {
		return vm.Undefined, err
	}
	m.Root(heap.ObjectValue(o))
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
		if err := m.TypedSet(o, float64(i), v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

// iterableToArray is IteratorToList into a new plain array.
func iterableToArray(m *vm.Machine, source, using vm.Value) (vm.Obj, error) {
	list := m.NewArrayLen(0)
	at := m.Root(heap.ObjectValue(list))
	defer m.PopRoots(at)
	if using == heap.ObjectValue(m.Intrinsic(vm.ArrayProtoValues)) {
		if done, err := copyWholeArray(m, list, source); done || err != nil {
			return list, err
		}
	}
	it, err := m.IteratorFromMethod(source, using)
	if err != nil {
		return 0, err
	}
	m.Root(it.Obj)
	m.Root(it.Next)
	for {
		if err := m.Charge(1); err != nil {
			return 0, err
		}
		v, ok, err := m.StepRooted(&it)
		if err != nil || !ok {
			return list, err
		}
		if err := m.H.Push(list, v); err != nil {
			return 0, err
		}
	}
}
