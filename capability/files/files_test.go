package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold/capability/files"
)

func TestRead(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"a.txt": "A", "d/b.txt": "B", "empty": "", "d/link": "-> b.txt", "dl": "-> d", "up": "-> d/../a.txt",
			"chain1": "-> chain2", "chain2": "-> dl/link", "sub/back": "-> ../d", "big": strings.Repeat("x", 1<<20),
		})
		f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything}}})
		for path, want := range map[string]string{
			"a.txt": "A", "/a.txt": "A", "./d//b.txt": "B", "d/../a.txt": "A", "empty": "", "d/link": "B", "dl/b.txt": "B",
			"dl/link": "B", "up": "A", "chain1": "B", "sub/back/link": "B", "big": strings.Repeat("x", 1<<20),
		} {
			var d files.Decision
			got, err := f.Read(ctx, path, files.ReadOptions{Decision: &d})
			if err != nil || string(got) != want {
				t.Errorf("%q: %.20q, %v", path, got, err)
			}
			if want := (files.Decision{Allowed: true, Op: files.OpRead, Path: path, Rule: "read:**"}); d != want {
				t.Errorf("%q: %+v, want %+v", path, d, want)
			}
			if got == nil {
				t.Errorf("%q: nil", path)
			}
		}
	})
}

// The messages are those of the specification, to the letter.
func TestMessages(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"in/a.txt": "12345", "other/x": "", "in/.env": "S", "in/d/": "", "in/loop1": "-> loop2", "in/loop2": "-> loop1",
			"in/broken": "-> nothing", "in/self": "-> self/x", "in/.GIT/config": "",
		})
		f := open(t, files.Config{MaxFileBytes: 8, MaxTotalRead: 14, MaxTotalWrite: 8, Roots: []files.Root{
			{Dir: dir, Read: []string{"in/**"}, Write: []string{"in/**"}},
		}})
		for _, c := range []struct {
			path   string
			code   files.Code
			reason string
			rule   string
		}{
			{"in/none", files.ErrNotFound, "no such file", "file:missing"},
			{"in/none/none", files.ErrNotFound, "no such file", "file:missing"},
			{"in/broken", files.ErrNotFound, "no such file", "link:dangling"},
			{"in/d", files.ErrDirectory, "not a regular file", "file:directory"},
			{"/", files.ErrDirectory, "not a regular file", "file:directory"},
			{"in/a.txt/x", files.ErrNotDir, "not a directory", "file:not-directory"},
			{"other/x", files.ErrOutside, "outside the granted folders", "grant"},
			{"other/none", files.ErrOutside, "outside the granted folders", "grant"},
			{"none", files.ErrOutside, "outside the granted folders", "grant"},
			{"../x", files.ErrOutside, "outside the granted folders", "path:escape"},
			{"in/.env", files.ErrProtected, "protected name", "protect:.env*"},
			{"in/.Env.none", files.ErrProtected, "protected name", "protect:.env*"},
			{"in/.git/config", files.ErrProtected, "protected name", "protect:.git"},
			{"in/loop1", files.ErrLinks, "too many links", "link:loop"},
			{"in/self", files.ErrLinks, "too many links", "link:loop"},
			{"", files.ErrPath, "bad argument: path", "path:empty"},
			{"in/a\x00.txt", files.ErrPath, "bad argument: path", "path:nul"},
			{"~/a.txt", files.ErrPath, "bad argument: path", "path:home"},
		} {
			var d files.Decision
			_, err := f.Read(ctx, c.path, files.ReadOptions{Decision: &d})
			refused(t, err, c.path, c.code, c.reason, c.rule)
			if want := (files.Decision{Op: files.OpRead, Path: c.path, Rule: c.rule}); d != want {
				t.Errorf("%q: %+v, want %+v", c.path, d, want)
			}
			if c.code == files.ErrNotFound && !strings.Contains(c.path, "none/") || c.path == "/" {
				continue // these may be written
			}
			n, err := f.Write(ctx, c.path, []byte("x"), files.WriteOptions{Decision: &d})
			if n != 0 || d.Allowed || d.Op != files.OpWrite {
				t.Errorf("%q: %d, %+v", c.path, n, d)
			}
			refused(t, err, c.path, c.code, c.reason, c.rule)
		}
		_, err := f.Read(ctx, "in/a.txt", files.ReadOptions{MaxBytes: 4})
		refused(t, err, "in/a.txt", files.ErrTooLarge, "too large (limit 4 bytes)", "limit:file-bytes")
		_, err = f.Read(ctx, "in/a.txt", files.ReadOptions{MaxBytes: -1})
		refused(t, err, "in/a.txt", files.ErrArgument, "bad argument: maxBytes", "limit:argument")
		refused(t, write(f, "in/a.txt", "123456789"), "in/a.txt", files.ErrTooLarge, "too large (limit 8 bytes)", "limit:file-bytes")
		for range 2 {
			if _, err := read(f, "in/a.txt"); err != nil {
				t.Error(err)
			}
		}
		_, err = read(f, "in/a.txt")
		refused(t, err, "in/a.txt", files.ErrQuota, "too many bytes read (limit 14 bytes in one run)", "limit:read-bytes")
		if err := write(f, "in/b.txt", "12345"); err != nil {
			t.Error(err)
		}
		refused(t, write(f, "in/b.txt", "1234"), "in/b.txt", files.ErrQuota, "too many bytes written (limit 8 bytes in one run)", "limit:write-bytes")
		if got := content(t, dir, "in/b.txt"); got != "12345" {
			t.Errorf("b.txt is %q", got)
		}
		if r, w := f.Used(); r != 10 || w != 5 {
			t.Errorf("used %d and %d bytes", r, w)
		}
		g := f.ForRun()
		if got, err := read(g, "in/a.txt"); err != nil || got != "12345" {
			t.Errorf("another run reads %q, %v", got, err)
		}
	})
}

