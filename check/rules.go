package check

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// absence is a member that an object of the host's doesn't have.
type absence struct {
	at          *syntax.MemberExpression
	group, name string
}

// guard notes that a member is asked for with ?. and so may be absent.
func (a *analysis) guard(n syntax.Node, optional bool) {
	if optional {
		a.guards[n] = true
	}
}

// absent notes the use of a member that isn't there.
func (a *analysis) absent(n *syntax.MemberExpression, in, name string, u use) {
	switch {
	case slices.Contains(a.membersOf(in), name):
	case u == useTypeof, u == useTest, a.guards[n]:
		a.present[in+"."+name] = true
	default:
		a.absents = append(a.absents, absence{n, in, name})
	}
}

func (a *analysis) membersOf(in string) []string {
	if list := shapes[in]; list != nil {
		return list
	}
	return a.members[in]
}

// absentMembers reports the members that aren't there, and weren't asked for.
func (a *analysis) absentMembers() {
	for _, x := range a.absents {
		if a.present[x.group+"."+x.name] || a.full(UnknownMember) {
			continue
		}
		list := a.membersOf(x.group)
		p := Problem{Code: UnknownMember, Severity: Error, Message: fmt.Sprintf("%s has no %s", x.group, x.name)}
		p.Suggestions = pinfold.Closest(x.name, list)
		if shapes[x.group] == nil && len(p.Suggestions) == 0 {
			p.Suggestions = a.elsewhere(x.name)
		}
		switch {
		case meant[x.group+"."+x.name] != "":
			p.Hint = meant[x.group+"."+x.name]
		case len(p.Suggestions) == 1 && slices.Contains(list, p.Suggestions[0]) && !x.at.Computed:
			s := x.at.Property.Range()
			p.Fix = &Fix{"use " + p.Suggestions[0], []Edit{{int(s.Start), int(s.End), p.Suggestions[0]}}}
			fallthrough
		case len(p.Suggestions) > 0:
			p.Hint = "did you mean " + strings.Join(p.Suggestions, " or ") + "?"
		default:
			p.Hint = "it has " + strings.Join(list[:min(len(list), 20)], ", ")
		}
		a.add(p, x.at.Property)
	}
}

// elsewhere finds host functions whose last name it is.
func (a *analysis) elsewhere(name string) []string {
	var out []string
	for _, f := range a.list {
		if lastName(f.Name) == name && len(out) < 3 {
			out = append(out, f.Name)
		}
	}
	return out
}

// seen looks whether a host function that the program names can be used.
func (a *analysis) seen(n syntax.Node, v value, u use) {
	if v.kind != hostFunc || v.fn.Capability == "" || u == useTypeof || u == useTest || a.guards[n] || a.refused[v.fn.Name] {
		return
	}
	f := v.fn
	declared, granted := f.Declared, f.Granted
	if a.declared != nil && f.Capability != "cost" && f.Capability != "log" && f.Capability != "delay" {
		declared = a.declared[f.Capability]
	}
	if a.granted != nil {
		granted = a.granted[f.Capability]
	}
	whose := "program's"
	if a.isTool {
		whose = "tool's"
	}
	p := Problem{Severity: Error}
	switch {
	case !declared:
		p.Code = NotDeclared
		p.Message = fmt.Sprintf("%s needs '%s' in the %s requires list", v.name, f.Capability, whose)
		p.Hint = fmt.Sprintf("add %q to requires", f.Capability)
		if a.requires != nil {
			p.Fix = a.require(f.Capability)
		}
	case !granted:
		p.Code = NotGranted
		p.Message = fmt.Sprintf("%s is not available: %s was not granted", v.name, f.Capability)
		p.Hint = "do without it, or ask whoever runs this for " + f.Capability
	default:
		return
	}
	a.refused[f.Name] = true
	a.add(p, n)
}

// require adds a capability to a tool's list.
func (a *analysis) require(capability string) *Fix {
	list := a.requires
	for f := range a.refused { // the edit is the same for each function of a capability
		if a.functions[f].Capability == capability {
			return nil
		}
	}
	text := strconv.Quote(capability)
	at := int(list.Start) + 1
	if n := len(list.Elements); n > 0 && list.Elements[n-1] != nil {
		at, text = int(list.Elements[n-1].Range().End), ", "+text
	}
	return &Fix{"add it to requires", []Edit{{at, at, text}}}
}

// values are names of other languages, and what they are here.
var values = map[string]string{
	"None": "null", "nil": "null", "NULL": "null", "nullptr": "null", "Nil": "null", "NIL": "null", "True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
	"print": "console.log", "println": "console.log", "puts": "console.log", "global": "globalThis",
}

