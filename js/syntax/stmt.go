package syntax

// place says where a statement stands.
type place uint8

const (
	inList       place = iota // StatementList
	inModule                  // top level of a module
	inLabel                   // body of a label that stands in a list
	inIf                      // branch of an if
	inSub                     // body of a loop or with
	inLabelOfSub              // body of a label in inIf or inSub
)

type label struct {
	name  string
	body  int32 // where the labelled statement starts
	outer int32 // index of the label of this name that it hides, -1 if none
	loop  bool
	again bool // is itself what the label before it labels
}

func (p *parser) statement(pl place) Stmt {
	p.enter()
	s := p.statementInner(pl)
	p.depth--
	return s
}

func (p *parser) statementInner(pl place) Stmt {
	start := p.start
	switch p.tok {
	case tLBrace:
		return p.block()
	case tSemi:
		p.next()
		return &EmptyStatement{p.span(start)}
	case tVar:
		d := p.varDeclaration(DeclVar, start)
		p.semicolon()
		d.Span = p.span(start)
		return d
	case tConst:
		if p.ts {
			if ahead := p.peek(); ahead.tok == tEnum {
				p.next()
				return p.tsEnum(start, true, false)
			}
		}
		return p.lexicalDeclaration(DeclConst, start, pl)
	case tFunction:
		return p.functionStatement(start, pl)
	case tClass, tAt:
		if pl > inModule {
			p.unexpected()
		}
		return p.classStatement(start, pl)
	case tIf:
		return p.ifStatement(start)
	case tFor:
		return p.forStatement(start)
	case tWhile:
		s := &WhileStatement{}
		p.next()
		s.Test = p.parenthesized()
		s.Body = p.loopBody(start)
		s.Span = p.span(start)
		return s
	case tDo:
		s := &DoWhileStatement{}
		p.next()
		s.Body = p.loopBody(start)
		p.expect(tWhile)
		s.Test = p.parenthesized()
		p.eat(tSemi)
		s.Span = p.span(start)
		return s
	case tReturn:
		if p.ctx&cReturn == 0 {
			p.fail(p.start, p.pos, "Illegal return statement")
		}
		s := &ReturnStatement{}
		p.next()
		if p.tok != tSemi && p.tok != tRBrace && p.tok != tEOF && !p.nl {
			s.Argument = p.expression()
		}
		p.semicolon()
		s.Span = p.span(start)
		return s
	case tBreak, tContinue:
		return p.jump(start)
	case tThrow:
		s := &ThrowStatement{}
		p.next()
		if p.nl {
			p.fail(p.prevEnd, p.start, "Illegal newline after throw")
		}
		s.Argument = p.expression()
		p.semicolon()
		s.Span = p.span(start)
		return s
	case tTry:
		return p.tryStatement(start)
	case tSwitch:
		return p.switchStatement(start)
	case tWith:
		s := &WithStatement{}
		if p.strict() {
			p.fail(p.start, p.pos, "Strict mode code may not include a with statement")
		}
		p.use |= uWith | uInnerWith
		p.next()
		s.Object = p.parenthesized()
		s.Body = p.statement(inSub)
		s.Span = p.span(start)
		return s
	case tDebugger:
		p.next()
		p.semicolon()
		return &DebuggerStatement{p.span(start)}
	case tImport:
		if ahead := p.peek(); ahead.tok != tLParen && ahead.tok != tDot {
			if pl != inModule && !(p.ts && pl == inList && (p.typ.namespaces > 0 || p.importsAlias())) {
				if p.prog.Goal == Module {
					p.next()
					p.unexpected()
				}
				p.fail(p.start, p.pos, "Cannot use import statement outside a module")
			}
			return p.importDeclaration(start)
		}
	case tExport:
		if pl != inModule && !(p.ts && pl == inList && (p.typ.namespaces > 0 || p.peek().tok == tAs)) {
			p.unexpected()
		}
		return p.exportDeclaration(start, nil)
	case tEnum:
		if p.ts && pl <= inModule {
			return p.tsEnum(start, false, false)
		}
	case tLet:
		if !p.esc && p.letDeclares(pl) {
			return p.lexicalDeclaration(DeclLet, start, pl)
		}
	case tAsync:
		if !p.esc {
			if ahead := p.peek(); ahead.tok == tFunction && !ahead.nl {
				return p.functionStatement(start, pl)
			}
		}
	case tUsing:
		if !p.esc && p.usingDeclares() {
			return p.usingDeclaration(DeclUsing, start, pl)
		}
	case tAwait:
		if p.ctx&cAsync != 0 && !p.esc && p.awaitUsing() {
			return p.usingDeclaration(DeclAwaitUsing, start, pl)
		}
	default:
		if p.ts && p.tok >= tAbstract && pl <= inModule && !p.esc {
			if s := p.tsStatement(start, pl, false); s != nil {
				return s
			}
		}
	}
	if p.ts && p.tok == tInterface && pl <= inModule && !p.esc {
		if s := p.tsStatement(start, pl, false); s != nil {
			return s
		}
	}
	tok := p.tok
	e := p.expression()
	if p.tok == tColon && tok >= tIdent {
		if id, ok := e.(*Identifier); ok && e != p.lastParen {
			return p.labelled(start, id, pl)
		}
	}
	p.semicolon()
	return &ExpressionStatement{Span: p.span(start), Expression: e}
}

