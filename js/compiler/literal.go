package compiler

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// numberName is Number::toString (6.1.6.1.20) in base 10.
func numberName(v float64) string { //meter: once: the absolute value is not negative
	switch {
	case v != v:
		return "NaN"
	case v == 0:
		return "0"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	case v < 0:
		return "-" + numberName(-v)
	}
	s := strconv.FormatFloat(v, 'e', -1, 64)
	mant, exp, _ := strings.Cut(s, "e")
	digits := strings.Replace(mant, ".", "", 1)
	e, _ := strconv.Atoi(exp)
	n, k := e+1, len(digits)
	switch {
	case k <= n && n <= 21:
		return digits + strings.Repeat("0", n-k)
	case 0 < n && n <= 21:
		return digits[:n] + "." + digits[n:]
	case -6 < n && n <= 0:
		return "0." + strings.Repeat("0", -n) + digits
	}
	sign := "+"
	if e < 0 {
		sign, e = "-", -e
	}
	if k > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return digits + "e" + sign + strconv.Itoa(e)
}

// keyName returns the property name of a key that isn't computed.
func keyName(key syntax.Expr) string {
	switch k := key.(type) {
	case *syntax.Identifier:
		return k.Name
	case *syntax.StringLiteral:
		return k.Value
	case *syntax.NumericLiteral:
		return numberName(k.Value)
	case *syntax.BigIntLiteral:
		if n, ok := new(big.Int).SetString(k.Digits, 0); ok {
			return n.String()
		}
		return k.Digits
	case *syntax.PrivateIdentifier:
		return "#" + k.Name
	}
	return ""
}

// loadKey loads a property name as a key.
func (g *gen) loadKey(dst uint16, name string) {
	if indexName(name) {
		if v, err := strconv.ParseInt(name, 10, 32); err == nil {
			g.loadInt(dst, int(v))
			return
		}
	}
	g.loadStr(dst, name)
}

// defineField defines an own property of an object literal or instance.
func (g *gen) defineField(obj uint16, name string, v uint16) {
	if !indexName(name) && len(g.icList) < maxICs/2 {
		g.op(bytecode.InitField, obj, v, g.icIniting(name))
		return
	}
	mark := g.top
	k := g.reg()
	g.loadKey(k, name)
	g.op(bytecode.InitElem, obj, k, v)
	g.top = mark
}

func (g *gen) array(list []syntax.Expr, dst uint16) { g.elements(list, dst, false) }

// elements makes an array of elements or of the arguments of a call.
func (g *gen) elements(list []syntax.Expr, dst uint16, args bool) {
	only := uint16(0)
	if args {
		only = 1
		for i, e := range list {
			if _, ok := e.(*syntax.SpreadElement); ok != (i == len(list)-1) {
				only = 0
			}
		}
	}
	spread := g.spreadOff
	first := g.stmtPC == g.pc()
	g.wide(bytecode.NewArray, dst, uint32(len(list)))
	if first && len(list) > 0 {
		if _, ok := list[0].(*syntax.SpreadElement); ok && !args {
			g.stmtPC = g.pc()
		}
	}
	mark := g.top
	for _, e := range list {
		switch n := e.(type) {
		case nil:
			g.op(bytecode.ArrayHole, dst, 0, 0)
		case *syntax.SpreadElement:
			if !args {
				g.iterates(n.Argument)
			}
			r := g.any(n.Argument)
			stack := g.exprPos(n.Argument)
			if only == 1 {
				stack = spread
			}
			g.atAs(n.Argument.Range().Start, stack)
			pc := g.op(bytecode.ArraySpread, dst, r, only)
			if !args || only == 1 {
				g.note(pc, n.Argument, true)
			}
		default:
			g.op(bytecode.ArrayPush, dst, g.any(e), 0)
			g.traceExpr(bytecode.OperandResult, e)
		}
		g.top = mark
	}
}

func (g *gen) object(n *syntax.ObjectExpression, dst uint16) {
	outer := g.scope
	mark := g.top
	home := g.cp.an.scopes[n]
	if home != nil {
		g.enter(home)
	}
	g.op(bytecode.NewObject, dst, 0, 0)
	g.traceExpr(bytecode.OperandResult, n)
	if home != nil {
		if b := home.find(hidHome); b.captured {
			g.writeSlot(dst, b, false)
		}
	}
	inner := g.top
	for _, p := range n.Properties {
		g.property(p, dst)
		g.top = inner
	}
	g.top = mark
	g.scope = outer
}

