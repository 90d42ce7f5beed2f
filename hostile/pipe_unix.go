//go:build unix

package hostile

import "golang.org/x/sys/unix"

// makePipe makes a pipe with a name.
func makePipe(path string) error { return unix.Mkfifo(path, 0o644) }
