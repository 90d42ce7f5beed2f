package check

import (
	"github.com/pinfold-js/pinfold/js/syntax"
)

// binding is a name that the program declares.
type binding struct {
	name     string
	id       *syntax.Identifier
	init     syntax.Expr      // what it is made of, if anything
	path     []string         // the properties of init that lead to it
	fn       *syntax.Function // of a function declaration
	param    bool
	in       *syntax.Function // the function that it is a parameter of, or is declared in
	index    int              // of the parameter
	writes   int              // beside its initialisation
	refs     int
	exported bool
	scope    int
	order    int
	outer    *binding // of the same name, hidden by this one

	state uint8 // of v
	v     value
	good  int // uses of a promise that are right
	bad   []misuse
}

// global is a reference to a name that the program doesn't declare.
type global struct {
	id      *syntax.Identifier
	written bool
	near    []string // names that can be seen there, nearest first; of the first ones
}

// resolver finds what names mean. Bindings are kept by name, so that a reference
// is resolved in constant time however deep scopes nest.
type resolver struct {
	top     map[string]*binding
	undo    []*binding
	depth   int
	count   int
	refs    map[*syntax.Identifier]*binding
	globals []global
	guarded map[string]bool // names that typeof asks for
	made    map[string]bool // properties that the program gives to globalThis
	open    bool            // globalThis goes where nobody can follow it
	quiet   int             // in code whose names come from elsewhere
	listed  int             // globals whose near names were listed
	fn      *syntax.Function
}

// maxNear bounds how many globals get a list of names, maxNearNames its length.
const (
	maxNear      = 40
	maxNearNames = 2000
)

func newResolver() *resolver {
	return &resolver{
		top: map[string]*binding{}, refs: map[*syntax.Identifier]*binding{}, guarded: map[string]bool{}, made: map[string]bool{},
	}
}

func (r *resolver) enter() int {
	r.depth++
	return len(r.undo)
}

func (r *resolver) leave(mark int) {
	for len(r.undo) > mark {
		b := r.undo[len(r.undo)-1]
		r.undo = r.undo[:len(r.undo)-1]
		r.top[b.name] = b.outer
	}
	r.depth--
}

// declare makes a binding in the current scope, or finds the one that is there:
// then it has more than one value.
func (r *resolver) declare(id *syntax.Identifier) *binding {
	if id == nil {
		return &binding{}
	}
	b := r.top[id.Name]
	if b != nil && b.scope == r.depth {
		b.writes++
		r.refs[id] = b
		return b
	}
	r.count++
	b = &binding{name: id.Name, id: id, scope: r.depth, outer: b, in: r.fn, order: r.count}
	r.top[id.Name] = b
	r.undo = append(r.undo, b)
	r.refs[id] = b
	return b
}

// opaque declares a name of which nothing is known.
func (r *resolver) opaque(id *syntax.Identifier) {
	if id != nil {
		if b := r.top[id.Name]; b != nil && b.scope == r.depth {
			r.refs[id] = b // an overload, or a part of what is merged
			return
		}
		r.declare(id).writes++
	}
}

// maxPath is how far into a pattern a name is followed.
const maxPath = 3

// pattern declares the names of a pattern whose value is made by init.
func (r *resolver) pattern(p syntax.Pattern, init syntax.Expr, path []string, known bool) {
	switch p := p.(type) {
	case *syntax.Identifier:
		b := r.declare(p)
		if known && init != nil {
			b.init, b.path = init, path
		} else if !known {
			b.writes++
		}
	case *syntax.ObjectPattern:
		for _, q := range p.Properties {
			name, ok := keyName(q.Key, q.Computed)
			if ok && known && len(path) < maxPath {
				r.pattern(q.Value, init, append(path[:len(path):len(path)], name), true)
			} else {
				r.pattern(q.Value, nil, nil, false)
			}
		}
		if p.Rest != nil {
			r.pattern(p.Rest.Argument, nil, nil, false)
		}
	case *syntax.ArrayPattern:
		for _, q := range p.Elements {
			if q != nil {
				r.pattern(q, nil, nil, false)
			}
		}
	case *syntax.AssignmentPattern:
		r.pattern(p.Left, nil, nil, false)
	case *syntax.RestElement:
		r.pattern(p.Argument, nil, nil, false)
	}
}

// keyName returns the name of a property's key, if it is written out.
func keyName(key syntax.Expr, computed bool) (string, bool) {
	switch k := key.(type) {
	case *syntax.Identifier:
		return k.Name, !computed
	case *syntax.StringLiteral:
		return k.Value, true
	}
	return "", false
}

// hoist declares the vars of statements that aren't those of a function inside.
func (r *resolver) hoist(list []syntax.Stmt) {
	for _, s := range list {
		r.hoistOne(s)
	}
}

