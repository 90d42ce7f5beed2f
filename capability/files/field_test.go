package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/capability/files"
)

// The tests TestI1 to TestI15 are the cases of attacks on other sandboxes' files; what
// went wrong there is said at each.

const outside = "outside the granted folders"

// Symbolic links in the root that lead out of it were followed.
func TestI1(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"secret/key": "SECRET", "root/in": "", "root/file": "-> ../secret/key", "root/dir": "-> ../secret", "root/abs": "-> " + dir + "/secret/key",
			"root/chain": "-> chain2", "root/chain2": "-> dir/key", "root/deep/l": "-> ../../secret/key", "root/deep/fine": "-> ../in",
		})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})
		for path, rule := range map[string]string{
			"file": "link:escape", "dir/key": "link:escape", "dir/none": "link:escape", "abs": "link:absolute", "chain": "link:escape", "deep/l": "link:escape",
		} {
			_, err := read(f, path)
			refused(t, err, path, files.ErrOutside, outside, rule)
			refused(t, write(f, path, "X"), path, files.ErrOutside, outside, rule)
			_, err = f.Stat(ctx, path, files.StatOptions{})
			refused(t, err, path, files.ErrOutside, outside, rule)
			_, err = f.List(ctx, path, files.ListOptions{})
			refused(t, err, path, files.ErrOutside, outside, rule)
		}
		if _, err := read(f, "deep/fine"); err != nil {
			t.Error(err)
		}
		if l, err := f.Glob(ctx, "**", files.GlobOptions{}); err != nil || paths(l) != "deep/fine@ in" {
			t.Errorf("%s, %v", paths(l), err)
		}
		if got := content(t, dir, "secret/key"); got != "SECRET" {
			t.Errorf("the secret is %q", got)
		}
	})
}

// /allowed-evil passed for a part of /allowed.
func TestI2(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"allowed/a": "A", "allowed-evil/x": "X", "allowed/l": "-> " + dir + "/allowed-evil/x"})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "allowed"), Read: everything, Write: everything}}})
		_, err := read(f, "../allowed-evil/x")
		refused(t, err, "../allowed-evil/x", files.ErrOutside, outside, "path:escape")
		_, err = read(f, "l")
		refused(t, err, "l", files.ErrOutside, outside, "link:absolute")
		// The host's paths mean nothing: the root is the top.
		if _, err := read(f, dir+"/allowed-evil/x"); !errors.Is(err, files.ErrNotFound) && !errors.Is(err, files.ErrPath) {
			t.Error(err)
		}
		// Nor does a pattern grant a neighbour.
		g := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"allowed/**"}}}})
		_, err = read(g, "allowed-evil/x")
		refused(t, err, "allowed-evil/x", files.ErrOutside, outside, "grant")
		if got, err := read(g, "allowed/a"); err != nil || got != "A" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// The path was normalized as text, compared, and then opened by a system that
// followed the link in it.
func TestI3(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"secret": "SECRET", "root/sub/l": "-> ../..", "root/a": "A", "other/a": "WRONG", "root/o": "-> ../other"})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything}}})
		for _, path := range []string{"sub/l/secret", "./sub/../sub/l/secret", "sub/l/root/../secret", "o/a"} {
			_, err := read(f, path)
			refused(t, err, path, files.ErrOutside, outside, "link:escape")
		}
		// ".." is the parent in the text, never that of a link's target.
		if got, err := read(f, "o/../a"); err != nil || got != "A" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// A new file was written through a parent that was a link: it could not be resolved as it
// didn't exist, and that error was ignored.
func TestI4(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"away/": "", "root/l": "-> ../away", "root/broken": "-> ../away/new", "root/d/m": "-> ../l"})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})
		for _, path := range []string{"l/new", "l/none/new", "broken", "d/m/new"} {
			for _, mode := range []files.WriteMode{files.WriteAny, files.WriteNew, files.WriteExisting} {
				_, err := f.Write(ctx, path, []byte("X"), files.WriteOptions{Mode: mode, Append: mode == files.WriteAny})
				refused(t, err, path, files.ErrOutside, outside, "link:escape")
			}
		}
		if got := names(t, filepath.Join(dir, "away")); got != "" {
			t.Errorf("there is %s", got)
		}
	})
}

