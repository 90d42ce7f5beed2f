package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Objects of ClassIterator have one of these as Length, or an array iterator's
// kind. It says whose Data layout they have.
const (
	iterMap uint32 = iota + vm.IterAsyncFromSync + 1
	iterSet
	iterHelper
	iterWrap
	iterString
	iterRegExpString
	iterSegment
	iterSearchParams
)

// newIteratorObject makes a built-in iterator whose Data is block b.
func newIteratorObject(m *vm.Machine, proto vm.Intrinsic, which uint32, b heap.Block) vm.Value {
	o := m.H.NewObject(m.H.RootShape(m.Intrinsic(proto)), heap.ClassIterator)
	w := m.H.ObjW(o)
	w.Length = which
	w.Data = heap.ValuesValue(b)
	return heap.ObjectValue(o)
}

// iteratorBlock returns the Data of a built-in iterator of the given sort.
func iteratorBlock(m *vm.Machine, v vm.Value, which uint32) (heap.Block, bool) {
	if !v.IsObject() {
		return 0, false
	}
	rec := m.H.Obj(v.AsObj())
	if rec.Class != heap.ClassIterator || rec.Length != which {
		return 0, false
	}
	return rec.Data.AsBlock(), true
}

// setupIteratorPrototype makes %IteratorPrototype%, which other setups need as
// a parent.
func setupIteratorPrototype(b *vm.Builder) {
	b.Set(vm.IteratorPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
}

// setupIterator fills %IteratorPrototype% and makes the Iterator constructor,
// iterator helpers (§27.1) and %AsyncIteratorPrototype%.
func setupIterator(b *vm.Builder) {
	if b.Intrinsic(vm.IteratorPrototype) == 0 {
		setupIteratorPrototype(b)
	}
	proto := b.Intrinsic(vm.IteratorPrototype)
	ctor := b.Ctor("Iterator", 0, iteratorConstructor, 0, 0)
	b.Const(ctor, "prototype", heap.ObjectValue(proto))
	b.Set(vm.IteratorConstructor, ctor)
	b.Method(ctor, "concat", 0, iteratorConcat)
	b.Method(ctor, "from", 1, iteratorFrom)
	b.Method(ctor, "zip", 1, iteratorZip)
	b.Method(ctor, "zipKeyed", 1, iteratorZipKeyed)

	b.Getter(proto, "constructor",
		func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			return heap.ObjectValue(m.Intrinsic(vm.IteratorConstructor)), nil
		},
		func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			return vm.Undefined, setterThatIgnoresPrototype(m, &c, m.N.Constructor)
		})
	b.Method(proto, "chunks", 1, iteratorChunks)
	b.Method(proto, "drop", 1, iteratorDrop)
	b.Method(proto, "every", 1, iteratorEvery)
	b.Method(proto, "filter", 1, iteratorFilter)
	b.Method(proto, "find", 1, iteratorFind)
	b.Method(proto, "flatMap", 1, iteratorFlatMap)
	b.Method(proto, "forEach", 1, iteratorForEach)
	b.Method(proto, "includes", 1, iteratorIncludes)
	b.Method(proto, "join", 1, iteratorJoin)
	b.Method(proto, "map", 1, iteratorMap)
	b.Method(proto, "reduce", 1, iteratorReduce)
	b.Method(proto, "some", 1, iteratorSome)
	b.Method(proto, "take", 1, iteratorTake)
	b.Method(proto, "toArray", 0, iteratorToArray)
	b.Method(proto, "windows", 1, iteratorWindows)
	b.Method(proto, "@@iterator", 0, returnThis)
	b.Method(proto, "@@dispose", 0, iteratorDispose)
	tag := b.String("Iterator")
	b.Getter(proto, "@@toStringTag",
		func(*vm.Machine, vm.Call) (vm.Value, error) { return tag, nil },
		func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			return vm.Undefined, setterThatIgnoresPrototype(m, &c, m.N.SymToStringTag)
		})
	b.GlobalObj("Iterator", ctor)

	helper := b.Set(vm.IteratorHelperPrototype, b.Object(proto))
	b.MarkStep(b.Method(helper, "next", 0, helperNext))
	b.Method(helper, "return", 0, helperReturn)
	b.Tag(helper, "Iterator Helper")

	wrap := b.Set(vm.WrapForValidIteratorPrototype, b.Object(proto))
	b.Method(wrap, "next", 0, wrapNext)
	b.Method(wrap, "return", 0, wrapReturn)

	async := b.Set(vm.AsyncIteratorPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.Method(async, "@@asyncIterator", 0, returnThis)
	b.Method(async, "@@asyncDispose", 0, asyncIteratorDispose)
	b.Set(vm.AsyncDisposeReturned, b.Func("", 1, func(*vm.Machine, vm.Call) (vm.Value, error) { return vm.Undefined, nil }))
}

