package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// compileFunc compiles one function into Program.Funcs.
func (cp *compiler) compileFunc(fi *funcInfo) {
	g := cp.newGen(fi)
	g.run()
	if g.overflow {
		// Some jump is too far for the compact form; functions found on the
		// way are in the queue already and keep their indices.
		g = cp.newGen(fi)
		g.long = true
		g.run()
	}
	g.finish()
}

func (cp *compiler) newGen(fi *funcInfo) *gen {
	g := &gen{
		cp: cp, fi: fi, strict: fi.strict, compl: noCompl, lastOff: -1, lastStack: -1, curStack: -1, stmtPC: -1, lastLabel: -1,
		ics: map[uint64]uint16{}, locals: map[*funcInfo]uint16{},
		f: &bytecode.Function{Index: int(fi.index), Name: fi.name, ArgsReg: noReg},
	}
	g.f.Flags = flagsOf(fi)
	switch fi.kind {
	case funcFields:
		g.f.Name = "<instance_members_initializer>"
	case funcStatics:
		g.f.Name = "<static_initializer>"
	default:
		if fi.name == "" {
			g.f.Inferred = fi.inferred
		}
	}
	if n := fi.node; n != nil {
		g.f.Start, g.f.End = n.Start, n.End
		g.f.Length = n.Length()
	}
	if fi.class != nil && (fi.kind == funcDefaultCtor || fi.node != nil) {
		// A class is shown by its whole source.
		g.f.Start, g.f.End = fi.class.node.Start, fi.class.node.End
	}
	g.top, g.max = 2, 2
	return g
}

func flagsOf(fi *funcInfo) bytecode.Flags {
	var f bytecode.Flags
	if fi.strict {
		f |= bytecode.FlagStrict
	}
	switch fi.kind {
	case funcScript:
		return f | bytecode.FlagTopLevel
	case funcModule, funcInit:
		return f | bytecode.FlagTopLevel | bytecode.FlagModule
	case funcEval:
		return f | bytecode.FlagTopLevel | bytecode.FlagEval
	case funcFields, funcStatics:
		return f | bytecode.FlagFieldInit | bytecode.FlagMethod | bytecode.FlagNoPrototype | bytecode.FlagSimpleParams
	case funcAccessorGet, funcAccessorSet, funcImport:
		return f | bytecode.FlagMethod | bytecode.FlagNoPrototype | bytecode.FlagSimpleParams
	case funcDefaultCtor:
		f |= bytecode.FlagClassConstructor | bytecode.FlagSimpleParams
		if fi.derived() {
			f |= bytecode.FlagDerived
		}
		return f
	}
	n := fi.node
	if n.SimpleParams {
		f |= bytecode.FlagSimpleParams
	}
	if fi.async {
		f |= bytecode.FlagAsync | bytecode.FlagTopLevel
	}
	if n.Async {
		f |= bytecode.FlagAsync
		if !n.Generator {
			f |= bytecode.FlagNoPrototype
		}
	}
	if n.Generator {
		f |= bytecode.FlagGenerator
	}
	switch n.Kind {
	case syntax.FuncArrow:
		f |= bytecode.FlagArrow | bytecode.FlagNoPrototype
	case syntax.FuncMethod, syntax.FuncGetter, syntax.FuncSetter:
		f |= bytecode.FlagMethod
		if !n.Generator {
			f |= bytecode.FlagNoPrototype
		}
	case syntax.FuncConstructor:
		f |= bytecode.FlagClassConstructor
	case syntax.FuncDerivedConstructor:
		f |= bytecode.FlagClassConstructor | bytecode.FlagDerived
	}
	return f
}

// finish turns what was emitted into the Function.
func (g *gen) finish() {
	f := g.f
	for _, h := range g.handlers {
		f.Handlers = append(f.Handlers, bytecode.Handler{From: h.from, To: h.to, Target: h.target.pc, Reg: h.reg})
	}
	for _, t := range g.switches {
		row := make([]int32, len(t))
		for i, l := range t {
			row[i] = l.pc
		}
		f.Switches = append(f.Switches, row)
	}
	f.Code = g.code
	f.ICs = g.icList
	f.NumRegs = g.max
	g.traceVars()
	g.cp.prog.Funcs[g.fi.index] = f
}

// ended reports that the code emitted last doesn't go on.
func (g *gen) ended() bool {
	n := len(g.code)
	if n == 0 || g.lastLabel == g.pc() {
		return false
	}
	switch g.code[n-1].Op {
	case bytecode.Return, bytecode.ReturnDerived, bytecode.Throw, bytecode.ThrowConst, bytecode.ThrowError, bytecode.Jump, bytecode.Loop:
		// A Jump behind a skipping operation is passed over.
		return n < 2 || !skips(g.code[n-2].Op)
	}
	return false
}

// returnUndefined ends a function.
func (g *gen) returnUndefined() {
	if g.ended() {
		return
	}
	mark := g.top
	r := g.reg()
	g.op(bytecode.LoadUndef, r, bytecode.UndefEnd, 0)
	g.emitReturn(r)
	g.top = mark
}

