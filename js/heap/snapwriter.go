package heap

import (
	"crypto/sha256"
	"encoding/binary"
)

// SnapWriter appends what stands beside the heap in a snapshot.
type SnapWriter struct{ w snapWriter }

// NewSnapWriter returns a writer that appends to b.
func NewSnapWriter(b []byte) *SnapWriter { return &SnapWriter{snapWriter{b: b}} }

// Reset makes the writer append to b, keeping what it has of room.
func (w *SnapWriter) Reset(b []byte) { w.w.b = b }

// Bytes returns what was written.
func (w *SnapWriter) Bytes() []byte { return w.w.b }

// Uint, Int, Text, Byte, Value and Values append; SnapReader has what reads it.
func (w *SnapWriter) Uint(n uint64)     { w.w.uint(n) }
func (w *SnapWriter) Int(n int64)       { w.w.b = binary.AppendVarint(w.w.b, n) }
func (w *SnapWriter) Byte(c byte)       { w.w.b = append(w.w.b, c) }
func (w *SnapWriter) Value(v Value)     { w.w.value(v) }
func (w *SnapWriter) Values(vs []Value) { w.w.values(vs) }
func (w *SnapWriter) Text(s string) {
	w.w.uint(uint64(len(s)))
	w.w.b = append(w.w.b, s...)
}

// Heap appends a heap's snapshot. roots calls Mark and MarkValues for everything
// that the run holds outside of it; nothing may be running.
func (w *SnapWriter) Heap(h *Heap, roots func()) error { return w.w.heap(h, roots) }

// Hash identifies the template's content. A snapshot fits the template that it
// was taken over, and no other.
func (t *Template) Hash() [32]byte {
	s := sha256.New()
	w := &snapWriter{}
	flush := func() {
		s.Write(w.b)
		w.b = w.b[:0]
	}
	hashTable(w, t.objs, flush)
	hashTable(w, t.cells, flush)
	hashTable(w, t.shapes, flush)
	w.uint(uint64(len(t.words)))
	for _, p := range t.words { //meter: once in a process, over the template
		w.b = append(w.b, p.class)
		w.block(p.w, p.raw)
		flush()
	}
	w.uint(uint64(t.symbols))
	flush()
	return [32]byte(s.Sum(nil))
}

func hashTable[T any](w *snapWriter, pages []page[T], flush func()) {
	w.uint(uint64(len(pages)))
	for _, p := range pages { //meter: once in a process, over the template
		for _, x := range wordsOf(p.p) { //meter: words of a page
			w.b = binary.LittleEndian.AppendUint64(w.b, uint64(x))
		}
		flush()
	}
}

// FlatText views a string that is in one piece: its Latin-1 characters or its
// UTF-16 units. ok is false for others.
func (h *Heap) FlatText(s Str) (b []byte, u []uint16, ok bool) {
	if k := h.cell(s).kind; k != cellInline && k != cellFlat {
		return nil, nil, false
	}
	b, u, err := h.Units16(s) //meter: a string in one piece is only viewed
	return b, u, err == nil
}
