package membrane

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/meter"
)

// Limits bound one crossing. A zero field means its default.
type Limits struct {
	Depth int   // nesting; 64
	Nodes int   // values; 1 000 000
	Bytes int64 // of the JSON text, or of the strings and bytes copied; 4 MiB
}

// The defaults of Limits.
const (
	DefaultDepth = 64
	DefaultNodes = 1_000_000
	DefaultBytes = 4 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	if l.Nodes <= 0 {
		l.Nodes = DefaultNodes
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	return l
}

// Error says that a value can't cross, and where in it the reason lies.
type Error struct {
	Path   string // from the root: "result.items[3].fn"
	Reason string // "a function can't be returned"
	// Limit is set when the value is too deep, has too many nodes or is too
	// large: what was passed, of the kind meter.Result.
	Limit *meter.LimitError
	// Cause is the error of a Go value's own MarshalJSON or MarshalText.
	Cause error
}

// Error returns "path: reason".
func (e *Error) Error() string { return e.Path + ": " + e.Reason }

// Unwrap returns the limit that was passed, or the cause, if any.
func (e *Error) Unwrap() error {
	if e.Limit == nil {
		return e.Cause
	}
	return e.Limit
}

func refuse(reason string) error { return &Error{Reason: reason} }

// over makes the error of a passed limit.
func over(what string, limit, used int64) error {
	l := &meter.LimitError{Kind: meter.Result, What: what, Limit: limit, Used: used}
	return &Error{Reason: what + " passes the limit of " + strconv.FormatInt(limit, 10), Limit: l}
}

// under puts a step in front of the path of an error that came from below.
func under(err error, step string) error {
	if e, ok := err.(*Error); ok {
		// Very deep paths stay readable: the middle is dropped.
		if len(e.Path) > 400 {
			if i := strings.IndexAny(e.Path[1:], ".["); i >= 0 {
				e.Path = "…" + strings.TrimPrefix(e.Path[1+i:], "…")
			}
		}
		e.Path = step + e.Path
	}
	return err
}

func underIndex(err error, i int) error {
	return under(err, "["+strconv.Itoa(i)+"]")
}

func underKey(err error, key string) error {
	if isIdentifier(key) {
		return under(err, "."+key)
	}
	if len(key) > 64 {
		key = strings.ToValidUTF8(key[:64], "") + "…"
	}
	return under(err, "["+strconv.Quote(key)+"]")
}

func isIdentifier(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) { //meter: at most 64
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || i > 0 && c >= '0' && c <= '9' {
			continue
		}
		return false
	}
	return true
}

// rooted completes the path of an error.
func rooted(err error, root string) error {
	var e *Error
	if errors.As(err, &e) {
		e.Path = root + e.Path
	}
	return err
}
