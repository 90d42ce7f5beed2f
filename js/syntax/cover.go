package syntax

// parenList is what stands between parentheses that are either a
// parenthesized expression, the parameters of an arrow function or the
// arguments of a call of a function named async.
type parenList struct {
	items    []Expr    // the last may be a *SpreadElement
	buf      [4]Expr   // room for items
	types    []TSParam // parallel to items, nil without type syntax
	this     *TSParam
	open     int32
	close    int32 // behind the closing parenthesis
	trailing int32 // a comma before the closing parenthesis, -1 if none
	spread   int32 // offset of the first spread, -1 if none
	typed    int32 // offset of the first type syntax, -1 if none
	firstAt  int32
	lastEnd  int32
}

// newParenList returns an empty list, reusing one that is done with.
func (p *parser) newParenList() *parenList {
	n := len(p.parenLists)
	if n == 0 {
		return new(parenList)
	}
	l := p.parenLists[n-1]
	p.parenLists = p.parenLists[:n-1]
	return l
}

func (p *parser) freeParenList(l *parenList) {
	*l = parenList{}
	p.parenLists = append(p.parenLists, l)
}

// coverState is what is set aside while a parenList is parsed.
type coverState struct {
	ctx                      ctx
	use                      use
	yieldPos, awaitPos, awID int32
	cov                      cover
}

func (p *parser) openCover() coverState {
	s := coverState{p.ctx, p.use, p.yieldPos, p.awaitPos, p.awaitID, p.cov}
	p.ctx &^= cNoIn | cNoArrowType
	p.use = 0
	p.yieldPos, p.awaitPos, p.awaitID = -1, -1, -1
	p.cov = noCover
	return s
}

// closeCoverExpr ends a parenList that is an expression.
func (p *parser) closeCoverExpr(s coverState) {
	p.checkCover()
	p.use |= s.use
	p.yieldPos = firstOf(s.yieldPos, p.yieldPos)
	p.awaitPos = firstOf(s.awaitPos, p.awaitPos)
	p.awaitID = firstOf(s.awID, p.awaitID)
	p.cov = s.cov
}

func firstOf(a, b int32) int32 {
	if a >= 0 {
		return a
	}
	return b
}

// parenItems parses from `(` to behind `)`.
func (p *parser) parenItems(l *parenList, call bool) {
	l.open, l.trailing, l.spread, l.typed = p.start, -1, -1, -1
	l.items = l.buf[:0]
	p.next()
	l.firstAt = p.start
	for p.tok != tRParen {
		at := p.start
		var e Expr
		if p.ts && p.tok == tThis && len(l.items) == 0 && p.peek().tok == tColon {
			p.next()
			l.this = &TSParam{Type: p.tsAnnotation()}
			l.this.Span = p.span(at)
			l.typed = at
			if p.tok == tComma {
				p.next()
			}
			p.tsErase(Span{at, p.prevEnd})
			continue
		}
		if p.tok == tEllipsis {
			if l.spread < 0 {
				l.spread = at
			}
			p.next()
			s := &SpreadElement{}
			if !call {
				p.enter()
				switch p.tok {
				case tLBrace:
					s.Argument = p.object()
				case tLBrack:
					s.Argument = p.array()
				default:
					s.Argument = p.identRef0()
				}
				p.leave()
			} else {
				s.Argument = p.assignCover()
			}
			s.Span = p.span(at)
			e = s
		} else {
			e = p.assignCover()
		}
		l.lastEnd = p.prevEnd
		if p.ts && (p.tok == tColon || p.tok == tQuestion) {
			e = p.tsCoverParam(l, e, at)
		}
		if l.types != nil && len(l.types) == len(l.items) {
			l.types = append(l.types, TSParam{Span: p.span(at)})
		}
		l.items = append(l.items, e)
		if p.tok != tComma {
			break
		}
		l.trailing = p.start
		p.next()
		if p.tok != tRParen {
			l.trailing = -1
		}
	}
	if p.tok != tRParen {
		if call {
			p.missingParen()
		}
		p.unexpected()
	}
	p.next()
	l.close = p.prevEnd
}

