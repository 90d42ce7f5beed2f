package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// bindMode says how the names of a pattern get their values.
type bindMode uint8

const (
	modeAssign bindMode = iota // PutValue: assignments, var
	modeInit                   // initialisation: let, const, parameters, catch
)

// pattern takes the value in v apart. from is the expression it comes from, for
// the error message, or nil.
func (g *gen) pattern(p syntax.Pattern, v uint16, mode bindMode, from syntax.Expr) {
	switch p := p.(type) {
	case *syntax.ObjectPattern:
		g.objectPattern(p, v, mode, from, false)
	case *syntax.ArrayPattern:
		g.arrayPattern(p, v, mode, from)
	default:
		g.store(p, v, mode)
	}
}

// store gives a value to a target that is no pattern.
func (g *gen) store(p syntax.Pattern, v uint16, mode bindMode) {
	if id, ok := p.(*syntax.Identifier); ok && mode == modeInit {
		g.initVar(id.Name, v, id.Start)
		return
	}
	mark := g.top
	g.put(g.reference(p, 0, 0, false), v)
	g.top = mark
}

// slotOf returns the register of a variable that is initialised now and that
// nobody can see before, or noReg.
func (g *gen) slotOf(p syntax.Pattern, mode bindMode) uint16 {
	id, ok := p.(*syntax.Identifier)
	if !ok || mode != modeInit {
		return noReg
	}
	b, dyn := g.resolve(id.Name)
	if b == nil || dyn != nil || b.captured || b.tdz || b.kind == bindImport || b.scope.fn != g.fi {
		return noReg
	}
	return b.reg
}

// splitTarget separates a pattern element into target and default.
func splitTarget(p syntax.Pattern) (syntax.Pattern, syntax.Expr, bool) {
	if a, ok := p.(*syntax.AssignmentPattern); ok {
		return a.Left, a.Right, a.LeftParen
	}
	return p, nil, false
}

func isPattern(p syntax.Pattern) bool {
	switch p.(type) {
	case *syntax.ObjectPattern, *syntax.ArrayPattern:
		return true
	}
	return false
}

// element compiles one element of a pattern: load puts its value into a
// register.
func (g *gen) element(p syntax.Pattern, mode bindMode, load func(dst uint16)) {
	target, def, paren := splitTarget(p)
	mark := g.top
	var r ref
	early := mode == modeAssign && !isPattern(target)
	if early {
		// The reference comes before the value (13.15.5.3).
		r = g.reference(target, 0, p.Range().End, false)
	}
	dst := g.slotOf(target, mode)
	direct := dst != noReg
	if !direct {
		dst = g.reg()
	}
	load(dst)
	if def != nil {
		ok := newLabel()
		g.jump(bytecode.JumpNotUndef, dst, ok)
		g.named(def, dst, nameOf(target, paren))
		g.bind(ok)
	}
	switch {
	case direct:
	case early:
		g.put(r, dst)
	default:
		if o, ok := target.(*syntax.ObjectPattern); ok {
			g.objectPattern(o, dst, mode, def, def == nil)
		} else {
			g.pattern(target, dst, mode, def)
		}
	}
	g.top = mark
}

// objectPattern compiles an object pattern; nested: it is an element of another
// pattern.
func (g *gen) objectPattern(p *syntax.ObjectPattern, v uint16, mode bindMode, from syntax.Expr, nested bool) {
	g.patternOff = 0
	off, stack := p.Start, p.Start
	switch {
	case len(p.Properties) > 0 && !p.Properties[0].Computed:
		stack = p.Properties[0].Key.Range().Start
	case len(p.Properties) == 0 && p.Rest != nil:
		stack = p.Rest.Argument.Range().Start
	}
	switch {
	case from != nil:
		off = from.Range().Start
	case nested && len(p.Properties) > 0:
		off = p.Properties[0].Key.Range().Start
	}
	g.atAs(off, stack)
	g.wide(bytecode.CheckObjectCoercible, v, g.cp.str(notCoercible(p, from, nested)))
	switch {
	case from != nil:
		g.traceExpr(bytecode.OperandObject, from)
	case nested && g.patternKey != nil:
		g.traceExpr(bytecode.OperandObject, g.patternKey)
	case !nested:
		g.traceExpr(bytecode.OperandObject, p)
	}
	g.patternKey = nil
	mark := g.top
	keys := uint16(noReg)
	if p.Rest != nil {
		keys = g.reg()
		g.wide(bytecode.NewArray, keys, uint32(len(p.Properties)))
	}
	inner := g.top
	for _, prop := range p.Properties {
		name, key := "", uint16(noReg)
		if prop.Computed {
			key = g.reg()
			g.expr(prop.Key, key)
			g.at(prop.Key.Range().Start)
			g.op(bytecode.ToKey, key, key, 0)
		} else {
			name = keyName(prop.Key)
			if keys != noReg || indexName(name) {
				key = g.reg()
				g.loadKey(key, name)
			}
		}
		if keys != noReg {
			g.op(bytecode.ArrayPush, keys, key, 0)
		}
		plain := !prop.Computed && !indexName(name)
		g.element(prop.Value, mode, func(dst uint16) {
			g.patternKey = prop.Key
			g.at(prop.Key.Range().Start)
			if plain {
				g.getProp(dst, v, name)
			} else {
				g.op(bytecode.GetElem, dst, v, key)
			}
		})
		g.top = inner
	}
	if p.Rest != nil {
		g.element(p.Rest.Argument, mode, func(dst uint16) { g.op(bytecode.ObjRest, dst, v, keys) })
	}
	g.top = mark
}

