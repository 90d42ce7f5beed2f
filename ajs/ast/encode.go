package ast

// Data returns the program as JSON data, members in their fixed order.
func (p *Program) Data() (Object, error) { return p.data(false) }

// AppendJSON writes the program. With positions the root also holds $pos: line
// and column of every step in the order of Walk, which a reader that doesn't
// know it ignores.
func (p *Program) AppendJSON(dst []byte, positions bool) ([]byte, error) {
	o, err := p.data(positions)
	if err != nil {
		return nil, err
	}
	return AppendData(dst, o)
}

// MarshalJSON writes the program without positions.
func (p *Program) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil, false) }

// UnmarshalJSON reads a program under the default limits.
func (p *Program) UnmarshalJSON(text []byte) error {
	q, err := Decode(text, Options{})
	if err != nil {
		return err
	}
	*p = *q
	return nil
}

func (p *Program) data(positions bool) (Object, error) {
	var o Object
	if p.Version >= 2 {
		o = append(o, Entry{"$ajs", float64(p.Version)})
	}
	steps, err := stepsData(p.Steps, 1)
	if err != nil {
		return nil, err
	}
	o = append(o, Entry{"op", "seq"}, Entry{"steps", steps})
	if p.HasInput {
		o = append(o, Entry{"inputSchema", p.InputSchema})
	}
	if p.HasOutput {
		o = append(o, Entry{"outputSchema", p.OutputSchema})
	}
	if len(p.Helpers) > 0 {
		hs := make(Object, 0, len(p.Helpers))
		for i := range p.Helpers {
			h := &p.Helpers[i]
			steps, err := stepsData(h.Steps, 3)
			if err != nil {
				return nil, err
			}
			names := make([]any, len(h.Params))
			for j, n := range h.Params {
				names[j] = n
			}
			d := Object{{"steps", steps}, {"paramNames", names}}
			if h.HasInput {
				d = append(d, Entry{"inputSchema", h.Input})
			}
			if h.HasOutput {
				d = append(d, Entry{"outputSchema", h.Output})
			}
			hs = append(hs, Entry{h.Name, d})
		}
		o = append(o, Entry{"helpers", hs})
	}
	if positions {
		var pos []any
		p.Walk(func(s *Step) { pos = append(pos, float64(s.Pos.Line), float64(s.Pos.Column)) })
		o = append(o, Entry{"$pos", pos})
	}
	return append(o, p.Extra...), nil
}

