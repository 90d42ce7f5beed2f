package builtins

import (
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/url"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The block of a URLSearchParams has an array that no script sees, with its
// names and values in turn, and the URL it belongs to, or undefined.
const (
	paramsList = iota
	paramsURL
	paramsWords
)

// setupURLSearchParams makes URLSearchParams (URL Standard §6.2) and the
// prototype of its iterators.
func setupURLSearchParams(b *vm.Builder) {
	proto := b.Set(vm.URLSearchParamsPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := webCtor(b, "URLSearchParams", 0, paramsConstructor, proto, 0)
	b.Tag(proto, "URLSearchParams")
	webGetter(b, proto, "size", paramsSize, nil)
	webMethod(b, proto, "append", 2, paramsAppend)
	webMethod(b, proto, "delete", 1, paramsDelete)
	webMethod(b, proto, "get", 1, paramsGet)
	webMethod(b, proto, "getAll", 1, paramsGetAll)
	webMethod(b, proto, "has", 1, paramsHas)
	webMethod(b, proto, "set", 2, paramsSet)
	webMethod(b, proto, "sort", 0, paramsSort)
	entries := webMethod(b, proto, "entries", 0, paramsIterator(kindEntries))
	b.Set(vm.URLSearchParamsEntries, entries)
	webMethod(b, proto, "forEach", 1, paramsForEach)
	webMethod(b, proto, "keys", 0, paramsIterator(kindKeys))
	webMethod(b, proto, "values", 0, paramsIterator(kindValues))
	webMethod(b, proto, "toString", 0, paramsToString)
	b.Prop(proto, "@@iterator", heap.ObjectValue(entries), heap.HiddenAttrs)
	b.GlobalObj("URLSearchParams", ctor)

	ip := b.Set(vm.URLSearchParamsIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.MarkStep(webMethod(b, ip, "next", 0, paramsIteratorNext))
	b.Tag(ip, "URLSearchParams Iterator")
}

// searchList returns the list of a URLSearchParams.
func searchList(m *vm.Machine, o vm.Obj) vm.Obj { return webWord(m, o, paramsList).AsObj() }

func pushPair(m *vm.Machine, list vm.Obj, name, value vm.Str) error {
	if err := m.H.Push(list, heap.StringValue(name)); err != nil {
		return err
	}
	return m.H.Push(list, heap.StringValue(value))
}

// parsePairs appends the pairs of a query.
func parsePairs(m *vm.Machine, list vm.Obj, s string) error {
	return url.ParseForm(m.Meter(), s, func(name, value string) error {
		n, err := m.H.NewString(name)
		if err != nil {
			return err
		}
		v, err := m.H.NewString(value)
		if err != nil {
			return err
		}
		return pushPair(m, list, n, v)
	})
}

// serializePairs is the application/x-www-form-urlencoded serializer.
func serializePairs(m *vm.Machine, list vm.Obj) (vm.Str, error) {
	sb := stringBuilder{m: m}
	defer sb.release()
	var tmp []byte
	for i := range m.H.NumElems(list) {
		if err := m.Charge(1); err != nil {
			return 0, err
		}
		sep := "="
		if i%2 == 0 {
			sep = "&"
		}
		if i > 0 {
			if err := sb.ascii(sep); err != nil {
				return 0, err
			}
		}
		s, err := utf8Text(m, m.H.Elems(list)[i].AsStr(), 6)
		if err != nil {
			return 0, err
		}
		if err := m.Charge(len(s)/4 + 4); err != nil {
			return 0, err
		}
		tmp = url.AppendForm(tmp[:0], s)
		if err := sb.latin1(tmp); err != nil {
			return 0, err
		}
	}
	return sb.finish()
}

// updateURL is update (§6.2): the URL's query follows the list.
func updateURL(m *vm.Machine, o vm.Obj) error {
	uv := webWord(m, o, paramsURL)
	if !uv.IsObject() {
		return nil
	}
	s, err := serializePairs(m, searchList(m, o))
	if err != nil {
		return err
	}
	q, err := utf8Text(m, s, urlTimes)
	if err != nil {
		return err
	}
	u, err := urlRecord(m, uv.AsObj())
	if err != nil {
		return err
	}
	u.SetQuery(q)
	return storeURL(m, uv.AsObj(), u)
}

// paramsConstructor is URLSearchParams(init).
func paramsConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newWeb(m, &c, webSearchParams, vm.URLSearchParamsPrototype, paramsWords)
	if err != nil {
		return vm.Undefined, err
	}
	list := m.NewArrayLen(0)
	setWebWord(m, o, paramsList, heap.ObjectValue(list))
	at := m.Root(heap.ObjectValue(o))
	defer m.PopRoots(at)
	init := c.Arg(0)
	switch {
	case init.IsNullish():
	case init.IsObject():
		err = paramsFromObject(m, list, init)
	default:
		var s string
		if s, err = usvText(m, init, 3); err == nil {
			err = parsePairs(m, list, strings.TrimPrefix(s, "?"))
		}
	}
	return heap.ObjectValue(o), err
}

// paramsFromObject fills a list from a sequence of pairs or a record.
func paramsFromObject(m *vm.Machine, list vm.Obj, init vm.Value) error {
	method, err := m.Get(init.AsObj(), m.N.SymIterator)
	if err != nil {
		return err
	}
	switch {
	case isWeb(m, init, webSearchParams) && method == heap.ObjectValue(m.Intrinsic(vm.URLSearchParamsEntries)):
		from := searchList(m, init.AsObj())
		for i := range m.H.NumElems(from) {
			if err := m.Charge(1); err != nil {
				return err
			}
			if err := m.H.Push(list, m.H.Elems(from)[i]); err != nil {
				return err
			}
		}
		return nil
	case method.IsNullish():
		return paramsFromRecord(m, list, init.AsObj())
	case !m.IsCallable(method):
		return nodeError(m, vm.TypeErrorPrototype, "ERR_ARG_NOT_ITERABLE", "Query pairs must be iterable")
	}
	return m.Iterate(init, func(pair vm.Value) (bool, error) {
		if !pair.IsObject() {
			return false, invalidTuple(m)
		}
		f, err := m.Get(pair.AsObj(), m.N.SymIterator)
		if err != nil {
			return false, err
		}
		if !m.IsCallable(f) {
			return false, invalidTuple(m)
		}
		var item [2]vm.Str
		n := 0
		err = m.Iterate(pair, func(v vm.Value) (bool, error) {
			s, err := usvString(m, v)
			if n < len(item) {
				item[n] = s
			}
			n++
			return false, err
		})
		if err == nil && n != len(item) {
			err = invalidTuple(m)
		}
		if err != nil {
			return false, err
		}
		return false, pushPair(m, list, item[0], item[1])
	})
}

func invalidTuple(m *vm.Machine) error {
	return nodeError(m, vm.TypeErrorPrototype, "ERR_INVALID_TUPLE", "Each query pair must be an iterable [name, value] tuple")
}

func paramsFromRecord(m *vm.Machine, list, init vm.Obj) error {
	keys, err := m.OwnKeys(init)
	if err != nil {
		return err
	}
	seen := map[vm.Str]int{} // interned names that had lone surrogates may be the same
	for _, k := range keys {
		if err := m.Charge(1); err != nil {
			return err
		}
		d, ok, err := m.GetOwnProperty(init, k)
		if err != nil {
			return err
		}
		if !ok || d.Attrs&heap.Enumerable == 0 {
			continue
		}
		kv, err := m.KeyValue(k)
		if err != nil {
			return err
		}
		name, err := usvString(m, kv)
		if err != nil {
			return err
		}
		v, err := m.Get(init, k)
		if err != nil {
			return err
		}
		value, err := usvString(m, v)
		if err != nil {
			return err
		}
		if m.H.IsWide(name) {
			if name, err = m.H.Intern(name); err != nil {
				return err
			}
			if at, ok := seen[name]; ok {
				m.H.SetElem(list, uint32(at), heap.StringValue(value))
				continue
			}
			if err := m.ChargeKeys(8); err != nil {
				return err
			}
			seen[name] = m.H.NumElems(list) + 1
		}
		if err := pushPair(m, list, name, value); err != nil {
			return err
		}
	}
	return nil
}

// paramsCall checks this and the number of arguments, and reads the first two
// as USVStrings. value is 0 when it was left out or undefined.
func paramsCall(m *vm.Machine, c *vm.Call, need int) (o vm.Obj, name, value vm.Str, err error) {
	if o, err = thisWeb(m, c, webSearchParams); err != nil {
		return
	}
	if len(c.Args) < need {
		what := `"name" argument`
		if need == 2 {
			what = `"name" and "value" arguments`
		}
		return o, 0, 0, missingArgs(m, what)
	}
	if name, err = usvString(m, c.Arg(0)); err != nil {
		return
	}
	if need == 2 || c.Arg(1) != vm.Undefined {
		value, err = usvString(m, c.Arg(1))
	}
	return
}

// findPair finds the first pair from index i on with that name, and value if
// it is not 0; -1 if there is none.
func findPair(m *vm.Machine, list vm.Obj, i int, name, value vm.Str) (int, error) {
	for n := m.H.NumElems(list); i < n; i += 2 {
		if err := m.Charge(1); err != nil {
			return -1, err
		}
		e := m.H.Elems(list)
		k, v := e[i].AsStr(), e[i+1].AsStr()
		same, err := m.H.StringEqual(k, name)
		if err == nil && same && value != 0 {
			same, err = m.H.StringEqual(v, value)
		}
		if err != nil {
			return -1, err
		}
		if same {
			return i, nil
		}
	}
	return -1, nil
}

func paramsSize(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeb(m, &c, webSearchParams)
	if err != nil {
		return vm.Undefined, err
	}
	return heap.Int(int32(m.H.NumElems(searchList(m, o)) / 2)), nil
}

func paramsAppend(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, name, value, err := paramsCall(m, &c, 2)
	if err == nil {
		err = pushPair(m, searchList(m, o), name, value)
	}
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, updateURL(m, o)
}

// removePairs removes the pairs from index i on that have that name (and value
// unless it is 0).
func removePairs(m *vm.Machine, list vm.Obj, i int, name, value vm.Str) error {
	to, n := i, m.H.NumElems(list)
	for i < n {
		at, err := findPair(m, list, i, name, value)
		if err != nil {
			return err
		}
		if at < 0 {
			at = n
		}
		if to != i {
			if err := m.Charge((at - i) / 16); err != nil {
				return err
			}
			e := m.H.ElemsW(list)
			copy(e[to:], e[i:at])
		}
		to += at - i
		i = at + 2
	}
	m.H.Truncate(list, uint32(min(to, n)))
	return nil
}

func paramsDelete(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, name, value, err := paramsCall(m, &c, 1)
	if err == nil {
		err = removePairs(m, searchList(m, o), 0, name, value)
	}
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, updateURL(m, o)
}

func paramsGet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, name, _, err := paramsCall(m, &c, 1)
	if err != nil {
		return vm.Undefined, err
	}
	list := searchList(m, o)
	i, err := findPair(m, list, 0, name, 0)
	if err != nil || i < 0 {
		return vm.Null, err
	}
	return m.H.Elems(list)[i+1], nil
}

func paramsGetAll(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, name, _, err := paramsCall(m, &c, 1)
	if err != nil {
		return vm.Undefined, err
	}
	list, out := searchList(m, o), m.NewArrayLen(0)
	for i := 0; ; i += 2 { //meter: findPair charges for the pairs it passes
		if i, err = findPair(m, list, i, name, 0); err != nil || i < 0 {
			return heap.ObjectValue(out), err
		}
		if err := m.H.Push(out, m.H.Elems(list)[i+1]); err != nil {
			return vm.Undefined, err
		}
	}
}

func paramsHas(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, name, value, err := paramsCall(m, &c, 1)
	if err != nil {
		return vm.Undefined, err
	}
	i, err := findPair(m, searchList(m, o), 0, name, value)
	return heap.Bool(i >= 0), err
}

func paramsSet(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, name, value, err := paramsCall(m, &c, 2)
	if err != nil {
		return vm.Undefined, err
	}
	list := searchList(m, o)
	i, err := findPair(m, list, 0, name, 0)
	switch {
	case err != nil:
	case i < 0:
		err = pushPair(m, list, name, value)
	default:
		m.H.SetElem(list, uint32(i+1), heap.StringValue(value))
		err = removePairs(m, list, i+2, name, 0)
	}
	if err != nil {
		return vm.Undefined, err
	}
	return vm.Undefined, updateURL(m, o)
}

// paramsSort sorts by the names' code units; the order of equal ones stays.
func paramsSort(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeb(m, &c, webSearchParams)
	if err != nil {
		return vm.Undefined, err
	}
	list := searchList(m, o)
	n := m.H.NumElems(list)
	if err := m.ChargeKeys(n); err != nil {
		return vm.Undefined, err
	}
	pairs := make([][2]vm.Value, n/2)
	for i := range pairs { //meter: charged above
		e := m.H.Elems(list)
		pairs[i] = [2]vm.Value{e[2*i], e[2*i+1]}
	}
	slices.SortStableFunc(pairs, func(a, b [2]vm.Value) int {
		if err == nil {
			err = m.Charge(1)
		}
		if err != nil {
			return 0
		}
		var r int
		r, err = m.H.StringCompare(a[0].AsStr(), b[0].AsStr())
		return r
	})
	if err != nil {
		return vm.Undefined, err
	}
	e := m.H.ElemsW(list)
	for i, p := range pairs { //meter: charged above
		e[2*i], e[2*i+1] = p[0], p[1]
	}
	return vm.Undefined, updateURL(m, o)
}

func paramsForEach(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeb(m, &c, webSearchParams)
	if err != nil {
		return vm.Undefined, err
	}
	if !m.IsCallable(c.Arg(0)) {
		return vm.Undefined, ArgumentTypeError(m, "callback", "of type function", c.Arg(0))
	}
	list := searchList(m, o)
	for i := 0; i < m.H.NumElems(list); i += 2 {
		if err := m.Charge(1); err != nil {
			return vm.Undefined, err
		}
		e := m.H.Elems(list)
		if _, err := m.CallRooted(c.Arg(0), c.Arg(1), e[i+1], e[i], c.This); err != nil {
			return vm.Undefined, err
		}
	}
	return vm.Undefined, nil
}

func paramsToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeb(m, &c, webSearchParams)
	if err != nil {
		return vm.Undefined, err
	}
	s, err := serializePairs(m, searchList(m, o))
	return heap.StringValue(s), err
}

