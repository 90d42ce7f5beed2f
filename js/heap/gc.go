package heap

import "math/bits"

// collector is the state of mark and sweep that outlives one collection.
type collector struct {
	work    []Value // marked, not yet scanned
	ropes   []Str   // scratch of Flatten
	symbols uint32  // symbols made so far: their hashes
	eph     ephemerons
	polls   int   // looks at the clock put off
	weak    []Obj // live WeakMaps and WeakSets
	refs    []Obj // live WeakRefs
	finals  []Obj // live FinalizationRegistries
	runs    int
}

// Collections returns how often the heap was collected.
func (h *Heap) Collections() int { return h.gc.runs }

// SetStress makes every n-th safepoint collect and freed records be
// overwritten: with 1, a reference that was not rooted shows at once. 0 is the
// normal state.
func (h *Heap) SetStress(n int) {
	h.stress, h.stressEvery = n > 0, n
	if h.stress && h.meter != nil {
		h.meter.Kick()
	}
}

// WantsCollection reports whether the next safepoint should collect.
func (h *Heap) WantsCollection() bool { return h.committed > h.gcAt || h.stress && h.stressTurn() }

// leastRoom is the least allocation that is worth a collection of its own.
const leastRoom = 256 << 10

// WantsRoom reports whether n bytes are more than may be had now, and a
// collection might make room for them: whether enough was taken since the last.
func (h *Heap) WantsRoom(n int64) bool {
	if h.meter == nil {
		return false
	}
	room := h.meter.Headroom()
	return n > room && n >= leastRoom && n <= room+h.committed-h.kept && h.meter.Err() == nil || h.stress && h.stressTurn()
}

func (h *Heap) stressTurn() bool {
	h.stressTick++
	return h.stressTick%h.stressEvery == 0
}

const firstThreshold = 4 << 20

// setThreshold decides when to collect next: when what is committed has
// doubled, but with half of the remaining room left for allocations made where
// no collection is possible.
func (h *Heap) setThreshold() {
	step := max(h.committed, firstThreshold)
	if h.meter != nil {
		step = min(step, h.meter.Headroom()/2)
	}
	h.gcAt = h.committed + max(step, 64<<10)
}

// Collect marks what the roots reach and frees the rest. roots calls Mark and
// MarkValues for everything the run holds outside the heap; swept is called
// after marking and before anything is freed, for caches to drop what is not
// live.
//
// A collection looks at the clock, too: when the run is to end while it marks,
// it returns the reason and frees nothing.
func (h *Heap) Collect(roots, swept func()) error {
	h.gc.runs++
	h.gc.work = h.gc.work[:0]
	h.gc.weak, h.gc.refs, h.gc.finals = h.gc.weak[:0], h.gc.refs[:0], h.gc.finals[:0]
	clear(h.objs.mark)
	clear(h.cells.mark)
	clear(h.shapes.mark)
	for i := range h.words.meta { //meter: own pages, each charged when it was made
		h.words.meta[i].mark = pageBits{}
	}
	h.markDirty()
	roots()
	if err := h.drain(); err != nil {
		return err
	}
	if err := h.markEphemerons(); err != nil {
		return err
	}
	h.clearWeak()
	if swept != nil {
		swept()
	}
	h.sweepTables()
	freed := h.objs.sweep(h) + h.cells.sweep(h) + h.shapes.sweep(h) + h.sweepWords()
	h.freed += freed
	h.kept = h.committed
	h.setThreshold()
	if h.meter == nil {
		return nil
	}
	h.meter.Unkick()
	if h.stress {
		h.meter.Kick()
	}
	return h.meter.Request(freed)
}

// markDirty marks what the template's records refer to. They are live for ever
// themselves; those on pages that the run has copied may refer to the run's
// own.
func (h *Heap) markDirty() {
	h.objs.keepFirst()
	h.cells.keepFirst()
	h.shapes.keepFirst()
	for _, pg := range h.objs.dirty { //meter: at most the template's pages
		for i := range h.objs.pages[pg].p { //meter: records of a page
			h.scanObject(Obj(pg<<recordShift | i))
		}
	}
	for _, pg := range h.words.dirty { //meter: at most the template's pages
		if !h.words.pages[pg].raw {
			h.MarkValues(h.words.pages[pg].w)
		}
	}
	for _, pg := range h.shapes.dirty { //meter: at most the template's pages
		for i := range h.shapes.pages[pg].p { //meter: records of a page
			h.scanShape(&h.shapes.pages[pg].p[i])
		}
	}
	for _, pg := range h.cells.dirty { //meter: at most the template's pages
		for i := range h.cells.pages[pg].p { //meter: records of a page
			h.scanCell(&h.cells.pages[pg].p[i])
		}
	}
}

