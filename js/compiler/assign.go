package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

type refKind uint8

const (
	refStatic refKind = iota // binding or global
	refDyn                   // a variable that a dynamic scope may hold
	refProp
	refElem
	refPrivate
	refSuper
	refBad // a call as target: a ReferenceError once evaluated
)

// A ref is an evaluated Reference Record (6.2.5).
type ref struct {
	kind refKind
	name string
	b    *binding
	obj  uint16 // object; for refSuper the first of home object and this
	key  uint16
	has  uint16 // strict global: HasGlobal's answer; else noReg
	dyn  []*scope
	off  int32
	of   syntax.Expr // what obj holds, for tracing
	to   int32       // where a stack says that it is assigned, -1: at off
}

// reference evaluates a target. until is the end of what is evaluated before
// the reference is last used: a local may serve in place if nothing up to there
// assigns it. again: the reference is read and then written.
func (g *gen) reference(p syntax.Pattern, from, until int32, again bool) ref {
	if in, ok := unwrapPattern(p); ok {
		return g.reference(in, from, until, again)
	}
	switch p := p.(type) {
	case *syntax.Identifier:
		return g.varReference(p.Name, p.Start, until > from && !again)
	case *syntax.MemberExpression:
		r := g.memberReference(p, until, again)
		r.to = -1
		return r
	case *syntax.CallExpression:
		mark := g.top
		g.discard(p)
		g.top = mark
		g.at(p.Start)
		g.throwError(bytecode.ErrReference, "Invalid left-hand side in assignment")
	}
	return ref{kind: refBad, to: -1}
}

// varReference resolves a variable that is going to be assigned. late: other
// code runs between the resolution and the assignment.
func (g *gen) varReference(name string, off int32, late bool) ref {
	b, dyn := g.resolve(name)
	r := ref{name: name, b: b, off: off, has: noReg, to: -1}
	if dyn != nil {
		r.kind = refDyn
		r.dyn = dyn
		r.obj = g.reg()
		done := newLabel()
		mark := g.top
		g.at(off)
		for _, s := range dyn {
			g.move(r.obj, g.dynObject(s))
			next := newLabel()
			g.dynHas(s, r.obj, g.ic(name), next)
			g.goTo(done)
			g.bind(next)
			g.top = mark
		}
		g.undef(r.obj)
		if b == nil && g.strict {
			r.has = g.reg()
			g.op(bytecode.HasGlobal, r.has, 0, g.ic(name))
		}
		g.bind(done)
		return r
	}
	if b == nil && late && g.strict && !g.cp.declared[name] {
		r.has = g.reg()
		g.at(off)
		g.op(bytecode.HasGlobal, r.has, 0, g.ic(name))
	}
	return r
}

func (g *gen) memberReference(p *syntax.MemberExpression, until int32, again bool) ref {
	if _, ok := p.Object.(*syntax.Super); ok {
		r := ref{kind: refSuper, off: p.Start}
		r.obj, r.key = g.superRef(p, until)
		if again && p.Computed && !keyPrimitive(g, p.Property) {
			t := g.reg()
			g.op(bytecode.ToKey, t, r.key, 0)
			r.key = t
		}
		return r
	}
	obj := g.operand(p.Object, p.Object.Range().End, until)
	switch prop := erase(p.Property).(type) {
	case *syntax.PrivateIdentifier:
		return ref{kind: refPrivate, obj: obj, of: p.Object, key: g.privateName(prop.Name), name: prop.Name, off: prop.Start}
	case *syntax.Identifier:
		if !p.Computed {
			return ref{kind: refProp, obj: obj, of: p.Object, name: prop.Name, off: prop.Start}
		}
	case *syntax.StringLiteral:
		if !indexName(prop.Value) {
			return ref{kind: refProp, obj: obj, of: p.Object, name: prop.Value, off: prop.Start}
		}
	}
	r := ref{kind: refElem, obj: obj, of: p.Object, off: p.Property.Range().Start}
	r.key = g.memberKey(p, until)
	if again && !keyPrimitive(g, p.Property) {
		// GetValue converts the key once, after it has looked at the base
		// (6.2.5.5); the conversion must not be seen twice.
		ok := newLabel()
		t := g.reg()
		g.jump(bytecode.JumpNotNullish, obj, ok)
		g.near(r.off)
		g.op(bytecode.GetElem, t, obj, r.key)
		g.bind(ok)
		g.near(r.off)
		g.op(bytecode.ToKey, t, r.key, 0)
		r.key = t
	}
	return r
}

