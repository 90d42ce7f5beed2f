package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func (g *gen) stmts(list []syntax.Stmt) { //meter: as deep as the tree, which the parser bounds
	for _, s := range list {
		g.stmt(s)
	}
}

func (g *gen) stmt(s syntax.Stmt) {
	g.cp.step()
	mark := g.top
	labels := g.labels
	g.labels = nil
	switch n := s.(type) {
	case *syntax.ExpressionStatement:
		g.begin(n.Start)
		if g.compl != noCompl {
			g.intoLocal(n.Expression, uint16(g.compl), "")
		} else {
			g.discard(n.Expression)
		}
	case *syntax.BlockStatement:
		g.labelled(labels, func() { g.blockOf(n, n.Body) })
	case *syntax.WithStatement:
		g.labelled(labels, func() { g.with(n) })
	case *syntax.ReturnStatement:
		g.returnStmt(n)
	case *syntax.LabeledStatement:
		g.labels = append(labels, n.Label.Name)
		g.stmt(n.Body)
	case *syntax.BreakStatement:
		g.breakStmt(n)
	case *syntax.ContinueStatement:
		g.continueStmt(n)
	case *syntax.IfStatement:
		g.labelled(labels, func() { g.ifStmt(n) })
	case *syntax.SwitchStatement:
		g.switchStmt(n, labels)
	case *syntax.ThrowStatement:
		g.begin(n.Start)
		r := g.any(n.Argument)
		g.at(n.Start)
		g.op(bytecode.Throw, r, 0, 0)
		g.traceExpr(bytecode.OperandObject, n.Argument)
	case *syntax.TryStatement:
		g.labelled(labels, func() { g.tryStmt(n) })
	case *syntax.WhileStatement:
		g.whileStmt(n, labels)
	case *syntax.DoWhileStatement:
		g.doWhile(n, labels)
	case *syntax.ForStatement:
		g.forStmt(n, labels)
	case *syntax.ForInStatement:
		g.forIn(n, labels)
	case *syntax.ForOfStatement:
		g.forOf(n, labels)
	case *syntax.VariableDeclaration:
		if !n.Declare {
			g.variables(n)
			// A declaration's registers belong to its scope.
		}
	case *syntax.FunctionDeclaration:
		g.annexB(n)
	case *syntax.ClassDeclaration:
		if !n.Declare {
			g.classDecl(n, "")
		}
	case *syntax.DebuggerStatement:
		g.at(n.Start)
		g.op(bytecode.Debugger, 0, 0, 0)
	case *syntax.ExportNamedDeclaration:
		if n.Declaration != nil && !n.TypeOnly {
			g.stmt(n.Declaration)
		}
	case *syntax.ExportDefaultDeclaration:
		g.exportDefault(n)
	}
	g.top = mark
}

// labelled compiles a statement that only a labelled break can leave.
func (g *gen) labelled(labels []string, f func()) {
	if len(labels) == 0 {
		f()
		return
	}
	c := &control{kind: ctlLabel, labels: labels, brk: newLabel()}
	g.ctl = append(g.ctl, c)
	f()
	g.ctl = g.ctl[:len(g.ctl)-1]
	g.bind(c.brk)
}

// empty sets the completion value of a statement that begins as undefined.
func (g *gen) empty() {
	if g.compl != noCompl {
		g.undef(uint16(g.compl))
	}
}

// blockOf compiles statements in the block scope of a node.
func (g *gen) blockOf(node syntax.Node, list []syntax.Stmt) {
	s := g.cp.an.scopes[node]
	if s == nil {
		g.stmts(list)
		return
	}
	g.scoped(s, list, func() { g.stmts(list) })
}

// scoped compiles code in a block scope with the declarations of list.
func (g *gen) scoped(s *scope, list []syntax.Stmt, f func()) {
	outer, mark := g.scope, g.top
	g.enter(s)
	g.hoist(list)
	g.using(list, f)
	g.scope = outer
	g.top = mark
}

// hoist makes the functions that a block declares.
func (g *gen) hoist(list []syntax.Stmt) {
	for _, s := range list {
		if d, ok := unlabel(s).(*syntax.FunctionDeclaration); ok && d.Func.ID != nil {
			g.initFunc(d.Func.ID.Name, g.funcOf(d.Func))
		}
	}
}