// paren parses a parenthesized expression or, if canArrow, an arrow function;
// it says which.
func (p *parser) paren(canArrow bool) (Expr, bool) {
	return p.parenFrom(p.start, canArrow, nil)
}

// parenFrom is paren with the type parameters that stood before it.
func (p *parser) parenFrom(start int32, canArrow bool, tparams *TSTypeParameters) (Expr, bool) {
	l := p.newParenList()
	s := p.openCover()
	p.parenItems(l, false)
	p.ctx = s.ctx
	if canArrow {
		if p.tok == tArrow && !p.nl {
			return p.arrowFromCover(start, l, s, false, tparams, nil), true
		}
		if p.ts && p.tok == tColon {
			if ret, ok := p.tsArrowReturn(l, tparams != nil); ok {
				return p.arrowFromCover(start, l, s, false, tparams, ret), true
			}
		}
	}
	if p.tok == tArrow && len(l.items) > 0 && !p.nl {
		p.fail(l.open, l.close, "Malformed arrow function parameter list")
	}
	p.notAnExpression(l)
	p.closeCoverExpr(s)
	e := l.items[0]
	if len(l.items) > 1 {
		e = &SequenceExpression{Span{l.firstAt, l.lastEnd}, append([]Expr(nil), l.items...)}
	}
	p.lastParen, p.parenStart = e, l.open
	p.freeParenList(l)
	return e, false
}

// notAnExpression refuses what only parameters may contain.
func (p *parser) notAnExpression(l *parenList) {
	switch {
	case l.spread >= 0:
		if p.tok == tArrow {
			p.unexpected()
		}
		p.fail(l.spread, l.spread+3, "Unexpected token '...'")
	case l.typed >= 0:
		at := l.typed
		p.fail(at, at+1, "Unexpected token '"+p.src[at:at+1]+"'")
	case len(l.items) == 0 || l.trailing >= 0:
		if p.tok == tArrow || p.tok == tEOF && len(l.items) == 0 && p.ts {
			p.unexpected()
		}
		p.fail(l.close-1, l.close, "Unexpected token ')'")
	}
}

// asyncCall parses async(…), which is a call or an async arrow function.
func (p *parser) asyncCall(start int32, id *Identifier) (Expr, bool) {
	l := p.newParenList()
	s := p.openCover()
	open := p.start
	p.parenItems(l, true)
	p.ctx = s.ctx
	if p.tok == tArrow && !p.nl {
		return p.arrowFromCover(start, l, s, true, nil, nil), true
	}
	if p.ts && p.tok == tColon {
		if ret, ok := p.tsArrowReturn(l, false); ok {
			return p.arrowFromCover(start, l, s, true, nil, ret), true
		}
	}
	if l.typed >= 0 {
		p.fail(l.typed, l.typed+1, "Unexpected token '"+p.src[l.typed:l.typed+1]+"'")
	}
	p.closeCoverExpr(s)
	p.cov = noCover
	call := &CallExpression{Callee: id, ArgsStart: open, Arguments: append([]Expr(nil), l.items...)}
	p.taller()
	p.finishCall(call, start)
	p.freeParenList(l)
	return call, false
}

