package builtins

import (
	"math"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupDate makes the Date constructor and its prototype (§21.4, §B.2.3).
func setupDate(b *vm.Builder) {
	p := b.Set(vm.DatePrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	c := b.Set(vm.DateConstructor, b.Ctor("Date", 7, dateConstructor, p, 0))
	b.GlobalObj("Date", c)
	b.Method(c, "now", 0, dateNow)
	b.Method(c, "parse", 1, dateParse)
	b.Method(c, "UTC", 7, dateUTC)

	for _, e := range []struct {
		name string
		get  func(t float64) float64
	}{
		{"Date", date.DateFromTime}, {"Day", date.WeekDay}, {"FullYear", date.YearFromTime}, {"Hours", date.HourFromTime},
		{"Milliseconds", date.MsFromTime}, {"Minutes", date.MinFromTime}, {"Month", date.MonthFromTime}, {"Seconds", date.SecFromTime},
	} {
		b.Method(p, "get"+e.name, 0, dateGetter(e.get, true))
		b.Method(p, "getUTC"+e.name, 0, dateGetter(e.get, false))
	}
	b.Method(p, "getTime", 0, dateGetTime)
	b.Method(p, "getTimezoneOffset", 0, dateTimezoneOffset)
	b.Method(p, "getYear", 0, dateGetYear)
	for _, e := range []struct {
		name         string
		first, count int
	}{
		{"Date", 2, 1}, {"FullYear", 0, 3}, {"Hours", 3, 4}, {"Milliseconds", 6, 1}, {"Minutes", 4, 3}, {"Month", 1, 2}, {"Seconds", 5, 2},
	} {
		b.Method(p, "set"+e.name, e.count, dateSetter(e.first, e.count, true))
		b.Method(p, "setUTC"+e.name, e.count, dateSetter(e.first, e.count, false))
	}
	b.Method(p, "setTime", 1, dateSetTime)
	b.Method(p, "setYear", 1, dateSetYear)
	b.Method(p, "toDateString", 0, dateToDateString)
	b.Method(p, "toISOString", 0, dateToISOString)
	b.Method(p, "toJSON", 1, dateToJSON)
	b.Method(p, "toLocaleDateString", 0, dateLocale("toLocaleDateString", dateParts, dateParts, plainLocaleDate))
	b.Method(p, "toLocaleString", 0, dateLocale("toLocaleString", anyParts, anyParts, plainLocaleBoth))
	b.Method(p, "toLocaleTimeString", 0, dateLocale("toLocaleTimeString", timeParts, timeParts, plainLocaleTime))
	b.Method(p, "toString", 0, zonedFormatter(date.ToString))
	b.Method(p, "toTimeString", 0, zonedFormatter(date.ToTimeString))
	utc := b.Method(p, "toUTCString", 0, dateToUTCString)
	b.Prop(p, "toGMTString", heap.ObjectValue(utc), heap.HiddenAttrs)
	b.Method(p, "valueOf", 0, dateGetTime)
	f := b.Func("[Symbol.toPrimitive]", 1, dateToPrimitive)
	b.Prop(p, "@@toPrimitive", heap.ObjectValue(f), heap.Configurable)
}

// newDate makes a Date with %Date.prototype%.
func newDate(m *vm.Machine, t float64) vm.Obj {
	o := m.H.NewObject(m.H.RootShape(m.Intrinsic(vm.DatePrototype)), heap.ClassDate)
	m.H.ObjW(o).Data = heap.CanonicalFloat(t)
	return o
}

// dateConstructor is Date(…values) (§21.4.2.1).
func dateConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if c.NewTarget == vm.Undefined {
		var buf [80]byte
		t := math.Floor(m.Now())
		zone, err := zoneNameAt(m, t)
		if err != nil {
			return vm.Undefined, err
		}
		return m.NewString(string(date.ToString(buf[:0], t, m.Location(), zone)))
	}
	var t float64
	switch len(c.Args) {
	case 0:
		t = math.Floor(m.Now())
	case 1:
		v := c.Args[0]
		if tv, ok := dateOf(m, v); ok {
			t = tv
			break
		}
		p, err := m.ToPrimitive(v, vm.HintDefault)
		if err != nil {
			return vm.Undefined, err
		}
		if p.IsString() {
			t, err = parseDate(m, p.AsStr())
		} else if t, err = m.ToFloat(p); err == nil {
			t = date.TimeClip(t)
		}
		if err != nil {
			return vm.Undefined, err
		}
	default:
		d, err := dateFromFields(m, c.Args)
		if err != nil {
			return vm.Undefined, err
		}
		t = date.TimeClip(date.UTC(d, m.Location()))
	}
	o, err := m.NewFrom(c.NewTarget, vm.DatePrototype, heap.ClassDate)
	if err != nil {
		return vm.Undefined, err
	}
	m.H.ObjW(o).Data = heap.CanonicalFloat(t)
	return heap.ObjectValue(o), nil
}

// dateFromFields makes a time of year, month, date, hours, minutes, seconds
// and milliseconds.
func dateFromFields(m *vm.Machine, args []vm.Value) (float64, error) {
	f := [7]float64{math.NaN(), 0, 1}
	for i := range min(len(args), 7) { //meter: at most seven
		x, err := m.ToFloat(args[i])
		if err != nil {
			return 0, err
		}
		f[i] = x
	}
	return date.MakeDate(date.MakeDay(date.MakeFullYear(f[0]), f[1], f[2]), date.MakeTime(f[3], f[4], f[5], f[6])), nil
}

func parseDate(m *vm.Machine, s vm.Str) (float64, error) {
	if err := m.Charge(m.H.Len(s)/4 + 8); err != nil {
		return 0, err
	}
	b, u, err := m.H.Units16(s)
	if err != nil {
		return 0, err
	}
	if u != nil {
		return date.Parse(u, m.Location()), nil
	}
	return date.Parse(b, m.Location()), nil
}

func dateNow(m *vm.Machine, _ vm.Call) (vm.Value, error) {
	return heap.Number(math.Floor(m.Now())), nil
}

// dateParse is Date.parse (§21.4.3.2).
func dateParse(m *vm.Machine, c vm.Call) (vm.Value, error) {
	s, err := m.ToString(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	t, err := parseDate(m, s)
	return heap.Number(t), err
}

// dateUTC is Date.UTC (§21.4.3.4).
func dateUTC(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := dateFromFields(m, c.Args)
	return heap.Number(date.TimeClip(t)), err
}

// dateOf returns the time value of a Date.
func dateOf(m *vm.Machine, v vm.Value) (float64, bool) {
	if v.IsObject() {
		if rec := m.H.Obj(v.AsObj()); rec.Class == heap.ClassDate {
			return rec.Data.AsFloat(), true
		}
	}
	return 0, false
}

// thisDate is ThisTimeValue.
func thisDate(m *vm.Machine, c *vm.Call) (float64, error) {
	if t, ok := dateOf(m, c.This); ok {
		return t, nil
	}
	return 0, m.TypeError("this is not a Date object.")
}

func setDate(m *vm.Machine, c *vm.Call, t float64) vm.Value {
	m.H.ObjW(c.This.AsObj()).Data = heap.CanonicalFloat(t)
	return heap.Number(t)
}

// dateGetter makes getDate and its like (§21.4.4.2 and following).
func dateGetter(get func(float64) float64, local bool) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisDate(m, &c)
		if err != nil || t != t {
			return heap.NaN, err
		}
		if local {
			t = date.LocalTime(t, m.Location())
		}
		return heap.Number(get(t)), nil
	}
}

