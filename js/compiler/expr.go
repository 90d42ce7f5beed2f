package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// expr evaluates an expression into a register, which may serve as scratch
// space on the way: it is a temporary, or a variable that nobody can see yet.
func (g *gen) expr(e syntax.Expr, dst uint16) {
	g.cp.step()
	switch n := erase(e).(type) {
	case *syntax.Identifier:
		g.loadVar(dst, n.Name, n.Start, false)
	case *syntax.NumericLiteral:
		g.loadNum(dst, n.Value)
	case *syntax.StringLiteral:
		g.loadStr(dst, n.Value)
	case *syntax.BigIntLiteral:
		g.wide(bytecode.LoadK, dst, g.cp.constant(bytecode.Const{Kind: bytecode.ConstBigInt, Str: n.Digits}))
	case *syntax.BooleanLiteral:
		if n.Value {
			g.op(bytecode.LoadTrue, dst, 0, 0)
		} else {
			g.op(bytecode.LoadFalse, dst, 0, 0)
		}
	case *syntax.NullLiteral:
		g.op(bytecode.LoadNull, dst, 0, 0)
		g.traceExpr(bytecode.OperandResult, n)
	case *syntax.RegExpLiteral:
		g.regExp(n, dst)
	case *syntax.TemplateLiteral:
		g.template(n, dst)
	case *syntax.TaggedTemplateExpression:
		g.tagged(n, dst)
	case *syntax.ThisExpression:
		mark := g.top
		g.move(dst, g.this(n.Start))
		g.top = mark
	case *syntax.ArrayExpression:
		g.traceNext(bytecode.OperandResult, n)
		g.array(n.Elements, dst)
	case *syntax.ObjectExpression:
		g.object(n, dst)
	case *syntax.FunctionExpression:
		g.closure(dst, g.funcOf(n.Func))
	case *syntax.ArrowFunctionExpression:
		g.closure(dst, g.funcOf(n.Func))
	case *syntax.ClassExpression:
		g.classExpr(n.Class, dst, "", noReg)
	case *syntax.MetaProperty:
		if n.Kind == syntax.NewTarget {
			g.newTarget(dst)
		} else {
			g.op(bytecode.ImportMeta, dst, 0, 0)
		}
	case *syntax.ImportExpression:
		g.importCall(n, dst)
	case *syntax.UnaryExpression:
		g.unary(n, dst)
	case *syntax.UpdateExpression:
		g.move(dst, g.update(n, dst))
	case *syntax.BinaryExpression:
		g.binary(n, dst)
	case *syntax.LogicalExpression:
		g.logical(n, dst)
	case *syntax.AssignmentExpression:
		g.move(dst, g.assignment(n, dst))
	case *syntax.ConditionalExpression:
		g.conditional(n, dst)
	case *syntax.SequenceExpression:
		g.sequence(n, dst)
	case *syntax.CallExpression:
		g.call(n, dst)
	case *syntax.NewExpression:
		g.newExpr(n, dst)
	case *syntax.MemberExpression:
		g.member(n, dst)
	case *syntax.ChainExpression:
		g.chain(n, dst)
	case *syntax.YieldExpression:
		g.yield(n, dst)
	case *syntax.AwaitExpression:
		g.await(n, dst)
	}
}

// any evaluates an expression into a register of its choice: a local's own one
// or a new temporary.
func (g *gen) any(e syntax.Expr) uint16 {
	e = erase(e)
	switch n := e.(type) {
	case *syntax.Identifier:
		if r, b := g.local(n.Name, n.Start); b != nil {
			return r
		}
	case *syntax.ThisExpression:
		return g.this(n.Start)
	case *syntax.AssignmentExpression:
		return g.assignment(n, noReg)
	case *syntax.UpdateExpression:
		if n.Prefix {
			return g.update(n, noReg)
		}
	}
	t := g.reg()
	g.expr(e, t)
	return t
}

// operand is any for a value that is used after the code in [from, until) has
// run too.
func (g *gen) operand(e syntax.Expr, from, until int32) uint16 {
	e = erase(e)
	if from >= until {
		return g.any(e)
	}
	switch n := e.(type) {
	case *syntax.Identifier:
		if r, b := g.local(n.Name, n.Start); b != nil {
			if !b.assignedIn(from, until) {
				return r
			}
			t := g.reg()
			g.move(t, r)
			return t
		}
	case *syntax.ThisExpression:
		return g.this(n.Start)
	}
	t := g.reg()
	g.expr(e, t)
	return t
}

