//go:build unix && !linux

package worker

import (
	"os"
	"syscall"
)

// Supported says why there can be no workers on this system; nil if there can.
func Supported() error { return nil }

func executable() (string, error) { return os.Executable() }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func resident(int) int64 { return 0 }
