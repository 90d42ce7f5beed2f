package builtins

import (
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/vm"
)

// The text of an Intl.Locale is its identifier.

// setupIntlLocale makes Intl.Locale (ECMA-402 §15, with the information about
// locales that later editions have).
func setupIntlLocale(b *vm.Builder, intl vm.Obj) {
	_, p := setupIntlCtor(b, intl, "Locale", 1, localeConstructor, vm.IntlLocaleConstructor, vm.IntlLocalePrototype)
	b.Method(p, "toString", 0, localeToString)
	b.Method(p, "maximize", 0, localeMethod("maximize", func(t *locale.Tag) { t.Maximize() }))
	b.Method(p, "minimize", 0, localeMethod("minimize", (*locale.Tag).Minimize))
	getter := func(name string, get func(t *locale.Tag) (string, bool)) {
		b.Getter(p, name, localeGetter(name, get), nil)
	}
	subtag := func(name string, get func(t *locale.Tag) string) {
		getter(name, func(t *locale.Tag) (string, bool) {
			s := get(t)
			return s, s != ""
		})
	}
	keyword := func(name, key string) {
		getter(name, func(t *locale.Tag) (string, bool) { return t.Keyword(key) })
	}
	subtag("language", func(t *locale.Tag) string { return t.Language })
	subtag("script", func(t *locale.Tag) string { return t.Script })
	subtag("region", func(t *locale.Tag) string { return t.Region })
	subtag("variants", func(t *locale.Tag) string { return strings.Join(t.Variants, "-") })
	subtag("baseName", (*locale.Tag).Base)
	keyword("calendar", "ca")
	keyword("caseFirst", "kf")
	keyword("collation", "co")
	keyword("firstDayOfWeek", "fw")
	keyword("hourCycle", "hc")
	b.Getter(p, "numeric", localeNumeric, nil)
	keyword("numberingSystem", "nu")
	information := [...]struct {
		method, getter string
		get            func(m *vm.Machine, t *locale.Tag) (vm.Value, error)
	}{
		{"getCalendars", "calendars", localeCalendars}, {"getCollations", "collations", localeCollations},
		{"getHourCycles", "hourCycles", localeHourCycles}, {"getNumberingSystems", "numberingSystems", localeNumberingSystems},
		{"getTextInfo", "textInfo", localeTextInfo}, {"getTimeZones", "timeZones", localeTimeZones}, {"getWeekInfo", "weekInfo", localeWeekInfo},
	}
	for _, info := range information { //meter: once
		b.Method(p, info.method, 0, localeInfo(info.method, info.get))
		if info.getter == "weekInfo" {
			info.get = localeOldWeekInfo
		}
		b.Getter(p, info.getter, localeInfo(info.getter, info.get), nil)
	}
}

// localeConstructor is Intl.Locale (§15.1.1).
func localeConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		return vm.Undefined, newNeeded(m, "Intl.Locale")
	}
	proto, err := m.PrototypeFromConstructor(c.NewTarget, vm.IntlLocalePrototype)
	if err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	if !v.IsString() && !v.IsObject() {
		return vm.Undefined, m.TypeError("First argument to Intl.Locale constructor can't be empty or missing")
	}
	text := ""
	if isIntl(m, v, intlLocale) {
		text = localeTag(m, v.AsObj())
	} else {
		s, err := m.ToString(v)
		if err != nil {
			return vm.Undefined, err
		}
		if m.H.Len(s) > locale.MaxLength || m.H.IsWide(s) {
			return vm.Undefined, m.RangeError(badLocale)
		}
		text = m.H.GoString(s)
	}
	if err := m.Charge(100 + len(text)); err != nil {
		return vm.Undefined, err
	}
	o, err := coerceOptionsToObject(m, "Intl.Locale", c.Arg(1))
	if err != nil {
		return vm.Undefined, err
	}
	t, ok := locale.Parse(text)
	if !ok {
		return vm.Undefined, m.RangeError(badLocale)
	}
	t.Canonicalize()
	if o != 0 {
		if err := updateLanguageID(m, &t, o); err != nil {
			return vm.Undefined, err
		}
		t.Canonicalize()
		if err := updateKeywords(m, &t, o); err != nil {
			return vm.Undefined, err
		}
	}
	obj, err := newIntl(m, proto, intlLocale, t.String())
	return heap.ObjectValue(obj), err
}

