package transpile

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func (t *transpiler) statements(list []syntax.Stmt) {
	for i, s := range list {
		if es, ok := s.(*syntax.ExpressionStatement); ok && es.Directive && i < len(list) {
			continue
		}
		t.statement(s)
	}
}

// body lowers a statement as a block of its own.
func (t *transpiler) body(s syntax.Stmt) []*ast.Step {
	return t.scoped(func() {
		if b, ok := s.(*syntax.BlockStatement); ok {
			t.statements(b.Body)
			return
		}
		t.statement(s)
	})
}

func (t *transpiler) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.EmptyStatement:
	case *syntax.VariableDeclaration:
		t.declaration(s)
	case *syntax.ExpressionStatement:
		t.expressionStatement(s)
	case *syntax.IfStatement:
		cond := t.node(s.Test)
		b := &ast.If{Condition: cond, Then: t.body(s.Consequent)}
		if s.Alternate != nil {
			b.Else = t.body(s.Alternate)
		}
		t.emit(&ast.Step{Op: "if", Body: b, Pos: t.pos(s)})
	case *syntax.WhileStatement:
		t.while(s)
	case *syntax.ForOfStatement:
		t.forOf(s)
	case *syntax.TryStatement:
		t.try(s)
	case *syntax.ReturnStatement:
		t.returnStatement(s)
	case *syntax.BlockStatement:
		t.emit(&ast.Step{Op: "scope", Body: &ast.Block{Steps: t.body(s)}, Pos: t.pos(s)})
	case *syntax.ThrowStatement:
		t.fail(s, CodeThrow, "'throw' is not supported in AsyncJS. Use Error('message') to trigger error flow", "Error('no such city')")
	default:
		t.unsupportedStatement(s)
	}
}

func (t *transpiler) unsupportedStatement(s syntax.Stmt) {
	kind, advice, fix := "", "", ""
	switch s.(type) {
	case *syntax.ForStatement:
		fix = "let i = 0\nwhile (i < items.length) {\n  // ...\n  i = i + 1\n}"
		kind, advice = "ForStatement", "AJS has no `for` loops. Use `while` with a counter:"
	case *syntax.ForInStatement:
		fix = "const keys = Object.keys(obj)\nlet i = 0\nwhile (i < keys.length) {\n  const key = keys[i]\n  // ...\n  i = i + 1\n}"
		kind, advice = "ForInStatement", "AJS has no `for...in`. Get the keys and walk them with `while`:"
	case *syntax.SwitchStatement:
		fix = "if (kind == 'a') {\n  // ...\n} else if (kind == 'b') {\n  // ...\n}"
		kind, advice = "SwitchStatement", "AJS has no `switch`. Use `if`/`else if`:"
	case *syntax.DoWhileStatement:
		fix = "let i = 0\nwhile (i < n) {\n  // ...\n  i = i + 1\n}"
		kind, advice = "DoWhileStatement", "AJS has no `do...while`. Use `while`, running the body check first:"
	case *syntax.BreakStatement:
		kind, fix = "BreakStatement", "let done = false\nwhile (!done) {\n  done = true\n}"
	case *syntax.ContinueStatement:
		kind, fix = "ContinueStatement", "for (const x of items) {\n  if (x != null) {\n    // ...\n  }\n}"
	case *syntax.LabeledStatement:
		kind, fix = "LabeledStatement", "let done = false\nwhile (!done) {\n  done = true\n}"
	case *syntax.FunctionDeclaration:
		kind, fix = "FunctionDeclaration", "function helper(x) {\n  return x * 2\n}\nfunction main({ n: 1 }) {\n  const r = helper(n)\n  return { r }\n}"
	case *syntax.ClassDeclaration:
		t.fail(s, CodeClass, "Classes are not supported. Agent99 uses functional composition.", "function makePoint(x, y) {\n  return { x, y }\n}")
	case *syntax.DebuggerStatement:
		kind, fix = "DebuggerStatement", "consoleLog({ message: 'here' })"
	case *syntax.WithStatement:
		kind, fix = "WithStatement", "const x = o.x"
	default:
		kind, fix = "Statement", "const x = 1"
	}
	msg := "Unsupported statement type: " + kind
	if advice != "" {
		msg += ". " + advice + "\n" + indent(fix)
	}
	t.fail(s, CodeStatement, msg, fix)
}

// indent puts two spaces in front of every line.
func indent(code string) string {
	out := []byte("  ")
	for i := 0; i < len(code); i++ {
		out = append(out, code[i])
		if code[i] == '\n' {
			out = append(out, ' ', ' ')
		}
	}
	return string(out)
}

