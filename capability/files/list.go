package files

import (
	"context"
	"slices"
	"strings"
	"time"
)

// EntryKind is what an Entry is.
type EntryKind string

// The kinds. Nothing else is ever listed.
const (
	KindFile      EntryKind = "file"
	KindDirectory EntryKind = "directory"
)

// Entry describes a file or a folder.
type Entry struct {
	Name    string    `json:"name"`
	Path    string    `json:"path"` // as a program can write it
	Kind    EntryKind `json:"kind"`
	Link    bool      `json:"link,omitempty"` // the name is that of a symbolic link, the rest is about what it leads to
	Size    int64     `json:"size"`           // 0 for folders
	ModTime time.Time `json:"modTime"`        // the zero time for roots at the top
}

// Cut says why a listing isn't complete.
type Cut string

// The reasons.
const (
	CutNot     Cut = ""        // it is complete
	CutEntries Cut = "entries" // MaxEntries
	CutDepth   Cut = "depth"   // MaxDepth
	CutVisit   Cut = "visit"   // Config.MaxVisit
)

// Listing is what List and Glob find, in the order of the names.
type Listing struct {
	Entries []Entry `json:"entries"`
	Cut     Cut     `json:"cut,omitempty"`
}

// ListOptions are options of List.
type ListOptions struct {
	MaxEntries int // 0 is Config.MaxEntries, which it can't pass
	Decision   *Decision
}

// GlobOptions are options of Glob.
type GlobOptions struct {
	Dir        string // where to begin; "" is the top
	MaxEntries int    // 0 is Config.MaxEntries, which it can't pass
	MaxDepth   int    // folders below Dir; 0 is Config.MaxDepth, which it can't pass
	Decision   *Decision
}

// StatOptions are options of Stat.
type StatOptions struct{ Decision *Decision }

// Stat describes a file that may be read, or a folder in which one may be. The error is
// an *Error.
func (f *FS) Stat(ctx context.Context, path string, opt StatOptions) (Entry, error) {
	ctx = orBackground(ctx)
	t, names, rule, err := f.begin(OpRead, path, wantEither)
	var out Entry
	switch {
	case err != nil:
	case t == nil:
		out = Entry{Path: ".", Kind: KindDirectory}
	default:
		out, err = do(ctx, f.shared, func(c *call) (Entry, *Error) {
			e := retry(c, func() *Error {
				var e *Error
				out, e = f.entry(c, t, names)
				return e
			})
			return out, e
		})
	}
	return out, f.finish(OpRead, t, path, rule, err, opt.Decision)
}

// entry describes what a path below a root leads to.
func (f *FS) entry(c *call, t *tree, names []string) (Entry, *Error) {
	p, e := f.resolve(c, t, names, wantEither, f.permits(OpRead, t))
	if e != nil {
		return Entry{}, e
	}
	defer p.close()
	if !p.exists {
		return Entry{}, p.missing()
	}
	if p.parent.pseudo() {
		return Entry{}, errPseudo()
	}
	linked := !slices.Equal(names, p.names)
	e = f.visible(t, &p.info, p.names)
	if e == nil && linked {
		e = f.visible(t, &p.info, names)
	}
	if e != nil {
		return Entry{}, e
	}
	return describe(t, names, &p.info, linked), nil
}

// visible decides whether something that was permitted as a file or as a folder may be
// seen, now that it is known which it is.
func (f *FS) visible(t *tree, is *info, names []string) *Error {
	w := wantFile
	switch is.kind {
	case kindDir:
		w = wantFolder
	case kindFile:
	default:
		return errKind()
	}
	if _, ok := f.grants(OpRead, t, names, w); !ok {
		return errOutside("grant")
	}
	return nil
}

// wantOf is what an entry of a kind is wanted for.
func wantOf(k EntryKind) want {
	if k == KindDirectory {
		return wantFolder
	}
	return wantFile
}

func describe(t *tree, names []string, is *info, link bool) Entry {
	e := Entry{Kind: KindFile, Link: link, Size: is.size, ModTime: is.mod, Path: programPath(t, names)}
	if is.kind == kindDir {
		e.Kind, e.Size = KindDirectory, 0
	}
	if len(names) > 0 {
		e.Name = names[len(names)-1]
	} else {
		e.Name = t.name
	}
	return e
}

// programPath writes a path below a root as a program can write it.
func programPath(t *tree, names []string) string {
	path := strings.Join(names, "/")
	switch {
	case t.name != "" && path != "":
		path = t.name + "/" + path
	case t.name != "":
		path = t.name
	case path == "":
		path = "."
	case checkPrefix(path) != "":
		path = "./" + path
	}
	return path
}

