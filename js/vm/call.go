package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// frame is one activation of a bytecode function.
type frame struct {
	fn        *fnState
	pc        int
	base      int // of its register window in Machine.stack
	dst       int // register, absolute, that receives the result
	env       Value
	newTarget Value
	gen       Obj // generator or coroutine the frame belongs to, once detached
	flags     frameFlags
	back      uint8 // with frameRealm: the caller's realm
}

type frameFlags uint8

const (
	frameConstruct frameFlags = 1 << iota // called by new: Return applies [[Construct]]'s rules
	frameAsync                            // async function: its result is a promise
	frameGenerator                        // has a generator object in gen
	frameResumed                          // continues a detached frame: entered from native code or a job
	frameRealm                            // the caller is of another realm
	frameForOf                            // resumed by IterNext: dst gets the bare value, see interp
)

// Call calls f from native code. Collection is off while it runs: the caller
// may hold values in Go variables.
func (m *Machine) Call(f, this Value, args ...Value) (Value, error) {
	m.noGC++
	v, err := m.CallRooted(f, this, args...)
	m.noGC--
	return v, err
}

// CallRooted is Call for a caller that keeps no unrooted values: see the
// package comment.
func (m *Machine) CallRooted(f, this Value, args ...Value) (Value, error) {
	base := m.pushArgs(f, this, args)
	v, err := m.invoke(base, len(args), Undefined)
	m.sp = base
	return v, err
}

// Construct is Construct(F, args, newTarget) (§7.3.14) from native code.
func (m *Machine) Construct(f, newTarget Value, args ...Value) (Value, error) {
	m.noGC++
	base := m.pushArgs(f, Empty, args)
	v, err := m.invoke(base, len(args), newTarget)
	m.sp = base
	m.noGC--
	return v, err
}

// pushArgs lays callee, this and arguments out on top of the stack.
func (m *Machine) pushArgs(f, this Value, args []Value) int {
	base := m.top()
	old := m.sp
	m.sp = base
	m.growStack(len(args) + 2)
	m.sp = old
	m.stack[base], m.stack[base+1] = f, this
	copy(m.stack[base+2:], args)
	m.sp = base + 2 + len(args)
	m.high = max(m.high, m.sp)
	return base
}

// invoke runs the call laid out at base to its end. newTarget Undefined means
// [[Call]].
func (m *Machine) invoke(base, argc int, newTarget Value) (Value, error) {
	if err := m.meter.EnterNative(); err != nil {
		return Undefined, err
	}
	depth := len(m.frames)
	held, below := m.held, m.heldBase
	m.heldBase = held
	calls := len(m.calls)
	m.calls = append(m.calls, callRec{base: base, depth: depth, construct: newTarget != Undefined})
	v, pushed, err := m.enter(base, argc, -1, newTarget)
	if err == nil && pushed {
		v, err = m.run(depth)
	}
	m.calls = m.calls[:calls]
	m.letGo(held)
	m.heldBase = below
	m.meter.LeaveNative()
	return v, err
}