func (t *transpiler) declaration(s *syntax.VariableDeclaration) {
	if s.Kind == syntax.DeclUsing || s.Kind == syntax.DeclAwaitUsing {
		t.fail(s, CodeDeclaration, "'using' is not available in AsyncJS: nothing needs to be closed", "const data = httpFetch({ url })")
	}
	for _, d := range s.Declarations {
		id, ok := d.ID.(*syntax.Identifier)
		if !ok {
			t.fail(d.ID, CodeDeclaration, "Only simple variable names are supported", t.takeApart(d.ID, d.Init))
		}
		switch {
		case s.Kind == syntax.DeclVar:
			if d.Init != nil {
				t.store(d.Init, target{toAssign, id.Name}, d)
			}
			continue
		case d.Init == nil:
			t.declare(id, id.Name, bindLet)
			t.emit(&ast.Step{Op: "varSet", Body: &ast.Assign{Key: id.Name, Value: &ast.Lit{}}, Pos: t.pos(d)})
			continue
		}
		kind, b := toLet, bindLet
		if s.Kind == syntax.DeclConst {
			kind, b = toConst, bindConst
		}
		t.checkName(id)
		t.store(d.Init, target{kind, id.Name}, d)
		t.declare(id, id.Name, b)
	}
}

// checkName refuses the names that declare refuses, before anything else.
func (t *transpiler) checkName(id *syntax.Identifier) {
	if forbidden(id.Name) || id.Name == returnTemp || id.Name == "errorOp" {
		t.declare(id, id.Name, bindLet)
	}
}

// takeApart is code that does what a destructuring declaration does.
func (t *transpiler) takeApart(p syntax.Pattern, init syntax.Expr) string {
	from := "o"
	if id, ok := init.(*syntax.Identifier); ok {
		from = id.Name
	}
	out := ""
	switch p := p.(type) {
	case *syntax.ObjectPattern:
		for _, m := range p.Properties {
			if k, ok := m.Key.(*syntax.Identifier); ok && !m.Computed {
				out += "const " + k.Name + " = " + from + "." + k.Name + "\n"
			}
		}
	case *syntax.ArrayPattern:
		for i, e := range p.Elements {
			if id, ok := e.(*syntax.Identifier); ok {
				out += "const " + id.Name + " = " + from + "[" + itoa(i) + "]\n"
			}
		}
	}
	if out == "" {
		return "const a = " + from + ".a"
	}
	return out[:len(out)-1]
}

func (t *transpiler) expressionStatement(s *syntax.ExpressionStatement) {
	switch e := unwrap(s.Expression).(type) {
	case *syntax.AssignmentExpression:
		t.assignment(e, s)
	case *syntax.UpdateExpression:
		id, ok := e.Argument.(*syntax.Identifier)
		op := e.Operator.String()
		if !ok {
			t.fail(e, CodeAssignment, "'"+op+"' is supported only on a simple variable", "o = { ...o, count: o.count + 1 }")
		}
		t.checkAssign(id)
		t.emit(&ast.Step{Op: "varAssign", Pos: t.pos(s), Body: &ast.Assign{Key: id.Name,
			Value: &ast.Binary{Op: op[:1], Left: &ast.Ident{Name: id.Name}, Right: &ast.Literal{Data: 1.0}}}})
	case *syntax.CallExpression:
		t.store(s.Expression, target{kind: toNothing}, s)
	default:
		if u, ok := e.(*syntax.UnaryExpression); ok && u.Operator == syntax.OpDelete {
			t.node(e)
		}
		if !t.opt.Original {
			if t.needsLift(e) {
				// A condition in front of a call: ok && send({ … }).
				v := t.node(e)
				if ast.IsNode(v) {
					if _, name := v.(*ast.Ident); !name {
						t.emit(&ast.Step{Op: "evaluate", Body: &ast.Evaluate{Value: v}, Pos: t.pos(s)})
					}
				}
				return
			}
			var v ast.Value
			t.block(func() { v = t.node(e) })
			if hasCall(v) {
				t.emit(&ast.Step{Op: "evaluate", Body: &ast.Evaluate{Value: v}, Pos: t.pos(s)})
				return
			}
		}
		t.warn(s, "Expression statement has no effect")
	}
}

// hasCall reports a call somewhere in an expression.
func hasCall(v ast.Value) bool {
	found := false
	ast.WalkValue(v, func(v ast.Value) {
		switch v.(type) {
		case *ast.Call, *ast.MethodCall:
			found = true
		}
	})
	return found
}

