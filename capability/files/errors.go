package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Code says why a file could not be used. Codes are stable, and each is also an
// error, for errors.Is:
//
//	if errors.Is(err, files.ErrNotFound) { … }
type Code string

// The codes.
const (
	ErrPath       Code = "E_FILE_PATH"        // the text can't be a path; Error.Rule says why
	ErrPattern    Code = "E_FILE_PATTERN"     // the text isn't a pattern
	ErrArgument   Code = "E_FILE_ARGUMENT"    // an option is out of range
	ErrOutside    Code = "E_FILE_OUTSIDE"     // it isn't granted, or it is outside the roots
	ErrProtected  Code = "E_FILE_PROTECTED"   // a protected name
	ErrNotFound   Code = "E_FILE_NOT_FOUND"   // nothing has that name; also fs.ErrNotExist
	ErrExists     Code = "E_FILE_EXISTS"      // WriteNew found a file; also fs.ErrExist
	ErrNotRegular Code = "E_FILE_NOT_REGULAR" // a pipe, a socket, a device, a file of a pseudo file system
	ErrDirectory  Code = "E_FILE_DIRECTORY"   // a directory where a file is needed
	ErrNotDir     Code = "E_FILE_NOT_DIR"     // a file where a directory is needed
	ErrHardLink   Code = "E_FILE_HARD_LINK"   // the file has other names, which may be protected
	ErrLinks      Code = "E_FILE_LINKS"       // symbolic links that go round, or too many
	ErrChanged    Code = "E_FILE_CHANGED"     // it was replaced again and again while it was opened
	ErrTooLarge   Code = "E_FILE_TOO_LARGE"   // more than MaxFileBytes
	ErrQuota      Code = "E_FILE_QUOTA"       // MaxTotalRead or MaxTotalWrite is used up
	ErrTimeout    Code = "E_FILE_TIMEOUT"     // the open did not finish in OpenTimeout
	ErrPermission Code = "E_FILE_PERMISSION"  // the system doesn't allow it, or the file is read-only; also fs.ErrPermission
	ErrNoSpace    Code = "E_FILE_NO_SPACE"    // the disk or the host's own quota is full
	ErrIO         Code = "E_FILE_IO"          // the system failed
	ErrCancelled  Code = "E_FILE_CANCELLED"   // the context ended; also its own error
	ErrClosed     Code = "E_FILE_CLOSED"      // the FS was closed; also fs.ErrClosed
)

// Error returns the code in words.
func (c Code) Error() string { return "files: " + string(c) }

// Error says why a file could not be used. Code, Reason, Path and Hint may be shown
// to the program: none has a word of the host's paths. Rule is for records.
type Error struct {
	Code   Code
	Reason string // a few words, such as "no such file"
	Path   string // as the program wrote it
	Rule   string // the rule that decided, as in Decision
	Hint   string // what to do next; may be empty
	cause  error  // the context's error; never one of the file system
}

// Error returns the reason. It leaves out the path: whoever called knows it.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns the context's error if that is why it failed.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the error's code, or the error of package fs that
// means the same.
func (e *Error) Is(target error) bool {
	if c, ok := target.(Code); ok {
		return c == e.Code
	}
	switch target {
	case fs.ErrNotExist:
		return e.Code == ErrNotFound
	case fs.ErrExist:
		return e.Code == ErrExists
	case fs.ErrPermission:
		return e.Code == ErrPermission
	case fs.ErrClosed:
		return e.Code == ErrClosed
	}
	return false
}

// Op is what a program wants to do.
type Op string

// The operations.
const (
	OpRead  Op = "read"  // also Stat, List and Glob
	OpWrite Op = "write" // replace, make or extend
)

// Decision is what was decided about one call, for an audit. Rule is one of
//
//	read:PATTERN, write:PATTERN     the granted pattern that let it pass
//	top                             the list of the named roots
//	grant                           no granted pattern, or none of a narrower one, matches
//	protect:PATTERN                 a protected name
//	path:WHY                        the text isn't a path: empty, nul, control, utf8, home, drive, url,
//	                                network, device, backslash, reserved, stream, trailing, short-name,
//	                                character, long, deep; above the top: escape
//	link:WHY                        a symbolic link: escape, absolute, loop, dangling
//	file:WHY                        the file itself: missing, exists, kind, directory, not-directory,
//	                                hard-link, pseudo, changed, read-only, permission
//	limit:WHICH                     file-bytes, read-bytes, write-bytes, open-time, argument, pattern
//	system:WHAT                     io, space, unsupported, closed, cancelled
type Decision struct {
	Allowed bool // it was granted, and done
	Op      Op
	Root    string // the root's name
	Path    string // as the program wrote it
	Rule    string
}

