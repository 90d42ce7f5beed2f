package vm

import (
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
)

func itoa(i int) string { return strconv.Itoa(i) }

// step runs before each traced instruction: it ends the one before, whose
// result is in its register now, and begins the next.
func (t *tracer) step(entry bool) error {
	if len(t.notes) >= t.compactAt {
		t.compact()
	}
	f := t.top(entry)
	fr := &t.m.frames[len(t.m.frames)-1]
	if entry {
		t.enter(f, fr)
		return t.m.meter.Err()
	}
	regs := t.m.stack[fr.base : fr.base+len(f.regs)]
	if f.pc >= 0 {
		t.complete(f, fr, regs)
	}
	t.begin(f, fr, regs)
	return t.m.meter.Err()
}

// enter gives the parameters of a call their origins.
func (t *tracer) enter(f *traceFrame, fr *frame) {
	n := len(t.m.frames)
	params := fr.fn.fn.NumParams
	if n < 2 || params == 0 && fr.fn.fn.ArgsReg == bytecode.None {
		if n < 2 {
			return
		}
	}
	caller := &t.m.frames[n-2]
	c := &t.live[n-2]
	if c.fn != caller.fn || c.base != caller.base || c.pc != caller.pc-1 {
		return
	}
	regs := t.m.stack[fr.base:]
	name := t.text(functionLabel(fr.fn.fn.Name))
	site := t.site(c.fn, c.pc)
	direct := fr.dst >= 0 && fr.base == c.base+int(c.in.B) && (c.in.Op == bytecode.Call || c.in.Op == bytecode.New || c.in.Op == bytecode.SuperCall || c.in.Op == bytecode.CallEval)
	if direct {
		argc := int(c.in.C)
		if argc == bytecode.None {
			return
		}
		if w := int(c.in.B); w+1 < len(c.regs) && len(f.regs) > 1 {
			f.regs[1] = c.regs[w+1]
		}
		for i := range params { //meter: the parameters of a function
			if !missing(regs[2+i]) {
				continue
			}
			at := int(c.in.B) + 2 + i
			if i >= argc {
				f.regs[2+i] = t.note(note{kind: noteNoArgument, n: int32(i), site: site, text: name})
			} else if at < len(c.regs) {
				f.regs[2+i] = t.note(note{kind: noteArgument, n: int32(i), site: site, text: name, prev: c.regs[at]})
			}
		}
		return
	}
	if fr.dst >= 0 {
		for i := range params { //meter: the parameters of a function
			if missing(regs[2+i]) {
				f.regs[2+i] = t.note(note{kind: noteArgument, n: int32(i), site: site, text: name})
			}
		}
		return
	}
	c.calls++
	t.enterCallback(f, c, regs, params, site)
}

// enterCallback is enter for a function that a built-in calls. Those of arrays
// pass one element after the other.
func (t *tracer) enterCallback(f, c *traceFrame, regs []Value, params int, site int32) {
	h := t.m.H
	callee, this := c.val[0], c.val[1]
	name := t.calleeName(callee)
	if regs[1] == Undefined && len(f.regs) > 1 {
		f.regs[1] = t.note(note{kind: noteText, site: site, text: t.text(name + " calls it without an object, so there is no this")})
	}
	elem, index := -1, c.calls-1
	if this.IsObject() && h.Obj(this.AsObj()).Class == heap.ClassArray && h.Obj(this.AsObj()).Flags&heap.Sparse == 0 {
		switch name {
		case "map", "forEach", "filter", "find", "findIndex", "some", "every", "flatMap":
			elem = 0
		case "findLast", "findLastIndex":
			elem, index = 0, int(h.Obj(this.AsObj()).Length)-c.calls
		case "reduce":
			elem = 1
			if c.in.C < 2 {
				index++
			}
		case "reduceRight":
			elem, index = 1, int(h.Obj(this.AsObj()).Length)-c.calls
			if c.in.C < 2 {
				index--
			}
		}
	}
	for i := range params { //meter: the parameters of a function
		v := regs[2+i]
		if !missing(v) {
			continue
		}
		switch {
		case i == elem && index >= 0 && uint32(index) < h.Obj(this.AsObj()).ElemLen && sameMissing(h.Elems(this.AsObj())[index], v):
			prev := t.props[propKey{this.AsObj(), heap.IndexKey(uint32(index))}]
			f.regs[2+i] = t.note(note{kind: noteElement, n: int32(index), site: site, text: t.text(name), owner: t.owner(this), prev: prev})
		case elem == 1 && i == 0 && t.passed.set && t.passed.val == v:
			f.regs[2+i] = t.note(note{kind: notePassed, n: 0, site: site, text: t.text(name), prev: t.passed.org})
		default:
			f.regs[2+i] = t.note(note{kind: notePassed, n: int32(i), site: site, text: t.text(name)})
		}
	}
}

