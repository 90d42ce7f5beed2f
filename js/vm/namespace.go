package vm

import (
	"sort"

	"github.com/pinfold-js/pinfold/js/heap"
)

// Module namespace exotic objects (§10.4.6): Length is the number of the module
// in the run, Data whether it is [[Deferred]].

// Namespace is GetModuleNamespace (§16.2.1.10).
func (m *Machine) Namespace(mod LoadedModule) (Obj, error) { return m.moduleNamespace(mod.r, false) }

// moduleNamespace is GetModuleNamespace (§16.2.1.10) with a phase.
func (m *Machine) moduleNamespace(r *moduleRecord, deferred bool) (Obj, error) {
	to, name := &r.namespace, "Module"
	if deferred {
		to, name = &r.deferred, "Deferred Module"
	}
	if *to != 0 {
		return *to, nil
	}
	if err := m.listExports(r); err != nil {
		return 0, err
	}
	tag, err := m.H.Atom(name)
	if err != nil {
		return 0, err
	}
	o := m.H.NewObject(m.shapes.null, heap.ClassNamespace)
	w := m.H.ObjW(o)
	w.Length, w.Data = uint32(r.index), heap.Bool(deferred)
	w.Flags |= heap.Exotic | heap.NonExtensible
	m.H.AddNamed(o, m.N.SymToStringTag.Name(), heap.StringValue(tag), 0)
	*to = o
	return o, nil
}

// listExports finds the names of a module's namespaces and what they mean.
func (m *Machine) listExports(r *moduleRecord) error {
	if r.listed {
		return nil
	}
	set := map[string]bool{}
	var names []string
	err := m.exportedNames(r, map[*moduleRecord]bool{}, func(n string) {
		if !set[n] {
			set[n] = true
			names = append(names, n)
		}
	})
	if err != nil {
		return err
	}
	type export struct {
		name string
		u    []uint16
		b    binding
	}
	var list []export
	for _, n := range names {
		if err := m.Charge(1 + len(n)); err != nil { // sorting them compares them
			return err
		}
		b, err := m.resolveExport(r, n, nil)
		if err != nil {
			return err
		}
		if b.module != nil {
			list = append(list, export{n, heap.DecodeWTF8(n), b})
		}
	}
	sort.Slice(list, func(i, k int) bool {
		a, b := list[i].u, list[k].u
		for x := 0; x < len(a) && x < len(b); x++ { //meter: charged above
			if a[x] != b[x] {
				return a[x] < b[x]
			}
		}
		return len(a) < len(b)
	})
	keys, bindings := make([]Key, 0, len(list)), make([]binding, 0, len(list))
	for _, e := range list { //meter: charged by source length
		k, err := m.H.KeyOfName(e.name)
		if err != nil {
			return err
		}
		keys, bindings = append(keys, k), append(bindings, e.b)
	}
	r.names, r.bindings, r.listed = keys, bindings, true
	return nil
}

// isDeferred reports whether an object is a deferred namespace, whose
// properties are not looked at without need.
func (m *Machine) isDeferred(o Obj) bool {
	rec := m.H.Obj(o)
	return rec.Class == heap.ClassNamespace && rec.Data == True
}

// symbolLikeKey is IsSymbolLikeNamespaceKey: then is no export of a deferred
// namespace, so that a promise can be resolved with one.
func (m *Machine) symbolLikeKey(o Obj, key Key) bool {
	return key.IsSymbol() || m.H.Obj(o).Data == True && key == m.N.Then
}

// namespaceModule returns the module whose exports a namespace shows, evaluated
// if the namespace is deferred (GetModuleExportsList).
func (m *Machine) namespaceModule(o Obj) (*moduleRecord, error) {
	rec := m.H.Obj(o)
	r := m.modules[rec.Length]
	if rec.Data == True {
		return r, m.evaluateSync(r)
	}
	return r, nil
}

func (r *moduleRecord) export(key Key) (binding, bool) {
	for i, k := range r.names { //meter: exports of one module, by which its callers charge
		if k == key {
			return r.bindings[i], true
		}
	}
	return binding{}, false
}

func (m *Machine) namespaceOwn(o Obj, key Key) (Value, heap.Attrs, bool, error) {
	if m.symbolLikeKey(o, key) {
		return m.ordinaryOwn(o, key)
	}
	r, err := m.namespaceModule(o)
	if err != nil {
		return Undefined, 0, false, err
	}
	if err := m.Charge(len(r.names) / 16); err != nil {
		return Undefined, 0, false, err
	}
	b, ok := r.export(key)
	if !ok {
		return Undefined, 0, false, nil
	}
	v, err := m.readBinding(b)
	if err == nil && v == Empty {
		err = m.ReferenceError("Cannot access '%s' before initialization", m.KeyString(key))
	}
	if err != nil {
		return Undefined, 0, false, err
	}
	return v, heap.Writable | heap.Enumerable, true, nil
}

func (m *Machine) namespaceHas(o Obj, key Key) (bool, error) {
	if m.symbolLikeKey(o, key) {
		_, _, ok, err := m.ordinaryOwn(o, key)
		return ok, err
	}
	r, err := m.namespaceModule(o)
	if err != nil {
		return false, err
	}
	if err := m.Charge(len(r.names) / 16); err != nil {
		return false, err
	}
	_, ok := r.export(key)
	return ok, nil
}

func (m *Machine) namespaceDefine(o Obj, key Key, d Desc) (bool, error) {
	if m.symbolLikeKey(o, key) {
		return m.ordinaryDefine(o, key, d)
	}
	cur, _, ok, err := m.namespaceOwn(o, key)
	if !ok || err != nil {
		return false, err
	}
	if d.IsAccessor() || d.Has&d.Attrs&heap.Configurable != 0 ||
		d.Has&heap.Enumerable != 0 && d.Attrs&heap.Enumerable == 0 ||
		d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
		return false, nil
	}
	if d.Value != Empty {
		return m.SameValue(d.Value, cur)
	}
	return true, nil
}

func (m *Machine) namespaceKeys(o Obj) ([]Key, error) {
	r, err := m.namespaceModule(o)
	if err != nil {
		return nil, err
	}
	names := r.names
	if err := m.ChargeKeys(len(names) + 1); err != nil {
		return nil, err
	}
	keys := make([]Key, 0, len(names)+1)
	var rest []Key
	for _, k := range names { //meter: charged above
		if k.IsIndex() {
			keys = append(keys, k)
		} else {
			rest = append(rest, k)
		}
	}
	keys = append(keys, rest...)
	return append(keys, m.N.SymToStringTag), nil
}
