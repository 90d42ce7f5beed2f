package syntax

import (
	"fmt"
	"unicode/utf8"
)

// Options say what is parsed and in which context.
type Options struct {
	Goal       Goal
	Strict     bool // strict from the start
	TypeScript bool
	// Examples lets function declarations give examples of their parameters
	// (name: 'x', name?: 'x') and of their result (): { n: 0 } {), which is what
	// AJS declares types by, and has await in every function, which means nothing
	// there. Not together with TypeScript.
	Examples bool

	// MaxDepth bounds nesting; 0 means 1000. MaxBytes bounds the source; 0 means
	// one gibibyte.
	MaxDepth int
	MaxBytes int

	// Check, if set, is called every few thousand units of work with the work
	// done since the last call. Its error ends the parse and is returned as it
	// is.
	Check func(n int) error

	// CheckRegExp, if set, checks the pattern of a regular expression literal:
	// it returns the message of the SyntaxError, or "". Its error ends the parse
	// as Check's does. Without it only the flags are checked.
	CheckRegExp func(pattern, flags string) (msg string, err error)

	// The context of eval code and function bodies.
	AllowNewTarget     bool
	AllowSuperProperty bool
	AllowSuperCall     bool
	InClassFieldInit   bool     // `arguments` is an error
	PrivateNames       []string // private names (without #) of the classes around
}

// SyntaxError says what is wrong with a source text. Line and Column count from
// 1, columns in UTF-16 code units.
type SyntaxError struct {
	Name         string // of the source
	Message      string
	Start, End   int32
	Line, Column int
	Hint         string // a rewrite or an explanation, may be empty
	// Related is another place that the hint is about, such as a bracket that
	// isn't closed; empty if there is none.
	Related Span
	// TooLarge: the text passes MaxBytes or MaxDepth.
	TooLarge bool

	fatal bool // not to be caught by a trial parse
}

// Error returns the headline with the place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("SyntaxError: %s (%s:%d:%d)", e.Message, e.Name, e.Line, e.Column)
}

// Limits of nesting. maxHeight bounds the height of trees that are built
// without recursion (chains of binary operators, members and calls).
const (
	defaultDepth = 1000
	maxDepth     = 20_000
	maxHeight    = 20_000
	maxSource    = 1 << 30
)

const msgTooDeep = "the program is nested too deeply"

// abort carries the error of Options.Check out of the parser.
type abort struct{ err error }

// ctx is what the grammar's parameters and the code around allow.
type ctx uint32

const (
	cStrict ctx = 1 << iota
	cModule
	cAsync        // await is an operator
	cNoAwait      // await may not be an identifier
	cGen          // yield is an operator
	cReturn       // return is allowed
	cNewTarget    // new.target is allowed
	cSuperProp    // super.x is allowed
	cSuperCall    // super() is allowed
	cNoArguments  // arguments may not be named
	cNoIn         // `in` is no operator
	cNoArrowType  // a `:` behind `(…)` isn't an arrow's return type
	cAmbient      // TypeScript's declare
	cStaticBlock  // directly in a class static block
	cUsingAllowed // using declarations may stand here
)

// use bits record what a function mentions.
type use uint16

const (
	uArguments use = 1 << iota
	uThis
	uSuperProp
	uSuperCall
	uNewTarget
	uAwait
	uYield
	uWith
	uEval
	uInnerEval
	uInnerWith
)

// What an arrow hands on to the function around it, and what others do.
const (
	usePastArrow    = uArguments | uThis | uSuperProp | uSuperCall | uNewTarget | uWith | uEval | uInnerEval | uInnerWith
	usePastFunction = uInnerEval | uInnerWith
)

// cover notes what a cover grammar has accepted that is only right in one of
// its readings. The fields are offsets, -1 for none.
type cover struct {
	init  int32 // CoverInitializedName: an error unless it becomes a pattern
	proto int32 // second __proto__: an error unless it becomes a pattern
	bad   int32 // an error if it becomes a pattern
	paren int32 // an error if it becomes a binding pattern
}

