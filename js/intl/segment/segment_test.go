package segment_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
	"unicode/utf16"

	"github.com/pinfold-js/pinfold/js/intl/segment"
	"github.com/pinfold-js/pinfold/meter"
)

// TestRecorded compares with what node said: testdata/record.mjs. A boundary is
// negative at the end of a segment that is like a word.
func TestRecorded(t *testing.T) {
	file := "testdata/segments.json"
	if f := os.Getenv("SEGMENTS"); f != "" {
		file = f
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]json.RawMessage
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	m := meter.New(nil, meter.Limits{})
	bad := [3]int{}
	for _, row := range rows {
		var s string
		if err := json.Unmarshal(row[0], &s); err != nil {
			t.Fatal(err)
		}
		u := utf16.Encode([]rune(s))
		for g := range segment.Sentence + 1 {
			var want, got []int
			if err := json.Unmarshal(row[1+g], &want); err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(u); {
				end, like, err := segment.Next(m, g, u, i)
				if err != nil || end <= i {
					t.Fatal(end, err)
				}
				for k := i; k < end; k++ {
					at, err := segment.Before(m, g, u, k)
					for err == nil {
						var e int
						if e, _, err = segment.Next(m, g, u, at); e > k {
							break
						}
						at = e
					}
					if at != i || err != nil {
						t.Fatalf("%q %d: the segment of %d begins at %d, not %d", s, g, k, at, i)
					}
				}
				i = end
				if like {
					got = append(got, -end)
				} else {
					got = append(got, end)
				}
			}
			if !reflect.DeepEqual(got, want) {
				if bad[g]++; bad[g] < 8 {
					t.Errorf("%q %+q granularity %d: %v, want %v", s, s, g, got, want)
				}
			}
		}
	}
	if bad != [3]int{} {
		t.Errorf("%v of %d differ", bad, len(rows))
	}
}
