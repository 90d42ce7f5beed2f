package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// maxCachedHops is how far up the prototype chain an inline cache looks.
const maxCachedHops = 16

// getProp is GetProp when its inline cache misses: it finds the property,
// fills the cache, and calls a getter in a frame of its own if that is script
// (pushed). dst is the absolute register of the result.
func (m *Machine) getProp(fn *fnState, i uint16, v Value, dst int) (r Value, pushed bool, err error) {
	c := &fn.ics[i]
	if v.IsObject() && c.kind == icAccessor && c.shape == m.H.Obj(v.AsObj()).Shape && c.epoch == m.H.Epoch && c.shape != 0 {
		if rec := m.H.Obj(v.AsObj()); rec.Class == heap.ClassTypedArray {
			// A loop over a typed array reads its length each time.
			if g, _ := m.H.Pair(m.H.Slot(m.H.Obj(c.holder), int(c.slot))); g == heap.ObjectValue(m.intrinsics[TypedArrayLengthGetter]) {
				n, _ := m.TypedLength(v.AsObj())
				return heap.Int64(int64(n)), false, nil
			}
		}
		return m.callGetter(m.H.Slot(m.H.Obj(c.holder), int(c.slot)), v, dst)
	}
	if c.more != 0 && v.IsObject() {
		rec := m.H.Obj(v.AsObj())
		if e := m.findPoly(c, rec.Shape); e != nil {
			switch {
			case e.holder == 0:
				return m.H.Slot(rec, int(e.slot)), false, nil
			case e.epoch == m.H.Epoch && e.kind == icData:
				return m.H.Slot(m.H.Obj(e.holder), int(e.slot)), false, nil
			case e.epoch == m.H.Epoch && e.kind == icAccessor:
				return m.callGetter(m.H.Slot(m.H.Obj(e.holder), int(e.slot)), v, dst)
			}
			*e = polyEntry{}
		}
	}
	key, err := m.icKey(fn, i)
	if err != nil {
		return Undefined, false, err
	}
	var o Obj
	if v.IsObject() {
		o = v.AsObj()
		if m.H.Obj(o).Flags&heap.LazyProps != 0 {
			m.materialize(o)
		}
	} else {
		if v.IsString() {
			if key == m.N.Length {
				return heap.Int(int32(m.H.Len(v.AsStr()))), false, nil
			}
		}
		if o = m.protoOfPrimitive(v); o == 0 {
			return Undefined, false, m.noProperty(v, key)
		}
	}
	if !key.IsIndex() {
		holder := o
		cacheable := !v.IsObject() || !m.H.IsDict(m.H.Obj(o).Shape)
		for range maxCachedHops {
			rec := m.H.Obj(holder)
			if rec.Flags&(heap.Exotic|heap.LazyProps) != 0 && !m.plainFor(holder, rec, key, v) || rec.Class == heap.ClassArray && key == m.N.Length {
				break
			}
			if slot, a, ok := m.H.Lookup(rec.Shape, key.Name()); ok {
				val := m.H.Slot(rec, slot)
				m.demote(c)
				c.to, c.epoch, c.slot = 0, m.H.Epoch, int32(slot)
				c.kind = icData
				if a&heap.Accessor != 0 {
					c.kind = icAccessor
				}
				switch {
				case !v.IsObject():
					if c.kind == icAccessor || holder != o {
						c.shape = 0
					} else {
						c.shape, c.holder, c.kind = rec.Shape, holder, icPrimitive
					}
				case holder == o && c.kind == icData:
					c.shape, c.holder = rec.Shape, 0
				case holder == o || cacheable:
					// A getter found on the receiver itself is looked up
					// through the holder too, which must then be this object.
					if holder == o {
						c.shape = 0
					} else {
						c.shape, c.holder = m.H.Obj(o).Shape, holder
					}
				default:
					c.shape = 0
				}
				if a&heap.Accessor != 0 {
					return m.callGetter(val, v, dst)
				}
				return val, false, nil
			}
			if holder = m.H.Proto(holder); holder == 0 {
				return Undefined, false, nil
			}
		}
	}
	r, err = m.GetWithReceiver(o, key, v)
	return r, false, err
}

// plainFor reports whether an exotic object treats a named key as an ordinary
// one does, when it is read for the value v.
func (m *Machine) plainFor(o Obj, rec *heap.Object, key Key, v Value) bool {
	switch rec.Class {
	case heap.ClassString:
		return !v.IsObject()
	case heap.ClassArguments:
		return true
	case heap.ClassTypedArray:
		_, numeric, err := m.canonicalNumericIndex(key)
		return !numeric && err == nil
	}
	return false
}