// initFunc makes a declared function and gives it to its binding.
func (g *gen) initFunc(name string, fi *funcInfo) {
	b, _ := g.resolve(name)
	if b == nil {
		return
	}
	if !b.captured {
		g.closure(b.reg, fi)
		return
	}
	mark := g.top
	t := g.reg()
	g.closure(t, fi)
	g.writeSlot(t, b, false)
	g.top = mark
}

// annexB is the evaluation of a function declaration in a block: where Annex B
// hoists it, its variable gets the block's function (B.3.2).
func (g *gen) annexB(d *syntax.FunctionDeclaration) {
	if !d.AnnexBHoist || d.Func.ID == nil || g.fi.strict {
		return
	}
	name := d.Func.ID.Name
	if g.fi.kind == funcEval && g.cp.blocked[name] || g.fi.skipsHoist(name) {
		return
	}
	mark := g.top
	t := g.reg()
	g.loadVar(t, name, d.Start, false)
	var target *binding
	for s := g.scope; s != nil && s.fn == g.fi && target == nil; s = s.parent {
		switch s.kind {
		case scopeFunc, scopeBody, scopeStatic, scopeModule, scopeEval:
			if b := s.find(name); b != nil && (b.kind == bindVar || b.kind == bindFunc || b.kind == bindParam) {
				target = b
			}
		}
	}
	switch {
	case target != nil:
		g.init(target, t)
	case g.fi.kind == funcEval:
		g.evalAssign(name, t)
	case g.fi.kind == funcScript:
		g.op(bytecode.SetGlobalVar, t, 0, g.ic(name))
	}
	g.top = mark
}

func (g *gen) with(n *syntax.WithStatement) {
	outer, mark := g.scope, g.top
	g.empty()
	obj := g.reg()
	r := g.any(n.Object)
	g.at(n.Object.Range().Start)
	g.op(bytecode.WithObj, obj, r, 0)
	g.top = int(obj) + 1
	s := g.cp.an.scopes[n]
	g.enter(s)
	g.init(s.with, obj)
	g.stmt(n.Body)
	g.scope = outer
	g.top = mark
}

func (g *gen) ifStmt(n *syntax.IfStatement) {
	end := newLabel()
	for {
		g.empty()
		g.begin(n.Start)
		no := newLabel()
		if l := g.directJump(n.Consequent); l != nil {
			g.cond(n.Test, l, true)
			if n.Alternate == nil {
				break
			}
			next, ok := n.Alternate.(*syntax.IfStatement)
			if !ok {
				g.branch(n.Alternate)
				break
			}
			n = next
			continue
		}
		g.cond(n.Test, no, false)
		g.branch(n.Consequent)
		if n.Alternate == nil {
			g.bind(no)
			break
		}
		g.goTo(end)
		g.bind(no)
		next, ok := n.Alternate.(*syntax.IfStatement)
		if !ok {
			g.branch(n.Alternate)
			break
		}
		n = next
	}
	g.bind(end)
}

// branch compiles a statement where Annex B allows a function declaration.
func (g *gen) branch(s syntax.Stmt) {
	if d, ok := unlabel(s).(*syntax.FunctionDeclaration); ok {
		g.blockOf(d, []syntax.Stmt{s})
		return
	}
	g.stmt(s)
}

// ---- Variables ----

func (g *gen) variables(n *syntax.VariableDeclaration) {
	for _, d := range n.Declarations {
		if d.Init != nil {
			g.begin(g.exprPos(d.Init))
			if id, ok := d.ID.(*syntax.Identifier); ok && inferable(d.Init) {
				g.infer(d.Init, id.Name)
			}
		}
		if n.Kind == syntax.DeclVar {
			g.varDeclarator(d)
		} else {
			g.lexDeclarator(n, d)
		}
	}
}

