package syntax

// classExpression parses a class expression, with decorators.
func (p *parser) classExpression() Expr { //meter: what a class extends, and its body, enters
	start := p.start
	decos := p.decorators()
	if p.tok != tClass {
		p.unexpected()
	}
	c := p.class(start, false, false)
	c.Decorators = decos
	return &ClassExpression{c.Span, c}
}

// decorators parses a list of decorators and notes that they need code.
func (p *parser) decorators() []*Decorator {
	var list []*Decorator
	for p.tok == tAt {
		list = append(list, p.decorator("decorator"))
	}
	return list
}

func (p *parser) decorator(construct string) *Decorator { //meter: each class and each expression enters
	d := &Decorator{}
	start := p.start
	p.next()
	if p.tok == tEOF && !p.ts {
		p.fail(start, start+1, msgInvalidToken)
	}
	at := p.start
	var e Expr
	if p.tok == tLParen {
		e, _ = p.paren(false)
	} else {
		e = p.identRef()
		for p.tok == tDot {
			p.next()
			e = p.member(e, at, false)
			p.taller()
		}
		var targs *TSTypeArguments
		if p.ts && (p.tok == tLT || p.tok == tShl) {
			if targs = p.tsTryTypeArgs(); targs != nil {
				p.tsErase(targs.Span)
			}
		}
		if p.tok == tLParen {
			e = p.call(e, at, targs, false)
		}
	}
	d.Expression = e
	d.Span = p.span(start)
	p.nonErasable(d.Span, construct)
	return d
}

// class parses from `class` on. A declaration needs a name unless optional.
func (p *parser) class(start int32, declaration, optional bool) *Class {
	c := &Class{}
	outer := p.ctx
	outerUse := p.use
	p.use = 0
	p.ctx = p.ctx&^(cNoIn|cNoArrowType) | cStrict
	p.next()
	if p.tok >= tIdent && !(p.ts && p.tok == tImplements) {
		c.ID = p.bindingIdent()
	} else if declaration && !optional {
		p.unexpected()
	}
	if p.ts && p.tok == tLT {
		c.TypeParams = p.tsMaybeTypeParams()
	}
	if p.eat(tExtends) {
		at := p.start
		p.cov = noCover
		p.enter()
		c.SuperClass = p.subscripts(p.heritage(), at, false)
		p.leave()
		p.settle()
		if p.ts {
			if inst, ok := c.SuperClass.(*TSInstantiationExpression); ok && c.SuperClass != p.lastParen {
				c.SuperClass, c.SuperTypeArgs = inst.Expression, inst.TypeArgs
			} else if p.tok == tLT {
				c.SuperTypeArgs = p.tsTypeArgs()
				p.tsErase(c.SuperTypeArgs.Span)
			}
		}
	}
	if p.ts && p.tok == tImplements {
		at := p.start
		p.next()
		c.Implements = append(c.Implements, p.tsType())
		for p.eat(tComma) {
			c.Implements = append(c.Implements, p.tsType())
		}
		p.tsErase(p.span(at))
	}
	body := p.start
	if p.tok != tLBrace {
		p.unexpected()
	}
	saved := p.openPrivate()
	p.next()
	for p.tok != tRBrace {
		if p.eat(tSemi) {
			continue
		}
		p.enter()
		p.classMember(c)
		p.leave()
	}
	p.ctx = outer
	p.closePrivate(saved, body)
	p.next()
	c.BodySpan = p.span(body)
	c.Span = p.span(start)
	c.HasDirectEval = p.use&uInnerEval != 0
	p.use |= outerUse
	return c
}

// heritage parses the LeftHandSideExpression behind extends up to its first
// subscript.
func (p *parser) heritage() Expr {
	if p.tok == tLT && p.ts {
		p.unexpected()
	}
	return p.primary()
}

// memberHead is what has been read before the name of a class member.
type memberHead struct {
	start      int32 // of the whole member
	fnStart    int32 // of what toString shows
	decos      []*Decorator
	mods       TSModifier
	static     bool
	async, gen bool
	accessor   bool
	kind       MethodKind
	key        Expr
	computed   bool
}