// keepFirst keeps handle 0 of a heap without template from ever being reused.
func (t *table[T]) keepFirst() {
	if t.base == 0 && len(t.mark) > 0 {
		t.mark[0] |= 1
	}
}

func (t *table[T]) setMark(handle uint32) bool {
	pg := int(handle>>recordShift) - t.base
	if pg < 0 {
		return false
	}
	bit := uint64(1) << (handle & recordMask)
	if t.mark[pg]&bit != 0 {
		return false
	}
	t.mark[pg] |= bit
	return true
}

func (t *table[T]) marked(handle uint32) bool {
	pg := int(handle>>recordShift) - t.base
	return pg < 0 || t.mark[pg]&(1<<(handle&recordMask)) != 0
}

func (h *Heap) setBlockMark(b Block) bool {
	pg := int(b>>wordShift) - h.words.base
	if pg < 0 || b == 0 {
		return false
	}
	off := b & wordMask >> 1
	m := &h.words.meta[pg].mark[off>>6]
	bit := uint64(1) << (off & 63)
	if *m&bit != 0 {
		return false
	}
	*m |= bit
	return true
}

// Mark marks a value that the run holds.
func (h *Heap) Mark(v Value) {
	switch v.tag() {
	case tagObject:
		if h.objs.setMark(uint32(v)) {
			h.gc.work = append(h.gc.work, v)
		}
	case tagString, tagSymbol, tagBigInt:
		h.markCell(v.AsStr())
	case tagInternal:
		switch uint64(v) >> 32 & 0xFFFF {
		case subEnv, subValues, subPair:
			if h.setBlockMark(v.AsBlock()) {
				h.gc.work = append(h.gc.work, v)
			}
		case subRaw:
			h.setBlockMark(v.AsBlock())
		}
	}
}

// MarkValues marks many values.
func (h *Heap) MarkValues(vs []Value) {
	t := &h.objs
	for _, v := range vs { //meter: a collection's work is paid for by the allocations that led to it
		switch v.tag() {
		case tagObject:
			pg := int(uint32(v)>>recordShift) - t.base
			if bit := uint64(1) << (v & recordMask); pg >= 0 && t.mark[pg]&bit == 0 {
				t.mark[pg] |= bit
				h.gc.work = append(h.gc.work, v)
			}
		case tagString, tagSymbol, tagBigInt, tagInternal:
			h.Mark(v)
		}
	}
}

// MarkObj, MarkStr and MarkShape mark handles; zero is ignored.
func (h *Heap) MarkObj(o Obj) {
	if o != 0 {
		h.Mark(ObjectValue(o))
	}
}

func (h *Heap) MarkStr(s Str) {
	if s != 0 {
		h.markCell(s)
	}
}

func (h *Heap) MarkShape(id ShapeID) {
	for id != 0 && h.shapes.setMark(uint32(id)) { //meter: see MarkValues
		s := h.Shape(id)
		h.scanShape(s)
		id = s.Parent
	}
}

func (h *Heap) scanShape(s *Shape) {
	if s.Key != 0 {
		h.markCell(Str(s.Key))
	}
	h.MarkObj(s.Proto)
	h.setBlockMark(s.Table)
	if s.flags&shapeDict != 0 && s.Table != 0 {
		for _, e := range tableSlots(h.Values(s.Table)) { //meter: see MarkValues
			if e != 0 && e != tableDead {
				h.markCell(Str(uint32(e)))
			}
		}
	}
}

// scanCell marks what a cell of the template refers to.
func (h *Heap) scanCell(c *Cell) {
	switch c.kind {
	case cellInline:
		h.MarkStr(Str(c.b))
	case cellFlat:
		h.setBlockMark(Block(c.a))
		h.MarkStr(Str(c.b))
	case cellRope:
		h.MarkStr(Str(c.a))
		h.MarkStr(Str(c.b))
	case cellSlice, cellSymbol:
		h.MarkStr(Str(c.a))
	case cellBigInt:
		h.setBlockMark(Block(c.a))
	}
}