func dateGetTime(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	return heap.Number(t), err
}

func dateTimezoneOffset(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	if err != nil || t != t {
		return heap.NaN, err
	}
	return heap.Number(date.TimezoneOffset(t, m.Location())), nil
}

// dateGetYear is Date.prototype.getYear (§B.2.3.1).
func dateGetYear(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	if err != nil || t != t {
		return heap.NaN, err
	}
	return heap.Number(date.YearFromTime(date.LocalTime(t, m.Location())) - 1900), nil
}

// dateSetter makes setDate and its like (§21.4.4.20 and following): count
// fields from the one with number first on.
func dateSetter(first, count int, local bool) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisDate(m, &c)
		if err != nil {
			return vm.Undefined, err
		}
		var args [4]float64
		n := min(max(len(c.Args), 1), count)
		for i := range n { //meter: at most four
			if args[i], err = m.ToFloat(c.Arg(i)); err != nil {
				return vm.Undefined, err
			}
		}
		switch {
		case t == t:
			if local {
				t = date.LocalTime(t, m.Location())
			}
		case first == 0:
			t = 0
		default:
			return heap.NaN, nil
		}
		f := [7]float64{
			date.YearFromTime(t), date.MonthFromTime(t), date.DateFromTime(t),
			date.HourFromTime(t), date.MinFromTime(t), date.SecFromTime(t), date.MsFromTime(t),
		}
		copy(f[first:], args[:n])
		day, time := date.Day(t), date.TimeWithinDay(t)
		if first < 3 {
			day = date.MakeDay(f[0], f[1], f[2])
		} else {
			time = date.MakeTime(f[3], f[4], f[5], f[6])
		}
		d := date.MakeDate(day, time)
		if local {
			d = date.UTC(d, m.Location())
		}
		return setDate(m, &c, date.TimeClip(d)), nil
	}
}

