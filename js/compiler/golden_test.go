package compiler_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/compiler"
	"github.com/pinfold-js/pinfold/js/syntax"
)

var update = flag.Bool("update", false, "rewrite the expected code in testdata")

const divider = "\n----\n"

// TestGolden compares the code of small sources with what testdata says. The
// first line of a file may name the goal: // module, // body, // eval, //
// completion, // strict.
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("no files in testdata")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src, want, _ := strings.Cut(string(text), divider)
			got := disassemble(t, src)
			if *update {
				if err := os.WriteFile(file, []byte(src+divider+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("the code has changed:\n%s\nwanted:\n%s", got, want)
			}
		})
	}
}

// compileText compiles a source whose first line says how.
func compileText(t *testing.T, src string, trace bool) (*bytecode.Program, error) {
	t.Helper()
	head, _, _ := strings.Cut(src, "\n")
	var po syntax.Options
	co := compiler.Options{Trace: trace}
	for _, w := range strings.Fields(strings.TrimPrefix(head, "//")) {
		if !strings.HasPrefix(head, "//") {
			break
		}
		switch w {
		case "module":
			po.Goal = syntax.Module
		case "body":
			po.Goal = syntax.FunctionBody
		case "eval":
			po.Goal = syntax.Eval
		case "completion":
			co.Completion = true
		case "strict":
			po.Strict = true
		case "typescript":
			po.TypeScript = true
		}
	}
	parse := syntax.Parse
	if po.Goal == syntax.FunctionBody {
		parse = syntax.ParseExpressionOrBody
	}
	p, err := parse("test.js", src, po)
	if err != nil {
		t.Fatal(err)
	}
	return compiler.Compile(p, co)
}

func disassemble(t *testing.T, src string) string {
	t.Helper()
	prog, err := compileText(t, src, false)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, e := range verify(prog) {
		t.Error(e)
	}
	prog.Disassemble(&b)
	return b.String()
}