// callGetter calls the getter of a pair: script in a frame of its own, a
// built-in at once.
func (m *Machine) callGetter(pair, receiver Value, dst int) (Value, bool, error) {
	g, _ := m.H.Pair(pair)
	if g == Undefined {
		return Undefined, false, nil
	}
	// A getter that only reads itself has no instruction of its own to pay for.
	if err := m.Charge(1); err != nil {
		return Undefined, false, err
	}
	base := m.pushArgs(g, receiver, nil)
	v, pushed, err := m.enter(base, 0, dst, Undefined)
	m.sp = base
	return v, pushed, err
}

// setProp is SetProp when its inline cache misses.
func (m *Machine) setProp(fn *fnState, i uint16, target, v Value) error {
	key, err := m.icKey(fn, i)
	if err != nil {
		return err
	}
	if !target.IsObject() {
		return m.putOnPrimitive(fn, target, key, v)
	}
	o := target.AsObj()
	rec := m.H.Obj(o)
	if rec.Flags&heap.LazyProps != 0 {
		m.materialize(o)
		rec = m.H.Obj(o)
	}
	c := &fn.ics[i]
	if c.more != 0 {
		if e := m.findPoly(c, rec.Shape); e != nil {
			if e.to == 0 {
				m.H.SetSlot(o, int(e.slot), v)
				return nil
			}
			if e.epoch == m.H.Epoch {
				m.H.AddSlot(o, e.to, int(e.slot), v)
				return nil
			}
			*e = polyEntry{}
		}
	}
	if !key.IsIndex() && rec.Flags&heap.Exotic == 0 && !(rec.Class == heap.ClassArray && key == m.N.Length) {
		if slot, a, ok := m.H.Lookup(rec.Shape, key.Name()); ok {
			if a&(heap.Accessor|heap.Writable) == heap.Writable {
				m.demote(c)
				c.shape, c.slot, c.to, c.holder = rec.Shape, int32(slot), 0, 0
				m.H.SetSlot(o, slot, v)
				return nil
			}
		} else if rec.Flags&heap.NonExtensible == 0 && m.plainChain(o, key) {
			old := rec.Shape
			m.H.AddNamed(o, key.Name(), v, heap.DefaultAttrs)
			if !m.H.IsDict(old) && !m.H.IsDict(m.H.Obj(o).Shape) && m.H.Obj(o).Flags&heap.IsProto == 0 {
				m.demote(c)
				c.shape, c.to, c.holder, c.epoch = old, m.H.Obj(o).Shape, 0, m.H.Epoch
				c.slot = int32(m.H.Shape(c.to).Count) - 1
			}
			return nil
		}
	}
	return m.put(fn, o, key, v, target)
}

// plainChain reports whether no prototype of o has the key or is exotic: a
// new property can simply be added.
func (m *Machine) plainChain(o Obj, key Key) bool {
	for range maxCachedHops {
		if o = m.H.Proto(o); o == 0 {
			return true
		}
		rec := m.H.Obj(o)
		if rec.Flags&heap.Exotic != 0 && (rec.Class == heap.ClassProxy || rec.Class == heap.ClassTypedArray || rec.Class == heap.ClassNamespace) {
			return false
		}
		if rec.Flags&heap.LazyProps != 0 {
			m.materialize(o)
			rec = m.H.Obj(o)
		}
		if _, _, ok := m.H.Lookup(rec.Shape, key.Name()); ok || rec.Class == heap.ClassArray && key == m.N.Length {
			return false
		}
	}
	return false
}

// strict reports whether the instruction that runs now is strict code.
func (m *Machine) strict(fn *fnState) bool {
	if fn.flags&bytecode.FlagStrict != 0 || len(fn.fn.StrictCode) == 0 {
		return fn.flags&bytecode.FlagStrict != 0
	}
	pc := int32(m.frames[len(m.frames)-1].pc) - 1
	if n := len(fn.fn.StrictCode); n > 64 {
		_ = m.Charge(n / 32) //meter: sticky: the next charge ends the run
	}
	for _, r := range fn.fn.StrictCode { //meter: the classes of a function: many are charged above
		if pc >= r[0] && pc < r[1] {
			return true
		}
	}
	return false
}

// put is PutValue on an object, honouring the function's strictness.
func (m *Machine) put(fn *fnState, o Obj, key Key, v, receiver Value) error {
	ok, err := m.SetWithReceiver(o, key, v, receiver)
	if err != nil || ok || !m.strict(fn) {
		return err
	}
	return m.readOnlyError(receiver, key)
}

