package ast

// Value is what stands in a value position or in a node position of a program:
// bare data, containers of values, references of version 1, expression nodes.
//
// In a value position a bare array or object may hold nodes; then it is a
// *List or a *Record, else the whole of it is one *Lit. In a node position
// anything without $expr is data as it stands: always a *Lit.
type Value interface{ value() }

// Field is a named value.
type Field struct {
	Name  string
	Value Value
}

// Lit is bare JSON data without nodes in it. It costs no node.
type Lit struct{ Data any }

// List is a bare array in a value position with a node somewhere in it.
type List struct{ Items []Value }

// Record is a bare object in a value position with a node somewhere in it.
type Record struct{ Fields []Field }

// Ref is a bare string in a value position of version 1: the variable of that
// name or path if there is one, else the text itself.
type Ref struct{ Text string }

// Arg is { $kind: 'arg', path } of version 1: a run argument.
type Arg struct{ Path string }

// Literal is the node literal.
type Literal struct{ Data any }

// Ident is the node ident.
type Ident struct{ Name string }

// Member is the node member. Key is set, and Property empty, when the property
// is computed by a node; Computed alone marks a literal index or key.
type Member struct {
	Object   Value
	Property string
	Key      Value
	Computed bool
	Optional bool
}

// Binary is the node binary.
type Binary struct {
	Op          string
	Left, Right Value
}

// Unary is the node unary.
type Unary struct {
	Op       string
	Argument Value
}

// Logical is the node logical; Op is &&, || or ??.
type Logical struct {
	Op          string
	Left, Right Value
}

// Conditional is the node conditional.
type Conditional struct {
	Test, Consequent, Alternate Value
}

// ArrayExpr is the node array.
type ArrayExpr struct{ Elements []Value }

// ObjectExpr is the node object.
type ObjectExpr struct{ Properties []Field }

// Call is the node call: a global function, or an atom's name.
type Call struct {
	Callee    string
	Arguments []Value
}

// MethodCall is the node methodCall.
type MethodCall struct {
	Object    Value
	Method    string
	Arguments []Value
	Optional  bool
}

// Regex is the node regex.
type Regex struct{ Pattern, Flags string }

// UnknownExpr is a node whose type this code doesn't know. It fails when it is
// evaluated. Data is the node as it was read.
type UnknownExpr struct {
	Type string
	Data Object
}

func (*Lit) value()         {}
func (*List) value()        {}
func (*Record) value()      {}
func (*Ref) value()         {}
func (*Arg) value()         {}
func (*Literal) value()     {}
func (*Ident) value()       {}
func (*Member) value()      {}
func (*Binary) value()      {}
func (*Unary) value()       {}
func (*Logical) value()     {}
func (*Conditional) value() {}
func (*ArrayExpr) value()   {}
func (*ObjectExpr) value()  {}
func (*Call) value()        {}
func (*MethodCall) value()  {}
func (*Regex) value()       {}
func (*UnknownExpr) value() {}

// IsNode reports whether a value is an expression node ($expr).
func IsNode(v Value) bool {
	switch v.(type) {
	case nil, *Lit, *List, *Record, *Ref, *Arg:
		return false
	}
	return true
}