func (g *gen) varDeclarator(d *syntax.VariableDeclarator) {
	if d.Init == nil {
		return
	}
	mark := g.top
	id, ok := d.ID.(*syntax.Identifier)
	if !ok {
		if _, ok := d.ID.(*syntax.ArrayPattern); ok {
			g.iterates(d.Init)
		}
		v := g.operand(d.Init, d.ID.Range().Start, d.ID.Range().End)
		g.pattern(d.ID, v, modeAssign, d.Init)
		g.top = mark
		return
	}
	if b, dyn := g.resolve(id.Name); b != nil && dyn == nil && !b.captured && !b.constant() && b.kind != bindSelf {
		g.intoLocal(d.Init, b.reg, id.Name)
		g.top = mark
		return
	}
	r := g.varReference(id.Name, id.Start, false)
	var v uint16
	if anonymous(d.Init) {
		v = g.reg()
		g.named(d.Init, v, id.Name)
	} else {
		v = g.any(d.Init)
	}
	g.put(r, v)
	g.top = mark
}

func (g *gen) lexDeclarator(n *syntax.VariableDeclaration, d *syntax.VariableDeclarator) {
	mark := g.top
	id, simple := d.ID.(*syntax.Identifier)
	if !simple {
		if _, ok := d.ID.(*syntax.ArrayPattern); ok {
			g.iterates(d.Init)
		}
		v := g.any(d.Init)
		g.pattern(d.ID, v, modeInit, d.Init)
		g.top = mark
		return
	}
	if d.Init == nil {
		r := g.slotOf(id, modeInit)
		if r == noReg {
			r = g.reg()
			g.op(bytecode.LoadUndef, r, bytecode.UndefDeclared, 0)
			g.traceExpr(bytecode.OperandResult, id)
			g.initVar(id.Name, r, id.Start)
		} else {
			g.op(bytecode.LoadUndef, r, bytecode.UndefDeclared, 0)
			g.traceExpr(bytecode.OperandResult, id)
		}
		g.top = mark
		return
	}
	if r := g.slotOf(id, modeInit); r != noReg {
		g.named(d.Init, r, id.Name)
		g.dispose(n.Kind, r, d)
		g.top = mark
		return
	}
	var v uint16
	if anonymous(d.Init) {
		v = g.reg()
		g.named(d.Init, v, id.Name)
	} else {
		v = g.any(d.Init)
	}
	g.dispose(n.Kind, v, d)
	g.initVar(id.Name, v, id.Start)
	g.top = mark
}

// ---- Jumps ----

// returnExpr returns an expression's value where nothing has to be left.
func (g *gen) returnExpr(e syntax.Expr) { //meter: as deep as the tree, which the parser bounds
	mark := g.top
	if c, ok := erase(e).(*syntax.ConditionalExpression); ok {
		no := newLabel()
		g.cond(c.Test, no, false)
		g.returnExpr(c.Consequent)
		g.bind(no)
		g.returnExpr(c.Alternate)
		return
	}
	r := g.any(e)
	g.at(e.Range().Start)
	g.emitReturn(r)
	g.top = mark
}

func (g *gen) returnStmt(n *syntax.ReturnStatement) {
	g.begin(n.Start)
	mark := g.top
	var r uint16
	if n.Argument != nil && !g.asyncGen() && g.plain(0) {
		g.returnExpr(n.Argument)
		return
	}
	if n.Argument == nil {
		r = g.reg()
		g.at(n.Start)
		g.op(bytecode.LoadUndef, r, bytecode.UndefReturn, 0)
	} else {
		r = g.any(n.Argument)
		if g.asyncGen() {
			t := r
			if int(r) < mark {
				t = g.reg()
			}
			g.at(n.Argument.Range().Start)
			g.op(bytecode.Await, t, r, 0)
			r = t
		}
	}
	g.at(n.Start)
	g.leaveReturn(r)
	g.top = mark
}

func (g *gen) asyncGen() bool {
	return g.f.Flags&bytecode.FlagAsync != 0 && g.f.Flags&bytecode.FlagGenerator != 0
}

// plain reports that leaving the control entries from index to on takes no
// cleanup and ends no region.
func (g *gen) plain(to int) bool {
	for _, c := range g.ctl[to:] {
		if c.kind == ctlIter || c.kind == ctlFinally || c.region != nil {
			return false
		}
	}
	return true
}

// directJump returns where a break or continue goes if it is a mere jump.
func (g *gen) directJump(s syntax.Stmt) *label { //meter: as deep as the tree, which the parser bounds
	switch n := s.(type) {
	case *syntax.BlockStatement:
		if len(n.Body) == 1 {
			return g.directJump(n.Body[0])
		}
	case *syntax.BreakStatement:
		if i := g.breakTarget(n.Label); i >= 0 && g.plain(i) {
			return g.ctl[i].brk
		}
	case *syntax.ContinueStatement:
		if i := g.continueTarget(n.Label); i >= 0 && g.plain(i+1) {
			return g.ctl[i].cont
		}
	}
	return nil
}