// Nothing configured meant that nothing was checked.
func TestI5(t *testing.T) {
	for name, cfg := range map[string]files.Config{
		"nothing":           {},
		"only limits":       {MaxFileBytes: 1 << 20},
		"only protected":    {Protect: []string{"x"}},
		"narrowed to none":  {Roots: []files.Root{{Dir: tempDir(t), Read: everything}}},
		"another root only": {Roots: []files.Root{{Name: "a", Dir: tempDir(t), Read: everything}}},
	} {
		f := open(t, cfg)
		if name == "narrowed to none" {
			var err error
			if f, err = f.Narrow(nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{"../../../../etc/passwd", "/etc/passwd", "etc/passwd", "a/../../etc/passwd"} {
			if _, err := read(f, path); !errors.Is(err, files.ErrOutside) {
				t.Errorf("%s: %q: %v", name, path, err)
			}
			if err := write(f, path, ""); !errors.Is(err, files.ErrOutside) {
				t.Errorf("%s: %q: %v", name, path, err)
			}
		}
	}
}

// A folder was denied, and what is below it wasn't.
func TestI6(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"a/b/c": "C", "denied/sub/x": "X", ".ssh/keys/k": "K"})
		f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything, Protect: []string{"denied/"}}}})
		for path, by := range map[string]string{"denied/sub/x": "denied/", "denied/sub/none/y": "denied/", "denied": "denied/", ".ssh/keys/k": ".ssh"} {
			_, err := read(f, path)
			refused(t, err, path, files.ErrProtected, "protected name", "protect:"+by)
			refused(t, write(f, path, ""), path, files.ErrProtected, "protected name", "protect:"+by)
		}
		// What isn't named isn't granted.
		g := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"a/b/*"}}}})
		for _, path := range []string{"a/b/c/d", "denied/sub/x", "a/x"} {
			_, err := read(g, path)
			refused(t, err, path, files.ErrOutside, outside, "grant")
		}
	})
}

// A link was checked when it was made, and led somewhere else after its parent had
// been moved.
func TestI7(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"secret": "SECRET", "root/a/b/l": "-> ../../secret", "root/secret": "INSIDE"})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})
		if got, err := read(f, "a/b/l"); err != nil || got != "INSIDE" {
			t.Errorf("%q, %v", got, err)
		}
		if err := os.Rename(filepath.Join(dir, "root/a/b"), filepath.Join(dir, "root/b")); err != nil {
			t.Fatal(err)
		}
		_, err := read(f, "b/l")
		refused(t, err, "b/l", files.ErrOutside, outside, "link:escape")
		refused(t, write(f, "b/l", ""), "b/l", files.ErrOutside, outside, "link:escape")
	})
}

// What was denied was compared with the path before the link in it was followed.
func TestI8(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"denied/secret": "S", "allowed/link": "-> ../denied/secret", "allowed/dir": "-> ../denied", "allowed/env": "-> ../.env", ".env": "E",
			"other/x": "X", "allowed/other": "-> ../other/x", "allowed/through": "-> ../denied/back", "denied/back": "-> ../allowed/fine", "allowed/fine": "F",
		})
		f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"allowed/**"}, Write: []string{"allowed/**"}, Protect: []string{"denied"}}}})
		for path, by := range map[string]string{"allowed/link": "denied", "allowed/dir/secret": "denied", "allowed/env": ".env*", "allowed/through": "denied"} {
			_, err := read(f, path)
			refused(t, err, path, files.ErrProtected, "protected name", "protect:"+by)
			refused(t, write(f, path, ""), path, files.ErrProtected, "protected name", "protect:"+by)
		}
		_, err := read(f, "allowed/other")
		refused(t, err, "allowed/other", files.ErrOutside, outside, "grant")
		if l, err := f.Glob(ctx, "**", files.GlobOptions{}); err != nil || paths(l) != "allowed/fine" {
			t.Errorf("%s, %v", paths(l), err)
		}
	})
}