func (r *resolver) hoistOne(s syntax.Node) {
	switch s := s.(type) {
	case *syntax.VariableDeclaration:
		if s.Kind == syntax.DeclVar {
			r.variables(s, true)
		}
	case *syntax.ExportNamedDeclaration:
		if s.Declaration != nil {
			r.hoistOne(s.Declaration)
		}
	case *syntax.BlockStatement:
		r.hoist(s.Body)
	case *syntax.IfStatement:
		r.hoistOne(s.Consequent)
		if s.Alternate != nil {
			r.hoistOne(s.Alternate)
		}
	case *syntax.ForStatement:
		if s.Init != nil {
			r.hoistOne(s.Init)
		}
		r.hoistOne(s.Body)
	case *syntax.ForInStatement:
		r.hoistHead(s.Left)
		r.hoistOne(s.Body)
	case *syntax.ForOfStatement:
		r.hoistHead(s.Left)
		r.hoistOne(s.Body)
	case *syntax.WhileStatement:
		r.hoistOne(s.Body)
	case *syntax.DoWhileStatement:
		r.hoistOne(s.Body)
	case *syntax.LabeledStatement:
		r.hoistOne(s.Body)
	case *syntax.WithStatement:
		r.hoistOne(s.Body)
	case *syntax.SwitchStatement:
		for _, c := range s.Cases {
			r.hoist(c.Consequent)
		}
	case *syntax.TryStatement:
		r.hoist(s.Block.Body)
		if s.Handler != nil {
			r.hoist(s.Handler.Body.Body)
		}
		if s.Finalizer != nil {
			r.hoist(s.Finalizer.Body)
		}
	}
}

func (r *resolver) hoistHead(n syntax.Node) {
	if d, ok := n.(*syntax.VariableDeclaration); ok && d.Kind == syntax.DeclVar {
		r.variables(d, false)
	}
}

// variables declares the names of a declaration; known says that they have the
// values that are written there.
func (r *resolver) variables(d *syntax.VariableDeclaration, known bool) {
	for _, v := range d.Declarations {
		if d.Declare {
			known = false
		}
		r.pattern(v.ID, v.Init, nil, known)
	}
}

// lexical declares the names of a block's own statements.
func (r *resolver) lexical(list []syntax.Stmt) {
	for _, s := range list {
		r.lexicalOne(s, false)
	}
}

func (r *resolver) lexicalOne(s syntax.Stmt, exported bool) {
	first := r.count
	switch s := s.(type) {
	case *syntax.VariableDeclaration:
		if s.Kind != syntax.DeclVar {
			r.variables(s, true)
		}
	case *syntax.FunctionDeclaration:
		b := r.declare(s.Func.ID)
		b.fn = s.Func
	case *syntax.ClassDeclaration:
		r.opaque(s.Class.ID)
	case *syntax.ImportDeclaration:
		r.opaque(s.Default)
		r.opaque(s.Namespace)
		for _, n := range s.Named {
			r.opaque(n.Local)
		}
	case *syntax.ExportNamedDeclaration:
		if s.Declaration != nil {
			r.lexicalOne(s.Declaration, true)
		}
	case *syntax.ExportDefaultDeclaration:
		if s.Declaration != nil {
			r.lexicalOne(s.Declaration, true)
		}
	case *syntax.TSDeclareFunction:
		r.opaque(s.ID)
	case *syntax.TSEnumDeclaration:
		r.opaque(s.ID)
	case *syntax.TSModuleDeclaration:
		if len(s.Path) > 0 {
			r.opaque(s.Path[0])
		}
	case *syntax.TSImportEqualsDeclaration:
		r.opaque(s.ID)
	}
	if exported {
		for i := len(r.undo) - 1; i >= 0 && r.undo[i].order > first; i-- {
			r.undo[i].exported = true
		}
	}
}

// program resolves a whole program.
func (r *resolver) program(p *syntax.Program) {
	mark := r.enter()
	r.fn = p.Func
	r.hoist(p.Body)
	r.lexical(p.Body)
	for _, s := range p.Body {
		r.visit(s)
	}
	r.leave(mark)
}

// list visits nodes.
func (r *resolver) list(nodes []syntax.Stmt) {
	for _, n := range nodes {
		r.visit(n)
	}
}

// block visits statements that have a scope of their own.
func (r *resolver) block(list []syntax.Stmt) {
	mark := r.enter()
	r.lexical(list)
	r.list(list)
	r.leave(mark)
}

func (r *resolver) children(n syntax.Node) { syntax.Children(n, r.visit) }

