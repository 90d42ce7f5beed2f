// Command pinfold runs JavaScript and TypeScript under limits.
//
// In: a file, or code on the command line, and flags. Out: the program's console
// lines and its value, as text or as one JSON object (docs/cli-json.md). It is
// thin: everything it does is package pinfold's.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/pinfold-js/pinfold"
	"github.com/spf13/cobra"
)

// Exit codes. They are part of the command's contract.
const (
	exitOK       = 0
	exitFailed   = 1 // the program failed: an uncaught error, a syntax error, a value that can't be returned
	exitUsage    = 2 // wrong flags, a missing file, input that isn't JSON
	exitLimit    = 3 // a limit or a cancellation ended the run
	exitInternal = 4 // a bug in pinfold
)

// exitCode chooses the exit code of a failure.
func exitCode(f *pinfold.Failure) int {
	switch {
	case f == nil:
		return exitOK
	case f.Kind == pinfold.ErrInternal:
		return exitInternal
	case f.Kind == pinfold.ErrResult && f.Limit == 0:
		return exitFailed
	case f.Kind.IsLimit(), f.Kind == pinfold.ErrCancelled, f.Kind == pinfold.ErrBusy:
		return exitLimit
	}
	return exitFailed
}

// exitError carries an exit code out of a command whose output is complete.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	pinfold.WorkerMain()
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs the command line and returns its exit code.
func execute(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go func() {
		// A second Ctrl-C ends the process.
		<-ctx.Done()
		stop()
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return int(exit)
	}
	fmt.Fprintf(errs, "pinfold: %v\n", err)
	return exitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "pinfold",
		Short: "Run JavaScript and TypeScript under limits",
		Long: `pinfold runs JavaScript and TypeScript that a language model wrote, with nothing
in reach but its input and what flags or --config grant, and never past its limits.

Exit codes: 0 success, 1 the program failed (a check found something, a test failed),
2 wrong usage, 3 a limit or Ctrl-C ended the run, 4 a bug in pinfold.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newRun(), newEval(), newDoctor(), newDoctorCase(), newVersion(), newAJS(), newTool(), newConfig(), newWatch(), newCheck(), newTypes())
	return root
}
