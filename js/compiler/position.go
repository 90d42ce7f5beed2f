package compiler

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// Every instruction has two places: the one that a report points at, and the
// one that V8 gives in a stack, which may be an operator, a parenthesis, the
// beginning of the statement, or whatever came before.

// at sets the source offset of the instructions that follow.
func (g *gen) at(off int32) { g.atAs(off, off) }

// atAs is at with the offset that a stack shows.
func (g *gen) atAs(off, stack int32) {
	g.curStack = stack
	if off == g.lastOff && stack == g.lastStack {
		return
	}
	g.lastOff, g.lastStack = off, stack
	ps := g.f.Positions
	if n := len(ps); n > 0 && ps[n-1].PC == g.pc() {
		ps[n-1].Offset, ps[n-1].Stack = off, stack
		return
	}
	g.f.Positions = append(ps, bytecode.Position{PC: g.pc(), Offset: off, Stack: stack})
}

// near is at for what V8 gives no place of its own: a stack shows the one set
// last.
func (g *gen) near(off int32) {
	if g.curStack < 0 {
		g.curStack = g.f.Start
	}
	g.atAs(off, g.curStack)
}

// begin notes where a statement is. Its first instruction is there, if it loads
// a variable, for a stack.
func (g *gen) begin(off int32) { g.curStack, g.stmtPC, g.stmtOff = off, g.pc(), off }

// atVar is at for the load of a variable.
func (g *gen) atVar(off int32) {
	if g.stmtPC == g.pc() {
		g.atAs(off, g.stmtOff)
		return
	}
	g.at(off)
}

// exprPos is where V8 says an expression is.
func (g *gen) exprPos(e syntax.Expr) int32 {
	switch n := erase(e).(type) {
	case *syntax.MemberExpression:
		return g.memberPos(n)
	case *syntax.CallExpression:
		return g.callPos(n)
	case *syntax.BinaryExpression:
		return n.OpPos
	case *syntax.LogicalExpression:
		return n.OpPos
	case *syntax.AssignmentExpression:
		return n.OpPos
	case *syntax.TaggedTemplateExpression:
		return n.Quasi.Start
	case *syntax.UpdateExpression:
		return updatePos(n)
	case *syntax.ConditionalExpression:
		return n.Consequent.Range().Start
	case *syntax.ChainExpression:
		switch e := n.Expression.(type) {
		case *syntax.MemberExpression:
			return g.memberPos(e)
		case *syntax.CallExpression:
			return g.callPos(e)
		}
	}
	return e.Range().Start
}

func updatePos(n *syntax.UpdateExpression) int32 {
	if n.Prefix {
		return n.Start
	}
	return n.End - 2
}

// targetPos is exprPos for the target of an assignment.
func (g *gen) targetPos(n syntax.Node) int32 {
	if e, ok := n.(syntax.Expr); ok {
		return g.exprPos(e)
	}
	return n.Range().Start
}

// memberPos is where V8 says that a property is read: at its name in a chain of
// members, at the dot or bracket in front of it where that chain has a call
// before it or the key is computed.
func (g *gen) memberPos(m *syntax.MemberExpression) int32 {
	key := m.Property.Range().Start
	switch {
	case m.Computed:
		return g.before(key, '[')
	case m.Optional:
		return g.before(key, '?')
	case g.afterCall(m.Object):
		return g.before(key, '.')
	}
	return key
}

// afterCall reports a chain that has a call or an optional link in it.
func (g *gen) afterCall(e syntax.Expr) bool {
	for range maxTextDepth {
		if g.parenthesized(e) {
			return false
		}
		switch n := erase(e).(type) {
		case *syntax.CallExpression:
			_, super := n.Callee.(*syntax.Super)
			return !super
		case *syntax.MemberExpression:
			if n.Optional {
				return true
			}
			e = n.Object
		default:
			return false
		}
	}
	return false
}

// parenthesized reports whether a closing parenthesis follows an expression.
func (g *gen) parenthesized(e syntax.Expr) bool {
	src := g.cp.p.Source
	for i := int(e.Range().End); i >= 0 && i < len(src); i++ {
		switch src[i] {
		case ' ', '\t', '\n', '\r':
			continue
		}
		return src[i] == ')'
	}
	return false
}

// before finds c in front of an offset, or gives the offset.
func (g *gen) before(off int32, c byte) int32 {
	src := g.cp.p.Source
	if off < 0 || int(off) > len(src) {
		return off
	}
	from := max(0, int(off)-maxText)
	if i := strings.LastIndexByte(src[from:off], c); i >= 0 {
		return int32(from + i)
	}
	return off
}

