package transpile

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// A callback is the function given to map, filter and their kin: a function
// written there, a helper's name, or Boolean.
type callback struct {
	fn     *syntax.Function
	expr   syntax.Expr // the body, if it is one expression
	helper *helper
	at     syntax.Node
}

// isCallback reports an argument that is a function.
func (t *transpiler) isCallback(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ArrowFunctionExpression, *syntax.FunctionExpression:
		return true
	case *syntax.Identifier:
		return !t.opt.Original && t.scope.lookup(e.Name) == 0 && (t.helpers[e.Name] != nil || e.Name == "Boolean")
	}
	return false
}

// callbackMethod reports a call of a method with a callback that is lowered to
// steps.
func (t *transpiler) callbackMethod(e *syntax.CallExpression) (string, bool) {
	m, ok := unwrap(e.Callee).(*syntax.MemberExpression)
	if !ok || m.Computed || len(e.Arguments) == 0 {
		return "", false
	}
	name, _ := staticKey(m)
	switch name {
	case "map", "filter", "find":
	case "reduce":
		if len(e.Arguments) < 2 {
			return "", false
		}
	case "forEach", "some", "every", "flatMap", "findIndex", "sort", "toSorted":
		if t.opt.Original {
			return "", false
		}
	default:
		return "", false
	}
	return name, t.isCallback(e.Arguments[0])
}

// callbackAdvice refuses a call of such a method without a callback that can be
// lowered.
func (t *transpiler) callbackAdvice(e *syntax.CallExpression, name string) {
	if name == "reduce" && len(e.Arguments) == 1 {
		t.fail(e, CodeCallback, "Method 'reduce' is not available in AsyncJS without an initial value", "const sum = xs.reduce((acc, x) => acc + x, 0)")
	}
	fix := "const ys = xs." + name + "(x => x * 2)"
	if name == "reduce" {
		fix = "const sum = xs.reduce((acc, x) => acc + x, 0)"
	}
	at := syntax.Node(e)
	if len(e.Arguments) > 0 {
		at = e.Arguments[0]
		if id, ok := e.Arguments[0].(*syntax.Identifier); ok {
			fix = "const ys = xs." + name + "(x => " + id.Name + "(x))"
		} else if m, ok := e.Arguments[0].(*syntax.MemberExpression); ok {
			fix = "const ys = xs." + name + "(x => " + t.text(m) + "(x))"
		}
	}
	t.fail(at, CodeCallback, "'"+name+"' takes an arrow function or the name of a helper", fix)
}

// readCallback takes a callback apart. A block that only returns is its
// expression, except where the original keeps the block.
func (t *transpiler) readCallback(e syntax.Expr, name string) *callback {
	cb := &callback{at: e}
	switch e := e.(type) {
	case *syntax.ArrowFunctionExpression:
		cb.fn = e.Func
	case *syntax.FunctionExpression:
		cb.fn = e.Func
	case *syntax.Identifier:
		cb.helper = t.helpers[e.Name]
		return cb
	}
	if cb.fn.Generator {
		t.fail(e, CodeFunctionKind, "Generators are not supported in AsyncJS", "const ys = xs.map(x => x * 2)")
	}
	if cb.fn.Async && t.opt.Original {
		t.fail(e, CodeCallback, "Unsupported expression in AsyncJS: AwaitExpression", "const ys = xs.map(x => x * 2)")
	}
	cb.expr = cb.fn.ExprBody
	switch name {
	case "map", "reduce", "flatMap", "forEach":
	default:
		if len(cb.fn.Body) == 1 && cb.expr == nil && !t.opt.Original {
			if r, ok := cb.fn.Body[0].(*syntax.ReturnStatement); ok {
				cb.expr = r.Argument
			}
		}
	}
	return cb
}

// param is a parameter of a callback, nil if it has no such.
func (cb *callback) param(i int) syntax.Pattern {
	if cb.fn == nil || i >= len(cb.fn.Params) {
		return nil
	}
	return cb.fn.Params[i]
}

// paramName is the name of a parameter that is a plain one.
func (cb *callback) paramName(i int) (string, bool) {
	id, ok := cb.param(i).(*syntax.Identifier)
	if !ok {
		return "", false
	}
	return id.Name, true
}

// takes reports a callback that looks at its argument i.
func (cb *callback) takes(i int) bool {
	if cb.helper != nil {
		return len(cb.helper.params) > i
	}
	return cb.param(i) != nil
}

// asName is the name that an item goes by: the parameter's, the original's name
// for a parameter that isn't there, or one of our own where that would hide a
// variable.
func (t *transpiler) asName(cb *callback, i int, missing string) string {
	if name, ok := cb.paramName(i); ok {
		return name
	}
	if cb.fn != nil && cb.param(i) == nil && t.scope.lookup(missing) == 0 {
		return missing
	}
	return t.temp()
}

// callbackScope lowers the steps of a callback.
func (t *transpiler) callbackScope(f func()) []*ast.Step {
	t.callback++
	out := t.scoped(f)
	t.callback--
	return out
}

