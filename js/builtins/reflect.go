package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupReflect makes the Reflect object (§28.1).
func setupReflect(b *vm.Builder) {
	r := b.Set(vm.ReflectObject, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.GlobalObj("Reflect", r)
	b.Method(r, "defineProperty", 3, reflectDefineProperty)
	b.Method(r, "deleteProperty", 2, reflectDeleteProperty)
	b.Method(r, "apply", 3, reflectApply)
	b.Method(r, "construct", 2, reflectConstruct)
	b.Method(r, "get", 2, reflectGet)
	b.Method(r, "getOwnPropertyDescriptor", 2, reflectGetOwnPropertyDescriptor)
	b.Method(r, "getPrototypeOf", 1, reflectGetPrototypeOf)
	b.Method(r, "has", 2, reflectHas)
	b.Method(r, "isExtensible", 1, reflectIsExtensible)
	b.Method(r, "ownKeys", 1, reflectOwnKeys)
	b.Method(r, "preventExtensions", 1, reflectPreventExtensions)
	b.Method(r, "set", 3, reflectSet)
	b.Method(r, "setPrototypeOf", 2, reflectSetPrototypeOf)
	b.Tag(r, "Reflect")
}

func reflectTarget(m *vm.Machine, c vm.Call, name string) (vm.Obj, error) {
	if v := c.Arg(0); v.IsObject() {
		return v.AsObj(), nil
	}
	return 0, m.TypeError("Reflect.%s called on non-object", name)
}

// reflectTargetKey is what most functions begin with: a target and a key.
func reflectTargetKey(m *vm.Machine, c vm.Call, name string) (vm.Obj, vm.Key, error) {
	o, err := reflectTarget(m, c, name)
	if err != nil {
		return 0, 0, err
	}
	k, err := m.ToKey(c.Arg(1))
	return o, k, err
}

func reflectApply(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f := c.Arg(0)
	if !m.IsCallable(f) {
		return vm.Undefined, m.TypeError("Function.prototype.apply was called on %s, which is %s and not a function", m.Describe(f), aType(m, f))
	}
	args, err := m.ListFromArrayLike(c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	return m.Call(f, c.Arg(1), args...)
}

func reflectConstruct(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, newTarget := c.Arg(0), c.Arg(0)
	if !m.IsConstructor(f) {
		return vm.Undefined, m.TypeError("%s is not a constructor", m.Describe(f))
	}
	if len(c.Args) > 2 {
		if newTarget = c.Args[2]; !m.IsConstructor(newTarget) {
			return vm.Undefined, m.TypeError("%s is not a constructor", m.Describe(newTarget))
		}
	}
	args, err := m.ListFromArrayLike(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	return m.Construct(f, newTarget, args...)
}

func reflectDefineProperty(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, key, err := reflectTargetKey(m, c, "defineProperty")
	if err != nil {
		return vm.Undefined, err
	}
	d, err := m.ToPropertyDescriptor(c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.DefineOwnProperty(o, key, d)
	return heap.Bool(ok), err
}

func reflectDeleteProperty(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, key, err := reflectTargetKey(m, c, "deleteProperty")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.Delete(o, key)
	return heap.Bool(ok), err
}

func reflectGet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, key, err := reflectTargetKey(m, c, "get")
	if err != nil {
		return vm.Undefined, err
	}
	receiver := c.Arg(0)
	if len(c.Args) > 2 {
		receiver = c.Args[2]
	}
	return m.GetWithReceiver(o, key, receiver)
}

func reflectGetOwnPropertyDescriptor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, key, err := reflectTargetKey(m, c, "getOwnPropertyDescriptor")
	if err != nil {
		return vm.Undefined, err
	}
	return ownDescriptor(m, o, key)
}

func reflectGetPrototypeOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := reflectTarget(m, c, "getPrototypeOf")
	if err != nil {
		return vm.Undefined, err
	}
	p, err := m.GetPrototypeOf(o)
	return protoValue(p), err
}

func reflectHas(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, key, err := reflectTargetKey(m, c, "has")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.HasProperty(o, key)
	return heap.Bool(ok), err
}

func reflectIsExtensible(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := reflectTarget(m, c, "isExtensible")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.IsExtensible(o)
	return heap.Bool(ok), err
}

func reflectOwnKeys(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := reflectTarget(m, c, "ownKeys")
	if err != nil {
		return vm.Undefined, err
	}
	keys, err := m.OwnKeys(o)
	if err != nil {
		return vm.Undefined, err
	}
	return keyArray(m, keys, nil)
}

func reflectPreventExtensions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := reflectTarget(m, c, "preventExtensions")
	if err != nil {
		return vm.Undefined, err
	}
	ok, err := m.PreventExtensions(o)
	return heap.Bool(ok), err
}

func reflectSet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, key, err := reflectTargetKey(m, c, "set")
	if err != nil {
		return vm.Undefined, err
	}
	receiver := c.Arg(0)
	if len(c.Args) > 3 {
		receiver = c.Args[3]
	}
	ok, err := m.SetWithReceiver(o, key, c.Arg(2), receiver)
	return heap.Bool(ok), err
}

func reflectSetPrototypeOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := reflectTarget(m, c, "setPrototypeOf")
	if err != nil {
		return vm.Undefined, err
	}
	p, proto := c.Arg(1), vm.Obj(0)
	switch {
	case p.IsObject():
		proto = p.AsObj()
	case p != vm.Null:
		return vm.Undefined, m.TypeError("Object prototype may only be an Object or null: %s", m.Describe(p))
	}
	ok, err := m.SetPrototypeOf(o, proto)
	return heap.Bool(ok), err
}
