package vm

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// The state of an import() in flight, a block of values.
const (
	importModule   = iota // the number of the module
	importPromise         // of the import()
	importDeferred        // whether it is an import.defer()
	importPending         // import.defer(): how many evaluations are waited for
	importAll             // … and the promise that all of them are done
	importWords
)

// dynamicImport is import(), import.defer() or import.source() (§13.3.10).
func (m *Machine) dynamicImport(fn *fnState, spec, options Value, phase syntax.ImportPhase) (Value, error) {
	p := m.NewPromise()
	at := m.Root(heap.ObjectValue(p))
	m.noGC++
	err := m.startImport(fn, spec, options, phase, p)
	m.noGC--
	m.PopRoots(at)
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return Undefined, err
		}
		m.RejectPromise(p, exc)
	}
	return heap.ObjectValue(p), nil
}

func (m *Machine) startImport(fn *fnState, spec, options Value, phase syntax.ImportPhase, p Obj) error {
	name, err := m.GoString(spec)
	if err != nil {
		return err
	}
	var attributes [][2]string
	if options != Undefined {
		if !options.IsObject() {
			return m.TypeError("The second argument of import() must be an object")
		}
		w, err := m.Get(options.AsObj(), m.N.With)
		if err != nil {
			return err
		}
		if w != Undefined {
			if !w.IsObject() {
				return m.TypeError("The 'options.with' argument of import() must be an object")
			}
			keys, err := m.OwnKeys(w.AsObj())
			if err != nil {
				return err
			}
			for _, k := range keys {
				if err := m.Charge(1); err != nil {
					return err
				}
				if k.IsSymbol() {
					continue
				}
				d, ok, err := m.GetOwnProperty(w.AsObj(), k)
				if err != nil {
					return err
				}
				if !ok || d.Attrs&heap.Enumerable == 0 {
					continue
				}
				v, err := m.Get(w.AsObj(), k)
				if err != nil {
					return err
				}
				if !v.IsString() {
					return m.TypeError("Import attribute value must be a string")
				}
				s, err := m.GoString(v)
				if err != nil {
					return err
				}
				attributes = append(attributes, [2]string{m.KeyString(k), s})
			}
		}
	}
	r, err := m.fetchModule(fn.prog.referrer(), name, attributes, phase, 0)
	if err != nil {
		return err
	}
	if phase == syntax.PhaseSource {
		o, err := m.moduleSource(r)
		if err != nil {
			return err
		}
		return m.ResolvePromise(p, heap.ObjectValue(o))
	}
	if r.failed && r.status == moduleNew {
		return m.TypeError("Cannot load module '%s'", name)
	}
	// ContinueDynamicImport (§13.3.10.3): the module has been loaded; it is
	// linked and evaluated in a job of its own.
	b := m.H.NewSmallValues(importWords)
	w := m.H.ValuesW(b)
	w[importModule], w[importPromise] = heap.NumberValue(uint32(r.index)), heap.ObjectValue(p)
	w[importDeferred], w[importPending] = heap.Bool(phase == syntax.PhaseDefer), heap.Int(0)
	loaded := m.NewPromise()
	if err := m.ResolvePromise(loaded, Undefined); err != nil {
		return err
	}
	next := m.NewNative(m.intrinsics[DynamicImportLoaded], heap.ValuesValue(b), 0, 0)
	return m.PerformThen(loaded, heap.ObjectValue(next), Undefined, noCapability)
}

