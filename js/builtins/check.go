package builtins

import (
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/datetime"
	"github.com/pinfold-js/pinfold/js/intl/number"
	"github.com/pinfold-js/pinfold/js/intl/plural"
	"github.com/pinfold-js/pinfold/js/intl/relative"
	"github.com/pinfold-js/pinfold/js/vm"
)

// What built-in objects hold, for snapshots of unknown origin: their methods
// take the words of their blocks for what they are without looking. A layout
// says what each word must be.

// wordCheck reports whether a word is what it must be.
type wordCheck func(m *vm.Machine, v vm.Value) bool

type layout []wordCheck

func anyWord(*vm.Machine, vm.Value) bool        { return true }
func stringOnly(_ *vm.Machine, v vm.Value) bool { return v.IsString() }
func symbolOnly(_ *vm.Machine, v vm.Value) bool { return v.IsSymbol() }
func objectOnly(_ *vm.Machine, v vm.Value) bool { return v.IsObject() }
func boolOnly(_ *vm.Machine, v vm.Value) bool   { return v.IsBool() }
func indexWord(_ *vm.Machine, v vm.Value) bool {
	return v.IsNumber() && v.AsFloat() >= 0 && v.AsFloat() < 1<<53
}

// intWord is an integer from one number to another.
func intWord(from, to int32) wordCheck {
	return func(_ *vm.Machine, v vm.Value) bool { return v.IsInt() && v.AsInt() >= from && v.AsInt() <= to }
}

const maxInt = 1<<31 - 1

// classWord is an object of a class.
func classWord(class heap.Class) wordCheck {
	return func(m *vm.Machine, v vm.Value) bool { return v.IsObject() && m.H.Obj(v.AsObj()).Class == class }
}

// webWordOf is an object of a web standard.
func webWordOf(kind uint32) wordCheck {
	return func(m *vm.Machine, v vm.Value) bool { return isWeb(m, v, kind) }
}

// or is undefined, or the zero of a new block, or something else.
func or(is wordCheck) wordCheck {
	return func(m *vm.Machine, v vm.Value) bool { return v == vm.Undefined || v == 0 || is(m, v) }
}

// listWord is an array without holes of so many elements for each thing, which
// the check of a thing looks at.
func listWord(each int, is func(m *vm.Machine, e []vm.Value) bool) wordCheck {
	return func(m *vm.Machine, v vm.Value) bool {
		if !v.IsObject() {
			return false
		}
		r := m.H.Obj(v.AsObj())
		if r.Class != heap.ClassArray || r.Flags&heap.Sparse != 0 || r.ElemLen != r.Length || int(r.Length)%each != 0 {
			return false
		}
		e := m.H.Elems(v.AsObj())
		for i := 0; i < len(e); i += each { //meter: elements, which the heap holds
			if !is(m, e[i:i+each]) {
				return false
			}
		}
		return true
	}
}

// fieldsWord is a text of options: so many fields, of letters, digits and the
// like.
func fieldsWord(sep string, from, to int) wordCheck {
	return func(m *vm.Machine, v vm.Value) bool {
		if !v.IsString() || m.H.Len(v.AsStr()) > 4096 {
			return false
		}
		n := strings.Count(m.H.GoString(v.AsStr()), sep) + 1
		return n >= from && n <= to
	}
}

// madeOf is a text of options that something can be made of, as the object's
// methods do it.
func madeOf(sep string, from, to int, make func(text string) bool) wordCheck {
	fields := fieldsWord(sep, from, to)
	return func(m *vm.Machine, v vm.Value) (ok bool) {
		if !fields(m, v) || m.Charge(500) != nil { //meter: a limit is sticky
			return false
		}
		defer func() {
			if recover() != nil {
				ok = false
			}
		}()
		return make(m.H.GoString(v.AsStr()))
	}
}

// digitsFit reports whether numbers of digits are those that the options allow:
// they are loops' lengths.
func digitsFit(d *number.Digits) bool {
	for _, n := range []int{d.MinInteger, d.MinFraction, d.MaxFraction, d.MinSignificant, d.MaxSignificant} { //meter: fixed
		if n < 0 || n > 100 {
			return false
		}
	}
	return d.Increment >= 0 && d.Increment <= 5000
}

