package cost

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is: errors.Is(err, cost.OverBudget).
type Code string

// The codes.
const (
	BadAmount    Code = "bad_amount"
	Negative     Code = "negative_amount"
	TooPrecise   Code = "too_precise"
	TooLarge     Code = "too_large"
	NoteTooLong  Code = "note_too_long"
	TooManyLines Code = "too_many_lines"
	OverBudget   Code = "over_budget"
)

// Error returns the code in words.
func (c Code) Error() string { return "cost: " + string(c) }

// Error says why an amount or a line is refused. Both fields may be shown to a
// script.
type Error struct {
	Code   Code
	Reason string // "the amount is negative"
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// Is reports whether target is the error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

func fail(c Code, reason string) *Error { return &Error{Code: c, Reason: reason} }
