package bytecode

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

var opNames = [NumOps]string{
	Nop:                  "Nop",
	Fuel:                 "Fuel",
	LoadK:                "LoadK",
	LoadInt:              "LoadInt",
	LoadUndef:            "LoadUndef",
	LoadNull:             "LoadNull",
	LoadTrue:             "LoadTrue",
	LoadFalse:            "LoadFalse",
	LoadEmpty:            "LoadEmpty",
	Move:                 "Move",
	LoadNewTarget:        "LoadNewTarget",
	LoadGlobalThis:       "LoadGlobalThis",
	CheckTDZ:             "CheckTDZ",
	CheckThis:            "CheckThis",
	NewEnv:               "NewEnv",
	CopyEnv:              "CopyEnv",
	GetEnv:               "GetEnv",
	SetEnv:               "SetEnv",
	SetEnvCk:             "SetEnvCk",
	GetOuter:             "GetOuter",
	SetOuter:             "SetOuter",
	SetOuterCk:           "SetOuterCk",
	OuterEnv:             "OuterEnv",
	GetGlobal:            "GetGlobal",
	GetGlobalSoft:        "GetGlobalSoft",
	SetGlobal:            "SetGlobal",
	InitGlobalLex:        "InitGlobalLex",
	HasGlobal:            "HasGlobal",
	SetGlobalVar:         "SetGlobalVar",
	SetGlobalIf:          "SetGlobalIf",
	DeleteGlobal:         "DeleteGlobal",
	DynHas:               "DynHas",
	DynHasVar:            "DynHasVar",
	WithObj:              "WithObj",
	EvalVarObj:           "EvalVarObj",
	GetProp:              "GetProp",
	SetProp:              "SetProp",
	GetElem:              "GetElem",
	SetElem:              "SetElem",
	GetMethod:            "GetMethod",
	GetMethodElem:        "GetMethodElem",
	GetLength:            "GetLength",
	DeleteProp:           "DeleteProp",
	In:                   "In",
	InstanceOf:           "InstanceOf",
	GetSuper:             "GetSuper",
	SetSuper:             "SetSuper",
	HomeProto:            "HomeProto",
	PrivateName:          "PrivateName",
	GetPrivate:           "GetPrivate",
	SetPrivate:           "SetPrivate",
	HasPrivate:           "HasPrivate",
	InitPrivate:          "InitPrivate",
	InitPrivateMethod:    "InitPrivateMethod",
	InitPrivateGetter:    "InitPrivateGetter",
	InitPrivateSetter:    "InitPrivateSetter",
	NewObject:            "NewObject",
	NewArray:             "NewArray",
	ArrayPush:            "ArrayPush",
	ArrayHole:            "ArrayHole",
	ArraySpread:          "ArraySpread",
	InitField:            "InitField",
	InitElem:             "InitElem",
	InitGetter:           "InitGetter",
	InitSetter:           "InitSetter",
	DefMethod:            "DefMethod",
	DefGetter:            "DefGetter",
	DefSetter:            "DefSetter",
	InitProto:            "InitProto",
	CopyProps:            "CopyProps",
	ObjRest:              "ObjRest",
	SetFuncName:          "SetFuncName",
	ToKey:                "ToKey",
	Closure:              "Closure",
	Class:                "Class",
	RegExp:               "RegExp",
	RegExpDyn:            "RegExpDyn",
	Template:             "Template",
	ToNumeric:            "ToNumeric",
	ToNumber:             "ToNumber",
	ToString:             "ToString",
	ToObject:             "ToObject",
	CheckObjectCoercible: "CheckObjectCoercible",
	Neg:                  "Neg",
	Not:                  "Not",
	BitNot:               "BitNot",
	Inc:                  "Inc",
	Dec:                  "Dec",
	TypeOf:               "TypeOf",
	Add:                  "Add",
	Sub:                  "Sub",
	Mul:                  "Mul",
	Div:                  "Div",
	Mod:                  "Mod",
	Exp:                  "Exp",
	BitAnd:               "BitAnd",
	BitOr:                "BitOr",
	BitXor:               "BitXor",
	Shl:                  "Shl",
	Shr:                  "Shr",
	UShr:                 "UShr",
	Eq:                   "Eq",
	Ne:                   "Ne",
	SEq:                  "SEq",
	SNe:                  "SNe",
	Lt:                   "Lt",
	Le:                   "Le",
	Gt:                   "Gt",
	Ge:                   "Ge",
	AddI:                 "AddI",
	SubI:                 "SubI",
	MulI:                 "MulI",
	BitAndI:              "BitAndI",
	BitOrI:               "BitOrI",
	ShlI:                 "ShlI",
	ShrI:                 "ShrI",
	UShrI:                "UShrI",
	Jump:                 "Jump",
	Loop:                 "Loop",
	JumpTrue:             "JumpTrue",
	JumpFalse:            "JumpFalse",
	JumpUndef:            "JumpUndef",
	JumpNotUndef:         "JumpNotUndef",
	JumpNullish:          "JumpNullish",
	JumpNotNullish:       "JumpNotNullish",
	JumpEmpty:            "JumpEmpty",
	JLt:                  "JLt",
	JLe:                  "JLe",
	JGt:                  "JGt",
	JGe:                  "JGe",
	JEq:                  "JEq",
	JNe:                  "JNe",
	JSEq:                 "JSEq",
	JSNe:                 "JSNe",
	JNLt:                 "JNLt",
	JNLe:                 "JNLe",
	JNGt:                 "JNGt",
	JNGe:                 "JNGe",
	JLtI:                 "JLtI",
	JLeI:                 "JLeI",
	JGtI:                 "JGtI",
	JGeI:                 "JGeI",
	JSEqI:                "JSEqI",
	JSNeI:                "JSNeI",
	JNLtI:                "JNLtI",
	JNLeI:                "JNLeI",
	JNGtI:                "JNGtI",
	JNGeI:                "JNGeI",
	Switch:               "Switch",
	Call:                 "Call",
	CallSpread:           "CallSpread",
	New:                  "New",
	NewSpread:            "NewSpread",
	SuperCall:            "SuperCall",
	SuperCallSpread:      "SuperCallSpread",
	SuperForward:         "SuperForward",
	CallEval:             "CallEval",
	Ext:                  "Ext",
	DynImport:            "DynImport",
	DynImportDefer:       "DynImportDefer",
	DynImportSource:      "DynImportSource",
	ImportMeta:           "ImportMeta",
	Return:               "Return",
	ReturnDerived:        "ReturnDerived",
	Throw:                "Throw",
	ThrowConst:           "ThrowConst",
	ThrowError:           "ThrowError",
	Rest:                 "Rest",
	Arguments:            "Arguments",
	MappedArguments:      "MappedArguments",
	BoxThis:              "BoxThis",
	GenStart:             "GenStart",
	Yield:                "Yield",
	YieldRaw:             "YieldRaw",
	Await:                "Await",
	AsyncGenYieldStar:    "AsyncGenYieldStar",
	GetIter:              "GetIter",
	GetAsyncIter:         "GetAsyncIter",
	IterNext:             "IterNext",
	IterCallNext:         "IterCallNext",
	IterUnwrap:           "IterUnwrap",
	IterClose:            "IterClose",
	IterCloseQuiet:       "IterCloseQuiet",
	IterReturn:           "IterReturn",
	IterThrow:            "IterThrow",
	IterRest:             "IterRest",
	CheckObject:          "CheckObject",
	ForInStart:           "ForInStart",
	ForInNext:            "ForInNext",
	GetImport:            "GetImport",
	DisposePush:          "DisposePush",
	DisposeRun:           "DisposeRun",
	DisposeNext:          "DisposeNext",
	DisposeError:         "DisposeError",
	Debugger:             "Debugger",
	Trace:                "Trace",
}

