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
		// The zone's name comes from outside; node's is in the text.
		zone := ""
		if _, z, ok := strings.Cut(r[1].(string), "("); ok {
			zone = strings.TrimSuffix(z, ")")
		}
		got := []any{r[0],
			string(date.ToString(nil, v, newYork, zone)), string(date.ToDateString(nil, v, newYork)), string(date.ToTimeString(nil, v, newYork, zone)),
			nil, string(date.ToUTCString(nil, v))}
		if s, ok := date.ToISOString(nil, v); ok {
			got[4] = string(s)
		}
		for i, want := range r[:6] {
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
			for _, s := range [][]byte{date.ToString(nil, sec, newYork, "zone"), date.ToUTCString(nil, sec)} {
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
			date.ToString(nil, v, newYork, "")
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
