package vm

import "github.com/pinfold-js/pinfold/js/heap"

// Iterator is an Iterator Record (§7.4.1) held by native code.
type Iterator struct {
	Obj  Value
	Next Value
	Done bool
}

// GetIterator is GetIterator(v, sync) (§7.4.4).
func (m *Machine) GetIterator(v Value) (Iterator, error) {
	if v.IsNullish() {
		return Iterator{}, m.TypeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", m.CallSite(v))
	}
	f, err := m.GetV(v, m.N.SymIterator)
	if err != nil {
		return Iterator{}, err
	}
	if !m.IsCallable(f) {
		return Iterator{}, m.TypeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", m.CallSite(v))
	}
	return m.IteratorFromMethod(v, f)
}

// IteratorFromMethod is GetIteratorFromMethod (§7.4.3).
func (m *Machine) IteratorFromMethod(v, method Value) (Iterator, error) {
	it, err := m.Call(method, v)
	if err != nil {
		return Iterator{}, err
	}
	if !it.IsObject() {
		return Iterator{}, m.TypeError("Result of the Symbol.iterator method is not an object")
	}
	return m.IteratorDirect(it)
}

// IteratorDirect is GetIteratorDirect (§7.4.2).
func (m *Machine) IteratorDirect(it Value) (Iterator, error) {
	next, err := m.Get(it.AsObj(), m.N.Next)
	return Iterator{Obj: it, Next: next}, err
}

// Step is IteratorStepValue (§7.4.9): ok is false when the iterator is done.
// When next() throws, the record is done.
func (m *Machine) Step(it *Iterator) (v Value, ok bool, err error) {
	if err := m.Charge(1); err != nil {
		return Undefined, false, err
	}
	if m.stepsNatively(it.Next) {
		m.noGC++
		v, err = m.stepNative(it.Next, it.Obj)
		m.noGC--
		if err != nil || v == Empty {
			it.Done = true
			return Undefined, false, err
		}
		return v, true, nil
	}
	r, err := m.Call(it.Next, it.Obj)
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	if err != nil {
		it.Done = true
		return Undefined, false, err
	}
	return m.stepResult(it, r)
}

func (m *Machine) stepResult(it *Iterator, r Value) (v Value, ok bool, err error) {
	o := r.AsObj()
	if rec := m.H.Obj(o); rec.Shape == m.shapes.iterResult {
		if m.ToBoolean(rec.Inline[1]) {
			it.Done = true
			return Undefined, false, nil
		}
		return rec.Inline[0], true, nil
	}
	d, err := m.Get(o, m.N.Done)
	if err != nil {
		it.Done = true
		return Undefined, false, err
	}
	if m.ToBoolean(d) {
		it.Done = true
		return Undefined, false, nil
	}
	v, err = m.Get(o, m.N.Value)
	if err != nil {
		it.Done = true
		return Undefined, false, err
	}
	return v, true, nil
}

// CloseIterator is IteratorClose (§7.4.11). cause is the error of a throw
// completion, or nil; the error to go on with is returned.
func (m *Machine) CloseIterator(it *Iterator, cause error) error {
	if it.Done {
		return cause
	}
	it.Done = true
	if cause != nil {
		exc, ok := m.Caught(cause)
		if !ok {
			return cause // a limit: no script runs any more
		}
		site := m.thrown
		at := m.Root(exc)
		f, err := m.GetMethod(it.Obj, m.N.Return)
		if err == nil && f != Undefined {
			_, err = m.Call(f, it.Obj)
		}
		m.PopRoots(at)
		if err != nil {
			if _, ok := m.Caught(err); !ok {
				return err
			}
		}
		err = m.Throw(exc)
		m.thrown = site
		return err
	}
	f, err := m.GetMethod(it.Obj, m.N.Return)
	if err != nil || f == Undefined {
		return err
	}
	r, err := m.Call(f, it.Obj)
	if err != nil {
		return err
	}
	if !r.IsObject() {
		return m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	return nil
}

// Iterate calls f with each value of iterable v and closes the iterator when f
// fails or returns stop.
func (m *Machine) Iterate(v Value, f func(v Value) (stop bool, err error)) error {
	if m.plainArray(v) {
		return m.iterateArray(v.AsObj(), f)
	}
	it, err := m.GetIterator(v)
	if err != nil {
		return err
	}
	for {
		x, ok, err := m.Step(&it)
		if err != nil || !ok {
			return err
		}
		stop, err := f(x)
		if err != nil {
			return m.CloseIterator(&it, err)
		}
		if stop {
			return m.CloseIterator(&it, nil)
		}
	}
}

func (m *Machine) iterateArray(o Obj, f func(v Value) (stop bool, err error)) error {
	for i := uint32(0); i < m.H.Obj(o).Length; i++ {
		if err := m.Charge(1); err != nil {
			return err
		}
		v := Undefined
		rec := m.H.Obj(o)
		if e := Empty; rec.Flags&heap.Sparse == 0 {
			e = m.H.Elem(rec, i)
			v = e
		}
		if v == Empty || rec.Flags&heap.Sparse != 0 {
			var err error
			if v, err = m.Get(o, heap.IndexKey(i)); err != nil {
				return err
			}
		}
		stop, err := f(v)
		if stop || err != nil {
			return err
		}
	}
	return nil
}

// plainArray reports whether iterating v is reading an array's elements: an
// array whose iterator method and the array iterator's next are the original
// ones.
func (m *Machine) plainArray(v Value) bool {
	if !v.IsObject() {
		return false
	}
	rec := m.H.Obj(v.AsObj())
	return rec.Class == heap.ClassArray && rec.Shape == m.shapes.array && m.arrayIterationIntact()
}

// arrayIterationIntact reports whether Array.prototype[Symbol.iterator] and
// %ArrayIteratorPrototype%.next are the original functions.
func (m *Machine) arrayIterationIntact() bool {
	return m.still(&m.intact[0], ArrayPrototype, m.N.SymIterator, ArrayProtoValues) &&
		m.still(&m.intact[1], ArrayIteratorPrototype, m.N.Next, ArrayIteratorNext)
}

// slotOf remembers which slot of an intrinsic a property is in.
type slotOf struct {
	shape heap.ShapeID
	slot  int
}

// still reports whether the data property key of an intrinsic is still the
// given intrinsic function.
func (m *Machine) still(c *slotOf, on Intrinsic, key Key, f Intrinsic) bool {
	rec := m.H.Obj(m.intrinsics[on])
	if rec.Shape != c.shape {
		slot, a, ok := m.H.Lookup(rec.Shape, key.Name())
		if !ok || a&heap.Accessor != 0 {
			return false
		}
		c.shape, c.slot = rec.Shape, slot
	}
	return m.H.Slot(rec, c.slot) == heap.ObjectValue(m.intrinsics[f])
}