// anonymous reports IsAnonymousFunctionDefinition (8.4.3).
func anonymous(e syntax.Expr) bool {
	switch n := erase(e).(type) {
	case *syntax.FunctionExpression:
		return n.Func.ID == nil
	case *syntax.ArrowFunctionExpression:
		return true
	case *syntax.ClassExpression:
		return n.Class.ID == nil
	}
	return false
}

// named is NamedEvaluation with a name known now.
func (g *gen) named(e syntax.Expr, dst uint16, name string) {
	if name != "" && inferable(e) {
		g.infer(e, name)
	}
	if name == "" || !anonymous(e) {
		g.expr(e, dst)
		return
	}
	switch n := erase(e).(type) {
	case *syntax.FunctionExpression:
		fi := g.funcOf(n.Func)
		fi.name = name
		g.closure(dst, fi)
	case *syntax.ArrowFunctionExpression:
		fi := g.funcOf(n.Func)
		fi.name = name
		g.closure(dst, fi)
	case *syntax.ClassExpression:
		g.classExpr(n.Class, dst, name, noReg)
	}
}

// namedBy is NamedEvaluation with a property key in a register as name.
func (g *gen) namedBy(e syntax.Expr, dst, key uint16) {
	if !anonymous(e) {
		g.expr(e, dst)
		return
	}
	if n, ok := erase(e).(*syntax.ClassExpression); ok {
		g.classExpr(n.Class, dst, "", key)
		return
	}
	g.expr(e, dst)
	g.op(bytecode.SetFuncName, dst, key, 0)
}

// intoLocal evaluates an expression into a variable, which keeps its value
// until the expression has been evaluated.
func (g *gen) intoLocal(e syntax.Expr, r uint16, name string) {
	switch n := erase(e).(type) {
	case *syntax.Identifier, *syntax.NumericLiteral, *syntax.StringLiteral, *syntax.BigIntLiteral,
		*syntax.BooleanLiteral, *syntax.NullLiteral, *syntax.RegExpLiteral, *syntax.ThisExpression,
		*syntax.UnaryExpression, *syntax.BinaryExpression, *syntax.CallExpression, *syntax.NewExpression,
		*syntax.MemberExpression, *syntax.AwaitExpression:
		g.expr(n, r)
		return
	case *syntax.FunctionExpression, *syntax.ArrowFunctionExpression:
		g.named(n, r, name)
		return
	case *syntax.ConditionalExpression:
		if name != "" {
			g.infer(n, name)
		}
		no, end := newLabel(), newLabel()
		g.cond(n.Test, no, false)
		g.intoLocal(n.Consequent, r, "")
		g.goTo(end)
		g.bind(no)
		g.intoLocal(n.Alternate, r, "")
		g.bind(end)
		return
	}
	mark := g.top
	t := g.reg()
	g.named(e, t, name)
	g.move(r, t)
	g.top = mark
}

// discard evaluates an expression for its effects.
func (g *gen) discard(e syntax.Expr) {
	mark := g.top
	switch n := erase(e).(type) {
	case *syntax.NumericLiteral, *syntax.StringLiteral, *syntax.BooleanLiteral, *syntax.NullLiteral,
		*syntax.BigIntLiteral, *syntax.FunctionExpression, *syntax.ArrowFunctionExpression:
	case *syntax.UpdateExpression:
		g.update(n, noReg)
	case *syntax.AssignmentExpression:
		g.assignOnly(n)
	case *syntax.LogicalExpression:
		end := newLabel()
		switch n.Operator {
		case syntax.OpLogicalAnd:
			g.cond(n.Left, end, false)
		case syntax.OpLogicalOr:
			g.cond(n.Left, end, true)
		default:
			g.jump(bytecode.JumpNotNullish, g.any(n.Left), end)
		}
		g.top = mark
		g.discard(n.Right)
		g.bind(end)
	case *syntax.ConditionalExpression:
		no, end := newLabel(), newLabel()
		g.cond(n.Test, no, false)
		g.discard(n.Consequent)
		g.goTo(end)
		g.bind(no)
		g.discard(n.Alternate)
		g.bind(end)
	case *syntax.SequenceExpression:
		for _, e := range n.Expressions {
			g.discard(e)
		}
	case *syntax.UnaryExpression:
		if n.Operator == syntax.OpVoid || n.Operator == syntax.OpNot {
			g.discard(n.Argument)
		} else {
			g.unary(n, g.reg())
		}
	default:
		g.any(e)
	}
	g.top = mark
}

