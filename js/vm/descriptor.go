package vm

import "github.com/pinfold-js/pinfold/js/heap"

// ToPropertyDescriptor is ToPropertyDescriptor (§6.2.6.5).
func (m *Machine) ToPropertyDescriptor(v Value) (Desc, error) {
	d := Desc{Value: Empty, Get: Empty, Set: Empty}
	if !v.IsObject() {
		return d, m.TypeError("Property description must be an object: %s", m.Describe(v))
	}
	o := v.AsObj()
	for _, f := range [2]struct {
		key  Key
		attr heap.Attrs
	}{{m.N.Enumerable, heap.Enumerable}, {m.N.Configurable, heap.Configurable}} {
		x, ok, err := m.field(o, f.key)
		if err != nil {
			return d, err
		}
		d.setAttr(f.attr, ok, m.ToBoolean(x))
	}
	x, ok, err := m.field(o, m.N.Value)
	if err != nil {
		return d, err
	}
	if ok {
		d.Value = x
	}
	if x, ok, err = m.field(o, m.N.Writable); err != nil {
		return d, err
	}
	d.setAttr(heap.Writable, ok, m.ToBoolean(x))
	if x, ok, err = m.field(o, m.N.Get); err != nil {
		return d, err
	}
	if ok {
		if x != Undefined && !m.IsCallable(x) {
			return d, m.TypeError("Getter must be a function: %s", m.Describe(x))
		}
		d.Get = x
	}
	if x, ok, err = m.field(o, m.N.Set); err != nil {
		return d, err
	}
	if ok {
		if x != Undefined && !m.IsCallable(x) {
			return d, m.TypeError("Setter must be a function: %s", m.Describe(x))
		}
		d.Set = x
	}
	if d.IsAccessor() && d.IsData() {
		return d, m.TypeError("Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, %s", m.Describe(v))
	}
	return d, nil
}

// field reads a property that may be absent: HasProperty, then Get.
func (m *Machine) field(o Obj, key Key) (Value, bool, error) {
	if rec := m.H.Obj(o); rec.Flags&(heap.Exotic|heap.LazyProps) == 0 {
		// An own data property: the usual case, without two lookups.
		if v, a, ok := m.H.GetNamed(o, key.Name()); ok && a&heap.Accessor == 0 {
			return v, true, nil
		}
	}
	ok, err := m.HasProperty(o, key)
	if !ok || err != nil {
		return Undefined, false, err
	}
	v, err := m.Get(o, key)
	return v, true, err
}

func (d *Desc) setAttr(a heap.Attrs, present, on bool) {
	if !present {
		return
	}
	d.Has |= a
	if on {
		d.Attrs |= a
	}
}

// FromPropertyDescriptor is FromPropertyDescriptor (§6.2.6.4) of a descriptor
// that exists.
func (m *Machine) FromPropertyDescriptor(d Desc) (Value, error) {
	o := m.NewPlain()
	add := func(key Key, v Value) { m.H.AddNamed(o, key.Name(), v, heap.DefaultAttrs) }
	if d.Value != Empty {
		add(m.N.Value, d.Value)
	}
	if d.Has&heap.Writable != 0 {
		add(m.N.Writable, heap.Bool(d.Attrs&heap.Writable != 0))
	}
	if d.Get != Empty {
		add(m.N.Get, d.Get)
	}
	if d.Set != Empty {
		add(m.N.Set, d.Set)
	}
	if d.Has&heap.Enumerable != 0 {
		add(m.N.Enumerable, heap.Bool(d.Attrs&heap.Enumerable != 0))
	}
	if d.Has&heap.Configurable != 0 {
		add(m.N.Configurable, heap.Bool(d.Attrs&heap.Configurable != 0))
	}
	return heap.ObjectValue(o), m.Charge(1)
}

// CompletePropertyDescriptor is CompletePropertyDescriptor (§6.2.6.6): absent
// fields get their defaults.
func (m *Machine) CompletePropertyDescriptor(d Desc) Desc {
	d.Attrs &= d.Has
	if d.IsAccessor() {
		d.Get, d.Set = orUndefined(d.Get), orUndefined(d.Set)
		d.Has = heap.Enumerable | heap.Configurable
		return d
	}
	d.Value = orUndefined(d.Value)
	d.Has = heap.DefaultAttrs
	return d
}

// isCompatibleDescriptor is IsCompatiblePropertyDescriptor (§10.1.6.2); exists
// says that there is a current property.
func (m *Machine) isCompatibleDescriptor(extensible bool, d, cur Desc, exists bool) (bool, error) {
	if !exists {
		return extensible, nil
	}
	a := cur.Attrs
	v := cur.Value
	if cur.IsAccessor() {
		a = a&^heap.Writable | heap.Accessor
		v = m.H.NewPair(orUndefined(cur.Get), orUndefined(cur.Set))
	}
	return m.validateDesc(d, v, a)
}
