package vm

import (
	"time"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/meter"
)

// The heap's words, under the names this package and the built-ins use.
type (
	Value = heap.Value
	Obj   = heap.Obj
	Str   = heap.Str
	Key   = heap.Key
)

// Special values.
const (
	Undefined = heap.Undefined
	Null      = heap.Null
	True      = heap.True
	False     = heap.False
	Empty     = heap.Empty
)

// Realm is the immutable part that all machines share: the heap template with
// every intrinsic in it and the table of native functions. It is safe for use
// by many goroutines.
type Realm struct {
	heap       *heap.Template
	natives    []native
	intrinsics [NumIntrinsics]Obj
	names      *Names
	shapes     shapes
	checks     [heap.NumClasses]ObjectCheck
	fill       func(b *Builder)
}

// ObjectCheck says what is wrong with an object of a class whose Data is a block
// of these words, "" if nothing is.
type ObjectCheck func(m *Machine, o Obj, words []Value) string

// native is a built-in function: its code and what a Call needs to know.
type native struct {
	fn     NativeFunc
	name   string
	kind   nativeKind
	hidden bool // stacks don't show it
}

type nativeKind uint8

const (
	nativePlain nativeKind = iota
	nativeCall             // Function.prototype.call, handled without nesting
	nativeApply
	nativeGenNext // %GeneratorPrototype%.next, likewise
)

// NativeFunc is a built-in function or a host function.
type NativeFunc func(m *Machine, c Call) (Value, error)

// Call is what a native function is called with. Args is a view of the value
// stack: read it, don't write it.
type Call struct {
	This      Value
	Args      []Value
	NewTarget Value // Undefined unless called by new
	Callee    Obj
}

// Arg returns argument i, undefined if there are fewer.
func (c *Call) Arg(i int) Value {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return Undefined
}

// shapes are hidden classes that the engine makes objects of directly.
type shapes struct {
	object     heap.ShapeID // {} with %Object.prototype%
	array      heap.ShapeID
	iterResult heap.ShapeID // {value, done}
	function   heap.ShapeID // materialised function without properties
	// Functions whose own properties are made on first use: see materialize.
	lazyFunction, lazyAsync, lazyGenerator, lazyAsyncGenerator heap.ShapeID
	null                                                       heap.ShapeID // prototype null
	promise                                                    heap.ShapeID
	generatorProto, asyncGeneratorProto                        heap.ShapeID
}

// Options configure a Machine.
type Options struct {
	// Now is the run's clock, in milliseconds since the epoch; nil is the
	// system's clock.
	Now func() float64
	// Location is the run's time zone; nil is UTC.
	Location *time.Location
	// Seed seeds Math.random.
	Seed uint64
	// NoEval makes eval and the Function constructors throw EvalError.
	NoEval bool
	// Override lets an assignment give an object a property of its own where it
	// inherits one that can't be written: for realms that are frozen.
	Override bool
	// MaxSourceBytes is the largest source text that eval and Function take;
	// 0 is 1 MiB.
	MaxSourceBytes int
	// Stress collects at every safepoint and poisons what is freed; with
	// StressEvery above 1, at every so many.
	Stress      bool
	StressEvery int
	// LoadModule fetches a module for import and import(); nil refuses.
	LoadModule func(referrer, specifier string, attributes [][2]string) (ModuleSource, error)
	// Trace makes the machine keep track of where missing values come from, in
	// programs compiled for it.
	Trace *TraceOptions
	// Host is for the host's own native functions, which find it through
	// Machine.Options.
	Host any
	// UnhandledRejection is told of a promise that was rejected with nobody to
	// see it (handled false) and of one that was handled after all.
	UnhandledRejection func(promise Obj, reason Value, handled bool)
}

// Machine is one run's engine. It belongs to one goroutine.
type Machine struct {
	H     *heap.Heap
	N     *Names
	meter *meter.Meter
	slice *int64 // the meter's fuel left in this slice
	realm *Realm
	opt   Options

	intrinsics [NumIntrinsics]Obj
	shapes     shapes

	stack  []Value
	sp     int // registers below are in use by frames or natives
	high   int // registers at and above are undefined or numbers: never rooted
	frames []frame
	calls  []callRec // those that no instruction of a frame is at
	// traceBuf is room for the frames of an error.
	traceBuf []Value
	roots    []Value
	joins    []int // of roots, see EnterJoin
	noGC     int   // > 0: some Go frame holds unrooted values

	funcs []*fnState
	progs []*progState
	polys []polySites
	hosts []hostFunc

	headlineDepth int // of errors described inside each other

	exc          Value // the exception on its way, while an error is errThrown
	thrown       ThrowSite
	limitAt      []ThrowSite // the innermost frames that a limit ended
	jobs         jobQueue
	kept         []Value // WeakRef targets kept until the end of the job
	symbols      heap.Block
	rng          [4]uint64
	modules      []*moduleRecord
	asyncModules int
	rejected     []Obj // rejected promises that nobody had handled then
	handled      int   // how many of them have been since, about
	Memo         any   // what package builtins keeps to save work: it can be made again from the heap
	compile      Compiler
	tracer       *tracer
	deliverTo    int // register that the value of a frame just popped goes to
	intact       [2]slotOf
	regexps      regExps
	held         int64         // Go memory charged by natives still running, see Hold
	heldBase     int64         // of it, what natives below the interpreter's run hold
	realms       []*realmState // nil unless there are several
	current      uint8         // number of the current one
}

