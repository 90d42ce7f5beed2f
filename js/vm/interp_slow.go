package vm

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
)

func (m *Machine) tdzError(fn *fnState, name uint32) error {
	return m.ReferenceError("Cannot access '%s' before initialization", fn.prog.p.Consts[name].Str)
}

// tdzAt throws for the environment slot that the instruction before pc uses.
func (m *Machine) tdzAt(fn *fnState, pc int) error {
	names := fn.fn.TDZNames
	lo, hi := 0, len(names)
	for lo < hi { //meter: at most 32 steps
		mid := (lo + hi) / 2
		if int(names[mid].PC) < pc-1 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(names) && int(names[lo].PC) == pc-1 {
		if fn.prog.p.Consts[names[lo].Name].Str == "this" {
			return m.ReferenceError("Must call super constructor in derived class before accessing 'this' or returning from derived constructor")
		}
		return m.tdzError(fn, names[lo].Name)
	}
	return m.ReferenceError("Cannot access a variable before initialization")
}

var errorKinds = [...]Intrinsic{
	bytecode.ErrError: ErrorPrototype, bytecode.ErrType: TypeErrorPrototype, bytecode.ErrRange: RangeErrorPrototype,
	bytecode.ErrReference: ReferenceErrorPrototype, bytecode.ErrSyntax: SyntaxErrorPrototype,
	bytecode.ErrEval: EvalErrorPrototype, bytecode.ErrURI: URIErrorPrototype,
}

func (m *Machine) throwKind(fn *fnState, kind bytecode.ErrorKind, msg uint32) error {
	return m.throwNew(errorKinds[kind], "%s", []any{fn.prog.p.Consts[msg].Str})
}

// wrongReceiver throws for the access of a private method or accessor that the
// innermost frame is at; nil if it is at something else.
func (m *Machine) wrongReceiver() error {
	fr := &m.frames[len(m.frames)-1]
	if t := m.calleeText(fr.fn, fr.pc); t != "" {
		return m.TypeError("Receiver must be %s", t)
	}
	return nil
}

func (m *Machine) badInstruction(fn *fnState, pc int, in bytecode.Instr) error {
	return fmt.Errorf("vm: no such instruction: %d at %d of %q", in.Op, pc-1, fn.fn.Name)
}

// calleeText is the source text of the expression that the instruction before
// pc calls, iterates or destructures, for messages.
func (m *Machine) calleeText(fn *fnState, pc int) string {
	s, ok := fn.fn.SpanOf(pc - 1)
	if !ok {
		return ""
	}
	if s.Text > 0 {
		return fn.fn.Texts[s.Text-1]
	}
	src := fn.prog.p.Source
	if s.Start < 0 || int(s.End) > len(src) || s.Start >= s.End {
		return ""
	}
	t := src[s.Start:s.End]
	if len(t) > maxQuoted {
		return strings.ToValidUTF8(t[:maxQuoted], "") + "…"
	}
	return t
}

func (m *Machine) notCallableAt(fn *fnState, pc int, v Value, construct bool) error {
	t := m.calleeText(fn, pc)
	if t == "" {
		t = m.Describe(v)
	}
	if construct {
		return m.TypeError("%s is not a constructor", t)
	}
	if s, ok := fn.fn.SpanOf(pc - 1); ok && s.Call {
		return m.TypeError("%s is not a function or its return value is not iterable", t)
	}
	return m.TypeError("%s is not a function", t)
}

// notDestructurable throws for a pattern that meets undefined or null. The
// message is a constant with marks in it: see CheckObjectCoercible.
func (m *Machine) notDestructurable(fn *fnState, v Value, text uint32) error {
	msg := strings.NewReplacer("\x00", m.typeName(v), "\x01", m.CallSite(v)).Replace(fn.prog.p.Consts[text].Str)
	return m.TypeError("%s", msg)
}

// CallSite is how V8's messages describe a value whose expression they can't
// quote: its type, and the value of primitives.
func (m *Machine) CallSite(v Value) string {
	switch t := m.H.GoString(m.TypeOf(v)); {
	case v == Undefined:
		return t
	case v.IsString():
		return t + " \"" + m.Describe(v) + "\""
	case v == Null, v.IsBool(), v.IsNumber():
		return t + " " + m.Describe(v)
	default:
		return t
	}
}

// compareJump decides a fused compare-and-jump whose operands are not both
// int32.
func (m *Machine) compareJump(op bytecode.Op, a, b Value) (bool, error) {
	c := 0
	if a.IsNumber() && b.IsNumber() {
		x, y := a.AsFloat(), b.AsFloat()
		switch {
		case x < y:
			c = -1
		case x > y:
			c = 1
		case x != y:
			c = unordered
		}
	} else {
		var err error
		if c, err = m.compare(a, b); err != nil {
			return false, err
		}
	}
	switch op {
	case bytecode.JLt, bytecode.JLtI:
		return relational(bytecode.Lt, c), nil
	case bytecode.JLe, bytecode.JLeI:
		return relational(bytecode.Le, c), nil
	case bytecode.JGt, bytecode.JGtI:
		return relational(bytecode.Gt, c), nil
	case bytecode.JGe, bytecode.JGeI:
		return relational(bytecode.Ge, c), nil
	case bytecode.JNLt, bytecode.JNLtI:
		return !relational(bytecode.Lt, c), nil
	case bytecode.JNLe, bytecode.JNLeI:
		return !relational(bytecode.Le, c), nil
	case bytecode.JNGt, bytecode.JNGtI:
		return !relational(bytecode.Gt, c), nil
	}
	return !relational(bytecode.Ge, c), nil
}

// notSuperConstructor throws for super() in fn.
func (m *Machine) notSuperConstructor(fn *fnState, super Value) error {
	name := m.Describe(super)
	if m.IsCallable(super) {
		if name = m.FunctionName(super.AsObj()); name == "" {
			name = "null"
		}
	}
	if fn.flags&bytecode.FlagClassConstructor == 0 || fn.fn.Name == "" {
		return m.TypeError("Super constructor %s of anonymous class is not a constructor", name)
	}
	return m.TypeError("Super constructor %s of %s is not a constructor", name, fn.fn.Name)
}

// callSpread is a call whose arguments are in an array.
func (m *Machine) callSpread(fn *fnState, in bytecode.Instr, frameBase, pc int) (Value, bool, error) {
	w := frameBase + int(in.B)
	f, second, args := m.stack[w], m.stack[w+1], m.stack[w+2].AsObj()
	construct := in.Op == bytecode.NewSpread || in.Op == bytecode.SuperCallSpread
	if construct && !m.IsConstructor(f) {
		if in.Op == bytecode.SuperCallSpread {
			return Undefined, false, m.notSuperConstructor(fn, f)
		}
		return Undefined, false, m.notCallableAt(fn, pc, f, true)
	}
	if !construct && !m.IsCallable(f) {
		return Undefined, false, m.notCallableAt(fn, pc, f, false)
	}
	this, newTarget := second, Undefined
	if construct {
		this, newTarget = Empty, second
	}
	return m.callArray(f, this, args, frameBase+int(in.A), newTarget)
}

// callArray lays out a call whose arguments are the elements of a dense array
// and enters it.
func (m *Machine) callArray(f, this Value, args Obj, dst int, newTarget Value) (Value, bool, error) {
	n := int(m.H.Obj(args).Length)
	if n > maxArgs {
		return Undefined, false, m.RangeError("Maximum call stack size exceeded: too many arguments (limit %d)", maxArgs)
	}
	if err := m.Charge(n / 8); err != nil {
		return Undefined, false, err
	}
	base := m.pushArgs(f, this, nil)
	m.growStack(n)
	copy(m.stack[base+2:], m.H.Elems(args))
	m.high = max(m.high, base+2+n)
	calls := len(m.calls)
	m.calls = append(m.calls, callRec{base: base, depth: len(m.frames), construct: newTarget != Undefined})
	v, pushed, err := m.enter(base, n, dst, newTarget)
	m.calls = m.calls[:calls]
	m.sp = base
	return v, pushed, err
}

func (m *Machine) superForward(fn *fnState, in bytecode.Instr, frameBase int, newTarget Value) (Value, bool, error) {
	f := m.stack[frameBase+int(in.B)]
	if !m.IsConstructor(f) {
		return Undefined, false, m.notSuperConstructor(fn, f)
	}
	args := m.stack[frameBase+int(fn.fn.ArgsReg)].AsObj()
	return m.callArray(f, Empty, args, frameBase+int(in.A), newTarget)
}

func (m *Machine) restArray(args Obj, from int) (Value, error) {
	all := m.H.Elems(args)
	if from >= len(all) {
		return heap.ObjectValue(m.NewArrayLen(0)), nil
	}
	n := len(all) - from
	b, err := m.H.NewValues(n)
	if err != nil {
		return Undefined, err
	}
	copy(m.H.ValuesW(b), m.H.Elems(args)[from:])
	o := m.NewArrayLen(uint32(n))
	m.H.SetElems(o, b, n)
	return heap.ObjectValue(o), nil
}

func mappedOf(slots []uint16) []uint16 {
	if slots == nil {
		return []uint16{}
	}
	return slots
}

func (m *Machine) arraySpread(fn *fnState, pc int, to Obj, v Value) error {
	if m.plainArray(v) {
		from := v.AsObj()
		rec := m.H.Obj(from)
		if rec.Flags&heap.Sparse == 0 && rec.ElemLen == rec.Length {
			n := int(rec.ElemLen)
			if err := m.Charge(n / 8); err != nil {
				return err
			}
			start := int(m.H.Obj(to).ElemLen)
			if err := m.H.EnsureElems(to, start+n); err != nil {
				return err
			}
			w := m.H.ObjW(to)
			w.ElemLen, w.Length = uint32(start+n), uint32(start+n)
			dst, holes := m.H.ElemsW(to)[start:], false
			for i, x := range m.H.Elems(from) { //meter: charged above
				holes = holes || x == Empty
				dst[i] = x
			}
			if holes {
				for i := range n {
					if m.H.Elems(to)[start+i] == Empty {
						x, err := m.Get(from, heap.IndexKey(uint32(i)))
						if err != nil {
							return err
						}
						m.H.SetElem(to, uint32(start+i), x)
					}
				}
			}
			return nil
		}
		return m.Iterate(v, func(x Value) (bool, error) { return false, m.H.Push(to, x) })
	}
	it, err := m.getIterAt(fn, pc, v)
	if err != nil {
		return err
	}
	for {
		x, ok, err := m.Step(&it)
		if err != nil || !ok {
			return err
		}
		if err := m.H.Push(to, x); err != nil {
			return err
		}
	}
}

// initField is InitField when its inline cache misses.
func (m *Machine) initField(fn *fnState, i uint16, o Obj, v Value) error {
	key, err := m.icKey(fn, i)
	if err != nil {
		return err
	}
	rec := m.H.Obj(o)
	if !key.IsIndex() && rec.Flags&(heap.Exotic|heap.LazyProps|heap.NonExtensible) == 0 && rec.Class != heap.ClassArray {
		if _, _, ok := m.H.Lookup(rec.Shape, key.Name()); !ok {
			old := rec.Shape
			m.H.AddNamed(o, key.Name(), v, heap.DefaultAttrs)
			if !m.H.IsDict(old) && !m.H.IsDict(m.H.Obj(o).Shape) && m.H.Obj(o).Flags&heap.IsProto == 0 {
				c := &fn.ics[i]
				c.shape, c.to = old, m.H.Obj(o).Shape
				c.slot = int32(m.H.Shape(c.to).Count) - 1
			}
			return nil
		}
	}
	return m.CreateDataOrThrow(o, key, v)
}

func (m *Machine) initElem(o Obj, k, v Value) error {
	key, err := m.ToKey(k)
	if err != nil {
		return err
	}
	return m.CreateDataOrThrow(o, key, v)
}

// defineMember defines a method or accessor of an object literal (enumerable)
// or a class (not).
func (m *Machine) defineMember(op bytecode.Op, o Obj, k, f Value) error {
	key, err := m.ToKey(k)
	if err != nil {
		return err
	}
	switch op {
	case bytecode.DefMethod:
		return m.DefineOrThrow(o, key, DataDesc(f, heap.HiddenAttrs))
	case bytecode.InitGetter, bytecode.DefGetter:
		d := Desc{Value: Empty, Get: f, Set: Empty, Attrs: heap.Configurable, Has: heap.Enumerable | heap.Configurable}
		if op == bytecode.InitGetter {
			d.Attrs |= heap.Enumerable
		}
		return m.DefineOrThrow(o, key, d)
	}
	d := Desc{Value: Empty, Get: Empty, Set: f, Attrs: heap.Configurable, Has: heap.Enumerable | heap.Configurable}
	if op == bytecode.InitSetter {
		d.Attrs |= heap.Enumerable
	}
	return m.DefineOrThrow(o, key, d)
}

// CopyDataProperties is CopyDataProperties (§7.3.26).
func (m *Machine) CopyDataProperties(to Obj, from Value, excluded []Key) error {
	if from.IsNullish() {
		return nil
	}
	src, err := m.ToObject(from)
	if err != nil {
		return err
	}
	rec := m.H.Obj(src)
	if len(excluded) == 0 && rec.Class == heap.ClassObject && rec.Flags&heap.Exotic == 0 && m.H.NumElems(src) == 0 {
		if done, err := m.copyPlain(to, src); done || err != nil {
			return err
		}
	}
	keys, err := m.OwnKeys(src)
	if err != nil {
		return err
	}
next:
	for _, k := range keys {
		if err := m.Charge(1 + len(excluded)/8); err != nil {
			return err
		}
		for _, x := range excluded { //meter: charged above
			if x == k {
				continue next
			}
		}
		d, ok, err := m.GetOwnProperty(src, k)
		if err != nil {
			return err
		}
		if !ok || d.Attrs&heap.Enumerable == 0 {
			continue
		}
		v, err := m.Get(src, k)
		if err != nil {
			return err
		}
		if err := m.CreateDataOrThrow(to, k, v); err != nil {
			return err
		}
	}
	return nil
}

// copyPlain copies the properties of an ordinary object without accessors,
// strings before symbols.
func (m *Machine) copyPlain(to, src Obj) (bool, error) {
	var buf [32]heap.Prop
	if err := m.ChargeKeys(m.H.NumNamed(src) / 2); err != nil {
		return false, err
	}
	props := m.H.Named(src, buf[:0])
	for _, p := range props { //meter: charged above
		if p.Attrs&heap.Accessor != 0 || m.H.IsSymbolCell(p.Name) {
			return false, nil
		}
	}
	for i, p := range props {
		if i&15 == 15 {
			if err := m.Charge(8); err != nil {
				return true, err
			}
		}
		if p.Attrs&heap.Enumerable == 0 {
			continue
		}
		if err := m.CreateDataOrThrow(to, heap.AtomKey(p.Name), m.H.Slot(m.H.Obj(src), p.Slot)); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (m *Machine) objRest(from, excluded Value) (Value, error) {
	list := m.H.Elems(excluded.AsObj())
	keys := make([]Key, 0, len(list))
	for i := range len(list) { //meter: the properties a pattern names
		k, err := m.ToKey(m.H.Elems(excluded.AsObj())[i])
		if err != nil {
			return Undefined, err
		}
		keys = append(keys, k)
	}
	o := m.NewPlain()
	return heap.ObjectValue(o), m.CopyDataProperties(o, from, keys)
}

func (m *Machine) setFuncName(f Obj, k Value, prefix uint16) error {
	key, err := m.ToKey(k)
	if err != nil {
		return err
	}
	p := ""
	switch prefix {
	case 1:
		p = "get"
	case 2:
		p = "set"
	}
	return m.SetFunctionName(f, key, p)
}

func (m *Machine) toKeyValue(v Value) (Value, error) {
	k, err := m.ToKey(v)
	if err != nil {
		return Undefined, err
	}
	if k.IsIndex() && k.Index() < 1<<31 {
		return heap.Int(int32(k.Index())), nil
	}
	return m.KeyValue(k)
}

// templateObject is GetTemplateObject (§13.2.8.4): one per site and realm.
func (m *Machine) templateObject(fn *fnState, i int) (Value, error) {
	if o := fn.templates[i]; o != 0 {
		return heap.ObjectValue(o), nil
	}
	site := &fn.fn.Templates[i]
	list := func(ids []int64) (Obj, error) {
		o := m.NewArrayLen(0)
		for _, id := range ids { //meter: the pieces of a template in the source
			v := Undefined
			if id >= 0 {
				var err error
				if v, err = m.constant(fn.prog, uint32(id)); err != nil {
					return 0, err
				}
			}
			if err := m.H.Push(o, v); err != nil {
				return 0, err
			}
		}
		return o, nil
	}
	cooked, err := list(site.Cooked)
	if err != nil {
		return Undefined, err
	}
	raw, err := list(site.Raw)
	if err != nil {
		return Undefined, err
	}
	if _, err := m.SetIntegrityLevel(raw, Frozen); err != nil {
		return Undefined, err
	}
	m.H.AddNamed(cooked, m.N.Raw.Name(), heap.ObjectValue(raw), 0)
	if _, err := m.SetIntegrityLevel(cooked, Frozen); err != nil {
		return Undefined, err
	}
	fn.templates[i] = cooked
	return heap.ObjectValue(cooked), nil
}

func (m *Machine) parseBigLiteral(s string) (Value, error) {
	x, ok, err := conv.ParseBigIntLiteral(m.meter, s)
	if err != nil {
		return Undefined, err
	}
	if !ok {
		x = new(big.Int)
	}
	return m.NewBig(x)
}

// Private names ---------------------------------------------------------------

func (m *Machine) getPrivate(v, name Value) (Value, error) {
	if v.IsObject() {
		x, a, ok := m.H.GetNamed(v.AsObj(), name.AsStr())
		if ok {
			if a&heap.Accessor == 0 {
				return x, nil
			}
			g, _ := m.H.Pair(x)
			if g == Undefined {
				return Undefined, m.TypeError("'%s' was defined without a getter", m.KeyString(heap.SymbolKey(name.AsStr())))
			}
			return m.Call(g, v)
		}
	}
	if v.IsNullish() {
		return Undefined, m.TypeError("Cannot read properties of %s (reading '%s')", m.typeName(v), m.KeyString(heap.SymbolKey(name.AsStr())))
	}
	if err := m.wrongReceiver(); err != nil {
		return Undefined, err
	}
	return Undefined, m.TypeError("Cannot read private member %s from an object whose class did not declare it", m.KeyString(heap.SymbolKey(name.AsStr())))
}

func (m *Machine) setPrivate(v, name, x Value) error {
	key := heap.SymbolKey(name.AsStr())
	if v.IsObject() {
		cur, a, ok := m.H.GetNamed(v.AsObj(), name.AsStr())
		if ok {
			if a&heap.Accessor != 0 {
				_, s := m.H.Pair(cur)
				if s == Undefined {
					return m.TypeError("'%s' was defined without a setter", m.KeyString(key))
				}
				_, err := m.Call(s, v, x)
				return err
			}
			if a&heap.Writable == 0 {
				return m.TypeError("Private method '%s' is not writable", m.KeyString(key))
			}
			slot, _, _ := m.H.Lookup(m.H.Obj(v.AsObj()).Shape, name.AsStr())
			m.H.SetSlot(v.AsObj(), slot, x)
			return nil
		}
	}
	if v.IsNullish() {
		return m.TypeError("Cannot set properties of %s (setting '%s')", m.typeName(v), m.KeyString(key))
	}
	if err := m.wrongReceiver(); err != nil {
		return err
	}
	return m.TypeError("Cannot write private member %s to an object whose class did not declare it", m.KeyString(key))
}

func (m *Machine) initPrivate(op bytecode.Op, v, name, x Value) error {
	o := v.AsObj()
	if m.H.Obj(o).Flags&heap.LazyProps != 0 {
		m.materialize(o)
	}
	cur, a, ok := m.H.GetNamed(o, name.AsStr())
	if ok && (a&heap.Accessor == 0 || op == bytecode.InitPrivate || op == bytecode.InitPrivateMethod) {
		return m.TypeError("Cannot initialize %s twice on the same object", m.KeyString(heap.SymbolKey(name.AsStr())))
	}
	if !ok && m.H.Obj(o).Flags&heap.NonExtensible != 0 {
		return m.TypeError("Cannot define property %s, object is not extensible", m.KeyString(heap.SymbolKey(name.AsStr())))
	}
	switch op {
	case bytecode.InitPrivate:
		m.H.AddNamed(o, name.AsStr(), x, heap.Writable)
	case bytecode.InitPrivateMethod:
		m.H.AddNamed(o, name.AsStr(), x, 0)
	default:
		g, s := Undefined, Undefined
		if ok {
			g, s = m.H.Pair(cur)
		}
		if op == bytecode.InitPrivateGetter {
			if g != Undefined {
				return m.TypeError("Cannot initialize %s twice on the same object", m.KeyString(heap.SymbolKey(name.AsStr())))
			}
			g = x
		} else {
			if s != Undefined {
				return m.TypeError("Cannot initialize %s twice on the same object", m.KeyString(heap.SymbolKey(name.AsStr())))
			}
			s = x
		}
		pair := m.H.NewPair(g, s)
		if !ok {
			m.H.AddNamed(o, name.AsStr(), pair, heap.Accessor)
			return nil
		}
		slot, _, _ := m.H.Lookup(m.H.Obj(o).Shape, name.AsStr())
		m.H.SetSlot(o, slot, pair)
	}
	return nil
}

// newClass is the beginning of ClassDefinitionEvaluation (§15.7.14): the
// constructor and its prototype object.
func (m *Machine) newClass(fn *fnState, env, super Value) (ctor, proto Value, err error) {
	protoParent, ctorParent := m.intrinsics[ObjectPrototype], m.intrinsics[FunctionPrototype]
	switch {
	case super == Empty:
	case super == Null:
		protoParent = 0
	case !m.IsConstructor(super):
		return Undefined, Undefined, m.TypeError("Class extends value %s is not a constructor or null", m.Describe(super))
	default:
		p, err := m.Get(super.AsObj(), m.N.Prototype)
		if err != nil {
			return Undefined, Undefined, err
		}
		if !p.IsObject() && p != Null {
			return Undefined, Undefined, m.TypeError("Class extends value does not have valid prototype property %s", m.Describe(p))
		}
		protoParent, ctorParent = objOf(p), super.AsObj()
	}
	p := m.NewWithProto(protoParent)
	c := m.newClosure(fn, env)
	if err := m.Charge(1); err != nil {
		return Undefined, Undefined, err
	}
	m.materialize(c)
	if ctorParent != m.intrinsics[FunctionPrototype] {
		m.H.SetProto(c, ctorParent)
	}
	m.H.AddNamed(c, m.N.Prototype.Name(), heap.ObjectValue(p), 0)
	m.H.AddNamed(p, m.N.Constructor.Name(), heap.ObjectValue(c), heap.HiddenAttrs)
	return heap.ObjectValue(c), heap.ObjectValue(p), nil
}
