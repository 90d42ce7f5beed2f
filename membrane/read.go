package membrane

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/builtins"
	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// What Encode and Export have in common: looking at script values without
// running any script. Nothing here is a safepoint, so handles in Go variables
// stay good.

// what is the kind of a script value as the membrane sees it.
type what uint8

const (
	whatUndefined what = iota
	whatNull
	whatBool
	whatNumber
	whatString
	whatBigInt
	whatObject
	whatArray
	whatDate
	whatMap
	whatSet
	whatBytes
	whatError
	whatRefused
)

// classify says what v is; for a boxed primitive it returns what is inside.
// reason is why a whatRefused can't cross.
func classify(m *vm.Machine, v vm.Value) (w what, inner vm.Value, reason string) { //meter: once: a boxed primitive holds no object
	switch {
	case v.IsNumber():
		return whatNumber, v, ""
	case v.IsString():
		return whatString, v, ""
	case v.IsObject():
	case v == vm.Undefined, v == vm.Empty:
		return whatUndefined, v, ""
	case v == vm.Null:
		return whatNull, v, ""
	case v.IsBool():
		return whatBool, v, ""
	case v.IsBigInt():
		return whatBigInt, v, ""
	case v.IsSymbol():
		return whatRefused, v, "a symbol"
	default:
		return whatRefused, v, "an internal value"
	}
	rec := m.H.Obj(v.AsObj())
	switch rec.Class {
	case heap.ClassObject, heap.ClassArguments, heap.ClassNamespace:
		return whatObject, v, ""
	case heap.ClassArray:
		return whatArray, v, ""
	case heap.ClassNumber, heap.ClassString, heap.ClassBoolean, heap.ClassBigInt:
		return classify(m, rec.Data)
	case heap.ClassDate:
		return whatDate, v, ""
	case heap.ClassMap:
		return whatMap, v, ""
	case heap.ClassSet:
		return whatSet, v, ""
	case heap.ClassArrayBuffer, heap.ClassTypedArray, heap.ClassDataView:
		return whatBytes, v, ""
	case heap.ClassError:
		return whatError, v, ""
	}
	return whatRefused, v, refusedClass(rec)
}

func refusedClass(rec *heap.Object) string {
	switch rec.Class {
	case heap.ClassProxy:
		return "a proxy"
	case heap.ClassSymbol:
		return "a symbol"
	case heap.ClassPromise:
		return "a promise (await it first)"
	case heap.ClassRegExp:
		return "a regular expression (use its source)"
	case heap.ClassWeakMap, heap.ClassWeakSet, heap.ClassWeakRef:
		return "a weak collection"
	case heap.ClassFinalizationRegistry:
		return "a FinalizationRegistry"
	case heap.ClassGenerator, heap.ClassAsyncGenerator:
		return "a generator (spread it into an array first)"
	case heap.ClassIterator, heap.ClassForIn:
		return "an iterator (spread it into an array first)"
	case heap.ClassGlobal:
		return "the global object"
	case heap.ClassWeb:
		return builtins.WebName(rec)
	}
	if rec.Flags&heap.Callable != 0 {
		return "a function"
	}
	return "an object of a built-in class"
}

// prop is a property to be copied.
type prop struct {
	key      vm.Key
	val      vm.Value
	accessor bool
}

// properties lists the own enumerable properties with string keys, indices
// first. Its charge covers the copying of them.
func properties(m *vm.Machine, o vm.Obj, dst []prop) ([]prop, error) {
	rec := m.H.Obj(o)
	if rec.Flags&(heap.Exotic|heap.LazyProps) != 0 {
		return exoticProperties(m, o, dst)
	}
	if err := m.Charge(m.H.NumNamed(o) + m.H.NumElems(o)); err != nil {
		return dst, err
	}
	if m.H.NumElems(o) > 0 {
		for _, i := range m.H.ElemKeys(o, nil) { //meter: charged above
			v, a, ok := m.H.GetElem(o, i)
			if ok && a&heap.Enumerable != 0 {
				dst = append(dst, prop{heap.IndexKey(i), v, a&heap.Accessor != 0})
			}
		}
	}
	var buf [16]heap.Prop
	for _, p := range m.H.Named(o, buf[:0]) { //meter: charged above
		if p.Attrs&heap.Enumerable == 0 || m.H.IsSymbolCell(p.Name) {
			continue
		}
		dst = append(dst, prop{heap.AtomKey(p.Name), m.H.Slot(m.H.Obj(o), p.Slot), p.Attrs&heap.Accessor != 0})
	}
	return dst, nil
}

