package builtins_test

import (
	_ "embed"
	"encoding/json"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

//go:embed testdata/intl/datetime.json
var dateTimeCases []byte

// dateTimeDifferences are the cases in which node 20 is not followed.
var dateTimeDifferences = map[string]string{
	"(log => { new F('en', new Proxy({}, {get: (_, k) => { log.push(k) }})); return log })([])":                       "options are read once (ECMA-402 §11.1.2)",
	"(log => { d.toLocaleDateString('en', new Proxy({}, {get: (_, k) => { log.push(k) }})); return log.length })([])": "the same",
}

const dateTimePrelude = `const F = Intl.DateTimeFormat, d = new Date(Date.UTC(2024, 2, 5, 0, 8, 9, 123));
const attempt = f => { try { return String(f()) } catch (e) { return e.name + ': ' + e.message } }`

// evaluator returns a function that runs scripts in one machine.
func evaluator(t *testing.T, opt vm.Options) func(src string) string {
	t.Helper()
	mt := meter.New(nil, meter.Limits{Fuel: 1 << 30, LiveBytes: 256 << 20, Depth: 1000, NativeDepth: 500})
	m, err := js.NewMachine(mt, opt)
	if err != nil {
		t.Fatal(err)
	}
	return func(src string) string {
		p, err := js.Compile("test.js", src, js.CompileOptions{Completion: true})
		if err != nil {
			return err.Error()
		}
		v, err := m.RunScript(p)
		if err != nil {
			return err.Error()
		}
		s, err := m.GoString(v)
		if err != nil {
			return err.Error()
		}
		return s
	}
}

// TestDateTimeFormat compares with what node gave: see
// testdata/intl/record-datetime.mjs.
func TestDateTimeFormat(t *testing.T) {
	var cases [][2]string
	if err := json.Unmarshal(dateTimeCases, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 300 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, stress := range []bool{false, true} {
		run := evaluator(t, vm.Options{Stress: stress})
		run(dateTimePrelude)
		for _, c := range cases {
			got := run("attempt(() => (" + c[0] + "))")
			_, different := dateTimeDifferences[c[0]]
			if (got == c[1]) == different {
				t.Errorf("stress %v: %s\n got %s\nwant %s", stress, c[0], got, c[1])
			}
		}
	}
}

// TestDateTimeFormatLocation covers runs that have a zone; what the methods
// return is node's with that zone as TZ, but for zones that have no name.
func TestDateTimeFormatLocation(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	kolkata, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	const src = "attempt(() => [new F().resolvedOptions().timeZone, d.toLocaleString(), d.toLocaleTimeString('en', {timeZoneName: 'long'}), d].join(' | '))"
	for _, c := range []struct {
		loc  *time.Location
		want string
	}{
		{nil, "UTC | 3/5/2024, 12:08:09 AM | 12:08:09 AM Coordinated Universal Time | Tue Mar 05 2024 00:08:09 GMT+0000 (Coordinated Universal Time)"},
		{paris, "Europe/Paris | 3/5/2024, 1:08:09 AM | 1:08:09 AM Central European Standard Time | Tue Mar 05 2024 01:08:09 GMT+0100 (Central European Standard Time)"},
		{kolkata, "Asia/Calcutta | 3/5/2024, 5:38:09 AM | 5:38:09 AM India Standard Time | Tue Mar 05 2024 05:38:09 GMT+0530 (India Standard Time)"},
		{time.FixedZone("", -5400), "-01:30 | 3/4/2024, 10:38:09 PM | 10:38:09 PM GMT-01:30 | Mon Mar 04 2024 22:38:09 GMT-0130 (GMT-01:30)"},
	} {
		run := evaluator(t, vm.Options{Location: c.loc})
		run(dateTimePrelude)
		if got := run(src); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.loc, got, c.want)
		}
	}
}
