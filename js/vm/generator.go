package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// A detached frame lives in the block of values that is the Data of a
// generator, an async generator, or the hidden coroutine object of an async
// function.
const (
	coState   = iota
	coFn      // number of the function, internal number
	coPC      // internal number
	coEnv     // closure environment
	coNew     // new.target
	coPromise // async function: its promise; async generator: its queue, an array
	coDst     // register that receives the value sent in
	coFlags   // frame flags
	coRegs    // the registers follow
)

// States of a coroutine.
const (
	stateStart = iota // suspended at GenStart
	stateYield        // suspended at a yield
	stateAwait        // suspended at an await
	stateRunning
	stateDone
	stateAwaitReturn // async generator: done, awaiting the value of a return request
)

// ResumeMode is how a suspended generator is continued.
type ResumeMode int

// The modes.
const (
	ResumeNext ResumeMode = iota
	ResumeThrow
	ResumeReturn
)

func (m *Machine) coWord(gen Obj, i int) Value { return m.H.Word(m.H.Obj(gen).Data.AsBlock(), i) }

func (m *Machine) setCoWord(gen Obj, i int, v Value) {
	m.H.SetWord(m.H.Obj(gen).Data.AsBlock(), i, v)
}

func (m *Machine) coState(gen Obj) int { return int(m.coWord(gen, coState).AsInt()) }

func (m *Machine) setCoState(gen Obj, s int) { m.setCoWord(gen, coState, heap.Int(int32(s))) }

// detach saves the top frame into its coroutine and pops it. dst is the
// register that receives the value sent in on resumption.
func (m *Machine) detach(gen Obj, state int, dst uint16) error {
	fr := &m.frames[len(m.frames)-1]
	if m.tracer != nil {
		m.tracer.detached(gen)
	}
	n := coRegs + int(fr.fn.nregs)
	data := m.H.Obj(gen).Data
	if !data.IsInternal() {
		b, err := m.H.NewValues(n)
		if err != nil {
			return err
		}
		data = heap.ValuesValue(b)
		m.H.ObjW(gen).Data = data
		w := m.H.ValuesW(b)
		w[coPromise] = Undefined
	}
	w := m.H.ValuesW(data.AsBlock())
	w[coState] = heap.Int(int32(state))
	w[coFn], w[coPC] = heap.NumberValue(uint32(fr.fn.index)), heap.NumberValue(uint32(fr.pc))
	w[coEnv], w[coNew] = fr.env, fr.newTarget
	w[coDst], w[coFlags] = heap.NumberValue(uint32(dst)), heap.NumberValue(uint32(fr.flags&^(frameResumed|frameForOf|frameRealm)))
	copy(w[coRegs:], m.stack[fr.base:fr.base+int(fr.fn.nregs)])
	m.deliverTo = fr.dst
	m.popFrame()
	return nil
}

func (m *Machine) popFrame() {
	m.leaveRealm(&m.frames[len(m.frames)-1])
	m.frames = m.frames[:len(m.frames)-1]
	m.meter.Leave()
}

// attach pushes the frame of a coroutine again, at register base.
func (m *Machine) attach(gen Obj, base, dst int) (*frame, error) {
	if err := m.meter.Enter(); err != nil {
		return nil, err
	}
	w := m.H.Values(m.H.Obj(gen).Data.AsBlock())
	fn := m.funcs[w[coFn].AsNumber()]
	if fn.flags&flagLarge != 0 {
		if err := m.Charge(int(fn.nregs) / 16); err != nil {
			m.meter.Leave()
			return nil, err
		}
	}
	end := base + int(fn.nregs)
	if end+8 > len(m.stack) {
		old := m.sp
		m.sp = base
		m.growStack(int(fn.nregs) + 8)
		m.sp = old
	}
	m.high = max(m.high, end)
	copy(m.stack[base:end], w[coRegs:])
	m.payFrames()
	m.frames = append(m.frames, frame{
		fn: fn, pc: int(w[coPC].AsNumber()), base: base, dst: dst, env: w[coEnv], newTarget: w[coNew],
		gen: gen, flags: frameFlags(w[coFlags].AsNumber()) | frameResumed,
	})
	m.setCoState(gen, stateRunning)
	fr := &m.frames[len(m.frames)-1]
	if fn.flags&flagRealm != 0 && fn.prog.realm != m.current {
		fr.flags |= frameRealm
		fr.back = m.switchRealm(fn.prog.realm)
	}
	return fr, nil
}

