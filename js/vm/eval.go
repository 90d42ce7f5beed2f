package vm

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// RunScript evaluates a script program: GlobalDeclarationInstantiation
// (§16.1.7), then the body. The value is the completion value if the program
// was compiled for one.
func (m *Machine) RunScript(p *bytecode.Program) (Value, error) {
	s := m.load(p)
	if err := m.declareGlobals(s); err != nil {
		return Undefined, err
	}
	return m.runBody(s, Undefined, Undefined, heap.ObjectValue(m.intrinsics[GlobalObject]))
}

// RunFunctionBody calls a program of the function-body goal with its
// parameters: the result is the promise of its async function.
func (m *Machine) RunFunctionBody(p *bytecode.Program, args ...Value) (Value, error) {
	s := m.load(p)
	f := m.newClosure(m.fnAt(s, 0), Undefined)
	return m.CallRooted(heap.ObjectValue(f), Undefined, args...)
}

// runBody runs function 0 of a program with a closure environment.
func (m *Machine) runBody(s *progState, env, newTarget, this Value) (Value, error) {
	f := m.newClosure(m.fnAt(s, 0), env)
	return m.CallRooted(heap.ObjectValue(f), this)
}

func (m *Machine) declareGlobals(s *progState) error {
	g, lex := m.intrinsics[GlobalObject], m.intrinsics[GlobalLex]
	p := s.p
	if err := m.Charge(len(p.GlobalLex) + len(p.GlobalVars) + len(p.GlobalHoists) + len(p.GlobalFuncs)); err != nil {
		return err
	}
	key := func(name string) (Key, error) { return m.H.KeyOfName(name) }
	hasLex := func(k Key) bool {
		_, _, ok := m.H.GetNamed(lex, k.Name())
		return ok
	}
	for _, l := range p.GlobalLex { //meter: charged above
		k, err := key(l.Name)
		if err != nil {
			return err
		}
		if hasLex(k) {
			return m.SyntaxError("Identifier '%s' has already been declared", l.Name)
		}
		// HasRestrictedGlobalProperty: a property that can't be configured.
		d, ok, err := m.GetOwnProperty(g, k)
		if err != nil {
			return err
		}
		if ok && d.Attrs&heap.Configurable == 0 {
			return m.SyntaxError("Identifier '%s' has already been declared", l.Name)
		}
	}
	for _, f := range p.GlobalFuncs { //meter: charged above
		k, err := key(f.Name)
		if err != nil {
			return err
		}
		if hasLex(k) {
			return m.SyntaxError("Identifier '%s' has already been declared", f.Name)
		}
		if err := m.canDeclareFunction(g, k, f.Name); err != nil {
			return err
		}
	}
	for _, name := range p.GlobalVars { //meter: charged above
		k, err := key(name)
		if err != nil {
			return err
		}
		if hasLex(k) {
			return m.SyntaxError("Identifier '%s' has already been declared", name)
		}
		has, err := m.HasOwn(g, k)
		if err != nil {
			return err
		}
		if ext, err := m.IsExtensible(g); !has && (err != nil || !ext) {
			return m.TypeError("Cannot define global variable '%s', global object is not extensible", name)
		}
	}
	if err := m.declareHoists(p.GlobalHoists, false); err != nil {
		return err
	}
	for _, l := range p.GlobalLex { //meter: charged above
		k, _ := key(l.Name) //meter: the same name as above, where it worked
		attrs := heap.Attrs(heap.Writable)
		if l.Const {
			attrs = 0
		}
		m.H.AddNamed(lex, k.Name(), Empty, attrs)
		m.H.Epoch++ // it may hide a global property that caches know
	}
	for _, f := range p.GlobalFuncs { //meter: charged above
		if err := m.declareFunction(g, f.Name, m.newClosure(m.fnAt(s, int(f.Func)), Undefined), false); err != nil {
			return err
		}
	}
	for _, name := range p.GlobalVars { //meter: charged above
		if err := m.declareVar(g, name, false); err != nil {
			return err
		}
	}
	return nil
}

func (m *Machine) canDeclareFunction(g Obj, k Key, name string) error {
	d, ok, err := m.GetOwnProperty(g, k)
	if err != nil {
		return err
	}
	if !ok {
		if ext, err := m.IsExtensible(g); err != nil || !ext {
			return m.TypeError("Cannot define global function '%s', object is not extensible", name)
		}
		return nil
	}
	if d.Attrs&heap.Configurable != 0 || !d.IsAccessor() && d.Attrs&(heap.Writable|heap.Enumerable) == heap.Writable|heap.Enumerable {
		return nil
	}
	return m.TypeError("Cannot redefine property: %s", name)
}

