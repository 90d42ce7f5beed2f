package compiler

import (
	"math"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/syntax"
)

const (
	maxRegs   = 65000
	maxICs    = 65000
	regThis   = 1
	noReg     = bytecode.None
	noCompl   = -1
	regCallee = 0
)

// A label is a place to jump to.
type label struct {
	pc   int32 // -1 until bound
	refs []int32
}

func newLabel() *label { return &label{pc: -1} }

// A region is a stretch of code that one handler covers, with gaps where the
// cleanup of jumps out of it stands.
type region struct {
	target *label
	reg    uint16
	from   int32 // -1 while closed
	ranges [][2]int32
}

type handlerRef struct {
	from, to int32
	target   *label
	reg      uint16
}

// gen emits the code of one function.
type gen struct {
	cp    *compiler
	fi    *funcInfo
	f     *bytecode.Function
	code  []bytecode.Instr
	scope *scope

	top, max int
	fuel     int
	lastOff  int32

	// Of what a stack shows: the place set last, and that of the statement.
	lastStack, curStack, stmtPC, stmtOff int32

	ctl      []*control
	compl    int // register of the completion value, or noCompl
	inParams bool
	strict   bool // the code being compiled is strict: parts of classes are in sloppy functions

	// long: the function is too long for 16-bit jump distances.
	long, overflow bool
	handlers       []handlerRef
	switches       [][]*label // by case number
	ics            map[uint64]uint16
	icList         []bytecode.ICSite
	locals         map[*funcInfo]uint16
	labels         []string // labels of the statement being compiled
	lastLabel      int32    // pc of the label bound last
	open           []*label
	stack          uint16      // of the innermost block with using declarations
	patternOff     int32       // where a stack says that the array pattern which comes next is, if not 0
	spreadOff      int32       // the same for the spread argument of a call
	iterated       syntax.Expr // a call whose value is iterated: the message says so
	optional       *label      // where the optional chain being compiled gives up
	patternKey     syntax.Node // of the property whose pattern comes next, for tracing
	traced         *scope      // innermost scope that Function.Debug knows of last
}

// ---- Registers ----

// reg allocates a register at the top.
func (g *gen) reg() uint16 {
	if g.top >= maxRegs {
		g.cp.fail(g.fi, "the function is too large: it needs too many registers")
		return maxRegs - 1
	}
	r := g.top
	g.top++
	if g.top > g.max {
		g.max = g.top
	}
	return uint16(r)
}

// regs allocates n consecutive registers.
func (g *gen) regs(n int) uint16 {
	if g.top+n > maxRegs {
		g.cp.fail(g.fi, "the function is too large: it needs too many registers")
		return 0
	}
	r := g.top
	g.top += n
	if g.top > g.max {
		g.max = g.top
	}
	return uint16(r)
}

// ---- Instructions ----

func (g *gen) pc() int32 { return int32(len(g.code)) }

// skips reports operations whose next instruction has to be their Jump.
func skips(op bytecode.Op) bool {
	switch op {
	case bytecode.IterNext, bytecode.IterUnwrap, bytecode.IterReturn, bytecode.IterThrow, bytecode.ForInNext,
		bytecode.Yield, bytecode.YieldRaw, bytecode.AsyncGenYieldStar, bytecode.DisposeNext:
		return true
	}
	return false
}

// steps returns what an instruction is charged beside its unit: how far it goes
// out through the environments, or how large the one is that it makes.
func steps(in bytecode.Instr) int {
	switch in.Op {
	case bytecode.GetOuter, bytecode.SetOuter, bytecode.SetOuterCk, bytecode.OuterEnv:
		return int(in.B) / 4
	case bytecode.NewEnv:
		return int(in.C) / 8
	}
	return 0
}

// emitStep is how much work an instruction is.
const emitStep = 2

