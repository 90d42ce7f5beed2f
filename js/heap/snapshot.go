package heap

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A snapshot holds what a heap has beside its template: the records that are
// reachable, on pages of the run's own, and what the run has changed on the
// template's. Handles stay what they are. What can't be reached is left out, and
// its place is free in the heap that is loaded; targets of weak references
// count as reachable, so that taking a snapshot is nothing that a script could
// notice.

// snapWriter appends values and handles, each relative to the last one of its
// kind: neighbours mostly refer to neighbours.
type snapWriter struct {
	h    *Heap
	b    []byte
	prev snapPrev
}

// snapPrev is the last handle of each kind.
type snapPrev struct {
	obj, str, block, shape uint32
	class                  uint32 // class, realm and flags of the last object
}

// Codes of values. Those below codeUndefined are the integers from 0 to 63.
const (
	codeUndefined = 0x40 + iota
	codeNull
	codeFalse
	codeTrue
	codeEmpty
	codeZero // the word 0
	codeInt  // zigzag
	codeWord // 8 bytes
	codeObject
	codeString
	codeSymbol
	codeBigInt
	codeEnv
	codeValues
	codeRaw
	codePair
	codeNumber
	codeRepeat // the last value once more, so many times

	codeNearObject = 0x60 // + 32 + the distance from the last handle
	codeNearString = 0xA0
)

func (w *snapWriter) uint(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *snapWriter) handle(prev *uint32, x uint32) {
	w.b = binary.AppendVarint(w.b, int64(x)-int64(*prev))
	*prev = x
}

func (w *snapWriter) near(code, far byte, prev *uint32, x uint32) {
	if d := int64(x) - int64(*prev); d >= -32 && d < 32 {
		w.b = append(w.b, code+byte(d+32))
		*prev = x
		return
	}
	w.b = append(w.b, far)
	w.handle(prev, x)
}

func (w *snapWriter) value(v Value) {
	switch v.tag() {
	case tagInt:
		if i := v.AsInt(); i >= 0 && i < 64 {
			w.b = append(w.b, byte(i))
		} else {
			w.b = binary.AppendVarint(append(w.b, codeInt), int64(i))
		}
		return
	case tagSpecial:
		if v <= Empty {
			w.b = append(w.b, codeUndefined+byte(v-Undefined))
			return
		}
	case tagObject:
		w.near(codeNearObject, codeObject, &w.prev.obj, uint32(v))
		return
	case tagString:
		w.near(codeNearString, codeString, &w.prev.str, uint32(v))
		return
	case tagSymbol:
		w.b = append(w.b, codeSymbol)
		w.handle(&w.prev.str, uint32(v))
		return
	case tagBigInt:
		w.b = append(w.b, codeBigInt)
		w.handle(&w.prev.str, uint32(v))
		return
	case tagInternal:
		switch sub := uint64(v) >> 32 & 0xFFFF; sub {
		case subEnv, subValues, subRaw, subPair:
			w.b = append(w.b, codeEnv+byte(sub))
			w.handle(&w.prev.block, uint32(v))
			return
		case subNumber:
			w.b = append(w.b, codeNumber)
			w.uint(uint64(uint32(v)))
			return
		}
	}
	if v == 0 {
		w.b = append(w.b, codeZero)
		return
	}
	w.b = binary.LittleEndian.AppendUint64(append(w.b, codeWord), uint64(v))
}

// values appends words, runs of equal ones once.
func (w *snapWriter) values(vs []Value) {
	for i := 0; i < len(vs); { //meter: the run's own memory, once
		n := 1
		for i+n < len(vs) && vs[i+n] == vs[i] { //meter: as above
			n++
		}
		w.value(vs[i])
		if n > 2 {
			w.b = append(w.b, codeRepeat)
			w.uint(uint64(n - 1))
		} else if n == 2 {
			w.value(vs[i])
		}
		i += n
	}
}

