package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// getIterAt is GetIter beyond plain arrays.
func (m *Machine) getIterAt(fn *fnState, pc int, v Value) (Iterator, error) {
	method := Undefined
	if !v.IsNullish() {
		var err error
		if method, err = m.GetV(v, m.N.SymIterator); err != nil {
			return Iterator{}, err
		}
	}
	if !m.IsCallable(method) {
		return Iterator{}, m.notIterable(fn, pc, v, "")
	}
	return m.IteratorFromMethod(v, method)
}

func (m *Machine) notIterable(fn *fnState, pc int, v Value, how string) error {
	t := m.calleeText(fn, pc)
	if t == "" {
		return m.TypeError("%s is not %siterable (cannot read property Symbol(Symbol.iterator))", m.CallSite(v), how)
	}
	if fn.code[pc-1].Op == bytecode.ArraySpread && fn.code[pc-1].C == 1 {
		if v.IsNullish() {
			return m.TypeError("%s is not iterable (cannot read property %s)", t, m.typeName(v))
		}
		return m.TypeError("Spread syntax requires ...iterable[Symbol.iterator] to be a function")
	}
	if s, ok := fn.fn.SpanOf(pc - 1); ok && s.Call {
		return m.TypeError("%s is not a function or its return value is not %siterable", t, how)
	}
	return m.TypeError("%s is not %siterable", t, how)
}

// getAsyncIterator is GetIterator(v, async) (§7.4.4).
func (m *Machine) getAsyncIterator(fn *fnState, pc int, v Value) (Iterator, error) {
	if v.IsNullish() {
		return Iterator{}, m.noProperty(v, m.N.SymAsyncIterator)
	}
	method, err := m.GetMethod(v, m.N.SymAsyncIterator)
	if err != nil {
		return Iterator{}, err
	}
	if method != Undefined {
		it, err := m.Call(method, v)
		if err != nil {
			return Iterator{}, err
		}
		if !it.IsObject() {
			return Iterator{}, m.TypeError("Result of the Symbol.asyncIterator method is not an object")
		}
		return m.IteratorDirect(it)
	}
	if method, err = m.GetV(v, m.N.SymIterator); err != nil {
		return Iterator{}, err
	}
	if !m.IsCallable(method) {
		return Iterator{}, m.notIterable(fn, pc, v, "async ")
	}
	sync, err := m.IteratorFromMethod(v, method)
	if err != nil {
		return Iterator{}, err
	}
	return m.AsyncFromSync(sync)
}

// iterNext is IterNext beyond dense arrays: v is Empty when the iterator is
// done. pushed means that a generator's frame runs next and delivers the value
// itself.
func (m *Machine) iterNext(in bytecode.Instr) (v Value, pushed bool, err error) {
	fr := &m.frames[len(m.frames)-1]
	reg := fr.base + int(in.A)
	obj, next := m.stack[reg], m.stack[reg+1]
	if next.IsInternal() { // an array with a hole here, or a sparse one
		i := next.AsNumber()
		m.stack[reg+1] = heap.NumberValue(i + 1)
		if v, err = m.Get(obj.AsObj(), heap.IndexKey(i)); err != nil { //meter: passed up below
			m.stack[reg] = Undefined
		}
		return v, false, err
	}
	if next.IsObject() {
		rec := m.H.Obj(next.AsObj())
		if rec.Class == heap.ClassNative && rec.Realm == m.current && m.realm.natives[rec.Length].kind == nativeGenNext && m.H.Obj(obj.AsObj()).Class == heap.ClassGenerator {
			gen := obj.AsObj()
			if state := m.coState(gen); state == stateStart || state == stateYield {
				dst := m.coWord(gen, coDst).AsNumber()
				gf, err := m.attach(gen, m.top(), fr.base+int(in.B))
				if err != nil {
					return Undefined, false, err
				}
				gf.flags |= frameForOf
				return Undefined, true, m.send(gf, state, dst, ResumeNext, Undefined)
			}
		}
	}
	at := m.Root(obj)
	if m.stepsNatively(next) {
		v, err = m.stepNative(next, obj)
		m.PopRoots(at)
		if err != nil {
			m.stack[reg] = Undefined
		}
		return v, false, err
	}
	r, err := m.CallRooted(next, obj)
	m.PopRoots(at)
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	if err == nil {
		it := Iterator{}
		var ok bool
		m.noGC++
		v, ok, err = m.stepResult(&it, r)
		m.noGC--
		if err == nil && !ok {
			return Empty, false, nil
		}
	}
	if err != nil {
		m.stack[reg] = Undefined
	}
	return v, false, err
}

