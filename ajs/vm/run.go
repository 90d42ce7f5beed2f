package vm

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold/meter"
)

// The prices of work, in fuel.
const (
	nodeFuel     = 0.01
	passFuel     = 0.1     // a pass of while, beside its block
	byteFuel     = 0.00005 // allocated, or walked by the membrane
	walkFuel     = 0.001   // a value measured
	checkFuel    = 0.002   // a schema node at a data path
	regexFuel    = 0.00002
	sourceFuel   = 0.0001 // a character of what is hashed or transpiled
	argsPerFuel  = 8000   // bytes of run arguments
	maxDepth     = 10_000 // of data that crosses
	maxHelpers   = 256
	maxRunCode   = 10
	maxNesting   = 150_000 // blocks and nodes in one another, over all calls
	pollEvery    = 1 << 16 // units of native work between looks at the clock
	mebi         = 1 << 20
	oneNode      = walkFuel
	maxPaths     = 1_000_000
	maxPathSteps = 1e8
)

// A run is one execution of a program with the programs it runs inline. All of
// it but the flag stop belongs to one goroutine.
type run struct {
	// What the hot paths use comes first.
	slots   []value // of the activation
	fuel    float64
	err     *AgentError // the error slot
	done    bool        // a return was reached
	out     value
	slow    bool // tracing, quotas or overrides: steps take the long way
	stop    atomic.Bool
	step    *step     // the step that runs now, for errors
	costs   []float64 // by number of the atom
	stepSeq uint64    // counts steps
	act     *activation
	scopes  int // live scopes

	budget    float64 // of fuel, at the start
	maxHeap   float64
	maxReal   float64 // of what it takes in the process
	estimate  held    // bound, only grows until it is measured anew
	transient held    // of steps at work
	base      held    // that of the steps around this one
	walkMark  uint32
	pins      []value // what loops hold
	stack     []value // arguments of calls

	last    value // what the step that ran last gave, if the run is slow
	hasLast bool
	inputs  *object // what an atom got, if the run is slow

	halted *AgentError
	vm     *VM
	opts   *options
	ctx    context.Context
	caller context.Context

	guest     *object // the run arguments as the program sees them
	hideArgs  bool    // in a helper
	anyResult bool    // the program may return what is no object
	program   *Program
	memo      map[string]value
	depth     int // helper calls
	nesting   int
	subs      int // runCode in runCode
	agents    int // agentRun in agentRun

	work      int       // native work since the last look at the clock
	stepSeen  uint64    // the step in which the clock was looked at last
	stepStart time.Time // when it was first looked at in that step
	timeouts  []time.Duration
	native    *meter.Meter
	quotas    []float64 // by number of the atom; nil: nothing is counted
	used      []float64
	sent      map[string]float64 // bytes, of atoms with a quota of them
	warnings  []string
	usage     Usage
	trace     *tracer
	store     Store
	host      *hostWorker // makes the host's calls; nil before the first
	timer     *time.Timer // of the host's calls
	reclaiming
	random func() float64
	clock  func() time.Time
}

// An activation is one call of a program's or a helper's body.
type activation struct {
	up    *activation
	body  *body
	slots []value
}

// spend takes fuel. False means that it has run out.
func (r *run) spend(f float64) bool {
	if r.fuel -= f; r.fuel <= 0 {
		return r.outOfFuel("")
	}
	return true
}

func (r *run) outOfFuel(op string) bool { return r.fail(KindFuel, op, "Out of Fuel") }

// poll is for native work of n units that fuel pays for otherwise: it keeps the
// clock in sight. False means that the run has ended.
func (r *run) poll(n int) bool {
	if r.work += n; r.work < pollEvery {
		return true
	}
	r.work = 0
	return r.look()
}

// look ends the run, or the step, if its time is over.
func (r *run) look() bool {
	if r.stop.Load() {
		return r.stopped()
	}
	if t := r.timeoutOf(r.step.atom); t > 0 {
		now := time.Now()
		if r.stepSeen != r.stepSeq {
			r.stepSeen, r.stepStart = r.stepSeq, now
		} else if now.Sub(r.stepStart) > t {
			return r.failf(KindTimeout, "", "Atom '%s' timed out", r.step.atom.Name)
		}
	}
	return true
}

// stopped turns the flag into a halt.
func (r *run) stopped() bool {
	if r.caller.Err() != nil {
		return r.halt(KindAbort, "vm.run", "Execution aborted by the caller (options.signal)", context.Cause(r.caller))
	}
	return r.halt(KindTimeout, "vm.run", "Execution timeout after "+formatNumber(r.opts.timeoutMs)+"ms. Pass a higher `timeoutMs` to vm.run() or set per-atom `timeoutOverrides` for slow IO atoms.", context.DeadlineExceeded)
}

var errRunOver = errors.New("the run is over")

// held is memory that a run holds: bytes as the specification counts them, and
// how much more it takes in the process (less for text).
type held struct{ bytes, extra float64 }

