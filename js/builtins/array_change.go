package builtins

import (
	"slices"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// arrayPush is Array.prototype.push (§23.1.3.23).
func arrayPush(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This.IsObject() {
		o := c.This.AsObj()
		if rec := m.H.Obj(o); rec.ElemLen == rec.Length && int64(rec.Length)+int64(len(c.Args)) <= maxArrayLength && plainArray(m, o) {
			if len(c.Args) == 1 {
				if err := m.H.Push(o, c.Args[0]); err != nil {
					return vm.Undefined, err
				}
			} else if err := appendValues(m, o, c.Args); err != nil {
				return vm.Undefined, err
			}
			return heap.Int64(int64(m.H.Obj(o).Length)), nil
		}
	}
	o, n, err := thisArray(m, &c, "push")
	if err != nil {
		return vm.Undefined, err
	}
	if n+int64(len(c.Args)) > maxLength {
		return vm.Undefined, m.TypeError("Pushing %d elements on an array-like of length %d is disallowed, as the total surpasses 2**53-1", len(c.Args), n)
	}
	for _, v := range c.Args {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := putAt(m, o, n, v); err != nil {
			return vm.Undefined, err
		}
		n++
	}
	return heap.Int64(n), putLength(m, o, n)
}

// arrayPop is Array.prototype.pop (§23.1.3.22).
func arrayPop(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This.IsObject() {
		o := c.This.AsObj()
		if rec := m.H.Obj(o); rec.ElemLen == rec.Length && rec.Length > 0 && plainArray(m, o) {
			w := m.H.ObjW(o)
			w.ElemLen--
			w.Length--
			return orUndefined(m.H.Word(w.Elems, int(w.Length))), nil
		}
	}
	o, n, err := thisArray(m, &c, "pop")
	if err != nil {
		return vm.Undefined, err
	}
	if n == 0 {
		return vm.Undefined, putLength(m, o, 0)
	}
	v, err := getAt(m, o, n-1)
	if err != nil {
		return vm.Undefined, err
	}
	if err := deleteAt(m, o, n-1); err != nil {
		return vm.Undefined, err
	}
	return v, putLength(m, o, n-1)
}

func orUndefined(v vm.Value) vm.Value {
	if v == vm.Empty {
		return vm.Undefined
	}
	return v
}

// arrayShift is Array.prototype.shift (§23.1.3.27).
func arrayShift(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This.IsObject() {
		o := c.This.AsObj()
		if rec := m.H.Obj(o); rec.ElemLen > 0 && plainArray(m, o) {
			if err := m.Charge(int(rec.ElemLen / 64)); err != nil {
				return vm.Undefined, err
			}
			e := m.H.ElemsW(o)
			v := e[0]
			copy(e, e[1:])
			w := m.H.ObjW(o)
			w.ElemLen--
			w.Length--
			return orUndefined(v), nil
		}
	}
	o, n, err := thisArray(m, &c, "shift")
	if err != nil {
		return vm.Undefined, err
	}
	if n == 0 {
		return vm.Undefined, putLength(m, o, 0)
	}
	first, err := getAt(m, o, 0)
	if err != nil {
		return vm.Undefined, err
	}
	for k := int64(1); k < n; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := moveAt(m, o, k, k-1); err != nil {
			return vm.Undefined, err
		}
	}
	if err := deleteAt(m, o, n-1); err != nil {
		return vm.Undefined, err
	}
	return first, putLength(m, o, n-1)
}

// arrayUnshift is Array.prototype.unshift (§23.1.3.37).
func arrayUnshift(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.This.IsObject() && len(c.Args) > 0 {
		o := c.This.AsObj()
		if rec := m.H.Obj(o); rec.ElemLen == rec.Length && int64(rec.Length)+int64(len(c.Args)) < maxArrayLength && plainArray(m, o) {
			if err := openGap(m, o, 0, 0, len(c.Args)); err != nil {
				return vm.Undefined, err
			}
			copy(m.H.ElemsW(o), c.Args)
			return heap.Int64(int64(m.H.Obj(o).Length)), nil
		}
	}
	o, n, err := thisArray(m, &c, "unshift")
	if err != nil {
		return vm.Undefined, err
	}
	if add := int64(len(c.Args)); add > 0 {
		if n+add > maxLength {
			return vm.Undefined, m.TypeError("Invalid array length")
		}
		for k := n - 1; k >= 0; k-- {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if err := moveAt(m, o, k, k+add); err != nil {
				return vm.Undefined, err
			}
		}
		for i, v := range c.Args {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if err := putAt(m, o, int64(i), v); err != nil {
				return vm.Undefined, err
			}
		}
		n += add
	}
	return heap.Int64(n), putLength(m, o, n)
}

