//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package files_test

// child is only for tests on Unix.
func child(string) {}
