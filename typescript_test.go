package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
)

// TestNonErasable: TypeScript that needs code is compiled, in function bodies
// and in modules, unless the host refuses it.
func TestNonErasable(t *testing.T) {
	sources := []struct{ name, file, src, construct string }{
		{"enum", "", "enum E { A = 1, B }\nreturn E.B + E[1]", "enum"},
		{"namespace", "a.ts", "namespace N { export const x = 1; export const y = x + 1 }\nreturn N.y + 'A'", "namespace"},
		{"parameter property", "a.ts", "class C { constructor(readonly v: string) {} }\nreturn new C('2A').v", "parameter property"},
		{"module", "a.mts", "export enum E { A = 2 }\nexport default E.A + E[2]", "enum"},
	}
	compiles, err := pinfold.New(pinfold.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refuses, err := pinfold.New(pinfold.Options{RefuseNonErasable: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range sources {
		t.Run(tt.name, func(t *testing.T) {
			out := compiles.Eval(context.Background(), tt.file, tt.src, nil)
			if err := out.Err(); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(out.Value); got != `"2A"` {
				t.Errorf("value %s", got)
			}
			_, err := refuses.Compile(tt.file, tt.src)
			var f *pinfold.Failure
			if !errors.As(err, &f) || !strings.Contains(f.Message, tt.construct) || f.Hint == "" {
				t.Errorf("refused with %v", err)
			}
		})
	}
}
