package vm

import (
	"cmp"
	"errors"
	"slices"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/meter"
)

// ModuleSource is what a host gives for a module specifier.
type ModuleSource struct {
	// Key identifies the module: two specifiers with the same Key are the
	// same module.
	Key string
	// Program is the compiled module, or nil for a synthetic one.
	Program *bytecode.Program
	// Default makes the default export of a synthetic module (JSON).
	Default func(m *Machine) (Value, error)
	// Source makes the module source object, which `import source` imports:
	// see NewModuleSource. Nil for a module without one, as all Source Text
	// Module Records are.
	Source func(m *Machine) (Obj, error)
}

// ErrModuleNotFound is returned by a host's LoadModule for a specifier that it
// doesn't know.
var ErrModuleNotFound = errors.New("module not found")

type moduleStatus int

const (
	moduleNew moduleStatus = iota
	moduleUnlinked
	moduleLinking
	moduleLinked
	moduleEvaluating
	moduleEvaluatingAsync
	moduleEvaluated
)

// moduleRecord is a Cyclic Module Record (§16.2.1.5).
type moduleRecord struct {
	index     int
	source    ModuleSource
	prog      *progState
	env       Value
	requested []*moduleRecord
	imports   []binding
	namespace Obj
	deferred  Obj   // the namespace that evaluates the module when it is read
	names     []Key // of the namespaces, sorted
	bindings  []binding
	listed    bool // names and bindings are filled in
	sourceObj Obj  // the module source object, made when first imported

	status          moduleStatus
	loading         bool
	failed          bool
	err             Value
	dfsIndex, dfsAn int
	cycleRoot       *moduleRecord
	asyncOrder      int // 0 = not async
	pending         int
	asyncParents    []*moduleRecord
	promise         Obj // of the evaluation, on a cycle root
}

// binding is a resolved binding: a slot of a module's environment, or one of
// the objects that stand for a module.
type binding struct {
	module *moduleRecord
	slot   int
}

// What a binding means instead of a slot.
const (
	slotNamespace = -1 - iota
	slotDeferred
	slotSource
)

// importSlot is the slot of an import that is no binding of a module.
func (r *moduleRecord) importSlot(im *bytecode.Import) int {
	switch {
	case im.Source:
		return slotSource
	case r.prog.p.Requests[im.Request].Phase == syntax.PhaseDefer:
		return slotDeferred
	}
	return slotNamespace
}

// phase is the phase in which a module requests its i-th module.
func (r *moduleRecord) phase(i int) syntax.ImportPhase { return r.prog.p.Requests[i].Phase }

func (r *moduleRecord) mark(h *heap.Heap) {
	h.Mark(r.env)
	h.MarkObj(r.namespace)
	h.MarkObj(r.deferred)
	h.MarkObj(r.sourceObj)
	h.Mark(r.err)
	h.MarkObj(r.promise)
	for _, k := range r.names { //meter: collector
		h.MarkStr(k.Name())
	}
}

// LoadedModule is a module of this run.
type LoadedModule struct{ r *moduleRecord }

// AddModule makes a program known as a module of the run and loads what it
// imports.
func (m *Machine) AddModule(src ModuleSource) (LoadedModule, error) {
	r, err := m.addModule(src, syntax.PhaseEvaluation, 0)
	return LoadedModule{r}, err
}

// maxModules is how many modules a run may load.
const maxModules = 10_000

// addModule finds or makes the record of a module. What the module imports is
// loaded with it, unless only its source is asked for.
func (m *Machine) addModule(src ModuleSource, phase syntax.ImportPhase, depth int) (*moduleRecord, error) {
	for _, r := range m.modules {
		if err := m.Charge(1); err != nil {
			return nil, err
		}
		if r.source.Key == src.Key && (src.Program == nil) == (r.source.Program == nil) {
			return r, m.loadRequested(r, phase, depth)
		}
	}
	if len(m.modules) >= maxModules {
		return nil, m.RangeError("Too many modules")
	}
	r := &moduleRecord{index: len(m.modules), source: src, env: Undefined, err: Undefined, status: moduleNew}
	if err := m.meter.Grow(512); err != nil {
		return nil, err
	}
	m.modules = append(m.modules, r)
	if src.Program == nil {
		env, err := m.H.NewEnv(Undefined, 1)
		if err != nil {
			return nil, err
		}
		r.env = env
		r.status = moduleUnlinked
		return r, nil
	}
	r.prog = m.load(src.Program)
	r.prog.module = r
	return r, m.loadRequested(r, phase, depth)
}