var noCover = cover{-1, -1, -1, -1}

type parser struct {
	lexer
	src       string
	opt       Options
	prog      *Program
	begin     int32 // where the text starts, for `-->`
	html      bool
	ts        bool
	inExample bool // object literals may mark members as optional
	bare      bool // errors have no hints
	ctx       ctx
	use       use
	cov       cover
	depth     int
	height    int
	work      int

	lastParen  Expr  // the expression most recently closed in parentheses
	parenStart int32 // its opening parenthesis
	yieldPos   int32 // first yield expression since reset, -1 for none
	awaitPos   int32 // first await expression
	awaitID    int32 // first `await` used as an identifier
	lastAwait  int32 // end of the most recent identifier `await`

	parenLists []*parenList // to be used again

	labels     []label
	labelBase  int
	labelIndex map[string]int32 // index in labels of the innermost of a name
	breakable  int              // loops and switches around in this function
	loops      int

	scopes  scopeState
	private privateState
	classes int // classes around
	typ     typeState

	exportNames map[string]struct{}
	exportLocal []exportCheck
}

// Parse parses a source text. The error is a *SyntaxError, or what
// Options.Check returned.
func Parse(name, src string, opt Options) (*Program, error) {
	p, err := newParser(name, src, opt)
	if err != nil {
		return nil, err
	}
	return p.run(p.program)
}

// ParseExpressionOrBody parses with the FunctionBody goal. If the whole text is
// one expression (with or without a semicolon), Program.LoneExpression is set;
// a text that starts with `{` is read as an object literal if it can be.
func ParseExpressionOrBody(name, src string, opt Options) (*Program, error) {
	opt.Goal = FunctionBody
	p, err := newParser(name, src, opt)
	if err != nil {
		return nil, err
	}
	tried := false
	prog, err := p.run(func() {
		p.start0()
		if tried = p.tok == tLBrace; tried {
			p.loneExpression()
			return
		}
		p.programBody()
	})
	if !tried || err == nil && prog.LoneExpression != nil {
		return lone(prog), err
	}
	if se, ok := err.(*SyntaxError); err != nil && (!ok || se.fatal) {
		return nil, err
	}
	if p, err = newParser(name, src, opt); err != nil {
		return nil, err
	}
	prog, err = p.run(p.program)
	return lone(prog), err
}

// lone notes that a program is one expression.
func lone(prog *Program) *Program {
	if prog != nil && prog.LoneExpression == nil && len(prog.Body) == 1 {
		if es, ok := prog.Body[0].(*ExpressionStatement); ok {
			prog.LoneExpression = es.Expression
		}
	}
	return prog
}

// ParseFunction parses the text that CreateDynamicFunction (20.2.1.1.1) puts
// together from parameters and a body, each of which has to be complete by
// itself. Program.Source is that text, which is also the function's source
// text.
func ParseFunction(name, params, body string, async, generator bool, opt Options) (*Program, error) {
	head := "function anonymous("
	switch {
	case async && generator:
		head = "async function* anonymous("
	case async:
		head = "async function anonymous("
	case generator:
		head = "function* anonymous("
	}
	if limit := opt.MaxBytes; limit > 0 && len(params)+len(body) > limit || len(params)+len(body) > maxSource {
		return nil, &SyntaxError{Name: name, Message: "the source is too long", Line: 1, Column: 1, TooLarge: true, fatal: true}
	}
	src := head + params + "\n) {\n" + body + "\n}"
	opt.MaxBytes = 0
	opt.Goal = Script
	p, err := newParser(name, src, opt)
	if err != nil {
		return nil, err
	}
	p.bare = true
	paren := int32(len(head) + len(params) + 1)
	return p.run(func() {
		p.start0()
		f := p.functionExpression()
		fe := f.(*FunctionExpression)
		switch end := fe.Func.ParamsSpan.End; {
		case end <= paren:
			p.fail(end-1, end, "Arg string terminates parameters early")
		case end > paren+1:
			p.fail(paren, paren+1, "Unexpected end of arg string")
		case p.tok != tEOF:
			p.fail(p.prevEnd-1, p.prevEnd, "Single function literal required")
		}
		p.prog.Body = []Stmt{&ExpressionStatement{Span: fe.Span, Expression: fe}}
	})
}

