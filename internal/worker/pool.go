package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Config describes a pool. All fields must be set.
type Config struct {
	Max        int           // workers at once
	Keep       int           // workers that are started again as others are lost
	MaxRuns    int           // runs of a worker; then a new one takes its place
	Growth     int64         // bytes by which a worker may have grown after a run
	Idle       time.Duration // after which a worker that does nothing is ended
	Wait       time.Duration // for a worker when all are busy
	Start      time.Duration // how long a worker may take to be ready
	FrameBytes int64         // of a worker's frames
	Ceilings   Ceilings
	Child      []byte // the configuration of each worker
}

// Errors of Get.
var (
	ErrClosed = errors.New("the pool of workers is closed")
	ErrBusy   = errors.New("all workers are busy")
)

// Pool keeps workers. It is safe for use by many goroutines.
type Pool struct {
	c     Config
	slots chan struct{} // one in it for each worker in use
	start chan startRequest
	end   chan struct{} // closed by Close

	mu      sync.Mutex
	idle    []*Worker // the last used at the end
	all     map[*Worker]bool
	lost    int64 // workers that ended without being told to
	begun   bool  // the starting goroutine
	closed  bool
	sweeper *time.Timer
	work    sync.WaitGroup // goroutines
}

// NewPool returns a pool without a worker.
func NewPool(c Config) *Pool {
	//meter: Options of the host
	return &Pool{c: c, slots: make(chan struct{}, c.Max), start: make(chan startRequest), end: make(chan struct{}), all: map[*Worker]bool{}}
}

// Get returns a worker that nobody else uses until Put.
func (p *Pool) Get(ctx context.Context) (*Worker, error) {
	select {
	case p.slots <- struct{}{}:
	default:
		t := time.NewTimer(p.c.Wait)
		defer t.Stop()
		select {
		case p.slots <- struct{}{}:
		case <-t.C:
			return nil, ErrBusy
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.end:
			return nil, ErrClosed
		}
	}
	w, err := p.take(ctx)
	if err != nil {
		<-p.slots
		return nil, err
	}
	return w, nil
}

func (p *Pool) take(ctx context.Context) (*Worker, error) {
	p.mu.Lock()
	for n := len(p.idle); n > 0; n = len(p.idle) { //meter: at most Config.Max, and each turn drops one
		w := p.idle[n-1]
		p.idle[n-1] = nil
		p.idle = p.idle[:n-1]
		if !w.ended() {
			p.mu.Unlock()
			return w, nil
		}
	}
	p.mu.Unlock()
	return p.launch(ctx)
}

// Put gives a worker back. One that isn't fit, or has done its runs, or has
// grown, is ended, and a new one is started if there are too few.
func (p *Pool) Put(w *Worker, fit bool) { //meter: refill puts a new worker on a goroutine of its own
	w.runs++
	if fit && !w.ended() && w.runs < p.c.MaxRuns && !w.grown(p.c.Growth) {
		p.mu.Lock()
		if !p.closed {
			w.since = time.Now()
			p.idle = append(p.idle, w)
			if p.sweeper == nil {
				p.sweeper = time.AfterFunc(p.c.Idle, p.sweep)
			}
			w = nil
		}
		p.mu.Unlock()
	}
	if w != nil {
		w.Kill()
		<-w.Gone
	}
	<-p.slots
	if w != nil {
		p.refill()
	}
}

// refill starts a worker in the background if there are fewer than there should
// be.
func (p *Pool) refill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.all) >= p.c.Keep {
		return
	}
	select {
	case p.slots <- struct{}{}:
	default:
		return
	}
	p.work.Go(func() {
		if w, err := p.launch(context.Background()); err == nil {
			w.runs--
			p.Put(w, true)
		} else {
			<-p.slots
		}
	})
}

// sweep ends the workers that have done nothing for long.
func (p *Pool) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []*Worker
	for _, w := range p.idle { //meter: at most Config.Max
		if time.Since(w.since) >= p.c.Idle {
			w.Kill()
		} else {
			left = append(left, w)
		}
	}
	p.idle = left
	if p.sweeper = nil; len(left) > 0 && !p.closed {
		p.sweeper = time.AfterFunc(p.c.Idle-time.Since(left[0].since)+time.Millisecond, p.sweep)
	}
}

// Counts returns how many workers there are, and how many have ended without
// being told to.
func (p *Pool) Counts() (workers int, lost int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all), p.lost
}

// Close ends all workers, those in use too, and waits for their end.
func (p *Pool) Close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.end)
		if p.sweeper != nil {
			p.sweeper.Stop()
		}
		for w := range p.all { //meter: at most Config.Max and those that are ending; the order doesn't matter
			w.Kill()
		}
		p.idle = nil
	}
	p.mu.Unlock()
	p.work.Wait()
}

type startRequest struct {
	w    *Worker
	done chan error
}

// launch starts a worker and waits until it is ready.
func (p *Pool) launch(ctx context.Context) (*Worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if !p.begun {
		p.begun = true
		p.work.Go(p.starting)
	}
	p.mu.Unlock()
	r := startRequest{newWorker(p), make(chan error, 1)}
	select {
	case p.start <- r:
	case <-p.end:
		return nil, ErrClosed
	}
	if err := <-r.done; err != nil {
		return nil, err
	}
	w := r.w
	t := time.NewTimer(p.c.Start)
	defer t.Stop()
	var err error
	select {
	case f := <-w.Frames:
		if err = w.ready(f); err == nil {
			return w, nil
		}
	case <-t.C:
		err = fmt.Errorf("a worker was not ready after %v: does main call WorkerMain first?", p.c.Start)
	case <-ctx.Done():
		err = ctx.Err()
	case <-w.Gone:
		err = fmt.Errorf("a worker could not be started: %s", w.How())
	}
	w.Kill()
	<-w.Gone
	return nil, err
}

// starting starts processes on a thread of its own: Linux ends the child when
// the thread ends that started it.
func (p *Pool) starting() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for { //meter: each turn waits for a worker to be asked for
		select {
		case r := <-p.start:
			p.mu.Lock()
			closed := p.closed
			p.mu.Unlock()
			if closed {
				r.done <- ErrClosed
				continue
			}
			err := r.w.begin()
			if err == nil {
				p.mu.Lock()
				p.all[r.w] = true
				if p.closed {
					r.w.Kill()
				}
				p.mu.Unlock()
			}
			r.done <- err
		case <-p.end:
			return
		}
	}
}

// ended is told of a worker's end.
func (p *Pool) ended(w *Worker, told bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, w)
	if !told {
		p.lost++
	}
}
