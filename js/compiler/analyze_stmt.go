package compiler

import "github.com/pinfold-js/pinfold/js/syntax"

func (a *analyzer) stmts(list []syntax.Stmt) {
	for _, s := range list {
		a.stmt(s)
	}
}

// body analyses the statements of a function's body: a variable that one of
// them initialises has its value in all that follow.
func (a *analyzer) body(list []syntax.Stmt, end int32) {
	for _, s := range list {
		a.numEnd = 0
		if _, ok := s.(*syntax.VariableDeclaration); ok {
			a.numEnd = end
		}
		a.stmt(s)
	}
	a.numEnd = 0
}

// block analyses statements in a block scope of their own.
func (a *analyzer) block(node syntax.Node, list []syntax.Stmt) {
	if !declaresLex(list) {
		a.stmts(list)
		return
	}
	s := a.newScope(scopeBlock, node)
	a.declareLex(s, list)
	saved := a.scope
	a.scope = s
	a.stmts(list)
	a.scope = saved
}

// declaresLex reports whether a block's statements declare a lexical name; one
// that doesn't needs no scope.
func declaresLex(list []syntax.Stmt) bool {
	for _, s := range list {
		switch n := unlabel(s).(type) {
		case *syntax.VariableDeclaration:
			if n.Kind != syntax.DeclVar {
				return true
			}
		case *syntax.ClassDeclaration, *syntax.FunctionDeclaration:
			return true
		}
	}
	return false
}

func (a *analyzer) declareLex(s *scope, list []syntax.Stmt) {
	lexNames(list, true, func(name string, kind bindKind) {
		b := s.declare(name, kind)
		if kind == bindFunc {
			b.value(valueAny)
		}
	})
}

func (a *analyzer) stmt(s syntax.Stmt) {
	a.cp.step()
	switch n := s.(type) {
	case *syntax.ExpressionStatement:
		a.expr(n.Expression)
	case *syntax.BlockStatement:
		a.block(n, n.Body)
	case *syntax.WithStatement:
		a.expr(n.Object)
		w := a.newScope(scopeWith, n)
		w.with = w.add(hidWith, bindHidden)
		saved := a.scope
		a.scope = w
		a.stmt(n.Body)
		a.scope = saved
	case *syntax.ReturnStatement:
		if n.Argument != nil {
			a.expr(n.Argument)
		}
	case *syntax.LabeledStatement:
		a.stmt(n.Body)
	case *syntax.IfStatement:
		a.expr(n.Test)
		a.branch(n.Consequent)
		if n.Alternate != nil {
			a.branch(n.Alternate)
		}
	case *syntax.SwitchStatement:
		a.switchStmt(n)
	case *syntax.ThrowStatement:
		a.expr(n.Argument)
	case *syntax.TryStatement:
		a.block(n.Block, n.Block.Body)
		if n.Handler != nil {
			a.catch(n.Handler)
		}
		if n.Finalizer != nil {
			a.block(n.Finalizer, n.Finalizer.Body)
		}
	case *syntax.WhileStatement:
		a.expr(n.Test)
		a.branch(n.Body)
	case *syntax.DoWhileStatement:
		a.branch(n.Body)
		a.expr(n.Test)
	case *syntax.ForStatement:
		a.forStmt(n)
	case *syntax.ForInStatement:
		a.forIn(n, n.Left, n.Right, n.Body)
	case *syntax.ForOfStatement:
		a.forIn(n, n.Left, n.Right, n.Body)
	case *syntax.VariableDeclaration:
		if !n.Declare {
			a.variables(n)
		}
	case *syntax.FunctionDeclaration:
		a.functionDecl(n)
	case *syntax.ClassDeclaration:
		if !n.Declare {
			a.classDecl(n, "")
		}
	case *syntax.ExportNamedDeclaration:
		if n.Declaration != nil && !n.TypeOnly {
			a.stmt(n.Declaration)
		}
	case *syntax.ExportDefaultDeclaration:
		switch d := n.Declaration.(type) {
		case *syntax.FunctionDeclaration:
			a.functionDecl(d)
		case *syntax.ClassDeclaration:
			a.classDecl(d, "*default*")
		case nil:
			a.expr(n.Expression)
			if b := a.scope.find("*default*"); b != nil {
				b.declEnd = n.End
			}
		}
	}
}