// tokenBefore is where the last character in front of an offset is.
func (g *gen) tokenBefore(off int32) int32 {
	src := g.cp.p.Source
	for i := int(off) - 1; i >= 0 && i < len(src); i-- {
		switch src[i] {
		case ' ', '\t', '\n', '\r':
			continue
		}
		return int32(i)
	}
	return off
}

// callPos is where V8 says that a call is: at the name in front of the
// parenthesis, or else at the parenthesis.
func (g *gen) callPos(n *syntax.CallExpression) int32 {
	paren := n.ArgsStart
	if paren <= n.Start || n.Optional {
		return max(paren, n.Start)
	}
	if last := g.tokenBefore(paren); g.cp.p.Source[last] == ')' || g.cp.p.Source[last] == ']' {
		return paren
	}
	switch c := erase(n.Callee).(type) {
	case *syntax.Identifier:
		return c.Start
	case *syntax.MemberExpression:
		if id, ok := c.Property.(*syntax.Identifier); ok && !c.Computed && !reservedWords[id.Name] {
			return id.Start
		}
	case *syntax.ChainExpression:
		if m, ok := c.Expression.(*syntax.MemberExpression); ok {
			if id, ok := m.Property.(*syntax.Identifier); ok && !m.Computed && !reservedWords[id.Name] {
				return id.Start
			}
		}
	}
	return paren
}

// reservedWords are the names after which V8 puts a call at the parenthesis.
var reservedWords = map[string]bool{
	"break": true, "case": true, "catch": true, "class": true, "const": true, "continue": true, "debugger": true,
	"default": true, "delete": true, "do": true, "else": true, "enum": true, "export": true, "extends": true,
	"false": true, "finally": true, "for": true, "function": true, "if": true, "import": true, "in": true,
	"instanceof": true, "new": true, "null": true, "return": true, "switch": true, "this": true, "throw": true,
	"true": true, "try": true, "typeof": true, "var": true, "void": true, "while": true, "with": true,
}

// infer gives functions in e that have no name the one that a stack shows.
func (g *gen) infer(e syntax.Expr, name string) { //meter: as deep as the tree, which the parser bounds
	for range maxTextDepth {
		switch n := erase(e).(type) {
		case *syntax.FunctionExpression:
			if n.Func.ID == nil {
				g.funcOf(n.Func).inferred = name
			}
		case *syntax.ArrowFunctionExpression:
			g.funcOf(n.Func).inferred = name
		case *syntax.ClassExpression:
			if n.Class.ID == nil {
				if ci := g.cp.an.class[n.Class]; ci != nil {
					ci.ctor.inferred = name
				}
			}
		case *syntax.LogicalExpression:
			e = n.Right
			continue
		case *syntax.ConditionalExpression:
			g.infer(n.Consequent, name)
			e = n.Alternate
			continue
		case *syntax.ArrayExpression:
			for _, x := range n.Elements {
				switch x.(type) {
				case *syntax.FunctionExpression, *syntax.ArrowFunctionExpression:
					g.infer(x, name)
				}
			}
		}
		return
	}
}

// inferable reports expressions that infer looks into.
func inferable(e syntax.Expr) bool {
	switch erase(e).(type) {
	case *syntax.FunctionExpression, *syntax.ArrowFunctionExpression, *syntax.ClassExpression,
		*syntax.LogicalExpression, *syntax.ConditionalExpression, *syntax.ArrayExpression:
		return true
	}
	return false
}

// memberName is what a stack calls a function that is assigned to a member: the
// names on the way to it. In a function with a capital letter, which may be a
// constructor, that comes first.
func (g *gen) memberName(m *syntax.MemberExpression) string {
	var parts []string
	var e syntax.Expr = m
	for len(parts) < maxTextDepth {
		n, ok := erase(e).(*syntax.MemberExpression)
		if !ok {
			break
		}
		switch k := n.Property.(type) {
		case *syntax.Identifier:
			if n.Computed {
				parts = append(parts, "<computed>")
			} else if k.Name != "prototype" {
				parts = append(parts, k.Name)
			}
		case *syntax.StringLiteral:
			parts = append(parts, k.Value)
		case *syntax.PrivateIdentifier:
			parts = append(parts, "#"+k.Name)
		default:
			parts = append(parts, "<computed>")
		}
		e = n.Object
	}
	if id, ok := erase(e).(*syntax.Identifier); ok {
		parts = append(parts, id.Name)
	}
	if fi := g.fi.owner(); fi.node != nil && fi.name != "" && fi.name[0] >= 'A' && fi.name[0] <= 'Z' {
		parts = append(parts, fi.name)
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		if b.Len()+len(parts[i]) > maxText {
			break
		}
		b.WriteString(parts[i])
		if i > 0 {
			b.WriteByte('.')
		}
	}
	return b.String()
}
