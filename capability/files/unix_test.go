//go:build linux || darwin || freebsd || netbsd || openbsd

package files_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pinfold-js/pinfold/capability/files"
)

const notRegular = "not a regular file"

// Environments, descriptors and other roots were reached through the system's own files.
func TestI9(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	f := open(t, files.Config{Roots: []files.Root{{Dir: "/", Read: everything, Write: everything}}})
	for _, path := range []string{
		"proc/self/environ", "proc/self/root/etc/passwd", "proc/self/fd/0", "proc/1/environ", "proc", "proc/none", "dev/null", "dev/zero", "dev/fd/0",
		"dev/stdin", "dev/none", "sys/kernel/mm/transparent_hugepage/enabled", "/proc/version", "tmp/../proc/version",
	} {
		_, err := read(f, path)
		refused(t, err, path, files.ErrNotRegular, notRegular, "file:pseudo")
		refused(t, write(f, path, ""), path, files.ErrNotRegular, notRegular, "file:pseudo")
		_, err = f.List(ctx, path, files.ListOptions{})
		refused(t, err, path, files.ErrNotRegular, notRegular, "file:pseudo")
	}
	l, err := f.List(ctx, "/", files.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range l.Entries {
		if e.Name == "proc" || e.Name == "dev" || e.Name == "sys" {
			t.Errorf("%s is listed", e.Path)
		}
	}
	if _, err := f.Read(ctx, "etc/passwd", files.ReadOptions{}); err != nil {
		t.Errorf("a granted file: %v", err)
	}
	// Links lead there no better.
	dir := tempDir(t)
	disk(t, dir, map[string]string{"env": "-> /proc/self/environ", "fd": "-> /dev/fd/0", "root": "-> /proc/self/root"})
	rel, err := filepath.Rel("/", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{rel + "/env", rel + "/fd", rel + "/root/etc/passwd"} {
		if _, err := read(f, path); !errors.Is(err, files.ErrNotRegular) && !errors.Is(err, files.ErrOutside) {
			t.Errorf("%q: %v", path, err)
		}
	}
	g := whole(t, dir)
	for _, path := range []string{"env", "fd", "root/etc/passwd"} {
		_, err := read(g, path)
		refused(t, err, path, files.ErrOutside, outside, "link:absolute")
	}
	// A root can't be there, under whatever name.
	disk(t, dir, map[string]string{"p": "-> /proc"})
	for _, d := range []string{"/proc", "/proc/self", "/sys", "/dev", filepath.Join(dir, "p")} {
		err := files.Config{Roots: []files.Root{{Dir: d, Read: everything}}}.Validate()
		var e *files.ConfigError
		if !errors.As(err, &e) || !e.Has(files.ProblemPseudo) {
			t.Errorf("%s: %v", d, err)
		}
	}
}

// special makes what is no regular file.
func special(t testing.TB, dir string) {
	t.Helper()
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The path of a socket may have no more than about a hundred bytes.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
	if err != nil {
		t.Skipf("no socket can be made: %v", err)
	}
	l.SetUnlinkOnClose(false)
	t.Cleanup(func() { _ = l.Close() })
	disk(t, dir, map[string]string{"link": "-> fifo", "plain": "P", "d/": ""})
	if out, err := exec.Command("mknod", filepath.Join(dir, "zero"), "c", "1", "5").CombinedOutput(); err != nil {
		t.Logf("no device can be made: %v, %s", err, out)
	}
}

// An open of a pipe with no writer blocked for ever.
func TestI12(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		special(t, dir)
		f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
		for _, path := range []string{"fifo", "s", "link", "zero"} {
			if _, err := os.Lstat(filepath.Join(dir, path)); err != nil {
				continue
			}
			_, err := read(f, path)
			refused(t, err, path, files.ErrNotRegular, notRegular, "file:kind")
			for _, appends := range []bool{false, true} {
				_, err := f.Write(ctx, path, []byte("X"), files.WriteOptions{Append: appends})
				refused(t, err, path, files.ErrNotRegular, notRegular, "file:kind")
			}
			_, err = f.Stat(ctx, path, files.StatOptions{})
			refused(t, err, path, files.ErrNotRegular, notRegular, "file:kind")
			_, err = f.List(ctx, path, files.ListOptions{})
			if !errors.Is(err, files.ErrNotRegular) {
				t.Errorf("%q: %v", path, err)
			}
			if err := write(f, path+"/x", ""); !errors.Is(err, files.ErrNotDir) {
				t.Errorf("%q: %v", path, err)
			}
		}
		_, err := read(f, "d")
		refused(t, err, "d", files.ErrDirectory, notRegular, "file:directory")
		if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "d/ plain" {
			t.Errorf("%s, %v", paths(l), err)
		}
		if l, err := f.Glob(ctx, "**", files.GlobOptions{}); err != nil || paths(l) != "plain" {
			t.Errorf("%s, %v", paths(l), err)
		}
	})
}

