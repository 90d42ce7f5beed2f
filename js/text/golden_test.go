package text_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/meter"
)

// golden reads what golden.mjs recorded from node.
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

// units reads a string of four hex digits a unit.
func units(v any) []uint16 {
	s := v.(string)
	out := make([]uint16, 0, len(s)/4)
	for i := 0; i < len(s); i += 4 {
		n, err := strconv.ParseUint(s[i:i+4], 16, 16)
		if err != nil {
			panic(err)
		}
		out = append(out, uint16(n))
	}
	return out
}

// narrow returns s as Latin-1, or nil.
func narrow(s []uint16) []byte {
	if ok, _ := text.FitsLatin1(nil, s); !ok {
		return nil
	}
	return text.AppendNarrow([]byte{}, s)
}

func wide(t text.Text) []uint16 {
	if t.IsWide() {
		return t.Wide
	}
	return text.AppendWide(nil, t.Latin1)
}

// check compares a result with the recorded units, or with null for an error.
func check(t *testing.T, name string, in []uint16, got []uint16, err error, want any) {
	t.Helper()
	if want == nil {
		if err != text.ErrURI {
			t.Errorf("%s(%x): %v, want an error", name, in, err)
		}
		return
	}
	if err != nil || !slices.Equal(got, units(want)) {
		t.Errorf("%s(%x) = %x, %v, want %s", name, in, got, err, want)
	}
}

