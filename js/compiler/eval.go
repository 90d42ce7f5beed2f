package compiler

import "github.com/pinfold-js/pinfold/js/bytecode"

// analyzeScript sets up the top of a script: its names are global.
func (cp *compiler) analyzeScript() {
	a, p := cp.an, cp.p
	fi := &funcInfo{kind: funcScript, index: -1, strict: p.Strict}
	a.fn = fi
	s := a.newScope(scopeFunc, nil)
	fi.params, fi.body = s, s
	a.scope = s
	cp.top = fi
	cp.index(fi)
	cp.declared = map[string]bool{}
	fi.funcs = topFunctions(p.Body)
	for _, d := range fi.funcs {
		cp.declared[d.Func.ID.Name] = true
	}
	hoisted := map[string]bool{}
	varNames(p.Body, func(name string, annexB bool) {
		switch {
		case cp.declared[name]:
		case annexB:
			hoisted[name] = true
		default:
			cp.declared[name] = true
			cp.prog.GlobalVars = append(cp.prog.GlobalVars, name)
		}
	})
	varNames(p.Body, func(name string, annexB bool) {
		if annexB && hoisted[name] && !cp.declared[name] {
			hoisted[name] = false
			cp.prog.GlobalHoists = append(cp.prog.GlobalHoists, name)
		}
	})
	lexNames(p.Body, false, func(name string, kind bindKind) {
		cp.prog.GlobalLex = append(cp.prog.GlobalLex, bytecode.GlobalLex{Name: name, Const: kind == bindConst})
	})
	a.stmts(p.Body)
	for _, d := range fi.funcs {
		cp.prog.GlobalFuncs = append(cp.prog.GlobalFuncs, bytecode.GlobalFunc{Name: d.Func.ID.Name, Func: cp.index(a.funcs[d.Func])})
	}
}

func (g *gen) script() {
	g.scope = g.fi.params
	g.f.Start, g.f.End = g.cp.p.Start, g.cp.p.End
	body := g.cp.p.Body
	if g.cp.opt.Completion {
		g.withCompletion(body)
		return
	}
	g.stmts(body)
	g.returnUndefined()
}

// analyzeEval sets up eval code. Lexical declarations are its own; so are the
// variables when it is strict.
func (cp *compiler) analyzeEval() {
	a, p := cp.an, cp.p
	around := outerFunc(cp.opt.Outer)
	fi := &funcInfo{kind: funcEval, index: -1, strict: p.Strict, arrow: true, parent: around}
	outer := cp.fromOuter(cp.opt.Outer, around)
	a.fn, a.scope = fi, outer
	s := a.newScope(scopeEval, nil)
	fi.params, fi.body, fi.outer = s, s, outer
	a.scope = s
	cp.top = fi
	cp.index(fi)
	fi.funcs = topFunctions(p.Body)
	lexNames(p.Body, false, func(name string, kind bindKind) { s.declare(name, kind) })
	if p.Strict {
		s.varScope = true
		a.varScope = s
		for _, d := range fi.funcs {
			s.declare(d.Func.ID.Name, bindFunc).value(valueAny)
		}
		varNames(p.Body, func(name string, _ bool) { s.declare(name, bindVar).value(valueAny) })
	} else {
		cp.prog.EvalVars = true
		for v := outer; v != nil; v = v.parent {
			if v.varScope {
				a.varScope = v
				break
			}
		}
		cp.evalVars(fi, outer, a.varScope)
	}
	a.stmts(p.Body)
	if !p.Strict && a.varScope == nil {
		for _, d := range fi.funcs {
			cp.prog.GlobalFuncs = append(cp.prog.GlobalFuncs, bytecode.GlobalFunc{Name: d.Func.ID.Name, Func: cp.index(a.funcs[d.Func])})
		}
		for _, name := range cp.evalNames {
			if cp.hoisted[name] {
				cp.prog.GlobalHoists = append(cp.prog.GlobalHoists, name)
			} else {
				cp.prog.GlobalVars = append(cp.prog.GlobalVars, name)
			}
		}
	}
}

