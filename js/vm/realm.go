package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// A machine begins with one realm (§9.3); its host may make more with
// CreateRealm. What belongs to the current realm is in the Machine itself, where
// a machine with one realm finds it without asking: another realm is entered by
// exchanging it. Functions know their realm: bytecode functions by their
// program, built-in and host functions by their record. Once there is a second
// realm, every bytecode function has flagRealm, which takes its calls through
// pushFrameSlow. A frame whose caller is of another realm has frameRealm and
// remembers that realm.

// realmState is a realm that is not the current one.
type realmState struct {
	intrinsics   [NumIntrinsics]Obj
	shapes       shapes
	intact       [2]slotOf
	regexp       heap.ShapeID
	regexpResult heap.ShapeID
	last         LastMatch
	memo         any
	anchors      []Obj // keep the shapes above alive
}

// flagRealm is set on all functions of a machine with several realms.
const flagRealm bytecode.Flags = 1 << 31

// maxRealms is bounded by heap.Object.Realm.
const maxRealms = 200

// CreateRealm makes another realm with the global object of a new run, without
// what the host added to this one's, and returns its number: see InRealm. The
// machine's first realm has the number 0.
func (m *Machine) CreateRealm() (uint8, error) {
	if len(m.realms) >= maxRealms {
		return 0, m.RangeError("Too many realms")
	}
	if err := m.Charge(len(m.realm.natives) * 4); err != nil {
		return 0, err
	}
	const bytes = 4096 // two states, when this is the second realm
	if err := m.meter.Grow(bytes); err != nil {
		return 0, err
	}
	if len(m.realms) == 0 {
		m.realms = append(m.realms, &realmState{})
		for _, f := range m.funcs { //meter: once in a run, over functions that were paid for
			if f != nil {
				f.flags |= flagRealm
			}
		}
	}
	n := uint8(len(m.realms))
	m.realms = append(m.realms, &realmState{})
	back := m.switchRealm(n)
	b := &Builder{Machine: m, again: true}
	b.build(m.realm.fill)
	s := &m.shapes
	for _, id := range []heap.ShapeID{
		s.object, s.array, s.iterResult, s.function, s.lazyFunction, s.lazyAsync, s.lazyGenerator, s.lazyAsyncGenerator,
		s.null, s.promise, s.generatorProto, s.asyncGeneratorProto, m.regexps.shape, m.regexps.result,
	} { //meter: a fixed number
		m.realms[n].anchors = append(m.realms[n].anchors, m.H.NewObject(id, heap.ClassObject))
	}
	m.switchRealm(back)
	return n, b.failed
}

// CurrentRealm returns the number of the current realm.
func (m *Machine) CurrentRealm() uint8 { return m.current }

// InRealm runs f with realm n as the current one.
func (m *Machine) InRealm(n uint8, f func() error) error {
	back := m.switchRealm(n)
	err := m.settleError(f())
	m.switchRealm(back)
	return err
}

// settleError turns an error of another package into an exception of the
// current realm.
func (m *Machine) settleError(err error) error {
	if err != nil && err != errThrown && m.toException(err) {
		return errThrown
	}
	return err
}

// switchRealm makes realm n the current one and returns which was.
func (m *Machine) switchRealm(n uint8) (back uint8) {
	back = m.current
	if n == back {
		return back
	}
	old, s := m.realms[back], m.realms[n]
	old.intrinsics, old.shapes, old.intact, old.memo = m.intrinsics, m.shapes, m.intact, m.Memo
	old.regexp, old.regexpResult, old.last = m.regexps.shape, m.regexps.result, m.regexps.last
	m.intrinsics, m.shapes, m.intact, m.Memo = s.intrinsics, s.shapes, s.intact, s.memo
	m.regexps.shape, m.regexps.result, m.regexps.last = s.regexp, s.regexpResult, s.last
	m.current = n
	return back
}

// intrinsicOf returns an intrinsic of a realm.
func (m *Machine) intrinsicOf(realm uint8, i Intrinsic) Obj {
	if realm == m.current {
		return m.intrinsics[i]
	}
	return m.realms[realm].intrinsics[i]
}

