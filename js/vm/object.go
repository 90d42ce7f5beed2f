package vm

import (
	"github.com/pinfold-js/pinfold/js/heap"
)

// Desc is a property descriptor (ECMA-262 §6.2.6). Fields that are absent are
// Empty; Has says which attributes are present.
type Desc struct {
	Value, Get, Set Value
	Attrs           heap.Attrs // Writable, Enumerable, Configurable
	Has             heap.Attrs // which of them are present
}

// DataDesc makes a complete data descriptor.
func DataDesc(v Value, attrs heap.Attrs) Desc {
	return Desc{Value: v, Get: Empty, Set: Empty, Attrs: attrs, Has: heap.DefaultAttrs}
}

// AccessorDesc makes a complete accessor descriptor.
func AccessorDesc(get, set Value, attrs heap.Attrs) Desc {
	return Desc{Value: Empty, Get: get, Set: set, Attrs: attrs &^ heap.Writable, Has: heap.Enumerable | heap.Configurable}
}

// IsAccessor and IsData classify descriptors; one that is neither is generic.
func (d *Desc) IsAccessor() bool { return d.Get != Empty || d.Set != Empty }
func (d *Desc) IsData() bool     { return d.Value != Empty || d.Has&heap.Writable != 0 }

// Each chainStep prototypes that are walked beyond the first ones are chainFuel
// units.
const (
	chainStep = 16
	chainFuel = 8
)

// ownRaw finds an own property of an object that is not a proxy: the value in
// its slot (a pair for an accessor) and its attributes.
func (m *Machine) ownRaw(o Obj, key Key) (Value, heap.Attrs, bool, error) {
	rec := m.H.Obj(o)
	if rec.Flags&(heap.Exotic|heap.LazyProps) != 0 {
		return m.exoticOwn(o, key)
	}
	if key.IsIndex() {
		v, a, ok := m.H.GetElem(o, key.Index())
		return v, a, ok, nil
	}
	if rec.Class == heap.ClassArray && key == m.N.Length {
		return arrayLength(rec), lengthAttrs(rec), true, nil
	}
	v, a, ok := m.H.GetNamed(o, key.Name())
	return v, a, ok, nil
}

func arrayLength(rec *heap.Object) Value { return heap.Int64(int64(rec.Length)) }

func lengthAttrs(rec *heap.Object) heap.Attrs {
	if rec.Flags&heap.LengthReadOnly != 0 {
		return 0
	}
	return heap.Writable
}

// ordinaryOwn is ownRaw for the part of an exotic object that is ordinary.
func (m *Machine) ordinaryOwn(o Obj, key Key) (Value, heap.Attrs, bool, error) {
	if key.IsIndex() {
		v, a, ok := m.H.GetElem(o, key.Index())
		return v, a, ok, nil
	}
	v, a, ok := m.H.GetNamed(o, key.Name())
	return v, a, ok, nil
}

func (m *Machine) exoticOwn(o Obj, key Key) (Value, heap.Attrs, bool, error) {
	rec := m.H.Obj(o)
	if rec.Flags&heap.LazyProps != 0 {
		m.materialize(o)
		return m.ordinaryOwn(o, key)
	}
	switch rec.Class {
	case heap.ClassString:
		if v, ok, err := m.stringOwn(o, key); ok || err != nil {
			return v, m.stringAttrs(key), ok, err
		}
	case heap.ClassTypedArray:
		if key.IsIndex() {
			v, ok := m.TypedGet(o, float64(key.Index()))
			return v, m.typedAttrs(o), ok, nil
		}
		if n, ok, err := m.canonicalNumericIndex(key); ok || err != nil {
			if err != nil {
				return Undefined, 0, false, err
			}
			v, found := m.TypedGet(o, n)
			return v, m.typedAttrs(o), found, nil
		}
	case heap.ClassArguments:
		return m.argumentsOwn(o, key)
	case heap.ClassNamespace:
		return m.namespaceOwn(o, key)
	case heap.ClassProxy:
		d, ok, err := m.proxyGetOwn(o, key)
		if !ok || err != nil {
			return Undefined, 0, false, err
		}
		if d.IsAccessor() {
			return m.H.NewPair(orUndefined(d.Get), orUndefined(d.Set)), d.Attrs&^heap.Writable | heap.Accessor, true, nil
		}
		return d.Value, d.Attrs, true, nil
	}
	return m.ordinaryOwn(o, key)
}

