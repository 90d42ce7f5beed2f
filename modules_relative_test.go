package pinfold_test

import (
	"context"
	"testing"

	"github.com/pinfold-js/pinfold"
)

// TestRelativeModules imports from folders: what a specifier means depends on the
// module that it stands in.
func TestRelativeModules(t *testing.T) {
	onTiers(t, func(*testing.T) pinfold.Options {
		return pinfold.Options{Modules: map[string]string{
			"lib/a.js":      "import { b } from './deep/b.ts'; import n from '../n.json'; import { own } from '../main.js'; export const a = () => [b, n, own()]",
			"lib/deep/b.ts": "export { b } from '../../b.js'",
			"b.js":          "export const b: string = 'no types here'.length",
			"n.json":        "7",
			"./odd.js":      "export default 'by its name'",
		}}
	}, func(t *testing.T, s *pinfold.Sandbox) {
		for source, want := range map[string]string{
			"import { a } from './lib/a.js'; export const own = () => 'own'; export default a":                                                 "",
			"export const own = () => 'own'; export default () => import('./odd.js').then(m => m.default)":                                     `"by its name"`,
			"export const own = () => 'own'; export default () => import('./lib/../n.json').then(m => m.default)":                              `7`,
			"export default () => import('../n.json').catch(e => e.message)":                                                                   `"Cannot load module '../n.json': available: ./odd.js, b.js, lib/a.js, lib/deep/b.ts, n.json"`,
			"export let own = 1; const mine = () => own; export { mine }; export default async () => (await import('./main.js')).mine() === 1": `true`,
		} {
			o := s.Eval(context.Background(), "main.js", source, nil)
			got := o.Value.String()
			if o.Failure != nil {
				got = o.Failure.Error()
			}
			if want == "" { // b.js has types: it is JavaScript by its name
				if o.Failure == nil || o.Failure.Kind != pinfold.ErrSyntax || o.Failure.File != "b.js" || o.Failure.Line != 1 {
					t.Errorf("%s\ngives %s", source, got)
				}
				continue
			}
			if got != want {
				t.Errorf("%s\ngives %s\nwant  %s", source, got, want)
			}
		}
	})
}
