package vm

import (
	"errors"
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/meter"
)

// HostFunc is a function of the host by its name.
type HostFunc struct {
	Name string
	Func NativeFunc
}

// LoadOptions say how a machine is made from a snapshot.
type LoadOptions struct {
	// Main is the program that the run runs.
	Main *bytecode.Program
	// Hosts are the host functions, in the order in which NewHostFunction was
	// called.
	Hosts []HostFunc
	// Module compiles the text of a module.
	Module func(name, source string) (*bytecode.Program, error)
	// Trusted leaves out the checks that bytes of unknown origin need.
	Trusted bool
}

// ErrSnapshotProgram is what loading fails with when a program of the snapshot
// doesn't compile to the code that it was.
var ErrSnapshotProgram = errors.New("the snapshot's programs compile to other code than they did")

// LoadMachine makes a machine from a snapshot, which it takes off rd. The error
// wraps heap.ErrSnapshot or ErrSnapshotProgram, or is one that ends the run.
func (r *Realm) LoadMachine(mt *meter.Meter, opt Options, c Compiler, rd *heap.SnapReader, lo LoadOptions) (m *Machine, err error) {
	defer func() {
		if p := recover(); p != nil {
			rd.Fail("%v", p)
			m, err = nil, rd.Err
		}
	}()
	m = &Machine{N: r.names, meter: mt, slice: mt.Slice(), realm: r, opt: opt, intrinsics: r.intrinsics, shapes: r.shapes, compile: c, exc: Undefined}
	if m.H, err = r.heap.LoadHeap(mt, rd); err != nil {
		return nil, err
	}
	m.growStack(256)
	m.frames = make([]frame, 0, 16)
	l := &loader{m: m, SnapReader: rd, o: &lo}
	l.machine()
	if rd.Err != nil {
		return nil, rd.Err
	}
	if !lo.Trusted {
		if err := m.H.Validate(m.markRoots); err != nil {
			return nil, err
		}
		if l.check(); rd.Err != nil {
			return nil, rd.Err
		}
	}
	if opt.Stress {
		m.H.SetStress(max(opt.StressEvery, 1))
	}
	return m, mt.Err()
}

type loader struct {
	*heap.SnapReader
	m *Machine
	o *LoadOptions
}

// list reads a list of values.
func (l *loader) list() []Value {
	n := l.Uint()
	if n > 1<<20 {
		l.Fail("a list has %d values", n)
		return nil
	}
	if l.Err == nil {
		l.Err = l.m.meter.Grow(int64(n) * 8)
	}
	if l.Err != nil {
		return nil
	}
	vs := make([]Value, n) //meter: charged above
	l.Values(vs)
	return vs
}

func (l *loader) bool() bool { return l.Byte() != 0 }

func (l *loader) obj() Obj {
	n := l.Uint()
	if n > 1<<32-1 {
		l.Fail("a reference leads nowhere")
	}
	return Obj(n)
}

// below reads a number below n.
func (l *loader) below(n int) int {
	x := l.Uint()
	if x >= uint64(n) {
		l.Fail("the number %d is not below %d", x, n)
		return 0
	}
	return int(x)
}

func (l *loader) machine() {
	m := l.m
	for i := range m.rng { //meter: a fixed number
		m.rng[i] = l.Uint()
	}
	m.symbols = heap.Block(l.obj())
	if n := l.Len(1); n != len(l.o.Hosts) && l.Err == nil {
		l.Fail("it knows %d host functions, there are %d", n, len(l.o.Hosts))
	}
	for _, f := range l.o.Hosts { //meter: functions of the host
		if name := l.Text(); name != f.Name {
			l.Fail("it knows a host function %q instead of %q", name, f.Name)
		}
		m.hosts = append(m.hosts, hostFunc{fn: f.Func, name: f.Name})
	}
	for i := range l.Len(4) { //meter: programs of the run, each charged
		if l.program(i); l.Err != nil {
			return
		}
	}
	m.roots = l.list()
	m.kept = l.list()
	m.exc = l.Value()
	n := l.Len(1)
	if l.Err == nil {
		l.Err = m.meter.Grow(int64(n) * 4)
	}
	for range n { //meter: charged above
		if l.Err != nil {
			return
		}
		m.rejected = append(m.rejected, l.obj())
	}
	m.handled = l.below(1 << 30)
	l.regExps()
	l.modules()
	m.asyncModules = l.below(maxModules + 1)
}