// run compiles the function.
func (g *gen) run() {
	g.traceEntry()
	switch g.fi.kind {
	case funcScript:
		g.script()
	case funcModule:
		g.module()
	case funcInit:
		g.moduleInit()
	case funcEval:
		g.evalCode()
	case funcFields, funcStatics:
		g.initElements()
	case funcDefaultCtor:
		g.defaultConstructor()
	case funcAccessorGet, funcAccessorSet:
		g.accessor()
	case funcImport:
		r := g.reg()
		g.wide(bytecode.GetImport, r, uint32(g.fi.imp))
		g.op(bytecode.Return, r, 0, 0)
	default:
		g.function()
	}
	for _, l := range g.open {
		for _, pc := range l.refs {
			if l.pc >= 0 {
				g.patch(pc, l.pc)
			}
		}
	}
}

func (g *gen) function() {
	fi, n := g.fi, g.fi.node
	params := n.Params
	rest := -1
	if k := len(params); k > 0 {
		if _, ok := params[k-1].(*syntax.RestElement); ok {
			rest = k - 1
		}
	}
	count := len(params)
	if rest >= 0 {
		count = rest
	}
	if fi.names != nil {
		count = len(fi.names)
	}
	if count > maxRegs/2 {
		g.cp.fail(fi, "the function is too large: it has too many parameters")
		return
	}
	g.f.NumParams = count
	first := g.regs(count)
	if fi.args != nil || rest >= 0 {
		g.f.Flags |= bytecode.FlagArgsArray
		g.f.ArgsReg = g.reg()
	}
	g.scope = fi.params
	if n.Kind == syntax.FuncConstructor {
		g.initFields(regThis)
	}
	if s := fi.self; s != nil {
		g.scope = s
		self := s.list[0]
		self.reg = regCallee
		if s.env {
			s.envReg = g.reg()
			g.op(bytecode.NewEnv, s.envReg, noReg, uint16(s.slots))
			g.writeSlot(regCallee, self, false)
		}
	}
	if s := fi.params.parent; s != nil && s.kind == scopeEvalParams && s.fn == fi {
		g.enter(s)
		g.clearVarObj(s)
	}
	g.enterParams(first)
	g.ownValues()
	if fi.paramExprs {
		g.arguments(first)
		g.inParams = true
		g.bindParams(params, first)
		g.inParams = false
		g.enter(fi.body)
		for _, b := range fi.body.list {
			if p := fi.params.find(b.name); p != nil && b.kind == bindVar {
				mark := g.top
				t := g.reg()
				g.scope = fi.params
				g.loadStatic(t, p, b.name, n.End, false)
				g.scope = fi.body
				g.init(b, t)
				g.top = mark
			}
		}
	} else {
		g.bindParams(params, first)
		g.arguments(first)
	}
	g.declareVars(fi.body)
	for _, d := range fi.funcs {
		g.initFunc(d.Func.ID.Name, g.funcOf(d.Func))
	}
	if n.Generator {
		g.op(bytecode.GenStart, 0, 0, 0)
	}
	switch {
	case n.ExprBody != nil:
		g.begin(g.exprPos(n.ExprBody))
		g.returnExpr(n.ExprBody)
	case fi == g.cp.top && g.cp.p.LoneExpression != nil:
		r := g.any(g.cp.p.LoneExpression)
		g.emitReturn(r)
	default:
		if fi == g.cp.top && g.cp.opt.Completion {
			g.withCompletion(n.Body)
			return
		}
		g.using(n.Body, func() { g.stmts(n.Body) })
		g.at(max(n.End-1, 0))
		g.returnUndefined()
	}
}

// withCompletion compiles statements whose completion value is the result.
func (g *gen) withCompletion(list []syntax.Stmt) {
	r := g.reg()
	g.undef(r)
	g.compl = int(r)
	g.using(list, func() { g.stmts(list) })
	g.emitReturn(r)
}

// enterParams opens the scope of the parameters. A plain parameter that no
// closure captures stays in the register that it arrives in.
func (g *gen) enterParams(first uint16) {
	fi := g.fi
	s := fi.params
	g.scope = s
	if s.env {
		parent := g.innerOf(s.parent)
		s.envReg = g.reg()
		g.op(bytecode.NewEnv, s.envReg, parent, uint16(s.slots))
	}
	placed := map[*binding]bool{}
	place := func(name string, i int) {
		if b := s.find(name); b != nil && b.kind != bindVar && !b.captured && !b.tdz {
			b.reg = first + uint16(i)
			placed[b] = true
		}
	}
	for i, name := range fi.names {
		place(name, i)
	}
	for i, p := range fi.node.Params {
		if a, ok := p.(*syntax.AssignmentPattern); ok {
			p = a.Left
		}
		if id, ok := p.(*syntax.Identifier); ok {
			place(id.Name, i)
		}
	}
	for _, b := range s.list {
		if b.captured || placed[b] || !b.inRegister() {
			continue
		}
		b.reg = g.reg()
		if b.tdz {
			g.op(bytecode.LoadEmpty, b.reg, 0, 0)
		}
	}
}

