package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// DisposableStack and AsyncDisposableStack of explicit resource management
// (ES2026).
//
// A stack is an object of class Disposable; Length says whether it is an
// async one. Its Data is a block of values: whether it was disposed, and an
// array of resources, each of them three elements: what to do (a resourceKind),
// a value, and a function.
const (
	stackDisposed = iota
	stackList
	stackWords
)

// resourceKind says how a resource is disposed of.
type resourceKind int32

const (
	resourceMethod resourceKind = iota // call the function on the value
	resourceDefer                      // call the function without arguments
	resourceAdopt                      // call the function with the value
	resourceSync                       // async stacks: call a @@dispose method, ignore what it gives
	resourceNone                       // async stacks: null or undefined, which is only awaited
	resourceWords  = 3
)

func setupDisposable(b *vm.Builder) {
	objProto := b.Intrinsic(vm.ObjectPrototype)
	p := b.Set(vm.DisposableStackPrototype, b.Object(objProto))
	c := b.Set(vm.DisposableStackConstructor, b.Ctor("DisposableStack", 0, stackConstructor("DisposableStack", vm.DisposableStackPrototype, 0), p, 0))
	b.GlobalObj("DisposableStack", c)
	stackMethods(b, p, 0)
	d := b.Method(p, "dispose", 0, stackDispose)
	b.Prop(p, "@@dispose", heap.ObjectValue(d), heap.HiddenAttrs)
	b.Tag(p, "DisposableStack")

	p = b.Set(vm.AsyncDisposableStackPrototype, b.Object(objProto))
	c = b.Set(vm.AsyncDisposableStackConstructor, b.Ctor("AsyncDisposableStack", 0, stackConstructor("AsyncDisposableStack", vm.AsyncDisposableStackPrototype, 1), p, 0))
	b.GlobalObj("AsyncDisposableStack", c)
	stackMethods(b, p, 1)
	d = b.Method(p, "disposeAsync", 0, stackDisposeAsync)
	// The function that goes on after a disposer was awaited; disposeAsync
	// makes copies of it.
	b.H.ObjW(d).Data = heap.ObjectValue(b.Func("", 1, stackAwaited))
	b.Prop(p, "@@asyncDispose", heap.ObjectValue(d), heap.HiddenAttrs)
	b.Tag(p, "AsyncDisposableStack")
}

var stackNames = [2]string{"DisposableStack", "AsyncDisposableStack"}

func stackConstructor(name string, proto vm.Intrinsic, async uint32) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if c.NewTarget == vm.Undefined {
			return vm.Undefined, m.TypeError("Constructor %s requires 'new'", name)
		}
		p, err := m.PrototypeFromConstructor(c.NewTarget, proto)
		if err != nil {
			return vm.Undefined, err
		}
		return newStack(m, p, async)
	}
}

func newStack(m *vm.Machine, proto vm.Obj, async uint32) (vm.Value, error) {
	list, err := m.NewArray(nil)
	if err != nil {
		return vm.Undefined, err
	}
	b := m.H.NewSmallValues(stackWords)
	w := m.H.ValuesW(b)
	w[stackDisposed], w[stackList] = vm.False, heap.ObjectValue(list)
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassDisposable)
	r := m.H.ObjW(o)
	r.Length, r.Data = async, heap.ValuesValue(b)
	return heap.ObjectValue(o), nil
}

// thisStack returns the block of a method's this value.
func thisStack(m *vm.Machine, c vm.Call, async uint32, method string) (heap.Block, error) {
	if c.This.IsObject() {
		if rec := m.H.Obj(c.This.AsObj()); rec.Class == heap.ClassDisposable && rec.Length == async {
			return rec.Data.AsBlock(), nil
		}
	}
	return 0, m.TypeError("Method %s.prototype.%s called on incompatible receiver %s", stackNames[async], method, m.Describe(c.This))
}

// openStack is thisStack for the methods that need one not disposed of.
func openStack(m *vm.Machine, c vm.Call, async uint32, method string) (heap.Block, error) {
	b, err := thisStack(m, c, async, method)
	if err == nil && m.H.Word(b, stackDisposed) == vm.True {
		err = m.ReferenceError("Cannot call %s.prototype.%s on an already-disposed DisposableStack", stackNames[async], method)
	}
	return b, err
}

func pushResource(m *vm.Machine, b heap.Block, kind resourceKind, v, f vm.Value) error {
	list := m.H.Word(b, stackList).AsObj()
	for _, x := range [resourceWords]vm.Value{heap.Int(int32(kind)), v, f} { //meter: fixed
		if err := m.H.Push(list, x); err != nil {
			return err
		}
	}
	return m.Charge(1)
}

