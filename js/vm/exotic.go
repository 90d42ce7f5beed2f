package vm

import (
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
)

// Array exotic objects (§10.4.2) --------------------------------------------

// NewArray makes an array of the values.
func (m *Machine) NewArray(vals []Value) (Obj, error) {
	return m.H.NewArrayOf(m.shapes.array, vals)
}

// NewArrayLen is ArrayCreate(length) for length < 2**32.
func (m *Machine) NewArrayLen(n uint32) Obj {
	o := m.H.NewObject(m.shapes.array, heap.ClassArray)
	m.H.ObjW(o).Length = n
	return o
}

// arraySetLength is ArraySetLength (§10.4.2.4).
func (m *Machine) arraySetLength(o Obj, d Desc) (bool, error) {
	newLen := m.H.Obj(o).Length
	if d.Value != Empty {
		n, err := m.ToUint32(d.Value)
		if err != nil {
			return false, err
		}
		f, err := m.ToNumber(d.Value)
		if err != nil {
			return false, err
		}
		if f.AsFloat() != float64(n) {
			return false, m.RangeError("Invalid array length")
		}
		newLen = n
	}
	rec := m.H.Obj(o)
	if d.IsAccessor() {
		return false, nil
	}
	a := lengthAttrs(rec)
	if ok, err := m.validateDesc(Desc{Value: Empty, Get: Empty, Set: Empty, Attrs: d.Attrs, Has: d.Has}, arrayLength(rec), a); !ok || err != nil {
		return false, err
	}
	if d.Value != Empty && newLen != rec.Length {
		if a&heap.Writable == 0 {
			return false, nil
		}
		if newLen < rec.Length {
			if err := m.Charge(m.H.NumElems(o) / 16); err != nil {
				return false, err
			}
			end := m.H.Truncate(o, newLen)
			w := m.H.ObjW(o)
			w.Length = max(end, newLen)
			if end > newLen {
				if d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
					w.Flags |= heap.LengthReadOnly
				}
				return false, nil
			}
		} else {
			m.H.ObjW(o).Length = newLen
		}
	}
	if d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
		m.H.ObjW(o).Flags |= heap.LengthReadOnly
	}
	return true, nil
}

// String exotic objects (§10.4.3) --------------------------------------------

func (m *Machine) stringOwn(o Obj, key Key) (Value, bool, error) {
	s := m.H.Obj(o).Data.AsStr()
	if key == m.N.Length {
		return heap.Int(int32(m.H.Len(s))), true, nil
	}
	if !key.IsIndex() || int64(key.Index()) >= int64(m.H.Len(s)) {
		return Undefined, false, nil
	}
	c, err := m.H.At(s, int(key.Index()))
	return heap.StringValue(m.H.Char(c)), err == nil, err
}

func (m *Machine) stringAttrs(key Key) heap.Attrs {
	if key.IsIndex() {
		return heap.Enumerable
	}
	return 0
}

func (m *Machine) stringKeys(o Obj, keys []Key) ([]Key, error) {
	n := m.H.Len(m.H.Obj(o).Data.AsStr())
	if err := m.ChargeKeys(n); err != nil {
		return nil, err
	}
	for i := range n { //meter: charged above
		keys = append(keys, heap.IndexKey(uint32(i)))
	}
	return keys, nil
}

// ChargeKeys charges fuel and memory for a list of n keys that lives outside
// the heap for the time of one built-in.
func (m *Machine) ChargeKeys(n int) error {
	if err := m.Charge(n); err != nil {
		return err
	}
	return m.Hold(int64(n) * 8)
}

// Arguments exotic objects (§10.4.4) ------------------------------------------
//
// A mapped arguments object's Data is a block of values: word 0 the function's
// environment, then for each parameter its slot + 1 as a number, 0 when it is
// not mapped any more. An unmapped one's Data is Undefined and it is ordinary.

func (m *Machine) argumentsSlot(o Obj, key Key) (env Value, slot int, ok bool) {
	rec := m.H.Obj(o)
	if !key.IsIndex() || !rec.Data.IsInternal() {
		return 0, 0, false
	}
	b := rec.Data.AsBlock()
	i := int(key.Index())
	if i < 0 || i+1 >= m.H.BlockSize(b) {
		return 0, 0, false
	}
	s := m.H.Word(b, i+1)
	if !s.IsInt() || s.AsInt() == 0 {
		return 0, 0, false
	}
	return m.H.Word(b, 0), int(s.AsInt()), true // environments have their parent in word 0
}