func TestErrorsOfPackageFS(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"a": "A"})
	f := whole(t, dir)
	_, err := read(f, "none")
	if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, files.ErrOutside) {
		t.Errorf("%v isn't fs.ErrNotExist", err)
	}
	_, err = f.Write(ctx, "a", nil, files.WriteOptions{Mode: files.WriteNew})
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v isn't fs.ErrExist", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	_, err = f.Read(gone, "a", files.ReadOptions{})
	refused(t, err, "a", files.ErrCancelled, "the run has ended", "system:cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v isn't context.Canceled", err)
	}
	g, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: everything}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err = read(g, "a"); !errors.Is(err, fs.ErrClosed) || !errors.Is(err, files.ErrClosed) {
		t.Errorf("%v isn't fs.ErrClosed", err)
	}
}

func TestWrite(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"old": "OLD", "d/": "", "link": "-> old", "dl": "-> d", "ro": "R", "broken": "-> d/none", "far": "-> none/none",
		})
		if err := os.Chmod(filepath.Join(dir, "ro"), 0o444); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "old"), 0o640); err != nil {
			t.Fatal(err)
		}
		f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
		for _, c := range []struct {
			path, data string
			opt        files.WriteOptions
			file, want string
		}{
			{"new", "1", files.WriteOptions{}, "new", "1"},
			{"/new", "2", files.WriteOptions{}, "new", "2"},
			{"new", "3", files.WriteOptions{Append: true}, "new", "23"},
			{"added", "4", files.WriteOptions{Append: true}, "added", "4"},
			{"old", "N", files.WriteOptions{Mode: files.WriteExisting}, "old", "N"},
			{"d/n", "5", files.WriteOptions{Mode: files.WriteNew}, "d/n", "5"},
			{"dl/m", "6", files.WriteOptions{}, "d/m", "6"},
			{"link", "7", files.WriteOptions{}, "old", "7"},
			{"link", "8", files.WriteOptions{Append: true, Mode: files.WriteExisting}, "old", "78"},
			{"empty", "", files.WriteOptions{}, "empty", ""},
			{"big", strings.Repeat("b", 1<<20), files.WriteOptions{}, "big", strings.Repeat("b", 1<<20)},
		} {
			n, err := f.Write(ctx, c.path, []byte(c.data), c.opt)
			if err != nil || n != int64(len(c.data)) {
				t.Errorf("%q: %d, %v", c.path, n, err)
			}
			if got := content(t, dir, c.file); got != c.want {
				t.Errorf("%q: %s is %.20q", c.path, c.file, got)
			}
		}
		for _, c := range []struct {
			path   string
			mode   files.WriteMode
			code   files.Code
			reason string
			rule   string
		}{
			{"none", files.WriteExisting, files.ErrNotFound, "no such file", "file:missing"},
			{"none/x", files.WriteAny, files.ErrNotFound, "no such file", "file:missing"},
			{"old", files.WriteNew, files.ErrExists, "file exists", "file:exists"},
			{"d", files.WriteAny, files.ErrDirectory, "not a regular file", "file:directory"},
			{"dl", files.WriteAny, files.ErrDirectory, "not a regular file", "file:directory"},
			{".", files.WriteAny, files.ErrDirectory, "not a regular file", "file:directory"},
			{"broken", files.WriteAny, files.ErrNotFound, "no such file", "link:dangling"},
			{"far", files.WriteAny, files.ErrNotFound, "no such file", "file:missing"},
			{"ro", files.WriteAny, files.ErrPermission, "the file is read-only", "file:read-only"},
			{".npmrc", files.WriteAny, files.ErrProtected, "protected name", "protect:.npmrc"},
			{".pinfold-00.tmp", files.WriteAny, files.ErrProtected, "protected name", "protect:.pinfold-*.tmp"},
			{"old", 9, files.ErrArgument, "bad argument: mode", "limit:argument"},
		} {
			_, err := f.Write(ctx, c.path, []byte("x"), files.WriteOptions{Mode: c.mode})
			refused(t, err, c.path, c.code, c.reason, c.rule)
		}
		if fi, err := os.Stat(filepath.Join(dir, "old")); err != nil || !files.IsWindows && fi.Mode().Perm() != 0o640 {
			t.Errorf("the permissions are %v, %v", fi.Mode(), err)
		}
		if fi, err := os.Lstat(filepath.Join(dir, "link")); err != nil || fi.Mode().Type() != fs.ModeSymlink {
			t.Errorf("the link is %v, %v", fi.Mode(), err)
		}
		l, err := f.List(ctx, "/", files.ListOptions{})
		if want := "added big d/ dl/@ empty link@ new old ro"; err != nil || paths(l) != want {
			t.Errorf("there is %s, want %s; %v", paths(l), want, err)
		}
		left, err := filepath.Glob(filepath.Join(dir, ".pinfold*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left over: %v, %v", left, err)
		}
	})
}

