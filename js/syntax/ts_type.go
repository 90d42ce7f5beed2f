package syntax

import "sort"

// Types contain no expressions, so parsing one leaves no traces but erased
// spans, and a type can be tried and taken back. To keep that linear, what a
// try finds out is remembered by offset: type argument lists that parsed, those
// that can't, and parentheses that begin a function type.

type argsMemo struct {
	args  *TSTypeArguments
	after lexer
}

// typeAlias is import name = target.….
type typeAlias struct {
	name, target string
	export       bool
}

type typeState struct {
	erased        []ErasedSpan
	names         map[string]struct{} // names that are types only
	namespaces    int                 // namespaces around
	args          map[int32]argsMemo  // by offset of `<`; nil args: can't be parsed
	open          []int32             // type argument lists being parsed
	parens        map[int32]bool      // parentheses followed by `=>`
	used          map[string]struct{} // names that a module refers to as values
	noConditional bool
	aliases       []typeAlias
	angle         int32 // behind the `<` that began an operand last
	ahead         int   // tokens that colonAhead has looked at
}

// refer notes a reference to a value in a TypeScript module, whose imports are
// dropped when nothing refers to them.
func (p *parser) refer(name string) {
	if !p.ts || p.prog.Goal != Module {
		return
	}
	if p.typ.used == nil {
		p.typ.used = make(map[string]struct{})
	}
	p.typ.used[name] = struct{}{}
}

func (p *parser) tsErase(s Span) {
	if p.ts && s.End > s.Start {
		p.typ.erased = append(p.typ.erased, ErasedSpan{Span: s})
	}
}

func (p *parser) tsEraseStatement(s Span) {
	p.typ.erased = append(p.typ.erased, ErasedSpan{Span: s, Statement: true})
}

// sortErased orders the spans and drops those inside of others.
func sortErased(list []ErasedSpan) []ErasedSpan {
	if len(list) == 0 {
		return nil
	}
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].Start != list[j].Start {
			return list[i].Start < list[j].Start
		}
		return list[i].End > list[j].End
	})
	out := list[:1]
	for _, e := range list[1:] {
		if e.Start < out[len(out)-1].End {
			continue
		}
		out = append(out, e)
	}
	return out
}

// tsName records a name that stands for a type only.
func (p *parser) tsName(name string) {
	if p.typ.names == nil {
		p.typ.names = make(map[string]struct{})
	}
	p.typ.names[name] = struct{}{}
}

// isGT: the current token begins with `>`.
func (p *parser) isGT() bool {
	switch p.tok {
	case tGT, tShr, tUShr, tGE:
		return true
	case tAssignOp:
		return p.op == OpShr || p.op == OpUShr
	}
	return false
}

// expectGT reads one `>`, splitting a longer token.
func (p *parser) expectGT() {
	if !p.isGT() {
		p.unexpected()
	}
	p.pos = p.start + 1
	p.next()
}

// openLT reads one `<`, splitting `<<`.
func (p *parser) openLT() {
	if p.tok != tLT && p.tok != tShl {
		p.unexpected()
	}
	p.pos = p.start + 1
	p.next()
}

// ---- Type parameters and arguments ----

func (p *parser) tsMaybeTypeParams() *TSTypeParameters {
	if !p.ts || p.tok != tLT {
		return nil
	}
	t := p.tsTypeParams()
	p.tsErase(t.Span)
	return t
}

func (p *parser) tsTypeParams() *TSTypeParameters {
	t := &TSTypeParameters{}
	start := p.start
	outer := p.typ.noConditional
	p.typ.noConditional = false
	p.openLT()
	for !p.isGT() {
		q := &TSTypeParameter{}
		at := p.start
		for p.tok == tConst || p.tok == tIn || p.tok == tIdent && p.val == "out" && p.peek().tok.isName() {
			p.next()
		}
		if p.tok < tIdent {
			p.unexpected()
		}
		q.Name = p.val
		p.next()
		if p.eat(tExtends) {
			q.Constraint = p.tsType()
		}
		if p.eat(tAssign) {
			q.Default = p.tsType()
		}
		q.Span = p.span(at)
		t.Params = append(t.Params, q)
		if p.tok != tComma {
			break
		}
		p.next()
	}
	if len(t.Params) == 0 {
		p.unexpected()
	}
	p.typ.noConditional = outer
	p.expectGT()
	t.Span = p.span(start)
	return t
}

