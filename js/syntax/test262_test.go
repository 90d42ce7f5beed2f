package syntax_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/regexp"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// TestTest262 parses every test of test262's test/language and test/annexB and
// compares with what the test says about the parse phase. TEST262_DIR names a
// checkout; TEST262_LIST=1 lists every difference.
// checkSyntax checks a regular expression literal.
func checkSyntax(pattern, flags string) (string, error) {
	if err := regexp.CheckSyntax(pattern, flags, nil); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func TestTest262(t *testing.T) {
	dir := os.Getenv("TEST262_DIR")
	if dir == "" {
		t.Skip("TEST262_DIR isn't set: name a checkout of test262 to run this test")
	}
	total, failed := 0, 0
	var list []string
	for _, sub := range []string{"test/language", "test/annexB"} {
		err := filepath.WalkDir(filepath.Join(dir, sub), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".js") || strings.Contains(path, "_FIXTURE") {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(dir, path)
			for _, msg := range runTest262(rel, string(src)) {
				total++
				if msg != "" {
					failed++
					list = append(list, msg)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if os.Getenv("TEST262_LIST") != "" {
		for _, s := range list {
			t.Log(s)
		}
	}
	rate := 100 * float64(total-failed) / float64(total)
	t.Logf("%d runs, %d differ, %.2f %% agree", total, failed, rate)
	if rate < 99.9 {
		t.Errorf("only %.2f %% agree", rate)
	}
}

// runTest262 runs one test in the modes its flags ask for and returns one
// message a run, empty where all is as expected.
func runTest262(name, src string) []string {
	meta := src
	if i := strings.Index(src, "/*---"); i >= 0 {
		if j := strings.Index(src[i:], "---*/"); j >= 0 {
			meta = src[i : i+j]
		}
	}
	flags := map[string]bool{}
	if i := strings.Index(meta, "flags:"); i >= 0 {
		rest := meta[i+6:]
		if k := strings.IndexByte(rest, ']'); k >= 0 && strings.HasPrefix(strings.TrimSpace(rest), "[") {
			for _, f := range strings.FieldsFunc(rest[:k], func(r rune) bool { return strings.ContainsRune("[, \n]", r) }) {
				flags[f] = true
			}
		}
	}
	wantErr := false
	if i := strings.Index(meta, "negative:"); i >= 0 {
		neg := meta[i:min(len(meta), i+120)]
		wantErr = strings.Contains(neg, "phase: parse")
	}
	type mode struct {
		name, src string
		goal      syntax.Goal
	}
	var modes []mode
	switch {
	case flags["module"]:
		modes = append(modes, mode{"module", src, syntax.Module})
	case flags["raw"]:
		modes = append(modes, mode{"raw", src, syntax.Script})
	default:
		if !flags["onlyStrict"] {
			modes = append(modes, mode{"sloppy", src, syntax.Script})
		}
		if !flags["noStrict"] {
			modes = append(modes, mode{"strict", "\"use strict\";\n" + src, syntax.Script})
		}
	}
	var out []string
	for _, m := range modes {
		_, err := syntax.Parse(name, m.src, syntax.Options{Goal: m.goal, CheckRegExp: checkSyntax})
		switch {
		case wantErr && err == nil:
			out = append(out, fmt.Sprintf("%s (%s): accepted", name, m.name))
		case !wantErr && err != nil:
			out = append(out, fmt.Sprintf("%s (%s): %v", name, m.name, err))
		default:
			out = append(out, "")
		}
	}
	return out
}