// Nothing is written if the context ends before the new file is in its place.
func TestWriteUndone(t *testing.T) {
	for _, path := range []string{"old", "new"} {
		dir := tempDir(t)
		disk(t, dir, map[string]string{"old": "OLD"})
		f := whole(t, dir)
		run, end := context.WithCancel(ctx)
		renaming := 0
		f.SetHooks(files.Hooks{Renaming: func() {
			renaming++
			left, err := filepath.Glob(filepath.Join(dir, ".pinfold*"))
			if err != nil || len(left) != 1 {
				t.Errorf("there is no new file yet: %v, %v", left, err)
			}
			end()
		}})
		_, err := f.Write(run, path, []byte("NEW"), files.WriteOptions{})
		if !errors.Is(err, files.ErrCancelled) || !errors.Is(err, context.Canceled) {
			t.Errorf("%q: %v", path, err)
		}
		// It doesn't come back before all is undone.
		if n := f.Stuck(); n != 0 {
			t.Errorf("%q: %d calls are still at work", path, n)
		}
		if renaming != 1 {
			t.Errorf("%q: %d renames were tried", path, renaming)
		}
		if got := names(t, dir); got != "old" {
			t.Errorf("%q: there is %s", path, got)
		}
		if got := content(t, dir, "old"); got != "OLD" {
			t.Errorf("%q: old is %q", path, got)
		}
		if _, w := f.Used(); w != 0 {
			t.Errorf("%q: %d bytes count as written", path, w)
		}
	}
}

func waitUntil(t *testing.T, done func() bool) {
	t.Helper()
	for !done() {
		if t.Context().Err() != nil {
			t.Fatal("it never happened")
		}
		runtime.Gosched()
	}
}

func names(t testing.TB, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestTidy(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		const old, young = ".pinfold-0123456789abcdef.tmp", ".pinfold-fedcba9876543210.tmp"
		disk(t, dir, map[string]string{
			"out/" + old: "", "out/" + young: "", "out/d/e/" + old: "", "in/" + old: "", "out/.pinfold-x.tmp": "", "out/plain": "", "out/.git/" + old: "",
			"out/folder/" + old + "/": "", "out/l": "-> ../in", "out/" + old + "x": "",
		})
		long := time.Now().Add(-time.Hour)
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && e.Name() != young {
				err = os.Chtimes(path, long, long)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: []string{"out/**"}}}})
		if n, err := f.Tidy(ctx, time.Minute); err != nil || n != 2 {
			t.Errorf("%d, %v", n, err)
		}
		for path, want := range map[string]string{
			"out": ".git .pinfold-0123456789abcdef.tmpx .pinfold-fedcba9876543210.tmp .pinfold-x.tmp d folder l plain",
			"in":  old, "out/.git": old, "out/folder": old, "out/d/e": "",
		} {
			if got := names(t, filepath.Join(dir, path)); got != want {
				t.Errorf("in %s there is %s, want %s", path, got, want)
			}
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := f.Tidy(gone, 0); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestNothingGranted(t *testing.T) {
	f, err := files.New(files.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"a", "/etc/passwd", "../../../../etc/passwd"} {
		if _, err := read(f, p); !errors.Is(err, files.ErrOutside) {
			t.Errorf("%q: %v", p, err)
		}
		if err := write(f, p, ""); !errors.Is(err, files.ErrOutside) {
			t.Errorf("%q: %v", p, err)
		}
		if _, err := f.Stat(ctx, p, files.StatOptions{}); !errors.Is(err, files.ErrOutside) {
			t.Errorf("%q: %v", p, err)
		}
	}
	if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || len(l.Entries) != 0 || l.Entries == nil {
		t.Errorf("%v, %v", l, err)
	}
	if l, err := f.Glob(ctx, "**", files.GlobOptions{}); err != nil || len(l.Entries) != 0 {
		t.Errorf("%v, %v", l, err)
	}
}

// Where files can't be opened safely, nothing can be granted.
func TestUnsupported(t *testing.T) {
	if files.Supported {
		t.Skip("this system has a safe way to open files")
	}
	err := files.Config{Roots: []files.Root{{Dir: "/", Read: everything}}}.Validate()
	var e *files.ConfigError
	if !errors.As(err, &e) || !e.Has(files.ProblemUnsupported) {
		t.Error(err)
	}
}

func TestReadAndWriteApart(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"in/a": "A", "out/b": "B", "x": "X"})
	f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"in/**"}, Write: []string{"out/**"}}}})
	if got, err := read(f, "in/a"); err != nil || got != "A" {
		t.Errorf("%q, %v", got, err)
	}
	_, err := read(f, "out/b")
	refused(t, err, "out/b", files.ErrOutside, "outside the granted folders", "grant")
	refused(t, write(f, "in/a", ""), "in/a", files.ErrOutside, "outside the granted folders", "grant")
	if err := write(f, "out/b", "N"); err != nil {
		t.Error(err)
	}
	// What may be extended need not be readable.
	if _, err := f.Write(ctx, "out/b", []byte("M"), files.WriteOptions{Append: true}); err != nil || content(t, dir, "out/b") != "NM" {
		t.Error(err)
	}
	if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "in/" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if _, err := f.List(ctx, "out", files.ListOptions{}); !errors.Is(err, files.ErrOutside) {
		t.Errorf("%v", err)
	}
}