// tsTypeArgs parses type arguments that have to be there.
func (p *parser) tsTypeArgs() *TSTypeArguments {
	start := p.start
	if m, ok := p.typ.args[start]; ok && m.args != nil {
		p.lexer = m.after
		return m.args
	}
	t := &TSTypeArguments{}
	p.typ.open = append(p.typ.open, start)
	outer := p.typ.noConditional
	p.typ.noConditional = false
	p.openLT()
	for {
		t.Types = append(t.Types, p.tsType())
		if !p.eat(tComma) || p.isGT() {
			break
		}
	}
	p.typ.noConditional = outer
	p.expectGT()
	t.Span = p.span(start)
	p.typ.open = p.typ.open[:len(p.typ.open)-1]
	p.remember(start, argsMemo{t, p.lexer})
	return t
}

func (p *parser) remember(at int32, m argsMemo) {
	if p.typ.args == nil {
		p.typ.args = make(map[int32]argsMemo)
	}
	p.typ.args[at] = m
}

// tsTryTypeArgs parses type arguments if there are any here; else it returns
// nil and leaves the position alone.
func (p *parser) tsTryTypeArgs() *TSTypeArguments {
	start := p.start
	if m, ok := p.typ.args[start]; ok {
		if m.args != nil {
			p.lexer = m.after
		}
		return m.args
	}
	if !p.typeArgsLikely() {
		return nil
	}
	base := len(p.typ.open)
	noCond := p.typ.noConditional
	var t *TSTypeArguments
	if p.try(func() { t = p.tsTypeArgs() }) {
		return t
	}
	for _, at := range p.typ.open[base:] {
		p.remember(at, argsMemo{})
	}
	p.typ.open = p.typ.open[:base]
	p.typ.noConditional = noCond
	return nil
}

// typeArgsLikely looks at two tokens to tell common comparisons from type
// arguments.
func (p *parser) typeArgsLikely() bool {
	if p.tok != tLT {
		return true
	}
	lex := p.lexer
	p.next()
	first := p.tok
	p.next()
	second := p.tok
	p.lexer = lex
	if first != tIdent && first != tNumber && first != tString {
		return true
	}
	switch second {
	case tSemi, tRParen, tRBrace, tRBrack, tLParen, tEOF, tQuestion, tColon, tPlus, tMinus, tStar, tSlash, tPercent,
		tAndAnd, tOrOr, tNullish, tEqEq, tEqEqEq, tNotEq, tNotEqEq, tInc, tDec, tLBrace:
		return false
	}
	return true
}

// tsExprTypeArgs parses type arguments behind an expression if the token behind
// them allows that reading.
func (p *parser) tsExprTypeArgs() *TSTypeArguments {
	lex := p.lexer
	t := p.tsTryTypeArgs()
	if t == nil {
		return nil
	}
	ok := true
	switch p.tok {
	case tLParen, tTemplate:
	case tLT, tShl, tPlus, tMinus:
		ok = false
	default:
		joined := p.start == p.prevEnd && (p.isGT() || p.src[p.start:] != "" && p.src[p.start] == '=')
		ok = !p.isGT() && !joined && (p.nl || binaryOps[p.tok].prec > 0 || p.tok == tAs || p.tok == tSatisfies || !p.startsExpression())
	}
	if !ok {
		p.lexer = lex
		return nil
	}
	return t
}

// startsExpression: the current token can begin an expression.
func (p *parser) startsExpression() bool {
	switch p.tok {
	case tLParen, tLBrack, tLBrace, tNumber, tBigInt, tString, tTemplate, tPrivate, tAt, tInc, tDec, tBang, tTilde,
		tPlus, tMinus, tSlash, tFunction, tClass, tNew, tThis, tSuper, tNull, tTrue, tFalse, tTypeof, tVoid, tDelete, tImport:
		return true
	case tAssignOp:
		return p.op == OpDiv
	}
	return p.tok >= tIdent
}