// ---- Unary operators ----

func (g *gen) unary(n *syntax.UnaryExpression, dst uint16) {
	mark := g.top
	switch n.Operator {
	case syntax.OpTypeof:
		if id, ok := erase(n.Argument).(*syntax.Identifier); ok {
			r, b := g.local(id.Name, id.Start)
			if b == nil {
				r = g.reg()
				g.loadVar(r, id.Name, id.Start, true)
			}
			g.op(bytecode.TypeOf, dst, r, 0)
		} else {
			g.op(bytecode.TypeOf, dst, g.any(n.Argument), 0)
		}
	case syntax.OpVoid:
		g.discard(n.Argument)
		g.undef(dst)
	case syntax.OpDelete:
		g.delete(n, dst)
	case syntax.OpNeg:
		switch a := erase(n.Argument).(type) {
		case *syntax.NumericLiteral:
			g.loadNum(dst, -a.Value)
		default:
			r := g.any(n.Argument)
			g.at(n.Start)
			g.op(bytecode.Neg, dst, r, 0)
		}
	default:
		r := g.any(n.Argument)
		g.at(n.Start)
		switch n.Operator {
		case syntax.OpPos:
			g.op(bytecode.ToNumber, dst, r, 0)
		case syntax.OpNot:
			g.op(bytecode.Not, dst, r, 0)
		case syntax.OpBitNot:
			g.op(bytecode.BitNot, dst, r, 0)
		}
	}
	g.top = mark
}

// delete compiles the delete operator (13.5.1).
func (g *gen) delete(n *syntax.UnaryExpression, dst uint16) {
	arg := erase(n.Argument)
	switch a := arg.(type) {
	case *syntax.Identifier:
		g.deleteVar(a, dst)
	case *syntax.MemberExpression:
		g.deleteMember(a, dst)
	case *syntax.ChainExpression:
		m, ok := erase(a.Expression).(*syntax.MemberExpression)
		if !ok {
			break
		}
		saved := g.optional
		g.optional = newLabel()
		end := newLabel()
		none := g.optional
		g.deleteMember(m, dst)
		g.goTo(end)
		g.bind(none)
		g.op(bytecode.LoadTrue, dst, 0, 0)
		g.bind(end)
		g.optional = saved
		return
	default:
		g.discard(arg)
		g.op(bytecode.LoadTrue, dst, 0, 0)
		return
	}
	if _, ok := arg.(*syntax.ChainExpression); ok {
		g.discard(arg)
		g.op(bytecode.LoadTrue, dst, 0, 0)
	}
}

func (g *gen) deleteVar(id *syntax.Identifier, dst uint16) {
	b, dyn := g.resolve(id.Name)
	g.at(id.Start)
	end := newLabel()
	mark := g.top
	for _, s := range dyn {
		next := newLabel()
		obj := g.dynObject(s)
		g.dynHas(s, obj, g.ic(id.Name), next)
		k := g.reg()
		g.loadStr(k, id.Name)
		g.op(bytecode.DeleteProp, dst, obj, k)
		g.goTo(end)
		g.bind(next)
		g.top = mark
	}
	if b != nil {
		g.op(bytecode.LoadFalse, dst, 0, 0)
	} else {
		g.op(bytecode.DeleteGlobal, dst, 0, g.ic(id.Name))
	}
	g.bind(end)
}

func (g *gen) deleteMember(m *syntax.MemberExpression, dst uint16) {
	if _, ok := m.Object.(*syntax.Super); ok {
		g.this(m.Start)
		if m.Computed {
			g.any(m.Property)
		}
		g.at(m.Start)
		g.throwError(bytecode.ErrReference, "Unsupported reference to 'super'")
		return
	}
	obj := g.operand(m.Object, m.Object.Range().End, m.End)
	if m.Optional {
		g.jump(bytecode.JumpNullish, obj, g.optional)
	}
	key := g.memberKey(m, 0)
	g.near(m.Property.Range().Start)
	g.op(bytecode.DeleteProp, dst, obj, key)
}

// ---- Binary operators ----

