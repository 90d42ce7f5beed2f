package transpile

import (
	"math"
	"strconv"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/regex"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func itoa(i int) string { return strconv.Itoa(i) }

// returnTemp holds a result on its way out; the original's programs have it.
const returnTemp = "__returnVal__"

// callbackTemp is the variable an expression-bodied callback leaves its value
// in.
const callbackTemp = "result"

// BoxKey is the member that holds the result of a boxed program.
const BoxKey = "__result"

// targetKind says where the value of an expression goes.
type targetKind uint8

const (
	toNothing targetKind = iota
	toLet
	toConst
	toAssign
	toReturn
)

type target struct {
	kind targetKind
	name string
}

// set is a step that declares a variable.
func set(name string, v ast.Value, pos ast.Pos) *ast.Step {
	return &ast.Step{Op: "varSet", Body: &ast.Assign{Key: name, Value: v}, Pos: pos}
}

// assign is a step that writes one.
func assign(name string, v ast.Value, pos ast.Pos) *ast.Step {
	return &ast.Step{Op: "varAssign", Body: &ast.Assign{Key: name, Value: v}, Pos: pos}
}

// unwrap takes off what means nothing here: await, and the frame of an optional
// chain, whose every link is null-safe anyway.
func unwrap(e syntax.Expr) syntax.Expr {
	for {
		switch x := e.(type) {
		case *syntax.AwaitExpression:
			e = x.Argument
		case *syntax.ChainExpression:
			e = x.Expression
		default:
			return e
		}
	}
}

// await refuses await where the original does.
func (t *transpiler) await(e syntax.Expr) {
	if !t.opt.Original {
		return
	}
	for {
		switch x := e.(type) {
		case *syntax.AwaitExpression:
			t.fail(x, CodeExpression, "Unsupported expression in AsyncJS: AwaitExpression", t.text(x.Argument))
		case *syntax.ChainExpression:
			e = x.Expression
		default:
			return
		}
	}
}

// store lowers a whole right side, a whole result or a whole call statement.
func (t *transpiler) store(e syntax.Expr, to target, at syntax.Node) {
	t.await(e)
	whole := e
	e = unwrap(e)
	pos := t.pos(at)
	if call, ok := e.(*syntax.CallExpression); ok {
		if t.isStep(call) {
			t.stepCall(call, to, at)
			return
		}
		if to.kind == toNothing {
			t.checkMethod(call, true)
			t.emit(&ast.Step{Op: "evaluate", Body: &ast.Evaluate{Value: t.node(e)}, Pos: pos})
			return
		}
		t.checkMethod(call, true)
	}
	switch e.(type) {
	case *syntax.CallExpression, *syntax.BinaryExpression, *syntax.LogicalExpression, *syntax.UnaryExpression:
		t.put(t.node(whole), to, at, true)
	default:
		t.put(t.value(whole), to, at, false)
	}
}

// put emits the step that puts a value where it goes. A result that was
// computed goes through a variable.
func (t *transpiler) put(v ast.Value, to target, at syntax.Node, computed bool) {
	pos := t.pos(at)
	switch to.kind {
	case toLet:
		t.emit(set(to.name, v, pos))
	case toConst:
		t.emit(&ast.Step{Op: "constSet", Body: &ast.Assign{Key: to.name, Value: v}, Pos: pos})
	case toAssign:
		t.emit(assign(to.name, v, pos))
	case toReturn:
		if computed {
			t.emit(set(returnTemp, v, pos))
			v = &ast.Ident{Name: returnTemp}
		}
		t.emitReturn(v, at)
	}
}

// finish gives a step the variable its value goes to, and emits it.
func (t *transpiler) finish(s *ast.Step, to target, at syntax.Node) {
	s.Pos = t.pos(at)
	switch to.kind {
	case toLet:
		s.Result = to.name
	case toConst:
		s.Result, s.ResultConst = to.name, true
	case toAssign:
		s.Result, s.ResultAssign = to.name, true
	case toReturn:
		s.Result = returnTemp
		t.emit(s)
		t.emitReturn(&ast.Ident{Name: returnTemp}, at)
		return
	}
	t.emit(s)
}

// value lowers an expression in a value position.
func (t *transpiler) value(e syntax.Expr) ast.Value {
	t.await(e)
	e = unwrap(e)
	switch e := e.(type) {
	case *syntax.StringLiteral:
		return &ast.Lit{Data: e.Value}
	case *syntax.NumericLiteral:
		return &ast.Lit{Data: t.number(e)}
	case *syntax.BooleanLiteral:
		return &ast.Lit{Data: e.Value}
	case *syntax.NullLiteral:
		return &ast.Lit{}
	case *syntax.ArrayExpression:
		if hasSpread(e.Elements) {
			return t.node(e)
		}
		ops := make([]operand, len(e.Elements))
		for i, el := range e.Elements {
			ops[i] = operand{e: el, value: true}
		}
		vals := t.operands(ops)
		for i, v := range vals {
			if v == nil {
				vals[i] = &ast.Lit{}
			}
		}
		return listOf(vals)
	case *syntax.ObjectExpression:
		if v := t.plainObject(e); v != nil {
			return v
		}
	}
	return t.node(e)
}

// listOf is an array in a value position.
func listOf(vals []ast.Value) ast.Value {
	data := make([]any, len(vals))
	for i, v := range vals {
		l, ok := v.(*ast.Lit)
		if !ok {
			return &ast.List{Items: vals}
		}
		data[i] = l.Data
	}
	return &ast.Lit{Data: data}
}

// recordOf is an object in a value position.
func recordOf(fields []ast.Field) ast.Value {
	data := make(ast.Object, len(fields))
	for i, f := range fields {
		l, ok := f.Value.(*ast.Lit)
		if !ok {
			return &ast.Record{Fields: fields}
		}
		data[i] = ast.Entry{Key: f.Name, Value: l.Data}
	}
	return &ast.Lit{Data: data}
}

// plainObject lowers an object literal to plain JSON, or returns nil if it has
// to be a node: with a spread, a computed key, or keys that look like a node's.
func (t *transpiler) plainObject(e *syntax.ObjectExpression) ast.Value {
	for _, p := range e.Properties {
		name, ok := propertyKey(p)
		if p.Kind == syntax.PropSpread || !ok || name == "$expr" || name == "$kind" {
			return nil
		}
	}
	return recordOf(t.members(e.Properties, true))
}

// members lowers plain members.
func (t *transpiler) members(props []*syntax.Property, value bool) []ast.Field {
	ops := make([]operand, len(props))
	fields := make([]ast.Field, len(props))
	seen := map[string]bool{}
	for i, p := range props {
		name, _ := propertyKey(p)
		t.checkProperty(p)
		t.checkKey(p, name, seen)
		fields[i].Name = name
		ops[i] = operand{e: p.Value, value: value}
	}
	for i, v := range t.operands(ops) {
		fields[i].Value = v
	}
	return fields
}

// propertyKey is the key of a member, unless it is computed.
func propertyKey(p *syntax.Property) (string, bool) {
	if p.Computed || p.Kind == syntax.PropSpread {
		return "", false
	}
	switch k := p.Key.(type) {
	case *syntax.Identifier:
		return k.Name, true
	case *syntax.StringLiteral:
		return k.Value, true
	case *syntax.NumericLiteral:
		return string(ast.AppendNumber(nil, k.Value)), !math.IsInf(k.Value, 0)
	}
	return "", false
}

// checkProperty refuses methods and accessors.
func (t *transpiler) checkProperty(p *syntax.Property) {
	switch p.Kind {
	case syntax.PropMethod, syntax.PropGet, syntax.PropSet:
		t.fail(p.Value, CodeExpression, "Unsupported expression in AsyncJS: FunctionExpression", "function area(o) {\n  return o.width * o.height\n}")
	}
}

func (t *transpiler) checkKey(p *syntax.Property, name string, seen map[string]bool) {
	if name == "__proto__" {
		t.fail(p, CodeObjectKey, "'__proto__' is not allowed as an object key in AsyncJS", "const o = { proto: 1 }")
	}
	if seen[name] {
		t.fail(p, CodeObjectKey, "the key '"+name+"' stands twice in one object: the first value would be lost", "const o = { first: 1, second: 2 }")
	}
	seen[name] = true
}

func hasSpread(es []syntax.Expr) bool {
	for _, e := range es {
		if _, ok := e.(*syntax.SpreadElement); ok {
			return true
		}
	}
	return false
}

// number is the value of a number literal.
func (t *transpiler) number(e *syntax.NumericLiteral) float64 {
	if math.IsInf(e.Value, 0) {
		t.fail(e, CodeLiteral, "this number is too large: it would be Infinity", "const big = 1e308")
	}
	return e.Value
}

// node lowers an expression to an expression node.
func (t *transpiler) node(e syntax.Expr) ast.Value {
	t.await(e)
	e = unwrap(e)
	switch e := e.(type) {
	case *syntax.StringLiteral:
		return &ast.Literal{Data: e.Value}
	case *syntax.NumericLiteral:
		return &ast.Literal{Data: t.number(e)}
	case *syntax.BooleanLiteral:
		return &ast.Literal{Data: e.Value}
	case *syntax.NullLiteral:
		return &ast.Literal{}
	case *syntax.Identifier:
		return t.ident(e)
	case *syntax.RegExpLiteral:
		return t.regex(e)
	case *syntax.TemplateLiteral:
		return t.template(e)
	case *syntax.MemberExpression:
		return t.member(e)
	case *syntax.BinaryExpression:
		return t.binary(e)
	case *syntax.UnaryExpression:
		switch e.Operator {
		case syntax.OpNot, syntax.OpNeg, syntax.OpPos, syntax.OpTypeof:
			return &ast.Unary{Op: e.Operator.String(), Argument: t.typeofOperand(e)}
		}
		t.fail(e, CodeOperator, "The operator '"+e.Operator.String()+"' is not available in AsyncJS", t.operatorFix(e.Operator.String()))
	case *syntax.LogicalExpression:
		return t.logical(e)
	case *syntax.ConditionalExpression:
		return t.conditional(e)
	case *syntax.ArrayExpression:
		return t.array(e)
	case *syntax.ObjectExpression:
		return t.object(e)
	case *syntax.CallExpression:
		return t.call(e)
	}
	t.unsupported(e)
	return nil
}

// typeofOperand: typeof of a name that isn't declared is "undefined".
func (t *transpiler) typeofOperand(e *syntax.UnaryExpression) ast.Value {
	if id, ok := e.Argument.(*syntax.Identifier); ok && e.Operator == syntax.OpTypeof && t.scope.lookup(id.Name) == 0 &&
		names().namespaces[id.Name] == nil && !names().functions[id.Name] {
		return &ast.Ident{Name: id.Name}
	}
	return t.node(e.Argument)
}

// unsupported refuses an expression by its name in ESTree.
func (t *transpiler) unsupported(e syntax.Expr) {
	kind, hint, fix := "", "", "const x = 1"
	code := CodeExpression
	switch e := e.(type) {
	case *syntax.ArrowFunctionExpression:
		kind, code, fix = "ArrowFunctionExpression", CodeCallback, "function double(x) {\n  return x * 2\n}\nfunction main({ xs: [1] }) {\n  const ys = xs.map(x => x * 2)\n  return { ys }\n}"
	case *syntax.FunctionExpression:
		kind, code, fix = "FunctionExpression", CodeCallback, "function double(x) {\n  return x * 2\n}"
	case *syntax.UpdateExpression:
		kind, hint = "UpdateExpression", " — use `++` as its own statement, or `x = x + 1`"
		name := "x"
		if id, ok := e.Argument.(*syntax.Identifier); ok {
			name = id.Name
		}
		fix = name + " = " + name + " " + e.Operator.String()[:1] + " 1"
	case *syntax.AssignmentExpression:
		kind, hint, fix = "AssignmentExpression", " — assign in its own statement, then use the variable", t.text(e)
	case *syntax.SequenceExpression:
		kind, fix = "SequenceExpression", "a = 1\nb = 2"
	case *syntax.ThisExpression:
		kind, fix = "ThisExpression", "function area(o) {\n  return o.width * o.height\n}"
	case *syntax.ClassExpression:
		kind, code, fix = "ClassExpression", CodeClass, "function makePoint(x, y) {\n  return { x, y }\n}"
	case *syntax.TaggedTemplateExpression:
		kind, fix = "TaggedTemplateExpression", "const text = `Hello ${name}`"
	case *syntax.ImportExpression:
		kind, code, fix = "ImportExpression", CodeModule, "const data = httpFetch({ url })"
	case *syntax.MetaProperty:
		kind, fix = "MetaProperty", "function main({ url: '' }) {\n  return { url }\n}"
	case *syntax.YieldExpression:
		kind, fix = "YieldExpression", "out.push(x)"
	case *syntax.SpreadElement:
		kind, fix = "SpreadElement", "const all = [...xs, 1]"
	case *syntax.BigIntLiteral:
		t.fail(e, CodeLiteral, "BigInt literals are not available in AsyncJS: numbers are doubles, exact up to 2 ** 53", "const n = "+e.Digits)
	case *syntax.NewExpression:
		t.newExpression(e)
	case *syntax.Super:
		kind, fix = "Super", "const r = helper(x)"
	case *syntax.PrivateIdentifier:
		kind, fix = "PrivateIdentifier", "const x = o.x"
	default:
		kind = "Expression"
	}
	t.fail(e, code, "Unsupported expression in AsyncJS: "+kind+hint, fix)
}

func (t *transpiler) newExpression(e *syntax.NewExpression) {
	name := ""
	if id, ok := e.Callee.(*syntax.Identifier); ok {
		name = id.Name
	}
	a, ok := newAdvice[name]
	if !ok {
		a = global{" Use factory functions or object literals instead.", "function makePoint(x, y) {\n  return { x, y }\n}"}
	}
	fix := a.fix
	if (name == "Date" || name == "Set") && len(e.Arguments) < 2 {
		args := ""
		if len(e.Arguments) == 1 {
			args = t.text(e.Arguments[0])
		}
		fix = "const v = " + name + "(" + args + ")"
	}
	t.fail(e, CodeNew, "The 'new' keyword is not supported in AsyncJS."+a.message, fix)
}

func (t *transpiler) operatorFix(op string) string {
	switch op {
	case "in":
		return "const has = Object.hasOwn(o, key)"
	case "instanceof":
		return "const isList = Array.isArray(x)"
	case "void":
		return "const nothing = undefined"
	case "delete":
		return "o = Object.fromEntries(Object.entries(o).filter(e => e[0] != 'secret'))"
	case "~":
		return "const n = -x - 1"
	case "|":
		return "const either = a || b"
	case "&":
		return "const both = a && b"
	case "<<":
		return "const n = x * 2 ** bits"
	case ">>", ">>>":
		return "const n = Math.floor(x / 2 ** bits)"
	case "^":
		return "const n = x ** 2"
	}
	return "const n = a + b"
}

// regex checks a literal with the engine that will run it.
func (t *transpiler) regex(e *syntax.RegExpLiteral) ast.Value {
	key := e.Flags + "/" + e.Pattern
	if !t.regexes[key] {
		if t.regexes == nil {
			t.regexes = map[string]bool{}
		}
		const fix = "const parts = text.match(/[a-z]+/g)"
		p, err := regex.CompileString(e.Pattern, e.Flags)
		if err != nil {
			t.fail(e, CodeRegex, err.Error(), fix)
		}
		t.regexes[key] = true
		if t.work += p.Work(); t.work > max(250_000, 200*len(t.src)) {
			t.fail(e, CodeRegex, "The regexes in this source are too large to compile", fix)
		}
	}
	return &ast.Regex{Pattern: e.Pattern, Flags: e.Flags}
}

// template is a chain of + that begins with the first text.
func (t *transpiler) template(e *syntax.TemplateLiteral) ast.Value {
	ops := make([]operand, len(e.Expressions))
	for i, x := range e.Expressions {
		ops[i] = operand{e: x}
	}
	var out ast.Value = &ast.Literal{Data: e.Quasis[0].Cooked}
	for i, v := range t.operands(ops) {
		out = &ast.Binary{Op: "+", Left: out, Right: v}
		if s := e.Quasis[i+1].Cooked; s != "" {
			out = &ast.Binary{Op: "+", Left: out, Right: &ast.Literal{Data: s}}
		}
	}
	return out
}

func (t *transpiler) member(e *syntax.MemberExpression) ast.Value {
	m := &ast.Member{Optional: e.Optional, Computed: e.Computed}
	if ns, ok := t.isNamespace(e.Object); ok {
		m.Object = &ast.Ident{Name: ns}
		name, static := staticKey(e)
		if !t.opt.Original && static && !names().constants[ns][name] {
			if names().namespaces[ns][name] {
				t.fail(e, CodeNotAValue, "'"+name+"' is a method: call it — a method is not a value in AsyncJS", "const r = "+ns+"."+name+"(x)")
			}
			t.unknownStatic(e, ns, name)
		}
		if !static {
			m.Key = t.node(e.Property)
		} else {
			m.Property = name
		}
		return m
	}
	if name, ok := staticKey(e); ok {
		if !t.opt.Original && forbidden(name) {
			t.fail(e, CodeName, "Security Error: Access to '"+name+"' is forbidden", "const v = o.value")
		}
		m.Object = t.node(e.Object)
		m.Property = name
		return m
	}
	if _, ok := e.Property.(*syntax.PrivateIdentifier); ok {
		t.unsupported(e.Property)
	}
	vals := t.operands([]operand{{e: e.Object}, {e: e.Property}})
	m.Object, m.Key = vals[0], vals[1]
	return m
}

// unknownStatic refuses a member that a namespace has not.
func (t *transpiler) unknownStatic(at syntax.Node, ns, name string) {
	n := names()
	all := sorted(n.namespaces[ns])
	first := all[0]
	all = append(all, sorted(n.constants[ns])...)
	msg := ns + "." + name + " is not supported in AsyncJS. Check docs for available " + ns + " methods."
	fix := ns + "." + first + "(x)"
	if near := nearest(name, all); near != "" {
		msg = ns + "." + name + " is not supported in AsyncJS, did you mean " + ns + "." + near + "?"
		fix = ns + "." + near
		if n.namespaces[ns][near] {
			fix += "(x)"
		}
	}
	t.fail(at, CodeMethod, msg, "const r = "+fix)
}

// staticKey is the key of a member access, if it is written down.
func staticKey(e *syntax.MemberExpression) (string, bool) {
	switch p := e.Property.(type) {
	case *syntax.Identifier:
		return p.Name, !e.Computed
	case *syntax.StringLiteral:
		return p.Value, true
	case *syntax.NumericLiteral:
		if math.IsInf(p.Value, 0) {
			return "Infinity", true
		}
		if p.Value == 0 {
			return "0", true
		}
		return string(ast.AppendNumber(nil, p.Value)), true
	case *syntax.BooleanLiteral:
		return strconv.FormatBool(p.Value), true
	case *syntax.NullLiteral:
		return "null", true
	}
	return "", false
}

func (t *transpiler) binary(e *syntax.BinaryExpression) ast.Value {
	op := e.Operator.String()
	if !names().operators[op] {
		t.failAt(e.OpPos, CodeOperator, "The operator '"+op+"' is not available in AsyncJS", t.operatorFix(op))
	}
	vals := t.operands([]operand{{e: e.Left}, {e: e.Right}})
	return &ast.Binary{Op: op, Left: vals[0], Right: vals[1]}
}

// array lowers an array literal to a node: its holes are dropped, spreads are
// concatenated.
func (t *transpiler) array(e *syntax.ArrayExpression) ast.Value {
	var ops []operand
	var spread []bool
	for _, el := range e.Elements {
		if el == nil {
			if !t.opt.Original {
				t.fail(e, CodeLiteral, "a hole in an array: write null for an item without a value", "const xs = [1, null, 3]")
			}
			continue
		}
		s, ok := el.(*syntax.SpreadElement)
		if ok {
			el = s.Argument
		}
		ops = append(ops, operand{e: el})
		spread = append(spread, ok)
	}
	vals := t.operands(ops)
	if !hasSpread(e.Elements) {
		if vals == nil {
			vals = []ast.Value{}
		}
		return &ast.ArrayExpr{Elements: vals}
	}
	var args []ast.Value
	var run *ast.ArrayExpr
	for i, v := range vals {
		if spread[i] {
			args, run = append(args, v), nil
			continue
		}
		if run == nil {
			run = &ast.ArrayExpr{}
			args = append(args, run)
		}
		run.Elements = append(run.Elements, v)
	}
	return &ast.MethodCall{Object: &ast.ArrayExpr{Elements: []ast.Value{}}, Method: "concat", Arguments: args}
}

// object lowers an object literal to a node: with a spread or a computed key
// it is a call of Object.assign, in the order of the source.
func (t *transpiler) object(e *syntax.ObjectExpression) ast.Value {
	plain := true
	for _, p := range e.Properties {
		t.checkProperty(p)
		if _, ok := propertyKey(p); !ok {
			plain = false
		}
	}
	if plain {
		return &ast.ObjectExpr{Properties: t.members(e.Properties, false)}
	}
	var ops []operand
	for _, p := range e.Properties {
		if p.Kind != syntax.PropSpread && p.Computed {
			ops = append(ops, operand{e: p.Key})
		}
		ops = append(ops, operand{e: p.Value})
	}
	vals := t.operands(ops)
	args := []ast.Value{&ast.ObjectExpr{Properties: []ast.Field{}}}
	var run *ast.ObjectExpr
	seen := map[string]bool{}
	i := 0
	for _, p := range e.Properties {
		name, ok := propertyKey(p)
		switch {
		case p.Kind == syntax.PropSpread:
			args, run = append(args, vals[i]), nil
			clear(seen)
		case ok:
			t.checkKey(p, name, seen)
			if run == nil {
				run = &ast.ObjectExpr{}
				args = append(args, run)
			}
			run.Properties = append(run.Properties, ast.Field{Name: name, Value: vals[i]})
		case p.Computed:
			pair := &ast.ArrayExpr{Elements: []ast.Value{vals[i], vals[i+1]}}
			args = append(args, &ast.MethodCall{Object: &ast.Ident{Name: "Object"}, Method: "fromEntries",
				Arguments: []ast.Value{&ast.ArrayExpr{Elements: []ast.Value{pair}}}})
			run = nil
			clear(seen)
			i++
		default:
			t.fail(p, CodeObjectKey, "this key is not available in AsyncJS", "const o = { name: 1 }")
		}
		i++
	}
	return &ast.MethodCall{Object: &ast.Ident{Name: "Object"}, Method: "assign", Arguments: args}
}
