package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// Programs compiled with Options.Trace carry Trace operations and tables that
// say which part of the source an operand is and which variable a register
// holds. All of it is bookkeeping beside the code: the code is the same.

// trace emits what comes before an instruction of a traced program.
func (g *gen) trace(in bytecode.Instr) {
	d := g.f.Debug
	if g.scope != nil && g.scope != g.traced {
		g.traced = g.scope
		id := g.cp.scopeID(g.scope)
		if n := len(d.Scopes); n > 0 && d.Scopes[n-1].PC == g.pc() {
			d.Scopes[n-1].Scope = id
		} else {
			d.Scopes = append(d.Scopes, bytecode.DebugRange{PC: g.pc(), Scope: id})
		}
	}
	if traced(in.Op) {
		g.code = append(g.code, bytecode.Instr{Op: bytecode.Trace})
	}
}

// traceWidth is how many instructions come before a traced one.
func (g *gen) traceWidth() int32 {
	if g.cp.opt.Trace {
		return 1
	}
	return 0
}

// traced reports the operations that make or use values whose origin matters:
// undefined, null and NaN, and those that make objects.
func traced(op bytecode.Op) bool {
	switch op {
	case bytecode.LoadK, bytecode.LoadUndef, bytecode.LoadNull, bytecode.Move,
		bytecode.CopyEnv, bytecode.GetEnv, bytecode.SetEnv, bytecode.SetEnvCk, bytecode.GetOuter, bytecode.SetOuter, bytecode.SetOuterCk,
		bytecode.GetGlobal, bytecode.GetGlobalSoft, bytecode.SetGlobal, bytecode.SetGlobalIf, bytecode.SetGlobalVar, bytecode.InitGlobalLex,
		bytecode.GetProp, bytecode.SetProp, bytecode.GetElem, bytecode.SetElem, bytecode.GetMethod, bytecode.GetMethodElem,
		bytecode.GetLength, bytecode.DeleteProp, bytecode.In, bytecode.InstanceOf, bytecode.GetSuper, bytecode.SetSuper,
		bytecode.GetPrivate, bytecode.SetPrivate, bytecode.InitPrivate,
		bytecode.NewObject, bytecode.NewArray, bytecode.ArrayPush, bytecode.ArraySpread, bytecode.InitField, bytecode.InitElem,
		bytecode.CopyProps, bytecode.ObjRest, bytecode.Closure, bytecode.Class, bytecode.RegExp, bytecode.RegExpDyn,
		bytecode.ToNumeric, bytecode.ToNumber, bytecode.ToObject, bytecode.CheckObjectCoercible, bytecode.Neg, bytecode.Inc, bytecode.Dec,
		bytecode.Add, bytecode.Sub, bytecode.Mul, bytecode.Div, bytecode.Mod, bytecode.Exp, bytecode.AddI, bytecode.SubI, bytecode.MulI,
		bytecode.JumpTrue, bytecode.JumpFalse, bytecode.JumpUndef, bytecode.JumpNotUndef, bytecode.JumpNullish, bytecode.JumpNotNullish,
		bytecode.Call, bytecode.CallSpread, bytecode.New, bytecode.NewSpread, bytecode.SuperCall, bytecode.SuperCallSpread,
		bytecode.SuperForward, bytecode.CallEval, bytecode.DynImport, bytecode.Return, bytecode.ReturnDerived, bytecode.Throw,
		bytecode.Rest, bytecode.Arguments, bytecode.MappedArguments, bytecode.GenStart, bytecode.Yield, bytecode.YieldRaw, bytecode.Await,
		bytecode.AsyncGenYieldStar, bytecode.GetIter, bytecode.GetAsyncIter, bytecode.IterNext, bytecode.IterCallNext, bytecode.IterUnwrap,
		bytecode.IterRest, bytecode.ForInStart, bytecode.ForInNext, bytecode.GetImport:
		return true
	}
	return op >= bytecode.JLt && op <= bytecode.JNGeI
}

// traceEntry begins a function.
func (g *gen) traceEntry() {
	if !g.cp.opt.Trace {
		return
	}
	g.f.Debug = &bytecode.Debug{}
	g.code = append(g.code, bytecode.Instr{Op: bytecode.Trace, A: 1})
}