func TestNarrow(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"data/a.md": "A", "data/b.txt": "B", "src/c.md": "C", "other/x/d.md": "D"})
	f := open(t, files.Config{MaxTotalRead: 100, Roots: []files.Root{
		{Dir: dir, Read: []string{"data/**", "src/**"}, Write: []string{"data/**"}},
		{Name: "docs", Dir: filepath.Join(dir, "other"), Read: everything},
	}})
	can := func(f *files.FS, path string) (string, string) {
		r, w := "-", "-"
		if _, err := read(f, path); err == nil {
			r = "r"
		} else if !errors.Is(err, files.ErrOutside) {
			t.Errorf("%q: %v", path, err)
		}
		if err := write(f, path, "x"); err == nil {
			w = "w"
		} else if !errors.Is(err, files.ErrOutside) {
			t.Errorf("%q: %v", path, err)
		}
		return r, w
	}
	narrow := func(f *files.FS, err error) *files.FS {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	all := []string{"data/a.md", "data/b.txt", "src/c.md", "docs/x/d.md"}
	for _, c := range []struct {
		name string
		f    *files.FS
		want string
	}{
		{"as granted", f, "rw rw r- r-"},
		{"to all", narrow(f.Narrow([]string{"**"})), "rw rw r- r-"},
		{"to nothing", narrow(f.Narrow(nil)), "-- -- -- --"},
		{"to .md", narrow(f.Narrow([]string{"**/*.md"})), "rw -- r- r-"},
		{"to .md below data", narrow(narrow(f.Narrow([]string{"**/*.md"})).Narrow([]string{"data/**"})), "rw -- -- --"},
		{"can't widen", narrow(narrow(f.Narrow([]string{"src/**"})).Narrow([]string{"**", "/", "data/**"})), "-- -- r- --"},
		{"not to read", narrow(f.NarrowRead(nil)), "-w -w -- --"},
		{"not to write", narrow(f.NarrowWrite(nil)), "r- r- r- r-"},
		{"a root's name", narrow(f.Narrow([]string{"docs/**"})), "-- -- -- r-"},
		{"not without it", narrow(f.Narrow([]string{"x/**"})), "-- -- -- --"},
	} {
		var got []string
		for _, p := range all {
			r, w := can(c.f.ForRun(), p)
			got = append(got, r+w)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	if _, err := f.Narrow([]string{"../x"}); err == nil {
		t.Error("a bad pattern is taken")
	}
	// The quota is one.
	g := narrow(f.Narrow([]string{"**"}))
	if _, err := read(g, "src/c.md"); err != nil {
		t.Error(err)
	}
	if a, _ := f.Used(); a != 1 {
		t.Errorf("%d bytes count", a)
	}
	l, err := narrow(f.Narrow([]string{"docs/**", "data/*.txt"})).Glob(ctx, "**", files.GlobOptions{})
	if err != nil || paths(l) != "data/b.txt docs/x/d.md" {
		t.Errorf("%s, %v", paths(l), err)
	}
}

func TestUncovered(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"a/": "", "b/": ""})
	f := open(t, files.Config{Roots: []files.Root{
		{Dir: dir, Read: []string{"data/**", "*.md"}, Write: []string{"out/**"}},
		{Name: "docs", Dir: filepath.Join(dir, "a"), Read: everything},
		{Name: "part", Dir: filepath.Join(dir, "b"), Read: []string{"x/**"}},
	}})
	for _, c := range []struct {
		op      files.Op
		pattern string
		want    bool
	}{
		{files.OpRead, "data/**", true}, {files.OpRead, "data/x/*.csv", true}, {files.OpRead, "README.md", true},
		{files.OpRead, "docs/**", true}, {files.OpRead, "docs/a.md", true}, {files.OpRead, "part/x/y", true},
		{files.OpRead, "part/**", false}, {files.OpRead, "**", false}, {files.OpRead, "out/a", false}, {files.OpRead, "*/x/a", false},
		{files.OpRead, "../x", false}, {files.OpWrite, "out/a", true}, {files.OpWrite, "data/a", false}, {files.OpWrite, "docs/a", false},
	} {
		if got := len(f.Uncovered(c.op, []string{c.pattern})) == 0; got != c.want {
			t.Errorf("%s %q is covered: %v", c.op, c.pattern, got)
		}
	}
	g, err := f.Narrow([]string{"data/x/**"})
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Uncovered(files.OpRead, []string{"data/**", "data/x/y"}); len(got) != 1 || got[0] != "data/**" {
		t.Errorf("uncovered: %q", got)
	}
}

