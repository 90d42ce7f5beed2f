package builtins

import (
	"bytes"
	"slices"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// arraySort is Array.prototype.sort (§23.1.3.30).
func arraySort(m *vm.Machine, c vm.Call) (vm.Value, error) {
	compare := c.Arg(0)
	if compare != vm.Undefined && !m.IsCallable(compare) {
		return vm.Undefined, m.TypeError("The comparison function must be either a function or undefined")
	}
	o, n, err := thisArray(m, &c, "sort")
	if err != nil {
		return vm.Undefined, err
	}
	ov := heap.ObjectValue(o)
	at := m.Root(ov)
	defer m.PopRoots(at)
	list, err := newSortList(m, o, n, false)
	if err != nil {
		return vm.Undefined, err
	}
	defer list.free()
	if err := list.sort(compare); err != nil {
		return vm.Undefined, err
	}
	sorted := list.vals
	total := int64(len(sorted)) + list.undefs
	// Write back: in place when the array still has room for all.
	if rec := m.H.Obj(o); int64(rec.ElemLen) == n && plainArray(m, o) && total <= n {
		if err := m.Charge(int(total / 8)); err != nil {
			return vm.Undefined, err
		}
		e := m.H.ElemsW(o)
		copy(e, sorted)
		for i := int64(len(sorted)); i < total; i++ { //meter: charged above
			e[i] = vm.Undefined
		}
		for i := total; i < n; i++ { //meter: the list was charged for these
			e[i] = vm.Empty
		}
		return ov, nil
	}
	for i := range total {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		v := vm.Undefined
		if i < int64(len(sorted)) {
			v = sorted[i]
		}
		if err := putAt(m, o, i, v); err != nil {
			return vm.Undefined, err
		}
	}
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && readableArray(m, o) {
		n = min(n, int64(rec.ElemLen)) // nothing to delete beyond
	}
	for i := total; i < n; i++ {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if has, err := hasAt(m, o, i); err != nil {
			return vm.Undefined, err
		} else if has {
			if err := deleteAt(m, o, i); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return ov, nil
}

// arrayToSorted is Array.prototype.toSorted (§23.1.3.34).
func arrayToSorted(m *vm.Machine, c vm.Call) (vm.Value, error) {
	compare := c.Arg(0)
	if compare != vm.Undefined && !m.IsCallable(compare) {
		return vm.Undefined, m.TypeError("The comparison function must be either a function or undefined")
	}
	o, n, err := thisArray(m, &c, "toSorted")
	if err != nil {
		return vm.Undefined, err
	}
	if n > maxArrayLength {
		return vm.Undefined, m.RangeError("Invalid array length")
	}
	list, err := newSortList(m, o, n, true)
	if err != nil {
		return vm.Undefined, err
	}
	defer list.free()
	at := m.Root(heap.ObjectValue(o))
	defer m.PopRoots(at)
	if err := list.sort(compare); err != nil {
		return vm.Undefined, err
	}
	a := m.NewArrayLen(0)
	if err := appendValues(m, a, list.vals); err != nil {
		return vm.Undefined, err
	}
	for range list.undefs {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		if err := m.H.Push(a, vm.Undefined); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(a), nil
}

// sortList is the list that SortIndexedProperties (§23.1.3.30.1) sorts: the
// values that are not undefined, which always come last.
type sortList struct {
	m       *vm.Machine
	vals    []vm.Value
	undefs  int64
	charged int64
}

// newSortList collects o's elements. holes selects read-through-holes. The
// list is memory outside the heap; it is charged until free.
func newSortList(m *vm.Machine, o vm.Obj, n int64, holes bool) (*sortList, error) {
	l := &sortList{m: m}
	if rec := m.H.Obj(o); rec.Class == heap.ClassArray && readableArray(m, o) {
		if err := m.Charge(int(rec.ElemLen)/4 + 1); err != nil {
			return nil, err
		}
		if err := l.reserve(int(min(n, int64(rec.ElemLen)))); err != nil {
			return nil, err
		}
		e := m.H.Elems(o)
		for _, v := range e[:min(n, int64(len(e)))] { //meter: charged above
			l.add(v, holes)
		}
		if holes {
			l.undefs += n - min(n, int64(len(e)))
		}
		return l, nil
	}
	for i := int64(0); i < n; i++ {
		if err := m.Charge(1); err != nil {
			l.free()
			return nil, err
		}
		v, ok, err := presentAt(m, o, i)
		if err == nil && holes && !ok {
			v, err = getAt(m, o, i)
			ok = true
		}
		if err == nil && len(l.vals) == cap(l.vals) {
			err = l.reserve(2*len(l.vals) + 16)
		}
		if err != nil {
			l.free()
			return nil, err
		}
		if ok {
			l.add(v, holes)
		}
	}
	return l, nil
}

func (l *sortList) add(v vm.Value, holes bool) {
	switch {
	case v == vm.Undefined, v == vm.Empty && holes:
		l.undefs++
	case v != vm.Empty:
		l.vals = append(l.vals, v)
	}
}

// reserve gives vals a capacity of n and charges for it.
func (l *sortList) reserve(n int) error {
	if err := l.m.Meter().Grow(int64(n) * 8); err != nil {
		return err
	}
	l.charged += int64(n) * 8
	l.vals = append(make([]vm.Value, 0, n), l.vals...)
	return nil
}

// free gives the list's memory back.
func (l *sortList) free() {
	l.m.Meter().Shrink(l.charged)
	l.charged = 0
}

// scratch charges for n bytes beside the list.
func (l *sortList) scratch(n int) error {
	if err := l.m.Meter().Grow(int64(n)); err != nil {
		return err
	}
	l.charged += int64(n)
	return nil
}

func (l *sortList) sort(compare vm.Value) error {
	if len(l.vals) < 2 {
		return nil
	}
	if err := l.scratch(len(l.vals) * 8); err != nil {
		return err
	}
	if compare == vm.Undefined {
		return l.sortDefault()
	}
	if done, err := l.sortByDifference(compare); done || err != nil {
		return err
	}
	// The comparator may drop the values from wherever they are, while the
	// list is out of the collector's sight: an array keeps them.
	keep, err := l.m.NewArray(l.vals)
	if err != nil {
		return err
	}
	at := l.m.Root(heap.ObjectValue(keep))
	defer l.m.PopRoots(at)
	m := l.m
	return mergeSort(m, l.vals, func(a, b vm.Value) (bool, error) {
		r, err := m.CallRooted(compare, vm.Undefined, a, b)
		if err != nil {
			return false, err
		}
		if r.IsInt() {
			return r.AsInt() < 0, nil
		}
		f, err := m.ToFloat(r)
		return f < 0, err
	})
}

// differenceFuel is what a comparison costs that need not be called.
const differenceFuel = 3

// sortByDifference sorts without calling a comparator that subtracts numbers.
// It reports false when the comparator, or a value, is anything else.
func (l *sortList) sortByDifference(compare vm.Value) (bool, error) {
	m := l.m
	d, ok := m.DifferenceOf(compare)
	if !ok {
		return false, nil
	}
	if err := m.Charge(len(l.vals)); err != nil {
		return false, err
	}
	if err := l.scratch(len(l.vals) * 20); err != nil {
		return false, err
	}
	type item struct {
		f float64
		v vm.Value
	}
	items := make([]item, len(l.vals))
	for i, v := range l.vals { //meter: charged above
		n := v
		if d.Key != 0 {
			if n, ok = ownData(m, v, d.Key); !ok {
				return false, nil
			}
		}
		if !n.IsNumber() {
			return false, nil
		}
		f := n.AsFloat()
		if f != f {
			return false, nil
		}
		if d.Descending {
			f = -f
		}
		items[i] = item{f, v}
	}
	err := mergeSort(m, items, func(a, b item) (bool, error) {
		return a.f < b.f, m.Charge(differenceFuel)
	})
	for i := range items { //meter: charged above
		l.vals[i] = items[i].v
	}
	return true, err
}

// ownData returns an own data property of an ordinary object or array, running
// no script.
func ownData(m *vm.Machine, v vm.Value, key vm.Key) (vm.Value, bool) {
	if !v.IsObject() {
		return vm.Undefined, false
	}
	o := v.AsObj()
	rec := m.H.Obj(o)
	if rec.Flags&(heap.Exotic|heap.LazyProps) != 0 {
		return vm.Undefined, false
	}
	var x vm.Value
	var a heap.Attrs
	var ok bool
	if key.IsIndex() {
		x, a, ok = m.H.GetElem(o, key.Index())
	} else {
		x, a, ok = m.H.GetNamed(o, key.Name())
	}
	return x, ok && a&heap.Accessor == 0
}

// sortDefault sorts by the strings of the values (§23.1.3.30.2).
func (l *sortList) sortDefault() error {
	ints, numbers, strings := true, true, true
	for _, v := range l.vals { //meter: as long as the list that was charged
		ints = ints && v.IsInt()
		numbers = numbers && v.IsNumber()
		strings = strings && v.IsString()
	}
	m := l.m
	switch {
	case ints:
		return mergeSort(m, l.vals, func(a, b vm.Value) (bool, error) {
			return compareDecimal(a.AsInt(), b.AsInt()) < 0, nil
		})
	case strings:
		return mergeSort(m, l.vals, func(a, b vm.Value) (bool, error) {
			x, err := m.H.StringCompare(a.AsStr(), b.AsStr())
			return x < 0, err
		})
	case numbers:
		return l.sortNumbers()
	}
	return l.sortStrings()
}

// sortNumbers sorts numbers by their decimal forms.
func (l *sortList) sortNumbers() error {
	const size = 32
	if err := l.m.Charge(len(l.vals) * 2); err != nil {
		return err
	}
	if err := l.scratch(len(l.vals) * (size + 8)); err != nil {
		return err
	}
	type item struct {
		v    vm.Value
		n    uint8
		text [size - 1]byte
	}
	items := make([]item, len(l.vals))
	for i, v := range l.vals { //meter: charged above
		items[i].v = v
		items[i].n = uint8(len(conv.FormatNumber(items[i].text[:0], v.AsFloat())))
	}
	order := make([]int32, len(items))
	for i := range order { //meter: charged above
		order[i] = int32(i)
	}
	err := mergeSort(l.m, order, func(a, b int32) (bool, error) {
		x, y := &items[a], &items[b]
		return bytes.Compare(x.text[:x.n], y.text[:y.n]) < 0, nil
	})
	for i, k := range order { //meter: charged above
		l.vals[i] = items[k].v
	}
	return err
}

// sortStrings sorts any values by their strings, each made once.
func (l *sortList) sortStrings() error {
	m := l.m
	if err := l.scratch(len(l.vals) * 16); err != nil {
		return err
	}
	// Conversions run script only through m.Call, which keeps the collector
	// away, so the strings are safe here until the sort is over.
	type item struct {
		v vm.Value
		s vm.Str
	}
	items := make([]item, len(l.vals))
	for i, v := range l.vals {
		if err := m.Charge(1); err != nil {
			return err
		}
		s, err := m.ToString(v)
		if err != nil {
			return err
		}
		items[i] = item{v, s}
	}
	err := mergeSort(m, items, func(a, b item) (bool, error) {
		x, err := m.H.StringCompare(a.s, b.s)
		return x < 0, err
	})
	for i := range items { //meter: charged above
		l.vals[i] = items[i].v
	}
	return err
}

var powersOfTen = [...]uint64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000}

// compareDecimal compares two integers as decimal strings.
func compareDecimal(a, b int32) int {
	if a == b {
		return 0
	}
	if (a < 0) != (b < 0) {
		if a < 0 { // '-' sorts before the digits
			return -1
		}
		return 1
	}
	x, y := uint64(max(int64(a), -int64(a))), uint64(max(int64(b), -int64(b)))
	dx, dy := digits(x), digits(y)
	// Bring both to the same number of digits; the shorter is a prefix when
	// that makes them equal.
	if dx < dy {
		x *= powersOfTen[dy-dx]
	} else {
		y *= powersOfTen[dx-dy]
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return dx - dy
}

func digits(x uint64) int {
	n := 1
	for n < len(powersOfTen) && x >= powersOfTen[n] { //meter: at most 10
		n++
	}
	return n
}

// minRun is the length up to which runs are built by insertion.
const minRun = 24

// mergeSort sorts stably with as few comparisons as it can: ordered runs are
// found, short ones extended by binary insertion, neighbours merged. less need
// not be consistent; its errors end the sort. Every comparison costs one unit.
func mergeSort[T any](m *vm.Machine, s []T, less func(a, b T) (bool, error)) error {
	n := len(s)
	if n < 2 {
		return nil
	}
	tmp := make([]T, n/2+1) //meter: half of what is sorted, whose memory callers charge for
	cmp := func(a, b T) (bool, error) {
		if err := m.Charge(1); err != nil {
			return false, err
		}
		return less(a, b)
	}
	type run struct{ start, n int }
	var stack [64]run
	top := 0
	mergeAt := func(i int) error {
		a, b := stack[i], stack[i+1]
		stack[i].n += b.n
		if i+2 < top {
			stack[i+1] = stack[i+2]
		}
		top--
		return mergeRuns(s[a.start:a.start+a.n+b.n], a.n, tmp, cmp)
	}
	for at := 0; at < n; { //meter: counting and merging runs compares, which charges
		length, err := countRun(s[at:], cmp)
		if err != nil {
			return err
		}
		if want := min(minRun, n-at); length < want {
			if err := insertRun(s[at:at+want], length, cmp); err != nil {
				return err
			}
			length = want
		}
		stack[top] = run{at, length}
		top++
		at += length
		// Keep run lengths growing towards the bottom, so that merges balance.
		for top > 1 { //meter: each turn merges; the stack is short
			i := top - 2
			switch {
			case i > 0 && stack[i-1].n <= stack[i].n+stack[i+1].n || i > 1 && stack[i-2].n <= stack[i-1].n+stack[i].n:
				if stack[i-1].n < stack[i+1].n {
					i--
				}
			case stack[i].n <= stack[i+1].n:
			default:
				i = -1
			}
			if i < 0 {
				break
			}
			if err := mergeAt(i); err != nil {
				return err
			}
		}
	}
	for top > 1 { //meter: as above
		i := top - 2
		if i > 0 && stack[i-1].n < stack[i+1].n {
			i--
		}
		if err := mergeAt(i); err != nil {
			return err
		}
	}
	return nil
}

// countRun returns the length of the ordered run that s begins with; one that
// descends strictly is reversed.
func countRun[T any](s []T, less func(a, b T) (bool, error)) (int, error) {
	if len(s) < 2 {
		return len(s), nil
	}
	down, err := less(s[1], s[0])
	if err != nil {
		return 0, err
	}
	n := 2
	for ; n < len(s); n++ { //meter: each comparison charges
		lt, err := less(s[n], s[n-1])
		if err != nil {
			return 0, err
		}
		if lt != down {
			break
		}
	}
	if down {
		slices.Reverse(s[:n])
	}
	return n, nil
}

// insertRun sorts s, whose first n elements are sorted, by binary insertion.
func insertRun[T any](s []T, n int, less func(a, b T) (bool, error)) error {
	for ; n < len(s); n++ { //meter: each comparison charges
		x := s[n]
		lo, hi := 0, n
		for lo < hi { //meter: each comparison charges
			mid := int(uint(lo+hi) / 2)
			lt, err := less(x, s[mid])
			if err != nil {
				return err
			}
			if lt {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		copy(s[lo+1:n+1], s[lo:n])
		s[lo] = x
	}
	return nil
}

// mergeRuns merges the sorted halves s[:mid] and s[mid:], the shorter of which
// fits in tmp.
func mergeRuns[T any](s []T, mid int, tmp []T, less func(a, b T) (bool, error)) error {
	// Already in order, as after a nearly sorted input?
	lt, err := less(s[mid], s[mid-1])
	if err != nil || !lt {
		return err
	}
	if mid <= len(s)-mid {
		a := tmp[:copy(tmp, s[:mid])]
		i, j, k := 0, mid, 0
		for i < len(a) && j < len(s) { //meter: each comparison charges
			lt, err := less(s[j], a[i])
			if err != nil {
				return err
			}
			if lt {
				s[k] = s[j]
				j++
			} else {
				s[k] = a[i]
				i++
			}
			k++
		}
		copy(s[k:], a[i:])
		return nil
	}
	b := tmp[:copy(tmp, s[mid:])]
	i, j, k := mid-1, len(b)-1, len(s)-1
	for i >= 0 && j >= 0 { //meter: each comparison charges
		lt, err := less(b[j], s[i])
		if err != nil {
			return err
		}
		if lt {
			s[k] = s[i]
			i--
		} else {
			s[k] = b[j]
			j--
		}
		k--
	}
	copy(s[k+1-(j+1):k+1], b[:j+1])
	return nil
}
