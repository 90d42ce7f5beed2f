package datetime

import "strings"

// halves is a range pattern: what the first time is written with and what the
// second. For a fallback first is nil and second the pattern of both.
type halves struct{ first, second []item }

// The differing fields that a range pattern can be for.
const (
	differsEra = iota
	differsYear
	differsMonth
	differsDay
	differsHalf
	differsHour
	differsMinute
	differsSecond
	differsMillisecond
	numDiffers
)

// differLetter names them in the data.
const differLetter = "GyMdahm"

// interval formats ranges (UTS #35 part 4, intervalFormats).
type interval struct {
	f        *Formatter
	hours    byte
	skel     string
	single   []item
	patterns [numDiffers]struct {
		set    bool
		first  string
		second string
	}
	date, time string // patterns for a range within a day
	both       bool
	compiled   [numDiffers]halves
	dateItems  []item
	timeItems  []item
}

func (v *interval) best(skel string) string { return v.f.best(skel, v.hours, false) }

func newInterval(f *Formatter, hours byte) *interval {
	v := &interval{f: f, hours: hours, skel: skeletonOf(f.pattern).text()}
	v.single = parse(v.best(v.skel))
	v.prepare()
	for i := range v.patterns {
		if p := &v.patterns[i]; p.set {
			v.compiled[i].second = parse(p.second)
			if p.first != "" {
				v.compiled[i].first = parse(p.first)
			}
		}
	}
	v.dateItems, v.timeItems = parse(v.date), parse(v.time)
	return v
}

// prepare finds the range patterns of a skeleton. The data has them for dates
// and for times; a range of both takes the pattern of its time behind the date
// if the date is the same, else twice the whole.
func (v *interval) prepare() {
	dateSkel, normalDate, timeSkel, normalTime := splitSkeleton(v.normalHours())
	v.both = dateSkel != "" && timeSkel != ""
	found := v.separate(normalDate, normalTime)
	switch {
	case timeSkel == "":
	case dateSkel == "":
		for _, i := range [...]int{differsDay, differsMonth, differsYear} {
			v.whole(i, "yMd"+timeSkel)
		}
		v.whole(differsEra, "GyMd"+timeSkel)
	case found:
		skel := v.skel
		for _, e := range [...]struct {
			letter string
			differ int
		}{{"d", differsDay}, {"M", differsMonth}, {"y", differsYear}, {"G", differsEra}} {
			if !strings.Contains(dateSkel, e.letter) {
				skel = e.letter + skel
				v.whole(e.differ, skel)
			}
		}
		d := v.best(dateSkel)
		for _, i := range [...]int{differsHalf, differsHour, differsMinute} {
			if p := v.patterns[i]; p.set && p.first != "" {
				v.split(i, join(v.f.data.glue[styleMedium], p.first+p.second, d))
			}
		}
	}
}

// whole sets a pattern that both times are written with.
func (v *interval) whole(i int, skel string) {
	v.patterns[i].set, v.patterns[i].first, v.patterns[i].second = true, "", v.best(skel)
}

// normalHours replaces hours and day period by those of the locale's hour cycle.
func (v *interval) normalHours() string {
	var hour, period byte
	hourAt, hourLen, periodLen := 0, 0, 0
	for i := range len(v.skel) { //meter: a skeleton of some twenty letters
		switch c := v.skel[i]; c {
		case 'h', 'H', 'k', 'K':
			if hour == 0 {
				hour, hourAt = c, i
			}
			hourLen++
		case 'a', 'b', 'B':
			if period == 0 {
				period = c
			}
			periodLen++
		}
	}
	if hour == 0 {
		return v.skel
	}
	letter := byte('H')
	tokens(v.best(string(hour)), func(text string, isField bool) {
		switch {
		case !isField:
		case strings.Contains("hKk", text[:1]):
			letter = text[0]
		case strings.Contains("bB", text[:1]):
			period = text[0]
		}
	})
	if period == 0 {
		period = 'a'
	}
	put := string(letter)
	if letter != 'H' && letter != 'k' {
		n := 1
		switch {
		case periodLen >= 5 || hourLen >= 5:
			n = 5
		case periodLen >= 3 || hourLen >= 3:
			n = 3
		}
		put += strings.Repeat(string(period), n) //meter: at most five
	}
	strip := func(s string) string { return strings.NewReplacer("a", "", "b", "", "B", "").Replace(s) }
	return strip(v.skel[:hourAt]) + put + strip(v.skel[hourAt+hourLen:])
}

