package heap

import (
	"math"
	"slices"

	"github.com/pinfold-js/pinfold/meter"
)

// Indexed properties are a dense array of values with holes, or, when an index
// lies far beyond the others or a property has unusual attributes, a hash
// table (flag Sparse).

// sparseGap is how far beyond the initialised elements an index may lie before
// the object turns sparse.
const sparseGap = 1024

// ElemAttrs returns the attributes that o's dense elements have.
func ElemAttrs(f ObjFlags) Attrs {
	switch {
	case f&ElemsFrozen != 0:
		return Enumerable
	case f&ElemsSealed != 0:
		return Enumerable | Writable
	}
	return DefaultAttrs
}

// Elem reads dense element i without checks of sparseness: Empty if absent.
func (h *Heap) Elem(o *Object, i uint32) Value {
	if i >= o.ElemLen {
		return Empty
	}
	return h.Word(o.Elems, int(i))
}

// Elems returns the initialised dense elements of o for reading; nil when o is
// sparse.
func (h *Heap) Elems(o Obj) []Value {
	rec := h.Obj(o)
	if rec.Flags&Sparse != 0 || rec.ElemLen == 0 {
		return nil
	}
	return h.Values(rec.Elems)[:rec.ElemLen]
}

// ElemsW is Elems for writing.
func (h *Heap) ElemsW(o Obj) []Value {
	rec := h.Obj(o)
	if rec.Flags&Sparse != 0 || rec.ElemLen == 0 {
		return nil
	}
	return h.ValuesW(rec.Elems)[:rec.ElemLen]
}

// GetElem finds own indexed property i: its value, or a pair for an accessor.
func (h *Heap) GetElem(o Obj, i uint32) (Value, Attrs, bool) {
	rec := h.Obj(o)
	if rec.Flags&Sparse != 0 {
		return h.sparseFind(rec.Elems, i)
	}
	v := h.Elem(rec, i)
	if v == Empty {
		return Undefined, 0, false
	}
	return v, ElemAttrs(rec.Flags), true
}

// SetElem writes the value of an existing own indexed property, keeping its
// attributes.
func (h *Heap) SetElem(o Obj, i uint32, v Value) {
	rec := h.Obj(o)
	if rec.Flags&Sparse != 0 {
		w := h.ValuesW(rec.Elems)
		if at := h.sparseIndex(w, i); at >= 0 {
			w[at+1] = v
		}
		return
	}
	h.SetWord(rec.Elems, int(i), v)
}

// AddElem defines own indexed property i, new or not, with attributes. For
// arrays the caller keeps Length right.
func (h *Heap) AddElem(o Obj, i uint32, v Value, attrs Attrs) error {
	rec := h.Obj(o)
	if rec.Flags&IsProto != 0 {
		h.Epoch++
	}
	if rec.Flags&Sparse == 0 {
		if attrs == ElemAttrs(rec.Flags) && (i < rec.ElemLen || i-rec.ElemLen <= sparseGap) {
			return h.addDense(o, i, v)
		}
		if err := h.toSparse(o); err != nil {
			return err
		}
	}
	return h.sparseSet(o, i, v, attrs)
}

func (h *Heap) addDense(o Obj, i uint32, v Value) error {
	rec := h.Obj(o)
	n := rec.ElemLen
	if i < n {
		h.SetWord(rec.Elems, int(i), v)
		return nil
	}
	if err := h.EnsureElems(o, int(i)+1); err != nil {
		return err
	}
	w := h.ObjW(o)
	e := h.ValuesW(w.Elems)
	for k := n; k < i; k++ { //meter: at most sparseGap
		e[k] = Empty
	}
	e[i] = v
	w.ElemLen = i + 1
	return nil
}

