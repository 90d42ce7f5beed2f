package llm

import (
	"context"
	"errors"
	"time"
)

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is: errors.Is(err, llm.RateLimited).
type Code string

// The codes.
const (
	BadArgument  Code = "bad_argument"
	TooLarge     Code = "too_large"
	UnknownModel Code = "unknown_model"
	NotAvailable Code = "not_available" // no model, or none that is reachable
	RateLimited  Code = "rate_limited"
	Overloaded   Code = "overloaded"
	TimedOut     Code = "timed_out"
	Cancelled    Code = "cancelled"
	Incomplete   Code = "incomplete" // the answer broke off
	Failed       Code = "failed"
)

// Error returns the code in words.
func (c Code) Error() string { return "llm: " + string(c) }

// Error is how a request fails. All but Cause may be shown to a script, so a
// model of the host puts no addresses and keys into Reason.
type Error struct {
	Code       Code
	Reason     string        // "too many requests"
	Retryable  bool          // the same request may succeed later
	RetryAfter time.Duration // when, if it is known
	Cause      error         // for the host
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is the error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

// AsError makes an *Error of any error of a model: one that isn't an *Error
// becomes Cancelled, TimedOut or Failed, with a reason that says no more.
func AsError(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: TimedOut, Reason: "timed out", Retryable: true, Cause: err}
	case errors.Is(err, context.Canceled):
		return &Error{Code: Cancelled, Reason: "cancelled", Cause: err}
	}
	return &Error{Code: Failed, Reason: "the model failed", Cause: err}
}
