package vm

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// A machine that runs nothing is its heap and a few lists: coroutines, promises
// and closures are all in the heap. A snapshot holds both. Programs are in it as
// source text and are compiled again; what saves time (inline caches, memos) is
// left out and comes again.

// How a program of a snapshot is had again.
const (
	progGiven    = iota // the host gives it: what the run runs
	progModule          // by its key and text
	progEval            // by its text, and the scope it is in
	progFunction        // by the text of the Function constructor
)

// Idle says why a machine can't be written to a snapshot now, nil if it can.
func (m *Machine) Idle() error {
	switch {
	case len(m.frames) > 0 || m.noGC > 0 || m.jobs.current != (job{}):
		return errors.New("script is running")
	case m.jobs.n > 0:
		return errors.New("jobs are waiting to run")
	case len(m.realms) > 0:
		return errors.New("it has several realms")
	case m.tracer != nil:
		return errors.New("it is being traced")
	}
	return nil
}

// Snapshot writes what the machine is; main is the program that the host will
// give again. Root values stay rooted in the order in which they are: see
// Machine.RootAt.
func (m *Machine) Snapshot(w *heap.SnapWriter, main *bytecode.Program) error {
	if err := m.Idle(); err != nil {
		return err
	}
	if err := w.Heap(m.H, m.markRoots); err != nil {
		return err
	}
	for _, x := range m.rng { //meter: a fixed number
		w.Uint(x)
	}
	w.Uint(uint64(m.symbols))
	w.Uint(uint64(len(m.hosts)))
	for _, f := range m.hosts { //meter: functions of the host
		w.Text(f.name)
	}
	w.Uint(uint64(len(m.progs)))
	at := places{progs: make(map[*progState]int, len(m.progs))}
	for i, p := range m.progs { //meter: programs of the run, each charged when it was compiled
		if err := m.snapProgram(w, &at, p, main); err != nil {
			return err
		}
		at.add(i, p)
	}
	list(w, m.roots)
	list(w, m.kept)
	w.Value(m.exc)
	w.Uint(uint64(len(m.rejected)))
	for _, o := range m.rejected { //meter: each was charged
		w.Uint(uint64(o))
	}
	w.Uint(uint64(m.handled))
	m.snapRegExps(w)
	w.Uint(uint64(len(m.modules)))
	for _, r := range m.modules { //meter: modules of the run
		m.snapModule(w, &at, r)
	}
	w.Uint(uint64(m.asyncModules))
	return nil
}

func list(w *heap.SnapWriter, vs []Value) {
	w.Uint(uint64(len(vs)))
	w.Values(vs)
}

func snapBool(w *heap.SnapWriter, x bool) {
	if x {
		w.Byte(1)
		return
	}
	w.Byte(0)
}

// places tell by which numbers a snapshot calls programs, and the scopes in which
// there is an eval.
type places struct {
	progs  map[*progState]int // from 1
	scopes map[*bytecode.Scope][3]int
}

// add notes a program that has been written.
func (t *places) add(i int, p *progState) {
	t.progs[p] = i + 1
	for k, f := range p.p.Funcs { //meter: functions of a program
		for n, s := range f.EvalScopes { //meter: scopes with an eval, of the source text
			if t.scopes == nil {
				t.scopes = map[*bytecode.Scope][3]int{}
			}
			if _, known := t.scopes[s]; !known {
				t.scopes[s] = [3]int{i + 1, k, n}
			}
		}
	}
}

func (m *Machine) snapProgram(w *heap.SnapWriter, at *places, p *progState, main *bytecode.Program) error {
	src := p.p.Source
	switch {
	case p.p == main:
		w.Byte(progGiven)
	case p.dynamic:
		w.Byte(progFunction)
		w.Uint(uint64(p.params))
		w.Text(src)
	case p.p.Goal == syntax.Eval:
		w.Byte(progEval)
		place, ok := at.scopes[p.outer]
		if !ok && p.outer != nil {
			return errors.New("the scope of an eval is gone")
		}
		for _, n := range place { // all 0 for indirect eval
			w.Uint(uint64(n))
		}
		w.Text(src)
	default:
		w.Byte(progModule)
		w.Text(p.p.Name)
		w.Text(src)
	}
	w.Uint(Fingerprint(p.p))
	snapBool(w, p.pinned)
	w.Uint(uint64(at.progs[p.origin]))
	caller := 0
	if f := p.evalAt.fn; f != nil && f.index < len(m.funcs) && m.funcs[f.index] == f {
		caller = f.index + 1
	}
	w.Uint(uint64(caller))
	w.Uint(uint64(p.evalAt.pc))
	w.Text(p.evalIn)
	w.Uint(uint64(p.meta))
	w.Values(p.consts)
	n := 0
	for _, l := range p.literals { //meter: constants of a program
		if l.number != 0 {
			n++
		}
	}
	w.Uint(uint64(n))
	for k, l := range p.literals { //meter: constants of a program
		if l.number != 0 {
			w.Uint(uint64(k))
			w.Uint(uint64(l.number))
			w.Uint(uint64(l.flags))
		}
	}
	for k := range p.p.Funcs { //meter: functions of a program
		f := m.funcs[p.base+k]
		snapBool(w, f != nil)
		if f == nil {
			continue
		}
		for _, t := range f.templates { //meter: templates of a function
			w.Uint(uint64(t))
		}
	}
	return nil
}

