package heap

// Ordered hash tables: what Map, Set and the weak collections are made of.
//
// A table is a block of values. Words 0 to 3 are the live entries, the entries
// in use counting deleted ones, the number of buckets, and the sequence number
// of the next entry. Then come the buckets (the position + 1 of the first entry
// of each chain), then the entries: key, value, position + 1 of the next in the
// chain, sequence number. Entries are in insertion order; a deleted one has the
// key Empty. An iterator remembers a sequence number, so that it survives
// deletions, growth and compaction without being registered anywhere.
const (
	tabLive = iota
	tabUsed
	tabBuckets
	tabSeq
	tabHeader

	tabEntry = 4
)

// NewTable makes an empty table with room for n entries.
func (h *Heap) NewTable(n int) (Block, error) {
	buckets := 4
	for buckets < n { //meter: at most 32 steps
		buckets *= 2
	}
	b, err := h.NewValues(tabHeader + buckets + buckets*tabEntry)
	if err != nil {
		return 0, err
	}
	w := h.ValuesW(b)
	w[tabLive], w[tabUsed], w[tabBuckets], w[tabSeq] = Int(0), Int(0), Int(int32(buckets)), Int(0)
	for i := range buckets { //meter: as large as the block that was charged
		w[tabHeader+i] = Int(0)
	}
	return b, nil
}

// TableLen returns the number of live entries.
func (h *Heap) TableLen(b Block) int { return int(h.Word(b, tabLive).AsInt()) }

// NormalizeKey turns a value into the form that a table compares by identity
// of bits: numbers that are equal become the same word (-0 becomes +0), and
// strings and BigInts are compared by content through their hash.
func NormalizeKey(v Value) Value {
	if v.IsDouble() {
		return Number(v.AsDouble() + 0)
	}
	return v
}

// HashValue hashes a normalised key.
func (h *Heap) HashValue(v Value) (uint32, error) {
	switch v.tag() {
	case tagString:
		return h.Hash(v.AsStr())
	case tagSymbol:
		return h.cell(v.AsStr()).hash, nil
	case tagBigInt:
		neg, limbs := h.BigInt(v.AsStr())
		if h.meter != nil && len(limbs) > 8 {
			if err := h.meter.Charge(int64(len(limbs) / 8)); err != nil {
				return 0, err
			}
		}
		x := uint32(hashSeed)
		if neg {
			x++
		}
		for _, l := range limbs { //meter: charged above
			x = (x ^ uint32(l)) * hashPrime
			x = (x ^ uint32(l>>32)) * hashPrime
		}
		return x, nil
	}
	x := uint64(v) * 0x9E3779B97F4A7C15
	return uint32(x >> 32), nil
}

func (h *Heap) sameKey(a, b Value) (bool, error) {
	if a == b {
		return true, nil
	}
	switch {
	case a.IsString() && b.IsString():
		return h.StringEqual(a.AsStr(), b.AsStr())
	case a.IsBigInt() && b.IsBigInt():
		return h.BigIntEqual(a.AsStr(), b.AsStr())
	}
	return false, nil
}

// BigIntEqual compares two BigInts.
func (h *Heap) BigIntEqual(a, b Str) (bool, error) {
	na, la := h.BigInt(a)
	nb, lb := h.BigInt(b)
	if na != nb || len(la) != len(lb) {
		return false, nil
	}
	if h.meter != nil && len(la) > 8 {
		if err := h.meter.Charge(int64(len(la) / 8)); err != nil {
			return false, err
		}
	}
	for i := range la { //meter: charged above
		if la[i] != lb[i] {
			return false, nil
		}
	}
	return true, nil
}

// TableFind returns the position of a normalised key in b, or -1.
func (h *Heap) TableFind(b Block, key Value) (int, error) {
	hash, err := h.HashValue(key)
	if err != nil {
		return -1, err
	}
	w := h.Values(b)
	buckets := int(w[tabBuckets].AsInt())
	p := int(w[tabHeader+int(hash)&(buckets-1)].AsInt())
	for steps := 0; p != 0; steps++ {
		if steps&63 == 63 && h.meter != nil {
			// An adversary can make keys collide.
			if err := h.meter.Charge(64); err != nil {
				return -1, err
			}
		}
		at := tabHeader + buckets + (p-1)*tabEntry
		k := w[at]
		if k == key {
			return p - 1, nil
		}
		if k.tag() == key.tag() && (k.IsString() || k.IsBigInt()) {
			same, err := h.sameKey(k, key)
			if err != nil {
				return -1, err
			}
			if same {
				return p - 1, nil
			}
			w = h.Values(b)
		}
		p = int(w[at+2].AsInt())
	}
	return -1, nil
}

// TableEntry returns key and value of the entry at a position; the key is
// Empty for a deleted one.
func (h *Heap) TableEntry(b Block, pos int) (key, val Value) {
	w := h.Values(b)
	at := tabHeader + int(w[tabBuckets].AsInt()) + pos*tabEntry
	return w[at], w[at+1]
}

// SetTableValue changes the value of the entry at a position.
func (h *Heap) SetTableValue(b Block, pos int, val Value) {
	w := h.ValuesW(b)
	w[tabHeader+int(w[tabBuckets].AsInt())+pos*tabEntry+1] = val
}

