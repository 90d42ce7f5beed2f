package metercheck_test

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/pinfold-js/pinfold/internal/metercheck"
)

// checked are the packages that work on a script's behalf.
var checked = []string{".", "./js/...", "./membrane/...", "./meter", "./limiter", "./internal/inspect", "./internal/worker", "./capability/...",
	"./ajs/..."}

// TestModule runs the analyzer over the module.
func TestModule(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the packages are loaded by the go command, which isn't there")
	}
	// The go command reads the folders: so does this process, for go test to know
	// what the result depends on.
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/pinfold-js/pinfold"
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadSyntax | packages.NeedDeps | packages.NeedModule, Dir: "../..",
	}, checked...)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the module doesn't build")
	}
	for _, p := range pkgs {
		if p.Module == nil || p.Module.Path != module {
			t.Fatalf("%s is not of this module", p.PkgPath)
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{metercheck.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("%s: %v", act.Package.PkgPath, act.Err)
		}
		for _, d := range act.Diagnostics {
			t.Errorf("%s: %s", act.Package.Fset.Position(d.Pos), d.Message)
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("%d packages were looked at", seen)
	}
}
