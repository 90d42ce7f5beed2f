package check

import (
	"fmt"
	"strings"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// use is what becomes of a value.
type use uint8

const (
	useAny      use = iota // it is kept, passed on or returned: nothing is wrong with a promise
	useNone                // nobody takes it
	useVoid                // nobody is meant to
	useOperand             // of an operator
	useTest                // it decides something
	useText                // it becomes a part of a template
	useCall                // it is called
	useMember              // a property is read
	useLoop                // it is gone through, or spread
	useStream              // by for await
	useSpread              // its properties are copied
	useTaken               // it is taken apart by a pattern
	useArgument            // of a function that needs the value itself
	useReturn              // it is the program's result, which may be a promise
	useResult              // it is a part of the program's result
	useAwait               // it is awaited
	useTypeof              // of typeof, delete
)

// misuse is a place where a promise is used as if it was what it is of.
type misuse struct {
	at     syntax.Node
	use    use
	detail string
	async  bool // an await can stand there
}

// frame is a function that the walk is in.
type frame struct {
	f     *syntax.Function
	await bool // an await can stand in it
	entry bool // what it returns is the result of the program
}

func (a *analysis) canAwait() bool { return a.frames[len(a.frames)-1].await }

// expr walks an expression whose value is used in some way, and returns what is
// known of it. It goes as deep as the tree, which the parser bounds.
func (a *analysis) expr(e syntax.Expr, u use, detail string) value {
	switch n := e.(type) {
	case nil:
		return value{}
	case *syntax.Identifier:
		v := a.name(n, maxLook)
		a.seen(n, v, u)
		a.used(n, v, u, detail)
		return v
	case *syntax.ConditionalExpression:
		a.expr(n.Test, useTest, "")
		a.expr(n.Consequent, u, detail)
		a.expr(n.Alternate, u, detail)
		return value{}
	case *syntax.LogicalExpression:
		a.expr(n.Left, useTest, "")
		a.expr(n.Right, u, detail)
		return value{}
	case *syntax.SequenceExpression:
		for i, x := range n.Expressions {
			if i == len(n.Expressions)-1 {
				return a.expr(x, u, detail)
			}
			a.expr(x, useNone, "")
		}
		return value{}
	case *syntax.TSAsExpression:
		return a.expr(n.Expression, u, detail)
	case *syntax.TSSatisfiesExpression:
		return a.expr(n.Expression, u, detail)
	case *syntax.TSNonNullExpression:
		return a.expr(n.Expression, u, detail)
	case *syntax.TSTypeAssertion:
		return a.expr(n.Expression, u, detail)
	case *syntax.TSInstantiationExpression:
		return a.expr(n.Expression, u, detail)
	case *syntax.ChainExpression:
		return a.expr(n.Expression, u, detail)
	case *syntax.MemberExpression:
		return a.memberExpr(n, u, detail)
	case *syntax.CallExpression:
		return a.callExpr(n, u, detail)
	case *syntax.NewExpression:
		callee := a.expr(n.Callee, useCall, "")
		a.arguments(n.Arguments, needs("new "+callee.name, callee.kind == builtin))
		v := a.made(callee, n)
		a.used(n, v, u, detail)
		return v
	case *syntax.ImportExpression:
		a.importing(n)
		a.expr(n.Source, useText, "")
		a.expr(n.Options, useAny, "")
		v := value{kind: promise, name: "import(…)", start: n.Start, end: n.End}
		a.used(n, v, u, detail)
		return v
	case *syntax.AwaitExpression:
		v := a.expr(n.Argument, useAwait, "")
		v = a.awaited(v)
		a.used(n, v, u, detail)
		return v
	case *syntax.UnaryExpression:
		switch n.Operator {
		case syntax.OpVoid:
			a.expr(n.Argument, useVoid, "")
		case syntax.OpTypeof, syntax.OpDelete:
			a.expr(n.Argument, useTypeof, "")
		case syntax.OpNot:
			a.expr(n.Argument, useTest, "")
		default:
			a.expr(n.Argument, useOperand, n.Operator.String())
		}
		return value{}
	case *syntax.BinaryExpression:
		l, r := useOperand, useOperand
		switch n.Operator {
		case syntax.OpInstanceof:
			l, r = useAny, useAny
		case syntax.OpIn:
			l = useText
			if _, ok := n.Left.(*syntax.PrivateIdentifier); ok {
				l = useAny
			}
		case syntax.OpEq, syntax.OpNe, syntax.OpStrictEq, syntax.OpStrictNe:
			if !plainValue(n.Left) && !plainValue(n.Right) { // two promises can be compared
				l, r = useAny, useAny
			}
		}
		a.expr(n.Left, l, n.Operator.String())
		a.expr(n.Right, r, n.Operator.String())
		return value{}
	case *syntax.AssignmentExpression:
		a.target(n.Left)
		ru := useAny
		switch n.Operator {
		case syntax.OpAssign:
			ru = taking(n.Left)
		case syntax.OpLogicalAnd, syntax.OpLogicalOr, syntax.OpNullish:
		default:
			ru = useOperand
		}
		a.expr(n.Right, ru, n.Operator.String()+"=")
		return value{}
	case *syntax.UpdateExpression:
		a.target(n.Argument)
		return value{}
	case *syntax.TemplateLiteral:
		for _, x := range n.Expressions {
			a.expr(x, useText, "")
		}
		return value{}
	case *syntax.TaggedTemplateExpression:
		a.expr(n.Tag, useCall, "")
		for _, x := range n.Quasi.Expressions {
			a.expr(x, useAny, "")
		}
		return value{}
	case *syntax.ArrayExpression:
		for _, x := range n.Elements {
			if x == nil {
				continue
			}
			if s, ok := x.(*syntax.SpreadElement); ok {
				a.expr(s.Argument, useLoop, "…")
				continue
			}
			a.expr(x, inResult(u), "")
		}
		return value{}
	case *syntax.ObjectExpression:
		for _, p := range n.Properties {
			switch {
			case p.Kind == syntax.PropSpread:
				a.expr(p.Value, useSpread, "")
				continue
			case p.Computed:
				a.expr(p.Key, useText, "")
			}
			if id, ok := p.Value.(*syntax.Identifier); ok && p.Shorthand {
				a.shorthand[id] = true
			}
			a.expr(p.Value, inResult(u), "")
		}
		return value{}
	case *syntax.FunctionExpression:
		a.functionBody(n.Func)
		return a.function(n.Func, maxLook)
	case *syntax.ArrowFunctionExpression:
		a.functionBody(n.Func)
		return a.function(n.Func, maxLook)
	case *syntax.ClassExpression:
		a.class(n.Class)
		return value{}
	case *syntax.YieldExpression:
		a.expr(n.Argument, useAny, "")
		return value{}
	case *syntax.SpreadElement:
		a.expr(n.Argument, useLoop, "…")
		return value{}
	}
	return value{}
}

// inResult is what becomes of the parts of a literal.
func inResult(u use) use {
	if u == useResult || u == useReturn {
		return useResult
	}
	return useAny
}

// plainValue reports whether an expression is surely no promise.
func plainValue(e syntax.Expr) bool {
	switch n := unwrap(e).(type) {
	case *syntax.StringLiteral, *syntax.NumericLiteral, *syntax.BooleanLiteral, *syntax.NullLiteral, *syntax.TemplateLiteral, *syntax.BigIntLiteral:
		return true
	case *syntax.Identifier:
		return n.Name == "undefined"
	case *syntax.UnaryExpression:
		return n.Operator != syntax.OpVoid
	}
	return false
}

// taking is what a pattern does with the value that it is given.
func taking(p syntax.Pattern) use {
	switch p.(type) {
	case *syntax.ArrayPattern:
		return useLoop
	case *syntax.ObjectPattern:
		return useTaken
	}
	return useAny
}

// target walks what is assigned to.
func (a *analysis) target(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.Identifier:
	case *syntax.MemberExpression:
		a.expr(p.Object, useAny, "")
		if p.Computed {
			a.expr(p.Property, useText, "")
		}
	default:
		a.defaults(p)
	}
}

