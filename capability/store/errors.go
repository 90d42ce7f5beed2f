package store

import (
	"context"
	"errors"
)

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is: errors.Is(err, store.Full).
type Code string

// The codes.
const (
	BadKey       Code = "bad_key"
	BadValue     Code = "bad_value"
	BadNamespace Code = "bad_namespace"
	TooLarge     Code = "too_large"
	TooManyKeys  Code = "too_many_keys"
	Full         Code = "full"
	Busy         Code = "busy" // others wrote for too long
	Cancelled    Code = "cancelled"
	TimedOut     Code = "timed_out"
	Closed       Code = "closed"
	Damaged      Code = "damaged" // what is on disk isn't whole
	Version      Code = "version" // what is on disk is of another version, or another program's
	Unavailable  Code = "unavailable"
)

// Error returns the code in words.
func (c Code) Error() string { return "store: " + string(c) }

// Error is how a call fails. Code, Reason and Retryable may be shown to a
// script: they hold no path of the host. The cause is for the host.
type Error struct {
	Code      Code
	Reason    string // "too large (limit 262144 bytes)"
	Retryable bool   // the same call may succeed later
	Cause     error
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

// ContextError makes the *Error of a context's error; nil of nil.
func ContextError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: TimedOut, Reason: "timed out", Retryable: true, Cause: err}
	}
	return &Error{Code: Cancelled, Reason: "cancelled", Cause: err}
}

// ErrClosed is what stores of a closed backend return.
func ErrClosed() error { return &Error{Code: Closed, Reason: "the store is closed"} }