// arrowFromCover turns a parenList into the parameters of an arrow function
// and parses the rest. The current token is `=>`.
func (p *parser) arrowFromCover(start int32, l *parenList, s coverState, async bool, tparams *TSTypeParameters, ret TSType) Expr {
	coverUse := p.use
	switch {
	case p.cov.paren >= 0:
		p.fail(p.cov.paren, l.close, "Invalid destructuring assignment target")
	case p.yieldPos >= 0:
		p.fail(p.yieldPos, p.yieldPos+5, "Yield expression not allowed in formal parameter")
	case p.awaitPos >= 0:
		p.fail(p.awaitPos, p.awaitPos+5, "Illegal await-expression in formal parameters of async function")
	case async && p.awaitID >= 0:
		p.fail(p.awaitID, p.awaitID+5, "'await' is not a valid identifier name in an async function")
	}
	fn := &Function{Kind: FuncArrow, Async: async, SimpleParams: true, ParamsSpan: Span{l.open, l.close}}
	if len(l.items) > 0 {
		fn.Params = make([]Pattern, len(l.items))
	}
	for i, e := range l.items {
		if sp, ok := e.(*SpreadElement); ok {
			if i != len(l.items)-1 || l.trailing >= 0 {
				p.failAt(sp, "Rest parameter must be last formal parameter")
			}
			if _, ok := sp.Argument.(*AssignmentExpression); ok {
				p.failAt(sp, "Rest parameter may not have a default initializer")
			}
			fn.Params[i] = &RestElement{sp.Span, p.toPattern(sp.Argument, true)}
			fn.SimpleParams = false
			continue
		}
		fn.Params[i] = p.toPattern(e, true)
		if _, ok := e.(*Identifier); !ok {
			fn.SimpleParams = false
		}
	}
	if l.types != nil || l.this != nil || tparams != nil || ret != nil {
		if l.types == nil {
			l.types = make([]TSParam, len(l.items))
		}
		fn.Sig = &FunctionSig{TypeParams: tparams, This: l.this, Params: l.types, Return: ret}
	}
	p.use = s.use
	// An async arrow function around would read `await` here as a keyword.
	p.yieldPos, p.awaitPos, p.awaitID = s.yieldPos, s.awaitPos, firstOf(s.awID, p.awaitID)
	p.cov = s.cov
	p.freeParenList(l)
	return p.arrow(start, fn, coverUse)
}

// arrowFromIdent parses the arrow function with one bare parameter.
func (p *parser) arrowFromIdent(start int32, id *Identifier, async bool) Expr {
	p.checkStrictTarget(id)
	fn := &Function{Kind: FuncArrow, Async: async, SimpleParams: true, ParamsSpan: id.Span, Params: []Pattern{id}}
	return p.arrow(start, fn, 0)
}

// arrow parses an arrow function from `=>` on.
func (p *parser) arrow(start int32, fn *Function, coverUse use) Expr {
	c := p.ctx & (cStrict | cModule | cNewTarget | cSuperProp | cSuperCall | cNoArguments | cNoIn | cNoArrowType)
	if fn.Async || p.opt.Examples {
		c |= cAsync
	}
	saved := p.enterFunction(c)
	p.use = coverUse
	dup := p.declareParams(fn)
	p.next()
	if p.tok == tLBrace {
		p.ctx = p.ctx&^(cNoIn|cNoArrowType) | cReturn
		p.functionBody(fn, dup)
	} else {
		at := p.start
		if dup.End != 0 {
			p.fail(dup.Start, dup.End, "Duplicate parameter name not allowed in this context")
		}
		fn.Strict = p.strict()
		fn.ExprBody = p.assign()
		fn.BodySpan = p.span(at)
	}
	p.leaveFunction(saved, fn, usePastArrow)
	fn.Span = p.span(start)
	return &ArrowFunctionExpression{fn.Span, fn}
}

