package locale

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/regions.txt
var regionText string

type regionData struct {
	regions    map[string][4]string // week, hour cycle, calendars, zones
	hours      map[string]string
	digits     map[string]string
	collations map[string]string
}

var regions = sync.OnceValue(func() *regionData {
	d := &regionData{map[string][4]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	section := ""
	for line := range strings.Lines(regionText) { //meter: embedded data, once
		f := strings.Fields(line)
		switch {
		case f[0][0] == '[':
			section = f[0]
		case section == "[regions]":
			d.regions[f[0]] = [4]string(f[1:])
		case section == "[hours]":
			d.hours[f[0]] = f[1]
		case section == "[digits]":
			d.digits[f[0]] = f[1]
		default:
			d.collations[f[0]] = f[1]
		}
	}
	return d
})

// subdivision returns the region in the value of a keyword such as
// "rg-gbzzzz", "" if there is none.
func (t *Tag) subdivision(key string) string {
	v, _ := t.Keyword(key)
	switch {
	case len(v) >= 3 && len(v) <= 6 && IsRegion(v[:2]):
		return strings.ToUpper(v[:2])
	case len(v) >= 4 && len(v) <= 7 && IsRegion(v[:3]):
		return v[:3]
	}
	return ""
}

// preferredRegion is RegionPreference of Intl.Locale's information: a region
// override that known accepts, the region, that of a subdivision, the likely
// one, or the world.
func (t *Tag) preferredRegion(known func(region string) bool) string {
	if r := t.subdivision("rg"); r != "" && known(r) {
		return r
	}
	if t.Region != "" {
		return t.Region
	}
	if r := t.subdivision("sd"); r != "" {
		return r
	}
	full := Tag{Language: t.Language, Script: t.Script}
	if full.Maximize() && full.Region != "" {
		return full.Region
	}
	return "001"
}

// region returns what is known of the tag's region.
func (t *Tag) region(i int) string {
	d := regions()
	r := t.preferredRegion(func(r string) bool {
		_, ok := d.regions[r]
		return ok || len(r) == 2
	})
	if v, ok := d.regions[r]; ok && v[i] != "-" {
		return v[i]
	}
	return d.regions["001"][i]
}

// Week tells about the weeks of the tag's region. Days count from Monday, 1.
type Week struct {
	First, Minimal int
	Weekend        []int
}

// Week returns the week of the tag's region.
func (t *Tag) Week() Week {
	s := t.region(0)
	w := Week{First: int(s[0] - '0'), Minimal: int(s[1] - '0')}
	for d, end := int(s[2]-'0'), int(s[3]-'0'); ; d = d%7 + 1 { //meter: at most seven
		w.Weekend = append(w.Weekend, d)
		if d == end {
			break
		}
	}
	slices.Sort(w.Weekend)
	return w
}

// HourCycle returns the usual hour cycle: h11, h12, h23 or h24.
func (t *Tag) HourCycle() string {
	r := t.preferredRegion(func(string) bool { return true })
	if h, ok := regions().hours[t.Language+"-"+r]; ok {
		return h
	}
	return t.region(1)
}

// Calendars returns the calendars in use, the commonest first.
func (t *Tag) Calendars() []string { return strings.Split(t.region(2), ",") }

// Zones returns the time zones of the tag's region, sorted.
func (t *Tag) Zones() []string {
	v, ok := regions().regions[t.Region]
	if !ok || v[3] == "-" {
		return nil
	}
	return strings.Split(v[3], ",")
}

// NumberingSystem returns the usual numbering system.
func (t *Tag) NumberingSystem() string {
	d := regions().digits
	for _, key := range [...]string{t.Language + "-" + t.Script + "-" + t.Region, t.Language + "-" + t.Region, t.Language + "-" + t.Script, t.Language} { //meter: fixed
		if s, ok := d[key]; ok {
			return s
		}
	}
	return "latn"
}

// Collations returns the collations that there are for the language, sorted.
func (t *Tag) Collations() []string {
	if c, ok := regions().collations[t.Language]; ok {
		return strings.Split(c, ",")
	}
	return []string{"emoji", "eor"}
}

// rightToLeft are the scripts written so.
const rightToLeft = " Adlm Arab Aran Armi Avst Chrs Cprt Elym Gara Hatr Hebr Hung Khar Lydi Mand Mani Mend Merc Mero Narb Nbat Nkoo Orkh Ougr Palm Perm Phli Phlp Phlv Phnx Prti Rohg Samr Sarb Sidt Sogd Sogo Syrc Syre Syrj Syrn Thaa Yezi "

// RightToLeft reports whether the tag's script, or its likely one, is written
// from right to left.
func (t *Tag) RightToLeft() bool {
	full := Tag{Language: t.Language, Script: t.Script, Region: t.Region}
	full.Maximize()
	return full.Script != "" && strings.Contains(rightToLeft, " "+full.Script+" ")
}
