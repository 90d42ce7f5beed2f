package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// fnState is what a run keeps for a bytecode function: its inline caches and
// the program it belongs to.
type fnState struct {
	fn        *bytecode.Function
	prog      *progState
	code      []bytecode.Instr
	ics       []ic
	templates []Obj
	index     int // in Machine.funcs
	nregs     int32
	nparams   int32
	flags     bytecode.Flags

	// The last prototype that [[Construct]] looked up, and its root shape.
	ctorProto Obj
	ctorShape heap.ShapeID
}

// progState is what a run keeps for a program.
type progState struct {
	p      *bytecode.Program
	consts []Value // 0 = not made yet; +0 is made again each time
	base   int     // of its functions in Machine.funcs
	module *moduleRecord
	origin *progState // of eval code and dynamic functions: the active script or module
	meta   Obj        // import.meta
	// literals are the regular expression literals, by their pattern's constant.
	literals []regExpLiteral
	evalAt   ThrowSite       // of eval code and dynamic functions: the call that made it
	evalIn   string          // the function that the call is in
	dynamic  bool            // the Function constructor made it
	params   int             // … of parameters so long
	outer    *bytecode.Scope // of direct eval: what its code was compiled inside of
	pinned   bool            // an error's stack refers to its functions
	realm    uint8
	cost     int64 // what it was charged
}

// referrer is the name that imports are relative to.
func (s *progState) referrer() string {
	if s.origin != nil {
		return s.origin.p.Name
	}
	return s.p.Name
}

// loadHere is load for source that running code supplies: it belongs to the
// active script or module (§9.4.1), and to this run alone, which pays for it.
func (m *Machine) loadHere(p *bytecode.Program) *progState {
	s := m.load(p)
	if n := len(m.frames); n > 0 {
		fr := &m.frames[n-1]
		s.evalAt, s.evalIn = ThrowSite{fn: fr.fn, pc: fr.pc}, m.frameName(fr.fn, m.stack[fr.base])
		if s.origin = fr.fn.prog; s.origin.origin != nil {
			s.origin = s.origin.origin
		}
	}
	size := p.Size() + int64(len(s.evalIn))
	_ = m.meter.Grow(size) //meter: sticky
	s.cost += size
	return s
}

// ic is an inline cache. Its meaning depends on the instruction; shape 0 is
// empty.
type ic struct {
	key    Key
	shape  heap.ShapeID // of the receiver
	holder Obj          // where the property is, when not on the receiver
	to     heap.ShapeID // the receiver's next shape, when the property is added
	epoch  uint32       // of the heap, when a prototype was looked at
	slot   int32
	kind   icKind
	more   uint32 // 1 + index in Machine.polys, 0 = the site has seen one shape
}

// polyEntry is what an inline cache remembered before it saw another shape.
type polyEntry struct {
	shape  heap.ShapeID
	holder Obj
	to     heap.ShapeID
	epoch  uint32
	slot   int32
	kind   icKind
}

// polySites is the entries of a polymorphic site beside the inline one: what
// the site has seen lately.
type polySites struct {
	e    [3]polyEntry
	next int
}

// demote moves what an inline cache holds to the site's other entries, before
// it is filled anew.
func (m *Machine) demote(c *ic) {
	if c.shape == 0 || c.kind == icPrimitive {
		return
	}
	if c.more == 0 {
		_ = m.meter.Grow(80) //meter: sticky
		m.polys = append(m.polys, polySites{})
		c.more = uint32(len(m.polys))
	}
	p := &m.polys[c.more-1]
	p.e[p.next] = polyEntry{shape: c.shape, holder: c.holder, to: c.to, epoch: c.epoch, slot: c.slot, kind: c.kind}
	p.next = (p.next + 1) % len(p.e)
}

// findPoly looks for a shape among a site's other entries.
func (m *Machine) findPoly(c *ic, shape heap.ShapeID) *polyEntry {
	p := &m.polys[c.more-1]
	for i := range p.e { //meter: a fixed number
		if e := &p.e[i]; e.shape == shape {
			return e
		}
	}
	return nil
}

type icKind uint32

const (
	icData      icKind = iota // the slot holds the value
	icAccessor                // the slot holds a pair: call the getter
	icPrimitive               // the receiver is a primitive whose prototype is holder, of the given shape
)

