package ucd_test

import (
	"testing"
	"unicode"

	"github.com/pinfold-js/pinfold/js/regexp/ucd"
)

// TestAgainstGo compares with Go's older tables: what they assign has not
// changed since, but for a few reclassified characters.
func TestAgainstGo(t *testing.T) {
	differ := 0
	for name, table := range unicode.Categories {
		set, ok := ucd.Property(name, "", false)
		if !ok {
			if name != "Cn" && name != "LC" {
				t.Logf("no category %s", name)
			}
			continue
		}
		if name == "C" || name == "Other" || name == "Cn" || name == "Unassigned" {
			continue // Go's has no unassigned characters
		}
		for r := rune(0); r <= ucd.MaxRune; r++ {
			if unicode.Is(table, r) && !ucd.In(set, r) {
				differ++
			}
		}
	}
	if differ > 60 {
		t.Errorf("%d differences", differ)
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name, value string
		hasValue    bool
		r           rune
		known, in   bool
	}{
		{"Lu", "", false, 'A', true, true},
		{"General_Category", "Uppercase_Letter", true, 'a', true, false},
		{"Script", "Greek", true, 'α', true, true},
		{"scx", "Grek", true, 0x342, true, true},
		{"sc", "Grek", true, 0x342, true, false},
		{"sc", "Berf", true, 0x16EA0, true, true}, // new in Unicode 17
		{"Emoji_Presentation", "", false, 0x1F600, true, true},
		{"Any", "", false, 0xD800, true, true},
		{"Assigned", "", false, 0x378, true, false},
		{"Greek", "", false, 0, false, false},
		{"lu", "", false, 0, false, false},
		{"ASCII", "Yes", true, 0, false, false},
		{"gc", "", true, 0, false, false},
	} {
		set, ok := ucd.Property(c.name, c.value, c.hasValue)
		if ok != c.known || ok && ucd.In(set, c.r) != c.in {
			t.Errorf("%s=%s: %v %v", c.name, c.value, ok, ucd.In(set, c.r))
		}
	}
	for name, n := range map[string]int{ // as many as the data files of emoji 17.0 list
		"Basic_Emoji": 1400, "Emoji_Keycap_Sequence": 12, "RGI_Emoji_Modifier_Sequence": 665, "RGI_Emoji_Flag_Sequence": 259,
		"RGI_Emoji_Tag_Sequence": 3, "RGI_Emoji_ZWJ_Sequence": 1614, "RGI_Emoji": 3953,
	} {
		if s, ok := ucd.Strings(name); !ok || len(s) != n {
			t.Errorf("%s: %d", name, len(s))
		}
	}
}

func TestCases(t *testing.T) {
	fold, upper := ucd.FoldedCases(), ucd.UpperCases()
	for _, c := range []struct {
		a, b        rune
		fold, upper bool
	}{
		{'a', 'A', true, true}, {'s', 0x17F, true, false}, {'k', 0x212A, true, false}, {0xDF, 0x1E9E, true, false},
		{0x3C3, 0x3C2, true, true}, {0xB5, 0x3BC, true, true}, {0xFF, 0x178, true, true}, {'i', 0x130, false, false},
		{'i', 0x131, false, false}, {0x390, 0x1FD3, true, false}, {0x10400, 0x10428, true, false}, {'a', 'b', false, false},
	} {
		if got := fold.Canonical(c.a) == fold.Canonical(c.b); got != c.fold {
			t.Errorf("%U %U fold: %v", c.a, c.b, got)
		}
		if got := upper.Canonical(c.a) == upper.Canonical(c.b); got != c.upper {
			t.Errorf("%U %U upper: %v", c.a, c.b, got)
		}
	}
	// Go's orbits are simple folding too.
	for r := rune(0); r <= ucd.MaxRune; r++ {
		if n := unicode.SimpleFold(r); n != r && fold.Canonical(r) != fold.Canonical(n) && r != 0x130 && r != 0x131 && n != 0x130 && n != 0x131 {
			t.Errorf("%U and %U", r, n)
		}
	}
}