// missingNames are the values whose origins are kept, by number.
var missingNames = [...]string{"undefined", "null", "NaN"}

func which(v Value) int32 {
	switch v {
	case Undefined:
		return 0
	case Null:
		return 1
	}
	return 2
}

func sameMissing(a, b Value) bool { return a == b || a == Empty && b == Undefined }

func functionLabel(name string) string {
	if name == "" {
		return "the function"
	}
	return name
}

// calleeName names a function for messages.
func (t *tracer) calleeName(v Value) string {
	if !t.m.IsCallable(v) {
		return "the function"
	}
	if n := t.m.FunctionName(v.AsObj()); n != "" {
		return n
	}
	return "the function"
}

// begin remembers the operands of the instruction that is about to run.
func (t *tracer) begin(f *traceFrame, fr *frame, regs []Value) {
	h := t.m.H
	f.pc = fr.pc
	f.in = fr.fn.code[fr.pc]
	f.calls = 0
	f.result = result{}
	f.mapped = f.mapped[:0]
	in := f.in
	f.val, f.org = [3]Value{Undefined, Undefined, Undefined}, [3]origin{}
	take := func(i int, r uint16) {
		if int(r) < len(regs) {
			if f.val[i] = regs[r]; missing(regs[r]) {
				f.org[i] = f.regs[r]
			}
			if f.org[i] == 0 && regs[r] == Undefined {
				if name := t.registerName(f.fn, f.pc, r); name != "" {
					f.org[i] = t.note(note{kind: noteText, site: t.site(f.fn, f.pc), text: t.text(name + " has no value yet")})
				}
			}
		}
	}
	switch op := in.Op; op {
	case bytecode.LoadK, bytecode.LoadUndef, bytecode.LoadNull, bytecode.NewObject, bytecode.NewArray, bytecode.Closure, bytecode.Class,
		bytecode.RegExp, bytecode.RegExpDyn, bytecode.Rest, bytecode.Arguments, bytecode.MappedArguments, bytecode.GenStart,
		bytecode.GetGlobal, bytecode.GetGlobalSoft, bytecode.GetImport, bytecode.ForInNext:
	case bytecode.CopyEnv:
		take(0, in.A)
	case bytecode.SetEnv, bytecode.SetEnvCk:
		t.setSlot(f, regs[in.B], int(in.C), regs[in.A], f.regs[in.A])
		f.pc = -1
	case bytecode.SetOuter, bytecode.SetOuterCk:
		t.setSlot(f, t.outer(fr, in.B), int(in.C), regs[in.A], f.regs[in.A])
		f.pc = -1
	case bytecode.SetGlobal, bytecode.SetGlobalIf, bytecode.SetGlobalVar, bytecode.InitGlobalLex:
		if k, err := t.m.icKey(fr.fn, in.C); err == nil {
			t.setProp(f, t.m.Global(), k, regs[in.A], f.regs[in.A], noteAssigned)
		}
	case bytecode.SetProp, bytecode.InitField:
		take(0, in.A)
		take(1, in.B)
		if k, err := t.m.icKey(fr.fn, in.C); err == nil && f.val[0].IsObject() {
			t.setProp(f, f.val[0].AsObj(), k, f.val[1], f.org[1], noteStored)
		}
	case bytecode.SetElem, bytecode.InitElem, bytecode.SetPrivate, bytecode.InitPrivate:
		take(0, in.A)
		take(1, in.B)
		take(2, in.C)
		if k, ok := t.plainKey(f.val[1]); ok && f.val[0].IsObject() {
			t.setProp(f, f.val[0].AsObj(), k, f.val[2], f.org[2], noteStored)
		}
	case bytecode.ArrayPush:
		take(0, in.A)
		take(1, in.B)
		if f.val[0].IsObject() && missing(f.val[1]) {
			t.setProp(f, f.val[0].AsObj(), heap.IndexKey(h.Obj(f.val[0].AsObj()).Length), f.val[1], f.org[1], noteStored)
		}
	case bytecode.CheckObjectCoercible, bytecode.Throw, bytecode.Return, bytecode.ReturnDerived:
		take(0, in.A)
		switch op {
		case bytecode.CheckObjectCoercible:
		case bytecode.Throw:
		default:
			t.leave(f, fr)
		}
	case bytecode.JumpTrue, bytecode.JumpFalse, bytecode.JumpUndef, bytecode.JumpNotUndef, bytecode.JumpNullish, bytecode.JumpNotNullish:
		take(0, in.A)
		f.cond = condition{pc: f.pc, operand: bytecode.OperandObject, val: f.val[0], org: f.org[0]}
		f.pc = -1
	case bytecode.Yield, bytecode.YieldRaw, bytecode.AsyncGenYieldStar, bytecode.Await:
		take(0, in.B)
		t.yielded = result{true, f.val[0], f.org[0]}
		if missing(f.val[0]) {
			t.passed = t.yielded
		}
	case bytecode.Call, bytecode.New, bytecode.SuperCall, bytecode.CallEval, bytecode.CallSpread, bytecode.NewSpread, bytecode.SuperCallSpread:
		take(0, in.B)
		take(1, in.B+1)
		if in.C > 0 && in.C != bytecode.None {
			take(2, in.B+2)
			// A promise's resolve function hands its argument on.
			t.passed = result{true, f.val[2], f.org[2]}
		} else {
			t.passed = result{}
		}
	case bytecode.SuperForward:
	case bytecode.IterNext:
		take(0, in.A)
		take(1, in.A+1)
	default:
		switch {
		case op >= bytecode.JLt && op <= bytecode.JNGeI:
			take(0, in.A)
			f.cond = condition{pc: f.pc, operand: bytecode.OperandLeft, val: f.val[0], org: f.org[0]}
			if op < bytecode.JLtI {
				take(1, in.B)
				if !missing(f.val[0]) {
					f.cond = condition{pc: f.pc, operand: bytecode.OperandRight, val: f.val[1], org: f.org[1]}
				}
			}
			f.pc = -1
		case op >= bytecode.AddI && op <= bytecode.UShrI, op == bytecode.GetProp, op == bytecode.GetMethod, op == bytecode.GetLength:
			take(0, in.B)
		default:
			take(0, in.B)
			take(1, in.C)
		}
	}
}

