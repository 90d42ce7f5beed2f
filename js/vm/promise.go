package vm

import "github.com/pinfold-js/pinfold/js/heap"

// A promise's Data is a block of values: its state, its result, its reactions
// (a block of values, promiseReaction each, or Undefined), how many, and
// whether a rejection was handled.
const (
	promiseState = iota
	promiseResult
	promiseReactions
	promiseCount
	promiseHandled
	promiseWords
)

// States of a promise.
const (
	PromisePending = iota
	PromiseFulfilled
	PromiseRejected
)

// reactionKind says what a reaction does when its promise is settled.
type reactionKind int32

const (
	reactThen        reactionKind = iota // call a handler, settle a capability
	reactAwait                           // continue a detached frame
	reactAwaitReturn                     // AsyncGeneratorAwaitReturn
)

// reactionWords: kind, onFulfilled (or the coroutine), onRejected, and the
// capability's promise, resolve and reject.
const reactionWords = 6

// Capability is a PromiseCapability Record (§27.2.1.1). Resolve Undefined means
// that Promise is a native promise which the engine settles itself.
type Capability struct {
	Promise, Resolve, Reject Value
}

// NewPromise makes a pending native promise.
func (m *Machine) NewPromise() Obj {
	return m.newPromiseShape(m.shapes.promise)
}

// NewPromiseFrom makes a pending promise for the Promise constructor.
func (m *Machine) NewPromiseFrom(newTarget Value) (Obj, error) {
	p, err := m.PrototypeFromConstructor(newTarget, PromisePrototype)
	if err != nil {
		return 0, err
	}
	return m.newPromiseShape(m.H.RootShape(p)), nil
}

func (m *Machine) newPromiseShape(shape heap.ShapeID) Obj {
	o := m.H.NewObject(shape, heap.ClassPromise)
	b := m.H.NewSmallValues(promiseWords)
	w := m.H.ValuesW(b)
	w[promiseState], w[promiseResult], w[promiseReactions] = heap.Int(PromisePending), Undefined, Undefined
	w[promiseCount], w[promiseHandled] = heap.Int(0), False
	m.H.ObjW(o).Data = heap.ValuesValue(b)
	return o
}

// IsPromise is IsPromise (§27.2.1.6).
func (m *Machine) IsPromise(v Value) bool {
	return v.IsObject() && m.H.Obj(v.AsObj()).Class == heap.ClassPromise
}

// PromiseStateOf returns a promise's state and result.
func (m *Machine) PromiseStateOf(p Obj) (state int, result Value) {
	w := m.H.Values(m.H.Obj(p).Data.AsBlock())
	return int(w[promiseState].AsInt()), w[promiseResult]
}

// MarkHandled says that somebody looks after a promise's rejection.
func (m *Machine) MarkHandled(p Obj) {
	m.H.SetWord(m.H.Obj(p).Data.AsBlock(), promiseHandled, True)
}

// Unhandled returns the promises that were rejected with nobody to see it.
func (m *Machine) Unhandled() []Obj {
	m.dropHandled()
	return m.rejected
}

// dropHandled takes the promises off the list of rejected ones that have been
// handled since.
func (m *Machine) dropHandled() {
	n := 0
	for _, p := range m.rejected { //meter: half of them at least go, each was charged when it came
		if m.H.Word(m.H.Obj(p).Data.AsBlock(), promiseHandled) == False {
			m.rejected[n] = p
			n++
		}
	}
	m.meter.Shrink(int64(len(m.rejected)-n) * 4)
	m.rejected, m.handled = m.rejected[:n], 0
}

// NewCapability is NewPromiseCapability (§27.2.1.5).
func (m *Machine) NewCapability(c Value) (Capability, error) {
	if c == heap.ObjectValue(m.intrinsics[PromiseConstructor]) {
		return Capability{Promise: heap.ObjectValue(m.NewPromise()), Resolve: Undefined, Reject: Undefined}, nil
	}
	if !m.IsConstructor(c) {
		return Capability{}, m.TypeError("%s is not a constructor", m.Describe(c))
	}
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = Undefined, Undefined
	executor := m.NewNative(m.intrinsics[CapabilityExecutor], heap.ValuesValue(b), 2, 0)
	p, err := m.Construct(c, c, heap.ObjectValue(executor))
	if err != nil {
		return Capability{}, err
	}
	w = m.H.Values(b)
	cap := Capability{Promise: p, Resolve: w[0], Reject: w[1]}
	if !m.IsCallable(cap.Resolve) || !m.IsCallable(cap.Reject) {
		return Capability{}, m.TypeError("Promise resolve or reject function is not callable")
	}
	return cap, nil
}

