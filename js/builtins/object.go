package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupObject makes the Object constructor and completes %Object.prototype%
// (§20.1).
func setupObject(b *vm.Builder) {
	proto := b.Intrinsic(vm.ObjectPrototype)
	c := b.Set(vm.ObjectConstructor, b.Ctor("Object", 1, objectConstructor, proto, 0))
	b.GlobalObj("Object", c)
	b.Method(c, "assign", 2, objectAssign)
	b.Method(c, "create", 2, objectCreate)
	b.Method(c, "defineProperties", 2, objectDefineProperties)
	b.Method(c, "defineProperty", 3, objectDefineProperty)
	b.Method(c, "entries", 1, objectEntries)
	b.Method(c, "freeze", 1, objectFreeze)
	b.Method(c, "fromEntries", 1, objectFromEntries)
	b.Method(c, "getOwnPropertyDescriptor", 2, objectGetOwnPropertyDescriptor)
	b.Method(c, "getOwnPropertyDescriptors", 1, objectGetOwnPropertyDescriptors)
	b.Method(c, "getOwnPropertyNames", 1, objectGetOwnPropertyNames)
	b.Method(c, "getOwnPropertySymbols", 1, objectGetOwnPropertySymbols)
	b.Method(c, "getPrototypeOf", 1, objectGetPrototypeOf)
	b.Method(c, "groupBy", 2, objectGroupBy)
	b.Method(c, "hasOwn", 2, objectHasOwn)
	b.Method(c, "is", 2, objectIs)
	b.Method(c, "isExtensible", 1, objectIsExtensible)
	b.Method(c, "isFrozen", 1, objectIsFrozen)
	b.Method(c, "isSealed", 1, objectIsSealed)
	b.Method(c, "keys", 1, objectKeys)
	b.Method(c, "preventExtensions", 1, objectPreventExtensions)
	b.Method(c, "seal", 1, objectSeal)
	b.Method(c, "setPrototypeOf", 2, objectSetPrototypeOf)
	b.Method(c, "values", 1, objectValues)
	setupObjectPrototype(b, proto)
}

func objectConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget != vm.Undefined && c.NewTarget != heap.ObjectValue(c.Callee) {
		o, err := m.NewFrom(c.NewTarget, vm.ObjectPrototype, heap.ClassObject)
		return heap.ObjectValue(o), err
	}
	v := c.Arg(0)
	if v.IsNullish() {
		return heap.ObjectValue(m.NewPlain()), nil
	}
	o, err := m.ToObject(v)
	return heap.ObjectValue(o), err
}

// isOrdinaryNow reports whether an object's own properties can be read from
// the heap directly.
func isOrdinaryNow(m *vm.Machine, o vm.Obj) bool {
	rec := m.H.Obj(o)
	return rec.Flags&(heap.Exotic|heap.LazyProps) == 0
}

// ownEnumerable reads own property key if it is enumerable: the second half of
// EnumerableOwnProperties (§7.3.24) and of CopyDataProperties.
func ownEnumerable(m *vm.Machine, o vm.Obj, key vm.Key) (vm.Value, bool, error) {
	if isOrdinaryNow(m, o) {
		var v vm.Value
		var a heap.Attrs
		var ok bool
		if key.IsIndex() {
			v, a, ok = m.H.GetElem(o, key.Index())
		} else {
			v, a, ok = m.H.GetNamed(o, key.Name())
		}
		if !ok || a&heap.Enumerable == 0 {
			return vm.Undefined, false, nil // an array's length is not enumerable either
		}
		if a&heap.Accessor == 0 {
			return v, true, nil
		}
		v, err := m.Get(o, key)
		return v, true, err
	}
	d, ok, err := m.GetOwnProperty(o, key)
	if err != nil || !ok || d.Attrs&heap.Enumerable == 0 {
		return vm.Undefined, false, err
	}
	v, err := m.Get(o, key)
	return v, true, err
}

