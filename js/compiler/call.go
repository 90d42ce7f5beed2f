package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// maxWindow is how many arguments are laid out in registers; more of them go
// through an array.
const maxWindow = 250

func spread(args []syntax.Expr) bool {
	if len(args) > maxWindow {
		return true
	}
	for _, a := range args {
		if _, ok := a.(*syntax.SpreadElement); ok {
			return true
		}
	}
	return false
}

// args evaluates arguments behind a window of callee and this, either one by
// one or into an array.
func (g *gen) args(list []syntax.Expr, asArray bool) {
	if asArray {
		g.elements(list, g.reg(), true)
		return
	}
	for _, a := range list {
		g.expr(a, g.reg())
	}
}

// namePos is where a report says that a call is: at the last name of the
// callee.
func namePos(callee syntax.Expr, start int32) int32 { //meter: once: a chain holds no chain
	switch c := erase(callee).(type) {
	case *syntax.MemberExpression:
		return c.Property.Range().Start
	case *syntax.ChainExpression:
		return namePos(c.Expression, start)
	}
	return start
}

func (g *gen) call(n *syntax.CallExpression, dst uint16) {
	if _, ok := n.Callee.(*syntax.Super); ok {
		g.superCall(n, dst)
		return
	}
	mark := g.top
	w := g.regs(2)
	g.callee(n.Callee, w)
	if n.Optional {
		g.jump(bytecode.JumpNullish, w, g.optional)
		g.traceExpr(bytecode.OperandObject, n.Callee)
	}
	asArray := spread(n.Arguments)
	pos := g.callPos(n)
	g.spreadOff = pos
	g.args(n.Arguments, asArray)
	g.atAs(namePos(n.Callee, n.Start), pos)
	switch {
	case n.DirectEval:
		argc := uint16(len(n.Arguments))
		if asArray {
			argc = noReg
		}
		g.directEval(dst, w, argc, n.Callee)
	case asArray:
		g.noteCall(g.op(bytecode.CallSpread, dst, w, 1), n)
	default:
		g.noteCall(g.op(bytecode.Call, dst, w, uint16(len(n.Arguments))), n)
		g.traceArgs(n.Callee, n.Arguments)
	}
	g.top = mark
}

// directEval emits a call that is a direct eval if the callee is %eval%.
func (g *gen) directEval(dst, w, argc uint16, callee syntax.Expr) {
	outer := g.scope.describe()
	env := g.inner()
	var d bytecode.Scope
	if outer != nil {
		d = *outer
	} else {
		// There is no environment around: an empty one carries the context.
		d = bytecode.Scope{VarObjSlot: -1, WithSlot: -1}
		env = g.reg()
		g.op(bytecode.NewEnv, env, noReg, 0)
	}
	d.Context = g.evalContext()
	i := len(g.f.EvalScopes)
	g.f.EvalScopes = append(g.f.EvalScopes, &d)
	g.note(g.op(bytecode.CallEval, dst, w, argc), callee, false)
	g.wide(bytecode.Ext, env, uint32(i))
}

func (g *gen) evalContext() bytecode.EvalContext {
	owner := g.fi.owner()
	c := bytecode.EvalContext{Strict: g.strict, InParams: g.inParams}
	switch owner.kind {
	case funcOuter:
		o := owner.ctx
		c.NewTarget, c.SuperProperty, c.SuperCall = o.NewTarget, o.SuperProperty, o.SuperCall
		c.FieldInit, c.StaticHome = o.FieldInit, o.StaticHome
	case funcFields, funcStatics:
		c.NewTarget, c.SuperProperty, c.FieldInit = true, true, true
		c.StaticHome = owner.static
	case funcOrdinary:
		c.NewTarget = owner.node == nil || owner != g.cp.top
		c.SuperProperty = owner.home != nil
		c.SuperCall = owner.derived()
		c.StaticHome = owner.static
	}
	return c
}

// callee evaluates a callee and its this value into w and w+1.
func (g *gen) callee(e syntax.Expr, w uint16) {
	switch n := erase(e).(type) {
	case *syntax.Identifier:
		g.calleeVar(n, w)
	case *syntax.MemberExpression:
		g.method(n, w)
	case *syntax.ChainExpression:
		// (a?.b)(): the reference keeps its this value.
		if _, ok := erase(n.Expression).(*syntax.MemberExpression); !ok {
			break
		}
		saved := g.optional
		g.optional = newLabel()
		none, end := g.optional, newLabel()
		g.callee(n.Expression, w)
		g.goTo(end)
		g.bind(none)
		g.undef(w)
		g.op(bytecode.LoadUndef, w+1, bytecode.UndefThis, 0)
		g.bind(end)
		g.optional = saved
		return
	default:
		g.expr(n, w)
		g.op(bytecode.LoadUndef, w+1, bytecode.UndefThis, 0)
		return
	}
	if c, ok := erase(e).(*syntax.ChainExpression); ok {
		if _, ok := erase(c.Expression).(*syntax.MemberExpression); !ok {
			g.expr(c, w)
			g.op(bytecode.LoadUndef, w+1, bytecode.UndefThis, 0)
		}
	}
}