func orUndefined(v Value) Value {
	if v == Empty {
		return Undefined
	}
	return v
}

// GetOwnProperty is [[GetOwnProperty]].
func (m *Machine) GetOwnProperty(o Obj, key Key) (Desc, bool, error) {
	v, a, ok, err := m.ownRaw(o, key)
	if !ok || err != nil {
		return Desc{Value: Empty, Get: Empty, Set: Empty}, false, err
	}
	if a&heap.Accessor != 0 {
		g, s := m.H.Pair(v)
		return AccessorDesc(g, s, a&^heap.Accessor), true, nil
	}
	return DataDesc(v, a), true, nil
}

// HasOwn is HasOwnProperty (§7.3.13).
func (m *Machine) HasOwn(o Obj, key Key) (bool, error) {
	_, _, ok, err := m.ownRaw(o, key)
	return ok, err
}

// GetPrototypeOf is [[GetPrototypeOf]]: 0 for null.
func (m *Machine) GetPrototypeOf(o Obj) (Obj, error) {
	if m.H.Obj(o).Class == heap.ClassProxy {
		return m.proxyGetPrototypeOf(o)
	}
	return m.H.Proto(o), nil
}

// SetPrototypeOf is [[SetPrototypeOf]]; proto 0 is null.
func (m *Machine) SetPrototypeOf(o, proto Obj) (bool, error) {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassProxy {
		return m.proxySetPrototypeOf(o, proto)
	}
	if m.H.Proto(o) == proto {
		return true, nil
	}
	if rec.Class == heap.ClassNamespace || o == m.intrinsics[ObjectPrototype] || rec.Flags&heap.NonExtensible != 0 {
		return false, nil
	}
	for p, n := proto, 0; p != 0; n++ {
		if p == o {
			return false, nil
		}
		if n%chainStep == chainStep-1 {
			if err := m.Charge(chainFuel); err != nil {
				return false, err
			}
		}
		if m.H.Obj(p).Class == heap.ClassProxy {
			break
		}
		p = m.H.Proto(p)
	}
	if rec.Flags&heap.LazyProps != 0 {
		m.materialize(o)
	}
	if err := m.Charge(m.H.NumNamed(o)); err != nil {
		return false, err
	}
	m.H.SetProto(o, proto)
	return true, nil
}

// IsExtensible is [[IsExtensible]].
func (m *Machine) IsExtensible(o Obj) (bool, error) {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassProxy {
		return m.proxyIsExtensible(o)
	}
	return rec.Flags&heap.NonExtensible == 0, nil
}

// PreventExtensions is [[PreventExtensions]].
func (m *Machine) PreventExtensions(o Obj) (bool, error) {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassProxy {
		return m.proxyPreventExtensions(o)
	}
	if rec.Flags&heap.LazyProps != 0 {
		m.materialize(o)
	}
	if rec.Class == heap.ClassTypedArray && !m.typedFixedLength(o) {
		return false, nil
	}
	if rec.Flags&heap.NonExtensible == 0 {
		m.H.ObjW(o).Flags |= heap.NonExtensible
		// Inline caches that add properties go by shape.
		m.H.RenewShape(o)
	}
	return true, nil
}

