//go:build !plan9

package files

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// rootDir is a directory as an os.Root, for systems without openat. An os.Root
// follows links that stay below it; what was opened is therefore compared with
// what was seen before, which was no link.
type rootDir struct{ root *os.Root }

func infoOfFile(fi os.FileInfo) info {
	i := info{size: fi.Size(), mod: fi.ModTime(), perm: fi.Mode().Perm(), sys: fi}
	switch fi.Mode().Type() {
	case 0:
		i.kind = kindFile
	case os.ModeDir:
		i.kind = kindDir
	case os.ModeSymlink:
		i.kind = kindLink
	default:
		i.kind = kindOther
	}
	return i
}

func (d rootDir) lstat(name string) (info, error) {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return info{}, err
	}
	return infoOfFile(fi), nil
}

func (d rootDir) self() (info, error) { return d.lstat(".") }

func (d rootDir) readlink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	if isNotLink(err) {
		err = errChangedEntry
	}
	return target, err
}

// notSeen turns what an os.Root says when an entry isn't what was seen, but a link,
// perhaps one that leads out, or no folder any more.
func notSeen(err error) error {
	var errno syscall.Errno
	if err != nil && (!errors.As(err, &errno) || isNotDir(err) || isSpecial(err) || isNotLink(err)) {
		return errChangedEntry
	}
	return err
}

func (d rootDir) sub(name string, was *info) (dir, error) {
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, notSeen(err)
	}
	s := rootDir{r}
	if is, err := s.self(); err != nil || !is.same(was) {
		s.close()
		if err == nil {
			err = errChangedEntry
		}
		return nil, err
	}
	return s, nil
}

func (d rootDir) open(name string, was *info) (*os.File, info, error) {
	f, err := d.root.OpenFile(name, os.O_RDONLY|openNonblocking, 0)
	if err != nil {
		return nil, info{}, notSeen(err)
	}
	is, err := statOpen(f)
	if err == nil && !is.same(was) {
		err = errChangedEntry
	}
	if err != nil {
		_ = f.Close()
		return nil, info{}, err
	}
	return f, is, nil
}

func statOpen(f *os.File) (info, error) {
	fi, err := f.Stat()
	if err != nil {
		return info{}, err
	}
	i := infoOfFile(fi)
	i.links, err = linksOf(f)
	return i, err
}

func (d rootDir) create(name string, perm os.FileMode) (*os.File, error) {
	return d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}

// rename tries again for a moment: on Windows it fails while somebody has the
// old file open, such as a virus scanner.
func (d rootDir) rename(from, to string) error {
	var err error
	for wait := time.Millisecond; wait <= 64*time.Millisecond; wait *= 2 {
		if err = d.root.Rename(from, to); err == nil || !isWindows || !errors.Is(err, os.ErrPermission) {
			return err
		}
		time.Sleep(wait)
	}
	return err
}

func (d rootDir) renameNew(from, to string) error {
	// A second name, and away with the first.
	if err := d.root.Link(from, to); err != nil {
		return err
	}
	return d.root.Remove(from)
}

func (d rootDir) remove(name string) error { return d.root.Remove(name) }

func (d rootDir) names(max int) ([]string, bool, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	return readNames(f, max)
}

func (d rootDir) pseudo() bool { return false }
func (d rootDir) sync() error  { return nil } // Windows has no such call for folders
func (d rootDir) close()       { _ = d.root.Close() }