// exoticProperties is properties for arguments objects and namespaces. Their
// internal methods run no script.
func exoticProperties(m *vm.Machine, o vm.Obj, dst []prop) ([]prop, error) {
	keys, err := m.OwnKeys(o)
	if err != nil {
		return dst, err
	}
	for _, k := range keys {
		if err := m.Charge(1); err != nil {
			return dst, err
		}
		if k.IsSymbol() {
			continue
		}
		d, ok, err := m.GetOwnProperty(o, k)
		if err != nil {
			if _, thrown := m.Caught(err); thrown {
				return dst, refuse("an export that isn't initialised can't be returned")
			}
			return dst, err
		}
		if ok && d.Attrs&heap.Enumerable != 0 {
			dst = append(dst, prop{k, d.Value, d.IsAccessor()})
		}
	}
	return dst, nil
}

// dataProperty finds a data property on o or its prototypes.
func dataProperty(m *vm.Machine, o vm.Obj, key vm.Key) (vm.Value, bool) {
	for n := 0; o != 0 && n < 1000; n++ {
		if m.H.Obj(o).Class == heap.ClassProxy {
			break
		}
		if v, a, ok := m.H.GetNamed(o, key.Name()); ok {
			return v, a&heap.Accessor == 0
		}
		o = m.H.Proto(o)
	}
	return vm.Undefined, false
}

// errorParts are the parts of an error object that have a place of their own.
type errorParts struct {
	name, message, stack string
	cause                vm.Value
	hasCause             bool
	errors               vm.Obj // 0 = none
}

// Texts longer than limit are an error before they are copied.
func readError(m *vm.Machine, o vm.Obj, limit int64) (errorParts, error) {
	var p errorParts
	text := func(key vm.Key) (string, error) {
		v, ok := dataProperty(m, o, key)
		if !ok || !v.IsString() {
			return "", nil
		}
		n := m.H.Len(v.AsStr())
		if int64(n) > limit {
			return "", over("the size in bytes", limit, int64(n))
		}
		if err := m.Charge(n / 16); err != nil {
			return "", err
		}
		b, err := m.H.AppendString(nil, v.AsStr())
		return string(b), err
	}
	var err error
	if p.name, err = text(m.N.Name); err != nil {
		return p, err
	}
	if p.message, err = text(m.N.Message); err != nil {
		return p, err
	}
	if v, a, ok := m.H.GetNamed(o, m.N.Stack.Name()); ok && a&heap.Accessor == 0 {
		if v.IsString() {
			if p.stack, err = text(m.N.Stack); err != nil {
				return p, err
			}
		}
	} else if frames := m.FormatStack(heap.ObjectValue(o)); frames != "" {
		p.stack = (&ErrorValue{Name: p.name, Message: p.message}).Error() + frames
	}
	if v, a, ok := m.H.GetNamed(o, m.N.Cause.Name()); ok && a&heap.Accessor == 0 {
		p.cause, p.hasCause = v, true
	}
	if v, a, ok := m.H.GetNamed(o, m.N.Errors.Name()); ok && a&heap.Accessor == 0 && v.IsObject() && m.H.Obj(v.AsObj()).Class == heap.ClassArray {
		p.errors = v.AsObj()
	}
	return p, nil
}

// errorProps lists the enumerable properties of an error that readError
// doesn't.
func errorProps(m *vm.Machine, o vm.Obj, dst []prop) ([]prop, error) {
	all, err := properties(m, o, nil)
	for _, p := range all { //meter: charged by properties
		switch p.key {
		case m.N.Message, m.N.Stack, m.N.Cause, m.N.Errors, m.N.Name:
			continue
		}
		dst = append(dst, p)
	}
	return dst, err
}

// viewBytes returns the bytes of a buffer or view and the name of its type.
func viewBytes(m *vm.Machine, o vm.Obj) ([]byte, string) {
	switch rec := m.H.Obj(o); rec.Class {
	case heap.ClassArrayBuffer:
		return m.BufferBytes(o), "ArrayBuffer"
	case heap.ClassTypedArray:
		return m.TypedBytes(o), m.TypedElem(o).String() + "Array"
	default:
		n, ok := m.DataViewLength(o)
		if !ok {
			return nil, "DataView"
		}
		off := m.ViewOffset(o)
		return m.BufferBytes(m.ViewBuffer(o))[off : off+n], "DataView"
	}
}