// toPattern reinterprets an expression as an assignment pattern, or as a
// binding pattern. What has been turned into an assignment pattern before is
// only checked when it becomes a binding pattern, so that every node is looked
// at no more than twice.
func (p *parser) toPattern(e Expr, binding bool) Pattern { //meter: as deep as the tree, which the parser bounds
	const msg = "Invalid destructuring assignment target"
	switch e := e.(type) {
	case *Identifier:
		p.checkStrictTarget(e)
		return e
	case *MemberExpression:
		if !binding {
			return e
		}
	case *ArrayExpression:
		if p.cov.bad >= 0 {
			p.badPattern()
		}
		a := &ArrayPattern{Span: e.Span}
		if len(e.Elements) > 0 {
			a.Elements = make([]Pattern, len(e.Elements))
		}
		for i, q := range e.Elements {
			if q == nil {
				continue
			}
			s, ok := q.(*SpreadElement)
			if !ok {
				a.Elements[i] = p.toPattern(q, binding)
				continue
			}
			if i != len(e.Elements)-1 {
				p.failAt(s, "Rest element must be last element")
			}
			if _, ok := s.Argument.(*AssignmentExpression); ok {
				p.failAt(s, msg)
			}
			a.Elements[i] = &RestElement{s.Span, p.toPattern(s.Argument, binding)}
		}
		return a
	case *ObjectExpression:
		if p.cov.bad >= 0 {
			p.badPattern()
		}
		o := &ObjectPattern{Span: e.Span}
		if len(e.Properties) > 0 {
			o.Properties = make([]*AssignmentProperty, 0, len(e.Properties))
		}
		for i, q := range e.Properties {
			switch q.Kind {
			case PropInit:
				o.Properties = append(o.Properties, &AssignmentProperty{q.Span, q.Computed, q.Shorthand, q.Key, p.toPattern(q.Value, binding)})
			case PropSpread:
				if i != len(e.Properties)-1 {
					p.failAt(q, "Rest element must be last element")
				}
				switch q.Value.(type) {
				case *Identifier:
				case *MemberExpression, *TSAsExpression, *TSNonNullExpression, *TSSatisfiesExpression:
					if binding {
						p.failAt(q.Value, "`...` must be followed by an identifier in declaration contexts")
					}
				default:
					if binding {
						p.failAt(q.Value, "`...` must be followed by an identifier in declaration contexts")
					}
					p.failAt(q.Value, "`...` must be followed by an assignable reference in assignment contexts")
				}
				o.Rest = &RestElement{q.Span, p.toPattern(q.Value, binding)}
			default:
				p.failAt(q.Key, msg)
			}
		}
		return o
	case *AssignmentExpression:
		if e.Operator == OpAssign {
			if binding {
				if e.LeftParen {
					p.failAt(e.Left, msg)
				}
				p.checkBinding(e.Left)
			}
			if c, ok := e.Left.(*CallExpression); ok {
				p.failAt(c, msg) // a call is a target only in a plain assignment
			}
			return &AssignmentPattern{e.Span, e.LeftParen, e.Left, e.Right}
		}
	case *TSAsExpression, *TSNonNullExpression, *TSSatisfiesExpression, *TSTypeAssertion:
		if !binding {
			return p.simpleTarget(e, msg, false)
		}
	}
	p.failAt(e, msg)
	return nil
}

func (p *parser) badPattern() {
	at := p.cov.bad
	if p.src[at] == '.' {
		p.fail(at, at+3, "Rest element must be last element")
	}
	p.fail(at, at+1, "Invalid destructuring assignment target")
}

// checkBinding checks an assignment pattern that becomes a binding pattern.
func (p *parser) checkBinding(t Pattern) { //meter: as deep as the tree, which the parser bounds
	switch t := t.(type) {
	case *Identifier:
	case *ObjectPattern:
		for _, q := range t.Properties {
			p.checkBinding(q.Value)
		}
		if t.Rest != nil {
			p.checkBinding(t.Rest.Argument)
		}
	case *ArrayPattern:
		for _, q := range t.Elements {
			if q != nil {
				p.checkBinding(q)
			}
		}
	case *AssignmentPattern:
		p.checkBinding(t.Left)
	case *RestElement:
		p.checkBinding(t.Argument)
	default:
		p.failAt(t, "Invalid destructuring assignment target")
	}
}

// bindingTarget parses a BindingIdentifier or BindingPattern.
func (p *parser) bindingTarget() Pattern { //meter: each pattern enters
	switch p.tok {
	case tLBrack:
		p.enter()
		t := p.arrayPattern()
		p.leave()
		return t
	case tLBrace:
		p.enter()
		t := p.objectPattern()
		p.leave()
		return t
	}
	return p.bindingIdent()
}

// bindingIdent parses a BindingIdentifier.
func (p *parser) bindingIdent() *Identifier {
	t := p.checkIdent()
	if (t == tArguments || t == tEval) && p.strict() && p.ctx&cAmbient == 0 {
		p.fail(p.start, p.pos, "Unexpected eval or arguments in strict mode")
	}
	id := &Identifier{Span{p.start, p.pos}, p.val}
	p.next()
	return id
}

