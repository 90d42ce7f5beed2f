package vm

import (
	"math"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// An expr evaluates a node or a value. False means that the run has an error.
type expr func(r *run) (value, bool)

// A cond evaluates a node to its truth.
type cond func(r *run) (truth, ok bool)

const badKey = "Security Error: Access to '%s' is forbidden"

func forbidden(name string) bool {
	return name == "__proto__" || name == "constructor" || name == "prototype"
}

const convertHint = " — convert it explicitly (e.g. arr.join(','), JSON.stringify(obj))"

// needPrim fails for an operand that is a container.
func (r *run) needPrim(v value, what, op string) bool {
	if v.kind >= arrayKind {
		return r.failf(KindType, op, "%s needs a string, number, boolean or null, not %s%s", what, plainNoun(v), convertHint)
	}
	return true
}

// needPrims is needPrim for the operands of a binary operator.
func (r *run) needPrims(v, w value, what string) bool {
	return v.kind < arrayKind && w.kind < arrayKind || r.needPrim(v, what, "expr.binary") && r.needPrim(w, what, "expr.binary")
}

// plainNoun is noun, but a Set is an array and a Date an object where only that
// matters.
func plainNoun(v value) string {
	if v.kind == arrayKind {
		return "an array"
	}
	return "an object"
}

// node takes the price of a node.
func (r *run) node() bool {
	if r.fuel -= nodeFuel; r.fuel <= 0 {
		return r.outOfFuel("")
	}
	return true
}

const errNotValue = "A function or builtin namespace is not a value in AsyncJS: call it (e.g. Math.max(a, b), s.trim())"

// expr compiles a node or a value.
func (c *compiler) expr(v ast.Value) expr {
	c.enter()
	defer c.leave()
	switch v := v.(type) {
	case nil:
		return func(*run) (value, bool) { return undefinedValue, true }
	case *ast.Lit:
		return c.literal(v.Data, false)
	case *ast.Literal:
		return c.literal(v.Data, true)
	case *ast.List:
		return c.list(c.exprs(v.Items), false)
	case *ast.ArrayExpr:
		return c.list(c.exprs(v.Elements), true)
	case *ast.Record:
		return c.record(v.Fields, false)
	case *ast.ObjectExpr:
		return c.record(v.Properties, true)
	case *ast.Ref:
		return c.reference(v.Text)
	case *ast.Arg:
		path := v.Path
		return func(r *run) (value, bool) {
			w, _ := r.guest.get(path)
			return w, true
		}
	case *ast.Ident:
		return c.ident(v.Name)
	case *ast.Member:
		return c.member(v)
	case *ast.Binary:
		return c.binary(v)
	case *ast.Unary:
		return c.unary(v)
	case *ast.Logical:
		return c.logical(v)
	case *ast.Conditional:
		test, yes, no := c.cond(v.Test), c.expr(v.Consequent), c.expr(v.Alternate)
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			b, ok := test(r)
			if !ok {
				return value{}, false
			}
			if b {
				return yes(r)
			}
			return no(r)
		}
	case *ast.Call:
		return c.call(v)
	case *ast.MethodCall:
		return c.methodCall(v)
	case *ast.Regex:
		pattern, flags := v.Pattern, v.Flags
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			return r.compileRegex(newStr(pattern), flags, "expr.regex")
		}
	case *ast.UnknownExpr:
		name := clip(v.Type, 200)
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			return value{}, r.failf(KindType, "", "Unknown expression type: %s", name)
		}
	}
	return func(r *run) (value, bool) { return value{}, r.fail(KindType, "", "Unknown expression type: ?") }
}

func (c *compiler) exprs(vs []ast.Value) []expr {
	out := make([]expr, len(vs))
	for i, v := range vs {
		out[i] = c.expr(v)
	}
	return out
}

