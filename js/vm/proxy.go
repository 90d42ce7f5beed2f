package vm

import "github.com/pinfold-js/pinfold/js/heap"

// Proxy exotic objects (§10.5).
//
// A proxy's Data is a block of values: target and handler, both Null when the
// proxy has been revoked. Its flags say whether it has [[Call]] and
// [[Construct]]: they are the target's when the proxy was made.
//
// A proxy's target and handler may be proxies, and prototype chains may lead
// through proxies without end, so every internal method counts one level of
// native nesting.

// NewProxy is ProxyCreate (§10.5.14).
func (m *Machine) NewProxy(target, handler Value) (Value, error) {
	if !target.IsObject() || !handler.IsObject() {
		return Undefined, m.TypeError("Cannot create proxy with a non-object as target or handler")
	}
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = target, handler
	o := m.H.NewObject(m.H.Obj(m.intrinsics[ProxyShape]).Shape, heap.ClassProxy)
	r := m.H.ObjW(o)
	r.Data = heap.ValuesValue(b)
	r.Flags |= heap.Exotic | m.H.Obj(target.AsObj()).Flags&(heap.Callable|heap.Constructor)
	return heap.ObjectValue(o), nil
}

// RevokeProxy makes every later operation on a proxy throw.
func (m *Machine) RevokeProxy(o Obj) {
	w := m.H.ValuesW(m.H.Obj(o).Data.AsBlock())
	w[0], w[1] = Null, Null
}

// ProxyParts returns target and handler of a proxy, Null when it is revoked.
func (m *Machine) ProxyParts(o Obj) (target, handler Value) {
	w := m.H.Values(m.H.Obj(o).Data.AsBlock())
	return w[0], w[1]
}

// proxyTrap begins an internal method: it counts a level of nesting, which the
// caller leaves when err is nil, and finds the trap, undefined if the handler
// has none.
func (m *Machine) proxyTrap(o Obj, name Key) (target Obj, handler, trap Value, err error) {
	if err = m.meter.EnterNative(); err != nil {
		return
	}
	if err = m.Charge(4); err == nil {
		var t Value
		t, handler = m.ProxyParts(o)
		if t == Null {
			err = m.TypeError("Cannot perform '%s' on a proxy that has been revoked", m.KeyString(name))
		} else {
			target = t.AsObj()
			trap, err = m.Get(handler.AsObj(), name)
		}
	}
	if err == nil && trap.IsNullish() {
		trap = Undefined
	} else if err == nil && !m.IsCallable(trap) {
		err = m.TypeError("'%s' returned for property '%s' of object '%s' is not a function", m.plainText(trap), m.KeyString(name), m.Describe(handler))
	}
	if err != nil {
		m.meter.LeaveNative()
	}
	return
}

// proxyGetPrototypeOf is [[GetPrototypeOf]] (§10.5.1).
func (m *Machine) proxyGetPrototypeOf(o Obj) (Obj, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapGetPrototypeOf)
	if err != nil {
		return 0, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.GetPrototypeOf(target)
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target))
	if err != nil {
		return 0, err
	}
	if !r.IsObject() && r != Null {
		return 0, m.TypeError("'getPrototypeOf' on proxy: trap returned neither object nor null")
	}
	proto := Obj(0)
	if r != Null {
		proto = r.AsObj()
	}
	ext, err := m.IsExtensible(target)
	if err != nil || ext {
		return proto, err
	}
	actual, err := m.GetPrototypeOf(target)
	if err != nil {
		return 0, err
	}
	if actual != proto {
		return 0, m.TypeError("'getPrototypeOf' on proxy: proxy target is non-extensible but the trap did not return its actual prototype")
	}
	return proto, nil
}