// textOption reads an option of any text in lower case.
func textOption(m *vm.Machine, o vm.Obj, name string) (s string, present bool, err error) {
	const absent = "\x00"
	s, err = getOption(m, o, "locale", name, nil, absent)
	if err != nil || s == absent {
		return "", false, err
	}
	return locale.Lower(s), true, nil
}

// updateLanguageID is UpdateLanguageId (§15.1.2).
func updateLanguageID(m *vm.Machine, t *locale.Tag, o vm.Obj) error {
	language, has, err := textOption(m, o, "language")
	if err != nil {
		return err
	}
	if has {
		if !locale.IsLanguage(language) {
			return m.RangeError(badLocale)
		}
	}
	script, hasScript, err := textOption(m, o, "script")
	if err != nil {
		return err
	}
	if hasScript && !locale.IsScript(script) {
		return m.RangeError(badLocale)
	}
	region, hasRegion, err := textOption(m, o, "region")
	if err != nil {
		return err
	}
	if hasRegion && !locale.IsRegion(region) {
		return m.RangeError(badLocale)
	}
	variants, hasVariants, err := textOption(m, o, "variants")
	if err != nil {
		return err
	}
	if hasVariants {
		list := strings.Split(variants, "-")
		for i, v := range list {
			if err := m.Charge(1 + i/4); err != nil {
				return err
			}
			if !locale.IsVariant(v) || slices.Contains(list[:i], v) {
				return m.RangeError(badLocale)
			}
		}
		t.Variants = list
	}
	if has {
		t.Language = language
	}
	if hasScript {
		t.Script = strings.ToUpper(script[:1]) + script[1:]
	}
	if hasRegion {
		t.Region = strings.ToUpper(region)
	}
	return nil
}

// updateKeywords reads the options that are keywords of the Unicode extension.
func updateKeywords(m *vm.Machine, t *locale.Tag, o vm.Obj) error {
	set := func(key, value string) { t.SetKeyword(key, locale.CanonicalType(key, value)) }
	options := [...]struct {
		name, key string
		allowed   []string
	}{
		{"calendar", "ca", nil}, {"collation", "co", nil}, {"firstDayOfWeek", "fw", nil},
		{"hourCycle", "hc", []string{"h11", "h12", "h23", "h24"}}, {"caseFirst", "kf", []string{"upper", "lower", "false"}},
		{"numeric", "kn", nil}, {"numberingSystem", "nu", nil},
	}
	for _, opt := range options { //meter: fixed
		switch {
		case opt.key == "kn":
			v, ok, err := getBooleanOption(m, o, opt.name)
			if err != nil {
				return err
			}
			if ok {
				set(opt.key, boolText(v))
			}
		case opt.allowed != nil:
			v, err := getOption(m, o, "locale", opt.name, opt.allowed, "")
			if err != nil {
				return err
			}
			if v != "" {
				set(opt.key, v)
			}
		default:
			v, ok, err := textOption(m, o, opt.name)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if opt.key == "fw" {
				v = weekdayValue(v)
			}
			if !locale.IsType(v) {
				return m.RangeError(badLocale)
			}
			set(opt.key, v)
		}
	}
	return nil
}

// weekdayValue is WeekdayToUValue: numbers stand for days.
func weekdayValue(s string) string {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '7' {
		return weekdays[s[0]-'0']
	}
	return s
}

