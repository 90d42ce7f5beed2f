package heap

// tableMin is the number of properties from which on a shape is looked up
// through an index rather than along its ancestors.
const tableMin = 8

// dictMin is the number of properties from which on an object that grows by
// assignment gets a shape of its own.
const dictMin = 512

// transitionTable finds the child of a shape for one more property, and the
// root shape of a prototype. Open addressing.
type transitionTable struct {
	slots []transition
	count int
}

type transition struct {
	from  ShapeID // 0: root shapes, by prototype in key
	key   uint32
	attrs Attrs
	to    ShapeID
}

const transitionBytes = 16

func transitionHash(from ShapeID, key uint32, attrs Attrs) uint32 {
	x := uint32(from)*2654435761 ^ key*2246822519 ^ uint32(attrs)*3266489917
	return x ^ x>>15
}

func (t *transitionTable) find(from ShapeID, key uint32, attrs Attrs) ShapeID {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint32(len(t.slots) - 1)
	for i := transitionHash(from, key, attrs) & mask; ; i = (i + 1) & mask { //meter: at most half full, well spread
		e := &t.slots[i]
		if e.to == 0 {
			return 0
		}
		if e.from == from && e.key == key && e.attrs == attrs {
			return e.to
		}
	}
}

func (t *transitionTable) insert(e transition) {
	mask := uint32(len(t.slots) - 1)
	i := transitionHash(e.from, e.key, e.attrs) & mask
	for t.slots[i].to != 0 { //meter: as find
		i = (i + 1) & mask
	}
	t.slots[i] = e
	t.count++
}

func (h *Heap) addTransition(e transition) {
	t := &h.transitions
	if t.count*2 >= len(t.slots) {
		old := t.slots
		n := max(64, len(old)*2)
		h.commit(int64(n) * transitionBytes)
		*t = transitionTable{slots: make([]transition, n)} //meter: committed above
		for i := range old {                               //meter: doubling: paid for by the transitions added
			if old[i].to != 0 {
				t.insert(old[i])
			}
		}
		h.release(int64(len(old)) * transitionBytes)
	}
	t.insert(e)
}

// sweepTransitions drops the transitions from or to dead shapes, as sweepAtoms
// does.
func (h *Heap) sweepTransitions() {
	t := &h.transitions
	mask := uint32(len(t.slots) - 1)
	for i := uint32(0); int(i) < len(t.slots); { //meter: linear in a table that was charged as it grew
		if e := &t.slots[i]; e.to == 0 || h.shapes.marked(uint32(e.to)) && (e.from == 0 || h.shapes.marked(uint32(e.from))) {
			i++
			continue
		}
		t.count--
		hole := i
		for k := (i + 1) & mask; t.slots[k].to != 0; k = (k + 1) & mask { //meter: as find
			e := &t.slots[k]
			if home := transitionHash(e.from, e.key, e.attrs) & mask; (k-home)&mask >= (k-hole)&mask {
				t.slots[hole] = *e
				hole = k
			}
		}
		t.slots[hole] = transition{}
	}
}

func (h *Heap) findTransition(from ShapeID, key uint32, attrs Attrs) ShapeID {
	if h.tmpl != nil {
		if s := h.tmpl.transitions.find(from, key, attrs); s != 0 {
			return s
		}
	}
	return h.transitions.find(from, key, attrs)
}

func (h *Heap) newShape(s Shape) ShapeID {
	id := ShapeID(h.shapes.alloc(h))
	s.flags |= shapeUsed
	h.shapes.pages[id>>recordShift].p[id&recordMask] = s
	return id
}

// RootShape returns the shape of an object without properties whose prototype
// is proto (0: null).
func (h *Heap) RootShape(proto Obj) ShapeID {
	if s := h.findTransition(0, uint32(proto), 0); s != 0 {
		return s
	}
	if proto != 0 && h.Obj(proto).Flags&IsProto == 0 {
		h.ObjW(proto).Flags |= IsProto
	}
	s := h.newShape(Shape{Proto: proto})
	h.addTransition(transition{key: uint32(proto), to: s})
	return s
}

// Proto returns the prototype of o, 0 for null.
func (h *Heap) Proto(o Obj) Obj { return h.Shape(h.Obj(o).Shape).Proto }