func (g *gen) emit(in bytecode.Instr) int32 {
	if g.cp.work += emitStep; g.cp.work >= workLimit {
		g.cp.checkWork()
	}
	g.fuel += 1 + steps(in)
	if g.fuel > 255 && (in.Op.Charges() || skips(in.Op)) {
		g.code = append(g.code, bytecode.Wide(bytecode.Fuel, 0, uint32(g.fuel)))
		g.fuel = 0
	}
	if in.Op.Charges() {
		in.F = uint8(g.fuel)
		g.fuel = 0
	} else if skips(in.Op) && g.fuel > 200 {
		g.code = append(g.code, bytecode.Wide(bytecode.Fuel, 0, uint32(g.fuel)))
		g.fuel = 0
	}
	if g.cp.opt.Trace {
		g.trace(in)
	}
	g.code = append(g.code, in)
	return int32(len(g.code) - 1)
}

func (g *gen) op(op bytecode.Op, a, b, c uint16) int32 { return g.emit(bytecode.ABC(op, a, b, c)) }

func (g *gen) wide(op bytecode.Op, a uint16, bc uint32) int32 {
	return g.emit(bytecode.Wide(op, a, bc))
}

func (g *gen) bind(l *label) {
	l.pc = g.pc()
	g.lastLabel = l.pc
}

// jump emits a jump whose target is absolute.
func (g *gen) jump(op bytecode.Op, a uint16, l *label) {
	pc := g.wide(op, a, 0)
	l.refs = append(l.refs, pc)
	if l.pc >= 0 {
		g.patch(pc, l.pc)
	} else {
		g.pending(l)
	}
}

// goTo jumps always; a jump backwards is a safepoint.
func (g *gen) goTo(l *label) {
	op := bytecode.Jump
	if l.pc >= 0 {
		op = bytecode.Loop
	}
	g.jump(op, 0, l)
}

// pending remembers labels to patch at the function's end.
func (g *gen) pending(l *label) {
	if len(l.refs) == 1 {
		g.open = append(g.open, l)
	}
}

func (g *gen) patch(pc, target int32) {
	in := &g.code[pc]
	if !isFused(in.Op) {
		in.B, in.C = uint16(target), uint16(uint32(target)>>16)
		return
	}
	d := target - (pc + 1)
	if d < math.MinInt16 || d > math.MaxInt16 {
		g.overflow = true
	}
	in.C = uint16(int16(d))
}

func isFused(op bytecode.Op) bool { return op >= bytecode.JLt && op <= bytecode.JNGeI }

// cmpJump emits a fused comparison and jump.
func (g *gen) cmpJump(op bytecode.Op, a, b uint16, l *label) {
	if g.long {
		g.longJump(op, a, b, l)
		return
	}
	pc := g.op(op, a, b, 0)
	l.refs = append(l.refs, pc)
	if l.pc >= 0 {
		g.patch(pc, l.pc)
	} else {
		g.pending(l)
	}
}

// longJump is cmpJump without a limit on the distance.
func (g *gen) longJump(op bytecode.Op, a, b uint16, l *label) {
	mark := g.top
	t := g.reg()
	if op >= bytecode.JLtI {
		k := g.reg()
		g.wide(bytecode.LoadInt, k, uint32(int32(int16(b))))
		b = k
		op = unImm[op-bytecode.JLtI]
	}
	g.top = mark
	j := bytecode.JumpTrue
	if op >= bytecode.JNLt {
		j = bytecode.JumpFalse
		op -= bytecode.JNLt - bytecode.JLt
	}
	g.op(fusedOps[op-bytecode.JLt], t, a, b)
	g.jump(j, t, l)
}

var fusedOps = [...]bytecode.Op{
	bytecode.Lt, bytecode.Le, bytecode.Gt, bytecode.Ge, bytecode.Eq, bytecode.Ne, bytecode.SEq, bytecode.SNe,
}