type hostFunc struct {
	fn   NativeFunc
	name string
}

// Compiler turns source that arrives at run time into programs. Package js
// supplies it, so that this package needs no parser.
type Compiler interface {
	// Eval compiles the source of a direct (outer not nil) or indirect eval.
	Eval(m *Machine, source string, outer *bytecode.Scope) (*bytecode.Program, error)
	// Function compiles CreateDynamicFunction: kind is "function",
	// "function*", "async function" or "async function*". Running the
	// program gives the closure.
	Function(m *Machine, kind, params, body string) (*bytecode.Program, error)
}

// NewMachine makes a machine with a fresh realm. It charges mt.
func (r *Realm) NewMachine(mt *meter.Meter, opt Options, c Compiler) *Machine {
	m := &Machine{
		H: r.heap.NewHeap(mt), N: r.names, meter: mt, slice: mt.Slice(), realm: r, opt: opt,
		intrinsics: r.intrinsics, shapes: r.shapes, compile: c, exc: Undefined,
	}
	m.growStack(256)
	m.frames = make([]frame, 0, 16)
	m.seed(opt.Seed)
	if opt.Trace != nil {
		m.tracer = newTracer(m, opt.Trace)
	}
	if opt.Stress {
		m.H.SetStress(max(opt.StressEvery, 1))
	}
	return m
}

// Meter returns the machine's meter.
func (m *Machine) Meter() *meter.Meter { return m.meter }

// Options returns the machine's options.
func (m *Machine) Options() *Options { return &m.opt }

// Charge takes n units of fuel.
func (m *Machine) Charge(n int) error { return m.meter.Charge(int64(n)) }

// Intrinsic returns a well-known object.
func (m *Machine) Intrinsic(i Intrinsic) Obj { return m.intrinsics[i] }

// Global returns the global object.
func (m *Machine) Global() Obj { return m.intrinsics[GlobalObject] }

// Now returns the run's clock in milliseconds since the epoch.
func (m *Machine) Now() float64 {
	if m.opt.Now != nil {
		return m.opt.Now()
	}
	return float64(time.Now().UnixMilli())
}

// Location returns the run's time zone.
func (m *Machine) Location() *time.Location {
	if m.opt.Location != nil {
		return m.opt.Location
	}
	return time.UTC
}

// seed fills the generator's state by splitmix64.
func (m *Machine) seed(x uint64) {
	for i := range m.rng {
		x += 0x9E3779B97F4A7C15
		z := x
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		m.rng[i] = z ^ z>>31
	}
}

// RandomBits returns the next 64 bits of the run's generator, xoshiro256**:
// the sequence of a seed is part of the contract.
func (m *Machine) RandomBits() uint64 {
	s := &m.rng
	r := s[1] * 5
	r = (r<<7 | r>>57) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = s[3]<<45 | s[3]>>19
	return r
}

// Root keeps v alive until PopRoots. It returns the root stack's height from
// before, for PopRoots.
func (m *Machine) Root(v Value) int {
	m.roots = append(m.roots, v)
	return len(m.roots) - 1
}

// PopRoots drops the roots from height n on.
func (m *Machine) PopRoots(n int) { m.roots = m.roots[:n] }

// largeStack is from how many registers on the stack grows by half.
const largeStack = 1 << 18

// growStack makes room for n more registers above sp.
func (m *Machine) growStack(n int) {
	if m.sp+n <= len(m.stack) {
		return
	}
	// Twice as much as before, half as much again when it is large (both are there
	// while it is copied), or all there is; if that isn't enough the run ends.
	size := max(2*len(m.stack), 256)
	if len(m.stack) > largeStack {
		size = len(m.stack) + len(m.stack)/2
	}
	if room := m.meter.Headroom() / 8; int64(size) > room {
		size = int(max(room, 0))
	}
	size = max(size, m.sp+n)
	old := len(m.stack)
	_ = m.meter.Grow(int64(size) * 8) //meter: sticky; depth is limited too
	s := make([]Value, size)
	copy(s, m.stack)
	m.stack = s
	m.meter.Shrink(int64(old) * 8)
}

