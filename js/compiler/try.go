package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

type controlKind uint8

const (
	ctlLoop controlKind = iota
	ctlSwitch
	ctlLabel
	ctlTry     // a block whose exceptions a catch takes
	ctlIter    // a for-of loop or destructuring: leaving closes the iterator
	ctlFinally // leaving runs a finally block or disposes resources
)

// A control is something that a jump out of it has to know of.
type control struct {
	kind      controlKind
	labels    []string
	brk, cont *label
	breakable bool
	region    *region
	iter      uint16
	async     bool
	fin       *finally
}

// The kinds of completion that a finally block ends with, held as an integer.
const (
	complNormal = iota
	complThrow
	complReturn
	complJump // and up: one for each target
)

// finally is the state of a finally block: the completion it interrupts.
type finally struct {
	kind    uint16 // register with the kind; the value is in the next one
	entry   *label
	returns bool
	exits   []exit
}

// An exit is a jump out of statements.
type exit struct {
	target *label
	// keep: the statement of the target itself isn't left (continue).
	keep bool
	to   int // index of the outermost control entry that is left
}

// leave jumps to a target outside of the control entries from index to on,
// with all the cleanup that leaving them needs. A nil target returns val.
func (g *gen) leave(to int, ex exit, val uint16) {
	saved := g.ctl
	var reopen []*region
	done := false
	for i := len(saved) - 1; i >= to && !done; i-- {
		g.cp.step()
		c := saved[i]
		g.ctl = saved[:i]
		if g.closeRange(c.region) {
			reopen = append(reopen, c.region)
		}
		switch c.kind {
		case ctlIter:
			if c.async {
				g.closeAsync(c.iter, false)
			} else {
				g.op(bytecode.IterClose, c.iter, 0, 0)
			}
		case ctlFinally:
			f := c.fin
			if ex.target == nil {
				f.returns = true
				g.move(f.kind+1, val)
				g.loadInt(f.kind, complReturn)
			} else {
				k := -1
				for j, e := range f.exits {
					if e.target == ex.target {
						k = j
					}
				}
				if k < 0 {
					k = len(f.exits)
					ex.to = to
					f.exits = append(f.exits, ex)
				}
				g.loadInt(f.kind, complJump+k)
			}
			g.goTo(f.entry)
			done = true
		}
	}
	if !done {
		if ex.target != nil {
			g.goTo(ex.target)
		} else {
			g.emitReturn(val)
		}
	}
	g.ctl = saved
	for _, r := range reopen {
		r.from = g.pc()
	}
}

// leaveReturn returns a value.
func (g *gen) leaveReturn(val uint16) { g.leave(0, exit{}, val) }

// emitReturn emits the return itself.
func (g *gen) emitReturn(val uint16) {
	if g.fi.derived() && g.fi.kind != funcOuter && g.fi.kind != funcEval {
		mark := g.top
		this := uint16(regThis)
		if b := g.thisVar(); b != nil {
			this = g.reg()
			ok := newLabel()
			g.readSlot(this, b)
			g.jump(bytecode.JumpNotUndef, this, ok)
			g.op(bytecode.LoadEmpty, this, 0, 0)
			g.bind(ok)
		}
		g.op(bytecode.ReturnDerived, val, this, 0)
		g.top = mark
		return
	}
	g.op(bytecode.Return, val, 0, 0)
}

func (g *gen) tryStmt(n *syntax.TryStatement) {
	g.empty()
	if n.Finalizer == nil {
		g.tryCatch(n)
		return
	}
	g.protect(func() {
		if n.Handler != nil {
			g.tryCatch(n)
		} else {
			g.blockOf(n.Block, n.Block.Body)
		}
	}, func(uint16) {
		if g.compl == noCompl {
			g.blockOf(n.Finalizer, n.Finalizer.Body)
			return
		}
		// A finally block that ends normally leaves the completion as it was.
		keep := g.reg()
		g.move(keep, uint16(g.compl))
		g.empty()
		g.blockOf(n.Finalizer, n.Finalizer.Body)
		g.move(uint16(g.compl), keep)
	})
}

