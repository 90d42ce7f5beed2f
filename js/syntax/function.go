package syntax

// fnSave is what is set aside while a function is parsed.
type fnSave struct {
	ctx                      ctx
	use                      use
	yieldPos, awaitPos, awID int32
	labelBase                int
	breakable, loops         int
	cov                      cover
	scope                    fnScope
}

func (p *parser) enterFunction(c ctx) fnSave {
	s := fnSave{p.ctx, p.use, p.yieldPos, p.awaitPos, p.awaitID, p.labelBase, p.breakable, p.loops, p.cov, p.openFunctionScope()}
	p.ctx = c
	p.use = 0
	p.yieldPos, p.awaitPos, p.awaitID = -1, -1, -1
	p.labelBase = len(p.labels)
	p.breakable, p.loops = 0, 0
	p.cov = noCover
	return s
}

// leaveFunction restores the state and notes in fn what it mentions; past says
// what of that counts for the function around it.
func (p *parser) leaveFunction(s fnSave, fn *Function, past use) {
	u := p.use
	p.closeFunctionScope(s.scope)
	p.ctx = s.ctx
	p.use = s.use | u&past
	p.yieldPos, p.awaitPos, p.awaitID = s.yieldPos, s.awaitPos, s.awID
	p.labels = p.labels[:p.labelBase]
	p.labelBase = s.labelBase
	p.breakable, p.loops = s.breakable, s.loops
	p.cov = s.cov
	fn.setUses(u)
}

func (fn *Function) setUses(u use) {
	fn.UsesArguments = u&uArguments != 0
	fn.UsesThis = u&uThis != 0
	fn.UsesSuperProp = u&uSuperProp != 0
	fn.UsesSuperCall = u&uSuperCall != 0
	fn.UsesNewTarget = u&uNewTarget != 0
	fn.ContainsAwait = u&uAwait != 0
	fn.ContainsYield = u&uYield != 0
	fn.ContainsWith = u&uWith != 0
	fn.HasDirectEval = u&uEval != 0
	fn.InnerEval = u&uInnerEval != 0
	fn.InnerWith = u&uInnerWith != 0
}

// functionContext is the context inside of a function of the given kind.
func (p *parser) functionContext(kind FunctionKind, async, generator bool) ctx {
	c := p.ctx&(cStrict|cModule|cAmbient) | cNewTarget | cReturn
	switch kind {
	case FuncMethod, FuncGetter, FuncSetter, FuncConstructor:
		c |= cSuperProp
	case FuncDerivedConstructor:
		c |= cSuperProp | cSuperCall
	}
	if async || p.opt.Examples {
		c |= cAsync
	}
	if generator {
		c |= cGen
	}
	return c
}

// functionRest parses parameters and body. It reports false for a TypeScript
// signature without a body.
func (p *parser) functionRest(fn *Function) bool {
	saved := p.enterFunction(p.functionContext(fn.Kind, fn.Async, fn.Generator))
	var sig *FunctionSig
	if p.ts {
		sig = &FunctionSig{TypeParams: p.tsMaybeTypeParams()}
	}
	var dup Span
	if p.opt.Examples && fn.Kind == FuncNormal {
		dup = p.exampleParams(fn)
	} else {
		dup = p.params(fn, sig)
	}
	if fn.Generator && p.yieldPos >= 0 {
		p.fail(p.yieldPos, p.yieldPos+5, "Yield expression not allowed in formal parameter")
	}
	if fn.Async && p.awaitPos >= 0 {
		p.fail(p.awaitPos, p.awaitPos+5, "Illegal await-expression in formal parameters of async function")
	}
	if p.ts {
		if p.tok == tColon {
			sig.Return = p.tsReturnType()
		}
		if sig.TypeParams != nil || sig.This != nil || sig.Params != nil || sig.Return != nil {
			fn.Sig = sig
		}
		if p.tok != tLBrace {
			p.semicolon()
			p.leaveFunction(saved, fn, 0)
			return false
		}
	}
	p.functionBody(fn, dup)
	p.leaveFunction(saved, fn, usePastFunction)
	return true
}