// send puts the value sent in where a suspended frame expects it. For a throw
// it returns the error to raise in the frame.
func (m *Machine) send(fr *frame, state int, dst uint32, mode ResumeMode, v Value) error {
	switch {
	case mode == ResumeThrow:
		return m.Throw(v)
	case state == stateStart:
		return nil
	}
	m.stack[fr.base+int(dst)] = v
	if state == stateYield && mode == ResumeNext {
		fr.pc++ // over the jump that a return takes
	}
	return nil
}

// continueFrame runs the frame that attach pushed, first raising err in it if
// there is one.
func (m *Machine) continueFrame(err error) (Value, error) {
	stop := len(m.frames) - 1
	if err != nil {
		v, done, err := m.unwind(err, stop)
		if err != nil || done {
			return v, err
		}
	}
	return m.run(stop)
}

// genStart makes the generator object, detaches the frame into it and returns
// it to the caller (§27.5.3.1).
func (m *Machine) genStart() (Value, error) {
	fr := &m.frames[len(m.frames)-1]
	callee := m.stack[fr.base].AsObj()
	class, shape := heap.ClassGenerator, m.shapes.generatorProto
	if fr.fn.flags&bytecode.FlagAsync != 0 {
		class, shape = heap.ClassAsyncGenerator, m.shapes.asyncGeneratorProto
	}
	m.noGC++
	p, err := m.Get(callee, m.N.Prototype)
	m.noGC--
	if err != nil {
		return Undefined, err
	}
	if p.IsObject() {
		shape = m.H.RootShape(p.AsObj())
	}
	gen := m.H.NewObject(shape, class)
	fr = &m.frames[len(m.frames)-1]
	fr.gen = gen
	fr.flags |= frameGenerator
	if err := m.detach(gen, stateStart, 0); err != nil {
		return Undefined, err
	}
	return heap.ObjectValue(gen), nil
}

// generatorOf validates this of a generator method.
func (m *Machine) generatorOf(v Value, method string) (Obj, error) {
	if !v.IsObject() || m.H.Obj(v.AsObj()).Class != heap.ClassGenerator {
		return 0, m.TypeError("Method [Generator].prototype.%s called on incompatible receiver %s", method, m.Describe(v))
	}
	if m.coState(v.AsObj()) == stateRunning {
		return 0, m.TypeError("Generator is already running")
	}
	return v.AsObj(), nil
}

// GeneratorResume is GeneratorResume and GeneratorResumeAbrupt (§27.5.3.3).
func (m *Machine) GeneratorResume(this Value, mode ResumeMode, v Value) (Value, error) {
	gen, err := m.generatorOf(this, [...]string{"next", "throw", "return"}[mode])
	if err != nil {
		return Undefined, err
	}
	state := m.coState(gen)
	if state == stateStart && mode != ResumeNext {
		m.finishCo(gen)
		state = stateDone
	}
	if state == stateDone {
		switch mode {
		case ResumeThrow:
			return Undefined, m.Throw(v)
		case ResumeReturn:
			return m.IterResult(v, true), nil
		}
		return m.IterResult(Undefined, true), nil
	}
	return m.resume(gen, state, mode, v)
}

// resume continues a suspended coroutine from native code.
func (m *Machine) resume(gen Obj, state int, mode ResumeMode, v Value) (Value, error) {
	if err := m.meter.EnterNative(); err != nil {
		return Undefined, err
	}
	defer m.meter.LeaveNative()
	dst := m.coWord(gen, coDst).AsNumber()
	sp, held, below := m.sp, m.held, m.heldBase
	fr, err := m.attach(gen, m.top(), -1)
	if err != nil {
		return Undefined, err
	}
	m.heldBase = held
	v, err = m.continueFrame(m.send(fr, state, dst, mode, v))
	m.letGo(held)
	m.heldBase = below
	m.sp = sp
	return v, err
}

