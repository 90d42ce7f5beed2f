package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func (g *gen) classDecl(d *syntax.ClassDeclaration, name string) {
	mark := g.top
	bound := "*default*"
	if d.Class.ID != nil {
		bound, name = d.Class.ID.Name, d.Class.ID.Name
	}
	t := g.reg()
	g.classExpr(d.Class, t, name, noReg)
	g.initVar(bound, t, d.Start)
	g.top = mark
}

// A staticPrivate is a private method of the class itself, which is added when
// all elements have been evaluated.
type staticPrivate struct {
	op   bytecode.Op
	name *binding
	reg  uint16
}

// classExpr is ClassDefinitionEvaluation (15.7.14). The name is given either
// now or by a key in a register.
func (g *gen) classExpr(n *syntax.Class, dst uint16, name string, nameKey uint16) {
	ci := g.cp.an.class[n]
	if !g.strict {
		g.strict = true
		from := g.pc()
		defer func() {
			g.strict = false
			g.f.StrictCode = append(g.f.StrictCode, [2]int32{from, g.pc()})
		}()
	}
	outer, mark := g.scope, g.top
	w := g.regs(2)
	g.enter(ci.name)
	g.stmtPC = -1
	sup := uint16(noReg)
	if n.SuperClass != nil {
		sup = g.reg()
		g.expr(n.SuperClass, sup)
	}
	if ci.scope != ci.name {
		g.enter(ci.scope)
	}
	s := ci.scope
	g.privateNames(ci)
	if n.ID != nil {
		name = n.ID.Name
	}
	if ci.ctor.node == nil || ci.ctor.node.ID == nil {
		ci.ctor.name = name
	}
	if env := g.inner(); env == noReg {
		g.undef(w)
	} else {
		g.move(w, env)
	}
	if n.SuperClass != nil {
		g.near(n.SuperClass.Range().Start)
	} else {
		g.near(n.Start)
	}
	g.op(bytecode.Class, w, g.child(ci.ctor), sup)
	if nameKey != noReg {
		g.op(bytecode.SetFuncName, w, nameKey, 0)
	}
	if b := s.find(hidHome); b != nil && b.captured {
		g.writeSlot(w+1, b, false)
	}
	if b := s.find(hidStatic); b != nil && b.captured {
		g.writeSlot(w, b, false)
	}
	g.brands(n, s, name)
	var privates []staticPrivate
	for i, m := range n.Members {
		inner := g.top
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if m.Func != nil && m.Kind != syntax.MethodConstructor {
				if p, keep := g.classMethod(m, &ci.members[i], s, w); keep {
					privates = append(privates, p)
					continue
				}
			}
		case *syntax.PropertyDefinition:
			if !erasedField(m) {
				list, keep := g.classField(m, &ci.members[i], s, w)
				privates = append(privates, list...)
				if keep {
					continue
				}
			}
		}
		g.top = inner
	}
	if ci.inner != nil && (ci.inner.captured || ci.inner.used) {
		g.init(ci.inner, w)
	}
	for _, p := range privates {
		m := g.top
		g.op(p.op, w, g.bindingReg(p.name), p.reg)
		g.top = m
	}
	if b := s.find(hidFields); b != nil {
		m := g.top
		t := g.reg()
		if ci.fields != nil {
			g.closure(t, ci.fields)
		} else {
			g.undef(t)
		}
		g.writeSlot(t, b, false)
		g.top = m
	}
	if ci.statics != nil {
		m := g.top
		c := g.regs(2)
		g.closure(c, ci.statics)
		g.move(c+1, w)
		g.near(n.Start)
		g.op(bytecode.Call, c, c, 0)
		g.top = m
	}
	g.move(dst, w)
	g.scope = outer
	g.top = mark
}

// brands notes what class private methods and accessors belong to.
func (g *gen) brands(n *syntax.Class, s *scope, name string) {
	if name == "" {
		name = "anonymous"
	}
	for _, m := range n.Members {
		d, ok := m.(*syntax.MethodDefinition)
		if !ok {
			continue
		}
		if p := privateKey(d); p != "" {
			b := s.find("#" + p)
			b.brand = "an instance of class " + name
			if d.Static {
				b.brand = "class " + name
			}
		}
	}
}

// bindingReg returns a register with the value of one of the compiler's own
// bindings.
func (g *gen) bindingReg(b *binding) uint16 {
	if !b.captured {
		return b.reg
	}
	t := g.reg()
	g.readSlot(t, b)
	return t
}