// splitSkeleton parts a skeleton into date and time, and both with their fields
// in the order and lengths that range patterns are filed under.
func splitSkeleton(skel string) (d, normalDate, t, normalTime string) {
	count := [128]int{}
	hour := ""
	for i := range len(skel) { //meter: a skeleton of some twenty letters
		c := skel[i]
		switch c {
		case 'E', 'd', 'M', 'y':
			d += string(c)
			count[c]++
		case 'G', 'L', 'c', 'e':
			d += string(c)
			normalDate += string(c)
		case 'h', 'H', 'k', 'K':
			t += string(c)
			if hour == "" {
				hour = string(c)
			}
		case 'm', 'z', 'v':
			t += string(c)
			count[c]++
		case 'a', 'b', 'B', 's', 'S':
			t += string(c)
			normalTime += string(c)
		}
	}
	normalDate += strings.Repeat("y", count['y']) //meter: the letters of a skeleton
	switch n := count['M']; {
	case n >= 3:
		normalDate += strings.Repeat("M", min(n, 5))
	case n > 0:
		normalDate += "M"
	}
	switch n := count['E']; {
	case n > 3:
		normalDate += strings.Repeat("E", min(n, 5))
	case n > 0:
		normalDate += "E"
	}
	if count['d'] > 0 {
		normalDate += "d"
	}
	normalTime += hour
	for _, c := range "mzv" {
		if count[c] > 0 {
			normalTime += string(c)
		}
	}
	return d, normalDate, t, normalTime
}

// How a skeleton of the data differs from the wanted one.
const (
	sameFields  = iota // not at all
	otherWidth         // in the length of fields
	otherLetter        // in letters that are put right
	otherFields        // it has other fields
)

// nearest finds the skeleton of the data that is nearest.
func (v *interval) nearest(skel string) (best string, difference int) {
	const differentField, numberForText = 0x1000, 0x100
	replaced := strings.ContainsAny(skel, "zKkab")
	if replaced {
		skel = strings.NewReplacer("z", "v", "K", "h", "k", "H", "a", "", "b", "").Replace(skel)
	}
	want := letterCounts(skel)
	distance := 1 << 30
	for _, s := range v.f.data.intervalOrder { //meter: fixed data
		has := letterCounts(s)
		d, diff := 0, otherWidth
		for c := range want {
			a, b := want[c], has[c]
			switch {
			case a == b:
			case a == 0 || b == 0:
				diff = otherFields
				d += differentField
			case c == 'M' && (a <= 2) != (b <= 2):
				d += numberForText
			default:
				d += max(a-b, b-a)
			}
		}
		if d < distance {
			best, distance, difference = s, d, diff
		}
		if d == 0 {
			difference = sameFields
			break
		}
	}
	if replaced && difference != otherFields {
		difference = otherLetter
	}
	return best, difference
}

func letterCounts(s string) (n [128]int) {
	for i := range len(s) { //meter: a skeleton of some twenty letters
		if s[i] < 128 {
			n[s[i]]++
		}
	}
	return n
}

// separate sets the range patterns of a date or of a time.
func (v *interval) separate(d, t string) bool {
	skel := d
	if t != "" {
		skel = t
	}
	best, difference := v.nearest(skel)
	if best == "" {
		return false
	}
	if d != "" {
		v.date = v.best(d)
	}
	if t != "" {
		v.time = v.best(t)
	}
	if difference == otherFields {
		return false
	}
	if t != "" {
		for _, i := range [...]int{differsMinute, differsHour, differsHalf} {
			v.fromData(i, skel, best, difference)
		}
		return true
	}
	v.fromData(differsDay, skel, best, difference)
	if s, b, ok := v.fromData(differsMonth, skel, best, difference); ok {
		skel, best = s, b
	}
	v.fromData(differsYear, skel, best, difference)
	v.fromData(differsEra, skel, best, difference)
	return true
}