// compiled takes the result of a compilation.
func (l *loader) compiled(p *bytecode.Program, err error) *bytecode.Program {
	l.m.letGo(0) // what compiling held
	switch {
	case l.Err != nil:
		return nil
	case err == nil:
		return p
	case meter.IsLimit(err):
		l.Err = err
	default:
		l.Fail("the source of a program doesn't compile")
	}
	return nil
}

func (l *loader) program(i int) {
	m := l.m
	var p *bytecode.Program
	var outer *bytecode.Scope
	kind, params := l.Byte(), 0
	switch kind {
	case progGiven:
		p = l.o.Main
	case progModule:
		name, src := l.Text(), l.Text()
		if l.Err == nil {
			p = l.compiled(l.o.Module(name, src))
		}
	case progEval:
		prog, fn, scope := l.below(i+1), l.Uint(), l.Uint()
		if prog > 0 && l.Err == nil {
			fs := m.progs[prog-1].p.Funcs
			if fn >= uint64(len(fs)) || scope >= uint64(len(fs[fn].EvalScopes)) {
				l.Fail("the scope of an eval is none")
			} else {
				outer = fs[fn].EvalScopes[scope]
			}
		}
		if src := l.Text(); l.Err == nil {
			p = l.compiled(m.compile.Eval(m, src, outer))
		}
	case progFunction:
		params = int(min(l.Uint(), 1<<30))
		src := l.Text()
		head, rest, ok := strings.Cut(src, " anonymous(")
		if !ok || params+len("\n) {\n\n}") > len(rest) {
			l.Fail("the source of a function is none")
			return
		}
		p = l.compiled(m.compile.Function(m, head, rest[:params], rest[params+len("\n) {\n"):len(rest)-len("\n}")]))
	default:
		l.Fail("a program is of kind %d", kind)
	}
	print := l.Uint()
	if l.Err != nil {
		return
	}
	if p == nil || Fingerprint(p) != print {
		l.Err = ErrSnapshotProgram
		return
	}
	s := m.load(p)
	s.outer, s.params, s.dynamic = outer, params, kind == progFunction
	s.pinned = l.bool()
	if k := l.below(i + 1); k > 0 {
		s.origin = m.progs[k-1]
	}
	fn, pc := l.below(s.base+1), l.below(1<<30)
	s.evalIn = l.Text()
	if kind >= progEval {
		_ = m.meter.Grow(p.Size() + int64(len(s.evalIn))) //meter: sticky
	}
	s.meta = l.obj()
	l.Values(s.consts)
	for range l.Len(3) { //meter: at most the constants of a program
		k, n, flags := l.below(len(s.consts)), l.Uint(), l.below(len(s.consts))
		if l.Err != nil {
			return
		}
		if s.literals == nil {
			_ = m.meter.Grow(int64(len(s.consts)) * 8) //meter: sticky
			s.literals = make([]regExpLiteral, len(s.consts))
		}
		s.literals[k] = regExpLiteral{number: uint32(n), flags: uint32(flags)}
	}
	for k := range p.Funcs { //meter: functions of a program
		if !l.bool() {
			continue
		}
		f := m.fnAt(s, k)
		for t := range f.templates { //meter: templates of a function
			f.templates[t] = l.obj()
		}
	}
	if fn > 0 && l.Err == nil {
		if f := m.funcs[fn-1]; f != nil && pc <= len(f.code) {
			s.evalAt = ThrowSite{fn: f, pc: pc}
		} else {
			l.Fail("an eval was called from nowhere")
		}
	}
	if l.Err == nil {
		l.Err = m.meter.Err()
	}
}

