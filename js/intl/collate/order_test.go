package collate_test

import (
	"math/rand"
	"testing"

	"github.com/pinfold-js/pinfold/js/intl/collate"
	"github.com/pinfold-js/pinfold/meter"
)

// TestOrder holds every collator to an order: antisymmetric and transitive, for
// strings of marks, kana, digits, Thai vowels and halves of surrogate pairs.
func TestOrder(t *testing.T) {
	m := meter.New(nil, meter.Limits{})
	r := rand.New(rand.NewSource(1))
	ranges := [][2]int{{0, 0x80}, {'0', 10}, {0x300, 0x70}, {0, 0x600}, {0x600, 0x60}, {0xE00, 0x100}, {0x3040, 0xC0}, {0xD800, 0x800}, {0, 0x10000}}
	str := func() []uint16 {
		s := make([]uint16, r.Intn(8))
		for i := range s {
			x := ranges[r.Intn(len(ranges))]
			s[i] = uint16(x[0] + r.Intn(x[1]))
		}
		return s
	}
	for _, tailoring := range []string{"", "es", "es-trad", "pl", "tr", "sv", "da", "de-phonebk", "zh", "zh-unihan", "ja", "ja-unihan", "ru", "el"} {
		for o := range 8 {
			c := collate.New(collate.Options{Tailoring: tailoring, IgnorePunctuation: o&1 != 0, Numeric: o&2 != 0, CaseFirst: collate.CaseFirst(o >> 2)})
			cmp := func(a, b []uint16) int {
				x, err := collate.Compare(c, m, a, b)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			for range 300 {
				x, y, z := str(), str(), str()
				if cmp(x, y) != -cmp(y, x) {
					t.Fatalf("%q %d: %x and %x", tailoring, o, x, y)
				}
				if cmp(x, y) <= 0 && cmp(y, z) <= 0 && cmp(x, z) > 0 {
					t.Fatalf("%q %d: %x, %x, %x", tailoring, o, x, y, z)
				}
			}
		}
	}
}