func (h *held) add(bytes, extra float64) {
	h.bytes += bytes
	h.extra += extra
}

// What values take in the process beyond the counted bytes: 16 and 8 for each
// slot or member, 2 for a character.
const (
	slotExtra   = 32 - 8
	arrayExtra  = 48 - 16
	objectExtra = 80 - 16
	memberExtra = 16 + 32 - 8
	indexExtra  = 64 // a member in the table of a Set or a large object
	setExtra    = 384
	textExtra   = 48 // a text, less a byte for each character
	// realFloor is what no run is refused for, whatever its ceiling.
	realFloor = 8 * mebi
)

// over reports that bytes more are too many: as counted, or since the process
// would grow to more than twice the ceiling.
func (r *run) over(bytes, extra float64) bool {
	sum := r.estimate.bytes + r.transient.bytes + bytes
	return sum > r.maxHeap || sum+r.estimate.extra+r.transient.extra+extra > r.maxReal
}

// holds is what a run holds with bytes more, as errors say it: half of what it
// takes in the process if that is more than what is counted.
func (r *run) holds(bytes, extra float64) float64 {
	sum := r.estimate.bytes + r.transient.bytes + bytes
	return max(sum, (sum+r.estimate.extra+r.transient.extra+extra-realFloor)/2)
}

// asks counts what was asked for, and looks at the process now and then.
func (r *run) asks(real float64) {
	if r.asked += real; r.asked > r.maxHeap/4 && r.asked > mebi {
		r.lookMemory()
	}
}

// allocate charges bytes that are about to be made, and holds them as the
// step's until its end.
func (r *run) allocate(bytes float64, op string) bool { return r.allocateMore(bytes, 0, op) }

// allocateMore is allocate for what takes more than it counts.
func (r *run) allocateMore(bytes, extra float64, op string) bool {
	if bytes <= 0 {
		return true
	}
	if bytes > r.maxHeap || bytes != bytes {
		return r.heapError(r.holds(bytes, extra), op)
	}
	if r.fuel -= bytes * byteFuel; r.fuel <= 0 {
		return r.outOfFuel(op)
	}
	if r.over(bytes, extra) && !r.gate(bytes, extra, op) {
		return false
	}
	r.transient.add(bytes, extra)
	r.asks(bytes + extra)
	if bytes > 1<<16 {
		return r.poll(int(bytes / 8))
	}
	return true
}

// gate measures what is alive and fails if bytes more are too many.
func (r *run) gate(bytes, extra float64, op string) bool {
	alive, ok := r.measure(op)
	if !ok {
		return false
	}
	r.estimate = alive
	if r.over(bytes, extra) {
		return r.heapError(r.holds(bytes, extra), op)
	}
	return true
}

func (r *run) heapError(holds float64, op string) bool {
	mb := func(f float64) float64 { return math.Floor(f/mebi + 0.5) }
	return r.failf(KindHeap, op, "Heap limit exceeded: guest state holds ~%sMB, limit %sMB. Fuel bounds total work; this bounds peak memory. Raise it with the maxHeapBytes run option if the workload genuinely needs it.",
		formatNumber(mb(holds)), formatNumber(mb(r.maxHeap)))
}

// measure goes over everything reachable from the roots: the variables of live
// scopes, what memoize keeps, the run arguments, and what loops hold.
func (r *run) measure(op string) (held, bool) {
	w := r.walker(op)
	nodes := r.scopes + 1
	w.bytes += 16 * float64(nodes)
	r.fuel -= walkFuel * float64(nodes)
	for a := r.act; a != nil; a = a.up {
		slots := a.slots
		for i := range slots {
			if slots[i].kind != unset {
				w.bytes += float64(2*len(a.body.names[i]) + 8)
				if !w.value(slots[i]) {
					return held{}, false
				}
			}
		}
	}
	for _, v := range r.memo {
		if !w.value(v) {
			return held{}, false
		}
	}
	if !w.value(objectOf(r.guest)) {
		return held{}, false
	}
	for _, v := range r.pins {
		if !w.value(v) {
			return held{}, false
		}
	}
	return w.held, w.flush()
}

// A walker counts the bytes of values, each container once, at the price of a
// node for each value.
type walker struct {
	r  *run
	op string
	held
	nodes int
	todo  []value
}

func (r *run) walker(op string) *walker {
	r.walkMark++
	return &walker{r: r, op: op}
}

func (w *walker) flush() bool {
	if w.r.fuel -= float64(w.nodes) * walkFuel; w.r.fuel <= 0 {
		return w.r.outOfFuel(w.op)
	}
	n := w.nodes
	w.nodes = 0
	return w.r.poll(n)
}

