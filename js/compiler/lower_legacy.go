package compiler

import (
	"strconv"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// The decorators of TypeScript's option experimentalDecorators. A class
//
//	@c class C { @m method(@p x) {} }
//
// becomes
//
//	let C;
//	{
//		…the functions of legacyDecoration…
//		C = class { static { C = this; } method(x) {} };
//		decorate([m, param(0, p)], C.prototype, "method", null);
//		C = decorate([c], C);
//	}
//
// so that the class's own name means what its decorators make of it.

// legacyDecoration are the functions that apply decorators: to a class, when
// there is no member, or to one of its members, whose descriptor is null if it
// is to be looked up.
const legacyDecoration = `const { decorate: $decorate, parameter: $param } = { decorate: (list, target, ...member) => {
	const own = member.length > 0, key = member[0];
	const descriptor = member[1] === null ? Object.getOwnPropertyDescriptor(target, key) : member[1];
	let result = own ? descriptor : target;
	if (typeof Reflect === "object" && typeof Reflect.decorate === "function") {
		result = own ? Reflect.decorate(list, target, key, descriptor) : Reflect.decorate(list, target);
	} else {
		for (let i = list.length - 1; i >= 0; i--) {
			const d = list[i];
			if (d) result = (own ? d(target, key, result) : d(result)) || result;
		}
	}
	if (own && result) Object.defineProperty(target, key, result);
	return result;
}, parameter: (index, f) => (target, key) => { f(target, key, index); } };
`

// legacyDecorator finds the first decorator of a class, its members or their
// parameters.
func legacyDecorator(c *syntax.Class) (syntax.Span, bool) {
	if len(c.Decorators) > 0 {
		return c.Decorators[0].Span, true
	}
	for _, m := range c.Members {
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if m.Func == nil {
				continue
			}
			if len(m.Decorators) > 0 {
				return m.Decorators[0].Span, true
			}
			if m.Func.Sig == nil {
				continue
			}
			for _, p := range m.Func.Sig.Params {
				if len(p.Decorators) > 0 {
					return p.Decorators[0].Span, true
				}
			}
		case *syntax.PropertyDefinition:
			if len(m.Decorators) > 0 {
				return m.Decorators[0].Span, true
			}
		}
	}
	return syntax.Span{}, false
}

func legacyDecorated(c *syntax.Class) bool {
	_, ok := legacyDecorator(c)
	return ok
}

// legacyClass appends what stands in the place of the declaration of a class
// with decorators; false if the statement is none.
func (l *lowerer) legacyClass(out []syntax.Stmt, st syntax.Stmt) ([]syntax.Stmt, bool) {
	var d *syntax.ClassDeclaration
	var export *syntax.ExportDefaultDeclaration
	switch n := st.(type) {
	case *syntax.ClassDeclaration:
		d = n
	case *syntax.ExportNamedDeclaration:
		if !n.TypeOnly {
			d, _ = n.Declaration.(*syntax.ClassDeclaration)
		}
	case *syntax.ExportDefaultDeclaration:
		if d, _ = n.Declaration.(*syntax.ClassDeclaration); d != nil && d.Class.ID == nil {
			export = n
		}
	}
	if d == nil || d.Declare || !legacyDecorated(d.Class) {
		return out, false
	}
	c := d.Class
	s := at(d.Start)
	name := ""
	if c.ID != nil {
		name = c.ID.Name
	} else {
		name = l.unique("default")
	}
	g := l.legacyHelpers(d.Start)
	block := &syntax.BlockStatement{Span: d.Span, Body: g.body}
	add := func(e syntax.Expr) { block.Body = append(block.Body, exprStmt(e)) }

	// Keys that are computed are computed once, where the class is made.
	var members [2][]syntax.Expr
	for _, m := range c.Members {
		l.cp.step()
		where, _ := legacyDecorator(&syntax.Class{Members: []syntax.ClassMember{m}})
		e, static, ok := l.legacyMember(g, m, name, block)
		if !ok {
			l.fail(where, "Decorators are not valid here.")
			return out, true
		}
		switch {
		case e == nil:
		case static:
			members[1] = append(members[1], e)
		default:
			members[0] = append(members[0], e)
		}
	}
	own := l.legacyList(c.Decorators)
	c.Decorators = nil
	if k := c.Constructor; k != nil && k.Func != nil {
		own = append(own, l.legacyParams(g, k.Func)...)
	}

	c.ID = nil
	l.class(c)
	self := &syntax.Function{Span: s, Kind: syntax.FuncStaticBlock, SimpleParams: true, Strict: true, UsesThis: true, BodySpan: s,
		Body: []syntax.Stmt{exprStmt(assign(s, ident(s, name), &syntax.ThisExpression{Span: s}))}}
	c.Members = append([]syntax.ClassMember{&syntax.StaticBlock{Span: s, Func: self}}, c.Members...)
	c.HasStaticElements = true
	add(assign(s, ident(s, name), &syntax.ClassExpression{Span: c.Span, Class: c}))
	for _, list := range members {
		for _, e := range list {
			add(e)
		}
	}
	if len(own) > 0 {
		add(assign(s, ident(s, name), g.call("$decorate", &syntax.ArrayExpression{Span: s, Elements: own}, ident(s, name))))
	}
	out = append(out, declare(s, syntax.DeclLet, name, nil), block)
	if export != nil {
		export.Declaration, export.Expression = nil, ident(s, name)
		out = append(out, export)
	}
	return out, true
}

