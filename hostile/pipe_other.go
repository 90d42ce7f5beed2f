//go:build !unix

package hostile

import "os"

// makePipe makes a folder, which is no regular file either: the system has no
// pipes among its files.
func makePipe(path string) error { return os.Mkdir(path, 0o755) }
