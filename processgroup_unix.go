//go:build unix

package pinfold

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// processGroup is a group of processes by its leader.
type processGroup struct{ cmd *exec.Cmd }

func newProcessGroup(cmd *exec.Cmd) *processGroup {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Pgid = true, 0
	return &processGroup{cmd}
}

func (p *processGroup) signal(s syscall.Signal) error {
	if p.cmd.Process == nil {
		return errors.New("the command was not started")
	}
	err := syscall.Kill(-p.cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (p *processGroup) Stop() error { return p.signal(syscall.SIGTERM) }
func (p *processGroup) Kill() error { return p.signal(syscall.SIGKILL) }
