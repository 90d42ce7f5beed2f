package heap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/pinfold-js/pinfold/meter"
)

// ErrSnapshot is what is wrong with a snapshot that can't be read: every error
// of loading wraps it, or ends the run that loads.
var ErrSnapshot = errors.New("the snapshot is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSnapshot, fmt.Sprintf(format, args...))
}

// SnapReader takes what SnapWriter wrote off a slice of
// bytes. After an error everything it gives is zero.
type SnapReader struct {
	B    []byte // all of it
	Err  error
	at   int // where to read on
	prev snapPrev
}

// Left returns how many bytes are left.
func (r *SnapReader) Left() int { return len(r.B) - r.at }

// Fail notes the first error.
func (r *SnapReader) Fail(format string, args ...any) {
	if r.Err == nil {
		r.Err = damaged(format, args...)
	}
	r.at = len(r.B)
}

// Uint reads a number.
func (r *SnapReader) Uint() uint64 {
	if r.at < len(r.B) && r.B[r.at] < 0x80 {
		r.at++
		return uint64(r.B[r.at-1])
	}
	n, k := binary.Uvarint(r.B[r.at:])
	if k <= 0 {
		r.Fail("it ends within a number")
		return 0
	}
	r.at += k
	return n
}

// Len reads a number of things that take at least so many bytes each.
func (r *SnapReader) Len(bytes int) int {
	n := r.Uint()
	if n > uint64(r.Left()/bytes) {
		r.Fail("%d things are announced in %d bytes", n, r.Left())
		return 0
	}
	return int(n)
}

// Byte reads a byte.
func (r *SnapReader) Byte() byte {
	if r.at >= len(r.B) {
		r.Fail("it ends too early")
		return 0
	}
	r.at++
	return r.B[r.at-1]
}

// Bytes reads n bytes; they are a view.
func (r *SnapReader) Bytes(n int) []byte {
	if n < 0 || n > r.Left() {
		r.Fail("it ends too early")
		return nil
	}
	r.at += n
	return r.B[r.at-n : r.at : r.at]
}

// Text reads a string.
func (r *SnapReader) Text() string { return string(r.Bytes(r.Len(1))) }

// Int reads a signed number.
func (r *SnapReader) Int() int64 {
	x := r.Uint()
	return int64(x>>1) ^ -int64(x&1)
}

func (r *SnapReader) handle(prev *uint32) uint32 {
	d := r.Int()
	x := int64(*prev) + d
	if x < 0 || x > 1<<32-1 {
		r.Fail("a reference leads nowhere")
		return 0
	}
	*prev = uint32(x)
	return uint32(x)
}

// Value reads a value.
func (r *SnapReader) Value() Value {
	c := r.Byte()
	switch {
	case c < codeUndefined:
		return Int(int32(c))
	case c <= codeEmpty:
		return Undefined + Value(c-codeUndefined)
	case c >= codeNearString && c < codeNearString+64:
		r.prev.str += uint32(c) - codeNearString - 32
		return StringValue(Str(r.prev.str))
	case c >= codeNearObject && c < codeNearObject+64:
		r.prev.obj += uint32(c) - codeNearObject - 32
		return ObjectValue(Obj(r.prev.obj))
	}
	switch c {
	case codeZero:
		return 0
	case codeInt:
		i := r.Int()
		if int64(int32(i)) != i {
			r.Fail("an integer is too large")
		}
		return Int(int32(i))
	case codeWord:
		b := r.Bytes(8)
		if b == nil {
			return 0
		}
		v := Value(binary.LittleEndian.Uint64(b))
		if v.tag() >= tagInt {
			r.Fail("a number is none")
			return 0
		}
		return v
	case codeObject:
		return ObjectValue(Obj(r.handle(&r.prev.obj)))
	case codeString:
		return StringValue(Str(r.handle(&r.prev.str)))
	case codeSymbol:
		return SymbolValue(Str(r.handle(&r.prev.str)))
	case codeBigInt:
		return BigIntValue(Str(r.handle(&r.prev.str)))
	case codeEnv, codeValues, codeRaw, codePair:
		return internalValue(uint64(c-codeEnv), r.handle(&r.prev.block))
	case codeNumber:
		n := r.Uint()
		if n > 1<<32-1 {
			r.Fail("an internal number is too large")
		}
		return NumberValue(uint32(n))
	}
	r.Fail("a value is of kind %#x", c)
	return 0
}

