package meter

import (
	"runtime"
	"runtime/metrics"
)

// Memory that a run gives back is Go's garbage until Go's own collector has
// run, and that waits until the process has doubled. A run that goes through
// its memory again and again would let the process grow to twice its limit, so
// the meter asks for a collection when a quarter of the limit has been given
// back since the last one.
//
// The collector's work is small: the records of a run's heap hold no pointers.
// Where the rest of the process is much larger than the run, it is not, and
// the run's garbage is not worth it: then the collector is left alone.

// minReclaim is the least memory given back that the meter reacts to.
const minReclaim = 2 << 20

// hostHeap is how large the process may be, beside four times the run's limit,
// for the meter to ask for a collection.
const hostHeap = 64 << 20

// reclaimStep returns after how many bytes given back the meter looks at what
// Go's collector has done.
func reclaimStep(lim Limits) int64 {
	if lim.LiveBytes <= 0 {
		return unlimited
	}
	return max(minReclaim, lim.LiveBytes/16)
}

// reclaim is called before memory is taken when reclaimStep bytes were given
// back since it last was.
func (m *Meter) reclaim() {
	var s [2]metrics.Sample
	s[0].Name, s[1].Name = "/gc/cycles/total:gc-cycles", "/gc/heap/live:bytes"
	metrics.Read(s[:])
	if s[0].Value.Kind() != metrics.KindUint64 || s[1].Value.Kind() != metrics.KindUint64 {
		return
	}
	cycles := s[0].Value.Uint64()
	if cycles != m.cycles {
		m.garbage, m.cycles = 0, cycles // but for what was given back since
	}
	m.garbage += m.dropped
	m.dropped = 0
	if m.garbage < 4*m.dropStep || s[1].Value.Uint64() > uint64(4*m.limits.LiveBytes+hostHeap) {
		return
	}
	runtime.GC()
	m.garbage, m.cycles = 0, cycles+1
}