func capabilityExecutor(m *Machine, c Call) (Value, error) {
	b := m.NativeData(c.Callee).AsBlock()
	w := m.H.Values(b)
	if w[0] != Undefined || w[1] != Undefined {
		return Undefined, m.TypeError("Promise executor has already been invoked with non-undefined arguments")
	}
	m.H.SetWord(b, 0, c.Arg(0))
	m.H.SetWord(b, 1, c.Arg(1))
	return Undefined, nil
}

// ResolveCapability and RejectCapability settle a capability's promise.
func (m *Machine) ResolveCapability(c Capability, v Value) error {
	if c.Promise == Undefined {
		return nil
	}
	if c.Resolve == Undefined {
		return m.ResolvePromise(c.Promise.AsObj(), v)
	}
	_, err := m.Call(c.Resolve, Undefined, v)
	return err
}

func (m *Machine) RejectCapability(c Capability, v Value) error {
	if c.Promise == Undefined {
		return nil
	}
	if c.Resolve == Undefined {
		m.RejectPromise(c.Promise.AsObj(), v)
		return nil
	}
	_, err := m.Call(c.Reject, Undefined, v)
	return err
}

// CreateResolvingFunctions is CreateResolvingFunctions (§27.2.1.3).
func (m *Machine) CreateResolvingFunctions(p Obj) (resolve, reject Value) {
	b := m.H.NewSmallValues(2)
	w := m.H.ValuesW(b)
	w[0], w[1] = heap.ObjectValue(p), False
	data := heap.ValuesValue(b)
	return heap.ObjectValue(m.NewNative(m.intrinsics[PromiseResolver], data, 1, 0)),
		heap.ObjectValue(m.NewNative(m.intrinsics[PromiseRejecter], data, 1, 0))
}

func promiseResolver(m *Machine, c Call) (Value, error) {
	b := m.NativeData(c.Callee).AsBlock()
	if m.H.Word(b, 1) == True {
		return Undefined, nil
	}
	m.H.SetWord(b, 1, True)
	return Undefined, m.ResolvePromise(m.H.Word(b, 0).AsObj(), c.Arg(0))
}

func promiseRejecter(m *Machine, c Call) (Value, error) {
	b := m.NativeData(c.Callee).AsBlock()
	if m.H.Word(b, 1) == True {
		return Undefined, nil
	}
	m.H.SetWord(b, 1, True)
	m.RejectPromise(m.H.Word(b, 0).AsObj(), c.Arg(0))
	return Undefined, nil
}

// ResolvePromise is what a promise's resolve function does (§27.2.1.3.2). The
// error can only be one that ends the run.
func (m *Machine) ResolvePromise(p Obj, v Value) error {
	if v == heap.ObjectValue(p) {
		e, err := m.NewError(TypeErrorPrototype, "Chaining cycle detected for promise #<Promise>")
		if err != nil {
			return err
		}
		m.RejectPromise(p, e)
		return nil
	}
	if !v.IsObject() {
		m.fulfillPromise(p, v)
		return nil
	}
	m.noGC++
	then, err := m.Get(v.AsObj(), m.N.Then)
	m.noGC--
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		m.RejectPromise(p, exc)
		return nil
	}
	if !m.IsCallable(then) {
		m.fulfillPromise(p, v)
		return nil
	}
	m.enqueue(job{kind: jobThenable, v: [6]Value{heap.ObjectValue(p), v, then}})
	return nil
}

func (m *Machine) fulfillPromise(p Obj, v Value) { m.settle(p, PromiseFulfilled, v) }

// RejectPromise is RejectPromise (§27.2.1.7).
func (m *Machine) RejectPromise(p Obj, reason Value) {
	if m.H.Word(m.H.Obj(p).Data.AsBlock(), promiseHandled) == False {
		if s, _ := m.PromiseStateOf(p); s == PromisePending {
			m.rejected = append(m.rejected, p)
			_ = m.meter.Grow(4) //meter: sticky
			if m.opt.UnhandledRejection != nil {
				m.opt.UnhandledRejection(p, reason, false)
			}
		}
	}
	m.settle(p, PromiseRejected, reason)
}

func (m *Machine) settle(p Obj, state int32, v Value) {
	b := m.H.Obj(p).Data.AsBlock()
	w := m.H.ValuesW(b)
	if w[promiseState] != heap.Int(PromisePending) {
		return
	}
	if m.tracer != nil {
		m.tracer.settled(p, state, v)
	}
	reactions, n := w[promiseReactions], int(w[promiseCount].AsInt())
	w[promiseState], w[promiseResult] = heap.Int(state), v
	w[promiseReactions], w[promiseCount] = Undefined, heap.Int(0)
	for i := range n { //meter: one job each, charged when queued
		r := m.H.Values(reactions.AsBlock())[i*reactionWords:]
		m.enqueueReaction(r[:reactionWords], state == PromiseRejected, v)
	}
}

