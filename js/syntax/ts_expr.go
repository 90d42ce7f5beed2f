package syntax

import "strings"

// optionalMark: the `?` at the current token marks an optional parameter.
func (p *parser) optionalMark() bool {
	switch p.peek().tok {
	case tColon, tComma, tRParen, tAssign:
		return true
	}
	return false
}

// tsCoverParam parses `?`, `: T` and a default behind an element of a
// parenthesized list, which then has to be a parameter.
func (p *parser) tsCoverParam(l *parenList, e Expr, at int32) Expr {
	switch e.(type) {
	case *Identifier, *ObjectExpression, *ArrayExpression, *SpreadElement:
		if e == p.lastParen {
			p.unexpected()
		}
	default:
		p.unexpected()
	}
	if l.typed < 0 {
		l.typed = p.start
	}
	var tp TSParam
	if p.tok == tQuestion {
		tp.Optional = true
		p.tsErase(Span{p.start, p.pos})
		p.next()
	}
	if p.tok == tColon {
		tp.Type = p.tsAnnotation()
	}
	if p.tok == tAssign {
		if _, ok := e.(*SpreadElement); ok {
			p.fail(p.start, p.pos, "Rest parameter may not have a default initializer")
		}
		a := &AssignmentExpression{Operator: OpAssign, OpPos: p.start, Left: p.toPattern(e, false)}
		p.next()
		a.Right = p.assign()
		a.Span = p.span(at)
		e = a
	}
	tp.Span = p.span(at)
	for len(l.types) < len(l.items) {
		l.types = append(l.types, TSParam{Span: l.items[len(l.types)].Range()})
	}
	l.types = append(l.types, tp)
	return e
}

// tsArrowReturn parses `: T` behind parentheses if they are the parameters of
// an arrow function. Where a colon could follow an expression (between `?` and
// `:`, and in case clauses), they are only if they can't be an expression, or
// if the type in front of the arrow can't be the parameters of another one.
func (p *parser) tsArrowReturn(l *parenList, generic bool) (TSType, bool) {
	certain := generic || l.typed >= 0 || len(l.items) == 0 || l.spread >= 0 || l.trailing >= 0 || l.this != nil
	start := p.start
	if !certain && p.ctx&cNoArrowType != 0 {
		lex := p.lexer
		noCond := p.typ.noConditional
		var t TSType
		ok := p.try(func() {
			p.next()
			t = p.tsReturn()
		})
		if ok && p.tok == tArrow && !p.nl && p.colonAhead(!likeParams(t)) {
			p.typ.erased = append(p.typ.erased, ErasedSpan{Span: p.span(start), ArrowReturn: true})
			return t, true
		}
		p.lexer = lex
		p.typ.noConditional = noCond
		p.dropOpen()
		return nil, false
	}
	p.next()
	t := p.tsReturn()
	if p.tok != tArrow || p.nl {
		p.unexpected()
	}
	p.typ.erased = append(p.typ.erased, ErasedSpan{Span: p.span(start), ArrowReturn: true})
	return t, true
}

// colonAhead reports whether a colon that no question mark asked for follows the
// expression behind the current token: then `(a): T => e` between `?` and `:` is
// an arrow function. All such looks together are linear in the source; when that
// is used up, guess is the answer.
func (p *parser) colonAhead(guess bool) bool {
	lex := p.lexer
	defer func() { p.lexer = lex }()
	var stack []token
	open := 0 // question marks at the outermost level
	for prev := p.tok; ; prev = p.tok {
		if p.next(); p.typ.ahead > 8*len(p.src) {
			return guess
		}
		p.typ.ahead += 1 + int(p.pos-p.start)>>4
		if n := len(stack); n > 0 && stack[n-1] == tTemplate && p.tok == tRBrace {
			p.scanTemplate()
			if p.tok == tTemplate && p.tail {
				stack = stack[:n-1]
			}
			continue
		}
		switch p.tok {
		case tEOF, tIllegal:
			return false
		case tLParen, tLBrack, tLBrace:
			stack = append(stack, p.tok)
			continue
		case tTemplate:
			if !p.tail {
				stack = append(stack, tTemplate)
			}
			continue
		case tRParen, tRBrack, tRBrace:
			n := len(stack)
			if n == 0 || stack[n-1]+1 != p.tok {
				return false
			}
			stack = stack[:n-1]
			continue
		case tSlash, tAssignOp:
			if !endsExpression(prev) && (p.tok == tSlash || p.op == OpDiv) && !p.skipRegExp() {
				return false
			}
		}
		if len(stack) > 0 {
			continue
		}
		switch p.tok {
		case tQuestion:
			open++
		case tColon:
			if open == 0 {
				return true
			}
			open--
		case tComma, tSemi, tCase, tDefault:
			return false
		}
		if p.nl && endsExpression(prev) && p.startsExpression() && p.tok != tSlash && p.tok != tPlus && p.tok != tMinus && p.tok != tAssignOp {
			return false
		}
	}
}