// letDeclares decides whether `let` begins a declaration (14.3.1, 14.5).
func (p *parser) letDeclares(pl place) bool {
	ahead := p.peek()
	switch {
	case ahead.tok == tLBrack:
		return true
	case ahead.tok == tLBrace || ahead.tok >= tIdent || ahead.tok == tEscKeyword:
		return pl <= inModule || !ahead.nl
	case ahead.tok.isReserved():
		return p.strict() || pl <= inModule && ahead.tok != tIn && ahead.tok != tInstanceof && !ahead.nl
	}
	return false
}

// usingDeclares decides whether `using` begins a declaration.
func (p *parser) usingDeclares() bool {
	ahead := p.peek()
	return ahead.tok >= tIdent && !ahead.nl && (!p.ts || ahead.tok != tAs && ahead.tok != tSatisfies)
}

// awaitUsing decides whether `await` begins an `await using` declaration.
func (p *parser) awaitUsing() bool {
	lex := p.lexer
	p.next()
	ok := p.tok == tUsing && !p.esc && !p.nl && p.usingDeclares()
	p.lexer = lex
	return ok
}

func (p *parser) usingDeclaration(kind DeclKind, start int32, pl place) Stmt {
	if pl > inModule {
		p.fail(p.start, p.pos, "Lexical declaration cannot appear in a single-statement context")
	}
	if p.ctx&cUsingAllowed == 0 {
		p.unexpectedUsing()
	}
	if kind == DeclAwaitUsing {
		p.noteAwait()
		p.next()
	}
	d := p.varDeclaration(kind, start)
	p.semicolon()
	d.Span = p.span(start)
	return d
}

func (p *parser) unexpectedUsing() {
	p.failHint(p.start, p.pos, "Unexpected identifier 'using'", "a using declaration can't stand at the top of a script or directly in a case; put it in a block")
}

// noteAwait records an await that isn't an AwaitExpression.
func (p *parser) noteAwait() {
	p.use |= uAwait
	if p.scopes.fn == 1 {
		p.prog.HasTopLevelAwait = true
	}
	if p.awaitPos < 0 {
		p.awaitPos = p.start
	}
}

func (p *parser) block() *BlockStatement {
	b := &BlockStatement{}
	start := p.start
	if p.tok != tLBrace {
		p.unexpected()
	}
	p.openScope()
	p.blockRest(b)
	b.Span = p.span(start)
	return b
}