// IsDict reports whether the shape is owned by one object. An inline cache may
// remember where a dictionary has a property, but not that it lacks one.
func (h *Heap) IsDict(s ShapeID) bool { return h.Shape(s).flags&shapeDict != 0 }

// lookupEntry is an entry of the lookup cache: what Lookup found for a shape
// that is no dictionary, and so never changes.
type lookupEntry struct {
	shape ShapeID
	key   uint32
	slot  uint32
	attrs Attrs
	found bool
}

const lookupCacheSize = 512

// Lookup finds a named property of a shape.
func (h *Heap) Lookup(id ShapeID, name Str) (slot int, attrs Attrs, ok bool) {
	s := h.Shape(id)
	if s.flags&shapeDict != 0 {
		return h.tableFind(s, uint32(name))
	}
	if s.Count <= 2 {
		for s.Count > 0 { //meter: at most 2 steps
			if s.Key == uint32(name) {
				return int(s.Count - 1), s.Attrs, true
			}
			s = h.Shape(s.Parent)
		}
		return 0, 0, false
	}
	if h.lookups == nil {
		h.commit(lookupCacheSize * 16)
		h.lookups = new([lookupCacheSize]lookupEntry)
	}
	e := &h.lookups[(uint32(id)*31+uint32(name)*7)%lookupCacheSize]
	if e.shape == id && e.key == uint32(name) {
		return int(e.slot), e.attrs, e.found
	}
	slot, attrs, ok = h.lookup(id, name)
	*e = lookupEntry{shape: id, key: uint32(name), slot: uint32(slot), attrs: attrs, found: ok}
	return slot, attrs, ok
}

func (h *Heap) lookup(id ShapeID, name Str) (slot int, attrs Attrs, ok bool) {
	s := h.Shape(id)
	if s.Table != 0 {
		return h.tableFind(s, uint32(name))
	}
	if s.Count <= tableMin {
		for s.Count > 0 { //meter: at most tableMin steps
			if s.Key == uint32(name) {
				return int(s.Count - 1), s.Attrs, true
			}
			s = h.Shape(s.Parent)
		}
		return 0, 0, false
	}
	h.buildTable(id)
	return h.tableFind(h.Shape(id), uint32(name))
}

// A shape's table is a raw block: word 0 holds the number of entries, the rest
// is an open-addressed index of entries key | slot<<32 | attrs<<56. Shapes of
// one lineage share it: an entry counts for a shape only if its slot is below
// the shape's Count.
func tableEntry(key uint32, slot uint32, attrs Attrs) Value {
	return Value(key) | Value(slot)<<32 | Value(attrs)<<56
}

const tableDead Value = 0xFFFFFFFF // a deleted entry of a dictionary

func tableSlots(w []Value) []Value {
	// The block's size is even and not a power of two plus one: use the
	// largest power of two that fits.
	n := 1
	for n*2 < len(w) { //meter: at most 32 steps
		n *= 2
	}
	return w[1 : 1+n]
}

func (h *Heap) tableFind(s *Shape, key uint32) (int, Attrs, bool) {
	t := tableSlots(h.Values(s.Table))
	mask := uint32(len(t) - 1)
	for i := key * 2654435761 >> 8 & mask; ; i = (i + 1) & mask { //meter: never more than three quarters full
		e := t[i]
		if e == 0 {
			return 0, 0, false
		}
		if uint32(e) == key {
			slot := uint32(e>>32) & 0xFFFFFF
			if slot >= s.Count {
				return 0, 0, false
			}
			return int(slot), Attrs(e >> 56), true
		}
	}
}

func tableInsert(t []Value, e Value) {
	mask := uint32(len(t) - 1)
	i := uint32(e) * 2654435761 >> 8 & mask
	for t[i] != 0 && t[i] != tableDead { //meter: as tableFind
		i = (i + 1) & mask
	}
	t[i] = e
}

// newTable makes an empty table for n entries and some more. Tables are at
// most as large as the properties that are in slots already, so they are
// charged like fixed-size records.
func (h *Heap) newTable(n int) Block {
	size := 16
	for size*3 < n*4+4 { //meter: at most 32 steps
		size *= 2
	}
	words := size + 1
	if words <= maxSmall {
		return h.allocSmall(int(classOf[words]), true)
	}
	words = (words + 7) &^ 7
	h.commit(int64(words)*8 + pageOverhead)
	return Block(h.newWordPage(wordPage{w: make([]Value, words), class: largeClass, raw: true, owned: true}) << wordShift) //meter: committed above
}