func makesNumberFormat(text string) bool {
	_, encoded, _ := strings.Cut(text, "\n")
	o, err := number.Decode(encoded)
	return err == nil && digitsFit(&o.Digits) && number.New(o) != nil
}

func makesPluralRules(text string) bool {
	f := strings.Split(text, "\n")
	d, err := number.DecodeDigits(f[2])
	plural.For(f[0], f[1] == "ordinal")
	return err == nil && digitsFit(&d)
}

func makesRelativeTimeFormat(text string) bool {
	f := strings.Split(text, "\n")
	return relative.New(f[1], f[4], f[2], f[3] == "auto") != nil
}

func makesDateTimeFormat(text string) bool {
	f := strings.Split(text, "|")
	digits := f[dtfFraction]
	return (digits == "" || digits >= "0" && digits <= "3" && len(digits) == 1) && buildDateTimeFormat(text, datetime.UTC()) != nil
}

func makesListFormat(text string) bool {
	_, err := newListPatterns(text)
	return err == nil
}

func makesDisplayNames(text string) bool {
	_, err := newDisplayNames(text)
	return err == nil
}

func makesCollator(text string) bool {
	_, err := newCollator(text)
	return err == nil
}

// kindWord is which of keys, values and entries an iterator gives.
var kindWord = intWord(kindKeys, kindEntries)

// iteratorLayouts are those of the objects of heap.ClassIterator, by Length.
var iteratorLayouts = map[uint32]layout{
	kindKeys:             {arrayIterObject: or(objectOnly), arrayIterIndex: indexWord},
	kindValues:           {arrayIterObject: or(objectOnly), arrayIterIndex: indexWord},
	kindEntries:          {arrayIterObject: or(objectOnly), arrayIterIndex: indexWord},
	vm.IterAsyncFromSync: {objectOnly, anyWord},
	iterMap:              {tableIterObject: or(classWord(heap.ClassMap)), tableIterSeq: indexWord, tableIterKind: kindWord},
	iterSet:              {tableIterObject: or(classWord(heap.ClassSet)), tableIterSeq: indexWord, tableIterKind: kindWord},
	iterSearchParams: {tableIterObject: webWordOf(webSearchParams), tableIterKind: kindWord, tableIterSeq: func(m *vm.Machine, v vm.Value) bool {
		return intWord(0, maxInt-2)(m, v) && v.AsInt()%2 == 0
	}},
	iterWrap:   {objectOnly, anyWord},
	iterString: {stringIterString: or(stringOnly), stringIterIndex: intWord(0, maxInt-2)},
	iterRegExpString: {objectOnly, stringOnly, boolOnly, boolOnly, func(m *vm.Machine, v vm.Value) bool {
		return v == heap.Int(regExpIterReady) || v == heap.Int(regExpIterDone)
	}},
	iterHelper: {
		helperState: func(m *vm.Machine, v vm.Value) bool {
			return intWord(helperStart, helperDone)(m, v) && v.AsInt() != helperRunning
		},
		helperKind: intWord(helperMap, helperWindows), helperObj: or(objectOnly), helperNextFn: anyWord, helperFn: anyWord,
		helperCount: func(m *vm.Machine, v vm.Value) bool { return v.IsNumber() && v.AsFloat() >= 0 || v == vm.Undefined },
		helperInner: or(objectOnly), helperInnerNext: anyWord,
	},
}

// intlLayouts are those of the objects of heap.ClassIntl, by Length.
var intlLayouts = map[uint32]layout{
	intlNamespace:          {symbolOnly, anyWord},
	intlCollator:           {madeOf(" ", 1, collatorFields, makesCollator), or(objectOnly)},
	intlDateTimeFormat:     {madeOf("|", dtfWords, dtfWords, makesDateTimeFormat), or(objectOnly)},
	intlDisplayNames:       {madeOf(" ", 4, 5, makesDisplayNames), or(objectOnly)},
	intlListFormat:         {madeOf(" ", 3, 3, makesListFormat), or(objectOnly)},
	intlLocale:             {fieldsWord("\n", 1, 1), or(objectOnly)},
	intlNumberFormat:       {madeOf("\n", 2, 2, makesNumberFormat), or(objectOnly)},
	intlPluralRules:        {madeOf("\n", 3, 3, makesPluralRules), or(objectOnly)},
	intlRelativeTimeFormat: {madeOf("\n", 5, 5, makesRelativeTimeFormat), or(objectOnly)},
	intlSegmenter:          {fieldsWord(" ", 2, 2), or(objectOnly)},
	intlSegments:           segmentsLayout,
	intlSegmentIterator:    segmentsLayout,
}