// load makes a program known to the run.
func (m *Machine) load(p *bytecode.Program) *progState {
	s := &progState{p: p, realm: m.current, base: len(m.funcs), consts: make([]Value, len(p.Consts))}
	s.cost = int64(len(p.Consts)+len(p.Funcs))*8 + 128
	_ = m.meter.Grow(s.cost) //meter: sticky
	m.progs = append(m.progs, s)
	m.funcs = append(m.funcs, make([]*fnState, len(p.Funcs))...)
	return s
}

// unload forgets the newest program if nothing refers to it: eval in a loop
// would fill the run's memory otherwise. A program whose only function that was
// ever needed is its body has left no closure behind.
func (m *Machine) unload(s *progState) {
	n := len(m.progs)
	if n == 0 || m.progs[n-1] != s || s.pinned {
		return
	}
	for _, f := range m.funcs[s.base+1:] { //meter: functions of one source text
		if f != nil {
			return
		}
	}
	if f := m.funcs[s.base]; f != nil {
		for i := range f.ics { //meter: instructions of one source text
			if f.ics[i].more != 0 {
				return // its polymorphic entries are numbered in the order of creation
			}
		}
		s.cost += fnCost(f.fn)
	}
	m.progs = m.progs[:n-1]
	clear(m.funcs[s.base:])
	m.funcs = m.funcs[:s.base]
	m.meter.Shrink(s.cost)
}

// fnCost is what the state of a function is charged.
func fnCost(fn *bytecode.Function) int64 { return int64(len(fn.ICs))*40 + 160 }

// fnAt returns the state of function i of a program, made on first use.
func (m *Machine) fnAt(p *progState, i int) *fnState {
	f := m.funcs[p.base+i]
	if f == nil {
		fn := p.p.Funcs[i]
		_ = m.meter.Grow(fnCost(fn)) //meter: sticky
		f = &fnState{
			fn: fn, prog: p, code: fn.Code, index: p.base + i,
			nregs: int32(fn.NumRegs), nparams: int32(fn.NumParams), flags: fn.Flags,
			ics: make([]ic, len(fn.ICs)), templates: make([]Obj, len(fn.Templates)),
		}
		if len(m.realms) > 0 {
			f.flags |= flagRealm
		}
		if f.nregs > largeFrame {
			f.flags |= flagLarge
		}
		m.funcs[p.base+i] = f
	}
	return f
}

// fnOf returns the state of a closure's function.
func (m *Machine) fnOf(rec *heap.Object) *fnState { return m.funcs[rec.Length] }

// constant returns constant i of a program as a value.
func (m *Machine) constant(p *progState, i uint32) (Value, error) {
	if v := p.consts[i]; v != 0 {
		return v, nil
	}
	c := &p.p.Consts[i]
	var v Value
	switch c.Kind {
	case bytecode.ConstNumber:
		v = heap.CanonicalFloat(c.Num)
	case bytecode.ConstString:
		s, err := m.H.NewString(c.Str)
		if err != nil {
			return Undefined, err
		}
		if len(c.Str) <= 256 {
			if s, err = m.H.Intern(s); err != nil {
				return Undefined, err
			}
		}
		v = heap.StringValue(s)
	case bytecode.ConstBigInt:
		x, err := m.parseBigLiteral(c.Str)
		if err != nil {
			return Undefined, err
		}
		v = x
	}
	p.consts[i] = v
	return v, nil
}

// icKey returns the property key that an inline cache is for.
func (m *Machine) icKey(fn *fnState, i uint16) (Key, error) {
	c := &fn.ics[i]
	if c.key != 0 {
		return c.key, nil
	}
	v, err := m.constant(fn.prog, fn.fn.ICs[i].Name)
	if err != nil {
		return 0, err
	}
	k, err := m.H.KeyOf(v.AsStr())
	if err != nil {
		return 0, err
	}
	fn.ics[i].key = k
	if !k.IsIndex() {
		// The constant keeps the key's string alive.
		fn.prog.consts[fn.fn.ICs[i].Name] = heap.StringValue(k.Name())
	}
	return k, nil
}