var binaryOps = map[syntax.Op]bytecode.Op{
	syntax.OpAdd: bytecode.Add, syntax.OpSub: bytecode.Sub, syntax.OpMul: bytecode.Mul, syntax.OpDiv: bytecode.Div,
	syntax.OpMod: bytecode.Mod, syntax.OpExp: bytecode.Exp, syntax.OpBitAnd: bytecode.BitAnd,
	syntax.OpBitOr: bytecode.BitOr, syntax.OpBitXor: bytecode.BitXor, syntax.OpShl: bytecode.Shl,
	syntax.OpShr: bytecode.Shr, syntax.OpUShr: bytecode.UShr, syntax.OpEq: bytecode.Eq, syntax.OpNe: bytecode.Ne,
	syntax.OpStrictEq: bytecode.SEq, syntax.OpStrictNe: bytecode.SNe, syntax.OpLt: bytecode.Lt, syntax.OpGt: bytecode.Gt,
	syntax.OpLe: bytecode.Le, syntax.OpGe: bytecode.Ge, syntax.OpIn: bytecode.In, syntax.OpInstanceof: bytecode.InstanceOf,
}

var immOps = map[bytecode.Op]bytecode.Op{
	bytecode.Add: bytecode.AddI, bytecode.Sub: bytecode.SubI, bytecode.Mul: bytecode.MulI, bytecode.BitAnd: bytecode.BitAndI,
	bytecode.BitOr: bytecode.BitOrI, bytecode.Shl: bytecode.ShlI, bytecode.Shr: bytecode.ShrI, bytecode.UShr: bytecode.UShrI,
}

// imm returns the value of a small integer literal.
func imm(e syntax.Expr) (uint16, bool) {
	e = erase(e)
	neg := false
	if u, ok := e.(*syntax.UnaryExpression); ok && u.Operator == syntax.OpNeg {
		neg = true
		e = u.Argument
	}
	n, ok := e.(*syntax.NumericLiteral)
	if !ok {
		return 0, false
	}
	v := n.Value
	if neg {
		if v == 0 {
			return 0, false
		}
		v = -v
	}
	i := int16(v)
	return uint16(i), float64(i) == v
}

// binary compiles a chain of binary operators that leans to the left. Only the
// last instruction writes dst.
func (g *gen) binary(n *syntax.BinaryExpression, dst uint16) {
	if v, ok := fold(n); ok {
		g.loadNum(dst, v)
		return
	}
	var few [8]*syntax.BinaryExpression
	spine := append(few[:0], n)
	for {
		l, ok := erase(spine[len(spine)-1].Left).(*syntax.BinaryExpression)
		if !ok {
			break
		}
		spine = append(spine, l)
	}
	mark := g.top
	first := spine[len(spine)-1]
	op := binaryOps[first.Operator]
	i := len(spine) - 1
	var l uint16
	if p, ok := first.Left.(*syntax.PrivateIdentifier); ok {
		name := g.privateName(p.Name)
		r := g.any(first.Right)
		t := dst
		if i > 0 {
			g.top = mark
			t = g.reg()
		}
		g.atAs(p.Start, first.OpPos)
		g.op(bytecode.HasPrivate, t, name, r)
		l = t
		i--
	} else if v, ok := imm(first.Left); ok && (op == bytecode.Mul || op == bytecode.BitAnd || op == bytecode.BitOr) {
		r := g.any(first.Right)
		t := dst
		if i > 0 {
			g.top = mark
			t = g.reg()
		}
		g.atAs(first.Start, first.OpPos)
		g.op(immOps[op], t, r, v)
		l = t
		i--
	} else {
		l = g.operand(first.Left, first.Right.Range().Start, first.Right.Range().End)
	}
	for ; i >= 0; i-- {
		b := spine[i]
		t := dst
		if i > 0 {
			t = noReg
		}
		l = g.arithTo(b.Operator, t, l, b.Right, b.Start, b.OpPos, mark)
		g.traceExpr(bytecode.OperandLeft, b.Left)
	}
	g.top = mark
}

// arithTo is arith into dst, or into a temporary at mark if dst is noReg. stack
// is what a stack shows, -1 for the place set last.
func (g *gen) arithTo(op syntax.Op, dst, left uint16, right syntax.Expr, pos, stack int32, mark int) uint16 {
	set := func() {
		if stack < 0 {
			g.near(pos)
		} else {
			g.atAs(pos, stack)
		}
	}
	bop := binaryOps[op]
	if v, ok := imm(right); ok {
		if iop, ok := immOps[bop]; ok {
			if dst == noReg {
				g.top = mark
				dst = g.reg()
			}
			set()
			g.op(iop, dst, left, v)
			g.traceExpr(bytecode.OperandRight, right)
			return dst
		}
	}
	r := g.any(right)
	if dst == noReg {
		g.top = mark
		dst = g.reg()
	}
	set()
	g.op(bop, dst, left, r)
	g.traceExpr(bytecode.OperandRight, right)
	return dst
}

