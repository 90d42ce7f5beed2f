package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupBoolean makes the Boolean constructor and its prototype (§20.3).
func setupBoolean(b *vm.Builder) {
	p := b.Set(vm.BooleanPrototype, b.H.NewObject(b.H.RootShape(b.Intrinsic(vm.ObjectPrototype)), heap.ClassBoolean))
	b.H.ObjW(p).Data = vm.False
	c := b.Set(vm.BooleanConstructor, b.Ctor("Boolean", 1, booleanConstructor, p, 0))
	b.GlobalObj("Boolean", c)
	b.Method(p, "toString", 0, booleanToString)
	b.Method(p, "valueOf", 0, booleanValueOf)
}

func booleanConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := heap.Bool(m.ToBoolean(c.Arg(0)))
	if c.NewTarget == vm.Undefined {
		return v, nil
	}
	o, err := m.NewFrom(c.NewTarget, vm.BooleanPrototype, heap.ClassBoolean)
	if err != nil {
		return vm.Undefined, err
	}
	m.H.ObjW(o).Data = v
	return heap.ObjectValue(o), nil
}

// thisBoolean is ThisBooleanValue (§20.3.3.3.1).
func thisBoolean(m *vm.Machine, c vm.Call, method string) (vm.Value, error) {
	if c.This.IsBool() {
		return c.This, nil
	}
	if c.This.IsObject() {
		if rec := m.H.Obj(c.This.AsObj()); rec.Class == heap.ClassBoolean {
			return rec.Data, nil
		}
	}
	return vm.Undefined, m.TypeError("Boolean.prototype.%s requires that 'this' be a Boolean", method)
}

func booleanToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, err := thisBoolean(m, c, "toString")
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.ToString(v)
	return heap.StringValue(s), err
}

func booleanValueOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return thisBoolean(m, c, "valueOf")
}
