package syntax

// Span is a range of byte offsets [Start, End) in the source text.
type Span struct{ Start, End int32 }

// Range returns the span itself; with Span embedded it is what makes a node's
// place readable through the Node interface.
func (s Span) Range() Span { return s }

// Node is anything in the tree. All nodes are pointers to structs.
type Node interface {
	Range() Span
}

// Expr is an expression. Super (only as callee or object of a member access),
// SpreadElement (only in arguments and array literals) and PrivateIdentifier
// (only left of `in` and as a property) are expressions too, as in ESTree.
// Patterns that stand left of an assignment are Pattern, not Expr.
//
// There is no node for parentheses: spans of expressions exclude them, and the
// places where parentheses change the meaning are marked (ChainExpression,
// AssignmentExpression.LeftParen, AssignmentPattern.LeftParen).
type Expr interface {
	Node
	exprNode()
}

// Stmt is a statement, a declaration or a module item.
type Stmt interface {
	Node
	stmtNode()
}

// Pattern is a binding or assignment target: *Identifier, *ObjectPattern,
// *ArrayPattern, *AssignmentPattern (target with default), *RestElement, and
// in assignments *MemberExpression. Under Annex B's web compatibility rule a
// *CallExpression may stand as the target of `=`, an update or for-in/of in
// sloppy code (it throws a ReferenceError when evaluated). In TypeScript a
// target may be wrapped: *TSAsExpression, *TSNonNullExpression, ….
type Pattern interface {
	Node
	patternNode()
}

// ---- Identifiers and literals ----

// Identifier is a reference, a binding, a label or a plain property name. Name
// is unescaped.
type Identifier struct {
	Span
	Name string
}

// PrivateIdentifier is `#name`; Name is without the `#`.
type PrivateIdentifier struct {
	Span
	Name string
}

// StringLiteral holds its value in WTF-8: lone surrogates as three bytes
// ED xx xx, valid pairs always combined.
type StringLiteral struct {
	Span
	Value string
}

// NumericLiteral is a Number literal.
type NumericLiteral struct {
	Span
	Value float64
}

// BigIntLiteral holds the digits without separators and without the `n`:
// decimal, or with a lower-case prefix 0x, 0o, 0b.
type BigIntLiteral struct {
	Span
	Digits string
}

// BooleanLiteral is true or false.
type BooleanLiteral struct {
	Span
	Value bool
}

// NullLiteral is null.
type NullLiteral struct{ Span }

// RegExpLiteral is a regular expression literal, pattern and flags as written.
type RegExpLiteral struct {
	Span
	Pattern, Flags string
}

// TemplateElement is one literal chunk of a template. Raw has CR and CRLF
// turned into LF. Cooked is undefined when Invalid (only in tagged templates).
type TemplateElement struct {
	Span
	Cooked, Raw string
	Invalid     bool
}

// TemplateLiteral has one more quasi than expressions.
type TemplateLiteral struct {
	Span
	Quasis      []*TemplateElement
	Expressions []Expr
}

// TaggedTemplateExpression is tag`…`.
type TaggedTemplateExpression struct {
	Span
	Tag      Expr
	TypeArgs *TSTypeArguments
	Quasi    *TemplateLiteral
}

// ---- Primary expressions ----

// ThisExpression is `this`.
type ThisExpression struct{ Span }

// Super is `super`, as MemberExpression.Object or CallExpression.Callee.
type Super struct{ Span }

// ArrayExpression is an array literal; a nil element is a hole. Spread
// elements are *SpreadElement.
type ArrayExpression struct {
	Span
	Elements []Expr
}

// SpreadElement is `...e` in an array literal or in arguments.
type SpreadElement struct {
	Span
	Argument Expr
}

// PropertyKind says what a Property of an object literal is.
type PropertyKind uint8

// The kinds of properties.
const (
	PropInit   PropertyKind = iota // key: value, or shorthand
	PropGet                        // get key() {}
	PropSet                        // set key(v) {}
	PropMethod                     // key() {}, async, generator
	PropSpread                     // ...value
)