// keyFollows: the token behind a word says that the word is the member's name.
func (p *parser) keyFollows() bool {
	switch p.tok {
	case tLParen, tSemi, tRBrace, tAssign, tEOF:
		return true
	case tColon, tQuestion, tBang, tLT:
		return p.ts
	}
	return false
}

// classMember parses one ClassElement and adds it to c.
func (p *parser) classMember(c *Class) {
	h := memberHead{start: p.start}
	h.decos = p.decorators()
	if p.ts {
		p.tsMemberModifiers(&h)
	}
	h.fnStart = p.start
	if h.key == nil && p.tok == tStatic && !p.esc {
		tok := p.lexer
		p.next()
		switch {
		case p.keyFollows():
			h.key = &Identifier{Span{tok.start, tok.pos}, tok.val}
		case p.tok == tLBrace && len(h.decos) == 0:
			p.staticBlock(c, h.start)
			return
		default:
			h.static = true
			if p.ts {
				p.tsMemberModifiers(&h)
			}
			h.fnStart = p.start
		}
	}
	if h.key == nil && p.ts && p.tok == tLBrack && p.tsIndexSignature(&h, c) {
		return
	}
	if h.key == nil && !p.esc {
		tok := p.lexer
		switch p.tok {
		case tAsync:
			p.next()
			if p.keyFollows() || p.nl {
				h.key = &Identifier{Span{tok.start, tok.pos}, tok.val}
			} else {
				h.async = true
				h.gen = p.eat(tStar)
			}
		case tGet, tSet:
			p.next()
			// A generator may follow a field named get on the line before.
			if p.keyFollows() || p.tok == tStar {
				h.key = &Identifier{Span{tok.start, tok.pos}, tok.val}
			} else if tok.tok == tGet {
				h.kind = MethodGet
			} else {
				h.kind = MethodSet
			}
		case tAccessor:
			p.next()
			if p.keyFollows() || p.nl {
				h.key = &Identifier{Span{tok.start, tok.pos}, tok.val}
			} else {
				h.accessor = true
			}
		case tStar:
			p.next()
			h.gen = true
		}
	}
	if h.key == nil {
		if p.tok == tPrivate {
			h.key = &PrivateIdentifier{Span{p.start, p.pos}, p.val}
			p.next()
		} else {
			h.key, h.computed = p.propertyName()
		}
	}
	optional := false
	if p.ts && p.tok == tQuestion {
		optional = true
		p.tsErase(Span{p.start, p.pos})
		p.next()
	}
	if p.tok == tLParen || p.ts && p.tok == tLT {
		p.method(c, &h, optional)
		return
	}
	if h.async || h.gen || h.kind != MethodMethod {
		p.unexpected()
	}
	if p.tok == tColon && !p.ts {
		if id, ok := h.key.(*Identifier); ok && !h.computed {
			p.fail(id.Start, id.End, "Unexpected identifier '"+id.Name+"'")
		}
	}
	p.field(c, &h, optional)
}

// keyName returns the name of a key that isn't computed or private.
func keyName(key Expr, computed bool) (string, bool) {
	if computed {
		return "", false
	}
	switch k := key.(type) {
	case *Identifier:
		return k.Name, true
	case *StringLiteral:
		return k.Value, true
	}
	return "", false
}

