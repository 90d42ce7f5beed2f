package datetime

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pinfold-js/pinfold/js/date"
)

// Options say what a Formatter shows: either styles or fields, by the names and
// values of Intl.DateTimeFormat's options, "" for what is not asked for.
type Options struct {
	Locale    string // a data locale
	Calendar  string // gregory or iso8601
	Numbering string // a numbering system of decimal digits; "" is latn
	Zone      *Zone

	HourCycle   string // h11, h12, h23 or h24, resolved; "" takes the locale's
	LocaleHours string // the hour cycle that the locale's own extension asks for

	DateStyle, TimeStyle string // full, long, medium, short

	Weekday, Era, Year, Month, Day, DayPeriod, Hour, Minute, Second, TimeZoneName string

	FractionalSecondDigits int
}

// Part is a piece of formatted text. Source is set in parts of ranges.
type Part struct{ Type, Value, Source string }

// item is a field of a pattern, or text if the letter is 0.
type item struct {
	letter byte
	n      int
	text   string
}

// Formatter formats times. It is safe for concurrent use.
type Formatter struct {
	opt     Options
	data    *localeData
	gen     *generator
	digits  []string
	names   zoneNamer
	pattern string
	items   []item
	cycle   string // of the hours shown; "" if none are asked for
	ranges  func() *interval
	ranged  atomic.Bool
}

// HasRanges reports whether a range has been formatted before; the first one
// takes much longer.
func (f *Formatter) HasRanges() bool { return f.ranged.Load() }

// HourCycle returns the hour cycle that a locale prefers.
func HourCycle(locale string) string { return cycleOf(dataOf(locale).hours) }

// ResolveHourCycle returns the hour cycle of a locale, given what the options
// hour12 ("true", "false" or "") and hourCycle and the locale's extension say.
func ResolveHourCycle(locale, hour12, hourCycle, extension string) string {
	def := HourCycle(locale)
	if extension != "" {
		def = extension
	}
	even := def == "h11" || def == "h23"
	switch {
	case hour12 == "true" && even:
		return "h11"
	case hour12 == "true":
		return "h12"
	case hour12 == "false" && even:
		return "h23"
	case hour12 == "false":
		return "h24"
	case hourCycle != "":
		return hourCycle
	}
	return def
}

func cycleOf(letter byte) string {
	switch letter {
	case 'K':
		return "h11"
	case 'h':
		return "h12"
	case 'k':
		return "h24"
	}
	return "h23"
}

func hourLetter(cycle string) byte {
	switch cycle {
	case "h11":
		return 'K'
	case "h12":
		return 'h'
	case "h24":
		return 'k'
	}
	return 'H'
}

// New returns the formatter that options ask for.
func New(opt Options) *Formatter {
	f := &Formatter{opt: opt, data: dataOf(opt.Locale)}
	if opt.Calendar == "iso8601" {
		f.data = f.data.iso()
	}
	f.gen = f.data.generator()
	if opt.Zone == nil {
		f.opt.Zone = UTC()
	}
	if opt.Numbering != "latn" {
		f.digits = common().digits[opt.Numbering]
	}
	f.names = zoneNamer{data: f.data, zone: f.opt.Zone, digits: f.digits}
	hours := f.data.hours
	if opt.LocaleHours != "" {
		hours = hourLetter(opt.LocaleHours)
	}
	cycle := opt.HourCycle
	if cycle == "" {
		cycle = cycleOf(hours)
	}
	switch {
	case opt.DateStyle != "" || opt.TimeStyle != "":
		f.pattern = f.styled(cycle, hours)
	default:
		if opt.Hour != "" {
			f.cycle = cycle
		}
		f.pattern = withCycle(f.best(f.skeleton(cycle), hours, true), f.cycle)
	}
	f.items = parse(f.pattern)
	f.ranges = sync.OnceValue(func() *interval {
		if f.cycle != "" {
			hours = hourLetter(f.cycle)
		}
		f.ranged.Store(true)
		return newInterval(f, hours)
	})
	return f
}

