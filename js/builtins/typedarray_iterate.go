package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// typedWalk is what the methods that call back have in common. The receiver
// and the callback are alive as this and an argument of the call.
type typedWalk struct {
	m    *vm.Machine
	o    vm.Obj
	n    int
	fn   vm.Value
	this vm.Value
}

func startTypedWalk(m *vm.Machine, c *vm.Call, method string) (typedWalk, error) {
	o, n, err := thisTyped(m, c, method)
	if err == nil {
		err = callable(m, c.Arg(0))
	}
	return typedWalk{m: m, o: o, n: n, fn: c.Arg(0), this: c.Arg(1)}, err
}

// call calls back with element i, and returns it too.
func (w *typedWalk) call(i int) (v, r vm.Value, err error) {
	if err := w.m.Charge(1); err != nil {
		return vm.Undefined, vm.Undefined, err
	}
	v = w.m.TypedAt(w.o, i)
	r, err = w.m.CallRooted(w.fn, w.this, v, heap.Int(int32(i)), heap.ObjectValue(w.o))
	return v, r, err
}

// typedForEach is %TypedArray%.prototype.forEach (§23.2.3.15).
func typedForEach(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w, err := startTypedWalk(m, &c, "forEach")
	if err != nil {
		return vm.Undefined, err
	}
	for i := range w.n {
		if _, _, err := w.call(i); err != nil {
			return vm.Undefined, err
		}
	}
	return vm.Undefined, nil
}

// typedMap is %TypedArray%.prototype.map (§23.2.3.22).
func typedMap(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w, err := startTypedWalk(m, &c, "map")
	if err != nil {
		return vm.Undefined, err
	}
	a, err := typedSpeciesLength(m, w.o, w.n)
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(heap.ObjectValue(a))
	defer m.PopRoots(at)
	for i := range w.n {
		_, r, err := w.call(i)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.TypedSet(a, float64(i), r); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(a), nil
}

// typedFilter is %TypedArray%.prototype.filter (§23.2.3.10).
func typedFilter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w, err := startTypedWalk(m, &c, "filter")
	if err != nil {
		return vm.Undefined, err
	}
	kept := m.NewArrayLen(0)
	at := m.Root(heap.ObjectValue(kept))
	defer m.PopRoots(at)
	for i := range w.n {
		v := m.TypedAt(w.o, i)
		m.Root(v)
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		r, err := m.CallRooted(w.fn, w.this, v, heap.Int(int32(i)), heap.ObjectValue(w.o))
		if err != nil {
			return vm.Undefined, err
		}
		m.PopRoots(at + 1)
		if m.ToBoolean(r) {
			if err := m.H.Push(kept, v); err != nil {
				return vm.Undefined, err
			}
		}
	}
	n := int(m.H.Obj(kept).Length)
	a, err := typedSpeciesLength(m, w.o, n)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(a), putArrayLike(m, a, 0, kept, int64(n))
}

func typedEvery(m *vm.Machine, c vm.Call) (vm.Value, error) { return typedAny(m, &c, "every", false) }
func typedSome(m *vm.Machine, c vm.Call) (vm.Value, error)  { return typedAny(m, &c, "some", true) }

// typedAny looks for an element for which the callback answers want: every
// (§23.2.3.8) and some (§23.2.3.28).
func typedAny(m *vm.Machine, c *vm.Call, method string, want bool) (vm.Value, error) {
	w, err := startTypedWalk(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	for i := range w.n {
		_, r, err := w.call(i)
		if err != nil {
			return vm.Undefined, err
		}
		if m.ToBoolean(r) == want {
			return heap.Bool(want), nil
		}
	}
	return heap.Bool(!want), nil
}

func typedFind(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, _, err := typedSeek(m, &c, "find", false)
	return v, err
}

func typedFindIndex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	_, i, err := typedSeek(m, &c, "findIndex", false)
	return i, err
}

func typedFindLast(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, _, err := typedSeek(m, &c, "findLast", true)
	return v, err
}

