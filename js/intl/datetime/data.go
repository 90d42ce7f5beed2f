package datetime

import (
	"embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/*.txt
var files embed.FS

// records reads a data file: a key and values a line.
func records(name string, f func(key string, values []string)) {
	b, err := files.ReadFile("data/" + name + ".txt")
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(string(b), "\n") { //meter: fixed data
		if line == "" || line[0] == '#' {
			continue
		}
		key, rest, _ := strings.Cut(line, "\t")
		f(key, strings.Split(rest, "\t"))
	}
}

// width numbers the lengths of names.
type width int

const (
	wide width = iota
	abbreviated
	narrow
	numWidths
)

// Lengths of styles, in the order of the data.
const (
	styleFull = iota
	styleLong
	styleMedium
	styleShort
	numStyles
)

// zoneWord numbers the names that a zone or a metazone has.
type zoneWord int

const (
	longGeneric zoneWord = iota
	longStandard
	longDaylight
	shortGeneric
	shortStandard
	shortDaylight
	numZoneWords
)

type zoneWords [numZoneWords]string

// dayRule is a flexible day period: the hours it lasts, or the one it is at.
type dayRule struct {
	name     string
	from, to int // to is 0 for a period that is an instant
}

type entry struct{ key, value string }

// localeData is what CLDR says of one locale.
type localeData struct {
	region                string
	hours                 byte // the letter of the preferred hour cycle
	decimal               string
	months, standMonths   [numWidths][12]string
	days, standDays       [numWidths][7]string
	eras                  [numWidths][2]string
	periods               [numWidths]map[string]string
	rules                 []dayRule
	date, time            [numStyles]string
	glue, atTime          [numStyles]string
	available             []entry // skeleton and pattern, in the order of skeletons
	appendItem, fieldName [numFields]string
	fallback              string
	intervals             map[string]map[byte]string // skeleton, differing field, pattern
	intervalOrder         []string
	gmt                   string
	gmtPlus, gmtMinus     string
	location, partial     string
	metazones, zones      map[string]zoneWords
	cities, regions       map[string]string
	generator             func() *generator
	iso                   func() *localeData
}

var locales = func() map[string]func() *localeData {
	m := map[string]func() *localeData{}
	for _, e := range [...][2]string{
		{"en", ""}, {"en-001", "en"}, {"en-GB", "en-001"}, {"de", ""}, {"es", ""}, {"fr", ""}, {"ja", ""}, {"pt", ""}, {"zh", ""},
	} {
		parent := m[e[1]]
		m[e[0]] = sync.OnceValue(func() *localeData {
			lines := map[string][]string{}
			if parent != nil {
				for _, name := range ancestors(e[1]) { //meter: embedded data, once
					load(name, lines)
				}
			}
			load(e[0], lines)
			return build(lines)
		})
	}
	return m
}()

// ancestors lists a locale's parents and itself, the eldest first.
func ancestors(name string) []string {
	if name == "en-001" {
		return []string{"en", "en-001"}
	}
	return []string{name}
}

func load(name string, lines map[string][]string) {
	records(name, func(key string, values []string) {
		if len(values) == 1 && values[0] == "" {
			delete(lines, key)
			return
		}
		lines[key] = values
	})
}

// dataOf returns the data of a locale, by its longest prefix that has any.
func dataOf(name string) *localeData {
	for name != "" { //meter: subtags of a bounded string
		if f := locales[name]; f != nil {
			return f()
		}
		i := strings.LastIndexByte(name, '-')
		if i < 0 {
			break
		}
		name = name[:i]
	}
	return locales["en"]()
}

func build(lines map[string][]string) *localeData {
	d := &localeData{
		intervals: map[string]map[byte]string{},
		metazones: map[string]zoneWords{}, zones: map[string]zoneWords{},
		cities: map[string]string{}, regions: map[string]string{},
	}
	one := func(key string) string {
		if v := lines[key]; len(v) > 0 {
			return v[0]
		}
		return ""
	}
	d.region, d.decimal, d.fallback = one("region"), one("decimal"), one("fallback")
	d.hours = one("hours")[0]
	for w, l := range [numWidths]string{"w", "a", "n"} {
		copy(d.months[w][:], lines["month.f."+l])
		copy(d.standMonths[w][:], lines["month.s."+l])
		copy(d.days[w][:], lines["day.f."+l])
		copy(d.standDays[w][:], lines["day.s."+l])
		copy(d.eras[w][:], lines["era."+l])
		d.periods[w] = map[string]string{}
		for _, p := range lines["period."+l] { //meter: embedded data, once
			k, v, _ := strings.Cut(p, "=")
			d.periods[w][k] = v
		}
	}
	copy(d.date[:], lines["date"])
	copy(d.time[:], lines["time"])
	copy(d.glue[:], lines["glue"])
	copy(d.atTime[:], lines["atTime"])
	for _, r := range lines["rules"] { //meter: embedded data, once
		k, v, _ := strings.Cut(r, "=")
		from, to, _ := strings.Cut(v, "-")
		rule := dayRule{name: k}
		rule.from, _ = strconv.Atoi(from)
		rule.to, _ = strconv.Atoi(to)
		d.rules = append(d.rules, rule)
	}
	if g := lines["gmt"]; len(g) == 3 {
		d.gmt, d.gmtPlus, d.gmtMinus = g[0], g[1], g[2]
	}
	if l := lines["location"]; len(l) == 2 {
		d.location, d.partial = l[0], l[1]
	}
	for _, key := range sortedKeys(lines) { //meter: embedded data, once
		kind, name, ok := strings.Cut(key, " ")
		if !ok {
			continue
		}
		v := lines[key]
		switch kind {
		case "available":
			d.available = append(d.available, entry{name, v[0]})
		case "append":
			if f, ok := appendFields[name]; ok {
				d.appendItem[f] = v[0]
			}
		case "field":
			if f, ok := namedFields[name]; ok {
				d.fieldName[f] = v[0]
			}
		case "interval":
			sk, letter, _ := strings.Cut(name, " ")
			if d.intervals[sk] == nil {
				d.intervals[sk] = map[byte]string{}
				d.intervalOrder = append(d.intervalOrder, sk)
			}
			d.intervals[sk][letter[0]] = v[0]
		case "mz", "zn":
			var w zoneWords
			copy(w[:], v)
			if kind == "mz" {
				d.metazones[name] = w
			} else {
				d.zones[name] = w
			}
		case "city":
			d.cities[name] = v[0]
		case "region":
			d.regions[name] = v[0]
		}
	}
	d.prepare()
	d.iso = sync.OnceValue(func() *localeData { return isoData(d) })
	return d
}

// prepare makes the generator of the patterns.
func (d *localeData) prepare() {
	d.generator = sync.OnceValue(func() *generator { return newGenerator(d) })
}

// zoneInfo is what CLDR says of a zone in any locale.
type zoneInfo struct {
	name    string // CLDR's canonical name
	region  string // "001" for none
	primary bool   // the zone goes by its region's name
	uses    []metazoneUse
}

// metazoneUse is the time, in minutes since the epoch, that a zone is in a
// metazone. There are none before 1970, nor after the year 9999.
type metazoneUse struct {
	name     string
	from, to int64
}

const endOfMetazones = 4223371679

type commonData struct {
	names     map[string]*zoneInfo // by lower-case name
	canonical []string
	reference map[string]map[string]string // metazone, region, zone
	digits    map[string][]string
}

var common = sync.OnceValue(func() *commonData {
	c := &commonData{
		names: map[string]*zoneInfo{}, reference: map[string]map[string]string{}, digits: map[string][]string{},
	}
	records("common", func(key string, v []string) {
		switch key {
		case "zone":
			region, primary := strings.CutSuffix(v[1], "*")
			z := &zoneInfo{name: v[0], region: region, primary: primary}
			c.canonical = append(c.canonical, v[0])
			c.names[strings.ToLower(v[0])] = z
			for _, n := range v[2:] { //meter: embedded data, once
				c.names[strings.ToLower(n)] = z
			}
		case "mz":
			z := c.names[strings.ToLower(v[0])]
			if z == nil {
				return
			}
			for _, u := range v[1:] { //meter: embedded data, once
				p := append(strings.Split(u, ":"), "", "")
				use := metazoneUse{name: p[0], to: endOfMetazones}
				if p[1] != "" {
					use.from, _ = strconv.ParseInt(p[1], 10, 64)
				}
				if p[2] != "" {
					use.to, _ = strconv.ParseInt(p[2], 10, 64)
				}
				z.uses = append(z.uses, use)
			}
		case "map":
			m := map[string]string{}
			for _, e := range v[1:] { //meter: embedded data, once
				region, zone, _ := strings.Cut(e, "=")
				m[region] = zone
			}
			c.reference[v[0]] = m
		case "nu":
			c.digits[v[0]] = strings.Split(v[1], "")
		}
	})
	return c
})

// NumberingSystems lists the numbering systems that there are digits of, latn
// first.
var NumberingSystems = sync.OnceValue(func() []string {
	out := []string{"latn"}
	for _, n := range sortedKeys(common().digits) { //meter: fixed data
		if n != "latn" {
			out = append(out, n)
		}
	}
	return out
})
