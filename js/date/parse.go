package date

import (
	"math"
	"time"
)

// maxInput bounds what Parse looks at: no date is longer but for its comments.
const maxInput = 1 << 16

// Parse is the string half of Date.parse (§21.4.3.2): a time value, or NaN. It
// takes the Date Time String Format (§21.4.1.32) and, as a fallback, the loose
// forms that V8 takes: words before the first number, comments in parentheses
// and most punctuation are skipped; numbers before a colon are times; what is
// left are days, months and years in the order their values allow.
//
// Strings longer than 64 K units are no dates.
func Parse[C Char](s []C, loc *time.Location) float64 {
	if len(s) > maxInput {
		return math.NaN()
	}
	p := parser[C]{sc: newScanner(s)}
	rest, ok := p.iso()
	if ok && rest.kind != end {
		ok = p.loose(rest)
	}
	if !ok {
		return math.NaN()
	}
	return p.result(loc)
}

// none marks a part that was not given.
const none = math.MaxInt

// parser gathers the parts of a date.
type parser[C Char] struct {
	sc *scanner[C]

	day    [3]int
	days   int // filled parts of day
	named  int // month given by name, or 0
	isISO  bool
	clock  [4]int
	clocks int // filled parts of clock
	half   int // hours that PM adds, or none

	zoneSign           int // 0 if no zone was given
	zoneHour, zoneMins int
}

func between(n, lo, hi int) bool { return lo <= n && n <= hi }

func (p *parser[C]) addDay(n int) bool {
	if p.days == len(p.day) {
		return false
	}
	p.day[p.days] = n
	p.days++
	return true
}

func (p *parser[C]) addClock(n int) bool {
	if p.clocks == len(p.clock) {
		return false
	}
	p.clock[p.clocks] = n
	p.clocks++
	return true
}

// lastClock adds the last part of a time; what is missing is zero.
func (p *parser[C]) lastClock(n int) bool {
	ok := p.addClock(n)
	p.clocks = len(p.clock)
	return ok
}

// expectsClock says whether n can be the next part of a time that has begun.
func (p *parser[C]) expectsClock(n int) bool {
	switch p.clocks {
	case 1, 2:
		return n < 60
	case 3:
		return n < 1000
	}
	return false
}

func (p *parser[C]) setZone(hours int) {
	p.zoneSign, p.zoneHour, p.zoneMins = 1, hours, 0
	if hours < 0 {
		p.zoneSign, p.zoneHour = -1, -hours
	}
}

// milliseconds reads a number as the digits after the point of the seconds:
// the first three count.
func (p *parser[C]) milliseconds(t token) int {
	n := 0
	for i := range 3 {
		n *= 10
		if i < t.size {
			n += int(p.sc.s[t.start+i] - '0')
		}
	}
	return n
}

// iso reads the Date Time String Format. It returns the first token that it
// could not use, and false if the string can be no date at all.
func (p *parser[C]) iso() (rest token, ok bool) {
	sc := p.sc
	switch {
	case sc.next.kind == sign:
		s := sc.take()
		if !sc.digits(6, 0, 999999) || s.n < 0 && sc.next.n == 0 {
			return s, true
		}
		p.addDay(s.n * sc.take().n)
	case sc.digits(4, 0, 9999):
		p.addDay(sc.take().n)
	default:
		return sc.take(), true
	}
	if sc.skipDash() {
		if !sc.digits(2, 1, 12) {
			return sc.take(), true
		}
		p.addDay(sc.take().n)
		if sc.skipDash() {
			if !sc.digits(2, 1, 31) {
				return sc.take(), true
			}
			p.addDay(sc.take().n)
		}
	}
	if sc.next.kind != word || sc.next.class != timeT {
		if sc.next.kind != end {
			return sc.take(), true
		}
	} else {
		sc.take()
		if !p.isoTime() {
			return token{}, false
		}
	}
	// A date alone is in UTC, a date with a time in local time.
	if p.zoneSign == 0 && p.clocks == 0 {
		p.setZone(0)
	}
	p.isISO = true
	return token{kind: end}, true
}

// isoTime reads HH:mm[:ss[.sss]] and Z or ±HH:mm. After a T nothing else will
// do.
func (p *parser[C]) isoTime() bool {
	sc := p.sc
	if !sc.digits(2, 0, 24) {
		return false
	}
	hour := sc.take().n
	p.addClock(hour)
	most := 59
	if hour == 24 { // 24:00:00.000 only
		most = 0
	}
	if !sc.skip(colon) || !sc.digits(2, 0, most) {
		return false
	}
	p.addClock(sc.take().n)
	if sc.skip(colon) {
		if !sc.digits(2, 0, most) {
			return false
		}
		p.addClock(sc.take().n)
		if sc.skip(dot) {
			if sc.next.kind != number || hour == 24 && sc.next.n > 0 {
				return false
			}
			p.addClock(p.milliseconds(sc.take()))
		}
	}
	switch t := sc.next; {
	case t.kind == word && t.class == zone && t.size == 1:
		sc.take()
		p.setZone(0)
	case t.kind == sign:
		sc.take()
		p.zoneSign = t.n
		if sc.digits(4, 0, 2359) {
			n := sc.take().n
			p.zoneHour, p.zoneMins = n/100, n%100
			if p.zoneMins > 59 {
				return false
			}
			break
		}
		if !sc.digits(2, 0, 23) {
			return false
		}
		p.zoneHour = sc.take().n
		if !sc.skip(colon) || !sc.digits(2, 0, 59) {
			return false
		}
		p.zoneMins = sc.take().n
	}
	return sc.next.kind == end
}

