package heap

import "github.com/pinfold-js/pinfold/meter"

// Template is a heap that was filled once and is never written again: a realm
// with every intrinsic in it. Heaps made from it share its pages until they
// write to them. It is safe for use by many goroutines.
type Template struct {
	objs        []page[Object]
	cells       []page[Cell]
	shapes      []page[Shape]
	words       []wordPage
	atoms       atomTable
	transitions transitionTable
	chars       *[256]Str
	symbols     uint32
	tableBytes  int64
}

// Freeze makes a template of h, which must not be used any more.
func (h *Heap) Freeze() *Template {
	for pg := range h.objs.pages { //meter: once for a realm, before any script
		for i := range h.objs.pages[pg].p {
			if id := h.objs.pages[pg].p[i].Shape; id != 0 {
				if s := h.Shape(id); s.Table == 0 && s.Count > tableMin {
					h.buildTable(id)
				}
			}
		}
	}
	// What later reads would like to cache in a record is put there now.
	for _, a := range h.atoms.slots { //meter: once for a realm, before any script
		if a != 0 {
			_, _ = h.KeyOf(Str(a)) //meter: before any script: a template's heap has no meter
		}
	}
	t := &Template{
		objs: h.objs.pages, cells: h.cells.pages, shapes: h.shapes.pages, words: h.words.pages,
		atoms: h.atoms, transitions: h.transitions, chars: h.chars, symbols: h.gc.symbols,
	}
	share(t.objs)
	share(t.cells)
	share(t.shapes)
	for i := range t.words { //meter: once for a realm, before any script
		t.words[i].owned = false
	}
	t.tableBytes = int64(len(t.objs)+len(t.cells)+len(t.shapes))*16 + int64(len(t.words))*40
	return t
}

func share[T any](pages []page[T]) {
	for i := range pages { //meter: once for a realm, before any script
		pages[i].owned = false
	}
}

// NewHeap makes a heap that starts as a copy of the template and charges m.
func (t *Template) NewHeap(m *meter.Meter) *Heap {
	h := &Heap{meter: m, tmpl: t, chars: t.chars}
	h.objs.start(t.objs, recordsPerPage*64)
	h.cells.start(t.cells, recordsPerPage*32)
	h.shapes.start(t.shapes, recordsPerPage*32)
	h.words.init()
	h.words.base = len(t.words)
	h.words.pages = append(make([]wordPage, 0, len(t.words)+16), t.words...)
	h.gc.symbols = t.symbols
	h.gcAt = 1 << 62
	h.commit(t.tableBytes)
	h.setThreshold()
	return h
}

func (t *table[T]) start(pages []page[T], bytes int64) {
	t.init(bytes)
	t.base = len(pages)
	t.pages = append(make([]page[T], 0, len(pages)+16), pages...)
}