// Where every entry is a link, the check and the use differed.
func TestI10(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"work": "-> real/workspace",
			"real/workspace/node_modules/.store/lodash@4/node_modules/lodash/index.js": "L",
			"real/workspace/node_modules/lodash":                                       "-> .store/lodash@4/node_modules/lodash",
			"real/workspace/packages/app/node_modules/lodash":                          "-> ../../../node_modules/lodash",
			"real/workspace/packages/app/node_modules/lib":                             "-> ../../lib",
			"real/workspace/packages/lib/main.js":                                      "M",
			"real/workspace/packages/lib/abs":                                          "-> " + dir + "/work/packages/lib/main.js",
			"real/workspace/packages/lib/real":                                         "-> " + dir + "/real/workspace/packages/lib/main.js",
		})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "work"), Read: everything, Write: everything}}})
		for path, want := range map[string]string{
			"node_modules/lodash/index.js": "L", "packages/app/node_modules/lodash/index.js": "L", "packages/app/node_modules/lib/main.js": "M",
			"packages/app/node_modules/lib/abs": "M", "packages/lib/real": "M",
		} {
			if got, err := read(f, path); err != nil || got != want {
				t.Errorf("%q: %q, %v", path, got, err)
			}
		}
		if err := write(f, "packages/app/node_modules/lib/main.js", "N"); err != nil || content(t, dir, "real/workspace/packages/lib/main.js") != "N" {
			t.Error(err)
		}
		// The root was resolved once: another link under its name changes nothing.
		disk(t, dir, map[string]string{"evil/packages/lib/main.js": "EVIL"})
		if err := os.Remove(filepath.Join(dir, "work")); err != nil {
			t.Fatal(err)
		}
		disk(t, dir, map[string]string{"work": "-> evil"})
		if got, err := read(f, "packages/lib/main.js"); err != nil || got != "N" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// An absolute link in a mounted folder led out of it.
func TestI11(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"mount/a": "A", "etc/passwd": "P", "mount/abs": "-> " + dir + "/etc/passwd", "mount/root": "-> /", "mount/etc": "-> /etc",
			"mount/up": "-> " + dir + "/mount/../etc/passwd", "mount/fine": "-> " + dir + "/mount/a",
		})
		f := open(t, files.Config{Roots: []files.Root{{Name: "m", Dir: filepath.Join(dir, "mount"), Read: everything, Write: everything}}})
		for path, rule := range map[string]string{
			"m/abs": "link:absolute", "m/root/etc/passwd": "link:absolute", "m/etc/passwd": "link:absolute", "m/up": "link:escape",
		} {
			_, err := read(f, path)
			refused(t, err, path, files.ErrOutside, outside, rule)
			refused(t, write(f, path, ""), path, files.ErrOutside, outside, rule)
		}
		if got, err := read(f, "m/fine"); err != nil || got != "A" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// Names and paths that systems treat specially.
func TestI13(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"outside": "O", "root/file": "F", "root/d/": "", "root/broken": "-> d/none", "root/out": "-> ../none"})
		if err := os.Link(filepath.Join(dir, "outside"), filepath.Join(dir, "root", "hard")); err != nil {
			t.Fatal(err)
		}
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})

		_, err := read(f, "file\x00.txt")
		refused(t, err, "file\x00.txt", files.ErrPath, "bad argument: path", "path:nul")
		_, err = read(f, "file\x00/../../outside")
		refused(t, err, "file\x00/../../outside", files.ErrPath, "bad argument: path", "path:nul")

		_, err = read(f, "hard")
		refused(t, err, "hard", files.ErrHardLink, "has other hard links", "file:hard-link")
		refused(t, write(f, "hard", "X"), "hard", files.ErrHardLink, "has other hard links", "file:hard-link")
		if content(t, dir, "outside") != "O" || content(t, dir, "root", "hard") != "O" {
			t.Error("the outside file has changed")
		}

		refused(t, write(f, "broken", "X"), "broken", files.ErrNotFound, "no such file", "link:dangling")
		refused(t, write(f, "out", "X"), "out", files.ErrOutside, outside, "link:escape")
		if names(t, dir) != "outside root" || names(t, filepath.Join(dir, "root", "d")) != "" {
			t.Error("a file was made through a broken link")
		}

		for _, path := range []string{strings.Repeat("a/", 10_000) + "x", "d/" + strings.Repeat("n", 256), strings.Repeat("d/", 300)} {
			if _, err := read(f, path); !errors.Is(err, files.ErrPath) {
				t.Errorf("%.20q: %v", path, err)
			}
			if err := write(f, path, ""); !errors.Is(err, files.ErrPath) {
				t.Errorf("%.20q: %v", path, err)
			}
		}
		// As long and as deep as can be, and nothing there.
		for _, path := range []string{strings.Repeat("n", 255), strings.Repeat("d/", files.MaxPathDepth-1) + "x"} {
			if _, err := read(f, path); !errors.Is(err, files.ErrNotFound) {
				t.Errorf("%.20q: %v", path, err)
			}
		}
		for _, path := range []string{"file.", "FILE", "file ", "./file::$DATA"} {
			// Another name is another file, if the system thinks so; never an error that
			// shows more.
			got, err := read(f, path)
			if err == nil && got != "F" || err != nil && !errors.Is(err, files.ErrNotFound) && !errors.Is(err, files.ErrPath) {
				t.Errorf("%q: %q, %v", path, got, err)
			}
		}
	})
}

