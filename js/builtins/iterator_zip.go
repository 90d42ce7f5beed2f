package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Modes of Iterator.zip.
const (
	zipShortest = iota
	zipLongest
	zipStrict
)

var zipModes = [...]string{zipShortest: "shortest", zipLongest: "longest", zipStrict: "strict"}

// zipOptions reads the options of zip and zipKeyed.
func zipOptions(m *vm.Machine, c *vm.Call, who string) (mode int32, padding vm.Value, err error) {
	padding = vm.Undefined
	if !c.Arg(0).IsObject() {
		return 0, padding, m.TypeError("%s called on non-object", who)
	}
	options := c.Arg(1)
	if options == vm.Undefined {
		return zipShortest, padding, nil
	}
	if !options.IsObject() {
		return 0, padding, m.TypeError("%s is not an object", m.Describe(options))
	}
	read := func(name string) (vm.Value, error) {
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return vm.Undefined, err
		}
		return m.Get(options.AsObj(), k)
	}
	v, err := read("mode")
	if err != nil {
		return 0, padding, err
	}
	mode = -1
	if v == vm.Undefined {
		mode = zipShortest
	} else if v.IsString() && m.H.Len(v.AsStr()) < 16 {
		s := m.H.GoString(v.AsStr())
		for i, name := range zipModes { //meter: three
			if s == name {
				mode = int32(i)
			}
		}
	}
	if mode < 0 {
		return 0, padding, m.TypeError("%s is not a valid mode", m.Describe(v))
	}
	if mode == zipLongest {
		if padding, err = read("padding"); err != nil {
			return 0, padding, err
		}
		if padding != vm.Undefined && !padding.IsObject() {
			return 0, padding, m.TypeError("%s is not an object", m.Describe(padding))
		}
	}
	return mode, padding, nil
}

// closeAll is IteratorCloseAll (§7.4.13) for an array of iterators and their
// next methods, in which those closed are undefined.
func closeAll(m *vm.Machine, iters vm.Obj, cause error) error {
	for i := len(m.H.Elems(iters)) - 2; i >= 0; i -= 2 {
		if err := m.Charge(1); err != nil {
			return err
		}
		if o := m.H.Elems(iters)[i]; o != vm.Undefined {
			m.H.SetElem(iters, uint32(i), vm.Undefined)
			cause = m.CloseIterator(&vm.Iterator{Obj: o}, cause)
		}
	}
	return cause
}

