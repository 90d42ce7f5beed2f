package builtins

import (
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setRecord is a Set Record (§24.2.1.1).
type setRecord struct {
	obj       vm.Value
	size      float64
	has, keys vm.Value
}

// getSetRecord is GetSetRecord (§24.2.1.2).
func getSetRecord(m *vm.Machine, v vm.Value, method string) (setRecord, error) {
	if !v.IsObject() {
		return setRecord{}, m.TypeError("Set.prototype.%s argument must be an object", method)
	}
	o := v.AsObj()
	raw, err := m.Get(o, m.N.Size)
	if err != nil {
		return setRecord{}, err
	}
	f, err := m.ToFloat(raw)
	if err != nil {
		return setRecord{}, err
	}
	if f != f {
		return setRecord{}, m.TypeError("The .size property is NaN")
	}
	r := setRecord{obj: v, size: conv.ToIntegerOrInfinity(f)}
	if r.size < 0 {
		return setRecord{}, m.RangeError("'%s' is an invalid size", m.Describe(raw))
	}
	if r.has, err = m.Get(o, m.N.Has); err != nil {
		return setRecord{}, err
	}
	if !m.IsCallable(r.has) {
		return setRecord{}, m.TypeError("The .has property is not a function")
	}
	if r.keys, err = m.Get(o, m.N.Keys); err != nil {
		return setRecord{}, err
	}
	if !m.IsCallable(r.keys) {
		return setRecord{}, m.TypeError("The .keys property is not a function")
	}
	return r, nil
}

// contains asks the other set for a value.
func (r *setRecord) contains(m *vm.Machine, v vm.Value) (bool, error) {
	x, err := m.Call(r.has, r.obj, v)
	return err == nil && m.ToBoolean(x), err
}

// keysIterator is GetIteratorFromMethod of the other set's keys.
func (r *setRecord) keysIterator(m *vm.Machine) (vm.Iterator, error) {
	return m.IteratorFromMethod(r.obj, r.keys)
}

// eachKey calls f with each value of an iterator until it stops, which closes
// the iterator; an error of f does not.
func eachKey(m *vm.Machine, it *vm.Iterator, f func(v vm.Value) (stop bool, err error)) error {
	for {
		v, ok, err := m.Step(it)
		if err != nil || !ok {
			return err
		}
		stop, err := f(v)
		if err != nil {
			return err
		}
		if stop {
			return m.CloseIterator(it, nil)
		}
	}
}

// eachOwn calls f with each value of the set o, also with those added
// meanwhile, until it stops.
func eachOwn(m *vm.Machine, o vm.Obj, f func(v vm.Value) (stop bool, err error)) error {
	seq := 0.0
	for {
		if err := m.Charge(1); err != nil {
			return err
		}
		k, _, next, ok, err := m.H.TableNext(tableOf(m, o), seq)
		if err != nil || !ok {
			return err
		}
		seq = next
		if stop, err := f(k); stop || err != nil {
			return err
		}
	}
}

// setOperation reads this and the argument of a set method.
func setOperation(m *vm.Machine, c *vm.Call, method string) (vm.Obj, setRecord, error) {
	o, err := thisSet(m, c, "Set.prototype."+method)
	if err != nil {
		return 0, setRecord{}, err
	}
	r, err := getSetRecord(m, c.Arg(0), method)
	return o, r, err
}

// newSet makes an empty Set.
func newSet(m *vm.Machine) (vm.Obj, error) {
	o := m.H.NewObject(m.H.RootShape(m.Intrinsic(vm.SetPrototype)), heap.ClassSet)
	b, err := m.H.NewTable(0)
	if err != nil {
		return 0, err
	}
	setTable(m, o, b)
	return o, nil
}

// copySet makes a Set of o's values.
func copySet(m *vm.Machine, o vm.Obj) (vm.Obj, error) {
	out, err := newSet(m)
	if err != nil {
		return 0, err
	}
	return out, eachOwn(m, o, func(v vm.Value) (bool, error) {
		return false, tableAdd(m, out, v, vm.Undefined)
	})
}

// coversOwn reports whether o has at most as many values as the other set says
// it has: then the operations go through o.
func (r *setRecord) coversOwn(m *vm.Machine, o vm.Obj) bool {
	return float64(m.H.TableLen(tableOf(m, o))) <= r.size
}

// setUnion is Set.prototype.union (§24.2.4.17).
func setUnion(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "union")
	if err != nil {
		return vm.Undefined, err
	}
	it, err := r.keysIterator(m)
	if err != nil {
		return vm.Undefined, err
	}
	out, err := copySet(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(out), eachKey(m, &it, func(v vm.Value) (bool, error) {
		return false, setInsert(m, out, v)
	})
}

// setIntersection is Set.prototype.intersection (§24.2.4.9).
func setIntersection(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "intersection")
	if err != nil {
		return vm.Undefined, err
	}
	out, err := newSet(m)
	if err != nil {
		return vm.Undefined, err
	}
	if r.coversOwn(m, o) {
		return heap.ObjectValue(out), eachOwn(m, o, func(v vm.Value) (bool, error) {
			in, err := r.contains(m, v)
			if err != nil || !in {
				return false, err
			}
			return false, setInsert(m, out, v)
		})
	}
	it, err := r.keysIterator(m)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(out), eachKey(m, &it, func(v vm.Value) (bool, error) {
		in, err := tableHas(m, o, v)
		if err != nil || !in {
			return false, err
		}
		return false, setInsert(m, out, v)
	})
}