// defaults walks the expressions in a pattern.
func (a *analysis) defaults(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ObjectPattern:
		for _, q := range p.Properties {
			if q.Computed {
				a.expr(q.Key, useText, "")
			}
			a.defaults(q.Value)
		}
		if p.Rest != nil {
			a.defaults(p.Rest.Argument)
		}
	case *syntax.ArrayPattern:
		for _, q := range p.Elements {
			if q != nil {
				a.defaults(q)
			}
		}
	case *syntax.AssignmentPattern:
		a.defaults(p.Left)
		a.expr(p.Right, useAny, "")
	case *syntax.RestElement:
		a.defaults(p.Argument)
	case *syntax.MemberExpression:
		a.target(p)
	}
}

func (a *analysis) memberExpr(n *syntax.MemberExpression, u use, detail string) value {
	name, ok := keyName(n.Property, n.Computed)
	if n.Computed {
		a.expr(n.Property, useText, "")
	}
	a.guard(n.Object, n.Optional)
	ou := useMember
	if promiseMember[name] && ok {
		ou = useAny
	}
	obj := a.expr(n.Object, ou, name)
	if !ok {
		return value{}
	}
	v := a.member(obj, name)
	if obj.kind == group && v.kind == unknown && !obj.weak || obj.kind == reply && v.kind == unknown && !objectMembers[name] {
		a.absent(n, obj.name, name, u)
	}
	a.seen(n, v, u)
	a.used(n, v, u, detail)
	return v
}