func TestNamedRoots(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{
		"top/a": "A", "top/data/hidden": "H", "data/b": "B", "data/up": "-> ../top/a", "data/sub/c": "C", "top/into": "-> data/hidden",
	})
	f := open(t, files.Config{Roots: []files.Root{
		{Dir: filepath.Join(dir, "top"), Read: everything},
		{Name: "data", Dir: filepath.Join(dir, "data"), Read: everything},
	}})
	for path, want := range map[string]string{"a": "A", "data/b": "B", "/data/sub/c": "C", "data/../a": "A"} {
		var d files.Decision
		got, err := f.Read(ctx, path, files.ReadOptions{Decision: &d})
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", path, got, err)
		}
		if (d.Root == "data") != (want != "A") {
			t.Errorf("%q: %+v", path, d)
		}
	}
	_, err := read(f, "data/up")
	refused(t, err, "data/up", files.ErrOutside, "outside the granted folders", "link:escape")
	if _, err := read(f, "data/hidden"); !errors.Is(err, files.ErrNotFound) {
		t.Errorf("the hidden folder: %v", err)
	}
	for path, want := range map[string]string{"/": "a data/ into@", "data": "data/b data/sub/", "data/sub": "data/sub/c"} {
		if l, err := f.List(ctx, path, files.ListOptions{}); err != nil || paths(l) != want {
			t.Errorf("%q: %s, want %s; %v", path, paths(l), want, err)
		}
	}
	if l, err := f.Glob(ctx, "**", files.GlobOptions{}); err != nil || paths(l) != "a data/b data/sub/c into@" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if e, err := f.Stat(ctx, "data", files.StatOptions{}); err != nil || e.Kind != files.KindDirectory || e.Path != "data" {
		t.Errorf("%+v, %v", e, err)
	}

	g := open(t, files.Config{Roots: []files.Root{{Name: "data", Dir: filepath.Join(dir, "data"), Read: everything}}})
	if l, err := g.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "data/" {
		t.Errorf("%s, %v", paths(l), err)
	}
	_, err = read(g, "a")
	refused(t, err, "a", files.ErrOutside, "outside the granted folders", "grant")
	if l, err := g.Glob(ctx, "*/b", files.GlobOptions{}); err != nil || paths(l) != "data/b" {
		t.Errorf("%s, %v", paths(l), err)
	}
}