var weekdays = [...]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// thisLocale returns the identifier of a method's this value in parts.
func thisLocale(m *vm.Machine, c *vm.Call, name string) (locale.Tag, error) {
	o, err := thisIntl(m, c, intlLocale, "Intl.Locale.prototype."+name)
	if err != nil {
		return locale.Tag{}, err
	}
	if err := m.Charge(50); err != nil {
		return locale.Tag{}, err
	}
	t, _ := locale.Parse(localeTag(m, o))
	return t, nil
}

func localeToString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlLocale, "Intl.Locale.prototype.toString")
	if err != nil {
		return vm.Undefined, err
	}
	return m.H.Word(m.H.Obj(o).Data.AsBlock(), intlTextWord), nil
}

func localeMethod(name string, change func(*locale.Tag)) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisLocale(m, &c, name)
		if err != nil {
			return vm.Undefined, err
		}
		change(&t)
		o, err := newIntl(m, m.Intrinsic(vm.IntlLocalePrototype), intlLocale, t.String())
		return heap.ObjectValue(o), err
	}
}

func localeGetter(name string, get func(*locale.Tag) (string, bool)) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisLocale(m, &c, name)
		if err != nil {
			return vm.Undefined, err
		}
		s, ok := get(&t)
		if !ok {
			return vm.Undefined, nil
		}
		return m.NewString(s)
	}
}

func localeNumeric(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisLocale(m, &c, "numeric")
	if err != nil {
		return vm.Undefined, err
	}
	v, ok := t.Keyword("kn")
	return heap.Bool(ok && v == ""), nil
}

func localeInfo(name string, get func(*vm.Machine, *locale.Tag) (vm.Value, error)) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisLocale(m, &c, name)
		if err != nil {
			return vm.Undefined, err
		}
		return get(m, &t)
	}
}

// preferred returns the keyword's value alone, or what is usual.
func preferred(m *vm.Machine, t *locale.Tag, key string, usual []string) (vm.Value, error) {
	if v, ok := t.Keyword(key); ok && v != "" {
		usual = []string{v}
	}
	return newStringArray(m, usual)
}

func localeCalendars(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	return preferred(m, t, "ca", t.Calendars())
}

func localeCollations(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	return preferred(m, t, "co", t.Collations())
}

func localeHourCycles(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	return preferred(m, t, "hc", []string{t.HourCycle()})
}

func localeNumberingSystems(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	return preferred(m, t, "nu", []string{t.NumberingSystem()})
}

func localeTimeZones(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	if t.Region == "" {
		return vm.Undefined, nil
	}
	return newStringArray(m, t.Zones())
}

func localeTextInfo(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	o := m.NewPlain()
	direction := "ltr"
	if t.RightToLeft() {
		direction = "rtl"
	}
	return heap.ObjectValue(o), addText(m, o, "direction", direction)
}

func localeWeekInfo(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	w := t.Week()
	if v, ok := t.Keyword("fw"); ok {
		if d := slices.Index(weekdays[1:], v); d >= 0 {
			w.First = d + 1
		}
	}
	o := m.NewPlain()
	if err := addValue(m, o, "firstDay", heap.Int(int32(w.First))); err != nil {
		return vm.Undefined, err
	}
	days := make([]vm.Value, 0, 7)
	for _, d := range w.Weekend { //meter: at most seven
		days = append(days, heap.Int(int32(d)))
	}
	arr, err := m.NewArray(days)
	if err != nil {
		return vm.Undefined, err
	}
	if err := addValue(m, o, "weekend", heap.ObjectValue(arr)); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(o), nil
}

// localeOldWeekInfo is the getter that came before getWeekInfo, which had one
// property more.
func localeOldWeekInfo(m *vm.Machine, t *locale.Tag) (vm.Value, error) {
	v, err := localeWeekInfo(m, t)
	if err != nil {
		return v, err
	}
	return v, addValue(m, v.AsObj(), "minimalDays", heap.Int(int32(t.Week().Minimal)))
}
