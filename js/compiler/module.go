package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// analyzeModule sets up the scope of a module: its environment is made by the
// linker and holds what is exported, captured, or hoisted as a function; other
// variables live in registers of the body.
func (cp *compiler) analyzeModule() {
	a, p := cp.an, cp.p
	fi := &funcInfo{kind: funcModule, index: -1, strict: true}
	a.fn = fi
	s := a.newScope(scopeModule, nil)
	s.external, s.varScope = true, true
	fi.params, fi.body = s, s
	a.scope, a.varScope = s, s
	for i, im := range p.Imports {
		b := s.add(im.LocalName, bindImport)
		b.imp = i
	}
	varNames(p.Body, func(name string, _ bool) { s.declare(name, bindVar) })
	lexNames(p.Body, false, func(name string, kind bindKind) { s.declare(name, kind) })
	fi.funcs = topFunctions(p.Body)
	for _, d := range fi.funcs {
		name := "*default*"
		if d.Func.ID != nil {
			name = d.Func.ID.Name
		}
		b := s.declare(name, bindFunc)
		b.value(valueAny)
		b.captured = true
	}
	for _, st := range p.Body {
		if d, ok := st.(*syntax.ExportDefaultDeclaration); ok {
			c, isClass := d.Declaration.(*syntax.ClassDeclaration)
			if d.Declaration == nil || isClass && c.Class.ID == nil {
				s.declare("*default*", bindLet).value(valueAny)
			}
		}
	}
	for _, e := range p.LocalExports {
		if b := s.find(e.LocalName); b != nil && b.kind != bindImport {
			b.captured = true
		}
	}
	a.body(p.Body, p.End)
	cp.top = fi
	cp.index(fi)
	hoists := len(fi.funcs) > 0 || s.evalSeen
	if s.evalSeen {
		for _, b := range s.list[:len(p.Imports):len(p.Imports)] {
			b.getter = s.add("%import "+b.name, bindHidden)
		}
	}
	for _, b := range s.list {
		hoists = hoists || b.kind == bindVar && b.captured
	}
	if hoists {
		init := &funcInfo{kind: funcInit, index: -1, strict: true, body: s, funcs: fi.funcs}
		cp.prog.Init = int(cp.index(init))
	}
}

// module compiles the body of a module.
func (g *gen) module() {
	fi := g.fi
	g.enter(fi.params)
	g.ownValues()
	if g.cp.p.HasTopLevelAwait {
		g.f.Flags |= bytecode.FlagAsync
	}
	g.f.Start, g.f.End = g.cp.p.Start, g.cp.p.End
	if g.cp.opt.Completion {
		g.withCompletion(g.cp.p.Body)
		return
	}
	g.using(g.cp.p.Body, func() { g.stmts(g.cp.p.Body) })
	g.returnUndefined()
}

// moduleInit compiles what happens to a module's variables before any module
// of the graph runs (16.2.1.7.3.1).
func (g *gen) moduleInit() {
	fi := g.fi
	g.scope = fi.body
	g.f.Start, g.f.End = g.cp.p.Start, g.cp.p.End
	undef := uint16(noReg)
	for _, b := range fi.body.list {
		if b.kind != bindVar || !b.captured {
			continue
		}
		if undef == noReg {
			undef = g.reg()
			g.op(bytecode.LoadUndef, undef, bytecode.UndefHoisted, 0)
		}
		g.writeSlot(undef, b, false)
	}
	t := g.reg()
	for _, b := range fi.body.list {
		if b.getter != nil {
			g.closure(t, &funcInfo{kind: funcImport, index: -1, strict: true, imp: b.imp})
			g.writeSlot(t, b.getter, false)
		}
	}
	for _, d := range fi.funcs {
		f := g.funcOf(d.Func)
		name := "*default*"
		if d.Func.ID != nil {
			name = d.Func.ID.Name
		} else {
			f.name = "default"
		}
		g.closure(t, f)
		g.writeSlot(t, fi.body.find(name), false)
	}
	g.returnUndefined()
}

func (g *gen) exportDefault(n *syntax.ExportDefaultDeclaration) {
	switch d := n.Declaration.(type) {
	case *syntax.ClassDeclaration:
		g.classDecl(d, "default")
	case nil:
		mark := g.top
		v := g.reg()
		g.named(n.Expression, v, "default")
		g.initVar("*default*", v, n.Start)
		g.top = mark
	}
}

// linkage fills in the module record.
func (cp *compiler) linkage() {
	p, out := cp.p, cp.prog
	for _, r := range p.Requests {
		m := bytecode.ModuleRequest{Specifier: r.Specifier, Phase: r.Phase, Offset: r.Span.Start}
		for _, a := range r.Attributes {
			m.Attributes = append(m.Attributes, [2]string{a.Key, a.Value})
		}
		out.Requests = append(out.Requests, m)
	}
	for _, im := range p.Imports {
		out.Imports = append(out.Imports, bytecode.Import{
			Request: im.Request, Name: im.ImportName, Local: im.LocalName, Namespace: im.Namespace, Source: im.Source, Offset: im.Span.Start,
		})
	}
	s := cp.top.params
	for _, e := range p.LocalExports {
		x := bytecode.Export{Name: e.ExportName, Slot: -1, Request: -1, Import: -1, Offset: e.Span.Start}
		if b := s.find(e.LocalName); b != nil {
			if b.kind == bindImport {
				x.Import = b.imp
			} else {
				x.Slot = int(b.slot)
			}
		}
		out.Exports = append(out.Exports, x)
	}
	for i, list := range [][]syntax.ExportEntry{p.IndirectExports, p.StarExports} {
		for _, e := range list {
			out.Exports = append(out.Exports, bytecode.Export{
				Name: e.ExportName, Slot: -1, Request: e.Request, Import: -1, From: e.ImportName,
				Namespace: e.Namespace, Star: i == 1 && !e.Namespace, Offset: e.Span.Start,
			})
		}
	}
	out.EnvSlots = s.slots
	if d := s.describe(); d != nil {
		out.EnvNames = d.Bindings
	}
	out.HasTLA = p.HasTopLevelAwait
}