// Property is one property of an object literal. Key is *Identifier (a plain
// name), *StringLiteral, *NumericLiteral, *BigIntLiteral, or any expression if
// Computed. For get, set and method the value is a *FunctionExpression.
type Property struct {
	Span
	Kind      PropertyKind
	Computed  bool
	Shorthand bool
	Proto     bool // `__proto__: v`, which sets the prototype (13.2.5.5)
	Optional  bool // `key?: v`, only in examples (Options.Examples)
	Key       Expr // nil for spread
	Value     Expr
}

// ObjectExpression is an object literal.
type ObjectExpression struct {
	Span
	Properties []*Property
}

// FunctionExpression is a function expression, or the function of a method.
type FunctionExpression struct {
	Span
	Func *Function
}

// ArrowFunctionExpression is an arrow function.
type ArrowFunctionExpression struct {
	Span
	Func *Function
}

// ClassExpression is a class expression.
type ClassExpression struct {
	Span
	Class *Class
}

// MetaKind says which meta property it is.
type MetaKind uint8

// The meta properties.
const (
	NewTarget MetaKind = iota
	ImportMeta
)

// MetaProperty is new.target or import.meta.
type MetaProperty struct {
	Span
	Kind MetaKind
}

// ImportPhase is the phase of an import.
type ImportPhase uint8

// The phases: the ordinary one, `import defer`, `import source`.
const (
	PhaseEvaluation ImportPhase = iota
	PhaseDefer
	PhaseSource
)

// ImportExpression is import(source, options).
type ImportExpression struct {
	Span
	Phase   ImportPhase
	Source  Expr
	Options Expr // may be nil
}

// ---- Operators ----

// UnaryExpression has one of the operators - + ! ~ typeof void delete.
type UnaryExpression struct {
	Span
	Operator Op
	Argument Expr
}

// UpdateExpression is ++ or --.
type UpdateExpression struct {
	Span
	Operator Op // OpInc or OpDec
	Prefix   bool
	Argument Pattern // *Identifier, *MemberExpression, or Annex B's *CallExpression
}

// BinaryExpression has an arithmetic, relational or bitwise operator. For
// OpIn the left side may be a *PrivateIdentifier.
type BinaryExpression struct {
	Span
	Operator    Op
	OpPos       int32 // where the operator stands
	Left, Right Expr
}

// LogicalExpression has && || or ??.
type LogicalExpression struct {
	Span
	Operator    Op
	OpPos       int32
	Left, Right Expr
}

// AssignmentExpression is an assignment. Operator is OpAssign for plain `=`,
// else the operator combined with it (OpAdd for +=, OpLogicalAnd for &&=).
// LeftParen: the target was written in parentheses, so no name is given to an
// anonymous function on the right.
type AssignmentExpression struct {
	Span
	Operator  Op
	LeftParen bool
	OpPos     int32
	Left      Pattern
	Right     Expr
}

// ConditionalExpression is test ? consequent : alternate.
type ConditionalExpression struct {
	Span
	Test, Consequent, Alternate Expr
}

// SequenceExpression is a, b, c.
type SequenceExpression struct {
	Span
	Expressions []Expr
}

// CallExpression is a call. Callee is *Super for super(…). Optional: the call
// itself is written `?.(`. DirectEval: the callee is the identifier eval (also
// in parentheses) and the call isn't optional; whether it is a direct eval
// depends on the value at run time.
type CallExpression struct {
	Span
	Optional   bool
	DirectEval bool
	Callee     Expr
	TypeArgs   *TSTypeArguments
	Arguments  []Expr
	ArgsStart  int32 // offset of the opening parenthesis
}

// NewExpression is new callee(arguments).
type NewExpression struct {
	Span
	Callee    Expr
	TypeArgs  *TSTypeArguments
	Arguments []Expr
}

// MemberExpression is object.property, object[property] or object.#private.
// Property is an *Identifier (a plain name) or a *PrivateIdentifier unless
// Computed. Optional: written with `?.`.
type MemberExpression struct {
	Span
	Computed bool
	Optional bool
	Object   Expr
	Property Expr
}

// ChainExpression wraps a whole optional chain, as in ESTree: the links inside
// it are Member- and CallExpressions, some with Optional set; when one of those
// finds null or undefined, the ChainExpression as a whole is undefined. It ends
// where the chain ends: (a?.b).c is a MemberExpression of a ChainExpression,
// a?.b.c is one ChainExpression.
type ChainExpression struct {
	Span
	Expression Expr
}