// enter begins the call laid out at base: a bytecode function gets a frame
// (pushed is true), anything else runs at once. dst is the absolute register
// that a frame's result goes to.
func (m *Machine) enter(base, argc, dst int, newTarget Value) (v Value, pushed bool, err error) {
	for {
		f := m.stack[base]
		if !f.IsObject() {
			return Undefined, false, m.notCallable(f, newTarget != Undefined)
		}
		o := f.AsObj()
		rec := m.H.Obj(o)
		switch rec.Class {
		case heap.ClassFunction:
			err := m.pushFrame(o, rec, base, argc, dst, newTarget)
			return Undefined, err == nil, err
		case heap.ClassNative:
			if rec.Realm != m.current {
				v, err := m.callForeign(o, base, argc, newTarget)
				return v, false, err
			}
			n := &m.realm.natives[rec.Length]
			if newTarget != Undefined && rec.Flags&heap.Constructor == 0 {
				return Undefined, false, m.notCallable(f, true)
			}
			if n.kind != nativePlain && newTarget == Undefined {
				again, err := m.redirect(n.kind, base, &argc)
				if err != nil {
					return Undefined, false, err
				}
				if again {
					continue
				}
				if n.kind == nativeGenNext {
					if pushed, err := m.pushGenerator(base, argc, dst); pushed || err != nil {
						return Undefined, pushed, err
					}
				}
			}
			m.sp = base + 2 + argc
			m.high = max(m.high, m.sp)
			this, held := m.stack[base+1], m.held
			v, err := n.fn(m, Call{This: this, Args: m.stack[base+2 : base+2+argc : base+2+argc], NewTarget: newTarget, Callee: o})
			m.sp = base
			if m.held != held {
				m.letGo(held)
			}
			return v, false, err
		case heap.ClassHostFunction:
			if newTarget != Undefined {
				return Undefined, false, m.notCallable(f, true)
			}
			if rec.Realm != m.current {
				v, err := m.callForeign(o, base, argc, newTarget)
				return v, false, err
			}
			m.sp = base + 2 + argc
			m.high = max(m.high, m.sp)
			v, err := m.hosts[rec.Length].fn(m, Call{This: m.stack[base+1], Args: m.stack[base+2 : base+2+argc : base+2+argc], NewTarget: Undefined, Callee: o})
			m.sp = base
			return v, false, err
		case heap.ClassBound:
			// Bound function exotic object (§10.4.1): rewrite the window.
			if newTarget != Undefined {
				if rec.Flags&heap.Constructor == 0 {
					return Undefined, false, m.notCallable(f, true)
				}
				if newTarget == f {
					newTarget = m.H.Word(rec.Data.AsBlock(), 0)
				}
			}
			if argc, err = m.unbind(rec, base, argc); err != nil {
				return Undefined, false, err
			}
			continue
		case heap.ClassProxy:
			if rec.Flags&heap.Callable == 0 || newTarget != Undefined && rec.Flags&heap.Constructor == 0 {
				return Undefined, false, m.notCallable(f, newTarget != Undefined)
			}
			m.sp = base + 2 + argc
			m.high = max(m.high, m.sp)
			m.noGC++
			args := append([]Value(nil), m.stack[base+2:base+2+argc]...)
			if newTarget != Undefined {
				v, err = m.proxyConstruct(o, args, newTarget)
			} else {
				v, err = m.proxyApply(o, m.stack[base+1], args)
			}
			m.noGC--
			m.sp = base
			return v, false, err
		}
		return Undefined, false, m.notCallable(f, newTarget != Undefined)
	}
}

func (m *Machine) describeCallee(f Value) string {
	if f.IsObject() {
		return m.Describe(f)
	}
	return m.CallSite(f)
}

func (m *Machine) notCallable(f Value, construct bool) error {
	if construct {
		return m.TypeError("%s is not a constructor", m.describeCallee(f))
	}
	return m.TypeError("%s is not a function", m.describeCallee(f))
}

// redirect rewrites the window of Function.prototype.call and apply into the
// call they ask for. again is true when enter should look at it anew.
func (m *Machine) redirect(kind nativeKind, base int, argc *int) (again bool, err error) {
	switch kind {
	case nativeCall:
		n := *argc
		f := m.stack[base+1]
		if !m.IsCallable(f) {
			return false, nil // the built-in itself throws
		}
		if err := m.Charge(1); err != nil {
			return false, err
		}
		m.stack[base] = f
		if n == 0 {
			m.stack[base+1] = Undefined
			return true, nil
		}
		copy(m.stack[base+1:base+1+n], m.stack[base+2:base+2+n])
		*argc = n - 1
		return true, nil
	case nativeApply:
		f := m.stack[base+1]
		if !m.IsCallable(f) {
			return false, nil
		}
		if err := m.Charge(1); err != nil {
			return false, err
		}
		this, list := Undefined, Undefined
		if *argc > 0 {
			this = m.stack[base+2]
		}
		if *argc > 1 {
			list = m.stack[base+3]
		}
		n := 0
		if !list.IsNullish() {
			m.sp = base + 2 + *argc
			held := m.held
			m.noGC++
			vals, err := m.ListFromArrayLike(list)
			m.noGC--
			m.letGo(held)
			if err != nil {
				return false, err
			}
			n = len(vals)
			m.sp = base
			m.growStack(n + 2)
			copy(m.stack[base+2:], vals)
		}
		m.sp = base
		m.stack[base], m.stack[base+1] = f, this
		*argc = n
		m.high = max(m.high, base+2+n)
		return true, nil
	}
	return false, nil
}

