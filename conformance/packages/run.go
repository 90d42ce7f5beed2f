package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold/js"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/meter"
)

//go:embed table.json prelude.js drivers testdata
var files embed.FS

// Package is a line of table.json.
type Package struct {
	Name    string   // of the driver and of the recorded output
	Package string   // folder in node_modules
	Version string   // what fetch.sh installs
	Files   []string // loaded in this order; the driver's lib is what the last exports
	Script  bool     // the files are scripts; else CommonJS modules
	Global  string   // the global that holds the exports; "" is module.exports
	Shim    string   // what the package needs beside the prelude
	Inputs  []string // files under node_modules whose text the driver works on
}

// Result is what became of a package.
type Result struct {
	Name       string
	OK         bool
	Difference string  `json:",omitempty"` // the first line that differs, or the error
	Printed    string  `json:"-"`
	CompileMS  float64 // parsing and compiling the files
	LoadMS     float64 // running them
	RunMS      float64 // the driver
}

func readTable() ([]Package, error) {
	b, err := files.ReadFile("table.json")
	if err != nil {
		return nil, err
	}
	var table []Package
	err = json.Unmarshal(b, &table)
	return table, err
}

// runAll runs the packages with the given names, or all of them, and tells
// report of each.
func runAll(dir string, stress bool, names []string, report func(Result)) ([]Result, error) {
	table, err := readTable()
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, p := range table {
		if len(names) > 0 && !slices.Contains(names, p.Name) {
			continue
		}
		r := runPackage(dir, p, stress)
		results = append(results, r)
		report(r)
	}
	return results, nil
}

// runPackage runs one package and compares what it printed.
func runPackage(dir string, p Package, stress bool) Result {
	r := Result{Name: p.Name}
	want, err := files.ReadFile("testdata/" + p.Name + ".out")
	if err != nil {
		r.Difference = err.Error()
		return r
	}
	printed, err := execute(dir, p, stress, &r)
	if err != nil {
		printed = append(printed, "uncaught "+err.Error())
	}
	r.Printed = strings.Join(printed, "\n") + "\n"
	r.Difference = difference(string(want), r.Printed)
	r.OK = r.Difference == ""
	return r
}

// difference describes the first line in which got differs from want.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a == b {
			continue
		}
		// What is equal at the start of long lines is in the way.
		at := 0
		for at < len(a) && at < len(b) && a[at] == b[at] {
			at++
		}
		at = max(0, at-60)
		return fmt.Sprintf("line %d, byte %d: got %q, want %q", i+1, at, clip(b[at:]), clip(a[at:]))
	}
	return ""
}

func clip(s string) string { return s[:min(len(s), 400)] }

// execute loads the package's files into a new machine and runs its driver.
func execute(dir string, p Package, stress bool, r *Result) (printed []string, err error) {
	mt := meter.New(nil, meter.Limits{
		Fuel: 1 << 40, LiveBytes: 1 << 30, RequestedBytes: 256 << 30, Depth: 10000, NativeDepth: 2000, Timeout: 5 * time.Minute,
	})
	m, err := js.NewMachine(mt, vm.Options{MaxSourceBytes: 16 << 20, Stress: stress})
	if err != nil {
		return nil, err
	}
	defer func() {
		if exc, ok := m.Caught(err); ok {
			m.Root(exc)
			err = fmt.Errorf("%s\n%s", m.Describe(exc), m.FormatStack(exc))
		}
	}()
	fn, err := m.NewHostFunction("__print", 1, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		s, err := m.GoString(c.Arg(0))
		printed = append(printed, s)
		return vm.Undefined, err
	})
	if err == nil {
		err = m.SetGlobal("__print", heap.ObjectValue(fn))
	}
	if err != nil {
		return nil, err
	}
	run := func(name, source string) (vm.Value, error) {
		start := time.Now()
		prog, err := js.Compile(name, source, js.CompileOptions{Completion: true})
		r.CompileMS += ms(start)
		if err != nil {
			return vm.Undefined, err
		}
		start = time.Now()
		v, err := m.RunScript(prog)
		if err == nil {
			err = m.RunJobs()
		}
		r.LoadMS += ms(start)
		return v, err
	}
	for _, step := range sources(dir, p) {
		src, err := step.text()
		if err == nil {
			_, err = run(step.name, src)
		}
		if err != nil {
			return printed, err
		}
	}
	driver, err := files.ReadFile("drivers/" + p.Name + ".js")
	if err != nil {
		return printed, err
	}
	before := *r
	start := time.Now()
	_, err = run(p.Name, "__drive(async function (lib, libs, inputs) {"+string(driver)+"\n})")
	for err == nil {
		var more vm.Value
		if more, err = run("tick", "__tick()"); err == nil && more != vm.True {
			break
		}
	}
	r.CompileMS, r.LoadMS, r.RunMS = before.CompileMS, before.LoadMS, ms(start)
	return printed, err
}

func ms(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

// source is a script to run before the driver.
type source struct {
	name string
	text func() (string, error)
}

// sources lists the prelude and the package's files, each with what makes it a
// CommonJS module or keeps its global.
func sources(dir string, p Package) []source {
	literal := func(s string) func() (string, error) {
		return func() (string, error) { return s, nil }
	}
	list := []source{{"prelude.js", func() (string, error) {
		b, err := files.ReadFile("prelude.js")
		return string(b), err
	}}}
	if p.Shim != "" {
		list = append(list, source{"shim", literal(p.Shim)})
	}
	for _, f := range p.Files {
		list = append(list, source{f, func() (string, error) {
			b, err := os.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(p.Package), filepath.FromSlash(f)))
			if errors.Is(err, os.ErrNotExist) {
				err = fmt.Errorf("%w: run fetch.sh", err)
			}
			if p.Script || err != nil {
				return string(b), err
			}
			return fmt.Sprintf("__load(%q, %q, function (exports, require, module) {%s\n})", f, p.Global, b), nil
		}})
		if p.Script {
			list = append(list, source{"keep", literal(fmt.Sprintf("__keep(%q, globalThis[%q])", f, p.Global))})
		}
	}
	for _, f := range p.Inputs {
		list = append(list, source{"input", func() (string, error) {
			b, err := os.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(f)))
			if err != nil {
				return "", err
			}
			b, err = json.Marshal(string(b))
			return "__inputs.push(" + string(b) + ")", err
		}})
	}
	return list
}