// Values fills dst with the values that Values of SnapWriter wrote.
func (r *SnapReader) Values(dst []Value) {
	for i := 0; i < len(dst); { //meter: dst is charged memory
		if r.at < len(r.B) && r.B[r.at] == codeRepeat && i > 0 {
			r.at++
			n := r.Uint()
			if n > uint64(len(dst)-i) {
				r.Fail("a value is repeated too often")
				return
			}
			v := dst[i-1]
			for k := range int(n) { //meter: dst is charged memory
				dst[i+k] = v
			}
			i += int(n)
			if n == 0 {
				r.Fail("a value is repeated not at all")
				return
			}
			continue
		}
		dst[i] = r.Value()
		if r.Err != nil {
			clear(dst[i:])
			return
		}
		i++
	}
}

// raw fills words from bytes; the rest stays as it is, zero.
func (r *SnapReader) raw(words []Value) {
	n := r.Len(1)
	if n > len(words)*8 {
		r.Fail("a block is too long")
		return
	}
	copy(bytesOf(words), r.Bytes(n))
}

func (r *SnapReader) block(words []Value, raw bool) {
	if raw {
		r.raw(words)
		return
	}
	r.Values(words)
}

// records reads which records of a page follow.
func (r *SnapReader) records() uint64 {
	switch c := r.Byte(); {
	case c == 0xFF:
		return ^uint64(0)
	case c < recordsPerPage:
		return 1 << c
	case c == 0xFE:
		if b := r.Bytes(8); b != nil {
			return binary.LittleEndian.Uint64(b)
		}
	default:
		r.Fail("a page has records of kind %#x", c)
	}
	return 0
}

// LoadHeap makes a heap from a snapshot, which it takes off r, and charges m for
// it. Whoever didn't write the snapshot himself calls Validate then.
func (t *Template) LoadHeap(m *meter.Meter, r *SnapReader) (*Heap, error) {
	h := t.NewHeap(m)
	r.prev = snapPrev{}
	symbols, epoch := r.Uint(), r.Uint()
	h.gc.symbols, h.Epoch = uint32(symbols), uint32(epoch)
	var atoms []Str
	var listed []transition
	loadTable(h, r, &h.objs, func(_ uint32, o *Object) { r.object(o) })
	loadTable(h, r, &h.cells, func(id uint32, c *Cell) {
		r.cell(c)
		if c.flags&cellAtom != 0 && (int(id>>recordShift) >= len(t.cells) || t.cells[id>>recordShift].p[id&recordMask].flags&cellAtom == 0) {
			atoms = append(atoms, Str(id))
		}
	})
	loadTable(h, r, &h.shapes, func(id uint32, s *Shape) {
		if r.shape(s) {
			listed = append(listed, s.transition(ShapeID(id)))
		}
	})
	h.loadWords(r)
	if r.Err != nil {
		return nil, r.Err
	}
	for _, a := range atoms { //meter: records of the snapshot, charged page by page
		c := h.cell(a)
		if h.atoms.count*2 >= len(h.atoms.slots) {
			h.growAtoms()
		}
		h.atoms.insert(a, c.hash)
	}
	for _, x := range listed { //meter: records of the snapshot, charged page by page
		h.addTransition(x)
	}
	h.setThreshold()
	if m != nil {
		return h, m.Err()
	}
	return h, nil
}

// growAtoms makes room for as many atoms again.
func (h *Heap) growAtoms() {
	old := h.atoms.slots
	n := max(64, len(old)*2)
	h.commit(int64(n) * 4)
	h.atoms = atomTable{slots: make([]uint32, n)} //meter: committed above
	for _, s := range old {                       //meter: doubling: paid for by the atoms added
		if s != 0 {
			h.atoms.insert(Str(s), h.cell(Str(s)).hash)
		}
	}
	h.release(int64(len(old)) * 4)
}

// pageCount reads how many pages of its own a table has, most of which may be
// gone.
func (h *Heap) pageCount(r *SnapReader) (pages, present int) {
	n := r.Uint()
	room := int64(1) << 40
	if h.meter != nil {
		room = h.meter.Headroom()
	}
	if n > uint64(room/2048+1024) || n > 1<<(32-wordShift) {
		r.Fail("it has %d pages", n)
		return 0, 0
	}
	present = r.Len(2)
	if uint64(present) > n {
		r.Fail("it has %d of %d pages", present, n)
	}
	return int(n), present
}

