package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupMap makes Map (§24.1) and %MapIteratorPrototype% (§24.1.5).
func setupMap(b *vm.Builder) {
	proto := b.Set(vm.MapPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := b.Set(vm.MapConstructor, b.Ctor("Map", 0, mapConstructor, proto, 0))
	b.Method(ctor, "groupBy", 2, mapGroupBy)
	b.Getter(ctor, "@@species", returnThis, nil)
	b.Method(proto, "clear", 0, mapClear)
	b.Method(proto, "delete", 1, mapDelete)
	entries := b.Method(proto, "entries", 0, mapEntries)
	b.Method(proto, "forEach", 1, mapForEach)
	b.Method(proto, "get", 1, mapGet)
	b.Method(proto, "getOrInsert", 2, mapGetOrInsert)
	b.Method(proto, "getOrInsertComputed", 2, mapGetOrInsertComputed)
	b.Method(proto, "has", 1, mapHas)
	b.Method(proto, "keys", 0, mapKeys)
	b.Set(vm.MapProtoSet, b.Method(proto, "set", 2, mapSet))
	b.Getter(proto, "size", mapSize, nil)
	b.Method(proto, "values", 0, mapValues)
	b.Prop(proto, "@@iterator", heap.ObjectValue(entries), heap.HiddenAttrs)
	b.Tag(proto, "Map")
	b.GlobalObj("Map", ctor)

	ip := b.Set(vm.MapIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.MarkStep(b.Method(ip, "next", 0, mapIteratorNext))
	b.Tag(ip, "Map Iterator")
}

// tableOf returns the table of a Map, Set, WeakMap or WeakSet.
func tableOf(m *vm.Machine, o vm.Obj) heap.Block { return m.H.Obj(o).Data.AsBlock() }

// setTable replaces the table of a collection.
func setTable(m *vm.Machine, o vm.Obj, b heap.Block) { m.H.ObjW(o).Data = heap.ValuesValue(b) }

// newCollection makes the object of a collection's constructor.
func newCollection(m *vm.Machine, c *vm.Call, name string, proto vm.Intrinsic, class heap.Class) (vm.Obj, error) {
	if c.NewTarget == vm.Undefined {
		return 0, m.TypeError("Constructor %s requires 'new'", name)
	}
	o, err := m.NewFrom(c.NewTarget, proto, class)
	if err != nil {
		return 0, err
	}
	b, err := m.H.NewTable(0)
	if err != nil {
		return 0, err
	}
	setTable(m, o, b)
	return o, nil
}

// thisCollection checks this of a collection's method.
func thisCollection(m *vm.Machine, c *vm.Call, class heap.Class, method string) (vm.Obj, error) {
	if c.This.IsObject() && m.H.Obj(c.This.AsObj()).Class == class {
		return c.This.AsObj(), nil
	}
	return 0, m.TypeError("Method %s called on incompatible receiver %s", method, m.Describe(c.This))
}

// tableSet sets the value of a key in a collection's table.
func tableSet(m *vm.Machine, o vm.Obj, key, val vm.Value) error {
	key = heap.NormalizeKey(key)
	b := tableOf(m, o)
	pos, err := m.H.TableFind(b, key)
	if err != nil {
		return err
	}
	if pos >= 0 {
		m.H.SetTableValue(b, pos, val)
		return nil
	}
	return tableAdd(m, o, key, val)
}

// tableAdd adds a normalised key that the collection does not have.
func tableAdd(m *vm.Machine, o vm.Obj, key, val vm.Value) error {
	b := tableOf(m, o)
	nb, err := m.H.TableAdd(b, key, val)
	if err != nil {
		return err
	}
	if nb != b {
		setTable(m, o, nb)
	}
	return nil
}

// tableDelete removes a key and reports whether it was there.
func tableDelete(m *vm.Machine, o vm.Obj, key vm.Value) (bool, error) {
	b := tableOf(m, o)
	pos, err := m.H.TableFind(b, heap.NormalizeKey(key))
	if err != nil || pos < 0 {
		return false, err
	}
	return true, m.H.TableDelete(b, pos)
}

// tableHas reports whether a collection has a key.
func tableHas(m *vm.Machine, o vm.Obj, key vm.Value) (bool, error) {
	pos, err := m.H.TableFind(tableOf(m, o), heap.NormalizeKey(key))
	return pos >= 0, err
}

// mapConstructor is Map(iterable) (§24.1.1.1).
func mapConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newCollection(m, &c, "Map", vm.MapPrototype, heap.ClassMap)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), addEntries(m, o, c.Arg(0), m.N.Set, vm.MapProtoSet)
}