// loose reads everything else, beginning with t.
func (p *parser[C]) loose(t token) bool {
	sc := p.sc
	p.half = none
	hasNumber := p.days > 0
	for ; t.kind != end; t = sc.take() { //meter: at most maxInput units; Date.parse charges for all of them
		switch t.kind {
		case number:
			hasNumber = true
			if !p.looseNumber(t.n) {
				return false
			}
		case word:
			switch {
			case t.class == half && p.clocks > 0:
				p.half = t.n
			case t.class == month:
				p.named = t.n
				sc.skipDash()
			case t.class == zone && hasNumber:
				p.setZone(t.n)
			default:
				// Words mean nothing before the first number, and must stand apart
				// from it.
				if hasNumber || sc.next.kind == number {
					return false
				}
			}
		case sign:
			utc := p.zoneSign != 0 && p.zoneHour == 0 && p.zoneMins == 0
			switch {
			case utc || p.clocks > 0:
				if !p.looseOffset(t.n) {
					return false
				}
				hasNumber = true
			case hasNumber:
				return false
			}
		case closing:
			if hasNumber {
				return false
			}
		}
	}
	return true
}

// looseNumber files a number under time, zone or day.
func (p *parser[C]) looseNumber(n int) bool {
	sc := p.sc
	switch {
	case sc.skip(colon):
		if sc.skip(colon) { // n:: is n:0:
			if p.clocks > 0 {
				return false
			}
			return p.addClock(n) && p.addClock(0)
		}
		if !p.addClock(n) {
			return false
		}
		sc.skip(dot)
		return true
	case sc.next.kind == dot && p.expectsClock(n):
		sc.take()
		p.addClock(n)
		if sc.next.kind != number {
			return false
		}
		return p.lastClock(p.milliseconds(sc.take()))
	}
	sc.skip(dot)
	switch {
	case p.zoneSign != 0 && p.zoneMins == none && n < 60:
		p.zoneMins = n
		return true
	case p.expectsClock(n):
		p.lastClock(n)
		t := sc.next
		return t.kind == end || t.kind == space || t.kind == sign || t.kind == word && t.class == zone && t.size == 1
	}
	if !p.addDay(n) {
		return false
	}
	sc.skipDash()
	return true
}

// looseOffset reads the offset after a sign: h, hh, hmm, hhmm or hh:mm.
func (p *parser[C]) looseOffset(s int) bool {
	sc := p.sc
	p.zoneSign = s
	n, size := 0, 0
	if sc.next.kind == number {
		t := sc.take()
		n, size = t.n, t.size
	}
	switch {
	case sc.next.kind == colon:
		p.zoneHour, p.zoneMins = n, none
	case size == 1 || size == 2:
		p.zoneHour, p.zoneMins = n, 0
	case size == 3 || size == 4:
		p.zoneHour, p.zoneMins = n/100, n%100
	default:
		return false
	}
	return true
}

// result puts the parts together.
func (p *parser[C]) result(loc *time.Location) float64 {
	nan := math.NaN()
	year, mon, day, ok := p.date()
	if !ok {
		return nan
	}
	c := &p.clock
	if p.half != none && !p.isISO {
		if c[0] > 12 {
			return nan
		}
		c[0] = c[0]%12 + p.half
	}
	if c[0] > 23 || c[1] > 59 || c[2] > 59 || c[3] > 999 {
		if c[0] != 24 || c[1] != 0 || c[2] != 0 || c[3] != 0 {
			return nan
		}
	}
	d := MakeDay(float64(year), float64(mon-1), float64(day))
	t := MakeDate(d, MakeTime(float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3])))
	if p.zoneSign == 0 {
		return TimeClip(UTC(t, loc))
	}
	if p.zoneMins == none {
		p.zoneMins = 0
	}
	off := float64(p.zoneHour)*msPerHour + float64(p.zoneMins)*msPerMinute
	return TimeClip(t - float64(p.zoneSign)*off)
}

// date decides which number is what.
func (p *parser[C]) date() (year, mon, day int, ok bool) {
	n := p.days
	if n < 1 {
		return 0, 0, 0, false
	}
	d := p.day
	for i := n; i < len(d); i++ { //meter: three
		d[i] = 1
	}
	isDay := between(d[0], 1, 31)
	switch {
	case p.named != 0 && !isDay: // year first
		year, mon, day = d[0], p.named, d[1]
	case p.named != 0:
		year, mon, day = d[1], p.named, d[0]
	case p.isISO || !isDay:
		year, mon, day = d[0], d[1], d[2]
	default: // month first
		year, mon, day = d[2], d[0], d[1]
	}
	if !p.isISO {
		switch {
		case between(year, 0, 49):
			year += 2000
		case between(year, 50, 99):
			year += 1900
		}
	}
	return year, mon, day, between(mon, 1, 12) && between(day, 1, 31)
}
