package transpile_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/ajs/transpile"
)

// language is the chapter about the language in docs/AJS.md.
func language(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/AJS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## The language\n")
	if !ok {
		t.Fatal("docs/AJS.md has no chapter about the language")
	}
	chapter, _, _ := strings.Cut(rest, "\n## ")
	return chapter
}

// TestLanguagePage: the page's programs are programs, and it fits into a
// prompt: at four letters to a token, under 1500 tokens.
func TestLanguagePage(t *testing.T) {
	chapter := language(t)
	if n := len(chapter) / 4; n > 1500 {
		t.Errorf("about %d tokens", n)
	}
	blocks := regexp.MustCompile("(?s)```ajs\n(.*?)```").FindAllStringSubmatch(chapter, -1)
	if len(blocks) == 0 {
		t.Error("no programs")
	}
	for _, b := range blocks {
		res, err := transpile.Transpile(b[1], transpile.Options{})
		if err != nil {
			t.Errorf("%v\n%s", err, b[1])
			continue
		}
		if len(res.Warnings) > 0 {
			t.Error(res.Warnings)
		}
	}
}

// TestLanguageTable: what stands left in the page's table is refused, what
// stands right is not.
func TestLanguageTable(t *testing.T) {
	frame := func(s string) string {
		return "function f({ o, xs, i, v, m, u, s }) {\n  " + strings.ReplaceAll(s, "\n", "\n  ") + "\n  return { o, xs }\n}"
	}
	for _, row := range [][2]string{
		{"for (let i = 0; i < 3; i++) {}", "let n = 0\nwhile (n < 3) { n = n + 1 }"},
		{"o.p = v", "o = { ...o, p: v }"},
		{"xs[i] = v", "xs = xs.with(i, v)"},
		{"const { a } = o", "const a = o.a"},
		{"switch (o) { case 1: }", "if (o == 1) {} else if (o == 2) {}"},
		{"throw new Error(m)", "Error(m)"},
		{"const q = new Map()", "const q = {}"},
		{"fetch(u)", "httpFetch({ url: u })"},
		{"const q = Promise.all(xs)", "const q = xs"},
		{"const q = 'k' in o", "const q = Object.hasOwn(o, 'k')"},
		{"try { o = 1 } finally { o = 2 }", "try { o = 1 } catch (e) {}\no = 2"},
		{"const q = /re/.test(s)", "const q = regexMatch({ pattern: 're', value: s })"},
	} {
		if _, err := transpile.Transpile(frame(row[0]), transpile.Options{}); err == nil {
			t.Errorf("%s is not refused", row[0])
		}
		if _, err := transpile.Transpile(frame(row[1]), transpile.Options{}); err != nil {
			t.Errorf("%s: %v", row[1], err)
		}
	}
}
