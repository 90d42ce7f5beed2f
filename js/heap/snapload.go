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
	case c == recordsAll:
		return ^uint64(0)
	case c == recordsNone:
		return 0
	case c < recordsPerPage:
		return 1 << c
	case c == recordsSome:
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
	loadTable(h, r, &h.objs, kindOfObjects)
	changed := loadTable(h, r, &h.cells, kindOfCells)
	atoms := h.loadedAtoms(r, changed)
	listed := h.loadedShapes(r, loadTable(h, r, &h.shapes, 0))
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

// loadedAtoms returns the names that aren't the template's.
func (h *Heap) loadedAtoms(r *SnapReader, changed []snapPage) (atoms []Str) {
	t := &h.cells
	look := func(pg int, m uint64) {
		for ; m != 0; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			c := &t.pages[pg].p[k]
			if c.flags&cellAtom == 0 || pg < t.base && h.tmpl.cells[pg].p[k].flags&cellAtom != 0 {
				continue
			}
			if c.kind != cellInline && c.kind != cellFlat || c.hash == 0 {
				r.Fail("a name is no flat string")
			}
			atoms = append(atoms, Str(pg<<recordShift|k))
		}
	}
	for i := range t.free { //meter: each page is charged
		if t.pages[t.base+i].p != nil {
			look(t.base+i, ^t.free[i])
		}
	}
	for _, p := range changed { //meter: at most the template's pages
		look(p.page, p.m)
	}
	return atoms
}

// loadedShapes reads which shapes are found by their transitions.
func (h *Heap) loadedShapes(r *SnapReader, changed []snapPage) (listed []transition) {
	t := &h.shapes
	look := func(pg int, m uint64) {
		for m &= r.records(); m != 0; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			if s := &t.pages[pg].p[k]; s.flags&shapeDict == 0 {
				listed = append(listed, s.transition(ShapeID(pg<<recordShift|k)))
			}
		}
	}
	for i := range t.free { //meter: each page is charged
		if t.pages[t.base+i].p != nil {
			look(t.base+i, ^t.free[i])
		}
	}
	for _, p := range changed { //meter: at most the template's pages
		look(p.page, p.m)
	}
	return listed
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

// loadTable reads what snapTable wrote, and returns the same.
func loadTable[T any](h *Heap, r *SnapReader, t *table[T], kind Value) (changed []snapPage) {
	n, present := h.pageCount(r)
	if r.Err != nil {
		return nil
	}
	t.pages = append(t.pages, make([]page[T], n)...)      //meter: the memory limit bounds n, see pageCount
	t.free, t.mark = make([]uint64, n), make([]uint64, n) //meter: pageCount bounds n by the memory limit
	at := 0
	for k := range present { //meter: each page is charged
		d := r.Uint()
		if k > 0 && d == 0 || d >= uint64(n-at) {
			r.Fail("a page is out of order")
			return nil
		}
		at += int(d)
		m := r.records()
		if err := h.reserve(t.bytes + pageOverhead); err != nil && r.Err == nil {
			r.Err = err
		}
		if r.Err != nil {
			return nil
		}
		t.pages[t.base+at] = page[T]{p: new([recordsPerPage]T), owned: true}
		t.free[at] = ^m
	}
	at = 0
	for k := range r.Len(2) { //meter: at most the template's pages
		d := r.Uint()
		if k > 0 && d == 0 || d >= uint64(t.base-at) {
			r.Fail("a page of the template is out of order")
			return nil
		}
		at += int(d)
		if err := h.reserve(t.bytes); err != nil && r.Err == nil {
			r.Err = err
		}
		changed = append(changed, snapPage{at, r.records()})
		if r.Err != nil {
			return nil
		}
		e := &t.pages[at]
		c := *e.p
		e.p, e.owned = &c, true
		t.dirty = append(t.dirty, at)
	}
	c := recordCodec{kind: kind}
	c.begin(r)
	size := recordWords[T]()
	for i, f := range t.free { //meter: each page is charged
		p := t.pages[t.base+i].p
		if p == nil {
			t.dead = append(t.dead, t.base+i)
			continue
		}
		words := wordsOf(p)
		for m := ^f; m != 0; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			c.get(r, words[k*size:(k+1)*size])
		}
	}
	c = recordCodec{}
	c.begin(r)
	for _, p := range changed { //meter: at most the template's pages
		words := wordsOf(t.pages[p.page].p)
		for m := p.m; m != 0; m &= m - 1 { //meter: records of a page
			var d [recordWordsMax]Value
			k := bits.TrailingZeros64(m) * size
			c.get(r, d[:size])
			for i := range size { //meter: at most 8
				words[k+i] += d[i]
			}
		}
	}
	return changed
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
		raw, all := head&0x80 != 0, head&0x40 != 0
		head &= 0x3F
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
		if class == largeClass || all {
			continue
		}
		size := int(blockSizes[class])
		used := r.Bytes(blockBytes(size))
		if used == nil {
			return
		}
		free := pageFree[class]
		for k := 0; (k+1)*size <= wordsPerPage; k++ { //meter: blocks of a page
			if used[k/8]&(1<<(k%8)) != 0 {
				off := k * size
				free[off>>1>>6] &^= 1 << (off >> 1 & 63)
			}
		}
		t.meta[at].free = free
	}
	for class := range recordClasses { //meter: a fixed number
		c := recordCodec{kind: 0xFFFF << tagShift}
		c.begin(r)
		size := int(blockSizes[class])
		for i := range t.meta { //meter: each page is charged
			free, pg := &t.meta[i].free, &t.pages[t.base+i]
			if int(pg.class) != class || pg.raw || pg.w == nil {
				continue
			}
			for off := 0; off+size <= wordsPerPage; off += size { //meter: blocks of a page
				if !free.has(off) {
					c.get(r, pg.w[off:off+size])
				}
			}
		}
	}
	for i := range t.meta { //meter: each page is charged
		free, pg := &t.meta[i].free, &t.pages[t.base+i]
		switch {
		case pg.w == nil || !pg.raw && pg.class < recordClasses:
		case pg.class == largeClass:
			r.block(pg.w, pg.raw)
		default:
			size := int(blockSizes[pg.class])
			for off := 0; off+size <= wordsPerPage; off += size { //meter: blocks of a page
				if !free.has(off) {
					r.block(pg.w[off:off+size], pg.raw)
				}
			}
		}
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
	// A snapshot has only what can be reached, weak references included, so that
	// nothing is left that the verifier doesn't see.
	if err := h.markAll(roots); err != nil {
		return err
	}
	m := h.meter
	h.meter = nil
	defer func() { h.meter = m }()
	if err := h.verifyMarked(); err != nil {
		return damaged("%v", err)
	}
	if err := h.accessors(); err != nil {
		return err
	}
	if !allMarked(&h.objs) || !allMarked(&h.cells) || !allMarked(&h.shapes) || !h.words.allMarked() {
		return damaged("something in it can't be reached")
	}
	return nil
}

