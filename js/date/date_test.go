package date_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/date"
	"pgregory.net/rapid"
)

var newYork = func() *time.Location {
	l, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	return l
}()

// golden reads what golden.mjs recorded from node in New York.
func golden(t *testing.T) map[string][][]any {
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g map[string][][]any
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func num(v any) float64 {
	f, err := strconv.ParseFloat(v.(string), 64)
	if err != nil {
		panic(err)
	}
	return f
}

func same(a, b float64) bool { return a == b || a != a && b != b }

func TestParse(t *testing.T) {
	for _, r := range golden(t)["parse"] {
		s := r[0].(string)
		if got := date.Parse(utf16.Encode([]rune(s)), newYork); !same(got, num(r[1])) {
			t.Errorf("Parse(%q) = %.0f, want %s", s, got, r[1])
		}
		if len(s) == len([]rune(s)) {
			if got := date.Parse([]byte(s), newYork); !same(got, num(r[1])) {
				t.Errorf("Parse(%q) = %.0f, want %s", s, got, r[1])
			}
		}
	}
}

func TestPrint(t *testing.T) {
	for _, r := range golden(t)["print"] {
		v := num(r[0])
		got := []any{r[0],
			string(date.ToString(nil, v, newYork)), string(date.ToDateString(nil, v, newYork)), string(date.ToTimeString(nil, v, newYork)),
			nil, string(date.ToUTCString(nil, v)), string(date.ToLocaleString(nil, v, newYork)), string(date.ToLocaleDateString(nil, v, newYork)),
			string(date.ToLocaleTimeString(nil, v, newYork))}
		if s, ok := date.ToISOString(nil, v); ok {
			got[4] = string(s)
		}
		for i, want := range r[:9] {
			if v < 0 && (i == 1 || i == 3) {
				// node names the zone of old dates by today's rules.
				cut := func(s any) string { x, _, _ := strings.Cut(s.(string), "("); return x }
				got[i], want = cut(got[i]), cut(want)
			}
			if got[i] != want {
				t.Errorf("%s: column %d is %v, want %v", r[0], i, got[i], want)
			}
		}
		for i, f := range []float64{math.Trunc(date.TimezoneOffset(v, newYork)), date.YearFromTime(v), date.MonthFromTime(v), date.DateFromTime(v),
			date.WeekDay(v), date.HourFromTime(v), date.MinFromTime(v), date.SecFromTime(v), date.MsFromTime(v)} {
			if !same(f, num(r[9+i])) {
				t.Errorf("%s: column %d is %v, want %v", r[0], 9+i, f, r[9+i])
			}
		}
	}
}

func TestMake(t *testing.T) {
	for _, r := range golden(t)["local"] {
		v := date.MakeDate(date.MakeDay(date.MakeFullYear(num(r[0])), num(r[1]), num(r[2])), date.MakeTime(num(r[3]), num(r[4]), 0, 0))
		if got := date.TimeClip(date.UTC(v, newYork)); !same(got, num(r[5])) {
			t.Errorf("local %v = %v", r, got)
		}
		if got := date.TimeClip(v); !same(got, num(r[6])) {
			t.Errorf("UTC %v = %v", r, got)
		}
	}
}

func TestZones(t *testing.T) {
	// Names as node prints them in these zones.
	for _, c := range []struct{ zone, jan, jul string }{
		{"UTC", "GMT+0000 (Coordinated Universal Time)", "GMT+0000 (Coordinated Universal Time)"},
		{"Europe/London", "GMT+0000 (Greenwich Mean Time)", "GMT+0100 (British Summer Time)"},
		{"Europe/Berlin", "GMT+0100 (Central European Standard Time)", "GMT+0200 (Central European Summer Time)"},
		{"America/Los_Angeles", "GMT-0800 (Pacific Standard Time)", "GMT-0700 (Pacific Daylight Time)"},
		{"Asia/Kolkata", "GMT+0530 (India Standard Time)", "GMT+0530 (India Standard Time)"},
		{"Asia/Tokyo", "GMT+0900 (Japan Standard Time)", "GMT+0900 (Japan Standard Time)"},
		{"Asia/Shanghai", "GMT+0800 (China Standard Time)", "GMT+0800 (China Standard Time)"},
		{"Australia/Sydney", "GMT+1100 (Australian Eastern Daylight Time)", "GMT+1000 (Australian Eastern Standard Time)"},
		{"America/Sao_Paulo", "GMT-0300 (Brasilia Standard Time)", "GMT-0300 (Brasilia Standard Time)"},
	} {
		l, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		for v, want := range map[float64]string{1641038400000: c.jan, 1656676800000: c.jul} {
			if got := string(date.ToTimeString(nil, v, l)[9:]); got != want {
				t.Errorf("%s: %s, want %s", c.zone, got, want)
			}
		}
	}
	if got := string(date.ToTimeString(nil, 0, time.FixedZone("", -5400))); got != "22:30:00 GMT-0130 (GMT-01:30)" {
		t.Error(got)
	}
	if got := string(date.ToString(nil, 0, nil)); got != "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)" {
		t.Error(got)
	}
}

func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := float64(rapid.Int64Range(-date.MaxTime, date.MaxTime).Draw(t, "t"))
		f := date.Split(v)
		if w := date.MakeDate(date.MakeDay(float64(f.Year), float64(f.Month), float64(f.Day)),
			date.MakeTime(float64(f.Hour), float64(f.Minute), float64(f.Second), float64(f.Millisecond))); w != v {
			t.Fatalf("%v -> %+v -> %v", v, f, w)
		}
		g := time.UnixMilli(int64(v)).UTC()
		if f.Year != g.Year() || f.Month != int(g.Month())-1 || f.Day != g.Day() || f.Weekday != int(g.Weekday()) {
			t.Fatalf("%v: %+v, want %v", v, f, g)
		}
		s, _ := date.ToISOString(nil, v)
		if w := date.Parse(s, newYork); w != v {
			t.Fatalf("%s: %v, want %v", s, w, v)
		}
		sec := v - date.MsFromTime(v)
		if f.Year >= 100 {
			for _, s := range [][]byte{date.ToString(nil, sec, newYork), date.ToUTCString(nil, sec)} {
				// Offsets of local mean time have seconds, which are not printed.
				if w := date.Parse(s, newYork); w != sec && math.Abs(w-sec) >= 60_000 {
					t.Fatalf("%s: %v, want %v", s, w, sec)
				}
			}
		}
		if l := date.LocalTime(v, newYork); date.LocalTime(date.UTC(l, newYork), newYork) != l {
			t.Fatalf("local time of %v", v)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2022-03-01T10:00:00.000Z", "Mar 1, 2022 10:00 PM GMT+1 (x)", "1/2/3", "((", "10::1", "+275760-09-13"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := date.Parse([]byte(s), newYork)
		if v == v && (math.Abs(v) > date.MaxTime || v != math.Trunc(v)) {
			t.Fatalf("%q: %v", s, v)
		}
		if v == v {
			date.ToString(nil, v, newYork)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, s := range []string{"2022-03-01T10:00:00.000Z", "Tue Mar 01 2022 10:00:00 GMT+0100 (CET)"} {
		x := []byte(s)
		b.Run(s[:10], func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				date.Parse(x, nil)
			}
		})
	}
}
