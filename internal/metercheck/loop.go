package metercheck

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// maxFree is how many turns a loop may have that needs no charge.
const maxFree = 1 << 12

// loop checks one loop.
func (c *checker) loop(n ast.Node, pos token.Pos, stack []ast.Node) {
	if contains(n, c.isCharge) || c.fixed(n) || c.chargedLength(n, stack) || c.excused(pos, stack) {
		return
	}
	c.pass.Reportf(pos, "loop doesn't charge the meter: charge it, or say with //meter: why it is bounded")
}

// fixed reports loops whose number of turns the source text shows.
func (c *checker) fixed(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.RangeStmt:
		return c.fixedRange(n.X)
	case *ast.ForStmt:
		return n.Cond != nil && (c.fixedCount(n) || c.halves(n))
	}
	return false
}

// fixedRange reports what can be ranged over at most maxFree times.
func (c *checker) fixedRange(x ast.Expr) bool {
	if c.few(x) {
		return true
	}
	if v := c.constant(x); v != nil {
		return v.Kind() == constant.String
	}
	if c.isArray(x) {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.Ident:
		return c.global(x)
	case *ast.SelectorExpr:
		return c.global(x.Sel)
	case *ast.SliceExpr:
		return c.isArray(x.X) || x.High != nil && c.few(x.High)
	}
	return false
}

// isArray reports arrays, and pointers to them, of at most maxFree elements.
func (c *checker) isArray(x ast.Expr) bool {
	t := c.pass.TypesInfo.TypeOf(x)
	if t == nil {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	a, ok := t.Underlying().(*types.Array)
	return ok && a.Len() <= maxFree
}

// few reports a number that is at most maxFree: a constant, a minimum with
// one, a remainder of one, or what an 8-bit type holds.
func (c *checker) few(x ast.Expr) bool {
	if v := c.constant(x); v != nil {
		if v.Kind() != constant.Int {
			return false
		}
		k, ok := constant.Int64Val(v)
		return ok && k <= maxFree
	}
	if b, ok := c.pass.TypesInfo.TypeOf(x).Underlying().(*types.Basic); ok && (b.Kind() == types.Uint8 || b.Kind() == types.Int8) {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		return (x.Op == token.REM || x.Op == token.AND) && c.few(x.Y)
	case *ast.CallExpr:
		if c.pass.TypesInfo.Types[x.Fun].IsType() && len(x.Args) == 1 {
			return c.few(x.Args[0])
		}
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && id.Name == "min" {
			return slices.ContainsFunc(x.Args, c.few)
		}
	}
	return false
}

// fixedCount reports i := constant; i < constant; i++, and the like.
func (c *checker) fixedCount(n *ast.ForStmt) bool {
	if n.Init == nil || n.Post == nil {
		return false
	}
	init, ok := n.Init.(*ast.AssignStmt)
	if !ok || !slices.ContainsFunc(conjuncts(n.Cond), func(e *ast.BinaryExpr) bool {
		v := ident(e.X)
		if v == "" || !c.steps(n.Post, v) {
			return false
		}
		from := -1
		for i, l := range init.Lhs {
			if ident(l) == v && len(init.Rhs) == len(init.Lhs) {
				from = i
			}
		}
		if from < 0 {
			return false
		}
		switch e.Op {
		case token.LSS, token.LEQ, token.NEQ:
			return c.constant(init.Rhs[from]) != nil && c.few(e.Y)
		case token.GTR, token.GEQ:
			return c.few(init.Rhs[from]) && c.constant(e.Y) != nil
		}
		return false
	}) {
		return false
	}
	return true
}

// steps reports i++, i--, i += constant, i -= constant.
func (c *checker) steps(post ast.Stmt, v string) bool {
	switch p := post.(type) {
	case *ast.IncDecStmt:
		return ident(p.X) == v
	case *ast.AssignStmt:
		return len(p.Lhs) == 1 && ident(p.Lhs[0]) == v && (p.Tok == token.ADD_ASSIGN || p.Tok == token.SUB_ASSIGN) && c.constant(p.Rhs[0]) != nil
	}
	return false
}

// halves reports loops that divide a number, which their condition looks at, by
// a constant in each turn, or clear a bit of it: 64 turns at most.
func (c *checker) halves(n *ast.ForStmt) bool {
	shrinks := func(s ast.Stmt) string {
		a, ok := s.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return ""
		}
		v := ident(a.Lhs[0])
		k := c.constant(a.Rhs[0])
		switch a.Tok {
		case token.QUO_ASSIGN:
			if k != nil && constant.Compare(k, token.GEQ, constant.MakeInt64(2)) {
				return v
			}
		case token.SHR_ASSIGN:
			if k != nil && constant.Compare(k, token.GEQ, constant.MakeInt64(1)) {
				return v
			}
		case token.AND_ASSIGN:
			if b, ok := ast.Unparen(a.Rhs[0]).(*ast.BinaryExpr); ok && b.Op == token.SUB && ident(b.X) == v && c.constant(b.Y) != nil {
				return v
			}
		}
		return ""
	}
	in := func(v string) bool {
		if v == "" {
			return false
		}
		for _, e := range conjuncts(n.Cond) {
			if b, ok := c.pass.TypesInfo.TypeOf(e.X).Underlying().(*types.Basic); ident(e.X) == v && ok && b.Info()&types.IsInteger != 0 && c.constant(e.Y) != nil &&
				(e.Op == token.GTR || e.Op == token.GEQ || e.Op == token.NEQ) {
				return !jumps(n.Body)
			}
		}
		return false
	}
	if n.Post != nil && in(shrinks(n.Post)) {
		return true
	}
	for _, s := range n.Body.List {
		if in(shrinks(s)) {
			return true
		}
	}
	return false
}

