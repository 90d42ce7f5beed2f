package vm

import "github.com/pinfold-js/pinfold/js/heap"

// Async-from-sync iterators (§27.1.6): Data is a block of the sync iterator and
// its next method.

// AsyncFromSync is CreateAsyncFromSyncIterator (§27.1.6.1).
func (m *Machine) AsyncFromSync(sync Iterator) (Iterator, error) {
	o := m.H.NewObject(m.H.RootShape(m.intrinsics[AsyncFromSyncIteratorPrototype]), heap.ClassIterator)
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = sync.Obj, sync.Next
	r := m.H.ObjW(o)
	r.Length, r.Data = IterAsyncFromSync, heap.ValuesValue(b)
	return m.IteratorDirect(heap.ObjectValue(o))
}

func (b *Builder) setupIteration() {
	p := b.Set(AsyncFromSyncIteratorPrototype, b.Object(b.intrinsics[ObjectPrototype]))
	b.Method(p, "next", 1, func(m *Machine, c Call) (Value, error) { return m.fromSync(c, ResumeNext) })
	b.Method(p, "return", 1, func(m *Machine, c Call) (Value, error) { return m.fromSync(c, ResumeReturn) })
	b.Method(p, "throw", 1, func(m *Machine, c Call) (Value, error) { return m.fromSync(c, ResumeThrow) })
	// Data: a block of done.
	b.Set(AsyncFromSyncUnwrap, b.Func("", 1, func(m *Machine, c Call) (Value, error) {
		return m.IterResult(c.Arg(0), m.NativeData(c.Callee) == True), nil
	}))
	// Data: the sync iterator.
	b.Set(AsyncFromSyncClose, b.Func("", 1, func(m *Machine, c Call) (Value, error) {
		it := Iterator{Obj: m.NativeData(c.Callee)}
		return Undefined, m.CloseIterator(&it, m.Throw(c.Arg(0)))
	}))
}

// fromSync is %AsyncFromSyncIteratorPrototype%.next, return and throw.
func (m *Machine) fromSync(c Call, mode ResumeMode) (Value, error) {
	w := m.H.Values(m.H.Obj(c.This.AsObj()).Data.AsBlock())
	sync := Iterator{Obj: w[0], Next: w[1]}
	p := m.NewPromise()
	at := m.Root(heap.ObjectValue(p))
	defer m.PopRoots(at)
	err := m.fromSyncStep(c, mode, &sync, p)
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return Undefined, err
		}
		m.RejectPromise(p, exc)
	}
	return heap.ObjectValue(p), nil
}

func (m *Machine) fromSyncStep(c Call, mode ResumeMode, sync *Iterator, p Obj) error {
	var r Value
	var err error
	switch mode {
	case ResumeNext:
		r, err = m.Call(sync.Next, sync.Obj, c.Args...)
	case ResumeReturn:
		f, err := m.GetMethod(sync.Obj, m.N.Return)
		if err != nil {
			return err
		}
		if f == Undefined {
			return m.ResolvePromise(p, m.IterResult(c.Arg(0), true))
		}
		if r, err = m.Call(f, sync.Obj, c.Args...); err != nil {
			return err
		}
	default:
		f, err := m.GetMethod(sync.Obj, m.N.Throw)
		if err != nil {
			return err
		}
		if f == Undefined {
			if err := m.CloseIterator(sync, nil); err != nil {
				return err
			}
			return m.TypeError("The iterator does not provide a 'throw' method.")
		}
		if r, err = m.Call(f, sync.Obj, c.Args...); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if !r.IsObject() {
		return m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	// AsyncFromSyncIteratorContinuation (§27.1.6.4).
	d, err := m.Get(r.AsObj(), m.N.Done)
	if err != nil {
		return err
	}
	done := m.ToBoolean(d)
	v, err := m.Get(r.AsObj(), m.N.Value)
	if err != nil {
		return err
	}
	wrapper, err := m.PromiseResolve(heap.ObjectValue(m.intrinsics[PromiseConstructor]), v)
	if err != nil {
		if !done && mode != ResumeReturn {
			return m.CloseIterator(sync, err)
		}
		return err
	}
	unwrap := m.NewNative(m.intrinsics[AsyncFromSyncUnwrap], heap.Bool(done), 1, 0)
	onRejected := Undefined
	if !done && mode != ResumeReturn {
		onRejected = heap.ObjectValue(m.NewNative(m.intrinsics[AsyncFromSyncClose], sync.Obj, 1, 0))
	}
	return m.PerformThen(wrapper.AsObj(), heap.ObjectValue(unwrap), onRejected, Capability{Promise: heap.ObjectValue(p), Resolve: Undefined, Reject: Undefined})
}
