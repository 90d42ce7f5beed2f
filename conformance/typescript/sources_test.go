package typescript

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js"
)

var commonJS = regexp.MustCompile(`(?m)^(export = |(export )?import \w+ = require\()`)

// source is a line of what sources.mjs writes.
type source struct {
	Project, File, Text, JS string
	Module                  bool
	Errors                  []string
}

// code returns the code of a program as text, without places.
func code(text string, typed, module bool) (string, error) {
	o := js.CompileOptions{TypeScript: typed, NonErasable: js.CompileNonErasable}
	if module {
		o.Goal = js.Module
	}
	p, err := js.Compile("a.ts", text, o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range p.Requests {
		fmt.Fprintln(&b, "request", r.Specifier, r.Attributes)
	}
	p.Disassemble(&b)
	return b.String(), nil
}

// TestSources compares the code of real TypeScript files with the code of the
// JavaScript that TypeScript's own compiler makes of them, instruction by
// instruction. PINFOLD_TS_SOURCES names a file written by sources.mjs.
func TestSources(t *testing.T) {
	list := os.Getenv("PINFOLD_TS_SOURCES")
	if list == "" {
		t.Skip("set PINFOLD_TS_SOURCES to a file written by sources.mjs, which reads checkouts of TypeScript projects")
	}
	in, err := os.Open(list)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	type count struct{ same, refused, other, bad int }
	counts := map[string]*count{}
	for lines.Scan() {
		var s source
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		c := counts[s.Project]
		if c == nil {
			c = &count{}
			counts[s.Project] = c
		}
		got, err := code(s.Text, true, s.Module)
		if len(s.Errors) > 0 || commonJS.MatchString(s.Text) {
			// Not TypeScript, or not for modules of ECMAScript, in which
			// TypeScript drops such declarations: neither reading has to be right.
			if err != nil {
				c.refused++
			} else {
				c.other++
			}
			continue
		}
		want, wantErr := code(s.JS, false, s.Module)
		switch {
		case err != nil && wantErr != nil:
			c.refused++
		case err != nil:
			c.bad++
			t.Errorf("%s: %v", s.File, err)
		case wantErr != nil:
			c.other++
		case got != want:
			c.bad++
			t.Errorf("%s: the code differs: %s", s.File, difference(got, want))
		default:
			c.same++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		c := counts[name]
		t.Logf("%s: %d files with the same code, %d differ; with errors: %d refused here too, %d not", name, c.same, c.bad, c.refused, c.other)
	}
}

// difference shows the first lines that differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	fn := ""
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			w := "the end"
			if i < len(b) {
				w = b[i]
			}
			return fmt.Sprintf("in %s\n\t%q\n\t%q", fn, a[i], w)
		}
		if strings.HasPrefix(a[i], "f") {
			fn = a[i]
		}
	}
	return "it ends early"
}
