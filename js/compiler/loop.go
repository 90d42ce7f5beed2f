package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// loop opens the control entry of a loop.
func (g *gen) loop(labels []string) *control {
	c := &control{kind: ctlLoop, labels: labels, brk: newLabel(), cont: newLabel(), breakable: true}
	g.ctl = append(g.ctl, c)
	return c
}

func (g *gen) endLoop(c *control) {
	g.ctl = g.ctl[:len(g.ctl)-1]
	g.bind(c.brk)
}

// always reports a condition that is the literal true.
func always(e syntax.Expr) bool {
	switch n := e.(type) {
	case nil:
		return true
	case *syntax.BooleanLiteral:
		return n.Value
	case *syntax.NumericLiteral:
		return n.Value != 0 && n.Value == n.Value
	}
	return false
}

func (g *gen) whileStmt(n *syntax.WhileStatement, labels []string) {
	g.empty()
	c := g.loop(labels)
	body := newLabel()
	if !always(n.Test) {
		g.goTo(c.cont)
	}
	g.bind(body)
	g.branch(n.Body)
	g.bind(c.cont)
	g.at(n.Start)
	if always(n.Test) {
		g.goTo(body)
	} else {
		g.cond(n.Test, body, true)
	}
	g.endLoop(c)
}

func (g *gen) doWhile(n *syntax.DoWhileStatement, labels []string) {
	g.empty()
	c := g.loop(labels)
	body := newLabel()
	g.bind(body)
	g.branch(n.Body)
	g.bind(c.cont)
	g.at(n.Start)
	g.cond(n.Test, body, true)
	g.endLoop(c)
}

func (g *gen) forStmt(n *syntax.ForStatement, labels []string) {
	g.empty()
	outer, mark := g.scope, g.top
	s := g.cp.an.scopes[n]
	copies := false
	run := func() { g.forLoop(n, labels, s, copies) }
	if s == nil {
		g.forInit(n)
		run()
		g.top = mark
		return
	}
	g.enter(s)
	d := n.Init.(*syntax.VariableDeclaration)
	copies = d.Kind == syntax.DeclLet && s.env
	g.using([]syntax.Stmt{d}, func() {
		g.forInit(n)
		run()
	})
	g.scope = outer
	g.top = mark
}

func (g *gen) forInit(n *syntax.ForStatement) {
	switch i := n.Init.(type) {
	case nil:
	case *syntax.ExpressionStatement:
		g.discard(i.Expression)
	default:
		g.stmt(i)
	}
}

// copyEnv makes the environment of a loop's next iteration.
func (g *gen) copyEnv(s *scope) {
	g.fuel += int(s.slots) / 8
	g.op(bytecode.CopyEnv, s.envReg, 0, 0)
}

// forLoop compiles test, body and update. copies: each iteration has its own
// copy of the loop's environment (14.7.4.4).
func (g *gen) forLoop(n *syntax.ForStatement, labels []string, s *scope, copies bool) {
	c := g.loop(labels)
	body, test := newLabel(), newLabel()
	if copies {
		g.copyEnv(s)
	}
	if !always(n.Test) {
		g.goTo(test)
	}
	g.bind(body)
	g.branch(n.Body)
	g.bind(c.cont)
	if copies {
		g.copyEnv(s)
	}
	if n.Update != nil {
		g.discard(n.Update)
	}
	g.bind(test)
	g.at(n.Start) // of the jump back: where a limit that ends the loop says it was
	if always(n.Test) {
		g.goTo(body)
	} else {
		g.cond(n.Test, body, true)
	}
	g.endLoop(c)
}

// head evaluates the expression in the head of for-in and for-of, where the
// names that the head declares are in their temporal dead zone.
func (g *gen) head(left syntax.Node, right syntax.Expr) uint16 {
	outer := g.scope
	if d, ok := left.(*syntax.VariableDeclaration); ok && d.Kind != syntax.DeclVar {
		if s := g.cp.an.scopes[d]; s != nil {
			g.enter(s)
		}
	}
	r := g.any(right)
	g.scope = outer
	return r
}

// iteration opens the scope of one iteration and binds its value, which load
// puts into a register.
func (g *gen) iteration(node, left syntax.Node, load func(dst uint16, next func()), body func()) {
	outer, mark := g.scope, g.top
	switch l := left.(type) {
	case *syntax.VariableDeclaration:
		id := l.Declarations[0].ID
		if l.Kind == syntax.DeclVar {
			v := g.reg()
			load(v, func() { g.pattern(id, v, modeAssign, hiddenVar(hiddenFor, id)) })
			break
		}
		s := g.cp.an.scopes[node]
		env := s.env
		var v uint16
		if !env {
			g.enter(s)
		}
		if v = g.slotOfIn(s, id); v != noReg {
			load(v, func() { g.dispose(l.Kind, v, l.Declarations[0]) })
			break
		}
		v = g.reg()
		load(v, func() {
			if env {
				g.enter(s)
			}
			g.dispose(l.Kind, v, l.Declarations[0])
			g.pattern(id, v, modeInit, hiddenVar(hiddenFor, id))
		})
	default:
		v := g.reg()
		p, _ := left.(syntax.Pattern)
		load(v, func() {
			if o, ok := p.(*syntax.ObjectPattern); ok {
				g.objectPattern(o, v, modeAssign, nil, true)
				return
			}
			g.pattern(p, v, modeAssign, nil)
		})
	}
	body()
	g.scope = outer
	g.top = mark
}

