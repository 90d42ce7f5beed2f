package vm

import (
	"fmt"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

// Kind says why a run failed.
type Kind string

// The kinds of failures.
const (
	KindFuel        Kind = "fuel"
	KindTimeout     Kind = "timeout"
	KindAbort       Kind = "abort"
	KindHeap        Kind = "heap"
	KindQuota       Kind = "quota"
	KindInput       Kind = "input"
	KindOutput      Kind = "output"
	KindMembraneIn  Kind = "membrane-in"
	KindMembraneOut Kind = "membrane-out"
	KindCapability  Kind = "capability"
	KindType        Kind = "type"
	KindSecurity    Kind = "security"
	KindUser        Kind = "user"
	KindRefused     Kind = "refused"
)

// AgentError is how a run fails. Op is the operation that failed, a finer name
// such as expr.concat, or vm.run.
type AgentError struct {
	Message string
	Op      string
	Kind    Kind
	// Catchable: a try could have gone on from it.
	Catchable bool
	Pos       ast.Pos // of the step in the source; zero if the program doesn't say
	Path      string  // of the step in the program: steps[2].then[0]
	Cause     error   // of the host's; never serialized
}

// Error returns AgentError[op]: message.
func (e *AgentError) Error() string { return "AgentError[" + e.Op + "]: " + e.Message }

// Unwrap returns the cause.
func (e *AgentError) Unwrap() error { return e.Cause }

// Data returns the error as JSON data: an object with $error: true.
func (e *AgentError) Data() ast.Object {
	o := ast.Object{{Key: "$error", Value: true}, {Key: "message", Value: e.Message}, {Key: "op", Value: e.Op}, {Key: "kind", Value: string(e.Kind)}}
	if e.Pos.Line > 0 {
		o = append(o, ast.Entry{Key: "line", Value: float64(e.Pos.Line)}, ast.Entry{Key: "column", Value: float64(e.Pos.Column)})
	}
	return o
}

// MarshalJSON writes the error with $error: true.
func (e *AgentError) MarshalJSON() ([]byte, error) { return ast.AppendData(nil, e.Data()) }

// IsAgentError reports whether a value is an *AgentError or data with
// $error: true, such as one that went through JSON.
func IsAgentError(v any) bool {
	switch v := v.(type) {
	case *AgentError:
		return v != nil
	case ast.Object:
		e, _ := v.Get("$error")
		return e == true
	case map[string]any:
		return v["$error"] == true
	}
	return false
}

const (
	maxMessage = 8192
	maxOp      = 256
)

// clip cuts text to n bytes, at the border of a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// fail sets the run's error slot, unless there is an error already. The op is
// the finer one if it isn't "".
func (r *run) fail(kind Kind, op, message string) bool {
	if r.err == nil {
		if op == "" {
			op = r.step.atom.Name
		}
		r.setError(&AgentError{Message: clip(message, maxMessage), Op: clip(op, maxOp), Kind: kind, Catchable: true})
	}
	return false
}

func (r *run) failf(kind Kind, op, format string, args ...any) bool {
	return r.fail(kind, op, fmt.Sprintf(format, args...))
}

func (r *run) setError(e *AgentError) {
	if e.Path == "" && r.step != nil && e.Op != "vm.run" {
		e.Pos = r.step.ast.Pos
		e.Path = r.step.path
	}
	r.err = e
}

// halt ends the run: the first one counts, and nothing catches it.
func (r *run) halt(kind Kind, op, message string, cause error) bool {
	if r.halted == nil {
		e := &AgentError{Message: clip(message, maxMessage), Op: clip(op, maxOp), Kind: kind, Cause: cause}
		r.setError(e)
		r.halted = e
	}
	r.err = r.halted
	return false
}