// objectAssign is Object.assign (§20.1.2.1).
func objectAssign(m *vm.Machine, c vm.Call) (vm.Value, error) {
	to, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	for i := 1; i < len(c.Args); i++ { //meter: arguments, which the call was charged for
		if c.Args[i].IsNullish() {
			continue
		}
		from, err := m.ToObject(c.Args[i])
		if err != nil {
			return vm.Undefined, err
		}
		keys, err := m.OwnKeys(from)
		if err != nil {
			return vm.Undefined, err
		}
		for _, k := range keys {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			v, ok, err := ownEnumerable(m, from, k)
			if err != nil {
				return vm.Undefined, err
			}
			if !ok {
				continue
			}
			if err := m.Put(to, k, v); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return heap.ObjectValue(to), nil
}

// objectCreate is Object.create (§20.1.2.2).
func objectCreate(m *vm.Machine, c vm.Call) (vm.Value, error) {
	p := c.Arg(0)
	if !p.IsObject() && p != vm.Null {
		return vm.Undefined, m.TypeError("Object prototype may only be an Object or null: %s", m.Describe(p))
	}
	proto := vm.Obj(0)
	if p != vm.Null {
		proto = p.AsObj()
	}
	o := m.NewWithProto(proto)
	if c.Arg(1) != vm.Undefined {
		if err := defineProperties(m, o, c.Arg(1)); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

// defineProperties is ObjectDefineProperties (§20.1.2.3.1).
func defineProperties(m *vm.Machine, o vm.Obj, v vm.Value) error {
	props, err := m.ToObject(v)
	if err != nil {
		return err
	}
	keys, err := m.OwnKeys(props)
	if err != nil {
		return err
	}
	if err := m.ChargeKeys(len(keys) * 5); err != nil {
		return err
	}
	type entry struct {
		key  vm.Key
		desc vm.Desc
	}
	var list []entry
	for _, k := range keys {
		if err := m.Charge(1); err != nil {
			return err
		}
		x, ok, err := ownEnumerable(m, props, k)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		d, err := m.ToPropertyDescriptor(x)
		if err != nil {
			return err
		}
		list = append(list, entry{k, d})
	}
	for _, e := range list {
		if err := m.Charge(1); err != nil {
			return err
		}
		if err := m.DefineOrThrow(o, e.key, e.desc); err != nil {
			return err
		}
	}
	return nil
}

func objectDefineProperties(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.Undefined, m.TypeError("Object.defineProperties called on non-object")
	}
	return c.Arg(0), defineProperties(m, c.Arg(0).AsObj(), c.Arg(1))
}

// objectDefineProperty is Object.defineProperty (§20.1.2.4).
func objectDefineProperty(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.Undefined, m.TypeError("Object.defineProperty called on non-object")
	}
	key, err := m.ToKey(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	d, err := m.ToPropertyDescriptor(c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	return c.Arg(0), m.DefineOrThrow(c.Arg(0).AsObj(), key, d)
}

// What EnumerableOwnProperties lists.
type ownListKind int

const (
	listKeys ownListKind = iota
	listValues
	listEntries
)

// enumerableOwn is EnumerableOwnProperties (§7.3.24) of ToObject(v), as an
// array.
func enumerableOwn(m *vm.Machine, v vm.Value, kind ownListKind) (vm.Value, error) {
	o, err := m.ToObject(v)
	if err != nil {
		return vm.Undefined, err
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.ChargeKeys(len(keys)); err != nil {
		return vm.Undefined, err
	}
	vals := make([]vm.Value, 0, len(keys))
	for _, k := range keys {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if k.IsSymbol() {
			continue
		}
		var x vm.Value
		var ok bool
		if kind == listKeys {
			ok, err = isOwnEnumerable(m, o, k)
		} else {
			x, ok, err = ownEnumerable(m, o, k)
		}
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			continue
		}
		if kind != listValues {
			name, err := m.KeyValue(k)
			if err != nil {
				return vm.Undefined, err
			}
			if kind == listKeys {
				x = name
			} else {
				if err := m.Charge(1); err != nil {
					return vm.Undefined, err
				}
				pair, err := m.NewArray([]vm.Value{name, x})
				if err != nil {
					return vm.Undefined, err
				}
				x = heap.ObjectValue(pair)
			}
		}
		vals = append(vals, x)
	}
	a, err := m.NewArray(vals)
	return heap.ObjectValue(a), err
}

func isOwnEnumerable(m *vm.Machine, o vm.Obj, key vm.Key) (bool, error) {
	if isOrdinaryNow(m, o) && !key.IsIndex() {
		_, a, ok := m.H.GetNamed(o, key.Name())
		return ok && a&heap.Enumerable != 0, nil
	}
	d, ok, err := m.GetOwnProperty(o, key)
	return ok && d.Attrs&heap.Enumerable != 0, err
}

func objectKeys(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return enumerableOwn(m, c.Arg(0), listKeys)
}

func objectValues(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return enumerableOwn(m, c.Arg(0), listValues)
}

func objectEntries(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return enumerableOwn(m, c.Arg(0), listEntries)
}

// setIntegrity is the common part of Object.freeze and Object.seal.
func setIntegrity(m *vm.Machine, v vm.Value, level vm.IntegrityLevel, verb string) (vm.Value, error) {
	if !v.IsObject() {
		return v, nil
	}
	o := v.AsObj()
	if level == vm.Frozen && m.H.Obj(o).Class == heap.ClassTypedArray && !m.IsImmutable(m.ViewBuffer(o)) {
		n, err := m.LengthOf(o)
		if err != nil {
			return vm.Undefined, err
		}
		if n > 0 {
			return vm.Undefined, m.TypeError("Cannot freeze array buffer views with elements")
		}
	}
	ok, err := m.SetIntegrityLevel(o, level)
	if err != nil {
		return vm.Undefined, err
	}
	if !ok {
		return vm.Undefined, cannotPreventExtensions(m, o, verb)
	}
	return v, nil
}

func cannotPreventExtensions(m *vm.Machine, o vm.Obj, verb string) error {
	if m.H.Obj(o).Class == heap.ClassProxy {
		return m.TypeError("'preventExtensions' on proxy: trap returned falsish")
	}
	return m.TypeError("Cannot %s %s", verb, m.Describe(heap.ObjectValue(o)))
}

func objectFreeze(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return setIntegrity(m, c.Arg(0), vm.Frozen, "freeze")
}

func objectSeal(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return setIntegrity(m, c.Arg(0), vm.Sealed, "seal")
}

func objectPreventExtensions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if !v.IsObject() {
		return v, nil
	}
	ok, err := m.PreventExtensions(v.AsObj())
	if err == nil && !ok {
		err = cannotPreventExtensions(m, v.AsObj(), "prevent extensions")
	}
	return v, err
}

func objectIsExtensible(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.False, nil
	}
	ok, err := m.IsExtensible(c.Arg(0).AsObj())
	return heap.Bool(ok), err
}

func objectIsFrozen(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.True, nil
	}
	ok, err := m.TestIntegrityLevel(c.Arg(0).AsObj(), vm.Frozen)
	return heap.Bool(ok), err
}

func objectIsSealed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.True, nil
	}
	ok, err := m.TestIntegrityLevel(c.Arg(0).AsObj(), vm.Sealed)
	return heap.Bool(ok), err
}