// memberKey evaluates the key of a member access into a register.
func (g *gen) memberKey(p *syntax.MemberExpression, until int32) uint16 {
	if id, ok := p.Property.(*syntax.Identifier); ok && !p.Computed {
		t := g.reg()
		g.loadStr(t, id.Name)
		return t
	}
	return g.operand(p.Property, p.Property.Range().End, until)
}

// keyPrimitive reports whether a key surely needs no conversion that a script
// could see.
func keyPrimitive(g *gen, e syntax.Expr) bool {
	e = erase(e)
	if id, ok := e.(*syntax.Identifier); ok {
		b, dyn := g.resolve(id.Name)
		return b != nil && dyn == nil && !b.objects && !b.scope.evalSeen && b.kind != bindImport && b.kind != bindSelf && b.scope.kind != scopeOuter
	}
	return primitive(e)
}

// indexName reports names that are array indices or close to: they go through
// element access.
func indexName(s string) bool {
	if s == "" || len(s) > 16 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s == "0" || s[0] != '0'
}

// get loads the value of a reference.
func (g *gen) get(dst uint16, r ref) {
	if r.kind == refStatic {
		g.atVar(r.off)
	} else {
		g.near(r.off)
	}
	switch r.kind {
	case refStatic:
		g.loadStatic(dst, r.b, r.name, r.off, false)
	case refDyn:
		static, end := newLabel(), newLabel()
		g.jump(bytecode.JumpUndef, r.obj, static)
		mark := g.top
		g.dynGetRef(dst, r)
		g.top = mark
		g.goTo(end)
		g.bind(static)
		g.loadStatic(dst, r.b, r.name, r.off, false)
		g.bind(end)
	case refProp:
		g.getProp(dst, r.obj, r.name)
		g.traceExpr(bytecode.OperandObject, r.of)
	case refElem:
		g.op(bytecode.GetElem, dst, r.obj, r.key)
		g.traceExpr(bytecode.OperandObject, r.of)
	case refPrivate:
		g.brand(g.op(bytecode.GetPrivate, dst, r.obj, r.key), r.name)
	case refSuper:
		g.op(bytecode.GetSuper, dst, r.obj, r.key)
	case refBad:
		g.undef(dst)
	}
}

// dynGetRef is dynGet for an object that any of several scopes may have given:
// only with statements ask again whether the name is still there.
func (g *gen) dynGetRef(dst uint16, r ref) {
	for _, s := range r.dyn {
		if s.with != nil {
			g.dynGet(dst, s, r.obj, r.name)
			return
		}
	}
	g.op(bytecode.GetProp, dst, r.obj, g.ic(r.name))
}

func (g *gen) getProp(dst, obj uint16, name string) {
	if name == "length" {
		g.op(bytecode.GetLength, dst, obj, g.ic(name))
		return
	}
	g.op(bytecode.GetProp, dst, obj, g.ic(name))
}

// put is PutValue.
func (g *gen) put(r ref, src uint16) {
	if r.kind == refPrivate {
		if b := g.static("#" + r.name); b != nil && b.brand != "" {
			r.to = -1
		}
	}
	if r.to >= 0 {
		g.atAs(r.off, r.to)
	} else {
		g.at(r.off)
	}
	switch r.kind {
	case refStatic:
		if r.has != noReg {
			g.op(bytecode.SetGlobalIf, src, r.has, g.ic(r.name))
			return
		}
		g.storeStatic(r.b, r.name, src, r.off)
	case refDyn:
		static, end := newLabel(), newLabel()
		g.jump(bytecode.JumpUndef, r.obj, static)
		mark := g.top
		for _, s := range r.dyn {
			if s.with == nil {
				continue
			}
			// SetMutableBinding of an object environment record (9.1.1.2.5).
			t := g.reg()
			g.op(bytecode.DynHasVar, t, r.obj, g.ic(r.name))
			if g.strict {
				ok := newLabel()
				g.jump(bytecode.JumpTrue, t, ok)
				g.throwError(bytecode.ErrReference, r.name+" is not defined")
				g.bind(ok)
			}
			break
		}
		g.top = mark
		g.op(bytecode.SetProp, r.obj, src, g.icWriting(r.name))
		g.goTo(end)
		g.bind(static)
		if r.has != noReg {
			g.op(bytecode.SetGlobalIf, src, r.has, g.ic(r.name))
		} else {
			g.storeStatic(r.b, r.name, src, r.off)
		}
		g.bind(end)
	case refProp:
		g.op(bytecode.SetProp, r.obj, src, g.icWriting(r.name))
		g.traceExpr(bytecode.OperandObject, r.of)
	case refElem:
		g.op(bytecode.SetElem, r.obj, r.key, src)
		g.traceExpr(bytecode.OperandObject, r.of)
	case refPrivate:
		g.brand(g.op(bytecode.SetPrivate, r.obj, r.key, src), r.name)
	case refSuper:
		g.op(bytecode.SetSuper, src, r.obj, r.key)
	}
}

