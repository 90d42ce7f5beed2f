package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// FS is what one run, or one definition, may do with files. It is safe for use
// by many goroutines.
type FS struct {
	*shared
	used *usage
	// Each layer narrows: a path must match one pattern of every layer.
	readLayers, writeLayers [][]pattern
}

// shared is what an FS and all that came from it have in common.
type shared struct {
	cfg    Config
	trees  []*tree
	locks  [64]chan struct{} // held while a file is extended
	stuck  atomic.Int32      // calls that were given up and are still at work
	closed atomic.Bool
	hook   hooks
}

// hooks are for tests.
type hooks struct {
	opening  func()                                  // before the file is opened
	opened   func()                                  // after
	renaming func()                                  // before the rename
	start    func(*tree, []string) (dir, int, error) // instead of the tree's own
	random   func() [8]byte                          // for the names of temporary files
}

// usage counts the bytes of an FS and what was narrowed from it.
type usage struct{ read, written atomic.Int64 }

// tree is a root.
type tree struct {
	name        string
	base        *base
	dirs        []string // the root's own names on the host: in which absolute links begin
	read, write []pattern
	protect     protection
	hardLinks   bool
	// pseudoAt are the paths below the root that are refused because programs of the
	// system make what is there.
	pseudoAt [][]string
	// hostOnly are the folders of ProtectDirs, folded.
	hostOnly [][]string
}

// start opens the root, or a folder below it to which the first names lead, if
// the system can go there at once without following links. It says how many
// names that are.
func (t *tree) start(names []string) (dir, int, error) { return t.base.start(names) }

// New returns what the configuration grants. The error is a *ConfigError, with
// all that is wrong. Folders that are granted are open from here on, until
// Close: renaming or replacing one afterwards changes nothing.
func New(cfg Config) (*FS, error) {
	s := &shared{cfg: cfg}
	problems := s.setUp()
	if len(problems) > 0 {
		for _, t := range s.trees {
			_ = t.base.close()
		}
		return nil, &ConfigError{problems}
	}
	for i := range s.locks {
		s.locks[i] = make(chan struct{}, 1)
	}
	return &FS{shared: s, used: new(usage)}, nil
}

// Validate reports what New would, as a *ConfigError, or nil.
func (c Config) Validate() error {
	f, err := New(c)
	if err != nil {
		return err
	}
	return f.Close()
}

// Close lets go of the folders, for f and all that came from it. Calls that
// begin afterwards fail.
func (f *FS) Close() error {
	if f.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, t := range f.trees {
		errs = append(errs, t.base.close())
	}
	return errors.Join(errs...)
}

// ForRun returns what f grants, with nothing used of MaxTotalRead and
// MaxTotalWrite.
func (f *FS) ForRun() *FS {
	g := *f
	g.used = new(usage)
	return &g
}

// Used returns how many bytes were read and written, of MaxTotalRead and
// MaxTotalWrite.
func (f *FS) Used() (read, written int64) { return f.used.read.Load(), f.used.written.Load() }

// Narrow returns what f grants and one of the patterns matches, for reading and
// for writing. The patterns are of paths as programs write them, a root's
// name included. No pattern, no file: Narrow(nil) grants nothing. What f has
// used counts for the new FS, and the other way round.
func (f *FS) Narrow(patterns []string) (*FS, error) {
	g, err := f.NarrowRead(patterns)
	if err != nil {
		return nil, err
	}
	return g.NarrowWrite(patterns)
}

// NarrowRead is Narrow for reading only; what may be written stays.
func (f *FS) NarrowRead(patterns []string) (*FS, error) {
	return f.narrow(patterns, true)
}

// NarrowWrite is Narrow for writing only; what may be read stays.
func (f *FS) NarrowWrite(patterns []string) (*FS, error) {
	return f.narrow(patterns, false)
}

func (f *FS) narrow(sources []string, read bool) (*FS, error) {
	layer := make([]pattern, 0, len(sources))
	for _, src := range sources {
		p, err := compilePattern(src, nil)
		if err != nil {
			return nil, &ConfigError{[]Problem{{ProblemPattern, fmt.Sprintf("pattern %q", src), err.Error()}}}
		}
		layer = append(layer, p)
	}
	g := *f
	if read {
		g.readLayers = append(f.readLayers[:len(f.readLayers):len(f.readLayers)], layer)
	} else {
		g.writeLayers = append(f.writeLayers[:len(f.writeLayers):len(f.writeLayers)], layer)
	}
	return &g, nil
}