// outer returns the environment that is n away from a frame's own.
func (t *tracer) outer(fr *frame, n uint16) Value {
	env := fr.env
	for ; n > 0; n-- { //meter: nesting of the source text
		env = t.m.H.Word(env.AsBlock(), 0)
	}
	return env
}

// plainKey turns a key into a property key if no script code need run.
func (t *tracer) plainKey(k Value) (Key, bool) {
	if k.IsInt() && k.AsInt() >= 0 || k.IsString() || k.IsSymbol() {
		key, err := t.m.ToKey(k)
		return key, err == nil
	}
	return 0, false
}

func (t *tracer) setSlot(f *traceFrame, env Value, slot int, v Value, o origin) {
	k := slotKey{env.AsBlock(), slot}
	if !missing(v) {
		delete(t.envs, k)
		return
	}
	if name := f.fn.fn.Debug.Name(f.pc); name != "" {
		o = t.note(note{kind: noteAssigned, site: t.site(f.fn, f.pc), text: t.text(name), prev: o})
	}
	if o != 0 {
		put(t, t.envs, k, o)
	}
}

func (t *tracer) setProp(f *traceFrame, o Obj, key Key, v Value, org origin, kind noteKind) {
	k := propKey{o, key}
	if !missing(v) {
		if len(t.props) > 0 {
			delete(t.props, k)
		}
		return
	}
	put(t, t.props, k, t.note(note{kind: kind, site: t.site(f.fn, f.pc), text: t.text(t.m.KeyString(key)), prev: org}))
}

// leave hands the value that a frame returns to whoever gets it.
func (t *tracer) leave(f *traceFrame, fr *frame) {
	v, o := f.val[0], f.org[0]
	t.passed = result{true, v, o}
	if !missing(v) || len(t.m.frames) < 2 || fr.flags&(frameAsync|frameGenerator) != 0 {
		return
	}
	caller := &t.m.frames[len(t.m.frames)-2]
	c := &t.live[len(t.m.frames)-2]
	switch {
	case c.fn != caller.fn || c.base != caller.base || c.pc != caller.pc-1:
	case fr.dst < 0:
		if c.in.Op == bytecode.Call && len(c.mapped) < maxMapped && t.calleeName(c.val[0]) == "map" {
			if len(c.mapped) == cap(c.mapped) {
				t.grow(int64(8 + 8*cap(c.mapped)))
			}
			org := t.note(note{kind: noteReturned, site: t.site(c.fn, c.pc), text: t.text("the callback of map"), prev: o})
			c.mapped = append(c.mapped, mapped{uint32(c.calls - 1), org})
		}
	default:
		c.result = result{true, v, t.note(note{kind: noteReturned, site: t.site(c.fn, c.pc), text: t.text(functionLabel(fr.fn.fn.Name)), prev: o})}
	}
}