// iteratorConstructor is Iterator() (§27.1.3.1.1): abstract.
func iteratorConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Constructor Iterator requires 'new'")
	}
	if c.NewTarget == heap.ObjectValue(c.Callee) {
		return vm.Undefined, m.TypeError("Abstract class Iterator not directly constructable")
	}
	o, err := m.NewFrom(c.NewTarget, vm.IteratorPrototype, heap.ClassObject)
	return heap.ObjectValue(o), err
}

// setterThatIgnoresPrototype is SetterThatIgnoresPrototypeProperties
// (§7.3.32) with %Iterator.prototype% as home.
func setterThatIgnoresPrototype(m *vm.Machine, c *vm.Call, key vm.Key) error {
	if !c.This.IsObject() {
		return m.TypeError("%s is not an object", m.Describe(c.This))
	}
	o := c.This.AsObj()
	if o == m.Intrinsic(vm.IteratorPrototype) {
		return m.TypeError("Cannot assign to read only property '%s' of object '[object Object]'", m.KeyString(key))
	}
	_, has, err := m.GetOwnProperty(o, key)
	if err != nil {
		return err
	}
	if !has {
		return m.CreateDataOrThrow(o, key, c.Arg(0))
	}
	return m.Put(o, key, c.Arg(0))
}

// iteratorDispose is %IteratorPrototype%[@@dispose] (§27.1.2.1).
func iteratorDispose(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, err := m.GetMethod(c.This, m.N.Return)
	if err != nil || f == vm.Undefined {
		return vm.Undefined, err
	}
	_, err = m.Call(f, c.This)
	return vm.Undefined, err
}

// asyncIteratorDispose is %AsyncIteratorPrototype%[@@asyncDispose]
// (§27.1.3.1).
func asyncIteratorDispose(m *vm.Machine, c vm.Call) (vm.Value, error) {
	ctor := heap.ObjectValue(m.Intrinsic(vm.PromiseConstructor))
	pc, err := m.NewCapability(ctor)
	if err != nil {
		return vm.Undefined, err
	}
	done := func(err error) (vm.Value, error) {
		if err == nil {
			return pc.Promise, nil
		}
		exc, ok := m.Caught(err)
		if !ok {
			return vm.Undefined, err
		}
		return pc.Promise, m.RejectCapability(pc, exc)
	}
	f, err := m.GetMethod(c.This, m.N.Return)
	if err != nil {
		return done(err)
	}
	if f == vm.Undefined {
		return pc.Promise, m.ResolveCapability(pc, vm.Undefined)
	}
	r, err := m.Call(f, c.This)
	if err != nil {
		return done(err)
	}
	p, err := m.PromiseResolve(ctor, r)
	if err != nil {
		return done(err)
	}
	unwrap := heap.ObjectValue(m.Intrinsic(vm.AsyncDisposeReturned))
	return pc.Promise, m.PerformThen(p.AsObj(), unwrap, vm.Undefined, pc)
}

// flattenable is GetIteratorFlattenable (§7.4.5); strings says whether string
// primitives are iterated.
func flattenable(m *vm.Machine, v vm.Value, strings bool, who string) (vm.Iterator, error) {
	if !v.IsObject() && !(strings && v.IsString()) {
		return vm.Iterator{}, m.TypeError("%s called on non-object", who)
	}
	f, err := m.GetMethod(v, m.N.SymIterator)
	if err != nil {
		return vm.Iterator{}, err
	}
	it := v
	if f != vm.Undefined {
		if it, err = m.Call(f, v); err != nil {
			return vm.Iterator{}, err
		}
	}
	if !it.IsObject() {
		return vm.Iterator{}, m.TypeError("%s is not an object", m.Describe(it))
	}
	return m.IteratorDirect(it)
}

