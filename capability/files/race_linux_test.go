package files_test

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/pinfold-js/pinfold/capability/files"
)

var swaps = flag.Int("swaps", 300, "how often each case of TestI14 uses a path that is swapped all the time")

// swap exchanges two names as fast as it can until the test ends what it does.
func swap(t *testing.T, a, b string, n *atomic.Int64) (stop func()) {
	t.Helper()
	var ended atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !ended.Load() {
			err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
			if err == nil {
				n.Add(1)
			} else if err != unix.ENOENT && err != unix.EINTR {
				t.Errorf("exchange: %v", err)
				n.Add(1)
				return
			}
		}
	})
	return func() {
		ended.Store(true)
		wg.Wait()
	}
}

// A folder was replaced by a link between the check and the use. Here what a path
// leads to is exchanged all the time, with what must not be reached.
func TestI14(t *testing.T) {
	const inside, secret = "INSIDE", "SECRET"
	type use func(t *testing.T, f *files.FS, i int) (string, error)
	reads := func(path string) use {
		return func(_ *testing.T, f *files.FS, _ int) (string, error) { return read(f, path) }
	}
	lists := func(path string) use {
		return func(t *testing.T, f *files.FS, _ int) (string, error) {
			l, err := f.List(ctx, path, files.ListOptions{})
			if err == nil && paths(l) != path+"/x" {
				return "", errors.New("listed " + paths(l))
			}
			return inside, err
		}
	}
	writes := func(path string, opt files.WriteOptions) use {
		return func(t *testing.T, f *files.FS, i int) (string, error) {
			_, err := f.Write(ctx, path, []byte(inside), opt)
			return inside, err
		}
	}
	for _, c := range []struct {
		name  string
		extra map[string]string
		a, b  string // exchanged
		use   use
		heal  bool // a write may put a file in the place of the link
	}{
		{name: "folder and link out", extra: map[string]string{"root/l": "-> ../away"}, a: "root/d", b: "root/l", use: reads("d/x")},
		{name: "folder and link out, deeper", extra: map[string]string{"root/d/e/f/x": inside, "away/e/f/x": secret, "root/l": "-> ../away"}, a: "root/d", b: "root/l", use: reads("d/e/f/x")},
		{name: "folder and absolute link", extra: map[string]string{"root/l": "-> ABS/away"}, a: "root/d", b: "root/l", use: reads("d/x")},
		{name: "folder and protected one", extra: map[string]string{"root/l": "-> .git", "root/.git/x": secret}, a: "root/d", b: "root/l", use: reads("d/x")},
		{name: "file and link out", extra: map[string]string{"root/l": "-> ../../away/x"}, a: "root/d/x", b: "root/l", use: reads("d/x")},
		{name: "two links", extra: map[string]string{"root/in": "-> d/x", "root/out": "-> ../away/x"}, a: "root/in", b: "root/out", use: reads("in")},
		{name: "a link to what is exchanged", extra: map[string]string{"root/to": "-> d/x", "root/l": "-> ../away"}, a: "root/d", b: "root/l", use: reads("to")},
		{name: "file and hard link", extra: map[string]string{"root/hard": "= away/x"}, a: "root/d/x", b: "root/hard", use: reads("d/x")},
		{name: "file and pipe", extra: map[string]string{"root/fifo": "|"}, a: "root/d/x", b: "root/fifo", use: reads("d/x")},
		{name: "folder and pipe", extra: map[string]string{"root/fifo": "|"}, a: "root/d", b: "root/fifo", use: reads("d/x")},
		{name: "listing, folder and link out", extra: map[string]string{"root/l": "-> ../away", "away/y": secret}, a: "root/d", b: "root/l", use: lists("d")},
		{name: "writing, folder and link out", extra: map[string]string{"root/l": "-> ../away"}, a: "root/d", b: "root/l", use: writes("d/new", files.WriteOptions{})},
		{name: "writing an old file", extra: map[string]string{"root/l": "-> ../away"}, a: "root/d", b: "root/l", use: writes("d/x", files.WriteOptions{Mode: files.WriteExisting})},
		{name: "extending", extra: map[string]string{"root/l": "-> ../../away/x"}, a: "root/d/x", b: "root/l", use: writes("d/x", files.WriteOptions{Append: true}), heal: true},
		{name: "writing, protected", extra: map[string]string{"root/l": "-> .git", "root/.git/x": secret}, a: "root/d", b: "root/l", use: writes("d/x", files.WriteOptions{})},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
				if strings.HasSuffix(t.Name(), "os.Root") && c.name == "folder and pipe" {
					t.Skip("on Unix an os.Root may wait for a pipe in the place of a folder, which is why it isn't used there")
				}
				dir := tempDir(t)
				disk(t, dir, map[string]string{"root/d/x": inside, "away/x": secret})
				again := func() {
					for name, what := range c.extra {
						path := filepath.Join(dir, name)
						if _, err := os.Lstat(path); err == nil {
							continue
						}
						var err error
						if from, ok := strings.CutPrefix(what, "= "); ok {
							err = os.Link(filepath.Join(dir, from), path)
						} else if what == "|" {
							err = unix.Mkfifo(path, 0o644)
						} else {
							disk(t, dir, map[string]string{name: strings.ReplaceAll(what, "ABS", dir)})
						}
						if err != nil {
							t.Fatal(err)
						}
					}
				}
				again()
				f := open(t, files.Config{MaxTotalRead: 1 << 50, MaxTotalWrite: 1 << 50, MaxFileBytes: 1 << 20,
					Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})
				var n atomic.Int64
				stop := swap(t, filepath.Join(dir, c.a), filepath.Join(dir, c.b), &n)
				ok, uses, codes := 0, 0, map[files.Code]int{}
				link := func(name string) bool {
					fi, err := os.Lstat(filepath.Join(dir, name))
					return err == nil && fi.Mode().Type() == os.ModeSymlink
				}
				for ; uses < *swaps || n.Load() == 0; uses++ {
					i := uses
					if a, b := link(c.a), link(c.b); c.heal && a == b {
						// One of both should be one.
						path, what := c.b, c.extra[c.b]
						if a {
							path, what = c.a, inside
						}
						disk(t, dir, map[string]string{"heal": what})
						if err := os.Rename(filepath.Join(dir, "heal"), filepath.Join(dir, path)); err != nil {
							t.Error(err)
						}
					}
					got, err := c.use(t, f, i)
					var e *files.Error
					switch {
					case err == nil && strings.ReplaceAll(got, inside, "") != "":
						stop()
						t.Fatalf("use %d: it got %.20q", i, got)
					case err == nil:
						ok++
					case errors.As(err, &e):
						codes[e.Code]++
					default:
						stop()
						t.Fatalf("use %d: %v", i, err)
					}
				}
				stop()
				t.Logf("%d exchanges, %d uses, %d of them good, %v", n.Load(), uses, ok, codes)
				if ok+codes[files.ErrOutside]+codes[files.ErrProtected]+codes[files.ErrNotRegular]+codes[files.ErrHardLink]+codes[files.ErrNotDir]+codes[files.ErrChanged]+codes[files.ErrNotFound] != uses {
					t.Errorf("there are other errors: %v", codes)
				}
				want := "x"
				if _, ok := c.extra["away/e/f/x"]; ok {
					want = "e x"
				} else if _, ok := c.extra["away/y"]; ok {
					want = "x y"
				}
				if got := names(t, filepath.Join(dir, "away")); got != want {
					t.Errorf("outside there is %s", got)
				}
				if got := content(t, dir, "away/x"); got != secret {
					t.Errorf("the secret is %q", got)
				}
				if _, ok := c.extra["root/.git/x"]; ok && (content(t, dir, "root/.git/x") != secret || names(t, filepath.Join(dir, "root/.git")) != "x") {
					t.Error("what is protected has changed")
				}
			})
		})
	}
}