// proxySetPrototypeOf is [[SetPrototypeOf]] (§10.5.2).
func (m *Machine) proxySetPrototypeOf(o, proto Obj) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapSetPrototypeOf)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.SetPrototypeOf(target, proto)
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), objectOrNull(proto))
	if err != nil || !m.ToBoolean(r) {
		return false, err
	}
	ext, err := m.IsExtensible(target)
	if err != nil || ext {
		return ext, err
	}
	actual, err := m.GetPrototypeOf(target)
	if err != nil {
		return false, err
	}
	if actual != proto {
		return false, m.TypeError("'setPrototypeOf' on proxy: trap returned truish for setting a new prototype on the non-extensible proxy target")
	}
	return true, nil
}

func objectOrNull(o Obj) Value {
	if o == 0 {
		return Null
	}
	return heap.ObjectValue(o)
}

// proxyIsExtensible is [[IsExtensible]] (§10.5.3).
func (m *Machine) proxyIsExtensible(o Obj) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapIsExtensible)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.IsExtensible(target)
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target))
	if err != nil {
		return false, err
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return false, err
	}
	if m.ToBoolean(r) != ext {
		return false, m.TypeError("'isExtensible' on proxy: trap result does not reflect extensibility of proxy target (which is '%t')", ext)
	}
	return ext, nil
}

// proxyPreventExtensions is [[PreventExtensions]] (§10.5.4).
func (m *Machine) proxyPreventExtensions(o Obj) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapPreventExtensions)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.PreventExtensions(target)
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target))
	if err != nil || !m.ToBoolean(r) {
		return false, err
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return false, err
	}
	if ext {
		return false, m.TypeError("'preventExtensions' on proxy: trap returned truish but the proxy target is extensible")
	}
	return true, nil
}

// proxyGetOwn is [[GetOwnProperty]] (§10.5.5).
func (m *Machine) proxyGetOwn(o Obj, key Key) (Desc, bool, error) {
	none := Desc{Value: Empty, Get: Empty, Set: Empty}
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapGetOwnPropertyDescriptor)
	if err != nil {
		return none, false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.GetOwnProperty(target, key)
	}
	k, err := m.KeyValue(key)
	if err != nil {
		return none, false, err
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), k)
	if err != nil {
		return none, false, err
	}
	if !r.IsObject() && r != Undefined {
		return none, false, m.TypeError("'getOwnPropertyDescriptor' on proxy: trap returned neither object nor undefined for property '%s'", m.KeyString(key))
	}
	cur, exists, err := m.GetOwnProperty(target, key)
	if err != nil {
		return none, false, err
	}
	if r == Undefined {
		if !exists {
			return none, false, nil
		}
		if cur.Attrs&heap.Configurable == 0 {
			return none, false, m.TypeError("'getOwnPropertyDescriptor' on proxy: trap returned undefined for property '%s' which is non-configurable in the proxy target", m.KeyString(key))
		}
		ext, err := m.IsExtensible(target)
		if err != nil {
			return none, false, err
		}
		if !ext {
			return none, false, m.TypeError("'getOwnPropertyDescriptor' on proxy: trap returned undefined for property '%s' which exists in the non-extensible proxy target", m.KeyString(key))
		}
		return none, false, nil
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return none, false, err
	}
	d, err := m.ToPropertyDescriptor(r)
	if err != nil {
		return none, false, err
	}
	d = m.CompletePropertyDescriptor(d)
	ok, err := m.isCompatibleDescriptor(ext, d, cur, exists)
	if err != nil {
		return none, false, err
	}
	if !ok {
		return none, false, m.TypeError("'getOwnPropertyDescriptor' on proxy: trap returned descriptor for property '%s' that is incompatible with the existing property in the proxy target", m.KeyString(key))
	}
	if d.Attrs&heap.Configurable == 0 {
		if !exists || cur.Attrs&heap.Configurable != 0 {
			return none, false, m.TypeError("'getOwnPropertyDescriptor' on proxy: trap reported non-configurability for property '%s' which is either non-existent or configurable in the proxy target", m.KeyString(key))
		}
		if d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 && cur.Attrs&heap.Writable != 0 {
			return none, false, m.TypeError("'getOwnPropertyDescriptor' on proxy: trap reported non-configurable and writable for property '%s' which is non-configurable, non-writable in the proxy target", m.KeyString(key))
		}
	}
	return d, true, nil
}