// ---- Annotations ----

// tsAnnotation parses `: T` and erases it.
func (p *parser) tsAnnotation() TSType {
	start := p.start
	p.expect(tColon)
	t := p.tsType()
	p.tsErase(p.span(start))
	return t
}

// tsReturnType parses `: T` behind parameters, where T may be a predicate.
func (p *parser) tsReturnType() TSType {
	start := p.start
	p.expect(tColon)
	t := p.tsReturn()
	p.tsErase(p.span(start))
	return t
}

// tsReturn parses a type or a type predicate.
func (p *parser) tsReturn() TSType {
	start := p.start
	if p.tok == tAsserts {
		ahead := p.peek()
		if !ahead.nl && (ahead.tok == tThis || ahead.tok >= tIdent && ahead.tok != tIs) {
			p.next()
			n := &TSTypeNode{Kind: TSPredicate, Name: p.val, Optional: true}
			p.next()
			if p.tok == tIs && !p.nl {
				p.next()
				n.Types = []TSType{p.tsType()}
			}
			n.Span = p.span(start)
			return n
		}
	}
	if p.tok == tThis || p.tok >= tIdent {
		if ahead := p.peek(); ahead.tok == tIs && !ahead.nl {
			n := &TSTypeNode{Kind: TSPredicate, Name: p.val}
			p.next()
			p.next()
			n.Types = []TSType{p.tsType()}
			n.Span = p.span(start)
			return n
		}
	}
	return p.tsType()
}

// ---- Types ----

func (p *parser) tsType() TSType {
	p.enter()
	t := p.tsTypeInner()
	p.depth--
	return t
}

func (p *parser) tsTypeInner() TSType {
	start := p.start
	switch {
	case p.tok == tLT || p.tok == tLParen && p.parenIsFunction():
		return p.tsFunctionType(TSFunction)
	case p.tok == tNew:
		return p.tsFunctionType(TSConstructor)
	case p.tok == tAbstract && p.peek().tok == tNew:
		p.next()
		return p.tsFunctionType(TSConstructor)
	}
	t := p.tsUnion()
	if p.tok != tExtends || p.nl || p.typ.noConditional {
		return t
	}
	p.next()
	p.typ.noConditional = true
	ext := p.tsType()
	p.typ.noConditional = false
	return p.tsConditional(start, t, ext)
}

// tsConditional parses `? A : B`.
func (p *parser) tsConditional(start int32, check, ext TSType) TSType {
	p.expect(tQuestion)
	outer := p.typ.noConditional
	p.typ.noConditional = false
	a := p.tsType()
	p.expect(tColon)
	b := p.tsType()
	p.typ.noConditional = outer
	return &TSTypeNode{Span: p.span(start), Kind: TSConditional, Types: []TSType{check, ext, a, b}}
}

func (p *parser) tsUnion() TSType {
	start := p.start
	lead := p.eat(tBitOr)
	t := p.tsIntersection()
	if p.tok != tBitOr && !lead {
		return t
	}
	list := []TSType{t}
	for p.eat(tBitOr) {
		list = append(list, p.tsIntersection())
	}
	return &TSTypeNode{Span: p.span(start), Kind: TSUnion, Types: list}
}

func (p *parser) tsIntersection() TSType {
	start := p.start
	lead := p.eat(tBitAnd)
	t := p.tsOperator()
	if p.tok != tBitAnd && !lead {
		return t
	}
	list := []TSType{t}
	for p.eat(tBitAnd) {
		list = append(list, p.tsOperator())
	}
	return &TSTypeNode{Span: p.span(start), Kind: TSIntersection, Types: list}
}

// startsType: the token can begin a type.
func startsType(t token) bool {
	switch t {
	case tLBrace, tLBrack, tLParen, tLT, tString, tNumber, tBigInt, tTemplate, tMinus,
		tNew, tThis, tTypeof, tVoid, tNull, tTrue, tFalse, tImport:
		return true
	}
	return t >= tIdent
}

