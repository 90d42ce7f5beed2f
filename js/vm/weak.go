package vm

import "github.com/pinfold-js/pinfold/js/heap"

// KeepAlive is AddToKeptObjects (§9.11): v stays alive until the end of the
// current job.
func (m *Machine) KeepAlive(v Value) {
	n := len(m.kept)
	for i := n - 1; i >= max(0, n-16); i-- { //meter: at most 16
		if m.kept[i] == v {
			return
		}
	}
	if n == cap(m.kept) {
		_ = m.meter.Grow(int64(n+16) * 8) //meter: sticky; the room is kept for later jobs
	}
	m.kept = append(m.kept, v)
}

// CanBeHeldWeakly is CanBeHeldWeakly (§9.14).
func (m *Machine) CanBeHeldWeakly(v Value) bool {
	return v.IsObject() || v.IsSymbol() && !m.H.IsRegistered(v.AsStr())
}

// A FinalizationRegistry's Data is a block of registryWords values, see
// heap.markRegistry: the callback; a block of cells or Undefined; how many of
// the cells are or were in use; whether a cleanup job is queued.
const (
	registryCallback = iota
	registryCells
	registryUsed
	registryQueued
	registryWords
)

// NewRegistryData makes the Data of a FinalizationRegistry.
func (m *Machine) NewRegistryData(callback Value) Value {
	b := m.H.NewSmallValues(registryWords)
	w := m.H.ValuesW(b)
	w[registryCallback], w[registryCells], w[registryUsed], w[registryQueued] = callback, Undefined, heap.Int(0), False
	return heap.ValuesValue(b)
}

// RegisterCell adds a cell {target, held value, token} to a registry; token is
// Undefined when there is none.
func (m *Machine) RegisterCell(registry Obj, target, held, token Value) error {
	d := m.H.Obj(registry).Data.AsBlock()
	used := int(m.H.Word(d, registryUsed).AsInt())
	cells := m.H.Word(d, registryCells)
	if !cells.IsInternal() || (used+1)*3 > m.H.BlockSize(cells.AsBlock()) {
		var err error
		if used, err = m.regrowCells(d, used); err != nil {
			return err
		}
		cells = m.H.Word(d, registryCells)
	}
	w := m.H.ValuesW(cells.AsBlock())[used*3:]
	w[0], w[1], w[2] = target, held, token
	m.H.SetWord(d, registryUsed, heap.Int(int32(used+1)))
	return nil
}

// regrowCells moves the cells in use to a block with room for more and returns
// their number.
func (m *Machine) regrowCells(d heap.Block, used int) (int, error) {
	if err := m.Charge(used); err != nil {
		return 0, err
	}
	live := 0
	var old []Value
	if c := m.H.Word(d, registryCells); c.IsInternal() {
		old = m.H.Values(c.AsBlock())[:used*3]
		for i := 0; i < len(old); i += 3 { //meter: charged above
			if old[i] != Undefined {
				live++
			}
		}
	}
	b, err := m.H.NewValues((live*2 + 2) * 3)
	if err != nil {
		return 0, err
	}
	w := m.H.ValuesW(b)
	n := 0
	for i := 0; i < len(old); i += 3 { //meter: charged above
		if old[i] != Undefined {
			copy(w[n*3:], old[i:i+3])
			n++
		}
	}
	for i := n * 3; i < len(w); i++ { //meter: as large as the block that was charged
		w[i] = Undefined
	}
	m.H.SetWord(d, registryCells, heap.ValuesValue(b))
	m.H.SetWord(d, registryUsed, heap.Int(int32(n)))
	return n, nil
}

// UnregisterCells drops the cells of a registry that have the token.
func (m *Machine) UnregisterCells(registry Obj, token Value) (removed bool, err error) {
	d := m.H.Obj(registry).Data.AsBlock()
	cells := m.H.Word(d, registryCells)
	if !cells.IsInternal() {
		return false, nil
	}
	used := int(m.H.Word(d, registryUsed).AsInt())
	if err := m.Charge(used); err != nil {
		return false, err
	}
	w := m.H.ValuesW(cells.AsBlock())
	for i := 0; i < used*3; i += 3 { //meter: charged above
		if w[i+2] == token && w[i] != Undefined {
			w[i], w[i+1], w[i+2] = Undefined, Undefined, Undefined
			removed = true
		}
	}
	return removed, nil
}

// CleanupRegistry is CleanupFinalizationRegistry (§9.13): the callback is
// called once for each cell whose target died. The caller keeps the registry
// alive.
func (m *Machine) CleanupRegistry(registry Obj) error {
	d := m.H.Obj(registry).Data.AsBlock()
	m.H.SetWord(d, registryQueued, False)
	for i := 0; ; i++ {
		if err := m.Charge(1); err != nil {
			return err
		}
		cells := m.H.Word(d, registryCells)
		if !cells.IsInternal() || i >= int(m.H.Word(d, registryUsed).AsInt()) {
			return nil
		}
		w := m.H.ValuesW(cells.AsBlock())[i*3:]
		if w[0] != Empty {
			continue
		}
		held := w[1]
		w[0], w[1], w[2] = Undefined, Undefined, Undefined
		if _, err := m.CallRooted(m.H.Word(d, registryCallback), Undefined, held); err != nil {
			return err
		}
		if cells != m.H.Word(d, registryCells) {
			i = -1 // the callback registered so much that the cells moved
		}
	}
}

// enqueueCleanup is HostEnqueueFinalizationRegistryCleanupJob (§9.9.4.1),
// called after a collection.
func (m *Machine) enqueueCleanup(o Obj) {
	d := m.H.Obj(o).Data.AsBlock()
	if m.H.Word(d, registryQueued) == True {
		return
	}
	m.H.SetWord(d, registryQueued, True)
	m.enqueue(job{kind: jobCleanup, v: [6]Value{heap.ObjectValue(o)}})
}

// runCleanup is the cleanup job of a registry.
func (m *Machine) runCleanup(o Obj) error {
	at := m.Root(heap.ObjectValue(o))
	defer m.PopRoots(at)
	return m.CleanupRegistry(o)
}
