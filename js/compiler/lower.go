package compiler

import (
	"strconv"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// NonErasable says what happens to TypeScript that isn't types alone.
type NonErasable uint8

const (
	// RefuseNonErasable makes it an error that names a rewrite.
	RefuseNonErasable NonErasable = iota
	// CompileNonErasable gives it the meaning TypeScript's own compiler gives
	// it for ES2022. `export = e` exports e as default and under the name
	// "module.exports"; import x = require("m") gives what m exports under that
	// name, or else m's namespace. Parameter decorators need LegacyDecorators.
	CompileNonErasable
)

// A lowerer rewrites a tree in place, so that what the compiler meets is plain
// ECMAScript. The nodes it makes carry the places of what they stand for. It
// only runs over programs that hold such a construct.
type lowerer struct {
	cp  *compiler
	env *frame
	// words are all names in the program with the number of their occurrences;
	// bound are those that something other than an enum or namespace binds.
	words map[string]int
	bound map[string]bool
	heads map[string]int // enums and namespaces by name
	// alias counts the declarations import x = A.B by name.
	alias map[string]int
	fresh int
	// noAwait, noSuper: the code moves into a function of its own that has
	// neither.
	noAwait, noSuper bool
	constDepth       int
	// holes are the pieces of the program in the code made for decorators; made
	// are that code's functions around them.
	holes  map[string]syntax.Expr
	made   map[*syntax.Function]bool
	legacy bool // decorators are TypeScript's experimental ones
	// exports is what stands for `export =`, at the program's end.
	exports syntax.Stmt
}

// A frame is one scope. A name's value is the variable with the object whose
// property it is, or "" for an ordinary variable.
type frame struct {
	parent *frame
	names  map[string]string
	syms   map[string]*nsSym
	consts map[string]syntax.Expr
	enum   *nsSym // the frame of an enum's members
	done   map[string]bool
	// What a namespace exports, or the members of an enum, are names as well, with
	// the value obj: all its declarations share them.
	ns  *nsSym
	obj string
}

// value returns what a name stands for in the frame.
func (f *frame) value(name string) (string, bool) {
	if v, ok := f.names[name]; ok || f.ns == nil {
		return v, ok
	}
	if f.enum != nil && f.ns.members[name] || f.enum == nil && f.ns.exports[name] {
		return f.obj, true
	}
	return "", false
}

// sym returns the enum or namespace of a name that the frame declares, or nil.
func (f *frame) sym(name string) *nsSym {
	if s := f.syms[name]; s != nil || f.ns == nil || f.enum != nil {
		return s
	}
	return f.ns.subs[name]
}

// A nsSym is what all declarations of one enum or namespace make together.
type nsSym struct {
	exports map[string]bool
	subs    map[string]*nsSym
	members map[string]bool
	values  map[string]constValue
}

func newSym() *nsSym {
	return &nsSym{exports: map[string]bool{}, subs: map[string]*nsSym{}, members: map[string]bool{}, values: map[string]constValue{}}
}

func (s *nsSym) sub(name string) *nsSym {
	t := s.subs[name]
	if t == nil {
		t = newSym()
		s.subs[name] = t
	}
	return t
}

// lower rewrites the program.
func (cp *compiler) lower() {
	p := cp.p
	l := &lowerer{cp: cp, legacy: cp.opt.LegacyDecorators, words: map[string]int{}, bound: map[string]bool{}, heads: map[string]int{}, alias: map[string]int{}, made: map[*syntax.Function]bool{}}
	l.survey(p)
	p.Body = l.list(p.Body, listKind{top: true, vars: true})
	if l.exports != nil {
		p.Body = append(p.Body, l.exports)
	}
	p.Func.Body = p.Body
	seen := map[string]bool{}
	n := 0
	for _, e := range p.LocalExports {
		key := e.LocalName + " " + e.ExportName
		if seen[key] {
			continue
		}
		seen[key] = true
		p.LocalExports[n] = e
		n++
	}
	p.LocalExports = p.LocalExports[:n]
}

func (l *lowerer) fail(s syntax.Span, msg string) { l.cp.failAt(s.Start, s.End, msg) }

// survey counts names.
func (l *lowerer) survey(p *syntax.Program) {
	bind := func(t syntax.Pattern) {
		if t != nil {
			boundNames(t, func(id *syntax.Identifier) { l.bound[id.Name] = true })
		}
	}
	syntax.Walk(p, func(n syntax.Node) bool {
		l.cp.step()
		switch n := n.(type) {
		case *syntax.Identifier:
			l.words[n.Name]++
		case *syntax.VariableDeclarator:
			bind(n.ID)
		case *syntax.Function:
			if n.ID != nil {
				l.bound[n.ID.Name] = true
			}
			for _, q := range n.Params {
				bind(q)
			}
		case *syntax.CatchClause:
			bind(n.Param)
		case *syntax.Class:
			if n.ID != nil {
				l.bound[n.ID.Name] = true
			}
		case *syntax.TSEnumDeclaration:
			l.heads[n.ID.Name]++
			if n.Declare {
				return false
			}
		case *syntax.TSModuleDeclaration:
			for _, id := range n.Path {
				l.heads[id.Name]++
			}
			if n.TypeOnly {
				return false
			}
		case *syntax.TSImportEqualsDeclaration:
			l.bound[n.ID.Name] = true
			l.alias[n.ID.Name]++
			if len(n.Path) > 0 {
				l.words[n.Path[0].Name]++
			}
		}
		return true
	})
	for _, e := range p.LocalExports {
		l.words[e.LocalName]++
	}
}

// object returns a name for the parameter that holds the object of an enum or
// namespace: its own, unless something inside could hide it.
func (l *lowerer) object(name string) string {
	if !l.bound[name] && l.heads[name] == 1 {
		return name
	}
	return l.unique(name)
}

func (l *lowerer) unique(name string) string {
	for {
		l.fresh++
		s := name + "_" + strconv.Itoa(l.fresh)
		if l.words[s] == 0 {
			l.words[s]++
			return s
		}
	}
}

// ---- Scopes ----

func (l *lowerer) push() *frame {
	l.env = &frame{parent: l.env, names: map[string]string{}}
	return l.env
}

func (l *lowerer) pop() { l.env = l.env.parent }

// find returns the frame that declares a name.
func (l *lowerer) find(name string) *frame {
	for f := l.env; f != nil; f = f.parent {
		if _, ok := f.value(name); ok {
			return f
		}
	}
	return nil
}

// listKind says what a list of statements is.
type listKind struct {
	top  bool   // the program itself
	vars bool   // its var declarations belong to it
	ns   *nsSym // the body of a namespace
	obj  string // the variable with that namespace's object
}

// exported strips export from a statement.
func exported(s syntax.Stmt) (syntax.Stmt, bool) {
	switch n := s.(type) {
	case *syntax.ExportNamedDeclaration:
		if n.Declaration != nil && !n.TypeOnly {
			return n.Declaration, true
		}
	case *syntax.TSImportEqualsDeclaration:
		return n, n.Export
	}
	return s, false
}

// collect fills in what the enums and namespaces of a list declare. With into,
// only what is exported counts, as members of into; else all of it does.
func (l *lowerer) collect(list []syntax.Stmt, into *nsSym, subs map[string]*nsSym) { //meter: as deep as the tree, which the parser bounds
	sub := func(name string) *nsSym {
		if into != nil {
			into.exports[name] = true
			return into.sub(name)
		}
		s := subs[name]
		if s == nil {
			s = newSym()
			subs[name] = s
		}
		return s
	}
	for _, st := range list {
		s, exp := exported(st)
		if into != nil && !exp {
			continue
		}
		l.cp.step()
		switch n := s.(type) {
		case *syntax.TSEnumDeclaration:
			if !n.Declare {
				sym := sub(n.ID.Name)
				for _, m := range n.Members {
					sym.members[m.Name] = true
				}
			}
		case *syntax.TSModuleDeclaration:
			if n.TypeOnly || len(n.Path) == 0 {
				continue
			}
			sym := sub(n.Path[0].Name)
			for _, id := range n.Path[1:] {
				sym.exports[id.Name] = true
				sym = sym.sub(id.Name)
			}
			l.collect(n.Body, sym, nil)
		default:
			if into == nil {
				continue
			}
			switch n := s.(type) {
			case *syntax.VariableDeclaration:
				if !n.Declare {
					for _, d := range n.Declarations {
						boundNames(d.ID, func(id *syntax.Identifier) { into.exports[id.Name] = true })
					}
				}
			case *syntax.FunctionDeclaration:
				into.exports[n.Func.ID.Name] = true
			case *syntax.ClassDeclaration:
				if !n.Declare {
					into.exports[n.Class.ID.Name] = true
				}
			case *syntax.TSImportEqualsDeclaration:
				if !n.TypeOnly {
					into.exports[n.ID.Name] = true
				}
			}
		}
	}
}

// open pushes the frame of a list of statements.
func (l *lowerer) open(list []syntax.Stmt, k listKind) {
	f := l.push()
	f.done = map[string]bool{}
	f.syms = map[string]*nsSym{}
	local := list
	if k.ns != nil {
		f.ns, f.obj = k.ns, k.obj
		local = nil
		for _, st := range list {
			s, exp := exported(st)
			if !exp {
				local = append(local, s)
				continue
			}
			switch n := s.(type) {
			case *syntax.TSEnumDeclaration, *syntax.TSModuleDeclaration:
				f.declareHead(s)
			case *syntax.FunctionDeclaration:
				f.names[n.Func.ID.Name], f.done[n.Func.ID.Name] = "", true
			case *syntax.ClassDeclaration:
				if !n.Declare {
					f.names[n.Class.ID.Name], f.done[n.Class.ID.Name] = "", true
				}
			}
		}
	}
	subs := map[string]*nsSym{}
	l.collect(local, nil, subs)
	for name, s := range subs {
		f.syms[name] = s
	}
	if k.vars {
		varNames(local, func(name string, _ bool) { f.names[name] = "" })
	}
	lexNames(local, true, func(name string, kind bindKind) {
		f.names[name] = ""
		if kind == bindFunc || kind == bindClass {
			f.done[name] = true
		}
	})
	for _, st := range local {
		s, _ := exported(st)
		f.declareHead(s)
		switch n := s.(type) {
		case *syntax.VariableDeclaration:
			if n.Kind != syntax.DeclConst || n.Declare {
				continue
			}
			for _, d := range n.Declarations {
				if id, ok := d.ID.(*syntax.Identifier); ok && d.Type == nil && d.Init != nil {
					if f.consts == nil {
						f.consts = map[string]syntax.Expr{}
					}
					f.consts[id.Name] = d.Init
				}
			}
		case *syntax.ImportDeclaration:
			for _, id := range []*syntax.Identifier{n.Default, n.Namespace} {
				if id != nil {
					f.names[id.Name] = ""
				}
			}
			for _, sp := range n.Named {
				f.names[sp.Local.Name] = ""
			}
		}
	}
}

// declareHead declares the name of an enum, namespace or alias.
func (f *frame) declareHead(s syntax.Stmt) {
	switch n := s.(type) {
	case *syntax.TSEnumDeclaration:
		if !n.Declare {
			f.names[n.ID.Name] = ""
		}
	case *syntax.TSModuleDeclaration:
		if !n.TypeOnly && len(n.Path) > 0 {
			f.names[n.Path[0].Name] = ""
		}
	case *syntax.TSImportEqualsDeclaration:
		if !n.TypeOnly {
			f.names[n.ID.Name] = ""
		}
	}
}

// ---- Nodes ----

func at(off int32) syntax.Span { return syntax.Span{Start: off, End: off} }

func ident(s syntax.Span, name string) *syntax.Identifier {
	return &syntax.Identifier{Span: s, Name: name}
}

func dot(s syntax.Span, obj, name string) *syntax.MemberExpression {
	return &syntax.MemberExpression{Span: s, Object: ident(s, obj), Property: ident(s, name)}
}

func index(s syntax.Span, obj, key syntax.Expr) *syntax.MemberExpression {
	return &syntax.MemberExpression{Span: s, Computed: true, Object: obj, Property: key}
}

func assign(s syntax.Span, to syntax.Pattern, v syntax.Expr) *syntax.AssignmentExpression {
	return &syntax.AssignmentExpression{Span: s, Operator: syntax.OpAssign, OpPos: s.Start, Left: to, Right: v}
}

func exprStmt(e syntax.Expr) syntax.Stmt {
	return &syntax.ExpressionStatement{Span: e.Range(), Expression: e}
}

func declare(s syntax.Span, kind syntax.DeclKind, name string, init syntax.Expr) *syntax.VariableDeclaration {
	d := &syntax.VariableDeclarator{Span: s, ID: ident(s, name), Init: init}
	return &syntax.VariableDeclaration{Span: s, Kind: kind, Declarations: []*syntax.VariableDeclarator{d}}
}

// ---- Statements ----

// list rewrites a list of statements in a scope of its own.
func (l *lowerer) list(list []syntax.Stmt, k listKind) []syntax.Stmt {
	l.open(list, k)
	defer l.pop()
	return l.items(list, k)
}

func (l *lowerer) items(list []syntax.Stmt, k listKind) []syntax.Stmt {
	out := make([]syntax.Stmt, 0, len(list))
	for _, s := range list {
		out = l.item(out, s, k)
	}
	return out
}

func (l *lowerer) item(out []syntax.Stmt, st syntax.Stmt, k listKind) []syntax.Stmt {
	s, exp := exported(st)
	obj := ""
	if exp && k.ns != nil {
		obj = k.obj
	}
	switch n := s.(type) {
	case *syntax.TSEnumDeclaration:
		if n.Declare {
			return out
		}
		out = l.head(out, n.ID, k)
		return append(out, l.enum(n, l.env.sym(n.ID.Name), obj))
	case *syntax.TSModuleDeclaration:
		if n.TypeOnly {
			return out
		}
		if len(n.Path) == 0 {
			l.fail(n.Span, "A module with a quoted name can only be declared")
			return out
		}
		if len(n.Path) > maxPath {
			l.fail(n.Span, "The name of the namespace has too many parts")
			return out
		}
		out = l.head(out, n.Path[0], k)
		return append(out, l.namespace(n, 0, l.env.sym(n.Path[0].Name), obj))
	case *syntax.TSImportEqualsDeclaration:
		return l.importEquals(out, n, k)
	case *syntax.TSExportAssignment:
		if n.TypeOnly {
			return out
		}
		if !k.top || l.cp.p.Goal != syntax.Module {
			l.fail(n.Span, "An export assignment cannot be used in a namespace.")
			return out
		}
		l.exports = &syntax.ExportDefaultDeclaration{Span: n.Span, Expression: l.expr(n.Expression)}
		return out
	}
	if obj == "" {
		if l.legacy {
			if list, ok := l.legacyClass(out, st); ok {
				return list
			}
		} else if d := l.undecorate(st); d != nil {
			return append(out, d)
		}
		l.stmt(st)
		return append(out, st)
	}
	switch n := s.(type) {
	case *syntax.VariableDeclaration:
		if n.Declare {
			return out
		}
		// Exported variables are properties only.
		for _, d := range n.Declarations {
			if d.Init == nil {
				continue
			}
			init := l.expr(d.Init)
			out = append(out, exprStmt(assign(d.Span, l.pattern(d.ID, false), init)))
		}
	case *syntax.FunctionDeclaration:
		l.stmt(n)
		name := n.Func.ID.Name
		out = append(out, n, exprStmt(assign(n.Func.ID.Span, dot(n.Func.ID.Span, obj, name), ident(at(n.End), name))))
	case *syntax.ClassDeclaration:
		if n.Declare {
			return out
		}
		id := n.Class.ID
		if l.legacy && legacyDecorated(n.Class) {
			out, _ = l.legacyClass(out, n)
		} else if !l.legacy && decorated(n.Class) {
			out = append(out, declare(n.Span, syntax.DeclLet, id.Name, l.decoratedClass(n.Class, "")))
		} else {
			l.stmt(n)
			out = append(out, n)
		}
		out = append(out, exprStmt(assign(id.Span, dot(id.Span, obj, id.Name), ident(at(n.End), id.Name))))
	default:
		l.stmt(s)
		out = append(out, s)
	}
	return out
}

// undecorate returns what stands in the place of the declaration of a decorated
// class, nil if the statement is none.
func (l *lowerer) undecorate(st syntax.Stmt) syntax.Stmt {
	var d *syntax.ClassDeclaration
	switch n := st.(type) {
	case *syntax.ClassDeclaration:
		d = n
	case *syntax.ExportNamedDeclaration:
		if n.TypeOnly {
			return nil
		}
		d, _ = n.Declaration.(*syntax.ClassDeclaration)
	case *syntax.ExportDefaultDeclaration:
		d, _ = n.Declaration.(*syntax.ClassDeclaration)
		if d != nil && d.Class.ID == nil && decorated(d.Class) {
			n.Declaration, n.Expression = nil, l.decoratedClass(d.Class, "default")
			return n
		}
	}
	if d == nil || d.Declare || !decorated(d.Class) {
		return nil
	}
	name := d.Class.ID.Name
	return declare(d.Span, syntax.DeclLet, name, l.decoratedClass(d.Class, ""))
}

// refuse notes a construct that has no meaning here.
func (l *lowerer) refuse(s syntax.Span, construct string) {
	if l.cp.err != nil {
		return
	}
	l.fail(s, "TypeScript's "+construct+" is not supported")
	for _, n := range l.cp.p.NonErasable {
		if n.Construct == construct {
			l.cp.err.(*syntax.SyntaxError).Hint = n.Hint + "; the host can allow legacy decorators"
			return
		}
	}
}

// block rewrites the statements of a block.
func (l *lowerer) block(list []syntax.Stmt) []syntax.Stmt { return l.list(list, listKind{}) }

// stmt rewrites what is inside a statement.
func (l *lowerer) stmt(s syntax.Stmt) {
	l.cp.step()
	switch n := s.(type) {
	case *syntax.ExpressionStatement:
		n.Expression = l.expr(n.Expression)
	case *syntax.BlockStatement:
		n.Body = l.block(n.Body)
	case *syntax.WithStatement:
		n.Object = l.expr(n.Object)
		l.stmt(n.Body)
	case *syntax.ReturnStatement:
		n.Argument = l.expr(n.Argument)
	case *syntax.LabeledStatement:
		l.stmt(n.Body)
	case *syntax.IfStatement:
		n.Test = l.expr(n.Test)
		l.stmt(n.Consequent)
		if n.Alternate != nil {
			l.stmt(n.Alternate)
		}
	case *syntax.SwitchStatement:
		l.switchStmt(n)
	case *syntax.ThrowStatement:
		n.Argument = l.expr(n.Argument)
	case *syntax.TryStatement:
		n.Block.Body = l.block(n.Block.Body)
		if h := n.Handler; h != nil {
			f := l.push()
			if h.Param != nil {
				boundNames(h.Param, func(id *syntax.Identifier) { f.names[id.Name] = "" })
				h.Param = l.pattern(h.Param, true)
			}
			h.Body.Body = l.block(h.Body.Body)
			l.pop()
		}
		if n.Finalizer != nil {
			n.Finalizer.Body = l.block(n.Finalizer.Body)
		}
	case *syntax.WhileStatement:
		n.Test = l.expr(n.Test)
		l.stmt(n.Body)
	case *syntax.DoWhileStatement:
		l.stmt(n.Body)
		n.Test = l.expr(n.Test)
	case *syntax.ForStatement:
		l.push()
		if n.Init != nil {
			l.lexical(n.Init)
			l.stmt(n.Init)
		}
		n.Test = l.expr(n.Test)
		n.Update = l.expr(n.Update)
		l.stmt(n.Body)
		l.pop()
	case *syntax.ForInStatement:
		n.Left, n.Right = l.loopHead(n.Left, n.Right, n.Body)
	case *syntax.ForOfStatement:
		n.Left, n.Right = l.loopHead(n.Left, n.Right, n.Body)
	case *syntax.VariableDeclaration:
		if n.Declare {
			return
		}
		for _, d := range n.Declarations {
			d.ID = l.pattern(d.ID, true)
			if d.Init == nil {
				continue
			}
			if c, ok := erase(d.Init).(*syntax.ClassExpression); ok && decorated(c.Class) && !l.legacy {
				if id, ok := d.ID.(*syntax.Identifier); ok {
					d.Init = l.decoratedClass(c.Class, id.Name)
					continue
				}
			}
			d.Init = l.expr(d.Init)
		}
	case *syntax.FunctionDeclaration:
		l.function(n.Func, false)
	case *syntax.ClassDeclaration:
		if !n.Declare {
			l.class(n.Class)
		}
	case *syntax.ExportNamedDeclaration:
		if n.Declaration != nil && !n.TypeOnly {
			l.stmt(n.Declaration)
		}
	case *syntax.ExportDefaultDeclaration:
		if n.Declaration != nil {
			l.stmt(n.Declaration)
		} else {
			n.Expression = l.expr(n.Expression)
		}
	case *syntax.TSEnumDeclaration:
		if !n.Declare {
			l.fail(n.Span, "An enum can only be declared in a block or module")
		}
	case *syntax.TSModuleDeclaration:
		if !n.TypeOnly {
			l.fail(n.Span, "A namespace can only be declared in a namespace or module")
		}
	case *syntax.TSImportEqualsDeclaration:
		if !n.TypeOnly {
			l.fail(n.Span, "An import declaration can only be used in a namespace or module")
		}
	}
}

// lexical declares the names of a loop's head.
func (l *lowerer) lexical(n syntax.Node) {
	if d, ok := n.(*syntax.VariableDeclaration); ok && d.Kind != syntax.DeclVar {
		for _, v := range d.Declarations {
			boundNames(v.ID, func(id *syntax.Identifier) { l.env.names[id.Name] = "" })
		}
	}
}

func (l *lowerer) loopHead(left syntax.Node, right syntax.Expr, body syntax.Stmt) (syntax.Node, syntax.Expr) {
	l.push()
	l.lexical(left)
	switch n := left.(type) {
	case *syntax.VariableDeclaration:
		l.stmt(n)
	case syntax.Pattern:
		left = l.pattern(n, false)
	}
	right = l.expr(right)
	l.stmt(body)
	l.pop()
	return left, right
}

func (l *lowerer) switchStmt(n *syntax.SwitchStatement) {
	n.Discriminant = l.expr(n.Discriminant)
	var all []syntax.Stmt
	for _, c := range n.Cases {
		all = append(all, c.Consequent...)
	}
	l.open(all, listKind{})
	for _, c := range n.Cases {
		if c.Test != nil {
			c.Test = l.expr(c.Test)
		}
		c.Consequent = l.items(c.Consequent, listKind{})
	}
	l.pop()
}