// promiseMember are the members that promises have.
var promiseMember = map[string]bool{"then": true, "catch": true, "finally": true, "constructor": true, "toString": true, "hasOwnProperty": true}

// needers are the functions of ECMAScript that need values and not promises.
var needers = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`JSON.parse JSON.stringify console.log console.info console.warn console.error console.debug console.table
		String Number Boolean BigInt parseInt parseFloat isNaN isFinite Number.parseFloat Number.parseInt Number.isNaN Number.isInteger
		Object.keys Object.values Object.entries Object.fromEntries Array.isArray encodeURIComponent encodeURI structuredClone atob btoa
		Date.parse Math.max Math.min Math.round Math.floor Math.ceil Math.abs Math.sqrt Math.trunc
		new_Map new_Set new_Date new_URL new_RegExp new_URLSearchParams new_Uint8Array new_Error`) {
		m[strings.ReplaceAll(n, "_", " ")] = true
	}
	return m
}()

func needs(name string, known bool) string {
	if known && needers[name] {
		return name
	}
	return ""
}

// arguments walks arguments; by names the function that needs the values
// themselves.
func (a *analysis) arguments(list []syntax.Expr, by string) {
	u := useAny
	if by != "" {
		u = useArgument
	}
	for _, x := range list {
		a.expr(x, u, by)
	}
}

// unawaiting are the methods of arrays that do nothing with a promise that their
// function gives.
var unawaiting = map[string]string{
	"forEach": "use for (const x of list) { await … }, or await Promise.all(list.map(…))",
	"filter":  "find out first: const keep = await Promise.all(list.map(…)); list.filter((x, i) => keep[i])",
	"some":    "find out first: (await Promise.all(list.map(…))).some(Boolean)",
	"every":   "find out first: (await Promise.all(list.map(…))).every(Boolean)",
	"find":    "use a loop: for (const x of list) if (await …) …", "findIndex": "use a loop: for (const x of list) if (await …) …",
	"findLast": "use a loop: for (const x of list) if (await …) …",
	"sort":     "compute the keys first: await Promise.all(list.map(…))", "toSorted": "compute the keys first: await Promise.all(list.map(…))",
}

// ofValues are the methods of arrays that need the elements themselves.
var ofValues = map[string]bool{"join": true, "flat": true, "sort": true, "toSorted": true, "includes": true, "indexOf": true}

