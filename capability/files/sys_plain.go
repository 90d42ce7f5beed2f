//go:build netbsd || openbsd

package files

import "golang.org/x/sys/unix"

const walkFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_DIRECTORY

// isPseudo knows nothing here: the folders of pseudo file systems are refused by
// their paths.
func isPseudo(int) bool { return false }

func sysRenameNew(int, string, string) error { return unix.ENOSYS }

func jump(int, []string) (int, error) { return -1, unix.ENOSYS }
