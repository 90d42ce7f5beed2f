package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pinfold-js/pinfold"
)

// Tool is what a model can call. Its methods may be called from any goroutine.
type Tool interface {
	// Definition says what the model is told. It is the same each time, byte for
	// byte.
	Definition() Definition
	// Call makes a call with arguments as JSON. What goes wrong for the model is in
	// the result; it never panics and never returns nil. The context cancels the
	// call, and says for whom it is: see pinfold.WithCaller.
	Call(ctx context.Context, arguments json.RawMessage) *Result
}

// Definition is a tool's description.
type Definition struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`            // JSON Schema 2020-12 of an object
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"` // of the value
	// Requires are the capabilities that it needs.
	Requires []pinfold.Requirement `json:"-"`
	// EndsLoop says that a call's result ends the loop of the agent; a value that
	// is no text is then the loop's result.
	EndsLoop bool `json:"endsLoop,omitempty"`
	// RequiresApproval says that each call needs a yes first.
	RequiresApproval bool `json:"requiresApproval,omitempty"`
	// CostHint is about what a call costs in US dollars, as a decimal; "" is
	// unknown.
	CostHint string `json:"costHint,omitempty"`
	// ParallelSafe says that calls may be made at once.
	ParallelSafe bool `json:"parallelSafe"`
	// Timeout is what the tool narrows the time of a call to; 0 is nothing.
	Timeout time.Duration `json:"-"`
	// Untrusted says that what it returns was made by code, or comes from places,
	// that nobody vouches for.
	Untrusted bool `json:"untrusted,omitempty"`
}

// Result is how a call ended.
type Result struct {
	// Text is for the model. With IsError it begins with "Error:", or what was
	// printed before does.
	Text    string
	IsError bool
	// Value is what the tool returned, undefined if it returned nothing or failed.
	Value pinfold.Value
	// EndsLoop says that the loop ends here, and with it, unless Value is a string,
	// Value.
	EndsLoop bool
	// Outcome is the run's, for the host; nil if there was no run.
	Outcome *pinfold.Outcome
}

// Failed is the result of a call that could not be made.
func Failed(message string) *Result { return &Result{Text: "Error: " + message, IsError: true} }
