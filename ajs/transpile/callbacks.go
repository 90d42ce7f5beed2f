package transpile

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// optionalCallback lowers xs?.map(…).
func (t *transpiler) optionalCallback(e *syntax.CallExpression, m *syntax.MemberExpression, to target, at syntax.Node) {
	obj := t.spill(t.node(m.Object), m.Object)
	v := t.unless(obj, e, func(in target) { t.callbackOn(e, m, obj, in, e) })
	t.put(v, to, at, false)
}

// callbackCall lowers a call with a callback to steps.
func (t *transpiler) callbackCall(e *syntax.CallExpression, m *syntax.MemberExpression, to target, at syntax.Node) {
	t.callbackOn(e, m, nil, to, at)
}

// loop is what the lowering of one such call has at hand.
type loop struct {
	cb    *callback
	items ast.Value
	index string // variable that counts, "" if nobody looks
	pos   ast.Pos
	at    syntax.Node
	to    target
}

// callbackOn is callbackCall on a receiver; nil is the call's own.
func (t *transpiler) callbackOn(e *syntax.CallExpression, m *syntax.MemberExpression, items ast.Value, to target, at syntax.Node) {
	name, _ := staticKey(m)
	arg := e.Arguments[0]
	if ns, ok := t.isNamespace(m.Object); ok && ns == "Array" {
		// Array.from(list, f)
		name, arg = "map", e.Arguments[1]
		items = &ast.MethodCall{Object: &ast.Ident{Name: "Array"}, Method: "from", Arguments: []ast.Value{t.node(e.Arguments[0])}}
	}
	for _, a := range e.Arguments {
		if s, ok := a.(*syntax.SpreadElement); ok {
			t.fail(s, CodeCall, "A spread is not supported in a call in AsyncJS", "const ys = xs.map(x => x * 2)")
		}
	}
	l := &loop{cb: t.readCallback(arg, name), items: items, pos: t.pos(at), at: at, to: to}
	var initial ast.Value
	if name == "reduce" {
		ops := []operand{{m.Object, true}, {e.Arguments[1], true}}
		if items != nil {
			ops = ops[1:]
		}
		vals := t.operands(ops)
		initial = vals[len(vals)-1]
		if items == nil {
			l.items = vals[0]
		}
	} else if items == nil {
		l.items = t.value(m.Object)
	}
	switch name {
	case "map":
		t.mapLoop(l)
	case "reduce":
		t.reduceLoop(l, initial)
	case "forEach":
		t.forEachLoop(l)
	case "flatMap":
		out := t.temp()
		l.to = target{toLet, out}
		t.mapLoop(l)
		t.put(&ast.MethodCall{Object: &ast.Ident{Name: out}, Method: "flat", Arguments: []ast.Value{}}, to, at, true)
	case "sort", "toSorted":
		t.sortLoop(l, name == "sort")
	case "filter", "find":
		t.filterCall(l, name)
	default:
		t.searchLoop(l, name)
	}
}

// prepare makes what the callback looks at besides the item: the index, which
// is its parameter i, and the array behind it.
func (t *transpiler) prepare(l *loop, i int, counted bool) {
	if l.cb.takes(i + 1) {
		l.items = t.once(l.items, l.at)
	}
	if l.cb.takes(i) || counted {
		l.index = t.temp()
		t.emit(set(l.index, &ast.Lit{Data: -1.0}, l.pos))
	}
}

// count is the first step of a pass.
func (t *transpiler) count(l *loop) {
	if l.index != "" {
		t.emit(assign(l.index, &ast.Binary{Op: "+", Left: &ast.Ident{Name: l.index}, Right: &ast.Literal{Data: 1.0}}, l.pos))
	}
}

// args are the callback's arguments: the item (behind what comes before it),
// the index, the array.
func (l *loop) args(first ...ast.Value) []ast.Value {
	if l.index != "" {
		first = append(first, &ast.Ident{Name: l.index})
		if _, ok := l.items.(*ast.Ident); ok {
			first = append(first, l.items)
		}
	}
	return first
}

// result lowers a callback's body so that it leaves its value as the item.
func (t *transpiler) result(l *loop, args []ast.Value) {
	cb := l.cb
	switch {
	case cb.helper != nil:
		t.emit(t.helperStep(cb, args, callbackTemp))
	case cb.fn == nil:
		t.emit(set(callbackTemp, args[0], l.pos))
	case cb.expr != nil:
		t.bindAll(cb, args)
		t.store(cb.expr, target{toLet, callbackTemp}, cb.expr)
	default:
		t.bindAll(cb, args)
		t.blockBody(cb)
	}
}