// complete notes where the result of the instruction that has run came from.
func (t *tracer) complete(f *traceFrame, fr *frame, regs []Value) {
	in := f.in
	pc := f.pc
	f.pc = -1
	dst := in.A
	if in.Op == bytecode.IterNext || in.Op == bytecode.IterUnwrap || in.Op == bytecode.IterCallNext || in.Op == bytecode.IterRest || in.Op == bytecode.ForInNext {
		dst = in.B
	}
	switch in.Op {
	case bytecode.SetProp, bytecode.SetElem, bytecode.SetPrivate, bytecode.InitPrivate, bytecode.InitField, bytecode.InitElem,
		bytecode.ArrayPush, bytecode.ArraySpread, bytecode.CheckObjectCoercible, bytecode.Throw, bytecode.Return, bytecode.ReturnDerived,
		bytecode.SetGlobal, bytecode.SetGlobalIf, bytecode.SetGlobalVar, bytecode.InitGlobalLex, bytecode.CopyProps, bytecode.SetSuper,
		bytecode.GenStart:
		return
	case bytecode.CopyEnv:
		t.copyEnv(f.val[0], regs[in.A])
		return
	}
	if int(dst) >= len(regs) {
		return
	}
	v := regs[dst]
	if v.IsObject() {
		t.object(f, pc, v)
		return
	}
	if !missing(v) {
		return
	}
	o := t.originOf(f, fr, pc, v, regs)
	if name := t.registerName(f.fn, pc, dst); name != "" && (o == 0 || t.notes[o].kind != noteAssigned || t.texts[t.notes[o].text] != name) {
		o = t.note(note{kind: noteAssigned, site: t.site(f.fn, pc), text: t.text(name), prev: o})
	}
	f.regs[dst] = o
}

// registerName returns the variable that lives in a register.
func (t *tracer) registerName(fn *fnState, pc int, reg uint16) string {
	k := regSite{traceSite{fn, pc}, reg}
	if id, ok := t.regOf[k]; ok {
		return t.texts[id]
	}
	name := findRegister(fn, pc, reg)
	t.grow(siteBytes)
	t.regOf[k] = t.text(name)
	return name
}

func findRegister(fn *fnState, pc int, reg uint16) string {
	p := fn.prog.p
	for s := fn.fn.Debug.ScopeAt(pc); s >= 0; s = p.DebugScopes[s].Parent { //meter: nesting of the source text
		d := &p.DebugScopes[s]
		if int(d.Func) != fn.fn.Index {
			break
		}
		for i := range d.Vars { //meter: names of the source text
			if v := &d.Vars[i]; !v.Captured && v.At == reg {
				return v.Name
			}
		}
	}
	return ""
}

// copyEnv is for a loop's next iteration, which has an environment of its own.
func (t *tracer) copyEnv(from, to Value) {
	if !from.IsEnv() || !to.IsEnv() || len(t.envs) == 0 {
		return
	}
	for i := range len(t.m.H.Values(to.AsBlock())) { //meter: variables of the source text
		if o, ok := t.envs[slotKey{from.AsBlock(), i}]; ok {
			put(t, t.envs, slotKey{to.AsBlock(), i}, o)
		}
	}
}

