package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// Supported says why there can be no workers on this system; nil if there can.
func Supported() error { return nil }

// executable is the running binary itself, also when its file has been replaced.
func executable() (string, error) { return "/proc/self/exe", nil }

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// resident returns how much memory a process has; 0 if that can't be told.
func resident(pid int) int64 {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	f := bytes.Fields(b)
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(string(f[1]), 10, 64)
	return n * int64(os.Getpagesize())
}
