//go:build !unix

package worker

import (
	"errors"
	"syscall"
)

// Supported says why there can be no workers on this system; nil if there can.
func Supported() error {
	return errors.New("worker processes need pipes that a child inherits, which this system doesn't give a Go program")
}

func executable() (string, error) { return "", Supported() }

func attributes() *syscall.SysProcAttr { return nil }

func resident(int) int64 { return 0 }
