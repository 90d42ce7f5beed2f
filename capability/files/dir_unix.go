//go:build linux || darwin || freebsd || netbsd || openbsd

package files

import (
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const supported = true

// isWindows says whether Windows' rules of names hold on this system.
const isWindows = false

// base is the open folder of a root.
type base struct{ file *os.File }

func openBase(path string) (*base, error) {
	fd, err := openat(unix.AT_FDCWD, path, walkFlags, 0)
	if err != nil {
		return nil, err
	}
	return &base{os.NewFile(uintptr(fd), "root")}, nil
}

func (b *base) close() error { return b.file.Close() }

func (b *base) start(names []string) (dir, int, error) {
	conn, err := b.file.SyscallConn()
	if err != nil {
		return nil, 0, err
	}
	fd, skip, openErr := -1, 0, error(nil)
	if err := conn.Control(func(root uintptr) {
		if len(names) > 0 {
			if fd, openErr = jump(int(root), names); openErr == nil {
				skip = len(names)
				return
			}
		}
		// One after the other, also to see what is wrong.
		fd, openErr = openat(int(root), ".", walkFlags, 0)
	}); err != nil {
		return nil, 0, os.ErrClosed
	}
	if openErr != nil {
		return nil, 0, openErr
	}
	return &fdDir{fd}, skip, nil
}

// fdDir is a directory as a file descriptor.
type fdDir struct{ fd int }

func openat(at int, name string, flags int, perm uint32) (int, error) {
	for {
		fd, err := unix.Openat(at, name, flags|unix.O_CLOEXEC|unix.O_NOFOLLOW, perm)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func infoOf(st *unix.Stat_t) info {
	sec, nsec := st.Mtim.Unix()
	i := info{
		size: st.Size, mod: time.Unix(sec, nsec), perm: os.FileMode(st.Mode & 0o777),
		links: uint64(st.Nlink), dev: uint64(st.Dev), ino: st.Ino,
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		i.kind = kindFile
	case unix.S_IFDIR:
		i.kind = kindDir
	case unix.S_IFLNK:
		i.kind = kindLink
	default:
		i.kind = kindOther
	}
	return i
}

func (d *fdDir) lstat(name string) (info, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err {
		case nil:
			return infoOf(&st), nil
		case unix.EINTR:
		default:
			return info{}, err
		}
	}
}

func (d *fdDir) self() (info, error) { return fstat(d.fd) }

func fstat(fd int) (info, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstat(fd, &st); err {
		case nil:
			return infoOf(&st), nil
		case unix.EINTR:
		default:
			return info{}, err
		}
	}
}

func (d *fdDir) readlink(name string) (string, error) {
	buf := make([]byte, maxPathBytes+1)
	for {
		n, err := unix.Readlinkat(d.fd, name, buf)
		switch {
		case err == unix.EINTR:
		case err == unix.EINVAL:
			return "", errChangedEntry // it is no link any more
		case err != nil:
			return "", err
		case n > maxPathBytes:
			return "", unix.ENAMETOOLONG
		default:
			return string(buf[:n]), nil
		}
	}
}

// notFollowed turns what systems say of a link where none was expected.
func notFollowed(err error) error {
	if err == unix.ENOTDIR || isSpecial(err) {
		return errChangedEntry
	}
	// NetBSD says EFTYPE, for which there is no name elsewhere.
	if runtime.GOOS == "netbsd" && err == unix.Errno(79) {
		return errChangedEntry
	}
	return err
}

func (d *fdDir) sub(name string, was *info) (dir, error) {
	fd, err := openat(d.fd, name, walkFlags, 0)
	if err != nil {
		return nil, notFollowed(err)
	}
	s := &fdDir{fd}
	if is, err := s.self(); err != nil || !is.same(was) {
		s.close()
		if err == nil {
			err = errChangedEntry
		}
		return nil, err
	}
	return s, nil
}

func (d *fdDir) open(name string, was *info) (*os.File, info, error) {
	fd, err := openat(d.fd, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, info{}, notFollowed(err)
	}
	is, err := fstat(fd)
	if err == nil && !is.same(was) {
		err = errChangedEntry
	}
	if err == nil {
		// The last of the flags that were asked for and can be changed.
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, 0)
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, info{}, err
	}
	return os.NewFile(uintptr(fd), "file"), is, nil
}

func (d *fdDir) create(name string, perm os.FileMode) (*os.File, error) {
	fd, err := openat(d.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NONBLOCK, uint32(perm.Perm()))
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		_ = unix.Close(fd)
		_ = d.remove(name)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "file"), nil
}

func (d *fdDir) rename(from, to string) error {
	for {
		if err := unix.Renameat(d.fd, from, d.fd, to); err != unix.EINTR {
			return err
		}
	}
}

func (d *fdDir) renameNew(from, to string) error {
	err := sysRenameNew(d.fd, from, to)
	if err != unix.ENOSYS && err != unix.EINVAL && err != unix.ENOTSUP {
		return err
	}
	// A second name, and away with the first.
	if err := unix.Linkat(d.fd, from, d.fd, to, 0); err != nil {
		return err
	}
	return d.remove(from)
}

func (d *fdDir) remove(name string) error {
	for {
		if err := unix.Unlinkat(d.fd, name, 0); err != unix.EINTR {
			return err
		}
	}
}

// reopen opens the directory itself for reading: a handle for walking may not be
// good for that.
func (d *fdDir) reopen() (*os.File, error) {
	fd, err := openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "folder"), nil
}

func (d *fdDir) names(max int) ([]string, bool, error) {
	f, err := d.reopen()
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	return readNames(f, max)
}

func (d *fdDir) pseudo() bool { return isPseudo(d.fd) }

func (d *fdDir) sync() error {
	f, err := d.reopen()
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (d *fdDir) close() { _ = unix.Close(d.fd) }

// linksOf returns how many names an open file has.
func linksOf(f *os.File) (uint64, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var i info
	var statErr error
	if err := conn.Control(func(fd uintptr) { i, statErr = fstat(int(fd)) }); err != nil {
		return 0, err
	}
	return i.links, statErr
}

// isPseudoFile reports whether an open file is in a pseudo file system: it may be
// mounted on its own.
func isPseudoFile(f *os.File) bool {
	pseudo := true
	if conn, err := f.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { pseudo = isPseudo(int(fd)) })
	}
	return pseudo
}