func styleOf(name string) int {
	switch name {
	case "full":
		return styleFull
	case "long":
		return styleLong
	case "medium":
		return styleMedium
	}
	return styleShort
}

// styled is DateTimeStyleFormat (ECMA-402 §11.5.3): the pattern of the styles, or
// where that has other hours than it should the one for its fields.
func (f *Formatter) styled(cycle string, hours byte) string {
	var d, t string
	if f.opt.DateStyle != "" {
		d = f.data.date[styleOf(f.opt.DateStyle)]
		if f.opt.TimeStyle == "" {
			return d
		}
	}
	f.cycle = cycle
	t = f.data.time[styleOf(f.opt.TimeStyle)]
	if f.opt.LocaleHours != "" {
		// A locale that asks for other hours has other patterns of time.
		t = f.best(string(hours)+[numStyles]string{"mmsszzzz", "mmssz", "mmss", "mm"}[styleOf(f.opt.TimeStyle)], hours, false)
	}
	p := t
	if d != "" {
		p = join(f.data.atTime[styleOf(f.opt.DateStyle)], t, d)
	}
	if patternCycle(p) == cycle {
		return p
	}
	skel := withHours(skeletonOf(p).text(), hourLetter(cycle))
	return withCycle(f.best(skel, hours, true), cycle)
}

// patternCycle returns the hour cycle that a pattern shows.
func patternCycle(pattern string) string {
	cycle := ""
	tokens(pattern, func(text string, isField bool) {
		if isField && cycle == "" && strings.Contains("hHkK", text[:1]) {
			cycle = cycleOf(text[0])
		}
	})
	return cycle
}

// withCycle puts the hours of a cycle into a pattern.
func withCycle(pattern, cycle string) string {
	if cycle == "" {
		return pattern
	}
	var b strings.Builder
	last := ""
	tokens(pattern, func(text string, isField bool) {
		if isField && strings.Contains("hHkK", text[:1]) {
			if last == "d" {
				b.WriteByte(' ')
			}
			text = strings.Repeat(string(hourLetter(cycle)), len(text))
		}
		last = ""
		if isField {
			last = text[:1]
		}
		b.WriteString(text)
	})
	return b.String()
}

// withHours puts another hour letter into a skeleton and takes its day periods
// out.
func withHours(skel string, letter byte) string {
	var b []byte
	for i := range len(skel) { //meter: a bounded skeleton
		switch skel[i] {
		case 'a', 'b', 'B':
		case 'h', 'H', 'k', 'K':
			b = append(b, letter)
		default:
			b = append(b, skel[i])
		}
	}
	return string(b)
}

// skeleton writes the fields that the options ask for.
func (f *Formatter) skeleton(cycle string) string {
	o := &f.opt
	var b []byte
	add := func(letter byte, n int) {
		for range n { //meter: at most five
			b = append(b, letter)
		}
	}
	text := func(letter byte, value string, short int) {
		switch value {
		case "narrow":
			add(letter, 5)
		case "long":
			add(letter, 4)
		case "short":
			add(letter, short)
		case "2-digit":
			add(letter, 2)
		case "numeric":
			add(letter, 1)
		}
	}
	text('E', o.Weekday, 3)
	text('G', o.Era, 3)
	text('y', o.Year, 0)
	text('M', o.Month, 3)
	text('d', o.Day, 0)
	text('B', o.DayPeriod, 1)
	text(hourLetter(cycle), o.Hour, 0)
	text('m', o.Minute, 0)
	text('s', o.Second, 0)
	add('S', o.FractionalSecondDigits)
	switch o.TimeZoneName {
	case "long":
		add('z', 4)
	case "short":
		add('z', 1)
	case "longOffset":
		add('O', 4)
	case "shortOffset":
		add('O', 1)
	case "longGeneric":
		add('v', 4)
	case "shortGeneric":
		add('v', 1)
	}
	return string(b)
}

