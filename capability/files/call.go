package files

import (
	"context"
	"errors"
	"io/fs"
	"sync/atomic"
	"time"
)

// endGrace is how long the end of the context waits for the call to see it, so that
// nothing is at work for a run that has ended. It doesn't wait longer for a system
// that doesn't answer.
const endGrace = 100 * time.Millisecond

// maxStuck is how many calls that were given up may still be at work. They hold
// threads, as the system doesn't come back from them.
const maxStuck = 16

// The states of a call.
const (
	callWorks     int32 = iota
	callCommits         // it is past the point up to which it can be undone
	callAbandoned       // nobody waits for it
	callEnded
)

// call is the work of a function of FS, which a goroutine of its own does: a
// system call that doesn't come back must not hold up who waits.
type call struct {
	ctx    context.Context
	state  atomic.Int32
	open   chan struct{} // closed when the file is open
	isOpen bool
}

// opened says that what OpenTimeout bounds is over. Only the call's own goroutine
// calls it.
func (c *call) opened() {
	if !c.isOpen {
		c.isOpen = true
		close(c.open)
	}
}

// check returns an error if the call must end.
func (c *call) check() *Error {
	if c.ctx.Err() != nil {
		return errContext(c.ctx)
	}
	if c.state.Load() == callAbandoned {
		return errSlow(0) // nobody sees it
	}
	return nil
}

// commit reports whether the call may act in a way that can't be undone. From
// then on its end is waited for.
func (c *call) commit() bool {
	return c.ctx.Err() == nil && c.state.CompareAndSwap(callWorks, callCommits)
}

// do runs work in a goroutine and waits until it has ended, or the file isn't
// open in time, or the context ends.
func do[T any](ctx context.Context, s *shared, work func(*call) (T, *Error)) (T, *Error) {
	type result struct {
		v   T
		err *Error
		bug any // a panic, which is the caller's
	}
	var none T
	if ctx.Err() != nil {
		return none, errContext(ctx)
	}
	if s.closed.Load() {
		return none, fail(ErrClosed, "system:closed", "the files are closed")
	}
	if s.stuck.Load() >= maxStuck {
		return none, errSlow(s.cfg.OpenTimeout)
	}
	c := &call{ctx: ctx, open: make(chan struct{})}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.bug = recover()
			if c.state.Swap(callEnded) == callAbandoned {
				s.stuck.Add(-1)
			}
			done <- r
		}()
		r.v, r.err = work(c)
	}()
	timer := time.NewTimer(s.cfg.OpenTimeout)
	defer timer.Stop()
	abandon := func() bool {
		if !c.state.CompareAndSwap(callWorks, callAbandoned) {
			return false
		}
		s.stuck.Add(1)
		return true
	}
	open, ended := c.open, ctx.Done()
	ending := false
	for {
		select {
		case r := <-done:
			if r.bug != nil {
				panic(r.bug)
			}
			return r.v, r.err
		case <-open:
			open = nil
			if !ending {
				timer.Stop()
			}
		case <-timer.C:
			if ending {
				if abandon() {
					return none, errContext(ctx)
				}
				continue
			}
			select {
			case <-c.open:
				continue
			default:
			}
			if abandon() {
				return none, errSlow(s.cfg.OpenTimeout)
			}
		case <-ended:
			ended = nil
			timer.Reset(endGrace)
			ending = true
		}
	}
}

// finish turns the error of a call into what its caller gets, and says what was
// decided.
func (f *FS) finish(op Op, t *tree, path, rule string, err *Error, d *Decision) error {
	if err != nil {
		rule = err.Rule
	}
	if d != nil {
		root := ""
		if t != nil {
			root = t.name
		}
		*d = Decision{Allowed: err == nil, Op: op, Root: root, Path: path, Rule: rule}
	}
	if err == nil {
		return nil
	}
	e := *err
	e.Path = path
	if f.cfg.Blind {
		switch e.Code {
		case ErrOutside, ErrProtected, ErrNotFound, ErrNotRegular, ErrHardLink, ErrLinks, ErrPermission, ErrNotDir:
			e.Code, e.Reason, e.Hint = ErrNotFound, "no such file", hints["file:missing"]
		}
	}
	return &e
}

// systemError turns an error of the system into one that says nothing of the
// host.
func systemError(err error) *Error {
	switch {
	case errors.Is(err, errChangedEntry):
		return errChanged()
	case errors.Is(err, fs.ErrNotExist):
		return errMissing()
	case errors.Is(err, fs.ErrExist):
		return fail(ErrExists, "file:exists", "file exists")
	case errors.Is(err, fs.ErrPermission):
		return fail(ErrPermission, "file:permission", "permission denied")
	case isNotDir(err):
		return errNotDir()
	case isDirErr(err):
		return errDirectory()
	case isNameError(err):
		return errBadPath("long")
	case isNoSpace(err):
		return fail(ErrNoSpace, "system:space", "no space left")
	case errors.Is(err, fs.ErrClosed):
		return fail(ErrClosed, "system:closed", "the files are closed")
	}
	return fail(ErrIO, "system:io", "the file system failed")
}