// Push appends a dense element and, for arrays, keeps Length right. The object
// must not be sparse and its ElemLen must be its length.
func (h *Heap) Push(o Obj, v Value) error {
	rec := h.Obj(o)
	n := rec.ElemLen
	if rec.Elems == 0 || int(n) >= h.words.size(rec.Elems) {
		if err := h.EnsureElems(o, int(n)+1); err != nil {
			return err
		}
	}
	w := h.ObjW(o)
	h.SetWord(w.Elems, int(n), v)
	w.ElemLen = n + 1
	w.Length = n + 1
	return nil
}

// EnsureElems makes room for n dense elements.
func (h *Heap) EnsureElems(o Obj, n int) error {
	rec := h.Obj(o)
	old := rec.Elems
	size := 0
	if old != 0 {
		size = h.words.size(old)
	}
	if n <= size {
		return nil
	}
	want := n
	if n > 4 || size > 0 {
		want = max(n, size+size/2)
	}
	b, err := h.NewValues(want)
	if err != nil {
		return err
	}
	if old != 0 {
		if err := meter.Copy(h.meter, h.ValuesW(b), h.Values(old)[:rec.ElemLen]); err != nil {
			return err
		}
		h.freeLarge(old)
	}
	h.ObjW(o).Elems = b
	return nil
}

// SetElems gives o a block of n dense elements that the caller has filled.
func (h *Heap) SetElems(o Obj, b Block, n int) {
	w := h.ObjW(o)
	if w.Elems != b {
		h.freeLarge(w.Elems)
		w = h.ObjW(o)
	}
	w.Elems, w.ElemLen = b, uint32(n)
	w.Flags &^= Sparse
}

// DeleteElem removes own indexed property i.
func (h *Heap) DeleteElem(o Obj, i uint32) {
	rec := h.Obj(o)
	if rec.Flags&IsProto != 0 {
		h.Epoch++
	}
	if rec.Flags&Sparse != 0 {
		w := h.ValuesW(rec.Elems)
		if at := h.sparseIndex(w, i); at >= 0 {
			w[at], w[at+1] = Undefined, Undefined
			w[0] = Int(w[0].AsInt() - 1)
		}
		return
	}
	if i >= rec.ElemLen {
		return
	}
	if i == rec.ElemLen-1 {
		h.ObjW(o).ElemLen--
		return
	}
	h.SetWord(rec.Elems, int(i), Empty)
}

// Truncate drops the indexed properties from n on that can be deleted, from
// the end. It returns the index after the last one that could not be deleted,
// or n.
func (h *Heap) Truncate(o Obj, n uint32) uint32 {
	rec := h.Obj(o)
	if rec.Flags&Sparse == 0 {
		if rec.ElemLen > n {
			if rec.Flags&ElemsSealed != 0 {
				for i := rec.ElemLen; i > n; i-- { //meter: the caller charges for the elements
					if h.Word(rec.Elems, int(i-1)) != Empty {
						return i
					}
				}
			}
			w := h.ObjW(o)
			w.ElemLen = n
			if n == 0 {
				h.freeLarge(w.Elems)
				w.Elems = 0
			}
		}
		return n
	}
	keys := h.ElemKeys(o, nil)
	for k := len(keys) - 1; k >= 0 && keys[k] >= n; k-- { //meter: the caller charges for the elements
		_, attrs, _ := h.GetElem(o, keys[k])
		if attrs&Configurable == 0 {
			return keys[k] + 1
		}
		h.DeleteElem(o, keys[k])
	}
	return n
}

// NumElems returns an upper bound of the own indexed properties of o.
func (h *Heap) NumElems(o Obj) int {
	rec := h.Obj(o)
	if rec.Flags&Sparse != 0 {
		return int(h.Word(rec.Elems, 0).AsInt())
	}
	return int(rec.ElemLen)
}

