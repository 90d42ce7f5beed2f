package atom

import (
	"fmt"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// Parse reads descriptions of atoms as JSON: an array of tool definitions
// ({ type: 'function', function: { name, parameters } }) or of { name,
// inputSchema }, or an object of the latter by name. An input schema is the JSON
// Schema of an object; inputs it doesn't name are refused unless it says
// additionalProperties.
func Parse(text []byte) (*Table, error) {
	data, err := ast.ParseData(text, ast.Limits{})
	if err != nil {
		return nil, err
	}
	var atoms []Atom
	switch data := data.(type) {
	case []any:
		for i, d := range data {
			o, ok := d.(ast.Object)
			if !ok {
				return nil, fmt.Errorf("atom %d: expected { name, inputSchema }", i)
			}
			if f, ok := o.Get("function"); ok {
				if o, ok = f.(ast.Object); !ok {
					return nil, fmt.Errorf("atom %d: expected an object as function", i)
				}
			}
			v, _ := o.Get("name")
			name, _ := v.(string)
			if name == "" {
				return nil, fmt.Errorf("atom %d has no name", i)
			}
			a, err := parseAtom(name, o)
			if err != nil {
				return nil, err
			}
			atoms = append(atoms, a)
		}
	case ast.Object:
		for _, e := range data {
			o, ok := e.Value.(ast.Object)
			if !ok {
				return nil, fmt.Errorf("atom %s: expected { inputSchema }", e.Key)
			}
			a, err := parseAtom(e.Key, o)
			if err != nil {
				return nil, err
			}
			atoms = append(atoms, a)
		}
	default:
		return nil, fmt.Errorf("expected an array or an object of atoms")
	}
	return NewTable(atoms...), nil
}

func parseAtom(name string, o ast.Object) (Atom, error) {
	a := Atom{Name: name, Cost: 1, Timeout: second, Effects: IO}
	if d, ok := o.Get("description"); ok {
		a.Docs, _ = d.(string)
	}
	var schema any
	found := false
	for _, k := range []string{"inputSchema", "parameters", "input_schema"} {
		if v, ok := o.Get(k); ok {
			schema, found = v, true
			break
		}
	}
	if !found {
		a.Open = true
		return a, nil
	}
	s, ok := schema.(ast.Object)
	if !ok {
		return a, fmt.Errorf("atom %s: its input schema is no object", name)
	}
	required := map[string]bool{}
	if v, ok := s.Get("required"); ok {
		list, _ := v.([]any)
		for _, r := range list {
			if n, ok := r.(string); ok {
				required[n] = true
			}
		}
	}
	if v, ok := s.Get("properties"); ok {
		props, ok := v.(ast.Object)
		if !ok {
			return a, fmt.Errorf("atom %s: its properties are no object", name)
		}
		for _, p := range props {
			in := Input{Name: p.Key, Required: required[p.Key]}
			if ps, ok := p.Value.(ast.Object); ok {
				if t, ok := ps.Get("type"); ok {
					in.Type, _ = t.(string)
				}
			}
			delete(required, p.Key)
			a.Inputs = append(a.Inputs, in)
		}
	}
	if v, ok := s.Get("additionalProperties"); ok && v != false {
		a.Open = true
	}
	if len(required) > 0 {
		return a, fmt.Errorf("atom %s: its schema requires an input that it doesn't name", name)
	}
	return a, nil
}
