package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/schema"
)

// DefaultLoadTimeout is how long loading a file may take.
const DefaultLoadTimeout = 2 * time.Second

// Config says how tools are loaded and called. The zero value is for tools that
// compute.
type Config struct {
	// Options are those of the sandboxes that the tools run in: grants, limits,
	// host functions, isolation. Requires must be nil, since each tool declares its
	// own. A nil Grants is an empty one; a nil Limiter is limiter.Shared.
	Options pinfold.Options
	// Lenient makes unknown keys of descriptions warnings; LoadDir then leaves out,
	// with a warning, what requires more than is granted, and descriptions without a
	// file. Otherwise these are errors.
	Lenient bool
	// Approver decides about the calls of tools that require approval. nil refuses
	// them.
	Approver Approver
	// LoadTimeout bounds the time in which a file is read and its top level runs. 0 is
	// DefaultLoadTimeout.
	LoadTimeout time.Duration
}

// File is a tool that was written as a file. It is immutable and safe for use by
// many goroutines. It need not be closed unless Options.Isolation is
// pinfold.Process.
type File struct {
	def      Definition
	input    *schema.Schema
	output   *schema.Schema
	sandbox  *pinfold.Sandbox
	program  *pinfold.Program
	approver Approver
	hash     string
	name     string // of the file
	modules  []string
	warnings []Warning
	turns    turns
	base     pinfold.Options // that the sandbox was made of, Requires and Timeout aside
}

var _ Tool = (*File)(nil)

// Load loads a tool from a file of the host, which it chose: it is read with the
// host's rights. What the file imports must lie in its folder.
//
// The file is a module that exports the function invoke(inputs, ctx), which may
// be async, and is described by NAME.tool.yaml beside it, or else by the object
// tool that it exports. Its top level runs once, with nothing granted and nothing
// declared (of the host's functions it can call those without a capability); the
// description is what it is then, whatever later runs export.
//
// The error is a *LoadError (or several, joined) or a *CapabilityMissingError; it
// tells nothing of the host's paths.
func Load(name string, cfg Config) (*File, error) {
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	return l.file(name)
}

// LoadFS is Load from a file system.
func LoadFS(fsys fs.FS, name string, cfg Config) (*File, error) {
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	o, err := openFS(fsys, name, l.sourceBytes)
	if err != nil {
		return nil, err
	}
	return l.load(o)
}

// Load loads a tool from texts.
func (s Source) Load(cfg Config) (*File, error) {
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	return l.load(s.open())
}

// Dir are the tools of a folder, in the order of their files' names.
type Dir struct {
	Tools    []*File
	Warnings []Warning
}

// Tool finds a tool by its name, nil if there is none.
func (d *Dir) Tool(name string) *File {
	for _, f := range d.Tools {
		if f.def.Name == name {
			return f
		}
	}
	return nil
}

// Close closes the tools.
func (d *Dir) Close() error {
	var errs []error
	for _, f := range d.Tools {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// LoadDir loads every .js and .ts file of a folder, but not of the folders in
// it: those are for what tools import. Files that end in .d.ts are left out. The
// error names everything that is wrong; there is no Dir then.
func LoadDir(dir string, cfg Config) (*Dir, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, &LoadError{Code: Unreadable, Message: "the folder can't be read", cause: plainFSError(err)}
	}
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	return l.dir(entryNames(list), func(name string) (*File, error) { return l.file(filepath.Join(dir, name)) })
}

// LoadDirFS is LoadDir from a file system.
func LoadDirFS(fsys fs.FS, dir string, cfg Config) (*Dir, error) {
	list, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, &LoadError{Code: Unreadable, Message: "the folder can't be read", cause: plainFSError(err)}
	}
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	return l.dir(entryNames(list), func(name string) (*File, error) {
		o, err := openFS(fsys, path.Join(dir, name), l.sourceBytes)
		if err != nil {
			return nil, err
		}
		return l.load(o)
	})
}

func plainFSError(err error) error {
	for _, e := range []error{fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, e) {
			return e
		}
	}
	return nil
}

