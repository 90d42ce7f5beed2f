package bytecode

// Charges reports whether the interpreter takes Instr.F as fuel at this
// operation.
func (op Op) Charges() bool {
	switch op {
	case Call, CallSpread, New, NewSpread, SuperCall, SuperCallSpread, SuperForward, CallEval, DynImport, DynImportDefer, DynImportSource,
		Return, ReturnDerived, Throw, ThrowConst, ThrowError, GenStart, Yield, YieldRaw, Await, AsyncGenYieldStar,
		IterNext, ForInNext:
		return true
	}
	return op >= Jump && op <= Switch
}
