package pinfold_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
)

var update = flag.Bool("update", false, "write docs/ERRORS.md anew")

const errorsDocHead = `# Errors that teach

Broken programs, and what Pinfold says about them: the compact report, which is what a model should be given, and under it
what the full report adds (` + "`pinfold run --explain`, `Failure.FullReport`" + `). The values' origins come from running the failed
program once more with tracing; host functions are not called again for that.

The programs run with this input, and with a host function ` + "`getUser(id)`" + ` that knows the user 1 only:

` + "```json\n%s\n```" + `

This file is written by a test: ` + "`go test . -run TestErrorsDoc -update`" + `.
`

const errorsDocInput = `{"rows": [{"id": 1, "user": {"email": "ada@example.com"}}, {"id": 2, "usr": {"email": "bob@example.com"}}]}`

// TestErrorsDoc runs the broken programs of testdata/errors and compares their
// reports with docs/ERRORS.md.
func TestErrorsDoc(t *testing.T) {
	s := sandbox(t, pinfold.Options{
		Deterministic: true,
		Limits:        pinfold.Limits{Fuel: 2_000_000, MemoryBytes: 8 << 20},
		Functions: []pinfold.Function{{Name: "getUser", Async: true, Cancel: pinfold.Cooperative, Func: func(id int) (map[string]any, error) {
			if id != 1 {
				return nil, fmt.Errorf("there is no user %d", id)
			}
			return map[string]any{"id": 1, "name": "Ada"}, nil
		}}},
	})
	names, err := filepath.Glob("testdata/errors/*")
	if err != nil || len(names) < 25 {
		t.Fatal(len(names), "programs", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, errorsDocHead, errorsDocInput)
	for i, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)[3:]
		o := s.Eval(t.Context(), base, string(source), json.RawMessage(errorsDocInput))
		if o.Failure == nil {
			t.Errorf("%s didn't fail", name)
			continue
		}
		title := strings.TrimSuffix(base, filepath.Ext(base))
		fmt.Fprintf(&b, "\n## %d. %s\n\n````%s\n%s````\n\n", i+1, strings.ReplaceAll(title, "-", " "), filepath.Ext(base)[1:], source)
		compact, full := o.Failure.Report(), o.Failure.FullReport()
		fmt.Fprintf(&b, "```text\n%s```\n", compact)
		if at := extra(full); at >= 0 {
			fmt.Fprintf(&b, "\n```text\n%s```\n", full[at+1:])
		}
	}
	got := b.String()
	if *update {
		if err := os.WriteFile("docs/ERRORS.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("docs/ERRORS.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(string(want), "\r\n", "\n"), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("docs/ERRORS.md isn't what the programs report; run: go test . -run TestErrorsDoc -update\nline %d is now %q", i+1, line)
		}
	}
	if got != strings.Join(lines, "\n") {
		t.Error("docs/ERRORS.md has more than the programs report; run: go test . -run TestErrorsDoc -update")
	}
}

// extra is where the sections begin that only a full report has.
func extra(full string) int {
	for _, title := range []string{"value origin", "did you mean", "locals", "stack", "notes"} {
		if at := strings.Index(full, "\n "+title+":\n"); at >= 0 {
			return at
		}
	}
	return -1
}
