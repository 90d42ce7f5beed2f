package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupError makes the error constructors and prototypes (§20.5).
func setupError(b *vm.Builder) {
	b.Set(vm.ErrorStackGetter, b.Func("stack", 0, errorStackGetter))
	b.Set(vm.ErrorStackSetter, b.Func("stack", 1, errorStackSetter))

	p := b.Set(vm.ErrorPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := errorKind(b, "Error", 1, vm.ErrorConstructor, vm.ErrorPrototype, p, 0, errorConstructor(vm.ErrorPrototype))
	b.Method(p, "toString", 0, errorToString)
	b.Method(c, "captureStackTrace", 2, errorCaptureStackTrace)
	b.Method(c, "isError", 1, errorIsError)
	b.Prop(c, "stackTraceLimit", heap.Int(10), heap.DefaultAttrs)

	for _, k := range []struct {
		name        string
		ctor, proto vm.Intrinsic
	}{
		{"EvalError", vm.EvalErrorConstructor, vm.EvalErrorPrototype},
		{"RangeError", vm.RangeErrorConstructor, vm.RangeErrorPrototype},
		{"ReferenceError", vm.ReferenceErrorConstructor, vm.ReferenceErrorPrototype},
		{"SyntaxError", vm.SyntaxErrorConstructor, vm.SyntaxErrorPrototype},
		{"TypeError", vm.TypeErrorConstructor, vm.TypeErrorPrototype},
		{"URIError", vm.URIErrorConstructor, vm.URIErrorPrototype},
	} {
		errorKind(b, k.name, 1, k.ctor, k.proto, b.Object(p), c, errorConstructor(k.proto))
	}
	errorKind(b, "AggregateError", 2, vm.AggregateErrorConstructor, vm.AggregateErrorPrototype, b.Object(p), c, aggregateErrorConstructor)
	errorKind(b, "SuppressedError", 3, vm.SuppressedErrorConstructor, vm.SuppressedErrorPrototype, b.Object(p), c, suppressedErrorConstructor)
}

func errorKind(b *vm.Builder, name string, length int, ctor, proto vm.Intrinsic, p, parent vm.Obj, fn vm.NativeFunc) vm.Obj {
	b.Set(proto, p)
	c := b.Set(ctor, b.Ctor(name, length, fn, p, parent))
	b.GlobalObj(name, c)
	b.Prop(p, "name", b.String(name), heap.HiddenAttrs)
	b.Prop(p, "message", b.String(""), heap.HiddenAttrs)
	return c
}

// errorConstructor is Error(message, options) and its like (§20.5.1.1,
// §20.5.6.1.1).
func errorConstructor(proto vm.Intrinsic) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, err := newErrorObject(m, c, proto, c.Arg(0))
		if err == nil {
			err = installCause(m, o, c.Arg(1))
		}
		return heap.ObjectValue(o), err
	}
}

// newErrorObject makes the object of an error constructor, with its message.
func newErrorObject(m *vm.Machine, c vm.Call, def vm.Intrinsic, message vm.Value) (vm.Obj, error) {
	newTarget := c.NewTarget
	if newTarget == vm.Undefined {
		newTarget = heap.ObjectValue(c.Callee)
	}
	p, err := m.PrototypeFromConstructor(newTarget, def)
	if err != nil {
		return 0, err
	}
	o := m.AllocErrorAbove(p, newTarget)
	if message == vm.Undefined {
		return o, nil
	}
	s, err := m.ToString(message)
	if err != nil {
		return 0, err
	}
	m.H.AddNamed(o, m.N.Message.Name(), heap.StringValue(s), heap.HiddenAttrs)
	return o, nil
}

// installCause is InstallErrorCause (§20.5.8.1).
func installCause(m *vm.Machine, o vm.Obj, options vm.Value) error {
	if !options.IsObject() {
		return nil
	}
	has, err := m.HasProperty(options.AsObj(), m.N.Cause)
	if err != nil || !has {
		return err
	}
	v, err := m.Get(options.AsObj(), m.N.Cause)
	if err != nil {
		return err
	}
	return hideProperty(m, o, m.N.Cause, v)
}

// hideProperty is CreateNonEnumerableDataPropertyOrThrow (§7.3.6) on a fresh
// object.
func hideProperty(m *vm.Machine, o vm.Obj, key vm.Key, v vm.Value) error {
	return m.DefineOrThrow(o, key, vm.DataDesc(v, heap.HiddenAttrs))
}