// quiet reports whether evaluating an expression can run no other code and
// can't throw.
func quiet(e syntax.Expr) bool {
	switch e := erase(e).(type) {
	case *syntax.NumericLiteral, *syntax.StringLiteral, *syntax.BooleanLiteral, *syntax.NullLiteral,
		*syntax.BigIntLiteral, *syntax.FunctionExpression, *syntax.ArrowFunctionExpression:
		return true
	case *syntax.ArrayExpression:
		return len(e.Elements) == 0
	case *syntax.ObjectExpression:
		return len(e.Properties) == 0
	}
	return false
}

// nameOf returns the name that an assignment to p gives to an anonymous
// function, "" for none.
func nameOf(p syntax.Pattern, paren bool) string {
	if id, ok := p.(*syntax.Identifier); ok && !paren {
		return id.Name
	}
	return ""
}

// assignment compiles an assignment and returns a register with its value;
// dst is where the value is wanted, or noReg.
func (g *gen) assignment(n *syntax.AssignmentExpression, dst uint16) uint16 {
	left := n.Left
	for {
		in, ok := unwrapPattern(left)
		if !ok {
			break
		}
		left = in
	}
	switch n.Operator {
	case syntax.OpAssign:
		return g.plainAssignment(n, left, dst)
	case syntax.OpLogicalAnd, syntax.OpLogicalOr, syntax.OpNullish:
		return g.logicalAssignment(n, left, dst)
	}
	if id, ok := left.(*syntax.Identifier); ok {
		if r, b := g.local(id.Name, id.Start); b != nil && !b.constant() && b.kind != bindSelf {
			return g.localCompound(n, b, r)
		}
	}
	out := dst
	if out == noReg {
		out = g.reg()
	}
	mark := g.top
	r := g.reference(left, n.Right.Range().Start, n.Right.Range().End, true)
	r.to = n.OpPos
	g.get(out, r)
	g.arith(n.Operator, out, out, n.Right, n.OpPos)
	g.traceExpr(bytecode.OperandLeft, n.Left)
	g.put(r, out)
	g.top = mark
	return out
}

// localCompound is x op= e for a local x.
func (g *gen) localCompound(n *syntax.AssignmentExpression, b *binding, r uint16) uint16 {
	mark := g.top
	left := r
	if b.assignedIn(n.Right.Range().Start, n.Right.Range().End) {
		left = g.reg()
		g.move(left, r)
	}
	g.arith(n.Operator, r, left, n.Right, n.OpPos)
	g.traceExpr(bytecode.OperandLeft, n.Left)
	g.top = mark
	return r
}

func (g *gen) plainAssignment(n *syntax.AssignmentExpression, left syntax.Pattern, dst uint16) uint16 {
	span := n.Right.Range()
	switch l := left.(type) {
	case *syntax.Identifier:
		if b, dyn := g.resolve(l.Name); b != nil && dyn == nil && !b.captured && !b.constant() && b.kind != bindSelf {
			unsafe := b.tdz && !b.safe(g.fi, l.Start)
			if !unsafe {
				g.intoLocal(n.Right, b.reg, nameOf(l, n.LeftParen))
				return b.reg
			}
		}
		name := nameOf(l, n.LeftParen)
		b, dyn := g.resolve(l.Name)
		if dst == noReg && (dyn != nil || b == nil && g.strict || anonymous(n.Right)) {
			dst = g.reg()
		}
		mark := g.top
		r := g.varReference(l.Name, l.Start, !quiet(n.Right))
		r.to = n.OpPos
		if dst == noReg {
			v := g.any(n.Right)
			g.put(r, v)
			return v
		}
		g.named(n.Right, dst, name)
		g.put(r, dst)
		g.top = mark
		return dst
	case *syntax.ObjectPattern, *syntax.ArrayPattern:
		if _, ok := left.(*syntax.ArrayPattern); ok {
			g.iterates(n.Right)
		}
		mark := g.top
		v := dst
		if v == noReg {
			v = g.operand(n.Right, left.Range().Start, left.Range().End)
			mark = g.top
		} else {
			g.expr(n.Right, v)
		}
		from := n.Right
		if _, ok := left.(*syntax.ArrayPattern); ok {
			from = nil // V8's message doesn't quote it
		}
		g.patternOff = n.OpPos
		g.pattern(left, v, modeAssign, from)
		g.top = mark
		return v
	}
	out := dst
	if out == noReg {
		out = g.reg()
	}
	mark := g.top
	r := g.reference(left, span.Start, span.End, false)
	r.to = n.OpPos
	g.inferMember(left, n.Right)
	g.expr(n.Right, out)
	g.put(r, out)
	g.top = mark
	return out
}

