package relative

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/intl/number"
)

// TestRecorded compares with node v20.20.2, see testdata/record.mjs.
func TestRecorded(t *testing.T) {
	b, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][]string
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, c := range cases {
		f := New(number.DataLocale(number.BestAvailable(c[0])), "latn", c[1], c[2] == "auto")
		for _, v := range c[4:] {
			num, want, _ := strings.Cut(v, "=")
			x, err := strconv.ParseFloat(num, 64)
			if err != nil {
				t.Fatal(err)
			}
			count++
			if got := f.Format(x, c[3]); got != want {
				t.Errorf("%v %s: %q, want %q", c[:4], num, got, want)
			}
			var joined strings.Builder
			for _, p := range f.FormatToParts(x, c[3]) {
				joined.WriteString(p.Value)
			}
			if joined.String() != want {
				t.Errorf("%v %s in parts: %q, want %q", c[:4], num, joined.String(), want)
			}
		}
	}
	if count < 1000 {
		t.Fatalf("%d cases", count)
	}
}

func TestParts(t *testing.T) {
	f := New("en", "latn", "long", true)
	for _, c := range []struct {
		value float64
		want  string
	}{
		{-1234.5, "[{integer 1 } {group , } {integer 234 } {decimal . } {fraction 5 } {literal  days ago }]"},
		{1, "[{literal tomorrow }]"},
		{3, "[{literal in  } {integer 3 } {literal  days }]"},
	} {
		if got := fmt.Sprint(f.FormatToParts(c.value, "day")); got != c.want {
			t.Errorf("%v: %s", c.value, got)
		}
	}
}

func TestUnit(t *testing.T) {
	for s, want := range map[string]string{"day": "day", "days": "day", "quarters": "quarter", "dayss": "", "": "", "s": "", "Day": ""} {
		if got, ok := Unit(s); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v", s, got, ok)
		}
	}
}