// raw appends bytes up to the last that is not zero.
func (w *snapWriter) raw(words []Value) {
	n := len(words)
	for n > 0 && words[n-1] == 0 { //meter: the run's own memory, once
		n--
	}
	b := bytesOf(words[:n])
	for len(b) > 0 && b[len(b)-1] == 0 { //meter: at most 7 bytes
		b = b[:len(b)-1]
	}
	w.uint(uint64(len(b)))
	w.b = append(w.b, b...)
}

// heap appends a snapshot of the heap. roots calls Mark and MarkValues for
// everything that the run holds outside of it. Nothing may be running. The meter
// isn't charged: the bytes are the host's.
func (w *snapWriter) heap(h *Heap, roots func()) error {
	if err := h.markAll(roots); err != nil {
		return err
	}
	w.h, w.prev = h, snapPrev{}
	w.uint(uint64(h.gc.symbols))
	w.uint(uint64(h.Epoch))
	snapTable(w, &h.objs, h.tmpl.objs, w.object)
	snapTable(w, &h.cells, h.tmpl.cells, w.cell)
	snapTable(w, &h.shapes, h.tmpl.shapes, w.shape)
	w.words()
	return nil
}

// markAll marks what is reachable, weak references included.
func (h *Heap) markAll(roots func()) error {
	h.gc.work = h.gc.work[:0]
	h.gc.weak, h.gc.refs, h.gc.finals = h.gc.weak[:0], h.gc.refs[:0], h.gc.finals[:0]
	clear(h.objs.mark)
	clear(h.cells.mark)
	clear(h.shapes.mark)
	for i := range h.words.meta { //meter: own pages, each charged when it was made
		h.words.meta[i].mark = pageBits{}
	}
	m := h.meter
	h.meter = nil // nothing ends a walk that belongs to the host
	defer func() { h.meter = m }()
	h.markDirty()
	roots()
	weak, refs, finals := 0, 0, 0
	for { //meter: until nothing new is found
		if err := h.drain(); err != nil {
			return err
		}
		if weak == len(h.gc.weak) && refs == len(h.gc.refs) && finals == len(h.gc.finals) {
			return nil
		}
		for ; weak < len(h.gc.weak); weak++ { //meter: the run's own memory, once
			t, base, used := h.entries(h.gc.weak[weak])
			h.MarkValues(t[base : base+used*tabEntry])
		}
		for ; refs < len(h.gc.refs); refs++ { //meter: the run's own memory, once
			h.Mark(h.Obj(h.gc.refs[refs]).Data)
		}
		for ; finals < len(h.gc.finals); finals++ { //meter: the run's own memory, once
			if d := h.Obj(h.gc.finals[finals]).Data; d.IsInternal() {
				if cells := h.Values(d.AsBlock())[1]; cells.IsInternal() {
					h.MarkValues(h.Values(cells.AsBlock()))
				}
			}
		}
	}
}

// snapTable appends the live records of the run's own pages, and the changed
// ones of the template's.
func snapTable[T comparable](w *snapWriter, t *table[T], tmpl []page[T], record func(uint32, *T)) {
	n := 0
	for _, m := range t.mark { //meter: own pages
		if m != 0 {
			n++
		}
	}
	w.uint(uint64(len(t.mark)))
	w.uint(uint64(n))
	last := 0
	for i, m := range t.mark { //meter: own pages
		if m == 0 {
			continue
		}
		w.uint(uint64(i - last))
		last = i
		w.records(m)
		for ; m != 0; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			record(uint32((t.base+i)<<recordShift|k), &t.pages[t.base+i].p[k])
		}
	}
	dirty := slices.Sorted(slices.Values(t.dirty))
	w.uint(uint64(len(dirty)))
	last = 0
	for _, pg := range dirty { //meter: at most the template's pages
		w.uint(uint64(pg - last))
		last = pg
		m := uint64(0)
		for k := range t.pages[pg].p { //meter: records of a page
			if t.pages[pg].p[k] != tmpl[pg].p[k] {
				m |= 1 << k
			}
		}
		w.records(m)
		for ; m != 0; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			record(uint32(pg<<recordShift|k), &t.pages[pg].p[k])
		}
	}
}

