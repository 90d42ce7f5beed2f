package syntax

// Expression: comma-separated assignment expressions.
func (p *parser) expression() Expr {
	start := p.start
	e := p.assign()
	if p.tok != tComma {
		return e
	}
	list := []Expr{e}
	for p.eat(tComma) {
		list = append(list, p.assign())
	}
	return &SequenceExpression{p.span(start), list}
}

// assign parses an AssignmentExpression that is certainly an expression.
func (p *parser) assign() Expr {
	saved := p.cov
	p.cov = noCover
	e := p.assignCover()
	p.checkCover()
	p.cov = saved
	return e
}

// checkCover reports what is only right in a pattern.
func (p *parser) checkCover() {
	if p.cov.init >= 0 {
		p.fail(p.cov.init, p.cov.init+1, "Invalid shorthand property initializer")
	}
	if p.cov.proto >= 0 {
		p.fail(p.cov.proto, p.cov.proto+9, "Duplicate __proto__ fields are not allowed in object literals")
	}
}

// settle is called when an operator follows what could have been a pattern.
func (p *parser) settle() {
	p.checkCover()
	p.cov = noCover
}

// assignCover parses an AssignmentExpression that may turn out to be part of a
// pattern; what is open about it is merged into p.cov.
func (p *parser) assignCover() Expr {
	p.enter()
	height, saved := p.height, p.cov
	p.height, p.cov = 0, noCover
	e := p.assignInner()
	p.height = max(height, p.height)
	p.cov.merge(saved)
	p.depth--
	return e
}

func (c *cover) merge(old cover) {
	if old == noCover {
		return
	}
	if old.init >= 0 {
		c.init = old.init
	}
	if old.proto >= 0 {
		c.proto = old.proto
	}
	if old.bad >= 0 {
		c.bad = old.bad
	}
	if old.paren >= 0 {
		c.paren = old.paren
	}
}

func (p *parser) assignInner() Expr {
	start := p.start
	var e Expr
	arrow := false
	switch {
	case p.tok == tLParen:
		e, arrow = p.paren(true)
	case p.tok >= tIdent:
		switch {
		case p.tok == tYield && p.ctx&cGen != 0:
			return p.yield()
		case p.tok == tAwait && p.ctx&cAsync != 0:
			e = p.unary()
		case p.tok == tAsync:
			e, arrow = p.async(true)
		default:
			e, arrow = p.identOrArrow()
		}
	case p.tok == tLT && p.ts:
		e, arrow = p.tsAngle(true)
	default:
		e = p.unary()
		goto operand
	}
	if arrow {
		return e
	}
	e = p.postfix(p.subscripts(e, start, false), start)
operand:
	e = p.binary(e, start, 0)
	if p.tok == tQuestion {
		if p.ts && p.optionalMark() {
			return e
		}
		p.settle()
		p.next()
		c := p.ctx
		p.ctx = c&^cNoIn | cNoArrowType
		cons := p.assign()
		p.ctx = c
		p.expect(tColon)
		alt := p.assign()
		return &ConditionalExpression{p.span(start), e, cons, alt}
	}
	inParen := e == p.lastParen
	if p.tok == tArrow && !p.nl && !inParen && !p.ts {
		if _, ok := e.(*Identifier); !ok {
			at := e.Range()
			p.fail(at.Start, max(at.End, at.Start+1), "Malformed arrow function parameter list")
		}
	}
	if p.tok != tAssign && p.tok != tAssignOp {
		if inParen {
			p.cov.paren = p.parenStart
			switch e.(type) {
			case *Identifier, *MemberExpression, *TSAsExpression, *TSNonNullExpression, *TSSatisfiesExpression:
			default:
				p.cov.bad = p.parenStart
			}
		}
		return e
	}
	a := &AssignmentExpression{Operator: OpAssign, LeftParen: inParen, OpPos: p.start}
	paren := p.cov.paren
	if p.tok == tAssign {
		a.Left = p.assignTarget(e, inParen)
	} else {
		p.settle()
		a.Operator = p.op
		a.Left = p.simpleTarget(e, "Invalid left-hand side in assignment", a.Operator < OpLogicalAnd)
	}
	p.cov = noCover
	p.cov.paren = paren
	cov := p.cov
	p.next()
	a.Right = p.assign()
	p.cov = cov
	a.Span = p.span(start)
	return a
}

