package membrane

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Import copies Go data into a script: nil, booleans, numbers, strings,
// []byte (a Uint8Array), time.Time (a Date), *big.Int (a BigInt), slices, maps
// (keys sorted), structs by their json tags, json.Marshaler,
// json.RawMessage and json.Number (as the JSON they are), and the types of this
// package. root names the value in the paths of errors. The error is an *Error,
// a *SyntaxError of JSON text, or a limit of the meter.
func Import(m *vm.Machine, x any, root string, lim Limits) (vm.Value, error) {
	im := importer{m: m, lim: lim.withDefaults()}
	v, err := im.any(x, 0)
	if err != nil {
		return vm.Undefined, rooted(err, root)
	}
	return v, nil
}

type importer struct {
	m      *vm.Machine
	lim    Limits
	nodes  int
	bytes  int64
	nodeOf map[*node]vm.Obj
	hops   int // pointers followed on the way to the present value
}

// enter counts a value; depth is how deep it lies.
//
//meter:guards
func (im *importer) enter(depth int) error {
	if err := im.m.Charge(1); err != nil {
		return err
	}
	if im.nodes++; im.nodes > im.lim.Nodes {
		return over("the number of values", int64(im.lim.Nodes), int64(im.nodes))
	}
	if depth > im.lim.Depth {
		return over("the depth", int64(im.lim.Depth), int64(depth))
	}
	return nil
}

func (im *importer) size(n int) error {
	if im.bytes += int64(n); im.bytes > im.lim.Bytes {
		return over("the size in bytes", im.lim.Bytes, im.bytes)
	}
	return im.m.Charge(n / 16)
}

func (im *importer) string(s string) (vm.Value, error) {
	if err := im.size(len(s)); err != nil {
		return vm.Undefined, err
	}
	return im.m.NewString(valid(s))
}

// wtf8 is string for text that may hold surrogates.
func (im *importer) wtf8(s string) (vm.Value, error) {
	if err := im.size(len(s)); err != nil {
		return vm.Undefined, err
	}
	return im.m.NewString(s)
}

// any imports what is not known before it comes.
func (im *importer) any(x any, depth int) (vm.Value, error) { //meter: lists and objects count the depth in enter, pointers their hops
	switch x := x.(type) {
	case nil:
		return vm.Null, nil
	case string:
		if err := im.enter(depth); err != nil {
			return vm.Undefined, err
		}
		return im.string(x)
	case float64:
		return heap.Number(x), im.enter(depth)
	case int:
		return im.int(int64(x), depth)
	case bool:
		return heap.Bool(x), im.enter(depth)
	case []any:
		return im.list(len(x), depth, func(i int) (vm.Value, error) { return im.any(x[i], depth+1) })
	case map[string]any:
		if x == nil {
			return vm.Null, nil
		}
		if err := im.m.Charge(len(x)); err != nil {
			return vm.Undefined, err
		}
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		return im.object(len(keys), depth, func(i int) (string, vm.Value, error) {
			v, err := im.any(x[keys[i]], depth+1)
			return keys[i], v, err
		})
	}
	rv := reflect.ValueOf(x)
	return importFor(rv.Type())(im, rv, depth)
}

func (im *importer) int(i int64, depth int) (vm.Value, error) {
	if i > 1<<53 || i < -1<<53 {
		return vm.Undefined, refuse(fmt.Sprintf("the integer %d is beyond 2**53: pass a *big.Int or a string", i))
	}
	return heap.Int64(i), im.enter(depth)
}

// list makes an array of n items.
func (im *importer) list(n, depth int, item func(i int) (vm.Value, error)) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	if n > im.lim.Nodes {
		return vm.Undefined, over("the number of values", int64(im.lim.Nodes), int64(n))
	}
	o := im.m.NewArrayLen(0)
	for i := range n { //meter: each item charges
		v, err := item(i)
		if err == nil {
			err = im.m.H.Push(o, v)
		}
		if err != nil {
			return vm.Undefined, underIndex(err, i)
		}
	}
	return heap.ObjectValue(o), nil
}

