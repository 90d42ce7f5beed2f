package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/files"
)

func TestMain(m *testing.M) {
	if run := os.Getenv("FILES_TEST_CHILD"); run != "" {
		child(run)
		return
	}
	if !files.Supported {
		os.Exit(m.Run())
	}
	goleak.VerifyTestMain(m)
}

var ctx = context.Background()

var everything = []string{"**"}

// disk makes files, folders (names that end in "/"), and links ("-> target").
func disk(t testing.TB, dir string, entries map[string]string) {
	t.Helper()
	names := make([]string, 0, len(entries))
	for n := range entries {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		path := filepath.Join(dir, filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(entries[n], "-> "); ok {
			err = os.Symlink(filepath.FromSlash(target), path)
		} else if strings.HasSuffix(n, "/") {
			err = os.MkdirAll(path, 0o755)
		} else {
			err = os.WriteFile(path, []byte(entries[n]), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tempDir is a folder whose path is that of the system, without links.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t testing.TB, cfg files.Config) *files.FS {
	t.Helper()
	if !files.Supported {
		t.Skip("this system has no safe way to open files")
	}
	f, err := files.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// whole grants all of a folder.
func whole(t testing.TB, dir string) *files.FS {
	t.Helper()
	return open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
}

// both runs a test with folders as they are on this system, and as they are on
// others.
func both(t *testing.T, test func(t *testing.T, open func(testing.TB, files.Config) *files.FS)) {
	t.Run("handles", func(t *testing.T) { test(t, open) })
	if files.IsWindows {
		return
	}
	t.Run("one by one", func(t *testing.T) {
		test(t, func(t testing.TB, cfg files.Config) *files.FS {
			f := open(t, cfg)
			f.SetHooks(files.Hooks{OneByOne: true})
			return f
		})
	})
	t.Run("os.Root", func(t *testing.T) {
		test(t, func(t testing.TB, cfg files.Config) *files.FS {
			f := open(t, cfg)
			f.SetHooks(files.Hooks{OSRoot: true})
			return f
		})
	})
}

func read(f *files.FS, path string) (string, error) {
	b, err := f.Read(ctx, path, files.ReadOptions{})
	return string(b), err
}

func write(f *files.FS, path, data string) error {
	_, err := f.Write(ctx, path, []byte(data), files.WriteOptions{})
	return err
}

// refused checks an error's code, reason and rule, and that it has nothing of
// the host in it.
func refused(t testing.TB, err error, path string, code files.Code, reason, rule string) {
	t.Helper()
	var e *files.Error
	if !errors.As(err, &e) {
		t.Errorf("%q: %v is no *files.Error, want %s", path, err, code)
		return
	}
	if !errors.Is(err, code) || e.Code != code || e.Reason != reason || err.Error() != reason || e.Rule != rule || e.Path != path {
		t.Errorf("%q: code %s, reason %q, rule %q, path %q; want %s, %q, %q", path, e.Code, e.Reason, e.Rule, e.Path, code, reason, rule)
	}
	for _, s := range []string{e.Reason, e.Hint, string(e.Code), e.Rule, fmt.Sprint(err)} {
		if strings.Contains(s, os.TempDir()) || strings.Contains(s, "/tmp") {
			t.Errorf("%q: the error shows a path of the host: %q", path, s)
		}
	}
}

// content is what is in a file on the disk.
func content(t testing.TB, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// paths writes a listing on one line: folders end in "/", links in "@".
func paths(l files.Listing) string {
	var out []string
	for _, e := range l.Entries {
		s := e.Path
		if e.Kind == files.KindDirectory {
			s += "/"
		}
		if e.Link {
			s += "@"
		}
		out = append(out, s)
	}
	if l.Cut != files.CutNot {
		out = append(out, "cut:"+string(l.Cut))
	}
	return strings.Join(out, " ")
}
