package atom

import (
	"sort"
	"time"
)

// Effects says whether an atom reaches outside of the VM.
type Effects uint8

// The effects.
const (
	Pure Effects = iota
	IO
)

// Input is one declared input. Type is the name of a JSON type ("string",
// "number", "boolean", "array", "object"), or "" for any value; what the whole
// schema says beside it is the atom's own matter.
type Input struct {
	Name     string
	Required bool
	Type     string
}

// Atom describes one operation.
type Atom struct {
	Name   string
	Inputs []Input
	// Open: inputs that aren't declared are taken too.
	Open    bool
	Returns string // type of the value as in Input.Type; "none" for no value
	Cost    float64
	Timeout time.Duration // 0 is none
	Effects Effects
	// OwnInputs: the atom resolves its inputs itself (it takes steps, or
	// programs).
	OwnInputs bool
	// Flow: an operation of the language itself. Programs get it from the
	// statements they write, not by calling it.
	Flow bool
	Docs string
}

// Input returns the declared input of a name, or nil.
func (a *Atom) Input(name string) *Input {
	for i := range a.Inputs {
		if a.Inputs[i].Name == name {
			return &a.Inputs[i]
		}
	}
	return nil
}

// Table is a set of atoms. The zero Table is empty.
type Table struct {
	byName map[string]*Atom
	names  []string
}

// NewTable returns a table of atoms; of two with one name the later counts.
func NewTable(atoms ...Atom) *Table {
	t := &Table{byName: make(map[string]*Atom, len(atoms))}
	for i := range atoms {
		a := atoms[i]
		if t.byName[a.Name] == nil {
			t.names = append(t.names, a.Name)
		}
		t.byName[a.Name] = &a
	}
	sort.Strings(t.names)
	return t
}

// Lookup returns the atom of a name, or nil. A nil Table has none.
func (t *Table) Lookup(name string) *Atom {
	if t == nil {
		return nil
	}
	return t.byName[name]
}

// Names returns the names in order. The slice is not to be written.
func (t *Table) Names() []string {
	if t == nil {
		return nil
	}
	return t.names
}
