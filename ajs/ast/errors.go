package ast

import (
	"fmt"
	"strconv"
)

// ErrorKind says why a program was refused.
type ErrorKind uint8

// The kinds of errors.
const (
	KindSyntax  ErrorKind = iota + 1 // the text is no JSON
	KindLimit                        // too many bytes or nodes, or too deep
	KindShape                        // JSON, but no program
	KindRoot                         // the root is no seq
	KindVersion                      // a format version that this code doesn't know
)

// String returns the kind's name.
func (k ErrorKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

var kindNames = [...]string{"", "syntax", "limit", "shape", "root", "version"}

// Error says what is wrong with a program and where.
type Error struct {
	Kind    ErrorKind
	Path    string // of a shape error: steps[2].then[0].key
	Message string
	Version float64 // of a version error: the declared version
}

// Error returns the message with the place.
func (e *Error) Error() string {
	if e.Path != "" {
		return "invalid AST at " + e.Path + ": " + e.Message
	}
	return e.Message
}

func tooDeep(limit int) error {
	return &Error{Kind: KindLimit, Message: fmt.Sprintf("the AST is nested over %d levels deep", limit)}
}

// MsgRoot is the message about a root that is no seq.
const MsgRoot = "Root AST must be 'seq'. Ensure you're passing a transpiled agent (use ajs`...` or transpile())."

// Current is the version that is written; 1 and Current are read.
const Current = 2

// VersionOf reads the version a root declares: absent or no number means 1. A
// version above Current is refused; where names the place the program entered.
func VersionOf(root any, where string) (int, error) {
	o, ok := root.(Object)
	if !ok {
		return 1, nil
	}
	v, _ := o.Get("$ajs")
	n, ok := v.(float64)
	switch {
	case !ok || n < Current:
		return 1, nil
	case n == Current:
		return Current, nil
	}
	if where == "" {
		where = "ajs"
	}
	return 0, &Error{Kind: KindVersion, Version: n, Message: where + ": This AST declares format version " + string(AppendNumber(nil, n)) +
		", but this build of tjs-lang understands at most " + strconv.Itoa(Current) +
		". Refusing to run it rather than guess at ops it may use that this interpreter does not implement. " +
		"Upgrade tjs-lang, or re-transpile the source with this version."}
}

func tooMany(limit int) error {
	return &Error{Kind: KindLimit, Message: fmt.Sprintf("the AST has over %d nodes", limit)}
}