// visit resolves the references below a node. It goes as deep as the tree, which
// the parser bounds.
func (r *resolver) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Identifier:
		r.ref(n, false)
	case *syntax.MemberExpression:
		id, ok := n.Object.(*syntax.Identifier)
		if !ok || id.Name != "globalThis" || r.top[id.Name] != nil || n.Computed {
			r.visit(n.Object)
		}
		if n.Computed {
			r.visit(n.Property)
		}
	case *syntax.Property:
		if n.Computed {
			r.visit(n.Key)
		}
		r.visit(n.Value)
	case *syntax.UnaryExpression:
		if id, ok := n.Argument.(*syntax.Identifier); ok && n.Operator == syntax.OpTypeof {
			r.guarded[id.Name] = true
		}
		r.visit(n.Argument)
	case *syntax.UpdateExpression:
		r.target(n.Argument)
	case *syntax.AssignmentExpression:
		r.target(n.Left)
		r.visit(n.Right)
		if m, ok := n.Left.(*syntax.MemberExpression); ok {
			if id, ok := m.Object.(*syntax.Identifier); ok && id.Name == "globalThis" {
				if name, ok := keyName(m.Property, m.Computed); ok {
					r.made[name] = true
				}
			}
		}
	case *syntax.Function:
		r.function(n)
	case *syntax.FunctionExpression:
		mark := r.enter()
		if n.Func.ID != nil {
			r.declare(n.Func.ID).fn = n.Func
		}
		r.function(n.Func)
		r.leave(mark)
	case *syntax.ClassExpression:
		mark := r.enter()
		r.opaque(n.Class.ID)
		r.class(n.Class)
		r.leave(mark)
	case *syntax.ClassDeclaration:
		if !n.Declare {
			r.class(n.Class)
		}
	case *syntax.BlockStatement:
		r.block(n.Body)
	case *syntax.LabeledStatement:
		r.visit(n.Body)
	case *syntax.BreakStatement, *syntax.ContinueStatement, *syntax.ImportDeclaration, *syntax.TSImportEqualsDeclaration:
	case *syntax.ForStatement:
		mark := r.enter()
		if d, ok := n.Init.(*syntax.VariableDeclaration); ok && d.Kind != syntax.DeclVar {
			r.variables(d, true)
		}
		r.children(n)
		r.leave(mark)
	case *syntax.ForInStatement:
		r.loop(n.Left, n.Right, n.Body)
	case *syntax.ForOfStatement:
		r.loop(n.Left, n.Right, n.Body)
	case *syntax.SwitchStatement:
		r.visit(n.Discriminant)
		mark := r.enter()
		for _, c := range n.Cases {
			r.lexical(c.Consequent)
		}
		for _, c := range n.Cases {
			if c.Test != nil {
				r.visit(c.Test)
			}
			r.list(c.Consequent)
		}
		r.leave(mark)
	case *syntax.CatchClause:
		mark := r.enter()
		if n.Param != nil {
			r.pattern(n.Param, nil, nil, false)
			r.defaults(n.Param)
		}
		r.block(n.Body.Body)
		r.leave(mark)
	case *syntax.VariableDeclaration:
		for _, v := range n.Declarations {
			r.defaults(v.ID)
			if v.Init != nil && !n.Declare {
				r.visit(v.Init)
			}
		}
	case *syntax.ExportNamedDeclaration:
		if n.Declaration != nil {
			r.visit(n.Declaration)
		}
		if n.Source == nil {
			for _, s := range n.Specifiers {
				if b := r.top[s.Local.Name]; b != nil {
					b.exported = true
					b.refs++
				}
			}
		}
	case *syntax.TSEnumDeclaration:
		if !n.Declare {
			r.quiet++ // a merged enum has the members of its other parts in scope
			r.children(n)
			r.quiet--
		}
	case *syntax.TSModuleDeclaration:
		if !n.Declare && !n.TypeOnly {
			r.quiet++ // so has a merged namespace
			mark := r.enter()
			r.hoist(n.Body)
			r.lexical(n.Body)
			r.list(n.Body)
			r.leave(mark)
			r.quiet--
		}
	default:
		r.children(n)
	}
}

// loop is for-in and for-of: what runs in front of the loop doesn't see its
// names.
func (r *resolver) loop(left syntax.Node, right syntax.Expr, body syntax.Stmt) {
	r.visit(right)
	mark := r.enter()
	if d, ok := left.(*syntax.VariableDeclaration); ok {
		if d.Kind != syntax.DeclVar {
			r.variables(d, false)
		}
		for _, v := range d.Declarations {
			r.defaults(v.ID)
		}
	} else if p, ok := left.(syntax.Pattern); ok {
		r.target(p)
	}
	r.visit(body)
	r.leave(mark)
}