// endsExpression: the token can be an expression's last.
func endsExpression(t token) bool {
	switch t {
	case tNumber, tBigInt, tString, tTemplate, tRParen, tRBrack, tRBrace, tPrivate, tThis, tSuper, tNull, tTrue, tFalse, tInc, tDec, tBang:
		return true
	}
	return t >= tIdent
}

// skipRegExp moves to the end of the regular expression that begins at the
// current token, if one does.
func (p *parser) skipRegExp() bool {
	return p.try(func() {
		p.scanRegExp()
		p.tok = tString
	})
}

// likeParams: a type that, as an expression, could be an arrow's parameters.
func likeParams(t TSType) bool {
	n := t.(*TSTypeNode)
	return n.Kind == TSParen || (n.Kind == TSReference || n.Kind == TSKeyword && n.Name != "void") && n.Types == nil && strings.IndexByte(n.Name, '.') < 0
}

// tsAngle parses what begins with `<` in the place of an operand: a generic
// arrow function or a type assertion.
func (p *parser) tsAngle(canArrow bool) (Expr, bool) {
	start := p.start
	p.typ.angle = start + 1
	if canArrow {
		lex := p.lexer
		var tp *TSTypeParameters
		noCond := p.typ.noConditional
		if p.try(func() { tp = p.tsTypeParams() }) && p.tok == tLParen {
			at := p.start
			p.tsErase(tp.Span)
			erased := len(p.typ.erased) - 1
			e, arrow := p.parenFrom(start, true, tp)
			if arrow {
				return e, true
			}
			if len(tp.Params) != 1 || tp.Params[0].Constraint != nil || tp.Params[0].Default != nil {
				p.unexpected()
			}
			p.typ.erased = append(p.typ.erased[:erased], p.typ.erased[erased+1:]...)
			e = p.postfix(p.subscripts(e, at, false), at)
			q := tp.Params[0]
			return p.tsAssertion(start, &TSTypeNode{Span: q.Span, Kind: TSReference, Name: q.Name}, q.Name == "const", e), false
		}
		p.lexer = lex
		p.typ.noConditional = noCond
		p.dropOpen()
	}
	p.openLT()
	var t TSType
	isConst := false
	if p.tok == tConst {
		isConst = true
		p.next()
	} else {
		t = p.tsType()
	}
	p.expectGT()
	return p.tsAssertion(start, t, isConst, p.operand()), false
}

// dropOpen forgets type argument lists that a failed try left open.
func (p *parser) dropOpen() {
	for _, at := range p.typ.open {
		p.remember(at, argsMemo{})
	}
	p.typ.open = p.typ.open[:0]
}

func (p *parser) tsAssertion(start int32, t TSType, isConst bool, e Expr) Expr {
	a := &TSTypeAssertion{p.span(start), isConst, t, e}
	p.nonErasable(a.Span, "type assertion")
	return a
}

// tsAsyncGeneric parses async <T>(…) => …, or the call async<T>(…), and says
// whether it is the former; nil if it is neither.
func (p *parser) tsAsyncGeneric(start int32) (Expr, bool) {
	lex := p.lexer
	noCond := p.typ.noConditional
	p.next()
	var tp *TSTypeParameters
	if !p.try(func() { tp = p.tsTypeParams() }) || p.tok != tLParen {
		p.lexer = lex
		p.typ.noConditional = noCond
		p.dropOpen()
		return nil, false
	}
	l := p.newParenList()
	s := p.openCover()
	open := p.start
	p.tsErase(tp.Span)
	p.parenItems(l, true)
	p.ctx = s.ctx
	if p.tok == tArrow && !p.nl {
		return p.arrowFromCover(start, l, s, true, tp, nil), true
	}
	if p.tok == tColon {
		if ret, ok := p.tsArrowReturn(l, true); ok {
			return p.arrowFromCover(start, l, s, true, tp, ret), true
		}
	}
	if l.typed >= 0 {
		p.unexpected()
	}
	p.closeCoverExpr(s)
	p.cov = noCover
	call := &CallExpression{Callee: &Identifier{Span{start, start + 5}, "async"}, ArgsStart: open,
		TypeArgs: &TSTypeArguments{Span: tp.Span}, Arguments: append([]Expr(nil), l.items...)}
	p.finishCall(call, start)
	p.freeParenList(l)
	return call, false
}