// traceExpr records the source of an operand of the instruction emitted last.
func (g *gen) traceExpr(operand int32, e syntax.Node) { g.traceAt(g.pc()-1, operand, e) }

// traceNext is traceExpr for the instruction that comes next.
func (g *gen) traceNext(operand int32, e syntax.Node) { g.traceAt(g.pc()+1, operand, e) }

func (g *gen) traceAt(pc, operand int32, e syntax.Node) {
	if !g.cp.opt.Trace || e == nil {
		return
	}
	if x, ok := e.(syntax.Expr); ok {
		e = erase(x)
	}
	r := e.Range()
	if r.End <= r.Start {
		return
	}
	g.f.Debug.Exprs = append(g.f.Debug.Exprs, bytecode.DebugExpr{PC: pc, Operand: operand, Start: r.Start, End: r.End})
}

// maxTracedArgs is how many arguments of a call Debug tells the source of.
const maxTracedArgs = 16

// traceArgs is traceExpr for the callee's object and the arguments of a call.
func (g *gen) traceArgs(callee syntax.Expr, args []syntax.Expr) {
	if !g.cp.opt.Trace {
		return
	}
	if m, ok := erase(callee).(*syntax.MemberExpression); ok {
		if _, super := m.Object.(*syntax.Super); !super {
			g.traceExpr(bytecode.OperandObject, m.Object)
		}
	}
	for i, a := range args[:min(len(args), maxTracedArgs)] {
		g.traceExpr(int32(i), a)
	}
}

// traceName records the variable that the next instruction assigns.
func (g *gen) traceName(name string) {
	if !g.cp.opt.Trace || name == "" || name[0] == '%' || name[0] == '#' {
		return
	}
	g.f.Debug.Names = append(g.f.Debug.Names, bytecode.DebugName{PC: g.pc() + 1, Name: name})
}

// scopeID gives a scope, and those around it, numbers in Program.DebugScopes.
//
// meter: recursion is as deep as scopes are nested in the source, which the parser bounds
func (cp *compiler) scopeID(s *scope) int32 {
	if s == nil {
		return -1
	}
	if id, ok := cp.scopeIDs[s]; ok {
		return id
	}
	cp.work++
	parent := cp.scopeID(s.parent)
	if cp.scopeIDs == nil {
		cp.scopeIDs = map[*scope]int32{}
	}
	id := int32(len(cp.prog.DebugScopes))
	cp.scopeIDs[s] = id
	d := bytecode.DebugScope{Parent: parent, Func: -1, EnvReg: noReg}
	for _, b := range s.list {
		if b.kind != bindHidden {
			v := bytecode.DebugVar{Name: b.name, Captured: b.captured, At: b.slot}
			if b.lexical() {
				v.From = b.declEnd
			}
			d.Vars = append(d.Vars, v)
		}
	}
	cp.prog.DebugScopes = append(cp.prog.DebugScopes, d)
	if cp.scopesOf == nil {
		cp.scopesOf = map[*funcInfo][]*scope{}
	}
	cp.scopesOf[s.fn] = append(cp.scopesOf[s.fn], s)
	cp.placeVars(s)
	return id
}

// traceVars completes the scopes of a function that has been compiled: only now
// are the registers known.
func (g *gen) traceVars() {
	if !g.cp.opt.Trace {
		return
	}
	for _, s := range g.cp.scopesOf[g.fi] {
		g.cp.placeVars(s)
	}
	delete(g.cp.scopesOf, g.fi)
}

func (cp *compiler) placeVars(s *scope) {
	d := &cp.prog.DebugScopes[cp.scopeIDs[s]]
	if s.fn != nil {
		d.Func = s.fn.index
	}
	d.Closed = s.external
	if s.env && !s.external {
		d.EnvReg = s.envReg
	}
	i := 0
	for _, b := range s.list {
		if b.kind == bindHidden {
			continue
		}
		if i == len(d.Vars) {
			break
		}
		switch v := &d.Vars[i]; {
		case v.Captured:
			v.At = b.slot
		case b.kind == bindImport:
			v.At = noReg
		default:
			v.At = b.reg
		}
		i++
	}
}
