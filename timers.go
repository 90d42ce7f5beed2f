package pinfold

import (
	"math"
	"time"

	"github.com/pinfold-js/pinfold/js/builtins"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// timerNames are the globals that Options.Timers gives to programs.
var timerNames = nameSet("setTimeout setInterval clearTimeout clearInterval")

const (
	// timerBytes is what a timer is charged beside its callback and arguments.
	timerBytes = 128
	// timerFuel is what making and firing a timer is charged.
	timerFuel = 20
	// maxDelay is the longest delay in milliseconds; a longer one counts as 1, as
	// in node.
	maxDelay = 1<<31 - 1
)

// timer is a pending timer.
type timer struct {
	due    float64 // on the timers' clock
	seq    int64   // of equal dues, the earlier comes first
	id     int32
	every  float64 // the delay of an interval; 0: fires once
	slot   uint32  // of its array {callback, arguments…} in timers.calls
	at     int     // in timers.queue
	firing bool    // its callback runs: it is not in the queue
}

// timers are a run's pending timers. Their clock counts milliseconds: real ones
// since the first timer, or, when the programs' clock stands, those that the
// run has waited, which cost no time.
type timers struct {
	virtual bool
	start   time.Time
	elapsed float64 // of the virtual clock
	queue   []*timer
	byID    map[int32]*timer
	calls   vm.Obj // array of the callbacks, by slot
	free    []uint32
	seq     int64
	lastID  int32
	fired   bool // the last thing waited for was a timer
}

// defineTimers puts the timer functions into the machine.
func (r *run) defineTimers() error {
	t := &r.timers
	t.virtual = !r.sb.opt.FixedTime.IsZero()
	t.start = time.Now()
	t.byID = map[int32]*timer{}
	t.calls = r.m.NewArrayLen(0)
	r.m.Root(heap.ObjectValue(t.calls))
	global := heap.ObjectValue(r.m.Global())
	for _, f := range r.timerFunctions() { //meter: the functions of timers: four
		o, err := r.m.NewHostFunction(f.name, f.length, f.fn)
		if err != nil {
			return err
		}
		if err := r.define(global, f.name, heap.ObjectValue(o), heap.DefaultAttrs); err != nil {
			return err
		}
	}
	return nil
}

type timerFunction struct {
	name   string
	length int
	fn     vm.NativeFunc
}

func (r *run) timerFunctions() []timerFunction {
	return []timerFunction{
		{"setTimeout", 5, r.setTimer(false)}, {"setInterval", 5, r.setTimer(true)},
		{"clearTimeout", 1, r.clearTimer}, {"clearInterval", 1, r.clearTimer},
	}
}

// now is the time on the timers' clock.
func (t *timers) now() float64 {
	if t.virtual {
		return t.elapsed
	}
	return float64(time.Since(t.start)) / float64(time.Millisecond)
}

// setTimer is setTimeout and setInterval.
func (r *run) setTimer(repeat bool) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		fn := c.Arg(0)
		if !m.IsCallable(fn) {
			return vm.Undefined, builtins.ArgumentTypeError(m, "callback", "of type function", fn)
		}
		delay := 1.0
		if c.Arg(1).IsBigInt() {
			return vm.Undefined, m.TypeError("Cannot mix BigInt and other types, use explicit conversions")
		}
		if c.Arg(1) != vm.Undefined {
			n, err := m.ToFloat(c.Arg(1))
			if err != nil {
				return vm.Undefined, err
			}
			if n >= 1 && n <= maxDelay {
				delay = math.Trunc(n)
			}
		}
		call := make([]vm.Value, 1, 8)
		call[0] = fn
		if len(c.Args) > 2 {
			if err := m.ChargeKeys(len(c.Args)); err != nil {
				return vm.Undefined, err
			}
			call = append(call, c.Args[2:]...)
		}
		entry, err := m.NewArray(call)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.Charge(timerFuel); err != nil {
			return vm.Undefined, err
		}
		if err := r.mt.Grow(timerBytes); err != nil {
			return vm.Undefined, err
		}
		t := &r.timers
		x := &timer{id: t.nextID(), due: t.now() + delay}
		if repeat {
			x.every = delay
		}
		if n := len(t.free); n > 0 {
			x.slot = t.free[n-1]
			t.free = t.free[:n-1]
			m.H.SetElem(t.calls, x.slot, heap.ObjectValue(entry))
		} else {
			x.slot = m.H.Obj(t.calls).Length
			if err := m.H.Push(t.calls, heap.ObjectValue(entry)); err != nil {
				return vm.Undefined, err
			}
		}
		t.byID[x.id] = x
		t.push(x)
		return heap.Int(x.id), nil
	}
}

