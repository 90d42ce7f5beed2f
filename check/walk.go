package check

import (
	"sort"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// analysis is the check of one program.
type analysis struct {
	*Checker
	tree    *syntax.Program
	refs    map[*syntax.Identifier]*binding
	owned   map[string]bool           // globals that the program makes
	entries map[*syntax.Function]bool // what the host calls
	frames  []frame

	functions map[string]*pinfold.FunctionInfo
	declared  map[string]bool // capabilities; nil is as the sandbox says
	requires  *syntax.ArrayExpression
	isTool    bool

	inits     map[*binding]bool // whether an await can stand at a binding's initialisation
	misused   []*binding
	shorthand map[*syntax.Identifier]bool
	guards    map[syntax.Node]bool // asked for with ?.
	absents   []absence
	present   map[string]bool // members that the program asks for before it uses them
	refused   map[string]bool // functions that were reported
	hostAt    []int32         // where calls of asynchronous host functions are, sorted
	asyncAt   []int32         // … of asynchronous functions of the program
	hostCalls bool
	prints    bool
	returns   bool
	last      syntax.Stmt // the statement whose value is wanted, and lost
	problems  []Problem
	found     map[Code]int
	dropped   int
}

// survey finds what has to be known before the walk.
func (a *analysis) survey() {
	syntax.Walk(a.tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpression:
			v := a.peek(n.Callee, maxLook)
			switch {
			case v.kind == hostFunc && v.fn.Async:
				a.hostAt = append(a.hostAt, n.Start)
			case v.kind == asyncFn:
				a.asyncAt = append(a.asyncAt, n.Start)
			}
		case *syntax.MemberExpression:
			if id, ok := n.Object.(*syntax.Identifier); ok && id.Name == "console" {
				a.prints = true
			}
		}
		return true
	})
	a.hostCalls = len(a.hostAt) > 0
	sort.Slice(a.hostAt, func(i, j int) bool { return a.hostAt[i] < a.hostAt[j] })
	sort.Slice(a.asyncAt, func(i, j int) bool { return a.asyncAt[i] < a.asyncAt[j] })
	for _, s := range a.tree.Body {
		a.returns = a.returns || gives(s)
	}
}

// within reports whether one of sorted offsets lies in a place.
func within(at []int32, s syntax.Span) bool {
	i := sort.Search(len(at), func(i int) bool { return at[i] >= s.Start })
	return i < len(at) && at[i] < s.End
}

// gives reports whether a statement has a return with a value, but for those of
// functions inside.
func gives(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Function, *syntax.Class:
			return false
		case *syntax.ReturnStatement:
			found = found || n.Argument != nil
		}
		return !found
	})
	return found
}

// findEntries finds the functions of a module that the host calls, and what a
// tool's description says that it requires.
func (a *analysis) findEntries() {
	a.entries[a.tree.Func] = a.tree.Goal == syntax.FunctionBody
	if a.tree.Goal != syntax.Module {
		return
	}
	names := map[string]bool{}
	variable := func(d *syntax.VariableDeclaration) {
		for _, v := range d.Declarations {
			id, ok := v.ID.(*syntax.Identifier)
			if !ok {
				continue
			}
			switch {
			case id.Name == "tool":
				a.readTool(v.Init)
			case names[id.Name]:
				a.entry(v.Init)
			}
		}
	}
	for _, x := range a.tree.LocalExports {
		if x.ExportName == "invoke" || x.ExportName == "tool" || x.ExportName == "default" {
			names[x.LocalName] = true
			a.isTool = a.isTool || x.ExportName == "invoke"
		}
	}
	for _, s := range a.tree.Body {
		switch s := s.(type) {
		case *syntax.ExportNamedDeclaration:
			if d, ok := s.Declaration.(*syntax.VariableDeclaration); ok {
				variable(d)
			}
			a.entryStmt(s.Declaration, names)
		case *syntax.ExportDefaultDeclaration:
			if f, ok := s.Declaration.(*syntax.FunctionDeclaration); ok {
				a.entries[f.Func] = true
			}
			a.entry(s.Expression)
		case *syntax.VariableDeclaration:
			variable(s)
		default:
			a.entryStmt(s, names)
		}
	}
}

func (a *analysis) entryStmt(s syntax.Stmt, names map[string]bool) {
	if f, ok := s.(*syntax.FunctionDeclaration); ok && f.Func.ID != nil && names[f.Func.ID.Name] {
		a.entries[f.Func] = true
	}
}