// finishCo marks a coroutine as done and drops its frame.
func (m *Machine) finishCo(gen Obj) {
	b := m.H.Obj(gen).Data.AsBlock()
	w := m.H.ValuesW(b)
	w[coState] = heap.Int(stateDone)
	w[coEnv], w[coNew] = Undefined, Undefined
	for i := coRegs; i < len(w); i++ { //meter: the registers of one function, charged when its frame was pushed
		w[i] = Undefined
	}
}

// pushGenerator is the fast way of generator.next called from script: it pushes
// the generator's frame instead of nesting the interpreter.
func (m *Machine) pushGenerator(base, argc, dst int) (bool, error) {
	this := m.stack[base+1]
	if dst < 0 || !this.IsObject() || m.H.Obj(this.AsObj()).Class != heap.ClassGenerator {
		return false, nil
	}
	gen := this.AsObj()
	state := m.coState(gen)
	if state != stateStart && state != stateYield {
		return false, nil
	}
	v := Undefined
	if argc > 0 {
		v = m.stack[base+2]
	}
	reg := m.coWord(gen, coDst).AsNumber()
	fr, err := m.attach(gen, base, dst)
	if err != nil {
		return false, err
	}
	m.sp = base
	return true, m.send(fr, state, reg, ResumeNext, v)
}

// yield suspends the top frame at a yield. done is true when the frame that
// runs next has been prepared already; otherwise the value goes to the caller
// of the popped frame.
func (m *Machine) yield(in bytecode.Instr, v Value) (r Value, done bool, err error) {
	fr := &m.frames[len(m.frames)-1]
	gen := fr.gen
	if m.H.Obj(gen).Class == heap.ClassAsyncGenerator {
		return m.asyncYield(in, v)
	}
	forOf, dst := fr.flags&frameForOf != 0, fr.dst
	if err := m.detach(gen, stateYield, in.A); err != nil {
		return Undefined, false, err
	}
	if forOf {
		if in.Op == bytecode.YieldRaw {
			// The delegate's result object: take it apart as IterNext would.
			return m.forOfRaw(v, dst)
		}
		m.stack[dst] = v
		m.frames[len(m.frames)-1].pc++
		return Undefined, true, nil
	}
	if in.Op == bytecode.YieldRaw {
		return v, false, nil
	}
	return m.IterResult(v, false), false, nil
}

func (m *Machine) forOfRaw(result Value, dst int) (Value, bool, error) {
	at := m.Root(result)
	it := Iterator{}
	m.noGC++
	v, ok, err := m.stepResult(&it, result)
	m.noGC--
	m.PopRoots(at)
	caller := &m.frames[len(m.frames)-1]
	in := caller.fn.code[caller.pc-1]
	if err != nil || !ok {
		m.stack[caller.base+int(in.A)] = Undefined
		return Undefined, true, err
	}
	m.stack[dst] = v
	caller.pc++
	return Undefined, true, nil
}

// finish applies what a frame's flags ask for when it returns v. done means
// that the frame was popped and the value delivered.
func (m *Machine) finish(v Value) (r Value, done bool, err error) {
	fr := &m.frames[len(m.frames)-1]
	switch {
	case fr.flags&(frameConstruct|frameRealm) == frameConstruct:
		if !v.IsObject() {
			if fr.fn.flags&bytecode.FlagDerived != 0 && v != Undefined {
				return Undefined, false, m.TypeError("Derived constructors may only return object or undefined")
			}
			v = m.stack[fr.base+1]
		}
		return v, false, nil
	case fr.flags&frameRealm != 0:
		return m.finishForeign(v)
	case fr.flags&frameAsync != 0:
		gen := fr.gen
		if gen == 0 {
			p := m.NewPromise()
			at := m.Root(heap.ObjectValue(p))
			err := m.ResolvePromise(p, v)
			m.PopRoots(at)
			return heap.ObjectValue(p), false, err
		}
		p := m.coWord(gen, coPromise)
		m.finishCo(gen)
		return Undefined, false, m.ResolvePromise(p.AsObj(), v)
	case fr.flags&frameGenerator != 0:
		gen := fr.gen
		m.finishCo(gen)
		if m.H.Obj(gen).Class == heap.ClassAsyncGenerator {
			m.setCoState(gen, stateRunning) // until its queue is drained
			return Undefined, false, m.asyncGenDone(gen, false, v)
		}
		if fr.flags&frameForOf != 0 {
			m.popFrame()
			caller := &m.frames[len(m.frames)-1]
			in := caller.fn.code[caller.pc-1]
			m.stack[caller.base+int(in.A)] = Undefined
			return Undefined, true, nil
		}
		return m.IterResult(v, true), false, nil
	}
	return v, false, nil
}

