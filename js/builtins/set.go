package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupSet makes Set (§24.2) and %SetIteratorPrototype% (§24.2.6).
func setupSet(b *vm.Builder) {
	proto := b.Set(vm.SetPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := b.Set(vm.SetConstructor, b.Ctor("Set", 0, setConstructor, proto, 0))
	b.Getter(ctor, "@@species", returnThis, nil)
	b.Set(vm.SetProtoAdd, b.Method(proto, "add", 1, setAdd))
	b.Method(proto, "clear", 0, setClear)
	b.Method(proto, "delete", 1, setDelete)
	b.Method(proto, "difference", 1, setDifference)
	b.Method(proto, "entries", 0, setEntries)
	b.Method(proto, "forEach", 1, setForEach)
	b.Method(proto, "has", 1, setHas)
	b.Method(proto, "intersection", 1, setIntersection)
	b.Method(proto, "isDisjointFrom", 1, setIsDisjointFrom)
	b.Method(proto, "isSubsetOf", 1, setIsSubsetOf)
	b.Method(proto, "isSupersetOf", 1, setIsSupersetOf)
	values := b.Func("values", 0, setValues)
	b.Prop(proto, "keys", heap.ObjectValue(values), heap.HiddenAttrs)
	b.Getter(proto, "size", setSize, nil)
	b.Method(proto, "symmetricDifference", 1, setSymmetricDifference)
	b.Method(proto, "union", 1, setUnion)
	b.Prop(proto, "values", heap.ObjectValue(values), heap.HiddenAttrs)
	b.Prop(proto, "@@iterator", heap.ObjectValue(values), heap.HiddenAttrs)
	b.Tag(proto, "Set")
	b.GlobalObj("Set", ctor)

	ip := b.Set(vm.SetIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.MarkStep(b.Method(ip, "next", 0, setIteratorNext))
	b.Tag(ip, "Set Iterator")
}

// setConstructor is Set(iterable) (§24.2.2.1).
func setConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newCollection(m, &c, "Set", vm.SetPrototype, heap.ClassSet)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), addValues(m, o, c.Arg(0), vm.SetProtoAdd)
}

// addValues adds the values of an iterable through o's method add, directly
// while it is the original intrinsic.
func addValues(m *vm.Machine, o vm.Obj, iterable vm.Value, original vm.Intrinsic) error {
	if iterable.IsNullish() {
		return nil
	}
	ov := heap.ObjectValue(o)
	adder, err := m.Get(o, m.N.Add)
	if err != nil {
		return err
	}
	if !m.IsCallable(adder) {
		return m.TypeError("'%s' returned for property 'add' of object '%s' is not a function", m.Describe(adder), m.Describe(ov))
	}
	direct := original != 0 && adder == heap.ObjectValue(m.Intrinsic(original))
	return m.Iterate(iterable, func(v vm.Value) (bool, error) {
		if direct {
			return false, setInsert(m, o, v)
		}
		_, err := m.Call(adder, ov, v)
		return false, err
	})
}

// setInsert adds a value unless it is there.
func setInsert(m *vm.Machine, o vm.Obj, v vm.Value) error {
	v = heap.NormalizeKey(v)
	pos, err := m.H.TableFind(tableOf(m, o), v)
	if err != nil || pos >= 0 {
		return err
	}
	return tableAdd(m, o, v, vm.Undefined)
}

func thisSet(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	return thisCollection(m, c, heap.ClassSet, method)
}

func setAdd(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.add")
	if err != nil {
		return vm.Undefined, err
	}
	return c.This, setInsert(m, o, c.Arg(0))
}

func setClear(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.clear")
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, clearCollection(m, o)
}

func setDelete(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.delete")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := tableDelete(m, o, c.Arg(0))
	return heap.Bool(ok), err
}

func setHas(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.has")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := tableHas(m, o, c.Arg(0))
	return heap.Bool(ok), err
}

func setSize(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "get Set.prototype.size")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.Int(int32(m.H.TableLen(tableOf(m, o)))), nil
}

func setForEach(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.forEach")
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, tableForEach(m, o, &c, true)
}

func setValues(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.values")
	if err != nil {
		return vm.Undefined, err
	}
	return newTableIterator(m, o, vm.SetIteratorPrototype, iterSet, kindValues), nil
}

func setEntries(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisSet(m, &c, "Set.prototype.entries")
	if err != nil {
		return vm.Undefined, err
	}
	return newTableIterator(m, o, vm.SetIteratorPrototype, iterSet, kindEntries), nil
}

// setIteratorNext is %SetIteratorPrototype%.next (§24.2.6.2.1).
func setIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterSet)
	if !ok {
		return vm.Undefined, m.TypeError("Method Set Iterator.prototype.next called on incompatible receiver %s", m.Describe(c.This))
	}
	return tableIteratorNext(m, &c, b, true)
}