func (t *transpiler) mapLoop(l *loop) {
	t.prepare(l, 1, false)
	as := t.asName(l.cb, 0, "item")
	steps := t.callbackScope(func() {
		t.count(l)
		t.result(l, l.args(&ast.Ident{Name: as}))
	})
	t.finish(&ast.Step{Op: "map", Body: &ast.Map{Items: l.items, As: as, Steps: steps}}, l.to, l.at)
}

func (t *transpiler) reduceLoop(l *loop, initial ast.Value) {
	t.prepare(l, 2, false)
	acc := t.asName(l.cb, 0, "acc")
	as := t.asName(l.cb, 1, "item")
	steps := t.callbackScope(func() {
		t.count(l)
		t.result(l, l.args(&ast.Ident{Name: acc}, &ast.Ident{Name: as}))
	})
	t.finish(&ast.Step{Op: "reduce", Body: &ast.Reduce{Items: l.items, As: as, Accumulator: acc, Initial: initial, Steps: steps}}, l.to, l.at)
}

// forEachLoop: a body that returns is a map's, so that its return ends the
// pass; else a loop's.
func (t *transpiler) forEachLoop(l *loop) {
	t.prepare(l, 1, false)
	as := t.asName(l.cb, 0, "item")
	cb := l.cb
	steps := t.callbackScope(func() {
		t.count(l)
		args := l.args(&ast.Ident{Name: as})
		switch {
		case cb.helper != nil:
			t.emit(t.helperStep(cb, args, ""))
		case cb.fn == nil:
		case cb.expr != nil:
			t.bindAll(cb, args)
			t.expressionStatement(&syntax.ExpressionStatement{Span: syntax.Span{Start: cb.expr.Range().Start, End: cb.expr.Range().End}, Expression: cb.expr})
		default:
			t.bindAll(cb, args)
			t.blockBody(cb)
		}
	})
	loops := cb.fn == nil || !returns(cb.fn)
	t.emit(&ast.Step{Op: "map", Pos: l.pos, Body: &ast.Map{Items: l.items, As: as, Steps: steps, Loop: loops}})
	t.put(undefinedNode(), l.to, l.at, false)
}

// returns reports a return of a function's own.
func returns(fn *syntax.Function) bool {
	found := false
	for _, s := range fn.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.Function:
				return false
			case *syntax.ReturnStatement:
				found = true
			}
			return !found
		})
	}
	return found
}

// filterCall lowers filter and find: to the step of that name if the callback
// is one condition on the item, else to a loop.
func (t *transpiler) filterCall(l *loop, name string) {
	cb := l.cb
	if cb.fn != nil && cb.expr == nil && t.opt.Original {
		t.fail(cb.at, CodeCallback, name+" callback must be an expression, not a block", "const ys = xs."+name+"(x => x > 1)")
	}
	_, plain := cb.paramName(0)
	if cb.fn != nil && cb.expr != nil && (plain || cb.param(0) == nil) && !cb.takes(1) && !t.needsLift(cb.expr) {
		as := t.asName(cb, 0, "item")
		var cond ast.Value
		t.callback++
		t.inner(func() {
			t.bindAll(cb, []ast.Value{&ast.Ident{Name: as}})
			cond = t.node(cb.expr)
		})
		t.callback--
		t.finish(&ast.Step{Op: name, Body: &ast.Filter{Items: l.items, As: as, Condition: cond}}, l.to, l.at)
		return
	}
	t.searchLoop(l, name)
}