// object makes an object of n properties.
func (im *importer) object(n, depth int, member func(i int) (string, vm.Value, error)) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	o := im.m.NewPlain()
	for i := range n { //meter: each member charges
		k, v, err := member(i)
		if err == nil {
			err = im.define(o, k, v)
		}
		if err != nil {
			return vm.Undefined, underKey(err, k)
		}
	}
	return heap.ObjectValue(o), nil
}

// define sets an own property of an object that this package is making.
func (im *importer) define(o vm.Obj, name string, v vm.Value) error {
	if err := im.size(len(name)); err != nil {
		return err
	}
	k, err := im.m.H.KeyOfName(name)
	if err != nil {
		return err
	}
	return defineKey(im.m, o, k, v, heap.DefaultAttrs)
}

func defineKey(m *vm.Machine, o vm.Obj, k vm.Key, v vm.Value, attrs heap.Attrs) error {
	if k.IsIndex() {
		return m.H.AddElem(o, k.Index(), v, attrs)
	}
	if slot, _, ok := m.H.Lookup(m.H.Obj(o).Shape, k.Name()); ok {
		m.H.SetSlot(o, slot, v)
		return nil
	}
	m.H.AddNamed(o, k.Name(), v, attrs)
	return nil
}

// importFunc imports the values of one Go type.
type importFunc func(im *importer, v reflect.Value, depth int) (vm.Value, error)

var importFuncs sync.Map // reflect.Type → importFunc: a cache of what is the same each time

func importFor(t reflect.Type) importFunc { //meter: as deep as the Go type: one inside itself is found in the cache
	if f, ok := importFuncs.Load(t); ok {
		return f.(importFunc)
	}
	// A type may contain itself: what is stored first waits for the rest.
	var f importFunc
	ready := make(chan struct{})
	_, raced := importFuncs.LoadOrStore(t, importFunc(func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
		<-ready
		return f(im, v, depth)
	}))
	f = makeImport(t)
	close(ready)
	if !raced {
		importFuncs.Store(t, f)
	}
	return f
}

func makeImport(t reflect.Type) importFunc {
	if special(t) {
		return importSpecial
	}
	if t.Kind() == reflect.Pointer && special(t.Elem()) {
		return importPointer(importSpecial)
	}
	nilable := t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || t.Kind() == reflect.Map || t.Kind() == reflect.Slice
	if t.Implements(ifaceMarshal) {
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			if nilable && v.IsNil() {
				return vm.Null, nil
			}
			text, err := v.Interface().(json.Marshaler).MarshalJSON()
			if err != nil {
				return vm.Undefined, &Error{Reason: "its MarshalJSON returned an error", Cause: err}
			}
			return im.json(text, depth)
		}
	}
	if t.Implements(ifaceText) {
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			if nilable && v.IsNil() {
				return vm.Null, nil
			}
			text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
			if err != nil {
				return vm.Undefined, &Error{Reason: "its MarshalText returned an error", Cause: err}
			}
			if err := im.enter(depth); err != nil {
				return vm.Undefined, err
			}
			return im.string(string(text))
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			return heap.Bool(v.Bool()), im.enter(depth)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) { return im.int(v.Int(), depth) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			u := v.Uint()
			if u > 1<<53 {
				return vm.Undefined, refuse(fmt.Sprintf("the integer %d is beyond 2**53: pass a *big.Int or a string", u))
			}
			return heap.Int64(int64(u)), im.enter(depth)
		}
	case reflect.Float32, reflect.Float64:
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			return heap.Number(v.Float()), im.enter(depth)
		}
	case reflect.String:
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			if err := im.enter(depth); err != nil {
				return vm.Undefined, err
			}
			return im.string(v.String())
		}
	case reflect.Pointer:
		return importPointer(importFor(t.Elem()))
	case reflect.Interface:
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			if v.IsNil() {
				return vm.Null, nil
			}
			return im.any(v.Interface(), depth)
		}
	case reflect.Slice, reflect.Array:
		return importSlice(t)
	case reflect.Map:
		return importMap(t)
	case reflect.Struct:
		if t.Implements(ifaceError) || reflect.PointerTo(t).Implements(ifaceError) {
			break
		}
		return importStruct(t)
	}
	reason := "a Go " + t.String() + " can't be passed to a script"
	return func(*importer, reflect.Value, int) (vm.Value, error) { return vm.Undefined, refuse(reason) }
}

