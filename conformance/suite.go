package main

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
)

// scope lists the folders of test/ that are run.
var scope = []string{"language", "built-ins", "annexB"}

// Suite is a checkout of test262.
type Suite struct {
	dir     string // holds test and harness
	harness sync.Map
}

// Test is one test file.
type Test struct {
	Name   string // path below test/, with slashes
	Source string
	Meta   *Meta
}

// openSuite checks that dir looks like test262.
func openSuite(dir string) (*Suite, error) {
	for _, p := range []string{"harness/assert.js", "harness/sta.js", "test/language"} {
		if _, err := os.Stat(filepath.Join(dir, p)); err != nil {
			return nil, fmt.Errorf("%s is not a checkout of test262: %w", dir, err)
		}
	}
	return &Suite{dir: dir}, nil
}

// Selection says which tests of the scope are wanted.
type Selection struct {
	Area   string // a folder or file below test/; several with commas; "" is all
	Except string // folders below test/ that are not wanted, with commas
	Filter string // a part of the name
	Sample int    // at most so many, spread over the whole; 0 is all
	Names  []string
}

// Select returns the names of tests in order.
func (s *Suite) Select(sel Selection) ([]string, error) {
	if len(sel.Names) > 0 {
		return sel.Names, nil
	}
	roots := scope
	if sel.Area != "" {
		roots = strings.Split(sel.Area, ",")
	}
	var except []string
	for _, e := range strings.Split(sel.Except, ",") {
		if e = strings.Trim(strings.TrimSpace(e), "/"); e != "" {
			except = append(except, e+"/")
		}
	}
	var names []string
	for _, root := range roots {
		root = strings.Trim(strings.TrimPrefix(filepath.ToSlash(strings.TrimSpace(root)), "test/"), "/")
		if root == "" {
			continue
		}
		base := filepath.Join(s.dir, "test")
		err := filepath.WalkDir(filepath.Join(base, filepath.FromSlash(root)), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() || !strings.HasSuffix(p, ".js") || strings.Contains(d.Name(), "_FIXTURE") {
				return nil
			}
			rel, err := filepath.Rel(base, p)
			if err != nil {
				return err
			}
			if rel = filepath.ToSlash(rel); strings.Contains(rel, sel.Filter) && !slices.ContainsFunc(except, func(e string) bool { return strings.HasPrefix(rel, e) }) {
				names = append(names, rel)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	sort.Strings(names)
	if sel.Sample > 0 && sel.Sample < len(names) {
		names = sample(names, sel.Sample)
	}
	return names, nil
}

// sample keeps the n names with the smallest hash: the same ones every time,
// spread over all areas.
func sample(names []string, n int) []string {
	type hashed struct {
		name string
		sum  uint64
	}
	all := make([]hashed, len(names))
	for i, name := range names {
		h := fnv.New64a()
		h.Write([]byte(name))
		// FNV's high bits hardly change between names with the same ending.
		sum := h.Sum64()
		sum ^= sum >> 32
		sum *= 0x9e3779b97f4a7c15
		sum ^= sum >> 29
		all[i] = hashed{name, sum}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].sum != all[j].sum {
			return all[i].sum < all[j].sum
		}
		return all[i].name < all[j].name
	})
	out := make([]string, n)
	for i := range out {
		out[i] = all[i].name
	}
	sort.Strings(out)
	return out
}

// Read reads a test.
func (s *Suite) Read(name string) (*Test, error) {
	src, err := os.ReadFile(filepath.Join(s.dir, "test", filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	meta, err := parseMeta(string(src))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Test{Name: name, Source: string(src), Meta: meta}, nil
}

// areaOf returns the first two levels of a test's path.
func areaOf(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if len(parts) < 3 {
		return parts[0]
	}
	return parts[0] + "/" + parts[1]
}

// attributeError is a key of an import attribute that means nothing here.
type attributeError string

func (e attributeError) Error() string {
	return fmt.Sprintf("Import attribute %q is not supported", string(e))
}

// Load resolves an import of a test: a file in the importing file's folder.
func (s *Suite) Load(referrer, specifier string, attributes []Attribute) (Source, error) {
	if !strings.HasPrefix(specifier, "./") && !strings.HasPrefix(specifier, "../") {
		return Source{}, fmt.Errorf("cannot resolve module specifier %q", specifier)
	}
	name := path.Join(path.Dir(referrer), specifier)
	if strings.HasPrefix(name, "..") {
		return Source{}, fmt.Errorf("module %q is outside of the suite", specifier)
	}
	kind := ""
	for _, a := range attributes {
		switch {
		case a.Key != "type":
			return Source{}, attributeError(a.Key)
		case a.Value == "json" || a.Value == "text" || a.Value == "bytes":
			kind = a.Value
		default:
			return Source{}, fmt.Errorf("import attribute type %q is not supported", a.Value)
		}
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "test", filepath.FromSlash(name)))
	if err != nil {
		return Source{}, fmt.Errorf("no module %q", specifier)
	}
	return Source{Name: name, Text: string(text), Type: kind}, nil
}

type harnessFile struct {
	once    sync.Once
	program Program
	err     error
}

// Harness returns a compiled file of harness/, compiled once.
func (s *Suite) Harness(e Engine, name string) (Program, error) {
	v, ok := s.harness.Load(name)
	if !ok {
		v, _ = s.harness.LoadOrStore(name, &harnessFile{})
	}
	f := v.(*harnessFile)
	f.once.Do(func() {
		// A panic of the compiler must not leave a program that is neither
		// there nor refused.
		f.err = fmt.Errorf("harness/%s could not be compiled", name)
		src, err := os.ReadFile(filepath.Join(s.dir, "harness", filepath.FromSlash(name)))
		if err != nil {
			f.err = err
			return
		}
		f.program, f.err = e.Compile("harness/"+name, string(src))
	})
	return f.program, f.err
}
