package datetime

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/js/date"
)

// zoneNamer names a zone in a locale (UTS #35 part 4, “Using Time Zone Names”).
type zoneNamer struct {
	data   *localeData
	zone   *Zone
	digits []string
}

// instant is what a zone's clock is at a time.
type instant struct {
	at     time.Time // in the zone
	offset int       // seconds ahead of UTC
	dst    bool
}

func instantOf(t float64, loc *time.Location) instant {
	at := time.UnixMilli(int64(t)).In(loc)
	_, off := at.Zone()
	return instant{at, off, at.IsDST()}
}

func (n *zoneNamer) name(t float64, letter byte, count int) string {
	i := instantOf(t, n.zone.loc)
	long := count >= 4
	s := ""
	switch letter {
	case 'z':
		s = n.specific(i, long)
	case 'v':
		s = n.generic(i, long)
	}
	if s == "" {
		s = n.gmt(i.offset, !long)
	}
	return s
}

// metazone returns the metazone that the zone is in at a time.
func (z *Zone) metazone(at time.Time) string {
	if z.info == nil {
		return ""
	}
	m, r := at.Unix()/60, at.Unix()%60
	if r < 0 {
		m--
	}
	for _, u := range z.info.uses { //meter: fixed data
		if m >= u.from && m < u.to {
			return u.name
		}
	}
	return ""
}

func (n *zoneNamer) specific(i instant, long bool) string {
	w := shortStandard
	if long {
		w = longStandard
	}
	if i.dst {
		w++
	}
	return n.word(i, w)
}

// word is a name that the zone has of its own, or from its metazone.
func (n *zoneNamer) word(i instant, w zoneWord) string {
	if n.zone.info == nil {
		return ""
	}
	if s := n.data.zones[n.zone.info.name][w]; s != "" {
		return s
	}
	return n.data.metazones[n.zone.metazone(i.at)][w]
}

// generic is the name of a zone without its daylight time, and where that says
// too little with its place.
func (n *zoneNamer) generic(i instant, long bool) string {
	z := n.zone.info
	if z == nil {
		return ""
	}
	general, standard := shortGeneric, shortStandard
	if long {
		general, standard = longGeneric, longStandard
	}
	if s := n.data.zones[z.name][general]; s != "" {
		return s
	}
	mz := n.zone.metazone(i.at)
	if mz == "" {
		return n.place()
	}
	name := n.data.metazones[mz][general]
	if !i.dst && !nearDaylight(i.at) {
		if s := n.word(i, standard); s != "" && !strings.EqualFold(s, name) {
			return s
		}
	}
	if name == "" {
		return n.place()
	}
	// The metazone's name stands for its reference zone; a zone whose clock
	// differs from that one's needs its place.
	golden := reference(mz, n.data.region)
	if golden == "" || golden == z.name {
		return name
	}
	if loc := location(golden); loc != nil {
		wall := float64(i.at.UnixMilli()) + float64(i.offset)*1000
		g := instantOf(date.UTC(wall, loc), loc)
		if g.offset == i.offset && g.dst == i.dst {
			return name
		}
	}
	where := n.city()
	if z.region != "001" && reference(mz, z.region) == z.name {
		where = n.country()
	}
	if where == "" {
		where = z.name
	}
	return join(n.data.partial, where, name)
}

// reference returns the zone that stands for a metazone in a region.
func reference(metazone, region string) string {
	m := common().reference[metazone]
	if z := m[region]; z != "" {
		return z
	}
	return m["001"]
}

// nearDaylight reports whether the zone has daylight time within half a year.
func nearDaylight(at time.Time) bool {
	const near = 184 * 24 * time.Hour
	start, end := at.ZoneBounds()
	if !start.IsZero() && at.Sub(start) < near && start.Add(-time.Second).IsDST() {
		return true
	}
	return !end.IsZero() && end.Sub(at) < near && end.IsDST()
}

// place names the zone by its country where it stands for it, else by its city.
func (n *zoneNamer) place() string {
	z := n.zone.info
	if z.region == "001" {
		return ""
	}
	where := n.city()
	if z.primary {
		where = n.country()
	}
	if where == "" {
		return ""
	}
	return strings.Replace(n.data.location, "{0}", where, 1)
}

func (n *zoneNamer) country() string {
	if s := n.data.regions[n.zone.info.region]; s != "" {
		return s
	}
	return n.zone.info.region
}

func (n *zoneNamer) city() string {
	z := n.zone.info.name
	if s := n.data.cities[z]; s != "" {
		return s
	}
	i := strings.LastIndexByte(z, '/')
	if i < 0 || strings.HasPrefix(z, "Etc/") {
		return ""
	}
	return strings.ReplaceAll(z[i+1:], "_", " ")
}

// gmt is the localized form of an offset from UTC.
func (n *zoneNamer) gmt(off int, short bool) string {
	pattern := n.data.gmtPlus
	if off < 0 {
		pattern, off = n.data.gmtMinus, -off
	}
	h, m, s := off/3600, off/60%60, off%60
	minutes := strings.Index(pattern, "mm")
	hours := strings.LastIndexByte(pattern[:max(minutes, 0)], 'H')
	if minutes < 0 || hours < 0 {
		return ""
	}
	between := pattern[hours+1 : minutes]
	var b strings.Builder
	b.WriteString(strings.TrimRight(pattern[:hours+1], "H"))
	width := 2
	if short {
		width = 1
	}
	b.WriteString(digitsOf(n.digits, h, width))
	if !short || m != 0 || s != 0 {
		b.WriteString(between)
		b.WriteString(digitsOf(n.digits, m, 2))
		if s != 0 {
			b.WriteString(between)
			b.WriteString(digitsOf(n.digits, s, 2))
		}
		b.WriteString(pattern[minutes+2:])
	}
	return strings.Replace(n.data.gmt, "{0}", b.String(), 1)
}

// digitsOf writes a number of at least min digits; digits is nil for latn.
func digitsOf(digits []string, n, min int) string {
	s := strconv.Itoa(n)
	for len(s) < min { //meter: a field's length
		s = "0" + s
	}
	if digits == nil {
		return s
	}
	b := make([]byte, 0, len(s)*utf8.UTFMax)
	for i := range len(s) { //meter: a number's digits
		b = append(b, digits[s[i]-'0']...)
	}
	return string(b)
}

// LongName returns the name of the zone as Date.prototype.toString shows it: in
// English, and for any time by the name of today.
func (z *Zone) LongName(t float64) string {
	n := zoneNamer{data: dataOf("en"), zone: z}
	i := instantOf(t, z.loc)
	w := longStandard
	if i.dst {
		w = longDaylight
	}
	if s := n.word(instantOf(recent, z.loc), w); s != "" {
		return s
	}
	return n.gmt(i.offset, false)
}
