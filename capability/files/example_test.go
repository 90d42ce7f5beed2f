//go:build !js && !wasip1 && !plan9

package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pinfold-js/pinfold/capability/files"
)

// A host grants a folder: all of it to read, what is below out to write. A
// definition narrows that, and a run gets quotas of its own.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	_ = os.Mkdir(filepath.Join(dir, "out"), 0o755)
	_ = os.WriteFile(filepath.Join(dir, "notes.md"), []byte("three sheep"), 0o644)
	_ = os.WriteFile(filepath.Join(dir, ".env"), []byte("PASSWORD=x"), 0o600)

	granted, err := files.New(files.Config{
		Roots: []files.Root{{Dir: dir, Read: []string{"**"}, Write: []string{"out/**"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer granted.Close()
	declared, err := granted.Narrow([]string{"*.md", "out/*.txt"})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, ctx := declared.ForRun(), context.Background()

	text, err := run.Read(ctx, "/notes.md", files.ReadOptions{})
	fmt.Printf("%s, %v\n", text, err)
	n, err := run.Write(ctx, "out/count.txt", []byte("3"), files.WriteOptions{})
	fmt.Println(n, err)

	for _, path := range []string{".env", "../notes.md", "out/x.md", "none.md"} {
		var d files.Decision
		_, err := run.Read(ctx, path, files.ReadOptions{Decision: &d})
		fmt.Printf("%s: %v (%s)\n", path, err, d.Rule)
	}
	_, err = run.Write(ctx, "notes.md", nil, files.WriteOptions{})
	fmt.Println(errors.Is(err, files.ErrOutside))
	// Output:
	// three sheep, <nil>
	// 1 <nil>
	// .env: protected name (protect:.env*)
	// ../notes.md: outside the granted folders (path:escape)
	// out/x.md: outside the granted folders (grant)
	// none.md: no such file (file:missing)
	// true
}

func ExampleFS_Glob() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"a/one.md", "a/b/two.md", "a/.git/three.md", "four.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		_ = os.WriteFile(path, nil, 0o644)
	}
	f, err := files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**"}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	found, err := f.Glob(context.Background(), "**/*.md", files.GlobOptions{})
	for _, e := range found.Entries {
		fmt.Println(e.Path)
	}
	fmt.Println(err)
	// Output:
	// a/b/two.md
	// a/one.md
	// <nil>
}