// evalVars collects the var names of sloppy eval code and checks them against
// the scopes between it and its variable scope (19.2.1.3).
func (cp *compiler) evalVars(fi *funcInfo, outer, varScope *scope) {
	clash := func(name string, annexB bool) bool {
		for s := outer; s != nil; s = s.parent {
			b := s.find(name)
			if b != nil && s.with == nil && name[0] != '%' {
				if s == varScope {
					return b.kind == bindLet || b.kind == bindConst
				}
				if b.kind != bindVar || annexB {
					return true
				}
			}
			if s == varScope {
				break
			}
		}
		return false
	}
	seen := map[string]bool{}
	for _, d := range fi.funcs {
		name := d.Func.ID.Name
		seen[name] = true
		if clash(name, false) {
			cp.failAt(d.Func.ID.Start, d.Func.ID.End, "Identifier '"+name+"' has already been declared")
		}
	}
	varNames(cp.p.Body, func(name string, annexB bool) {
		if annexB && clash(name, true) {
			cp.blocked[name] = true
			return
		}
		if !annexB {
			delete(cp.hoisted, name)
		} else if !seen[name] {
			cp.hoisted[name] = true
		}
		if seen[name] {
			return
		}
		seen[name] = true
		if !annexB && clash(name, false) {
			cp.failAt(cp.p.Start, cp.p.End, "Identifier '"+name+"' has already been declared")
		}
		cp.evalNames = append(cp.evalNames, name)
	})
}

func (g *gen) evalCode() {
	fi := g.fi
	g.f.Start, g.f.End = g.cp.p.Start, g.cp.p.End
	g.enter(fi.params)
	if fi.strict {
		g.declareVars(fi.params)
		for _, d := range fi.funcs {
			g.initFunc(d.Func.ID.Name, g.funcOf(d.Func))
		}
	} else {
		g.declareEval()
	}
	g.withCompletion(g.cp.p.Body)
}

// varHome returns the scope that var declarations of eval code go to, nil for
// the global one.
func (g *gen) varHome() *scope {
	for s := g.fi.outer; s != nil; s = s.parent {
		if s.varScope {
			return s
		}
	}
	return nil
}

// declareEval declares the variables and functions of sloppy eval code.
func (g *gen) declareEval() {
	v := g.varHome()
	mark := g.top
	if v == nil {
		// The global ones exist already; functions that need the environment
		// of the eval code are made again, in it.
		if g.fi.outer != nil || g.fi.params.env {
			for _, d := range g.fi.funcs {
				t := g.reg()
				g.closure(t, g.funcOf(d.Func))
				g.op(bytecode.SetGlobal, t, 0, g.ic(d.Func.ID.Name))
				g.top = mark
			}
		}
		return
	}
	obj := uint16(noReg)
	if len(g.cp.evalNames) > 0 || len(g.fi.funcs) > 0 {
		obj = g.varObject(v)
	}
	inner := g.top
	for _, d := range g.fi.funcs {
		t := g.reg()
		g.closure(t, g.funcOf(d.Func))
		if b := v.find(d.Func.ID.Name); b != nil {
			g.writeSlot(t, b, false)
		} else if obj != noReg {
			g.op(bytecode.InitField, obj, t, g.icIniting(d.Func.ID.Name))
		}
		g.top = inner
	}
	for _, name := range g.cp.evalNames {
		if v.find(name) != nil || obj == noReg {
			continue
		}
		t := g.reg()
		skip := newLabel()
		ic := g.ic(name)
		g.op(bytecode.DynHasVar, t, obj, ic)
		g.jump(bytecode.JumpTrue, t, skip)
		g.undef(t)
		g.op(bytecode.InitField, obj, t, ic)
		g.bind(skip)
		g.top = inner
	}
	g.top = mark
}

// varObject loads the eval variable object of a scope, making it if there is
// none yet.
func (g *gen) varObject(v *scope) uint16 {
	if v.varObj == nil {
		return noReg
	}
	obj := g.reg()
	e := g.reg()
	g.op(bytecode.OuterEnv, e, g.depth(v), 0)
	g.op(bytecode.EvalVarObj, obj, e, v.varObj.slot)
	g.top = int(e)
	return obj
}

// evalAssign gives a value to a variable that eval code declares, whatever
// hides it.
func (g *gen) evalAssign(name string, src uint16) {
	v := g.varHome()
	if v == nil {
		g.op(bytecode.SetGlobalVar, src, 0, g.ic(name))
		return
	}
	if b := v.find(name); b != nil {
		g.writeSlot(src, b, false)
		return
	}
	mark := g.top
	if obj := g.varObject(v); obj != noReg {
		g.op(bytecode.SetProp, obj, src, g.icWriting(name))
	}
	g.top = mark
}