func (p *parser) tsOperator() TSType { //meter: each operator enters
	start := p.start
	switch p.tok {
	case tKeyof, tUnique, tReadonly:
		ahead := p.peek()
		if !startsType(ahead.tok) || ahead.tok == tLT || ahead.nl && p.tok != tKeyof {
			break
		}
		n := &TSTypeNode{Kind: TSOperator, Name: p.val}
		p.next()
		p.enter()
		n.Types = []TSType{p.tsOperator()}
		p.leave()
		n.Span = p.span(start)
		return n
	case tInfer:
		if p.peek().tok < tIdent {
			break
		}
		p.next()
		n := &TSTypeNode{Kind: TSInfer, Name: p.val}
		p.next()
		n.Span = p.span(start)
		if p.tok != tExtends || p.nl {
			return n
		}
		outer := p.typ.noConditional
		p.typ.noConditional = true
		p.next()
		constraint := p.tsType()
		p.typ.noConditional = outer
		if !outer && p.tok == tQuestion {
			// Not a constraint: a conditional type that checks what is inferred.
			return p.tsConditional(start, n, constraint)
		}
		n.Types = []TSType{constraint}
		n.Span = p.span(start)
		return n
	case tLT, tNew:
		// Function types bind weaker, but V | () => W is common enough.
		return p.tsType()
	case tLParen:
		if p.parenIsFunction() {
			return p.tsType()
		}
	}
	return p.tsPostfix()
}

// tsPostfix parses T[] and T[K].
func (p *parser) tsPostfix() TSType {
	start := p.start
	t := p.tsPrimary()
	for p.tok == tLBrack && !p.nl {
		p.taller()
		p.next()
		if p.eat(tRBrack) {
			t = &TSTypeNode{Span: p.span(start), Kind: TSArray, Types: []TSType{t}}
			continue
		}
		outer := p.typ.noConditional
		p.typ.noConditional = false
		k := p.tsType()
		p.typ.noConditional = outer
		p.expect(tRBrack)
		t = &TSTypeNode{Span: p.span(start), Kind: TSIndexed, Types: []TSType{t, k}}
	}
	return t
}

func (p *parser) tsPrimary() TSType {
	n := &TSTypeNode{}
	start := p.start
	switch p.tok {
	case tString, tNumber, tBigInt, tTrue, tFalse, tNull:
		n.Kind = TSLiteral
		n.Name = p.src[p.start:p.pos]
		p.next()
	case tMinus:
		n.Kind = TSLiteral
		p.next()
		if p.tok != tNumber && p.tok != tBigInt {
			p.unexpected()
		}
		n.Name = "-" + p.src[p.start:p.pos]
		p.next()
	case tVoid, tThis:
		n.Kind = TSKeyword
		n.Name = p.val
		p.next()
	case tTemplate:
		p.tsTemplate(n)
	case tLBrace:
		return p.tsObjectType()
	case tLBrack:
		return p.tsTuple()
	case tLParen:
		n.Kind = TSParen
		outer := p.typ.noConditional
		p.typ.noConditional = false
		p.next()
		n.Types = []TSType{p.tsType()}
		p.typ.noConditional = outer
		p.expect(tRParen)
	case tTypeof:
		p.next()
		n.Kind = TSQuery
		if p.tok == tImport {
			n.Types = []TSType{p.tsImportType()}
			break
		}
		p.tsDotted(n)
	case tImport:
		return p.tsImportType()
	default:
		if p.tok < tIdent {
			p.unexpected()
		}
		if isKeywordType(p.val) && !p.esc && p.peek().tok != tDot {
			n.Kind = TSKeyword // takes no type arguments
			n.Name = p.val
			p.next()
			break
		}
		n.Kind = TSReference
		p.tsDotted(n)
	}
	n.Span = p.span(start)
	return n
}

func isKeywordType(s string) bool {
	switch s {
	case "any", "unknown", "never", "string", "number", "boolean", "bigint", "symbol", "object", "undefined", "intrinsic":
		return true
	}
	return false
}

