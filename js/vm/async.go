package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// await suspends the top frame until v is settled (§27.7.5.3). At an async
// function's first await its promise is made, and is what the caller gets.
func (m *Machine) await(dst uint16, v Value) (Value, error) {
	m.noGC++
	p, err := m.PromiseResolve(heap.ObjectValue(m.intrinsics[PromiseConstructor]), v)
	m.noGC--
	if err != nil {
		return Undefined, err
	}
	fr := &m.frames[len(m.frames)-1]
	result := Undefined
	gen := fr.gen
	if gen == 0 {
		gen = m.H.NewObject(m.shapes.null, heap.ClassHost)
		fr.gen = gen
		promise := m.NewPromise()
		result = heap.ObjectValue(promise)
		if err := m.detach(gen, stateAwait, dst); err != nil {
			return Undefined, err
		}
		m.setCoWord(gen, coPromise, result)
	} else if err := m.detach(gen, stateAwait, dst); err != nil {
		return Undefined, err
	}
	return result, m.react(p.AsObj(), [reactionWords]Value{heap.Int(int32(reactAwait)), heap.ObjectValue(gen), Undefined, Undefined, Undefined, Undefined})
}

// resumeCoroutine continues a frame that awaited, from a job.
func (m *Machine) resumeCoroutine(gen Obj, mode ResumeMode, v Value) error {
	_, err := m.resume(gen, stateAwait, mode, v)
	return err
}

// Async generators (§27.6.3) ---------------------------------------------------
//
// The queue of requests is an array of triples: mode, value, promise.

const requestWords = 3

func (m *Machine) asyncQueue(gen Obj) Obj {
	q := m.coWord(gen, coPromise)
	if q == Undefined {
		q = heap.ObjectValue(m.NewArrayLen(0))
		m.setCoWord(gen, coPromise, q)
	}
	return q.AsObj()
}

// AsyncGeneratorEnqueue is what next, throw and return of an async generator
// do: it queues a request, continues the generator if it is suspended, and
// returns the request's promise.
func (m *Machine) AsyncGeneratorEnqueue(this Value, mode ResumeMode, v Value) (Value, error) {
	p := m.NewPromise()
	result := heap.ObjectValue(p)
	if !this.IsObject() || m.H.Obj(this.AsObj()).Class != heap.ClassAsyncGenerator {
		e, err := m.NewError(TypeErrorPrototype, "Method [AsyncGenerator].prototype."+[...]string{"next", "throw", "return"}[mode]+" called on incompatible receiver "+m.Describe(this))
		if err != nil {
			return Undefined, err
		}
		m.RejectPromise(p, e)
		return result, nil
	}
	gen := this.AsObj()
	state := m.coState(gen)
	if state == stateStart && mode == ResumeThrow {
		m.finishCo(gen)
		state = stateDone
	}
	if state == stateDone {
		switch mode {
		case ResumeNext:
			return result, m.ResolvePromise(p, m.IterResult(Undefined, true))
		case ResumeThrow:
			m.RejectPromise(p, v)
			return result, nil
		}
	}
	q := m.asyncQueue(gen)
	for _, x := range [requestWords]Value{heap.Int(int32(mode)), v, result} { //meter: fixed
		if err := m.H.Push(q, x); err != nil {
			return Undefined, err
		}
	}
	at := m.Root(result)
	defer m.PopRoots(at)
	switch {
	case mode == ResumeReturn && (state == stateStart || state == stateDone):
		if state == stateStart {
			m.finishCo(gen)
		}
		return result, m.asyncGenAwaitReturn(gen)
	case state == stateStart || state == stateYield:
		return result, m.asyncGenContinue(gen, state, mode, v)
	}
	return result, nil
}

// asyncGenContinue resumes a suspended async generator.
func (m *Machine) asyncGenContinue(gen Obj, state int, mode ResumeMode, v Value) error {
	_, err := m.resume(gen, state, mode, v)
	return err
}