// openGap replaces del elements at start of a plain array, whose elements are
// all initialised, by room for ins others, which the caller fills.
func openGap(m *vm.Machine, o vm.Obj, start, del, ins int) error {
	n := int(m.H.Obj(o).ElemLen)
	if err := m.Charge((n-start)/64 + ins/4); err != nil {
		return err
	}
	if ins > del {
		if err := m.H.EnsureElems(o, n+ins-del); err != nil {
			return err
		}
	}
	w := m.H.ObjW(o)
	e := m.H.ValuesW(w.Elems)
	copy(e[start+ins:], e[start+del:n])
	w.ElemLen = uint32(n + ins - del)
	w.Length = w.ElemLen
	for i := start; i < start+ins; i++ { //meter: charged above
		e[i] = vm.Undefined
	}
	return nil
}

// spliceRange reads the arguments that splice and toSpliced share: the first
// index and how many elements to skip.
func spliceRange(m *vm.Machine, c *vm.Call, n int64) (start, del int64, err error) {
	if start, err = relativeIndex(m, c.Arg(0), n, 0); err != nil {
		return 0, 0, err
	}
	switch len(c.Args) {
	case 0:
		return start, 0, nil
	case 1:
		return start, n - start, nil
	}
	f, err := m.ToInteger(c.Args[1])
	if err != nil {
		return 0, 0, err
	}
	return start, int64(max(0, min(f, float64(n-start)))), nil
}

