package vm

import "github.com/pinfold-js/pinfold/js/heap"

// The GlobalSymbolRegistry (§20.4.2.2) is a table from strings to symbols that
// belongs to the run. A registered symbol's description is its key.

// SymbolFor is Symbol.for: the registered symbol of a key, made on first use.
func (m *Machine) SymbolFor(key Str) (Value, error) {
	k, err := m.H.Intern(key)
	if err != nil {
		return Undefined, err
	}
	if m.symbols == 0 {
		if m.symbols, err = m.H.NewTable(4); err != nil {
			return Undefined, err
		}
	}
	pos, err := m.H.TableFind(m.symbols, heap.StringValue(k))
	if err != nil {
		return Undefined, err
	}
	if pos >= 0 {
		_, v := m.H.TableEntry(m.symbols, pos)
		return v, nil
	}
	s := m.H.NewSymbol(k)
	m.H.SetRegistered(s)
	t, err := m.H.TableAdd(m.symbols, heap.StringValue(k), heap.SymbolValue(s))
	m.symbols = t
	return heap.SymbolValue(s), err
}

// SymbolKeyFor is Symbol.keyFor: the key of a registered symbol, or undefined.
func (m *Machine) SymbolKeyFor(s Str) Value {
	if !m.H.IsRegistered(s) {
		return Undefined
	}
	return heap.StringValue(m.H.Description(s))
}
