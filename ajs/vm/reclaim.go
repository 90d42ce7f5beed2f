package vm

import (
	"runtime"
	"runtime/metrics"
)

// Memory that a run no longer uses is garbage until Go's collector has run, which
// waits until the process has doubled. So a run looks at the process's figures
// when it has asked for a quarter of its ceiling since it last did, and has the
// collector run when there is more than the ceiling and half as much again as was
// alive. Where the rest of the process is much larger, that isn't worth it.

// hostHeap is how large the process may be, beside four times the ceiling, for a
// run to have anything collected.
const hostHeap = 64 << 20

// reclaiming is what a run remembers of the process.
type reclaiming struct {
	asked   float64 // since the last look, in bytes of the process
	samples []metrics.Sample
	others  float64 // what was alive beside the run
}

func (r *run) lookMemory() {
	c := &r.reclaiming
	c.asked = 0
	first := c.samples == nil
	if first {
		c.samples = []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	}
	metrics.Read(c.samples)
	if c.samples[0].Value.Kind() != metrics.KindUint64 || c.samples[1].Value.Kind() != metrics.KindUint64 {
		return
	}
	live, objects := float64(c.samples[0].Value.Uint64()), float64(c.samples[1].Value.Uint64())
	if live > 4*r.maxHeap+hostHeap {
		return
	}
	if first {
		c.others = max(0, live-r.maxHeap/4)
	}
	c.others = min(c.others, live)
	if own := objects - c.others; own > max(r.maxHeap, 1.5*(live-c.others)) {
		runtime.GC()
	}
}
