package heap

import (
	"errors"
	"fmt"
	"math/bits"
)

// Verify checks a heap's invariants: it marks what the roots reach, as Collect
// does but freeing nothing, and then looks at every record that was marked with
// no help from the collector. It reports
//
//   - a handle that refers to no record, to a freed one or to one of another
//     type, and a reachable record that the collector has not marked;
//   - page tables, free bitmaps, allocation cursors and lists of released pages
//     that disagree;
//   - atoms and transitions that can't be found, shapes whose index and
//     ancestors disagree, tables whose chains and counts do;
//   - committed bytes that are not the sum of what is there.
//
// It is for tests. roots is what Collect would be called with.
func (h *Heap) Verify(roots func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.Join(err, fmt.Errorf("heap: a walk from the roots panics: %v", p))
		}
	}()
	h.clearMarks()
	h.markDirty()
	roots()
	m := h.meter
	h.meter = nil // a walk that checks costs the run nothing, and nothing ends it
	defer func() { h.meter = m }()
	if err := errors.Join(h.drain(), h.markEphemerons()); err != nil {
		return err
	}
	return h.verifyMarked()
}

// verifyMarked looks at what is marked.
func (h *Heap) verifyMarked() error {
	v := &verifier{h: h}
	v.pages()
	v.marks()
	if len(v.errs) == 0 { // else the walk would follow what is known to be wrong
		v.records()
		v.tables()
	}
	v.bytes()
	return errors.Join(v.errs...)
}

// maxErrors is how many errors a verification collects.
const maxErrors = 20

type verifier struct {
	h    *Heap
	errs []error
}

func (v *verifier) errorf(format string, args ...any) {
	if len(v.errs) < maxErrors {
		v.errs = append(v.errs, fmt.Errorf("heap: "+format, args...))
	}
}

// place is what a verification looks at. Its name is made when something is
// wrong there: snapshots of unknown origin are verified too.
type place struct {
	what string
	id   uint32
	kind int
	part string
	n    int // 1 + the word
}

func (p place) at(part string) place { p.part = part; return p }
func (p place) word(i int) place     { p.n = i + 1; return p }

// String names the place.
func (p place) String() string {
	s := fmt.Sprintf("%s %d of kind %d%s", p.what, p.id, p.kind, p.part)
	if p.n > 0 {
		s = fmt.Sprintf("word %d of %s", p.n-1, s)
	}
	return s
}

// pages checks the page tables.
func (v *verifier) pages() {
	h := v.h
	verifyTable(v, "object", &h.objs)
	verifyTable(v, "cell", &h.cells)
	verifyTable(v, "shape", &h.shapes)
	t := &h.words
	if len(t.pages) != t.base+len(t.meta) {
		v.errorf("%d word pages, but %d of the template and %d own", len(t.pages), t.base, len(t.meta))
		return
	}
	dead := v.deadPages("word", t.dead, t.base, len(t.pages))
	for i := range t.meta { //meter: tests only
		pg := &t.pages[t.base+i]
		switch {
		case pg.w == nil:
			if !dead[t.base+i] && !(t.base == 0 && i == 0) {
				v.errorf("word page %d is released but not in the list", t.base+i)
			}
			continue
		case dead[t.base+i]:
			v.errorf("word page %d is in use and in the list of released ones", t.base+i)
		case !pg.owned:
			v.errorf("word page %d is neither the template's nor owned", t.base+i)
		}
		if pg.class == largeClass {
			if len(pg.w) <= maxSmall {
				v.errorf("large block %d has %d words", t.base+i, len(pg.w))
			}
			continue
		}
		if len(pg.w) != wordsPerPage || int(pg.class) >= numSizes {
			v.errorf("word page %d of class %d has %d words", t.base+i, pg.class, len(pg.w))
			continue
		}
		for k, f := range t.meta[i].free { //meter: a fixed number
			if f&^pageFree[pg.class][k] != 0 {
				v.errorf("word page %d of class %d has free bits between blocks", t.base+i, pg.class)
			}
		}
	}
	for kind := range t.cursors { //meter: a fixed number
		c := &t.cursors[kind]
		if c.page < 0 {
			continue
		}
		pg := &t.pages[c.page]
		if int(pg.class) != kind/2 || pg.raw != (kind&1 == 1) || c.page < t.base {
			v.errorf("the cursor of class %d, raw %v is on page %d of class %d, raw %v", kind/2, kind&1 == 1, c.page, pg.class, pg.raw)
			continue
		}
		if t.meta[c.page-t.base].free != (pageBits{}) {
			v.errorf("word page %d is allocated from and has a bitmap of its own", c.page)
		}
	}
	for _, pg := range t.dirty { //meter: tests only
		if pg >= t.base || !t.pages[pg].owned {
			v.errorf("word page %d is not a copied page of the template", pg)
		}
	}
}

