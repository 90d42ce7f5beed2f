package files

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPaths(t *testing.T) {
	const both, windows, posix = "both", "windows", "posix"
	long := strings.Repeat("n", 255)
	for _, c := range []struct {
		path string
		on   string
		want string // the names joined by "/", or "!" and the rule
	}{
		{"a.txt", both, "a.txt"},
		{"/a.txt", both, "a.txt"},
		{"/", both, ""},
		{".", both, ""},
		{"./", both, ""},
		{"a/b/../c", both, "a/c"},
		{"a/./b//c/", both, "a/b/c"},
		{"a/..", both, ""},
		{"...", posix, "..."},
		{"..a/b..", posix, "..a/b.."},
		{"a/~", both, "a/~"},
		{"./~x", both, "~x"},
		{"ä/日本語.txt", both, "ä/日本語.txt"},
		{long, both, long},
		{strings.Repeat("a/", 255), both, strings.TrimSuffix(strings.Repeat("a/", 255), "/")},
		{strings.Repeat("a/../", 500) + "b", both, "b"},

		{"", both, "!path:empty"},
		{"a\x00.txt", both, "!path:nul"},
		{"\x00", both, "!path:nul"},
		{"a\nb", both, "!path:control"},
		{"a\x7f", both, "!path:control"},
		{"a\u0085b", both, "!path:control"},
		{"a\u2028b", both, "!path:control"},
		{"a\xff", both, "!path:utf8"},
		{"a\xed\xa0\x80", both, "!path:utf8"}, // a lone surrogate
		{"..", both, "!path:escape"},
		{"../a", both, "!path:escape"},
		{"/..", both, "!path:escape"},
		{"a/../../b", both, "!path:escape"},
		{"../../../../etc/passwd", both, "!path:escape"},
		{"~", both, "!path:home"},
		{"~/x", both, "!path:home"},
		{"~root/x", both, "!path:home"},
		{"C:", both, "!path:drive"},
		{"C:x", both, "!path:drive"},
		{`C:\x`, both, "!path:drive"},
		{"c:/x", both, "!path:drive"},
		{"/c:/x", both, "!path:drive"},
		{`\c:\x`, both, "!path:drive"},
		{`\\server\share\x`, both, "!path:network"},
		{"//server/share", both, "!path:network"},
		{`/\server\share`, both, "!path:network"},
		{`\\?\C:\x`, both, "!path:device"},
		{`\\.\PIPE\x`, both, "!path:device"},
		{`\\?\UNC\server\share`, both, "!path:device"},
		{"//?/C:/x", both, "!path:device"},
		{"//./COM1", both, "!path:device"},
		{`\??\C:\x`, both, "!path:device"},
		{"file:///etc/passwd", both, "!path:url"},
		{"FILE:x", both, "!path:url"},
		{`a\b`, both, "!path:backslash"},
		{`..\..\x`, both, "!path:backslash"},
		{`\a`, both, "!path:backslash"},
		{long + "n", both, "!path:long"},
		{strings.Repeat("ü", 128), both, "!path:long"},
		{strings.Repeat("x/", 2049), both, "!path:long"},
		{strings.Repeat("a/", 10_000) + "b", both, "!path:long"},
		{strings.Repeat("a/", 256), both, "!path:deep"},

		{"CON", windows, "!path:reserved"},
		{"con", windows, "!path:reserved"},
		{"a/PRN", windows, "!path:reserved"},
		{"aux.js", windows, "!path:reserved"},
		{"NUL.", windows, "!path:reserved"},
		{"nul .txt", windows, "!path:reserved"},
		{"NUL.tar.gz", windows, "!path:reserved"},
		{"COM1", windows, "!path:reserved"},
		{"com9.txt", windows, "!path:reserved"},
		{"COM0", windows, "!path:reserved"},
		{"COM²", windows, "!path:reserved"},
		{"LPT¹.x", windows, "!path:reserved"},
		{"CONIN$", windows, "!path:reserved"},
		{"conout$", windows, "!path:reserved"},
		{"CON/../a", windows, "!path:reserved"},
		{"COM10", windows, "COM10"},
		{"CONSOLE", windows, "CONSOLE"},
		{"com", windows, "com"},
		{"LPT⁴", windows, "LPT⁴"},
		{"a.", windows, "!path:trailing"},
		{"a ", windows, "!path:trailing"},
		{"...", windows, "!path:trailing"},
		{". ./x", windows, "!path:trailing"},
		{"a. /x", windows, "!path:trailing"},
		{"a:stream", windows, "!path:drive"},
		{"file.txt:stream", windows, "!path:stream"},
		{"d/file.txt::$DATA", windows, "!path:stream"},
		{".git::$INDEX_ALLOCATION/config", windows, "!path:stream"},
		{"a*", windows, "!path:character"},
		{"what?", windows, "!path:character"},
		{"a|b", windows, "!path:character"},
		{"<a>", windows, "!path:character"},
		{`a"b`, windows, "!path:character"},
		{"GIT~1", windows, "!path:short-name"},
		{"PROGRA~1/x", windows, "!path:short-name"},
		{"LONGNA~1.PEM", windows, "!path:short-name"},
		{"a~b", windows, "a~b"},
		{"backup~", windows, "backup~"},
		{"report~1.backup", windows, "report~1.backup"},

		{"CON", posix, "CON"},
		{"aux.c", posix, "aux.c"},
		{"a. ", posix, "a. "},
		{"file.txt:stream", posix, "file.txt:stream"},
		{"what?*", posix, "what?*"},
		{"PROGRA~1", posix, "PROGRA~1"},
	} {
		for _, w := range []bool{false, true} {
			if c.on == windows && !w || c.on == posix && w {
				continue
			}
			names, err := cleanPath(c.path, w)
			got := strings.Join(names, "/")
			if err != nil {
				got = "!" + err.Rule
			}
			if got != c.want {
				t.Errorf("%.60q (Windows: %v) is %.60q, want %.60q", c.path, w, got, c.want)
			}
			if err == nil {
				continue
			}
			wantCode, wantReason := ErrPath, "bad argument: path"
			if err.Rule == "path:escape" {
				wantCode, wantReason = ErrOutside, "outside the granted folders"
			}
			if err.Code != wantCode || err.Reason != wantReason || err.Hint == "" {
				t.Errorf("%.60q: code %s, reason %q, hint %q", c.path, err.Code, err.Reason, err.Hint)
			}
		}
	}
}

