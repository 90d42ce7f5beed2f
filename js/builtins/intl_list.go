package builtins

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/list"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.ListFormat is "locale type style".

// setupIntlListFormat makes Intl.ListFormat (ECMA-402 §14).
func setupIntlListFormat(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "ListFormat", 0, listFormatConstructor, vm.IntlListFormatConstructor, vm.IntlListFormatPrototype)
	setupSupportedLocalesIn(b, c, "Intl.ListFormat", numberLocales)
	b.Method(p, "resolvedOptions", 0, listFormatResolvedOptions)
	b.Method(p, "format", 1, listFormatFormat)
	b.Method(p, "formatToParts", 1, listFormatFormatToParts)
}

// listFormatConstructor is Intl.ListFormat (§14.1.1).
func listFormatConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	const service = "Intl.ListFormat"
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, newNeeded(m, service)
	}
	if err := m.Charge(150); err != nil {
		return vm.Undefined, err
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.IntlListFormatPrototype)
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
	r, err := resolveLocaleIn(m, numberLocales, requested)
	if err != nil {
		return vm.Undefined, err
	}
	typ, err := getOption(m, o, service, "type", []string{"conjunction", "disjunction", "unit"}, "conjunction")
	if err != nil {
		return vm.Undefined, err
	}
	style, err := getOption(m, o, service, "style", []string{"long", "short", "narrow"}, "long")
	if err != nil {
		return vm.Undefined, err
	}
	obj, err := newIntl(m, proto, intlListFormat, r.locale+" "+typ+" "+style)
	return heap.ObjectValue(obj), err
}

// listFormatResolvedOptions is Intl.ListFormat.prototype.resolvedOptions
// (§14.3.5).
func listFormatResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlListFormat, "Intl.ListFormat.prototype.resolvedOptions")
	if err != nil {
		return vm.Undefined, err
	}
	return resolvedTexts(m, intlText(m, o), "locale", "type", "style")
}

// resolvedTexts makes an object of the parts of a text and their names.
func resolvedTexts(m *vm.Machine, text string, names ...string) (vm.Value, error) {
	r := m.NewPlain()
	for i, f := range strings.Split(text, " ") { //meter: a fixed number of fields
		if err := addText(m, r, names[i], f); err != nil {
			return vm.Undefined, err
		}
	}
	return heap.ObjectValue(r), nil
}

func newListPatterns(text string) (*list.Patterns, error) {
	f := strings.Split(text, " ")
	return list.For(numberLocales.data(f[0]), f[1], f[2]), nil
}

// listElements is StringListFromIterable (§14.5.1): an array, which is rooted.
func listElements(m *vm.Machine, iterable vm.Value) (vm.Obj, error) {
	arr, err := m.NewArray(nil)
	if err != nil {
		return 0, err
	}
	m.Root(heap.ObjectValue(arr))
	if iterable == vm.Undefined {
		return arr, nil
	}
	err = m.Iterate(iterable, func(v vm.Value) (bool, error) {
		if !v.IsString() {
			return false, m.TypeError("Iterable yielded %s which is not a string", m.Describe(v))
		}
		if err := m.Charge(2); err != nil {
			return false, err
		}
		return false, m.H.Push(arr, v)
	})
	return arr, err
}

// joinList is CreatePartsFromList (§14.5.2): it calls literal and element in
// turn.
func joinList(m *vm.Machine, p *list.Patterns, elems vm.Obj, literal func(string) error, element func(vm.Value) error) error {
	n := int(m.H.Obj(elems).Length)
	if n == 0 {
		return nil
	}
	var ends []string
	for i := range n - 1 {
		if err := m.Charge(8); err != nil {
			return err
		}
		pattern := p.Middle
		switch {
		case n == 2:
			pattern = p.Pair
		case i == 0:
			pattern = p.Start
		case i == n-2:
			pattern = p.End
		}
		next := m.H.Elem(m.H.Obj(elems), uint32(i+1)).AsStr()
		var err error
		if m.H.Len(next) > 4 {
			if next, err = m.H.Substring(next, 0, 4); err != nil {
				return err
			}
		}
		before, between, after := p.Separators(pattern, m.H.GoString(next))
		if before != "" {
			if err := literal(before); err != nil {
				return err
			}
		}
		if err := element(m.H.Elem(m.H.Obj(elems), uint32(i))); err != nil {
			return err
		}
		if between != "" {
			if err := literal(between); err != nil {
				return err
			}
		}
		if after != "" {
			if err := m.ChargeKeys(2); err != nil {
				return err
			}
			ends = append(ends, after)
		}
	}
	if err := element(m.H.Elem(m.H.Obj(elems), uint32(n-1))); err != nil {
		return err
	}
	for i := len(ends) - 1; i >= 0; i-- {
		if err := m.Charge(1); err != nil {
			return err
		}
		if err := literal(ends[i]); err != nil {
			return err
		}
	}
	return nil
}

// listFormatFormat is Intl.ListFormat.prototype.format (§14.3.3).
func listFormatFormat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlListFormat, "Intl.ListFormat.prototype.format")
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(vm.Undefined)
	defer m.PopRoots(at)
	elems, err := listElements(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	p, err := intlCached(m, o, newListPatterns)
	if err != nil {
		return vm.Undefined, err
	}
	sb := stringBuilder{m: m}
	defer sb.release()
	err = joinList(m, p, elems, func(s string) error {
		for _, r := range s { //meter: a separator
			if err := sb.unit(uint16(r)); err != nil {
				return err
			}
		}
		return nil
	}, func(v vm.Value) error { return sb.str(v.AsStr()) })
	if err != nil {
		return vm.Undefined, err
	}
	return sb.value()
}

// listFormatFormatToParts is Intl.ListFormat.prototype.formatToParts (§14.3.4).
func listFormatFormatToParts(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlListFormat, "Intl.ListFormat.prototype.formatToParts")
	if err != nil {
		return vm.Undefined, err
	}
	at := m.Root(vm.Undefined)
	defer m.PopRoots(at)
	elems, err := listElements(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	p, err := intlCached(m, o, newListPatterns)
	if err != nil {
		return vm.Undefined, err
	}
	arr, err := m.NewArray(nil)
	if err != nil {
		return vm.Undefined, err
	}
	part := func(typ string, v vm.Value) error {
		e := m.NewPlain()
		if err := addText(m, e, "type", typ); err != nil {
			return err
		}
		if err := m.CreateDataOrThrow(e, m.N.Value, v); err != nil {
			return err
		}
		return m.H.Push(arr, heap.ObjectValue(e))
	}
	err = joinList(m, p, elems, func(s string) error {
		v, err := m.NewString(s)
		if err != nil {
			return err
		}
		return part("literal", v)
	}, func(v vm.Value) error { return part("element", v) })
	return heap.ObjectValue(arr), err
}