// addEntries is AddEntriesFromIterable (§24.1.1.2) with the method adderKey of
// o. original is the intrinsic that is called without looking when the method
// still is it; 0 when there is none.
func addEntries(m *vm.Machine, o vm.Obj, iterable vm.Value, adderKey vm.Key, original vm.Intrinsic) error {
	if iterable.IsNullish() {
		return nil
	}
	ov := heap.ObjectValue(o)
	adder, err := m.Get(o, adderKey)
	if err != nil {
		return err
	}
	if !m.IsCallable(adder) {
		return m.TypeError("'%s' returned for property '%s' of object '%s' is not a function", m.Describe(adder), m.KeyString(adderKey), m.Describe(ov))
	}
	direct := original != 0 && adder == heap.ObjectValue(m.Intrinsic(original))
	return m.Iterate(iterable, func(item vm.Value) (bool, error) {
		if !item.IsObject() {
			return false, m.TypeError("Iterator value %s is not an entry object", m.Describe(item))
		}
		k, err := getAt(m, item.AsObj(), 0)
		if err != nil {
			return false, err
		}
		v, err := getAt(m, item.AsObj(), 1)
		if err != nil {
			return false, err
		}
		if direct {
			return false, tableSet(m, o, k, v)
		}
		_, err = m.Call(adder, ov, k, v)
		return false, err
	})
}

// mapGroupBy is Map.groupBy (§24.1.2.1).
func mapGroupBy(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.NewFrom(vm.Undefined, vm.MapPrototype, heap.ClassMap)
	if err != nil {
		return vm.Undefined, err
	}
	b, err := m.H.NewTable(0)
	if err != nil {
		return vm.Undefined, err
	}
	setTable(m, o, b)
	at := m.Root(heap.ObjectValue(o))
	defer m.PopRoots(at)
	err = eachWithGroup(m, c.Arg(0), c.Arg(1), func(key, v vm.Value) error {
		key = heap.NormalizeKey(key)
		b := tableOf(m, o)
		pos, err := m.H.TableFind(b, key)
		if err != nil {
			return err
		}
		if pos >= 0 {
			_, group := m.H.TableEntry(b, pos)
			return m.H.Push(group.AsObj(), v)
		}
		group, err := m.NewArray([]vm.Value{v})
		if err != nil {
			return err
		}
		return tableAdd(m, o, key, heap.ObjectValue(group))
	})
	return heap.ObjectValue(o), err
}

func mapClear(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.clear")
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, clearCollection(m, o)
}

func clearCollection(m *vm.Machine, o vm.Obj) error {
	b, err := m.H.ClearTable(tableOf(m, o))
	if err != nil {
		return err
	}
	setTable(m, o, b)
	return nil
}

func mapDelete(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.delete")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := tableDelete(m, o, c.Arg(0))
	return heap.Bool(ok), err
}

func mapGet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.get")
	if err != nil {
		return vm.Undefined, err
	}
	b := tableOf(m, o)
	pos, err := m.H.TableFind(b, heap.NormalizeKey(c.Arg(0)))
	if err != nil || pos < 0 {
		return vm.Undefined, err
	}
	_, v := m.H.TableEntry(b, pos)
	return v, nil
}

func mapHas(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.has")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := tableHas(m, o, c.Arg(0))
	return heap.Bool(ok), err
}

func mapSet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.set")
	if err != nil {
		return vm.Undefined, err
	}
	return c.This, tableSet(m, o, c.Arg(0), c.Arg(1))
}

// mapGetOrInsert is Map.prototype.getOrInsert.
func mapGetOrInsert(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.getOrInsert")
	if err != nil {
		return vm.Undefined, err
	}
	return tableGetOrInsert(m, o, heap.NormalizeKey(c.Arg(0)), c.Arg(1))
}

func tableGetOrInsert(m *vm.Machine, o vm.Obj, key, val vm.Value) (vm.Value, error) {
	b := tableOf(m, o)
	pos, err := m.H.TableFind(b, key)
	if err != nil {
		return vm.Undefined, err
	}
	if pos >= 0 {
		_, v := m.H.TableEntry(b, pos)
		return v, nil
	}
	return val, tableAdd(m, o, key, val)
}

// mapGetOrInsertComputed is Map.prototype.getOrInsertComputed.
func mapGetOrInsertComputed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.getOrInsertComputed")
	if err != nil {
		return vm.Undefined, err
	}
	return getOrCompute(m, o, c.Arg(0), c.Arg(1))
}

