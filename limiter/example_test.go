package limiter_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
)

// A sandbox that shares a limiter with others: the run of a caller that has
// too many already is refused, and says when to try again.
func Example() {
	l, err := limiter.New(limiter.Config{MaxRunsPerCaller: 1, MaxWait: 50 * time.Millisecond})
	if err != nil {
		panic(err)
	}
	sandbox, err := pinfold.New(pinfold.Options{Limiter: l})
	if err != nil {
		panic(err)
	}
	ctx := limiter.With(context.Background(), limiter.Request{Caller: limiter.NewCaller("conversation 7").Child("researcher")})

	outcome := sandbox.Eval(ctx, "sum.js", "input.reduce((a, b) => a + b)", []int{1, 2, 3})
	fmt.Println(outcome.Value)

	slot, err := l.Acquire(ctx, limiter.Request{Caller: limiter.NewCaller("conversation 7")})
	if err != nil {
		panic(err)
	}
	defer slot.Release()
	outcome = sandbox.Eval(ctx, "sum.js", "input.reduce((a, b) => a + b)", []int{1, 2, 3})
	var busy *limiter.BusyError
	fmt.Println(errors.Is(outcome.Err(), pinfold.ErrBusy), errors.As(outcome.Err(), &busy))
	fmt.Println(busy.Cap, busy.Who, busy.Used, busy.RetryAfter > 0)
	// Output:
	// 6
	// true true
	// caller conversation 7 1 true
}

func ExampleLimiter_Acquire() {
	l, err := limiter.New(limiter.Config{})
	if err != nil {
		panic(err)
	}
	slot, err := l.Acquire(context.Background(), limiter.Request{Class: limiter.Hook, Owner: "audit"})
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Stats().Hooks)
	slot.Release()
	fmt.Println(l.ActiveRuns())
	// Output:
	// 1
	// 0
}
