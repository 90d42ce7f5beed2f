//go:build !unix && !windows

package pinfold

import (
	"errors"
	"os"
	"os/exec"
)

// processGroup is the process alone: the system has no groups.
type processGroup struct{ cmd *exec.Cmd }

func newProcessGroup(cmd *exec.Cmd) *processGroup { return &processGroup{cmd} }

func (p *processGroup) signal(s os.Signal) error {
	if p.cmd.Process == nil {
		return errors.New("the command was not started")
	}
	return p.cmd.Process.Signal(s)
}

func (p *processGroup) Stop() error { return p.signal(os.Interrupt) }
func (p *processGroup) Kill() error { return p.signal(os.Kill) }