func (v *verifier) deadPages(what string, list []int, base, n int) map[int]bool {
	dead := make(map[int]bool, len(list))
	for _, pg := range list { //meter: tests only
		if pg < base || pg >= n || dead[pg] {
			v.errorf("%s page %d is wrong or twice in the list of released pages", what, pg)
		}
		dead[pg] = true
	}
	return dead
}

func verifyTable[T any](v *verifier, what string, t *table[T]) {
	if len(t.pages) != t.base+len(t.free) || len(t.free) != len(t.mark) {
		v.errorf("%d %s pages, but %d of the template, %d own, %d marked", len(t.pages), what, t.base, len(t.free), len(t.mark))
		return
	}
	dead := v.deadPages(what, t.dead, t.base, len(t.pages))
	for i := range t.free { //meter: tests only
		pg := &t.pages[t.base+i]
		switch {
		case pg.p == nil && !dead[t.base+i]:
			v.errorf("%s page %d is released but not in the list", what, t.base+i)
		case pg.p == nil && t.free[i] != 0:
			v.errorf("%s page %d is released but has free records", what, t.base+i)
		case pg.p != nil && dead[t.base+i]:
			v.errorf("%s page %d is in use and in the list of released ones", what, t.base+i)
		case pg.p != nil && !pg.owned:
			v.errorf("%s page %d is neither the template's nor owned", what, t.base+i)
		}
	}
	switch {
	case t.cur >= 0 && (t.cur < t.base || t.pages[t.cur].p == nil):
		v.errorf("%s records come from page %d", what, t.cur)
	case t.cur >= 0 && t.free[t.cur-t.base] != 0:
		v.errorf("%s page %d is allocated from and has a bitmap of its own", what, t.cur)
	case t.cur < 0 && t.curFree != 0:
		v.errorf("%s records come from no page", what)
	}
	for _, pg := range t.dirty { //meter: tests only
		if pg >= t.base || !t.pages[pg].owned {
			v.errorf("%s page %d is not a copied page of the template", what, pg)
		}
	}
	for pg := range t.base { //meter: tests only
		if t.pages[pg].p == nil {
			v.errorf("%s page %d of the template is gone", what, pg)
		}
	}
}

// freeBits returns the free records of an own page.
func (t *table[T]) freeBits(i int) uint64 {
	f := t.free[i]
	if t.cur == t.base+i {
		f |= t.curFree
	}
	return f
}

func (t *wordTable) freeBits(i int) pageBits {
	f := t.meta[i].free
	for k := range t.cursors { //meter: a fixed number
		if c := &t.cursors[k]; c.page == t.base+i {
			for j := c.word; j < len(f); j++ { //meter: a fixed number
				f[j] |= c.free[j]
			}
		}
	}
	return f
}

// marks checks that nothing that was marked is free.
func (v *verifier) marks() {
	h := v.h
	markedFree(v, "object", &h.objs)
	markedFree(v, "cell", &h.cells)
	markedFree(v, "shape", &h.shapes)
	t := &h.words
	for i := range t.meta { //meter: tests only
		mark := t.meta[i].mark
		if mark == (pageBits{}) {
			continue
		}
		pg := &t.pages[t.base+i]
		if pg.w == nil {
			v.errorf("a block of the released page %d is in use", t.base+i)
			continue
		}
		if pg.class == largeClass {
			if mark[0] != 1 || mark[1] != 0 || mark[2] != 0 || mark[3] != 0 {
				v.errorf("a handle points inside the large block %d", t.base+i)
			}
			continue
		}
		free := t.freeBits(i)
		for k := range mark { //meter: a fixed number
			if b := mark[k] &^ pageFree[pg.class][k]; b != 0 {
				v.errorf("a handle points inside a block of page %d, at word %d", t.base+i, (k<<6+bits.TrailingZeros64(b))*2)
			}
			if b := mark[k] & free[k]; b != 0 {
				v.errorf("a freed block of page %d is in use, at word %d", t.base+i, (k<<6+bits.TrailingZeros64(b))*2)
			}
		}
	}
}