var unImm = [...]bytecode.Op{
	bytecode.JLt, bytecode.JLe, bytecode.JGt, bytecode.JGe, bytecode.JSEq, bytecode.JSNe,
	bytecode.JNLt, bytecode.JNLe, bytecode.JNGt, bytecode.JNGe,
}

// ---- Handlers ----

func (g *gen) openRegion(target *label, reg uint16) *region {
	return &region{target: target, reg: reg, from: g.pc()}
}

func (g *gen) closeRange(r *region) bool {
	if r == nil || r.from < 0 {
		return false
	}
	if g.pc() > r.from {
		r.ranges = append(r.ranges, [2]int32{r.from, g.pc()})
	}
	r.from = -1
	return true
}

// endRegion is called when a region is over; inner ones end first.
func (g *gen) endRegion(r *region) {
	g.closeRange(r)
	for _, x := range r.ranges {
		g.handlers = append(g.handlers, handlerRef{x[0], x[1], r.target, r.reg})
	}
}

// ---- Constants ----

type constKey struct {
	kind bytecode.ConstKind
	num  uint64
	str  string
}

func (cp *compiler) constant(c bytecode.Const) uint32 {
	k := constKey{c.Kind, math.Float64bits(c.Num), c.Str}
	if i, ok := cp.consts[k]; ok {
		return i
	}
	i := uint32(len(cp.prog.Consts))
	cp.prog.Consts = append(cp.prog.Consts, c)
	cp.consts[k] = i
	return i
}

func (cp *compiler) str(s string) uint32 {
	return cp.constant(bytecode.Const{Kind: bytecode.ConstString, Str: s})
}

func (g *gen) loadStr(dst uint16, s string) { g.wide(bytecode.LoadK, dst, g.cp.str(s)) }

func (g *gen) loadNum(dst uint16, v float64) {
	if i := int32(v); float64(i) == v && !(v == 0 && math.Signbit(v)) {
		g.wide(bytecode.LoadInt, dst, uint32(i))
		return
	}
	g.wide(bytecode.LoadK, dst, g.cp.constant(bytecode.Const{Kind: bytecode.ConstNumber, Num: v}))
}

func (g *gen) loadInt(dst uint16, v int) { g.wide(bytecode.LoadInt, dst, uint32(int32(v))) }

func (g *gen) undef(dst uint16) { g.op(bytecode.LoadUndef, dst, 0, 0) }

func (g *gen) move(dst, src uint16) {
	if dst != src {
		g.op(bytecode.Move, dst, src, 0)
	}
}

// icUse is what the places that share an inline cache do with the property:
// what one kind of instruction remembers means something else to another.
type icUse uint64

const (
	icRead icUse = iota << 32
	icWrite
	icInit
)

// ic makes an inline cache for reading a name, icWriting and icIniting for
// assigning and defining it. A function with very many shares them among the
// places that use one name in the same way.
func (g *gen) ic(name string) uint16        { return g.icFor(name, icRead) }
func (g *gen) icWriting(name string) uint16 { return g.icFor(name, icWrite) }
func (g *gen) icIniting(name string) uint16 { return g.icFor(name, icInit) }

func (g *gen) icFor(name string, use icUse) uint16 {
	k := g.cp.str(name)
	shared := uint64(k) | uint64(use)
	if len(g.icList) >= maxICs/2 {
		if i, ok := g.ics[shared]; ok {
			return i
		}
	}
	if len(g.icList) >= maxICs {
		g.cp.fail(g.fi, "the function is too large: it names too many properties")
		return 0
	}
	i := uint16(len(g.icList))
	g.icList = append(g.icList, bytecode.ICSite{Name: k})
	g.ics[shared] = i
	return i
}

// tdzName records which variable the next instruction is about.
func (g *gen) tdzName(b *binding) {
	if b.lexical() {
		g.f.TDZNames = append(g.f.TDZNames, bytecode.TDZName{PC: g.pc() + g.traceWidth(), Name: g.cp.str(b.name)})
	}
}