// object notes where an object was made, or first seen.
func (t *tracer) object(f *traceFrame, pc int, v Value) {
	o := v.AsObj()
	what := ""
	switch f.in.Op {
	case bytecode.NewObject, bytecode.NewArray, bytecode.RegExp, bytecode.RegExpDyn, bytecode.ObjRest, bytecode.Rest:
		what = t.kindOf(v)
	case bytecode.Closure, bytecode.Class, bytecode.Arguments, bytecode.MappedArguments:
		return
	case bytecode.New, bytecode.NewSpread:
		if _, ok := t.made[o]; ok {
			return
		}
		what = t.kindOf(v)
		if t.m.H.Obj(o).Class == heap.ClassDate && f.in.Op == bytecode.New {
			args := ""
			if f.in.C > 0 {
				args = t.brief(f.val[2])
			}
			put(t, t.made, o, t.note(note{kind: noteCreated, site: t.site(f.fn, pc), text: t.text("Date made by new Date(" + args + ")"), prev: f.org[2]}))
			return
		}
	case bytecode.Call, bytecode.CallSpread:
		if _, ok := t.made[o]; ok || t.m.H.Obj(o).Flags&heap.Callable != 0 {
			return
		}
		for _, x := range f.mapped { //meter: as many as the callback was called
			if e, _, ok := t.m.H.GetElem(o, x.index); ok && missing(e) {
				put(t, t.props, propKey{o, heap.IndexKey(x.index)}, x.org)
			}
		}
		if _, ok := t.paths[o]; ok {
			return
		}
		if t.m.H.Obj(o).Class == heap.ClassPromise {
			put(t, t.made, o, t.note(note{kind: noteCreated, site: t.site(f.fn, pc), text: t.text("promise that " + t.calleeName(f.val[0]) + " returned"), n: 1}))
			return
		}
		if f.val[0].IsObject() && t.m.H.Obj(f.val[0].AsObj()).Class == heap.ClassNative {
			if name := t.calleeName(f.val[0]); name == "parse" || name == "structuredClone" {
				if name == "parse" {
					name = "JSON.parse"
				}
				t.m.NamePaths(v, name+"(…)")
				return
			}
			put(t, t.made, o, t.note(note{kind: noteCreated, site: t.site(f.fn, pc), text: t.text(lowerKind(t.kindOf(v)) + " that " + t.calleeName(f.val[0]) + " returned"), n: 1}))
		}
		return
	default:
		return
	}
	put(t, t.made, o, t.note(note{kind: noteCreated, site: t.site(f.fn, pc), text: t.text(what)}))
}

// lowerKind names the kinds that need no class for their name.
func lowerKind(kind string) string {
	switch kind {
	case "Array":
		return "array"
	case "Object":
		return "object"
	}
	return kind
}

// originOf finds where the value came from that an instruction left in its
// register.
func (t *tracer) originOf(f *traceFrame, fr *frame, pc int, v Value, regs []Value) origin {
	in, h := f.in, t.m.H
	site := t.site(f.fn, pc)
	switch in.Op {
	case bytecode.LoadUndef:
		if in.B == bytecode.UndefChain {
			return t.note(note{kind: noteLiteral, n: bytecode.UndefChain, site: site, prev: f.cond.org, text: t.exprText(f.fn, f.cond.pc, f.cond.operand)})
		}
		return t.note(note{kind: noteLiteral, n: int32(in.B), site: site, text: t.text(functionLabel(f.fn.fn.Name))})
	case bytecode.LoadNull, bytecode.LoadK:
		return t.note(note{kind: noteLiteral, n: bytecode.UndefLiteral, site: site, text: t.text(t.brief(v))})
	case bytecode.Move, bytecode.ToNumeric:
		if v == f.val[0] || in.Op == bytecode.Move {
			return f.org[0]
		}
		return t.arithmetic(f, pc, site)
	case bytecode.GetEnv:
		return t.envs[slotKey{regs[in.B].AsBlock(), int(in.C)}]
	case bytecode.GetOuter:
		return t.envs[slotKey{t.outer(fr, in.B).AsBlock(), int(in.C)}]
	case bytecode.GetImport:
		if b := f.fn.prog.module.imports[in.BC()]; b.slot >= 0 && b.module.env.IsEnv() {
			return t.envs[slotKey{b.module.env.AsBlock(), b.slot}]
		}
	case bytecode.GetGlobal, bytecode.GetGlobalSoft:
		if k, err := t.m.icKey(f.fn, in.C); err == nil {
			return t.props[propKey{t.m.Global(), k}]
		}
	case bytecode.GetProp, bytecode.GetMethod, bytecode.GetLength:
		if k, err := t.m.icKey(f.fn, in.C); err == nil {
			return t.property(f, site, f.val[0], k, v)
		}
	case bytecode.GetElem, bytecode.GetMethodElem, bytecode.GetPrivate:
		if k, ok := t.plainKey(f.val[1]); ok {
			return t.property(f, site, f.val[0], k, v)
		}
		if missing(f.val[1]) {
			return t.note(note{kind: noteText, site: site, text: t.text("the key is " + t.brief(f.val[1])), prev: f.org[1]})
		}
		return t.note(note{kind: noteMissing, site: site, text: t.text(t.brief(f.val[1])), owner: t.owner(f.val[0]), of: t.text(t.kindOf(f.val[0])), list: t.keysOf(f.val[0])})
	case bytecode.GetSuper:
		if k, ok := t.plainKey(f.val[1]); ok {
			return t.property(f, site, f.val[0], k, v)
		}
	case bytecode.CallEval:
		if f.result.set && f.result.val == v {
			return f.result.org
		}
		if t.passed.set && t.passed.val == v {
			return t.passed.org
		}
		return t.built(f, site, v)
	case bytecode.Call, bytecode.CallSpread:
		if f.result.set && f.result.val == v {
			return f.result.org
		}
		return t.built(f, site, v)
	case bytecode.Await:
		if f.val[0].IsObject() {
			return t.note(note{kind: noteAwaited, site: site, prev: t.promises[f.val[0].AsObj()]})
		}
		return t.note(note{kind: noteAwaited, site: site, prev: f.org[0]})
	case bytecode.Yield:
		return t.note(note{kind: noteText, site: site, text: t.text("the value that next() was called with")})
	case bytecode.IterNext:
		if regs[in.A] == Undefined { // done: the register keeps what it had
			n := t.notes[f.regs[in.B]]
			if n.kind == noteAssigned {
				n = t.notes[n.prev]
			}
			if n.kind == noteLiteral && n.n == bytecode.UndefElement && f.val[1].IsInternal() && f.val[0].IsObject() {
				return t.note(note{kind: notePastEnd, site: site, n: int32(f.val[1].AsNumber()), m: int32(h.Obj(f.val[0].AsObj()).Length), owner: t.owner(f.val[0])})
			}
			return f.regs[in.B]
		}
		if f.val[1].IsInternal() && f.val[0].IsObject() {
			return t.property(f, site, f.val[0], heap.IndexKey(f.val[1].AsNumber()), v)
		}
		if t.yielded.set && t.yielded.val == v {
			return t.note(note{kind: noteText, site: site, text: t.text("yielded by the generator"), prev: t.yielded.org})
		}
		return t.note(note{kind: noteText, site: site, text: t.text("what the iterator gave")})
	case bytecode.Add, bytecode.Sub, bytecode.Mul, bytecode.Div, bytecode.Mod, bytecode.Exp, bytecode.AddI, bytecode.SubI, bytecode.MulI,
		bytecode.ToNumber, bytecode.Neg, bytecode.Inc, bytecode.Dec:
		return t.arithmetic(f, pc, site)
	}
	return 0
}