func newParser(name, src string, opt Options) (*parser, error) {
	limit := opt.MaxBytes
	if limit <= 0 || limit > maxSource {
		limit = maxSource
	}
	if len(src) > limit {
		return nil, &SyntaxError{Name: name, Message: "the source is too long", Line: 1, Column: 1, TooLarge: true, fatal: true,
			Hint: fmt.Sprintf("it has %d bytes, the limit is %d", len(src), limit)}
	}
	if opt.MaxDepth <= 0 {
		opt.MaxDepth = defaultDepth
	}
	opt.MaxDepth = min(opt.MaxDepth, maxDepth)
	prog := &Program{Name: name, Source: src, Goal: opt.Goal, TypeScript: opt.TypeScript, Span: Span{0, int32(len(src))}}
	p := &parser{src: src, opt: opt, prog: prog, ts: opt.TypeScript, html: opt.Goal != Module,
		yieldPos: -1, awaitPos: -1, awaitID: -1, lastAwait: -1, cov: noCover}
	if bad := invalidWTF8(src); bad >= 0 {
		prog.lines = NewLineTable(src)
		return nil, p.place(&SyntaxError{Message: msgInvalidToken, Start: int32(bad), End: int32(bad + 1), Hint: "the source isn't valid UTF-8 there"})
	}
	return p, nil
}

// invalidWTF8 returns the offset of the first byte that isn't WTF-8, or -1.
func invalidWTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	high := -1
	for i := 0; i < len(s); {
		r, n := decodeWTF8(s[i:])
		if r == utf8.RuneError && n == 1 || r >= 0xDC00 && r <= 0xDFFF && high == i {
			return i
		}
		i += n
		if r >= 0xD800 && r <= 0xDBFF {
			high = i
		}
	}
	return -1
}

// run calls f and turns the ways it can fail into an error.
func (p *parser) run(f func()) (prog *Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			prog, err = nil, p.taught(r)
		case abort:
			prog, err = nil, r.err
		default:
			panic(r)
		}
	}()
	f()
	p.finish()
	return p.prog, nil
}

// place fills in the position of an error.
func (p *parser) place(e *SyntaxError) *SyntaxError {
	if p.prog.lines == nil {
		p.prog.lines = NewLineTable(p.src)
	}
	e.Name = p.prog.Name
	pos := p.prog.lines.Position(e.Start)
	e.Line, e.Column = pos.Line, pos.UTF16Column
	return e
}

// taught is place with a hint.
func (p *parser) taught(e *SyntaxError) *SyntaxError {
	if p.prog.lines == nil {
		p.prog.lines = NewLineTable(p.src)
	}
	p.explain(e)
	if e.Message == msgUnterminatedTemplate {
		e.Message = "Unexpected end of input" // what V8 says; the place is where it begins
	}
	return p.place(e)
}

func (p *parser) finish() {
	if p.prog.lines == nil {
		p.prog.lines = NewLineTable(p.src)
	}
	if p.ts && p.opt.Goal == Module {
		p.tsModuleRecords()
	}
	p.prog.Erased = sortErased(p.typ.erased)
	if p.work > 0 {
		p.checkWork()
	}
}

//meter:charges
func (p *parser) checkWork() {
	n := p.work
	p.work = 0
	if p.opt.Check != nil {
		if err := p.opt.Check(n); err != nil {
			panic(abort{err})
		}
	}
}

// fail ends the parse.
func (p *parser) fail(start, end int32, msg string) {
	panic(&SyntaxError{Message: msg, Start: start, End: max(start, end)})
}

func (p *parser) failHint(start, end int32, msg, hint string) {
	panic(&SyntaxError{Message: msg, Start: start, End: max(start, end), Hint: hint})
}