// bindingElement parses a binding target with an optional default.
func (p *parser) bindingElement() Pattern {
	start := p.start
	t := p.bindingTarget()
	return p.bindingDefault(t, start)
}

func (p *parser) bindingDefault(t Pattern, start int32) Pattern {
	if p.tok != tAssign {
		return t
	}
	p.next()
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	right := p.assign()
	p.ctx = c
	return &AssignmentPattern{p.span(start), false, t, right}
}

func (p *parser) arrayPattern() Pattern {
	a := &ArrayPattern{}
	start := p.start
	p.next()
	for p.tok != tRBrack {
		if p.tok == tComma {
			p.next()
			a.Elements = append(a.Elements, nil)
			continue
		}
		if p.tok == tEllipsis {
			at := p.start
			p.next()
			t := p.bindingTarget()
			a.Elements = append(a.Elements, &RestElement{p.span(at), t})
			if p.tok == tComma {
				p.fail(p.start, p.pos, "Rest element must be last element")
			}
			break
		}
		a.Elements = append(a.Elements, p.bindingElement())
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRBrack {
		p.inDeclaration()
	}
	p.next()
	a.Span = p.span(start)
	return a
}

// inDeclaration reports a token that would be right in an assignment pattern.
func (p *parser) inDeclaration() {
	if p.tok == tDot || p.tok == tLBrack || p.tok == tQDot {
		p.fail(p.start, p.pos, "Illegal property in declaration context")
	}
	p.unexpected()
}

func (p *parser) objectPattern() Pattern {
	o := &ObjectPattern{}
	start := p.start
	p.next()
	for p.tok != tRBrace {
		at := p.start
		if p.tok == tEllipsis {
			p.next()
			if p.tok == tLBrace || p.tok == tLBrack {
				p.fail(p.start, p.pos, "`...` must be followed by an identifier in declaration contexts")
			}
			t := p.bindingIdent()
			o.Rest = &RestElement{p.span(at), t}
			if p.tok == tComma {
				p.fail(p.start, p.pos, "Rest element must be last element")
			}
			break
		}
		q := &AssignmentProperty{}
		if p.tok >= tIdent {
			// A name alone binds; it may also be the key of a longer form.
			lex := p.lexer
			q.Key = &Identifier{Span{p.start, p.pos}, p.val}
			p.next()
			if p.tok == tLParen {
				p.fail(q.Key.Range().Start, q.Key.Range().End, "Invalid destructuring assignment target")
			}
			if p.tok != tColon {
				after := p.lexer
				p.lexer = lex
				t := p.checkIdent()
				if (t == tArguments || t == tEval) && p.strict() {
					p.fail(p.start, p.pos, "Unexpected eval or arguments in strict mode")
				}
				p.lexer = after
				q.Shorthand = true
				id := q.Key.(*Identifier)
				q.Value = p.bindingDefault(&Identifier{id.Span, id.Name}, at)
			}
		} else {
			q.Key, q.Computed = p.propertyName()
		}
		if !q.Shorthand {
			if p.tok != tColon {
				if id, ok := q.Key.(*Identifier); ok && !q.Computed && p.tok != tEOF {
					p.failf(id.Span, "Unexpected token '%s'", id.Name)
				}
				if at := q.Key.Range(); !q.Computed && p.tok != tEOF {
					switch q.Key.(type) {
					case *StringLiteral:
						p.fail(at.Start, at.End, "Unexpected string")
					case *NumericLiteral, *BigIntLiteral:
						p.fail(at.Start, at.End, "Unexpected number")
					}
				}
				p.unexpected()
			}
			p.next()
			q.Value = p.bindingElement()
		}
		q.Span = p.span(at)
		o.Properties = append(o.Properties, q)
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRBrace {
		p.inDeclaration()
	}
	p.next()
	o.Span = p.span(start)
	return o
}
