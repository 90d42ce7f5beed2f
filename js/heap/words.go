package heap

import "math/bits"

const (
	wordShift    = 9
	wordsPerPage = 1 << wordShift
	wordMask     = wordsPerPage - 1

	largeClass = 0xFF
	maxSmall   = 256 // words; longer blocks have a page entry of their own
)

// blockSizes are the size classes of blocks, in words. All are even, so that a
// page needs one mark bit for two words.
var blockSizes = [...]uint16{2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256}

const numSizes = len(blockSizes)

var (
	classOf  = makeClassOf()
	pageFree = makePageFree()
)

func makeClassOf() (t [maxSmall + 1]uint8) {
	c := 0
	for n := range t {
		if n > int(blockSizes[c]) {
			c++
		}
		t[n] = uint8(c)
	}
	return t
}

// makePageFree computes the free bitmap of an empty page of each class.
func makePageFree() (t [numSizes]pageBits) {
	for c, size := range blockSizes {
		for off := 0; off+int(size) <= wordsPerPage; off += int(size) { //meter: once, for the sizes of blocks
			t[c][off>>1>>6] |= 1 << (off >> 1 & 63)
		}
	}
	return t
}

// pageBits has one bit for every two words of a page.
type pageBits [wordsPerPage / 2 / 64]uint64

type wordPage struct {
	w     []Value
	class uint8 // size class, or largeClass
	raw   bool
	owned bool
}

// wordMeta is what the collector keeps for a page of the run's own.
type wordMeta struct {
	mark, free pageBits
}

// wordCursor is the page that small blocks of one kind come from.
type wordCursor struct {
	page int // -1 if none
	word int
	free pageBits
	scan int // own pages below have no free block of this kind
}

type wordTable struct {
	pages   []wordPage
	meta    []wordMeta // by page - base
	base    int
	cursors [2 * numSizes]wordCursor // class*2 + raw
	dead    []int
	dirty   []int
	spare   [][]Value // released pages of small blocks: see keepSpare
}

func (t *wordTable) init() {
	for i := range t.cursors {
		t.cursors[i].page = -1
	}
}

// burnFirstPage makes block 0 invalid.
func (t *wordTable) burnFirstPage() {
	t.pages = append(t.pages, wordPage{class: largeClass, owned: true})
	t.meta = append(t.meta, wordMeta{})
}

// size returns the words of the block b.
func (t *wordTable) size(b Block) int {
	e := &t.pages[b>>wordShift]
	if e.class == largeClass {
		return len(e.w)
	}
	return int(blockSizes[e.class])
}

// allocSmall takes a block of a size class. It never fails; see table.alloc.
// The block's words are zero, which is the number +0 as a value.
func (h *Heap) allocSmall(class int, raw bool) Block {
	t := &h.words
	kind := class * 2
	if raw {
		kind++
	}
	c := &t.cursors[kind]
	for { //meter: two turns at most: a refilled page has a free block
		if c.page >= 0 {
			for ; c.word < len(c.free); c.word++ { //meter: the words of one page
				if f := c.free[c.word]; f != 0 {
					c.free[c.word] = f & (f - 1)
					off := (c.word<<6 | bits.TrailingZeros64(f)) << 1
					w := t.pages[c.page].w[off : off+int(blockSizes[class])]
					clear(w)
					return Block(c.page<<wordShift | off)
				}
			}
		}
		h.refillWords(kind)
	}
}

func (h *Heap) refillWords(kind int) {
	t := &h.words
	c := &t.cursors[kind]
	class, raw := kind/2, kind&1 == 1
	for i := c.scan; i < len(t.meta); i++ { //meter: scan goes over the pages once between two collections
		e := &t.pages[t.base+i]
		if int(e.class) != class || e.raw != raw || e.w == nil {
			continue
		}
		if m := &t.meta[i]; m.free != (pageBits{}) {
			c.scan = i + 1
			c.page, c.word, c.free = t.base+i, 0, m.free
			m.free = pageBits{}
			return
		}
	}
	c.scan = len(t.meta)
	h.commit(wordsPerPage*8 + pageOverhead)
	var w []Value
	if n := len(t.spare); n > 0 {
		w = t.spare[n-1] // blocks are cleared when they are handed out
		t.spare = t.spare[:n-1]
	} else {
		w = make([]Value, wordsPerPage)
	}
	c.page = h.newWordPage(wordPage{w: w, class: uint8(class), raw: raw, owned: true})
	c.word, c.free = 0, pageFree[class]
}

func (h *Heap) newWordPage(p wordPage) int {
	t := &h.words
	if n := len(t.dead); n > 0 {
		pg := t.dead[n-1]
		t.dead = t.dead[:n-1]
		t.pages[pg] = p
		t.meta[pg-t.base] = wordMeta{}
		return pg
	}
	t.pages = append(t.pages, p)
	t.meta = append(t.meta, wordMeta{})
	return len(t.pages) - 1
}