// No way to fail leaves a descriptor open.
func TestDescriptors(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		special(t, dir)
		disk(t, dir, map[string]string{
			"a/b/c": "C", "out": "-> ../x", "in": "-> a/b/c", "loop": "-> loop", "broken": "-> none", ".env": "", "big": strings.Repeat("b", 100), "hard": "H",
		})
		if err := os.Link(filepath.Join(dir, "hard"), filepath.Join(dir, "hard2")); err != nil {
			t.Fatal(err)
		}
		f := open(t, files.Config{MaxFileBytes: 50, Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
		count := func() int { return len(strings.Fields(names(t, "/proc/self/fd"))) }
		before := count()
		for range 3 {
			for _, path := range []string{
				"a/b/c", "a", "out", "in", "loop", "broken", ".env", "big", "hard", "fifo", "s", "none", "none/x", "a/b/c/d", "a/none", "in/x", "", "/", "zero",
			} {
				_, _ = read(f, path)
				_ = write(f, path, "x")
				_, _ = f.Write(ctx, path, []byte("x"), files.WriteOptions{Append: true, Mode: files.WriteExisting})
				_, _ = f.Write(ctx, path, []byte("x"), files.WriteOptions{Mode: files.WriteNew})
				_, _ = f.Stat(ctx, path, files.StatOptions{})
				_, _ = f.List(ctx, path, files.ListOptions{})
				_, _ = f.Glob(ctx, "**", files.GlobOptions{Dir: path})
			}
		}
		if after := count(); after != before {
			t.Errorf("%d descriptors are open, %d were", after, before)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	dir := tempDir(b)
	disk(b, dir, map[string]string{"a/b/c.txt": "C"})
	f := open(b, files.Config{MaxTotalRead: 1 << 60, Roots: []files.Root{{Dir: dir, Read: everything}}})
	b.Run("os.ReadFile", func(b *testing.B) {
		for b.Loop() {
			if _, err := os.ReadFile(filepath.Join(dir, "a/b/c.txt")); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("files", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Read(ctx, "a/b/c.txt", files.ReadOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("refused", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Read(ctx, "a/.git/c.txt", files.ReadOptions{}); err == nil {
				b.Fatal("read")
			}
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	dir := tempDir(b)
	disk(b, dir, map[string]string{"a/b/c.txt": "C"})
	f := open(b, files.Config{MaxTotalWrite: 1 << 60, Roots: []files.Root{{Dir: dir, Write: everything}}})
	for b.Loop() {
		if err := write(f, "a/b/c.txt", "D"); err != nil {
			b.Fatal(err)
		}
	}
}

// Where a path leads is what the kernel says, for any tree of links.
func TestResolvesLikeTheKernel(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		rapid.Check(t, func(r *rapid.T) {
			dir, err := os.MkdirTemp(tempDir(t), "tree")
			if err != nil {
				t.Fatal(err)
			}
			name := rapid.SampledFrom([]string{"a", "b", "c"})
			path := func(names *rapid.Generator[string], most int, label string) string {
				return strings.Join(rapid.SliceOfN(names, 1, most).Draw(r, label), "/")
			}
			step := rapid.OneOf(name, name, rapid.SampledFrom([]string{"..", ".", ""}))
			for range rapid.IntRange(1, 12).Draw(r, "entries") {
				at := filepath.Join(dir, path(name, 3, "at"))
				// What can't be made isn't.
				if os.MkdirAll(filepath.Dir(at), 0o755) != nil || !strings.HasPrefix(at, dir) {
					continue
				}
				if real, err := filepath.EvalSymlinks(filepath.Dir(at)); err != nil || !strings.HasPrefix(real, dir) {
					continue
				}
				switch rapid.IntRange(0, 3).Draw(r, "kind") {
				case 0:
					_ = os.Mkdir(at, 0o755)
				case 1:
					if _, err := os.Lstat(at); err != nil {
						_ = os.WriteFile(at, []byte(at), 0o644)
					}
				default:
					target := path(step, 4, "target")
					if target == "" || target[0] == '/' {
						target = "." + target
					}
					// At the end of a link it asks for a folder, which isn't done here.
					for strings.HasSuffix(target, "/") || strings.HasSuffix(target, "/.") {
						target = strings.TrimSuffix(strings.TrimSuffix(target, "."), "/")
					}
					_ = os.Symlink(target, at)
				}
			}
			f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything}}})
			defer f.Close()
			root, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close(root)
			for range 8 {
				p := path(name, 5, "path")
				got, err := read(f, p)
				want, kernel := "", error(nil)
				fd := -1
				// It may have to be asked again if somebody renames a file, whichever.
				for kernel = unix.EAGAIN; kernel == unix.EAGAIN; {
					fd, kernel = unix.Openat2(root, p, &unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH})
				}
				if kernel == unix.ENOSYS || kernel == unix.EPERM {
					t.Skip("the kernel has no openat2")
				}
				if kernel == nil {
					file := os.NewFile(uintptr(fd), p)
					b, err := io.ReadAll(file)
					_ = file.Close()
					want, kernel = string(b), err
				}
				if (err == nil) != (kernel == nil) || got != want {
					out, _ := exec.Command("find", dir, "-ls").CombinedOutput()
					r.Fatalf("%q: %q, %v; the kernel says %q, %v\n%s", p, got, err, want, kernel, out)
				}
				if kernel == unix.EXDEV && !errors.Is(err, files.ErrOutside) {
					r.Fatalf("%q leads out: %v", p, err)
				}
			}
		})
	})
}