// tsDotted parses a.b.c with optional type arguments.
func (p *parser) tsDotted(n *TSTypeNode) {
	start := p.start
	if p.tok < tIdent && p.tok != tThis {
		p.unexpected()
	}
	p.next()
	for p.tok == tDot {
		p.next()
		if !p.tok.isName() && p.tok != tPrivate {
			p.unexpected()
		}
		p.next()
	}
	n.Name = p.src[start:p.prevEnd]
	if (p.tok == tLT || p.tok == tShl) && !p.nl {
		n.Types = p.tsTypeArgs().Types
	}
}

func (p *parser) tsImportType() TSType {
	n := &TSTypeNode{Kind: TSImport}
	start := p.start
	p.next()
	p.expect(tLParen)
	p.tsType()
	if p.eat(tComma) && p.tok == tLBrace {
		p.tsObjectType()
		p.eat(tComma)
	}
	p.expect(tRParen)
	for p.eat(tDot) {
		if !p.tok.isName() {
			p.unexpected()
		}
		p.next()
	}
	n.Name = p.src[start:p.prevEnd]
	if p.tok == tLT && !p.nl {
		n.Types = p.tsTypeArgs().Types
	}
	n.Span = p.span(start)
	return n
}

// tsTemplate parses a template literal type.
func (p *parser) tsTemplate(n *TSTypeNode) {
	n.Kind = TSTemplate
	outer := p.typ.noConditional
	p.typ.noConditional = false
	for {
		if p.tok == tIllegal {
			p.unexpected()
		}
		if p.invalid {
			p.fail(p.errPos, p.errPos+2, p.illegal)
		}
		if p.tail {
			break
		}
		p.next()
		n.Types = append(n.Types, p.tsType())
		if p.tok != tRBrace {
			p.unexpected()
		}
		p.scanTemplate()
	}
	p.typ.noConditional = outer
	p.next()
}

func (p *parser) tsTuple() TSType {
	n := &TSTypeNode{Kind: TSTuple}
	start := p.start
	outer := p.typ.noConditional
	p.typ.noConditional = false
	p.next()
	for p.tok != tRBrack {
		m := &TSTypeNode{Kind: TSTupleMember}
		at := p.start
		m.Rest = p.eat(tEllipsis)
		if p.tok.isName() {
			// A label is a name followed by `:` or `?:`.
			lex := p.lexer
			p.next()
			opt := p.eat(tQuestion)
			if p.tok == tColon {
				m.Name = lex.val
				m.Optional = opt
				p.next()
			} else {
				p.lexer = lex
			}
		}
		m.Types = []TSType{p.tsType()}
		if p.eat(tQuestion) {
			m.Optional = true
		}
		m.Span = p.span(at)
		n.Types = append(n.Types, m)
		if p.tok != tComma {
			break
		}
		p.next()
	}
	p.typ.noConditional = outer
	p.expect(tRBrack)
	n.Span = p.span(start)
	return n
}

// parenIsFunction decides whether the parenthesis at the current token holds
// parameters and is followed by `=>`. It scans to the matching one and remembers the answer for
// all inside, so that the source is scanned once. A token that no type can
// contain ends the scan.
func (p *parser) parenIsFunction() bool {
	at := p.start
	if v, ok := p.typ.parens[at]; ok {
		return v
	}
	if p.typ.parens == nil {
		p.typ.parens = make(map[int32]bool)
	}
	// What stands behind a parenthesis tells parameters from a type.
	const (
		empty = iota
		named
		params
		other
	)
	type open struct {
		at   int32
		tok  token
		head uint8
	}
	var stack []open
	lex := p.lexer
scan:
	for {
		if n := len(stack); n > 0 && stack[n-1].head <= named {
			top := &stack[n-1]
			switch {
			case p.tok == tRParen, top.head == empty && (p.tok == tEllipsis || p.tok == tLBrace || p.tok == tLBrack),
				top.head == named && (p.tok == tColon || p.tok == tComma || p.tok == tQuestion || p.tok == tAssign):
				top.head = params
			case top.head == empty && p.tsAccessWord() && p.peek().tok >= tIdent:
			case top.head == empty && (p.tok == tThis || p.tok >= tIdent):
				top.head = named
			default:
				top.head = other
			}
		}
		switch p.tok {
		case tLParen, tLBrack, tLBrace:
			stack = append(stack, open{at: p.start, tok: p.tok})
		case tTemplate:
			if !p.tail {
				stack = append(stack, open{at: p.start, tok: tTemplate})
			}
		case tRParen, tRBrack, tRBrace:
			top := stack[len(stack)-1]
			if top.tok == tTemplate && p.tok == tRBrace {
				p.scanTemplate()
				if p.tok == tIllegal {
					break scan
				}
				if p.tail {
					stack = stack[:len(stack)-1]
				}
				break
			}
			if p.tok != top.tok+1 {
				break scan
			}
			stack = stack[:len(stack)-1]
			p.next()
			if top.tok == tLParen {
				p.typ.parens[top.at] = p.tok == tArrow && top.head == params
			}
			if len(stack) == 0 {
				break scan
			}
			continue
		case tEOF, tIllegal, tSlash, tAssignOp, tEqEq, tEqEqEq, tNotEq, tNotEqEq, tAndAnd, tOrOr, tNullish, tInc, tDec, tBang, tTilde, tStar, tPercent, tStarStar, tBitXor:
			break scan
		}
		p.next()
	}
	for _, o := range stack {
		if o.tok == tLParen {
			p.typ.parens[o.at] = false
		}
	}
	p.lexer = lex
	return p.typ.parens[at]
}