// unwind looks for a handler of err in the frames above stop, popping those
// that have none. done means that a frame at the bottom turned the exception
// into a value (an async function's promise). A limit finds no handler.
func (m *Machine) unwind(err error, stop int) (v Value, done bool, _ error) {
	limit := err != errThrown && !m.toException(err)
	if m.tracer != nil && !limit && len(m.frames) > stop {
		m.tracer.thrown()
	}
	for len(m.frames) > stop {
		fr := &m.frames[len(m.frames)-1]
		if limit {
			if len(m.limitAt) < maxStackFrames {
				m.limitAt = append(m.limitAt, ThrowSite{fn: fr.fn, pc: fr.pc})
			}
			m.popFrame()
			continue
		}
		if m.thrown.fn == nil {
			m.thrown = ThrowSite{fn: fr.fn, pc: fr.pc}
		}
		if n := len(fr.fn.fn.Handlers); n > 64 {
			_ = m.Charge(n / 16) //meter: sticky: the next charge ends the run
		}
		if h := findHandler(fr.fn.fn, fr.pc-1); h != nil {
			m.stack[fr.base+int(h.Reg)] = m.exc
			m.exc = Undefined
			m.thrown = ThrowSite{}
			fr.pc = int(h.Target)
			if m.tracer != nil {
				m.tracer.caught()
			}
			return Undefined, false, nil
		}
		gen, flags, dst := fr.gen, fr.flags, fr.dst
		if flags&frameForOf != 0 {
			caller := &m.frames[len(m.frames)-2]
			m.stack[caller.base+int(caller.fn.code[caller.pc-1].A)] = Undefined
		}
		var p Obj
		if flags&frameAsync != 0 && gen == 0 {
			p = m.NewPromise() // in the function's realm
		}
		m.popFrame()
		switch {
		case flags&frameAsync != 0:
			exc := m.exc
			m.exc = Undefined
			result := Undefined
			if gen == 0 {
				result = heap.ObjectValue(p)
				m.RejectPromise(p, exc)
			} else {
				p := m.coWord(gen, coPromise)
				m.finishCo(gen)
				m.RejectPromise(p.AsObj(), exc)
			}
			if len(m.frames) == stop {
				return result, true, nil
			}
			m.stack[dst] = result
			return Undefined, false, nil
		case flags&frameGenerator != 0:
			m.finishCo(gen)
			if m.H.Obj(gen).Class == heap.ClassAsyncGenerator {
				exc := m.exc
				m.exc = Undefined
				m.setCoState(gen, stateRunning)
				if err := m.asyncGenDone(gen, true, exc); err != nil {
					return Undefined, false, err
				}
				if len(m.frames) == stop {
					return Undefined, true, nil
				}
				m.stack[dst] = Undefined
				return Undefined, false, nil
			}
		}
	}
	if limit {
		return Undefined, false, err
	}
	return Undefined, false, errThrown
}

func findHandler(fn *bytecode.Function, pc int) *bytecode.Handler {
	for i := range fn.Handlers { //meter: the try statements of one function: unwind charges for many
		if h := &fn.Handlers[i]; int(h.From) <= pc && pc < int(h.To) {
			return h
		}
	}
	return nil
}
