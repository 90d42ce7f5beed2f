package locale

import (
	_ "embed"
	"strings"
	"sync"
)

// Default is the default locale (ECMA-402 §6.2.4).
const Default = "en-US"

// available are the locales that Intl has data for, each with the one whose
// data it uses, in the order of their names.
var available = [...][2]string{
	{"de", "de"}, {"de-DE", "de"},
	{"en", "en"}, {"en-001", "en-001"}, {"en-GB", "en-GB"}, {"en-US", "en"},
	{"es", "es"}, {"es-ES", "es"},
	{"fr", "fr"}, {"fr-FR", "fr"},
	{"ja", "ja"}, {"ja-JP", "ja"},
	{"pt", "pt"}, {"pt-BR", "pt"},
	{"zh", "zh"}, {"zh-CN", "zh"}, {"zh-Hans", "zh"}, {"zh-Hans-CN", "zh"},
}

// DataLocale returns the locale whose data an available locale uses: one of en,
// en-001, en-GB, de, es, fr, ja, pt, zh. Its own parent is what Parent says.
func DataLocale(locale string) string {
	for _, a := range available { //meter: fixed
		if a[0] == locale {
			return a[1]
		}
	}
	return "en"
}

// Parent returns the data locale that a data locale inherits from, "" for one
// that stands alone.
func Parent(data string) string {
	switch data {
	case "en-GB":
		return "en-001"
	case "en-001":
		return "en"
	}
	return ""
}

// BestAvailable is BestAvailableLocale (ECMA-402 §9.2.2): the longest prefix of
// the identifier, which has no extensions, that is available, or "".
func BestAvailable(locale string) string {
	return Best(locale, func(l string) bool {
		for _, a := range available { //meter: fixed
			if a[0] == l {
				return true
			}
		}
		return false
	})
}

// Best is BestAvailableLocale among the locales for which has holds.
func Best(locale string, has func(string) bool) string {
	for locale != "" { //meter: subtags of a bounded string
		if has(locale) {
			return locale
		}
		i := strings.LastIndexByte(locale, '-')
		if i < 0 {
			return ""
		}
		if i >= 2 && locale[i-2] == '-' {
			i -= 2
		}
		locale = locale[:i]
	}
	return ""
}

//go:embed data/locales.txt
var localesText string

var cldrLocales = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, l := range strings.Fields(localesText) { //meter: embedded data, once
		m[l] = true
	}
	return m
})

// BestKnown is Best among the locales that CLDR has data for: for what needs
// none.
func BestKnown(locale string) string {
	return Best(locale, func(l string) bool { return cldrLocales()[l] })
}

// WithoutExtensions cuts the extensions off a canonical identifier.
func WithoutExtensions(tag string) string {
	for i := 0; i+2 < len(tag); i++ { //meter: a bounded string
		if tag[i] == '-' && tag[i+2] == '-' {
			return tag[:i]
		}
	}
	return tag
}
