package compiler

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// How V8's messages quote an expression: names, members and operators as they
// are written, calls as f(...), and "(intermediate value)" for whatever has no
// name. Most of what is called or iterated is a plain chain of names, whose
// source text serves; the rest is written out here.

const (
	maxText      = 200 // of a quoted expression
	maxTextDepth = 40
	textUnknown  = "(intermediate value)"
)

// note records for the instruction at pc the text of the expression it calls,
// constructs, iterates or destructures.
func (g *gen) note(pc int32, e syntax.Expr, iterated bool) {
	e = erase(e)
	s := bytecode.Span{PC: pc}
	if iterated {
		if _, ok := e.(*syntax.CallExpression); ok {
			s.Call = true
		}
	}
	if plainChain(e) {
		r := e.Range()
		s.Start, s.End = r.Start, r.End
	} else {
		p := printer{iterated: iterated}
		p.expr(e, 0)
		g.f.Texts = append(g.f.Texts, p.b.String())
		s.Text = int32(len(g.f.Texts))
	}
	g.f.Spans = append(g.f.Spans, s)
}

// noteCall is note for a call.
func (g *gen) noteCall(pc int32, n *syntax.CallExpression) {
	if g.iterated != n {
		g.note(pc, n.Callee, false)
		return
	}
	g.iterated = nil
	g.note(pc, n.Callee, true)
	g.f.Spans[len(g.f.Spans)-1].Call = true
}

// brand records for an access at pc that a private name is a method or accessor
// of a class: messages name the class.
func (g *gen) brand(pc int32, name string) {
	if b := g.static("#" + name); b != nil && b.brand != "" {
		g.f.Texts = append(g.f.Texts, b.brand)
		g.f.Spans = append(g.f.Spans, bytecode.Span{PC: pc, Text: int32(len(g.f.Texts))})
	}
}

// iterates notes that the value of an expression which is compiled next is
// iterated.
func (g *gen) iterates(e syntax.Expr) {
	if c, ok := erase(e).(*syntax.CallExpression); ok {
		g.iterated = c
	}
}

// plainChain reports an expression whose source text is what a message quotes:
// names joined by dots with nothing between them.
func plainChain(e syntax.Expr) bool {
	for range maxTextDepth {
		switch n := e.(type) {
		case *syntax.Identifier, *syntax.ThisExpression:
			r := e.Range()
			id, ok := n.(*syntax.Identifier)
			return !ok || int(r.End-r.Start) == len(id.Name)
		case *syntax.MemberExpression:
			p, ok := n.Property.(*syntax.Identifier)
			r := n.Object.Range()
			if n.Computed || n.Optional || !ok || p.Start != r.End+1 || p.End != n.End || int(p.End-p.Start) != len(p.Name) {
				return false
			}
			e = n.Object
		default:
			return false
		}
	}
	return false
}

// printer writes an expression the way V8's messages do.
type printer struct {
	b        strings.Builder
	iterated bool
}

func (p *printer) put(s string) {
	if p.b.Len()+len(s) > maxText {
		if !strings.HasSuffix(p.b.String(), "…") {
			p.b.WriteString("…")
		}
		return
	}
	p.b.WriteString(s)
}

func (p *printer) list(es []syntax.Expr, sep string, depth int) {
	for i, e := range es {
		if i > 0 {
			p.put(sep)
		}
		if e != nil {
			p.expr(e, depth)
		}
		if p.b.Len() >= maxText-1 {
			p.put("…")
			return
		}
	}
}