func (m *Machine) iterCallNext(in bytecode.Instr) (Value, error) {
	fr := &m.frames[len(m.frames)-1]
	reg := fr.base + int(in.A)
	m.realIterator(reg)
	obj, next := m.stack[reg], m.stack[reg+1]
	var r Value
	var err error
	if in.C == bytecode.None {
		r, err = m.CallRooted(next, obj)
	} else {
		r, err = m.CallRooted(next, obj, m.stack[fr.base+int(in.C)])
	}
	if err != nil {
		m.stack[reg] = Undefined
	}
	return r, err
}

// realIterator replaces the engine's shortcut for arrays (the array itself and
// a position) by the array iterator that the script would have seen.
func (m *Machine) realIterator(reg int) {
	next := m.stack[reg+1]
	if !next.IsInternal() {
		return
	}
	it := m.NewArrayIterator(m.stack[reg], float64(next.AsNumber()))
	m.stack[reg] = it
	m.stack[reg+1] = heap.ObjectValue(m.intrinsics[ArrayIteratorNext])
}

// Array iterators (§23.1.5): Length = kind; Data = block of the object (or
// Undefined when done) and the next index.
const (
	ArrayIterKeys = iota
	ArrayIterValues
	ArrayIterEntries
	IterAsyncFromSync // not one of an array: see AsyncFromSync
)

// NewArrayIterator makes an array iterator over values from an index on.
func (m *Machine) NewArrayIterator(obj Value, from float64) Value {
	o := m.H.NewObject(m.H.RootShape(m.intrinsics[ArrayIteratorPrototype]), heap.ClassIterator)
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = obj, heap.Number(from)
	r := m.H.ObjW(o)
	r.Data, r.Length = heap.ValuesValue(b), ArrayIterValues
	return heap.ObjectValue(o)
}

