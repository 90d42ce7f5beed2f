package pinfold

import (
	"context"
	"os/exec"
)

// ProcessGroup makes a command, before it is started, the leader of a group of
// processes, and returns the Child that reaches all of the group: what the
// command starts in turn doesn't outlive it. Stop asks them to end (SIGTERM; on
// Windows CTRL_BREAK), Kill ends them. A process that leaves the group on purpose
// is out of reach.
//
//	cmd := exec.Command("convert", file, "out.png")
//	group := pinfold.ProcessGroup(cmd)
//	if err := cmd.Start(); err != nil {
//		return err
//	}
//	forget, err := pinfold.RegisterChild(ctx, group)
//	if err == nil {
//		defer forget()
//	}
//	return cmd.Wait()
//
// RunCommand is all of that.
func ProcessGroup(cmd *exec.Cmd) Child { return newProcessGroup(cmd) }

// RunCommand runs a command in a Killable function whose context ctx is: it
// starts it as a ProcessGroup, registers that, and waits for the command's end.
// When the run has ended the error is ErrEnded.
func RunCommand(ctx context.Context, cmd *exec.Cmd) error {
	group := ProcessGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	forget, err := RegisterChild(ctx, group)
	if forget == nil { // not a killable function: nothing would end it
		_ = group.Kill() //meter: the host's own error; the caller sees another one
		_ = cmd.Wait()   //meter: as above
		return err
	}
	defer forget()
	if e := cmd.Wait(); err == nil {
		err = e
	}
	return err
}
