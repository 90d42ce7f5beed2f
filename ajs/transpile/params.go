package transpile

import (
	"strings"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

const fixParam = "function main({ city: 'Oslo', count = 3 }) {\n  return { city, count }\n}"

// flat lists the parameters of the entry, those in braces among them.
func (t *transpiler) flat(fn *syntax.Function) []*syntax.ExampleParam {
	var out []*syntax.ExampleParam
	add := func(q *syntax.ExampleParam) {
		switch {
		case q.Other != nil:
			kind := "ArrayPattern"
			if _, ok := q.Other.(*syntax.RestElement); ok {
				kind = "RestElement"
			}
			t.fail(q, CodeParameter, "Unsupported parameter pattern: "+kind, fixParam)
		default:
			out = append(out, q)
		}
	}
	for i, q := range fn.Examples.Params {
		if !q.Braces {
			add(q)
			continue
		}
		if a, ok := fn.Params[i].(*syntax.AssignmentPattern); ok {
			if o, ok := a.Right.(*syntax.ObjectExpression); !ok || len(o.Properties) > 0 {
				t.fail(a.Right, CodeParameter, "A default stands with each parameter, not behind all of them", "function main({ count = 3, city = 'Oslo' }) {\n  return { count, city }\n}")
			}
		}
		for _, m := range q.Members {
			add(m)
		}
	}
	return out
}

// importParameters emits the steps that make run arguments variables.
func (t *transpiler) importParameters(fn *syntax.Function) {
	params := t.flat(fn)
	var keys []ast.Key
	var at syntax.Node
	for _, q := range params {
		t.declare(q.Name, q.Name.Name, bindParam)
		if q.Default == nil {
			keys = append(keys, ast.Key{Alias: q.Name.Name, Name: q.Name.Name})
			if at == nil {
				at = q
			}
		}
	}
	if keys != nil {
		t.emit(&ast.Step{Op: "varsImport", Body: &ast.Vars{Keys: keys}, Pos: t.pos(at)})
	}
	for _, q := range params {
		if q.Default == nil {
			continue
		}
		if t.needsLift(q.Default) {
			t.fail(q.Default, CodeParameter, "A default is a plain value: call atoms and helpers in the function's body", "function main({ text = null }) {\n  if (text == null) {\n    text = storeGet({ key: 'text' })\n  }\n  return { text }\n}")
		}
		name := q.Name.Name
		pos := t.pos(q)
		t.emit(&ast.Step{Op: "varsImport", Body: &ast.Vars{Keys: []ast.Key{{Alias: name, Name: name}}}, Pos: pos})
		t.emit(&ast.Step{Op: "if", Pos: pos, Body: &ast.If{
			Condition: &ast.Binary{Op: "==", Left: &ast.Ident{Name: name}, Right: &ast.Literal{}},
			Then:      []*ast.Step{{Op: "varAssign", Body: &ast.Assign{Key: name, Value: t.value(q.Default)}, Pos: pos}},
		}})
	}
}

// signature reads what the entry says of itself.
func (t *transpiler) signature(fn *syntax.Function, above string) *ast.Signature {
	sig := &ast.Signature{Name: fn.ID.Name}
	doc := docOf(above)
	sig.Description = doc.text
	for _, q := range t.flat(fn) {
		par := t.parameter(q)
		par.Description = doc.params[par.Name]
		sig.Parameters = append(sig.Parameters, par)
	}
	if fn.Examples.Return != nil {
		sig.Returns = t.exampleType(fn.Examples.Return, 0)
	}
	return sig
}

func (t *transpiler) parameter(q *syntax.ExampleParam) ast.Parameter {
	par := ast.Parameter{Name: q.Name.Name, Required: !q.Optional, Type: &ast.Type{Kind: ast.Any}}
	switch {
	case q.Default != nil:
		par.Required = false
		par.Type = t.exampleType(q.Default, 0)
		par.Default, par.HasDefault = t.constant(q.Default)
		par.Example, par.HasExample = par.Default, par.HasDefault
		if !par.HasDefault {
			par.HasDefault = true
		}
	case q.Example != nil:
		par.Type = t.exampleType(q.Example, 0)
		par.Example, par.HasExample = t.constant(q.Example)
	}
	return par
}

// typeNames are the words that stand for a type.
func typeName(name string) (ast.Kind, bool) {
	switch name {
	case "string":
		return ast.String, true
	case "number", "float":
		return ast.Number, true
	case "int", "integer":
		return ast.Integer, true
	case "unsigned", "uint":
		return ast.Unsigned, true
	case "boolean":
		return ast.Boolean, true
	}
	return ast.Any, false
}

// deciding is the operand of || and ?? that an example's type comes from.
func deciding(e syntax.Expr) syntax.Expr {
	for {
		l, ok := e.(*syntax.LogicalExpression)
		switch {
		case !ok:
			return e
		case l.Operator == syntax.OpNullish:
			e = l.Right
		default:
			e = l.Left
		}
	}
}

// exampleType is the type an example stands for.
func (t *transpiler) exampleType(e syntax.Expr, depth int) *ast.Type {
	if depth > maxDepth {
		t.fail(e, CodeTooDeep, "the example is nested too deeply", fixParam)
	}
	e = deciding(e)
	switch e := e.(type) {
	case *syntax.StringLiteral, *syntax.TemplateLiteral:
		return &ast.Type{Kind: ast.String}
	case *syntax.BooleanLiteral:
		return &ast.Type{Kind: ast.Boolean}
	case *syntax.NullLiteral:
		return &ast.Type{Kind: ast.Null}
	case *syntax.NumericLiteral:
		if strings.Contains(t.src[e.Start:e.End], ".") {
			return &ast.Type{Kind: ast.Number}
		}
		return &ast.Type{Kind: ast.Integer}
	case *syntax.UnaryExpression:
		n, ok := e.Argument.(*syntax.NumericLiteral)
		if !ok {
			break
		}
		typ := t.exampleType(n, depth+1)
		if e.Operator == syntax.OpPos && typ.Kind == ast.Integer {
			return &ast.Type{Kind: ast.Unsigned}
		}
		if e.Operator == syntax.OpPos || e.Operator == syntax.OpNeg {
			return typ
		}
	case *syntax.Identifier:
		if k, ok := typeName(e.Name); ok {
			return &ast.Type{Kind: k}
		}
		if e.Name == "undefined" {
			return &ast.Type{Kind: ast.Undefined}
		}
	case *syntax.ArrayExpression:
		return t.arrayType(e, depth)
	case *syntax.ObjectExpression:
		typ := &ast.Type{Kind: ast.ObjectKind}
		seen := map[string]bool{}
		for _, p := range e.Properties {
			name, ok := propertyKey(p)
			if p.Kind != syntax.PropInit || !ok {
				t.fail(p, CodeExample, "An example's members are written name: example", "function main({ user: { name: 'Ann', age: 40 } }) {\n  return { name: user.name }\n}")
			}
			t.checkKey(p, name, seen)
			typ.Shape = append(typ.Shape, ast.TypeField{Name: name, Type: t.memberType(p, depth), Optional: p.Optional})
		}
		return typ
	case *syntax.BinaryExpression:
		if e.Operator == syntax.OpBitOr {
			return t.unionType(e, depth)
		}
	}
	return &ast.Type{Kind: ast.Any}
}

// memberType: a shorthand member has no example.
func (t *transpiler) memberType(p *syntax.Property, depth int) *ast.Type {
	if p.Shorthand {
		return &ast.Type{Kind: ast.Any}
	}
	return t.exampleType(p.Value, depth+1)
}

func (t *transpiler) arrayType(e *syntax.ArrayExpression, depth int) *ast.Type {
	var types []*ast.Type
	nullable := false
	for _, el := range e.Elements {
		if el == nil {
			continue
		}
		if s, ok := el.(*syntax.SpreadElement); ok {
			t.fail(s, CodeExample, "An example's items are values", "function main({ tags: ['a'] }) {\n  return { n: tags.length }\n}")
		}
		typ := t.exampleType(el, depth+1)
		if typ.Kind == ast.Null {
			nullable = true
			continue
		}
		types = addType(types, typ)
	}
	items := joinTypes(types)
	if nullable && items.Kind != ast.Any {
		items.Nullable = true
	}
	return &ast.Type{Kind: ast.Array, Items: items}
}

func addType(types []*ast.Type, typ *ast.Type) []*ast.Type {
	for _, u := range types {
		if u.Equal(typ) {
			return types
		}
	}
	return append(types, typ)
}

func joinTypes(types []*ast.Type) *ast.Type {
	switch len(types) {
	case 0:
		return &ast.Type{Kind: ast.Any}
	case 1:
		return types[0]
	}
	return &ast.Type{Kind: ast.Union, Members: types}
}

// unionType is the type of a | b | c.
func (t *transpiler) unionType(e *syntax.BinaryExpression, depth int) *ast.Type {
	var parts []syntax.Expr
	var left syntax.Expr = e
	for {
		b, ok := left.(*syntax.BinaryExpression)
		if !ok || b.Operator != syntax.OpBitOr {
			parts = append(parts, left)
			break
		}
		parts = append(parts, b.Right)
		left = b.Left
	}
	var types []*ast.Type
	var values []any
	kind := ast.Kind("")
	literal, nullable := true, false
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		if _, ok := p.(*syntax.NullLiteral); ok {
			nullable = true
			continue
		}
		if id, ok := p.(*syntax.Identifier); ok && id.Name == "undefined" {
			nullable = true
			continue
		}
		typ := t.exampleType(p, depth+1)
		v, ok := t.constant(p)
		k := typ.Kind
		if k == ast.Number || k == ast.Unsigned {
			k = ast.Integer
		}
		switch v.(type) {
		case string, float64, bool:
		default:
			ok = false
		}
		if !ok || kind != "" && k != kind {
			literal = false
		}
		kind = k
		if literal {
			values = append(values, v)
		}
		types = addType(types, typ)
	}
	var out *ast.Type
	if literal && len(values) > 1 {
		out = &ast.Type{Kind: ast.LiteralUnion, Values: unique(values)}
	} else {
		out = joinTypes(types)
		if len(types) == 0 {
			return &ast.Type{Kind: ast.Null}
		}
	}
	if nullable {
		out.Nullable = true
	}
	return out
}