// branch analyses a statement in a place where Annex B allows a function
// declaration, which then has a block of its own.
func (a *analyzer) branch(s syntax.Stmt) {
	if d, ok := unlabel(s).(*syntax.FunctionDeclaration); ok {
		a.block(d, []syntax.Stmt{s})
		return
	}
	a.stmt(s)
}

func (a *analyzer) functionDecl(d *syntax.FunctionDeclaration) {
	a.function(d.Func, funcOptions{})
	if d.AnnexBHoist && d.Func.ID != nil {
		// The var binding is assigned when the declaration is evaluated.
		if b := a.hoistTarget(d.Func.ID.Name); b != nil {
			b.value(valueAny)
			a.note(b, d.Start, valueAny)
			if b.scope.fn != a.fn {
				b.captured = true
			}
		}
	}
}

// hoistTarget finds the var binding that Annex B's function hoisting writes.
func (a *analyzer) hoistTarget(name string) *binding {
	if a.fn.skipsHoist(name) {
		return nil
	}
	for s := a.scope; s != nil && s.fn == a.fn; s = s.parent {
		switch s.kind {
		case scopeFunc, scopeBody, scopeStatic, scopeModule, scopeEval:
			if b := s.find(name); b != nil && (b.kind == bindVar || b.kind == bindFunc || b.kind == bindParam) {
				return b
			}
		}
	}
	return nil
}

func (a *analyzer) variables(n *syntax.VariableDeclaration) {
	for _, d := range n.Declarations {
		if n.Kind == syntax.DeclVar {
			if id, ok := d.ID.(*syntax.Identifier); ok {
				if d.Init != nil {
					b := a.assign(id.Name, id.Start, kindOf(d.Init))
					a.expr(d.Init)
					if b != nil && !b.other && a.numEnd > d.End {
						b.numbers = append(b.numbers, [2]int32{d.End, a.numEnd})
					}
				}
				continue
			}
		}
		if d.Init != nil {
			a.expr(d.Init)
		}
		if n.Kind == syntax.DeclVar {
			a.pattern(d.ID, false)
		} else {
			a.lexPattern(d.ID, d.Init, d.End)
		}
	}
}

// lexPattern analyses the declaration of lexical names, initialised from end on.
func (a *analyzer) lexPattern(p syntax.Pattern, init syntax.Expr, end int32) {
	a.pattern(p, true)
	id, simple := p.(*syntax.Identifier)
	if simple {
		if b := a.scope.find(id.Name); b != nil {
			b.value(kindOf(init))
			a.initialised(b, end)
		}
		return
	}
	boundNames(p, func(id *syntax.Identifier) {
		if b := a.scope.find(id.Name); b != nil {
			b.value(valueAny)
			a.initialised(b, end)
		}
	})
}

func (a *analyzer) initialised(b *binding, end int32) {
	b.declEnd = end
	if a.caseEnd != 0 && b.scope.kind == scopeBlock && a.scope == b.scope {
		b.safeEnd = a.caseEnd
	}
}

func (a *analyzer) switchStmt(n *syntax.SwitchStatement) {
	a.expr(n.Discriminant)
	s := a.newScope(scopeBlock, n)
	for _, c := range n.Cases {
		a.declareLex(s, c.Consequent)
	}
	saved, savedEnd := a.scope, a.caseEnd
	a.scope = s
	for _, c := range n.Cases {
		a.caseEnd = 0
		if c.Test != nil {
			a.expr(c.Test)
		}
		for _, st := range c.Consequent {
			a.caseEnd = c.End
			a.stmt(st)
		}
	}
	a.scope, a.caseEnd = saved, savedEnd
}

func (a *analyzer) catch(h *syntax.CatchClause) {
	saved := a.scope
	s := a.newScope(scopeCatch, h)
	if id, ok := h.Param.(*syntax.Identifier); ok {
		s.add(id.Name, bindCatch).value(valueAny)
		a.declareLex(s, h.Body.Body)
		a.scope = s
		a.stmts(h.Body.Body)
		a.scope = saved
		return
	}
	a.scope = s
	if h.Param != nil {
		boundNames(h.Param, func(id *syntax.Identifier) { s.declare(id.Name, bindLet).value(valueAny) })
		a.pattern(h.Param, true)
		boundNames(h.Param, func(id *syntax.Identifier) { s.find(id.Name).declEnd = h.Param.Range().End })
	}
	a.block(h.Body, h.Body.Body)
	a.scope = saved
}