func (a *analysis) callExpr(n *syntax.CallExpression, u use, detail string) value {
	a.guard(n.Callee, n.Optional)
	callee := a.expr(n.Callee, useCall, "")
	by := ""
	switch callee.kind {
	case builtin:
		by = needs(callee.name, true)
	case hostFunc:
		by = callee.fn.Name
	}
	if m, ok := unwrap(n.Callee).(*syntax.MemberExpression); ok && !m.Computed && callee.kind == unknown && len(n.Arguments) > 0 {
		name, _ := keyName(m.Property, false)
		if fix, ok := unawaiting[name]; ok && a.gives(n.Arguments[0], maxLook) && a.hosted(n.Arguments[0]) {
			a.add(Problem{
				Code: MissingAwait, Severity: Error, Hint: fix,
				Message: fmt.Sprintf("%s doesn't wait for the promises that its function gives", name),
			}, m.Property)
		}
		if returnsNeeded[name] && (u != useNone || name != "map") {
			a.callback(name, n.Arguments[0])
		}
	}
	a.arguments(n.Arguments, by)
	v := a.call(callee, n, maxLook)
	a.used(n, v, u, detail)
	return v
}

// hosted reports whether a function that gives a promise may wait for the host:
// others are done when the program is.
func (a *analysis) hosted(e syntax.Expr) bool {
	v := a.peek(e, maxLook)
	return v.kind == hostFunc || v.body != nil
}

// used looks whether what is known of a value goes together with its use.
func (a *analysis) used(e syntax.Node, v value, u use, detail string) {
	if v.kind == promises {
		a.usedPromises(e, v, u, detail)
		return
	}
	if v.kind == reply && v.name == "FileList" && u == useLoop {
		a.add(Problem{Code: UnknownMember, Severity: Error, Message: "a FileList can't be iterated", Hint: "go through its entries"}, e)
	}
	if v.kind != promise {
		return
	}
	var b *binding
	if id, ok := e.(*syntax.Identifier); ok {
		b = a.refs[id]
	}
	wrong := false
	switch u {
	case useOperand, useTest, useText, useCall, useMember, useLoop, useStream, useSpread, useTaken, useArgument, useResult:
		wrong = true
	case useNone:
		wrong = b == nil && a.loses(v)
	}
	if b != nil {
		if !wrong {
			b.good++
			return
		}
		if len(b.bad) == 0 {
			a.misused = append(a.misused, b)
		}
		b.bad = append(b.bad, misuse{e, u, detail, a.canAwait()})
		return
	}
	if wrong {
		a.unawaited(e, v, misuse{e, u, detail, a.canAwait()}, nil)
	}
}

// loses reports whether something is lost when nobody waits for a promise.
func (a *analysis) loses(v value) bool {
	switch {
	case v.fn != nil:
		return true
	case v.body != nil:
		return a.callsHost(v.body)
	case strings.HasPrefix(v.name, "Promise.a"):
		return a.hostCalls // all of it may be the host's
	}
	return false
}

// callsHost reports whether a function's text has an asynchronous host function.
func (a *analysis) callsHost(f *syntax.Function) bool {
	return within(a.hostAt, f.Span) || a.hostCalls && within(a.asyncAt, f.Span)
}

func (a *analysis) usedPromises(e syntax.Node, v value, u use, detail string) {
	what := ""
	switch u {
	case useAwait:
		what = "await doesn't wait for the promises in an array"
	case useOperand, useText, useArgument, useSpread:
		what = "this is an array of promises"
	case useResult, useReturn:
		what = "this is an array of promises, which can't be the result"
	case useMember:
		if ofValues[detail] {
			what = "this is an array of promises"
		}
	case useNone:
		if a.hostCalls {
			what = "nobody waits for these promises"
		}
	}
	if what == "" {
		return
	}
	p := Problem{Code: MissingAwait, Severity: Error, Message: what, Hint: "write await Promise.all(…) around it"}
	s := e.Range()
	if _, ok := e.(*syntax.Identifier); a.canAwait() && !ok || u == useAwait || (u == useResult || u == useReturn) && a.canAwait() {
		switch u {
		case useAwait:
			p.Fix = wrap(s, "Promise.all(", ")", "wait for all of them")
		case useMember:
			p.Fix = wrap(s, "(await Promise.all(", "))", "wait for all of them")
		default:
			p.Fix = wrap(s, "await Promise.all(", ")", "wait for all of them")
		}
	}
	a.add(p, e)
}

// wrap is a fix that puts texts around a place.
func wrap(s syntax.Span, before, after, title string) *Fix {
	f := &Fix{Title: title, Edits: []Edit{{int(s.Start), int(s.Start), before}}}
	if after != "" {
		f.Edits = append(f.Edits, Edit{int(s.End), int(s.End), after})
	}
	return f
}