// HasProperty is [[HasProperty]].
func (m *Machine) HasProperty(o Obj, key Key) (bool, error) {
	for n := 0; ; n++ {
		rec := m.H.Obj(o)
		switch {
		case rec.Class == heap.ClassProxy:
			return m.proxyHas(o, key)
		case rec.Class == heap.ClassNamespace:
			return m.namespaceHas(o, key)
		case rec.Class == heap.ClassTypedArray:
			if num, ok, err := m.canonicalNumericIndex(key); ok || err != nil {
				if err != nil {
					return false, err
				}
				return m.typedValidIndex(o, num), nil
			}
		}
		_, _, ok, err := m.ownRaw(o, key)
		if ok || err != nil {
			return ok, err
		}
		if o = m.H.Proto(o); o == 0 {
			return false, nil
		}
		if n%chainStep == chainStep-1 {
			if err := m.Charge(chainFuel); err != nil {
				return false, err
			}
		}
	}
}

// Get is [[Get]] with the object itself as receiver.
func (m *Machine) Get(o Obj, key Key) (Value, error) {
	return m.GetWithReceiver(o, key, heap.ObjectValue(o))
}

// GetWithReceiver is [[Get]] (§10.1.8).
func (m *Machine) GetWithReceiver(o Obj, key Key, receiver Value) (Value, error) {
	for n := 0; ; n++ {
		rec := m.H.Obj(o)
		var v Value
		var a heap.Attrs
		var ok bool
		if rec.Flags&(heap.Exotic|heap.LazyProps) != 0 {
			switch rec.Class {
			case heap.ClassProxy:
				return m.proxyGet(o, key, receiver)
			case heap.ClassTypedArray:
				if num, is, err := m.canonicalNumericIndex(key); is || err != nil {
					if err != nil {
						return Undefined, err
					}
					v, _ := m.TypedGet(o, num)
					return v, nil
				}
			}
			var err error
			if v, a, ok, err = m.exoticOwn(o, key); err != nil {
				return Undefined, err
			}
		} else if key.IsIndex() {
			v, a, ok = m.H.GetElem(o, key.Index())
		} else if rec.Class == heap.ClassArray && key == m.N.Length {
			return arrayLength(rec), nil
		} else {
			v, a, ok = m.H.GetNamed(o, key.Name())
		}
		if ok {
			if a&heap.Accessor == 0 {
				return v, nil
			}
			g, _ := m.H.Pair(v)
			if g == Undefined {
				return Undefined, nil
			}
			return m.Call(g, receiver)
		}
		if o = m.H.Proto(o); o == 0 {
			return Undefined, nil
		}
		if n%chainStep == chainStep-1 {
			if err := m.Charge(chainFuel); err != nil {
				return Undefined, err
			}
		}
	}
}

// GetV is GetV (§7.3.3): a property of any value but undefined and null.
func (m *Machine) GetV(v Value, key Key) (Value, error) {
	if v.IsObject() {
		return m.GetWithReceiver(v.AsObj(), key, v)
	}
	if v.IsString() {
		if key == m.N.Length {
			return heap.Int(int32(m.H.Len(v.AsStr()))), nil
		}
		if key.IsIndex() && int64(key.Index()) < int64(m.H.Len(v.AsStr())) {
			c, err := m.H.At(v.AsStr(), int(key.Index()))
			return heap.StringValue(m.H.Char(c)), err
		}
	}
	p := m.protoOfPrimitive(v)
	if p == 0 {
		return Undefined, m.noProperty(v, key)
	}
	return m.GetWithReceiver(p, key, v)
}

// protoOfPrimitive returns the prototype that property reads of a primitive
// start at; 0 for undefined and null.
func (m *Machine) protoOfPrimitive(v Value) Obj {
	switch {
	case v.IsString():
		return m.intrinsics[StringPrototype]
	case v.IsNumber():
		return m.intrinsics[NumberPrototype]
	case v.IsBool():
		return m.intrinsics[BooleanPrototype]
	case v.IsSymbol():
		return m.intrinsics[SymbolPrototype]
	case v.IsBigInt():
		return m.intrinsics[BigIntPrototype]
	}
	return 0
}

