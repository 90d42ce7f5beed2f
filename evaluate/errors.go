package evaluate

import (
	"fmt"

	"github.com/pinfold-js/pinfold"
)

// Code is the stable name of what went wrong. Each is an error itself, for
// errors.Is.
type Code string

// The codes of evaluations, with the statuses that HTTP would give them.
const (
	GateRequired    Code = "E_SANDBOX_GATE_REQUIRED"  // 428: no gate in the configuration
	InvalidConfig   Code = "E_INVALID_SANDBOX_CONFIG" // 400
	Refused         Code = "E_SANDBOX_REFUSED"        // 403: the gate said no
	GateAborted     Code = "E_TURN_GATE_ABORTED"      // 499: the gate was aborted
	GateTimeout     Code = "E_TURN_GATE_TIMEOUT"      // 504: nobody decided
	Failed          Code = "E_SANDBOX_FAILED"         // 500: a limit ended the guest, or there was no place for it
	GuestOOM        Code = "E_GUEST_OOM"              // 507
	GuestCrashed    Code = "E_GUEST_CRASHED"          // 503: the worker process was lost, or the engine has a bug
	Terminated      Code = "E_ISOLATED_TERMINATED"    // 499: the caller's context ended
	HostcallQuota   Code = "E_HOSTCALL_QUOTA"         // of errors that guests get
	HostcallTimeout Code = "E_HOSTCALL_TIMEOUT"
	HostcallLarge   Code = "E_HOSTCALL_TOO_LARGE"
)

var statuses = map[Code]int{
	GateRequired: 428, InvalidConfig: 400, Refused: 403, GateAborted: 499, GateTimeout: 504, Failed: 500, GuestOOM: 507,
	GuestCrashed: 503, Terminated: 499, HostcallQuota: 429, HostcallTimeout: 504, HostcallLarge: 413,
}

// Error returns the code.
func (c Code) Error() string { return string(c) }

// Error is why there is no outcome.
type Error struct {
	Code    Code
	Message string // for the model: it says what to do next
	// Narration is the kind of the message, from a closed set.
	Narration Narration
	// Logs are what the guest had logged until then.
	Logs  []LogEvent
	cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Status is what HTTP would say: 400, 403, …
func (e *Error) Status() int { return statuses[e.Code] }

// Is reports whether target is the error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

// Unwrap returns what it is made of: a *pinfold.Failure, the gate's error, the
// context's.
func (e *Error) Unwrap() error { return e.cause }

// Narration is the kind of a message for the model.
type Narration string

// The kinds.
const (
	GateDeclined    Narration = "gate-declined"
	GateUnavailable Narration = "gate-unavailable"
	Aborted         Narration = "aborted"
	TimedOut        Narration = "timed-out"
	OverBudget      Narration = "over-budget"
	Crashed         Narration = "crashed"
	Busy            Narration = "busy"
	Misconfigured   Narration = "misconfigured"
)

func invalid(format string, args ...any) *Error {
	return &Error{Code: InvalidConfig, Message: fmt.Sprintf(format, args...), Narration: Misconfigured}
}

// bounds are what the limits of a run are called in messages.
var bounds = map[pinfold.Kind]string{
	pinfold.ErrMemory: "memory", pinfold.ErrOutput: "log output", pinfold.ErrResult: "the result", pinfold.ErrHostCalls: "host calls",
	pinfold.ErrFuel: "fuel", pinfold.ErrStack: "call depth", pinfold.ErrSource: "the source",
}
