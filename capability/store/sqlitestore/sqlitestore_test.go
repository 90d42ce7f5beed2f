//go:build !js && !wasip1

package sqlitestore_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/store/sqlitestore"
	"github.com/pinfold-js/pinfold/capability/store/storetest"
)

// childEnv makes the test program a process that writes to a store.
const childEnv = "PINFOLD_TEST_STORE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		child(path, os.Getenv(childEnv+"_TASK"))
		return
	}
	goleak.VerifyTestMain(m)
}

// child is what other processes do.
func child(path, task string) {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	b, err := sqlitestore.Open(path, sqlitestore.Options{Wait: 30 * time.Second})
	fail(err)
	s, err := b.Namespace("chat")
	fail(err)
	ctx := context.Background()
	switch task {
	case "count":
		for i := 0; i < 20; {
			old, _, err := s.Get(ctx, "n")
			fail(err)
			n := 0
			if old != nil {
				fail(json.Unmarshal(old, &n))
			}
			ok, err := s.Swap(ctx, "n", old, json.RawMessage(fmt.Sprint(n+1)))
			fail(err)
			if ok {
				i++
			}
		}
		fail(b.Close())
	case "write":
		// Until it is killed.
		for i := 0; ; i++ {
			fail(s.Set(ctx, "value", json.RawMessage(`"`+strings.Repeat(fmt.Sprint(i%10), 50_000)+`"`)))
			if i == 3 {
				fmt.Println("writing")
			}
		}
	}
}

func open(t *testing.T, path string, o sqlitestore.Options) store.Backend {
	t.Helper()
	b, err := sqlitestore.Open(path, o)
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func TestBackend(t *testing.T) {
	storetest.Run(t, func(t *testing.T, l store.Limits) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "a store?#%41 of 'mine'.db"), sqlitestore.Options{Limits: l})
	})
}

func TestStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	for i := range 3 {
		b := open(t, path, sqlitestore.Options{})
		s, err := b.Namespace("chat")
		if err != nil {
			t.Fatal(err)
		}
		if v, ok, err := s.Get(t.Context(), "n"); err != nil || ok != (i > 0) || i > 0 && string(v) != fmt.Sprint(i-1) {
			t.Fatalf("after opening %d times: %s, %t, %v", i, v, ok, err)
		}
		if err := s.Set(t.Context(), "n", json.RawMessage(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
}

func TestManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	var children []*exec.Cmd
	for range 3 {
		// The first ones make the file at the same time.
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childEnv+"="+path, childEnv+"_TASK=count")
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	s, err := open(t, path, sqlitestore.Options{}).Namespace("chat")
	if err != nil {
		t.Fatal(err)
	}
	if v, _, err := s.Get(t.Context(), "n"); err != nil || string(v) != "60" {
		t.Errorf("three processes that count to 20 made %s, %v", v, err)
	}
}

// A process that is killed while it writes leaves the old value or the new one.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	for range 3 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childEnv+"="+path, childEnv+"_TASK=write")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 7)
		if _, err := out.Read(buf); err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		s, err := open(t, path, sqlitestore.Options{}).Namespace("chat")
		if err != nil {
			t.Fatal(err)
		}
		v, ok, err := s.Get(t.Context(), "value")
		if err != nil || !ok || len(v) != 50_002 || strings.Trim(string(v[2:50_001]), string(v[1])) != "" {
			t.Errorf("the value is %.20s… of %d bytes, %t, %v", v, len(v), ok, err)
		}
		if u, err := s.Usage(t.Context()); err != nil || u != (store.Usage{Keys: 1, Bytes: 50_007}) {
			t.Errorf("usage is %+v, %v", u, err)
		}
	}
}

// A log that was cut off in the middle of a write is read up to the last whole
// transaction.
func TestTornLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	b := open(t, path, sqlitestore.Options{})
	s, err := b.Namespace("chat")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := s.Set(t.Context(), "n", json.RawMessage(`"`+strings.Repeat(fmt.Sprint(i), 20_000)+`"`)); err != nil {
			t.Fatal(err)
		}
	}
	// The files as they are when the machine stops.
	torn := filepath.Join(t.TempDir(), "store.db")
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if suffix != "" {
			text = text[:len(text)-6000]
		}
		if err := os.WriteFile(torn+suffix, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err = open(t, torn, sqlitestore.Options{}).Namespace("chat")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok, err := s.Get(t.Context(), "n"); err != nil || !ok || string(v) != `"`+strings.Repeat("3", 20_000)+`"` {
		t.Errorf("the value is %.10s… of %d bytes, %t, %v", v, len(v), ok, err)
	}
}

