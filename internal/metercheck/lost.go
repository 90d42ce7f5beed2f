package metercheck

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A limit travels as an error. Whatever drops an error of the engine's own
// packages may drop a limit, and the script goes on: only Machine.Caught may
// tell exceptions from limits.

const lost = "an error that may be a limit is lost: pass it up, ask Machine.Caught, or say with //meter: why it can't be one"

// blankError checks x, _ = f().
func (c *checker) blankError(n *ast.AssignStmt, stack []ast.Node) {
	if len(n.Rhs) != 1 {
		return
	}
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok || !c.ours(call) {
		return
	}
	at := -1
	switch t := c.pass.TypesInfo.TypeOf(call).(type) {
	case *types.Tuple:
		if k := t.Len() - 1; k >= 0 && isError(t.At(k).Type()) && k < len(n.Lhs) {
			at = k
		}
	default:
		if isError(t) {
			at = 0
		}
	}
	if at < 0 {
		return
	}
	if id, ok := n.Lhs[at].(*ast.Ident); ok && id.Name == "_" && !c.excused(n.Pos(), stack) {
		c.pass.Reportf(n.Pos(), lost)
	}
}

// droppedError checks f() as a statement.
func (c *checker) droppedError(n *ast.ExprStmt, stack []ast.Node) {
	call, ok := n.X.(*ast.CallExpr)
	if !ok || !c.ours(call) {
		return
	}
	t := c.pass.TypesInfo.TypeOf(call)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return
		}
		t = tuple.At(tuple.Len() - 1).Type()
	}
	if isError(t) && !c.excused(n.Pos(), stack) {
		c.pass.Reportf(n.Pos(), lost)
	}
}

// swallowedError checks if err != nil { … } whose block doesn't use err.
func (c *checker) swallowedError(n *ast.IfStmt, stack []ast.Node) {
	cond, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ {
		return
	}
	id, ok := cond.X.(*ast.Ident)
	if !ok || !isError(c.pass.TypesInfo.TypeOf(id)) {
		return
	}
	if y, ok := cond.Y.(*ast.Ident); !ok || y.Name != "nil" {
		return
	}
	obj := c.pass.TypesInfo.Uses[id]
	call := c.source(obj, n, stack)
	if call == nil || !c.ours(call) {
		return
	}
	used := false
	ast.Inspect(n.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.Ident:
			used = used || c.pass.TypesInfo.Uses[x] == obj
		case *ast.BranchStmt:
			used = used || x.Tok == token.GOTO
		case *ast.ReturnStmt:
			used = used || len(x.Results) == 0 // named results
		}
		return !used
	})
	if !used && !c.excused(n.Pos(), stack) {
		c.pass.Reportf(n.Pos(), lost)
	}
}

// source finds the call that the error was last assigned from, in the if
// statement or right before it.
func (c *checker) source(obj types.Object, n *ast.IfStmt, stack []ast.Node) *ast.CallExpr {
	if call := c.assigns(n.Init, obj); call != nil {
		return call
	}
	for i := len(stack) - 2; i >= 0; i-- {
		b, ok := stack[i].(*ast.BlockStmt)
		if !ok {
			continue
		}
		for k, s := range b.List {
			if s == stack[i+1] && k > 0 {
				return c.assigns(b.List[k-1], obj)
			}
		}
		return nil
	}
	return nil
}

// assigns returns the call whose results a statement assigns to obj among
// others.
func (c *checker) assigns(s ast.Stmt, obj types.Object) *ast.CallExpr {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return nil
	}
	for _, l := range a.Lhs {
		if id, ok := l.(*ast.Ident); ok && (c.pass.TypesInfo.Uses[id] == obj || c.pass.TypesInfo.Defs[id] == obj) {
			call, _ := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
			return call
		}
	}
	return nil
}

// ours reports a call whose error may come from the meter: of a function of the
// engine's module, or of a function value.
func (c *checker) ours(call *ast.CallExpr) bool {
	fn := c.callee(call)
	if fn == nil {
		_, isSig := c.pass.TypesInfo.TypeOf(call.Fun).Underlying().(*types.Signature)
		return isSig
	}
	if fn.Pkg() == nil {
		return false
	}
	return fn.Pkg() == c.pass.Pkg || module(fn.Pkg().Path()) == module(c.pass.Pkg.Path()) && c.metered(fn.Pkg())
}

// metered reports whether a package knows a package meter, directly or not:
// nothing else can return its errors.
func (c *checker) metered(pkg *types.Package) bool {
	if pkg.Name() == "meter" {
		return true
	}
	known, ok := c.meters[pkg]
	if !ok {
		known = slices.ContainsFunc(pkg.Imports(), c.metered)
		c.meters[pkg] = known
	}
	return known
}

// module is the part of an import path that names the module: three elements,
// or the first where there are fewer.
func module(path string) string {
	parts := strings.SplitN(path, "/", 4)
	if len(parts) < 3 {
		return parts[0]
	}
	return strings.Join(parts[:3], "/")
}