// ElemKeys appends the indices of o's own indexed properties, ascending. The
// caller charges for them (see NumElems).
func (h *Heap) ElemKeys(o Obj, dst []uint32) []uint32 {
	rec := h.Obj(o)
	if rec.Flags&Sparse == 0 {
		for i, v := range h.Elems(o) { //meter: the caller charges
			if v != Empty {
				dst = append(dst, uint32(i))
			}
		}
		return dst
	}
	n := len(dst)
	w := h.Values(rec.Elems)
	h.spend(len(w) / 16)                             // deleted entries are in it too
	dst = slices.Grow(dst, int(w[0].AsInt()))        //meter: as many as there are properties, which the caller charges for
	for at := sparseHeader; at+1 < len(w); at += 2 { //meter: charged above
		if w[at].IsDouble() && w[at] != 0 {
			dst = append(dst, uint32(sparseKey(w[at])))
		}
	}
	slices.Sort(dst[n:])
	return dst
}

// A sparse table is a block of values: word 0 the number of properties, word 1
// the number of entries in use counting deleted ones; from word 2 on pairs of
// key and value. A key is the double 1 + index + attrs*2**32, so that the block
// holds nothing but values; +0 is free, Undefined deleted.
const sparseHeader = 2

func sparseWord(i uint32, attrs Attrs) Value {
	return Float(float64(1 + uint64(i) + uint64(attrs)<<32))
}

func sparseKey(v Value) uint64 { return uint64(v.AsDouble()) - 1 }

func sparseHash(i uint32, n int) int {
	return int(i*2654435761>>4) & (n - 1)
}

func sparsePairs(w []Value) int {
	n := 1
	for n*2 <= (len(w)-sparseHeader)/2 { //meter: at most 32 steps
		n *= 2
	}
	return n
}

// sparseProbe finds the entry of an index, -1 if there is none, and says how
// many others it had to pass.
func sparseProbe(w []Value, i uint32) (at, steps int) {
	n := sparsePairs(w)
	from := sparseHash(i, n)
	for p := from; ; p = (p + 1) & (n - 1) { //meter: the caller charges for what isn't short
		k := w[sparseHeader+2*p]
		if k == 0 {
			return -1, (p - from) & (n - 1)
		}
		if k != Undefined && uint32(sparseKey(k)) == i {
			return sparseHeader + 2*p, (p - from) & (n - 1)
		}
	}
}

// sparseIndex is sparseProbe, charged.
func (h *Heap) sparseIndex(w []Value, i uint32) int {
	at, steps := sparseProbe(w, i)
	h.probed(steps)
	return at
}

// probed charges for a long search of a table: a script may choose indices that
// collide. What it takes may pass the limit, and the next charge says so.
func (h *Heap) probed(steps int) {
	if steps > 16 {
		h.spend(steps)
	}
}

// spend charges where no error can be returned: the next charge says so.
func (h *Heap) spend(n int) {
	if h.meter != nil {
		*h.meter.Slice() -= int64(n)
	}
}

func (h *Heap) sparseFind(b Block, i uint32) (Value, Attrs, bool) {
	w := h.Values(b)
	at := h.sparseIndex(w, i)
	if at < 0 {
		return Undefined, 0, false
	}
	return w[at+1], Attrs(sparseKey(w[at]) >> 32), true
}

func (h *Heap) newSparse(n int) (Block, error) {
	pairs := 8
	for pairs*3 < n*4+4 { //meter: at most 32 steps
		pairs *= 2
	}
	b, err := h.NewValues(sparseHeader + 2*pairs)
	if err != nil {
		return 0, err
	}
	w := h.ValuesW(b)
	w[0], w[1] = Int(0), Int(0)
	return b, nil
}

// sparseInsert adds an entry and returns how many others it had to pass.
func sparseInsert(w []Value, i uint32, v Value, attrs Attrs) (steps int) {
	n := sparsePairs(w)
	p := sparseHash(i, n)
	for w[sparseHeader+2*p] != 0 { //meter: the caller charges for the steps
		p = (p + 1) & (n - 1)
		steps++
	}
	w[sparseHeader+2*p], w[sparseHeader+2*p+1] = sparseWord(i, attrs), v
	w[0], w[1] = Int(w[0].AsInt()+1), Int(w[1].AsInt()+1)
	return steps
}