func dateSetTime(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if _, err := thisDate(m, &c); err != nil {
		return vm.Undefined, err
	}
	t, err := m.ToFloat(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	return setDate(m, &c, date.TimeClip(t)), nil
}

// dateSetYear is Date.prototype.setYear (§B.2.3.2).
func dateSetYear(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	y, err := m.ToFloat(c.Arg(0))
	if err != nil {
		return vm.Undefined, err
	}
	if y != y {
		return setDate(m, &c, y), nil
	}
	if t != t {
		t = 0
	} else {
		t = date.LocalTime(t, m.Location())
	}
	d := date.MakeDay(date.MakeFullYear(y), date.MonthFromTime(t), date.DateFromTime(t))
	return setDate(m, &c, date.TimeClip(date.UTC(date.MakeDate(d, date.TimeWithinDay(t)), m.Location()))), nil
}

// dateToISOString is Date.prototype.toISOString (§21.4.4.36).
func dateToISOString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	var buf [40]byte
	s, ok := date.ToISOString(buf[:0], t)
	if !ok {
		return vm.Undefined, m.RangeError("Invalid time value")
	}
	return latin1Value(m, s)
}

func dateToUTCString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	var buf [40]byte
	return latin1Value(m, date.ToUTCString(buf[:0], t))
}

// dateToJSON is Date.prototype.toJSON (§21.4.4.37).
func dateToJSON(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := m.ToObject(c.This)
	if err != nil {
		return vm.Undefined, err
	}
	v, err := m.ToPrimitive(heap.ObjectValue(o), vm.HintNumber)
	if err != nil {
		return vm.Undefined, err
	}
	if v.IsNumber() && !isFinite(v.AsFloat()) {
		return vm.Null, nil
	}
	k, err := m.H.KeyOfName("toISOString")
	if err != nil {
		return vm.Undefined, err
	}
	f, err := m.Get(o, k)
	if err != nil {
		return vm.Undefined, err
	}
	if !m.IsCallable(f) {
		return vm.Undefined, m.TypeError("toISOString is not a function")
	}
	return m.Call(f, heap.ObjectValue(o))
}

// dateToPrimitive is Date.prototype[@@toPrimitive] (§21.4.4.45).
func dateToPrimitive(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if !c.This.IsObject() {
		return vm.Undefined, m.TypeError("Method Date.prototype [ @@toPrimitive ] called on incompatible receiver %s", m.Describe(c.This))
	}
	hint := ""
	if c.Arg(0).IsString() && m.H.Len(c.Arg(0).AsStr()) < 16 {
		hint = m.H.GoString(c.Arg(0).AsStr())
	}
	first, second := m.N.ToString, m.N.ValueOf
	switch hint {
	case "string", "default":
	case "number":
		first, second = second, first
	default:
		return vm.Undefined, m.TypeError("Invalid hint: %s", plainText(m, c.Arg(0)))
	}
	for _, k := range [2]vm.Key{first, second} { //meter: two
		f, err := m.Get(c.This.AsObj(), k)
		if err != nil {
			return vm.Undefined, err
		}
		if m.IsCallable(f) {
			v, err := m.Call(f, c.This)
			if err != nil || !v.IsObject() {
				return v, err
			}
		}
	}
	return vm.Undefined, m.TypeError("Cannot convert object to primitive value")
}
