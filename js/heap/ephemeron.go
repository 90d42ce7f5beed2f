package heap

// Weak collections hold ephemerons: the value of an entry lives as long as its
// key does, and may itself be what keeps another key alive. The entries whose
// key has not been marked yet are indexed by their key, and the value is marked
// when the key is: linear work, whatever the entries' order.

// ephemeron is an entry that waits for its key to be marked.
type ephemeron struct {
	weak uint32 // index in collector.weak
	pos  uint32 // in its table
	next uint32 // in the chain of its bucket, + 1
}

// ephemerons is the index. It takes 16 bytes for an entry that takes 40 in its
// table, and only while a collection marks.
type ephemerons struct {
	buckets []uint32
	list    []ephemeron
}

func ephemeronHash(key Value, n int) int {
	return int(uint64(key)*0x9E3779B97F4A7C15>>33) & (n - 1)
}

// entries returns the table of a weak collection, where its entries begin and
// how many are in use.
func (h *Heap) entries(o Obj) (w []Value, base, used int) {
	w = h.Values(h.Obj(o).Data.AsBlock())
	return w, tabHeader + int(w[tabBuckets].AsInt()), int(w[tabUsed].AsInt())
}

// markEphemerons marks the values of weak collections whose keys are live,
// until nothing new is found.
func (h *Heap) markEphemerons() error {
	defer func() { h.gc.eph = ephemerons{} }()
	for done := 0; done < len(h.gc.weak); { //meter: as often as marking finds more weak collections
		end := len(h.gc.weak)
		for i := done; i < end; i++ { //meter: see MarkValues
			if err := h.poll(); err != nil {
				return err
			}
			h.indexWeak(i)
		}
		done = end
		if err := h.drain(); err != nil { // which may find more weak collections
			return err
		}
	}
	return nil
}

// indexWeak marks the values whose keys are live and indexes the others.
func (h *Heap) indexWeak(i int) {
	w, base, used := h.entries(h.gc.weak[i])
	for p := range used { //meter: see MarkValues
		key, val := w[base+p*tabEntry], w[base+p*tabEntry+1]
		switch {
		case key == Empty || h.Live(val):
		case h.Live(key):
			h.Mark(val)
		default:
			h.gc.eph.add(h, key, ephemeron{weak: uint32(i), pos: uint32(p)})
		}
	}
}

func (e *ephemerons) add(h *Heap, key Value, x ephemeron) {
	if len(e.list) == len(e.buckets) {
		e.buckets = make([]uint32, max(64, 2*len(e.buckets)))
		list := make([]ephemeron, len(e.list), len(e.buckets))
		copy(list, e.list)
		e.list = list
		for i := range e.list { //meter: see MarkValues; doubling
			e.link(h.ephemeronKey(e.list[i]), uint32(i))
		}
	}
	e.list = append(e.list, x)
	e.link(key, uint32(len(e.list)-1))
}

func (e *ephemerons) link(key Value, i uint32) {
	b := &e.buckets[ephemeronHash(key, len(e.buckets))]
	e.list[i].next = *b
	*b = i + 1
}

func (h *Heap) ephemeronKey(x ephemeron) Value {
	w, base, _ := h.entries(h.gc.weak[x.weak])
	return w[base+int(x.pos)*tabEntry]
}

// keyMarked marks the values that waited for a key.
func (h *Heap) keyMarked(key Value) {
	e := &h.gc.eph
	if len(e.list) == 0 {
		return
	}
	for i := e.buckets[ephemeronHash(key, len(e.buckets))]; i != 0; i = e.list[i-1].next { //meter: see MarkValues
		x := e.list[i-1]
		w, base, _ := h.entries(h.gc.weak[x.weak])
		if at := base + int(x.pos)*tabEntry; w[at] == key {
			h.Mark(w[at+1])
		}
	}
}