// tsFunctionType parses `<T>(…) => R` and `new (…) => R`.
func (p *parser) tsFunctionType(kind TSTypeKind) TSType {
	n := &TSTypeNode{Kind: kind}
	start := p.start
	if kind == TSConstructor {
		p.next()
	}
	if p.tok == tLT {
		p.tsTypeParams()
	}
	n.Types = p.tsSignatureParams()
	if p.tok != tArrow {
		p.unexpected()
	}
	p.next()
	outer := p.typ.noConditional
	p.typ.noConditional = false
	n.Types = append(n.Types, p.tsReturn())
	p.typ.noConditional = outer
	n.Span = p.span(start)
	return n
}

// tsSignatureParams parses the parameters of a function type or signature and
// returns their types.
func (p *parser) tsSignatureParams() []TSType {
	outer := p.typ.noConditional
	p.typ.noConditional = false
	p.expect(tLParen)
	var types []TSType
	for p.tok != tRParen {
		p.eat(tEllipsis)
		for p.tsAccessWord() && (p.peek().tok >= tIdent || p.peek().tok == tLBrace || p.peek().tok == tLBrack) {
			p.next()
		}
		if p.tok == tThis {
			p.next()
		} else {
			p.tsSkipBinding()
		}
		p.eat(tQuestion)
		if p.eat(tColon) {
			types = append(types, p.tsType())
		} else {
			types = append(types, &TSTypeNode{Span: Span{p.prevEnd, p.prevEnd}, Kind: TSKeyword, Name: "any"})
		}
		if p.tok != tComma {
			break
		}
		p.next()
	}
	p.typ.noConditional = outer
	p.expect(tRParen)
	return types
}

// tsSkipBinding reads a binding name or pattern of a signature.
func (p *parser) tsSkipBinding() { //meter: each pattern enters
	switch p.tok {
	case tLBrack:
		p.enter()
		p.next()
		for p.tok != tRBrack {
			if p.tok != tComma {
				p.eat(tEllipsis)
				p.tsSkipBinding()
			}
			if p.tok != tComma {
				break
			}
			p.next()
		}
		p.leave()
		p.expect(tRBrack)
	case tLBrace:
		p.enter()
		p.next()
		for p.tok != tRBrace {
			if p.eat(tEllipsis) {
				p.tsSkipBinding()
			} else {
				if !p.tok.isName() && p.tok != tString && p.tok != tNumber {
					p.unexpected()
				}
				p.next()
				if p.eat(tColon) {
					p.tsSkipBinding()
				}
			}
			if p.tok != tComma {
				break
			}
			p.next()
		}
		p.leave()
		p.expect(tRBrace)
	default:
		if p.tok < tIdent {
			p.unexpected()
		}
		p.next()
	}
}