// proxyDefine is [[DefineOwnProperty]] (§10.5.6).
func (m *Machine) proxyDefine(o Obj, key Key, d Desc) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapDefineProperty)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.DefineOwnProperty(target, key, d)
	}
	obj, err := m.FromPropertyDescriptor(d)
	if err != nil {
		return false, err
	}
	k, err := m.KeyValue(key)
	if err != nil {
		return false, err
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), k, obj)
	if err != nil || !m.ToBoolean(r) {
		return false, err
	}
	cur, exists, err := m.GetOwnProperty(target, key)
	if err != nil {
		return false, err
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return false, err
	}
	fixed := d.Has&heap.Configurable != 0 && d.Attrs&heap.Configurable == 0
	if !exists {
		if !ext {
			return false, m.TypeError("'defineProperty' on proxy: trap returned truish for adding property '%s'  to the non-extensible proxy target", m.KeyString(key))
		}
		if fixed {
			return false, m.notFixedInTarget(key)
		}
		return true, nil
	}
	ok, err := m.isCompatibleDescriptor(ext, d, cur, true)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, m.TypeError("'defineProperty' on proxy: trap returned truish for adding property '%s'  that is incompatible with the existing property in the proxy target", m.KeyString(key))
	}
	if fixed && cur.Attrs&heap.Configurable != 0 {
		return false, m.notFixedInTarget(key)
	}
	if cur.IsData() && cur.Attrs&(heap.Configurable|heap.Writable) == heap.Writable && d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
		return false, m.TypeError("'defineProperty' on proxy: trap returned truish for defining non-configurable property '%s' which cannot be non-writable", m.KeyString(key))
	}
	return true, nil
}

func (m *Machine) notFixedInTarget(key Key) error {
	return m.TypeError("'defineProperty' on proxy: trap returned truish for defining non-configurable property '%s' which is either non-existent or configurable in the proxy target", m.KeyString(key))
}

// proxyHas is [[HasProperty]] (§10.5.7).
func (m *Machine) proxyHas(o Obj, key Key) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapHas)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.HasProperty(target, key)
	}
	k, err := m.KeyValue(key)
	if err != nil {
		return false, err
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), k)
	if err != nil {
		return false, err
	}
	if m.ToBoolean(r) {
		return true, nil
	}
	cur, exists, err := m.GetOwnProperty(target, key)
	if err != nil || !exists {
		return false, err
	}
	if cur.Attrs&heap.Configurable == 0 {
		return false, m.TypeError("'has' on proxy: trap returned falsish for property '%s' which exists in the proxy target as non-configurable", m.KeyString(key))
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return false, err
	}
	if !ext {
		return false, m.TypeError("'has' on proxy: trap returned falsish for property '%s' but the proxy target is not extensible", m.KeyString(key))
	}
	return false, nil
}

// proxyGet is [[Get]] (§10.5.8).
func (m *Machine) proxyGet(o Obj, key Key, receiver Value) (Value, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapGet)
	if err != nil {
		return Undefined, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.GetWithReceiver(target, key, receiver)
	}
	k, err := m.KeyValue(key)
	if err != nil {
		return Undefined, err
	}
	v, err := m.Call(trap, handler, heap.ObjectValue(target), k, receiver)
	if err != nil {
		return Undefined, err
	}
	cur, exists, err := m.GetOwnProperty(target, key)
	if err != nil {
		return Undefined, err
	}
	if exists && cur.Attrs&heap.Configurable == 0 {
		if cur.IsAccessor() {
			if cur.Get == Undefined && v != Undefined {
				return Undefined, m.TypeError("'get' on proxy: property '%s' is a non-configurable accessor property on the proxy target and does not have a getter function, but the trap did not return 'undefined' (got '%s')", m.KeyString(key), m.plainText(v))
			}
		} else if cur.Attrs&heap.Writable == 0 {
			same, err := m.SameValue(v, cur.Value)
			if err != nil {
				return Undefined, err
			}
			if !same {
				return Undefined, m.TypeError("'get' on proxy: property '%s' is a read-only and non-configurable data property on the proxy target but the proxy did not return its actual value (expected '%s' but got '%s')", m.KeyString(key), m.plainText(cur.Value), m.plainText(v))
			}
		}
	}
	return v, nil
}