// unbind rewrites the window of a bound function into its target's call.
func (m *Machine) unbind(rec *heap.Object, base, argc int) (int, error) {
	if err := m.Charge(1); err != nil {
		return 0, err
	}
	b := rec.Data.AsBlock()
	n := int(rec.Length) // bound arguments
	if n > 0 {
		if err := m.Charge((argc + n) / 8); err != nil {
			return 0, err
		}
		if argc+n > maxArgs {
			return 0, m.tooManyArguments()
		}
		old := m.sp
		m.sp = base
		m.growStack(argc + n + 2)
		m.sp = old
		copy(m.stack[base+2+n:], m.stack[base+2:base+2+argc])
		copy(m.stack[base+2:], m.H.Values(b)[2:2+n])
		m.high = max(m.high, base+2+argc+n)
	}
	m.stack[base] = m.H.Word(b, 0)
	m.stack[base+1] = m.H.Word(b, 1)
	return argc + n, nil
}

// maxArgs is how many arguments a call may have.
const maxArgs = 1 << 20

// flagLarge is set on the functions that have more than largeFrame registers:
// each call of one is charged for them.
const (
	flagLarge  bytecode.Flags = 1 << 30
	largeFrame                = 256
)

// slowEntry are the functions whose calls need more than a frame.
const slowEntry = bytecode.FlagClassConstructor | bytecode.FlagAsync | bytecode.FlagArgsArray | flagLarge | flagRealm

// pushFrame begins a call of a bytecode function.
func (m *Machine) pushFrame(o Obj, rec *heap.Object, base, argc, dst int, newTarget Value) error {
	fn := m.funcs[rec.Length]
	if fn.flags&slowEntry != 0 || newTarget != Undefined {
		return m.pushFrameSlow(fn, rec, base, argc, dst, newTarget)
	}
	if err := m.meter.Enter(); err != nil {
		return err
	}
	end := base + int(fn.nregs)
	if end+8 > len(m.stack) {
		m.growFrame(base, max(int(fn.nregs)+8, argc+2))
	}
	if end > m.high {
		m.high = end
	}
	clearRegisters(m.stack[base+2+min(argc, int(fn.nparams)) : end])
	m.sp = base
	m.payFrames()
	m.frames = append(m.frames, frame{fn: fn, base: base, dst: dst, env: rec.Data, newTarget: Undefined})
	return nil
}

// frameBytes is what a frame takes.
const frameBytes = 80

// payFrames charges for the next frame where that makes the list of frames
// grow. The charge is sticky.
func (m *Machine) payFrames() {
	if n := len(m.frames); n == cap(m.frames) {
		_ = m.meter.Grow(int64(n) * frameBytes) //meter: sticky: the next charge ends the run
	}
}

// growFrame makes room for n registers from base on.
func (m *Machine) growFrame(base, n int) {
	old := m.sp
	m.sp = base
	m.growStack(n)
	m.sp = old
}

