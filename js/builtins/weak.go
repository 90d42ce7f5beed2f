package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupWeak makes WeakMap (§24.3), WeakSet (§24.4), WeakRef (§26.1) and
// FinalizationRegistry (§26.2). What their Data holds is described in package
// heap: a table with weak keys, the target, and the registry's block.
func setupWeak(b *vm.Builder) {
	objectProto := b.Intrinsic(vm.ObjectPrototype)

	wm := b.Set(vm.WeakMapPrototype, b.Object(objectProto))
	ctor := b.Set(vm.WeakMapConstructor, b.Ctor("WeakMap", 0, weakMapConstructor, wm, 0))
	b.Method(wm, "delete", 1, weakMapDelete)
	b.Method(wm, "get", 1, weakMapGet)
	b.Method(wm, "getOrInsert", 2, weakMapGetOrInsert)
	b.Method(wm, "getOrInsertComputed", 2, weakMapGetOrInsertComputed)
	b.Method(wm, "has", 1, weakMapHas)
	b.Method(wm, "set", 2, weakMapSet)
	b.Tag(wm, "WeakMap")
	b.GlobalObj("WeakMap", ctor)

	ws := b.Set(vm.WeakSetPrototype, b.Object(objectProto))
	ctor = b.Set(vm.WeakSetConstructor, b.Ctor("WeakSet", 0, weakSetConstructor, ws, 0))
	b.Method(ws, "add", 1, weakSetAdd)
	b.Method(ws, "delete", 1, weakSetDelete)
	b.Method(ws, "has", 1, weakSetHas)
	b.Tag(ws, "WeakSet")
	b.GlobalObj("WeakSet", ctor)

	wr := b.Set(vm.WeakRefPrototype, b.Object(objectProto))
	ctor = b.Set(vm.WeakRefConstructor, b.Ctor("WeakRef", 1, weakRefConstructor, wr, 0))
	b.Method(wr, "deref", 0, weakRefDeref)
	b.Tag(wr, "WeakRef")
	b.GlobalObj("WeakRef", ctor)

	fr := b.Set(vm.FinalizationRegistryPrototype, b.Object(objectProto))
	ctor = b.Set(vm.FinalizationRegistryConstructor, b.Ctor("FinalizationRegistry", 1, registryConstructor, fr, 0))
	b.Method(fr, "register", 2, registryRegister)
	b.Method(fr, "unregister", 1, registryUnregister)
	b.Tag(fr, "FinalizationRegistry")
	b.GlobalObj("FinalizationRegistry", ctor)
}

// weakMapConstructor is WeakMap(iterable) (§24.3.1.1).
func weakMapConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newCollection(m, &c, "WeakMap", vm.WeakMapPrototype, heap.ClassWeakMap)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), addEntries(m, o, c.Arg(0), m.N.Set, 0)
}

func thisWeakMap(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	return thisCollection(m, c, heap.ClassWeakMap, method)
}

func weakMapDelete(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeakMap(m, &c, "WeakMap.prototype.delete")
	if err != nil {
		return vm.Undefined, err
	}
	return weakDelete(m, o, c.Arg(0))
}

func weakDelete(m *vm.Machine, o vm.Obj, key vm.Value) (vm.Value, error) {
	if !m.CanBeHeldWeakly(key) {
		return vm.False, nil
	}
	ok, err := tableDelete(m, o, key)
	return heap.Bool(ok), err
}

func weakMapGet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeakMap(m, &c, "WeakMap.prototype.get")
	if err != nil || !m.CanBeHeldWeakly(c.Arg(0)) {
		return vm.Undefined, err
	}
	b := tableOf(m, o)
	pos, err := m.H.TableFind(b, c.Arg(0))
	if err != nil || pos < 0 {
		return vm.Undefined, err
	}
	_, v := m.H.TableEntry(b, pos)
	return v, nil
}

func weakMapHas(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeakMap(m, &c, "WeakMap.prototype.has")
	if err != nil || !m.CanBeHeldWeakly(c.Arg(0)) {
		return vm.False, err
	}
	ok, err := tableHas(m, o, c.Arg(0))
	return heap.Bool(ok), err
}

func weakMapSet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeakMap(m, &c, "WeakMap.prototype.set")
	if err != nil {
		return vm.Undefined, err
	}
	if err := weakMapKey(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	return c.This, tableSet(m, o, c.Arg(0), c.Arg(1))
}

func weakMapKey(m *vm.Machine, key vm.Value) error {
	if m.CanBeHeldWeakly(key) {
		return nil
	}
	return m.TypeError("Invalid value used as weak map key")
}

