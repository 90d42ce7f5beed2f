//go:build !(linux || darwin || freebsd || netbsd || openbsd || windows)

package files

import (
	"errors"
	"os"
)

// There is no call that opens a file relative to an open directory without
// following links, or Go doesn't have it: nothing can be granted.
const (
	supported       = false
	isWindows       = false
	openNonblocking = 0
)

type base struct{}

func openBase(string) (*base, error) { return nil, errors.ErrUnsupported }

func (*base) close() error                     { return nil }
func (*base) start([]string) (dir, int, error) { return nil, 0, errors.ErrUnsupported }
func linksOf(*os.File) (uint64, error)         { return 0, errors.ErrUnsupported }
func isNoSpace(error) bool                     { return false }
func isNotDir(error) bool                      { return false }
func isDirErr(error) bool                      { return false }
func isNameError(error) bool                   { return false }

func isPseudoFile(*os.File) bool { return false }

func isSpecial(error) bool { return false }

func isNotLink(error) bool { return false }