// bound returns what an option asks for, if it is less than what is configured.
func bound(asked, configured int, name string) (int, *Error) {
	if asked < 0 {
		return 0, errArgument(name)
	}
	if asked == 0 {
		return configured, nil
	}
	return min(asked, configured), nil
}

// List returns what is in a folder and may be read, or may have something below
// that may be read. Links that lead to nothing that is granted are left out, and
// so is what is neither a file nor a folder. The error is an *Error.
func (f *FS) List(ctx context.Context, path string, opt ListOptions) (Listing, error) {
	ctx = orBackground(ctx)
	t, names, rule, err := f.begin(OpRead, path, wantEither)
	var out Listing
	limit := 0
	if err == nil {
		limit, err = bound(opt.MaxEntries, f.cfg.MaxEntries, "maxEntries")
	}
	if err == nil {
		out, err = do(ctx, f.shared, func(c *call) (Listing, *Error) {
			var out Listing
			e := retry(c, func() *Error {
				var e *Error
				out, e = f.list(c, t, names, limit)
				return e
			})
			return out, e
		})
	}
	return out, f.finish(OpRead, t, path, rule, err, opt.Decision)
}

func (f *FS) list(c *call, t *tree, names []string, limit int) (Listing, *Error) {
	out := Listing{Entries: []Entry{}}
	visit := f.cfg.MaxVisit
	if t == nil {
		out.Entries = f.roots()
	} else {
		found, err := f.children(c, t, names, &visit, true)
		if err != nil {
			return out, err
		}
		c.opened()
		out.Entries, out.Cut = found.entries, found.cut
		if len(names) == 0 && t.name == "" {
			out.Entries = f.withRoots(out.Entries)
		}
	}
	if len(out.Entries) > limit {
		out.Entries, out.Cut = out.Entries[:limit:limit], CutEntries
	}
	return out, nil
}

// roots returns the roots with names as folders.
func (f *FS) roots() []Entry {
	out := []Entry{}
	for _, t := range f.trees {
		if t.name == "" {
			continue
		}
		if _, ok := f.grants(OpRead, t, nil, wantFolder); ok {
			out = append(out, Entry{Name: t.name, Path: t.name, Kind: KindDirectory})
		}
	}
	slices.SortFunc(out, byName)
	return out
}

func byName(a, b Entry) int { return strings.Compare(a.Name, b.Name) }

// withRoots adds the roots with names to what is at the top. They hide what has the same name.
func (f *FS) withRoots(entries []Entry) []Entry {
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return f.tree(e.Name) != nil })
	entries = append(entries, f.roots()...)
	slices.SortFunc(entries, byName)
	return entries
}

// found is what is in a folder.
type found struct {
	names   []string // of the folder, without any link
	entries []Entry
	cut     Cut
}

// children lists a folder. Links in its path are followed only if the caller
// wants that. visit is how many names may still be looked at.
func (f *FS) children(c *call, t *tree, names []string, visit *int, follow bool) (found, *Error) {
	var p place
	var e *Error
	if follow {
		p, e = f.resolve(c, t, names, wantEither, f.permits(OpRead, t))
	} else {
		at := 0
		if p, at, _, e = f.walk(c, t, names); e == nil && at >= 0 {
			e = errChanged()
		}
	}
	if e != nil {
		return found{}, e
	}
	defer p.close()
	linked := !slices.Equal(names, p.names)
	if p.exists { // before it is told from a file
		e := f.visible(t, &p.info, p.names)
		if e == nil && linked {
			e = f.visible(t, &p.info, names)
		}
		if e != nil {
			return found{}, e
		}
	}
	if e := p.folder(); e != nil {
		return found{}, e
	}
	if p.parent.pseudo() {
		return found{}, errPseudo()
	}
	list, more, err := p.parent.names(*visit)
	if err != nil {
		return found{}, systemError(err)
	}
	*visit -= len(list)
	out := found{names: p.names, entries: []Entry{}}
	if more {
		out.cut = CutVisit
	}
	slices.Sort(list)
	for _, name := range list {
		if e := c.check(); e != nil {
			return found{}, e
		}
		if checkText(name) != "" || checkName(name, isWindows || f.cfg.PortableNames) != "" {
			continue // no path leads there
		}
		child := append(p.names[:len(p.names):len(p.names)], name)
		if _, e := f.permitBelow(OpRead, t, child, len(p.names), wantEither); e != nil {
			continue
		}
		is, err := p.parent.lstat(name)
		if err != nil {
			continue // it has gone
		}
		entry := describe(t, child, &is, false)
		if is.kind == kindLink {
			if entry, e = f.entry(c, t, child); e != nil {
				if e.Code == ErrCancelled {
					return found{}, e
				}
				continue
			}
		} else if f.visible(t, &is, child) != nil {
			continue
		}
		if linked {
			// Programs use the path by which they came here, which must be granted too.
			shown := append(names[:len(names):len(names)], name)
			if _, e := f.permit(OpRead, t, shown, wantOf(entry.Kind)); e != nil {
				continue
			}
			entry.Path = programPath(t, shown)
		}
		if len(entry.Path) <= maxPathBytes {
			out.entries = append(out.entries, entry)
		}
	}
	return out, nil
}

