package metercheck

import (
	"go/ast"
	"go/token"
	"go/types"
)

// allocation checks a call that makes memory of a computed size.
func (c *checker) allocation(call *ast.CallExpr, stack []ast.Node) {
	var sizes []ast.Expr
	what := ""
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "make" {
		if _, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
			what, sizes = "make", call.Args[1:]
		}
	}
	if fn := c.callee(call); fn != nil && fn.Pkg() != nil {
		switch fn.FullName() {
		case "strings.Repeat", "bytes.Repeat", "slices.Repeat", "slices.Grow":
			what, sizes = fn.FullName(), call.Args[1:]
		case "(*strings.Builder).Grow", "(*bytes.Buffer).Grow":
			what, sizes = fn.FullName(), call.Args
		}
	}
	if what == "" {
		return
	}
	for _, s := range sizes {
		if !c.bounded(s) {
			if c.excused(call.Pos(), stack) || c.chargedBefore(call, stack) {
				return
			}
			c.pass.Reportf(call.Pos(), "%s of a size that isn't known to be bounded: charge for it before, or say with //meter: what bounds it", what)
			return
		}
	}
}

// bounded reports a size that is a constant, or not much more than what exists
// already: made of lengths, with additions and small factors.
func (c *checker) bounded(e ast.Expr) bool {
	if c.constant(e) != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.QUO, token.REM, token.SHR, token.AND:
			return c.bounded(e.X) && (c.bounded(e.Y) || e.Op == token.SUB)
		case token.MUL:
			return c.constant(e.X) != nil && c.bounded(e.Y) || c.constant(e.Y) != nil && c.bounded(e.X)
		}
	case *ast.CallExpr:
		if c.pass.TypesInfo.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return c.bounded(e.Args[0])
		}
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		if _, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); !ok {
			return false
		}
		switch id.Name {
		case "len", "cap":
			return true
		case "min":
			for _, a := range e.Args {
				if c.bounded(a) {
					return true
				}
			}
		case "max":
			for _, a := range e.Args {
				if !c.bounded(a) {
					return false
				}
			}
			return true
		}
	}
	return false
}

// chargedBefore reports whether the function charges in front of the call.
func (c *checker) chargedBefore(call *ast.CallExpr, stack []ast.Node) bool {
	var body *ast.BlockStmt
	for i := len(stack) - 1; i >= 0 && body == nil; i-- {
		switch f := stack[i].(type) {
		case *ast.FuncDecl:
			body = f.Body
		case *ast.FuncLit:
			body = f.Body
		}
	}
	return body != nil && contains(body, func(x *ast.CallExpr) bool { return x.Pos() < call.Pos() && c.isCharge(x) })
}