// A %WrapForValidIteratorPrototype% object is of ClassIterator with Length
// iterWrap; its Data is a block of the iterator and its next method.

// iteratorFrom is Iterator.from (§27.1.3.2.1).
func iteratorFrom(m *vm.Machine, c vm.Call) (vm.Value, error) {
	it, err := flattenable(m, c.Arg(0), true, "Iterator.from")
	if err != nil {
		return vm.Undefined, err
	}
	is, err := m.OrdinaryHasInstance(heap.ObjectValue(m.Intrinsic(vm.IteratorConstructor)), it.Obj)
	if err != nil || is {
		return it.Obj, err
	}
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = it.Obj, it.Next
	return newIteratorObject(m, vm.WrapForValidIteratorPrototype, iterWrap, b), nil
}

func wrapNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterWrap)
	if !ok {
		return vm.Undefined, m.TypeError("Method %%WrapForValidIteratorPrototype%%.next called on incompatible receiver %s", m.Describe(c.This))
	}
	return m.CallRooted(m.H.Word(b, 1), m.H.Word(b, 0))
}

func wrapReturn(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterWrap)
	if !ok {
		return vm.Undefined, m.TypeError("Method %%WrapForValidIteratorPrototype%%.return called on incompatible receiver %s", m.Describe(c.This))
	}
	it := m.H.Word(b, 0)
	f, err := m.GetMethod(it, m.N.Return)
	if err != nil {
		return vm.Undefined, err
	}
	if f == vm.Undefined {
		return m.IterResult(vm.Undefined, true), nil
	}
	return m.CallRooted(f, it)
}

// thisIterator reads this of an iterator method; check is the error of its
// arguments, made once this is known to be an object: it closes the iterator.
func thisIterator(m *vm.Machine, c *vm.Call, method string, check func() error) (vm.Iterator, error) {
	if !c.This.IsObject() {
		return vm.Iterator{}, m.TypeError("Iterator.prototype.%s called on non-object", method)
	}
	if check != nil {
		if err := check(); err != nil {
			it := vm.Iterator{Obj: c.This, Next: vm.Undefined}
			return vm.Iterator{}, m.CloseIterator(&it, err)
		}
	}
	return m.IteratorDirect(c.This)
}

// consume is what the methods that run an iterator to its end share: each
// value is passed to f until it stops or fails, both of which close the
// iterator. f may call script through m.CallRooted.
func consume(m *vm.Machine, c *vm.Call, method string, f func(v vm.Value, k int64) (stop bool, err error)) error {
	it, err := thisIterator(m, c, method, func() error { return callable(m, c.Arg(0)) })
	if err != nil {
		return err
	}
	return consumeFrom(m, &it, f)
}

func consumeFrom(m *vm.Machine, it *vm.Iterator, f func(v vm.Value, k int64) (stop bool, err error)) error {
	at := m.Root(it.Obj)
	defer m.PopRoots(at)
	m.Root(it.Next)
	for k := int64(0); ; k++ {
		if err := m.Charge(1); err != nil {
			return err
		}
		v, ok, err := m.StepRooted(it)
		if err != nil || !ok {
			return err
		}
		stop, err := f(v, k)
		if err != nil || stop {
			return m.CloseIterator(it, err)
		}
	}
}

// iteratorEvery is Iterator.prototype.every (§27.1.4.3).
func iteratorEvery(m *vm.Machine, c vm.Call) (vm.Value, error) {
	r := true
	err := consume(m, &c, "every", func(v vm.Value, k int64) (bool, error) {
		x, err := m.CallRooted(c.Arg(0), vm.Undefined, v, heap.Int64(k))
		r = err != nil || m.ToBoolean(x)
		return !r, err
	})
	return heap.Bool(r), err
}

