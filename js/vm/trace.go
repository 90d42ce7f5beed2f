package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

// Tracing keeps, beside the values undefined, null and NaN in registers,
// environments and properties, a note of where they came from. A failed run is
// run again with it, from a program compiled with Trace operations; other runs
// have no part of it.

// TraceOptions ask a machine to trace.
type TraceOptions struct {
	// Wanted says whether an exception that is made or thrown at a place may be
	// the one to explain.
	Wanted func(at Frame) bool
	// Show renders a value in one line. It runs no script code.
	Show func(m *Machine, v Value) string
}

// Explained is what tracing found out about an exception.
type Explained struct {
	Subject string // the expression whose value was wrong
	Value   string
	Steps   []TraceStep // where it came from, newest first
	Locals  []TraceFrame
	Names   []string // visible where it was thrown
	Keys    []string // of the object that lacks the method called
}

// TraceStep is one step on the way of a value.
type TraceStep struct {
	Text string
	Key  string   // a key that was missing
	Keys []string // of the object it was missing from
	Of   string   // what that object was
	At   Frame
}

// TraceFrame is a frame's variables.
type TraceFrame struct {
	At   Frame
	Vars []TraceVar
}

// TraceVar is a variable and its value as Show renders it.
type TraceVar struct{ Name, Value string }

// What an explanation holds at most.
const (
	maxSteps       = 5
	maxShownFrames = 4
	maxShownVars   = 8
	maxShownNames  = 500
	maxOwnKeys     = 64
	maxChain       = 24 // steps that are remembered
	maxExplained   = 16 // exceptions that are
	maxPathNodes   = 100_000
)

// origin is the number of a note in tracer.notes; 0 is unknown.
type origin int32

type noteKind uint8

const (
	noteLiteral    noteKind = iota + 1 // written in the source; n = bytecode.UndefLiteral …
	noteMissing                        // text = key, owner, list = keys of the object
	notePastEnd                        // n = index, m = length, owner
	noteHolds                          // text = key; the property of owner holds it
	noteReturned                       // text = function
	noteArgument                       // n = index, text = function
	noteNoArgument                     // n = index, text = function
	notePassed                         // by a built-in: n = index, text = function
	noteElement                        // n = index; passed by the built-in text; owner
	noteAssigned                       // text = variable
	noteStored                         // text = key
	noteNaN                            // text = the operation
	noteText                           // text says it all
	noteAwaited
	noteCreated // an object: text = what
	notePath    // an object or value of the host's: text = path
)

// note is a step. Equal notes are one, so that loops need no new ones.
type note struct {
	kind  noteKind
	depth uint8
	n, m  int32
	site  int32 // index into tracer.sites
	text  int32 // into tracer.texts
	of    int32 // into tracer.texts: what kind of object
	list  int32 // into tracer.lists
	owner origin
	prev  origin
}

type traceSite struct {
	fn *fnState
	pc int
}

type regSite struct {
	traceSite
	reg uint16
}

type slotKey struct {
	env  heap.Block
	slot int
}

type propKey struct {
	o Obj
	k Key
}

// pathNode is a place in data that came from the host.
type pathNode struct {
	parent int32 // -1: text is the root
	text   string
}

// keyList are the keys of an object, its own before those it inherits.
type keyList struct {
	own  int
	keys []string
}

// traceFrame is what tracing keeps of a frame.
type traceFrame struct {
	fn   *fnState
	base int
	gen  Obj
	regs []origin

	// The instruction that is running: its operands as they were before it.
	in     bytecode.Instr
	pc     int // -1: none
	val    [3]Value
	org    [3]origin
	calls  int // times that a built-in has called back
	result result
	mapped []mapped

	cond condition
}

// mapped is a missing value that a callback of map has returned.
type mapped struct {
	index uint32
	org   origin
}

// maxMapped is how many of them are remembered of one call.
const maxMapped = 1000

