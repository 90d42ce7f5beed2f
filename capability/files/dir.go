package files

import (
	"io"
	"os"
	"time"
)

// kind is what a directory entry is, not following links.
type kind uint8

const (
	kindFile kind = iota
	kindDir
	kindLink
	kindOther // pipes, sockets, devices, Windows' mount points
)

// info describes an entry of a directory.
type info struct {
	kind  kind
	size  int64
	mod   time.Time
	perm  os.FileMode // permission bits
	links uint64      // names that the file has; 0 if it isn't known
	// What the file is, for same: numbers, or what the system says is its own.
	dev, ino uint64
	sys      os.FileInfo
}

// same reports whether two infos are of one file.
func (i *info) same(j *info) bool {
	if i.sys != nil || j.sys != nil {
		return i.sys != nil && j.sys != nil && os.SameFile(i.sys, j.sys)
	}
	return i.dev == j.dev && i.ino == j.ino && i.kind == j.kind
}

// dir is an open directory. Its functions take one name, never a path, and
// follow no link. Errors are those of the system; errChangedEntry if an entry is
// not what it was when the caller looked.
type dir interface {
	lstat(name string) (info, error)
	self() (info, error)
	readlink(name string) (string, error)
	// sub opens a directory, which was seen as was.
	sub(name string, was *info) (dir, error)
	// open opens a regular file for reading, without waiting for anybody. It
	// says what it is.
	open(name string, was *info) (*os.File, info, error)
	create(name string, perm os.FileMode) (*os.File, error) // which must not exist
	rename(from, to string) error
	renameNew(from, to string) error // to must not exist
	remove(name string) error
	names(max int) (names []string, more bool, err error)
	pseudo() bool // in a pseudo file system
	sync() error
	close()
}

// changedError is the error of dir when an entry isn't what it was.
type changedError struct{}

func (changedError) Error() string { return "changed" }

var errChangedEntry error = changedError{}

// pseudoDirs are where systems show themselves as files.
var pseudoDirs = []string{"/proc", "/sys", "/dev", "/.vol"}

// readNames reads up to max names of a directory, in the order of the system.
func readNames(f *os.File, max int) ([]string, bool, error) {
	var names []string
	for {
		more, err := f.Readdirnames(min(1024, max-len(names)+1))
		names = append(names, more...)
		if len(names) > max {
			return names[:max], true, nil
		}
		if err == io.EOF || err == nil && len(more) == 0 {
			return names, false, nil
		}
		if err != nil {
			return names, false, err
		}
	}
}