// cond compiles a node whose truth counts.
func (c *compiler) cond(v ast.Value) cond {
	c.enter()
	defer c.leave()
	switch v := v.(type) {
	case *ast.Binary:
		if b := c.comparison(v); b != nil {
			return b
		}
	case *ast.Unary:
		if v.Op == "!" {
			x := c.cond(v.Argument)
			return func(r *run) (bool, bool) {
				if !r.node() {
					return false, false
				}
				b, ok := x(r)
				return !b, ok
			}
		}
	case *ast.Logical:
		if v.Op == "&&" || v.Op == "||" {
			and := v.Op == "&&"
			x, y := c.cond(v.Left), c.cond(v.Right)
			return func(r *run) (bool, bool) {
				if !r.node() {
					return false, false
				}
				b, ok := x(r)
				if !ok || b != and {
					return b, ok
				}
				return y(r)
			}
		}
	}
	x := c.expr(v)
	return func(r *run) (bool, bool) {
		v, ok := x(r)
		if !ok {
			return false, false
		}
		return v.truthy(), true
	}
}

// literal compiles data. A container is copied for each evaluation: programs
// may write into their arrays.
func (c *compiler) literal(data any, node bool) expr {
	v := fromData(data)
	price := 0.0
	if node {
		price = nodeFuel
	}
	if v.isContainer() {
		size := dataSize(data)
		return func(r *run) (value, bool) {
			if node && !r.node() || !r.poll(size) {
				return value{}, false
			}
			return fromData(data), true
		}
	}
	if !node {
		return func(*run) (value, bool) { return v, true }
	}
	return func(r *run) (value, bool) {
		if r.fuel -= price; r.fuel <= 0 {
			return value{}, r.outOfFuel("")
		}
		return v, true
	}
}

// fromData turns the JSON data of a program into a value. Its depth was counted
// when the program was decoded.
func fromData(d any) value {
	switch d := d.(type) {
	case nil:
		return nullValue
	case bool:
		return boolean(d)
	case float64:
		return number(d)
	case string:
		return text(d)
	case []any:
		a := make([]value, len(d))
		for i := range d {
			a[i] = fromData(d[i])
		}
		return listOf(a)
	case ast.Object:
		o := newObject(len(d))
		for _, e := range d {
			o.set(e.Key, fromData(e.Value))
		}
		return objectOf(o)
	}
	return undefinedValue
}

// dataSize counts the values in data.
func dataSize(d any) int {
	n := 1
	switch d := d.(type) {
	case []any:
		for _, e := range d {
			n += dataSize(e)
		}
	case ast.Object:
		for _, e := range d {
			n += dataSize(e.Value)
		}
	}
	return n
}

func (c *compiler) list(items []expr, node bool) expr {
	return func(r *run) (value, bool) {
		if node && !r.node() {
			return value{}, false
		}
		out := make([]value, len(items))
		for i, x := range items {
			v, ok := x(r)
			if !ok {
				return value{}, false
			}
			out[i] = v
		}
		return listOf(out), true
	}
}

func (c *compiler) record(fields []ast.Field, node bool) expr {
	names := make([]string, len(fields))
	items := make([]expr, len(fields))
	bad, repeated := "", false
	seen := map[string]bool{}
	for i, f := range fields {
		names[i], items[i] = f.Name, c.expr(f.Value)
		if f.Name == "__proto__" {
			bad = f.Name
		}
		repeated = repeated || seen[f.Name]
		seen[f.Name] = true
	}
	simple := !repeated && len(fields) <= smallObject
	return func(r *run) (value, bool) {
		if node && !r.node() {
			return value{}, false
		}
		if bad != "" {
			return value{}, r.failf(KindSecurity, "", badKey, bad)
		}
		o := &object{vals: make([]value, 0, len(items))}
		if simple {
			o.keys = names
		} else {
			o.keys = make([]string, 0, len(items))
		}
		for i, x := range items {
			v, ok := x(r)
			if !ok {
				return value{}, false
			}
			if simple {
				o.vals = append(o.vals, v)
			} else {
				o.set(names[i], v)
			}
		}
		return objectOf(o), true
	}
}