// stackMethods defines the methods that both kinds of stacks have.
func stackMethods(b *vm.Builder, p vm.Obj, async uint32) {
	b.Method(p, "adopt", 2, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := openStack(m, c, async, "adopt")
		if err != nil {
			return vm.Undefined, err
		}
		if !m.IsCallable(c.Arg(1)) {
			return vm.Undefined, m.TypeError("%s is not a function", m.Describe(c.Arg(1)))
		}
		return c.Arg(0), pushResource(m, s, resourceAdopt, c.Arg(0), c.Arg(1))
	})
	b.Method(p, "defer", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := openStack(m, c, async, "defer")
		if err != nil {
			return vm.Undefined, err
		}
		if !m.IsCallable(c.Arg(0)) {
			return vm.Undefined, m.TypeError("%s is not a function", m.Describe(c.Arg(0)))
		}
		return vm.Undefined, pushResource(m, s, resourceDefer, vm.Undefined, c.Arg(0))
	})
	b.Getter(p, "disposed", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := thisStack(m, c, async, "disposed")
		if err != nil {
			return vm.Undefined, err
		}
		return m.H.Word(s, stackDisposed), nil
	}, nil)
	b.Method(p, "move", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := openStack(m, c, async, "move")
		if err != nil {
			return vm.Undefined, err
		}
		proto := vm.DisposableStackPrototype
		if async == 1 {
			proto = vm.AsyncDisposableStackPrototype
		}
		v, err := newStack(m, m.Intrinsic(proto), async)
		if err != nil {
			return vm.Undefined, err
		}
		to := m.H.Obj(v.AsObj()).Data.AsBlock()
		list, empty := m.H.Word(s, stackList), m.H.Word(to, stackList)
		m.H.SetWord(to, stackList, list)
		m.H.SetWord(s, stackList, empty)
		m.H.SetWord(s, stackDisposed, vm.True)
		return v, nil
	})
	b.Method(p, "use", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := openStack(m, c, async, "use")
		if err != nil {
			return vm.Undefined, err
		}
		return c.Arg(0), useResource(m, s, c.Arg(0), async == 1)
	})
}

// useResource is AddDisposableResource with CreateDisposableResource and
// GetDisposeMethod.
func useResource(m *vm.Machine, s heap.Block, v vm.Value, async bool) error {
	if v.IsNullish() {
		if async {
			return pushResource(m, s, resourceNone, vm.Undefined, vm.Undefined)
		}
		return nil
	}
	if !v.IsObject() {
		return m.TypeError("%s is not an object", m.Describe(v))
	}
	kind, key := resourceMethod, m.N.SymDispose
	if async {
		f, err := m.GetMethod(v, m.N.SymAsyncDispose)
		if err != nil {
			return err
		}
		if f != vm.Undefined {
			return pushResource(m, s, resourceMethod, v, f)
		}
		kind = resourceSync
	}
	f, err := m.GetMethod(v, key)
	if err != nil {
		return err
	}
	if f == vm.Undefined {
		if async {
			key = m.N.SymAsyncDispose
		}
		return m.TypeError("%s is not a function", m.KeyString(key))
	}
	return pushResource(m, s, kind, v, f)
}

// disposeOne runs a resource's disposer.
func disposeOne(m *vm.Machine, kind resourceKind, v, f vm.Value) (vm.Value, error) {
	switch kind {
	case resourceDefer:
		return m.Call(f, vm.Undefined)
	case resourceAdopt:
		return m.Call(f, vm.Undefined, v)
	}
	return m.Call(f, v)
}

// closeStack marks a stack as disposed and takes its resources; first is false
// when that had happened before.
func closeStack(m *vm.Machine, s heap.Block) (list vm.Obj, first bool) {
	if m.H.Word(s, stackDisposed) == vm.True {
		return 0, false
	}
	list = m.H.Word(s, stackList).AsObj()
	m.H.SetWord(s, stackDisposed, vm.True)
	m.H.SetWord(s, stackList, vm.Undefined)
	return list, true
}

// suppress joins the exception of a disposer with the one before it.
func suppress(m *vm.Machine, exc, before vm.Value) (vm.Value, error) {
	if before == vm.Empty {
		return exc, nil
	}
	o := m.AllocError(m.Intrinsic(vm.SuppressedErrorPrototype))
	if err := hideProperty(m, o, m.N.Error, exc); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), hideProperty(m, o, m.N.Suppressed, before)
}

// stackDispose is DisposableStack.prototype.dispose with DisposeResources.
func stackDispose(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := thisStack(m, c, 0, "dispose")
	if err != nil {
		return vm.Undefined, err
	}
	list, first := closeStack(m, s)
	if !first {
		return vm.Undefined, nil
	}
	thrown := vm.Empty
	for i := int(m.H.Obj(list).ElemLen); i > 0; i -= resourceWords {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		e := m.H.Elems(list)[i-resourceWords : i]
		_, err := disposeOne(m, resourceKind(e[0].AsInt()), e[1], e[2])
		if err == nil {
			continue
		}
		exc, ok := m.Caught(err)
		if !ok {
			return vm.Undefined, err
		}
		if thrown, err = suppress(m, exc, thrown); err != nil {
			return vm.Undefined, err
		}
	}
	if thrown != vm.Empty {
		return vm.Undefined, m.Throw(thrown)
	}
	return vm.Undefined, nil
}