// alloc takes a block of at least n words.
func (h *Heap) alloc(n int, raw bool) (Block, error) {
	if n <= maxSmall {
		return h.allocSmall(int(classOf[n]), raw), nil
	}
	n = (n + 7) &^ 7
	if err := h.reserve(int64(n)*8 + pageOverhead); err != nil {
		return 0, err
	}
	pg := h.newWordPage(wordPage{w: make([]Value, n), class: largeClass, raw: raw, owned: true}) //meter: reserved above
	return Block(pg << wordShift), nil
}

// NewValues makes a block of at least n values, all +0.
func (h *Heap) NewValues(n int) (Block, error) { return h.alloc(n, false) }

// NewSmallValues is NewValues for n ≤ 256; it cannot fail.
func (h *Heap) NewSmallValues(n int) Block { return h.allocSmall(int(classOf[n]), false) }

// NewRaw makes a block of at least n bytes. Their content is zero.
func (h *Heap) NewRaw(n int) (Block, error) { return h.alloc((n+7)/8, true) }

// freeLarge gives a large block back at once; smaller ones wait for the
// collector. Nothing may refer to b any more.
func (h *Heap) freeLarge(b Block) {
	if b == 0 {
		return
	}
	pg := int(b >> wordShift)
	e := &h.words.pages[pg]
	if e.class != largeClass || pg < h.words.base {
		return
	}
	n := int64(len(e.w)) * 8
	*e = wordPage{class: largeClass, owned: true}
	h.freed += n
	h.release(n + pageOverhead)
	h.words.dead = append(h.words.dead, pg)
}

// FreeRaw gives back a block of raw bytes that only its owner refers to.
func (h *Heap) FreeRaw(b Block) { h.freeLarge(b) }

// Values returns the block's values for reading.
func (h *Heap) Values(b Block) []Value {
	e := &h.words.pages[b>>wordShift]
	if e.class == largeClass {
		return e.w
	}
	off := int(b & wordMask)
	return e.w[off : off+int(blockSizes[e.class])]
}

// ValuesW returns the block's values for writing.
func (h *Heap) ValuesW(b Block) []Value {
	e := &h.words.pages[b>>wordShift]
	if !e.owned {
		h.ownWords(int(b >> wordShift))
	}
	if e.class == largeClass {
		return e.w
	}
	off := int(b & wordMask)
	return e.w[off : off+int(blockSizes[e.class])]
}

// Word reads word i of block b; i must be inside the block.
func (h *Heap) Word(b Block, i int) Value {
	return h.words.pages[b>>wordShift].w[int(b&wordMask)+i]
}

// SetWord writes word i of block b; i must be inside the block.
func (h *Heap) SetWord(b Block, i int, v Value) {
	e := &h.words.pages[b>>wordShift]
	if !e.owned {
		h.ownWords(int(b >> wordShift))
	}
	e.w[int(b&wordMask)+i] = v
}

func (h *Heap) ownWords(pg int) {
	e := &h.words.pages[pg]
	h.commit(int64(len(e.w)) * 8)
	e.w = append([]Value(nil), e.w...)
	e.owned = true
	if pg < h.words.base {
		h.words.dirty = append(h.words.dirty, pg)
	}
}

// Bytes and BytesW view a raw block as bytes, Units and UnitsW as UTF-16 code
// units, Limbs as 64-bit limbs, least significant first.
func (h *Heap) Bytes(b Block) []byte    { return bytesOf(h.Values(b)) }
func (h *Heap) BytesW(b Block) []byte   { return bytesOf(h.ValuesW(b)) }
func (h *Heap) Units(b Block) []uint16  { return unitsOf(h.Values(b)) }
func (h *Heap) UnitsW(b Block) []uint16 { return unitsOf(h.ValuesW(b)) }
func (h *Heap) Limbs(b Block) []uint64  { return limbsOf(h.Values(b)) }
func (h *Heap) LimbsW(b Block) []uint64 { return limbsOf(h.ValuesW(b)) }

// BlockSize returns the words in block b.
func (h *Heap) BlockSize(b Block) int { return h.words.size(b) }

// NewEnv makes an environment of n slots, all Empty. parent is an environment
// or Undefined.
func (h *Heap) NewEnv(parent Value, n int) (Value, error) {
	var b Block
	if n < maxSmall {
		b = h.allocSmall(int(classOf[n+1]), false)
	} else {
		var err error
		if b, err = h.alloc(n+1, false); err != nil {
			return 0, err
		}
	}
	w := h.ValuesW(b)
	w[0] = parent
	for i := range n { //meter: the variables of a scope, which the instruction that makes it is charged for
		w[i+1] = Empty
	}
	return EnvValue(b), nil
}

// CopyEnv makes a copy of an environment.
func (h *Heap) CopyEnv(env Value) (Value, error) {
	n := h.words.size(env.AsBlock())
	b, err := h.alloc(n, false)
	if err != nil {
		return 0, err
	}
	copy(h.ValuesW(b), h.Values(env.AsBlock()))
	return EnvValue(b), nil
}

// NewSmallRaw makes a raw block of n ≤ 256 words; it cannot fail.
func (h *Heap) NewSmallRaw(n int) Block { return h.allocSmall(int(classOf[n]), true) }