// blockRest parses the statements of a block whose scope is open, and closes
// it. The current token is the opening brace.
func (p *parser) blockRest(b *BlockStatement) {
	c := p.ctx
	p.ctx |= cUsingAllowed
	p.next()
	for p.tok != tRBrace {
		b.Body = append(b.Body, p.statement(inList))
	}
	p.ctx = c
	p.closeScope()
	p.next()
}

func (p *parser) parenthesized() Expr {
	p.expect(tLParen)
	e := p.expression()
	p.expect(tRParen)
	return e
}

// loopBody parses the body of a loop that starts at start.
func (p *parser) loopBody(start int32) Stmt {
	p.markLoop(start)
	p.loops++
	p.breakable++
	s := p.statement(inSub)
	p.loops--
	p.breakable--
	return s
}

// markLoop lets `continue` use the labels of the loop at start.
func (p *parser) markLoop(start int32) {
	i := len(p.labels) - 1
	if i < p.labelBase || p.labels[i].body != start {
		return
	}
	for p.labels[i].loop = true; p.labels[i].again; i-- {
		p.labels[i-1].loop = true
	}
}

func (p *parser) lexicalDeclaration(kind DeclKind, start int32, pl place) Stmt {
	if pl > inModule {
		if kind == DeclConst {
			p.unexpected()
		}
		p.fail(p.start, p.pos, "Lexical declaration cannot appear in a single-statement context")
	}
	d := p.varDeclaration(kind, start)
	p.semicolon()
	d.Span = p.span(start)
	return d
}

// varDeclaration parses the declarators of a declaration statement. The
// current token is the last keyword.
func (p *parser) varDeclaration(kind DeclKind, start int32) *VariableDeclaration {
	d := &VariableDeclaration{Kind: kind, Declare: p.ctx&cAmbient != 0}
	p.next()
	for {
		v := p.declarator(kind)
		p.needInit(v, kind)
		d.Declarations = append(d.Declarations, v)
		if p.tok != tComma {
			break
		}
		p.next()
	}
	d.Span = p.span(start)
	return d
}

// declarator parses one binding and its initializer and declares its names.
func (p *parser) declarator(kind DeclKind) *VariableDeclarator {
	v := &VariableDeclarator{}
	start := p.start
	if kind >= DeclUsing {
		v.ID = p.bindingIdent()
	} else {
		v.ID = p.bindingTarget()
	}
	if p.ts {
		if p.tok == tBang && !p.nl {
			v.Definite = true
			p.tsErase(Span{p.start, p.pos})
			p.next()
		}
		if p.tok == tColon {
			v.Type = p.tsAnnotation()
		}
	}
	if p.ctx&cAmbient == 0 {
		p.declarePattern(v.ID, kind)
	}
	if p.tok == tAssign {
		p.next()
		v.Init = p.assign()
	}
	v.Span = p.span(start)
	return v
}

// needInit refuses a declarator that needs an initializer and has none.
func (p *parser) needInit(v *VariableDeclarator, kind DeclKind) {
	if v.Init != nil || p.ctx&cAmbient != 0 {
		return
	}
	if _, ok := v.ID.(*Identifier); !ok {
		if p.tok == tDot || p.tok == tLBrack {
			p.inDeclaration()
		}
		if p.tok == tEOF || p.tok == tIllegal {
			p.fail(p.start, p.pos, "Missing initializer in destructuring declaration")
		}
		p.fail(v.ID.Range().Start, v.ID.Range().End, "Missing initializer in destructuring declaration")
	}
	switch kind {
	case DeclConst:
		if p.tok != tSemi && p.tok != tComma && p.tok != tEOF && p.tok != tRBrace && !p.nl {
			p.unexpected()
		}
		p.failAt(v.ID, "Missing initializer in const declaration")
	case DeclUsing, DeclAwaitUsing:
		p.failAt(v.ID, "Missing initializer in "+kind.String()+" declaration")
	}
}