// Uncovered returns those of the patterns, as for Narrow, that ask for more than
// f grants, as far as it can be seen from the patterns: for refusing a
// definition when it is loaded. Protected names don't count.
func (f *FS) Uncovered(op Op, patterns []string) []string {
	var out []string
	for _, src := range patterns {
		p, err := compilePattern(src, nil)
		if err != nil || !f.covers(op, &p) {
			out = append(out, src)
		}
	}
	return out
}

func (f *FS) covers(op Op, p *pattern) bool {
	for _, layer := range f.layers(op) {
		if !slices.ContainsFunc(layer, func(g pattern) bool { return g.covers(p) }) {
			return false
		}
	}
	for _, alt := range p.alts {
		if !f.coversAlternative(op, alt) {
			return false
		}
	}
	return true
}

// coversAlternative asks every root that the pattern may lead into.
func (f *FS) coversAlternative(op Op, alt []segment) bool {
	touched := false
	for _, t := range f.trees {
		rest := alt
		switch {
		case t.name == "":
			if names, _ := (&pattern{alts: [][]segment{alt}}).literal(); len(names) > 0 && f.tree(names[0]) != nil {
				continue // a root with a name hides that folder
			}
		case alt[0].deep:
		case alt[0].matchName(t.name):
			rest = alt[1:]
		default:
			continue
		}
		touched = true
		if !slices.ContainsFunc(t.granted(op), func(g pattern) bool {
			return len(rest) == 0 || slices.ContainsFunc(g.alts, func(a []segment) bool { return coversSegments(a, rest) })
		}) {
			return false
		}
	}
	return touched
}

func (f *FS) layers(op Op) [][]pattern {
	if op == OpWrite {
		return f.writeLayers
	}
	return f.readLayers
}

func (t *tree) granted(op Op) []pattern {
	if op == OpWrite {
		return t.write
	}
	return t.read
}

// tree returns the root of that name, or nil.
func (s *shared) tree(name string) *tree {
	for _, t := range s.trees {
		if t.name == name {
			return t
		}
	}
	return nil
}

// locate finds the root that a path begins in, and the rest of the path. It returns
// nil for the top if there is no root without a name.
func (s *shared) locate(names []string) (*tree, []string, *Error) {
	if len(names) > 0 {
		if t := s.tree(names[0]); t != nil {
			return t, names[1:], nil
		}
	}
	if t := s.tree(""); t != nil || len(names) == 0 {
		return t, names, nil
	}
	return nil, nil, errOutside("grant")
}

// want is what a caller needs a path for.
type want uint8

const (
	wantFile   want = iota
	wantFolder      // one that may have something below that is granted
	wantEither
)

// permit decides on a path below a root, and returns the rule that lets it pass.
func (f *FS) permit(op Op, t *tree, names []string, w want) (string, *Error) {
	return f.permitBelow(op, t, names, 0, w)
}

// permitBelow is permit for a path whose first clear names are permitted.
func (f *FS) permitBelow(op Op, t *tree, names []string, clear int, w want) (string, *Error) {
	for _, p := range t.pseudoAt {
		if hasPrefix(names, p, nil) {
			return "", fail(ErrNotRegular, "file:pseudo", "not a regular file")
		}
	}
	if p, ok := t.protect.find(names, clear); ok {
		return "", errProtected(p)
	}
	for _, p := range t.hostOnly {
		if hasPrefix(names, p, func(s string) string { return fold(trimName(s)) }) {
			return "", errProtected("host")
		}
	}
	if rule, ok := f.grants(op, t, names, w); ok {
		return rule, nil
	}
	return "", errOutside("grant")
}

func hasPrefix(names, prefix []string, transform func(string) string) bool {
	if len(names) < len(prefix) {
		return false
	}
	for i, p := range prefix {
		n := names[i]
		if transform != nil {
			n = transform(n)
		}
		if n != p {
			return false
		}
	}
	return true
}