// String returns the operation's name.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return "Op" + strconv.Itoa(int(op))
}

// An operand letter says what Disassemble prints: r register, e environment or
// register that may be None, i inline cache, k constant (BC), s constant in one
// operand, n number, m signed number, w BC as a signed number, j absolute
// target, d target at a distance, f function, g import, t text for the rest.
var opShapes = map[Op]string{
	Nop: "", Fuel: "w", LoadK: "rk", LoadInt: "rw", LoadUndef: "r", LoadNull: "r", LoadTrue: "r", LoadFalse: "r",
	LoadEmpty: "r", Move: "rr", LoadNewTarget: "r", LoadGlobalThis: "r", CheckTDZ: "rk", CheckThis: "r",
	NewEnv: "ren", CopyEnv: "r", GetEnv: "rrn", SetEnv: "rrn", SetEnvCk: "rrn", GetOuter: "rnn", SetOuter: "rnn",
	SetOuterCk: "rnn", OuterEnv: "rn", GetGlobal: "r_i", GetGlobalSoft: "r_i", SetGlobal: "r_i", InitGlobalLex: "r_i",
	HasGlobal: "r_i", SetGlobalVar: "r_i", SetGlobalIf: "rri", DeleteGlobal: "r_i", DynHas: "rri", DynHasVar: "rri", EvalVarObj: "rrn",
	GetProp: "rri", SetProp: "rri", GetMethod: "rri", GetLength: "rri", PrivateName: "rk",
	NewObject: "r", NewArray: "rw", ArrayHole: "r", InitField: "rri", SetFuncName: "rrn", Closure: "rfe", Class: "rfe",
	RegExp: "rss", Template: "rw", CheckObjectCoercible: "rt",
	AddI: "rrm", SubI: "rrm", MulI: "rrm", BitAndI: "rrm", BitOrI: "rrm", ShlI: "rrm", ShrI: "rrm", UShrI: "rrm",
	Jump: "_j", Loop: "_j", JumpTrue: "rj", JumpFalse: "rj", JumpUndef: "rj", JumpNotUndef: "rj", JumpNullish: "rj",
	JumpNotNullish: "rj", JumpEmpty: "rj",
	JLt: "rrd", JLe: "rrd", JGt: "rrd", JGe: "rrd", JEq: "rrd", JNe: "rrd", JSEq: "rrd", JSNe: "rrd", JNLt: "rrd",
	JNLe: "rrd", JNGt: "rrd", JNGe: "rrd", JLtI: "rmd", JLeI: "rmd", JGtI: "rmd", JGeI: "rmd", JSEqI: "rmd", JSNeI: "rmd",
	JNLtI: "rmd", JNLeI: "rmd", JNGtI: "rmd", JNGeI: "rmd", Switch: "rS",
	Call: "rrn", CallSpread: "rr", New: "rrn", NewSpread: "rr", SuperCall: "rrn", SuperCallSpread: "rr", SuperForward: "rr",
	CallEval: "rrn", Ext: "ew", DynImport: "rre", DynImportDefer: "rre", DynImportSource: "rre", ImportMeta: "r", Return: "r", ReturnDerived: "rr", Throw: "r",
	ThrowConst: "_k", ThrowError: "nk", Rest: "rn", Arguments: "r", MappedArguments: "re", BoxThis: "", GenStart: "",
	Yield: "rr", YieldRaw: "rr", Await: "rr", AsyncGenYieldStar: "rr", GetIter: "rr", GetAsyncIter: "rr", IterNext: "rr",
	IterCallNext: "rre", IterUnwrap: "rr", IterClose: "r", IterCloseQuiet: "r", IterReturn: "rer", IterThrow: "rrr",
	IterRest: "rr", CheckObject: "r", ForInStart: "rr", ForInNext: "rr", GetImport: "rg", DisposePush: "rrn", DisposeRun: "rr",
	DisposeNext: "rrr", DisposeError: "rr", Debugger: "", Trace: "n", ToKey: "rr", ToNumeric: "rr", ToNumber: "rr", ToString: "rr",
	ToObject: "rr", Neg: "rr", Not: "rr", BitNot: "rr", Inc: "rr", Dec: "rr", TypeOf: "rr", ArrayPush: "rr",
	ArraySpread: "rrn", InitProto: "rr", CopyProps: "rr", WithObj: "rr", HomeProto: "rr",
}

