package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Promise.all, allSettled, any and race: one loop over the iterable; they
// differ in what then is called with. allKeyed and allSettledKeyed (TC39
// proposal "Await Dictionary") go over the properties of an object instead.
type combinator uint8

const (
	combineAll combinator = iota
	combineAllSettled
	combineAny
	combineRace
)

// The state that the element functions of one call share, a block of values.
const (
	combineValues    = iota // array of values or errors
	combineRemaining        // how many elements are not settled yet
	combineResolve          // the functions of the result's capability
	combineReject
	combineKeys // array of the properties' keys, or undefined
	combineWords
)

// The data of an element function: whether it was called, its index, the
// shared state. The two functions of allSettled have one block.
const (
	elementCalled = iota
	elementIndex
	elementShared
	elementWords
)

type combineLoop struct {
	m       *vm.Machine
	kind    combinator
	ctor    vm.Value
	resolve vm.Value // the constructor's resolve function
	result  vm.Capability
	shared  heap.Block
	values  vm.Obj
}

// openLoop makes the capability of the result and gets the constructor's
// resolve function. When that fails, the result is rejected and resolve is
// undefined.
func openLoop(m *vm.Machine, c vm.Call, name string, kind combinator) (combineLoop, error) {
	l := combineLoop{m: m, kind: kind, ctor: c.This, resolve: vm.Undefined}
	l.result.Promise = vm.Undefined
	if !c.This.IsObject() {
		return l, m.TypeError("Promise.%s called on non-object", name)
	}
	result, err := openCapability(m, c.This)
	if err != nil {
		return l, err
	}
	l.result = result
	resolve, err := m.Get(c.This.AsObj(), m.N.Resolve)
	if err == nil && !m.IsCallable(resolve) {
		err = m.TypeError("Promise resolve or reject function is not callable")
	}
	if err != nil {
		_, err = rejectWith(m, result, err)
		return l, err
	}
	l.resolve = resolve
	return l, nil
}

// promiseCombinator is Promise.all (§27.2.4.1), Promise.allSettled (§27.2.4.2),
// Promise.any (§27.2.4.3) or Promise.race (§27.2.4.5).
func promiseCombinator(name string, kind combinator) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		l, err := openLoop(m, c, name, kind)
		if err != nil || l.resolve == vm.Undefined {
			return l.result.Promise, err
		}
		result := l.result
		it, err := m.GetIterator(c.Arg(0))
		if err != nil {
			return rejectWith(m, result, err)
		}
		if err = l.run(&it); err != nil {
			return rejectWith(m, result, m.CloseIterator(&it, err))
		}
		return result.Promise, nil
	}
}

// promiseKeyed is Promise.allKeyed or Promise.allSettledKeyed.
func promiseKeyed(name string, kind combinator) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		l, err := openLoop(m, c, name, kind)
		if err != nil || l.resolve == vm.Undefined {
			return l.result.Promise, err
		}
		v := c.Arg(0)
		if !v.IsObject() {
			return rejectWith(m, l.result, m.TypeError("Promise.%s called with a value that is not an object", name))
		}
		if err := l.runKeyed(v.AsObj()); err != nil {
			return rejectWith(m, l.result, err)
		}
		return l.result.Promise, nil
	}
}

// run is PerformPromiseAll and its like.
func (l *combineLoop) run(it *vm.Iterator) error {
	m := l.m
	if l.kind != combineRace {
		l.share(vm.Undefined)
	}
	for i := int32(0); ; i++ {
		v, ok, err := m.Step(it)
		if err != nil {
			return err
		}
		if !ok {
			if l.kind == combineRace {
				return nil
			}
			return combineSettled(m, l.shared, l.kind == combineAny, true)
		}
		if l.kind != combineRace {
			if err := m.H.Push(l.values, vm.Undefined); err != nil {
				return err
			}
		}
		if err := l.element(i, v); err != nil {
			return err
		}
	}
}

// share makes the state that the element functions share.
func (l *combineLoop) share(keys vm.Value) {
	m := l.m
	l.values = m.NewArrayLen(0)
	l.shared = m.H.NewSmallValues(combineWords)
	w := m.H.ValuesW(l.shared)
	w[combineValues], w[combineRemaining] = heap.ObjectValue(l.values), heap.Int(1)
	w[combineResolve], w[combineReject], w[combineKeys] = l.result.Resolve, l.result.Reject, keys
}

// element waits for element i.
func (l *combineLoop) element(i int32, v vm.Value) error {
	p, err := l.m.Call(l.resolve, l.ctor, v)
	if err != nil {
		return err
	}
	onFulfilled, onRejected := l.handlers(i)
	_, err = invokeThen(l.m, p, onFulfilled, onRejected)
	return err
}