// YieldExpression is yield or yield*.
type YieldExpression struct {
	Span
	Delegate bool
	Argument Expr // may be nil
}

// AwaitExpression is await e.
type AwaitExpression struct {
	Span
	Argument Expr
}

// ---- Patterns ----

// ObjectPattern is { a, b: c, ...d }.
type ObjectPattern struct {
	Span
	Properties []*AssignmentProperty
	Rest       *RestElement // may be nil
}

// AssignmentProperty is one property of an object pattern. Value is an
// *AssignmentPattern when there is a default.
type AssignmentProperty struct {
	Span
	Computed  bool
	Shorthand bool
	Key       Expr
	Value     Pattern
}

// ArrayPattern is [a, , b = 1, ...c]; a nil element is a hole, the last may be
// a *RestElement.
type ArrayPattern struct {
	Span
	Elements []Pattern
}

// AssignmentPattern is a target with a default.
type AssignmentPattern struct {
	Span
	LeftParen bool // see AssignmentExpression
	Left      Pattern
	Right     Expr
}

// RestElement is ...target.
type RestElement struct {
	Span
	Argument Pattern
}

// ---- Functions and classes ----

// FunctionKind says what a Function is.
type FunctionKind uint8

// The kinds of functions. Async and Generator are separate.
const (
	FuncNormal             FunctionKind = iota // function declaration or expression
	FuncArrow                                  // arrow function
	FuncMethod                                 // method of an object literal or class
	FuncGetter                                 // get accessor
	FuncSetter                                 // set accessor
	FuncConstructor                            // constructor of a base class
	FuncDerivedConstructor                     // constructor of a class with extends
	FuncStaticBlock                            // class static block (synthetic)
	FuncFieldInit                              // initializer of a field: ExprBody (synthetic)
)

// Function is shared by declarations, expressions, arrows, methods, accessors,
// constructors, class static blocks and field initializers. Its span is its
// source text (toString): for a method from the first modifier to the brace.
//
// The Uses… and Contains… flags of arrows are also set on the functions around
// them up to and including the nearest one that isn't an arrow, since that one
// supplies the value. Static blocks and field initializers are not arrows.
type Function struct {
	Span
	Kind      FunctionKind
	Async     bool
	Generator bool
	Strict    bool // the function's code is strict
	// SimpleParams: only plain identifiers, no defaults, rest or patterns.
	SimpleParams bool
	// UseStrict: the body has its own "use strict".
	UseStrict bool

	UsesArguments bool // mentions `arguments` as a reference
	UsesThis      bool // mentions `this`, or super (which needs it)
	UsesSuperProp bool // super.x or super[x]
	UsesSuperCall bool // super(…)
	UsesNewTarget bool // new.target
	ContainsAwait bool // an await expression, for await or await using of its own (not of nested functions)
	ContainsYield bool // a yield expression of its own
	ContainsWith  bool // a with statement in it or in an arrow in it
	// HasDirectEval: a call eval(…) in it or in an arrow in it.
	HasDirectEval bool
	// InnerEval: a call eval(…) at any depth in it, nested functions of every
	// kind included. Its variables may be named by that code.
	InnerEval bool
	// InnerWith: a with statement at any depth.
	InnerWith bool

	ID         *Identifier // nil if anonymous
	Params     []Pattern   // Identifier, patterns, AssignmentPattern for defaults, RestElement last
	ParamsSpan Span        // of the parentheses (or the lone identifier)
	Body       []Stmt      // statements, directives included
	BodySpan   Span        // of the braces, or of ExprBody
	ExprBody   Expr        // arrow with expression body, or field initializer; Body is nil then
	Directives []*Directive

	// TypeScript. Sig is nil where no type syntax was written.
	Sig *FunctionSig

	// Examples is set with Options.Examples, of declarations.
	Examples *ExampleSig
}

// FunctionSig is the type syntax of a function.
type FunctionSig struct {
	TypeParams *TSTypeParameters
	This       *TSParam  // a leading `this: T` parameter, not in Params
	Params     []TSParam // as long as Function.Params
	Return     TSType    // may be nil
}

