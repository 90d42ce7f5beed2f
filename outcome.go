package pinfold

import "github.com/pinfold-js/pinfold/membrane"

// Value is a copy of what a program returned: see package membrane. The zero
// Value is undefined.
type Value = membrane.Value

// Undefined, Object, Map, Set, Bytes and ErrorValue are JavaScript values that
// Go's own types can't tell apart or keep in order; InvalidDate is a Date
// without a time.
type (
	Undefined   = membrane.Undefined
	Object      = membrane.Object
	Map         = membrane.Map
	Set         = membrane.Set
	Bytes       = membrane.Bytes
	ErrorValue  = membrane.ErrorValue
	InvalidDate = membrane.InvalidDate
)

// NewObject makes an Object of keys and values in turn.
func NewObject(pairs ...any) *Object { return membrane.NewObject(pairs...) }

// ConsoleLine is one call of a console method. Text may hold line breaks.
type ConsoleLine struct {
	Level string `json:"level"` // "log", "info", "warn", "error" or "debug"
	Text  string `json:"text"`
}

// Outcome is how a run ended. Exactly one of Value and Failure counts: Value
// when Failure is nil. Console and Usage are there in either case.
type Outcome struct {
	Value   Value
	Console []ConsoleLine
	Failure *Failure
	Usage   Usage
	// Partial says what Value, or the Thrown of the Failure, lacks, with
	// Options.PartialResults; nil if it is whole.
	Partial *membrane.Partial
	// Dropped says that console lines were left out: see Options.DropOutput.
	Dropped bool
	// Notes are for the host: which host functions the end of the run left at
	// work.
	Notes []string

	// Calls are the records of the first Options.KeepCalls calls of host functions
	// that have ended, in the order in which they did.
	Calls []HostCall

	// Tier says where the program ran, and Worker which process that was; it is
	// nil for programs that ran in this one, or nowhere.
	Tier   Isolation
	Worker *Worker
}

// Err returns the failure as an error, nil when there is none.
func (o *Outcome) Err() error {
	if o.Failure == nil {
		return nil
	}
	return o.Failure
}
