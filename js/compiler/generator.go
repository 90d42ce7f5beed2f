package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func (g *gen) await(n *syntax.AwaitExpression, dst uint16) {
	mark := g.top
	r := g.any(n.Argument)
	g.at(n.Start)
	g.op(bytecode.Await, dst, r, 0)
	g.top = mark
}

// suspend emits a yield operation and what follows when the generator is
// resumed by return: back runs with the value in dst.
func (g *gen) suspend(op bytecode.Op, dst, v uint16, back func()) {
	ret, cont := newLabel(), newLabel()
	g.op(op, dst, v, 0)
	g.goTo(ret)
	g.goTo(cont)
	g.bind(ret)
	back()
	g.bind(cont)
}

func (g *gen) yield(n *syntax.YieldExpression, dst uint16) {
	if n.Delegate {
		g.yieldStar(n, dst)
		return
	}
	mark := g.top
	var v uint16
	if n.Argument == nil {
		v = g.reg()
		g.undef(v)
	} else {
		v = g.any(n.Argument)
	}
	g.at(n.Start)
	if g.asyncGen() {
		t := g.reg()
		g.op(bytecode.Await, t, v, 0)
		v = t
	}
	g.suspend(bytecode.Yield, dst, v, func() {
		// AsyncGeneratorYield awaits the value of a return (27.6.3.8).
		if g.asyncGen() {
			g.op(bytecode.Await, dst, dst, 0)
		}
		g.leaveReturn(dst)
	})
	g.top = mark
}

// yieldStar is yield* (15.5.5).
func (g *gen) yieldStar(n *syntax.YieldExpression, dst uint16) {
	mark := g.top
	async := g.asyncGen()
	it := g.regs(2)
	recv, res, t := g.reg(), g.reg(), g.reg()
	g.expr(n.Argument, res)
	g.at(n.Start)
	if async {
		g.op(bytecode.GetAsyncIter, it, res, 0)
	} else {
		g.op(bytecode.GetIter, it, res, 0)
	}
	g.undef(recv)
	next, got, out, done := newLabel(), newLabel(), newLabel(), newLabel()
	fail, noThrow, noReturn := newLabel(), newLabel(), newLabel()
	await := func(r uint16) {
		if async {
			g.op(bytecode.Await, r, r, 0)
		}
	}

	g.bind(next)
	g.atAs(n.Start, g.exprPos(n.Argument))
	g.op(bytecode.IterCallNext, it, res, recv)
	await(res)
	g.bind(got)
	g.op(bytecode.CheckObject, res, 0, 0)
	g.op(bytecode.GetProp, t, res, g.ic("done"))
	g.jump(bytecode.JumpTrue, t, done)
	g.bind(out)
	op := bytecode.YieldRaw
	if async {
		op = bytecode.AsyncGenYieldStar
		g.op(bytecode.GetProp, res, res, g.ic("value"))
	}
	r := g.openRegion(fail, recv)
	g.suspend(op, recv, res, func() {
		await(recv)
		g.closeRange(r)
		// Resumed by return: the inner iterator's return comes first.
		g.op(bytecode.IterReturn, it, recv, res)
		g.goTo(noReturn)
		await(res)
		g.op(bytecode.CheckObject, res, 0, 0)
		g.op(bytecode.GetProp, t, res, g.ic("done"))
		g.jump(bytecode.JumpFalse, t, out)
		g.op(bytecode.GetProp, recv, res, g.ic("value"))
		g.leaveReturn(recv)
		g.bind(noReturn)
		if async {
			g.op(bytecode.Await, recv, recv, 0)
		}
		g.leaveReturn(recv)
	})
	g.closeRange(r)
	g.endRegion(r)
	g.goTo(next)

	g.bind(fail)
	g.op(bytecode.IterThrow, it, recv, res)
	g.goTo(noThrow)
	await(res)
	g.goTo(got)
	g.bind(noThrow)
	// A protocol violation closes the iterator first.
	if async {
		g.closeAsync(it, false)
	} else {
		g.op(bytecode.IterClose, it, 0, 0)
	}
	g.throwError(bytecode.ErrType, "The iterator does not provide a 'throw' method.")
	g.bind(done)
	g.op(bytecode.GetProp, dst, res, g.ic("value"))
	g.top = mark
}
