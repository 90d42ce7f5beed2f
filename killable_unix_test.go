//go:build unix

package pinfold_test

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/pinfold-js/pinfold"
)

// Real processes end with the run: one that obeys by SIGTERM, one that doesn't
// by SIGKILL, with those that they have started.
func TestKillableProcess(t *testing.T) {
	var state error
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "sh", Async: true, Cancel: pinfold.Killable, Func: func(ctx context.Context, script string) error {
			cmd := exec.Command("/bin/sh", "-c", script)
			group := pinfold.ProcessGroup(cmd)
			if err := group.Stop(); err == nil {
				t.Error("a command was stopped before it was started")
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				return err
			}
			if err := cmd.Start(); err != nil {
				return err
			}
			forget, err := pinfold.RegisterChild(ctx, group)
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

// RunCommand is the whole of a killable function that runs a command.
func TestRunCommand(t *testing.T) {
	state := make(chan error, 10)
	s := sandbox(t, pinfold.Options{Functions: []pinfold.Function{
		{Name: "sh", Async: true, Cancel: pinfold.Killable, Func: func(ctx context.Context, script string) (string, error) {
			cmd := exec.Command("/bin/sh", "-c", script)
			var out strings.Builder
			cmd.Stdout = &out
			err := pinfold.RunCommand(ctx, cmd)
			state <- err
			if err != nil {
				return "", &pinfold.Error{Message: err.Error()}
			}
			return out.String(), nil
		}},
	}})
	if o := s.Eval(t.Context(), "test", "return [await sh('echo hello'), await sh('exit 3').catch(e => e.message)]", nil); o.Value.String() != `["hello\n","exit status 3"]` || len(o.Notes) > 0 {
		t.Errorf("%v %v, notes %q", o.Value, o.Failure, o.Notes)
	}
	_, _ = <-state, <-state
	o := s.Eval(t.Context(), "test", "sh('sleep 600 & sleep 600'); await sh('true'); return 1", nil)
	var exit *exec.ExitError
	err := <-state
	if err == nil { // that of the other one
		err = <-state
	}
	if o.Failure != nil || len(o.Notes) > 0 || !errors.Is(err, pinfold.ErrEnded) && !(errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGTERM) {
		t.Errorf("%v, %v, notes %q", o.Failure, err, o.Notes)
	}
	// Without a run nothing would end it.
	if err := pinfold.RunCommand(t.Context(), exec.Command("/bin/sleep", "600")); err == nil {
		t.Error("it ran")
	}
}