// defaults visits the expressions in a pattern that declares names.
func (r *resolver) defaults(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ObjectPattern:
		for _, q := range p.Properties {
			if q.Computed {
				r.visit(q.Key)
			}
			r.defaults(q.Value)
		}
		if p.Rest != nil {
			r.defaults(p.Rest.Argument)
		}
	case *syntax.ArrayPattern:
		for _, q := range p.Elements {
			if q != nil {
				r.defaults(q)
			}
		}
	case *syntax.AssignmentPattern:
		r.defaults(p.Left)
		r.visit(p.Right)
	case *syntax.RestElement:
		r.defaults(p.Argument)
	}
}

// target visits what is assigned to.
func (r *resolver) target(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.Identifier:
		r.ref(p, true)
	case *syntax.ObjectPattern:
		for _, q := range p.Properties {
			if q.Computed {
				r.visit(q.Key)
			}
			r.target(q.Value)
		}
		if p.Rest != nil {
			r.target(p.Rest.Argument)
		}
	case *syntax.ArrayPattern:
		for _, q := range p.Elements {
			if q != nil {
				r.target(q)
			}
		}
	case *syntax.AssignmentPattern:
		r.target(p.Left)
		r.visit(p.Right)
	case *syntax.RestElement:
		r.target(p.Argument)
	default:
		if e, ok := unwrap(p).(*syntax.Identifier); ok {
			r.ref(e, true)
			return
		}
		r.visit(p)
	}
}

// unwrap takes the type syntax off an expression.
func unwrap(n syntax.Node) syntax.Node {
	for {
		switch e := n.(type) {
		case *syntax.TSAsExpression:
			n = e.Expression
		case *syntax.TSSatisfiesExpression:
			n = e.Expression
		case *syntax.TSNonNullExpression:
			n = e.Expression
		case *syntax.TSTypeAssertion:
			n = e.Expression
		case *syntax.TSInstantiationExpression:
			n = e.Expression
		default:
			return n
		}
	}
}

func (r *resolver) function(f *syntax.Function) {
	outer := r.fn
	r.fn = f
	mark := r.enter()
	for i, p := range f.Params {
		first := r.count
		r.pattern(p, nil, nil, true)
		if q, ok := p.(*syntax.ObjectPattern); ok {
			r.paramNames(q)
		}
		for k := len(r.undo) - 1; k >= mark && r.undo[k].order > first; k-- {
			r.undo[k].param, r.undo[k].index = true, i
		}
	}
	for _, p := range f.Params {
		r.defaults(p)
	}
	r.hoist(f.Body)
	r.lexical(f.Body)
	r.list(f.Body)
	if f.ExprBody != nil {
		r.visit(f.ExprBody)
	}
	r.leave(mark)
	r.fn = outer
}

// paramNames notes which properties of a parameter its names are.
func (r *resolver) paramNames(p *syntax.ObjectPattern) {
	for _, q := range p.Properties {
		name, ok := keyName(q.Key, q.Computed)
		id, plain := q.Value.(*syntax.Identifier)
		if ok && plain {
			r.refs[id].path = []string{name}
		}
	}
}

func (r *resolver) class(c *syntax.Class) {
	for _, d := range c.Decorators {
		r.visit(d.Expression)
	}
	if c.SuperClass != nil {
		r.visit(c.SuperClass)
	}
	for _, m := range c.Members {
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			for _, d := range m.Decorators {
				r.visit(d.Expression)
			}
			if m.Computed {
				r.visit(m.Key)
			}
			if m.Func != nil {
				r.function(m.Func)
			}
		case *syntax.PropertyDefinition:
			for _, d := range m.Decorators {
				r.visit(d.Expression)
			}
			if m.Computed {
				r.visit(m.Key)
			}
			if m.Init != nil && m.Modifiers&(syntax.TSDeclare|syntax.TSAbstract) == 0 {
				r.function(m.Init)
			}
		case *syntax.StaticBlock:
			r.function(m.Func)
		}
	}
}

// ref resolves a reference.
func (r *resolver) ref(id *syntax.Identifier, written bool) {
	if b := r.top[id.Name]; b != nil {
		r.refs[id] = b
		if b.refs++; written {
			b.writes++
		}
		return
	}
	if id.Name == "globalThis" {
		r.open = true
	}
	if r.quiet > 0 || id.Name == "arguments" {
		return
	}
	g := global{id: id, written: written}
	if r.listed < maxNear {
		r.listed++
		g.near = r.visible()
	}
	r.globals = append(r.globals, g)
}

// visible lists the names that can be seen, nearest first.
func (r *resolver) visible() []string {
	var names []string
	for i := len(r.undo) - 1; i >= 0 && len(names) < maxNearNames; i-- {
		names = append(names, r.undo[i].name)
	}
	return names
}