func typedFindLastIndex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	_, i, err := typedSeek(m, &c, "findLastIndex", true)
	return i, err
}

// typedSeek is FindViaPredicate (§23.1.3.12.1).
func typedSeek(m *vm.Machine, c *vm.Call, method string, fromEnd bool) (v, index vm.Value, err error) {
	w, err := startTypedWalk(m, c, method)
	if err != nil {
		return vm.Undefined, vm.Undefined, err
	}
	for k := range w.n {
		i := k
		if fromEnd {
			i = w.n - 1 - k
		}
		v := m.TypedAt(w.o, i)
		at := m.Root(v)
		if err := m.Charge(1); err != nil {
			return vm.Undefined, vm.Undefined, err
		}
		r, err := m.CallRooted(w.fn, w.this, v, heap.Int(int32(i)), heap.ObjectValue(w.o))
		m.PopRoots(at)
		if err != nil {
			return vm.Undefined, vm.Undefined, err
		}
		if m.ToBoolean(r) {
			return v, heap.Int(int32(i)), nil
		}
	}
	return vm.Undefined, heap.Int(-1), nil
}

func typedReduce(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return typedFold(m, &c, "reduce", false)
}
func typedReduceRight(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return typedFold(m, &c, "reduceRight", true)
}

// typedFold is reduce (§23.2.3.23) and reduceRight (§23.2.3.24).
func typedFold(m *vm.Machine, c *vm.Call, method string, right bool) (vm.Value, error) {
	w, err := startTypedWalk(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	k := 0
	at := func(k int) int {
		if right {
			return w.n - 1 - k
		}
		return k
	}
	acc := c.Arg(1)
	if len(c.Args) < 2 {
		if w.n == 0 {
			return vm.Undefined, m.TypeError("Reduce of empty array with no initial value")
		}
		acc = m.TypedAt(w.o, at(0))
		k = 1
	}
	for ; k < w.n; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		i := at(k)
		if acc, err = m.CallRooted(w.fn, vm.Undefined, acc, m.TypedAt(w.o, i), heap.Int(int32(i)), heap.ObjectValue(w.o)); err != nil {
			return vm.Undefined, err
		}
	}
	return acc, nil
}

// typedJoin is %TypedArray%.prototype.join (§23.2.3.18).
func typedJoin(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "join")
	if err != nil {
		return vm.Undefined, err
	}
	sep := m.H.Char(',')
	if c.Arg(0) != vm.Undefined {
		if sep, err = m.ToString(c.Arg(0)); err != nil {
			return vm.Undefined, err
		}
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for i := range n {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if i > 0 {
			if err := sb.str(sep); err != nil {
				return vm.Undefined, err
			}
		}
		switch v := m.TypedAt(o, i); {
		case v == vm.Undefined:
		case v.IsNumber():
			err = addNumber(&sb, v)
		default:
			var s vm.Str
			if s, err = m.ToString(v); err == nil {
				err = sb.str(s)
			}
		}
		if err != nil {
			return vm.Undefined, err
		}
	}
	return sb.value()
}

// typedToLocaleString is %TypedArray%.prototype.toLocaleString (§23.2.3.31).
func typedToLocaleString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisTyped(m, &c, "toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	k, err := m.H.KeyOfName("toLocaleString")
	if err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	for i := range n {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if i > 0 {
			if err := sb.unit(','); err != nil {
				return vm.Undefined, err
			}
		}
		v := m.TypedAt(o, i)
		if v == vm.Undefined {
			continue
		}
		f, err := m.GetV(v, k)
		if err != nil {
			return vm.Undefined, err
		}
		r, err := m.Call(f, v, c.Arg(0), c.Arg(1))
		if err != nil {
			return vm.Undefined, err
		}
		s, err := m.ToString(r)
		if err != nil {
			return vm.Undefined, err
		}
		if err := sb.str(s); err != nil {
			return vm.Undefined, err
		}
	}
	return sb.value()
}