func loadTable[T any](h *Heap, r *SnapReader, t *table[T], record func(uint32, *T)) {
	n, present := h.pageCount(r)
	if r.Err != nil {
		return
	}
	t.pages = append(t.pages, make([]page[T], n)...)      //meter: the memory limit bounds n, see pageCount
	t.free, t.mark = make([]uint64, n), make([]uint64, n) //meter: pageCount bounds n by the memory limit
	at := 0
	for k := range present { //meter: each page is charged
		d := r.Uint()
		if k > 0 && d == 0 || d >= uint64(n-at) {
			r.Fail("a page is out of order")
			return
		}
		at += int(d)
		m := r.records()
		if err := h.reserve(t.bytes + pageOverhead); err != nil && r.Err == nil {
			r.Err = err
		}
		if r.Err != nil {
			return
		}
		p := new([recordsPerPage]T)
		t.pages[t.base+at] = page[T]{p: p, owned: true}
		t.free[at] = ^m
		for ; m != 0 && r.Err == nil; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			record(uint32((t.base+at)<<recordShift|k), &p[k])
		}
	}
	for i := range n { //meter: the memory limit bounds n, see pageCount
		if t.pages[t.base+i].p == nil {
			t.dead = append(t.dead, t.base+i)
		}
	}
	at = 0
	for k := range r.Len(2) { //meter: at most the template's pages
		d := r.Uint()
		if k > 0 && d == 0 || d >= uint64(t.base-at) {
			r.Fail("a page of the template is out of order")
			return
		}
		at += int(d)
		m := r.records()
		if err := h.reserve(t.bytes); err != nil && r.Err == nil {
			r.Err = err
		}
		if r.Err != nil {
			return
		}
		e := &t.pages[at]
		c := *e.p
		e.p, e.owned = &c, true
		t.dirty = append(t.dirty, at)
		for ; m != 0 && r.Err == nil; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			var zero T
			c[k] = zero
			record(uint32(at<<recordShift|k), &c[k])
		}
	}
}

func (r *SnapReader) object(o *Object) {
	head := r.Byte()
	if head&snapObjShape != 0 {
		r.handle(&r.prev.shape)
	}
	o.Shape = ShapeID(r.prev.shape)
	if head&snapObjClass != 0 {
		r.prev.class = uint32(r.Uint())
	}
	c := r.prev.class
	if o.Class, o.Realm, o.Flags = Class(c), uint8(c>>8), ObjFlags(c>>16); o.Class >= NumClasses || o.Realm != 0 {
		r.Fail("an object is of class %d", o.Class)
	}
	if head&snapObjSlots != 0 {
		o.Slots = Block(r.handle(&r.prev.block))
	}
	if head&snapObjElems != 0 {
		o.Elems = Block(r.handle(&r.prev.block))
		o.ElemLen = uint32(r.Uint())
	}
	if head&snapObjLength != 0 {
		o.Length = uint32(r.Uint())
	}
	o.Data = Undefined
	if head&snapObjData != 0 {
		o.Data = r.Value()
	}
	n := int(head / snapObjInline)
	if n == 3 {
		n = InlineSlots
	}
	for i := range o.Inline { //meter: a fixed number
		o.Inline[i] = Undefined
		if i < n {
			o.Inline[i] = r.Value()
		}
	}
}

func (r *SnapReader) cell(c *Cell) {
	head := r.Byte()
	c.kind = cellKind(head & 7)
	if head&snapCellFlags != 0 {
		c.flags = cellFlags(r.Byte())
	}
	if c.kind == cellRope {
		c.depth = uint16(min(r.Uint(), 1<<16-1))
	}
	n := r.Uint()
	if n > MaxStringLength {
		r.Fail("a string has %d units", n)
	}
	c.length = uint32(n)
	if head&snapCellHash != 0 {
		if b := r.Bytes(4); b != nil {
			c.hash = binary.LittleEndian.Uint32(b)
		}
	}
	if head&snapCellA != 0 {
		if c.aIsBlock() {
			c.a = r.handle(&r.prev.block)
		} else {
			c.a = r.handle(&r.prev.str)
		}
	}
	if head&snapCellB != 0 {
		if c.bIsCell() {
			c.b = r.handle(&r.prev.str)
		} else {
			c.b = uint32(r.Uint())
		}
	}
	if c.kind == cellInline {
		if n > inlineBytes {
			r.Fail("a short string has %d units", n)
			return
		}
		copy(c.text[:], r.Bytes(int(n)))
	}
	if c.flags&cellAtom != 0 && (c.kind != cellInline && c.kind != cellFlat || c.hash == 0) {
		r.Fail("a name is no flat string")
	}
}

