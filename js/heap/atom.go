package heap

import (
	"bytes"
	"slices"
)

// Key is a property key: an array index, or a handle of an interned string or
// of a symbol. Keys are equal if and only if they are the same number.
type Key uint64

const (
	keyIndex  Key = 1 << 32
	keySymbol Key = 1 << 33
)

// IndexKey makes the key of array index i, 0 ≤ i < 2**32-1.
func IndexKey(i uint32) Key { return keyIndex | Key(i) }

// AtomKey makes the key of an interned string that is no array index.
func AtomKey(s Str) Key { return Key(s) }

// SymbolKey makes the key of a symbol or private name.
func SymbolKey(s Str) Key { return keySymbol | Key(s) }

// IsIndex, IsSymbol, IsString say what a key is. An index is not IsString
// although it is a string to the language.
func (k Key) IsIndex() bool  { return k&keyIndex != 0 }
func (k Key) IsSymbol() bool { return k&keySymbol != 0 }
func (k Key) IsString() bool { return k>>32 == 0 }

// Index and Name take the payload without checking.
func (k Key) Index() uint32 { return uint32(k) }
func (k Key) Name() Str     { return Str(k) }

// atomTable finds the interned string of a content. Open addressing; a run's
// table is looked at after its template's.
type atomTable struct {
	slots []uint32 // Str, 0 = free
	count int
}