// TSParam is the type syntax of one parameter.
type TSParam struct {
	Span                       // from the first modifier or decorator to the end
	Decorators    []*Decorator // non-erasable
	Optional      bool         // `?`
	Accessibility TSModifier   // public, private, protected
	Modifiers     TSModifier   // readonly, override
	Type          TSType       // may be nil
}

// Length returns the number of parameters before the first default or rest
// (ExpectedArgumentCount, 15.1.5).
func (f *Function) Length() int {
	for i, p := range f.Params {
		switch p.(type) {
		case *AssignmentPattern, *RestElement:
			return i
		}
	}
	return len(f.Params)
}

// Directive is one member of a directive prologue; Raw is the text between the
// quotes as written.
type Directive struct {
	Span
	Raw string
}

// Class is shared by class declarations and expressions.
type Class struct {
	Span
	ID          *Identifier // may be nil
	SuperClass  Expr        // may be nil
	BodySpan    Span
	Members     []ClassMember
	Constructor *MethodDefinition // nil if not written; also in Members
	Decorators  []*Decorator
	// HasPrivate: declares at least one private name.
	HasPrivate bool
	// HasInstanceFields, HasStaticElements: what there is to initialise.
	HasInstanceFields bool
	HasStaticElements bool
	// HasDirectEval: a call eval(…) at any depth in the class, heritage and
	// computed keys included.
	HasDirectEval bool

	// TypeScript.
	Abstract      bool
	TypeParams    *TSTypeParameters
	SuperTypeArgs *TSTypeArguments
	Implements    []TSType
}

// ClassMember is *MethodDefinition, *PropertyDefinition, *StaticBlock, or, in
// TypeScript, *TSIndexSignature.
type ClassMember interface {
	Node
	classMember()
}

// MethodKind says what a MethodDefinition is.
type MethodKind uint8

// The kinds of methods.
const (
	MethodMethod MethodKind = iota
	MethodGet
	MethodSet
	MethodConstructor
)

// MethodDefinition is a method, accessor or constructor. Key is *Identifier,
// *StringLiteral, *NumericLiteral, *BigIntLiteral, *PrivateIdentifier, or any
// expression if Computed. Func is nil for TypeScript signatures without a body
// (overloads, abstract methods): these are erased.
type MethodDefinition struct {
	Span
	Kind       MethodKind
	Static     bool
	Computed   bool
	Key        Expr
	Func       *Function
	Decorators []*Decorator
	Modifiers  TSModifier
	Optional   bool
}

// PropertyDefinition is a field. Init is nil when it has no initializer, else
// a synthetic function of kind FuncFieldInit whose ExprBody is the initializer.
// Accessor: declared with `accessor`. With TSDeclare or TSAbstract in Modifiers
// it is erased.
type PropertyDefinition struct {
	Span
	Static     bool
	Computed   bool
	Accessor   bool
	Key        Expr
	Init       *Function
	Decorators []*Decorator
	Modifiers  TSModifier
	Optional   bool
	Definite   bool
	Type       TSType
}

// StaticBlock is a class static block, a synthetic function of kind
// FuncStaticBlock.
type StaticBlock struct {
	Span
	Func *Function
}

// Decorator is @expression.
type Decorator struct {
	Span
	Expression Expr
}

// ---- Statements ----

// ExpressionStatement is an expression as a statement. Directive is set for
// the members of a directive prologue.
type ExpressionStatement struct {
	Span
	Expression Expr
	Directive  bool
}

// BlockStatement is { … }.
type BlockStatement struct {
	Span
	Body []Stmt
}

// EmptyStatement is a lone semicolon.
type EmptyStatement struct{ Span }

// DebuggerStatement is debugger.
type DebuggerStatement struct{ Span }

// WithStatement is with (object) body.
type WithStatement struct {
	Span
	Object Expr
	Body   Stmt
}

// ReturnStatement is return.
type ReturnStatement struct {
	Span
	Argument Expr // may be nil
}

// LabeledStatement is label: body.
type LabeledStatement struct {
	Span
	Label *Identifier
	Body  Stmt
}

// BreakStatement is break.
type BreakStatement struct {
	Span
	Label *Identifier // may be nil
}

// ContinueStatement is continue.
type ContinueStatement struct {
	Span
	Label *Identifier // may be nil
}