// bind gives a parameter its value, taking patterns apart. A plain name that is
// the item's own name needs no step.
func (t *transpiler) bind(p syntax.Pattern, v ast.Value) {
	pos := t.pos(p)
	switch p := p.(type) {
	case *syntax.Identifier:
		t.declare(p, p.Name, bindLoop)
		if id, ok := v.(*ast.Ident); ok && id.Name == p.Name {
			return
		}
		t.emit(set(p.Name, v, pos))
	case *syntax.AssignmentPattern:
		name := t.temp()
		t.emit(set(name, v, pos))
		then := t.scoped(func() { t.store(p.Right, target{toAssign, name}, p.Right) })
		t.emit(&ast.Step{Op: "if", Pos: pos, Body: &ast.If{Condition: &ast.Binary{Op: "===", Left: &ast.Ident{Name: name}, Right: undefinedNode()}, Then: then}})
		t.bind(p.Left, &ast.Ident{Name: name})
	case *syntax.ObjectPattern:
		if p.Rest != nil {
			t.fail(p.Rest, CodeCallback, "A rest pattern is not supported in AsyncJS", "const ys = xs.map(x => x.name)")
		}
		v = t.once(v, p)
		for _, m := range p.Properties {
			key, ok := "", false
			switch k := m.Key.(type) {
			case *syntax.Identifier:
				key, ok = k.Name, !m.Computed
			case *syntax.StringLiteral:
				key, ok = k.Value, true
			}
			if !ok {
				t.fail(m, CodeCallback, "A computed key is not supported in a pattern", "const ys = xs.map(x => x[key])")
			}
			if forbidden(key) {
				t.fail(m, CodeName, "Security Error: Access to '"+key+"' is forbidden", "const v = o.value")
			}
			t.bind(m.Value, &ast.Member{Object: v, Property: key})
		}
	case *syntax.ArrayPattern:
		v = t.once(v, p)
		for i, e := range p.Elements {
			switch e := e.(type) {
			case nil:
			case *syntax.RestElement:
				rest := &ast.MethodCall{Object: v, Method: "slice", Arguments: []ast.Value{&ast.Literal{Data: float64(i)}}}
				t.bind(e.Argument, rest)
			default:
				t.bind(e, &ast.Member{Object: v, Property: itoa(i), Computed: true})
			}
		}
	case *syntax.RestElement:
		t.fail(p, CodeCallback, "A rest parameter is not supported in AsyncJS", "const ys = xs.map((x, i) => x + i)")
	default:
		t.fail(p, CodeCallback, "Only names and patterns of names are parameters", "const ys = xs.map(x => x * 2)")
	}
}

// once makes a value one that can be read many times.
func (t *transpiler) once(v ast.Value, at syntax.Node) ast.Value {
	if _, ok := v.(*ast.Ident); ok {
		return v
	}
	return t.spill(v, at)
}

// invoke lowers a call of a callback in the current block and returns its
// value.
func (t *transpiler) invoke(cb *callback, args []ast.Value) ast.Value {
	switch {
	case cb.fn == nil && cb.helper == nil:
		return args[0] // Boolean
	case cb.helper != nil:
		return t.callHelper(cb, args)
	case cb.expr != nil:
		t.bindAll(cb, args)
		return t.node(cb.expr)
	}
	// A block runs as the callback of a map over the one item, so that its
	// returns are its own.
	out := t.temp()
	as, ok := cb.paramName(0)
	if !ok {
		as = t.temp()
	}
	item := args[0]
	steps := t.callbackScope(func() {
		inner := append([]ast.Value{&ast.Ident{Name: as}}, args[1:]...)
		t.bindAll(cb, inner)
		t.blockBody(cb)
	})
	t.emit(&ast.Step{Op: "map", Result: out, Pos: t.pos(cb.at), Body: &ast.Map{Items: listOf([]ast.Value{item}), As: as, Steps: steps}})
	return &ast.Member{Object: &ast.Ident{Name: out}, Property: "0", Computed: true}
}

// bindAll binds all parameters of a callback.
func (t *transpiler) bindAll(cb *callback, args []ast.Value) {
	for i, p := range cb.fn.Params {
		v := undefinedNode()
		if i < len(args) {
			v = args[i]
		}
		t.bind(p, v)
	}
}

// blockBody lowers the statements of a callback.
func (t *transpiler) blockBody(cb *callback) {
	t.hoistVars(cb.fn.Body)
	own := t.scope.names[callbackTemp] != 0
	t.inner(func() {
		t.statements(cb.fn.Body)
		own = own || t.scope.names[callbackTemp] != 0
	})
	// Without a return the VM would take a variable of that name as the value.
	if own && !t.opt.Original && (len(t.steps) == 0 || t.steps[len(t.steps)-1].Op != "return") {
		t.emitReturn(undefinedNode(), cb.at)
	}
}

func (t *transpiler) callHelper(cb *callback, args []ast.Value) ast.Value {
	out := t.temp()
	t.emit(t.helperStep(cb, args, out))
	return &ast.Ident{Name: out}
}

func (t *transpiler) helperStep(cb *callback, args []ast.Value, result string) *ast.Step {
	h := cb.helper
	if len(h.params) > len(args) || len(h.params) == 0 {
		t.fail(cb.at, CodeHelperCall, "Helper '"+h.name+"' takes "+itoa(len(h.params))+" argument(s): as a callback it gets the item and the index", "const ys = xs.map(x => x * 2)")
	}
	h.used = true
	return &ast.Step{Op: "callLocal", Body: &ast.CallLocal{Name: h.name, Args: args[:len(h.params)]}, Result: result, Pos: t.pos(cb.at)}
}