// The state of an asynchronous disposal, a block of values.
const (
	disposalList    = iota // the resources not disposed of yet
	disposalPromise        // what disposeAsync returned
	disposalThrown         // the exception until now, or Empty
	disposalNeeds          // a null or undefined resource asks for an await
	disposalAwaited
	disposalWords
)

// stackDisposeAsync is AsyncDisposableStack.prototype.disposeAsync.
func stackDisposeAsync(m *vm.Machine, c vm.Call) (vm.Value, error) {
	p := m.NewPromise()
	v := heap.ObjectValue(p)
	s, err := thisStack(m, c, 1, "disposeAsync")
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return vm.Undefined, err
		}
		m.RejectPromise(p, exc)
		return v, nil
	}
	list, first := closeStack(m, s)
	if !first {
		return v, m.ResolvePromise(p, vm.Undefined)
	}
	b, err := m.H.NewValues(disposalWords)
	if err != nil {
		return vm.Undefined, err
	}
	w := m.H.ValuesW(b)
	w[disposalList], w[disposalPromise] = heap.ObjectValue(list), v
	w[disposalThrown], w[disposalNeeds], w[disposalAwaited] = vm.Empty, vm.False, vm.False
	return v, continueDisposal(m, m.NativeData(c.Callee).AsObj(), b)
}

// continueDisposal is the loop of DisposeResources: it returns when a disposer
// has to be awaited, or settles the promise at the end. template is the
// function that goes on afterwards.
func continueDisposal(m *vm.Machine, template vm.Obj, d heap.Block) error {
	list := m.H.Word(d, disposalList).AsObj()
	for n := m.H.Obj(list).ElemLen; n > 0; n = m.H.Obj(list).ElemLen {
		if err := m.Charge(1); err != nil {
			return err
		}
		e := m.H.Elems(list)[n-resourceWords:]
		kind, v, f := resourceKind(e[0].AsInt()), e[1], e[2]
		w := m.H.ObjW(list)
		w.ElemLen -= resourceWords
		w.Length = w.ElemLen
		if kind == resourceNone {
			m.H.SetWord(d, disposalNeeds, vm.True)
			continue
		}
		r, err := disposeOne(m, kind, v, f)
		if kind == resourceSync {
			p := m.NewPromise()
			if err != nil {
				exc, ok := m.Caught(err)
				if !ok {
					return err
				}
				m.RejectPromise(p, exc)
			} else if err := m.ResolvePromise(p, vm.Undefined); err != nil {
				return err
			}
			r, err = heap.ObjectValue(p), nil
		}
		if err == nil {
			m.H.SetWord(d, disposalAwaited, vm.True)
			if err = awaitDisposer(m, template, d, r); err == nil {
				return nil
			}
		}
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		t, err := suppress(m, exc, m.H.Word(d, disposalThrown))
		if err != nil {
			return err
		}
		m.H.SetWord(d, disposalThrown, t)
	}
	if m.H.Word(d, disposalNeeds) == vm.True && m.H.Word(d, disposalAwaited) == vm.False {
		m.H.SetWord(d, disposalNeeds, vm.False)
		return awaitDisposer(m, template, d, vm.Undefined)
	}
	p := m.H.Word(d, disposalPromise).AsObj()
	if t := m.H.Word(d, disposalThrown); t != vm.Empty {
		m.RejectPromise(p, t)
		return nil
	}
	return m.ResolvePromise(p, vm.Undefined)
}

// awaitDisposer is Await (§27.7.5.3) of v, going on in stackAwaited.
func awaitDisposer(m *vm.Machine, template vm.Obj, d heap.Block, v vm.Value) error {
	p, err := m.PromiseResolve(heap.ObjectValue(m.Intrinsic(vm.PromiseConstructor)), v)
	if err != nil {
		return err
	}
	var f [2]vm.Value
	for i := range f { //meter: fixed
		b := m.H.NewSmallValues(2)
		w := m.H.ValuesW(b)
		w[0], w[1] = heap.ValuesValue(d), heap.Bool(i == 1)
		f[i] = heap.ObjectValue(m.NewNative(template, heap.ValuesValue(b), 1, 0))
	}
	return m.PerformThen(p.AsObj(), f[0], f[1], vm.Capability{Promise: vm.Undefined, Resolve: vm.Undefined, Reject: vm.Undefined})
}

// stackAwaited goes on with a disposal. Its data is a block: the disposal, and
// whether the promise was rejected.
func stackAwaited(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w := m.H.Values(m.NativeData(c.Callee).AsBlock())
	d, rejected := w[0].AsBlock(), w[1] == vm.True
	if rejected {
		t, err := suppress(m, c.Arg(0), m.H.Word(d, disposalThrown))
		if err != nil {
			return vm.Undefined, err
		}
		m.H.SetWord(d, disposalThrown, t)
	}
	return vm.Undefined, continueDisposal(m, c.Callee, d)
}
