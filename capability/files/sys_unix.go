//go:build linux || darwin || freebsd || netbsd || openbsd

package files

import (
	"errors"

	"golang.org/x/sys/unix"
)

const openNonblocking = unix.O_NONBLOCK | unix.O_NOCTTY

func isNoSpace(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) }

// isDirErr reports whether an error says that a file can't take the place of a
// directory.
func isDirErr(err error) bool { return errors.Is(err, unix.EISDIR) }

// isSpecial reports whether an error says that there is a link, a socket, or a
// device that isn't there, where a file or a folder was seen.
func isSpecial(err error) bool {
	return errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENODEV)
}

// isNotLink reports whether an error says that a link was expected.
func isNotLink(err error) bool { return errors.Is(err, unix.EINVAL) }

// isNameError reports whether an error says that the file system has no such
// names.
func isNameError(err error) bool {
	return errors.Is(err, unix.ENAMETOOLONG) || errors.Is(err, unix.EILSEQ) || errors.Is(err, unix.EINVAL)
}
