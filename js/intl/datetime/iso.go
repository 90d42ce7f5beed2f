package datetime

import "slices"

// What the ISO 8601 calendar has in place of a locale's patterns: those of the
// root of CLDR.
var (
	isoDates = [numStyles]string{"y MMMM d, EEEE", "y MMMM d", "y MMM d", "y-MM-dd"}
	isoTimes = [numStyles]string{"HH:mm:ss zzzz", "HH:mm:ss z", "HH:mm:ss", "HH:mm"}

	isoFormats = [...]entry{
		{"Bh", "h B"}, {"Bhm", "h:mm B"}, {"Bhms", "h:mm:ss B"}, {"E", "ccc"}, {"EBh", "E h B"}, {"EBhm", "E h:mm B"}, {"EBhms", "E h:mm:ss B"},
		{"EHm", "E HH:mm"}, {"EHms", "E HH:mm:ss"}, {"Ed", "d, E"}, {"Eh", "E h\u202fa"}, {"Ehm", "E h:mm\u202fa"}, {"Ehms", "E h:mm:ss\u202fa"},
		{"Gy", "G y"}, {"GyM", "G y-MM"}, {"GyMEd", "G y-MM-dd, E"}, {"GyMMM", "G y MMM"}, {"GyMMMEd", "G y MMM d, E"}, {"GyMMMd", "G y MMM d"},
		{"GyMd", "G y-MM-dd"}, {"H", "HH"}, {"Hm", "HH:mm"}, {"Hms", "HH:mm:ss"}, {"Hmsv", "HH:mm:ss v"}, {"Hmv", "HH:mm v"}, {"Hv", "HH'h' v"},
		{"M", "L"}, {"MEd", "MM-dd, E"}, {"MMM", "LLL"}, {"MMMEd", "MMM d, E"}, {"MMMMd", "MMMM d"}, {"MMMd", "MMM d"}, {"Md", "MM-dd"},
		{"d", "d"}, {"h", "h\u202fa"}, {"hm", "h:mm\u202fa"}, {"hms", "h:mm:ss\u202fa"}, {"hmsv", "h:mm:ss\u202fa v"}, {"hmv", "h:mm\u202fa v"},
		{"hv", "h\u202fa v"}, {"ms", "mm:ss"}, {"y", "y"}, {"yM", "y-MM"}, {"yMEd", "y-MM-dd, E"}, {"yMMM", "y MMM"}, {"yMMMEd", "y MMM d, E"},
		{"yMMMM", "y MMMM"}, {"yMMMd", "y MMM d"}, {"yMd", "y-MM-dd"},
	}

	// A skeleton, the fields that differ, and the range pattern.
	isoIntervals = [...][3]string{
		{"Bh", "B", "h B\u2009–\u2009h B"}, {"Bh", "h", "h–h B"},
		{"Bhm", "B", "h:mm B\u2009–\u2009h:mm B"}, {"Bhm", "hm", "h:mm–h:mm B"},
		{"d", "d", "d–d"},
		{"Gy", "G", "G y\u2009–\u2009G y"}, {"Gy", "y", "G y–y"},
		{"GyM", "G", "G y-MM\u2009–\u2009G y-MM"}, {"GyM", "My", "G y-MM\u2009–\u2009y-MM"},
		{"GyMd", "G", "G y-MM-dd\u2009–\u2009G y-MM-dd"}, {"GyMd", "dMy", "G y-MM-dd\u2009–\u2009y-MM-dd"},
		{"GyMEd", "G", "G y-MM-dd, E\u2009–\u2009G y-MM-dd, E"}, {"GyMEd", "dMy", "G y-MM-dd, E\u2009–\u2009y-MM-dd, E"},
		{"GyMMM", "G", "G y MMM\u2009–\u2009G y MMM"}, {"GyMMM", "M", "G y MMM–MMM"}, {"GyMMM", "y", "G y MMM\u2009–\u2009y MMM"},
		{"GyMMMd", "G", "G y MMM d\u2009–\u2009G y MMM d"}, {"GyMMMd", "d", "G y MMM d–d"}, {"GyMMMd", "M", "G y MMM d\u2009–\u2009MMM d"}, {"GyMMMd", "y", "G y MMM d\u2009–\u2009y MMM d"},
		{"GyMMMEd", "G", "G y MMM d, E\u2009–\u2009G y MMM d, E"}, {"GyMMMEd", "dM", "G y MMM d, E\u2009–\u2009MMM d, E"}, {"GyMMMEd", "y", "G y MMM d, E\u2009–\u2009y MMM d, E"},
		{"h", "a", "h\u202fa\u2009–\u2009h\u202fa"}, {"h", "h", "h–h\u202fa"},
		{"H", "H", "HH–HH"},
		{"hm", "a", "h:mm\u202fa\u2009–\u2009h:mm\u202fa"}, {"hm", "hm", "h:mm–h:mm\u202fa"},
		{"Hm", "Hm", "HH:mm–HH:mm"},
		{"hmv", "a", "h:mm\u202fa\u2009–\u2009h:mm\u202fa v"}, {"hmv", "hm", "h:mm–h:mm\u202fa v"},
		{"Hmv", "Hm", "HH:mm–HH:mm v"},
		{"hv", "a", "h\u202fa\u2009–\u2009h\u202fa v"}, {"hv", "h", "h–h\u202fa v"},
		{"Hv", "H", "HH–HH v"},
		{"M", "M", "M–M"},
		{"Md", "dM", "MM-dd\u2009–\u2009MM-dd"},
		{"MEd", "dM", "MM-dd, E\u2009–\u2009MM-dd, E"},
		{"MMM", "M", "LLL–LLL"},
		{"MMMd", "d", "MMM d–d"}, {"MMMd", "M", "MMM d\u2009–\u2009MMM d"},
		{"MMMEd", "dM", "MMM d, E\u2009–\u2009MMM d, E"},
		{"y", "y", "y–y"},
		{"yM", "My", "y-MM\u2009–\u2009y-MM"},
		{"yMd", "dMy", "y-MM-dd\u2009–\u2009y-MM-dd"},
		{"yMEd", "dMy", "y-MM-dd, E\u2009–\u2009y-MM-dd, E"},
		{"yMMM", "M", "y MMM–MMM"}, {"yMMM", "y", "y MMM\u2009–\u2009y MMM"},
		{"yMMMd", "d", "y MMM d–d"}, {"yMMMd", "M", "y MMM d\u2009–\u2009MMM d"}, {"yMMMd", "y", "y MMM d\u2009–\u2009y MMM d"},
		{"yMMMEd", "dM", "y MMM d, E\u2009–\u2009MMM d, E"}, {"yMMMEd", "y", "y MMM d, E\u2009–\u2009y MMM d, E"},
		{"yMMMM", "M", "y MMMM–MMMM"}, {"yMMMM", "y", "y MMMM\u2009–\u2009y MMMM"},
	}
)

// isoData is a locale's data with the patterns of the ISO 8601 calendar.
func isoData(d *localeData) *localeData {
	iso := *d
	iso.date, iso.time, iso.available = isoDates, isoTimes, isoFormats[:]
	iso.fallback = "{0}\u2009–\u2009{1}"
	iso.intervals = map[string]map[byte]string{}
	iso.intervalOrder = nil
	for _, e := range isoIntervals { //meter: fixed data
		if iso.intervals[e[0]] == nil {
			iso.intervals[e[0]] = map[byte]string{}
			iso.intervalOrder = append(iso.intervalOrder, e[0])
		}
		for i := range len(e[1]) { //meter: fixed data
			iso.intervals[e[0]][e[1][i]] = e[2]
		}
	}
	slices.Sort(iso.intervalOrder)
	iso.prepare()
	return &iso
}
