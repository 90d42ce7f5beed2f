package vm

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// Deferred evaluation and module sources: the TC39 proposals "Deferred Imports
// Evaluation" and "Source Phase Imports".

// evaluationList is what InnerModuleEvaluation evaluates before a module: of a
// module that it imports deferred only the asynchronous dependencies.
func (m *Machine) evaluationList(r *moduleRecord) ([]*moduleRecord, error) {
	if r.prog == nil || !slices.ContainsFunc(r.prog.p.Requests, laterPhase) {
		return r.requested, nil
	}
	var list []*moduleRecord
	for i, q := range r.requested { //meter: charged by source length
		switch r.phase(i) {
		case syntax.PhaseDefer:
			more, err := m.asyncDependencies(q, map[*moduleRecord]bool{}, nil)
			if err != nil {
				return nil, err
			}
			for _, d := range more { //meter: charged by asyncDependencies
				if !slices.Contains(list, d) {
					list = append(list, d)
				}
			}
		case syntax.PhaseEvaluation:
			if !slices.Contains(list, q) {
				list = append(list, q)
			}
		}
		if err := m.Charge(1 + len(list)/16); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func laterPhase(q bytecode.ModuleRequest) bool { return q.Phase != syntax.PhaseEvaluation }

// asyncDependencies is GatherAsynchronousTransitiveDependencies: it appends
// them to list.
func (m *Machine) asyncDependencies(r *moduleRecord, seen map[*moduleRecord]bool, list []*moduleRecord) ([]*moduleRecord, error) {
	if seen[r] || r.prog == nil {
		return list, nil
	}
	seen[r] = true
	if err := m.Charge(1 + len(r.requested)); err != nil {
		return nil, err
	}
	switch {
	case r.status == moduleEvaluating || r.componentEvaluated():
		return list, nil
	case r.prog.p.HasTLA:
		return append(list, r), nil // a module is seen once, so it is not in the list
	}
	if err := m.meter.EnterNative(); err != nil {
		return nil, err
	}
	defer m.meter.LeaveNative()
	for i, q := range r.requested { //meter: charged above
		if r.phase(i) == syntax.PhaseSource {
			continue
		}
		var err error
		if list, err = m.asyncDependencies(q, seen, list); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// componentEvaluated is IsModuleSCCEvaluated: whether a module is evaluated with
// all the modules of its cycle.
func (r *moduleRecord) componentEvaluated() bool {
	return r.status == moduleEvaluated && (r.cycleRoot == nil || r.cycleRoot.status == moduleEvaluated)
}

// readyForSync is ReadyForSyncExecution: whether the evaluation of a module
// would end at once.
func (m *Machine) readyForSync(r *moduleRecord, seen map[*moduleRecord]bool) (bool, error) {
	if r.prog == nil || seen[r] || r.componentEvaluated() {
		return true, nil
	}
	seen[r] = true
	if r.status >= moduleEvaluating || r.prog.p.HasTLA {
		return false, nil
	}
	if err := m.Charge(1 + len(r.requested)); err != nil {
		return false, err
	}
	if err := m.meter.EnterNative(); err != nil {
		return false, err
	}
	defer m.meter.LeaveNative()
	for i, q := range r.requested { //meter: charged above
		if r.phase(i) == syntax.PhaseSource {
			continue
		}
		if ok, err := m.readyForSync(q, seen); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// evaluateSync is EvaluateModuleSync.
func (m *Machine) evaluateSync(r *moduleRecord) error {
	if !r.failed && r.componentEvaluated() {
		return nil
	}
	ok, err := m.readyForSync(r, map[*moduleRecord]bool{})
	if err != nil {
		return err
	}
	if !ok {
		return m.TypeError("Cannot evaluate deferred module '%s' synchronously: it is being evaluated, or awaits at its top level", r.source.Key)
	}
	// The caller may hold values that are not rooted.
	m.noGC++
	p, err := m.Evaluate(LoadedModule{r})
	m.noGC--
	if err != nil {
		return err
	}
	state, v := m.PromiseStateOf(p)
	if state == PromiseRejected {
		m.MarkHandled(p)
		return m.Throw(v)
	}
	return nil
}

// moduleSource is GetModuleSource: the module source object of a module.
func (m *Machine) moduleSource(r *moduleRecord) (Obj, error) {
	if r.source.Source == nil {
		return 0, m.SyntaxError("Source phase import object is not defined for module '%s'", r.source.Key)
	}
	if r.sourceObj == 0 {
		o, err := r.source.Source(m)
		if err != nil {
			return 0, err
		}
		r.sourceObj = o
	}
	return r.sourceObj, nil
}

// NewModuleSource makes a module source object, an instance of
// %AbstractModuleSource%; kind is what GetModuleSourceKind returns, the
// object's tag.
func (m *Machine) NewModuleSource(kind string) (Obj, error) {
	s, err := m.NewString(kind)
	if err != nil {
		return 0, err
	}
	o := m.NewWithProto(m.intrinsics[AbstractModuleSourcePrototype])
	w := m.H.ObjW(o)
	w.Class, w.Data = heap.ClassModuleSource, s
	return o, nil
}