// assignTarget turns the left side of `=` into a target.
func (p *parser) assignTarget(e Expr, inParen bool) Pattern {
	switch e.(type) {
	case *ObjectExpression, *ArrayExpression:
		if !inParen {
			return p.toPattern(e, false)
		}
	}
	p.settle()
	return p.simpleTarget(e, "Invalid left-hand side in assignment", true)
}

// simpleTarget checks AssignmentTargetType (8.6.4). A call is accepted in
// sloppy code if web is set.
func (p *parser) simpleTarget(e Expr, msg string, web bool) Pattern { //meter: as deep as the tree, which the parser bounds
	switch e := e.(type) {
	case *Identifier:
		p.checkStrictTarget(e)
		return e
	case *MemberExpression:
		return e
	case *CallExpression:
		if _, super := e.Callee.(*Super); web && !p.strict() && !super {
			return e
		}
	case *TSNonNullExpression:
		p.simpleTarget(e.Expression, msg, web)
		return e
	case *TSAsExpression:
		p.simpleTarget(e.Expression, msg, web)
		return e
	case *TSSatisfiesExpression:
		p.simpleTarget(e.Expression, msg, web)
		return e
	case *TSTypeAssertion:
		p.simpleTarget(e.Expression, msg, web)
		return e
	}
	p.failAt(e, msg)
	return nil
}

func (p *parser) checkStrictTarget(e *Identifier) {
	if p.strict() && (e.Name == "eval" || e.Name == "arguments") {
		p.failAt(e, "Unexpected eval or arguments in strict mode")
	}
}

// binary continues with operators that bind tighter than min.
func (p *parser) binary(left Expr, start int32, min uint8) Expr { //meter: one level for each precedence; ** enters
	for {
		info := binaryOps[p.tok]
		if info.prec <= min {
			if p.ts && (p.tok == tAs || p.tok == tSatisfies) && min < precRel && !p.nl && !p.esc {
				p.settle()
				left = p.tsAs(left, start)
				continue
			}
			return left
		}
		if p.tok == tIn && p.ctx&cNoIn != 0 {
			return left
		}
		p.settle()
		op, opPos := info.op, p.start
		leftLogic := Op(OpNone)
		if info.prec <= precAnd && left != p.lastParen {
			if l, ok := left.(*LogicalExpression); ok {
				leftLogic = l.Operator
			}
		}
		opEnd := p.pos
		p.next()
		rightStart := p.start
		right := p.unary()
		switch {
		case info.prec == precExp:
			if p.tok == tStarStar {
				p.enter()
				right = p.binary(right, rightStart, precExp-1)
				p.leave()
			}
		case binaryOps[p.tok].prec > info.prec || p.ts && (p.tok == tAs || p.tok == tSatisfies):
			right = p.binary(right, rightStart, info.prec)
		}
		p.settle()
		if r, ok := right.(*PrivateIdentifier); ok {
			p.fail(r.Start, r.End, "Unexpected identifier '#"+r.Name+"'")
		}
		p.taller()
		if info.prec <= precAnd {
			if r, ok := right.(*LogicalExpression); ok && right != p.lastParen && op == OpNullish && r.Operator != OpNullish ||
				leftLogic != OpNone && (leftLogic == OpNullish) != (op == OpNullish) {
				at := opPos
				if ok && leftLogic == OpNone {
					at, opEnd = r.OpPos, r.OpPos+2
				}
				p.failHint(at, opEnd, "Unexpected token '"+p.src[at:opEnd]+"'", "put parentheses where ?? is mixed with || or &&")
			}
			left = &LogicalExpression{p.span(start), op, opPos, left, right}
			continue
		}
		left = &BinaryExpression{p.span(start), op, opPos, left, right}
	}
}