func markedFree[T any](v *verifier, what string, t *table[T]) {
	for i := range t.mark { //meter: tests only
		if t.mark[i] != 0 && t.pages[t.base+i].p == nil {
			v.errorf("a %s of the released page %d is in use", what, t.base+i)
		} else if b := t.mark[i] & t.freeBits(i); b != 0 {
			v.errorf("freed %ss of page %d are in use: %064b", what, t.base+i, b)
		}
	}
}

// records looks at every record that was marked, and at those of the template
// that the run has changed.
func (v *verifier) records() {
	h := v.h
	each(&h.objs, func(i uint32, o *Object) { v.object(Obj(i), o) })
	each(&h.cells, func(i uint32, c *Cell) { v.cell(Str(i), c) })
	each(&h.shapes, func(i uint32, s *Shape) {
		if s.flags&shapeUsed != 0 {
			v.shape(ShapeID(i), s)
		}
	})
	for _, pg := range h.words.dirty { //meter: tests only
		if p := &h.words.pages[pg]; !p.raw {
			v.values(place{what: "page", id: uint32(pg)}, p.w)
		}
	}
}

func each[T any](t *table[T], f func(uint32, *T)) {
	for i, mark := range t.mark { //meter: tests only
		for ; mark != 0; mark &= mark - 1 { //meter: a fixed number
			k := bits.TrailingZeros64(mark)
			if n := uint32((t.base+i)<<recordShift | k); n != 0 {
				f(n, &t.pages[t.base+i].p[k])
			}
		}
	}
	for _, pg := range t.dirty { //meter: tests only
		for k := range t.pages[pg].p { //meter: records of a page
			if n := uint32(pg<<recordShift | k); n != 0 {
				f(n, &t.pages[pg].p[k])
			}
		}
	}
}

// value checks a value in a record.
func (v *verifier) value(where place, x Value) {
	h := v.h
	switch x.tag() {
	case tagObject:
		if live(v, where, "object", &h.objs, uint32(x)) && h.Obj(x.AsObj()).Class >= NumClasses {
			v.errorf("%s refers to object %d of class %d", where, uint32(x), h.Obj(x.AsObj()).Class)
		}
	case tagString:
		v.str(where, x.AsStr(), cellInline, cellSlice)
	case tagSymbol:
		v.str(where, x.AsStr(), cellSymbol, cellSymbol)
	case tagBigInt:
		v.str(where, x.AsStr(), cellBigInt, cellBigInt)
	case tagInternal:
		switch uint64(x) >> 32 & 0xFFFF {
		case subEnv, subValues, subPair:
			v.block(where, x.AsBlock(), false)
		case subRaw:
			v.block(where, x.AsBlock(), true)
		case subNumber:
		default:
			v.errorf("%s holds the internal value %x", where, uint64(x))
		}
	case tagSpecial:
		if x > Empty {
			v.errorf("%s holds the special value %x", where, uint64(x))
		}
	}
}

// plain reports whether a value is right at a glance, with no need for words:
// most are.
func (v *verifier) plain(x Value) bool {
	h := v.h
	switch x.tag() {
	case tagObject:
		pg := int(uint32(x) >> recordShift)
		return uint32(x) != 0 && pg < len(h.objs.pages) && h.objs.pages[pg].p != nil && h.objs.marked(uint32(x)) && h.Obj(x.AsObj()).Class < NumClasses
	case tagString:
		pg := int(uint32(x) >> recordShift)
		if uint32(x) == 0 || pg >= len(h.cells.pages) || h.cells.pages[pg].p == nil || !h.cells.marked(uint32(x)) {
			return false
		}
		k := h.cell(x.AsStr()).kind
		return k >= cellInline && k <= cellSlice
	case tagSpecial:
		return x <= Empty
	case tagSymbol, tagBigInt, tagInternal:
		return false
	}
	return true
}