func (a *analyzer) forStmt(n *syntax.ForStatement) {
	saved := a.scope
	if d, ok := n.Init.(*syntax.VariableDeclaration); ok && d.Kind != syntax.DeclVar {
		s := a.newScope(scopeBlock, n)
		for _, v := range d.Declarations {
			boundNames(v.ID, func(id *syntax.Identifier) { s.declare(id.Name, declKind(d.Kind)) })
		}
		a.scope = s
	}
	if n.Init != nil {
		outer := a.numEnd
		a.numEnd = n.End
		a.stmt(n.Init)
		a.numEnd = outer
	}
	if n.Test != nil {
		a.expr(n.Test)
	}
	if n.Update != nil {
		a.expr(n.Update)
	}
	a.branch(n.Body)
	a.scope = saved
}

// forIn analyses for-in and for-of. The head's expression sees the names of a
// lexical declaration in their temporal dead zone (14.7.5.12).
func (a *analyzer) forIn(node syntax.Node, left syntax.Node, right syntax.Expr, body syntax.Stmt) {
	d, _ := left.(*syntax.VariableDeclaration)
	if d == nil || d.Kind == syntax.DeclVar {
		if d != nil && d.Declarations[0].Init != nil {
			a.variables(d)
		}
		a.expr(right)
		if d != nil {
			a.pattern(d.Declarations[0].ID, false)
		} else if p, ok := left.(syntax.Pattern); ok {
			a.pattern(p, false)
		}
		a.branch(body)
		return
	}
	saved := a.scope
	id := d.Declarations[0].ID
	head := a.newScope(scopeBlock, d)
	boundNames(id, func(i *syntax.Identifier) { head.declare(i.Name, declKind(d.Kind)) })
	a.scope = head
	a.expr(right)
	a.scope = saved
	s := a.newScope(scopeBlock, node)
	a.scope = s
	boundNames(id, func(i *syntax.Identifier) { s.declare(i.Name, declKind(d.Kind)).value(valueAny) })
	a.pattern(id, true)
	boundNames(id, func(i *syntax.Identifier) { s.find(i.Name).declEnd = id.Range().End })
	a.branch(body)
	a.scope = saved
}

func (a *analyzer) classDecl(d *syntax.ClassDeclaration, name string) {
	a.classExpr(d.Class)
	if d.Class.ID != nil {
		name = d.Class.ID.Name
	}
	if b := a.scope.find(name); b != nil {
		b.value(valueAny)
		a.initialised(b, d.End)
	}
}

// ---- Patterns ----

// pattern analyses a binding or assignment pattern. lex: the names are being
// declared in the current scope, so that binding them is no assignment.
func (a *analyzer) pattern(p syntax.Pattern, lex bool) {
	switch p := p.(type) {
	case *syntax.Identifier:
		if !lex {
			a.assign(p.Name, p.Start, valueAny)
		}
	case *syntax.AssignmentPattern:
		a.pattern(p.Left, lex)
		a.expr(p.Right)
	case *syntax.RestElement:
		a.pattern(p.Argument, lex)
	case *syntax.ArrayPattern:
		for _, e := range p.Elements {
			if e != nil {
				a.pattern(e, lex)
			}
		}
	case *syntax.ObjectPattern:
		for _, prop := range p.Properties {
			if prop.Computed {
				a.expr(prop.Key)
			}
			a.pattern(prop.Value, lex)
		}
		if p.Rest != nil {
			a.pattern(p.Rest.Argument, lex)
		}
	case *syntax.MemberExpression:
		a.expr(p)
	case *syntax.CallExpression:
		a.expr(p)
	default:
		if in, ok := unwrapPattern(p); ok {
			a.pattern(in, lex)
		}
	}
}

// unwrapPattern strips TypeScript's wrappers from a target.
func unwrapPattern(p syntax.Pattern) (syntax.Pattern, bool) {
	var e syntax.Expr
	switch p := p.(type) {
	case *syntax.TSAsExpression:
		e = p.Expression
	case *syntax.TSSatisfiesExpression:
		e = p.Expression
	case *syntax.TSNonNullExpression:
		e = p.Expression
	case *syntax.TSTypeAssertion:
		e = p.Expression
	default:
		return nil, false
	}
	in, ok := e.(syntax.Pattern)
	return in, ok
}
