package names_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js/intl/locale"
	"github.com/pinfold-js/pinfold/js/intl/names"
)

// TestLanguage has node v20's Intl.DisplayNames as its source.
func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		data, tag string
		style     names.Style
		dialect   bool
		want      string
	}{
		{"en", "en-US", names.Long, true, "American English"}, {"en", "en-US", names.Short, true, "US English"},
		{"en", "en-US", names.Long, false, "English (United States)"}, {"en", "zh-Hant-TW", names.Long, true, "Chinese (Traditional, Taiwan)"},
		{"en", "zh-Hans", names.Long, true, "Simplified Chinese"}, {"en", "de-1996", names.Long, true, "German (German orthography of 1996)"},
		{"de", "pt-BR", names.Long, true, "Portugiesisch (Brasilien)"}, {"fr", "de-AT", names.Long, true, "allemand autrichien"},
		{"ja", "de-AT", names.Long, true, "ドイツ語 (オーストリア)"}, {"en-GB", "sl-nedis", names.Long, true, "Slovenian (Natisone dialect)"},
	} {
		tag, _ := locale.Parse(c.tag)
		if got, _ := names.For(c.data).Language(&tag, c.style, c.dialect); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.tag, c.data, got, c.want)
		}
	}
	n := names.For("en-GB")
	for _, c := range [][2]string{
		{n.Region("BA", names.Short), "Bosnia"}, {n.Script("Latn", names.Long), "Latin"}, {n.Currency("EUR"), "Euro"}, {n.Currency("QQQ"), ""},
		{n.Calendar("gregory"), "Gregorian Calendar"}, {n.Field("weekOfYear", names.Narrow), "wk"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
}