// setDifference is Set.prototype.difference (§24.2.4.5).
func setDifference(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "difference")
	if err != nil {
		return vm.Undefined, err
	}
	covers := r.coversOwn(m, o)
	out, err := copySet(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	if covers {
		return heap.ObjectValue(out), eachOwn(m, out, func(v vm.Value) (bool, error) {
			in, err := r.contains(m, v)
			if err != nil || !in {
				return false, err
			}
			_, err = tableDelete(m, out, v)
			return false, err
		})
	}
	it, err := r.keysIterator(m)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(out), eachKey(m, &it, func(v vm.Value) (bool, error) {
		_, err := tableDelete(m, out, v)
		return false, err
	})
}

// setSymmetricDifference is Set.prototype.symmetricDifference (§24.2.4.15).
func setSymmetricDifference(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "symmetricDifference")
	if err != nil {
		return vm.Undefined, err
	}
	it, err := r.keysIterator(m)
	if err != nil {
		return vm.Undefined, err
	}
	out, err := copySet(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(out), eachKey(m, &it, func(v vm.Value) (bool, error) {
		in, err := tableHas(m, o, v)
		if err != nil {
			return false, err
		}
		if in {
			_, err = tableDelete(m, out, v)
			return false, err
		}
		return false, setInsert(m, out, v)
	})
}

// setIsSubsetOf is Set.prototype.isSubsetOf (§24.2.4.11).
func setIsSubsetOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "isSubsetOf")
	if err != nil || !r.coversOwn(m, o) {
		return vm.False, err
	}
	all := true
	err = eachOwn(m, o, func(v vm.Value) (bool, error) {
		in, err := r.contains(m, v)
		all = in
		return !in, err
	})
	return heap.Bool(all), err
}

// setIsSupersetOf is Set.prototype.isSupersetOf (§24.2.4.12).
func setIsSupersetOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "isSupersetOf")
	if err != nil || float64(m.H.TableLen(tableOf(m, o))) < r.size {
		return vm.False, err
	}
	it, err := r.keysIterator(m)
	if err != nil {
		return vm.Undefined, err
	}
	all := true
	err = eachKey(m, &it, func(v vm.Value) (bool, error) {
		in, err := tableHas(m, o, v)
		all = in
		return !in, err
	})
	return heap.Bool(all), err
}

// setIsDisjointFrom is Set.prototype.isDisjointFrom (§24.2.4.10).
func setIsDisjointFrom(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, r, err := setOperation(m, &c, "isDisjointFrom")
	if err != nil {
		return vm.Undefined, err
	}
	disjoint := true
	if r.coversOwn(m, o) {
		err = eachOwn(m, o, func(v vm.Value) (bool, error) {
			in, err := r.contains(m, v)
			disjoint = !in
			return in, err
		})
		return heap.Bool(disjoint), err
	}
	it, err := r.keysIterator(m)
	if err != nil {
		return vm.Undefined, err
	}
	err = eachKey(m, &it, func(v vm.Value) (bool, error) {
		in, err := tableHas(m, o, v)
		disjoint = !in
		return in, err
	})
	return heap.Bool(disjoint), err
}