func (l *loader) regExps() {
	m := l.m
	r := &m.regexps
	n := l.Uint()
	if n > 1<<24 {
		l.Fail("it has %d patterns", n)
	}
	if l.Err == nil && n > 0 {
		l.Err = m.meter.Grow(int64(n) * 16)
	}
	if l.Err != nil {
		return
	}
	if n > 0 {
		r.table = make([]*compiledRegExp, n) //meter: charged above
		r.index = map[string]uint32{}
	}
	for range l.Len(3) { //meter: each is compiled, which charges
		i, used, key := l.below(int(n)), l.bool(), l.Text()
		if l.Err == nil && (i == 0 || r.table[i] != nil || len(key) < 2) {
			l.Fail("a pattern has the number %d", i)
		}
		if l.Err != nil {
			return
		}
		c, err := m.compiledPattern(key)
		if err != nil {
			if meter.IsLimit(err) {
				l.Err = err
			} else {
				l.Fail("a pattern doesn't compile")
			}
			return
		}
		c.used = used
		r.table[i] = c
		r.index[key] = uint32(i)
		r.live = append(r.live, uint32(i))
		r.bytes += c.size
		_ = m.meter.Grow(c.size) //meter: sticky
	}
	for _, p := range m.progs { //meter: programs of the run
		for k := range p.literals { //meter: constants of a program
			if uint64(p.literals[k].number) >= max(n, 1) {
				l.Fail("a literal has no pattern")
				return
			}
		}
	}
	last := &r.last
	last.Input, last.Shown = Str(l.obj()), Str(l.obj())
	if last.Input == 0 || l.Err != nil {
		return
	}
	for i := range last.Caps { //meter: a fixed number
		last.Caps[i] = int32(l.Int())
	}
	last.Last = [2]int32{int32(l.Int()), int32(l.Int())}
	last.Groups = l.below(1 << 24)
	last.Valid = l.bool()
}

func (l *loader) modules() {
	m := l.m
	n := l.Len(16)
	if n > maxModules {
		l.Fail("it has %d modules", n)
	}
	if l.Err == nil {
		l.Err = m.meter.Grow(int64(n) * 512)
	}
	if l.Err != nil {
		return
	}
	for i := range n { //meter: charged above
		m.modules = append(m.modules, &moduleRecord{index: i})
	}
	for _, r := range m.modules { //meter: charged above
		if l.module(r); l.Err != nil {
			return
		}
	}
}

func (l *loader) module(r *moduleRecord) {
	m := l.m
	r.source.Key = l.Text()
	if p := l.below(len(m.progs) + 1); p > 0 {
		r.prog = m.progs[p-1]
		r.prog.module = r
		r.source.Program = r.prog.p
	} else if l.Err == nil {
		if m.opt.LoadModule == nil {
			l.Fail("it has a module, and none may be loaded")
			return
		}
		src, err := m.opt.LoadModule("", r.source.Key, nil)
		if err != nil || src.Program != nil {
			l.Fail("the module %q is not what it was", r.source.Key)
			return
		}
		r.source = src
	}
	r.env, r.err = l.Value(), l.Value()
	modules := func() (list []*moduleRecord) {
		for range l.Len(1) { //meter: as long as its text
			if i := l.below(len(m.modules)); l.Err == nil {
				list = append(list, m.modules[i])
			}
		}
		return list
	}
	bindings := func() (list []binding) {
		for range l.Len(2) { //meter: as long as its text
			b := binding{}
			if i := l.below(len(m.modules) + 1); i > 0 {
				b.module = m.modules[i-1]
			}
			b.slot = int(l.Int())
			list = append(list, b)
		}
		return list
	}
	r.requested, r.asyncParents = modules(), modules()
	r.imports, r.bindings = bindings(), bindings()
	for range l.Len(1) { //meter: as long as its text
		r.names = append(r.names, Key(l.Uint()))
	}
	r.namespace, r.deferred, r.sourceObj, r.promise = l.obj(), l.obj(), l.obj(), l.obj()
	r.listed, r.failed = l.bool(), l.bool()
	r.status = moduleStatus(l.Int())
	r.dfsIndex, r.dfsAn = int(l.Int()), int(l.Int())
	if i := l.below2(len(m.modules) + 1); i > 0 {
		r.cycleRoot = m.modules[i-1]
	}
	r.asyncOrder, r.pending = int(l.Int()), int(l.Int())
	if r.status < moduleNew || r.status > moduleEvaluated {
		l.Fail("a module has the status %d", r.status)
	}
}