// Glob returns the files below a folder that may be read and whose paths, from
// the folder on, match a pattern, such as "**/*.md". Folders are entered only if
// something below can match, and never through links. The error is an *Error.
func (f *FS) Glob(ctx context.Context, glob string, opt GlobOptions) (Listing, error) {
	ctx = orBackground(ctx)
	path := opt.Dir
	if path == "" {
		path = "."
	}
	t, names, rule, err := f.begin(OpRead, path, wantFolder)
	var out Listing
	var limit, depth int
	var p pattern
	if err == nil {
		limit, err = bound(opt.MaxEntries, f.cfg.MaxEntries, "maxEntries")
	}
	if err == nil {
		depth, err = bound(opt.MaxDepth, f.cfg.MaxDepth, "maxDepth")
	}
	if err == nil {
		var bad error
		if p, bad = compilePattern(glob, compose); bad != nil {
			err = fail(ErrPattern, "limit:pattern", "bad argument: pattern")
			err.Hint = bad.Error()
		}
	}
	if err == nil {
		out, err = do(ctx, f.shared, func(c *call) (Listing, *Error) {
			return f.glob(c, t, names, &p, limit, depth)
		})
	}
	return out, f.finish(OpRead, t, path, rule, err, opt.Decision)
}

// folder is one that a Glob has still to enter.
type folder struct {
	t     *tree
	names []string // below the root, without any link
	rel   []string // below where the Glob began, composed
}

func (f *FS) glob(c *call, t *tree, names []string, p *pattern, limit, depth int) (Listing, *Error) {
	out := Listing{Entries: []Entry{}}
	visit := f.cfg.MaxVisit
	cut := func(why Cut) {
		if out.Cut == CutNot {
			out.Cut = why
		}
	}
	// What comes first lies on top, files among the folders, so that paths come in order.
	type item struct {
		folder
		entry *Entry
	}
	if t != nil {
		// From here on there are no links.
		e := retry(c, func() *Error {
			p, e := f.resolve(c, t, names, wantEither, f.permits(OpRead, t))
			if e == nil {
				names = p.names
				p.close()
			}
			return e
		})
		if e != nil {
			return out, e
		}
	}
	stack := []item{{folder: folder{t: t, names: names}}}
	for first := true; len(stack) > 0; first = false {
		if e := c.check(); e != nil {
			return Listing{Entries: []Entry{}}, e
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.entry != nil {
			if len(out.Entries) == limit {
				cut(CutEntries)
				return out, nil
			}
			out.Entries = append(out.Entries, *at.entry)
			continue
		}
		if len(at.rel) > depth || len(at.names)+1 >= maxPathDepth {
			cut(CutDepth)
			continue
		}
		var entries []Entry
		if at.t == nil {
			entries = f.roots()
		} else {
			var in found
			e := retry(c, func() (e *Error) {
				in, e = f.children(c, at.t, at.names, &visit, false)
				return e
			})
			if e != nil && (first || e.Code == ErrCancelled) {
				return Listing{Entries: []Entry{}}, e
			}
			if e != nil {
				continue // it has gone, or the system keeps it closed
			}
			c.opened()
			if in.cut != CutNot {
				cut(in.cut)
			}
			if entries = in.entries; at.t.name == "" && len(at.names) == 0 {
				entries = f.withRoots(entries)
			}
		}
		for i := len(entries) - 1; i >= 0; i-- {
			e := &entries[i]
			rel := append(at.rel[:len(at.rel):len(at.rel)], compose(e.Name))
			switch {
			case e.Kind == KindFile && p.match("", rel):
				stack = append(stack, item{entry: e})
			case e.Kind == KindDirectory && !e.Link && p.below("", rel):
				next := folder{t: at.t, names: append(at.names[:len(at.names):len(at.names)], e.Name), rel: rel}
				if root := f.tree(e.Name); root != nil && (at.t == nil || at.t.name == "" && len(at.names) == 0) {
					next = folder{t: root, rel: rel}
				}
				stack = append(stack, item{folder: next})
			}
		}
	}
	return out, nil
}