// plainText is Describe without the quotes around a string.
func (m *Machine) plainText(v Value) string {
	if v.IsString() {
		return m.short(v.AsStr())
	}
	return m.Describe(v)
}

// proxySet is [[Set]] (§10.5.9).
func (m *Machine) proxySet(o Obj, key Key, v Value, receiver Value) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapSet)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.SetWithReceiver(target, key, v, receiver)
	}
	k, err := m.KeyValue(key)
	if err != nil {
		return false, err
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), k, v, receiver)
	if err != nil || !m.ToBoolean(r) {
		return false, err
	}
	cur, exists, err := m.GetOwnProperty(target, key)
	if err != nil {
		return false, err
	}
	if exists && cur.Attrs&heap.Configurable == 0 {
		if cur.IsAccessor() {
			if cur.Set == Undefined {
				return false, m.TypeError("'set' on proxy: trap returned truish for property '%s' which exists in the proxy target as a non-configurable and non-writable accessor property without a setter", m.KeyString(key))
			}
		} else if cur.Attrs&heap.Writable == 0 {
			same, err := m.SameValue(v, cur.Value)
			if err != nil {
				return false, err
			}
			if !same {
				return false, m.TypeError("'set' on proxy: trap returned truish for property '%s' which exists in the proxy target as a non-configurable and non-writable data property with a different value", m.KeyString(key))
			}
		}
	}
	return true, nil
}

// proxyDelete is [[Delete]] (§10.5.10).
func (m *Machine) proxyDelete(o Obj, key Key) (bool, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapDeleteProperty)
	if err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.Delete(target, key)
	}
	k, err := m.KeyValue(key)
	if err != nil {
		return false, err
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), k)
	if err != nil || !m.ToBoolean(r) {
		return false, err
	}
	cur, exists, err := m.GetOwnProperty(target, key)
	if err != nil {
		return false, err
	}
	if !exists {
		return true, nil
	}
	if cur.Attrs&heap.Configurable == 0 {
		return false, m.TypeError("'deleteProperty' on proxy: trap returned truish for property '%s' which is non-configurable in the proxy target", m.KeyString(key))
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return false, err
	}
	if !ext {
		return false, m.TypeError("'deleteProperty' on proxy: trap returned truish for property '%s' but the proxy target is non-extensible", m.KeyString(key))
	}
	return true, nil
}

// proxyOwnKeys is [[OwnPropertyKeys]] (§10.5.11).
func (m *Machine) proxyOwnKeys(o Obj) ([]Key, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapOwnKeys)
	if err != nil {
		return nil, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.OwnKeys(target)
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target))
	if err != nil {
		return nil, err
	}
	keys, unseen, err := m.propertyKeyList(r)
	if err != nil {
		return nil, err
	}
	ext, err := m.IsExtensible(target)
	if err != nil {
		return nil, err
	}
	own, err := m.OwnKeys(target)
	if err != nil {
		return nil, err
	}
	var configurable []Key
	fixed := 0
	for i, k := range own {
		if err := m.Charge(1); err != nil {
			return nil, err
		}
		d, ok, err := m.GetOwnProperty(target, k)
		if err != nil {
			return nil, err
		}
		if ok && d.Attrs&heap.Configurable == 0 {
			own[fixed] = own[i]
			fixed++
		} else {
			configurable = append(configurable, k)
		}
	}
	if ext && fixed == 0 {
		return keys, nil
	}
	if err := m.Charge(len(own)); err != nil {
		return nil, err
	}
	for i, k := range own[:fixed] { //meter: charged above, the clock is looked at
		if err := m.pollAt(i); err != nil {
			return nil, err
		}
		if !unseen[k] {
			return nil, m.TypeError("'ownKeys' on proxy: trap result did not include '%s'", m.KeyString(k))
		}
		delete(unseen, k)
	}
	if ext {
		return keys, nil
	}
	for i, k := range configurable { //meter: charged above, the clock is looked at
		if err := m.pollAt(i); err != nil {
			return nil, err
		}
		if !unseen[k] {
			return nil, m.TypeError("'ownKeys' on proxy: trap result did not include '%s'", m.KeyString(k))
		}
		delete(unseen, k)
	}
	if len(unseen) > 0 {
		return nil, m.TypeError("'ownKeys' on proxy: trap returned extra keys but proxy target is non-extensible")
	}
	return keys, nil
}

