package vm

// Lists of keys and arguments, syntax trees and the like live in Go's memory
// while a built-in works. They are charged before they are made and count as
// alive until the native function that made them returns, since script that it
// calls may make more of them, nested as deep as calls may be. What an
// instruction of the interpreter made itself counts until its frames return to
// native code, or to the next safepoint.

// heldApart is the least that is kept count of: less is charged and given back
// at once, and bounded by the nesting.
const heldApart = 8 << 10

// Hold charges n bytes of Go memory that the running native function is about
// to allocate.
func (m *Machine) Hold(n int64) error {
	if err := m.meter.Grow(n); err != nil {
		return err
	}
	if n < heldApart {
		m.meter.Shrink(n)
		return nil
	}
	m.held += n
	return nil
}

// letGo gives back what was held beyond the level at.
func (m *Machine) letGo(at int64) {
	if n := m.held - at; n > 0 {
		m.held = at
		m.meter.Shrink(n)
	}
}
