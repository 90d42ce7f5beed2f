package transpile_test

import (
	"testing"

	"github.com/pinfold-js/pinfold/ajs/transpile"
)

// FuzzTranspile: no source panics, and the properties of property_test.go hold.
func FuzzTranspile(f *testing.F) {
	for _, m := range mistakes {
		if len(m) < 500 {
			f.Add(wrap(m))
		}
	}
	for _, s := range []string{
		"/** Doc. @param a - x */\nasync function f({ a: { b?: [1] | null }, c = -1 }): { r: '' } { return { r: await a?.b?.map(({ x = 1, ...y }, i, z) => x)?.[i]?.trim?.() } }",
		"function h(x: 1, y?: 2): +1 { return x ?? y }\nfunction f(a, b = [a]) { while (a.every(h)) { a.sort((p, q) => h(p, q)) } return { [a]: `${h(a, b)}`, ...b } }",
		"function f({ xs }) { for (const x of xs.toSorted((a, b) => { if (a) { return 1 } })) { try { Error(x) } catch { console.warn(x, [x], { x }) } } var v = 1; v ||= xs.findIndex((x, i) => i); v-- }",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		properties(t, src, transpile.Options{})
		properties(t, src, transpile.Options{Original: true, Atoms: hostAtoms(), MaxSourceBytes: 1 << 15})
	})
}

// FuzzEval: the same for the code of Eval.
func FuzzEval(f *testing.F) {
	for _, s := range []string{"1 + a", "return a", "{ a }", "const x = [1].map(y => { return y })\nreturn x", "a ? storeGet({ key: 'k' }) : await b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		res, err := transpile.Eval(code, []string{"a", "b"}, false, transpile.Options{MaxSourceBytes: 8192})
		if err == nil {
			if _, err := res.Program.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