func (p *parser) functionStatement(start int32, pl place) Stmt {
	async := p.tok == tAsync
	if async && pl > inModule {
		p.fail(p.start, p.pos, "Async functions can only be declared at the top level or inside a block.")
	}
	if pl > inModule && p.peek().tok == tStar {
		p.fail(p.start, p.pos, "Generators can only be declared at the top level or inside a block.")
	}
	if pl > inModule {
		switch {
		case p.strict():
			p.fail(p.start, p.pos, "In strict mode code, functions can only be declared at top level or inside a block.")
		case pl != inIf && pl != inLabel:
			p.fail(p.start, p.pos, "In non-strict mode code, functions can only be declared at top level, inside a block, or as the body of an if statement.")
		}
	}
	if pl == inIf {
		p.openScope()
	}
	d := p.functionDeclaration(start, false)
	if pl == inIf {
		p.closeScope()
	}
	return d
}

// functionDeclaration parses a function declaration and declares its name. In
// TypeScript it may be a signature.
func (p *parser) functionDeclaration(start int32, optionalName bool) Stmt {
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
	d := &FunctionDeclaration{Func: fn}
	if p.tok >= tIdent || !optionalName || p.tok != tLParen && p.tok != tLT {
		if p.tok == tLParen {
			p.fail(p.start, p.pos, "Function statements require a function name")
		}
		fn.ID = p.bindingIdent()
	}
	body := p.functionRest(fn)
	d.Span = p.span(start)
	fn.Span = d.Span
	if !body {
		if !p.ts {
			p.unexpected()
		}
		p.tsEraseStatement(d.Span)
		return &TSDeclareFunction{d.Span, fn.ID}
	}
	p.checkFunctionName(fn)
	if fn.ID != nil && p.ctx&cAmbient == 0 {
		name, at := fn.ID.Name, fn.ID.Span
		switch {
		case p.atTop() && !(p.prog.Goal == Module && p.scopes.fn == 1):
			p.declareVar(name, at, true)
		case p.strict() || fn.Async || fn.Generator:
			p.declareLex(name, at, lexNormal, nil)
		default:
			p.declareLex(name, at, lexFunction, d)
		}
	}
	return d
}

func (p *parser) classStatement(start int32, pl place) Stmt {
	decos := p.decorators()
	if p.tok == tExport && len(decos) > 0 && (pl == inModule || p.ts && pl == inList && p.typ.namespaces > 0) {
		return p.exportDeclaration(start, decos)
	}
	if p.ts && p.tok == tAbstract {
		p.tsErase(Span{p.start, p.pos})
		p.next()
	}
	if p.tok != tClass {
		if len(decos) > 0 && !p.ts {
			p.fail(start, start+1, msgInvalidToken)
		}
		p.unexpected()
	}
	return p.classDeclaration(start, false, decos)
}

func (p *parser) classDeclaration(start int32, optionalName bool, decos []*Decorator) *ClassDeclaration {
	c := p.class(start, true, optionalName)
	c.Decorators = decos
	if c.ID != nil && p.ctx&cAmbient == 0 {
		p.declareLex(c.ID.Name, c.ID.Span, lexNormal, nil)
	}
	return &ClassDeclaration{c.Span, c, p.ctx&cAmbient != 0}
}

func (p *parser) ifStatement(start int32) Stmt {
	s := &IfStatement{}
	p.next()
	s.Test = p.parenthesized()
	s.Consequent = p.statement(inIf)
	if p.eat(tElse) {
		s.Alternate = p.statement(inIf)
	}
	s.Span = p.span(start)
	return s
}

