package pinfold

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// Kind says why a run failed. Each kind is also an error, for errors.Is:
//
//	if errors.Is(err, pinfold.ErrFuel) { … }
type Kind string

// The kinds.
const (
	ErrScript    Kind = "script"    // an uncaught error, a rejected promise, or a promise that nothing can settle
	ErrSyntax    Kind = "syntax"    // the source doesn't parse
	ErrFuel      Kind = "fuel"      // Limits.Fuel
	ErrMemory    Kind = "memory"    // Limits.MemoryBytes, Limits.AllocatedBytes
	ErrTime      Kind = "time"      // Limits.Timeout; also context.DeadlineExceeded
	ErrStack     Kind = "stack"     // Limits.CallDepth, Limits.NativeDepth
	ErrOutput    Kind = "output"    // Limits.OutputBytes, Limits.OutputLines
	ErrSource    Kind = "source"    // Limits.SourceBytes, or source nested too deeply
	ErrResult    Kind = "result"    // a value that can't leave the run, or the input that can't enter it
	ErrHostCalls Kind = "hostcalls" // Limits.HostCalls
	ErrCancelled Kind = "cancelled" // the context ended; also its own error
	ErrBusy      Kind = "busy"      // too many runs at once; also a *limiter.BusyError
	ErrInternal  Kind = "internal"  // a bug in the engine, or a panic in a host function
)

// Error returns the kind in words.
func (k Kind) Error() string { return "pinfold: " + string(k) }

// IsLimit reports whether the kind stands for a ceiling that ended the run.
func (k Kind) IsLimit() bool {
	switch k {
	case ErrFuel, ErrMemory, ErrTime, ErrStack, ErrOutput, ErrSource, ErrResult, ErrHostCalls:
		return true
	}
	return false
}

// MaxMessageChars is how many characters of a message are kept.
const MaxMessageChars = 10_240

// Failure says how a run failed. It is an error: errors.Is matches its Kind,
// and what caused it.
type Failure struct {
	Kind    Kind
	Name    string // "TypeError"; "" for limits and for thrown values that are no errors
	Message string // at most MaxMessageChars, with a marker where it was cut
	Code    string // the thrown error's property code, such as that of a host's Error

	// Where, as far as it is known. Lines and columns count from 1, columns in
	// UTF-16 code units. EndColumn is the column after the last one meant.
	File       string
	Line       int
	Column     int
	EndColumn  int
	SourceLine string

	Hint        string   // what to do next; may be empty
	Suggestions []string // names that may have been meant, likeliest first; at most 3
	Frames      []Frame  // script frames, innermost first
	Notes       []string // limits that were near

	// Explanation says where the wrong value came from; nil where there is
	// nothing to explain, or when Options.NoExplain is set.
	Explanation *Explanation

	// Limit and Used are set for limits, in bytes, units of fuel, frames,
	// lines, calls or milliseconds.
	Limit int64
	Used  int64

	// Thrown is a copy of what the program threw, if it is data.
	Thrown Value

	cause  error
	stack  string
	source string // the text that File names
	offset int    // of the place in it
}

// Frame is a function of the program that was running.
type Frame struct {
	Function string // "" at top level and in functions without a name
	File     string
	Line     int // 0 in built-in functions
	Column   int
	Async    bool // it isn't running: it awaits what the frame above it does
}

// Error returns the headline and the place, in one line.
func (f *Failure) Error() string {
	s := f.headline()
	if f.File != "" && f.Line > 0 {
		return fmt.Sprintf("%s (%s:%d:%d)", s, f.File, f.Line, f.Column)
	}
	return s
}

func (f *Failure) headline() string {
	switch {
	case f.Name == "":
		return f.Message
	case f.Message == "":
		return f.Name
	}
	return f.Name + ": " + f.Message
}

// Is matches a Kind.
func (f *Failure) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == f.Kind
}

// Unwrap returns the cause: the context's error of a cancelled run,
// context.DeadlineExceeded of one out of time.
func (f *Failure) Unwrap() error { return f.cause }

// GoStack returns the Go stack of a Failure of kind internal, for the host's
// own log. It is no part of any message.
func (f *Failure) GoStack() string { return f.stack }

