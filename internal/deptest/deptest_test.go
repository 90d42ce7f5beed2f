package deptest

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of modules linked into the command")

const module = "github.com/pinfold-js/pinfold"

// allowed are the third-party modules that library packages may link, with the
// reason for each.
var allowed = map[string]string{
	"golang.org/x/sys":                         "worker processes give up what they don't need: system calls that package syscall has not",
	"golang.org/x/net":                         "hosts of URLs need the tables of UTS #46; nothing but its package idna",
	"github.com/cockroachdb/apd/v3":            "costs are exact decimals",
	"github.com/santhosh-tekuri/jsonschema/v6": "schemas are compiled and checked against the rules of JSON Schema by it; only package schema imports it",

	"go.yaml.in/yaml/v4": "definitions of tools are YAML with positions",

	"golang.org/x/text": "String.prototype.normalize needs the tables of Unicode normalization",
}

// adapters are packages that link more, for programs that import them: the
// modules of each. No other package of the library may import one.
var adapters = map[string][]string{
	module + "/capability/store/sqlitestore": {
		"modernc.org/sqlite", "modernc.org/libc", "modernc.org/mathutil", "modernc.org/memory", "github.com/dustin/go-humanize",
		"github.com/google/uuid", "github.com/mattn/go-isatty", "github.com/ncruces/go-strftime", "github.com/remyoudompheng/bigfft",
	},
}

// notLibrary are the folders whose packages nobody imports: commands, tests and
// tools.
var notLibrary = []string{"cmd", "conformance", "examples", "hostile", "internal"}

// below says which parts of this module the packages of a folder may import.
// Folders that aren't listed may import all. An entry with a slash is one
// package of a folder.
var below = []struct {
	folder string
	may    []string
}{
	{"meter", nil},
	{"js", []string{"js", "meter", "internal"}},
	{"membrane", []string{"membrane", "js", "meter", "internal"}},
	{"schema", []string{"schema", "membrane"}},
	{"capability", []string{"capability", "membrane", "meter", "internal", "js/url"}},
	{"limiter", []string{"limiter", "meter", "internal"}},
}

// forbidden are standard packages that the engine must not import, with the
// reason for each.
var forbidden = map[string]string{
	"C":            "no cgo",
	"math/rand":    "the same input gives the same run: randomness comes from the host",
	"math/rand/v2": "the same input gives the same run: randomness comes from the host",
	"crypto/rand":  "the same input gives the same run: randomness comes from the host",
	"hash/maphash": "its seeds are random: iteration order and hashing never depend on one",
	"net":          "nothing is ambient",
	"net/http":     "nothing is ambient",
	"os":           "nothing is ambient",
	"os/exec":      "nothing is ambient",
	"plugin":       "nothing is ambient",
	"syscall":      "nothing is ambient",
}

// unsafeFile is the one file that may import unsafe.
const unsafeFile = "js/heap/unsafe.go"

type goPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
	GoFiles    []string
	Module     *struct {
		Path, Version string
		Main          bool
	}
}

// root is the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func list(t *testing.T, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Standard,Imports,GoFiles,Module"}, args...)...)
	cmd.Dir = root(t)
	// What is linked doesn't depend on the machine that runs the test.
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var pkgs []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// folder returns the first element of a path inside the module, "" for the
// root, and whether the package belongs to the module.
func folder(importPath string) (string, bool) {
	if importPath == module {
		return "", true
	}
	rest, ok := strings.CutPrefix(importPath, module+"/")
	first, _, _ := strings.Cut(rest, "/")
	return first, ok
}

func library(t *testing.T) []goPackage {
	t.Helper()
	var pkgs []goPackage
	for _, p := range list(t, "./...") {
		if f, _ := folder(p.ImportPath); !slices.Contains(notLibrary, f) {
			pkgs = append(pkgs, p)
		}
	}
	if len(pkgs) == 0 {
		t.Fatal("the module has no library package")
	}
	return pkgs
}