// unknownNames reports the names that nobody defines, each once.
func (a *analysis) unknownNames(r *resolver) {
	if r.open {
		return
	}
	places := map[string][]global{}
	var order []string
	for _, g := range r.globals {
		name := g.id.Name
		if a.globals[name] || a.groups[name] || r.guarded[name] || r.made[name] {
			continue
		}
		if places[name] == nil {
			order = append(order, name)
		}
		if len(places[name]) <= maxEdits {
			places[name] = append(places[name], g)
		}
	}
	for i, name := range order { // in the order of the source
		first := places[name][0]
		p := Problem{Code: UnknownName, Severity: Error, Message: name + " is not defined"}
		if i < MaxProblems { // the others aren't among the first
			p.Hint, p.Suggestions = a.sandbox.HintName(name, append(first.near, a.around.Globals...))
		}
		if first.written && len(p.Suggestions) == 0 {
			p.Hint = fmt.Sprintf("declare it first: let %s = …", name)
		}
		to := values[name]
		if to == "" && len(p.Suggestions) == 1 && len(name) > 2 {
			to = p.Suggestions[0]
		}
		if to != "" && len(places[name]) <= maxEdits && !a.anyWritten(places[name]) {
			p.Fix = &Fix{Title: "use " + to}
			for _, g := range places[name] {
				s := g.id.Range()
				text := to
				if a.shorthand[g.id] {
					text = name + ": " + to
				}
				if a.tree.Source[s.Start:s.End] != name {
					p.Fix = nil // it is written with escapes
					break
				}
				p.Fix.Edits = append(p.Fix.Edits, Edit{int(s.Start), int(s.End), text})
			}
		}
		a.add(p, first.id)
	}
}

func (a *analysis) anyWritten(list []global) bool {
	return slices.ContainsFunc(list, func(g global) bool { return g.written })
}

// imports looks whether what the program imports is there.
func (a *analysis) imports() {
	for _, q := range a.tree.Requests {
		a.module(q.Specifier, q.Span)
	}
	if a.tree.TypeScript {
		return // what is imported may be a type
	}
	for _, x := range a.tree.Imports {
		q := a.tree.Requests[x.Request]
		if x.Namespace || x.Source || a.full(UnknownExport) {
			continue
		}
		from := q.Specifier
		if !slices.Contains(a.modules, from) {
			from = path.Join(path.Dir(a.tree.Name), from)
		}
		names := a.exports(from)
		if names == nil || slices.Contains(names, x.ImportName) {
			continue
		}
		p := Problem{Code: UnknownExport, Severity: Error, Message: fmt.Sprintf("the module %s has no export %s", strconv.Quote(short(q.Specifier)), x.ImportName)}
		p.Suggestions = pinfold.Closest(x.ImportName, names)
		switch {
		case len(p.Suggestions) > 0:
			p.Hint = "did you mean " + strings.Join(p.Suggestions, " or ") + "?"
		case len(names) == 0:
			p.Hint = "it exports nothing"
		default:
			p.Hint = "it exports " + strings.Join(names[:min(len(names), 20)], ", ")
		}
		a.add(p, x.Span)
	}
}

// exportsOf returns the names that a module of the sandbox exports, sorted; nil if
// they aren't known.
func exportsOf(specifier, text string) []string {
	if strings.HasSuffix(specifier, ".json") {
		return []string{"default"}
	}
	tree, err := syntax.Parse(specifier, text, syntax.Options{Goal: syntax.Module, TypeScript: path.Ext(specifier) == ".ts"})
	if err != nil || len(tree.StarExports) > 0 {
		return nil
	}
	names := []string{}
	for _, x := range append(slices.Clone(tree.LocalExports), tree.IndirectExports...) {
		names = append(names, x.ExportName)
	}
	slices.Sort(names)
	return names
}

func (a *analysis) importing(n *syntax.ImportExpression) {
	if s, ok := n.Source.(*syntax.StringLiteral); ok {
		a.module(s.Value, s.Span)
	}
}

// instead are modules that programs know from elsewhere, and what there is here.
var instead = map[string]string{
	"fs": "ctx.readFile", "fs/promises": "ctx.readFile", "http": "ctx.fetch", "https": "ctx.fetch", "node-fetch": "ctx.fetch", "axios": "ctx.fetch", "undici": "ctx.fetch",
}

func (a *analysis) module(specifier string, at syntax.Span) {
	relative := strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")
	full := specifier
	if relative {
		full = path.Join(path.Dir(a.tree.Name), specifier)
	}
	if slices.Contains(a.modules, specifier) || slices.Contains(a.modules, full) || relative && full == a.tree.Name && a.tree.Goal == syntax.Module ||
		a.opt.Exists != nil && a.opt.Exists(specifier) {
		return
	}
	if a.full(UnknownModule) {
		return
	}
	p := Problem{Code: UnknownModule, Severity: Error, Message: fmt.Sprintf("there is no module %s", strconv.Quote(short(specifier)))}
	p.Suggestions = pinfold.Closest(specifier, a.modules)
	f := instead[strings.TrimPrefix(specifier, "node:")]
	switch {
	case len(p.Suggestions) > 0:
		p.Hint = "did you mean " + strings.Join(p.Suggestions, " or ") + "?"
		if len(p.Suggestions) == 1 && a.tree.Source[at.Start:at.End] == strconv.Quote(specifier) {
			p.Fix = &Fix{"import " + p.Suggestions[0], []Edit{{int(at.Start), int(at.End), strconv.Quote(p.Suggestions[0])}}}
		}
	case f != "" && a.functions[f] != nil:
		p.Hint = "use " + f
	case len(a.modules) > 0:
		p.Hint = "there are " + strings.Join(a.modules[:min(len(a.modules), 20)], ", ")
	default:
		p.Hint = "no module is available; what the host offers are plain functions"
	}
	a.add(p, at)
}