func (m *Machine) putOnPrimitive(fn *fnState, target Value, key Key, v Value) error {
	p := m.protoOfPrimitive(target)
	if p == 0 {
		return m.TypeError("Cannot set properties of %s (setting '%s')", m.typeName(target), m.KeyString(key))
	}
	if target.IsString() {
		if own := key == m.N.Length || key.IsIndex() && int64(key.Index()) < int64(m.H.Len(target.AsStr())); own {
			if !m.strict(fn) {
				return nil
			}
			return m.TypeError("Cannot assign to read only property '%s' of string '%s'", m.KeyString(key), m.short(target.AsStr()))
		}
	}
	ok, err := m.SetWithReceiver(p, key, v, target)
	if err != nil || ok || !m.strict(fn) {
		return err
	}
	return m.TypeError("Cannot create property '%s' on %s", m.KeyString(key), m.objectDescription(target))
}

// getElem is GetElem beyond the dense integer case.
func (m *Machine) getElem(v, k Value, dst int) (r Value, pushed bool, err error) {
	if v.IsString() && k.IsInt() {
		if i := int(k.AsInt()); i >= 0 && i < m.H.Len(v.AsStr()) {
			c, err := m.H.At(v.AsStr(), i)
			return heap.StringValue(m.H.Char(c)), false, err
		}
	}
	if v.IsNullish() {
		// The key is not converted first: V8 names it as it is.
		if k.IsObject() {
			return Undefined, false, m.TypeError("Cannot read properties of %s", m.typeName(v))
		}
		if k == heap.SymbolValue(m.N.SymIterator.Name()) {
			return Undefined, false, m.noProperty(v, m.N.SymIterator)
		}
		return Undefined, false, m.TypeError("Cannot read properties of %s (reading '%s')", m.typeName(v), m.keyText(k))
	}
	key, err := m.ToKey(k)
	if err != nil {
		return Undefined, false, err
	}
	if !v.IsObject() {
		r, err = m.GetV(v, key)
		return r, false, err
	}
	o := v.AsObj()
	if !key.IsIndex() {
		if rec := m.H.Obj(o); rec.Flags&(heap.Exotic|heap.LazyProps) == 0 {
			if x, a, ok := m.H.GetNamed(o, key.Name()); ok && !(rec.Class == heap.ClassArray && key == m.N.Length) {
				if a&heap.Accessor == 0 {
					return x, false, nil
				}
				return m.callGetter(x, v, dst)
			}
		}
	}
	r, err = m.GetWithReceiver(o, key, v)
	return r, false, err
}

// noProperty throws for reading a property of undefined or null.
func (m *Machine) noProperty(v Value, key Key) error {
	if key == m.N.SymIterator {
		return m.TypeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", m.CallSite(v))
	}
	return m.TypeError("Cannot read properties of %s (reading '%s')", m.typeName(v), m.KeyString(key))
}

func (m *Machine) keyText(k Value) string {
	if k.IsString() {
		return m.short(k.AsStr())
	}
	return m.Describe(k)
}

// mayPush reports whether an array may grow by one dense element without
// anybody noticing: it is extensible and no prototype has indexed properties.
func (m *Machine) mayPush(rec *heap.Object) bool {
	if rec.Flags&(heap.NonExtensible|heap.LengthReadOnly|heap.Sparse|heap.ElemsSealed) != 0 {
		return false
	}
	proto := m.H.Shape(rec.Shape).Proto
	for range maxCachedHops {
		if proto == 0 {
			return true
		}
		p := m.H.Obj(proto)
		if p.ElemLen != 0 || p.Flags&(heap.Exotic|heap.Sparse) != 0 {
			return false
		}
		proto = m.H.Shape(p.Shape).Proto
	}
	return false
}

// setElem is SetElem beyond the dense integer case.
func (m *Machine) setElem(fn *fnState, target, k, v Value) error {
	if target.IsNullish() {
		return m.TypeError("Cannot set properties of %s (setting '%s')", m.typeName(target), m.keyText(k))
	}
	key, err := m.ToKey(k)
	if err != nil {
		return err
	}
	if !target.IsObject() {
		return m.putOnPrimitive(fn, target, key, v)
	}
	o := target.AsObj()
	rec := m.H.Obj(o)
	if rec.Flags&(heap.Exotic|heap.LazyProps|heap.NonExtensible) == 0 {
		if key.IsIndex() {
			// A hole or an index past the end.
			if rec.Class != heap.ClassProxy && m.mayPushAny(rec) && rec.Flags&heap.Sparse == 0 && (key.Index() >= rec.ElemLen || m.H.Elem(rec, key.Index()) == Empty) {
				_, err := m.addOwn(o, key, v, heap.DefaultAttrs)
				return err
			}
		} else if !(rec.Class == heap.ClassArray && key == m.N.Length) {
			if slot, a, ok := m.H.Lookup(rec.Shape, key.Name()); ok {
				if a&(heap.Accessor|heap.Writable) == heap.Writable {
					m.H.SetSlot(o, slot, v)
					return nil
				}
			} else if m.plainChain(o, key) {
				m.H.AddNamed(o, key.Name(), v, heap.DefaultAttrs)
				return nil
			}
		}
	}
	return m.put(fn, o, key, v, target)
}