// unary parses a UnaryExpression or UpdateExpression.
func (p *parser) unary() Expr {
	start := p.start
	var op Op
	switch p.tok {
	case tPlus:
		op = OpPos
	case tMinus:
		op = OpNeg
	case tBang:
		op = OpNot
	case tTilde:
		op = OpBitNot
	case tTypeof:
		op = OpTypeof
	case tVoid:
		op = OpVoid
	case tDelete:
		op = OpDelete
	case tInc, tDec:
		op = OpInc
		if p.tok == tDec {
			op = OpDec
		}
		p.next()
		arg := p.operand()
		return &UpdateExpression{p.span(start), op, true,
			p.simpleTarget(arg, "Invalid left-hand side expression in prefix operation", true)}
	case tAwait:
		if p.ctx&cAsync != 0 {
			return p.await()
		}
	case tPrivate:
		id := &PrivateIdentifier{Span{p.start, p.pos}, p.val}
		p.usePrivate(id.Name, id.Span)
		p.next()
		if p.tok != tIn || p.ctx&cNoIn != 0 {
			p.fail(id.Start, id.End, "Unexpected identifier '#"+id.Name+"'")
		}
		return id
	case tLT:
		if p.ts {
			e, _ := p.tsAngle(false)
			return e
		}
	}
	if op == OpNone {
		return p.postfix(p.subscripts(p.primary(), start, false), start)
	}
	p.next()
	arg := p.operand()
	if op == OpDelete {
		switch a := arg.(type) {
		case *Identifier:
			if p.strict() {
				p.failAt(a, "Delete of an unqualified identifier in strict mode.")
			}
		case *MemberExpression:
			p.checkDelete(a)
		case *ChainExpression:
			if m, ok := a.Expression.(*MemberExpression); ok {
				p.checkDelete(m)
			}
		}
	}
	if p.tok == tStarStar {
		p.unaryBeforeExp(start)
	}
	return &UnaryExpression{p.span(start), op, arg}
}

// operand parses the operand of a prefix operator.
func (p *parser) operand() Expr {
	p.enter()
	e := p.unary()
	p.leave()
	p.settle()
	if id, ok := e.(*PrivateIdentifier); ok {
		p.failAt(id, "Unexpected identifier '#"+id.Name+"'")
	}
	return e
}

func (p *parser) checkDelete(m *MemberExpression) {
	if id, ok := m.Property.(*PrivateIdentifier); ok && !m.Computed {
		p.failAt(id, "Private fields can not be deleted")
	}
}

func (p *parser) unaryBeforeExp(start int32) {
	p.fail(start, p.prevEnd, "Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator precedence")
}

func (p *parser) await() Expr {
	start := p.start
	if p.awaitPos < 0 {
		p.awaitPos = start
	}
	p.use |= uAwait
	if p.scopes.fn == 1 {
		p.prog.HasTopLevelAwait = true
	}
	p.next()
	arg := p.operand()
	if p.tok == tStarStar {
		p.unaryBeforeExp(start)
	}
	return &AwaitExpression{p.span(start), arg}
}

func (p *parser) yield() Expr {
	y := &YieldExpression{}
	start := p.start
	if p.yieldPos < 0 {
		p.yieldPos = start
	}
	p.use |= uYield
	p.next()
	if !p.nl {
		switch p.tok {
		case tRParen, tRBrack, tRBrace, tComma, tSemi, tColon, tEOF, tIn:
		case tStar:
			y.Delegate = true
			p.next()
			y.Argument = p.assign()
		default:
			y.Argument = p.assign()
		}
	}
	y.Span = p.span(start)
	return y
}

// postfix parses ++ and -- behind an operand.
func (p *parser) postfix(e Expr, start int32) Expr {
	if p.tok != tInc && p.tok != tDec || p.nl {
		return e
	}
	p.settle()
	op := Op(OpInc)
	if p.tok == tDec {
		op = OpDec
	}
	target := p.simpleTarget(e, "Invalid left-hand side expression in postfix operation", true)
	p.next()
	return &UpdateExpression{p.span(start), op, false, target}
}

// checkIdent checks the current token as an Identifier (13.1.1).
func (p *parser) checkIdent() token {
	t := p.tok
	if t < tIdent {
		p.unexpected()
	}
	if t == tIdent {
		if !p.esc {
			return t
		}
		t = keyword(p.val)
	}
	switch t {
	case tYield:
		if p.ctx&cGen != 0 {
			p.fail(p.start, p.pos, "Unexpected identifier 'yield'")
		}
		if p.strict() {
			p.fail(p.start, p.pos, "Unexpected strict mode reserved word")
		}
	case tAwait:
		if p.ctx&(cAsync|cNoAwait|cModule) != 0 {
			p.fail(p.start, p.pos, "Unexpected reserved word")
		}
		if p.awaitID < 0 {
			p.awaitID = p.start
		}
		p.lastAwait = p.pos
	case tLet, tStatic, tImplements, tInterface, tPackage, tPrivateWord, tProtected, tPublic:
		if p.strict() {
			p.fail(p.start, p.pos, "Unexpected strict mode reserved word")
		}
	}
	return t
}