func (p *parser) jump(start int32) Stmt {
	isBreak := p.tok == tBreak
	keyword := Span{p.start, p.pos}
	p.next()
	var id *Identifier
	if p.tok >= tIdent && !p.nl {
		id = p.identRef0()
		found, loop := false, false
		if i := p.findLabel(id.Name); i >= 0 {
			found, loop = true, p.labels[i].loop
		}
		if !found {
			p.failf(id.Span, "Undefined label '%s'", id.Name)
		}
		if !isBreak && !loop {
			p.failf(id.Span, "Illegal continue statement: '%s' does not denote an iteration statement", id.Name)
		}
	} else if isBreak && p.breakable == 0 {
		p.fail(keyword.Start, keyword.End, "Illegal break statement")
	} else if !isBreak && p.loops == 0 {
		p.fail(keyword.Start, keyword.End, "Illegal continue statement: no surrounding iteration statement")
	}
	p.semicolon()
	if isBreak {
		return &BreakStatement{p.span(start), id}
	}
	return &ContinueStatement{p.span(start), id}
}

// findLabel returns the index of a label of the current function, or -1.
func (p *parser) findLabel(name string) int32 {
	if i, ok := p.labelIndex[name]; ok && int(i) >= p.labelBase {
		return i
	}
	return -1
}

func (p *parser) labelled(start int32, id *Identifier, pl place) Stmt {
	if p.findLabel(id.Name) >= 0 {
		p.failf(id.Span, "Label '%s' has already been declared", id.Name)
	}
	p.next()
	n := len(p.labels)
	l := label{name: id.Name, body: p.start, outer: -1}
	l.again = n > p.labelBase && p.labels[n-1].body == start
	if i, ok := p.labelIndex[id.Name]; ok {
		l.outer = i
	}
	if p.labelIndex == nil {
		p.labelIndex = make(map[string]int32)
	}
	p.labelIndex[id.Name] = int32(n)
	p.labels = append(p.labels, l)
	in := inLabel
	if pl > inLabel {
		in = inLabelOfSub
	}
	if p.tok == tLet && !p.esc && p.peek().tok == tLBrack {
		p.fail(p.start, p.pos, "Lexical declaration cannot appear in a single-statement context")
	}
	body := p.statement(in)
	p.labels = p.labels[:n]
	if l.outer >= 0 {
		p.labelIndex[id.Name] = l.outer
	} else {
		delete(p.labelIndex, id.Name)
	}
	return &LabeledStatement{p.span(start), id, body}
}

func (p *parser) tryStatement(start int32) Stmt {
	s := &TryStatement{}
	p.next()
	s.Block = p.block()
	if p.tok == tCatch {
		h := &CatchClause{}
		at := p.start
		p.next()
		p.openScope()
		if p.eat(tLParen) {
			h.Param = p.bindingTarget()
			kind := lexCatch
			if _, ok := h.Param.(*Identifier); ok {
				kind = lexCatchSimple
			}
			boundNames(h.Param, func(id *Identifier) { p.declareLex(id.Name, id.Span, kind, nil) })
			if p.ts && p.tok == tColon {
				h.ParamType = p.tsAnnotation()
			}
			p.expect(tRParen)
		}
		if p.tok != tLBrace {
			p.unexpected()
		}
		b := &BlockStatement{}
		bodyStart := p.start
		p.openScope()
		p.scopes.stack[len(p.scopes.stack)-1].body = true
		p.blockRest(b)
		b.Span = p.span(bodyStart)
		p.closeScope()
		h.Body = b
		h.Span = p.span(at)
		s.Handler = h
	}
	if p.eat(tFinally) {
		s.Finalizer = p.block()
	}
	if s.Handler == nil && s.Finalizer == nil {
		p.fail(p.start, p.pos, "Missing catch or finally after try")
	}
	s.Span = p.span(start)
	return s
}

