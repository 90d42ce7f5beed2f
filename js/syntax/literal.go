package syntax

// checkOctal refuses legacy octal syntax in the current token in strict code.
func (p *parser) checkOctal() {
	if p.octal != 0 && p.strict() {
		p.fail(p.octPos, p.pos, octalMessages[p.octal])
	}
}

func (p *parser) regexp() Expr {
	start := p.start
	pattern, flags := p.scanRegExp()
	seen := uint32(0)
	for i := 0; i < len(flags); i++ {
		bit := uint32(0)
		switch c := flags[i]; c {
		case 'd', 'g', 'i', 'm', 's', 'u', 'v', 'y':
			bit = 1 << (c - 'a')
		}
		if bit == 0 || seen&bit != 0 {
			p.fail(start, p.pos, "Invalid regular expression flags")
		}
		seen |= bit
	}
	if seen&(1<<('u'-'a')) != 0 && seen&(1<<('v'-'a')) != 0 {
		p.fail(start, p.pos, "Invalid regular expression flags")
	}
	if p.opt.CheckRegExp != nil {
		msg, err := p.opt.CheckRegExp(pattern, flags)
		if err != nil {
			panic(abort{err})
		}
		if msg != "" {
			p.fail(start, p.pos, msg)
		}
	}
	r := &RegExpLiteral{Span{start, p.pos}, pattern, flags}
	p.next()
	return r
}

// template parses a template literal whose first chunk is the current token.
func (p *parser) template(tagged bool) *TemplateLiteral {
	start := p.start
	t := &TemplateLiteral{}
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	for {
		if p.tok == tIllegal {
			p.unexpected()
		}
		if p.invalid && !tagged {
			p.fail(p.errPos, p.errPos+2, p.illegal)
		}
		q := &TemplateElement{Span: Span{p.start + 1, p.pos - 1}, Raw: p.templateRaw(), Invalid: p.invalid}
		if !p.invalid {
			q.Cooked = p.val
		}
		tail := p.tail
		if !tail {
			q.End--
		}
		t.Quasis = append(t.Quasis, q)
		if tail {
			p.ctx = c
			p.next()
			break
		}
		p.next()
		t.Expressions = append(t.Expressions, p.expression())
		if p.tok != tRBrace {
			if p.tok == tEOF || p.tok == tIllegal {
				p.unexpected()
			}
			p.fail(p.start, p.pos, "Missing } in template expression")
		}
		p.scanTemplate()
	}
	t.Span = p.span(start)
	return t
}

// array parses an array literal or what may become an array pattern.
func (p *parser) array() Expr {
	a := &ArrayExpression{}
	start := p.start
	c := p.ctx
	p.ctx &^= cNoIn | cNoArrowType
	p.next()
	for p.tok != tRBrack {
		if p.tok == tComma {
			a.Elements = append(a.Elements, nil)
			p.next()
			continue
		}
		if p.tok == tEllipsis {
			s := &SpreadElement{}
			at := p.start
			p.next()
			s.Argument = p.assignCover()
			s.Span = p.span(at)
			a.Elements = append(a.Elements, s)
			if p.tok == tComma && p.cov.bad < 0 {
				p.cov.bad = at
			}
		} else {
			a.Elements = append(a.Elements, p.assignCover())
		}
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRBrack {
		p.unexpected()
	}
	p.ctx = c
	p.next()
	a.Span = p.span(start)
	return a
}
