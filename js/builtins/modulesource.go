package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupModuleSource makes %AbstractModuleSource% (TC39 proposal "Source Phase
// Imports"), the parent of the classes of module source objects. It has no
// global name.
func setupModuleSource(b *vm.Builder) {
	p := b.Set(vm.AbstractModuleSourcePrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.Set(vm.AbstractModuleSource, b.Ctor("AbstractModuleSource", 0, func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
		return vm.Undefined, m.TypeError("Abstract class AbstractModuleSource not directly constructable")
	}, p, 0))
	b.Getter(p, "@@toStringTag", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if c.This.IsObject() {
			if rec := m.H.Obj(c.This.AsObj()); rec.Class == heap.ClassModuleSource {
				return rec.Data, nil
			}
		}
		return vm.Undefined, nil
	}, nil)
}