// importLoaded links and evaluates the module of an import(); import.defer()
// evaluates only what is asynchronous.
func (m *Machine) importLoaded(b heap.Block) error {
	w := m.H.Values(b)
	r, p := m.modules[w[importModule].AsNumber()], w[importPromise].AsObj()
	err := m.Link(LoadedModule{r})
	var ev Obj
	switch {
	case err != nil:
	case w[importDeferred] == True:
		var list []*moduleRecord
		if list, err = m.asyncDependencies(r, map[*moduleRecord]bool{}, nil); err == nil {
			if len(list) == 0 {
				err = m.importDone(b)
				if err == nil {
					return nil
				}
			} else {
				ev, err = m.evaluateAll(b, list)
			}
		}
	default:
		ev, err = m.Evaluate(LoadedModule{r})
	}
	if err != nil {
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		m.RejectPromise(p, exc)
		return nil
	}
	done := m.NewNative(m.intrinsics[DynamicImportDone], heap.ValuesValue(b), 0, 0)
	failed := m.NewNative(m.intrinsics[DynamicImportFailed], heap.ValuesValue(b), 1, 0)
	return m.PerformThen(ev, heap.ObjectValue(done), heap.ObjectValue(failed), noCapability)
}

// evaluateAll evaluates the asynchronous dependencies of the module of an
// import.defer(): the promise is that of SafePerformPromiseAll.
func (m *Machine) evaluateAll(b heap.Block, list []*moduleRecord) (Obj, error) {
	all := m.NewPromise()
	m.H.SetWord(b, importPending, heap.Int(int32(len(list))))
	m.H.SetWord(b, importAll, heap.ObjectValue(all))
	at := m.Root(heap.ValuesValue(b))
	defer m.PopRoots(at)
	promises := make([]Obj, 0, len(list))
	for _, q := range list { //meter: modules of the run
		p, err := m.Evaluate(LoadedModule{q})
		if err != nil {
			return 0, err
		}
		promises = append(promises, p)
	}
	done := m.NewNative(m.intrinsics[DeferredImportDone], heap.ValuesValue(b), 0, 0)
	failed := m.NewNative(m.intrinsics[DeferredImportFailed], heap.ValuesValue(b), 1, 0)
	for _, p := range promises { //meter: modules of the run
		if err := m.PerformThen(p, heap.ObjectValue(done), heap.ObjectValue(failed), noCapability); err != nil {
			return 0, err
		}
	}
	return all, nil
}

// importDone resolves the promise of an import() with the namespace.
func (m *Machine) importDone(b heap.Block) error {
	w := m.H.Values(b)
	r, p := m.modules[w[importModule].AsNumber()], w[importPromise].AsObj()
	ns, err := m.moduleNamespace(r, w[importDeferred] == True)
	if err != nil {
		return err
	}
	return m.ResolvePromise(p, heap.ObjectValue(ns))
}

func (b *Builder) setupDynamicImport() {
	state := func(m *Machine, c Call) heap.Block { return m.NativeData(c.Callee).AsBlock() }
	b.Set(DynamicImportLoaded, b.Func("", 0, func(m *Machine, c Call) (Value, error) {
		return Undefined, m.importLoaded(state(m, c))
	}))
	b.Set(DynamicImportDone, b.Func("", 0, func(m *Machine, c Call) (Value, error) {
		return Undefined, m.importDone(state(m, c))
	}))
	b.Set(DynamicImportFailed, b.Func("", 1, func(m *Machine, c Call) (Value, error) {
		m.RejectPromise(m.H.Word(state(m, c), importPromise).AsObj(), c.Arg(0))
		return Undefined, nil
	}))
	b.Set(DeferredImportDone, b.Func("", 0, func(m *Machine, c Call) (Value, error) {
		s := state(m, c)
		n := m.H.Word(s, importPending).AsInt() - 1
		m.H.SetWord(s, importPending, heap.Int(n))
		if n > 0 {
			return Undefined, nil
		}
		return Undefined, m.ResolvePromise(m.H.Word(s, importAll).AsObj(), Undefined)
	}))
	b.Set(DeferredImportFailed, b.Func("", 1, func(m *Machine, c Call) (Value, error) {
		m.RejectPromise(m.H.Word(state(m, c), importAll).AsObj(), c.Arg(0))
		return Undefined, nil
	}))
}
