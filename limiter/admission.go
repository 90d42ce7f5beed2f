package limiter

import "container/heap"

// admission is the rule of who may hold a slot, and the order of those who
// wait. It knows neither time nor locks.
//
// Those who share a cap are a group. A group that has waiters and is below its
// cap stands in one of its class's two heaps, by whether it holds a slot, in
// the order of its first waiter. All groups in a heap are alike to the rule, so
// only the heads need to be looked at.
type admission struct {
	slots, reserved                 int
	perCaller, perOwner, perDecider int

	held    int
	byClass [classes]int
	waiting int
	groups  map[key]*group
	ready   [classes][2]groupHeap
	seq     uint64
}

// group is all who share a cap: a caller, an owner of hooks, a decider.
type group struct {
	key
	held        int
	first, last *ticket // who wait
	waiting     int
	heap, at    int // where it stands: 1 + which of the ready heaps, and the place there
}

// ticket is one who waits.
type ticket struct {
	group      *group
	seq        uint64
	prev, next *ticket
	wake       chan struct{} // closed when it has got a slot
	slot       *Slot
}

// Cap is what refused a request.
type Cap string

// The caps.
const (
	CapSlots    Cap = "slots"     // all slots are taken
	CapReserve  Cap = "reserve"   // the free slots are reserved for hooks and deciders
	CapCaller   Cap = "caller"    // the caller holds as many as one may
	CapOwner    Cap = "owner"     // the owner's hooks hold as many as one's may
	CapDecider  Cap = "decider"   // the decider holds as many as one may
	CapDeciders Cap = "deciders"  // deciders hold half of the slots
	CapLastSlot Cap = "last slot" // the last free slot is for hooks of owners that hold none
	CapBytes    Cap = "bytes"     // the bytes of all runs would pass their budget
)

func newAdmission(c Config) admission {
	return admission{
		slots: c.MaxConcurrentRuns, reserved: c.ReservedForInterceptors,
		perCaller: c.MaxRunsPerCaller, perOwner: c.MaxInterceptorsPerOwner, perDecider: c.MaxRunsPerDecider,
		groups: map[key]*group{},
	}
}

// own returns the cap that one group has for itself.
func (a *admission) own(c Class) (int, Cap) {
	switch c {
	case Hook:
		return a.perOwner, CapOwner
	case Decider:
		return a.perDecider, CapDecider
	}
	return a.perCaller, CapCaller
}

// refusal says what keeps a group from one more slot; "" is nothing.
func (a *admission) refusal(g *group) Cap {
	if n, what := a.own(g.class); g.held >= n {
		return what
	}
	switch g.class {
	case Tool:
		if a.byClass[Tool] >= a.slots-a.reserved && a.held < a.slots {
			return CapReserve
		}
	case Decider:
		if a.byClass[Decider] >= a.slots/2 {
			return CapDeciders
		}
	}
	switch {
	case a.held >= a.slots:
		return CapSlots
	case a.held == a.slots-1 && (g.class == Decider || g.class == Hook && g.held > 0):
		return CapLastSlot
	}
	return ""
}

func (a *admission) group(k key) *group {
	g := a.groups[k]
	if g == nil {
		g = &group{key: k}
		a.groups[k] = g
	}
	return g
}

// hold gives a slot to a group.
func (a *admission) hold(g *group) {
	a.held++
	a.byClass[g.class]++
	g.held++
	a.place(g)
}

// release takes a slot back.
func (a *admission) release(g *group) {
	a.held--
	a.byClass[g.class]--
	g.held--
	a.place(g)
}

// enqueue lets one more wait.
func (a *admission) enqueue(g *group, t *ticket) {
	a.seq++
	a.waiting++
	g.waiting++
	t.group, t.seq = g, a.seq
	if t.prev = g.last; t.prev != nil {
		t.prev.next = t
	} else {
		g.first = t
	}
	g.last = t
	a.place(g)
}

// dequeue ends the waiting of one. It makes no room for others: who can't be
// admitted holds nobody up.
func (a *admission) dequeue(t *ticket) {
	g := t.group
	a.waiting--
	g.waiting--
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		g.first = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	} else {
		g.last = t.prev
	}
	t.prev, t.next = nil, nil
	a.place(g)
}

// place puts a group where it belongs now.
func (a *admission) place(g *group) {
	if g.heap > 0 {
		heap.Remove(&a.ready[g.class][g.heap-1], g.at)
		g.heap = 0
	}
	if g.first == nil && g.held == 0 {
		delete(a.groups, g.key)
		return
	}
	a.groups[g.key] = g
	if g.first == nil {
		return
	}
	if n, _ := a.own(g.class); g.held < n {
		g.heap = 1 + min(g.held, 1)
		heap.Push(&a.ready[g.class][g.heap-1], g)
	}
}

// order is the one in which the classes are served.
var order = [classes]Class{Hook, Decider, Tool}

// next returns who is to be admitted now, nil if nobody can be.
func (a *admission) next() *ticket {
	for _, c := range order {
		var best *ticket
		for i := range a.ready[c] {
			h := a.ready[c][i]
			if len(h) == 0 || a.refusal(h[0]) != "" {
				continue
			}
			if t := h[0].first; best == nil || t.seq < best.seq {
				best = t
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// groupHeap orders groups by their first waiter.
type groupHeap []*group

func (h groupHeap) Len() int           { return len(h) }
func (h groupHeap) Less(i, k int) bool { return h[i].first.seq < h[k].first.seq }
func (h groupHeap) Swap(i, k int) {
	h[i], h[k] = h[k], h[i]
	h[i].at, h[k].at = i, k
}

func (h *groupHeap) Push(x any) {
	g := x.(*group)
	g.at = len(*h)
	*h = append(*h, g)
}

func (h *groupHeap) Pop() any {
	n := len(*h) - 1
	g := (*h)[n]
	(*h)[n] = nil
	*h = (*h)[:n]
	return g
}