// GetMethod is GetMethod (§7.3.11): undefined or a function.
func (m *Machine) GetMethod(v Value, key Key) (Value, error) {
	f, err := m.GetV(v, key)
	if err != nil || f.IsNullish() {
		return Undefined, err
	}
	if !m.IsCallable(f) {
		return Undefined, m.TypeError("%s is not a function", m.CallSite(f))
	}
	return f, nil
}

// Put is Set(O, P, V, true) (§7.3.4): throws when the property can't be set.
func (m *Machine) Put(o Obj, key Key, v Value) error {
	ok, err := m.SetWithReceiver(o, key, v, heap.ObjectValue(o))
	if err != nil || ok {
		return err
	}
	return m.readOnlyError(heap.ObjectValue(o), key)
}

func (m *Machine) readOnlyError(o Value, key Key) error {
	if o.IsObject() && !m.isDeferred(o.AsObj()) {
		if err := m.proxyRefused(o.AsObj(), m.N.TrapSet, key); err != nil {
			return err
		}
		if d, ok, err := m.GetOwnProperty(o.AsObj(), key); err != nil {
			return err
		} else if ok && d.IsAccessor() {
			return m.TypeError("Cannot set property %s of %s which has only a getter", m.KeyString(key), m.objectTag(o))
		} else if !ok {
			if ext, err := m.IsExtensible(o.AsObj()); err != nil {
				return err
			} else if !ext {
				return m.TypeError("Cannot add property %s, object is not extensible", m.KeyString(key))
			}
			if has, attrs := m.inheritedRaw(o.AsObj(), key); has && attrs&heap.Accessor != 0 {
				return m.TypeError("Cannot set property %s of %s which has only a getter", m.KeyString(key), m.objectTag(o))
			}
		}
	}
	return m.TypeError("Cannot assign to read only property '%s' of %s", m.KeyString(key), m.objectDescription(o))
}

// inheritedRaw looks for a property along ordinary prototypes, for messages.
func (m *Machine) inheritedRaw(o Obj, key Key) (bool, heap.Attrs) {
	for n := 0; o != 0 && n < 1000; n++ {
		if m.H.Obj(o).Class == heap.ClassProxy {
			return false, 0
		}
		if _, a, ok, err := m.ownRaw(o, key); ok && err == nil {
			return true, a
		}
		o = m.H.Proto(o)
		m.spendHop(n)
	}
	return false, 0
}

// SetWithReceiver is [[Set]] (§10.1.9).
func (m *Machine) SetWithReceiver(o Obj, key Key, v Value, receiver Value) (bool, error) {
	for n := 0; ; n++ {
		rec := m.H.Obj(o)
		switch {
		case rec.Class == heap.ClassProxy:
			return m.proxySet(o, key, v, receiver)
		case rec.Class == heap.ClassTypedArray:
			if num, is, err := m.canonicalNumericIndex(key); is || err != nil {
				if err != nil {
					return false, err
				}
				if m.IsImmutable(m.ViewBuffer(o)) {
					return false, nil
				}
				if receiver == heap.ObjectValue(o) {
					return true, m.TypedSet(o, num, v)
				}
				if !m.typedValidIndex(o, num) {
					return true, nil
				}
			}
		case rec.Class == heap.ClassNamespace:
			return false, nil
		}
		cur, a, ok, err := m.ownRaw(o, key)
		if err != nil {
			return false, err
		}
		if !ok {
			if o = m.H.Proto(o); o != 0 {
				if n%chainStep == chainStep-1 {
					if err := m.Charge(chainFuel); err != nil {
						return false, err
					}
				}
				continue
			}
			return m.setOnReceiver(receiver, key, v, false)
		}
		if a&heap.Accessor != 0 {
			_, s := m.H.Pair(cur)
			if s == Undefined {
				return false, nil
			}
			_, err := m.Call(s, receiver, v)
			return true, err
		}
		if a&heap.Writable == 0 {
			if !m.opt.Override || receiver == heap.ObjectValue(o) {
				return false, nil
			}
			return m.setOnReceiver(receiver, key, v, false)
		}
		return m.setOnReceiver(receiver, key, v, receiver == heap.ObjectValue(o))
	}
}