// params parses FormalParameters in parentheses and declares them. It returns
// the place of the first duplicate.
func (p *parser) params(fn *Function, sig *FunctionSig) (dup Span) {
	start := p.start
	if p.tok != tLParen {
		p.unexpected()
	}
	p.next()
	fn.SimpleParams = true
	for p.tok != tRParen {
		at := p.start
		var tp TSParam
		typed := false
		if p.ts {
			if p.tok == tThis {
				sig.This = p.tsThisParam()
				if p.tok != tComma {
					break
				}
				p.next()
				continue
			}
			typed = p.tsParamStart(&tp, fn)
		} else if p.tok == tAt {
			p.unexpected()
		}
		var t Pattern
		rest := p.tok == tEllipsis
		if rest {
			p.next()
			t = &RestElement{Argument: p.bindingTarget()}
			fn.SimpleParams = false
		} else {
			t = p.bindingTarget()
			if _, ok := t.(*Identifier); !ok {
				fn.SimpleParams = false
			}
		}
		if p.ts && (p.tok == tQuestion || p.tok == tColon) {
			p.tsParamType(&tp)
			typed = true
		}
		if rest {
			if p.tok == tAssign {
				p.fail(p.start, p.pos, "Rest parameter may not have a default initializer")
			}
			t.(*RestElement).Span = p.span(at)
			if p.tok != tRParen {
				if p.tok == tComma {
					if p.ctx&cAmbient == 0 || p.peek().tok != tRParen {
						p.fail(p.start, p.pos, "Rest parameter must be last formal parameter")
					}
				} else {
					p.unexpected()
				}
			}
		} else if p.tok == tAssign {
			t = p.bindingDefault(t, t.Range().Start)
			fn.SimpleParams = false
		}
		if d := p.declareParamNames(t); dup.End == 0 {
			dup = d
		}
		fn.Params = append(fn.Params, t)
		if p.ts {
			tp.Span = p.span(at)
			if typed && sig.Params == nil {
				sig.Params = make([]TSParam, len(fn.Params)-1, len(fn.Params)+2)
			}
			if sig.Params != nil {
				sig.Params = append(sig.Params, tp)
			}
		}
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRParen {
		p.unexpected()
	}
	p.next()
	fn.ParamsSpan = p.span(start)
	n := len(fn.Params)
	switch fn.Kind {
	case FuncGetter:
		if n != 0 {
			p.fail(fn.ParamsSpan.Start, fn.ParamsSpan.End, "Getter must not have any formal parameters.")
		}
	case FuncSetter:
		if n != 1 {
			p.fail(fn.ParamsSpan.Start, fn.ParamsSpan.End, "Setter must have exactly one formal parameter.")
		}
		if r, ok := fn.Params[0].(*RestElement); ok {
			p.failAt(r, "Setter function argument must not be a rest parameter")
		}
	}
	return dup
}

// declareParamNames declares the names of one parameter and returns the place
// of the first that the function already has.
func (p *parser) declareParamNames(t Pattern) (dup Span) {
	if id, ok := t.(*Identifier); ok {
		if p.declareParam(id.Name) {
			dup = id.Span
		}
		return dup
	}
	boundNames(t, func(id *Identifier) {
		if p.declareParam(id.Name) && dup.End == 0 {
			dup = id.Span
		}
	})
	return dup
}

// declareParams declares the parameters of an arrow function.
func (p *parser) declareParams(fn *Function) (dup Span) {
	for _, t := range fn.Params {
		if d := p.declareParamNames(t); dup.End == 0 {
			dup = d
		}
	}
	return dup
}

// functionBody parses `{ … }` of a function whose parameters are known.
func (p *parser) functionBody(fn *Function, dup Span) {
	start := p.start
	if p.tok != tLBrace {
		p.unexpected()
	}
	p.ctx |= cUsingAllowed
	p.next()
	fn.Body, fn.Directives = p.directives(fn)
	for p.tok != tRBrace {
		fn.Body = append(fn.Body, p.statement(inList))
	}
	fn.Strict = p.strict()
	if dup.End != 0 && (fn.Strict || !fn.SimpleParams || fn.Kind != FuncNormal) {
		p.fail(dup.Start, dup.End, "Duplicate parameter name not allowed in this context")
	}
	if fn.UseStrict {
		for _, t := range fn.Params {
			if id, ok := t.(*Identifier); ok {
				p.checkStrictName(id)
			}
		}
	}
	p.next()
	fn.BodySpan = p.span(start)
}

// checkStrictName checks a name that was read before its function turned out
// to be strict.
func (p *parser) checkStrictName(id *Identifier) {
	p.checkStrictTarget(id)
	if p.strict() && isStrictReserved(id.Name) {
		p.failAt(id, "Unexpected strict mode reserved word")
	}
}

// directives parses a directive prologue and applies "use strict". fn is the
// function it belongs to.
func (p *parser) directives(fn *Function) (body []Stmt, dirs []*Directive) {
	var oct lexer
	for p.tok == tString {
		tok := p.lexer
		if tok.octal != 0 && oct.octal == 0 {
			oct = tok
		}
		stmt := p.statement(inList)
		body = append(body, stmt)
		es, ok := stmt.(*ExpressionStatement)
		if !ok {
			break
		}
		lit, ok := es.Expression.(*StringLiteral)
		if !ok || lit.Start != tok.start {
			break
		}
		es.Directive = true
		d := &Directive{lit.Span, p.src[lit.Start+1 : lit.End-1]}
		dirs = append(dirs, d)
		if d.Raw == "use strict" {
			if !fn.SimpleParams {
				p.failAt(lit, "Illegal 'use strict' directive in function with non-simple parameter list")
			}
			fn.UseStrict = true
			p.ctx |= cStrict
			if oct.octal != 0 {
				p.fail(oct.octPos, oct.pos, octalMessages[oct.octal])
			}
		}
	}
	return body, dirs
}

// functionExpression parses function, function*, async function and async
// function*.
func (p *parser) functionExpression() Expr {
	start := p.start
	fn := &Function{}
	if p.tok == tAsync {
		fn.Async = true
		p.next()
	}
	p.next()
	if p.tok == tStar {
		fn.Generator = true
		p.next()
	}
	if p.tok != tLParen && !(p.ts && p.tok == tLT) {
		// The name is bound inside: its context is the function's own.
		c := p.ctx
		p.ctx = p.functionContext(FuncNormal, fn.Async, fn.Generator)
		fn.ID = p.functionName()
		p.ctx = c
	}
	if !p.functionRest(fn) {
		p.unexpected()
	}
	p.checkFunctionName(fn)
	fn.Span = p.span(start)
	return &FunctionExpression{fn.Span, fn}
}

func (p *parser) functionName() *Identifier {
	awID, last := p.awaitID, p.lastAwait
	id := p.bindingIdent()
	p.awaitID, p.lastAwait = awID, last
	return id
}

// checkFunctionName checks the name of a function that has made itself strict.
func (p *parser) checkFunctionName(fn *Function) {
	if fn.UseStrict && fn.ID != nil {
		c := p.ctx
		p.ctx |= cStrict
		p.checkStrictName(fn.ID)
		p.ctx = c
	}
}

// object parses an object literal or what may become an object pattern.
func (p *parser) object() Expr {
	o := &ObjectExpression{}
	start := p.start
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	p.next()
	proto := false
	for p.tok != tRBrace {
		o.Properties = append(o.Properties, p.property(&proto))
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRBrace {
		p.unexpected()
	}
	p.ctx = c
	p.next()
	o.Span = p.span(start)
	return o
}

func (p *parser) property(proto *bool) *Property {
	start := p.start
	q := &Property{}
	if p.tok == tEllipsis {
		p.next()
		q.Kind = PropSpread
		q.Value = p.assignCover()
		q.Span = p.span(start)
		if p.tok == tComma && p.cov.bad < 0 {
			p.cov.bad = start
		}
		return q
	}
	fn := Function{Kind: FuncMethod}
	if p.tok >= tIdent {
		tok := p.lexer
		id := &Identifier{Span{p.start, p.pos}, p.val}
		p.next()
		switch p.tok {
		case tComma, tRBrace, tAssign:
			p.shorthand(q, id, tok)
			q.Span = p.span(start)
			return q
		}
		// A word before another property name is a modifier.
		named := p.tok == tColon || p.tok == tLParen || p.tok == tLT || p.inExample && p.tok == tQuestion
		switch {
		case named || tok.esc:
			q.Key = id
		case tok.tok == tAsync && !p.nl:
			fn.Async = true
			if p.eat(tStar) {
				fn.Generator = true
			}
		case tok.tok == tGet:
			fn.Kind, q.Kind = FuncGetter, PropGet
		case tok.tok == tSet:
			fn.Kind, q.Kind = FuncSetter, PropSet
		default:
			q.Key = id
		}
	} else if p.tok == tStar {
		p.next()
		fn.Generator = true
	}
	if q.Key == nil {
		q.Key, q.Computed = p.propertyName()
		if (fn.Async || fn.Generator || q.Kind != PropInit) && p.tok != tLParen && !(p.ts && p.tok == tLT) {
			p.unexpected()
		}
	}
	if p.inExample && p.tok == tQuestion && !q.Computed {
		q.Optional = true
		p.next()
		if p.tok != tColon {
			p.unexpected()
		}
	}
	switch {
	case p.tok == tLParen || p.ts && p.tok == tLT:
		if q.Kind == PropInit {
			q.Kind = PropMethod
		}
		f := new(Function)
		*f = fn
		if !p.functionRest(f) {
			p.unexpected()
		}
		f.Span = p.span(start)
		q.Value = &FunctionExpression{f.Span, f}
	case p.tok == tColon:
		p.next()
		if !q.Computed {
			name := ""
			switch k := q.Key.(type) {
			case *Identifier:
				name = k.Name
			case *StringLiteral:
				name = k.Value
			}
			if name == "__proto__" {
				q.Proto = true
				if *proto && p.cov.proto < 0 {
					p.cov.proto = start
				}
				*proto = true
			}
		}
		q.Value = p.assignCover()
	default:
		if id, ok := q.Key.(*Identifier); ok && !q.Computed && (p.tok == tComma || p.tok == tRBrace || p.tok == tAssign) {
			// Only reserved words come here.
			p.failf(id.Span, "Unexpected token '%s'", id.Name)
		}
		if (p.tok == tComma || p.tok == tRBrace) && !q.Computed {
			switch q.Key.(type) {
			case *StringLiteral:
				p.failAt(q.Key, "Unexpected string")
			case *NumericLiteral, *BigIntLiteral:
				p.failAt(q.Key, "Unexpected number")
			}
		}
		p.unexpected()
	}
	q.Span = p.span(start)
	return q
}

// shorthand makes the property of an identifier alone; tok is its token.
func (p *parser) shorthand(q *Property, id *Identifier, tok lexer) {
	after := p.lexer
	p.lexer = tok
	if p.checkIdent() == tArguments {
		p.useArguments(tok.start)
	}
	p.lexer = after
	q.Shorthand = true
	q.Key = id
	p.refer(id.Name)
	ref := &Identifier{id.Span, id.Name}
	q.Value = ref
	if p.tok == tAssign {
		if p.cov.init < 0 {
			p.cov.init = p.start
		}
		p.checkStrictTarget(ref)
		op := p.start
		p.next()
		cov := p.cov
		right := p.assign()
		p.cov = cov
		q.Value = &AssignmentExpression{Span: p.span(id.Start), Operator: OpAssign, OpPos: op, Left: ref, Right: right}
	}
}

// propertyName parses a PropertyName.
func (p *parser) propertyName() (key Expr, computed bool) {
	s := Span{p.start, p.pos}
	switch {
	case p.tok >= tBreak:
		key = &Identifier{s, p.val}
	case p.tok == tString:
		p.checkOctal()
		key = &StringLiteral{s, p.val}
	case p.tok == tNumber:
		p.checkOctal()
		key = &NumericLiteral{s, p.num}
	case p.tok == tBigInt:
		key = &BigIntLiteral{s, p.val}
	case p.tok == tLBrack:
		c := p.ctx
		p.ctx &^= cNoIn | cNoArrowType
		p.next()
		key = p.assign()
		p.ctx = c
		p.expect(tRBrack)
		return key, true
	default:
		p.unexpected()
	}
	p.next()
	return key, false
}
