package transpile

import (
	"sort"

	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// binding says how a name was declared.
type binding uint8

const (
	bindParam binding = iota + 1
	bindLet
	bindConst
	bindVar
	bindLoop // of for…of and callbacks
	bindCatch
)

type scope struct {
	up    *scope
	names map[string]binding
}

func newScope(up *scope) *scope { return &scope{up: up} }

func (s *scope) lookup(name string) binding {
	for ; s != nil; s = s.up {
		if b, ok := s.names[name]; ok {
			return b
		}
	}
	return 0
}

// visible lists the names in reach, in order.
func (s *scope) visible() []string {
	var out []string
	for ; s != nil; s = s.up {
		for n := range s.names {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}

// declare makes a name known in the current scope.
func (t *transpiler) declare(at syntax.Node, name string, b binding) {
	if forbidden(name) {
		t.fail(at, CodeName, "Security Error: Access to '"+name+"' is forbidden: no variable can have that name", "let kind = 'a'")
	}
	if name == returnTemp {
		t.fail(at, CodeName, "'"+name+"' is a name of the VM's own: choose another one", "let returned = 1")
	}
	if name == "errorOp" && !t.opt.Original {
		t.fail(at, CodeName, "'errorOp' is set by every catch: choose another name", "let failedOp = ''")
	}
	if t.scope.names == nil {
		t.scope.names = map[string]binding{}
	}
	t.scope.names[name] = b
}

// hoistVars declares the vars of a function's body and sets them to null, those
// that aren't parameters.
func (t *transpiler) hoistVars(body []syntax.Stmt) {
	seen := map[string]bool{}
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Function:
			return false
		case *syntax.VariableDeclaration:
			if n.Kind != syntax.DeclVar {
				return true
			}
			for _, d := range n.Declarations {
				id, ok := d.ID.(*syntax.Identifier)
				if !ok || seen[id.Name] || t.scope.names[id.Name] != 0 {
					continue
				}
				seen[id.Name] = true
				t.declare(id, id.Name, bindVar)
				t.emit(&ast.Step{Op: "varSet", Body: &ast.Assign{Key: id.Name, Value: &ast.Lit{}}, Pos: t.pos(n)})
			}
		}
		return true
	}
	for _, s := range body {
		syntax.Walk(s, visit)
	}
}

// ident lowers a name that is read as a value.
func (t *transpiler) ident(id *syntax.Identifier) ast.Value {
	t.checkRead(id)
	return &ast.Ident{Name: id.Name}
}

// checkRead refuses a name that has no value.
func (t *transpiler) checkRead(id *syntax.Identifier) {
	n := names()
	name := id.Name
	if t.opt.Original || t.scope.lookup(name) != 0 || n.values[name] || name == "errorOp" {
		return
	}
	if g, ok := unsupportedGlobals()[name]; ok {
		t.fail(id, CodeGlobal, g.message, g.fix)
	}
	switch {
	case n.functions[name] || n.namespaces[name] != nil || t.helpers[name] != nil || name == t.entry:
		t.notAValue(id, name)
	case name == "arguments":
		t.fail(id, CodeName, "'arguments' is not available in AsyncJS: name the parameters", "function area(width, height) {\n  return width * height\n}")
	case t.atomOf(name) != nil:
		t.notAValue(id, name)
	}
	msg := "'" + name + "' is not defined here"
	if t.inHelper {
		msg += " (a helper sees only its parameters)"
	}
	var fix string
	if near := nearest(name, t.scope.visible()); near != "" {
		msg += ", did you mean '" + near + "'?"
		fix = near
	} else if t.inHelper {
		msg += ": pass it as a parameter"
		fix = "function helper(x, " + name + ") {\n  return x + " + name + "\n}"
	} else {
		msg += ": declare it, or make it a parameter"
		fix = "function " + t.entryName() + "({ " + name + " }) {\n  return { " + name + " }\n}"
	}
	t.fail(id, CodeName, msg, fix)
}

func (t *transpiler) entryName() string {
	if t.entry == "" {
		return "main"
	}
	return t.entry
}

func (t *transpiler) notAValue(at syntax.Node, name string) {
	fix := "const r = " + name + "(x)"
	switch {
	case names().namespaces[name] != nil && !names().functions[name]:
		fix = "const m = Math.max(a, b)"
	case t.helpers[name] == nil && t.atomOf(name) != nil:
		fix = "const r = " + example(t.atomOf(name))
	}
	t.fail(at, CodeNotAValue, "A function or builtin namespace is not a value in AsyncJS: call it (e.g. Math.max(a, b), s.trim())", fix)
}

// isNamespace reports the name of a namespace that no variable hides.
func (t *transpiler) isNamespace(e syntax.Expr) (string, bool) {
	id, ok := e.(*syntax.Identifier)
	if !ok || names().namespaces[id.Name] == nil {
		return "", false
	}
	if !t.opt.Original && t.scope.lookup(id.Name) != 0 {
		return "", false
	}
	return id.Name, true
}
