package metercheck

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzer reports uncharged loops, unbounded allocations, uncounted recursion
// and lost errors.
var Analyzer = &analysis.Analyzer{
	Name:      "meter",
	Doc:       "report work that a script could make the engine do without paying for it",
	URL:       "https://pkg.go.dev/github.com/pinfold-js/pinfold/internal/metercheck",
	Requires:  []*analysis.Analyzer{inspect.Analyzer},
	FactTypes: []analysis.Fact{(*charges)(nil), (*guards)(nil)},
	Run:       run,
}

// charges marks a function that always charges the meter.
type charges struct{}

// guards marks a function that always counts the depth of nesting.
type guards struct{}

func (*charges) AFact()         {}
func (*guards) AFact()          {}
func (*charges) String() string { return "charges" }
func (*guards) String() string  { return "guards" }

// meterMethods are the methods of meter.Meter that count work or memory;
// guardMethods those that count depth as well.
var (
	meterMethods = map[string]bool{
		"Charge": true, "Grow": true, "Request": true, "Poll": true, "Refill": true, "Enter": true, "EnterNative": true,
	}
	guardMethods = map[string]bool{"Enter": true, "EnterNative": true}
)

// hookNames are the names of function values that charge: fields and
// parameters of type func(n int) error, or with int64.
var hookNames = map[string]bool{"charge": true, "Charge": true, "check": true, "Check": true, "grow": true, "Grow": true}

// checker is the analysis of one package.
type checker struct {
	pass    *analysis.Pass
	files   map[*token.File]*directives
	whole   string // reason for the whole package
	depth   string // reason for its recursion
	decls   map[*types.Func]*ast.FuncDecl
	order   []*types.Func // of decls, by position
	charges map[*types.Func]bool
	guards  map[*types.Func]bool
	meters  map[*types.Package]bool // whether its errors may be a meter's
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{
		pass: pass, files: map[*token.File]*directives{}, decls: map[*types.Func]*ast.FuncDecl{},
		charges: map[*types.Func]bool{}, guards: map[*types.Func]bool{}, meters: map[*types.Package]bool{},
	}
	for _, f := range pass.Files {
		if isTest(pass.Fset, f) {
			continue
		}
		src, err := pass.ReadFile(pass.Fset.Position(f.FileStart).Filename)
		if err != nil {
			return nil, err
		}
		d := readDirectives(pass.Fset, f, src)
		c.files[pass.Fset.File(f.FileStart)] = d
		if d.pkg != "" {
			c.whole = d.pkg
		}
		if d.depth != "" {
			c.depth = d.depth
		}
		for _, decl := range f.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Body != nil {
				if fn, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					c.decls[fn] = fd
					c.order = append(c.order, fn)
				}
			}
		}
	}
	c.findFacts()
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	in.WithStack([]ast.Node{(*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.CallExpr)(nil), (*ast.AssignStmt)(nil), (*ast.ExprStmt)(nil), (*ast.IfStmt)(nil)},
		func(n ast.Node, push bool, stack []ast.Node) bool {
			if !push {
				return true
			}
			if c.files[pass.Fset.File(n.Pos())] == nil {
				return false // a test
			}
			switch n := n.(type) {
			case *ast.ForStmt:
				c.loop(n, n.For, stack)
			case *ast.RangeStmt:
				c.loop(n, n.For, stack)
			case *ast.CallExpr:
				c.allocation(n, stack)
			case *ast.AssignStmt:
				c.blankError(n, stack)
			case *ast.ExprStmt:
				c.droppedError(n, stack)
			case *ast.IfStmt:
				c.swallowedError(n, stack)
			}
			return true
		})
	c.recursion()
	return nil, nil
}

func isTest(fset *token.FileSet, f *ast.File) bool {
	return strings.HasSuffix(fset.Position(f.FileStart).Filename, "_test.go")
}