func hasLabel(c *control, name string) bool {
	for _, l := range c.labels {
		if l == name {
			return true
		}
	}
	return false
}

func (g *gen) breakTarget(l *syntax.Identifier) int {
	for i := len(g.ctl) - 1; i >= 0; i-- {
		if c := g.ctl[i]; l == nil && c.breakable || l != nil && hasLabel(c, l.Name) {
			return i
		}
	}
	return -1
}

func (g *gen) continueTarget(l *syntax.Identifier) int {
	for i := len(g.ctl) - 1; i >= 0; i-- {
		if c := g.ctl[i]; c.cont != nil && (l == nil || hasLabel(c, l.Name)) {
			return i
		}
	}
	return -1
}

func (g *gen) breakStmt(n *syntax.BreakStatement) {
	if i := g.breakTarget(n.Label); i >= 0 {
		g.at(n.Start)
		g.leave(i, exit{target: g.ctl[i].brk}, 0)
	}
}

func (g *gen) continueStmt(n *syntax.ContinueStatement) {
	if i := g.continueTarget(n.Label); i >= 0 {
		g.leave(i+1, exit{target: g.ctl[i].cont, keep: true}, 0)
	}
}

// ---- switch ----

func (g *gen) switchStmt(n *syntax.SwitchStatement, labels []string) {
	g.empty()
	mark := g.top
	c := &control{kind: ctlSwitch, labels: labels, brk: newLabel(), breakable: true}
	v := g.operand(n.Discriminant, n.Start, n.End)
	var all []syntax.Stmt
	for _, cs := range n.Cases {
		all = append(all, cs.Consequent...)
	}
	outer := g.scope
	g.enter(g.cp.an.scopes[n])
	g.ctl = append(g.ctl, c)
	g.hoist(all)
	g.using(all, func() { g.cases(n, v, c.brk) })
	g.ctl = g.ctl[:len(g.ctl)-1]
	g.bind(c.brk)
	g.scope = outer
	g.top = mark
}

func (g *gen) cases(n *syntax.SwitchStatement, v uint16, brk *label) {
	targets := make([]*label, len(n.Cases))
	other := brk
	for i, cs := range n.Cases {
		targets[i] = newLabel()
		if cs.Test == nil {
			other = targets[i]
		}
	}
	if other == brk {
		// Inside using the end of the cases isn't the end of the statement.
		other = newLabel()
	}
	g.switchTable(n, v, targets, other)
	for i, cs := range n.Cases {
		if cs.Test == nil {
			continue
		}
		mark := g.top
		if k, ok := imm(cs.Test); ok {
			g.cmpJump(bytecode.JSEqI, v, k, targets[i])
		} else {
			r := g.any(cs.Test)
			g.cmpJump(bytecode.JSEq, v, r, targets[i])
		}
		g.top = mark
	}
	g.goTo(other)
	for i, cs := range n.Cases {
		g.bind(targets[i])
		g.stmts(cs.Consequent)
	}
	if other.pc < 0 {
		g.bind(other)
	}
}

// switchTable emits a jump table where all cases are small integers.
func (g *gen) switchTable(n *syntax.SwitchStatement, v uint16, targets []*label, other *label) {
	if len(n.Cases) < 5 {
		return
	}
	high := -1
	for _, cs := range n.Cases {
		if cs.Test == nil {
			continue
		}
		k, ok := imm(cs.Test)
		if !ok || int16(k) < 0 {
			return
		}
		high = max(high, int(k))
	}
	if high < 0 || high > 4*len(n.Cases)+16 {
		return
	}
	table := make([]*label, high+1)
	for i := range table {
		table[i] = other
	}
	for i := len(n.Cases) - 1; i >= 0; i-- {
		if n.Cases[i].Test != nil {
			k, _ := imm(n.Cases[i].Test)
			table[k] = targets[i]
		}
	}
	g.switches = append(g.switches, table)
	g.wide(bytecode.Switch, v, uint32(len(g.switches)-1))
}
