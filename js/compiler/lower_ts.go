package compiler

import (
	"math"
	"strings"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// maxPath bounds the parts of a namespace's name.
const maxPath = 64

// head declares the variable of an enum or namespace where it is declared
// first: with var at the top of a program, so that it is there from the start,
// else with let.
func (l *lowerer) head(out []syntax.Stmt, id *syntax.Identifier, k listKind) []syntax.Stmt {
	if l.env.done[id.Name] {
		return out
	}
	l.env.done[id.Name] = true
	kind := syntax.DeclLet
	if k.top {
		kind = syntax.DeclVar
	}
	return append(out, declare(at(id.Start), kind, id.Name, nil))
}

// wrap makes the call of a function with the object of an enum or namespace:
// (function (E) { body })(E || (E = {})), or with E = P.E || (P.E = {}) for one
// exported from a namespace.
func (l *lowerer) wrap(s syntax.Span, id *syntax.Identifier, param, outer string, strict bool, body []syntax.Stmt) syntax.Stmt {
	fn := &syntax.Function{
		Span: s, Kind: syntax.FuncNormal, Strict: strict || l.cp.p.Strict, SimpleParams: true, UsesThis: true,
		Params: []syntax.Pattern{ident(id.Span, param)}, ParamsSpan: id.Span, Body: body, BodySpan: s,
	}
	from := id.Span
	made := func(to syntax.Pattern) syntax.Expr {
		return assign(from, to, &syntax.ObjectExpression{Span: from})
	}
	or := func(a, b syntax.Expr) syntax.Expr {
		return &syntax.LogicalExpression{Span: from, Operator: syntax.OpLogicalOr, OpPos: from.Start, Left: a, Right: b}
	}
	var arg syntax.Expr
	if outer == "" {
		arg = or(ident(from, id.Name), made(ident(from, id.Name)))
	} else {
		arg = assign(from, ident(from, id.Name), or(dot(from, outer, id.Name), made(dot(from, outer, id.Name))))
	}
	return exprStmt(&syntax.CallExpression{
		Span: s, Callee: &syntax.FunctionExpression{Span: s, Func: fn}, Arguments: []syntax.Expr{arg}, ArgsStart: s.Start,
	})
}

// namespace makes the statement for the part of a namespace's path from i on.
func (l *lowerer) namespace(n *syntax.TSModuleDeclaration, i int, sym *nsSym, outer string) syntax.Stmt {
	id := n.Path[i]
	param := l.object(id.Name)
	l.push().names[param] = ""
	var body []syntax.Stmt
	if i == len(n.Path)-1 {
		body = l.list(n.Body, listKind{vars: true, ns: sym, obj: param})
	} else {
		next := n.Path[i+1]
		f := l.push()
		f.ns, f.obj, f.syms = sym, param, sym.subs
		f.names[next.Name] = ""
		body = append(body,
			declare(at(next.Start), syntax.DeclLet, next.Name, nil),
			l.namespace(n, i+1, sym.sub(next.Name), param))
		l.pop()
	}
	l.pop()
	return l.wrap(n.Span, id, param, outer, n.UseStrict && i == len(n.Path)-1, body)
}

// importEquals makes the variable of import x = A.B, which vanishes when it is
// used as a type only.
func (l *lowerer) importEquals(out []syntax.Stmt, n *syntax.TSImportEqualsDeclaration, k listKind) []syntax.Stmt {
	if n.TypeOnly {
		return out
	}
	var v syntax.Expr
	kind := syntax.DeclVar
	if n.Require != nil {
		if !k.top || l.cp.p.Goal != syntax.Module {
			l.fail(n.Span, "Import declarations in a namespace cannot reference a module.")
			return out
		}
		kind = syntax.DeclConst
		v = required(n)
	} else {
		// Other scripts may use what a script declares.
		shared := k.top && l.cp.p.Goal == syntax.Script
		if !n.Export && !shared && l.words[n.ID.Name] <= l.alias[n.ID.Name] {
			return out
		}
		v = l.expr(n.Path[0])
		for _, id := range n.Path[1:] {
			v = &syntax.MemberExpression{Span: syntax.Span{Start: n.Path[0].Start, End: id.End}, Object: v, Property: id}
		}
	}
	if n.Export && k.ns != nil {
		return append(out, exprStmt(assign(n.Span, dot(n.ID.Span, k.obj, n.ID.Name), v)))
	}
	d := declare(n.ID.Span, kind, n.ID.Name, v)
	d.Span = n.Span
	d.Declarations[0].Span = n.Span
	if n.Export && k.top && l.cp.p.Goal == syntax.Module {
		l.cp.p.LocalExports = append(l.cp.p.LocalExports, syntax.ExportEntry{
			Request: -1, LocalName: n.ID.Name, ExportName: n.ID.Name, Span: n.ID.Span,
		})
	}
	return append(out, d)
}

// required is the value of import x = require("m"), of whose module the parser
// has made an import: "module.exports" in m ? m["module.exports"] : m.
func required(n *syntax.TSImportEqualsDeclaration) syntax.Expr {
	s := n.Require.Span
	m := func() syntax.Expr { return ident(s, syntax.RequireName(n.ID.Name)) }
	if strings.HasSuffix(n.Require.Value, ".json") {
		return m()
	}
	key := func() syntax.Expr { return &syntax.StringLiteral{Span: s, Value: syntax.ModuleExports} }
	has := &syntax.BinaryExpression{Span: s, Operator: syntax.OpIn, OpPos: s.Start, Left: key(), Right: m()}
	return &syntax.ConditionalExpression{Span: s, Test: has, Consequent: index(s, m(), key()), Alternate: m()}
}

// ---- Enums ----

// constValue is the value of a constant expression.
type constValue struct {
	str string
	num float64
	is  byte // 's', 'n', or 0 when it isn't known
}

// enum makes the statement that fills in an enum. A member with a string has no
// reverse mapping; one without an initialiser is one more than the member
// before it.
func (l *lowerer) enum(n *syntax.TSEnumDeclaration, sym *nsSym, outer string) syntax.Stmt {
	param := l.object(n.ID.Name)
	l.push().names[param] = ""
	f := l.push()
	f.enum, f.ns, f.obj = sym, sym, param
	noAwait, noSuper := l.noAwait, l.noSuper
	l.noAwait, l.noSuper = true, true
	var body []syntax.Stmt
	auto, known := 0.0, true
	for _, m := range n.Members {
		var v constValue
		var e syntax.Expr
		stringly := false
		switch {
		case m.Init != nil:
			v = l.constant(m.Init)
			if v.is == 0 {
				stringly = syntacticString(m.Init, 0)
				e = l.expr(m.Init)
			}
		case known:
			v = constValue{num: auto, is: 'n'}
		default:
			zero := &syntax.NumericLiteral{Span: m.Span}
			e = &syntax.UnaryExpression{Span: m.Span, Operator: syntax.OpVoid, Argument: zero}
		}
		if v.num == 0 {
			v.num = 0 // TypeScript writes -0 as 0
		}
		known = v.is == 'n'
		auto = v.num + 1
		sym.values[m.Name] = v
		name := func() *syntax.StringLiteral { return &syntax.StringLiteral{Span: m.Span, Value: m.Name} }
		member := index(m.Span, ident(m.Span, param), name())
		switch v.is {
		case 's':
			body = append(body, exprStmt(assign(m.Span, member, &syntax.StringLiteral{Span: m.Span, Value: v.str})))
			continue
		case 'n':
			e = &syntax.NumericLiteral{Span: m.Span, Value: v.num}
		default:
			if m.Init != nil && stringly {
				body = append(body, exprStmt(assign(m.Span, member, e)))
				continue
			}
		}
		back := index(m.Span, ident(m.Span, param), assign(m.Span, member, e))
		body = append(body, exprStmt(assign(m.Span, back, name())))
	}
	l.noAwait, l.noSuper = noAwait, noSuper
	l.pop()
	l.pop()
	return l.wrap(n.Span, n.ID, param, outer, false, body)
}

// syntacticString reports an initialiser that gives a string whatever its parts
// are, so that the member has no reverse mapping.
func syntacticString(e syntax.Expr, depth int) bool {
	switch n := e.(type) {
	case *syntax.StringLiteral, *syntax.TemplateLiteral:
		return true
	case *syntax.BinaryExpression:
		return n.Operator == syntax.OpAdd && depth < maxConst && (syntacticString(n.Left, depth+1) || syntacticString(n.Right, depth+1))
	}
	return false
}

// maxConst bounds how deep constants may refer to each other.
const maxConst = 200

// constant evaluates a constant enum expression.
func (l *lowerer) constant(e syntax.Expr) (v constValue) {
	if l.constDepth >= maxConst {
		return v
	}
	l.constDepth++
	defer func() { l.constDepth-- }()
	l.cp.step()
	switch n := e.(type) {
	case *syntax.NumericLiteral:
		return constValue{num: n.Value, is: 'n'}
	case *syntax.StringLiteral:
		return constValue{str: n.Value, is: 's'}
	case *syntax.TemplateLiteral:
		s := n.Quasis[0].Cooked
		for i, x := range n.Expressions {
			c := l.constant(x)
			if c.is == 0 {
				return v
			}
			s += c.text() + n.Quasis[i+1].Cooked
			if len(s) > maxConstText {
				return v
			}
		}
		return constValue{str: s, is: 's'}
	case *syntax.UnaryExpression:
		c := l.constant(n.Argument)
		if c.is != 'n' {
			return v
		}
		switch n.Operator {
		case syntax.OpPos:
			return c
		case syntax.OpNeg:
			return constValue{num: -c.num, is: 'n'}
		case syntax.OpBitNot:
			return constValue{num: float64(^conv.ToInt32(c.num)), is: 'n'}
		}
	case *syntax.BinaryExpression:
		return l.constBinary(n)
	case *syntax.Identifier:
		return l.constName(n.Name)
	case *syntax.MemberExpression:
		// E.A, E["A"], N.E.A
		name := ""
		switch p := n.Property.(type) {
		case *syntax.Identifier:
			if !n.Computed {
				name = p.Name
			}
		case *syntax.StringLiteral:
			name = p.Value
		}
		if sym := l.symbol(n.Object, 0); sym != nil && name != "" {
			return sym.values[name]
		}
	}
	return v
}

const maxConstText = 1 << 16

func (v constValue) text() string {
	if v.is == 's' {
		return v.str
	}
	return string(conv.FormatNumber(nil, v.num))
}

// constName is the value of a bare name: a member of the enum, or a const.
func (l *lowerer) constName(name string) (v constValue) {
	f := l.find(name)
	switch {
	case f == nil && name == "NaN":
		return constValue{num: math.NaN(), is: 'n'}
	case f == nil && name == "Infinity":
		return constValue{num: math.Inf(1), is: 'n'}
	case f == nil:
		return v
	case f.enum != nil:
		return f.enum.values[name]
	}
	init := f.consts[name]
	if v, _ := f.value(name); init == nil || v != "" {
		return constValue{}
	}
	// The initialiser's names are those of its own scope.
	saved := l.env
	l.env = f
	v = l.constant(init)
	l.env = saved
	return v
}

// symbol resolves the name of an enum, maybe inside namespaces.
func (l *lowerer) symbol(e syntax.Expr, depth int) *nsSym {
	switch n := e.(type) {
	case *syntax.Identifier:
		for f := l.env; f != nil; f = f.parent {
			if s := f.sym(n.Name); s != nil {
				return s
			}
			if _, ok := f.value(n.Name); ok && f.enum == nil && f.syms != nil {
				return nil
			}
		}
	case *syntax.MemberExpression:
		if p, ok := n.Property.(*syntax.Identifier); ok && !n.Computed && depth < maxPath {
			if s := l.symbol(n.Object, depth+1); s != nil {
				return s.subs[p.Name]
			}
		}
	}
	return nil
}

func (l *lowerer) constBinary(n *syntax.BinaryExpression) (v constValue) {
	a, b := l.constant(n.Left), l.constant(n.Right)
	if a.is == 0 || b.is == 0 {
		return v
	}
	if a.is == 's' || b.is == 's' {
		if n.Operator != syntax.OpAdd || len(a.str)+len(b.str) > maxConstText {
			return v
		}
		return constValue{str: a.text() + b.text(), is: 's'}
	}
	x, y := a.num, b.num
	i, j := conv.ToInt32(x), conv.ToUint32(y)
	v.is = 'n'
	switch n.Operator {
	case syntax.OpAdd:
		v.num = x + y
	case syntax.OpSub:
		v.num = x - y
	case syntax.OpMul:
		v.num = x * y
	case syntax.OpDiv:
		v.num = x / y
	case syntax.OpMod:
		v.num = math.Mod(x, y)
	case syntax.OpExp:
		v.num = conv.Pow(x, y)
	case syntax.OpBitAnd:
		v.num = float64(i & int32(j))
	case syntax.OpBitOr:
		v.num = float64(i | int32(j))
	case syntax.OpBitXor:
		v.num = float64(i ^ int32(j))
	case syntax.OpShl:
		v.num = float64(i << (j & 31))
	case syntax.OpShr:
		v.num = float64(i >> (j & 31))
	case syntax.OpUShr:
		v.num = float64(uint32(i) >> (j & 31))
	default:
		v.is = 0
	}
	return v
}

// ---- Parameter properties ----

// parameterProperties declares a field for each parameter property and assigns
// them at the constructor's start, or behind its super call.
func (l *lowerer) parameterProperties(c *syntax.Class) {
	if c.Constructor == nil || c.Constructor.Func == nil || c.Constructor.Func.Sig == nil {
		return
	}
	fn := c.Constructor.Func
	var fields []syntax.ClassMember
	var body []syntax.Stmt
	for i, t := range fn.Sig.Params {
		if t.Accessibility|t.Modifiers == 0 || i >= len(fn.Params) {
			continue
		}
		fn.Sig.Params[i].Accessibility, fn.Sig.Params[i].Modifiers = 0, 0
		p := fn.Params[i]
		if d, ok := p.(*syntax.AssignmentPattern); ok {
			p = d.Left
		}
		id, ok := p.(*syntax.Identifier)
		if !ok {
			l.fail(p.Range(), "A parameter property may not be declared using a binding pattern")
			return
		}
		s := at(fn.Params[i].Range().End)
		to := &syntax.MemberExpression{Span: s, Object: &syntax.ThisExpression{Span: s}, Property: ident(s, id.Name)}
		body = append(body, exprStmt(assign(s, to, ident(s, id.Name))))
		fields = append(fields, &syntax.PropertyDefinition{Span: id.Span, Key: ident(id.Span, id.Name)})
	}
	if len(fields) == 0 {
		return
	}
	c.Members = append(fields, c.Members...)
	c.HasInstanceFields = true
	fn.UsesThis = true
	if c.SuperClass == nil {
		i := 0
		for i < len(fn.Body) {
			if e, ok := fn.Body[i].(*syntax.ExpressionStatement); !ok || !e.Directive {
				break
			}
			i++
		}
		fn.Body = insert(fn.Body, i, body)
		return
	}
	list := &fn.Body
	for {
		i := superCall(*list)
		if i < 0 {
			l.fail(c.Constructor.Span, "A 'super' call must be a root-level statement within a constructor of a derived class that contains parameter properties")
			return
		}
		t, ok := (*list)[i].(*syntax.TryStatement)
		if !ok {
			*list = insert(*list, i+1, body)
			return
		}
		list = &t.Block.Body
	}
}

// superCall finds the statement that is a super call or a try block with one.
func superCall(list []syntax.Stmt) int { //meter: as deep as the tree, which the parser bounds
	for i, s := range list {
		switch s := s.(type) {
		case *syntax.ExpressionStatement:
			if call, ok := erase(s.Expression).(*syntax.CallExpression); ok {
				if _, ok := call.Callee.(*syntax.Super); ok {
					return i
				}
			}
		case *syntax.TryStatement:
			if superCall(s.Block.Body) >= 0 {
				return i
			}
		}
	}
	return -1
}

func insert(list []syntax.Stmt, i int, more []syntax.Stmt) []syntax.Stmt {
	out := make([]syntax.Stmt, 0, len(list)+len(more))
	out = append(out, list[:i]...)
	out = append(out, more...)
	return append(out, list[i:]...)
}