func TestListings(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"root/a.md": "12", "root/b.txt": "", "root/.env": "", "root/.git/HEAD": "", "root/d/e.md": "", "root/d/f/g.md": "",
			"root/d/f/h.txt": "", "root/secret/x": "", "root/out": "-> ../outside", "root/in": "-> d/e.md", "root/dirlink": "-> d",
			"root/broken": "-> nothing", "root/hidden": "-> secret/x", "root/loop": "-> loop", "outside": "O", "root/d/round": "-> ..",
			"root/z/": "",
		})
		f := open(t, files.Config{Roots: []files.Root{{Dir: filepath.Join(dir, "root"),
			Read: []string{"*", "d/**", "z/**"}, Protect: []string{"hidden.*"}}}})
		for path, want := range map[string]string{
			"/": "a.md b.txt d/ in@ z/", "d": "d/e.md d/f/ d/round/@", "z": "", "d/round/d/f": "d/round/d/f/g.md d/round/d/f/h.txt",
		} {
			var d files.Decision
			l, err := f.List(ctx, path, files.ListOptions{Decision: &d})
			if err != nil || paths(l) != want || !d.Allowed {
				t.Errorf("%q: %s, want %s; %v %+v", path, paths(l), want, err, d)
			}
		}
		for _, c := range []struct{ pattern, dir, want string }{
			{"**/*.md", "", "a.md d/e.md d/f/g.md"},
			{"*.md", "d", "d/e.md"},
			{"**", "d/f", "d/f/g.md d/f/h.txt"},
			{"**", "", "a.md b.txt d/e.md d/f/g.md d/f/h.txt in@"},
			{"d/*/*.{md,txt}", "/", "d/f/g.md d/f/h.txt"},
			{"**/.env", "", ""},
			{"secret/**", "", ""},
			{"none/**", "", ""},
			{"**/*.md", "z", ""},
			{"g.md", "d/round/d/f", "d/f/g.md"},
		} {
			l, err := f.Glob(ctx, c.pattern, files.GlobOptions{Dir: c.dir})
			if err != nil || paths(l) != c.want {
				t.Errorf("%q in %q: %s, want %s; %v", c.pattern, c.dir, paths(l), c.want, err)
			}
			for _, e := range l.Entries {
				if _, err := read(f, e.Path); err != nil {
					t.Errorf("%q is listed, and can't be read: %v", e.Path, err)
				}
			}
		}
		for _, c := range []struct {
			path   string
			code   files.Code
			reason string
			rule   string
		}{
			{"secret", files.ErrOutside, "outside the granted folders", "grant"},
			{".git", files.ErrProtected, "protected name", "protect:.git"},
			{"a.md", files.ErrNotDir, "not a directory", "file:not-directory"},
			{"d/none", files.ErrNotFound, "no such file", "file:missing"},
			{"out", files.ErrOutside, "outside the granted folders", "link:escape"},
			// As a folder, it isn't granted by *, although what it leads to is granted.
			{"dirlink", files.ErrOutside, "outside the granted folders", "grant"},
			{"hidden", files.ErrOutside, "outside the granted folders", "grant"},
		} {
			_, err := f.List(ctx, c.path, files.ListOptions{})
			refused(t, err, c.path, c.code, c.reason, c.rule)
		}
		if e, err := f.Stat(ctx, "in", files.StatOptions{}); err != nil || !e.Link || e.Kind != files.KindFile {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

func TestListingBounds(t *testing.T) {
	dir := tempDir(t)
	entries := map[string]string{"deep/1/2/3/4/x": ""}
	for i := range 30 {
		entries[fmt.Sprintf("many/f%02d", i)] = ""
	}
	disk(t, dir, entries)
	f := open(t, files.Config{MaxEntries: 20, MaxDepth: 4, Roots: []files.Root{{Dir: dir, Read: everything}}})
	l, err := f.List(ctx, "many", files.ListOptions{MaxEntries: 3})
	if err != nil || paths(l) != "many/f00 many/f01 many/f02 cut:entries" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if l, err = f.List(ctx, "many", files.ListOptions{MaxEntries: 1000}); err != nil || len(l.Entries) != 20 || l.Cut != files.CutEntries {
		t.Errorf("%s, %v", paths(l), err)
	}
	if l, err = f.Glob(ctx, "many/*", files.GlobOptions{MaxEntries: 2}); err != nil || paths(l) != "many/f00 many/f01 cut:entries" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if l, err = f.Glob(ctx, "deep/**", files.GlobOptions{}); err != nil || paths(l) != "cut:depth" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if l, err = f.Glob(ctx, "**", files.GlobOptions{Dir: "deep/1", MaxDepth: 3}); err != nil || paths(l) != "deep/1/2/3/4/x" {
		t.Errorf("%s, %v", paths(l), err)
	}
	_, err = f.Glob(ctx, "[", files.GlobOptions{})
	refused(t, err, ".", files.ErrPattern, "bad argument: pattern", "limit:pattern")
	_, err = f.List(ctx, "many", files.ListOptions{MaxEntries: -1})
	refused(t, err, "many", files.ErrArgument, "bad argument: maxEntries", "limit:argument")
	g := open(t, files.Config{MaxVisit: 10, MaxEntries: 10, Roots: []files.Root{{Dir: dir, Read: everything}}})
	if l, err = g.List(ctx, "many", files.ListOptions{}); err != nil || len(l.Entries) != 10 || l.Cut != files.CutVisit {
		t.Errorf("%s, %v", paths(l), err)
	}
	if l, err = g.Glob(ctx, "**", files.GlobOptions{}); err != nil || l.Cut != files.CutVisit {
		t.Errorf("%s, %v", paths(l), err)
	}
}

func TestStat(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"d/a": "12345", "l": "-> d/a", "x": ""})
	f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"d/**", "l"}}}})
	e, err := f.Stat(ctx, "d/a", files.StatOptions{})
	if err != nil || e.Size != 5 || e.Kind != files.KindFile || e.Name != "a" || e.Path != "d/a" || e.Link || e.ModTime.IsZero() {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err = f.Stat(ctx, "/l", files.StatOptions{}); err != nil || !e.Link || e.Size != 5 || e.Path != "l" {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err = f.Stat(ctx, "d", files.StatOptions{}); err != nil || e.Kind != files.KindDirectory || e.Size != 0 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err = f.Stat(ctx, "/", files.StatOptions{}); err != nil || e.Kind != files.KindDirectory || e.Path != "." {
		t.Errorf("%+v, %v", e, err)
	}
	_, err = f.Stat(ctx, "x", files.StatOptions{})
	refused(t, err, "x", files.ErrOutside, "outside the granted folders", "grant")
	_, err = f.Stat(ctx, "d/none", files.StatOptions{})
	refused(t, err, "d/none", files.ErrNotFound, "no such file", "file:missing")
}

// What isn't granted gives one error, whether it exists or not; with Blind, it is
// that of what doesn't exist.
func TestBlind(t *testing.T) {
	for _, blind := range []bool{false, true} {
		dir := tempDir(t)
		disk(t, dir, map[string]string{
			"in/a": "", "no/a": "", "no/d/x": "", "in/.env": "", "in/l1": "-> ../no/a", "in/l2": "-> ../no/none", "in/l3": "-> ../no/d/none/x",
			"in/out1": "-> /etc/passwd", "in/out2": "-> /etc/none",
		})
		f := open(t, files.Config{Blind: blind, Roots: []files.Root{{Dir: dir, Read: []string{"in/**"}, Write: []string{"in/**"}}}})
		same := func(paths ...string) {
			t.Helper()
			var first *files.Error
			for _, p := range paths {
				for _, try := range []func() error{
					func() error { _, err := read(f, p); return err },
					func() error { return write(f, p, "") },
					func() error { _, err := f.Stat(ctx, p, files.StatOptions{}); return err },
					func() error { _, err := f.List(ctx, p, files.ListOptions{}); return err },
				} {
					var e *files.Error
					if err := try(); !errors.As(err, &e) {
						t.Fatalf("%q: %v", p, err)
					}
					if first == nil {
						first = e
					}
					if e.Code != first.Code || e.Reason != first.Reason || e.Hint != first.Hint || !blind && e.Rule != first.Rule {
						t.Errorf("%q: %+v, and the first %+v", p, e, first)
					}
				}
			}
		}
		same("no/a", "no/none", "no/d", "no/a/x", "none", "in/l1", "in/l2", "in/l3")
		same("in/out1", "in/out2")
		same("in/.env", "in/.env.none")
		if blind {
			same("in/none/x", "no/a", "in/.env", "in/out1", "../x")
			_, err := read(f, "no/a")
			refused(t, err, "no/a", files.ErrNotFound, "no such file", "grant")
		}
	}
}

func TestConfigurations(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"a/b/": "", "file": "", "link": "-> a"})
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		name  string
		cfg   files.Config
		codes string // field and code
	}{
		{"no folder", files.Config{Roots: []files.Root{{Read: everything}}}, "Roots[0].Dir:E_FILES_NO_DIR"},
		{"missing", files.Config{Roots: []files.Root{{Dir: in("none"), Read: everything}}}, "Roots[0].Dir:E_FILES_NO_DIR"},
		{"a file", files.Config{Roots: []files.Root{{Dir: in("file"), Read: everything}}}, "Roots[0].Dir:E_FILES_NOT_DIR"},
		{"nothing granted", files.Config{Roots: []files.Root{{Dir: in("a")}}}, "Roots[0]:E_FILES_NOTHING"},
		{"names", files.Config{Roots: []files.Root{
			{Name: "a/b", Dir: in("a"), Read: everything}, {Name: "..", Dir: in("a/b"), Read: everything}, {Name: ".git", Dir: dir, Read: everything},
		}}, "Roots[0].Name:E_FILES_NAME Roots[1].Name:E_FILES_NAME Roots[2].Name:E_FILES_NAME"},
		{"one name twice", files.Config{Roots: []files.Root{
			{Name: "x", Dir: in("a"), Read: everything}, {Name: "x", Dir: dir, Read: everything},
		}}, "Roots[1].Name:E_FILES_DUPLICATE"},
		{"one folder twice", files.Config{Roots: []files.Root{
			{Name: "x", Dir: in("a"), Read: everything}, {Name: "y", Dir: in("link"), Read: everything},
		}}, "Roots[1].Dir:E_FILES_DUPLICATE"},
		{"patterns", files.Config{Protect: []string{"["}, Roots: []files.Root{
			{Dir: dir, Read: []string{"..", "ok"}, Write: []string{""}, Protect: []string{"{"}},
		}}, "Protect:E_FILES_PATTERN Roots[0].Protect:E_FILES_PATTERN Roots[0].Read[0]:E_FILES_PATTERN Roots[0].Write[0]:E_FILES_PATTERN"},
		{"protected", files.Config{Roots: []files.Root{
			{Dir: dir, Read: []string{".git/**", "keys/x", "a/b.pem"}, Protect: []string{"keys"}},
		}}, "Roots[0].Read[0]:E_FILES_PROTECTED Roots[0].Read[1]:E_FILES_PROTECTED Roots[0].Read[2]:E_FILES_PROTECTED"},
		{"a protected folder", files.Config{ProtectDirs: []string{in("a"), ""}, Roots: []files.Root{
			{Dir: in("a/b"), Read: everything},
		}}, "ProtectDirs[1]:E_FILES_NO_DIR Roots[0].Dir:E_FILES_PROTECTED"},
		{"limits", files.Config{MaxFileBytes: -1, OpenTimeout: -1, Perm: 0o444}, "MaxFileBytes:E_FILES_LIMIT OpenTimeout:E_FILES_LIMIT Perm:E_FILES_LIMIT"},
		{"limits that can't be reached", files.Config{MaxFileBytes: 10, MaxTotalRead: 5, MaxTotalWrite: 6, MaxEntries: 5, MaxVisit: 4}, "MaxFileBytes:E_FILES_LIMIT MaxEntries:E_FILES_LIMIT"},
		{"fine", files.Config{ProtectDirs: []string{in("none")}, MaxFileBytes: 100 << 20, Roots: []files.Root{{Dir: in("link"), Read: everything}}}, ""},
	} {
		if !files.Supported {
			t.Skip("this system has no safe way to open files")
		}
		err := c.cfg.Validate()
		var got []string
		var e *files.ConfigError
		if errors.As(err, &e) {
			for _, p := range e.Problems {
				got = append(got, p.Field+":"+p.Code)
				if p.Message == "" || !e.Has(p.Code) || strings.Contains(p.Message, dir) {
					t.Errorf("%s: %+v", c.name, p)
				}
			}
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if s := strings.Join(got, " "); s != c.codes {
			t.Errorf("%s: %s, want %s", c.name, s, c.codes)
		}
	}
}