// objectFromEntries is Object.fromEntries (§20.1.2.7).
func objectFromEntries(m *vm.Machine, c vm.Call) (vm.Value, error) {
	src := c.Arg(0)
	if src.IsNullish() {
		return vm.Undefined, m.TypeError("%s is not iterable", m.Describe(src))
	}
	o := m.NewPlain()
	err := m.Iterate(src, func(e vm.Value) (bool, error) {
		if !e.IsObject() {
			return false, m.TypeError("Iterator value %s is not an entry object", m.Describe(e))
		}
		k, err := m.Get(e.AsObj(), heap.IndexKey(0))
		if err != nil {
			return false, err
		}
		v, err := m.Get(e.AsObj(), heap.IndexKey(1))
		if err != nil {
			return false, err
		}
		key, err := m.ToKey(k)
		if err != nil {
			return false, err
		}
		return false, m.CreateDataOrThrow(o, key, v)
	})
	return heap.ObjectValue(o), err
}

func objectGetOwnPropertyDescriptor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	key, err := m.ToKey(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	return ownDescriptor(m, o, key)
}

// ownDescriptor is FromPropertyDescriptor(O.[[GetOwnProperty]](key)).
func ownDescriptor(m *vm.Machine, o vm.Obj, key vm.Key) (vm.Value, error) {
	d, ok, err := m.GetOwnProperty(o, key)
	if err != nil || !ok {
		return vm.Undefined, err
	}
	return m.FromPropertyDescriptor(d)
}