// markCell marks a string, symbol or BigInt. Strings chain through ropes and
// slices: left parts go on the work list, so depth costs no Go stack.
func (h *Heap) markCell(s Str) {
	for s != 0 && h.cells.setMark(uint32(s)) { //meter: see MarkValues
		c := h.cell(s)
		next := Str(0)
		switch c.kind {
		case cellInline:
			next = Str(c.b)
		case cellFlat:
			h.setBlockMark(Block(c.a))
			next = Str(c.b)
		case cellRope:
			if !h.cells.marked(c.b) {
				h.gc.work = append(h.gc.work, StringValue(Str(c.b)))
			}
			next = Str(c.a)
		case cellSlice:
			next = Str(c.a)
		case cellSymbol:
			if len(h.gc.eph.list) > 0 {
				h.gc.work = append(h.gc.work, SymbolValue(s))
			}
			next = Str(c.a)
		case cellBigInt:
			h.setBlockMark(Block(c.a))
		}
		s = next
	}
}

// markStep is how many marked values are scanned between two looks at the
// clock.
const markStep = 1 << 14

// poll looks at the clock every now and then.
func (h *Heap) poll() error {
	if h.gc.polls++; h.gc.polls%markStep != 0 || h.meter == nil {
		return nil
	}
	return h.meter.Poll()
}

// pollAt looks at the clock at every so many steps of a long copy, whose length
// was charged.
func (h *Heap) pollAt(step int) error {
	if step&0x7FFF != 0x7FFF || h.meter == nil {
		return nil
	}
	return h.meter.Poll()
}

func (h *Heap) drain() error {
	for len(h.gc.work) > 0 { //meter: see MarkValues
		if err := h.poll(); err != nil {
			return err
		}
		n := len(h.gc.work) - 1
		v := h.gc.work[n]
		h.gc.work = h.gc.work[:n]
		switch v.tag() {
		case tagObject:
			h.scanObject(v.AsObj())
			h.keyMarked(v)
		case tagSymbol:
			h.keyMarked(v)
		case tagString:
			h.markCell(v.AsStr())
		case tagInternal:
			h.MarkValues(h.Values(v.AsBlock()))
		}
	}
	return nil
}

func (h *Heap) scanObject(o Obj) {
	rec := h.Obj(o)
	if !h.shapes.marked(uint32(rec.Shape)) {
		h.MarkShape(rec.Shape)
	}
	h.MarkValues(rec.Inline[:])
	if rec.Slots != 0 && h.setBlockMark(rec.Slots) || rec.Slots != 0 && h.fromTemplate(rec.Slots) {
		h.MarkValues(h.Values(rec.Slots))
	}
	if rec.Elems != 0 && h.setBlockMark(rec.Elems) || rec.Elems != 0 && h.fromTemplate(rec.Elems) {
		if rec.Flags&Sparse != 0 {
			h.MarkValues(h.Values(rec.Elems))
		} else {
			h.MarkValues(h.Values(rec.Elems)[:rec.ElemLen])
		}
	}
	switch rec.Class {
	case ClassWeakMap, ClassWeakSet:
		h.gc.weak = append(h.gc.weak, o)
		h.setBlockMark(rec.Data.AsBlock())
	case ClassWeakRef:
		h.gc.refs = append(h.gc.refs, o)
	case ClassFinalizationRegistry:
		h.gc.finals = append(h.gc.finals, o)
		h.markRegistry(rec.Data)
	default:
		if rec.Data.tag() >= tagObject {
			h.Mark(rec.Data)
		}
	}
}

func (h *Heap) fromTemplate(b Block) bool { return int(b>>wordShift) < h.words.base }

// A FinalizationRegistry's Data is a block of values {callback, cells, used};
// cells is a block of triples {target, held value, token}, the target and token
// of which are weak. A cell whose target died has the target Empty; a free one
// has all three Undefined.
func (h *Heap) markRegistry(data Value) {
	if !data.IsInternal() || !h.setBlockMark(data.AsBlock()) {
		return
	}
	w := h.Values(data.AsBlock())
	h.Mark(w[0])
	if !w[1].IsInternal() {
		return
	}
	h.setBlockMark(w[1].AsBlock())
	cells := h.Values(w[1].AsBlock())
	for i := 1; i < len(cells); i += 3 { //meter: see MarkValues
		h.Mark(cells[i])
	}
}

// Live reports whether a value was marked in this collection; numbers and the
// template's records always are.
func (h *Heap) Live(v Value) bool {
	switch v.tag() {
	case tagObject:
		return h.objs.marked(uint32(v))
	case tagString, tagSymbol, tagBigInt:
		return h.cells.marked(uint32(v))
	}
	return true
}

// ShapeLive is Live for shapes.
func (h *Heap) ShapeLive(id ShapeID) bool { return h.shapes.marked(uint32(id)) }

// ObjLive is Live for object handles.
func (h *Heap) ObjLive(o Obj) bool { return h.objs.marked(uint32(o)) }

