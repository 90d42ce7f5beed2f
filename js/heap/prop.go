package heap

import "slices"

// Slot reads the value of named property slot i.
func (h *Heap) Slot(o *Object, i int) Value {
	if i < InlineSlots {
		return o.Inline[i]
	}
	return h.Word(o.Slots, i-InlineSlots)
}

// SetSlot writes the value of named property slot i.
func (h *Heap) SetSlot(o Obj, i int, v Value) {
	if i < InlineSlots {
		h.ObjW(o).Inline[i] = v
		return
	}
	h.SetWord(h.Obj(o).Slots, i-InlineSlots, v)
}

// GetNamed finds an own named property and reads its slot: the value, or a
// pair for an accessor.
func (h *Heap) GetNamed(o Obj, name Str) (Value, Attrs, bool) {
	rec := h.Obj(o)
	slot, attrs, ok := h.Lookup(rec.Shape, name)
	if !ok {
		return Undefined, 0, false
	}
	return h.Slot(rec, slot), attrs, true
}

// AddNamed adds a named property that o doesn't have.
func (h *Heap) AddNamed(o Obj, name Str, v Value, attrs Attrs) {
	rec := h.Obj(o)
	s := h.Shape(rec.Shape)
	if s.flags&shapeDict == 0 && s.Count >= dictMin {
		h.toDict(o)
		s = h.Shape(h.Obj(o).Shape)
	}
	h.bumpIfProto(o)
	slot := int(s.Count)
	if s.flags&shapeDict != 0 {
		h.dictAdd(o, uint32(name), attrs)
		slot = int(h.Shape(h.Obj(o).Shape).Count) - 1
		h.growSlots(o, slot)
		h.SetSlot(o, slot, v)
		return
	}
	to := h.extend(rec.Shape, uint32(name), attrs)
	h.AddSlot(o, to, slot, v)
}

// AddSlot gives o the shape to, whose last property is in the given slot. It
// is what an inline cache does after AddNamed has shown the way.
func (h *Heap) AddSlot(o Obj, to ShapeID, slot int, v Value) {
	if slot < InlineSlots {
		w := h.ObjW(o)
		w.Shape = to
		w.Inline[slot] = v
		return
	}
	h.growSlots(o, slot)
	w := h.ObjW(o)
	w.Shape = to
	h.SetWord(w.Slots, slot-InlineSlots, v)
}

// growSlots makes room for the given slot. Slots double; their number is
// bounded by the properties added before, so that they count as fixed-size.
func (h *Heap) growSlots(o Obj, slot int) {
	i := slot - InlineSlots
	if i < 0 {
		return
	}
	old := h.Obj(o).Slots
	if old != 0 && i < h.words.size(old) {
		return
	}
	n := max(2, i+1+i/2)
	var b Block
	if n <= maxSmall {
		b = h.allocSmall(int(classOf[n]), false)
	} else {
		n = (n + 7) &^ 7
		h.commit(int64(n)*8 + pageOverhead)
		b = Block(h.newWordPage(wordPage{w: make([]Value, n), class: largeClass, owned: true}) << wordShift) //meter: committed above
	}
	if old != 0 {
		copy(h.ValuesW(b), h.Values(old)[:i])
		h.freeLarge(old)
	}
	h.ObjW(o).Slots = b
}

func (h *Heap) dictAdd(o Obj, key uint32, attrs Attrs) {
	id := h.Obj(o).Shape
	s := h.shapeW(id)
	w := h.ValuesW(s.Table)
	t := tableSlots(w)
	if int(w[0])*4+4 > len(t)*3 {
		// Full, counting deleted entries: rebuild.
		b := h.newTable(int(s.live)*2 + 4)
		nw := h.ValuesW(b)
		nt := tableSlots(nw)
		for _, e := range tableSlots(h.Values(s.Table)) { //meter: doubling: paid for by the properties added
			if e != 0 && e != tableDead {
				tableInsert(nt, e)
			}
		}
		h.freeLarge(s.Table)
		s = h.shapeW(id)
		s.Table = b
		nw[0] = Value(s.live)
		w, t = nw, nt
	}
	tableInsert(t, tableEntry(key, s.Count, attrs))
	w[0]++
	s.Count++
	s.live++
}

// SetAttrs changes the attributes of an existing named property.
func (h *Heap) SetAttrs(o Obj, name Str, attrs Attrs) {
	h.toDict(o)
	h.bumpIfProto(o)
	id := h.renewDict(o)
	t := tableSlots(h.ValuesW(h.Shape(id).Table))
	mask := uint32(len(t) - 1)
	for i := uint32(name) * 2654435761 >> 8 & mask; t[i] != 0; i = (i + 1) & mask { //meter: as tableFind
		if uint32(t[i]) == uint32(name) {
			t[i] = tableEntry(uint32(name), uint32(t[i]>>32)&0xFFFFFF, attrs)
			return
		}
	}
}

