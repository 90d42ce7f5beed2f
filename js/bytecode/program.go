package bytecode

import (
	"sort"

	"github.com/pinfold-js/pinfold/js/syntax"
)

// ConstKind says what a constant is.
type ConstKind uint8

// Kinds of constants.
const (
	ConstNumber ConstKind = iota
	ConstString
	ConstBigInt
)

// Const is a constant of a program; the interpreter materialises it in the
// run's heap on first use.
type Const struct {
	Kind ConstKind
	Num  float64
	Str  string // WTF-8; for BigInt the literal's digits with its radix prefix
}

// Flags of a Function.
type Flags uint32

// Function flags.
const (
	FlagStrict Flags = 1 << iota
	FlagArrow
	FlagAsync
	FlagGenerator
	FlagMethod           // methods and accessors: no [[Construct]], no prototype
	FlagClassConstructor // [[Call]] throws; the closure gets its prototype from op Class
	FlagDerived          // derived class constructor
	FlagArgsArray        // the interpreter puts an Array of all arguments into ArgsReg
	FlagSimpleParams
	FlagModule      // the body of a module
	FlagTopLevel    // body of a script, module or function-body program
	FlagFieldInit   // synthetic field initialiser or static block
	FlagNoPrototype // not a constructor: arrows, methods, async functions
	FlagSloppyThis  // sloppy function that reads this: begins with BoxThis
	FlagEval        // eval code
)

// Function is the code of one function.
type Function struct {
	Name      string // WTF-8; SetFuncName may override at run time
	Inferred  string // what a stack calls a function without a name
	Flags     Flags
	Index     int // in Program.Funcs
	Length    int // the "length" property
	NumParams int // registers r2… that receive arguments
	NumRegs   int
	ArgsReg   uint16

	Code        []Instr
	Funcs       []int32 // indices into Program.Funcs
	ICs         []ICSite
	Handlers    []Handler  // inner ones first
	Positions   []Position // ascending PC
	TDZNames    []TDZName  // ascending PC
	Spans       []Span     // ascending PC; for calls and iterations
	Texts       []string   // of Spans
	StrictCode  [][2]int32 // instructions of a sloppy function that are strict code: parts of classes
	Templates   []TemplateSite
	Switches    [][]int32 // absolute targets, by case number
	MappedSlots []uint16  // for MappedArguments: environment slot of parameter i, None if not mapped
	EvalScopes  []*Scope
	Debug       *Debug // of programs compiled with tracing

	Start, End int32 // span in the source, for toString
}

// ICSite names the property an inline cache is for.
type ICSite struct {
	Name uint32 // index into Program.Consts, a string
}

// Handler catches exceptions thrown by instructions in [From, To).
type Handler struct {
	From, To, Target int32
	Reg              uint16 // receives the exception
}

// Position maps instructions from PC on to a source offset.
type Position struct {
	PC     int32
	Offset int32 // what a report points at
	Stack  int32 // what a stack shows
}

// TDZName gives the variable that the instruction at PC reads or writes.
type TDZName struct {
	PC   int32
	Name uint32 // index into Program.Consts
}

// TemplateSite is one tagged template: the template object is made once per
// site and realm.
type TemplateSite struct {
	Cooked []int64 // index into Program.Consts, -1 = undefined
	Raw    []int64
}

// ErrorKind selects an error constructor for ThrowError.
type ErrorKind uint16

// Error constructors.
const (
	ErrError ErrorKind = iota
	ErrType
	ErrRange
	ErrReference
	ErrSyntax
	ErrEval
	ErrURI
)

// Scope describes an environment to code that is compiled later, inside it:
// direct eval. Scopes correspond one to one to the environments of the chain,
// innermost first.
type Scope struct {
	Parent   *Scope
	Bindings []Binding
	// Function scopes mark where a sloppy eval's var declarations go.
	FunctionScope bool
	// VarObjSlot is the slot that holds the eval variable object (or
	// undefined) of a function scope with a sloppy direct eval; -1 if none.
	VarObjSlot int
	// WithSlot is the slot that holds a with statement's object; -1 if none.
	WithSlot int
	// What the code may say: valid on the innermost scope of a chain.
	Context EvalContext
}

