package deptest

import (
	"slices"
	"strings"
	"testing"
)

// The VM of AJS has no parser of source inside, so a program can't make it parse
// anything but data and patterns: parsing happens where the host chose to. The
// program form and the atoms' descriptions are as free of it.
func TestAJSWithoutParser(t *testing.T) {
	parsers := []string{
		module + "/js/syntax", module + "/js/compiler", module + "/js", module + "/ajs/transpile", module + "/ajs", module,
		"go/parser", "go/ast", "text/template", "html/template",
	}
	for _, p := range []string{"ajs/vm", "ajs/ast", "ajs/atom", "ajs/regex"} {
		seen := 0
		for _, d := range list(t, "-deps", module+"/"+p) {
			if strings.HasPrefix(d.ImportPath, module) {
				seen++
			}
			if slices.Contains(parsers, d.ImportPath) {
				t.Errorf("%s imports %s", p, d.ImportPath)
			}
		}
		if seen == 0 {
			t.Errorf("%s: no packages", p)
		}
	}
	// The other half does parse: the test would see it.
	found := false
	for _, d := range list(t, "-deps", module+"/ajs/transpile") {
		found = found || d.ImportPath == module+"/js/syntax"
	}
	if !found {
		t.Error("ajs/transpile imports no parser")
	}
}