func TestProtectDirs(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"store/db": "S", "a": "A", "l": "-> store/db"})
	f := open(t, files.Config{ProtectDirs: []string{filepath.Join(dir, "store"), filepath.Join(dir, "later")},
		Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
	for _, p := range []string{"store/db", "STORE/db", "store./none", "l", "later/x"} {
		_, err := read(f, p)
		refused(t, err, p, files.ErrProtected, "protected name", "protect:host")
		refused(t, write(f, p, ""), p, files.ErrProtected, "protected name", "protect:host")
	}
	if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "a" {
		t.Errorf("%s, %v", paths(l), err)
	}
}

func TestPortableNames(t *testing.T) {
	if files.IsWindows {
		t.Skip("these names can't be made on Windows")
	}
	dir := tempDir(t)
	disk(t, dir, map[string]string{"aux.c": "A", "b:c": "B", "plain": "P"})
	f := whole(t, dir)
	if got, err := read(f, "aux.c"); err != nil || got != "A" {
		t.Errorf("%q, %v", got, err)
	}
	if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "aux.c ./b:c plain" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if got, err := read(f, "./b:c"); err != nil || got != "B" {
		t.Errorf("%q, %v", got, err)
	}
	f = open(t, files.Config{PortableNames: true, Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
	_, err := read(f, "aux.c")
	refused(t, err, "aux.c", files.ErrPath, "bad argument: path", "path:reserved")
	refused(t, write(f, "x/nul. ", ""), "x/nul. ", files.ErrPath, "bad argument: path", "path:reserved")
	if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "plain" {
		t.Errorf("%s, %v", paths(l), err)
	}
}

// Whoever reads a file while it is replaced finds one content or the other.
func TestConcurrent(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		f := open(t, files.Config{MaxTotalRead: 1 << 40, MaxTotalWrite: 1 << 40,
			Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
		contents := [][]byte{bytes.Repeat([]byte("a"), 40_000), bytes.Repeat([]byte("b"), 50_000), nil}
		if err := write(f, "x", string(contents[0])); err != nil {
			t.Fatal(err)
		}
		const writers, readers, each = 3, 3, 40
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					if _, err := f.Write(ctx, "x", contents[(w+i)%len(contents)], files.WriteOptions{}); err != nil {
						t.Errorf("write: %v", err)
					}
					if _, err := f.Write(ctx, "log", []byte{byte('0' + w)}, files.WriteOptions{Append: true}); err != nil {
						t.Errorf("append: %v", err)
					}
					if _, err := f.List(ctx, "/", files.ListOptions{}); err != nil {
						t.Errorf("list: %v", err)
					}
				}
			})
		}
		for range readers {
			wg.Go(func() {
				for range each {
					got, err := f.Read(ctx, "x", files.ReadOptions{})
					if err != nil && !errors.Is(err, files.ErrChanged) {
						t.Errorf("read: %v", err)
					}
					if err == nil && !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) && len(got) != 0 {
						t.Errorf("read a mixture of %d bytes", len(got))
					}
				}
			})
		}
		wg.Wait()
		log := content(t, dir, "log")
		for w := range writers {
			if n := strings.Count(log, string(rune('0'+w))); n != each {
				t.Errorf("%d of %d bytes of writer %d are in the log", n, each, w)
			}
		}
		if got := names(t, dir); got != "log x" {
			t.Errorf("there is %s", got)
		}
	})
}

