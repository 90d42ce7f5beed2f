package files

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Bounds on resolving a path.
const (
	maxSteps    = 40                    // links, and ".." in them
	maxChanges  = 64                    // how often a path that changes is resolved again
	changePause = 50 * time.Microsecond // between these, times their number
)

// place is where a path leads: a name in an open folder, or, if name is empty,
// that folder itself.
type place struct {
	parent   dir
	names    []string // from the root on, without any link
	name     string
	info     info
	exists   bool
	dangling bool // it doesn't exist, and a link leads there
}

func (p *place) close() {
	if p.parent != nil {
		p.parent.close()
		p.parent = nil
	}
}

// missing is the error of a place that doesn't exist.
func (p *place) missing() *Error {
	if p.dangling {
		return fail(ErrNotFound, "link:dangling", "no such file")
	}
	return errMissing()
}

// folder opens the place as a folder, instead of its parent.
func (p *place) folder() *Error {
	switch {
	case !p.exists:
		return p.missing()
	case p.info.kind == kindOther:
		return errKind()
	case p.info.kind != kindDir:
		return errNotDir()
	case p.name == "":
		return nil
	}
	d, err := p.parent.sub(p.name, &p.info)
	if err != nil {
		return seenError(err)
	}
	p.parent.close()
	p.parent = d
	return nil
}

// seenError is systemError for what was there just before.
func seenError(err error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged()
	}
	return systemError(err)
}

// walk goes down to a path below a root until there is a link, or "..". at is
// its index in names and target what it says, or ".."; at is -1 at the end of the path. For
// the error ErrNotDir, at is the index of what isn't a folder.
func (s *shared) walk(c *call, t *tree, names []string) (p place, at int, target string, e *Error) {
	start := (*tree).start
	if s.hook.start != nil {
		start = s.hook.start
	}
	ahead := names[:max(0, len(names)-1)]
	if i := slices.Index(ahead, ".."); i >= 0 {
		ahead = ahead[:i]
	}
	d, skip, err := start(t, ahead)
	if err != nil {
		return place{}, -1, "", systemError(err)
	}
	p = place{parent: d, names: names}
	defer func() {
		if e != nil || at >= 0 {
			p.close()
		}
	}()
	if len(names) == 0 {
		if p.info, err = d.self(); err != nil {
			return p, -1, "", systemError(err)
		}
		p.exists = true
		return p, -1, "", nil
	}
	for i := skip; i < len(names); i++ {
		if e := c.check(); e != nil {
			return p, -1, "", e
		}
		name := names[i]
		if name == ".." {
			return p, i, "..", nil
		}
		last := i == len(names)-1
		is, err := p.parent.lstat(name)
		switch {
		case err == nil:
		case last && errors.Is(err, fs.ErrNotExist):
			p.name = name
			return p, -1, "", nil
		default:
			return p, -1, "", systemError(err)
		}
		switch {
		case is.kind == kindLink:
			target, err := p.parent.readlink(name)
			if err != nil {
				return p, -1, "", seenError(err)
			}
			return p, i, target, nil
		case last:
			p.name, p.info, p.exists = name, is, true
			return p, -1, "", nil
		case is.kind != kindDir:
			return p, i, "", errNotDir()
		}
		next, err := p.parent.sub(name, &is)
		if err != nil {
			return p, -1, "", seenError(err)
		}
		p.parent.close()
		p.parent = next
	}
	return p, -1, "", errMissing()
}

// permits decides whether a path that a link leads to may be used.
type permits func([]string, want) *Error

// resolve finds where a path below a root leads. Links are read and followed
// here, never by the system. Each path that a link leads to must be permitted; names
// are so already. The caller closes the place.
func (s *shared) resolve(c *call, t *tree, names []string, w want, permit permits) (place, *Error) {
	dangling := false
	for links := 0; ; links++ {
		p, at, target, e := s.walk(c, t, names)
		if e != nil {
			if e.Code == ErrNotDir && permit(names[:at+1], w) != nil {
				e = errMissing() // what isn't granted doesn't show what it is
			}
			return place{}, e
		}
		if at < 0 {
			p.dangling = dangling && !p.exists
			return p, nil
		}
		if links == maxSteps {
			return place{}, fail(ErrLinks, "link:loop", "too many links")
		}
		if names[at] == ".." {
			names, e = parent(names, at)
		} else {
			dangling = dangling || at == len(names)-1
			names, e = splice(names, at, target, t.dirs, isWindows)
		}
		if e != nil {
			return place{}, e
		}
		if i := slices.Index(names, ".."); i < 0 {
			e = permit(names, w)
		} else {
			e = permit(names[:i], wantFolder)
		}
		if e != nil {
			return place{}, e
		}
	}
}

// again reports an error if the file isn't where its path leads any more.
func (s *shared) again(c *call, t *tree, p *place) *Error {
	q, at, _, e := s.walk(c, t, p.names)
	if e != nil {
		switch e.Code {
		case ErrNotFound, ErrNotDir:
			return errChanged()
		}
		return e
	}
	if at >= 0 {
		return errChanged()
	}
	defer q.close()
	if q.exists != p.exists || q.exists && !q.info.same(&p.info) {
		return errChanged()
	}
	if p.exists {
		return nil
	}
	// There is no file to compare: the folder must be the same.
	was, err := p.parent.self()
	if err != nil {
		return systemError(err)
	}
	if is, err := q.parent.self(); err != nil || !is.same(&was) {
		return errChanged()
	}
	return nil
}

// retry does work again as long as what it works on changes.
func retry(c *call, work func() *Error) *Error {
	for n := 1; ; n++ {
		e := work()
		if e == nil || e.Code != ErrChanged || n == maxChanges {
			return e
		}
		if e := c.check(); e != nil {
			return e
		}
		time.Sleep(time.Duration(n) * changePause)
	}
}

// openRegular opens the file that a path leads to, for reading. The place is
// closed.
func (s *shared) openRegular(c *call, t *tree, names []string, permit permits) (file *os.File, is info, e *Error) {
	e = retry(c, func() *Error {
		p, e := s.resolve(c, t, names, wantFile, permit)
		if e != nil {
			return e
		}
		defer p.close()
		file, is, e = s.openPlace(c, t, &p)
		return e
	})
	return file, is, e
}

func (s *shared) openPlace(c *call, t *tree, p *place) (*os.File, info, *Error) {
	switch {
	case !p.exists:
		return nil, info{}, p.missing()
	case p.info.kind == kindDir:
		return nil, info{}, errDirectory()
	case p.info.kind != kindFile:
		return nil, info{}, errKind()
	}
	if s.hook.opening != nil {
		s.hook.opening()
	}
	file, is, err := p.parent.open(p.name, &p.info)
	if err != nil {
		return nil, info{}, seenError(err)
	}
	if s.hook.opened != nil {
		s.hook.opened()
	}
	e := s.again(c, t, p)
	switch {
	case e != nil:
	case is.links > 1 && !t.hardLinks:
		e = errHardLink()
	case isPseudoFile(file):
		e = errPseudo()
	}
	if e != nil {
		_ = file.Close()
		return nil, info{}, e
	}
	return file, is, nil
}