var operators = map[bytecode.Op]string{
	bytecode.Add: "+", bytecode.Sub: "-", bytecode.Mul: "*", bytecode.Div: "/", bytecode.Mod: "%", bytecode.Exp: "**",
	bytecode.AddI: "+", bytecode.SubI: "-", bytecode.MulI: "*", bytecode.Inc: "++", bytecode.Dec: "--",
}

// arithmetic tells which operation made NaN of what.
func (t *tracer) arithmetic(f *traceFrame, pc int, site int32) origin {
	in := f.in
	op := operators[in.Op]
	text := ""
	prev := f.org[0]
	switch in.Op {
	case bytecode.ToNumber, bytecode.ToNumeric:
		text = "the number of " + t.brief(f.val[0])
	case bytecode.Neg:
		text = "-" + t.brief(f.val[0])
	case bytecode.Inc, bytecode.Dec:
		text = t.brief(f.val[0]) + op
	case bytecode.AddI, bytecode.SubI, bytecode.MulI:
		text = t.brief(f.val[0]) + " " + op + " " + itoa(int(int16(in.C)))
	default:
		text = t.brief(f.val[0]) + " " + op + " " + t.brief(f.val[1])
		if !missing(f.val[0]) || f.val[0] == Null && missing(f.val[1]) {
			prev = f.org[1]
		}
	}
	if n := t.notes[prev].kind; n == noteNaN || n == noteAssigned && t.fromNaN(prev) {
		return prev // NaN stays NaN: how it came to be says more
	}
	return t.note(note{kind: noteNaN, site: site, text: t.text(text), prev: prev})
}

// fromNaN reports that a value was assigned that an operation made NaN.
func (t *tracer) fromNaN(o origin) bool {
	for o != 0 && t.notes[o].kind == noteAssigned { //meter: at most maxChain
		o = t.notes[o].prev
	}
	return t.notes[o].kind == noteNaN
}

