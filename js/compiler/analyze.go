package compiler

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// analyzer is the first pass.
type analyzer struct {
	cp     *compiler
	scope  *scope
	fn     *funcInfo
	scopes map[syntax.Node]*scope
	funcs  map[*syntax.Function]*funcInfo
	class  map[*syntax.Class]*classInfo
	all    []*scope
	made   int  // functions and direct evals seen so far
	params bool // inside parameter expressions
	// varScope is where var declarations of a sloppy direct eval would go.
	varScope *scope
	// caseEnd limits how far declarations of a switch case are known to have
	// been run.
	caseEnd int32
	// numEnd is how far a var that is declared now keeps a first value.
	numEnd int32
}

func newAnalyzer(cp *compiler) *analyzer {
	return &analyzer{
		cp:     cp,
		scopes: map[syntax.Node]*scope{},
		funcs:  map[*syntax.Function]*funcInfo{},
		class:  map[*syntax.Class]*classInfo{},
	}
}

func (a *analyzer) newScope(kind scopeKind, node syntax.Node) *scope {
	s := &scope{kind: kind, parent: a.scope, fn: a.fn}
	a.all = append(a.all, s)
	if node != nil {
		a.scopes[node] = s
	}
	return s
}

// ---- References ----

// ref resolves a reference to a name.
func (a *analyzer) ref(name string, off int32) *binding {
	for s := a.scope; s != nil; s = s.parent {
		if s.with != nil && s.fn != a.fn {
			s.with.captured = true
		}
		if b := s.find(name); b != nil {
			a.use(b, off)
			return b
		}
		if name == "arguments" && a.ownsArguments(s) {
			b := a.argumentsOf(s.fn)
			a.use(b, off)
			return b
		}
	}
	return nil
}

// ownsArguments reports whether `arguments` is bound in s if nothing nearer
// binds it.
func (a *analyzer) ownsArguments(s *scope) bool {
	return s.kind == scopeFunc && s.fn.kind == funcOrdinary && !s.fn.arrow
}

// argumentsOf declares a function's arguments object.
func (a *analyzer) argumentsOf(fn *funcInfo) *binding {
	if fn.args == nil {
		fn.args = fn.params.add("arguments", bindVar)
		fn.args.value(valueAny)
	}
	return fn.args
}

func (a *analyzer) use(b *binding, off int32) {
	if b.kind == bindImport {
		return
	}
	if b.scope.fn != a.fn {
		b.captured = true
		return
	}
	b.used = true
	if !b.safe(a.fn, off) {
		b.tdz = true
	}
}

// assign notes an assignment to a name.
func (a *analyzer) assign(name string, off int32, v valueKind) *binding {
	b := a.ref(name, off)
	if b != nil {
		a.note(b, off, v)
	}
	return b
}

func (a *analyzer) note(b *binding, off int32, v valueKind) {
	b.assigns = append(b.assigns, off)
	b.sorted = false
	b.value(v)
}

// value notes what kind of value a binding may get.
func (b *binding) value(v valueKind) {
	if v > valueNumber {
		b.other = true
	}
	if v > valuePrimitive {
		b.objects = true
	}
}

// valueKind is what is known of an expression's value.
type valueKind uint8

const (
	valueNumber valueKind = iota
	valuePrimitive
	valueAny
)

// kindOf returns what is known of an expression's value.
func kindOf(e syntax.Expr) valueKind {
	switch {
	case e == nil:
		return valuePrimitive
	case numeric(e):
		return valueNumber
	case primitive(e):
		return valuePrimitive
	}
	return valueAny
}

// numeric reports whether an expression's value, if there is one, is a Number.
func numeric(e syntax.Expr) bool { //meter: as deep as the tree, which the parser bounds
	switch e := e.(type) {
	case *syntax.NumericLiteral:
		return true
	case *syntax.UnaryExpression:
		switch e.Operator {
		case syntax.OpPos:
			return true
		case syntax.OpNeg, syntax.OpBitNot:
			return numeric(e.Argument)
		}
	case *syntax.BinaryExpression:
		switch e.Operator {
		case syntax.OpUShr:
			return true
		case syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpExp, syntax.OpBitAnd,
			syntax.OpBitOr, syntax.OpBitXor, syntax.OpShl, syntax.OpShr:
			// A BigInt beside a Number is a TypeError.
			_, l := e.Left.(*syntax.NumericLiteral)
			return l || numeric(e.Right)
		}
	}
	return false
}

