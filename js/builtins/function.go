package builtins

import (
	"math"
	"strings"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupFunction makes the Function constructor and completes
// %Function.prototype% (§20.2).
func setupFunction(b *vm.Builder) {
	p := b.Intrinsic(vm.FunctionPrototype)
	setupThrowTypeError(b)
	b.MarkApply(b.Method(p, "apply", 2, functionApply))
	b.Method(p, "bind", 1, functionBind)
	b.MarkCall(b.Method(p, "call", 1, functionCall))
	c := b.Set(vm.FunctionConstructor, b.Ctor("Function", 1, dynamicFunction("function"), p, 0))
	b.GlobalObj("Function", c)
	b.Method(p, "toString", 0, functionToString)
	b.Const(p, "@@hasInstance", heap.ObjectValue(b.Func("[Symbol.hasInstance]", 1, functionHasInstance)))
	t := heap.ObjectValue(b.Intrinsic(vm.ThrowTypeError))
	for _, k := range [2]vm.Key{b.N.Caller, b.N.Arguments} {
		b.H.AddNamed(p, k.Name(), b.H.NewPair(t, t), heap.Configurable|heap.Accessor)
	}
}

// setupThrowTypeError makes %ThrowTypeError% (§10.2.4.1): frozen, and its own
// properties can't be changed. As the accessor caller or arguments of a sloppy
// function it answers undefined: other engines have them as own properties of
// such functions, and programs ask for them.
func setupThrowTypeError(b *vm.Builder) {
	f := b.Set(vm.ThrowTypeError, b.Func("", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if c.This.IsObject() && m.IsLegacyFunction(c.This.AsObj()) {
			return vm.Undefined, nil
		}
		return vm.Undefined, m.TypeError("'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them")
	}))
	b.H.SetAttrs(f, b.N.Length.Name(), 0)
	b.H.SetAttrs(f, b.N.Name.Name(), 0)
	b.H.ObjW(f).Flags |= heap.NonExtensible
}

// dynamicFunction is the constructor of one kind of function
// (CreateDynamicFunction, §20.2.1.1).
func dynamicFunction(kind string) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) { return m.CreateDynamicFunction(kind, c) }
}

// functionApply is Function.prototype.apply (§20.2.3.1). The interpreter
// handles its calls itself where it can.
func functionApply(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsCallable(c.This) {
		return vm.Undefined, m.TypeError("Function.prototype.apply was called on %s, which is %s and not a function", m.Describe(c.This), aType(m, c.This))
	}
	if c.Arg(1).IsNullish() {
		return m.Call(c.This, c.Arg(0))
	}
	args, err := m.ListFromArrayLike(c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	return m.Call(c.This, c.Arg(0), args...)
}

// aType is the type of a value with V8's article.
func aType(m *vm.Machine, v vm.Value) string {
	t := m.H.GoString(m.TypeOf(v))
	if v.IsObject() {
		return "an object"
	}
	return "a " + t
}

// functionCall is Function.prototype.call (§20.2.3.3).
func functionCall(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsCallable(c.This) {
		return vm.Undefined, m.TypeError("Function.prototype.call.call is not a function")
	}
	var args []vm.Value
	if len(c.Args) > 1 {
		args = c.Args[1:]
	}
	return m.Call(c.This, c.Arg(0), args...)
}

// functionBind is Function.prototype.bind (§20.2.3.2). The bound function's
// Data is a block {target, this, arguments…}, its Length their number.
func functionBind(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsCallable(c.This) {
		return vm.Undefined, m.TypeError("Bind must be called on a function")
	}
	target := c.This.AsObj()
	var bound []vm.Value
	if len(c.Args) > 1 {
		bound = c.Args[1:]
	}
	if err := m.Charge(len(bound)/8 + 1); err != nil {
		return vm.Undefined, err
	}
	// BoundFunctionCreate (§10.4.1.3).
	proto, err := m.GetPrototypeOf(target)
	if err != nil {
		return vm.Undefined, err
	}
	blk, err := m.H.NewValues(2 + len(bound))
	if err != nil {
		return vm.Undefined, err
	}
	w := m.H.ValuesW(blk)
	w[0], w[1] = c.This, c.Arg(0)
	copy(w[2:], bound)
	f := m.H.NewObject(m.H.RootShape(proto), heap.ClassBound)
	r := m.H.ObjW(f)
	r.Data = heap.ValuesValue(blk)
	r.Length = uint32(len(bound))
	r.Flags |= heap.Callable | m.H.Obj(target).Flags&heap.Constructor

	length := 0.0
	has, err := m.HasOwn(target, m.N.Length)
	if err != nil {
		return vm.Undefined, err
	}
	if has {
		v, err := m.Get(target, m.N.Length)
		if err != nil {
			return vm.Undefined, err
		}
		if v.IsNumber() {
			if length = conv.ToIntegerOrInfinity(v.AsFloat()); !math.IsInf(length, 1) {
				length = max(length-float64(len(bound)), 0)
			}
		}
	}
	m.H.AddNamed(f, m.N.Length.Name(), heap.Number(length), heap.Configurable)
	name, err := m.Get(target, m.N.Name)
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.H.NewString("bound ")
	if err != nil {
		return vm.Undefined, err
	}
	if name.IsString() {
		if s, err = m.H.Concat(s, name.AsStr()); err != nil {
			return vm.Undefined, err
		}
	}
	m.H.AddNamed(f, m.N.Name.Name(), heap.StringValue(s), heap.Configurable)
	return heap.ObjectValue(f), nil
}

// functionToString is Function.prototype.toString (§20.2.3.5).
func functionToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsCallable(c.This) {
		return vm.Undefined, m.TypeError("Function.prototype.toString requires that 'this' be a Function")
	}
	f := c.This.AsObj()
	if src, ok := m.FunctionSource(f); ok {
		if err := m.Charge(len(src) / 64); err != nil {
			return vm.Undefined, err
		}
		return m.NewString(src)
	}
	name := m.NativeName(f)
	if !isNativeName(name) {
		name = ""
	}
	return m.NewString("function " + name + "() { [native code] }")
}

// isNativeName reports whether a name fits the grammar NativeFunction:
// an optional get or set, then an identifier or [Symbol.x].
func isNativeName(s string) bool {
	if t, ok := strings.CutPrefix(s, "get "); ok {
		s = t
	} else if t, ok := strings.CutPrefix(s, "set "); ok {
		s = t
	}
	if t, ok := strings.CutPrefix(s, "[Symbol."); ok && strings.HasSuffix(t, "]") {
		s = t[:len(t)-1]
	}
	for i := range len(s) { //meter: names of built-in functions, made by the host
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// functionHasInstance is Function.prototype[@@hasInstance] (§20.2.3.6).
func functionHasInstance(m *vm.Machine, c vm.Call) (vm.Value, error) {
	ok, err := m.OrdinaryHasInstance(c.This, c.Arg(0))
	return heap.Bool(ok), err
}