// below2 is below for a number that was written with its sign.
func (l *loader) below2(n int) int {
	x := l.Int()
	if x < 0 || x >= int64(n) {
		l.Fail("the number %d is not below %d", x, n)
		return 0
	}
	return int(x)
}

// check looks at what the heap can't know: that objects of the engine's own
// classes are what the machine takes them for.
func (l *loader) check() {
	m := l.m
	if len(m.progs) == 0 {
		return
	}
	err := m.H.EachOwn(func(o Obj, rec *heap.Object) error {
		if rec.Shape == 0 {
			return nil
		}
		if what := m.checkObject(o, rec); what != "" {
			l.Fail("object %d of class %d and kind %d: %s", o, rec.Class, rec.Length, what)
			return l.Err
		}
		return nil
	})
	if err != nil {
		return
	}
	if m.symbols != 0 {
		if err := m.H.CheckTable(m.symbols); err != nil {
			l.Fail("the registry of symbols: %v", err)
			return
		}
	}
	for _, o := range m.rejected { //meter: each was charged
		if m.H.Obj(o).Class != heap.ClassPromise {
			l.Fail("a promise is none")
			return
		}
	}
	for _, p := range m.progs { //meter: programs of the run
		for i, c := range p.p.Consts { //meter: constants of a program
			v := p.consts[i]
			ok := v == 0
			switch c.Kind {
			case bytecode.ConstNumber:
				ok = ok || v.IsNumber()
			case bytecode.ConstString:
				ok = ok || v.IsString()
			case bytecode.ConstBigInt:
				ok = ok || v.IsBigInt()
			}
			if !ok {
				l.Fail("a constant is of another type")
				return
			}
		}
	}
	for _, r := range m.modules { //meter: modules of the run
		if r.env != Undefined && !r.env.IsEnv() || r.prog != nil && r.prog.p.Goal != syntax.Module {
			l.Fail("a module has no environment")
			return
		}
		for _, b := range append(append([]binding(nil), r.imports...), r.bindings...) { //meter: names of the source text
			if b.slot < slotSource || b.slot >= 0 && (b.module == nil || !b.module.env.IsEnv() || b.slot+1 >= m.H.BlockSize(b.module.env.AsBlock())) {
				l.Fail("a module binds what isn't there")
				return
			}
		}
		if r.prog != nil && len(r.imports) != 0 && len(r.imports) != len(r.prog.p.Imports) || r.prog != nil && len(r.requested) > len(r.prog.p.Requests) || len(r.bindings) != len(r.names) {
			l.Fail("a module has %d imports", len(r.imports))
			return
		}
	}
	if last := &m.regexps.last; last.Input != 0 {
		n := m.H.Len(last.Input)
		for i := 0; i < min(len(last.Caps), 2*last.Groups); i += 2 { //meter: a fixed number
			if a, b := int(last.Caps[i]), int(last.Caps[i+1]); a > b || b > n || a < -1 {
				l.Fail("the last match is outside of its text")
				return
			}
		}
		if a, b := int(last.Last[0]), int(last.Last[1]); a > b || b > n || a < -1 {
			l.Fail("the last match is outside of its text")
		}
	}
}

