package builtins_test

import (
	"encoding/json"
	"os"
	"testing"
)

// TestIntlNumbers compares with node, see testdata/intl/record-number.mjs.
func TestIntlNumbers(t *testing.T) {
	b, err := os.ReadFile("testdata/intl/number.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][2]string
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 200 {
		t.Fatalf("%d cases", len(cases))
	}
	for i, c := range cases {
		want := c[1]
		if w, ok := intlNumberDifferences[c[0]]; ok {
			want = w
		}
		if got := runArray(t, c[0], i%8 == 0); got != want {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, want)
		}
	}
}

// intlNumberDifferences are where node 20 is not followed.
var intlNumberDifferences = map[string]string{}

// TestIntlNumberLimits has what is longer than any number needs to be.
func TestIntlNumberLimits(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"(10n ** 5000n).toLocaleString().length", "6667"},
		{"(1n << 60000000n).toLocaleString().length", "limit"},
		{"new Intl.NumberFormat('en').format('0.' + '1'.repeat(1e6))", "0.111"},
		{"new Intl.NumberFormat('en').formatToParts('1' + '0'.repeat(300)).length", "201"},
		{"new Intl.NumberFormat('en').format('1e-999999999')", "0"},
		{"new Intl.NumberFormat('en').format('1e999999999')", "∞"},
		{"new Intl.NumberFormat('en').format('1' + '0'.repeat(1e6) + 'e-999999')", "10"},
		{"try { new Intl.NumberFormat('en', {currency: 'x'.repeat(1e6)}) } catch (e) { e.message.length }", "1024"},
		{"for (;;) (5).toLocaleString()", "limit"},
		{"for (;;) new Intl.NumberFormat('de', {maximumFractionDigits: 5})", "limit"},
		{"for (let i = 0;; i++) (1.5).toLocaleString('en', {minimumFractionDigits: i % 20 + 1, maximumFractionDigits: 50})", "limit"},
		{"for (;;) new Intl.PluralRules('ar').select(3)", "limit"},
		{"for (;;) new Intl.RelativeTimeFormat('ja').format(3, 'day')", "limit"},
	} {
		if got := runArray(t, c.src, false); got != c.want {
			t.Errorf("%s\n got %.200s\nwant %s", c.src, got, c.want)
		}
	}
}
