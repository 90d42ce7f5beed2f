package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Array.fromAsync (§23.1.2.2) is an async closure in the specification. Here it
// is a state machine: asyncFill runs until it has to wait for a promise, whose
// reactions call it again. Its state is a block of values.
const (
	fillState   = iota // where to go on
	fillPromise        // the result
	fillTarget         // the array
	fillSource         // the array-like, or the iterator
	fillNext           // the iterator's next method; undefined for array-likes
	fillMapper         // or undefined
	fillThisArg
	fillIndex
	fillLength // of the array-like
	fillError  // the exception while an iterator is being closed
	fillWords
)

// Where the machine goes on.
const (
	fillStep    = iota // take the next element
	fillResult         // an iterator's result has been awaited
	fillElement        // an array-like's element has been awaited
	fillMapped         // the mapper's result has been awaited
	fillClosing        // the result of return() has been awaited
)

// setupArrayFromAsync adds Array.fromAsync.
func setupArrayFromAsync(b *vm.Builder) {
	b.Method(b.Intrinsic(vm.ArrayConstructor), "fromAsync", 1, arrayFromAsync)
	b.Set(vm.FromAsyncFulfilled, b.Func("", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		return vm.Undefined, asyncFill(m, m.NativeData(c.Callee).AsBlock(), c.Arg(0), nil)
	}))
	b.Set(vm.FromAsyncRejected, b.Func("", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		return vm.Undefined, asyncFill(m, m.NativeData(c.Callee).AsBlock(), vm.Undefined, m.Throw(c.Arg(0)))
	}))
}

func arrayFromAsync(m *vm.Machine, c vm.Call) (vm.Value, error) {
	p := m.NewPromise()
	b, err := m.H.NewValues(fillWords)
	if err != nil {
		return vm.Undefined, err
	}
	w := m.H.ValuesW(b)
	for i := range w { //meter: fixed
		w[i] = vm.Undefined
	}
	w[fillState], w[fillPromise], w[fillIndex] = heap.Int(fillStep), heap.ObjectValue(p), heap.Int(0)
	w[fillMapper], w[fillThisArg] = c.Arg(1), c.Arg(2)
	if err := startFill(m, &c, b); err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return vm.Undefined, err
		}
		m.RejectPromise(p, exc)
		return heap.ObjectValue(p), nil
	}
	return heap.ObjectValue(p), asyncFill(m, b, vm.Undefined, nil)
}

// startFill is the closure's beginning, until the first element.
func startFill(m *vm.Machine, c *vm.Call, b heap.Block) error {
	items, mapper := c.Arg(0), c.Arg(1)
	if mapper != vm.Undefined {
		if err := callable(m, mapper); err != nil {
			return err
		}
	}
	async, err := m.GetMethod(items, m.N.SymAsyncIterator)
	if err != nil {
		return err
	}
	sync := vm.Undefined
	if async == vm.Undefined {
		if sync, err = m.GetMethod(items, m.N.SymIterator); err != nil {
			return err
		}
	}
	if async != vm.Undefined || sync != vm.Undefined {
		var it vm.Iterator
		if async != vm.Undefined {
			it, err = m.IteratorFromMethod(items, async)
		} else if it, err = m.IteratorFromMethod(items, sync); err == nil {
			it, err = m.AsyncFromSync(it)
		}
		if err != nil {
			return err
		}
		target := vm.Undefined
		if m.IsConstructor(c.This) {
			if target, err = m.Construct(c.This, c.This); err != nil {
				return err
			}
		} else {
			target = heap.ObjectValue(m.NewArrayLen(0))
		}
		w := m.H.ValuesW(b)
		w[fillTarget], w[fillSource], w[fillNext] = target, it.Obj, it.Next
		return nil
	}
	src, err := m.ToObject(items)
	if err != nil {
		return err
	}
	n, err := m.LengthOf(src)
	if err != nil {
		return err
	}
	var target vm.Value
	if m.IsConstructor(c.This) {
		if target, err = m.Construct(c.This, c.This, heap.Int64(n)); err != nil {
			return err
		}
	} else {
		a, err := arrayCreate(m, n)
		if err != nil {
			return err
		}
		target = heap.ObjectValue(a)
	}
	w := m.H.ValuesW(b)
	w[fillTarget], w[fillSource], w[fillLength] = target, heap.ObjectValue(src), heap.Int64(n)
	return nil
}