// condition is the last test that a frame made of a value.
type condition struct {
	pc      int
	operand int32
	val     Value
	org     origin
}

// result is the value that a function gave its caller.
type result struct {
	set bool
	val Value
	org origin
}

type tracer struct {
	m    *Machine
	opt  *TraceOptions
	live []traceFrame
	idle map[Obj]traceFrame // of detached frames
	// spare is memory of frames that are no more.
	spare [][]origin

	notes  []note
	noteOf map[note]origin
	sites  []traceSite
	siteOf map[traceSite]int32
	texts  []string
	textOf map[string]int32
	lists  []keyList
	listOf map[heap.ShapeID]int32
	regOf  map[regSite]int32 // the names of variables that live in registers

	envs     map[slotKey]origin
	props    map[propKey]origin
	made     map[Obj]origin
	promises map[Obj]origin // what fulfilled promises hold
	paths    map[Obj]int32
	nodes    []pathNode
	hostErrs map[Obj]string

	passed  result // what is being handed from frame to frame, or to a promise
	yielded result
	found   []explained

	compactAt int // number of notes at which they are looked through
}

type explained struct {
	exc Value
	x   *Explained
}

func newTracer(m *Machine, opt *TraceOptions) *tracer {
	t := &tracer{
		m: m, opt: opt, idle: map[Obj]traceFrame{}, notes: make([]note, 1), noteOf: map[note]origin{}, siteOf: map[traceSite]int32{},
		texts: []string{""}, textOf: map[string]int32{"": 0}, lists: make([]keyList, 1), listOf: map[heap.ShapeID]int32{},
		envs: map[slotKey]origin{}, props: map[propKey]origin{}, made: map[Obj]origin{}, promises: map[Obj]origin{}, paths: map[Obj]int32{},
		hostErrs: map[Obj]string{}, regOf: map[regSite]int32{},
	}
	t.compactAt = t.compactNext()
	return t
}

// grow charges for what tracing keeps. The charge is sticky.
func (t *tracer) grow(n int64) {
	_ = t.m.meter.Grow(n) //meter: sticky
}

// What entries take.
const (
	noteBytes  = 160
	entryBytes = 48
	siteBytes  = 80
)

func (t *tracer) note(n note) origin {
	if n.prev != 0 {
		d := t.notes[n.prev].depth
		if d >= maxChain {
			n.prev = 0
		} else {
			n.depth = d + 1
		}
	}
	if id, ok := t.noteOf[n]; ok {
		return id
	}
	t.grow(noteBytes)
	id := origin(len(t.notes))
	t.notes = append(t.notes, n)
	t.noteOf[n] = id
	return id
}

func (t *tracer) text(s string) int32 {
	if id, ok := t.textOf[s]; ok {
		return id
	}
	t.grow(int64(len(s)) + 64)
	id := int32(len(t.texts))
	t.texts = append(t.texts, s)
	t.textOf[s] = id
	return id
}

func (t *tracer) site(fn *fnState, pc int) int32 {
	k := traceSite{fn, pc}
	if id, ok := t.siteOf[k]; ok {
		return id
	}
	t.grow(siteBytes)
	id := int32(len(t.sites))
	t.sites = append(t.sites, k)
	t.siteOf[k] = id
	return id
}

func put[K comparable](t *tracer, m map[K]origin, k K, o origin) {
	n := len(m)
	if m[k] = o; len(m) > n {
		t.grow(entryBytes)
	}
}