// TableAdd adds a normalised key that b doesn't have. It returns the table,
// which is another block when b had to grow.
func (h *Heap) TableAdd(b Block, key, val Value) (Block, error) {
	hash, err := h.HashValue(key)
	if err != nil {
		return b, err
	}
	w := h.ValuesW(b)
	buckets := int(w[tabBuckets].AsInt())
	used := int(w[tabUsed].AsInt())
	if used == buckets {
		nb, err := h.rehashTable(b)
		if err != nil {
			return b, err
		}
		b = nb
		w = h.ValuesW(b)
		buckets = int(w[tabBuckets].AsInt())
		used = int(w[tabUsed].AsInt())
	}
	seq := w[tabSeq]
	tableLink(w, buckets, used, hash, key, val, seq)
	w[tabLive] = Int(w[tabLive].AsInt() + 1)
	w[tabUsed] = Int(int32(used + 1))
	w[tabSeq] = Number(seq.AsFloat() + 1)
	return b, nil
}

func tableLink(w []Value, buckets, pos int, hash uint32, key, val, seq Value) {
	at := tabHeader + buckets + pos*tabEntry
	bucket := tabHeader + int(hash)&(buckets-1)
	w[at], w[at+1], w[at+2], w[at+3] = key, val, w[bucket], seq
	w[bucket] = Int(int32(pos + 1))
}

// rehashTable copies the live entries into a new block: larger when more than
// half are alive, else the same size.
func (h *Heap) rehashTable(b Block) (Block, error) {
	old := h.Values(b)
	live := int(old[tabLive].AsInt())
	buckets := int(old[tabBuckets].AsInt())
	used := int(old[tabUsed].AsInt())
	if h.meter != nil {
		if err := h.meter.Charge(int64(used)); err != nil {
			return b, err
		}
	}
	n := buckets
	if live*2 > buckets {
		n = buckets * 2
	}
	nb, err := h.NewTable(n)
	if err != nil {
		return b, err
	}
	w := h.ValuesW(nb)
	old = h.Values(b)
	nbuckets := int(w[tabBuckets].AsInt())
	pos := 0
	for i := range used { //meter: charged above
		if err := h.pollAt(i); err != nil {
			return b, err
		}
		at := tabHeader + buckets + i*tabEntry
		if old[at] == Empty {
			continue
		}
		hash, err := h.HashValue(old[at])
		if err != nil {
			return b, err
		}
		tableLink(w, nbuckets, pos, hash, old[at], old[at+1], old[at+3])
		pos++
	}
	w[tabLive], w[tabUsed], w[tabSeq] = Int(int32(pos)), Int(int32(pos)), old[tabSeq]
	h.freeLarge(b)
	return nb, nil
}

// TableDelete removes the entry at a position, which the key was found at.
func (h *Heap) TableDelete(b Block, pos int) error {
	w := h.ValuesW(b)
	buckets := int(w[tabBuckets].AsInt())
	at := tabHeader + buckets + pos*tabEntry
	hash, err := h.HashValue(w[at])
	if err != nil {
		return err
	}
	w = h.ValuesW(b)
	// Unlink from the chain, so that chains hold live entries only.
	link := tabHeader + int(hash)&(buckets-1)
	for steps := 0; w[link].AsInt() != int32(pos+1); steps++ {
		if steps&63 == 63 && h.meter != nil {
			if err := h.meter.Charge(64); err != nil {
				return err
			}
		}
		link = tabHeader + buckets + int(w[link].AsInt()-1)*tabEntry + 2
	}
	w[link] = w[at+2]
	w[at], w[at+1] = Empty, Undefined
	w[tabLive] = Int(w[tabLive].AsInt() - 1)
	return nil
}

// ClearTable removes all entries; iterators in progress see those added later.
// It returns the table, which is another block when b was large.
func (h *Heap) ClearTable(b Block) (Block, error) {
	nb, err := h.NewTable(0)
	if err != nil {
		return b, err
	}
	h.SetWord(nb, tabSeq, h.Word(b, tabSeq))
	h.freeLarge(b)
	return nb, nil
}

// TableNext returns the first live entry whose sequence number is at least
// seq, and the sequence number to go on from. ok is false at the end.
func (h *Heap) TableNext(b Block, seq float64) (key, val Value, next float64, ok bool, err error) {
	w := h.Values(b)
	buckets := int(w[tabBuckets].AsInt())
	used := int(w[tabUsed].AsInt())
	base := tabHeader + buckets
	if used == 0 || w[base+(used-1)*tabEntry+3].AsFloat() < seq {
		return 0, 0, seq, false, nil
	}
	// Sequence numbers ascend without gaps until the first compaction: guess,
	// then search.
	lo := 0
	if first := w[base+3].AsFloat(); seq > first {
		if p := int(seq - first); p < used && w[base+p*tabEntry+3].AsFloat() == seq {
			lo = p
		} else {
			hi := used
			for lo < hi { //meter: at most 32 steps
				mid := (lo + hi) / 2
				if w[base+mid*tabEntry+3].AsFloat() < seq {
					lo = mid + 1
				} else {
					hi = mid
				}
			}
		}
	}
	for steps := 0; lo < used; lo++ {
		if steps++; steps&63 == 0 && h.meter != nil {
			if err := h.meter.Charge(64); err != nil {
				return 0, 0, seq, false, err
			}
		}
		at := base + lo*tabEntry
		if w[at] != Empty {
			return w[at], w[at+1], w[at+3].AsFloat() + 1, true, nil
		}
	}
	return 0, 0, w[base+(used-1)*tabEntry+3].AsFloat() + 1, false, nil
}
