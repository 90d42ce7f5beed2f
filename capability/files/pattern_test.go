package files

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func mustPattern(t *testing.T, s string) pattern {
	t.Helper()
	p, err := compilePattern(s, nil)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return p
}

func split(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern  string
		yes, no  string // paths, by spaces
		below    string // folders in which something may match
		notBelow string
	}{
		{"**", "a a/b .a/.b", "", "a a/b", ""},
		{"*", "a .a", "a/b", "", "a"},
		{"a", "a", "b a/b A", "", "a b"},
		{"/a", "a", "b", "", "a"},
		{"./a/./b", "a/b", "a", "a", "b a/b"},
		{"a/", "a/b a/b/c", "a b", "a a/b", "b"},
		{"/", "a a/b", "", "a", ""},
		{"a/**", "a/b a/b/c", "a b/a", "a a/b", "b"},
		{"**/a", "a x/a x/y/a", "b a/b", "a x x/y", ""},
		{"**/*.md", "a.md x/b.md x/y/.md", "a.mdx x", "x x/y", ""},
		{"a/**/b", "a/b a/x/b a/x/y/b", "a/bx b", "a a/x a/b", "b x"},
		{"a/**/b/**/c", "a/b/c a/x/b/y/z/c a/b/b/c", "a/c a/b", "a a/b/c", "b"},
		{"*.{ts,js}", "a.ts b.js", "a.tsx a", "", ""},
		{"{src,lib}/**/*.{ts,js{,x}}", "src/a.ts lib/b/c.jsx src/d.js", "src/a.tsx x/a.ts", "src lib/x", "x"},
		{"a?c", "abc aüc", "ac abbc a/c", "", ""},
		{"[a-c]x", "ax cx", "dx x", "", ""},
		{"[!a-c]x", "dx üx", "ax", "", ""},
		{"[^a]", "b", "a", "", ""},
		{"[]]", "]", "a", "", ""},
		{"[a-]", "a -", "b", "", ""},
		{"[{]x[}]", "{x}", "x", "", ""},
		{"a**b", "ab axxb", "a/b", "", ""},
		{"*a*b*c*", "abc xaxbxcx", "acb", "", ""},
		{"**/**/a", "a x/a", "b", "x", ""},
	} {
		p := mustPattern(t, c.pattern)
		for _, s := range strings.Fields(c.yes) {
			if !p.match("", split(s)) {
				t.Errorf("%q doesn't match %q", c.pattern, s)
			}
			// The first name may come apart from the others.
			if n := split(s); !p.match(n[0], n[1:]) {
				t.Errorf("%q doesn't match %q and %q", c.pattern, n[0], n[1:])
			}
		}
		for _, s := range strings.Fields(c.no) {
			if p.match("", split(s)) {
				t.Errorf("%q matches %q", c.pattern, s)
			}
		}
		for _, s := range strings.Fields(c.below) {
			if !p.below("", split(s)) {
				t.Errorf("%q can't match below %q", c.pattern, s)
			}
		}
		for _, s := range strings.Fields(c.notBelow) {
			if p.below("", split(s)) {
				t.Errorf("%q can match below %q", c.pattern, s)
			}
		}
		if p.match("", nil) {
			t.Errorf("%q matches the root", c.pattern)
		}
	}
}

