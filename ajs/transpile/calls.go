package transpile

import (
	"strings"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/atom"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// atomOf finds the description of an atom: the host's before the core's.
func (t *transpiler) atomOf(name string) *atom.Atom {
	if a := t.opt.Atoms.Lookup(name); a != nil {
		return a
	}
	return atom.Core().Lookup(name)
}

// isStep reports a call that becomes a step of its own.
func (t *transpiler) isStep(e *syntax.CallExpression) bool {
	switch c := unwrap(e.Callee).(type) {
	case *syntax.Identifier:
		return t.helpers[c.Name] != nil || !names().functions[c.Name]
	case *syntax.MemberExpression:
		if c.Computed {
			return false
		}
		if ns, ok := t.isNamespace(c.Object); ok {
			name, _ := staticKey(c)
			if t.opt.Original {
				return false
			}
			return ns == "console" || ns == "Array" && name == "from" && len(e.Arguments) == 2 && t.isCallback(e.Arguments[1])
		}
		_, ok := t.callbackMethod(e)
		return ok
	}
	return false
}

// stepCall lowers such a call.
func (t *transpiler) stepCall(e *syntax.CallExpression, to target, at syntax.Node) {
	if m, ok := unwrap(e.Callee).(*syntax.MemberExpression); ok {
		if ns, ok := t.isNamespace(m.Object); ok && ns == "console" {
			t.console(e, m, to, at)
			return
		}
		if m.Optional || e.Optional {
			t.optionalCallback(e, m, to, at)
			return
		}
		t.callbackCall(e, m, to, at)
		return
	}
	id := unwrap(e.Callee).(*syntax.Identifier)
	if h := t.helpers[id.Name]; h != nil {
		t.helperCall(e, h, to, at)
		return
	}
	t.atomCall(e, id, to, at)
}

func (t *transpiler) helperCall(e *syntax.CallExpression, h *helper, to target, at syntax.Node) {
	for _, a := range e.Arguments {
		if s, ok := a.(*syntax.SpreadElement); ok {
			t.fail(s, CodeHelperCall, "A spread is not supported in a call of a helper: name each argument", "const r = "+h.name+"("+strings.Join(h.params, ", ")+")")
		}
	}
	if len(e.Arguments) != len(h.params) {
		t.fail(e, CodeHelperCall, "Helper '"+h.name+"' expects "+itoa(len(h.params))+" argument(s), got "+itoa(len(e.Arguments)), "const r = "+h.name+"("+strings.Join(h.params, ", ")+")")
	}
	h.used = true
	ops := make([]operand, len(e.Arguments))
	for i, a := range e.Arguments {
		ops[i] = operand{a, true}
	}
	args := t.operands(ops)
	if args == nil {
		args = []ast.Value{}
	}
	t.finish(&ast.Step{Op: "callLocal", Body: &ast.CallLocal{Name: h.name, Args: args}}, to, at)
}

// example is a call of an atom as it is written.
func example(a *atom.Atom) string {
	var in []string
	for _, i := range a.Inputs {
		if i.Required {
			in = append(in, i.Name+": "+exampleValue(i))
		}
	}
	if len(in) == 0 {
		return a.Name + "({})"
	}
	return a.Name + "({ " + strings.Join(in, ", ") + " })"
}

func exampleValue(i atom.Input) string {
	switch i.Type {
	case "number":
		return "1"
	case "boolean":
		return "true"
	case "array":
		return "[]"
	case "object":
		return "{}"
	}
	return "'…'"
}

// takes lists the inputs of an atom.
func takes(a *atom.Atom) string {
	if len(a.Inputs) == 0 {
		return a.Name + "()"
	}
	in := make([]string, len(a.Inputs))
	for i, x := range a.Inputs {
		in[i] = x.Name
	}
	return a.Name + "({ " + strings.Join(in, ", ") + " })"
}

func (t *transpiler) atomCall(e *syntax.CallExpression, id *syntax.Identifier, to target, at syntax.Node) {
	name := id.Name
	a := t.atomOf(name)
	own := t.opt.Atoms.Lookup(name) != nil
	if g, ok := unsupportedGlobals()[name]; ok && !own {
		t.fail(e, CodeGlobal, g.message, g.fix)
	}
	if !t.opt.Original {
		t.checkCallee(e, id, a)
	}
	if name == "Error" {
		t.errorCall(e, to, at)
		return
	}
	if a != nil && (a.Flow || a.OwnInputs && a.Input("steps") != nil) {
		t.fail(e, CodeAtom, "'"+name+"' is an operation of the language and can't be called in source", flowFix(name))
	}
	var props []*syntax.Property
	switch {
	case len(e.Arguments) == 0:
	case len(e.Arguments) == 1:
		o, ok := e.Arguments[0].(*syntax.ObjectExpression)
		if !ok {
			t.positional(e, name, a)
		}
		props = o.Properties
	default:
		t.positional(e, name, a)
	}
	seen := map[string]bool{}
	fields := make([]ast.Field, 0, len(props))
	var ops []operand
	for _, p := range props {
		key, ok := propertyKey(p)
		if p.Kind == syntax.PropSpread {
			t.fail(p, CodeAtomCall, "A spread is not supported in an atom call: name each input, e.g. foo({ a: opts.a, b: opts.b })", name+"({ a: opts.a, b: opts.b })")
		}
		if !ok {
			t.fail(p, CodeAtomCall, "A computed key is not supported in an atom call: name each input", name+"({ a: opts.a, b: opts.b })")
		}
		t.checkProperty(p)
		t.checkKey(p, key, seen)
		switch key {
		case "op", "result", "resultConst", "resultAssign", "$expr", "$kind":
			t.fail(p, CodeAtomInput, "an input can't be named '"+key+"': that is a field of every step", name+"({ value: "+t.text(p.Value)+" })")
		}
		t.checkInput(e, a, own, p, key)
		fields = append(fields, ast.Field{Name: key})
		ops = append(ops, operand{p.Value, true})
	}
	if a != nil {
		for _, in := range a.Inputs {
			if in.Required && !seen[in.Name] {
				t.fail(e, CodeAtomInput, "'"+name+"' needs '"+in.Name+"'. It takes "+takes(a)+"."+builtinNote(name, own), example(a))
			}
		}
	}
	for i, v := range t.operands(ops) {
		fields[i].Value = v
	}
	t.finish(&ast.Step{Op: name, Body: &ast.Atom{Inputs: fields}}, to, at)
}

// checkCallee refuses calls of names that are no atoms.
func (t *transpiler) checkCallee(e *syntax.CallExpression, id *syntax.Identifier, a *atom.Atom) {
	name := id.Name
	switch {
	case name == t.entry:
		t.fail(e, CodeCall, "The entry '"+name+"' can't be called: move what is needed twice into a helper", "function step(n) {\n  return n + 1\n}\nfunction "+name+"({ n: 1 }) {\n  const r = step(n)\n  return { r }\n}")
	case t.scope.lookup(name) != 0:
		t.fail(e, CodeCall, "'"+name+"' is a variable: functions are not values in AsyncJS", "function "+name+"Helper(x) {\n  return x\n}")
	case names().namespaces[name] != nil:
		fix, msg := "const text = `${value}`", "'"+name+"' is not a function in AsyncJS"
		switch name {
		case "Number":
			fix = "const n = parseFloat(text)"
		case "Array":
			fix = "const xs = [1, 2, 3]"
		case "Object":
			fix = "const o = { key: 'value' }"
		case "Math", "JSON", "console", "Schema":
			fix = "const m = Math.max(a, b)"
		}
		t.fail(e, CodeCall, msg, fix)
	case name == "Boolean":
		t.fail(e, CodeCall, "'Boolean' is not a function in AsyncJS", "const yes = !!value")
	case name == "BigInt":
		t.fail(e, CodeCall, "'BigInt' is not a function in AsyncJS", "const n = parseInt(text, 10)")
	case name == "structuredClone":
		t.fail(e, CodeCall, "'structuredClone' is not a function in AsyncJS", "const copy = JSON.parse(JSON.stringify(o))")
	case a == nil && t.opt.Atoms != nil:
		t.unknownAtom(e, name)
	}
}

// unknownAtom refuses a name that nobody has, and says who is there.
func (t *transpiler) unknownAtom(e *syntax.CallExpression, name string) {
	var all []string
	core := atom.Core()
	for _, n := range core.Names() {
		if a := core.Lookup(n); !a.Flow {
			all = append(all, n)
		}
	}
	var hosts []string
	for _, n := range t.opt.Atoms.Names() {
		if core.Lookup(n) == nil {
			hosts = append(hosts, n)
		}
	}
	all = append(all, hosts...)
	for _, h := range t.order {
		all = append(all, h.name)
	}
	msg := "Unknown Atom: " + name
	fix := "const data = httpFetch({ url: 'https://example.com/' })"
	switch near := nearest(name, all); {
	case near != "":
		msg += ", did you mean '" + near + "'?"
		if a := t.atomOf(near); a != nil {
			fix = "const r = " + example(a)
		} else if h := t.helpers[near]; h != nil {
			fix = "const r = " + near + "(" + strings.Join(h.params, ", ") + ")"
		}
	case len(hosts) > 0:
		list := hosts
		if len(list) > 12 {
			list = list[:12]
		}
		msg += ". The host has: " + strings.Join(list, ", ")
		fix = "const r = " + example(t.opt.Atoms.Lookup(hosts[0]))
	}
	t.fail(e, CodeAtom, msg, fix)
}

func flowFix(name string) string {
	switch name {
	case "map", "filter", "find":
		return "const ys = xs." + name + "(x => x > 1)"
	case "reduce":
		return "const sum = xs.reduce((acc, x) => acc + x, 0)"
	case "while":
		return "while (i < n) {\n  i = i + 1\n}"
	case "callLocal":
		return "const r = helper(x)"
	}
	return "let x = 1"
}

// positional refuses arguments that have no names, with the names filled in
// where they are known.
func (t *transpiler) positional(e *syntax.CallExpression, name string, a *atom.Atom) {
	fix := name + "({ name: value })"
	if a != nil {
		var in []string
		for i, x := range e.Arguments {
			if i < len(a.Inputs) {
				if s, ok := x.(*syntax.Identifier); ok && s.Name == a.Inputs[i].Name {
					in = append(in, s.Name)
				} else {
					in = append(in, a.Inputs[i].Name+": "+t.text(x))
				}
			}
		}
		if len(in) > 0 {
			fix = name + "({ " + strings.Join(in, ", ") + " })"
		}
	}
	t.fail(e, CodeAtomCall, "'"+name+"' takes named arguments: write "+name+"({ name: value, … }), not "+name+"(a, b). Positional arguments are for local functions.", fix)
}

func builtinNote(name string, own bool) string {
	if own {
		return ""
	}
	return " (If your host defines its own '" + name + "', transpile with { atoms: vm.atoms }.)"
}

// checkInput checks one input against what the atom declares.
func (t *transpiler) checkInput(e *syntax.CallExpression, a *atom.Atom, own bool, p *syntax.Property, key string) {
	if a == nil {
		return
	}
	in := a.Input(key)
	if in == nil {
		if !a.Open {
			t.fail(e, CodeAtomInput, "'"+a.Name+"' has no input '"+key+"'. It takes "+takes(a)+"."+builtinNote(a.Name, own), example(a))
		}
		return
	}
	if t.opt.Original || in.Type == "" {
		return
	}
	got := ""
	switch p.Value.(type) {
	case *syntax.StringLiteral, *syntax.TemplateLiteral:
		got = "string"
	case *syntax.NumericLiteral:
		got = "number"
	case *syntax.BooleanLiteral:
		got = "boolean"
	case *syntax.ArrayExpression:
		got = "array"
	case *syntax.ObjectExpression:
		got = "object"
	case *syntax.NullLiteral:
		got = "null"
	}
	want := in.Type
	if got == "" || got == want || got == "number" && want == "integer" {
		return
	}
	switch want {
	case "string", "number", "integer", "boolean", "array", "object":
		t.fail(p.Value, CodeAtomInput, "'"+a.Name+"' takes "+article(want)+" as '"+key+"', not "+article(got)+". It takes "+takes(a)+".", example(a))
	}
}

func article(typ string) string {
	switch typ {
	case "array", "object", "integer":
		return "an " + typ
	case "null":
		return typ
	}
	return "a " + typ
}

// errorCall lowers Error(message), the one call with positional arguments.
func (t *transpiler) errorCall(e *syntax.CallExpression, to target, at syntax.Node) {
	ops := make([]operand, len(e.Arguments))
	for i, a := range e.Arguments {
		if s, ok := a.(*syntax.SpreadElement); ok {
			t.fail(s, CodeAtomCall, "Error takes one message", "Error('no such city')")
		}
		ops[i] = operand{a, true}
	}
	args := t.operands(ops)
	if args == nil {
		args = []ast.Value{}
	}
	t.finish(&ast.Step{Op: "Error", Body: &ast.ErrorCall{Args: args}}, to, at)
}

// console maps console.log and its kin to the console atoms. Several arguments
// are joined by spaces.
func (t *transpiler) console(e *syntax.CallExpression, m *syntax.MemberExpression, to target, at syntax.Node) {
	name, _ := staticKey(m)
	op := "consoleLog"
	switch name {
	case "log", "info", "debug":
	case "warn":
		op = "consoleWarn"
	case "error":
		op = "consoleError"
	default:
		t.unknownStatic(m, "console", name)
	}
	ops := make([]operand, len(e.Arguments))
	for i, a := range e.Arguments {
		if s, ok := a.(*syntax.SpreadElement); ok {
			t.fail(s, CodeAtomCall, "A spread is not supported in a call of console."+name, "console."+name+"(xs.join(' '))")
		}
		ops[i] = operand{a, len(e.Arguments) == 1}
	}
	vals := t.operands(ops)
	var msg ast.Value
	switch len(vals) {
	case 0:
		msg = &ast.Lit{Data: ""}
	case 1:
		msg = vals[0]
	default:
		for i, a := range e.Arguments {
			switch unwrap(a).(type) {
			case *syntax.ObjectExpression, *syntax.ArrayExpression:
				vals[i] = &ast.MethodCall{Object: &ast.Ident{Name: "JSON"}, Method: "stringify", Arguments: []ast.Value{vals[i]}}
			}
		}
		msg = &ast.MethodCall{Object: &ast.ArrayExpr{Elements: vals}, Method: "join", Arguments: []ast.Value{&ast.Literal{Data: " "}}}
	}
	t.emit(&ast.Step{Op: op, Body: &ast.Atom{Inputs: []ast.Field{{Name: "message", Value: msg}}}, Pos: t.pos(at)})
	t.put(undefinedNode(), to, at, false)
}

// call lowers a call inside of an expression.
func (t *transpiler) call(e *syntax.CallExpression) ast.Value {
	if t.isStep(e) {
		if !t.opt.Original {
			return t.lifted(e)
		}
		return t.originalCall(e)
	}
	switch c := unwrap(e.Callee).(type) {
	case *syntax.Identifier:
		return &ast.Call{Callee: c.Name, Arguments: t.arguments(e)}
	case *syntax.MemberExpression:
		return t.methodCall(e, c)
	}
	t.badCallee(e)
	return nil
}

func (t *transpiler) badCallee(e *syntax.CallExpression) {
	switch unwrap(e.Callee).(type) {
	case *syntax.CallExpression:
		t.fail(e, CodeCall, "Only named function calls are supported", "const a = f({ x: 1 })\nconst b = g({ y: a })")
	case *syntax.ArrowFunctionExpression, *syntax.FunctionExpression:
		t.fail(e, CodeCall, "Only named function calls are supported", "function main({ n: 1 }) {\n  const r = n * 2\n  return { r }\n}")
	}
	t.fail(e, CodeCall, "Only named function calls are supported", "const r = helper(x)")
}

// originalCall is what the original makes of a step inside an expression.
func (t *transpiler) originalCall(e *syntax.CallExpression) ast.Value {
	id, ok := unwrap(e.Callee).(*syntax.Identifier)
	if !ok {
		// The callback of a chain.
		for _, a := range e.Arguments {
			switch a.(type) {
			case *syntax.ArrowFunctionExpression, *syntax.FunctionExpression:
				t.fail(a, CodeCallback, "Unsupported expression type in condition: "+estreeFunction(a), "const ys = xs.map(x => x * 2)\nconst zs = ys.filter(y => y > 1)")
			}
		}
		return t.methodCall(e, unwrap(e.Callee).(*syntax.MemberExpression))
	}
	if t.helpers[id.Name] != nil {
		t.fail(e, CodeHelperCall, "Helper '"+id.Name+"' cannot be called inside an expression. Assign its result to a variable first: const result = "+id.Name+"(...); then use result.", "const result = "+t.text(e))
	}
	if g, ok := unsupportedGlobals()[id.Name]; ok && t.opt.Atoms.Lookup(id.Name) == nil {
		t.fail(e, CodeGlobal, g.message, g.fix)
	}
	return &ast.Call{Callee: id.Name, Arguments: t.arguments(e)}
}

func estreeFunction(e syntax.Expr) string {
	if _, ok := e.(*syntax.FunctionExpression); ok {
		return "FunctionExpression"
	}
	return "ArrowFunctionExpression"
}

// arguments lowers the arguments of a builtin.
func (t *transpiler) arguments(e *syntax.CallExpression) []ast.Value {
	ops := make([]operand, len(e.Arguments))
	for i, a := range e.Arguments {
		t.checkArgument(e, a)
		ops[i] = operand{e: a}
	}
	vals := t.operands(ops)
	if vals == nil {
		vals = []ast.Value{}
	}
	return vals
}

func (t *transpiler) checkArgument(e *syntax.CallExpression, a syntax.Expr) {
	if s, ok := a.(*syntax.SpreadElement); ok {
		fix := "let best = xs[0]\nfor (const x of xs) {\n  best = Math.max(best, x)\n}"
		if m, ok := unwrap(e.Callee).(*syntax.MemberExpression); ok {
			if name, _ := staticKey(m); name == "push" || name == "concat" {
				fix = "xs = xs.concat(" + t.text(s.Argument) + ")"
			}
		}
		t.fail(s, CodeCall, "A spread is not supported in a call in AsyncJS", fix)
	}
}

func (t *transpiler) methodCall(e *syntax.CallExpression, m *syntax.MemberExpression) ast.Value {
	t.checkMethod(e, false)
	name, _ := staticKey(m)
	out := &ast.MethodCall{Method: name, Optional: m.Optional || e.Optional}
	if ns, ok := t.isNamespace(m.Object); ok {
		out.Object = &ast.Ident{Name: ns}
		out.Arguments = t.arguments(e)
		return out
	}
	if out.Optional && t.needsLiftAny(e.Arguments) {
		// What stands in the parentheses isn't evaluated for null.
		obj := t.spill(t.node(m.Object), m.Object)
		return t.unless(obj, e, func(to target) {
			c := &ast.MethodCall{Object: obj, Method: name, Optional: true, Arguments: t.arguments(e)}
			t.put(c, to, e, true)
		})
	}
	ops := []operand{{e: m.Object}}
	for _, a := range e.Arguments {
		t.checkArgument(e, a)
		ops = append(ops, operand{e: a})
	}
	vals := t.operands(ops)
	out.Object, out.Arguments = vals[0], vals[1:]
	return out
}

func (t *transpiler) needsLiftAny(es []syntax.Expr) bool {
	for _, e := range es {
		if t.needsLift(e) {
			return true
		}
	}
	return false
}

// checkMethod refuses calls of methods that can't work. whole: the call is a
// statement, or all of a right side.
func (t *transpiler) checkMethod(e *syntax.CallExpression, whole bool) {
	m, ok := unwrap(e.Callee).(*syntax.MemberExpression)
	if !ok {
		return
	}
	if m.Computed {
		t.fail(e, CodeMethod, "Computed method names are not supported", "const r = s.trim()")
	}
	name, ok := staticKey(m)
	if !ok {
		t.unsupported(m.Property)
	}
	n := names()
	if id, ok := m.Object.(*syntax.Identifier); ok && !t.opt.Original && t.scope.lookup(id.Name) == 0 {
		if g, ok := unsupportedGlobals()[id.Name]; ok {
			if id.Name == "Promise" && len(e.Arguments) == 1 {
				g.fix = "const all = " + t.text(e.Arguments[0])
			}
			t.fail(e, CodeGlobal, g.message, g.fix)
		}
	}
	if ns, ok := t.isNamespace(m.Object); ok {
		if !t.opt.Original && !n.namespaces[ns][name] {
			t.unknownStatic(m, ns, name)
		}
		return
	}
	if n.methods[name] {
		return
	}
	// Inside of an expression the original finds out when it runs.
	if t.opt.Original && !whole {
		return
	}
	msg, fix := "Method '"+name+"' is not available in AsyncJS", methodAdvice[name]
	if re, ok := m.Object.(*syntax.RegExpLiteral); ok && name == "test" && len(e.Arguments) == 1 {
		fix = "const ok = regexMatch({ pattern: " + string(ast.AppendString(nil, re.Pattern)) + ", value: " + t.text(e.Arguments[0]) + " })"
	}
	switch name {
	case "map", "filter", "find", "some", "every", "forEach", "flatMap", "findIndex", "reduce":
		if !t.opt.Original {
			t.callbackAdvice(e, name)
		}
		fix = "const ys = xs.map(x => x * 2)"
		if name == "reduce" {
			fix = "const sum = xs.reduce((acc, x) => acc + x, 0)"
		}
	}
	switch name {
	case "forEach", "some", "every", "flatMap", "findIndex", "reduceRight":
		msg += " — use for...of, or map/filter/find/reduce with an arrow function"
	}
	if fix == "" {
		fix = "const t = s.trim()"
		if near := nearest(name, sorted(n.methods)); near != "" {
			msg += ", did you mean '" + near + "'?"
			fix = "const r = " + t.text(m.Object) + "." + near + "()"
		}
	}
	t.fail(e, CodeMethod, msg, fix)
}