func TestLinkTargets(t *testing.T) {
	for _, c := range []struct {
		path    string
		at      int
		target  string
		windows bool
		want    string
	}{
		{"a/l/c", 1, "b", false, "a/b/c"},
		{"a/l", 1, "../b", false, "b"},
		{"a/l", 1, "..", false, ""},
		{"a/l/x", 1, "./../a/b/", false, "a/b/x"},
		{"a/l", 1, "../..", false, "!link:escape"},
		{"l", 0, "../x", false, "!link:escape"},
		{"a/l/c", 1, "../b/../../x", false, "b/../../x/c"}, // b may be a link
		{"l", 0, "/etc/passwd", false, "!link:absolute"},
		{"l", 0, "/host/rootx/y", false, "!link:absolute"},
		{"l", 0, "/host/root", false, ""},
		{"a/l", 1, "/host/root/b/c", false, "b/c"},
		{"a/l", 1, "/host/root/../secret", false, "!link:escape"},
		{"a/l", 1, "/given/root/b", false, "b"},
		{"l", 0, `..\x`, true, "!link:escape"},
		{"a/l", 1, `..\b\c`, true, "b/c"},
		{"l", 0, `C:\Windows`, true, "!link:absolute"},
		{"l", 0, `\\server\share`, true, "!link:absolute"},
		{"l", 0, `sub\CON`, true, "!link:escape"},
		{"l", 0, `sub\x:stream`, true, "!link:escape"},
		{"l", 0, strings.Repeat("d/", 300), false, "!link:loop"},
	} {
		names, err := splice(strings.Split(c.path, "/"), c.at, c.target, []string{"/host/root", "/given/root"}, c.windows)
		got := strings.Join(names, "/")
		if err != nil {
			got = "!" + err.Rule
		}
		if got != c.want {
			t.Errorf("%s with a link to %.40q at %d leads to %q, want %q", c.path, c.target, c.at, got, c.want)
		}
	}
}

// What passes is a list of plain names, and writing it down again gives the same.
func FuzzPath(f *testing.F) {
	for _, s := range []string{
		"a/b", "/a", "../x", "~", `C:\x`, `\\?\x`, "//a/b", "a\x00", "CON", "a.", "x:y", "GIT~1", ".git/config",
		"a/./../b", "ﬁle", "\u202e", strings.Repeat("a/", 300), "file:///a", "a\xff", ".ｇｉｔ", "nul .txt", "COM¹",
	} {
		f.Add(s)
	}
	protect, err := compileProtect(DefaultProtect())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		for _, windows := range []bool{false, true} {
			names, e := cleanPath(path, windows)
			if e != nil {
				if e.Code != ErrPath && e.Code != ErrOutside || !strings.HasPrefix(e.Rule, "path:") || strings.Contains(e.Reason, path) && len(path) > 4 {
					t.Fatalf("%q: %+v", path, e)
				}
				continue
			}
			if len(names) > maxPathDepth {
				t.Fatalf("%q has %d names", path, len(names))
			}
			for _, n := range names {
				if n == "" || n == "." || n == ".." || strings.ContainsAny(n, "/\\\x00\n") || !utf8.ValidString(n) || len(n) > maxNameBytes {
					t.Fatalf("%q has the name %q", path, n)
				}
				if windows && (isReserved(n) || strings.ContainsAny(n, `:*?"<>|`) || strings.HasSuffix(n, ".") || strings.HasSuffix(n, " ")) {
					t.Fatalf("%q has the name %q on Windows", path, n)
				}
			}
			again, e := cleanPath("/"+strings.Join(names, "/"), windows)
			if e == nil && strings.Join(again, "/") != strings.Join(names, "/") {
				t.Fatalf("%q is %q, and that is %q", path, names, again)
			}
			if e != nil && checkPrefix("/"+strings.Join(names, "/")) == "" {
				t.Fatalf("%q is %q, which is refused: %+v", path, names, e)
			}
			// Case doesn't matter to what is protected.
			_, one := protect.find(names, 0)
			upper := make([]string, len(names))
			for i, n := range names {
				upper[i] = strings.ToUpper(n)
			}
			if _, other := protect.find(upper, 0); one && !other {
				t.Fatalf("%q is protected, and %q isn't", names, upper)
			}
			if windows {
				if out, e := splice(append(names, "l"), len(names), path, nil, true); e == nil {
					for _, n := range out {
						if n == "" || out[0] == ".." || strings.ContainsAny(n, `/\`) {
							t.Fatalf("a link to %q leads to %q", path, out)
						}
					}
				}
			}
		}
	})
}