// arith compiles dst = left op right for an assignment.
func (g *gen) arith(op syntax.Op, dst, left uint16, right syntax.Expr, pos int32) {
	mark := g.top
	g.arithTo(op, dst, left, right, pos, -1, mark)
	g.top = mark
}

// fold evaluates an operator between two number literals.
func fold(n *syntax.BinaryExpression) (float64, bool) {
	l, ok := n.Left.(*syntax.NumericLiteral)
	if !ok {
		return 0, false
	}
	r, ok := n.Right.(*syntax.NumericLiteral)
	if !ok {
		return 0, false
	}
	switch n.Operator {
	case syntax.OpAdd:
		return l.Value + r.Value, true
	case syntax.OpSub:
		return l.Value - r.Value, true
	case syntax.OpMul:
		return l.Value * r.Value, true
	case syntax.OpDiv:
		if r.Value != 0 {
			return l.Value / r.Value, true
		}
	}
	return 0, false
}

// ---- Logic ----

func (g *gen) logical(n *syntax.LogicalExpression, dst uint16) {
	end := newLabel()
	g.expr(n.Left, dst)
	switch n.Operator {
	case syntax.OpLogicalAnd:
		g.jump(bytecode.JumpFalse, dst, end)
	case syntax.OpLogicalOr:
		g.jump(bytecode.JumpTrue, dst, end)
	default:
		g.jump(bytecode.JumpNotNullish, dst, end)
	}
	g.expr(n.Right, dst)
	g.bind(end)
}

func (g *gen) conditional(n *syntax.ConditionalExpression, dst uint16) {
	no, end := newLabel(), newLabel()
	g.cond(n.Test, no, false)
	g.expr(n.Consequent, dst)
	g.goTo(end)
	g.bind(no)
	g.expr(n.Alternate, dst)
	g.bind(end)
}

func (g *gen) sequence(n *syntax.SequenceExpression, dst uint16) {
	last := len(n.Expressions) - 1
	for _, e := range n.Expressions[:last] {
		g.discard(e)
	}
	g.expr(n.Expressions[last], dst)
}

// cond jumps to l if the truth of e is what, and falls through otherwise.
func (g *gen) cond(e syntax.Expr, l *label, what bool) {
	mark := g.top
	e = erase(e)
	switch n := e.(type) {
	case *syntax.BooleanLiteral:
		if n.Value == what {
			g.goTo(l)
		}
		return
	case *syntax.UnaryExpression:
		if n.Operator == syntax.OpNot {
			g.cond(n.Argument, l, !what)
			return
		}
	case *syntax.LogicalExpression:
		switch {
		case n.Operator == syntax.OpNullish:
		case (n.Operator == syntax.OpLogicalAnd) == what:
			// Both have to be so: the first may decide against.
			skip := newLabel()
			g.cond(n.Left, skip, !what)
			g.cond(n.Right, l, what)
			g.bind(skip)
			return
		default:
			g.cond(n.Left, l, what)
			g.cond(n.Right, l, what)
			return
		}
	case *syntax.BinaryExpression:
		if g.condBinary(n, l, what) {
			g.top = mark
			return
		}
	case *syntax.SequenceExpression:
		last := len(n.Expressions) - 1
		for _, e := range n.Expressions[:last] {
			g.discard(e)
		}
		g.cond(n.Expressions[last], l, what)
		return
	}
	r := g.any(e)
	g.top = mark
	if what {
		g.jump(bytecode.JumpTrue, r, l)
	} else {
		g.jump(bytecode.JumpFalse, r, l)
	}
	g.traceExpr(bytecode.OperandObject, e)
}

type fusedPair struct{ yes, no, immYes, immNo, swapYes, swapNo bytecode.Op }