func (a *analysis) entry(e syntax.Expr) {
	if e == nil {
		return
	}
	switch f := unwrap(e).(type) {
	case *syntax.FunctionExpression:
		a.entries[f.Func] = true
	case *syntax.ArrowFunctionExpression:
		a.entries[f.Func] = true
	}
}

// readTool reads what a tool's description requires, if it is written out.
func (a *analysis) readTool(e syntax.Expr) {
	if e == nil || a.opt.Requires != nil || a.opt.Described {
		return
	}
	o, ok := unwrap(e).(*syntax.ObjectExpression)
	if !ok {
		return
	}
	for _, p := range o.Properties {
		name, ok := "", false
		if p.Key != nil {
			name, ok = keyName(p.Key, p.Computed)
		}
		switch {
		case !ok:
			return // what isn't written out may be anything
		case name != "requires":
			continue
		}
		list, ok := unwrap(p.Value).(*syntax.ArrayExpression)
		if !ok {
			return
		}
		declared := map[string]bool{}
		for _, x := range list.Elements {
			switch x := x.(type) {
			case *syntax.StringLiteral:
				declared[x.Value] = true
			case *syntax.ObjectExpression:
				for _, q := range x.Properties {
					if q.Key == nil {
						return
					}
					k, ok := keyName(q.Key, q.Computed)
					if !ok {
						return
					}
					declared[k] = true
				}
			default:
				return
			}
		}
		a.declared, a.requires = declared, list
		return
	}
	a.declared = map[string]bool{}
}

// statements walks statements, and reports what comes behind an end.
func (a *analysis) statements(list []syntax.Stmt) {
	ended := false
	for _, s := range list {
		if ended && runs(s) {
			a.add(Problem{Code: Unreachable, Severity: Warning, Message: "nothing reaches this", Hint: "the statement before it ends the function, or the loop: remove what isn't needed"}, s)
			ended = false // once is enough
		}
		a.stmt(s)
		ended = ended || ends(s, 0)
	}
}

// runs reports whether a statement does something where it stands.
func runs(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.FunctionDeclaration, *syntax.EmptyStatement, *syntax.TSInterfaceDeclaration, *syntax.TSTypeAliasDeclaration, *syntax.TSDeclareFunction,
		*syntax.ImportDeclaration, *syntax.ExportNamedDeclaration, *syntax.ExportDefaultDeclaration, *syntax.ExportAllDeclaration:
		return false
	case *syntax.VariableDeclaration:
		if s.Kind == syntax.DeclVar {
			for _, v := range s.Declarations {
				if v.Init != nil {
					return true
				}
			}
			return false
		}
		return !s.Declare
	}
	return true
}

// maxEnds is how deep it is looked whether a statement ends what is around it.
const maxEnds = 50

// ends reports whether nothing behind a statement is reached.
func ends(s syntax.Stmt, depth int) bool {
	if depth > maxEnds {
		return false
	}
	switch s := s.(type) {
	case *syntax.ReturnStatement, *syntax.ThrowStatement, *syntax.BreakStatement, *syntax.ContinueStatement:
		return true
	case *syntax.BlockStatement:
		return len(s.Body) > 0 && ends(s.Body[len(s.Body)-1], depth+1)
	case *syntax.IfStatement:
		return s.Alternate != nil && ends(s.Consequent, depth+1) && ends(s.Alternate, depth+1)
	}
	return false
}