// compoundKind is kindOf for x op= value.
func compoundKind(op syntax.Op, value syntax.Expr) valueKind {
	switch op {
	case syntax.OpAssign:
		return kindOf(value)
	case syntax.OpLogicalAnd, syntax.OpLogicalOr, syntax.OpNullish:
		return max(kindOf(value), valuePrimitive)
	case syntax.OpUShr:
		return valueNumber
	}
	if numeric(value) {
		return valueNumber
	}
	return valuePrimitive
}

// primitive reports whether an expression can't give an object.
func primitive(e syntax.Expr) bool { //meter: as deep as the tree, which the parser bounds
	switch e := e.(type) {
	case *syntax.NumericLiteral, *syntax.StringLiteral, *syntax.BooleanLiteral, *syntax.NullLiteral,
		*syntax.BigIntLiteral, *syntax.TemplateLiteral, *syntax.BinaryExpression, *syntax.UpdateExpression,
		*syntax.UnaryExpression:
		return true
	case *syntax.AssignmentExpression:
		switch e.Operator {
		case syntax.OpAssign:
			return primitive(e.Right)
		case syntax.OpLogicalAnd, syntax.OpLogicalOr, syntax.OpNullish:
			return false
		}
		return true
	case *syntax.ConditionalExpression:
		return primitive(e.Consequent) && primitive(e.Alternate)
	}
	return false
}

// pseudo resolves this, new.target or the active function in the function that
// supplies it. nil means that the value needs no variable.
func (a *analyzer) pseudo(name string, force bool) *binding {
	owner := a.fn.owner()
	if owner.kind == funcOuter {
		for s := a.scope; s != nil; s = s.parent {
			if b := s.find(name); b != nil {
				return b
			}
		}
		return nil
	}
	if name == hidThis {
		owner.usesThis = true
	}
	switch owner.kind {
	case funcScript:
		return nil
	case funcModule:
		if !force || name != hidThis {
			return nil
		}
	}
	if owner == a.fn && !force {
		return nil
	}
	s := owner.params
	b := s.find(name)
	if b == nil {
		b = s.add(name, bindHidden)
	}
	b.captured = true
	return b
}

// home notes a use of the home object.
func (a *analyzer) home() {
	owner := a.fn.owner()
	if owner.kind == funcOuter || owner.home == nil {
		return
	}
	name := hidHome
	if owner.static {
		name = hidStatic
	}
	owner.home.declare(name, bindHidden).captured = true
}

func (a *analyzer) private(name string) {
	a.ref("#"+name, 0)
}

// directEval makes everything that a direct eval here could name reachable
// for it.
func (a *analyzer) directEval() {
	a.made++
	owner := a.fn.owner()
	switch owner.kind {
	case funcOuter, funcScript:
	default:
		a.pseudo(hidThis, true)
		if owner.kind != funcModule {
			a.pseudo(hidNewTarget, true)
		}
		if owner.derived() {
			a.pseudo(hidFunc, true)
		}
		if owner.kind == funcOrdinary {
			for s := a.scope; s != nil; s = s.parent {
				if s.find("arguments") != nil {
					break
				}
				if a.ownsArguments(s) {
					a.argumentsOf(s.fn)
					break
				}
			}
		}
		a.home()
	}
	if !a.fn.strict && a.varScope != nil && a.varScope.kind != scopeOuter && a.varScope.varObj == nil {
		b := a.varScope.add(hidVarObj, bindHidden)
		b.captured = true
		a.varScope.varObj = b
	}
	for s := a.scope; s != nil && !s.evalSeen; s = s.parent {
		s.evalSeen = true
		for _, b := range s.list {
			if b.kind != bindImport {
				b.captured = true
			}
		}
		if s.fn.args != nil {
			s.fn.argsWrite = true
		}
	}
}