// setOnReceiver is the end of OrdinarySetWithOwnDescriptor: change or create a
// data property of the receiver. same says that the receiver has it, writable.
func (m *Machine) setOnReceiver(receiver Value, key Key, v Value, same bool) (bool, error) {
	if !receiver.IsObject() {
		return false, nil
	}
	r := receiver.AsObj()
	rec := m.H.Obj(r)
	if rec.Flags&heap.Exotic == 0 {
		if same {
			return m.setOwnData(r, key, v)
		}
		// The ordinary case: not there at all, or own data.
		_, a, ok, err := m.ownRaw(r, key)
		if err != nil {
			return false, err
		}
		if ok {
			if a&heap.Accessor != 0 || a&heap.Writable == 0 {
				return false, nil
			}
			return m.setOwnData(r, key, v)
		}
		if rec.Flags&heap.NonExtensible != 0 {
			return false, nil
		}
		return m.addOwn(r, key, v, heap.DefaultAttrs)
	}
	d, ok, err := m.GetOwnProperty(r, key)
	if err != nil {
		return false, err
	}
	if ok {
		if d.IsAccessor() || d.Attrs&heap.Writable == 0 {
			return false, nil
		}
		return m.DefineOwnProperty(r, key, Desc{Value: v, Get: Empty, Set: Empty})
	}
	return m.DefineOwnProperty(r, key, DataDesc(v, heap.DefaultAttrs))
}

// setOwnData writes an existing writable own data property of an ordinary
// object or array.
func (m *Machine) setOwnData(o Obj, key Key, v Value) (bool, error) {
	if key.IsIndex() {
		m.H.SetElem(o, key.Index(), v)
		return true, nil
	}
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassArray && key == m.N.Length {
		return m.arraySetLength(o, Desc{Value: v, Get: Empty, Set: Empty})
	}
	slot, _, _ := m.H.Lookup(rec.Shape, key.Name())
	m.H.SetSlot(o, slot, v)
	return true, nil
}

// addOwn adds a new own data property to an extensible ordinary object or
// array.
func (m *Machine) addOwn(o Obj, key Key, v Value, attrs heap.Attrs) (bool, error) {
	if !key.IsIndex() {
		m.H.AddNamed(o, key.Name(), v, attrs)
		return true, nil
	}
	i := key.Index()
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && i >= rec.Length {
		if rec.Flags&heap.LengthReadOnly != 0 {
			return false, nil
		}
		if err := m.H.AddElem(o, i, v, attrs); err != nil {
			return false, err
		}
		m.H.ObjW(o).Length = i + 1
		return true, nil
	}
	return true, m.H.AddElem(o, i, v, attrs)
}

// DefineOwnProperty is [[DefineOwnProperty]].
func (m *Machine) DefineOwnProperty(o Obj, key Key, d Desc) (bool, error) {
	rec := m.H.Obj(o)
	switch rec.Class {
	case heap.ClassArray:
		if key == m.N.Length {
			return m.arraySetLength(o, d)
		}
	case heap.ClassProxy:
		return m.proxyDefine(o, key, d)
	case heap.ClassString:
		if v, ok, err := m.stringOwn(o, key); ok || err != nil {
			if err != nil {
				return false, err
			}
			return m.validateDesc(d, v, m.stringAttrs(key))
		}
	case heap.ClassTypedArray:
		if num, is, err := m.canonicalNumericIndex(key); is || err != nil {
			if err != nil {
				return false, err
			}
			return m.typedDefine(o, num, d)
		}
	case heap.ClassArguments:
		return m.argumentsDefine(o, key, d)
	case heap.ClassNamespace:
		return m.namespaceDefine(o, key, d)
	}
	return m.ordinaryDefine(o, key, d)
}