// nextID returns an id that no pending timer has.
func (t *timers) nextID() int32 {
	for { //meter: ids are taken in turn, and fewer are in use than there are
		if t.lastID++; t.lastID <= 0 {
			t.lastID = 1
		}
		if t.byID[t.lastID] == nil {
			return t.lastID
		}
	}
}

// clearTimer is clearTimeout and clearInterval: either ends both. What is not
// the id of a pending timer is ignored.
func (r *run) clearTimer(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v := c.Arg(0)
	if !v.IsNumber() && !v.IsString() {
		return vm.Undefined, nil
	}
	if err := m.Charge(timerFuel / 2); err != nil {
		return vm.Undefined, err
	}
	id, err := m.ToFloat(v)
	if err != nil {
		return vm.Undefined, err
	}
	if x := r.timers.byID[int32(id)]; x != nil && float64(x.id) == id {
		r.dropTimer(x)
	}
	return vm.Undefined, nil
}

// dropTimer forgets a timer.
func (r *run) dropTimer(x *timer) {
	t := &r.timers
	if !x.firing {
		t.remove(x)
	}
	delete(t.byID, x.id)
	r.m.H.SetElem(t.calls, x.slot, vm.Undefined)
	t.free = append(t.free, x.slot)
	r.mt.Shrink(timerBytes)
}

// fire waits on the virtual clock for a timer, the first one in the queue, and
// runs its callback.
func (r *run) fire(x *timer) error {
	m, t := r.m, &r.timers
	r.recordFire(x.id)
	if err := r.noteFire(x.id); err != nil {
		return err
	}
	t.fired = true
	if t.virtual {
		t.elapsed = max(t.elapsed, x.due)
	}
	t.remove(x)
	x.firing = true
	if err := m.Charge(timerFuel); err != nil {
		return err
	}
	entry, _, _ := m.H.GetElem(t.calls, x.slot)
	at := m.Root(entry)
	defer m.PopRoots(at)
	if x.every == 0 {
		r.dropTimer(x)
	}
	call := append([]vm.Value(nil), m.H.Elems(entry.AsObj())...)
	if _, err := m.CallRooted(call[0], vm.Undefined, call[1:]...); err != nil {
		return err
	}
	if x.every > 0 && t.byID[x.id] == x { // it has not cleared itself
		x.firing = false
		x.due = t.now() + x.every
		t.push(x)
	}
	return nil
}

// untilTimer says how long it is until the first timer is due.
func (r *run) untilTimer() (d time.Duration, ok bool) {
	t := &r.timers
	if len(t.queue) == 0 {
		return 0, false
	}
	left := t.queue[0].due - t.now()
	return time.Duration(max(left, 0) * float64(time.Millisecond)), true
}

// The queue is a binary heap.

func (t *timers) before(i, k int) bool {
	a, b := t.queue[i], t.queue[k]
	return a.due < b.due || a.due == b.due && a.seq < b.seq
}

func (t *timers) swap(i, k int) {
	q := t.queue
	q[i], q[k] = q[k], q[i]
	q[i].at, q[k].at = i, k
}

func (t *timers) push(x *timer) {
	t.seq++
	x.seq, x.at = t.seq, len(t.queue)
	t.queue = append(t.queue, x)
	t.up(x.at)
}

func (t *timers) remove(x *timer) {
	i, last := x.at, len(t.queue)-1
	t.swap(i, last)
	t.queue[last] = nil
	t.queue = t.queue[:last]
	if i < last {
		t.up(i)
		t.down(i)
	}
}

func (t *timers) up(i int) {
	for i > 0 && t.before(i, (i-1)/2) { //meter: the logarithm of their number
		t.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (t *timers) down(i int) {
	for { //meter: the logarithm of their number
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < len(t.queue); k++ { //meter: two
			if t.before(k, least) {
				least = k
			}
		}
		if least == i {
			return
		}
		t.swap(i, least)
		i = least
	}
}