func (m *Machine) snapRegExps(w *heap.SnapWriter) {
	r := &m.regexps
	w.Uint(uint64(len(r.table)))
	n := 0
	for _, i := range r.live { //meter: compiled patterns
		if r.table[i].key != "" {
			n++
		}
	}
	w.Uint(uint64(n))
	for _, i := range r.live { //meter: compiled patterns
		if c := r.table[i]; c.key != "" {
			w.Uint(uint64(i))
			snapBool(w, c.used)
			w.Text(c.key)
		}
	}
	l := &r.last
	w.Uint(uint64(l.Input))
	w.Uint(uint64(l.Shown))
	if l.Input != 0 {
		for _, c := range l.Caps { //meter: a fixed number
			w.Int(int64(c))
		}
		w.Int(int64(l.Last[0]))
		w.Int(int64(l.Last[1]))
		w.Uint(uint64(l.Groups))
		snapBool(w, l.Valid)
	}
}

func (m *Machine) snapModule(w *heap.SnapWriter, at *places, r *moduleRecord) {
	w.Text(r.source.Key)
	w.Uint(uint64(at.progs[r.prog]))
	w.Value(r.env)
	w.Value(r.err)
	modules := func(list []*moduleRecord) {
		w.Uint(uint64(len(list)))
		for _, q := range list { //meter: modules of the run
			w.Uint(uint64(q.index))
		}
	}
	bindings := func(list []binding) {
		w.Uint(uint64(len(list)))
		for _, b := range list { //meter: names of the source text
			if b.module == nil {
				w.Uint(0)
			} else {
				w.Uint(uint64(b.module.index) + 1)
			}
			w.Int(int64(b.slot))
		}
	}
	modules(r.requested)
	modules(r.asyncParents)
	bindings(r.imports)
	bindings(r.bindings)
	w.Uint(uint64(len(r.names)))
	for _, k := range r.names { //meter: names of the source text
		w.Uint(uint64(k))
	}
	for _, o := range []Obj{r.namespace, r.deferred, r.sourceObj, r.promise} { //meter: a fixed number
		w.Uint(uint64(o))
	}
	snapBool(w, r.listed)
	snapBool(w, r.failed)
	root := 0
	if r.cycleRoot != nil {
		root = r.cycleRoot.index + 1
	}
	for _, n := range []int{int(r.status), r.dfsIndex, r.dfsAn, root, r.asyncOrder, r.pending} { //meter: a fixed number
		w.Int(int64(n))
	}
}

// Fingerprint tells programs apart by their code: places in the code that are
// part of a snapshot are good for the same code only.
func Fingerprint(p *bytecode.Program) uint64 {
	x := uint64(len(p.Funcs))*0x9E3779B97F4A7C15 + uint64(len(p.Consts))
	mix := func(v uint64) {
		x = (x ^ v) * 0xBF58476D1CE4E5B9
		x ^= x >> 29
	}
	for _, c := range p.Consts { //meter: constants of a program
		mix(uint64(c.Kind)<<32 | uint64(len(c.Str)))
		mix(math.Float64bits(c.Num))
	}
	for _, f := range p.Funcs { //meter: functions of a program
		mix(uint64(f.Flags)<<32 | uint64(f.NumRegs)<<16 | uint64(f.NumParams))
		mix(uint64(len(f.Code))<<32 | uint64(len(f.ICs))<<16 | uint64(len(f.Handlers)))
		for _, in := range f.Code { //meter: instructions of a program
			mix(uint64(in.Op)<<56 | uint64(in.F)<<48 | uint64(in.A)<<32 | uint64(in.B)<<16 | uint64(in.C))
		}
	}
	return x
}

// Hash identifies the realm: its objects, its built-in functions and the
// operations of its machines.
func (r *Realm) Hash() [32]byte {
	t := r.heap.Hash()
	s := sha256.New()
	fmt.Fprintf(s, "pinfold realm 1 %x %d %d", t, bytecode.NumOps, len(r.natives))
	for op := range bytecode.NumOps { //meter: a fixed number
		fmt.Fprintf(s, " %v", bytecode.Op(op))
	}
	for _, n := range r.natives { //meter: the built-in functions, once in a process
		fmt.Fprintf(s, " %q %d", n.name, n.kind)
	}
	for _, o := range r.intrinsics { //meter: a fixed number
		_ = binary.Write(s, binary.LittleEndian, uint32(o)) // a hash takes everything
	}
	return [32]byte(s.Sum(nil))
}

// RootAt returns the root at a height of the root stack; SetRootAt changes it.
func (m *Machine) RootAt(i int) Value       { return m.roots[i] }
func (m *Machine) SetRootAt(i int, v Value) { m.roots[i] = v }

// Module returns the i-th module of the run.
func (m *Machine) Module(i int) (LoadedModule, bool) {
	if i < 0 || i >= len(m.modules) {
		return LoadedModule{}, false
	}
	return LoadedModule{m.modules[i]}, true
}

// Roots returns the height of the root stack.
func (m *Machine) Roots() int { return len(m.roots) }