func TestBadPatterns(t *testing.T) {
	for _, s := range []string{
		"", ".", "!a", "..", "a/../b", "a\\b", "a\x00", "a\nb", "a\xff", "{a", "a}", "[a", "[]", "[!]", "[z-a]",
		strings.Repeat("a", 1025), strings.Repeat("{a,b}", 7), strings.Repeat("a/", 300), "{a,..}/b", "{,}",
		strings.Repeat("{", 500), "{" + strings.Repeat("a,", 100) + "}",
	} {
		if _, err := compilePattern(s, nil); err == nil {
			t.Errorf("%.40q is taken for a pattern", s)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"**", "a", true}, {"**", "**", true}, {"**", "a/**/b", true}, {"a/**", "a/b", true}, {"a/**", "a/**", true},
		{"a/**", "a", false}, {"a/**", "**", false}, {"a", "a", true}, {"*", "a", true}, {"*", "a/b", false}, {"*", "**", false},
		{"*.md", "x.md", true}, {"*.md", "x.*", false}, {"**/*.md", "docs/**/*.md", true}, {"**/*.md", "docs/x.md", true},
		{"{a,b}/**", "a/x", true}, {"{a,b}/**", "{b,a}/x", true}, {"{a,b}/**", "{a,c}/x", false}, {"a/*/c", "a/b/c", true},
		{"a/**/c", "a/b/**/c", true}, {"a/b/**/c", "a/**/c", false}, {"**/x/**", "**", false},
	} {
		a, b := mustPattern(t, c.a), mustPattern(t, c.b)
		if got := a.covers(&b); got != c.want {
			t.Errorf("%q covers %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// The longest path and the worst pattern that there are must not take longer
// than matching each position of one at each of the other.
func TestPatternWork(t *testing.T) {
	name := strings.Repeat("a", 255)
	evil := mustPattern(t, strings.Repeat("*a", 120)+"*b")
	names := make([]string, 255)
	for i := range names {
		names[i] = "a"
	}
	deep := mustPattern(t, strings.Repeat("**/a/", 100)+"b")
	done := make(chan bool)
	go func() {
		for range 100 {
			if evil.match("", []string{name}) || deep.match("", names) {
				t.Error("matched")
			}
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("matching doesn't end")
	}
}

func TestProtected(t *testing.T) {
	ps, err := compileProtect(append(DefaultProtect(), "secrets/", "/top.txt", "conf/*/passwords", "Straße"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want string // the pattern, "" for none
	}{
		{".git", ".git"},
		{".git/config", ".git"},
		{"a/.git/x/y", ".git"},
		{".GIT/config", ".git"},
		{".Git", ".git"},
		{".git.", ".git"},
		{".git ", ".git"},
		{".git . .", ".git"},
		{".git::$INDEX_ALLOCATION", ".git"},
		{".git:stream", ".git"},
		{".g\u200cit", ".git"},
		{"\u2060.git", ".git"},
		{".g\u0131t", ".git"}, // dotless i, whose capital is I
		{".ｇｉｔ", ".git"},
		{".gi\ufe0ft", ".git"},
		{"GIT~1", ".git"},
		{"git~1/config", ".git"},
		{".gitignore", ""},
		{"git", ""},
		{"git~x", ""},
		{".env", ".env*"},
		{".env.local", ".env*"},
		{".ENV.production", ".env*"},
		{"ENV~1.LOC", ".env*"},
		{"env", ""},
		{".ssh/known_hosts", ".ssh"},
		{".ßh", ".ssh"},
		{".\u017f\u017fh", ".ssh"}, // long s
		{"SSH~1", ".ssh"},
		{".aws/credentials", ".aws"},
		{".netrc", ".netrc"},
		{"NETRC~1", ".netrc"},
		{".npmrc", ".npmrc"},
		{"id_rsa", "id_*"},
		{"ID_ED25519", "id_*"},
		{"x/id_rsa.pub", "id_*"},
		{"ideas", ""},
		{"server.pem", "*.pem"},
		{"a/SERVER.PEM/x", "*.pem"},
		{"server.pem.", "*.pem"},
		{"server.pem:x", "*.pem"},
		{"x:.pem", "*.pem"},
		{"a.\u212aey", "*.key"}, // the Kelvin sign
		{"a.key", "*.key"},
		{"a.pfx", "*.pfx"},
		{"a.pemx", ""},
		{".pinfold-0123.tmp", ".pinfold-*.tmp"},
		{"secrets", "secrets/"},
		{"a/Secrets/b", "secrets/"},
		{"top.txt", "/top.txt"},
		{"TOP.TXT", "/top.txt"},
		{"a/top.txt", ""},
		{"conf/x/passwords/y", "conf/*/passwords"},
		{"Conf/x/PASSWORDS", "conf/*/passwords"},
		{"a/conf/x/passwords", ""},
		{"STRASSE", "Straße"},
		{"strasse", "Straße"},
		{"README.md", ""},
	} {
		got, ok := ps.find(split(c.path), 0)
		if ok != (c.want != "") || got != c.want {
			t.Errorf("%q is protected by %q, want %q", c.path, got, c.want)
		}
	}
}

// Names that are one by full case folding, by normalization or by compatibility are
// one to fold, for every letter.
func TestFold(t *testing.T) {
	full := cases.Fold()
	bad := 0
	for r := rune(0x20); r <= 0x1ffff; r++ {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !unicode.IsSymbol(r) {
			continue
		}
		s := "." + string(r) + "t"
		for how, same := range map[string]string{
			"folded": full.String(s), "upper": strings.ToUpper(s), "lower": strings.ToLower(s), "title": strings.ToTitle(s),
			"NFC": norm.NFC.String(s), "NFD": norm.NFD.String(s), "NFKC": norm.NFKC.String(s), "NFKD": norm.NFKD.String(s),
			"both": norm.NFD.String(full.String(norm.NFD.String(s))),
		} {
			if fold(same) != fold(s) {
				if bad++; bad < 20 {
					t.Errorf("%+q, %s %+q: %+q and %+q", s, how, same, fold(s), fold(same))
				}
			}
		}
		if fold(fold(s)) != fold(s) {
			t.Errorf("%+q is %+q and then %+q", s, fold(s), fold(fold(s)))
		}
	}
}
