package files

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const (
	supported       = true
	isWindows       = true
	openNonblocking = 0
)

// base is the open folder of a root.
type base struct{ root *os.Root }

func openBase(path string) (*base, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &base{r}, nil
}

func (b *base) close() error { return b.root.Close() }

func (b *base) start([]string) (dir, int, error) {
	r, err := b.root.OpenRoot(".")
	if err != nil {
		return nil, 0, err
	}
	return rootDir{r}, 0, nil
}

// linksOf returns how many names an open file has. What isn't on a disk has none.
func linksOf(f *os.File) (uint64, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var n uint64
	var callErr error
	if err := conn.Control(func(fd uintptr) {
		h := windows.Handle(fd)
		t, err := windows.GetFileType(h)
		if err == nil && t != windows.FILE_TYPE_DISK {
			err = errChangedEntry
		}
		if err != nil {
			callErr = err
			return
		}
		var i windows.ByHandleFileInformation
		callErr = windows.GetFileInformationByHandle(h, &i)
		n = uint64(i.NumberOfLinks)
	}); err != nil {
		return 0, err
	}
	return n, callErr
}

// isNoSpace reports whether an error says that the disk is full.
func isNoSpace(err error) bool {
	errno, ok := asErrno(err)
	return ok && (errno == windows.ERROR_DISK_FULL || errno == windows.ERROR_HANDLE_DISK_FULL ||
		errno == windows.ERROR_DISK_QUOTA_EXCEEDED)
}

func isNotDir(err error) bool {
	errno, ok := asErrno(err)
	return ok && errno == windows.ERROR_DIRECTORY
}

func isDirErr(error) bool { return false }
func isNameError(err error) bool {
	errno, ok := asErrno(err)
	return ok && (errno == windows.ERROR_INVALID_NAME || errno == windows.ERROR_FILENAME_EXCED_RANGE)
}

func asErrno(err error) (windows.Errno, bool) {
	var errno windows.Errno
	ok := errors.As(err, &errno)
	return errno, ok
}

func isPseudoFile(*os.File) bool { return false }

func isSpecial(error) bool { return false }

// isNotLink reports whether an error says that a link was expected.
func isNotLink(err error) bool {
	errno, ok := asErrno(err)
	return ok && errno == windows.ERROR_NOT_A_REPARSE_POINT
}
