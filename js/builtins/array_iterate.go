package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// walk is what the methods that call back have in common. It must be closed.
type walk struct {
	m     *vm.Machine
	o     vm.Obj
	ov    vm.Value // o
	n     int64
	fn    vm.Value
	this  vm.Value
	roots int
}

// startWalk reads this and the callback. Collections may happen in callbacks:
// o is rooted until close.
func startWalk(m *vm.Machine, c *vm.Call, method string) (walk, error) {
	o, n, err := thisArray(m, c, method)
	if err != nil {
		return walk{}, err
	}
	fn := c.Arg(0)
	if err := callable(m, fn); err != nil {
		return walk{}, err
	}
	ov := heap.ObjectValue(o)
	return walk{m: m, o: o, ov: ov, n: n, fn: fn, this: c.Arg(1), roots: m.Root(ov)}, nil
}

func (w *walk) close() { w.m.PopRoots(w.roots) }

// present charges for a step and returns element i if there is one.
func (w *walk) present(i int64) (vm.Value, bool, error) {
	if err := w.m.Charge(1); err != nil {
		return vm.Undefined, false, err
	}
	return presentAt(w.m, w.o, i)
}

// get charges for a step and returns element i.
func (w *walk) get(i int64) (vm.Value, error) {
	if err := w.m.Charge(1); err != nil {
		return vm.Undefined, err
	}
	return getAt(w.m, w.o, i)
}

// call calls back with an element.
func (w *walk) call(v vm.Value, i int64) (vm.Value, error) {
	return w.m.CallRooted(w.fn, w.this, v, heap.Int64(i), w.ov)
}

// arrayForEach is Array.prototype.forEach (§23.1.3.15).
func arrayForEach(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w, err := startWalk(m, &c, "forEach")
	if err != nil {
		return vm.Undefined, err
	}
	defer w.close()
	for i := int64(0); i < w.n; i++ {
		v, ok, err := w.present(i)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			if _, err := w.call(v, i); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return vm.Undefined, nil
}

// arrayMap is Array.prototype.map (§23.1.3.21).
func arrayMap(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w, err := startWalk(m, &c, "map")
	if err != nil {
		return vm.Undefined, err
	}
	defer w.close()
	a, err := arraySpeciesCreate(m, w.o, w.n)
	if err != nil {
		return vm.Undefined, err
	}
	m.Root(heap.ObjectValue(a))
	if rec := m.H.Obj(w.o); rec.Class == heap.ClassArray && plainArray(m, a) {
		if err := m.H.EnsureElems(a, int(min(w.n, int64(rec.ElemLen)))); err != nil {
			return vm.Undefined, err
		}
	}
	for i := int64(0); i < w.n; i++ {
		v, ok, err := w.present(i)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			if v, err = w.call(v, i); err != nil {
				return vm.Undefined, err
			}
			if err := createAt(m, a, i, v); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return heap.ObjectValue(a), nil
}

// arrayFilter is Array.prototype.filter (§23.1.3.8).
func arrayFilter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w, err := startWalk(m, &c, "filter")
	if err != nil {
		return vm.Undefined, err
	}
	defer w.close()
	a, err := arraySpeciesCreate(m, w.o, 0)
	if err != nil {
		return vm.Undefined, err
	}
	m.Root(heap.ObjectValue(a))
	to := int64(0)
	for i := int64(0); i < w.n; i++ {
		v, ok, err := w.present(i)
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			continue
		}
		at := m.Root(v)
		r, err := w.call(v, i)
		m.PopRoots(at)
		if err != nil {
			return vm.Undefined, err
		}
		if m.ToBoolean(r) {
			if err := createAt(m, a, to, v); err != nil {
				return vm.Undefined, err
			}
			to++
		}
	}
	return heap.ObjectValue(a), nil
}

// arraySome is Array.prototype.some (§23.1.3.29).
func arraySome(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return arrayAny(m, &c, "some", true)
}

// arrayEvery is Array.prototype.every (§23.1.3.6).
func arrayEvery(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return arrayAny(m, &c, "every", false)
}

// arrayAny stops at the first element whose callback gives want.
func arrayAny(m *vm.Machine, c *vm.Call, method string, want bool) (vm.Value, error) {
	w, err := startWalk(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	defer w.close()
	for i := int64(0); i < w.n; i++ {
		v, ok, err := w.present(i)
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			continue
		}
		r, err := w.call(v, i)
		if err != nil {
			return vm.Undefined, err
		}
		if m.ToBoolean(r) == want {
			return heap.Bool(want), nil
		}
	}
	return heap.Bool(!want), nil
}

func arrayFind(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, _, err := findViaPredicate(m, &c, "find", false)
	return v, err
}

func arrayFindIndex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	_, i, err := findViaPredicate(m, &c, "findIndex", false)
	return heap.Int64(i), err
}

func arrayFindLast(m *vm.Machine, c vm.Call) (vm.Value, error) {
	v, _, err := findViaPredicate(m, &c, "findLast", true)
	return v, err
}

func arrayFindLastIndex(m *vm.Machine, c vm.Call) (vm.Value, error) {
	_, i, err := findViaPredicate(m, &c, "findLastIndex", true)
	return heap.Int64(i), err
}

