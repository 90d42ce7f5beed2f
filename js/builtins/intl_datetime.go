package builtins

import (
	"math"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/intl/datetime"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Intl.DateTimeFormat (ECMA-402 §11). The text of an object holds the words
// below, separated by bars.
const (
	dtfLocale = iota
	dtfData
	dtfCalendar
	dtfNumbering
	dtfZone // "" for the run's own
	dtfHourCycle
	dtfLocaleHours
	dtfDateStyle
	dtfTimeStyle
	dtfWeekday
	dtfEra
	dtfYear
	dtfMonth
	dtfDay
	dtfDayPeriod
	dtfHour
	dtfMinute
	dtfSecond
	dtfFraction
	dtfZoneName
	dtfWords
)

// What the work on a formatter costs: to read its options, to build it, to
// prepare it for ranges, to format with it.
const (
	dtfOptionsCost = 200
	dtfBuildCost   = 1000
	dtfRangeCost   = 3000
	dtfFormatCost  = 60
)

// The values of required and defaults of CreateDateTimeFormat (§11.1.2).
const (
	dateParts = 1 << iota
	timeParts
	anyParts = dateParts | timeParts
)

var (
	dtfNames   = []string{"narrow", "short", "long"}
	dtfNumbers = []string{"2-digit", "numeric"}
	dtfStyles  = []string{"full", "long", "medium", "short"}
	dtfCycles  = []string{"h11", "h12", "h23", "h24"}
)

// dtfComponents are the rows of Table 16 with their words, in the order in which
// options are read.
var dtfComponents = [...]struct {
	name   string
	word   int
	parts  int // the defaults that it makes needless
	values []string
}{
	{"weekday", dtfWeekday, dateParts, dtfNames},
	{"era", dtfEra, 0, dtfNames},
	{"year", dtfYear, dateParts, dtfNumbers},
	{"month", dtfMonth, dateParts, []string{"2-digit", "numeric", "narrow", "short", "long"}},
	{"day", dtfDay, dateParts, dtfNumbers},
	{"dayPeriod", dtfDayPeriod, timeParts, dtfNames},
	{"hour", dtfHour, timeParts, dtfNumbers},
	{"minute", dtfMinute, timeParts, dtfNumbers},
	{"second", dtfSecond, timeParts, dtfNumbers},
	{"fractionalSecondDigits", dtfFraction, timeParts, nil},
	{"timeZoneName", dtfZoneName, 0, []string{"short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"}},
}

// setupIntlDateTimeFormat makes the constructor and its prototype (§11.1 to
// §11.3).
func setupIntlDateTimeFormat(b *vm.Builder, intl vm.Obj) {
	c, p := setupIntlCtor(b, intl, "DateTimeFormat", 0, dateTimeFormatConstructor, vm.IntlDateTimeFormatConstructor, vm.IntlDateTimeFormatPrototype)
	setupSupportedLocales(b, c, "Intl.DateTimeFormat")
	b.Method(p, "resolvedOptions", 0, dtfResolvedOptions)
	b.Method(p, "formatToParts", 1, dtfFormatToParts)
	b.Getter(p, "format", dtfFormatGetter, nil)
	b.Method(p, "formatRange", 2, dtfFormatRange)
	b.Method(p, "formatRangeToParts", 2, dtfFormatRangeToParts)
	b.Set(vm.IntlDateTimeFormatFormat, b.Func("", 1, dtfFormat))
}

// dateTimeFormatConstructor is Intl.DateTimeFormat (§11.1.1).
func dateTimeFormatConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	proto := m.Intrinsic(vm.IntlDateTimeFormatPrototype)
	if c.NewTarget != vm.Undefined {
		var err error
		if proto, err = m.PrototypeFromConstructor(c.NewTarget, vm.IntlDateTimeFormatPrototype); err != nil {
			return vm.Undefined, err
		}
	}
	text, err := resolveDateTimeFormat(m, "Intl.DateTimeFormat", c.Arg(0), c.Arg(1), anyParts, dateParts)
	if err != nil {
		return vm.Undefined, err
	}
	o, err := newIntl(m, proto, intlDateTimeFormat, text)
	if err != nil {
		return vm.Undefined, err
	}
	return chainIntl(m, &c, o, vm.IntlDateTimeFormatConstructor)
}

