package syntax

// ExampleSig is what Options.Examples lets a function declaration say of its
// parameters and its result: examples of their values.
type ExampleSig struct {
	Params []*ExampleParam
	Return Expr // may be nil
}

// ExampleParam is one parameter: name, name: example, name?: example or name =
// default, a list of such in braces, or another pattern.
type ExampleParam struct {
	Span
	Name     *Identifier // nil for braces and other patterns
	Optional bool        // `?`
	Example  Expr        // may be nil
	Default  Expr        // may be nil
	Members  []*ExampleParam
	Braces   bool
	Other    Pattern // a rest parameter, an array pattern
}

const (
	hintExample = "give an example of the value behind the name: { city: 'Oslo', count: 3 }"
	hintReturn  = "give an example of the result: ): { name: '', count: 0 } {"
)

// exampleParams parses the parameters in parentheses, in place of params.
func (p *parser) exampleParams(fn *Function) (dup Span) {
	start := p.start
	if p.tok != tLParen {
		p.unexpected()
	}
	p.next()
	fn.SimpleParams = true
	sig := &ExampleSig{}
	fn.Examples = sig
	for p.tok != tRParen {
		at := p.start
		q := &ExampleParam{}
		var t Pattern
		switch p.tok {
		case tLBrace:
			t = p.exampleBraces(q)
			fn.SimpleParams = false
		case tLBrack, tEllipsis:
			rest := p.tok == tEllipsis
			if rest {
				p.next()
			}
			t = p.bindingTarget()
			if rest {
				t = &RestElement{p.span(at), t}
			} else {
				t = p.bindingDefault(t, at)
			}
			q.Other = t
			fn.SimpleParams = false
		default:
			t = p.exampleName(q)
			if q.Default != nil {
				fn.SimpleParams = false
			}
		}
		q.Span = p.span(at)
		sig.Params = append(sig.Params, q)
		if d := p.declareParamNames(t); dup.End == 0 {
			dup = d
		}
		fn.Params = append(fn.Params, t)
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
	if p.tok == tColon {
		p.next()
		if p.tok == tRBrace || p.tok == tEOF {
			p.failHint(p.start, p.pos, "Unexpected end of the result's example", hintReturn)
		}
		sig.Return = p.example()
	}
	return dup
}

// exampleBraces parses a list of parameters in braces.
func (p *parser) exampleBraces(q *ExampleParam) Pattern {
	start := p.start
	q.Braces = true
	o := &ObjectPattern{}
	p.next()
	for p.tok != tRBrace {
		at := p.start
		m := &ExampleParam{}
		if p.tok == tEllipsis {
			p.next()
			o.Rest = &RestElement{Argument: p.bindingIdent()}
			o.Rest.Span = p.span(at)
			m.Other = o.Rest
			m.Span = o.Rest.Span
			q.Members = append(q.Members, m)
			break
		}
		t := p.exampleName(m)
		m.Span = p.span(at)
		q.Members = append(q.Members, m)
		o.Properties = append(o.Properties, &AssignmentProperty{Span: m.Span, Shorthand: true, Key: &Identifier{m.Name.Span, m.Name.Name}, Value: t})
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if p.tok != tRBrace {
		p.unexpected()
	}
	p.next()
	o.Span = p.span(start)
	if p.tok == tAssign {
		// The list as a whole may have a default that says nothing: = {}.
		return p.bindingDefault(o, start)
	}
	return o
}

// exampleName parses one named parameter.
func (p *parser) exampleName(q *ExampleParam) Pattern {
	if p.tok < tIdent {
		p.unexpected()
	}
	start := p.start
	q.Name = p.bindingIdent()
	if p.tok == tQuestion {
		q.Optional = true
		p.next()
		if p.tok != tColon && p.tok != tComma && p.tok != tRParen && p.tok != tRBrace {
			p.failHint(p.start, p.pos, "Unexpected token '"+p.tokenText()+"'", hintExample)
		}
	}
	switch p.tok {
	case tColon:
		p.next()
		q.Example = p.example()
		if p.tok == tAssign {
			p.failHint(p.start, p.pos, "Unexpected token '='", "write an example (name: 1) or a default (name = 1), not both")
		}
	case tAssign:
		p.next()
		q.Default = p.example()
		return &AssignmentPattern{p.span(start), false, q.Name, q.Default}
	}
	return q.Name
}

// example parses an expression whose object literals may mark members as
// optional.
func (p *parser) example() Expr {
	c, in := p.ctx, p.inExample
	p.ctx &^= cNoIn | cNoArrowType
	p.inExample = true
	e := p.assign()
	p.ctx, p.inExample = c, in
	return e
}