// ordinaryDefine is OrdinaryDefineOwnProperty (§10.1.6.1), for arrays too.
func (m *Machine) ordinaryDefine(o Obj, key Key, d Desc) (bool, error) {
	rec := m.H.Obj(o)
	if rec.Flags&heap.LazyProps != 0 {
		m.materialize(o)
		rec = m.H.Obj(o)
	}
	var cur Value
	var a heap.Attrs
	var ok bool
	if key.IsIndex() {
		cur, a, ok = m.H.GetElem(o, key.Index())
	} else {
		cur, a, ok = m.H.GetNamed(o, key.Name())
	}
	if !ok {
		if rec.Flags&heap.NonExtensible != 0 {
			return false, nil
		}
		if d.IsAccessor() {
			return m.addOwn(o, key, m.H.NewPair(orUndefined(d.Get), orUndefined(d.Set)), d.Attrs&^heap.Writable|heap.Accessor)
		}
		return m.addOwn(o, key, orUndefined(d.Value), d.Attrs)
	}
	valid, err := m.validateDesc(d, cur, a)
	if !valid || err != nil {
		return false, err
	}
	na := a&^d.Has | d.Attrs&d.Has
	v := cur
	switch {
	case d.IsAccessor():
		g, s := Undefined, Undefined
		if a&heap.Accessor != 0 {
			g, s = m.H.Pair(cur)
		}
		if d.Get != Empty {
			g = d.Get
		}
		if d.Set != Empty {
			s = d.Set
		}
		v = m.H.NewPair(g, s)
		na = na&^heap.Writable | heap.Accessor
	case d.IsData():
		if a&heap.Accessor != 0 {
			v = Undefined
			na = na &^ heap.Accessor
			if d.Has&heap.Writable == 0 {
				na &^= heap.Writable
			}
		}
		if d.Value != Empty {
			v = d.Value
		}
	}
	if key.IsIndex() {
		if na == a {
			m.H.SetElem(o, key.Index(), v)
			return true, nil
		}
		return true, m.H.AddElem(o, key.Index(), v, na)
	}
	if na != a {
		m.H.SetAttrs(o, key.Name(), na)
	} else if a&heap.Accessor != 0 && m.H.Obj(o).Flags&heap.IsProto != 0 {
		m.H.Epoch++
	}
	slot, _, _ := m.H.Lookup(m.H.Obj(o).Shape, key.Name())
	m.H.SetSlot(o, slot, v)
	return true, nil
}

// validateDesc is the checking half of ValidateAndApplyPropertyDescriptor
// (§10.1.6.3) for a property that exists.
func (m *Machine) validateDesc(d Desc, cur Value, a heap.Attrs) (bool, error) {
	if a&heap.Configurable != 0 {
		return true, nil
	}
	if d.Has&d.Attrs&heap.Configurable != 0 {
		return false, nil
	}
	if d.Has&heap.Enumerable != 0 && (d.Attrs^a)&heap.Enumerable != 0 {
		return false, nil
	}
	if !d.IsAccessor() && !d.IsData() {
		return true, nil
	}
	if d.IsAccessor() != (a&heap.Accessor != 0) {
		return false, nil
	}
	if a&heap.Accessor != 0 {
		g, s := m.H.Pair(cur)
		return (d.Get == Empty || d.Get == g) && (d.Set == Empty || d.Set == s), nil
	}
	if a&heap.Writable == 0 {
		if d.Has&d.Attrs&heap.Writable != 0 {
			return false, nil
		}
		if d.Value != Empty {
			return m.SameValue(d.Value, cur)
		}
	}
	return true, nil
}