// slotOfIn is slotOf for a scope that has no environment and was just entered.
func (g *gen) slotOfIn(s *scope, p syntax.Pattern) uint16 {
	if s.env {
		return noReg
	}
	return g.slotOf(p, modeInit)
}

func (g *gen) forIn(n *syntax.ForInStatement, labels []string) {
	if d, ok := n.Left.(*syntax.VariableDeclaration); ok && d.Declarations[0].Init != nil {
		g.variables(d)
	}
	g.empty()
	mark := g.top
	e := g.reg()
	inner := g.top
	src := g.head(n.Left, n.Right)
	g.at(n.Right.Range().Start)
	g.op(bytecode.ForInStart, e, src, 0)
	g.top = inner
	c := g.loop(labels)
	g.bind(c.cont)
	g.iteration(n, n.Left, func(dst uint16, next func()) {
		g.at(n.Start)
		g.op(bytecode.ForInNext, e, dst, 0)
		g.goTo(c.brk)
		next()
	}, func() {
		g.branch(n.Body)
		g.goTo(c.cont)
	})
	g.endLoop(c)
	g.top = mark
}

func (g *gen) forOf(n *syntax.ForOfStatement, labels []string) {
	g.empty()
	mark := g.top
	it := g.regs(2)
	exc := g.reg()
	inner := g.top
	g.iterates(n.Right)
	src := g.head(n.Left, n.Right)
	g.atAs(n.Right.Range().Start, g.exprPos(n.Right))
	if n.Await {
		g.note(g.op(bytecode.GetAsyncIter, it, src, 0), n.Right, true)
		g.traceExpr(bytecode.OperandObject, n.Right)
	} else {
		g.note(g.op(bytecode.GetIter, it, src, 0), n.Right, true)
		g.traceExpr(bytecode.OperandObject, n.Right)
	}
	g.top = inner
	c := &control{kind: ctlIter, labels: labels, brk: newLabel(), cont: newLabel(), breakable: true, iter: it, async: n.Await}
	done, fail := newLabel(), newLabel()
	g.ctl = append(g.ctl, c)
	g.bind(c.cont)
	decl, _ := n.Left.(*syntax.VariableDeclaration)
	var bind func()
	each := g.targetPos(n.Left)
	if decl != nil {
		each = decl.Declarations[0].ID.Range().Start
	}
	g.iteration(n, n.Left, func(dst uint16, next func()) {
		g.atAs(n.Right.Range().Start, each)
		if n.Await {
			g.op(bytecode.IterCallNext, it, dst, noReg)
			g.op(bytecode.Await, dst, dst, 0)
			g.op(bytecode.CheckObject, dst, 0, 0)
			g.op(bytecode.IterUnwrap, it, dst, 0)
		} else {
			g.op(bytecode.IterNext, it, dst, 0)
		}
		g.goTo(done)
		c.region = g.openRegion(fail, exc)
		bind = next
	}, func() {
		var list []syntax.Stmt
		if decl != nil {
			list = []syntax.Stmt{decl}
		}
		g.using(list, func() {
			bind()
			g.branch(n.Body)
		})
		g.closeRange(c.region)
		g.goTo(c.cont)
	})
	g.ctl = g.ctl[:len(g.ctl)-1]
	g.endRegion(c.region)
	g.bind(fail)
	if n.Await {
		g.closeAsync(it, true)
	} else {
		g.op(bytecode.IterCloseQuiet, it, 0, 0)
	}
	g.op(bytecode.Throw, exc, 0, 0)
	g.bind(c.brk)
	g.bind(done)
	g.top = mark
}

// closeAsync is AsyncIteratorClose (7.4.13). quiet: for a throw completion,
// which the caller rethrows.
func (g *gen) closeAsync(it uint16, quiet bool) {
	mark := g.top
	end := newLabel()
	res := g.reg()
	var r *region
	if quiet {
		r = g.openRegion(end, res)
	}
	g.jump(bytecode.JumpUndef, it, end)
	g.op(bytecode.IterReturn, it, noReg, res)
	g.goTo(end)
	g.op(bytecode.Await, res, res, 0)
	if quiet {
		g.endRegion(r)
	} else {
		g.op(bytecode.CheckObject, res, 0, 0)
	}
	g.bind(end)
	g.top = mark
}
