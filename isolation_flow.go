package pinfold

import (
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/meter"
)

// What flows from a worker to its sandbox while a run goes on, and back: console
// lines, and the memory that the run takes from the budget of all runs.

// When console lines are sent that nobody waits for: so that those of a run whose
// worker is lost are known but for the last moment's.
const (
	linesEvery = 20 * time.Millisecond
	linesBytes = 4 << 10
)

// lineBatch collects a run's console lines in its worker.
type lineBatch struct {
	send   func(b []byte)
	atOnce bool // the host wants each line as it comes

	mu    sync.Mutex
	b     []byte
	n     int // lines in b
	sent  int // lines
	timer *time.Timer
	over  bool
}

// add takes a line, on the run's goroutine.
func (l *lineBatch) add(line ConsoleLine) {
	if l == nil {
		return // of a run that nobody asked for: the first one of a process
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = appendLine(l.b, line)
	l.n++
	switch {
	case l.atOnce || len(l.b) >= linesBytes:
		l.flush()
	case l.timer == nil:
		l.timer = time.AfterFunc(linesEvery, l.due)
	case l.n == 1:
		l.timer.Reset(linesEvery)
	}
}

func (l *lineBatch) due() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.flush()
	}
}

// flush sends what there is.
func (l *lineBatch) flush() {
	if l.n > 0 {
		l.send(l.b)
		l.sent += l.n
		l.b, l.n = l.b[:0], 0
	}
}

// end says how many lines were sent: the others come with the outcome.
func (l *lineBatch) end() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	if l.timer != nil {
		l.timer.Stop()
	}
	return l.sent
}

// firstGrant is what a worker's run has of the budget of all runs before it asks
// for more.
const firstGrant = 1 << 20

// remoteBudget is the budget of all runs, seen from a worker.
type remoteBudget struct {
	w    *inside
	left int64 // granted and not taken
}

var errBudget = errors.New("the memory of all runs would pass its budget")

// Take implements meter.Budget.
func (b *remoteBudget) Take(n int64) error {
	if n > b.left {
		r, err := b.w.ask(nil, frameTake, binary.AppendUvarint(nil, uint64(n-b.left)))()
		if err != nil || len(r) == 0 || r[0] != replyValue {
			return errBudget
		}
		b.left = n
	}
	b.left -= n
	return nil
}

// Give implements meter.Budget.
func (b *remoteBudget) Give(n int64) {
	if b.left += n; b.left > 2*firstGrant {
		n = b.left - firstGrant
		b.left -= n
		b.w.send(frameGive, b.w.tag, binary.AppendUvarint(nil, uint64(n)))
	}
}

// grant takes from the budget what a worker's run begins with.
func (o *outside) grant() *Failure {
	if o.slot == nil {
		return nil
	}
	n := min(firstGrant, o.sb.limits.MemoryBytes)
	if err := o.slot.Take(n); err != nil { //meter: the run is refused, as it would be in this process
		return limitFailure(&meter.LimitError{Kind: meter.Busy, What: "the memory of all runs", Used: n, Cause: err})
	}
	o.granted = n
	return nil
}

// take answers a worker's run that needs more of the budget.
func (o *outside) take(r *fields) error {
	id, n := r.uint(), r.uint()
	if r.bad || o.slot == nil || n > uint64(o.sb.limits.MemoryBytes) {
		return errors.New("a demand for memory that has no form")
	}
	how := byte(replyValue)
	if err := o.slot.Take(int64(n)); err != nil { //meter: the worker's run ends by it
		o.refused, how = err, replyError
	} else {
		o.granted += int64(n)
	}
	_ = o.w.Send(frameReply, o.tag, append(o.reply(id), how)) // if it fails the worker is gone
	return nil
}

// give takes back what a worker's run no longer needs.
func (o *outside) give(r *fields) error {
	n := r.uint()
	if r.bad || n > uint64(o.granted) {
		return errors.New("more memory given back than was taken")
	}
	o.granted -= int64(n)
	o.slot.Give(int64(n))
	return nil
}

// told takes console lines.
func (o *outside) told(r *fields) error {
	for len(r.b) > 0 && !r.bad { //meter: the lines in a frame, whose length is limited
		l := r.line()
		if r.bad {
			break
		}
		if len(o.lines) >= o.sb.limits.OutputLines {
			return errors.New("too many console lines")
		}
		o.lines = append(o.lines, l)
		if o.sb.opt.Console != nil && o.tell(l) != nil {
			o.cancelWorker()
			return nil
		}
	}
	if r.bad {
		return errors.New("a console line of the wrong form")
	}
	return nil
}
