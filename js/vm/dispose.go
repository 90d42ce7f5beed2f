package vm

import "github.com/pinfold-js/pinfold/js/heap"

// Explicit resource management. The stack of a block with using declarations is
// an array of triples: the resource, its method (Undefined: none), and its
// kind.

const resourceWords = 3

// Kinds of resources. An async one without @@asyncDispose falls back to
// @@dispose, whose result is not awaited.
const (
	kindSync     = False
	kindAsync    = True
	kindFallback = Null
)

// disposePush is AddDisposableResource.
func (m *Machine) disposePush(stack, v Value, async bool) (Value, error) {
	if stack == Undefined {
		stack = heap.ObjectValue(m.NewArrayLen(0))
	}
	at := m.Root(stack)
	defer m.PopRoots(at)
	method, kind := Undefined, heap.Bool(async)
	if v.IsNullish() {
		if !async {
			return stack, nil
		}
		v = Undefined
	} else {
		if !v.IsObject() {
			return Undefined, m.TypeError("Symbol(Symbol.dispose) is not a function of %s", m.Describe(v))
		}
		var err error
		if method, kind, err = m.disposeMethod(v, async); err != nil {
			return Undefined, err
		}
	}
	for _, x := range [resourceWords]Value{v, method, kind} { //meter: fixed
		if err := m.H.Push(stack.AsObj(), x); err != nil {
			return Undefined, err
		}
	}
	return stack, nil
}

// disposeMethod is GetDisposeMethod.
func (m *Machine) disposeMethod(v Value, async bool) (method, kind Value, err error) {
	kind = kindSync
	if async {
		f, err := m.GetMethod(v, m.N.SymAsyncDispose)
		if f != Undefined || err != nil {
			return f, kindAsync, err
		}
		kind = kindFallback
	}
	f, err := m.GetMethod(v, m.N.SymDispose)
	if err != nil {
		return Undefined, kind, err
	}
	if f == Undefined {
		name := "Symbol.dispose"
		if async {
			name = "Symbol.asyncDispose"
		}
		return Undefined, kind, m.TypeError("The resource has no method %s", name)
	}
	return f, kind, nil
}

// popResource takes the last resource off a stack.
func (m *Machine) popResource(stack Obj) (v, method, kind Value, ok bool) {
	e := m.H.Elems(stack)
	n := len(e)
	if n < resourceWords {
		return Undefined, Undefined, Undefined, false
	}
	v, method, kind = e[n-3], e[n-2], e[n-1]
	w := m.H.ObjW(stack)
	w.ElemLen -= resourceWords
	w.Length = w.ElemLen
	return v, method, kind, true
}

// disposeFailed merges the error of a disposer into the completion in the
// registers state (1 = a throw) and state+1 (its value).
func (m *Machine) disposeFailed(state int, err error) error {
	exc, ok := m.Caught(err)
	if !ok {
		return err
	}
	return m.disposeError(state, exc)
}

// disposeError makes a throw completion of exc, a SuppressedError when there
// was one before.
func (m *Machine) disposeError(state int, exc Value) error {
	if m.stack[state] == heap.Int(1) {
		at := m.Root(exc)
		defer m.PopRoots(at)
		e, err := m.NewError(SuppressedErrorPrototype, "An error was suppressed during disposal")
		if err != nil {
			return err
		}
		m.H.AddNamed(e.AsObj(), m.N.Error.Name(), exc, heap.HiddenAttrs)
		m.H.AddNamed(e.AsObj(), m.N.Suppressed.Name(), m.stack[state+1], heap.HiddenAttrs)
		exc = e
	}
	m.stack[state], m.stack[state+1] = heap.Int(1), exc
	return nil
}

// disposeRun is DisposeResources for a stack of sync resources.
func (m *Machine) disposeRun(stackReg, state int) error {
	if m.stack[stackReg] == Undefined {
		return nil
	}
	stack := m.stack[stackReg].AsObj()
	for {
		if err := m.Charge(1); err != nil {
			return err
		}
		v, method, _, ok := m.popResource(stack)
		if !ok {
			return nil
		}
		if method == Undefined {
			continue
		}
		if _, err := m.Call(method, v); err != nil {
			if err := m.disposeFailed(state, err); err != nil {
				return err
			}
		}
	}
}

// disposeNext calls the next disposer of a stack with async resources: v is
// what to await; ok is false at the end. The loop is DisposeResources.
func (m *Machine) disposeNext(stackReg, state int) (v Value, ok bool, err error) {
	if m.stack[stackReg] == Undefined {
		return Undefined, false, nil
	}
	stack := m.stack[stackReg].AsObj()
	for {
		if err := m.Charge(1); err != nil {
			return Undefined, false, err
		}
		needs, has := m.awaits(stack)
		e := m.H.Elems(stack)
		if needs && !has && (len(e) == 0 || e[len(e)-1] == kindSync) {
			m.setAwaits(stack, false, false)
			return Undefined, true, nil
		}
		res, method, kind, ok := m.popResource(stack)
		if !ok {
			return Undefined, false, nil
		}
		if method == Undefined {
			m.setAwaits(stack, true, has)
			continue
		}
		r, err := m.Call(method, res)
		if kind == kindFallback {
			// GetDisposeMethod's closure gives a promise of undefined.
			r = Undefined
			if err != nil {
				exc, ok := m.Caught(err)
				if !ok {
					return Undefined, false, err
				}
				p := m.NewPromise()
				m.RejectPromise(p, exc)
				r, err = heap.ObjectValue(p), nil
			}
		}
		if err != nil {
			if err := m.disposeFailed(state, err); err != nil {
				return Undefined, false, err
			}
			continue
		}
		if kind == kindSync {
			continue
		}
		m.setAwaits(stack, needs, true)
		return r, true, nil
	}
}

// awaits reads DisposeResources' needsAwait and hasAwaited, which the stack
// keeps from one await to the next.
func (m *Machine) awaits(stack Obj) (needs, has bool) {
	d := m.H.Obj(stack).Data
	if !d.IsInt() {
		return false, false
	}
	return d.AsInt()&1 != 0, d.AsInt()&2 != 0
}

func (m *Machine) setAwaits(stack Obj, needs, has bool) {
	d := int32(0)
	if needs {
		d |= 1
	}
	if has {
		d |= 2
	}
	m.H.ObjW(stack).Data = heap.Int(d)
}