func (w *walker) value(v value) bool {
	w.one(v)
	for len(w.todo) > 0 {
		if w.nodes > 1024 && !w.flush() {
			return false
		}
		v := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if v.kind == arrayKind {
			a := v.array()
			for i := range a.elems {
				w.one(a.elems[i])
				if w.nodes > 4096 && !w.flush() {
					return false
				}
			}
			continue
		}
		o := v.object()
		for i := range o.vals {
			w.bytes += float64(2*len16(o.keys[i]) + 8)
			w.one(o.vals[i])
			if w.nodes > 4096 && !w.flush() {
				return false
			}
		}
	}
	return true
}

// one counts one value; containers seen for the first time are gone into later.
func (w *walker) one(v value) {
	switch v.kind {
	case stringKind:
		w.nodes++
		n := float64(v.str().len())
		w.add(2*n, textExtra-n)
	case arrayKind:
		a := v.array()
		if a.mark == w.r.walkMark {
			return
		}
		a.mark = w.r.walkMark
		w.nodes++
		n, room := float64(len(a.elems)), float64(cap(a.elems))
		w.add(16+8*n, arrayExtra+32*room-8*n)
		if a.set != nil {
			w.add(8*n, setExtra+indexExtra*n)
		}
		w.todo = append(w.todo, v)
	case objectKind:
		o := v.object()
		if o.mark == w.r.walkMark {
			return
		}
		o.mark = w.r.walkMark
		w.nodes++
		n := float64(len(o.keys))
		w.add(16, objectExtra+memberExtra*n)
		if o.index != nil {
			w.extra += indexExtra * n
		}
		w.todo = append(w.todo, v)
	default:
		w.nodes++
	}
}

// size measures a value that is about to be held.
func (r *run) size(v value, op string) (held, bool) {
	w := r.walker(op)
	if !w.value(v) || !w.flush() {
		return held{}, false
	}
	return w.held, true
}

// hold charges bytes that stay, and what they take beyond.
func (r *run) hold(bytes, extra float64, op string) bool {
	if bytes <= 0 {
		return true
	}
	if r.over(bytes, extra) && !r.gate(bytes, extra, op) {
		return false
	}
	r.estimate.add(bytes, extra)
	r.asks(bytes + extra)
	return true
}

// bind charges the storing of v and gives it back to be stored. base is what
// was transient when the step began: from now on the value is bound.
func (r *run) bind(slot *value, v value, op string) bool {
	switch v.kind {
	case stringKind:
		if r.fuel -= oneNode; r.fuel <= 0 {
			return r.outOfFuel(op)
		}
		r.transient = r.base
		n := float64(v.str().len())
		if r.over(2*n, textExtra-n) {
			// The old value of the variable is not alive any more.
			old := *slot
			*slot = nullValue
			ok := r.hold(2*n, textExtra-n, op)
			*slot = old
			if !ok {
				return false
			}
		} else {
			r.estimate.add(2*n, textExtra-n)
			r.asks(n)
		}
	case arrayKind:
		a := v.array()
		if a.known == len(a.elems)+1 {
			if slot.r != v.r && !r.hold(8, 0, op) {
				return false
			}
			break
		}
		if !r.bindTree(v, a, op) {
			return false
		}
	case objectKind:
		o := v.object()
		if o.known {
			if slot.r != v.r && !r.hold(8, 0, op) {
				return false
			}
			break
		}
		r.transient = r.base
		h, ok := r.size(v, op)
		if !ok || !r.hold(h.bytes, h.extra, op) {
			return false
		}
		o.known = true
	default:
		if r.fuel -= oneNode; r.fuel <= 0 {
			return r.outOfFuel(op)
		}
	}
	fixed := slot.fixed
	*slot = v
	slot.fixed = fixed
	return true
}

func (r *run) bindTree(v value, a *array, op string) bool {
	r.transient = r.base
	from := a.known - 1
	if from < 0 || from > len(a.elems) || a.set != nil {
		h, ok := r.size(v, op)
		if !ok || !r.hold(h.bytes, h.extra, op) {
			return false
		}
		a.known = len(a.elems) + 1
		return true
	}
	// Only the new tail.
	w := r.walker(op)
	w.add(8*float64(len(a.elems)-from), slotExtra*float64(len(a.elems)-from))
	for _, e := range a.elems[from:] {
		if !w.value(e) {
			return false
		}
	}
	if !w.flush() || !r.hold(w.bytes, w.extra, op) {
		return false
	}
	a.known = len(a.elems) + 1
	return true
}

// fuelUsed never reports more than there was.
func (r *run) fuelUsed() float64 { return rounded(min(r.budget-r.fuel, r.budget)) }

// rounded leaves out what adding up many small prices left in the last digits.
func rounded(f float64) float64 {
	if math.Abs(f) > 1e6 {
		return f
	}
	return math.Round(f*1e9) / 1e9
}

// unlimited is what an infinite budget counts down from: hours of work, and
// small enough that a node's price is not lost in rounding.
const unlimited = 1e11

func (r *run) now() time.Time { return r.clock() }
