package date

import "math"

// Lengths in milliseconds (§21.4.1.2).
const (
	msPerSecond = 1000
	msPerMinute = 60 * msPerSecond
	msPerHour   = 60 * msPerMinute
	msPerDay    = 24 * msPerHour
)

// MaxTime is the greatest magnitude of a time value (§21.4.1.1).
const MaxTime = 8.64e15

// Fields are the parts of a time value in one calendar.
type Fields struct {
	Year        int // astronomical: 0 is 1 BC
	Month       int // 0 to 11
	Day         int // 1 to 31
	Hour        int
	Minute      int
	Second      int
	Millisecond int
	Weekday     int // 0 is Sunday
}

// floorDiv returns the quotient rounded down and the remainder, for d > 0.
func floorDiv(n, d int64) (q, r int64) {
	q, r = n/d, n%d
	if r < 0 {
		q--
		r += d
	}
	return q, r
}

// Split takes a finite time value apart. Local times reach a day past MaxTime.
func Split(t float64) Fields {
	days, ms := floorDiv(int64(t), msPerDay)
	y, m, d := civil(days)
	_, w := floorDiv(days+4, 7)
	s := int(ms) / msPerSecond
	return Fields{
		Year: y, Month: m, Day: d,
		Hour: s / 3600, Minute: s / 60 % 60, Second: s % 60, Millisecond: int(ms) % msPerSecond,
		Weekday: int(w),
	}
}

// civil returns the date of a day since the epoch. Years are counted from
// March, so that a leap day comes last.
func civil(days int64) (year, month, day int) {
	era, doe := floorDiv(days+719468, 146097) // 400 years; day 0 is 1 March 0000
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy-(153*mp+2)/5) + 1
	month = int(mp) + 2
	year = int(yoe + era*400)
	if month >= 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// dayNumber returns the day since the epoch of day 1 of a month 0 to 11.
func dayNumber(year int64, month int) int64 {
	if month < 2 {
		year--
		month += 12
	}
	era, yoe := floorDiv(year, 400)
	doy := int64(153*(month-2)+2) / 5
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// Day is Day(t) (§21.4.1.3); the functions after it are those of §21.4.1.3 to
// §21.4.1.14. All of them take NaN to NaN.
func Day(t float64) float64 { return math.Floor(t / msPerDay) }

// TimeWithinDay is TimeWithinDay(t).
func TimeWithinDay(t float64) float64 { return modulo(t, msPerDay) }

// YearFromTime is YearFromTime(t).
func YearFromTime(t float64) float64 {
	return field(t, func(f *Fields) int { return f.Year })
}

// MonthFromTime is MonthFromTime(t).
func MonthFromTime(t float64) float64 {
	return field(t, func(f *Fields) int { return f.Month })
}

// DateFromTime is DateFromTime(t).
func DateFromTime(t float64) float64 {
	return field(t, func(f *Fields) int { return f.Day })
}

func field(t float64, get func(*Fields) int) float64 {
	if t != t {
		return t
	}
	f := Split(t)
	return float64(get(&f))
}

// WeekDay is WeekDay(t).
func WeekDay(t float64) float64 { return modulo(Day(t)+4, 7) }

// HourFromTime is HourFromTime(t).
func HourFromTime(t float64) float64 { return modulo(math.Floor(t/msPerHour), 24) }

// MinFromTime is MinFromTime(t).
func MinFromTime(t float64) float64 { return modulo(math.Floor(t/msPerMinute), 60) }

// SecFromTime is SecFromTime(t).
func SecFromTime(t float64) float64 { return modulo(math.Floor(t/msPerSecond), 60) }

// MsFromTime is msFromTime(t).
func MsFromTime(t float64) float64 { return modulo(t, msPerSecond) }

// modulo is the mathematical one: the result has the divisor's sign.
func modulo(x, y float64) float64 {
	r := math.Mod(x, y)
	if r < 0 {
		r += y
	}
	return r + 0
}

func finite(x float64) bool { return x-x == 0 }

// integer is ToIntegerOrInfinity of a finite Number.
func integer(x float64) float64 { return math.Trunc(x) + 0 }

// MakeTime is MakeTime (§21.4.1.27).
func MakeTime(hour, min, sec, ms float64) float64 {
	if !finite(hour) || !finite(min) || !finite(sec) || !finite(ms) {
		return math.NaN()
	}
	h := float64(integer(hour) * msPerHour)
	m := float64(integer(min) * msPerMinute)
	s := float64(integer(sec) * msPerSecond)
	return h + m + s + integer(ms)
}

// MakeDay is MakeDay (§21.4.1.28): the day number, or NaN far out of range.
func MakeDay(year, month, date float64) float64 {
	if !finite(year) || !finite(month) || !finite(date) {
		return math.NaN()
	}
	y, m, dt := integer(year), integer(month), integer(date)
	if math.Abs(y) > 1e6 || math.Abs(m) > 1e7 {
		return math.NaN()
	}
	dy, mn := floorDiv(int64(m), 12)
	ym := int64(y) + dy
	return float64(dayNumber(ym, int(mn))) + dt - 1
}

// MakeDate is MakeDate (§21.4.1.29).
func MakeDate(day, time float64) float64 {
	if !finite(day) || !finite(time) {
		return math.NaN()
	}
	tv := float64(day*msPerDay) + time
	if !finite(tv) {
		return math.NaN()
	}
	return tv
}

// MakeFullYear is MakeFullYear (§21.4.1.30): 0 to 99 mean 1900 to 1999.
func MakeFullYear(year float64) float64 {
	if year != year {
		return year
	}
	y := math.Trunc(year) + 0
	if y >= 0 && y <= 99 {
		return 1900 + y
	}
	return y
}

// TimeClip is TimeClip (§21.4.1.31).
func TimeClip(t float64) float64 {
	if !(math.Abs(t) <= MaxTime) {
		return math.NaN()
	}
	return integer(t)
}
