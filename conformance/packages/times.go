package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Saved is what --save writes, and docs/CONFORMANCE.md shows.
type Saved struct {
	Node     string // its version
	Runs     int
	Packages []SavedPackage
}

// SavedPackage is one package's results. Loading includes compiling.
type SavedPackage struct {
	Name, Package, Version string
	OK                     bool
	LoadMS, RunMS          float64
	NodeLoadMS, NodeRunMS  float64
}

// best keeps the better times of two runs, and the failures of both.
func best(a, b []Result) []Result {
	if a == nil {
		return b
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.OK && !y.OK {
			x.OK, x.Difference = false, y.Difference
		}
		if y.CompileMS+y.LoadMS < x.CompileMS+x.LoadMS {
			x.CompileMS, x.LoadMS = y.CompileMS, y.LoadMS
		}
		x.RunMS = min(x.RunMS, y.RunMS)
	}
	return a
}

// nodeTimes has node run one package, and returns what it took.
func nodeTimes(dir, name string) (load, run float64, err error) {
	// The drivers are read from the files beside the program's source.
	script := filepath.Join("conformance", "packages", "record.mjs")
	out, err := exec.Command("node", script, "--times", dir, name).Output()
	if err != nil {
		return 0, 0, fmt.Errorf("node: %s: %w", name, err)
	}
	var t struct{ Load, Run float64 }
	if err := json.Unmarshal(out, &t); err != nil {
		return 0, 0, fmt.Errorf("node: %s: %w", name, err)
	}
	return t.Load, t.Run, nil
}

func saveResults(path, dir string, runs int, results []Result) error {
	version, err := exec.Command("node", "--version").Output()
	if err != nil {
		return err
	}
	table, err := readTable()
	if err != nil {
		return err
	}
	s := Saved{Node: strings.TrimSpace(string(version)), Runs: runs}
	for _, p := range table {
		for _, r := range results {
			if r.Name != p.Name {
				continue
			}
			x := SavedPackage{Name: p.Name, Package: p.Package, Version: p.Version, OK: r.OK, LoadMS: round(r.CompileMS + r.LoadMS), RunMS: round(r.RunMS)}
			for n := range runs {
				load, run, err := nodeTimes(dir, p.Name)
				if err != nil {
					return err
				}
				if n == 0 || load < x.NodeLoadMS {
					x.NodeLoadMS = round(load)
				}
				if n == 0 || run < x.NodeRunMS {
					x.NodeRunMS = round(run)
				}
			}
			s.Packages = append(s.Packages, x)
		}
	}
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// round keeps a tenth of a millisecond.
func round(ms float64) float64 { return float64(int(ms*10+0.5)) / 10 }
