package compiler

import "github.com/pinfold-js/pinfold/js/syntax"

func (l *lowerer) exprs(list []syntax.Expr) {
	for i, e := range list {
		if e != nil {
			list[i] = l.expr(e)
		}
	}
}

// expr rewrites an expression and returns what stands in its place.
func (l *lowerer) expr(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	l.cp.step()
	switch n := e.(type) {
	case *syntax.Identifier:
		if h, ok := l.holes[n.Name]; ok {
			return l.expr(h)
		}
		if m := l.property(n); m != nil {
			return m
		}
	case *syntax.TemplateLiteral:
		l.exprs(n.Expressions)
	case *syntax.TaggedTemplateExpression:
		n.Tag = l.expr(n.Tag)
		l.exprs(n.Quasi.Expressions)
	case *syntax.Super:
		if l.noSuper {
			l.fail(n.Span, "'super' keyword unexpected here")
		}
	case *syntax.ArrayExpression:
		l.exprs(n.Elements)
	case *syntax.SpreadElement:
		n.Argument = l.expr(n.Argument)
	case *syntax.ObjectExpression:
		for _, p := range n.Properties {
			if p.Computed {
				p.Key = l.expr(p.Key)
			}
			v := l.expr(p.Value)
			if v != p.Value {
				p.Shorthand = false
			}
			p.Value = v
		}
	case *syntax.FunctionExpression:
		l.function(n.Func, true)
	case *syntax.ArrowFunctionExpression:
		l.function(n.Func, false)
	case *syntax.ClassExpression:
		if l.legacy {
			if s, ok := legacyDecorator(n.Class); ok {
				l.fail(s, "Decorators are not valid here.")
			}
		} else if decorated(n.Class) {
			return l.decoratedClass(n.Class, "")
		}
		l.class(n.Class)
	case *syntax.ImportExpression:
		n.Source = l.expr(n.Source)
		n.Options = l.expr(n.Options)
	case *syntax.UnaryExpression:
		n.Argument = l.expr(n.Argument)
	case *syntax.UpdateExpression:
		n.Argument = l.pattern(n.Argument, false)
	case *syntax.BinaryExpression:
		n.Left, n.Right = l.expr(n.Left), l.expr(n.Right)
	case *syntax.LogicalExpression:
		n.Left, n.Right = l.expr(n.Left), l.expr(n.Right)
	case *syntax.AssignmentExpression:
		n.Left = l.pattern(n.Left, false)
		n.Right = l.expr(n.Right)
	case *syntax.ConditionalExpression:
		n.Test, n.Consequent, n.Alternate = l.expr(n.Test), l.expr(n.Consequent), l.expr(n.Alternate)
	case *syntax.SequenceExpression:
		l.exprs(n.Expressions)
	case *syntax.CallExpression:
		n.Callee = l.expr(n.Callee)
		l.exprs(n.Arguments)
	case *syntax.NewExpression:
		n.Callee = l.expr(n.Callee)
		l.exprs(n.Arguments)
	case *syntax.MemberExpression:
		n.Object = l.expr(n.Object)
		if n.Computed {
			n.Property = l.expr(n.Property)
		}
	case *syntax.ChainExpression:
		n.Expression = l.expr(n.Expression)
	case *syntax.YieldExpression:
		if l.noAwait {
			l.fail(n.Span, "Yield expression not allowed here")
		}
		n.Argument = l.expr(n.Argument)
	case *syntax.AwaitExpression:
		if l.noAwait {
			l.fail(n.Span, "await is not allowed here")
		}
		n.Argument = l.expr(n.Argument)
	case *syntax.TSAsExpression:
		n.Expression = l.expr(n.Expression)
	case *syntax.TSSatisfiesExpression:
		n.Expression = l.expr(n.Expression)
	case *syntax.TSNonNullExpression:
		n.Expression = l.expr(n.Expression)
	case *syntax.TSTypeAssertion:
		n.Expression = l.expr(n.Expression)
	case *syntax.TSInstantiationExpression:
		n.Expression = l.expr(n.Expression)
	}
	return e
}

