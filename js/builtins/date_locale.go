package builtins

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Parts that a toLocale… method of Date shows when its options name none.
const (
	localeDate = 1 << iota
	localeTime
)

var (
	longDays   = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	longMonths = [...]string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	}
)

// dateStyle is what the options of Intl.DateTimeFormat ask for.
type dateStyle struct {
	weekday, year, month, day, hour, minute, second, zone string
	fraction                                              int
	cycle                                                 string // h11, h12, h23, h24
	dateStyle, timeStyle                                  string
	loc                                                   *time.Location
}

// dateFormatter makes toString and its like.
func dateFormatter(f func(dst []byte, t float64, loc *time.Location) []byte) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisDate(m, &c)
		if err != nil {
			return vm.Undefined, err
		}
		var buf [96]byte
		return m.NewString(string(f(buf[:0], t, m.Location())))
	}
}

// dateLocale makes toLocaleString (§21.4.4.39) and its like in en-US.
func dateLocale(parts int) vm.NativeFunc {
	plain := dateFormatter(date.ToLocaleString)
	switch parts {
	case localeDate:
		plain = dateFormatter(date.ToLocaleDateString)
	case localeTime:
		plain = dateFormatter(date.ToLocaleTimeString)
	}
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		if c.Arg(1) == vm.Undefined {
			return plain(m, c)
		}
		t, err := thisDate(m, &c)
		if err != nil {
			return vm.Undefined, err
		}
		st, err := readDateStyle(m, c.Arg(1), parts)
		if err != nil {
			return vm.Undefined, err
		}
		if t != t {
			return m.NewString("Invalid Date")
		}
		return m.NewString(st.format(t))
	}
}

// choice lists the values that an option may have.
type choice struct {
	name   string
	to     *string
	values string
}

func readDateStyle(m *vm.Machine, v vm.Value, parts int) (*dateStyle, error) {
	o, err := m.ToObject(v)
	if err != nil {
		return nil, err
	}
	st := &dateStyle{loc: m.Location()}
	get := func(name string) (vm.Value, error) {
		k, err := m.H.KeyOfName(name)
		if err != nil {
			return vm.Undefined, err
		}
		return m.Get(o, k)
	}
	h12, err := get("hour12")
	if err != nil {
		return nil, err
	}
	var zone string
	const text, digits, both = "long short narrow", "numeric 2-digit", "numeric 2-digit long short narrow"
	for _, e := range []choice{
		{"hourCycle", &st.cycle, "h11 h12 h23 h24"}, {"timeZone", &zone, ""}, {"weekday", &st.weekday, text},
		{"year", &st.year, digits}, {"month", &st.month, both}, {"day", &st.day, digits}, {"hour", &st.hour, digits},
		{"minute", &st.minute, digits}, {"second", &st.second, digits}, {"timeZoneName", &st.zone, "long short"},
		{"dateStyle", &st.dateStyle, "full long medium short"}, {"timeStyle", &st.timeStyle, "full long medium short"},
	} {
		v, err := get(e.name)
		if err != nil {
			return nil, err
		}
		if v == vm.Undefined {
			continue
		}
		s, err := optionText(m, v)
		if err != nil {
			return nil, err
		}
		if e.values != "" && !strings.Contains(" "+e.values+" ", " "+s+" ") {
			return nil, m.RangeError("Value %s out of range for Intl.DateTimeFormat options property %s", s, e.name)
		}
		*e.to = s
	}
	if zone != "" {
		switch {
		case strings.EqualFold(zone, "UTC"), strings.EqualFold(zone, "GMT"), strings.EqualFold(zone, "Etc/UTC"):
			st.loc = time.UTC
		case !strings.EqualFold(zone, st.loc.String()):
			return nil, m.RangeError("Invalid time zone specified: %s", zone)
		}
	}
	if v, err = get("fractionalSecondDigits"); err != nil {
		return nil, err
	}
	if v != vm.Undefined {
		f, err := m.ToFloat(v)
		if err != nil {
			return nil, err
		}
		if !(f >= 1 && f <= 3) {
			return nil, m.RangeError("fractionalSecondDigits value is out of range.")
		}
		st.fraction = int(f)
	}
	if h12 != vm.Undefined {
		st.cycle = "h24"
		if m.ToBoolean(h12) {
			st.cycle = "h12"
		}
	}
	return st, st.complete(m, parts)
}

