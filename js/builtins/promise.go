package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupPromise makes the Promise constructor and its prototype (§27.2). What a
// promise is, and how it is settled, belongs to package vm.
func setupPromise(b *vm.Builder) {
	proto := b.Set(vm.PromisePrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := b.Set(vm.PromiseConstructor, b.Ctor("Promise", 1, promiseConstructor, proto, 0))
	b.Method(ctor, "all", 1, promiseCombinator("all", combineAll))
	b.Method(ctor, "allSettled", 1, promiseCombinator("allSettled", combineAllSettled))
	b.Method(ctor, "any", 1, promiseCombinator("any", combineAny))
	b.Method(ctor, "race", 1, promiseCombinator("race", combineRace))
	b.Method(ctor, "allKeyed", 1, promiseKeyed("allKeyed", combineAll))
	b.Method(ctor, "allSettledKeyed", 1, promiseKeyed("allSettledKeyed", combineAllSettled))
	b.Set(vm.PromiseResolveFunction, b.Method(ctor, "resolve", 1, promiseResolve))
	b.Method(ctor, "reject", 1, promiseReject)
	b.Method(ctor, "try", 1, promiseTry)
	b.Method(ctor, "withResolvers", 0, promiseWithResolvers)
	b.Getter(ctor, "@@species", returnThis, nil)

	b.Set(vm.PromiseProtoThen, b.Method(proto, "then", 2, promiseThen))
	b.Method(proto, "catch", 1, promiseCatch)
	b.Method(proto, "finally", 1, promiseFinally)
	b.Tag(proto, "Promise")
	b.GlobalObj("Promise", ctor)

	b.Set(vm.PromiseThenFinally, b.Func("", 1, promiseThenFinally))
	b.Set(vm.PromiseCatchFinally, b.Func("", 1, promiseCatchFinally))
	b.Set(vm.PromiseValueThunk, b.Func("", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		return m.NativeData(c.Callee), nil
	}))
	b.Set(vm.PromiseThrower, b.Func("", 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		return vm.Undefined, m.Throw(m.NativeData(c.Callee))
	}))
	b.Set(vm.PromiseAllElement, b.Func("", 1, combineElement(elementValue)))
	b.Set(vm.PromiseSettledElement, b.Func("", 1, combineElement(elementFulfilled)))
	b.Set(vm.PromiseSettledReason, b.Func("", 1, combineElement(elementRejected)))
	b.Set(vm.PromiseAnyReason, b.Func("", 1, combineElement(elementError)))
}

// promiseConstructor is Promise(executor) (§27.2.3.1).
func promiseConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, m.TypeError("Promise constructor cannot be invoked without 'new'")
	}
	executor := c.Arg(0)
	if !m.IsCallable(executor) {
		return vm.Undefined, m.TypeError("Promise resolver %s is not a function", m.Describe(executor))
	}
	var p vm.Obj
	if c.NewTarget == heap.ObjectValue(c.Callee) {
		p = m.NewPromise()
	} else {
		var err error
		if p, err = m.NewPromiseFrom(c.NewTarget); err != nil {
			return vm.Undefined, err
		}
	}
	resolve, reject := m.CreateResolvingFunctions(p)
	at := m.Root(heap.ObjectValue(p))
	defer m.PopRoots(at)
	m.Root(reject)
	if _, err := m.CallRooted(executor, vm.Undefined, resolve, reject); err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return vm.Undefined, err
		}
		if _, err := m.Call(reject, vm.Undefined, exc); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(p), nil
}

// promiseSpecies is SpeciesConstructor(o, %Promise%) (§7.3.23).
func promiseSpecies(m *vm.Machine, o vm.Obj) (vm.Value, error) {
	def := heap.ObjectValue(m.Intrinsic(vm.PromiseConstructor))
	c, err := m.Get(o, m.N.Constructor)
	if err != nil || c == vm.Undefined {
		return def, err
	}
	if !c.IsObject() {
		return vm.Undefined, m.TypeError("The .constructor property is not an object")
	}
	s, err := m.Get(c.AsObj(), m.N.SymSpecies)
	if err != nil {
		return vm.Undefined, err
	}
	if s.IsNullish() {
		return def, nil
	}
	if !m.IsConstructor(s) {
		return vm.Undefined, m.TypeError("object.constructor[Symbol.species] is not a constructor")
	}
	return s, nil
}

// promiseThen is Promise.prototype.then (§27.2.5.4).
func promiseThen(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !m.IsPromise(c.This) {
		return vm.Undefined, m.TypeError("Method Promise.prototype.then called on incompatible receiver %s", m.Describe(c.This))
	}
	p := c.This.AsObj()
	ctor, err := promiseSpecies(m, p)
	if err != nil {
		return vm.Undefined, err
	}
	result, err := m.NewCapability(ctor)
	if err != nil {
		return vm.Undefined, err
	}
	return result.Promise, m.PerformThen(p, c.Arg(0), c.Arg(1), result)
}

