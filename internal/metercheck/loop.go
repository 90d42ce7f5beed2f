package metercheck

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// maxFree is how many turns a loop may have that needs no charge.
const maxFree = 1 << 12

// loop checks one loop.
func (c *checker) loop(n ast.Node, pos token.Pos, stack []ast.Node) {
	if contains(n, c.isCharge) || c.fixed(n) || c.excused(pos, stack) {
		return
	}
	c.pass.Reportf(pos, "loop doesn't charge the meter: charge it, or say with //meter: why it is bounded")
}

// fixed reports loops whose number of turns the source text shows.
func (c *checker) fixed(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if v := c.constant(n.X); v != nil {
			if k, ok := constant.Int64Val(constant.ToInt(v)); ok && v.Kind() == constant.Int {
				return k <= maxFree
			}
			return v.Kind() == constant.String
		}
		t := c.pass.TypesInfo.TypeOf(n.X)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if a, ok := t.Underlying().(*types.Array); ok {
			return a.Len() <= maxFree
		}
		switch x := ast.Unparen(n.X).(type) {
		case *ast.CompositeLit:
			return true
		case *ast.Ident:
			return c.global(x)
		case *ast.SelectorExpr:
			return c.global(x.Sel)
		}
	case *ast.ForStmt:
		// i := constant; i < constant; i++, and the like.
		cond, ok := n.Cond.(*ast.BinaryExpr)
		if !ok || n.Init == nil || n.Post == nil {
			return false
		}
		if _, ok := n.Post.(*ast.IncDecStmt); !ok {
			return false
		}
		init, ok := n.Init.(*ast.AssignStmt)
		if !ok {
			return false
		}
		for _, r := range init.Rhs {
			if c.constant(r) == nil {
				return false
			}
		}
		switch cond.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ:
			v := c.constant(cond.Y)
			if v == nil || v.Kind() != constant.Int {
				return false
			}
			k, ok := constant.Int64Val(v)
			return ok && k <= maxFree
		}
	}
	return false
}

func (c *checker) constant(e ast.Expr) constant.Value { return c.pass.TypesInfo.Types[e].Value }

// global reports a variable of a package: a table that is made once.
func (c *checker) global(id *ast.Ident) bool {
	v, ok := c.pass.TypesInfo.Uses[id].(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
