package bytecode

import "sort"

// Debug is what a program compiled with tracing knows of a function's source
// beside its code. The lists are in ascending order of PC.
type Debug struct {
	Exprs  []DebugExpr
	Names  []DebugName
	Scopes []DebugRange
}

// DebugExpr is the source span of an operand of the instruction at PC.
type DebugExpr struct {
	PC         int32
	Operand    int32 // see the constants
	Start, End int32
}

// Operands that DebugExpr tells of; arguments of a call are numbered from 0.
const (
	OperandObject = -1 // whose property is used, what is destructured, iterated or tested
	OperandLeft   = -2
	OperandRight  = -3
	OperandResult = -4 // what the instruction makes
)

// DebugName is the variable that the instruction at PC gives a value to.
type DebugName struct {
	PC   int32
	Name string
}

// DebugRange says which of Program.DebugScopes is the innermost from PC on.
type DebugRange struct {
	PC    int32
	Scope int32
}

// DebugScope is a scope and its variables.
type DebugScope struct {
	Parent int32 // -1 for none
	Func   int32 // whose variables they are: an index into Program.Funcs, -1 for none of them
	EnvReg uint16
	Closed bool // the environment, if there is one, is the closure environment, not in EnvReg
	Vars   []DebugVar
}

// DebugVar is a variable: a register, or a slot of the scope's environment.
type DebugVar struct {
	Name     string
	Captured bool
	At       uint16
	From     int32 // source offset from which on it has its value
}

// Expr returns the span of an operand of the instruction at pc.
func (d *Debug) Expr(pc int, operand int32) (DebugExpr, bool) {
	if d == nil {
		return DebugExpr{}, false
	}
	i := sort.Search(len(d.Exprs), func(i int) bool { return int(d.Exprs[i].PC) >= pc })
	for ; i < len(d.Exprs) && int(d.Exprs[i].PC) == pc; i++ {
		if d.Exprs[i].Operand == operand {
			return d.Exprs[i], true
		}
	}
	return DebugExpr{}, false
}

// Name returns the variable that the instruction at pc assigns, or "".
func (d *Debug) Name(pc int) string {
	if d == nil {
		return ""
	}
	i := sort.Search(len(d.Names), func(i int) bool { return int(d.Names[i].PC) >= pc })
	if i < len(d.Names) && int(d.Names[i].PC) == pc {
		return d.Names[i].Name
	}
	return ""
}

// ScopeAt returns the innermost scope of the instruction at pc, -1 for none.
func (d *Debug) ScopeAt(pc int) int32 {
	if d == nil {
		return -1
	}
	i := sort.Search(len(d.Scopes), func(i int) bool { return int(d.Scopes[i].PC) > pc })
	if i == 0 {
		return -1
	}
	return d.Scopes[i-1].Scope
}