// enqueueReaction queues the job of a reaction: v is kind, handler or
// coroutine, argument, capability.
func (m *Machine) enqueueReaction(r []Value, reject bool, arg Value) {
	handler := r[1]
	if reject && reactionKind(r[0].AsInt()) == reactThen {
		handler = r[2]
	}
	m.enqueue(job{kind: jobReaction, reject: reject, v: [6]Value{r[0], handler, arg, r[3], r[4], r[5]}})
}

// PerformThen is PerformPromiseThen (§27.2.5.4.1). Handlers that are not
// callable are Undefined.
func (m *Machine) PerformThen(p Obj, onFulfilled, onRejected Value, c Capability) error {
	if !m.IsCallable(onFulfilled) {
		onFulfilled = Undefined
	}
	if !m.IsCallable(onRejected) {
		onRejected = Undefined
	}
	return m.react(p, [reactionWords]Value{heap.Int(int32(reactThen)), onFulfilled, onRejected, c.Promise, c.Resolve, c.Reject})
}

// react adds a reaction to a promise, or queues its job at once.
func (m *Machine) react(p Obj, r [reactionWords]Value) error {
	b := m.H.Obj(p).Data.AsBlock()
	w := m.H.Values(b)
	switch w[promiseState].AsInt() {
	case PromisePending:
		n := int(w[promiseCount].AsInt())
		list := w[promiseReactions]
		if list == Undefined || m.H.BlockSize(list.AsBlock()) < (n+1)*reactionWords {
			nb, err := m.H.NewValues((n + 1 + n/2) * reactionWords)
			if err != nil {
				return err
			}
			if list != Undefined {
				copy(m.H.ValuesW(nb), m.H.Values(list.AsBlock())[:n*reactionWords])
			}
			list = heap.ValuesValue(nb)
		}
		copy(m.H.ValuesW(list.AsBlock())[n*reactionWords:], r[:])
		w = m.H.ValuesW(b)
		w[promiseReactions], w[promiseCount] = list, heap.Int(int32(n+1))
	case PromiseFulfilled:
		m.enqueueReaction(r[:], false, w[promiseResult])
	default:
		if w[promiseHandled] == False {
			m.forgetRejection(p, w[promiseResult])
		}
		m.enqueueReaction(r[:], true, m.H.Word(b, promiseResult))
	}
	m.H.SetWord(b, promiseHandled, True)
	return nil
}

// forgetRejection takes a promise off the list of unhandled rejections.
func (m *Machine) forgetRejection(p Obj, reason Value) {
	m.H.SetWord(m.H.Obj(p).Data.AsBlock(), promiseHandled, True)
	if m.handled++; m.handled > 16 && m.handled*2 > len(m.rejected) {
		m.dropHandled()
	}
	if m.opt.UnhandledRejection != nil {
		m.opt.UnhandledRejection(p, reason, true)
	}
}

// runReaction is the job of a settled promise's reaction.
func (m *Machine) runReaction(j *job) error {
	switch reactionKind(j.v[0].AsInt()) {
	case reactAwait:
		mode := ResumeNext
		if j.reject {
			mode = ResumeThrow
		}
		return m.resumeCoroutine(j.v[1].AsObj(), mode, j.v[2])
	case reactAwaitReturn:
		return m.asyncGenReturned(j.v[1].AsObj(), j.reject, j.v[2])
	}
	c := Capability{Promise: j.v[3], Resolve: j.v[4], Reject: j.v[5]}
	v, reject := j.v[2], j.reject
	if j.v[1] != Undefined {
		r, err := m.CallRooted(j.v[1], Undefined, v)
		v, reject = r, false
		if err != nil {
			exc, ok := m.Caught(err)
			if !ok {
				return err
			}
			v, reject = exc, true
		}
	}
	if reject {
		return m.RejectCapability(c, v)
	}
	return m.ResolveCapability(c, v)
}

// PromiseResolve is PromiseResolve (§27.2.4.7.1): v itself when it is a promise
// that c made.
func (m *Machine) PromiseResolve(c, v Value) (Value, error) {
	if m.IsPromise(v) {
		k, err := m.Get(v.AsObj(), m.N.Constructor)
		if err != nil {
			return Undefined, err
		}
		if k == c {
			return v, nil
		}
	}
	cap, err := m.NewCapability(c)
	if err != nil {
		return Undefined, err
	}
	return cap.Promise, m.ResolveCapability(cap, v)
}

// setupPromises makes the functions that promises are settled through.
func (b *Builder) setupPromises() {
	b.Set(PromiseResolver, b.Func("", 1, promiseResolver))
	b.Set(PromiseRejecter, b.Func("", 1, promiseRejecter))
	b.Set(CapabilityExecutor, b.Func("", 2, capabilityExecutor))
}