// ident compiles the reading of a name that is a value.
func (c *compiler) ident(name string) expr {
	places, sure := c.lookup(name)
	if len(places) == 1 && sure {
		slot := places[0]
		return func(r *run) (value, bool) {
			if r.fuel -= nodeFuel; r.fuel <= 0 {
				return value{}, r.outOfFuel("")
			}
			v := r.slots[slot]
			v.fixed = false
			return v, true
		}
	}
	return func(r *run) (value, bool) {
		if r.fuel -= nodeFuel; r.fuel <= 0 {
			return value{}, r.outOfFuel("")
		}
		for _, slot := range places {
			if v := r.slots[slot]; v.kind != unset {
				v.fixed = false
				return v, true
			}
		}
		return r.global(name, false)
	}
}

// global reads a name that no scope has.
func (r *run) global(name string, receiver bool) (value, bool) {
	if !r.hideArgs {
		if v, ok := r.guest.get(name); ok {
			return v, true
		}
	}
	switch name {
	case "undefined":
		return undefinedValue, true
	case "NaN":
		return number(math.NaN()), true
	case "Infinity":
		return number(math.Inf(1)), true
	}
	if s, ok := spaces[name]; ok {
		if receiver {
			return value{kind: spaceKind, r: s}, true
		}
		return value{}, r.fail(KindType, "expr", errNotValue)
	}
	if _, ok := globals[name]; ok {
		return value{}, r.fail(KindType, "expr", errNotValue)
	}
	if m, ok := unsupported[name]; ok {
		return value{}, r.fail(KindType, "", m)
	}
	return undefinedValue, true
}

// unsupported are the names that programs for other machines use, with what to
// use here.
var unsupported = map[string]string{
	"RegExp":      "RegExp is not available. Use string methods or the regexMatch atom.",
	"Promise":     "Promise is not needed. All operations are implicitly async.",
	"Map":         "Map is not available. Use plain objects instead.",
	"WeakSet":     "WeakSet is not available.",
	"WeakMap":     "WeakMap is not available.",
	"Symbol":      "Symbol is not available.",
	"Proxy":       "Proxy is not available.",
	"Reflect":     "Reflect is not available.",
	"Function":    "Function constructor is not available. Define functions normally.",
	"eval":        "eval is not available. Code is compiled, not evaluated.",
	"setTimeout":  "setTimeout is not available. Use the delay atom.",
	"setInterval": "setInterval is not available. Use while loops with delay.",
	"fetch":       "fetch is not available. Use the httpFetch atom.",
	"require":     "require is not available. Atoms must be registered with the VM.",
	"import":      "import is not available. Atoms must be registered with the VM.",
	"process":     "process is not available. AsyncJS runs in a sandboxed environment.",
	"window":      "window is not available. AsyncJS runs in a sandboxed environment.",
	"document":    "document is not available. AsyncJS runs in a sandboxed environment.",
	"global":      "global is not available. AsyncJS runs in a sandboxed environment.",
	"globalThis":  "globalThis is not available. Use builtins directly.",
}

// receiver compiles the object of a member or a method call, which may be a
// namespace.
func (c *compiler) receiver(v ast.Value) expr {
	id, ok := v.(*ast.Ident)
	if !ok {
		return c.expr(v)
	}
	if _, ok := spaces[id.Name]; !ok {
		return c.expr(v)
	}
	places, _ := c.lookup(id.Name)
	name := id.Name
	return func(r *run) (value, bool) {
		if !r.node() {
			return value{}, false
		}
		for _, slot := range places {
			if v := r.slots[slot]; v.kind != unset {
				v.fixed = false
				return v, true
			}
		}
		return r.global(name, true)
	}
}