// DefineOrThrow is DefinePropertyOrThrow (§7.3.8).
func (m *Machine) DefineOrThrow(o Obj, key Key, d Desc) error {
	ok, err := m.DefineOwnProperty(o, key, d)
	if err != nil || ok {
		return err
	}
	if err := m.proxyRefused(o, m.N.TrapDefineProperty, key); err != nil {
		return err
	}
	if _, exists, err := m.GetOwnProperty(o, key); err != nil {
		return err
	} else if !exists {
		return m.TypeError("Cannot define property %s, object is not extensible", m.KeyString(key))
	}
	return m.TypeError("Cannot redefine property: %s", m.KeyString(key))
}

// CreateDataProperty is CreateDataProperty (§7.3.5).
func (m *Machine) CreateDataProperty(o Obj, key Key, v Value) (bool, error) {
	return m.DefineOwnProperty(o, key, DataDesc(v, heap.DefaultAttrs))
}

// CreateDataOrThrow is CreateDataPropertyOrThrow (§7.3.7).
func (m *Machine) CreateDataOrThrow(o Obj, key Key, v Value) error {
	rec := m.H.Obj(o)
	if rec.Flags&(heap.Exotic|heap.LazyProps|heap.NonExtensible) == 0 {
		if !key.IsIndex() {
			if _, _, ok := m.H.Lookup(rec.Shape, key.Name()); !ok && !(rec.Class == heap.ClassArray && key == m.N.Length) {
				m.H.AddNamed(o, key.Name(), v, heap.DefaultAttrs)
				return nil
			}
		} else if i := key.Index(); rec.Class == heap.ClassArray && rec.Flags&(heap.Sparse|heap.LengthReadOnly) == 0 && i == rec.ElemLen && i == rec.Length {
			return m.H.Push(o, v)
		}
	}
	return m.DefineOrThrow(o, key, DataDesc(v, heap.DefaultAttrs))
}

// Delete is [[Delete]].
func (m *Machine) Delete(o Obj, key Key) (bool, error) {
	rec := m.H.Obj(o)
	switch rec.Class {
	case heap.ClassProxy:
		return m.proxyDelete(o, key)
	case heap.ClassTypedArray:
		if num, is, err := m.canonicalNumericIndex(key); is || err != nil {
			return !m.typedValidIndex(o, num), err
		}
	case heap.ClassNamespace:
		if !m.symbolLikeKey(o, key) {
			has, err := m.namespaceHas(o, key)
			return !has, err
		}
	}
	_, a, ok, err := m.ownRaw(o, key)
	if err != nil {
		return false, err
	}
	if !ok {
		return true, nil
	}
	if a&heap.Configurable == 0 {
		return false, nil
	}
	if rec.Class == heap.ClassArguments {
		m.argumentsUnmap(o, key)
	}
	if key.IsIndex() {
		m.H.DeleteElem(o, key.Index())
		return true, nil
	}
	if err := m.Charge(m.H.NumNamed(o) / 8); err != nil { // a first deletion rebuilds the index
		return false, err
	}
	m.H.DeleteNamed(o, key.Name())
	return true, nil
}

// DeleteOrThrow is DeletePropertyOrThrow (§7.3.9).
func (m *Machine) DeleteOrThrow(o Obj, key Key) error {
	ok, err := m.Delete(o, key)
	if err != nil || ok {
		return err
	}
	if err := m.proxyRefused(o, m.N.TrapDeleteProperty, key); err != nil {
		return err
	}
	return m.TypeError("Cannot delete property '%s' of %s", m.KeyString(key), m.objectTag(heap.ObjectValue(o)))
}

