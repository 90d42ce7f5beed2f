package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// An iterator helper (§27.1.2.1) is of ClassIterator with Length iterHelper.
// The specification describes it as a generator; here it is the state of one,
// in a block of values.
const (
	helperState = iota
	helperKind
	helperObj       // the underlying iterator; zip: an array of iterators and next methods
	helperNextFn    // its next method; zip: the array of paddings
	helperFn        // the callback; zipKeyed: the array of keys; concat: the array of iterables and their methods; windows: whether a partial one is allowed
	helperCount     // the callback's index; take and drop: what remains; concat: the position; zip: the mode; chunks and windows: the size
	helperInner     // flatMap and concat: the iterator inside, or undefined; windows: the array of the last values
	helperInnerNext // its next method; chunks and windows: true once the underlying iterator is done
	helperSize
)

// States of an iterator helper.
const (
	helperStart = iota
	helperYielded
	helperRunning
	helperDone
)

// Kinds of iterator helpers.
const (
	helperMap = iota
	helperFilter
	helperTake
	helperDrop
	helperFlatMap
	helperConcat
	helperZip
	helperChunks
	helperWindows
)

// newHelper makes an iterator helper over it.
func newHelper(m *vm.Machine, kind int32, it vm.Iterator, fn, count vm.Value) vm.Value {
	b := m.H.NewSmallValues(helperSize)
	w := m.H.ValuesW(b)
	w[helperState], w[helperKind] = heap.Int(helperStart), heap.Int(kind)
	w[helperObj], w[helperNextFn], w[helperFn], w[helperCount] = it.Obj, it.Next, fn, count
	w[helperInner], w[helperInnerNext] = vm.Undefined, vm.Undefined
	return newIteratorObject(m, vm.IteratorHelperPrototype, iterHelper, b)
}

func callbackHelper(m *vm.Machine, c *vm.Call, method string, kind int32) (vm.Value, error) {
	it, err := thisIterator(m, c, method, func() error { return callable(m, c.Arg(0)) })
	if err != nil {
		return vm.Undefined, err
	}
	return newHelper(m, kind, it, c.Arg(0), heap.Int(0)), nil
}

// iteratorMap is Iterator.prototype.map (§27.1.4.8).
func iteratorMap(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return callbackHelper(m, &c, "map", helperMap)
}

// iteratorFilter is Iterator.prototype.filter (§27.1.4.4).
func iteratorFilter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return callbackHelper(m, &c, "filter", helperFilter)
}

// iteratorFlatMap is Iterator.prototype.flatMap (§27.1.4.6).
func iteratorFlatMap(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return callbackHelper(m, &c, "flatMap", helperFlatMap)
}

func limitHelper(m *vm.Machine, c *vm.Call, method string, kind int32) (vm.Value, error) {
	limit := 0.0
	it, err := thisIterator(m, c, method, func() error {
		f, err := m.ToFloat(c.Arg(0))
		if err != nil {
			return err
		}
		if f != f || !math.IsInf(f, 0) && f > maxLength {
			return m.RangeError("%s must be positive", m.Describe(c.Arg(0)))
		}
		if limit = conv.ToIntegerOrInfinity(f); limit < 0 {
			return m.RangeError("%s must be positive", m.Describe(c.Arg(0)))
		}
		return nil
	})
	if err != nil {
		return vm.Undefined, err
	}
	return newHelper(m, kind, it, vm.Undefined, heap.Number(limit)), nil
}

// iteratorTake is Iterator.prototype.take (§27.1.4.11).
func iteratorTake(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return limitHelper(m, &c, "take", helperTake)
}

// iteratorDrop is Iterator.prototype.drop (§27.1.4.2).
func iteratorDrop(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return limitHelper(m, &c, "drop", helperDrop)
}