// iteratorSome is Iterator.prototype.some (§27.1.4.10).
func iteratorSome(m *vm.Machine, c vm.Call) (vm.Value, error) {
	r := false
	err := consume(m, &c, "some", func(v vm.Value, k int64) (bool, error) {
		x, err := m.CallRooted(c.Arg(0), vm.Undefined, v, heap.Int64(k))
		r = err == nil && m.ToBoolean(x)
		return r, err
	})
	return heap.Bool(r), err
}

// iteratorFind is Iterator.prototype.find (§27.1.4.5).
func iteratorFind(m *vm.Machine, c vm.Call) (vm.Value, error) {
	found := vm.Undefined
	err := consume(m, &c, "find", func(v vm.Value, k int64) (bool, error) {
		at := m.Root(v)
		x, err := m.CallRooted(c.Arg(0), vm.Undefined, v, heap.Int64(k))
		m.PopRoots(at)
		if err != nil || !m.ToBoolean(x) {
			return false, err
		}
		found = v
		return true, nil
	})
	return found, err
}

// iteratorForEach is Iterator.prototype.forEach (§27.1.4.7).
func iteratorForEach(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return vm.Undefined, consume(m, &c, "forEach", func(v vm.Value, k int64) (bool, error) {
		_, err := m.CallRooted(c.Arg(0), vm.Undefined, v, heap.Int64(k))
		return false, err
	})
}

// iteratorToArray is Iterator.prototype.toArray (§27.1.4.12).
func iteratorToArray(m *vm.Machine, c vm.Call) (vm.Value, error) {
	it, err := thisIterator(m, &c, "toArray", nil)
	if err != nil {
		return vm.Undefined, err
	}
	a := m.NewArrayLen(0)
	at := m.Root(heap.ObjectValue(a))
	defer m.PopRoots(at)
	return heap.ObjectValue(a), consumeFrom(m, &it, func(v vm.Value, _ int64) (bool, error) {
		return false, m.H.Push(a, v)
	})
}

// iteratorReduce is Iterator.prototype.reduce (§27.1.4.9).
func iteratorReduce(m *vm.Machine, c vm.Call) (vm.Value, error) {
	it, err := thisIterator(m, &c, "reduce", func() error { return callable(m, c.Arg(0)) })
	if err != nil {
		return vm.Undefined, err
	}
	acc, k := c.Arg(1), int64(0)
	if len(c.Args) < 2 {
		v, ok, err := m.Step(&it)
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			return vm.Undefined, m.TypeError("Reduce of a done iterator with no initial value")
		}
		acc, k = v, 1
	}
	// The accumulator lives in a cell that the collector sees while next()
	// runs.
	cell, err := m.NewArray([]vm.Value{acc})
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(heap.ObjectValue(cell))
	defer m.PopRoots(at)
	err = consumeFrom(m, &it, func(v vm.Value, i int64) (bool, error) {
		r, err := m.CallRooted(c.Arg(0), vm.Undefined, m.H.Elems(cell)[0], v, heap.Int64(i+k))
		if err == nil {
			m.H.SetElem(cell, 0, r)
		}
		return false, err
	})
	return m.H.Elems(cell)[0], err
}

// iteratorIncludes is Iterator.prototype.includes of the proposal Iterator
// Includes.
func iteratorIncludes(m *vm.Machine, c vm.Call) (vm.Value, error) {
	skip := 0.0
	it, err := thisIterator(m, &c, "includes", func() error {
		v := c.Arg(1)
		if v == vm.Undefined {
			return nil
		}
		if !v.IsNumber() || !conv.IsIntegral(v.AsFloat()) && !math.IsInf(v.AsFloat(), 0) {
			return m.TypeError("%s is not an integer", m.Describe(v))
		}
		if skip = v.AsFloat(); skip < 0 || skip > maxLength && !math.IsInf(skip, 1) {
			return m.RangeError("%s is out of range", m.Describe(v))
		}
		return nil
	})
	if err != nil {
		return vm.Undefined, err
	}
	found := false
	err = consumeFrom(m, &it, func(v vm.Value, k int64) (bool, error) {
		if float64(k) < skip {
			return false, nil
		}
		found, err = m.SameValueZero(v, c.Arg(0))
		return found, err
	})
	return heap.Bool(found), err
}