// calleeVar loads a variable to call it: found in a with statement's object,
// it is called as its method.
func (g *gen) calleeVar(id *syntax.Identifier, w uint16) {
	b, dyn := g.resolve(id.Name)
	g.atVar(id.Start)
	end := newLabel()
	mark := g.top
	for _, s := range dyn {
		next := newLabel()
		obj := g.dynObject(s)
		g.dynHas(s, obj, g.ic(id.Name), next)
		g.dynGet(w, s, obj, id.Name)
		if s.with != nil {
			g.move(w+1, obj)
		} else {
			g.op(bytecode.LoadUndef, w+1, bytecode.UndefThis, 0)
		}
		g.goTo(end)
		g.bind(next)
		g.top = mark
	}
	g.loadStatic(w, b, id.Name, id.Start, false)
	g.op(bytecode.LoadUndef, w+1, bytecode.UndefThis, 0)
	g.bind(end)
}

// method evaluates a member access to call it.
func (g *gen) method(n *syntax.MemberExpression, w uint16) {
	mark := g.top
	prop, stack := n.Property.Range().Start, g.memberPos(n)
	if _, ok := n.Object.(*syntax.Super); ok {
		r, k := g.superRef(n, 0)
		g.atAs(prop, stack)
		g.op(bytecode.GetSuper, w, r, k)
		g.move(w+1, r+1)
		g.top = mark
		return
	}
	obj := g.receiver(n, w+1)
	if n.Optional {
		g.jump(bytecode.JumpNullish, obj, g.optional)
		g.traceExpr(bytecode.OperandObject, n.Object)
	}
	switch p := erase(n.Property).(type) {
	case *syntax.PrivateIdentifier:
		name := g.privateName(p.Name)
		g.atAs(prop, stack)
		g.move(w+1, obj)
		g.brand(g.op(bytecode.GetPrivate, w, w+1, name), p.Name)
		g.traceExpr(bytecode.OperandObject, n.Object)
		g.top = mark
		return
	case *syntax.Identifier:
		if !n.Computed {
			g.atAs(prop, stack)
			g.op(bytecode.GetMethod, w, obj, g.ic(p.Name))
			g.traceExpr(bytecode.OperandObject, n.Object)
			g.top = mark
			return
		}
	case *syntax.StringLiteral:
		if !indexName(p.Value) {
			g.atAs(prop, stack)
			g.op(bytecode.GetMethod, w, obj, g.ic(p.Value))
			g.traceExpr(bytecode.OperandObject, n.Object)
			g.top = mark
			return
		}
	}
	k := g.any(n.Property)
	g.atAs(prop, stack)
	g.op(bytecode.GetMethodElem, w, obj, k)
	g.traceExpr(bytecode.OperandObject, n.Object)
	g.top = mark
}

// receiver evaluates the object of a method call: a local stays in place,
// anything else goes to this, the register behind the callee's.
func (g *gen) receiver(n *syntax.MemberExpression, this uint16) uint16 {
	until := n.Object.Range().End
	if n.Computed {
		until = n.End
	}
	switch o := erase(n.Object).(type) {
	case *syntax.Identifier:
		if r, b := g.local(o.Name, o.Start); b != nil {
			if b.assignedIn(o.End, until) {
				g.move(this, r)
				return this
			}
			return r
		}
	case *syntax.ThisExpression:
		return g.this(o.Start)
	case *syntax.CallExpression:
		// A chain of calls reuses the window of the first.
		if g.top == int(this)+1 {
			if _, super := o.Callee.(*syntax.Super); !super {
				g.top = int(this) - 1
				g.call(o, this)
				g.top = int(this) + 1
				return this
			}
		}
	}
	g.expr(n.Object, this)
	return this
}

func (g *gen) newExpr(n *syntax.NewExpression, dst uint16) {
	mark := g.top
	w := g.regs(2)
	g.expr(n.Callee, w)
	g.move(w+1, w)
	asArray := spread(n.Arguments)
	g.spreadOff = n.Start
	g.args(n.Arguments, asArray)
	g.at(n.Start)
	if asArray {
		g.note(g.op(bytecode.NewSpread, dst, w, 1), n.Callee, false)
	} else {
		g.note(g.op(bytecode.New, dst, w, uint16(len(n.Arguments))), n.Callee, false)
		g.traceArgs(n.Callee, n.Arguments)
	}
	g.top = mark
}