// accessors checks that the slots of accessors hold pairs.
func (h *Heap) accessors() error {
	const unknown, none, some = 0, 1, 2
	known := make([]uint8, len(h.shapes.pages)*recordsPerPage) //meter: a byte for each record that was charged
	has := func(id ShapeID) bool {
		from := id
		found := uint8(unknown)
		for found == unknown { //meter: a chain of shapes is walked once, see known
			s := h.Shape(id)
			switch {
			case known[id] != unknown:
				found = known[id]
			case s.flags&shapeDict != 0 || s.Count > 0 && s.Attrs&Accessor != 0:
				found = some
			case s.Count == 0:
				found = none
			default:
				id = s.Parent
			}
		}
		for known[from] == unknown { //meter: as above
			known[from] = found
			if from != id {
				from = h.Shape(from).Parent
			}
		}
		return found == some
	}
	var props []Prop
	return eachOwn(&h.objs, func(id uint32, o *Object) error {
		if o.Shape == 0 || !has(o.Shape) {
			return nil
		}
		props = h.Named(Obj(id), props[:0])
		for _, p := range props { //meter: once for each property, which was charged
			if p.Attrs&Accessor != 0 && !h.Slot(o, p.Slot).IsPair() {
				return damaged("object %d has an accessor without functions", id)
			}
		}
		return nil
	})
}

func allMarked[T any](t *table[T]) bool {
	for i, m := range t.mark { //meter: own pages
		if t.pages[t.base+i].p != nil && t.freeBits(i) != ^m {
			return false
		}
	}
	return true
}

func (t *wordTable) allMarked() bool {
	for i := range t.meta { //meter: own pages
		pg := &t.pages[t.base+i]
		want := pageBits{1}
		if pg.class != largeClass {
			want = pageFree[pg.class]
			free := t.freeBits(i)
			for k := range want { //meter: a fixed number
				want[k] &^= free[k]
			}
		}
		if pg.w != nil && t.meta[i].mark != want {
			return false
		}
	}
	return true
}

// CheckTable says what is wrong with a table that no object has.
func (h *Heap) CheckTable(b Block) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged("%v", p)
		}
	}()
	v := &verifier{h: h}
	where := place{what: "table", id: uint32(b)}
	if w := v.block(where, b, false); w != nil {
		v.table(where, w, false)
	}
	if len(v.errs) > 0 {
		return damaged("%v", v.errs[0])
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
		if c.kind > cellBigInt || c.length > MaxStringLength || c.kind == cellInline && c.length > inlineBytes {
			return damaged("cell %d of kind %d has %d units", id, c.kind, c.length)
		}
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
		if s.flags&^(shapeDict|shapeUsed) != 0 || s.flags&shapeUsed == 0 && int(id>>recordShift) >= h.shapes.base {
			return damaged("shape %d is of kind %d", id, s.flags)
		}
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
	return eachOwn(&h.objs, func(id uint32, rec *Object) error {
		if rec.Class >= NumClasses || rec.Realm != 0 {
			return damaged("object %d is of class %d", id, rec.Class)
		}
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