// Systems that fold case or normalize find a file under many names. None of them finds a
// protected one.
func TestI13Names(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{".git/config": "G", ".env": "E", "Straße.key": "K", "é.txt": "1"})
	f := whole(t, dir)
	for _, path := range []string{
		".git/config", ".GIT/config", ".Git/CONFIG", ".g\u0131t/config", ".gi\u200dt/config", ".git./config", ".git /config", "git~1/config", "GIT~1/config",
		".ＧＩＴ/config", ".ENV", ".env\u2060", ".Env ", "./.env:x", "STRASSE.KEY", "strasse.\u212aey",
	} {
		if _, err := read(f, path); !errors.Is(err, files.ErrProtected) && !errors.Is(err, files.ErrPath) {
			t.Errorf("%q: %v", path, err)
		}
		if err := write(f, path, "X"); !errors.Is(err, files.ErrProtected) && !errors.Is(err, files.ErrPath) {
			t.Errorf("%q: %v", path, err)
		}
	}
	// What is searched for is found however the system stores it.
	for _, pattern := range []string{"é.txt", "e\u0301.txt"} {
		if l, err := f.Glob(ctx, pattern, files.GlobOptions{}); err != nil || len(l.Entries) != 1 || !utf8.ValidString(paths(l)) {
			t.Errorf("%+q: %s, %v", pattern, paths(l), err)
		}
	}
}

// The checks were in one layer only: each function here has all of them.
func TestI15(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		chain := map[string]string{"root/d/x": "X", "root/file": "F", "secret/s": "S", "root/away": "-> ../secret"}
		for i := range 60 {
			chain["root/l"+string(rune('A'+i))] = "-> l" + string(rune('A'+i+1))
		}
		chain["root/l"+string(rune('A'+60))] = "-> file"
		disk(t, dir, chain)
		f := open(t, files.Config{MaxFileBytes: 1000, Roots: []files.Root{{Name: "m", Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})
		all := func(path string) map[string]error {
			_, r := read(f, path)
			_, s := f.Stat(ctx, path, files.StatOptions{})
			_, l := f.List(ctx, path, files.ListOptions{})
			_, g := f.Glob(ctx, "**", files.GlobOptions{Dir: path})
			_, a := f.Write(ctx, path, []byte("x"), files.WriteOptions{Append: true})
			return map[string]error{"read": r, "stat": s, "list": l, "glob": g, "write": write(f, path, "x"), "append": a}
		}
		for path, code := range map[string]files.Code{
			"m/lA": files.ErrLinks, "m/away/s": files.ErrOutside, "m/away": files.ErrOutside, "m/.git": files.ErrProtected, "m/../../x": files.ErrOutside,
			"m\x00": files.ErrPath, "m/~/../..//../x": files.ErrOutside, "x": files.ErrOutside, "m/file/x": files.ErrNotDir,
		} {
			for fn, err := range all(path) {
				if !errors.Is(err, code) {
					t.Errorf("%s of %q: %v, want %s", fn, path, err, code)
				}
			}
		}
		// Forty links are enough.
		if got, err := read(f, "m/l"+string(rune('A'+21))); err != nil || got != "F" {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := read(f, "m/l"+string(rune('A'+20))); !errors.Is(err, files.ErrLinks) {
			t.Errorf("%q, %v", got, err)
		}
		// A file doesn't take the place of a folder.
		refused(t, write(f, "m/d", "x"), "m/d", files.ErrDirectory, "not a regular file", "file:directory")
		f.SetHooks(files.Hooks{})
		if content(t, dir, "root/d/x") != "X" {
			t.Error("the folder has gone")
		}
	})
}

// A folder that appears between the check and the rename isn't replaced.
func TestI15RenameOverFolder(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		for _, mode := range []files.WriteMode{files.WriteAny, files.WriteNew} {
			dir := tempDir(t)
			disk(t, dir, map[string]string{"keep": "K"})
			f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
			h := files.Hooks{Renaming: func() {
				if err := os.Mkdir(filepath.Join(dir, "new"), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
					t.Error(err)
				}
			}}
			f.AddHooks(h)
			_, err := f.Write(ctx, "new", []byte("x"), files.WriteOptions{Mode: mode})
			if !errors.Is(err, files.ErrDirectory) {
				t.Errorf("%v", err)
			}
			if got := names(t, dir); got != "keep new" {
				t.Errorf("there is %s", got)
			}
		}
	})
}