func (h *Heap) findAtom(t *atomTable, hash uint32, b []byte, u []uint16) Str {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint32(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask { //meter: the table is never full; probed charges for strings that collide
		s := Str(t.slots[i])
		if s == 0 {
			h.probed(int((i - hash) & mask))
			return 0
		}
		c := h.cell(s)
		if c.hash != hash {
			continue
		}
		cb, cu, _ := h.Units16(s) //meter: atoms are flat: reading one can't fail
		if u == nil && cu == nil && bytes.Equal(cb, b) || u != nil && cu != nil && compareMixed(nil, cu, nil, u) == 0 {
			h.probed(int((i - hash) & mask))
			return s
		}
	}
}

func (h *Heap) addAtom(s Str, hash uint32) {
	t := &h.atoms
	if t.count*2 >= len(t.slots) {
		old := t.slots
		n := max(64, len(old)*2)
		h.commit(int64(n) * 4)
		*t = atomTable{slots: make([]uint32, n)} //meter: committed above
		// What collided before is found one after the other, and falls to two
		// places: where the last one of each went, the next search begins.
		var last [2]struct{ home, at uint32 }
		mask, half := uint32(n-1), uint32(len(old))
		for _, s := range old { //meter: doubling: paid for by the atoms added
			if s == 0 {
				continue
			}
			home := h.cell(Str(s)).hash & mask
			l := &last[0]
			if home&half != 0 {
				l = &last[1]
			}
			i := home
			if l.home == home {
				i = l.at
			}
			for t.slots[i] != 0 { //meter: begins at the last one of those that collide
				i = (i + 1) & mask
			}
			t.slots[i] = s
			t.count++
			l.home, l.at = home, i
		}
		h.release(int64(len(old)) * 4)
	}
	c := h.cellW(s)
	c.hash, c.b = hash, uint32(s)
	c.flags |= cellAtom
	h.probed(t.insert(s, hash))
}

// insert adds an atom and returns how many others it had to pass.
func (t *atomTable) insert(s Str, hash uint32) (steps int) {
	mask := uint32(len(t.slots) - 1)
	i := hash & mask
	for t.slots[i] != 0 { //meter: the caller charges for the steps
		i = (i + 1) & mask
	}
	t.slots[i] = uint32(s)
	t.count++
	return int((i - hash) & mask)
}

// sweepAtoms drops dead atoms, in place. A stretch of entries without a gap that
// has lost some is laid out anew, in the order of their homes: that takes no
// longer where all of them collide.
func (h *Heap) sweepAtoms() {
	t := &h.atoms
	n := uint32(len(t.slots))
	if n == 0 {
		return
	}
	mask := n - 1
	start := uint32(0)
	for t.slots[start] != 0 { //meter: linear in a table that was charged as it grew, which has gaps
		start++
	}
	var live []uint64                  // home, counted from the beginning of the stretch, and atom
	for done := uint32(0); done < n; { //meter: linear in a table that was charged as it grew
		from := (start + done) & mask
		if t.slots[from] == 0 {
			done++
			continue
		}
		length := uint32(0)
		live = live[:0]
		for s := t.slots[from]; s != 0; s = t.slots[(from+length)&mask] { //meter: each entry once
			if h.cells.marked(s) {
				live = append(live, uint64((h.cell(Str(s)).hash-from)&mask)<<32|uint64(s))
			}
			length++
		}
		done += length
		if len(live) == int(length) {
			continue
		}
		t.count -= int(length) - len(live)
		slices.Sort(live)
		next := uint32(0)
		for k := range length { //meter: each entry once
			t.slots[(from+k)&mask] = 0
		}
		for _, x := range live { //meter: each entry once
			next = max(next, uint32(x>>32))
			t.slots[(from+next)&mask] = uint32(x)
			next++
		}
	}
}

// Intern returns the interned string with the content of s.
func (h *Heap) Intern(s Str) (Str, error) { //meter: once: the new string is flat
	c := h.cell(s)
	if c.flags&cellAtom != 0 {
		return s, nil
	}
	if (c.kind == cellInline || c.kind == cellFlat) && c.b != 0 {
		return Str(c.b), nil
	}
	hash, err := h.Hash(s)
	if err != nil {
		return 0, err
	}
	b, u, err := h.Units16(s)
	if err != nil {
		return 0, err
	}
	if u != nil && fitsLatin1(u) { // a slice or rope of wide parts
		flat, err := h.NewUTF16(u)
		if err != nil {
			return 0, err
		}
		return h.Intern(flat)
	}
	a := Str(0)
	if h.tmpl != nil {
		a = h.findAtom(&h.tmpl.atoms, hash, b, u)
	}
	if a == 0 {
		a = h.findAtom(&h.atoms, hash, b, u)
	}
	if a == 0 {
		if c = h.cell(s); c.kind == cellSlice {
			// An atom must not keep a large parent alive.
			if u != nil {
				s, err = h.NewUTF16(append([]uint16(nil), u...))
			} else {
				s, err = h.NewLatin1(b)
			}
			if err != nil {
				return 0, err
			}
		}
		h.addAtom(s, hash)
		return s, nil
	}
	if c = h.cell(s); (c.kind == cellInline || c.kind == cellFlat) && h.cells.pages[s>>recordShift].owned {
		c.b = uint32(a)
	}
	return a, nil
}

func (h *Heap) internLatin1(b []byte) Str {
	hash := hashBytes(b)
	if h.tmpl != nil {
		if a := h.findAtom(&h.tmpl.atoms, hash, b, nil); a != 0 {
			return a
		}
	}
	if a := h.findAtom(&h.atoms, hash, b, nil); a != 0 {
		return a
	}
	c := Cell{kind: cellInline, length: uint32(len(b))}
	if len(b) > inlineBytes {
		blk := h.allocSmall(int(classOf[(len(b)+7)/8]), true)
		copy(h.BytesW(blk), b)
		c = Cell{kind: cellFlat, length: uint32(len(b)), a: uint32(blk)}
	} else {
		copy(c.text[:], b)
	}
	s := h.newCell(c)
	h.addAtom(s, hash)
	return s
}

// Atom interns a name. Names of ASCII up to 2048 bytes need no allocation that
// could fail; others are interned from a string of their own.
func (h *Heap) Atom(name string) (Str, error) {
	if len(name) <= 2048 && isASCII(name) {
		return h.internLatin1([]byte(name)), nil
	}
	s, err := h.NewString(name)
	if err != nil {
		return 0, err
	}
	return h.Intern(s)
}

func isASCII(s string) bool {
	for i := range len(s) { //meter: at most 2048
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// KeyOf returns the property key of a string.
func (h *Heap) KeyOf(s Str) (Key, error) {
	c := h.cell(s)
	if c.flags&(cellAtom|cellNotIndex) == cellAtom|cellNotIndex {
		return Key(s), nil
	}
	if c.length <= 10 && c.length > 0 {
		if i, ok := h.arrayIndex(s); ok {
			return IndexKey(i), nil
		}
	}
	a, err := h.Intern(s)
	if err != nil {
		return 0, err
	}
	if e := &h.cells.pages[a>>recordShift]; e.owned {
		e.p[a&recordMask].flags |= cellNotIndex
	}
	return Key(a), nil
}

// KeyOfName returns the property key of a name given as Go string.
func (h *Heap) KeyOfName(name string) (Key, error) {
	s, err := h.Atom(name)
	if err != nil {
		return 0, err
	}
	return h.KeyOf(s)
}

// arrayIndex parses a canonical array index: no leading zeros, below 2**32-1.
func (h *Heap) arrayIndex(s Str) (uint32, bool) {
	b, _, err := h.Units16(s)
	if err != nil || len(b) == 0 || len(b) > 10 || b[0] < '0' || b[0] > '9' || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	var n uint64
	for _, c := range b { //meter: at most 10
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return uint32(n), n < 1<<32-1
}

// NewSymbol makes a symbol; desc is its description or 0.
func (h *Heap) NewSymbol(desc Str) Str {
	return h.newCell(Cell{kind: cellSymbol, a: uint32(desc), hash: h.nextSymbolHash()})
}

// NewPrivateName makes a private name: a symbol that no reflection shows.
func (h *Heap) NewPrivateName(desc Str) Str {
	return h.newCell(Cell{kind: cellSymbol, flags: cellPrivate, a: uint32(desc), hash: h.nextSymbolHash()})
}

func (h *Heap) nextSymbolHash() uint32 {
	h.gc.symbols++
	return max(h.gc.symbols*2654435761, 1)
}

// Description returns a symbol's description, 0 if it has none.
func (h *Heap) Description(s Str) Str { return Str(h.cell(s).a) }

// IsPrivateName reports whether a symbol is a private name.
func (h *Heap) IsPrivateName(s Str) bool { return h.cell(s).flags&cellPrivate != 0 }

// SetRegistered marks a symbol as made by Symbol.for; IsRegistered asks.
func (h *Heap) SetRegistered(s Str)     { h.cellW(s).flags |= cellRegistered }
func (h *Heap) IsRegistered(s Str) bool { return h.cell(s).flags&cellRegistered != 0 }

// IsAtom reports whether s is an interned string.
func (h *Heap) IsAtom(s Str) bool { return h.cell(s).flags&cellAtom != 0 }

// NewBigInt makes a BigInt from its magnitude, least significant limb first,
// without leading zero limbs.
func (h *Heap) NewBigInt(neg bool, limbs []uint64) (Str, error) {
	s, dst, err := h.MakeBigInt(neg, len(limbs))
	copy(dst, limbs)
	return s, err
}

// MakeBigInt makes a BigInt of n limbs, all zero, for the caller to fill: the
// last one must not stay zero.
func (h *Heap) MakeBigInt(neg bool, n int) (Str, []uint64, error) {
	c := Cell{kind: cellBigInt, length: uint32(n)}
	if neg {
		c.flags = cellNegative
	}
	if n == 0 {
		return h.newCell(c), nil, nil
	}
	blk, err := h.NewRaw(n * 8)
	if err != nil {
		return 0, nil, err
	}
	c.a = uint32(blk)
	return h.newCell(c), h.LimbsW(blk)[:n], nil
}

// BigInt returns sign and magnitude of a BigInt; the limbs are a view.
func (h *Heap) BigInt(s Str) (neg bool, limbs []uint64) {
	c := h.cell(s)
	if c.length == 0 {
		return false, nil
	}
	return c.flags&cellNegative != 0, h.Limbs(Block(c.a))[:c.length]
}

// IsSymbolCell reports whether the handle is a symbol's rather than a string's.
func (h *Heap) IsSymbolCell(s Str) bool { return h.cell(s).kind == cellSymbol }