// takeRequest removes the first request and returns its promise.
func (m *Machine) takeRequest(gen Obj) Obj {
	q := m.asyncQueue(gen)
	e := m.H.ElemsW(q)
	p := e[2].AsObj()
	_ = m.meter.Charge(int64(len(e)) / 16) //meter: sticky
	copy(e, e[requestWords:])
	w := m.H.ObjW(q)
	w.ElemLen -= requestWords
	w.Length -= requestWords
	return p
}

// asyncYield is AsyncGeneratorYield (§27.6.3.8) without its await, which the
// compiler emits.
func (m *Machine) asyncYield(in bytecode.Instr, v Value) (r Value, done bool, err error) {
	fr := &m.frames[len(m.frames)-1]
	gen := fr.gen
	p := m.takeRequest(gen)
	if err := m.ResolvePromise(p, m.IterResult(v, false)); err != nil {
		return Undefined, false, err
	}
	fr = &m.frames[len(m.frames)-1]
	q := m.asyncQueue(gen)
	if m.H.Obj(q).ElemLen > 0 {
		// The next request is there already: go on with it at once.
		e := m.H.Elems(q)
		mode, x := ResumeMode(e[0].AsInt()), e[1]
		return Undefined, true, m.send(fr, stateYield, uint32(in.A), mode, x)
	}
	return Undefined, false, m.detach(gen, stateYield, in.A)
}

// asyncGenDone ends an async generator whose body has returned or thrown v.
func (m *Machine) asyncGenDone(gen Obj, threw bool, v Value) error {
	p := m.takeRequest(gen)
	m.setCoState(gen, stateDone)
	if threw {
		m.RejectPromise(p, v)
	} else if err := m.ResolvePromise(p, m.IterResult(v, true)); err != nil {
		return err
	}
	return m.drainQueue(gen)
}

// drainQueue is AsyncGeneratorDrainQueue (§27.6.3.10).
func (m *Machine) drainQueue(gen Obj) error {
	for {
		q := m.asyncQueue(gen)
		if m.H.Obj(q).ElemLen == 0 {
			m.setCoState(gen, stateDone)
			return nil
		}
		if err := m.Charge(1); err != nil {
			return err
		}
		e := m.H.Elems(q)
		switch ResumeMode(e[0].AsInt()) {
		case ResumeReturn:
			return m.asyncGenAwaitReturn(gen)
		case ResumeThrow:
			v := e[1]
			m.RejectPromise(m.takeRequest(gen), v)
		default:
			if err := m.ResolvePromise(m.takeRequest(gen), m.IterResult(Undefined, true)); err != nil {
				return err
			}
		}
	}
}

// asyncGenAwaitReturn is AsyncGeneratorAwaitReturn (§27.6.3.9).
func (m *Machine) asyncGenAwaitReturn(gen Obj) error {
	m.setCoState(gen, stateAwaitReturn)
	v := m.H.Elems(m.asyncQueue(gen))[1]
	m.noGC++
	p, err := m.PromiseResolve(heap.ObjectValue(m.intrinsics[PromiseConstructor]), v)
	m.noGC--
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		m.setCoState(gen, stateDone)
		m.RejectPromise(m.takeRequest(gen), exc)
		return m.drainQueue(gen)
	}
	return m.react(p.AsObj(), [reactionWords]Value{heap.Int(int32(reactAwaitReturn)), heap.ObjectValue(gen), Undefined, Undefined, Undefined, Undefined})
}

// asyncGenReturned goes on when the value of a return request is settled.
func (m *Machine) asyncGenReturned(gen Obj, rejected bool, v Value) error {
	m.setCoState(gen, stateDone)
	p := m.takeRequest(gen)
	if rejected {
		m.RejectPromise(p, v)
	} else if err := m.ResolvePromise(p, m.IterResult(v, true)); err != nil {
		return err
	}
	return m.drainQueue(gen)
}