// BlockLive is Live for blocks.
func (h *Heap) BlockLive(b Block) bool {
	pg := int(b>>wordShift) - h.words.base
	if pg < 0 || b == 0 {
		return true
	}
	off := b & wordMask >> 1
	return h.words.meta[pg].mark[off>>6]&(1<<(off&63)) != 0
}

// clearWeak drops dead targets from weak collections, references and
// registries.
func (h *Heap) clearWeak() {
	for _, o := range h.gc.weak { //meter: see MarkValues
		b := h.Obj(o).Data.AsBlock()
		w := h.Values(b)
		base, dead := tabHeader+int(w[tabBuckets].AsInt()), 0
		for p := range int(w[tabUsed].AsInt()) { //meter: see MarkValues
			if k := w[base+p*tabEntry]; k != Empty && !h.Live(k) {
				dead++
			}
		}
		if dead > 0 {
			h.unlinkWeak(b, dead)
		}
	}
	for _, o := range h.gc.refs { //meter: see MarkValues
		if !h.Live(h.Obj(o).Data) {
			h.ObjW(o).Data = Undefined
		}
	}
	for _, o := range h.gc.finals { //meter: see MarkValues
		w := h.Values(h.Obj(o).Data.AsBlock())
		if !w[1].IsInternal() {
			continue
		}
		cells := h.ValuesW(w[1].AsBlock())
		for i := 0; i+2 < len(cells); i += 3 { //meter: see MarkValues
			if cells[i] != Empty && !h.Live(cells[i]) {
				cells[i] = Empty
			}
			if !h.Live(cells[i+2]) {
				cells[i+2] = Undefined
			}
		}
	}
}

// unlinkWeak removes the entries of dead keys. It goes over each chain once:
// looking for them one by one would take long where many collide.
func (h *Heap) unlinkWeak(b Block, dead int) {
	w := h.ValuesW(b)
	buckets := int(w[tabBuckets].AsInt())
	for i := range buckets { //meter: see MarkValues
		link := tabHeader + i
		for p := w[link].AsInt(); p != 0; p = w[link].AsInt() { //meter: see MarkValues
			at := tabHeader + buckets + int(p-1)*tabEntry
			if h.Live(w[at]) {
				link = at + 2
				continue
			}
			w[link] = w[at+2]
			w[at], w[at+1] = Empty, Undefined
		}
	}
	w[tabLive] = Int(w[tabLive].AsInt() - int32(dead))
}

// DeadCells calls f with each live FinalizationRegistry that has a cell whose
// target died. Call it after Collect.
func (h *Heap) DeadCells(f func(Obj)) {
	for _, o := range h.gc.finals { //meter: see MarkValues
		w := h.Values(h.Obj(o).Data.AsBlock())
		if !w[1].IsInternal() {
			continue
		}
		cells := h.Values(w[1].AsBlock())
		for i := 0; i+2 < len(cells); i += 3 { //meter: see MarkValues
			if cells[i] == Empty {
				f(o)
				break
			}
		}
	}
}

// sweepTables drops dead atoms and transitions from the tables outside the
// pages.
func (h *Heap) sweepTables() {
	if h.lookups != nil {
		*h.lookups = [lookupCacheSize]lookupEntry{}
	}
	h.sweepAtoms()
	h.sweepTransitions()
}

const poison Value = tagInternal<<tagShift | 0x00DE<<32 | 0xDEADDEAD

// sweep frees the unmarked records and returns the bytes freed on pages that
// stay.
func (t *table[T]) sweep(h *Heap) int64 {
	record := t.bytes / recordsPerPage
	if t.cur >= 0 {
		t.free[t.cur-t.base] = t.curFree
		t.cur, t.curFree = -1, 0
	}
	t.scan = 0
	var freed int64
	for i := range t.free { //meter: own pages, each charged when it was made
		pg := &t.pages[t.base+i]
		if pg.p == nil {
			continue
		}
		freed += int64(bits.OnesCount64(^t.free[i]&^t.mark[i])) * record
		if t.mark[i] == 0 && i > 0 {
			if pg.owned && keepSpare(len(t.spare), len(t.pages)) {
				t.spare = append(t.spare, pg.p)
			}
			pg.p = nil
			t.free[i] = 0
			t.dead = append(t.dead, t.base+i)
			h.release(t.bytes + pageOverhead)
			continue
		}
		if h.stress {
			var zero T
			for k := range pg.p { //meter: records of a page
				if t.mark[i]&(1<<k) == 0 {
					pg.p[k] = zero
					poisonRecord(any(&pg.p[k]))
				}
			}
		}
		t.free[i] = ^t.mark[i]
	}
	return freed
}