func (g *gen) property(p *syntax.Property, obj uint16) {
	if p.Kind == syntax.PropSpread {
		r := g.any(p.Value)
		g.near(p.Value.Range().Start)
		g.op(bytecode.CopyProps, obj, r, 0)
		return
	}
	if p.Proto {
		r := g.any(p.Value)
		g.op(bytecode.InitProto, obj, r, 0)
		return
	}
	if !p.Computed {
		name := keyName(p.Key)
		switch p.Kind {
		case syntax.PropInit, syntax.PropMethod:
			if !anonymous(p.Value) {
				g.defineField(obj, name, g.any(p.Value))
				g.traceExpr(bytecode.OperandResult, p.Key)
				return
			}
			v := g.reg()
			g.named(p.Value, v, name)
			g.defineField(obj, name, v)
		default:
			prefix, op := "get ", bytecode.InitGetter
			if p.Kind == syntax.PropSet {
				prefix, op = "set ", bytecode.InitSetter
			}
			k, v := g.reg(), g.reg()
			g.loadKey(k, name)
			g.named(p.Value, v, prefix+name)
			g.op(op, obj, k, v)
		}
		return
	}
	k := g.reg()
	g.expr(p.Key, k)
	g.at(p.Key.Range().Start)
	g.op(bytecode.ToKey, k, k, 0)
	v := g.reg()
	switch p.Kind {
	case syntax.PropInit:
		g.namedBy(p.Value, v, k)
		g.op(bytecode.InitElem, obj, k, v)
	case syntax.PropMethod:
		g.expr(p.Value, v)
		g.op(bytecode.SetFuncName, v, k, 0)
		g.op(bytecode.InitElem, obj, k, v)
	case syntax.PropGet:
		g.expr(p.Value, v)
		g.op(bytecode.SetFuncName, v, k, 1)
		g.op(bytecode.InitGetter, obj, k, v)
	case syntax.PropSet:
		g.expr(p.Value, v)
		g.op(bytecode.SetFuncName, v, k, 2)
		g.op(bytecode.InitSetter, obj, k, v)
	}
}

func (g *gen) template(n *syntax.TemplateLiteral, dst uint16) {
	mark := g.top
	first := n.Quasis[0].Cooked
	started := false
	if first != "" || len(n.Expressions) == 0 {
		g.loadStr(dst, first)
		started = true
	}
	for i, e := range n.Expressions {
		t := dst
		if started {
			t = g.reg()
		}
		if s, ok := e.(*syntax.StringLiteral); ok {
			g.loadStr(t, s.Value)
		} else {
			r := g.any(e)
			g.near(e.Range().Start)
			g.op(bytecode.ToString, t, r, 0)
		}
		if started {
			g.op(bytecode.Add, dst, dst, t)
		}
		started = true
		g.top = mark
		if q := n.Quasis[i+1].Cooked; q != "" {
			t := g.reg()
			g.loadStr(t, q)
			g.op(bytecode.Add, dst, dst, t)
			g.top = mark
		}
	}
}

func (g *gen) tagged(n *syntax.TaggedTemplateExpression, dst uint16) {
	mark := g.top
	w := g.regs(2)
	g.callee(n.Tag, w)
	site := bytecode.TemplateSite{}
	for _, q := range n.Quasi.Quasis {
		cooked := int64(-1)
		if !q.Invalid {
			cooked = int64(g.cp.str(q.Cooked))
		}
		site.Cooked = append(site.Cooked, cooked)
		site.Raw = append(site.Raw, int64(g.cp.str(q.Raw)))
	}
	g.f.Templates = append(g.f.Templates, site)
	i := uint32(len(g.f.Templates) - 1)
	if len(n.Quasi.Expressions) < maxWindow {
		g.wide(bytecode.Template, g.reg(), i)
		for _, e := range n.Quasi.Expressions {
			g.expr(e, g.reg())
		}
		g.atAs(namePos(n.Tag, n.Start), n.Quasi.Start)
		g.note(g.op(bytecode.Call, dst, w, uint16(1+len(n.Quasi.Expressions))), n.Tag, false)
		g.top = mark
		return
	}
	arr, t := g.reg(), g.reg()
	g.wide(bytecode.NewArray, arr, uint32(1+len(n.Quasi.Expressions)))
	g.wide(bytecode.Template, t, i)
	g.op(bytecode.ArrayPush, arr, t, 0)
	for _, e := range n.Quasi.Expressions {
		g.expr(e, t)
		g.op(bytecode.ArrayPush, arr, t, 0)
	}
	g.atAs(namePos(n.Tag, n.Start), n.Quasi.Start)
	g.note(g.op(bytecode.CallSpread, dst, w, 1), n.Tag, false)
	g.top = mark
}

func (g *gen) regExp(n *syntax.RegExpLiteral, dst uint16) {
	p, f := g.cp.str(n.Pattern), g.cp.str(n.Flags)
	g.at(n.Start)
	if p < noReg && f < noReg {
		g.op(bytecode.RegExp, dst, uint16(p), uint16(f))
		return
	}
	mark := g.top
	a, b := g.reg(), g.reg()
	g.wide(bytecode.LoadK, a, p)
	g.wide(bytecode.LoadK, b, f)
	g.op(bytecode.RegExpDyn, dst, a, b)
	g.top = mark
}