// A file was replaced by a pipe between the check and the open.
func TestI12Swapped(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		for _, with := range []string{"fifo", "s", "link", "d", "zero"} {
			dir := tempDir(t)
			special(t, dir)
			if _, err := os.Lstat(filepath.Join(dir, with)); err != nil {
				continue
			}
			disk(t, dir, map[string]string{"x": "X", "sub/y": "Y"})
			f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
			var once sync.Once
			f.AddHooks(files.Hooks{Opening: func() {
				once.Do(func() {
					if err := os.Remove(filepath.Join(dir, "x")); err != nil {
						t.Error(err)
					}
					if err := os.Rename(filepath.Join(dir, with), filepath.Join(dir, "x")); err != nil {
						t.Error(err)
					}
				})
			}})
			got, err := read(f, "x")
			var e *files.Error
			if !errors.As(err, &e) || e.Reason != notRegular {
				t.Errorf("%s: %q, %v", with, got, err)
			}
		}
	})
}

// The name by which a file may be read isn't the only one that it has.
func TestHardLinks(t *testing.T) {
	both(t, func(t *testing.T, open func(testing.TB, files.Config) *files.FS) {
		dir := tempDir(t)
		disk(t, dir, map[string]string{".env": "SECRET", "store/a": "A", "sub/": ""})
		for from, to := range map[string]string{".env": "notes.txt", "store/a": "sub/a"} {
			if err := os.Link(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
		}
		root := files.Root{Dir: dir, Read: everything, Write: everything}
		f := open(t, files.Config{Roots: []files.Root{root}})
		for _, path := range []string{"notes.txt", "store/a", "sub/a"} {
			_, err := read(f, path)
			refused(t, err, path, files.ErrHardLink, "has other hard links", "file:hard-link")
			for _, appends := range []bool{false, true} {
				_, err := f.Write(ctx, path, []byte("X"), files.WriteOptions{Append: appends})
				refused(t, err, path, files.ErrHardLink, "has other hard links", "file:hard-link")
			}
		}
		// A host that allows them to be read doesn't allow them to be written.
		root.HardLinks = true
		g := open(t, files.Config{Roots: []files.Root{root}})
		if got, err := read(g, "sub/a"); err != nil || got != "A" {
			t.Errorf("%q, %v", got, err)
		}
		refused(t, write(g, "sub/a", "X"), "sub/a", files.ErrHardLink, "has other hard links", "file:hard-link")
		if content(t, dir, ".env") != "SECRET" || content(t, dir, "store/a") != "A" {
			t.Error("it was written")
		}
		// A second name that comes while the file is opened counts.
		h := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything}}})
		disk(t, dir, map[string]string{"one": "1"})
		h.AddHooks(files.Hooks{Opening: func() {
			if err := os.Link(filepath.Join(dir, "one"), filepath.Join(dir, ".npmrc")); err != nil && !errors.Is(err, os.ErrExist) {
				t.Error(err)
			}
		}})
		_, err := read(h, "one")
		refused(t, err, "one", files.ErrHardLink, "has other hard links", "file:hard-link")
	})
}

func TestPermissions(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	dir := tempDir(t)
	disk(t, dir, map[string]string{"no": "N", "shut/x": "X", "seen/x": "X"})
	for name, perm := range map[string]os.FileMode{"no": 0, "shut": 0, "seen": 0o500} {
		if err := os.Chmod(filepath.Join(dir, name), perm); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, name), 0o700) })
	}
	f := whole(t, dir)
	for _, path := range []string{"no", "shut/x"} {
		_, err := read(f, path)
		refused(t, err, path, files.ErrPermission, "permission denied", "file:permission")
	}
	refused(t, write(f, "seen/y", ""), "seen/y", files.ErrPermission, "permission denied", "file:permission")
}