// IfStatement is if. Under Annex B a branch may be a *FunctionDeclaration in
// sloppy code; it is evaluated as if it stood in a block of its own.
type IfStatement struct {
	Span
	Test       Expr
	Consequent Stmt
	Alternate  Stmt // may be nil
}

// SwitchStatement is switch. The cases share one block scope.
type SwitchStatement struct {
	Span
	Discriminant Expr
	Cases        []*SwitchCase
}

// SwitchCase is one clause; Test is nil for default.
type SwitchCase struct {
	Span
	Test       Expr
	Consequent []Stmt
}

// ThrowStatement is throw.
type ThrowStatement struct {
	Span
	Argument Expr
}

// TryStatement is try.
type TryStatement struct {
	Span
	Block     *BlockStatement
	Handler   *CatchClause    // may be nil
	Finalizer *BlockStatement // may be nil
}

// CatchClause is catch.
type CatchClause struct {
	Span
	Param     Pattern // nil for `catch {`
	ParamType TSType
	Body      *BlockStatement
}

// WhileStatement is while.
type WhileStatement struct {
	Span
	Test Expr
	Body Stmt
}

// DoWhileStatement is do … while.
type DoWhileStatement struct {
	Span
	Body Stmt
	Test Expr
}

// ForStatement is for (init; test; update). Init is nil, a
// *VariableDeclaration or an *ExpressionStatement.
type ForStatement struct {
	Span
	Init   Stmt
	Test   Expr // may be nil
	Update Expr // may be nil
	Body   Stmt
}

// ForInStatement is for (left in right). Left is a *VariableDeclaration with
// one declarator (with an initializer only in Annex B's `for (var a = 1 in o)`)
// or a Pattern.
type ForInStatement struct {
	Span
	Left  Node
	Right Expr
	Body  Stmt
}

// ForOfStatement is for (left of right) or for await. Left as in
// ForInStatement, without initializer.
type ForOfStatement struct {
	Span
	Await bool
	Left  Node
	Right Expr
	Body  Stmt
}

// DeclKind is the keyword of a VariableDeclaration.
type DeclKind uint8

// The kinds of declarations.
const (
	DeclVar DeclKind = iota
	DeclLet
	DeclConst
	DeclUsing
	DeclAwaitUsing
)

var declKindNames = [...]string{"var", "let", "const", "using", "await using"}

// String returns the keyword.
func (k DeclKind) String() string { return declKindNames[k] }

// VariableDeclaration is var, let, const, using or await using. Declare marks
// TypeScript's `declare`, which is erased.
type VariableDeclaration struct {
	Span
	Kind         DeclKind
	Declare      bool
	Declarations []*VariableDeclarator
}

// VariableDeclarator is one binding of a VariableDeclaration.
type VariableDeclarator struct {
	Span
	ID       Pattern
	Init     Expr // may be nil
	Definite bool // TypeScript's `!`
	Type     TSType
}

// FunctionDeclaration is a function declaration. In a block of sloppy code
// (B.3.2) AnnexBHoist says that it also makes a var binding in the function or
// script around it: replacing it by a var would be no early error and no
// parameter has that name. ID is nil only in export default.
type FunctionDeclaration struct {
	Span
	Func        *Function
	AnnexBHoist bool
}

// ClassDeclaration is a class declaration. Declare marks TypeScript's
// `declare class`, which is erased. ID is nil only in export default.
type ClassDeclaration struct {
	Span
	Class   *Class
	Declare bool
}

// ---- Modules ----

// ModuleName is the name of an import or export: an identifier name, or a
// string.
type ModuleName struct {
	Span
	Name   string
	String bool
}

// ImportAttribute is one key: "value" of `with { … }`.
type ImportAttribute struct {
	Span
	Key   string
	Value string
}

// ImportDeclaration is an import declaration.
type ImportDeclaration struct {
	Span
	Phase      ImportPhase
	TypeOnly   bool        // import type …
	Default    *Identifier // import d
	Namespace  *Identifier // import * as n
	Named      []*ImportSpecifier
	HasNamed   bool // braces were written, maybe empty
	Source     *StringLiteral
	Attributes []*ImportAttribute
}

// ImportSpecifier is one name in braces.
type ImportSpecifier struct {
	Span
	TypeOnly bool
	Imported ModuleName
	Local    *Identifier
}

