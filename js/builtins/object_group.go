package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// eachWithGroup is GroupBy (§7.3.36): it calls add with each value of items and the
// key that the callback gives for it. What add keeps must be reachable from a
// root.
func eachWithGroup(m *vm.Machine, items, callback vm.Value, add func(key, v vm.Value) error) error {
	if items.IsNullish() {
		return m.TypeError("%s is not iterable", m.Describe(items))
	}
	if !m.IsCallable(callback) {
		return m.TypeError("%s is not a function", m.Describe(callback))
	}
	it, err := m.GetIterator(items)
	if err != nil {
		return err
	}
	at := m.Root(it.Obj)
	defer m.PopRoots(at)
	m.Root(it.Next)
	m.Root(callback)
	for k := int64(0); ; k++ {
		v, ok, err := m.Step(&it)
		if err != nil || !ok {
			return err
		}
		top := m.Root(v)
		key, err := m.CallRooted(callback, vm.Undefined, v, heap.Int64(k))
		if err == nil {
			err = add(key, v)
		}
		m.PopRoots(top)
		if err != nil {
			return m.CloseIterator(&it, err)
		}
	}
}

// objectGroupBy is Object.groupBy (§20.1.2.13).
func objectGroupBy(m *vm.Machine, c vm.Call) (vm.Value, error) {
	out := m.NewWithProto(0)
	at := m.Root(heap.ObjectValue(out))
	defer m.PopRoots(at)
	err := eachWithGroup(m, c.Arg(0), c.Arg(1), func(k, v vm.Value) error {
		key, err := m.ToKey(k)
		if err != nil {
			return err
		}
		g, err := m.Get(out, key)
		if err != nil {
			return err
		}
		if g == vm.Undefined {
			a, err := m.NewArray([]vm.Value{v})
			if err != nil {
				return err
			}
			return m.CreateDataOrThrow(out, key, heap.ObjectValue(a))
		}
		return m.H.Push(g.AsObj(), v)
	})
	return heap.ObjectValue(out), err
}
