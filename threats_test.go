package pinfold_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/hostile"
)

// What docs/THREATS.md refers to is there: tests, files, rows of the attack table.
func TestThreats(t *testing.T) {
	b, err := os.ReadFile("docs/THREATS.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			if d != nil && d.IsDir() {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			tests[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, m := range regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(text, -1) {
		if names++; !tests[m[1]] {
			t.Errorf("there is no test %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("`([a-z][\\w/]*(?:\\.go|/\\w+))`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(m[1]); err != nil && !strings.HasPrefix(m[1], "golang.org") {
			t.Errorf("there is no %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^- Rows: (.*)$`).FindAllStringSubmatch(text, -1) {
		for row := range strings.SplitSeq(m[1], ", ") {
			if len(hostile.Select(row+"*")) == 0 {
				t.Errorf("there is no row %s", row)
			}
		}
	}
	ids := map[string]bool{}
	for _, section := range strings.Split(text, "\n### ")[1:] {
		section, _, _ = strings.Cut(section, "\n## ")
		id, _, _ := strings.Cut(section, " ")
		if !regexp.MustCompile(`^T-(MEM|CPU|ESC|HOST|DATA|SCH|STO|CST|SRC|DET|ISO)-\d{3}$`).MatchString(id) || ids[id] {
			t.Errorf("%s is no number of a threat, or is there twice", id)
		}
		ids[id] = true
		for _, part := range []string{"\n- Attack: ", "\n- Stops"} {
			if !strings.Contains(section, part) {
				t.Errorf("%s doesn't say %q", id, strings.Trim(part, "\n- :"))
			}
		}
		if !strings.Contains(section, "\n- Tests: ") && !strings.Contains(section, "\n- Left: all of it") {
			t.Errorf("%s has no test", id)
		}
	}
	if len(ids) < 25 || names < 80 {
		t.Errorf("%d threats with %d names of tests", len(ids), names)
	}
}
