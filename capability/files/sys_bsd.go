//go:build darwin || freebsd

package files

import "golang.org/x/sys/unix"

const walkFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_DIRECTORY

func isPseudo(fd int) bool {
	var st unix.Statfs_t
	if err := unix.Fstatfs(fd, &st); err != nil {
		return true
	}
	name := make([]byte, 0, len(st.Fstypename))
	for _, c := range st.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	switch string(name) {
	case "devfs", "fdescfs", "procfs", "linprocfs", "linsysfs", "mqueuefs", "autofs":
		return true
	}
	return false
}

func sysRenameNew(int, string, string) error { return unix.ENOSYS }

func jump(int, []string) (int, error) { return -1, unix.ENOSYS }