// iteratorZip is Iterator.zip (§27.1.3.2.4).
func iteratorZip(m *vm.Machine, c vm.Call) (vm.Value, error) {
	mode, paddingOption, err := zipOptions(m, &c, "Iterator.zip")
	if err != nil {
		return vm.Undefined, err
	}
	iters, padding := m.NewArrayLen(0), m.NewArrayLen(0)
	input, err := m.GetIterator(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	for {
		v, ok, err := m.Step(&input)
		if err != nil {
			return vm.Undefined, closeAll(m, iters, err)
		}
		if !ok {
			break
		}
		it, err := flattenable(m, v, false, "Iterator.zip")
		if err != nil {
			return vm.Undefined, m.CloseIterator(&input, closeAll(m, iters, err))
		}
		if err := appendValues(m, iters, []vm.Value{it.Obj, it.Next}); err != nil {
			return vm.Undefined, err
		}
	}
	if mode == zipLongest {
		if err := readPadding(m, padding, paddingOption, len(m.H.Elems(iters))/2); err != nil {
			return vm.Undefined, closeAll(m, iters, err)
		}
	}
	return newZip(m, iters, padding, vm.Undefined, mode), nil
}

// readPadding fills the array padding with n values of an iterable, and
// undefined after its end.
func readPadding(m *vm.Machine, padding vm.Obj, option vm.Value, n int) error {
	it := vm.Iterator{Done: true}
	if option != vm.Undefined {
		var err error
		if it, err = m.GetIterator(option); err != nil {
			return err
		}
	}
	for range n {
		if err := m.Charge(1); err != nil {
			return err
		}
		v := vm.Undefined
		if !it.Done {
			var err error
			if v, _, err = m.Step(&it); err != nil {
				return err
			}
		}
		if err := m.H.Push(padding, v); err != nil {
			return err
		}
	}
	return m.CloseIterator(&it, nil)
}

// iteratorZipKeyed is Iterator.zipKeyed (§27.1.3.2.5).
func iteratorZipKeyed(m *vm.Machine, c vm.Call) (vm.Value, error) {
	mode, paddingOption, err := zipOptions(m, &c, "Iterator.zipKeyed")
	if err != nil {
		return vm.Undefined, err
	}
	src := c.Arg(0).AsObj()
	iters, padding, keys := m.NewArrayLen(0), m.NewArrayLen(0), m.NewArrayLen(0)
	all, err := m.OwnKeys(src)
	if err != nil {
		return vm.Undefined, err
	}
	var used []vm.Key
	for _, k := range all {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		ok, err := zipKey(m, src, k, iters)
		if err != nil {
			return vm.Undefined, closeAll(m, iters, err)
		}
		if !ok {
			continue
		}
		name, err := m.KeyValue(k)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.H.Push(keys, name); err != nil {
			return vm.Undefined, err
		}
		used = append(used, k)
	}
	if mode == zipLongest {
		for _, k := range used {
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			v := vm.Undefined
			if paddingOption != vm.Undefined {
				if v, err = m.Get(paddingOption.AsObj(), k); err != nil {
					return vm.Undefined, closeAll(m, iters, err)
				}
			}
			if err := m.H.Push(padding, v); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return newZip(m, iters, padding, heap.ObjectValue(keys), mode), nil
}

// zipKey adds the iterator of one property, if it is enumerable and not
// undefined.
func zipKey(m *vm.Machine, src vm.Obj, k vm.Key, iters vm.Obj) (bool, error) {
	d, ok, err := m.GetOwnProperty(src, k)
	if err != nil || !ok || d.Attrs&heap.Enumerable == 0 {
		return false, err
	}
	v, err := m.Get(src, k)
	if err != nil || v == vm.Undefined {
		return false, err
	}
	it, err := flattenable(m, v, false, "Iterator.zipKeyed")
	if err != nil {
		return false, err
	}
	return true, appendValues(m, iters, []vm.Value{it.Obj, it.Next})
}

func newZip(m *vm.Machine, iters, padding vm.Obj, keys vm.Value, mode int32) vm.Value {
	it := vm.Iterator{Obj: heap.ObjectValue(iters), Next: heap.ObjectValue(padding)}
	return newHelper(m, helperZip, it, keys, heap.Int(mode))
}

// zipStep is the closure of IteratorZip (§27.1.3.3.3). The helper's block is
// rooted.
func zipStep(m *vm.Machine, b heap.Block) (vm.Value, bool, error) {
	iters := m.H.Word(b, helperObj).AsObj()
	n := len(m.H.Elems(iters)) / 2
	if n == 0 {
		return vm.Undefined, false, nil
	}
	results := m.NewArrayLen(0)
	at := m.Root(heap.ObjectValue(results))
	defer m.PopRoots(at)
	for i := range n {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, false, err
		}
		v, ok, err := zipOne(m, b, iters, i)
		if err != nil || !ok {
			return vm.Undefined, false, err
		}
		if err := m.H.Push(results, v); err != nil {
			return vm.Undefined, false, err
		}
	}
	keys := m.H.Word(b, helperFn)
	if keys == vm.Undefined {
		return heap.ObjectValue(results), true, nil
	}
	out := m.NewWithProto(0)
	for i := range n {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, false, err
		}
		k, err := m.ToKey(m.H.Elems(keys.AsObj())[i])
		if err != nil {
			return vm.Undefined, false, err
		}
		if err := m.CreateDataOrThrow(out, k, m.H.Elems(results)[i]); err != nil {
			return vm.Undefined, false, err
		}
	}
	return heap.ObjectValue(out), true, nil
}

// zipOne steps iterator i; ok is false when the whole is at its end.
func zipOne(m *vm.Machine, b heap.Block, iters vm.Obj, i int) (vm.Value, bool, error) {
	mode := m.H.Word(b, helperCount).AsInt()
	e := m.H.Elems(iters)
	it := vm.Iterator{Obj: e[2*i], Next: e[2*i+1]}
	if it.Obj != vm.Undefined {
		v, ok, err := m.StepRooted(&it)
		if err == nil && ok {
			return v, true, nil
		}
		m.H.SetElem(iters, uint32(2*i), vm.Undefined)
		if err != nil {
			return vm.Undefined, false, closeAll(m, iters, err)
		}
		if err := m.Charge(len(e) / 16); err != nil {
			return vm.Undefined, false, err
		}
		switch {
		case mode == zipShortest:
			return vm.Undefined, false, closeAll(m, iters, nil)
		case mode == zipStrict:
			return vm.Undefined, false, zipStrictEnd(m, iters, i)
		case !anyOpen(m, iters):
			return vm.Undefined, false, nil
		}
	}
	return m.H.Elems(m.H.Word(b, helperNextFn).AsObj())[i], true, nil
}

func anyOpen(m *vm.Machine, iters vm.Obj) bool {
	e := m.H.Elems(iters)
	for i := 0; i < len(e); i += 2 { //meter: the caller charges
		if e[i] != vm.Undefined {
			return true
		}
	}
	return false
}

// zipStrictEnd checks that all iterators end when iterator i, the first to
// end, does.
func zipStrictEnd(m *vm.Machine, iters vm.Obj, i int) error {
	if i != 0 {
		return closeAll(m, iters, m.TypeError("Iterators passed to Iterator.zip with { mode: \"strict\" } have different lengths"))
	}
	for k := 2; k < len(m.H.Elems(iters)); k += 2 {
		if err := m.Charge(1); err != nil {
			return err
		}
		e := m.H.Elems(iters)
		it := vm.Iterator{Obj: e[k], Next: e[k+1]}
		ok, err := m.StepOver(&it)
		if ok {
			return closeAll(m, iters, m.TypeError("Iterators passed to Iterator.zip with { mode: \"strict\" } have different lengths"))
		}
		m.H.SetElem(iters, uint32(k), vm.Undefined)
		if err != nil {
			return closeAll(m, iters, err)
		}
	}
	return nil
}
