package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// What built-ins need of the machine beyond abstract operations.

// nativeStep marks the next method of a built-in iterator that can be called
// for the bare value: with NewTarget Empty it returns the value, or Empty when
// the iterator is done, and no result object is made.
const nativeStep nativeKind = 0x80

// MarkStep says that the native function f is such a method.
func (b *Builder) MarkStep(f Obj) { b.mark(f, nativeStep) }

// stepsNatively reports whether next is marked so.
func (m *Machine) stepsNatively(next Value) bool {
	if !next.IsObject() {
		return false
	}
	rec := m.H.Obj(next.AsObj())
	return rec.Class == heap.ClassNative && rec.Realm == m.current && m.realm.natives[rec.Length].kind == nativeStep
}

// stepNative calls a method for which stepsNatively holds; obj must be rooted.
// v is Empty when the iterator is done.
func (m *Machine) stepNative(next, obj Value) (v Value, err error) {
	if err := m.meter.EnterNative(); err != nil {
		return Undefined, err
	}
	f := next.AsObj()
	v, err = m.realm.natives[m.H.Obj(f).Length].fn(m, Call{This: obj, NewTarget: Empty, Callee: f})
	m.meter.LeaveNative()
	return v, err
}

// StepRooted is Step for a caller that has rooted it.Obj and it.Next and keeps
// no other unrooted values: a collection may happen in next().
func (m *Machine) StepRooted(it *Iterator) (v Value, ok bool, err error) {
	if m.stepsNatively(it.Next) {
		v, err = m.stepNative(it.Next, it.Obj)
		if err != nil || v == Empty {
			it.Done = true
			return Undefined, false, err
		}
		return v, true, nil
	}
	r, err := m.CallRooted(it.Next, it.Obj)
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	if err != nil {
		it.Done = true
		return Undefined, false, err
	}
	return m.stepResult(it, r)
}

// StepResult is what a method that MarkStep was told of returns.
func (m *Machine) StepResult(c *Call, v Value, done bool) Value {
	if c.NewTarget != Empty {
		return m.IterResult(v, done)
	}
	if done {
		return Empty
	}
	return v
}

// StepOver is IteratorStep (§7.4.8) for a caller that has no use for the
// value, which is not read.
func (m *Machine) StepOver(it *Iterator) (ok bool, err error) {
	r, err := m.CallRooted(it.Next, it.Obj)
	if err == nil && !r.IsObject() {
		err = m.TypeError("Iterator result %s is not an object", m.Describe(r))
	}
	if err != nil {
		it.Done = true
		return false, err
	}
	d, err := m.Get(r.AsObj(), m.N.Done)
	if err != nil || m.ToBoolean(d) {
		it.Done = true
		return false, err
	}
	return true, nil
}

// ArrayIterationIntact reports whether arrays that have not overridden it
// iterate over their elements.
func (m *Machine) ArrayIterationIntact() bool { return m.arrayIterationIntact() }

// joinMark precedes on the root stack the objects that are being joined.
const joinMark = 0x4A4F494E

// EnterJoin begins turning the array-like o into a string by way of its
// elements. cyclic says that o is being joined already. Otherwise the caller
// calls PopRoots(at) when it is done.
func (m *Machine) EnterJoin(o Obj) (at int, cyclic bool) {
	v, mark := heap.ObjectValue(o), heap.NumberValue(joinMark)
	// Those that are over, or were left by an exception, have lost their roots.
	for n := len(m.joins); n > 0; n = len(m.joins) { //meter: each was begun before, and goes
		if at := m.joins[n-1]; at+1 < len(m.roots) && m.roots[at] == mark {
			break
		}
		m.joins = m.joins[:n-1]
	}
	for i := len(m.joins) - 1; i >= 0; i-- { //meter: at most Limits.NativeDepth, which each of them has entered
		if m.roots[m.joins[i]+1] == v {
			return 0, true
		}
	}
	at = m.Root(mark)
	m.Root(v)
	m.joins = append(m.joins, at)
	return at, false
}

// Difference describes a comparator that returns the difference of two numbers:
// its arguments, or one and the same property of each.
type Difference struct {
	Key        Key // the property; 0: the arguments themselves
	Descending bool
}

// DifferenceOf recognises such a comparator by its code, so that sorting need
// not call it as long as nothing else than the subtraction could be observed.
func (m *Machine) DifferenceOf(f Value) (Difference, bool) {
	if !f.IsObject() || m.H.Obj(f.AsObj()).Class != heap.ClassFunction {
		return Difference{}, false
	}
	fn := m.fnOf(m.H.Obj(f.AsObj()))
	if fn.nparams != 2 || fn.flags&(bytecode.FlagAsync|bytecode.FlagGenerator|bytecode.FlagClassConstructor|bytecode.FlagArgsArray) != 0 {
		return Difference{}, false
	}
	const first, second = 2, 3 // the registers of the parameters
	code := fn.code
	left, right := uint16(first), uint16(second)
	d := Difference{}
	if len(code) > 2 {
		a, rest, keyA, ok := m.propertyOperand(fn, code)
		if !ok {
			return d, false
		}
		b, rest, keyB, ok := m.propertyOperand(fn, rest)
		if !ok || keyA != keyB {
			return d, false
		}
		code, d.Key = rest, keyA
		if len(code) != 2 || code[0].B != a.A || code[0].C != b.A || a.A == b.A || a.A <= second || b.A <= second {
			return d, false
		}
		left, right = a.B, b.B
	} else if len(code) == 2 {
		left, right = code[0].B, code[0].C
	}
	if len(code) != 2 || code[0].Op != bytecode.Sub || code[1].Op != bytecode.Return || code[1].A != code[0].A {
		return d, false
	}
	switch {
	case left == first && right == second:
		return d, true
	case left == second && right == first:
		d.Descending = true
		return d, true
	}
	return d, false
}

// propertyOperand recognises the reading of a named or of a constant indexed
// property.
func (m *Machine) propertyOperand(fn *fnState, code []bytecode.Instr) (get bytecode.Instr, rest []bytecode.Instr, key Key, ok bool) {
	switch {
	case code[0].Op == bytecode.GetProp && code[0].C != bytecode.None:
		key, err := m.icKey(fn, code[0].C)
		return code[0], code[1:], key, err == nil
	case len(code) > 1 && code[0].Op == bytecode.LoadInt && code[1].Op == bytecode.GetElem && code[1].C == code[0].A && int32(code[0].BC()) >= 0:
		return code[1], code[2:], heap.IndexKey(code[0].BC()), true
	}
	return get, nil, 0, false
}
