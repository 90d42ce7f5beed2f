package number

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// recorded is what testdata/record.mjs writes: node's resolved options and what
// it made of some values.
type recorded struct {
	Locale  string
	Options struct {
		NumberingSystem, Style, Currency, CurrencyDisplay, CurrencySign, Unit, UnitDisplay, Notation, CompactDisplay, SignDisplay string
		RoundingMode, TrailingZeroDisplay, RoundingPriority                                                                       string
		UseGrouping                                                                                                               any
		MinimumIntegerDigits, MinimumFractionDigits, MaximumFractionDigits, MinimumSignificantDigits, MaximumSignificantDigits    int
		RoundingIncrement                                                                                                         int
	}
	Values, Parts, Ranges [][]string
}

// defaults fills in what record.mjs leaves out.
func (r *recorded) defaults() {
	o := &r.Options
	for _, e := range []struct {
		field *string
		text  string
	}{{&o.NumberingSystem, "latn"}, {&o.Style, "decimal"}, {&o.Notation, "standard"}, {&o.SignDisplay, "auto"}, {&o.RoundingMode, "halfExpand"},
		{&o.TrailingZeroDisplay, "auto"}, {&o.RoundingPriority, "auto"}} {
		if *e.field == "" {
			*e.field = e.text
		}
	}
	if o.UseGrouping == nil {
		o.UseGrouping = "auto"
	}
	o.MinimumIntegerDigits = max(1, o.MinimumIntegerDigits)
	o.RoundingIncrement = max(1, o.RoundingIncrement)
}

func (r *recorded) formatter() *Formatter {
	o := &r.Options
	opt := Options{Data: DataLocale(BestAvailable(r.Locale)), Style: o.Style, Currency: o.Currency, CurrencyDisplay: o.CurrencyDisplay, CurrencySign: o.CurrencySign, Unit: o.Unit,
		UnitDisplay: o.UnitDisplay, Notation: o.Notation, CompactDisplay: o.CompactDisplay, SignDisplay: o.SignDisplay, NumberingSystem: o.NumberingSystem, Grouping: "false"}
	if s, ok := o.UseGrouping.(string); ok {
		opt.Grouping = s
	}
	opt.Digits = Digits{MinInteger: o.MinimumIntegerDigits, MinFraction: o.MinimumFractionDigits, MaxFraction: o.MaximumFractionDigits, MinSignificant: o.MinimumSignificantDigits,
		MaxSignificant: o.MaximumSignificantDigits, Increment: o.RoundingIncrement, Mode: RoundingMode(slices.Index(RoundingModes, o.RoundingMode)), StripIfInteger: o.TrailingZeroDisplay == "stripIfInteger"}
	switch {
	case o.RoundingPriority == "morePrecision":
		opt.Type = MorePrecision
	case o.RoundingPriority == "lessPrecision":
		opt.Type = LessPrecision
	case o.MaximumSignificantDigits > 0:
		opt.Type = SignificantDigits
	}
	decoded, err := Decode(opt.Encode())
	if err != nil || decoded != opt {
		panic("options do not survive Encode and Decode")
	}
	return New(opt)
}

func value(s string) Decimal {
	switch s {
	case "NaN":
		return NaN()
	case "Infinity", "-Infinity":
		return Infinity(s[0] == '-')
	}
	return Parse([]byte(s))
}

func joined(parts []Part) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('|')
		}
		b.WriteString(p.Type + "=" + p.Value)
		if p.Source != "" {
			b.WriteString("=" + p.Source[:1])
		}
	}
	return b.String()
}

