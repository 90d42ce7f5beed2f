package compiler

import (
	"math"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// maxDynamic is how many with statements and functions with a direct eval may
// surround a variable that one of them may hold: each of them is asked for it
// by code of its own.
const maxDynamic = 64

// resolve finds what a name means here: a binding, or nil for a global, and
// the scopes on the way that may hold the name at run time.
func (g *gen) resolve(name string) (*binding, []*scope) {
	var dyn []*scope
	for s := g.scope; s != nil; s = s.parent {
		if len(dyn) > maxDynamic {
			g.cp.fail(g.fi, "with statements and functions that call eval are nested too deeply")
			return nil, nil
		}
		g.cp.work++
		if s.kind != scopeOuter && s.with != nil {
			dyn = append(dyn, s)
			continue
		}
		if b := s.find(name); b != nil {
			return b, dyn
		}
		if s.dynamic() {
			dyn = append(dyn, s)
		}
	}
	return nil, dyn
}

// static resolves a name of the compiler's own.
func (g *gen) static(name string) *binding {
	for s := g.scope; s != nil; s = s.parent {
		if b := s.find(name); b != nil {
			return b
		}
	}
	return nil
}

// local returns the register of a variable that lives in one.
func (g *gen) local(name string, off int32) (uint16, *binding) {
	b, dyn := g.resolve(name)
	if b == nil || dyn != nil || b.captured || b.kind == bindImport {
		return 0, nil
	}
	g.check(b, off)
	if g.stmtPC == g.pc() {
		g.stmtPC = -1
	} else {
		g.curStack = off
	}
	return b.reg, b
}

// check emits a temporal dead zone check of a register where it is needed.
func (g *gen) check(b *binding, off int32) {
	if b.tdz && !b.captured && !b.safe(g.fi, off) {
		g.atVar(off)
		g.wide(bytecode.CheckTDZ, b.reg, g.cp.str(b.name))
	}
}

// checkHere is check without a place of its own.
func (g *gen) checkHere(b *binding, off int32) {
	if b.tdz && !b.captured && !b.safe(g.fi, off) {
		g.wide(bytecode.CheckTDZ, b.reg, g.cp.str(b.name))
	}
}

// dynObject returns the register with the object of a dynamic scope.
func (g *gen) dynObject(s *scope) uint16 {
	b := s.varObj
	if s.with != nil {
		b = s.with
	}
	if !b.captured {
		return b.reg
	}
	r := g.reg()
	g.readSlot(r, b)
	return r
}

// dynHas emits the question whether a dynamic scope has a name.
func (g *gen) dynHas(s *scope, obj, ic uint16, no *label) {
	t := g.reg()
	op := bytecode.DynHasVar
	if s.with != nil {
		op = bytecode.DynHas
	}
	g.op(op, t, obj, ic)
	g.jump(bytecode.JumpFalse, t, no)
}

// loadVar loads a variable.
func (g *gen) loadVar(dst uint16, name string, off int32, soft bool) {
	b, dyn := g.resolve(name)
	g.atVar(off)
	if dyn == nil {
		g.loadStatic(dst, b, name, off, soft)
		return
	}
	end := newLabel()
	mark := g.top
	for _, s := range dyn {
		next := newLabel()
		obj := g.dynObject(s)
		ic := g.ic(name)
		g.dynHas(s, obj, ic, next)
		g.dynGet(dst, s, obj, name)
		g.goTo(end)
		g.bind(next)
		g.top = mark
	}
	g.loadStatic(dst, b, name, off, soft)
	g.bind(end)
}

// dynGet is GetBindingValue of an object environment record (9.1.1.2.6).
func (g *gen) dynGet(dst uint16, s *scope, obj uint16, name string) {
	ic := g.ic(name)
	if s.with == nil {
		g.op(bytecode.GetProp, dst, obj, ic)
		return
	}
	get, end := newLabel(), newLabel()
	t := g.reg()
	g.op(bytecode.DynHasVar, t, obj, ic)
	g.jump(bytecode.JumpTrue, t, get)
	if g.strict {
		g.throwError(bytecode.ErrReference, name+" is not defined")
	} else {
		g.undef(dst)
		g.goTo(end)
	}
	g.bind(get)
	g.op(bytecode.GetProp, dst, obj, ic)
	g.bind(end)
}

func (g *gen) loadStatic(dst uint16, b *binding, name string, off int32, soft bool) {
	switch {
	case b == nil:
		switch name {
		case "undefined":
			g.undef(dst)
			return
		case "NaN":
			g.wide(bytecode.LoadK, dst, g.cp.constant(bytecode.Const{Num: math.NaN()}))
			return
		case "Infinity":
			g.wide(bytecode.LoadK, dst, g.cp.constant(bytecode.Const{Num: math.Inf(1)}))
			return
		}
		op := bytecode.GetGlobal
		if soft {
			op = bytecode.GetGlobalSoft
		}
		g.op(op, dst, 0, g.ic(name))
	case b.kind == bindImport:
		g.wide(bytecode.GetImport, dst, uint32(b.imp))
	case b.captured:
		g.readSlot(dst, b)
	default:
		g.check(b, off)
		g.move(dst, b.reg)
	}
}

// storeStatic assigns to a variable that was resolved without dynamic scopes.
func (g *gen) storeStatic(b *binding, name string, src uint16, off int32) {
	if b == nil {
		g.op(bytecode.SetGlobal, src, 0, g.ic(name))
		return
	}
	switch {
	case b.constant():
		mark := g.top
		switch {
		case b.kind == bindImport:
		case b.captured:
			if !b.safe(g.fi, off) {
				g.readSlot(g.reg(), b)
			}
		default:
			g.checkHere(b, off)
		}
		g.top = mark
		g.wide(bytecode.ThrowConst, 0, g.cp.str(name))
	case b.kind == bindSelf:
		if g.strict {
			g.wide(bytecode.ThrowConst, 0, g.cp.str(name))
		}
	case b.captured:
		g.writeSlot(src, b, b.lexical() && !b.safe(g.fi, off))
	default:
		g.checkHere(b, off)
		g.traceName(b.name)
		g.move(b.reg, src)
	}
}

// initVar initialises a lexical binding of the current scope, or any other by
// name.
func (g *gen) initVar(name string, src uint16, off int32) {
	if b, _ := g.resolve(name); b != nil {
		g.init(b, src)
		return
	}
	g.at(off)
	g.op(bytecode.InitGlobalLex, src, 0, g.ic(name))
}

// ---- this, new.target, super ----

const (
	msgNoThis    = "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
	msgThisTwice = "Super constructor may only be called once"
)

// thisVar returns the variable that holds this where it is no register: nil
// if it is the register or no variable at all.
func (g *gen) thisVar() *binding {
	owner := g.fi.owner()
	if owner.kind == funcOuter {
		return g.static(hidThis)
	}
	if owner.kind == funcScript || owner.kind == funcModule {
		return nil
	}
	b := owner.params.find(hidThis)
	if owner == g.fi && (b == nil || !owner.derived()) {
		return nil
	}
	return b
}

// this returns a register with this.
func (g *gen) this(off int32) uint16 {
	owner := g.fi.owner()
	b := g.thisVar()
	if b == nil {
		switch {
		case owner.kind == funcScript || owner.kind == funcOuter:
			t := g.reg()
			g.op(bytecode.LoadGlobalThis, t, 0, 0)
			return t
		case owner.kind == funcModule:
			t := g.reg()
			g.op(bytecode.LoadUndef, t, bytecode.UndefModule, 0)
			return t
		}
		if owner.derived() {
			g.at(off)
			g.op(bytecode.CheckThis, regThis, 0, 0)
		}
		return regThis
	}
	t := g.reg()
	g.at(off)
	g.readSlot(t, b)
	if owner.derived() {
		ok := newLabel()
		g.jump(bytecode.JumpNotUndef, t, ok)
		g.throwError(bytecode.ErrReference, msgNoThis)
		g.bind(ok)
	}
	return t
}

// bindThis is what super() does with its result: BindThisValue, then the
// fields (13.3.7.1).
func (g *gen) bindThis(v uint16) {
	ok := newLabel()
	mark := g.top
	if b := g.thisVar(); b != nil {
		t := g.reg()
		g.readSlot(t, b)
		g.jump(bytecode.JumpUndef, t, ok)
		g.throwError(bytecode.ErrReference, msgThisTwice)
		g.bind(ok)
		g.writeSlot(v, b, false)
	} else {
		g.jump(bytecode.JumpEmpty, regThis, ok)
		g.throwError(bytecode.ErrReference, msgThisTwice)
		g.bind(ok)
		g.move(regThis, v)
	}
	g.top = mark
	g.initFields(v)
}

// initFields calls the function that initialises the fields of a new instance.
func (g *gen) initFields(this uint16) {
	owner := g.fi.owner()
	var b *binding
	maybe := false
	if owner.kind == funcOuter {
		b, maybe = g.static(hidFields), true
	} else {
		if owner.class == nil {
			return
		}
		b = owner.class.scope.find(hidFields)
		maybe = owner.class.fields == nil
	}
	if b == nil {
		return
	}
	mark := g.top
	w := g.regs(2)
	g.readSlot(w, b)
	skip := newLabel()
	if maybe {
		g.jump(bytecode.JumpUndef, w, skip)
	}
	g.move(w+1, this)
	g.op(bytecode.Call, w, w, 0)
	g.bind(skip)
	g.top = mark
}

// activeFunc returns a register with the active function, for super().
func (g *gen) activeFunc() uint16 {
	owner := g.fi.owner()
	if owner == g.fi {
		return regCallee
	}
	var b *binding
	if owner.kind == funcOuter {
		b = g.static(hidFunc)
	} else {
		b = owner.params.find(hidFunc)
	}
	t := g.reg()
	if b == nil {
		g.undef(t)
		return t
	}
	g.readSlot(t, b)
	return t
}

// newTarget loads new.target.
func (g *gen) newTarget(dst uint16) {
	owner := g.fi.owner()
	var b *binding
	switch {
	case owner == g.fi && owner.kind != funcScript && owner.kind != funcModule:
		g.op(bytecode.LoadNewTarget, dst, 0, 0)
		return
	case owner.kind == funcOuter:
		b = g.static(hidNewTarget)
	case owner.params != nil:
		b = owner.params.find(hidNewTarget)
	}
	if b == nil {
		g.undef(dst)
		return
	}
	g.readSlot(dst, b)
}

// homeObject loads the home object of the method around.
func (g *gen) homeObject(dst uint16) {
	owner := g.fi.owner()
	name := hidHome
	var b *binding
	if owner.kind == funcOuter {
		if owner.ctx.StaticHome {
			name = hidStatic
		}
		b = g.static(name)
	} else if owner.home != nil {
		if owner.static {
			name = hidStatic
		}
		b = owner.home.find(name)
	}
	if b == nil {
		g.undef(dst)
		return
	}
	g.readSlot(dst, b)
}

// superRef evaluates a super reference (13.3.7.3): the base, which is the home
// object's prototype, and this into two registers, and the key. The base is
// looked up after the key was evaluated and before it is converted.
func (g *gen) superRef(n *syntax.MemberExpression, until int32) (w, key uint16) { //meter: as deep as the tree, which the parser bounds
	w = g.regs(2)
	mark := g.top
	g.move(w+1, g.this(n.Object.Range().Start))
	g.top = mark
	key = g.memberKey(n, until)
	g.homeObject(w)
	g.op(bytecode.HomeProto, w, w, 0)
	return w, key
}

// privateName returns a register with the private name.
func (g *gen) privateName(name string) uint16 {
	b := g.static("#" + name)
	if b == nil {
		t := g.reg()
		g.undef(t)
		return t
	}
	if !b.captured {
		return b.reg
	}
	t := g.reg()
	g.readSlot(t, b)
	return t
}
