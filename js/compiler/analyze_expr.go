package compiler

import (
	"strconv"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// erase strips TypeScript's wrappers from an expression.
func erase(e syntax.Expr) syntax.Expr {
	for {
		switch n := e.(type) {
		case *syntax.TSAsExpression:
			e = n.Expression
		case *syntax.TSSatisfiesExpression:
			e = n.Expression
		case *syntax.TSNonNullExpression:
			e = n.Expression
		case *syntax.TSTypeAssertion:
			e = n.Expression
		case *syntax.TSInstantiationExpression:
			e = n.Expression
		default:
			return e
		}
	}
}

func (a *analyzer) exprs(list []syntax.Expr) {
	for _, e := range list {
		if e != nil {
			a.expr(e)
		}
	}
}

func (a *analyzer) expr(e syntax.Expr) {
	a.cp.step()
	switch n := erase(e).(type) {
	case *syntax.Identifier:
		if b := a.ref(n.Name, n.Start); b != nil && b == b.scope.fn.argsBinding() {
			b.scope.fn.argsWrite = true
		}
	case *syntax.PrivateIdentifier:
		a.private(n.Name)
	case *syntax.TemplateLiteral:
		a.exprs(n.Expressions)
	case *syntax.TaggedTemplateExpression:
		a.expr(n.Tag)
		a.exprs(n.Quasi.Expressions)
	case *syntax.ThisExpression:
		a.pseudo(hidThis, false)
	case *syntax.Super:
		a.pseudo(hidThis, false)
		a.home()
	case *syntax.ArrayExpression:
		a.exprs(n.Elements)
	case *syntax.SpreadElement:
		a.expr(n.Argument)
	case *syntax.ObjectExpression:
		a.object(n)
	case *syntax.FunctionExpression:
		a.function(n.Func, funcOptions{expr: true})
	case *syntax.ArrowFunctionExpression:
		a.function(n.Func, funcOptions{})
	case *syntax.ClassExpression:
		a.classExpr(n.Class)
	case *syntax.MetaProperty:
		if n.Kind == syntax.NewTarget {
			a.pseudo(hidNewTarget, false)
		}
	case *syntax.ImportExpression:
		a.expr(n.Source)
		if n.Options != nil {
			a.expr(n.Options)
		}
	case *syntax.UnaryExpression:
		a.expr(n.Argument)
	case *syntax.UpdateExpression:
		a.target(n.Argument, valueNumber)
	case *syntax.BinaryExpression:
		// Left spines are deep where operands are many.
		var spine []*syntax.BinaryExpression
		for {
			spine = append(spine, n)
			l, ok := erase(n.Left).(*syntax.BinaryExpression)
			if !ok {
				break
			}
			n = l
		}
		a.expr(spine[len(spine)-1].Left)
		for i := len(spine) - 1; i >= 0; i-- {
			a.expr(spine[i].Right)
		}
	case *syntax.LogicalExpression:
		a.expr(n.Left)
		a.expr(n.Right)
	case *syntax.AssignmentExpression:
		a.target(n.Left, compoundKind(n.Operator, n.Right))
		a.expr(n.Right)
	case *syntax.ConditionalExpression:
		a.expr(n.Test)
		a.expr(n.Consequent)
		a.expr(n.Alternate)
	case *syntax.SequenceExpression:
		a.exprs(n.Expressions)
	case *syntax.CallExpression:
		a.call(n)
	case *syntax.NewExpression:
		a.expr(n.Callee)
		a.exprs(n.Arguments)
	case *syntax.MemberExpression:
		a.member(n)
	case *syntax.ChainExpression:
		a.expr(n.Expression)
	case *syntax.YieldExpression:
		if n.Argument != nil {
			a.expr(n.Argument)
		}
	case *syntax.AwaitExpression:
		a.expr(n.Argument)
	}
}

func (f *funcInfo) argsBinding() *binding {
	if f == nil {
		return nil
	}
	return f.args
}

// target analyses the left side of an assignment or update.
func (a *analyzer) target(p syntax.Pattern, v valueKind) {
	if in, ok := unwrapPattern(p); ok {
		a.target(in, v)
		return
	}
	switch p := p.(type) {
	case *syntax.Identifier:
		if b := a.assign(p.Name, p.Start, v); b != nil && b == b.scope.fn.argsBinding() {
			b.scope.fn.argsWrite = true
		}
	case *syntax.MemberExpression:
		a.expr(p.Object)
		a.property(p)
	default:
		a.pattern(p, false)
	}
}

// member analyses a member access that is read. Reading elements of arguments
// lets nobody change them.
func (a *analyzer) member(n *syntax.MemberExpression) {
	// Chains of members and calls are deep on the left.
	var spine []*syntax.MemberExpression
	for {
		spine = append(spine, n)
		m, ok := erase(n.Object).(*syntax.MemberExpression)
		if !ok {
			break
		}
		n = m
	}
	if id, ok := n.Object.(*syntax.Identifier); ok {
		plain := n.Computed
		if p, ok := n.Property.(*syntax.Identifier); ok && !n.Computed {
			plain = p.Name == "length"
		}
		b := a.ref(id.Name, id.Start)
		if !plain && b != nil && b == b.scope.fn.argsBinding() {
			b.scope.fn.argsWrite = true
		}
	} else {
		a.expr(n.Object)
	}
	for i := len(spine) - 1; i >= 0; i-- {
		a.property(spine[i])
	}
}

func (a *analyzer) property(n *syntax.MemberExpression) {
	if n.Computed {
		a.expr(n.Property)
	} else if p, ok := n.Property.(*syntax.PrivateIdentifier); ok {
		a.private(p.Name)
	}
}

func (a *analyzer) call(n *syntax.CallExpression) {
	if _, ok := n.Callee.(*syntax.Super); ok {
		a.pseudo(hidThis, false)
		a.pseudo(hidFunc, false)
		a.pseudo(hidNewTarget, false)
		a.exprs(n.Arguments)
		if owner := a.fn.owner(); owner.class != nil && owner.class.scope != nil {
			if b := owner.class.scope.find(hidFields); b != nil {
				b.captured = true
			}
		}
		return
	}
	callee := n.Callee
	if m, ok := erase(callee).(*syntax.MemberExpression); ok {
		// A method of arguments could be anything.
		if id, ok := m.Object.(*syntax.Identifier); ok {
			a.expr(id)
		}
	}
	a.expr(callee)
	a.exprs(n.Arguments)
	if n.DirectEval {
		a.directEval()
	}
}

func (a *analyzer) object(n *syntax.ObjectExpression) {
	var home *scope
	for _, p := range n.Properties {
		if p.Kind == syntax.PropGet || p.Kind == syntax.PropSet || p.Kind == syntax.PropMethod {
			if f := p.Value.(*syntax.FunctionExpression).Func; f.UsesSuperProp || f.HasDirectEval {
				home = a.newScope(scopeObject, n)
				break
			}
		}
	}
	saved := a.scope
	if home != nil {
		home.add(hidHome, bindHidden)
		a.scope = home
	}
	for _, p := range n.Properties {
		if p.Computed {
			a.expr(p.Key)
		}
		switch p.Kind {
		case syntax.PropGet, syntax.PropSet, syntax.PropMethod:
			a.function(p.Value.(*syntax.FunctionExpression).Func, funcOptions{home: home})
		default:
			a.expr(p.Value)
		}
	}
	a.scope = saved
}

// ---- Classes ----

func (a *analyzer) classExpr(n *syntax.Class) {
	ci := &classInfo{node: n, members: make([]memberInfo, len(n.Members))}
	a.class[n] = ci
	saved := *a
	a.caseEnd = 0

	ci.name = a.newScope(scopeClass, nil)
	a.scope = ci.name
	if n.ID != nil {
		ci.inner = ci.name.add(n.ID.Name, bindConst)
		ci.inner.value(valueAny)
	}
	ci.scope = ci.name
	if n.SuperClass != nil {
		// The heritage sees the private names of the classes around, not this
		// class's (15.7.14).
		if _, simple := n.SuperClass.(*syntax.Identifier); !simple && n.HasPrivate {
			ci.scope = a.newScope(scopeClass, nil)
			ci.scope.parent = ci.name
		}
		a.expr(n.SuperClass)
	}
	s := ci.scope
	a.scope = s
	if n.HasDirectEval {
		s.declare(hidHome, bindHidden)
		s.declare(hidStatic, bindHidden)
	}
	for _, m := range n.Members {
		if name := privateKey(m); name != "" {
			s.declare("#"+name, bindHidden)
		}
	}
	a.classMembers(ci)
	if ci.inner != nil {
		ci.inner.declEnd = n.End
	}
	saved.made, saved.all = a.made, a.all
	*a = saved
}

// privateKey returns the private name a member declares, without the #.
func privateKey(m syntax.ClassMember) string {
	var key syntax.Expr
	switch m := m.(type) {
	case *syntax.MethodDefinition:
		if m.Func == nil || m.Computed {
			return ""
		}
		key = m.Key
	case *syntax.PropertyDefinition:
		if m.Computed || erasedField(m) {
			return ""
		}
		key = m.Key
	}
	if p, ok := key.(*syntax.PrivateIdentifier); ok {
		return p.Name
	}
	return ""
}

// erasedField reports a field that only declares a type.
func erasedField(p *syntax.PropertyDefinition) bool {
	return p.Modifiers&(syntax.TSDeclare|syntax.TSAbstract) != 0
}

// initFunc returns the synthetic function that initialises an instance's, or
// the class's own, elements.
func (a *analyzer) initFunc(ci *classInfo, static bool) *funcInfo {
	p := &ci.fields
	kind := funcFields
	if static {
		p, kind = &ci.statics, funcStatics
	}
	if *p == nil {
		f := &funcInfo{kind: kind, parent: a.fn, outer: ci.scope, index: -1, strict: true, class: ci, home: ci.scope, static: static}
		saved := a.fn
		a.fn = f
		f.params = a.newScope(scopeFunc, nil)
		f.params.parent = ci.scope
		f.params.varScope = true
		f.body = f.params
		a.fn = saved
		*p = f
		if !static {
			ci.scope.declare(hidFields, bindHidden).captured = true
		}
	}
	return *p
}

func (a *analyzer) classMembers(ci *classInfo) {
	n := ci.node
	s := ci.scope
	hidden := func(name string, i int) *binding {
		return s.add(name+strconv.Itoa(i), bindHidden)
	}
	// The synthetic functions exist before any constructor is analysed.
	for i, m := range n.Members {
		mi := &ci.members[i]
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if m.Func != nil && !m.Static && privateKey(m) != "" {
				a.initFunc(ci, false)
				mi.method = hidden("%method", i)
				mi.method.captured = true
			}
		case *syntax.PropertyDefinition:
			if erasedField(m) {
				continue
			}
			a.initFunc(ci, m.Static)
			if m.Computed {
				mi.key = hidden("%key", i)
				mi.key.captured = true
			}
			if m.Accessor {
				mi.storage = hidden("%storage", i)
				mi.storage.captured = true
				if privateKey(m) != "" && !m.Static {
					mi.method, mi.setter = hidden("%method", i), hidden("%setter", i)
					mi.method.captured, mi.setter.captured = true, true
				}
				mi.get = &funcInfo{kind: funcAccessorGet, index: -1, strict: true, outer: s, parent: a.fn, class: ci, member: mi}
				mi.set = &funcInfo{kind: funcAccessorSet, index: -1, strict: true, outer: s, parent: a.fn, class: ci, member: mi}
			}
		case *syntax.StaticBlock:
			a.initFunc(ci, true)
		}
	}
	if n.HasDirectEval {
		s.declare(hidFields, bindHidden).captured = true
	}
	for i, m := range n.Members {
		mi := &ci.members[i]
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if m.Func == nil {
				continue
			}
			if m.Computed {
				a.expr(m.Key)
			}
			o := funcOptions{home: s, static: m.Static}
			if m.Kind == syntax.MethodConstructor {
				o.class = ci
			}
			fi := a.function(m.Func, o)
			if m.Kind == syntax.MethodConstructor {
				ci.ctor = fi
			}
			if name := privateKey(m); name != "" && !m.Static {
				s.find("#" + name).captured = true
			}
		case *syntax.PropertyDefinition:
			if erasedField(m) {
				continue
			}
			if m.Computed {
				a.expr(m.Key)
			}
			if name := privateKey(m); name != "" {
				s.find("#" + name).captured = true
			}
			if m.Init != nil {
				a.inInit(a.initFunc(ci, m.Static), m.Init, nil)
			}
		case *syntax.StaticBlock:
			fi := a.initFunc(ci, true)
			a.inInit(fi, m.Func, mi)
		}
	}
	if ci.ctor == nil {
		ci.ctor = &funcInfo{kind: funcDefaultCtor, index: -1, strict: true, outer: s, parent: a.fn, class: ci}
		if n.ID != nil {
			ci.ctor.name = n.ID.Name
		}
	}
	if ci.fields != nil {
		s.find(hidFields).captured = true
	}
}

// inInit analyses a field initialiser or static block as part of a synthetic
// function.
func (a *analyzer) inInit(fi *funcInfo, f *syntax.Function, block *memberInfo) {
	saved := *a
	a.fn, a.scope, a.varScope, a.params = fi, fi.params, fi.params, false
	if block != nil {
		s := a.newScope(scopeStatic, nil)
		s.varScope = true
		block.block = s
		for _, d := range topFunctions(f.Body) {
			s.declare(d.Func.ID.Name, bindFunc).value(valueAny)
		}
		lexNames(f.Body, false, func(name string, kind bindKind) { s.declare(name, kind) })
		varNames(f.Body, func(name string, _ bool) { s.declare(name, bindVar).value(valueAny) })
		a.scope, a.varScope = s, s
		a.stmts(f.Body)
	} else {
		a.expr(f.ExprBody)
	}
	saved.made, saved.all = a.made, a.all
	*a = saved
}
