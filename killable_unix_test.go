//go:build unix

package pinfold_test

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"syscall"
	"testing"

	"github.com/pinfold-js/pinfold"
)

// processGroup is a process with all that it has started.
type processGroup int

func (p processGroup) Stop() error { return syscall.Kill(-int(p), syscall.SIGTERM) }
func (p processGroup) Kill() error { return syscall.Kill(-int(p), syscall.SIGKILL) }

// Real processes end with the run: one that obeys by SIGTERM, one that doesn't
// by SIGKILL, with those that they have started.
func TestKillableProcess(t *testing.T) {
	var state error
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "sh", Async: true, Cancel: pinfold.Killable, Func: func(ctx context.Context, script string) error {
			cmd := exec.Command("/bin/sh", "-c", script)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out, err := cmd.StdoutPipe()
			if err != nil {
				return err
			}
			if err := cmd.Start(); err != nil {
				return err
			}
			forget, err := pinfold.RegisterChild(ctx, processGroup(cmd.Process.Pid))
			if err == nil {
				for r := bufio.NewScanner(out); r.Scan(); {
					if r.Text() == "ready" {
						ready <- struct{}{}
					}
				}
				forget()
			}
			state = cmd.Wait()
			return state
		}},
		{Name: "ready", Async: true, Cancel: pinfold.Cooperative, Func: func() { <-ready }},
	}})
	for script, want := range map[string]syscall.Signal{
		"echo ready; sleep 600":                                 syscall.SIGTERM,
		"trap '' TERM; echo ready; sleep 600 & sleep 600":       syscall.SIGKILL,
		"(trap '' TERM; sleep 600) & echo ready; exec sleep 60": syscall.SIGTERM,
	} {
		o := s.Eval(t.Context(), "test", "sh(input); await ready(); return 1", script)
		var exit *exec.ExitError
		if o.Failure != nil || o.Usage.Stragglers != 0 || !errors.As(state, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != want {
			t.Errorf("%s: %v, %v, notes %q", script, o.Failure, state, o.Notes)
		}
	}
}

var ready = make(chan struct{})