func poisonRecord(r any) {
	switch r := r.(type) {
	case *Object:
		*r = Object{Shape: 0x3FFFFFF, Slots: 0x7FFFFFFF, Elems: 0x7FFFFFFF, Data: poison, Inline: [4]Value{poison, poison, poison, poison}}
	case *Cell:
		*r = Cell{kind: cellFlat, length: 1 << 20, a: 0x7FFFFFFF}
	case *Shape:
		*r = Shape{Parent: 0x3FFFFFF, Count: 1 << 20}
	}
}

func (h *Heap) sweepWords() int64 {
	t := &h.words
	for i := range t.cursors { //meter: a fixed number
		c := &t.cursors[i]
		if c.page >= 0 {
			t.meta[c.page-t.base].free = c.free
		}
		*c = wordCursor{page: -1}
	}
	var freed int64
	for i := range t.meta { //meter: own pages, each charged when it was made
		m := &t.meta[i]
		pg := &t.pages[t.base+i]
		if pg.w == nil {
			continue
		}
		if pg.class == largeClass {
			if m.mark[0]&1 == 0 {
				freed += int64(len(pg.w)) * 8
				h.release(int64(len(pg.w))*8 + pageOverhead)
				*pg = wordPage{class: largeClass, owned: true}
				t.dead = append(t.dead, t.base+i)
			}
			continue
		}
		all := &pageFree[pg.class]
		var live, n int
		for k := range all { //meter: a fixed number
			live += bits.OnesCount64(m.mark[k])
			n += bits.OnesCount64(all[k] &^ m.free[k] &^ m.mark[k])
		}
		freed += int64(n) * int64(blockSizes[pg.class]) * 8
		if live == 0 {
			h.release(wordsPerPage*8 + pageOverhead)
			if pg.owned && keepSpare(len(t.spare), len(t.pages)) {
				t.spare = append(t.spare, pg.w)
			}
			*pg = wordPage{class: largeClass, owned: true}
			t.dead = append(t.dead, t.base+i)
			continue
		}
		for k := range all { //meter: a fixed number
			m.free[k] = all[k] &^ m.mark[k]
		}
		if h.stress {
			h.poisonWords(pg, &m.free)
		}
	}
	return freed
}

func (h *Heap) poisonWords(pg *wordPage, free *pageBits) {
	size := int(blockSizes[pg.class])
	for off := 0; off+size <= wordsPerPage; off += size { //meter: blocks of a page
		if free[off>>1>>6]&(1<<(off>>1&63)) != 0 {
			for i := range size { //meter: words of a block
				pg.w[off+i] = poison
			}
		}
	}
}

// Usage is what the heap holds now.
type Usage struct {
	LiveBytes      int64 // records and blocks in use
	CommittedBytes int64 // pages: what the limit is compared with
	RequestedBytes int64 // everything ever allocated
}

// Usage counts the records and blocks in use. It walks the page tables.
func (h *Heap) Usage() Usage {
	live := h.objs.liveBytes() + h.cells.liveBytes() + h.shapes.liveBytes()
	t := &h.words
	for i := range t.meta { //meter: own pages, each charged when it was made
		pg := &t.pages[t.base+i]
		if pg.w == nil {
			continue
		}
		if pg.class == largeClass {
			live += int64(len(pg.w)) * 8
			continue
		}
		n := 0
		for k := range pageFree[pg.class] { //meter: a fixed number
			n += bits.OnesCount64(pageFree[pg.class][k] &^ t.meta[i].free[k])
		}
		live += int64(n) * int64(blockSizes[pg.class]) * 8
	}
	for i := range t.cursors { //meter: a fixed number
		c := &t.cursors[i]
		if c.page < 0 {
			continue
		}
		n := 0
		for k := range c.free { //meter: a fixed number
			n += bits.OnesCount64(c.free[k])
		}
		live -= int64(n) * int64(blockSizes[t.pages[c.page].class]) * 8
	}
	return Usage{LiveBytes: live, CommittedBytes: h.committed, RequestedBytes: live + h.freed}
}

func (t *table[T]) liveBytes() int64 {
	n := 0
	for i := range t.free { //meter: own pages, each charged when it was made
		if t.pages[t.base+i].p != nil {
			n += bits.OnesCount64(^t.free[i])
		}
	}
	if t.cur >= 0 {
		n -= bits.OnesCount64(t.curFree)
	}
	return int64(n) * (t.bytes / recordsPerPage)
}
