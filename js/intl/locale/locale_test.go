package locale_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/js/intl/locale"
)

// TestCanonicalize has node v20's Intl.getCanonicalLocales as its source.
func TestCanonicalize(t *testing.T) {
	for _, c := range [][2]string{
		{"en", "en"}, {"EN-us", "en-US"}, {"zh-hans-cn", "zh-Hans-CN"}, {"iw", "he"}, {"sgn-br", "bzs"}, {"sh", "sr-Latn"},
		{"hy-SU", "hy-AM"}, {"ru-SU", "ru-RU"}, {"cnr", "sr-ME"}, {"art-lojban", "jbo"}, {"cel-gaulish", "xtg"}, {"en-840", "en-US"},
		{"sl-nedis-rozaj", "sl-nedis-rozaj"}, {"ja-latn-hepburn-heploc", "ja-Latn-alalc97"}, {"de-u-kn-true", "de-u-kn"},
		{"en-u-ca-islamicc", "en-u-ca-islamic-civil"}, {"en-u-nu-latn-ca-gregory", "en-u-ca-gregory-nu-latn"},
		{"en-u-rg-cn11", "en-u-rg-cnbj"}, {"en-t-iw", "en-t-he"}, {"und-t-m0-names", "und-t-m0-prprname"},
		{"en-x-a-b", "en-x-a-b"}, {"en-b-foo-a-bar", "en-a-bar-b-foo"}, {"x-foo", ""}, {"e", ""}, {"en_US", ""}, {"en-", ""},
		{"i-klingon", ""}, {"en-u", ""}, {"de-1996-1996", ""}, {"root", ""}, {"en-a-x", ""}, {"en-t-x-1", ""}, {"abcd", ""},
		{"zh-min", ""}, {"en-GB", "en-GB"}, {"en-gb-oed", ""}, {"sgn-BE-FR", ""}, {"sgn-BE", "sgn-BE"}, {"und-saaho", "und"}, {"aa-saaho", "ssy"},
	} {
		got, ok := locale.Canonicalize(c[0])
		if !ok {
			got = ""
		}
		if got != c[1] {
			t.Errorf("Canonicalize(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// TestLikely has node v20's Intl.Locale as its source.
func TestLikely(t *testing.T) {
	for _, c := range [][3]string{
		{"en", "en-Latn-US", "en"}, {"und", "en-Latn-US", "en"}, {"zh-TW", "zh-Hant-TW", "zh-TW"}, {"sr-ME", "sr-Latn-ME", "sr-ME"},
		{"zz", "zz", "zz"}, {"aaa", "aaa-Latn-NG", "aaa"}, {"en-Shaw", "en-Shaw-GB", "en-Shaw"}, {"zh-Hant", "zh-Hant-TW", "zh-TW"},
		{"und-Cyrl", "ru-Cyrl-RU", "ru"}, {"pt-PT", "pt-Latn-PT", "pt-PT"}, {"abq", "abq-Cyrl-RU", "abq"},
	} {
		x, _ := locale.Parse(c[0])
		x.Maximize()
		n, _ := locale.Parse(c[0])
		n.Minimize()
		if x.String() != c[1] || n.String() != c[2] {
			t.Errorf("%s: maximized %s, want %s; minimized %s, want %s", c[0], x.String(), c[1], n.String(), c[2])
		}
	}
}

func TestBestAvailable(t *testing.T) {
	for _, c := range [][2]string{{"en-US", "en-US"}, {"en-AU", "en"}, {"de-DE-1996", "de-DE"}, {"it", ""}, {"zh-Hans-SG", "zh-Hans"}, {"pt-x-foo", "pt"}} {
		if got := locale.BestAvailable(c[0]); got != c[1] {
			t.Errorf("BestAvailable(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
