package vm

import "github.com/pinfold-js/pinfold/js/heap"

// jobKind says what a queued job does.
type jobKind uint8

const (
	jobReaction jobKind = iota // NewPromiseReactionJob (§27.2.2.1)
	jobThenable                // NewPromiseResolveThenableJob (§27.2.2.2)
	jobCall                    // call a function without arguments: queueMicrotask
	jobCleanup                 // a FinalizationRegistry's callbacks
)

// job is a queued job. What v holds depends on the kind.
type job struct {
	kind   jobKind
	reject bool
	v      [6]Value
}

// jobBytes is what a queued job is charged; it is given back when it runs.
const jobBytes = 64

// jobQueue is a ring of jobs in the order they were queued.
type jobQueue struct {
	ring    []job
	head, n int
	current job
}

func (q *jobQueue) push(j job) {
	if q.n == len(q.ring) {
		ring := make([]job, max(16, 2*len(q.ring)))
		for i := range q.n { //meter: every job was charged when it was queued
			ring[i] = q.ring[(q.head+i)%len(q.ring)]
		}
		q.ring, q.head = ring, 0
	}
	q.ring[(q.head+q.n)%len(q.ring)] = j
	q.n++
}

func (q *jobQueue) pop() job {
	j := q.ring[q.head]
	q.ring[q.head] = job{}
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	return j
}

func (q *jobQueue) mark(h *heap.Heap) {
	for i := range q.n { //meter: collector
		h.MarkValues(q.ring[(q.head+i)%len(q.ring)].v[:])
	}
	h.MarkValues(q.current.v[:])
}

// enqueue queues a job. The charge is sticky: the run ends at its next charge.
func (m *Machine) enqueue(j job) {
	_ = m.meter.Grow(jobBytes) //meter: sticky: the next charge ends the run
	m.jobs.push(j)
}

// QueueMicrotask queues a call of f.
func (m *Machine) QueueMicrotask(f Value) { m.enqueue(job{kind: jobCall, v: [6]Value{f}}) }

// HasJobs reports whether a job is waiting.
func (m *Machine) HasJobs() bool { return m.jobs.n > 0 }

// RunJobs runs queued jobs, and those they queue, until none is left. An error
// of a job itself (an exception in queueMicrotask's callback) is returned; the
// queue can be run on.
func (m *Machine) RunJobs() error {
	for m.jobs.n > 0 {
		if err := m.Charge(4); err != nil {
			return err
		}
		j := m.jobs.pop()
		m.meter.Shrink(jobBytes)
		m.jobs.current = j
		err := m.runJob(&j)
		m.jobs.current = job{}
		m.kept = m.kept[:0]
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Machine) runJob(j *job) error {
	switch j.kind {
	case jobCall:
		_, err := m.CallRooted(j.v[0], Undefined)
		return err
	case jobThenable:
		// v: promise, thenable, then
		promise := j.v[0].AsObj()
		resolve, reject := m.CreateResolvingFunctions(promise)
		at := m.Root(reject)
		_, err := m.CallRooted(j.v[2], j.v[1], resolve, reject)
		m.PopRoots(at)
		if err == nil {
			return nil
		}
		exc, ok := m.Caught(err)
		if !ok {
			return err
		}
		_, err = m.CallRooted(reject, Undefined, exc)
		return err
	case jobCleanup:
		return m.runCleanup(j.v[0].AsObj())
	}
	return m.runReaction(j)
}
