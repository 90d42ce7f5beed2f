package datetime

import "strings"

// The patterns of the ISO 8601 calendar, which are the same in every locale but
// for the names and the time.
var isoDates = [numStyles]string{"y MMMM d, EEEE", "y MMMM d", "y MMM d", "y-MM-dd"}

var isoFormats = [...]entry{
	{"E", "ccc"}, {"Ed", "dd, E"}, {"Gy", "G y"}, {"GyM", "G y-MM"}, {"GyMEd", "G y-MM-dd, E"}, {"GyMMM", "G y MMM"},
	{"GyMMMEd", "G y MMM d, E"}, {"GyMMMd", "G y MMM d"}, {"GyMd", "G y-MM-dd"}, {"M", "LL"}, {"MEd", "MM-dd, E"}, {"MMM", "LLL"},
	{"MMMEd", "MMM d, E"}, {"MMMMd", "MMMM d"}, {"MMMd", "MMM d"}, {"Md", "MM-dd"}, {"d", "dd"}, {"y", "y"}, {"yM", "y-MM"},
	{"yMEd", "y-MM-dd, E"}, {"yMMM", "y MMM"}, {"yMMMEd", "y MMM d, E"}, {"yMMMM", "y MMMM"}, {"yMMMd", "y MMM d"}, {"yMd", "y-MM-dd"},
}

// isoAvailable replaces the dates in a locale's available formats.
func isoAvailable(list []entry) []entry {
	out := append([]entry(nil), isoFormats[:]...)
	for _, e := range list { //meter: fixed data
		if !strings.ContainsAny(e.key, "GyMEd") {
			out = append(out, entry{e.key, isoHours(e.value)})
		}
	}
	return out
}

// isoHours gives hours two digits.
func isoHours(pattern string) string {
	var b strings.Builder
	tokens(pattern, func(text string, isField bool) {
		if isField && len(text) == 1 && strings.Contains("hHkK", text) {
			text += text
		}
		b.WriteString(text)
	})
	return b.String()
}
