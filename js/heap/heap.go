package heap

import (
	"math/bits"

	"github.com/pinfold-js/pinfold/meter"
)

// recordsPerPage is the number of records in a page of objects, cells or
// shapes: one 64-bit word of mark bits a page.
const (
	recordShift    = 6
	recordsPerPage = 1 << recordShift
	recordMask     = recordsPerPage - 1
)

// page is an entry of a page table. A page that is not owned is shared with
// the template and must be copied before it is written.
type page[T any] struct {
	p     *[recordsPerPage]T
	owned bool
}

// table is the page table of one record type.
type table[T any] struct {
	pages   []page[T]
	base    int                  // pages below are the template's: never allocated in, never swept
	free    []uint64             // by page - base: bit set = slot free
	mark    []uint64             // by page - base
	cur     int                  // page that allocations come from, -1 if none
	curFree uint64               // its free slots; free[cur-base] is 0 meanwhile
	scan    int                  // pages below it (from base) have no free slots
	dead    []int                // released pages whose index may be used again
	dirty   []int                // template pages that were copied: the collector scans them
	spare   []*[recordsPerPage]T // released pages, kept for the next need: see keepSpare
	bytes   int64                // of one page
}

// keepSpare reports whether a released page should be kept rather than left to
// Go's collector: a run that churns would have it grow the process otherwise.
func keepSpare(spare, pages int) bool { return spare < 16+pages/4 }

// Heap is the memory of one run. It belongs to the run's goroutine.
type Heap struct {
	meter *meter.Meter

	objs   table[Object]
	cells  table[Cell]
	shapes table[Shape]
	words  wordTable

	atoms       atomTable
	transitions transitionTable
	tmpl        *Template
	lookups     *[lookupCacheSize]lookupEntry // nil until it is needed

	// Epoch counts changes to objects that are prototypes: an inline cache
	// that looked past the receiver is good for one epoch.
	Epoch uint32

	gcAt                    int64 // committed bytes at which a collection is asked for
	committed               int64
	kept                    int64 // committed bytes after the last collection
	freed                   int64 // bytes freed by collections
	stress                  bool
	stressEvery, stressTick int
	gc                      collector
	chars                   *[256]Str
}

// pageOverhead is what a page costs beside its records: table entry, bitmaps.
const pageOverhead = 64

// New returns an empty heap that charges m. Most callers want a Template's
// NewHeap.
func New(m *meter.Meter) *Heap {
	h := &Heap{meter: m}
	h.objs.init(int64(recordsPerPage * 64))
	h.cells.init(int64(recordsPerPage * 32))
	h.shapes.init(int64(recordsPerPage * 32))
	h.words.init()
	h.setThreshold()
	// Handle 0 is never valid: burn the first slot of each table.
	h.objs.alloc(h)
	h.cells.alloc(h)
	h.shapes.alloc(h)
	h.words.burnFirstPage()
	h.chars = new([256]Str)
	for i := range h.chars {
		h.chars[i] = h.internLatin1([]byte{byte(i)})
	}
	return h
}

func (t *table[T]) init(bytes int64) {
	t.bytes = bytes
	t.cur = -1
}

// alloc takes a free slot. It never fails: when the limit is passed, the
// meter's next charge does.
func (t *table[T]) alloc(h *Heap) uint32 {
	if t.curFree == 0 {
		t.refill(h)
	}
	i := bits.TrailingZeros64(t.curFree)
	t.curFree &= t.curFree - 1
	return uint32(t.cur<<recordShift | i)
}

func (t *table[T]) refill(h *Heap) {
	for i := t.scan; i < len(t.free); i++ { //meter: scan goes over the pages once between two collections
		if f := t.free[i]; f != 0 {
			t.scan = i + 1
			t.free[i] = 0
			t.cur, t.curFree = t.base+i, f
			return
		}
	}
	t.scan = len(t.free)
	h.commit(t.bytes + pageOverhead)
	p := page[T]{owned: true}
	if n := len(t.spare); n > 0 {
		p.p = t.spare[n-1] // records are written whole when they are made
		t.spare = t.spare[:n-1]
	} else {
		p.p = new([recordsPerPage]T)
	}
	if n := len(t.dead); n > 0 {
		t.cur = t.dead[n-1]
		t.dead = t.dead[:n-1]
		t.pages[t.cur] = p
		t.mark[t.cur-t.base] = 0
	} else {
		t.cur = len(t.pages)
		t.pages = append(t.pages, p)
		t.free = append(t.free, 0)
		t.mark = append(t.mark, 0)
	}
	t.curFree = ^uint64(0)
}

// own copies a shared page before its first write.
func (t *table[T]) own(h *Heap, pg int) {
	h.commit(t.bytes)
	e := &t.pages[pg]
	c := *e.p
	e.p, e.owned = &c, true
	if pg < t.base {
		t.dirty = append(t.dirty, pg)
	}
}

// Obj returns the record of o for reading.
func (h *Heap) Obj(o Obj) *Object { return &h.objs.pages[o>>recordShift].p[o&recordMask] }

// ObjW returns the record of o for writing.
func (h *Heap) ObjW(o Obj) *Object {
	e := &h.objs.pages[o>>recordShift]
	if !e.owned {
		h.objs.own(h, int(o>>recordShift))
	}
	return &e.p[o&recordMask]
}

func (h *Heap) cell(s Str) *Cell { return &h.cells.pages[s>>recordShift].p[s&recordMask] }

func (h *Heap) cellW(s Str) *Cell {
	e := &h.cells.pages[s>>recordShift]
	if !e.owned {
		h.cells.own(h, int(s>>recordShift))
	}
	return &e.p[s&recordMask]
}

// Shape returns the record of s for reading.
func (h *Heap) Shape(s ShapeID) *Shape { return &h.shapes.pages[s>>recordShift].p[s&recordMask] }

func (h *Heap) shapeW(s ShapeID) *Shape {
	e := &h.shapes.pages[s>>recordShift]
	if !e.owned {
		h.shapes.own(h, int(s>>recordShift))
	}
	return &e.p[s&recordMask]
}

// NewObject makes an object of the given class with no properties. The shape
// decides its prototype.
func (h *Heap) NewObject(shape ShapeID, class Class) Obj {
	o := Obj(h.objs.alloc(h))
	h.objs.pages[o>>recordShift].p[o&recordMask] = Object{
		Shape: shape, Class: class, Data: Undefined,
		Inline: [InlineSlots]Value{Undefined, Undefined, Undefined, Undefined},
	}
	return o
}

// commit charges n bytes of page memory. It does not fail; see table.alloc.
func (h *Heap) commit(n int64) {
	h.committed += n
	if h.meter == nil {
		return
	}
	_ = h.meter.Grow(n) //meter: sticky: the next charge reports it
	if h.committed > h.gcAt {
		h.meter.Kick()
	}
}

// reserve charges n bytes for an allocation whose size a script controls, or
// fails before it is made.
func (h *Heap) reserve(n int64) error {
	if h.meter != nil {
		if err := h.meter.Grow(n); err != nil {
			return err
		}
	}
	h.committed += n
	if h.committed > h.gcAt && h.meter != nil {
		h.meter.Kick()
	}
	return nil
}

func (h *Heap) release(n int64) {
	h.committed -= n
	if h.meter != nil {
		h.meter.Shrink(n)
	}
}

// Meter returns the meter the heap charges.
func (h *Heap) Meter() *meter.Meter { return h.meter }

// Committed returns the bytes of all pages the run owns: what the memory limit
// is compared with.
func (h *Heap) Committed() int64 { return h.committed }