// canThrow reports whether binding the elements of an array pattern runs code
// besides the iterator's.
func canThrow(p *syntax.ArrayPattern, mode bindMode) bool {
	for _, e := range p.Elements {
		switch e := e.(type) {
		case nil:
		case *syntax.Identifier:
			if mode != modeInit {
				return true
			}
		case *syntax.RestElement:
			if _, ok := e.Argument.(*syntax.Identifier); !ok || mode != modeInit {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (g *gen) arrayPattern(p *syntax.ArrayPattern, v uint16, mode bindMode, from syntax.Expr) {
	mark := g.top
	it := g.regs(2)
	off, stack := p.Start, p.Start
	hidden, _ := from.(*syntax.Identifier)
	switch {
	case hidden != nil && hidden.Name == hiddenFor:
		stack = p.End - 1
	case from != nil:
		off, stack = from.Range().Start, from.Range().Start
	case g.patternOff > 0:
		stack = g.patternOff
	}
	g.patternOff = 0
	g.atAs(off, stack)
	pc := g.op(bytecode.GetIter, it, v, 0)
	if from != nil {
		g.traceExpr(bytecode.OperandObject, from)
	} else {
		g.traceExpr(bytecode.OperandObject, p)
	}
	switch e := erase(from).(type) {
	case nil, *syntax.MemberExpression, *syntax.BinaryExpression, *syntax.LogicalExpression,
		*syntax.TaggedTemplateExpression, *syntax.ChainExpression:
		// V8's message shows the value.
	case *syntax.CallExpression:
		if _, ok := erase(e.Callee).(*syntax.Identifier); ok {
			g.note(pc, from, true)
		}
	default:
		g.note(pc, from, true)
	}
	guard := canThrow(p, mode)
	var c *control
	exc := uint16(0)
	fail, end := newLabel(), newLabel()
	if guard {
		exc = g.reg()
		c = &control{kind: ctlIter, iter: it, region: g.openRegion(fail, exc)}
		g.ctl = append(g.ctl, c)
	}
	for i, e := range p.Elements {
		first := i == 0
		switch e := e.(type) {
		case nil:
			m := g.top
			g.iterStep(it, g.reg(), first, p.Start)
			g.top = m
		case *syntax.RestElement:
			g.element(e.Argument, mode, func(dst uint16) {
				done, all := newLabel(), newLabel()
				if !first {
					g.jump(bytecode.JumpNotUndef, it, all)
					g.wide(bytecode.NewArray, dst, 0)
					g.goTo(done)
					g.bind(all)
				}
				g.op(bytecode.IterRest, it, dst, 0)
				g.bind(done)
			})
		default:
			g.element(e, mode, func(dst uint16) { g.iterStep(it, dst, first, e.Range().Start) })
		}
	}
	if guard {
		g.ctl = g.ctl[:len(g.ctl)-1]
		g.endRegion(c.region)
	}
	g.op(bytecode.IterClose, it, 0, 0)
	if guard {
		g.goTo(end)
		g.bind(fail)
		g.op(bytecode.IterCloseQuiet, it, 0, 0)
		g.op(bytecode.Throw, exc, 0, 0)
		g.bind(end)
	}
	g.top = mark
}

// iterStep puts the next value of an iterator into dst, undefined when it is
// done.
func (g *gen) iterStep(it, dst uint16, first bool, pos int32) {
	l := newLabel()
	g.op(bytecode.LoadUndef, dst, bytecode.UndefElement, 0)
	if !first {
		g.jump(bytecode.JumpUndef, it, l)
	}
	g.at(pos)
	g.op(bytecode.IterNext, it, dst, 0)
	g.goTo(l)
	g.bind(l)
}
