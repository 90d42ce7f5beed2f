package datetime

import (
	"encoding/binary"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Zone is a time zone: its offsets and what it is called.
type Zone struct {
	name string // as resolvedOptions shows it
	loc  *time.Location
	info *zoneInfo // nil for a zone that CLDR does not know
}

// UTC is Coordinated Universal Time.
var UTC = sync.OnceValue(func() *Zone {
	z, _ := FindZone("UTC")
	return z
})

// Name returns the primary name of the zone, as CLDR and V8 have it: Asia/Calcutta
// and not Asia/Kolkata.
func (z *Zone) Name() string { return z.name }

// Location returns the zone's offsets.
func (z *Zone) Location() *time.Location { return z.loc }

// FindZone returns the zone of a name of the IANA database in any case, or of an
// offset from UTC (ECMA-402 §6.5).
func FindZone(name string) (*Zone, bool) {
	if z, ok := offsetZone(name); ok {
		return z, true
	}
	if len(name) > 40 {
		return nil, false
	}
	lower := lowerASCII(name)
	info := common().names[lower]
	if info == nil {
		return nil, false
	}
	if info.name == "Etc/UTC" || info.name == "Etc/GMT" {
		// All of them are one zone, but V8 lets some of GMT's names show.
		switch lower {
		case "gmt", "gmt0", "gmt+0", "gmt-0", "etc/gmt":
			info = common().names["etc/utc"]
		}
		return &Zone{name: "UTC", loc: time.UTC, info: info}, true
	}
	loc := location(info.name)
	return &Zone{name: info.name, loc: loc, info: info}, loc != nil
}

// lowerASCII is ToLower of names that are ASCII; others stay as they are, and
// none of them is a zone's.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b { //meter: a bounded name
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// ZoneOf returns the zone of a Location: the one of that name, for a Location of
// one offset that offset, else the likeliest zone with the same clock in recent
// years. A Location that is like no zone has its offsets and the name of one.
func ZoneOf(loc *time.Location) *Zone {
	if loc == nil || loc == time.UTC {
		return UTC()
	}
	if z, ok := FindZone(loc.String()); ok {
		return z
	}
	at := time.UnixMilli(recent).In(loc)
	_, off := at.Zone()
	if start, end := at.ZoneBounds(); !start.IsZero() || !end.IsZero() {
		for _, name := range likely { //meter: fixed
			if z, ok := FindZone(name); ok && sameClock(z.loc, loc) {
				return &Zone{name: z.name, loc: loc, info: z.info}
			}
		}
		for _, name := range common().canonical { //meter: fixed data
			if z, ok := FindZone(name); ok && sameClock(z.loc, loc) {
				return &Zone{name: z.name, loc: loc, info: z.info}
			}
		}
	}
	return &Zone{name: offsetName(off / 60), loc: loc}
}

// recent is the beginning of 2026.
const recent = 1767225600000

// sameClock compares two Locations over the six years before.
func sameClock(a, b *time.Location) bool {
	for i := range 150 { //meter: fixed
		at := time.UnixMilli(recent).Add(-time.Duration(i) * 15 * 24 * time.Hour)
		_, x := at.In(a).Zone()
		if _, y := at.In(b).Zone(); x != y {
			return false
		}
	}
	return true
}

// likely are the zones of many people, for Locations without a name.
var likely = [...]string{
	"America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix", "America/Anchorage",
	"Pacific/Honolulu", "America/Halifax", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Bogota", "America/Mexico_City",
	"Europe/London", "Europe/Paris", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos", "Africa/Johannesburg", "Africa/Nairobi",
	"Africa/Cairo", "Asia/Jerusalem", "Asia/Dubai", "Asia/Tehran", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai",
	"Asia/Tokyo", "Australia/Sydney", "Australia/Brisbane", "Australia/Adelaide", "Pacific/Auckland",
}

// ZoneNames lists the primary names of all zones that are places, and UTC, in
// order.
func ZoneNames() []string {
	var out []string
	for _, n := range common().canonical { //meter: fixed data
		if !strings.HasPrefix(n, "Etc/") {
			out = append(out, n)
		}
	}
	return append(out, "UTC")
}

// offsetZone reads ±HH, ±HHMM and ±HH:MM (ParseTimeZoneOffsetString).
func offsetZone(s string) (*Zone, bool) {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return nil, false
	}
	d := s[1:]
	switch {
	case len(d) == 5 && d[2] == ':':
		d = d[:2] + d[3:]
	case len(d) != 2 && len(d) != 4:
		return nil, false
	}
	for i := range len(d) { //meter: at most four
		if d[i] < '0' || d[i] > '9' {
			return nil, false
		}
	}
	h, _ := strconv.Atoi(d[:2])
	m, _ := strconv.Atoi(d[2:])
	if h > 23 || m > 59 {
		return nil, false
	}
	m += 60 * h
	if s[0] == '-' {
		m = -m
	}
	return &Zone{name: offsetName(m), loc: time.FixedZone("", m*60)}, true
}