// searchLoop lowers filter, find, findIndex, some and every to a loop whose
// passes test the item, until it is clear what comes out.
func (t *transpiler) searchLoop(l *loop, name string) {
	t.prepare(l, 1, name == "findIndex")
	out := t.temp()
	open := "" // variable that is true until the answer is known
	var first ast.Value = &ast.Lit{}
	switch name {
	case "filter":
		first = &ast.Lit{Data: []any{}}
	case "findIndex":
		first = &ast.Lit{Data: -1.0}
	case "some":
		first = &ast.Lit{Data: false}
	case "every":
		first = &ast.Lit{Data: true}
	}
	t.emit(set(out, first, l.pos))
	if name != "filter" {
		open = t.temp()
		t.emit(set(open, &ast.Lit{Data: true}, l.pos))
	}
	as, plain := l.cb.paramName(0)
	if !plain || l.cb.expr == nil {
		as = t.temp()
	}
	item := &ast.Ident{Name: as}
	test := func() {
		cond := t.invoke(l.cb, l.args(item))
		if name == "every" {
			cond = &ast.Unary{Op: "!", Argument: cond}
		}
		then := t.block(func() {
			switch name {
			case "filter":
				t.emit(&ast.Step{Op: "evaluate", Pos: l.pos, Body: &ast.Evaluate{Value: &ast.MethodCall{
					Object: &ast.Ident{Name: out}, Method: "push", Arguments: []ast.Value{item}}}})
				return
			case "find":
				t.emit(assign(out, item, l.pos))
			case "findIndex":
				t.emit(assign(out, &ast.Ident{Name: l.index}, l.pos))
			case "some":
				t.emit(assign(out, &ast.Lit{Data: true}, l.pos))
			case "every":
				t.emit(assign(out, &ast.Lit{Data: false}, l.pos))
			}
			t.emit(assign(open, &ast.Lit{Data: false}, l.pos))
		})
		t.emit(&ast.Step{Op: "if", Pos: l.pos, Body: &ast.If{Condition: cond, Then: then}})
	}
	steps := t.callbackScope(func() {
		t.count(l)
		if open == "" {
			test()
			return
		}
		pass := t.scoped(test)
		t.emit(&ast.Step{Op: "if", Pos: l.pos, Body: &ast.If{Condition: &ast.Ident{Name: open}, Then: pass}})
	})
	t.emit(&ast.Step{Op: "map", Pos: l.pos, Body: &ast.Map{Items: l.items, As: as, Steps: steps, Loop: true}})
	t.put(&ast.Ident{Name: out}, l.to, l.at, false)
}

// sortLoop sorts by a comparator: each item is inserted behind those that
// aren't greater, found by halving, so that equal items keep their order. sort
// writes the items back into their array.
func (t *transpiler) sortLoop(l *loop, inPlace bool) {
	id := func(name string) ast.Value { return &ast.Ident{Name: name} }
	num := func(n float64) ast.Value { return &ast.Literal{Data: n} }
	call := func(obj ast.Value, method string, args ...ast.Value) ast.Value {
		return &ast.MethodCall{Object: obj, Method: method, Arguments: args}
	}
	evaluate := func(v ast.Value) { t.emit(&ast.Step{Op: "evaluate", Body: &ast.Evaluate{Value: v}, Pos: l.pos}) }
	l.items = t.once(l.items, l.at)
	out, item := t.temp(), t.temp()
	lo, hi, mid := t.temp(), t.temp(), t.temp()
	t.emit(set(out, &ast.Lit{Data: []any{}}, l.pos))
	steps := t.callbackScope(func() {
		t.emit(set(lo, &ast.Lit{Data: 0.0}, l.pos))
		t.emit(set(hi, &ast.Member{Object: id(out), Property: "length"}, l.pos))
		body := t.scoped(func() {
			half := &ast.Binary{Op: "/", Left: &ast.Binary{Op: "+", Left: id(lo), Right: id(hi)}, Right: num(2)}
			t.emit(set(mid, call(id("Math"), "floor", half), l.pos))
			order := t.invoke(l.cb, []ast.Value{id(item), &ast.Member{Object: id(out), Property: "", Key: id(mid), Computed: true}})
			t.emit(&ast.Step{Op: "if", Pos: l.pos, Body: &ast.If{
				Condition: &ast.Binary{Op: "<", Left: order, Right: num(0)},
				Then:      []*ast.Step{assign(hi, id(mid), l.pos)},
				Else:      []*ast.Step{assign(lo, &ast.Binary{Op: "+", Left: id(mid), Right: num(1)}, l.pos)},
			}})
		})
		t.emit(&ast.Step{Op: "while", Pos: l.pos, Body: &ast.While{Condition: &ast.Binary{Op: "<", Left: id(lo), Right: id(hi)}, Body: body}})
		evaluate(call(id(out), "splice", id(lo), num(0), id(item)))
	})
	t.emit(&ast.Step{Op: "map", Pos: l.pos, Body: &ast.Map{Items: l.items, As: item, Steps: steps, Loop: true}})
	if !inPlace {
		t.put(id(out), l.to, l.at, false)
		return
	}
	i, v := t.temp(), t.temp()
	t.emit(set(i, &ast.Lit{Data: -1.0}, l.pos))
	back := t.callbackScope(func() {
		next := &ast.Binary{Op: "+", Left: id(i), Right: num(1)}
		t.emit(assign(i, next, l.pos))
		evaluate(call(l.items, "fill", id(v), id(i), next))
	})
	t.emit(&ast.Step{Op: "map", Pos: l.pos, Body: &ast.Map{Items: id(out), As: v, Steps: back, Loop: true}})
	t.put(l.items, l.to, l.at, false)
}