// helperNext is %IteratorHelperPrototype%.next (§27.1.2.1.1).
func helperNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterHelper)
	if !ok {
		return vm.Undefined, m.TypeError("Method Iterator Helper.prototype.next called on incompatible receiver %s", m.Describe(c.This))
	}
	switch m.H.Word(b, helperState).AsInt() {
	case helperRunning:
		return vm.Undefined, m.TypeError("Generator is already running")
	case helperDone:
		return m.StepResult(&c, vm.Undefined, true), nil
	}
	m.H.SetWord(b, helperState, heap.Int(helperRunning))
	v, ok, err := helperStep(m, b)
	if err != nil || !ok {
		finishHelper(m, b)
		return m.StepResult(&c, vm.Undefined, true), err
	}
	m.H.SetWord(b, helperState, heap.Int(helperYielded))
	return m.StepResult(&c, v, false), nil
}

// finishHelper ends a helper and drops what it refers to.
func finishHelper(m *vm.Machine, b heap.Block) {
	w := m.H.ValuesW(b)
	w[helperState] = heap.Int(helperDone)
	for i := helperObj; i < helperSize; i++ { //meter: a fixed number
		w[i] = vm.Undefined
	}
}

// helperReturn is %IteratorHelperPrototype%.return (§27.1.2.1.2).
func helperReturn(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterHelper)
	if !ok {
		return vm.Undefined, m.TypeError("Method Iterator Helper.prototype.return called on incompatible receiver %s", m.Describe(c.This))
	}
	state := m.H.Word(b, helperState).AsInt()
	switch state {
	case helperRunning:
		return vm.Undefined, m.TypeError("Generator is already running")
	case helperDone:
		return m.IterResult(vm.Undefined, true), nil
	case helperStart:
		m.H.SetWord(b, helperState, heap.Int(helperDone))
	default:
		m.H.SetWord(b, helperState, heap.Int(helperRunning))
	}
	var err error
	kind := m.H.Word(b, helperKind).AsInt()
	if kind == helperFlatMap || kind == helperConcat {
		if inner := m.H.Word(b, helperInner); inner != vm.Undefined {
			err = m.CloseIterator(&vm.Iterator{Obj: inner}, nil)
		}
	}
	switch kind {
	case helperConcat:
	case helperZip:
		err = closeAll(m, m.H.Word(b, helperObj).AsObj(), err)
	case helperChunks, helperWindows:
		if m.H.Word(b, helperInnerNext) != vm.True {
			err = m.CloseIterator(&vm.Iterator{Obj: m.H.Word(b, helperObj)}, nil)
		}
	default:
		err = m.CloseIterator(&vm.Iterator{Obj: m.H.Word(b, helperObj)}, err)
	}
	finishHelper(m, b)
	return m.IterResult(vm.Undefined, true), err
}

// helperStep runs a helper to its next yield; ok is false at its end. The
// helper's block is rooted through this.
func helperStep(m *vm.Machine, b heap.Block) (v vm.Value, ok bool, err error) {
	it := vm.Iterator{Obj: m.H.Word(b, helperObj), Next: m.H.Word(b, helperNextFn)}
	fn := m.H.Word(b, helperFn)
	switch m.H.Word(b, helperKind).AsInt() {
	case helperMap:
		if v, ok, err = m.StepRooted(&it); err != nil || !ok {
			return vm.Undefined, false, err
		}
		if v, err = m.CallRooted(fn, vm.Undefined, v, nextCount(m, b)); err != nil {
			return vm.Undefined, false, m.CloseIterator(&it, err)
		}
		return v, true, nil
	case helperFilter:
		for {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, false, err
			}
			if v, ok, err = m.StepRooted(&it); err != nil || !ok {
				return vm.Undefined, false, err
			}
			at := m.Root(v)
			keep, err := m.CallRooted(fn, vm.Undefined, v, nextCount(m, b))
			m.PopRoots(at)
			if err != nil {
				return vm.Undefined, false, m.CloseIterator(&it, err)
			}
			if m.ToBoolean(keep) {
				return v, true, nil
			}
		}
	case helperTake:
		left := m.H.Word(b, helperCount).AsFloat()
		if left == 0 {
			return vm.Undefined, false, m.CloseIterator(&it, nil)
		}
		m.H.SetWord(b, helperCount, heap.Number(left-1))
		return m.StepRooted(&it)
	case helperDrop:
		for left := m.H.Word(b, helperCount).AsFloat(); left > 0; {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, false, err
			}
			if left--; left < math.Inf(1) {
				m.H.SetWord(b, helperCount, heap.Number(left))
			}
			if ok, err = m.StepOver(&it); err != nil || !ok {
				return vm.Undefined, false, err
			}
		}
		return m.StepRooted(&it)
	case helperFlatMap:
		return flatMapStep(m, b, &it, fn)
	case helperConcat:
		return concatStep(m, b)
	case helperChunks:
		return chunksStep(m, b, &it)
	case helperWindows:
		return windowsStep(m, b, &it)
	}
	return zipStep(m, b)
}