// privateNames makes the private names that a class declares.
func (g *gen) privateNames(ci *classInfo) {
	mark := g.top
	storage := map[*binding]bool{}
	for i := range ci.members {
		if b := ci.members[i].storage; b != nil {
			storage[b] = true
		}
	}
	for _, b := range ci.scope.list {
		if b.kind != bindHidden {
			continue
		}
		desc := b.name
		if b.name[0] != '#' {
			if !storage[b] {
				continue
			}
			desc = "#accessor"
		}
		if !b.captured {
			g.wide(bytecode.PrivateName, b.reg, g.cp.str(desc))
			continue
		}
		t := g.reg()
		g.wide(bytecode.PrivateName, t, g.cp.str(desc))
		g.writeSlot(t, b, false)
		g.top = mark
	}
}

// classMethod defines a method or accessor. keep: it returns the private
// method of a class, whose register has to stay.
func (g *gen) classMethod(m *syntax.MethodDefinition, mi *memberInfo, s *scope, w uint16) (p staticPrivate, keep bool) {
	fi := g.funcOf(m.Func)
	target := w + 1
	if m.Static {
		target = w
	}
	prefix, kind := "", uint16(0)
	op, priv := bytecode.DefMethod, bytecode.InitPrivateMethod
	switch m.Kind {
	case syntax.MethodGet:
		prefix, kind, op, priv = "get ", 1, bytecode.DefGetter, bytecode.InitPrivateGetter
	case syntax.MethodSet:
		prefix, kind, op, priv = "set ", 2, bytecode.DefSetter, bytecode.InitPrivateSetter
	}
	if name := privateKey(m); name != "" {
		fi.name = prefix + "#" + name
		f := g.reg()
		g.closure(f, fi)
		if m.Static {
			return staticPrivate{priv, s.find("#" + name), f}, true
		}
		g.writeSlot(f, mi.method, false)
		return p, false
	}
	k, f := g.reg(), g.reg()
	if m.Computed {
		g.expr(m.Key, k)
		g.at(m.Key.Range().Start)
		g.op(bytecode.ToKey, k, k, 0)
		g.closure(f, fi)
		g.op(bytecode.SetFuncName, f, k, kind)
	} else {
		name := keyName(m.Key)
		fi.name = prefix + name
		g.loadKey(k, name)
		g.closure(f, fi)
	}
	g.near(m.Start)
	g.op(op, target, k, f)
	return p, false
}

// classField evaluates what a field's definition evaluates: its key, and the
// functions of an `accessor`.
func (g *gen) classField(m *syntax.PropertyDefinition, mi *memberInfo, s *scope, w uint16) (list []staticPrivate, keep bool) {
	key := uint16(noReg)
	if m.Computed {
		key = g.reg()
		g.expr(m.Key, key)
		g.at(m.Key.Range().Start)
		g.op(bytecode.ToKey, key, key, 0)
		g.writeSlot(key, mi.key, false)
	}
	if !m.Accessor {
		return nil, false
	}
	target := w + 1
	if m.Static {
		target = w
	}
	get, set := g.reg(), g.reg()
	name := ""
	if !m.Computed {
		name = keyName(m.Key)
		mi.get.name, mi.set.name = "get "+name, "set "+name
	}
	mi.get.static, mi.set.static = m.Static, m.Static
	g.closure(get, mi.get)
	g.closure(set, mi.set)
	if p := privateKey(m); p != "" {
		b := s.find("#" + p)
		if m.Static {
			return []staticPrivate{{bytecode.InitPrivateGetter, b, get}, {bytecode.InitPrivateSetter, b, set}}, true
		}
		g.writeSlot(get, mi.method, false)
		g.writeSlot(set, mi.setter, false)
		return nil, false
	}
	if key == noReg {
		key = g.reg()
		g.loadKey(key, name)
	} else {
		g.op(bytecode.SetFuncName, get, key, 1)
		g.op(bytecode.SetFuncName, set, key, 2)
	}
	g.near(m.Start)
	g.op(bytecode.DefGetter, target, key, get)
	g.op(bytecode.DefSetter, target, key, set)
	return nil, false
}

// defaultConstructor compiles the constructor of a class without one.
func (g *gen) defaultConstructor() {
	g.scope = g.fi.outer
	n := g.fi.class.node
	g.at(n.Start)
	if !g.fi.derived() {
		g.initFields(regThis)
		g.returnUndefined()
		return
	}
	g.f.Flags |= bytecode.FlagArgsArray
	g.f.ArgsReg = g.reg()
	p := g.reg()
	g.op(bytecode.HomeProto, p, regCallee, 0)
	g.op(bytecode.SuperForward, regThis, p, 0)
	g.initFields(regThis)
	t := g.reg()
	g.undef(t)
	g.op(bytecode.ReturnDerived, t, regThis, 0)
}