// lookup returns the data's pattern for a skeleton and a differing field.
func (v *interval) lookup(skel string, differ int) string {
	m := v.f.data.intervals[skel]
	switch c := differLetter[differ]; c {
	case 'h':
		if p := m['h']; p != "" {
			return p
		}
		return m['H']
	case 'a':
		if p := m['a']; p != "" {
			return p
		}
		return m['B']
	default:
		return m[c]
	}
}

// fromData sets the range pattern for a differing field. A date skeleton that
// has none may get it from the one that has that field too, which is returned
// for what comes after.
func (v *interval) fromData(differ int, skel, best string, difference int) (extSkel, extBest string, extended bool) {
	p := v.lookup(best, differ)
	if p == "" {
		if ignores(best, differ) {
			return "", "", false
		}
		if differ == differsHalf {
			if p = v.lookup(best, differsHour); p != "" {
				v.split(differ, widen(p, skel, best, difference))
			}
			return "", "", false
		}
		if differ < differsHalf {
			letter := differLetter[differ : differ+1]
			extSkel, extBest = letter+skel, letter+best
			p = v.lookup(extBest, differ)
			if p == "" && difference == sameFields {
				var near string
				near, difference = v.nearest(extBest)
				if near != "" && difference != otherFields {
					p = v.lookup(near, differ)
					best = near
				}
			}
		}
	}
	if p == "" {
		return "", "", false
	}
	if difference != sameFields {
		p = widen(p, skel, best, difference)
	}
	v.split(differ, p)
	return extSkel, extBest, extSkel != ""
}

// level orders pattern letters by what they are finer than.
func level(c byte) int {
	switch c {
	case 'y', 'u', 'Y':
		return differsYear
	case 'M', 'L', 'Q', 'q', 'w':
		return differsMonth
	case 'd', 'E', 'c', 'e', 'D':
		return differsDay
	case 'a':
		return differsHalf
	case 'h', 'H', 'k', 'K':
		return differsHour
	case 'm':
		return differsMinute
	case 's':
		return differsSecond
	case 'S':
		return differsMillisecond
	}
	return differsEra // also for B, which nothing is as fine as
}

// ignores reports whether a pattern shows nothing as fine as a field.
func ignores(pattern string, differ int) bool {
	out := true
	tokens(pattern, func(text string, isField bool) {
		if isField && level(text[0]) >= differ {
			out = false
		}
	})
	return out
}

func ignoresItems(items []item, differ int) bool {
	for i := range items { //meter: a bounded pattern
		if items[i].letter != 0 && level(items[i].letter) >= differ {
			return false
		}
	}
	return true
}

// widen gives the fields of a range pattern the lengths of the wanted skeleton.
func widen(pattern, skel, best string, difference int) string {
	want, has := letterCounts(skel), letterCounts(best)
	var b strings.Builder
	tokens(pattern, func(text string, isField bool) {
		if !isField {
			b.WriteString(text)
			return
		}
		c := text[0]
		if difference == otherLetter {
			switch {
			case c == 'v' && want['z'] > 0:
				c = 'z'
			case c == 'h' && want['K'] > 0:
				c = 'K'
			case c == 'H' && want['k'] > 0:
				c = 'k'
			case c == 'a' && want['b'] > 0:
				c = 'b'
			}
		}
		key := c
		if c == 'L' {
			key = 'M'
		}
		n, base := len(text), has[key]
		if base == 0 && (c == 'a' || c == 'b') {
			base = 1
		}
		if base == n && want[key] > n {
			n = want[key]
		}
		b.WriteString(strings.Repeat(string(c), n)) //meter: the letters of a field: at most five
	})
	return b.String()
}

// split sets a range pattern, parted where the first field comes again.
func (v *interval) split(differ int, pattern string) {
	seen := [128]bool{}
	at, i := -1, 0
	tokens(pattern, func(text string, isField bool) {
		if isField && at < 0 {
			if seen[text[0]] {
				at = i
			}
			seen[text[0]] = true
		}
		i += len(text)
	})
	if at < 0 {
		at = len(pattern)
	}
	p := &v.patterns[differ]
	p.set, p.first, p.second = true, pattern[:at], pattern[at:]
}