// shape reads a shape; listed says that its transition leads to it.
func (r *SnapReader) shape(s *Shape) (listed bool) {
	head := r.Byte()
	if head&snapShapeParent != 0 {
		s.Parent = ShapeID(r.handle(&r.prev.shape))
	}
	if head&snapShapeProto != 0 {
		s.Proto = Obj(r.handle(&r.prev.obj))
	}
	if head&snapShapeKey != 0 {
		s.Key = r.handle(&r.prev.str)
	}
	if head&snapShapeTable != 0 {
		s.Table = Block(r.handle(&r.prev.block))
	}
	s.Count = uint32(r.Uint())
	s.Attrs = Attrs(r.Byte())
	if head&snapShapeDict != 0 {
		s.flags |= shapeDict
		s.live = uint32(r.Uint())
	}
	if head&snapShapeUsed != 0 {
		s.flags |= shapeUsed
	}
	return head&(snapShapeListed|snapShapeDict) == snapShapeListed
}

func (h *Heap) loadWords(r *SnapReader) {
	t := &h.words
	n, present := h.pageCount(r)
	if r.Err != nil {
		return
	}
	t.pages = append(t.pages, make([]wordPage, n)...) //meter: the memory limit bounds n, see pageCount
	t.meta = make([]wordMeta, n)                      //meter: pageCount bounds n by the memory limit
	at := 0
	for k := range present { //meter: each page is charged
		d := r.Uint()
		if k > 0 && d == 0 || d >= uint64(n-at) {
			r.Fail("a page of blocks is out of order")
			return
		}
		at += int(d)
		head := r.Byte()
		raw := head&0x80 != 0
		head &^= 0x80
		words, class := uint64(wordsPerPage), head
		if int(head) == numSizes {
			if words, class = r.Uint(), largeClass; words <= maxSmall || words > 1<<32 || words%8 != 0 && words%2 != 0 {
				r.Fail("a block has %d words", words)
			}
		} else if int(head) > numSizes {
			r.Fail("a page of blocks is of class %d", head)
		}
		if r.Err != nil {
			return
		}
		if r.Err = h.reserve(int64(words)*8 + pageOverhead); r.Err != nil {
			return
		}
		w := make([]Value, words) //meter: reserved above
		t.pages[t.base+at] = wordPage{w: w, class: class, raw: raw, owned: true}
		if class == largeClass {
			r.block(w, raw)
			continue
		}
		size := int(blockSizes[class])
		used := r.Bytes(blockBytes(size))
		free := pageFree[class]
		for k := 0; (k+1)*size <= wordsPerPage && r.Err == nil; k++ { //meter: blocks of a page
			if used[k/8]&(1<<(k%8)) != 0 {
				off := k * size
				free[off>>1>>6] &^= 1 << (off >> 1 & 63)
				r.block(w[off:off+size], raw)
			}
		}
		t.meta[at].free = free
	}
	for i := range n { //meter: the memory limit bounds n, see pageCount
		if e := &t.pages[t.base+i]; e.w == nil {
			*e = wordPage{class: largeClass, owned: true}
			t.dead = append(t.dead, t.base+i)
		}
	}
	at = 0
	for k := range r.Len(2) { //meter: at most the template's pages
		d := r.Uint()
		if k > 0 && d == 0 || d >= uint64(t.base-at) || t.pages[at+int(d)].w == nil {
			r.Fail("a page of the template is out of order")
			return
		}
		at += int(d)
		e := &t.pages[at]
		if err := h.reserve(int64(len(e.w)) * 8); err != nil && r.Err == nil {
			r.Err = err
		}
		if r.Err != nil {
			return
		}
		e.w = append([]Value(nil), e.w...)
		e.owned = true
		t.dirty = append(t.dirty, at)
		r.patch(e.w, e.raw)
	}
}