func (m *Machine) pushFrameSlow(fn *fnState, rec *heap.Object, base, argc, dst int, newTarget Value) error {
	if fn.flags&flagRealm != 0 && fn.prog.realm != m.current {
		return m.pushForeign(fn, rec, base, argc, dst, newTarget)
	}
	env := rec.Data
	flags := frameFlags(0)
	if fn.flags&(bytecode.FlagClassConstructor|bytecode.FlagAsync) != 0 || newTarget != Undefined {
		if newTarget == Undefined {
			if fn.flags&bytecode.FlagClassConstructor != 0 {
				if fn.fn.Name == "" {
					return m.TypeError("Class constructors cannot be invoked without 'new'")
				}
				return m.TypeError("Class constructor %s cannot be invoked without 'new'", fn.fn.Name)
			}
		} else {
			if rec.Flags&heap.Constructor == 0 {
				return m.notCallable(m.stack[base], true)
			}
			flags |= frameConstruct
			if fn.flags&bytecode.FlagDerived != 0 {
				m.stack[base+1] = Empty
			} else {
				m.sp = base + 2 + argc
				this, err := m.newThis(fn, newTarget)
				if err != nil {
					return err
				}
				m.stack[base+1] = this
				m.sp = base
			}
		}
		if fn.flags&(bytecode.FlagAsync|bytecode.FlagGenerator) == bytecode.FlagAsync {
			flags |= frameAsync
		}
	}
	if err := m.meter.Enter(); err != nil {
		return err
	}
	if fn.flags&flagLarge != 0 {
		if err := m.Charge(int(fn.nregs) / 32); err != nil {
			m.meter.Leave()
			return err
		}
	}
	end := base + int(fn.nregs)
	if end+8 > len(m.stack) || base+2+argc > len(m.stack) {
		m.growFrame(base, max(int(fn.nregs)+8, argc+2))
	}
	if end > m.high {
		m.high = end
	}
	if fn.flags&bytecode.FlagArgsArray != 0 {
		m.sp = base + 2 + argc
		m.high = max(m.high, m.sp)
		if err := m.Charge(argc / 8); err != nil {
			m.meter.Leave()
			return err
		}
		args, err := m.NewArray(m.stack[base+2 : base+2+argc])
		if err != nil {
			m.meter.Leave()
			return err
		}
		clearRegisters(m.stack[base+2+min(argc, int(fn.nparams)) : end])
		m.stack[base+int(fn.fn.ArgsReg)] = heap.ObjectValue(args)
	} else {
		clearRegisters(m.stack[base+2+min(argc, int(fn.nparams)) : end])
	}
	m.sp = base
	m.payFrames()
	m.frames = append(m.frames, frame{fn: fn, base: base, dst: dst, env: env, newTarget: newTarget, flags: flags})
	return nil
}

// undefs is copied over registers: faster than a loop.
var undefs = func() (a [64]Value) {
	for i := range a {
		a[i] = Undefined
	}
	return a
}()

func clearRegisters(s []Value) {
	if len(s) <= 8 {
		for i := range s { //meter: at most 8
			s[i] = Undefined
		}
		return
	}
	for len(s) > len(undefs) { //meter: the registers of one function: pushFrameSlow charges for many
		copy(s, undefs[:])
		s = s[len(undefs):]
	}
	copy(s, undefs[:len(s)])
}

// newThis makes the object a base constructor initialises.
func (m *Machine) newThis(fn *fnState, newTarget Value) (Value, error) {
	nt := newTarget.AsObj()
	rec := m.H.Obj(nt)
	if rec.Flags&(heap.LazyProps|heap.Exotic) == 0 {
		if v, a, ok := m.H.GetNamed(nt, m.N.Prototype.Name()); ok && a&heap.Accessor == 0 && v.IsObject() {
			p := v.AsObj()
			if p != fn.ctorProto {
				fn.ctorProto, fn.ctorShape = p, m.H.RootShape(p)
			}
			return heap.ObjectValue(m.H.NewObject(fn.ctorShape, heap.ClassObject)), nil
		}
	}
	m.noGC++
	o, err := m.NewFrom(newTarget, ObjectPrototype, heap.ClassObject)
	m.noGC--
	return heap.ObjectValue(o), err
}

func (m *Machine) tooManyArguments() error {
	return m.RangeError("Maximum call stack size exceeded: too many arguments (limit %d)", maxArgs)
}

// ListFromArrayLike is CreateListFromArrayLike (§7.3.19).
func (m *Machine) ListFromArrayLike(v Value) ([]Value, error) {
	if !v.IsObject() {
		return nil, m.TypeError("CreateListFromArrayLike called on non-object")
	}
	o := v.AsObj()
	n, err := m.LengthOf(o)
	if err != nil {
		return nil, err
	}
	if n > maxArgs {
		return nil, m.tooManyArguments()
	}
	if err := m.ChargeKeys(int(n)); err != nil {
		return nil, err
	}
	out := make([]Value, n)
	rec := m.H.Obj(o)
	dense := rec.Class == heap.ClassArray && rec.Flags&heap.Sparse == 0
	for i := range out {
		if i&63 == 63 { // a getter may have had its own say
			if err := m.Charge(8); err != nil {
				return nil, err
			}
		}
		if dense {
			if v := m.H.Elem(m.H.Obj(o), uint32(i)); v != Empty {
				out[i] = v
				continue
			}
		}
		if out[i], err = m.Get(o, heap.IndexKey(uint32(i))); err != nil {
			return nil, err
		}
		dense = dense && m.H.Obj(o).Flags&heap.Sparse == 0
	}
	return out, nil
}
