package ast

// WalkValue calls f for a value and every value in it, outer before inner.
func WalkValue(v Value, f func(Value)) { walkValue(v, f, 0) }

func walkValue(v Value, f func(Value), depth int) {
	if v == nil || depth > DefaultMaxDepth {
		return
	}
	f(v)
	Parts(v, func(x Value) { walkValue(x, f, depth+1) })
}

// Parts calls f for the values directly in a value, in order.
func Parts(v Value, f func(Value)) {
	switch v := v.(type) {
	case *List:
		each(v.Items, f)
	case *Record:
		fields(v.Fields, f)
	case *Member:
		f(v.Object)
		if v.Key != nil {
			f(v.Key)
		}
	case *Binary:
		f(v.Left)
		f(v.Right)
	case *Unary:
		f(v.Argument)
	case *Logical:
		f(v.Left)
		f(v.Right)
	case *Conditional:
		f(v.Test)
		f(v.Consequent)
		f(v.Alternate)
	case *ArrayExpr:
		each(v.Elements, f)
	case *ObjectExpr:
		fields(v.Properties, f)
	case *Call:
		each(v.Arguments, f)
	case *MethodCall:
		f(v.Object)
		each(v.Arguments, f)
	}
}

func each(vs []Value, f func(Value)) {
	for _, v := range vs {
		f(v)
	}
}

func fields(fs []Field, f func(Value)) {
	for _, x := range fs {
		f(x.Value)
	}
}

// Values calls f for each value directly in a step, in order.
func (s *Step) Values(f func(Value)) {
	one := func(v Value) {
		if v != nil {
			f(v)
		}
	}
	switch b := s.Body.(type) {
	case *Assign:
		one(b.Value)
	case *If:
		one(b.Condition)
	case *While:
		one(b.Condition)
	case *Map:
		one(b.Items)
	case *Filter:
		one(b.Items)
		one(b.Condition)
	case *Reduce:
		one(b.Items)
		one(b.Initial)
	case *Return:
		one(b.Value)
	case *Evaluate:
		one(b.Value)
	case *CallLocal:
		each(b.Args, f)
	case *ErrorCall:
		each(b.Args, f)
	case *Keyed:
		one(b.Key)
		one(b.TTL)
	case *Atom:
		fields(b.Inputs, f)
	}
}

// Check returns an error if a program that was built rather than read is nested
// more deeply than one that is read may be.
func (p *Program) Check() error {
	if !fitsSteps(p.Steps, 2) {
		return tooDeep(DefaultMaxDepth)
	}
	for i := range p.Helpers {
		if !fitsSteps(p.Helpers[i].Steps, 4) {
			return tooDeep(DefaultMaxDepth)
		}
	}
	return nil
}

func fitsSteps(steps []*Step, depth int) bool {
	if depth > DefaultMaxDepth {
		return false
	}
	ok := true
	for _, s := range steps {
		s.Values(func(v Value) { ok = ok && fitsValue(v, depth+2) })
		s.Blocks(func(b []*Step) { ok = ok && fitsSteps(b, depth+2) })
		if !ok {
			return false
		}
	}
	return true
}

// fitsValue counts the levels that a value has as JSON.
func fitsValue(v Value, depth int) bool {
	if depth > DefaultMaxDepth {
		return false
	}
	ok := true
	switch v := v.(type) {
	case nil:
	case *Lit:
		return fitsData(v.Data, depth)
	case *Literal:
		return fitsData(v.Data, depth+1)
	case *ObjectExpr:
		depth += 2
	case *ArrayExpr, *Call, *MethodCall:
		depth++
	}
	Parts(v, func(x Value) { ok = ok && fitsValue(x, depth+1) })
	return ok
}

func fitsData(v any, depth int) bool {
	if depth > DefaultMaxDepth {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !fitsData(e, depth+1) {
				return false
			}
		}
	case Object:
		for _, e := range v {
			if !fitsData(e.Value, depth+1) {
				return false
			}
		}
	}
	return true
}
