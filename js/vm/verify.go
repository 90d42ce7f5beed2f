package vm

// Verify checks the machine's heap, see heap.Verify. It is for tests, and for
// machines that run no script at the time.
func (m *Machine) Verify() error { return m.H.Verify(m.markRoots) }
