package vm

import "github.com/pinfold-js/pinfold/js/heap"

// CollectGarbage collects now, unless some native function on the stack holds
// unrooted values.
func (m *Machine) CollectGarbage() error {
	if m.noGC > 0 {
		return nil
	}
	return m.collect()
}

// SetGlobal defines a writable, hidden property of the global object, as the
// host's own names are.
func (m *Machine) SetGlobal(name string, v Value) error {
	k, err := m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	return m.DefineOrThrow(m.Global(), k, DataDesc(v, heap.HiddenAttrs))
}

// ReleaseFrames forgets everything that was running: a run that a limit has
// ended, so that its reports can still be read.
func (m *Machine) ReleaseFrames() {
	m.frames, m.sp, m.noGC = m.frames[:0], 0, 0
	m.switchRealm(0)
	m.roots = m.roots[:0]
}

// LimitFrames returns the script frames that were running when a limit ended
// the run, innermost first, as many as an error remembers.
func (m *Machine) LimitFrames() []Frame {
	var out []Frame
	for _, at := range m.limitAt { //meter: at most maxStackFrames
		out = append(out, m.frameAt(at.fn, at.pc))
	}
	return out
}