// arraySplice is Array.prototype.splice (§23.1.3.31).
func arraySplice(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "splice")
	if err != nil {
		return vm.Undefined, err
	}
	start, del, err := spliceRange(m, &c, n)
	if err != nil {
		return vm.Undefined, err
	}
	var items []vm.Value
	if len(c.Args) > 2 {
		items = c.Args[2:]
	}
	add := int64(len(items))
	if n+add-del > maxLength {
		return vm.Undefined, m.TypeError("Invalid array length")
	}
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && int64(rec.Length) == n && rec.ElemLen == rec.Length && n+add-del < maxArrayLength &&
		plainArray(m, o) && plainSpecies(m, o) {
		return spliceFast(m, o, int(start), int(del), items)
	}
	a, err := arraySpeciesCreate(m, o, del)
	if err != nil {
		return vm.Undefined, err
	}
	for k := int64(0); k < del; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, ok, err := presentAt(m, o, start+k)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			if err := createAt(m, a, k, v); err != nil {
				return vm.Undefined, err
			}
		}
	}
	if err := putLength(m, a, del); err != nil {
		return vm.Undefined, err
	}
	switch {
	case add < del:
		for k := start; k < n-del; k++ {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if err := moveAt(m, o, k+del, k+add); err != nil {
				return vm.Undefined, err
			}
		}
		for k := n - 1; k >= n-del+add; k-- {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if err := deleteAt(m, o, k); err != nil {
				return vm.Undefined, err
			}
		}
	case add > del:
		for k := n - del - 1; k >= start; k-- {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if err := moveAt(m, o, k+del, k+add); err != nil {
				return vm.Undefined, err
			}
		}
	}
	for i, v := range items {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := putAt(m, o, start+int64(i), v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(a), putLength(m, o, n-del+add)
}

func spliceFast(m *vm.Machine, o vm.Obj, start, del int, items []vm.Value) (vm.Value, error) {
	if err := m.Charge(del / 4); err != nil {
		return vm.Undefined, err
	}
	var removed []vm.Value
	if del > 0 {
		removed = m.H.Elems(o)[start : start+del]
	}
	a, err := m.NewArray(removed)
	if err != nil {
		return vm.Undefined, err
	}
	if del != len(items) {
		if err := openGap(m, o, start, del, len(items)); err != nil {
			return vm.Undefined, err
		}
	}
	if len(items) > 0 {
		copy(m.H.ElemsW(o)[start:], items)
	}
	return heap.ObjectValue(a), nil
}

// arraySlice is Array.prototype.slice (§23.1.3.28).
func arraySlice(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "slice")
	if err != nil {
		return vm.Undefined, err
	}
	k, err := relativeIndex(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	end, err := relativeIndex(m, c.Arg(1), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	count := max(end-k, 0)
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && readableArray(m, o) && plainSpecies(m, o) {
		a, err := sliceFast(m, o, k, count)
		return heap.ObjectValue(a), err
	}
	a, err := arraySpeciesCreate(m, o, count)
	if err != nil {
		return vm.Undefined, err
	}
	i := int64(0)
	for ; k < end; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v, ok, err := presentAt(m, o, k)
		if err != nil {
			return vm.Undefined, err
		}
		if ok {
			if err := createAt(m, a, i, v); err != nil {
				return vm.Undefined, err
			}
		}
		i++
	}
	return heap.ObjectValue(a), putLength(m, a, i)
}

// sliceFast copies count elements of a dense array from k on; count counts
// holes after the initialised elements too.
func sliceFast(m *vm.Machine, o vm.Obj, k, count int64) (vm.Obj, error) {
	if err := m.Charge(int(min(count, int64(m.H.Obj(o).ElemLen))) / 4); err != nil {
		return 0, err
	}
	e := m.H.Elems(o)
	var part []vm.Value
	if k < int64(len(e)) {
		part = e[k:min(k+count, int64(len(e)))]
	}
	a, err := m.NewArray(part)
	if err == nil && int64(len(part)) < count {
		m.H.ObjW(a).Length = uint32(count)
	}
	return a, err
}

// arrayConcat is Array.prototype.concat (§23.1.3.1).
func arrayConcat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisObject(m, &c, "concat")
	if err != nil {
		return vm.Undefined, err
	}
	a, err := arraySpeciesCreate(m, o, 0)
	if err != nil {
		return vm.Undefined, err
	}
	n := int64(0)
	for i := -1; i < len(c.Args); i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		item := heap.ObjectValue(o)
		if i >= 0 {
			item = c.Args[i]
		}
		spread, err := isConcatSpreadable(m, item)
		if err != nil {
			return vm.Undefined, err
		}
		if !spread {
			if n >= maxLength {
				return vm.Undefined, m.TypeError("Invalid array length")
			}
			if err := createAt(m, a, n, item); err != nil {
				return vm.Undefined, err
			}
			n++
			continue
		}
		if n, err = concatSpread(m, a, n, item.AsObj()); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(a), putLength(m, a, n)
}

func concatSpread(m *vm.Machine, a vm.Obj, n int64, e vm.Obj) (int64, error) {
	count, err := m.LengthOf(e)
	if err != nil {
		return n, err
	}
	if n+count > maxLength {
		return n, m.TypeError("Invalid array length")
	}
	if m.H.Obj(e).Class == heap.ClassArray && wholeArray(m, e) && a != e {
		if rec := m.H.Obj(a); plainArray(m, a) && int64(rec.ElemLen) == n && rec.ElemLen == rec.Length && n+count < maxArrayLength {
			return n + count, appendValues(m, a, m.H.Elems(e))
		}
	}
	for k := int64(0); k < count; k++ {
		if err := m.Charge(1); err != nil {
			return n, err
		}
		v, ok, err := presentAt(m, e, k)
		if err != nil {
			return n, err
		}
		if ok {
			if err := createAt(m, a, n+k, v); err != nil {
				return n, err
			}
		}
	}
	return n + count, nil
}