func (t *transpiler) assignment(e *syntax.AssignmentExpression, s syntax.Node) {
	id, ok := e.Left.(*syntax.Identifier)
	if !ok {
		t.assignmentTarget(e)
	}
	t.checkAssign(id)
	to := target{toAssign, id.Name}
	if e.Operator == syntax.OpAssign {
		t.store(e.Right, to, s)
		return
	}
	op := e.Operator.String()
	read := &syntax.Identifier{Span: id.Span, Name: id.Name}
	at := syntax.Span{Start: e.Start, End: e.End}
	var value syntax.Expr
	switch e.Operator {
	case syntax.OpLogicalAnd, syntax.OpLogicalOr, syntax.OpNullish:
		value = &syntax.LogicalExpression{Span: at, Operator: e.Operator, OpPos: e.OpPos, Left: read, Right: e.Right}
	default:
		if !names().operators[op] {
			t.failAt(e.OpPos, CodeOperator, "The operator '"+op+"=' is not available in AsyncJS", t.operatorFix(op))
		}
		value = &syntax.BinaryExpression{Span: at, Operator: e.Operator, OpPos: e.OpPos, Left: read, Right: e.Right}
	}
	t.store(value, to, s)
}

// assignmentTarget refuses an assignment to anything but a variable.
func (t *transpiler) assignmentTarget(e *syntax.AssignmentExpression) {
	fix := "o = { ...o, name: value }"
	right := t.text(e.Right)
	switch l := e.Left.(type) {
	case *syntax.MemberExpression:
		obj, ok := l.Object.(*syntax.Identifier)
		switch p := l.Property.(type) {
		case *syntax.Identifier:
			if ok && !l.Computed {
				fix = obj.Name + " = { ..." + obj.Name + ", " + p.Name + ": " + right + " }"
			} else if ok {
				fix = obj.Name + " = { ..." + obj.Name + ", [" + p.Name + "]: " + right + " }"
			}
		case *syntax.NumericLiteral:
			if ok {
				fix = obj.Name + " = " + obj.Name + ".with(" + t.text(p) + ", " + right + ")"
			}
		case *syntax.StringLiteral:
			if ok {
				fix = obj.Name + " = { ..." + obj.Name + ", " + t.text(p) + ": " + right + " }"
			}
		}
	case *syntax.ObjectPattern, *syntax.ArrayPattern:
		fix = "a = o.a"
	}
	if e.Operator != syntax.OpAssign {
		t.fail(e, CodeAssignment, "'"+e.Operator.String()+"=' is supported only on a simple variable", fix)
	}
	t.fail(e, CodeAssignment, "Only simple variable assignment is supported", fix)
}

// checkAssign refuses assignments that would fail, or make a variable by
// accident.
func (t *transpiler) checkAssign(id *syntax.Identifier) {
	t.checkName(id)
	if t.opt.Original {
		return
	}
	switch t.scope.lookup(id.Name) {
	case 0:
		fix := "let " + id.Name + " = 0"
		msg := "'" + id.Name + "' is not declared"
		if near := nearest(id.Name, t.scope.visible()); near != "" {
			msg += ", did you mean '" + near + "'?"
			fix = near + " = 0"
		}
		t.fail(id, CodeName, msg, fix)
	case bindConst:
		t.fail(id, CodeConst, "Cannot reassign const variable '"+id.Name+"'", "let "+id.Name+" = 0\n"+id.Name+" = 1")
	}
}

// while lowers a loop. If its condition needs steps, they are run at the head
// of each pass.
func (t *transpiler) while(s *syntax.WhileStatement) {
	pos := t.pos(s)
	if !t.needsLift(s.Test) {
		cond := t.node(s.Test)
		t.emit(&ast.Step{Op: "while", Pos: pos, Body: &ast.While{Condition: cond, Body: t.body(s.Body)}})
		return
	}
	go_ := t.temp()
	t.emit(set(go_, &ast.Lit{Data: true}, pos))
	body := t.scoped(func() {
		t.store(s.Test, target{toAssign, go_}, s.Test)
		t.emit(&ast.Step{Op: "if", Pos: pos, Body: &ast.If{Condition: &ast.Ident{Name: go_}, Then: t.body(s.Body)}})
	})
	t.emit(&ast.Step{Op: "while", Pos: pos, Body: &ast.While{Condition: &ast.Ident{Name: go_}, Body: body}})
}

func (t *transpiler) forOf(s *syntax.ForOfStatement) {
	const fix = "for (const x of items) {\n  // ...\n}"
	d, ok := s.Left.(*syntax.VariableDeclaration)
	if !ok || d.Kind != syntax.DeclConst && d.Kind != syntax.DeclLet {
		t.fail(s, CodeForOf, "for...of in AsyncJS needs `const` or `let`: `for (const x of items)`", fix)
	}
	if s.Await && t.opt.Original {
		t.fail(s, CodeForOf, "Unsupported statement type: ForAwaitStatement", fix)
	}
	id, ok := d.Declarations[0].ID.(*syntax.Identifier)
	if !ok {
		p := d.Declarations[0].ID
		body := t.takeApart(p, &syntax.Identifier{Name: "item"})
		t.fail(p, CodeForOf, "Only simple variable names are supported in for...of", "for (const item of items) {\n"+indent(body)+"\n}")
	}
	items := t.value(s.Right)
	steps := t.scoped(func() {
		b := bindLoop
		if d.Kind == syntax.DeclConst {
			b = bindConst
		}
		t.declare(id, id.Name, b)
		if blk, ok := s.Body.(*syntax.BlockStatement); ok {
			t.inner(func() { t.statements(blk.Body) })
			return
		}
		t.statement(s.Body)
	})
	t.emit(&ast.Step{Op: "map", Pos: t.pos(s), Body: &ast.Map{Items: items, As: id.Name, Steps: steps, Loop: true}})
}