// runKeyed is PerformPromiseAllKeyed.
func (l *combineLoop) runKeyed(o vm.Obj) error {
	m := l.m
	keys := m.NewArrayLen(0)
	l.share(heap.ObjectValue(keys))
	all, err := m.OwnKeys(o)
	if err != nil {
		return err
	}
	i := int32(0)
	for _, k := range all {
		if err := m.Charge(1); err != nil {
			return err
		}
		d, ok, err := m.GetOwnProperty(o, k)
		if err != nil {
			return err
		}
		if !ok || d.Attrs&heap.Enumerable == 0 {
			continue
		}
		v, err := m.Get(o, k)
		if err != nil {
			return err
		}
		name, err := m.KeyValue(k)
		if err == nil {
			err = m.H.Push(keys, name)
		}
		if err == nil {
			err = m.H.Push(l.values, vm.Undefined)
		}
		if err == nil {
			err = l.element(i, v)
		}
		if err != nil {
			return err
		}
		i++
	}
	return combineSettled(m, l.shared, false, true)
}

// keyedResult is CreateKeyedPromiseCombinatorResultObject.
func keyedResult(m *vm.Machine, keys, values vm.Obj) (vm.Value, error) {
	o := m.NewWithProto(0)
	for i := range int(m.H.Obj(keys).ElemLen) {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		k, err := m.ToKey(m.H.Elems(keys)[i])
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.CreateDataOrThrow(o, k, m.H.Elems(values)[i]); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

// handlers makes what element i's then is called with.
func (l *combineLoop) handlers(i int32) (onFulfilled, onRejected vm.Value) {
	onFulfilled, onRejected = l.result.Resolve, l.result.Reject
	if l.kind == combineRace {
		return onFulfilled, onRejected
	}
	m := l.m
	b := m.H.NewSmallValues(elementWords)
	w := m.H.ValuesW(b)
	w[elementCalled], w[elementIndex], w[elementShared] = vm.False, heap.Int(i), heap.ValuesValue(l.shared)
	element := func(t vm.Intrinsic) vm.Value {
		return heap.ObjectValue(m.NewNative(m.Intrinsic(t), heap.ValuesValue(b), 1, 0))
	}
	switch l.kind {
	case combineAll:
		onFulfilled = element(vm.PromiseAllElement)
	case combineAllSettled:
		onFulfilled, onRejected = element(vm.PromiseSettledElement), element(vm.PromiseSettledReason)
	case combineAny:
		onRejected = element(vm.PromiseAnyReason)
	}
	n := m.H.Word(l.shared, combineRemaining).AsInt()
	m.H.SetWord(l.shared, combineRemaining, heap.Int(n+1))
	return onFulfilled, onRejected
}

// What an element function makes of its argument.
type elementKind uint8

const (
	elementValue     elementKind = iota // the value itself
	elementFulfilled                    // {status: "fulfilled", value}
	elementRejected                     // {status: "rejected", reason}
	elementError                        // the reason, for an AggregateError
)

// combineElement is a Promise.all Resolve Element Function (§27.2.4.1.3) or one
// of its like.
func combineElement(kind elementKind) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		b := m.NativeData(c.Callee).AsBlock()
		w := m.H.Values(b)
		if w[elementCalled] == vm.True {
			return vm.Undefined, nil
		}
		i, shared := w[elementIndex].AsInt(), w[elementShared].AsBlock()
		m.H.SetWord(b, elementCalled, vm.True)
		v := c.Arg(0)
		if kind == elementFulfilled || kind == elementRejected {
			status, key := "fulfilled", m.N.Value
			if kind == elementRejected {
				status, key = "rejected", m.N.Reason
			}
			s, err := m.H.Atom(status)
			if err != nil {
				return vm.Undefined, err
			}
			o := m.NewPlain()
			m.H.AddNamed(o, m.N.Status.Name(), heap.StringValue(s), heap.DefaultAttrs)
			m.H.AddNamed(o, key.Name(), v, heap.DefaultAttrs)
			v = heap.ObjectValue(o)
		}
		m.H.SetElem(m.H.Word(shared, combineValues).AsObj(), uint32(i), v)
		return vm.Undefined, combineSettled(m, shared, kind == elementError, false)
	}
}

// combineSettled counts one element as settled and settles the result after
// the last. When all promises of Promise.any are rejected, the error is thrown
// in the loop and goes to the reject function afterwards.
func combineSettled(m *vm.Machine, shared heap.Block, isAny, inLoop bool) error {
	n := m.H.Word(shared, combineRemaining).AsInt() - 1
	m.H.SetWord(shared, combineRemaining, heap.Int(n))
	if n > 0 {
		return nil
	}
	w := m.H.Values(shared)
	f, v, keys := w[combineResolve], w[combineValues], w[combineKeys]
	if isAny {
		f = w[combineReject]
		e, err := m.NewError(vm.AggregateErrorPrototype, "All promises were rejected")
		if err != nil {
			return err
		}
		m.DropFrames(e) // it is nobody's in particular
		m.H.AddNamed(e.AsObj(), m.N.Errors.Name(), v, heap.HiddenAttrs)
		if inLoop {
			return m.Throw(e)
		}
		v = e
	} else if keys != vm.Undefined {
		o, err := keyedResult(m, keys.AsObj(), v.AsObj())
		if err != nil {
			return err
		}
		v = o
	}
	_, err := m.Call(f, vm.Undefined, v)
	return err
}