// plainObject is plain for an object that has nothing but a few properties.
func (v *verifier) plainObject(r *Object) bool {
	h := v.h
	pg := int(r.Shape >> recordShift)
	if r.Class != ClassObject || r.Slots != 0 || r.Elems != 0 || r.ElemLen != 0 || r.Flags&Sparse != 0 || r.Shape == 0 || pg >= len(h.shapes.pages) || h.shapes.pages[pg].p == nil || !h.shapes.marked(uint32(r.Shape)) ||
		h.Shape(r.Shape).Count > InlineSlots || !v.plain(r.Data) {
		return false
	}
	for _, x := range r.Inline { //meter: a fixed number
		if !v.plain(x) {
			return false
		}
	}
	return true
}

func (v *verifier) values(where place, w []Value) {
	for i, x := range w { //meter: tests only
		if x.tag() >= tagSpecial && !v.plain(x) {
			v.value(where.word(i), x)
		}
	}
}

// live checks that a handle refers to a record that is there and marked.
func live[T any](v *verifier, where place, what string, t *table[T], i uint32) bool {
	pg := int(i >> recordShift)
	switch {
	case i == 0 || pg >= len(t.pages) || t.pages[pg].p == nil:
		v.errorf("%s refers to %s %d, which is none", where, what, i)
	case !t.marked(i):
		v.errorf("%s refers to %s %d, which the collector doesn't know of", where, what, i)
	default:
		return true
	}
	return false
}

func (v *verifier) str(where place, s Str, from, to cellKind) {
	if live(v, where, "cell", &v.h.cells, uint32(s)) {
		if k := v.h.cell(s).kind; k < from || k > to {
			v.errorf("%s refers to cell %d, which is of kind %d", where, s, k)
		}
	}
}

// block checks a handle of a block and returns the block.
func (v *verifier) block(where place, b Block, raw bool) []Value {
	t := &v.h.words
	pg := int(b >> wordShift)
	if b == 0 || pg >= len(t.pages) || t.pages[pg].w == nil {
		v.errorf("%s refers to block %d, which is none", where, b)
		return nil
	}
	e := &t.pages[pg]
	if e.raw != raw {
		v.errorf("%s refers to block %d, which is raw: %v", where, b, e.raw)
		return nil
	}
	off := b & wordMask
	if e.class == largeClass && off != 0 || e.class != largeClass && pageFree[e.class][off>>1>>6]&(1<<(off>>1&63)) == 0 {
		v.errorf("%s refers to the inside of a block, %d", where, b)
		return nil
	}
	if pg >= t.base && t.meta[pg-t.base].mark[off>>1>>6]&(1<<(off>>1&63)) == 0 {
		v.errorf("%s refers to block %d, which the collector doesn't know of", where, b)
	}
	return v.h.Values(b)
}

func (v *verifier) object(o Obj, r *Object) {
	h := v.h
	if r.Shape == 0 && int(o>>recordShift) < h.objs.base {
		return // never used
	}
	if v.plainObject(r) {
		return
	}
	where := place{what: "object", id: uint32(o), kind: int(r.Class)}
	if r.Class >= NumClasses {
		v.errorf("%s: no such class", where)
		return
	}
	v.values(where, r.Inline[:])
	if !live(v, where, "shape", &h.shapes, uint32(r.Shape)) {
		return
	}
	count := int(h.Shape(r.Shape).Count)
	if r.Slots != 0 {
		w := v.block(where.at(": slots"), r.Slots, false)
		v.values(where.at(": slots"), w)
		if w != nil && count > InlineSlots+len(w) {
			v.errorf("%s has %d slots in a block of %d", where, count, len(w))
		}
	} else if count > InlineSlots {
		v.errorf("%s has %d slots and no block", where, count)
	}
	switch {
	case r.Elems == 0:
		if r.ElemLen != 0 || r.Flags&Sparse != 0 {
			v.errorf("%s has %d elements and no block", where, r.ElemLen)
		}
	case r.Flags&Sparse != 0:
		v.sparse(where, v.block(where.at(": elements"), r.Elems, false))
	default:
		w := v.block(where.at(": elements"), r.Elems, false)
		if int(r.ElemLen) > len(w) {
			v.errorf("%s has %d elements in a block of %d", where, r.ElemLen, len(w))
			return
		}
		v.values(where.at(": elements"), w[:r.ElemLen])
	}
	if r.Class == ClassArray && r.ElemLen > r.Length {
		v.errorf("%s has %d elements and length %d", where, r.ElemLen, r.Length)
	}
	switch r.Class {
	case ClassWeakRef, ClassFinalizationRegistry:
		// Weak: what is not marked goes with the next collection.
		return
	case ClassMap, ClassSet, ClassWeakMap, ClassWeakSet:
		if w := v.block(where.at(": table"), r.Data.AsBlock(), false); w != nil {
			v.table(where, w, r.Class >= ClassWeakMap)
		}
		return
	}
	v.value(where.at(": data"), r.Data)
	if r.Data.IsInternal() {
		switch uint64(r.Data) >> 32 & 0xFFFF {
		case subEnv, subValues, subPair:
			v.values(where.at(": data"), h.Values(r.Data.AsBlock()))
		}
	}
}