func (f *FS) grants(op Op, t *tree, names []string, w want) (string, bool) {
	rule := find(t.granted(op), "", names, w)
	if rule == nil {
		return "", false
	}
	for _, layer := range f.layers(op) {
		if find(layer, t.name, names, w) == nil {
			return "", false
		}
	}
	return string(op) + ":" + rule.source, true
}

// find returns the first pattern that lets a path pass.
func find(patterns []pattern, prefix string, names []string, w want) *pattern {
	for i := range patterns {
		p := &patterns[i]
		if w != wantFolder && p.match(prefix, names) || w != wantFile && p.below(prefix, names) {
			return p
		}
	}
	return nil
}

// limit returns v, or what it is by default.
func limit[T int | int64 | uint32 | time.Duration](v *T, byDefault T) {
	if *v == 0 {
		*v = byDefault
	}
}

// setUp checks the configuration and opens its folders.
func (s *shared) setUp() (problems []Problem) {
	report := func(code, field, format string, args ...any) {
		problems = append(problems, Problem{code, field, fmt.Sprintf(format, args...)})
	}
	c := &s.cfg
	for _, l := range []struct {
		name string
		v    int64
	}{
		{"MaxFileBytes", c.MaxFileBytes}, {"MaxTotalRead", c.MaxTotalRead}, {"MaxTotalWrite", c.MaxTotalWrite},
		{"MaxEntries", int64(c.MaxEntries)}, {"MaxDepth", int64(c.MaxDepth)}, {"MaxVisit", int64(c.MaxVisit)},
		{"OpenTimeout", int64(c.OpenTimeout)},
	} {
		if l.v < 0 {
			report(ProblemLimit, l.name, "it is negative; 0 is the default")
		}
	}
	limit(&c.MaxFileBytes, DefaultMaxFileBytes)
	limit(&c.MaxTotalRead, max(DefaultMaxTotalBytes, c.MaxFileBytes))
	limit(&c.MaxTotalWrite, max(DefaultMaxTotalBytes, c.MaxFileBytes))
	limit(&c.MaxEntries, DefaultMaxEntries)
	limit(&c.MaxDepth, DefaultMaxDepth)
	limit(&c.MaxVisit, max(DefaultMaxVisit, c.MaxEntries))
	limit(&c.OpenTimeout, DefaultOpenTimeout)
	limit(&c.Perm, DefaultPerm)
	if c.MaxFileBytes > c.MaxTotalRead && c.MaxFileBytes > c.MaxTotalWrite {
		report(ProblemLimit, "MaxFileBytes", "it is larger than MaxTotalRead and MaxTotalWrite, so that no file can be that large")
	}
	if c.MaxEntries > c.MaxVisit {
		report(ProblemLimit, "MaxEntries", "it is larger than MaxVisit, so that no listing can be that long")
	}
	if c.Perm&^0o777 != 0 || c.Perm&0o200 == 0 {
		report(ProblemLimit, "Perm", "it must be permission bits with which the owner can write, such as 0o644")
	}
	common, err := compileProtect(append(DefaultProtect(), c.Protect...))
	if err != nil {
		report(ProblemPattern, "Protect", "%v", err)
	}
	var hostDirs []string
	for i, d := range c.ProtectDirs {
		real, err := realDir(d)
		switch {
		case d == "":
			report(ProblemNoDir, fmt.Sprintf("ProtectDirs[%d]", i), "it is empty")
		case errors.Is(err, fs.ErrNotExist):
			// It may be made later: its name is protected already.
			if abs, err := filepath.Abs(d); err == nil {
				hostDirs = append(hostDirs, abs)
			}
		case err == nil:
			hostDirs = append(hostDirs, real)
		default:
			report(ProblemNoDir, fmt.Sprintf("ProtectDirs[%d]", i), "%s", systemText(err))
		}
	}
	if len(c.Roots) > 0 && !supported {
		report(ProblemUnsupported, "Roots", "this system has no safe way to open files")
		return problems
	}
	for i := range c.Roots {
		s.addRoot(&c.Roots[i], fmt.Sprintf("Roots[%d]", i), common, hostDirs, report)
	}
	return problems
}