func weakMapGetOrInsert(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeakMap(m, &c, "WeakMap.prototype.getOrInsert")
	if err != nil {
		return vm.Undefined, err
	}
	if err := weakMapKey(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	return tableGetOrInsert(m, o, c.Arg(0), c.Arg(1))
}

func weakMapGetOrInsertComputed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeakMap(m, &c, "WeakMap.prototype.getOrInsertComputed")
	if err != nil {
		return vm.Undefined, err
	}
	if err := weakMapKey(m, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	return getOrCompute(m, o, c.Arg(0), c.Arg(1))
}

// weakSetConstructor is WeakSet(iterable) (§24.4.1.1).
func weakSetConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newCollection(m, &c, "WeakSet", vm.WeakSetPrototype, heap.ClassWeakSet)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), addValues(m, o, c.Arg(0), 0)
}

func weakSetAdd(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassWeakSet, "WeakSet.prototype.add")
	if err != nil {
		return vm.Undefined, err
	}
	if !m.CanBeHeldWeakly(c.Arg(0)) {
		return vm.Undefined, m.TypeError("Invalid value used in weak set")
	}
	return c.This, setInsert(m, o, c.Arg(0))
}

func weakSetDelete(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassWeakSet, "WeakSet.prototype.delete")
	if err != nil {
		return vm.Undefined, err
	}
	return weakDelete(m, o, c.Arg(0))
}

func weakSetHas(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassWeakSet, "WeakSet.prototype.has")
	if err != nil || !m.CanBeHeldWeakly(c.Arg(0)) {
		return vm.False, err
	}
	ok, err := tableHas(m, o, c.Arg(0))
	return heap.Bool(ok), err
}

// weakRefConstructor is WeakRef(target) (§26.1.1.1).
func weakRefConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Constructor WeakRef requires 'new'")
	}
	if !m.CanBeHeldWeakly(c.Arg(0)) {
		return vm.Undefined, m.TypeError("WeakRef: invalid target")
	}
	o, err := m.NewFrom(c.NewTarget, vm.WeakRefPrototype, heap.ClassWeakRef)
	if err != nil {
		return vm.Undefined, err
	}
	m.KeepAlive(c.Arg(0))
	m.H.ObjW(o).Data = c.Arg(0)
	return heap.ObjectValue(o), nil
}

// weakRefDeref is WeakRef.prototype.deref (§26.1.3.2).
func weakRefDeref(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassWeakRef, "WeakRef.prototype.deref")
	if err != nil {
		return vm.Undefined, err
	}
	v := m.H.Obj(o).Data
	if v != vm.Undefined {
		m.KeepAlive(v)
	}
	return v, nil
}

// registryConstructor is FinalizationRegistry(cleanupCallback) (§26.2.1.1).
func registryConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Constructor FinalizationRegistry requires 'new'")
	}
	if !m.IsCallable(c.Arg(0)) {
		return vm.Undefined, m.TypeError("FinalizationRegistry: cleanup must be callable")
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.FinalizationRegistryPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassFinalizationRegistry)
	m.H.ObjW(o).Data = m.NewRegistryData(c.Arg(0))
	return heap.ObjectValue(o), nil
}

func thisRegistry(m *vm.Machine, c *vm.Call, method string) (vm.Obj, error) {
	return thisCollection(m, c, heap.ClassFinalizationRegistry, "FinalizationRegistry.prototype."+method)
}

// registryRegister is FinalizationRegistry.prototype.register (§26.2.3.2).
func registryRegister(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisRegistry(m, &c, "register")
	if err != nil {
		return vm.Undefined, err
	}
	target, held, token := c.Arg(0), c.Arg(1), c.Arg(2)
	if !m.CanBeHeldWeakly(target) {
		return vm.Undefined, m.TypeError("FinalizationRegistry.prototype.register: invalid target")
	}
	if same, err := m.SameValue(target, held); err != nil {
		return vm.Undefined, err
	} else if same {
		return vm.Undefined, m.TypeError("FinalizationRegistry.prototype.register: target and holdings must not be same")
	}
	if token != vm.Undefined && !m.CanBeHeldWeakly(token) {
		return vm.Undefined, m.TypeError("Invalid unregisterToken ('%s')", m.Describe(token))
	}
	return vm.Undefined, m.RegisterCell(o, target, held, token)
}

// registryUnregister is FinalizationRegistry.prototype.unregister (§26.2.3.3).
func registryUnregister(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisRegistry(m, &c, "unregister")
	if err != nil {
		return vm.Undefined, err
	}
	if !m.CanBeHeldWeakly(c.Arg(0)) {
		return vm.Undefined, m.TypeError("Invalid unregisterToken ('%s')", m.Describe(c.Arg(0)))
	}
	removed, err := m.UnregisterCells(o, c.Arg(0))
	return heap.Bool(removed), err
}
