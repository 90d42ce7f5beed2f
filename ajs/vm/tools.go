package vm

import (
	"slices"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// Tools returns the tool definitions of atoms: of those named, or of all that a
// program calls by name; "flow" stands for the operations of the language, "all"
// for everything.
func (vm *VM) Tools(names ...string) []any {
	out := []any{}
	for _, a := range vm.list {
		if !(slices.Contains(names, a.Name) || slices.Contains(names, "all") || len(names) == 0 && !a.Flow || slices.Contains(names, "flow") && a.Flow) {
			continue
		}
		f := ast.Object{{Key: "name", Value: a.Name}}
		if a.Docs != "" {
			f = append(f, ast.Entry{Key: "description", Value: a.Docs})
		}
		out = append(out, ast.Object{{Key: "type", Value: "function"}, {Key: "function", Value: append(f, ast.Entry{Key: "parameters", Value: a.InputSchema})}})
	}
	return out
}
