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

// jobChunk is a part of the queue. The queue grows by chunks, so that a long one
// is never copied and what has run is free at once.
type jobChunk struct {
	jobs [jobChunkLen]job
	next *jobChunk
}

const jobChunkLen = 64

// jobQueue holds jobs in the order they were queued.
type jobQueue struct {
	first, last *jobChunk // nil before the first job
	spare       *jobChunk // an empty chunk that is kept
	head, tail  int       // the next job of first, the next place of last
	n           int
	current     job
}

func (q *jobQueue) push(j job) {
	if q.last == nil || q.tail == jobChunkLen {
		c := q.spare
		if q.spare = nil; c == nil {
			c = new(jobChunk)
		}
		if q.last == nil {
			q.first = c
		} else {
			q.last.next = c
		}
		q.last, q.tail = c, 0
	}
	q.last.jobs[q.tail] = j
	q.tail++
	q.n++
}

func (q *jobQueue) pop() job {
	c := q.first
	j := c.jobs[q.head]
	q.head++
	q.n--
	switch {
	case q.n == 0:
		q.head, q.tail = 0, 0
	case q.head == jobChunkLen:
		q.first, q.head = c.next, 0
		c.next = nil
		q.spare = c
	}
	return j
}

func (q *jobQueue) mark(h *heap.Heap) {
	from := q.head
	for c := q.first; c != nil; c = c.next { //meter: collector; every job was charged when it was queued
		to := jobChunkLen
		if c == q.last {
			to = q.tail
		}
		for i := from; i < to; i++ { //meter: the jobs of a chunk
			h.MarkValues(c.jobs[i].v[:])
		}
		from = 0
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