// functionRealm is GetFunctionRealm (§7.3.25).
func (m *Machine) functionRealm(f Obj) (uint8, error) {
	for {
		rec := m.H.Obj(f)
		switch rec.Class {
		case heap.ClassFunction:
			return m.fnOf(rec).prog.realm, nil
		case heap.ClassNative, heap.ClassHostFunction:
			return rec.Realm, nil
		case heap.ClassBound, heap.ClassProxy:
		default:
			return m.current, nil
		}
		target := m.H.Word(rec.Data.AsBlock(), 0)
		if target == Null {
			return 0, m.TypeError("Cannot perform 'get' on a proxy that has been revoked")
		}
		f = target.AsObj()
		if err := m.Charge(1); err != nil {
			return 0, err
		}
	}
}

// IsForeign reports whether the constructor f is the intrinsic i of a realm
// that is not the current one.
func (m *Machine) IsForeign(f Obj, i Intrinsic) (bool, error) {
	if len(m.realms) == 0 {
		return false, nil
	}
	r, err := m.functionRealm(f)
	return err == nil && r != m.current && f == m.intrinsicOf(r, i), err
}

// callForeign calls a built-in or host function of another realm.
func (m *Machine) callForeign(o Obj, base, argc int, newTarget Value) (Value, error) {
	rec := m.H.Obj(o)
	if newTarget != Undefined && rec.Flags&heap.Constructor == 0 {
		return Undefined, m.notCallable(m.stack[base], true)
	}
	fn := m.hostOrNative(rec)
	back := m.switchRealm(rec.Realm)
	m.sp = base + 2 + argc
	m.high = max(m.high, m.sp)
	held := m.held
	v, err := fn(m, Call{This: m.stack[base+1], Args: m.stack[base+2 : base+2+argc : base+2+argc], NewTarget: newTarget, Callee: o})
	err = m.settleError(err)
	m.sp = base
	m.letGo(held)
	m.switchRealm(back)
	return v, err
}

func (m *Machine) hostOrNative(rec *heap.Object) NativeFunc {
	if rec.Class == heap.ClassHostFunction {
		return m.hosts[rec.Length].fn
	}
	return m.realm.natives[rec.Length].fn
}

// pushForeign is pushFrame for a function of another realm.
func (m *Machine) pushForeign(fn *fnState, rec *heap.Object, base, argc, dst int, newTarget Value) error {
	back := m.switchRealm(fn.prog.realm)
	if err := m.pushFrameSlow(fn, rec, base, argc, dst, newTarget); err != nil {
		err = m.settleError(err)
		m.switchRealm(back)
		return err
	}
	fr := &m.frames[len(m.frames)-1]
	fr.flags |= frameRealm
	fr.back = back
	return nil
}

// leaveRealm makes the realm of a frame's caller the current one again.
func (m *Machine) leaveRealm(fr *frame) {
	if fr.flags&frameRealm != 0 {
		fr.flags &^= frameRealm
		m.switchRealm(fr.back)
	}
}

// finishForeign is finish for a frame whose caller is of another realm.
// [[Construct]] judges the result when the caller's context is the running one
// again (§10.2.2).
func (m *Machine) finishForeign(v Value) (Value, bool, error) {
	fr := &m.frames[len(m.frames)-1]
	back, depth := fr.back, len(m.frames)
	if fr.flags&frameConstruct != 0 {
		m.leaveRealm(fr)
		return m.finish(v)
	}
	fr.flags &^= frameRealm
	r, done, err := m.finish(v)
	if err != nil && len(m.frames) == depth {
		m.frames[depth-1].flags |= frameRealm
		return r, done, err
	}
	m.switchRealm(back)
	return r, done, err
}

func (s *realmState) mark(h *heap.Heap) {
	for _, o := range s.intrinsics { //meter: a fixed number
		h.MarkObj(o)
	}
	for _, o := range s.anchors { //meter: a fixed number
		h.MarkObj(o)
	}
	s.last.mark(h)
}