// describe says what is wrong with a use of a promise.
func (m misuse) describe(what string) string {
	switch m.use {
	case useNone:
		return "nobody waits for " + what
	case useMember:
		return fmt.Sprintf("%s is a promise: it has no %s", what, m.detail)
	case useText:
		return what + " is a promise, not a text"
	case useTest:
		return what + " is a promise: it is always true"
	case useOperand:
		return fmt.Sprintf("%s is a promise: %s needs a value", what, m.detail)
	case useCall:
		return what + " is a promise, not a function"
	case useLoop:
		return what + " is a promise: it can't be iterated"
	case useStream:
		return what + " is a promise of what for await goes through"
	case useSpread:
		return what + " is a promise: it has no properties to copy"
	case useTaken:
		return what + " is a promise: it has no such properties"
	case useArgument:
		return fmt.Sprintf("%s is a promise: %s needs what it is of", what, m.detail)
	case useResult:
		return what + " is a promise, which can't be a part of the result"
	}
	return what + " is a promise"
}

// unawaited reports a promise that is used as a value; b is the name that holds
// it, if one does.
func (a *analysis) unawaited(e syntax.Node, v value, m misuse, b *binding) {
	what := v.name
	if b != nil {
		what = b.name
	}
	p := Problem{Code: MissingAwait, Severity: Error, Message: m.describe(what)}
	if m.use == useNone && v.local && v.fn == nil {
		p.Severity = Warning
	}
	if b != nil {
		at := a.tree.Lines().Position(v.start)
		p.Hint = fmt.Sprintf("write await in front of %s at line %d", v.name, at.Line)
		if !a.awaitAt(b) {
			p.Hint = "await it"
		}
		if fix := a.fixBinding(b); fix != nil {
			p.Fix = fix
		}
		a.add(p, e)
		return
	}
	p.Hint, p.Fix = a.fixAwait(e, m)
	a.add(p, e)
}

// fixAwait is the fix that awaits an expression where it stands.
func (a *analysis) fixAwait(e syntax.Node, m misuse) (hint string, fix *Fix) {
	s := e.Range()
	text := short(a.tree.Source[s.Start:s.End])
	if !m.async {
		return "make the function around it async, and write await " + text, nil
	}
	if id, ok := e.(*syntax.Identifier); ok && a.shorthand[id] {
		return "write await " + text, wrap(s, id.Name+": await ", "", "await it")
	}
	if m.use == useMember || m.use == useCall || m.use == useOperand && m.detail == "**" {
		return fmt.Sprintf("write (await %s)%s", text, tail(m)), wrap(s, "(await ", ")", "await it")
	}
	return "write await " + text, wrap(s, "await ", "", "await it")
}

func tail(m misuse) string {
	if m.use == useMember && m.detail != "" {
		return "." + m.detail
	}
	return ""
}

// short is a text on one line, of at most 60 characters.
func short(s string) string {
	s = s[:min(len(s), 400)]
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = strings.TrimRight(s[:i], " \t") + " …"
	}
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

// awaitAt reports whether an await can stand where a binding is initialised.
func (a *analysis) awaitAt(b *binding) bool { return b.init != nil && a.inits[b] }

// fixBinding awaits a promise where a name gets it, or, if it is wanted as a
// promise elsewhere, at each place where it is used as a value.
func (a *analysis) fixBinding(b *binding) *Fix {
	if b.good == 0 && a.awaitAt(b) && len(b.path) == 0 {
		s := b.init.Range()
		if _, ok := b.init.(*syntax.Identifier); !ok {
			return wrap(s, "await ", "", "await it where it is made")
		}
	}
	f := &Fix{Title: "await it where it is used"}
	for _, m := range b.bad {
		if !m.async || m.use == useNone || len(f.Edits) >= 2*maxEdits {
			return nil
		}
		_, one := a.fixAwait(m.at, m)
		f.Edits = append(f.Edits, one.Edits...)
	}
	return f
}

// maxEdits bounds the places that one fix changes.
const maxEdits = 50
