package vm

import (
	"context"
	"sync"
	"time"
)

// The host's functions run on a goroutine beside the run's, so that a run ends
// in time whatever they do. A run keeps one such goroutine for all its calls;
// one that a call holds longer than its time is left to that call, and the next
// call gets another.

// A callResult is how a call of the host ended.
type callResult struct {
	v   any
	err error
}

// A callJob is a call that a goroutine of the host's is to make.
type callJob struct {
	c *Call
	f func(c *Call) (any, error)
}

// A hostWorker makes the host's calls for one run.
type hostWorker struct {
	jobs chan callJob
	done chan callResult // has room for the one result that nobody waits for
}

func newHostWorker() *hostWorker {
	w := &hostWorker{jobs: make(chan callJob), done: make(chan callResult, 1)}
	go func() {
		for j := range w.jobs {
			v, err := protected(j.f, j.c)
			w.done <- callResult{v, err}
		}
	}()
	return w
}

// closeHost ends the goroutine of the host's calls, at once if no call is
// under way.
func (r *run) closeHost() {
	if r.host != nil {
		close(r.host.jobs)
		r.host = nil
	}
	if r.timer != nil {
		r.timer.Stop()
	}
}

// A callContext is the context of one call: it ends with the run, with the
// call's time, and with the call. Most calls never wait for that; the channel
// and the clock for it are made when somebody asks.
type callContext struct {
	run      context.Context
	deadline time.Time // zero: the run's
	mu       sync.Mutex
	ctx      context.Context // once somebody waits
	cancel   context.CancelFunc
	ended    error
}

var _ context.Context = (*callContext)(nil)

// Deadline returns the earlier end of the call and of the run.
func (c *callContext) Deadline() (time.Time, bool) {
	d, ok := c.run.Deadline()
	if c.deadline.IsZero() || ok && d.Before(c.deadline) {
		return d, ok
	}
	return c.deadline, true
}

// Done returns the channel that is closed when the call has to end.
func (c *callContext) Done() <-chan struct{} { return c.real().Done() }

// Err says whether the call has ended, and why.
func (c *callContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended != nil:
		return c.ended
	case c.ctx != nil:
		return c.ctx.Err()
	}
	if err := c.run.Err(); err != nil {
		return err
	}
	if !c.deadline.IsZero() && !time.Now().Before(c.deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// Value returns a value of the run's context.
func (c *callContext) Value(key any) any {
	c.mu.Lock()
	ctx := c.ctx
	c.mu.Unlock()
	if ctx == nil {
		ctx = c.run
	}
	return ctx.Value(key)
}

// real makes a context of the library's.
func (c *callContext) real() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		if c.deadline.IsZero() {
			c.ctx, c.cancel = context.WithCancel(c.run)
		} else {
			c.ctx, c.cancel = context.WithDeadline(c.run, c.deadline)
		}
		if c.ended != nil {
			c.cancel()
		}
	}
	return c.ctx
}

// end ends the call.
func (c *callContext) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = err
	}
	if c.cancel != nil {
		c.cancel()
	}
}

// await has f called by the host's goroutine until it is done, its time is over,
// or the run is. What it does after that reaches nobody.
func (r *run) await(op string, timeout time.Duration, f func(c *Call) (any, error)) (any, bool) {
	if r.stop.Load() {
		return nil, r.stopped()
	}
	ctx := &callContext{run: r.ctx}
	var late <-chan time.Time
	if timeout > 0 {
		ctx.deadline = time.Now().Add(timeout)
		if r.timer == nil {
			r.timer = time.NewTimer(timeout)
		} else {
			r.timer.Reset(timeout)
		}
		late = r.timer.C
	}
	r.count(op)
	c := &Call{Context: ctx, Op: op, Fuel: max(r.fuel, 0), Capabilities: &r.opts.caps, Policy: r.opts.policy}
	if r.host == nil {
		r.host = newHostWorker()
	}
	r.host.jobs <- callJob{c, f}
	var o callResult
	out, left := false, false
	select {
	case o = <-r.host.done:
	case <-late:
		out, left = true, true
	case <-r.ctx.Done():
		left = true
	}
	if timeout > 0 {
		r.timer.Stop()
	}
	if left {
		// The goroutine ends when the call does.
		close(r.host.jobs)
		r.host = nil
	}
	return r.called(c, ctx, o, out)
}

// attend calls f, which returns when its context ends, at once.
func (r *run) attend(op string, timeout time.Duration, f func(c *Call) (any, error)) (any, bool) {
	if r.stop.Load() {
		return nil, r.stopped()
	}
	ctx := &callContext{run: r.ctx}
	if timeout > 0 {
		ctx.deadline = time.Now().Add(timeout)
	}
	r.count(op)
	c := &Call{Context: ctx, Op: op, Fuel: max(r.fuel, 0), Capabilities: &r.opts.caps, Policy: r.opts.policy}
	var o callResult
	o.v, o.err = protected(f, c)
	return r.called(c, ctx, o, false)
}

// called is the end of a call: its result, or that its time is over.
func (r *run) called(c *Call, ctx *callContext, o callResult, out bool) (any, bool) {
	op := c.Op
	if o.err != nil && ctx.Err() != nil {
		out = true
	}
	if out {
		ctx.end(context.DeadlineExceeded)
	} else {
		ctx.end(context.Canceled)
	}
	c.mu.Lock()
	for _, w := range c.warnings {
		r.warn(w)
	}
	c.mu.Unlock()
	if r.ctx.Err() != nil {
		return nil, r.stopped()
	}
	if out {
		return nil, r.failf(KindTimeout, op, "Atom '%s' timed out", op)
	}
	if o.err != nil {
		return nil, r.hostError(op, o.err)
	}
	return o.v, true
}
