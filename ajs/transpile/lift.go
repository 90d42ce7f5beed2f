package transpile

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// An atom call, a helper call and a call with a callback are steps. Inside of
// an expression they are lifted: the step stands before the one that needs its
// value, which it leaves in a variable that no program can spell. What is
// evaluated before it stays before it: it is put into such a variable too,
// unless nothing in between can change it. The right side of && || ?? and the
// branches of ?: become blocks of an `if`.

// needsLift reports steps inside an expression.
func (t *transpiler) needsLift(e syntax.Expr) bool {
	if t.opt.Original || e == nil {
		return false
	}
	return t.lift(e)
}

// lift goes down the tree once; the answers for calls are kept.
func (t *transpiler) lift(n syntax.Node) bool {
	if v, ok := t.lifts[n]; ok {
		return v
	}
	found := false
	switch x := n.(type) {
	case *syntax.Function, *syntax.ArrowFunctionExpression, *syntax.FunctionExpression, *syntax.Class:
		return false
	case *syntax.Identifier, *syntax.StringLiteral, *syntax.NumericLiteral, *syntax.TemplateElement:
		return false
	case *syntax.CallExpression:
		found = t.isStep(x)
	}
	if !found {
		syntax.Children(n, func(c syntax.Node) {
			if !found {
				found = t.lift(c)
			}
		})
	}
	t.lifts[n] = found
	return found
}

// assigning reports a function in an expression that assigns a variable.
func (t *transpiler) assigning(n syntax.Node) bool {
	if v, ok := t.assigns[n]; ok {
		return v
	}
	found := false
	switch n.(type) {
	case *syntax.Identifier, *syntax.StringLiteral, *syntax.NumericLiteral, *syntax.TemplateElement:
		return false
	case *syntax.AssignmentExpression, *syntax.UpdateExpression:
		found = true
	}
	if !found {
		syntax.Children(n, func(c syntax.Node) {
			if !found {
				found = t.assigning(c)
			}
		})
	}
	t.assigns[n] = found
	return found
}

// operand is one of the operands of an expression, in a value position or in a
// node position.
type operand struct {
	e     syntax.Expr // nil is a hole
	value bool
}

// operands lowers the operands of one expression, left to right.
func (t *transpiler) operands(ops []operand) []ast.Value {
	last := -1
	for i := len(ops) - 1; i >= 0 && last < 0; i-- {
		if ops[i].e != nil && t.needsLift(ops[i].e) {
			last = i
		}
	}
	var out []ast.Value
	if len(ops) > 0 {
		out = make([]ast.Value, len(ops))
	}
	changes := false
	for i := range ops {
		changes = changes || i <= last && ops[i].e != nil && t.assigning(ops[i].e)
	}
	for i, o := range ops {
		switch {
		case o.e == nil:
			continue
		case o.value:
			out[i] = t.value(o.e)
		default:
			out[i] = t.node(o.e)
		}
		if i < last && !t.stable(out[i], changes) {
			out[i] = t.spill(out[i], o.e)
		}
	}
	return out
}

// stable reports a value that steps between can't change.
func (t *transpiler) stable(v ast.Value, changes bool) bool {
	switch v := v.(type) {
	case *ast.Lit, *ast.Literal, *ast.Regex:
		return true
	case *ast.Ident:
		return !changes || v.Name[0] == '#' || t.scope.lookup(v.Name) == bindConst
	}
	return false
}

// spill puts a value into a variable.
func (t *transpiler) spill(v ast.Value, at syntax.Node) ast.Value {
	name := t.temp()
	t.emit(set(name, v, t.pos(at)))
	return &ast.Ident{Name: name}
}

// lifted lowers a call that is a step, and reads its value.
func (t *transpiler) lifted(e *syntax.CallExpression) ast.Value {
	name := t.temp()
	t.stepCall(e, target{toLet, name}, e)
	return &ast.Ident{Name: name}
}

// undefinedNode is a node for undefined.
func undefinedNode() ast.Value { return &ast.Ident{Name: "undefined"} }

// isNull tests for null and undefined.
func isNull(v ast.Value, op string) ast.Value {
	return &ast.Binary{Op: op, Left: v, Right: &ast.Literal{}}
}

func (t *transpiler) logical(e *syntax.LogicalExpression) ast.Value {
	op := e.Operator.String()
	if !t.needsLift(e.Right) {
		left := t.node(e.Left)
		return &ast.Logical{Op: op, Left: left, Right: t.node(e.Right)}
	}
	name := t.temp()
	pos := t.pos(e)
	t.emit(set(name, t.node(e.Left), pos))
	var cond ast.Value = &ast.Ident{Name: name}
	switch e.Operator {
	case syntax.OpLogicalOr:
		cond = &ast.Unary{Op: "!", Argument: cond}
	case syntax.OpNullish:
		cond = isNull(cond, "==")
	}
	then := t.scoped(func() { t.store(e.Right, target{toAssign, name}, e.Right) })
	t.emit(&ast.Step{Op: "if", Pos: pos, Body: &ast.If{Condition: cond, Then: then}})
	return &ast.Ident{Name: name}
}

func (t *transpiler) conditional(e *syntax.ConditionalExpression) ast.Value {
	test := t.node(e.Test)
	if !t.needsLift(e.Consequent) && !t.needsLift(e.Alternate) {
		yes := t.node(e.Consequent)
		return &ast.Conditional{Test: test, Consequent: yes, Alternate: t.node(e.Alternate)}
	}
	name := t.temp()
	pos := t.pos(e)
	t.emit(set(name, &ast.Lit{}, pos))
	b := &ast.If{Condition: test}
	b.Then = t.scoped(func() { t.store(e.Consequent, target{toAssign, name}, e.Consequent) })
	b.Else = t.scoped(func() { t.store(e.Alternate, target{toAssign, name}, e.Alternate) })
	t.emit(&ast.Step{Op: "if", Pos: pos, Body: b})
	return &ast.Ident{Name: name}
}

// unless runs f only if a value is neither null nor undefined; the result is
// undefined then.
func (t *transpiler) unless(v ast.Value, at syntax.Node, f func(to target)) ast.Value {
	name := t.temp()
	pos := t.pos(at)
	t.emit(set(name, undefinedNode(), pos))
	then := t.scoped(func() { f(target{toAssign, name}) })
	t.emit(&ast.Step{Op: "if", Pos: pos, Body: &ast.If{Condition: isNull(v, "!="), Then: then}})
	return &ast.Ident{Name: name}
}