// parse takes a pattern apart.
func parse(pattern string) []item {
	var out []item
	text := func(s string) {
		if n := len(out); n > 0 && out[n-1].letter == 0 {
			out[n-1].text += s
		} else if s != "" {
			out = append(out, item{text: s})
		}
	}
	tokens(pattern, func(s string, isField bool) {
		if isField {
			out = append(out, item{letter: s[0], n: len(s)})
		} else {
			text(unquote(s))
		}
	})
	return out
}

// unquote takes the quotes out of text: ” stands for an apostrophe.
func unquote(s string) string {
	if !strings.Contains(s, "'") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ { //meter: a pattern
		if s[i] == '\'' {
			if i+1 < len(s) && s[i+1] == '\'' {
				i++
			} else {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// moment is a time in a formatter's zone.
type moment struct {
	t float64
	date.Fields
}

func (f *Formatter) at(t float64) moment {
	return moment{t, date.Split(date.LocalTime(t, f.opt.Zone.loc))}
}

// write hands the text of each item to out: type and value, the type "" for
// text between fields.
func (f *Formatter) write(items []item, m *moment, out func(letter byte, value string)) {
	for i := range items { //meter: a bounded pattern
		it := &items[i]
		if it.letter == 0 {
			out(0, it.text)
		} else {
			out(it.letter, f.field(it.letter, it.n, m, items))
		}
	}
}

func widthOf(n int) width {
	switch n {
	case 4:
		return wide
	case 5:
		return narrow
	}
	return abbreviated
}

func (f *Formatter) field(letter byte, n int, m *moment, items []item) string {
	d := f.data
	num := func(v, min int) string { return digitsOf(f.digits, v, min) }
	switch letter {
	case 'G':
		era := 1
		if m.Year <= 0 {
			era = 0
		}
		return d.eras[widthOf(n)][era]
	case 'y':
		y := m.Year
		if y <= 0 {
			y = 1 - y
		}
		if n == 2 {
			return num(y%100, 2)
		}
		return num(y, n)
	case 'M', 'L':
		if n < 3 {
			return num(m.Month+1, n)
		}
		if letter == 'L' {
			return d.standMonths[widthOf(n)][m.Month]
		}
		return d.months[widthOf(n)][m.Month]
	case 'd':
		return num(m.Day, n)
	case 'E':
		return d.days[widthOf(n)][m.Weekday]
	case 'c', 'e':
		if letter == 'e' {
			return d.days[widthOf(n)][m.Weekday]
		}
		return d.standDays[widthOf(n)][m.Weekday]
	case 'H':
		return num(m.Hour, n)
	case 'k':
		return num((m.Hour+23)%24+1, n)
	case 'K':
		return num(m.Hour%12, n)
	case 'h':
		return num((m.Hour+11)%12+1, n)
	case 'm':
		return num(m.Minute, n)
	case 's':
		return num(m.Second, n)
	case 'S':
		v, k := m.Millisecond, 3
		for ; k > n; k-- { //meter: at most twice
			v /= 10
		}
		return num(v, n)
	case 'a':
		return d.periods[widthOf(n)][halfDay(m)]
	case 'b', 'B':
		return f.period(letter, widthOf(n), m, items)
	case 'z', 'v', 'O':
		return f.names.name(m.t, letter, n)
	}
	return ""
}

func halfDay(m *moment) string {
	if m.Hour < 12 {
		return "am"
	}
	return "pm"
}

// period is a flexible day period (B), or noon and midnight among the halves of
// the day (b). Noon is an instant: what the pattern does not show counts as 0.
func (f *Formatter) period(letter byte, w width, m *moment, items []item) string {
	names := f.data.periods[w]
	exact := true
	for i := range items { //meter: a bounded pattern
		if items[i].letter == 'm' && m.Minute != 0 || items[i].letter == 's' && m.Second != 0 {
			exact = false
		}
	}
	if letter == 'b' {
		s := ""
		if exact && m.Hour == 12 {
			s = names["noon"]
		}
		if exact && m.Hour == 0 && f.has("midnight") {
			s = names["midnight"]
		}
		if s == "" {
			s = names[halfDay(m)]
		}
		return s
	}
	if exact && m.Hour == 12 && f.has("noon") {
		if s := names["noon"]; s != "" {
			return s
		}
	}
	for _, r := range f.data.rules { //meter: fixed data
		in := m.Hour >= r.from && m.Hour < r.to
		if r.to != 0 && r.from > r.to {
			in = m.Hour >= r.from || m.Hour < r.to
		}
		if r.to != 0 && in {
			if s := names[r.name]; s != "" {
				return s
			}
		}
	}
	return names[halfDay(m)]
}

func (f *Formatter) has(rule string) bool {
	for _, r := range f.data.rules { //meter: fixed data
		if r.name == rule {
			return true
		}
	}
	return false
}

// Format formats a time value, which must be finite. Like V8 it writes a space
// for the narrow no-break space that CLDR has before AM and PM, which Parts
// keeps.
func (f *Formatter) Format(t float64) string {
	m := f.at(t)
	var b strings.Builder
	f.write(f.items, &m, func(_ byte, value string) { b.WriteString(value) })
	return strings.ReplaceAll(b.String(), "\u202f", " ")
}

// Parts formats a time value, which must be finite, to parts.
func (f *Formatter) Parts(t float64) []Part {
	m := f.at(t)
	var out []Part
	f.write(f.items, &m, func(letter byte, value string) {
		if value != "" {
			out = append(out, Part{Type: partType(letter), Value: value})
		}
	})
	return out
}

func partType(letter byte) string {
	switch letter {
	case 'G':
		return "era"
	case 'y':
		return "year"
	case 'M', 'L':
		return "month"
	case 'd':
		return "day"
	case 'E', 'c', 'e':
		return "weekday"
	case 'a', 'b', 'B':
		return "dayPeriod"
	case 'h', 'H', 'k', 'K':
		return "hour"
	case 'm':
		return "minute"
	case 's':
		return "second"
	case 'S':
		return "fractionalSecond"
	case 'z', 'v', 'O':
		return "timeZoneName"
	}
	return "literal"
}

// Resolved is what a formatter shows, in the terms of Options.
type Resolved struct {
	HourCycle string
	Fields    []Field // in the order of resolvedOptions
}

// Field is an option of Intl.DateTimeFormat with its value.
type Field struct{ Name, Value string }

// Resolved reads the options off the pattern. Styles have no fields.
func (f *Formatter) Resolved() Resolved {
	r := Resolved{HourCycle: f.cycle}
	if f.opt.DateStyle != "" || f.opt.TimeStyle != "" {
		return r
	}
	for _, name := range [...]string{
		"weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second", "fractionalSecond", "timeZoneName",
	} {
		for i := range f.items { //meter: a bounded pattern
			it := &f.items[i]
			if it.letter != 0 && it.letter != 'a' && partType(it.letter) == name {
				r.Fields = append(r.Fields, resolvedField(name, it))
				break
			}
		}
	}
	return r
}

func resolvedField(name string, it *item) Field {
	switch name {
	case "fractionalSecond":
		return Field{"fractionalSecondDigits", string(rune('0' + min(it.n, 3)))}
	case "timeZoneName":
		v := map[byte][2]string{'z': {"short", "long"}, 'O': {"shortOffset", "longOffset"}, 'v': {"shortGeneric", "longGeneric"}}[it.letter]
		if it.n >= 4 {
			return Field{name, v[1]}
		}
		return Field{name, v[0]}
	case "weekday", "era", "dayPeriod":
		return Field{name, [...]string{"long", "short", "narrow"}[widthOf(it.n)]}
	case "month":
		if it.n >= 3 {
			return Field{name, [...]string{"long", "short", "narrow"}[widthOf(it.n)]}
		}
	}
	if it.n == 2 {
		return Field{name, "2-digit"}
	}
	return Field{name, "numeric"}
}

// Zone returns the zone of the times that the formatter shows.
func (f *Formatter) Zone() *Zone { return f.opt.Zone }

// Pattern returns the pattern in the notation of UTS #35.
func (f *Formatter) Pattern() string { return f.pattern }