// records appends which records of a page follow: the first and the number of
// those that are together, or a bitmap.
func (w *snapWriter) records(m uint64) {
	if m == ^uint64(0) {
		w.b = append(w.b, 0xFF)
		return
	}
	if bits.OnesCount64(m) == 1 {
		w.b = append(w.b, byte(bits.TrailingZeros64(m)))
		return
	}
	w.b = binary.LittleEndian.AppendUint64(append(w.b, 0xFE), m)
}

// Parts of an object that follow.
const (
	snapObjShape = 1 << iota
	snapObjClass
	snapObjSlots
	snapObjElems
	snapObjLength
	snapObjData
	snapObjInline // two bits: 0, 1, 2 or all
)

func (w *snapWriter) object(_ uint32, o *Object) {
	at := len(w.b)
	w.b = append(w.b, 0)
	head := byte(0)
	if uint32(o.Shape) != w.prev.shape {
		head |= snapObjShape
		w.handle(&w.prev.shape, uint32(o.Shape))
	}
	if c := uint32(o.Class) | uint32(o.Realm)<<8 | uint32(o.Flags)<<16; c != w.prev.class {
		head |= snapObjClass
		w.uint(uint64(c))
		w.prev.class = c
	}
	if o.Slots != 0 {
		head |= snapObjSlots
		w.handle(&w.prev.block, uint32(o.Slots))
	}
	if o.Elems != 0 || o.ElemLen != 0 {
		head |= snapObjElems
		w.handle(&w.prev.block, uint32(o.Elems))
		w.uint(uint64(o.ElemLen))
	}
	if o.Length != 0 {
		head |= snapObjLength
		w.uint(uint64(o.Length))
	}
	if o.Data != Undefined {
		head |= snapObjData
		w.value(o.Data)
	}
	n := InlineSlots
	for n > 0 && o.Inline[n-1] == Undefined { //meter: a fixed number
		n--
	}
	if n == 3 {
		n = InlineSlots
	}
	head |= byte(min(n, 3)) * snapObjInline
	for _, v := range o.Inline[:n] { //meter: a fixed number
		w.value(v)
	}
	w.b[at] = head
}

// Parts of a cell that follow; the low bits are its kind.
const (
	snapCellHash  = 1 << (iota + 3)
	snapCellA     // a handle
	snapCellB     // a handle or an offset
	snapCellFlags // what is beyond the kind
)

// aIsBlock and bIsCell say what a cell's fields refer to.
func (c *Cell) aIsBlock() bool { return c.kind == cellFlat || c.kind == cellBigInt }
func (c *Cell) bIsCell() bool {
	return c.kind == cellFlat || c.kind == cellInline || c.kind == cellRope
}

func (w *snapWriter) cell(_ uint32, c *Cell) {
	head := byte(c.kind)
	if c.hash != 0 {
		head |= snapCellHash
	}
	if c.a != 0 {
		head |= snapCellA
	}
	if c.b != 0 {
		head |= snapCellB
	}
	if c.flags != 0 {
		head |= snapCellFlags
	}
	w.b = append(w.b, head)
	if c.flags != 0 {
		w.b = append(w.b, byte(c.flags))
	}
	if c.kind == cellRope {
		w.uint(uint64(c.depth))
	}
	w.uint(uint64(c.length))
	if c.hash != 0 {
		w.b = binary.LittleEndian.AppendUint32(w.b, c.hash)
	}
	if c.a != 0 {
		if c.aIsBlock() {
			w.handle(&w.prev.block, c.a)
		} else {
			w.handle(&w.prev.str, c.a)
		}
	}
	if c.b != 0 {
		if c.bIsCell() {
			w.handle(&w.prev.str, c.b)
		} else {
			w.uint(uint64(c.b))
		}
	}
	if c.kind == cellInline {
		w.b = append(w.b, c.text[:min(c.length, inlineBytes)]...)
	}
}

// Parts of a shape that follow.
const (
	snapShapeParent = 1 << iota
	snapShapeProto
	snapShapeKey
	snapShapeTable
	snapShapeDict
	snapShapeListed // it is found by its transition
	snapShapeUsed
)