func TestCase(t *testing.T) {
	for _, r := range golden(t)["case"] {
		s := units(r[0])
		up, err := text.ToUpper(nil, s)
		check(t, "ToUpper", s, wide(up), err, r[1])
		low, err := text.ToLower(nil, s)
		check(t, "ToLower", s, wide(low), err, r[2])
		if b := narrow(s); b != nil {
			up, err := text.ToUpperLatin1(nil, b)
			check(t, "ToUpperLatin1", s, wide(up), err, r[1])
			low, err := text.ToLowerLatin1(nil, b)
			check(t, "ToLowerLatin1", s, text.AppendWide(nil, low), err, r[2])
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, r := range golden(t)["normalize"] {
		s := units(r[0])
		for f := text.NFC; f <= text.NFKD; f++ {
			got, changed, err := text.Normalize(nil, s, f)
			w := wide(got)
			if !changed {
				w = s
			} else if slices.Equal(w, s) {
				t.Error("changed", s)
			}
			check(t, "Normalize "+strconv.Itoa(int(f)), s, w, err, r[1+f])
			if b := narrow(s); b != nil {
				got, changed, err := text.Normalize(nil, b, f)
				w := wide(got)
				if !changed {
					w = s
				}
				check(t, "Normalize Latin-1", s, w, err, r[1+f])
			}
		}
	}
}

func TestURI(t *testing.T) {
	bytes := func(b []byte) []uint16 { return text.AppendWide(nil, b) }
	for _, r := range golden(t)["uri"] {
		s := units(r[0])
		for i, component := range []bool{false, true} {
			b, err := text.EncodeURI(nil, nil, s, component)
			check(t, "EncodeURI", s, bytes(b), err, r[1+i])
			d, err := text.DecodeURI(nil, s, component)
			check(t, "DecodeURI", s, wide(d), err, r[3+i])
			if n := narrow(s); n != nil {
				b, err := text.EncodeURI(nil, nil, n, component)
				check(t, "EncodeURI", s, bytes(b), err, r[1+i])
				d, err := text.DecodeURI(nil, n, component)
				check(t, "DecodeURI", s, wide(d), err, r[3+i])
			}
		}
		b, err := text.Escape(nil, nil, s)
		check(t, "Escape", s, bytes(b), err, r[5])
		d, err := text.Unescape(nil, s)
		check(t, "Unescape", s, wide(d), err, r[6])
	}
}

func TestQuoteJSON(t *testing.T) {
	for _, r := range golden(t)["json"] {
		s := units(r[0])
		q, err := text.AppendQuoteJSON(nil, nil, s)
		check(t, "AppendQuoteJSON", s, q, err, r[1])
		if n := narrow(s); n != nil {
			q, err := text.AppendQuoteJSON(nil, []byte("xy"), n)
			check(t, "AppendQuoteJSON", s, text.AppendWide(nil, q[2:]), err, r[1])
		}
	}
}

func TestTrimAndForm(t *testing.T) {
	g := golden(t)
	for _, r := range g["trim"] {
		s := units(r[0])
		i, _ := text.TrimStart(nil, s)
		check(t, "TrimStart", s, s[i:], nil, r[1])
		i, _ = text.TrimEnd(nil, s)
		check(t, "TrimEnd", s, s[:i], nil, r[2])
	}
	for _, r := range g["wellFormed"] {
		s := units(r[0])
		if ok, _ := text.IsWellFormed(nil, s); ok != r[1] {
			t.Errorf("IsWellFormed(%x) = %v", s, ok)
		}
		w, err := text.ToWellFormed(nil, nil, s)
		check(t, "ToWellFormed", s, w, err, r[2])
	}
}

func TestClasses(t *testing.T) {
	g := golden(t)
	member := func(name string, runs []any, is func(uint32) bool) {
		on := false
		for c := range uint32(0x110000) {
			if c >= 0xD800 && c <= 0xDFFF {
				continue
			}
			if len(runs) > 0 && runs[0] == float64(c) {
				on = !on
				runs = runs[1:]
			}
			if is(c) != on {
				t.Fatalf("%s(%#x) = %v", name, c, !on)
			}
		}
	}
	member("IsSpace", g["space"][0], text.IsSpace)
	member("IsIDStart", g["id"][0], text.IsIDStart)
	member("IsIDContinue", g["id"][1], text.IsIDContinue)
}

func TestSearch(t *testing.T) {
	g := golden(t)
	for _, r := range g["compare"] {
		a, b := units(r[0]), units(r[1])
		if c, _ := text.Compare(nil, a, b); float64(c) != r[2] {
			t.Errorf("Compare(%x, %x) = %d", a, b, c)
		}
		if x, y := narrow(a), narrow(b); x != nil && y != nil {
			if c, _ := text.Compare(nil, x, y); float64(c) != r[2] {
				t.Errorf("Compare(%x, %x) = %d", x, y, c)
			}
		}
	}
	for _, r := range g["index"] {
		h, n, from := units(r[0]), units(r[1]), int(r[2].(float64))
		check := func(name string, got int, want any) {
			t.Helper()
			if float64(got) != want {
				t.Errorf("%s(%x, %x, %d) = %d, want %v", name, h, n, from, got, want)
			}
		}
		i, _ := text.Index(nil, h, n, from)
		check("Index", i, r[3])
		i, _ = text.LastIndex(nil, h, n, from)
		check("LastIndex", i, r[4])
		hb, nb := narrow(h), narrow(n)
		if hb != nil {
			i, _ = text.Index(nil, hb, n, from)
			check("Index narrow in wide", i, r[3])
			i, _ = text.LastIndex(nil, hb, n, from)
			check("LastIndex narrow in wide", i, r[4])
		}
		if nb != nil {
			i, _ = text.Index(nil, h, nb, from)
			check("Index wide in narrow", i, r[3])
		}
		if hb != nil && nb != nil {
			i, _ = text.Index(nil, hb, nb, from)
			check("Index narrow", i, r[3])
			i, _ = text.LastIndex(nil, hb, nb, from)
			check("LastIndex narrow", i, r[4])
		}
	}
}

func TestMeterStops(t *testing.T) {
	const n = 1 << 22
	long := make([]uint16, n)
	for i := range long {
		long[i] = 'A'
	}
	slim := text.AppendNarrow(nil, long)
	spaces := make([]byte, n)
	for i := range spaces {
		spaces[i] = ' '
	}
	percent := make([]byte, 0, n)
	for len(percent) < n-3 {
		percent = append(percent, "%41"...)
	}
	needle := append(slices.Clone(slim[:n/2]), 'B')
	marks := make([]uint16, n/4)
	for i := range marks {
		marks[i] = 0x300 + uint16(i*7%70)
	}
	for name, f := range map[string]func(m *meter.Meter) error{
		"ToLower":        func(m *meter.Meter) error { _, err := text.ToLower(m, long); return err },
		"ToUpper":        func(m *meter.Meter) error { _, err := text.ToUpper(m, long); return err },
		"ToLowerLatin1":  func(m *meter.Meter) error { _, err := text.ToLowerLatin1(m, slim); return err },
		"ToUpperLatin1":  func(m *meter.Meter) error { _, err := text.ToUpperLatin1(m, slim); return err },
		"TrimStart":      func(m *meter.Meter) error { _, err := text.TrimStart(m, spaces); return err },
		"TrimEnd":        func(m *meter.Meter) error { _, err := text.TrimEnd(m, spaces); return err },
		"IsWellFormed":   func(m *meter.Meter) error { _, err := text.IsWellFormed(m, long); return err },
		"ToWellFormed":   func(m *meter.Meter) error { _, err := text.ToWellFormed(m, nil, long); return err },
		"FitsLatin1":     func(m *meter.Meter) error { _, err := text.FitsLatin1(m, long); return err },
		"AppendUTF8":     func(m *meter.Meter) error { _, err := text.AppendUTF8Latin1(m, nil, slim); return err },
		"AppendWTF8":     func(m *meter.Meter) error { _, err := text.AppendWTF8(m, nil, long); return err },
		"DecodeWTF8":     func(m *meter.Meter) error { _, err := text.DecodeWTF8(m, slim); return err },
		"Index":          func(m *meter.Meter) error { _, err := text.Index(m, slim, []byte("AB"), 0); return err },
		"Index two-way":  func(m *meter.Meter) error { _, err := text.Index(m, slim, needle, 0); return err },
		"Index wide":     func(m *meter.Meter) error { _, err := text.Index(m, long, []byte("AB"), 0); return err },
		"LastIndex":      func(m *meter.Meter) error { _, err := text.LastIndex(m, slim, []byte("BA"), n); return err },
		"LastIndex long": func(m *meter.Meter) error { _, err := text.LastIndex(m, slim, needle, n); return err },
		"Compare":        func(m *meter.Meter) error { _, err := text.Compare(m, slim, slim); return err },
		"Compare mixed":  func(m *meter.Meter) error { _, err := text.Compare(m, slim, long); return err },
		"EncodeURI":      func(m *meter.Meter) error { _, err := text.EncodeURI(m, nil, slim, true); return err },
		"DecodeURI":      func(m *meter.Meter) error { _, err := text.DecodeURI(m, percent, true); return err },
		"Escape":         func(m *meter.Meter) error { _, err := text.Escape(m, nil, long); return err },
		"Unescape":       func(m *meter.Meter) error { _, err := text.Unescape(m, percent); return err },
		"QuoteJSON":      func(m *meter.Meter) error { _, err := text.AppendQuoteJSON(m, nil, slim); return err },
		"FromBase64":     func(m *meter.Meter) error { _, _, err := text.FromBase64(m, nil, slim, false, 0, -1); return err },
		"AppendBase64":   func(m *meter.Meter) error { _, err := text.AppendBase64(m, nil, slim, false, false); return err },
		"FromHex":        func(m *meter.Meter) error { _, _, err := text.FromHex(m, nil, slim, -1); return err },
		"AppendHex":      func(m *meter.Meter) error { _, err := text.AppendHex(m, nil, slim); return err },
		"Normalize":      func(m *meter.Meter) error { _, _, err := text.Normalize(m, marks, text.NFC); return err },
	} {
		m := meter.New(nil, meter.Limits{})
		if err := f(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if u := m.Usage(); u.Fuel < n/100 || u.LiveBytes != 0 {
			t.Errorf("%s: charged %d, %d bytes left", name, u.Fuel, u.LiveBytes)
		}
		m = meter.New(nil, meter.Limits{Fuel: 25_000})
		if err := f(m); !meter.IsLimit(err) {
			t.Errorf("%s passed the fuel limit", name)
		}
		m = meter.New(nil, meter.Limits{LiveBytes: 1000})
		_ = f(m)
	}
}