func (c *compiler) member(m *ast.Member) expr {
	x := c.receiver(m.Object)
	if m.Key == nil {
		name := m.Property
		key := stringOf(newStr(name))
		bad := forbidden(name)
		return func(r *run) (value, bool) {
			if r.fuel -= nodeFuel; r.fuel <= 0 {
				return value{}, r.outOfFuel("")
			}
			o, ok := x(r)
			if !ok {
				return value{}, false
			}
			if o.isNullish() {
				return undefinedValue, true
			}
			if bad {
				return value{}, r.failf(KindSecurity, "", badKey, name)
			}
			if o.kind == objectKind {
				if v, ok := o.object().get(name); ok {
					return v, true
				}
			}
			return r.getMember(o, key, name)
		}
	}
	k := c.expr(m.Key)
	return func(r *run) (value, bool) {
		if r.fuel -= nodeFuel; r.fuel <= 0 {
			return value{}, r.outOfFuel("")
		}
		o, ok := x(r)
		if !ok {
			return value{}, false
		}
		if o.isNullish() {
			return undefinedValue, true
		}
		key, ok := k(r)
		if !ok || !r.needPrim(key, "a computed key", "expr.member") {
			return value{}, false
		}
		if key.kind == numberKind && o.kind == arrayKind {
			a := o.array()
			if i := int(key.n); float64(i) == key.n && i >= 0 && i < len(a.elems) {
				return a.elems[i], true
			}
		}
		name := key.toStr()
		if name.wide == nil && forbidden(name.s) {
			return value{}, r.failf(KindSecurity, "", badKey, name.s)
		}
		return r.getMember(o, stringOf(name), "")
	}
}

// arrayIndex reads a canonical array index.
func arrayIndex(s string) (int, bool) {
	if s == "" || len(s) > 10 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// getMember reads a member of what isn't nullish.
func (r *run) getMember(o, key value, name string) (value, bool) {
	if name == "" {
		name = key.str().text()
	}
	switch o.kind {
	case stringKind:
		s := o.str()
		if name == "length" {
			return number(float64(s.len())), true
		}
		if i, ok := arrayIndex(name); ok {
			if i < s.len() {
				return stringOf(s.slice(i, i+1)), true
			}
			return undefinedValue, true
		}
	case arrayKind:
		a := o.array()
		if name == "length" || name == "size" && a.set != nil {
			return number(float64(len(a.elems))), true
		}
		if i, ok := arrayIndex(name); ok {
			if i < len(a.elems) {
				return a.elems[i], true
			}
			return undefinedValue, true
		}
	case objectKind:
		if v, ok := o.object().get(name); ok {
			return v, true
		}
	case spaceKind:
		s := o.r.(*space)
		if v, ok := s.constants[name]; ok {
			return fromData(v), true
		}
		if _, ok := s.methods[name]; !ok {
			if advice, ok := spaceAdvice[s.name+"."+name]; ok {
				return value{}, r.failf(KindType, "expr.member", "%s.%s is not available. %s", s.name, clip(name, 100), advice)
			}
			return value{}, r.failf(KindType, "expr.member", "%s.%s is not supported in AsyncJS. Check docs for available %s methods.", s.name, clip(name, 100), s.name)
		}
	}
	if isMethod(o, name) {
		return value{}, r.failf(KindType, "expr.member", "'%s' is a method: call it — a method is not a value in AsyncJS", name)
	}
	return undefinedValue, true
}

var spaceAdvice = map[string]string{
	"Object.freeze":         "Values that cross are copies already.",
	"Object.create":         "Use an object literal.",
	"Object.defineProperty": "Use an object literal.",
	"Array.prototype":       "Call methods on arrays directly.",
}

func (c *compiler) unary(u *ast.Unary) expr {
	op := u.Op
	if op == "!" {
		t := c.cond(u.Argument)
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			b, ok := t(r)
			return boolean(!b), ok
		}
	}
	x := c.expr(u.Argument)
	switch op {
	case "typeof":
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			v, ok := x(r)
			if !ok {
				return value{}, false
			}
			return text(v.typeOf()), true
		}
	case "-", "+":
		what := "unary '" + op + "'"
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			v, ok := x(r)
			if !ok || !r.needPrim(v, what, "expr.unary") {
				return value{}, false
			}
			if op == "-" {
				return number(-v.toNumber()), true
			}
			return number(v.toNumber()), true
		}
	}
	return func(r *run) (value, bool) {
		if !r.node() {
			return value{}, false
		}
		if _, ok := x(r); !ok {
			return value{}, false
		}
		return value{}, r.failf(KindType, "", "Unknown unary operator: %s", clip(op, 100))
	}
}