// legacyGlue are the functions of one class, under names of its own.
type legacyGlue struct {
	names map[string]string
	body  []syntax.Stmt
	span  syntax.Span
	keys  int
}

func (l *lowerer) legacyHelpers(off int32) *legacyGlue {
	l.fresh++
	n := strconv.Itoa(l.fresh)
	lg := &legacyGlue{names: map[string]string{"$decorate": "%decorate" + n, "$param": "%param" + n}, span: at(off)}
	tree, err := syntax.Parse(l.cp.p.Name, legacyDecoration, syntax.Options{Goal: syntax.Script, Strict: true})
	if err != nil {
		l.fail(lg.span, "the functions that apply decorators can't be read")
		return lg
	}
	(&glue{l: l, names: lg.names}).place(tree, off)
	lg.body = tree.Body
	return lg
}

func (lg *legacyGlue) call(name string, args ...syntax.Expr) syntax.Expr {
	s := lg.span
	return &syntax.CallExpression{Span: s, Callee: ident(s, lg.names[name]), Arguments: args, ArgsStart: s.Start}
}

func (l *lowerer) legacyList(list []*syntax.Decorator) []syntax.Expr {
	var out []syntax.Expr
	for _, d := range list {
		out = append(out, l.expr(d.Expression))
	}
	return out
}

// legacyParams takes the decorators of a function's parameters away from it.
func (l *lowerer) legacyParams(lg *legacyGlue, fn *syntax.Function) []syntax.Expr {
	if fn.Sig == nil {
		return nil
	}
	var out []syntax.Expr
	for i := range fn.Sig.Params {
		for _, e := range l.legacyList(fn.Sig.Params[i].Decorators) {
			out = append(out, lg.call("$param", &syntax.NumericLiteral{Span: lg.span, Value: float64(i)}, e))
		}
		fn.Sig.Params[i].Decorators = nil
	}
	return out
}

// legacyMember makes the call that decorates a member, nil if it has no
// decorators; false if it may have none.
func (l *lowerer) legacyMember(lg *legacyGlue, m syntax.ClassMember, class string, block *syntax.BlockStatement) (call syntax.Expr, static, ok bool) {
	s := lg.span
	var list []syntax.Expr
	var key *syntax.Expr
	computed := false
	var descriptor syntax.Expr = &syntax.NullLiteral{Span: s}
	switch m := m.(type) {
	case *syntax.MethodDefinition:
		if m.Func == nil {
			return nil, false, true
		}
		if m.Kind == syntax.MethodConstructor {
			return nil, false, len(m.Decorators) == 0
		}
		key, computed, static = &m.Key, m.Computed, m.Static
		list = l.legacyList(m.Decorators)
		m.Decorators = nil
		list = append(list, l.legacyParams(lg, m.Func)...)
	case *syntax.PropertyDefinition:
		if len(m.Decorators) == 0 {
			return nil, false, true
		}
		key, computed, static = &m.Key, m.Computed, m.Static
		list = l.legacyList(m.Decorators)
		if !m.Accessor {
			descriptor = &syntax.UnaryExpression{Span: s, Operator: syntax.OpVoid, Argument: &syntax.NumericLiteral{Span: s}}
		}
		if !erasedField(m) {
			m.Decorators = nil
		}
	default:
		return nil, false, true
	}
	if len(list) == 0 {
		return nil, false, true
	}
	var name syntax.Expr
	switch k := (*key).(type) {
	case *syntax.PrivateIdentifier:
		if !computed {
			return nil, false, false
		}
	case *syntax.Identifier:
		if !computed {
			name = &syntax.StringLiteral{Span: s, Value: k.Name}
		}
	case *syntax.StringLiteral:
		name = &syntax.StringLiteral{Span: s, Value: k.Value}
	case *syntax.NumericLiteral:
		name = &syntax.NumericLiteral{Span: s, Value: k.Value}
	case *syntax.BigIntLiteral:
		name = &syntax.StringLiteral{Span: s, Value: keyName(k)}
	}
	if name == nil {
		lg.keys++
		temp := "%computed" + strconv.Itoa(lg.keys)
		block.Body = append(block.Body, declare(s, syntax.DeclLet, temp, nil))
		*key = assign((*key).Range(), ident(s, temp), *key)
		name = ident(s, temp)
	}
	var target syntax.Expr = ident(s, class)
	if !static {
		target = dot(s, class, "prototype")
	}
	return lg.call("$decorate", &syntax.ArrayExpression{Span: s, Elements: list}, target, name, descriptor), static, true
}