// findViaPredicate is FindViaPredicate (§23.1.3.12.1).
func findViaPredicate(m *vm.Machine, c *vm.Call, method string, fromEnd bool) (vm.Value, int64, error) {
	w, err := startWalk(m, c, method)
	if err != nil {
		return vm.Undefined, -1, err
	}
	defer w.close()
	for k := int64(0); k < w.n; k++ {
		i := k
		if fromEnd {
			i = w.n - 1 - k
		}
		v, err := w.get(i)
		if err != nil {
			return vm.Undefined, -1, err
		}
		at := m.Root(v)
		r, err := w.call(v, i)
		m.PopRoots(at)
		if err != nil {
			return vm.Undefined, -1, err
		}
		if m.ToBoolean(r) {
			return v, i, nil
		}
	}
	return vm.Undefined, -1, nil
}

// arrayReduce is Array.prototype.reduce (§23.1.3.24).
func arrayReduce(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return reduceArray(m, &c, "reduce", false)
}

// arrayReduceRight is Array.prototype.reduceRight (§23.1.3.25).
func arrayReduceRight(m *vm.Machine, c vm.Call) (vm.Value, error) {
	return reduceArray(m, &c, "reduceRight", true)
}

func reduceArray(m *vm.Machine, c *vm.Call, method string, right bool) (vm.Value, error) {
	w, err := startWalk(m, c, method)
	if err != nil {
		return vm.Undefined, err
	}
	defer w.close()
	acc, started := c.Arg(1), len(c.Args) > 1
	for k := int64(0); k < w.n; k++ {
		i := k
		if right {
			i = w.n - 1 - k
		}
		v, ok, err := w.present(i)
		if err != nil {
			return vm.Undefined, err
		}
		switch {
		case !ok:
		case !started:
			acc, started = v, true
		default:
			if acc, err = m.CallRooted(w.fn, vm.Undefined, acc, v, heap.Int64(i), w.ov); err != nil {
				return vm.Undefined, err
			}
		}
	}
	if !started {
		return vm.Undefined, m.TypeError("Reduce of empty array with no initial value")
	}
	return acc, nil
}

// maxFlatDepth bounds the nesting that flat descends into.
const maxFlatDepth = 4096

// arrayFlat is Array.prototype.flat (§23.1.3.13).
func arrayFlat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "flat")
	if err != nil {
		return vm.Undefined, err
	}
	depth := 1.0
	if c.Arg(0) != vm.Undefined {
		if depth, err = m.ToInteger(c.Arg(0)); err != nil {
			return vm.Undefined, err
		}
	}
	a, err := arraySpeciesCreate(m, o, 0)
	if err != nil {
		return vm.Undefined, err
	}
	_, err = flattenInto(m, a, o, n, 0, depth, 0)
	return heap.ObjectValue(a), err
}

// flattenInto is FlattenIntoArray (§23.1.3.13.1) without a mapper. level is the
// nesting reached.
func flattenInto(m *vm.Machine, a, o vm.Obj, n, to int64, depth float64, level int) (int64, error) {
	if level > maxFlatDepth {
		return to, m.RangeError("Maximum call stack size exceeded")
	}
	for i := int64(0); i < n; i++ {
		if err := m.Charge(1); err != nil {
			return to, err
		}
		v, ok, err := presentAt(m, o, i)
		if err != nil {
			return to, err
		}
		if !ok {
			continue
		}
		if to, err = flattenValue(m, a, v, to, depth, level); err != nil {
			return to, err
		}
	}
	return to, nil
}

// flattenValue adds one element: itself, or its elements when it is an array
// and depth allows it.
func flattenValue(m *vm.Machine, a vm.Obj, v vm.Value, to int64, depth float64, level int) (int64, error) {
	if depth > 0 && v.IsObject() {
		is, err := m.IsArray(v)
		if err != nil {
			return to, err
		}
		if is {
			n, err := m.LengthOf(v.AsObj())
			if err != nil {
				return to, err
			}
			return flattenInto(m, a, v.AsObj(), n, to, depth-1, level+1)
		}
	}
	if to >= maxLength {
		return to, m.TypeError("Invalid array length")
	}
	return to + 1, createAt(m, a, to, v)
}

// arrayFlatMap is Array.prototype.flatMap (§23.1.3.14).
func arrayFlatMap(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "flatMap")
	if err != nil {
		return vm.Undefined, err
	}
	if !m.IsCallable(c.Arg(0)) {
		return vm.Undefined, m.TypeError("flatMap mapper function is not callable")
	}
	ov := heap.ObjectValue(o)
	at := m.Root(ov)
	defer m.PopRoots(at)
	a, err := arraySpeciesCreate(m, o, 0)
	if err != nil {
		return vm.Undefined, err
	}
	m.Root(heap.ObjectValue(a))
	w := walk{m: m, o: o, ov: ov, n: n, fn: c.Arg(0), this: c.Arg(1)}
	to := int64(0)
	for i := int64(0); i < n; i++ {
		v, ok, err := w.present(i)
		if err != nil {
			return vm.Undefined, err
		}
		if !ok {
			continue
		}
		if v, err = w.call(v, i); err != nil {
			return vm.Undefined, err
		}
		if to, err = flattenValue(m, a, v, to, 1, 0); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(a), nil
}
