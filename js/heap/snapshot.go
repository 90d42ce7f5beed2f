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
	h.gc.work = w.work
	err := h.markAll(roots)
	w.work, h.gc.work = h.gc.work, nil
	if err != nil {
		return err
	}
	w.h, w.prev = h, snapPrev{}
	w.uint(uint64(h.gc.symbols))
	w.uint(uint64(h.Epoch))
	snapTable(w, &h.objs, h.tmpl.objs, kindOfObjects)
	snapTable(w, &h.cells, h.tmpl.cells, kindOfCells)
	w.listed(snapTable(w, &h.shapes, h.tmpl.shapes, 0))
	w.words()
	w.h = nil
	return nil
}

func (h *Heap) clearMarks() {
	h.gc.work = h.gc.work[:0]
	h.gc.weak, h.gc.refs, h.gc.finals = h.gc.weak[:0], h.gc.refs[:0], h.gc.finals[:0]
	clear(h.objs.mark)
	clear(h.cells.mark)
	clear(h.shapes.mark)
	for i := range h.words.meta { //meter: own pages, each charged when it was made
		h.words.meta[i].mark = pageBits{}
	}
}

// markAll marks what is reachable, weak references included.
func (h *Heap) markAll(roots func()) error {
	h.clearMarks()
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

// What chooses the context of a record: the shape, class and flags of an object,
// the kind and flags of a cell.
const (
	kindOfObjects = ^Value(0)
	kindOfCells   = Value(0xFFFF)
)

// snapPage is a page and the records of it that are written.
type snapPage struct {
	page int
	m    uint64
}

// snapTable appends the live records of the run's own pages, and the changed
// ones of the template's: first which they are, and then the records. It returns
// the template's.
func snapTable[T comparable](w *snapWriter, t *table[T], tmpl []page[T], kind Value) (changed []snapPage) {
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
		if m != 0 {
			w.uint(uint64(i - last))
			last = i
			w.records(m)
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
		changed = append(changed, snapPage{pg, m})
	}
	c := recordCodec{kind: kind}
	size := recordWords[T]()
	b := w.b
	for i, m := range t.mark { //meter: own pages
		if m == 0 {
			continue
		}
		words := wordsOf(t.pages[t.base+i].p)
		for ; m != 0; m &= m - 1 { //meter: records of a page
			k := bits.TrailingZeros64(m)
			b = c.put(b, words[k*size:(k+1)*size])
		}
	}
	b = c.end(b)
	c = recordCodec{}
	for _, p := range changed { //meter: at most the template's pages
		now, then := wordsOf(t.pages[p.page].p), wordsOf(tmpl[p.page].p)
		for m := p.m; m != 0; m &= m - 1 { //meter: records of a page
			var d [recordWordsMax]Value
			k := bits.TrailingZeros64(m) * size
			for i := range size { //meter: at most 8
				d[i] = now[k+i] - then[k+i]
			}
			b = c.put(b, d[:size])
		}
	}
	w.b = c.end(b)
	return changed
}

// records appends which records of a page follow: one by its number, others by a
// bitmap.
func (w *snapWriter) records(m uint64) {
	switch {
	case m == ^uint64(0):
		w.b = append(w.b, recordsAll)
	case m == 0:
		w.b = append(w.b, recordsNone)
	case m&(m-1) == 0:
		w.b = append(w.b, byte(bits.TrailingZeros64(m)))
	default:
		w.b = binary.LittleEndian.AppendUint64(append(w.b, recordsSome), m)
	}
}

// Records of a page, where they are not one.
const (
	recordsNone = 0xFD + iota
	recordsSome // a bitmap follows
	recordsAll
)

// listed appends which of the shapes are found by their transitions.
func (w *snapWriter) listed(changed []snapPage) {
	t := &w.h.shapes
	for i, m := range t.mark { //meter: own pages
		if m != 0 {
			w.records(w.listedOf(t.base+i, m))
		}
	}
	for _, p := range changed { //meter: at most the template's pages
		w.records(w.listedOf(p.page, p.m))
	}
}

func (w *snapWriter) listedOf(pg int, m uint64) (listed uint64) {
	for ; m != 0; m &= m - 1 { //meter: records of a page
		k := bits.TrailingZeros64(m)
		s := &w.h.shapes.pages[pg].p[k]
		if s.flags&shapeDict != 0 {
			continue
		}
		if t := s.transition(ShapeID(pg<<recordShift | k)); w.h.transitions.find(t.from, t.key, t.attrs) == t.to {
			listed |= 1 << k
		}
	}
	return listed
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
		if m.allOf(pg) {
			head |= 0x40
		}
		w.b = append(w.b, head)
		if pg.class == largeClass {
			w.uint(uint64(len(pg.w)))
		} else if head&0x40 == 0 {
			size := int(blockSizes[pg.class])
			at := len(w.b)
			w.b = append(w.b, make([]byte, blockBytes(size))...) //meter: a bit for each block of a page
			for k := 0; (k+1)*size <= wordsPerPage; k++ {        //meter: blocks of a page
				if m.has(k * size) {
					w.b[at+k/8] |= 1 << (k % 8)
				}
			}
		}
	}
	for class := range recordClasses { //meter: a fixed number
		c := recordCodec{kind: 0xFFFF << tagShift}
		size := int(blockSizes[class])
		b := w.b
		for i := range t.meta { //meter: own pages
			m, pg := &t.meta[i].mark, &t.pages[t.base+i]
			if int(pg.class) != class || pg.raw || *m == (pageBits{}) {
				continue
			}
			for off := 0; off+size <= wordsPerPage; off += size { //meter: blocks of a page
				if m.has(off) {
					b = c.put(b, pg.w[off:off+size])
				}
			}
		}
		w.b = c.end(b)
	}
	for i := range t.meta { //meter: own pages
		m, pg := &t.meta[i].mark, &t.pages[t.base+i]
		switch {
		case *m == (pageBits{}) || !pg.raw && pg.class < recordClasses:
		case pg.class == largeClass:
			w.block(pg.w, pg.raw)
		default:
			size := int(blockSizes[pg.class])
			for off := 0; off+size <= wordsPerPage; off += size { //meter: blocks of a page
				if m.has(off) {
					w.block(pg.w[off:off+size], pg.raw)
				}
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

// recordClasses are the classes of blocks as small as records.
const recordClasses = 4

func (m *pageBits) has(off int) bool { return m[off>>1>>6]&(1<<(off>>1&63)) != 0 }

// allOf reports whether all blocks of a page are marked.
func (m *pageBits) allOf(pg *wordPage) bool {
	return pg.class != largeClass && *m == pageFree[pg.class]
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
