package transpile

import "fmt"

// Code names the cause of an Error. Codes are stable; messages may improve.
type Code string

// The codes.
const (
	CodeOption       Code = "option"        // an option is no good
	CodeTooLarge     Code = "too-large"     // the source is over a limit
	CodeTooDeep      Code = "too-deep"      // nested too deeply
	CodeSyntax       Code = "syntax"        // no JavaScript
	CodeNoFunction   Code = "no-function"   // no function declaration
	CodeTopLevel     Code = "top-level"     // something beside functions
	CodeModule       Code = "module"        // import, export
	CodeClass        Code = "class"         // class
	CodeFunctionKind Code = "function-kind" // a generator
	CodeHelper       Code = "helper"        // a helper that can't be declared so
	CodeHelperCall   Code = "helper-call"   // a helper that can't be called so
	CodeParameter    Code = "parameter"     // a parameter pattern
	CodeExample      Code = "example"       // an example that stands for no type
	CodeStatement    Code = "statement"     // a statement AJS has not
	CodeFinally      Code = "finally"
	CodeThrow        Code = "throw"
	CodeCatch        Code = "catch" // a pattern in catch
	CodeDeclaration  Code = "declaration"
	CodeAssignment   Code = "assignment" // to something that isn't a variable
	CodeConst        Code = "const"      // assignment to a constant
	CodeForOf        Code = "for-of"
	CodeExpression   Code = "expression" // an expression AJS has not
	CodeOperator     Code = "operator"
	CodeNew          Code = "new"
	CodeLiteral      Code = "literal"     // a bigint, a number without a value
	CodeObjectKey    Code = "object-key"  // __proto__, twice
	CodeRegex        Code = "regex"       // refused by the engine of the VM
	CodeCallback     Code = "callback"    // a function where none is called
	CodeMethod       Code = "method"      // a method AJS has not
	CodeGlobal       Code = "global"      // a global AJS has not
	CodeNotAValue    Code = "not-a-value" // a function or namespace as a value
	CodeName         Code = "name"        // a variable nobody declared, or may
	CodeCall         Code = "call"        // a call of something that isn't a name
	CodeAtomCall     Code = "atom-call"   // positional arguments, a spread
	CodeAtomInput    Code = "atom-input"  // an input missing, unknown, of the wrong type
	CodeAtom         Code = "atom"        // an atom nobody has
	CodeReturn       Code = "return"      // a result that is no object
)

// Error says why a source was refused. Line counts from 1, Column from 0 in
// UTF-16 code units. Fix is code to write instead, one or more lines.
type Error struct {
	Code    Code
	Message string
	File    string
	Line    int
	Column  int
	Fix     string
}

// Error returns the message with its place.
func (e *Error) Error() string {
	return fmt.Sprintf("%s at %s:%d:%d", e.Message, e.File, e.Line, e.Column)
}

// Explain returns the message with its place, and below it what to write.
func (e *Error) Explain() string {
	if e.Fix == "" {
		return e.Error()
	}
	return e.Error() + "\nWrite instead:\n" + e.Fix
}

// Warning is something that was compiled to nothing.
type Warning struct {
	Message      string
	Line, Column int
}