func (h *Heap) sparseSet(o Obj, i uint32, v Value, attrs Attrs) error {
	rec := h.Obj(o)
	w := h.ValuesW(rec.Elems)
	if at := h.sparseIndex(w, i); at >= 0 {
		w[at], w[at+1] = sparseWord(i, attrs), v
		return nil
	}
	if int(w[1].AsInt())*4+4 > sparsePairs(w)*3 {
		n := int(w[0].AsInt())
		if h.meter != nil {
			if err := h.meter.Charge(int64(n)); err != nil {
				return err
			}
		}
		b, err := h.newSparse(n * 2)
		if err != nil {
			return err
		}
		nw := h.ValuesW(b)
		w = h.Values(h.Obj(o).Elems)
		steps := 0
		for at := sparseHeader; at+1 < len(w); at += 2 { //meter: charged above, twice the entries at most, and what they pass
			if err := h.pollAt(at >> 1); err != nil {
				return err
			}
			if k := w[at]; k != 0 && k != Undefined {
				sk := sparseKey(k)
				if steps += sparseInsert(nw, uint32(sk), w[at+1], Attrs(sk>>32)); steps > 4096 && h.meter != nil {
					if err := h.meter.Charge(int64(steps)); err != nil {
						return err
					}
					steps = 0
				}
			}
		}
		h.freeLarge(h.Obj(o).Elems)
		h.ObjW(o).Elems = b
		w = nw
	}
	h.probed(sparseInsert(w, i, v, attrs))
	return nil
}

// toSparse turns dense elements into a table.
func (h *Heap) toSparse(o Obj) error {
	rec := h.Obj(o)
	n := int(rec.ElemLen)
	if h.meter != nil {
		if err := h.meter.Charge(int64(n)); err != nil {
			return err
		}
	}
	b, err := h.newSparse(n)
	if err != nil {
		return err
	}
	w := h.ValuesW(b)
	attrs := ElemAttrs(rec.Flags)
	for i, v := range h.Elems(o) { //meter: charged above
		if err := h.pollAt(i); err != nil {
			return err
		}
		if v != Empty {
			sparseInsert(w, uint32(i), v, attrs)
		}
	}
	h.freeLarge(rec.Elems)
	r := h.ObjW(o)
	r.Elems, r.ElemLen = b, 0
	r.Flags |= Sparse
	return nil
}

// SealElems makes all indexed properties not configurable and, with frozen,
// not writable (data properties).
func (h *Heap) SealElems(o Obj, frozen bool) {
	w := h.ObjW(o)
	if w.Flags&Sparse == 0 {
		w.Flags |= ElemsSealed
		if frozen {
			w.Flags |= ElemsFrozen
		}
		return
	}
	e := h.ValuesW(w.Elems)
	h.spend(len(e) / 16)
	for at := sparseHeader; at+1 < len(e); at += 2 { //meter: charged above
		if k := e[at]; k != 0 && k != Undefined {
			sk := sparseKey(k)
			attrs := Attrs(sk>>32) &^ Configurable
			if frozen && attrs&Accessor == 0 {
				attrs &^= Writable
			}
			e[at] = sparseWord(uint32(sk), attrs)
		}
	}
}

// NewArrayOf makes an array of the given values.
func (h *Heap) NewArrayOf(shape ShapeID, vals []Value) (Obj, error) {
	o := h.NewObject(shape, ClassArray)
	if len(vals) > math.MaxUint32-1 {
		return 0, ErrStringLength
	}
	if len(vals) > 0 {
		b, err := h.NewValues(len(vals))
		if err != nil {
			return 0, err
		}
		copy(h.ValuesW(b), vals)
		w := h.ObjW(o)
		w.Elems, w.ElemLen, w.Length = b, uint32(len(vals)), uint32(len(vals))
	}
	return o, nil
}