// brief renders a value in a few characters.
func (t *tracer) brief(v Value) string {
	s := ""
	switch {
	case v.IsString():
		s = strconv.Quote(t.m.short(v.AsStr()))
	case v.IsObject():
		s = t.kindOf(v)
		switch {
		case s == "Array":
			return "an array"
		case s == "Object":
			return "an object"
		}
		if s != "" && strings.ContainsRune("AEIOU", rune(s[0])) {
			return "an " + s
		}
		return "a " + s
	default:
		s = t.m.Describe(v)
	}
	if r := []rune(s); len(r) > 24 {
		s = string(r[:23]) + "…"
	}
	return s
}

// entry renders the key of an entry.
func (t *tracer) entry(v Value) string {
	if v.IsString() {
		return quoteKey(t.m.short(v.AsStr()))
	}
	return "entry for " + t.brief(v)
}

// property finds why reading a property gave nothing.
func (t *tracer) property(f *traceFrame, site int32, of Value, key Key, v Value) origin {
	m := t.m
	if f.result.set { // a getter's
		return f.result.org
	}
	name := t.text(m.KeyString(key))
	if of.IsString() && key.IsIndex() {
		return t.note(note{kind: noteText, site: site, text: t.text("character " + m.KeyString(key) + " of a string of length " + itoa(m.H.Len(of.AsStr())))})
	}
	if !of.IsObject() {
		return t.note(note{kind: noteMissing, site: site, text: name, owner: t.owner(of), of: t.text(t.kindOf(of)), list: t.keysOf(of)})
	}
	o := of.AsObj()
	if org, ok := t.props[propKey{o, key}]; ok {
		return org
	}
	rec := m.H.Obj(o)
	found := false
	for p, n := o, 0; p != 0 && n < 1000; n++ { //meter: as getting the property did
		if m.H.Obj(p).Class == heap.ClassProxy {
			return 0
		}
		if org, ok := t.props[propKey{p, key}]; ok {
			return org
		}
		_, _, ok, err := m.ownRaw(p, key)
		if err != nil { //meter: sticky, if it is a limit
			return 0
		}
		if ok {
			found = true
			break
		}
		p = m.H.Proto(p)
	}
	switch {
	case found:
		return t.note(note{kind: noteHolds, site: site, text: name, owner: t.owner(of), n: which(v)})
	case key.IsIndex() && rec.Class == heap.ClassArray && key.Index() >= rec.Length:
		return t.note(note{kind: notePastEnd, site: site, n: int32(key.Index()), m: int32(rec.Length), owner: t.owner(of)})
	}
	return t.note(note{kind: noteMissing, site: site, text: name, owner: t.owner(of), of: t.text(t.kindOf(of)), list: t.keysOf(of)})
}

// owner returns the note of what an object is: where it came from.
func (t *tracer) owner(v Value) origin {
	if !v.IsObject() {
		return t.note(note{kind: noteText, site: -1, text: t.text(t.brief(v))})
	}
	o := v.AsObj()
	if i, ok := t.paths[o]; ok {
		return t.note(note{kind: notePath, site: -1, text: t.text(t.path(i)), n: int32(t.m.H.Obj(o).Class)})
	}
	if org, ok := t.made[o]; ok {
		return org
	}
	if t.m.H.Obj(o).Flags&heap.Callable != 0 {
		return t.note(note{kind: noteText, site: -1, text: t.text("the function " + t.calleeName(v))})
	}
	return t.note(note{kind: noteText, site: -1, text: t.text(t.brief(v))})
}

// kindOf names what a value is: its class.
func (t *tracer) kindOf(v Value) string {
	switch {
	case v.IsString():
		return "String"
	case v.IsNumber():
		return "Number"
	case v.IsBool():
		return "Boolean"
	case v.IsSymbol():
		return "Symbol"
	case v.IsBigInt():
		return "BigInt"
	case !v.IsObject():
		return ""
	}
	o := v.AsObj()
	switch rec := t.m.H.Obj(o); {
	case rec.Flags&heap.Callable != 0:
		return "Function"
	case rec.Class == heap.ClassPromise:
		return "Promise"
	case rec.Class == heap.ClassArray:
		return "Array"
	}
	return t.m.ConstructorName(o)
}

