package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
)

// immediateOf is the operator of an instruction with an immediate operand.
var immediateOf = [...]bytecode.Op{
	bytecode.Add, bytecode.Sub, bytecode.Mul, bytecode.BitAnd, bytecode.BitOr, bytecode.Shl, bytecode.Shr, bytecode.UShr,
}

// run executes frames until only stop of them are left, and returns the value
// of the last one to leave. It is the interpreter's one loop: calls from
// script to script push a frame and stay in it.
//
// Every value the script can reach is in a register whenever a charging
// instruction runs, so that is where collections happen. Code that may run
// script or grow the stack is followed by a jump to store, next or reload,
// which fetch the frame and its registers anew.
func (m *Machine) run(stop int) (Value, error) {
	var (
		h     = m.H
		slice = m.slice
		fr    *frame
		fn    *fnState
		code  []bytecode.Instr
		regs  []Value
		pc    int
		in    bytecode.Instr
		v     Value
		err   error
		done  bool
	)
reload:
	fr = &m.frames[len(m.frames)-1]
	fn = fr.fn
	code = fn.code
	pc = fr.pc
	regs = m.stack[fr.base : fr.base+int(fn.nregs)]

	for {
		in = code[pc]
		pc++
	dispatch:
		switch in.Op {
		case bytecode.Nop:
		case bytecode.Fuel:
			if *slice -= int64(in.BC()); *slice < 0 {
				in.B, in.C = 0, 0
				goto slow
			}

		// Loads -----------------------------------------------------------
		case bytecode.LoadK:
			if v = fn.prog.consts[in.BC()]; v != 0 {
				regs[in.A] = v
				continue
			}
			if v, err = m.constant(fn.prog, in.BC()); err != nil {
				goto fail
			}
			regs[in.A] = v
		case bytecode.LoadInt:
			regs[in.A] = heap.Int(int32(in.BC()))
		case bytecode.LoadUndef:
			regs[in.A] = Undefined
		case bytecode.LoadNull:
			regs[in.A] = Null
		case bytecode.LoadTrue:
			regs[in.A] = True
		case bytecode.LoadFalse:
			regs[in.A] = False
		case bytecode.LoadEmpty:
			regs[in.A] = Empty
		case bytecode.Move:
			regs[in.A] = regs[in.B]
		case bytecode.LoadNewTarget:
			regs[in.A] = fr.newTarget
		case bytecode.LoadGlobalThis:
			regs[in.A] = heap.ObjectValue(m.intrinsics[GlobalObject])
		case bytecode.CheckTDZ:
			if regs[in.A] == Empty {
				fr.pc = pc
				err = m.tdzError(fn, in.BC())
				goto fail
			}
		case bytecode.CheckThis:
			if regs[in.A] == Empty {
				fr.pc = pc
				err = m.ReferenceError("Must call super constructor in derived class before accessing 'this' or returning from derived constructor")
				goto fail
			}

		// Environments ----------------------------------------------------
		case bytecode.NewEnv:
			v = fr.env
			if in.B != bytecode.None {
				v = regs[in.B]
			}
			if v, err = h.NewEnv(v, int(in.C)); err != nil {
				goto fail
			}
			regs[in.A] = v
		case bytecode.CopyEnv:
			if v, err = h.CopyEnv(regs[in.A]); err != nil {
				goto fail
			}
			regs[in.A] = v
		case bytecode.GetEnv:
			if v = h.Word(regs[in.B].AsBlock(), int(in.C)+1); v == Empty {
				fr.pc = pc
				err = m.tdzAt(fn, pc)
				goto fail
			}
			regs[in.A] = v
		case bytecode.SetEnv:
			h.SetWord(regs[in.B].AsBlock(), int(in.C)+1, regs[in.A])
		case bytecode.SetEnvCk:
			b := regs[in.B].AsBlock()
			if h.Word(b, int(in.C)+1) == Empty {
				fr.pc = pc
				err = m.tdzAt(fn, pc)
				goto fail
			}
			h.SetWord(b, int(in.C)+1, regs[in.A])
		case bytecode.GetOuter:
			env := fr.env
			for n := in.B; n > 0; n-- { //meter: the compiler charges for the way out
				env = h.Word(env.AsBlock(), 0)
			}
			if v = h.Word(env.AsBlock(), int(in.C)+1); v == Empty {
				fr.pc = pc
				err = m.tdzAt(fn, pc)
				goto fail
			}
			regs[in.A] = v
		case bytecode.SetOuter, bytecode.SetOuterCk:
			env := fr.env
			for n := in.B; n > 0; n-- { //meter: the compiler charges for the way out
				env = h.Word(env.AsBlock(), 0)
			}
			if in.Op == bytecode.SetOuterCk && h.Word(env.AsBlock(), int(in.C)+1) == Empty {
				fr.pc = pc
				err = m.tdzAt(fn, pc)
				goto fail
			}
			h.SetWord(env.AsBlock(), int(in.C)+1, regs[in.A])
		case bytecode.OuterEnv:
			env := fr.env
			for n := in.B; n > 0; n-- { //meter: the compiler charges for the way out
				env = h.Word(env.AsBlock(), 0)
			}
			regs[in.A] = env

		// Globals ---------------------------------------------------------
		case bytecode.GetGlobal:
			c := &fn.ics[in.C]
			if c.holder != 0 && c.epoch == h.Epoch {
				if rec := h.Obj(c.holder); rec.Shape == c.shape {
					if v = h.Slot(rec, int(c.slot)); v != Empty {
						regs[in.A] = v
						continue
					}
				}
			}
			fr.pc = pc
			v, err = m.getGlobal(fn, in.C, false)
			goto store
		case bytecode.SetGlobal:
			c := &fn.ics[in.C]
			if c.holder != 0 && c.epoch == h.Epoch && c.to != 0 {
				if rec := h.Obj(c.holder); rec.Shape == c.shape && h.Slot(rec, int(c.slot)) != Empty {
					h.SetSlot(c.holder, int(c.slot), regs[in.A])
					continue
				}
			}
			fr.pc = pc
			err = m.setGlobal(fn, in.C, regs[in.A], true)
			goto next
		case bytecode.SetGlobalVar:
			fr.pc = pc
			err = m.setGlobalVar(fn, in.C, regs[in.A])
			goto next
		// Properties ------------------------------------------------------
		case bytecode.GetProp:
			c := &fn.ics[in.C]
			v = regs[in.B]
			if v.IsObject() {
				rec := h.Obj(v.AsObj())
				if rec.Shape == c.shape {
					if c.holder == 0 {
						if c.slot < heap.InlineSlots {
							regs[in.A] = rec.Inline[c.slot]
						} else {
							regs[in.A] = h.Word(rec.Slots, int(c.slot)-heap.InlineSlots)
						}
						continue
					}
					if c.epoch == h.Epoch && c.kind == icData {
						regs[in.A] = h.Slot(h.Obj(c.holder), int(c.slot))
						continue
					}
				}
			}
			fr.pc = pc
			v, done, err = m.getProp(fn, in.C, v, fr.base+int(in.A))
			if done {
				goto reload // a getter's frame was pushed
			}
			goto store
		case bytecode.GetMethod:
			c := &fn.ics[in.C]
			v = regs[in.B]
			regs[in.A+1] = v
			if v.IsObject() {
				rec := h.Obj(v.AsObj())
				if rec.Shape == c.shape {
					if c.holder == 0 {
						regs[in.A] = h.Slot(rec, int(c.slot))
						continue
					}
					if c.epoch == h.Epoch && c.kind == icData {
						regs[in.A] = h.Slot(h.Obj(c.holder), int(c.slot))
						continue
					}
				}
			} else if c.kind == icPrimitive {
				if p := m.protoOfPrimitive(v); p == c.holder && p != 0 {
					if rec := h.Obj(p); rec.Shape == c.shape {
						regs[in.A] = h.Slot(rec, int(c.slot))
						continue
					}
				}
			}
			fr.pc = pc
			v, done, err = m.getProp(fn, in.C, v, fr.base+int(in.A))
			if done {
				goto reload
			}
			goto store
		case bytecode.GetLength:
			v = regs[in.B]
			if v.IsObject() {
				if rec := h.Obj(v.AsObj()); rec.Class == heap.ClassArray {
					regs[in.A] = arrayLength(rec)
					continue
				}
			} else if v.IsString() {
				regs[in.A] = heap.Int(int32(h.Len(v.AsStr())))
				continue
			}
			fr.pc = pc
			v, done, err = m.getProp(fn, in.C, v, fr.base+int(in.A))
			if done {
				goto reload
			}
			goto store
		case bytecode.SetProp:
			c := &fn.ics[in.C]
			v = regs[in.A]
			if v.IsObject() {
				o := v.AsObj()
				rec := h.Obj(o)
				if rec.Shape == c.shape {
					if c.to == 0 {
						if c.slot < heap.InlineSlots {
							h.ObjW(o).Inline[c.slot] = regs[in.B]
						} else {
							h.SetWord(rec.Slots, int(c.slot)-heap.InlineSlots, regs[in.B])
						}
						continue
					}
					if c.epoch == h.Epoch {
						h.AddSlot(o, c.to, int(c.slot), regs[in.B])
						continue
					}
				}
			}
			fr.pc = pc
			err = m.setProp(fn, in.C, v, regs[in.B])
			goto next
		case bytecode.GetElem:
			v = regs[in.B]
			k := regs[in.C]
			if k.IsInt() && v.IsObject() {
				rec := h.Obj(v.AsObj())
				i := uint32(k.AsInt())
				if i < rec.ElemLen && rec.Flags&(heap.Sparse|heap.Exotic) == 0 {
					if x := h.Word(rec.Elems, int(i)); x != Empty {
						regs[in.A] = x
						continue
					}
				} else if rec.Class == heap.ClassTypedArray {
					if x, ok := m.typedFast(rec, i); ok {
						regs[in.A] = x
						continue
					}
				}
			}
			fr.pc = pc
			v, done, err = m.getElem(v, k, fr.base+int(in.A))
			if done {
				goto reload
			}
			goto store
		case bytecode.SetElem:
			v = regs[in.A]
			k := regs[in.B]
			if k.IsInt() && v.IsObject() {
				o := v.AsObj()
				rec := h.Obj(o)
				i := uint32(k.AsInt())
				if i < rec.ElemLen && rec.Flags&(heap.Sparse|heap.Exotic|heap.ElemsFrozen) == 0 {
					if h.Word(rec.Elems, int(i)) != Empty {
						h.SetWord(rec.Elems, int(i), regs[in.C])
						continue
					}
				} else if i == rec.ElemLen && i == rec.Length && rec.Class == heap.ClassArray && m.mayPush(rec) {
					if err = h.Push(o, regs[in.C]); err != nil {
						goto fail
					}
					continue
				} else if rec.Class == heap.ClassTypedArray && regs[in.C].IsNumber() {
					if m.typedFastSet(rec, i, regs[in.C]) {
						continue
					}
				}
			}
			fr.pc = pc
			err = m.setElem(fn, v, k, regs[in.C])
			goto next
		case bytecode.GetMethodElem:
			v = regs[in.B]
			k := regs[in.C]
			regs[in.A+1] = v
			fr.pc = pc
			v, done, err = m.getElem(v, k, fr.base+int(in.A))
			if done {
				goto reload
			}
			goto store
		// Private names ---------------------------------------------------
		case bytecode.GetPrivate:
			v = regs[in.B]
			k := regs[in.C]
			if v.IsObject() {
				if x, a, ok := h.GetNamed(v.AsObj(), k.AsStr()); ok && a&heap.Accessor == 0 {
					regs[in.A] = x
					continue
				}
			}
			fr.pc = pc
			v, err = m.getPrivate(v, k)
			goto store
		case bytecode.SetPrivate:
			v = regs[in.A]
			k := regs[in.B]
			if v.IsObject() {
				rec := h.Obj(v.AsObj())
				if slot, a, ok := h.Lookup(rec.Shape, k.AsStr()); ok && a&(heap.Accessor|heap.Writable) == heap.Writable {
					h.SetSlot(v.AsObj(), slot, regs[in.C])
					continue
				}
			}
			fr.pc = pc
			err = m.setPrivate(v, k, regs[in.C])
			goto next
		// Literals and classes --------------------------------------------
		case bytecode.NewObject:
			regs[in.A] = heap.ObjectValue(h.NewObject(m.shapes.object, heap.ClassObject))
		case bytecode.NewArray:
			o := h.NewObject(m.shapes.array, heap.ClassArray)
			regs[in.A] = heap.ObjectValue(o)
			if n := in.BC(); n > 0 {
				if err = h.EnsureElems(o, int(n)); err != nil {
					goto fail
				}
			}
		case bytecode.ArrayPush:
			if err = h.Push(regs[in.A].AsObj(), regs[in.B]); err != nil {
				goto fail
			}
		case bytecode.InitField:
			c := &fn.ics[in.C]
			o := regs[in.A].AsObj()
			if h.Obj(o).Shape == c.shape && c.to != 0 {
				h.AddSlot(o, c.to, int(c.slot), regs[in.B])
				continue
			}
			fr.pc = pc
			err = m.initField(fn, in.C, o, regs[in.B])
			goto next
		case bytecode.ToKey:
			v = regs[in.B]
			if v.IsInt() && v.AsInt() >= 0 || v.IsString() || v.IsSymbol() {
				regs[in.A] = v
				continue
			}
			fr.pc = pc
			v, err = m.toKeyValue(v)
			goto store
		case bytecode.Closure:
			env := fr.env
			if in.C != bytecode.None {
				env = regs[in.C]
			}
			regs[in.A] = heap.ObjectValue(m.newClosure(m.fnAt(fn.prog, int(fn.fn.Funcs[in.B])), env))
		// Conversions and unary operators ---------------------------------
		case bytecode.ToNumeric, bytecode.ToNumber:
			v = regs[in.B]
			if v.IsNumber() {
				regs[in.A] = v
				continue
			}
			fr.pc = pc
			if in.Op == bytecode.ToNumber {
				v, err = m.ToNumber(v)
			} else {
				v, err = m.ToNumeric(v)
			}
			goto store
		case bytecode.ToString:
			v = regs[in.B]
			if v.IsString() {
				regs[in.A] = v
				continue
			}
			fr.pc = pc
			var s Str
			s, err = m.ToString(v)
			v = heap.StringValue(s)
			goto store
		case bytecode.CheckObjectCoercible:
			if regs[in.A].IsNullish() {
				fr.pc = pc
				err = m.notDestructurable(fn, regs[in.A], in.BC())
				goto fail
			}
		case bytecode.Neg:
			v = regs[in.B]
			if v.IsInt() && v.AsInt() != 0 && v.AsInt() != -1<<31 {
				regs[in.A] = heap.Int(-v.AsInt())
				continue
			}
			if v.IsNumber() {
				regs[in.A] = heap.Float(-v.AsFloat())
				continue
			}
			fr.pc = pc
			v, err = m.unary(in.Op, v)
			goto store
		case bytecode.Not:
			v = regs[in.B]
			switch v {
			case True:
				regs[in.A] = False
			case False:
				regs[in.A] = True
			default:
				regs[in.A] = heap.Bool(!m.ToBoolean(v))
			}
		case bytecode.BitNot:
			v = regs[in.B]
			if v.IsInt() {
				regs[in.A] = heap.Int(^v.AsInt())
				continue
			}
			fr.pc = pc
			v, err = m.unary(in.Op, v)
			goto store
		case bytecode.Inc:
			v = regs[in.B]
			if v.IsInt() && v.AsInt() != 1<<31-1 {
				regs[in.A] = heap.Int(v.AsInt() + 1)
				continue
			}
			if v.IsNumber() {
				regs[in.A] = heap.Float(v.AsFloat() + 1)
				continue
			}
			fr.pc = pc
			v, err = m.unary(in.Op, v)
			goto store
		case bytecode.Dec:
			v = regs[in.B]
			if v.IsInt() && v.AsInt() != -1<<31 {
				regs[in.A] = heap.Int(v.AsInt() - 1)
				continue
			}
			if v.IsNumber() {
				regs[in.A] = heap.Float(v.AsFloat() - 1)
				continue
			}
			fr.pc = pc
			v, err = m.unary(in.Op, v)
			goto store
		case bytecode.TypeOf:
			regs[in.A] = heap.StringValue(m.TypeOf(regs[in.B]))

		// Binary operators ------------------------------------------------
		case bytecode.Add:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				s := int64(a.AsInt()) + int64(b.AsInt())
				regs[in.A] = heap.Int64(s)
				continue
			}
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Float(a.AsFloat() + b.AsFloat())
				continue
			}
			fr.pc = pc
			v, err = m.add(a, b)
			goto store
		case bytecode.Sub:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				s := int64(a.AsInt()) - int64(b.AsInt())
				regs[in.A] = heap.Int64(s)
				continue
			}
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Float(a.AsFloat() - b.AsFloat())
				continue
			}
			goto arith
		case bytecode.Mul:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				s := int64(a.AsInt()) * int64(b.AsInt())
				if int64(int32(s)) == s && s != 0 {
					regs[in.A] = heap.Int(int32(s))
					continue
				}
			}
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Number(a.AsFloat() * b.AsFloat())
				continue
			}
			goto arith
		case bytecode.Div:
			a, b := regs[in.B], regs[in.C]
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Number(a.AsFloat() / b.AsFloat())
				continue
			}
			goto arith
		case bytecode.Mod:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) && a.AsInt() >= 0 && b.AsInt() > 0 {
				regs[in.A] = heap.Int(a.AsInt() % b.AsInt())
				continue
			}
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Number(mod(a.AsFloat(), b.AsFloat()))
				continue
			}
			goto arith
		case bytecode.Exp:
			goto arith
		case bytecode.BitAnd:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Int(a.AsInt() & b.AsInt())
				continue
			}
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Int(conv.ToInt32(a.AsFloat()) & conv.ToInt32(b.AsFloat()))
				continue
			}
			goto arith
		case bytecode.BitOr:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Int(a.AsInt() | b.AsInt())
				continue
			}
			if a.IsNumber() && b.IsNumber() {
				regs[in.A] = heap.Int(conv.ToInt32(a.AsFloat()) | conv.ToInt32(b.AsFloat()))
				continue
			}
			goto arith
		case bytecode.BitXor:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Int(a.AsInt() ^ b.AsInt())
				continue
			}
			goto arith
		case bytecode.Shl:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Int(a.AsInt() << (uint32(b.AsInt()) & 31))
				continue
			}
			goto arith
		case bytecode.Shr:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Int(a.AsInt() >> (uint32(b.AsInt()) & 31))
				continue
			}
			goto arith
		case bytecode.UShr:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Int64(int64(uint32(a.AsInt()) >> (uint32(b.AsInt()) & 31)))
				continue
			}
			goto arith
		case bytecode.AddI:
			a := regs[in.B]
			if a.IsInt() {
				s := int64(a.AsInt()) + int64(int16(in.C))
				regs[in.A] = heap.Int64(s)
				continue
			}
			if a.IsDouble() {
				regs[in.A] = heap.Float(a.AsDouble() + float64(int16(in.C)))
				continue
			}
			fr.pc = pc
			v, err = m.add(a, heap.Int(int32(int16(in.C))))
			goto store
		case bytecode.SubI:
			a := regs[in.B]
			if a.IsInt() {
				s := int64(a.AsInt()) - int64(int16(in.C))
				regs[in.A] = heap.Int64(s)
				continue
			}
			if a.IsDouble() {
				regs[in.A] = heap.Float(a.AsDouble() - float64(int16(in.C)))
				continue
			}
			goto arithImm
		case bytecode.MulI:
			a := regs[in.B]
			if a.IsInt() {
				s := int64(a.AsInt()) * int64(int16(in.C))
				if int64(int32(s)) == s && s != 0 {
					regs[in.A] = heap.Int(int32(s))
					continue
				}
			}
			if a.IsNumber() {
				regs[in.A] = heap.Number(a.AsFloat() * float64(int16(in.C)))
				continue
			}
			goto arithImm
		case bytecode.BitAndI:
			a := regs[in.B]
			if a.IsInt() {
				regs[in.A] = heap.Int(a.AsInt() & int32(int16(in.C)))
				continue
			}
			if a.IsDouble() {
				regs[in.A] = heap.Int(conv.ToInt32(a.AsDouble()) & int32(int16(in.C)))
				continue
			}
			goto arithImm
		case bytecode.BitOrI:
			a := regs[in.B]
			if a.IsInt() {
				regs[in.A] = heap.Int(a.AsInt() | int32(int16(in.C)))
				continue
			}
			if a.IsDouble() {
				regs[in.A] = heap.Int(conv.ToInt32(a.AsDouble()) | int32(int16(in.C)))
				continue
			}
			goto arithImm
		case bytecode.ShlI:
			a := regs[in.B]
			if a.IsInt() {
				regs[in.A] = heap.Int(a.AsInt() << (in.C & 31))
				continue
			}
			goto arithImm
		case bytecode.ShrI:
			a := regs[in.B]
			if a.IsInt() {
				regs[in.A] = heap.Int(a.AsInt() >> (in.C & 31))
				continue
			}
			goto arithImm
		case bytecode.UShrI:
			a := regs[in.B]
			if a.IsInt() {
				regs[in.A] = heap.Int64(int64(uint32(a.AsInt()) >> (in.C & 31)))
				continue
			}
			goto arithImm
		case bytecode.SEq, bytecode.SNe:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				regs[in.A] = heap.Bool((a == b) == (in.Op == bytecode.SEq))
				continue
			}
			if done, err = m.StrictEquals(a, b); err != nil {
				goto fail
			}
			regs[in.A] = heap.Bool(done == (in.Op == bytecode.SEq))
		case bytecode.Eq, bytecode.Ne:
			fr.pc = pc
			done, err = m.LooseEquals(regs[in.B], regs[in.C])
			v = heap.Bool(done == (in.Op == bytecode.Eq))
			goto store
		case bytecode.Lt, bytecode.Le, bytecode.Gt, bytecode.Ge:
			a, b := regs[in.B], regs[in.C]
			if heap.BothInt(a, b) {
				x, y := a.AsInt(), b.AsInt()
				switch in.Op {
				case bytecode.Lt:
					done = x < y
				case bytecode.Le:
					done = x <= y
				case bytecode.Gt:
					done = x > y
				default:
					done = x >= y
				}
				regs[in.A] = heap.Bool(done)
				continue
			}
			fr.pc = pc
			var c int
			c, err = m.compare(a, b)
			v = heap.Bool(relational(in.Op, c))
			goto store

		// Jumps -----------------------------------------------------------
		case bytecode.Jump, bytecode.Loop:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			pc = int(in.BC())
		case bytecode.JumpTrue:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if v = regs[in.A]; v == True || v != False && m.ToBoolean(v) {
				pc = int(in.BC())
			}
		case bytecode.JumpFalse:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if v = regs[in.A]; v == False || v != True && !m.ToBoolean(v) {
				pc = int(in.BC())
			}
		case bytecode.JumpUndef:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if regs[in.A] == Undefined {
				pc = int(in.BC())
			}
		case bytecode.JumpNotUndef:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if regs[in.A] != Undefined {
				pc = int(in.BC())
			}
		case bytecode.JumpNullish:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if regs[in.A].IsNullish() {
				pc = int(in.BC())
			}
		case bytecode.JumpNotNullish:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if !regs[in.A].IsNullish() {
				pc = int(in.BC())
			}
		case bytecode.JumpEmpty:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if regs[in.A] == Empty {
				pc = int(in.BC())
			}
		case bytecode.JLt, bytecode.JNLt:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			a, b := regs[in.A], regs[in.B]
			if heap.BothInt(a, b) {
				if (a.AsInt() < b.AsInt()) == (in.Op == bytecode.JLt) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JLe, bytecode.JNLe:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			a, b := regs[in.A], regs[in.B]
			if heap.BothInt(a, b) {
				if (a.AsInt() <= b.AsInt()) == (in.Op == bytecode.JLe) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JGt, bytecode.JNGt:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			a, b := regs[in.A], regs[in.B]
			if heap.BothInt(a, b) {
				if (a.AsInt() > b.AsInt()) == (in.Op == bytecode.JGt) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JGe, bytecode.JNGe:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			a, b := regs[in.A], regs[in.B]
			if heap.BothInt(a, b) {
				if (a.AsInt() >= b.AsInt()) == (in.Op == bytecode.JGe) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JSEq, bytecode.JSNe:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			a, b := regs[in.A], regs[in.B]
			if heap.BothInt(a, b) {
				done = a == b
			} else if done, err = m.StrictEquals(a, b); err != nil {
				goto fail
			}
			if done == (in.Op == bytecode.JSEq) {
				pc += int(int16(in.C))
			}
		case bytecode.JEq, bytecode.JNe:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			if done, err = m.LooseEquals(regs[in.A], regs[in.B]); err != nil {
				goto fail
			}
			if done == (in.Op == bytecode.JEq) {
				pc += int(int16(in.C))
			}
			goto next
		case bytecode.JLtI, bytecode.JNLtI:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if a := regs[in.A]; a.IsInt() {
				if (a.AsInt() < int32(int16(in.B))) == (in.Op == bytecode.JLtI) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JLeI, bytecode.JNLeI:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if a := regs[in.A]; a.IsInt() {
				if (a.AsInt() <= int32(int16(in.B))) == (in.Op == bytecode.JLeI) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JGtI, bytecode.JNGtI:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if a := regs[in.A]; a.IsInt() {
				if (a.AsInt() > int32(int16(in.B))) == (in.Op == bytecode.JGtI) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JGeI, bytecode.JNGeI:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if a := regs[in.A]; a.IsInt() {
				if (a.AsInt() >= int32(int16(in.B))) == (in.Op == bytecode.JGeI) {
					pc += int(int16(in.C))
				}
				continue
			}
			goto compareJump
		case bytecode.JSEqI, bytecode.JSNeI:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			a := regs[in.A]
			if a.IsInt() {
				done = a.AsInt() == int32(int16(in.B))
			} else {
				done = a.IsDouble() && a.AsDouble() == float64(int16(in.B))
			}
			if done == (in.Op == bytecode.JSEqI) {
				pc += int(int16(in.C))
			}
		case bytecode.Switch:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			if a := regs[in.A]; a.IsInt() {
				if t := fn.fn.Switches[in.BC()]; int(uint32(a.AsInt())) < len(t) {
					pc = int(t[a.AsInt()])
				}
			}

		// Calls -----------------------------------------------------------
		case bytecode.Call:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			v = regs[in.B]
			if v.IsObject() {
				if rec := h.Obj(v.AsObj()); rec.Class == heap.ClassFunction {
					if err = m.pushFrame(v.AsObj(), rec, fr.base+int(in.B), int(in.C), fr.base+int(in.A), Undefined); err != nil {
						goto fail
					}
					goto reload
				}
			}
			if !m.IsCallable(v) {
				err = m.notCallableAt(fn, pc, v, false)
				goto fail
			}
			v, done, err = m.enter(fr.base+int(in.B), int(in.C), fr.base+int(in.A), Undefined)
			if done {
				goto reload
			}
			goto store
		case bytecode.New, bytecode.SuperCall:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			if v = regs[in.B]; !m.IsConstructor(v) {
				if in.Op == bytecode.SuperCall {
					err = m.notSuperConstructor(fn, v)
				} else {
					err = m.notCallableAt(fn, pc, v, true)
				}
				goto fail
			}
			v, done, err = m.enter(fr.base+int(in.B), int(in.C), fr.base+int(in.A), regs[in.B+1])
			if done {
				goto reload
			}
			goto store
		case bytecode.Return:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			v = regs[in.A]
			if fr.flags != 0 {
				fr.pc = pc
				if v, done, err = m.finish(v); err != nil {
					goto fail
				}
				if done {
					goto reload // finish delivered the value itself
				}
				fr = &m.frames[len(m.frames)-1]
			}
			dst := fr.dst
			m.frames = m.frames[:len(m.frames)-1]
			m.meter.Leave()
			if len(m.frames) == stop {
				return v, nil
			}
			m.stack[dst] = v
			goto reload
		case bytecode.ReturnDerived:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			v = regs[in.A]
			fr.pc = pc
			m.leaveRealm(fr)
			if !v.IsObject() {
				if v != Undefined {
					err = m.TypeError("Derived constructors may only return object or undefined")
					goto fail
				}
				if v = regs[in.B]; v == Empty {
					err = m.ReferenceError("Must call super constructor in derived class before accessing 'this' or returning from derived constructor")
					goto fail
				}
			}
			dst := fr.dst
			m.frames = m.frames[:len(m.frames)-1]
			m.meter.Leave()
			if len(m.frames) == stop {
				return v, nil
			}
			m.stack[dst] = v
			goto reload
		case bytecode.Throw:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			err = m.Throw(regs[in.A])
			m.thrown = ThrowSite{fn: fn, pc: pc}
			goto fail
		// Functions' beginnings -------------------------------------------
		case bytecode.BoxThis:
			if v = regs[1]; !v.IsObject() {
				if v.IsNullish() {
					regs[1] = heap.ObjectValue(m.intrinsics[GlobalObject])
				} else {
					var o Obj
					if o, err = m.ToObject(v); err != nil {
						goto fail
					}
					regs[1] = heap.ObjectValue(o)
				}
			}

		// Generators and async functions ----------------------------------
		case bytecode.GenStart:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			if v, err = m.genStart(); err != nil {
				goto fail
			}
			goto deliver
		case bytecode.Yield, bytecode.YieldRaw, bytecode.AsyncGenYieldStar:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			if v, done, err = m.yield(in, regs[in.B]); err != nil {
				goto fail
			}
			if done {
				goto reload
			}
			goto deliver
		case bytecode.Await:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			fr.pc = pc
			if v, err = m.await(in.A, regs[in.B]); err != nil {
				goto fail
			}
			goto deliver

		// Iteration -------------------------------------------------------
		case bytecode.GetIter:
			v = regs[in.B]
			if m.plainArray(v) {
				regs[in.A], regs[in.A+1] = v, heap.NumberValue(0)
				continue
			}
			fr.pc = pc
			var it Iterator
			if it, err = m.getIterAt(fn, pc, v); err != nil {
				goto fail
			}
			fr = &m.frames[len(m.frames)-1]
			regs = m.stack[fr.base : fr.base+int(fn.nregs)]
			regs[in.A], regs[in.A+1] = it.Obj, it.Next
		case bytecode.IterNext:
			if *slice -= int64(in.F); *slice < 0 {
				goto slow
			}
			v = regs[in.A+1]
			if v.IsInternal() {
				i := v.AsNumber()
				rec := h.Obj(regs[in.A].AsObj())
				if i >= rec.Length {
					regs[in.A] = Undefined
					continue
				}
				if rec.Flags&heap.Sparse == 0 && i < rec.ElemLen {
					if x := h.Word(rec.Elems, int(i)); x != Empty {
						regs[in.A+1] = heap.NumberValue(i + 1)
						regs[in.B] = x
						pc++
						continue
					}
				}
			}
			fr.pc = pc
			v, done, err = m.iterNext(in)
			if done {
				goto reload // a generator's frame was pushed
			}
			if err != nil {
				goto fail
			}
			fr = &m.frames[len(m.frames)-1]
			regs = m.stack[fr.base : fr.base+int(fn.nregs)]
			if v == Empty {
				regs[in.A] = Undefined
				continue
			}
			regs[in.B] = v
			pc++
		default:
			fr.pc = pc
			if err = m.cold(in); err != nil {
				goto fail
			}
			goto reload
		}
		continue

	arith:
		fr.pc = pc
		v, err = m.arith(in.Op, regs[in.B], regs[in.C])
		goto store

	arithImm:
		fr.pc = pc
		v, err = m.arith(immediateOf[in.Op-bytecode.AddI], regs[in.B], heap.Int(int32(int16(in.C))))
		goto store

	compareJump:
		fr.pc = pc
		if in.Op >= bytecode.JLtI {
			v = heap.Int(int32(int16(in.B)))
		} else {
			v = regs[in.B]
		}
		if done, err = m.compareJump(in.Op, regs[in.A], v); err != nil {
			goto fail
		}
		if done {
			pc += int(int16(in.C))
		}
		goto next

	slow:
		// The fuel slice is used up. The charge itself has been taken.
		fr.pc = pc
		if err = m.safepoint(); err != nil {
			goto fail
		}
		in.F = 0
		goto dispatch

	store:
		if err != nil {
			goto fail
		}
		fr = &m.frames[len(m.frames)-1]
		regs = m.stack[fr.base : fr.base+int(fn.nregs)]
		regs[in.A] = v
		continue

	next:
		if err != nil {
			goto fail
		}
		fr = &m.frames[len(m.frames)-1]
		regs = m.stack[fr.base : fr.base+int(fn.nregs)]
		continue

	deliver:
		// The frame was detached or its value is on its way: the caller of the
		// popped frame gets v.
		if len(m.frames) == stop {
			return v, nil
		}
		m.stack[m.deliverTo] = v
		goto reload

	fail:
		m.frames[len(m.frames)-1].pc = pc
		v, done, err = m.unwind(err, stop)
		if err != nil || done {
			return v, err
		}
		goto reload
	}
}