// initElements compiles the function that initialises an instance or runs the
// static elements: InitializeInstanceElements (7.3.34), or the end of
// ClassDefinitionEvaluation.
func (g *gen) initElements() {
	fi := g.fi
	ci := fi.class
	g.f.Start, g.f.End = ci.node.Start, ci.node.End
	static := fi.kind == funcStatics
	g.enter(fi.params)
	g.ownValues()
	base := g.top
	if !static {
		for i, m := range ci.node.Members {
			mi := &ci.members[i]
			if mi.method == nil {
				continue
			}
			name := g.bindingReg(ci.scope.find("#" + privateKey(m)))
			f := g.bindingReg(mi.method)
			op := bytecode.InitPrivateMethod
			g.at(m.Range().Start)
			if d, ok := m.(*syntax.MethodDefinition); ok {
				switch d.Kind {
				case syntax.MethodGet:
					op = bytecode.InitPrivateGetter
				case syntax.MethodSet:
					op = bytecode.InitPrivateSetter
				}
				g.op(op, regThis, name, f)
			} else {
				g.op(bytecode.InitPrivateGetter, regThis, name, f)
				g.op(bytecode.InitPrivateSetter, regThis, name, g.bindingReg(mi.setter))
			}
			g.top = base
		}
	}
	for i, m := range ci.node.Members {
		mi := &ci.members[i]
		switch m := m.(type) {
		case *syntax.PropertyDefinition:
			if m.Static == static && !erasedField(m) {
				g.initField(m, mi, ci)
			}
		case *syntax.StaticBlock:
			if static {
				g.staticBlock(m, mi)
			}
		}
		g.top = base
	}
	g.returnUndefined()
}

func (g *gen) initField(m *syntax.PropertyDefinition, mi *memberInfo, ci *classInfo) {
	v := g.reg()
	private := privateKey(m)
	if m.Init != nil {
		g.begin(g.exprPos(m.Init.ExprBody))
	}
	switch {
	case m.Init == nil:
		g.op(bytecode.LoadUndef, v, bytecode.UndefDeclared, 0)
		g.traceExpr(bytecode.OperandResult, m.Key)
	case mi.key != nil && anonymous(m.Init.ExprBody):
		g.namedBy(m.Init.ExprBody, v, g.bindingReg(mi.key))
	default:
		g.named(m.Init.ExprBody, v, keyName(m.Key))
	}
	if m.Init != nil {
		g.near(m.Start)
	} else {
		g.at(m.Start)
	}
	switch {
	case mi.storage != nil:
		g.op(bytecode.InitPrivate, regThis, g.bindingReg(mi.storage), v)
	case private != "":
		g.op(bytecode.InitPrivate, regThis, g.bindingReg(ci.scope.find("#"+private)), v)
	case mi.key != nil:
		g.op(bytecode.InitElem, regThis, g.bindingReg(mi.key), v)
	default:
		g.defineField(regThis, keyName(m.Key), v)
		g.traceExpr(bytecode.OperandResult, m.Key)
	}
}

func (g *gen) staticBlock(m *syntax.StaticBlock, mi *memberInfo) {
	outer, mark := g.scope, g.top
	s := mi.block
	g.enter(s)
	for _, b := range s.list {
		if b.kind == bindVar {
			m := g.top
			t := g.reg()
			g.undef(t)
			g.init(b, t)
			g.top = m
		}
	}
	for _, d := range topFunctions(m.Func.Body) {
		g.initFunc(d.Func.ID.Name, g.funcOf(d.Func))
	}
	g.using(m.Func.Body, func() { g.stmts(m.Func.Body) })
	g.scope = outer
	g.top = mark
}

// accessor compiles getter or setter of an `accessor` field.
func (g *gen) accessor() {
	fi := g.fi
	g.scope = fi.outer
	g.f.Start, g.f.End = fi.class.node.Start, fi.class.node.End
	g.at(fi.class.node.Start)
	set := fi.kind == funcAccessorSet
	v := g.reg()
	if set {
		g.f.NumParams, g.f.Length = 1, 1
	}
	name := g.bindingReg(fi.member.storage)
	if set {
		g.op(bytecode.SetPrivate, regThis, name, v)
		g.returnUndefined()
		return
	}
	g.op(bytecode.GetPrivate, v, regThis, name)
	g.op(bytecode.Return, v, 0, 0)
}