// asyncFill goes on with v, or with the exception err, where the machine
// waited.
func asyncFill(m *vm.Machine, b heap.Block, v vm.Value, err error) error {
	if err == nil {
		if err := m.Charge(1); err != nil {
			return err
		}
	}
	w := m.H.Values(b)
	iterating := w[fillLength] == vm.Undefined
	if w[fillState].AsInt() == fillClosing {
		// The exception from before counts, whatever return() did.
		if err != nil {
			if _, ok := m.Caught(err); !ok {
				return err
			}
		}
		m.RejectPromise(w[fillPromise].AsObj(), w[fillError])
		return nil
	}
	if err == nil {
		waits := false
		v, waits, err = fillOnce(m, b, v)
		if err == nil && waits {
			err = fillAwait(m, b, v)
		}
		if err == nil {
			return nil
		}
	}
	exc, ok := m.Caught(err)
	if !ok {
		return err
	}
	// AsyncIteratorClose (§7.4.13) after the mapper or the definition of the
	// property failed; the iterator's own failures don't close it.
	if iterating && m.H.Word(b, fillState).AsInt() == fillMapped {
		closing, err := fillClose(m, b, exc)
		if closing || err != nil {
			return err
		}
	}
	m.RejectPromise(m.H.Word(b, fillPromise).AsObj(), exc)
	return nil
}

// fillClose calls the iterator's return method and waits for its result;
// closing is false when there is nothing to wait for.
func fillClose(m *vm.Machine, b heap.Block, exc vm.Value) (closing bool, err error) {
	source := m.H.Word(b, fillSource)
	f, err := m.GetMethod(source, m.N.Return)
	if err == nil && f == vm.Undefined {
		return false, nil
	}
	if err == nil {
		var r vm.Value
		if r, err = m.Call(f, source); err == nil {
			m.H.SetWord(b, fillState, heap.Int(fillClosing))
			m.H.SetWord(b, fillError, exc)
			if err = fillAwait(m, b, r); err == nil {
				return true, nil
			}
		}
	}
	if _, ok := m.Caught(err); !ok {
		return false, err
	}
	return false, nil
}

// fillOnce does the work between two awaits. waits is false at the end.
func fillOnce(m *vm.Machine, b heap.Block, v vm.Value) (await vm.Value, waits bool, err error) {
	w := m.H.Values(b)
	k := int64(w[fillIndex].AsFloat())
	target, source := w[fillTarget].AsObj(), w[fillSource]
	mapper, thisArg, length, next := w[fillMapper], w[fillThisArg], w[fillLength], w[fillNext]
	goOn := func(state int32) { m.H.SetWord(b, fillState, heap.Int(state)) }
	switch w[fillState].AsInt() {
	case fillResult:
		if !v.IsObject() {
			return vm.Undefined, false, m.TypeError("Iterator result %s is not an object", m.Describe(v))
		}
		d, err := m.Get(v.AsObj(), m.N.Done)
		if err != nil {
			return vm.Undefined, false, err
		}
		if m.ToBoolean(d) {
			return fillEnd(m, b, target, k)
		}
		if v, err = m.Get(v.AsObj(), m.N.Value); err != nil {
			return vm.Undefined, false, err
		}
		goOn(fillMapped)
		if mapper != vm.Undefined {
			r, err := m.Call(mapper, thisArg, v, heap.Int64(k))
			return r, true, err
		}
	case fillElement:
		goOn(fillMapped)
		if mapper != vm.Undefined {
			r, err := m.Call(mapper, thisArg, v, heap.Int64(k))
			return r, true, err
		}
	}
	if m.H.Word(b, fillState).AsInt() == fillMapped {
		if err := createAt(m, target, k, v); err != nil {
			return vm.Undefined, false, err
		}
		k++
		m.H.SetWord(b, fillIndex, heap.Int64(k))
	}
	goOn(fillStep)
	if length == vm.Undefined {
		goOn(fillResult)
		r, err := m.Call(next, source)
		return r, true, err
	}
	if k >= int64(length.AsFloat()) {
		return fillEnd(m, b, target, k)
	}
	key, err := m.KeyOfInt64(k)
	if err != nil {
		return vm.Undefined, false, err
	}
	goOn(fillElement)
	r, err := m.Get(source.AsObj(), key)
	return r, true, err
}

func fillEnd(m *vm.Machine, b heap.Block, target vm.Obj, k int64) (vm.Value, bool, error) {
	if err := putLength(m, target, k); err != nil {
		return vm.Undefined, false, err
	}
	return vm.Undefined, false, m.ResolvePromise(m.H.Word(b, fillPromise).AsObj(), heap.ObjectValue(target))
}

// fillAwait is Await (§27.7.5.3).
func fillAwait(m *vm.Machine, b heap.Block, v vm.Value) error {
	p, err := m.PromiseResolve(heap.ObjectValue(m.Intrinsic(vm.PromiseConstructor)), v)
	if err != nil {
		return err
	}
	f := m.NewNative(m.Intrinsic(vm.FromAsyncFulfilled), heap.ValuesValue(b), 1, 0)
	r := m.NewNative(m.Intrinsic(vm.FromAsyncRejected), heap.ValuesValue(b), 1, 0)
	return m.PerformThen(p.AsObj(), heap.ObjectValue(f), heap.ObjectValue(r), vm.Capability{Promise: vm.Undefined, Resolve: vm.Undefined, Reject: vm.Undefined})
}