func (p *parser) failf(s Span, format string, args ...any) {
	p.fail(s.Start, s.End, fmt.Sprintf(format, args...))
}

// failAt ends the parse at a node.
func (p *parser) failAt(n Node, msg string) {
	r := n.Range()
	p.fail(r.Start, r.End, msg)
}

// enter counts one level of recursion; leave undoes it.
//
//meter:guards
func (p *parser) enter() {
	if p.depth++; p.depth > p.opt.MaxDepth {
		p.tooDeep()
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) tooDeep() {
	panic(&SyntaxError{Message: msgTooDeep, Start: p.start, End: p.pos, TooLarge: true, fatal: true,
		Hint: "build it in steps, in variables or a loop; data belongs into the input or a JSON string"})
}

// taller counts one level of tree height built by a loop.
func (p *parser) taller() {
	if p.height++; p.height > maxHeight {
		p.tooDeep()
	}
}

// tokenText is the current token as messages quote it.
func (p *parser) tokenText() string {
	const most = 60
	s := p.src[p.start:p.pos]
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

// unexpected ends the parse at the current token.
func (p *parser) unexpected() {
	if p.lastAwait == p.prevEnd && p.lastAwait > 0 && p.tok != tEOF && p.tok != tIllegal {
		p.fail(p.lastAwait-5, p.lastAwait, "await is only valid in async functions and the top level bodies of modules")
	}
	p.fail(p.start, p.pos, p.unexpectedMessage())
}

func (p *parser) unexpectedMessage() string {
	switch p.tok {
	case tEOF:
		return "Unexpected end of input"
	case tIllegal:
		p.fail(p.errPos, p.pos, p.illegal)
	case tNumber, tBigInt:
		return "Unexpected number"
	case tString:
		return "Unexpected string"
	case tTemplate:
		return "Unexpected template string"
	case tAt:
		return msgInvalidToken
	case tEscKeyword:
		return "Keyword must not contain escaped characters"
	case tEnum:
		return "Unexpected reserved word"
	case tPrivate:
		return "Unexpected identifier '#" + p.val + "'"
	}
	if p.tok >= tIdent {
		if p.ctx&cStrict != 0 && isStrictReserved(p.val) {
			return "Unexpected strict mode reserved word"
		}
		if p.tok == tAwait && p.ctx&(cAsync|cNoAwait|cModule) != 0 {
			return "Unexpected reserved word"
		}
		return "Unexpected identifier '" + p.tokenText() + "'"
	}
	return "Unexpected token '" + p.tokenText() + "'"
}

func (p *parser) expect(t token) {
	if p.tok != t {
		p.unexpected()
	}
	p.next()
}

func (p *parser) eat(t token) bool {
	if p.tok == t {
		p.next()
		return true
	}
	return false
}

// semicolon reads the end of a statement, inserting it where 12.10 allows.
func (p *parser) semicolon() {
	if p.tok == tSemi {
		p.next()
		return
	}
	if p.tok == tRBrace || p.tok == tEOF || p.nl {
		return
	}
	p.unexpected()
}

// peek returns the token behind the current one.
func (p *parser) peek() lexer {
	saved := p.lexer
	p.next()
	ahead := p.lexer
	p.lexer = saved
	return ahead
}

// try runs f; if it fails, the position is restored and false returned. It is
// only used for types, which leave no other traces.
func (p *parser) try(f func()) (ok bool) {
	lex, depth, height, c := p.lexer, p.depth, p.height, p.ctx
	erased := len(p.typ.erased)
	defer func() {
		if ok {
			return
		}
		r := recover()
		if e, is := r.(*SyntaxError); !is || e.fatal {
			panic(r)
		}
		p.lexer, p.depth, p.height, p.ctx = lex, depth, height, c
		p.typ.erased = p.typ.erased[:erased]
	}()
	f()
	return true
}

func (p *parser) span(start int32) Span { return Span{start, p.prevEnd} }

func (p *parser) strict() bool { return p.ctx&cStrict != 0 }
