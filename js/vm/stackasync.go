package vm

import "github.com/pinfold-js/pinfold/js/heap"

// waiting adds the frames that wait, directly or through promises, for the job
// j that is running. Nothing is recorded for them while a program runs: they
// are found in the reactions of promises. As in V8, a promise that more than
// one reaction waits for ends the search.
func (c *capture) waiting(j *job) {
	m := c.m
	switch j.kind {
	case jobReaction:
		switch reactionKind(j.v[0].AsInt()) {
		case reactAwait, reactAwaitReturn:
			if gen := j.v[1].AsObj(); m.coState(gen) == stateRunning {
				c.follow(m.promiseOfCoroutine(gen))
			}
		default:
			c.follow(j.v[3])
		}
	}
}

// promiseOfCoroutine is the promise that an async function settles, or the one
// of the request that an async generator is at; undefined if there is none.
func (m *Machine) promiseOfCoroutine(gen Obj) Value {
	v := m.coWord(gen, coPromise)
	if m.H.Obj(gen).Class != heap.ClassAsyncGenerator || !v.IsObject() {
		return v
	}
	if q := v.AsObj(); m.H.Obj(q).ElemLen >= requestWords {
		return m.H.Elems(q)[requestWords-1]
	}
	return Undefined
}

// follow goes from a pending promise to what waits for it.
func (c *capture) follow(p Value) {
	m := c.m
	for steps := 0; m.IsPromise(p) && !c.full() && steps < maxFollowed; steps++ { //meter: a fixed number at most
		w := m.H.Values(m.H.Obj(p.AsObj()).Data.AsBlock())
		if w[promiseState] != heap.Int(PromisePending) || w[promiseCount] != heap.Int(1) {
			return
		}
		r := m.H.Values(w[promiseReactions].AsBlock())
		switch reactionKind(r[0].AsInt()) {
		case reactAwait, reactAwaitReturn:
			gen := r[1].AsObj()
			co := m.H.Values(m.H.Obj(gen).Data.AsBlock())
			f := co[coRegs]
			fn := m.funcs[co[coFn].AsNumber()]
			if !f.IsObject() {
				f = heap.NumberValue(uint32(fn.index))
			}
			fn.prog.pinned = true
			c.add(f, co[coRegs+1], int(co[coPC].AsNumber()), traceAsync)
			p = m.promiseOfCoroutine(gen)
		default:
			p = c.followThen(r)
		}
	}
}

// maxFollowed is how many promises of a chain are looked at.
const maxFollowed = 64

// followThen goes on from a reaction that then made: r is its kind, handlers
// and capability.
func (c *capture) followThen(r []Value) Value {
	m := c.m
	if data := m.nativeDataOf(r[1], PromiseAllElement); data != Undefined {
		return c.combinator(data, traceAll)
	}
	if data := m.nativeDataOf(r[1], PromiseSettledElement); data != Undefined {
		return c.combinator(data, traceSettled)
	}
	if data := m.nativeDataOf(r[2], PromiseAnyReason); data != Undefined {
		return c.combinator(data, traceAny)
	}
	if data := m.nativeDataOf(r[1], PromiseResolver); data != Undefined {
		return m.H.Word(data.AsBlock(), 0)
	}
	return r[3]
}

// combinator adds the frame of Promise.all, allSettled or any, whose element
// function has the given data, and returns the promise of its result. The
// layout of the data is promise_combine.go's: the index is word 1, the shared
// state word 2; of that, word 2 resolves the result.
func (c *capture) combinator(data Value, kind traceFlags) Value {
	m := c.m
	w := m.H.Values(data.AsBlock())
	c.add(Undefined, w[1], 0, traceAsync|kind)
	if d := m.nativeDataOf(m.H.Word(w[2].AsBlock(), 2), PromiseResolver); d != Undefined {
		return m.H.Word(d.AsBlock(), 0)
	}
	return Undefined
}

// nativeDataOf returns the data of f if it is a closure of the template t.
func (m *Machine) nativeDataOf(f Value, t Intrinsic) Value {
	if !f.IsObject() {
		return Undefined
	}
	rec := m.H.Obj(f.AsObj())
	if rec.Class != heap.ClassNative || rec.Length != m.H.Obj(m.intrinsics[t]).Length {
		return Undefined
	}
	return rec.Data
}