// ---- Declarations ----

// boundNames calls f for each name that a binding pattern binds.
func boundNames(p syntax.Pattern, f func(id *syntax.Identifier)) { //meter: as deep as the tree, which the parser bounds
	switch p := p.(type) {
	case *syntax.Identifier:
		f(p)
	case *syntax.ObjectPattern:
		for _, prop := range p.Properties {
			boundNames(prop.Value, f)
		}
		if p.Rest != nil {
			boundNames(p.Rest.Argument, f)
		}
	case *syntax.ArrayPattern:
		for _, el := range p.Elements {
			if el != nil {
				boundNames(el, f)
			}
		}
	case *syntax.AssignmentPattern:
		boundNames(p.Left, f)
	case *syntax.RestElement:
		boundNames(p.Argument, f)
	default:
		if in, ok := unwrapPattern(p); ok {
			boundNames(in, f)
		}
	}
}

// declKind maps the keyword to the kind of binding.
func declKind(k syntax.DeclKind) bindKind {
	switch k {
	case syntax.DeclVar:
		return bindVar
	case syntax.DeclLet:
		return bindLet
	}
	return bindConst
}

// varNames calls f for the var-declared names of statements, functions nested
// in blocks that Annex B hoists included; it doesn't enter functions. Top-level
// function declarations are left to the caller.
func varNames(list []syntax.Stmt, f func(name string, annexB bool)) {
	for _, s := range list {
		varNamesOf(s, true, f)
	}
}

func varNamesOf(s syntax.Stmt, top bool, f func(name string, annexB bool)) { //meter: as deep as the tree, which the parser bounds
	inner := func(list []syntax.Stmt) {
		for _, s := range list {
			varNamesOf(s, false, f)
		}
	}
	for {
		switch n := s.(type) {
		case *syntax.VariableDeclaration:
			if n.Kind == syntax.DeclVar && !n.Declare {
				for _, d := range n.Declarations {
					boundNames(d.ID, func(id *syntax.Identifier) { f(id.Name, false) })
				}
			}
		case *syntax.ExportNamedDeclaration:
			if n.Declaration != nil && !n.TypeOnly {
				s = n.Declaration
				continue
			}
		case *syntax.FunctionDeclaration:
			if !top && n.AnnexBHoist && n.Func.ID != nil {
				f(n.Func.ID.Name, true)
			}
		case *syntax.BlockStatement:
			inner(n.Body)
		case *syntax.IfStatement:
			varNamesOf(n.Consequent, false, f)
			if n.Alternate != nil {
				s, top = n.Alternate, false
				continue
			}
		case *syntax.LabeledStatement:
			s = n.Body
			continue
		case *syntax.WithStatement:
			s, top = n.Body, false
			continue
		case *syntax.WhileStatement:
			s, top = n.Body, false
			continue
		case *syntax.DoWhileStatement:
			s, top = n.Body, false
			continue
		case *syntax.ForStatement:
			if n.Init != nil {
				varNamesOf(n.Init, false, f)
			}
			s, top = n.Body, false
			continue
		case *syntax.ForInStatement:
			if d, ok := n.Left.(*syntax.VariableDeclaration); ok {
				varNamesOf(d, false, f)
			}
			s, top = n.Body, false
			continue
		case *syntax.ForOfStatement:
			if d, ok := n.Left.(*syntax.VariableDeclaration); ok {
				varNamesOf(d, false, f)
			}
			s, top = n.Body, false
			continue
		case *syntax.SwitchStatement:
			for _, c := range n.Cases {
				inner(c.Consequent)
			}
		case *syntax.TryStatement:
			inner(n.Block.Body)
			if n.Handler != nil {
				inner(n.Handler.Body.Body)
			}
			if n.Finalizer != nil {
				inner(n.Finalizer.Body)
			}
		}
		return
	}
}

// unlabel strips labels and export from a statement.
func unlabel(s syntax.Stmt) syntax.Stmt {
	for {
		switch n := s.(type) {
		case *syntax.LabeledStatement:
			s = n.Body
		case *syntax.ExportNamedDeclaration:
			if n.Declaration == nil || n.TypeOnly {
				return n
			}
			s = n.Declaration
		case *syntax.ExportDefaultDeclaration:
			if n.Declaration == nil {
				return n
			}
			s = n.Declaration
		default:
			return s
		}
	}
}

