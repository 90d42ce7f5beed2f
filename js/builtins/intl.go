package builtins

import (
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/datetime"
	"github.com/pinfold-js/pinfold/js/intl/number"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Objects of ECMA-402 are of heap.ClassIntl. Length is one of the kinds below;
// Data is a block of values: the canonical text of what was resolved when the
// object was made, and a bound function or undefined. Whatever does the work is
// built again from that text when it is needed: see intlCached.

// The kinds of Intl objects.
const (
	intlNamespace uint32 = iota // Intl itself: its text is the symbol of legacy constructors
	intlCollator
	intlDateTimeFormat
	intlDisplayNames
	intlListFormat
	intlLocale
	intlNumberFormat
	intlPluralRules
	intlRelativeTimeFormat
	intlSegmenter
	intlSegments
	intlSegmentIterator
)

const (
	intlTextWord  = iota // the resolved options
	intlBoundWord        // the bound function
	intlWords
)

// setupIntl makes the Intl object (ECMA-402 §8).
func setupIntl(b *vm.Builder) {
	intl := b.Set(vm.IntlObject, b.H.NewObject(b.H.RootShape(b.Intrinsic(vm.ObjectPrototype)), heap.ClassIntl))
	desc := b.String("IntlLegacyConstructedSymbol")
	setIntlData(b.Machine, intl, intlNamespace, heap.SymbolValue(b.H.NewSymbol(desc.AsStr())))
	b.Tag(intl, "Intl")
	b.Method(intl, "getCanonicalLocales", 1, intlGetCanonicalLocales)
	b.Method(intl, "supportedValuesOf", 1, intlSupportedValuesOf)
	setupIntlDateTimeFormat(b, intl)
	setupIntlNumberFormat(b, intl)
	setupIntlCollator(b, intl)
	setupIntlPluralRules(b, intl)
	setupIntlRelativeTimeFormat(b, intl)
	setupIntlListFormat(b, intl)
	setupIntlLocale(b, intl)
	setupIntlDisplayNames(b, intl)
	setupIntlSegmenter(b, intl)
	b.GlobalObj("Intl", intl)
}

// setupIntlCtor makes a constructor of Intl with its prototype and tag.
func setupIntlCtor(b *vm.Builder, intl vm.Obj, name string, length int, fn vm.NativeFunc, ctor, proto vm.Intrinsic) (c, p vm.Obj) {
	p = b.Set(proto, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c = b.Set(ctor, b.Ctor(name, length, fn, p, 0))
	b.Tag(p, "Intl."+name)
	b.Prop(intl, name, heap.ObjectValue(c), heap.HiddenAttrs)
	return c, p
}

// setupSupportedLocales defines supportedLocalesOf on a constructor of Intl that
// has the common locales.
func setupSupportedLocales(b *vm.Builder, ctor vm.Obj, service string) {
	setupSupportedLocalesIn(b, ctor, service, commonLocales)
}

// setupSupportedLocalesIn defines supportedLocalesOf for a set of locales.
func setupSupportedLocalesIn(b *vm.Builder, ctor vm.Obj, service string, set localeSet) {
	b.Method(ctor, "supportedLocalesOf", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		requested, err := canonicalizeLocaleList(m, c.Arg(0))
		if err != nil {
			return vm.Undefined, err
		}
		return supportedLocales(m, set, service+".supportedLocalesOf", requested, c.Arg(1))
	})
}

func setIntlData(m *vm.Machine, o vm.Obj, kind uint32, text vm.Value) {
	blk := m.H.NewSmallValues(intlWords)
	w := m.H.ValuesW(blk)
	w[intlTextWord], w[intlBoundWord] = text, vm.Undefined
	r := m.H.ObjW(o)
	r.Length, r.Data = kind, heap.ValuesValue(blk)
}

// newIntl makes an Intl object whose resolved options are text, which is ASCII.
func newIntl(m *vm.Machine, proto vm.Obj, kind uint32, text string) (vm.Obj, error) {
	s, err := m.H.NewString(text)
	if err != nil {
		return 0, err
	}
	o := m.H.NewObject(m.H.RootShape(proto), heap.ClassIntl)
	setIntlData(m, o, kind, heap.StringValue(s))
	return o, nil
}

// isIntl reports whether v is an Intl object of the kind.
func isIntl(m *vm.Machine, v vm.Value, kind uint32) bool {
	if !v.IsObject() {
		return false
	}
	rec := m.H.Obj(v.AsObj())
	return rec.Class == heap.ClassIntl && rec.Length == kind
}

// thisIntl returns a method's this value; method is its whole name,
// "Intl.ListFormat.prototype.format".
func thisIntl(m *vm.Machine, c *vm.Call, kind uint32, method string) (vm.Obj, error) {
	if isIntl(m, c.This, kind) {
		return c.This.AsObj(), nil
	}
	return 0, incompatibleIntl(m, c.This, method)
}

func incompatibleIntl(m *vm.Machine, v vm.Value, method string) error {
	return m.TypeError("Method %s called on incompatible receiver %s", method, m.Describe(v))
}

// intlText returns the text of an Intl object.
func intlText(m *vm.Machine, o vm.Obj) string {
	return m.H.GoString(m.H.Word(m.H.Obj(o).Data.AsBlock(), intlTextWord).AsStr())
}

// intlBound returns the bound function of an Intl object, made from the
// template on first use, with the object as its data.
func intlBound(m *vm.Machine, o vm.Obj, template vm.Intrinsic, length int) vm.Value {
	blk := m.H.Obj(o).Data.AsBlock()
	if f := m.H.Word(blk, intlBoundWord); f != vm.Undefined {
		return f
	}
	f := heap.ObjectValue(m.NewNative(m.Intrinsic(template), heap.ObjectValue(o), length, 0))
	m.H.SetWord(blk, intlBoundWord, f)
	return f
}

// intlMemo keeps what was last built from the texts of Intl objects. Its size
// is fixed; each entry counts as intlEntryBytes of the run's memory.
type intlMemo struct {
	entries []intlEntry // the most recently used first
}

type intlEntry struct {
	kind  uint32
	text  string
	value any
}

const (
	intlEntries    = 16
	intlEntryBytes = 4096
)

// intlCached returns what build makes of the text of o, from the cache if it
// is there. build must give the same for the same kind and text.
func intlCached[T any](m *vm.Machine, o vm.Obj, build func(text string) (T, error)) (T, error) {
	rec := m.H.Obj(o)
	b, _, err := m.H.Units16(m.H.Word(rec.Data.AsBlock(), intlTextWord).AsStr())
	if err != nil {
		var zero T
		return zero, err
	}
	return intlCachedText(m, rec.Length, b, build)
}

// intlCachedText is intlCached for a text that no object has, such as that of
// the default options.
func intlCachedText[T any, S ~string | ~[]byte](m *vm.Machine, kind uint32, text S, build func(text string) (T, error)) (T, error) {
	memo, _ := m.Memo.(*intlMemo)
	if memo == nil {
		memo = &intlMemo{}
		m.Memo = memo
	}
	es := memo.entries
	for i := range es { //meter: at most intlEntries
		if e := &es[i]; e.kind == kind && e.text == string(text) {
			v, ok := e.value.(T)
			if !ok {
				break
			}
			if i > 0 {
				hit := *e
				copy(es[1:i+1], es[:i])
				es[0] = hit
			}
			return v, nil
		}
	}
	key := string(text)
	v, err := build(key)
	if err != nil {
		return v, err
	}
	if len(es) < intlEntries {
		if err := m.Meter().Grow(intlEntryBytes); err != nil {
			return v, err
		}
		es = append(es, intlEntry{})
	}
	copy(es[1:], es)
	es[0] = intlEntry{kind, key, v}
	memo.entries = es
	return v, nil
}

// chainIntl is ChainNumberFormat (§16.1.1.1) and ChainDateTimeFormat
// (§11.1.1.1): the constructor called without new on an object that inherits
// from its prototype hides the new object in that one.
func chainIntl(m *vm.Machine, c *vm.Call, o vm.Obj, ctor vm.Intrinsic) (vm.Value, error) {
	v := heap.ObjectValue(o)
	if c.NewTarget != vm.Undefined {
		return v, nil
	}
	is, err := m.OrdinaryHasInstance(heap.ObjectValue(m.Intrinsic(ctor)), c.This)
	if err != nil || !is {
		return v, err
	}
	key, err := m.ToKey(intlFallback(m))
	if err != nil {
		return vm.Undefined, err
	}
	return c.This, m.DefineOrThrow(c.This.AsObj(), key, vm.DataDesc(v, 0))
}

// unwrapIntl is UnwrapNumberFormat (§16.5.2) and UnwrapDateTimeFormat
// (§11.5.4).
func unwrapIntl(m *vm.Machine, v vm.Value, kind uint32, ctor vm.Intrinsic, method string) (vm.Obj, error) {
	if isIntl(m, v, kind) {
		return v.AsObj(), nil
	}
	if v.IsObject() {
		is, err := m.OrdinaryHasInstance(heap.ObjectValue(m.Intrinsic(ctor)), v)
		if err != nil {
			return 0, err
		}
		if is {
			key, err := m.ToKey(intlFallback(m))
			if err != nil {
				return 0, err
			}
			w, err := m.Get(v.AsObj(), key)
			if err != nil {
				return 0, err
			}
			if isIntl(m, w, kind) {
				return w.AsObj(), nil
			}
		}
	}
	return 0, incompatibleIntl(m, v, method)
}

// intlFallback is %Intl%.[[FallbackSymbol]].
func intlFallback(m *vm.Machine) vm.Value {
	return m.H.Word(m.H.Obj(m.Intrinsic(vm.IntlObject)).Data.AsBlock(), intlTextWord)
}

// intlPart is an element of what formatToParts returns. More names a further
// property, if any, with value MoreValue.
type intlPart struct{ Type, Value, More, MoreValue string }

// newPartsArray makes the array of the n parts that part returns.
func newPartsArray(m *vm.Machine, n int, part func(i int) intlPart) (vm.Value, error) {
	arr, err := m.NewArray(nil)
	if err != nil {
		return vm.Undefined, err
	}
	typeKey, err := m.H.KeyOfName("type")
	if err != nil {
		return vm.Undefined, err
	}
	for i := range n {
		if err := m.Charge(4); err != nil {
			return vm.Undefined, err
		}
		p := part(i)
		o := m.NewPlain()
		if err := putText(m, o, typeKey, p.Type); err != nil {
			return vm.Undefined, err
		}
		if err := putText(m, o, m.N.Value, p.Value); err != nil {
			return vm.Undefined, err
		}
		if p.More != "" {
			key, err := m.H.KeyOfName(p.More)
			if err != nil {
				return vm.Undefined, err
			}
			if err := putText(m, o, key, p.MoreValue); err != nil {
				return vm.Undefined, err
			}
		}
		if err := m.H.Push(arr, heap.ObjectValue(o)); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(arr), nil
}

// putText adds a string property to a new object.
func putText(m *vm.Machine, o vm.Obj, key vm.Key, text string) error {
	v, err := m.NewString(text)
	if err != nil {
		return err
	}
	return m.CreateDataOrThrow(o, key, v)
}

// intlGetCanonicalLocales is Intl.getCanonicalLocales (§8.3.1).
func intlGetCanonicalLocales(m *vm.Machine, c vm.Call) (vm.Value, error) {
	list, err := canonicalizeLocaleList(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	return newStringArray(m, list)
}

// intlSupportedValuesOf is Intl.supportedValuesOf (§8.3.2).
func intlSupportedValuesOf(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	key := ""
	if m.H.Len(s) < 32 {
		key = m.H.GoString(s)
	}
	if err := m.Charge(500); err != nil {
		return vm.Undefined, err
	}
	switch key {
	case "calendar":
		return newStringArray(m, []string{"gregory", "iso8601"})
	case "collation":
		return newStringArray(m, []string{"phonebk", "pinyin", "trad", "unihan"})
	case "currency":
		return newStringArray(m, number.Currencies())
	case "numberingSystem":
		return newStringArray(m, number.NumberingSystems())
	case "timeZone":
		return newStringArray(m, datetime.ZoneNames())
	case "unit":
		return newStringArray(m, number.Units)
	}
	return vm.Undefined, m.RangeError("Invalid key : %s", m.Describe(heap.StringValue(s)))
}

// newStringArray is CreateArrayFromList of strings.
func newStringArray(m *vm.Machine, list []string) (vm.Value, error) {
	arr, err := m.NewArray(nil)
	if err != nil {
		return vm.Undefined, err
	}
	for _, s := range list {
		if err := m.Charge(2); err != nil {
			return vm.Undefined, err
		}
		v, err := m.NewString(s)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.H.Push(arr, v); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(arr), nil
}