func importPointer(elem importFunc) importFunc {
	return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
		if v.IsNil() {
			return vm.Null, nil
		}
		// A pointer is no level of its own, but a chain of them may have no end.
		if im.hops++; im.hops > 4*im.lim.Depth {
			return vm.Undefined, over("the depth", int64(im.lim.Depth), int64(depth)+int64(im.hops))
		}
		defer func() { im.hops-- }()
		return elem(im, v.Elem(), depth)
	}
}

func importSlice(t reflect.Type) importFunc {
	if t.Elem().Kind() == reflect.Uint8 && t.Kind() == reflect.Slice {
		return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
			if v.IsNil() {
				return vm.Null, nil
			}
			return im.view(&Bytes{Type: "Uint8Array", Data: v.Bytes()}, depth)
		}
	}
	elem := importFor(t.Elem())
	return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
		if t.Kind() == reflect.Slice && v.IsNil() {
			return vm.Null, nil
		}
		return im.list(v.Len(), depth, func(i int) (vm.Value, error) { return elem(im, v.Index(i), depth+1) })
	}
}

func importMap(t reflect.Type) importFunc {
	elem := importFor(t.Elem())
	kind := t.Key().Kind()
	return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
		if v.IsNil() {
			return vm.Null, nil
		}
		type entry struct {
			key string
			val reflect.Value
		}
		if err := im.m.Charge(v.Len()); err != nil {
			return vm.Undefined, err
		}
		entries := make([]entry, 0, v.Len())
		for it := v.MapRange(); it.Next(); { //meter: charged above
			k := it.Key()
			var key string
			switch {
			case kind == reflect.String:
				key = k.String()
			case k.CanInt():
				key = strconv.FormatInt(k.Int(), 10)
			case k.CanUint():
				key = strconv.FormatUint(k.Uint(), 10)
			default:
				return vm.Undefined, refuse("the keys of a " + t.String() + " can't be property names")
			}
			entries = append(entries, entry{key, it.Value()})
		}
		slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		return im.object(len(entries), depth, func(i int) (string, vm.Value, error) {
			x, err := elem(im, entries[i].val, depth+1)
			return entries[i].key, x, err
		})
	}
}

func importStruct(t reflect.Type) importFunc {
	info := fieldsOf(t)
	if info.err != nil {
		return func(*importer, reflect.Value, int) (vm.Value, error) { return vm.Undefined, refuse(info.err.Error()) }
	}
	funcs := make([]importFunc, len(info.fields))
	for i, f := range info.fields { //meter: the fields of a Go type
		funcs[i] = importFor(f.typ)
	}
	return func(im *importer, v reflect.Value, depth int) (vm.Value, error) {
		if err := im.enter(depth); err != nil {
			return vm.Undefined, err
		}
		o := im.m.NewPlain()
		for i := range info.fields { //meter: a fixed number
			f := &info.fields[i]
			fv, ok := readField(v, f.index)
			if !ok || f.omitEmpty && isEmpty(fv) || f.omitZero && isZero(fv) {
				continue
			}
			x, err := funcs[i](im, fv, depth+1)
			if err == nil {
				err = im.define(o, f.name, x)
			}
			if err != nil {
				return vm.Undefined, underKey(err, f.name)
			}
		}
		return heap.ObjectValue(o), nil
	}
}

// readField finds a field; ok is false behind a nil embedded pointer.
func readField(v reflect.Value, index []int) (reflect.Value, bool) {
	if len(index) == 1 {
		return v.Field(index[0]), true
	}
	for i, n := range index { //meter: the depth of embedding in a Go type
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v, true
}

// isEmpty is encoding/json's idea of empty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func isZero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return (v.Kind() == reflect.Pointer && v.IsNil()) || z.IsZero()
	}
	return v.IsZero()
}