func (w *snapWriter) shape(id uint32, s *Shape) {
	head := byte(0)
	if s.Parent != 0 {
		head |= snapShapeParent
	}
	if s.Proto != 0 {
		head |= snapShapeProto
	}
	if s.Key != 0 {
		head |= snapShapeKey
	}
	if s.Table != 0 {
		head |= snapShapeTable
	}
	if s.flags&shapeDict != 0 {
		head |= snapShapeDict
	} else if t := s.transition(ShapeID(id)); w.h.transitions.find(t.from, t.key, t.attrs) == t.to {
		head |= snapShapeListed
	}
	if s.flags&shapeUsed != 0 {
		head |= snapShapeUsed
	}
	w.b = append(w.b, head)
	if s.Parent != 0 {
		w.handle(&w.prev.shape, uint32(s.Parent))
	}
	if s.Proto != 0 {
		w.handle(&w.prev.obj, uint32(s.Proto))
	}
	if s.Key != 0 {
		w.handle(&w.prev.str, s.Key)
	}
	if s.Table != 0 {
		w.handle(&w.prev.block, uint32(s.Table))
	}
	w.uint(uint64(s.Count))
	w.b = append(w.b, byte(s.Attrs))
	if s.flags&shapeDict != 0 {
		w.uint(uint64(s.live))
	}
}

// transition is how a shape that isn't a dictionary is found.
func (s *Shape) transition(id ShapeID) transition {
	if s.Count == 0 {
		return transition{key: uint32(s.Proto), to: id}
	}
	return transition{from: s.Parent, key: s.Key, attrs: s.Attrs, to: id}
}

// words appends the live blocks.
func (w *snapWriter) words() {
	t := &w.h.words
	n := 0
	for i := range t.meta { //meter: own pages
		if t.meta[i].mark != (pageBits{}) {
			n++
		}
	}
	w.uint(uint64(len(t.meta)))
	w.uint(uint64(n))
	last := 0
	for i := range t.meta { //meter: own pages
		m := &t.meta[i].mark
		if *m == (pageBits{}) {
			continue
		}
		w.uint(uint64(i - last))
		last = i
		pg := &t.pages[t.base+i]
		head := byte(numSizes)
		if pg.class != largeClass {
			head = pg.class
		}
		if pg.raw {
			head |= 0x80
		}
		w.b = append(w.b, head)
		if pg.class == largeClass {
			w.uint(uint64(len(pg.w)))
			w.block(pg.w, pg.raw)
			continue
		}
		size := int(blockSizes[pg.class])
		at := len(w.b)
		w.b = append(w.b, make([]byte, blockBytes(size))...) //meter: a bit for each block of a page
		for k := 0; (k+1)*size <= wordsPerPage; k++ {        //meter: blocks of a page
			if off := k * size; m[off>>1>>6]&(1<<(off>>1&63)) != 0 {
				w.b[at+k/8] |= 1 << (k % 8)
				w.block(pg.w[off:off+size], pg.raw)
			}
		}
	}
	dirty := slices.Sorted(slices.Values(t.dirty))
	w.uint(uint64(len(dirty)))
	last = 0
	for _, pg := range dirty { //meter: at most the template's pages
		w.uint(uint64(pg - last))
		last = pg
		w.diff(t.pages[pg].w, w.h.tmpl.words[pg].w, t.pages[pg].raw)
	}
}

// blockBytes is how long the bitmap of a page's blocks is.
func blockBytes(size int) int { return (wordsPerPage/size + 7) / 8 }

func (w *snapWriter) block(words []Value, raw bool) {
	if raw {
		w.raw(words)
		return
	}
	w.values(words)
}

// diff appends the words that differ, in runs, with an empty one at the end.
func (w *snapWriter) diff(now, then []Value, raw bool) {
	last := 0
	for i := 0; i < len(now); { //meter: words of a page of the template
		if now[i] == then[i] {
			i++
			continue
		}
		n := 1
		for i+n < len(now) && now[i+n] != then[i+n] { //meter: as above
			n++
		}
		w.uint(uint64(n))
		w.uint(uint64(i - last))
		w.block(now[i:i+n], raw)
		i += n
		last = i
	}
	w.uint(0)
}