func (m *Machine) argumentsOwn(o Obj, key Key) (Value, heap.Attrs, bool, error) {
	v, a, ok, err := m.ordinaryOwn(o, key)
	if ok {
		if env, slot, mapped := m.argumentsSlot(o, key); mapped {
			v = m.H.Word(env.AsBlock(), slot)
		}
	}
	return v, a, ok, err
}

func (m *Machine) argumentsUnmap(o Obj, key Key) {
	if _, _, ok := m.argumentsSlot(o, key); ok {
		m.H.SetWord(m.H.Obj(o).Data.AsBlock(), int(key.Index())+1, heap.Int(0))
	}
}

func (m *Machine) argumentsDefine(o Obj, key Key, d Desc) (bool, error) {
	env, slot, mapped := m.argumentsSlot(o, key)
	nd := d
	if mapped && d.IsData() && d.Value == Empty && d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
		nd.Value = m.H.Word(env.AsBlock(), slot)
	}
	ok, err := m.ordinaryDefine(o, key, nd)
	if !ok || err != nil || !mapped {
		return ok, err
	}
	if d.IsAccessor() {
		m.argumentsUnmap(o, key)
		return true, nil
	}
	if d.Value != Empty {
		m.H.SetWord(env.AsBlock(), slot, d.Value)
	}
	if d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
		m.argumentsUnmap(o, key)
	}
	return true, nil
}

// newArguments makes an arguments object of the values in the array args.
// mapped is nil for an unmapped one.
func (m *Machine) newArguments(args Obj, fn Obj, env Value, mapped []uint16) (Obj, error) {
	n := int(m.H.Obj(args).ElemLen)
	o := m.H.NewObject(m.shapes.object, heap.ClassArguments)
	if n > 0 {
		b, err := m.H.NewValues(n)
		if err != nil {
			return 0, err
		}
		copy(m.H.ValuesW(b), m.H.Elems(args))
		m.H.SetElems(o, b, n)
	}
	m.H.AddNamed(o, m.N.Length.Name(), heap.Int(int32(n)), heap.HiddenAttrs)
	m.H.AddNamed(o, m.N.SymIterator.Name(), heap.ObjectValue(m.intrinsics[ArrayProtoValues]), heap.HiddenAttrs)
	if mapped == nil {
		t := heap.ObjectValue(m.intrinsics[ThrowTypeError])
		m.H.AddNamed(o, m.N.Callee.Name(), m.H.NewPair(t, t), heap.Accessor)
		return o, nil
	}
	m.H.AddNamed(o, m.N.Callee.Name(), heap.ObjectValue(fn), heap.HiddenAttrs)
	k := min(n, len(mapped))
	b, err := m.H.NewValues(k + 1)
	if err != nil {
		return 0, err
	}
	w := m.H.ValuesW(b)
	w[0] = env
	for i := range w[1:] { //meter: as large as the block that was charged
		w[i+1] = heap.Int(0)
		if i < k && mapped[i] != 0xFFFF {
			w[i+1] = heap.Int(int32(mapped[i]) + 1)
		}
	}
	r := m.H.ObjW(o)
	r.Data = heap.ValuesValue(b)
	r.Flags |= heap.Exotic
	return o, nil
}

// Canonical numeric strings (§7.1.21) ----------------------------------------

// canonicalNumericIndex reports whether a key is a canonical numeric string,
// which integer-indexed exotic objects treat as an index.
func (m *Machine) canonicalNumericIndex(key Key) (float64, bool, error) {
	if key.IsIndex() {
		return float64(key.Index()), true, nil
	}
	if key.IsSymbol() {
		return 0, false, nil
	}
	b, u, err := m.H.Units16(key.Name())
	if err != nil || u != nil || len(b) == 0 || len(b) > 32 {
		return 0, false, err
	}
	switch c := b[0]; {
	case c >= '0' && c <= '9', c == '-', c == 'I', c == 'N':
	default:
		return 0, false, nil
	}
	if string(b) == "-0" {
		return negZero, true, nil
	}
	f, ok := conv.ParseNumber(b)
	if !ok && string(b) != "NaN" {
		return 0, false, nil
	}
	var buf [32]byte
	if string(conv.FormatNumber(buf[:0], f)) != string(b) {
		return 0, false, nil
	}
	return f, true, nil
}