// Disassemble writes the program in readable form.
func (p *Program) Disassemble(w io.Writer) {
	for _, v := range p.GlobalFuncs {
		fmt.Fprintf(w, "global function %s = f%d\n", v.Name, v.Func)
	}
	for _, v := range p.GlobalVars {
		fmt.Fprintf(w, "global var %s\n", v)
	}
	for _, v := range p.GlobalLex {
		kind := "let"
		if v.Const {
			kind = "const"
		}
		fmt.Fprintf(w, "global %s %s\n", kind, v.Name)
	}
	for i, v := range p.Imports {
		fmt.Fprintf(w, "import %d: %s as %s from request %d\n", i, v.Name, v.Local, v.Request)
	}
	for _, v := range p.Exports {
		fmt.Fprintf(w, "export %q: slot %d request %d import %d from %q\n", v.Name, v.Slot, v.Request, v.Import, v.From)
	}
	if p.EnvSlots > 0 {
		fmt.Fprintf(w, "module environment: %d slots, init f%d\n", p.EnvSlots, p.Init)
	}
	for i, f := range p.Funcs {
		if f != nil {
			p.disassemble(w, i, f)
		}
	}
}

var flagNames = [...]string{
	"strict", "arrow", "async", "generator", "method", "classconstructor", "derived", "args", "simple", "module", "top",
	"fieldinit", "noconstruct", "sloppythis", "eval",
}