// OwnKeys is [[OwnPropertyKeys]]: indices ascending, then strings, then
// symbols in the order they were added. Private names are left out.
func (m *Machine) OwnKeys(o Obj) ([]Key, error) {
	rec := m.H.Obj(o)
	if rec.Class == heap.ClassProxy {
		return m.proxyOwnKeys(o)
	}
	if rec.Flags&heap.LazyProps != 0 {
		m.materialize(o)
		rec = m.H.Obj(o)
	}
	n := m.H.NumNamed(o) + m.H.NumElems(o)
	if err := m.ChargeKeys(n); err != nil {
		return nil, err
	}
	// The lists of properties that the keys are taken from are larger for a
	// moment.
	if err := m.meter.Grow(int64(n) * 40); err != nil {
		return nil, err
	}
	m.meter.Shrink(int64(n) * 40)
	keys := make([]Key, 0, n+1)
	var extra []Key
	var err error
	switch rec.Class {
	case heap.ClassArray:
		extra = []Key{m.N.Length}
	case heap.ClassString:
		if keys, err = m.stringKeys(o, keys); err != nil {
			return nil, err
		}
		extra = []Key{m.N.Length}
	case heap.ClassTypedArray:
		if keys, err = m.typedKeys(o, keys); err != nil {
			return nil, err
		}
	case heap.ClassNamespace:
		return m.namespaceKeys(o)
	}
	if m.H.NumElems(o) > 0 {
		for _, i := range m.H.ElemKeys(o, nil) { //meter: charged above
			keys = append(keys, heap.IndexKey(i))
		}
	}
	keys = append(keys, extra...)
	symbols := false
	var buf [16]heap.Prop
	props := buf[:0]
	if k := m.H.NumNamed(o); k > len(buf) {
		props = make([]heap.Prop, 0, k)
	}
	props = m.H.Named(o, props)
	for _, p := range props { //meter: charged above
		if m.isSymbolCell(p.Name) {
			symbols = true
			continue
		}
		keys = append(keys, heap.AtomKey(p.Name))
	}
	if symbols {
		for _, p := range props { //meter: charged above
			if m.isSymbolCell(p.Name) && !m.H.IsPrivateName(p.Name) {
				keys = append(keys, heap.SymbolKey(p.Name))
			}
		}
	}
	return keys, nil
}

func (m *Machine) isSymbolCell(s Str) bool { return m.H.IsSymbolCell(s) }

// IntegrityLevel of SetIntegrityLevel and TestIntegrityLevel.
type IntegrityLevel int

// The levels.
const (
	Sealed IntegrityLevel = iota
	Frozen
)

// SetIntegrityLevel is SetIntegrityLevel (§7.3.15).
func (m *Machine) SetIntegrityLevel(o Obj, level IntegrityLevel) (bool, error) {
	ok, err := m.PreventExtensions(o)
	if !ok || err != nil {
		return false, err
	}
	rec := m.H.Obj(o)
	plainElems := rec.Flags&heap.Exotic == 0
	if plainElems {
		if err := m.Charge(m.H.NumElems(o)); err != nil {
			return false, err
		}
		m.H.SealElems(o, level == Frozen)
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return false, err
	}
	for _, k := range keys {
		if err := m.Charge(4); err != nil {
			return false, err
		}
		if plainElems && k.IsIndex() {
			continue
		}
		d := Desc{Value: Empty, Get: Empty, Set: Empty, Has: heap.Configurable}
		if level == Frozen {
			cur, ok, err := m.GetOwnProperty(o, k)
			if err != nil {
				return false, err
			}
			if !ok {
				continue
			}
			if !cur.IsAccessor() {
				d.Has |= heap.Writable
			}
		}
		if err := m.DefineOrThrow(o, k, d); err != nil {
			return false, err
		}
	}
	return true, nil
}

// TestIntegrityLevel is TestIntegrityLevel (§7.3.16).
func (m *Machine) TestIntegrityLevel(o Obj, level IntegrityLevel) (bool, error) {
	ext, err := m.IsExtensible(o)
	if ext || err != nil {
		return false, err
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return false, err
	}
	for _, k := range keys {
		if err := m.Charge(1); err != nil {
			return false, err
		}
		d, ok, err := m.GetOwnProperty(o, k)
		if err != nil {
			return false, err
		}
		if ok && (d.Attrs&heap.Configurable != 0 || level == Frozen && !d.IsAccessor() && d.Attrs&heap.Writable != 0) {
			return false, nil
		}
	}
	return true, nil
}
