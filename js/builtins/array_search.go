package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// arrayAt is Array.prototype.at (§23.1.3.1).
func arrayAt(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "at")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if f < 0 {
		f += float64(n)
	}
	if f < 0 || f >= float64(n) {
		return vm.Undefined, nil
	}
	return getAt(m, o, int64(f))
}

// arrayIncludes is Array.prototype.includes (§23.1.3.16).
func arrayIncludes(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "includes")
	if err != nil || n == 0 {
		return vm.False, err
	}
	k, err := relativeIndex(m, c.Arg(1), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	want := c.Arg(0)
	if m.H.Obj(o).Class == heap.ClassArray && readableArray(m, o) {
		at, err := findElement(m, o, want, k, n, true)
		return heap.Bool(at >= 0), err
	}
	for ; k < n; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, err := getAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if same, err := m.SameValueZero(v, want); same || err != nil {
			return vm.True, err
		}
	}
	return vm.False, nil
}

// arrayIndexOf is Array.prototype.indexOf (§23.1.3.17).
func arrayIndexOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "indexOf")
	if err != nil || n == 0 {
		return heap.Int(-1), err
	}
	k, err := relativeIndex(m, c.Arg(1), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	want := c.Arg(0)
	if m.H.Obj(o).Class == heap.ClassArray && readableArray(m, o) {
		at, err := findElement(m, o, want, k, n, false)
		return heap.Int64(at), err
	}
	for ; k < n; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, ok, err := presentAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			if same, err := m.StrictEquals(v, want); same || err != nil {
				return heap.Int64(k), err
			}
		}
	}
	return heap.Int(-1), nil
}

// findElement searches a dense array whose holes read as undefined, from
// element k to before n. asIncludes selects SameValueZero and sees holes,
// otherwise IsStrictlyEqual skips them. It returns -1 when there is none.
func findElement(m *vm.Machine, o vm.Obj, want vm.Value, k, n int64, asIncludes bool) (int64, error) {
	rec := m.H.Obj(o)
	if asIncludes && want == vm.Undefined && n > int64(rec.ElemLen) {
		// The holes at the end are undefined too, unless an earlier one is.
		if k >= int64(rec.ElemLen) {
			if k < n {
				return k, nil
			}
			return -1, nil
		}
		return int64(rec.ElemLen), nil
	}
	n = min(n, int64(rec.ElemLen))
	for k < n {
		end := min(k+chunk, n)
		if err := m.Charge(int(end-k)/4 + 1); err != nil {
			return -1, err
		}
		e := m.H.Elems(o)[k:end]
		at := -1
		var err error
		switch {
		case want.IsNumber():
			at = findNumber(e, want, asIncludes)
		case want.IsString(), want.IsBigInt():
			at, err = findContent(m, e, want)
		case want == vm.Undefined && asIncludes:
			for i, v := range e { //meter: a chunk, charged above
				if v == vm.Undefined || v == vm.Empty {
					at = i
					break
				}
			}
		default:
			for i, v := range e { //meter: a chunk, charged above
				if v == want {
					at = i
					break
				}
			}
		}
		if at >= 0 || err != nil {
			return k + int64(at), err
		}
		k = end
	}
	return -1, nil
}

func findNumber(e []vm.Value, want vm.Value, nan bool) int {
	f := want.AsFloat()
	if f != f {
		if nan {
			for i, v := range e { //meter: a chunk, charged by the caller
				if v.IsDouble() && v.AsDouble() != v.AsDouble() {
					return i
				}
			}
		}
		return -1
	}
	for i, v := range e { //meter: a chunk, charged by the caller
		if v == want || v.IsNumber() && v.AsFloat() == f {
			return i
		}
	}
	return -1
}

// findContent looks for a string or BigInt. Comparing may flatten ropes, which
// writes cells but no elements.
func findContent(m *vm.Machine, e []vm.Value, want vm.Value) (int, error) {
	str := want.IsString()
	for i, v := range e { //meter: a chunk, charged by the caller
		if v == want {
			return i, nil
		}
		if str && v.IsString() {
			if same, err := m.H.StringEqual(v.AsStr(), want.AsStr()); same || err != nil {
				return i, err
			}
		} else if !str && v.IsBigInt() {
			if same, err := m.H.BigIntEqual(v.AsStr(), want.AsStr()); same || err != nil {
				return i, err
			}
		}
	}
	return -1, nil
}

// arrayLastIndexOf is Array.prototype.lastIndexOf (§23.1.3.20).
func arrayLastIndexOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "lastIndexOf")
	if err != nil || n == 0 {
		return heap.Int(-1), err
	}
	k := n - 1
	if len(c.Args) > 1 {
		f, err := m.ToInteger(c.Args[1])
		if err != nil {
			return vm.Undefined, err
		}
		if f >= 0 {
			k = int64(min(f, float64(n-1)))
		} else {
			k = int64(max(f+float64(n), -1))
		}
	}
	want := c.Arg(0)
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && readableArray(m, o) {
		k = min(k, int64(rec.ElemLen)-1)
	}
	for ; k >= 0; k-- {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, ok, err := presentAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			if same, err := m.StrictEquals(v, want); same || err != nil {
				return heap.Int64(k), err
			}
		}
	}
	return heap.Int(-1), nil
}