// systemText returns what the system says, without the path that it says it of.
func systemText(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

// realDir resolves a folder of the host.
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func (s *shared) addRoot(r *Root, field string, common protection, hostDirs []string, report func(code, field, format string, args ...any)) {
	t := &tree{name: r.Name, hardLinks: r.HardLinks}
	if r.Name != "" {
		names, err := cleanPath(r.Name, true)
		_, protected := common.find([]string{r.Name}, 0)
		if err != nil || len(names) != 1 || names[0] != r.Name || protected || strings.ContainsAny(r.Name, "{}[]") {
			report(ProblemName, field+".Name", "%q can't be the name of a folder", r.Name)
		}
	}
	for _, o := range s.trees {
		if o.name == r.Name {
			report(ProblemDuplicate, field+".Name", "another root has the name %q", r.Name)
		}
	}
	own, err := compileProtect(r.Protect)
	if err != nil {
		report(ProblemPattern, field+".Protect", "%v", err)
	}
	t.protect = append(common[:len(common):len(common)], own...)
	t.read = s.patterns(r.Read, field+".Read", t.protect, report)
	t.write = s.patterns(r.Write, field+".Write", t.protect, report)
	if len(r.Read) == 0 && len(r.Write) == 0 {
		report(ProblemNothing, field, `it grants nothing: Read: []string{"**"} is all`)
	}

	if r.Dir == "" {
		report(ProblemNoDir, field+".Dir", "it is empty")
		return
	}
	given, err := filepath.Abs(r.Dir)
	if err != nil {
		report(ProblemNoDir, field+".Dir", "%s", systemText(err))
		return
	}
	real, err := filepath.EvalSymlinks(given)
	if err == nil {
		t.base, err = openBase(real)
	}
	switch {
	case err == nil:
	case isNotDir(err):
		report(ProblemNotDir, field+".Dir", "it isn't a folder")
		return
	default:
		report(ProblemNoDir, field+".Dir", "it can't be opened: %s", systemText(err))
		return
	}
	s.trees = append(s.trees, t)
	// Links are compared with them after their slashes were made the same.
	t.dirs = []string{filepath.ToSlash(real)}
	if given != real {
		t.dirs = append(t.dirs, filepath.ToSlash(given))
	}
	for _, o := range s.trees[:len(s.trees)-1] {
		if o.dirs[0] == t.dirs[0] {
			report(ProblemDuplicate, field+".Dir", "another root is the same folder")
		}
	}
	d, _, err := t.start(nil)
	if err != nil {
		report(ProblemNoDir, field+".Dir", "it can't be opened: %s", systemText(err))
		return
	}
	defer d.close()
	if d.pseudo() {
		report(ProblemPseudo, field+".Dir", "it is in a pseudo file system")
	}
	for _, p := range pseudoDirs {
		if _, in := relative(p, real); in && !strings.HasPrefix(real, "/dev/shm/") {
			report(ProblemPseudo, field+".Dir", "it is in a pseudo file system")
		} else if rest, in := relative(real, p); in {
			t.pseudoAt = append(t.pseudoAt, rest)
		}
	}
	for _, p := range hostDirs {
		if _, in := relative(p, real); in {
			report(ProblemProtected, field+".Dir", "it is in one of ProtectDirs")
		} else if rest, in := relative(real, p); in {
			for i := range rest {
				rest[i] = fold(trimName(rest[i]))
			}
			t.hostOnly = append(t.hostOnly, rest)
		}
	}
}

// relative returns the names that lead from a folder to another one that is in
// it, or is it.
func relative(from, to string) ([]string, bool) {
	rest, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(rest) {
		return nil, false
	}
	if rest == "." {
		return nil, true
	}
	return strings.Split(filepath.ToSlash(rest), "/"), true
}

func (s *shared) patterns(sources []string, field string, protect protection, report func(code, field, format string, args ...any)) []pattern {
	var out []pattern
	for i, src := range sources {
		p, err := compilePattern(src, nil)
		if err != nil {
			report(ProblemPattern, fmt.Sprintf("%s[%d]", field, i), "%v", err)
			continue
		}
		if names, _ := p.literal(); len(names) > 0 {
			if by, ok := protect.find(names, 0); ok {
				report(ProblemProtected, fmt.Sprintf("%s[%d]", field, i), "%q is protected by %q", src, by)
			}
		}
		out = append(out, p)
	}
	return out
}
