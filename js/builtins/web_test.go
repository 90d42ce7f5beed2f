package builtins_test

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

//go:embed testdata/web/prelude.js
var webPrelude string

//go:embed testdata/web/cases.json
var webCases []byte

// webDifferences are the cases in which node 20 is not followed.
var webDifferences = map[string]string{
	`url("http://٠")`:        "the Bidi rule (RFC 5893 §2) wants a letter first",
	`url("z?#", "mailto:x")`: "a base with an opaque path takes nothing but a fragment (URL Standard §4.4)",
	decode96("koi8-u"):       "the index of the Encoding Standard has ў and Ў",
	decode96("windows-1253"): "the index has no 0xAA",
	decode32("windows-1252"): "node 20 takes it for ISO-8859-1",
}

func decode96(label string) string {
	return "new TextDecoder('" + label + "').decode(Uint8Array.from({length: 96}, (_, i) => i + 160))"
}

func decode32(label string) string {
	return "new TextDecoder('" + label + "').decode(Uint8Array.from({length: 32}, (_, i) => i + 128))"
}

// TestWeb compares with what node gave: see testdata/web/record.mjs.
func TestWeb(t *testing.T) {
	var cases [][2]string
	if err := json.Unmarshal(webCases, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 200 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, stress := range []bool{false, true} {
		mt := meter.New(nil, meter.Limits{Fuel: 1 << 30, LiveBytes: 256 << 20, Depth: 1000, NativeDepth: 500})
		m, err := js.NewMachine(mt, vm.Options{Stress: stress})
		if err != nil {
			t.Fatal(err)
		}
		run := func(src string) string {
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
		run(webPrelude)
		for _, c := range cases {
			got := run("attempt(() => (" + c[0] + "))")
			_, different := webDifferences[c[0]]
			if (got == c[1]) == different {
				t.Errorf("stress %v: %s\n got %s\nwant %s", stress, c[0], got, strings.ReplaceAll(c[1], "\n", "\\n"))
			}
		}
	}
}