func (h *Heap) buildTable(id ShapeID) {
	s := h.Shape(id)
	b := h.newTable(int(s.Count))
	w := h.ValuesW(b)
	w[0] = Value(s.Count)
	t := tableSlots(w)
	for p := h.Shape(id); p.Count > 0; p = h.Shape(p.Parent) { //meter: a shape's properties, each paid for when added
		tableInsert(t, tableEntry(p.Key, p.Count-1, p.Attrs))
	}
	h.shapeW(id).Table = b
}

// extend returns the child shape of id with one more property.
func (h *Heap) extend(id ShapeID, name uint32, attrs Attrs) ShapeID {
	if to := h.findTransition(id, name, attrs); to != 0 {
		return to
	}
	s := *h.Shape(id)
	child := Shape{Parent: id, Proto: s.Proto, Key: name, Count: s.Count + 1, Attrs: attrs}
	if s.Table != 0 {
		child.Table = h.appendTable(&s, name, attrs)
	}
	to := h.newShape(child)
	h.addTransition(transition{from: id, key: name, attrs: attrs, to: to})
	return to
}

// appendTable adds an entry to the table of s if s is the newest shape that
// uses it, growing it when full; 0 means that the child makes its own.
func (h *Heap) appendTable(s *Shape, name uint32, attrs Attrs) Block {
	if int(s.Table>>wordShift) < h.words.base {
		return 0 // the template's tables don't change
	}
	w := h.ValuesW(s.Table)
	if uint32(w[0]) != s.Count {
		return 0
	}
	t := tableSlots(w)
	b := s.Table
	if (int(s.Count)+2)*4 > len(t)*3 {
		b = h.newTable(int(s.Count) * 2)
		nw := h.ValuesW(b)
		nt := tableSlots(nw)
		for _, e := range tableSlots(h.Values(s.Table)) { //meter: doubling: paid for by the properties added
			if e != 0 && e != tableDead {
				tableInsert(nt, e)
			}
		}
		w, t = nw, nt
	}
	tableInsert(t, tableEntry(name, s.Count, attrs))
	w[0] = Value(s.Count + 1)
	return b
}

// toDict gives o a shape of its own, so that its properties can be deleted and
// reconfigured.
func (h *Heap) toDict(o Obj) ShapeID {
	id := h.Obj(o).Shape
	s := *h.Shape(id)
	if s.flags&shapeDict != 0 {
		return id
	}
	b := h.newTable(int(s.Count) + 4)
	w := h.ValuesW(b)
	t := tableSlots(w)
	for p := h.Shape(id); p.Count > 0; p = h.Shape(p.Parent) { //meter: the object's properties, each paid for when added
		tableInsert(t, tableEntry(p.Key, p.Count-1, p.Attrs))
	}
	w[0] = Value(s.Count)
	d := h.newShape(Shape{Proto: s.Proto, Table: b, Count: s.Count, flags: shapeDict, live: s.Count})
	h.ObjW(o).Shape = d
	return d
}

// renewDict gives a dictionary object a new shape number, so that no inline
// cache still finds what changed.
func (h *Heap) renewDict(o Obj) ShapeID {
	s := *h.Shape(h.Obj(o).Shape)
	d := h.newShape(s)
	// The old record must not share the table that the new one changes.
	old := h.shapeW(h.Obj(o).Shape)
	old.Table, old.Count, old.live = 0, 0, 0
	h.ObjW(o).Shape = d
	return d
}

// bumpIfProto ends the epoch when o is somebody's prototype.
func (h *Heap) bumpIfProto(o Obj) {
	if h.Obj(o).Flags&IsProto != 0 {
		h.Epoch++
	}
}

// LooseShape makes a root shape that RootShape never returns: objects that
// look like others but must not hit their inline caches.
func (h *Heap) LooseShape(proto Obj) ShapeID {
	h.RootShape(proto) // marks it as a prototype
	return h.newShape(Shape{Proto: proto})
}