// nextCount returns the callback's index and advances it.
func nextCount(m *vm.Machine, b heap.Block) vm.Value {
	v := m.H.Word(b, helperCount)
	m.H.SetWord(b, helperCount, heap.Number(v.AsFloat()+1))
	return v
}

func setInner(m *vm.Machine, b heap.Block, it vm.Iterator) {
	m.H.SetWord(b, helperInner, it.Obj)
	m.H.SetWord(b, helperInnerNext, it.Next)
}

// stepInner steps the iterator inside; at its end there is none any more.
func stepInner(m *vm.Machine, b heap.Block) (v vm.Value, ok bool, err error) {
	inner := vm.Iterator{Obj: m.H.Word(b, helperInner), Next: m.H.Word(b, helperInnerNext)}
	v, ok, err = m.StepRooted(&inner)
	if err == nil && !ok {
		setInner(m, b, vm.Iterator{Obj: vm.Undefined, Next: vm.Undefined})
	}
	return v, ok, err
}

func flatMapStep(m *vm.Machine, b heap.Block, it *vm.Iterator, fn vm.Value) (vm.Value, bool, error) {
	for {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, false, err
		}
		if m.H.Word(b, helperInner) != vm.Undefined {
			v, ok, err := stepInner(m, b)
			if err != nil {
				return vm.Undefined, false, m.CloseIterator(it, err)
			}
			if ok {
				return v, true, nil
			}
		}
		v, ok, err := m.StepRooted(it)
		if err != nil || !ok {
			return vm.Undefined, false, err
		}
		v, err = m.CallRooted(fn, vm.Undefined, v, nextCount(m, b))
		if err != nil {
			return vm.Undefined, false, m.CloseIterator(it, err)
		}
		inner, err := flattenable(m, v, false, "Iterator.prototype.flatMap")
		if err != nil {
			return vm.Undefined, false, m.CloseIterator(it, err)
		}
		setInner(m, b, inner)
	}
}

// iteratorConcat is Iterator.concat (§27.1.3.2.2).
func iteratorConcat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	list := m.NewArrayLen(0)
	for _, v := range c.Args {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if !v.IsObject() {
			return vm.Undefined, m.TypeError("Iterator.concat called on non-object")
		}
		f, err := m.GetMethod(v, m.N.SymIterator)
		if err != nil {
			return vm.Undefined, err
		}
		if f == vm.Undefined {
			return vm.Undefined, m.TypeError("%s is not iterable", m.Describe(v))
		}
		if err := appendValues(m, list, []vm.Value{v, f}); err != nil {
			return vm.Undefined, err
		}
	}
	none := vm.Iterator{Obj: vm.Undefined, Next: vm.Undefined}
	return newHelper(m, helperConcat, none, heap.ObjectValue(list), heap.Int(0)), nil
}

func concatStep(m *vm.Machine, b heap.Block) (vm.Value, bool, error) {
	for {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, false, err
		}
		if m.H.Word(b, helperInner) != vm.Undefined {
			v, ok, err := stepInner(m, b)
			if err != nil || ok {
				return v, ok, err
			}
		}
		i := int(m.H.Word(b, helperCount).AsInt())
		list := m.H.Elems(m.H.Word(b, helperFn).AsObj())
		if i >= len(list) {
			return vm.Undefined, false, nil
		}
		m.H.SetWord(b, helperCount, heap.Int(int32(i+2)))
		inner, err := m.IteratorFromMethod(list[i], list[i+1])
		if err != nil {
			return vm.Undefined, false, err
		}
		setInner(m, b, inner)
	}
}