// lexNames calls f for the lexically declared names of a block's statements;
// functions only when funcs is set (blocks, modules; a function's or script's
// top-level functions are like var).
func lexNames(list []syntax.Stmt, funcs bool, f func(name string, kind bindKind)) {
	for _, s := range list {
		switch n := unlabel(s).(type) {
		case *syntax.VariableDeclaration:
			if n.Kind != syntax.DeclVar && !n.Declare {
				for _, d := range n.Declarations {
					boundNames(d.ID, func(id *syntax.Identifier) { f(id.Name, declKind(n.Kind)) })
				}
			}
		case *syntax.ClassDeclaration:
			if !n.Declare {
				if n.Class.ID != nil {
					f(n.Class.ID.Name, bindClass)
				}
			}
		case *syntax.FunctionDeclaration:
			if funcs && n.Func.ID != nil {
				f(n.Func.ID.Name, bindFunc)
			}
		}
	}
}

// topFunctions returns the function declarations at the top of a list, the last
// of each name only.
func topFunctions(list []syntax.Stmt) []*syntax.FunctionDeclaration {
	var out []*syntax.FunctionDeclaration
	var at map[string]int
	for _, s := range list {
		d, ok := unlabel(s).(*syntax.FunctionDeclaration)
		if !ok {
			continue
		}
		if d.Func.ID == nil {
			out = append(out, d)
			continue
		}
		if at == nil {
			at = map[string]int{}
		}
		if i, dup := at[d.Func.ID.Name]; dup {
			out[i] = nil
		}
		at[d.Func.ID.Name] = len(out)
		out = append(out, d)
	}
	n := 0
	for _, d := range out {
		if d != nil {
			out[n] = d
			n++
		}
	}
	return out[:n]
}

// ---- Functions ----

// funcOptions is what the place of a function decides.
type funcOptions struct {
	expr   bool // a function expression: binds its own name
	home   *scope
	static bool
	class  *classInfo
	names  []string // parameters that are given by name
}

// function analyses a function and everything in it.
func (a *analyzer) function(f *syntax.Function, o funcOptions) *funcInfo { //meter: as deep as the tree, which the parser bounds
	a.made++
	fi := &funcInfo{
		node: f, parent: a.fn, outer: a.scope, index: -1, strict: f.Strict,
		arrow: f.Kind == syntax.FuncArrow, home: o.home, static: o.static, class: o.class,
	}
	if f.ID != nil {
		fi.name = f.ID.Name
	}
	a.funcs[f] = fi
	saved := *a
	defer func() { saved.made, saved.all = a.made, a.all; *a = saved }()
	a.fn, a.params, a.caseEnd, a.numEnd = fi, false, 0, 0

	if o.expr && f.ID != nil {
		fi.self = a.newScope(scopeSelf, nil)
		fi.self.add(f.ID.Name, bindSelf).value(valueAny)
		a.scope = fi.self
	}
	fi.paramExprs = !f.SimpleParams && hasParamExprs(f.Params)
	if fi.paramExprs && f.HasDirectEval && !f.Strict {
		s := a.newScope(scopeEvalParams, nil)
		s.varScope = true
		a.scope, a.varScope = s, s
	}
	fi.params = a.newScope(scopeFunc, nil)
	a.scope = fi.params
	fi.names = o.names
	for _, name := range o.names {
		fi.params.declare(name, bindParam).value(valueAny)
	}
	for _, p := range f.Params {
		boundNames(p, func(id *syntax.Identifier) {
			b := fi.params.declare(id.Name, bindParam)
			b.value(valueAny)
			if fi.paramExprs {
				b.declEnd = never
			}
		})
	}
	body := f.Body
	if fi.paramExprs {
		made := a.made
		a.params = true
		for _, p := range f.Params {
			a.pattern(p, true)
			end := p.Range().End
			boundNames(p, func(id *syntax.Identifier) { fi.params.find(id.Name).declEnd = end })
		}
		a.params = false
		fi.body = a.newScope(scopeBody, nil)
		fi.body.varScope = true
		a.scope = fi.body
		a.varScope = fi.body
		closures := a.made != made
		a.declareBody(fi, body, closures)
	} else {
		fi.body = fi.params
		fi.params.varScope = true
		a.varScope = fi.params
		a.declareBody(fi, body, false)
		for _, p := range f.Params {
			if _, ok := p.(*syntax.Identifier); !ok {
				a.pattern(p, true)
			}
		}
	}
	if f.ExprBody != nil {
		a.expr(f.ExprBody)
	} else {
		a.body(body, f.End)
	}
	a.mapArguments(fi)
	return fi
}

