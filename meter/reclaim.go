package meter

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Memory that a run no longer uses is Go's garbage until Go's collector has run,
// and that waits until the process has doubled; what it frees then stays with
// the process for a while, and a large block may find no place in it. So a run
// that goes through its memory again and again, or grows its blocks step by
// step, or makes garbage that nobody charges for (syntax trees), or follows
// another run that has left as much, would let the process grow to several
// times the limit.
//
// The meter looks at Go's own figures, each time when a sixteenth of the limit
// was asked for and once a millisecond. They are the whole process's, so that
// the garbage of other runs counts, without anything that runs would share. When
// there is much more than what the run uses and what the others used at the
// last collection, it asks for one. When even so the process would hold much
// more than the run may, free memory goes back to the system.
//
// The collector's work is small: the records of a run's heap hold no pointers.
// Where the rest of the process is much larger than the run, it is not, and
// the run's garbage is not worth it: then the collector is left alone.

const (
	// minLook is the least memory asked for between two looks.
	minLook = 1 << 20
	// minGarbage is the least garbage that is worth a collection.
	minGarbage = 4 << 20
	// minFree is the least free memory that is worth giving it back.
	minFree = 4 << 20
	// minLarge is the least block that may find no place in what is free.
	minLarge = 1 << 20
	// hostHeap is how large the process may be, beside four times the run's
	// limit, for the meter to ask for anything.
	hostHeap = 64 << 20
	// lookEvery is the time between two looks of a run that asks for nothing.
	lookEvery = time.Millisecond
	// nearEnd is how shortly before the run's deadline a collection isn't begun
	// any more, if it isn't urgent: the run would end late, and then all is over.
	nearEnd = 3 * time.Millisecond
)

// process is what Go's runtime says of the process's heap.
type process struct {
	cycles  uint64 // of the collector
	live    int64  // bytes that the last cycle found alive
	objects int64  // bytes alive, or dead since
	free    int64  // bytes that hold nothing but belong to the process
	samples [5]metrics.Sample
}

func newProcess() *process {
	p := &process{}
	for i, name := range [len(p.samples)]string{
		"/gc/cycles/total:gc-cycles", "/gc/heap/live:bytes", "/memory/classes/heap/objects:bytes",
		"/memory/classes/heap/free:bytes", "/memory/classes/heap/unused:bytes",
	} {
		p.samples[i].Name = name
	}
	return p
}

// read reads the figures, in about a microsecond. It takes no memory.
func (p *process) read() bool {
	s := p.samples[:]
	metrics.Read(s)
	for i := range s { //meter: a fixed number
		if s[i].Value.Kind() != metrics.KindUint64 {
			return false
		}
	}
	p.cycles, p.live, p.objects = s[0].Value.Uint64(), int64(s[1].Value.Uint64()), int64(s[2].Value.Uint64())
	p.free = int64(s[3].Value.Uint64() + s[4].Value.Uint64())
	return true
}

// reclaiming is what a meter remembers of the process.
type reclaiming struct {
	process *process  // nil before the first look
	last    time.Time // the last look that the clock asked for
	cycles  uint64    // at the last look
	counted int64     // the run's bytes among those that the last cycle found alive
	seen    int64     // the run's bytes at the last look
	fresh   bool      // a cycle has ended since the run's first look
}

// lookStep returns how many bytes may be asked for between two looks.
func (m *Meter) lookStep() int64 {
	if m.limits.LiveBytes <= 0 {
		return unlimited
	}
	return max(minLook, m.limits.LiveBytes/16)
}

// nextLook sets how many bytes may be asked for before Grow looks again, or
// fails.
func (m *Meter) nextLook() {
	m.lookAt = min(m.requested+m.lookStep(), m.requestedLimit+1)
}

// look asks Go's collector to do what is needed before the last n of the run's
// bytes are allocated.
func (m *Meter) look(n int64) {
	m.nextLook()
	limit, r := m.limits.LiveBytes, &m.rec
	if limit <= 0 {
		return
	}
	first := r.process == nil
	if first {
		r.process = newProcess()
	}
	p := r.process
	if !p.read() || p.live > 4*limit+hostHeap {
		return
	}
	used := m.live - n
	switch {
	case first:
		r.cycles = p.cycles
	case p.cycles != r.cycles:
		r.cycles, r.counted, r.fresh = p.cycles, min(r.seen, used), true
	}
	r.seen = used
	// What the others held at the last cycle, they may hold still; what else there
	// is beside the run's own is garbage, or the others have grown.
	others := max(p.live-r.counted, 0)
	own := p.objects - others + n
	garbage := own - m.live
	collect := garbage > max(minGarbage, limit/4, p.live/4) || own > limit && garbage > max(minGarbage, limit/16, p.live/8)
	// Memory that a run has left which was alive at the last cycle is seen as
	// the others' until the next one.
	if !r.fresh && m.live > limit/4 && others+m.live > limit/4*3 {
		collect = true
	}
	if collect && !m.tooLate(own > 2*limit) {
		runtime.GC()
		if !p.read() {
			return
		}
		r.cycles, r.counted, r.fresh = p.cycles, used, true
		others = max(p.live-used, 0)
		own = p.objects - others + n
	}
	// Go takes the lowest place that fits, whether the system has its memory back
	// or not: what is free stays beside what is taken. A large block is more likely
	// to find no place.
	most := limit + limit/4 + minFree
	if n >= minLarge && n > p.free/4 {
		most -= limit / 8
	}
	if p.free > minFree && own+p.free > most && !m.tooLate(own+p.free > 2*limit) {
		debug.FreeOSMemory() // after another collection
		r.cycles, r.counted, r.fresh = p.cycles+1, used, true
	}
}

// tooLate reports whether the run is about to end by time.
func (m *Meter) tooLate(urgent bool) bool {
	return !urgent && !m.deadline.IsZero() && time.Until(m.deadline) < nearEnd
}
