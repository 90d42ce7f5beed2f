//go:build unix

package pinfold_test

import (
	"syscall"
	"testing"
)

// stopProcess makes a process do nothing any more, without ending it.
func stopProcess(t *testing.T, pid int) {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Errorf("stopping the worker: %v", err)
	}
}
