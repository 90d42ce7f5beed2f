package vm

import (
	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// cold runs an instruction that the interpreter's loop leaves to it: those that
// are rare, or do so much that a call more doesn't matter. It stores its result
// itself; the loop then fetches the top frame anew, so that cold may push a
// frame or move the pc.
func (m *Machine) cold(in bytecode.Instr) error {
	h := m.H
	fr := &m.frames[len(m.frames)-1]
	fn, base, pc := fr.fn, fr.base, fr.pc
	regs := m.stack[base : base+int(fn.nregs)]
	if in.Op.Charges() {
		if err := m.Charge(int(in.F)); err != nil {
			return err
		}
	}
	var v Value
	var err error
	var o Obj
	var found bool
	switch in.Op {
	// Globals and dynamic scopes.
	case bytecode.GetGlobalSoft:
		v, err = m.getGlobal(fn, in.C, true)
	case bytecode.SetGlobalIf:
		return m.setGlobal(fn, in.C, regs[in.A], regs[in.B] == True)
	case bytecode.InitGlobalLex:
		return m.initGlobalLex(fn, in.C, regs[in.A])
	case bytecode.HasGlobal:
		v, err = m.hasGlobal(fn, in.C)
	case bytecode.DeleteGlobal:
		v, err = m.deleteGlobal(fn, in.C)
	case bytecode.DynHas, bytecode.DynHasVar:
		v, err = m.dynHas(fn, in.C, regs[in.B], in.Op == bytecode.DynHas)
	case bytecode.WithObj, bytecode.ToObject:
		o, err = m.ToObject(regs[in.B])
		v = heap.ObjectValue(o)
	case bytecode.EvalVarObj:
		b := regs[in.B].AsBlock()
		if v = h.Word(b, int(in.C)+1); !v.IsObject() {
			v = heap.ObjectValue(h.NewObject(m.shapes.null, heap.ClassObject))
			h.SetWord(b, int(in.C)+1, v)
		}

	// Properties and private names.
	case bytecode.DeleteProp:
		v, err = m.deleteProp(fn, regs[in.B], regs[in.C])
	case bytecode.In:
		v, err = m.in(regs[in.B], regs[in.C])
	case bytecode.InstanceOf:
		found, err = m.InstanceOf(regs[in.B], regs[in.C])
		v = heap.Bool(found)
	case bytecode.GetSuper:
		v, err = m.getSuper(regs[in.B], regs[in.B+1], regs[in.C])
	case bytecode.SetSuper:
		return m.setSuper(fn, regs[in.B], regs[in.B+1], regs[in.C], regs[in.A])
	case bytecode.HomeProto:
		o, err = m.GetPrototypeOf(regs[in.B].AsObj())
		v = objOrNull(o)
	case bytecode.PrivateName:
		if v, err = m.constant(fn.prog, in.BC()); err == nil {
			v = heap.SymbolValue(h.NewPrivateName(v.AsStr()))
		}
	case bytecode.HasPrivate:
		if !regs[in.C].IsObject() {
			return m.TypeError("Cannot use 'in' operator to search for '%s' in %s", m.KeyString(heap.SymbolKey(regs[in.B].AsStr())), m.Describe(regs[in.C]))
		}
		_, _, found = h.GetNamed(regs[in.C].AsObj(), regs[in.B].AsStr())
		v = heap.Bool(found)
	case bytecode.InitPrivate, bytecode.InitPrivateMethod, bytecode.InitPrivateGetter, bytecode.InitPrivateSetter:
		return m.initPrivate(in.Op, regs[in.A], regs[in.B], regs[in.C])

	// Literals and classes.
	case bytecode.ArrayHole:
		return h.Push(regs[in.A].AsObj(), Empty)
	case bytecode.ArraySpread:
		return m.arraySpread(fn, pc, regs[in.A].AsObj(), regs[in.B])
	case bytecode.InitElem:
		return m.initElem(regs[in.A].AsObj(), regs[in.B], regs[in.C])
	case bytecode.InitGetter, bytecode.InitSetter, bytecode.DefMethod, bytecode.DefGetter, bytecode.DefSetter:
		return m.defineMember(in.Op, regs[in.A].AsObj(), regs[in.B], regs[in.C])
	case bytecode.InitProto:
		if v = regs[in.B]; v.IsObject() || v == Null {
			_, err = m.SetPrototypeOf(regs[in.A].AsObj(), objOf(v))
		}
		return err
	case bytecode.CopyProps:
		return m.CopyDataProperties(regs[in.A].AsObj(), regs[in.B], nil)
	case bytecode.ObjRest:
		v, err = m.objRest(regs[in.B], regs[in.C])
	case bytecode.SetFuncName:
		return m.setFuncName(regs[in.A].AsObj(), regs[in.B], in.C)
	case bytecode.Class:
		env, super := regs[in.A], Empty
		if env == Undefined {
			env = fr.env
		}
		if in.C != bytecode.None {
			super = regs[in.C]
		}
		var proto Value
		if v, proto, err = m.newClass(m.fnAt(fn.prog, int(fn.fn.Funcs[in.B])), env, super); err == nil {
			m.stack[base+int(in.A)+1] = proto
		}
	case bytecode.RegExp:
		v, err = m.regExpLiteral(fn, uint32(in.B), uint32(in.C))
	case bytecode.RegExpDyn:
		v, err = m.newRegExp(regs[in.B], regs[in.C])
	case bytecode.Template:
		v, err = m.templateObject(fn, int(in.BC()))

	// Calls.
	case bytecode.CallSpread, bytecode.NewSpread, bytecode.SuperCallSpread:
		return m.coldCall(in, base, func() (Value, bool, error) { return m.callSpread(fn, in, base, pc) })
	case bytecode.SuperForward:
		newTarget := fr.newTarget
		return m.coldCall(in, base, func() (Value, bool, error) { return m.superForward(fn, in, base, newTarget) })
	case bytecode.CallEval:
		return m.callEval(in, fr)
	case bytecode.DynImport, bytecode.DynImportDefer, bytecode.DynImportSource:
		options := Undefined
		if in.C != bytecode.None {
			options = regs[in.C]
		}
		v, err = m.dynamicImport(fn, regs[in.B], options, syntax.ImportPhase(in.Op-bytecode.DynImport))
	case bytecode.ImportMeta:
		v, err = m.importMeta(fn)
	case bytecode.ThrowConst:
		return m.TypeError("Assignment to constant variable.")
	case bytecode.ThrowError:
		return m.throwKind(fn, bytecode.ErrorKind(in.A), in.BC())

	// Functions' beginnings.
	case bytecode.Rest:
		v, err = m.restArray(regs[fn.fn.ArgsReg].AsObj(), int(in.B))
	case bytecode.Arguments:
		o, err = m.newArguments(regs[fn.fn.ArgsReg].AsObj(), regs[0].AsObj(), Undefined, nil)
		v = heap.ObjectValue(o)
	case bytecode.MappedArguments:
		o, err = m.newArguments(regs[fn.fn.ArgsReg].AsObj(), regs[0].AsObj(), regs[in.B], mappedOf(fn.fn.MappedSlots))
		v = heap.ObjectValue(o)

	// Iteration.
	case bytecode.GetAsyncIter:
		var it Iterator
		if it, err = m.getAsyncIterator(fn, pc, regs[in.B]); err == nil {
			v = it.Obj
			m.stack[base+int(in.A)+1] = it.Next
		}
	case bytecode.IterCallNext:
		if v, err = m.iterCallNext(in); err == nil {
			m.stack[base+int(in.B)] = v
		}
		return err
	case bytecode.IterUnwrap:
		if v, found, err = m.iterUnwrap(in); err != nil {
			return err
		}
		m.stack[base+int(in.B)] = v
		if found {
			m.stack[base+int(in.A)] = Undefined
		} else {
			m.skip()
		}
		return nil
	case bytecode.IterClose, bytecode.IterCloseQuiet:
		if regs[in.A] == Undefined {
			return nil
		}
		return m.iterClose(in)
	case bytecode.IterReturn, bytecode.IterThrow:
		if v, found, err = m.iterMethod(in); err == nil && found {
			m.stack[base+int(in.C)] = v
			m.skip()
		}
		return err
	case bytecode.IterRest:
		if v, err = m.iterRest(in); err == nil {
			m.stack[base+int(in.B)] = v
		}
		return err
	case bytecode.CheckObject:
		if !regs[in.A].IsObject() {
			return m.TypeError("Iterator result %s is not an object", m.Describe(regs[in.A]))
		}
		return nil
	case bytecode.ForInStart:
		v, err = m.forInStart(regs[in.B])
	case bytecode.ForInNext:
		if v, err = m.forInNext(regs[in.A]); err == nil && v != Empty {
			m.stack[base+int(in.B)] = v
			m.skip()
		}
		return err

	// Modules and resources.
	case bytecode.GetImport:
		v, err = m.getImport(fn, int(in.BC()))
	case bytecode.DisposePush:
		v, err = m.disposePush(regs[in.A], regs[in.B], in.C == 1)
	case bytecode.DisposeRun:
		return m.disposeRun(base+int(in.A), base+int(in.B))
	case bytecode.DisposeNext:
		if v, found, err = m.disposeNext(base+int(in.A), base+int(in.B)); err == nil && found {
			m.stack[base+int(in.C)] = v
			m.skip()
		}
		return err
	case bytecode.DisposeError:
		return m.disposeError(base+int(in.B), regs[in.A])
	case bytecode.Trace:
		if m.tracer == nil {
			return nil
		}
		return m.tracer.step(in.A == 1)
	case bytecode.Debugger:
		return nil
	default:
		return m.badInstruction(fn, pc, in)
	}
	if err == nil {
		m.stack[base+int(in.A)] = v
	}
	return err
}

// skip passes over the jump that follows an instruction with "skip" in its
// description.
func (m *Machine) skip() { m.frames[len(m.frames)-1].pc++ }

// coldCall stores the result of a call that ran at once; one that pushed a
// frame delivers it when it returns.
func (m *Machine) coldCall(in bytecode.Instr, base int, call func() (Value, bool, error)) error {
	v, pushed, err := call()
	if err == nil && !pushed {
		m.stack[base+int(in.A)] = v
	}
	return err
}

// callEval is CallEval: a direct eval when the callee is %eval%, and an
// ordinary call otherwise.
func (m *Machine) callEval(in bytecode.Instr, fr *frame) error {
	fn, base, pc := fr.fn, fr.base, fr.pc
	ext := fn.code[pc]
	fr.pc++
	f := m.stack[base+int(in.B)]
	if f != heap.ObjectValue(m.intrinsics[EvalFunction]) {
		if !m.IsCallable(f) {
			return m.notCallableAt(fn, pc, f, false)
		}
		return m.coldCall(in, base, func() (Value, bool, error) {
			if in.C == bytecode.None {
				return m.callSpread(fn, in, base, pc)
			}
			return m.enter(base+int(in.B), int(in.C), base+int(in.A), Undefined)
		})
	}
	env, src := fr.env, Undefined
	if ext.A != bytecode.None {
		env = m.stack[base+int(ext.A)]
	}
	if in.C == bytecode.None {
		if rec := m.H.Obj(m.stack[base+int(in.B)+2].AsObj()); rec.ElemLen > 0 {
			src = m.H.Elem(rec, 0)
		}
	} else if in.C > 0 {
		src = m.stack[base+int(in.B)+2]
	}
	v, err := m.directEval(src, env, fn.fn.EvalScopes[ext.BC()])
	if err == nil {
		m.stack[base+int(in.A)] = v
	}
	return err
}