func entryNames(list []fs.DirEntry) (names []string) {
	for _, e := range list {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// loader loads tools.
type loader struct {
	cfg         Config
	sourceBytes int64
	limits      pinfold.Limits
	own         []string
	ungranted   bool // what is required need not be granted
}

func newLoader(cfg Config) (*loader, error) {
	var errs []error
	if cfg.Options.Requires != nil {
		errs = append(errs, errors.New("tool: Options.Requires must be nil: each tool declares what it requires"))
	}
	if cfg.LoadTimeout < 0 {
		errs = append(errs, fmt.Errorf("tool: LoadTimeout is %v: it must not be negative (0 is the default, %v)", cfg.LoadTimeout, DefaultLoadTimeout))
	}
	if err := cfg.Options.Limits.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("tool: %w", err))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if cfg.LoadTimeout == 0 {
		cfg.LoadTimeout = DefaultLoadTimeout
	}
	if cfg.Options.Grants == nil {
		cfg.Options.Grants = &pinfold.Grants{}
	}
	if cfg.Options.Limiter == nil {
		cfg.Options.Limiter = limiter.Shared()
	}
	l := &loader{cfg: cfg, limits: cfg.Options.Limits.WithDefaults()}
	l.sourceBytes = l.limits.SourceBytes
	for _, f := range cfg.Options.Functions {
		if f.Capability != "" && !slices.Contains(l.own, f.Capability) {
			l.own = append(l.own, f.Capability)
		}
	}
	return l, nil
}

func (l *loader) file(name string) (*File, error) {
	o, done, err := openFile(name, l.sourceBytes)
	if err != nil {
		return nil, err
	}
	defer done()
	return l.load(o)
}

// dir loads those of a folder's files that are tools.
func (l *loader) dir(names []string, load func(name string) (*File, error)) (*Dir, error) {
	d := &Dir{}
	var errs []error
	stems := map[string]bool{}
	for _, name := range names {
		if !isToolFile(name) {
			continue
		}
		stems[stem(name)] = true
		f, err := load(name)
		var missing *CapabilityMissingError
		switch {
		case err == nil:
			d.Tools = append(d.Tools, f)
			d.Warnings = append(d.Warnings, f.warnings...)
		case l.cfg.Lenient && errors.As(err, &missing):
			d.Warnings = append(d.Warnings, Warning{Code: LeftOut, File: name, Message: fmt.Sprintf("the tool %s was left out: it requires %s, which is not granted", missing.Tool, requirements(missing.Missing))})
		default:
			errs = append(errs, err)
		}
	}
	for _, name := range names {
		message := ""
		if s, ok := strings.CutSuffix(name, ".tool.yml"); ok {
			message = fmt.Sprintf("this is not read: the description of a tool is called %s.tool.yaml", s)
		}
		if s, ok := strings.CutSuffix(name, ".tool.yaml"); ok && !stems[s] {
			message = fmt.Sprintf("this describes no tool: there is neither %s.js nor %s.ts", s, s)
		}
		if message != "" {
			if l.cfg.Lenient {
				d.Warnings = append(d.Warnings, Warning{Code: Orphan, File: name, Message: message})
			} else {
				errs = append(errs, &LoadError{Code: Orphan, File: name, Message: message})
			}
		}
	}
	byName := map[string]string{}
	for _, f := range d.Tools {
		if first, twice := byName[f.def.Name]; twice {
			errs = append(errs, &LoadError{Code: Duplicate, File: f.name, Message: fmt.Sprintf("there are two tools of the name %s: the other one is %s", f.def.Name, first), Hint: "rename one of them"})
			continue
		}
		byName[f.def.Name] = f.name
	}
	if err := errors.Join(errs...); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// load loads one tool.
func (l *loader) load(o *opened) (*File, error) {
	if !isToolFile(o.file) {
		return nil, &LoadError{Code: Unreadable, File: o.file, Message: "a tool's file ends in .js or .ts"}
	}
	if n := int64(len(o.text)); n > l.sourceBytes {
		return nil, &LoadError{Code: Unreadable, File: o.file, Message: fmt.Sprintf("the file has %d bytes, %d are allowed", n, l.sourceBytes)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), l.cfg.LoadTimeout+l.cfg.Options.Limiter.Config().MaxWait)
	defer cancel()
	prog, err := parse(ctx, o.file, o.text)
	if err != nil {
		return nil, err
	}
	g := &graph{o: o, host: l.cfg.Options.Modules, max: l.sourceBytes, texts: map[string]string{}}
	if prog != nil {
		if err := g.imports(ctx, prog); err != nil {
			return nil, err
		}
	}
	f := &File{name: o.file, approver: l.cfg.Approver, hash: hashOf(o, g.texts), base: l.cfg.Options}
	f.modules = slices.Sorted(maps.Keys(g.texts))
	f.base.Modules = maps.Clone(g.texts)
	maps.Copy(f.base.Modules, l.cfg.Options.Modules)

	t, err := l.evaluate(ctx, f, o)
	if err != nil {
		return nil, err
	}
	if t.at == nil {
		t.at = places(prog)
	}
	d := &description{tree: t, lenient: l.cfg.Lenient, own: l.own}
	if err := d.read(o.file); err != nil {
		return nil, err
	}
	f.def, f.input, f.output, f.warnings = d.def, d.input, d.output, d.warnings
	if missing := l.missing(f.base.Grants, f.def.Requires); len(missing) > 0 && !l.ungranted {
		return nil, &CapabilityMissingError{Tool: f.def.Name, File: o.file, Missing: missing}
	}
	if f.sandbox, err = pinfold.New(f.options(f.base)); err != nil {
		at := t.at(pointer("", "requires"))
		return nil, &LoadError{Code: BadRequirement, File: t.file, Line: at.line, Column: at.column, Message: oneLine(err.Error()), cause: err}
	}
	return f, nil
}

// missing is what isn't granted of what is required.
func (l *loader) missing(g *pinfold.Grants, requires []pinfold.Requirement) []pinfold.Requirement {
	var ask []pinfold.Requirement
	for _, q := range requires {
		free := q.Capability == pinfold.Cost || q.Capability == pinfold.Log || q.Capability == pinfold.Delay
		if !free && !slices.Contains(l.own, q.Capability) {
			ask = append(ask, q)
		}
	}
	return g.Missing(ask)
}

// options are those of the sandbox that calls run in.
func (f *File) options(base pinfold.Options) pinfold.Options {
	base.Requires = cloneRequires(f.def.Requires)
	if f.def.Timeout > 0 {
		base.Limits.Timeout = min(f.def.Timeout, base.Limits.WithDefaults().Timeout)
	}
	return base
}

// evaluate compiles the file and runs its top level, with nothing granted and
// nothing declared. It returns the description that stands beside the file, or
// the one that it exports, whose places aren't known yet.
func (l *loader) evaluate(ctx context.Context, f *File, o *opened) (*tree, error) {
	opt := f.base
	opt.Grants, opt.Requires = &pinfold.Grants{}, []pinfold.Requirement{}
	opt.Limits.Timeout = min(l.cfg.LoadTimeout, l.limits.Timeout)
	s, err := pinfold.New(opt)
	if err != nil {
		return nil, fmt.Errorf("tool: %w", err)
	}
	defer s.Close()
	req, ok := limiter.From(ctx)
	if !ok {
		req = opt.Admission
	}
	req.Loading = true
	ctx = limiter.With(ctx, req)
	if f.program, err = s.CompileContext(ctx, o.file, o.text); err != nil {
		return nil, loadFailure(o.file, err)
	}
	if !f.program.IsModule() {
		return nil, noInvoke(o.file, "it exports nothing")
	}
	x, out := s.Load(ctx, f.program, "tool")
	if out.Failure != nil {
		return nil, loadFailure(o.file, out.Failure)
	}
	if !slices.Contains(x.Functions, "invoke") {
		why := "it exports nothing that can be called"
		if len(x.Functions) > 0 {
			why = "the functions that it exports are " + strings.Join(x.Functions, ", ")
		}
		return nil, noInvoke(o.file, why)
	}
	if o.described {
		return readYAML(o.yamlFile, o.yaml, BadYAML)
	}
	v, ok := x.Values["tool"]
	if !ok || v.IsUndefined() {
		return nil, &LoadError{
			Code: NoDescription, File: o.file, Line: 1, Column: 1, Message: "the tool has no description",
			Hint: `write export const tool = { description: "…", inputSchema: {…} }, or a file ` + o.yamlFile + " beside it",
		}
	}
	own, err := v.Any()
	if err != nil {
		return nil, &LoadError{Code: BadValue, File: o.file, Message: "the exported object tool can't be read: " + oneLine(err.Error()), cause: err}
	}
	return &tree{file: o.file, value: own}, nil
}

func noInvoke(file, why string) error {
	return &LoadError{Code: NoInvoke, File: file, Line: 1, Column: 1, Message: "the file exports no function invoke: " + why, Hint: "write export async function invoke(inputs, ctx) { … }"}
}

// loadFailure makes a LoadError of a failure to compile a file, or to run its
// top level.
func loadFailure(file string, err error) error {
	var f *pinfold.Failure
	if !errors.As(err, &f) {
		return &LoadError{Code: BadTopLevel, File: file, Message: oneLine(err.Error()), cause: err}
	}
	e := &LoadError{Code: BadTopLevel, File: cmp.Or(f.File, file), Line: f.Line, Column: f.Column, Hint: f.Hint, cause: f}
	head := f.Message
	if f.Name != "" {
		head = f.Name + ": " + head
	}
	switch f.Kind {
	case pinfold.ErrSyntax:
		e.Code, e.Message = BadSyntax, head
	case pinfold.ErrSource:
		e.Code, e.Message = Unreadable, head
	case pinfold.ErrBusy:
		e.Code, e.Message = NotAdmitted, head
	case pinfold.ErrResult:
		e.Code, e.Message = BadValue, "the exported object tool must be data: "+head
	default:
		e.Message = "the top level of the file fails: " + head
	}
	return e
}

// Definition returns what the model is told.
func (f *File) Definition() Definition {
	d := f.def
	d.InputSchema, d.OutputSchema = slices.Clone(d.InputSchema), slices.Clone(d.OutputSchema)
	d.Requires = cloneRequires(d.Requires)
	return d
}

// Hash identifies the tool's source: the file, its description and what it
// imports, as hexadecimal SHA-256.
func (f *File) Hash() string { return f.hash }

// FileName returns the name of the tool's file.
func (f *File) FileName() string { return f.name }

// Imports returns the files that the tool imports, by their paths from its
// folder on, sorted.
func (f *File) Imports() []string { return slices.Clone(f.modules) }

// Warnings returns what a lenient load put up with.
func (f *File) Warnings() []Warning { return slices.Clone(f.warnings) }

// Close lets go of what the sandbox holds: see pinfold.Sandbox.Close.
func (f *File) Close() error { return f.sandbox.Close() }