// property returns the member access that a bare name of a namespace's or
// enum's member stands for, or nil.
func (l *lowerer) property(id *syntax.Identifier) *syntax.MemberExpression {
	f := l.find(id.Name)
	if f == nil {
		return nil
	}
	obj, _ := f.value(id.Name)
	if obj == "" {
		return nil
	}
	return &syntax.MemberExpression{Span: id.Span, Object: ident(id.Span, obj), Property: ident(id.Span, id.Name)}
}

// pattern rewrites a target. decl: its names are being declared.
func (l *lowerer) pattern(p syntax.Pattern, decl bool) syntax.Pattern {
	l.cp.step()
	switch n := p.(type) {
	case *syntax.Identifier:
		if !decl {
			if m := l.property(n); m != nil {
				return m
			}
		}
	case *syntax.AssignmentPattern:
		n.Left = l.pattern(n.Left, decl)
		n.Right = l.expr(n.Right)
	case *syntax.RestElement:
		n.Argument = l.pattern(n.Argument, decl)
	case *syntax.ArrayPattern:
		for i, e := range n.Elements {
			if e != nil {
				n.Elements[i] = l.pattern(e, decl)
			}
		}
	case *syntax.ObjectPattern:
		for _, q := range n.Properties {
			if q.Computed {
				q.Key = l.expr(q.Key)
			}
			q.Value = l.pattern(q.Value, decl)
			if q.Shorthand {
				v := q.Value
				if a, ok := v.(*syntax.AssignmentPattern); ok {
					v = a.Left
				}
				_, q.Shorthand = v.(*syntax.Identifier)
			}
		}
		if n.Rest != nil {
			n.Rest.Argument = l.pattern(n.Rest.Argument, decl)
		}
	case *syntax.TSAsExpression, *syntax.TSSatisfiesExpression, *syntax.TSNonNullExpression, *syntax.TSTypeAssertion,
		*syntax.MemberExpression, *syntax.CallExpression:
		l.expr(p.(syntax.Expr))
	}
	return p
}

// function rewrites a function. expr: it binds its own name.
func (l *lowerer) function(f *syntax.Function, expr bool) {
	env, noAwait, noSuper := l.env, l.noAwait, l.noSuper
	l.noAwait = l.made[f]
	if f.Kind != syntax.FuncArrow {
		l.noSuper = false
	}
	s := l.push()
	if expr && f.ID != nil {
		s.names[f.ID.Name] = ""
	}
	if f.Kind != syntax.FuncArrow {
		s.names["arguments"] = ""
	}
	for _, p := range f.Params {
		boundNames(p, func(id *syntax.Identifier) { s.names[id.Name] = "" })
	}
	for i, p := range f.Params {
		f.Params[i] = l.pattern(p, true)
	}
	if f.Sig != nil {
		for i := range f.Sig.Params {
			if d := f.Sig.Params[i].Decorators; len(d) > 0 {
				l.refuse(d[0].Span, "parameter decorator")
			}
		}
	}
	if f.ExprBody != nil {
		f.ExprBody = l.expr(f.ExprBody)
	} else {
		f.Body = l.list(f.Body, listKind{vars: true})
	}
	l.env, l.noAwait, l.noSuper = env, noAwait, noSuper
}

// class rewrites a class without decorators of its own.
func (l *lowerer) class(c *syntax.Class) {
	l.push()
	if c.ID != nil {
		l.env.names[c.ID.Name] = ""
	}
	c.SuperClass = l.expr(c.SuperClass)
	for _, m := range c.Members {
		l.cp.step()
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if m.Func == nil {
				continue
			}
			if m.Computed {
				m.Key = l.expr(m.Key)
			}
			l.function(m.Func, false)
		case *syntax.PropertyDefinition:
			if erasedField(m) {
				continue
			}
			if m.Computed {
				m.Key = l.expr(m.Key)
			}
			if m.Init != nil {
				l.function(m.Init, false)
			}
		case *syntax.StaticBlock:
			l.function(m.Func, false)
		}
	}
	l.parameterProperties(c)
	l.pop()
}