// superCall is super(…) (13.3.7.1).
func (g *gen) superCall(n *syntax.CallExpression, dst uint16) {
	mark := g.top
	w := g.regs(2)
	inner := g.top
	g.op(bytecode.HomeProto, w, g.activeFunc(), 0)
	g.top = inner
	g.newTarget(w + 1)
	asArray := spread(n.Arguments)
	g.spreadOff = n.Start
	g.args(n.Arguments, asArray)
	g.at(n.Start)
	if asArray {
		g.op(bytecode.SuperCallSpread, w, w, 1)
	} else {
		g.op(bytecode.SuperCall, w, w, uint16(len(n.Arguments)))
	}
	g.top = inner
	g.bindThis(w)
	g.move(dst, w)
	g.top = mark
}

// member loads a property.
func (g *gen) member(n *syntax.MemberExpression, dst uint16) {
	mark := g.top
	if _, ok := n.Object.(*syntax.Super); ok {
		r, k := g.superRef(n, 0)
		g.atAs(n.Property.Range().Start, g.memberPos(n))
		g.op(bytecode.GetSuper, dst, r, k)
		g.top = mark
		return
	}
	// Spines of members are as deep as the source is long.
	var few [8]*syntax.MemberExpression
	spine := append(few[:0], n)
	for {
		m, ok := erase(spine[len(spine)-1].Object).(*syntax.MemberExpression)
		if !ok {
			break
		}
		if _, super := m.Object.(*syntax.Super); super {
			break
		}
		spine = append(spine, m)
	}
	first := spine[len(spine)-1]
	until := first.Object.Range().End
	if first.Computed {
		until = first.End
	}
	obj := g.operand(first.Object, first.Object.Range().End, until)
	for i := len(spine) - 1; i >= 0; i-- {
		m := spine[i]
		t := dst
		if i > 0 {
			t = noReg
		}
		obj = g.memberStep(m, obj, t, mark)
	}
	g.top = mark
}

// memberStep loads one property of obj into dst, or into a temporary at mark.
func (g *gen) memberStep(m *syntax.MemberExpression, obj, dst uint16, mark int) uint16 {
	if m.Optional {
		g.jump(bytecode.JumpNullish, obj, g.optional)
		g.traceExpr(bytecode.OperandObject, m.Object)
	}
	pos := m.Property.Range().Start
	name, key := "", uint16(noReg)
	private := false
	switch p := erase(m.Property).(type) {
	case *syntax.PrivateIdentifier:
		key, private = g.privateName(p.Name), true
	case *syntax.Identifier:
		if m.Computed {
			key = g.any(p)
		} else {
			name = p.Name
		}
	case *syntax.StringLiteral:
		if indexName(p.Value) {
			key = g.any(p)
		} else {
			name = p.Value
		}
	default:
		key = g.any(m.Property)
	}
	if dst == noReg {
		g.top = mark
		dst = g.reg()
	}
	g.atAs(pos, g.memberPos(m))
	switch {
	case private:
		g.brand(g.op(bytecode.GetPrivate, dst, obj, key), m.Property.(*syntax.PrivateIdentifier).Name)
	case key == noReg:
		g.getProp(dst, obj, name)
	default:
		g.op(bytecode.GetElem, dst, obj, key)
	}
	g.traceExpr(bytecode.OperandObject, m.Object)
	return dst
}

// chain compiles a whole optional chain.
func (g *gen) chain(n *syntax.ChainExpression, dst uint16) {
	saved := g.optional
	g.optional = newLabel()
	none, end := g.optional, newLabel()
	g.expr(n.Expression, dst)
	g.goTo(end)
	g.bind(none)
	g.op(bytecode.LoadUndef, dst, bytecode.UndefChain, 0)
	g.bind(end)
	g.optional = saved
}

func (g *gen) importCall(n *syntax.ImportExpression, dst uint16) {
	mark := g.top
	opt := uint16(noReg)
	until := n.Source.Range().End
	if n.Options != nil {
		until = n.Options.Range().End
	}
	src := g.operand(n.Source, n.Source.Range().End, until)
	if n.Options != nil {
		opt = g.any(n.Options)
	}
	g.at(n.Start)
	op := bytecode.DynImport
	switch n.Phase {
	case syntax.PhaseDefer:
		op = bytecode.DynImportDefer
	case syntax.PhaseSource:
		op = bytecode.DynImportSource
	}
	g.op(op, dst, src, opt)
	g.top = mark
}