// mayPushAny is mayPush for any ordinary object.
func (m *Machine) mayPushAny(rec *heap.Object) bool { return m.mayPush(rec) }

func (m *Machine) deleteProp(fn *fnState, v, k Value) (Value, error) {
	if v.IsNullish() {
		return Undefined, m.TypeError("Cannot convert undefined or null to object")
	}
	o, err := m.ToObject(v)
	if err != nil {
		return Undefined, err
	}
	key, err := m.ToKey(k)
	if err != nil {
		return Undefined, err
	}
	ok, err := m.Delete(o, key)
	if err != nil {
		return Undefined, err
	}
	if !ok && m.strict(fn) {
		if err := m.proxyRefused(o, m.N.TrapDeleteProperty, key); err != nil {
			return Undefined, err
		}
		return Undefined, m.TypeError("Cannot delete property '%s' of %s", m.KeyString(key), m.objectTag(heap.ObjectValue(o)))
	}
	return heap.Bool(ok), nil
}

func (m *Machine) in(k, v Value) (Value, error) {
	if !v.IsObject() {
		return Undefined, m.TypeError("Cannot use 'in' operator to search for '%s' in %s", m.keyText(k), m.keyText(v))
	}
	key, err := m.ToKey(k)
	if err != nil {
		return Undefined, err
	}
	ok, err := m.HasProperty(v.AsObj(), key)
	return heap.Bool(ok), err
}

func objOrNull(o Obj) Value {
	if o == 0 {
		return Null
	}
	return heap.ObjectValue(o)
}

func objOf(v Value) Obj {
	if v.IsObject() {
		return v.AsObj()
	}
	return 0
}

// getSuper is super[k]: a property of the home object's prototype with this as
// receiver.
func (m *Machine) getSuper(base, this, k Value) (Value, error) {
	if !base.IsObject() {
		return Undefined, m.TypeError("Cannot read properties of null (reading '%s')", m.keyText(k))
	}
	key, err := m.ToKey(k)
	if err != nil {
		return Undefined, err
	}
	return m.GetWithReceiver(base.AsObj(), key, this)
}

func (m *Machine) setSuper(fn *fnState, base, this, k, v Value) error {
	if !base.IsObject() {
		return m.TypeError("Cannot set properties of null (setting '%s')", m.keyText(k))
	}
	key, err := m.ToKey(k)
	if err != nil {
		return err
	}
	return m.put(fn, base.AsObj(), key, v, this)
}

// Globals --------------------------------------------------------------------

// getGlobal is GetGlobal when its inline cache misses.
func (m *Machine) getGlobal(fn *fnState, i uint16, soft bool) (Value, error) {
	key, err := m.icKey(fn, i)
	if err != nil {
		return Undefined, err
	}
	if !key.IsIndex() {
		for _, g := range [2]Obj{m.intrinsics[GlobalLex], m.intrinsics[GlobalObject]} {
			rec := m.H.Obj(g)
			slot, a, ok := m.H.Lookup(rec.Shape, key.Name())
			if !ok {
				continue
			}
			v := m.H.Slot(rec, slot)
			if a&heap.Accessor != 0 {
				break
			}
			if v == Empty {
				return Undefined, m.ReferenceError("Cannot access '%s' before initialization", m.KeyString(key))
			}
			c := &fn.ics[i]
			c.shape, c.slot, c.holder, c.epoch, c.to = rec.Shape, int32(slot), g, m.H.Epoch, 0
			return v, nil
		}
	}
	g := m.intrinsics[GlobalObject]
	ok, err := m.HasProperty(g, key)
	if err != nil {
		return Undefined, err
	}
	if !ok {
		if soft {
			return Undefined, nil
		}
		return Undefined, m.ReferenceError("%s is not defined", m.KeyString(key))
	}
	return m.Get(g, key)
}