func (p *parser) method(c *Class, h *memberHead, optional bool) {
	if h.accessor {
		p.unexpected()
	}
	m := &MethodDefinition{Kind: h.kind, Static: h.static, Computed: h.computed, Key: h.key,
		Decorators: h.decos, Modifiers: h.mods, Optional: optional}
	fn := &Function{Kind: FuncMethod, Async: h.async, Generator: h.gen}
	switch h.kind {
	case MethodGet:
		fn.Kind = FuncGetter
	case MethodSet:
		fn.Kind = FuncSetter
	}
	name, named := keyName(h.key, h.computed)
	at := h.key.Range()
	switch {
	case named && name == "constructor" && !h.static:
		switch {
		case h.kind != MethodMethod:
			p.fail(at.Start, at.End, "Class constructor may not be an accessor")
		case h.gen && h.async:
			p.fail(at.Start, at.End, "Class constructor may not be an async method")
		case h.gen:
			p.fail(at.Start, at.End, "Class constructor may not be a generator")
		case h.async:
			p.fail(at.Start, at.End, "Class constructor may not be an async method")
		}
		m.Kind = MethodConstructor
		fn.Kind = FuncConstructor
		if c.SuperClass != nil {
			fn.Kind = FuncDerivedConstructor
		}
	case named && name == "prototype" && h.static:
		p.fail(at.Start, at.End, "Classes may not have a static property named 'prototype'")
	}
	body := p.functionRest(fn)
	fn.Span = p.span(h.fnStart)
	m.Span = p.span(h.start)
	c.Members = append(c.Members, m)
	if !body {
		p.tsErase(m.Span)
		return
	}
	if id, ok := h.key.(*PrivateIdentifier); ok && !h.computed {
		if id.Name == "constructor" {
			p.fail(id.Start, id.End, "Class constructor may not be a private method")
		}
		kind := privField
		switch {
		case h.kind == MethodGet && h.static:
			kind = privStaticGet
		case h.kind == MethodSet && h.static:
			kind = privStaticSet
		case h.kind == MethodGet:
			kind = privGet
		case h.kind == MethodSet:
			kind = privSet
		}
		p.declarePrivate(id.Name, id.Span, kind)
		c.HasPrivate = true
	}
	m.Func = fn
	if m.Kind == MethodConstructor {
		if c.Constructor != nil {
			p.fail(at.Start, at.End, "A class may only have one constructor")
		}
		c.Constructor = m
	}
}

// field parses the rest of a field from behind its name.
func (p *parser) field(c *Class, h *memberHead, optional bool) {
	f := &PropertyDefinition{Static: h.static, Computed: h.computed, Accessor: h.accessor, Key: h.key,
		Decorators: h.decos, Modifiers: h.mods, Optional: optional}
	at := h.key.Range()
	if name, ok := keyName(h.key, h.computed); ok {
		if name == "constructor" {
			p.fail(at.Start, at.End, "Classes may not have a field named 'constructor'")
		}
		if name == "prototype" && h.static {
			p.fail(at.Start, at.End, "Classes may not have a static property named 'prototype'")
		}
	}
	if p.ts {
		if p.tok == tBang && !p.nl {
			f.Definite = true
			p.tsErase(Span{p.start, p.pos})
			p.next()
		}
		if p.tok == tColon {
			f.Type = p.tsAnnotation()
		}
	}
	if p.tok == tAssign {
		fn := &Function{Kind: FuncFieldInit, Strict: true, SimpleParams: true}
		k := p.ctx&(cStrict|cModule) | cNewTarget | cSuperProp | cNoArguments
		if p.ctx&(cAsync|cNoAwait) != 0 {
			k |= cNoAwait
		}
		p.next()
		saved := p.enterFunction(k)
		fn.ExprBody = p.assign()
		p.leaveFunction(saved, fn, usePastFunction)
		fn.Span = fn.ExprBody.Range()
		fn.BodySpan = fn.Span
		f.Init = fn
	}
	p.semicolon()
	f.Span = p.span(h.start)
	c.Members = append(c.Members, f)
	if h.mods&(TSDeclare|TSAbstract) != 0 {
		p.tsErase(f.Span)
		return
	}
	if id, ok := h.key.(*PrivateIdentifier); ok && !h.computed {
		p.declarePrivate(id.Name, id.Span, privField)
		c.HasPrivate = true
	}
	if h.static {
		c.HasStaticElements = true
	} else {
		c.HasInstanceFields = true
	}
}

// staticBlock parses `{ … }` behind static.
func (p *parser) staticBlock(c *Class, start int32) {
	fn := &Function{Kind: FuncStaticBlock, SimpleParams: true, Strict: true}
	at := p.start
	saved := p.enterFunction(p.ctx&(cStrict|cModule) | cNewTarget | cSuperProp | cNoArguments | cNoAwait | cUsingAllowed)
	p.next()
	for p.tok != tRBrace {
		fn.Body = append(fn.Body, p.statement(inList))
	}
	p.next()
	p.leaveFunction(saved, fn, usePastFunction)
	fn.BodySpan = p.span(at)
	fn.Span = p.span(start)
	c.Members = append(c.Members, &StaticBlock{fn.Span, fn})
	c.HasStaticElements = true
}