// declareFunction is CreateGlobalFunctionBinding (§9.1.1.4.18).
func (m *Machine) declareFunction(g Obj, name string, f Obj, deletable bool) error {
	k, err := m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	d, ok, err := m.GetOwnProperty(g, k)
	if err != nil {
		return err
	}
	nd := Desc{Value: heap.ObjectValue(f), Get: Empty, Set: Empty}
	if !ok || d.Attrs&heap.Configurable != 0 {
		nd = DataDesc(heap.ObjectValue(f), heap.Writable|heap.Enumerable)
		if deletable {
			nd.Attrs |= heap.Configurable
		}
	}
	if err := m.DefineOrThrow(g, k, nd); err != nil {
		return err
	}
	return m.Put(g, k, heap.ObjectValue(f))
}

// declareVar is CreateGlobalVarBinding (§9.1.1.4.17).
func (m *Machine) declareVar(g Obj, name string, deletable bool) error {
	k, err := m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	has, err := m.HasOwn(g, k)
	if err != nil || has {
		return err
	}
	attrs := heap.Attrs(heap.Writable | heap.Enumerable)
	if deletable {
		attrs |= heap.Configurable
	}
	return m.DefineOrThrow(g, k, DataDesc(Undefined, attrs))
}

// declareHoists declares the variables of functions that Annex B hoists to the
// global scope (§B.3.2.2, §B.3.2.3), where nothing stands in the way.
func (m *Machine) declareHoists(names []string, deletable bool) error {
	g, lex := m.intrinsics[GlobalObject], m.intrinsics[GlobalLex]
	for _, name := range names { //meter: charged by source length
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return err
		}
		if _, _, ok := m.H.GetNamed(lex, k.Name()); ok {
			continue
		}
		has, err := m.HasOwn(g, k)
		if err != nil {
			return err
		}
		if ext, err := m.IsExtensible(g); !has && (err != nil || !ext) {
			continue
		}
		if err := m.declareVar(g, name, deletable); err != nil {
			return err
		}
	}
	return nil
}

// source takes the text of an eval or Function argument.
func (m *Machine) source(s Str) (string, error) {
	limit := m.opt.MaxSourceBytes
	if limit == 0 {
		limit = 1 << 20
	}
	n := m.H.Len(s)
	if n > limit {
		return "", m.RangeError("The source text is too long: %d characters, the limit is %d", n, limit)
	}
	if err := m.Charge(n / 4); err != nil {
		return "", err
	}
	if err := m.Hold(int64(n) * 2); err != nil {
		return "", err
	}
	b, err := m.H.AppendString(nil, s)
	return string(b), err
}

// IndirectEval is PerformEval for eval called by another name (§19.2.1.1).
func (m *Machine) IndirectEval(v Value) (Value, error) {
	if !v.IsString() {
		return v, nil
	}
	p, err := m.compileEval(v, nil)
	if err != nil {
		return Undefined, err
	}
	s := m.loadHere(p)
	g := m.intrinsics[GlobalObject]
	if len(p.GlobalVars)+len(p.GlobalFuncs)+len(p.GlobalHoists) > 0 {
		if err := m.declareEvalGlobals(s); err != nil {
			return Undefined, err
		}
	}
	v, err = m.runBody(s, Undefined, Undefined, heap.ObjectValue(g))
	m.unload(s)
	return v, err
}

func (m *Machine) compileEval(v Value, outer *bytecode.Scope) (*bytecode.Program, error) {
	if m.opt.NoEval {
		return nil, m.EvalError("Code generation from strings disallowed for this context")
	}
	src, err := m.source(v.AsStr())
	if err != nil {
		return nil, err
	}
	if err := m.meter.EnterNative(); err != nil {
		return nil, err
	}
	defer m.meter.LeaveNative()
	held := m.held
	p, err := m.compile.Eval(m, src, outer)
	m.letGo(held)
	return p, err
}