// setGlobal assigns to a global. exists is false when a strict assignment found
// no binding before its right side ran.
func (m *Machine) setGlobal(fn *fnState, i uint16, v Value, exists bool) error {
	key, err := m.icKey(fn, i)
	if err != nil {
		return err
	}
	strict := m.strict(fn)
	if strict && !exists {
		return m.ReferenceError("%s is not defined", m.KeyString(key))
	}
	if !key.IsIndex() {
		lex := m.intrinsics[GlobalLex]
		rec := m.H.Obj(lex)
		if slot, a, ok := m.H.Lookup(rec.Shape, key.Name()); ok {
			if m.H.Slot(rec, slot) == Empty {
				return m.ReferenceError("Cannot access '%s' before initialization", m.KeyString(key))
			}
			if a&heap.Writable == 0 {
				return m.TypeError("Assignment to constant variable.")
			}
			m.H.SetSlot(lex, slot, v)
			m.cacheGlobal(fn, i, lex, slot)
			return nil
		}
		g := m.intrinsics[GlobalObject]
		rec = m.H.Obj(g)
		if slot, a, ok := m.H.Lookup(rec.Shape, key.Name()); ok && a&(heap.Accessor|heap.Writable) == heap.Writable {
			m.H.SetSlot(g, slot, v)
			m.cacheGlobal(fn, i, g, slot)
			return nil
		}
	}
	g := m.intrinsics[GlobalObject]
	if strict {
		still, err := m.HasProperty(g, key)
		if err != nil {
			return err
		}
		if !still {
			return m.ReferenceError("%s is not defined", m.KeyString(key))
		}
	}
	return m.put(fn, g, key, v, heap.ObjectValue(g))
}

func (m *Machine) cacheGlobal(fn *fnState, i uint16, holder Obj, slot int) {
	c := &fn.ics[i]
	shape := m.H.Obj(holder).Shape
	c.shape, c.slot, c.holder, c.epoch, c.to = shape, int32(slot), holder, m.H.Epoch, shape
}

// setGlobalVar is SetGlobalVar.
func (m *Machine) setGlobalVar(fn *fnState, i uint16, v Value) error {
	key, err := m.icKey(fn, i)
	if err != nil {
		return err
	}
	if !key.IsIndex() {
		if _, _, ok := m.H.GetNamed(m.intrinsics[GlobalLex], key.Name()); ok {
			return nil
		}
	}
	g := m.intrinsics[GlobalObject]
	return m.put(fn, g, key, v, heap.ObjectValue(g))
}

func (m *Machine) initGlobalLex(fn *fnState, i uint16, v Value) error {
	key, err := m.icKey(fn, i)
	if err != nil {
		return err
	}
	lex := m.intrinsics[GlobalLex]
	if slot, _, ok := m.H.Lookup(m.H.Obj(lex).Shape, key.Name()); ok {
		m.H.SetSlot(lex, slot, v)
	}
	return nil
}

func (m *Machine) hasGlobal(fn *fnState, i uint16) (Value, error) {
	key, err := m.icKey(fn, i)
	if err != nil {
		return Undefined, err
	}
	if !key.IsIndex() {
		if _, _, ok := m.H.GetNamed(m.intrinsics[GlobalLex], key.Name()); ok {
			return True, nil
		}
	}
	ok, err := m.HasProperty(m.intrinsics[GlobalObject], key)
	return heap.Bool(ok), err
}

func (m *Machine) deleteGlobal(fn *fnState, i uint16) (Value, error) {
	key, err := m.icKey(fn, i)
	if err != nil {
		return Undefined, err
	}
	if !key.IsIndex() {
		if _, _, ok := m.H.GetNamed(m.intrinsics[GlobalLex], key.Name()); ok {
			return False, nil
		}
	}
	ok, err := m.Delete(m.intrinsics[GlobalObject], key)
	return heap.Bool(ok), err
}

// dynHas looks a name up in an object environment record (§9.1.1.2.1).
func (m *Machine) dynHas(fn *fnState, i uint16, obj Value, with bool) (Value, error) {
	if !obj.IsObject() {
		return False, nil
	}
	key, err := m.icKey(fn, i)
	if err != nil {
		return Undefined, err
	}
	ok, err := m.HasProperty(obj.AsObj(), key)
	if !ok || err != nil || !with {
		return heap.Bool(ok), err
	}
	u, err := m.Get(obj.AsObj(), m.N.SymUnscopables)
	if err != nil {
		return Undefined, err
	}
	if u.IsObject() {
		blocked, err := m.Get(u.AsObj(), key)
		if err != nil {
			return Undefined, err
		}
		if m.ToBoolean(blocked) {
			return False, nil
		}
	}
	return True, nil
}