// identRef parses an IdentifierReference.
func (p *parser) identRef() *Identifier {
	if p.checkIdent() == tArguments {
		p.useArguments(p.start)
	}
	p.refer(p.val)
	id := &Identifier{Span{p.start, p.pos}, p.val}
	p.next()
	return id
}

func (p *parser) useArguments(at int32) {
	p.use |= uArguments
	if p.ctx&cNoArguments != 0 {
		p.fail(at, at+9, "'arguments' is not allowed in class field initializer or static initialization block")
	}
}

// identOrArrow parses an identifier at the start of an assignment expression,
// or the arrow function that it begins.
func (p *parser) identOrArrow() (Expr, bool) {
	start := p.start
	esc, t := p.esc, p.tok
	id := p.identRef0()
	if p.tok == tArrow && !p.nl {
		return p.arrowFromIdent(start, id, false), true
	}
	if t == tArguments || esc && id.Name == "arguments" {
		p.useArguments(start)
	}
	return id, false
}

// identRef0 is identRef without the bookkeeping for `arguments`.
func (p *parser) identRef0() *Identifier {
	p.checkIdent()
	p.refer(p.val)
	id := &Identifier{Span{p.start, p.pos}, p.val}
	p.next()
	return id
}

// async parses what begins with `async`: a function expression, an arrow
// function, a call or a plain reference.
func (p *parser) async(canArrow bool) (Expr, bool) {
	start := p.start
	if !p.esc {
		ahead := p.peek()
		if !ahead.nl {
			if ahead.tok == tFunction {
				return p.functionExpression(), false
			}
			if canArrow && ahead.tok >= tIdent {
				// async x =>
				lex := p.lexer
				p.next()
				name := p.lexer
				p.next()
				if p.tok == tArrow && !p.nl {
					arrow := p.lexer
					p.lexer = name
					if t := p.checkIdent(); t == tAwait {
						p.fail(p.start, p.pos, "'await' is not a valid identifier name in an async function")
					}
					id := &Identifier{Span{p.start, p.pos}, p.val}
					p.lexer = arrow
					return p.arrowFromIdent(start, id, true), true
				}
				p.lexer = lex
			}
			if canArrow && p.ts && (ahead.tok == tLT || ahead.tok == tShl) {
				if e, arrow := p.tsAsyncGeneric(start); e != nil {
					return e, arrow
				}
			}
		}
	}
	id := p.identRef0()
	if canArrow {
		if p.tok == tArrow && !p.nl {
			return p.arrowFromIdent(start, id, false), true
		}
		if p.tok == tLParen && !p.nl && p.src[start] == 'a' && id.End-id.Start == 5 {
			return p.asyncCall(start, id)
		}
	}
	return id, false
}

// primary parses a PrimaryExpression in a place where no arrow function can
// stand, and `new`, `super`, `import`.
func (p *parser) primary() Expr {
	start := p.start
	switch p.tok {
	case tNumber:
		p.checkOctal()
		n := &NumericLiteral{Span{start, p.pos}, p.num}
		p.next()
		return n
	case tString:
		p.checkOctal()
		s := &StringLiteral{Span{start, p.pos}, p.val}
		p.next()
		return s
	case tBigInt:
		b := &BigIntLiteral{Span{start, p.pos}, p.val}
		p.next()
		return b
	case tTemplate:
		return p.template(false)
	case tLParen:
		e, _ := p.paren(false)
		return e
	case tLBrack:
		return p.array()
	case tLBrace:
		return p.object()
	case tFunction:
		return p.functionExpression()
	case tClass, tAt:
		return p.classExpression()
	case tThis:
		p.use |= uThis
		p.next()
		return &ThisExpression{p.span(start)}
	case tNull:
		p.next()
		return &NullLiteral{p.span(start)}
	case tTrue, tFalse:
		b := &BooleanLiteral{Span{start, p.pos}, p.tok == tTrue}
		p.next()
		return b
	case tSlash, tAssignOp:
		if p.tok == tSlash || p.op == OpDiv {
			return p.regexp()
		}
	case tNew:
		return p.newExpression()
	case tSuper:
		return p.super()
	case tImport:
		return p.importExpression()
	case tAsync:
		e, _ := p.async(false)
		return e
	case tLT:
		p.jsx()
	}
	if p.tok >= tIdent {
		return p.identRef()
	}
	p.unexpected()
	return nil
}