// declareBody declares what a function's body declares at its top. With
// parameter expressions that hold closures, variables named like parameters
// are bindings of their own.
func (a *analyzer) declareBody(fi *funcInfo, body []syntax.Stmt, closures bool) {
	s := fi.body
	varOf := func(name string, kind bindKind) {
		if s != fi.params && !closures && fi.params.find(name) != nil {
			return
		}
		if name == "arguments" && a.ownsArguments(fi.params) && kind == bindVar && fi.params.find(name) == nil && s.find(name) == nil {
			// The variable begins as the arguments object.
			b := a.argumentsOf(fi)
			if !closures {
				b.assigns = append(b.assigns, 0)
				return
			}
		}
		b := s.declare(name, kind)
		if kind == bindFunc {
			b.value(valueAny)
			if b.kind == bindParam {
				b.assigns = append(b.assigns, 0)
			}
		}
	}
	fi.funcs = topFunctions(body)
	for _, d := range fi.funcs {
		varOf(d.Func.ID.Name, bindFunc)
	}
	lexNames(body, false, func(name string, kind bindKind) { s.declare(name, kind) })
	varNames(body, func(name string, annexB bool) {
		if annexB {
			if fi.skipsHoist(name) || fi.params.find(name) != nil && fi.params != s {
				return
			}
			if b := s.find(name); b != nil {
				b.value(valueAny)
				return
			}
			s.declare(name, bindVar).value(valueAny)
			return
		}
		varOf(name, bindVar)
	})
}

// mapArguments decides whether a sloppy function's arguments object has to be
// tied to the parameters: then these live in an environment.
func (a *analyzer) mapArguments(fi *funcInfo) {
	if fi.args == nil || fi.strict || fi.node == nil || !fi.node.SimpleParams || len(fi.node.Params) == 0 {
		return
	}
	if !fi.argsWrite {
		assigned := false
		for _, b := range fi.params.list {
			if b.kind == bindParam && len(b.assigns) > 0 {
				assigned = true
			}
		}
		if !assigned {
			return
		}
	}
	fi.argsMapped = true
	for _, b := range fi.params.list {
		if b.kind == bindParam {
			b.captured = true
		}
	}
}

// hasParamExprs is ContainsExpression of the formal parameters (15.1.2).
func hasParamExprs(list []syntax.Pattern) bool {
	for _, p := range list {
		if patternHasExpr(p) {
			return true
		}
	}
	return false
}

func patternHasExpr(p syntax.Pattern) bool { //meter: as deep as the tree, which the parser bounds
	switch p := p.(type) {
	case *syntax.AssignmentPattern:
		return true
	case *syntax.RestElement:
		return patternHasExpr(p.Argument)
	case *syntax.ArrayPattern:
		for _, e := range p.Elements {
			if e != nil && patternHasExpr(e) {
				return true
			}
		}
	case *syntax.ObjectPattern:
		for _, prop := range p.Properties {
			if prop.Computed || patternHasExpr(prop.Value) {
				return true
			}
		}
		return p.Rest != nil && patternHasExpr(p.Rest.Argument)
	}
	return false
}

// outer builds the pseudo function around eval code.
func outerFunc(d *bytecode.Scope) *funcInfo {
	fi := &funcInfo{kind: funcOuter, index: -1}
	if d != nil {
		fi.ctx = d.Context
	}
	return fi
}