func (p *Program) disassemble(w io.Writer, index int, f *Function) {
	var flags []string
	for i, n := range flagNames {
		if f.Flags&(1<<i) != 0 {
			flags = append(flags, n)
		}
	}
	fmt.Fprintf(w, "f%d %q params=%d length=%d regs=%d [%s]\n", index, f.Name, f.NumParams, f.Length, f.NumRegs, strings.Join(flags, " "))
	if f.Flags&FlagArgsArray != 0 {
		fmt.Fprintf(w, "\targs r%d\n", f.ArgsReg)
	}
	if f.MappedSlots != nil {
		fmt.Fprintf(w, "\tmapped %v\n", f.MappedSlots)
	}
	targets := map[int32]bool{}
	for pc, in := range f.Code {
		if t, ok := target(int32(pc), in); ok {
			targets[t] = true
		}
	}
	for _, h := range f.Handlers {
		targets[h.Target] = true
	}
	for _, s := range f.Switches {
		for _, t := range s {
			targets[t] = true
		}
	}
	tdz := map[int32]uint32{}
	for _, t := range f.TDZNames {
		tdz[t.PC] = t.Name
	}
	for pc, in := range f.Code {
		mark := " "
		if targets[int32(pc)] {
			mark = ">"
		}
		line := fmt.Sprintf("%s%5d  %-16s%s", mark, pc, in.Op, p.operands(f, int32(pc), in))
		if n, ok := tdz[int32(pc)]; ok {
			line += " ; " + p.text(n)
		}
		if in.F > 0 {
			line += fmt.Sprintf("  [%d]", in.F)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	for _, h := range f.Handlers {
		fmt.Fprintf(w, "\thandler %d-%d -> %d r%d\n", h.From, h.To, h.Target, h.Reg)
	}
	for i, s := range f.Switches {
		fmt.Fprintf(w, "\tswitch %d: %v\n", i, s)
	}
	for i, s := range f.EvalScopes {
		fmt.Fprintf(w, "\teval scope %d: %+v\n", i, s.Context)
		for ; s != nil; s = s.Parent {
			fmt.Fprintf(w, "\t\tfunction=%v var=%d with=%d %v\n", s.FunctionScope, s.VarObjSlot, s.WithSlot, s.Bindings)
		}
	}
}

func target(pc int32, in Instr) (int32, bool) {
	shape := opShapes[in.Op]
	switch {
	case strings.HasSuffix(shape, "j"):
		return int32(in.BC()), true
	case strings.HasSuffix(shape, "d"):
		return pc + 1 + int32(int16(in.C)), true
	}
	return 0, false
}

func (p *Program) text(i uint32) string {
	if int(i) >= len(p.Consts) {
		return "?"
	}
	c := p.Consts[i]
	switch c.Kind {
	case ConstNumber:
		return strconv.FormatFloat(c.Num, 'g', -1, 64)
	case ConstBigInt:
		return c.Str + "n"
	}
	return strconv.Quote(c.Str)
}

func reg(r uint16) string {
	if r == None {
		return "-"
	}
	return "r" + strconv.Itoa(int(r))
}

func (p *Program) operands(f *Function, pc int32, in Instr) string {
	shape, ok := opShapes[in.Op]
	if !ok {
		shape = "rrr"
	}
	var out []string
	regs := [3]uint16{in.A, in.B, in.C}
	for i := 0; i < len(shape); i++ {
		s := ""
		switch shape[i] {
		case '_':
			continue
		case 'r', 'e':
			s = reg(regs[i])
		case 'n':
			s = strconv.Itoa(int(regs[i]))
		case 'm':
			s = strconv.Itoa(int(int16(regs[i])))
		case 'i':
			s = "?"
			if int(regs[i]) < len(f.ICs) {
				s = p.text(f.ICs[regs[i]].Name)
			}
		case 'k':
			s = p.text(in.BC())
		case 's':
			s = p.text(uint32(regs[i]))
		case 'w':
			s = strconv.Itoa(int(int32(in.BC())))
		case 't':
			if in.BC() != 0xFFFFFFFF {
				s = p.text(in.BC())
			}
		case 'j', 'd':
			t, _ := target(pc, in)
			s = "-> " + strconv.Itoa(int(t))
		case 'f':
			s = "?"
			if int(regs[i]) < len(f.Funcs) {
				s = "f" + strconv.Itoa(int(f.Funcs[regs[i]]))
			}
		case 'g':
			s = "?"
			if int(in.BC()) < len(p.Imports) {
				s = p.Imports[in.BC()].Local
			}
		case 'S':
			s = "table " + strconv.Itoa(int(in.BC()))
		}
		out = append(out, s)
	}
	return strings.TrimRight(strings.Join(out, ", "), ", ")
}