func wantCode(t *testing.T, err error, code store.Code, reason, path string) {
	t.Helper()
	var e *store.Error
	if !errors.Is(err, code) || !errors.As(err, &e) || !strings.Contains(e.Reason, reason) {
		t.Errorf("%v (%v), want code %q and %q", err, errors.Unwrap(err), string(code), reason)
	} else if strings.Contains(e.Reason, filepath.Dir(path)) {
		t.Errorf("the reason has the path: %s", e.Reason)
	}
}

func TestOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := sqlitestore.Open(path, sqlitestore.Options{})
	wantCode(t, err, store.Damaged, "damaged or isn't a database", path)

	path = filepath.Join(t.TempDir(), "dir.db")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = sqlitestore.Open(path, sqlitestore.Options{})
	wantCode(t, err, store.Unavailable, "can't be", path)

	path = filepath.Join(t.TempDir(), "missing", "store.db")
	_, err = sqlitestore.Open(path, sqlitestore.Options{})
	wantCode(t, err, store.Unavailable, "can't be made", path)

	for name, c := range map[string]struct{ sql, reason string }{
		"another program's": {"CREATE TABLE t (a)", "another program"},
		"with an id":        {"PRAGMA application_id = 7", "another program"},
		"a later version":   {"PRAGMA application_id = 1346794356; PRAGMA user_version = 2", "version 2"},
	} {
		path := filepath.Join(t.TempDir(), "other.db")
		exec1(t, path, c.sql)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = sqlitestore.Open(path, sqlitestore.Options{})
		t.Run(name, func(t *testing.T) { wantCode(t, err, store.Version, c.reason, path) })
		_ = before
	}
}

func exec1(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// A file of which pages were overwritten fails with an error that says so, or
// gives what was set; nothing panics.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	b := open(t, path, sqlitestore.Options{})
	s, err := b.Namespace("chat")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if err := s.Set(t.Context(), fmt.Sprintf("k%03d", i), json.RawMessage(`"`+strings.Repeat("x", 1000)+`"`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for page := 0; page < len(whole)/4096; page++ {
		text := append([]byte(nil), whole...)
		for i := page*4096 + 100; i < (page+1)*4096; i++ {
			text[i] = 0xA5
		}
		path := filepath.Join(t.TempDir(), "store.db")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		check := func(err error) {
			var e *store.Error
			switch {
			case err == nil:
			case !errors.As(err, &e) || e.Code != store.Damaged:
				t.Errorf("page %d: %v (%v)", page, err, errors.Unwrap(err))
			default:
				damaged++
			}
		}
		b, err := sqlitestore.Open(path, sqlitestore.Options{})
		if check(err); err != nil {
			continue
		}
		s, err := b.Namespace("chat")
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Keys(t.Context(), "", "", 0)
		check(err)
		for i := range 100 {
			_, _, err := s.Get(t.Context(), fmt.Sprintf("k%03d", i))
			check(err)
		}
		check(s.Set(t.Context(), "new", json.RawMessage(`1`)))
		b.Close()
	}
	if damaged == 0 {
		t.Error("no damage was found")
	}
}

func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := open(t, path, sqlitestore.Options{Wait: 20 * time.Millisecond}).Namespace("chat")
	if err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	err = s.Set(t.Context(), "a", json.RawMessage(`1`))
	wantCode(t, err, store.Busy, "the store is busy", path)
	// Reading goes on.
	if _, ok, err := s.Get(t.Context(), "a"); ok || err != nil {
		t.Errorf("Get: %t, %v", ok, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Set(t.Context(), "a", json.RawMessage(`1`)); err != nil {
		t.Error(err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	backend, err := sqlitestore.Open(filepath.Join(dir, "conversations.db"), sqlitestore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer backend.Close()
	ctx := context.Background()
	notes, err := backend.Namespace("conversation-42")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(notes.Set(ctx, "seen", json.RawMessage(`[1, 2]`)))
	seen, _, err := notes.Get(ctx, "seen")
	fmt.Println(string(seen), err)
	// Output:
	// <nil>
	// [1,2] <nil>
}
