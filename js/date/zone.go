package date

import (
	"math"
	"time"
)

// Offset returns how many milliseconds the zone is ahead of UTC at the instant
// t, which must be finite.
func Offset(t float64, loc *time.Location) float64 {
	if loc == nil || loc == time.UTC {
		return 0
	}
	_, sec := time.UnixMilli(instant(t)).In(loc).Zone()
	return float64(sec) * msPerSecond
}

// instant holds t within what package time can handle.
func instant(t float64) int64 {
	return int64(math.Max(-2*MaxTime, math.Min(2*MaxTime, math.Floor(t))))
}

// LocalTime is LocalTime(t) (§21.4.1.25).
func LocalTime(t float64, loc *time.Location) float64 {
	if t != t {
		return t
	}
	return t + Offset(t, loc)
}

// UTC is UTC(t) (§21.4.1.26): the instant of a local time. A local time that
// occurs twice means the first; one that is skipped is read with the offset
// before the change.
func UTC(t float64, loc *time.Location) float64 {
	if !finite(t) {
		return math.NaN()
	}
	if loc == nil || loc == time.UTC {
		return t
	}
	before := Offset(t-msPerDay, loc)
	after := Offset(t+msPerDay, loc)
	// The earlier instant is the one with the greater offset.
	for _, off := range [2]float64{math.Max(before, after), math.Min(before, after)} {
		if Offset(t-off, loc) == off {
			return t - off
		}
	}
	return t - before
}

// TimezoneOffset is what getTimezoneOffset gives: minutes behind UTC.
func TimezoneOffset(t float64, loc *time.Location) float64 {
	if t != t {
		return t
	}
	return (t - LocalTime(t, loc)) / msPerMinute
}