// ownValues gives this, new.target and the function itself to the variables
// through which arrows and eval code reach them.
func (g *gen) ownValues() {
	fi := g.fi
	if fi.kind == funcOrdinary && !fi.strict && !fi.arrow && fi.usesThis {
		g.f.Flags |= bytecode.FlagSloppyThis
		g.op(bytecode.BoxThis, 0, 0, 0)
	}
	mark := g.top
	for _, b := range fi.params.list {
		if b.kind != bindHidden || !b.captured {
			continue
		}
		switch b.name {
		case hidThis:
			if fi.derived() || fi.kind == funcModule {
				t := g.reg()
				g.undef(t)
				g.writeSlot(t, b, false)
			} else {
				g.writeSlot(regThis, b, false)
			}
		case hidNewTarget:
			t := g.reg()
			g.op(bytecode.LoadNewTarget, t, 0, 0)
			g.writeSlot(t, b, false)
		case hidFunc:
			g.writeSlot(regCallee, b, false)
		}
		g.top = mark
	}
	g.clearVarObj(fi.params)
}

// clearVarObj marks that there is no eval variable object yet.
func (g *gen) clearVarObj(s *scope) {
	if s.varObj == nil {
		return
	}
	mark := g.top
	t := g.reg()
	g.undef(t)
	g.writeSlot(t, s.varObj, false)
	g.top = mark
}

// arguments makes the arguments object.
func (g *gen) arguments(first uint16) {
	fi := g.fi
	if fi.args == nil {
		return
	}
	mark := g.top
	t := fi.args.reg
	if fi.args.captured {
		t = g.reg()
	}
	if fi.strict || !fi.node.SimpleParams {
		g.op(bytecode.Arguments, t, 0, 0)
	} else {
		env := t
		if fi.argsMapped {
			env = fi.params.envReg
		}
		slots := make([]uint16, len(fi.node.Params))
		last := map[string]int{}
		for i, p := range fi.node.Params {
			slots[i] = noReg
			if id, ok := p.(*syntax.Identifier); ok {
				if j, dup := last[id.Name]; dup {
					slots[j] = noReg
				}
				last[id.Name] = i
				if b := fi.params.find(id.Name); fi.argsMapped && b != nil && b.captured {
					slots[i] = b.slot
				}
			}
		}
		g.f.MappedSlots = slots
		g.op(bytecode.MappedArguments, t, env, 0)
	}
	g.init(fi.args, t)
	g.top = mark
}

// bindParams binds the parameters (IteratorBindingInitialization, 8.6.3).
func (g *gen) bindParams(params []syntax.Pattern, first uint16) {
	mark := g.top
	for i, name := range g.fi.names {
		if b := g.fi.params.find(name); b != nil && b.captured {
			g.writeSlot(first+uint16(i), b, false)
		}
	}
	for i, p := range params {
		r := first + uint16(i)
		if e, ok := p.(*syntax.RestElement); ok {
			r = g.slotOf(e.Argument, modeInit)
			if r == noReg {
				r = g.reg()
			}
			g.op(bytecode.Rest, r, uint16(i), 0)
			p = e.Argument
		}
		target, def, paren := splitTarget(p)
		if def != nil {
			ok := newLabel()
			g.jump(bytecode.JumpNotUndef, r, ok)
			g.named(def, r, nameOf(target, paren))
			g.bind(ok)
		}
		if id, ok := target.(*syntax.Identifier); ok {
			b := g.fi.params.find(id.Name)
			// Of simple parameters with one name the last counts.
			if b.captured || b.reg != r && !g.fi.node.SimpleParams {
				g.init(b, r)
			}
		} else {
			var from syntax.Expr
			if _, ok := target.(*syntax.ObjectPattern); ok && def != nil {
				at := target.Range().Start
				from = &syntax.ConditionalExpression{Span: syntax.Span{Start: at, End: at}}
			}
			if g.fi.node != nil {
				g.patternOff = g.fi.node.ParamsSpan.Start
			}
			g.pattern(target, r, modeInit, from)
		}
		g.top = mark
	}
}

// declareVars gives the variables that live in an environment their first
// value.
func (g *gen) declareVars(s *scope) {
	fi := g.fi
	mark := g.top
	undef := uint16(noReg)
	for _, b := range s.list {
		if b.kind != bindVar || !b.captured || b == fi.args && s == fi.params {
			continue
		}
		if s != fi.params && fi.params != nil && fi.params.find(b.name) != nil {
			continue
		}
		if undef == noReg {
			undef = g.reg()
			g.op(bytecode.LoadUndef, undef, bytecode.UndefHoisted, 0)
		}
		g.writeSlot(undef, b, false)
	}
	if s != fi.params {
		g.clearVarObj(s)
	}
	g.top = mark
}