// super parses `super` followed by a property or arguments.
func (p *parser) super() Expr {
	s := &Super{Span{p.start, p.pos}}
	p.next()
	switch p.tok {
	case tLParen:
		if p.ctx&cSuperCall != 0 {
			p.use |= uSuperCall | uThis
			return s
		}
	case tDot, tLBrack:
		if p.ctx&cSuperProp != 0 {
			p.use |= uSuperProp | uThis
			return s
		}
	}
	p.failAt(s, "'super' keyword unexpected here")
	return nil
}

// importExpression parses import(…), import.meta and the phases.
func (p *parser) importExpression() Expr {
	start := p.start
	e := &ImportExpression{}
	p.next()
	if p.tok == tDot {
		p.next()
		phase := ""
		if p.tok == tIdent && !p.esc {
			phase = p.val
		}
		switch phase {
		case "meta":
			if p.prog.Goal != Module {
				p.fail(start, p.pos, "Cannot use 'import.meta' outside a module")
			}
			p.next()
			return &MetaProperty{p.span(start), ImportMeta}
		case "defer":
			e.Phase = PhaseDefer
		case "source":
			e.Phase = PhaseSource
		default:
			p.unexpected()
		}
		p.next()
	}
	if p.tok != tLParen {
		if e.Phase == PhaseEvaluation && p.tok != tEOF {
			p.fail(start, start+6, "Cannot use import statement outside a module")
		}
		p.unexpected()
	}
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	p.next()
	if p.tok == tRParen {
		p.fail(p.start, p.pos, "import() requires a specifier")
	}
	e.Source = p.assign()
	if e.Phase != PhaseSource && p.eat(tComma) && p.tok != tRParen {
		e.Options = p.assign()
		p.eat(tComma)
	}
	p.ctx = c
	p.expect(tRParen)
	e.Span = p.span(start)
	return e
}

// newExpression parses new and new.target.
func (p *parser) newExpression() Expr {
	start := p.start
	p.next()
	if p.tok == tDot {
		p.next()
		if p.tok != tIdent || p.esc || p.val != "target" {
			p.unexpected()
		}
		if p.ctx&cNewTarget == 0 {
			p.fail(start, p.pos, "new.target expression is not allowed here")
		}
		p.use |= uNewTarget
		p.next()
		return &MetaProperty{p.span(start), NewTarget}
	}
	n := &NewExpression{}
	at := p.start
	if p.tok == tImport {
		if ahead := p.peek(); ahead.tok == tLParen {
			p.fail(p.start, p.pos, "Cannot use new with import")
		}
	}
	p.enter()
	callee := p.primary()
	p.leave()
	if _, ok := callee.(*ImportExpression); ok && callee != p.lastParen {
		p.failAt(callee, "Cannot use new with import")
	}
	if s, ok := callee.(*Super); ok && p.tok == tLParen {
		p.failAt(s, "'super' keyword unexpected here")
	}
	n.Callee = p.subscripts(callee, at, true)
	p.settle()
	for p.ts && (p.tok == tLT || p.tok == tShl) {
		n.TypeArgs = p.tsExprTypeArgs()
		if n.TypeArgs == nil {
			break
		}
		p.tsErase(n.TypeArgs.Span)
		if p.tok != tTemplate {
			break
		}
		quasi := p.template(true)
		n.Callee = p.subscripts(&TaggedTemplateExpression{p.span(at), n.Callee, n.TypeArgs, quasi}, at, true)
		n.TypeArgs = nil
		p.taller()
	}
	if p.tok == tLParen {
		n.Arguments = p.arguments()
	}
	n.Span = p.span(start)
	return n
}