func (p *printer) expr(e syntax.Expr, depth int) {
	depth++
	if depth > maxTextDepth {
		p.put(textUnknown)
		return
	}
	switch n := erase(e).(type) {
	case *syntax.Identifier:
		p.put(n.Name)
	case *syntax.ThisExpression:
		p.put("this")
	case *syntax.NumericLiteral:
		p.put(numberName(n.Value))
	case *syntax.StringLiteral:
		p.put("\"" + n.Value + "\"")
	case *syntax.BigIntLiteral:
		p.put(keyName(n))
	case *syntax.BooleanLiteral:
		if n.Value {
			p.put("true")
		} else {
			p.put("false")
		}
	case *syntax.NullLiteral:
		p.put("null")
	case *syntax.RegExpLiteral:
		p.put("/" + n.Pattern + "/" + n.Flags)
	case *syntax.TemplateLiteral:
		if len(n.Expressions) == 0 && len(n.Quasis) == 1 {
			p.put("\"" + n.Quasis[0].Cooked + "\"")
			return
		}
		p.list(n.Expressions, "", depth)
	case *syntax.ArrayExpression:
		p.put("[")
		p.list(n.Elements, ",", depth)
		p.put("]")
	case *syntax.SpreadElement:
		p.put("(...")
		p.expr(n.Argument, depth)
		p.put(")")
	case *syntax.ObjectExpression:
		p.put("{")
		for range n.Properties {
			if p.b.Len() >= maxText-1 {
				break
			}
			p.put(textUnknown)
		}
		p.put("}")
	case *syntax.MemberExpression:
		p.member(n, depth)
	case *syntax.CallExpression:
		p.expr(n.Callee, depth)
		p.call()
	case *syntax.TaggedTemplateExpression:
		p.expr(n.Tag, depth)
		p.call()
	case *syntax.ImportExpression:
		p.put("ImportCall(")
		p.expr(n.Source, depth)
		p.put(")")
	case *syntax.UnaryExpression:
		if v, ok := n.Argument.(*syntax.NumericLiteral); ok && n.Operator == syntax.OpNeg {
			p.put(numberName(-v.Value))
			return
		}
		p.put("(" + n.Operator.String())
		switch n.Operator {
		case syntax.OpTypeof, syntax.OpVoid, syntax.OpDelete:
			p.put(" ")
		}
		p.expr(n.Argument, depth)
		p.put(")")
	case *syntax.UpdateExpression:
		p.put("(")
		if n.Prefix {
			p.put(n.Operator.String())
		}
		if a, ok := n.Argument.(syntax.Expr); ok {
			p.expr(a, depth)
		}
		if !n.Prefix {
			p.put(n.Operator.String())
		}
		p.put(")")
	case *syntax.BinaryExpression:
		if v, ok := fold(n); ok {
			p.put(numberName(v))
			return
		}
		p.put("(")
		p.operands(n, n.Operator, depth)
		p.put(")")
	case *syntax.LogicalExpression:
		p.put("(")
		p.expr(n.Left, depth)
		p.put(" " + n.Operator.String() + " ")
		p.expr(n.Right, depth)
		p.put(")")
	case *syntax.SequenceExpression:
		p.put("(")
		p.list(n.Expressions, " , ", depth)
		p.put(")")
	case *syntax.ConditionalExpression:
		p.put(textUnknown + textUnknown + textUnknown)
	case *syntax.AssignmentExpression:
		if id, ok := n.Left.(*syntax.Identifier); ok {
			p.put(id.Name)
		} else {
			p.put(textUnknown)
		}
	default:
		p.put(textUnknown)
	}
}

// operands writes a chain of one binary operator without inner parentheses.
func (p *printer) operands(n *syntax.BinaryExpression, op syntax.Op, depth int) {
	depth++
	if l, ok := erase(n.Left).(*syntax.BinaryExpression); ok && l.Operator == op && depth < maxTextDepth {
		p.operands(l, op, depth)
	} else if _, ok := n.Left.(*syntax.PrivateIdentifier); ok {
		p.put(textUnknown)
	} else {
		p.expr(n.Left, depth)
	}
	p.put(" " + op.String() + " ")
	p.expr(n.Right, depth)
}

func (p *printer) call() {
	if !p.iterated {
		p.put("(...)")
	}
}

func (p *printer) member(n *syntax.MemberExpression, depth int) {
	if _, ok := n.Object.(*syntax.Super); ok {
		p.put(textUnknown)
	} else {
		p.expr(n.Object, depth)
	}
	dot := "."
	if n.Optional {
		dot = "?."
	}
	switch k := n.Property.(type) {
	case *syntax.Identifier:
		if !n.Computed {
			p.put(dot + k.Name)
			return
		}
	case *syntax.PrivateIdentifier:
		if n.Optional {
			p.put("?.")
		}
		p.put("[#" + k.Name + "]")
		return
	case *syntax.StringLiteral:
		p.put(dot + k.Value)
		return
	case *syntax.TemplateLiteral:
		if len(k.Expressions) == 0 && len(k.Quasis) == 1 {
			p.put(dot + k.Quasis[0].Cooked)
			return
		}
	}
	if n.Optional {
		p.put("?.")
	}
	p.put("[")
	p.expr(n.Property, depth)
	p.put("]")
}

// Marks in the message of CheckObjectCoercible, which the interpreter replaces
// by "undefined" or "null", and by that with the type in front.
const (
	markValue = "\x00"
	markSite  = "\x01"
)

// hiddenFor and hiddenCatch are the variables that V8 takes the values of loops
// and exceptions apart from: its messages name them.
const (
	hiddenFor   = ".for"
	hiddenCatch = ".catch"
)

// hiddenVar stands for one of them as the source of a pattern.
func hiddenVar(name string, p syntax.Pattern) syntax.Expr {
	at := p.Range().Start
	return &syntax.Identifier{Span: syntax.Span{Start: at, End: at}, Name: name}
}

// notCoercible is V8's message for a pattern that meets undefined or null. from
// is the expression that was destructured, if the message quotes it; nested
// patterns read a property instead.
func notCoercible(p *syntax.ObjectPattern, from syntax.Expr, nested bool) string {
	name, named := "", false
	if len(p.Properties) > 0 && !p.Properties[0].Computed {
		name, named = keyName(p.Properties[0].Key), true
	}
	if named {
		if _, def, _ := splitTarget(p.Properties[0].Value); def != nil {
			nested = true // with a default the message isn't about the pattern
		}
	}
	if nested && named {
		return "Cannot read properties of " + markValue + " (reading '" + name + "')"
	}
	what := markSite
	if from != nil {
		var pr printer
		pr.expr(from, 0)
		what = pr.b.String()
	}
	if named {
		return "Cannot destructure property '" + name + "' of '" + what + "' as it is " + markValue + "."
	}
	return "Cannot destructure '" + what + "' as it is " + markValue + "."
}