// checkObject says what is wrong with an object, "" if nothing is.
func (m *Machine) checkObject(o Obj, rec *heap.Object) string {
	data := func(words int) bool {
		return rec.Data.IsInternal() && rec.Data == heap.ValuesValue(rec.Data.AsBlock()) && m.H.BlockSize(rec.Data.AsBlock()) >= words
	}
	switch rec.Class {
	case heap.ClassFunction:
		if int64(rec.Length) >= int64(len(m.funcs)) || m.funcs[rec.Length] == nil || rec.Data != Undefined && !rec.Data.IsEnv() {
			return "it is a function without code"
		}
	case heap.ClassNative:
		if int64(rec.Length) >= int64(len(m.realm.natives)) {
			return "it is a built-in function without code"
		}
	case heap.ClassHostFunction:
		if int64(rec.Length) >= int64(len(m.hosts)) {
			return "it is a host function that there isn't"
		}
	case heap.ClassBound:
		if !data(2 + int(min(rec.Length, 1<<20))) {
			return "it is a bound function of nothing"
		}
	case heap.ClassProxy:
		if !data(2) {
			return "it is a proxy of nothing"
		}
	case heap.ClassNamespace:
		if int64(rec.Length) >= int64(len(m.modules)) {
			return "it is a module's namespace"
		}
	case heap.ClassRegExp:
		// The number of its pattern may be one that was dropped; then it is
		// compiled again.
		if rec.Data != Undefined && !data(2) {
			return "it has no pattern"
		}
		if int64(rec.Length) < int64(len(m.regexps.table)) && m.regexps.table[rec.Length] != nil && rec.Data == Undefined {
			return "it has a pattern and none"
		}
	case heap.ClassPromise:
		if !data(promiseWords) {
			return "it is a promise without a state"
		}
		w := m.H.Values(rec.Data.AsBlock())
		n := w[promiseCount]
		if !w[promiseState].IsInt() || uint32(w[promiseState].AsInt()) > PromiseRejected || !n.IsInt() || n.AsInt() < 0 {
			return "it is a promise in no state"
		}
		if n.AsInt() == 0 {
			return ""
		}
		list := w[promiseReactions]
		if !list.IsInternal() || list != heap.ValuesValue(list.AsBlock()) || int64(n.AsInt())*reactionWords > int64(m.H.BlockSize(list.AsBlock())) {
			return "it is a promise with too many reactions"
		}
		r := m.H.Values(list.AsBlock())
		for i := range int(n.AsInt()) { //meter: reactions, which the heap holds
			e := r[i*reactionWords:]
			if !e[0].IsInt() || uint32(e[0].AsInt()) > uint32(reactAwaitReturn) {
				return "it has a reaction of no kind"
			}
			if reactionKind(e[0].AsInt()) != reactThen && (!e[1].IsObject() || m.checkCoroutine(m.H.Obj(e[1].AsObj())) != "") {
				return "what waits for it is no coroutine"
			}
		}
	case heap.ClassGenerator, heap.ClassAsyncGenerator:
		return m.checkCoroutine(rec)
	case heap.ClassBoolean, heap.ClassNumber, heap.ClassString, heap.ClassSymbol, heap.ClassBigInt, heap.ClassDate:
		if v := rec.Data; !wrapped(rec.Class, v) {
			return "it is no wrapper of its value"
		}
	case heap.ClassArrayBuffer:
		if !data(bufWords) {
			return "it is a buffer of nothing"
		}
		w := m.H.Values(rec.Data.AsBlock())
		n := w[bufLength]
		if !n.IsInt() || n.AsInt() < 0 || w[bufMax] != Undefined && w[bufMax] != True && (!w[bufMax].IsInt() || w[bufMax].AsInt() < n.AsInt()) {
			return "it is a buffer of no length"
		}
		if v := w[bufBytes]; v != Undefined && (v != heap.RawValue(v.AsBlock()) || int64(n.AsInt()) > 8*int64(m.H.BlockSize(v.AsBlock()))) || v == Undefined && n.AsInt() != 0 {
			return "it is a buffer longer than its bytes"
		}
	case heap.ClassTypedArray, heap.ClassDataView:
		if !data(viewWords) || rec.Class == heap.ClassTypedArray && rec.Length >= uint32(NumElemTypes) {
			return "it is a view of nothing"
		}
		w := m.H.Values(rec.Data.AsBlock())
		if !w[viewBuffer].IsObject() || !w[viewOffset].IsInt() || w[viewOffset].AsInt() < 0 || w[viewLength] != Undefined && (!w[viewLength].IsInt() || w[viewLength].AsInt() < 0) {
			return "it is a view of no part"
		}
		if buf := m.H.Obj(w[viewBuffer].AsObj()); buf.Class != heap.ClassArrayBuffer || w[viewBlock] != buf.Data {
			return "it is a view of no buffer"
		}
	case heap.ClassForIn:
		if !data(3) {
			return "it enumerates nothing"
		}
		w := m.H.Values(rec.Data.AsBlock())
		if w[0] != Undefined && !w[0].IsObject() || !w[1].IsObject() || m.H.Obj(w[1].AsObj()).Class != heap.ClassArray || !w[2].IsInt() || w[2].AsInt() < 0 {
			return "it enumerates no object"
		}
	case heap.ClassArguments:
		if rec.Data == Undefined {
			return ""
		}
		if !data(1) {
			return "it is mapped to nothing"
		}
		w := m.H.Values(rec.Data.AsBlock())
		n := 0
		if w[0].IsEnv() {
			n = m.H.BlockSize(w[0].AsBlock()) - 1
		}
		for _, v := range w[1:] { //meter: as large as the block that was charged
			if v != 0 && (!v.IsInt() || v.AsInt() < 0 || int(v.AsInt()) > n) {
				return "it is mapped to no variable"
			}
		}
	case heap.ClassFinalizationRegistry:
		if !data(registryWords) {
			return "it is a registry of nothing"
		}
		w := m.H.Values(rec.Data.AsBlock())
		cells, n := w[registryCells], 0
		if cells != Undefined {
			if cells != heap.ValuesValue(cells.AsBlock()) {
				return "it is a registry without cells"
			}
			n = m.H.BlockSize(cells.AsBlock())
		}
		if !w[registryUsed].IsInt() || w[registryUsed].AsInt() < 0 || 3*int64(w[registryUsed].AsInt()) > int64(n) || !w[registryQueued].IsBool() {
			return "it is a registry of more cells than it has"
		}
	}
	if f := m.realm.checks[rec.Class]; f != nil {
		if !data(1) {
			return "it has no block"
		}
		return f(m, o, m.H.Values(rec.Data.AsBlock()))
	}
	return ""
}