// propertyKeyList is CreateListFromArrayLike(v, property-key) (§7.3.19) for a
// list that must be free of duplicates; it is returned as list and as set.
func (m *Machine) propertyKeyList(v Value) ([]Key, map[Key]bool, error) {
	vals, err := m.ListFromArrayLike(v)
	if err != nil {
		return nil, nil, err
	}
	if err := m.ChargeKeys(len(vals) * 4); err != nil {
		return nil, nil, err
	}
	keys := make([]Key, len(vals))
	set := make(map[Key]bool, len(vals))
	duplicate := false
	for i, x := range vals { //meter: charged above, the clock is looked at
		if err := m.pollAt(i); err != nil {
			return nil, nil, err
		}
		if !x.IsString() && !x.IsSymbol() {
			return nil, nil, m.TypeError("%s is not a valid property name", m.Describe(x))
		}
		k, err := m.ToKey(x)
		if err != nil {
			return nil, nil, err
		}
		duplicate = duplicate || set[k]
		keys[i], set[k] = k, true
	}
	if duplicate {
		return nil, nil, m.TypeError("'ownKeys' on proxy: trap returned duplicate entries")
	}
	return keys, set, nil
}

// pollAt looks at the clock at every 2048th step of a loop that was charged as a
// whole, and whose steps are slow.
func (m *Machine) pollAt(i int) error {
	if i&2047 != 2047 {
		return nil
	}
	return m.meter.Poll()
}

// proxyApply is [[Call]] (§10.5.12).
func (m *Machine) proxyApply(o Obj, this Value, args []Value) (Value, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapApply)
	if err != nil {
		return Undefined, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.Call(heap.ObjectValue(target), this, args...)
	}
	list, err := m.NewArray(args)
	if err != nil {
		return Undefined, err
	}
	return m.Call(trap, handler, heap.ObjectValue(target), this, heap.ObjectValue(list))
}

// proxyConstruct is [[Construct]] (§10.5.13).
func (m *Machine) proxyConstruct(o Obj, args []Value, newTarget Value) (Value, error) {
	target, handler, trap, err := m.proxyTrap(o, m.N.TrapConstruct)
	if err != nil {
		return Undefined, err
	}
	defer m.meter.LeaveNative()
	if trap == Undefined {
		return m.Construct(heap.ObjectValue(target), newTarget, args...)
	}
	list, err := m.NewArray(args)
	if err != nil {
		return Undefined, err
	}
	r, err := m.Call(trap, handler, heap.ObjectValue(target), heap.ObjectValue(list), newTarget)
	if err != nil {
		return Undefined, err
	}
	if !r.IsObject() {
		return Undefined, m.TypeError("'construct' on proxy: trap returned non-object ('%s')", m.plainText(r))
	}
	return r, nil
}

// proxyRefused is the exception for a trap that said no; nil when o is no
// proxy. Unlike the messages about other objects it asks nothing of the object,
// which would call traps.
func (m *Machine) proxyRefused(o Obj, trap, key Key) error {
	if m.H.Obj(o).Class != heap.ClassProxy {
		return nil
	}
	return m.TypeError("'%s' on proxy: trap returned falsish for property '%s'", m.KeyString(trap), m.KeyString(key))
}