func (v *verifier) sparse(where place, w []Value) {
	if w == nil {
		return
	}
	n, used := 0, 0
	for at := sparseHeader; at+1 < len(w); at += 2 { //meter: tests only
		switch k := w[at]; {
		case k == 0:
			continue
		case k == Undefined:
		case !k.IsDouble():
			v.errorf("%s has a sparse key %x", where, uint64(k))
			return
		default:
			n++
			v.value(where.at(": sparse element"), w[at+1])
			i := uint32(sparseKey(k))
			if found, _ := sparseProbe(w, i); found != at {
				v.errorf("%s: sparse element %d can't be found", where, i)
			}
		}
		used++
	}
	if n != int(w[0].AsInt()) || used > int(w[1].AsInt()) || used >= sparsePairs(w) {
		v.errorf("%s has %d sparse elements in %d of %d places, says %d and %d", where, n, used, sparsePairs(w), w[0].AsInt(), w[1].AsInt())
	}
}

func (v *verifier) table(where place, w []Value, weak bool) {
	h := v.h
	buckets, used := int(w[tabBuckets].AsInt()), int(w[tabUsed].AsInt())
	if buckets&(buckets-1) != 0 || used > buckets || tabHeader+buckets*(1+tabEntry) > len(w) {
		v.errorf("%s: %d entries in %d buckets in a block of %d", where, used, buckets, len(w))
		return
	}
	base, n := tabHeader+buckets, 0
	for p := range used { //meter: tests only
		e := w[base+p*tabEntry:]
		if e[0] == Empty {
			continue
		}
		n++
		if !weak || h.Live(e[0]) {
			v.value(where.at(": key"), e[0])
			v.value(where.at(": value"), e[1])
		}
	}
	if n != int(w[tabLive].AsInt()) {
		v.errorf("%s has %d entries and says %d", where, n, w[tabLive].AsInt())
	}
	linked := 0
	for b := range buckets { //meter: tests only
		for p := int(w[tabHeader+b].AsInt()); p != 0; p = int(w[base+(p-1)*tabEntry+2].AsInt()) { //meter: tests only
			if linked++; p > used || linked > used {
				v.errorf("%s: a chain leads to entry %d of %d, or in a circle", where, p, used)
				return
			}
			if k := w[base+(p-1)*tabEntry]; k == Empty {
				v.errorf("%s: a chain leads to a deleted entry", where)
			} else if !weak || h.Live(k) {
				if hash, err := h.HashValue(k); err != nil || int(hash)&(buckets-1) != b {
					v.errorf("%s: entry %d is in the wrong chain", where, p-1)
				}
			}
		}
	}
	if linked != n {
		v.errorf("%s: %d of %d entries are in chains", where, linked, n)
	}
}