// protect compiles body such that end runs whichever way body is left. end
// gets the register with the kind of the completion; the value is in the next.
func (g *gen) protect(body func(), end func(kind uint16)) {
	mark := g.top
	k := g.regs(2)
	f := &finally{kind: k, entry: newLabel()}
	thrown := newLabel()
	c := &control{kind: ctlFinally, fin: f, region: g.openRegion(thrown, k+1)}
	g.ctl = append(g.ctl, c)
	body()
	g.ctl = g.ctl[:len(g.ctl)-1]
	g.endRegion(c.region)
	g.loadInt(k, complNormal)
	g.goTo(f.entry)
	g.bind(thrown)
	g.loadInt(k, complThrow)
	g.bind(f.entry)
	end(k)
	// Go on with the completion that was interrupted.
	over := newLabel()
	g.cmpJump(bytecode.JSEqI, k, complNormal, over)
	if f.returns {
		next := newLabel()
		g.cmpJump(bytecode.JSNeI, k, complReturn, next)
		g.leaveReturn(k + 1)
		g.bind(next)
	}
	for i, ex := range f.exits {
		next := newLabel()
		g.cmpJump(bytecode.JSNeI, k, uint16(complJump+i), next)
		g.leave(ex.to, ex, 0)
		g.bind(next)
	}
	g.op(bytecode.Throw, k+1, 0, 0)
	g.bind(over)
	g.top = mark
}

func (g *gen) tryCatch(n *syntax.TryStatement) {
	mark := g.top
	exc := g.reg()
	fail, end := newLabel(), newLabel()
	c := &control{kind: ctlTry, region: g.openRegion(fail, exc)}
	g.ctl = append(g.ctl, c)
	g.blockOf(n.Block, n.Block.Body)
	g.ctl = g.ctl[:len(g.ctl)-1]
	g.endRegion(c.region)
	g.goTo(end)
	g.bind(fail)
	g.empty()
	g.catch(n.Handler, exc)
	g.bind(end)
	g.top = mark
}

func (g *gen) catch(h *syntax.CatchClause, exc uint16) {
	outer, mark := g.scope, g.top
	s := g.cp.an.scopes[h]
	if id, ok := h.Param.(*syntax.Identifier); ok {
		g.enter(s)
		if b := s.find(id.Name); b.captured {
			g.init(b, exc)
		} else {
			b.reg = exc
		}
		g.hoist(h.Body.Body)
		g.using(h.Body.Body, func() { g.stmts(h.Body.Body) })
	} else {
		g.enter(s)
		if h.Param != nil {
			var from syntax.Expr
			if _, ok := h.Param.(*syntax.ObjectPattern); ok {
				from = hiddenVar(hiddenCatch, h.Param)
			}
			g.pattern(h.Param, exc, modeInit, from)
		}
		g.blockOf(h.Body, h.Body.Body)
	}
	g.scope = outer
	g.top = mark
}

// ---- Explicit resource management ----

// usings tells which using declarations stand in a list.
func usings(list []syntax.Stmt) (any, async bool) {
	for _, s := range list {
		if d, ok := unlabel(s).(*syntax.VariableDeclaration); ok && !d.Declare {
			any = any || d.Kind >= syntax.DeclUsing
			async = async || d.Kind == syntax.DeclAwaitUsing
		}
	}
	return any, async
}

// using compiles code that declares resources, which are disposed of when it
// is left.
func (g *gen) using(list []syntax.Stmt, body func()) {
	found, async := usings(list)
	if !found {
		body()
		return
	}
	mark, outer := g.top, g.stack
	stack := g.reg()
	g.undef(stack)
	g.stack = stack
	g.protect(body, func(kind uint16) {
		if async {
			g.disposeAsync(stack, kind)
		} else {
			g.op(bytecode.DisposeRun, stack, kind, 0)
		}
	})
	g.stack = outer
	g.top = mark
}

// disposeAsync awaits one disposer after the other (DisposeResources).
func (g *gen) disposeAsync(stack, kind uint16) {
	mark := g.top
	p := g.reg()
	next, fail, end := newLabel(), newLabel(), newLabel()
	g.bind(next)
	g.op(bytecode.DisposeNext, stack, kind, p)
	g.goTo(end)
	r := g.openRegion(fail, p)
	g.op(bytecode.Await, p, p, 0)
	g.endRegion(r)
	g.goTo(next)
	g.bind(fail)
	g.op(bytecode.DisposeError, p, kind, 0)
	g.goTo(next)
	g.bind(end)
	g.top = mark
}

// dispose registers the value of a using declaration.
func (g *gen) dispose(k syntax.DeclKind, v uint16, d *syntax.VariableDeclarator) {
	if k < syntax.DeclUsing {
		return
	}
	at := d.Start
	if d.Init != nil {
		at = d.Init.Range().Start
	}
	g.at(at)
	async := uint16(0)
	if k == syntax.DeclAwaitUsing {
		async = 1
	}
	g.op(bytecode.DisposePush, g.stack, v, async)
}