// arguments parses Arguments.
func (p *parser) arguments() []Expr {
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	p.next()
	if p.tok == tRParen {
		p.ctx = c
		p.next()
		return nil
	}
	var buf [4]Expr
	list := buf[:0]
	for p.tok != tRParen {
		if p.tok == tEllipsis {
			s := &SpreadElement{}
			at := p.start
			p.next()
			s.Argument = p.assign()
			s.Span = p.span(at)
			list = append(list, s)
		} else {
			list = append(list, p.assign())
		}
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRParen {
		p.missingParen()
	}
	p.ctx = c
	p.next()
	out := make([]Expr, len(list))
	copy(out, list)
	return out
}

func (p *parser) missingParen() {
	if p.tok == tIllegal || p.lastAwait == p.prevEnd && p.lastAwait > 0 {
		p.unexpected()
	}
	p.fail(p.start, p.pos, "missing ) after argument list")
}

// subscripts parses member accesses, calls and tagged templates behind e. With
// noCall it stops before calls and refuses optional chains (for `new`).
func (p *parser) subscripts(e Expr, start int32, noCall bool) Expr {
	chain := false
	for {
		switch p.tok {
		case tDot:
			p.settle()
			p.next()
			e = p.member(e, start, false)
		case tQDot:
			if noCall {
				p.fail(p.start, p.pos, "Invalid optional chain from new expression")
			}
			p.settle()
			chain = true
			p.next()
			switch p.tok {
			case tLParen:
				e = p.call(e, start, nil, true)
			case tLBrack:
				e = p.index(e, start, true)
			case tTemplate:
				p.fail(p.start, p.pos, "Invalid tagged template on optional chain")
			case tLT, tShl:
				if !p.ts {
					p.unexpected()
				}
				args := p.tsTryTypeArgs()
				if args == nil || p.tok != tLParen {
					p.unexpected()
				}
				p.tsErase(args.Span)
				e = p.call(e, start, args, true)
			default:
				e = p.member(e, start, true)
			}
		case tLBrack:
			p.settle()
			e = p.index(e, start, false)
		case tLParen:
			if noCall {
				return e
			}
			p.settle()
			e = p.call(e, start, nil, false)
		case tTemplate:
			if chain {
				p.fail(p.start, p.pos, "Invalid tagged template on optional chain")
			}
			p.settle()
			if p.prevEnd == p.start {
				p.refuseFence(e)
			}
			quasi := p.template(true)
			e = &TaggedTemplateExpression{Span: p.span(start), Tag: e, Quasi: quasi}
		case tBang:
			if !p.ts || p.nl {
				return p.endChain(e, start, chain)
			}
			p.settle()
			p.tsErase(Span{p.start, p.pos})
			p.next()
			e = &TSNonNullExpression{p.span(start), e}
		case tLT, tShl:
			if !p.ts || noCall {
				return p.endChain(e, start, chain)
			}
			args := p.tsExprTypeArgs()
			if args == nil {
				return p.endChain(e, start, chain)
			}
			p.settle()
			p.tsErase(args.Span)
			switch p.tok {
			case tLParen:
				e = p.call(e, start, args, false)
			case tTemplate:
				quasi := p.template(true)
				e = &TaggedTemplateExpression{p.span(start), e, args, quasi}
			default:
				e = &TSInstantiationExpression{p.span(start), e, args}
			}
		default:
			return p.endChain(e, start, chain)
		}
		p.taller()
	}
}

func (p *parser) endChain(e Expr, start int32, chain bool) Expr {
	if !chain {
		return e
	}
	return &ChainExpression{p.span(start), e}
}

// member parses a property name behind `.` or `?.`.
func (p *parser) member(e Expr, start int32, optional bool) Expr {
	m := &MemberExpression{Object: e, Optional: optional}
	switch {
	case p.tok >= tBreak:
		m.Property = &Identifier{Span{p.start, p.pos}, p.val}
	case p.tok == tPrivate:
		id := &PrivateIdentifier{Span{p.start, p.pos}, p.val}
		if _, ok := e.(*Super); ok {
			p.fail(p.start, p.pos, "Unexpected private field")
		}
		p.usePrivate(id.Name, id.Span)
		m.Property = id
	default:
		p.unexpected()
	}
	p.next()
	m.Span = p.span(start)
	return m
}

func (p *parser) index(e Expr, start int32, optional bool) Expr {
	m := &MemberExpression{Object: e, Optional: optional, Computed: true}
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	p.next()
	m.Property = p.expression()
	p.ctx = c
	p.expect(tRBrack)
	m.Span = p.span(start)
	return m
}

func (p *parser) call(e Expr, start int32, targs *TSTypeArguments, optional bool) Expr {
	call := &CallExpression{Callee: e, TypeArgs: targs, Optional: optional, ArgsStart: p.start}
	call.Arguments = p.arguments()
	p.finishCall(call, start)
	return call
}

func (p *parser) finishCall(call *CallExpression, start int32) {
	call.Span = p.span(start)
	if id, ok := call.Callee.(*Identifier); ok && id.Name == "eval" && !call.Optional {
		call.DirectEval = true
		p.use |= uEval | uInnerEval
	}
}