// loadRequested is InnerModuleLoading (§16.2.1.6.1.1.1): it loads what a new
// module requests.
func (m *Machine) loadRequested(r *moduleRecord, phase syntax.ImportPhase, depth int) error {
	if phase == syntax.PhaseSource || r.status != moduleNew || r.loading || r.failed {
		return nil
	}
	if depth > 1000 {
		return m.RangeError("Too many modules")
	}
	r.loading = true
	defer func() { r.loading = false }()
	for _, q := range r.prog.p.Requests { //meter: charged by source length
		dep, err := m.fetchModule(r.prog.p.Name, q.Specifier, q.Attributes, q.Phase, depth+1)
		if err != nil {
			r.failed = true
			return err
		}
		r.requested = append(r.requested, dep)
	}
	r.status = moduleUnlinked
	return nil
}

func (m *Machine) fetchModule(referrer, specifier string, attributes [][2]string, phase syntax.ImportPhase, depth int) (*moduleRecord, error) {
	if m.opt.LoadModule == nil {
		return nil, m.TypeError("Cannot find module '%s': this program may not import other modules", specifier)
	}
	src, err := m.opt.LoadModule(referrer, specifier, attributes)
	if err != nil {
		var se *syntax.SyntaxError
		switch {
		case meter.IsLimit(err), errors.As(err, &se):
			return nil, err
		case errors.Is(err, ErrModuleNotFound):
			return nil, m.TypeError("Cannot find module '%s'", specifier)
		}
		var own *ModuleError
		if errors.As(err, &own) {
			return nil, m.TypeError("%s", own.Message)
		}
		return nil, m.TypeError("Cannot load module '%s': %s", specifier, err.Error())
	}
	return m.addModule(src, phase, depth)
}

// ModuleError is an error of Options.LoadModule whose message is the whole of what
// the program gets.
type ModuleError struct{ Message string }

func (e *ModuleError) Error() string { return e.Message }

// Link is Link (§16.2.1.5.1) of a module and everything it imports.
func (m *Machine) Link(mod LoadedModule) error {
	index := 0
	var stack []*moduleRecord
	if err := m.innerLink(mod.r, &stack, &index); err != nil {
		for _, r := range stack { //meter: modules of the run
			r.status = moduleUnlinked
		}
		return err
	}
	return nil
}