// invokeThen is Invoke(v, "then", «args»).
func invokeThen(m *vm.Machine, v vm.Value, args ...vm.Value) (vm.Value, error) {
	f, err := m.GetV(v, m.N.Then)
	if err != nil {
		return vm.Undefined, err
	}
	if !m.IsCallable(f) {
		return vm.Undefined, m.TypeError("%s is not a function", m.Describe(f))
	}
	return m.Call(f, v, args...)
}

// promiseCatch is Promise.prototype.catch (§27.2.5.1).
func promiseCatch(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return invokeThen(m, c.This, vm.Undefined, c.Arg(0))
}

// promiseFinally is Promise.prototype.finally (§27.2.5.3). The data of its two
// functions is a block: onFinally and the constructor.
func promiseFinally(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("Promise.prototype.finally called on a non-object")
	}
	ctor, err := promiseSpecies(m, c.This.AsObj())
	if err != nil {
		return vm.Undefined, err
	}
	onFinally := c.Arg(0)
	if !m.IsCallable(onFinally) {
		return invokeThen(m, c.This, onFinally, onFinally)
	}
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = onFinally, ctor
	then := m.NewNative(m.Intrinsic(vm.PromiseThenFinally), heap.ValuesValue(b), 1, 0)
	catch := m.NewNative(m.Intrinsic(vm.PromiseCatchFinally), heap.ValuesValue(b), 1, 0)
	return invokeThen(m, c.This, heap.ObjectValue(then), heap.ObjectValue(catch))
}

func promiseThenFinally(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return afterFinally(m, c, vm.PromiseValueThunk)
}

func promiseCatchFinally(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return afterFinally(m, c, vm.PromiseThrower)
}

// afterFinally calls onFinally and, when what it returns is settled, goes on
// with the value or reason it was called with.
func afterFinally(m *vm.Machine, c vm.Call, template vm.Intrinsic) (vm.Value, error) {
	w := m.H.Values(m.NativeData(c.Callee).AsBlock())
	onFinally, ctor := w[0], w[1]
	r, err := m.Call(onFinally, vm.Undefined)
	if err != nil {
		return vm.Undefined, err
	}
	p, err := m.PromiseResolve(ctor, r)
	if err != nil {
		return vm.Undefined, err
	}
	f := m.NewNative(m.Intrinsic(template), c.Arg(0), 0, 0)
	return invokeThen(m, p, heap.ObjectValue(f))
}

// promiseResolve is Promise.resolve (§27.2.4.7).
func promiseResolve(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("PromiseResolve called on non-object")
	}
	return m.PromiseResolve(c.This, c.Arg(0))
}

// promiseReject is Promise.reject (§27.2.4.6).
func promiseReject(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("PromiseReject called on non-object")
	}
	result, err := m.NewCapability(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	return result.Promise, m.RejectCapability(result, c.Arg(0))
}

// rejectWith is IfAbruptRejectPromise (§27.2.1.1.1).
func rejectWith(m *vm.Machine, result vm.Capability, err error) (vm.Value, error) {
	exc, ok := m.Caught(err)
	if !ok {
		return vm.Undefined, err
	}
	return result.Promise, m.RejectCapability(result, exc)
}

// promiseTry is Promise.try (§27.2.4.8).
func promiseTry(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("Promise.try called on non-object")
	}
	result, err := m.NewCapability(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	var args []vm.Value
	if len(c.Args) > 1 {
		args = c.Args[1:]
	}
	v, err := m.Call(c.Arg(0), vm.Undefined, args...)
	if err != nil {
		return rejectWith(m, result, err)
	}
	return result.Promise, m.ResolveCapability(result, v)
}

// openCapability is NewPromiseCapability with functions that script can have:
// the engine makes none for its own promises.
func openCapability(m *vm.Machine, ctor vm.Value) (vm.Capability, error) {
	result, err := m.NewCapability(ctor)
	if err == nil && result.Resolve == vm.Undefined {
		result.Resolve, result.Reject = m.CreateResolvingFunctions(result.Promise.AsObj())
	}
	return result, err
}

// promiseWithResolvers is Promise.withResolvers (§27.2.4.9).
func promiseWithResolvers(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("Promise.withResolvers called on non-object")
	}
	result, err := openCapability(m, c.This)
	if err != nil {
		return vm.Undefined, err
	}
	o := m.NewPlain()
	m.H.AddNamed(o, m.N.Promise.Name(), result.Promise, heap.DefaultAttrs)
	m.H.AddNamed(o, m.N.Resolve.Name(), result.Resolve, heap.DefaultAttrs)
	m.H.AddNamed(o, m.N.Reject.Name(), result.Reject, heap.DefaultAttrs)
	return heap.ObjectValue(o), nil
}
