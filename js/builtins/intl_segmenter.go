package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/intl/segment"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.Segmenter is "locale granularity". Segments objects and
// their iterators are of kinds intlSegments and intlSegmentIterator; their Data
// is a block of values: the string, the granularity, and the position of an
// iterator.
const (
	segmentsString = iota
	segmentsGranularity
	segmentsPosition
	segmentsWords
)

// segmenterLocales are all that CLDR knows: segments depend on none.
var segmenterLocales = localeSet{locale.BestKnown, func(string) string { return "en" }}

// setupIntlSegmenter makes Intl.Segmenter (ECMA-402 §19).
func setupIntlSegmenter(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "Segmenter", 0, segmenterConstructor, vm.IntlSegmenterConstructor, vm.IntlSegmenterPrototype)
	setupSupportedLocalesIn(b, c, "Intl.Segmenter", segmenterLocales)
	b.Method(p, "resolvedOptions", 0, segmenterResolvedOptions)
	b.Method(p, "segment", 1, segmenterSegment)
	s := b.Set(vm.IntlSegmentsPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	b.Method(s, "containing", 1, segmentsContaining)
	b.Method(s, "@@iterator", 0, segmentsIterator)
	it := b.Set(vm.IntlSegmentIteratorPrototype, b.Object(b.Intrinsic(vm.IteratorPrototype)))
	b.Method(it, "next", 0, segmentIteratorNext)
	b.Tag(it, "Segmenter String Iterator")
}

// segmenterConstructor is Intl.Segmenter (§19.1.1).
func segmenterConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	const service = "Intl.Segmenter"
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, newNeeded(m, service)
	}
	if err := m.Charge(150); err != nil {
		return vm.Undefined, err
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.IntlSegmenterPrototype)
	if err != nil {
		return vm.Undefined, err
	}
	requested, err := canonicalizeLocaleList(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	o, err := getOptionsObject(m, c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	if _, err := localeMatcher(m, o, service); err != nil {
		return vm.Undefined, err
	}
	r, err := resolveLocaleIn(m, segmenterLocales, requested)
	if err != nil {
		return vm.Undefined, err
	}
	g, err := getOption(m, o, service, "granularity", granularities[:], "grapheme")
	if err != nil {
		return vm.Undefined, err
	}
	obj, err := newIntl(m, proto, intlSegmenter, r.locale+" "+g)
	return heap.ObjectValue(obj), err
}

// granularities are the names of those of package segment, in its order.
var granularities = [...]string{segment.Grapheme: "grapheme", segment.Word: "word", segment.Sentence: "sentence"}

// segmenterResolvedOptions is Intl.Segmenter.prototype.resolvedOptions (§19.3.4).
func segmenterResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlSegmenter, "Intl.Segmenter.prototype.resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	return resolvedTexts(m, intlText(m, o), "locale", "granularity")
}

// segmenterSegment is Intl.Segmenter.prototype.segment (§19.3.3).
func segmenterSegment(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlSegmenter, "Intl.Segmenter.prototype.segment")
	if err != nil {
		return vm.Undefined, err
	}
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	_, name, _ := strings.Cut(intlText(m, o), " ")
	g := segment.Grapheme
	for i, n := range granularities { //meter: fixed
		if n == name {
			g = segment.Granularity(i)
		}
	}
	return newSegments(m, vm.IntlSegmentsPrototype, intlSegments, heap.StringValue(s), heap.Int(int32(g))), nil
}

func newSegments(m *vm.Machine, proto vm.Intrinsic, kind uint32, s, g vm.Value) vm.Value {
	blk := m.H.NewSmallValues(segmentsWords)
	w := m.H.ValuesW(blk)
	w[segmentsString], w[segmentsGranularity], w[segmentsPosition] = s, g, heap.Int(0)
	o := m.H.NewObject(m.H.RootShape(m.Intrinsic(proto)), heap.ClassIntl)
	r := m.H.ObjW(o)
	r.Length, r.Data = kind, heap.ValuesValue(blk)
	return heap.ObjectValue(o)
}