// The sum of what is read at once can't pass the quota.
func TestQuotaAtOnce(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": strings.Repeat("x", 100)})
	f := open(t, files.Config{MaxFileBytes: 100, MaxTotalRead: 1000, Roots: []files.Root{{Dir: dir, Read: everything}}})
	var wg sync.WaitGroup
	var mu sync.Mutex
	ok, full := 0, 0
	for range 50 {
		wg.Go(func() {
			_, err := read(f, "x")
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				ok++
			} else if errors.Is(err, files.ErrQuota) {
				full++
			} else {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if ok != 10 || full != 40 {
		t.Errorf("%d were read, %d refused", ok, full)
	}
}

// A file that grows while it is read is cut off at its limit, not kept.
func TestGrowingFile(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": "1234"})
	for _, c := range []struct {
		add  string
		want error
	}{{"5678", nil}, {"56789", files.ErrTooLarge}} {
		f := open(t, files.Config{MaxFileBytes: 8, MaxTotalRead: 100, Roots: []files.Root{{Dir: dir, Read: everything}}})
		f.SetHooks(files.Hooks{Opened: func() { disk(t, dir, map[string]string{"x": "1234" + c.add}) }})
		got, err := read(f, "x")
		if c.want == nil && (err != nil || got != "1234"+c.add) || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%q: %q, %v", c.add, got, err)
		}
		disk(t, dir, map[string]string{"x": "1234"})
	}
}
