package files

import (
	"strings"

	"golang.org/x/sys/unix"
)

// walkFlags open a directory to walk on from it, which needs no right to list it.
const walkFlags = unix.O_PATH | unix.O_DIRECTORY

// pseudoMagic are the numbers of file systems whose files aren't on any disk: reading them
// tells about the system, writing them changes it.
var pseudoMagic = map[uint32]bool{
	unix.ANON_INODE_FS_MAGIC:   true,
	unix.AUTOFS_SUPER_MAGIC:    true,
	unix.BDEVFS_MAGIC:          true,
	unix.BINDERFS_SUPER_MAGIC:  true,
	unix.BINFMTFS_MAGIC:        true,
	unix.BPF_FS_MAGIC:          true,
	unix.CGROUP2_SUPER_MAGIC:   true,
	unix.CGROUP_SUPER_MAGIC:    true,
	unix.DAXFS_MAGIC:           true,
	unix.DEBUGFS_MAGIC:         true,
	unix.DEVMEM_MAGIC:          true,
	unix.DEVPTS_SUPER_MAGIC:    true,
	unix.DMA_BUF_MAGIC:         true,
	unix.EFIVARFS_MAGIC:        true,
	unix.FUTEXFS_SUPER_MAGIC:   true,
	unix.MTD_INODE_FS_MAGIC:    true,
	unix.NSFS_MAGIC:            true,
	unix.OPENPROM_SUPER_MAGIC:  true,
	unix.PID_FS_MAGIC:          true,
	unix.PIPEFS_MAGIC:          true,
	unix.PROC_SUPER_MAGIC:      true,
	unix.PSTOREFS_MAGIC:        true,
	unix.RDTGROUP_SUPER_MAGIC:  true,
	unix.SECRETMEM_MAGIC:       true,
	unix.SECURITYFS_MAGIC:      true,
	unix.SELINUX_MAGIC:         true,
	unix.SMACK_MAGIC:           true,
	unix.SOCKFS_MAGIC:          true,
	unix.SYSFS_MAGIC:           true,
	unix.TRACEFS_MAGIC:         true,
	unix.USBDEVICE_SUPER_MAGIC: true,
	unix.XENFS_SUPER_MAGIC:     true,
	0x62656570:                 true, // configfs
	0x19800202:                 true, // mqueue
	0x65735543:                 true, // fusectl
	0x6e667364:                 true, // nfsd
	0x67596969:                 true, // rpc_pipefs
}

func isPseudo(fd int) bool {
	var st unix.Statfs_t
	for {
		switch err := unix.Fstatfs(fd, &st); err {
		case nil:
			return pseudoMagic[uint32(st.Type)]
		case unix.EINTR:
		default:
			return true
		}
	}
}

func sysRenameNew(fd int, from, to string) error {
	return unix.Renameat2(fd, from, fd, to, unix.RENAME_NOREPLACE)
}

// jump opens a folder at a path that has no link in it, in one call, if the kernel has
// it (since 5.6) and lets it be used.
func jump(fd int, names []string) (int, error) {
	return unix.Openat2(fd, strings.Join(names, "/"), &unix.OpenHow{
		Flags:   walkFlags | unix.O_CLOEXEC | unix.O_NOFOLLOW,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
}