func (p *parser) switchStatement(start int32) Stmt {
	s := &SwitchStatement{}
	p.next()
	s.Discriminant = p.parenthesized()
	if p.tok != tLBrace {
		p.unexpected()
	}
	p.next()
	c := p.ctx
	p.ctx &^= cUsingAllowed
	p.openScope()
	p.breakable++
	hasDefault := false
	for p.tok != tRBrace {
		k := &SwitchCase{}
		at := p.start
		if p.tok == tDefault {
			if hasDefault {
				p.fail(p.start, p.pos, "More than one default clause in switch statement")
			}
			hasDefault = true
			p.next()
		} else {
			p.expect(tCase)
			p.ctx |= cNoArrowType
			k.Test = p.expression()
			p.ctx &^= cNoArrowType
		}
		p.expect(tColon)
		for p.tok != tCase && p.tok != tDefault && p.tok != tRBrace {
			k.Consequent = append(k.Consequent, p.statement(inList))
		}
		k.Span = p.span(at)
		s.Cases = append(s.Cases, k)
	}
	p.breakable--
	p.closeScope()
	p.ctx = c
	p.next()
	s.Span = p.span(start)
	return s
}

// forStatement parses all kinds of for.
func (p *parser) forStatement(start int32) Stmt {
	p.next()
	await := false
	if p.tok == tAwait {
		if p.ctx&cAsync == 0 || p.esc {
			p.fail(p.start, p.pos, "Unexpected reserved word")
		}
		p.noteAwait()
		await = true
		p.next()
	}
	p.expect(tLParen)
	p.openScope()
	s := p.forHead(start, await)
	p.closeScope()
	return s
}

// forHead parses from behind the parenthesis on.
func (p *parser) forHead(start int32, await bool) Stmt {
	at := p.start
	c := p.ctx
	switch {
	case p.tok == tSemi && !await:
		return p.forRest(start, nil)
	case p.tok == tVar, p.tok == tConst, p.tok == tLet && !p.esc && p.forLetDeclares():
		kind := DeclVar
		switch p.tok {
		case tLet:
			kind = DeclLet
		case tConst:
			kind = DeclConst
		}
		p.next()
		return p.forDeclaration(start, at, kind, await)
	case p.tok == tUsing && !p.esc:
		// `using of` begins an expression, unless `using of = …`.
		ahead := p.peek()
		if ahead.tok >= tIdent && !ahead.nl {
			ok := ahead.tok != tOf
			if !ok {
				lex := p.lexer
				p.next()
				t := p.peek().tok
				ok = t == tAssign || t == tSemi || t == tColon && p.ts
				p.lexer = lex
			}
			if ok {
				p.next()
				return p.forDeclaration(start, at, DeclUsing, await)
			}
		}
	case p.tok == tAwait && p.ctx&cAsync != 0 && !p.esc && p.awaitUsing():
		p.noteAwait()
		p.next()
		p.next()
		return p.forDeclaration(start, at, DeclAwaitUsing, await)
	}
	startsLet := p.tok == tLet && !p.esc
	startsAsync := p.tok == tAsync && !p.esc
	saved := p.cov
	p.cov = noCover
	p.ctx |= cNoIn
	e := p.assignCover()
	p.ctx = c
	isOf := p.tok == tOf && !p.esc
	if isOf || p.tok == tIn && !await {
		if isOf {
			if startsLet {
				p.fail(at, p.prevEnd, "The left-hand side of a for-of loop may not start with 'let'.")
			}
			if id, ok := e.(*Identifier); ok && startsAsync && !await && e != p.lastParen && id.Name == "async" {
				p.fail(at, p.prevEnd, "The left-hand side of a for-of loop may not be 'async'.")
			}
		}
		var left Pattern
		switch e.(type) {
		case *ObjectExpression, *ArrayExpression:
			if e == p.lastParen {
				p.failAt(e, "Invalid left-hand side in for-loop")
			}
			left = p.toPattern(e, false)
		default:
			p.settle()
			left = p.simpleTarget(e, "Invalid left-hand side in for-loop", true)
		}
		p.cov = saved
		return p.forInOf(start, left, await, isOf)
	}
	p.checkCover()
	p.cov = saved
	if await {
		p.unexpected()
	}
	if p.tok == tComma {
		list := []Expr{e}
		p.ctx |= cNoIn
		for p.eat(tComma) {
			list = append(list, p.assign())
		}
		p.ctx = c
		e = &SequenceExpression{p.span(at), list}
	}
	return p.forRest(start, &ExpressionStatement{Span: p.span(at), Expression: e})
}