// result looks whether a program computes a value last and doesn't return it.
func (a *analysis) result() {
	body := a.tree.Body
	if a.tree.Goal != syntax.FunctionBody || a.tree.LoneExpression != nil || a.around.Completion || a.returns {
		return
	}
	for len(body) > 0 {
		if _, ok := body[len(body)-1].(*syntax.EmptyStatement); !ok {
			break
		}
		body = body[:len(body)-1]
	}
	if len(body) == 0 {
		return
	}
	s, ok := body[len(body)-1].(*syntax.ExpressionStatement)
	if !ok || s.Directive || !a.wanted(s.Expression) {
		return
	}
	a.last = s
	a.add(Problem{
		Code: NoReturn, Severity: Warning, Message: "the program computes this last, and doesn't return it", Hint: "write return in front of it",
		Fix: wrap(syntax.Span{Start: s.Start, End: s.Start}, "return ", "", "return it"),
	}, s.Expression)
}

// doers are methods that are called for what they do.
var doers = map[string]bool{
	"push": true, "set": true, "add": true, "delete": true, "forEach": true, "splice": true, "unshift": true, "pop": true, "shift": true,
	"fill": true, "clear": true, "sort": true, "reverse": true, "assign": true, "then": false, "freeze": true, "defineProperty": true,
}

// wanted reports whether an expression is written for its value.
func (a *analysis) wanted(e syntax.Expr) bool {
	if pure(e, 20) {
		return true
	}
	e, _ = unwrap(e).(syntax.Expr)
	if w, ok := e.(*syntax.AwaitExpression); ok {
		e, _ = unwrap(w.Argument).(syntax.Expr)
	}
	c, ok := e.(*syntax.CallExpression)
	if !ok || a.prints {
		return false
	}
	if m, ok := unwrap(c.Callee).(*syntax.MemberExpression); ok {
		name, _ := keyName(m.Property, m.Computed)
		if doers[name] {
			return false
		}
	}
	if v := a.peek(c.Callee, maxLook); v.kind == hostFunc {
		d := strings.TrimSpace(v.fn.Declaration)
		return !strings.HasSuffix(d, "void") && !strings.HasSuffix(d, "Promise<void>") && v.fn.Capability != pinfold.FileWrite
	}
	return true
}

// pure reports whether an expression only computes a value.
func pure(e syntax.Expr, depth int) bool {
	if depth == 0 {
		return false
	}
	switch n := unwrap(e).(type) {
	case *syntax.Identifier, *syntax.StringLiteral, *syntax.NumericLiteral, *syntax.BooleanLiteral, *syntax.NullLiteral, *syntax.BigIntLiteral,
		*syntax.TemplateLiteral, *syntax.ArrayExpression, *syntax.ObjectExpression, *syntax.RegExpLiteral:
		return true
	case *syntax.MemberExpression:
		return pure(n.Object, depth-1)
	case *syntax.BinaryExpression:
		return true
	case *syntax.ConditionalExpression:
		return pure(n.Consequent, depth-1) && pure(n.Alternate, depth-1)
	case *syntax.LogicalExpression:
		return pure(n.Left, depth-1) && pure(n.Right, depth-1)
	case *syntax.UnaryExpression:
		return n.Operator != syntax.OpDelete && n.Operator != syntax.OpVoid
	}
	return false
}

// returnsNeeded are the methods of arrays that do something with what their
// function returns.
var returnsNeeded = map[string]bool{
	"map": true, "filter": true, "find": true, "findIndex": true, "findLast": true, "some": true, "every": true, "reduce": true, "flatMap": true, "sort": true, "toSorted": true,
}

// callback looks whether a function that must return something forgets to.
func (a *analysis) callback(method string, e syntax.Expr) {
	var f *syntax.Function
	switch n := unwrap(e).(type) {
	case *syntax.ArrowFunctionExpression:
		f = n.Func
	case *syntax.FunctionExpression:
		f = n.Func
	}
	if f == nil || f.Generator || len(f.Body) == 0 {
		return
	}
	s, ok := f.Body[len(f.Body)-1].(*syntax.ExpressionStatement)
	if !ok || s.Directive || !pure(s.Expression, 20) {
		return
	}
	for _, x := range f.Body {
		if gives(x) {
			return
		}
	}
	a.add(Problem{
		Code: NoReturn, Severity: Warning, Message: fmt.Sprintf("the function for %s returns nothing", method), Hint: "write return in front of it",
		Fix: wrap(syntax.Span{Start: s.Start, End: s.Start}, "return ", "", "return it"),
	}, s.Expression)
}
