package builtins_test

import (
	_ "embed"
	"encoding/json"
	"testing"

	"github.com/pinfold-js/pinfold/js/vm"
)

//go:embed testdata/intl/locale.json
var localeCases []byte

// localeDifferences are the cases in which node 20 is not followed.
var localeDifferences = map[string]string{
	`Intl.getCanonicalLocales("de-1996-1996")`:                           "one wording for all tags that are wrong",
	`new Intl.Collator("de", {"collation":"phonebk"}).resolvedOptions()`: "an option does not show in the locale (ECMA-402 §9.2.7)",
}

const localePrelude = `const show = v => v === undefined ? 'undefined' : typeof v === 'object' && v && Object.getPrototypeOf(v) === Intl.Locale.prototype ? String(v) : JSON.stringify(v);
const attempt = f => { try { return show(f()) } catch (e) { return e.name + ': ' + e.message } }`

// TestIntlLocale compares with what node gave: see
// testdata/intl/record-locale.mjs.
func TestIntlLocale(t *testing.T) {
	var cases [][2]string
	if err := json.Unmarshal(localeCases, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 500 {
		t.Fatalf("%d cases", len(cases))
	}
	eval := evaluator(t, vm.Options{})
	eval(localePrelude)
	for _, c := range cases {
		got := eval("attempt(() => (" + c[0] + "))")
		_, known := localeDifferences[c[0]]
		if (got != c[1]) != known {
			t.Errorf("%s\n gives %s\n  want %s", c[0], got, c[1])
		}
	}
}
