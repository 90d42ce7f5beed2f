package vm

import (
	"sort"

	"github.com/pinfold-js/pinfold/js/heap"
)

// Module namespace exotic objects (§10.4.6): Length is the number of the module
// in the run.

// Namespace is GetModuleNamespace (§16.2.1.10).
func (m *Machine) Namespace(mod LoadedModule) (Obj, error) {
	r := mod.r
	if r.namespace != 0 {
		return r.namespace, nil
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
		return 0, err
	}
	type export struct {
		name string
		u    []uint16
		b    binding
	}
	var list []export
	for _, n := range names { //meter: charged by source length
		b, err := m.resolveExport(r, n, nil)
		if err != nil {
			return 0, err
		}
		if b.module != nil {
			list = append(list, export{n, heap.DecodeWTF8(n), b})
		}
	}
	sort.Slice(list, func(i, k int) bool {
		a, b := list[i].u, list[k].u
		for x := 0; x < len(a) && x < len(b); x++ { //meter: names of the source text
			if a[x] != b[x] {
				return a[x] < b[x]
			}
		}
		return len(a) < len(b)
	})
	for _, e := range list { //meter: charged by source length
		k, err := m.H.KeyOfName(e.name)
		if err != nil {
			return 0, err
		}
		r.names = append(r.names, k)
		r.bindings = append(r.bindings, e.b)
	}
	o := m.H.NewObject(m.shapes.null, heap.ClassNamespace)
	w := m.H.ObjW(o)
	w.Length = uint32(r.index)
	w.Flags |= heap.Exotic | heap.NonExtensible
	tag, err := m.H.Atom("Module")
	if err != nil {
		return 0, err
	}
	m.H.AddNamed(o, m.N.SymToStringTag.Name(), heap.StringValue(tag), 0)
	r.namespace = o
	return o, nil
}

func (m *Machine) namespaceFind(o Obj, key Key) (binding, bool) {
	r := m.modules[m.H.Obj(o).Length]
	for i, k := range r.names { //meter: exports of one module
		if k == key {
			return r.bindings[i], true
		}
	}
	return binding{}, false
}

func (m *Machine) namespaceOwn(o Obj, key Key) (Value, heap.Attrs, bool, error) {
	if key.IsSymbol() {
		return m.ordinaryOwn(o, key)
	}
	if err := m.Charge(len(m.modules[m.H.Obj(o).Length].names) / 16); err != nil {
		return Undefined, 0, false, err
	}
	b, ok := m.namespaceFind(o, key)
	if !ok {
		return Undefined, 0, false, nil
	}
	attrs := heap.Attrs(heap.Writable | heap.Enumerable)
	if b.slot < 0 {
		ns, err := m.Namespace(LoadedModule{b.module})
		return heap.ObjectValue(ns), attrs, true, err
	}
	v := Empty
	if b.module.env.IsEnv() {
		v = m.H.Word(b.module.env.AsBlock(), b.slot+1)
	}
	if v == Empty {
		return Undefined, 0, false, m.ReferenceError("Cannot access '%s' before initialization", m.KeyString(key))
	}
	return v, attrs, true, nil
}

func (m *Machine) namespaceHas(o Obj, key Key) (bool, error) {
	if key.IsSymbol() {
		_, _, ok, err := m.ordinaryOwn(o, key)
		return ok, err
	}
	_, ok := m.namespaceFind(o, key)
	return ok, nil
}

func (m *Machine) namespaceDefine(o Obj, key Key, d Desc) (bool, error) {
	if key.IsSymbol() {
		return m.ordinaryDefine(o, key, d)
	}
	cur, a, ok, err := m.namespaceOwn(o, key)
	if !ok || err != nil {
		return false, err
	}
	if d.IsAccessor() || d.Has&d.Attrs&heap.Configurable != 0 ||
		d.Has&heap.Enumerable != 0 && d.Attrs&heap.Enumerable == 0 ||
		d.Has&heap.Writable != 0 && d.Attrs&heap.Writable == 0 {
		return false, nil
	}
	_ = a
	if d.Value != Empty {
		return m.SameValue(d.Value, cur)
	}
	return true, nil
}

func (m *Machine) namespaceKeys(o Obj) ([]Key, error) {
	names := m.modules[m.H.Obj(o).Length].names
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