// resolveDateTimeFormat is CreateDateTimeFormat (§11.1.2) up to the object; it
// returns the object's text.
func resolveDateTimeFormat(m *vm.Machine, service string, locales, options vm.Value, required, defaults int) (string, error) {
	if err := m.Charge(dtfOptionsCost); err != nil {
		return "", err
	}
	requested, err := canonicalizeLocaleList(m, locales)
	if err != nil {
		return "", err
	}
	var o vm.Obj
	if options != vm.Undefined {
		if o, err = m.ToObject(options); err != nil {
			return "", err
		}
	}
	var w [dtfWords]string
	if _, err := localeMatcher(m, o, service); err != nil {
		return "", err
	}
	typed := func(name string) (string, error) {
		const missing = "\x00"
		s, err := getOption(m, o, service, name, nil, missing)
		if err == nil && s == missing {
			return "", nil
		}
		if err == nil && !isUnicodeType(s) {
			err = m.RangeError("Invalid %s : %s", name, s)
		}
		return s, err
	}
	calendar, err := typed("calendar")
	if err != nil {
		return "", err
	}
	numbering, err := typed("numberingSystem")
	if err != nil {
		return "", err
	}
	hour12 := ""
	switch v, present, err := getBooleanOption(m, o, "hour12"); {
	case err != nil:
		return "", err
	case present:
		hour12 = strconv.FormatBool(v)
	}
	hourCycle, err := getOption(m, o, service, "hourCycle", dtfCycles, "")
	if err != nil {
		return "", err
	}
	if hour12 != "" {
		hourCycle = ""
	}
	r, err := resolveLocale(m, requested,
		localeKey{"ca", func(string) []string { return []string{"gregory", "iso8601"} }, calendar},
		localeKey{"hc", func(string) []string {
			if hour12 != "" {
				return []string{""} // takes the keyword out of the locale
			}
			return []string{"", "h11", "h12", "h23", "h24"}
		}, hourCycle},
		localeKey{"nu", func(string) []string { return datetime.NumberingSystems() }, numbering})
	if err != nil {
		return "", err
	}
	w[dtfLocale], w[dtfData], w[dtfCalendar], w[dtfNumbering] = r.locale, r.data, r.values[0], r.values[2]
	if hourCycle == "" {
		w[dtfLocaleHours] = r.values[1]
	}
	w[dtfHourCycle] = datetime.ResolveHourCycle(r.data, hour12, hourCycle, w[dtfLocaleHours])
	if w[dtfZone], err = zoneOption(m, o); err != nil {
		return "", err
	}
	have, explicit := 0, ""
	for i := range dtfComponents { //meter: the components
		e := &dtfComponents[i]
		value := ""
		if e.values == nil {
			n, present, err := getNumberOption(m, o, e.name, 1, 3, 0)
			if err != nil {
				return "", err
			}
			if present {
				value = strconv.Itoa(n)
			}
		} else if value, err = getOption(m, o, service, e.name, e.values, ""); err != nil {
			return "", err
		}
		if w[e.word] = value; value != "" {
			have |= e.parts
			if explicit == "" {
				explicit = e.name
			}
		}
	}
	if _, err := getOption(m, o, service, "formatMatcher", []string{"basic", "best fit"}, "best fit"); err != nil {
		return "", err
	}
	if w[dtfDateStyle], err = getOption(m, o, service, "dateStyle", dtfStyles, ""); err != nil {
		return "", err
	}
	if w[dtfTimeStyle], err = getOption(m, o, service, "timeStyle", dtfStyles, ""); err != nil {
		return "", err
	}
	if err := completeDateTimeFormat(m, &w, required, defaults, have, explicit); err != nil {
		return "", err
	}
	return strings.Join(w[:], "|"), nil
}

// completeDateTimeFormat is the end of CreateDateTimeFormat: what the styles
// exclude, and the defaults.
func completeDateTimeFormat(m *vm.Machine, w *[dtfWords]string, required, defaults, have int, explicit string) error {
	style := "dateStyle"
	if w[dtfDateStyle] == "" {
		style = "timeStyle"
	}
	if w[dtfDateStyle] != "" || w[dtfTimeStyle] != "" {
		switch {
		case explicit != "":
			return m.TypeError("Can't set option %s when %s is used", explicit, style)
		case required == dateParts && w[dtfTimeStyle] != "":
			return m.TypeError("Invalid option : timeStyle")
		case required == timeParts && w[dtfDateStyle] != "":
			return m.TypeError("Invalid option : dateStyle")
		}
		return nil
	}
	if have&required != 0 {
		return nil
	}
	if defaults&dateParts != 0 {
		w[dtfYear], w[dtfMonth], w[dtfDay] = "numeric", "numeric", "numeric"
	}
	if defaults&timeParts != 0 {
		w[dtfHour], w[dtfMinute], w[dtfSecond] = "numeric", "numeric", "numeric"
	}
	return nil
}

