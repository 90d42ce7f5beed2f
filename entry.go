package pinfold

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// entry says what of a program is run.
type entry struct {
	kind  entryKind
	names []string
}

type entryKind uint8

const (
	entryDefault entryKind = iota // the body of a function, or a module's default export
	entryInvoke                   // an export of a module, called with the input and ctx
	entryLoad                     // a module's top level; the values of some exports
)

// Invoke runs a module and calls the function that it exports under a name, with
// the input and, with Options.Grants, the object ctx. What the function returns,
// or what the promise that it returns is fulfilled with, is the value.
func (s *Sandbox) Invoke(ctx context.Context, p *Program, export string, input any) *Outcome {
	return s.run(ctx, p, entry{entryInvoke, []string{export}}, input)
}

// Exports is what Load finds in a module.
type Exports struct {
	Functions []string         // names of the exports that are functions, sorted
	Values    map[string]Value // of the exports that were asked for and are data
}

// Load runs the top level of a module under the limits of a run, and tells what
// it exports: the names of functions, and the values of those named that are no
// functions. Exports is nil if the outcome is a failure.
func (s *Sandbox) Load(ctx context.Context, p *Program, values ...string) (*Exports, *Outcome) {
	out := s.run(ctx, p, entry{entryLoad, values}, nil)
	if out.Failure != nil {
		return nil, out
	}
	var raw struct {
		Functions []string `json:"functions"`
		Names     []string `json:"names"`
		Values    []Value  `json:"values"`
	}
	if err := out.Value.Decode(&raw); err != nil || len(raw.Names) != len(raw.Values) {
		out.Value, out.Failure = Value{}, internalFailure(fmt.Sprintf("the exports of %s can't be read: %v", p.name, err), err, nil)
		return nil, out
	}
	x := &Exports{Functions: raw.Functions, Values: map[string]Value{}}
	for i, name := range raw.Names { //meter: the names that the host asked for
		x.Values[name] = raw.Values[i]
	}
	return x, out
}

// enter goes on once a module has been evaluated: v is what its promise is of
// next.
func (r *run) enter(ns vm.Obj, in vm.Value) (v vm.Value, f *Failure) {
	m := r.m
	name := "default"
	switch r.entry.kind {
	case entryLoad:
		v, err := r.exports(ns)
		if err != nil {
			return v, r.failure(err)
		}
		return v, nil
	case entryInvoke:
		name = r.entry.names[0]
	}
	k, err := m.H.KeyOfName(name)
	if err != nil {
		return vm.Undefined, r.failure(err)
	}
	has, err := m.HasProperty(heap.ObjectValue(ns).AsObj(), k)
	if err != nil {
		return vm.Undefined, r.failure(err)
	}
	if !has {
		if r.entry.kind == entryDefault {
			return vm.Undefined, nil
		}
		return vm.Undefined, r.noExport(ns, name)
	}
	if v, err = m.Get(ns, k); err != nil {
		return v, r.failure(err)
	}
	if m.IsCallable(v) {
		args := []vm.Value{in}
		if r.entry.kind == entryInvoke {
			ctx, err := r.ctxObject()
			if err != nil {
				return v, r.failure(err)
			}
			if ctx != vm.Undefined {
				args = append(args, ctx)
			}
		}
		if v, err = m.CallRooted(v, vm.Undefined, args...); err != nil {
			return v, r.failure(err)
		}
	} else if r.entry.kind == entryInvoke {
		return vm.Undefined, &Failure{
			Kind: ErrScript, Message: fmt.Sprintf("the export %s is no function", name), File: r.p.name,
			Hint: fmt.Sprintf("write: export function %s(…) { … }", name),
		}
	}
	return v, nil
}

// noExport is the failure of a module that lacks what is to be called.
func (r *run) noExport(ns vm.Obj, name string) *Failure {
	f := &Failure{Kind: ErrScript, Message: fmt.Sprintf("the module doesn't export %q", name), File: r.p.name}
	names, err := r.exportNames(ns)
	if err != nil {
		return r.failure(err)
	}
	f.Hint = "it exports nothing"
	if len(names) > 0 {
		f.Hint = "it exports " + strings.Join(names[:min(len(names), 10)], ", ")
	}
	f.Hint = fmt.Sprintf("%s; write: export function %s(…) { … }", f.Hint, name)
	return f
}

func (r *run) keyName(k vm.Key) string {
	if k.IsIndex() {
		return strconv.FormatUint(uint64(k.Index()), 10)
	}
	return r.m.H.GoString(k.Name())
}

func (r *run) exportNames(ns vm.Obj) ([]string, error) {
	keys, err := r.m.OwnKeys(ns)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, k := range keys { //meter: the keys were charged for when they were listed
		if k.IsSymbol() {
			continue
		}
		names = append(names, r.keyName(k))
	}
	return names, nil
}

// exports makes the value that Load takes apart.
func (r *run) exports(ns vm.Obj) (vm.Value, error) {
	m := r.m
	names, err := r.exportNames(ns)
	if err != nil {
		return vm.Undefined, err
	}
	functions, found, values := []any{}, []any{}, []any{}
	for _, name := range names { //meter: each is an export, whose binding is in the source
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return vm.Undefined, err
		}
		v, err := m.Get(ns, k)
		if err != nil {
			return vm.Undefined, err
		}
		switch {
		case m.IsCallable(v):
			functions = append(functions, name)
		case slices.Contains(r.entry.names, name):
			at := m.Root(v)
			x, err := membrane.Encode(m, v, name, r.sb.crossing)
			m.PopRoots(at)
			if err != nil {
				return vm.Undefined, err
			}
			found = append(found, name)
			values = append(values, x)
		}
	}
	sort.Slice(functions, func(i, j int) bool { return functions[i].(string) < functions[j].(string) })
	return membrane.Import(m, membrane.NewObject("functions", functions, "names", found, "values", values), "exports", r.sb.entering)
}

// appendEntry writes an entry for a worker.
func appendEntry(b []byte, e entry) []byte {
	b = append(b, byte(e.kind))
	b = binary.AppendUvarint(b, uint64(len(e.names)))
	for _, n := range e.names { //meter: the names that the host asked for
		b = appendBytes(b, n)
	}
	return b
}

// entry reads one.
func (f *fields) entry() (e entry) {
	e.kind = entryKind(f.uint())
	for n := f.uint(); n > 0 && !f.bad; n-- { //meter: what the host has written
		e.names = append(e.names, f.text())
	}
	return e
}