func (c *compiler) logical(l *ast.Logical) expr {
	x, y := c.expr(l.Left), c.expr(l.Right)
	switch l.Op {
	case "&&", "||":
		and := l.Op == "&&"
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			v, ok := x(r)
			if !ok || v.truthy() != and {
				return v, ok
			}
			return y(r)
		}
	case "??":
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			v, ok := x(r)
			if !ok || !v.isNullish() {
				return v, ok
			}
			return y(r)
		}
	}
	op := l.Op
	return func(r *run) (value, bool) {
		if !r.node() {
			return value{}, false
		}
		return value{}, r.failf(KindType, "", "Unknown logical operator: %s", clip(op, 100))
	}
}

// call compiles the call of a global function.
func (c *compiler) call(n *ast.Call) expr {
	name := n.Callee
	if name == "Error" {
		args := c.exprs(n.Arguments)
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			return value{}, r.raise(args)
		}
	}
	g, ok := globals[name]
	if !ok {
		known := c.vm.atoms[name] != nil
		return func(r *run) (value, bool) {
			if !r.node() {
				return value{}, false
			}
			if m, ok := unsupported[name]; ok && !known {
				return value{}, r.fail(KindType, "", m)
			}
			if known {
				return value{}, r.failf(KindType, "", "Atom calls in expressions not yet supported: %s", name)
			}
			return value{}, r.failf(KindType, "", "Unknown function: %s", clip(name, 200))
		}
	}
	args := c.exprs(n.Arguments)
	return func(r *run) (value, bool) {
		if !r.node() {
			return value{}, false
		}
		return r.invoke(g, undefinedValue, args)
	}
}

// raise is Error(message): its argument counts, whatever it is.
func (r *run) raise(args []expr) bool {
	message := "Error"
	if len(args) > 0 {
		v, ok := args[0](r)
		if !ok {
			return false
		}
		switch v.kind {
		case undefinedKind:
		case objectKind, arrayKind:
			m, _ := undefinedValue, false
			if v.kind == objectKind {
				m, _ = v.object().get("message")
			}
			if m.kind == stringKind {
				message = m.str().text()
				break
			}
			s, ok := r.stringify(v, "", "Error")
			if !ok {
				return false
			}
			message = s.text()
		default:
			message = v.toStr().text()
		}
	}
	return r.fail(KindUser, "Error", message)
}

// methodCall compiles the call of a method.
func (c *compiler) methodCall(n *ast.MethodCall) expr {
	x := c.receiver(n.Object)
	args := c.exprs(n.Arguments)
	name, optional := n.Method, n.Optional
	bad := forbidden(name)
	known := methodNames[name]
	var byKind methodSet
	if known {
		byKind = methodsNamed(name)
	}
	return func(r *run) (value, bool) {
		if r.fuel -= nodeFuel; r.fuel <= 0 {
			return value{}, r.outOfFuel("")
		}
		o, ok := x(r)
		if !ok {
			return value{}, false
		}
		if optional && o.isNullish() {
			return undefinedValue, true
		}
		if bad {
			return value{}, r.failf(KindSecurity, "", badKey, name)
		}
		if !known {
			return value{}, r.failf(KindSecurity, "", "Security Error: method '%s' is not callable in AsyncJS", clip(name, 200))
		}
		if o.isNullish() {
			return value{}, r.failf(KindType, "", "Cannot call method '%s' on %s", name, o.noun())
		}
		m := byKind.of(o)
		if m == nil {
			if !hasAny(o, name) {
				return value{}, r.failf(KindType, "", "'%s' is not a function", name)
			}
			return value{}, r.failf(KindType, "expr."+name, "'%s' is not available on %s", name, o.noun())
		}
		if o.kind == objectKind {
			if _, own := o.object().get(name); own {
				return value{}, r.failf(KindType, "", "'%s' is not a function", name)
			}
		}
		return r.invoke(m, o, args)
	}
}