// zoneOption reads the option timeZone: the zone's primary name, "" for the
// run's own.
func zoneOption(m *vm.Machine, o vm.Obj) (string, error) {
	v, err := optionValue(m, o, "timeZone")
	if err != nil || v == vm.Undefined {
		return "", err
	}
	s, err := m.ToString(v)
	if err != nil {
		return "", err
	}
	name := ""
	if m.H.Len(s) <= maxOption {
		name = m.H.GoString(s)
	}
	z, ok := datetime.FindZone(name)
	if !ok {
		return "", m.RangeError("Invalid time zone specified: %s", plainText(m, heap.StringValue(s)))
	}
	if z.Name() == "UTC" && strings.EqualFold(name, "UTC") {
		return "UTC", nil
	}
	if z.Name() == "UTC" {
		return strings.ToLower(name), nil // names of GMT show
	}
	return z.Name(), nil
}

// dtfOf returns the formatter of an object.
func dtfOf(m *vm.Machine, o vm.Obj) (*datetime.Formatter, error) {
	build, err := dateTimeFormatBuilder(m)
	if err != nil {
		return nil, err
	}
	return intlCached(m, o, build)
}

// dateTimeFormatBuilder returns what makes a formatter of an object's text.
func dateTimeFormatBuilder(m *vm.Machine) (func(text string) (*datetime.Formatter, error), error) {
	own, err := runZone(m)
	return func(text string) (*datetime.Formatter, error) {
		if err := m.Charge(dtfBuildCost); err != nil {
			return nil, err
		}
		return buildDateTimeFormat(text, own), nil
	}, err
}

func buildDateTimeFormat(text string, own *datetime.Zone) *datetime.Formatter {
	w := strings.Split(text, "|")
	zone := own
	if w[dtfZone] != "" {
		if z, ok := datetime.FindZone(w[dtfZone]); ok {
			zone = z
		}
	}
	opt := datetime.Options{
		Locale: w[dtfData], Calendar: w[dtfCalendar], Numbering: w[dtfNumbering], Zone: zone,
		HourCycle: w[dtfHourCycle], LocaleHours: w[dtfLocaleHours], DateStyle: w[dtfDateStyle], TimeStyle: w[dtfTimeStyle],
		Weekday: w[dtfWeekday], Era: w[dtfEra], Year: w[dtfYear], Month: w[dtfMonth], Day: w[dtfDay], DayPeriod: w[dtfDayPeriod],
		Hour: w[dtfHour], Minute: w[dtfMinute], Second: w[dtfSecond], TimeZoneName: w[dtfZoneName],
	}
	if f := w[dtfFraction]; f != "" {
		opt.FractionalSecondDigits = int(f[0] - '0')
	}
	return datetime.New(opt)
}

// dtfTime is what the format functions do with a date: ToNumber and TimeClip.
func dtfTime(m *vm.Machine, v vm.Value) (float64, error) {
	if v == vm.Undefined {
		return math.Floor(m.Now()), nil
	}
	t, ok := dateOf(m, v)
	if !ok {
		var err error
		if t, err = m.ToFloat(v); err != nil {
			return 0, err
		}
	}
	if t = date.TimeClip(t); t != t {
		return 0, m.RangeError("Invalid time value")
	}
	return t, nil
}

// dtfFormatGetter is get Intl.DateTimeFormat.prototype.format (§11.3.3).
func dtfFormatGetter(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := unwrapIntl(m, c.This, intlDateTimeFormat, vm.IntlDateTimeFormatConstructor, "UnwrapDateTimeFormat")
	if err != nil {
		return vm.Undefined, err
	}
	return intlBound(m, o, vm.IntlDateTimeFormatFormat, 1), nil
}

