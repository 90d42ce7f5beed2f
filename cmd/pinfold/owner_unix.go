//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign says why a file may be somebody else's.
func foreign(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 && int(st.Uid) != os.Getuid() {
		return "belongs to another user"
	}
	if info.Mode().Perm()&0o002 != 0 {
		return "can be written by everybody"
	}
	return ""
}