// limitHints say what to do about a limit.
var limitHints = map[meter.Kind]string{
	meter.Fuel:      "look for a loop that doesn't end or that does too much; the host can raise Limits.Fuel",
	meter.Memory:    "keep less data at once; the host can raise Limits.MemoryBytes and Limits.AllocatedBytes",
	meter.Time:      "look for slow host calls or a loop that doesn't end; the host can raise Limits.Timeout",
	meter.Stack:     "look for a recursion that doesn't end, or use a loop; the host can raise Limits.CallDepth",
	meter.Output:    "print less; the host can raise Limits.OutputBytes and Limits.OutputLines",
	meter.Result:    "return less data, or flatter data; the host can raise Limits.ResultBytes and Limits.ResultDepth",
	meter.HostCalls: "make fewer calls; the host can raise Limits.HostCalls",
}

var limitKinds = map[meter.Kind]Kind{
	meter.Fuel: ErrFuel, meter.Memory: ErrMemory, meter.Time: ErrTime, meter.Stack: ErrStack, meter.Output: ErrOutput,
	meter.Source: ErrSource, meter.Result: ErrResult, meter.HostCalls: ErrHostCalls, meter.Cancelled: ErrCancelled,
	meter.Busy: ErrBusy,
}

// limitFailure describes a limit that ended a run.
func limitFailure(e *meter.LimitError) *Failure {
	f := &Failure{Kind: limitKinds[e.Kind], Message: e.Error(), Hint: limitHints[e.Kind], Limit: e.Limit, Used: e.Used, cause: e.Cause}
	switch e.Kind {
	case meter.Time:
		f.Limit, f.Used = e.Limit/1e6, (e.Used+1e6-1)/1e6
		f.cause = context.DeadlineExceeded
	case meter.Busy:
		var busy *limiter.BusyError
		if errors.As(e.Cause, &busy) {
			return busyFailure(busy)
		}
	case meter.Cancelled:
		f.Limit, f.Used = 0, 0
		if errors.Is(e.Cause, context.DeadlineExceeded) {
			f.Message = "the run was cancelled: its context's deadline passed"
		}
	}
	return f
}

// syntaxFailure describes source that doesn't parse.
func syntaxFailure(e *syntax.SyntaxError, source string) *Failure {
	f := &Failure{
		Kind: ErrSyntax, Name: "SyntaxError", Message: cut(e.Message), File: e.Name, Line: e.Line, Column: e.Column,
		SourceLine: lineOf(source, e.Line), Hint: e.Hint, cause: e, source: source, offset: int(e.Start),
	}
	if e.TooLarge {
		f.Kind = ErrSource
	} else if f.Hint == "" {
		f.Hint = syntaxHint(source, int(e.Start))
	}
	f.EndColumn = f.Column + 1
	if s, end := int(e.Start), int(e.End); s >= 0 && end > s && end <= len(source) {
		text := source[s:end]
		if i := strings.IndexAny(text, "\r\n"); i >= 0 {
			text = text[:i]
		}
		f.EndColumn = f.Column + max(1, utf16Len(text))
	}
	return f
}

// resultFailure describes a value that couldn't cross.
func resultFailure(err error) *Failure {
	f := &Failure{Kind: ErrResult, Message: cut(err.Error()), cause: err}
	var e *membrane.Error
	if errors.As(err, &e) && e.Limit != nil {
		f.Limit, f.Used, f.Hint = e.Limit.Limit, e.Limit.Used, limitHints[meter.Result]
	} else {
		f.Hint = "values cross as data: numbers, strings, arrays, plain objects, Map, Set, Date, BigInt, bytes"
	}
	return f
}

// lineOf returns a line of a source text, without its end.
func lineOf(source string, line int) string {
	for ; line > 1; line-- { //meter: once through the source text, in a report
		i := strings.IndexAny(source, "\n\r\u2028\u2029")
		if i < 0 {
			return ""
		}
		_, w := utf8.DecodeRuneInString(source[i:])
		if strings.HasPrefix(source[i:], "\r\n") {
			w = 2
		}
		source = source[i+w:]
	}
	if i := strings.IndexAny(source, "\n\r\u2028\u2029"); i >= 0 {
		source = source[:i]
	}
	return source
}

// utf16Len returns how many UTF-16 code units a text has.
func utf16Len(s string) int {
	n := 0
	for _, r := range s { //meter: a line of the source text, in a report
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

var _ error = (*Failure)(nil)
