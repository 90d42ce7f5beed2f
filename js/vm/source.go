package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// FunctionSource returns the source text of a function made by a program; ok
// is false for any other object.
func (m *Machine) FunctionSource(o Obj) (src string, ok bool) {
	rec := m.H.Obj(o)
	if rec.Class != heap.ClassFunction {
		return "", false
	}
	f := m.fnOf(rec)
	src = f.prog.p.Source
	start, end := int(f.fn.Start), int(f.fn.End)
	if start < 0 || start > end || end > len(src) {
		return "", false
	}
	return src[start:end], true
}

// NativeName returns the name that a built-in or host function was made with.
func (m *Machine) NativeName(o Obj) string {
	switch rec := m.H.Obj(o); rec.Class {
	case heap.ClassNative:
		return m.realm.natives[rec.Length].name
	case heap.ClassHostFunction:
		return m.hosts[rec.Length].name
	}
	return ""
}

// IsLegacyFunction reports whether a function is a sloppy one that the function
// keyword or the Function constructor made: the kind that had caller and
// arguments once.
func (m *Machine) IsLegacyFunction(o Obj) bool {
	rec := m.H.Obj(o)
	const modern = bytecode.FlagStrict | bytecode.FlagArrow | bytecode.FlagMethod | bytecode.FlagAsync | bytecode.FlagGenerator | bytecode.FlagClassConstructor
	return rec.Class == heap.ClassFunction && m.fnOf(rec).flags&modern == 0
}