// newClosure makes a function object for a bytecode function. Its own
// properties are made when somebody looks: see materialize.
func (m *Machine) newClosure(fn *fnState, env Value) Obj {
	shape := m.shapes.lazyFunction
	flags := heap.Callable | heap.LazyProps
	switch f := fn.flags; {
	case f&(bytecode.FlagAsync|bytecode.FlagGenerator) == bytecode.FlagAsync|bytecode.FlagGenerator:
		shape = m.shapes.lazyAsyncGenerator
	case f&bytecode.FlagGenerator != 0:
		shape = m.shapes.lazyGenerator
	case f&bytecode.FlagAsync != 0:
		shape = m.shapes.lazyAsync
	case f&(bytecode.FlagArrow|bytecode.FlagMethod|bytecode.FlagNoPrototype) == 0:
		flags |= heap.Constructor
	}
	if fn.flags&bytecode.FlagClassConstructor != 0 {
		flags |= heap.Constructor | heap.ClassCtor
	}
	if fn.flags&bytecode.FlagDerived != 0 {
		flags |= heap.Derived
	}
	o := m.H.NewObject(shape, heap.ClassFunction)
	w := m.H.ObjW(o)
	w.Flags = flags
	w.Length = uint32(fn.index)
	w.Data = env
	return o
}

// materialize gives a function its own properties length, name and prototype.
func (m *Machine) materialize(o Obj) {
	rec := m.H.Obj(o)
	fn := m.fnOf(rec)
	if fn.prog.realm != m.current {
		back := m.switchRealm(fn.prog.realm)
		defer m.switchRealm(back)
	}
	proto := m.H.Proto(o)
	w := m.H.ObjW(o)
	w.Flags &^= heap.LazyProps
	w.Shape = m.H.RootShape(proto)
	m.H.AddNamed(o, m.N.Length.Name(), heap.Int(int32(fn.fn.Length)), heap.Configurable)
	m.H.AddNamed(o, m.N.Name.Name(), m.nameValue(fn), heap.Configurable)
	switch {
	case fn.flags&bytecode.FlagClassConstructor != 0:
		// op Class adds prototype.
	case fn.flags&bytecode.FlagGenerator != 0:
		p := m.intrinsics[GeneratorPrototype]
		if fn.flags&bytecode.FlagAsync != 0 {
			p = m.intrinsics[AsyncGeneratorPrototype]
		}
		po := m.H.NewObject(m.H.RootShape(p), heap.ClassObject)
		m.H.AddNamed(o, m.N.Prototype.Name(), heap.ObjectValue(po), heap.Writable)
	case m.H.Obj(o).Flags&heap.Constructor != 0:
		po := m.H.NewObject(m.shapes.object, heap.ClassObject)
		m.H.AddNamed(po, m.N.Constructor.Name(), heap.ObjectValue(o), heap.HiddenAttrs)
		m.H.AddNamed(o, m.N.Prototype.Name(), heap.ObjectValue(po), heap.Writable)
	}
}

func (m *Machine) nameValue(fn *fnState) Value {
	if fn.fn.Name == "" {
		return heap.StringValue(m.N.StrEmpty)
	}
	s, err := m.H.Atom(fn.fn.Name)
	if err != nil { //meter: sticky: the next charge ends the run
		s = m.N.StrEmpty // the meter has failed; its next charge ends the run
	}
	return heap.StringValue(s)
}

// NewNative makes a built-in function object at run time: a closure of Go
// code. data is its bound value, read through m.NativeData(c.Callee).
// fn must come from the realm's table: see Builder.Func and m.Native.
func (m *Machine) NewNative(template Obj, data Value, length int, name Str) Obj {
	o := m.H.NewObject(m.shapes.function, heap.ClassNative)
	w := m.H.ObjW(o)
	w.Length = m.H.Obj(template).Length
	w.Flags |= heap.Callable
	w.Realm = m.current
	w.Data = data
	m.H.AddNamed(o, m.N.Length.Name(), heap.Int(int32(length)), heap.Configurable)
	if name == 0 {
		name = m.N.StrEmpty
	}
	m.H.AddNamed(o, m.N.Name.Name(), heap.StringValue(name), heap.Configurable)
	return o
}

