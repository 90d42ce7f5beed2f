package vm

import (
	"math"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/date"
)

const maxTime = date.MaxTime

// newDate is the guest's Date: an object of plain data in UTC.
func newDate(ms float64) value {
	ms = math.Trunc(ms) + 0
	iso, _ := date.ToISOString(nil, ms)
	o := newObject(9)
	o.tag, o.time = dateTag, ms
	for _, f := range []struct {
		k string
		v value
	}{
		{"value", text(string(iso))},
		{"timestamp", number(ms)},
		{"year", number(date.YearFromTime(ms))},
		{"month", number(date.MonthFromTime(ms) + 1)},
		{"day", number(date.DateFromTime(ms))},
		{"hours", number(date.HourFromTime(ms))},
		{"minutes", number(date.MinFromTime(ms))},
		{"seconds", number(date.SecFromTime(ms))},
		{"dayOfWeek", number(date.WeekDay(ms))},
	} {
		o.set(f.k, f.v)
	}
	return objectOf(o)
}

// dateTime reads what takes a date: a Date, ms, a text that parses, or an
// object with a numeric timestamp.
func dateTime(v value) (float64, bool) {
	ms := math.NaN()
	switch v.kind {
	case numberKind:
		ms = v.n
	case stringKind:
		ms = parseDate(v.str())
	case objectKind:
		o := v.object()
		if o.tag == dateTag {
			return o.time, true
		}
		if t, _ := o.get("timestamp"); t.kind == numberKind {
			ms = t.n
		}
	}
	if ms != ms || math.Abs(ms) > maxTime {
		return 0, false
	}
	return math.Trunc(ms) + 0, true
}

func parseDate(s *str) float64 {
	if s.len() > 256 {
		return math.NaN()
	}
	if s.wide == nil {
		return date.Parse([]byte(s.s), time.UTC)
	}
	return date.Parse(s.wide, time.UTC)
}

// needDate is dateTime with the messages of Date(…).
func (r *run) needDate(v value) (float64, bool) {
	ms, ok := dateTime(v)
	if ok {
		return ms, true
	}
	if v.kind == stringKind {
		return 0, r.failf(KindType, "", "Invalid date: '%s' does not parse", clip(v.str().text(), 200))
	}
	return 0, r.fail(KindType, "", "Invalid date: pass a Date, a number of ms, an ISO string, or a stored date")
}

func (r *run) nowMs() float64 { return float64(r.now().UnixMilli()) }

func globalDate(r *run, _ value, args []value) (value, bool) {
	if len(args) == 0 || args[0].kind == undefinedKind {
		return newDate(r.nowMs()), true
	}
	ms, ok := r.needDate(args[0])
	if !ok {
		return value{}, false
	}
	return newDate(ms), true
}

// unitMs are the lengths of units of time.
var unitMs = map[string]float64{"ms": 1, "seconds": 1000, "minutes": 60_000, "hours": 3_600_000, "days": 86_400_000}

func addToDate(r *run, this value, args []value) (value, bool) {
	ms := this.object().time
	am := args[0].object()
	amount := func(k string) float64 {
		v, _ := am.get(k)
		if v.kind != numberKind {
			return 0
		}
		return v.n
	}
	for i, k := range am.keys {
		switch k {
		case "years", "months", "days", "hours", "minutes", "seconds", "ms":
		default:
			return value{}, r.failf(KindType, "expr.add", "add() has no unit '%s' (units: years, months, days, hours, minutes, seconds, ms)", clip(am.keys[i], 100))
		}
	}
	if y, m := amount("years"), amount("months"); y != 0 || m != 0 {
		day := date.MakeDay(date.YearFromTime(ms)+math.Trunc(y), date.MonthFromTime(ms)+math.Trunc(m), date.DateFromTime(ms))
		ms = date.MakeDate(day, date.TimeWithinDay(ms))
	}
	for _, u := range []string{"days", "hours", "minutes", "seconds", "ms"} {
		ms += amount(u) * unitMs[u]
	}
	if ms != ms || math.Abs(ms) > maxTime {
		return value{}, r.fail(KindType, "expr.add", "Invalid date: the result is out of range")
	}
	return newDate(ms), true
}

func compareDates(after bool) bodyFunc {
	return func(r *run, this value, args []value) (value, bool) {
		ms, ok := r.needDate(args[0])
		if !ok {
			return value{}, false
		}
		if after {
			return boolean(this.object().time > ms), true
		}
		return boolean(this.object().time < ms), true
	}
}

func formatDate(r *run, this value, args []value) (value, bool) {
	iso, _ := this.object().get("value")
	s := iso.str().s
	f := "ISO"
	if len(args) > 0 && args[0].kind == stringKind {
		f = args[0].str().text()
	}
	ms := this.object().time
	at := strings.IndexByte(s, 'T')
	switch strings.ToLower(f) {
	case "iso":
		return iso, true
	case "date":
		return text(s[:at]), true
	case "time":
		return text(s[at+1 : at+9]), true
	}
	two := func(v float64) string {
		if v < 10 {
			return "0" + formatNumber(v)
		}
		return formatNumber(v)
	}
	year := formatNumber(date.YearFromTime(ms))
	for len(year) < 4 {
		year = "0" + year
	}
	for _, t := range []struct{ token, text string }{
		{"YYYY", year}, {"MM", two(date.MonthFromTime(ms) + 1)}, {"DD", two(date.DateFromTime(ms))},
		{"HH", two(date.HourFromTime(ms))}, {"mm", two(date.MinFromTime(ms))}, {"ss", two(date.SecFromTime(ms))},
	} {
		f = strings.Replace(f, t.token, t.text, 1)
	}
	return text(f), true
}

var dateMethods = methods(
	define("add(amounts)", fixed(4096), addToDate),
	define("diff(dateLike,str?)", free, func(r *run, this value, args []value) (value, bool) {
		ms, ok := r.needDate(args[0])
		if !ok {
			return value{}, false
		}
		unit := "ms"
		if len(args) > 1 && args[1].kind == stringKind {
			unit = args[1].str().text()
		}
		u, ok := unitMs[unit]
		if !ok {
			return value{}, r.failf(KindType, "expr.diff", "diff() has no unit '%s' (units: ms, seconds, minutes, hours, days)", clip(unit, 100))
		}
		return number((this.object().time - ms) / u), true
	}),
	define("isBefore(dateLike)", free, compareDates(false)),
	define("isAfter(dateLike)", free, compareDates(true)),
	define("format(str?)", func(_ *run, _ value, args []value) float64 {
		n := 0
		if len(args) > 0 && args[0].kind == stringKind {
			n = args[0].str().len()
		}
		return 2*float64(n) + 256
	}, formatDate),
	define("toString()", fixed(256), dateText),
	define("toJSON()", fixed(256), dateText),
)

func dateText(_ *run, this value, _ []value) (value, bool) {
	v, _ := this.object().get("value")
	return v, true
}
