package toolcall

import (
	"context"
	"errors"
)

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is: errors.Is(err, toolcall.UnknownTool).
type Code string

// The codes.
const (
	BadArgument Code = "bad_argument"
	TooLarge    Code = "too_large"
	UnknownTool Code = "unknown_tool"
	NotApproved Code = "not_approved"
	Busy        Code = "busy"
	TimedOut    Code = "timed_out"
	Cancelled   Code = "cancelled"
	Incomplete  Code = "incomplete" // the call broke off
	Failed      Code = "failed"
)

// Error returns the code in words.
func (c Code) Error() string { return "toolcall: " + string(c) }

// Error is how a call fails that didn't come about. All but Cause may be shown
// to a script.
type Error struct {
	Code      Code
	Reason    string // "there is no tool \"serch\""
	Retryable bool   // the same call may succeed later
	Cause     error  // for the host
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

// AsError makes an *Error of any error of a Caller: one that isn't an *Error
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
	return &Error{Code: Failed, Reason: "the tool failed", Cause: err}
}