func stepsData(steps []*Step, depth int) ([]any, error) {
	out := make([]any, len(steps))
	for i, s := range steps {
		d, err := s.data(depth + 1)
		if err != nil {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}

// Data returns the step as JSON data.
func (s *Step) Data() (Object, error) { return s.data(0) }

// encoder gathers the fields of one step or node.
type encoder struct {
	o     Object
	depth int
	err   error
}

func (e *encoder) put(key string, v any) { e.o = append(e.o, Entry{key, v}) }

func (e *encoder) value(key string, v Value) {
	if v == nil || e.err != nil {
		return
	}
	d, err := valueData(v, e.depth+1)
	if err != nil {
		e.err = err
		return
	}
	e.put(key, d)
}

func (e *encoder) values(key string, vs []Value) {
	out := make([]any, len(vs))
	for i, v := range vs {
		d, err := valueData(v, e.depth+2)
		if err != nil {
			e.err = err
			return
		}
		out[i] = d
	}
	e.put(key, out)
}

func (e *encoder) steps(key string, steps []*Step) {
	if e.err != nil {
		return
	}
	d, err := stepsData(steps, e.depth+1)
	if err != nil {
		e.err = err
		return
	}
	e.put(key, d)
}

func (s *Step) data(depth int) (Object, error) {
	if depth > DefaultMaxDepth {
		return nil, tooDeep(DefaultMaxDepth)
	}
	e := &encoder{depth: depth}
	e.put("op", s.Op)
	switch b := s.Body.(type) {
	case *Block:
		e.steps("steps", b.Steps)
	case *Vars:
		if b.Renamed {
			o := make(Object, len(b.Keys))
			for i, k := range b.Keys {
				o[i] = Entry{k.Alias, k.Name}
			}
			e.put("keys", o)
		} else {
			a := make([]any, len(b.Keys))
			for i, k := range b.Keys {
				a[i] = k.Name
			}
			e.put("keys", a)
		}
	case *Assign:
		e.put("key", b.Key)
		e.value("value", b.Value)
	case *VarGet:
		e.put("key", b.Key)
	case *If:
		e.value("condition", b.Condition)
		e.steps("then", b.Then)
		if b.Else != nil {
			e.steps("else", b.Else)
		}
	case *While:
		e.value("condition", b.Condition)
		e.steps("body", b.Body)
	case *Map:
		e.value("items", b.Items)
		e.put("as", b.As)
		e.steps("steps", b.Steps)
		if b.Loop {
			e.put("loop", true)
		}
	case *Filter:
		e.value("items", b.Items)
		e.put("as", b.As)
		e.value("condition", b.Condition)
	case *Reduce:
		e.value("items", b.Items)
		e.put("as", b.As)
		e.put("accumulator", b.Accumulator)
		e.value("initial", b.Initial)
		e.steps("steps", b.Steps)
	case *Try:
		e.steps("try", b.Try)
		if b.Catch != nil {
			e.steps("catch", b.Catch)
		}
		if b.CatchParam != "" {
			e.put("catchParam", b.CatchParam)
		}
	case *Return:
		e.value("value", b.Value)
		if b.HasSchema {
			e.put("schema", b.Schema)
		}
	case *Evaluate:
		e.value("value", b.Value)
	case *CallLocal:
		e.put("name", b.Name)
		e.values("args", b.Args)
	case *ErrorCall:
		if b.Args != nil {
			e.values("args", b.Args)
		}
	case *Keyed:
		e.value("key", b.Key)
		e.steps("steps", b.Steps)
		e.value("ttlMs", b.TTL)
	case *Atom:
		for _, f := range b.Inputs {
			e.value(f.Name, f.Value)
		}
	}
	if e.err != nil {
		return nil, e.err
	}
	if s.Result != "" {
		e.put("result", s.Result)
	}
	if s.ResultConst {
		e.put("resultConst", true)
	}
	if s.ResultAssign {
		e.put("resultAssign", true)
	}
	return append(e.o, s.Extra...), nil
}

// ValueData returns a value as the JSON data it was read from.
func ValueData(v Value) (any, error) { return valueData(v, 0) }

func valueData(v Value, depth int) (any, error) {
	if depth > DefaultMaxDepth {
		return nil, tooDeep(DefaultMaxDepth)
	}
	e := &encoder{depth: depth}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *Lit:
		return v.Data, nil
	case *Ref:
		return v.Text, nil
	case *Arg:
		return Object{{"$kind", "arg"}, {"path", v.Path}}, nil
	case *List:
		out := make([]any, len(v.Items))
		for i, it := range v.Items {
			d, err := valueData(it, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = d
		}
		return out, nil
	case *Record:
		e.o = make(Object, 0, len(v.Fields))
		for _, f := range v.Fields {
			e.value(f.Name, f.Value)
		}
	case *Literal:
		return Object{{"$expr", "literal"}, {"value", v.Data}}, nil
	case *Ident:
		return Object{{"$expr", "ident"}, {"name", v.Name}}, nil
	case *Member:
		e.put("$expr", "member")
		e.value("object", v.Object)
		if v.Key != nil {
			e.value("property", v.Key)
		} else {
			e.put("property", v.Property)
		}
		if v.Computed || v.Key != nil {
			e.put("computed", true)
		}
		if v.Optional {
			e.put("optional", true)
		}
	case *Binary:
		e.put("$expr", "binary")
		e.put("op", v.Op)
		e.value("left", v.Left)
		e.value("right", v.Right)
	case *Unary:
		e.put("$expr", "unary")
		e.put("op", v.Op)
		e.value("argument", v.Argument)
	case *Logical:
		e.put("$expr", "logical")
		e.put("op", v.Op)
		e.value("left", v.Left)
		e.value("right", v.Right)
	case *Conditional:
		e.put("$expr", "conditional")
		e.value("test", v.Test)
		e.value("consequent", v.Consequent)
		e.value("alternate", v.Alternate)
	case *ArrayExpr:
		e.put("$expr", "array")
		e.values("elements", v.Elements)
	case *ObjectExpr:
		e.put("$expr", "object")
		ps := make([]any, len(v.Properties))
		for i, f := range v.Properties {
			d, err := valueData(f.Value, depth+3)
			if err != nil {
				return nil, err
			}
			ps[i] = Object{{"key", f.Name}, {"value", d}}
		}
		e.put("properties", ps)
	case *Call:
		e.put("$expr", "call")
		e.put("callee", v.Callee)
		e.values("arguments", v.Arguments)
	case *MethodCall:
		e.put("$expr", "methodCall")
		e.value("object", v.Object)
		e.put("method", v.Method)
		e.values("arguments", v.Arguments)
		if v.Optional {
			e.put("optional", true)
		}
	case *Regex:
		return Object{{"$expr", "regex"}, {"pattern", v.Pattern}, {"flags", v.Flags}}, nil
	case *UnknownExpr:
		return v.Data, nil
	}
	if e.err != nil {
		return nil, e.err
	}
	return e.o, nil
}