// keysOf lists the keys of an object, and those that it inherits from other
// prototypes than Object.prototype.
func (t *tracer) keysOf(v Value) int32 {
	o := t.base(v)
	if o == 0 || o == t.m.intrinsics[ObjectPrototype] {
		return 0
	}
	shape := t.m.H.Obj(o).Shape
	if id, ok := t.listOf[shape]; ok {
		return id
	}
	list := keyList{}
	list.keys = t.ownNames(o, nil, maxOwnKeys)
	list.own = len(list.keys)
	if !v.IsObject() {
		list.own = 0
	}
	for p, n := t.m.H.Proto(o), 0; p != 0 && p != t.m.intrinsics[ObjectPrototype] && n < 20; n++ { //meter: at most 20
		list.keys = t.ownNames(p, list.keys, 4*maxOwnKeys)
		if t.m.H.Obj(p).Class == heap.ClassProxy {
			break
		}
		p = t.m.H.Proto(p)
	}
	id := int32(len(t.lists))
	t.grow(int64(len(list.keys))*32 + 64)
	t.lists = append(t.lists, list)
	t.listOf[shape] = id
	return id
}

// base is the object whose properties a value has.
func (t *tracer) base(v Value) Obj {
	if v.IsObject() {
		if t.m.H.Obj(v.AsObj()).Class == heap.ClassProxy {
			return 0
		}
		return v.AsObj()
	}
	if v.IsNullish() {
		return 0
	}
	return t.m.protoOfPrimitive(v)
}

// ownNames appends the named properties of an object, up to a number of them
// all.
func (t *tracer) ownNames(o Obj, to []string, limit int) []string {
	h := t.m.H
	rec := h.Obj(o)
	if rec.Class == heap.ClassProxy {
		return to
	}
	if rec.Flags&heap.LazyProps == 0 {
		if t.m.Charge(h.NumNamed(o)/4) != nil {
			return to
		}
		for _, p := range h.Named(o, nil) { //meter: charged above
			if len(to) >= limit {
				return to
			}
			if !h.IsSymbolCell(p.Name) && h.Len(p.Name) <= 100 {
				to = append(to, h.GoString(p.Name))
			}
		}
	}
	if rec.Class == heap.ClassArray {
		to = append(to, "length")
	}
	return to
}

// built tells what a built-in or host function gave.
func (t *tracer) built(f *traceFrame, site int32, v Value) origin {
	callee, this, arg := f.val[0], f.val[1], f.val[2]
	if !callee.IsObject() {
		return 0
	}
	rec := t.m.H.Obj(callee.AsObj())
	name := t.calleeName(callee)
	if rec.Class == heap.ClassHostFunction {
		return t.note(note{kind: noteText, site: site, text: t.text("the result of the host call " + t.m.hosts[rec.Length].name)})
	}
	if rec.Class == heap.ClassFunction {
		return t.note(note{kind: noteReturned, site: site, text: t.text(functionLabel(name))})
	}
	what := ""
	argc := 0
	if f.in.Op == bytecode.Call {
		argc = int(f.in.C)
	}
	class := heap.ClassObject
	if this.IsObject() {
		class = t.m.H.Obj(this.AsObj()).Class
	}
	switch name {
	case "find", "findLast":
		if v == Undefined {
			what = name + " returned undefined: no element matched"
		}
	case "get":
		if class == heap.ClassMap && v == Undefined && argc > 0 {
			pos, err := t.m.H.TableFind(t.m.H.Obj(this.AsObj()).Data.AsBlock(), heap.NormalizeKey(arg))
			if err == nil && pos < 0 {
				what = "Map.get found no " + t.entry(arg)
			} else {
				what = "Map.get found undefined for " + t.entry(arg)
			}
		}
	case "pop", "shift":
		if class == heap.ClassArray && v == Undefined {
			what = name + " returned undefined: the array was empty"
			if t.m.H.Obj(this.AsObj()).Length > 0 {
				what = name + " returned undefined"
			}
		}
	case "at":
		if class == heap.ClassArray && v == Undefined && argc > 0 {
			what = "at(" + t.brief(arg) + ") of an array of length " + itoa(int(t.m.H.Obj(this.AsObj()).Length))
		}
	case "match", "exec":
		if v == Null {
			what = name + " returned null: nothing matched"
		}
	case "forEach":
		what = "forEach returns undefined always"
	case "push", "sort":
	}
	if what == "" && v.IsDouble() && argc > 0 {
		what = name + "(" + t.brief(arg) + ") is NaN"
	}
	if what == "" {
		what = name + " returned " + t.brief(v)
	}
	n := note{kind: noteText, site: site, text: t.text(what)}
	if v.IsDouble() {
		if n.prev = f.org[2]; class == heap.ClassDate {
			n.prev = t.made[this.AsObj()]
		}
	}
	return t.note(n)
}