// sweep forgets what belongs to records that are about to be freed: their
// numbers will be those of other records.
func (t *tracer) sweep() {
	h, n := t.m.H, int64(0)
	for k := range t.envs { //meter: collector; the order doesn't matter
		if !h.BlockLive(k.env) {
			delete(t.envs, k)
			n++
		}
	}
	for k := range t.props { //meter: collector; the order doesn't matter
		if !h.ObjLive(k.o) || !k.k.IsIndex() && !h.Live(heap.StringValue(k.k.Name())) {
			delete(t.props, k)
			n++
		}
	}
	for _, m := range []map[Obj]origin{t.made, t.promises} { //meter: a fixed number
		for o := range m { //meter: collector; the order doesn't matter
			if !h.ObjLive(o) {
				delete(m, o)
				n++
			}
		}
	}
	for o := range t.paths { //meter: collector; the order doesn't matter
		if !h.ObjLive(o) {
			delete(t.paths, o)
			n++
		}
	}
	for o := range t.hostErrs { //meter: collector; the order doesn't matter
		if !h.ObjLive(o) {
			delete(t.hostErrs, o)
		}
	}
	for o := range t.idle { //meter: collector; the order doesn't matter
		if !h.ObjLive(o) {
			delete(t.idle, o)
		}
	}
	for i := range t.found { //meter: at most maxExplained
		if !h.Live(t.found[i].exc) {
			t.found[i].exc = Empty
		}
	}
	clear(t.listOf)
	t.m.meter.Shrink(n * entryBytes)
}

// missing reports the values whose origins are kept.
func missing(v Value) bool {
	return v == Undefined || v == Null || v.IsDouble() && v.AsDouble() != v.AsDouble()
}

// top returns the trace of the innermost frame.
func (t *tracer) top(entry bool) *traceFrame {
	n := len(t.m.frames)
	fr := &t.m.frames[n-1]
	for len(t.live) < n { //meter: as many as there are frames
		t.push()
	}
	t.live = t.live[:n]
	f := &t.live[n-1]
	if entry {
		t.reset(f, fr)
		return f
	}
	if fr.gen != 0 {
		if saved, ok := t.idle[fr.gen]; ok {
			delete(t.idle, fr.gen)
			if cap(f.regs) > 0 && len(t.spare) < maxSpare {
				t.spare = append(t.spare, f.regs)
			}
			*f = saved
			f.base = fr.base
			return f
		}
	}
	if f.fn != fr.fn || f.base != fr.base || f.gen != fr.gen {
		t.reset(f, fr)
	}
	return f
}

// push adds a frame, with the memory of one that was there before.
func (t *tracer) push() {
	n := len(t.live)
	if n < cap(t.live) {
		t.live = t.live[:n+1]
		regs := t.live[n].regs
		t.live[n] = traceFrame{regs: regs[:0], pc: -1}
		return
	}
	t.grow(int64(n+8) * 256)
	t.live = append(t.live, traceFrame{pc: -1})
}

func (t *tracer) reset(f *traceFrame, fr *frame) {
	n := int(fr.fn.nregs)
	regs, kept := f.regs, f.mapped[:0]
	if k := len(t.spare) - 1; cap(regs) < n && k >= 0 {
		regs, t.spare = t.spare[k], t.spare[:k]
	}
	if cap(regs) < n {
		t.grow(int64(n) * 4)
		regs = make([]origin, n)
	}
	regs = regs[:n]
	clear(regs)
	*f = traceFrame{fn: fr.fn, base: fr.base, gen: fr.gen, regs: regs, mapped: kept, pc: -1}
}

// maxSpare is how many frames' memory is kept for others.
const maxSpare = 64

// detached is called before the top frame is saved into its coroutine.
func (t *tracer) detached(gen Obj) {
	n := len(t.m.frames)
	if len(t.live) < n {
		return
	}
	f := t.live[n-1]
	fr := &t.m.frames[n-1]
	if f.fn == fr.fn && f.base == fr.base {
		f.gen = gen
		t.idle[gen] = f
	}
	t.live[n-1] = traceFrame{pc: -1}
	t.live = t.live[:n-1]
}

// caught is called when the top frame's handler takes an exception.
func (t *tracer) caught() {
	n := len(t.m.frames)
	if len(t.live) >= n {
		t.live[n-1].pc = -1
	}
}