func unique(values []any) []any {
	seen := make(map[any]bool, len(values))
	out := make([]any, 0, len(values))
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// constant is the value of an example, if it has one.
func (t *transpiler) constant(e syntax.Expr) (any, bool) {
	switch e := deciding(e).(type) {
	case *syntax.StringLiteral:
		return e.Value, true
	case *syntax.TemplateLiteral:
		if len(e.Expressions) == 0 {
			return e.Quasis[0].Cooked, true
		}
	case *syntax.BooleanLiteral:
		return e.Value, true
	case *syntax.NullLiteral:
		return nil, true
	case *syntax.NumericLiteral:
		return t.number(e), true
	case *syntax.UnaryExpression:
		if n, ok := e.Argument.(*syntax.NumericLiteral); ok {
			switch e.Operator {
			case syntax.OpNeg:
				return -t.number(n), true
			case syntax.OpPos:
				return t.number(n), true
			}
		}
	case *syntax.ArrayExpression:
		out := make([]any, 0, len(e.Elements))
		for _, el := range e.Elements {
			if el == nil {
				out = append(out, nil)
				continue
			}
			v, ok := t.constant(el)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case *syntax.ObjectExpression:
		out := make(ast.Object, 0, len(e.Properties))
		seen := map[string]bool{}
		for _, p := range e.Properties {
			name, ok := propertyKey(p)
			if !ok || p.Kind != syntax.PropInit || p.Shorthand {
				return nil, false
			}
			t.checkKey(p, name, seen)
			v, ok := t.constant(p.Value)
			if !ok {
				return nil, false
			}
			out = append(out, ast.Entry{Key: name, Value: v})
		}
		return out, true
	case *syntax.BinaryExpression:
		// The first of a union is the example.
		var left syntax.Expr = e
		for {
			b, ok := left.(*syntax.BinaryExpression)
			if !ok || b.Operator != syntax.OpBitOr {
				break
			}
			left = b.Left
		}
		if _, ok := left.(*syntax.BinaryExpression); !ok {
			return t.constant(left)
		}
	}
	return nil, false
}

// doc is what a comment says of a function.
type doc struct {
	text   string
	params map[string]string
}

// docOf reads the comment right above a function, given all the text between it
// and what stands before.
func docOf(above string) doc {
	last, begin := "", -1
	for i := 0; i < len(above); {
		switch {
		case strings.HasPrefix(above[i:], "//"):
			n := strings.IndexByte(above[i:], '\n')
			if n < 0 {
				n = len(above) - i
			}
			i += n
			// A line comment may stand between /*# … */ and the function only.
			if !strings.HasPrefix(last, "/*#") {
				last, begin = "", -1
			}
		case strings.HasPrefix(above[i:], "/*"):
			n := strings.Index(above[i+2:], "*/")
			if n < 0 {
				return doc{}
			}
			last, begin = above[i:i+n+4], i
			i += n + 4
		default:
			i++
		}
	}
	switch {
	case begin < 0:
		return doc{}
	case strings.HasPrefix(last, "/*#"):
		return doc{text: dedent(last[3 : len(last)-2])}
	case strings.HasPrefix(last, "/**") && len(last) > 4:
		return readDoc(last[3 : len(last)-2])
	}
	return doc{}
}

// readDoc takes the first paragraph as the description, and the texts of
// @param.
func readDoc(body string) doc {
	d := doc{params: map[string]string{}}
	var para []string
	ended := false
	for _, line := range strings.Split(body, "\n") {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "*"))
		if rest, ok := strings.CutPrefix(line, "@param"); ok {
			ended = true
			rest = strings.TrimSpace(rest)
			if strings.HasPrefix(rest, "{") {
				if i := strings.IndexByte(rest, '}'); i >= 0 {
					rest = strings.TrimSpace(rest[i+1:])
				}
			}
			name, text, _ := strings.Cut(rest, " ")
			text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "-"))
			if name != "" && text != "" {
				d.params[name] = text
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "@"):
			ended = true
		case line == "":
			ended = ended || len(para) > 0
		case !ended:
			para = append(para, line)
		}
	}
	d.text = strings.Join(para, " ")
	return d
}

// dedent takes off the space that all lines begin with, and empty lines around.
func dedent(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	cut := -1
	for i, l := range lines {
		if i == 0 || strings.TrimSpace(l) == "" {
			continue
		}
		if n := len(l) - len(strings.TrimLeft(l, " \t")); cut < 0 || n < cut {
			cut = n
		}
	}
	for i := range lines {
		switch {
		case i == 0:
			lines[i] = strings.TrimLeft(lines[i], " \t")
		case cut > 0 && len(lines[i]) >= cut:
			lines[i] = lines[i][cut:]
		}
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