// getOrCompute is what getOrInsertComputed of Map and WeakMap do.
func getOrCompute(m *vm.Machine, o vm.Obj, key, callback vm.Value) (vm.Value, error) {
	if err := callable(m, callback); err != nil {
		return vm.Undefined, err
	}
	key = heap.NormalizeKey(key)
	b := tableOf(m, o)
	pos, err := m.H.TableFind(b, key)
	if err != nil {
		return vm.Undefined, err
	}
	if pos >= 0 {
		_, v := m.H.TableEntry(b, pos)
		return v, nil
	}
	v, err := m.Call(callback, vm.Undefined, key)
	if err != nil {
		return vm.Undefined, err
	}
	return v, tableSet(m, o, key, v)
}

func mapSize(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "get Map.prototype.size")
	if err != nil {
		return vm.Undefined, err
	}
	return heap.Int(int32(m.H.TableLen(tableOf(m, o)))), nil
}

func mapForEach(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisCollection(m, &c, heap.ClassMap, "Map.prototype.forEach")
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, tableForEach(m, o, &c, false)
}

// tableForEach calls back with the entries of a collection, which is this;
// those added meanwhile too.
func tableForEach(m *vm.Machine, o vm.Obj, c *vm.Call, set bool) error {
	fn := c.Arg(0)
	if !m.IsCallable(fn) {
		return m.TypeError("%s is not a function", m.CallSite(fn))
	}
	seq := 0.0
	for {
		if err := m.Charge(1); err != nil {
			return err
		}
		k, v, next, ok, err := m.H.TableNext(tableOf(m, o), seq)
		if err != nil || !ok {
			return err
		}
		seq = next
		if set {
			v = k
		}
		if _, err := m.CallRooted(fn, c.Arg(1), v, k, c.This); err != nil {
			return err
		}
	}
}

// Map and Set iterators are of ClassIterator with Length iterMap or iterSet.
// Data is a block: the collection, or undefined when done; the sequence number
// of the next entry; the kind.
const (
	tableIterObject = iota
	tableIterSeq
	tableIterKind
	tableIterSize
)

func newTableIterator(m *vm.Machine, o vm.Obj, proto vm.Intrinsic, which uint32, kind int32) vm.Value {
	b := m.H.NewSmallValues(tableIterSize)
	w := m.H.ValuesW(b)
	w[tableIterObject], w[tableIterSeq], w[tableIterKind] = heap.ObjectValue(o), heap.Int(0), heap.Int(kind)
	return newIteratorObject(m, proto, which, b)
}

func mapIterator(m *vm.Machine, c *vm.Call, method string, kind int32) (vm.Value, error) {
	o, err := thisCollection(m, c, heap.ClassMap, method)
	if err != nil {
		return vm.Undefined, err
	}
	return newTableIterator(m, o, vm.MapIteratorPrototype, iterMap, kind), nil
}

func mapEntries(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return mapIterator(m, &c, "Map.prototype.entries", kindEntries)
}

func mapKeys(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return mapIterator(m, &c, "Map.prototype.keys", kindKeys)
}

func mapValues(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return mapIterator(m, &c, "Map.prototype.values", kindValues)
}

// mapIteratorNext is %MapIteratorPrototype%.next (§24.1.5.2.1).
func mapIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterMap)
	if !ok {
		return vm.Undefined, m.TypeError("Method Map Iterator.prototype.next called on incompatible receiver %s", m.Describe(c.This))
	}
	return tableIteratorNext(m, &c, b, false)
}

func tableIteratorNext(m *vm.Machine, c *vm.Call, b heap.Block, set bool) (vm.Value, error) {
	coll := m.H.Word(b, tableIterObject)
	if coll == vm.Undefined {
		return m.StepResult(c, vm.Undefined, true), nil
	}
	k, v, next, ok, err := m.H.TableNext(tableOf(m, coll.AsObj()), m.H.Word(b, tableIterSeq).AsFloat())
	if err != nil {
		return vm.Undefined, err
	}
	if !ok {
		m.H.SetWord(b, tableIterObject, vm.Undefined)
		return m.StepResult(c, vm.Undefined, true), nil
	}
	m.H.SetWord(b, tableIterSeq, heap.Number(next))
	if set {
		v = k
	}
	switch m.H.Word(b, tableIterKind).AsInt() {
	case kindKeys:
		v = k
	case kindEntries:
		pair, err := m.NewArray([]vm.Value{k, v})
		if err != nil {
			return vm.Undefined, err
		}
		v = heap.ObjectValue(pair)
	}
	return m.StepResult(c, v, false), nil
}