// settled is called when a promise gets its value.
func (t *tracer) settled(p Obj, state int32, v Value) {
	if state == PromiseRejected {
		t.rejected(v)
		return
	}
	if missing(v) && t.passed.set && t.passed.val == v && t.passed.org != 0 {
		put(t, t.promises, p, t.passed.org)
	}
}

// NamePaths tells tracing that a value came from the host: messages call it,
// and what it holds, by a path that begins with root.
func (m *Machine) NamePaths(v Value, root string) {
	t := m.tracer
	if t == nil || !v.IsObject() {
		return
	}
	type item struct {
		o  Obj
		at int32
	}
	add := func(o Obj, parent int32, text string) (item, bool) {
		if _, ok := t.paths[o]; ok || len(t.nodes) >= maxPathNodes {
			return item{}, false
		}
		t.grow(96)
		t.nodes = append(t.nodes, pathNode{parent, text})
		t.paths[o] = int32(len(t.nodes) - 1)
		return item{o, int32(len(t.nodes) - 1)}, true
	}
	first, ok := add(v.AsObj(), -1, root)
	if !ok {
		return
	}
	queue := []item{first}
	for len(queue) > 0 { //meter: at most maxPathNodes, each charged
		it := queue[0]
		queue = queue[1:]
		rec := m.H.Obj(it.o)
		if rec.Class != heap.ClassArray && rec.Class != heap.ClassObject || rec.Flags&(heap.Exotic|heap.Sparse) != 0 {
			continue
		}
		if m.Charge(1+int(rec.ElemLen)/8+m.H.NumNamed(it.o)/4) != nil {
			return
		}
		for i := range int(rec.ElemLen) { //meter: charged above
			if x := m.H.Elems(it.o)[i]; x.IsObject() {
				if c, ok := add(x.AsObj(), it.at, "["+itoa(i)+"]"); ok {
					queue = append(queue, c)
				}
			}
		}
		for _, p := range m.H.Named(it.o, nil) { //meter: charged above
			if x := m.H.Slot(m.H.Obj(it.o), p.Slot); p.Attrs&heap.Accessor == 0 && x.IsObject() && !m.H.IsSymbolCell(p.Name) {
				if c, ok := add(x.AsObj(), it.at, pathStep(m.H.GoString(p.Name))); ok {
					queue = append(queue, c)
				}
			}
		}
	}
}

// NameHostResult tells tracing that a host function returned v.
func (m *Machine) NameHostResult(v Value, name string) {
	t := m.tracer
	if t == nil || !missing(v) {
		return
	}
	site := int32(-1)
	if n := len(m.frames); n > 0 {
		site = t.site(m.frames[n-1].fn, m.frames[n-1].pc-1)
	}
	t.passed = result{true, v, t.note(note{kind: noteText, site: site, text: t.text("the result of the host call " + name)})}
}

// ForgetPassed tells tracing that what runs next has nothing to do with what ran
// last.
func (m *Machine) ForgetPassed() {
	if m.tracer != nil {
		m.tracer.passed = result{}
	}
}

// NameHostError tells tracing that a host call threw exc.
func (m *Machine) NameHostError(exc Value, name string) {
	if t := m.tracer; t != nil && exc.IsObject() {
		t.hostErrs[exc.AsObj()] = name
		t.grow(entryBytes)
	}
}

// Explained returns what tracing found out about an exception.
func (m *Machine) Explained(exc Value) (*Explained, bool) {
	if m.tracer == nil {
		return nil, false
	}
	for i := len(m.tracer.found) - 1; i >= 0; i-- { //meter: at most maxExplained
		if e := &m.tracer.found[i]; e.exc == exc {
			return e.x, true
		}
	}
	return nil, false
}

// path renders a place in the host's data.
func (t *tracer) path(i int32) string {
	s := ""
	for n := 0; i >= 0 && n < 50; n++ { //meter: at most 50
		p := &t.nodes[i]
		s = p.text + s
		i = p.parent
	}
	return s
}