// forLetDeclares decides whether `let` begins a declaration in a for head.
func (p *parser) forLetDeclares() bool {
	ahead := p.peek()
	if ahead.tok == tLBrack || ahead.tok == tLBrace || ahead.tok >= tIdent || ahead.tok == tEscKeyword {
		return true
	}
	return p.strict() || ahead.tok.isReserved() && ahead.tok != tIn && ahead.tok != tInstanceof
}

// forDeclaration parses a for whose head begins with a declaration.
func (p *parser) forDeclaration(start, at int32, kind DeclKind, await bool) Stmt {
	d := &VariableDeclaration{Kind: kind}
	c := p.ctx
	p.ctx |= cNoIn
	v := p.declarator(kind)
	p.ctx = c
	d.Declarations = append(d.Declarations, v)
	isOf := p.tok == tOf && !p.esc
	if isOf || p.tok == tIn && !await {
		d.Span = p.span(at)
		p.checkForBinding(d, isOf)
		return p.forInOf(start, d, await, isOf)
	}
	if await {
		p.unexpected()
	}
	p.ctx |= cNoIn
	p.needInit(v, kind)
	for p.tok == tComma {
		p.next()
		v := p.declarator(kind)
		d.Declarations = append(d.Declarations, v)
		if p.tok == tIn || p.tok == tOf && !p.esc {
			d.Span = p.span(at)
			word := "for-in"
			if p.tok == tOf {
				word = "for-of"
			}
			p.failAt(d, "Invalid left-hand side in "+word+" loop: Must have a single binding.")
		}
		p.needInit(v, kind)
	}
	p.ctx = c
	d.Span = p.span(at)
	return p.forRest(start, d)
}

func (p *parser) checkForBinding(d *VariableDeclaration, isOf bool) {
	v := d.Declarations[0]
	word := "for-in"
	if isOf {
		word = "for-of"
	}
	if d.Kind >= DeclUsing && !isOf {
		p.failAt(v.ID, "Invalid left-hand side in for-in loop: a "+d.Kind.String()+" declaration can't be used there")
	}
	if v.Init == nil {
		return
	}
	_, simple := v.ID.(*Identifier)
	if isOf || d.Kind != DeclVar || p.strict() || !simple {
		p.failAt(d, word+" loop variable declaration may not have an initializer.")
	}
}

// forInOf parses the rest of for-in and for-of from the keyword on.
func (p *parser) forInOf(start int32, left Node, await, isOf bool) Stmt {
	p.next()
	if !isOf {
		s := &ForInStatement{Left: left}
		s.Right = p.expression()
		p.expect(tRParen)
		s.Body = p.loopBody(start)
		s.Span = p.span(start)
		return s
	}
	s := &ForOfStatement{Left: left, Await: await}
	s.Right = p.assign()
	p.expect(tRParen)
	s.Body = p.loopBody(start)
	s.Span = p.span(start)
	return s
}

// forRest parses the rest of a three-part for from the first semicolon on.
func (p *parser) forRest(start int32, init Stmt) Stmt {
	s := &ForStatement{Init: init}
	p.expect(tSemi)
	if p.tok != tSemi {
		s.Test = p.expression()
	}
	p.expect(tSemi)
	if p.tok != tRParen {
		s.Update = p.expression()
	}
	p.expect(tRParen)
	s.Body = p.loopBody(start)
	s.Span = p.span(start)
	return s
}