// complete applies the styles and the defaults.
func (st *dateStyle) complete(m *vm.Machine, parts int) error {
	if st.dateStyle != "" || st.timeStyle != "" {
		switch {
		case st.dateStyle != "" && parts == localeTime:
			return m.TypeError("Invalid option : dateStyle")
		case st.timeStyle != "" && parts == localeDate:
			return m.TypeError("Invalid option : timeStyle")
		}
		switch st.dateStyle {
		case "full":
			st.weekday, st.year, st.month, st.day = "long", "numeric", "long", "numeric"
		case "long":
			st.year, st.month, st.day = "numeric", "long", "numeric"
		case "medium":
			st.year, st.month, st.day = "numeric", "short", "numeric"
		case "short":
			st.year, st.month, st.day = "2-digit", "numeric", "numeric"
		}
		if st.timeStyle != "" {
			st.hour, st.minute, st.second = "numeric", "2-digit", "2-digit"
			switch st.timeStyle {
			case "full":
				st.zone = "long"
			case "long":
				st.zone = "short"
			case "short":
				st.second = ""
			}
		}
		return nil
	}
	hasDate := st.weekday != "" || st.year != "" || st.month != "" || st.day != ""
	hasTime := st.hour != "" || st.minute != "" || st.second != "" || st.fraction != 0
	needs := parts&localeDate != 0 && !hasDate || parts&localeTime != 0 && !hasTime
	if parts == localeDate|localeTime {
		needs = !hasDate && !hasTime
	}
	if needs && parts&localeDate != 0 {
		st.year, st.month, st.day = "numeric", "numeric", "numeric"
	}
	if needs && parts&localeTime != 0 {
		st.hour, st.minute, st.second = "numeric", "numeric", "numeric"
	}
	return nil
}

func pad2(style string, n int) string {
	if style == "2-digit" {
		return fmt.Sprintf("%02d", n%100)
	}
	return strconv.Itoa(n)
}

func named(style, long string) string {
	switch style {
	case "short":
		return long[:3]
	case "narrow":
		return long[:1]
	}
	return long
}

func (st *dateStyle) format(t float64) string {
	f := date.Split(date.LocalTime(t, st.loc))
	d, c := st.formatDate(&f), st.formatTime(&f, t)
	switch {
	case d == "":
		return c
	case c == "":
		return d
	case st.month == "long":
		return d + " at " + c
	case st.weekday != "" && st.year+st.month+st.day == "":
		return d + " " + c
	}
	return d + ", " + c
}

func (st *dateStyle) formatDate(f *date.Fields) string {
	y := f.Year
	if y <= 0 {
		y = 1 - y
	}
	year, day, weekday := "", "", ""
	if st.year != "" {
		year = pad2(st.year, y)
	}
	if st.day != "" {
		day = pad2(st.day, f.Day)
	}
	if st.weekday != "" {
		weekday = named(st.weekday, longDays[f.Weekday])
	}
	var s string
	switch st.month {
	case "", "numeric", "2-digit":
		var parts []string
		if st.month != "" {
			parts = append(parts, pad2(st.month, f.Month+1))
		}
		for _, p := range []string{day, year} { //meter: two
			if p != "" {
				parts = append(parts, p)
			}
		}
		s = strings.Join(parts, "/")
		if st.month == "" && weekday != "" && s != "" {
			return s + " " + weekday
		}
	default:
		s = named(st.month, longMonths[f.Month])
		if day != "" {
			s += " " + day
			if year != "" {
				s += ","
			}
		}
		if year != "" {
			s += " " + year
		}
	}
	switch {
	case weekday == "":
		return s
	case s == "":
		return weekday
	}
	return weekday + ", " + s
}

func (st *dateStyle) formatTime(f *date.Fields, t float64) string {
	var s string
	suffix := ""
	if st.hour != "" {
		h := f.Hour
		style := st.hour
		switch st.cycle {
		case "h23":
			style = "2-digit"
		case "h24":
			style = "2-digit"
			if h == 0 {
				h = 24
			}
		default:
			suffix = " AM"
			if h >= 12 {
				suffix = " PM"
			}
			h %= 12
			if h == 0 && st.cycle != "h11" {
				h = 12
			}
		}
		s = pad2(style, h)
	}
	if st.minute != "" {
		switch {
		case s != "":
			s += ":" + pad2("2-digit", f.Minute)
		case st.second != "":
			s = pad2("2-digit", f.Minute)
		default:
			s = strconv.Itoa(f.Minute)
		}
	}
	if st.second != "" {
		if s != "" {
			s += ":" + pad2("2-digit", f.Second)
		} else {
			s = strconv.Itoa(f.Second)
		}
	}
	if st.fraction > 0 {
		ms := fmt.Sprintf("%03d", f.Millisecond)[:st.fraction]
		if s != "" {
			ms = "." + ms
		}
		s += ms
	}
	s += suffix
	if st.zone != "" {
		if s != "" {
			s += " "
		}
		s += st.zoneName(t)
	}
	return s
}

func (st *dateStyle) zoneName(t float64) string {
	if st.loc == time.UTC {
		if st.zone == "long" {
			return "Coordinated Universal Time"
		}
		return "UTC"
	}
	name, _ := time.UnixMilli(int64(t)).In(st.loc).Zone()
	return name
}