// fusedCmp gives, for a comparison, the jumps if it holds and if not, the same
// with a constant on the right, and with a constant on the left.
var fusedCmp = map[syntax.Op]fusedPair{
	syntax.OpLt:       {bytecode.JLt, bytecode.JNLt, bytecode.JLtI, bytecode.JNLtI, bytecode.JGtI, bytecode.JNGtI},
	syntax.OpLe:       {bytecode.JLe, bytecode.JNLe, bytecode.JLeI, bytecode.JNLeI, bytecode.JGeI, bytecode.JNGeI},
	syntax.OpGt:       {bytecode.JGt, bytecode.JNGt, bytecode.JGtI, bytecode.JNGtI, bytecode.JLtI, bytecode.JNLtI},
	syntax.OpGe:       {bytecode.JGe, bytecode.JNGe, bytecode.JGeI, bytecode.JNGeI, bytecode.JLeI, bytecode.JNLeI},
	syntax.OpStrictEq: {bytecode.JSEq, bytecode.JSNe, bytecode.JSEqI, bytecode.JSNeI, bytecode.JSEqI, bytecode.JSNeI},
	syntax.OpStrictNe: {bytecode.JSNe, bytecode.JSEq, bytecode.JSNeI, bytecode.JSEqI, bytecode.JSNeI, bytecode.JSEqI},
	syntax.OpEq:       {bytecode.JEq, bytecode.JNe, 0, 0, 0, 0},
	syntax.OpNe:       {bytecode.JNe, bytecode.JEq, 0, 0, 0, 0},
}

// condBinary compiles comparisons as fused jumps.
func (g *gen) condBinary(n *syntax.BinaryExpression, l *label, what bool) bool {
	f, ok := fusedCmp[n.Operator]
	if !ok {
		return false
	}
	if g.condNullish(n, l, what) {
		return true
	}
	if f.immYes != 0 {
		if v, ok := imm(n.Right); ok {
			r := g.any(n.Left)
			g.atAs(n.Start, n.OpPos)
			g.cmpJump(pick(what, f.immYes, f.immNo), r, v, l)
			g.traceExpr(bytecode.OperandLeft, n.Left)
			return true
		}
		if v, ok := imm(n.Left); ok {
			r := g.any(n.Right)
			g.atAs(n.Start, n.OpPos)
			g.cmpJump(pick(what, f.swapYes, f.swapNo), r, v, l)
			g.traceExpr(bytecode.OperandLeft, n.Right)
			return true
		}
	}
	a := g.operand(n.Left, n.Right.Range().Start, n.Right.Range().End)
	b := g.any(n.Right)
	g.atAs(n.Start, n.OpPos)
	g.cmpJump(pick(what, f.yes, f.no), a, b, l)
	g.traceExpr(bytecode.OperandLeft, n.Left)
	g.traceExpr(bytecode.OperandRight, n.Right)
	return true
}

func pick(what bool, yes, no bytecode.Op) bytecode.Op {
	if what {
		return yes
	}
	return no
}

// condNullish compiles comparisons with undefined and null as jumps.
func (g *gen) condNullish(n *syntax.BinaryExpression, l *label, what bool) bool {
	strict := n.Operator == syntax.OpStrictEq || n.Operator == syntax.OpStrictNe
	if !strict && n.Operator != syntax.OpEq && n.Operator != syntax.OpNe {
		return false
	}
	other := n.Left
	switch {
	case g.isUndefined(n.Right) || !strict && isNull(n.Right):
	case g.isUndefined(n.Left) || !strict && isNull(n.Left):
		other = n.Right
	default:
		return false
	}
	yes, no := bytecode.JumpUndef, bytecode.JumpNotUndef
	if !strict {
		yes, no = bytecode.JumpNullish, bytecode.JumpNotNullish
	}
	if n.Operator == syntax.OpStrictNe || n.Operator == syntax.OpNe {
		yes, no = no, yes
	}
	g.jump(pick(what, yes, no), g.any(other), l)
	g.traceExpr(bytecode.OperandObject, other)
	return true
}

func isNull(e syntax.Expr) bool {
	_, ok := e.(*syntax.NullLiteral)
	return ok
}

// isUndefined reports the global variable undefined, or void 0.
func (g *gen) isUndefined(e syntax.Expr) bool {
	if u, ok := e.(*syntax.UnaryExpression); ok && u.Operator == syntax.OpVoid {
		_, ok := u.Argument.(*syntax.NumericLiteral)
		return ok
	}
	id, ok := e.(*syntax.Identifier)
	if !ok || id.Name != "undefined" {
		return false
	}
	b, dyn := g.resolve("undefined")
	return b == nil && dyn == nil
}