// fail makes an error; the path is filled in where the call ends.
func fail(code Code, rule, reason string) *Error {
	return &Error{Code: code, Rule: rule, Reason: reason, Hint: hints[rule]}
}

func failf(code Code, rule, format string, args ...any) *Error {
	return fail(code, rule, fmt.Sprintf(format, args...))
}

// hints say what to do next, by rule.
var hints = map[string]string{
	"path:empty":         "name a file, such as notes.txt",
	"path:nul":           "leave out the NUL character",
	"path:control":       "leave out control characters and line breaks",
	"path:utf8":          "use well-formed text",
	"path:home":          "there is no home folder: use a path below the root, such as notes.txt",
	"path:drive":         "leave out the drive: the root is /",
	"path:network":       "leave out the server: use a path below the root",
	"path:device":        "devices can't be used: use a path below the root",
	"path:url":           "leave out file: and use a path below the root",
	"path:backslash":     "separate folders with /",
	"path:reserved":      "choose a name that isn't a device's, such as CON or COM1",
	"path:stream":        "leave out the colon",
	"path:trailing":      "leave out dots and spaces at the end of names",
	"path:short-name":    "use the long name",
	"path:character":     `leave out < > " | ? *`,
	"path:long":          "use a shorter path",
	"path:deep":          "use a path with fewer folders",
	"path:escape":        "stay below the root: .. can't leave it",
	"link:escape":        "the link leads out of the granted folders: use a file below the root",
	"link:absolute":      "the link leads out of the granted folders: use a file below the root",
	"link:loop":          "the links go round: name the file itself",
	"link:dangling":      "the link leads to nothing: name the file itself",
	"grant":              "use a path that was granted",
	"file:missing":       "list the folder to see which names there are",
	"file:kind":          "only regular files can be used",
	"file:pseudo":        "only regular files can be used",
	"file:directory":     "it is a folder: name a file in it",
	"file:not-directory": "a part of the path is a file, not a folder",
	"file:hard-link":     "the file has several names: use a copy of it",
	"file:exists":        "choose another name",
	"file:changed":       "try again",
	"file:read-only":     "write to another file",
	"limit:file-bytes":   "use a smaller file, or only a part of the data",
	"limit:read-bytes":   "read less in one run",
	"limit:write-bytes":  "write less in one run",
	"limit:open-time":    "try again later",
}

// The errors that several places make.

func errMissing() *Error   { return fail(ErrNotFound, "file:missing", "no such file") }
func errKind() *Error      { return fail(ErrNotRegular, "file:kind", "not a regular file") }
func errDirectory() *Error { return fail(ErrDirectory, "file:directory", "not a regular file") }
func errPseudo() *Error    { return fail(ErrNotRegular, "file:pseudo", "not a regular file") }
func errHardLink() *Error  { return fail(ErrHardLink, "file:hard-link", "has other hard links") }
func errNotDir() *Error    { return fail(ErrNotDir, "file:not-directory", "not a directory") }
func errChanged() *Error {
	return fail(ErrChanged, "file:changed", "changed while it was opened")
}
func errOutside(rule string) *Error {
	return fail(ErrOutside, rule, "outside the granted folders")
}
func errProtected(pattern string) *Error {
	return fail(ErrProtected, "protect:"+pattern, "protected name")
}
func errTooLarge(limit int64) *Error {
	return failf(ErrTooLarge, "limit:file-bytes", "too large (limit %d bytes)", limit)
}
func errBadPath(why string) *Error { return fail(ErrPath, "path:"+why, "bad argument: path") }
func errArgument(name string) *Error {
	return fail(ErrArgument, "limit:argument", "bad argument: "+name)
}
func errSlow(limit time.Duration) *Error {
	return failf(ErrTimeout, "limit:open-time", "open did not finish in %s", spell(limit))
}

// errContext is what an ended context becomes.
func errContext(ctx context.Context) *Error {
	e := fail(ErrCancelled, "system:cancelled", "the run has ended")
	e.cause = context.Cause(ctx)
	if err := ctx.Err(); !errors.Is(e.cause, err) {
		e.cause = errors.Join(err, e.cause)
	}
	return e
}

// spell writes a duration as 2.2 of the messages has it: "2 s".
func spell(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return fmt.Sprintf("%d ms", (d+time.Millisecond-1)/time.Millisecond)
}