// NativeData returns the value bound to a native function.
func (m *Machine) NativeData(f Obj) Value { return m.H.Obj(f).Data }

// NewHostFunction makes a function object for a Go function of the host.
func (m *Machine) NewHostFunction(name string, length int, fn NativeFunc) (Obj, error) {
	s, err := m.H.Atom(name)
	if err != nil {
		return 0, err
	}
	o := m.H.NewObject(m.shapes.function, heap.ClassHostFunction)
	w := m.H.ObjW(o)
	w.Length = uint32(len(m.hosts))
	w.Flags |= heap.Callable
	w.Realm = m.current
	m.hosts = append(m.hosts, hostFunc{fn: fn, name: name})
	m.H.AddNamed(o, m.N.Length.Name(), heap.Int(int32(length)), heap.Configurable)
	m.H.AddNamed(o, m.N.Name.Name(), heap.StringValue(s), heap.Configurable)
	return o, nil
}

// SetFunctionName is SetFunctionName (§10.2.9) with prefix "", "get" or "set".
func (m *Machine) SetFunctionName(f Obj, key Key, prefix string) error {
	if m.H.Obj(f).Flags&heap.LazyProps != 0 {
		m.materialize(f)
	}
	var name Value
	if key.IsSymbol() {
		d := m.H.Description(key.Name())
		switch {
		case m.H.IsPrivateName(key.Name()):
			name = heap.StringValue(d)
		case d == 0:
			name = heap.StringValue(m.N.StrEmpty)
		default:
			s, err := m.H.Concat(m.H.Char('['), d)
			if err == nil {
				s, err = m.H.Concat(s, m.H.Char(']'))
			}
			if err != nil {
				return err
			}
			name = heap.StringValue(s)
		}
	} else {
		v, err := m.KeyValue(key)
		if err != nil {
			return err
		}
		name = v
	}
	if prefix != "" {
		p, err := m.H.NewString(prefix + " ")
		if err != nil {
			return err
		}
		s, err := m.H.Concat(p, name.AsStr())
		if err != nil {
			return err
		}
		name = heap.StringValue(s)
	}
	if slot, _, ok := m.H.Lookup(m.H.Obj(f).Shape, m.N.Name.Name()); ok {
		m.H.SetSlot(f, slot, name)
		return nil
	}
	m.H.AddNamed(f, m.N.Name.Name(), name, heap.Configurable)
	return nil
}

// PrototypeFromConstructor is GetPrototypeFromConstructor (§10.1.14): the
// prototype for a new object; newTarget Undefined gives the default.
func (m *Machine) PrototypeFromConstructor(newTarget Value, def Intrinsic) (Obj, error) {
	if newTarget == Undefined {
		return m.intrinsics[def], nil
	}
	v, err := m.Get(newTarget.AsObj(), m.N.Prototype)
	if err != nil {
		return 0, err
	}
	if v.IsObject() {
		return v.AsObj(), nil
	}
	r, err := m.functionRealm(newTarget.AsObj())
	if err != nil {
		return 0, err
	}
	return m.intrinsicOf(r, def), nil
}

// NewFrom is OrdinaryCreateFromConstructor with a class: an object whose
// prototype comes from newTarget.
func (m *Machine) NewFrom(newTarget Value, def Intrinsic, class heap.Class) (Obj, error) {
	p, err := m.PrototypeFromConstructor(newTarget, def)
	if err != nil {
		return 0, err
	}
	return m.H.NewObject(m.H.RootShape(p), class), nil
}

// NewPlain makes an ordinary object with %Object.prototype%.
func (m *Machine) NewPlain() Obj { return m.H.NewObject(m.shapes.object, heap.ClassObject) }

// NewWithProto makes an ordinary object; proto 0 is null.
func (m *Machine) NewWithProto(proto Obj) Obj {
	return m.H.NewObject(m.H.RootShape(proto), heap.ClassObject)
}

// IterResult makes {value, done}.
func (m *Machine) IterResult(v Value, done bool) Value {
	o := m.H.NewObject(m.shapes.iterResult, heap.ClassObject)
	w := m.H.ObjW(o)
	w.Inline[0], w.Inline[1] = v, heap.Bool(done)
	return heap.ObjectValue(o)
}