func (m *Machine) innerLink(r *moduleRecord, stack *[]*moduleRecord, index *int) error {
	if r.status >= moduleLinking {
		return nil
	}
	if r.status == moduleNew {
		return m.SyntaxError("A module that '%s' imports could not be loaded", r.source.Key)
	}
	if err := m.meter.EnterNative(); err != nil {
		return err
	}
	defer m.meter.LeaveNative()
	r.status = moduleLinking
	r.dfsIndex, r.dfsAn = *index, *index
	*index++
	*stack = append(*stack, r)
	for i, q := range r.requested { //meter: charged by source length
		if r.phase(i) == syntax.PhaseSource {
			continue
		}
		if err := m.innerLink(q, stack, index); err != nil {
			return err
		}
		if q.status == moduleLinking {
			r.dfsAn = min(r.dfsAn, q.dfsAn)
		}
	}
	if err := m.initializeEnvironment(r); err != nil {
		return err
	}
	if r.dfsAn == r.dfsIndex {
		for { //meter: modules of the run
			q := (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			q.status = moduleLinked
			if q == r {
				break
			}
		}
	}
	return nil
}

// initializeEnvironment is InitializeEnvironment (§16.2.1.6.4).
func (m *Machine) initializeEnvironment(r *moduleRecord) error {
	if r.prog == nil {
		return nil
	}
	p := r.prog.p
	for _, e := range p.Exports { //meter: charged by source length
		if e.Slot < 0 && !e.Star {
			b, err := m.resolveExport(r, e.Name, nil)
			if err != nil {
				return err
			}
			if b.module == nil {
				return m.SyntaxError("The requested module '%s' does not provide an export named '%s'", m.requestName(r, e), e.From)
			}
		}
	}
	env, err := m.H.NewEnv(Undefined, p.EnvSlots)
	if err != nil {
		return err
	}
	r.env = env
	r.imports = make([]binding, len(p.Imports))
	for i, im := range p.Imports { //meter: charged by source length
		q := r.requested[im.Request]
		b := binding{q, r.importSlot(&im)}
		if !im.Namespace && !im.Source {
			var err error
			if b, err = m.resolveExport(q, im.Name, nil); err != nil {
				return err
			}
			if b.module == nil {
				return m.SyntaxError("The requested module '%s' does not provide an export named '%s'", p.Requests[im.Request].Specifier, im.Name)
			}
		}
		if b.slot == slotSource {
			if _, err := m.moduleSource(b.module); err != nil {
				return err
			}
		}
		r.imports[i] = b
	}
	if p.Init > 0 {
		f := m.newClosure(m.fnAt(r.prog, p.Init), r.env)
		_, err := m.Call(heap.ObjectValue(f), Undefined)
		return err
	}
	return nil
}

func (m *Machine) requestName(r *moduleRecord, e bytecode.Export) string {
	p := r.prog.p
	switch {
	case e.Request >= 0:
		return p.Requests[e.Request].Specifier
	case e.Import >= 0:
		return p.Requests[p.Imports[e.Import].Request].Specifier
	}
	return p.Name
}

type exportName struct {
	r    *moduleRecord
	name string
}

// resolveExport is ResolveExport (§16.2.1.6.3): a nil module when there is no
// such export or it is ambiguous.
func (m *Machine) resolveExport(r *moduleRecord, name string, seen []exportName) (binding, error) {
	b, _, err := m.resolve(r, name, &seen)
	return b, err
}

func (m *Machine) resolve(r *moduleRecord, name string, seen *[]exportName) (b binding, ambiguous bool, err error) {
	if err := m.meter.EnterNative(); err != nil {
		return binding{}, false, err
	}
	defer m.meter.LeaveNative()
	if err := m.Charge(1 + len(*seen)); err != nil {
		return binding{}, false, err
	}
	for _, s := range *seen { //meter: charged above
		if s.r == r && s.name == name {
			return binding{}, false, nil
		}
	}
	*seen = append(*seen, exportName{r, name})
	if r.prog == nil {
		if name == "default" {
			return binding{r, 0}, false, nil
		}
		return binding{}, false, nil
	}
	p := r.prog.p
	if err := m.Charge(len(p.Exports) / 8); err != nil {
		return binding{}, false, err
	}
	for _, e := range p.Exports { //meter: charged above
		if e.Star || e.Name != name {
			continue
		}
		switch {
		case e.Slot >= 0:
			return binding{r, e.Slot}, false, nil
		case e.Import >= 0:
			im := p.Imports[e.Import]
			if im.Namespace || im.Source {
				return binding{r.requested[im.Request], r.importSlot(&im)}, false, nil
			}
			return m.resolve(r.requested[im.Request], im.Name, seen)
		case e.Namespace:
			return binding{r.requested[e.Request], slotNamespace}, false, nil
		}
		return m.resolve(r.requested[e.Request], e.From, seen)
	}
	if name == "default" {
		return binding{}, false, nil
	}
	var found binding
	for _, e := range p.Exports { //meter: charged by source length
		if !e.Star {
			continue
		}
		b, amb, err := m.resolve(r.requested[e.Request], name, seen)
		if err != nil || amb {
			return binding{}, amb, err
		}
		if b.module == nil {
			continue
		}
		if found.module == nil {
			found = b
		} else if found != b {
			return binding{}, true, nil
		}
	}
	return found, false, nil
}

// exportedNames is GetExportedNames (§16.2.1.6.2).
func (m *Machine) exportedNames(r *moduleRecord, seen map[*moduleRecord]bool, add func(string)) error {
	if seen[r] {
		return nil
	}
	seen[r] = true
	if err := m.meter.EnterNative(); err != nil {
		return err
	}
	defer m.meter.LeaveNative()
	if r.prog == nil {
		add("default")
		return nil
	}
	for _, e := range r.prog.p.Exports { //meter: charged by source length
		if err := m.Charge(1); err != nil {
			return err
		}
		if !e.Star {
			add(e.Name)
			continue
		}
		if e.Request < 0 {
			continue
		}
		err := m.exportedNames(r.requested[e.Request], seen, func(n string) {
			if n != "default" {
				add(n)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// getImport reads an imported binding.
func (m *Machine) getImport(fn *fnState, i int) (Value, error) {
	v, err := m.readBinding(fn.prog.module.imports[i])
	if v == Empty && err == nil {
		return Undefined, m.ReferenceError("Cannot access '%s' before initialization", fn.prog.p.Imports[i].Local)
	}
	return v, err
}

// readBinding reads a resolved binding: Empty when it is not initialised.
func (m *Machine) readBinding(b binding) (Value, error) {
	var o Obj
	var err error
	switch b.slot {
	case slotNamespace:
		o, err = m.moduleNamespace(b.module, false)
	case slotDeferred:
		o, err = m.moduleNamespace(b.module, true)
	case slotSource:
		o, err = m.moduleSource(b.module)
	default:
		if !b.module.env.IsEnv() {
			return Empty, nil
		}
		return m.H.Word(b.module.env.AsBlock(), b.slot+1), nil
	}
	return heap.ObjectValue(o), err
}

// Evaluate is Evaluate (§16.2.1.5.3): the promise of the module's evaluation.
func (m *Machine) Evaluate(mod LoadedModule) (Obj, error) {
	r := mod.r
	if (r.status == moduleEvaluatingAsync || r.status == moduleEvaluated) && r.cycleRoot != nil {
		r = r.cycleRoot
	}
	if r.promise != 0 {
		return r.promise, nil
	}
	r.promise = m.NewPromise()
	var stack []*moduleRecord
	index := 0
	err := m.innerEvaluate(r, &stack, &index)
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return 0, err
		}
		for _, q := range stack { //meter: modules of the run
			q.status, q.failed, q.err = moduleEvaluated, true, exc
			q.cycleRoot = q
		}
		if !r.failed {
			r.status, r.failed, r.err = moduleEvaluated, true, exc
		}
		m.RejectPromise(r.promise, exc)
		return r.promise, nil
	}
	if r.asyncOrder == 0 {
		return r.promise, m.ResolvePromise(r.promise, Undefined)
	}
	return r.promise, nil
}

// innerEvaluate is InnerModuleEvaluation (§16.2.1.5.3.1).
func (m *Machine) innerEvaluate(r *moduleRecord, stack *[]*moduleRecord, index *int) error {
	if r.status >= moduleEvaluatingAsync {
		if r.failed {
			return m.Throw(r.err)
		}
		return nil
	}
	if r.status == moduleEvaluating {
		return nil
	}
	if err := m.meter.EnterNative(); err != nil {
		return err
	}
	defer m.meter.LeaveNative()
	if err := m.Charge(1); err != nil {
		return err
	}
	r.status = moduleEvaluating
	r.dfsIndex, r.dfsAn = *index, *index
	r.pending = 0
	*index++
	*stack = append(*stack, r)
	list, err := m.evaluationList(r)
	if err != nil {
		return err
	}
	for _, q := range list { //meter: charged by source length
		if err := m.innerEvaluate(q, stack, index); err != nil {
			return err
		}
		if q.status == moduleEvaluating {
			r.dfsAn = min(r.dfsAn, q.dfsAn)
		} else {
			if q.cycleRoot != nil {
				q = q.cycleRoot
			}
			if q.failed {
				return m.Throw(q.err)
			}
		}
		if q.asyncOrder > 0 && q.status != moduleEvaluated {
			r.pending++
			q.asyncParents = append(q.asyncParents, r)
		}
	}
	switch {
	case r.pending > 0 || r.prog != nil && r.prog.p.HasTLA:
		m.asyncModules++
		r.asyncOrder = m.asyncModules
		if r.pending == 0 {
			if err := m.executeAsync(r); err != nil {
				return err
			}
		}
	default:
		if err := m.executeModule(r); err != nil {
			return err
		}
	}
	if r.dfsAn == r.dfsIndex {
		for { //meter: modules of the run
			q := (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			q.status = moduleEvaluated
			if q.asyncOrder > 0 {
				q.status = moduleEvaluatingAsync
			}
			q.cycleRoot = r
			if q == r {
				break
			}
		}
	}
	return nil
}

// executeModule runs the body of a module without top-level await.
func (m *Machine) executeModule(r *moduleRecord) error {
	if r.prog == nil {
		v, err := r.source.Default(m)
		if err != nil {
			return err
		}
		m.H.SetWord(r.env.AsBlock(), 1, v)
		return nil
	}
	_, err := m.runBody(r.prog, r.env, Undefined, Undefined)
	return err
}

// executeAsync is ExecuteAsyncModule (§16.2.1.5.3.2).
func (m *Machine) executeAsync(r *moduleRecord) error {
	p, err := m.runBody(r.prog, r.env, Undefined, Undefined)
	if err != nil {
		return err
	}
	data := heap.NumberValue(uint32(r.index))
	ok := m.NewNative(m.intrinsics[ModuleFulfilled], data, 0, 0)
	bad := m.NewNative(m.intrinsics[ModuleRejected], data, 1, 0)
	return m.PerformThen(p.AsObj(), heap.ObjectValue(ok), heap.ObjectValue(bad), noCapability)
}

func (b *Builder) setupModules() {
	b.Set(ModuleFulfilled, b.Func("", 0, func(m *Machine, c Call) (Value, error) {
		return Undefined, m.asyncModuleFulfilled(m.modules[m.NativeData(c.Callee).AsNumber()])
	}))
	b.Set(ModuleRejected, b.Func("", 1, func(m *Machine, c Call) (Value, error) {
		return Undefined, m.asyncModuleRejected(m.modules[m.NativeData(c.Callee).AsNumber()], c.Arg(0))
	}))
	b.setupDynamicImport()
}

// asyncModuleFulfilled is AsyncModuleExecutionFulfilled (§16.2.1.5.3.4).
func (m *Machine) asyncModuleFulfilled(r *moduleRecord) error {
	if r.status == moduleEvaluated {
		return nil
	}
	r.status = moduleEvaluated
	if r.promise != 0 {
		if err := m.ResolvePromise(r.promise, Undefined); err != nil {
			return err
		}
	}
	var ready []*moduleRecord
	if err := m.gatherAvailable(r, &ready); err != nil {
		return err
	}
	// In the order in which they became async.
	slices.SortFunc(ready, func(a, b *moduleRecord) int { return cmp.Compare(a.asyncOrder, b.asyncOrder) })
	for _, q := range ready { //meter: modules of the run
		switch {
		case q.status == moduleEvaluated:
		case q.prog != nil && q.prog.p.HasTLA:
			if err := m.executeAsync(q); err != nil {
				return err
			}
		default:
			err := m.executeModule(q)
			if err != nil {
				exc, ok := m.Caught(err)
				if !ok {
					return err
				}
				if err := m.asyncModuleRejected(q, exc); err != nil {
					return err
				}
				continue
			}
			q.status = moduleEvaluated
			if q.promise != 0 {
				if err := m.ResolvePromise(q.promise, Undefined); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// gatherAvailable is GatherAvailableAncestors (§16.2.1.5.3.3).
func (m *Machine) gatherAvailable(r *moduleRecord, out *[]*moduleRecord) error {
	if err := m.meter.EnterNative(); err != nil {
		return err
	}
	defer m.meter.LeaveNative()
	for _, p := range r.asyncParents {
		if err := m.Charge(1 + len(*out)/16); err != nil {
			return err
		}
		root := p
		if p.cycleRoot != nil {
			root = p.cycleRoot
		}
		if root.failed {
			continue
		}
		dup := false
		for _, q := range *out { //meter: charged above
			dup = dup || q == p
		}
		if dup {
			continue
		}
		p.pending--
		if p.pending == 0 {
			*out = append(*out, p)
			if p.prog == nil || !p.prog.p.HasTLA {
				if err := m.gatherAvailable(p, out); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// asyncModuleRejected is AsyncModuleExecutionRejected (§16.2.1.5.3.5).
func (m *Machine) asyncModuleRejected(r *moduleRecord, exc Value) error {
	if r.status == moduleEvaluated {
		return nil
	}
	if err := m.meter.EnterNative(); err != nil {
		return err
	}
	defer m.meter.LeaveNative()
	r.status, r.failed, r.err = moduleEvaluated, true, exc
	if r.promise != 0 {
		m.RejectPromise(r.promise, exc)
	}
	for _, p := range r.asyncParents { //meter: modules of the run
		if err := m.asyncModuleRejected(p, exc); err != nil {
			return err
		}
	}
	return nil
}

// noCapability is that of a reaction whose result nobody asks for.
var noCapability = Capability{Promise: Undefined, Resolve: Undefined, Reject: Undefined}

// importMeta is import.meta: an object of its own for each module.
func (m *Machine) importMeta(fn *fnState) (Value, error) {
	if fn.prog.meta == 0 {
		fn.prog.meta = m.NewWithProto(0)
	}
	return heap.ObjectValue(fn.prog.meta), nil
}