// safepoint runs when the fuel slice is used up: it looks at the clock and
// collects when the heap asks for it and no Go frame holds unrooted values.
func (m *Machine) safepoint() error {
	if err := m.meter.Refill(); err != nil {
		return err
	}
	m.letGo(m.heldBase)
	if m.meter.Kicked() && m.noGC == 0 {
		if !m.H.WantsCollection() {
			m.meter.Unkick()
			return nil
		}
		return m.collect()
	}
	return nil
}

// collect runs the garbage collector.
func (m *Machine) collect() error {
	err := m.H.Collect(m.markRoots, m.sweepCaches)
	// Registers above the top may hold what was just freed. They may belong to
	// a frame whose callee is smaller than the rest of its window: it will use
	// them again, so they stay below high.
	top := m.top()
	end := top
	for i := range m.frames { //meter: collector
		end = max(end, m.frames[i].base+int(m.frames[i].fn.nregs))
	}
	if high := min(max(m.high, end), len(m.stack)); high > top {
		clearUndefined(m.stack[top:high])
	}
	m.high = end
	m.H.DeadCells(m.enqueueCleanup)
	return err
}

// MakeRoom collects when a native function is about to ask for n bytes that
// aren't there: an allocation itself never collects. It is called where nothing
// but keep and what is rooted already is needed any more.
func (m *Machine) MakeRoom(n int64, keep ...Value) error {
	if m.noGC > 0 || !m.H.WantsRoom(n) {
		return nil
	}
	at := len(m.roots)
	m.roots = append(m.roots, keep...)
	err := m.collect()
	m.roots = m.roots[:at]
	return err
}

// top returns the end of the registers in use.
func (m *Machine) top() int {
	top := m.sp
	if n := len(m.frames); n > 0 {
		fr := &m.frames[n-1]
		top = max(top, fr.base+int(fr.fn.nregs))
	}
	return top
}

func clearUndefined(s []Value) {
	for i := range s { //meter: part of the stack, which was paid for when it was used
		s[i] = Undefined
	}
}

func (m *Machine) markRoots() {
	h := m.H
	h.MarkValues(m.stack[:m.top()])
	h.MarkValues(m.roots)
	h.Mark(m.exc)
	h.MarkValues(m.kept)
	for _, o := range m.intrinsics { //meter: a fixed number
		h.MarkObj(o)
	}
	for _, s := range m.realms { //meter: as many as CreateRealm was charged for
		s.mark(h)
	}
	if m.symbols != 0 {
		h.Mark(heap.ValuesValue(m.symbols))
	}
	for i := range m.frames { //meter: collector
		f := &m.frames[i]
		h.Mark(f.env)
		h.Mark(f.newTarget)
		h.MarkObj(f.gen)
	}
	m.jobs.mark(h)
	for _, p := range m.progs { //meter: collector
		h.MarkValues(p.consts)
		h.MarkObj(p.meta)
	}
	for _, f := range m.funcs { //meter: collector
		if f != nil {
			for _, t := range f.templates { //meter: collector
				h.MarkObj(t)
			}
		}
	}
	m.regexps.last.mark(h)
	for _, r := range m.modules { //meter: collector
		r.mark(h)
	}
	for _, o := range m.rejected { //meter: collector
		h.MarkObj(o)
	}
}

// sweepCaches empties the inline caches that refer to what is about to be
// freed: its number may be given to something else.
func (m *Machine) sweepCaches() {
	if m.tracer != nil {
		m.tracer.sweep()
	}
	for i := range m.polys { //meter: collector
		for k := range m.polys[i].e { //meter: a fixed number
			e := &m.polys[i].e[k]
			if e.shape != 0 && (!m.H.ShapeLive(e.shape) || e.to != 0 && !m.H.ShapeLive(e.to) || e.holder != 0 && !m.H.ObjLive(e.holder)) {
				*e = polyEntry{}
			}
		}
	}
	for _, f := range m.funcs { //meter: collector
		if f == nil {
			continue
		}
		for i := range f.ics { //meter: collector
			c := &f.ics[i]
			if c.shape != 0 && (!m.H.ShapeLive(c.shape) || c.to != 0 && !m.H.ShapeLive(c.to) || c.holder != 0 && !m.H.ObjLive(c.holder)) {
				c.shape, c.to, c.holder = 0, 0, 0
			}
		}
		if f.ctorShape != 0 && (!m.H.ShapeLive(f.ctorShape) || !m.H.ObjLive(f.ctorProto)) {
			f.ctorShape, f.ctorProto = 0, 0
		}
	}
}
