package js_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/meter"
)

// The name and the message of an error may be errors, without an end. Describing
// them in a message once overflowed the Go stack.
func TestErrorsInErrors(t *testing.T) {
	for _, src := range []string{
		"const e = new Error('x'); e.message = e; throw e",
		"const e = new Error('x'); e.name = e; throw e",
		"const e = new Error('x'); e.message = e; Reflect.construct(e, [])",
		"const e = new Error('x'), d = new Error('y'); e.message = d; d.message = e; null[e]",
		"let e = new Error('x'); for (let i = 0; i < 1e5; i++) { const d = new Error; d.message = e; e = d } throw e",
	} {
		e := run(job{src: src, limits: meter.Limits{Depth: 100, NativeDepth: 100}})
		if e.kind != "throw" || len(e.text) > 1000 {
			t.Errorf("%s: %v %.100q", src, e, e.text)
		}
	}
}