// inner gives the names of a block a scope, without a block of steps.
func (t *transpiler) inner(f func()) {
	saved := t.scope
	t.scope = newScope(saved)
	f()
	t.scope = saved
}

func (t *transpiler) try(s *syntax.TryStatement) {
	if s.Finalizer != nil {
		t.fail(s.Finalizer, CodeFinally, "'finally' is not supported in AsyncJS: put what follows behind the try", "let data = null\ntry {\n  data = httpFetch({ url })\n} catch (e) {\n  data = { error: e }\n}\nreturn { data }")
	}
	b := &ast.Try{Try: t.body(s.Block)}
	if h := s.Handler; h != nil {
		var id *syntax.Identifier
		if h.Param != nil {
			ok := false
			if id, ok = h.Param.(*syntax.Identifier); !ok {
				t.fail(h.Param, CodeCatch, "A pattern in catch is not supported: the error is its message, a string", "try {\n  const data = httpFetch({ url })\n  return { data }\n} catch (e) {\n  return { error: e }\n}")
			}
			b.CatchParam = id.Name
		} else if !t.opt.Original && t.scope.lookup("error") != 0 {
			// The name a catch without one binds would hide the variable.
			b.CatchParam = t.temp()
		}
		b.Catch = t.scoped(func() {
			if id != nil {
				t.declare(id, id.Name, bindCatch)
			} else if b.CatchParam == "" {
				t.declare(h, "error", bindCatch)
			}
			t.inner(func() { t.statements(h.Body.Body) })
		})
	}
	t.emit(&ast.Step{Op: "try", Body: b, Pos: t.pos(s)})
}

func (t *transpiler) returnStatement(s *syntax.ReturnStatement) {
	if s.Argument == nil {
		if t.callback > 0 && !t.opt.Original {
			// A callback's value is undefined then, not an object.
			t.emitReturn(&ast.Ident{Name: "undefined"}, s)
			return
		}
		if t.box {
			t.emitReturn(&ast.Ident{Name: "undefined"}, s)
			return
		}
		t.emitReturn(&ast.Lit{Data: ast.Object{}}, s)
		return
	}
	t.checkResult(s.Argument)
	t.store(s.Argument, target{kind: toReturn}, s)
}

// emitReturn emits the step; results of a boxed program are boxed.
func (t *transpiler) emitReturn(v ast.Value, at syntax.Node) {
	if t.box && t.callback == 0 {
		if l, ok := v.(*ast.Lit); ok {
			v = &ast.Lit{Data: ast.Object{{Key: BoxKey, Value: l.Data}}}
		} else {
			v = &ast.Record{Fields: []ast.Field{{Name: BoxKey, Value: v}}}
		}
	}
	t.emit(&ast.Step{Op: "return", Body: &ast.Return{Value: v}, Pos: t.pos(at)})
}

// checkResult refuses a result of the entry that can't be an object.
func (t *transpiler) checkResult(e syntax.Expr) {
	if t.opt.Original || t.opt.AnyResult || t.box || t.inHelper || t.callback > 0 {
		return
	}
	kind := ""
	switch e := unwrap(e).(type) {
	case *syntax.StringLiteral, *syntax.TemplateLiteral:
		kind = "string"
	case *syntax.NumericLiteral:
		kind = "number"
	case *syntax.BooleanLiteral:
		kind = "boolean"
	case *syntax.ArrayExpression:
		kind = "array"
	case *syntax.BinaryExpression:
		switch e.Operator {
		case syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpExp:
			kind = "number"
		case syntax.OpAdd:
			kind = "a number or a string"
		default:
			kind = "boolean"
		}
	case *syntax.UnaryExpression:
		switch e.Operator {
		case syntax.OpNot:
			kind = "boolean"
		case syntax.OpNeg, syntax.OpPos:
			kind = "number"
		case syntax.OpTypeof:
			kind = "string"
		}
	}
	if kind != "" {
		t.fail(e, CodeReturn, "Agent must return an object, got "+kind, "return { result: "+t.text(e)+" }")
	}
}
