package syntax

// Op is an operator.
type Op uint8

// The operators.
const (
	OpNone Op = iota
	OpAssign

	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
	OpExp
	OpBitAnd
	OpBitOr
	OpBitXor
	OpShl
	OpShr
	OpUShr

	OpEq
	OpNe
	OpStrictEq
	OpStrictNe
	OpLt
	OpGt
	OpLe
	OpGe
	OpIn
	OpInstanceof

	OpLogicalAnd
	OpLogicalOr
	OpNullish

	OpNeg
	OpPos
	OpNot
	OpBitNot
	OpTypeof
	OpVoid
	OpDelete

	OpInc
	OpDec
)

var opNames = [...]string{
	OpNone: "", OpAssign: "=",
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMod: "%", OpExp: "**",
	OpBitAnd: "&", OpBitOr: "|", OpBitXor: "^", OpShl: "<<", OpShr: ">>", OpUShr: ">>>",
	OpEq: "==", OpNe: "!=", OpStrictEq: "===", OpStrictNe: "!==",
	OpLt: "<", OpGt: ">", OpLe: "<=", OpGe: ">=", OpIn: "in", OpInstanceof: "instanceof",
	OpLogicalAnd: "&&", OpLogicalOr: "||", OpNullish: "??",
	OpNeg: "-", OpPos: "+", OpNot: "!", OpBitNot: "~", OpTypeof: "typeof", OpVoid: "void", OpDelete: "delete",
	OpInc: "++", OpDec: "--",
}

// String returns the operator as written.
func (o Op) String() string { return opNames[o] }