// aggregateErrorConstructor is AggregateError (§20.5.7.1.1).
func aggregateErrorConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newErrorObject(m, c, vm.AggregateErrorPrototype, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	if err := installCause(m, o, c.Arg(2)); err != nil {
		return vm.Undefined, err
	}
	list, err := m.NewArray(nil)
	if err != nil {
		return vm.Undefined, err
	}
	err = m.Iterate(c.Arg(0), func(v vm.Value) (bool, error) { return false, m.H.Push(list, v) })
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), hideProperty(m, o, m.N.Errors, heap.ObjectValue(list))
}

// suppressedErrorConstructor is SuppressedError (§20.5.8.1 of ES2026).
func suppressedErrorConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newErrorObject(m, c, vm.SuppressedErrorPrototype, c.Arg(2))
	if err != nil {
		return vm.Undefined, err
	}
	if err := hideProperty(m, o, m.N.Error, c.Arg(0)); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), hideProperty(m, o, m.N.Suppressed, c.Arg(1))
}

// errorToString is Error.prototype.toString (§20.5.3.4).
func errorToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("Method Error.prototype.toString called on incompatible receiver %s", m.Describe(c.This))
	}
	o := c.This.AsObj()
	name, err := errorText(m, o, m.N.Name, "Error")
	if err != nil {
		return vm.Undefined, err
	}
	msg, err := errorText(m, o, m.N.Message, "")
	if err != nil {
		return vm.Undefined, err
	}
	switch {
	case m.H.Len(name) == 0:
		return heap.StringValue(msg), nil
	case m.H.Len(msg) == 0:
		return heap.StringValue(name), nil
	}
	sep, err := m.H.NewString(": ")
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.H.Concat(name, sep)
	if err != nil {
		return vm.Undefined, err
	}
	s, err = m.H.Concat(s, msg)
	return heap.StringValue(s), err
}

func errorText(m *vm.Machine, o vm.Obj, key vm.Key, def string) (heap.Str, error) {
	v, err := m.Get(o, key)
	if err != nil {
		return 0, err
	}
	if v == vm.Undefined {
		return m.H.NewString(def)
	}
	return m.ToString(v)
}

func errorIsError(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return heap.Bool(c.Arg(0).IsObject() && m.H.Obj(c.Arg(0).AsObj()).Class == heap.ClassError), nil
}

// errorStackGetter is the getter of stack: the headline and the frames that
// were captured. The frames are those of the error, found along the
// prototypes, or of the object that Error.captureStackTrace bound to a copy of
// this function.
func errorStackGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, nil
	}
	frames := m.NativeData(c.Callee)
	for p := c.This.AsObj(); p != 0 && !frames.IsObject(); p = m.H.Proto(p) {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if m.H.Obj(p).Class == heap.ClassError {
			frames = heap.ObjectValue(p)
		}
	}
	if !frames.IsObject() {
		return vm.Undefined, nil
	}
	return m.StackOf(c.This, frames.AsObj())
}

// errorStackSetter is the setter of stack: an own data property takes the
// accessor's place.
func errorStackSetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, nil
	}
	o := c.This.AsObj()
	own, err := m.HasOwn(o, m.N.Stack)
	if err != nil {
		return vm.Undefined, err
	}
	attrs := heap.DefaultAttrs
	if own {
		attrs = heap.HiddenAttrs
	}
	return vm.Undefined, m.DefineOrThrow(o, m.N.Stack, vm.DataDesc(c.Arg(0), attrs))
}

// errorCaptureStackTrace is V8's Error.captureStackTrace(object, above).
func errorCaptureStackTrace(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.Arg(0).IsObject() {
		return vm.Undefined, m.TypeError("Invalid argument")
	}
	o := c.Arg(0).AsObj()
	above := c.Arg(1)
	if !m.IsCallable(above) {
		above = heap.ObjectValue(c.Callee)
	}
	frames, ok := m.CaptureFrames(above)
	if !ok {
		return vm.Undefined, nil
	}
	if m.H.Obj(o).Class == heap.ClassError {
		m.H.ObjW(o).Data = m.H.Obj(frames).Data
	}
	name := m.N.Stack.Name()
	get := m.NewNative(m.Intrinsic(vm.ErrorStackGetter), heap.ObjectValue(frames), 0, name)
	d := vm.AccessorDesc(heap.ObjectValue(get), heap.ObjectValue(m.Intrinsic(vm.ErrorStackSetter)), heap.Configurable)
	return vm.Undefined, m.DefineOrThrow(o, m.N.Stack, d)
}