func objectGetOwnPropertyDescriptors(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return vm.Undefined, err
	}
	out := m.NewPlain()
	for _, k := range keys {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		d, err := ownDescriptor(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if d == vm.Undefined {
			continue
		}
		if err := m.CreateDataOrThrow(out, k, d); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(out), nil
}

// ownKeyList is GetOwnPropertyKeys (§20.1.2.11.1).
func ownKeyList(m *vm.Machine, v vm.Value, symbols bool) (vm.Value, error) {
	o, err := m.ToObject(v)
	if err != nil {
		return vm.Undefined, err
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return vm.Undefined, err
	}
	return keyArray(m, keys, func(k vm.Key) bool { return k.IsSymbol() == symbols })
}

// keyArray makes an array of the keys that keep accepts; nil keeps all.
func keyArray(m *vm.Machine, keys []vm.Key, keep func(vm.Key) bool) (vm.Value, error) {
	if err := m.ChargeKeys(len(keys)); err != nil {
		return vm.Undefined, err
	}
	vals := make([]vm.Value, 0, len(keys))
	for _, k := range keys { //meter: charged above
		if keep != nil && !keep(k) {
			continue
		}
		v, err := m.KeyValue(k)
		if err != nil {
			return vm.Undefined, err
		}
		vals = append(vals, v)
	}
	a, err := m.NewArray(vals)
	return heap.ObjectValue(a), err
}

func objectGetOwnPropertyNames(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return ownKeyList(m, c.Arg(0), false)
}

func objectGetOwnPropertySymbols(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return ownKeyList(m, c.Arg(0), true)
}

func protoValue(o vm.Obj) vm.Value {
	if o == 0 {
		return vm.Null
	}
	return heap.ObjectValue(o)
}

func objectGetPrototypeOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	p, err := m.GetPrototypeOf(o)
	return protoValue(p), err
}

func objectHasOwn(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	key, err := m.ToKey(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.HasOwn(o, key)
	return heap.Bool(ok), err
}

func objectIs(m *vm.Machine, c vm.Call) (vm.Value, error) {
	same, err := m.SameValue(c.Arg(0), c.Arg(1))
	return heap.Bool(same), err
}

// objectSetPrototypeOf is Object.setPrototypeOf (§20.1.2.23).
func objectSetPrototypeOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, p := c.Arg(0), c.Arg(1)
	if v.IsNullish() {
		return vm.Undefined, m.TypeError("Object.setPrototypeOf called on null or undefined")
	}
	if !p.IsObject() && p != vm.Null {
		return vm.Undefined, m.TypeError("Object prototype may only be an Object or null: %s", m.Describe(p))
	}
	return v, setPrototype(m, v, p)
}

// setPrototype sets the prototype of v, if it is an object, and throws when
// that fails.
func setPrototype(m *vm.Machine, v, p vm.Value) error {
	if !v.IsObject() {
		return nil
	}
	o, proto := v.AsObj(), vm.Obj(0)
	if p != vm.Null {
		proto = p.AsObj()
	}
	ok, err := m.SetPrototypeOf(o, proto)
	if ok || err != nil {
		return err
	}
	switch rec := m.H.Obj(o); {
	case rec.Class == heap.ClassProxy:
		return m.TypeError("'setPrototypeOf' on proxy: trap returned falsish for property 'undefined'")
	case o == m.Intrinsic(vm.ObjectPrototype):
		return m.TypeError("Immutable prototype object 'Object.prototype' cannot have their prototype set")
	case rec.Flags&heap.NonExtensible != 0 || rec.Class == heap.ClassNamespace:
		return m.TypeError("%s is not extensible", m.Describe(v))
	}
	return m.TypeError("Cyclic __proto__ value")
}