var segmentsLayout = layout{segmentsString: stringOnly, segmentsGranularity: intWord(0, int32(len(granularities)-1)), segmentsPosition: intWord(0, maxInt)}

// webLayouts are those of the objects of heap.ClassWeb, by Length. The parts of
// a URL are checked by themselves.
var webLayouts = map[uint32]layout{
	webURL: func() layout {
		l := layout{urlHref: stringOnly, urlParams: or(webWordOf(webSearchParams))}
		for i := urlSchemeEnd; i <= urlFragment; i++ { //meter: fixed
			l[i] = intWord(1, maxInt)
		}
		return l
	}(),
	webSearchParams: {paramsURL: or(webWordOf(webURL)), paramsList: listWord(2, func(_ *vm.Machine, e []vm.Value) bool { return e[0].IsString() && e[1].IsString() })},
	webEncoder:      {anyWord},
	webCrypto:       {anyWord},
	webDecoder: {decFlags: intWord(0, 15), decPending: intWord(0, 1<<24-1), decCount: intWord(0, 3), decEncoding: func(_ *vm.Machine, v vm.Value) bool {
		names, _ := encodings()
		return v.IsInt() && v.AsInt() >= 0 && int(v.AsInt()) < len(names)
	}},
}

// disposableLayout is that of the objects of heap.ClassDisposable.
var disposableLayout = layout{stackDisposed: boolOnly, stackList: or(listWord(resourceWords, func(_ *vm.Machine, e []vm.Value) bool {
	return e[0].IsInt() && e[0].AsInt() >= int32(resourceMethod) && e[0].AsInt() <= int32(resourceNone)
}))}

// setupChecks tells the realm what its built-in objects hold.
func setupChecks(b *vm.Builder) {
	byLength := func(what string, layouts map[uint32]layout) func(m *vm.Machine, o vm.Obj, words []vm.Value) string {
		return func(m *vm.Machine, o vm.Obj, words []vm.Value) string {
			l, ok := layouts[m.H.Obj(o).Length]
			if !ok {
				return "it is " + what + " of no kind"
			}
			return l.check(m, words)
		}
	}
	b.Check(heap.ClassIterator, byLength("an iterator", iteratorLayouts))
	b.Check(heap.ClassIntl, byLength("an object of Intl", intlLayouts))
	b.Check(heap.ClassDisposable, func(m *vm.Machine, _ vm.Obj, words []vm.Value) string { return disposableLayout.check(m, words) })
	web := byLength("an object of the web", webLayouts)
	b.Check(heap.ClassWeb, func(m *vm.Machine, o vm.Obj, words []vm.Value) string {
		what := web(m, o, words)
		if what != "" || m.H.Obj(o).Length != webURL {
			return what
		}
		for i := urlSchemeEnd; i < urlFragment; i++ { //meter: fixed
			if words[i].AsInt() > words[i+1].AsInt() {
				return "it is a URL whose parts are out of order"
			}
		}
		if int(words[urlFragment].AsInt()) > m.H.Len(words[urlHref].AsStr()) {
			return "it is a URL whose parts are outside of it"
		}
		return ""
	})
}

// check says what is wrong with a block, "" if nothing is.
func (l layout) check(m *vm.Machine, words []vm.Value) string {
	if len(words) < len(l) {
		return "its block is too short"
	}
	for i, is := range l { //meter: words of a built-in object
		if is != nil && !is(m, words[i]) {
			return "word " + strconv.Itoa(i) + " of its block is of another type"
		}
	}
	return ""
}