// segmentsContaining is %Segments.prototype%.containing (§19.5.2.1).
func segmentsContaining(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlSegments, "%Segments.prototype%.containing")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.ToInteger(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	blk := m.H.Obj(o).Data.AsBlock()
	s, g := m.H.Word(blk, segmentsString).AsStr(), segment.Granularity(m.H.Word(blk, segmentsGranularity).AsInt())
	if f < 0 || f >= float64(m.H.Len(s)) {
		return vm.Undefined, nil
	}
	n := int(f)
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var from, end int
	var like bool
	if u != nil {
		if from, err = segment.Before(m.Meter(), g, u, n); err != nil {
			return vm.Undefined, err
		}
		for end = from; end <= n; { // each step pays for itself
			from = end
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if end, like, err = segment.Next(m.Meter(), g, u, from); err != nil {
				return vm.Undefined, err
			}
		}
	} else {
		if from, err = segment.Before(m.Meter(), g, b, n); err != nil {
			return vm.Undefined, err
		}
		for end = from; end <= n; {
			from = end
			if err := m.Charge(1); err != nil {
				return vm.Undefined, err
			}
			if end, like, err = segment.Next(m.Meter(), g, b, from); err != nil {
				return vm.Undefined, err
			}
		}
	}
	return segmentData(m, s, g, from, end, like)
}

// segmentData is CreateSegmentDataObject (§19.7.1).
func segmentData(m *vm.Machine, s vm.Str, g segment.Granularity, from, end int, like bool) (vm.Value, error) {
	if err := m.Charge(4); err != nil {
		return vm.Undefined, err
	}
	part, err := m.H.Substring(s, from, end)
	if err != nil {
		return vm.Undefined, err
	}
	o := m.NewPlain()
	if err := addValue(m, o, "segment", heap.StringValue(part)); err != nil {
		return vm.Undefined, err
	}
	if err := m.CreateDataOrThrow(o, m.N.Index, heap.Int(int32(from))); err != nil {
		return vm.Undefined, err
	}
	if err := addValue(m, o, "input", heap.StringValue(s)); err != nil {
		return vm.Undefined, err
	}
	if g == segment.Word {
		if err := addValue(m, o, "isWordLike", heap.Bool(like)); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(o), nil
}

// segmentsIterator is %Segments.prototype%[@@iterator] (§19.5.2.2).
func segmentsIterator(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlSegments, "%SegmentIsPrototype%[@@iterator]")
	if err != nil {
		return vm.Undefined, err
	}
	blk := m.H.Obj(o).Data.AsBlock()
	return newSegments(m, vm.IntlSegmentIteratorPrototype, intlSegmentIterator,
		m.H.Word(blk, segmentsString), m.H.Word(blk, segmentsGranularity)), nil
}

// segmentIteratorNext is %SegmentIterator.prototype%.next (§19.6.2.1).
func segmentIteratorNext(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlSegmentIterator, "%SegmentIterator.prototype%.next")
	if err != nil {
		return vm.Undefined, err
	}
	blk := m.H.Obj(o).Data.AsBlock()
	s, g := m.H.Word(blk, segmentsString).AsStr(), segment.Granularity(m.H.Word(blk, segmentsGranularity).AsInt())
	from := int(m.H.Word(blk, segmentsPosition).AsInt())
	if from >= m.H.Len(s) {
		return m.IterResult(vm.Undefined, true), nil
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	var end int
	var like bool
	if u != nil {
		end, like, err = segment.Next(m.Meter(), g, u, from)
	} else {
		end, like, err = segment.Next(m.Meter(), g, b, from)
	}
	if err != nil {
		return vm.Undefined, err
	}
	m.H.SetWord(blk, segmentsPosition, heap.Int(int32(end)))
	v, err := segmentData(m, s, g, from, end, like)
	if err != nil {
		return vm.Undefined, err
	}
	return m.IterResult(v, false), nil
}