// DeleteNamed removes an existing named property.
func (h *Heap) DeleteNamed(o Obj, name Str) {
	h.toDict(o)
	h.bumpIfProto(o)
	id := h.renewDict(o)
	s := h.shapeW(id)
	t := tableSlots(h.ValuesW(s.Table))
	mask := uint32(len(t) - 1)
	for i := uint32(name) * 2654435761 >> 8 & mask; t[i] != 0; i = (i + 1) & mask { //meter: as tableFind
		if uint32(t[i]) == uint32(name) {
			slot := int(t[i]>>32) & 0xFFFFFF
			t[i] = tableDead
			s.live--
			h.SetSlot(o, slot, Undefined)
			break
		}
	}
	if s = h.Shape(id); s.Count > 16 && s.live < s.Count/2 {
		h.compactDict(o)
	}
}

// compactDict closes the gaps that deleted properties left in the slots.
func (h *Heap) compactDict(o Obj) {
	id := h.Obj(o).Shape
	entries := h.sortedEntries(id)
	b := h.newTable(len(entries)*2 + 4)
	w := h.ValuesW(b)
	t := tableSlots(w)
	for i, e := range entries { //meter: paid for by the deletions before
		v := h.Slot(h.Obj(o), int(e>>32)&0xFFFFFF)
		h.SetSlot(o, i, v)
		tableInsert(t, tableEntry(uint32(e), uint32(i), Attrs(e>>56)))
	}
	for i := len(entries); i < int(h.Shape(id).Count); i++ { //meter: as above
		h.SetSlot(o, i, Undefined)
	}
	w[0] = Value(len(entries))
	s := h.shapeW(id)
	h.freeLarge(s.Table)
	s.Table = b
	s.Count, s.live = uint32(len(entries)), uint32(len(entries))
}

// sortedEntries returns the table entries of a dictionary in slot order.
func (h *Heap) sortedEntries(id ShapeID) []Value {
	s := h.Shape(id)
	// Slots are few more than properties: deletions compact them.
	out := make([]Value, s.Count)                     //meter: as many as the properties, which callers charge by
	for _, e := range tableSlots(h.Values(s.Table)) { //meter: callers charge by the number of properties
		if e != 0 && e != tableDead {
			out[e>>32&0xFFFFFF] = e
		}
	}
	n := 0
	for _, e := range out { //meter: callers charge by the number of properties
		if e != 0 {
			out[n] = e
			n++
		}
	}
	return out[:n]
}

// NumNamed returns how many own named properties o has, symbols and private
// names included.
func (h *Heap) NumNamed(o Obj) int {
	s := h.Shape(h.Obj(o).Shape)
	if s.flags&shapeDict != 0 {
		return int(s.live)
	}
	return int(s.Count)
}

// Prop is an own named property as Named lists it.
type Prop struct {
	Name  Str
	Slot  int
	Attrs Attrs
}

// Named appends the own named properties of o in the order they were added.
// The caller charges for them (see NumNamed).
func (h *Heap) Named(o Obj, dst []Prop) []Prop {
	id := h.Obj(o).Shape
	s := h.Shape(id)
	if s.flags&shapeDict != 0 {
		for _, e := range h.sortedEntries(id) { //meter: the caller charges
			dst = append(dst, Prop{Str(uint32(e)), int(e>>32) & 0xFFFFFF, Attrs(e >> 56)})
		}
		return dst
	}
	n := len(dst)
	for s.Count > 0 { //meter: the caller charges
		dst = append(dst, Prop{Str(s.Key), int(s.Count - 1), s.Attrs})
		s = h.Shape(s.Parent)
	}
	slices.Reverse(dst[n:])
	return dst
}

// SetProto changes the prototype of o, 0 for null. The work is proportional to
// the number of properties; the caller charges for it.
func (h *Heap) SetProto(o, proto Obj) {
	h.bumpIfProto(o)
	s := h.Shape(h.Obj(o).Shape)
	if s.Proto == proto {
		return
	}
	if s.flags&shapeDict != 0 {
		if proto != 0 {
			h.RootShape(proto) // marks it as a prototype
		}
		id := h.renewDict(o)
		h.shapeW(id).Proto = proto
		return
	}
	props := h.Named(o, nil)
	id := h.RootShape(proto)
	for _, p := range props { //meter: the caller charges
		id = h.extend(id, uint32(p.Name), p.Attrs)
	}
	h.ObjW(o).Shape = id
}

// NewPair makes the value of an accessor property.
func (h *Heap) NewPair(get, set Value) Value {
	b := h.allocSmall(0, false)
	w := h.ValuesW(b)
	w[0], w[1] = get, set
	return PairValue(b)
}

// Pair returns getter and setter of an accessor property's value.
func (h *Heap) Pair(v Value) (get, set Value) {
	w := h.Values(v.AsBlock())
	return w[0], w[1]
}

// RenewShape gives o a hidden class of its own, so that no inline cache made
// for objects like it applies any more.
func (h *Heap) RenewShape(o Obj) {
	h.toDict(o)
	h.bumpIfProto(o)
}