func (v *verifier) cell(s Str, c *Cell) {
	h := v.h
	if c.kind == cellInline && c.b == 0 && c.flags == 0 && c.length <= inlineBytes {
		return
	}
	where := place{what: "cell", id: uint32(s), kind: int(c.kind)}
	words := func() int {
		if c.flags&cellWide != 0 {
			return (int(c.length) + 3) / 4
		}
		return (int(c.length) + 7) / 8
	}
	switch c.kind {
	case cellFree:
		if int(s>>recordShift) >= h.cells.base {
			v.errorf("%s is in use", where)
		}
		return
	case cellInline:
		if c.length > inlineBytes || c.flags&cellWide != 0 {
			v.errorf("%s has length %d, wide %v", where, c.length, c.flags&cellWide != 0)
		}
	case cellFlat:
		if w := v.block(where, Block(c.a), true); w != nil && len(w) < words() {
			v.errorf("%s has length %d in a block of %d words", where, c.length, len(w))
		}
	case cellRope:
		v.str(where, Str(c.a), cellInline, cellSlice)
		v.str(where, Str(c.b), cellInline, cellSlice)
		if n := h.cell(Str(c.a)).length + h.cell(Str(c.b)).length; n != c.length {
			v.errorf("%s has length %d, its parts %d", where, c.length, n)
		}
	case cellSlice:
		v.str(where, Str(c.a), cellFlat, cellFlat)
		if p := h.cell(Str(c.a)); p.kind != cellFlat || int(c.b)+int(c.length) > int(p.length) || (p.flags^c.flags)&cellWide != 0 {
			v.errorf("%s is from %d to %d of a cell of kind %d and length %d", where, c.b, c.b+c.length, p.kind, p.length)
		}
	case cellSymbol:
		if c.a != 0 {
			v.str(where, Str(c.a), cellInline, cellSlice)
		}
		if c.hash == 0 {
			v.errorf("%s has no hash", where)
		}
	case cellBigInt:
		if c.length > 0 {
			if w := v.block(where, Block(c.a), true); w != nil && (len(w) < int(c.length) || w[c.length-1] == 0) {
				v.errorf("%s has %d limbs in a block of %d, or the last is zero", where, c.length, len(w))
			}
		} else if c.flags&cellNegative != 0 {
			v.errorf("%s is minus zero", where)
		}
	default:
		v.errorf("%s: no such kind", where)
	}
	if (c.kind == cellInline || c.kind == cellFlat) && c.b != 0 {
		v.str(where.at(": atom"), Str(c.b), cellInline, cellFlat)
		if h.cell(Str(c.b)).flags&cellAtom == 0 {
			v.errorf("%s has an atom that is none", where)
		}
	}
	if c.flags&cellAtom != 0 {
		b, u, err := h.Units16(s)
		a := Str(0)
		if h.tmpl != nil {
			a = h.findAtom(&h.tmpl.atoms, c.hash, b, u)
		}
		if a == 0 {
			a = h.findAtom(&h.atoms, c.hash, b, u)
		}
		if a != s || err != nil {
			v.errorf("%s is an atom, but the atom of its content is %d", where, a)
		}
	}
}

func (v *verifier) shape(id ShapeID, s *Shape) {
	h := v.h
	where := place{what: "shape", id: uint32(id)}
	if s.Proto != 0 {
		live(v, where.at(": prototype"), "object", &h.objs, uint32(s.Proto))
	}
	if s.Table != 0 && v.block(where.at(": index"), s.Table, true) == nil {
		return
	}
	if s.flags&shapeDict != 0 {
		if s.Table == 0 {
			if s.Count != 0 {
				v.errorf("%s is a dictionary of %d without an index", where, s.Count)
			}
			return
		}
		n := uint32(0)
		seen := make(map[uint32]bool)
		for _, e := range tableSlots(h.Values(s.Table)) { //meter: tests only
			if e == 0 || e == tableDead {
				continue
			}
			n++
			slot := uint32(e>>32) & 0xFFFFFF
			if slot >= s.Count || seen[slot] {
				v.errorf("%s has slot %d of %d, or has it twice", where, slot, s.Count)
			}
			seen[slot] = true
			v.str(where.at(": key"), Str(uint32(e)), cellInline, cellSymbol)
			if got, _, ok := h.tableFind(s, uint32(e)); !ok || got != int(slot) {
				v.errorf("%s: key %d is in slot %d, found in %d", where, uint32(e), slot, got)
			}
		}
		if n != s.live {
			v.errorf("%s has %d properties and says %d", where, n, s.live)
		}
		return
	}
	if s.Count == 0 {
		return
	}
	v.str(where.at(": key"), Str(s.Key), cellInline, cellSymbol)
	if !live(v, where.at(": parent"), "shape", &h.shapes, uint32(s.Parent)) {
		return
	}
	if p := h.Shape(s.Parent); p.Count != s.Count-1 || p.Proto != s.Proto || p.flags&shapeDict != 0 {
		v.errorf("%s has %d properties, its parent %d", where, s.Count, p.Count)
	}
	if s.Table == 0 {
		return
	}
	if slot, attrs, ok := h.tableFind(s, s.Key); !ok || slot != int(s.Count-1) || attrs != s.Attrs {
		v.errorf("%s: its own key is in slot %d, not %d", where, slot, s.Count-1)
	}
}

