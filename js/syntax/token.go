package syntax

// token is a kind of token. The order matters: everything from tBreak on is
// spelled like a name, everything from tIdent on may be an identifier.
type token uint8

const (
	tEOF token = iota
	tIllegal
	tPrivate
	tNumber
	tBigInt
	tString
	tTemplate // from ` or } to ${ or `

	tLBrace
	tRBrace
	tLParen
	tRParen
	tLBrack
	tRBrack
	tDot
	tEllipsis
	tSemi
	tComma
	tQuestion
	tQDot
	tColon
	tArrow
	tAt

	tInc
	tDec
	tBang
	tTilde

	tAssign
	tAssignOp // op in parser.op: += and so on

	// Binary operators, in the order of binaryPrec.
	tNullish
	tOrOr
	tAndAnd
	tBitOr
	tBitXor
	tBitAnd
	tEqEq
	tNotEq
	tEqEqEq
	tNotEqEq
	tLT
	tGT
	tLE
	tGE
	tShl
	tShr
	tUShr
	tPlus
	tMinus
	tStar
	tSlash
	tPercent
	tStarStar

	tBreak
	tCase
	tCatch
	tClass
	tConst
	tContinue
	tDebugger
	tDefault
	tDelete
	tDo
	tElse
	tEnum
	tExport
	tExtends
	tFalse
	tFinally
	tFor
	tFunction
	tIf
	tImport
	tIn
	tInstanceof
	tNew
	tNull
	tReturn
	tSuper
	tSwitch
	tThis
	tThrow
	tTrue
	tTry
	tTypeof
	tVar
	tVoid
	tWhile
	tWith
	tEscKeyword // a reserved word written with an escape

	tIdent
	tYield
	tAwait
	tLet
	tStatic
	tImplements
	tInterface
	tPackage
	tPrivateWord
	tProtected
	tPublic
	tArguments
	tEval
	tAsync
	tOf
	tGet
	tSet
	tUsing
	tAs
	tFrom
	tAccessor
	tAbstract
	tAsserts
	tDeclare
	tGlobal
	tInfer
	tIs
	tKeyof
	tModule
	tNamespace
	tOverride
	tReadonly
	tSatisfies
	tType
	tUnique
)

// isName: is an IdentifierName.
func (t token) isName() bool { return t >= tBreak }

// isReserved: a ReservedWord in every context.
func (t token) isReserved() bool { return t >= tBreak && t < tIdent }

// keyword classifies a name that was written without escapes.
func keyword(s string) token {
	if len(s) < 2 || len(s) > 10 || s[0] < 'a' || s[0] > 'y' {
		return tIdent
	}
	switch s {
	case "do":
		return tDo
	case "if":
		return tIf
	case "in":
		return tIn
	case "of":
		return tOf
	case "as":
		return tAs
	case "is":
		return tIs
	case "for":
		return tFor
	case "new":
		return tNew
	case "try":
		return tTry
	case "var":
		return tVar
	case "let":
		return tLet
	case "get":
		return tGet
	case "set":
		return tSet
	case "case":
		return tCase
	case "else":
		return tElse
	case "enum":
		return tEnum
	case "null":
		return tNull
	case "this":
		return tThis
	case "true":
		return tTrue
	case "void":
		return tVoid
	case "with":
		return tWith
	case "from":
		return tFrom
	case "type":
		return tType
	case "eval":
		return tEval
	case "break":
		return tBreak
	case "catch":
		return tCatch
	case "class":
		return tClass
	case "const":
		return tConst
	case "false":
		return tFalse
	case "super":
		return tSuper
	case "throw":
		return tThrow
	case "while":
		return tWhile
	case "yield":
		return tYield
	case "await":
		return tAwait
	case "async":
		return tAsync
	case "using":
		return tUsing
	case "infer":
		return tInfer
	case "keyof":
		return tKeyof
	case "delete":
		return tDelete
	case "export":
		return tExport
	case "import":
		return tImport
	case "return":
		return tReturn
	case "switch":
		return tSwitch
	case "typeof":
		return tTypeof
	case "static":
		return tStatic
	case "public":
		return tPublic
	case "global":
		return tGlobal
	case "module":
		return tModule
	case "unique":
		return tUnique
	case "default":
		return tDefault
	case "extends":
		return tExtends
	case "finally":
		return tFinally
	case "package":
		return tPackage
	case "private":
		return tPrivateWord
	case "asserts":
		return tAsserts
	case "declare":
		return tDeclare
	case "continue":
		return tContinue
	case "debugger":
		return tDebugger
	case "function":
		return tFunction
	case "abstract":
		return tAbstract
	case "accessor":
		return tAccessor
	case "override":
		return tOverride
	case "readonly":
		return tReadonly
	case "arguments":
		return tArguments
	case "interface":
		return tInterface
	case "protected":
		return tProtected
	case "namespace":
		return tNamespace
	case "satisfies":
		return tSatisfies
	case "implements":
		return tImplements
	case "instanceof":
		return tInstanceof
	}
	return tIdent
}

// isStrictReserved reports the words that strict code reserves beyond
// ReservedWord (12.7.2).
func isStrictReserved(s string) bool {
	switch s {
	case "implements", "interface", "let", "package", "private", "protected", "public", "static", "yield":
		return true
	}
	return false
}

// Precedence of binary operators; 0 for tokens that are none.
const (
	precNullish = 1
	precOr      = 2
	precAnd     = 3
	precBitOr   = 4
	precBitXor  = 5
	precBitAnd  = 6
	precEq      = 7
	precRel     = 8
	precShift   = 9
	precAdd     = 10
	precMul     = 11
	precExp     = 12
)

type binInfo struct {
	prec uint8
	op   Op
}

var binaryOps = [256]binInfo{
	tNullish: {precNullish, OpNullish}, tOrOr: {precOr, OpLogicalOr}, tAndAnd: {precAnd, OpLogicalAnd},
	tBitOr: {precBitOr, OpBitOr}, tBitXor: {precBitXor, OpBitXor}, tBitAnd: {precBitAnd, OpBitAnd},
	tEqEq: {precEq, OpEq}, tNotEq: {precEq, OpNe}, tEqEqEq: {precEq, OpStrictEq}, tNotEqEq: {precEq, OpStrictNe},
	tLT: {precRel, OpLt}, tGT: {precRel, OpGt}, tLE: {precRel, OpLe}, tGE: {precRel, OpGe},
	tIn: {precRel, OpIn}, tInstanceof: {precRel, OpInstanceof},
	tShl: {precShift, OpShl}, tShr: {precShift, OpShr}, tUShr: {precShift, OpUShr},
	tPlus: {precAdd, OpAdd}, tMinus: {precAdd, OpSub},
	tStar: {precMul, OpMul}, tSlash: {precMul, OpDiv}, tPercent: {precMul, OpMod},
	tStarStar: {precExp, OpExp},
}
