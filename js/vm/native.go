package vm

import "github.com/pinfold-js/pinfold/js/heap"

// What built-ins need of the machine beyond abstract operations.

// StepRooted is Step for a caller that has rooted it.Obj and it.Next and keeps
// no other unrooted values: a collection may happen in next().
func (m *Machine) StepRooted(it *Iterator) (v Value, ok bool, err error) {
	r, err := m.CallRooted(it.Next, it.Obj)
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	if err != nil {
		it.Done = true
		return Undefined, false, err
	}
	return m.stepResult(it, r)
}

// StepOver is IteratorStep (§7.4.8) for a caller that has no use for the
// value, which is not read.
func (m *Machine) StepOver(it *Iterator) (ok bool, err error) {
	r, err := m.CallRooted(it.Next, it.Obj)
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	if err != nil {
		it.Done = true
		return false, err
	}
	d, err := m.Get(r.AsObj(), m.N.Done)
	if err != nil || m.ToBoolean(d) {
		it.Done = true
		return false, err
	}
	return true, nil
}

// ArrayIterationIntact reports whether arrays that have not overridden it
// iterate over their elements.
func (m *Machine) ArrayIterationIntact() bool { return m.arrayIterationIntact() }

// joinMark precedes on the root stack the objects that are being joined.
const joinMark = 0x4A4F494E

// EnterJoin begins turning the array-like o into a string by way of its
// elements. cyclic says that o is being joined already. Otherwise the caller
// calls PopRoots(at) when it is done.
func (m *Machine) EnterJoin(o Obj) (at int, cyclic bool) {
	v, mark := heap.ObjectValue(o), heap.NumberValue(joinMark)
	for i := len(m.roots) - 1; i > 0; i-- { //meter: as many as natives that call script are nested, a few each
		if m.roots[i] == v && m.roots[i-1] == mark {
			return 0, true
		}
	}
	at = m.Root(mark)
	m.Root(v)
	return at, false
}