func (m *Machine) iterUnwrap(in bytecode.Instr) (v Value, done bool, err error) {
	fr := &m.frames[len(m.frames)-1]
	reg := fr.base + int(in.A)
	r := m.stack[fr.base+int(in.B)]
	if !r.IsObject() {
		m.stack[reg] = Undefined
		return Undefined, false, m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	o := r.AsObj()
	m.noGC++
	defer func() { m.noGC-- }()
	d, err := m.Get(o, m.N.Done)
	if err == nil {
		v, err = m.Get(o, m.N.Value)
	}
	if err != nil {
		m.stack[reg] = Undefined
		return Undefined, false, err
	}
	return v, m.ToBoolean(d), nil
}

// iterClose is IterClose and IterCloseQuiet.
func (m *Machine) iterClose(in bytecode.Instr) error {
	fr := &m.frames[len(m.frames)-1]
	reg := fr.base + int(in.A)
	if m.stack[reg+1].IsInternal() {
		// An array iterator has no return method, unless somebody gave it one.
		if m.noReturnMethod() {
			m.stack[reg] = Undefined
			return nil
		}
		m.realIterator(reg)
	}
	it := m.stack[reg]
	m.stack[reg] = Undefined
	at := m.Root(it)
	defer m.PopRoots(at)
	f, err := m.GetMethod(it, m.N.Return)
	var r Value
	if err == nil {
		if f == Undefined {
			return nil
		}
		r, err = m.CallRooted(f, it)
	}
	if in.Op == bytecode.IterCloseQuiet {
		if err != nil {
			if _, ok := m.Caught(err); !ok {
				return err
			}
		}
		return nil
	}
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	return err
}

func (m *Machine) noReturnMethod() bool {
	o := m.intrinsics[ArrayIteratorPrototype]
	for range maxCachedHops {
		if o == 0 {
			return true
		}
		rec := m.H.Obj(o)
		if rec.Flags&heap.Exotic != 0 {
			return false
		}
		if _, _, ok := m.H.Lookup(rec.Shape, m.N.Return.Name()); ok {
			return false
		}
		o = m.H.Proto(o)
	}
	return false
}

// iterMethod is IterReturn and IterThrow: found is false when the iterator has
// no such method.
func (m *Machine) iterMethod(in bytecode.Instr) (v Value, found bool, err error) {
	fr := &m.frames[len(m.frames)-1]
	reg := fr.base + int(in.A)
	m.realIterator(reg)
	it := m.stack[reg]
	key := m.N.Return
	if in.Op == bytecode.IterThrow {
		key = m.N.Throw
	}
	f, err := m.GetMethod(it, key)
	if err != nil || f == Undefined {
		return Undefined, false, err
	}
	fr = &m.frames[len(m.frames)-1]
	if in.B == bytecode.None {
		v, err = m.CallRooted(f, it)
	} else {
		v, err = m.CallRooted(f, it, m.stack[fr.base+int(in.B)])
	}
	return v, true, err
}

func (m *Machine) iterRest(in bytecode.Instr) (Value, error) {
	fr := &m.frames[len(m.frames)-1]
	reg := fr.base + int(in.A)
	out := m.NewArrayLen(0)
	if m.stack[reg] == Undefined {
		return heap.ObjectValue(out), nil
	}
	at := m.Root(heap.ObjectValue(out))
	defer m.PopRoots(at)
	if next := m.stack[reg+1]; next.IsInternal() {
		src := m.stack[reg].AsObj()
		i := next.AsNumber()
		m.stack[reg] = Undefined
		for ; i < m.H.Obj(src).Length; i++ {
			if err := m.Charge(1); err != nil {
				return Undefined, err
			}
			v := Empty
			if rec := m.H.Obj(src); rec.Flags&heap.Sparse == 0 {
				v = m.H.Elem(rec, i)
			}
			if v == Empty {
				var err error
				if v, err = m.Get(src, heap.IndexKey(i)); err != nil {
					return Undefined, err
				}
			}
			if err := m.H.Push(out, v); err != nil {
				return Undefined, err
			}
		}
		return heap.ObjectValue(out), nil
	}
	it := Iterator{Obj: m.stack[reg], Next: m.stack[reg+1]}
	m.stack[reg] = Undefined
	at2 := m.Root(it.Obj)
	m.Root(it.Next)
	defer m.PopRoots(at2)
	for {
		v, ok, err := m.Step(&it)
		if err != nil {
			return Undefined, err
		}
		if !ok {
			return heap.ObjectValue(out), nil
		}
		if err := m.H.Push(out, v); err != nil {
			return Undefined, err
		}
	}
}

// Enumeration (§14.7.5.9): the enumerator is a hidden object whose Data is a
// block of the object, the array of its keys, and the position.

func (m *Machine) forInStart(v Value) (Value, error) {
	e := m.H.NewObject(m.shapes.null, heap.ClassForIn)
	keys := m.NewArrayLen(0)
	b := m.H.NewSmallValues(3)
	w := m.H.ValuesW(b)
	w[0], w[1], w[2] = Undefined, heap.ObjectValue(keys), heap.Int(0)
	m.H.ObjW(e).Data = heap.ValuesValue(b)
	if v.IsNullish() {
		return heap.ObjectValue(e), nil
	}
	o, err := m.ToObject(v)
	if err != nil {
		return Undefined, err
	}
	m.H.SetWord(b, 0, heap.ObjectValue(o))
	m.noGC++
	err = m.collectKeys(o, keys)
	m.noGC--
	return heap.ObjectValue(e), err
}

// levelFuel is what a level of the chain of prototypes is charged beyond the
// first two: its keys may be few, but it is looked at more than once.
const levelFuel = 48

// collectKeys lists the enumerable string keys of o and its prototypes, each
// once.
func (m *Machine) collectKeys(o Obj, keys Obj) error {
	var visited map[Key]bool
	for level := 0; o != 0; level++ {
		n := 1
		if level > 1 {
			n = levelFuel
		}
		if err := m.Charge(n); err != nil {
			return err
		}
		proto, err := m.GetPrototypeOf(o)
		if err != nil {
			return err
		}
		rec := m.H.Obj(o)
		if level > 0 && rec.Flags&(heap.Exotic|heap.LazyProps) == 0 && m.H.NumElems(o) == 0 && !m.anyEnumerable(o) && proto == 0 {
			return nil // the usual end of the chain: nothing to see
		}
		own, err := m.OwnKeys(o)
		if err != nil {
			return err
		}
		last := proto == 0 || m.chainEmpty(proto)
		for _, k := range own {
			if err := m.Charge(1); err != nil {
				return err
			}
			if k.IsSymbol() || visited[k] {
				continue
			}
			d, ok, err := m.GetOwnProperty(o, k)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if !last {
				if visited == nil {
					visited = make(map[Key]bool)
				}
				if err := m.meter.Grow(32); err != nil {
					return err
				}
				m.meter.Shrink(32)
				visited[k] = true
			}
			if d.Attrs&heap.Enumerable == 0 {
				continue
			}
			v, err := m.KeyValue(k)
			if err != nil {
				return err
			}
			if err := m.H.Push(keys, v); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		o = proto
	}
	return nil
}

// anyEnumerable reports whether an ordinary object has an enumerable named
// property.
func (m *Machine) anyEnumerable(o Obj) bool {
	if m.H.NumNamed(o) > 256 {
		return true
	}
	if n := m.H.NumNamed(o) / 16; n > 0 {
		_ = m.Charge(n) //meter: sticky: the next charge ends the run
	}
	var buf [64]heap.Prop
	for _, p := range m.H.Named(o, buf[:0]) { //meter: at most 256
		if p.Attrs&heap.Enumerable != 0 && !m.H.IsSymbolCell(p.Name) {
			return true
		}
	}
	return false
}

// chainEmpty reports whether enumeration finds nothing from o on.
func (m *Machine) chainEmpty(o Obj) bool {
	for range maxCachedHops {
		if o == 0 {
			return true
		}
		if m.H.Obj(o).Flags&(heap.Exotic|heap.LazyProps) != 0 || m.H.NumElems(o) > 0 || m.anyEnumerable(o) {
			return false
		}
		o = m.H.Proto(o)
	}
	return false
}

// forInNext returns the next key that is still there, or Empty.
func (m *Machine) forInNext(e Value) (Value, error) {
	b := m.H.Obj(e.AsObj()).Data.AsBlock()
	for {
		w := m.H.Values(b)
		keys, i := w[1].AsObj(), w[2].AsInt()
		if uint32(i) >= m.H.Obj(keys).ElemLen {
			return Empty, nil
		}
		k := m.H.Elem(m.H.Obj(keys), uint32(i))
		o := w[0].AsObj()
		m.H.SetWord(b, 2, heap.Int(i+1))
		if err := m.Charge(1); err != nil {
			return Undefined, err
		}
		key, err := m.ToKey(k)
		if err != nil {
			return Undefined, err
		}
		if m.H.Obj(o).Class == heap.ClassProxy {
			return k, nil
		}
		m.noGC++
		ok, err := m.HasProperty(o, key)
		m.noGC--
		if err != nil {
			return Undefined, err
		}
		if ok {
			return k, nil
		}
	}
}