func (g *gen) throwError(kind bytecode.ErrorKind, msg string) {
	g.wide(bytecode.ThrowError, uint16(kind), g.cp.str(msg))
}

// ---- Environments ----

// inner returns the register of the innermost environment, or None for the
// closure environment.
func (g *gen) inner() uint16 { return g.innerOf(g.scope) }

func (g *gen) innerOf(s *scope) uint16 {
	for ; s != nil && s.fn == g.fi; s = s.parent {
		if s.env && !s.external {
			return s.envReg
		}
	}
	return noReg
}

// depth returns how many ancestors the environment of s is away from the
// function's closure environment.
func (g *gen) depth(target *scope) uint16 {
	d := 0
	for s := g.scope; s != nil && s != target; s = s.parent {
		if s.env && (s.fn != g.fi || s.external) {
			d++
		}
	}
	return uint16(d)
}

// enter opens a scope: registers for its bindings, its environment.
func (g *gen) enter(s *scope) {
	g.scope = s
	if s.env && !s.external {
		parent := g.innerOf(s.parent)
		s.envReg = g.reg()
		g.op(bytecode.NewEnv, s.envReg, parent, uint16(s.slots))
	}
	for _, b := range s.list {
		if !b.captured && b.inRegister() {
			b.reg = g.reg()
			if b.tdz {
				g.op(bytecode.LoadEmpty, b.reg, 0, 0)
			}
		}
	}
}

// inRegister reports whether a binding that isn't captured needs a register.
func (b *binding) inRegister() bool {
	switch b.kind {
	case bindImport:
		return false
	case bindHidden:
		return b.name[0] == '#' || b.name == hidWith
	}
	return true
}

// readSlot reads the environment slot of a binding.
func (g *gen) readSlot(dst uint16, b *binding) {
	if b.getter == b {
		mark := g.top
		w := g.regs(2)
		g.op(bytecode.GetOuter, w, g.depth(b.scope), b.slot)
		g.undef(w + 1)
		g.op(bytecode.Call, dst, w, 0)
		g.top = mark
		return
	}
	g.tdzName(b)
	if b.scope.fn == g.fi && !b.scope.external {
		g.op(bytecode.GetEnv, dst, b.scope.envReg, b.slot)
	} else {
		g.op(bytecode.GetOuter, dst, g.depth(b.scope), b.slot)
	}
}

func (g *gen) writeSlot(src uint16, b *binding, check bool) {
	inner, outer := bytecode.SetEnv, bytecode.SetOuter
	if check {
		inner, outer = bytecode.SetEnvCk, bytecode.SetOuterCk
		g.tdzName(b)
	}
	g.traceName(b.name)
	if b.scope.fn == g.fi && !b.scope.external {
		g.op(inner, src, b.scope.envReg, b.slot)
	} else {
		g.op(outer, src, g.depth(b.scope), b.slot)
	}
}

// init initialises a binding with the value in a register.
func (g *gen) init(b *binding, src uint16) {
	if b.captured {
		g.writeSlot(src, b, false)
	} else {
		g.traceName(b.name)
		g.move(b.reg, src)
	}
}

// ---- Closures ----

// closure emits the creation of a function.
func (g *gen) closure(dst uint16, fi *funcInfo) {
	g.op(bytecode.Closure, dst, g.child(fi), g.inner())
}

// child returns the index of a function in Function.Funcs.
func (g *gen) child(fi *funcInfo) uint16 {
	if i, ok := g.locals[fi]; ok {
		return i
	}
	if len(g.f.Funcs) >= maxICs {
		g.cp.fail(g.fi, "the function is too large: it holds too many functions")
		return 0
	}
	i := uint16(len(g.f.Funcs))
	g.f.Funcs = append(g.f.Funcs, g.cp.index(fi))
	g.locals[fi] = i
	return i
}

// funcOf returns the funcInfo of a function node.
func (g *gen) funcOf(f *syntax.Function) *funcInfo { return g.cp.an.funcs[f] }