func TestLibraryLinksOnlyAllowedModules(t *testing.T) {
	args := []string{"-deps"}
	for _, p := range library(t) {
		if adapters[p.ImportPath] == nil {
			args = append(args, p.ImportPath)
		}
	}
	deps := list(t, args...)
	importers := map[string][]string{}
	for _, p := range deps {
		for _, i := range p.Imports {
			importers[i] = append(importers[i], p.ImportPath)
		}
	}
	used := map[string]bool{}
	for _, p := range deps {
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		if allowed[p.Module.Path] == "" {
			t.Errorf("%s of the module %s is linked into the library, which is not on the list; imported by %s",
				p.ImportPath, p.Module.Path, strings.Join(importers[p.ImportPath], ", "))
		}
		used[p.Module.Path] = true
	}
	for m := range allowed {
		if !used[m] {
			t.Logf("%s is allowed and not used", m)
		}
	}
}

func TestAdaptersStandApart(t *testing.T) {
	for _, p := range library(t) {
		for _, i := range p.Imports {
			if adapters[i] != nil {
				t.Errorf("%s imports %s, and so would every program that uses the library", p.ImportPath, i)
			}
		}
	}
	for path, modules := range adapters {
		for _, p := range list(t, "-deps", path) {
			if p.Standard || p.Module == nil || p.Module.Main || allowed[p.Module.Path] != "" {
				continue
			}
			if !slices.Contains(modules, p.Module.Path) {
				t.Errorf("%s links %s of the module %s, which is not on its list", path, p.ImportPath, p.Module.Path)
			}
		}
	}
}

func TestImportsPointDownwards(t *testing.T) {
	for _, p := range library(t) {
		f, _ := folder(p.ImportPath)
		for _, rule := range below {
			if rule.folder != f {
				continue
			}
			for _, i := range p.Imports {
				if to, ours := folder(i); ours && !slices.Contains(rule.may, to) && !slices.Contains(rule.may, strings.TrimPrefix(i, module+"/")) {
					t.Errorf("%s imports %s: packages in %s may import %v of this module", p.ImportPath, i, f, rule.may)
				}
			}
		}
	}
}

// parsers are what reads source text.
var parsers = []string{"js/syntax", "js/compiler", "js", "ajs/transpile"}

// TestProgramsRunWithoutParser: what runs AJS programs links nothing that reads
// source, neither directly nor through another package.
func TestProgramsRunWithoutParser(t *testing.T) {
	for _, path := range []string{"ajs/ast", "ajs/atom", "ajs/vm"} {
		for _, p := range list(t, "-deps", module+"/"+path) {
			if rel, ok := strings.CutPrefix(p.ImportPath, module+"/"); ok && slices.Contains(parsers, rel) {
				t.Errorf("%s links %s, which reads source text", path, rel)
			}
		}
	}
}

func TestEngineImportsNothingAmbient(t *testing.T) {
	for _, p := range library(t) {
		f, _ := folder(p.ImportPath)
		if f != "js" && f != "meter" {
			continue
		}
		for _, i := range p.Imports {
			if why := forbidden[i]; why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, i, why)
			}
		}
	}
}

func TestUnsafeStaysInOneFile(t *testing.T) {
	dir := root(t)
	for _, p := range list(t, "./...") {
		if !slices.Contains(p.Imports, "unsafe") {
			continue
		}
		for _, name := range p.GoFiles {
			file := filepath.Join(p.Dir, name)
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range parsed.Imports {
				if i.Path.Value == `"unsafe"` && filepath.ToSlash(rel) != unsafeFile {
					t.Errorf("%s imports unsafe: only %s may", rel, unsafeFile)
				}
			}
		}
	}
}

func TestModulesOfCommand(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root(t), "cmd", "pinfold")); errors.Is(err, os.ErrNotExist) {
		t.Skip("there is no cmd/pinfold")
	}
	set := map[string]bool{}
	for _, p := range list(t, "-deps", "./cmd/pinfold") {
		if p.Module != nil && !p.Module.Main {
			set[p.Module.Path+" "+p.Module.Version] = true
		}
	}
	lines := make([]string, 0, len(set))
	for l := range set {
		lines = append(lines, l+"\n")
	}
	sort.Strings(lines)
	got := "# Modules linked into cmd/pinfold. Written by: go test ./internal/deptest -update\n" + strings.Join(lines, "")
	file := filepath.Join("testdata", "modules.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(fmt.Errorf("%w; go test ./internal/deptest -update writes it", err))
	}
	if string(want) != got {
		t.Errorf("the modules linked into cmd/pinfold have changed; go test ./internal/deptest -update writes the list\nrecorded:\n%s\nnow:\n%s", want, got)
	}
}