// ExportNamedDeclaration is export { … }, export { … } from, or export of a
// declaration.
type ExportNamedDeclaration struct {
	Span
	TypeOnly    bool
	Declaration Stmt // may be nil
	Specifiers  []*ExportSpecifier
	Source      *StringLiteral // may be nil
	Attributes  []*ImportAttribute
}

// ExportSpecifier is local as exported. With a source, Local is a name of that
// module.
type ExportSpecifier struct {
	Span
	TypeOnly bool
	Local    ModuleName
	Exported ModuleName
}

// ExportDefaultDeclaration is export default. Exactly one of Declaration
// (*FunctionDeclaration or *ClassDeclaration, maybe without ID) and Expression
// is set.
type ExportDefaultDeclaration struct {
	Span
	Declaration Stmt
	Expression  Expr
}

// ExportAllDeclaration is export * from or export * as name from.
type ExportAllDeclaration struct {
	Span
	TypeOnly   bool
	Exported   *ModuleName // may be nil
	Source     *StringLiteral
	Attributes []*ImportAttribute
}

// ---- Program ----

// Goal is the grammar's start symbol.
type Goal uint8

// The goals.
const (
	Script Goal = iota
	Module
	// FunctionBody is the body of an async function: top-level await and
	// return are allowed.
	FunctionBody
	// Eval is the text of a direct or indirect eval: a script whose context is
	// given by the Options.
	Eval
)

// Program is a parsed source text. For ParseFunction, Body holds one
// ExpressionStatement with the function. Func carries the flags of the
// top-level code (UsesThis, HasDirectEval, Strict, …), with Params empty and
// Body the same statements.
type Program struct {
	Span
	Name       string
	Source     string
	Goal       Goal
	Strict     bool
	TypeScript bool
	Body       []Stmt
	Directives []*Directive
	Hashbang   Span // empty if none; includes the #!
	Func       *Function

	// LoneExpression is set by ParseExpressionOrBody when the whole text is one
	// expression; Body then holds it as one ExpressionStatement.
	LoneExpression Expr

	// HasTopLevelAwait: an await expression, for await or await using outside
	// of functions.
	HasTopLevelAwait bool

	// Module records (16.2.1.6): types excluded.
	Requests        []ModuleRequest
	Imports         []ImportEntry
	LocalExports    []ExportEntry
	IndirectExports []ExportEntry
	StarExports     []ExportEntry

	// Erased lists, in order of Start, the ranges that are only types.
	Erased []ErasedSpan
	// NonErasable lists the TypeScript constructs that need code.
	NonErasable []NonErasable

	lines *LineTable
}

// Lines returns the line table of the source.
func (p *Program) Lines() *LineTable { return p.lines }

// ModuleRequest is one module that is imported or exported from.
type ModuleRequest struct {
	Specifier  string
	Phase      ImportPhase
	Attributes []*ImportAttribute
	Span       Span // of the specifier
}

// ImportEntry is an ImportEntry Record. ImportName is empty with Namespace.
type ImportEntry struct {
	Request    int // index into Program.Requests
	ImportName string
	Namespace  bool
	Source     bool // the module source object
	LocalName  string
	Span       Span
}

// ExportEntry is an ExportEntry Record. Request is -1 for local exports.
// ImportName is empty for star exports (`export *`), and with Namespace
// (`export * as n from`).
type ExportEntry struct {
	Request    int
	ImportName string
	Namespace  bool
	LocalName  string // "*default*" for an anonymous default
	ExportName string
	Span       Span
}

// ErasedSpan is a range of source that is type syntax only.
type ErasedSpan struct {
	Span
	// Statement: a whole statement vanishes, so that the lines around it could
	// merge; an eraser leaves a `;` in the gap.
	Statement bool
	// ArrowReturn: an arrow's return type; if it spans lines, the arrow has to
	// stay on the line of the closing parenthesis.
	ArrowReturn bool
}

// NonErasable is a TypeScript construct that can't be removed without
// changing what the program does.
type NonErasable struct {
	Span
	Construct string // "enum", "namespace", "parameter property", "import =", "export =", "type assertion", "decorator", "parameter decorator"
	Hint      string // the rewrite to offer
}