// jumps reports a continue in a body.
func jumps(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE {
			found = true
		}
		return !found
	})
	return found
}

// conjuncts are the comparisons that a condition joins by &&.
func conjuncts(e ast.Expr) []*ast.BinaryExpr {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	switch {
	case !ok:
		return nil
	case b.Op == token.LAND:
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []*ast.BinaryExpr{b}
}

func ident(e ast.Expr) string {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// chargedLength reports loops over what a statement in front of them, inside
// the same turn of the loop around, charged for by its length: charge(len(x)/16)
// and for range x, or charge(n) and for i < n.
func (c *checker) chargedLength(n ast.Node, stack []ast.Node) bool {
	bounds := c.bounds(n)
	if len(bounds) == 0 {
		return false
	}
	for i := len(stack) - 2; i >= 0; i-- {
		var list []ast.Stmt
		switch b := stack[i].(type) {
		case *ast.BlockStmt:
			list = b.List
		case *ast.CaseClause:
			list = b.Body
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncDecl, *ast.FuncLit:
			return false
		}
		for k := slices.IndexFunc(list, func(s ast.Stmt) bool { return s == stack[i+1] }) - 1; k >= 0; k-- {
			if c.chargesFor(list[k], bounds) {
				return true
			}
			if assigned(list[k], bounds) {
				return false
			}
		}
	}
	return false
}

// bounds are the expressions, as text, that a loop's number of turns doesn't
// pass.
func (c *checker) bounds(n ast.Node) []string {
	var out []string
	add := func(e ast.Expr) {
		if c.constant(e) != nil {
			return
		}
		out = append(out, types.ExprString(e))
		if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.SUB {
			out = append(out, types.ExprString(b.X))
		}
	}
	switch n := n.(type) {
	case *ast.RangeStmt:
		x := ast.Unparen(n.X)
		if s, ok := x.(*ast.SliceExpr); ok {
			if s.High != nil {
				add(s.High)
			}
			x = s.X
		}
		switch t := c.pass.TypesInfo.TypeOf(x).Underlying().(type) {
		case *types.Slice, *types.Map:
			out = append(out, "len("+types.ExprString(x)+")")
		case *types.TypeParam:
			out = append(out, "len("+types.ExprString(x)+")")
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				out = append(out, "len("+types.ExprString(x)+")")
			} else {
				add(x)
			}
		}
	case *ast.ForStmt:
		if n.Cond == nil || n.Post == nil {
			return nil
		}
		for _, e := range conjuncts(n.Cond) {
			v := ident(e.X)
			if v == "" || !c.steps(n.Post, v) {
				continue
			}
			switch e.Op {
			case token.LSS, token.LEQ:
				add(e.Y)
			case token.GTR, token.GEQ:
				if a, ok := n.Init.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && ident(a.Lhs[0]) == v {
					add(a.Rhs[0])
				}
			}
		}
	}
	return out
}

// chargesFor reports a statement that charges for one of the bounds, on every
// way through it.
func (c *checker) chargesFor(s ast.Stmt, bounds []string) bool {
	parts := []ast.Node{s}
	switch s := s.(type) {
	case *ast.IfStmt:
		parts = []ast.Node{s.Init, s.Cond}
	case *ast.ExprStmt, *ast.AssignStmt:
	default:
		return false
	}
	for _, p := range parts {
		if contains(p, func(call *ast.CallExpr) bool {
			if !c.isCharge(call) {
				return false
			}
			for _, a := range call.Args {
				found := false
				ast.Inspect(a, func(n ast.Node) bool {
					if e, ok := n.(ast.Expr); ok && slices.Contains(bounds, types.ExprString(e)) {
						found = true
					}
					return !found
				})
				if found {
					return true
				}
			}
			return false
		}) {
			return true
		}
	}
	return false
}

// assigned reports a statement that assigns to a variable that the bounds are
// made of.
func assigned(s ast.Stmt, bounds []string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return !found
		}
		for _, l := range a.Lhs {
			t := types.ExprString(l)
			if slices.ContainsFunc(bounds, func(b string) bool { return b == t || b == "len("+t+")" }) {
				found = true
			}
		}
		return !found
	})
	return found
}

func (c *checker) constant(e ast.Expr) constant.Value { return c.pass.TypesInfo.Types[e].Value }

// global reports a variable of a package: a table that is made once.
func (c *checker) global(id *ast.Ident) bool {
	v, ok := c.pass.TypesInfo.Uses[id].(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