// appendISO appends the ISO form of a Date's time value; ok is false when it
// is invalid.
func appendISO(dst []byte, m *vm.Machine, o vm.Obj) ([]byte, bool) {
	return date.ToISOString(dst, m.H.Obj(o).Data.AsFloat())
}

// keyString returns a key as WTF-8.
func keyString(m *vm.Machine, k vm.Key) (string, error) {
	if k.IsIndex() {
		return formatIndex(int(k.Index())), nil
	}
	s := k.Name()
	if err := m.Charge(m.H.Len(s) / 16); err != nil {
		return "", err
	}
	b, err := m.H.AppendString(nil, s)
	return string(b), err
}

// maxHead is how many units of a name or message ErrorHead copies.
const maxHead = 1 << 16

// ErrorHead returns the name and the message of an error object, or of any
// object that was thrown, from data properties only. isError is false for
// values that have none of them. Of a long text only the beginning is copied:
// more is how many units of the message were left out.
func ErrorHead(m *vm.Machine, v vm.Value) (name, message string, more int, isError bool) {
	if !v.IsObject() || m.H.Obj(v.AsObj()).Class == heap.ClassProxy {
		return "", "", 0, false
	}
	o := v.AsObj()
	text := func(key vm.Key) (t string, more int, ok bool) {
		x, ok := dataProperty(m, o, key)
		if !ok {
			return "", 0, false
		}
		return TextHead(m, x)
	}
	name, _, hasName := text(m.N.Name)
	message, more, hasMessage := text(m.N.Message)
	if m.H.Obj(o).Class == heap.ClassError {
		if name == "" {
			name = m.ConstructorName(o)
		}
		return name, message, more, true
	}
	return name, message, more, hasName && hasMessage && m.H.Obj(o).Flags&heap.Callable == 0
}

// TextHead returns a string, or of a long one the beginning: more is how many
// units were left out. ok is false for other values.
func TextHead(m *vm.Machine, v vm.Value) (text string, more int, ok bool) {
	if !v.IsString() {
		return "", 0, false
	}
	s, n := v.AsStr(), m.H.Len(v.AsStr())
	if more = n - maxHead; more > 0 {
		part, err := m.H.Substring(s, 0, maxHead)
		if err != nil { //meter: for a report; a limit is sticky
			return "", 0, false
		}
		s = part
	}
	if m.Charge(min(n, maxHead)/16) != nil {
		return "", 0, false
	}
	return goString(m.H.GoString(s)), max(more, 0), true
}

// TextProperty returns an own data property of an object that is a string of at
// most max units, "" if there is none.
func TextProperty(m *vm.Machine, v vm.Value, name string, max int) string {
	k, err := m.H.KeyOfName(name)
	if err != nil || !v.IsObject() || m.H.Obj(v.AsObj()).Class == heap.ClassProxy || k.IsIndex() {
		return ""
	}
	x, a, ok := m.H.GetNamed(v.AsObj(), k.Name())
	if !ok || a&heap.Accessor != 0 || !x.IsString() || m.H.Len(x.AsStr()) > max {
		return ""
	}
	return goString(m.H.GoString(x.AsStr()))
}

// Name says what a script value is, for messages: "a string", "the number 1.5",
// "a function".
func Name(m *vm.Machine, v vm.Value) string {
	w, inner, reason := classify(m, v)
	switch w {
	case whatUndefined:
		return "undefined"
	case whatNull:
		return "null"
	case whatBool:
		return "a boolean"
	case whatNumber:
		return "the number " + string(conv.FormatNumber(nil, inner.AsFloat()))
	case whatString:
		return "a string"
	case whatBigInt:
		return "a BigInt"
	case whatArray:
		return "an array"
	case whatDate:
		return "a Date"
	case whatMap:
		return "a Map"
	case whatSet:
		return "a Set"
	case whatBytes:
		return "bytes"
	case whatError:
		return "an error"
	case whatRefused:
		name, _, _ := strings.Cut(reason, " (")
		return name
	}
	return "an object"
}
