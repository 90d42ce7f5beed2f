package syntax

// TSModifier is a set of TypeScript modifiers.
type TSModifier uint16

// The modifiers.
const (
	TSPublic TSModifier = 1 << iota
	TSPrivate
	TSProtected
	TSReadonly
	TSOverride
	TSAbstract
	TSDeclare
)

// TSType is a type. All pure types are *TSTypeNode; there is nothing in them
// that runs.
type TSType interface {
	Node
	typeNode()
}

// TSTypeKind says which type a TSTypeNode is.
type TSTypeKind uint8

// The kinds of types, with what their Types and Name hold.
const (
	TSKeyword      TSTypeKind = iota // Name: string, number, any, void, this, …
	TSReference                      // Name: dotted name; Types: type arguments
	TSLiteral                        // Name: source text of a literal
	TSTemplate                       // Types: the holes
	TSArray                          // Types[0][]
	TSTuple                          // Types: elements
	TSTupleMember                    // Name: label if any; Types[0]; Optional, Rest
	TSUnion                          // Types
	TSIntersection                   // Types
	TSFunction                       // Types: parameter types, then the result
	TSConstructor                    // the same, `new (…) => T`
	TSConditional                    // check, extends, true, false
	TSInfer                          // Name; Types: constraint if any
	TSMapped                         // Name: key; Types: constraint, name type, value type
	TSIndexed                        // object, index
	TSOperator                       // Name: keyof, unique, readonly; Types[0]
	TSQuery                          // typeof Name; Types: type arguments
	TSImport                         // import("…").Name; Types: type arguments
	TSPredicate                      // Name: parameter; Types[0] if any; Asserts in Optional
	TSObject                         // { members }; Types: types of the members
	TSParen                          // Types[0]
)

// TSTypeNode is a type.
type TSTypeNode struct {
	Span
	Kind     TSTypeKind
	Optional bool
	Rest     bool
	Name     string
	Types    []TSType
}

// TSTypeParameter is one type parameter.
type TSTypeParameter struct {
	Span
	Name       string
	Constraint TSType // may be nil
	Default    TSType // may be nil
}

// TSTypeParameters is <A, B extends C = D>.
type TSTypeParameters struct {
	Span
	Params []*TSTypeParameter
}

// TSTypeArguments is <A, B>.
type TSTypeArguments struct {
	Span
	Types []TSType
}

// TSAsExpression is `e as T` (Const: `e as const`). Erasable: its value is
// Expression's.
type TSAsExpression struct {
	Span
	Expression Expr
	Const      bool
	Type       TSType // nil if Const
}

// TSSatisfiesExpression is `e satisfies T`.
type TSSatisfiesExpression struct {
	Span
	Expression Expr
	Type       TSType
}

// TSNonNullExpression is `e!`.
type TSNonNullExpression struct {
	Span
	Expression Expr
}

// TSTypeAssertion is `<T>e`. It is also listed in Program.NonErasable.
type TSTypeAssertion struct {
	Span
	Const      bool
	Type       TSType // nil if Const
	Expression Expr
}

// TSInstantiationExpression is `f<T>` without a call.
type TSInstantiationExpression struct {
	Span
	Expression Expr
	TypeArgs   *TSTypeArguments
}

// TSInterfaceDeclaration is an interface; it is erased.
type TSInterfaceDeclaration struct {
	Span
	ID         *Identifier
	TypeParams *TSTypeParameters
	Extends    []TSType
	Body       TSType
}

// TSTypeAliasDeclaration is type A = T; it is erased.
type TSTypeAliasDeclaration struct {
	Span
	ID         *Identifier
	TypeParams *TSTypeParameters
	Type       TSType
}

// TSDeclareFunction is a function signature without a body: an overload or
// `declare function`; it is erased.
type TSDeclareFunction struct {
	Span
	ID *Identifier // nil only in export default
}

// TSEnumDeclaration is an enum. Declare: erased.
type TSEnumDeclaration struct {
	Span
	Declare bool
	Const   bool
	ID      *Identifier
	Members []*TSEnumMember
}

// TSEnumMember is one member of an enum. Name is the member's name; Init may
// be nil.
type TSEnumMember struct {
	Span
	Name string
	Init Expr
}

// TSModuleDeclaration is namespace A.B { … }, module "m" { … } or declare
// global { … }. TypeOnly: it declares no values and is erased (always so with
// Declare). Path has one name for each part; it is empty for a module with a
// string name and for global.
type TSModuleDeclaration struct {
	Span
	Declare  bool
	TypeOnly bool
	Global   bool
	Path     []*Identifier
	Name     *StringLiteral
	Body     []Stmt
	BodySpan Span
	// UseStrict: the body begins with that directive.
	UseStrict bool

	valueless bool // it has types only
}

// TSImportEqualsDeclaration is import a = require("m") (Require) or
// import a = B.c (Path).
type TSImportEqualsDeclaration struct {
	Span
	TypeOnly bool
	Export   bool
	ID       *Identifier
	Require  *StringLiteral
	Path     []*Identifier
}

// TSExportAssignment is export = e. TypeOnly: e is a type, and it is erased.
type TSExportAssignment struct {
	Span
	TypeOnly   bool
	Expression Expr
}

// TSNamespaceExport is export as namespace N; it is erased.
type TSNamespaceExport struct {
	Span
	ID *Identifier
}

// TSIndexSignature is [key: K]: V in a class; it is erased.
type TSIndexSignature struct {
	Span
	Static bool
}