// importSpecial imports the types of special.
func importSpecial(im *importer, v reflect.Value, depth int) (vm.Value, error) {
	switch x := v.Interface().(type) {
	case Undefined:
		return vm.Undefined, nil
	case InvalidDate:
		return im.date(heap.NaN.AsDouble(), depth)
	case time.Time:
		ms := float64(x.UnixMilli())
		if c := date.TimeClip(ms); c != c {
			return vm.Undefined, refuse("the time is out of a Date's range")
		}
		return im.date(ms, depth)
	case big.Int:
		return im.bigInt(&x, depth)
	case Value:
		return im.value(x, depth)
	case json.RawMessage:
		if x == nil {
			return vm.Null, nil
		}
		return im.json(x, depth)
	case json.Number:
		s := scanner{src: string(x)}
		f, err := s.number()
		if err == nil && s.pos < len(s.src) {
			err = s.unexpected()
		}
		if err != nil {
			return vm.Undefined, refuse("the json.Number isn't a number")
		}
		return heap.Number(f), im.enter(depth)
	case Object:
		return im.object(x.Len(), depth, func(i int) (string, vm.Value, error) {
			y, err := im.any(x.vals[i], depth+1)
			return x.keys[i], y, err
		})
	case Map:
		return im.table(len(x.Entries), depth, true, func(i, k int) (vm.Value, error) { return im.any(x.Entries[i][k], depth+1) })
	case Set:
		return im.table(len(x.Items), depth, false, func(i, _ int) (vm.Value, error) { return im.any(x.Items[i], depth+1) })
	case Bytes:
		return im.view(&x, depth)
	case ErrorValue:
		return im.errorValue(&x, depth)
	}
	return vm.Undefined, refuse("a Go " + v.Type().String() + " can't be passed to a script")
}

func (im *importer) date(ms float64, depth int) (vm.Value, error) {
	m := im.m
	o := m.H.NewObject(m.H.RootShape(m.Intrinsic(vm.DatePrototype)), heap.ClassDate)
	m.H.ObjW(o).Data = heap.CanonicalFloat(ms)
	return heap.ObjectValue(o), im.enter(depth)
}

func (im *importer) bigInt(x *big.Int, depth int) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	if err := im.size(len(x.Bits()) * 8); err != nil {
		return vm.Undefined, err
	}
	return im.m.NewBig(x)
}