// directEval is PerformEval for a direct eval: the code runs in the given
// environment, which scope describes.
func (m *Machine) directEval(v, env Value, scope *bytecode.Scope) (Value, error) {
	if !v.IsString() {
		return v, nil
	}
	p, err := m.compileEval(v, scope)
	if err != nil {
		return Undefined, err
	}
	s := m.loadHere(p)
	s.outer = scope
	if len(p.GlobalVars)+len(p.GlobalFuncs)+len(p.GlobalHoists) > 0 {
		// Variables that go to the global object; those of functions are
		// declared by the code itself.
		if err := m.declareEvalGlobals(s); err != nil {
			return Undefined, err
		}
	}
	v, err = m.runBody(s, env, Undefined, Undefined)
	m.unload(s)
	return v, err
}

// declareEvalGlobals is EvalDeclarationInstantiation for global code.
func (m *Machine) declareEvalGlobals(s *progState) error {
	g, lex := m.intrinsics[GlobalObject], m.intrinsics[GlobalLex]
	p := s.p
	check := func(name string) (Key, error) {
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return 0, err
		}
		if _, _, ok := m.H.GetNamed(lex, k.Name()); ok {
			return 0, m.SyntaxError("Identifier '%s' has already been declared", name)
		}
		return k, nil
	}
	for _, f := range p.GlobalFuncs { //meter: charged by source length
		k, err := check(f.Name)
		if err != nil {
			return err
		}
		if err := m.canDeclareFunction(g, k, f.Name); err != nil {
			return err
		}
	}
	for _, name := range p.GlobalVars { //meter: charged by source length
		k, err := check(name)
		if err != nil {
			return err
		}
		has, err := m.HasOwn(g, k)
		if err != nil {
			return err
		}
		if ext, err := m.IsExtensible(g); !has && (err != nil || !ext) {
			return m.TypeError("Cannot define global variable '%s', global object is not extensible", name)
		}
	}
	if err := m.declareHoists(p.GlobalHoists, true); err != nil {
		return err
	}
	for _, f := range p.GlobalFuncs { //meter: charged by source length
		if err := m.declareFunction(g, f.Name, m.newClosure(m.fnAt(s, int(f.Func)), Undefined), true); err != nil {
			return err
		}
	}
	for _, name := range p.GlobalVars { //meter: charged by source length
		if err := m.declareVar(g, name, true); err != nil {
			return err
		}
	}
	return nil
}

// CreateDynamicFunction is CreateDynamicFunction (§20.2.1.1.1) for one of
// "function", "function*", "async function" and "async function*".
func (m *Machine) CreateDynamicFunction(kind string, c Call) (Value, error) {
	parts := make([]string, 0, len(c.Args))
	total := 0
	for _, a := range c.Args {
		if err := m.Charge(1); err != nil {
			return Undefined, err
		}
		s, err := m.ToString(a)
		if err != nil {
			return Undefined, err
		}
		if m.opt.NoEval {
			return Undefined, m.EvalError("Code generation from strings disallowed for this context")
		}
		src, err := m.source(s)
		if err != nil {
			return Undefined, err
		}
		limit := m.opt.MaxSourceBytes
		if limit == 0 {
			limit = 1 << 20
		}
		if total += len(src); total > limit {
			return Undefined, m.RangeError("The source text is too long, the limit is %d characters", limit)
		}
		parts = append(parts, src)
	}
	if m.opt.NoEval {
		return Undefined, m.EvalError("Code generation from strings disallowed for this context")
	}
	body := ""
	if n := len(parts); n > 0 {
		body, parts = parts[n-1], parts[:n-1]
	}
	if err := m.meter.EnterNative(); err != nil {
		return Undefined, err
	}
	held := m.held
	params := strings.Join(parts, ",")
	p, err := m.compile.Function(m, kind, params, body)
	m.letGo(held)
	m.meter.LeaveNative()
	if err != nil {
		return Undefined, err
	}
	s := m.loadHere(p)
	s.dynamic, s.params = true, len(params)
	f, err := m.runBody(s, Undefined, Undefined, Undefined)
	if err != nil {
		return Undefined, err
	}
	def := FunctionPrototype
	switch kind {
	case "function*":
		def = GeneratorFunctionPrototype
	case "async function":
		def = AsyncFunctionPrototype
	case "async function*":
		def = AsyncGeneratorFunctionPrototype
	}
	if c.NewTarget != Undefined && c.NewTarget != heap.ObjectValue(c.Callee) {
		proto, err := m.PrototypeFromConstructor(c.NewTarget, def)
		if err != nil {
			return Undefined, err
		}
		if _, err := m.SetPrototypeOf(f.AsObj(), proto); err != nil {
			return Undefined, err
		}
	}
	return f, nil
}