// TestRecorded compares with node v20.20.2. NUMBER_CASES names another file to
// read, such as what "record.mjs full" writes.
func TestRecorded(t *testing.T) {
	name := os.Getenv("NUMBER_CASES")
	if name == "" {
		name = "testdata/cases.json"
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []recorded
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	count, wrong := 0, 0
	check := func(c *recorded, what, got, want string) {
		count++
		if got != want {
			if wrong++; wrong <= 20 {
				t.Errorf("%s %+v %s:\n got %q\nwant %q", c.Locale, c.Options, what, got, want)
			}
		}
	}
	for i := range cases {
		c := &cases[i]
		c.defaults()
		f := c.formatter()
		for _, v := range c.Values {
			check(c, v[0], f.Format(value(v[0])), v[1])
		}
		for _, v := range c.Parts {
			check(c, v[0], joined(f.FormatToParts(value(v[0]))), v[1])
		}
		for _, v := range c.Ranges {
			check(c, v[0]+" to "+v[1], f.FormatRange(value(v[0]), value(v[1])), v[2])
			check(c, v[0]+" to "+v[1], joined(f.FormatRangeToParts(value(v[0]), value(v[1]))), v[3])
		}
	}
	if count == 0 {
		t.Fatal("no cases")
	}
	if wrong > 0 {
		t.Errorf("%d of %d differ", wrong, count)
	}
}

func BenchmarkFormat(b *testing.B) {
	f := New(Default("en"))
	b.ReportAllocs()
	for b.Loop() {
		f.Format(FromFloat(1234567.891))
	}
}

func BenchmarkNew(b *testing.B) {
	o := Default("en")
	o.Style, o.Currency, o.CurrencyDisplay = "currency", "USD", "name"
	b.ReportAllocs()
	for b.Loop() {
		New(o)
	}
}

// The locales are those that node resolves to, as far as there are data.
func TestBestAvailable(t *testing.T) {
	for tag, want := range map[string][2]string{
		"en-US": {"en-US", "en"}, "en-IN": {"en-IN", "en-IN"}, "en-XX": {"en", "en"}, "en-GB": {"en-GB", "en-GB"}, "ko-KR": {"ko-KR", "ko"}, "ko-US": {"ko", "ko"},
		"zh-TW": {"zh-TW", "zh-Hant"}, "zh-Hant-TW": {"zh-Hant-TW", "zh-Hant"}, "zh-CN": {"zh-CN", "zh"}, "de-AT": {"de-AT", "de-AT"}, "pt-BR": {"pt-BR", "pt"}, "es-PE": {"es-PE", "es-419"},
	} {
		best := BestAvailable(tag)
		if best != want[0] || DataLocale(best) != want[1] {
			t.Errorf("%s: %s with data of %s", tag, best, DataLocale(best))
		}
	}
	for _, tag := range []string{"xx", "xx-US", "e", "tlh"} {
		if best := BestAvailable(tag); best != "" {
			t.Errorf("%s: %s", tag, best)
		}
	}
}

// Amounts and numbers of the further locales, as node v20.20.2 writes them.
func TestFurtherLocales(t *testing.T) {
	for _, c := range []struct{ locale, currency, number, amount string }{
		{"en-IN", "INR", "12,34,567.891", "₹12,34,567.89"},
		{"hi", "INR", "12,34,567.891", "₹12,34,567.89"},
		{"de-AT", "EUR", "1\u00a0234\u00a0567,891", "€\u00a01.234.567,89"},
		{"de-CH", "CHF", "1'234'567.891", "CHF\u00a01'234'567.89"},
		{"fr-CA", "CAD", "1\u00a0234\u00a0567,891", "1\u00a0234\u00a0567,89\u00a0$"},
		{"es-MX", "MXN", "1,234,567.891", "$1,234,567.89"},
		{"pt-PT", "EUR", "1\u00a0234\u00a0567,891", "1\u00a0234\u00a0567,89\u00a0€"},
		{"it-IT", "EUR", "1.234.567,891", "1.234.567,89\u00a0€"},
		{"ko-KR", "KRW", "1,234,567.891", "₩1,234,568"},
		{"ru-RU", "RUB", "1\u00a0234\u00a0567,891", "1\u00a0234\u00a0567,89\u00a0₽"},
		{"pl-PL", "PLN", "1\u00a0234\u00a0567,891", "1\u00a0234\u00a0567,89\u00a0zł"},
		{"sv-SE", "SEK", "1\u00a0234\u00a0567,891", "1\u00a0234\u00a0567,89\u00a0kr"},
		{"zh-TW", "TWD", "1,234,567.891", "$1,234,567.89"},
	} {
		o := Default(DataLocale(BestAvailable(c.locale)))
		if got := New(o).Format(FromFloat(1234567.891)); got != c.number {
			t.Errorf("%s: %q, want %q", c.locale, got, c.number)
		}
		o.Style, o.Currency, o.CurrencyDisplay, o.CurrencySign = "currency", c.currency, "symbol", "standard"
		o.MinFraction = CurrencyDigits(c.currency)
		o.MaxFraction = o.MinFraction
		if got := New(o).Format(FromFloat(1234567.891)); got != c.amount {
			t.Errorf("%s: %q, want %q", c.locale, got, c.amount)
		}
	}
}

// What node v20.20.2 writes of numbers that round to the same, and of auto
// grouping asked for in compact notation.
func TestCorners(t *testing.T) {
	o := Default("en")
	o.MaxFraction = 0
	f := New(o)
	for _, c := range [][3]string{{"0.4", "0", "~0"}, {"4.5", "5", "~5"}, {"-0.2", "-0.4", "~-0"}, {"5", "6", "5–6"}} {
		if got := f.FormatRange(value(c[0]), value(c[1])); got != c[2] {
			t.Errorf("%s to %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	o.SignDisplay = "never"
	if got := New(o).FormatRange(value("-0.2"), value("0.2")); got != "0–0" {
		t.Errorf("-0.2 to 0.2: %q", got)
	}
	o = Default("de")
	o.Notation, o.CompactDisplay, o.Type, o.MinSignificant, o.MaxSignificant = "compact", "short", MorePrecision, 1, 2
	o.MaxFraction = 0
	if got := New(o).Format(value("1234")); got != "1234" {
		t.Errorf("1234: %q", got)
	}
}
