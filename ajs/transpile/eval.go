package transpile

import (
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// Eval reads the code of an Eval or of a safe function: one expression, whose
// value is the result, or statements with return. The variables in names that
// the code mentions become the parameters, without contracts; with all they all
// do, mentioned or not. Every result is boxed: { BoxKey: value }.
func Eval(code string, variables []string, all bool, opt Options) (*Result, error) {
	return run(code, opt, func(t *transpiler) *Result {
		t.box = true
		t.parse(func(o syntax.Options) (*syntax.Program, error) {
			o.Strict, o.Examples = true, true
			return syntax.ParseExpressionOrBody(t.file, code, o)
		})
		used := map[string]bool{}
		for _, s := range t.prog.Body {
			syntax.Walk(s, func(n syntax.Node) bool {
				if id, ok := n.(*syntax.Identifier); ok {
					used[id.Name] = true
				}
				return true
			})
		}
		sig := &ast.Signature{Name: "eval"}
		var keys []ast.Key
		t.scope = newScope(nil)
		for _, name := range variables {
			if !all && (!used[name] || !t.usable(name)) {
				continue
			}
			t.declare(t.prog, name, bindParam)
			sig.Parameters = append(sig.Parameters, ast.Parameter{Name: name, Type: &ast.Type{Kind: ast.Any}})
			keys = append(keys, ast.Key{Alias: name, Name: name})
		}
		p := &ast.Program{Version: ast.Current, HasInput: true, InputSchema: sig.InputSchema()}
		p.Steps = t.block(func() {
			if keys != nil {
				t.emit(&ast.Step{Op: "varsImport", Body: &ast.Vars{Keys: keys}, Pos: ast.Pos{Line: 1}})
			}
			if t.prog.LoneExpression != nil {
				t.store(t.prog.LoneExpression, target{kind: toReturn}, t.prog.LoneExpression)
				return
			}
			t.inner(func() {
				t.hoistVars(t.prog.Body)
				t.statements(t.prog.Body)
			})
		})
		return &Result{Program: p, Signature: sig}
	})
}

// usable reports a name that a variable of an Eval may have.
func (t *transpiler) usable(name string) bool {
	n := names()
	_, unsupported := unsupportedGlobals()[name]
	return !forbidden(name) && name != returnTemp && !n.functions[name] && n.namespaces[name] == nil && !n.values[name] && !unsupported
}
