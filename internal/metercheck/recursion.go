package metercheck

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// recursion reports the cycles of calls in the package that pass no guard. The
// calls are those by name, and those through interfaces to the package's own
// types; function values aren't followed.
func (c *checker) recursion() {
	if c.depth != "" {
		return
	}
	graph := map[*types.Func][]*types.Func{}
	free := func(fn *types.Func) bool {
		fd := c.decls[fn]
		return fd != nil && !c.guards[fn] && docReason(fd.Doc) == "" && !c.countsDepth(fd) && !c.saysDepth(fd)
	}
	for _, fn := range c.order {
		if !free(fn) {
			continue
		}
		for _, to := range c.calls(c.decls[fn]) {
			if free(to) {
				graph[fn] = append(graph[fn], to)
			}
		}
	}
	for _, cycle := range components(c.order, graph) {
		var names []string
		for _, fn := range cycle {
			names = append(names, fn.Name())
		}
		fn := cycle[0]
		c.pass.Reportf(c.decls[fn].Name.Pos(), "recursion without a guard (%s): count the depth, or say with //meter: on its first line what bounds it", strings.Join(names, ", "))
	}
}

// saysDepth reports a directive on the line that a function begins on.
func (c *checker) saysDepth(fd *ast.FuncDecl) bool {
	_, ok := c.files[c.pass.Fset.File(fd.Pos())].lines[c.pass.Fset.Position(fd.Name.Pos()).Line]
	return ok
}

// countsDepth reports functions that count and compare a depth of their own: a
// variable or field whose name ends in depth, or is level or nesting, in a
// comparison.
func (c *checker) countsDepth(fd *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !found
		}
		switch b.Op.String() {
		case ">", ">=", "<", "<=", "==":
		default:
			return !found
		}
		for _, e := range []ast.Expr{b.X, b.Y} {
			var name string
			switch e := ast.Unparen(e).(type) {
			case *ast.Ident:
				name = e.Name
			case *ast.SelectorExpr:
				name = e.Sel.Name
			}
			name = strings.ToLower(name)
			found = found || strings.HasSuffix(name, "depth") || name == "level" || name == "nesting"
		}
		return !found
	})
	return found
}

// calls lists the functions of the package that a function calls.
func (c *checker) calls(fd *ast.FuncDecl) []*types.Func {
	var out []*types.Func
	add := func(fn *types.Func) {
		if c.decls[fn] != nil && !slices.Contains(out, fn) {
			out = append(out, fn)
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := c.callee(call)
		if fn == nil {
			return true
		}
		recv := fn.Signature().Recv()
		if recv == nil || !types.IsInterface(recv.Type()) {
			add(fn)
			return true
		}
		iface := recv.Type().Underlying().(*types.Interface)
		scope := c.pass.Pkg.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || types.IsInterface(tn.Type()) {
				continue
			}
			t := types.Type(types.NewPointer(tn.Type()))
			if !types.Implements(t, iface) {
				continue
			}
			if m, _, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, fn.Name()); m != nil {
				if f, ok := m.(*types.Func); ok {
					add(f)
				}
			}
		}
		return true
	})
	return out
}

// components returns the strongly connected components that are cycles
// (Tarjan), in the order of the functions.
func components(order []*types.Func, graph map[*types.Func][]*types.Func) [][]*types.Func {
	var (
		out     [][]*types.Func
		stack   []*types.Func
		index   = map[*types.Func]int{}
		low     = map[*types.Func]int{}
		onStack = map[*types.Func]bool{}
		visit   func(fn *types.Func)
	)
	visit = func(fn *types.Func) {
		index[fn] = len(index) + 1
		low[fn] = index[fn]
		stack = append(stack, fn)
		onStack[fn] = true
		for _, to := range graph[fn] {
			if index[to] == 0 {
				visit(to)
				low[fn] = min(low[fn], low[to])
			} else if onStack[to] {
				low[fn] = min(low[fn], index[to])
			}
		}
		if low[fn] != index[fn] {
			return
		}
		var comp []*types.Func
		for {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			onStack[top] = false
			comp = append(comp, top)
			if top == fn {
				break
			}
		}
		if len(comp) > 1 || slices.Contains(graph[fn], fn) {
			slices.SortFunc(comp, func(a, b *types.Func) int { return int(a.Pos()) - int(b.Pos()) })
			out = append(out, comp)
		}
	}
	for _, fn := range order {
		if index[fn] == 0 {
			visit(fn)
		}
	}
	return out
}