// patch changes the words that differ from the template's.
func (r *SnapReader) patch(w []Value, raw bool) {
	at := uint64(0)
	for r.Err == nil { //meter: words of a page of the template
		n := r.Uint()
		if n == 0 {
			return
		}
		at += r.Uint()
		if at > uint64(len(w)) || n > uint64(len(w))-at {
			r.Fail("a change is outside of its page")
			return
		}
		if raw {
			clear(w[at : at+n])
		}
		r.block(w[at:at+n], raw)
		at += n
	}
}

// Validate checks a heap that was loaded from bytes of unknown origin: that
// nothing in it can lead the engine out of the heap's tables or round in
// circles. roots is what Collect would be called with.
func (h *Heap) Validate(roots func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged("%v", p)
		}
	}()
	if err := h.acyclic(); err != nil {
		return err
	}
	if err := h.Verify(roots); err != nil {
		return damaged("%v", err)
	}
	return nil
}

// eachOwn calls f with the records on pages that the run owns.
func eachOwn[T any](t *table[T], f func(uint32, *T) error) error {
	for i := range t.pages { //meter: once for each record that was charged
		pg := &t.pages[i]
		if pg.p == nil || !pg.owned {
			continue
		}
		for k := range pg.p { //meter: records of a page
			if i >= t.base && t.free[i-t.base]&(1<<k) != 0 {
				continue
			}
			if err := f(uint32(i<<recordShift|k), &pg.p[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// acyclic checks what must be no circle before anything walks along it, and that
// every index has room, so that looking for what isn't there ends.
func (h *Heap) acyclic() error {
	err := eachOwn(&h.cells, func(id uint32, c *Cell) error {
		switch c.kind {
		case cellRope:
			// Lengths add up (see Verify), so a circle would need an empty part.
			if a, b := h.cell(Str(c.a)), h.cell(Str(c.b)); a.length == 0 || b.length == 0 || a.length >= c.length || b.length >= c.length {
				return damaged("cell %d has an empty part", id)
			}
		case cellSlice:
			if h.cell(Str(c.a)).kind != cellFlat {
				return damaged("cell %d is a part of no flat string", id)
			}
		}
		if c.flags&cellAtom != 0 {
			words := (int(c.length) + 7) / 8
			if c.flags&cellWide != 0 {
				words = (int(c.length) + 3) / 4
			}
			if c.kind == cellFlat && words > len(h.Values(Block(c.a))) {
				return damaged("cell %d is longer than its text", id)
			}
			b, u, err := h.Units16(Str(id))
			if err != nil {
				return err
			}
			if u != nil && hashUnits(u) != c.hash || u == nil && hashBytes(b) != c.hash {
				return damaged("cell %d has another hash", id)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = eachOwn(&h.shapes, func(id uint32, s *Shape) error {
		if s.Parent != 0 && h.Shape(s.Parent).Count >= s.Count {
			return damaged("shape %d has no more properties than its parent", id)
		}
		if s.Table != 0 {
			for _, e := range tableSlots(h.Values(s.Table)) { //meter: once for each record that was charged
				if e == 0 {
					return nil
				}
			}
			return damaged("shape %d has a full index", id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// A chain of prototypes ends. done are the objects whose chain is known to.
	done := make([]uint64, len(h.objs.pages)) //meter: a bit for each record that was charged
	all := len(done) * recordsPerPage
	return eachOwn(&h.objs, func(id uint32, _ *Object) error {
		n := 0
		for o := Obj(id); o != 0 && done[o>>recordShift]>>(o&recordMask)&1 == 0 && h.Obj(o).Shape != 0; o = h.Proto(o) { //meter: a chain is walked once, see done
			if n++; n > all {
				return damaged("object %d has no end of prototypes", id)
			}
		}
		for o := Obj(id); n > 0; n-- { //meter: as above
			done[o>>recordShift] |= 1 << (o & recordMask)
			o = h.Proto(o)
		}
		return nil
	})
}

// EachOwn calls f with every object on pages that the run owns, until an error.
func (h *Heap) EachOwn(f func(Obj, *Object) error) error {
	return eachOwn(&h.objs, func(id uint32, o *Object) error { return f(Obj(id), o) })
}

// IsObj reports whether o is the handle of an object that is there.
func (h *Heap) IsObj(o Obj) bool {
	pg := int(o >> recordShift)
	return o != 0 && pg < len(h.objs.pages) && h.objs.pages[pg].p != nil && h.Obj(o).Shape != 0
}