// tsAs parses `as T`, `as const` and `satisfies T` behind an expression.
func (p *parser) tsAs(left Expr, start int32) Expr {
	at := p.start
	satisfies := p.tok == tSatisfies
	p.next()
	p.taller()
	if !satisfies && p.tok == tConst {
		p.next()
		p.tsErase(p.span(at))
		return &TSAsExpression{p.span(start), left, true, nil}
	}
	t := p.tsType()
	p.tsErase(p.span(at))
	if satisfies {
		return &TSSatisfiesExpression{p.span(start), left, t}
	}
	return &TSAsExpression{p.span(start), left, false, t}
}

// ---- Parameters ----

// tsThisParam parses a leading `this: T` and erases it with its comma.
func (p *parser) tsThisParam() *TSParam {
	t := &TSParam{}
	start := p.start
	p.next()
	if p.tok == tColon {
		t.Type = p.tsAnnotation()
	}
	t.Span = p.span(start)
	s := t.Span
	if p.tok == tComma {
		s.End = p.pos
	}
	p.tsErase(s)
	return t
}

// tsAccessWord: the current token is a modifier of parameters.
func (p *parser) tsAccessWord() bool {
	switch p.tok {
	case tPublic, tPrivateWord, tProtected, tReadonly, tOverride:
		return !p.esc
	}
	return false
}

// tsParamStart parses decorators and modifiers of a parameter; it reports
// whether there are any.
func (p *parser) tsParamStart(tp *TSParam, fn *Function) bool {
	typed := false
	for p.tok == tAt {
		tp.Decorators = append(tp.Decorators, p.decorator("parameter decorator"))
		typed = true
	}
	start := p.start
	mods := false
	for p.tsAccessWord() {
		t := p.peek().tok
		if t < tIdent && t != tLBrace && t != tLBrack {
			break
		}
		switch p.tok {
		case tPublic:
			tp.Accessibility = TSPublic
		case tPrivateWord:
			tp.Accessibility = TSPrivate
		case tProtected:
			tp.Accessibility = TSProtected
		case tReadonly:
			tp.Modifiers |= TSReadonly
		case tOverride:
			tp.Modifiers |= TSOverride
		}
		p.next()
		mods = true
	}
	if mods {
		if fn.Kind != FuncConstructor && fn.Kind != FuncDerivedConstructor {
			p.fail(start, p.prevEnd, "A parameter property is only allowed in a constructor")
		}
		p.nonErasable(Span{start, p.pos}, "parameter property")
	}
	return typed || mods
}

// tsParamType parses `?` and `: T` behind a parameter.
func (p *parser) tsParamType(tp *TSParam) {
	if p.tok == tQuestion {
		tp.Optional = true
		p.tsErase(Span{p.start, p.pos})
		p.next()
	}
	if p.tok == tColon {
		tp.Type = p.tsAnnotation()
	}
}

// ---- Class members ----

var memberModifiers = [256]TSModifier{
	tPublic: TSPublic, tPrivateWord: TSPrivate, tProtected: TSProtected, tReadonly: TSReadonly,
	tOverride: TSOverride, tAbstract: TSAbstract, tDeclare: TSDeclare,
}

// tsMemberModifiers reads TypeScript's modifiers of a class member.
func (p *parser) tsMemberModifiers(h *memberHead) {
	for !p.esc && memberModifiers[p.tok] != 0 {
		ahead := p.peek()
		switch ahead.tok {
		case tLParen, tSemi, tRBrace, tAssign, tEOF, tColon, tQuestion, tBang, tLT:
			return
		}
		if ahead.nl {
			return
		}
		h.mods |= memberModifiers[p.tok]
		p.tsErase(Span{p.start, p.pos})
		p.next()
	}
}

// tsIndexSignature parses [k: K]: V if it is one.
func (p *parser) tsIndexSignature(h *memberHead, c *Class) bool {
	lex := p.lexer
	p.next()
	if p.tok < tIdent || p.peek().tok != tColon {
		p.lexer = lex
		return false
	}
	p.next()
	p.next()
	p.tsType()
	p.expect(tRBrack)
	if p.eat(tColon) {
		p.tsType()
	}
	p.semicolon()
	s := &TSIndexSignature{p.span(h.start), h.static}
	p.tsErase(s.Span)
	c.Members = append(c.Members, s)
	return true
}