// tsObjectType parses { members } or a mapped type.
func (p *parser) tsObjectType() TSType {
	n := &TSTypeNode{Kind: TSObject}
	start := p.start
	outer := p.typ.noConditional
	p.typ.noConditional = false
	p.expect(tLBrace)
	p.enter()
	if p.tsMappedAhead() {
		p.tsMapped(n)
	} else {
		for p.tok != tRBrace {
			n.Types = append(n.Types, p.tsMember())
			if p.tok == tSemi || p.tok == tComma {
				p.next()
				continue
			}
			if p.tok != tRBrace && !p.nl {
				p.unexpected()
			}
		}
	}
	p.leave()
	p.typ.noConditional = outer
	p.expect(tRBrace)
	n.Span = p.span(start)
	return n
}

// tsMappedAhead: what follows the brace is `[K in`, with modifiers.
func (p *parser) tsMappedAhead() bool {
	lex := p.lexer
	if p.tok == tPlus || p.tok == tMinus {
		p.next()
	}
	if p.tok == tReadonly {
		p.next()
	}
	ok := false
	if p.tok == tLBrack {
		p.next()
		if p.tok >= tIdent {
			p.next()
			ok = p.tok == tIn
		}
	}
	p.lexer = lex
	return ok
}

func (p *parser) tsMapped(n *TSTypeNode) {
	n.Kind = TSMapped
	for p.tok != tLBrack {
		p.next()
	}
	p.next()
	n.Name = p.val
	p.next()
	p.next()
	n.Types = append(n.Types, p.tsType())
	if p.eat(tAs) {
		n.Types = append(n.Types, p.tsType())
	}
	p.expect(tRBrack)
	if p.tok == tPlus || p.tok == tMinus {
		p.next()
		if p.tok != tQuestion {
			p.unexpected()
		}
	}
	n.Optional = p.eat(tQuestion)
	if p.eat(tColon) {
		n.Types = append(n.Types, p.tsType())
	}
	if p.tok == tSemi || p.tok == tComma {
		p.next()
	}
}

// tsMember parses one member of an object type and returns its type.
func (p *parser) tsMember() TSType {
	start := p.start
	switch p.tok {
	case tLParen, tLT:
		return p.tsSignature(start)
	case tNew:
		if t := p.peek().tok; t == tLParen || t == tLT {
			p.next()
			return p.tsSignature(start)
		}
	}
	for p.tok == tReadonly || p.tok == tGet || p.tok == tSet || p.tok == tStatic {
		t := p.peek().tok
		if !t.isName() && t != tLBrack && t != tString && t != tNumber && t != tPrivate {
			break
		}
		p.next()
	}
	switch {
	case p.tok == tLBrack:
		p.next()
		if p.tok >= tIdent && p.peek().tok == tColon {
			p.next()
			p.next()
			p.tsType()
			p.expect(tRBrack)
			break
		}
		// A computed name: only names, literals and dotted names make sense.
		for p.tok != tRBrack {
			if !p.tok.isName() && p.tok != tDot && p.tok != tString && p.tok != tNumber && p.tok != tBigInt && p.tok != tMinus && (p.tok != tTemplate || !p.tail) {
				p.unexpected()
			}
			p.next()
		}
		p.next()
	case p.tok.isName() || p.tok == tString || p.tok == tNumber || p.tok == tBigInt || p.tok == tPrivate:
		p.next()
	default:
		p.unexpected()
	}
	p.eat(tQuestion)
	if p.tok == tLParen || p.tok == tLT {
		return p.tsSignature(start)
	}
	if p.eat(tColon) {
		return p.tsType()
	}
	return &TSTypeNode{Span: p.span(start), Kind: TSKeyword, Name: "any"}
}

// tsSignature parses `<T>(…): R` of an object type's member.
func (p *parser) tsSignature(start int32) TSType {
	n := &TSTypeNode{Kind: TSFunction}
	if p.tok == tLT {
		p.tsTypeParams()
	}
	n.Types = p.tsSignatureParams()
	if p.eat(tColon) {
		n.Types = append(n.Types, p.tsReturn())
	}
	n.Span = p.span(start)
	return n
}