// dtfFormat is a DateTime Format Function (§11.5.4).
func dtfFormat(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := dtfTime(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	f, err := dtfOf(m, m.NativeData(c.Callee).AsObj())
	if err != nil {
		return vm.Undefined, err
	}
	return formatDate(m, f, t)
}

func formatDate(m *vm.Machine, f *datetime.Formatter, t float64) (vm.Value, error) {
	if err := m.Charge(dtfFormatCost); err != nil {
		return vm.Undefined, err
	}
	return m.NewString(f.Format(t))
}

// dtfFormatToParts is Intl.DateTimeFormat.prototype.formatToParts (§11.3.4).
func dtfFormatToParts(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisIntl(m, &c, intlDateTimeFormat, "Intl.DateTimeFormat.prototype.formatToParts")
	if err != nil {
		return vm.Undefined, err
	}
	t, err := dtfTime(m, c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	f, err := dtfOf(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Charge(dtfFormatCost); err != nil {
		return vm.Undefined, err
	}
	return newDateParts(m, f.Parts(t))
}

func newDateParts(m *vm.Machine, parts []datetime.Part) (vm.Value, error) {
	return newPartsArray(m, len(parts), func(i int) intlPart {
		p := &parts[i]
		if p.Source == "" {
			return intlPart{Type: p.Type, Value: p.Value}
		}
		return intlPart{p.Type, p.Value, "source", p.Source}
	})
}

// dtfRange reads the arguments of the range methods.
func dtfRange(m *vm.Machine, c *vm.Call, method string) (f *datetime.Formatter, x, y float64, err error) {
	o, err := thisIntl(m, c, intlDateTimeFormat, method)
	if err != nil {
		return nil, 0, 0, err
	}
	if c.Arg(0) == vm.Undefined || c.Arg(1) == vm.Undefined {
		return nil, 0, 0, m.TypeError("Invalid time value")
	}
	// Both are numbers before either is looked at.
	if x, err = m.ToFloat(c.Arg(0)); err != nil {
		return nil, 0, 0, err
	}
	if y, err = m.ToFloat(c.Arg(1)); err != nil {
		return nil, 0, 0, err
	}
	x, y = date.TimeClip(x), date.TimeClip(y)
	if x != x || y != y {
		return nil, 0, 0, m.RangeError("Invalid time value")
	}
	if f, err = dtfOf(m, o); err != nil {
		return nil, 0, 0, err
	}
	cost := 3 * dtfFormatCost
	if !f.HasRanges() {
		cost += dtfRangeCost
	}
	return f, x, y, m.Charge(cost)
}

// dtfFormatRange is Intl.DateTimeFormat.prototype.formatRange (§11.3.5).
func dtfFormatRange(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, x, y, err := dtfRange(m, &c, "Intl.DateTimeFormat.prototype.formatRange")
	if err != nil {
		return vm.Undefined, err
	}
	return m.NewString(f.FormatRange(x, y))
}

// dtfFormatRangeToParts is Intl.DateTimeFormat.prototype.formatRangeToParts
// (§11.3.6).
func dtfFormatRangeToParts(m *vm.Machine, c vm.Call) (vm.Value, error) {
	f, x, y, err := dtfRange(m, &c, "Intl.DateTimeFormat.prototype.formatRangeToParts")
	if err != nil {
		return vm.Undefined, err
	}
	return newDateParts(m, f.RangeParts(x, y))
}

// dtfResolvedOptions is Intl.DateTimeFormat.prototype.resolvedOptions (§11.3.2).
func dtfResolvedOptions(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := unwrapIntl(m, c.This, intlDateTimeFormat, vm.IntlDateTimeFormatConstructor, "UnwrapDateTimeFormat")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := dtfOf(m, o)
	if err != nil {
		return vm.Undefined, err
	}
	if err := m.Charge(dtfFormatCost); err != nil {
		return vm.Undefined, err
	}
	w := strings.Split(intlText(m, o), "|")
	out := m.NewPlain()
	for _, e := range [...][2]string{
		{"locale", w[dtfLocale]}, {"calendar", w[dtfCalendar]}, {"numberingSystem", w[dtfNumbering]}, {"timeZone", f.Zone().Name()},
	} {
		if err := addText(m, out, e[0], e[1]); err != nil {
			return vm.Undefined, err
		}
	}
	r := f.Resolved()
	if hc := r.HourCycle; hc != "" {
		if err := addText(m, out, "hourCycle", hc); err != nil {
			return vm.Undefined, err
		}
		if err := addValue(m, out, "hour12", heap.Bool(hc == "h11" || hc == "h12")); err != nil {
			return vm.Undefined, err
		}
	}
	for _, e := range r.Fields { //meter: the components
		if e.Name == "fractionalSecondDigits" {
			err = addValue(m, out, e.Name, heap.Int(int32(e.Value[0]-'0')))
		} else {
			err = addText(m, out, e.Name, e.Value)
		}
		if err != nil {
			return vm.Undefined, err
		}
	}
	if err := addText(m, out, "dateStyle", w[dtfDateStyle]); err != nil {
		return vm.Undefined, err
	}
	return heap.ObjectValue(out), addText(m, out, "timeStyle", w[dtfTimeStyle])
}
