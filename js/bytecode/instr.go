package bytecode

// An Instr is one instruction: eight bytes. A, B and C are register numbers
// unless the Op's comment says otherwise.
type Instr struct {
	Op      Op
	F       uint8
	A, B, C uint16
}

// None in an operand that names a register or an inline cache means that there
// is none.
const None = 0xFFFF

// BC reads B and C as one unsigned number: constant indices and jump targets
// (absolute instruction indices).
func (i Instr) BC() uint32 { return uint32(i.B) | uint32(i.C)<<16 }

// Wide makes an instruction whose B and C hold one 32-bit number.
func Wide(op Op, a uint16, bc uint32) Instr {
	return Instr{Op: op, A: a, B: uint16(bc), C: uint16(bc >> 16)}
}

// ABC makes an instruction.
func ABC(op Op, a, b, c uint16) Instr { return Instr{Op: op, A: a, B: b, C: c} }

// Op is an operation code.
type Op uint8

// "skip": the instruction after this one is always a Jump; the interpreter
// runs it in the case that is named and skips it otherwise.
//
// imm: a signed 16-bit number. K: index into Program.Consts. IC: index into
// Function.ICs, which names the property; IC may not be None unless said.
const (
	Nop  Op = iota
	Fuel    // charge BC units (with F unused)

	// Loads.
	LoadK     // A = constant BC
	LoadInt   // A = int32(BC)
	LoadUndef // A = undefined; B says why, for tracing: see UndefLiteral
	LoadNull
	LoadTrue
	LoadFalse
	LoadEmpty     // A = Empty, the temporal dead zone's mark
	Move          // A = B
	LoadNewTarget // A = new.target of this call
	LoadGlobalThis
	CheckTDZ  // if A is Empty: ReferenceError "Cannot access 'K(BC)' before initialization"
	CheckThis // if A is Empty: ReferenceError "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"

	// Environments. Reading or writing (Ck forms) an Empty slot throws the
	// TDZ ReferenceError; the name comes from Function.TDZNames.
	NewEnv     // A = new environment with C slots (all Empty), parent = env in B, or the closure environment when B is None
	CopyEnv    // A = copy of the environment in A (a loop's next iteration)
	GetEnv     // A = slot C of the environment in B; TDZ check
	SetEnv     // slot C of the environment in B = A; no check (initialisation)
	SetEnvCk   // the same with TDZ check (assignment)
	GetOuter   // A = slot C of the closure environment's B-th ancestor (0 = itself); TDZ check
	SetOuter   // slot C of the B-th ancestor = A; no check
	SetOuterCk // with TDZ check
	OuterEnv   // A = the closure environment's B-th ancestor, as an environment

	// Globals: a script's global lexical declarations first, then the global object.
	GetGlobal     // A = global IC(C); ReferenceError "x is not defined"
	GetGlobalSoft // A = global IC(C) or undefined (typeof)
	SetGlobal     // global IC(C) = A; honours strictness; const → TypeError, TDZ → ReferenceError
	InitGlobalLex // initialises the global lexical binding IC(C) with A
	HasGlobal     // A = whether a global binding IC(C) exists (strict-mode assignment resolves before the right side)
	SetGlobalVar  // property IC(C) of the global object = A, unless a lexical declaration has the name: functions that Annex B hoists
	SetGlobalIf   // global IC(C) = A, where B holds HasGlobal's answer from before: false and strict → ReferenceError
	DeleteGlobal  // A = result of deleting the global binding IC(C) (sloppy delete x)

	// Dynamic scopes: `with` objects and variables that a sloppy direct eval
	// declares. The object is in B; undefined in B means "no object yet".
	DynHas     // A = whether object B has the name K of IC(C), and, for with objects, @@unscopables doesn't hide it
	DynHasVar  // the same for an eval variable object: no @@unscopables
	WithObj    // A = ToObject(B) for with
	EvalVarObj // A = the eval variable object in slot C of the environment in B, made when missing

	// Properties.
	GetProp       // A = B.name, name from IC(C)
	SetProp       // A.name = B, name from IC(C); honours Function strictness
	GetElem       // A = B[C]
	SetElem       // A[B] = C
	GetMethod     // A+1 = B, A = B.name, name from IC(C): callee and this for a Call at base A. B may be A+1
	GetMethodElem // A+1 = B, A = B[C]
	GetLength     // A = B.length, IC(C) names "length"
	DeleteProp    // A = delete B[C]; strict → TypeError when false
	In            // A = B in C
	InstanceOf    // A = B instanceof C
	GetSuper      // A = super[C]: the home object's [[Prototype]] in B, this in B+1
	SetSuper      // super[C] = A: the home object's [[Prototype]] in B, this in B+1
	HomeProto     // A = the [[Prototype]] of home object B, or of the active function, for super calls

	// Private names. A private name is an internal symbol, held like any variable.
	PrivateName       // A = new private name described by constant BC
	GetPrivate        // A = B.#C
	SetPrivate        // A.#B = C
	HasPrivate        // A = whether #B in C (C not an object → TypeError)
	InitPrivate       // adds field A.#B = C; TypeError when there already
	InitPrivateMethod // adds method A.#B = C, not writable
	InitPrivateGetter // adds accessor part to A.#B
	InitPrivateSetter

	// Object and array literals, classes.
	NewObject   // A = {}
	NewArray    // A = [] with room for BC elements
	ArrayPush   // append B to array A
	ArrayHole   // append a hole to array A
	ArraySpread // append every value of iterable B to array A; C = 1: for the arguments of a call, which messages say
	InitField   // define own data property IC(C) of A = B (writable, enumerable, configurable), CreateDataPropertyOrThrow
	InitElem    // define own data property A[B] = C; B is a property key already (ToKey)
	InitGetter  // define accessor A[B], getter C, enumerable
	InitSetter
	DefMethod // class element: define A[B] = C, not enumerable
	DefGetter // class element accessor, not enumerable
	DefSetter
	InitProto   // A.__proto__ = B of an object literal: only objects and null count
	CopyProps   // CopyDataProperties(A, B): object spread
	ObjRest     // A = new object of B's own enumerable properties except the keys in array C
	SetFuncName // SetFunctionName(A, key B, prefix C: 0 none, 1 "get", 2 "set")
	ToKey       // A = ToPropertyKey(B)
	Closure     // A = closure of Function.Funcs[B], environment in C (None: the closure environment)
	Class       // A = constructor closure of Function.Funcs[B], A+1 = its prototype object; superclass in C, or None; the environment is in A on entry (undefined: closure environment)
	RegExp      // A = new RegExp(constant B, constant C) — constants below 65536, else the compiler calls the constructor function by LoadK + NewRegExp
	RegExpDyn   // A = new intrinsic RegExp of pattern string in B and flags string in C
	Template    // A = template object of Function.Templates[BC]

	// Conversions and unary operators.
	ToNumeric            // A = ToNumeric(B)
	ToNumber             // A = +B
	ToString             // A = ToString(B) (template literals: throws on symbols)
	ToObject             // A = ToObject(B); TypeError on undefined and null
	CheckObjectCoercible // TypeError when A is undefined or null: destructuring; BC = constant with the message, in which \x00 stands for A and \x01 for A with its type
	Neg
	Not
	BitNot
	Inc // A = B + 1 on a numeric value (after ToNumeric)
	Dec
	TypeOf // A = typeof B

	// Binary operators: A = B op C.
	Add
	Sub
	Mul
	Div
	Mod
	Exp
	BitAnd
	BitOr
	BitXor
	Shl
	Shr
	UShr
	Eq
	Ne
	SEq
	SNe
	Lt
	Le
	Gt
	Ge
	// With a constant: A = B op imm(C).
	AddI
	SubI
	MulI
	BitAndI
	BitOrI
	ShlI
	ShrI
	UShrI

	// Jumps. Target in BC (absolute) or, in fused forms, C = signed distance
	// from the next instruction.
	Jump
	Loop     // a jump backwards: safepoint
	JumpTrue // if ToBoolean(A)
	JumpFalse
	JumpUndef // if A is undefined
	JumpNotUndef
	JumpNullish // if A is undefined or null
	JumpNotNullish
	JumpEmpty // if A is Empty
	JLt       // if A < B
	JLe
	JGt
	JGe
	JEq
	JNe
	JSEq
	JSNe
	JNLt // if not (A < B): differs from JGe on NaN
	JNLe
	JNGt
	JNGe
	JLtI // B = imm: if A < imm
	JLeI
	JGtI
	JGeI
	JSEqI
	JSNeI
	JNLtI
	JNLeI
	JNGtI
	JNGeI
	Switch // jump to Function.Switches[BC][int in A] if A is an int32 in range, else fall through

	// Calls: callee in B, this in B+1, C arguments from B+2 on; the result goes to A.
	Call
	CallSpread // arguments in the array in B+2
	New        // callee in B, new.target in B+1
	NewSpread
	SuperCall // the parent constructor in B, new.target in B+1: A = Construct(…); instance binding is the compiler's
	SuperCallSpread
	SuperForward    // default derived constructor: A = Construct(parent in B, all arguments of this call (ArgsReg), new.target)
	CallEval        // as Call, or, when C is None, as CallSpread; if callee is %eval%, a direct eval with Function.EvalScopes[instr after: Ext.BC], innermost environment in Ext.A (None: closure environment)
	Ext             // operands of the instruction before
	DynImport       // A = import(B, options C or None)
	DynImportDefer  // A = import.defer(B, options C or None)
	DynImportSource // A = import.source(B), C is None
	ImportMeta      // A = import.meta

	Return        // return A. In a base or derived constructor the interpreter applies [[Construct]]'s rules to A, with this in r1
	ReturnDerived // return from a derived constructor: A is the value, B the register with this (Empty → ReferenceError)
	Throw         // throw A
	ThrowConst    // TypeError "Assignment to constant variable.", BC = constant with the name
	ThrowError    // throw new error: A = ErrorKind, BC = constant with the message

	// Functions' beginnings.
	Rest            // A = array of the arguments from index B on (needs FlagArgsArray)
	Arguments       // A = unmapped arguments object
	MappedArguments // A = mapped arguments object: parameter i is slot Function.MappedSlots[i] of the environment in B
	BoxThis         // r1 = sloppy this: undefined/null → global object, primitives → objects

	// Generators and async functions. The frame is detached at each of these.
	GenStart          // first instruction after parameter binding of a generator or async generator: suspends, the caller gets the generator object
	Yield             // yields B; skip: on return-resumption the Jump after it runs; the value received is in A; on throw-resumption the value is thrown here
	YieldRaw          // the same, but B is already an iterator result object that goes out unchanged (yield* in a sync generator)
	Await             // A = await B; a rejection is thrown here
	AsyncGenYieldStar // as Yield in an async generator's yield*: B goes out without another await

	// Iteration. An iterator takes two registers: X = iterator (undefined when
	// it is done or failed, so that closing does nothing), X+1 = its next method.
	GetIter        // A, A+1 = GetIterator(B, sync)
	GetAsyncIter   // A, A+1 = GetIterator(B, async)
	IterNext       // B = next value of the iterator in A; skip: when done. Sets A to undefined when done or when next() throws
	IterCallNext   // B = result of calling next(value C, or no argument when C is None); sets A to undefined when the call throws
	IterUnwrap     // B = value of the iterator result in B; skip: when done (A is set to undefined and B holds the value)
	IterClose      // IteratorClose(A, normal completion); nothing when A is undefined
	IterCloseQuiet // IteratorClose(A, throw completion): errors of return() are dropped
	IterReturn     // C = call of A's return method with argument B (None: no argument); skip: when there is no such method
	IterThrow      // C = call of A's throw method with B; skip: when there is no such method
	IterRest       // B = array of all remaining values of iterator A
	CheckObject    // TypeError "Iterator result x is not an object" when A is not an object
	ForInStart     // A = enumerator of B (undefined/null: empty)
	ForInNext      // B = next key of enumerator A; skip: when done

	// Modules. Bindings live in the module's environment; imports are
	// resolved to (environment, slot) by the linker.
	GetImport // A = value of Program.Imports[BC]; TDZ check
	// Explicit resource management.
	DisposePush  // push resource B on the stack in A (undefined: a new stack is made); C = 1 async
	DisposeRun   // dispose stack A after completion: B = 1 if a throw completion whose value is in B+1 (updated); sync
	DisposeNext  // async: C = next promise to await from stack A; skip: when empty. B as in DisposeRun
	DisposeError // the promise of DisposeNext was rejected with A: B, B+1 become what a throwing disposer makes of them (SuppressedError if B was 1)

	Debugger
	// Trace stands in programs compiled with tracing, before each instruction that
	// makes or uses a value which may be missing, and (A = 1) first in a function.
	Trace
	numOps
)

// NumOps is the number of operation codes.
const NumOps = int(numOps)

// What LoadUndef's B says of the source.
const (
	UndefLiteral  = iota // nothing
	UndefEnd             // a function's end
	UndefChain           // an optional chain that stopped
	UndefDeclared        // a declaration without a value
	UndefElement         // an element of an array pattern, before it is taken
	UndefHoisted         // a var, before it is assigned
	UndefThis            // this of a call without an object
	UndefModule          // this of a module
	UndefReturn          // return without a value
)