// wrapped reports whether a value is what an object of a class wraps.
func wrapped(class heap.Class, v Value) bool {
	switch class {
	case heap.ClassBoolean:
		return v.IsBool()
	case heap.ClassString:
		return v.IsString()
	case heap.ClassSymbol:
		return v.IsSymbol()
	case heap.ClassBigInt:
		return v.IsBigInt()
	}
	return v.IsNumber()
}

// checkCoroutine says what is wrong with a detached frame.
func (m *Machine) checkCoroutine(rec *heap.Object) string {
	v := rec.Data
	if !v.IsInternal() || v != heap.ValuesValue(v.AsBlock()) || m.H.BlockSize(v.AsBlock()) < coRegs {
		return "it has no frame"
	}
	w := m.H.Values(v.AsBlock())
	if !w[coState].IsInt() || uint32(w[coState].AsInt()) > stateAwaitReturn || w[coState].AsInt() == stateRunning {
		return "its frame is in no state"
	}
	if s := w[coState].AsInt(); s == stateDone || s == stateAwaitReturn {
		return ""
	}
	number := func(v Value) bool { return v == heap.NumberValue(v.AsNumber()) }
	if !number(w[coFn]) || !number(w[coPC]) || !number(w[coDst]) || !number(w[coFlags]) || int64(w[coFn].AsNumber()) >= int64(len(m.funcs)) {
		return "its frame has no function"
	}
	f := m.funcs[w[coFn].AsNumber()]
	if f == nil {
		return "its frame has no function"
	}
	if int64(w[coPC].AsNumber()) >= int64(len(f.code)) || w[coDst].AsNumber() >= 1<<16 || int32(w[coDst].AsNumber()) >= f.nregs && w[coDst].AsNumber() != bytecode.None || len(w) < coRegs+int(f.nregs) {
		return "its frame stands outside of its function"
	}
	if w[coEnv] != Undefined && !w[coEnv].IsEnv() {
		return "its frame has no environment"
	}
	if flags := w[coFlags].AsNumber(); flags&^uint32(frameConstruct|frameAsync|frameGenerator) != 0 {
		return "its frame has other flags"
	}
	return ""
}