// Binding is one name of a Scope. Pseudo-names hold what eval code needs
// besides variables: "%this" (undefined in a derived constructor before
// super() returns), "%newtarget", "%home" and "%shome" (home objects of a
// class's prototype and static elements), "%fn" (the active function, for super
// calls), "%fields" (the function that initialises an instance's fields, or
// undefined) and "#x" private names.
type Binding struct {
	Name    string
	Slot    int
	Const   bool // assignment throws TypeError
	Soft    bool // assignment is ignored in sloppy code (a named function expression's own name)
	Lexical bool // let, const, class: conflicts with a var of the same name in eval code
	Getter  bool // an import: the slot holds a function that returns the value
}

// EvalContext is what a direct eval inherits from where it stands.
type EvalContext struct {
	Strict        bool
	NewTarget     bool // new.target is allowed
	SuperProperty bool
	SuperCall     bool
	FieldInit     bool // `arguments` is a SyntaxError
	InParams      bool // in parameter expressions: var declarations may not conflict with parameters
	StaticHome    bool // in a static element of a class: the home object is "%shome", not "%home"
}

// Program is compiled source, immutable.
type Program struct {
	Name   string // file name as the host gave it
	Source string // WTF-8
	Goal   syntax.Goal
	Lines  *syntax.LineTable
	Funcs  []*Function // Funcs[0] is the body
	Consts []Const

	// DebugScopes are the scopes of the source, in programs compiled with tracing.
	DebugScopes []DebugScope

	// Scripts: what GlobalDeclarationInstantiation needs.
	GlobalVars  []string
	GlobalFuncs []GlobalFunc
	// GlobalHoists are the functions in blocks that Annex B makes global
	// variables of, unless something stands in the way.
	GlobalHoists []string
	GlobalLex    []GlobalLex
	// Eval code: its var names and functions go to the variable object or
	// the global object; strict eval code has none.
	EvalVars bool

	// Modules.
	Requests []ModuleRequest
	Imports  []Import
	Exports  []Export
	EnvSlots int // slots of the module environment, which Funcs[0] is entered with as its closure environment
	EnvNames []Binding
	HasTLA   bool
	// Init is the index of a function that the linker calls once when the
	// module is instantiated, with the module environment as its closure
	// environment: it sets variables to undefined and makes the hoisted
	// functions. 0 if there is none.
	Init int
}

// GlobalFunc is a top-level function declaration of a script: the closure is
// made over the global environment.
type GlobalFunc struct {
	Name string
	Func int32
}

// GlobalLex is a top-level let, const or class of a script.
type GlobalLex struct {
	Name  string
	Const bool
}

// ModuleRequest is one specifier a module asks for, with its attributes.
type ModuleRequest struct {
	Specifier  string
	Attributes [][2]string
	Phase      syntax.ImportPhase
	Offset     int32
}

// Import is one imported binding, the namespace object, or the module source
// object.
type Import struct {
	Request   int
	Name      string
	Local     string
	Namespace bool
	Source    bool
	Offset    int32
}

// Export is one export entry. A local export has Slot ≥ 0; an indirect one
// (export {x} from, export * from) has Request ≥ 0; a re-exported import has
// Import ≥ 0.
type Export struct {
	Name      string
	Slot      int
	Request   int
	Import    int
	From      string // name in the requested module
	Star      bool   // export * from
	Namespace bool   // export * as name from
	Offset    int32
}

// PositionOf returns the source offset of the instruction at pc.
func (f *Function) PositionOf(pc int) int {
	lo, hi := 0, len(f.Positions)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(f.Positions[mid].PC) <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return int(f.Start)
	}
	return int(f.Positions[lo-1].Offset)
}

// StackPositionOf is PositionOf for the text of a stack.
func (f *Function) StackPositionOf(pc int) int {
	i := sort.Search(len(f.Positions), func(i int) bool { return int(f.Positions[i].PC) > pc })
	if i == 0 {
		return int(f.Start)
	}
	return int(f.Positions[i-1].Stack)
}

// Span is the text of the expression that an instruction calls, constructs or
// iterates: messages quote it ("a.b is not a function"). It is the source text
// from Start to End, or, when Text isn't 0, Texts[Text-1].
type Span struct {
	PC         int32
	Start, End int32
	Text       int32
	Call       bool // a call, whose value is iterated
}

// SpanOf returns the span recorded for the instruction at pc.
func (f *Function) SpanOf(pc int) (s Span, ok bool) {
	lo, hi := 0, len(f.Spans)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(f.Spans[mid].PC) < pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(f.Spans) && int(f.Spans[lo].PC) == pc {
		return f.Spans[lo], true
	}
	return Span{}, false
}
