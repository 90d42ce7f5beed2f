package builtins

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// appendRange appends o's elements [from, to) to the plain array a, reading
// holes through.
func appendRange(m *vm.Machine, a, o vm.Obj, from, to int64) error {
	if from >= to {
		return nil
	}
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && to <= int64(rec.ElemLen) && readableArray(m, o) {
		at := int(m.H.Obj(a).ElemLen)
		if err := appendValues(m, a, m.H.Elems(o)[from:to]); err != nil {
			return err
		}
		return fillHoles(m, a, at)
	}
	for ; from < to; from++ {
		if err := m.Charge(1); err != nil {
			return err
		}
		v, err := getAt(m, o, from)
		if err != nil {
			return err
		}
		if err := m.H.Push(a, v); err != nil {
			return err
		}
	}
	return nil
}

// arrayToReversed is Array.prototype.toReversed (§23.1.3.33).
func arrayToReversed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "toReversed")
	if err != nil {
		return vm.Undefined, err
	}
	if n > maxArrayLength {
		return vm.Undefined, m.RangeError("Invalid array length")
	}
	a := m.NewArrayLen(0)
	if m.H.Obj(o).Class == heap.ClassArray && wholeArray(m, o) {
		if err := appendRange(m, a, o, 0, n); err != nil {
			return vm.Undefined, err
		}
		slices.Reverse(m.H.ElemsW(a))
		return heap.ObjectValue(a), nil
	}
	for k := n - 1; k >= 0; k-- {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, err := getAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.H.Push(a, v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(a), nil
}

// arrayToSpliced is Array.prototype.toSpliced (§23.1.3.35).
func arrayToSpliced(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "toSpliced")
	if err != nil {
		return vm.Undefined, err
	}
	start, skip, err := spliceRange(m, &c, n)
	if err != nil {
		return vm.Undefined, err
	}
	var items []vm.Value
	if len(c.Args) > 2 {
		items = c.Args[2:]
	}
	newLen := n + int64(len(items)) - skip
	if newLen > maxLength {
		return vm.Undefined, m.TypeError("Invalid array length")
	}
	if newLen > maxArrayLength {
		return vm.Undefined, m.RangeError("Invalid array length")
	}
	a := m.NewArrayLen(0)
	if err := appendRange(m, a, o, 0, start); err != nil {
		return vm.Undefined, err
	}
	if err := appendValues(m, a, items); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(a), appendRange(m, a, o, start+skip, n)
}

// arrayWith is Array.prototype.with (§23.1.3.39).
func arrayWith(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "with")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	at := f
	if at < 0 {
		at += float64(n)
	}
	if at < 0 || at >= float64(n) {
		s, err := m.GoString(heap.Number(f))
		if err != nil {
			return vm.Undefined, err
		}
		return vm.Undefined, m.RangeError("Invalid index : %s", s)
	}
	if n > maxArrayLength {
		return vm.Undefined, m.RangeError("Invalid array length")
	}
	i := int64(at)
	a := m.NewArrayLen(0)
	if err := appendRange(m, a, o, 0, i); err != nil {
		return vm.Undefined, err
	}
	if err := m.H.Push(a, c.Arg(1)); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(a), appendRange(m, a, o, i+1, n)
}