// isConcatSpreadable is IsConcatSpreadable (§23.1.3.1.2).
func isConcatSpreadable(m *vm.Machine, v vm.Value) (bool, error) {
	if !v.IsObject() {
		return false, nil
	}
	s, err := m.Get(v.AsObj(), m.N.SymIsConcatSpreadable)
	if err != nil {
		return false, err
	}
	if s != vm.Undefined {
		return m.ToBoolean(s), nil
	}
	return m.IsArray(v)
}

// arrayReverse is Array.prototype.reverse (§23.1.3.26).
func arrayReverse(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "reverse")
	if err != nil {
		return vm.Undefined, err
	}
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && rec.ElemLen == rec.Length && plainArray(m, o) {
		if err := m.Charge(int(n) / 4); err != nil {
			return vm.Undefined, err
		}
		slices.Reverse(m.H.ElemsW(o))
		return heap.ObjectValue(o), nil
	}
	for lo := int64(0); lo < n/2; lo++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		hi := n - 1 - lo
		if err := swapAt(m, o, lo, hi); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

func swapAt(m *vm.Machine, o vm.Obj, lo, hi int64) error {
	a, hasA, err := presentAt(m, o, lo)
	if err != nil {
		return err
	}
	b, hasB, err := presentAt(m, o, hi)
	if err != nil {
		return err
	}
	switch {
	case hasA && hasB:
		if err := putAt(m, o, lo, b); err != nil {
			return err
		}
		return putAt(m, o, hi, a)
	case hasB:
		if err := putAt(m, o, lo, b); err != nil {
			return err
		}
		return deleteAt(m, o, hi)
	case hasA:
		if err := deleteAt(m, o, lo); err != nil {
			return err
		}
		return putAt(m, o, hi, a)
	}
	return nil
}

// arrayFill is Array.prototype.fill (§23.1.3.7).
func arrayFill(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "fill")
	if err != nil {
		return vm.Undefined, err
	}
	k, err := relativeIndex(m, c.Arg(1), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	end, err := relativeIndex(m, c.Arg(2), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && k < end && k <= int64(rec.ElemLen) && end <= int64(rec.Length) && end < maxArrayLength && plainArray(m, o) {
		if err := m.Charge(int(end-k) / 4); err != nil {
			return vm.Undefined, err
		}
		if err := m.H.EnsureElems(o, int(end)); err != nil {
			return vm.Undefined, err
		}
		w := m.H.ObjW(o)
		w.ElemLen = max(w.ElemLen, uint32(end))
		e := m.H.ValuesW(w.Elems)[k:end]
		for i := range e { //meter: charged above
			e[i] = v
			if i&0xFFFF == 0xFFFF {
				if err := m.Meter().Poll(); err != nil {
					return vm.Undefined, err
				}
			}
		}
		return heap.ObjectValue(o), nil
	}
	for ; k < end; k++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := putAt(m, o, k, v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

// arrayCopyWithin is Array.prototype.copyWithin (§23.1.3.4).
func arrayCopyWithin(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, n, err := thisArray(m, &c, "copyWithin")
	if err != nil {
		return vm.Undefined, err
	}
	to, err := relativeIndex(m, c.Arg(0), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	from, err := relativeIndex(m, c.Arg(1), n, 0)
	if err != nil {
		return vm.Undefined, err
	}
	end, err := relativeIndex(m, c.Arg(2), n, n)
	if err != nil {
		return vm.Undefined, err
	}
	count := min(end-from, n-to)
	if count <= 0 {
		return heap.ObjectValue(o), nil
	}
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && rec.ElemLen == rec.Length && int64(rec.Length) == n && plainArray(m, o) {
		if err := m.Charge(int(count) / 64); err != nil {
			return vm.Undefined, err
		}
		e := m.H.ElemsW(o)
		copy(e[to:to+count], e[from:])
		return heap.ObjectValue(o), nil
	}
	step := int64(1)
	if from < to && to < from+count {
		step = -1
		from += count - 1
		to += count - 1
	}
	for ; count > 0; count-- {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := moveAt(m, o, from, to); err != nil {
			return vm.Undefined, err
		}
		from += step
		to += step
	}
	return heap.ObjectValue(o), nil
}