// tables checks the atoms and transitions of the run.
func (v *verifier) tables() {
	h := v.h
	n := 0
	for _, a := range h.atoms.slots { //meter: tests only
		if a == 0 {
			continue
		}
		n++
		if c := h.cell(Str(a)); c.flags&cellAtom == 0 || c.kind != cellInline && c.kind != cellFlat {
			v.errorf("cell %d is in the table of atoms and none", a)
		} else if b, u, err := h.Units16(Str(a)); err != nil || h.findAtom(&h.atoms, c.hash, b, u) != Str(a) {
			v.errorf("atom %d can't be found", a)
		}
	}
	if n != h.atoms.count || n*2 > len(h.atoms.slots) {
		v.errorf("%d atoms in %d places, says %d", n, len(h.atoms.slots), h.atoms.count)
	}
	if h.lookups != nil {
		for _, e := range h.lookups { //meter: a fixed number
			if e.shape == 0 || !h.shapes.marked(uint32(e.shape)) {
				continue // not looked up again before the next collection empties the cache
			}
			slot, attrs, ok := 0, Attrs(0), false
			for s := h.Shape(e.shape); s.Count > 0 && !ok; s = h.Shape(s.Parent) { //meter: tests only
				slot, attrs, ok = int(s.Count-1), s.Attrs, s.Key == e.key
			}
			if ok != e.found || ok && (slot != int(e.slot) || attrs != e.attrs) {
				v.errorf("the lookup cache has key %d of shape %d in slot %d, found %v: it is in %d, %v", e.key, e.shape, e.slot, e.found, slot, ok)
			}
		}
	}
	n = 0
	for i := range h.transitions.slots { //meter: tests only
		e := &h.transitions.slots[i]
		if e.to == 0 {
			continue
		}
		n++
		if h.transitions.find(e.from, e.key, e.attrs) != e.to {
			v.errorf("the transition from shape %d by %d can't be found", e.from, e.key)
		}
	}
	if n != h.transitions.count || n*2 > len(h.transitions.slots) {
		v.errorf("%d transitions in %d places, says %d", n, len(h.transitions.slots), h.transitions.count)
	}
}

// bytes adds up what is there and compares it with what was charged.
func (v *verifier) bytes() {
	h := v.h
	n := ownedBytes(&h.objs) + ownedBytes(&h.cells) + ownedBytes(&h.shapes)
	n += int64(len(h.atoms.slots))*4 + int64(len(h.transitions.slots))*transitionBytes
	for i := range h.words.pages { //meter: tests only
		if pg := &h.words.pages[i]; pg.w != nil && pg.owned {
			n += int64(len(pg.w)) * 8
			if i >= h.words.base {
				n += pageOverhead
			}
		}
	}
	if h.tmpl != nil {
		n += h.tmpl.tableBytes
	}
	if h.lookups != nil {
		n += lookupCacheSize * 16
	}
	if n != h.committed {
		v.errorf("%d bytes are committed, %d are there", h.committed, n)
	}
}

func ownedBytes[T any](t *table[T]) (n int64) {
	for i := range t.pages { //meter: tests only
		if pg := &t.pages[i]; pg.p != nil && pg.owned {
			n += t.bytes
			if i >= t.base {
				n += pageOverhead
			}
		}
	}
	return n
}
