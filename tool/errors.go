package tool

import (
	"fmt"
	"strings"

	"github.com/pinfold-js/pinfold"
)

// Code says why a tool could not be loaded. Codes are stable, and each is also
// an error, for errors.Is:
//
//	if errors.Is(err, tool.NoInvoke) { … }
type Code string

// The codes.
const (
	BadDefinition  Code = "E_TOOL"             // matches every *LoadError
	Unreadable     Code = "E_TOOL_READ"        // a file that isn't there, isn't a regular file, or is too large
	BadSyntax      Code = "E_TOOL_SYNTAX"      // the file, or one that it imports, doesn't parse
	BadTopLevel    Code = "E_TOOL_TOP_LEVEL"   // the top level throws, or runs into a limit
	NotAdmitted    Code = "E_TOOL_BUSY"        // there was no slot to load it in
	NoInvoke       Code = "E_TOOL_NO_INVOKE"   // it exports no function invoke
	NoDescription  Code = "E_TOOL_UNDESCRIBED" // neither an exported object tool nor a YAML file
	BadYAML        Code = "E_TOOL_YAML"        // the text isn't YAML, or uses what definitions may not
	UnknownKey     Code = "E_TOOL_KEY"         // a key that descriptions don't have
	BadValue       Code = "E_TOOL_VALUE"       // a key with a value that it can't have
	BadSchema      Code = "E_TOOL_SCHEMA"      // inputSchema or outputSchema
	BadRequirement Code = "E_TOOL_REQUIRES"    // an unknown capability, or a scope that it can't have
	BadImport      Code = "E_TOOL_IMPORT"      // an import that isn't a file of the tool's own folder
	Duplicate      Code = "E_TOOL_DUPLICATE"   // two tools of one name
	Orphan         Code = "E_TOOL_ORPHAN"      // a description without a file
	BadTest        Code = "E_TOOL_TEST"        // a file of tests that can't be read
	LeftOut        Code = "E_TOOL_CAPABILITY"  // needs what isn't granted
)

// Error returns the code in words.
func (c Code) Error() string {
	if s := codeWords[c]; s != "" {
		return s
	}
	return string(c)
}

var codeWords = map[Code]string{
	BadDefinition: "the tool can't be loaded", Unreadable: "the file can't be read", BadSyntax: "the file doesn't parse",
	BadTopLevel: "the top level of the file fails", NotAdmitted: "too much is running", NoInvoke: "the file exports no function invoke",
	NoDescription: "the tool has no description", BadYAML: "the YAML can't be read", UnknownKey: "unknown key", BadValue: "bad value",
	BadSchema: "bad schema", BadRequirement: "bad requirement", BadImport: "bad import", Duplicate: "two tools of one name",
	Orphan: "a description without a file", BadTest: "the tests can't be read", LeftOut: "a capability is missing",
}

// LoadError says why a tool could not be loaded, and where the reason stands.
type LoadError struct {
	Code Code
	// File is the file's own name, or from the folder on for those that are
	// imported; never a path of the host.
	File string
	// Line and Column count from 1, columns in UTF-16 code units for JavaScript and in
	// characters for YAML; 0 is unknown.
	Line, Column int
	Message      string
	Hint         string // what to do next; may be empty

	cause error
}

// Error returns place, message and hint, in one line if the message has one.
func (e *LoadError) Error() string {
	s := place(e.File, e.Line, e.Column) + e.Message
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func place(file string, line, column int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return file + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", file, line, column)
}

// Is matches the code, and BadDefinition always.
func (e *LoadError) Is(target error) bool { return target == BadDefinition || target == e.Code }

// Unwrap returns the *pinfold.Failure of the file's top level, or what else was
// the cause.
func (e *LoadError) Unwrap() error { return e.cause }

// CapabilityMissingError says that a tool requires more than is granted.
type CapabilityMissingError struct {
	Tool    string
	File    string
	Missing []pinfold.Requirement // capabilities, or the parts of their scopes that aren't granted
}

// Error names what is missing.
func (e *CapabilityMissingError) Error() string {
	return fmt.Sprintf("%s: the tool %s requires what is not granted: %s; grant it, or leave the tool out", e.File, e.Tool, requirements(e.Missing))
}

func requirements(list []pinfold.Requirement) string {
	var texts []string
	for _, q := range list {
		texts = append(texts, q.String())
	}
	return strings.Join(texts, ", ")
}

// Is matches LeftOut.
func (e *CapabilityMissingError) Is(target error) bool { return target == LeftOut }

// Warning is what a lenient load puts up with.
type Warning struct {
	Code         Code
	File         string
	Line, Column int
	Message      string
}

// String returns place and message.
func (w Warning) String() string { return place(w.File, w.Line, w.Column) + w.Message }
