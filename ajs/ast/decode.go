package ast

import (
	"fmt"
	"strconv"
)

// Options say how a program is read.
type Options struct {
	Limits
	// Where names the place the program enters, for the version's message:
	// AgentVM.run.
	Where string
}

// Decode reads a program from JSON text.
func Decode(text []byte, opt Options) (*Program, error) {
	d, err := ParseData(text, opt.Limits)
	if err != nil {
		return nil, err
	}
	return FromData(d, opt)
}

// FromData reads a program from JSON data. The version is looked at before the
// root's shape.
func FromData(data any, opt Options) (*Program, error) {
	version, err := VersionOf(data, opt.Where)
	if err != nil {
		return nil, err
	}
	root, ok := data.(Object)
	if op, _ := root.Get("op"); !ok || op != "seq" {
		return nil, &Error{Kind: KindRoot, Message: MsgRoot}
	}
	d := newDecoder(version, opt.Limits)
	if err := d.checkData(root, 0); err != nil {
		return nil, err
	}
	p := &Program{Version: version}
	var pos any
	hasSteps := false
	for _, e := range root {
		switch e.Key {
		case "$ajs", "op":
		case "steps":
			hasSteps = true
			if p.Steps, err = d.steps(e.Value, d.path("steps"), 1); err != nil {
				return nil, err
			}
		case "inputSchema":
			p.InputSchema, p.HasInput = e.Value, true
		case "outputSchema":
			p.OutputSchema, p.HasOutput = e.Value, true
		case "helpers":
			if p.Helpers, err = d.helpers(e.Value); err != nil {
				return nil, err
			}
		case "$pos":
			pos = e.Value
		default:
			p.Extra = append(p.Extra, e)
		}
	}
	if !hasSteps {
		return nil, d.shape(d.path("steps"), "a seq has an array of steps")
	}
	if pos != nil {
		if err := p.setPositions(pos); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// StepsFromData reads a block of steps that an operation got as data.
func StepsFromData(data any, version int, lim Limits) ([]*Step, error) {
	d := newDecoder(version, lim)
	if err := d.checkData(data, 0); err != nil {
		return nil, err
	}
	return d.steps(data, d.path("steps"), 0)
}

// ValueFromData reads a value of a value position.
func ValueFromData(data any, version int, lim Limits) (Value, error) {
	d := newDecoder(version, lim)
	if err := d.checkData(data, 0); err != nil {
		return nil, err
	}
	return d.value(data, d.path("value"), 0)
}

func (p *Program) setPositions(v any) error {
	bad := &Error{Kind: KindShape, Path: "$pos", Message: "expected line and column of every step"}
	a, ok := v.([]any)
	if !ok {
		return bad
	}
	i := 0
	fits := true
	p.Walk(func(s *Step) {
		if i+1 >= len(a) {
			fits = false
			return
		}
		l, ok1 := a[i].(float64)
		c, ok2 := a[i+1].(float64)
		if !ok1 || !ok2 || l < 0 || c < 0 || l > 1<<30 || c > 1<<30 {
			fits = false
			return
		}
		s.Pos = Pos{int32(l), int32(c)}
		i += 2
	})
	if !fits || i != len(a) {
		return bad
	}
	return nil
}

type decoder struct {
	version int
	lim     Limits
	nodes   int
	data    int // values seen by checkData
}

func newDecoder(version int, lim Limits) *decoder {
	return &decoder{version: version, lim: lim.withDefaults()}
}

// place is the path to a place, as a chain that is written out only for an error.
type place struct {
	up   *place
	name string
	idx  int
}

func (d *decoder) path(name string) *place { return &place{name: name, idx: -1} }
func (a *place) dot(name string) *place    { return &place{up: a, name: name, idx: -1} }
func (a *place) index(i int) *place        { return &place{up: a, idx: i} }
func (d *decoder) shape(a *place, m string) error {
	return &Error{Kind: KindShape, Path: a.String(), Message: m}
}

// String writes the path, its middle left out when it is long.
func (a *place) String() string {
	var parts []string
	for ; a != nil; a = a.up {
		if a.name != "" {
			parts = append(parts, a.name)
		} else {
			parts = append(parts, "["+strconv.Itoa(a.idx)+"]")
		}
	}
	s := ""
	for i := len(parts) - 1; i >= 0; i-- {
		if len(parts) > 40 && i == len(parts)-21 {
			s += "…"
			i = 20
		}
		p := parts[i]
		if len(p) > 64 {
			p = cutText(p, 64) + "…"
		}
		if s != "" && p[0] != '[' {
			s += "."
		}
		s += p
	}
	return s
}

// cutText cuts at the border of a character.
func cutText(s string, n int) string {
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// enter counts a node and the depth it stands at.
//
//meter:guards
func (d *decoder) enter(depth int) error {
	if depth > d.lim.MaxDepth {
		return tooDeep(d.lim.MaxDepth)
	}
	if d.nodes++; d.nodes > d.lim.MaxNodes {
		return tooMany(d.lim.MaxNodes)
	}
	return nil
}

// checkData bounds data that is kept as it is, and refuses Go values that are
// no JSON data.
func (d *decoder) checkData(v any, depth int) error {
	if depth > d.lim.MaxDepth {
		return tooDeep(d.lim.MaxDepth)
	}
	if d.data++; d.data > d.lim.MaxNodes {
		return tooMany(d.lim.MaxNodes)
	}
	switch v := v.(type) {
	case nil, bool, float64, string:
		return nil
	case []any:
		for _, e := range v {
			if err := d.checkData(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case Object:
		for _, e := range v {
			if err := d.checkData(e.Value, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return &Error{Kind: KindShape, Message: fmt.Sprintf("a %T is no JSON data", v)}
}

func (d *decoder) helpers(v any) ([]Helper, error) {
	a := d.path("helpers")
	o, ok := v.(Object)
	if !ok {
		return nil, d.shape(a, "expected an object of helpers")
	}
	var out []Helper
	for _, e := range o {
		ha := a.dot(e.Key)
		ho, ok := e.Value.(Object)
		if !ok {
			return nil, d.shape(ha, "expected { steps, paramNames }")
		}
		h := Helper{Name: e.Key}
		steps, _ := ho.Get("steps")
		var err error
		if h.Steps, err = d.steps(steps, ha.dot("steps"), 3); err != nil {
			return nil, err
		}
		names, _ := ho.Get("paramNames")
		list, ok := names.([]any)
		if !ok {
			return nil, d.shape(ha.dot("paramNames"), "expected an array of names")
		}
		for i, n := range list {
			s, ok := n.(string)
			if !ok {
				return nil, d.shape(ha.dot("paramNames").index(i), "expected a name")
			}
			h.Params = append(h.Params, s)
		}
		h.Input, h.HasInput = ho.Get("inputSchema")
		h.Output, h.HasOutput = ho.Get("outputSchema")
		out = append(out, h)
	}
	return out, nil
}

func (d *decoder) steps(v any, a *place, depth int) ([]*Step, error) {
	if err := d.enter(depth); err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, d.shape(a, "expected an array of steps")
	}
	out := make([]*Step, 0, len(list))
	for i, e := range list {
		s, err := d.step(e, a.index(i), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// reader takes the fields of one object apart; what is not taken stays.
type reader struct {
	d     *decoder
	o     Object
	taken []bool
	at    *place
	depth int
	err   error
}

func (r *reader) take(key string) (any, bool) {
	for i := range r.o {
		if r.o[i].Key == key {
			r.taken[i] = true
			return r.o[i].Value, true
		}
	}
	return nil, false
}

func (r *reader) fail(key, msg string) {
	if r.err == nil {
		r.err = r.d.shape(r.at.dot(key), msg)
	}
}

// str reads a string field; one that is absent is an error if need is set.
func (r *reader) str(key string, need bool) string {
	v, ok := r.take(key)
	s, isStr := v.(string)
	if ok && !isStr || !ok && need {
		r.fail(key, "expected a string")
	}
	return s
}

// flag reads a field that only counts when it is true.
func (r *reader) flag(key string) bool {
	v, _ := r.take(key)
	return v == true
}

func (r *reader) value(key string) Value { return r.read(key, r.d.value) }
func (r *reader) node(key string) Value  { return r.read(key, r.d.node) }

func (r *reader) read(key string, f func(any, *place, int) (Value, error)) Value {
	v, ok := r.take(key)
	if !ok || r.err != nil {
		return nil
	}
	out, err := f(v, r.at.dot(key), r.depth+1)
	if err != nil {
		r.err = err
	}
	return out
}

// needNode is node, for a field that has to be there.
func (r *reader) needNode(key string) Value {
	v := r.node(key)
	if v == nil {
		r.fail(key, "expected an expression node")
	}
	return v
}

// list reads an array of values or nodes. Absent is nil, or an error if need.
func (r *reader) list(key string, need bool, f func(any, *place, int) (Value, error)) []Value {
	v, ok := r.take(key)
	if !ok && !need || r.err != nil {
		return nil
	}
	a, isList := v.([]any)
	if !isList {
		r.fail(key, "expected an array")
		return nil
	}
	out := make([]Value, 0, len(a))
	for i, e := range a {
		x, err := f(e, r.at.dot(key).index(i), r.depth+2)
		if err != nil {
			r.err = err
			return nil
		}
		out = append(out, x)
	}
	return out
}

// steps reads a block. Absent and null are nil, or an error if need.
func (r *reader) steps(key string, need bool) []*Step {
	v, _ := r.take(key)
	if v == nil && !need || r.err != nil {
		return nil
	}
	out, err := r.d.steps(v, r.at.dot(key), r.depth+1)
	if err != nil {
		r.err = err
	}
	return out
}

func (r *reader) keys() *Vars {
	v, _ := r.take("keys")
	vars := &Vars{}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			s, ok := e.(string)
			if !ok && r.err == nil {
				r.err = r.d.shape(r.at.dot("keys").index(i), "expected a name")
			}
			vars.Keys = append(vars.Keys, Key{s, s})
		}
	case Object:
		vars.Renamed = true
		for _, e := range v {
			s, ok := e.Value.(string)
			if !ok && r.err == nil {
				r.err = r.d.shape(r.at.dot("keys").dot(e.Key), "expected a name")
			}
			vars.Keys = append(vars.Keys, Key{e.Key, s})
		}
	default:
		r.fail("keys", "expected an array of names or an object of names")
	}
	return vars
}

func (d *decoder) step(v any, a *place, depth int) (*Step, error) {
	if err := d.enter(depth); err != nil {
		return nil, err
	}
	o, ok := v.(Object)
	if !ok {
		return nil, d.shape(a, "expected a step: { \"op\": …, … }")
	}
	r := &reader{d: d, o: o, taken: make([]bool, len(o)), at: a, depth: depth}
	s := &Step{Op: r.str("op", true)}
	s.Result = r.str("result", false)
	s.ResultConst = r.flag("resultConst")
	s.ResultAssign = r.flag("resultAssign")
	if r.err != nil {
		return nil, r.err
	}
	switch s.Op {
	case "seq", "scope":
		s.Body = &Block{r.steps("steps", true)}
	case "varsImport", "varsExport":
		s.Body = r.keys()
	case "varSet", "constSet", "varAssign":
		s.Body = &Assign{r.str("key", true), r.value("value")}
	case "varGet":
		s.Body = &VarGet{r.str("key", true)}
	case "if":
		s.Body = &If{r.node("condition"), r.steps("then", true), r.steps("else", false)}
	case "while":
		s.Body = &While{r.node("condition"), r.steps("body", true)}
	case "map":
		s.Body = &Map{r.value("items"), r.str("as", true), r.steps("steps", true), r.flag("loop")}
	case "filter", "find":
		s.Body = &Filter{r.value("items"), r.str("as", true), r.node("condition")}
	case "reduce":
		s.Body = &Reduce{r.value("items"), r.str("as", true), r.str("accumulator", true), r.value("initial"), r.steps("steps", true)}
	case "try":
		s.Body = &Try{r.steps("try", true), r.steps("catch", false), r.str("catchParam", false)}
	case "return":
		b := &Return{Value: r.value("value")}
		b.Schema, b.HasSchema = r.take("schema")
		s.Body = b
	case "evaluate":
		s.Body = &Evaluate{r.value("value")}
	case "callLocal":
		s.Body = &CallLocal{r.str("name", true), r.list("args", true, d.value)}
	case "Error":
		s.Body = &ErrorCall{r.list("args", false, d.value)}
	case "memoize", "cache":
		s.Body = &Keyed{r.value("key"), r.steps("steps", true), r.value("ttlMs")}
	default:
		atom := &Atom{}
		for i, e := range o {
			if r.taken[i] {
				continue
			}
			r.taken[i] = true
			v, err := d.value(e.Value, a.dot(e.Key), depth+1)
			if err != nil {
				return nil, err
			}
			atom.Inputs = append(atom.Inputs, Field{e.Key, v})
		}
		s.Body = atom
	}
	if r.err != nil {
		return nil, r.err
	}
	for i, e := range o {
		if r.taken[i] {
			continue
		}
		// A control field that was false says nothing.
		if (e.Key == "loop" || e.Key == "resultConst" || e.Key == "resultAssign") && e.Value == false {
			continue
		}
		s.Extra = append(s.Extra, e)
	}
	return s, nil
}

// value reads a value position.
func (d *decoder) value(v any, a *place, depth int) (Value, error) {
	if err := d.enter(depth); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case string:
		if d.version < 2 {
			return &Ref{v}, nil
		}
	case []any:
		out := make([]Value, len(v))
		plain := true
		for i, e := range v {
			x, err := d.value(e, a.index(i), depth+1)
			if err != nil {
				return nil, err
			}
			if _, ok := x.(*Lit); !ok {
				plain = false
			}
			out[i] = x
		}
		if !plain {
			return &List{out}, nil
		}
	case Object:
		if t, ok := v.Get("$expr"); ok {
			return d.expr(t, v, a, depth)
		}
		if k, _ := v.Get("$kind"); d.version < 2 && k == "arg" {
			if p, ok := v.Get("path"); ok {
				if s, ok := p.(string); ok {
					return &Arg{s}, nil
				}
			}
		}
		out := make([]Field, len(v))
		plain := true
		for i, e := range v {
			x, err := d.value(e.Value, a.dot(e.Key), depth+1)
			if err != nil {
				return nil, err
			}
			if _, ok := x.(*Lit); !ok {
				plain = false
			}
			out[i] = Field{e.Key, x}
		}
		if !plain {
			return &Record{out}, nil
		}
	}
	return &Lit{v}, nil
}

// node reads a node position: what isn't a node is data as it stands.
func (d *decoder) node(v any, a *place, depth int) (Value, error) {
	if err := d.enter(depth); err != nil {
		return nil, err
	}
	if o, ok := v.(Object); ok {
		if t, ok := o.Get("$expr"); ok {
			return d.expr(t, o, a, depth)
		}
	}
	return &Lit{v}, nil
}

func (d *decoder) expr(t any, o Object, a *place, depth int) (Value, error) {
	name, ok := t.(string)
	if !ok {
		b, err := AppendData(nil, t)
		if err != nil {
			return nil, err
		}
		return &UnknownExpr{string(b), o}, nil
	}
	r := &reader{d: d, o: o, taken: make([]bool, len(o)), at: a, depth: depth}
	var out Value
	switch name {
	case "literal":
		v, _ := r.take("value")
		out = &Literal{v}
	case "ident":
		out = &Ident{r.str("name", true)}
	case "member":
		m := &Member{Object: r.needNode("object"), Computed: r.flag("computed"), Optional: r.flag("optional")}
		switch p, _ := r.take("property"); p := p.(type) {
		case string:
			m.Property = p
		case Object:
			m.Key = r.needNode("property")
			m.Computed = true
		default:
			r.fail("property", "expected a name or an expression node")
		}
		out = m
	case "binary":
		out = &Binary{r.str("op", true), r.needNode("left"), r.needNode("right")}
	case "unary":
		out = &Unary{r.str("op", true), r.needNode("argument")}
	case "logical":
		out = &Logical{r.str("op", true), r.needNode("left"), r.needNode("right")}
	case "conditional":
		out = &Conditional{r.needNode("test"), r.needNode("consequent"), r.needNode("alternate")}
	case "array":
		out = &ArrayExpr{r.list("elements", true, d.node)}
	case "object":
		out = &ObjectExpr{r.properties()}
	case "call":
		out = &Call{r.str("callee", true), r.list("arguments", true, d.node)}
	case "methodCall":
		out = &MethodCall{r.needNode("object"), r.str("method", true), r.list("arguments", true, d.node), r.flag("optional")}
	case "regex":
		out = &Regex{r.str("pattern", true), r.str("flags", false)}
	default:
		out = &UnknownExpr{name, o}
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, nil
}

func (r *reader) properties() []Field {
	v, _ := r.take("properties")
	a, ok := v.([]any)
	if !ok {
		r.fail("properties", "expected an array of { key, value }")
		return nil
	}
	out := make([]Field, 0, len(a))
	for i, e := range a {
		at := r.at.dot("properties").index(i)
		o, _ := e.(Object)
		key, _ := o.Get("key")
		name, ok := key.(string)
		val, has := o.Get("value")
		if (!ok || !has) && r.err == nil {
			r.err = r.d.shape(at, "expected { key, value }")
		}
		if r.err != nil {
			return nil
		}
		x, err := r.d.node(val, at.dot("value"), r.depth+3)
		if err != nil {
			r.err = err
			return nil
		}
		out = append(out, Field{name, x})
	}
	return out
}
