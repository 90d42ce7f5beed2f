package date

import (
	"math"
	"strings"
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

// zoneNames maps a zone's abbreviation to its long English name; entries with
// a place hold for zones whose name begins with it.
var zoneNames = []struct{ abbr, place, name string }{
	{"UTC", "", "Coordinated Universal Time"},
	{"GMT", "", "Greenwich Mean Time"},
	{"BST", "Europe/", "British Summer Time"},
	{"BST", "GB", "British Summer Time"},
	{"IST", "Europe/", "Irish Standard Time"},
	{"IST", "Eire", "Irish Standard Time"},
	{"IST", "Asia/Jerusalem", "Israel Standard Time"},
	{"IST", "Asia/Tel_Aviv", "Israel Standard Time"},
	{"IST", "Israel", "Israel Standard Time"},
	{"IST", "Asia/", "India Standard Time"},
	{"IDT", "", "Israel Daylight Time"},
	{"WET", "", "Western European Standard Time"},
	{"WEST", "", "Western European Summer Time"},
	{"CET", "", "Central European Standard Time"},
	{"CEST", "", "Central European Summer Time"},
	{"EET", "", "Eastern European Standard Time"},
	{"EEST", "", "Eastern European Summer Time"},
	{"MSK", "", "Moscow Standard Time"},
	{"SAST", "", "South Africa Standard Time"},
	{"WAT", "", "West Africa Standard Time"},
	{"CAT", "", "Central Africa Time"},
	{"EAT", "", "East Africa Time"},
	{"CST", "Asia/Shanghai", "China Standard Time"},
	{"CST", "Asia/Chongqing", "China Standard Time"},
	{"CST", "Asia/Macau", "China Standard Time"},
	{"CST", "PRC", "China Standard Time"},
	{"CST", "Asia/Taipei", "Taipei Standard Time"},
	{"CST", "ROC", "Taipei Standard Time"},
	{"CST", "America/Havana", "Cuba Standard Time"},
	{"CDT", "America/Havana", "Cuba Daylight Time"},
	{"EST", "", "Eastern Standard Time"},
	{"EDT", "", "Eastern Daylight Time"},
	{"CST", "", "Central Standard Time"},
	{"CDT", "", "Central Daylight Time"},
	{"MST", "", "Mountain Standard Time"},
	{"MDT", "", "Mountain Daylight Time"},
	{"PST", "Asia/Manila", "Philippine Standard Time"},
	{"PST", "", "Pacific Standard Time"},
	{"PDT", "", "Pacific Daylight Time"},
	{"AKST", "", "Alaska Standard Time"},
	{"AKDT", "", "Alaska Daylight Time"},
	{"HST", "", "Hawaii-Aleutian Standard Time"},
	{"HDT", "", "Hawaii-Aleutian Daylight Time"},
	{"AST", "", "Atlantic Standard Time"},
	{"ADT", "", "Atlantic Daylight Time"},
	{"NST", "", "Newfoundland Standard Time"},
	{"NDT", "", "Newfoundland Daylight Time"},
	{"JST", "", "Japan Standard Time"},
	{"KST", "Asia/Seoul", "Korean Standard Time"},
	{"KST", "ROK", "Korean Standard Time"},
	{"HKT", "", "Hong Kong Standard Time"},
	{"PKT", "", "Pakistan Standard Time"},
	{"WIB", "", "Western Indonesia Time"},
	{"WITA", "", "Central Indonesia Time"},
	{"WIT", "", "Eastern Indonesia Time"},
	{"AEST", "", "Australian Eastern Standard Time"},
	{"AEDT", "", "Australian Eastern Daylight Time"},
	{"ACST", "", "Australian Central Standard Time"},
	{"ACDT", "", "Australian Central Daylight Time"},
	{"AWST", "", "Australian Western Standard Time"},
	{"NZST", "", "New Zealand Standard Time"},
	{"NZDT", "", "New Zealand Daylight Time"},
}

// placeNames holds the long names of zones that have no abbreviation.
var placeNames = map[string]string{
	"America/Sao_Paulo":              "Brasilia Standard Time",
	"America/Argentina/Buenos_Aires": "Argentina Standard Time",
	"America/Buenos_Aires":           "Argentina Standard Time",
	"America/Bogota":                 "Colombia Standard Time",
	"America/Lima":                   "Peru Standard Time",
	"America/Caracas":                "Venezuela Time",
	"Asia/Singapore":                 "Singapore Standard Time",
	"Singapore":                      "Singapore Standard Time",
	"Asia/Dubai":                     "Gulf Standard Time",
	"Asia/Bangkok":                   "Indochina Time",
	"Asia/Ho_Chi_Minh":               "Indochina Time",
	"Asia/Saigon":                    "Indochina Time",
	"Asia/Kathmandu":                 "Nepal Time",
	"Asia/Dhaka":                     "Bangladesh Standard Time",
	"Asia/Riyadh":                    "Arabian Standard Time",
	"Asia/Kolkata":                   "India Standard Time",
	"Asia/Calcutta":                  "India Standard Time",
}

// modern is an instant in January 2020.
const modern = 1577966400000

// zoneName returns the long English name of the zone at an instant, or its
// offset if it has none.
func zoneName(t float64, loc *time.Location) string {
	if loc == nil || loc == time.UTC {
		return "Coordinated Universal Time"
	}
	place := loc.String()
	abbr, off := time.UnixMilli(instant(t)).In(loc).Zone()
	switch place {
	case "UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal":
		return "Coordinated Universal Time"
	}
	if n, ok := placeNames[place]; ok {
		return n
	}
	if abbr == "LMT" {
		// Local mean time goes by the name of what came later.
		abbr, _ = time.UnixMilli(modern).In(loc).Zone()
	}
	if place != abbr || abbr == "GMT" {
		for _, z := range zoneNames {
			if z.abbr == abbr && strings.HasPrefix(place, z.place) {
				return z.name
			}
		}
	}
	b := append(make([]byte, 0, 9), "GMT"...)
	if off == 0 {
		return string(b)
	}
	sign := byte('+')
	if off < 0 {
		sign, off = '-', -off
	}
	b = append(b, sign)
	b = appendPadded(b, off/3600, 2)
	b = append(b, ':')
	return string(appendPadded(b, off/60%60, 2))
}
