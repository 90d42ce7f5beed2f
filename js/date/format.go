package date

import (
	"strconv"
	"time"
)

var (
	dayNames   = [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
	monthNames = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

const invalid = "Invalid Date"

func appendPadded(dst []byte, n, width int) []byte {
	var buf [20]byte
	d := strconv.AppendInt(buf[:0], int64(n), 10)
	for i := len(d); i < width; i++ { //meter: width is at most 6
		dst = append(dst, '0')
	}
	return append(dst, d...)
}

func appendYear(dst []byte, year int) []byte {
	if year < 0 {
		dst = append(dst, '-')
		year = -year
	}
	return appendPadded(dst, year, 4)
}

// appendDate is DateString (§21.4.4.41.2).
func appendDate(dst []byte, f *Fields) []byte {
	dst = append(dst, dayNames[f.Weekday]...)
	dst = append(dst, ' ')
	dst = append(dst, monthNames[f.Month]...)
	dst = append(dst, ' ')
	dst = appendPadded(dst, f.Day, 2)
	dst = append(dst, ' ')
	return appendYear(dst, f.Year)
}

func appendClock(dst []byte, f *Fields) []byte {
	dst = appendPadded(dst, f.Hour, 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, f.Minute, 2)
	dst = append(dst, ':')
	return appendPadded(dst, f.Second, 2)
}

// appendTime is TimeString and TimeZoneString (§21.4.4.41.1, .3).
func appendTime(dst []byte, f *Fields, t float64, loc *time.Location, zone string) []byte {
	dst = appendClock(dst, f)
	dst = append(dst, " GMT"...)
	off := int(Offset(t, loc)) / msPerMinute
	if off < 0 {
		dst = append(dst, '-')
		off = -off
	} else {
		dst = append(dst, '+')
	}
	dst = appendPadded(dst, off/60*100+off%60, 4)
	dst = append(dst, " ("...)
	dst = append(dst, zone...)
	return append(dst, ')')
}

// ToString appends Date.prototype.toString (§21.4.4.41) of a time value; zone is
// what the zone is called then.
func ToString(dst []byte, t float64, loc *time.Location, zone string) []byte {
	if t != t {
		return append(dst, invalid...)
	}
	f := Split(LocalTime(t, loc))
	dst = appendDate(dst, &f)
	dst = append(dst, ' ')
	return appendTime(dst, &f, t, loc, zone)
}

// ToDateString appends Date.prototype.toDateString (§21.4.4.35).
func ToDateString(dst []byte, t float64, loc *time.Location) []byte {
	if t != t {
		return append(dst, invalid...)
	}
	f := Split(LocalTime(t, loc))
	return appendDate(dst, &f)
}

// ToTimeString appends Date.prototype.toTimeString (§21.4.4.42).
func ToTimeString(dst []byte, t float64, loc *time.Location, zone string) []byte {
	if t != t {
		return append(dst, invalid...)
	}
	f := Split(LocalTime(t, loc))
	return appendTime(dst, &f, t, loc, zone)
}

// ToUTCString appends Date.prototype.toUTCString (§21.4.4.43).
func ToUTCString(dst []byte, t float64) []byte {
	if t != t {
		return append(dst, invalid...)
	}
	f := Split(t)
	dst = append(dst, dayNames[f.Weekday]...)
	dst = append(dst, ", "...)
	dst = appendPadded(dst, f.Day, 2)
	dst = append(dst, ' ')
	dst = append(dst, monthNames[f.Month]...)
	dst = append(dst, ' ')
	dst = appendYear(dst, f.Year)
	dst = append(dst, ' ')
	dst = appendClock(dst, &f)
	return append(dst, " GMT"...)
}

// ToISOString appends Date.prototype.toISOString (§21.4.4.36). ok is false for
// an invalid date, for which it throws a RangeError.
func ToISOString(dst []byte, t float64) (_ []byte, ok bool) {
	if t != t {
		return dst, false
	}
	f := Split(t)
	switch {
	case f.Year < 0:
		dst = append(dst, '-')
		dst = appendPadded(dst, -f.Year, 6)
	case f.Year > 9999:
		dst = append(dst, '+')
		dst = appendPadded(dst, f.Year, 6)
	default:
		dst = appendPadded(dst, f.Year, 4)
	}
	dst = append(dst, '-')
	dst = appendPadded(dst, f.Month+1, 2)
	dst = append(dst, '-')
	dst = appendPadded(dst, f.Day, 2)
	dst = append(dst, 'T')
	dst = appendClock(dst, &f)
	dst = append(dst, '.')
	dst = appendPadded(dst, f.Millisecond, 3)
	return append(dst, 'Z'), true
}