func (a *analysis) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case nil:
	case *syntax.ExpressionStatement:
		if s == a.last {
			a.expr(s.Expression, useReturn, "")
		} else {
			a.expr(s.Expression, useNone, "")
		}
	case *syntax.BlockStatement:
		a.statements(s.Body)
	case *syntax.WithStatement:
		a.expr(s.Object, useAny, "")
		a.stmt(s.Body)
	case *syntax.ReturnStatement:
		u := useAny
		if a.frames[len(a.frames)-1].entry {
			u = useReturn
		}
		a.expr(s.Argument, u, "")
	case *syntax.LabeledStatement:
		a.stmt(s.Body)
	case *syntax.IfStatement:
		a.expr(s.Test, useTest, "")
		a.stmt(s.Consequent)
		a.stmt(s.Alternate)
	case *syntax.SwitchStatement:
		a.expr(s.Discriminant, useOperand, "switch")
		for _, c := range s.Cases {
			a.expr(c.Test, useOperand, "case")
			a.statements(c.Consequent)
		}
	case *syntax.ThrowStatement:
		a.expr(s.Argument, useAny, "")
	case *syntax.TryStatement:
		a.statements(s.Block.Body)
		if s.Handler != nil {
			if s.Handler.Param != nil {
				a.defaults(s.Handler.Param)
			}
			a.statements(s.Handler.Body.Body)
		}
		if s.Finalizer != nil {
			a.statements(s.Finalizer.Body)
		}
	case *syntax.WhileStatement:
		a.expr(s.Test, useTest, "")
		a.stmt(s.Body)
	case *syntax.DoWhileStatement:
		a.stmt(s.Body)
		a.expr(s.Test, useTest, "")
	case *syntax.ForStatement:
		a.stmt(s.Init)
		a.expr(s.Test, useTest, "")
		a.expr(s.Update, useNone, "")
		a.stmt(s.Body)
	case *syntax.ForInStatement:
		a.head(s.Left)
		a.expr(s.Right, useSpread, "")
		a.stmt(s.Body)
	case *syntax.ForOfStatement:
		a.head(s.Left)
		u := useLoop
		if s.Await {
			u = useStream
		}
		a.expr(s.Right, u, "")
		a.stmt(s.Body)
	case *syntax.VariableDeclaration:
		if s.Declare {
			return
		}
		for _, v := range s.Declarations {
			if id, ok := v.ID.(*syntax.Identifier); ok {
				if b := a.refs[id]; b != nil && v.Init != nil {
					a.inits[b] = a.canAwait()
					a.unused(b)
				}
			}
			a.defaults(v.ID)
			a.expr(v.Init, taking(v.ID), "")
		}
	case *syntax.FunctionDeclaration:
		a.functionBody(s.Func)
	case *syntax.ClassDeclaration:
		if !s.Declare {
			a.class(s.Class)
		}
	case *syntax.ExportNamedDeclaration:
		a.stmt(s.Declaration)
	case *syntax.ExportDefaultDeclaration:
		a.stmt(s.Declaration)
		a.expr(s.Expression, useReturn, "")
	case *syntax.TSEnumDeclaration:
		for _, m := range s.Members {
			if !s.Declare {
				a.expr(m.Init, useAny, "")
			}
		}
	case *syntax.TSModuleDeclaration:
		if !s.Declare && !s.TypeOnly {
			a.frames = append(a.frames, frame{})
			a.statements(s.Body)
			a.frames = a.frames[:len(a.frames)-1]
		}
	case *syntax.TSExportAssignment:
		if !s.TypeOnly {
			a.expr(s.Expression, useAny, "")
		}
	}
}

// head walks what a loop assigns to.
func (a *analysis) head(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.VariableDeclaration:
		for _, v := range n.Declarations {
			a.defaults(v.ID)
		}
	case syntax.Pattern:
		a.target(n)
	}
}

// unused reports a promise that is kept under a name that nobody uses.
func (a *analysis) unused(b *binding) {
	if b.refs > 0 || b.exported || b.writes > 0 {
		return
	}
	if v := a.of(b, maxLook); v.kind == promise && a.loses(v) {
		if _, ok := unwrap(b.init).(*syntax.Identifier); !ok {
			a.unawaited(b.init, v, misuse{b.init, useNone, "", a.canAwait()}, nil)
		}
	}
}

func (a *analysis) functionBody(f *syntax.Function) {
	if f == nil {
		return
	}
	a.frames = append(a.frames, frame{f: f})
	for _, p := range f.Params {
		a.defaults(p)
	}
	top := &a.frames[len(a.frames)-1]
	top.await, top.entry = f.Async, a.entries[f]
	a.statements(f.Body)
	if f.ExprBody != nil {
		u := useAny
		if a.entries[f] {
			u = useReturn
		}
		a.expr(f.ExprBody, u, "")
	}
	a.frames = a.frames[:len(a.frames)-1]
}

func (a *analysis) class(c *syntax.Class) {
	for _, d := range c.Decorators {
		a.expr(d.Expression, useAny, "")
	}
	a.expr(c.SuperClass, useAny, "")
	for _, m := range c.Members {
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			for _, d := range m.Decorators {
				a.expr(d.Expression, useAny, "")
			}
			if m.Computed {
				a.expr(m.Key, useText, "")
			}
			a.functionBody(m.Func)
		case *syntax.PropertyDefinition:
			for _, d := range m.Decorators {
				a.expr(d.Expression, useAny, "")
			}
			if m.Computed {
				a.expr(m.Key, useText, "")
			}
			a.functionBody(m.Init)
		case *syntax.StaticBlock:
			a.functionBody(m.Func)
		}
	}
}