// findFacts finds the functions of the package that always charge or guard.
func (c *checker) findFacts() {
	for changed := true; changed; {
		changed = false
		for _, fn := range c.order {
			fd := c.decls[fn]
			if !c.charges[fn] && (hasMark(fd.Doc, "charges") || c.always(fd.Body, c.isCharge, false)) {
				c.charges[fn], changed = true, true
				c.pass.ExportObjectFact(fn, &charges{})
			}
			if !c.guards[fn] && (hasMark(fd.Doc, "guards") || c.always(fd.Body, c.isGuard, true)) {
				c.guards[fn], changed = true, true
				c.pass.ExportObjectFact(fn, &guards{})
			}
		}
	}
}

// always reports whether a statement that every way through the body takes
// contains a call that is accepts. late also takes one behind an early return:
// what follows it, such as a recursive call, has passed it all the same.
func (c *checker) always(body *ast.BlockStmt, is func(*ast.CallExpr) bool, late bool) bool {
	for _, s := range body.List {
		var parts []ast.Node
		switch s := s.(type) {
		case *ast.IfStmt:
			parts = []ast.Node{s.Init, s.Cond}
		case *ast.SwitchStmt:
			parts = []ast.Node{s.Init, s.Tag}
		case *ast.ForStmt:
			parts = []ast.Node{s.Init, s.Cond}
		case *ast.RangeStmt:
			parts = []ast.Node{s.X}
		case *ast.TypeSwitchStmt:
			parts = []ast.Node{s.Init, s.Assign}
		case *ast.LabeledStmt, *ast.SelectStmt, *ast.DeferStmt, *ast.GoStmt:
		case *ast.BlockStmt:
			if c.always(s, is, late) {
				return true
			}
		default:
			parts = []ast.Node{s}
		}
		for _, p := range parts {
			if contains(p, is) {
				return true
			}
		}
		if !late && ends(s) {
			return false
		}
	}
	return false
}

// ends reports whether a statement leaves the function on some way through it:
// what follows isn't always reached.
func ends(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}

// contains reports whether a call that is accepts is in n, function literals
// left out.
func contains(n ast.Node, is func(*ast.CallExpr) bool) bool {
	if n == nil || isNil(n) {
		return false
	}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || is(n)
		}
		return !found
	})
	return found
}

func isNil(n ast.Node) bool {
	switch n := n.(type) {
	case ast.Stmt:
		return n == nil
	case ast.Expr:
		return n == nil
	}
	return false
}

// callee returns the function that a call names, if it is known.
func (c *checker) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, _ := c.pass.TypesInfo.Uses[id].(*types.Func)
	if fn != nil {
		fn = fn.Origin()
	}
	return fn
}

func (c *checker) isCharge(call *ast.CallExpr) bool {
	if fn := c.callee(call); fn != nil {
		return onMeter(fn, meterMethods) || c.charges[fn] || c.imported(fn, &charges{})
	}
	return c.isHook(call)
}

func (c *checker) isGuard(call *ast.CallExpr) bool {
	fn := c.callee(call)
	return fn != nil && (onMeter(fn, guardMethods) || c.guards[fn] || c.imported(fn, &guards{}))
}

func (c *checker) imported(fn *types.Func, fact analysis.Fact) bool {
	return fn.Pkg() != nil && fn.Pkg() != c.pass.Pkg && c.pass.ImportObjectFact(fn, fact)
}

// isHook reports a call of a function value that charges.
func (c *checker) isHook(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	}
	if id == nil || !hookNames[id.Name] {
		return false
	}
	sig, ok := c.pass.TypesInfo.TypeOf(id).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Params().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && isError(sig.Results().At(0).Type())
}

// onMeter reports whether fn is one of the methods of the type Meter of a
// package meter, or of an interface Meter that a package asks of its callers.
func onMeter(fn *types.Func, names map[string]bool) bool {
	recv := fn.Signature().Recv()
	if !names[fn.Name()] || fn.Pkg() == nil || recv == nil || fn.Pkg().Name() != "meter" && !types.IsInterface(recv.Type()) {
		return false
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == "Meter"
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}