func offsetName(minutes int) string {
	b := []byte{'+'}
	if minutes < 0 {
		b[0], minutes = '-', -minutes
	}
	h, m := minutes/60, minutes%60
	return string(append(b, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10)))
}

// locations holds, for every zone, what makes its Location when it is first
// asked for.
var locations = sync.OnceValue(func() map[string]func() *time.Location {
	m := map[string]func() *time.Location{}
	links := map[string]string{}
	records("zones", func(name string, v []string) {
		if len(v) == 1 {
			links[name] = v[0]
			return
		}
		m[name] = sync.OnceValue(func() *time.Location {
			loc, err := time.LoadLocationFromTZData(name, zoneFile(v[0], v[1], v[2]))
			if err != nil {
				return nil
			}
			return loc
		})
	})
	for from, to := range links { //meter: fixed data
		m[from] = m[to]
	}
	return m
})

func location(name string) *time.Location {
	if f := locations()[name]; f != nil {
		return f()
	}
	return nil
}

// zoneFile writes a zone as a TZif file (RFC 9636), which is what package time
// reads: its local time types, transitions and the rule for what follows.
func zoneFile(types, transitions, rule string) []byte {
	var when, kinds, infos []byte
	n, at := 0, int64(0)
	for i := 0; i < len(transitions); { //meter: fixed data
		kinds = append(kinds, transitions[i]-'A')
		j := i + 1
		for j < len(transitions) && (transitions[j] < 'A' || transitions[j] > 'Z') { //meter: fixed data
			j++
		}
		d, _ := strconv.ParseInt(transitions[i+1:j], 36, 64)
		at += d
		when = binary.BigEndian.AppendUint64(when, uint64(at))
		i = j
		n++
	}
	count := 0
	for t := range strings.SplitSeq(types, " ") { //meter: fixed data
		off, dst := strings.CutSuffix(t, "d")
		o, _ := strconv.Atoi(off)
		infos = binary.BigEndian.AppendUint32(infos, uint32(int32(o)))
		if dst {
			infos = append(infos, 1, 0)
		} else {
			infos = append(infos, 0, 0)
		}
		count++
	}
	header := func(times, types, chars int) []byte {
		b := append([]byte("TZif2"), make([]byte, 15)...)
		for _, c := range [6]int{0, 0, 0, times, types, chars} {
			b = binary.BigEndian.AppendUint32(b, uint32(c))
		}
		return b
	}
	// Version 1 readers find one type and nothing else.
	b := append(header(0, 1, 1), 0, 0, 0, 0, 0, 0, 0)
	b = append(b, header(n, count, 1)...)
	b = append(b, when...)
	b = append(b, kinds...)
	b = append(b, infos...)
	b = append(b, 0, '\n')
	b = append(b, rule...)
	return append(b, '\n')
}
