package plural

import (
	"slices"
	"strings"
	"testing"
)

// number makes the operands of a plain decimal text.
func operands(s string) *Operands {
	whole, frac, _ := strings.Cut(s, ".")
	o := &Operands{V: len(frac)}
	for _, c := range whole {
		o.I = o.I*10 + uint64(c-'0')
	}
	for _, c := range frac {
		o.F = o.F*10 + uint64(c-'0')
	}
	short := strings.TrimRight(frac, "0")
	o.W = len(short)
	for _, c := range short {
		o.T = o.T*10 + uint64(c-'0')
	}
	return o
}

// The expected categories are those of node v20.20.2's Intl.PluralRules.
func TestSelect(t *testing.T) {
	for _, c := range []struct {
		locale  string
		ordinal bool
		want    string // number=category
	}{
		{"en", false, "0=other 1=one 1.0=other 2=other 21=other"},
		{"en", true, "1=one 2=two 3=few 4=other 11=other 12=other 13=other 21=one 22=two 23=few 101=one 111=other"},
		{"de", false, "0=other 1=one 1.5=other"},
		{"fr", false, "0=one 1=one 1.5=one 2=other 1000000=many 1000001=other"},
		{"fr", true, "1=one 2=other"},
		{"pt-BR", false, "0=one 1=one 1.5=one 2=other 1000000=many"},
		{"pt-PT", false, "0=other 1=one 1.5=other"},
		{"es", false, "1=one 1.0=one 1.5=other 1000000=many"},
		{"ja", false, "0=other 1=other"},
		{"ru", false, "1=one 2=few 5=many 11=many 21=one 22=few 1.5=other"},
		{"pl", false, "1=one 2=few 5=many 12=many 22=few 1.5=other"},
		{"ar", false, "0=zero 1=one 2=two 3=few 11=many 100=other 1.5=other"},
		{"cy", true, "0=zero 1=one 2=two 3=few 5=many 7=zero 10=other"},
		{"lt", false, "1=one 2=few 10=other 1.5=many 21=one"},
		{"xx", false, "1=other"},
	} {
		r := For(c.locale, c.ordinal)
		for f := range strings.FieldsSeq(c.want) {
			n, want, _ := strings.Cut(f, "=")
			if got := r.Select(operands(n)).String(); got != want {
				t.Errorf("%s ordinal=%v %s: %s, want %s", c.locale, c.ordinal, n, got, want)
			}
		}
	}
	if got := For("en", false).Select(&Operands{Special: true}); got != Other {
		t.Errorf("infinity: %s", got)
	}
}

func TestCategories(t *testing.T) {
	for _, c := range []struct {
		locale  string
		ordinal bool
		want    string
	}{
		{"en", false, "one other"}, {"en", true, "few one two other"}, {"ja", false, "other"},
		{"cy", false, "few many one two zero other"}, {"fr", false, "many one other"}, {"pl", false, "few many one other"},
	} {
		if got := For(c.locale, c.ordinal).Categories(); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s ordinal=%v: %v", c.locale, c.ordinal, got)
		}
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		locale   string
		from, to Category
		want     Category
	}{
		{"en", One, Other, Other}, {"fr", One, One, One}, {"fr", One, Other, Other}, {"de", Other, One, One}, {"ar", Few, Many, Many}, {"en", One, One, Other},
	} {
		if got := For(c.locale, false).Range(c.from, c.to); got != c.want {
			t.Errorf("%s %s to %s: %s", c.locale, c.from, c.to, got)
		}
	}
}

// TestData compiles the rules of every language.
func TestData(t *testing.T) {
	if len(index()) < 400 {
		t.Fatalf("%d entries", len(index()))
	}
	for key := range index() {
		kind, lang, _ := strings.Cut(key, " ")
		for _, r := range For(lang, kind == "ordinal").rules {
			for _, all := range r.any {
				for _, rel := range all {
					if !strings.ContainsRune("niftvwec", rune(rel.operand)) || len(rel.ranges) == 0 {
						t.Errorf("%s: relation %+v", key, rel)
					}
				}
			}
		}
	}
}