// The iterators of a URLSearchParams are of ClassIterator with Length
// iterSearchParams. Data is a block as a Map iterator's, the sequence number
// being an index in the list.
func paramsIterator(kind int32) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		o, err := thisWeb(m, &c, webSearchParams)
		if err != nil {
			return vm.Undefined, err
		}
		return newTableIterator(m, o, vm.URLSearchParamsIteratorPrototype, iterSearchParams, kind), nil
	}
}

func paramsIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	b, ok := iteratorBlock(m, c.This, iterSearchParams)
	if !ok {
		return vm.Undefined, invalidThis(m, "URLSearchParamsIterator")
	}
	e := m.H.Elems(searchList(m, m.H.Word(b, tableIterObject).AsObj()))
	i := int(m.H.Word(b, tableIterSeq).AsInt())
	if i >= len(e) { // not for good: pairs may be added
		return m.StepResult(&c, vm.Undefined, true), nil
	}
	name, value := e[i], e[i+1]
	m.H.SetWord(b, tableIterSeq, heap.Int(int32(i+2)))
	switch m.H.Word(b, tableIterKind).AsInt() {
	case kindKeys:
		return m.StepResult(&c, name, false), nil
	case kindValues:
		return m.StepResult(&c, value, false), nil
	}
	pair, err := m.NewArray([]vm.Value{name, value})
	if err != nil {
		return vm.Undefined, err
	}
	return m.StepResult(&c, heap.ObjectValue(pair), false), nil
}