// differing returns the greatest field in which two times differ.
func differing(a, b *moment) int {
	switch {
	case (a.Year <= 0) != (b.Year <= 0):
		return differsEra
	case a.Year != b.Year:
		return differsYear
	case a.Month != b.Month:
		return differsMonth
	case a.Day != b.Day:
		return differsDay
	case a.Hour/12 != b.Hour/12:
		return differsHalf
	case a.Hour != b.Hour:
		return differsHour
	case a.Minute != b.Minute:
		return differsMinute
	case a.Second != b.Second:
		return differsSecond
	case a.Millisecond != b.Millisecond:
		return differsMillisecond
	}
	return numDiffers
}

// piece is a part of a formatted range.
type piece struct {
	letter     byte
	value      string
	start, end int
}

// pieces formats a range; ok is false if it comes out as one date.
func (v *interval) pieces(a, b *moment) (out []piece, ok bool) {
	f := v.f
	at := 0
	text := func(letter byte, value string) {
		out = append(out, piece{letter, value, at, at + len(value)})
		at += len(value)
	}
	twice := func(items []item) {
		lead, rest, _ := strings.Cut(f.data.fallback, "{0}")
		between, tail, _ := strings.Cut(rest, "{1}")
		text(0, lead)
		f.write(items, a, text)
		text(0, between)
		f.write(items, b, text)
		text(0, tail)
	}
	d := differing(a, b)
	if d == numDiffers {
		return nil, false
	}
	h := &v.compiled[d]
	switch {
	case h.first != nil:
		f.write(h.first, a, text)
		f.write(h.second, b, text)
	case h.second != nil:
		twice(h.second)
	case ignoresItems(v.single, d):
		return nil, false
	case d >= differsHalf && v.date != "" && v.time != "" && v.both:
		glue := f.data.glue[styleMedium]
		lead, rest, _ := strings.Cut(glue, "{1}")
		text(0, lead)
		f.write(v.dateItems, a, text)
		between, tail, _ := strings.Cut(rest, "{0}")
		text(0, unquote(between))
		twice(v.timeItems)
		text(0, tail)
	default:
		twice(v.single)
	}
	return out, true
}

// spans returns where the fields lie that come twice: from the first to the last
// of their first and of their second occurrences.
func spans(ps []piece) (s1, e1, s2, e2 int, ok bool) {
	s1, s2 = 1<<30, 1<<30
	for i := range ps { //meter: a bounded pattern
		if ps[i].letter == 0 {
			continue
		}
		for j := i + 1; j < len(ps); j++ { //meter: a bounded pattern
			if ps[j].letter == ps[i].letter {
				s1, e1 = min(s1, ps[i].start), max(e1, ps[i].end)
				s2, e2 = min(s2, ps[j].start), max(e2, ps[j].end)
				ok = true
				break
			}
		}
	}
	return s1, e1, s2, e2, ok
}

// FormatRange formats the range between two time values, which must be finite.
func (f *Formatter) FormatRange(x, y float64) string {
	a, b := f.at(x), f.at(y)
	if ps, ok := f.ranges().pieces(&a, &b); ok {
		if _, _, _, _, ok := spans(ps); ok {
			var out strings.Builder
			for i := range ps { //meter: a bounded pattern
				out.WriteString(ps[i].value)
			}
			return out.String()
		}
	}
	return f.Format(x)
}

// RangeParts formats the range between two time values, which must be finite, to
// parts with their sources.
func (f *Formatter) RangeParts(x, y float64) []Part {
	a, b := f.at(x), f.at(y)
	ps, ok := f.ranges().pieces(&a, &b)
	s1, e1, s2, e2, twice := spans(ps)
	if !ok || !twice {
		out := f.Parts(x)
		for i := range out { //meter: a bounded pattern
			out[i].Source = "shared"
		}
		return out
	}
	var out []Part
	for i := 0; i < len(ps); i++ { //meter: a bounded pattern
		p := ps[i]
		for p.letter == 0 && i+1 < len(ps) && ps[i+1].letter == 0 { //meter: a bounded pattern
			i++
			p.value += ps[i].value
			p.end = ps[i].end
		}
		if p.value == "" {
			continue
		}
		source := "shared"
		switch {
		case p.start >= s1 && p.end <= e1:
			source = "startRange"
		case p.start >= s2 && p.end <= e2:
			source = "endRange"
		}
		out = append(out, Part{partType(p.letter), p.value, source})
	}
	return out
}
