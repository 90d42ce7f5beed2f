package pinfold

import (
	"context"
	"errors"

	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/meter"
)

// admit gets a slot for a run, or for loading a program, if there is a limiter.
// The context it returns says who runs, for what host functions start.
func (s *Sandbox) admit(ctx context.Context, loading bool) (context.Context, *limiter.Slot, *Failure) {
	if ctx == nil {
		ctx = context.Background()
	}
	l := s.opt.Limiter
	if l == nil {
		return ctx, nil, nil
	}
	req, ok := limiter.From(ctx)
	if !ok {
		req = s.opt.Admission
		ctx = limiter.With(ctx, req)
	}
	req.Loading = req.Loading || loading
	slot, err := l.Acquire(ctx, req)
	if err == nil {
		return ctx, slot, nil
	}
	var busy *limiter.BusyError
	switch {
	case errors.As(err, &busy):
		return ctx, nil, busyFailure(busy)
	case ctx.Err() != nil:
		return ctx, nil, limitFailure(&meter.LimitError{Kind: meter.Cancelled, Cause: ctx.Err()})
	}
	return ctx, nil, internalFailure(err.Error(), err, nil)
}

// refused is the outcome of a run that got no slot.
func refused(f *Failure, name string) *Outcome {
	f.File = name
	o := &Outcome{Failure: f}
	var busy *limiter.BusyError
	if errors.As(f, &busy) {
		o.Usage.Waited = busy.Waited
	}
	return o
}

// busyHints say what to do about each cap.
var busyHints = map[limiter.Cap]string{
	limiter.CapSlots:    "wait for other runs to end; the host can raise limiter.Config.MaxConcurrentRuns",
	limiter.CapReserve:  "wait for other runs to end; the host can raise limiter.Config.MaxConcurrentRuns",
	limiter.CapCaller:   "wait for the caller's own runs to end; the host can raise limiter.Config.MaxRunsPerCaller",
	limiter.CapOwner:    "wait for the owner's own hooks to end; the host can raise limiter.Config.MaxInterceptorsPerOwner",
	limiter.CapDecider:  "wait for the decider's own runs to end; the host can raise limiter.Config.MaxRunsPerDecider",
	limiter.CapDeciders: "wait for other deciders to end; the host can raise limiter.Config.MaxConcurrentRuns",
	limiter.CapLastSlot: "wait for other runs to end; the host can raise limiter.Config.MaxConcurrentRuns",
	limiter.CapBytes:    "keep less data at once, or wait for other runs to end; the host can raise limiter.Config.MaxTotalBytes",
}

func busyFailure(e *limiter.BusyError) *Failure {
	return &Failure{Kind: ErrBusy, Message: "busy: " + e.Error(), Hint: busyHints[e.Cap], Limit: e.Limit, Used: e.Used, cause: e}
}

// meterLimits are those of the run's meter.
func (r *run) meterLimits() meter.Limits {
	l := r.sb.limits.meter()
	l.Started = r.compiled
	switch {
	case r.slot != nil:
		l.Budget = r.slot
	case r.budget != nil:
		l.Budget = r.budget
	}
	return l
}