// assignOnly compiles an assignment whose value isn't wanted.
func (g *gen) assignOnly(n *syntax.AssignmentExpression) {
	mark := g.top
	if m, ok := n.Left.(*syntax.MemberExpression); ok && n.Operator == syntax.OpAssign {
		// The value may be a local, used in place.
		span := n.Right.Range()
		r := g.reference(m, span.Start, span.End, false)
		r.to = n.OpPos
		g.inferMember(m, n.Right)
		g.put(r, g.any(n.Right))
	} else {
		g.assignment(n, noReg)
	}
	g.top = mark
}

func (g *gen) logicalAssignment(n *syntax.AssignmentExpression, left syntax.Pattern, dst uint16) uint16 {
	out := dst
	if out == noReg {
		out = g.reg()
	}
	mark := g.top
	span := n.Right.Range()
	r := g.reference(left, span.Start, span.End, true)
	r.to = n.OpPos
	end := newLabel()
	g.get(out, r)
	switch n.Operator {
	case syntax.OpLogicalAnd:
		g.jump(bytecode.JumpFalse, out, end)
	case syntax.OpLogicalOr:
		g.jump(bytecode.JumpTrue, out, end)
	default:
		g.jump(bytecode.JumpNotNullish, out, end)
	}
	g.named(n.Right, out, nameOf(left, n.LeftParen))
	g.put(r, out)
	g.bind(end)
	g.top = mark
	return out
}

// update compiles ++ and --. want: the value is needed.
func (g *gen) update(n *syntax.UpdateExpression, dst uint16) uint16 {
	op := bytecode.Inc
	if n.Operator == syntax.OpDec {
		op = bytecode.Dec
	}
	arg := n.Argument
	for {
		in, ok := unwrapPattern(arg)
		if !ok {
			break
		}
		arg = in
	}
	if id, ok := arg.(*syntax.Identifier); ok {
		if r, b := g.local(id.Name, id.Start); b != nil && !b.constant() && b.kind != bindSelf {
			g.near(n.Start)
			if n.Prefix || dst == noReg {
				g.toNumeric(r, r, b, id.Start)
				g.op(op, r, r, 0)
				return r
			}
			g.toNumeric(dst, r, b, id.Start)
			g.op(op, r, dst, 0)
			return dst
		}
	}
	out := dst
	if out == noReg {
		out = g.reg()
	}
	mark := g.top
	r := g.reference(arg, 0, 0, true)
	r.to = updatePos(n)
	old := g.reg()
	g.get(old, r)
	g.near(n.Start)
	number := r.kind == refStatic && r.b != nil && r.b.numericAt(r.off)
	if n.Prefix || dst == noReg {
		if !number {
			g.op(bytecode.ToNumeric, old, old, 0)
		}
		g.op(op, out, old, 0)
		g.put(r, out)
	} else {
		if number {
			g.move(out, old)
		} else {
			g.op(bytecode.ToNumeric, out, old, 0)
		}
		g.op(op, old, out, 0)
		g.put(r, old)
	}
	g.top = mark
	return out
}

// toNumeric converts the value of a local, unless it is a number for sure.
func (g *gen) toNumeric(dst, src uint16, b *binding, off int32) {
	if b.numericAt(off) {
		g.move(dst, src)
		return
	}
	g.op(bytecode.ToNumeric, dst, src, 0)
}

// inferMember names a function that is assigned to a member, for stacks.
func (g *gen) inferMember(left syntax.Pattern, right syntax.Expr) {
	if m, ok := left.(*syntax.MemberExpression); ok && inferable(right) {
		g.infer(right, g.memberName(m))
	}
}