// table makes a Map or a Set.
func (im *importer) table(n, depth int, isMap bool, part func(i, k int) (vm.Value, error)) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	m := im.m
	o, err := im.newTable(isMap)
	if err != nil {
		return vm.Undefined, err
	}
	for i := range n { //meter: each part charges
		k, err := part(i, 0)
		if err != nil {
			if isMap {
				err = underIndex(err, 0)
			}
			return vm.Undefined, underIndex(err, i)
		}
		v := vm.Undefined
		if isMap {
			if v, err = part(i, 1); err != nil {
				return vm.Undefined, underIndex(underIndex(err, 1), i)
			}
		}
		if err := tablePut(m, o, k, v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

func (im *importer) newTable(isMap bool) (vm.Obj, error) {
	m := im.m
	proto, class := vm.SetPrototype, heap.ClassSet
	if isMap {
		proto, class = vm.MapPrototype, heap.ClassMap
	}
	b, err := m.H.NewTable(0)
	if err != nil {
		return 0, err
	}
	o := m.H.NewObject(m.H.RootShape(m.Intrinsic(proto)), class)
	m.H.ObjW(o).Data = heap.ValuesValue(b)
	return o, nil
}

func tablePut(m *vm.Machine, o vm.Obj, key, val vm.Value) error {
	key = heap.NormalizeKey(key)
	b := m.H.Obj(o).Data.AsBlock()
	pos, err := m.H.TableFind(b, key)
	if err != nil {
		return err
	}
	if pos >= 0 {
		m.H.SetTableValue(b, pos, val)
		return nil
	}
	nb, err := m.H.TableAdd(b, key, val)
	if err != nil {
		return err
	}
	m.H.ObjW(o).Data = heap.ValuesValue(nb)
	return nil
}

// view makes a typed array, a DataView or a buffer of bytes.
func (im *importer) view(b *Bytes, depth int) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	if err := im.size(len(b.Data)); err != nil {
		return vm.Undefined, err
	}
	m := im.m
	if len(b.Data) > vm.MaxByteLength {
		return vm.Undefined, refuse("there are more bytes than a buffer can hold")
	}
	buf, err := m.NewArrayBuffer(m.Intrinsic(vm.ArrayBufferPrototype), len(b.Data), -1)
	if err != nil {
		return vm.Undefined, err
	}
	copy(m.BufferBytesW(buf), b.Data)
	switch b.Type {
	case "ArrayBuffer":
		return heap.ObjectValue(buf), nil
	case "DataView":
		return heap.ObjectValue(m.NewDataView(m.Intrinsic(vm.DataViewPrototype), buf, 0, len(b.Data))), nil
	}
	for t := range vm.NumElemTypes { //meter: twelve
		if b.Type == t.String()+"Array" {
			if len(b.Data)%t.Size() != 0 {
				return vm.Undefined, refuse(fmt.Sprintf("%d bytes aren't a whole number of elements of a %s", len(b.Data), b.Type))
			}
			proto := m.Intrinsic(vm.Int8ArrayPrototype + vm.Intrinsic(t))
			return heap.ObjectValue(m.NewTypedArray(proto, t, buf, 0, len(b.Data)>>t.Shift())), nil
		}
	}
	return vm.Undefined, refuse(fmt.Sprintf("there is no typed array %q", b.Type))
}

// errorPrototypes are the built-in errors by name.
var errorPrototypes = map[string]vm.Intrinsic{
	"Error": vm.ErrorPrototype, "TypeError": vm.TypeErrorPrototype, "RangeError": vm.RangeErrorPrototype,
	"ReferenceError": vm.ReferenceErrorPrototype, "SyntaxError": vm.SyntaxErrorPrototype, "EvalError": vm.EvalErrorPrototype,
	"URIError": vm.URIErrorPrototype, "AggregateError": vm.AggregateErrorPrototype, "SuppressedError": vm.SuppressedErrorPrototype,
}

// newError makes an error object. set adds a property that isn't enumerable.
func (im *importer) newError(name, message, stack string) (o vm.Obj, err error) {
	m := im.m
	proto, known := errorPrototypes[name]
	if !known {
		proto = vm.ErrorPrototype
	}
	o = m.H.NewObject(m.H.RootShape(m.Intrinsic(proto)), heap.ClassError)
	set := func(key vm.Key, s string) {
		if err != nil {
			return
		}
		var v vm.Value
		if v, err = im.wtf8(s); err == nil {
			err = defineKey(m, o, key, v, heap.HiddenAttrs)
		}
	}
	if stack != "" {
		set(m.N.Stack, stack)
	}
	set(m.N.Message, message)
	if !known {
		set(m.N.Name, name)
	}
	return o, err
}

func (im *importer) errorValue(e *ErrorValue, depth int) (vm.Value, error) {
	if err := im.enter(depth); err != nil {
		return vm.Undefined, err
	}
	m := im.m
	o, err := im.newError(valid(e.Name), valid(e.Message), valid(e.Stack))
	if err != nil {
		return vm.Undefined, err
	}
	if e.HasCause || e.Cause != nil {
		v, err := im.any(e.Cause, depth+1)
		if err != nil {
			return vm.Undefined, under(err, ".cause")
		}
		m.H.AddNamed(o, m.N.Cause.Name(), v, heap.HiddenAttrs)
	}
	if e.Errors != nil {
		v, err := im.any(e.Errors, depth+1)
		if err != nil {
			return vm.Undefined, under(err, ".errors")
		}
		m.H.AddNamed(o, m.N.Errors.Name(), v, heap.HiddenAttrs)
	}
	if e.Props != nil {
		for i, k := range e.Props.keys { //meter: each value charges
			v, err := im.any(e.Props.vals[i], depth+1)
			if err == nil {
				err = im.define(o, k, v)
			}
			if err != nil {
				return vm.Undefined, underKey(err, k)
			}
		}
	}
	return heap.ObjectValue(o), nil
}