// The open of a file that doesn't come back is given up; so are further ones when
// too many are at work.
func TestOpenTimeout(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": "X"})
	f := whole(t, dir)
	release := make(chan struct{})
	f.SetHooks(files.Hooks{Opening: func() { <-release }})
	_, err := read(f, "x")
	refused(t, err, "x", files.ErrTimeout, "open did not finish in 2 s", "limit:open-time")
	close(release)
	waitUntil(t, func() bool { return f.Stuck() == 0 })

	g := open(t, files.Config{OpenTimeout: 20 * time.Millisecond, Roots: []files.Root{{Dir: dir, Read: everything}}})
	release = make(chan struct{})
	g.SetHooks(files.Hooks{Opening: func() { <-release }})
	var wg sync.WaitGroup
	for range files.MaxStuck {
		wg.Go(func() {
			_, err := read(g, "x")
			refused(t, err, "x", files.ErrTimeout, "open did not finish in 20 ms", "limit:open-time")
		})
	}
	wg.Wait()
	if n := g.Stuck(); n != files.MaxStuck {
		t.Errorf("%d calls are at work", n)
	}
	before := runtime.NumGoroutine()
	for range 100 {
		_, err := read(g, "x")
		refused(t, err, "x", files.ErrTimeout, "open did not finish in 20 ms", "limit:open-time")
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines more", n-before)
	}
	// Who cancels doesn't wait.
	close(release)
	waitUntil(t, func() bool { return g.Stuck() == 0 })
	if got, err := read(g, "x"); err != nil || got != "X" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCancelWhileOpening(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": "X"})
	f := whole(t, dir)
	release := make(chan struct{})
	run, end := context.WithCancelCause(ctx)
	why := errors.New("why")
	f.SetHooks(files.Hooks{Opening: func() {
		end(why)
		<-release
	}})
	_, err := f.Read(run, "x", files.ReadOptions{})
	if !errors.Is(err, files.ErrCancelled) || !errors.Is(err, context.Canceled) || !errors.Is(err, why) {
		t.Error(err)
	}
	close(release)
	waitUntil(t, func() bool { return f.Stuck() == 0 })
}

// A bug in here is one of who called, not the end of the process.
func TestPanic(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": "X"})
	f := whole(t, dir)
	f.SetHooks(files.Hooks{Opening: func() { panic("a bug") }})
	defer func() {
		if r := recover(); r != "a bug" {
			t.Errorf("recovered %v", r)
		}
		f.SetHooks(files.Hooks{})
		if got, err := read(f, "x"); err != nil || got != "X" {
			t.Errorf("%q, %v", got, err)
		}
	}()
	_, err := read(f, "x")
	t.Errorf("%v", err)
}

// child is what this program does when a test starts it again: it writes to the
// folder until it is killed.
func child(dir string) {
	f, err := files.New(files.Config{MaxTotalWrite: 1 << 40, Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if os.Getenv("FILES_TEST_STOP") != "" {
		f.SetHooks(files.Hooks{Renaming: func() {
			fmt.Println("renaming")
			select {}
		}})
	}
	fmt.Println("ready")
	for i := 0; ; i++ {
		_, err := f.Write(context.Background(), "x", killContent(i), files.WriteOptions{Append: i%3 == 2})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func killContent(i int) []byte {
	return []byte(strings.Repeat(string(rune('a'+i%3)), 300_000))
}

func killable(t *testing.T, dir string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), append(env, "FILES_TEST_CHILD="+dir)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "renaming"}[:1+len(env)] {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("it says %q", lines.Text())
		}
	}
	return cmd, lines
}

// A process that is killed leaves the old file or the new one.
func TestKilled(t *testing.T) {
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": "old"})
	cmd, _ := killable(t, dir, "FILES_TEST_STOP=1")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := content(t, dir, "x"); got != "old" {
		t.Errorf("x has %d bytes", len(got))
	}
	// What is left of the new file is nobody's.
	f := whole(t, dir)
	left, err := filepath.Glob(filepath.Join(dir, ".pinfold-*.tmp"))
	if err != nil || len(left) != 1 {
		t.Fatalf("%v, %v", left, err)
	}
	name := filepath.Base(left[0])
	_, err = read(f, name)
	refused(t, err, name, files.ErrProtected, "protected name", "protect:.pinfold-*.tmp")
	if l, err := f.List(ctx, "/", files.ListOptions{}); err != nil || paths(l) != "x" {
		t.Errorf("%s, %v", paths(l), err)
	}
	if err := write(f, "x", "new"); err != nil || content(t, dir, "x") != "new" {
		t.Error(err)
	}

	for i := range 10 {
		cmd, _ := killable(t, dir)
		time.Sleep(time.Duration(i) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		got := content(t, dir, "x")
		a, b, c := strings.Count(got, "a"), strings.Count(got, "b"), strings.Count(got, "c")
		if got == "new" && i < 3 {
			continue // it hadn't come to writing
		}
		if a%300_000 != 0 || b%300_000 != 0 || c%300_000 != 0 || len(got) != a+b+c || len(got) == 0 {
			t.Errorf("x has %d a, %d b, %d c of %d bytes", a, b, c, len(got))
		}
	}
}

// A tree that is deeper than any path gets is walked to the depth that is
// allowed, and no further.
func TestDeepTree(t *testing.T) {
	dir, depth := tempDir(t), 1000
	if shm, err := os.MkdirTemp("/dev/shm", "files"); err == nil {
		// In memory it doesn't take long.
		t.Cleanup(func() { _ = os.RemoveAll(shm) })
		dir, depth = shm, 10_000
	}
	at, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	down := func(name string, make bool) {
		t.Helper()
		if make {
			if err := unix.Mkdirat(at, name, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		next, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		_ = unix.Close(at)
		at = next
	}
	for range depth {
		down("d", true)
	}
	fd, err := unix.Openat(at, "end", unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_ = unix.Close(fd)
	// Folders of this depth can't be removed by their paths on every system.
	defer func() {
		_ = unix.Unlinkat(at, "end", 0)
		for range depth {
			up, err := unix.Openat(at, "..", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			_ = unix.Close(at)
			at = up
			if err := unix.Unlinkat(at, "d", unix.AT_REMOVEDIR); err != nil {
				t.Fatal(err)
			}
		}
		_ = unix.Close(at)
	}()
	f := open(t, files.Config{MaxDepth: 1 << 20, Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
	if l, err := f.Glob(ctx, "**", files.GlobOptions{}); err != nil || paths(l) != "cut:depth" {
		t.Errorf("%.50s, %v", paths(l), err)
	}
	path := strings.Repeat("d/", files.MaxPathDepth-1)
	if l, err := f.List(ctx, path, files.ListOptions{}); err != nil || len(l.Entries) != 1 {
		t.Errorf("%.50s, %v", paths(l), err)
	}
	if err := write(f, path+"x", "X"); err != nil {
		t.Error(err)
	}
	if got, err := read(f, path+"x"); err != nil || got != "X" {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, path, "x")); err != nil {
		t.Fatal(err)
	}
	if _, err := read(f, path+"d/x"); !errors.Is(err, files.ErrPath) {
		t.Errorf("%v", err)
	}
}

// A disk that is full, or a limit of the system, is an error that leaves nothing
// behind.
func TestNoSpace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	dir := tempDir(t)
	disk(t, dir, map[string]string{"x": "old"})
	f := open(t, files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
	cmd, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The limit on the size of files is one of the process: another one has it.
	sh := exec.Command("sh", "-c", `ulimit -f 1; exec "$0"`, cmd)
	sh.Env = append(os.Environ(), "FILES_TEST_CHILD="+dir)
	out, err := sh.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no space left") {
		t.Errorf("%q, %v", out, err)
	}
	if got, err := read(f, "x"); err != nil || got != "old" {
		t.Errorf("%q, %v", got, err)
	}
	if got := names(t, dir); got != "x" {
		t.Errorf("there is %s", got)
	}
}
